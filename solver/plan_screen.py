"""The words of the screens that answer: the verdict, the annotated plan, the proof, the ranking of moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from rules.core.race import Race
from solver.explain import Annotation, TurnTold
from solver.render import EMPTY, Row
from solver.report import Report, Statistics, Status
from solver.screens import FACTS, count, facts_rows, goal_sentence, table_facts, unit_of

T = TypeVar("T")

STEP: Final = 4
"""Columns before everything that belongs to one turn."""
REASON: Final = 8
"""Columns from a reason's label to its text."""


def solve_rows(
    title: str, position: Position, goal: Goal, report: Report, told: Sequence[TurnTold[Any]], *, timed: bool
) -> list[Row]:
    """Return the answer of ``solve``: verdict, start, plan, proof, and what it rests on."""
    unit = unit_of(position)
    rows = [Row(title, look="title")] if title else []
    rows += [Row(goal_sentence(goal, unit)), EMPTY, verdict_row(report, goal, unit)]
    if told:
        rows += [EMPTY, *facts_rows(table_facts(position), indent=STEP)]
    if told and isinstance(position.game, Race):
        rows += plan_rows(position.game, told)
    rows += [EMPTY, *facts_rows(_grounds(position, goal, report, unit))]
    return [*rows, *footer_rows(position, report.statistics, timed=timed)]


def verdict_row(report: Report, goal: Goal, unit: str) -> Row:
    """Return the one line that says what was found and how sure it is."""
    value, bound = report.value, report.bound
    if report.status is Status.INFEASIBLE:
        return Row(f"proved: {_impossible(goal, unit)}", label="IMPOSSIBLE", look="bad")
    if value is None:
        excluded = "" if bound is None else f"; not excluded: {value_text(bound, goal, unit)}"
        return Row(f"nothing found before the limit{excluded}", label="UNKNOWN", look="open")
    told = value_text(value, goal, unit)
    if report.status is Status.OPTIMAL:
        return Row(f"{told}, proved best", label="SOLVED", look="good")
    better = "" if bound is None else f"; not excluded: {value_text(bound, goal, unit)}"
    return Row(f"{told}, the best found so far{better}", label="FOUND", look="open")


def _impossible(goal: Goal, unit: str) -> str:
    within = f" within {count(goal.within_turns, 'turn')}" if goal.within_turns is not None else ""
    return f"{unit} {goal.target} cannot be reached{within}"


def value_text(value: int, goal: Goal, unit: str) -> str:
    """Return a value in words."""
    if goal.objective is Objective.MIN_TURNS:
        return count(value, "turn")
    if goal.objective is Objective.REACH:
        return f"{unit} {goal.target} is {'reached' if value else 'out of reach'}"
    return f"{unit} {value}"


def plan_rows(game: Race[T], told: Sequence[TurnTold[T]]) -> list[Row]:
    """Return the annotated line, turn by turn: what is played, what the rules do, and why it was done so."""
    rows: list[Row] = []
    for turn in told:
        went = f"{game.unit} {turn.before} → {turn.after}"
        rows += [EMPTY, Row("; ".join(turn.steps), label=f"{turn.number:>2}", right=went, column=STEP, look="title")]
        rows += [
            Row(game.sentence(event), label="·", indent=STEP) for event in turn.events if event.kind not in game.routine
        ]
        after = [(label, text) for label, text in game.glance(turn.table) if label in game.standing]
        rows += [
            Row(text, label=label, indent=STEP, column=REASON, look="quiet")
            for label, text in (*reasons(turn.notes), *after)
        ]
    return rows


def reasons(notes: Sequence[Annotation]) -> list[tuple[str, str]]:
    """Return the reasons of a turn as label and text."""
    told: list[tuple[str, str]] = []
    for role, verb in (("play", "plays"), ("pay", "pays with")):
        kept = [
            f"{note.data['card']} (turn {note.data['turn']} {verb} it)"
            for note in notes
            if note.kind == "kept" and note.data["role"] == role
        ]
        if kept:
            told.append(("keeps", ", ".join(kept)))
    return told


def _grounds(position: Position, goal: Goal, report: Report, unit: str) -> list[tuple[str, str]]:
    return [("proof", proof_text(report, goal, unit)), ("known", information_text(position))]


def proof_text(report: Report, goal: Goal, unit: str) -> str:
    """Return why the verdict holds, in sentences with the numbers of the search."""
    proof = report.proof
    sentences = [_searched(report, goal, unit)]
    if proof.projections:
        sentences.append(f"Left out because it cannot matter here: {', '.join(proof.projections)}.")
    if proof.checked_by and report.line:
        sentences.append(f"The line was checked by {' and '.join(proof.checked_by)}.")
    if report.status in (Status.FEASIBLE, Status.UNKNOWN):
        sentences.append(f"No more is proved: {'it was stopped' if report.interrupted else 'a limit was hit'} first.")
    return " ".join(sentence for sentence in sentences if sentence)


def _searched(report: Report, goal: Goal, unit: str) -> str:
    """Return what the exhausted search excluded, and how large it was."""
    proof = report.proof
    if proof.method != "layers":
        return ""
    cut = f", {proof.pruned:,} of them cut by the bound '{proof.bound_name}'" if proof.pruned else ""
    effort = f"every one was searched, {count(proof.states, 'position')}{cut}"
    if goal.objective is Objective.MAX_DISTANCE:
        if report.status is not Status.OPTIMAL:
            return ""
        return f"No line of {count(goal.within_turns or 0, 'turn')} gets beyond {unit} {report.value}: {effort}."
    if not proof.excluded_turns:
        return ""
    return f"No line of {count(proof.excluded_turns, 'turn')} gets to {unit} {goal.target}: {effort}."


def information_text(position: Position) -> str:
    """Return what the answer takes as known."""
    if position.information == "open":
        return "Everything is open: every shuffle and roll to come is known. Other luck may need another line."
    return f"Hidden: {', '.join(position.hidden)}."


def footer_rows(position: Position, statistics: Statistics, *, timed: bool) -> list[Row]:
    """Return what the answer rests on: rules, work, position; the clock only where ``timed``."""
    work = [f"{statistics.generated:,} positions generated"]
    if timed:
        work.append(f"{statistics.time_s:.2f} s")
        if statistics.time_s >= 0.05:
            work.append(f"{round(statistics.generated / statistics.time_s):,} a second")
    rules = f"{position.ruleset.id} {position.fingerprint} · {' · '.join(work)} · {statistics.engine or 'no'} engine"
    return [*facts_rows([("rules", rules)]), Row(position.code, label="code", column=FACTS)]
