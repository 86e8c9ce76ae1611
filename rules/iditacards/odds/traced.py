"""The chance of a risk card where the whole discard pile goes back into the deck, from both sides, often exact.

``odds.pile`` does not know what lies in the pile. Here it is followed card by card from where the card is begun: a
*trace* is a spot of ``odds.going``, and with it goes what is known of hand and pile, and how many cards were drawn and
paid since. Until something is decided by what was seen it is all the same which cards these are: every card not turned
over is as likely as any other to be the next one. Where it is decided, and where the pile goes back, all that was seen
is told apart; in the latter case only as far as what follows tells it apart.

What to pay with is left open up to then: the most is that of who may choose afterwards from all that could have been
paid each time, the least that of who pays the cards that are cheapest to turn over. These are mostly the same.

What follows when nothing reads the pile any more is a node of ``odds.seeing``. Before that, a node tells both sides of
each spot, as in ``odds.pile``: where they meet nothing is followed, and what is not carried is told by them alone.

An upgrade taken into the pile comes up like any other card. It is looked into as one more card of the deck, spot by
spot, and one that would do the same on every spot where that was asked is worth as much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from rules.core.ventures import OutOfReach
from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.odds.hands import (
    LOST,
    MANY,
    NOTHING,
    ONE,
    PAY,
    THROUGH,
    UNKNOWN,
    ZERO,
    Bounds,
    Cards,
    NotFollowed,
    Pool,
    Seen,
    Told,
    TooMany,
    Trace,
    among,
    both,
    cheapest,
    chosen,
    grouped,
    mean,
    merged_in,
    pay,
    put,
    puts,
)
from rules.iditacards.odds.orders import DRAW, EMPTY_HAND, REFILL, SHED, Orders
from rules.iditacards.odds.told import Telling
from rules.iditacards.odds.traces import PILED, SORTED, TAKEN
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import ROOT, Stack

FEW: Final = 300
"""Hands that may be left after payments that are followed at most."""
PATIENCE: Final = 3000
"""How often is asked whether there is time left, at most."""


class Tracing(Telling):
    """One venture in which the whole pile may go back into the deck.

    Raises:
        OutOfReach: a feature is not carried, or time is up.
    """

    @property
    def free_matters(self) -> bool:
        """Whether free actions may matter that were left out."""
        return self._scope.touched and not self._free

    def bounds(self) -> Bounds:
        """Return the least and the most that the chance may be.

        Raises:
            OutOfReach: the pile is not followed so far, or time is up.
        """
        try:
            return self._begun_now()
        except NotFollowed:
            raise OutOfReach from None

    def _begun_now(self) -> Bounds:
        player = self._real.table.players[self._real.seat]
        assert self._scope.begin is not None
        card = self._rulings.cards[self._scope.begin]
        boards, pos = self._piled, player.pos
        pool = self._counts(self._deck)
        seen = frozenset([(self._hand, self._pile)])
        start = Seen(seen, seen, (), False)
        found = LOST
        for began in boards.began(boards.start, pos)[2]:
            free = boards.free(began.board, pos)[2]
            for way in free[:1] if self._real.at_once else free:
                if any(order != PILED for order, _ in (*began.orders, *way.orders)):
                    raise NotFollowed("gains")
                price = boards.price(way.board, pos, card)[2]
                held = len(self._hand)
                energy = held if price.energy == ALL_USABLE else price.energy
                if held < energy or len(self._deck) < price.health:
                    continue
                if price.need == 0:
                    return THROUGH
                if price.fizzles:
                    continue
                if boards.draws_first(price.board):
                    raise OutOfReach
                root = self._waiting.stack(price.need, ROOT, None)
                paid = (*began.orders, *way.orders, (PAY, energy), (SHED, price.health))
                left = self._left_of(pool)
                trace = Trace(price.board, root, pos, held, len(self._deck), len(self._pile), left, False)
                ways = self._ended(paid, price.board, root, pos)
                each = self._best(trace, ways, pool, start)
                found = max(found[0], each[0]), max(found[1], each[1])
        return found

    def _counts(self, cards: Iterable[int]) -> Pool:
        counts = [0] * len(self._waiting.cards)
        for number in cards:
            counts[number] += 1
        return tuple(counts)

    def _value(self, trace: Trace, pool: Pool, seen: Seen) -> Bounds:
        key = (trace, pool, seen)
        known = self._values.get(key)
        if known is None:
            if not self._alive():
                raise OutOfReach
            sides = self._sides(trace, (), pool)
            known = self._values[key] = self._within(sides, partial(self._turn_of, trace, pool, seen))
        return known

    def _sides(self, trace: Trace, orders: Orders, pool: Pool) -> Bounds:
        """Return what is known of what follows some orders whatever lies in the pile."""
        if any(pool[len(self._pool) :]):
            return UNKNOWN
        node = self._noted(trace, orders)
        least, most = (self._worth(self._sums.settled(node, most=each), pool) for each in (False, True))
        return least, most

    def _within(self, sides: Bounds, ask: Callable[[], Bounds]) -> Bounds:
        """Return bounds that are asked for where there are some already: these alone where nothing closer is told."""
        if sides[0] == sides[1]:
            return sides
        try:
            low, high = ask()
        except (NotFollowed, OutOfReach):
            return sides
        return max(low, sides[0]), min(high, sides[1])

    def _turn_of(self, trace: Trace, pool: Pool, seen: Seen) -> Bounds:
        boards, stack, pos = self._piled, trace.stack, trace.pos
        if stack.need < 0 or (stack.fresh and boards.draws_first(trace.board)):
            raise NotFollowed("second")
        if trace.deck < 1 or boards.ends_waiting(pos)[2]:
            return LOST
        if len(boards.free(trace.board, pos)[2]) > 1:
            raise NotFollowed("free")
        low = high = ZERO
        for number, copies in enumerate(pool):
            if copies:
                fewer = (*pool[:number], copies - 1, *pool[number + 1 :])
                least, most = self._after(trace, number, fewer, seen)
                low += copies * least
                high += copies * most
        size = sum(pool)
        return low / size, high / size

    def _after(self, trace: Trace, number: int, pool: Pool, seen: Seen) -> Bounds:
        outcome = self._outcome(trace, number)
        if number >= len(self._pool):
            self._asked_of.setdefault(number, {})[trace] = outcome
        if outcome is None:
            return UNKNOWN
        if isinstance(outcome, bool):
            return THROUGH if outcome else LOST
        return self._best(self._taken_off(trace, number), outcome, pool, seen)

    def _best(self, trace: Trace, ways: Sequence[tuple[Orders, int, Stack, int]], pool: Pool, seen: Seen) -> Bounds:
        if not ways:
            return LOST
        found = [
            self._run(trace._replace(board=board, stack=stack, pos=pos), orders, pool, seen)
            for orders, board, stack, pos in ways
        ]
        if len(found) == 1:
            return found[0]
        return max(low for low, _ in found), ONE  # what was drawn before may tell which one is best

    def _run(self, trace: Trace, orders: Orders, pool: Pool, seen: Seen) -> Bounds:
        """Return what follows some orders on the turn that ends with a trace."""
        for place, (order, n) in enumerate(orders):
            if order in (REFILL, SORTED, TAKEN):
                rest = orders[place + 1 :]
                ask = {REFILL: self._refilled, SORTED: self._sorted, TAKEN: self._taken}[order]
                sides = self._sides(trace, orders[place:], pool)
                return self._within(sides, partial(ask, trace, n, rest, pool, seen))
            trace, seen = self._moved(trace, seen, order, n)
        return self._value(trace, pool, seen)

    def _moved(self, trace: Trace, seen: Seen, order: int, n: int) -> tuple[Trace, Seen]:
        """Return a trace and what is known once an order is carried out that moves cards which nobody looks at."""
        after = self._counted(trace, order, n)
        if order == DRAW:
            n = after.hand - trace.hand
        if n and order != SHED and not seen.dead:
            seen = seen._replace(past=(*seen.past, (order, n)))
        return after, seen

    def _told(
        self, trace: Trace, pool: Pool, seen: Seen, first: Cards | None = None, *, whole: bool
    ) -> Iterator[tuple[int, Pool, Seen]]:
        """Yield what may have been seen, and in how many ways.

        ``first`` stands for all classes that count as one. The ``whole`` deck is told, too; else what was drawn alone,
        and the pool has what was shed as well.
        """
        if first is None:
            first = tuple(range(len(pool)))
        else:
            pool, seen = grouped(pool, first), merged_in(seen, first)
        told = {(pool, seen.least, seen.most): 1}
        for order, n in seen.past:
            told = self._dealt(told, order, n, first)
        yielded = 0
        for (below, least, most), ways in told.items():
            shed = sum(below) - trace.deck if whole else 0
            for shown, fewer, many in chosen(below, shed):
                yielded += 1
                if yielded > MANY:
                    raise TooMany("seen")
                yield ways * many, fewer, put(seen._replace(least=least, most=most, past=()), shown)

    def _dealt(self, told: Told, order: int, n: int, first: Cards) -> Told:
        """Return what may be known after one more order, and in how many ways."""
        found: Told = {}
        for (pool, least, most), ways in told.items():
            if not self._alive():
                raise OutOfReach
            if order == DRAW:
                for shown, fewer, many in chosen(pool, n):
                    both_least, both_most = (frozenset((both(a, shown), b) for a, b in one) for one in (least, most))
                    key = fewer, both_least, both_most
                    found[key] = found.get(key, 0) + ways * many
                    if len(found) > MANY:
                        raise TooMany("drawn")
                continue
            if order == PAY:
                key = pool, cheapest(least, n, self._ranks), frozenset(pay(most, n))
            elif order == EMPTY_HAND:
                key = pool, frozenset(((), b) for _, b in least), frozenset(((), b) for _, b in most)
            else:
                more = among(tuple(map(self._waiting.number, self._piled.piled(n))), first)
                held, best = (frozenset((a, both(b, more)) for a, b in one) for one in (least, most))
                key = pool, held, best
            if len(key[2]) > FEW:
                raise TooMany("hands")
            found[key] = found.get(key, 0) + ways
        return found

    def _refilled(self, trace: Trace, _: int, rest: Orders, pool: Pool, seen: Seen) -> Bounds:
        if seen.dead:
            raise NotFollowed("read again")
        known = Counter[int]()
        for mine, lies in seen.least | seen.most:
            known |= Counter((*mine, *lies))  # a hand that was destroyed may leave other cards than another one
        piled = [
            self._waiting.number(name) for order, n in seen.past if order == PILED for name in self._piled.piled(n)
        ]
        every = [*pool]
        for number in (*known.elements(), *piled):
            every[number] += 1
        after = trace._replace(deck=trace.deck + trace.pile, pile=0, left=self._left_of(every))
        first = self._alike(after, rest, every)
        low = high = ZERO
        total = 0
        for ways, below, now in self._told(trace, pool, seen, first, whole=False):
            total += ways
            back = {pile: self._back(after, rest, below, pile) for pile in {pile for _, pile in now.least | now.most}}
            low += ways * min(back[pile][0] for _, pile in now.least)
            high += ways * max(back[pile][1] for _, pile in now.most)
        return low / total, high / total

    def _alike(self, after: Trace, rest: Orders, every: Sequence[int]) -> Cards | None:
        """Return for each class the first one that nothing tells apart once the pile is back in the deck.

        Nothing if cards may be there of which no node knows.
        """
        if any(every[len(self._pool) :]):
            return None
        alike = self._noted(after, rest).alike
        first: dict[object, int] = {}
        known = tuple(
            first.setdefault(part, number) for number, part in enumerate(zip(self._ranks, alike, strict=False))
        )
        return (*known, *range(len(known), len(every)))

    def _back(self, after: Trace, rest: Orders, pool: Pool, pile: Cards) -> Bounds:
        """Return what follows when some cards of the pile join all those that are not in the hand."""
        counts = list(pool)
        for number in pile:
            counts[number] += 1
        assert sum(counts) == after.deck
        deck = tuple(counts)
        if any(deck[len(self._pool) :]):
            return self._run(after._replace(left=self._left_of(counts)), rest, deck, NOTHING)
        return self._sides(after, rest, deck)

    def _sorted(self, trace: Trace, which: int, rest: Orders, pool: Pool, seen: Seen) -> Bounds:
        """Return what follows a look at some cards, of which some may leave the game."""
        gone, of = self._effects.numbers[which]
        of = min(of, trace.deck)
        last = bool(rest) and rest[0][0] == REFILL
        if not of or (last and not gone):
            return self._run(trace, rest, pool, seen)
        if seen.dead and not any(pool[len(self._pool) :]):
            raise NotFollowed("looks")
        low = high = ZERO
        total = asked = 0
        for ways, known, now in self._told(trace, pool, seen, whole=not last):
            for shown, below, many in chosen(known, of):
                ways_back = puts(shown, gone, last, seen.dead)
                asked += len(ways_back)
                if asked > MANY:
                    return self._run(trace, rest, pool, seen)[0], ONE  # all goes back
                total += ways * many
                found = LOST
                for back, pile in ways_back:
                    deck = list(below)
                    for number in back:
                        deck[number] += 1
                    after = trace._replace(deck=trace.deck - of + len(back), pile=trace.pile + len(pile))
                    each = self._run(after, rest, tuple(deck), put(now, pile))
                    found = max(found[0], each[0]), max(found[1], each[1])
                    if found == THROUGH:
                        break
                low += ways * many * found[0]
                high += ways * many * found[1]
        return low / total, high / total

    def _taken(self, trace: Trace, which: int, rest: Orders, pool: Pool, seen: Seen) -> Bounds:
        """Return what follows when upgrades may be taken into the pile."""
        if seen.dead:
            return self._run(trace, rest, pool, seen)
        n, of = self._effects.numbers[which]
        after = trace._replace(extra=True)
        if trace.extra or (n > 1 and (self._supply or of > 1)):
            return self._run(after, rest, pool, seen)[0], ONE  # none is
        low = high = ZERO
        total = 0
        decks = self._upgrades if of and n else []
        there = set(self._supply) if n else set()
        takable = sorted(there.union(*decks))
        more = after._replace(pile=trace.pile + 1)
        for ways, known, now in self._told(trace, pool, seen, whole=not (rest and rest[0][0] == REFILL)):
            total += ways
            nothing = self._run(after, rest, known, now)
            worth = self._worths_with(takable, partial(self._with, more, rest, known, now))
            each = []
            for side in (0, 1):
                floor = max([nothing[side], *(worth[number][side] for number in there)])
                values = {number: max(floor, worth[number][side]) for number in takable}
                each.append(max([floor, *(mean(values, deck, of) for deck in decks)]))
            low += ways * each[0]
            high += ways * each[1]
        return low / total, high / total

    def _with(self, trace: Trace, rest: Orders, pool: Pool, seen: Seen, number: int) -> Bounds:
        return self._run(trace, rest, pool, put(seen, (number,)))

    def _worths_with(self, takable: Sequence[int], ask: Callable[[int], Bounds]) -> dict[int, Bounds]:
        """Return what each of some cards is worth; those that were never seen to do otherwise are alike."""
        worth: dict[int, Bounds] = {}
        asked: list[int] = []
        for number in takable:
            like = next((each for each in asked if self._same(each, number)), None)
            if like is None:
                asked.append(number)
            worth[number] = ask(number) if like is None else worth[like]
        return worth

    def _same(self, one: int, other: int) -> bool:
        """Return whether two cards that the player does not own do the same wherever it was asked of the first one."""
        if min(one, other) < len(self._pool) or self._ranks[one] != self._ranks[other]:
            return False
        return all(self._outcome(trace, other) == outcome for trace, outcome in self._asked_of.get(one, {}).items())


class _Patience:
    """Asks whether there is time left, so often and no more."""

    def __init__(self, alive: Callable[[], bool]) -> None:
        self._alive = alive
        self._asked = 0

    def __call__(self) -> bool:
        self._asked += 1
        return self._asked < PATIENCE and self._alive()


def traced(ventures: RiskCards, begin: str, alive: Callable[[], bool]) -> Bounds:
    """Return the least and the most that the chance of a card may be, followed so far that it takes no second or two.

    Free actions are asked as in ``odds.greatest.Odds.chance``.

    Raises:
        OutOfReach: it is not carried, or takes too long.
    """
    patience = _Patience(alive)
    form = Tracing(ventures, begin, patience, free=False)
    low, high = form.bounds()
    if form.free_matters:
        low, high = Tracing(ventures, begin, patience, free=True).bounds()
    return low, high
