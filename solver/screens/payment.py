"""The words and JSON of the answer about a payment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from solver.render import EMPTY, Row, Style, table
from solver.screens.common import count, exact, facts_rows, fraction_text, goal_sentence, known_rows, percent, unit_of
from solver.screens.data import goal_data, head
from solver.screens.words import exactly
from solver.tools.payment import NamedPayment, PaymentReport, Unpayable

SHOWN: Final = 8
"""Payments that a screen has room for."""
LOST: Final = "not certain to arrive"
"""Shown for a plan without a value where something is hidden."""
OUT_OF_REACH: Final = "out of reach"
"""Shown for a plan without a value where all is known."""
UNSETTLED: Final = "not settled as far as was looked"
"""Shown for a plan whose value is not settled."""
NOT_FOUND: Final = "its exact values were not found before a limit; allow more with --time"
"""The reason why a plan does not count in a payment."""


def pay_answer(position: Position, found: PaymentReport, keep: Sequence[str]) -> dict[str, Any]:
    """Return the answer of ``pay``: every payment that nothing beats, the best first."""
    every = [_payment_data(each) for each in found.payments]
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


def _payment_data(payment: NamedPayment) -> dict[str, Any]:
    return {
        "pay": list(payment.paid),
        "keeps": list(payment.keeps),
        "playable": list(payment.playable),
        "gives_up": list(payment.gives_up),
        **exact("value", payment.value),
        "loss": fraction_text(payment.loss),
        "settled": payment.is_settled,
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


def unpayable_rows(position: Position, fault: Unpayable) -> list[Row]:
    """Return that a card cannot be paid for."""
    return [Row(str(fault), label="NO", look="bad"), *known_rows(position)]


def pay_rows(position: Position, found: PaymentReport, style: Style) -> list[Row]:
    """Return the payments, the best first, with what each of the others gives up."""
    if not found.cost:
        return [Row(f"{found.card} costs no cards here.", look="title"), *known_rows(position)]
    best, goal = found.payments[0], found.goal
    chosen = [
        ("plan", "" if goal is None else _plan_text(position, best, goal)),
        ("keeps", ", ".join(best.keeps)),
        ("later" if found.waits else "next", f"playable: {', '.join(best.playable) or 'none of them'}"),
    ]
    rows = [] if goal is None else [Row(goal_sentence(goal, position)), EMPTY]
    rows += [Row(f"{', '.join(best.paid)} for {found.card}", label="PAY", look="good"), EMPTY, *facts_rows(chosen)]
    others = found.payments[1 : SHOWN + 1]
    if others:
        rows += [EMPTY, Row("Other ways that nothing beats", look="title"), EMPTY]
        cells = [(", ".join(each.paid), _difference(position, each, best, goal)) for each in others]
        rows += table(cells, style, indent=2)
    left = len(found.payments) - 1 - len(others)
    more = f"; {left} more {'is' if left == 1 else 'are'} as good as some way shown" if left else ""
    facts = [("counted", f"{count(found.counted, 'way')} to pay{more}")]
    if found.unsettled:
        why = "values against others are not exact" if position.players > 1 else NOT_FOUND
        facts.append(("plan", f"not taken into account: {why}"))
    return [*rows, *known_rows(position, facts)]


def _plan_text(position: Position, payment: NamedPayment, goal: Goal) -> str:
    """Return the value of the best play after a payment, in words."""
    if payment.value is None:
        chancy = position.hidden and goal.objective is Objective.MIN_TURNS
        return UNSETTLED if not payment.is_settled else LOST if chancy else OUT_OF_REACH
    shown = f"{float(payment.value):.3f}".rstrip("0").rstrip(".")
    if goal.objective is Objective.REACH:
        return f"{percent(payment.value)}{exactly(payment.value)} to be there"
    if goal.objective is Objective.MIN_TURNS:
        return f"{shown} turn{'' if payment.value == 1 else 's'}{exactly(payment.value)}"
    return f"{unit_of(position).amount(shown)}{exactly(payment.value)}"


def _difference(position: Position, payment: NamedPayment, best: NamedPayment, goal: Goal | None) -> str:
    """Return what a payment gives up against the best one, and what it keeps instead."""
    instead = sorted((Counter(payment.keeps) - Counter(best.keeps)).elements())
    text = f"gives up {', '.join(payment.gives_up)} and keeps {', '.join(instead)}"
    if goal is None:
        return text
    same = payment.loss is not None and not payment.loss
    return f"{text}; {'same plan value' if same else f'plan {_plan_text(position, payment, goal)}'}"
