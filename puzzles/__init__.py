"""Positions with a goal: what is asked, what is hidden, and the library of challenges."""
