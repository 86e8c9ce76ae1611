"""The turns of a race from boards, decks and sets of hands, asked of the rules once each; nodes and sets by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from puzzles.goal import Goal
from rules.core.laps import Ceiling, LapProbe, Parted
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State, TurnEnd
from solver.checker.closed import Budget, Choice, Tables, Unfit, name_of
from solver.checker.hands import HandSet, drawn, hand_set, most_of, paid, without

T = TypeVar("T")

LARGE: Final = 1 << 20
"""Progress that no turn brings, for layers without a bound."""

Play = tuple[str | None, int, int]
"""A card that may be played, or nothing; the set of hands without it, by number; the cards left in each."""


class Way(NamedTuple):
    """One way a turn can go from a board and a deck."""

    node: int
    gain: int
    pays: int
    drawn: tuple[str, ...]
    """Cards that come to the hand, ascending."""
    afresh: bool
    """They are the whole hand: what was in it has been put down."""


class LapTurns(Generic[T]):
    """Every turn of one race; what has been asked is remembered."""

    def __init__(self, game: Race[T], start: State[T], goal: Goal, budget: Budget) -> None:
        """Ask the game to take the race apart.

        Raises:
            Unfit: it does not, or knows no bound of it.
        """
        probe = game.lap_probe(start.table, goal.seat)
        if probe is None or start.pending or goal.forbidden or goal.target > game.default_target():
            raise Unfit("no race of whole turns that can be taken apart")
        if lacks := probe.missing():
            raise Unfit(", ".join(lacks))
        ceiling = probe.ceiling()
        if ceiling is None:
            raise Unfit("no bound of this race")
        self.probe: LapProbe[T] = probe
        self.ceiling: Ceiling[T] = ceiling
        self.tables = Tables(game, start, goal, budget)
        self.base = game.progress(start.table, goal.seat)
        """Where the rules are asked."""
        self.nodes: list[tuple[T, tuple[str, ...]]] = []
        """Boards and decks."""
        self.sets: list[HandSet] = []
        self.node_names: list[bytes] = []
        self.set_names: list[bytes] = []
        self._game = game
        self._cards = Counter(probe.cards)
        self._node_numbers: dict[tuple[T, tuple[str, ...]], int] = {}
        self._set_numbers: dict[HandSet, int] = {}
        self._node_left: list[tuple[int, ...]] = []
        self._set_left: list[tuple[int, ...]] = []
        self._plays: list[list[Play] | None] = []
        self._ways: dict[tuple[int, str | None, int], tuple[Way, ...]] = {}
        self._acted: dict[int, list[int]] = {}
        self._held: dict[tuple[int, int, tuple[str, ...]], int] = {}
        self._marks: dict[tuple[int, tuple[int, ...]], int] = {}

    # Numbers

    def node(self, parted: Parted[T]) -> int:
        """Return the number of a position's board and deck."""
        return self._node(parted.board, parted.deck)

    def _node(self, board: T, deck: tuple[str, ...]) -> int:
        number = self._node_numbers.get((board, deck))
        if number is None:
            number = self._node_numbers[board, deck] = len(self.nodes)
            self.nodes.append((board, deck))
            self.node_names.append(bytes.fromhex(name_of([self._game.encode(board), list(deck)])))
            self._node_left.append(self._counted(deck))
        return number

    def one_hand(self, hand: Sequence[str]) -> int:
        """Return the number of the set of one hand."""
        return self._set(hand_set((), hand))

    def _set(self, hands: HandSet) -> int:
        number = self._set_numbers.get(hands)
        if number is None:
            number = self._set_numbers[hands] = len(self.sets)
            self.sets.append(hands)
            self.set_names.append(bytes.fromhex(name_of([[list(group), gone] for group, gone in hands.chain])))
            self._set_left.append(tuple(most_of(hands, group) for group in self.ceiling.groups))
            self._plays.append(None)
        return number

    def plays(self, number: int) -> list[Play]:
        """Return what may be played from a set of hands: nothing, or any card that some hand holds."""
        plays = self._plays[number]
        if plays is None:
            hands = self.sets[number]
            plays = self._plays[number] = [(None, number, hands.others)]
            for card in sorted(hands.kinds()):
                rest = without(hands, card)
                if rest is not None:
                    plays.append((card, self._set(rest), rest.others))
        return plays

    def held(self, rest: int, way: Way) -> int:
        """Return the set of hands after a way through a turn, from the set without the card played."""
        asked = (-1, 0, way.drawn) if way.afresh else (rest, way.pays, way.drawn)
        number = self._held.get(asked)
        if number is None:
            hands = hand_set((), way.drawn) if way.afresh else drawn(paid(self.sets[rest], way.pays), way.drawn, ())
            number = self._held[asked] = self._set(hands)
        return number

    # The mark by which the bound knows a position

    def mark(self, node: int, hands: int) -> int:
        """Return the mark of a node with the best of a set of hands."""
        held = self._set_left[hands]
        mark = self._marks.get((node, held))
        if mark is None:
            left = [lying + most for lying, most in zip(self._node_left[node], held, strict=True)]
            mark = self._marks[node, held] = self.ceiling.mark(self.nodes[node][0], left)
        return mark

    def marked(self, parted: Parted[T]) -> int:
        """Return the mark of a single position."""
        return self.ceiling.mark(parted.board, self._counted((*parted.hand, *parted.deck)))

    def _counted(self, cards: Sequence[str]) -> tuple[int, ...]:
        return tuple(sum(card in group for card in cards) for group in self.ceiling.groups)

    # Turns, as the rules play them

    def free(self, node: int) -> Sequence[int]:
        """Return the node and all that free actions make of it before the main action of a turn."""
        found = self._acted.get(node)
        if found is None:
            board, deck = self.nodes[node]
            found = self._acted[node] = [self._node(acted, deck) for acted in self.probe.after_free(board)]
        return found

    def ways(self, node: int, card: str | None, others: int) -> tuple[Way, ...]:
        """Return what a main action does that plays a card, or none, with so many other cards in hand."""
        ways = self._ways.get((node, card, others))
        if ways is None:
            ways = self._ways[node, card, others] = self._ask(node, card, others)
        return ways

    def _ask(self, node: int, card: str | None, others: int) -> tuple[Way, ...]:
        board, deck = self.nodes[node]
        if card is not None and not self.probe.plays_cards(board):
            return ()
        own = [] if card is None else [card]
        free = self._cards - Counter([*self.probe.lying(board), *deck, *own])
        held = [*own, *sorted(free.elements())[:others]]
        assert len(held) == len(own) + others
        table = self.probe.whole(board, held, deck, self.base)
        ends = self.tables.ends(table, choice=self._one_payment(card))
        return tuple(dict.fromkeys(self._way(board, card, held, end) for end in ends))

    def _way(self, board: T, card: str | None, held: Sequence[str], end: TurnEnd[T]) -> Way:
        actions = [self.probe.main_action(getattr(step, "step", step)) for step in end.steps]
        main = next((action for action in actions if action is not None), None)
        if main is None or main.card != card:
            raise Unfit("a turn whose main action nobody chooses")
        parted = self.probe.part(end.table)
        node, gain = self.node(parted), parted.progress - self.base
        if self.probe.shuffles(board, parted.board):
            return Way(node, gain, 0, parted.hand, True)
        rest = Counter(held)
        rest.subtract([*main.paid, *([] if card is None else [card])])
        more = Counter(parted.hand)
        more.subtract(rest)
        if min(more.values(), default=0) < 0:
            raise Unfit("a turn that takes more from the hand than what is played and paid")
        return Way(node, gain, len(main.paid), tuple(sorted(more.elements())), False)

    def _one_payment(self, card: str | None) -> Choice:
        """Return what leaves main actions with the wanted card, of those that pay as many cards the first."""

        def one(moves: Sequence[Step]) -> Sequence[Step]:
            actions = [(move, self.probe.main_action(move)) for move in moves]
            if all(action is None for _, action in actions):
                return moves
            left: dict[tuple[str, int], Step] = {}
            for move, action in actions:
                if action is not None and action.card == card:
                    left.setdefault((move.text.split()[0], len(action.paid)), move)
            return list(left.values())

        return one


def optima(moves: Sequence[Sequence[tuple[int, int]]], turns: int, *, cuts: bool = True) -> list[list[int]]:
    """Return how much every mark can bring at most in 0, 1, 2, … turns of the smaller game of a ceiling.

    Without ``cuts`` it is more than any turns bring.
    """
    if not cuts:
        return [[LARGE * (turn + 1)] * len(moves) for turn in range(turns + 1)]
    most = [[0] * len(moves)]
    for _ in range(turns):
        before = most[-1]
        most.append([max(gain + before[after] for gain, after in each) for each in moves])
    return most
