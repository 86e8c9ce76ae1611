"""Steps C and D: plans laid aside in secret, then every team's location shown (5.C, 5.D)."""

from __future__ import annotations

from rules.abyss.content import ANY
from rules.abyss.moves import Choose
from rules.abyss.state import ABYSS, CITY, TeamPlan
from rules.abyss.turn import Side, Turn, new_plan


def choose(turn: Turn, side: Side) -> None:
    """Let a seat lay its plan aside without showing it; the last seat's choice is followed by the announcement."""
    move = turn.ask(side, lambda: plans(turn, side))
    assert isinstance(move, Choose)
    plan = move.plan
    cards = [plan.card, plan.temp and plan.temp.card]
    side.drop(card for card in cards if card is not None)
    side.plan = plan
    if turn.rulings.options["announcement"] == "sequential":
        turn.tell("AB-Q15", "shows_plan", seat=side.index, plan=plan)
    else:
        turn.tell("5.C", "plans", seat=side.index)
    if turn.is_last:
        announce(turn)


def plans(turn: Turn, side: Side) -> list[Choose]:
    """Return every plan open to a seat (5.C, 11)."""
    rulings = turn.rulings
    temps = side.temps if rulings.temps_count else 0
    hired = len(side.partners)
    found = [
        Choose(new_plan(card, location)) for card, location in _teams(turn, side.hand, hired + temps, may_rest=True)
    ]
    free = rulings.options["second_action"] == "free"
    if not side.traits.two_cards or not (side.temps or free):
        return found
    for card, location in _teams(turn, side.hand, hired, may_rest=True):
        rest = list(side.hand)
        if card is not None:
            rest.remove(card)
        for second, place in _teams(turn, rest, temps, may_rest=False):
            found.append(Choose(new_plan(card, location, TeamPlan(second, place))))
    return found


def _teams(turn: Turn, hand: list[str], members: int, *, may_rest: bool) -> list[tuple[str | None, str]]:
    """Return the cards a team may use and where it may be with them (5.C)."""
    found: list[tuple[str | None, str]] = [(None, CITY)] if may_rest else []
    if not members and turn.rulings.options["empty_team"] == "no_action":
        return found
    for card in dict.fromkeys(hand):
        limit = turn.rulings.cards[card].location
        if limit != ABYSS:
            found.append((card, CITY))
        if limit in (ABYSS, ANY) and members:
            found.append((card, ABYSS))
    return found


def announce(turn: Turn) -> None:
    """Show all locations at once, and let the trips begin that an Explore mark boosts (5.D, 10.1)."""
    for side in turn.sides():
        plan = side.plan
        if plan is None:
            continue
        turn.tell("5.D", "announces", seat=side.index, location=plan.location, temp=plan.temp and plan.temp.location)
        if side.explore_pending and side.has_team_at(ABYSS):
            side.boost, side.explore_pending = side.explore_pending, 0
            turn.tell("5.D", "boosted", seat=side.index)
