"""Cards that checkpoints give to the hand on days with a hidden deck (R66).

The player knows them and chooses one, so that nothing is left to chance: a turn that passes a checkpoint ends in as
many ways as there are cards to choose, each with one more card in hand. They are kinds of the question like the own
cards. A card is played on the turn after a checkpoint may be passed at the earliest, and takes effect as many turns
later as its risk says. So what is not carried of it does not stand in the way where it comes too late.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.iditacards.belief.scope import (
    IDLE,
    SECONDS,
    STRANGE_PASSIVES,
    gives_cards,
    is_of_two_steps,
    may_change_risk,
    may_go_back,
)
from rules.iditacards.compact.scope import OPS
from rules.iditacards.content import Card
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play

NEAR: Final = 12
"""Spaces to a checkpoint up to which it is told what it gives: the more kinds there are the more nodes."""


def new_checkpoints(rulings: Rulings, table: Table, seat: int) -> list[int]:
    """Return the spaces of the checkpoints that may still be passed."""
    player = table.players[seat]
    back = may_go_back(rulings, table, player)
    return [space for space in rulings.board.checkpoints if space not in player.passed and (back or space > player.pos)]


def carried_gifts(
    rulings: Rulings, table: Table, seat: int, turns: int, passed: Callable[[int], int]
) -> tuple[str, ...]:
    """Return the cards that checkpoints may give in so many turns, none where not all are carried or none is near.

    ``passed`` tells the first turn on which a space may be passed.
    """
    player = table.players[seat]
    new = new_checkpoints(rulings, table, seat)
    if not gives_cards(rulings, table, seat) or all(abs(space - player.pos) > NEAR for space in new):
        return ()
    own = (*player.hand, *player.deck, *player.seen, *in_play(player.dogs), *(frame.card for frame in player.stack))
    first = 1 + passed(min(new))
    cards = [rulings.cards[name] for name in player.legendary]
    # A card that was given lowers the risk of another once it has taken effect itself.
    lowered = [first + card.risk for card in cards if card.id in rulings.cost_mod["risk"]]
    if may_change_risk(rulings, table, set(own)):
        lowered = [first]
    if not all(_is_carried(rulings, card, min([first + card.risk, *lowered]), turns) for card in cards):
        return ()
    return tuple(sorted(player.legendary))


def _is_carried(rulings: Rulings, card: Card, first: int, turns: int) -> bool:
    """Return whether a card is carried that takes effect on the turn ``first`` of so many at the earliest."""
    if card.passive.get("dies_to", {}).get("zone") == "hand" or any(op in card.passive for op in STRANGE_PASSIVES):
        return False
    if card.type == "utility" and rulings.utility_scope:
        return False
    # It raises what sleds take that are played after it, on a turn of their own, and what they take is played later.
    if "take_bonus" in card.passive and first + 3 <= turns:
        return False
    for effect in card.instant:
        second = is_of_two_steps(rulings, card, effect)
        if effect.op not in OPS and not second and first <= turns:
            return False
        if second and effect.op == "take_next" and first + 1 < turns:
            return False
        asks = bool(effect.when or effect.unless) and effect.op not in IDLE
        if asks and (first < turns or (first == turns and effect.op not in SECONDS)):
            return False
    return True
