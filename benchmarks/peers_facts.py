"""A puzzle of one day told as facts, for tools that know no rules: places, plays between them, the deck, the hand.

The rules core plays every card once on every board, with plenty of cards and with none; nothing here says a rule
again. What is left to a tool is the flow of cards: a play takes its card from the hand or off the deck, then cards of
the hand for energy, then cards off the deck for health, and then it draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules.core.position import Position, new_position
from rules.core.scripts import Asking
from rules.core.steps import Step
from rules.iditacards.engine import Iditacards
from rules.iditacards.seat import carry_out, free_actions
from rules.iditacards.state import NEW_DAY, Continue, FreeAction, Play, Table
from rules.iditacards.turn import Turn

RULESET: Final = "iditacards/starter-race"
FORBIDDEN: Final = frozenset({"new_day"})
WON: Final = -1
"""The place behind the target: all boards there are one."""
START: Final = 0
"""The place at the beginning."""
PLENTY: Final = 16
"""Cards in hand and deck with which the rules play a card: more than any card of the ruleset costs and draws."""


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

    A board is a table of one player without hand, deck and what no card of the ruleset reads. Whoever goes from horizon
    to horizon takes what ``extend`` adds.
    """

    def __init__(self, position: Position, target: int) -> None:
        """Begin with no turn.

        Raises:
            ValueError: the position has features that the facts do not tell.
        """
        game, table = position.game, position.table()
        if not isinstance(game, Iditacards) or position.ruleset.id != RULESET:
            raise ValueError(f"no facts of {position.ruleset.id}")
        player = table.players[0]
        self.hand, self.deck = player.hand, player.deck
        odd = (game.rulings.numbers["ends_turn_on_discard"].keys() | game.rulings.damage_ids) & {*self.hand, *self.deck}
        if odd:
            raise ValueError(f"cards that stop a payment or do not pay: {', '.join(sorted(odd))}")
        self._game = game
        self._filler = min(game.rulings.cards.keys() - game.rulings.damage_ids)
        self._target = target
        self._boards = [_board(table)]
        """By place."""
        self._places = {self._boards[START]: START}
        self._plays: dict[tuple[int, str], tuple[tuple[int, int], ...]] = {}
        """By place and card: the places after it, and the cards off the deck at most."""
        self._freed: dict[int, tuple[int, ...]] = {}
        """By place: itself, and what free actions make of it."""
        self._layer = {(START, 0): None}
        self._met = dict(self._layer)
        self._arcs: list[Arc] = []
        self._free: list[tuple[int, int]] = []
        self.turns = 0
        """Turns gathered."""
        self.arrives = False
        """Whether a play within them leads to the target; as long as none does, no plan is short enough."""

    def extend(self) -> tuple[list[Arc], list[tuple[int, int]]]:
        """Gather one turn more; return the arcs and the free actions that it adds."""
        arcs, free = len(self._arcs), len(self._free)
        after: dict[tuple[int, int], None] = {}
        for place, taken in self._layer:
            after.update(dict.fromkeys(self._after(place, taken)))
        self._layer = dict.fromkeys(each for each in after if each not in self._met)
        self._met.update(self._layer)
        self.turns += 1
        return self._arcs[arcs:], self._free[free:]

    def facts(self) -> Facts:
        """Return all facts so far."""
        return Facts(self.hand, self.deck, len(self._boards), tuple(self._arcs), tuple(self._free))

    def _place(self, board: Table) -> int:
        if self._game.progress(board) >= self._target:
            return WON
        place = self._places.setdefault(board, len(self._boards))
        if place == len(self._boards):
            self._boards.append(board)
        return place

    def _after(self, place: int, taken: int) -> Iterator[tuple[int, int]]:
        """Yield where the plays from here lead short of the target: place, cards taken off the deck."""
        size = len(self.deck)
        if self._boards[place].players[0].stack:
            cards = [*self.deck[taken : taken + 1]] or [""]
            taken = min(size, taken + 1)
        else:
            cards = sorted({*self.hand, *self.deck[:taken]})
        for free in self._after_free(place):
            for card in cards:
                if (free, card) not in self._plays:
                    ends = dict.fromkeys(self._play(free, card))
                    self._plays[free, card] = tuple(end for end in ends if end[0] != WON)
                for after, spent in self._plays[free, card]:
                    yield after, min(size, taken + spent)

    def _after_free(self, place: int) -> tuple[int, ...]:
        """Return a place and every one that free actions make of it; note them."""
        if place not in self._freed:
            places = [place]
            for before in places:
                turn = self._turn(before)
                for action in free_actions(turn, turn.seats[0]):
                    assert isinstance(action, FreeAction)
                    turn = self._turn(before)
                    carry_out(turn, turn.seats[0], action)
                    after = self._place(_board(turn.frozen()))
                    if after not in places:
                        places.append(after)
            self._free += [(place, after) for after in places[1:]]
            self._freed[place] = tuple(places)
        return self._freed[place]

    def _turn(self, place: int) -> Turn:
        return Turn(self._game.rulings, self._boards[place], Asking(()))

    def _play(self, place: int, card: str) -> Iterator[tuple[int, int]]:
        """Note the arcs of a play; yield the places that it leads to, and the cards it takes off the deck."""
        board = self._boards[place]
        from_deck = bool(board.players[0].stack)
        for after, energy, health, draws in dict.fromkeys(self._ends(board, card, PLENTY if card else 0)):
            missed = self._failed(board, card) if energy or health else after
            self._arcs.append(Arc(place, card, from_deck, energy, health, draws, after, missed))
            self.arrives = self.arrives or after == WON
            yield after, health + draws
            if energy:
                yield missed, 0
            if health:
                yield missed, len(self.deck)

    def _failed(self, board: Table, card: str) -> int:
        """Return the place after a play that nothing is left to pay."""
        (failed,) = {after for after, *_ in self._ends(board, card, 0)}
        return failed

    def _ends(self, board: Table, card: str, others: int) -> Iterator[tuple[int, int, int, int]]:
        """Let the rules play a card with so many others in hand and deck.

        Yields:
            The place after the turn, the cards of the hand and of the deck that it cost, the cards drawn.
        """
        player = board.players[0]
        own, more = [card] if card else [], [self._filler] * others
        hand, deck = (more, own + more) if player.stack else (sorted(own + more), more)

        def wanted(step: Step) -> bool:
            if isinstance(step, Play):
                return step.card == card
            return step != NEW_DAY and not isinstance(step, FreeAction)

        table = board._replace(players=(player._replace(hand=tuple(hand), deck=tuple(deck)),))
        for end in self._game.turn_ends(table, wanted=wanted):
            action, after = end.steps[0], end.table.players[0]
            assert isinstance(action, Play | Continue)
            energy = len(action.energy or ())
            draws = len(after.hand) + energy - len(more)
            health = len(more) - draws - len(after.deck)
            yield self._place(_board(end.table)), energy, health, draws


def _board(table: Table) -> Table:
    """Return a table without hand, deck, and what is only written down: piles, records, the clock."""
    bare = table.players[0]._replace(
        hand=(), deck=(), discard=(), resolved=(), foods=(), personal=0, moved=False, turns=0
    )
    return table._replace(players=(bare,), destroyed=())


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
