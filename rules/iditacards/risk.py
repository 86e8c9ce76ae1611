"""Playing, paying, the risk stack, resolving and fizzling (R20 to R42)."""

from __future__ import annotations

from typing import Final

from rules.iditacards.content import Card
from rules.iditacards.effects import Resolution, Signal
from rules.iditacards.movement import check_deaths
from rules.iditacards.seat import (
    LOWERED_ON_TABLE,
    PLACERS,
    choose,
    destroy,
    discard_top,
    draw,
    energy_cost,
    health_cost,
    is_immune,
    kill_all,
    lower,
    mortal,
    payments,
    risk_cost,
    usable,
    weather_on,
)
from rules.iditacards.turn import OpenFrame, Pay, Seat, Turn

THREE_MEALS: Final = frozenset({"breakfast", "lunch", "dinner"})
"""The foods of ``three_meals_today``."""


def continue_risk(turn: Turn, seat: Seat, energy: tuple[str, ...] | None) -> None:
    """Main action: pay the next risk card of the top frame (R33)."""
    frame = seat.stack[-1]
    if is_ending(turn, seat):
        turn.emit("R33", "leg_fizzles", seat=seat.index, leg=turn.leg(seat).id)
        return fizzle(turn, seat)
    if frame.paid == 0 and seat.in_deck and draws_first_risk(turn, seat):
        draw(turn, seat, 1)
        return paid_one(turn, seat, frame)
    if not seat.in_deck:
        turn.emit("R26", "fails", seat=seat.index, card=frame.card, why="no_risk_card")
        return fail(turn, seat)
    card = turn.deal(seat, f"the risk card for {turn.rulings.cards[frame.card].name}")
    turn.emit("R33", "risk_card", seat=seat.index, card=card, root=frame.card)
    if card in turn.rulings.damage_ids and turn.rulings.options["damage_as_risk"] == "fails":
        seat.discard.append(card)
        turn.emit("Q27", "fails", seat=seat.index, card=card, why="damage_as_risk")
        turn.stopped = True
        return fizzle(turn, seat)
    play(turn, seat, card, energy)
    return None


def is_fizzling(turn: Turn, seat: Seat) -> bool:
    """Return whether the player stands on a leg on which cards that have to wait fizzle (R24)."""
    return "leg_risks_fizzle" in turn.leg(seat).passive


def is_ending(turn: Turn, seat: Seat) -> bool:
    """Return whether the player stands on a leg on which waiting cards fizzle where they would continue (Q33)."""
    return turn.rulings.options["risks_fizzle_timing"] == "push_and_turn" and is_fizzling(turn, seat)


def draws_first_risk(turn: Turn, seat: Seat) -> bool:
    """Return whether something in play draws the first risk card of a frame (R33)."""
    return bool(turn.numbers(seat, "draw_first_risk"))


def play(turn: Turn, seat: Seat, card_id: str, energy: tuple[str, ...] | None) -> None:
    """Put a card on the table, pay for it, and resolve it or let it wait (R20 to R24)."""
    card = turn.rulings.cards[card_id]
    frame = OpenFrame(card_id, turn.day)  # R28
    seat.stack.append(frame)
    put_on_table(turn, seat, card)
    if not _pay_energy(turn, seat, card, energy) or not _pay_health(turn, seat, card):
        return fail(turn, seat)
    frame.need = risk_cost(turn, seat, card)
    if frame.need == 0:
        return resolve(turn, seat, frame)
    turn.emit("R24", "waits", seat=seat.index, card=card_id, need=frame.need)
    if is_fizzling(turn, seat):
        turn.emit("R24", "leg_fizzles", seat=seat.index, leg=turn.leg(seat).id)
        return fizzle(turn, seat)
    if turn.rulings.options["draw_first_risk"] == "at_once" and seat.in_deck and draws_first_risk(turn, seat):
        draw(turn, seat, 1)
        return paid_one(turn, seat, frame)
    return _empty_deck_at_once(turn, seat)


def put_on_table(turn: Turn, seat: Seat, card: Card) -> None:
    """Lower a condition for food and personal cards, and record them, before any payment (R21)."""
    kind = LOWERED_ON_TABLE.get(card.type)
    if kind is None:
        return
    lower(seat, kind, 1)
    turn.emit("R21", "on_table", seat=seat.index, card=card.id, condition=kind, value=getattr(seat, kind))
    if turn.rulings.options["condition_counts"] == "played":
        record(seat, card)


def record(seat: Seat, card: Card) -> None:
    """Enter a food or personal card in the day records (R21, Q35)."""
    if card.type == "food":
        seat.foods = tuple(sorted({*seat.foods, card.id}))
    elif card.type == "personal":
        seat.personal += 1


