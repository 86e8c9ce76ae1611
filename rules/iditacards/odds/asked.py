"""Boards of a venture, and turns on them that note which of their facts were looked at.

Rules are deterministic: on boards that agree in all that was looked at for an answer they answer the same, whatever
else the boards differ in, as ``compact.witness`` has it. What was written to was read before, or has come from what
was; so a fact that was neither is as before, and all others are what they were on the board that was asked about.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from rules.core.scripts import Script
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Player, Table
from rules.iditacards.turn import Seat, Turn


class Board(NamedTuple):
    """What a venture reads of a table but for cards and place; what nothing reads has its empty value."""

    hypothermia: int
    starvation: int
    dogs: tuple[Dog, ...]
    foods: tuple[str, ...]
    personal: int
    moved: bool
    immune: bool
    free_energy: str
    free_health: str
    freeze: bool
    finished: bool
    passed: tuple[int, ...]
    legendary: tuple[str, ...]
    supply: int


Facts = int
"""Some of the facts of a board, a bit for each of its fields in their order."""
FACTS: Final = {name: 1 << place for place, name in enumerate(Board._fields)}
ALL_FACTS: Final = (1 << len(FACTS)) - 1
DOGS: Final = FACTS["dogs"]
OF_TURN: Final = ("freeze",)
OF_TABLE: Final = ("supply",)


class AskedSeat(Seat):
    """A seat that notes which facts are read, and which are written."""

    __slots__ = ("reads", "written")

    def __init__(self, index: int, player: Player) -> None:
        self.reads = self.written = 0
        super().__init__(index, player)


class AskedTurn(Turn):
    """A turn with one such seat, which also notes how that moved."""

    __slots__ = ("moves", "reads", "written")

    def __init__(self, rulings: Rulings, table: Table, script: Script, player: Player) -> None:
        """The table has no players; this one is put there alone."""
        self.reads = self.written = 0
        super().__init__(rulings, table, script)
        self.seats.append(AskedSeat(0, player))
        self.moves: set[tuple[int, int]] = set()
        """From where to where."""

    def tell(self, rule: str, kind: str, **data: Any) -> None:
        """Take notice of what a rule did."""
        if kind in ("moved", "dies"):
            self.moves.add((data["start"], data["end"]))

    def watch(self, seat: AskedSeat) -> None:
        """Begin to take notes."""
        self.reads = self.written = seat.reads = seat.written = 0


def read(turn: AskedTurn, seat: AskedSeat) -> Facts:
    """Return what was read."""
    return turn.reads | seat.reads


def kept(turn: AskedTurn, seat: AskedSeat) -> Facts:
    """Return what was neither read nor written."""
    return ALL_FACTS & ~(turn.reads | seat.reads | turn.written | seat.written)


def fields(facts: Facts) -> Iterable[str]:
    """Return the names of some facts."""
    return (name for name, bit in FACTS.items() if facts & bit)


def _noted(holder: type, name: str) -> property:
    slot, bit = holder.__dict__[name], FACTS[name]

    def look(noting: Any) -> Any:
        if not noting.written & bit:
            noting.reads |= bit
        return slot.__get__(noting)

    def write(noting: Any, value: Any) -> None:
        noting.written |= bit
        slot.__set__(noting, value)

    return property(look, write)


for _name in FACTS:
    if _name in OF_TURN:
        setattr(AskedTurn, _name, _noted(Turn, _name))
    elif _name not in OF_TABLE:
        setattr(AskedSeat, _name, _noted(Seat, _name))
