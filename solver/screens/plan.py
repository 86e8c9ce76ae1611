"""The words of the screens that answer: the verdict, the annotated plan, the proof, the ranking of moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.contest import Secretive
from rules.core.position import Position
from rules.core.race import Race
from solver.render import EMPTY, Row, Style, table
from solver.report import BY_ROUNDS, Report, Statistics, Status
from solver.screens.common import (
    FACTS,
    Unit,
    count,
    fact_row,
    facts_rows,
    goal_reached,
    goal_sentence,
    table_facts,
    turns_text,
    unit_in,
    unit_of,
)

if TYPE_CHECKING:
    from solver.answer import Annotation, TurnTold
    from solver.verify import Verdict

T = TypeVar("T")

STEP: Final = 4
"""Columns before everything that belongs to one turn."""
REASON: Final = 9
"""Columns from a reason's label to its text."""


def solve_rows(
    title: str,
    position: Position,
    goal: Goal,
    report: Report,
    told: Sequence[TurnTold[Any]],
    *,
    timed: bool,
    after: Sequence[Row] = (),
) -> list[Row]:
    """Return the answer of ``solve``: verdict, start, plan, what else was asked, proof, and what it rests on."""
    unit = unit_of(position)
    rows = [Row(title, look="title")] if title else []
    rows += [Row(goal_sentence(goal, position)), EMPTY, verdict_row(report, goal, unit)]
    if told:
        rows += [EMPTY, *facts_rows(table_facts(position), indent=STEP)]
    if told and isinstance(position.game, Race):
        rows += plan_rows(position.game, told, goal)
    rows += after
    rows += [EMPTY, *facts_rows(grounds(position, goal, report, unit))]
    return [*rows, *footer_rows(position, report.statistics, timed=timed)]


def verdict_row(report: Report, goal: Goal, unit: Unit) -> Row:
    """Return the one line that says what was found and how sure it is."""
    value, bound = report.value, report.bound
    if _is_there(report, goal):
        return Row(f"{value_text(0, goal, unit)}: the goal is reached already", label="SOLVED", look="good")
    if report.status is Status.INFEASIBLE:
        return Row(f"proved: {impossible(goal, unit)}", label="IMPOSSIBLE", look="bad")
    if value is None:
        excluded = "" if bound is None else f"; not excluded: {value_text(bound, goal, unit)}"
        return Row(f"nothing found before the limit{excluded}", label="UNKNOWN", look="open")
    told = value_text(value, goal, unit)
    if goal.clock is not None and goal.objective is Objective.MIN_TURNS:
        told = f"{told} ({count(value, goal.clock.turn)})"
    if report.status is Status.OPTIMAL:
        return Row(f"{told}, proved best", label="SOLVED", look="good")
    better = "" if bound is None else f"; not excluded: {value_text(bound, goal, unit)}"
    return Row(f"{told}, the best found so far{better}", label="FOUND", look="open")


def _is_there(report: Report, goal: Goal) -> bool:
    """Return whether nothing is left to do."""
    return report.status is Status.OPTIMAL and report.value == 0 and goal.objective is Objective.MIN_TURNS


def impossible(goal: Goal, unit: Unit) -> str:
    """Return that a goal is out of reach, in words."""
    if goal.objective is Objective.MAX_DISTANCE:
        if goal.challenge:
            return f"the game is not over within {turns_text(goal.within_turns or 0, goal)}, so that nothing counts yet"
        lost = f" without losing {' or '.join(sorted(goal.kept))}" if goal.kept else ""
        return f"what is allowed does not last {turns_text(goal.within_turns or 0, goal)}{lost}"
    within = f" within {turns_text(goal.within_turns, goal)}" if goal.within_turns is not None else ""
    return f"{goal_reached(goal, unit)} cannot be reached{within}"


def value_text(value: int, goal: Goal, unit: Unit) -> str:
    """Return a value in words."""
    if goal.objective is Objective.MIN_TURNS:
        return turns_text(value, goal)
    if goal.objective is Objective.REACH:
        return f"{goal_reached(goal, unit)} is {'reached' if value else 'out of reach'}"
    return unit.told(str(value))


