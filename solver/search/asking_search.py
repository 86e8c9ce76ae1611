"""The layered search through a compiler: the same layers from numbered facts, once compiled functions are there."""

from __future__ import annotations

import gc
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Protocol

from rules.core.challenge import NEVER
from solver.search import asking
from solver.search.arrays import Arrays
from solver.search.compiled import Compiler, Kernel, bound_functions
from solver.search.layers import Counters, Enough, LayeredSearch, Run, Watch
from solver.search.problem import SearchProblem
from solver.search.uncollected import uncollected

NODES: Final = 1 << 14
"""Room for positions to begin with,"""
SLOT_BITS: Final = 15
"""and for those of a layer."""
FACT_BITS: Final = 15
ROWS: Final = 1 << 12
CHUNK: Final = 4_000
"""Positions expanded between two looks at the clock."""
STATES: Final = 30_000_000
"""Positions kept in one run unless the limit says otherwise; about 0.6 GB."""
PATIENCE: Final = 20_000
"""Positions generated in plain Python before compiled functions are looked for; fewer take less than a second."""
RATIO: Final = 50
"""Positions that compiled functions generate while plain Python generates one, about."""
SHOWN: Final = 20_000
"""Positions up to which a run keeps its layers."""

_loaded: dict[int, dict[str, Any]] = {}
"""Compiled functions by the identity of their kernel, which stays for good."""


class FactForm(Protocol):
    """A game of numbered facts; what its functions may be is said in ``asking``."""

    @property
    def kernel(self) -> Kernel:
        """``successors``, ``lacking``, ``is_over``, ``refile`` and what they call."""

    @property
    def tables(self) -> Callable[..., Any]:
        """The named tuple that these look things up in: that of ``columns``, and of the facts."""

    @property
    def columns(self) -> Mapping[str, list[int]]:
        """By name: numbers to look up, which only grow."""

    @property
    def finish(self) -> int:
        """Progress at which the game is over."""

    @property
    def most_asks(self) -> int:
        """Facts asked before they are answered."""

    @property
    def notes(self) -> int:
        """Length of the notes: facts asked, whether one was missing, and facts there are."""

    @property
    def keys(self) -> int:
        """Ways through a turn at most."""

    @property
    def work(self) -> int:
        """Length of the working space of the kernel."""

    def grow(self) -> None:
        """Bring the columns up to date; ``OverflowError`` where keys have no room for that."""

    def answer(self, first: int, second: int) -> int:
        """Return the answer of a fact."""

    @property
    def late(self) -> int:
        """The lowest bits of a packed key, which do not count for its shape."""

    def packed(self, key: Any) -> int:
        """Return a key of the problem in 62 bits."""

    def whole(self, key: int) -> Any:
        """Return the key of the problem."""


class FactProblem(SearchProblem[Any, Any], Protocol):
    """A problem that has such a form."""

    def form(self) -> FactForm | None:
        """Return the form, or nothing where it does not fit."""


class _Faster(Exception):
    """Compiled functions are ready: what is under way begins again with them."""


class _NoRoom(Exception):
    """The numbers of a form have grown out of its keys."""


