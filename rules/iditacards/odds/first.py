"""What the first risk of a card may turn up, and the chance after it, for whoever uses nothing that was seen.

It is read off what was worked out for the chance (``odds.going``): what follows each class of cards is a part of it.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from rules.core.ventures import OutOfReach, TurnedUp
from rules.iditacards.odds.going import GoingOn
from rules.iditacards.odds.sums import Node, Sums


class Begun(Sums):
    """Sums that keep what they were asked for."""

    start: Node | None = None

    def chance(self, node: Node, pool: tuple[int, ...], size: int) -> Fraction:
        """Return the chance that the venture comes through."""
        self.start = node
        return super().chance(node, pool, size)


class First(GoingOn):
    """One venture, of which is also known what follows its first risk card.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    _sums: Begun

    def _summed(self) -> Begun:
        return Begun(len(self._cards))

    def turned_up(self) -> list[TurnedUp]:
        """Return the cards that the first risk may turn up, the likeliest first.

        Raises:
            OutOfReach: the chance was not asked before, the first risk card is drawn, or none is turned over.
        """
        sums, pool = self._sums, self._pool
        node, size = sums.start, sum(pool)
        if node is None or node is sums.lost or node is sums.through or self._carried.draws_first:
            raise OutOfReach
        while node.best:
            node = max(node.best, key=lambda way: sums.value(way, pool, size))
        if not node.kinds:
            raise OutOfReach
        chances: dict[int, Fraction] = {}
        for number, copies in enumerate(pool):
            if copies:
                fewer = (*pool[:number], copies - 1, *pool[number + 1 :])
                chances[number] = Fraction(sums.value(node.kinds[number], fewer, size - 1), factorial(size - 1))
        scope = self._scope
        found = [
            TurnedUp(name, Fraction(copies, size), chances[self._waiting.number(name)])
            for name, copies in zip(scope.kinds, scope.pool, strict=True)
        ]
        return sorted(found, key=lambda each: (-each.probability, each.card))