def plan_rows(game: Race[T], told: Sequence[TurnTold[T]], goal: Goal) -> list[Row]:
    """Return the annotated line, turn by turn: what is played, what the rules do, and why it was done so.

    Turns in which nothing happens are one row with the next turn if the same is done in it.
    """
    loses = lost_unit(goal, unit_in(game))
    rows: list[Row] = []
    shown: Sequence[tuple[str, str]] = ()
    first: int | None = None
    for turn, following in zip_longest(told, told[1:]):
        went = game.advance(turn.before, turn.after) if goal.clock is None or turn.after != turn.before else ""
        after = game.brief(turn.table)
        events = [event for event in turn.events if event.kind not in game.routine]
        first = turn.number if first is None else first
        if not (went or events or turn.notes) and after == shown and following and following.steps == turn.steps:
            continue
        label, first = numbers(first, turn.number), None
        rows += [EMPTY, Row("; ".join(turn.steps), label=label, right=went, column=STEP, look="title")]
        rows += [Row(game.sentence(event), label="·", indent=STEP) for event in events]
        rows += [
            fact_row(label, text, STEP, REASON, "quiet")
            for label, text in (*reasons(turn.notes, loses), *(() if after == shown else after))
        ]
        shown = after
    return rows


def numbers(first: int, last: int) -> str:
    """Return the numbers of turns that are one row."""
    return f"{last:>2}" if first == last else f"{first:>2}-{last}"


def reasons(notes: Sequence[Annotation], loses: str) -> list[tuple[str, str]]:
    """Return the reasons of a turn as label and text; ``loses`` is what a worse move costs, in the singular."""
    told: list[tuple[str, str]] = []
    for role, verb in (("play", "plays"), ("pay", "pays with")):
        kept = [
            f"{note.data['card']} (turn {note.data['turn']} {verb} it)"
            for note in notes
            if note.kind == "kept" and note.data["role"] == role
        ]
        if kept:
            told.append(("keeps", ", ".join(kept)))
    return told + [("instead", _instead(note, loses)) for note in notes if note.kind == "instead"]


def _instead(note: Annotation, loses: str) -> str:
    """Return what other first moves of a turn cost."""
    equal, nearest, loss, more = (note.data[key] for key in ("equal", "nearest", "loss", "more"))
    parts = ["no other move does as well"]
    if equal:
        parts = [f"{count(equal, 'other move')} {'does' if equal == 1 else 'do'} as well"]
    if nearest is not None:
        parts.append(f"'{nearest}' loses {count(loss, loses)}")
        parts += [f"{more} more {'loses' if more == 1 else 'lose'} that or more"] if more else []
    elif more:
        parts.append(f"{count(more, 'other')} {'loses' if more == 1 else 'lose'} much or all")
    return "; ".join(parts)


def grounds(position: Position, goal: Goal, report: Report, unit: Unit) -> list[tuple[str, str]]:
    """Return what an answer rests on: its proof, and what is taken as known."""
    return [("proof", proof_text(report, goal, unit)), ("known", information_text(position))]


def proof_text(report: Report, goal: Goal, unit: Unit) -> str:
    """Return why the verdict holds, in sentences with the numbers of the search."""
    proof = report.proof
    sentences = [_searched(report, goal, unit)]
    if proof.method == BY_ROUNDS:
        sentences = [_rounds_searched(report, goal)]
    elif proof.projections:
        sentences.append(f"Left out because it cannot matter here: {', '.join(proof.projections)}.")
    if proof.checked_by and report.line and proof.method != BY_ROUNDS:
        sentences.append(f"The line was checked by {' and '.join(proof.checked_by)}.")
    if report.extra.get("recalled"):
        sentences.append("Known from an earlier run.")
    if report.status in (Status.FEASIBLE, Status.UNKNOWN):
        sentences.append(f"No more is proved: {'it was stopped' if report.interrupted else 'a limit was hit'} first.")
    return " ".join(sentence for sentence in sentences if sentence)


