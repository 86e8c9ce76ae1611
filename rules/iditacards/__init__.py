"""Iditacards by Louis Burke: a dog-sled race and deck-builder, in its three published editions."""

from rules.iditacards.definition import IditacardsDefinition

GAME = IditacardsDefinition()
