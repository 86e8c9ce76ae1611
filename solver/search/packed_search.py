"""The packed search at work: arrays that grow, runs of growing depth, beams; compiled once that is ready."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final, Protocol, cast

from solver.search import packed
from solver.search.arrays import Arrays
from solver.search.compiled import Compiler, Kernel, bound_functions, search_of
from solver.search.layers import Counters, Run, Watch
from solver.search.problem import SearchProblem

NODES: Final = 1 << 17
"""Room for positions to begin with."""
STATES: Final = 60_000_000
"""Positions kept in one run unless the limit says otherwise; about 3 GB."""
SLOT_BITS: Final = 18
PLAIN_CHUNK: Final = 256
"""Positions expanded between two looks at the clock, in plain Python and compiled."""
COMPILED_CHUNK: Final = 20_000
AHEAD: Final = 12
"""Turns that a beam looks ahead with the bound."""


class PackedProblem(SearchProblem[Any, tuple[int, int]], Protocol):
    """A problem whose positions are a 62-bit key and its progress, with the functions and tables to play it."""

    @property
    def apart(self) -> bool:
        """Whether progress is apart from the key; if not, the second number is a place, and ``placed`` searches."""

    @property
    def kernel(self) -> Kernel:
        """``successors``, ``outlook`` and what they call, plain functions over numbers and arrays."""

    @property
    def tables(self) -> Any:
        """What ``successors`` looks up: a named tuple of numbers and lists."""

    @property
    def outlooks(self) -> Any:
        """What ``outlook`` looks up."""

    @property
    def rows(self) -> int:
        """Outlooks there are."""

    @property
    def waiting(self) -> int:
        """Progress that a turn brings at least, whatever is done."""

    @property
    def most_successors(self) -> int:
        """Ways through a turn at most."""

    @property
    def work(self) -> int:
        """Length of the working space of the kernel."""

    def ensure(self, days: int) -> bool:
        """Lay out what that many rounds need; false where keys have no room for them."""

    def look_ahead(self, turns: int) -> list[int]:
        """Return the bound of up to so many turns or more: progress at most, at ``turns * rows + outlook``.

        Where progress is not apart: the fewest turns, by outlook.
        """

    def sharpened(self) -> SharpBound | SharpTable | None:
        """Return a bound that compiled code fills and looks up in place of that one, where there is one."""


class SharpBound(Protocol):
    """A bound whose tables are too large for plain Python."""

    @property
    def bound_name(self) -> str:
        """Name of the bound."""

    @property
    def kernel(self) -> Kernel:
        """The functions of the problem, with another ``outlook``, and those that fill the tables."""

    @property
    def outlooks(self) -> Any:
        """What ``outlook`` looks up."""

    @property
    def rows(self) -> int:
        """Outlooks there are."""

    @property
    def counts(self) -> int:
        """Numbers that ``prepare`` fills."""

    def prepare(self, functions: Kernel, tables: Any, outlooks: Any, counts: Any, work: Any) -> None:
        """Fill ``counts``."""

    def fill(
        self, functions: Kernel, turns: int, tables: Any, outlooks: Any, counts: Any, most: Any, work: Any
    ) -> None:
        """Fill the entries of ``turns`` turns; those of fewer are there."""


class SharpTable(Protocol):
    """Likewise where progress is not apart: one table of the fewest turns."""

    @property
    def bound_name(self) -> str:
        """Name of the bound."""

    @property
    def kernel(self) -> Kernel:
        """The functions of the problem and those that fill the table."""

    @property
    def outlooks(self) -> Any:
        """What ``outlook`` looks up."""

    @property
    def rows(self) -> int:
        """Entries of the table."""

    @property
    def parts(self) -> int:
        """Parts that the table is filled in, from the last to the first."""


PLAIN_RATE: Final = 200_000
"""Positions generated in about a second of plain Python,"""
COMPILED_RATE: Final = 5_000_000
"""and of compiled code, where time is counted in work."""


class _Faster(Exception):
    """Compiled functions are ready: what is under way begins again with them."""


class PackedSearch:
    """Searches one packed problem; the counters add up over all runs. Serves like ``LayeredSearch``."""

    def __init__(
        self,
        problem: PackedProblem,
        watch: Watch,
        roots: Sequence[tuple[int, int]],
        *,
        compile_it: bool = False,
        patient: bool = True,
        waits: bool = True,
        prunes: bool = True,
    ) -> None:
        """``compile_it`` waits for the compiler; else it works aside once a search takes long, where it is installed.

        ``patient=False`` stays in plain Python. ``waits`` and ``prunes`` switch the dominance and the bound off, as
        controls.
        """
        self.problem = problem
        self.watch = watch
        self.roots = roots
        self.counters = Counters()
        self._prunes = prunes
        self._patient = patient
        self._waiting = problem.waiting if waits else 0
        self._compiler = Compiler(self._sample, waits=watch.steady)
        self.compiled = False
        self._use(compile_it)

    def _use(self, compile_it: bool) -> None:
        """Take plain or compiled functions; what is begun is lost."""
        problem = self.problem
        self.compiled = compile_it
        self._sharp = problem.sharpened() if compile_it else None
        source = self._sharp or problem
        self._functions = bound_functions(source.kernel, search_of(source.kernel), compiled=compile_it)
        self._arrays = Arrays(compile_it)
        self._chunk = COMPILED_CHUNK if compile_it else PLAIN_CHUNK
        self._outlooks, self._rows = self._arrays.tables(source.outlooks), source.rows
        self._keys = self._arrays.scratch(problem.most_successors)
        self._gains = self._arrays.scratch(problem.most_successors)
        self._work = self._arrays.scratch(problem.work)
        self._days = self._turns = -1
        self._counts: Any = self._arrays.short(1)
        self._lay_out(0, 0)

    @property
    def bound_name(self) -> str:
        """Return the name of the bound in use."""
        return (self._sharp or self.problem).bound_name

    def _lay_out(self, days: int, turns: int) -> None:
        """Have the tables reach so many days and the bound so many turns ahead."""
        if days > self._days:
            self._days = days
            if not self.problem.ensure(days):
                self.watch.stop()
            self._tables = self._arrays.tables(self.problem.tables)
        if turns > self._turns:
            if not self.problem.apart:
                self._fill_whole()
            elif self._sharp is None:
                self._most = self._arrays.fixed(self.problem.look_ahead(turns))
            else:
                self._fill(cast(SharpBound, self._sharp), turns)
            self._turns = turns

    def _fill(self, sharp: SharpBound, turns: int) -> None:
        functions, facts = self._functions, (self._tables, self._outlooks)
        size = (turns + 1) * self._rows
        if self._turns < 0:
            self._counts = self._arrays.short(sharp.counts)
            sharp.prepare(functions, *facts, self._counts, self._work)
            self._most = self._arrays.short(size)
        else:
            self._most = self._arrays.grown(self._most, size)
        for each in range(self._turns + 1, turns + 1):
            sharp.fill(functions, each, *facts, self._counts, self._most, self._work)

    def _fill_whole(self) -> None:
        """Work out a bound that is one table."""
        if self._turns >= 0:
            return
        if self._sharp is None:
            self._most = self._arrays.fixed(self.problem.look_ahead(0))
        else:
            self._most = self._arrays.tiny(self._rows)
            for part in reversed(range(cast(SharpTable, self._sharp).parts)):
                self._functions["fill"](part, self._outlooks, self._most, self._work)
                self.watch.check()

    def _sample(self) -> tuple[Kernel, Any, Any, int]:
        """Return what the compiler has to compile."""
        problem = self.problem
        source = problem.sharpened() or problem
        return source.kernel, problem.tables, source.outlooks, problem.work

    def _begin(self) -> None:
        arrays = self._arrays
        self._key, self._value, self._parent = arrays.long(NODES), arrays.short(NODES), arrays.short(NODES)
        self._state = arrays.scratch(packed.STATE)
        self._state[packed.FOUND_KEY] = -1
        for place, (key, progress) in enumerate(dict.fromkeys(self.roots)):
            self._key[place], self._value[place], self._parent[place] = key, progress, -1
        self._state[packed.COUNT] = len(dict.fromkeys(self.roots))
        self._forget()
        self.counters.pruned = 0

    def _forget(self) -> None:
        """Empty the table of keys."""
        self._bits = SLOT_BITS
        self._slot_key = self._arrays.long(1 << self._bits)
        self._slot_node = self._arrays.empty_slots(1 << self._bits)
        self._state[packed.FILLED] = 0

    def _layer(self, first: int, last: int, turn: int, left: int, target: int) -> None:
        """Expand a layer; ``left`` turns remain after it, a negative number where nothing is to be cut."""
        self._lay_out(self.problem.rounds(self.roots[0]) + turn, max(left, 0))
        state, counters = self._state, self.counters
        state[packed.FIRST] = state[packed.COUNT]
        generated, pruned = int(state[packed.GENERATED]), int(state[packed.PRUNED])
        node = first
        while node < last:
            until = min(last, node + self._chunk)
            node = self._functions["advance"](
                node,
                until,
                turn,
                left if self._prunes else -1,
                target,
                self._waiting,
                self._most,
                self._rows,
                self._tables,
                self._outlooks,
                self._counts,
                self._key,
                self._value,
                self._parent,
                self._slot_key,
                self._slot_node,
                self._bits,
                state,
                self._keys,
                self._gains,
                self._work,
            )
            if node < until:
                self._grow()
            counters.generated += int(state[packed.GENERATED]) - generated
            self.watch.spend(
                (int(state[packed.GENERATED]) - generated) / (COMPILED_RATE if self.compiled else PLAIN_RATE)
            )
            counters.pruned += int(state[packed.PRUNED]) - pruned
            generated, pruned = int(state[packed.GENERATED]), int(state[packed.PRUNED])
            counters.states = int(state[packed.COUNT])
            if counters.states > (self.watch.asked_states or STATES):
                self.watch.stop()
            self.watch.check()
            if self._patient and not self.compiled and self._compiler.is_done(counters.generated):
                raise _Faster
        counters.expanded += last - first

    def _grow(self) -> None:
        """Make room for more nodes, or for more slots if those were short."""
        arrays = self._arrays
        if self._state[packed.COUNT] + self.problem.most_successors > len(self._key):
            size = 2 * len(self._key)
            self._key, self._value, self._parent = (
                arrays.grown(old, size) for old in (self._key, self._value, self._parent)
            )
        if self._state[packed.FILLED] + self.problem.most_successors > (1 << self._bits) // 8 * 5:
            bits = self._bits + 1
            slot_key, slot_node = arrays.long(1 << bits), arrays.empty_slots(1 << bits)
            more = [] if self.problem.apart else [self._value]
            self._functions["rehash"](self._slot_key, self._slot_node, self._bits, slot_key, slot_node, bits, *more)
            self._bits, self._slot_key, self._slot_node = bits, slot_key, slot_node

    def close(self) -> None:
        """End the compiler if it is still at work."""
        self._compiler.close()

    # Answers

    def earliest(self, target: int, turns: int) -> Run[tuple[int, int]]:
        """Return the shortest way to ``target`` in at most ``turns`` turns, of those the one of fewest rounds."""
        try:
            return self._earliest(target, turns)
        except _Faster:
            self._use(True)
            return self._earliest(target, turns)

    def _earliest(self, target: int, turns: int) -> Run[tuple[int, int]]:
        there = [place for place in self.roots if self.problem.progress(place) >= target]
        if there:
            return Run([min(there, key=self.problem.rounds)], True, [], target)
        self._begin()
        first, last = 0, int(self._state[packed.COUNT])
        for turn in range(1, turns + 1):
            self._layer(first, last, turn, turns - turn, target)
            if self._state[packed.LOST]:
                self.watch.stop()
            if self._state[packed.FOUND_KEY] >= 0:
                return Run(self._found(turn), True, [], target)
            first, last = last, int(self._state[packed.COUNT])
            if first == last:
                return Run(None, self.counters.pruned == 0)
        return Run(None, False)

    def beam(self, width: int, turns: int, target: int | None, *, cuts: bool = False) -> list[tuple[int, int]] | None:
        """Return a way to ``target`` found by keeping only the ``width`` most promising positions of each layer.

        With ``cuts`` positions are left out that the bound excludes from the target in ``turns``.
        """
        assert target is not None
        try:
            return self._beam(width, turns, target, cuts)
        except _Faster:
            self._use(True)
            return self._beam(width, turns, target, cuts)

    def _beam(self, width: int, turns: int, target: int, cuts: bool) -> list[tuple[int, int]] | None:
        self._begin()
        first, last = 0, int(self._state[packed.COUNT])
        self._lay_out(0, AHEAD)
        for turn in range(1, turns + 1):
            self._layer(first, last, turn, turns - turn if cuts else -1, target)
            if self._state[packed.FOUND_KEY] >= 0:
                return self._found(turn)
            first, last = last, self._keep_best(last, int(self._state[packed.COUNT]), width)
            self._forget()
        return None

    def _keep_best(self, first: int, last: int, width: int) -> int:
        """Keep the most promising nodes of the last layer only; return where it ends then."""
        if last - first <= width:
            return last
        scores = self._arrays.scratch(last - first)
        row = AHEAD * self._rows
        self._functions["judge"](
            first, last, self._most, row, self._tables, self._outlooks, self._counts, self._key, self._value, scores
        )
        places = self._arrays.best(scores, width)
        for numbers in (self._key, self._value, self._parent):
            self._arrays.keep(numbers, first, places)
        self._state[packed.COUNT] = first + width
        return first + width

    def _found(self, turn: int) -> list[tuple[int, int]]:
        """Return the way to the position that met the target in ``turn``."""
        state = self._state
        path = [(int(state[packed.FOUND_KEY]), int(state[packed.FOUND_PROGRESS]))]
        node = int(state[packed.FOUND_PARENT])
        for before in range(turn - 1, -1, -1):
            path.append((int(self._key[node]), int(self._value[node]) + self._waiting * before))
            node = int(self._parent[node])
        return path[::-1]

    def alive(self, run: Run[tuple[int, int]]) -> list[Container[Any]]:
        """Return the shapes of the way found, turn by turn: equal ways are not looked for."""
        return [{self.problem.shape(place)} for place in cast(list[tuple[int, int]], run.path)]
