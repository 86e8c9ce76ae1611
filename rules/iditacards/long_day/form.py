"""One day in the form that a compiler takes over: the facts of ``long_day.kernel``, asked of ``CompactDay``.

Keys are those of ``CompactDay`` with fewer bits for each number, so that 64 bits hold them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from rules.iditacards.compact.board import BoardTables
from rules.iditacards.compact.cards import Decks
from rules.iditacards.compact.keeping import Copies
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, Draw, End, Look, Plays
from rules.iditacards.long_day import hands as day_hands
from rules.iditacards.long_day import kernel as day_kernel
from rules.iditacards.long_day import offers as day_offers
from rules.iditacards.long_day import turns as day_turns

if TYPE_CHECKING:
    from rules.iditacards.compact.form import CompactDay
    from rules.iditacards.compact.shared import DayCards

_MOST_CARDS: Final = 255
"""Cards of a day at most."""


class DayForm:
    """The facts of one day by number; grows while a search asks for them."""

    kernel: Mapping[str, Callable[..., Any]] = {each.__name__: each for each in day_kernel.KERNEL}
    tables = day_kernel.DayTables
    most_asks = day_kernel.MOST_ASKS
    notes = day_kernel.NOTES
    keys = day_kernel.KEYS
    late = day_hands.FAMILY_BITS
    """Bits of the family of hands, which equal shapes may differ in."""
    lasting = frozenset({"lists", "pos", "shift", "most", "ground", "stand", "section", "waits"})
    """Columns that are the same for all questions about the same cards."""
    stores: Final = {"store": 1 << 16, "chains": 1 << 14, "family": 1 << 11}
    """Numbers that the kernel keeps, to begin with, by name."""
    fact = day_kernel.FACT
    """Numbers of a fact in the table."""
    work = day_kernel.WORK
    """Numbers of working space that the kernel needs."""

    def __init__(self, day: CompactDay, finish: int, plays: Plays, banned: frozenset[int], cards: DayCards) -> None:
        """``finish`` is where the race is over, ``plays`` and ``cards`` are the day's, ``banned`` kinds are not played.

        Raises:
            OverflowError: the cards of the day, or the spaces of the track, do not fit.
        """
        self._day = day
        self._plays = plays
        self.finish = finish
        if day.kinds.bits > day_offers.POOL_BITS or sum(day.kinds.widest) > _MOST_CARDS:
            raise OverflowError("too many cards")
        if finish > day_turns.FARTHEST:
            raise OverflowError("too long a track")
        cards.questions += 1
        self._cards = cards
        self.lists, self._ends = cards.lists, cards.ends
        boards, decks = self._parts
        places = [day.kinds.place(kind) for kind in range(len(day.kinds.names))]
        self.columns: dict[str, list[int]] = {
            "lists": self.lists,
            "pos": boards.pos,
            "shift": [shift for shift, _ in places],
            "most": [most for _, most in places],
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
            "keeping": [0, 0] if day.keeping is None else [day.keeping.lying, day.keeping.paying],
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
    def _parts(self) -> tuple[BoardTables, Decks]:
        return self._day.boards, self._day.decks

    def grow(self) -> None:
        """Bring the columns up to date.

        Raises:
            OverflowError: the numbers do not fit into a key any more.
        """
        boards, decks = self._parts
        self._cards.ground.grow(len(boards), self._plays)
        sizes = (len(decks.size), len(boards), len(self._plays))
        bits = (day_kernel.DECK_BITS, day_kernel.BOARD_BITS, day_kernel.STACK_BITS)
        if any(size > 1 << most for size, most in zip(sizes, bits, strict=True)):
            raise OverflowError("more positions than keys have room for")

    # Keys

    def packed(self, key: int, call: Mapping[str, Callable[..., int]], table: Any) -> int:
        """Return a key of ``CompactDay`` in the short form; negative where there is no room for its family."""
        stack, board, deck, family = self._day.numbers(key)
        stuck, chain = self._day.families.chain(family)
        for place, number in enumerate([number for group in chain for number in group]):
            table.store[day_hands.LINK + place] = number
        number = int(call["family_of"](stuck, len(chain), table))
        high = (stack << day_kernel.BOARD_BITS | board) << day_kernel.DECK_BITS | deck
        return high << day_hands.FAMILY_BITS | number if number >= 0 else number

    def whole(self, key: int, table: Any) -> int:
        """Return the key of ``CompactDay`` for a short one."""
        place = int(table.family[key & ((1 << day_hands.FAMILY_BITS) - 1)])
        stuck, groups = (int(table.chains[place + at]) for at in (day_hands.STUCK, day_hands.GROUPS))
        begin = place + day_hands.CHAIN
        numbers = [int(table.chains[at]) for at in range(begin, begin + 2 * groups)]
        family = self._day.families.family(stuck, tuple(zip(numbers[::2], numbers[1::2], strict=True)))
        return self.shape(key >> day_hands.FAMILY_BITS) | family

    def shape(self, late: int) -> int:
        """Return the shape of the key of ``CompactDay`` for a short one without its ``late`` bits."""
        deck = late & ((1 << day_kernel.DECK_BITS) - 1)
        late >>= day_kernel.DECK_BITS
        board = late & ((1 << day_kernel.BOARD_BITS) - 1)
        return self._day.key(late >> day_kernel.BOARD_BITS, board, deck, 0)

    # Facts

    def answer(self, first: int, second: int) -> int:
        """Return the answer of a fact of ``long_day.kernel``, which says what its two numbers mean."""
        boards = self._day.boards
        number, kind = first >> day_offers.KIND_BITS, first & ((1 << day_offers.KIND_BITS) - 1)
        if kind == day_kernel.FREE:
            return self._list([value for free in self._day.free(number) for value in (free, int(boards.fizzles(free)))])
        if kind == day_kernel.PLAY:
            return self._play(number, second >> 16, (second & 0xFFFF) - 1)
        if kind == day_kernel.SORT:
            results = self._day.sorted_out(number, second >> 20 & 0xFFF, second & 0xFFFFF)
            return self._list([value for after, stopped in results for value in (after, int(stopped))])
        assert kind == day_offers.PROFILE
        waiting = self._plays.stack(second >> 8 & ((1 << day_kernel.STACK_BITS) - 1))
        return self._cards.ground.speeds(number, second >> 8 + day_kernel.STACK_BITS, second & 0xFF, waiting)

    def _play(self, board: int, stack: int, kind: int) -> int:
        card = self._day.kinds.names[kind] if kind >= 0 else CONTINUES_IN_VAIN
        play, keeping = self._plays.play(board, stack, card), self._day.keeping
        before = None if keeping is None else keeping.before(board, stack, card)
        ends = [self._end(end, before) for end in (*play.ends, play.failed)]
        return self._list([play.energy, play.health, *ends])

    def _end(self, end: End, before: Copies | None) -> int:
        """Return the place of an end, or 0 where it loses what is to be kept, of which there was so much ``before``."""
        keeping = self._day.keeping
        if before is not None and keeping is not None and not keeping.keeps(end, before):
            return 0
        place = self._ends.get((end, before))
        if place is None:
            orders: list[int] = []
            for order in end.orders:
                if isinstance(order, Draw):
                    orders += (order.n, 0, 0, 0)
                elif isinstance(order, Look):
                    orders += (order.n, 1, order.destroy, self._end(order.stopped, before))
            place = self._ends[end, before] = self._list([end.board, end.stack, len(end.orders), *orders])
        return place

    def _list(self, values: list[int]) -> int:
        place = len(self.lists)
        self.lists += (len(values), *values)
        return place
