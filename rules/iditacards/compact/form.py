"""One day of one seat on integers: the turns of the engine, many hundred times faster.

A key is one integer: the risk stack, the board (position, conditions, dogs) and the deck, each by number, and last the
family of hands (``compact.board``, ``compact.cards``, ``compact.hands``). What the board does is asked of the rules;
this module adds the flow of cards: playing, paying, the risk stack, drawing, looking at the deck (R20 to R38). It plays
what ``compact.scope`` admits.

The speed comes from one fact: within a turn nothing but the energy payment depends on which cards the hand holds (R22;
the next risk card comes from the deck, R33). So what a main action does to everything else is worked out once for each
key without its hand, and payments are decided late, by families.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Final, NamedTuple

from rules.core.steps import Step
from rules.iditacards.compact.bound import Bound
from rules.iditacards.compact.cards import DECK_BITS, Decks
from rules.iditacards.compact.keeping import Copies, Keeping
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, Draw, End, Look
from rules.iditacards.compact.shared import shared
from rules.iditacards.long_day.form import DayForm
from rules.iditacards.moves import NEW_DAY, Continue, Play
from rules.iditacards.rulings import DECK_EVENTS, Rulings
from rules.iditacards.state import Table, in_play
from rules.iditacards.turn import shuffled, shuffled_places

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

INDIFFERENT: Final = frozenset({"destroyed", "discard"})
"""Zones that ``PROJECTIONS`` leaves out and in which choices of a turn may differ by themselves."""

BOARD_BITS: Final = 22
"""Bits of a board number in a key."""
FAMILY_BITS: Final = 26
"""Bits of a family number in a key."""
_FAMILY: Final = (1 << FAMILY_BITS) - 1
_DECK: Final = (1 << DECK_BITS) - 1
_BOARD: Final = (1 << BOARD_BITS) - 1
_BOARD_SHIFT: Final = FAMILY_BITS + DECK_BITS
_STACK_SHIFT: Final = _BOARD_SHIFT + BOARD_BITS
REMEMBERED: Final = 10_000
"""Keys without the hand whose main actions are remembered from layer to layer."""


class Action(NamedTuple):
    """What one main action can lead to from every key that differs in the hand only.

    Both results are keys without the hand, in groups of the cards drawn on the way.
    """

    energy: int
    """Cards to discard; ``ALL_USABLE`` for all that may pay."""
    paid: tuple[tuple[int, tuple[int, ...]], ...]
    failed: tuple[tuple[int, tuple[int, ...]], ...]
    """Where too few cards can pay; the hand stays whole then."""


class CompactDay:
    """The turns of one seat until the day ends, over integer keys."""

    engine = "compact"
    projections = PROJECTIONS
    indifferent = INDIFFERENT
    decides_late = True
    bound_name = Bound.name

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        seat: int,
        banned: frozenset[str] = frozenset(),
        kept: frozenset[str] = frozenset(),
    ) -> None:
        """``banned`` cards are not played from the hand; they still pay, and come up as risk cards.

        ``kept`` cards are never lost (``compact.keeping``).
        """
        self._rulings = rulings
        self._seat = seat
        player = table.players[seat]
        tables = shared(rulings, table, seat)
        out = (*in_play(player.dogs), *(frame.card for frame in player.stack))
        cards = tables.of((*player.hand, *player.deck), out, kept)
        self._cards = cards
        self.kinds, self.families, self._stocks, self._bounds = cards.kinds, cards.families, cards.stocks, cards.bounds
        self._banned = frozenset(kind for kind, card in enumerate(self.kinds.names) if card in banned)
        self._places: dict[tuple[int, int], list[int]] = {}
        self.decks = Decks(self.kinds, rulings.ends_turn, self._shuffle)
        self.boards = tables.boards
        self._plays = tables.plays
        self.keeping = Keeping(kept, self.kinds, self.boards, self._plays, rulings.damage_ids) if kept else None
        self._actions: dict[int, dict[int, tuple[Action, ...]]] = {}
        self._speeds = tables.speeds
        self._profiles = tables.profiles
        self.root = self.project(table)

    def _shuffle(self, kinds: list[int], event: int) -> list[int]:
        """Return sorted kinds in the order of a shuffle; what goes where is asked once for each event and size."""
        name = (len(kinds), event)
        places = self._places.get(name)
        if places is None:
            orders = self._rulings.deck_orders[self._seat]
            places = shuffled_places(self._rulings, len(kinds), orders, DECK_EVENTS, self._seat, event)
            if places is None:
                cards = [self.kinds.names[kind] for kind in kinds]
                cards = shuffled(self._rulings, cards, orders, DECK_EVENTS, self._seat, event)
                return [self.kinds.index[card] for card in cards]
            self._places[name] = places
        return [kinds[place] for place in places]

    # Keys

    def key(self, stack: int, board: int, deck: int, family: int) -> int:
        """Return the key of numbered parts."""
        return ((stack << BOARD_BITS | board) << DECK_BITS | deck) << FAMILY_BITS | family

    def numbers(self, key: int) -> tuple[int, int, int, int]:
        """Return the numbers of stack, board, deck and family in a key."""
        return key >> _STACK_SHIFT, key >> _BOARD_SHIFT & _BOARD, key >> FAMILY_BITS & _DECK, key & _FAMILY

    def form(self) -> DayForm | None:
        """Return the same turns in the form that a compiler takes over, or nothing where the cards do not fit."""
        try:
            return DayForm(self, self._rulings.finish_at, self._plays, self._banned, self._cards)
        except OverflowError:
            return None

    def project(self, table: Table) -> int:
        """Return the key of a table: equal keys have equal turns as far as the position is concerned."""
        player = table.players[self._seat]
        deck = self.decks.number([self.kinds.index[card] for card in player.deck], table.counters.deck[self._seat])
        board = self.boards.number(self.boards.of(player))
        stack = () if table.over else tuple((frame.card, frame.need - frame.paid) for frame in player.stack)
        return self.key(self._plays.number(stack), board, deck, self.families.of(self.kinds.pack(player.hand)))

    def hands(self, key: int) -> Iterator[int]:
        """Yield the key of each single hand that a key stands for."""
        bare = key & ~_FAMILY
        for hand in self.families.hands(key & _FAMILY):
            yield bare | self.families.of(hand)

    def shape(self, key: int) -> int:
        """Return the key without its hand: what all hands of a family share."""
        return key & ~_FAMILY

    def rounds(self, key: int) -> int:  # the day cannot end
        """Return 0: every key is of the same day."""
        return 0

    def promise(self, key: int) -> int:
        """Return a guess of how good a key is, for beams: progress counts double, then cards in hand."""
        family = key & _FAMILY
        return 2 * self.progress(key) + self.families.usable[family] + self.families.stuck[family]

    def progress(self, key: int) -> int:
        """Return the position, in spaces."""
        return self.boards.pos[key >> _BOARD_SHIFT & _BOARD]

    def is_over(self, key: int) -> bool:
        """Return whether the race has ended."""
        return self.progress(key) >= self._rulings.finish_at

    def successors(self, key: int) -> Iterator[int]:
        """Yield the key after every way through the next turn; equal keys may come several times."""
        families, keeping = self.families, self.keeping
        for action, family in self._main_actions(key):
            payable = families.usable[family]
            if keeping is not None and keeping.must_give(action.energy, payable, families.chain(family)[0]):
                continue
            if action.energy <= payable:
                left, groups = families.pay(family, action.energy), action.paid
            else:
                left, groups = family, action.failed
            for drawn, bares in groups:
                hand = families.draw(left, drawn)
                for bare in bares:
                    yield bare | hand

    def some_successors(self, key: int) -> Iterator[int]:
        """Yield all successors: they cost little."""
        return self.successors(key)

    def promising(self, key: int, turns: int, target: int) -> bool:
        """Return false where no line of at most ``turns`` more turns reaches ``target``, by an admissible bound."""
        return self.lacking(key, turns, target) == 0

    def lacking(self, key: int, turns: int, target: int) -> int:
        """Return 0 where ``promising``, else how many turns more any line to the target needs at least."""
        families, family = self.families, key & _FAMILY
        held, size = families.usable[family] + families.stuck[family], self.decks.size[key >> FAMILY_BITS & _DECK]
        stack = self._plays.stack(key >> _STACK_SHIFT)
        # One turn more than is asked about, where that is even: short horizons ask no long questions.
        return max(0, self.bound(target).least(turns | 1, key >> _BOARD_SHIFT & _BOARD, stack, held, size) - turns)

    def bound(self, target: int) -> Bound:
        """Return the bound on the way to a target."""
        bound = self._bounds.get(target)
        if bound is None:
            for other in self._bounds.values():
                bound = other.to(target)
                break
            else:
                bound = Bound(self._speeds, self.boards, self._stocks, target, self._profiles)
            self._bounds[target] = bound
        return bound

    def leap(self, target: int) -> int:
        """Return spaces that no single turn exceeds, whenever on the way to a target it is taken."""
        stack, board, _, _ = self.numbers(self.root)
        return self.bound(target).leap(board, self._plays.stack(stack))

    def way(self, table: Table, shapes: Container[int]) -> None:  # all ways of a turn are quickly gone through
        """Return nothing."""

    def wanted(self, table: Table, shapes: Container[int]) -> Callable[[Step], bool]:
        """Return what is false only for main actions that lead to none of ``shapes`` from a table.

        The turn does to all but the hand what ``_actions_of`` says, whatever pays.
        """
        bare = self.shape(self.project(table))
        known: dict[str | None, bool] = {}

        def leads(move: Step) -> bool:
            if isinstance(move, Play):
                card: str | None = move.card
            elif isinstance(move, Continue):
                card = None
            else:
                return move != NEW_DAY
            answer = known.get(card)
            if answer is None:
                kind = -1 if card is None else self.kinds.index[card]
                answer = known[card] = any(
                    after in shapes
                    for action in self._known_actions(bare, kind)
                    for _, bares in (*action.paid, *action.failed)
                    for after in bares
                )
            return answer

        return leads

    def most_turns(self, key: int) -> int:
        """Return twice the cards of hand and deck, and one more if a risk waits.

        Playing a card takes one from the hand and may leave a risk waiting, continuing takes one from the deck or ends
        the waiting; so each turn that R14 leaves lowers that number, and nothing raises it: cards drawn come from the
        deck, and none comes back from elsewhere (``PROJECTIONS``).
        """
        family = key & _FAMILY
        held = self.families.usable[family] + self.families.stuck[family]
        return 2 * (held + self.decks.size[key >> FAMILY_BITS & _DECK]) + (key >> _STACK_SHIFT > 0)

    def _main_actions(self, key: int) -> Iterator[tuple[Action, int]]:
        """Yield each main action and the family of hands that it is paid from."""
        if self.is_over(key):
            return
        bare, family = key & ~_FAMILY, key & _FAMILY
        waiting = bare >> _STACK_SHIFT
        for kind, rest in ((-1, family),) if waiting else self.families.plays(family):
            if kind in self._banned:
                continue
            for action in self._known_actions(bare, kind):
                yield action, rest

    def _known_actions(self, bare: int, kind: int) -> tuple[Action, ...]:
        known = self._actions.get(bare)
        if known is None:
            known = self._actions[bare] = {}
        actions = known.get(kind)
        if actions is None:
            actions = known[kind] = self._actions_of(bare, kind)
        return actions

    def forget(self) -> None:
        """Drop the remembered main actions where there are many.

        The keys of a later layer seldom need those of an earlier one; longer horizons and the line in the end do.
        """
        if len(self._actions) > REMEMBERED:
            self._actions.clear()

    # Turns

    def _actions_of(self, bare: int, kind: int) -> tuple[Action, ...]:
        """Return what playing a kind of card, or continuing (-1), can do after every choice of free actions."""
        deck = bare >> FAMILY_BITS & _DECK
        stack = bare >> _STACK_SHIFT
        plays, boards, decks, keeping = self._plays, self.boards, self.decks, self.keeping
        ends: dict[int, tuple[dict[int, set[int]], dict[int, set[int]]]] = {}
        if kind >= 0:
            card = self.kinds.names[kind]
        elif decks.size[deck]:
            card = self.kinds.names[decks.top[deck]]
        else:
            card = CONTINUES_IN_VAIN
        for board in self.free(bare >> _BOARD_SHIFT & _BOARD):
            shown, after = card, deck
            if kind < 0 and boards.fizzles(board):
                shown = CONTINUES_IN_VAIN
            elif kind < 0 and card:
                after = deck + 1
            play = plays.play(board, stack, shown)
            paid, failed = ends.setdefault(play.energy, ({}, {}))
            left, complete = decks.pay(after, play.health)
            before = None if keeping is None else keeping.before(board, stack, shown)
            if keeping is None or not keeping.loses(decks.total[after], decks.total[left]):
                for end in play.ends if complete else (play.failed,):
                    self._carry_out(end, left, paid, before)
            if play.energy:
                self._carry_out(play.failed, after, failed, before)
        return tuple(
            Action(energy, _grouped(paid), _grouped(failed)) for energy, (paid, failed) in sorted(ends.items())
        )

    def free(self, board: int) -> tuple[int, ...]:
        """Return the board and every one that free actions may make of it."""
        return self.boards.free(board) if self.keeping is None else self.keeping.free(board)

    def sorted_out(self, deck: int, look: int, destroy: int) -> tuple[tuple[int, bool], ...]:
        """Return every deck that may be left once the top cards are looked at, and whether that stops the turn."""
        results, keeping, total = self.decks.sort_out(deck, look, destroy), self.keeping, self.decks.total
        if keeping is None:
            return results
        return tuple(each for each in results if not keeping.loses(total[deck], total[each[0]]))

    def _carry_out(
        self,
        end: End,
        deck: int,
        ends: dict[int, set[int]],
        before: Copies | None,
        drawn: int = 0,
        start: int = 0,
    ) -> None:
        """Carry out the orders of a turn from ``start`` on and add its keys without the hand, by the cards drawn.

        ``before`` says how many cards to keep there are apart from hand and deck, if there are any.
        """
        decks = self.decks
        if before is not None and self.keeping is not None and not self.keeping.keeps(end, before):
            return
        orders = end.orders
        for place in range(start, len(orders)):
            order = orders[place]
            if isinstance(order, Draw):
                deck, more = decks.draw(deck, order.n)
                drawn += more
                continue
            assert isinstance(order, Look)
            for after, stopped in self.sorted_out(deck, order.n, order.destroy):
                if stopped:
                    self._carry_out(order.stopped, after, ends, before, drawn)
                else:
                    self._carry_out(end, after, ends, before, drawn, place + 1)
            return
        key = ((end.stack << BOARD_BITS | end.board) << DECK_BITS | decks.canonical[deck]) << FAMILY_BITS
        group = ends.get(drawn)
        if group is None:
            ends[drawn] = {key}
        else:
            group.add(key)


def _grouped(ends: dict[int, set[int]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple((drawn, tuple(sorted(bares))) for drawn, bares in sorted(ends.items()))
