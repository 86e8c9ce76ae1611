"""One day of one seat with a hidden deck, on integers: what a turn makes of a belief (``belief.keys``).

A turn is told in the order in which a player learns things: the choice of what to do and pay, what comes off the deck,
the choices after that. Chances are counts of orders of the hidden deck, integers but where cards are shuffled back in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import factorial, prod
from typing import Final

from rules.core.ventures import OutOfReach
from rules.iditacards.belief.coming import Coming
from rules.iditacards.belief.facts import Layout
from rules.iditacards.belief.form import BeliefForm
from rules.iditacards.belief.gains import Gains
from rules.iditacards.belief.keys import BOARD, GONE, STACK, BeliefKeys
from rules.iditacards.belief.last import HOPELESS, Dealing, Ways, drawn_only, times
from rules.iditacards.belief.leaving import Leaving
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, Choice, End, Look, Play
from rules.iditacards.content import Card
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

MOST_DEALT: Final = 1 << 20
"""Ways in which cards may be drawn and others paid for one card, at most."""
MOST_LOOKS: Final = 1 << 14
ONCE: Final = 3
"""Turns left up to which no card that is gained has two turns to be played."""


PROJECTIONS: Final = (
    "discard pile, destroyed cards, resolved risk cards, supply, upgrade decks, legendary cards, day records, "
    "checkpoints passed",
)
"""What a key leaves out.

