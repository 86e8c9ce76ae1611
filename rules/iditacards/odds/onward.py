"""What follows when the card above a stack is done, up to the start of the next turn (R31, R38)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.counts import EVERYWHERE
from rules.iditacards.odds.effects import Effects
from rules.iditacards.odds.numbers import narrow
from rules.iditacards.odds.orders import BACK, Way, holding
from rules.iditacards.odds.waiting import Stack, Waiting


class Onward(NamedTuple):
    """One way on after a card is done: the stack afterwards, none if the root has come through."""

    way: Way
    stack: Stack | None
    aside: bool
    """The top card has gone to its second step."""
    hidden: int = 0
    """Spaces that what was left out may still go before the root comes through."""


Outcomes = tuple[int, int, list[Onward]]
"""First and last place for which the ways hold."""


Counted = tuple[int, int, tuple[Way, ...] | None]
"""Likewise for a card that is counted and no more; nothing where it waits for a second step."""
INERT: Final = -1
"""A card that does nothing."""


class Onwards:
    """Ways on, each worked out once for a board, a stack and a stretch of the track."""

    def __init__(
        self, boards: Boards, effects: Effects, waiting: Waiting, watch: Callable[[int], None], *, ask: bool
    ) -> None:
        """``watch`` is told of places between two turns; ``ask`` tells that on each turn something may be decided.

        Else a second step, on whose turn no card is turned over, follows at once.
        """
        self._boards = boards
        self._effects = effects
        self._waiting = waiting
        self._watch = watch
        self._ask = ask
        self._known: dict[tuple[int, Stack], list[Outcomes]] = {}
        self._counts: dict[tuple[int, int, tuple[str, ...]], list[Counted]] = {}
        self._played: dict[tuple[int, int, Stack], list[Outcomes]] = {}
        self._seconds: dict[tuple[int, int, Stack], list[Outcomes]] = {}
        self.looked = False
        """A card has taken effect that looks at the deck."""

    def forget(self) -> None:
        """Let go of all that was worked out."""
        for known in (self._known, self._counts, self._played, self._seconds):
            known.clear()
        self._effects.forget()
        self._boards.forget()

    def played(self, board: int, number: int, stack: Stack, pos: int) -> Outcomes:
        """Return what follows when a card above a stack takes effect, and the places for which it does."""
        waiting = self._waiting
        self.looked |= waiting.looks[number]
        if stack.need > 1:
            low, high, ways = self._counted(board, number, stack.doubling, pos)
            if ways is not None:
                fewer = waiting.stack(stack.need - 1, stack.number, stack.below)
                return low, high, [Onward(way, fewer, False) for way in ways]
        if not waiting.acts[number]:
            return self._completed(board, stack, pos)
        number = waiting.effect[number]
        entries = self._played.setdefault((board, number, stack), [])
        known = holding(entries, pos)
        if known is not None:
            return known
        box: list[int] = [*EVERYWHERE]
        found = self._resolved(board, number, stack, pos, box)
        entries.append((box[4], box[5], list(dict.fromkeys(found))))
        return entries[-1]

    def _counted(self, board: int, number: int, doubling: tuple[str, ...], pos: int) -> Counted:
        """Return the ways of a card that takes effect above a stack which needs more, up to the next turn."""
        waiting = self._waiting
        number = waiting.effect[number] if waiting.acts[number] else INERT
        entries = self._counts.setdefault((board, number, doubling), [])
        known = holding(entries, pos)
        if known is not None:
            return known
        box: list[int] = [*EVERYWHERE]
        ways: tuple[Way, ...] = (Way((), board, 0),)
        if number != INERT:
            low, high, ways = self._effects.resolved(board, pos, waiting.cards[number], doubling)
            narrow(box, low, high)
        found: dict[Way, None] = {}
        for way in ways:
            if way.lost or way.waits:
                found[way] = None
                continue
            low, high, ends = self._boards.ended(way.board, pos + way.by)
            narrow(box, low - way.by, high - way.by)
            found.update(dict.fromkeys(joined(way, end) for end in ends))
        waits = any(way.waits and not way.lost for way in ways)
        entries.append((box[4], box[5], None if waits else tuple(found)))
        return entries[-1]

    def second(self, board: int, number: int, stack: Stack, pos: int) -> Outcomes:
        """Return what follows the second step of a card above a stack, and the places for which it does."""
        entries = self._seconds.setdefault((board, number, stack), [])
        known = holding(entries, pos)
        if known is not None:
            return known
        box: list[int] = [*EVERYWHERE]
        _, _, ways = self._effects.second(board, pos, self._waiting.cards[number])
        found = self._joined(ways, stack, pos, box, number)
        entries.append((box[4], box[5], found))
        return entries[-1]

    def _completed(self, board: int, stack: Stack, pos: int) -> Outcomes:
        """Return what follows when the card above a stack is done, and the places for which it does."""
        entries = self._known.setdefault((board, stack), [])
        known = holding(entries, pos)
        if known is not None:
            return known
        need, number, below = stack.need, stack.number, stack.below
        box: list[int] = [*EVERYWHERE]
        if need > 1:
            low, high, ways = self._boards.ended(board, pos)
            narrow(box, low, high)
            found = [Onward(way, self._waiting.stack(need - 1, number, below), False) for way in ways]
        elif below is None:
            found = [Onward(Way((), board, 0), None, False, stack.hidden)]
        else:
            found = self._resolved(board, number, below, pos, box)
        entries.append((box[4], box[5], found))
        return entries[-1]

    def _resolved(self, board: int, number: int, stack: Stack, pos: int, box: list[int]) -> list[Onward]:
        low, high, ways = self._effects.resolved(board, pos, self._waiting.cards[number], stack.doubling)
        narrow(box, low, high)
        self.looked |= self._waiting.looks[number]
        return self._joined(ways, stack, pos, box, number)

    def _joined(self, ways: Sequence[Way], stack: Stack, pos: int, box: list[int], number: int) -> list[Onward]:
        """Return what follows the ways in which a card takes effect above a stack."""
        found: list[Onward] = []
        for way in ways:
            if way.lost:
                found.append(Onward(way, stack, False))
            elif way.waits:
                low, high, ends = self._boards.ended(way.board, pos + way.by)
                narrow(box, low - way.by, high - way.by)
                for end in ends:
                    found.extend(self._waited(joined(way, end), stack, pos, box, number))
            else:
                low, high, onwards = self._completed(way.board, stack, pos + way.by)
                narrow(box, low - way.by, high - way.by)
                if way.orders or way.by:
                    onwards = [Onward(joined(way, onward.way), *onward[1:]) for onward in onwards]
                found.extend(onwards)
        return found

    def _waited(self, way: Way, stack: Stack, pos: int, box: list[int], number: int) -> list[Onward]:
        """Return what follows when a card waits for its second step, from the start of the turn of that."""
        if way.lost or stack.last:  # the second step is sure to come, unless the race ends before
            return [Onward(way, None, True, stack.hidden)]
        if self._ask:
            return [Onward(way, self._waiting.stack(-1, self._waiting.second[number], stack), True)]
        self._watch(pos + way.by)
        low, high, onwards = self.second(way.board, number, stack, pos + way.by)
        narrow(box, low - way.by, high - way.by)
        back = way._replace(orders=(*way.orders, (BACK, 0)))
        return [Onward(joined(back, onward.way), *onward[1:]) for onward in onwards]


def joined(one: Way, other: Way) -> Way:
    """Return one way and then another one."""
    _, board, by, lost, over, waits, skips = other
    return Way(one.orders + other.orders, board, one.by + by, lost, over, waits, skips)
