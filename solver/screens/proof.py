"""The words about proofs: why a verdict holds, what a certificate proves, and what was done to check it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzles.goal import Goal, Objective
from solver.answer import BY_ROUNDS, Answer, Status
from solver.checker.certificate import goal_data
from solver.checker.check import Checked
from solver.checker.witness import Witnessed
from solver.render import EMPTY, Row
from solver.screens.common import (
    Unit,
    count,
    facts_rows,
    goal_reached,
    goal_sentence,
    impossible,
    limits_text,
    turns_text,
    unit_of,
)


def certificate_rows(checked: Checked) -> list[Row]:
    """Return what a certificate proves that holds."""
    position, goal = checked.position, checked.goal
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
        "options": dict(position.setting.options),
        "status": checked.status,
        "value": checked.goal.in_rounds(checked.value),
        "turns": checked.turns,
        "positions": checked.positions,
        "unique": checked.unique,
        "relies": checked.relies,
        "digest": checked.seal,
        "position_code": position.code,
    }


def proof_text(answer: Answer[int], goal: Goal, unit: Unit) -> str:
    """Return why the verdict holds, in sentences with the numbers of the search."""
    proof = answer.proof
    sentences = [_searched(answer, goal, unit)]
    if proof.method == BY_ROUNDS:
        sentences = [_rounds_searched(answer, goal)]
    elif proof.projections:
        sentences.append(f"Left out because it cannot matter here: {', '.join(proof.projections)}.")
    if proof.checked_by and answer.line and proof.method != BY_ROUNDS:
        sentences.append(f"The line was checked by {' and '.join(proof.checked_by)}.")
    if answer.recalled:
        sentences.append("Known from an earlier run.")
    if answer.status in (Status.FEASIBLE, Status.UNKNOWN):
        sentences.append(f"No more is proved: {'it was stopped' if answer.interrupted else 'a limit was hit'} first.")
    return " ".join(sentence for sentence in sentences if sentence)


def _rounds_searched(answer: Answer[int], goal: Goal) -> str:
    """Return what a search round by round excluded, and in whose favour it erred."""
    proof = answer.proof
    found = []
    if proof.excluded_turns:
        searched = f"every way that its bound leaves open was searched, {count(proof.states, 'round')}"
        found.append(
            f"The goal is out of reach in {turns_text(proof.excluded_turns, goal)}, even with "
            f"{' and '.join(proof.projections)}: {searched if proof.states else 'a bound alone rules it out'}."
        )
    elif answer.status is Status.OPTIMAL:
        found.append("No goal is reached in fewer rounds than one.")
    if answer.line and proof.checked_by:
        found.append(f"The line was checked by {' and '.join(proof.checked_by)}.")
    if not answer.line and answer.status is Status.OPTIMAL:
        found.append("No line of moves shows it: from this hand not every card wanted can be drawn in time.")
    return " ".join(found)


def _searched(answer: Answer[int], goal: Goal, unit: Unit) -> str:
    """Return what the exhausted search excluded, and how large it was."""
    proof = answer.proof
    if proof.method != "layers":
        return ""
    reason = f"cut by the bound '{proof.bound_name}'" if proof.bound_name else "reached with no turn left"
    cut = f", and {proof.pruned:,} more {reason}" if proof.pruned else ""
    effort = f"every one was searched, {count(proof.states, 'position')}{cut}"
    if not (proof.states or proof.pruned):
        effort = "bounds alone rule it out"
    if goal.objective is Objective.MAX_DISTANCE:
        if answer.status is not Status.OPTIMAL:
            return ""
        turns = count(goal.within_turns or 0, "turn")
        return f"No line of {turns} gets beyond {unit.amount(str(answer.value))}: {effort}."
    if not proof.excluded_turns:
        return ""
    turn = "turn" if goal.clock is None else goal.clock.turn
    if answer.status is Status.INFEASIBLE and goal.within_turns is None:
        return f"No line, however long, gets to {goal_reached(goal, unit)}: {effort}."
    return f"No line of {count(proof.excluded_turns, turn)} gets to {goal_reached(goal, unit)}: {effort}."
