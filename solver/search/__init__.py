"""Exact search over turns: transposition tables, admissible bounds, layered proofs, state graphs."""
