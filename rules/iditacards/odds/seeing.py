"""The greatest chance of a risk card, by numbers of cards.

As ``odds.going``, for a player who uses all that was drawn or looked at: looks at the deck are nodes of their own, and
where a choice is left whose ways do not cover each other (``odds.seen``), how many cards the deck has at that moment
counts, so the box holds for that number alone.

A card more in the deck may be worse for somebody who knows the rest: of one card everything is known, of two it is not
known which comes first. So two numbers of cards with the same node say nothing about those between. What is lost for
every order of the deck is so with fewer cards, too, and what comes through in every order by what a player can do who
sees nothing does so with more.

The form gives up where a choice is left on a turn on which cards leave the deck by an effect, since pieces of a turn do
not tell whether it comes before that or after it.
"""

from __future__ import annotations

from typing import Final

from rules.core.ventures import OutOfReach
from rules.iditacards.odds.fewer import Fewer
from rules.iditacards.odds.going import Following, GoingOn
from rules.iditacards.odds.numbers import Left, Numbers, met, ordered
from rules.iditacards.odds.orders import ASIDE, DRAW, KEEP, SHED, SIFT, Way
from rules.iditacards.odds.seen import SeenSums
from rules.iditacards.odds.sites import Held, Site
from rules.iditacards.odds.sums import Node, SeenNode
from rules.iditacards.odds.waiting import Stack

LEAVE: Final = frozenset({DRAW, SHED, KEEP, SIFT, ASIDE})
"""Orders by which cards leave the deck."""


class Seeing(GoingOn):
    """One venture of somebody who uses what was seen.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    sees = True
    covering = True
    """Ways that others cover are left out; else they are kept, as a control."""
    sums: type[SeenSums] = SeenSums
    _sums: SeenSums
    _cut: Fewer | None = None

    def _summed(self) -> SeenSums:
        deck = len(self._ventures.table.players[self._ventures.seat].deck)
        decks = self._ventures.decks
        return self.sums(len(self._cards), deck, self._alive, covering=self.covering, decks=decks)

    def _found(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Held:
        """Return what is known of a spot with as many copies left or more, or look into it."""
        outs = self._outs
        for held in site.of_deck(deck):
            a, b, _, _, e, f, out = held.box
            if a <= hand <= b and e <= pos <= f:
                if out and (held.left | outs) - left & out != out:
                    continue
                same = held if held.left == left else self._fewer(held, left)
                if same is not None:
                    return same
        found = self._asked(site, hand, deck, pos, left)
        site.hold(found)
        return found

    def _fewer(self, held: Held, left: Left) -> Held | None:
        """Return what is known of a spot with other copies left: two nodes worth the same would be a choice."""
        if self._cut is None:
            self._cut = Fewer(self._sums, self._bits)
        out = self._cut.out(held.node, left)
        return held if not out else Held(self._cut.node(held.node, left), (*held.box[:6], held.box[6] | out), left)

    def _choice(self, nodes: Following, below: int, box: list[int], deck: int) -> Node:
        """Return what follows from a choice; a negative number below: some cards are set aside."""
        if len(nodes) == 1:
            node = nodes[0]
        else:
            node = self._sums.choice(nodes, below)
        if isinstance(node, SeenNode) and not node.backs:
            if (nodes.drawn or below < 0) and node not in nodes:
                raise OutOfReach
            box[2] = box[3] = deck
        return node

    def _second(self, board: int, top: int, aside: int, stack: Stack, numbers: Numbers, box: list[int]) -> Node:
        """Return what follows the second step of a card (R40), for all that may go back into the deck."""
        if not aside:
            return super()._second(board, top, aside, stack, numbers, box)
        held, deck = numbers.before
        box[2] = box[3] = deck
        outcomes = self._onwards.second(board, top, stack, numbers.pos)
        ways: list[tuple[int, Node]] = []
        for back in range(aside + 1):
            kept = aside - back if self._carried.keeps else 0
            after = Numbers(numbers.before, held + kept, deck + back, numbers.pos, numbers.left)
            nodes = Following()
            self._play(outcomes, after, box, nodes)
            ways.append((back, self._choice(nodes, after.deck, box, deck)))
        return self._sums.look(aside, deck, ways)

    def _land(self, way: Way, stack: Stack, aside: bool, numbers: Numbers, box: list[int], nodes: Following) -> None:
        """Add what follows from the start of the next turn; looks on the way are nodes."""
        orders, board, by, lost, over, _, _ = way
        before, hand, deck, pos, left = numbers
        self._watch(pos + by, over=lost and over)
        if lost:
            return
        if not orders and not aside:
            node, inner, _ = self._at(self._sites.at(board, stack), hand, deck, pos + by, left)
            nodes.append(node)
            met(box, inner, hand - before[0], deck - before[1], by)
            return
        nodes.drawn |= any(order in LEAVE for order, _ in orders)
        nodes.append(self._ordered(way, stack, 0 if aside else -1, numbers, box))

    def _ordered(self, way: Way, stack: Stack, apart: int, numbers: Numbers, box: list[int]) -> Node:
        """Return what follows once the orders are carried out; so many cards are set aside, negative where none can."""
        before, hand, deck, pos, left = numbers
        for place, (order, printed) in enumerate(way.orders):
            hand, deck, n = ordered(order, printed, before, hand, deck, box)
            if order == ASIDE:
                apart += n
            elif order in (KEEP, SIFT) and n:
                box[2] = box[3] = before[1]
                rest = way._replace(orders=way.orders[place + 1 :])
                ways: list[tuple[int, Node]] = []
                for back in range(n + 1):
                    held = hand + n - back if order == KEEP else hand
                    after = Numbers(before, held, deck + back, pos, left)
                    ways.append((back, self._ordered(rest, stack, apart, after, box)))
                return self._sums.look(n, deck, ways)
        waiting = stack if apart < 0 else self._waiting.stack(-1 - apart, stack.number, stack.below)
        node, inner, _ = self._at(self._sites.at(way.board, waiting), hand, deck, pos + way.by, left)
        met(box, inner, hand - before[0], deck - before[1], way.by)
        return node