def _rounds_searched(report: Report, goal: Goal) -> str:
    """Return what a search round by round excluded, and in whose favour it erred."""
    proof = report.proof
    found = []
    if proof.excluded_turns:
        searched = f"every way that its bound leaves open was searched, {count(proof.states, 'round')}"
        found.append(
            f"The goal is out of reach in {turns_text(proof.excluded_turns, goal)}, even with "
            f"{' and '.join(proof.projections)}: {searched if proof.states else 'a bound alone rules it out'}."
        )
    elif report.status is Status.OPTIMAL:
        found.append("No goal is reached in fewer rounds than one.")
    if report.line and proof.checked_by:
        found.append(f"The line was checked by {' and '.join(proof.checked_by)}.")
    if not report.line and report.status is Status.OPTIMAL:
        found.append("No line of moves shows it: from this hand not every card wanted can be drawn in time.")
    return " ".join(found)


def _searched(report: Report, goal: Goal, unit: Unit) -> str:
    """Return what the exhausted search excluded, and how large it was."""
    proof = report.proof
    if proof.method != "layers":
        return ""
    reason = f"cut by the bound '{proof.bound_name}'" if proof.bound_name else "reached with no turn left"
    cut = f", and {proof.pruned:,} more {reason}" if proof.pruned else ""
    effort = f"every one was searched, {count(proof.states, 'position')}{cut}"
    if not (proof.states or proof.pruned):
        effort = "bounds alone rule it out"
    if goal.objective is Objective.MAX_DISTANCE:
        if report.status is not Status.OPTIMAL:
            return ""
        return (
            f"No line of {count(goal.within_turns or 0, 'turn')} gets beyond {unit.told(str(report.value))}: {effort}."
        )
    if not proof.excluded_turns:
        return ""
    turn = "turn" if goal.clock is None else goal.clock.turn
    if report.status is Status.INFEASIBLE and goal.within_turns is None:
        return f"No line, however long, gets to {goal_reached(goal, unit)}: {effort}."
    return f"No line of {count(proof.excluded_turns, turn)} gets to {goal_reached(goal, unit)}: {effort}."


def information_text(position: Position) -> str:
    """Return what the answer takes as known."""
    if position.information == "open":
        return "Everything is open: every shuffle and roll to come is known. Other luck may need another line."
    game = position.game
    foreseen = game.foreseen(position.table()) if isinstance(game, Secretive) else ""
    return f"Hidden: {', '.join(position.hidden)}." + (f" Known: {foreseen}." if foreseen else "")


def lost_unit(goal: Goal, unit: Unit) -> str:
    """Return what a worse move costs, in the singular."""
    turn = "turn" if goal.clock is None else "round"
    return turn if goal.objective is Objective.MIN_TURNS else unit.name


def footer_rows(
    position: Position, statistics: Statistics, *, timed: bool, work_unit: str = "position generated"
) -> list[Row]:
    """Return what the answer rests on: rules, work, position; the clock only where ``timed``."""
    first, _, rest = work_unit.partition(" ")
    work = [f"{count(statistics.generated, first)} {rest}".rstrip()]
    if timed:
        work.append(f"{statistics.time_s:.2f} s")
        if statistics.time_s >= 0.05:
            work.append(f"{round(statistics.generated / statistics.time_s):,} a second")
    rules = f"{position.ruleset.id} {position.fingerprint} · {' · '.join(work)} · {statistics.engine or 'no'} engine"
    return [*facts_rows([("rules", rules)]), Row(position.code, label="code", column=FACTS)]


def verdict_rows(verdicts: Sequence[Verdict], style: Style) -> list[Row]:
    """Return what a check of puzzles came to, one a row."""
    words = {True: "holds", False: "FAILS", None: "open"}
    return table([(words[verdict.ok], verdict.id, verdict.reason) for verdict in verdicts], style)
