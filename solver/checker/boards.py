"""Closed layers of boards, decks and sets of hands: the form for games in which one hand plays and pays.

It relies on what the rules themselves promise through ``rules.core.hands``: a turn asks of the cards that stay in the
hand only how many may pay, and nothing of the zones that boards leave out. Each turn is played with a stranger in
the place of every card of the hand that may pay and is not the one played; the hand has its true size, and cards that
cannot pay lie in it as they are. Nothing of this is taken on trust where it can be watched:

- marked cards lie in the zones left out, and a turn that moves one refuses the form (``HistoryRead``);
- a stranger that leaves the hand otherwise than as a payment refuses it too;
- choices that differ in a zone left out only are taken once, as far as ``HandProbe.different`` says so;
- real turns played at random from the real start must always lead into the layers (``check``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Generic, NamedTuple, TypeVar

from puzzles.goal import Goal
from rules.core.hands import HandProbe
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State
from solver.checker.closed import Budget, Choice, Layers, Unfit, name_of
from solver.checker.hands import HandSet, contains, drawn, hand_set, paid, without

T = TypeVar("T")

Deck = tuple[str, ...]
Node = tuple[int, Deck]
"""A board by number, and a deck."""


class Way(NamedTuple):
    """One way a turn can go from a board and a deck."""

    node: Node
    pays: int
    gains: tuple[str, ...]
    """Cards that may pay and that come to the hand, ascending."""
    fixed: tuple[str, ...]
    """Cards of the hand that cannot pay afterwards, ascending."""


class Hands(Layers[T], Generic[T]):
    """Boards and decks with sets of hands."""

    form = "hands"

    def __init__(
        self, game: Race[T], start: State[T], goal: Goal, budget: Budget, probe: HandProbe[T] | None = None
    ) -> None:
        """Begin with boards that hold no more than they must.

        Raises:
            Unfit: the game has no such hand here, or the turn has begun.
        """
        super().__init__(game, start, goal, budget)
        found = probe or game.hand_probe(start.table, goal.seat)
        if found is None:
            raise Unfit("no hand that plays and pays")
        if found.missing():
            raise Unfit(", ".join(found.missing()))
        if start.pending:
            raise Unfit("a turn that has begun")
        self._probe = found
        self._boards: list[T] = []
        self._numbers: dict[T, int] = {}
        self._names: dict[int, str] = {}
        self._payable: dict[str, bool] = {}
        self._known: dict[tuple[Node, str | None, int, tuple[str, ...]], tuple[Way, ...]] = {}
        split = found.start(start.table)
        payable, fixed = self._sorted(split.hand)
        self._layer: dict[Node, set[HandSet]] = {
            (self._number(split.board), split.deck): {hand_set(fixed, payable)},
        }

    def wider(self, zone: str) -> Hands[T] | None:
        """Return the same start with boards that hold a zone, or nothing if they cannot."""
        probe = self._probe.keeping(zone)
        return None if probe is None else Hands(self.game, self.start, self.goal, self.budget, probe)

    # The layer

    def advance(self) -> None:
        """Go on to the positions one own turn later."""
        self._known.clear()
        after: dict[Node, set[HandSet]] = {}
        for node, sets in self._layer.items():
            over = self.game.is_over(self._boards[node[0]])
            for hands in sets:
                for found, left in [(node, hands)] if over else self._after(node, hands):
                    layer = after.setdefault(found, set())
                    if left not in layer:
                        layer.add(left)
                        self.budget.keep()
        self._layer = after

    def names(self) -> list[str]:
        """Return a short digest of each board, deck and set of hands, ascending."""
        names: list[str] = []
        for (board, deck), sets in self._layer.items():
            head = f"{self._name(board)} {deck}"
            names.extend(sha256(f"{head} {hands.fixed} {hands.chain}".encode()).hexdigest()[:16] for hands in sets)
        return sorted(names)

    def furthest(self) -> int | None:
        """Return the greatest progress on a board, or nothing if there is none."""
        return max((self._progress(board) for board, _ in self._layer), default=None)

    def furthest_next(self) -> int | None:
        """Return the greatest progress one own turn later, or nothing if no turn is left."""
        self._known.clear()
        best: int | None = None
        for node, sets in self._layer.items():
            if self.game.is_over(self._boards[node[0]]):
                best = max(best or 0, self._progress(node[0]))
                continue
            for way in self._last_ways(node, sets):
                best = max(best or 0, self._progress(way.node[0]))
        return best

    def holds(self, table: T) -> bool:
        """Return whether a table is one of the layer."""
        split = self._probe.start(table)
        number = self._numbers.get(split.board)
        if number is None:
            return False
        return any(contains(hands, split.hand) for hands in self._layer.get((number, split.deck), ()))

    @property
    def alive(self) -> bool:
        """Whether the game goes on at any of the positions."""
        return any(not self.game.is_over(self._boards[board]) for board, _ in self._layer)

    # Turns

    def _after(self, node: Node, hands: HandSet) -> Iterator[tuple[Node, HandSet]]:
        """Yield where a turn can lead from a set of hands."""
        for card, rest in self._plays(node, hands):
            for way in self._ways(node, card, rest.others, rest.fixed):
                yield way.node, drawn(paid(rest, way.pays), way.gains, way.fixed)

    def _plays(self, node: Node, hands: HandSet) -> Iterator[tuple[str | None, HandSet]]:
        """Yield each card that may pay and can be played instead, then none, with the rest of the hand."""
        if self._probe.plays_cards(self._boards[node[0]]):
            for card in sorted(hands.kinds()):
                rest = without(hands, card)
                if rest is not None:
                    yield card, rest
        yield None, hands

    def _last_ways(self, node: Node, sets: set[HandSet]) -> Iterator[Way]:
        """Yield ways of a last turn from any of the sets of hands: for each progress that it can end with, one."""
        asked = {(card, rest.others, rest.fixed) for hands in sets for card, rest in self._plays(node, hands)}
        for card, others, fixed in asked:
            yield from self._play(node, card, others, fixed, last=True)

    def _ways(self, node: Node, card: str | None, others: int, fixed: tuple[str, ...]) -> tuple[Way, ...]:
        """Return the ways of a turn that plays ``card`` from a hand with ``others`` more cards that may pay.

        Without a card: all ways that play no card of the hand that may pay, but perhaps one that comes to it before,
        or one that cannot pay.
        """
        key = (node, card, others, fixed)
        ways = self._known.get(key)
        if ways is None:
            ways = self._known[key] = tuple(dict.fromkeys(self._play(*key)))
        return ways

    def _play(
        self, node: Node, card: str | None, others: int, fixed: tuple[str, ...], *, last: bool = False
    ) -> Iterator[Way]:
        probe, filler = self._probe, self._probe.filler
        own = [] if card is None else [card]
        table = probe.join(self._boards[node[0]], [*own, *[filler] * others, *fixed], node[1])
        for end in self.ends(table, choice=self._choice(card, last=last)):
            actions = [probe.main_action(getattr(step, "step", step)) for step in end.steps]
            main = next((action for action in actions if action is not None), None)
            if main is None or main.card == filler or (card is not None and main.card != card):
                raise Unfit("a turn whose main action nobody chooses")
            after = probe.split(end.table)
            held = Counter(after.hand)
            pays = others - held.pop(filler, 0)
            if pays != main.paid.count(filler) or filler in after.deck or filler in probe.lying(after.board):
                raise Unfit("a turn that reads the rest of the hand")
            payable, stuck = self._sorted(tuple(held.elements()))
            yield Way((self._number(after.board), after.deck), pays, payable, stuck)

    def _choice(self, card: str | None, *, last: bool) -> Choice:
        """Return what leaves free actions and of main actions the wanted one, and of equal choices one."""
        probe = self._probe

        def wanted(step: Step) -> bool:
            action = probe.main_action(step)
            if action is None:
                return True
            return action.card != probe.filler if card is None else action.card == card

        return lambda moves: probe.different([step for step in moves if wanted(step)], last=last)

    # Numbers and names

    def _sorted(self, hand: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the cards of a hand that may pay, and those that may not, both ascending."""
        for card in hand:
            if card not in self._payable:
                self._payable[card] = bool(self._probe.payable((card,)))
        payable = tuple(sorted(card for card in hand if self._payable[card]))
        return payable, tuple(sorted(card for card in hand if not self._payable[card]))

    def _number(self, board: T) -> int:
        number = self._numbers.get(board)
        if number is None:
            number = self._numbers[board] = len(self._boards)
            self._boards.append(board)
        return number

    def _name(self, board: int) -> str:
        name = self._names.get(board)
        if name is None:
            name = self._names[board] = name_of(self.game.encode(self._boards[board]))
        return name

    def _progress(self, board: int) -> int:
        return self.game.progress(self._boards[board], self.goal.seat)
