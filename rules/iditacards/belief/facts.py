"""What a compiled search is told about a day with a hidden deck as a whole (``solver.search.dealing.facts``).

That is which cards are alike, how packed cards are laid out, and numbers that every node needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, factorial, lcm
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.belief.kinds import Few, Map, Twins
from rules.iditacards.belief.needs import NO_GIFT, Leading
from rules.iditacards.belief.scale import scale
from rules.iditacards.belief.scope import MOST_TAKEN

if TYPE_CHECKING:
    from rules.iditacards.belief.day import BeliefDay

CARD_BITS: Final = 62
"""Bits of packed cards at most."""
MOST_CARDS: Final = 27
"""Cards in the deck at most, so that the parts of a worth fit (``BASE_BITS``)."""
FAR: Final = 50_000
"""Nodes known from which on it is told by stance what counts with three turns left."""
MANY: Final = 2_000
"""Nodes known from which on it is told for each number of cards what counts with two turns left."""
MOST_STANCES: Final = 1 << 16
SPARE_BITS: Final = 9
"""Bits of the upper part of a worth beyond those of the lower one: sums over a deck have 62 in all."""
BEYOND: Final = 50
"""Spaces that a turn may end beyond the finish, at most."""
UNKNOWN: Final = -1


class Layout(NamedTuple):
    """Where the facts have their places; the names are those of ``solver.search.dealing.facts``."""

    header: dict[str, int]
    stance: int
    """Length of a stance,"""
    late: int
    """and where in it the stances begin that it may be taken for."""
    ahead: int
    taking: int
    """Where it is in a stance what is taken next from a supply,"""
    after: int
    """and where in that the stances begin that follow, their number first."""
    aim: int
    looking: int
    mosts: int
    rooms: int
    """Where it is in what counts on a stance for which cards it is told."""
    near: int
    base_bits: int


class Floor(NamedTuple):
    """What it is worth to begin a new day on a stance."""

    value: Fraction
    place: int
    """Where that is written."""


class Taking(NamedTuple):
    """A stance on which cards are taken from a supply."""

    most: int
    last: tuple[tuple[int, int], ...]
    """Stances of a last turn from the hand that follow, each with the kind of a card that a checkpoint gives before,"""
    settled: int
    """what it is worth where nothing is decided on it,"""
    afters: tuple[int, ...]
    """and the stances that follow where something is."""
    vague: bool = False
    """Whether nothing is told but where the turn ends."""


class Dealt(NamedTuple):
    """A belief as a node."""

    deck: int
    hand: int
    size: int
    held: int
    stance: int
    won: int


class FormFacts:
    """The facts of one question that hold everywhere."""

    def __init__(self, day: BeliefDay, target: int | None, turns: int, layout: Layout) -> None:
        """``target`` is where to go, nothing where distance counts.

        Raises:
            OutOfReach: the question does not fit.
        """
        self._day = day
        self._target = target
        self._most_turns = turns
        self._turns = min(turns, layout.near)
        self._layout = layout
        kinds = day.kinds
        self._cards = day.loose + day.gifts
        """All that may be in hand or deck,"""
        self._loose = kinds.count(self._cards)
        """and how many they are."""
        self._sizes = range(day.hidden + 1)
        self._kept_back = day.banned - day.avoided
        """Kinds that are no plays of the hand; of those avoided it is the plays that come to nothing."""
        if day.hidden > MOST_CARDS or day.has_damage or len(kinds.names) == 0:
            raise OutOfReach
        self._ends = self._may_end(turns)
        self._plain = None if self._ends else day.plain
        self._base = day.boards.pos[day.boards.root]
        levels = min(turns, day.alike.levels) + 1
        self._few = self._all_few() if levels > 2 else []
        self._maps = list(self._all_maps(levels))
        self._aiming = self._plain is None and levels > 2
        """Whether it is told by stance what counts with two turns left."""
        self._leaving = day.leaving
        """What a new day may be worth, nothing where none is begun."""
        if self._leaving is not None and (not self._aiming or target is None or not day.may_rest):
            raise OutOfReach
        self._floors: dict[tuple[int, int], Floor] = {}
        """By stance and turns left."""
        self._twins = None if self._aiming else self._all_twins()
        scales = day.gains is not None or (day.looks and self._plain is None)
        self._scale = self._scaling(turns) if scales else 0
        if self._leaving is not None:
            self._scale = lcm(self._there, *range(1, day.hidden + 1))
        """What values are taken times; 0 where they are taken times the orders of a deck."""
        self._payer = -1
        """A kind with room for all cards, also for those that come from elsewhere,"""
        self._idler = -1
        """and the first one with room for all but those."""
        self._shifts = self._lay_out(levels)
        self._packed: dict[int, int] = {}
        """Cards of the day as this form packs them."""
        self.facts: Any = []
        self._write(levels, turns)

    @property
    def carries(self) -> int:
        """Return the most turns left that these facts are for."""
        return self._most_turns

    @property
    def scale(self) -> int:
        """Return what values are taken times, 0 where they are taken times the orders of a deck."""
        return self._scale

    @property
    def rests(self) -> bool:
        """Return whether a new day may be begun on any turn."""
        return self._leaving is not None

    @property
    def _there(self) -> int:
        """Return what it is worth to be at the target: so many that what new days are worth on last turns are whole."""
        return 1 if self._leaving is None or self._leaving.automatic == 0 else self._leaving.faces

    def refine(self, lacking: int) -> None:
        """Take values times more, for what was left over (``UNEVEN``).

        Raises:
            OutOfReach: there is no room.
        """
        finer = self._scale * (lacking if lacking > 0 else self._missing_at(-lacking))
        if finer >> 2 * self._layout.base_bits + SPARE_BITS:
            raise OutOfReach
        self._scale = finer
        self._write_shares()
        for floor in self._floors.values():
            self._write_floor(floor)

    def _missing_at(self, place: int) -> int:
        """Return what the share that is written at a place lacks to be whole."""
        header, sizes = self._layout.header, len(self._sizes)
        begin = int(self.facts[header["AVOIDING"]])
        if begin and place >= begin:
            size, rest = divmod((place - begin) // 2, sizes * sizes)
            fit, first = divmod(rest, sizes)
            share = Fraction(comb(fit, first), comb(size, first))
        else:
            share = Fraction(1, (place - int(self.facts[header["SHARES"]])) // 2)
        return (self._orders(0) * share).denominator

    def _write_floor(self, floor: Floor) -> None:
        """Write down what a new day is worth."""
        bound = floor.value * self._there * self._layout.header["UNIT"]
        numbers = (*self._split(floor.value * self._scale), math.floor(bound), math.ceil(bound))
        for place, number in enumerate(numbers, floor.place):
            self.facts[place] = number

    def _scaling(self, turns: int) -> int:
        """Return a scale of which worths and the sums of them over a deck have room.

        Raises:
            OutOfReach: the hand may hold twins, which looks are not written for.
        """
        if self._twins is not None:
            raise OutOfReach
        furthest = 1 if self._target is not None else self._day.finish + BEYOND
        shares = 1 if self._day.gains is None else self._day.gains.shares()
        most = (1 << 2 * self._layout.base_bits + SPARE_BITS) // (furthest * shares)
        return scale(self._day.hidden, turns, self._day.flow, most) * shares

    def _all_maps(self, levels: int) -> Iterator[tuple[str, Map]]:
        """Yield the classes of kinds by name of their block, in order."""
        alike, sizes = self._day.alike, self._sizes
        for turns in range(levels):
            for waits in (False, True):
                for size in sizes:
                    yield "HELD", alike.hand(turns, waits, size)
        for turns in range(levels):
            for waits in (False, True):
                for risky in (False, True):
                    for size in sizes:
                        yield "HIDDEN", alike.deck(turns, waits, risky, size)
        for turns in range(levels):
            for waits in (False, True):
                for size in sizes:
                    yield "DRAWN", alike.drawing(turns, waits, size)
        if self._plain is not None and levels > 2:
            for held in range(alike.plenty + 1):
                for size in sizes:
                    yield "TURNED", alike.turning_over_last(held, size)
        if self._few:
            for held in range(alike.plenty + 1):
                for size in sizes:
                    yield "COUPLE", alike.drawing_for_two(held, size)

    def _all_few(self) -> list[Few | None]:
        """Return what counts of hands with one and two turns left, by size; nothing where it is not told."""
        alike = self._day.alike
        if self._plain is None or self._day.banned:
            return []
        return [alike.few(left, size) for left in (1, 2) for size in self._sizes]

    def _all_twins(self) -> Twins | None:
        """Return the kinds that differ only in costs, nothing where there are none or where distance counts."""
        if self._target is None:
            return None
        twins = self._day.alike.twins()
        return twins if any(len(each) > 1 for each in twins.members) else None

    def _may_end(self, turns: int) -> bool:
        """Return whether the race may be over before the target is reached: further may be worse then."""
        day = self._day
        if self._target is not None:
            return self._target > day.finish
        cards = self._loose
        return not day.too_far(day.boards.root, day.begun, self._cards, cards, cards, turns, day.finish)

    def _furthest(self, turns: int) -> int:
        """Return a place that no line of so many turns passes."""
        day, cards = self._day, self._loose
        if not day.is_bounded:
            return day.finish + BEYOND
        low, step = self._base, 1
        while not day.too_far(day.boards.root, day.begun, self._cards, cards, cards, turns, low + step):
            low, step = low + step, 2 * step
        high = low + step
        while high - low > 1:
            middle = (low + high) // 2
            if day.too_far(day.boards.root, day.begun, self._cards, cards, cards, turns, middle):
                high = middle
            else:
                low = middle
        return low

    def _lay_out(self, levels: int) -> list[int]:
        """Return where the bits of each kind begin; a class has room for all its cards."""
        kinds = self._day.kinds
        copies = [kinds.copies(self._cards, kind) for kind in range(len(kinds.names))]
        most = list(copies)
        maps = {classes for _, classes in self._maps}
        # A belief comes here with its cards counted together as for a deck of any size.
        alike = self._day.alike
        for turns, waits in product(range(levels), (False, True)):
            maps |= {alike.hand(turns, waits), *(alike.deck(turns, waits, risky) for risky in (False, True))}
        few = [few for few in self._few if few is not None]
        if self._twins is not None:
            maps |= {self._twins.first, *map(self._twins.seen, maps)}
            # What twins are taken for they may be taken for once more.
            maps |= {tuple(classes[first] for first in self._twins.first) for classes in maps}
            few += [each for each in map(self._twins.few, few.copy()) if each is not None]
        for classes in {*maps, *(each.classes for each in few)}:
            sums = [0] * len(copies)
            for first, n in zip(classes, copies, strict=True):
                sums[first] += n
            most = [max(pair) for pair in zip(most, sums, strict=True)]
        for each in few:
            most[each.idle] = self._loose
        if self._aiming:
            self._widen(most)
        shifts = _shifts(most)
        if shifts[-1] > CARD_BITS:
            raise OutOfReach
        return shifts

    def _widen(self, most: list[int]) -> None:
        """Make room for all cards with one or two kinds that are likely to be idle on many stances (``belief.aim``).

        Where cards are gained any kind may stand for those that only pay, so that there is always one to try.
        """
        alike = self._day.alike
        gains = self._day.gains
        room = self._loose + (0 if gains is None else gains.most())
        wide = [kind for kind in range(len(most)) if alike.does_nothing(kind)][:2]
        if gains is not None and not wide:
            wide = [most.index(max(most))]
        for kind in wide:
            wider = [room if each == kind else n for each, n in enumerate(most)]
            if _shifts(wider)[-1] <= CARD_BITS:
                most[:] = wider
                self._payer = kind
                self._idler = kind if self._idler < 0 else self._idler

    def _write(self, levels: int, turns: int) -> None:
        """Write down everything but the stances."""
        header, day = self._layout.header, self._day
        names = len(day.kinds.names)
        facts = self.facts
        facts.extend([0] * header["HEADER"])
        facts[header["ASKED"]] = -1
        facts[header["KINDS"]] = names
        facts[header["TARGET"]] = -1 if self._target is None else self._target
        facts[header["FINISH"]] = day.finish
        facts[header["LEVELS"]] = levels
        facts[header["SIZES"]] = len(self._sizes)
        facts[header["MAY_END"]] = int(self._ends)
        facts[header["FURTHEST"]] = self._there if self._target is not None else self._furthest(turns)
        facts[header["OFFSETS"]] = int(self._plain is not None)
        # A turn plays a card, turns one over, or finds that none is left to turn over; then the stack is cleared (R33),
        # and it takes a card to fill it again: where such a card needs health (R23), one from before the deck ran out.
        # Second steps of cards that wait take a turn each, and no card.
        facts[header["IN_VAIN"]] = int(self._plain is None or not day.risks_need_health) + day.waiting_seconds
        facts[header["SUPPLIED"]] = MOST_TAKEN if day.gains is not None or day.gifts else 0
        facts[header["PAYER"]] = -1 if day.gains is None or self._payer < 0 else self._shifts[self._payer]
        facts[header["IDLER"]] = self._idler
        facts[header["PLENTY"]] = day.alike.plenty
        facts[header["AIMING"]] = int(self._aiming)
        facts[header["RESTING"]] = int(self.rests)
        facts[header["FAR"]] = FAR
        facts[header["MANY"]] = MANY
        if self._plain is not None:
            facts[header["COMING"]] = self._own(day.drawing, mask=True)
        facts[header["RISKY"]] = self._own(day.alike.risky, mask=True)
        facts[header["SHIFTS"]] = len(facts)
        facts.extend(self._shifts)
        facts.extend((1 << after - first) - 1 for first, after in pairwise(self._shifts))
        for name in ("ORDERS", "SHARES"):
            facts[header[name]] = len(facts)
            facts.extend([0] * (2 * len(self._sizes)))
        facts[header["SCALED"]] = int(self._scale > 0)
        facts[header["KEEPS"]] = int(day.keeps)
        if self._scale and not self.rests:
            facts[header["SORTED"]] = len(facts)
            facts.extend([0] * (2 * header["ROOM"]))
            facts.extend([0] * (2 * header["PARTS"] * header["NEAR_LOOKS"] if day.keeps else 0))
        facts[header["BINOMIALS"]] = len(facts)
        facts.extend(comb(copies, taken) for copies in self._sizes for taken in self._sizes)
        facts[header["BANNED"]] = len(facts)
        facts.extend(int(kind in self._kept_back) for kind in range(names))
        alone = tuple(range(names))
        written = {alone: 0}
        for _, classes in self._maps:
            if classes not in written:
                written[classes] = len(facts)
                facts.extend(classes)
                facts.extend(classes if self._twins is None else self._twins.seen(classes))
        for block, classes in self._maps:
            if not facts[header[block]]:
                facts[header[block]] = len(facts)
            facts.append(written[classes])
        self._write_few()
        self._write_shares()
        self._write_twins()
        facts[header["STANCES"]] = len(facts)
        facts.extend([UNKNOWN] * (MOST_STANCES * self._layout.stance))
        self.used = len(facts)
        """Places of the facts in use."""

    def _write_few(self) -> None:
        """Write down what only counts on the last two turns."""
        header, facts = self._layout.header, self.facts
        facts[header["MAPS"]] = len(facts)
        facts.extend([0] * (header["WAYS"] * len(self._day.kinds.names)))
        facts[header["VALUES"]] = len(facts)
        facts.extend([0] * (len(self._day.kinds.names) + 1))
        if self._few:
            facts[header["LEAST"]] = self._day.alike.enough
            written: dict[Few | None, int] = {None: 0}
            rows: list[Few | None] = []
            for few in self._few:
                rows += [few, None if few is None or self._twins is None else self._twins.few(few)]
            for few in rows:
                if few is not None and few not in written:
                    written[few] = len(facts)
                    facts.extend((*few.classes, *few.most, few.idle))
            facts[header["FEW"]] = len(facts)
            facts.extend(written[few] for few in rows)
        if self._kept_back:
            return
        facts[header["AVOIDING"]] = len(facts)
        facts.extend([0] * (2 * len(self._sizes) ** 3))

    def _write_shares(self) -> None:
        """Write down the worths of decks, and parts of them."""
        header, facts, sizes = self._layout.header, self.facts, self._sizes
        for size in sizes:
            orders, shares = (int(facts[header[name]]) + 2 * size for name in ("ORDERS", "SHARES"))
            facts[orders], facts[orders + 1] = self._split(self._orders(size))
            facts[shares], facts[shares + 1] = self._split(Fraction(self._orders(size), max(size, 1)))
        place = int(facts[header["AVOIDING"]])
        for size, fit, first in product(sizes, sizes, sizes) if place else ():
            if first <= fit <= size:
                whole, rest = divmod(self._orders(size) * comb(fit, first), comb(size, first))
                facts[place], facts[place + 1] = (UNKNOWN, UNKNOWN) if rest else self._split(whole)
            place += 2

    def _numbers_of(self, end: Leading) -> tuple[int, int, int]:
        """Return an end as numbers."""
        header = self._layout.header
        gift = 0 if end.gift == NO_GIFT else 1 | end.gift + 1 << header["MORE_BITS"]
        return end.stance, end.spaces, end.drawn | gift << header["DRAWN_BITS"]

    def _orders(self, size: int) -> int:
        """Return what value 1 of a deck is worth."""
        return self._scale // self._there or factorial(size)

    def _split(self, worth: Fraction | int) -> tuple[int, int]:
        """Return a worth in two parts, none where it is not whole."""
        bits, whole = self._layout.base_bits, Fraction(worth)
        if whole.denominator > 1:
            return UNKNOWN, UNKNOWN
        return whole.numerator & ((1 << bits) - 1), whole.numerator >> bits

    def _write_twins(self) -> None:
        """Write down which kinds are twins."""
        header, facts = self._layout.header, self.facts
        if self._twins is not None:
            facts[header["TWINS"]] = len(facts)
            facts.extend(self._twins.first)
            places = []
            for members in self._twins.members:
                places.append(len(facts))
                facts.extend((len(members), *members))
            facts[header["TWIN_KINDS"]] = len(facts)
            facts.extend(places)
            facts[header["DEAREST"]] = self._day.alike.dearest
            facts[header["SETTLED"]] = len(facts)
            facts.extend([0] * (2 * (self._loose + 1)))

    def _own(self, cards: int, *, mask: bool = False) -> int:
        """Return packed cards in the layout of this form; ``mask`` for the bits of kinds.

        Raises:
            OutOfReach: there are more of a kind than have room.
        """
        kinds = self._day.kinds
        if mask:
            return sum(
                (1 << self._shifts[kind + 1]) - (1 << self._shifts[kind])
                for kind in range(len(kinds.names))
                if kinds.copies(cards, kind)
            )
        found = self._packed.get(cards)
        if found is None:
            found = 0
            for kind, n in kinds.cards(cards):
                if n >> self._shifts[kind + 1] - self._shifts[kind]:
                    raise OutOfReach
                found |= n << self._shifts[kind]
            self._packed[cards] = found
        return found


def _shifts(most: Sequence[int]) -> list[int]:
    shifts = [0]
    for n in most:
        shifts.append(shifts[-1] + max(1, n.bit_length()))
    return shifts