class FactLayers:
    """The layers of one problem by functions over arrays, compiled or, for tests, in plain Python."""

    def __init__(self, form: FactForm, watch: Watch, counters: Counters, *, compiled: bool = True) -> None:
        self._form = form
        self._watch = watch
        self._counters = counters
        self._functions = load(form.kernel) if compiled else bound_functions(form.kernel, asking.FUNCTIONS)
        arrays = self._arrays = Arrays(compiled)
        self._columns = {name: arrays.long(ROWS) for name in form.columns}
        self._filled = dict.fromkeys(form.columns, 0)
        self._asks, self._notes = arrays.long(form.most_asks), arrays.long(form.notes)
        self._state = arrays.long(asking.STATE)
        self._keys, self._work = arrays.long(form.keys), arrays.long(form.work)
        self._key, self._parent = arrays.long(NODES), arrays.short(NODES)
        self._done = arrays.short(NODES)
        self._ends: list[int] = []
        self._set_facts(FACT_BITS)
        self._sync()

    def _set_facts(self, bits: int) -> None:
        arrays = self._arrays
        self._bits = bits
        self._facts = (arrays.long(1 << bits), arrays.long(1 << bits), arrays.empty_slots(1 << bits))

    def _tables(self) -> Any:
        first, second, answer = self._facts
        own = {"first": first, "second": second, "answer": answer, "asks": self._asks, "notes": self._notes}
        return self._form.tables(finish=self._form.finish, bits=self._bits, **own, **self._columns)

    def _sync(self) -> None:
        """Copy what has been added to the columns."""
        try:
            self._form.grow()
        except OverflowError:
            raise _NoRoom from None
        for name, values in self._form.columns.items():
            column, filled = self._columns[name], self._filled[name]
            if len(values) > len(column):
                column = self._columns[name] = self._arrays.grown(column, 2 * len(values))
            if filled < len(values):
                self._arrays.put(column, filled, values[filled:])
                self._filled[name] = len(values)
        if int(self._notes[2]) * 2 > 1 << self._bits:
            before = self._tables()
            self._set_facts(self._bits + 2)
            self._functions["refile"](before, self._tables())
        self._table = self._tables()

    def _answer(self) -> None:
        """Answer what was asked."""
        first, second, answer = self._facts
        slots = self._asks[: int(self._notes[0])]
        firsts, seconds = self._arrays.taken(first, slots), self._arrays.taken(second, slots)
        for slot, one, other in zip(slots, firsts, seconds, strict=True):
            answer[slot] = self._form.answer(one, other)
        self._notes[0] = 0
        self._sync()

    def _begin(self, roots: Sequence[Any]) -> int:
        distinct = dict.fromkeys(map(self._form.packed, roots))
        for place, key in enumerate(distinct):
            self._key[place], self._parent[place], self._done[place] = key, -1, 0
        self._state[asking.COUNT] = len(distinct)
        self._slot_bits = SLOT_BITS
        self._slots = self._arrays.empty_slots(1 << self._slot_bits)
        return len(distinct)

    def _layer(self, first: int, last: int, left: int, target: int, at_end: bool, most: int | None) -> int:
        """Expand a layer; return where the next one ends."""
        state, counters = self._state, self._counters
        state[asking.FIRST], state[asking.BEST], state[asking.PROGRESS] = last, -1, -1
        while True:
            state[asking.LEFT_OVER] = 0
            node = first
            while node < last:
                until = min(last, node + CHUNK)
                before = int(state[asking.GENERATED]), int(state[asking.PRUNED])
                node = self._functions["explore"](
                    *(node, until, left, target, int(at_end), self._table, self._key, self._parent, self._done),
                    *(self._slots, self._slot_bits, state, self._keys, self._work),
                )
                counters.generated += int(state[asking.GENERATED]) - before[0]
                counters.pruned += int(state[asking.PRUNED]) - before[1]
                self._watch.check()
                if state[asking.FULL]:
                    raise _NoRoom
                if state[asking.COUNT] > (self._watch.asked_states or STATES):
                    self._watch.stop()
                if most is not None and counters.generated > most:
                    raise Enough
                if node < until:
                    self._grow(last)
            if not state[asking.LEFT_OVER]:
                break
            self._answer()
        counters.expanded += last - first
        return int(state[asking.COUNT])

    def _grow(self, first: int) -> None:
        """Make room for more positions."""
        count, needs = int(self._state[asking.COUNT]), int(self._state[asking.NEEDS])
        if count + needs > len(self._key):
            size = 2 * (len(self._key) + needs)
            arrays = self._arrays
            self._key, self._parent, self._done = (
                arrays.grown(numbers, size) for numbers in (self._key, self._parent, self._done)
            )
        while count - first + needs > (1 << self._slot_bits) // 8 * 5:
            self._slot_bits += 1
        self._slots = self._arrays.empty_slots(1 << self._slot_bits)
        self._functions["enter"](first, count, self._key, self._slots, self._slot_bits)

    def after(self, key: Any) -> set[Any]:
        """Return the keys after every way through the next turn."""
        return {self._whole(node) for node in range(self._begin([key]), self._layer(0, 1, -1, 0, False, None))}

    def search(self, roots: Sequence[Any], target: int, turns: int, at_end: bool, most: int | None) -> Run[Any]:
        """Return what ``LayeredSearch`` finds, exhausting the same layers."""
        counters = self._counters
        counters.pruned = 0
        self._state[asking.LACKING] = NEVER
        ends = self._ends = [0, self._begin(roots)]
        for left in range(turns - 1, -1, -1):
            ends.append(self._layer(ends[-2], ends[-1], left, target, at_end, most))
            counters.states = ends[-1]
            if self._state[asking.PROGRESS] >= target and (left == 0 or not at_end):
                enough = None if at_end else target
                return Run(self._path(), counters.pruned == 0, self._layers(ends), target=enough)
            if ends[-1] == ends[-2]:
                return Run(None, counters.pruned == 0, lacking=int(self._state[asking.LACKING]))
        return Run(None, False)

    def _whole(self, node: int) -> Any:
        return self._form.whole(int(self._key[node]))

    def alive(self, run: Run[Any], problem: SearchProblem[Any, Any]) -> list[Container[Any]]:
        """Return the shapes of all positions of each layer that lie on some way as good as the last run found.

        All facts that this needs are known since that run.
        """
        self._notes[asking.MISSING] = 0
        assert run.path is not None
        at_end = run.target is None
        enough = problem.progress(run.path[-1]) if run.target is None else run.target
        ends = self._ends
        alive = self._arrays.short(ends[-1])
        self._functions["meet"](ends[-2], ends[-1], enough, self._table, self._key, alive)
        for place in range(len(ends) - 3, -1, -1):
            first, last, after = ends[place : place + 3]
            bits = SLOT_BITS
            while after - last > (1 << bits) // 8 * 5:
                bits += 1
            slots = self._arrays.empty_slots(1 << bits)
            self._functions["enter"](last, after, self._key, slots, bits)
            self._functions["mark"](
                *(first, last, int(at_end), self._table, self._key, alive, slots, bits, self._keys, self._work)
            )
        assert not self._notes[asking.MISSING]
        late = self._form.late
        shapes: list[Container[Any]] = []
        for first, last in pairwise(ends):
            pairs = zip(self._key[first:last], alive[first:last], strict=True)
            shared = {int(key) >> late for key, lives in pairs if lives}
            shapes.append({problem.shape(self._form.whole(key << late)) for key in shared})
        return shapes

    def _path(self) -> list[Any]:
        """Return the way to the position of the last layer with the most progress."""
        path = []
        node = int(self._state[asking.BEST])
        while node >= 0:
            path.append(self._whole(node))
            node = int(self._parent[node])
        return path[::-1]

    def _layers(self, ends: list[int]) -> list[dict[Any, Any]]:
        if ends[-1] > SHOWN:
            return []
        return [
            {self._whole(node): None for node in range(ends[place], ends[place + 1])} for place in range(len(ends) - 1)
        ]

    def beam(self, roots: Sequence[Any], width: int, turns: int, target: int | None) -> list[Any] | None:
        """Return a way found by keeping only the ``width`` most promising positions of each layer."""
        first, last = 0, self._begin(roots)
        for _ in range(turns):
            end = self._layer(first, last, -1, 0, at_end=True, most=None)
            if end == last:
                return None
            if target is not None and self._state[asking.PROGRESS] >= target:
                return self._path()
            first, last = last, end
            if last - first > width:
                scores = self._arrays.scratch(last - first)
                self._functions["judge"](first, last, self._table, self._key, scores)
                kept = self._arrays.best(scores, width)
                for numbers in (self._key, self._parent, self._done):
                    self._arrays.keep(numbers, first, kept)
                last = first + width
                self._state[asking.COUNT] = last
                self._slots = self._arrays.empty_slots(1 << self._slot_bits)
        return None if target is not None else self._path()


