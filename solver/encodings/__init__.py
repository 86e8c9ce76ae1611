"""Compact encodings of games for the searches: plain Python that a build compiles where it can."""
