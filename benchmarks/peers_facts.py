"""A puzzle of one day told as facts, for tools that know no rules: places, plays between them, the deck, the hand.

The rules core answers what every card does on every board (``rules.iditacards.compact.plays``); nothing here says it
again. What is left to a tool is the flow of cards: a play takes its card from the hand or off the deck, then cards of
the hand for energy, then cards off the deck for health, and then it draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules.core.position import Position, new_position
from rules.iditacards.compact.board import Board, BoardTables
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, Draw, End, Plays
from rules.iditacards.engine import Iditacards

RULESET: Final = "iditacards/starter-race"
FORBIDDEN: Final = frozenset({"new_day"})
WON: Final = -1
"""The place behind the target: all boards there are one."""
START: Final = 0
"""The place at the beginning."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question to everybody: the fewest turns to a target from a starting position, on the first day."""

    seed: int
    target: int
    """Spaces to be at or past."""
    hand: int | None = None
    """Cards in hand where that is not what is dealt: taken off the deck, or put back on it."""
    deck: int | None = None
    """Cards left in the deck where that is not all of them: the top ones."""

    def position(self) -> Position:
        """Return the position."""
        position = new_position(RULESET, seed=self.seed)
        table = position.table()
        player = table.players[0]
        cards = (*player.hand, *player.deck)
        hand = len(player.hand) if self.hand is None else self.hand
        end = len(cards) if self.deck is None else hand + self.deck
        player = player._replace(hand=tuple(sorted(cards[:hand])), deck=cards[hand:end])
        return position.with_table(table._replace(players=(player,)))


@dataclass(frozen=True, slots=True, order=True)
class Arc:
    """A card played at a place, and one way it can go."""

    source: int
    card: str
    """Empty where a risk finds no card on the deck."""
    from_deck: bool
    """The card is the next risk, from the top of the deck, otherwise it comes from the hand."""
    energy: int
    """Cards of the hand to discard; where there are not so many, none is, and the play fails."""
    health: int
    """Cards of the deck to discard; where there are not so many, all are, and the play fails."""
    draws: int
    """Cards to draw afterwards, fewer if the deck is short."""
    target: int
    failed: int
    """The place after the turn if it cannot be paid."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything within some turns of the start; places are numbers without meaning."""

    hand: tuple[str, ...]
    deck: tuple[str, ...]
    """Top first."""
    places: int
    """Places are 0 … ``places`` - 1, and ``WON``."""
    arcs: tuple[Arc, ...]
    free: tuple[tuple[int, int], ...]
    """Pairs of different places of which free actions make the second of the first."""

    @property
    def cards(self) -> tuple[str, ...]:
        """Return every single card: those of the hand first, then the deck from the top."""
        return (*self.hand, *self.deck)

    def earlier(self, number: int) -> tuple[int, ...]:
        """Return the copies of a card, by place in ``cards``, that come to the hand no later than this one."""
        return tuple(other for other in range(number) if self.cards[other] == self.cards[number])