The day cannot end: ``new_day`` is forbidden and no card that can come up calls it. Nothing that can come up reads the
discard pile (no card recovers or shuffles it in, no leg within reach gives it back), so a card there, destroyed, or
waiting as resolved is gone; cards gained from the supply and legendary cards go to the discard pile, so neither they
nor the upgrade decks matter; no card that can come up asks about the day. The choices among these vanish with them.
"""


class BeliefDay(BeliefKeys):
    """The turns of one seat until the day ends, over packed beliefs."""

    engine = "beliefs"
    projections = PROJECTIONS

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        seat: int,
        banned: frozenset[str] = frozenset(),
        *,
        free: bool = True,
        avoided: frozenset[str] | None = None,
        gaining: Mapping[str, bool] | None = None,
        gifts: tuple[str, ...] = (),
        far: bool = False,
        begun: BeliefDay | None = None,
        wins: bool = False,
        forgets: bool = False,
        resting: bool = False,
        owned: Counter[str] | None = None,
    ) -> None:
        """The arguments are those of ``BeliefKeys``, and ``far`` that of ``Gains``."""
        super().__init__(
            *(rulings, table, seat, banned),
            free=free,
            avoided=avoided,
            gaining=gaining,
            gifts=gifts,
            begun=begun,
            wins=wins,
            forgets=forgets,
            resting=resting,
            owned=owned,
        )
        self._forgets = forgets
        self._gaining = gaining
        self._far = far
        self.gains = None if gaining is None else Gains(self, rulings, table, seat, banned, far=far)
        """What may be taken from the supply in time, nothing where nothing may."""
        self.leaving: Leaving | None = None
        """What new days are worth, where one may be begun on any turn and a search has said so."""
        self.layout: Layout | None = None
        """Where a compiled search has its facts, once there is one."""

    @property
    def may_rest(self) -> bool:
        """Return whether a compiled search can count new days: nothing but draws and payments comes off the deck."""
        return self.is_bounded and not (self.looks or self._gifts or self.waiting_seconds)

    def form(self, target: int | None, turns: int, layout: Layout) -> BeliefForm | None:
        """Return the facts of a question for a compiled search, or nothing where they do not fit.

        ``target`` is the place to reach, nothing where distance counts.
        """
        self.layout = layout
        try:
            return BeliefForm(self, target, turns if self.gains is None else min(turns, ONCE), layout)
        except OutOfReach:
            return None

    def turn(self, belief: int, turns: int) -> Iterator[list[Ways]]:
        """Yield every main action, after every choice of free actions, as the choice of its payment.

        Raises:
            OutOfReach: a choice depends on cards drawn in the same turn.
        """
        if self.is_over(belief):
            return
        hand, deck = belief & self._cards, belief >> self._bits & self._cards
        board, stack = belief >> self._board_shift & BOARD, belief >> self._stack_shift & STACK
        names, unit = self.kinds.names, self.kinds.unit
        if stack == self.plays.beyond or (turns > 1 and self.plays.is_vague(stack)):
            raise OutOfReach
        if turns > 1 and self.takes(stack):
            assert self.gains is not None
            yield self.gains.ways(self.boards_to_act_on(board), stack, hand, deck, turns - 1)
            return
        if turns == 1 and not deck & self._stoppers:
            yield from self._last.turn(board, stack, hand, deck, belief >> self._gone_shift & GONE)
            return
        if belief >> self._seen_shift:
            yield self._sorted_out(self.boards_to_act_on(board), stack, hand, deck, turns - 1)
            return
        for at in self.boards_to_act_on(board):
            if stack:
                yield [self._continued(at, stack, hand, deck, turns - 1)]
                continue
            for kind, _ in self.kinds.cards(hand):
                if kind not in self.banned:
                    yield self._played(at, 0, names[kind], hand - unit[kind], deck, turns - 1)

    def takes(self, stack: int) -> bool:
        """Return whether cards are taken from the supply next, in time if a turn is left after that."""
        return self.gains is not None and self.plays.taking(stack) is not None

    # Cards that are gained

    def card(self, name: str) -> Card:
        """Return a card by its name."""
        return self._rulings.cards[name]

    def with_cards(self, cards: Iterable[str]) -> BeliefDay:
        """Return the same question once some cards have come to the hand."""
        player = self._table.players[self._seat]
        player = player._replace(hand=tuple(sorted((*player.hand, *cards))))
        players = (*self._table.players[: self._seat], player, *self._table.players[self._seat + 1 :])
        table = self._table._replace(players=players)
        return BeliefDay(
            *(self._rulings, table, self._seat, self._banned_cards), free=self._free, gifts=self._gifts, begun=self
        )

    def packed_like(self, other: BeliefDay, cards: int) -> int:
        """Return packed cards of another day as this one packs them."""
        unit, index, names = self.kinds.unit, self.kinds.index, other.kinds.names
        return sum(n * unit[index[names[kind]]] for kind, n in other.kinds.cards(cards))

    def chosen(self, play: Play, hand: int, deck: int, after: int) -> Ways:
        """Return what a play leads to that takes nothing off hand or deck first."""
        return self._chosen(play, hand, deck, after)

    def is_settled(self, board: int) -> bool:
        """Return whether no further turn counts on a board."""
        pos = self.boards.pos[board]
        return pos >= self.finish or (self.target is not None and pos >= self.target)

    def ended(self, board: int) -> int:
        """Return a belief of which only the board counts; it stands for one order."""
        return board << self._board_shift

    def held_after(self, end: End, hand: int, more: int, deck: int) -> Ways:
        """Return where an end leads before a last turn on which cards of the hand, and so many more, only pay."""
        return self._carried_out(end, 0, hand + more * self.kinds.unit[self._plain], deck, 1)

    def furthest_after(self, board: int, card: str, held: int, size: int) -> int:
        """Return the board after a last turn that plays a card of the hand, with so many cards left to pay from."""
        play = self.plays.play(board, 0, card)
        if play.energy > held or play.health > size:
            return play.failed.board
        return max((end.board for end in play.ends), key=lambda end: self.boards.pos[end])

    def boards_to_act_on(self, board: int) -> tuple[int, ...]:
        """Return what free actions may make of a board before the main action, itself first."""
        return self.boards.free(board) if self._free else (board,)

    def _continued(self, board: int, stack: int, hand: int, deck: int, after: int) -> Ways:
        if not deck or self.turns_none_over(board, stack):
            play = self.plays.play(board, stack, CONTINUES_IN_VAIN)
            return self._chosen(play, hand, deck, after)
        unit, names = self.kinds.unit, self.kinds.names
        ways: Ways = []
        for kind, copies in self.kinds.cards(deck):
            left = deck - unit[kind]
            if kind in self.avoided:
                ways.append((copies, self.lost(left)))
            else:
                ways.append((copies, self._played(board, stack, names[kind], hand, left, after)))
        return ways

    def turns_none_over(self, board: int, stack: int) -> bool:
        """Return whether no card is turned over where one waits: all fizzles, or a second step is taken (R33, R40)."""
        return self.boards.fizzles(board) or self.plays.is_second(self.plays.stack(stack))

    def _sorted_out(self, boards: Sequence[int], stack: int, hand: int, deck: int, after: int) -> list[Ways]:
        """Return the choice of what to do with the cards that have been seen: some are shuffled in, others go (R40).

        It is made on one of some boards.

        Raises:
            OutOfReach: which of them are destroyed counts.
        """
        if self.seen & self._stoppers or self.keeps:
            raise OutOfReach
        choices: list[Ways] = []
        for at in boards:
            play = self.plays.play(at, stack, CONTINUES_IN_VAIN)
            for back, _ in self.kinds.parts(self.seen):
                weight = Fraction(self._all(deck), self._all(deck + back))
                choices.append(times(weight, self._chosen(play, hand, deck + back, after)))
        return choices

    def lost(self, deck: int) -> list[Ways]:
        """Return what a card leads to that is avoided and yet turned over."""
        return [[(self._all(deck), HOPELESS)]]

    def unpaid(self, board: int, play: Play, hand: int, deck: int, after: int) -> Ways:
        """Return what a card leads to on a board that cannot be paid."""
        if self.must_pay(board):
            return self.lost(deck)[0]
        fails = play.failing
        return self._carried_out(fails[0] if len(fails) == 1 else Choice((), fails), 0, hand, deck, after)

    def with_gifts(self, end: End, hand: int) -> int:
        """Return a hand with the cards that an end brings to it."""
        return hand + self.kinds.pack(end.gifts) if end.gifts else hand

    def _played(self, board: int, stack: int, card: str, hand: int, deck: int, after: int) -> list[Ways]:
        """Return the choice of how to pay for a card that is on the table (R22)."""
        play = self.plays.play(board, stack, card)
        kinds = self.kinds
        hand = self.deals.mapped(hand, self.alike.hand(after, False))
        stuck = kinds.unpayable(hand)
        usable = hand - stuck
        if play.energy > kinds.count(usable):
            return [self.unpaid(board, play, hand, deck, after)]
        left = (0,) if play.energy < 0 else self.deals.parts(usable, kinds.count(usable) - play.energy)
        # Where the packed form begins only after this turn, it is left to it what comes off the deck.
        paid = self._paid if self.gains is None or after != ONCE else self.dealing
        return [paid(board, play, stuck + rest, deck, after) for rest in left]

    def _paid(self, board: int, play: Play, hand: int, deck: int, after: int) -> Ways:
        """Return what a card leads to once its energy is paid: health, then its effects.

        Raises:
            OutOfReach: there are too many ways to go on.
        """
        self.deals.pause()
        cost = play.health
        if not after:
            play = play._replace(ends=tuple(self._place_alone(end, deck) for end in play.ends))
        held = hand
        coming = self._coming(play, after)
        if coming is not None:
            held, deck = self.deals.mapped(hand, coming.hand), self.deals.mapped(deck, coming.deck)
        if not cost:
            return self._chosen(play, held, deck, after)
        end = play.ends[0]
        short = self.kinds.count(deck) - cost
        if len(play.ends) == 1 and short >= 0 and not deck & self._stoppers:
            drawn = drawn_only(end)
            if drawn is not None:
                return self._exchanged(end, drawn, cost, self.with_gifts(end, held), deck, after)
        if not any(end.orders for end in play.ends):
            deck = self.deals.mapped(deck, self.alike.paying(after))
        if max(self._looks(end.orders, deck) for end in play.ends) * self.deals.number(deck, cost) > MOST_LOOKS:
            raise OutOfReach
        ways: Ways = []
        for paid in self.deals.payments(deck, cost):
            self.deals.pause()
            if paid.complete:
                following = self._chosen(play, held, paid.left, after)
            else:
                following = self.unpaid(board, play, hand, paid.left, after)
            ways.extend(times(paid.orders, following))
        return ways

    def _coming(self, play: Play, after: int) -> Coming | None:
        """Return what counts where cards are taken next and two turns are left then, nothing where all may."""
        if self.gains is None or after != ONCE:
            return None
        if any(end.orders or not self.takes(end.stack) for end in play.ends):
            return None
        return self.gains.comings.before((end.board, end.stack) for end in play.ends)

    def _place_alone(self, end: End, deck: int) -> End:
        """Return an end of the last turn without what happens to the deck, where that cannot change the space."""
        pos = self.boards.pos
        stops = [order.stopped for order in end.orders if isinstance(order, Look)] if deck & self._stoppers else []
        return end if any(pos[stop.board] != pos[end.board] for stop in stops) else end._replace(orders=())

    def _exchanged(self, end: End, drawn: int, cost: int, hand: int, deck: int, after: int) -> Ways:
        """Return the same for cards paid and then drawn: both come in any order alike, so those drawn come first.

        What was paid only matters for what is left, where more cards are alike.
        """
        waiting = end.stack > 0
        size = self.kinds.count(deck) - cost
        drawn = min(drawn, size)
        if self._given_up(end, hand, deck, drawn, size - drawn, after):
            return [(factorial(size + cost), HOPELESS)]
        hand = self.deals.mapped(hand, self.alike.hand(after, waiting))
        settled = after == 1 and waiting and self._last.is_settled(end.board, end.stack)
        if settled and self.owned is None and not deck & self._stuck:  # else what was seen may speak for a new day
            more = hand + drawn * self.kinds.unit[self._plain]
            deck = self.deals.mapped(deck, self.alike.deck(after, True, False))
            gone = cost + drawn
            return [(1, gone << self._gone_shift | self._packed(end.board, self.late(end.stack, 1), more, deck))]
        stack = self.late(end.stack, after) if waiting and after else 0
        base = self._packed(end.board, stack, hand, 0)
        found = self._dealt(deck, drawn, cost, after, waiting, bool(hand & self.alike.risky))
        return [(orders, base + cards) for cards, orders in found]

    def dealing(self, board: int, play: Play, hand: int, deck: int, after: int) -> Ways:
        """Return the same as ``_paid``, what is drawn, paid, and chosen between left open."""
        ends, size = play.ends, self.kinds.count(deck) - play.health
        if not after or any(self.takes(end.stack) for end in ends) or size < 0 or deck & self._stoppers:
            return self._paid(board, play, hand, deck, after)
        if len(ends) == 1:
            return [(1, Dealing(self.with_gifts(ends[0], hand), deck, play.health, ends[0]))]
        told = play.told if play.late and any(end.orders for end in ends) else Choice((), ends)
        if told is None:
            return self._paid(board, play, hand, deck, after)
        return [(1, Dealing(hand, deck, play.health, told))]

    def dealt_out(self, dealing: Dealing, after: int) -> Ways:
        """Return every way in which cards are drawn and paid.

        Raises:
            OutOfReach: there are too many ways to go on.
        """
        hand, deck, paid, told = dealing
        if isinstance(told, Choice):
            ends = _ends_of(told)
            play = Play(0, paid, ends, ends[0], late=True, told=told)
            return self._paid(ends[0].board, play, hand, deck, after)
        end = told._replace(gifts=())
        drawn = drawn_only(end)
        if drawn is None:
            return self._paid(end.board, Play(0, paid, (end,), end), hand, deck, after)
        return self._exchanged(end, drawn, paid, hand, deck, after)

    def _given_up(self, end: End, hand: int, deck: int, drawn: int, left: int, after: int) -> bool:
        """Return whether the target is out of reach whichever cards are drawn: they are all taken as there to play."""
        if self.resting or self.target is None or self.boards.pos[end.board] >= self.target:
            return False
        cards = self.kinds.count(hand) + drawn
        return self.too_far(end.board, end.stack, hand + deck, cards, left, after, self.target)

    def _dealt(
        self, deck: int, drawn: int, cost: int, after: int, waiting: bool, risky: bool
    ) -> tuple[tuple[int, int], ...]:
        """Return what cards paid and drawn add to a belief without a deck, with the orders of each sum.

        Raises:
            OutOfReach: there are too many.
        """
        name = (deck, drawn, cost, after, waiting, risky)
        known = self._dealings.get(name)
        if known is None:
            mapped, alike = self.deals.mapped, self.alike
            held = alike.hand(after, waiting)
            found: dict[int, int] = {}
            deck = mapped(deck, alike.drawing(after, waiting))
            if self.deals.number(deck, drawn) * self.deals.number(deck, cost) > MOST_DEALT:
                raise OutOfReach
            for draw in self.deals.draws(deck, drawn):
                self.deals.pause()
                cards = mapped(draw.cards, held) if after else 0
                left = mapped(draw.left, alike.deck(after, waiting, risky or bool(cards & alike.risky)))
                for lost in self.deals.paused(self.deals.draws(left, cost)):
                    added = lost.left << self._bits | cards
                    found[added] = found.get(added, 0) + draw.orders * lost.orders
            known = self._dealings[name] = tuple(found.items())
        return known

    def _chosen(self, play: Play, hand: int, deck: int, after: int) -> Ways:
        """Return the choice between ends that differ in what happens to dogs, or in what is given by a checkpoint.

        Raises:
            OutOfReach: it is not known when it comes.
        """
        ends = play.ends
        if len(ends) == 1:
            return self._carried_out(ends[0], 0, hand, deck, after)
        if play.late and any(end.orders for end in ends):
            if play.told is None:
                raise OutOfReach
            return self._carried_out(play.told, 0, hand, deck, after)
        return self._carried_out(Choice((), ends), 0, hand, deck, after)

    def _carried_out(self, end: End | Choice, place: int, hand: int, deck: int, after: int) -> Ways:
        """Return what the orders of a turn to the deck lead to, from ``place`` on."""
        if isinstance(end, Choice):
            if place == len(end.orders):
                return [(1, [self._carried_out(each, 0, hand, deck, after) for each in end.ways])]
            return self._ordered(end, place, hand, deck, after)
        hand = hand if place else self.with_gifts(end, hand)
        if place == len(end.orders):
            if not place and self._given_up(end, hand, deck, 0, self.kinds.count(deck), after):
                return [(self._all(deck), HOPELESS)]
            return [(1, self._belief(end.board, end.stack, hand, deck, after))]
        order = end.orders[place]
        if place == len(end.orders) - 1 and not isinstance(order, Look):
            size = self.kinds.count(deck)
            drawn = min(order.n, size)
            if self._given_up(end, hand, deck, drawn, size - drawn, after):
                return [(factorial(size), HOPELESS)]
            if end.orders == (order,):
                return self._exchanged(end, drawn, 0, hand, deck, after)
            found: dict[int, int] = {}
            deck = self.deals.mapped(deck, self.alike.drawing(after, end.stack > 0))
            for draw in self.deals.paused(self.deals.draws(deck, order.n)):
                belief = self._belief(end.board, end.stack, hand + draw.cards, draw.left, after)
                found[belief] = found.get(belief, 0) + draw.orders
            return [(orders, belief) for belief, orders in found.items()]
        return self._ordered(end, place, hand, deck, after)

    def _ordered(self, end: End | Choice, place: int, hand: int, deck: int, after: int) -> Ways:
        """Return the same where something comes after the order at ``place``, or cards are looked at."""
        order = end.orders[place]
        if isinstance(order, Look):
            return self._looked(end, place, order, hand, deck, after)
        ways: Ways = []
        for draw in self.deals.draws(deck, order.n):
            self.deals.pause()
            drawn = hand + draw.cards
            ways.extend(times(draw.orders, self._carried_out(end, place + 1, drawn, draw.left, after)))
        return ways

    def _looks(self, orders: Sequence[object], deck: int) -> int:
        """Return in how many ways looks may come and their cards be put away, at most; 0 without any."""
        looks = [order for order in orders if isinstance(order, Look)]
        ways = [self.deals.number(deck, look.n) << min(look.n, self.kinds.count(deck)) for look in looks]
        return prod(ways) if ways else 0

    def _looked(self, end: End | Choice, place: int, order: Look, hand: int, deck: int, after: int) -> Ways:
        """Return what looking at the top cards leads to: some go back and are shuffled in (op ``heal``, R57).

        Raises:
            OutOfReach: there are too many ways to go on.
        """
        keeps = self._rulings.heal_rest == "hand"
        if place == len(end.orders) - 1 and isinstance(end, End):
            alike = self.alike.drawing(after, end.stack > 0) if keeps else self.alike.paying(after)
            deck = self.deals.mapped(deck, alike)
        count, stoppers = self.kinds.count, self._stoppers
        if self._looks(end.orders[place:], deck) > MOST_LOOKS:
            raise OutOfReach
        ways: Ways = []
        for look in self.deals.draws(deck, order.n):
            self.deals.pause()
            below = factorial(count(look.left))
            choices: list[Ways] = []
            for back, size in self.kinds.parts(look.cards):
                kept = look.left + back
                weight = Fraction(below, factorial(count(look.left) + size))
                if keeps:
                    for rest, destroyed in self.kinds.parts(look.cards - back):
                        if destroyed <= order.destroy:
                            held = hand + look.cards - back - rest
                            following = self._carried_out(end, place + 1, held, kept, after)
                            choices.append(times(weight, following))
                    continue
                gone = count((look.cards - back) & stoppers)
                if gone <= order.destroy:
                    following = self._carried_out(end, place + 1, hand, kept, after)
                    choices.append(times(weight, following))
                if gone:
                    choices.append(times(weight, self._carried_out(order.stopped, 0, hand, kept, after)))
            ways.append((look.orders, choices))
        return ways


def _ends_of(told: End | Choice) -> tuple[End, ...]:
    """Return the ends that a choice leads to, each with all that happens to the deck before."""
    if isinstance(told, End):
        return (told,)
    ends = (end for way in told.ways for end in _ends_of(way))
    return tuple(dict.fromkeys(end._replace(orders=told.orders + end.orders) for end in ends))
