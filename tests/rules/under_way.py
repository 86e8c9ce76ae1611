"""A game under way to test rules on: ``play`` takes moves as texts, the properties show what they led to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, Self, TypeVar

from rules.core.scripts import CHANCE, ChanceOutcome, Event
from rules.core.turns import Game, State
from tests.bare import bare_position

G = TypeVar("G", bound=Game[Any])
T = TypeVar("T")


class UnderWay(Generic[G, T]):
    """A game of one kind from a position."""

    def __init__(self, kind: type[G], position: Mapping[str, Any]) -> None:
        self.position = bare_position(json.dumps(position))
        game, state = self.position.start()
        assert isinstance(game, kind)
        self.game = game
        self.state: State[T] = state
        self.events: tuple[Event, ...] = ()
        """What the last ``play`` told."""

    def play(self, line: str) -> Self:
        """Take the steps of ``line``, separated by semicolons, and return the game."""
        told: list[Event] = []
        for text in line.split(";"):
            step = self.game.parse_step(self.state, text)
            transition = self.game.apply(self.state, step)
            self.state = transition.state
            told.extend(transition.events)
        self.events = tuple(told)
        return self

    @property
    def table(self) -> T:
        """The table; the turn must be done."""
        assert not self.state.pending, f"the turn goes on: {self.moves}"
        return self.state.table

    @property
    def moves(self) -> list[str]:
        """Texts of what can happen next, in the order in which the rules list them."""
        steps = self.game.legal_moves(self.state) or self.game.chance_outcomes(self.state)
        return [step.text for step in steps]

    @property
    def odds(self) -> dict[str, Fraction]:
        """Outcomes of the chance event that is due."""
        assert self.game.to_act(self.state) == CHANCE
        steps: Sequence[ChanceOutcome] = self.game.chance_outcomes(self.state)
        return {step.result: step.probability for step in steps}
