"""Techniques: what a line of play turns on, as players call it, read off what the rules did.

A game that has names for some has a file ``techniques.toml`` in its folder. Each table is one technique: ``meaning``
says it in words, ``events`` are kinds of events any of which shows it. With ``several`` only events count whose value
under that key is a list of more than one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.files import data_file
from rules.core.registry import GameDefinition
from rules.core.steps import Event, Step
from rules.core.turns import Game, State


@dataclass(frozen=True, slots=True)
class Technique:
    """One thing that a line can turn on."""

    name: str
    meaning: str
    events: frozenset[str]
    several: str = ""
    """Key of an event's data that has to hold more than one thing; empty where every event counts."""

    def shown_by(self, event: Event) -> bool:
        """Return whether an event shows it."""
        if event.kind not in self.events:
            return False
        return not self.several or len(event.data[self.several]) > 1


def techniques(definition: GameDefinition) -> Mapping[str, Technique]:
    """Return the techniques of a game by name, in the order of its file."""
    return {
        name: Technique(name, table["meaning"], frozenset(table["events"]), table.get("several", ""))
        for name, table in data_file(definition.folder, "techniques").items()
    }


def met(
    definition: GameDefinition, game: Game[Any], start: State[Any], turns: Sequence[Sequence[Step]]
) -> tuple[str, ...]:
    """Return the names of the techniques that a line of turns shows, in the order of the game's file.

    Raises:
        IllegalMoveError: the line does not fit the start.
    """
    known = techniques(definition)
    found: set[str] = set()
    state = start
    for steps in turns:
        for step in steps:
            after = game.apply(state, step)
            found |= {name for name, each in known.items() if any(map(each.shown_by, after.events))}
            state = after.state
    return tuple(name for name in known if name in found)
