"""A day with a hidden deck in the form that a compiler takes over: the facts of ``solver.search.dealing.facts``.

Everything is asked of ``BeliefDay`` and so of the rules: boards and risk stacks as *stances*, what every card does on
each, and which cards are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rules.core.ventures import OutOfReach
from rules.iditacards.belief.aim import Aim, Aims
from rules.iditacards.belief.cover import Later
from rules.iditacards.belief.facts import MOST_STANCES, UNKNOWN, Dealt, Floor, Layout, Taking
from rules.iditacards.belief.last import drawn_only
from rules.iditacards.belief.needs import NO_GIFT, LastTurns, Leading, Record, Told
from rules.iditacards.belief.pairs import Pair, written
from rules.iditacards.belief.stances import NO_BOARD, NOWHERE, FormStances
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, Choice, End, Play

if TYPE_CHECKING:
    from rules.iditacards.belief.day import BeliefDay

NONE: Final = -1
"""The worth of nothing to play."""
MOST_TOLD: Final = 4_000
"""Stances told up to which it is worked out what counts with three turns left: each takes a millisecond or two."""


class BeliefForm(FormStances):
    """The facts of one question; grows while a search asks for them."""

    def __init__(self, day: BeliefDay, target: int | None, turns: int, layout: Layout) -> None:
        """``target`` is where to go, nothing where distance counts.

        Raises:
            OutOfReach: the question does not fit.
        """
        super().__init__(day, target, turns, layout)
        self._tolds: dict[int, Told] = {}
        self._taken: dict[int, Taking] = {}
        """By stance: what is taken there from a supply."""
        self._written: dict[tuple[int, ...], int] = {}
        self._grow: Callable[[int], None] = lambda _: None
        self._most = MOST_STANCES
        self._later = Later(self._sights, self._kept_back, range(len(day.kinds.names)), self._becomes)
        self.aims = self._all_aims() if self._aiming else None

    def _all_aims(self) -> Aims:
        room = self.room()
        copies = [self._day.kinds.copies(self._cards, kind) for kind in range(len(room))]
        last = LastTurns(*(self._told, self._place, self._target, self._day.finish, self._kept_back), range(len(room)))
        return Aims(
            *(self._told, self._late, (self._sights, self._picks), self._is_out_of_reach, last),
            *(self._kept_back, room, copies),
            reaching=self._target is not None,
            keeps=self._day.keeps,
            taking=self._after_taking,
            leaving=self._last_floor if self.rests else None,
        )

    def _after_taking(self, stance: int) -> tuple[int, ...] | None:
        """Return what follows a stance on which cards are taken from a supply, nothing for any other.

        Raises:
            OutOfReach: it is not told.
        """
        taking = self._taken.get(stance)
        if taking is not None and taking.vague:
            raise OutOfReach
        return None if taking is None else taking.afters

    def _is_out_of_reach(self, stance: int, turns: int) -> bool:
        self._told(stance)
        return int(self.facts[self._at(stance) + self._layout.ahead + turns]) < (self._target or 0)

    def dealt(self, board: int, stack: int, hand: int, deck: int) -> Dealt:
        """Return a belief as a node.

        Raises:
            OutOfReach: there are more of a kind than have room.
        """
        count = self._day.kinds.count
        won = self._day.boards.pos[board] - self._base if self._plain is not None else 0
        return Dealt(
            self._own(deck), self._own(hand), count(deck), count(hand), self._number(self._normal(board), stack), won
        )

    def ordered(self, hand: int, deck: int, told: End | Choice) -> tuple[Dealt, int]:
        """Return a belief as a node before the rest of a turn, and how many cards are drawn at first.

        Raises:
            OutOfReach: there is no room, or no scale, for it.
        """
        if isinstance(told, End):
            node = self.dealt(told.board, told.stack, hand, deck)
            drawn = drawn_only(told)
            if drawn is not None:
                return node, drawn
        else:
            node = self.dealt(self._day.boards.root, 0, hand, deck)
        if self._plain is not None:
            raise OutOfReach
        led = self._told_end(told._replace(gifts=()) if isinstance(told, End) else told)
        return node._replace(stance=led.stance, won=0), led.drawn

    def answer(self, stance: int, turns: int, cards: int, grow: Callable[[int], None]) -> None:
        """Write down the facts of a stance, or if ``turns`` is not 0 what counts on it with so many left.

        If ``cards`` is not 0, it is told for those that it stands for (``dealing.facts.ROOMS``); where ``turns`` is
        ``dealing.facts.GAINED``, what may be taken then from a supply is, from ``dealing.facts.ACTING`` on which free
        actions count. ``grow`` makes room for so many more numbers; what it raises leaves all as it was, to be asked
        again.

        Raises:
            OutOfReach: a play is not carried.
        """
        self._grow = grow
        if not turns:
            self._told(stance)
        elif turns == self._layout.header["GAINED"]:
            self._write_gained(stance, *divmod(cards - 1, len(self._sizes)))
        elif self.aims is not None:
            self._most = MOST_TOLD if turns > 2 else MOST_STANCES
            try:
                if turns >= self._layout.header["ACTING"]:
                    acts = self.aims.acts(stance, turns - 2)
                    self.facts[self._at(stance) + self._layout.aim + turns - 2] = self._put([len(acts), *acts])
                elif cards:
                    self._write_counted(self.aims, stance, cards - 1)
                else:
                    self._write_aim(self.aims, stance, turns)
            finally:
                self._most = MOST_STANCES

    def answer_floor(self, stance: int, turns: int, grow: Callable[[int], None]) -> None:
        """Write down what it is worth to begin a new day on a stance with so many turns left, two at least.

        Where that is no whole part, it is noted what is lacking (``UNEVEN``), to be asked again.
        """
        header = self._layout.header
        if turns > header["MOST_FLOORS"]:
            raise OutOfReach
        value = self._floor(stance, turns)
        slot = self._at(stance) + header["FLOORS"] + turns - 1
        lacking = (value * self._scale).denominator
        if lacking > 1:
            self.facts[header["UNEVEN"]], self.facts[header["HALTED"]] = lacking, 1
        elif not value:
            self.facts[slot] = 0
        else:
            self._grow = grow
            floor = self._floors[stance, turns] = Floor(value, self._put([0] * 4))
            self._write_floor(floor)
            self.facts[slot] = floor.place

    def _floor(self, stance: int, turns: int) -> Fraction:
        """Return what it is worth to begin a new day, after the choice that is made before."""
        assert self._leaving is not None
        board, _ = self._stances[stance]
        if board >= 0:
            return self._leaving.worth(board, turns)
        members = [end.stance for end in self._picks.get(stance, ())] or self._members(board)
        return max((self._floor(each, turns) for each in members), default=Fraction(0))

    def _last_floor(self, stance: int) -> int:
        """Return the value of the same on a last turn, ``NONE`` where it is worth nothing, or not a turn's start.

        Raises:
            OutOfReach: it is no whole number.
        """
        if self._leaving is None or stance in self._picks or stance in self._sights:
            return NONE
        board, _ = self._stances[stance]
        if board < 0:
            return max(map(self._last_floor, self._members(board)), default=NONE)
        place = self._day.boards.pos[board]
        if not self._leaving.counts_last(place, self._target or 0) or self._place(stance) >= (self._target or 0):
            return NONE
        value = self._leaving.worth(board, 1) * self._there
        if value.denominator > 1:
            raise OutOfReach
        return int(value) or NONE

    def room(self) -> list[int]:
        """Return by kind how many cards there is room for."""
        return [(1 << after - first) - 1 for first, after in pairwise(self._shifts)]

    def counting(self, board: int, stack: int, turns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return by kind signs of what counts of it with so many turns left, in hand and in the deck.

        No search works on these facts.

        Raises:
            OutOfReach: it is not told by stance, or a play is not carried.
        """
        if self.aims is None:
            raise OutOfReach
        self._grow = lambda size: self.facts.extend([0] * (size - len(self.facts)))
        return self.aims.signs(self._number(self._normal(board), stack), turns)

    def _told(self, stance: int) -> Told:
        found = self._tolds.get(stance)
        if found is None:
            if len(self._tolds) > self._most:
                raise OutOfReach
            found = self._ask(stance)
            self._write_told(stance, found)
            self._tolds[stance] = found
        return found

    def _ask(self, stance: int) -> Told:
        """Return what the rules say about a stance."""
        day = self._day
        board, stack = self._stances[stance]
        if stance in self._sights or stance in self._picks:
            return Told(False, (), True, self._nowhere(), ())
        if board == NO_BOARD:
            nowhere = self._nowhere()
            return Told(False, (stance,), True, nowhere, tuple(nowhere for _ in day.kinds.names))
        if board < NO_BOARD:
            told = [self._told(each) for each in self._members(board)]
            return told[0]._replace(frees=tuple(dict.fromkeys(free for each in told for free in each.frees)))
        frees = tuple(
            self._number(free, stack) for free in dict.fromkeys(map(self._normal, day.boards_to_act_on(board)))
        )
        if stack == day.plays.beyond:
            raise OutOfReach
        if day.takes(stack) or day.plays.is_vague(stack):
            return self._ask_taking(stance, frees)
        vain = self._record(day.plays.play(board, stack, CONTINUES_IN_VAIN), board, stack)
        if day.plays.is_second(day.plays.stack(stack)):
            return Told(True, frees, True, vain, tuple(vain for _ in day.kinds.names))
        plays = [
            self._nowhere() if kind in day.avoided else self._record(day.plays.play(board, stack, name), board, stack)
            for kind, name in enumerate(day.kinds.names)
        ]
        found = Told(stack > 0, frees, day.boards.fizzles(board), vain, tuple(plays))
        if len(frees) == 1 or day.gains is not None:
            return found
        acts = {free: found if free == stance else self._told(free) for free in frees}
        return found._replace(frees=self._later.kept(acts, self._turns, waits=found.waits))

    def _becomes(self, stance: int, other: int) -> bool:
        """Return whether free actions make one stance of another, both on real boards."""
        (board, stack), (after, left) = self._stances[stance], self._stances[other]
        there = stack == left and min(board, after) >= 0 and self._place(stance) == self._place(other)
        return there and after in self._day.boards_to_act_on(board)

    def _ask_taking(self, stance: int, frees: tuple[int, ...]) -> Told:
        """Return the same for a stance on which cards are taken from a supply: others come to the hand to pay.

        Where what follows is not told, the places are that the turn may end on: with more turns left no worth is told.
        """
        day, (_, stack) = self._day, self._stances[stance]
        plays = [day.plays.play(self._stances[free][0], stack, CONTINUES_IN_VAIN) for free in frees]
        ends = tuple(dict.fromkeys(end for play in plays for end in play.ends))
        try:
            self._taken[stance], leading = self._taking(stack, plays, ends)
        except OutOfReach:
            leading = [self._end(end._replace(orders=(), gifts=()), end.board) for end in ends]
            self._taken[stance] = Taking(0, (), NONE, (), vague=True)
        # Free actions are chosen with what is taken, when it is seen what there is.
        vain = Record(0, 0, tuple(leading), leading[0])
        return Told(True, (stance,), True, vain, tuple(vain for _ in day.kinds.names))

    def _taking(self, stack: int, plays: Sequence[Play], ends: Sequence[End]) -> tuple[Taking, list[Leading]]:
        """Return what is taken from a supply on some plays with such ends, and where it leads.

        Raises:
            OutOfReach: what follows is not the same for all ends.
        """
        day = self._day
        if day.gains is None or day.plays.is_vague(stack):
            raise OutOfReach
        most = day.gains.most_of(stack)
        settled = {end: day.gains.settled_after(end) for end in ends}
        open_ends = [end for end in ends if not settled[end]]
        last = [end for end in open_ends if not end.stack]
        if any(len(end.gifts) > 1 for end in open_ends) or any(play.late for play in plays):
            raise OutOfReach
        if any(end.orders for end in last) or (last and len(last) < len(open_ends)) or self._payer < 0:
            raise OutOfReach
        leading = [self._end(end, end.board) for end in ends]
        bits = self._layout.header["DRAWN_BITS"]
        if not last:
            waiting = [led for led, end in zip(leading, ends, strict=True) if not settled[end]]
            if any(led.stance in self._sights or led.stance in self._picks for led in waiting):
                raise OutOfReach
            for led in waiting:
                given = led.gift != NO_GIFT  # that only pays as well
                payers = [more << bits for more in range(1, most + given + 1)]
                leading += [led._replace(drawn=led.drawn + more, gift=NO_GIFT) for more in payers]
        worths = [self._worth(day.boards.pos[board]) for end in ends for board in settled[end]]
        afters = tuple(self._number(end.board, end.stack) for end in open_ends)
        gifts = tuple(self._day.kinds.index[end.gifts[0]] if end.gifts else NO_GIFT for end in open_ends)
        lasts = tuple(zip(afters, gifts, strict=True)) if last else ()
        return Taking(most, lasts, max(worths, default=NONE), afters), leading

    def _write_taking(self, stance: int) -> None:
        taking = self._taken[stance]
        rooms = self._put([UNKNOWN] * ((self._loose + 1) * len(self._sizes)))
        layout = self._layout
        block = [taking.most, taking.settled] + [0] * (layout.after - 2)
        block[layout.rooms] = rooms
        block[layout.header["VAGUELY"]] = int(taking.vague)
        lasts = [number for after, gift in taking.last for number in (after, gift + 1)]
        self.facts[self._at(stance) + layout.taking] = self._put([*block, len(taking.last), *lasts])

    def _worth(self, place: int) -> int:
        return place if self._target is None else int(place >= self._target)

    def _write_gained(self, stance: int, held: int, left: int) -> None:
        """Write down what is worth most of what may be taken on a stance with so many cards in hand and deck."""
        gains = self._day.gains
        assert gains is not None
        taking = self._taken[stance]
        boards = [(self._stances[each][0], int(gift != NO_GIFT)) for each, gift in taking.last]
        told = gains.best_of(boards, self._stances[stance][1], held, left, self._worth)
        row = [told.least, told.greatest]
        for mean in told.means:
            parts = [part for size in self._sizes for part in self._split(self._orders(size) * mean)]
            row.append(self._kept(tuple(parts)))
        place = int(self.facts[int(self.facts[self._at(stance) + self._layout.taking]) + self._layout.rooms])
        self.facts[place + held * len(self._sizes) + left] = self._put(row)

    def _write_told(self, stance: int, told: Told) -> None:
        layout = self._layout
        if stance in self._taken:  # before any place is told, as it takes some
            self._write_taking(stance)
        if stance in self._picks:
            ends = self._picks[stance]
            block = [0, 0, 0, len(ends), *(n for end in (*ends, ends[0]) for n in self._numbers_of(end))]
        else:
            block = [len(told.frees), *self._sights.get(stance, (*told.frees, told.fizzles))]
        looks = stance in self._sights or stance in self._picks
        first = len(block) + 1 + len(told.plays)
        places: list[int] = []
        records: list[int] = []
        for record in () if looks else (told.vain, *told.plays):
            places.append(self.used + first + len(records))
            numbers = [n for end in (*record.ends, record.failed) for n in self._numbers_of(end)]
            records += [record.energy, record.health, len(record.ends), *numbers]
        turns, target = range(self._turns + 1), self._target
        late = [self._late(stance, n) for n in turns]
        ahead = [] if target is None else [self._ahead(stance, n, target) for n in turns]
        # Written at last, so that no stance counts as told of which anything is missing.
        last_floor = self._last_floor(stance)
        mosts = [UNKNOWN] * (len(self._day.kinds.names) + 2)
        place, at = self._put([*block, *places, *records, *mosts]), self._at(stance)
        self.facts[at + layout.mosts] = self.used - len(mosts)
        self.facts[at + layout.header["FLOORS"]] = last_floor
        self.facts[at + layout.late : at + layout.late + len(late)] = late
        self.facts[at + layout.ahead : at + layout.ahead + len(ahead)] = ahead
        self.facts[at] = place

    def _late(self, stance: int, turns: int) -> int:
        """Return the stance that one may be taken for with so many turns left."""
        board, stack = self._stances[stance]
        return self._number(board, self._day.late(stack, turns)) if stack and board >= 0 else stance

    def _write_aim(self, aims: Aims, stance: int, turns: int) -> None:
        if stance in self._sights:
            enough = self._put([aims.enough(self._sights[stance].stance)])
            self.facts[self._at(stance) + self._layout.aim + turns - 2] = enough
            return
        aim, rooms = aims.of(stance, turns), 0
        if turns == 2 and aim.like == stance and aims.rooms(stance):
            rooms = self._put([UNKNOWN] * ((self._loose + 1) * len(self._sizes)))
        self.facts[self._at(stance) + self._layout.aim + turns - 2] = self._put([*self._row(aim, (), 0), rooms, 0])

    def _write_counted(self, aims: Aims, stance: int, cards: int) -> None:
        """Write down what counts on a stance for so many cards."""
        general = int(self.facts[self._at(stance) + self._layout.aim])
        try:
            chain = 1 if self._told(stance).waits else 2
            aim, above, pairs = aims.counted(stance, *divmod(cards, len(self._sizes)))
            place = self._put([*self._row(aim, above, chain), 0, self._write_pairs(pairs)])
        except OutOfReach:
            place = general
        self.facts[int(self.facts[general + self._layout.rooms]) + cards] = place

    def _write_pairs(self, pairs: Sequence[Pair]) -> int:
        """Return where it is written what two last turns lead to; 0 where it is not told.

        Where cards that are looked at may be kept each way to do so is a hand to judge, which costs more than it saves.
        """
        day = self._day
        if not pairs or self._idler < 0 or (day.looks and day.keeps):
            return 0
        block = [len(pairs)]
        for pair in pairs:
            hand, deck = self._kept(written(pair.hand)), self._kept(written(pair.deck))
            block += [pair.kind, pair.alone, pair.sort, pair.drawn, pair.kept, hand, deck, 0, 0]
        return self._put(block)

    def _row(self, aim: Aim, above: tuple[int, ...], chain: int) -> list[int]:
        """Return what counts as numbers; it takes a ``chain`` of so many cards to outdo one."""
        outdoing = [self._fields(kind for kind in range(len(aim.deck)) if each >> kind & 1) for each in above]
        few = self._kept((*aim.held.classes, *aim.held.most, aim.held.idle, chain if above else 0, *outdoing))
        block = [int(aim.dead), int(aim.idle_pays), few, self._kept(aim.deck), self._kept(aim.drawn)]
        return [*block, self._fields(aim.coming), aim.like]

    def _fields(self, kinds: Iterable[int]) -> int:
        """Return the bits of some kinds."""
        return sum((1 << self._shifts[kind + 1]) - (1 << self._shifts[kind]) for kind in kinds)

    def _kept(self, numbers: tuple[int, ...]) -> int:
        """Return where some numbers are written, once."""
        place = self._written.get(numbers)
        if place is None:
            place = self._written[numbers] = self._put(numbers)
        return place

    def _put(self, block: Sequence[int]) -> int:
        """Append some facts; return where they begin."""
        self._grow(self.used + len(block))
        first = self.used
        for place, number in enumerate(block, first):
            self.facts[place] = number
        self.used += len(block)
        return first

    def _ahead(self, stance: int, turns: int, target: int) -> int:
        """Return a place that no line of so many turns passes, or the target where one may get there."""
        day = self._day
        board, stack = self._stances[stance]
        if stance in self._sights:
            return self._ahead(self._sights[stance].stance, turns, target)
        if stance in self._picks:
            return max(self._ahead(end.stance, turns, target) for end in self._picks[stance])
        if board < 0:
            return max([self._ahead(each, turns, target) for each in self._members(board)], default=NOWHERE)
        boards, cards = day.boards, self._loose
        pos = boards.pos[board]
        if pos >= target:
            return pos
        if self._aiming and day.bound_is_dear:  # what counts is told by stance, and tells from where nothing wins
            return target
        if self._leaving is not None:
            return target if self._may_arrive(board, stack, turns, target) else pos
        if self._plain is None:
            too_far = day.too_far(board, stack, self._cards, cards, cards, turns, target)
            return pos if too_far else target
        low, high = 0, target - pos + 1  # the most spaces that may be won, with the bound for one target alone
        while high - low > 1:
            middle = (low + high) // 2
            there = boards.number(boards.board(board)._replace(pos=target - middle))
            if day.too_far(there, stack, self._cards, cards, cards, turns, target):
                high = middle
            else:
                low = middle
        return pos + low

    def _may_arrive(self, board: int, stack: int, turns: int, target: int) -> bool:
        """Return false only where no line of so many turns wins but by a new day that has a turn after it.

        With more than two turns left each of them may lead to such a day.
        """
        day, cards, leaving = self._day, self._loose, self._leaving
        assert leaving is not None
        if turns > 2:
            return True
        if not day.too_far(board, stack, self._cards, cards, cards, turns, target):
            return True
        if turns < 2 or leaving.automatic is None:
            return turns > 0 and leaving.counts_last(day.boards.pos[board], target)
        return not day.too_far(board, stack, self._cards, cards, cards, turns - 1, target - leaving.automatic)
