"""Classes of cards that cost and do the same, and the stack of those that wait.

What waits is written down so that equal prospects are equal:

- A card that does nothing when it resolves only makes the one below wait longer: if it needs r cards and the one below
  k, the one below takes effect after r + k - 1 cards, and nothing happens in between but that cards are counted (R31).
- Where the root needs one more card, it comes through as soon as the one above it is done, whatever that one does. So
  the one above only makes it wait longer, unless it ends the day or the race or waits for a second step. That it does
  not end the race is known where it and all that may still follow do not reach the finish: it moves last of all, from
  wherever the others have led to. Where a race that is finished goes on to the end of the turn (R69) a second step may
  come too late: then the most spaces are kept that those left out may go up to that turn, and from where the others
  have led to it is told whether they could lead to the finish; if so, all is done again with none of them left out.
- Where all that waits needs one more card each, it takes effect one after the other, once a card is done: it is *ripe*.
  So the root comes through with every card that can be paid and needs no more, whatever all of them do, unless the race
  ends before. That it does not is known where they and the turns of second steps do not lead to the finish.
- Where a card needs one more card, it takes effect at once after the one above it. Two dogs that come into play one
  right after the other do so in either order, as long as there is room for all (R50).

A card above which others take effect twice stays what it is (R67): whatever is left out of the stack above it is still
above it. Where a card in play draws the first risk card of each frame (R33), one that has just begun to wait stays what
it is until that is drawn, which is on the next turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from rules.iditacards.content import Card
from rules.iditacards.costs import LOWERED_ON_TABLE
from rules.iditacards.odds.numbers import Numbers
from rules.iditacards.odds.orders import Carried
from rules.iditacards.odds.reach import Reach
from rules.iditacards.odds.scope import SECOND_OPS, Scope
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Table

ROOT: Final = -1
"""The card that the venture is about; it has come through when it begins to take effect. ``ROOT - n``: what was left
out above it may still go n spaces before the last turn."""
SPARE: Final = 40
"""Spaces that others may go before what is left out."""


class Stack:
    """A card that waits, above others; equal stacks of one venture are one object."""

    __slots__ = (
        "below",
        "doubling",
        "faster",
        "fresh",
        "hidden",
        "last",
        "moves",
        "need",
        "needed",
        "number",
        "ripe",
        "seconds",
        "spaces",
    )

    def __init__(self, need: int, number: int, below: Stack | None, doubling: tuple[str, ...], *, fresh: bool) -> None:
        self.need = need
        """Cards still needed. A card that waits for its second step needs ``-1 - n`` where n cards are set aside that
        are not counted for the deck."""
        self.number = number
        """The class."""
        self.below = below
        self.needed: int = need if below is None else below.needed + (need if need > 0 else 0) - 1
        """Cards that must be turned over, none of them one that waits; what is above counts for what is below."""
        self.last = below is None and need == 1
        """The root comes through with the next card that is done."""
        self.hidden: int = ROOT - number if below is None else below.hidden
        """Spaces that what was left out above the root may still go."""
        self.ripe = False
        """All that waits is done one right after the other, once a card more is, unless the race ends before."""
        self.seconds = 0
        """If so: how many second steps it takes; and how far it goes at most, by how many moves besides its speed."""
        self.spaces = 0
        self.moves = 0
        self.faster = 0
        """Likewise by how much what waits is faster in play."""
        self.doubling = doubling
        """The cards of the stack above which others take effect twice."""
        self.fresh = fresh
        """The first risk card is drawn, if what draws it is still in play on the next turn."""


class Waiting:
    """The classes of the kinds of a pool, and stacks over them."""

    def __init__(self, rulings: Rulings, table: Table, seat: int, scope: Scope, carried: Carried) -> None:
        self.reach = Reach(rulings, table, seat, scope.begin, scope.again)
        self.hides = not rulings.win_at_once
        """Cards that wait for a second step are left out where none of them can lead to the finish."""
        self._rulings = rulings
        self._scope = scope
        self._carried = carried
        self._roomy = carried.teams.roomy
        self._root = scope.begin or scope.root
        self.looked = False
        """A card was left out of a stack that looks at the deck."""
        self._numbers: dict[object, int] = {}
        self._stacks: dict[tuple[int, int, Stack | None, bool], Stack] = {}
        self.cards: list[Card] = []
        """A card of each class."""
        self.looks: list[bool] = []
        """By class: it looks at the deck."""
        self.prompt: list[bool] = []
        """By class: nothing but the end of the race keeps it from being done."""
        self.waits: list[bool] = []
        """By class: it is done on the turn after that."""
        self.ready: list[bool] = []
        """By class: nothing but the end of the race keeps it from being done on the turn that it takes effect on."""
        self._moved: list[int] = []
        self._farthest: dict[int, tuple[list[int], int, int]] = {}
        """By speed: how far each class goes at most, its second step included, and any, and how far the end of a turn
        leads."""
        self.spaces: list[int] = []
        """By class: how far forward it goes at most, where the race may end by it."""
        self.second: list[int] = []
        """By class: the first one whose second step does the same."""
        self._steps: dict[object, int] = {}
        self.acts: list[bool] = []
        """By class: it does anything once it is paid for, or while it waits."""
        self._first: dict[object, int] = {}
        self.effect: list[int] = []
        """For each class the first one that takes effect alike; once it is paid for, nothing else counts."""
        deck = [rulings.cards[name] for name in table.players[seat].deck]
        self._seconds = sum(map(carried.waits, deck))
        """Cards of the deck that wait for a second step."""
        self._forward = [*accumulate(sorted(map(self.reach.moved, deck), reverse=True), initial=0)]
        """How far forward so many cards of the deck go at most."""
        self._class = [self.number(name) for name in scope.kinds]
        self._classes = len(self.cards)

    def number(self, name: str) -> int:
        """Return the class of a card."""
        card = self._rulings.cards[name]
        carried = self._carried
        acts, looks = carried.acts(card), carried.looks(card)
        facts = self._scope.alike.facts(card) if acts else None
        lowers = card.type if card.type in LOWERED_ON_TABLE else ""
        named = card.id if card.type == "food" and carried.reads else ""
        key = (card.energy, card.health, card.risk, facts, lowers, named, looks)
        number = self._numbers.setdefault(key, len(self.cards))
        if number == len(self.cards):
            self.cards.append(card)
            self.looks.append(looks)
            self.prompt.append(carried.prompt(card))
            self.waits.append(carried.waits(card))
            self.spaces.append(self.reach.of(card))
            self.ready.append(self.prompt[-1] and not self.waits[-1])
            self._moved.append(self.reach.moved(card))
            self.second.append(self._steps.setdefault(_second(card), number))
            self.acts.append(acts)
            self.effect.append(self._first.setdefault(facts, number))
        return number

    def pool(self, copies: Sequence[int]) -> tuple[int, ...]:
        """Return the copies of each class, of those of each kind."""
        found = [0] * self._classes
        for number, each in zip(self._class, copies, strict=True):
            found[number] += each
        return tuple(found)

    def stack(self, need: int, number: int, below: Stack | None, *, fresh: bool = False) -> Stack:
        """Return a stack."""
        key = (need, number, below, fresh)
        found = self._stacks.get(key)
        if found is None:
            doubling = below.doubling if below is not None else ()
            name = self._root if below is None else self.cards[number].id
            if name in self._carried.doubling:
                doubling = tuple(sorted({*doubling, name}))
            found = self._stacks[key] = Stack(need, number, below, doubling, fresh=fresh)
            if below is None:
                found.ripe = need == 1
            elif need == 1 and below.ripe and self.prompt[number]:
                found.ripe, found.seconds = True, below.seconds + self.waits[number]
                at_rest, moves = self.reach.moves(self.cards[number])
                found.spaces, found.moves = below.spaces + at_rest, below.moves + moves
                found.faster = below.faster + self.reach.faster(self.cards[number].id)
        return found

    def pushed(
        self, stack: Stack, need: int, number: int, numbers: Numbers, box: list[int], *, fresh: bool = False
    ) -> Stack:
        """Return the stack with one more card that waits, in the form that the module describes; narrow the box.

        ``fresh``: its first risk card is drawn.
        """
        if fresh:
            return self.stack(need, self.effect[number], stack, fresh=True)
        if stack.last and self.prompt[number]:
            hidden = self._hidden(stack, number, numbers, box)
            if hidden is not None:
                return self.stack(need, ROOT - hidden, None)
        if not self.acts[number]:
            self.looked |= self.looks[number]
            return self.stack(stack.need + need - 1, stack.number, stack.below)
        number = self.effect[number]
        if stack.need == 1 and stack.below is not None and self._roomy:
            both = self.cards[stack.number].type == self.cards[number].type == "dog"
            if both and number < stack.number:
                return self.stack(need, stack.number, self.stack(1, number, stack.below))
        return self.stack(need, number, stack)

    def counts(self, stack: Stack, number: int) -> bool:
        """Return whether what waits with one more card depends on how many cards the deck has."""
        return stack.last and self.prompt[number] and self.spaces[number] > 0

    def far(self, stack: Stack, dogs: tuple[Dog, ...], number: int | None = None) -> int:
        """Return how many spaces lead up to the turn on which the root of a ripe stack comes through, at most.

        That is with a card of some class, or else of any.
        """
        speed = self.reach.fastest(dogs, stack.faster)
        known = self._farthest.get(speed)
        if known is None:
            turn = self.reach.turn_at(speed)
            far = [
                self.reach.moved(card, speed) + turn * waits for card, waits in zip(self.cards, self.waits, strict=True)
            ]
            known = self._farthest[speed] = far, max(far, default=0), turn
        each, most, turn = known
        more = most if number is None else each[number]
        return stack.hidden + stack.spaces + stack.moves * speed + more + turn * stack.seconds

    def at_once(self, stack: Stack) -> bool:
        """Return whether all that waits in a ripe stack is done on the same turn as a card that is ready, for sure."""
        return stack.ripe and not stack.seconds and not stack.hidden and not self.reach.ends

    def through(self, stack: Stack, number: int, pos: int, box: list[int]) -> bool:
        """Return whether the root comes through for sure as soon as a card takes effect; narrow the box."""
        if not stack.last or not self.prompt[number] or (self.waits[number] and not self.hides):
            return False
        spaces = self._after(stack, number) or self.spaces[number]
        return not spaces or self.reach.before_finish(spaces, pos, box)

    def until(self, gives: int, stack: Stack) -> tuple[int, ...]:
        """Return how far too few cards are lost for sure, by how many of those that a stack needs the deck has.

        ``gives`` is the first place where a leg gives cards back at the end of a turn. From no farther than is told,
        nobody comes there before the deck is empty: so it is given no cards but those that were looked at, and never
        has as many as the stack needs. Until then each turn turns a card over (R31, R33) or is that of a second step
        (R40), of a card that was turned over or waits. Only these go forward by their effects (R44), and each turn may
        at its end (R47); what was left out above the root takes effect after all that the root needs.
        """
        seconds = spaces = 0
        each = stack
        while each.below is not None:
            seconds += self.waits[each.number]
            if each.need > 0:
                spaces += self._moved[each.number]
            each = each.below
        found: list[int] = []
        for cards in range(max(0, -1 - stack.need), stack.needed):
            turns = cards + seconds + min(cards, self._seconds)
            forward = spaces + self._forward[min(cards, len(self._forward) - 1)] + turns * self.reach.turn
            found.append(gives - 1 - forward)
        return tuple(found)

    def _after(self, stack: Stack, number: int) -> int:
        """Return how many spaces lead up to the last turn when a card takes effect above the root.

        There are none if it is this turn: a race that does not end at once goes on to the end of the turn (R69).
        """
        if not stack.hidden and not self.waits[number]:
            return 0
        return stack.hidden + self._moved[number] + (max(1, self.reach.turn) if self.waits[number] else 0)

    def _hidden(self, stack: Stack, number: int, numbers: Numbers, box: list[int]) -> int | None:
        """Return how many spaces lead up to the last turn with a card left out, nothing if it may not be left out."""
        if self.spaces[number] and not self.reach.never(self.spaces[number], numbers, box):
            return None
        if self.waits[number] and not self.hides:
            return None
        hidden = self._after(stack, number)
        if hidden and not self.reach.before_finish(hidden + SPARE, numbers.pos, box):
            return None
        return hidden


def _second(card: Card) -> object:
    """Return what a second step does; cards that were looked at only go back into the deck (R40)."""
    effect = next((effect for effect in card.instant if effect.op in SECOND_OPS), None)
    if effect is None or effect.op == "destroy_next":
        return effect and effect.op
    return card.type, repr(effect.args["n"])
