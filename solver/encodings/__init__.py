"""Fast encodings of the games: plain Python that is compiled where it can be."""
