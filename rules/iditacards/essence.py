"""Tables without what cannot matter any more, so that equal futures are equal tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rules.iditacards.moves import NEW_DAY
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table

READERS: Final = frozenset({"recover", "recover_tag", "discard_to_deck", "new_day"})
"""Ops after which it counts what the discard pile holds."""


class Reads(NamedTuple):
    """What some cards read when they come to be played."""

    discard: bool
    records: bool
    """What was eaten, healed and moved today."""
    supply: bool
    """The supply and the upgrade decks give cards to the hand."""


def essence(
    rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str], target: int | None, turns: int
) -> Table:
    """Return a table from which progress goes the same ways, the clocks at 0 and unread zones empty.

    Only for one player with a hidden deck; other tables are returned as they are. The discard pile is read by a new
    day (R61), by some ops and by a leg (R16); where none of them can come any more, what goes there is gone, and so are
    upgrades and legendary cards where they go there (op ``take``, R66).
    """
    if len(table.players) > 1 or rulings.deck_open:
        return table
    player = table.players[seat]
    frames = tuple(frame._replace(day=0 if frame.day == table.day else -1) for frame in player.stack)
    player = player._replace(days=0, turns=0, stack=frames)
    destroyed = table.destroyed if rulings.options["upgrade_refresh"] else ()
    table = table._replace(day=0, destroyed=destroyed)
    if NEW_DAY.text in forbidden and not leg_reads(rulings, table, target):
        read = reads(rulings, table, player)
        if not read.discard:
            player = player._replace(discard=(), resolved=())
            table = table._replace(damage_left=0)
            if not read.supply:
                table = table._replace(supply=(), upgrade=tuple(() for _ in table.upgrade))
            if rulings.legendary_to != "hand":
                player = player._replace(legendary=(), passed=())
            if not read.records:
                player = player._replace(foods=(), personal=0, moved=False)
    table = table._replace(players=(player,))
    return _last_turn(rulings, table, player) if turns == 1 else table


def reads(rulings: Rulings, table: Table, player: Player) -> Reads:
    """Return what the cards of a table read that may come to be played."""
    return _reads(rulings, _kinds(rulings, player), _gains(table))


def _last_turn(rulings: Rulings, table: Table, player: Player) -> Table:
    """Return a table for one more turn.

    A turn moves before any card that comes to the hand in it can be played or pay, and it turns cards over only for a
    risk. So what comes from the discard pile, the upgrade decks and, where no card waits, from the deck counts by its
    number alone; but damage cards are told apart (R57).
    """
    filler = _filler(rulings)
    discard = _plain(rulings, player.discard, filler)
    player = player._replace(discard=discard, resolved=_plain(rulings, player.resolved, filler))
    if not player.stack and not player.known:
        player = player._replace(deck=_plain(rulings, player.deck, filler))
    upgrade = tuple(() for _ in table.upgrade)
    return table._replace(players=(player,), supply=(), upgrade=upgrade)


@lru_cache(maxsize=64)
def _filler(rulings: Rulings) -> str:
    return min(card for card in rulings.cards if card not in rulings.damage_ids)


def _plain(rulings: Rulings, cards: Sequence[str], filler: str) -> tuple[str, ...]:
    return tuple(sorted(card if card in rulings.damage_ids else filler for card in cards))


def leg_reads(rulings: Rulings, table: Table, target: int | None) -> bool:
    """Return whether a leg that gives cards back at the end of a turn lies before the target."""
    for space, leg in enumerate(rulings.track(table.legs)):
        if leg is not None and "leg_turn_end_recover" in leg.effects:
            return target is None or space < target
    return False


def _kinds(rulings: Rulings, player: Player) -> frozenset[str]:
    """Return the cards that may be played without a gain from elsewhere."""
    cards = {*player.hand, *player.deck, *player.seen, *(frame.card for frame in player.stack)}
    cards.update(dog.dog for dog in player.dogs)  # some die to the hand
    return frozenset(cards if rulings.legendary_to != "hand" else cards.union(player.legendary))


def _gains(table: Table) -> frozenset[str]:
    """Return the cards that the supply and the upgrade decks may give."""
    return frozenset(table.supply).union(*table.upgrade)


@lru_cache(maxsize=4096)
def _reads(rulings: Rulings, kinds: frozenset[str], gains: frozenset[str]) -> Reads:
    """Return what cards read; those gained from the supply count only where some card takes them to the hand."""
    effects = [effect for kind in kinds for effect in rulings.cards[kind].instant]
    supply = any(effect.op == "take_next" for effect in effects)
    if supply:
        effects.extend(effect for kind in gains for effect in rulings.cards[kind].instant)
    return Reads(
        discard=any(effect.op in READERS for effect in effects),
        records=any(effect.when or effect.unless for effect in effects),
        supply=supply,
    )