class Gathering:
    """Boards with what waits on them, met turn by turn together with the cards left in the deck.

    Whoever goes from horizon to horizon takes what ``extend`` adds.
    """

    def __init__(self, position: Position, target: int) -> None:
        """Begin with no turn.

        Raises:
            ValueError: the position has features that the facts do not tell.
        """
        game = position.game
        if not isinstance(game, Iditacards):
            raise ValueError(f"no facts of {position.game}")
        table = position.table()
        player = table.players[0]
        self.hand, self.deck = player.hand, player.deck
        self._target = target
        odd = (game.rulings.ends_turn | game.rulings.damage_ids) & {*self.hand, *self.deck}
        if odd:
            raise ValueError(f"cards that stop a payment or do not pay: {', '.join(sorted(odd))}")
        self._boards = BoardTables(game.rulings, table, 0)
        self._plays = Plays(game.rulings, self._boards)
        root = self._boards.number(Board(player.pos, player.hypothermia, player.starvation, player.dogs))
        self._numbers: dict[tuple[int, int], int] = {(root, 0): START}
        self._ways: dict[tuple[int, int, str], tuple[tuple[int, int, int], ...]] = {}
        """By board, stack and card: the boards and stacks after it, and the cards off the deck at most."""
        self._freed: set[tuple[int, int]] = set()
        self._layer = {(root, 0, 0)}
        self._met = set(self._layer)
        self._arcs: list[Arc] = []
        self._free: list[tuple[int, int]] = []
        self.turns = 0
        """Turns gathered."""
        self.arrives = False
        """Whether a play within them leads to the target; as long as none does, no plan is short enough."""

    def extend(self) -> tuple[list[Arc], list[tuple[int, int]]]:
        """Gather one turn more; return the arcs and the free actions that it adds."""
        arcs, free = len(self._arcs), len(self._free)
        after: set[tuple[int, int, int]] = set()
        for board, stack, taken in self._layer:
            after.update(self._after(board, stack, taken))
        self._layer = after - self._met
        self._met |= self._layer
        self.turns += 1
        return self._arcs[arcs:], self._free[free:]

    def facts(self) -> Facts:
        """Return all facts so far."""
        return Facts(self.hand, self.deck, len(self._numbers), tuple(self._arcs), tuple(self._free))

    def _place(self, board: int, stack: int) -> int:
        if self._boards.pos[board] >= self._target:
            return WON
        return self._numbers.setdefault((board, stack), len(self._numbers))

    def _after(self, board: int, stack: int, taken: int) -> Iterator[tuple[int, int, int]]:
        """Yield where the plays from here lead: board, stack, cards taken off the deck."""
        deck, size = self.deck, len(self.deck)
        frees = self._boards.free(board)
        if (board, stack) not in self._freed:
            self._freed.add((board, stack))
            here = self._place(board, stack)
            self._free += [(here, self._place(free, stack)) for free in frees if free != board]
        off = taken
        if not stack:
            cards = sorted({*self.hand, *deck[:taken]})
        elif taken < size:
            cards, off = [deck[taken]], taken + 1
        else:
            cards = [CONTINUES_IN_VAIN]
        for free in frees:
            for card in cards:
                ways = self._ways.get((free, stack, card))
                if ways is None:
                    ways = self._ways[free, stack, card] = tuple(self._tell(free, stack, card))
                for place, waiting, spent in ways:
                    yield place, waiting, min(size, off + spent)

    def _tell(self, board: int, stack: int, card: str) -> Iterator[tuple[int, int, int]]:
        """Note the arcs of a play; yield where it leads short of the target, and the cards it takes off the deck."""
        play = self._plays.play(board, stack, card)
        failed = play.failed
        if play.energy < 0 or failed.orders:
            raise ValueError(f"{card}: costs everything, or draws when it fails")
        source, missed = self._place(board, stack), self._place(failed.board, failed.stack)
        ends = []
        if play.energy:
            ends.append((failed, 0))
        if play.health:
            ends.append((failed, len(self.deck)))
        for end in play.ends:
            draws, target = _draws(card, end), self._place(end.board, end.stack)
            self._arcs.append(Arc(source, card, bool(stack), play.energy, play.health, draws, target, missed))
            self.arrives = self.arrives or target == WON
            ends.append((end, play.health + draws))
        for end, spent in ends:
            if self._boards.pos[end.board] < self._target:
                yield end.board, end.stack, spent


def gather(position: Position, target: int, turns: int) -> Facts:
    """Return the facts of every place that ``turns`` turns can lead to, whatever is in the hand by then.

    A plan of at most so many turns is among them, so that whoever finds none has excluded all.

    Raises:
        ValueError: the position has features that the facts do not tell.
    """
    gathering = Gathering(position, target)
    for _ in range(turns):
        gathering.extend()
    return gathering.facts()


def _draws(card: str, end: End) -> int:
    numbers = [order.n for order in end.orders if isinstance(order, Draw)]
    if len(numbers) < len(end.orders):
        raise ValueError(f"{card}: sorts out cards of the deck")
    return sum(numbers)