class FactSearch(LayeredSearch[Any]):
    """Searches in plain Python until compiled functions are there, then with them: the same layers either way."""

    def __init__(self, problem: FactProblem, watch: Watch, roots: Sequence[Any]) -> None:
        super().__init__(problem, watch, roots)
        self._form = problem.form()
        self._fast: FactLayers | None = None
        self._compiler: Compiler | None = None
        self._run: Run[Any] | None = None
        if self._form is not None:
            form = self._form
            sample = lambda: (form.kernel, form.tables, tuple(form.columns))  # noqa: E731 (too short for a name)
            self._compiler = Compiler(sample, PATIENCE, warm, waits=watch.steady)
            if id(form.kernel) in _loaded:
                self._switch()

    @property
    def rate(self) -> int:
        """How many positions are generated while plain Python generates one, about."""
        return 1 if self._fast is None else RATIO

    def _switch(self) -> None:
        assert self._form is not None
        try:
            self._fast = FactLayers(self._form, self.watch, self.counters)
        except _NoRoom:
            self._give_up()

    def _give_up(self) -> None:
        """Stay with plain Python from now on."""
        self._fast = self._form = None
        self.close()

    def close(self) -> None:
        """End the compiler if it is still at work."""
        if self._compiler is not None:
            self._compiler.close()

    def _look(self, states: int) -> None:
        super()._look(states)
        if self._form is not None and self._compiler is not None and self._compiler.is_done(self.counters.generated):
            raise _Faster

    def _search(self, target: int, turns: int, meets: Callable[[Any, int], bool], at_end: bool) -> Run[Any]:
        if self._fast is not None:
            most = None if self._most is None else self.rate * self._most
            try:
                with uncollected():
                    self._run = self._fast.search(self.roots, target, turns, at_end, most)
                return self._run
            except _NoRoom:
                self._give_up()
        try:
            return super()._search(target, turns, meets, at_end)
        except _Faster:
            self._switch()
            return self._search(target, turns, meets, at_end)

    def alive(self, run: Run[Any]) -> list[Container[Any]]:
        """Return the shapes of all positions of each layer that lie on some way as good as the one found."""
        if self._fast is not None and run is self._run:
            return self._fast.alive(run, self.problem)
        return super().alive(run)

    def beam(self, width: int, turns: int, target: int | None) -> list[Any] | None:
        """Return a way found by keeping only the ``width`` most promising positions of each layer."""
        if self._fast is not None:
            try:
                with uncollected():
                    return self._fast.beam(self.roots, width, turns, target)
            except _NoRoom:
                self._give_up()
        return super().beam(width, turns, target)


