"""The packed search at work: arrays that grow, runs of growing depth, beams; compiled once that is ready."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final, cast

from solver.search import packed
from solver.search.arrays import Arrays
from solver.search.compiled import LOADING_S, Compiler, Kernel, bound_functions, search_of
from solver.search.layers import Counters, Run, Watch
from solver.search.packed_problem import PackedProblem, SharpBound, SharpTable, View, Viewed
from solver.search.placed import Seen, nothing_seen

NODES: Final = 1 << 17
"""Room for positions to begin with."""
STATES: Final = 60_000_000
"""Positions kept in one run unless the limit says otherwise; about 3 GB."""
SLOT_BITS: Final = 18
PLAIN_CHUNK: Final = 256
"""Positions expanded between two looks at the clock, in plain Python and compiled."""
COMPILED_CHUNK: Final = 20_000
SWEEPS: Final = 3
"""Times that a survey goes back over its layers at most."""
AHEAD: Final = 12
"""Turns that a beam looks ahead with the bound."""


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
        views: bool = True,
    ) -> None:
        """``compile_it`` waits for the compiler; else it works aside once a search takes long, where it is installed.

        ``patient=False`` stays in plain Python. ``waits``, ``prunes`` and ``views`` switch the dominance, the bound
        and the coarser views off, as controls.
        """
        self.problem = problem
        self.watch = watch
        self.roots = roots
        self.counters = Counters()
        self._prunes = prunes
        self._views = views and prunes
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
        self._coarser: Survey | None = None
        self._lay_out(0, 0)
        if not problem.apart:
            self._counts = nothing_seen(self._arrays)
            if compile_it and self._views:
                self._coarser = self._chain()

    def _chain(self) -> Survey | None:
        """Return the finest view of the problem, each surveyed by the help of the one before."""
        survey: Survey | None = None
        for view in cast(Viewed, self.problem).views():
            survey = Survey(self, view, survey)
        return survey

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
                self._counts if self._coarser is None else self._coarser.seen,
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
            may_switch = self._patient and not self.compiled and self.watch.has_time(LOADING_S)
            if may_switch and self._compiler.is_done(counters.generated):
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
        if not self._may_reach(target, turns):
            return Run(None, False)
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

    def _may_reach(self, target: int, turns: int) -> bool:
        """Survey the coarser view, if there is one; return whether it reaches the target in so many turns."""
        if self._coarser is None:
            return True
        theirs = self._coarser.counters
        generated, expanded = theirs.generated, theirs.expanded
        reached = self._coarser.reaches(target, turns, self.roots)
        self.counters.generated += theirs.generated - generated
        self.counters.expanded += theirs.expanded - expanded
        return reached

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

    def alive(self, run: Run[tuple[int, int]], *, ties: bool) -> list[Container[Any]]:
        """Return the shapes of the way found, turn by turn: equal ways are not looked for."""
        return [{self.problem.shape(place)} for place in cast(list[tuple[int, int]], run.path)]


class Survey(PackedSearch):
    """Surveys of one view of a problem, see ``placed``; each is made for a target and a number of turns."""

    def __init__(self, search: PackedSearch, view: View, coarser: Survey | None) -> None:
        """``search`` is that of the problem; ``coarser`` surveys a view of this view."""
        self.__dict__.update(search.__dict__)  # one clock, one compiler, one bound, one working space
        self.problem = cast(PackedProblem, view)
        self.counters = Counters()
        self._coarser = coarser
        self._outlooks = self._arrays.tables(view.outlooks)
        self._days = -1
        self._lay_out(0, 0)
        none = self._counts
        self.seen: Seen = none._replace(mask=view.mask, parts=view.parts, fold=self._arrays.fixed(view.fold))

    def reaches(self, target: int, turns: int, roots: Sequence[tuple[int, int]]) -> bool:
        """Return whether the view reaches the target in so many turns; if it does, ``seen`` tells where from."""
        self.roots = [(int(self._functions["folded"](key, self.seen)), place) for key, place in roots]
        if not self._may_reach(target, turns):
            return False
        self._begin()
        layers = [(0, int(self._state[packed.COUNT]))]
        for turn in range(1, turns + 1):
            self._layer(*layers[-1], turn, turns - turn, target)
            layers.append((layers[-1][1], int(self._state[packed.COUNT])))
        if self._state[packed.LOST]:
            self.watch.stop()
        if self._state[packed.FOUND_KEY] < 0:
            return False
        self._look_back(layers[:-1], target, turns)
        self.seen = self.seen._replace(
            bits=self._bits,
            slot_key=self._slot_key,
            slot_node=self._slot_node,
            node_value=self._value,
            least=self._least,
        )
        return True

    def _look_back(self, layers: Sequence[tuple[int, int]], target: int, turns: int) -> None:
        """Work out the fewest turns of all nodes, from the last layer to the first, until they rise no more."""
        self._least = self._arrays.tiny(int(self._state[packed.COUNT]) + 1)
        facts = (self._most, self._tables, self._outlooks)
        ahead = self._counts if self._coarser is None else self._coarser.seen
        count = int(self._state[packed.COUNT])
        self._functions["rate"](0, count, *facts, ahead, self._key, self._value, self._least)
        for _ in range(SWEEPS):
            rose = 0
            for turn in reversed(range(len(layers))):
                first, last = layers[turn]
                for until in range(last, first, -self._chunk):
                    rose += self._functions["sweep"](
                        max(first, until - self._chunk),
                        until,
                        turns - turn,
                        target,
                        *facts,
                        self._least,
                        self._key,
                        self._value,
                        self._slot_key,
                        self._slot_node,
                        self._bits,
                        self._keys,
                        self._gains,
                        self._work,
                    )
                    self.watch.check()
            if rose == 0:
                break
