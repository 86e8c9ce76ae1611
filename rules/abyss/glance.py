"""The household as a player sees it, in a few labelled lines for people; what is empty is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rules.abyss.rulings import Rulings
from rules.abyss.state import OVER_PHASE, Partner, Pile, Plan, Seat, Table
from rules.core.errors import with_copies

STEPS: Final = {
    "prepare": "B, prepare",
    "choose": "C, choose",
    "deal": "E, deal events",
    "act": "F, actions",
    "event": "G, events",
    "refill": "I, clean-up",
    OVER_PHASE: "over",
}
"""The step of the round by phase."""


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table at a stage boundary as pairs of label and text, shared things first, then seat by seat."""
    rows = [
        ("round", f"{table.round}, step {STEPS[table.phase]}" if table.phase != OVER_PHASE else f"{table.round}, over"),
        ("winner", "" if table.winner is None else f"seat {table.winner + 1}"),
        ("Action pile", _pile(table.actions, is_open=rulings.chance.is_open("actions"))),
        ("Event pile", _pile(table.events, is_open=rulings.chance.is_open("events"))),
    ]
    alone = len(table.seats) == 1
    for index, seat in enumerate(table.seats):
        if not alone:
            acts = index == table.seat and table.phase != OVER_PHASE
            rows.append(("seat", f"{index + 1}, to act" if acts else str(index + 1)))
        rows.extend(_seat(rulings, seat))
    return [(label, text) for label, text in rows if text]


def _seat(rulings: Rulings, seat: Seat) -> list[tuple[str, str]]:
    marks = [
        _times("trip boosted", seat.boost),
        _times("next trip boosted", seat.explore_pending),
        "flashlight ready" if seat.flashlight else "",
        f"{seat.paid} AP paid for partners" if seat.paid else "",
    ]
    event = "" if seat.event is None else f"{seat.event}, {'turned up' if seat.event_up else 'face down'}"
    return [
        ("identity", rulings.content.identities[seat.identity].name),
        ("AP and RP", f"{seat.ap} AP, {seat.rp} RP"),
        ("partners", _partners(seat.partners)),
        ("temps", str(seat.temps or "")),
        ("plan", "" if seat.plan is None else _plan(seat.plan)),
        ("event", event),
        ("treasure", str(seat.treasure or "")),
        ("marks", "; ".join(mark for mark in marks if mark)),
        ("hand", with_copies(seat.hand) or "empty"),
    ]


def _times(text: str, marks: int) -> str:
    return f"{text} {marks} times" if marks > 1 else text * marks


def _partners(partners: Sequence[Partner]) -> str:
    counted = Counter(partners)
    parts = [f"{number} {partner.type} ({partner.hp} HP)" for partner, number in counted.items()]
    return f"{len(partners)}: {', '.join(parts)}" if len(counted) > 1 else "".join(parts)


def _plan(plan: Plan) -> str:
    text = f"{plan.card or 'no card'} in the {plan.location}"
    return text if plan.temp is None else f"{text}; temps: {plan.temp.card or 'no card'} in the {plan.temp.location}"


def _pile(pile: Pile, *, is_open: bool) -> str:
    number = len(pile.front) + len(pile.back)
    text = f"{number} card{'' if number == 1 else 's'}" if number else "empty"
    for name, cards in (("front", pile.front), ("back", pile.back)):
        if cards:
            part = f"{name}, " if pile.back else ""
            shown = f"top first: {', '.join(cards)}" if is_open else f"in unknown order: {with_copies(cards)}"
            text += f"; {part}{shown}"
    return f"{text}; used: {', '.join(pile.used)}" if pile.used else text
