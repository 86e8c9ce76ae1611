"""Trench Rescue: two sides carry their wounded home across a shelled field, as published in August 2012."""

from rules.trench_rescue.definition import TrenchRescueDefinition

GAME = TrenchRescueDefinition()
