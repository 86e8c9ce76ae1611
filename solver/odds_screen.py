"""The words and JSON of answers about one card: its chance to come through, the ways to pay for it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from solver.answer import goal_data, head
from solver.pay import Payments, Way
from solver.render import EMPTY, Row, Style, table
from solver.review import Judged, Review
from solver.risk import Chance, Threat
from solver.screens import count, facts_rows, goal_sentence, unit_of

SHOWN: Final = 8
"""Ways to pay that a screen has room for."""
BAR: Final = 20
"""Columns of a bar that stands for certainty."""


def fraction_data(value: Fraction) -> dict[str, Any]:
    """Return a chance or an expectation as exact text and as a decimal number."""
    return {"exact": str(value), "decimal": float(value)}


def risk_answer(position: Position, chances: Sequence[Chance]) -> dict[str, Any]:
    """Return the answer of ``risk``; a chance that is not exact is left out in favour of its bounds."""
    return {
        **head("risk", position),
        "cards": [_chance(each) for each in chances],
        "position_code": position.code,
    }


def _chance(chance: Chance) -> dict[str, Any]:
    told: dict[str, Any] = {
        "card": chance.card,
        "chance": str(chance.low) if chance.exact else None,
        "decimal": float(chance.low) if chance.exact else None,
        "method": chance.method,
        "under_way": chance.under_way,
    }
    if not chance.exact:
        told["at_least"], told["at_most"] = fraction_data(chance.low), fraction_data(chance.high)
    if chance.with_more:
        told["with_more_cards"] = [
            {"more": more, "chance": str(value), "decimal": float(value)} for more, value in chance.with_more
        ]
    return told


def risk_rows(position: Position, chances: Sequence[Chance], style: Style) -> list[Row]:
    """Return the chances, the best first, each with a bar."""
    if not chances:
        return [Row("No card in the hand takes more than one turn to come through.")]
    ranked = sorted(chances, key=lambda each: (-each.low, each.card))
    rows = [Row("Chance to come through when played now and continued on every turn", look="title"), EMPTY]
    cells = [
        (
            f"{each.card}{' (under way)' if each.under_way else ''}",
            bar(each.low),
            percent(each.low) if each.exact else f"{percent(each.low)} or more",
            str(each.low) if each.exact else "a limit was hit before the exact chance was found",
        )
        for each in ranked
    ]
    rows += table(cells, style, indent=2)
    steps = [each for each in ranked if each.with_more]
    if steps:
        rows += [EMPTY, Row("With more cards in hand that can pay", look="title"), EMPTY]
        rows += table([_more(each) for each in steps], style, indent=2)
    known = ", ".join(sorted(position.chance.open)) or "nothing"
    return [*rows, EMPTY, *facts_rows([("known", known), ("code", position.code)])]


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
    cells = [
        (
            f"{f'player {each.seat + 1}: ' if several else ''}{each.hazard.subject} {each.hazard.what}",
            bar(each.hazard.chance),
            percent(each.hazard.chance),
            str(each.hazard.chance),
        )
        for each in threats
    ]
    rows += table(cells, style, indent=2)
    known = ", ".join(sorted(position.chance.open)) or "nothing"
    by = ", ".join(dict.fromkeys(each.hazard.rule for each in threats))
    return [*rows, EMPTY, *facts_rows([("by rule", by), ("known", known), ("code", position.code)])]


def _more(chance: Chance) -> tuple[str, ...]:
    told = [f"+{more} card{'s' if more > 1 else ''} {percent(value)}" for more, value in chance.with_more]
    return (chance.card, percent(chance.low), ", ".join(told))


def bar(value: Fraction) -> str:
    """Return a bar in ASCII; it is full only for certainty and empty only for 0."""
    full = min(max(round(value * BAR), 1 if value else 0), BAR if value == 1 else BAR - 1)
    return "#" * full + "-" * (BAR - full)


def percent(value: Fraction) -> str:
    """Return a chance in percent, never rounded to certainty or to nothing."""
    shown = f"{float(value) * 100:.1f} %"
    if value and shown == "0.0 %":
        return "< 0.1 %"
    return "> 99.9 %" if value != 1 and shown == "100.0 %" else shown


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
        "position_code": position.code,
    }


def _way(way: Way) -> dict[str, Any]:
    return {
        "pay": list(way.paid),
        "keeps": list(way.keeps),
        "playable": list(way.playable),
        "gives_up": list(way.gives_up),
    }


def pay_rows(position: Position, found: Payments, style: Style) -> list[Row]:
    """Return the ways to pay, the best first, with what each of the others gives up."""
    if not found.cost:
        return [Row(f"{found.card} costs no cards here.", look="title")]
    best = found.ways[0]
    rows = [
        Row(f"{', '.join(best.paid)} for {found.card}", label="PAY", look="good"),
        EMPTY,
        *facts_rows(
            [
                ("keeps", ", ".join(best.keeps)),
                ("later" if found.waits else "next", f"playable: {', '.join(best.playable) or 'none of them'}"),
            ]
        ),
    ]
    others = found.ways[1 : SHOWN + 1]
    if others:
        rows += [EMPTY, Row("Other ways that nothing beats", look="title"), EMPTY]
        rows += table([(", ".join(way.paid), f"gives up {', '.join(way.gives_up)}") for way in others], style, indent=2)
    left = len(found.ways) - 1 - len(others)
    more = f"; {left} more are as good as some way shown" if left else ""
    counted = count(found.counted, "way")
    return [*rows, EMPTY, *facts_rows([("counted", f"{counted} to pay{more}"), ("code", position.code)])]


def review_answer(position: Position, goal: Goal, found: Review) -> dict[str, Any]:
    """Return the answer of ``review``: each step with what it lost or, by chance, brought."""
    return {
        **head("review", position),
        "goal": goal_data(goal),
        "steps": [
            {
                "step": each.text,
                "by": "chance" if each.by_chance else "player",
                "before": _text(each.before),
                "after": _text(each.after),
                "luck" if each.by_chance else "loss": _text(each.change),
                "mark": each.mark,
            }
            for each in found.steps
        ],
        "lost": str(found.lost),
        "luck": str(found.luck),
        "impossible_after": found.impossible_after,
        "unknown": found.unknown,
        "position_code": position.code,
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def review_rows(position: Position, goal: Goal, found: Review, style: Style) -> list[Row]:
    """Return the record with the value before each step, its mark, and the sums."""
    unit = unit_of(position)
    rows = [Row(goal_sentence(goal, unit)), EMPTY]
    cells = [
        (
            str(number),
            each.text,
            _shown(each.before, goal),
            _told(each, goal),
        )
        for number, each in enumerate(found.steps, start=1)
    ]
    rows += table([("", "step", "value before", ""), *cells], style, indent=2)
    facts = [
        ("lost", f"{_shown(found.lost, goal)} by decisions"),
        ("luck", f"{_shown(found.luck, goal)} by chance"),
        (
            "too late",
            "" if found.impossible_after is None else f"the goal was out of reach after {found.impossible_after}",
        ),
        ("unknown", count(found.unknown, "step") if found.unknown else ""),
        ("code", position.code),
    ]
    return [*rows, EMPTY, *facts_rows(facts)]


def _told(each: Judged, goal: Goal) -> str:
    if each.change is None:
        return each.mark or "not known"
    if each.by_chance:
        return f"luck {_shown(each.change, goal)}" if each.change else ""
    lost = f"loses {_shown(each.change, goal)}" if each.change else ""
    return ", ".join(part for part in (each.mark, lost) if part)


def _shown(value: Fraction | None, goal: Goal) -> str:
    if value is None:
        return "none"
    return f"{float(value) * 100:.1f} %" if goal.objective is Objective.REACH else f"{float(value):.2f}"
