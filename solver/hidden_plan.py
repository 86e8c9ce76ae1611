"""The words and JSON of plans that branch on what chance brings, on this turn and the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from solver.next_turn import Coming
from solver.render import EMPTY, Row
from solver.screens.common import Unit, fraction_text, percent
from solver.screens.hidden_words import value_text
from solver.search.first_turn import Branch, whatever_comes

SEEN: Final = 4
"""Results that are written out where a move of the next turn is best after more of them."""
ROWS: Final = 12
"""Rows of a plan, or results of chance in JSON: the likeliest."""


def plan_rows(plan: Sequence[Branch], omitted: Fraction, goal: Goal, unit: Unit, title: str) -> list[Row]:
    """Return a turn with what answers each result of chance, the likeliest first."""
    if not plan:
        return []
    rows = [EMPTY, Row(title, look="title")]
    alike: dict[tuple[tuple[str, ...], Fraction | None], list[Branch]] = {}
    for branch in plan:
        alike.setdefault((branch.then, branch.value), []).append(branch)
    everything = len(alike) == 1 and not omitted
    before = 1 if omitted else len(whatever_comes(plan))
    likeliest = sorted(alike.values(), key=chance_of, reverse=True)
    for same in likeliest[:ROWS]:
        steps = "; ".join(same[0].then) if everything else _steps(same, max(1, before))
        told = value_text(same[0].value, goal, unit)
        rows.append(Row(steps, label=percent(chance_of(same)), right=told, indent=2, column=9))
    rest = omitted + sum(map(chance_of, likeliest[ROWS:]), Fraction(0))
    if rest:
        rows.append(Row("other results, played as well as these", label=percent(rest), indent=2, column=9))
    return rows


def chance_of(branches: Sequence[Branch]) -> Fraction:
    """Return the chance of several results together."""
    return sum((branch.probability for branch in branches), Fraction(0))


def _steps(same: Sequence[Branch], before: int) -> str:
    """Return the moves of a turn in words; what chance shows, different things alike, comes after the first of them.

    So many moves come ``before`` it: they are the same whatever is shown.
    """
    first, rest = "; ".join(same[0].then[:before]), same[0].then[before:]
    seen = [" with ".join(branch.seen) for branch in same]
    if not all(seen):
        return "; ".join(same[0].then)
    more = len(seen) - SEEN
    shown = " or ".join(seen[:SEEN]) + f" or {more} others" if more > 1 else " or ".join(seen)
    return f"{first}; after {shown}: {'; '.join(rest)}" if rest else f"{first}, then {shown}"


def coming_rows(following: Sequence[Coming], goal: Goal, unit: Unit, title: str) -> list[Row]:
    """Return what to do on the next turn, by what came up on this one."""
    if not following:
        return []
    rows = [EMPTY, Row(f"{title}, by the first line that fits" if len(following) > 2 else title, look="title")]
    left = 1 - sum((each.probability for each in following), Fraction(0))
    for each in following:
        when = f"after {' or '.join(map(' with '.join, each.when))}: " if each.when else "otherwise: "
        when = "" if len(following) == 1 and not left else when
        lost = each.value is None or (goal.objective is Objective.REACH and not each.value)
        what = each.move or ("the goal is out of reach" if lost else "nothing more to do")
        what += " (how to pay hangs on what came up)" if each.is_payment_open else ""
        told = "" if each.value is None else value_text(each.value, goal, unit)
        rows.append(Row(f"{when}{what}", label=percent(each.probability), right=told, indent=2, column=9))
    if left:
        rows.append(Row("otherwise: enter what came up, and ask again", label=percent(left), indent=2, column=9))
    return rows


def coming_data(following: Sequence[Coming]) -> list[dict[str, Any]]:
    """Return what to do on the next turn as JSON."""
    return [
        {
            "move": each.move,
            "when": [list(seen) for seen in each.when],
            "payment_open": each.is_payment_open,
            "probability": str(each.probability),
            "value": fraction_text(each.value),
        }
        for each in following
    ]


def plan_of(told: Mapping[str, Any]) -> tuple[tuple[Branch, ...], Fraction]:
    """Return the plan of an answer that is given as JSON, and the chance of what it leaves out."""
    branches = (
        Branch(tuple(each["seen"]), tuple(each["moves"]), Fraction(each["probability"]), _fraction(each["value"]))
        for each in told.get("plan", ())
    )
    return tuple(branches), _fraction(told.get("plan_leaves_out")) or Fraction(0)


def coming_of(told: Mapping[str, Any]) -> tuple[Coming, ...]:
    """Return what an answer that is given as JSON says of the next turn."""
    return tuple(
        Coming(
            each["move"],
            tuple(map(tuple, each["when"])),
            Fraction(each["probability"]),
            _fraction(each["value"]),
            each["payment_open"],
        )
        for each in told.get("next_turn", ())
    )


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
