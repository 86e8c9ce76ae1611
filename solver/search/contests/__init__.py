"""Games of several seats: exact search, plain and compiled, and seats that play by a model."""
