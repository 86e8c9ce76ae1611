"""A policy for comparisons: plain play, which weighs the answers of the present turn alone. It is no advice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from rules.core.scripts import Asking, Step
from rules.iditacards.content import Card, Effect
from rules.iditacards.movement import cannot_move
from rules.iditacards.seat import energy_cost, health_cost, risk_cost, speed
from rules.iditacards.state import SECOND, SKIP_SECOND, STAY, Continue, FreeAction, Kill, Pay, Play, Put, Table
from rules.iditacards.turn import Rulings, Turn

OPS: Final = {"take": 0.5, "heal": 0.4, "destroy_next": 0.4, "damage": -0.5, "move_back": -1.0, "kill_dog": -5.0}
"""Spaces that ops bring for each card, space or dog; conditions count below for each point."""
CURE: Final = 8.0
LASTING: Final = 0.08
"""Part of the way left for which a point of speed that stays in play counts."""
CARDS: Final = 0.5
"""Spaces a turn that cards bring beside the automatic move."""
KEPT: Final = 0.12
"""Spaces that a card in hand is worth at least."""


def plain_play(rulings: Rulings, table: Table, index: int) -> Callable[[Step], float]:
    """Return what a seat holds answers of its turn to be worth, in spaces beyond the pace of the race.

    Of its deck it reads only which cards lie there, of other seats nothing.
    """
    turn = Turn(rulings, table, Asking(()))
    seat, base, cards = turn.seats[index], rulings.auto_base or 0, rulings.cards
    cure = 2 * CURE if rulings.rules.auto_move_by_condition else CURE

    def pace() -> int:
        return 0 if cannot_move(turn, seat) else max(0, base + speed(turn, seat))

    today, far, paces = pace(), 0 if cannot_move(turn, seat) else speed(turn, seat), []
    for turn.weather in rulings.faces or (table.weather,):
        paces.append(pace())
    turn.weather = table.weather
    over = today - sum(paces) / len(paces) - CARDS  # what another turn of today brings beyond the pace
    kept, sure = max(over, KEPT), sum(not cards[name].risk and cards[name].type != "damage" for name in seat.deck)

    def does(effect: Effect) -> float:
        n, op = effect.args.get("n"), effect.op
        n = n if isinstance(n, int) else 3
        if effect.args.get("who", "self") not in ("self", "all"):
            return 0.0
        if op == "move":
            times = effect.args.get("times", 1) * (2 if effect.args.get("double") else 1)
            return 0.0 if cannot_move(turn, seat) else max(0, n + far) * times
        if op in ("draw", "recover"):
            return kept * n * (len(seat.dogs) if effect.args.get("per") else 1)
        if op.removeprefix("clear_") in ("hypothermia", "starvation"):
            there = getattr(seat, op.removeprefix("clear_"))
            return cure * there if op.startswith("clear_") else -cure * max(n, -there)
        return n * OPS.get(op, 0.0)

    def brings(card: Card, later: int = 0) -> float:
        cures = {"food": seat.starvation + later, "personal": seat.hypothermia + later}.get(card.type, 0) > 0
        faster = card.number("speed") + card.number("speed_other_dogs") * len(seat.dogs)
        return cure * cures + LASTING * max(0, rulings.finish_at - seat.pos) * faster + sum(map(does, card.instant))

    @cache
    def playing(name: str) -> float:
        card, hand = cards[name], len(seat.hand) - 1
        energy, risk = energy_cost(turn, seat, card), risk_cost(turn, seat, card)
        if (energy or 0) > hand or health_cost(turn, seat, card.health) > len(seat.deck) - risk:
            return over
        return (1 + risk) * over + (sure / max(1, len(seat.deck))) ** risk * brings(card)

    def worth(answer: Step) -> float:
        if isinstance(answer, (Play, Continue, Pay)):
            begun = playing(answer.card) if isinstance(answer, Play) else 100.0
            return begun - sum(max(kept, playing(name)) for name in answer.spends)
        if isinstance(answer, Put) and answer.card in cards:
            return (brings(cards[answer.card], later=1) - 1) * (-1 if answer.verb == "destroy" else 1)
        if isinstance(answer, (Kill, FreeAction)):
            return -100.0 if isinstance(answer, FreeAction) else -brings(cards[answer.dog.dog])
        return 100.0 if answer == SECOND else -100.0 if answer in (STAY, SKIP_SECOND) else 0.0

    return worth
