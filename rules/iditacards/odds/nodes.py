"""Turns of a venture as trees of which equal ones are one: what is the same for the aim is the same object.

Equal trees are worth the same whatever lies in the deck, so tables from which everything goes alike are one
*situation*, and choices between equal trees are none.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from rules.core.steps import ChanceOutcome
from rules.core.ventures import Fate, OutOfReach
from rules.iditacards.odds.dominance import Dominance
from rules.iditacards.odds.tree import Item, Path, SortedOut

Alike = tuple[int, ...]
"""For each kind the first kind that is alike."""


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """The end of a turn: come through or lost, or the situation of the next turn."""

    orders: int
    through: bool
    situation: Situation | None


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """A chance event; outcomes after which all is lost are left out."""

    ways: tuple[tuple[Fraction, Node], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A decision between trees that differ."""

    below: int
    """Unknown cards in the deck when it is taken."""
    ways: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A look at the top of the deck, and the ways the turn goes on after it."""

    looked: int
    below: int
    """Cards of the deck that were not looked at."""
    ways: tuple[tuple[int, Node], ...]
    """Cards that go back into the deck, and what follows."""


Node = End | Chance | Choice | Look


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """What follows when the next card is turned over, after some free actions."""

    kinds: tuple[Node, ...]
    """By kind of unknown card; empty where no such card is left."""
    damage: tuple[tuple[int, Node], ...]
    """Copies in the deck of each damage card, and what follows it."""


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The start of a turn of a venture that waits."""

    cards: int
    """Cards in the deck, as far as they count."""
    unknown: int
    """Those of them that are unknown and no damage cards."""
    ways: tuple[Turned, ...]
    """What may be done before a card is turned over; empty where none is."""
    node: Node | None
    """The turn where no card is turned over."""
    alike: Alike
    """Kinds that are alike here and in all that follows."""
    lost: bool
    """All is lost, whatever comes."""


Made = TypeVar("Made")
T = TypeVar("T")


class Nodes:
    """Makes nodes; asked twice for the same, it gives the same object."""

    def __init__(self, kinds: int, *, dominance: bool = True) -> None:
        """``dominance`` false keeps ways that others dominate, as a control."""
        self._kinds = kinds
        self._made: dict[Hashable, object] = {}
        self.lost = self._one(("end", 0), lambda: End(1, False, None))
        self._alike: dict[int, Alike] = {}
        self._dominance = Dominance(self.lost) if dominance else None

    def _one(self, key: Hashable, make: Callable[[], Made]) -> Made:
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = make()
        return found  # type: ignore[return-value] # a key is only ever used for one type

    def tree(self, paths: Sequence[Path[T]], situation: Callable[[T], Situation], depth: int = 0) -> Node:
        """Return the tree of all ways through a turn."""
        first = paths[0]
        if depth == len(first.items):
            return self._end(first, situation)
        groups: dict[Item, list[Path[T]]] = {}
        for path in paths:
            groups.setdefault(path.items[depth], []).append(path)
        ways = [(item, self.tree(group, situation, depth + 1)) for item, group in groups.items()]
        head = ways[0][0]
        if isinstance(head, ChanceOutcome):
            return self._chance((item.probability, node) for item, node in ways if isinstance(item, ChanceOutcome))
        if isinstance(head, SortedOut):
            splits = frozenset((item.returned, node) for item, node in ways if isinstance(item, SortedOut))
            return self._look(head, splits)
        return self._choice(head.below, frozenset(node for _, node in ways))

    def _end(self, path: Path[T], situation: Callable[[T], Situation]) -> Node:
        if path.fate is Fate.LOST:
            return self.lost
        orders = path.orders
        following = None if path.table is None else situation(path.table)
        if following is not None and following.lost:
            return self.lost
        return self._one(("end", orders, following), lambda: End(orders, following is None, following))

    def _chance(self, ways: Iterable[tuple[Fraction, Node]]) -> Node:
        total: dict[Node, Fraction] = {}
        for probability, node in ways:
            if node is not self.lost:
                total[node] = total.get(node, Fraction(0)) + probability
        if not total:
            return self.lost
        if len(total) == 1 and 1 in total.values():
            return next(iter(total))
        merged = tuple((probability, node) for node, probability in total.items())
        return self._one(("chance", frozenset(merged)), lambda: Chance(merged))

    def _choice(self, below: int, ways: frozenset[Node]) -> Node:
        ways = ways - {self.lost} or ways
        if self._dominance is not None and len(ways) > 1:
            ways = self._dominance.best(ways)
        if len(ways) == 1:
            return next(iter(ways))
        if below < 0:
            raise OutOfReach
        return self._one(("choice", below, ways), lambda: Choice(below, tuple(ways)))

    def _look(self, head: SortedOut, splits: frozenset[tuple[int, Node]]) -> Node:
        if all(node is self.lost for _, node in splits):
            return self.lost
        key = ("look", head.looked, head.below, splits)
        return self._one(key, lambda: Look(head.looked, head.below, tuple(splits)))

    def turned(self, kinds: Iterable[Node], damage: Iterable[tuple[int, Node]]) -> Turned:
        """Return what follows when a card is turned over."""
        cards, harm = tuple(kinds), tuple(damage)
        return self._one(("turned", cards, harm), lambda: Turned(cards, harm))

    def situation(self, cards: int, unknown: int, ways: Iterable[Turned], node: Node | None) -> Situation:
        """Return the start of a turn; a deck counts as one card where it is all the same how many it has."""
        each = frozenset(ways)
        if self._dominance is not None and len(each) > 1:
            each = self._dominance.best_turned(each)
        if len(each) == 1 and unknown and not any(way.damage for way in each):
            cards = unknown = 1  # whatever lies below the next card, it is any card of the pool

        def make() -> Situation:
            parts: list[Sequence[Hashable]] = [way.kinds for way in each if way.kinds]
            nodes = [node for way in each for node in (*way.kinds, *(after for _, after in way.damage))]
            parts.extend(self.alike(after) for after in (*nodes, *([] if node is None else [node])))
            lost = all(following is self.lost for following in (*nodes, *([] if node is None else [node])))
            return Situation(cards, unknown, tuple(each), node, self._common(parts), lost)

        return self._one(("situation", cards, unknown, each, node), make)

    def alike(self, node: Node) -> Alike:
        """Return for each kind the first one that is alike in all that follows."""
        found = self._alike.get(id(node))
        if found is None:
            parts = {following.alike for following in _following(node)}
            found = self._alike[id(node)] = self._common(list(parts))
        return found

    def _common(self, parts: Sequence[Sequence[Hashable]]) -> Alike:
        first: dict[tuple[Hashable, ...], int] = {}
        return tuple(first.setdefault(tuple(part[kind] for part in parts), kind) for kind in range(self._kinds))


def _following(node: Node) -> Iterator[Situation]:
    if isinstance(node, End):
        if node.situation is not None:
            yield node.situation
    elif isinstance(node, Choice):
        for after in node.ways:
            yield from _following(after)
    else:
        for _, after in node.ways:
            yield from _following(after)
