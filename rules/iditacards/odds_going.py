"""The greatest chance of who goes on and uses nothing that was drawn or looked at, by numbers of cards.

A *spot* is the start of a turn: a board, what waits, how many cards there are in hand and deck, a place, and how many
copies of each class of risk cards have not been turned over. From there every class of cards that may come next is
played with the pieces of ``odds_boards`` and ``odds_effects``, whose orders are carried out on the numbers. What
follows is the same for a *box* of hands, decks and places: for all that answer every question asked on the way alike.

Equal spots are one *node*, by what follows for each class, so there are few of them, and the orders of the pool in
which the venture comes through are added up over nodes, as ``odds_blind`` does, classes that are alike from there on
counted together.

More cards are never worse (``odds_orders``). So where all is lost it is with fewer, too; and if the same node follows
from two numbers of cards, whatever lies between is worth as much for every pool, and the node stands for it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.content import Card
from rules.iditacards.odds_boards import Boards
from rules.iditacards.odds_counts import EVERYWHERE, WITHOUT_END, Box
from rules.iditacards.odds_effects import Effects
from rules.iditacards.odds_numbers import Left, Numbers, boxed, dealt, met, narrow
from rules.iditacards.odds_onward import Onwards, Outcomes
from rules.iditacards.odds_orders import ALL_USABLE, Carried, Price, Way, holding
from rules.iditacards.odds_scope import Scope
from rules.iditacards.odds_sums import Node, Sums
from rules.iditacards.odds_waiting import ROOT, Stack, Waiting
from rules.iditacards.venture import RiskCards

ENOUGH: Final = WITHOUT_END // 2
"""Beyond any number of cards."""


class Held(NamedTuple):
    """A node with the hands, decks and places that lead to it."""

    node: Node
    box: Box


Menu = tuple[int, int, list[tuple[list[int], Price]]]
"""First and last place for which the classes and their price hold."""


class Following(list[Node]):
    """What may follow, of which the player chooses."""

    drawn = False
    """Cards have left the deck on one of the ways, so that the choice may have come before that or after it."""


class TooLate(OutOfReach):
    """The race may end before a card takes effect that was left out."""


class GoingOn:
    """One venture.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    sees = False
    """The player uses what was drawn or looked at."""
    asks = True
    """Who uses what was looked at decides on a turn of its own."""
    carries: type[Carried] = Carried
    boards: type[Boards] = Boards
    effects: type[Effects] = Effects

    def __init__(self, ventures: RiskCards, scope: Scope, alive: Callable[[], bool], *, free: bool) -> None:
        """``free`` opens free actions before each turn."""
        self._scope = scope
        self._alive = alive
        self._free = free
        self._ventures = ventures
        self._rulings = ventures.game.rulings
        self._carried = self.carries(self._rulings, ventures.table, ventures.seat, scope, free=free, sees=self.sees)
        self._boards = self.boards(ventures, scope, self._carried)
        effects = self.effects(self._boards, self._carried, len(ventures.table.players[ventures.seat].deck))
        self._waiting = waiting = Waiting(self._rulings, ventures.table, ventures.seat, scope, self._carried)
        self._last = waiting.stack(1, ROOT, None)
        watch = partial(scope.watch, over=False)
        self._onwards = Onwards(self._boards, effects, waiting, watch, ask=free or (self.sees and self.asks))
        self._cards = waiting.cards
        self._pool = waiting.pool(scope.pool)
        self._copy = [0] * len(self._pool)
        """By class: one copy of a risk card not turned over yet; the class has none left where its mask finds none."""
        self._mask = [-1] * len(self._pool)
        self._left = self._packed()
        self._every = range(len(self._pool))
        self._sums = self._summed()
        self._known: dict[tuple[int, Stack, Left], list[Held]] = {}
        self._met: dict[tuple[int, Stack, Left, int, int, int], Held] = {}
        self._menus: dict[int, list[Menu]] = {}
        self._watched: set[int] = set()
        self._looked = 0

    def _packed(self) -> Left:
        """Give every class of risk cards its bits, and return the copies of all of them."""
        left = 1  # so that a class without bits is never found to have run out
        place = 1
        for number, copies in enumerate(self._pool):
            if self._cards[number].risk:
                self._copy[number] = 1 << place
                self._mask[number] = (1 << copies.bit_length()) - 1 << place
                left |= copies << place
                place += copies.bit_length()
        return left

    def _summed(self) -> Sums:
        return Sums(len(self._cards))

    @property
    def chose(self) -> bool:
        """Whether somebody who uses what is seen may do better: something was decided or looked at."""
        return self._sums.chose or self._waiting.looked or self._onwards.looked

    def chance(self) -> Fraction:
        """Return the chance."""
        try:
            return self._chance()
        except TooLate:
            self._waiting.hides = False
            self._known.clear()
            self._met.clear()
            return self._chance()

    def _chance(self) -> Fraction:
        scope, boards = self._scope, self._boards
        player = self._ventures.table.players[self._ventures.seat]
        waiting = self._waiting
        left = self._left
        hand, deck, pos = len(player.hand), len(player.deck), player.pos
        if scope.begin is None:
            frames = list(player.stack)
            fresh = not frames[-1].paid and boards.draws_first(boards.start)
            stack = waiting.stack(frames[0].need - frames[0].paid, ROOT, None, fresh=fresh and len(frames) == 1)
            numbers = Numbers((hand, deck), hand, deck, pos, left)
            for frame in frames[1:]:
                number, need = waiting.number(frame.card), frame.need - frame.paid
                top = fresh and frame is frames[-1]
                stack = waiting.pushed(stack, need, number, numbers, [*EVERYWHERE], fresh=top)
            _, _, ways = boards.began(boards.start, pos)
            way = ways[0]
            node = self._spot(way.board, stack, hand, deck, pos, left).node
        else:
            node = self._begun(self._rulings.cards[scope.begin], hand - 1, deck, pos, left)
        return self._sums.chance(node, self._pool, deck)

    def _begun(self, card: Card, hand: int, deck: int, pos: int, left: Left) -> Node:
        """Return what follows when a hand card is begun."""
        boards = self._boards
        nodes = Following()
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
                numbers = Numbers((held, deck), held - energy, deck - price.health, pos, left)
                after = Following()
                root = self._waiting.stack(price.need, ROOT, None, fresh=boards.draws_first(price.board))
                for way in boards.ended(price.board, pos)[2]:
                    self._land(way, root, False, numbers, [*EVERYWHERE], after)
                nodes.append(self._choice(after, numbers.deck, [*EVERYWHERE], deck))
        return self._choice(nodes, deck, [*EVERYWHERE], deck)

    # Spots

    def _choice(self, nodes: Following, below: int, box: list[int], deck: int) -> Node:
        """Return what follows from a choice with so many cards in the deck; the box is of decks of ``deck`` cards."""
        return nodes[0] if len(nodes) == 1 else self._sums.best(nodes)

    def _spot(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left) -> Held:
        exactly = (board, stack, left, hand, deck, pos)
        held = self._met.get(exactly)
        if held is None:
            held = self._met[exactly] = self._found(board, stack, hand, deck, pos, left)
        return held

    def _found(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left) -> Held:
        """Return what is known of a spot like one, or look into it."""
        entries = self._known.setdefault((board, stack, left), [])
        below: dict[Node, Box] = {}
        above: dict[Node, Box] = {}
        for held in entries:
            node, box = held
            a, b, c, d, e, f = box
            if e <= pos <= f:
                if a <= hand and c <= deck:
                    if hand <= b and deck <= d:
                        return held
                    below[node] = box
                if hand <= b and deck <= d:
                    above[node] = box
        for node, box in below.items():
            if node in above and not self.sees:
                other = above[node]
                between = (box[0], other[1], box[2], other[3], max(box[4], other[4]), min(box[5], other[5]))
                entries.append(Held(node, between))
                return entries[-1]
        if not self._looked & 15 and not self._alive():
            raise OutOfReach
        self._looked += 1
        found = self._looked_into(board, stack, hand, deck, pos, left)
        a, b, c, d, e, f = found.box
        if found.node is self._sums.lost:
            found = Held(found.node, (-WITHOUT_END, b, -WITHOUT_END, d, e, f))
        elif found.node is self._sums.through:
            found = Held(found.node, (a, WITHOUT_END, c, WITHOUT_END, e, f))
        entries.append(found)
        return found

    def _looked_into(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left) -> Held:
        box: list[int] = [*EVERYWHERE]
        aside = max(0, -1 - stack.need)
        needed = stack.needed
        if deck + aside < needed:
            box[3] = needed - aside - 1
            return Held(self._sums.lost, boxed(box))
        box[2] = needed - aside
        if not self._free:
            return Held(self._turn(board, stack, hand, deck, pos, left, box), boxed(box))
        low, high, ways = self._boards.free(board, pos)
        narrow(box, low, high)
        nodes = Following()
        for way in ways:
            more = sum(n for _, n in way.orders)
            inner: list[int] = [*EVERYWHERE]
            nodes.append(self._turn(way.board, stack, hand + more, deck, pos, left, inner))
            met(box, boxed(inner), more, 0, 0)
        return Held(self._choice(nodes, -1 if aside else deck, box, deck), boxed(box))

    def _turn(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left, box: list[int]) -> Node:
        """Return what follows over all cards that may come next, and narrow the box."""
        lost = self._sums.lost
        before = (hand, deck)
        if stack.below is not None and stack.need < 0:
            numbers = Numbers(before, hand, deck, pos, left)
            return self._second(board, stack.number, -1 - stack.need, stack.below, numbers, box)
        low, high, ends = self._boards.ends_waiting(pos)
        narrow(box, low, high)
        if ends:
            return lost
        if stack.fresh and self._boards.draws_first(board):
            return self._drawn(board, stack, Numbers(before, hand + 1, deck - 1, pos, left), box)
        low, high, groups = self._menu(board, pos)
        narrow(box, low, high)
        found = [lost] * len(self._pool)
        last = stack.last and not stack.hidden
        for alike, price in groups:
            number = alike[0]
            if not left & self._mask[number]:
                continue
            energy, health = price.energy, price.health + 1
            if energy == ALL_USABLE:
                box[0] = box[1] = energy = hand
            elif energy > hand:
                if energy <= box[1]:
                    box[1] = energy - 1
                continue
            elif energy > box[0]:
                box[0] = energy
            if health > deck:
                if health <= box[3]:
                    box[3] = health - 1
                continue
            if health > box[2]:
                box[2] = health
            if price.need and price.fizzles:
                continue
            if last and not price.need and self._waiting.sure[number]:
                node = self._sums.through
            else:
                after = Numbers(before, hand - energy, deck - health, pos, left - self._copy[number])
                node = self._turned(number, price, stack, after, box)
            for each in alike:
                found[each] = node
        return self._sums.node(tuple(found))

    def _turned(self, number: int, price: Price, stack: Stack, numbers: Numbers, box: list[int]) -> Node:
        """Return what follows a card that is turned over and paid for."""
        nodes = Following()
        pos = numbers.pos
        if price.need:
            fresh = self._boards.draws_first(price.board)
            self._push(price.board, stack, price.need, number, numbers, box, nodes, fresh=fresh)
        elif self._waiting.through(stack, number, pos, box):
            return self._sums.through
        else:
            self._play(self._onwards.played(price.board, number, stack, pos), numbers, box, nodes)
        return nodes[0] if len(nodes) == 1 else self._choice(nodes, numbers.deck, box, numbers.before[1])

    def _drawn(self, board: int, stack: Stack, numbers: Numbers, box: list[int]) -> Node:
        """Return what follows a risk card that was drawn, which the deck has (R33)."""
        nodes = Following()
        nodes.drawn = True
        need, number, below = stack.need - 1, stack.number, stack.below
        if need:
            self._push(board, below, need, number, numbers, box, nodes)
        elif below is None:
            return self._sums.through
        else:
            self._play(self._onwards.played(board, number, below, numbers.pos), numbers, box, nodes)
        return self._choice(nodes, numbers.deck, box, numbers.before[1])

    def _push(
        self,
        board: int,
        stack: Stack | None,
        need: int,
        number: int,
        numbers: Numbers,
        box: list[int],
        nodes: Following,
        *,
        fresh: bool = False,
    ) -> None:
        """Add what follows when a card waits above a stack, or the root by itself."""
        if stack is None:
            pushed = self._waiting.stack(need, number, None)
        else:
            pushed = self._waiting.pushed(stack, need, number, numbers, box, fresh=fresh)
        if numbers.deck < pushed.needed:
            box[3] = min(box[3], pushed.needed - 1 + numbers.before[1] - numbers.deck)
            return
        low, high, ways = self._boards.ended(board, numbers.pos)
        narrow(box, low, high)
        for way in ways:
            self._land(way, pushed, False, numbers, box, nodes)

    def _menu(self, board: int, pos: int) -> Menu:
        """Return what each class costs; those that cost the same and take effect alike are told of together."""
        menus = self._menus.setdefault(board, [])
        known = holding(menus, pos)
        if known is not None:
            return known
        box: list[int] = [*EVERYWHERE]
        groups: dict[object, tuple[list[int], Price]] = {}
        for number in self._every:
            low, high, price = self._boards.price(board, pos, self._cards[number])
            narrow(box, low, high)
            alike = number if self._copy[number] else (self._waiting.effect[number], self._waiting.looks[number], price)
            groups.setdefault(alike, ([], price))[0].append(number)
        menus.append((box[4], box[5], [*groups.values()]))
        return menus[-1]

    # What follows a card

    def _second(self, board: int, top: int, aside: int, stack: Stack, numbers: Numbers, box: list[int]) -> Node:
        """Return what follows the second step of a card (R40); all that was set aside goes back into the deck."""
        nodes = Following()
        numbers = numbers._replace(deck=numbers.deck + aside)
        self._play(self._onwards.second(board, top, stack, numbers.pos), numbers, box, nodes)
        return self._choice(nodes, numbers.deck, box, numbers.before[1])

    def _play(self, outcomes: Outcomes, numbers: Numbers, box: list[int], nodes: Following) -> None:
        """Add what follows a card that takes effect above a stack."""
        low, high, onwards = outcomes
        narrow(box, low, high)
        for way, stack, aside, hidden in onwards:
            if stack is None and not way.lost:
                if hidden and not self._in_time(way, numbers.pos, hidden, box):
                    raise TooLate
                nodes.append(self._sums.through)
            else:
                self._land(way, stack or self._last, aside, numbers, box, nodes)

    def _in_time(self, way: Way, pos: int, hidden: int, box: list[int]) -> bool:
        """Return whether the race is still on and so many spaces do not lead to the finish; narrow the box."""
        inner: list[int] = [*EVERYWHERE]
        reached = self._waiting.reach.before_finish(hidden, pos + way.by, inner)
        narrow(box, inner[4] - way.by, inner[5] - way.by)
        return reached and not self._boards.board(way.board).finished

    def _land(self, way: Way, stack: Stack, aside: bool, numbers: Numbers, box: list[int], nodes: Following) -> None:
        """Add what follows from the start of the next turn, for every choice of the player on the way."""
        before, hand, deck, pos, left = numbers
        reached = pos + way.by
        if way.lost:
            self._watch(reached, over=way.over)
            return
        self._watch(reached, over=False)
        if not way.orders and not aside:
            node, inner = self._spot(way.board, stack, hand, deck, reached, left)
            nodes.append(node)
            met(box, inner, hand - before[0], deck - before[1], way.by)
            return
        enough = -1
        for held, hidden, apart in dealt(way.orders, before, hand, deck, box):
            hidden += apart  # nothing takes cards from the deck before these go back into it
            if hidden <= enough:
                continue  # more cards in the hand than one that needs no more, and no more in the deck
            node, inner = self._spot(way.board, stack, held, hidden, reached, left)
            nodes.append(node)
            met(box, inner, held - before[0], hidden - before[1], way.by)
            if inner[1] > ENOUGH:
                enough = max(enough, hidden)

    def _watch(self, pos: int, *, over: bool) -> None:
        if over or pos not in self._watched:
            self._watched.add(pos)
            self._scope.watch(pos, over=over)
