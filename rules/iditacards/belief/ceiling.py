"""A day with a hidden deck on which more wins: a larger game, whose chance to reach a target is none too small.

It answers where the real game is not carried for what can be taken from the supply (``belief.scope``), from above. All
is as in the real game, but that the player has arrived at the target

- as soon as a card has taken effect that takes others from the supply (R40), and
- at the end of a turn on which a checkpoint is passed that gives a card to the hand (R66).

Until one of these happens every way to play the real game is one of this, with the same chances; and nobody does better
afterwards than to arrive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules.iditacards.belief.open import OpenDay, comes_to
from rules.iditacards.belief.scope import edge_space, missing
from rules.iditacards.compact.scope import banned
from rules.iditacards.compact.steps import is_taking
from rules.iditacards.state import Table

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards

ONCE: Final = 1
"""Turns with which nothing that is taken from the supply is ever played."""


def ceiling_day(game: Iditacards, table: Table, seat: int, forbidden: frozenset[str], target: int) -> OpenDay | None:
    """Return the turns of one day on which more wins for the chance to reach a target, or nothing where it tells none.

    That is where something else is not carried, and where a card is about to be taken.
    """
    rulings, player = game.rulings, table.players[seat]
    about = any(frame.step != "risk" and is_taking(rulings.cards[frame.card]) for frame in player.stack)
    if about or missing(rulings, table, seat, forbidden, ONCE) or not player.deck:
        return None
    if comes_to(edge_space(rulings, table, seat, gifts=False), target, rulings, table, seat):
        return None
    return OpenDay(rulings, table, seat, banned(forbidden), wins=True)
