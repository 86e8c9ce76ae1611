"""What a venture reads of cards in play, of the records of the day, and of upgrades; what is alike is made equal.

Cards in play and cards that wait are read by what they do, not by their names; what asks about the end of a day, other
players or a venture that is lost is never read, since a venture lasts one day of one player, and ends when it is lost.
So of several cards that do the same, one name stands for all.

Only conditions on cards read the records of a day, and each reads one of them. No day ends while a venture waits, so a
number of personal cards only grows, and more than two of them answer like two (R36, op table).

Upgrade cards count where they come to the hand later. While every upgrade deck has more cards than all sled cards
together can turn over, none runs out, and how many are left is all the same; a supply with more cards than can ever be
taken from it is like one with just as many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from rules.iditacards.content import Card, Effect
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Frame, Player, Table, in_play

UNREAD_PASSIVES: Final = frozenset(
    {"day_draw", "day_end_empty_move", "start_in_play", "no_pass_damage", "dies_on_fizzle"}
)
"""Passive ops that act at a setup, at a new day, on other players, or when a venture is lost (R5, R34, R45, R60)."""
DEATH_PASSIVES: Final = frozenset({"cannot_die", "death_shield", "dies_to", "on_death"})
"""Those that only the death of a dog asks about (R52, R53)."""
RECORDS: Final = {
    "eaten_today": "foods",
    "three_meals_today": "foods",
    "healed_today": "personal",
    "not_moved_today": "moved",
}
"""The record that each condition reads."""
MOST_PERSONAL: Final = 2


class Alikeness:
    """What is equal for the ventures of one player from one table on."""

    def __init__(
        self,
        rulings: Rulings,
        player: Player,
        table: Table,
        played: Collection[str],
        again: Collection[str],
        *,
        gains: bool,
        named: bool,
    ) -> None:
        """``played`` are the cards that may be played, ``again`` those that come into the deck from elsewhere.

        ``gains`` tells whether upgrades come to the hand; ``named``: no name stands for another one.
        """
        self._rulings = rulings
        cards = [rulings.cards[card] for card in sorted(played)]
        there = in_play(player.dogs)
        self.records = frozenset(
            RECORDS[condition]
            for card in cards
            for effect in card.instant
            for condition in (effect.when, effect.unless)
            if condition is not None
        )
        """Records of the day that are read."""
        copies = [*player.deck, *player.hand, *(frame.card for frame in player.stack), *again]
        self._unread = (
            UNREAD_PASSIVES
            if self._can_kill(cards, there, copies, alone=len(table.players) == 1)
            else UNREAD_PASSIVES | DEATH_PASSIVES
        )
        self._names: dict[str, str] = {}
        first: dict[tuple[object, ...], str] = {}
        for name in sorted({*played, *there}):
            alike = (name,) if named else self.facts(rulings.cards[name])
            self._names[name] = first.setdefault(alike, name)
        self.supply, self._turned = _taken(rulings, [*copies, *there]) if gains else (0, 0)
        """Cards that may be taken from the supply in all."""
        self.plenty = all(len(deck) >= self._turned for deck in table.upgrade)

    def _can_kill(self, cards: Iterable[Card], there: Iterable[str], copies: Iterable[str], *, alone: bool) -> bool:
        """Return whether a dog may die: freely, for a card, or to make room (R13, R50)."""
        rulings = self._rulings
        if rulings.options["sacrifice_timing"] == "own_turn":
            return True
        dogs = [card for card in (*there, *copies) if rulings.cards[card].type == "dog"]
        room = sum(rulings.counts_as.get(dog, 1) for dog in dogs) <= rulings.dog_limit
        return not room or any(may_kill(effect, alone=alone) for card in cards for effect in card.instant)

    def facts(self, card: Card) -> tuple[object, ...]:
        """Return what a card does once it is paid for; one that leaves a record keeps its name."""
        named = card.id if card.type == "food" and "foods" in self.records else ""
        passive = sorted((op, repr(args)) for op, args in self.passives(card).items())
        tags = tuple(sorted(card.tags)) if card.type == "dog" else ()
        return (card.type, named, tuple(map(_ops, card.instant)), tuple(passive), tags)

    def passives(self, card: Card) -> Mapping[str, object]:
        """Return the passive ops of a card that are read."""
        return {op: args for op, args in card.passive.items() if op not in self._unread}

    def dogs(self, dogs: Iterable[Dog]) -> tuple[Dog, ...]:
        """Return the dogs in play by the names that stand for them."""
        names = self._names
        return tuple(
            sorted(
                Dog(names.get(dog.dog, dog.dog), tuple(sorted(names.get(card, card) for card in dog.attachments)))
                for dog in dogs
            )
        )

    def frame(self, frame: Frame) -> Frame:
        """Return a frame by the name that stands for its card."""
        return frame._replace(card=self._names.get(frame.card, frame.card))

    def personal(self, cards: int) -> int:
        """Return the personal cards of a day as far as they are read."""
        return min(cards, MOST_PERSONAL) if "personal" in self.records else 0

    def upgrades(self, decks: Iterable[Collection[str]]) -> list[int]:
        """Return the sizes of the upgrade decks as far as they count, ascending."""
        return [self._turned] * len(list(decks)) if self.plenty else sorted(map(len, decks))


def may_kill(effect: Effect, *, alone: bool) -> bool:
    """Return whether an op may kill a dog of whoever plays its card; ``alone``: nobody else plays."""
    return effect.op == "kill_any_dog" or (effect.op == "kill_dog" and not (alone and effect.args["who"] == "others"))


def _ops(effect: Effect) -> tuple[str, str, str | None, str | None]:
    return effect.op, _words(effect.args), effect.when, effect.unless


def _words(args: Mapping[str, object]) -> str:
    return repr(sorted(args.items(), key=lambda pair: pair[0]))


def _taken(rulings: Rulings, cards: Collection[str]) -> tuple[int, int]:
    """Return how many cards all copies of sled cards can take from the supply, and how many they can turn over.

    A number that is a word is no more than all these cards.
    """
    bonus = [args for holder, args in rulings.bonus["take_bonus"].items() if holder in cards]
    more = {each: sum(int(args[each]) for args in bonus) * len(cards) for each in ("n", "of")}
    taken = turned = 0
    for card in cards:
        for effect in rulings.cards[card].instant:
            n = effect.args.get("n", 0)
            number = n if isinstance(n, int) else len(cards)
            if effect.op == "take_next":
                taken += number + more["n"]
            elif effect.op == "supply":
                turned += number + more["of"]
    return taken, turned
