"""The sheets of a venture (``odds.sheets``) as tasks that somebody else may work out (``rules.core.decks``).

A sheet has orders, a task what share of all orders they are. What follows the next card, each as likely as the others,
has one card less; decks that leave cards out are each as likely as they are by copies; and so are parts of what is
there that lie below a look. So a mean over decks is that over orders, and choices are between decks of one size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.core.decks import (
    ONE,
    Chosen,
    Counts,
    LeftOut,
    Looked,
    Read,
    Task,
    Turned,
    deck_counts,
    pair_counts,
    radix,
)
from rules.iditacards.odds.sums import Node, SeenNode


class Sheet(NamedTuple):
    """One node and one number of cards."""

    node: Node
    size: int


class Most(NamedTuple):
    """The most copies that there may be."""

    kinds: tuple[int, ...]
    """The classes of which there may be any, most copies first."""
    copies: Counts


def entries(most: Mapping[Sheet, Most]) -> int:
    """Return how many decks and pairs of decks there are on all sheets."""
    found = 0
    for (node, size), (_, copies) in most.items():
        if isinstance(node, SeenNode) and node.backs and size == node.there:
            found += pair_counts(copies, node.looked, node.below)
        else:
            found += deck_counts(copies)[size]
    return found


class Tasks:
    """Writes the tasks of some sheets; ``lost`` and ``through`` have none."""

    def __init__(self, most: Mapping[Sheet, Most], lost: Node, through: Node) -> None:
        self._most = most
        self._lost = lost
        self._through = through
        self._places: dict[Sheet, int] = {}

    def written(self, order: Sequence[Sheet]) -> list[Task]:
        """Return the tasks of sheets, each after those that it reads; sheets with the same task share it.

        Nodes that differ only in what cannot be there, or not with so many cards, come to the same.
        """
        found: dict[Task, int] = {}
        for sheet in order:
            self._places[sheet] = found.setdefault(self._written(sheet), len(found))
        return list(found)[: self._places[order[-1]] + 1]

    def _written(self, sheet: Sheet) -> Task:
        node, size = sheet
        copies = self._most[sheet].copies
        if not isinstance(node, SeenNode):
            return Turned(copies, size, self._turned(sheet))
        if size > node.there:
            return LeftOut(copies, size, node.there, self._read(sheet, node, node.there))
        if not node.backs:
            return Chosen(copies, size, tuple(self._read(sheet, way, size) for way in node.best))
        ways = zip(node.backs, node.best, strict=True)
        reads = tuple((back, self._read(sheet, way, node.below + back)) for back, way in ways if way is not self._lost)
        return Looked(copies, node.looked, node.below, reads)

    def _turned(self, sheet: Sheet) -> tuple[tuple[Read, Counts], ...]:
        """Return what follows, together for classes that are alike in it."""
        kinds = self._most[sheet].kinds
        ways: dict[tuple[Node, int], list[int]] = {}
        for place, kind in enumerate(kinds):
            after = sheet.node.kinds[kind]
            if after is not self._lost:
                first = ONE if after is self._through else after.alike[kind]
                ways.setdefault((after, first), []).append(place)
        found = []
        for (after, first), places in ways.items():
            found.append((self._read(sheet, after, sheet.size - 1, first), tuple(places)))
        return tuple(found)

    def _read(self, sheet: Sheet, node: Node, size: int, first: int = ONE) -> Read:
        """Return where a node is read, without a card of some class if one is given."""
        kinds = self._most[sheet].kinds
        if node is self._through:
            return Read(ONE, (0,) * len(kinds))
        read = Sheet(node, size)
        there = self._most[read]
        places = dict(zip(there.kinds, radix(there.copies), strict=True))
        weights = tuple([places.get(node.alike[kind], 0) for kind in kinds])
        return Read(self._places[read], weights, places.get(first, 0))
