"""What follows cards that are taken back from the discard pile: to the hand, or on top of the deck (Q50).

A card in the hand pays, whichever it is. Of a card on top of the deck it counts which one it is only if it is turned
over: one that is drawn before that is as good as taken to the hand, but for one unknown card more that stays in the
deck. So where as many cards are drawn next as may be taken back, nothing but numbers counts, and how many are known to
lie in the discard pile (``odds.reserve``).

For the least, cards in reserve may be put on top: then it is known what is turned over next. For the most, whatever is
on top when a turn ends brings the card through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

from rules.core.ventures import OutOfReach
from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.odds.going import Following, GoingOn
from rules.iditacards.odds.numbers import EVERYTHING, RAN_OUT, Left, Numbers, met, ordered
from rules.iditacards.odds.open import OpenBoards, Opened, Recall
from rules.iditacards.odds.orders import DRAW, EMPTY_HAND, GAIN, KEEP, RECALL, SHED, SIFT, Orders, Way
from rules.iditacards.odds.reserve import Reserve
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.sides import Sides
from rules.iditacards.odds.sums import Node
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import Stack

PLAIN: Final = frozenset({DRAW, SHED, GAIN, EMPTY_HAND, KEEP, SIFT, RECALL})
"""Orders by which no card is set aside, and that do not bring the whole discard pile back."""
SOME: Final = -1
"""A card on top of the deck that is drawn before it is turned over."""
Tops = tuple[int, ...]
"""Classes of the cards on top of the deck that are known."""


class NotFollowed(Exception):
    """It is not worked out what follows."""


class Recalling(GoingOn):
    """One venture in which cards may be taken back."""

    carries = Opened
    boards = OpenBoards
    _carried: Opened
    _sums: Sides

    def __init__(self, ventures: RiskCards, scope: Scope, alive: Callable[[], bool], *, free: bool) -> None:
        super().__init__(ventures, scope, alive, free=free)
        self._reserve = Reserve(self._rulings, ventures.table, ventures.seat, scope.begin)
        self._known: dict[tuple[int, Stack, Tops, int, int, int, Left], tuple[Node, int] | None] = {}
        self._on_top: bool = self._rulings.options["recover_to"] == "top"
        options = self._rulings.options
        self._harmless = options["all_cost"] == "usable_hand" or options["recover_amount"] == "up_to"
        """Nobody is worse off for cards taken back."""
        self._classes = {name: self._waiting.number(name) for name in dict.fromkeys(scope.again)}

    def _forget(self) -> None:
        super()._forget()
        self._known.clear()

    def _chance(self) -> Fraction:
        self._known.clear()  # what is left out of stacks may be told again with nothing left out
        return super()._chance()

    def _recalled(self, way: Way, stack: Stack, numbers: Numbers, box: list[int]) -> Node:
        """Return what follows orders by which cards come back."""
        most = self._least_or_most(way, stack, 0, numbers, (), box, least=False)
        try:
            least = self._least_or_most(way, stack, 0, numbers, (), box, least=True)
        except NotFollowed:
            least = self._sums.lost
        return self._sums.unsure(least, most)

    def _least_or_most(
        self, way: Way, stack: Stack, place: int, numbers: Numbers, tops: Tops, box: list[int], *, least: bool
    ) -> Node:
        """Return what follows from an order on, with some known cards on top of the deck.

        Raises:
            NotFollowed: there is a look, or known cards are where that is not followed.
        """
        before, hand, deck, pos, left = numbers
        for there in range(place, len(way.orders)):
            order, n = way.orders[there]
            if order == RECALL:
                now = Numbers(before, hand, deck, pos, left)
                return self._taken(way, stack, there, now, tops, box, least=least)
            if order in (KEEP, SIFT):
                if tops and least:
                    raise NotFollowed
                if tops:
                    return self._sums.through
                hand, deck, looked = ordered(order, n, before, hand, deck, box)
                if looked:
                    box[2] = box[3] = before[1]
                    ways: list[tuple[int, Node]] = []
                    for back in range(looked + 1):
                        held = hand + looked - back if order == KEEP else hand
                        after = Numbers(before, held, deck + back, pos, left)
                        ways.append((back, self._least_or_most(way, stack, there + 1, after, (), box, least=least)))
                    return self._shown(looked, ways, Numbers(before, hand, deck, pos, left), box)
                continue
            if order in (DRAW, SHED) and tops:
                gone = tops[:n]
                if least and self._reserve.several and any(top != SOME for top in gone):
                    raise NotFollowed
                n, tops = n - len(gone), tops[len(gone) :]
                deck -= len(gone)
                hand += len(gone) if order == DRAW else 0
            if n or order in (GAIN, EMPTY_HAND):
                hand, deck, _ = ordered(order, n, before, hand, deck, box)
        reached = pos + way.by
        if not tops:
            node, inner, _ = self._spot(way.board, stack, hand, deck, reached, left)
            met(box, inner, hand - before[0], deck - before[1], way.by)
            return node
        if not least:
            return self._sums.through
        box[0] = box[1] = before[0]
        box[2] = box[3] = before[1]
        box[4] = box[5] = pos
        node, outs = self._topped(way.board, stack, tops, hand, deck, reached, left)
        box[RAN_OUT] |= outs
        return node

    def _shown(self, looked: int, ways: list[tuple[int, Node]], numbers: Numbers, box: list[int]) -> Node:
        """Return what follows a look at some cards above others, of which as many go back as a way says."""
        nodes = Following()
        nodes.extend(node for _, node in ways)
        return self._choice(nodes, numbers.deck, box, numbers.before[1])

    def _taken(
        self, way: Way, stack: Stack, place: int, numbers: Numbers, tops: Tops, box: list[int], *, least: bool
    ) -> Node:
        """Return what follows when cards are taken back, for the best of all choices."""
        recall = self._carried.recalls[way.orders[place][1]]
        if least and not self._harmless:
            return self._sums.lost
        if not least and not self._on_top:
            return self._sums.through
        nodes = Following()
        for gained, more in self._puts(recall, way.orders[place + 1 :], tops, least=least):
            after = numbers._replace(hand=numbers.hand + gained, deck=numbers.deck + len(more))
            try:
                nodes.append(self._least_or_most(way, stack, place + 1, after, more + tops, box, least=least))
            except (NotFollowed, OutOfReach):
                if not least or not self._alive():
                    raise
        if not nodes:
            raise NotFollowed
        return self._choice(nodes, numbers.deck - len(tops), box, numbers.before[1])

    def _puts(self, recall: Recall, orders: Orders, tops: Tops, *, least: bool) -> Iterator[tuple[int, Tops]]:
        """Yield how many cards may be taken to the hand and which ones put on top of the deck before some orders."""
        n = self._reserve.sure(recall, self._carried) if least else recall.n
        yield n, ()
        if not self._on_top or (least and any(top != SOME for top in tops)):
            return
        drawn = sum(number for order, number in orders if order == DRAW) - len(tops)
        for more in range(1, n + 1):
            if more <= drawn or not least:
                yield n - more, (SOME,) * more
        if not least or drawn > 0 or tops:
            return
        ready = [self._classes[name] for name in self._reserve.ready(recall, self._carried)][: recall.n]
        for more in range(1, len(ready) + 1):
            yield min(n, recall.n - more), tuple(ready[:more])

    # Known cards

    def _topped(
        self, board: int, stack: Stack, tops: Tops, hand: int, deck: int, pos: int, left: Left
    ) -> tuple[Node, int]:
        """Return what follows from the start of a turn with known cards on top, and the classes that ran out."""
        key = (board, stack, tops, hand, deck, pos, left)
        if key not in self._known:
            self._known[key] = None
            box: list[int] = [*EVERYTHING]
            nodes = Following()
            for before in self._boards.free(board, pos)[2] if self._free else (Way((), board, 0),):
                held = hand + sum(n for _, n in before.orders)
                self._turned_over(before.board, stack, tops, Numbers((held, deck), held, deck, pos, left), box, nodes)
            self._known[key] = self._choice(nodes, deck - len(tops), box, deck), box[RAN_OUT]
        found = self._known[key]
        if found is None:
            raise NotFollowed
        return found

    def _turned_over(
        self, board: int, stack: Stack, tops: Tops, numbers: Numbers, box: list[int], nodes: Following
    ) -> None:
        """Add what follows when the known card on top is turned over."""
        boards, waiting = self._boards, self._waiting
        before, hand, deck, pos, left = numbers
        number = tops[0]
        if number == SOME or stack.need < 0 or (stack.fresh and boards.draws_first(board)):
            raise NotFollowed
        price = boards.price(board, pos, waiting.cards[number])[2]
        energy = hand if price.energy == ALL_USABLE else price.energy
        if boards.ends_waiting(pos)[2] or hand < energy or deck <= price.health:
            return
        if price.need:
            raise NotFollowed
        if waiting.through(stack, number, pos, box):
            nodes.append(self._sums.through)
            return
        after = Numbers(before, hand - energy, deck - 1 - price.health, pos, left)
        rest = tops[1 + price.health :]
        for way, waits, aside, hidden in self._onwards.played(price.board, number, stack, pos)[2]:
            if waits is None and not way.lost:
                self._plans.in_time(way, pos, hidden, box)
                nodes.append(self._sums.through)
                continue
            self._watch(pos + way.by, over=way.lost and way.over)
            if way.lost:
                continue
            if waits is None or aside or not PLAIN.issuperset(order for order, _ in way.orders):
                raise NotFollowed
            nodes.drawn |= any(order in (DRAW, SHED) for order, _ in way.orders)
            nodes.append(self._least_or_most(way, waits, 0, after, rest, box, least=True))
