"""Ladder: climb with the cards of your hand, or rest and draw."""

from rules.ladder.definition import LadderDefinition

GAME = LadderDefinition()
