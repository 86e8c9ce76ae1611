"""The words and JSON of answers about one card: its chance to come through, the ways to pay for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from solver.pay import Payments, Way
from solver.payments import Unpayable
from solver.render import EMPTY, Row, Style, table
from solver.risk import Threat
from solver.screens.common import (
    Unit,
    count,
    decimal,
    facts_rows,
    fraction_text,
    goal_sentence,
    information_text,
    percent,
    unit_of,
)
from solver.screens.data import goal_data, head
from solver.screens.words import exactly

SHOWN: Final = 8
"""Ways to pay that a screen has room for."""
BAR: Final = 20
"""Columns of a bar that stands for certainty."""
LOST: Final = "not certain to arrive"
OUT_OF_REACH: Final = "out of reach"
"""What a plan is worth that has no value, where something is hidden and where all is known,"""
UNSETTLED: Final = "not settled as far as was looked"
"""or none that is known."""
NOT_FOUND: Final = "its exact values were not found before a limit; allow more with --time"
"""Why a plan does not count in a payment."""


def fraction_data(value: Fraction) -> dict[str, Any]:
    """Return a chance or an expectation as exact text and as a decimal number."""
    return {"exact": str(value), "decimal": float(value)}


def threat_answer(position: Position, threats: Sequence[Threat]) -> dict[str, Any]:
    """Return the answer of ``risk`` in a game whose dangers come by themselves; seats count from 0."""
    return {
        **head("risk", position),
        "hazards": [
            {
                "seat": each.seat,
                "subject": each.hazard.subject,
                "what": each.hazard.what,
                "rule": each.hazard.rule,
                "chance": str(each.hazard.chance),
                "decimal": float(each.hazard.chance),
                "method": "exact",
            }
            for each in threats
        ],
        "position_code": position.code,
    }


def threat_rows(position: Position, threats: Sequence[Threat], style: Style) -> list[Row]:
    """Return what threatens, seat by seat, each with a bar."""
    rows = [Row("What may happen before you decide again, as the table lies", look="title"), EMPTY]
    if not threats:
        rows = [Row("Nothing on the table is in danger now.")]
    several = position.players > 1
    for seat in sorted({each.seat for each in threats}):
        cells = [
            (
                f"{f'player {seat}: ' if several and style.plain else ''}{each.hazard.subject} {each.hazard.what}",
                bar(each.hazard.chance, style),
                percent(each.hazard.chance),
                str(each.hazard.chance),
            )
            for each in threats
            if each.seat == seat
        ]
        rows += [Row(f"player {seat}")] if several and not style.plain else []
        rows += table(cells, style, indent=2)
    by = ", ".join(dict.fromkeys(each.hazard.rule for each in threats))
    facts = [("by rule", by), ("known", information_text(position)), ("code", position.code)]
    return [*rows, EMPTY, *facts_rows(facts)]


def bar(value: Fraction, style: Style) -> str:
    """Return a bar in ASCII, none where nobody sees it; it is full only for certainty and empty only for 0."""
    if style.plain:
        return ""
    full = min(max(round(value * BAR), 1 if value else 0), BAR if value == 1 else BAR - 1)
    return "#" * full + "-" * (BAR - full)


def pay_answer(position: Position, found: Payments, keep: Sequence[str]) -> dict[str, Any]:
    """Return the answer of ``pay``: every way that nothing beats, the best first."""
    return {
        **head("pay", position),
        "card": found.card,
        "cost": found.cost,
        "keep": list(keep),
        "best": _way(found.ways[0]),
        "payments": [_way(way) for way in found.ways],
        "considered": found.counted,
        "playable_when": "later" if found.waits else "next turn",
        "goal": None if found.goal is None else goal_data(found.goal),
        "plan_settled": not found.unsettled,
        "interrupted": found.interrupted,
        "position_code": position.code,
    }


def _way(way: Way) -> dict[str, Any]:
    return {
        "pay": list(way.paid),
        "keeps": list(way.keeps),
        "playable": list(way.playable),
        "gives_up": list(way.gives_up),
        "value": fraction_text(way.value),
        "decimal": decimal(way.value),
        "loss": fraction_text(way.loss),
        "settled": way.is_settled,
    }


def unpayable_answer(position: Position, card: str, fault: Unpayable) -> dict[str, Any]:
    """Return the answer of ``pay`` about a card that cannot be paid for, with what playing it gives up all the same."""
    return {
        **head("pay", position),
        "card": card,
        "best": None,
        "payments": [],
        "why": str(fault),
        "fails": [list(way) for way in fault.ways],
        "position_code": position.code,
    }


def unpayable_rows(position: Position, fault: Unpayable) -> list[Row]:
    """Return that a card cannot be paid for."""
    facts = [("known", information_text(position)), ("code", position.code)]
    return [Row(str(fault), label="NO", look="bad"), EMPTY, *facts_rows(facts)]


def pay_rows(position: Position, found: Payments, style: Style) -> list[Row]:
    """Return the ways to pay, the best first, with what each of the others gives up."""
    if not found.cost:
        facts = [("known", information_text(position)), ("code", position.code)]
        return [Row(f"{found.card} costs no cards here.", look="title"), EMPTY, *facts_rows(facts)]
    best = found.ways[0]
    unit = unit_of(position)
    chancy = position.hidden and found.goal is not None and found.goal.objective is Objective.MIN_TURNS
    lost = LOST if chancy else OUT_OF_REACH
    rows = [Row(goal_sentence(found.goal, position)), EMPTY] if found.goal is not None else []
    rows += [
        Row(f"{', '.join(best.paid)} for {found.card}", label="PAY", look="good"),
        EMPTY,
        *facts_rows(
            [
                ("plan", _plan_worth(best, found.goal, unit, lost)),
                ("keeps", ", ".join(best.keeps)),
                ("later" if found.waits else "next", f"playable: {', '.join(best.playable) or 'none of them'}"),
            ]
        ),
    ]
    others = found.ways[1 : SHOWN + 1]
    if others:
        rows += [EMPTY, Row("Other ways that nothing beats", look="title"), EMPTY]
        cells = [(", ".join(way.paid), _lacks(way, best, found.goal, unit, lost)) for way in others]
        rows += table(cells, style, indent=2)
    left = len(found.ways) - 1 - len(others)
    more = f"; {left} more {'is' if left == 1 else 'are'} as good as some way shown" if left else ""
    counted = count(found.counted, "way")
    facts = [("counted", f"{counted} to pay{more}")]
    if found.unsettled:
        why = "values against others are not exact" if position.players > 1 else NOT_FOUND
        facts.append(("plan", f"not taken into account: {why}"))
    facts += [("known", information_text(position)), ("code", position.code)]
    return [*rows, EMPTY, *facts_rows(facts)]


def _plan_worth(way: Way, goal: Goal | None, unit: Unit, lost: str) -> str:
    """Return what the best play after a payment is worth, in words."""
    if goal is None:
        return ""
    if way.value is None:
        return UNSETTLED if not way.is_settled else lost
    shown = f"{float(way.value):.3f}".rstrip("0").rstrip(".")
    if goal.objective is Objective.REACH:
        return f"{percent(way.value)}{exactly(way.value)} to be there"
    if goal.objective is Objective.MIN_TURNS:
        return f"{shown} turn{'' if way.value == 1 else 's'}{exactly(way.value)}"
    return f"{unit.told(shown)}{exactly(way.value)}"


def _lacks(way: Way, best: Way, goal: Goal | None, unit: Unit, lost: str) -> str:
    """Return what a way to pay gives up against the best one, and what it keeps instead."""
    instead = sorted((Counter(way.keeps) - Counter(best.keeps)).elements())
    parts = [f"gives up {', '.join(way.gives_up)} and keeps {', '.join(instead)}"]
    if goal is not None:
        parts.append(
            f"plan {_plan_worth(way, goal, unit, lost)}" if way.loss is None or way.loss else "same plan value"
        )
    return "; ".join(parts)
