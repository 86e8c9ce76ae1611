"""The turns of a player alone whose cards, decks and shells are known: tables after a turn, without their steps."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from rules.trench_rescue.challenges import Rescue
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.state import OVER, Table
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.contest import options_missing
from solver.encodings.trench_rescue.machine import HalfTurn
from solver.encodings.trench_rescue.tables import cards_in_play, row_of, table_from, table_of, width_of

MOST_SHELLS: Final = L.MOST_CARDS // 2
"""Shells that can fall in one barrage."""
NOBODY: Final = array("i", [-1]) * MOST_SHELLS
"""Cells of shells that hit nobody."""


def supports(asked: Any, table: Any) -> tuple[str, ...]:
    """Return the features of a question that rows of one player lack; ``asked`` is the game or a challenge."""
    if not isinstance(asked, TrenchRescue) or not isinstance(table, Table):
        return ("another game or measure",)
    r, is_quiet = asked.rulings, isinstance(asked, Rescue) and asked.quiet
    lacking = {
        "several players": r.players > 1,
        "hidden cards": table.view is not None,
        "hidden shells": r.shells_fall and not r.shells_open and not is_quiet,
        "shuffled decks": not r.queue,
    }
    return (*(feature for feature, is_missing in lacking.items() if is_missing), *options_missing(r))


class Turns:
    """The turns of one question that ``supports`` carries, from one table on."""

    def __init__(self, asked: Any, table: Table) -> None:
        """``asked``: the game, or a challenge that may forbid shells.

        Raises:
            OverflowError: it does not fit.
        """
        self._rulings, self._start = asked.rulings, table
        self._is_quiet = isinstance(asked, Rescue) and asked.quiet
        self._cards = cards_in_play(table)
        numbers = table_of(self._rulings, table, self._cards, fades=False)
        numbers[L.T_STARTER] = 1 - table.starter  # the turn is over after each half-turn
        self._half = HalfTurn(numbers, width_of(self._cards))
        self._cells = cache(self._cells_from)

    def after(self, table: Table) -> Iterator[Table]:
        """Yield every table after the next turn, once each; none where the game is over."""
        if table.phase == OVER:
            return
        half, rulings, width = self._half, self._rulings, self._half.width
        half.put(row_of(rulings, table, self._cards))
        cells = self._cells(table.shells)
        met: dict[tuple[bytes, int], None] = {}
        for each in range(half.run()):
            if not half.may_end(each):
                continue
            shells = half.end_alone(each, cells) if rulings.shells_fall else 0 * half.end_alone(each, cells)
            if not (shells and self._is_quiet):
                met[bytes(memoryview(half.rows)[each * width : (each + 1) * width]), shells] = None
        # The machine may play another turn before all of these are asked for.
        for row, shells in met:
            after = table_from(array("h", row), self._start, self._cards, rulings.pack.colour)
            yield after._replace(shells=self._event_after(table.shells, shells))

    def _event_after(self, event: int, shells: int) -> int:
        for _ in range(shells):
            event = self._rulings.next_shell(event)
        return event

    def _cells_from(self, event: int) -> array[int]:
        """Return the cells that the shells from an event on fall on."""
        if not (self._rulings.shells_fall and self._rulings.shells_open):
            return NOBODY
        found = array("i")
        for _ in range(MOST_SHELLS):
            found.append(self._rulings.shell(self._start.size, event)[2])
            event = self._rulings.next_shell(event)
        return found
