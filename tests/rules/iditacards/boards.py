"""Boards to test rules on: a position in a few words, played in the notation of moves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rules.core.position import load_position
from rules.core.steps import CHANCE, ChanceOutcome, Event
from rules.core.turns import State
from rules.iditacards.definition import IditacardsDefinition
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Player, Table

ALL_OPEN = IditacardsDefinition.sources
ZONES = ("deck", "discard", "foods", "hand", "legendary", "resolved", "seen")


def seat(**fields: Any) -> dict[str, Any]:
    """Return a player for ``Board``: zones as words, dogs as ``wheel_dog husky+a_hat``, frames as ``husky:2:0``."""
    player = dict(fields)
    for name in ZONES:
        if name in player:
            player[name] = player[name].split()
    if "dogs" in player:
        teams = [team.split("+") for team in player["dogs"].split()]
        player["dogs"] = [{"dog": team[0], "attachments": team[1:]} for team in teams]
    if "stack" in player:
        player["stack"] = [_frame(frame) for frame in player["stack"].split()]
    return player


def _frame(text: str) -> dict[str, Any]:
    card, need, paid, *second = text.split(":")
    step = {"step": "second"} if second else {}
    return {"card": card, "need": int(need), "paid": int(paid), **step}


class Board:
    """A game under way: ``play`` takes moves as texts, the properties show what they led to."""

    def __init__(
        self,
        edition: str,
        *seats: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        known: Sequence[str] = ALL_OPEN,
        lists: Mapping[str, Any] | None = None,
        **shared: Any,
    ) -> None:
        for name in ("destroyed", "supply"):
            if name in shared:
                shared[name] = shared[name].split()
        if "upgrade" in shared:
            shared["upgrade"] = [deck.split() for deck in shared["upgrade"]]
        chance: dict[str, Any] = {"open": list(known), "seed": 15}
        if lists is not None:
            chance["lists"] = dict(lists)
        text = {
            "game": "iditacards",
            "ruleset": edition,
            "options": dict(options or {}),
            "chance": chance,
            "state": {"players": [dict(player) for player in seats], **shared},
        }
        self.position = load_position(json.dumps(text))
        game, state = self.position.start()
        assert isinstance(game, Iditacards)
        self.game = game
        self.state: State[Table] = state
        self.events: tuple[Event, ...] = ()
        """What the last ``play`` told."""

    def play(self, line: str) -> Board:
        """Take the steps of ``line``, separated by semicolons, and return the board."""
        told: list[Event] = []
        for text in line.split(";"):
            step = self.game.parse_step(self.state, text)
            transition = self.game.apply(self.state, step)
            self.state = transition.state
            told.extend(transition.events)
        self.events = tuple(told)
        return self

    @property
    def table(self) -> Table:
        """The table; the turn must be done."""
        assert not self.state.pending, f"the turn goes on: {self.moves}"
        return self.state.table

    @property
    def me(self) -> Player:
        """Player 0."""
        return self.table.players[0]

    @property
    def you(self) -> Player:
        """Player 1."""
        return self.table.players[1]

    @property
    def moves(self) -> list[str]:
        """Texts of what can happen next."""
        steps = self.game.legal_moves(self.state) or self.game.chance_outcomes(self.state)
        return [step.text for step in steps]

    @property
    def odds(self) -> dict[str, Fraction]:
        """Outcomes of the chance event that is due."""
        assert self.game.to_act(self.state) == CHANCE
        steps: Sequence[ChanceOutcome] = self.game.chance_outcomes(self.state)
        return {step.result: step.probability for step in steps}

    @property
    def rules(self) -> set[str]:
        """Rules and rulings that the last ``play`` named."""
        return {event.rule for event in self.events}

    def kinds(self) -> list[str]:
        """Kinds of events of the last ``play``, in order."""
        return [event.kind for event in self.events]
