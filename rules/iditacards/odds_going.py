"""The greatest chance of who goes on and uses nothing that was drawn or looked at, by numbers of cards.

A *spot* is the start of a turn: a board, what waits, how many cards there are in hand and deck, a place, and how many
copies of each class of risk cards have not been turned over. From there every class of cards that may come next is
played with the pieces of ``odds_boards`` and ``odds_effects``, whose orders are carried out on the numbers. What
follows is the same for a *box* of hands, decks and places: for all that answer every question asked on the way alike.

Equal spots are one *node*, by what follows for each class, so there are few of them, and the orders of the pool in
which the venture comes through are added up over nodes, as ``odds_blind`` does, classes that are alike from there on
counted together.

What waits is written down so that equal prospects are equal:

- A card that does nothing when it resolves only makes the one below wait longer: if it needs r cards and the one below
  k, the one below takes effect after r + k - 1 cards, and nothing happens in between but that cards are counted (R31).
- Where a card needs one more card, it takes effect at once after the one above it. Two dogs that come into play one
  right after the other do so in either order, as long as there is room for all (R50).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.content import Card
from rules.iditacards.odds_boards import Boards
from rules.iditacards.odds_counts import EVERYWHERE, WITHOUT_END, Box, meet
from rules.iditacards.odds_counts import before as shifted
from rules.iditacards.odds_effects import Effects
from rules.iditacards.odds_orders import ALL_USABLE, ASIDE, DRAW, EMPTY_HAND, GAIN, KEEP, Carried, Orders, Way
from rules.iditacards.odds_scope import Scope
from rules.iditacards.odds_sums import Node, Sums
from rules.iditacards.venture import RiskCards

ROOT: Final = -1
"""The card that the venture is about; it has come through when it begins to take effect."""

Stack = tuple[tuple[int, int], ...]
"""Cards that wait, bottom first: cards still needed, and the class. A card that waits for its second step needs
``-1 - n`` where n cards are set aside."""
Left = tuple[int, ...]
ENOUGH: Final = WITHOUT_END // 2
"""Beyond any number of cards."""


class Held(NamedTuple):
    """A node with the hands, decks and places that lead to it."""

    node: Node
    box: Box


class Onward(NamedTuple):
    """One way on after a card is done: the stack afterwards, none if the root has come through."""

    way: Way
    stack: Stack | None
    aside: bool
    """The top card has gone to its second step."""


class GoingOn:
    """One venture.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    def __init__(self, ventures: RiskCards, scope: Scope, alive: Callable[[], bool], *, free: bool) -> None:
        """``free`` opens free actions before each turn."""
        if not scope.stack_apart:
            raise OutOfReach
        self._scope = scope
        self._alive = alive
        self._free = free
        self._ventures = ventures
        self._rulings = ventures.game.rulings
        self._carried = Carried(self._rulings, ventures.table, ventures.seat, scope)
        self._boards = Boards(ventures, scope, self._carried)
        self._effects = Effects(self._boards, self._carried, len(ventures.table.players[ventures.seat].deck))
        cards = self._rulings.cards
        self._roomy = self._has_room()
        classes: dict[object, int] = {}
        self._cards: list[Card] = []
        self._class = [0] * len(scope.kinds)
        for kind, name in enumerate(scope.kinds):
            key = self._signature(cards[name])
            number = classes.setdefault(key, len(self._cards))
            if number == len(self._cards):
                self._cards.append(cards[name])
            self._class[kind] = number
        self._acts = [self._carried.acts(card) for card in self._cards]
        self._looks = [self._carried.looks(card) for card in self._cards]
        self._everyone = tuple(range(len(self._cards)))
        self._sums = Sums(len(self._cards))
        self._known: dict[tuple[int, Stack, Left], list[Held]] = {}
        self._onwards: dict[tuple[int, Stack], list[tuple[int, int, list[Onward]]]] = {}
        self._ends: dict[int, tuple[int, int, bool]] = {}
        self._looked = 0

    @property
    def chose(self) -> bool:
        """Whether somebody who uses what is seen may do better: something was decided or looked at."""
        return self._sums.chose

    def _has_room(self) -> bool:
        """Return whether all dogs that may come into play fit (R50)."""
        player = self._ventures.table.players[self._ventures.seat]
        names = [*player.deck, *(dog.dog for dog in player.dogs), *(frame.card for frame in player.stack)]
        counts = self._rulings.counts_as
        dogs = [name for name in names if self._rulings.cards[name].type == "dog"]
        return sum(counts.get(dog, 1) for dog in dogs) <= self._rulings.dog_limit

    def _signature(self, card: Card) -> object:
        """Return all that tells what a card costs and does; equal cards are one class."""
        costs = (card.energy, card.health, card.risk)
        if self._carried.acts(card):
            return costs, self._scope.alike.facts(card)
        lowers = card.type if card.type in ("food", "personal") else ""
        named = card.id if card.type == "food" and self._carried.reads else ""
        return costs, lowers, named, self._carried.looks(card)

    def chance(self) -> Fraction:
        """Return the chance."""
        scope, boards = self._scope, self._boards
        player = self._ventures.table.players[self._ventures.seat]
        pool = [0] * len(self._cards)
        for kind, copies in enumerate(scope.pool):
            pool[self._class[kind]] += copies
        left = tuple(copies if card.risk else 0 for copies, card in zip(pool, self._cards, strict=True))
        hand, deck, pos = len(player.hand), len(player.deck), player.pos
        if scope.begin is None:
            frames = list(player.stack)
            stack: Stack = ((frames[0].need - frames[0].paid, ROOT),)
            for frame in frames[1:]:
                stack = self._pushed(stack, frame.need - frame.paid, self._class_of(frame.card))
            _, _, ways = boards.began(boards.start, pos)
            way = ways[0]
            node = self._spot(way.board, stack, hand, deck, pos, left).node
        else:
            node = self._begun(self._rulings.cards[scope.begin], hand - 1, deck, pos, left)
        return Fraction(self._sums.value(node, tuple(pool), deck), factorial(deck))

    def _class_of(self, name: str) -> int:
        """Return the class of a card that waits already."""
        card = self._rulings.cards[name]
        key = self._signature(card)
        for number, other in enumerate(self._cards):
            if self._signature(other) == key:
                return number
        self._cards.append(card)
        self._acts.append(self._carried.acts(card))
        self._looks.append(self._carried.looks(card))
        return len(self._cards) - 1

    def _begun(self, card: Card, hand: int, deck: int, pos: int, left: Left) -> Node:
        """Return what follows when a hand card is begun."""
        boards = self._boards
        nodes: list[Node] = []
        _, _, starts = boards.began(boards.start, pos)
        for start in starts:
            free = boards.free(start.board, pos)[2] if self._free else (Way((), start.board, 0),)
            for before in free:
                held = hand + sum(n for _, n in before.orders)
                _, _, price = boards.price(before.board, pos, card)
                energy = held if price.energy == ALL_USABLE else price.energy
                if held < energy or deck < price.health:
                    continue
                if price.need == 0:
                    return self._sums.through
                if price.fizzles:
                    continue
                stack: Stack = ((price.need, ROOT),)
                _, _, ways = boards.ended(price.board, pos)
                onwards = [Onward(way, stack, False) for way in ways]
                box = [*EVERYWHERE]
                after = self._after(onwards, (held, deck), held - energy, deck - price.health, pos, left, box)
                nodes.append(after)
        return self._sums.best(nodes)

    # Spots

    def _spot(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left) -> Held:
        entries = self._known.setdefault((board, stack, left), [])
        for held in entries:
            a, b, c, d, e, f = held.box
            if a <= hand <= b and c <= deck <= d and e <= pos <= f:
                return held
        if not self._looked & 15 and not self._alive():
            raise OutOfReach
        self._looked += 1
        found = self._looked_into(board, stack, hand, deck, pos, left)
        entries.append(found)
        return found

    def _looked_into(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left) -> Held:
        box: list[int] = [*EVERYWHERE]
        aside = 0
        needed = sum(need - 1 for need, _ in stack)
        if stack[-1][0] < 0:
            aside = -1 - stack[-1][0]
            needed += aside + 1
        if stack[-1][0] >= 0:
            needed += 1
        if deck + aside < needed:
            box[3] = needed - aside - 1
            return Held(self._sums.lost, _box(box))
        box[2] = needed - aside
        if not self._free:
            return Held(self._turn(board, stack, hand, deck, pos, left, box), _box(box))
        low, high, ways = self._boards.free(board, pos)
        box[4], box[5] = max(box[4], low), min(box[5], high)
        nodes = []
        for way in ways:
            more = sum(n for _, n in way.orders)
            inner: list[int] = [*EVERYWHERE]
            nodes.append(self._turn(way.board, stack, hand + more, deck, pos, left, inner))
            box[:] = meet(_box(box), (inner[0] - more, inner[1] - more, *inner[2:]))  # type: ignore[arg-type] # six
        return Held(self._sums.best(nodes), _box(box))

    def _turn(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left, box: list[int]) -> Node:
        """Return what follows over all cards that may come next, and narrow the box."""
        boards = self._boards
        before = (hand, deck)
        need, top = stack[-1]
        if need < 0:
            deck += -1 - need  # what was set aside goes back
            low, high, ways = self._effects.second(board, pos, self._cards[top])
            onwards = self._joined(ways, stack[:-1], pos, box)
            return self._after(onwards, before, hand, deck, pos, left, box)
        ends = self._ends.get(pos)
        if ends is None:
            ends = self._ends[pos] = boards.ends_waiting(pos)
        _narrow(box, ends[0], ends[1])
        if ends[2]:
            return self._sums.lost
        found: list[Node] = []
        for number in self._everyone:
            card = self._cards[number]
            if card.risk and not left[number]:
                found.append(self._sums.lost)
                continue
            low, high, price = boards.price(board, pos, card)
            if low > box[4]:
                box[4] = low
            if high < box[5]:
                box[5] = high
            energy = price.energy
            if energy == ALL_USABLE:
                box[0] = box[1] = energy = hand
            elif energy > hand:
                if energy <= box[1]:
                    box[1] = energy - 1
                found.append(self._sums.lost)
                continue
            elif energy > box[0]:
                box[0] = energy
            health = price.health + 1
            if health > deck:
                if health <= box[3]:
                    box[3] = health - 1
                found.append(self._sums.lost)
                continue
            if health > box[2]:
                box[2] = health
            if price.need:
                if price.fizzles:
                    found.append(self._sums.lost)
                    continue
                fewer = (*left[:number], left[number] - 1, *left[number + 1 :])
                pushed = self._pushed(stack, price.need, number)
                low, high, ways = boards.ended(price.board, pos)
                onwards = [Onward(way, pushed, False) for way in ways]
                if low > box[4]:
                    box[4] = low
                if high < box[5]:
                    box[5] = high
            else:
                fewer = left
                low, high, ways = self._effects.resolved(price.board, pos, card)
                if low > box[4]:
                    box[4] = low
                if high < box[5]:
                    box[5] = high
                onwards = self._joined(ways, stack, pos, box, number)
                self._sums.chose |= self._looks[number]
            found.append(self._after(onwards, before, hand - energy, deck - health, pos, fewer, box))
        return self._sums.node(tuple(found))

    def _pushed(self, stack: Stack, need: int, number: int) -> Stack:
        """Return the stack with one more card that waits, in the form that the module describes."""
        below, waiting = stack[-1]
        if not self._acts[number]:
            self._sums.chose |= self._looks[number]
            return (*stack[:-1], (below + need - 1, waiting))
        if below == 1 and waiting != ROOT and self._roomy:
            both = self._cards[waiting].type == self._cards[number].type == "dog"
            if both and number < waiting:
                return (*stack[:-1], (below, number), (need, waiting))
        return (*stack, (need, number))

    # What follows a card

    def _joined(
        self, ways: tuple[Way, ...], stack: Stack, pos: int, box: list[int], number: int = ROOT
    ) -> list[Onward]:
        """Return what follows the ways in which a card takes effect above a stack."""
        found: list[Onward] = []
        for way in ways:
            if way.lost:
                found.append(Onward(way, stack, False))
            elif way.waits:
                waiting = (*stack, (-1, number))
                low, high, ends = self._boards.ended(way.board, pos + way.by)
                _narrow(box, low - way.by, high - way.by)
                found.extend(Onward(_after(way, end), waiting, True) for end in ends)
            else:
                low, high, onwards = self._completed(way.board, stack, pos + way.by)
                _narrow(box, low - way.by, high - way.by)
                if way.orders or way.by:
                    found.extend(onward._replace(way=_after(way, onward.way)) for onward in onwards)
                else:
                    found.extend(onwards)
        return found

    def _completed(self, board: int, stack: Stack, pos: int) -> tuple[int, int, list[Onward]]:
        """Return what follows when the card above a stack is done (R31, R38), up to the start of the next turn."""
        entries = self._onwards.setdefault((board, stack), [])
        for entry in entries:
            if entry[0] <= pos <= entry[1]:
                return entry
        need, number = stack[-1]
        below = stack[:-1]
        box: list[int] = [*EVERYWHERE]
        if need > 1:
            low, high, ways = self._boards.ended(board, pos)
            _narrow(box, low, high)
            found = [Onward(way, (*below, (need - 1, number)), False) for way in ways]
        elif number == ROOT:
            found = [Onward(Way((), board, 0), None, False)]
        else:
            low, high, ways = self._effects.resolved(board, pos, self._cards[number])
            _narrow(box, low, high)
            self._sums.chose |= self._looks[number]
            found = self._joined(ways, below, pos, box, number)
        entry = (box[4], box[5], found)
        entries.append(entry)
        return entry

    def _after(
        self, onwards: list[Onward], before: tuple[int, int], hand: int, deck: int, pos: int, left: Left, box: list[int]
    ) -> Node:
        """Return the best of what follows with so many cards, and narrow the box, which is of the cards ``before``."""
        nodes: list[Node] = []
        for way, stack, aside in onwards:
            if way.lost:
                self._scope.watch(pos + way.by, over=True)
                continue
            if stack is None:
                return self._sums.through
            self._scope.watch(pos + way.by, over=False)
            for held, hidden, apart in self._dealt(way.orders, before, hand, deck, box):
                reached = (*stack[:-1], (-1 - apart, stack[-1][1])) if aside else stack
                node, inner = self._spot(way.board, reached, held, hidden, pos + way.by, left)
                nodes.append(node)
                box[:] = meet(_box(box), shifted(inner, held - before[0], hidden - before[1], way.by))
                if inner[1] > ENOUGH:
                    break  # more cards in the hand, and no more in the deck, can be no better
        return nodes[0] if len(nodes) == 1 else self._sums.best(nodes)

    def _dealt(
        self, orders: Orders, before: tuple[int, int], hand: int, deck: int, box: list[int]
    ) -> list[tuple[int, int, int]]:
        """Carry orders out: return cards in hand, in the deck and set aside, for every choice, fewest in hand first."""
        aside = 0
        for place, (order, n) in enumerate(orders):
            if order == GAIN:
                hand += n
                continue
            if order == EMPTY_HAND:
                box[0] = box[1] = before[0]
                hand = 0
                continue
            if deck < n:
                n = deck
                box[2] = box[3] = before[1]
            else:
                box[2] = max(box[2], n + before[1] - deck)
            if order == KEEP:
                rest = orders[place + 1 :]
                kept = [self._dealt(rest, before, hand + k, deck - k, box) for k in range(n + 1)]
                return [(held, hidden, aside + more) for each in kept for held, hidden, more in each]
            deck -= n
            if order == DRAW:
                hand += n
            elif order == ASIDE:
                aside += n
        return [(hand, deck, aside)]


def _after(one: Way, other: Way) -> Way:
    return other._replace(orders=(*one.orders, *other.orders), by=one.by + other.by)


def _narrow(box: list[int], low: int, high: int) -> None:
    if low > box[4]:
        box[4] = low
    if high < box[5]:
        box[5] = high


def _box(box: list[int]) -> Box:
    a, b, c, d, e, f = box
    return a, b, c, d, e, f