def _pay_energy(turn: Turn, seat: Seat, card: Card, energy: tuple[str, ...] | None) -> bool:
    """Discard the chosen hand cards (R22); false if the payment fails (R26)."""
    if energy is None:
        chosen = choose(turn, seat, lambda: [Pay(way) for way in payments(turn, seat, card, on_table=True)])
        assert isinstance(chosen, Pay)
        energy = chosen.energy
    for paid in energy:
        seat.take(paid)
    seat.discard.extend(energy)
    cost = energy_cost(turn, seat, card, on_table=True)
    if energy:
        turn.emit("R22", "pays_energy", seat=seat.index, card=card.id, cards=list(energy))
    if any(paid in turn.rulings.damage_ids for paid in energy):
        turn.emit("Q25", "fails", seat=seat.index, card=card.id, why="damage_for_energy")
        return False
    if cost is None:
        damaged = turn.rulings.options["all_cost"] == "fails_with_damage"
        if damaged:
            turn.reveal(seat)
        if damaged and any(held in turn.rulings.damage_ids for held in seat.hand):
            turn.emit("Q24", "fails", seat=seat.index, card=card.id, why="damage_in_hand")
            return False
        return True
    if len(energy) == cost:
        return True
    if turn.rulings.options["partial_energy"] == "whole_hand":
        turn.reveal(seat)
        for lost in usable(turn, seat.hand):
            seat.hand.remove(lost)
            seat.discard.append(lost)
    turn.emit("R26", "fails", seat=seat.index, card=card.id, why="energy", cost=cost)
    return False


def _pay_health(turn: Turn, seat: Seat, card: Card) -> bool:
    """Discard the top cards of the deck one by one (R23); false if the payment fails (R26)."""
    cost = health_cost(turn, seat, card.health)
    paid, ended = discard_top(turn, seat, cost, f"for the health of {card.name}")
    why = "damage" if ended else "health" if len(paid) < cost else ""
    if paid:
        turn.emit("R23", "pays_health", seat=seat.index, card=card.id, cards=paid)
    if why:
        turn.emit("R26", "fails", seat=seat.index, card=card.id, why=why, cost=cost)
    return not why


def fail(turn: Turn, seat: Seat) -> None:
    """A payment has failed: the card fizzles, by default with all frames below it (R26, Q29)."""
    turn.stopped = True
    if turn.rulings.options["fizzle_scope"] == "whole_stack":
        fizzle(turn, seat)
    else:
        _lose(turn, seat, _waiting(turn, seat)[-1:], "Q29")


def fizzle(turn: Turn, seat: Seat) -> None:
    """Send the whole stack and what was resolved for it to the discard pile (R34)."""
    frames = _waiting(turn, seat)
    _discard_resolved(seat)
    if frames:
        _lose(turn, seat, frames, "R34")


def _lose(turn: Turn, seat: Seat, frames: list[OpenFrame], rule: str) -> None:
    seat.stack = [frame for frame in seat.stack if frame not in frames]
    seat.discard.extend(frame.card for frame in frames if not frame.placed)
    turn.emit(rule, "fizzles", seat=seat.index, cards=[frame.card for frame in frames])
    if not seat.stack:
        _discard_resolved(seat)
    dying = turn.rulings.numbers["dies_on_fizzle"]
    kill_all(turn, seat, [dog for dog in mortal(turn, seat) if dog.dog in dying])


def _discard_resolved(seat: Seat) -> None:
    seat.discard.extend(seat.resolved)
    seat.resolved = []


def _waiting(turn: Turn, seat: Seat) -> list[OpenFrame]:
    """Return the frames that a failure can reach: where second steps wait in a queue, these have come through (Q54)."""
    if not turn.rulings.parent_now:
        return list(seat.stack)
    return [frame for frame in seat.stack if frame.step != "second" or frame.acts]


def _empty_deck_at_once(turn: Turn, seat: Seat) -> None:
    """Fail a waiting frame at once when the deck is already empty, where Q31 says so."""
    if not seat.in_deck and turn.rulings.options["empty_deck_risk"] == "at_once":
        turn.emit("Q31", "fails", seat=seat.index, card=_waiting(turn, seat)[-1].card, why="no_risk_card")
        fail(turn, seat)


def paid_one(turn: Turn, seat: Seat, frame: OpenFrame) -> None:
    """Count one risk card of a frame as done, and resolve the frame if it was the last (R31)."""
    frame.paid += 1
    if frame.paid >= frame.need:
        turn.emit("R31", "risk_paid", seat=seat.index, card=frame.card)
        return resolve(turn, seat, frame)
    return _empty_deck_at_once(turn, seat)


