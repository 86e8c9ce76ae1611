"""Abyss and City: hired partners go to the City or the Abyss, and the first with money or fame wins."""

from rules.abyss.definition import AbyssDefinition

GAME = AbyssDefinition()
