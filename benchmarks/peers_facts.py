"""A puzzle of one day told as facts, for tools that know no rules: places, plays between them, the deck, the hand.

The rules core answers what every card does on every board (``rules.iditacards.compact_plays``); nothing here says it
again. What is left to a tool is the flow of cards: a play takes its card from the hand or off the deck, then cards of
the hand for energy, then cards off the deck for health, and then it draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules.core.position import Position, new_position
from rules.iditacards.compact_board import BoardTables
from rules.iditacards.compact_plays import CONTINUES_IN_VAIN, Draw, End, Play, Plays
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


def gather(position: Position, target: int, turns: int) -> Facts:
    """Return the facts of every place that ``turns`` turns can lead to, whatever is in the hand by then.

    A plan of at most so many turns is among them, so that whoever finds none has excluded all.

    Raises:
        ValueError: the position has features that the facts do not tell.
    """
    return _Gathering(position, target).facts(turns)


class _Gathering:
    """Boards with what waits on them, met turn by turn together with the cards left in the deck."""

    def __init__(self, position: Position, target: int) -> None:
        game = position.game
        if not isinstance(game, Iditacards):
            raise ValueError(f"no facts of {position.game}")
        table = position.table()
        self._player = table.players[0]
        self._target = target
        odd = (game.rulings.ends_turn | game.rulings.damage_ids) & {*self._player.hand, *self._player.deck}
        if odd:
            raise ValueError(f"cards that stop a payment or do not pay: {', '.join(sorted(odd))}")
        self._boards = BoardTables(game.rulings, table, 0)
        self._plays = Plays(game.rulings, self._boards)
        self._numbers: dict[tuple[int, int], int] = {(self._boards.root, 0): START}
        self._arcs: set[Arc] = set()
        self._free: set[tuple[int, int]] = set()

    def facts(self, turns: int) -> Facts:
        layer = {(self._boards.root, 0, 0)}
        met = set(layer)
        for _ in range(turns):
            layer = {after for before in layer for after in self._after(*before)} - met
            met |= layer
        hand, deck = self._player.hand, self._player.deck
        return Facts(hand, deck, len(self._numbers), tuple(sorted(self._arcs)), tuple(sorted(self._free)))

    def _place(self, board: int, stack: int) -> int:
        if self._boards.pos[board] >= self._target:
            return WON
        return self._numbers.setdefault((board, stack), len(self._numbers))

    def _after(self, board: int, stack: int, taken: int) -> Iterator[tuple[int, int, int]]:
        """Note the arcs from here and yield where they lead: board, stack, cards taken off the deck."""
        deck = self._player.deck
        for free in self._boards.free(board):
            if free != board:
                self._free.add((self._place(board, stack), self._place(free, stack)))
            if not stack:
                plays = [(card, taken) for card in sorted({*self._player.hand, *deck[:taken]})]
            else:
                plays = [(deck[taken], taken + 1)] if taken < len(deck) else [(CONTINUES_IN_VAIN, taken)]
            for card, off in plays:
                play = self._plays.play(free, stack, card)
                yield from self._ways(self._place(free, stack), play, card, off, from_deck=bool(stack))

    def _ways(self, source: int, play: Play, card: str, off: int, *, from_deck: bool) -> Iterator[tuple[int, int, int]]:
        if play.energy < 0 or play.failed.orders:
            raise ValueError(f"{card}: costs everything, or draws when it fails")
        size, failed = len(self._player.deck), play.failed
        ends = [(failed, off), (failed, size)]
        for end in play.ends:
            draws = _draws(card, end)
            target, missed = self._place(end.board, end.stack), self._place(failed.board, failed.stack)
            self._arcs.add(Arc(source, card, from_deck, play.energy, play.health, draws, target, missed))
            ends.append((end, min(size, off + play.health + draws)))
        for end, taken in ends:
            if self._boards.pos[end.board] < self._target:
                yield end.board, end.stack, taken


def _draws(card: str, end: End) -> int:
    numbers = [order.n for order in end.orders if isinstance(order, Draw)]
    if len(numbers) < len(end.orders):
        raise ValueError(f"{card}: sorts out cards of the deck")
    return sum(numbers)
