"""The words of ``puzzle rate`` and ``puzzle generate``: how hard a puzzle is and why, and what became of the deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzles.goal import Goal
from rules.core.position import Position
from solver.question import Status
from solver.render import EMPTY, Row, Style, table
from solver.screens.answer import verdict_row
from solver.screens.common import count, facts_rows, goal_sentence, unit_of
from solver.screens.data import head
from solver.tools.generate import Made
from solver.tools.puzzle import GRADES, RatedTurn, Rating

FORMULA = (
    "the sum over the line's turns of log2(tries), where tries are the ways through a turn that are looked at, the "
    "furthest first, until one comes that keeps the value"
)
"""How bits are made, in words."""
OPEN = {
    "answer": "the answer itself",
    "turns": "all turns of the line",
    "lines": "how many solutions there are",
}
"""What a limit may have left open, in words."""


def rating_data(position: Position, goal: Goal, rating: Rating, stated: int | None, *, name: str) -> dict[str, Any]:
    """Return a rating as JSON; ``stated`` is the difficulty that the puzzle states."""
    lines = rating.lines
    report = rating.report
    return {
        **head("puzzle rate", position),
        "id": name,
        "status": report.status.value,
        "value": goal.in_rounds(report.value),
        "grade": rating.grade,
        "stated": stated,
        "bits": rating.bits,
        "grades_from_bits": list(GRADES),
        "solutions": None if lines is None else {"lines": lines.lines, "exact": lines.exact},
        "unique": rating.unique,
        "only_moves": sum(turn.is_only for turn in rating.turns),
        "techniques": list(rating.techniques),
        "turns": [_turn_data(turn) for turn in rating.turns],
        "open": list(rating.open),
        "interrupted": rating.interrupted,
        "position_code": position.code,
    }


def _turn_data(turn: RatedTurn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "move": turn.move,
        "moves": turn.moves,
        "right": turn.right,
        "ends": turn.ends,
        "right_ends": turn.right_ends,
        "tries": round(turn.tries, 2),
        "decoys": [{"move": each} for each in turn.decoys],
    }


def rating_rows(
    title: str, position: Position, goal: Goal, rating: Rating, stated: int | None, style: Style
) -> list[Row]:
    """Return a rating as a screen: verdict, grade and what it is made of, then the line turn by turn."""
    rows = [Row(title, look="title")] if title else []
    rows += [Row(goal_sentence(goal, position)), EMPTY, verdict_row(rating.report, goal, unit_of(position)), EMPTY]
    rows += facts_rows(_facts(rating, stated))
    if rating.turns:
        cells: list[tuple[str, ...]] = [("turn", "moves", "right", "ways", "right", "tries", "it begins with")]
        cells += [_cells(turn) for turn in rating.turns if turn.ends > 1]
        rows += [EMPTY, *table(cells, style, headed=True)]
    decoys = [f"turn {turn.number}: {', '.join(turn.decoys)}" for turn in rating.turns if turn.decoys]
    rows += [EMPTY, *facts_rows([("decoys", decoys[0]), *(("", text) for text in decoys[1:])])] if decoys else []
    left_open = ", ".join(OPEN[each] for each in rating.open)
    rows += [EMPTY, *facts_rows([("left open", f"{left_open}; --time allows more")])] if left_open else []
    return [*rows, EMPTY, *facts_rows([("code", position.code)])]


def _facts(rating: Rating, stated: int | None) -> list[tuple[str, str]]:
    """Return what was measured in labelled lines."""
    beside = "" if stated is None else f"; the puzzle states {stated}"
    grade = "" if rating.grade is None else f"{rating.grade} of {len(GRADES) + 1}{beside}"
    if rating.report.status is Status.INFEASIBLE or (rating.report.value == 0 and not rating.report.line):
        grade = f"none: there is nothing to find{beside}"
    steps = ", ".join(f"{number} from {least:g}" for number, least in enumerate(GRADES, start=2))
    bits = "" if rating.bits is None else f"{rating.bits:g}: {FORMULA}; grade {steps}"
    only = sum(turn.is_only for turn in rating.turns)
    return [
        ("grade", grade),
        ("bits", bits),
        ("solutions", _solutions(rating)),
        (
            "only moves",
            f"on {only} of {count(len(rating.turns), 'turn')} one move alone keeps the value" if only else "",
        ),
        ("themes", ", ".join(rating.techniques)),
    ]


def _solutions(rating: Rating) -> str:
    lines = rating.lines
    if lines is None:
        return ""
    if not lines.exact:
        return f"{'at least' if lines.stopped else 'more than'} {lines.lines:,}"
    return "1, the only one" if lines.lines == 1 else f"{lines.lines:,}, told apart by the tables between turns"


def _cells(turn: RatedTurn) -> tuple[str, ...]:
    numbers = (turn.number, turn.moves, turn.right, turn.ends, turn.right_ends)
    return (*(f"{number:,}" for number in numbers), f"{turn.tries:.1f}", turn.move)


def generated_data(made: Sequence[Made], files: Mapping[str, str], seed: int, **ended: bool) -> dict[str, Any]:
    """Return what was generated as JSON; ``files`` are the files written, by id."""
    return {
        "schema": "bestline/answer/1",
        "command": "puzzle generate",
        "seed": seed,
        "deals": len(made),
        "puzzles": [
            {"id": each.id, "deal": each.deal, **(each.facts or {}), "file": files.get(each.id), "text": each.text}
            for each in made
            if each.text
        ],
        "left_out": why_not(made),
        **ended,
    }


def generated_rows(made: Sequence[Made], style: Style) -> list[Row]:
    """Return what was generated as a screen: a row for each puzzle."""
    cells = [("puzzle", "grade", "bits", "solutions", "turns", "themes")]
    for each in made:
        if each.text and each.facts is not None:
            unique = "1" if each.facts["unique"] else "several"
            numbers = (str(each.facts["grade"]), f"{each.facts['bits']:g}", unique, each.facts["turns"])
            cells.append((each.id, *numbers, ", ".join(each.facts["themes"])))
    return [*table(cells, style, headed=True), EMPTY, *facts_rows([("deals", deals_text(made))])]


def deals_text(made: Sequence[Made]) -> str:
    """Return what became of the deals, in one line."""
    left_out = ", ".join(f"{number} {why}" for why, number in why_not(made).items())
    return f"{len(made)} looked at{': ' if left_out else ''}{left_out}"


def why_not(made: Sequence[Made]) -> dict[str, int]:
    """Return how many deals were left out, by the reason, the most frequent first."""
    reasons: dict[str, int] = {}
    for each in made:
        if each.why_not:
            reasons[each.why_not] = reasons.get(each.why_not, 0) + 1
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
