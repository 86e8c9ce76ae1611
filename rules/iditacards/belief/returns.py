"""Cards that come back from the discard pile on days with a hidden deck: where it is known that they never matter.

What lies in the pile is not part of a belief. So a turn on which a card may come back (ops ``recover``,
``recover_tag``, ``discard_to_deck``) is told with where it ends, and carried no further (``compact.plays``): on the
last turn, or at the target, that is all that counts. A search that comes upon the next turn after all gives up.

A card *reads* the pile on the turn on which it takes effect, which comes as many turns after it is played as its risk
says. A card of the deck is turned over on the first turn for a risk that waits, or on the second, or played then at the
earliest. If that turn is not before the last one asked about, nothing comes of it. If it is, it is tried only with
cards that move before they read, as these may have arrived by then.

Damage may come back too, and is looked at on the same turn where a card is healed after that; a discarded one stops the
turn (R57). So cards and spaces that bring it are not carried beside cards that look at the deck.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules.iditacards.compact.steps import RETURNING
from rules.iditacards.content import Card
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table, in_play

_LOOKS: Final = frozenset({"heal", "see"})


def is_returning(card: Card) -> bool:
    """Return whether a card takes others back from the discard pile."""
    return any(effect.op in RETURNING for effect in card.instant)


def carries_returns(rulings: Rulings, table: Table, seat: int, turns: int | None, *, cheaper: bool) -> bool:
    """Return whether cards that take others back are carried, as far as nothing that has come back counts.

    ``turns`` are asked about, or all that the day may have; ``cheaper``: risks may be less than is printed.
    """
    player = table.players[seat]
    if _is_hurt(rulings, player):
        return False
    return all(
        _moves_first(card) or (turns is not None and first >= turns)
        for card, first in _first_readings(rulings, player, cheaper=cheaper)
    )


def _is_hurt(rulings: Rulings, player: Player) -> bool:
    """Return whether damage may lie in the deck when cards of it are looked at after some have come back."""
    own = [*player.hand, *player.deck, *player.seen, *player.discard, *player.resolved]
    reach = [rulings.cards[name] for name in (*own, *in_play(player.dogs), *(frame.card for frame in player.stack))]
    brings = any(_does(card, ("damage",)) for card in reach) or (rulings.damage_stops and bool(rulings.board.damage))
    return bool((rulings.damage_ids | rulings.ends_turn) & set(own)) or (
        brings and any(_does(card, _LOOKS) for card in reach)
    )


def _does(card: Card, ops: Iterable[str]) -> bool:
    return any(effect.op in ops for effect in card.instant)


def _moves_first(card: Card) -> bool:
    """Return whether a card moves before it takes anything back."""
    ops = [effect.op for effect in card.instant]
    return "move" in ops and ops.index("move") < min(ops.index(op) for op in RETURNING.intersection(ops))


def _first_readings(rulings: Rulings, player: Player, *, cheaper: bool) -> list[tuple[Card, int]]:
    """Return the cards that take others back with the first turn on which they may, counted from 1."""
    held = {*player.hand, *player.seen, *(player.deck if player.stack else ())}
    found = [(rulings.cards[name], 1) for name in held]
    found += [(rulings.cards[name], 2) for name in set(player.deck) - held]
    readings = [(card, turn if cheaper else turn + card.risk) for card, turn in found]
    readings += [(rulings.cards[frame.card], 1) for frame in player.stack]
    return [(card, turn) for card, turn in readings if is_returning(card)]
