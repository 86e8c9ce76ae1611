"""Boards to test rules on: a position in a few words, played in the notation of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.position import new_position
from rules.iditacards.definition import IditacardsDefinition
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Player, Table
from tests.rules.under_way import UnderWay

ALL_OPEN = tuple(IditacardsDefinition.sources)
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


class Board(UnderWay[Iditacards, Table]):
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
        super().__init__(Iditacards, text)

    @property
    def me(self) -> Player:
        """Player 0."""
        return self.table.players[0]

    @property
    def you(self) -> Player:
        """Player 1."""
        return self.table.players[1]

    @property
    def frames(self) -> list[tuple[str, int, int]]:
        """Cards on the risk stack of player 0, bottom first, with the risk cards that they need and have."""
        return [(frame.card, frame.need, frame.paid) for frame in self.me.stack]

    @property
    def rules(self) -> set[str]:
        """Rules and rulings that the last ``play`` named."""
        return {event.rule for event in self.events}

    def kinds(self) -> list[str]:
        """Kinds of events of the last ``play``, in order."""
        return [event.kind for event in self.events]


def start(ruleset: str, seed: int) -> tuple[Iditacards, Table]:
    """Return a game and its table after the setup."""
    game, state = new_position(ruleset, seed=seed).start()
    assert isinstance(game, Iditacards)
    return game, state.table
