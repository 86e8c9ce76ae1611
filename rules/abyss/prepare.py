"""Steps A to D and I: reshuffles, cards given up and drawn, hires, plans and their announcement (5.A to 5.D, 5.I)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Any, Final

from rules.abyss.state import ABYSS, ANY, CITY, PHASES, Partner, Plan, TeamPlan
from rules.abyss.turn import DRAW, NO_DRAW, Choose, Deal, Dismiss, GiveUp, Hire, Side, Turn
from rules.core.chance import UNKNOWN
from rules.core.errors import UnsupportedRuleset

UNLIMITED: Final = 10**9
MOST_WAYS: Final = 200_000
"""Ways to hire that one menu has at most; the richest purse of a usual game has some hundreds."""


def upkeep(turn: Turn) -> None:
    """Reshuffle each pile that is too small for the round (5.A)."""
    for pile in (turn.events, turn.actions):
        if len(pile) < turn.rulings.players:
            turn.reshuffle(pile)


def prepare(turn: Turn, side: Side) -> None:
    """Let a seat give up cards and hire (5.B)."""
    if side.index == turn.order[0]:
        upkeep(turn)
    _give_up(turn, side)
    options = turn.rulings.options
    if options["dismiss"] and side.partners:
        _dismiss(turn, side)
    if options["hire_when"] == "before_choice":
        side.paid = hire(turn, side)
    turn.check(side)


def _give_up(turn: Turn, side: Side) -> None:
    """Let a seat give up cards and draw for them (5.B, AB-Q10)."""
    rules = turn.rulings.rules
    move = turn.ask(side, lambda: [GiveUp(cards) for cards in side.subsets(0, rules["give_up_most"])])
    if not move.cards:
        return
    side.drop(move.cards)
    turn.actions.discard(move.cards)
    turn.emit("5.B", "gives_up", seat=side.index, cards=move.cards)
    same = turn.rulings.options["give_up_draw"] == "same_number"
    draw_cards(turn, side, len(move.cards) if same else rules["give_up_draw"], "5.B")


def draw_cards(turn: Turn, side: Side, number: int, rule: str) -> None:
    """Draw Action cards one after another, as far as there are any."""
    pile: Deal = turn.actions
    for _ in range(number):
        card = turn.draw(pile, unseen=side.unseen)
        if card is None:
            return
        side.take(card)
        turn.emit(rule, "draws", seat=side.index, card=card)


def partner_sets(partners: Sequence[Partner]) -> list[tuple[Partner, ...]]:
    """Return the different sets of partners, the empty one included, smaller ones first."""
    alike = [(partner, partners.count(partner)) for partner in dict.fromkeys(partners)]
    ways = product(*(range(number + 1) for _, number in alike))
    sets = [
        tuple(chosen for (partner, _), n in zip(alike, way, strict=True) for chosen in [partner] * n) for way in ways
    ]
    return sorted(sets, key=len)


def _dismiss(turn: Turn, side: Side) -> None:
    """Let a seat send partners away (AB-Q14)."""
    move = turn.ask(side, lambda: [Dismiss(chosen) for chosen in partner_sets(side.partners)])
    for partner in move.partners:
        side.partners.remove(partner)
    if move.partners:
        turn.emit("AB-Q14", "dismisses", seat=side.index, partners=move.partners)


def hire(turn: Turn, side: Side) -> int:
    """Let a seat hire partners and take temporary ones; return the AP paid (5.B)."""
    move = turn.ask(side, lambda: hires(turn, side))
    if not (move.numbers or move.temps):
        return 0
    rulings = turn.rulings
    price = move.temps * (side.traits.temp_price or 0)
    partners = list(side.partners)
    for kind, number in move.numbers:
        price += number * side.traits.prices[rulings.place[kind]]
        partners += [Partner(kind, rulings.full_hp[kind])] * number
    side.ap -= price
    side.temps = move.temps
    turn.place(side, partners)
    turn.emit("5.B", "hires", seat=side.index, numbers=move.numbers, temps=move.temps, price=price, ap=side.ap)
    return price


def hires(turn: Turn, side: Side) -> tuple[Hire, ...]:
    """Return every number of partners of each type, and of temporary ones, that the seat may hire (5.B, 11)."""
    rulings, traits = turn.rulings, side.traits
    return _within(
        rulings.types,
        traits.prices,
        traits.temp_price,
        UNLIMITED if rulings.options["hire_overdraft"] else max(0, side.ap),
        UNLIMITED if rulings.cap is None else max(0, rulings.cap - len(side.partners)),
        tuple(_supply(turn, kind) for kind in rulings.types),
        temps_need_room=rulings.options["cap_counts_temps"],
    )


@lru_cache(128)  # a search asks for few purses again and again, each with hundreds of ways to spend it
def _within(*limits: Any, temps_need_room: bool) -> tuple[Hire, ...]:
    """Return the ways to hire within some limits.

    Raises:
        UnsupportedRuleset: these are more ways than anybody could look at.
    """
    ways = tuple(islice(ways_to_hire(*limits, temps_need_room=temps_need_room), MOST_WAYS + 1))
    if len(ways) > MOST_WAYS:
        raise UnsupportedRuleset(
            [f"a purse of {limits[3]} AP, for which there are more than {MOST_WAYS:,} ways to hire,"]
        )
    return ways


def ways_to_hire(
    types: tuple[str, ...],
    prices: tuple[int, ...],
    temp_price: int | None,
    budget: int,
    room: int,
    supply: tuple[int, ...],
    *,
    temps_need_room: bool,
) -> Iterator[Hire]:
    """Yield what may be hired for so many AP with so much room; the definition refuses rules without any bound."""

    def of_type(place: int, budget: int, room: int, chosen: tuple[tuple[str, int], ...]) -> Iterator[Hire]:
        if place == len(types):
            most = 0 if temp_price is None else min(budget // temp_price, room if temps_need_room else UNLIMITED)
            yield from (Hire(chosen, temps) for temps in range(most + 1))
            return
        for number in range(min(budget // prices[place], room, supply[place]) + 1):
            more = (*chosen, (types[place], number)) if number else chosen
            yield from of_type(place + 1, budget - number * prices[place], room - number, more)

    return of_type(0, budget, room, ())


def _supply(turn: Turn, kind: str) -> int:
    """Return how many partners of a type are left for hire (AB-Q7)."""
    limits = turn.rulings.supply
    if limits is None or kind not in limits:
        return UNLIMITED
    hired = sum(partner.type == kind for side in turn.sides() for partner in side.partners)
    return max(0, limits[kind] - hired)


def choose(turn: Turn, side: Side) -> None:
    """Let a seat lay its plan aside without showing it; the last seat's choice is followed by the announcement."""
    plan = turn.ask(side, lambda: _plans(turn, side)).plan
    side.plan = plan
    side.drop(plan.cards)
    if turn.rulings.options["announcement"] == "sequential":
        turn.emit("AB-Q15", "shows_plan", seat=side.index, plan=plan)
    else:
        turn.emit("5.C", "plans", seat=side.index)
    if turn.is_last:
        _announce(turn)


