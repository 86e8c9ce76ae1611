"""What a seat knows of a table, and tables that fit what it knows (4).

Hands, plans, Events face down and the order of a pile are hidden where their source is; where a source is open
everything about its cards is known. While plans are made in secret nobody knows anybody else's, so that a step of
choices is one decision of all seats at once; where each seat shows its plan, everybody knows it from then on (AB-Q15).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from rules.abyss.content import ANY, Card
from rules.abyss.rulings import Rulings
from rules.abyss.state import Pile, Plan, Seat, Table, TeamPlan
from rules.core.chance import SplitMix64

UNSEEN: Final = "?"
"""Stands for a card that a seat does not see."""


def view(rulings: Rulings, table: Table, index: int) -> Table:
    """Return what a seat sees: equal for tables that it cannot tell apart.

    Cards it does not see are ``?`` where they lie; the front of a hidden pile holds all of them, ascending.
    """
    table = undecided(rulings, table)
    seats = list(table.seats)
    actions, events = table.actions, table.events
    if not rulings.chance.is_open("actions"):
        actions = actions._replace(front=tuple(sorted(_unseen_actions(rulings, table, index))))
        seats = [seat if other == index else _hide_cards(rulings, seat) for other, seat in enumerate(seats)]
    if not rulings.chance.is_open("events"):
        events = events._replace(front=tuple(sorted(unseen_events(table))))
        seats = [seat._replace(event=UNSEEN) if _is_face_down(seat) else seat for seat in seats]
    return table._replace(actions=actions, events=events, seats=tuple(seats))


def imagined(rulings: Rulings, table: Table, index: int, generator: SplitMix64, covered: Table) -> Table:
    """Return a table that fits what a seat knows, the cards it does not see dealt at random.

    Where plans are being made in secret, all are taken back and the first seat of the step acts. ``covered`` is the
    table without the cards in hands and plans that the turn under way has shown; these stay where they lie.
    """
    table = undecided(rulings, table)
    if not rulings.chance.is_open("events"):
        table = _deal_events(rulings, table, generator)
    if rulings.chance.is_open("actions"):
        return table
    rest = undecided(rulings, covered).seats
    seats = (seat._replace(hand=left.hand, plan=left.plan) for seat, left in zip(table.seats, rest, strict=True))
    dealt = _deal_actions(rulings, table._replace(seats=tuple(seats)), index, generator)
    return dealt._replace(seats=tuple(map(_with_shown, dealt.seats, table.seats, rest)))


def possible(rulings: Rulings, table: Table, index: int) -> Iterator[tuple[Table, int]]:
    """Yield every table that looks alike to a player alone, with the copies of the Event that lies face down there.

    Nothing with several players, whose hands may be hidden as well.
    """
    if rulings.players > 1:
        return
    seat = table.seats[index]
    if rulings.chance.is_open("events") or not _is_face_down(seat):
        yield table, 1
        return
    unseen = unseen_events(table)
    refused = _turned_up(rulings, seat)
    for card, copies in sorted(Counter(unseen).items()):
        if card not in refused:
            rest = list(unseen)
            rest.remove(card)
            yield table._replace(events=_refilled(table.events, rest), seats=(seat._replace(event=card),)), copies


def _with_shown(seat: Seat, old: Seat, rest: Seat) -> Seat:
    """Return a seat with the cards that it has shown: all of ``old`` that are not among the ``rest``."""
    if old.hand == rest.hand and old.plan == rest.plan:
        return seat
    hand = Counter(old.hand) - Counter(rest.hand)
    plan, before, left = seat.plan, old.plan, rest.plan
    if plan is not None and before is not None and left is not None:
        temp = plan.temp
        if temp is not None and before.temp is not None and left.temp is not None and left.temp.card is None:
            temp = before.temp
        plan = Plan(before.card if left.card is None else plan.card, plan.location, temp)
    return seat._replace(hand=tuple(sorted((*seat.hand, *hand.elements()))), plan=plan)


def undecided(rulings: Rulings, table: Table) -> Table:
    """Return the table before anybody made a plan in this step, where plans are secret (5.C)."""
    if table.phase != "choose" or _shows_plans(rulings):
        return table
    seats = tuple(seat._replace(hand=tuple(sorted((*seat.hand, *_committed(seat)))), plan=None) for seat in table.seats)
    return table._replace(seat=rulings.order(table.round)[0], seats=seats)


def _shows_plans(rulings: Rulings) -> bool:
    """Return whether each seat in turn shows its plan, cards and all (AB-Q15)."""
    return bool(rulings.options["announcement"] == "sequential")


def _committed(seat: Seat) -> list[str]:
    """Return the cards of a seat's plan that are not used yet."""
    plan = seat.plan
    cards = [] if plan is None else [plan.card, plan.temp and plan.temp.card]
    return [card for card in cards if card is not None]


