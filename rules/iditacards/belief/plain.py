"""Days on which a board is no more than its speed: what is in play, but for that, is as good as out of play.

A day is *plain* where there are no legs and no special spaces, nobody is cold or hungry, and all that can come up
draws, moves, takes, or comes into play and at most adds to the speed. Then:

- Nothing reads where the seat stands, so a turn does from any place what it does from another.
- What is in play counts by the speed it adds; speeds are a sum over all dogs and attachments. Nothing kills a dog, and
  free actions are left out, so a speed that was won stays.
- There is room for every dog that may come (Q39). An attachment that adds no speed never keeps out one that does: it
  may be replaced (R54), and where all slots are used a new one need not replace anything. So it may be forgotten, and
  as no dog goes it does not matter which dog wears what: only how many slots there are in all.
- Where the dogs there are from the start have slots for every attachment that adds speed, no slot is ever missing, and
  a dog that adds no speed may be forgotten too, but for those first ones. Where they have not, the day is *tight*: a
  dog that adds none is no more than its slots, and comes too late for a last turn, on which nothing is placed after it.
- Further is never worse, as the same moves stay open; so of two ways to place a card the one that keeps less is no
  better where all else is equal. On tight days too: whoever wears more wears as many of the same after any placing, by
  replacing one of those that the other has not where no slot is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from rules.iditacards.compact.board import Board
from rules.iditacards.content import Card
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Player, Table, in_play

_OPS: Final = frozenset({"draw", "move", "take", "heal", "destroy_self"})
_PASSIVES: Final = frozenset({"day_draw", "death_shield", "dies_to", "leg_condition_mod", "speed", "start_in_play"})


class Plain:
    """What boards of a plain day come to."""

    def __init__(self, rulings: Rulings, player: Player, cards: Counter[str]) -> None:
        """``cards`` are all that are in play or may come into play."""
        self._rulings = rulings
        self._first = tuple(sorted(dog.dog for dog in player.dogs))
        facts = [rulings.cards[card] for card in cards.elements()]
        worn = sum(card.type == "attachment" and adds(card) for card in facts)
        self.tight = worn > sum(map(self.slots, self._first))
        """Whether there may be more attachments that add speed than slots."""
        self.idle = frozenset(card.id for card in facts if not adds(card) and not (self.tight and card.type == "dog"))
        """Cards that are as good as out of play."""
        self._dogs: dict[int, str] = {}
        for card in sorted(facts, key=lambda card: card.id):
            if card.type == "dog" and not adds(card):
                self._dogs.setdefault(self.slots(card.id), card.id)

    def slots(self, dog: str) -> int:
        """Return how many attachments a dog can wear."""
        return self._rulings.attach_slots.get(dog, 1)

    def normal(self, board: Board) -> Board:
        """Return the board that stands for all of the same speed."""
        adding = self.adding(board)
        cards = self._rulings.cards
        worn = [card for card in adding.elements() if cards[card].type == "attachment"]
        others = Counter(dog.dog for dog in board.dogs if dog.dog not in self.idle) - Counter(self._first)
        alike = (card if adds(cards[card]) else self._dogs[self.slots(card)] for card in others.elements())
        dogs = []
        for dog in (*self._first, *sorted(alike)):
            slots = self.slots(dog)
            dogs.append(Dog(dog, tuple(sorted(worn[:slots]))))
            worn = worn[slots:]
        return board._replace(dogs=tuple(sorted(dogs)))

    def adding(self, board: Board) -> Counter[str]:
        """Return what adds to the speed on a board, sorted."""
        cards = sorted(in_play(board.dogs))
        return Counter(card for card in cards if adds(self._rulings.cards[card]))


def plain_day(rulings: Rulings, table: Table, seat: int, cards: Iterable[str], *, free: bool) -> Plain | None:
    """Return what boards come to where the day is plain; ``cards`` are all in play, hand, deck and risk stack."""
    player = table.players[seat]
    counted = Counter(cards)
    facts = [rulings.cards[card] for card in counted.elements()]
    dogs = sum(rulings.counts_as.get(card.id, 1) for card in facts if card.type == "dog")
    fits = (
        not free
        and len(table.players) == 1
        and not (player.hypothermia or player.starvation or rulings.special_spaces)
        and player.free_energy == player.free_health == "no"
        and all(leg is None for leg in rulings.track(table.legs))
        and bool(rulings.options["attachment_overwrite"])
        and dogs <= rulings.dog_limit
        and all(_is_plain(card) for card in facts)
    )
    return Plain(rulings, player, counted) if fits else None


def _is_plain(card: Card) -> bool:
    ops = {effect.op for effect in card.instant}
    return (
        ops <= _OPS
        and set(card.passive) <= _PASSIVES
        and card.number("speed") >= 0
        and not any(effect.args.get("per") for effect in card.instant)
    )


def adds(card: Card) -> bool:
    """Return whether a card adds to the speed while it is in play."""
    return card.number("speed") > 0
