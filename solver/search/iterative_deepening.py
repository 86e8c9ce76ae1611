"""Exact search turn by turn, in layers over a transposition table: compiled code stores, this module says what is next.

The search for the fewest turns is A* by horizons. A position waits under its turn and its total, the turn plus an
admissible lower bound of the turns still to go. A horizon expands every position whose total it covers, turn by turn,
so a horizon without an arrival proves that no line is so short. Positions that a horizon leaves wait for the next one:
each is expanded once for the earliest turn on which it was reached.

The search for the greatest distance keeps a table for each turn, because more turns are not always better. It drops
positions that cannot beat the line known so far.

Source: iterative deepening A* (Korf 1985) with a transposition table, breadth first within a horizon.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from heapq import nlargest
from itertools import islice, repeat
from typing import Any, Final, Generic, TypeVar

from puzzles.puzzle import does_forbidden
from rules.core.files import canonical_json
from rules.core.race import NEVER, Race
from rules.core.scripts import SplitMix64
from solver.search import layout as V
from solver.search.budget import Budget, BudgetExceeded, Counters, NodesExceeded
from solver.search.transposition_table import Ends, Positions

T = TypeVar("T")

NO_TARGET: Final = -1 << 30
"""Target that every position has reached, for those who do not ask for a bound."""
BYTES_A_STATE: Final = 174
"""Memory of one position at most, key and columns, to turn a limit of positions into one of bytes."""
AMPLE: Final = 20_000
"""Positions of one turn after which a beam leaves out what the less promising ones lead to, at least,"""
AMPLE_EACH: Final = 20
"""and for each position that it keeps."""
PATIENCE: Final = 20
"""Layers without a more promising position after which a beam gives up."""
END_S: Final = 0.000001
"""About the seconds of a turn end."""
ANY: Final = -1
"""In the place of a turn: any."""


class SearchProblem(ABC, Generic[T]):
    """One seat's open question over tables of one kind.

    A key may stand for several positions that differ in a choice decided late; ``shape`` is then the part they share.
    """

    engine: str
    """Name of the form: ``plain`` or ``encoded``."""
    projections: tuple[str, ...] = ()
    """What keys leave out, each with an argument in the form's own documentation."""
    decides_late = False
    """Whether a key can stand for several positions; if not, ``shape`` is the key."""
    bound_name: str
    """Name of the admissible bound behind ``lacking``; empty where there is none."""
    progress: Callable[[bytes], int]
    """Returns how far the seat has come."""
    rounds: Callable[[bytes], int]
    """Returns what breaks ties between equally many turns: fewer is better."""
    promise: Callable[[bytes], int]
    """Returns a guess of how good a key is, for beams only; more is better."""
    is_over: Callable[[bytes], bool]
    """Returns whether the game has ended."""

    @abstractmethod
    def project(self, table: T) -> bytes:
        """Return the key of a table."""

    def shape(self, key: bytes) -> Any:
        """Return what all positions of a key share; equal keys have equal shapes."""
        return key

    @abstractmethod
    def successors(self, key: bytes) -> Iterable[bytes]:
        """Return the keys after every way through the next turn, none when the game is over; repeats allowed."""

    @abstractmethod
    def expand(self, keys: Any, offsets: Any, first: int, last: int, target: int, ends: Ends) -> int:
        """Write the ends of sources ``first`` to ``last`` - 1, in order, behind those in ``ends``.

        ``keys`` are the bytes of all sources, ``offsets`` int64 where each begins and the last one ends. Returns early
        where ends are many. ``ends.enough`` may cut a long source short.

        Returns:
            The next source that is not expanded.
        """

    @abstractmethod
    def lacking(self, key: bytes, turns: int, target: int) -> int:
        """Return how many more turns than these any line to progress ``target`` needs at least; 0 if none is known."""

    @abstractmethod
    def distance(self, key: bytes, other: bytes) -> int:
        """Return how unlike two keys are, 0 for equal ones: what orders the ways through a turn to a known end."""

    def most_turns(self, key: bytes) -> int | None:
        """Return a number of turns that no line from here exceeds, or nothing where lines may go on for ever."""
        return None


