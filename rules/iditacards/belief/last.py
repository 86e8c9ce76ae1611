"""The last turn of a question about one day: further is never worse, and nothing but the place counts after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import factorial
from typing import Final, NamedTuple

from rules.core.picking import Elsewhere, Ended, Pick
from rules.iditacards.compact.board import BoardTables
from rules.iditacards.compact.cards import Kinds
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, Choice, Draw, End, Plays

HOPELESS: Final = -1
"""Stands for all beliefs from which the target is out of reach in time."""


class Dealing(NamedTuple):
    """A belief in the middle of a turn, of which cards of the deck are still to be paid unchosen."""

    hand: int
    deck: int
    paid: int
    told: End | Choice
    """What is left of the turn; what an end brings to the hand has come."""


Weight = int | Fraction
Way = tuple[Weight, "int | Dealing | Pick | Ended | Elsewhere | list[Ways]"]
"""Orders, and the belief at the end of the turn or a choice between ways to go on."""
Ways = list[Way]
"""What chance may bring, all orders of the hidden deck together; a choice is a list of them."""


class LastTurns:
    """Last turns without cards in the deck that stop a payment."""

    def __init__(
        self,
        kinds: Kinds,
        plays: Plays,
        boards: BoardTables,
        banned: frozenset[int],
        shift: int,
        *,
        free: bool,
        avoided: frozenset[int] = frozenset(),
        must_pay: Callable[[int], bool] = lambda _: False,
    ) -> None:
        """``shift`` is the place of the board in a belief; ``free`` false leaves free actions out.

        With ``avoided`` kinds turned over all is lost, and on boards on which one ``must_pay`` with cards that cannot
        be paid.
        """
        self._must_pay = must_pay
        self._avoided = avoided
        self._kinds = kinds
        self._plays = plays
        self._boards = boards
        self._banned = banned
        self._shift = shift
        self._free = free
        self._known: dict[tuple[int, int], tuple[int, ...]] = {}

    def _open(self, board: int) -> tuple[int, ...]:
        return self._boards.free(board) if self._free else (board,)

    def turn(self, board: int, stack: int, hand: int, deck: int, gone: int) -> Iterator[list[Ways]]:
        """Yield the main actions of a last turn: further is never worse, and nothing but the place counts after it.

        ``gone`` cards of the deck have left it unseen; the rest is as likely to hold any of them as if they were last.
        """
        kinds = self._kinds
        size = kinds.count(deck)
        usable = kinds.count(hand - kinds.unpayable(hand))
        if not stack:
            for at in self._open(board):
                for kind, _ in kinds.cards(hand):
                    if kind not in self._banned:
                        able = usable - (not kinds.unpayable(kinds.unit[kind]))
                        yield [[(factorial(size), self._furthest(at, 0, kind, able, size))]]
            return
        for at in self._ways_to_continue(board, stack):
            left = size - gone
            if not left or self._turns_none_over(at, stack):
                play = self._plays.play(at, stack, CONTINUES_IN_VAIN)
                furthest = max((end.board for end in play.ends), key=lambda board: self._boards.pos[board])
                yield [[(factorial(size), furthest << self._shift)]]
                continue
            found: dict[int, int] = {}
            for kind, copies in kinds.cards(deck):
                after = self._furthest(at, stack, kind, usable, left - 1) if kind not in self._avoided else HOPELESS
                found[after] = found.get(after, 0) + copies
            below = factorial(size - 1)
            yield [[(copies * below, after) for after, copies in found.items()]]

    def _turns_none_over(self, board: int, stack: int) -> bool:
        return self._boards.fizzles(board) or self._plays.is_second(self._plays.stack(stack))

    def _furthest(self, board: int, stack: int, kind: int, usable: int, deck: int) -> int:
        """Return the furthest belief after a last turn that plays a card with so many cards left to pay from."""
        play = self._plays.play(board, stack, self._kinds.names[kind])
        if play.energy > usable or play.health > deck:
            return HOPELESS if self._must_pay(board) else play.failed.board << self._shift
        pos = self._boards.pos
        return max((end.board for end in play.ends), key=lambda end: pos[end]) << self._shift

    def _ways_to_continue(self, board: int, stack: int) -> tuple[int, ...]:
        """Return the boards worth continuing from on a last turn.

        Only the board as it is, where after no free action any card goes further, or costs less to go as far.
        """
        name = (board, stack)
        known = self._known.get(name)
        if known is None:
            boards = self._open(board)
            best = [self._prospects(board, stack)]
            rest = [at for at in boards if at != board and not _no_better(self._prospects(at, stack), best[0])]
            known = self._known[name] = (board, *rest)
        return known

    def _prospects(self, board: int, stack: int) -> list[tuple[int, int, int, int]]:
        """Return for each card turned over what it costs, and where the turn ends if that is paid and if it is not."""
        found = []
        fizzles = self._turns_none_over(board, stack)
        pos = self._boards.pos
        for kind, name in enumerate(self._kinds.names):
            if kind in self._avoided:  # all is lost on every board
                continue
            play = self._plays.play(board, stack, CONTINUES_IN_VAIN if fizzles else name)
            energy = play.energy if play.energy >= 0 else 0
            found.append((-energy, -play.health, max(pos[end.board] for end in play.ends), pos[play.failed.board]))
        return found

    def is_settled(self, board: int, stack: int) -> bool:
        """Return whether nothing is decided on a last turn that continues, so that what has been seen is all the same.

        Only one way to act is worth it, and which cards pay does not matter any more (R33).
        """
        return len(self._ways_to_continue(board, stack)) == 1


def _no_better(some: Sequence[tuple[int, ...]], others: Sequence[tuple[int, ...]]) -> bool:
    """Return whether each of some prospects is in nothing better than the other of its place.

    Nor may paying be a loss, or it could be worth being unable to.
    """
    return all(
        each[2] >= each[3] and all(one <= other for one, other in zip(some_, each, strict=True))
        for some_, each in zip(some, others, strict=True)
    )


def drawn_only(end: End) -> int | None:
    """Return how many cards are drawn in all where nothing else happens to the deck."""
    draws = [order.n for order in end.orders if isinstance(order, Draw)]
    return sum(draws) if len(draws) == len(end.orders) else None


def times(weight: Weight, ways: Ways) -> Ways:
    """Return ways with their weights multiplied."""
    return ways if weight == 1 else [(weight * many, after) for many, after in ways]