def warm(kernel: Kernel, tables: Callable[..., Any], columns: Sequence[str]) -> None:
    """Compile all functions of a form, or load them from the cache, by calling them with next to nothing to do."""
    functions, arrays = load(kernel), Arrays(True)
    column, answers = arrays.long(2), arrays.empty_slots(2)
    numbers: dict[str, Any] = dict.fromkeys((*columns, "first", "second", "asks", "notes"), column)
    table = tables(finish=0, bits=1, answer=answers, **numbers)
    slots, short = arrays.empty_slots(2), arrays.short(2)
    state = arrays.long(asking.STATE)
    functions["explore"](0, 0, 0, 0, 0, table, column, short, short, slots, 1, state, column, column)
    functions["enter"](0, 0, column, slots, 1)
    functions["mark"](0, 0, 0, table, column, short, slots, 1, column, column)
    functions["meet"](0, 0, 0, table, column, short)
    functions["judge"](0, 0, table, column, arrays.scratch(1))
    functions["refile"](table, table)


def load(kernel: Kernel) -> dict[str, Any]:
    """Return the compiled functions of a kernel, from the cache where they are there."""
    functions = _loaded.get(id(kernel))
    if functions is None:
        functions = _loaded[id(kernel)] = bound_functions(kernel, asking.FUNCTIONS, compiled=True)
        gc.freeze()  # a compiler brings so many objects that to go through them again takes longer than most searches
    return functions
