"""A policy for comparisons: plain play, which weighs the answers of the present turn alone. It is no advice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rules.core.scripts import Asking, Step
from rules.iditacards.content import Card
from rules.iditacards.movement import MovingTurn
from rules.iditacards.seat import FreeAction, Kill
from rules.iditacards.state import Table
from rules.iditacards.turn import SECOND, SKIP_SECOND, STAY, Continue, Pay, Play, Put, Rulings, offer_of


def plain_play(rulings: Rulings, table: Table, index: int) -> Callable[[Step], float]:
    """Return what a seat holds answers of its turn to be worth, in spaces beyond the pace of the race.

    Of its deck it reads only which cards lie there, of other seats nothing. Its numbers were found by trying.
    """
    turn = MovingTurn(rulings, table, Asking(()))
    seat, base, cards = turn.seats[index], rulings.auto_base or 0, rulings.cards
    cure = 16.0 if rulings.rules.auto_move_by_condition else 8.0
    lasts = 0.08 * max(0, rulings.finish_at - seat.pos)  # what a point of speed brings that stays in play

    def pace() -> int:
        return 0 if turn.cannot_move(seat) else max(0, base + turn.speed(seat))

    today, far, paces = pace(), None if turn.cannot_move(seat) else turn.speed(seat), []
    for turn.weather in rulings.faces or (table.weather,):
        paces.append(pace())
    turn.weather = table.weather
    over = today - sum(paces) / len(paces) - 0.5  # what another turn of today brings beyond the pace, with its cards
    kept, sure = max(over, 0.12), sum(not cards[name].risk and cards[name].type != "damage" for name in seat.deck)

    def brings(card: Card, later: int = 0) -> float:
        cures = {"food": seat.starvation + later, "personal": seat.hypothermia + later}.get(card.type, 0) > 0
        value = cure * cures + lasts * (card.number("speed") + card.number("speed_other_dogs") * len(seat.dogs))
        if far is not None:
            value += sum(times * max(0, n + far) for n, times in offer_of(rulings, card.id).moves)
        for effect in card.instant:
            n, kind = effect.args.get("n"), effect.op.removeprefix("clear_")
            n = n if isinstance(n, int) else 3
            if effect.op in ("draw", "recover"):
                value += kept * n * (len(seat.dogs) if effect.args.get("per") else 1)
            elif kind in ("hypothermia", "starvation") and effect.args.get("who", "self") in ("self", "all"):
                value -= cure * (max(n, -getattr(seat, kind)) if kind == effect.op else -getattr(seat, kind))
        return value

    @cache
    def playing(name: str) -> float:
        card, hand = cards[name], len(seat.hand) - 1
        energy, risk = turn.energy_cost(seat, card), turn.risk_cost(seat, card)
        if (energy or 0) > hand or turn.health_cost(seat, card.health) > len(seat.deck) - risk:
            return over
        return (1 + risk) * over + (sure / max(1, len(seat.deck))) ** risk * brings(card)

    def weigh(answer: Step) -> float:
        if isinstance(answer, (Play, Continue, Pay)):
            begun = playing(answer.card) if isinstance(answer, Play) else 100.0
            return begun - sum(max(kept, playing(name)) for name in answer.spends)
        if isinstance(answer, Put) and answer.card in cards:
            return (brings(cards[answer.card], later=1) - 1) * (-1 if answer.verb == "destroy" else 1)
        if isinstance(answer, (Kill, FreeAction)):
            return -100.0 if isinstance(answer, FreeAction) else -brings(cards[answer.dog.dog])
        return 100.0 if answer == SECOND else -100.0 if answer in (STAY, SKIP_SECOND) else 0.0

    return weigh
