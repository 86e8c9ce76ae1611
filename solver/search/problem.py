"""Open questions as layered graphs: a key is a position between turns, an edge is one own turn.

A problem is asked over the encoding of a game, or over its rules (``PlainTurns``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, Final, Generic, TypeVar

from puzzles.goal import does_forbidden
from rules.core.chance import SplitMix64
from rules.core.files import canonical_json
from rules.core.race import NEVER, Race
from rules.core.scripts import Step
from solver.search import layout as V
from solver.search.budget import BudgetExceeded

T = TypeVar("T")

NO_TARGET: Final = -1 << 30
"""Target that every position has reached, for those who do not ask for a bound."""
KEY_BYTES: Final = 32
"""Bytes of a key for which there is place at the beginning."""


class Ends:
    """The distinct turn ends of some source positions, in the order of their sources.

    Key number i is ``keys[offsets[i]:offsets[i + 1]]``; only the first ``count`` entries count.
    """

    def __init__(self, capacity: int) -> None:
        """``capacity`` is the number of ends for which there is place at the beginning."""
        self.count = 0
        self.enough: Callable[[int], bool] = lambda _: False
        """Whether a source under way may be left with so many ends; asked now and then, and may stop it all."""
        self.sparing = False
        """Whether turns that give up something may be left out unless they call a new day: a beam goes without them."""
        self.keys = array("B", [0]) * (capacity * KEY_BYTES)
        self.offsets = array("q", [0]) * (capacity + 1)
        self.parents = array("i", [0]) * capacity
        """Number of the source that each end comes from."""
        self.progress = array("i", [0]) * capacity
        self.least = array("h", [0]) * capacity
        """Further turns to the target that no line falls below, 0 where it is reached."""
        self.days = array("h", [0]) * capacity
        """Rounds begun since the start of the question."""
        self.promise = array("i", [0]) * capacity
        """A guess of how good an end is, for beams; more is better."""
        self.over = array("B", [0]) * capacity
        """1 where the game has ended."""

    @property
    def capacity(self) -> int:
        """Return the number of ends for which there is place."""
        return len(self.parents)

    def add(self, key: bytes, parent: int, progress: int, least: int, days: int, promise: int, over: bool) -> None:
        """Add an end."""
        n, start = self.count, self.offsets[self.count]
        while n >= self.capacity or start + len(key) > len(self.keys):
            self.grow()
        self.keys[start : start + len(key)] = array("B", key)
        self.offsets[n + 1] = start + len(key)
        self.parents[n], self.progress[n], self.least[n] = parent, progress, least
        self.days[n], self.promise[n], self.over[n] = days, promise, over
        self.count = n + 1

    def key_list(self) -> list[bytes]:
        """Return the keys of all ends."""
        keys = self.keys[: self.offsets[self.count]].tobytes()
        return [keys[start:end] for start, end in pairwise(self.offsets[: self.count + 1])]

    def grow(self) -> None:
        """Double the place for ends and for the bytes of their keys; what is there stays."""
        self.keys = _doubled(self.keys)
        self.offsets = self.offsets + array("q", [0]) * self.capacity
        for name in ("parents", "progress", "least", "days", "promise", "over"):
            setattr(self, name, _doubled(getattr(self, name)))


def _doubled(column: array[int]) -> array[int]:
    return column + array(column.typecode, [0]) * len(column)


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

    def move_filter(self, table: T, leads: Callable[[bytes], bool]) -> Callable[[Step], bool] | None:
        """Return what is false only for moves that no turn from this table to keys that ``leads`` accepts needs.

        Nothing where that is not known.
        """
        return None

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
        self,
        game: Race[T],
        seat: int,
        forbidden: frozenset[str],
        after: Callable[[T], Iterable[T]] | None = None,
    ) -> None:
        """``after`` yields the tables after a turn more quickly, each once, where nothing is forbidden."""
        self._after = after
        self._game = game
        self._seat = seat
        self._forbidden = forbidden
        self.bound_name = game.profile.bound_name
        self._tables: list[T] = []
        self._keys: dict[T, bytes] = {}
        self.is_over = lambda key: game.is_over(self.table(key))
        self.progress = lambda key: game.progress(self.table(key), seat)
        self.rounds = lambda key: game.days(self.table(key), seat)
        self.promise = lambda key: game.promise(self.table(key), seat)
        self._successors: dict[bytes, tuple[bytes, ...]] = {}
        self._room = REMEMBERED
        self._least_turns = lru_cache(REMEMBERED)(self._bound)

    def project(self, table: T) -> bytes:
        """Return the number of a table, in the order in which they are met."""
        key = self._keys.get(table)
        if key is None:
            key = self._keys[table] = len(self._tables).to_bytes(4, "little")
            self._tables.append(table)
        return key

    def table(self, key: bytes) -> T:
        """Return the table of a number."""
        return self._tables[int.from_bytes(key, "little")]

    def successors(self, key: bytes) -> Iterator[bytes]:
        """Yield every table after the next turn that some way without a forbidden move leads to, once each."""
        known = self._successors.get(key)
        if known is not None:
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
                ends.add(after, source, progress, least, self.rounds(after), promise, self.is_over(after))
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
