"""The words about certificates: what one proves, and what was done to check it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzles.goal import Objective
from solver.checker.certificate import goal_data
from solver.checker.check import Checked
from solver.checker.witness import Witnessed
from solver.render import EMPTY, Row
from solver.screens.common import Unit, count, facts_rows, goal_reached, goal_sentence, turns_text, unit_of


def certificate_rows(checked: Checked) -> list[Row]:
    """Return what a certificate proves that holds."""
    position, goal = checked.position, checked.goal
    unit = unit_of(position)
    if checked.turns:
        found = f", {count(checked.positions, 'position')} on the way" if checked.positions else ""
        turn = "turn" if goal.clock is None else goal.clock.turn
        played = f"every line of {count(checked.turns, turn)}, by the rules alone{found}"
    else:
        played = "nothing; the line is proof enough"
    only = {None: "", True: "no other line does as well", False: "other lines do as well"}
    facts = [
        ("line", only[checked.unique]),
        ("rules", f"{position.ruleset.id} {position.fingerprint}"),
        ("played", played),
        ("relies on", checked.relies and f"the bound '{checked.relies}'"),
        ("digest", checked.seal),
        ("position", position.code),
    ]
    return [
        Row(goal_sentence(goal, unit)),
        EMPTY,
        Row(_claim(checked, unit), label="HOLDS", look="good"),
        EMPTY,
        *facts_rows(facts),
    ]


def witness_rows(checked: Sequence[Witnessed], findings: int) -> list[Row]:
    """Return what came of the witnesses of an audit with so many findings."""
    rows = [
        Row(f"{each.id}: {each.words}.", "ok" if each.ok else "FAILS", column=6, look="good" if each.ok else "bad")
        for each in checked
    ]
    if not checked:
        none = "the audit has no findings" if not findings else f"{count(findings, 'finding')}, none shown by a line"
        return [Row(f"nothing to check: {none}")]
    failed = sum(1 for each in checked if not each.ok)
    told = f"{len(checked) - failed} of {count(findings, 'finding')} shown by a line that the rules replay"
    return [
        *rows,
        EMPTY,
        Row(f"{told}, {failed} failed", "FAILS" if failed else "HOLDS", look="bad" if failed else "good"),
    ]


def _claim(checked: Checked, unit: Unit) -> str:
    goal, value = checked.goal, checked.value
    if checked.status == "infeasible":
        within = f" within {turns_text(goal.within_turns, goal)}" if goal.within_turns is not None else ""
        if goal.objective is Objective.MAX_DISTANCE:
            return f"no line has {count(goal.within_turns or 0, 'turn')}"
        return f"{goal_reached(goal, unit)} cannot be reached{within}"
    assert value is not None
    if goal.objective is Objective.MIN_TURNS:
        return f"the line takes {turns_text(value, goal)}, and none takes fewer"
    if goal.objective is Objective.REACH:
        return f"the line gets to {goal_reached(goal, unit)} in time"
    return f"the line gets to {unit.told(str(value))}, and none gets further"


def certificate_data(checked: Checked) -> dict[str, Any]:
    """Return what a certificate proves, as JSON."""
    position = checked.position
    return {
        "ok": True,
        "ruleset": position.ruleset.id,
        "fingerprint": position.fingerprint,
        "goal": goal_data(checked.goal),
        "status": checked.status,
        "value": checked.goal.told(checked.value),
        "turns": checked.turns,
        "positions": checked.positions,
        "unique": checked.unique,
        "relies": checked.relies,
        "digest": checked.seal,
        "position_code": position.code,
    }
