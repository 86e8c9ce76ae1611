"""A whole open race of one seat over legs, weather and conditions, over packed positions.

``track.layout`` lays out the tables and ``track.kernel`` plays the turns; this module translates between them.
``track.scope`` says which questions are carried, and which of them *exactly*: with ``TrackForm.exact`` the turns are
all turns of the engine. Else they are some of them: cards that the form does not play only pay for others, what
personal cards look at is discarded, nothing is taken from the supply, legendary cards are chosen in the order of their
ids and only pay, nothing is recovered, and free actions are not taken. Every line found is a line of the game then, but
that there is no shorter one is not shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from rules.core.steps import Step
from rules.core.turns import State, TurnEnd
from rules.iditacards.moves import NEW_DAY, Continue, Play, Put, Take
from rules.iditacards.race.boards import Pack
from rules.iditacards.race.kernel import WORK
from rules.iditacards.race.scope import cards_of
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.track import bound as track_bound
from rules.iditacards.track.kernel import (
    DAY_SHIFT,
    KERNEL,
    POS_SHIFT,
    progress,
    successors,
)
from rules.iditacards.track.layout import ROOM, TrackLayout
from rules.iditacards.track.outlook import Coarse, Fine
from rules.iditacards.track.scope import Scope
from rules.iditacards.track.tables import MOST_DAYS
from rules.iditacards.track.view import TrackView, views

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards

NOWHERE: Final = (-1, 0)
"""What stands for tables that the form does not reach."""


class TrackForm(TrackLayout):
    """The turns of one race from a table, with everything they look up; itself a ``SearchProblem``."""

    engine = "track"
    apart = False
    most_days = MOST_DAYS - 1
    kernel: Mapping[str, Callable[..., Any]] = {each.__name__: each for each in (*KERNEL, *track_bound.KERNEL)}
    work = WORK
    indifferent: frozenset[str] = frozenset()
    decides_late = False
    bound_name = "race over the track with cards in any order"
    thorough = False
    """Whether the widest beams are worth their time: narrower ones led to no other form."""
    projections = (
        "discard pile, resolved risk cards (what a new day shuffles follows from what is in play and destroyed), "
        "supply, day records, checkpoints passed",
    )

    def __init__(
        self, rulings: Rulings, table: Table, seat: int, carried: Scope, target: int, game: Iditacards | None = None
    ) -> None:
        """Lay out the tables for all races from ``table``; ``target`` is where the question ends.

        ``game`` helps to find the moves between two positions.

        Raises:
            OverflowError: the keys do not fit, or the rules are of another kind than the tables.
        """
        super().__init__(rulings, table, seat, carried)
        self.game = game
        self.legs = table.legs
        self.target = target
        self._look()
        self.root = self.project(table)
        self.most_successors = ROOM
        self.waiting = 0
        self._keys = [0] * ROOM
        self._places = [0] * ROOM
        self._work = [0] * WORK

    def look_ahead(self, turns: int) -> list[int]:
        """Return the fewest turns of every outlook."""
        return self.bound.table(self.target)

    def sharpened(self) -> Fine:
        """Return the bound that compiled code fills and looks up in place of that one."""
        return Fine(self)

    def views(self) -> list[TrackView]:
        """Return coarser views, the coarsest first."""
        return views(self, Fine(self))

    # Keys

    def project(self, table: Table) -> tuple[int, int]:
        """Return the position of a table of this race; ``NOWHERE`` where the form does not reach it."""
        return next((position for board in self._boards(table) for position in self._places_of(table, board)), NOWHERE)

    def _places_of(self, table: Table, board: int) -> Iterator[tuple[int, int]]:
        """Yield the position of a table with the number of its board, if there is one."""
        player, tables = table.players[self.seat], self.tables
        day = self._decks.shuffles(table)
        if day != player.days - self.table.players[self.seat].days:  # something else was shuffled
            return
        frames = () if table.over else tuple((self.kind.get(f.card, -1), f.need - f.paid) for f in player.stack)
        if frames not in self.stacks or not self.ensure(day):
            return
        hand = sum(tables.unit[self.kind[card]] for card in player.hand)
        place = day << DAY_SHIFT | player.pos << POS_SHIFT | player.hypothermia << 3 | player.starvation
        first = (day - 1) * tables.mixes + 1 if day else 0
        found = self._decks.find(range(first, first + tables.mixes) if day else range(1), player.deck)
        if found is not None:
            deck, taken = found
            key = deck - first << tables.deck_shift | taken << tables.taken_shift
            key |= board << tables.board_shift | self.stacks[frames] << tables.stack_shift
            yield key | hand, place

    def _boards(self, table: Table) -> Iterator[int]:
        """Yield the numbers of the board; what the player has no longer is destroyed, the supply apart (R3)."""
        player = table.players[self.seat]
        has = cards_of(player)
        chosen = Counter(self._legendary[: self.tables.passed[player.pos]])
        for stock in self._stocks(table):
            dead = self.cards + chosen + self._gained[stock]
            dead.subtract(has)
            pack = Pack(player.dogs, tuple(sorted(dead.elements())), stock)
            if min(dead.values(), default=0) >= 0 and pack in self.boards.numbers:
                yield self.boards.numbers[pack]

    def shape(self, position: tuple[int, int]) -> tuple[Any, ...]:
        """Return what makes a position: equal shapes have equal turns."""
        key, place = position
        if key < 0:
            return NOWHERE
        tables = self.tables
        day = place >> DAY_SHIFT
        deck = (day - 1) * tables.mixes + 1 + (key >> tables.deck_shift) if day else 0
        taken = key >> tables.taken_shift & tables.taken_mask
        return self._decks.rest(deck, taken), key & (1 << tables.taken_shift) - 1, place

    def successors(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the position after every way through the next turn; equal positions may come several times.

        Raises:
            OverflowError: there is no room for so many days, or for so many ways through one turn.
        """
        if self.is_over(position):
            return
        if not self.ensure(self.rounds(position) + 1):
            raise OverflowError("more days than there is room for")
        ends = successors(*position, self.tables, self._keys, self._places, self._work, -1, (), None)
        if ends < 0:
            raise OverflowError("more ways through a turn than there is room for")
        yield from list(zip(self._keys[:ends], self._places[:ends], strict=True))

    def some_successors(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield all successors: they cost little."""
        return self.successors(position)

    def progress(self, position: tuple[int, int]) -> int:
        """Return the position on the track, in spaces."""
        return progress(position[1])

    def rounds(self, position: tuple[int, int]) -> int:
        """Return the new days called."""
        return position[1] >> DAY_SHIFT

    def promise(self, position: tuple[int, int]) -> int:
        """Return a guess of how good a position is, for beams: the place on the track."""
        return self.progress(position)

    def is_over(self, position: tuple[int, int]) -> bool:
        """Return whether the race has ended."""
        return self.progress(position) >= self.rulings.finish_at

    def promising(self, position: tuple[int, int], turns: int, target: int) -> bool:
        """Return false where no line of at most ``turns`` more turns reaches ``target``, by an admissible bound."""
        return self.lacking(position, turns, target) == 0

    def lacking(self, position: tuple[int, int], turns: int, target: int) -> int:
        """Return how many more turns than those left the target needs at least, by the bound."""
        return max(0, self.bound.least(position, target) - turns)

    def least_turns(self, states: int | None = None) -> tuple[int, bool]:
        """Return a number of turns that no line of the game falls below, and whether more work may raise it."""
        return self.bound.least_of_all(states)

    def way(self, table: Table, shapes: Container[Any]) -> TurnEnd[Table] | None:
        """Return a turn from a table to one of ``shapes``, without looking at the ends of most moves."""
        if self.game is None or not isinstance(shapes, Collection):
            return None
        hands = [shape[1] & self.tables.hand_mask for shape in shapes if shape != NOWHERE]
        player = table.players[self.seat]
        for move in self.game.legal_moves(State(table)):
            if isinstance(move, (Play, Continue)):
                left = Counter(player.hand)
                left.subtract([*(move.energy or ()), *([move.card] if isinstance(move, Play) else [])])
                if not any(self._is_part(left, hand) for hand in hands):
                    continue
            elif move != NEW_DAY:
                continue
            for end in self.game.turn_ends(table, (move,), wanted=self.is_made):
                places = (each for board in self._boards(end.table) for each in self._places_of(end.table, board))
                if any(self.shape(each) in shapes for each in places):
                    return end
        return None

    def wanted(self, table: Table, shapes: Container[Any]) -> None:  # ``way`` looks at few moves
        """Return nothing."""

    def _is_part(self, cards: Counter[str], hand: int) -> bool:
        """Return whether cards may be among those of a packed hand."""
        tables = self.tables
        kinds = Counter[int]()
        for card, copies in cards.items():
            kinds[self.kind[card]] += copies
        return all(hand >> tables.shift[kind] & tables.mask[kind] >= copies for kind, copies in kinds.items())

    def is_made(self, step: Step) -> bool:
        """Return whether turns of the form have such a step: nothing is recovered, destroyed or put back."""
        taken = self.stock is None and isinstance(step, Take)
        return not taken and not (isinstance(step, Put) and step.verb != "discard")

    # What a form of another width has otherwise

    def _look(self) -> None:
        """Lay out the bound."""
        self.bound = Coarse(self)
        self.rows = 0

    @property
    def outlooks(self) -> Any:
        """What the bound looks up."""
        return self.bound.tables

    def most_turns(self, position: tuple[int, int]) -> None:
        """Return nothing: days can go on for ever."""

    def forget(self) -> None:
        """Remember nothing between layers but the tables."""
