"""Battles to test rules on: a position in a few words, played in the notation of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.trench_rescue.content import Table
from rules.trench_rescue.engine import TrenchRescue
from tests.rules.under_way import UnderWay

CARDS_OPEN = ("cards",)
ALL_OPEN = ("cards", "deck", "shells")
COLOURS = ("black", "red")


def both(black: str = "", red: str = "") -> dict[str, list[str]]:
    """Return the same zone of both colours, cards as words."""
    return {"black": black.split(), "red": red.split()}


class Battle(UnderWay[TrenchRescue, Table]):
    """A game under way: ``play`` takes moves as texts, the properties show what they led to.

    Soldiers are words such as ``7S@2,2`` or ``9S@2,3+JD`` with what they carry, piles a table from cells to words.
    """

    def __init__(
        self,
        soldiers: str = "",
        piles: Mapping[str, str] | None = None,
        *,
        ruleset: str = "2012",
        players: int = 2,
        known: Sequence[str] = CARDS_OPEN,
        seed: int | None = 15,
        lists: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        **state: Any,
    ) -> None:
        chance: dict[str, Any] = {"open": list(known), "seed": seed}
        if lists is not None:
            chance["lists"] = dict(lists)
        text = {
            "game": "trench_rescue",
            "ruleset": ruleset,
            "players": players,
            "options": dict(options or {}),
            "chance": chance,
            "state": {
                "soldiers": [_soldier(word) for word in soldiers.split()],
                "piles": {cell: cards.split() for cell, cards in (piles or {}).items()},
                **state,
            },
        }
        super().__init__(TrenchRescue, text)

    @property
    def now(self) -> Any:
        """The ``state`` object as the table lies now, in the middle of a half-turn or not."""
        return self.game.encode(self.game.unfinished(self.state))

    @property
    def soldiers(self) -> str:
        """The soldiers in the words of the constructor."""
        words = []
        for soldier in self.now["soldiers"]:
            row, column = divmod(soldier["cell"], self.now["size"])
            carries = f"+{soldier['carries']}" if soldier["carries"] else ""
            words.append(f"{soldier['card']}@{column + 1},{row + 1}{carries}")
        return " ".join(words)

    @property
    def piles(self) -> dict[str, str]:
        """The piles that are not empty."""
        size = self.now["size"]
        return {
            f"{cell % size + 1},{cell // size + 1}": " ".join(pile)
            for cell, pile in enumerate(self.now["piles"])
            if pile
        }

    def zone(self, name: str, colour: str = "black") -> str:
        """Return a zone of a colour as words."""
        return " ".join(self.now[name][colour])

    @property
    def rules(self) -> list[str]:
        """Rules and rulings that the last ``play`` named."""
        return [event.rule for event in self.events]

    @property
    def told(self) -> list[str]:
        """What the last ``play`` told, in words."""
        return [self.game.sentence(event) for event in self.events]


def _soldier(word: str) -> dict[str, Any]:
    card, _, place = word.partition("@")
    cell, _, carries = place.partition("+")
    return {"card": card, "cell": cell, **({"carries": carries} if carries else {})}
