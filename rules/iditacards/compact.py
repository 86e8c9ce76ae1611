"""One day of one seat on integers: the turns of the engine, many hundred times faster.

A key is one integer: the risk stack, the board (position, conditions, dogs) and the deck, each by number, and last the
family of hands (``compact_board``, ``compact_cards``, ``compact_hands``). What the board does is asked of the rules;
this module adds the flow of cards: playing, paying, the risk stack, drawing, looking at the deck (R20 to R38). It plays
what ``compact_scope`` admits.

The speed comes from one fact: within a turn nothing but the energy payment depends on which cards the hand holds (R22;
the next risk card comes from the deck, R33). So what a main action does to everything else is worked out once for each
key without its hand, and payments are decided late, by families.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from rules.iditacards.compact_board import BOARD_OPS, Board, BoardTables, without_choices
from rules.iditacards.compact_bound import Bound
from rules.iditacards.compact_cards import DECK_BITS, WHOLE_DECK, Decks, Kinds
from rules.iditacards.compact_hands import Families
from rules.iditacards.compact_speed import SpeedTables
from rules.iditacards.compact_stock import Stack, Stocks
from rules.iditacards.content import ALL, Card
from rules.iditacards.rulings import DECK_EVENTS, Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import shuffled

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

BOARD_BITS: Final = 22
"""Bits of a board number in a key."""
FAMILY_BITS: Final = 26
"""Bits of a family number in a key."""
_FAMILY: Final = (1 << FAMILY_BITS) - 1
_DECK: Final = (1 << DECK_BITS) - 1
_BOARD: Final = (1 << BOARD_BITS) - 1
_BOARD_SHIFT: Final = FAMILY_BITS + DECK_BITS

class Branch(NamedTuple):
    """One way a main action can go, before the end of the turn."""

    board: int
    stack: Stack
    deck: int
    drawn: int
    """Cards that came to the hand, packed."""
    over: bool = False


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
    bound_name = Bound.name

    def __init__(self, rulings: Rulings, table: Table, seat: int) -> None:
        self._rulings = rulings
        self._cards = rulings.cards
        self._seat = seat
        player = table.players[seat]
        copies = Counter(player.deck)
        copies.update(player.hand)
        self.kinds = Kinds(copies, rulings.damage_ids)
        self.families = Families(self.kinds)
        self.decks = Decks(self.kinds, rulings.ends_turn, self._shuffle)
        self.boards = BoardTables(rulings, table, seat)
        self._kind_cards = [rulings.cards[card] for card in self.kinds.names]
        self._stack_list: list[Stack] = [()]
        self._stack_numbers: dict[Stack, int] = {(): 0}
        self._actions: dict[int, dict[int, tuple[Action, ...]]] = {}
        self._speeds = SpeedTables(rulings, without_choices(table), seat)
        cards = (
            *(card for dog in player.dogs for card in (dog.dog, *dog.attachments)),
            *player.hand,
            *player.deck,
            *(frame.card for frame in player.stack),
        )
        self._stocks = Stocks(rulings, self._speeds.first, self.boards, self.kinds, cards)
        self._bounds: dict[int, Bound] = {}
        self.root = self.project(table)

    def _shuffle(self, cards: list[str], event: int) -> list[str]:
        orders = self._rulings.deck_orders[self._seat]
        return shuffled(self._rulings, cards, orders, DECK_EVENTS, self._seat, event)

    # Keys

    def project(self, table: Table) -> int:
        """Return the key of a table: equal keys have equal turns as far as the position is concerned."""
        player = table.players[self._seat]
        deck = self.decks.number(player.deck, table.counters.deck[self._seat])
        board = self.boards.number(Board(player.pos, player.hypothermia, player.starvation, player.dogs))
        stack = tuple((frame.card, frame.need - frame.paid) for frame in player.stack)
        return self._bare(board, stack, deck) | self.families.of(self.kinds.pack(player.hand))

    def _bare(self, board: int, stack: Stack, deck: int) -> int:
        """Return the key with an empty hand."""
        number = self._stack_numbers.get(stack)
        if number is None:
            number = self._stack_numbers[stack] = len(self._stack_list)
            self._stack_list.append(stack)
        return ((number << BOARD_BITS | board) << DECK_BITS | self.decks.canonical[deck]) << FAMILY_BITS

    def hands(self, key: int) -> Iterator[int]:
        """Yield the key of each single hand that a key stands for."""
        bare = key & ~_FAMILY
        for hand in self.families.hands(key & _FAMILY):
            yield bare | self.families.of(hand)

    def shape(self, key: int) -> int:
        """Return the key without its hand: what all hands of a family share."""
        return key & ~_FAMILY

    def rounds(self, key: int) -> int:  # noqa: ARG002  # the day cannot end
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
        families = self.families
        for action, family in self._main_actions(key):
            if action.energy <= families.usable[family]:
                left, groups = families.pay(family, action.energy), action.paid
            else:
                left, groups = family, action.failed
            for drawn, bares in groups:
                hand = families.draw(left, drawn)
                for bare in bares:
                    yield bare | hand

    def promising(self, key: int, turns: int, target: int) -> bool:
        """Return false where no line of at most ``turns`` more turns reaches ``target``, by an admissible bound."""
        bound = self._bounds.get(target)
        if bound is None:
            bound = Bound(self._rulings, self._speeds, self.boards, self._stocks, target)
            self._bounds[target] = bound
        families, family = self.families, key & _FAMILY
        deck = key >> FAMILY_BITS & _DECK
        return bound.promising(
            turns,
            key >> _BOARD_SHIFT & _BOARD,
            self._stack_list[key >> (_BOARD_SHIFT + BOARD_BITS)],
            families.pool[family] + self.decks.total[deck],
            families.usable[family] + families.stuck[family],
            self.decks.size[deck],
        )

    def _main_actions(self, key: int) -> Iterator[tuple[Action, int]]:
        """Yield each main action and the family of hands that it is paid from."""
        if self.is_over(key):
            return
        bare, family = key & ~_FAMILY, key & _FAMILY
        known = self._actions.get(bare)
        if known is None:
            known = self._actions[bare] = {}
        waiting = bare >> (_BOARD_SHIFT + BOARD_BITS)
        for kind, rest in ((-1, family),) if waiting else self.families.plays(family):
            actions = known.get(kind)
            if actions is None:
                actions = known[kind] = self._actions_of(bare, kind)
            for action in actions:
                yield action, rest

    def forget(self) -> None:
        """Drop the remembered main actions; the keys of a later layer seldom need those of an earlier one."""
        self._actions.clear()

    # Turns

    def _actions_of(self, bare: int, kind: int) -> tuple[Action, ...]:
        """Return what playing a kind of card, or continuing (-1), can do after every choice of free actions."""
        deck = bare >> FAMILY_BITS & _DECK
        stack = self._stack_list[bare >> (_BOARD_SHIFT + BOARD_BITS)]
        ends: dict[int, tuple[dict[tuple[int, int], None], dict[tuple[int, int], None]]] = {}
        for board in self.boards.free(bare >> _BOARD_SHIFT & _BOARD):
            if kind >= 0:
                energy, paid, failed = self._play(board, (), deck, self._kind_cards[kind])
            elif self.boards.fizzles(board) or not self.decks.size[deck]:
                energy, paid, failed = 0, [Branch(board, (), deck, 0)], []
            else:
                energy, paid, failed = self._play(board, stack, deck + 1, self._kind_cards[self.decks.top[deck]])
            all_paid, all_failed = ends.setdefault(energy, ({}, {}))
            all_paid.update((self._end(branch), None) for branch in paid)
            all_failed.update((self._end(branch), None) for branch in failed)
        return tuple(Action(energy, _grouped(paid), _grouped(failed)) for energy, (paid, failed) in sorted(ends.items()))

    def _play(self, board: int, stack: Stack, deck: int, card: Card) -> tuple[int, list[Branch], list[Branch]]:
        """Put a card on the table (R20 to R26): its energy cost, where it can lead if paid, and if it cannot be."""
        price = self.boards.price(board, card)
        failed = [Branch(price.board, (), deck, 0)]
        deck, paid = self.decks.pay(deck, price.health)
        if not paid or (price.risk and price.fizzles):
            return price.energy, [Branch(price.board, (), deck, 0)], failed
        if price.risk:
            return price.energy, [Branch(price.board, (*stack, (card.id, price.risk)), deck, 0)], failed
        return price.energy, self._resolve(Branch(price.board, stack, deck, 0), card), failed

    def _resolve(self, start: Branch, card: Card) -> list[Branch]:
        """Let a card take effect above the frames of ``start``, then those that it completes (R31, R36, R38)."""
        branches = [start]
        if card.type in ("dog", "attachment"):
            branches = [start._replace(board=change.board) for change in self.boards.place(start.board, card)]
        doubled = any(waiting in self._rulings.double_risk for waiting, _ in start.stack)
        done: list[Branch] = []
        for _ in range(2 if doubled else 1):
            skipped: list[Branch] = []
            for place in range(len(card.instant)):
                going: list[Branch] = []
                for branch in branches:
                    for after, stopped, skip in self._op(branch, card, place):
                        (done if stopped else skipped if skip else going).append(after)
                branches = going
            branches += skipped
        for branch in branches:
            done.extend(self._complete(branch))
        return done

    def _complete(self, branch: Branch) -> list[Branch]:
        """Count a resolved card for the frame below (R38)."""
        if not branch.stack:
            return [branch]
        waiting, missing = branch.stack[-1]
        below = branch.stack[:-1]
        if missing > 1:
            return [branch._replace(stack=(*below, (waiting, missing - 1)))]
        return self._resolve(branch._replace(stack=below), self._cards[waiting])

    def _op(self, branch: Branch, card: Card, place: int) -> Iterable[tuple[Branch, bool, bool]]:
        """Yield what one op leads to, whether the main action ends there, and whether the rest of the list is skipped."""
        effect = card.instant[place]
        decks = self.decks
        if effect.op in BOARD_OPS:
            for change in self.boards.run(branch.board, card, place):
                deck, drawn = decks.draw(branch.deck, change.draws)
                stack = () if change.over else branch.stack
                yield Branch(change.board, stack, deck, branch.drawn + drawn, change.over), change.over, change.skip
        elif effect.op == "draw":
            n = int(effect.args["n"])
            if effect.args.get("per") == "dog":
                n *= self.boards.dogs(branch.board)
            deck, drawn = decks.draw(branch.deck, n)
            yield branch._replace(deck=deck, drawn=branch.drawn + drawn), False, False
        else:
            look, destroy = self._heal_numbers(branch.board, card, place)
            for deck, stopped in decks.sort_out(branch.deck, look, destroy):
                yield branch._replace(deck=deck, stack=() if stopped else branch.stack), stopped, False

    def _heal_numbers(self, board: int, card: Card, place: int) -> tuple[int, int]:
        """Return how many cards a ``heal`` looks at and may destroy, bonuses included (R41)."""
        add_destroy, add_look = self.boards.heal_bonus(board, card)
        args = card.instant[place].args
        destroy = WHOLE_DECK if args["n"] == ALL else int(args["n"]) + add_destroy
        return WHOLE_DECK if args["of"] == ALL else int(args["of"]) + add_look, destroy

    def _end(self, branch: Branch) -> tuple[int, int]:
        """Return the cards drawn in the turn and the key after its end without the hand (R16)."""
        if branch.over:
            return branch.drawn, self._bare(branch.board, (), branch.deck)
        change = self.boards.automatic(branch.board)
        deck, drawn = self.decks.draw(branch.deck, change.draws)
        return branch.drawn + drawn, self._bare(change.board, branch.stack, deck)


def _grouped(ends: Iterable[tuple[int, int]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    groups: dict[int, list[int]] = {}
    for drawn, bare in ends:
        groups.setdefault(drawn, []).append(bare)
    return tuple((drawn, tuple(bares)) for drawn, bares in sorted(groups.items()))
