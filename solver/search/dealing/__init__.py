"""Packed beliefs card by card over one list of numbers: the loop, what is known, bounds, last turns."""
