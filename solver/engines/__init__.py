"""The engines behind an answer, and the choice among them."""
