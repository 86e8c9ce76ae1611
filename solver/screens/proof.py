"""The words and JSON of proofs: why a verdict holds, why nothing is better, all lines as good, and certificates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from puzzles.goal import Objective
from rules.core.errors import joined
from rules.core.position import Position
from rules.core.tools.output import picked
from solver.checker.certificate import goal_data
from solver.checker.check import Checked
from solver.checker.witness import Witnessed
from solver.question import TurnLine
from solver.render import EMPTY, FACTS, Row
from solver.screens.common import (
    count,
    facts_rows,
    goal_reached,
    goal_sentence,
    impossible,
    limits_text,
    turns_text,
    unit_of,
)

if TYPE_CHECKING:
    from solver.proofs import Count
    from solver.tools.why import Cause, Explanation

UNNEEDED: Final = "Whether fewer reasons would do was left open by the limit."
"""Said of reasons of which some may not be needed."""


def certificate_rows(checked: Checked) -> list[Row]:
    """Return what a certificate proves that holds."""
    position, goal = checked.position, checked.goal
    if checked.turns:
        found = f", {count(checked.positions, 'position')} on the way" if checked.positions else ""
        turn = "turn" if goal.clock is None else goal.clock.turn
        played = f"every line of {count(checked.turns, turn)}, by the rules alone{found}"
    else:
        played = "nothing; the line is proof enough"
    facts = [
        ("rules", f"{position.ruleset.id} {position.fingerprint}"),
        ("played", played),
        ("relies on", checked.relies and f"the bound '{checked.relies}'"),
        ("digest", checked.seal),
        ("position", position.code),
    ]
    return [
        Row(goal_sentence(goal, position)),
        EMPTY,
        Row(_claim(checked), label="HOLDS", look="good"),
        EMPTY,
        *facts_rows(facts),
    ]


def witness_rows(checked: Sequence[Witnessed], findings: int, *, complete: bool = True) -> list[Row]:
    """Return what came of the witnesses of an audit with so many findings, ``complete`` where time allowed all."""
    rows = [
        Row(f"{each.id}: {each.words}.", "ok" if each.ok else "FAILS", column=6, look="good" if each.ok else "bad")
        for each in checked
    ]
    if not checked:
        none = "the audit has no findings" if not findings else f"{count(findings, 'finding')}, none shown by a line"
        return [Row(f"nothing to check: {none}")]
    failed = sum(1 for each in checked if not each.ok)
    told = f"{len(checked) - failed} of {count(findings, 'finding')} shown by a line that the rules replay"
    late = "" if complete else "; the time was up before the rest"
    label, look = ("FAILS", "bad") if failed else ("HOLDS", "good") if complete else ("OPEN", "open")
    return [*rows, EMPTY, Row(f"{told}, {failed} failed{late}", label, look=look)]


def _claim(checked: Checked) -> str:
    """Return what is proved in one sentence, with everything that limits it."""
    goal, value, unit = checked.goal, checked.value, unit_of(checked.position)
    claim, turns = impossible(goal, unit), False
    if checked.status != "infeasible":
        assert value is not None
        within = turns_text(goal.within_turns or 0, goal)
        if goal.objective is Objective.MIN_TURNS:
            there = goal_reached(goal, unit)
            claim, turns = f"the line takes {turns_text(value, goal)}, and none takes fewer to get to {there}", True
        elif goal.objective is Objective.REACH:
            claim = f"the line gets to {goal_reached(goal, unit)} within {within}"
        else:
            claim = f"the line gets to {unit.amount(str(value))} in {within}, and none gets further"
    limits = limits_text(goal, checked.position, turns=turns)
    return f"{claim}, {limits}" if limits else claim


def certificate_data(checked: Checked) -> dict[str, Any]:
    """Return what a certificate proves, as JSON."""
    position = checked.position
    return {
        "ok": True,
        "ruleset": position.ruleset.id,
        "fingerprint": position.fingerprint,
        "goal": goal_data(checked.goal),
        "options": dict(position.options),
        "status": checked.status,
        "value": checked.goal.in_rounds(checked.value),
        **picked(checked, "turns", "positions", "relies"),
        "digest": checked.seal,
        "position_code": position.code,
    }


# Why nothing is better, and what is as good


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
        loose = "that" if len(found.causes) == 1 else "any one of these"
        needed = f"Loosen {loose} as well, and it can." if found.minimal else UNNEEDED
        text += f" {needed}"
    else:
        text = f"Even with all {count(others, 'rule')} loosened that can be, {claim}: the turns are too few."
    rows = facts_rows([("why", text)])
    if found.enough and set(found.enough) != set(found.causes):
        alone = [Row(_cause_text(cause), label="·", indent=FACTS) for cause in found.enough]
        rows += [*facts_rows([("otherwise", "It would be possible if just one of these did not hold:")]), *alone]
    return rows


def explanation_data(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON."""
    reasons = {"causes": explanation.causes, "enough": explanation.enough}
    return {
        **picked(explanation.goal, "within_turns", "target"),
        **{name: [picked(cause, "id", "holds", "rules") for cause in causes] for name, causes in reasons.items()},
        "loosened": [cause.id for cause in explanation.candidates],
        **picked(explanation, "minimal", "searches"),
    }


def _cause_text(cause: Cause) -> str:
    return f"{cause.holds} ({', '.join(cause.rules)})" if cause.rules else cause.holds


def lines_data(found: Count) -> dict[str, Any]:
    """Return the lines as JSON, each with one text a turn, as in the solution of a puzzle file."""
    lines = [_texts(line) for line in found.written]
    return {"count": found.lines, **picked(found, "exact", "stopped"), "lines": lines}


def lines_rows(found: Count) -> list[Row]:
    """Return the lines as a screen: how many there are, then one after the other, a turn a row."""
    rows = facts_rows([("all lines", _how_many(found))])
    for number, line in enumerate(found.written, start=1):
        rows.append(EMPTY)
        for turn, text in enumerate(_texts(line), start=1):
            label = f"line {number}" if turn == 1 else ""
            rows.append(Row(f"{turn} {text}", label=label, column=FACTS))
    return rows


def _how_many(found: Count) -> str:
    """Return how many lines there are, and what makes two of them."""
    lines, apart = found.lines, "told apart by the tables between turns"
    if found.stopped:
        return f"a limit was hit first; met so far: {count(lines, 'line')}"
    if not found.exact:
        return f"more than {lines:,} are as good, {apart}; these are {lines:,} of them"
    return "this is the only one" if lines == 1 else f"{lines:,} are as good, {apart}"


def _texts(line: Sequence[TurnLine]) -> list[str]:
    return ["; ".join(step.text for step in turn.steps) for turn in line]
