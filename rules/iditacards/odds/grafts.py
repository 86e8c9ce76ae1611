"""Turns of a venture played frame by frame of its stack, the frames below put back afterwards.

A turn acts on the top frame, and on a frame below only when all above it have completed (R31, R38). Until then the
frames below are not read: what fails takes the whole stack with it (R34), whatever it holds; only the frame next below
counts a completed card, and all that counts of it is how many more it needs. So a turn is played over the top frame
with a *stand-in* in its place that needs as many cards, and is the same over every stack with such a top.

Where the stand-in begins to resolve, the turn so far is one *part* of it. To resolve a frame is the last thing that
completing the one above it does, so nothing is left undone then, and the table says all that the rest of the turn
depends on: the next part begins with the real frame resolving over a stand-in for the frame below. A root that begins
to resolve has come through, and which card it is counts no more.

This does not hold, and is left off, where a card doubles what resolves above it (R67), where a failure takes one frame
only (Q29), where a card is counted before its second step, which waits on (Q54), and where something asks whether a
frame has counted a card yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules.core.ventures import Fate
from rules.iditacards.odds.tree import Path
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Frame, Table

Play = Callable[[Table], Iterable[Path[Table]]]
"""All ways through a part of a turn; those that come through keep the table on which the lowest frame resolves."""


def apart(rulings: Rulings, cards: frozenset[str]) -> bool:
    """Return whether frames below the top are unread while these cards may be played or in play."""
    return (
        rulings.options["fizzle_scope"] == "whole_stack"
        and not rulings.parent_now
        and not cards & frozenset(rulings.double_risk)
        and not cards & frozenset(rulings.draw_first_risk)
    )


def missing(frame: Frame) -> Frame:
    """Return a frame that needs as many more cards and has counted none."""
    return frame._replace(need=frame.need - frame.paid, paid=0) if frame.paid else frame


class Grafts:
    """Plays turns in parts.

    ``play`` plays a part from the start of the turn and ``resume`` one from where the top frame begins to resolve;
    ``filler`` is the card of stand-ins. No frame has counted a card.
    """

    def __init__(self, seat: int, filler: str, resume: Play) -> None:
        self._seat = seat
        self._filler = filler
        self._resume = resume

    def turn(self, table: Table, play: Play) -> Iterator[Path[Table]]:
        """Yield all ways through a turn with a card waiting."""
        frames = table.players[self._seat].stack
        place = len(frames) - 1
        if frames[place].step != "risk":
            place -= 1
        if place < 0:
            return iter(play(table))
        part = (self._stand_in(frames[place]), *frames[place + 1 :])
        return self._whole(play(self._over(table, part)), frames, place)

    def _stand_in(self, frame: Frame) -> Frame:
        return Frame(self._filler, 0, 0, frame.need, 0, "risk")

    def _over(self, table: Table, stack: tuple[Frame, ...]) -> Table:
        players = list(table.players)
        players[self._seat] = players[self._seat]._replace(stack=stack)
        return table._replace(players=tuple(players))

    def _whole(self, parts: Iterable[Path[Table]], frames: tuple[Frame, ...], place: int) -> Iterator[Path[Table]]:
        """Yield the ways through the turn after a part whose stand-in is at a place of the real stack."""
        low = frames[place]
        for part in parts:
            table = part.table
            if table is None:
                yield part
            elif part.fate is not Fate.THROUGH:
                first, *rest = table.players[self._seat].stack
                stack = (*frames[:place], low._replace(need=first.need), *rest)
                yield Path(part.items, part.orders, part.fate, self._over(table, stack))
            elif place == 0:
                yield Path(part.items, part.orders, part.fate, None)
            else:
                stack = (self._stand_in(frames[place - 1]), low._replace(need=0))
                for after in self._whole(self._resume(self._over(table, stack)), frames, place - 1):
                    yield Path((*part.items, *after.items), part.orders * after.orders, after.fate, after.table)
