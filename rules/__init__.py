"""Card games as pure, deterministic rules: the same state and step give the same result, everywhere."""
