"""The words and JSON of all the lines that are as good as the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.render import EMPTY, Row
from solver.report import TurnLine
from solver.screens.common import FACTS, count, facts_rows
from solver.ways import Written


def ways_data(written: Written) -> dict[str, Any]:
    """Return the lines as JSON, each with one text a turn, as in the solution of a puzzle file."""
    return {
        "count": written.count.lines,
        "exact": written.count.exact,
        "stopped": written.count.stopped,
        "lines": [_texts(line) for line in written.lines],
    }


def ways_rows(written: Written) -> list[Row]:
    """Return the lines as a screen: how many there are, then one after the other, a turn a row."""
    rows = facts_rows([("all lines", _how_many(written))])
    for number, line in enumerate(written.lines, start=1):
        rows.append(EMPTY)
        for turn, text in enumerate(_texts(line), start=1):
            label = f"line {number}" if turn == 1 else ""
            rows.append(Row(f"{turn} {text}", label=label, column=FACTS))
    return rows


def _how_many(written: Written) -> str:
    """Return how many lines there are, and what makes two of them."""
    lines, apart = written.count.lines, "told apart by the tables between turns"
    if written.count.stopped:
        return f"a limit was hit first; met so far: {count(lines, 'line')}"
    if not written.count.exact:
        return f"more than {lines:,} are as good, {apart}; these are {lines:,} of them"
    return "this is the only one" if lines == 1 else f"{lines:,} are as good, {apart}"


def _texts(line: Sequence[TurnLine]) -> list[str]:
    return ["; ".join(step.text for step in turn.steps) for turn in line]
