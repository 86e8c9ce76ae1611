"""What is said while a search goes on: one line that is written over on a terminal, notes with ``--verbose``."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from rules.core.escape import escaped
from solver.commands.settings import is_screen

if TYPE_CHECKING:
    from fractions import Fraction

    from puzzles.goal import Goal
    from rules.core.position import Position
    from rules.core.steps import Step
    from solver.commands.settings import Settings
    from solver.report import Progress
    from solver.sampled import OnRound

Teller = Callable[[str], None]
"""Shows how far a search has come; an empty text wipes it away."""
TICK_S: Final = 1.0
"""Seconds between two looks at the clock that stands beside what is told."""


class _Line:
    """The line of a terminal that is written over, with the seconds since it is there: nobody waits without a sign."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._text = ""
        self._since = 0.0
        self._over: Event | None = None

    def begin(self, text: str) -> None:
        """Show a text after the first second, unless one is there already."""
        with self._lock:
            if self._over is None:
                self._text, self._since, self._over = escaped(text), monotonic(), Event()
                Thread(target=self._tick, args=(self._over,), daemon=True).start()

    def show(self, text: str) -> None:
        """Show a text now."""
        self.begin(text)
        with self._lock:
            self._text = escaped(text)
            self._draw()

    def clear(self, *, stop: bool) -> None:
        """Make room for other words, if there is a line; with ``stop`` it does not come back."""
        with self._lock:
            if self._over is None:
                return
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            if stop:
                self._over.set()
                self._over = None

    def _tick(self, over: Event) -> None:
        while not over.wait(TICK_S):
            with self._lock:
                if not over.is_set():
                    self._draw()

    def _draw(self) -> None:
        gone = int(monotonic() - self._since)
        room = shutil.get_terminal_size().columns - 1  # a line that wraps could not be wiped away
        clock = "" if not gone else f" ({gone} s; Ctrl-C keeps the best)" if room > 2 * TELLING else f" ({gone} s)"
        sys.stderr.write(f"\r\x1b[K{self._text[: room - len(clock)]}{clock}\r")
        sys.stderr.flush()


TELLING: Final = 35
"""Columns that a text needs at least beside the words of the clock."""
_LINE: Final = _Line()


def telling(settings: Settings) -> Teller | None:
    """Return what tells how far a search has come, or nothing where nobody is to hear it."""
    if settings.quiet:
        return None
    if is_screen(sys.stderr):
        return _LINE.show
    return settings.note if settings.verbose else None


def first_guess(settings: Settings, position: Position, forbidden: frozenset[str] = frozenset()) -> None:
    """Show a first guess at the best move, before any search."""
    tell = telling(settings)
    if tell is None:
        return
    from solver.first_look import first_look

    move = first_look(position, forbidden)
    if move is not None:
        tell(f"first guess: {move.text}")


def telling_best(settings: Settings) -> Callable[[Step, Fraction, int], None] | None:
    """Return what tells the best move so far of moves compared by playouts."""
    tell = telling(settings)
    if tell is None:
        return None

    def told(move: Step, value: Fraction, playouts: int) -> None:
        tell(f"so far: {move.text}, about {float(value):.2f} after {playouts:,} playouts")

    return told


def telling_goal(settings: Settings, position: Position) -> Callable[[Goal], OnRound] | None:
    """Return what tells the best move so far of moves compared by playouts of a goal, in the words of its answer."""
    tell = telling(settings)
    if tell is None:
        return None
    from solver.screens.common import unit_of
    from solver.screens.hidden import about_text

    unit = unit_of(position)

    last: list[str] = []

    def for_goal(goal: Goal) -> OnRound:
        def told(move: Step, value: Fraction, playouts: int) -> None:
            text = f"so far: {move.text}, about {about_text(value, goal, unit)} after {playouts:,} playouts"
            if [text] != last:  # a stretch may end without anything new
                last[:] = [text]
                tell(text)

        return told

    return for_goal


def telling_search(settings: Settings) -> Callable[[Progress], None] | None:
    """Return what tells how far the search for a line has come; off a terminal only what is new."""
    tell = telling(settings)
    if tell is None:
        return None
    waiting(settings, "searching")
    known: list[tuple[int | None, int | None]] = []

    def told(now: Progress) -> None:
        best = "nothing yet" if now.value is None else f"best {now.value}"
        bound = "" if now.bound is None else f", not excluded {now.bound}"
        if tell == _LINE.show or (now.value, now.bound) not in known[-1:]:
            known[:] = [(now.value, now.bound)]
            tell(f"{best}{bound}, {now.states:,} positions")

    return told


def waiting(settings: Settings, text: str) -> None:
    """Say on a terminal what goes on, if it takes a while."""
    if not settings.quiet and is_screen(sys.stderr):
        _LINE.begin(text)


def cleared() -> None:
    """Make room on a terminal for other words."""
    _LINE.clear(stop=False)


def hushed() -> None:
    """Wipe away on a terminal what is still told."""
    _LINE.clear(stop=True)
