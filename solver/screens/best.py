"""The words of the screen that ranks moves: exact values where they are proved, else what playouts say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from puzzles.goal import Goal
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Step
from solver.answer import open_moves
from solver.render import EMPTY, Row, Style
from solver.report import Report, Status, TurnLine
from solver.screens.common import FACTS, Unit, count, facts_rows, goal_sentence, table_facts, unit_of
from solver.screens.hidden import (
    NOT_KNOWN,
    SAMPLED,
    compared_by,
    option_rows,
    sampled_verdict,
    versus_row,
)
from solver.screens.plan import STEP, footer_rows, grounds, lost_unit, numbers, plan_rows, value_text, verdict_row

if TYPE_CHECKING:
    from solver.answer import TurnTold
    from solver.best import Candidate, Ranking
    from solver.hidden_report import HiddenReport


def best_rows(
    title: str,
    position: Position,
    goal: Goal,
    ranking: Ranking,
    told: Sequence[TurnTold[Any]],
    top: int,
    versus: Candidate | None,
    asked: Step | None,
    style: Style,
    *,
    why: bool,
    timed: bool,
) -> list[Row]:
    """Return the answer of ``best``: the move, what the others lose, and the plan behind it, annotated with ``why``.

    ``asked`` is the move to be shown beside the best one, ``versus`` what is known exactly of it.
    """
    unit = unit_of(position)
    report, sampled = ranking.report, ranking.sampled
    rows = [Row(title, look="title")] if title else []
    rows += [Row(goal_sentence(goal, position)), EMPTY, _best_row(report, goal, unit)]
    if ranking.candidates:
        best = goal.in_rounds(report.value) or 0
        rows += [
            EMPTY,
            *(
                Row(each.move.text, right=_worth(each, goal, unit, best), indent=STEP)
                for each in ranking.candidates[:top]
            ),
        ]
        compared = _compared(ranking, len(open_moves(position, goal)), lost_unit(goal, unit))
        rows.append(Row(compared, indent=STEP, look="quiet"))
    if told and why and isinstance(position.game, Race):
        rows += [EMPTY, *facts_rows(table_facts(position), indent=STEP), *plan_rows(position.game, told, goal)]
    elif told:
        rows += [EMPTY, *_short_plan("plan", report.line)]
    if versus is not None:
        rows += [EMPTY, *_versus_rows(versus, goal, unit, goal.in_rounds(report.value) or 0)]
    elif asked is not None and sampled is None and report.status is not Status.INFEASIBLE:
        rows += [EMPTY, *facts_rows([("instead", f"{asked.text}: {NOT_KNOWN}")])]
    known = grounds(position, goal, report, unit)
    if sampled is not None:
        rows += _sampled_rows(sampled, top, asked, unit, style)
        known = [("method", SAMPLED), *known]
    rows += [EMPTY, *facts_rows(known)]
    return [*rows, *footer_rows(position, report.statistics, timed=timed)]


def _best_row(report: Report, goal: Goal, unit: Unit) -> Row:
    if not report.line:
        return verdict_row(report, goal, unit)
    verdict = verdict_row(report, goal, unit)
    return Row(report.line[0].steps[0].text, label="BEST", right=verdict.text, look=verdict.look)


def _sampled_rows(report: HiddenReport, top: int, asked: Step | None, unit: Unit, style: Style) -> list[Row]:
    """Return what playouts say of the moves."""
    instead = versus_row(report, asked, unit)
    verdict = [] if report.value is None else [Row(sampled_verdict(report, unit), label="SAMPLED", look="open")]
    return [
        *(EMPTY, Row(compared_by(report.goal, unit)), *verdict, EMPTY, *option_rows(report, top, unit, style)),
        *([EMPTY, *instead] if instead else []),
    ]


def _worth(candidate: Candidate, goal: Goal, unit: Unit, best: int) -> str:
    """Return what a move leads to, and what it loses against the ``best`` value, in words."""
    if candidate.value is None:
        if candidate.status is Status.INFEASIBLE:
            if candidate.bound is None:
                return "loses the goal"
            least = (goal.in_rounds(candidate.bound) or 0) - best
            return f"loses {count(least, lost_unit(goal, unit))} or more"
        return "not compared" if candidate.bound is None else f"nothing found{_not_excluded(candidate, goal, unit)}"
    worth = value_text(candidate.value, goal, unit)
    if candidate.status is Status.FEASIBLE:
        return f"{worth} found{_not_excluded(candidate, goal, unit)}"
    if not candidate.loss:
        return f"{worth}, best"
    return f"{worth}, loses {count(candidate.loss, lost_unit(goal, unit))}"


def _not_excluded(candidate: Candidate, goal: Goal, unit: Unit) -> str:
    return "" if candidate.bound is None else f"; not excluded: {value_text(candidate.bound, goal, unit)}"


def _compared(ranking: Ranking, choices: int, loses: str) -> str:
    """Return how many moves were compared, and how many of them lose how much."""
    if ranking.report.status is not Status.OPTIMAL:
        return f"{ranking.considered} of {count(choices, 'move')} followed that far, none proved; --time allows more"
    if ranking.considered < choices:
        return f"{ranking.considered} of {count(choices, 'move')} compared before a limit was hit; --time allows more"
    if choices == 1:
        return "the only move"
    lost = sum(each.status is Status.INFEASIBLE and each.bound is None for each in ranking.candidates)
    losses = Counter(each.loss for each in ranking.candidates)
    losses[None] -= lost
    parts = [f"{losses.pop(0)} best"]
    parts += [f"{_lose(losses.pop(loss))} {count(loss, loses)}" for loss in sorted(filter(None, losses))[:2]]
    if losses.total():
        parts.append(f"{_lose(losses.total())} more" if len(parts) > 1 else f"{losses.total()} worse")
    parts += [f"{_lose(lost)} the goal"] if lost else []
    return f"all {choices} moves compared: {', '.join(parts)}"


def _lose(moves: int) -> str:
    return f"{moves} {'loses' if moves == 1 else 'lose'}"


def _short_plan(label: str, line: Sequence[TurnLine]) -> list[Row]:
    """Return a line without its reasons, one turn a row; turns after one another that do the same are one row."""
    texts = ["; ".join(step.text for step in turn.steps) for turn in line]
    rows: list[Row] = []
    last = 0
    for text, same in groupby(texts):
        first, last = last + 1, last + len(list(same))
        rows.append(Row(text, label=f"{label if first == 1 else '':8}{numbers(first, last)}", column=FACTS))
    return rows


def _versus_rows(versus: Candidate, goal: Goal, unit: Unit, best: int) -> list[Row]:
    """Return what a move that was asked about leads to, with its own best line."""
    return [
        Row(versus.move.text, label="instead", right=_worth(versus, goal, unit, best), column=FACTS, look="title"),
        *_short_plan("", versus.line),
    ]
