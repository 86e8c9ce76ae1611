"""Which kinds of card are alike for somebody with so many turns left in a day, and why that is exact.

Two cards are alike when exchanging one for the other, wherever they lie, changes nothing that a turn still to come can
do to the place on the track. The rules look at a card only through its type, its costs, its effects and what it does
in play (R17 to R21, R36, R50, R54); its name is looked up by no card of a day that ``compact_scope`` admits. So cards
that agree in these are alike at any time. With few turns left more agree:

- *Too late.* The turn that a card is played on pays none of its risks (R29), each later one pays one at most (R30). So
  a card whose least risk is not below the turns left never takes effect; all that counts is what it costs and whether
  it lowers a condition on the table (R21).
- *The last turn.* Nothing drawn, looked at or taken then is ever played. A card from the hand that could only do that,
  or that comes too late, moves nothing whatever its payment does; only R21 is left. As a risk card its costs still
  say whether the frame below is paid.
- *In the deck.* A card there is turned over for a waiting risk now, or comes to the hand and is played on a later turn.

Fewer turns left make more cards alike, never fewer; each class is named by its first kind, so that classes of fewer
turns can be taken of classes of more.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from rules.iditacards.compact_cards import Kinds
from rules.iditacards.compact_stock import Stocks
from rules.iditacards.content import Card
from rules.iditacards.risk import LOWERED_ON_TABLE
from rules.iditacards.rulings import Rulings

IDLE_OPS: Final = frozenset({"take", "destroy_self"})
"""Ops that bring nothing back on the same day (``compact.PROJECTIONS``)."""
DECK_OPS: Final = IDLE_OPS | {"draw", "heal"}
"""Ops that change nothing but the cards, so that nothing comes of them on a last turn."""
NEW_DAY_PASSIVES: Final = frozenset({"day_draw", "day_end_empty_move", "start_in_play"})
"""Passive ops that only a setup or a new day asks about (R5, R60, R64)."""

Map = tuple[int, ...]
"""For each kind the first one that is alike."""


class Alike:
    """The classes of kinds by the turns left."""

    def __init__(self, rulings: Rulings, kinds: Kinds, stocks: Stocks, banned: frozenset[int]) -> None:
        """``banned`` kinds are not played from the hand."""
        self._rulings = rulings
        self._kinds = kinds
        self._stocks = stocks
        self._banned = banned
        self._cards = [rulings.cards[name] for name in kinds.names]
        self._held: dict[int, Map] = {}
        self._drawing: dict[tuple[int, bool], Map] = {}
        self._deck: dict[tuple[int, bool, bool], Map] = {}
        self.risky = sum(kinds.mask(kind) for kind, card in enumerate(self._cards) if card.risk and kind not in banned)
        """Mask of the kinds that wait for risk cards once they are played from the hand."""
        self.nothing: Map = tuple(0 for _ in self._cards)
        """All kinds alike: no turn is left."""

    def hand(self, turns: int, waiting: bool) -> Map:
        """Return the classes of hand cards; while a card waits none is played on the next turn (R14)."""
        turns -= waiting
        found = self._held.get(turns)
        if found is None:
            found = self._held[turns] = self._named(self._in_hand(kind, turns) for kind in range(len(self._cards)))
        return found

    def deck(self, turns: int, waiting: bool, risky: bool) -> Map:
        """Return the classes of hidden cards; ``risky``: the hand holds a card that would wait for risk cards."""
        name = (turns, waiting, risky)
        found = self._deck.get(name)
        if found is None:
            # A card begun on this turn turns the next one over on the turn after, one drawn now a turn later still.
            flips = turns if waiting else turns - 1 if risky else turns - 2
            first = self._named(self._turned_over(kind, max(flips, 0)) for kind in range(len(self._cards)))
            found = self._named(zip(first, self.hand(turns - 1, False), strict=True)) if turns else self.nothing
            self._deck[name] = found
        return found

    def drawing(self, turns: int, waiting: bool) -> Map:
        """Return the classes of cards of which some come to the hand before a belief with so many turns left."""
        name = (turns, waiting)
        found = self._drawing.get(name)
        if found is None:
            pairs = zip(self.hand(turns, waiting), self.deck(turns, waiting, True), strict=True)
            found = self._drawing[name] = self._named(pairs)
        return found

    def paying(self, turns: int) -> Map:
        """Return the classes of cards that may come up for a payment before a belief with so many turns left."""
        return self.deck(turns, True, True) if turns else self.hand(0, False)

    def _named(self, signs: Iterable[Hashable]) -> Map:
        first: dict[Hashable, int] = {}
        return tuple(first.setdefault(sign, kind) for kind, sign in enumerate(signs))

    def _in_hand(self, kind: int, turns: int) -> Hashable:
        card = self._cards[kind]
        apart = (card.id in self._rulings.damage_ids and card.id, card.id in self._rulings.ends_turn and card.id)
        if turns <= 0:
            return apart  # it pays, or it does not; and it stops payments of health, or it does not
        facts = self._facts(kind, turns)
        if turns == 1 and facts[-1] == ():
            facts = (facts[0],)
        return (*apart, kind in self._banned, facts)

    def _turned_over(self, kind: int, turns: int) -> Hashable:
        card = self._cards[kind]
        apart = (card.id in self._rulings.damage_ids and card.id, card.id in self._rulings.ends_turn and card.id)
        return (*apart, self._facts(kind, turns)) if turns else apart

    def _facts(self, kind: int, turns: int) -> tuple[Hashable, ...]:
        """Return what counts of a card that is played with so many turns left; the last part is what it does."""
        card = self._cards[kind]
        lowers = card.type if card.type in LOWERED_ON_TABLE else ""
        if "double_risk" in card.passive:
            return (lowers, card.id)
        if card.risk and self._stocks.least_risk(kind) >= turns:
            return (lowers, card.energy, card.health, "too late", ())
        return (lowers, card.energy, card.health, card.risk, _effects(card, turns))


def _effects(card: Card, turns: int) -> Hashable:
    """Return what a card does that counts with so many turns left; nothing where nothing does."""
    idle = DECK_OPS if turns == 1 else IDLE_OPS
    ops = tuple((effect.op, _frozen(effect.args)) for effect in card.instant if effect.op not in idle)
    passive = tuple(
        sorted((name, _frozen(args)) for name, args in card.passive.items() if name not in NEW_DAY_PASSIVES)
    )
    placed = card.type == "dog" or (card.type == "attachment" and (turns > 1 or bool(passive)))
    return (card.type, ops, passive) if ops or placed else ()


def _frozen(value: object) -> Hashable:
    return repr(value)
