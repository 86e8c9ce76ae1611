"""The greatest chance of a player who decides without using what was drawn or looked at.

To such a player all cards that were not turned over stay as likely as before in every place. So a situation is worth
the number of orders of the pool in which the venture comes through, an integer as long as no other chance comes in:
for every card that may come next, those orders of the others that do.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

from rules.iditacards.odds.nodes import Alike, Chance, Choice, End, Node, Situation, Turned

Pool = tuple[int, ...]
Orders = int | Fraction


class Blind:
    """Numbers of orders, each worked out once; ``chose`` tells whether anything was decided."""

    def __init__(self) -> None:
        self._values: dict[Situation, dict[Pool, Orders]] = {}
        self.chose = False

    def chance(self, node: Node | Situation, pool: Pool) -> Fraction:
        """Return the chance at the start of a turn, or in a turn, of whoever has not seen the cards of a pool."""
        size = sum(pool)
        orders = self._situation(node, pool, size) if isinstance(node, Situation) else self._node(node, pool, size)
        return Fraction(orders) / factorial(size)

    def _situation(self, situation: Situation, pool: Pool, size: int) -> Orders:
        pool = counted(pool, situation.alike)
        values = self._values.get(situation)
        if values is None:
            values = self._values[situation] = {}
        known = values.get(pool)
        if known is None:
            if situation.node is not None:
                known = self._node(situation.node, pool, size)
            else:
                self.chose = self.chose or len(situation.ways) > 1
                known = max(self._next_card(situation, way, pool, size) for way in situation.ways)
            values[pool] = known
        return known

    def _next_card(self, situation: Situation, way: Turned, pool: Pool, size: int) -> Orders:
        plain: Orders = 0
        if situation.unknown:
            for kind, copies in enumerate(pool):
                if copies:
                    left = (*pool[:kind], copies - 1, *pool[kind + 1 :])
                    plain += copies * self._node(way.kinds[kind], left, size - 1)
        if not way.damage:
            return plain
        harm = sum(copies * self._node(node, pool, size) for copies, node in way.damage)
        return Fraction(harm + situation.unknown * plain) / situation.cards

    def _node(self, node: Node, pool: Pool, size: int) -> Orders:
        if isinstance(node, End):
            if node.situation is not None:
                return node.orders * self._situation(node.situation, pool, size)
            return node.orders * factorial(size) if node.through else 0
        if isinstance(node, Chance):
            return sum(chance * self._node(after, pool, size) for chance, after in node.ways)
        self.chose = True
        if isinstance(node, Choice):
            return max(self._node(after, pool, size) for after in node.ways)
        return max(self._node(after, pool, size) for _, after in node.ways)


def counted(pool: Pool, alike: Alike) -> Pool:
    """Return a pool with the copies of all kinds that are alike counted for the first of them."""
    merged = [0] * len(pool)
    for first, copies in zip(alike, pool, strict=True):
        merged[first] += copies
    return tuple(merged)


@lru_cache(maxsize=4096)
def shares(pool: Pool, n: int) -> tuple[tuple[Pool, int], ...]:
    """Return every way to take n cards out of a pool by kinds, with the number of ways by copies."""
    if not pool:
        return (((), 1),) if n == 0 else ()
    if pool[0] == 0:
        return tuple(((0, *rest), more) for rest, more in shares(pool[1:], n))
    found: list[tuple[Pool, int]] = []
    for copies in range(max(0, n - sum(pool[1:])), min(pool[0], n) + 1):
        ways = comb(pool[0], copies)
        found.extend(((copies, *rest), ways * more) for rest, more in shares(pool[1:], n - copies))
    return tuple(found)
