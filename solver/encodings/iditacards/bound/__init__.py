"""A lower bound of the turns to a target, and a guess of them for beams."""