REMEMBERED: Final = 2_000_000
"""Successors kept in memory: a run to a further horizon comes by the same tables, and playing a turn is slow."""
FEW: Final = 120
"""Successors up to which a beam looks at all of them."""
SAMPLES: Final = 24
"""Ways through a turn that a beam looks at where there are more."""
LOOK: Final = 32
"""Ends of a turn by the rules between two looks at the clock,"""
SLICE_ENDS: Final = 256
"""and ends after which no further turn is begun before all are stored."""


class PlainTurns(SearchProblem[T]):
    """Whole tables by number, turns from ``Game.turn_ends``, the bound of the game; carries every game and feature."""

    engine = "plain"

    def __init__(
        self, game: Race[T], seat: int, forbidden: frozenset[str], after: Callable[[T], Iterable[T]] | None = None
    ) -> None:
        """``after`` yields the tables after a turn more quickly, each once, where nothing is forbidden."""
        self._game, self._seat, self._forbidden, self._after = game, seat, forbidden, after
        self.bound_name = game.profile.bound_name
        self._tables: list[T] = []
        self._keys: dict[T, bytes] = {}
        self.is_over = cache(lambda key: game.is_over(self.table(key)))
        self.progress = cache(lambda key: game.progress(self.table(key), seat))
        self.rounds = cache(lambda key: game.days(self.table(key), seat))
        self.promise = cache(lambda key: game.promise(self.table(key), seat))
        self._successors: dict[bytes, tuple[bytes, ...]] = {}
        self._room = REMEMBERED
        self._least_turns = lru_cache(REMEMBERED)(self._bound)

    def project(self, table: T) -> bytes:
        """Return the number of a table, in the order in which they are met."""
        if (key := self._keys.get(table)) is None:
            key = self._keys[table] = len(self._tables).to_bytes(4, "little")
            self._tables.append(table)
        return key

    def table(self, key: bytes) -> T:
        """Return the table of a number."""
        return self._tables[int.from_bytes(key, "little")]

    def successors(self, key: bytes) -> Iterator[bytes]:
        """Yield every table after the next turn that some way without a forbidden move leads to, once each."""
        if (known := self._successors.get(key)) is not None:
            yield from known
            return
        here = self.table(key)
        if self._game.is_over(here):
            return
        met: dict[bytes, None] = {}
        for table in self._turns(here) if self._after is None else self._after(here):
            after = self.project(table)
            if after not in met:
                met[after] = None
                yield after
        if len(met) <= self._room:
            self._room -= len(met)
            self._successors[key] = tuple(met)

    def _turns(self, table: T) -> Iterator[T]:
        ends = self._game.turn_ends(table) if self._forbidden else self._game.distinct_ends(table)
        return (end.table for end in ends if not does_forbidden(end.steps, self._forbidden))

    def _some_successors(self, key: bytes) -> Iterator[bytes]:
        """Yield all successors where they are few, else a random choice of them, the same for every run."""
        # Without a bound all promises look alike, and only a random choice keeps a beam from walking in one rut.
        most = FEW if self.bound_name else SAMPLES
        few = list(islice(self.successors(key), most))
        if len(few) < most:
            yield from few
            return
        table, generator = self.table(key), SplitMix64(self.progress(key))
        for _ in range(SAMPLES):
            end = self._game.sample_turn(table, generator)
            if not does_forbidden(end.steps, self._forbidden) and self._game.allows(table, end):
                yield self.project(end.table)

    def expand(self, keys: Any, offsets: Any, first: int, last: int, target: int, ends: Ends) -> int:
        """Write the ends of some sources, of each those of some turns where ``ends.sparing`` asks for no more."""
        for source in range(first, last):
            key, start = bytes(keys[offsets[source] : offsets[source + 1]]), ends.count
            for after in self._some_successors(key) if ends.sparing else self.successors(key):
                progress = self.progress(after)
                least = 0 if progress >= target else min(max(1, self._least_turns(after, target)), V.UNREACHABLE)
                promise = self.promise(after) if ends.sparing else 0
                ends.put(after, source, progress, least, self.rounds(after), promise, self.is_over(after))
                if ends.count % LOOK == 0 and ends.enough(ends.count - start):
                    return source + 1
            if ends.count >= SLICE_ENDS:
                return source + 1
        return last

    def distance(self, key: bytes, other: bytes) -> int:
        """Return how many entries only one of two tables has, wherever they stand in it."""
        one, two = (Counter(canonical_json(self._game.encode(self.table(each))).split(",")) for each in (key, other))
        return ((one - two) + (two - one)).total()

    def lacking(self, key: bytes, turns: int, target: int) -> int:
        """Return how many more turns than those left the target needs at least, by the game's bound."""
        return max(0, self._least_turns(key, target) - turns)

    def _bound(self, key: bytes, target: int) -> int:
        if not self.is_over(key):
            return self._game.least_turns(self.table(key), self._seat, target, self._forbidden)
        return 0 if self.progress(key) >= target else NEVER

    def most_turns(self, key: bytes) -> int | None:
        """Return the game's own number of turns after which it is over."""
        return self._game.most_turns(self.table(key), self._seat)


