"""The words and JSON of what belongs to a proved answer: why nothing better exists, and all lines as good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.errors import joined
from rules.core.position import Position
from solver.answer import TurnLine
from solver.optimal_lines import WrittenLines
from solver.render import EMPTY, Row
from solver.screens.common import FACTS, count, facts_rows, impossible, unit_of
from solver.tools.explain import Cause, Explanation


def explanation_rows(position: Position, explanation: Explanation) -> list[Row]:
    """Return the explanation under the answer it belongs to."""
    goal, found = explanation.goal, explanation
    claim = impossible(goal, unit_of(position))
    others = len(found.candidates) - len(found.causes)
    if found.causes:
        reasons = joined([_cause_text(cause) for cause in found.causes])
        text = f"Because {reasons}, {claim}."
        if others:
            text += f" That holds even with {count(others, 'other rule')} loosened."
        text += _needed(found)
    else:
        text = f"Even with all {count(others, 'rule')} loosened that can be, {claim}: the turns are too few."
    rows = facts_rows([("why", text)])
    if found.enough and set(found.enough) != set(found.causes):
        alone = [Row(_cause_text(cause), label="·", indent=FACTS) for cause in found.enough]
        rows += [*facts_rows([("otherwise", "It would be possible if just one of these did not hold:")]), *alone]
    return rows


def explanation_data(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON."""
    return {
        "within_turns": explanation.goal.within_turns,
        "target": explanation.goal.target,
        "causes": [_data(cause) for cause in explanation.causes],
        "enough": [_data(cause) for cause in explanation.enough],
        "loosened": [cause.id for cause in explanation.candidates],
        "minimal": explanation.minimal,
        "searches": explanation.searches,
    }


def _needed(found: Explanation) -> str:
    if not found.minimal:
        return " Whether fewer reasons would do was left open by the limit."
    if len(found.causes) == 1:
        return " Loosen that as well, and it can."
    return " Loosen any one of these as well, and it can."


def _cause_text(cause: Cause) -> str:
    return f"{cause.holds} ({', '.join(cause.rules)})" if cause.rules else cause.holds


def _data(cause: Cause) -> dict[str, Any]:
    return {"id": cause.id, "holds": cause.holds, "rules": list(cause.rules)}


def lines_data(written: WrittenLines) -> dict[str, Any]:
    """Return the lines as JSON, each with one text a turn, as in the solution of a puzzle file."""
    return {
        "count": written.count.lines,
        "exact": written.count.exact,
        "stopped": written.count.stopped,
        "lines": [_texts(line) for line in written.lines],
    }


def lines_rows(written: WrittenLines) -> list[Row]:
    """Return the lines as a screen: how many there are, then one after the other, a turn a row."""
    rows = facts_rows([("all lines", _how_many(written))])
    for number, line in enumerate(written.lines, start=1):
        rows.append(EMPTY)
        for turn, text in enumerate(_texts(line), start=1):
            label = f"line {number}" if turn == 1 else ""
            rows.append(Row(f"{turn} {text}", label=label, column=FACTS))
    return rows


def _how_many(written: WrittenLines) -> str:
    """Return how many lines there are, and what makes two of them."""
    lines, apart = written.count.lines, "told apart by the tables between turns"
    if written.count.stopped:
        return f"a limit was hit first; met so far: {count(lines, 'line')}"
    if not written.count.exact:
        return f"more than {lines:,} are as good, {apart}; these are {lines:,} of them"
    return "this is the only one" if lines == 1 else f"{lines:,} are as good, {apart}"


def _texts(line: Sequence[TurnLine]) -> list[str]:
    return ["; ".join(step.text for step in turn.steps) for turn in line]
