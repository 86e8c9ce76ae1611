"""Cards that a player can count on finding in the discard pile, because they lie there or are paid first of all.

Which cards pay is all the same for a venture but for what the discard pile has later (R22). So one way to play keeps a
few cards *in reserve*: those of the pile are taken back for nothing but to be put on the deck, and those of the hand
are the first ones to be paid, in their order. Once so many cards have been paid from the hand at least, as many of
these are in the pile. A card in reserve is one that leaves the stack for the discard pile as soon as it is done and
draws nothing, so it is back before anybody else reads the pile.

How many other cards may be taken to the hand is counted: every card that takes some back has paid some before.
"""

from __future__ import annotations

from typing import Final

from rules.iditacards.content import Card
from rules.iditacards.odds.open import Opened, Recall
from rules.iditacards.odds.scope import LOOKS, READERS
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

RESERVED: Final = 4
"""Cards in reserve of the pile, and of the hand, at most."""
UNFIT: Final = (
    READERS | LOOKS | {"draw", "new_day", "destroy_hand", "destroy_self", "kill_dog", "kill_any_dog", "damage"}
)
"""Ops of cards that are not kept in reserve."""


class Reserve:
    """The cards in reserve of one venture."""

    def __init__(self, rulings: Rulings, table: Table, seat: int, begin: str | None) -> None:
        player = table.players[seat]
        hand = list(player.hand)
        if begin is not None:
            hand.remove(begin)
        names = [*player.deck, *(frame.card for frame in player.stack[1:])]
        self._readers = [
            card
            for card in map(rulings.cards.__getitem__, names)
            if any(effect.op in READERS for effect in card.instant)
        ]
        self._refills = any(effect.op == "discard_to_deck" for card in self._readers for effect in card.instant)
        self._root = rulings.cards[begin] if begin is not None else None
        self._pile = sum(card not in rulings.damage_ids for card in player.discard)
        doubled = 2 if any(name in rulings.double_risk for name in (*names, begin, *_roots(table, seat))) else 1
        self._times = doubled * max((_recalls(card) for card in self._readers), default=1)
        """How often a card may give cards back, at most."""
        fit = (
            rulings.options["recover_to"] == "top"
            and rulings.options["resolved_risk_zone"] == "discard_at_once"
            and not self._refills
        )

        def best(held: list[str] | tuple[str, ...]) -> list[str]:
            cards = [rulings.cards[card] for card in held if fit and card not in rulings.damage_ids]
            cards = [card for card in cards if _fit(card)]
            return [card.id for card in sorted(cards, key=lambda card: (_price(card), card.id))][:RESERVED]

        self.there = best(player.discard)
        """Cards in reserve that lie in the pile."""
        self.held = best(hand)
        """Those of the hand, in the order in which they pay."""

    @property
    def several(self) -> bool:
        """Whether cards may be given back more than once."""
        return len(self._readers) * self._times > 1

    @property
    def cards(self) -> tuple[str, ...]:
        """Return all cards in reserve, once for every card that may give them back."""
        return (*self.there, *self.held) * len(self._readers) * self._times

    def ready(self, recall: Recall, carried: Opened) -> list[str]:
        """Return the cards in reserve that lie in the pile when a card takes effect that gives cards back.

        A hand that is destroyed takes those with it that the root did not pay for.
        """
        if not recall.counted:
            return []
        paid = carried.paid(self._root)[0] if self._root is not None else 0
        paid += 0 if carried.destroys else recall.energy
        return [*self.there, *self.held[:paid]]

    def sure(self, recall: Recall, carried: Opened) -> int:
        """Return how many cards not in reserve can be taken back for certain, of as many as the card allows."""
        if not recall.counted:
            return 0
        if self._refills:
            return min(recall.n, 0 if recall.waits else recall.paid // self._times)
        start = self._pile - len(self.there) - len(self.held)
        if self._root is not None:
            start += sum(carried.paid(self._root))
        losses = [self._taken(card, carried) - sum(carried.paid(card)) for card in self._readers]
        others = sum(max(0, loss) for loss in losses)
        own = max(0, recall.n * self._times - recall.paid)
        return max(0, min(recall.n, (start - max(0, others - own) + recall.paid) // self._times))

    def _taken(self, card: Card, carried: Opened) -> int:
        """Return how many cards a card takes back at most."""
        given = [effect.args.get("tag", effect.args.get("n", 0)) for effect in card.instant if effect.op in READERS]
        recalls = [carried.recall(card, each) for each in given]
        return self._times * sum(carried.recalls[each].n for each in recalls if each >= 0)


def _roots(table: Table, seat: int) -> list[str]:
    return [frame.card for frame in table.players[seat].stack[:1]]


def _recalls(card: Card) -> int:
    return sum(effect.op in READERS for effect in card.instant)


def _fit(card: Card) -> bool:
    plain = card.type not in ("dog", "attachment") and card.energy is not None and not card.risk
    return plain and not any(effect.op in UNFIT for effect in card.instant)


def _price(card: Card) -> int:
    return (card.energy or 0) + card.health
