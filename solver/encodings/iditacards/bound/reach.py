"""The cards that a seat may come to play in one question, and which limits of the bound hold for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.iditacards.content import Card, Rulings
from rules.iditacards.state import Player, Table, in_play

RETURNING: Final = frozenset({"recover", "recover_tag", "discard_to_deck", "take_next"})
"""Ops that bring back cards that were played, or bring cards from elsewhere into the hand."""
GAINING: Final = frozenset({"take", "supply", "take_next"})


@dataclass(frozen=True, slots=True)
class Reach:
    """The cards that a seat may come to play, and which limits hold for all of them."""

    cards: Counter[str]
    """Every such card with its copies, those in play included."""
    days: bool
    """A new day may come."""
    gains: bool
    """Cards from beyond the own deck may come."""
    once: bool
    """A copy is played once on each day."""
    counted: bool
    """Hand and deck limit the number of turns."""
    back: bool
    """The sled may go back to legs behind it."""


def reach(rulings: Rulings, table: Table, forbidden: frozenset[str], limit: int) -> Reach:
    """Return what a player alone may come to play from a table before it is at space ``limit``.

    ``forbidden`` are first words of moves that are not made.
    """
    legs = {effect for leg in rulings.track(table.legs)[:limit] if leg is not None for effect in leg.effects}
    player, cards = table.players[0], rulings.cards
    own: Counter[str] = Counter(_own(player))
    own.update(player.discard + player.resolved if _returns(rulings, own, legs) else ())
    while True:
        calls = any("new_day" in _ops(cards[name]) for name in own)
        days = calls or "new_day" not in forbidden
        gains = _gains(rulings, own, table, player, days=days)
        more = Counter(own)
        if gains:
            more.update({name: n for name, n in _elsewhere(rulings, table, player).items() if name not in own})
        if days or gains:
            more.update({name: n for name, n in Counter(player.discard + player.resolved).items() if name not in own})
        if set(more) == set(own):
            break
        own = more
    ops = {op for name in own for op in _ops(cards[name])}
    passive = {op for name in own for op in cards[name].passive}
    returns = any(cards[name].passive.get("dies_to", {}).get("zone") == "hand" for name in own)
    once = not (gains or calls or returns or ops & RETURNING or "leg_turn_end_recover" in legs)
    counted = once and not (
        "draw_first_risk" in passive
        or returns
        or rulings.options["fizzle_scope"] == "failed_card"
        or rulings.options["pass_turn"]
        or rulings.options["second_step"] == "optional"
    )
    back = (
        "move_back" in ops
        or rulings.death_at is not None
        or rulings.auto_move_by_condition
        or rulings.options["negative_distance"] == "backward"
    )
    return Reach(own, days, gains, once, counted, back)


def _own(player: Player) -> Iterator[str]:
    waiting = (frame.card for frame in player.stack)
    return iter((*player.hand, *player.deck, *player.seen, *waiting, *in_play(player.dogs)))


def _ops(card: Card) -> set[str]:
    return {effect.op for effect in card.instant}


def _returns(rulings: Rulings, own: Iterable[str], legs: Container[str]) -> bool:
    """Return whether cards of the discard pile may come back without a new day."""
    return "leg_turn_end_recover" in legs or any(_ops(rulings.cards[name]) & RETURNING for name in own)


def _gains(rulings: Rulings, own: Iterable[str], table: Table, player: Player, *, days: bool) -> bool:
    """Return whether cards from beyond the own deck may be played."""
    ops = {op for name in own for op in _ops(rulings.cards[name])}
    comes_back = days or ops & RETURNING
    if not _elsewhere(rulings, table, player):
        return False
    if player.legendary and (rulings.legendary_to == "hand" or comes_back):
        return True
    return "take_next" in ops or bool(comes_back and ops & GAINING)


def _elsewhere(rulings: Rulings, table: Table, player: Player) -> Counter[str]:
    upgrades = [card for deck in table.upgrade for card in deck]
    back = [card for card in table.destroyed if rulings.cards[card].deck in rulings.upgrade_decks]
    return Counter([*table.supply, *upgrades, *back, *player.legendary])
