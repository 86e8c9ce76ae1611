"""Which trees are never worth less than others, whatever lies in the deck; the others need not be looked at.

That one tree *dominates* another is found by comparing them part by part, and claimed only where it follows:

- a tree dominates itself, and every tree in which all is lost;
- an end dominates an end that stands for no more orders, if it has come through or if its situation dominates;
- a choice dominates what one of its ways dominates; a tree that dominates every way of a choice dominates the choice,
  since whoever chooses takes one of them for each deck, and what a tree is worth is its mean over the decks;
- a look dominates one at as many cards where some way with as many cards put back dominates each of the other's ways;
- chance events are compared result by result, where both have the same results;
- a situation dominates one with the same deck if each way of the other is dominated by some way of its own, for each
  kind of card that may be turned over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.iditacards.odds.nodes import Chance, End, Look, Node, Situation, Turned


class Dominance:
    """Comparisons of trees, each made once."""

    def __init__(self, lost: End) -> None:
        self._lost = lost
        self._known: dict[tuple[int, int], bool] = {}

    def best(self, ways: frozenset[Node]) -> frozenset[Node]:
        """Return the ways that no other one dominates; of two that dominate each other one is kept."""
        kept: list[Node] = []
        for way in ways:
            if not any(self.node(other, way) for other in kept):
                kept = [other for other in kept if not self.node(way, other)]
                kept.append(way)
        return frozenset(kept)

    def best_turned(self, ways: frozenset[Turned]) -> frozenset[Turned]:
        """Return likewise what may be done before a card is turned over."""
        kept: list[Turned] = []
        for way in ways:
            if not any(self._turned(other, way) for other in kept):
                kept = [other for other in kept if not self._turned(way, other)]
                kept.append(way)
        return frozenset(kept)

    def node(self, one: Node, other: Node) -> bool:
        """Return whether a tree is known never to be worth less than another one."""
        if one is other or other is self._lost:
            return True
        name = (id(one), id(other))
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._compared(one, other)
        return known

    def _compared(self, one: Node, other: Node) -> bool:
        from rules.iditacards.odds.nodes import Chance, Choice, End, Look  # that module uses this one

        if isinstance(other, Choice) and all(self.node(one, way) for way in other.ways):
            return True
        if isinstance(one, Choice):
            return any(self.node(way, other) for way in one.ways)
        if isinstance(one, End):
            return isinstance(other, End) and self._end(one, other)
        if isinstance(one, Chance):
            return isinstance(other, Chance) and self._chance(one, other)
        return isinstance(other, Look) and self._look(one, other)

    def _end(self, one: End, other: End) -> bool:
        if one.orders < other.orders or one is self._lost:
            return False
        if one.situation is None or other.situation is None:
            return one.situation is None
        return self._situation(one.situation, other.situation)

    def _chance(self, one: Chance, other: Chance) -> bool:
        pairs = zip(one.ways, other.ways, strict=False)
        return len(one.ways) == len(other.ways) and all(
            chance == as_likely and self.node(way, as_good) for (chance, way), (as_likely, as_good) in pairs
        )

    def _look(self, one: Look, other: Look) -> bool:
        return (one.looked, one.below) == (other.looked, other.below) and all(
            any(back == returned and self.node(way, after) for back, way in one.ways) for returned, after in other.ways
        )

    def _situation(self, one: Situation, other: Situation) -> bool:
        if one is other:
            return True
        if (one.cards, one.unknown) != (other.cards, other.unknown):
            return False
        if one.node is not None or other.node is not None:
            return one.node is not None and other.node is not None and self.node(one.node, other.node)
        return all(any(self._turned(way, lesser) for way in one.ways) for lesser in other.ways)

    def _turned(self, one: Turned, other: Turned) -> bool:
        if one is other:
            return True
        if [copies for copies, _ in one.damage] != [copies for copies, _ in other.damage]:
            return False
        pairs = [*zip(one.kinds, other.kinds, strict=True)]
        pairs.extend((way, lesser) for (_, way), (_, lesser) in zip(one.damage, other.damage, strict=True))
        return all(self.node(way, lesser) for way, lesser in pairs)