def _plans(turn: Turn, side: Side) -> list[Choose]:
    """Return every plan open to a seat (5.C, 11)."""
    rulings = turn.rulings
    temps = side.temps if rulings.temps_count else 0
    hired = len(side.partners)
    found = [Choose(Plan(*team, None)) for team in _teams(turn, side, hired + temps, may_rest=True)]
    free = rulings.options["second_action"] == "free"
    if not side.traits.two_cards or not (side.temps or free):
        return found
    for card, location in _teams(turn, side, hired, may_rest=True):
        hand, side.hand = side.hand, list(side.hand)
        front, unknown = side.pile.front, side.pile.unknown
        side.drop([] if card is None else [card])
        second = _teams(turn, side, temps, may_rest=False)
        side.hand, side.pile.front, side.pile.unknown = hand, front, unknown
        found += [Choose(Plan(card, location, TeamPlan(*team))) for team in second]
    return found


def _teams(turn: Turn, side: Side, members: int, *, may_rest: bool) -> list[tuple[str | None, str]]:
    """Return the cards a team may use and where it may be with them (5.C)."""
    found: list[tuple[str | None, str]] = [(None, CITY)] if may_rest else []
    if not members and turn.rulings.options["empty_team"] == "no_action":
        return found
    for card in [*side.kinds(), *([UNKNOWN] if UNKNOWN in side.hand else ())]:
        limit = ANY if card == UNKNOWN else turn.rulings.cards[card].location
        if limit != ABYSS:
            found.append((card, CITY))
        if limit in (ABYSS, ANY) and members:
            found.append((card, ABYSS))
    return found


def _announce(turn: Turn) -> None:
    """Show all locations at once, and let the trips begin that an Explore mark boosts (5.D, 10.1)."""
    for side in turn.sides():
        plan = side.plan
        if plan is None:
            continue
        turn.emit("5.D", "announces", seat=side.index, location=plan.location, temp=plan.temp and plan.temp.location)
        if side.explore_pending and side.has_team_at(ABYSS):
            side.boost, side.explore_pending = side.explore_pending, 0
            turn.emit("5.D", "boosted", seat=side.index)


def clean_up(turn: Turn, side: Side) -> None:
    """Send temporary partners home and refill the hand (5.I)."""
    rules, options = turn.rulings.rules, turn.rulings.options
    side.temps = side.paid = 0
    if side.flashlight and options["flashlight_expires"] == "end_of_next_round":
        side.flashlight -= 1
    may_draw = len(side.hand) < rules["refill_below"] and turn.round >= options["first_refill_round"]
    if may_draw and turn.actions.can_draw:
        forced = options["refill"] == "forced"
        if turn.ask(side, lambda: [DRAW] if forced else [NO_DRAW, DRAW]) == DRAW:
            draw_cards(turn, side, rules["refill_cards"], "5.I")
    if options["hire_when"] == "end_of_round":
        hire(turn, side)
        turn.check(side)


def end_round(turn: Turn) -> None:
    """Check at the end of the round where that is the time for it, then begin the next one (5.I, AB-Q42, AB-Q46)."""
    rulings = turn.rulings
    if not rulings.immediate:
        turn.settle_goals(turn.seat, turn.order)
    if rulings.round_limit is not None and turn.round >= rulings.round_limit:
        turn.emit("AB-Q46", "limit", rounds=turn.round)
        turn.end(turn.seat)
    turn.round += 1
    turn.phase = PHASES[0]
    turn.seat = rulings.order(turn.round)[0]
    turn.emit("5.I", "round", round=turn.round)
