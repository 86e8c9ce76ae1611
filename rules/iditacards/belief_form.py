"""A day with a hidden deck in the form that a compiler takes over: the facts of ``solver.search.dealing_facts``.

Everything is asked of ``BeliefDay`` and so of the rules: boards and risk stacks as *stances*, what every card does on
each, and which cards are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rules.core.ventures import OutOfReach
from rules.iditacards.belief_aim import Aim, Aims
from rules.iditacards.belief_facts import MOST_STANCES, UNKNOWN, Dealt, FormFacts, Layout, Taking
from rules.iditacards.belief_needs import LastTurns, Leading, Record, Sight, Told
from rules.iditacards.compact_plays import CONTINUES_IN_VAIN, Draw, End, Look, Play

if TYPE_CHECKING:
    from rules.iditacards.belief_day import BeliefDay

NONE: Final = -1
"""The worth of nothing to play."""
NOWHERE: Final = -1_000
"""A place from which no target is reached,"""
MOST_TOLD: Final = 4_000
"""Stances told up to which it is worked out what counts with three turns left: each takes a millisecond or two."""
_NO_BOARD: Final = -1
"""and the number of the board that is there; smaller ones stand for a choice between stances,"""
_SIGHTS: Final = -1 - MOST_STANCES
"""from here on for cards to be looked at first."""


class BeliefForm(FormFacts):
    """The facts of one question; grows while a search asks for them."""

    def __init__(self, day: BeliefDay, target: int | None, turns: int, layout: Layout) -> None:
        """``target`` is where to go, nothing where distance counts.

        Raises:
            OutOfReach: the question does not fit.
        """
        super().__init__(day, target, turns, layout)
        self._numbers: dict[tuple[int, int], int] = {}
        self._stances: list[tuple[int, int]] = []
        self._choices: list[tuple[int, ...]] = []
        self._sights: dict[int, Sight] = {}
        """By stance: what is looked at there before anything else,"""
        self._seeing: dict[Sight, int] = {}
        """and the other way round."""
        self._tolds: dict[int, Told] = {}
        self._taken: dict[int, Taking] = {}
        """By stance: what is taken there from a supply."""
        self._written: dict[tuple[int, ...], int] = {}
        self._grow: Callable[[int], None] = lambda _: None
        self._most = MOST_STANCES
        self.aims = self._all_aims() if self._aiming else None
        """What counts with two turns left; nothing where it is not told by stance."""

    def _all_aims(self) -> Aims:
        room = [(1 << after - first) - 1 for first, after in pairwise(self._shifts)]
        copies = [self._day.kinds.copies(self._cards, kind) for kind in range(len(room))]
        last = LastTurns(*(self._told, self._place, self._target, self._day.finish, self._kept_back), range(len(room)))
        return Aims(
            *(self._told, self._late, self._sights, self._is_out_of_reach, last, self._kept_back, room, copies),
            reaching=self._target is not None,
            keeps=self._day.keeps,
            taking=lambda stance: self._taken[stance].afters if stance in self._taken else None,
        )

    def _is_out_of_reach(self, stance: int, turns: int) -> bool:
        self._told(stance)
        return int(self.facts[self._at(stance) + self._layout.ahead + turns]) < (self._target or 0)

    def _place(self, stance: int) -> int:
        return int(self.facts[self._at(stance) + 2])

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

    def ordered(self, board: int, stack: int, hand: int, deck: int, orders: Sequence[Draw | Look]) -> tuple[Dealt, int]:
        """Return a belief as a node before some orders to the deck, and how many cards they draw at first.

        Raises:
            OutOfReach: there is no room, or no scale, for it.
        """
        node = self.dealt(board, stack, hand, deck)
        if not orders:
            return node, 0
        if self._plain is not None:
            raise OutOfReach
        led = self._ordered(node.stance, orders)
        return node._replace(stance=led.stance), led.drawn

    # Stances

    @property
    def stances(self) -> int:
        """How many stances have a number."""
        return len(self._stances)

    def _normal(self, board: int) -> int:
        if self._plain is None:
            return board
        boards = self._day.boards
        return boards.number(self._plain.normal(boards.board(board))._replace(pos=self._base))

    def _number(self, board: int, stack: int) -> int:
        name = (board, stack)
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._stances)
            if number == MOST_STANCES:
                raise OutOfReach
            self._stances.append(name)
            at = self._at(number)
            self.facts[at + 1] = int(stack > 0 and board > _SIGHTS)
            self.facts[at + self._layout.looking] = self.facts[at + self._layout.taking] = 0
            if board >= 0:
                self.facts[at + 2] = self._day.boards.pos[board]
            else:
                members = self._members(board)
                self.facts[at + 2] = max([self._place(each) for each in members]) if members else NOWHERE
        return number

    def _members(self, board: int) -> tuple[int, ...]:
        """Return the stances that a board which is none stands for."""
        return self._choices[_NO_BOARD - 1 - board] if _SIGHTS < board < _NO_BOARD else ()

    def _choice(self, stances: tuple[int, ...]) -> int:
        """Return the stance that stands for a choice between some, made when all cards of a turn have been drawn.

        It is made before the next turn then, where nothing more has been seen; so what it may be, free actions of that
        turn make of it, and it is where the furthest of them is.

        Raises:
            OutOfReach: they differ in more than their boards.
        """
        if len(stances) == 1:
            return stances[0]
        waits = {self._stances[each][1] > 0 for each in stances}
        if len(waits) > 1 or self._plain is not None or max(map(self._place, stances)) >= self._day.finish:
            raise OutOfReach
        name = tuple(sorted(stances))
        if name not in self._choices:
            self._choices.append(name)
        return self._number(_NO_BOARD - 1 - self._choices.index(name), int(waits.pop()))

    def _sight(self, sight: Sight) -> int:
        """Return the stance on which cards are looked at before what is told as its stance."""
        found = self._seeing.get(sight)
        if found is not None:
            return found
        stance = self._number(_SIGHTS - len(self._sights), 0)
        self._sights[stance] = sight
        self._seeing[sight] = stance
        self.facts[self._at(stance) + 2] = self._place(sight.stance)
        self.facts[self._at(stance) + self._layout.looking] = 1
        return stance

    def _at(self, stance: int) -> int:
        return int(self.facts[self._layout.header["STANCES"]]) + self._layout.stance * stance

    def answer(self, stance: int, turns: int, cards: int, grow: Callable[[int], None]) -> None:
        """Write down the facts of a stance, or if ``turns`` is not 0 what counts on it with so many left.

        If ``cards`` is not 0, it is told for those that it stands for (``dealing_facts.ROOMS``); where ``turns`` is
        ``dealing_facts.GAINED``, what may be taken then from a supply is, from ``dealing_facts.ACTING`` on which free
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
        if stance in self._sights:
            return Told(False, (), True, self._nowhere(), ())
        if board == _NO_BOARD:
            nowhere = self._nowhere()
            return Told(False, (stance,), True, nowhere, tuple(nowhere for _ in day.kinds.names))
        if board < _NO_BOARD:
            told = [self._told(each) for each in self._members(board)]
            return told[0]._replace(frees=tuple(dict.fromkeys(free for each in told for free in each.frees)))
        frees = tuple(
            self._number(free, stack) for free in dict.fromkeys(map(self._normal, day.boards_to_act_on(board)))
        )
        if stack == day.plays.beyond:
            raise OutOfReach
        if day.takes(stack):
            return self._ask_taking(stance, frees)
        vain = self._record(day.plays.play(board, stack, CONTINUES_IN_VAIN), board)
        if day.plays.is_second(day.plays.stack(stack)):
            return Told(True, frees, True, vain, tuple(vain for _ in day.kinds.names))
        plays = [
            self._nowhere() if kind in day.avoided else self._record(day.plays.play(board, stack, name), board)
            for kind, name in enumerate(day.kinds.names)
        ]
        return Told(stack > 0, frees, day.boards.fizzles(board), vain, tuple(plays))

    def _ask_taking(self, stance: int, frees: tuple[int, ...]) -> Told:
        """Return the same for a stance on which cards are taken from a supply: others come to the hand to pay.

        Raises:
            OutOfReach: what follows is not the same for all ends.
        """
        day, (_, stack) = self._day, self._stances[stance]
        assert day.gains is not None
        most = day.gains.most_of(stack)
        plays = [day.plays.play(self._stances[free][0], stack, CONTINUES_IN_VAIN) for free in frees]
        ends = dict.fromkeys(end for play in plays for end in play.ends)
        settled = {end: day.gains.settled_after(end) for end in ends}
        open_ends = [end for end in ends if not settled[end]]
        last = [end for end in open_ends if not end.stack]
        if any(end.gifts for end in open_ends):
            raise OutOfReach
        if any(end.orders for end in last) or (last and len(last) < len(open_ends)) or self._payer < 0:
            raise OutOfReach
        leading = [self._end(end, end.board) for end in ends]
        bits = self._layout.header["DRAWN_BITS"]
        if not last:
            payers = [more << bits for more in range(1, most + 1)]
            waiting = [led for led, end in zip(leading, ends, strict=True) if not settled[end]]
            if any(led.stance in self._sights for led in waiting):
                raise OutOfReach
            leading += [led._replace(drawn=led.drawn + more) for led in waiting for more in payers]
        worths = [self._worth(day.boards.pos[board]) for end in ends for board in settled[end]]
        afters = tuple(self._number(end.board, end.stack) for end in open_ends)
        self._taken[stance] = Taking(most, afters if last else (), max(worths, default=NONE), afters)
        # Free actions are chosen with what is taken, when it is seen what there is.
        vain = Record(0, 0, tuple(leading), leading[0])
        return Told(True, (stance,), True, vain, tuple(vain for _ in day.kinds.names))

    def _write_taking(self, stance: int) -> None:
        taking = self._taken[stance]
        rooms = self._put([UNKNOWN] * ((self._loose + 1) * len(self._sizes)))
        layout = self._layout
        block = [taking.most, taking.settled] + [0] * (layout.after - 2)
        block[layout.rooms] = rooms
        self.facts[self._at(stance) + layout.taking] = self._put([*block, len(taking.last), *taking.last])

    def _worth(self, place: int) -> int:
        return place if self._target is None else int(place >= self._target)

    def _write_gained(self, stance: int, held: int, left: int) -> None:
        """Write down what is worth most of what may be taken on a stance with so many cards in hand and deck."""
        gains = self._day.gains
        assert gains is not None
        taking = self._taken[stance]
        boards = [self._stances[each][0] for each in taking.last]
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
        block = [len(told.frees), *self._sights.get(stance, (*told.frees, told.fizzles))]
        first = len(block) + 1 + len(told.plays)
        places: list[int] = []
        records: list[int] = []
        for record in () if stance in self._sights else (told.vain, *told.plays):
            places.append(self.used + first + len(records))
            ends = [n for end in (*record.ends, record.failed) for n in self._numbers_of(end)]
            records += [record.energy, record.health, len(record.ends), *ends]
        turns, target = range(self._turns + 1), self._target
        late = [self._late(stance, n) for n in turns]
        ahead = [] if target is None else [self._ahead(stance, n, target) for n in turns]
        # Written at last, so that no stance counts as told of which anything is missing.
        mosts = [UNKNOWN] * (len(self._day.kinds.names) + 2)
        place, at = self._put([*block, *places, *records, *mosts]), self._at(stance)
        self.facts[at + layout.mosts] = self.used - len(mosts)
        self.facts[at + layout.late : at + layout.late + len(late)] = late
        self.facts[at + layout.ahead : at + layout.ahead + len(ahead)] = ahead
        self.facts[at] = place

    def _late(self, stance: int, turns: int) -> int:
        """Return the stance that one may be taken for with so many turns left."""
        board, stack = self._stances[stance]
        return self._number(board, self._day.late(stack, turns)) if stack and board >= 0 else stance

    def _nowhere(self) -> Record:
        """Return the play of a card with which all is lost: it leads where no target is, and nothing leads on."""
        end = Leading(self._number(_NO_BOARD, 0), 0, 0)
        return Record(0, 0, (end,), end)

    def _write_aim(self, aims: Aims, stance: int, turns: int) -> None:
        if stance in self._sights:
            enough = self._put([aims.enough(self._sights[stance].stance)])
            self.facts[self._at(stance) + self._layout.aim + turns - 2] = enough
            return
        aim, rooms = aims.of(stance, turns), 0
        if turns == 2 and aim.like == stance and aims.rooms(stance):
            rooms = self._put([UNKNOWN] * ((self._loose + 1) * len(self._sizes)))
        self.facts[self._at(stance) + self._layout.aim + turns - 2] = self._put([*self._row(aim, (), 0), rooms])

    def _write_counted(self, aims: Aims, stance: int, cards: int) -> None:
        """Write down what counts on a stance for so many cards."""
        general = int(self.facts[self._at(stance) + self._layout.aim])
        try:
            chain = 1 if self._told(stance).waits else 2
            place = self._put(self._row(*aims.counted(stance, *divmod(cards, len(self._sizes))), chain))
        except OutOfReach:
            place = general
        self.facts[int(self.facts[general + self._layout.rooms]) + cards] = place

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
        if board < 0:
            return max([self._ahead(each, turns, target) for each in self._members(board)], default=NOWHERE)
        boards, cards = day.boards, self._loose
        pos = boards.pos[board]
        if pos >= target:
            return pos
        if self._aiming and day.bound_is_dear:  # what counts is told by stance, and tells from where nothing wins
            return target
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

    def _record(self, play: Play, board: int) -> Record:
        """Return what a play costs and leads to."""
        chosen_last = play.late and any(end.orders for end in play.ends)
        if (play.energy < 0 and self._plain is not None) or (chosen_last and not play.last):
            raise OutOfReach
        if chosen_last and any(end.gifts for end in play.ends):
            ends = self._given_last(play.ends, board)
        elif chosen_last and self._plain is None:
            ends = [self._chosen_last(play.ends)]
        else:
            ends = list(dict.fromkeys(self._end(end, board) for end in self._best(play.ends)))
        if chosen_last and len(ends) > 1 and not ends[0].late:
            raise OutOfReach
        failed = self._nowhere().failed if self._day.must_pay(board) else self._end(play.failed, board)
        return Record(play.energy, play.health, tuple(ends), failed)

    def _best(self, ends: tuple[End, ...]) -> list[End]:
        """Return the ends of which no other is at least as good for sure."""
        if self._plain is None or len(ends) == 1:
            return list(ends)
        boards = self._day.boards
        adding = [self._plain.adding(boards.board(end.board)) for end in ends]
        kept: list[int] = []
        for place, end in enumerate(ends):
            if not any(
                ends[other].stack == end.stack
                and boards.pos[ends[other].board] >= boards.pos[end.board]
                and adding[other] >= adding[place]
                and ends[other].orders == end.orders
                and (other < place or adding[other] > adding[place])
                for other in range(len(ends))
                if other != place
            ):
                kept.append(place)
        return [ends[place] for place in kept]

    def _given_last(self, ends: tuple[End, ...], board: int) -> list[Leading]:
        """Return ends between which it is chosen when all cards have been drawn, some of them with one more card.

        Raises:
            OutOfReach: other things happen to the deck.
        """
        if any(
            end.orders != ends[0].orders or not all(isinstance(order, Draw) for order in end.orders) for end in ends
        ):
            raise OutOfReach
        return [self._end(end, board)._replace(late=True) for end in ends]

    def _chosen_last(self, ends: tuple[End, ...]) -> Leading:
        """Return where ends lead between which it is chosen when all that happens to the deck has happened.

        Raises:
            OutOfReach: not the same happens to it.
        """
        if any(end.orders != ends[0].orders for end in ends):
            raise OutOfReach
        stances = tuple(dict.fromkeys(self._number(end.board, end.stack) for end in ends))
        return self._ordered(self._choice(stances), ends[0].orders)

    def _ordered(self, last: int, orders: Sequence[Draw | Look]) -> Leading:
        """Return where orders to the deck lead that come before a stance.

        Raises:
            OutOfReach: cards are looked at, and worths have no scale for that.
        """
        stance, size = last, self._day.hidden
        drawn = more = 0
        for order in reversed(orders):
            if isinstance(order, Draw):
                drawn += order.n
                continue
            if not self._scale:
                raise OutOfReach
            more += drawn
            stance = self._sight(Sight(stance, min(order.n, size), min(order.destroy, size), drawn, last, more))
            drawn = 0
        return Leading(stance, 0, drawn)

    def _end(self, end: End, board: int) -> Leading:
        pos = self._day.boards.pos
        if self._plain is None:
            led = self._ordered(self._number(end.board, end.stack), end.orders)
            if len(end.gifts) > 1:
                raise OutOfReach
            return led._replace(gift=self._day.kinds.index[end.gifts[0]]) if end.gifts else led
        drawn = 0
        for order in end.orders:
            if not isinstance(order, Draw):
                raise OutOfReach
            drawn += order.n
        spaces = pos[end.board] - pos[board]
        if spaces < 0 or pos[end.board] >= self._day.finish:
            raise OutOfReach
        return Leading(self._number(self._normal(end.board), end.stack), spaces, drawn)
