"""Turns told as a flow of cards: boards and decks as nodes, the hand left to the model.

A node is a board, a deck and the number of cards in the hand that may pay; an arc says which card it plays, how many
others it costs, and which cards it draws. Which cards are in the hand and which of them pay is decided by the model.
So there are more lines here than the game has, none of them missing; the model keeps those whose cards are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from puzzles.goal import Goal
from rules.core.hands import HandProbe, HistoryRead
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State, TurnEnd
from solver.facts import (
    NO_CARD,
    Arc,
    Final,
    HorizonFacts,
    Layers,
    Meter,
    Taken,
    Unusable,
    fewest_moves,
    hand_probe,
)
from solver.facts_actions import Actions, Deck, Ending

T = TypeVar("T")
R = TypeVar("R")


class Node(NamedTuple):
    """A position but for its hand."""

    board: int
    deck: Deck
    payable: int
    """Cards in the hand that may pay."""


class CardFlow(Layers[T], Generic[T]):
    """Layers of boards and decks."""

    formulation = "card flow"

    def __init__(self, game: Race[T], table: T, goal: Goal, meter: Meter) -> None:
        super().__init__(game, table, goal, meter)
        self._begin(hand_probe(game, table, goal.seat))

    def _begin(self, probe: HandProbe[T]) -> None:
        """Forget all turns and start at the root."""
        self._probe = probe
        self.turns.clear()
        start = probe.start(self.table)
        stock = len(start.hand) + len(start.deck)
        self._actions = Actions(self.game, probe, self.goal, self.meter, stock)
        for card in sorted({*start.hand, *start.deck}):
            self._actions.kind(card)
        self._hand = Counter(self._actions.kind(card) for card in start.hand)
        self._nodes: list[Node] = []
        self._most: list[dict[int, int]] = []
        """By node: the greatest number of copies of each kind that its hand can hold."""
        payable = sum(self._actions.payable[kind] * copies for kind, copies in self._hand.items())
        self._layer: dict[Node, int] = {}
        self._add(self._layer, Node(self._actions.board(start.board), start.deck, payable), dict(self._hand))

    def _add(self, layer: dict[Node, int], node: Node, most: dict[int, int]) -> int:
        """Return the number of a node in a layer, new or known; ``most`` is what its hand can hold on this way."""
        number = layer.get(node)
        if number is None:
            number = layer[node] = len(self._nodes)
            self._nodes.append(node)
            self._most.append(most)
            self.meter.count()
            return number
        known = self._most[number]
        for kind, copies in most.items():
            if copies > known.get(kind, 0):
                known[kind] = copies
        return number

    # Turns

    def extend(self) -> bool:
        """Add one turn to every line and return whether there is any node after it."""
        return self._keeping_what_is_read(self._extend)

    def horizon(self) -> HorizonFacts:
        """Return the facts of a horizon one turn longer than the turns extended so far."""
        return self._keeping_what_is_read(self._horizon)

    def _keeping_what_is_read(self, ask: Callable[[], R]) -> R:
        """Ask; and begin again with boards that hold a zone if it turns out to be read after all."""
        depth = len(self.turns)
        while True:
            try:
                while len(self.turns) < depth:
                    self._extend()
                return ask()
            except HistoryRead as read:
                probe = self._probe.keeping(read.zone)
                if probe is None:
                    raise Unusable(f"{read.zone}: this zone is read") from None
                self._begin(probe)

    def _extend(self) -> bool:
        actions = self._actions
        arcs = self._free_arcs()
        after: dict[Node, int] = {}
        for node, source in self._layer.items():
            if self.game.is_over(actions.boards[node.board]):
                same = self._add(after, node, dict(self._most[source]))
                arcs.append(Arc(source, same, NO_CARD, 0, (), False))
                continue
            found: dict[Arc, None] = {}
            for card, ending in self._endings(node, source, last=False):
                gains = actions.gains(node.deck, ending)
                gained = sum(actions.payable[kind] for kind in gains)
                payable = node.payable - self._own(card) - ending.lost + gained
                target = Node(ending.board, actions.deck_after(node.board, node.deck, ending), payable)
                number = self._add(after, target, self._most_after(source, card, gains))
                found[Arc(source, number, card, ending.lost, gains, False)] = None
            arcs.extend(found)
            self.meter.count(len(found))
        self.turns.append(arcs)
        self._layer = after
        return bool(after)

    def _horizon(self) -> HorizonFacts:
        actions = self._actions
        free = self._free_arcs()
        finals: dict[tuple[int, int, int], int] = {}
        for node, source in self._layer.items():
            if self.game.is_over(actions.boards[node.board]):
                finals[source, NO_CARD, 0] = self._progress(node.board)
                continue
            for card, ending in self._endings(node, source, last=True):
                key = (source, card, ending.lost)
                finals[key] = max(finals.get(key, -1), self._progress(ending.board))
            self.meter.count()
        return HorizonFacts(
            kinds=len(actions.kinds),
            payable=tuple(map(bool, actions.payable)),
            hand=tuple(self._hand[kind] for kind in range(len(actions.kinds))),
            root=0,
            turns=tuple(self.turns),
            free=free,
            finals=[Final(*key, progress) for key, progress in finals.items()],
        )

    def _free_arcs(self) -> list[Arc]:
        """Close the layer under free actions and return their arcs."""
        payable = self._actions.payable
        arcs: dict[Arc, None] = {}
        queue = list(self._layer.items())
        while queue:
            node, source = queue.pop()
            for action in self._actions.free(node.board):
                target = Node(action.board, node.deck, node.payable + sum(payable[kind] for kind in action.gains))
                known = self._layer.get(target)
                before = None if known is None else dict(self._most[known])
                number = self._add(self._layer, target, self._most_after(source, NO_CARD, action.gains))
                if before != self._most[number]:
                    queue.append((target, number))
                arcs[Arc(source, number, NO_CARD, 0, action.gains, True)] = None
        self.meter.count(len(arcs))
        return list(arcs)

    def _endings(self, node: Node, source: int, *, last: bool) -> Iterator[tuple[int, Ending]]:
        """Yield every main action that this node's hand may allow, with every ending of it."""
        where = self._actions.where(node.board, node.deck)
        cards = [NO_CARD]
        if self._probe.plays_cards(self._actions.boards[node.board]):
            cards.extend(kind for kind, copies in sorted(self._most[source].items()) if copies > 0)
        for card in cards:
            others = node.payable - self._own(card)
            if others >= 0:
                for ending in self._actions.endings(where, card, others, last=last):
                    yield card, ending

    def _own(self, card: int) -> int:
        """Return 1 if the card an action plays is one that might have paid, otherwise 0."""
        return 0 if card == NO_CARD else self._actions.payable[card]

    def _most_after(self, source: int, card: int, gains: Sequence[int]) -> dict[int, int]:
        most = dict(self._most[source])
        if card != NO_CARD:
            most[card] -= 1
        for kind in gains:
            most[kind] = most.get(kind, 0) + 1
        return most

    def _progress(self, board: int) -> int:
        return self.game.progress(self._actions.boards[board], self.goal.seat)

    # Back to the game

    def replay(self, table: T, taken: Taken, least: int | None) -> TurnEnd[T] | None:
        """Return a turn of the game from ``table`` that is the one taken, the one with the fewest moves."""
        *frees, main = taken.arcs
        kinds, seat = self._actions.kinds, self.goal.seat
        paid = Counter({kinds[kind]: copies for kind, copies in taken.paid.items()})
        name = None if main.card == NO_CARD else kinds[main.card]
        hand = Counter(self.game.hand(table, seat))
        hand.subtract(paid)
        hand.subtract([] if name is None else [name])
        steps: list[Step] = []
        for arc in taken.arcs:
            if isinstance(arc, Arc):
                hand.update(kinds[kind] for kind in arc.gains)
        for arc in frees:
            steps.extend(self._free_steps(arc))

        def fits(end: TurnEnd[T]) -> bool:
            if isinstance(main, Final):
                return self.game.progress(end.table, seat) >= (least or 0)
            after = self._probe.start(end.table)
            target = self._nodes[main.target]
            same = after.board == self._actions.boards[target.board] and after.deck == target.deck
            return same and Counter(after.hand) == +hand

        return fewest_moves([end for end in self._turns_after(table, steps, name, paid) if fits(end)])

    def _turns_after(
        self, table: T, steps: Sequence[Step], name: str | None, paid: Counter[str]
    ) -> Iterator[TurnEnd[T]]:
        """Yield the ends of the turns that begin with these free actions and a main action that can be meant."""
        state = State(table)
        for step in steps:
            state = self.game.apply(state, step).state
        for move in self.game.legal_moves(state):
            action = self._probe.main_action(move)
            if action is not None and action.card == name and not Counter(action.paid) - paid:
                yield from self.game.turn_ends(table, [*steps, move])

    def _free_steps(self, arc: Arc | Final) -> tuple[Step, ...]:
        assert isinstance(arc, Arc)
        source, target = self._nodes[arc.source], self._nodes[arc.target]
        actions = self._actions.free(source.board)
        return next(way.steps for way in actions if way.board == target.board and way.gains == arc.gains)