def _is_face_down(seat: Seat) -> bool:
    return seat.event is not None and not seat.event_up


def _unseen_actions(rulings: Rulings, table: Table, index: int) -> list[str]:
    """Return the Action cards that a seat does not see, those of the back of the pile left out."""
    others = [seat for other, seat in enumerate(table.seats) if other != index]
    held = [card for seat in others for card in seat.hand]
    planned = [] if _shows_plans(rulings) else [card for seat in others for card in _committed(seat)]
    return [*table.actions.front, *held, *planned]


def unseen_events(table: Table) -> list[str]:
    """Return the Events that nobody sees: of the front of the pile, and dealt face down."""
    return [*table.events.front, *(seat.event for seat in table.seats if seat.event is not None and not seat.event_up)]


def _hide_cards(rulings: Rulings, seat: Seat) -> Seat:
    """Return a seat as the others see it: sizes and locations, no cards but those that it has shown."""
    plan = seat.plan
    if plan is not None and not _shows_plans(rulings):
        temp = plan.temp
        second = None if temp is None else TeamPlan(temp.card and UNSEEN, temp.location)
        plan = Plan(plan.card and UNSEEN, plan.location, second)
    return seat._replace(hand=(UNSEEN,) * len(seat.hand), plan=plan)


def _deal_events(rulings: Rulings, table: Table, generator: SplitMix64) -> Table:
    """Deal the Events face down anew; a modifier whose owner is in the City would have been turned up (5.E)."""
    hidden = [index for index, seat in enumerate(table.seats) if _is_face_down(seat)]
    refused = [_turned_up(rulings, table.seats[index]) for index in hidden]
    dealt = _fitting(unseen_events(table), refused, generator)
    seats = list(table.seats)
    for place, index in enumerate(hidden):
        seats[index] = seats[index]._replace(event=dealt[place])
    return table._replace(events=_refilled(table.events, dealt[len(hidden) :]), seats=tuple(seats))


def _turned_up(rulings: Rulings, seat: Seat) -> frozenset[str]:
    """Return the Events that cannot lie face down before a seat: they are turned up when they are dealt (5.E)."""
    whole = rulings.options["modifier_timing"] == "whole_round"
    return frozenset(card.id for card in rulings.cards.values() if whole and card.is_modifier and reaches(seat, card))


def reaches(seat: Seat, card: Card) -> bool:
    """Return whether the seat has a team where the card works (5.G)."""
    plan = seat.plan
    return card.location == ANY or (
        plan is not None and card.location in (plan.location, plan.temp and plan.temp.location)
    )


def _fitting(cards: list[str], refused: list[frozenset[str]], generator: SplitMix64) -> list[str]:
    """Return the cards in a random order in which each of the first places holds none that it refuses.

    The order that lies on the table is one of them, so that some shuffle fits in the end.
    """
    while True:
        order = generator.shuffle(cards)
        if not any(card in kinds for card, kinds in zip(order, refused, strict=False)):
            return order


def _deal_actions(rulings: Rulings, table: Table, index: int, generator: SplitMix64) -> Table:
    """Deal the hands and plans of the other seats anew; a plan's card fits the location announced (5.C)."""
    seats = list(table.seats)
    others = [other for other in range(len(seats)) if other != index]
    secret = [] if _shows_plans(rulings) else others
    places = [location for other in secret for location in _waiting(seats[other].plan)]
    refused = [
        frozenset(card.id for card in rulings.cards.values() if card.location not in (place, ANY)) for place in places
    ]
    pool = _fitting(_unseen_actions(rulings, table, index), refused, generator)
    for other in secret:
        seats[other], pool = _replanned(seats[other], pool)
    for other in others:
        size = len(seats[other].hand)
        seats[other], pool = seats[other]._replace(hand=tuple(sorted(pool[:size]))), pool[size:]
    return table._replace(actions=_refilled(table.actions, pool), seats=tuple(seats))


def _waiting(plan: Plan | None) -> list[str]:
    """Return the locations of the teams whose card is not used yet, main team first."""
    teams = [] if plan is None else [(plan.card, plan.location), *([plan.temp] if plan.temp else [])]
    return [location for card, location in teams if card is not None]


def _replanned(seat: Seat, pool: list[str]) -> tuple[Seat, list[str]]:
    """Return a seat whose plan has the first cards of the pool in the place of its own, and the rest of the pool."""
    plan = seat.plan
    if plan is None:
        return seat, pool
    card, temp = plan.card, plan.temp
    if card is not None:
        card, pool = pool[0], pool[1:]
    if temp is not None and temp.card is not None:
        temp, pool = temp._replace(card=pool[0]), pool[1:]
    return seat._replace(plan=Plan(card, plan.location, temp)), pool


def _refilled(pile: Pile, front: Iterable[str]) -> Pile:
    return pile._replace(front=tuple(sorted(front)))
