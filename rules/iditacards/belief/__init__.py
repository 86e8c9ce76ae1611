"""A day with a hidden deck as packed beliefs: scope, cards that are alike, stances, facts, bounds."""
