"""What can be said about reaching a space before any turn is played."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rules.core.race import Outlook
from rules.iditacards.bound import least_turns
from rules.iditacards.content import Card, Leg
from rules.iditacards.essence import leg_reads, reads
from rules.iditacards.moves import NEW_DAY
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table, in_play

FREE: Final = frozenset({"sacrifice", "remove"})
"""First words of the free actions (R13)."""


def outlook(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str], target: int, turns: int) -> Outlook:
    """Return what is known about one player who has to be at a space at the end of a turn.

    It is hopeless where the bound of turns says so. A free action is pointless when it can only slow down: it takes
    something out of play, and all that is or may come into play is of use or of none. That is said for a day on which
    everything up to the target is one leg without checkpoints, where nothing moves back or dies, and where nothing
    reads the discard pile or multiplies what cards do; then further is never worse.
    """
    hopeless = least_turns(rulings, table, seat, target, forbidden) > turns
    return Outlook(hopeless, FREE if _only_slows(rulings, table, seat, forbidden, target) else frozenset())


def _only_slows(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str], target: int) -> bool:
    """Return whether taking something out of play can only slow down on the way to a target."""
    player = table.players[seat]
    leg = _one_leg(rulings, table, player, target)
    if leg is _SEVERAL or NEW_DAY.text not in forbidden or len(table.players) > 1:
        return False
    if rulings.death_at is not None or rulings.auto_move_by_condition or leg_reads(rulings, table, target):
        return False
    cards = _cards(rulings, player)
    if reads(rulings, table, player).discard or reads(rulings, table, player).supply or not _plain(rulings, cards):
        return False
    assert leg is None or isinstance(leg, Leg)
    slows_dogs = leg is not None and leg.effects.get("leg_dog_speed", {"n": 0})["n"] < 0
    return not slows_dogs and _all_of_use(rulings, cards)


_SEVERAL: Final = object()


def _one_leg(rulings: Rulings, table: Table, player: Player, target: int) -> object:
    """Return the leg of all spaces from the player to before the target, if it is one."""
    track = rulings.track(table.legs)
    legs = {id(leg): leg for leg in track[player.pos : target]}
    if target > len(track):
        legs[id(None)] = None
    if len(legs) != 1 or any(player.pos < space < target for space in rulings.board.checkpoints):
        return _SEVERAL
    return next(iter(legs.values()))


def _cards(rulings: Rulings, player: Player) -> frozenset[str]:
    """Return the cards in play and those that may be played."""
    cards = {*player.hand, *player.deck, *player.seen, *(frame.card for frame in player.stack)}
    cards.update(in_play(player.dogs))
    return frozenset(cards if rulings.legendary_to != "hand" else cards.union(player.legendary))


@lru_cache(maxsize=4096)
def _plain(rulings: Rulings, cards: frozenset[str]) -> bool:
    """Return whether no card multiplies speeds or effects or moves back."""
    facts = [rulings.cards[card] for card in cards]
    return not any(
        {"speed_mult", "double_risk", "draw_first_risk"} & set(card.passive)
        or any(effect.op == "move_back" for effect in card.instant)
        for card in facts
    )


@lru_cache(maxsize=4096)
def _all_of_use(rulings: Rulings, cards: frozenset[str]) -> bool:
    """Return whether no card is better out of play, and killing a dog brings nothing.

    Where others cost less, too, a card may be better out of play: one that is turned over as a risk card has to be paid
    for if it can be (R33), and what pays for it may be worth more.
    """
    overwritten = bool(rulings.options["attachment_overwrite"])
    return overwritten and not any(in_the_way(rulings.cards[card]) for card in cards)


def in_the_way(card: Card) -> bool:
    """Return whether a card may be better out of play."""
    passive = card.passive
    return (
        passive.get("dies_to", {}).get("zone") == "hand"
        or "on_move_draw" in passive
        or card.number("speed") < 0
        or card.number("speed_other_dogs") < 0
        or any(card.number(f"cost_mod:{cost}") for cost in ("energy", "health", "risk"))
        or any(effect.args.get("per") == "dog" or effect.op == "kill_dog" for effect in card.instant)
    )