def resolve(turn: Turn, seat: Seat, frame: OpenFrame) -> None:
    """Let a frame's card take effect (R36)."""
    card = turn.rulings.cards[frame.card]
    below = seat.stack[: seat.stack.index(frame)]
    times = runs(turn, seat, below)
    turn.emit("R36", "resolves", seat=seat.index, card=card.id, times=times)
    if card.type in PLACERS:
        PLACERS[card.type](turn, seat, card.id)
        frame.placed = True
    for _ in range(times):
        signal = None if suppressed(turn, seat, card) else _run(Resolution(turn, seat, card, frame))
        if signal is Signal.DAY_ENDED:
            return None
        if signal is Signal.SUSPEND:
            if below and turn.rulings.parent_now:
                paid_one(turn, seat, below[-1])
            return None
        if signal is Signal.FINISHED_AT_DAY_END:
            break
    return complete(turn, seat, frame)


def runs(turn: Turn, seat: Seat, below: list[OpenFrame]) -> int:
    """Return how often a list runs: twice above a doubling card (R36 step 1, Q34, R67)."""
    rulings = turn.rulings
    if not rulings.numbers["double_risk"]:
        return 1
    if rulings.options["knife_scope"] == "direct_only":
        below = below[-1:]
    doubling = [rulings.cards[frame.card] for frame in below if frame.card in rulings.numbers["double_risk"]]
    if rulings.utility_scope and is_immune(turn, seat):
        doubling = [card for card in doubling if card.type != "utility"]
    return 2 if doubling else 1


def suppressed(turn: Turn, seat: Seat, card: Card) -> bool:
    """Return whether weather or immunity takes all of a card's ops away for this run (R37, Q58, Q59, Q67)."""
    weather = weather_on(turn, seat)
    storm = weather.no_move and turn.rulings.options["storm_scope"] == "whole_card"
    why = None
    if (weather.no_sled and card.type == "sled") or (storm and card.type == "movement"):
        why = weather.face
    if card.type == "utility" and turn.rulings.utility_scope and is_immune(turn, seat):
        why = "immune"
    if why is not None:
        turn.emit("R37", "no_effect", seat=seat.index, card=card.id, by=why)
    return why is not None


def _run(resolution: Resolution) -> Signal | None:
    """Run a card's list of ops once; its conditions are judged first (R36 steps 2 and 4)."""
    turn, seat, frame = resolution.turn, resolution.seat, resolution.frame
    effects = [
        effect
        for effect in resolution.card.instant
        if (effect.when is None or condition(turn, seat, frame, effect.when))
        and (effect.unless is None or not condition(turn, seat, frame, effect.unless))
    ]
    for effect in effects:
        resolution.carry_out(effect)
        check_deaths(turn)
        if resolution.signal is not None:
            break
    return resolution.signal


def condition(turn: Turn, seat: Seat, frame: OpenFrame, name: str) -> bool:
    """Return whether a named condition of a card holds (conditions after the op table)."""
    options = turn.rulings.options
    if name == "eaten_today":
        return bool(seat.foods)
    if name == "three_meals_today":
        return set(seat.foods) >= THREE_MEALS
    if name == "healed_today":
        kept = frame.day == turn.day or options["day_scope"] == "own_new_day"
        own = options["condition_counts"] == "played" and kept and turn.rulings.cards[frame.card].type == "personal"
        return seat.personal - own >= 1
    return not seat.moved


def complete(turn: Turn, seat: Seat, frame: OpenFrame) -> None:
    """Take a resolved card off the stack and count it for the frame below (R38).

    Where Q54 says ``parent_now``, the frame below has counted a two-step card at its first step already.
    """
    rulings = turn.rulings
    place = seat.stack.index(frame)
    del seat.stack[place]
    card = rulings.cards[frame.card]
    if rulings.options["condition_counts"] == "resolved":
        record(seat, card)
    if frame.placed:
        pass
    elif frame.destroyed:
        destroy(turn, card.id)
    elif seat.stack and rulings.options["resolved_risk_zone"] == "stay_until_root":
        seat.resolved.append(card.id)
    else:
        seat.discard.append(card.id)
    turn.emit("R38", "completes", seat=seat.index, card=card.id)
    if not seat.stack:
        _discard_resolved(seat)
    elif place and not (frame.step == "second" and rulings.parent_now):
        paid_one(turn, seat, seat.stack[place - 1])


def second_step(turn: Turn, seat: Seat) -> None:
    """Main action: do what the top card left for this turn (R40)."""
    frame = seat.stack[-1]
    frame.acts = True
    card = turn.rulings.cards[frame.card]
    turn.emit("R40", "second_step", seat=seat.index, card=card.id)
    Resolution(turn, seat, card, frame).second_step()
    complete(turn, seat, frame)


def drop_second_step(turn: Turn, seat: Seat) -> None:
    """Give up a waiting second step: the seen cards go back into the deck and the card completes (Q53)."""
    if seat.seen:
        turn.shuffle(seat, [*seat.deck, *seat.seen])
        seat.seen = []
    complete(turn, seat, seat.stack[-1])
