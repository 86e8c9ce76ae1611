"""The words and JSON of the answer about a payment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.position import Position
from solver.render import EMPTY, Row, Style, table
from solver.screens.common import count, exact, facts_rows, fraction_text, goal_sentence, known_rows, unit_of
from solver.screens.data import goal_data, head
from solver.screens.words import GoalWords
from solver.tools.payment import Payment, PaymentReport, Unpayable

SHOWN: Final = 8
"""Payments that a screen has room for."""


def pay_answer(position: Position, found: PaymentReport, keep: Sequence[str]) -> dict[str, Any]:
    """Return the answer of ``pay``: every payment that nothing beats, the best first."""
    best = found.payments[0]
    most = max((each.sign * each.value for each in found.payments if each.value is not None), default=0)
    every = [
        {
            "pay": list(each.paid),
            "keeps": list(each.keeps),
            "playable": list(each.playable),
            "gives_up": _difference(each.paid, best.paid),
            **exact("value", each.value),
            "loss": fraction_text(None if each.value is None else most - each.sign * each.value),
            "settled": each.is_settled,
        }
        for each in found.payments
    ]
    return {
        **head("pay", position),
        "card": found.card,
        "cost": found.cost,
        "keep": list(keep),
        "best": every[0],
        "payments": every,
        "considered": found.counted,
        "playable_when": "later" if found.waits else "next turn",
        "goal": None if found.goal is None else goal_data(found.goal),
        "plan_settled": not found.unsettled,
        "interrupted": found.interrupted,
        "position_code": position.code,
    }


def unpayable_answer(position: Position, card: str, fault: Unpayable) -> dict[str, Any]:
    """Return the answer of ``pay`` about a card that cannot be paid for, with the cards lost by playing it."""
    return {
        **head("pay", position),
        "card": card,
        "best": None,
        "payments": [],
        "why": str(fault),
        "fails": [list(way) for way in fault.ways],
        "position_code": position.code,
    }


def pay_rows(position: Position, found: PaymentReport, style: Style) -> list[Row]:
    """Return the payments, the best first, with what each of the others gives up."""
    if not found.cost:
        return [Row(f"{found.card} costs no cards here.", look="title"), *known_rows(position)]
    best, *others = found.payments
    rows = [] if found.goal is None else [Row(goal_sentence(found.goal, position)), EMPTY]
    chosen = [
        ("plan", _plan(position, best, found)),
        ("keeps", ", ".join(best.keeps)),
        ("later" if found.waits else "next", f"playable: {', '.join(best.playable) or 'none of them'}"),
    ]
    rows += [Row(f"{', '.join(best.paid)} for {found.card}", label="PAY", look="good"), EMPTY, *facts_rows(chosen)]
    if others:
        cells = [(", ".join(each.paid), *_instead(position, each, found)) for each in others[:SHOWN]]
        rows += [EMPTY, Row("Other ways that nothing beats", look="title"), EMPTY, *table(cells, style, indent=2)]
    left = len(others) - SHOWN
    more = f"; {left} more {'is' if left == 1 else 'are'} as good as some way shown" if left > 0 else ""
    why = "its exact values were not found before a limit; allow more with --time"
    why = "values against others are not exact" if position.players > 1 else why
    facts = [
        ("counted", f"{count(found.counted, 'way')} to pay{more}"),
        ("plan", f"not taken into account: {why}" if found.unsettled else ""),
    ]
    return [*rows, *known_rows(position, facts)]


def _plan(position: Position, payment: Payment, found: PaymentReport) -> str:
    """Return the value of the best play after a payment, in words; empty without a goal."""
    goal = found.goal
    if goal is None:
        return ""
    if payment.value is not None:
        return GoalWords(goal, unit_of(position)).value(payment.value)
    if not payment.is_settled:
        return "not settled as far as was looked"
    return "not certain to arrive" if position.hidden and goal.objective is Objective.MIN_TURNS else "out of reach"


def _instead(position: Position, payment: Payment, found: PaymentReport) -> tuple[str, ...]:
    """Return what a payment gives up against the best one, what it keeps instead, and its plan."""
    best = found.payments[0]
    gives, keeps = _difference(payment.paid, best.paid), _difference(payment.keeps, best.keeps)
    same = payment.value is not None and payment.value == best.value
    plan = "same plan" if same else _plan(position, payment, found)
    return (*([plan] if plan else []), f"gives up {', '.join(gives)}, keeps {', '.join(keeps)}")


def _difference(cards: Sequence[str], others: Sequence[str]) -> list[str]:
    return sorted((Counter(cards) - Counter(others)).elements())
