"""What a seat knows of a table, and tables that fit what it knows (R1, R73).

The cards that another player holds unseen - hand, cards looked at, and the part of the deck that nobody has placed -
are known together and not apart; so are the legendary cards of the others together with those that were dealt to
nobody. Where decks are open their cards are known one by one, and so are the hands they gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rules.core.chance import SplitMix64
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table, in_play

UNSEEN: Final = "?"
"""Stands for a card that a seat does not see."""


def hides(rulings: Rulings, table: Table) -> bool:
    """Return whether some seat holds cards that another does not know."""
    return len(table.players) > 1 and not rulings.opponents_open


def view(rulings: Rulings, table: Table, index: int) -> Table:
    """Return what a seat sees: equal for tables that it cannot tell apart.

    Cards that it does not see are ``?`` where they lie; the deck of another player holds all of them, ascending.
    """
    if not hides(rulings, table):
        return table
    players = tuple(
        player if other == index else _covered(rulings, player) for other, player in enumerate(table.players)
    )
    return table._replace(players=players)


def imagined(rulings: Rulings, table: Table, index: int, generator: SplitMix64) -> Table:
    """Return a table that fits what a seat knows, the cards it does not see dealt at random."""
    if not hides(rulings, table):
        return table
    others = [other for other in range(len(table.players)) if other != index]
    players = list(table.players)
    if not rulings.deck_open:
        for other in others:
            players[other] = _dealt(players[other], generator)
    if not rulings.legendary_open:
        pool = iter(generator.shuffle(_unseen_legendary(rulings, table, index)))
        for other in others:
            cards = tuple(sorted(next(pool) for _ in players[other].legendary))
            players[other] = players[other]._replace(legendary=cards)
    return table._replace(players=tuple(players))


def _covered(rulings: Rulings, player: Player) -> Player:
    if not rulings.deck_open:
        player = player._replace(
            deck=(*player.deck[: player.known], *sorted(_unplaced(player))),
            hand=(UNSEEN,) * len(player.hand),
            seen=(UNSEEN,) * len(player.seen),
        )
    return player if rulings.legendary_open else player._replace(legendary=(UNSEEN,) * len(player.legendary))


def _unplaced(player: Player) -> list[str]:
    """Return the cards that lie in a player's hand, among those looked at, or somewhere in the deck."""
    return [*player.hand, *player.seen, *player.deck[player.known :]]


def _dealt(player: Player, generator: SplitMix64) -> Player:
    pool = generator.shuffle(_unplaced(player))
    hand, seen = len(player.hand), len(player.seen)
    return player._replace(
        deck=(*player.deck[: player.known], *sorted(pool[hand + seen :])),
        hand=tuple(sorted(pool[:hand])),
        seen=tuple(sorted(pool[hand : hand + seen])),
    )


def _unseen_legendary(rulings: Rulings, table: Table, index: int) -> Sequence[str]:
    """Return the legendary cards that the others hold or that were dealt to nobody."""
    held = [card for other, player in enumerate(table.players) if other != index for card in player.legendary]
    undealt = Counter(rulings.legendary_cards) - Counter(_everywhere(table))
    return [*held, *undealt.elements()]


def _everywhere(table: Table) -> list[str]:
    """Return every card that lies in some zone of the table."""
    cards = [*table.destroyed, *table.supply, *(card for deck in table.upgrade for card in deck)]
    for player in table.players:
        cards += [*player.deck, *player.discard, *player.hand, *player.legendary, *player.resolved, *player.seen]
        cards += [frame.card for frame in player.stack]
        cards += in_play(player.dogs)
    return cards
