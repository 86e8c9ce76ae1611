"""The layers of a search over numbered facts: exhausted, cut by the bound, gone on with, and kept for ways as good.

A form may cut more than its problem does in plain Python: what is found is worth the same, positions kept may be fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from threading import local
from typing import Any, Final

from rules.core.challenge import NEVER
from solver.search.arrays import Arrays
from solver.search.asking import kernel as asking
from solver.search.asking.asked import ROWS, FactForm, Kept
from solver.search.asking.compiled import load
from solver.search.asking.levels import Level
from solver.search.compiled import bound_functions
from solver.search.layers import Counters, Enough, Run, Watch
from solver.search.problem import SearchProblem

LEAP: Final = 3
"""Turns more than a search had before that one which may be given up does not spoil its layers for."""
CHUNK: Final = 4_000
"""Positions expanded between two looks at the clock."""
STATES: Final = 30_000_000
"""Positions kept in one run unless the limit says otherwise; about 0.6 GB."""
LARGE: Final = 19
"""Room for facts, as a power of two, from which on it grows by less at a time."""
FACTS: Final = 1 << 18
"""Facts that later searches go on with at most."""

_rooms = local()
"""What functions work with, by thread."""


class NoRoom(Exception):
    """The numbers of a form have grown out of its keys."""


class FactLayers:
    """The layers of one problem by functions over arrays, compiled or, for tests, in plain Python."""

    def __init__(self, form: FactForm, watch: Watch, counters: Counters, *, compiled: bool = True) -> None:
        self._form = form
        self._watch = watch
        self._counters = counters
        self._functions = load(form.kernel) if compiled else bound_functions(form.kernel, asking.FUNCTIONS)
        arrays = self._arrays = Arrays(compiled)
        kept = form.kept
        if kept is None or kept.compiled != compiled or not kept.is_settled or int(kept.notes[2]) > FACTS:
            kept = form.kept = Kept(form, arrays, compiled)
        self._take(kept)
        own = [name for name in form.columns if name not in form.lasting]
        self._columns = {name: arrays.long(ROWS) for name in own}
        self._filled = dict.fromkeys(own, 0)
        self._state = arrays.long(asking.STATE)
        self._keys, self._work = _room(compiled, form.keys), _room(compiled, form.work, 1)
        self._levels: list[Level] = []
        """Layers of the last run, the roots first; of use beyond what was reached,"""
        self._last: tuple[Any, ...] = ()
        """what it looked for,"""
        self._horizon = 0
        """in how many turns,"""
        self._tried = 0
        """and how much it and those before it generated."""
        self._sync()

    def _take(self, kept: Kept) -> None:
        self._kept = kept
        self._asks, self._notes = kept.asks, kept.notes

    def _tables(self) -> Any:
        kept = self._kept
        own = {"facts": kept.facts, "asks": self._asks, "notes": self._notes, **kept.stores}
        columns = {**self._columns, **kept.columns}
        return self._form.tables(finish=self._form.finish, bits=kept.bits, **own, **columns)

    def _sync(self) -> None:
        """Copy what has been added to the columns."""
        try:
            self._form.grow()
        except OverflowError:
            raise NoRoom from None
        kept = self._kept
        for name, values in self._form.columns.items():
            lasts = name in self._form.lasting
            columns, counts = (kept.columns, kept.filled) if lasts else (self._columns, self._filled)
            column, filled = columns[name], counts[name]
            if len(values) > len(column):
                column = columns[name] = self._arrays.grown(column, 2 * len(values))
            if filled < len(values):
                self._arrays.put(column, filled, values[filled:])
                counts[name] = len(values)
        if self._notes[asking.SHORT]:
            if self._notes[asking.SHORT] == asking.NO_ROOM:
                raise NoRoom
            kept.stores = {name: self._arrays.grown(store, 4 * len(store)) for name, store in kept.stores.items()}
            self._notes[asking.SHORT] = 0
        if int(self._notes[2]) > (1 << kept.bits) // 16 * 9:  # functions find it full a little later
            before = self._tables()
            kept.set_facts(self._arrays, kept.bits + (1 if kept.bits >= LARGE else 2))
            self._functions["refile"](before, self._tables())
        self._table = self._tables()

    def _answer(self) -> None:
        """Answer what was asked."""
        facts, arrays = self._kept.facts, self._arrays
        places = [int(place) for place in self._asks[: int(self._notes[0])]]
        firsts, seconds = arrays.taken(facts, places), arrays.taken(facts, [place + 1 for place in places])
        for place, first, second in zip(places, firsts, seconds, strict=True):
            facts[place + 2] = self._form.answer(first, second) + 1
        self._notes[0] = 0
        self._sync()

    def _begin(self, roots: Sequence[Any]) -> Level:
        """Return the layer of the roots."""
        kept = self._kept
        if not kept.is_settled and kept.asker is self:
            self._answer()
        elif not kept.is_settled:  # what another search has asked only that can answer
            kept = self._form.kept = Kept(self._form, self._arrays, kept.compiled)
            self._take(kept)
        kept.asker = self
        self._sync()
        level = Level(self._arrays)
        distinct = dict.fromkeys(map(self._packed, roots))
        level.grow(len(distinct), self._functions["enter"])
        for place, key in enumerate(distinct):
            level.key[place], level.parent[place], level.need[place] = key, -1, asking.UNSEEN
        level.count = len(distinct)
        return level

    def _packed(self, root: Any) -> int:
        while (key := self._form.packed(root, self._functions, self._table)) < 0:
            self._sync()
        return key

    def _layer(self, level: Level, after: Level, at_end: bool, most: int | None, others: int = 0) -> None:
        """Expand a layer into the next; ``others`` are positions of further ones."""
        state, counters = self._state, self._counters
        state[asking.COUNT] = after.count

        def explore(node: int, until: int) -> int:
            before = int(state[asking.GENERATED]), int(state[asking.EXPANDED])
            node = self._functions["explore"](
                *(node, until, int(at_end), self._table, level.key, level.need, after.key, after.parent, after.need),
                *(after.slots, after.bits, state, self._keys, self._work),
            )
            after.count = int(state[asking.COUNT])
            generated = int(state[asking.GENERATED]) - before[0]
            self._tried += generated
            counters.generated += generated
            counters.expanded += int(state[asking.EXPANDED]) - before[1]
            self._watch.check()
            if state[asking.FULL]:
                raise NoRoom
            if after.count + others > (self._watch.asked_states or STATES):
                self._watch.stop()
            if most is not None and counters.generated > most:
                raise Enough
            if state[asking.NEEDS]:
                after.grow(int(state[asking.NEEDS]), self._functions["enter"])
                state[asking.NEEDS] = 0
            return node

        state[asking.NEEDS] = 0
        self._through(level.count, explore)

    def _sift(self, level: Level, left: int, target: int) -> None:
        """Cut what the bound excludes in a layer, and find the best of the others; a negative ``left`` cuts nothing."""
        state = self._state
        state[asking.BEST] = state[asking.PROGRESS] = -1
        state[asking.ALIVE] = 0
        before = int(state[asking.PRUNED])

        def sift(node: int, until: int) -> int:
            node = self._functions["sift"](node, until, left, target, self._table, level.key, level.need, state)
            self._watch.check()
            return node

        self._through(level.count, sift)
        self._counters.pruned += int(state[asking.PRUNED]) - before

    def _through(self, count: int, some: Callable[[int, int], int]) -> None:
        """Go through so many positions, and those that wait for facts again once these are known.

        ``some`` goes through those from one place to another, and returns the first that it has not come to.
        """
        state = self._state
        state[asking.LEFT_OVER] = state[asking.IN_VAIN] = 0
        node = 0
        while node < count:
            node = some(node, min(count, node + CHUNK))
            if state[asking.LEFT_OVER] and (node == count or state[asking.IN_VAIN] >= asking.WASTE):
                self._answer()
                node = int(state[asking.FIRST_LEFT])  # those after it that wait for nothing are passed over
                state[asking.LEFT_OVER] = state[asking.IN_VAIN] = 0

    def after(self, key: Any) -> set[Any]:
        """Return the keys after every way through the next turn."""
        level, after = self._begin([key]), Level(self._arrays)
        self._layer(level, after, False, None)
        return {self._whole(after, node) for node in range(after.count)}

    def lacking(self, key: Any, turns: int, target: int) -> int:
        """Return 0, or how many more than ``turns`` turns any line to ``target`` needs at least."""
        level = self._begin([key])
        while True:
            self._notes[asking.MISSING] = 0
            lack = int(self._functions["lacking"](int(level.key[0]), turns, target, self._table))
            if not self._notes[asking.MISSING]:
                return lack
            self._answer()

    def search(self, roots: Sequence[Any], target: int, turns: int, at_end: bool, most: int | None) -> Run[Any]:
        """Return what ``LayeredSearch`` finds, exhausting layers that leave out no more than the bound allows.

        A search for the same target in more turns goes on with the layers that are there. One that may be given up,
        and leaps ahead, leaves them for the next.
        """
        counters, kept = self._counters, None
        last = (tuple(roots), target, at_end)
        if self._levels and last == self._last and turns >= self._horizon and not at_end:
            if most is not None and turns > self._horizon + LEAP:
                kept = self._levels, self._last, self._horizon, self._tried, counters.pruned
        else:
            self._levels = []
        if kept or not self._levels:
            self._levels, self._tried, counters.pruned = [self._begin(roots)], 0, 0
        else:
            self._begin(())
        self._last, self._horizon = last, turns
        try:
            return self._deepen(target, turns, at_end, most)
        except Enough:
            if kept is not None:
                self._levels, self._last, self._horizon, self._tried, counters.pruned = kept
            raise

    def _deepen(self, target: int, turns: int, at_end: bool, most: int | None) -> Run[Any]:
        counters, levels = self._counters, self._levels
        self._state[asking.LACKING] = NEVER
        for place, left in enumerate(range(turns - 1, -1, -1)):
            if place + 1 == len(levels):
                levels.append(Level(self._arrays))
            level, after = levels[place : place + 2]
            others = sum(each.count for each in levels if each is not after)
            self._layer(level, after, at_end, most, others)
            counters.states = others + after.count
            self._sift(after, left, target)
            if self._state[asking.PROGRESS] >= target and (left == 0 or not at_end):
                enough = None if at_end else target
                del levels[place + 2 :]
                self._last = ()  # positions that meet the target are met once
                return Run(self._path(levels), counters.pruned == 0, target=enough, tried=self._tried)
            if not self._state[asking.ALIVE]:
                lacking = int(self._state[asking.LACKING])
                return Run(None, counters.pruned == 0, lacking=lacking, tried=self._tried)
        return Run(None, False, tried=self._tried)

    def _whole(self, level: Level, node: int) -> Any:
        return self._form.whole(int(level.key[node]), self._table)

    def alive(self, run: Run[Any], problem: SearchProblem[Any, Any]) -> list[Container[Any]]:
        """Return the shapes of all positions of each layer that lie on some way as good as the last run found.

        All facts that this needs are known since that run.
        """
        self._notes[asking.MISSING] = 0
        assert run.path is not None
        at_end = run.target is None
        enough = problem.progress(run.path[-1]) if run.target is None else run.target
        levels = self._levels
        marks = [self._arrays.short(level.count + 1) for level in levels]
        self._functions["meet"](levels[-1].count, enough, self._table, levels[-1].key, marks[-1])
        for place in range(len(levels) - 2, -1, -1):
            level, after = levels[place : place + 2]
            self._functions["mark"](
                *(level.count, int(at_end), self._table, level.key, level.need, marks[place], after.key),
                *(marks[place + 1], after.slots, after.bits, self._keys, self._work),
            )
        assert not self._notes[asking.MISSING]
        late = self._form.late
        shapes: list[Container[Any]] = []
        for level, alive in zip(levels, marks, strict=True):
            pairs = zip(level.key[: level.count], alive[: level.count], strict=True)
            shared = {int(key) >> late for key, lives in pairs if lives}
            shapes.append({self._form.shape(key) for key in shared})
        return shapes

    def _path(self, levels: Sequence[Level]) -> list[Any]:
        """Return the way to the position of the last layer with the most progress."""
        path = []
        node = int(self._state[asking.BEST])
        for level in reversed(levels):
            path.append(self._whole(level, node))
            node = int(level.parent[node])
        return path[::-1]

    def beam(self, roots: Sequence[Any], width: int, turns: int, target: int | None) -> list[Any] | None:
        """Return a way found by keeping only the ``width`` most promising positions of each layer."""
        levels = [self._begin(roots)]
        for _ in range(turns):
            level, after = levels[-1], Level(self._arrays)
            self._layer(level, after, at_end=True, most=None)
            self._sift(after, -1, 0)
            if not after.count:
                return None
            levels.append(after)
            if target is not None and self._state[asking.PROGRESS] >= target:
                return self._path(levels)
            if after.count > width:
                scores = self._arrays.scratch(after.count)
                self._functions["judge"](after.count, self._table, after.key, scores)
                if len(levels) <= turns:
                    after.keep(self._arrays.best(scores, width))
        return None if target is not None else self._path(levels)


def _room(compiled: bool, size: int, number: int = 0) -> Any:
    """Return numbers for passing use, the same for all searches of a thread: to clear them takes as long as some do."""
    rooms: dict[tuple[bool, int, int], Any] = _rooms.__dict__.setdefault("rooms", {})
    name = (compiled, size, number)
    if name not in rooms:
        rooms[name] = Arrays(compiled).long(size)
    return rooms[name]