class TooLarge(BudgetExceeded, OverflowError):
    """A line leads to a table for which an encoding has no room."""


@dataclass(slots=True)
class Run:
    """One exhausted search to a horizon."""

    path: list[bytes] | None
    """Keys from a root to the best one that meets the target, both included; none if none does."""
    complete: bool
    """Nothing was cut for lack of turns: no line of any length meets the target if none was found."""
    lacking: int = 1
    """Turns more that a line needs at least where none was found."""
    tried: int = 0
    """Positions generated by it beyond those of shorter ones, from which it went on."""


@dataclass
class IterativeDeepening:
    """Searches one problem; the counters add up over all runs."""

    problem: SearchProblem[Any]
    budget: Budget
    roots: Sequence[bytes]
    """The positions to start from: one, or all that an unfinished turn can end in."""
    counters: Counters = field(default_factory=Counters)
    _most: int | None = None
    _most_ends: int = 0
    _frontier: dict[int, Positions] = field(default_factory=dict)
    """Everything reached on the way to one target, by that; horizons go on from it."""
    _ends: Ends = field(default_factory=Ends)
    """What the last expansion filled."""

    def run(self, target: int, turns: int, *, at_end: bool = False, most: int | None = None) -> Run | None:
        """Return the shortest way to ``target`` in at most ``turns`` turns, of those the one of fewest rounds.

        With ``at_end`` the way of exactly so many turns that gets farthest, if that is at least ``target``. Nothing
        where all runs together would generate more than ``most`` positions.

        Raises:
            BudgetExceeded: the budget allows no more.
        """
        problem = self.problem
        there = [] if at_end else [key for key in self.roots if problem.progress(key) >= target]
        if there:
            return Run([min(there, key=problem.rounds)], True)
        self._most = most
        try:
            return self._farthest(target, turns) if at_end else self._fewest(target, turns)
        except NodesExceeded:
            return None

    def _fewest(self, target: int, horizon: int) -> Run:
        """Expand what may arrive within ``horizon`` turns; return the run with its shortest line, if there is one."""
        counters = self.counters
        if target not in self._frontier:
            self._frontier.clear()
            self._frontier[target] = self._first_layer(target)
        table, begun = self._frontier[target], counters.generated
        table.memory = self.budget.max_states * BYTES_A_STATE
        for turn in range(horizon):
            counters.states = 0
            while (total := table.least_total(turn)) <= horizon:
                self._expand(table, table.where(0, turn, total), table, target, turn + 1, total)
            counters.states = table.count
            if (arrived := table.best(turn + 1, target, 0)) >= 0:
                return Run(_chain(repeat(table), arrived), False)
        counters.pruned = len(table.where(0, ANY, V.UNREACHABLE))
        lacking = NEVER if not counters.pruned else table.least_total(ANY) - horizon
        return Run(None, not counters.pruned, lacking, counters.generated - begun)

    def _farthest(self, target: int, turns: int) -> Run:
        """Return the run of exactly ``turns`` turns, with the line that gets farthest if that reaches ``target``."""
        counters = self.counters
        counters.states = counters.pruned = 0
        layers, complete = [self._first_layer()], True
        for left in range(turns - 1, -1, -1):
            layers.append(self._next_layer(layers, target))
            alive = layers[-1].cut(left)
            counters.pruned += layers[-1].count - alive
            counters.states += alive
            complete = complete and alive == layers[-1].count
            if not alive:
                return Run(None, complete)
        best = layers[-1].best(0, target, 1)
        return Run(None if best < 0 else _chain(reversed(layers), best), complete)

    def beam(self, width: int, turns: int, target: int | None) -> list[bytes] | None:
        """Return a way found by keeping only the ``width`` most promising positions of each layer.

        With a target: the first way that meets it; without: the way of exactly ``turns`` turns that gets farthest.
        """
        self._most = None
        self._most_ends, self._ends.sparing = AMPLE, True
        try:
            layers = [self._first_layer()]
            best, stale = max(map(self.problem.promise, self.roots), default=0), 0
            for _ in range(turns):
                layer = self._next_layer(layers, NO_TARGET, max(AMPLE, AMPLE_EACH * width))
                if not layer.count:
                    return None
                arrived = -1 if target is None else layer.best(0, target, 0)
                if arrived >= 0:
                    return _chain(reversed([*layers, layer]), arrived)
                chosen = most_promising(layer, width)
                kept = self._new_table()
                kept.take(layer, chosen, layer.parents)
                layers.append(kept)
                promise = layer.promise[chosen[0]]
                stale = 0 if promise > best else stale + 1
                best = max(best, promise)
                if target is not None and stale > PATIENCE:
                    return None
            return None if target is not None else _chain(reversed(layers), layers[-1].best(0, NO_TARGET, 1))
        except BudgetExceeded:
            self.budget.check()
            return None  # a narrower beam has found what there is room for
        finally:
            self._most_ends, self._ends.sparing = 0, False

    # What all of them share

    def _new_table(self, *others: Positions) -> Positions:
        """Return an empty table with the memory that the frontier and other tables leave."""
        used = sum(table.bytes_used for table in (*others, *self._frontier.values()))
        return Positions(self.budget.max_states * BYTES_A_STATE - used)

    def _first_layer(self, target: int | None = None) -> Positions:
        """Return the roots as a layer of their own, each with its total where there is a target."""
        table, ends, problem = self._new_table(), Ends(), self.problem
        for root in self.roots:
            least = 0 if target is None else min(max(1, problem.lacking(root, 0, target)), V.UNREACHABLE)
            ends.put(root, 0, problem.progress(root), least, problem.rounds(root), 0, problem.is_over(root))
        table.add(ends, array("i", [-1]), 0, 0)
        return table

    def _next_layer(self, layers: Sequence[Positions], target: int, enough: int = NEVER) -> Positions:
        """Return what one more turn reaches, with what has ended before; no more sources from some number on."""
        layer, after = layers[-1], self._new_table(*layers)
        after.take(layer, layer.where(V.OVER, ANY, V.UNREACHABLE), array("i", range(layer.count)))
        self._expand(layer, layer.where(0, ANY, V.UNREACHABLE), after, target, 0, 0, enough)
        return after

    def _expand(
        self, sources: Positions, chosen: Any, into: Positions, target: int, turn: int, total: int, enough: int = NEVER
    ) -> None:
        """Expand chosen positions into a table, until that has ``enough``."""
        if not chosen:
            return
        keys, offsets = sources.gather(chosen)
        at, ends, counters = 0, self._ends, self.counters

        def is_enough(count: int) -> bool:
            self._check(into.count, count)
            return bool(self._most_ends) and count > self._most_ends

        ends.enough = is_enough
        try:
            while at < len(chosen) and into.count <= enough:
                ends.count = 0
                after = self.problem.expand(keys, offsets, at, len(chosen), target, ends)
                counters.generated += ends.count
                counters.expanded += after - at
                self.budget.spend(ends.count * END_S)
                at = after
                into.add(ends, chosen, turn, total)
                self._check(into.count)
        finally:
            ends.enough = None  # it knows this search, which would stay until cycles are collected
        sources.mark(chosen)

    def _check(self, kept: int, generated: int = 0) -> None:
        """Look at the clock and at what was allowed, positions kept and generated now included."""
        self.budget.check(self.counters.states + kept + generated)
        if self._most is not None and self.counters.generated + generated > self._most:
            raise NodesExceeded


def most_promising(layer: Positions, width: int) -> Any:
    """Return so many of the most promising positions, the most promising first; of equal ones those that came first."""
    return array("i", nlargest(width, range(layer.count), key=layer.promise.__getitem__))


def _chain(layers: Iterable[Positions], last: int) -> list[bytes]:
    """Return the keys from a root to a position; its layer comes first, that of its parent next."""
    path = []
    for layer in layers:
        path.append(layer.key(last))
        last = layer.parents[last]
        if last < 0:
            break
    return path[::-1]
