"""What a search may use up, what it has done, and a Ctrl-C that is never lost."""

from __future__ import annotations

import sys
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Timer
from time import monotonic
from typing import Any, Final

STATES: Final = 6_000_000
"""Positions kept in one run unless a budget says otherwise; about 1.5 GB."""
LOOKS: Final = 500
"""How often a search looks at its clock in about a second."""
FAR_S: Final = 1e9
"""Seconds that no search is allowed."""
GRACE_S: Final = 0.3
"""Seconds that an answer may take beyond its limit to be whole: for a first move, its plan, or the line to print."""

ANSWER_S: Final = 60.0
"""Seconds for an answer where somebody waits for it and does not say how long,"""
COMPARISON_S: Final = 10.0
"""and for the comparison of all moves after it."""


class BudgetExceeded(Exception):
    """The time, the work or the memory allowed is used up."""


class NodesExceeded(BudgetExceeded):
    """One run has generated as many positions as it was allowed; the budget may last for more."""


class WorkClock:
    """A clock that work drives: each look at it is a fixed part of a second, on every machine.

    Searches look at their clock after a fixed amount of work. With this clock they stop at the same point every time.
    """

    def __init__(self, guard: Budget | None = None) -> None:
        """When the ``guard`` is over, the clock leaps far ahead."""
        self._guard = guard
        self._looks = 0
        self._spent_s = 0.0

    def __call__(self) -> float:
        """Return the seconds, about, that the work so far would take."""
        self._looks += 1
        return self.work_s + (FAR_S if self._guard is not None and self._guard.is_over else 0.0)

    @property
    def work_s(self) -> float:
        """Seconds, about, that the work so far would take; this is no look."""
        return self._spent_s + self._looks / LOOKS

    def spend(self, seconds: float) -> None:
        """Count work that takes so long, about, where a look comes late."""
        self._spent_s += seconds


@dataclass(slots=True)
class Budget:
    """When to stop; a stopped search still reports the best line and bound it has.

    Time runs from ``start``, or else from the first look at the clock.
    """

    time_s: float | None = None
    """Seconds since the start."""
    states: int | None = None
    """States kept in memory."""
    clock: Callable[[], float] = monotonic
    """Tells the seconds: of the wall, of the processor, or of counted work."""
    _started: float | None = field(default=None, init=False, repr=False, compare=False)

    def start(self) -> Budget:
        """Return a budget with the same limits whose time runs from now on."""
        budget = replace(self)
        budget._started = self.clock()  # noqa: SLF001 - of the same class
        return budget

    @property
    def steady(self) -> bool:
        """Whether the same question has to end at the same point every time, so that nothing may wait for a clock."""
        return isinstance(self.clock, WorkClock)

    @property
    def max_states(self) -> int:
        """The number of states that may be kept."""
        return self.states or STATES

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        if self._started is None:
            self._started = self.clock()
        return self.clock() - self._started

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.time_s is not None and self.elapsed_s >= self.time_s

    def has_time(self, seconds: float) -> bool:
        """Return whether more than these seconds are left; always true where work is counted."""
        return self.steady or self.time_s is None or self.time_s - self.elapsed_s > seconds

    def spend(self, seconds: float) -> None:
        """Count work that is done without a look at the clock, where the clock counts work."""
        if isinstance(self.clock, WorkClock):
            self.clock.spend(seconds)

    def go_on(self, time_s: float) -> None:
        """Allow this many seconds from now on, where time is limited at all."""
        if self.time_s is not None:
            self.time_s = self.elapsed_s + time_s

    def share(self, part: float) -> Budget:
        """Return a budget that starts now: a part of the time that is left of this one."""
        return self.within(None).part(part).start()

    def part(self, part: float) -> Budget:
        """Return the same limits with a part of the time."""
        return replace(self, time_s=None if self.time_s is None else self.time_s * part)

    def within(self, time_s: float | None, states: int | None = None) -> Budget:
        """Return a budget of its own with at most these seconds, and no more than is left of this one."""
        if self.time_s is None:
            return Budget(time_s, states, self.clock)
        left = max(0.0, self.time_s - self.elapsed_s)
        return Budget(left if time_s is None else min(left, time_s), states, self.clock)

    def counted(self, work_s: float) -> Budget:
        """Return a budget of so many seconds of work, counted so on every machine, and over when this one is."""
        return self.within(work_s) if self.steady else Budget(work_s, clock=WorkClock(self))

    def check(self, states: int = 0) -> None:
        """Look at the clock and at the number of positions kept.

        Raises:
            BudgetExceeded: one of them is used up.
        """
        if states > self.max_states or (self.time_s is not None and self.elapsed_s > self.time_s):
            raise BudgetExceeded


@dataclass(slots=True)
class Counters:
    """What a search has done so far."""

    generated: int = 0
    """Positions generated, repeats included."""
    expanded: int = 0
    states: int = 0
    """Distinct positions kept by the last run."""
    pruned: int = 0
    """Positions cut by the bound in the last run."""


AGAIN_S: Final = 0.02
"""Seconds after which a Ctrl-C that got lost is pressed again."""


@contextmanager
def never_lost() -> Iterator[None]:
    """See to it that a Ctrl-C is heard which came where nothing can be raised, as while objects are cleared away."""
    before, shows = sys.unraisablehook, sys.excepthook

    def heard(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        again = Timer(AGAIN_S, interrupt_main)
        again.daemon = True
        again.start()

    def quiet(kind: type[BaseException], *more: Any) -> None:
        if not issubclass(kind, KeyboardInterrupt):  # compiled code shows what it loses before it is heard
            shows(kind, *more)

    sys.unraisablehook, sys.excepthook = heard, quiet
    try:
        yield
    finally:
        sys.unraisablehook, sys.excepthook = before, shows
