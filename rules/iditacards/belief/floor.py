"""A day with a hidden deck played plainly: a smaller game, each of whose ways to play is one of the real game.

It answers where the real game is not carried (``belief.scope``), from below. The player

- takes no new day, and all cards that are looked at go back into the deck, none to the hand (op ``heal``). They are
  shuffled in, so that what is known of the deck is what it was before.
- takes a card that a checkpoint gives to the hand (R66), and never uses it. It does not help to pay, and once one has
  been passed, a card for which there are too few others in hand is lost likewise, as it might have to be paid after all
  (R25).
- never takes a card from the supply (R40), though cards that add to it may be played.
- never plays a card whose effects are not carried. Where one is turned over for a risk, all is lost: its worth is that
  of the worst there is. It still pays for others, and lies in hand and deck like any card.

All of this is open to the real player, whose chances are the same until then, and who cannot do worse than the worst.
So a chance of the smaller game is one that a real way to play has at least, and if it is certain, that is the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.iditacards.belief.open import OpenDay, comes_to
from rules.iditacards.belief.scope import avoided, edge_space, missing_plainly
from rules.iditacards.compact.scope import banned
from rules.iditacards.state import Table

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards


def floor_day(
    game: Iditacards,
    table: Table,
    seat: int,
    forbidden: frozenset[str],
    target: int,
    turns: int,
    *,
    resting: bool = False,
    drawn: int | None = None,
) -> OpenDay | None:
    """Return the turns of one plain day for the chance to reach a target, or nothing where that is not carried.

    ``resting`` and ``drawn`` are those of ``open_day``.
    """
    rulings = game.rulings
    if missing_plainly(rulings, table, seat, forbidden) or not table.players[seat].deck:
        return None
    day = OpenDay(*(rulings, table, seat, banned(forbidden)), avoided=avoided(rulings, table, seat), resting=resting)
    edge = edge_space(rulings, table, seat, gifts=False)
    if edge is not None and comes_to(edge, target, rulings, table, seat) and day.furthest(table, turns, drawn) >= edge:
        return None
    return day
