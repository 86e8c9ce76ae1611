"""What the nodes of a venture are worth for all decks of one size at once, for somebody who uses what was seen.

Whoever chooses or looks knows which cards the deck has, so a node behind it is asked for nearly all decks of some size
that can lie there. A *sheet* is one node with one size, and the value for each of them. The cards of a deck are a part
of the pool without those that were turned over on the way, so from the start of a venture each sheet is given, class by
class, the *most* copies that may be there, over all ways to it: all decks of so many cards within that are on it. Some
of them may never lie there; what they are worth is right, and read by nobody.

Classes that are alike at a node are counted for the first of them. Numbers of copies are digits of a *code*; a digit
has room for one more than all cards, so that a code with a card taken away that is not there is that of no deck. The
decks of a sheet are in the order of ``parts``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import comb, factorial, prod
from operator import add, mul
from typing import Final

from rules.core.decks import Decks, radix
from rules.core.ventures import OutOfReach
from rules.iditacards.odds.looks import Look
from rules.iditacards.odds.sums import Node, SeenNode, merged
from rules.iditacards.odds.tasks import Most, Sheet, Tasks, entries

FEWER: Final = 4
"""How many times as many parts are listed by numbers of cards as are gone through one by one."""
Pool = tuple[int, ...]
Codes = list[int]
Values = dict[int, int]
"""By the code of a deck; what is worth nothing may be left out."""


class Sheets:
    """The sheets of one venture; values are as ``odds.seen`` has them.

    Raises:
        OutOfReach: time is up.
    """

    def __init__(
        self,
        lost: Node,
        through: Node,
        pool: Pool,
        scale: int,
        alive: Callable[[], bool],
        decks: Decks | None = None,
    ) -> None:
        """``decks`` works out what much is to be added up for."""
        self._ends = (lost, through)
        self._decks = decks
        self._pool = pool
        self._scale = scale
        self._alive = alive
        bits = (sum(pool) + 1).bit_length()
        self._places = [1 << bits * kind for kind in range(len(pool))]
        self._firsts: dict[tuple[Pool, Pool], list[tuple[int, int]]] = {}
        self._lasts: dict[tuple[Pool, Pool], list[Codes]] = {}
        self._most: dict[Sheet, Most] = {}
        self._values: dict[Sheet, Values] = {}
        self._asked: dict[Sheet, int] = {}
        """How many sheets have still to read one."""

    def value(self, root: Node, size: int) -> int:
        """Return what a node is worth for the pool."""
        top = Sheet(root, size)
        order = self._order(top)
        self._spread(top, order)
        order = [sheet for sheet in order if sheet in self._most]  # to others only a card leads that is not there
        if self._decks is not None and self._decks.worthwhile(entries(self._most)):
            worth = self._decks.worth(Tasks(self._most, *self._ends).written(order), self._check)
            orders: int = factorial(size) * self._scale**root.looks
            assert orders % worth.denominator == 0
            return orders // worth.denominator * worth.numerator
        for sheet in order:
            self._check()
            self._values[sheet] = self._worked_out(sheet)
            for read in self._reads(sheet):
                self._asked[read] -= 1
                if not self._asked[read]:
                    del self._values[read]
        return sum(self._values[top].values())

    def _check(self) -> None:
        if not self._alive():
            raise OutOfReach

    # Which sheets there are

    def _order(self, top: Sheet) -> list[Sheet]:
        """Return all sheets that may be read, each after those that it reads."""
        order: list[Sheet] = []
        met = {top}
        todo = [(top, self._after(top))]
        while todo:
            sheet, after = todo[-1]
            for read in after:
                if read not in met:
                    met.add(read)
                    todo.append((read, self._after(read)))
                    break
            else:
                order.append(sheet)
                todo.pop()
        return order

    def _after(self, sheet: Sheet) -> Iterator[Sheet]:
        node, size = sheet
        if isinstance(node, SeenNode):
            found = [Sheet(node, node.there)] if size > node.there else _ways(node)
        else:
            found = [Sheet(each, size - 1) for each in dict.fromkeys(node.kinds)]
        return (each for each in found if each.node not in self._ends)

    def _spread(self, top: Sheet, order: list[Sheet]) -> None:
        """Work out which copies there may be of each class, and how many sheets read each."""
        raw = {top: self._pool}
        for sheet in reversed(order):
            copies = raw.pop(sheet, None)
            if copies is None:
                continue
            self._most[sheet] = _most(sheet.node, copies)
            for read, fewer in self._fewer(sheet, copies):
                known = raw.get(read)
                raw[read] = fewer if known is None else tuple(map(max, known, fewer))
            for read in self._reads(sheet):
                self._asked[read] = self._asked.get(read, 0) + 1

    def _fewer(self, sheet: Sheet, copies: Pool) -> Iterator[tuple[Sheet, Pool]]:
        """Yield the sheets that one reads, with the copies that there may be."""
        node, size = sheet
        if isinstance(node, SeenNode):
            for read in self._reads(sheet):
                yield read, copies
            return
        before: dict[Node, list[int]] = {}
        for kind, each in enumerate(node.kinds):
            if copies[kind] and each not in self._ends:
                before.setdefault(each, []).append(kind)
        for each, kinds in before.items():
            kind = kinds[0]
            fewer = copies if len(kinds) > 1 else (*copies[:kind], copies[kind] - 1, *copies[kind + 1 :])
            yield Sheet(each, size - 1), fewer

    def _reads(self, sheet: Sheet) -> list[Sheet]:
        """Return the sheets that one reads, once it is known which copies it may have."""
        node, size = sheet
        if not isinstance(node, SeenNode):
            found = dict.fromkeys(map(node.kinds.__getitem__, self._most[sheet].kinds))
            return [Sheet(each, size - 1) for each in found if each not in self._ends]
        if size > node.there:
            return [Sheet(node, node.there)]
        return [read for read in _ways(node) if read.node not in self._ends]

    # Decks

    def _codes(self, most: Most, size: int, node: Node) -> Codes:
        """Return the codes that all decks have at a node."""
        alike, places = node.alike, self._places
        return self._listed(most.copies, size, tuple([places[alike[kind]] for kind in most.kinds]))

    def _counts(self, most: Most, size: int, kinds: list[int]) -> list[int]:
        """Return for all decks how many cards they have of some classes."""
        return self._listed(most.copies, size, tuple([int(kind in kinds) for kind in most.kinds]))

    def _listed(self, copies: Pool, size: int, weights: Pool) -> list[int]:
        """Return for all parts of some cards with so many cards the sum of weights."""
        half = halved(copies)
        rest = self._by_size(copies[half:], weights[half:])
        last = len(rest) - 1
        first = self._first(copies[:half], weights[:half])
        rows = [(weight, rest[size - n]) for weight, n in first if 0 <= size - n <= last]
        return [one + other for one, row in rows for other in row]

    def _first(self, copies: Pool, weights: Pool) -> list[tuple[int, int]]:
        """Return the sum of weights and the number of cards of all parts of some cards, fewest of the first first."""
        found = self._firsts.get((copies, weights))
        if found is None:
            found = [(0, 0)]
            for most, weight in zip(copies, weights, strict=True):
                found = [(total + n * weight, size + n) for total, size in found for n in range(most + 1)]
            self._firsts[copies, weights] = found
        return found

    def _by_size(self, copies: Pool, weights: Pool) -> list[Codes]:
        """Return the sums of weights of all parts of some cards, by their numbers of cards."""
        found = self._lasts.get((copies, weights))
        if found is None:
            found = [[0]]
            for most, weight in zip(reversed(copies), reversed(weights), strict=True):
                more: list[Codes] = [[] for _ in range(len(found) + most)]
                for n in range(most + 1):
                    for size, totals in enumerate(found, n):
                        more[size] += [total + n * weight for total in totals]
                found = more
            self._lasts[copies, weights] = found
        return found

    # What they are worth

    def _worked_out(self, sheet: Sheet) -> Values:
        node, size = sheet
        if not isinstance(node, SeenNode):
            return self._turned(sheet)
        if size > node.there:
            return self._taken_away(sheet, node)
        return self._looked(sheet, node) if node.backs else self._chosen(sheet, node)

    def _turned(self, sheet: Sheet) -> Values:
        """Return the sum over the next card."""
        node, size = sheet
        most = self._most[sheet]
        own = self._codes(most, size, node)
        columns: list[list[int]] = []
        lost, through = self._ends
        groups: dict[Node, list[int]] = {}
        for kind in most.kinds:
            if node.kinds[kind] is not lost:
                groups.setdefault(node.kinds[kind], []).append(kind)
        for each, group in groups.items():
            factor: int = self._scale ** (node.looks - each.looks)
            if each is through:
                factor *= factorial(size - 1)
                columns.append([n * factor for n in self._counts(most, size, group)])
                continue
            get = self._values[Sheet(each, size - 1)].get
            codes = own if each.alike == node.alike else self._codes(most, size, each)
            firsts: dict[int, list[int]] = {}
            for kind in group:
                firsts.setdefault(each.alike[kind], []).append(kind)
            for first, same in firsts.items():
                card = self._places[first]
                if factor == 1 and _single(most, each, first):
                    columns.append([get(code - card, 0) for code in codes])
                    continue
                counts = self._counts(most, size, same)
                if factor != 1:
                    counts = [n * factor for n in counts]
                columns.append([get(code - card, 0) * n for code, n in zip(codes, counts, strict=True)])
        if not columns:
            return {}
        total = columns[0]
        for column in columns[1:]:
            total = list(map(add, total, column))
        return dict(zip(own, total, strict=True))

    def _taken_away(self, sheet: Sheet, node: SeenNode) -> Values:
        """Return the sum over all that may be in the deck; the cards that are not stand for all their orders."""
        most, size, there = self._most[sheet], sheet.size, node.there
        get = self._values[Sheet(node, there)].get
        orders = factorial(size - there)
        worths = [get(code, 0) for code in self._codes(most, there, node)]
        if sum(most.copies) == size:  # of one pool
            return {self._codes(most, size, node)[0]: orders * sum(map(mul, ways_of(most.copies, there), worths))}
        places = radix(most.copies)
        every = [0] * prod(n + 1 for n in most.copies)
        for deck, worth in zip(self._listed(most.copies, there, places), worths, strict=True):
            every[deck] = worth
        every = over_parts(most.copies, every)
        pools = self._listed(most.copies, size, places)
        return {code: orders * every[pool] for code, pool in zip(self._codes(most, size, node), pools, strict=True)}

    def _chosen(self, sheet: Sheet, node: SeenNode) -> Values:
        """Return the best way for each deck."""
        most = self._most[sheet]
        best: list[int] = []
        for way in node.best:
            worths = self._worths(most, way, sheet.size, self._scale ** (node.looks - way.looks))
            best = [x if x > y else y for x, y in zip(best, worths, strict=True)] if best else worths
        return dict(zip(self._codes(most, sheet.size, node), best, strict=True))

    def _worths(self, most: Most, way: Node, size: int, factor: int) -> list[int]:
        """Return what a way is worth for all decks, so many times."""
        codes = self._codes(most, size, way)
        if way in self._ends:
            return [factor * factorial(size) if way is self._ends[1] else 0] * len(codes)
        get = self._values[Sheet(way, size)].get
        return [get(code, 0) * factor for code in codes]

    def _looked(self, sheet: Sheet, node: SeenNode) -> Values:
        """Return the sum over what is shown, for each deck with what is shown.

        Of size! orders as many have so many cards above so many others as looked! below! stands for; the deck
        afterwards has (below + back)! orders, which the scale makes a divisor: the quotient
        (below + back)! / (looked! below!) divides a binomial coefficient of a number up to the size of the deck.
        """
        most, looked, below = self._most[sheet], node.looked, node.below
        orders = factorial(looked) * factorial(below)
        places = radix(most.copies)
        worths = [0] * prod(n + 1 for n in most.copies)
        for back, way in zip(node.backs, node.best, strict=True):
            size = below + back
            factor: int = orders * self._scale ** (node.looks - way.looks) // factorial(size)
            for deck, worth in zip(
                self._listed(most.copies, size, places), self._worths(most, way, size, factor), strict=True
            ):
                worths[deck] = worth
        sums = Look(most.copies, looked, below, self._check).sums(worths)
        decks = self._listed(most.copies, sheet.size, places)
        return {code: sums[deck] for code, deck in zip(self._codes(most, sheet.size, node), decks, strict=True)}


def _ways(node: SeenNode) -> list[Sheet]:
    """Return what a choice or a look reads."""
    if not node.backs:
        return [Sheet(way, node.below) for way in dict.fromkeys(node.best)]
    ways = zip(node.backs, node.best, strict=True)
    return list(dict.fromkeys(Sheet(way, node.below + back) for back, way in ways))


def _most(node: Node, copies: Pool) -> Most:
    most = merged(node, tuple(copies))
    kinds = sorted((kind for kind, n in enumerate(most) if n), key=lambda kind: -most[kind])
    return Most(tuple(kinds), tuple([most[kind] for kind in kinds]))


def _single(most: Most, each: Node, first: int) -> bool:
    """Return whether a deck has one card at most of those that a node counts for some class."""
    return sum(n for kind, n in zip(*most, strict=True) if each.alike[kind] == first) == 1


@lru_cache(maxsize=4096)
def halved(copies: Pool) -> int:
    """Return where to split classes for parts to be listed: so that not many more parts are before than after."""
    half, parts = 0, 1
    every = prod(n + 1 for n in copies)
    while parts * parts * FEWER < every:
        parts *= copies[half] + 1
        half += 1
    return half


def ways_of(copies: Pool, size: int) -> list[int]:
    """Return for all parts of some cards with so many cards how many there are by copies."""
    half = halved(copies)
    rest: list[list[int]] = [[] for _ in range(sum(copies) + 1)]
    for ways, n in _by_copies(copies[half:]):
        rest[n].append(ways)
    return [one * other for one, n in _by_copies(copies[:half]) if n <= size for other in rest[size - n]]


def _by_copies(copies: Pool) -> list[tuple[int, int]]:
    found = [(1, 0)]
    for most in copies:
        found = [(ways * comb(most, n), cards + n) for ways, cards in found for n in range(most + 1)]
    return found


def over_parts(copies: Pool, worths: list[int]) -> list[int]:
    """Return for each part of some cards the sum over all its parts, each in so many ways by copies.

    Parts are in the order of their numbers. The sum is over the copies of one class after the other, from the last one
    on; the class that is done becomes the highest digit.
    """
    for n in reversed(copies):
        pieces = [worths[digit :: n + 1] for digit in range(n + 1)]
        worths = []
        for upper in range(n + 1):
            total = pieces[upper]
            for lower in range(upper):
                many = comb(upper, lower)
                piece = pieces[lower] if many == 1 else [many * each for each in pieces[lower]]
                total = list(map(add, total, piece))
            worths += total
    return worths
