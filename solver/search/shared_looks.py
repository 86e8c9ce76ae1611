"""Looks at a deck of which there are many pairs (``solver.search.looks``): pairs that come to the same, only once.

Classes are gone through one after another, those of which there are few copies first. Once some are, a pair of their
parts, what lies below and what is there, is a *row*: the greatest rank in between, for all that the deck may have of
the other classes. So many cards of these have still to lie *under* and to be *there*, and nothing else counts for what
follows. So all pairs with equal rows and numbers are one row from there on.

Of a row only entries with at least as many cards as are under and at most as many as are there lie in between. No
others are read by what follows, so they are made equal before rows are compared.

Rows are found to be equal by a sum of their entries, each times a number of its own, and then compared with the first
one of the same sum, entry by entry: where they differ no two rows of that round are taken for one. Where few rows are
equal, or they are short, the rest is gone through without comparing any.

Then worths are added up from the last class to the first: for each row and for all that may be there of the classes
that are left, over all that may lie below, which counts as often as it is chosen by copies. All terms are whole and
none is negative, so no part of a sum is more than the sum, which doubles hold (``EXACT_BITS``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb, prod
from typing import Any, Final, NamedTuple

from rules.core.decks import Counts, pair_counts

WHOLE: Final = 800
"""Pairs of the first classes up to which nothing is compared."""
LONG: Final = 100
"""Entries of rows from which on they are compared."""
MASKED: Final = 400_000
"""Entries of the masks of one round up to which they are worth their while."""
FEW: Final = 0.9
"""Part of all rows that are different, from which on no more are compared."""
AT_ONCE: Final = 600_000
"""About how many pairs are gone through at once at most after that."""
GROUP_BITS: Final = 12
"""Bits of the number of a group, above the sum of a row."""

Left = tuple[int, int]
"""Cards that have still to lie under and to be there, of the classes that are left."""


class First(NamedTuple):
    """Pairs of the first classes, by cards that have still to be there, then by what is there of them."""

    there: Any
    numbers: Any
    """Of what is there."""
    ways: Any
    rows: Any
    """The row of each."""


class Round(NamedTuple):
    """One class of which rows were compared."""

    copies: int
    rest: int
    """Cards of the classes after it."""
    there: Any
    """By row."""
    after: Any
    """The row that follows each pair of numbers of copies, or one beyond all."""


class Move(NamedTuple):
    """Some copies of a class lie below and are there."""

    source: Left
    low: int
    high: int
    target: Left
    first: int
    """Where they begin among all of the target."""


Turn = tuple[list[Move], dict[Left, int]]
"""How a class leads on, and how many rows there were before."""


class Block(NamedTuple):
    """What rows with as many cards still to be there are worth, those of one number after another."""

    first: int
    worths: Any
    """A line for each row, and one of nothing in the end; by what is there, in the order of ``Parts``."""


Blocks = dict[int, Block]
"""By cards that have still to be there."""


class Parts(NamedTuple):
    """All parts of some classes that have so many cards, fewest copies of the first class first."""

    numbers: Any
    starts: dict[int, int]
    """By copies of the first class: where they begin."""


Columns = list[dict[int, Parts]]
"""From each class on, by numbers of cards."""


class SharedLooks:
    """Adds looks up; what is the same for looks of one shape is kept."""

    def __init__(self, np: Any) -> None:
        self._np = np
        self._masks: dict[tuple[Counts, Any], Any] = {}
        self.factors: Any = np.zeros(0, np.uint64)
        """What each eight bytes of a row count for; any numbers do."""

    def sums(
        self, copies: Counts, looked: int, below: int, ranks: Any, limbs: Sequence[Any], check: Callable[[], None]
    ) -> list[Any]:
        """Return for each limb its sums for all that may be there (``LookSums.sums``)."""
        np = self._np
        order = copies[::-1]
        place = whole = self._whole(order)
        first, values, groups = self._begun(order[:place], order, below, looked + below, ranks)
        rest = sum(order[place:])
        rounds: list[Round] = []
        while place + 1 < len(order) and values.shape[1] // (order[place] + 1) >= LONG:
            check()
            step, values, groups, few = self._compared(order, place, values, groups)
            rounds.append(step)
            rest -= order[place]
            place += 1
            if few:
                break
        there, under = np.divmod(groups, rest + 1)
        columns = self._columns(order, whole)
        found: list[Any] = []
        for blocks in self._rest(order[place:], values, under, there, limbs, columns[place - whole :], check):
            at = place
            for step in reversed(rounds):
                at -= 1
                blocks = self._added(step, blocks, columns[at - whole])
            found.append(self._placed(first, blocks, columns[at - whole], len(ranks)))
        return found

    # The first classes

    def _whole(self, order: Counts) -> int:
        """Return of how many classes all pairs are listed."""
        place, size = 0, 1
        while place + 1 < len(order):
            size *= comb(order[place] + 2, 2)
            if size > WHOLE:
                break
            place += 1
        return place

    def _begun(self, classes: Counts, order: Counts, below: int, cards: int, ranks: Any) -> tuple[First, Any, Any]:
        """Return the pairs of the first classes, and their rows by group."""
        np = self._np
        decks, unit = np.zeros(1, np.int32), 1
        for n in order:
            decks = np.add.outer(decks, np.arange(0, (n + 1) * unit, unit, dtype=np.int32)).ravel()
            unit *= n + 1
        values = ranks[decks].reshape(1, len(ranks))  # the first class is the highest digit, as it goes first
        low = high = numbers = np.zeros(1, np.int64)
        ways = np.ones(1)
        unit = 1
        for n in classes:
            values = self._between(values, n, values.shape[1] // (n + 1), values.shape[1] // (n + 1))
            values = values.reshape(-1, values.shape[2])
            pairs = pairs_of(n)
            highs = np.array([up for _, up in pairs])
            low = np.add.outer(low, np.array([down for down, _ in pairs])).ravel()
            high = np.add.outer(high, highs).ravel()
            numbers = np.add.outer(numbers, highs * unit).ravel()
            ways = np.multiply.outer(ways, np.array([comb(up, down) for down, up in pairs], np.float64)).ravel()
            unit *= n + 1
        rest = sum(order[len(classes) :])
        under, there = below - low, cards - high
        kept = np.flatnonzero((under >= 0) & (under <= there) & (there <= rest))
        kept = kept[np.lexsort((numbers[kept], there[kept]))]
        groups = there[kept] * (rest + 1) + under[kept]
        rows = np.argsort(groups, kind="stable")
        return First(there[kept], numbers[kept], ways[kept], inverse(np, rows)), values[kept[rows]], groups[rows]

    def _between(self, values: Any, copies: int, rest: int, wide: int) -> Any:
        """Return for each row and pair of numbers of copies the greatest ranks in between, and nothing after them."""
        np = self._np
        pieces = values[:, : (copies + 1) * rest].reshape(len(values), copies + 1, rest)
        pairs = pairs_of(copies)
        found = (np.empty if wide == rest else np.zeros)((len(values), len(pairs), wide), values.dtype)
        for place, (low, high) in enumerate(pairs):
            if high == low:
                found[:, place, :rest] = pieces[:, low]
            else:
                np.maximum(found[:, place - 1, :rest], pieces[:, high], out=found[:, place, :rest])
        return found

    # Rows that are compared

    def _compared(self, order: Counts, place: int, values: Any, groups: Any) -> tuple[Round, Any, Any, bool]:
        """Go through a class: return the round, the rows after it, their groups, and whether few were equal."""
        np = self._np
        n, rest = order[place], sum(order[place + 1 :])
        long = prod(each + 1 for each in order[place + 1 :])
        eight = 8 // values.dtype.itemsize
        pairs = pairs_of(n)
        there, under = np.divmod(groups, rest + n + 1)
        left = there[:, None] - np.array([high for _, high in pairs])
        least = under[:, None] - np.array([low for low, _ in pairs])
        leads = np.flatnonzero(((least >= 0) & (least <= left) & (left <= rest)).ravel())
        groups = (left * (rest + 1) + least).ravel()[leads]
        rows = self._between(values, n, long, -(-long // eight) * eight)
        rows = rows.reshape(-1, rows.shape[2])[leads]
        kept, same = self._different(rows, groups, order[place + 1 :])
        after = np.full(len(values) * len(pairs), len(kept))
        after[leads] = same
        step = Round(n, rest, there, after.reshape(len(values), len(pairs)))
        return step, rows[kept, :long], groups[kept], len(kept) > FEW * len(leads)

    def _different(self, rows: Any, groups: Any, classes: Counts) -> tuple[Any, Any]:
        """Return one of each sort of rows of a group, by group, and for each row which of those it is."""
        np = self._np
        words = rows.view(np.uint64)
        rest = sum(classes)
        if (rest + 1) ** 2 < 1 << GROUP_BITS:
            if rows.shape[1] * (rest + 1) ** 2 <= MASKED:
                words &= self._mask(classes, rows.dtype, rows.shape[1])[groups]
            sums = words @ self._weights(words.shape[1])
            sums >>= np.uint64(GROUP_BITS)
            sums |= groups.astype(np.uint64) << np.uint64(64 - GROUP_BITS)
            order = np.argsort(sums)
            sums = sums[order]
            new = np.ones(len(sums), bool)
            np.not_equal(sums[1:], sums[:-1], out=new[1:])
            same = np.empty(len(sums), np.int64)
            same[order] = np.cumsum(new) - 1
            kept = order[new]
            if np.array_equal(words[kept[same]], words):
                return kept, same
        kept = np.argsort(groups, kind="stable")
        return kept, inverse(np, kept)

    def _weights(self, many: int) -> Any:
        """Return so many odd numbers that have nothing to do with one another (splitmix64)."""
        np = self._np
        if len(self.factors) < many:
            mixed = np.arange(1, 2 * many + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
            self.factors = (mixed ^ mixed >> np.uint64(31)) | np.uint64(1)
        return self.factors[:many]

    def _mask(self, classes: Counts, dtype: Any, wide: int) -> Any:
        """Return for each group which entries of a row may lie in between, as bits."""
        np = self._np
        known = self._masks.get((classes, dtype))
        if known is None:
            if len(self._masks) > 64:
                self._masks.clear()
            sizes = np.zeros(1, np.int64)
            for n in classes:
                sizes = np.add.outer(sizes, np.arange(n + 1)).ravel()
            cards = np.arange(sum(classes) + 1)
            within = (sizes <= cards[:, None])[:, None] & (sizes >= cards[:, None])[None]
            masks = np.zeros((len(cards), len(cards), wide), dtype)
            masks[:, :, : len(sizes)][within] = np.array(-1).astype(dtype)
            known = self._masks[classes, dtype] = masks.reshape(-1, wide).view(np.uint64)
        return known

    # The other classes

    def _rest(
        self,
        classes: Counts,
        values: Any,
        under: Any,
        there: Any,
        limbs: Sequence[Any],
        columns: Columns,
        check: Callable[[], None],
    ) -> list[Blocks]:
        """Return for each limb what rows are worth by all that may be there of the last classes."""
        np = self._np
        found: list[Blocks] = []
        cuts = np.searchsorted(there, np.arange(sum(classes) + 2)).tolist()
        for _ in limbs:
            blocks: Blocks = {}
            for cards, (first, last) in enumerate(pairwise(cuts)):
                if first < last:
                    blocks[cards] = Block(first, np.zeros((last - first + 1, len(columns[0][cards].numbers))))
            found.append(blocks)
        for batch in self._batches(classes, under, there):
            check()
            sources = {key: np.ascontiguousarray(values[first:last].T) for key, first, last in batch}
            best, rounds = self._forward(classes, sources)
            for limb, blocks in zip(limbs, found, strict=True):
                worths = self._backward(classes, best, rounds, limb, columns)
                for key, first, last in batch:
                    start, lines = blocks[key[1]]
                    lines[first - start : last - start] = worths[key].T
        return found

    def _batches(self, classes: Counts, under: Any, there: Any) -> Iterator[list[tuple[Left, int, int]]]:
        """Yield numbers, first row and last row of groups, so many together as have not too many pairs."""
        np = self._np
        changed = (there[1:] != there[:-1]) | (under[1:] != under[:-1])
        cuts = [0, *(np.flatnonzero(changed) + 1).tolist(), len(there)]
        batch: list[tuple[Left, int, int]] = []
        pairs = 0
        for first, last in pairwise(cuts):
            key = (int(under[first]), int(there[first]))
            more = (last - first) * pair_counts(classes, key[1] - key[0], key[0])
            if batch and pairs + more > AT_ONCE:
                yield batch
                batch, pairs = [], 0
            batch.append((key, first, last))
            pairs += more
        yield batch

    def _forward(self, classes: Counts, found: dict[Left, Any]) -> tuple[dict[Left, Any], list[Turn]]:
        """Return the greatest ranks in between, and how they follow from some rows; entries come before rows."""
        np = self._np
        rounds: list[Turn] = []
        for place, n in enumerate(classes[:-1]):
            before = {key: each.shape[1] for key, each in found.items()}
            moves, sizes = moved(before, n, sum(classes[place + 1 :]))
            rounds.append((moves, before))
            long = prod(each + 1 for each in classes[place + 1 :])
            dtype = next(iter(found.values())).dtype
            more = {target: np.empty((long, size), dtype) for target, size in sizes.items()}
            of, start, reached, many = (-1, -1), -1, -1, 0
            pieces: Any = None
            best: Any = None
            for source, low, high, target, first in moves:
                if source != of:
                    of, start, many = source, -1, found[source].shape[1]
                    pieces = found[source].reshape(n + 1, long, many)
                if low != start:
                    start = reached = low
                    best = pieces[low]
                while reached < high - 1:
                    reached += 1
                    best = np.maximum(best, pieces[reached])
                into = more[target][:, first : first + many]
                if reached < high:
                    reached += 1
                    np.maximum(best, pieces[reached], out=into)
                else:
                    into[:] = best
                best = into
            found = more
        return {(low, high): each[low : high + 1].max(0) for (low, high), each in found.items()}, rounds

    def _backward(
        self, classes: Counts, best: dict[Left, Any], rounds: list[Turn], limb: Any, columns: Columns
    ) -> dict[Left, Any]:
        """Return what the rows are worth, a line for each part that may be there."""
        np = self._np
        worths: dict[Left, Any] = {}
        for (low, high), each in best.items():
            worths[low, high] = (limb[each] * comb(high, low) if 0 < low < high else limb[each])[None]
        for place in range(len(rounds) - 1, -1, -1):
            moves, sizes = rounds[place]
            more: dict[Left, Any] = {}
            of, many = (-1, -1), 0
            lines, begun, starts = limb, set[int](), dict[int, int]()
            for source, low, high, target, first in moves:
                if source != of:
                    of, many, begun = source, sizes[source], set()
                    starts = columns[place][source[1]].starts
                    lines = more[source] = np.empty((len(columns[place][source[1]].numbers), many))
                part = worths[target][:, first : first + many]
                start = starts[high]
                into = lines[start : start + len(part)]
                ways = 1 if low in (0, high) else comb(high, low)
                if high in begun:
                    into += part if ways == 1 else ways * part
                    continue
                begun.add(high)
                if ways == 1:
                    into[:] = part
                else:
                    np.multiply(part, ways, out=into)
            worths = more
        return worths

    def _columns(self, order: Counts, place: int) -> Columns:
        """Return the parts of all classes from each on, from a place on."""
        np = self._np
        found: Columns = [{0: Parts(np.zeros(1, np.int64), {})}]
        unit, rest = prod(n + 1 for n in order), 0
        for n in reversed(order[place:]):
            unit //= n + 1
            after, more = found[-1], dict[int, Parts]()
            for cards in range(rest + n + 1):
                highs = range(max(0, cards - rest), min(n, cards) + 1)
                parts = [after[cards - high].numbers for high in highs]
                starts = dict(zip(highs, accumulate(map(len, parts), initial=0), strict=False))
                numbers = np.concatenate(parts) + np.repeat(np.array(highs) * unit, [len(each) for each in parts])
                more[cards] = Parts(numbers, starts)
            found.append(more)
            rest += n
        return found[::-1]

    # What they are worth

    def _added(self, step: Round, blocks: Blocks, columns: dict[int, Parts]) -> Blocks:
        """Return what the rows before a class are worth, from those after it."""
        np = self._np
        n, rest, there, after = step
        places = {pair: place for place, pair in enumerate(pairs_of(n))}
        cuts = np.searchsorted(there, np.arange(rest + n + 2)).tolist()
        found: Blocks = {}
        for cards, (first, last) in enumerate(pairwise(cuts)):
            if first == last:
                continue
            lines = np.zeros((last - first + 1, len(columns[cards].numbers)))
            for high, start in columns[cards].starts.items():
                begin, worths = blocks[cards - high]
                into = lines[:-1, start : start + worths.shape[1]]
                for low in range(high + 1):
                    part = worths[np.minimum(after[first:last, places[low, high]] - begin, len(worths) - 1)]
                    into += part if low in (0, high) else comb(high, low) * part
            found[cards] = Block(first, lines)
        return found

    def _placed(self, first: First, blocks: Blocks, columns: dict[int, Parts], size: int) -> Any:
        """Return the sums over the pairs of the first classes, by the number of all that may be there."""
        np = self._np
        total = np.zeros(size)
        cuts = np.searchsorted(first.there, np.arange(first.there[-1] + 2)).tolist()
        for cards, (begin, end) in enumerate(pairwise(cuts)):
            if begin == end:
                continue
            start, worths = blocks[cards]
            each = worths[first.rows[begin:end] - start]
            each *= first.ways[begin:end, None]
            numbers = first.numbers[begin:end]
            new = np.flatnonzero(np.diff(numbers, prepend=-1))
            total[numbers[new][:, None] + columns[cards].numbers] = np.add.reduceat(each, new, axis=0)
        return total


def pairs_of(copies: int) -> list[tuple[int, int]]:
    """Return how many copies of a class lie below and are there."""
    return [(low, high) for low in range(copies + 1) for high in range(low, copies + 1)]


def moved(sizes: dict[Left, int], copies: int, rest: int) -> tuple[list[Move], dict[Left, int]]:
    """Return how a class leads on from so many rows, where so many cards are left after it, and to how many."""
    found: list[Move] = []
    more: dict[Left, int] = {}
    for source, many in sizes.items():
        under, there = source
        for low in range(max(0, under - rest), min(copies, under) + 1):
            for high in range(max(low, there - rest), min(copies, there - under + low) + 1):
                target = (under - low, there - high)
                first = more.get(target, 0)
                more[target] = first + many
                found.append(Move(source, low, high, target, first))
    return found, more


def inverse(np: Any, order: Any) -> Any:
    """Return where each place of an order has come from."""
    found = np.empty(len(order), np.int64)
    found[order] = np.arange(len(order))
    return found
