"""What is said while a search goes on: one line that is written over on a terminal, notes with ``--verbose``."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from solver.commands.settings import is_screen

if TYPE_CHECKING:
    from fractions import Fraction

    from rules.core.position import Position
    from rules.core.steps import Step
    from solver.commands.settings import Settings
    from solver.report import Progress

Teller = Callable[[str], None]
"""Shows how far a search has come; an empty text wipes it away."""


def telling(settings: Settings) -> Teller | None:
    """Return what tells how far a search has come, or nothing where nobody is to hear it."""
    if settings.quiet:
        return None
    if is_screen(sys.stderr):
        return _write_over
    return settings.note if settings.verbose else None


def _write_over(text: str) -> None:
    text = text[: shutil.get_terminal_size().columns - 1]  # a line that wraps could not be wiped away
    sys.stderr.write(f"\r\x1b[K{text}\r" if text else "\r\x1b[K")
    sys.stderr.flush()


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


def telling_search(settings: Settings) -> Callable[[Progress], None] | None:
    """Return what tells on a terminal how far the search for a line has come."""
    if settings.quiet or not is_screen(sys.stderr):
        return None

    def told(now: Progress) -> None:
        best = "nothing yet" if now.value is None else f"best {now.value}"
        bound = "" if now.bound is None else f", not excluded {now.bound}"
        _write_over(f"{now.time_s:.0f} s, {now.states:,} positions, {best}{bound}")

    return told


def wiped(settings: Settings) -> None:
    """Wipe away on a terminal what was told."""
    if not settings.quiet and is_screen(sys.stderr):
        _write_over("")
