"""One day in the form that a compiler takes over: the facts of ``day_kernel``, asked of ``CompactDay``.

Keys are those of ``CompactDay`` with fewer bits for each number, so that 64 bits hold them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from rules.iditacards import day_bound, day_kernel
from rules.iditacards.compact_board import BoardTables
from rules.iditacards.compact_cards import Decks
from rules.iditacards.compact_hands import Families
from rules.iditacards.compact_plays import CONTINUES_IN_VAIN, Draw, End, Plays

if TYPE_CHECKING:
    from rules.iditacards.compact import CompactDay
    from rules.iditacards.compact_shared import DayCards

_MOST_CARDS: Final = 255
"""Cards of a day at most."""


class DayForm:
    """The facts of one day by number; grows while a search asks for them."""

    kernel: Mapping[str, Callable[..., Any]] = {each.__name__: each for each in day_kernel.KERNEL}
    tables = day_kernel.DayTables
    most_asks = day_kernel.MOST_ASKS
    notes = day_kernel.NOTES
    keys = day_kernel.KEYS
    late = day_kernel.FAMILY_BITS
    """Bits of the family of hands, which equal shapes may differ in."""
    lasting = frozenset({"lists", "pos", "usable", "held", "hands", "ground", "stand", "section", "waits"})
    """Columns that are the same for all questions about the same cards."""
    store = 1 << 16
    """Numbers that the kernel keeps, to begin with."""
    work = day_kernel.WORK
    """Numbers of working space that the kernel needs."""

    def __init__(self, day: CompactDay, finish: int, plays: Plays, banned: frozenset[int], cards: DayCards) -> None:
        """``finish`` is where the race is over, ``plays`` and ``cards`` are the day's, ``banned`` kinds are not played.

        Raises:
            OverflowError: the cards of the day do not fit.
        """
        self._day = day
        self._plays = plays
        self.finish = finish
        if day.kinds.bits > day_bound.POOL_BITS or sum(day.kinds.widest) > _MOST_CARDS:
            raise OverflowError("too many cards")
        cards.questions += 1
        self._cards = cards
        self.lists, self._held, self._ends = cards.lists, cards.held, cards.ends
        boards, families, decks = self._parts
        self.columns: dict[str, list[int]] = {
            "lists": self.lists,
            "pos": boards.pos,
            "usable": families.usable,
            "held": self._held,
            "hands": cards.hands,
            "ground": cards.ground.numbers,
            "stand": cards.ground.stands,
            "section": cards.ground.sections,
            "waits": cards.ground.waits,
            "size": decks.size,
            "total": decks.total,
            "top": decks.top,
            "stop": decks.stop,
            "canonical": decks.canonical,
            "banned": [int(kind in banned) for kind in range(len(day.kinds.names))],
            "question": [cards.questions],
        }
        """By name: lists that only grow."""

    @property
    def kept(self) -> Any:
        """What a search keeps of the facts it has asked for, for all questions about the same cards."""
        return self._cards.kept

    @kept.setter
    def kept(self, facts: Any) -> None:
        self._cards.kept = facts

    @property
    def _parts(self) -> tuple[BoardTables, Families, Decks]:
        return self._day.boards, self._day.families, self._day.decks

    def grow(self) -> None:
        """Bring the columns up to date.

        Raises:
            OverflowError: the numbers do not fit into a key any more.
        """
        boards, families, decks = self._parts
        for number in range(len(self._held), len(families)):
            self._held.append(families.usable[number] + families.stuck[number])
            self._cards.hands.append(families.most(number))
        self._cards.ground.grow(len(boards), self._plays)
        sizes = (len(families), len(decks.size), len(boards), len(self._plays))
        bits = (day_kernel.FAMILY_BITS, day_kernel.DECK_BITS, day_kernel.BOARD_BITS, day_kernel.STACK_BITS)
        if any(size > 1 << most for size, most in zip(sizes, bits, strict=True)):
            raise OverflowError("more positions than keys have room for")

    # Keys

    def packed(self, key: int) -> int:
        """Return a key of ``CompactDay`` in the short form."""
        stack, board, deck, family = self._day.numbers(key)
        high = (stack << day_kernel.BOARD_BITS | board) << day_kernel.DECK_BITS | deck
        return high << day_kernel.FAMILY_BITS | family

    def whole(self, key: int) -> int:
        """Return the key of ``CompactDay`` for a short one."""
        family = key & ((1 << day_kernel.FAMILY_BITS) - 1)
        key >>= day_kernel.FAMILY_BITS
        deck = key & ((1 << day_kernel.DECK_BITS) - 1)
        key >>= day_kernel.DECK_BITS
        board = key & ((1 << day_kernel.BOARD_BITS) - 1)
        return self._day.key(key >> day_kernel.BOARD_BITS, board, deck, family)

    # Facts

    def answer(self, first: int, second: int) -> int:
        """Return the answer of a fact of ``day_kernel``, which says what its two numbers mean."""
        boards, families, decks = self._parts
        number, kind = first >> day_bound.KIND_BITS, first & ((1 << day_bound.KIND_BITS) - 1)
        if kind == day_kernel.PLAYS:
            return self._list([value for pair in families.plays(number) for value in pair])
        if kind == day_kernel.PAY:
            return families.pay(number, second - 1)
        if kind == day_kernel.DRAW:
            return families.draw(number, second)
        if kind == day_kernel.FREE:
            return self._list([value for free in boards.free(number) for value in (free, int(boards.fizzles(free)))])
        if kind == day_kernel.PLAY:
            return self._play(number, second >> 16, (second & 0xFFFF) - 1)
        if kind == day_kernel.SORT:
            results = decks.sort_out(number, second >> 20 & 0xFFF, second & 0xFFFFF)
            return self._list([value for after, stopped in results for value in (after, int(stopped))])
        assert kind == day_bound.PROFILE
        waiting = self._plays.stack(second >> 16 & ((1 << day_kernel.STACK_BITS) - 1))
        stand = second >> 16 + day_kernel.STACK_BITS
        return self._cards.ground.speeds(number, stand, second >> 8 & 0xFF, second & 0xFF, waiting)

    def _play(self, board: int, stack: int, kind: int) -> int:
        card = self._day.kinds.names[kind] if kind >= 0 else CONTINUES_IN_VAIN
        play = self._plays.play(board, stack, card)
        return self._list([play.energy, play.health, *map(self._end, play.ends), self._end(play.failed)])

    def _end(self, end: End) -> int:
        place = self._ends.get(end)
        if place is None:
            orders: list[int] = []
            for order in end.orders:
                if isinstance(order, Draw):
                    orders += (order.n, 0, 0, 0)
                else:
                    orders += (order.n, 1, order.destroy, self._end(order.stopped))
            place = self._ends[end] = self._list([end.board, end.stack, len(end.orders), *orders])
        return place

    def _list(self, values: list[int]) -> int:
        place = len(self.lists)
        self.lists += (len(values), *values)
        return place
