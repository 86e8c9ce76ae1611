"""What going on with a venture does to hand and deck, and which cards and readings that is written for.

Only numbers of cards are known. None of them is a damage card: those in the hand lie idle, since they never pay
(R22), and are not counted; the deck may have none. So effects that put cards where nothing reads them are left out, and
of what a player may do with cards that were looked at only this is kept: they go back into the deck, or to the hand
where the ruleset says so. For someone who does not use what was seen a card more, in hand or deck, is never worse:
the unknown deck of more cards is the smaller one with others below; every payment, draw and look that the smaller one
allows it allows too, and leaves as many cards or more in either place; so card by card the same play comes as far (R22,
R23, R26, R33). For the same reason nobody destroys hand cards who need not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar

from rules.core.ventures import OutOfReach
from rules.iditacards.content import Card, Effect
from rules.iditacards.odds.counts import WITHOUT_END
from rules.iditacards.odds.scope import SECOND_OPS, Scope
from rules.iditacards.odds.teams import Teams
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

DRAW: Final = 0
"""Orders: so many cards from the deck to the hand, fewer if it is short."""
SHED: Final = 1
"""So many cards of the deck to the discard pile, fewer if it is short."""
KEEP: Final = 2
"""Up to so many cards of the deck to the hand, as many as the player likes."""
ASIDE: Final = 3
"""So many cards of the deck set aside until the second step, fewer if it is short."""
GAIN: Final = 4
"""So many cards to the hand from elsewhere."""
EMPTY_HAND: Final = 5
"""All cards of the hand are gone."""
SIFT: Final = 6
"""So many cards of the deck looked at, of which any go back; the others leave the game or lie where nothing reads."""
BACK: Final = 7
"""All cards that are set aside go back into the deck."""
RECALL: Final = 8
"""Cards of the discard pile to the hand, or back into the deck as the ruleset says; a number says what."""
REFILL: Final = 9
"""The discard pile goes back into the deck."""
READING: Final = frozenset({RECALL, REFILL})
"""Orders that read the discard pile, which nothing but bounds and ``odds.pile`` carry."""

BOARD_OPS: Final = frozenset(
    {
        "move",
        "move_back",
        "freeze",
        "hypothermia",
        "starvation",
        "clear_hypothermia",
        "clear_starvation",
        "hypothermia_to_leg",
        "starvation_to_leg",
        "immune",
        "free_cost",
        "kill_dog",
        "kill_any_dog",
    }
)
"""Ops that are asked of the rules on a board."""
IDLE_OPS: Final = frozenset({"take", "damage", "recover", "recover_tag", "destroy_self", "destroy_from_hand"})
"""Ops that only put cards where nothing reads them, or that the player leaves out."""
CARD_OPS: Final = frozenset({"draw", "heal", "see", "destroy_next", "supply", "take_next", "destroy_hand", "new_day"})

Orders = tuple[tuple[int, int], ...]


class Price(NamedTuple):
    """What a card costs, and the board once it is on the table (R18, R19, R21)."""

    board: int
    energy: int
    """Cards to discard, or ``ALL_USABLE``."""
    health: int
    need: int
    fizzles: bool
    """A risk fizzles here (R24, R33)."""


class Way(NamedTuple):
    """One way through a piece of a turn."""

    orders: Orders
    board: int
    by: int
    """Spaces by which the place changes."""
    lost: bool = False
    """The race or the day ends."""
    over: bool = False
    """It is the race."""
    waits: bool = False
    """The card waits for its second step (R40)."""
    skips: bool = False
    """The rest of the list of the card is skipped."""


Ways = tuple[int, int, tuple[Way, ...]]
"""First and last place for which the ways hold."""
Priced = tuple[int, int, Price]
"""Likewise for a price."""
ANYWHERE: Final = (-WITHOUT_END, WITHOUT_END)
P = TypeVar("P", bound=tuple[int, int, *tuple[object, ...]])


def holding(pieces: Iterable[P], pos: int) -> P | None:
    """Return the piece that holds at a place, none if no piece does."""
    for piece in pieces:
        if piece[0] <= pos <= piece[1]:
            return piece
    return None


class Carried:
    """What cards do that may be played in a venture.

    Raises:
        OutOfReach: something is read that is left out.
    """

    ops = BOARD_OPS | IDLE_OPS | CARD_OPS
    """Ops that are carried."""
    harmless = False
    """Damage cards in the deck are like any others."""

    def __init__(
        self, rulings: Rulings, table: Table, seat: int, scope: Scope, *, free: bool, sees: bool = False
    ) -> None:
        """``sees``: the player uses what was looked at, so that no look at the deck is idle."""
        self._rulings = rulings
        self._scope = scope
        self._sees = sees
        self.keeps = rulings.heal_rest == "hand"
        """Cards looked at that do not go back come to the hand."""
        self.gains = scope.gains
        """Cards come to the hand from the supply."""
        cards = frozenset(card.id for card in (*scope.played, *scope.in_play))
        self.doubling = cards & frozenset(rulings.double_risk)
        """Cards above which others take effect twice (R36, R67)."""
        self.draws_first = cards & frozenset(rulings.draw_first_risk)
        """Cards in play of which the first risk card of a frame is drawn (R33)."""
        self._refuse(table, seat)
        self.reads = self._records()
        """Conditions about the day that are asked."""
        self.supply = scope.alike.supply
        """Cards of the supply that count."""
        self.teams = Teams(rulings, table, seat, scope, free=free)

    def _refuse(self, table: Table, seat: int) -> None:
        rulings, options = self._rulings, self._rulings.options
        player = table.players[seat]
        takes_effect = {*player.deck, *(frame.card for frame in player.stack[1:])}  # never the root: it comes through
        cards = [card for card in self._scope.played if card.id in takes_effect]
        words = any(
            effect.op in ("supply", "take_next") and not isinstance(effect.args["n"], int)
            for card in cards
            for effect in card.instant
        )
        new_days = any(effect.op == "new_day" for card in cards for effect in card.instant)
        in_play = self._scope.in_play
        if (
            rulings.deck_open
            or len(table.players) > 1
            or rulings.parent_now
            or player.known
            or player.seen
            or any(frame.step != "risk" for frame in player.stack)
            or not (self.harmless or rulings.damage_ids.isdisjoint(player.deck))
            or (options["all_cost"] != "usable_hand" and not rulings.damage_ids.isdisjoint(player.hand))
            or options["empty_deck_risk"] != "on_turn"
            or options["second_step"] == "optional"
            or options["condition_counts"] != "played"
            or options["legendary_choice"] == "may"
            or options["fizzle_scope"] != "whole_stack"
            or (self.doubling and options["knife_scope"] != "all_above")
            or (self.draws_first and options["draw_first_risk"] != "uses_turn")
            or not options["unaffordable_play"]
            or (words and self._scope.gains)
            or (self._scope.gains and not self._scope.alike.plenty)
            or (new_days and any("day_end_empty_move" in card.passive for card in (*cards, *in_play)))
            or any(
                effect.op not in self.ops or (effect.op == "draw" and not _counted(effect))
                for card in cards
                for effect in card.instant
            )
        ):
            raise OutOfReach

    def recall(self, card: Card | None, n: int | str) -> int:
        """Return the number by which an order says what comes back from the discard pile.

        Raises:
            OutOfReach: that is not carried.
        """
        raise OutOfReach

    def _records(self) -> frozenset[str]:
        """Return the conditions that ops ask about which are not idle."""
        return frozenset(
            condition
            for card in self._scope.played
            for effect in card.instant
            if not self.idle(effect)
            for condition in (effect.when, effect.unless)
            if condition is not None
        )

    def idle(self, effect: Effect) -> bool:
        """Return whether an op changes nothing that is read."""
        if effect.op == "heal":
            return not self.keeps and not self._sees
        if effect.op == "supply":
            return not self.gains
        return effect.op in IDLE_OPS

    def acts(self, card: Card) -> bool:
        """Return whether a card does anything that is read once it is paid for, or while it waits."""
        placed = card.type in ("dog", "attachment")
        return placed or card.id in self.doubling or not all(map(self.idle, card.instant))

    def prompt(self, card: Card) -> bool:
        """Return whether a card that takes effect is done on the same turn or, after a second step, the next one.

        Told is this unless the race ends before, and never of a card that doubles others.
        """
        return card.id not in self.doubling and not any(effect.op == "new_day" for effect in card.instant)

    def waits(self, card: Card) -> bool:
        """Return whether a card waits for a second step."""
        return any(effect.op in SECOND_OPS for effect in card.instant if not self.idle(effect))

    def looks(self, card: Card) -> bool:
        """Return whether a card looks at the deck."""
        return any(effect.op in ("heal", "see") for effect in card.instant)


def _counted(effect: Effect) -> bool:
    return isinstance(effect.args["n"], int)
