"""Abyss as rows of small integers."""
