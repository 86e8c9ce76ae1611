"""The greatest chance of who goes on and uses nothing that was drawn or looked at, by numbers of cards.

A *spot* is the start of a turn: a board, what waits, how many cards there are in hand and deck, a place, and how many
copies of each class of risk cards have not been turned over. From there every class of cards that may come next is
played with the pieces of ``odds.boards`` and ``odds.effects``, whose orders are carried out on the numbers. What
follows is the same for a *box* of hands, decks and places: for all that answer every question asked on the way alike.

Equal spots are one *node*, by what follows for each class, so there are few of them, and the orders of the pool in
which the venture comes through are added up over nodes, as ``odds.blind`` does, classes that are alike from there on
counted together.

More cards are never worse (``odds.orders``). So where all is lost it is with fewer, too; and if the same node follows
from two numbers of cards, whatever lies between is worth as much for every pool, and the node stands for it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from rules.core.ventures import OutOfReach
from rules.iditacards.content import Card
from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.effects import Effects
from rules.iditacards.odds.menus import Menus
from rules.iditacards.odds.numbers import EVERYTHING, RAN_OUT, Left, Numbers, boxed, dealt, met, narrow
from rules.iditacards.odds.onward import Onwards, Outcomes
from rules.iditacards.odds.orders import Carried, Way, holding
from rules.iditacards.odds.plans import Plans, TooLate
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.sites import ENOUGH, Freed, Held, Site, Sites, between, widened
from rules.iditacards.odds.sums import Node, Sums
from rules.iditacards.odds.undone import Undone
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import ROOT, Stack, Waiting


class Following(list[Node]):
    """What may follow, of which the player chooses."""

    drawn = False
    """Cards have left the deck on one of the ways, so that the choice may have come before that or after it."""


class GoingOn:
    """One venture.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    sees = False
    """The player uses what was drawn or looked at."""
    asks = True
    """Who uses what was looked at decides on a turn of its own."""
    limited = False
    """Some cards are not followed (``_short``)."""
    carries: type[Carried] = Carried
    boards: type[Boards] = Boards
    effects: type[Effects] = Effects
    classes: type[Waiting] = Waiting

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
        self._waiting = waiting = self.classes(self._rulings, ventures.table, ventures.seat, scope, self._carried)
        self._last = waiting.stack(1, ROOT, None)
        watch = partial(scope.watch, over=False)
        self._onwards = Onwards(self._boards, effects, waiting, watch, ask=free or (self.sees and self.asks))
        self._cards = waiting.cards
        self._pool = waiting.pool(scope.pool)
        self._copy = [0] * len(self._pool)
        """By class: one copy of a risk card not turned over yet; the class has none left where its mask finds none."""
        self._mask = [-1] * len(self._pool)
        self._out = [0] * len(self._pool)
        """The bit above those of its copies, which tells that it ran out."""
        self._left = self._packed()
        self._outs = sum(self._out)
        self._sums = self._summed()
        menus = Menus(self._boards, waiting, self._sums, [card.risk > 0 for card in self._cards])
        self._bits = bits = [*zip(self._mask, self._copy, self._out, strict=True)]
        self._sites = Sites()
        self._undone = Undone(self._rulings, ventures.table, ventures.seat, scope, waiting, bits)
        gives = self._boards.gives
        if gives is not None:
            self._sites.until = partial(waiting.until, gives)
        self._plans = Plans(self._boards, menus, self._onwards, waiting, self._sites, bits, draws=not self.limited)
        self._nobody = [False] * len(self._cards)
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
                self._out[number] = 1 << place
                place += 1
        return left

    def _summed(self) -> Sums:
        return Sums(len(self._cards))

    @property
    def chose(self) -> bool:
        """Whether somebody who uses what is seen may do better: something was decided or looked at."""
        return self._sums.chose or self._waiting.looked or self._onwards.looked

    def chance(self) -> Fraction:
        """Return the chance."""
        collects = gc.isenabled()
        gc.disable()  # so many small objects that all stay make it go over all of them time and again for nothing
        try:
            return self._chance()
        except TooLate:
            self._waiting.hides = False
            self._sites.forget()
            return self._chance()
        finally:
            self._forget()
            if collects:
                gc.enable()

    def _forget(self) -> None:
        """Let go of what is only needed to find nodes: else it would be gone over whenever garbage is collected."""
        self._plans.forget()

    def _chance(self) -> Fraction:
        scope, boards = self._scope, self._boards
        player = self._ventures.table.players[self._ventures.seat]
        waiting = self._waiting
        left = self._left
        hand = sum(card not in self._rulings.damage_ids for card in player.hand)
        deck, pos = len(player.deck), player.pos
        if scope.begin is None:
            frames = list(player.stack)
            fresh = not frames[-1].paid and boards.draws_first(boards.start)
            stack = waiting.stack(frames[0].need - frames[0].paid, ROOT, None, fresh=fresh and len(frames) == 1)
            numbers = Numbers((hand, deck), hand, deck, pos, left)
            for frame in frames[1:]:
                number, need = waiting.number(frame.card), frame.need - frame.paid
                top = fresh and frame is frames[-1]
                stack = waiting.pushed(stack, need, number, numbers, [*EVERYTHING], fresh=top)
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
            none = Way((), start.board, 0)
            free = boards.free(start.board, pos)[2] if self._free and not self._ventures.at_once else (none,)
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
                    self._land(way, root, False, numbers, [*EVERYTHING], after)
                nodes.append(self._choice(after, numbers.deck, [*EVERYTHING], deck))
        return self._choice(nodes, deck, [*EVERYTHING], deck)

    # Spots

    def _choice(self, nodes: Following, below: int, box: list[int], deck: int) -> Node:
        """Return what follows from a choice with so many cards in the deck; the box is of decks of ``deck`` cards."""
        return nodes[0] if len(nodes) == 1 else self._sums.best(nodes)

    def _spot(self, board: int, stack: Stack, hand: int, deck: int, pos: int, left: Left) -> Held:
        return self._at(self._sites.at(board, stack), hand, deck, pos, left)

    def _at(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Held:
        exactly = (hand, deck, pos, left)
        held = site.met.get(exactly)
        if held is None:
            held = site.met[exactly] = self._found(site, hand, deck, pos, left)
        return held

    def _found(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Held:
        """Return what is known of a spot like one, or look into it.

        A node is the same for more copies left if no class ran out, and it holds for fewer copies than it was found
        with: to turn over a card of which there is none has no weight in any pool.
        """
        below: list[Held] = []
        above: list[Held] = []
        outs = self._outs
        for held in site.entries:
            a, b, c, d, e, f, out = held.box
            if e <= pos <= f and (not out or (held.left | outs) - left & out == out):
                if a <= hand and c <= deck:
                    if hand <= b and deck <= d:
                        return held
                    below.append(held)
                if hand <= b and deck <= d:
                    above.append(held)
        found = between(below, above, left) if below and above else None
        found = found or self._asked(site, hand, deck, pos, left)
        site.entries.append(found)
        return found

    def _asked(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Held:
        """Look into a spot, and say for which others it stands."""
        if not self._looked & 15 and not self._alive():
            raise OutOfReach
        self._looked += 1
        found = self._looked_into(site, hand, deck, pos, left)
        if found.node is self._sums.lost or found.node is self._sums.through:
            found = widened(found, lost=found.node is self._sums.lost)
        return found

    def _looked_into(self, site: Site, hand: int, deck: int, pos: int, left: Left) -> Held:
        box: list[int] = [*EVERYTHING]
        if site.acted:
            return Held(self._turn(site, hand, deck, pos, left, box), boxed(box), left)
        if deck < site.lacks:
            short = site.short(deck, pos)
            if short is not None:
                box[3], box[5] = short
                return Held(self._sums.lost, boxed(box), left)
        elif site.until is None:
            box[2] = site.lacks
        if self._undone.told and site.until is None:
            board = self._boards.board(site.board)
            if self._undone.sure(board, site.stack, deck, pos, left, box):
                return Held(self._sums.lost, boxed(box), left)
        if not self._free:
            return Held(self._turn(site, hand, deck, pos, left, box), boxed(box), left)
        low, high, ways = holding(site.freed, pos) or self._freed(site, pos)
        narrow(box, low, high)
        if len(ways) == 1:
            return Held(self._turn(site, hand, deck, pos, left, box), boxed(box), left)
        nodes = Following()
        for more, there in ways:
            spot = (hand + more, deck, pos, left)
            node, inner, _ = there.met.get(spot) or self._at(there, *spot)
            nodes.append(node)
            met(box, inner, more, 0, 0)
        below = -1 if site.stack.need < -1 else deck
        return Held(self._choice(nodes, below, box, deck), boxed(box), left)

    def _freed(self, site: Site, pos: int) -> Freed:
        """Return where free actions lead to from a site, and add it to what is known."""
        low, high, ways = self._boards.free(site.board, pos)
        there: list[tuple[int, Site]] = []
        for way in ways:
            first, last, more = self._boards.free(way.board, pos)
            low, high = max(low, first), min(high, last)
            # Where there is nothing more to do, the start of a turn is as good.
            gained = sum(n for _, n in way.orders)
            there.append((gained, self._sites.at(way.board, site.stack, acted=len(more) > 1)))
        site.freed.append((low, high, there))
        return site.freed[-1]

    def _turn(self, site: Site, hand: int, deck: int, pos: int, left: Left, box: list[int]) -> Node:
        """Return what follows over all cards that may come next, and narrow the box."""
        stack = site.stack
        before = (hand, deck)
        if stack.below is not None and stack.need < 0:
            numbers = Numbers(before, hand, deck, pos, left)
            return self._second(site.board, stack.number, -1 - stack.need, stack.below, numbers, box)
        if stack.fresh and self._boards.draws_first(site.board):
            low, high, ends = self._boards.ends_waiting(pos)
            narrow(box, low, high)
            if deck < 1:
                box[3] = min(box[3], 0)
            if ends or deck < 1:
                return self._sums.lost
            return self._drawn(site.board, stack, Numbers(before, hand + 1, deck - 1, pos, left), box)
        low, high, prices, rows = holding(site.plans, pos) or self._plans.planned(site, pos)
        narrow(box, low, high)
        sums = self._sums
        if prices is None:
            return sums.lost
        kinds, places, *paid = prices.paid(hand, deck, site.needed, self._through(site, pos, box))
        box[0], box[1] = max(box[0], paid[0]), min(box[1], paid[1])
        box[2], box[3] = max(box[2], paid[2]), min(box[3], paid[3])
        found = None
        watched, limited = self._watched, self.limited
        for place in places:
            row = rows[place] or self._plans.row(rows, place, prices, site)
            classes, number, board, energy, health, need, mask, copy, out, steps = row
            if not left & mask:
                box[RAN_OUT] |= out
                continue
            if energy == ALL_USABLE:
                energy = hand
            if found is None:
                found = [*kinds]
            if limited:
                short = self._short(number, need, stack, pos, box)
                if short is not None:
                    for each in classes:
                        found[each] = short
                    continue
            held, hidden, fewer = hand - energy, deck - health, left - copy
            nodes = Following()
            if steps is None:
                self._push(board, stack, need, number, Numbers(before, held, hidden, pos, fewer), box, nodes)
            else:
                step = holding(steps, pos) or self._plans.stepped(steps, board, number, need, stack, pos)
                low, high, landings = step
                if low > box[4]:
                    box[4] = low
                if high < box[5]:
                    box[5] = high
                for there, by, draw, way, after, aside in landings:
                    if there is not None:
                        reached = pos + by
                        if reached not in watched:
                            self._watch(reached, over=False)
                        if draw:
                            nodes.drawn = True
                            if draw > hidden:
                                draw = hidden
                                box[2] = box[3] = deck
                            elif draw + health > box[2]:
                                box[2] = draw + health
                        more, less = energy - draw, health + draw
                        if deck - less < there.lacks:
                            few = there.short(deck - less, reached)
                            if few is not None:
                                box[3] = min(box[3], few[0] + less)
                                box[5] = min(box[5], few[1] - by)
                                nodes.append(sums.lost)
                                continue
                        spot = (hand - more, deck - less, reached, fewer)
                        node, inner, _ = there.met.get(spot) or self._at(there, *spot)
                        nodes.append(node)
                        a, b, c, d, e, f, outs = inner
                        if a + more > box[0]:
                            box[0] = a + more
                        if b + more < box[1]:
                            box[1] = b + more
                        if c + less > box[2]:
                            box[2] = c + less
                        if d + less < box[3]:
                            box[3] = d + less
                        if e - by > box[4]:
                            box[4] = e - by
                        if f - by < box[5]:
                            box[5] = f - by
                        box[6] |= outs
                    elif way is None:
                        nodes.append(sums.through)
                    else:
                        self._land(
                            way, after or self._last, aside, Numbers(before, held, hidden, pos, fewer), box, nodes
                        )
            node = nodes[0] if len(nodes) == 1 else self._choice(nodes, hidden, box, deck)
            for each in classes:
                found[each] = node
        return sums.node(kinds if found is None else tuple(found))

    def _through(self, site: Site, pos: int, box: list[int]) -> Sequence[bool]:
        """Return which classes are known to bring the root through if no more cards are needed for them."""
        waiting, stack = self._waiting, site.stack
        if not stack.ripe:
            return self._nobody
        if site.far is None:
            site.far = waiting.far(stack, self._boards.board(site.board).dogs)
        if waiting.reach.before_finish(site.far, pos, box):
            return waiting.prompt
        return waiting.ready if waiting.at_once(stack) else self._nobody

    def _short(self, number: int, need: int, stack: Stack, pos: int, box: list[int]) -> Node | None:
        """Return what stands for all that follows a card that is turned over and paid for, if it is not followed."""
        return None

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
    ) -> None:
        """Add what follows when a card waits above a stack, or the root by itself."""
        if stack is None:
            pushed = self._waiting.stack(need, number, None)
        else:
            pushed = self._waiting.pushed(stack, need, number, numbers, box)
        if numbers.deck < pushed.needed and self._sites.until is None:
            box[3] = min(box[3], pushed.needed - 1 + numbers.before[1] - numbers.deck)
            return
        low, high, ways = self._boards.ended(board, numbers.pos)
        narrow(box, low, high)
        for way in ways:
            self._land(way, pushed, False, numbers, box, nodes)

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
                self._plans.in_time(way, numbers.pos, hidden, box)
                nodes.append(self._sums.through)
            else:
                self._land(way, stack or self._last, aside, numbers, box, nodes)

    def _land(self, way: Way, stack: Stack, aside: bool, numbers: Numbers, box: list[int], nodes: Following) -> None:
        """Add what follows from the start of the next turn, for every choice of the player on the way."""
        before, hand, deck, pos, left = numbers
        reached = pos + way.by
        if way.lost:
            self._watch(reached, over=way.over)
            return
        self._watch(reached, over=False)
        if not way.orders and not aside:
            node, inner, _ = self._spot(way.board, stack, hand, deck, reached, left)
            nodes.append(node)
            met(box, inner, hand - before[0], deck - before[1], way.by)
            return
        enough = -1
        for held, hidden, apart in dealt(way.orders, before, hand, deck, box):
            hidden += apart  # nothing takes cards from the deck before these go back into it
            if hidden <= enough:
                continue  # more cards in the hand than one that needs no more, and no more in the deck
            node, inner, _ = self._spot(way.board, stack, held, hidden, reached, left)
            nodes.append(node)
            met(box, inner, held - before[0], hidden - before[1], way.by)
            if inner[1] > ENOUGH:
                enough = max(enough, hidden)

    def _watch(self, pos: int, *, over: bool) -> None:
        if over or pos not in self._watched:
            self._watched.add(pos)
            self._scope.watch(pos, over=over)
