"""Bounds for the greatest chance of a risk card, found sooner than the chance: anytime, from above and from below.

As ``odds.going``, with looks as ``odds.marks`` has them, so that no sums over decks are needed, and cut short where it
takes long: what follows so unlikely cards that a *budget* is used up counts as come through from above, as lost from
below. So does what takes cards back from the discard pile, unless the player may take none: then it changes nothing
from below. Where the deck has damage cards there is nothing from below, and from above they are taken for cards that
pay and do no harm. A greater budget never makes a bound worse; where nothing is cut, no budget is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import log2
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.content import Effect
from rules.iditacards.odds.counts import WITHOUT_END
from rules.iditacards.odds.going import Following, GoingOn
from rules.iditacards.odds.marks import Discarding, MarkedSums, Skipping
from rules.iditacards.odds.numbers import Left, Numbers, met, ordered
from rules.iditacards.odds.open import OpenBoards, Opened
from rules.iditacards.odds.orders import ASIDE, BACK, KEEP, READING, SIFT, Way
from rules.iditacards.odds.scope import READERS, Scope
from rules.iditacards.odds.sites import Held, Site, anywhere
from rules.iditacards.odds.sums import Node
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import Stack

LOOKED: Final = frozenset({KEEP, SIFT, ASIDE})
"""Orders that look at cards of the deck."""
MANY: Final = 1 << 30
FEW: Final = 3
"""From below, all cards that are shown may be left out, or so many of them, any as likely as others, and the rest goes
back and is counted for the deck."""
FIRST: Final = 6
"""The first budget."""
MORE: Final = 2
"""How much greater the next one is."""


class Reached(NamedTuple):
    """What is held, and the budget that was left for it; one without end where nothing was cut short."""

    budget: int
    held: Held


class _FromAbove(Opened):
    """Cards that read the discard pile do what nobody knows, and damage cards no harm."""

    harmless = True


class _FromBelow(Opened):
    """The player takes no card back."""

    def idle(self, effect: Effect) -> bool:
        return effect.op in READERS - {"discard_to_deck"} or super().idle(effect)


class Bounding(GoingOn):
    """A bound for one venture.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    sees = True
    asks = False
    limited = True
    boards = OpenBoards
    _carried: Opened
    above: bool
    """It is an upper bound, else a lower one."""
    _sums: MarkedSums

    def __init__(self, ventures: RiskCards, scope: Scope, alive: Callable[[], bool], *, free: bool) -> None:
        super().__init__(ventures, scope, alive, free=free)
        if not self.above:
            self._sites.until = None
        elif self._carried.brings_back:
            self._sites.until = anywhere
        self._within = self._budget = self._begun_with = 0
        self._entries: dict[Site, list[Reached]] = {}
        self._reached: dict[tuple[Site, int, int, int, Left], Reached] = {}
        self._hidden = self._waiting.hides
        self._beyond = self._sums.through if self.above else self._sums.lost
        self._cuts = 0
        self._price = self._prices()

    def within(self, budget: int) -> tuple[Fraction, bool]:
        """Return the bound for a budget, and whether nothing was cut short.

        The budget is the negative binary logarithm of about the least chance that is still followed. What was worked
        out before is known.
        """
        self._within = budget
        cuts = self._cuts
        return self.chance(), self._cuts == cuts

    @property
    def reads(self) -> bool:
        """Whether a turn has led to where cards come back from the discard pile."""
        return self._scope.reading

    @property
    def pressed(self) -> bool:
        """Whether free actions may help that were left out."""
        return self._scope.touched and not self._free

    def _prices(self) -> list[int]:
        """Return what each class takes of the budget; those that take effect alike are one."""
        waiting = self._waiting
        alike = [
            number if copy else (waiting.effect[number], waiting.looks[number])
            for number, copy in enumerate(self._copy)
        ]
        together: Counter[object] = Counter()
        for each, copies in zip(alike, self._pool, strict=True):
            together[each] += copies
        size = sum(self._pool)
        return [round(log2(size / max(1, together[each]))) for each in alike]

    def _chance(self) -> Fraction:
        if self._hidden is not self._waiting.hides:
            self._hidden = self._waiting.hides
            self._entries.clear()
            self._reached.clear()
        self._budget = self._begun_with = self._within
        return super()._chance()

    def _forget(self) -> None:
        """Keep all for a greater budget."""

    def _at(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Held:
        """Return what is known of a spot like one from as great a budget or a greater one, or look into it."""
        exactly = (site, hand, deck, pos, left)
        known = self._reached.get(exactly)
        if known is None or known.budget < self._budget:
            known = self._entered(site, hand, deck, pos, left) or self._explored(site, hand, deck, pos, left)
            self._reached[exactly] = known
        if known.budget != WITHOUT_END:
            self._cuts += 1
        return known.held

    def _entered(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Reached | None:
        for reached in self._entries.get(site, ()):
            if reached.budget >= self._budget and reached.held.holds(hand, deck, pos, left, self._outs):
                return reached
        return None

    def _explored(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Reached:
        cuts = self._cuts
        held = self._asked(site, hand, deck, pos, left)
        reached = Reached(WITHOUT_END if self._cuts == cuts else self._budget, held)
        self._entries.setdefault(site, []).append(reached)
        return reached

    def _turn(self, site: Site, hand: int, deck: int, pos: int, left: Left, box: list[int]) -> Node:
        before, self._begun_with = self._begun_with, self._budget
        node = super()._turn(site, hand, deck, pos, left, box)
        self._budget, self._begun_with = self._begun_with, before
        return node

    def _short(self, number: int, need: int, stack: Stack, pos: int, box: list[int]) -> Node | None:
        """Take the price of a class from the budget that the turn began with; what it is too small for is cut short."""
        self._budget = self._begun_with - self._price[number]
        if self._budget >= 0:
            return None
        if not need and self._waiting.through(stack, number, pos, box):
            return self._sums.through
        self._cuts += 1
        return self._beyond

    def _land(self, way: Way, stack: Stack, aside: bool, numbers: Numbers, box: list[int], nodes: Following) -> None:
        """Add what follows from the start of the next turn, with the marks of all looks on the way."""
        if way.lost or not (way.orders or aside):
            super()._land(way, stack, aside, numbers, box, nodes)
            return
        if any(order in READING for order, _ in way.orders):
            self._watch(numbers.pos + way.by, over=False)
            nodes.append(self._beyond)
            return
        if not self.above:  # without the marks of looks
            kept = tuple(order for order in way.orders if order[0] != SIFT)  # all may go back
            super()._land(way._replace(orders=kept), stack, aside, numbers, box, nodes)
        looked = max((n for order, n in way.orders if order in LOOKED), default=0)
        for most in (MANY, FEW) if looked > FEW and not self.above else (MANY,):
            self._mark(way, stack, most, numbers, box, nodes)

    def _mark(self, way: Way, stack: Stack, most: int, numbers: Numbers, box: list[int], nodes: Following) -> None:
        """Add what follows with so many marks at most for each look."""
        before, hand, deck, pos, unturned = numbers
        marks = among = missing = later = 0
        for order, printed in way.orders:
            if order == BACK:
                continue
            hand, deck, n = ordered(order, printed, before, hand, deck, box)
            if order in LOOKED and n:
                box[2] = box[3] = before[1]
                deck += n
                among = deck + missing + later
                left = min(n, most)
                marks = min(among, marks + left)
                if not self.above:
                    missing += left
                    deck -= n if order == ASIDE else left
                    later += n - left if order == ASIDE else 0  # nobody draws them before they go back
                elif order == KEEP or self._carried.keeps:
                    hand += n
        if not marks and not self.above:
            return
        reached = pos + way.by
        self._watch(reached, over=False)
        deck += later
        node, inner, _ = self._spot(way.board, stack, hand, deck, reached, unturned)
        met(box, inner, hand - before[0], deck - before[1], way.by)
        nodes.append(self._sums.look(marks, among, node))


class Above(Bounding):
    """An upper bound."""

    above = True
    carries = _FromAbove

    def _summed(self) -> Skipping:
        return Skipping(len(self._cards), self._alive)


class Below(Bounding):
    """A lower bound: a way to play that uses looks."""

    above = False
    carries = _FromBelow

    def _summed(self) -> Discarding:
        return Discarding(len(self._cards), self._alive)


class Between:
    """Both bounds for one venture, closer and closer."""

    def __init__(self, ventures: RiskCards, begin: str | None) -> None:
        self._ventures = ventures
        self._begin = begin
        self._alive: Callable[[], bool] = lambda: True
        self._budget = FIRST
        self._forms: dict[type[Bounding], Bounding] = {}
        self._whole: set[type[Bounding]] = set()
        self.low = Fraction(0)
        self.high = Fraction(1)

    @property
    def reads(self) -> bool:
        """Whether a turn has led to where cards come back from the discard pile."""
        return any(form.reads for form in self._forms.values())

    def narrow(self, low: Fraction, high: Fraction) -> None:
        """Take notice of other bounds."""
        self.low, self.high = max(self.low, low), min(self.high, high)

    def close(self, alive: Callable[[], bool]) -> None:
        """Bring the bounds as close as there is time for; asked again, this goes on where it stopped."""
        self._alive = alive
        while self.low < self.high and len(self._whole) < 2 and alive():
            for side in (Below, Above):
                if side in self._whole:
                    continue
                try:
                    self._ask(side)
                except OutOfReach:
                    if not alive():
                        return
                    self._whole.add(side)  # it tells no more
            self._budget += MORE

    def _ask(self, side: type[Bounding]) -> None:
        form = self._forms.get(side)
        if form is None:
            form = self._form(side, free=False)
        bound, whole = form.within(self._budget)
        if form.pressed:
            form = self._form(side, free=True)
            bound, whole = form.within(self._budget)
        if whole:
            self._whole.add(side)
        if side is Above:
            self.high = min(self.high, bound)
        else:
            self.low = max(self.low, bound)

    def _form(self, side: type[Bounding], *, free: bool) -> Bounding:
        ventures = self._ventures
        scope = Scope(
            ventures.game.rulings,
            ventures.table,
            ventures.seat,
            self._begin,
            recovers=side.above,
            bounds=True,
            harmless=side.above,
        )
        form = side(ventures, scope, self._has_time, free=free or scope.free_seeing)
        self._forms[side] = form
        return form

    def _has_time(self) -> bool:
        return self._alive()
