"""The layered search through a compiler, from numbered facts, once compiled functions are there."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, Final

from solver.search.asking.asked import FactProblem
from solver.search.asking.compiled import is_loaded, warm
from solver.search.asking.layers import FACTS, FactLayers, NoRoom
from solver.search.compiled import LOADING_S, Compiler
from solver.search.layers import LayeredSearch, Run, Watch
from solver.search.uncollected import uncollected

PATIENCE: Final = 20_000
"""Positions generated in plain Python before compiled functions are looked for; fewer take less than a second."""
RATIO: Final = 50
"""Positions that compiled functions generate while plain Python generates one, about."""


class _Faster(Exception):
    """Compiled functions are ready: what is under way begins again with them."""


class FactSearch(LayeredSearch[Any]):
    """Searches in plain Python until compiled functions are there, then with them: equally good lines either way."""

    def __init__(self, problem: FactProblem, watch: Watch, roots: Sequence[Any]) -> None:
        super().__init__(problem, watch, roots)
        self._form = problem.form()
        self._fast: FactLayers | None = None
        self._compiler: Compiler | None = None
        self._run: Run[Any] | None = None
        if self._form is not None:
            form = self._form

            def sample() -> tuple[Any, ...]:
                return form.kernel, form.tables, (*form.columns, *form.stores)

            self._compiler = Compiler(sample, PATIENCE, warm, waits=watch.steady)
            if is_loaded(form.kernel):
                self._switch()

    @property
    def is_fast(self) -> bool:
        """Whether compiled functions are there."""
        return self._fast is not None

    @property
    def rate(self) -> int:
        """How many positions are generated while plain Python generates one, about."""
        return 1 if self._fast is None else RATIO

    def _switch(self) -> None:
        assert self._form is not None
        try:
            self._fast = FactLayers(self._form, self.watch, self.counters)
        except NoRoom:
            self._give_up()

    def _give_up(self) -> None:
        """Stay with plain Python from now on."""
        self._fast = self._form = None
        self.close()

    def close(self) -> None:
        """End the compiler if it is still at work, and leave few facts to later searches only."""
        if self._compiler is not None:
            self._compiler.close()
        if self._form is not None and self._form.kept is not None and int(self._form.kept.notes[2]) > FACTS:
            self._form.kept = None

    def _look(self, states: int) -> None:
        super()._look(states)
        if self._form is None or self._compiler is None or not self.watch.has_time(LOADING_S):
            return
        if self._compiler.is_done(self.counters.generated):
            raise _Faster

    def _search(self, target: int, turns: int, meets: Callable[[Any, int], bool], at_end: bool) -> Run[Any]:
        if self._fast is not None:
            most = None if self._most is None else self.rate * self._most
            try:
                with uncollected():
                    self._run = self._fast.search(self.roots, target, turns, at_end, most)
                return self._run
            except NoRoom:
                self._give_up()
        try:
            return super()._search(target, turns, meets, at_end)
        except _Faster:
            self._switch()
            return self._search(target, turns, meets, at_end)

    def promising(self, key: Any, turns: int, target: int) -> bool:
        """Return false where the bound excludes every line of at most ``turns`` more turns to ``target``."""
        if self._fast is not None:
            try:
                return self._fast.lacking(key, turns, target) == 0
            except NoRoom:
                self._give_up()
        return super().promising(key, turns, target)

    def alive(self, run: Run[Any], *, ties: bool) -> list[Container[Any]]:
        """Return the shapes of all positions of each layer that lie on some way as good as the one found."""
        if self._fast is not None and run is self._run:
            return self._fast.alive(run, self.problem)
        return super().alive(run, ties=ties)

    def beam(self, width: int, turns: int, target: int | None) -> list[Any] | None:
        """Return a way found by keeping only the ``width`` most promising positions of each layer."""
        if self._fast is not None:
            try:
                with uncollected():
                    return self._fast.beam(self.roots, width, turns, target)
            except NoRoom:
                self._give_up()
        return super().beam(width, turns, target)
