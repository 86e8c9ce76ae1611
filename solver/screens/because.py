"""The words of an explanation of impossibility: what it hangs on, and what would be enough to change it."""

from __future__ import annotations

from typing import Any

from rules.core.errors import joined
from rules.core.position import Position
from solver.because import Cause, Explanation
from solver.render import Row
from solver.screens.common import FACTS, count, facts_rows, unit_of
from solver.screens.plan import impossible


def because_rows(position: Position, explanation: Explanation) -> list[Row]:
    """Return the explanation under the answer it belongs to."""
    goal, found = explanation.goal, explanation
    claim = impossible(goal, unit_of(position))
    others = len(found.candidates) - len(found.causes)
    if found.causes:
        reasons = joined([_told(cause) for cause in found.causes])
        text = f"Because {reasons}, {claim}."
        if others:
            text += f" That holds even with {count(others, 'other rule')} loosened."
        text += _needed(found)
    else:
        text = f"Even with all {count(others, 'rule')} loosened that can be, {claim}: the turns are too few."
    rows = facts_rows([("why", text)])
    if found.enough and set(found.enough) != set(found.causes):
        alone = [Row(_told(cause), label="·", indent=FACTS) for cause in found.enough]
        rows += [*facts_rows([("otherwise", "It would be possible if just one of these did not hold:")]), *alone]
    return rows


def because_data(explanation: Explanation) -> dict[str, Any]:
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


def _told(cause: Cause) -> str:
    return f"{cause.holds} ({', '.join(cause.rules)})" if cause.rules else cause.holds


def _data(cause: Cause) -> dict[str, Any]:
    return {"id": cause.id, "holds": cause.holds, "rules": list(cause.rules)}
