"""The chance of a risk card where cards come back from the discard pile: from both sides, mostly exact.

As ``odds.going`` and ``odds.seeing``, with cards and legs that read the discard pile. What cards taken back lead to is
followed as far as ``odds.recall`` says. Else whoever is allowed to take nothing back can leave it at that, so what
follows then is the least (Q51); cards that must be taken may all go to the hand, where they pay or lie idle (R22).
Where the whole pile goes back into the deck, the least is that all is lost. The most is that the card comes through.

A card that reads the pile changes no chance where it completes the root, where it cannot be paid, and where nobody
comes through after it or everybody does. Then both sides are equal, and so they are where nothing counts but numbers.

Each side is a game in which more cards are never worse: what can be taken back at a place is the same there for all
hands and decks. So what ``odds.going`` says of boxes of them holds for either.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rules.core.ventures import OutOfReach, TurnedUp
from rules.iditacards.odds.first import First
from rules.iditacards.odds.going import Following
from rules.iditacards.odds.numbers import Numbers
from rules.iditacards.odds.orders import READING, REFILL, Way
from rules.iditacards.odds.recall import PLAIN, Recalling
from rules.iditacards.odds.reserve import Reserve
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.seeing import LEAVE, Seeing
from rules.iditacards.odds.sides import BegunSides, SeenSides
from rules.iditacards.odds.sites import anywhere
from rules.iditacards.odds.sums import Node
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import Stack


class _Piled(Recalling):
    """One venture in which the discard pile may be read."""

    low = Fraction(0)
    """The least that the chance may be, once it is known."""

    def __init__(self, ventures: RiskCards, scope: Scope, alive: Callable[[], bool], *, free: bool) -> None:
        super().__init__(ventures, scope, alive, free=free)
        if self._carried.brings_back:
            self._sites.until = anywhere

    @property
    def high(self) -> Fraction:
        """The most that the chance may be."""
        return self._sums.high

    def _land(self, way: Way, stack: Stack, aside: bool, numbers: Numbers, box: list[int], nodes: Following) -> None:
        """Add what follows from the start of the next turn, also where the discard pile is read on the way."""
        orders = {order for order, _ in way.orders}
        if way.lost or orders.isdisjoint(READING):
            super()._land(way, stack, aside, numbers, box, nodes)
            return
        self._watch(numbers.pos + way.by, over=False)
        nodes.drawn |= REFILL in orders or not orders.isdisjoint(LEAVE)
        if orders <= PLAIN and not aside:
            nodes.append(self._recalled(way, stack, numbers, box))
            return
        least = Following()
        if REFILL not in orders and self._harmless:
            kept = tuple(order for order in way.orders if order[0] not in READING)
            super()._land(way._replace(orders=kept), stack, aside, numbers, box, least)
        node = least[0] if len(least) == 1 else self._sums.best(least)
        nodes.append(self._sums.unsure(node, self._sums.through))


class PiledFirst(_Piled, First):
    """The chance of who goes on and uses nothing that was seen."""

    _sums: BegunSides

    def _summed(self) -> BegunSides:
        return BegunSides(len(self._cards))


class PiledSeeing(_Piled, Seeing):
    """The greatest chance."""

    sums = SeenSides
    _sums: SeenSides

    def _shown(self, looked: int, ways: list[tuple[int, Node]], numbers: Numbers, box: list[int]) -> Node:
        """Return what follows a look at some cards above others, of which as many go back as a way says."""
        return self._sums.look(looked, numbers.deck, ways)


class Pile:
    """The chance of one venture from both sides."""

    def __init__(self, ventures: RiskCards, begin: str | None) -> None:
        self._ventures = ventures
        self._begin = begin
        self._alive: Callable[[], bool] = lambda: True
        self._going: PiledFirst | None = None
        self._scope: Scope | None = None
        self._done = False
        self.low = Fraction(0)
        self.high = Fraction(1)

    def close(self, alive: Callable[[], bool]) -> bool:
        """Bring both sides as close as can be; return whether that was done, and not left for want of time.

        Raises:
            OutOfReach: something else is read that is left out.
        """
        self._alive = alive
        if not self._done:
            try:
                self.high = self._closed()
            except OutOfReach:
                if alive():
                    raise
                return False
            self._done = True
        return True

    def plain(self, alive: Callable[[], bool]) -> Fraction | None:
        """Return the chance of who goes on and uses nothing that was seen; nothing where its two sides differ.

        Raises:
            OutOfReach: something else is read that is left out, or time is up.
        """
        self._alive = alive
        going, _ = self._first()
        return going.low if going.low == going.high else None

    def turned_up(self) -> list[TurnedUp]:
        """Return what the first risk may turn up, with the chance after it of whoever ``plain`` tells of.

        Raises:
            OutOfReach: it is not known.
        """
        if self._going is None or self._going.low != self._going.high:
            raise OutOfReach
        return self._going.turned_up()

    def _first(self) -> tuple[PiledFirst, Scope]:
        """Return who just goes on, and what counts, of which some has come to light on the way."""
        if self._going is None or self._scope is None:
            ventures = self._ventures
            rulings, table, seat = ventures.game.rulings, ventures.table, ventures.seat
            again = Reserve(rulings, table, seat, self._begin).cards
            scope = Scope(rulings, table, seat, self._begin, recovers=True, bounds=True, also=set(again), again=again)
            going = PiledFirst(ventures, scope, self._has_time, free=False)
            self._told(going)
            self._going, self._scope = going, scope
        return self._going, self._scope

    def _closed(self) -> Fraction:
        """Ask as ``Odds.chance`` does: free actions where one can matter, whoever sees where that may matter.

        Return the most.
        """
        ventures = self._ventures
        going, scope = self._first()
        high, chose = going.high, going.chose
        free = scope.free_actions or scope.touched
        if free and not chose:
            going = PiledFirst(ventures, scope, self._has_time, free=True)
            high = self._told(going)
            chose = going.chose
        if chose:
            free |= scope.free_seeing
            high = self._told(PiledSeeing(ventures, scope, self._has_time, free=free))
            if not free and scope.touched:
                high = self._told(PiledSeeing(ventures, scope, self._has_time, free=True))
        return high

    def _told(self, form: _Piled) -> Fraction:
        """Keep the least that a form tells, and return the most."""
        form.low = form.chance()
        self.low = max(self.low, form.low)
        return form.high

    def _has_time(self) -> bool:
        return self._alive()
