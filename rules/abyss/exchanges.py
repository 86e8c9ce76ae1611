"""What Action cards do to the purse of a household that has nothing else, found by playing them (6, 14.G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.abyss.content import ACTIONS
from rules.abyss.state import CITY, Plan
from rules.core.race import tally

if TYPE_CHECKING:
    from rules.abyss.engine import Abyss


def exchanges(game: Abyss) -> dict[str, dict[str, int]]:
    """Return the change of AP and RP by each card that changes one; cards that need a choice or luck are left out."""
    start = game.initial_table()
    found: dict[str, dict[str, int]] = {}
    for card in game.rulings.cards.values():
        if card.deck != ACTIONS or not card.count:
            continue
        plans = [Plan(card.id if seat == start.seat else None, CITY, None) for seat in range(len(start.seats))]
        seats = tuple(one._replace(plan=plan) for one, plan in zip(start.seats, plans, strict=True))
        table = start._replace(phase="act", seats=seats)
        ends = [end.table for end in game.turn_ends(table)]
        if len(ends) == 1:
            before, after = tally(game, table).goods, tally(game, ends[0]).goods
            change = {good: after[good] - held for good, held in before.items() if good in after and ": " not in good}
            if any(change.values()):
                found[card.id] = {good: number for good, number in change.items() if number}
    return found
