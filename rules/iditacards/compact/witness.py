"""Questions about one board that are answered from what the rules looked at when they were asked before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

from rules.iditacards.content import Leg
from rules.iditacards.state import Player
from rules.iditacards.turn import Seat, Turn

A = TypeVar("A")

LEG: Final = "leg"
"""What is read where only the leg that the seat stands on counts."""
BOARD: Final = ("pos", "hypothermia", "starvation", "dogs", "free_energy", "free_health", "passed", "legendary")
"""What else can be read of a board."""


class _Look:
    """The next thing that the rules look at, and what comes after each value of it: another look or an answer."""

    __slots__ = ("after", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.after: dict[object, Any] = {}


class Witness(Generic[A]):
    """Answers to one question, by what was read for them.

    Rules are deterministic: asked again they first read the same thing; where it has the same value they read the same
    second thing, and so on until they answer the same. So boards that agree in what was read for an answer have it in
    common, whatever they differ in otherwise, and nobody has to say what a rule depends on.
    """

    def __init__(self) -> None:
        self._first: Any = None
        self._learned = 0

    def __len__(self) -> int:
        """Return how many answers the rules have given."""
        return self._learned

    def known(self, view: Mapping[str, object]) -> A | None:
        """Return the answer where a ``view`` has nothing new, or nothing."""
        at = self._first
        while type(at) is _Look:
            at = at.after.get(view[at.name])
        answer: A | None = at
        return answer

    def learn(self, reads: Iterable[str], view: Mapping[str, object], answer: A) -> None:
        """Enter an answer with all that was read for it, in order."""
        self._learned += 1
        names = [*reads]
        if not names:
            self._first = answer
            return
        at = self._first = self._first or _Look(names[0])
        for name in names[1:]:
            at = at.after.setdefault(view[at.name], _Look(name))
        at.after[view[at.name]] = answer


class WatchedSeat(Seat):
    """A seat that notes what is read of its board, in order, and what is written."""

    __slots__ = ("reads", "written")

    def __init__(self, index: int, player: Player) -> None:
        self.reads: dict[str, None] = {}
        self.written: dict[str, Any] = {}
        super().__init__(index, player)

    def watch(self) -> None:
        """Begin to take notes."""
        self.reads, self.written = {}, {}


def _watched(name: str) -> property:
    slot = Seat.__dict__[name]

    def read(seat: WatchedSeat) -> Any:
        if name not in seat.written:  # what was written has come from what was read
            seat.reads[name] = None
        return slot.__get__(seat)

    def write(seat: WatchedSeat, value: Any) -> None:
        seat.written[name] = value
        slot.__set__(seat, value)

    return property(read, write)


for _name in BOARD:
    setattr(WatchedSeat, _name, _watched(_name))


class WatchedTurn(Turn):
    """A turn with one watched seat; who asks for its leg does not ask for its space."""

    __slots__ = ()

    def leg(self, seat: Seat) -> Leg | None:
        """Return the leg the player stands on."""
        if not isinstance(seat, WatchedSeat) or "pos" in seat.written:
            return super().leg(seat)
        seat.reads[LEG] = None
        return self.leg_at(Seat.__dict__["pos"].__get__(seat))
