"""Advice at the table on a few lines, from an answer as JSON: the move, its reason, its chance, and runners-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from solver.render import Row, Style, table
from solver.screens.common import Unit, interval_text, percent
from solver.screens.pictures import FACTS, bar
from solver.screens.words import decided_text

Move = Mapping[str, Any]
TELLING = ("It keeps ", "It can ", " → ", " loses ", "")
"""Words of reasons, those that tell most first."""


def brief_rows(answer: Mapping[str, Any], unit: Unit, style: Style, top: int = 3) -> list[Row]:
    """Return what an answer of ``best`` says: no row where no move was compared."""
    moves: Sequence[Move] = answer.get("moves") or ()
    if not moves:
        return []
    first, *others = moves
    reasons: Sequence[str] = answer.get("why") or ()
    telling = (each for part in TELLING for each in reasons if part in each)
    facts = [("because", next(telling, "")), ("", _sure(answer, style))]
    rows = [Row(first["move"], label="best", right=value_of(answer, first, unit), column=FACTS, look="title")]
    rows += [Row(text, label=label, column=FACTS) for label, text in facts if text]
    cells = [(str(number), each["move"], value_of(answer, each, unit)) for number, each in enumerate(others, 2)]
    return [*rows, *table(cells[: top - 1], style, indent=2)]


def _sure(answer: Mapping[str, Any], style: Style) -> str:
    """Return the chance of the best move as a bar, and how sure all is."""
    first = answer["moves"][0]
    chance = _chance(answer, first)
    interval = first.get("interval") if _is_chance(answer) else None
    drawn = "" if chance is None else bar(chance, style, interval)
    within = interval_text(*(f"{each * 100:.1f}" for each in interval)) if interval and chance is not None else ""
    sure = "exact" if answer["status"] == "optimal" else ""
    if not sure and answer.get("verdict"):
        sure = decided_text(answer["verdict"], answer.get("decided_kind", ""), "it")
    return ", ".join(filter(None, (f"{drawn}  {within}".strip(), sure or "best so far")))


def _is_chance(answer: Mapping[str, Any]) -> bool:
    goal = answer.get("moves_goal") or answer.get("goal") or {}
    return goal.get("objective") == "reach" or answer.get("payoff") == "share of the win"


def _chance(answer: Mapping[str, Any], move: Move) -> float | None:
    """Return the chance of a move to win or to get there."""
    value = move.get("win_chance")
    if value is None and _is_chance(answer) and move.get("value") is not None:
        value = Fraction(str(move["value"]))
    return None if value is None else float(value)


def value_of(answer: Mapping[str, Any], move: Move, unit: Unit) -> str:
    """Return what a move is worth."""
    chance, value = _chance(answer, move), move.get("value")
    if chance is not None:
        return f"{percent(Fraction(chance))}{' to win' if 'payoff' in answer else ''}"
    if value is None:
        return ""
    shown = f"{float(Fraction(str(value))):.4g}"
    if "payoff" in answer:
        return f"{shown} {answer['payoff']}"
    goal = answer.get("moves_goal") or answer.get("goal") or {}
    return f"{shown} turns" if goal.get("measure", goal.get("objective")) == "min_turns" else unit.amount(shown)
