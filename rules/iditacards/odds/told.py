"""What follows each card of a trace, and its nodes: both whatever is known of hand and pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import factorial

from rules.core.ventures import OutOfReach
from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.odds.going import Following
from rules.iditacards.odds.hands import PAY, Bounds, NotFollowed, Outcome, Pool, Seen, Trace, more_of
from rules.iditacards.odds.numbers import EVERYTHING, Left, Numbers
from rules.iditacards.odds.onward import Onwards
from rules.iditacards.odds.open import OpenBoards
from rules.iditacards.odds.orders import DRAW, EMPTY_HAND, READING, SHED, SIFT, Orders, Way
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.seeing import Seeing
from rules.iditacards.odds.sides import SeenSides
from rules.iditacards.odds.sites import anywhere
from rules.iditacards.odds.sums import Node, SeenNode, merged
from rules.iditacards.odds.traces import PILED, SORTED, TAKEN, PiledBoards, PiledEffects, Traced, TracedWaiting, Unpiled
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import Stack
from rules.iditacards.state import in_play


class Telling(Seeing):
    """What follows in one venture in which the whole pile may go back into the deck.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    carries = Traced
    boards = OpenBoards
    effects = Unpiled
    classes = TracedWaiting
    sums = SeenSides
    _carried: Traced
    _sums: SeenSides

    def __init__(self, ventures: RiskCards, begin: str | None, alive: Callable[[], bool], *, free: bool) -> None:
        game, table, seat = ventures.game, ventures.table, ventures.seat
        rulings = game.rulings
        player = table.players[seat]
        hand = list(player.hand)
        if begin is not None:
            hand.remove(begin)
        if (
            begin is None
            or rulings.options["resolved_risk_zone"] != "stay_until_root"
            or rulings.heal_rest == "hand"
            or rulings.take_from != "supply"
            or rulings.options["supply_deck"] == "any_mix"
            or rulings.options["take_amount"] == "exact"
            or rulings.options["upgrade_refresh"]
            or rulings.upgrade_open
            or rulings.board.damage
            or not rulings.damage_ids.isdisjoint((*hand, *player.deck, *player.discard))
        ):
            raise OutOfReach
        own = tuple(sorted((*player.deck, *hand, *player.discard)))
        players = list(table.players)
        joining = (*player.legendary, *in_play(player.dogs))
        takable = {card for deck in (*table.upgrade, table.supply) for card in deck}
        more = more_of(rulings.cards, own, joining, takable)
        players[seat] = player._replace(deck=tuple(sorted((*own, *more))), hand=(begin,), discard=())
        whole = RiskCards(game, table._replace(players=tuple(players)), seat)
        whole.decks = ventures.decks
        others = sorted({*player.legendary, *table.supply, *(card for deck in table.upgrade for card in deck)})
        scope = Scope(
            rulings, whole.table, seat, begin, recovers=True, bounds=True, named=True, also=others, again=others
        )
        super().__init__(whole, scope, alive, free=free or scope.free_seeing)
        self._waiting.hides = False
        self._unsure = self._sums.unsure(self._sums.lost, self._sums.through)
        if self._carried.brings_back:
            self._sites.until = anywhere
        self._real = ventures
        self._piled = PiledBoards(whole, scope, self._carried)
        self._effects = PiledEffects(self._piled, self._carried, len(own) + len(joining) + 1)
        self._traces = Onwards(self._piled, self._effects, self._waiting, partial(scope.watch, over=False), ask=True)
        number = self._waiting.number
        self._hand = tuple(sorted(map(number, hand)))
        self._pile = tuple(sorted(map(number, player.discard)))
        for name in (*table.players[seat].legendary, *(card.id for card in scope.in_play)):
            number(name)
        self._upgrades = [Counter(map(number, deck)) for deck in table.upgrade]
        self._supply = tuple(sorted(map(number, table.supply)))
        self._deck = tuple(sorted(map(number, player.deck)))
        cards = self._waiting.cards
        self._ranks = [(card.risk, 99 if card.energy is None else card.energy) for card in cards]
        """By class: who pays the cheapest cards pays those first of which this is least."""
        self._values: dict[tuple[Trace, Pool, Seen], Bounds] = {}
        self._outcomes: dict[tuple[Trace, int], Outcome | None] = {}
        self._asked_of: dict[int, dict[Trace, Outcome | None]] = {}
        """What was asked of cards that the player does not own."""
        self._seen: dict[Node, bool] = {}
        self._worths: dict[tuple[Node, Pool], Fraction] = {}

    def _land(self, way: Way, stack: Stack, aside: bool, numbers: Numbers, box: list[int], nodes: Following) -> None:
        if way.lost or all(order not in READING for order, _ in way.orders):
            super()._land(way, stack, aside, numbers, box, nodes)
            return
        self._watch(numbers.pos + way.by, over=False)
        nodes.append(self._unsure)

    def _outcome(self, trace: Trace, number: int) -> Outcome | None:
        """Return what follows a class of cards that is turned over; nothing where that is not carried."""
        key = (trace, number)
        if key not in self._outcomes:
            self._outcomes[key] = None
            with suppress(NotFollowed, OutOfReach):
                self._outcomes[key] = self._turned(trace, number)
        return self._outcomes[key]

    def _left_of(self, pool: Sequence[int]) -> Left:
        """Return the copies of all classes of risk cards, packed, where so many cards of each class may come up."""
        return 1 + sum(copies * copy for copies, copy in zip(pool, self._copy, strict=False))

    def _turned(self, trace: Trace, number: int) -> Outcome:
        boards, waiting, stack, pos = self._piled, self._waiting, trace.stack, trace.pos
        price = boards.price(trace.board, pos, waiting.cards[number])[2]
        energy = trace.hand if price.energy == ALL_USABLE else price.energy
        if trace.hand < energy or trace.deck < 1 + price.health:
            return False
        box: list[int] = [*EVERYTHING]
        paid: Orders = ((PAY, energy), (SHED, price.health))
        if price.need:
            if price.fizzles:
                return False
            if boards.draws_first(price.board):
                raise NotFollowed("draws first")
            hand, deck = trace.hand - energy, trace.deck - 1 - price.health
            pushed = waiting.pushed(stack, price.need, number, Numbers((hand, deck), hand, deck, pos, 1), box)
            return self._ended(paid, price.board, pushed, pos)
        if waiting.through(stack, number, pos, box):
            return True
        ways: list[tuple[Orders, int, Stack, int]] = []
        for way, below, aside, _ in self._traces.played(price.board, number, stack, pos)[2]:
            if way.lost:
                continue
            if below is None:
                return True
            if aside:
                raise NotFollowed("aside")
            ways.append((paid + way.orders, way.board, below, pos + way.by))
        return tuple(ways)

    def _ended(self, orders: Orders, board: int, stack: Stack, pos: int) -> tuple[tuple[Orders, int, Stack, int], ...]:
        ends = self._piled.ended(board, pos)[2]
        return tuple((orders + way.orders, way.board, stack, pos + way.by) for way in ends if not way.lost)

    def _counted(self, trace: Trace, order: int, n: int) -> Trace:
        """Return a trace once an order is carried out that moves cards which nobody looks at."""
        if order == PAY:
            return trace._replace(hand=trace.hand - n, pile=trace.pile + n)
        if order == DRAW:
            n = min(n, trace.deck)
            return trace._replace(hand=trace.hand + n, deck=trace.deck - n)
        if order == SHED:
            n = min(n, trace.deck)
            return trace._replace(deck=trace.deck - n, pile=trace.pile + n)
        if order == EMPTY_HAND:
            return trace._replace(hand=0)
        if order == PILED:
            return trace._replace(pile=trace.pile + len(self._piled.piled(n)))
        raise NotFollowed(f"order {order}")

    def _taken_off(self, trace: Trace, number: int) -> Trace:
        """Return a trace without a card that is turned over."""
        copy = self._copy[number] if number < len(self._pool) else 0
        return trace._replace(deck=trace.deck - 1, left=trace.left - copy)

    def _noted(self, trace: Trace, orders: Orders) -> Node:
        """Return the node of what follows some orders where nothing reads the pile."""
        kept: list[tuple[int, int]] = []
        for order, n in orders:
            if order in READING:
                return self._unsure
            if order == SORTED:
                kept.append((SIFT, self._effects.numbers[n][1]))
            elif order == PAY:
                trace = self._counted(trace, order, n)
            elif order not in (PILED, TAKEN):
                kept.append((order, n))
        way = Way(tuple(kept), self._numbered(trace.board), 0)
        numbers = Numbers((trace.hand, trace.deck), trace.hand, trace.deck, trace.pos, trace.left)
        return self._ordered(way, trace.stack, -1, numbers, [*EVERYTHING])

    def _numbered(self, number: int) -> int:
        board, start = self._piled.board(number), self._boards.board(self._boards.start)
        return self._boards.number(board._replace(legendary=start.legendary, passed=start.passed))

    def _worth(self, node: Node, pool: Pool) -> Fraction:
        if node is self._sums.lost or node is self._sums.through:
            return Fraction(node is self._sums.through)
        pool = merged(node, pool[: len(self._pool)])
        key = (node, pool)
        known = self._worths.get(key)
        if known is None:
            size = sum(pool)
            if self._sees(node):
                known = self._sums.surely(node, pool, size)
            else:
                known = Fraction(self._sums.value(node, pool, size), factorial(size))
            self._worths[key] = known
        return known

    def _sees(self, node: Node) -> bool:
        found = self._seen.get(node)
        if found is None:
            found = isinstance(node, SeenNode) or any(map(self._sees, (*node.kinds, *node.best)))
            self._seen[node] = found
        return found
