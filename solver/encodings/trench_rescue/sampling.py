"""Contests as playouts over rows: what is carried, tables and moves as numbers, values of moves."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from rules.core.scripts import Asking, Forced, Step
from rules.core.turns import State
from rules.trench_rescue.actions import HOME, Act, Enter, Go
from rules.trench_rescue.content import Rulings, Table
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.turn import HalfTurn, read_cell
from solver.compiled_form import is_extension
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.playouts import play_on
from solver.encodings.trench_rescue.turns import cards_in_play, lacks, places, row_of, table_of
from solver.search.rollout import GameEnd, Sampler, Value, WholeGames, row_seed

GAMES: Final = 64 if is_extension(play_on.__module__) else 2
"""Games of which a playout is the mean."""
HORIZON: Final = 1000
"""Rounds that a game lasts at most."""
GAME_S: Final = 0.00005
"""Seconds that a game takes, about."""
_VERBS: Final = {"cycle": L.V_CYCLE, "peek": L.V_PEEK, "drop": L.V_DROP}


def supports(game: Any, _start: State[Any], _moves: Iterable[Step]) -> tuple[str, ...]:
    """Return what the rows lack for a question about open moves; nothing means that they carry it."""
    return lacks(game)


class Playouts(Sampler):
    """Values of the open moves of the seat to move, in cards, where both seats play on by a rule of thumb."""

    turn_s = GAME_S
    most_turns = 400_000

    def __init__(self, game: TrenchRescue, start: State[Table], seat: int, rounds: int, seed: int) -> None:
        super().__init__(seed)
        table = game.settled(start).table
        rulings = game.rulings
        cards = range(rulings.pack.unknown) if table.view is not None else cards_in_play(table)
        self._number = {card: number for number, card in enumerate(cards)}
        self._codes = rulings.pack.numbers
        self._sign = 1 - 2 * seat
        self._last = table.turn + rounds - 1
        self.rounds = min(rounds, max(1, rulings.turn_limit + 1 - table.turn))
        self.row = row_of(rulings, table, cards)
        self.numbers = table_of(rulings, table, cards, fades=False)
        self.work = array("h", bytes(2 * len(self.row)))
        self.counts = array("i", bytes(4 * L.ROOM))
        self._unseen = self._unseen_of(rulings, table)
        self._results = array("i", bytes(4 * L.R_W))
        self._undecided = array("i", [L.V_NONE, *bytes(4 * L.M_W)])
        self._least, self._most = 0, 0
        self.bounds = float(-len(cards)), float(len(cards))

    @property
    def width(self) -> float:
        """How far the leads of all games lie apart."""
        return float(max(1, self._most - self._least))

    def won(self, _: Value) -> float:
        """Return what part of the last playout's games the seat has won, drawn ones by half."""
        first = self._results[L.R_WON] / (2 * GAMES)
        return first if self._sign > 0 else 1 - first

    def _run(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> Fraction:
        self.unseen = self._unseen[:]
        results = self._results
        play_on(self, self.move(begun[-1]), results, self._last, row_seed(seed), GAMES)
        self._played += GAMES
        self._least, self._most = min(self._least, results[L.R_LEAST]), max(self._most, results[L.R_MOST])
        return Fraction(self._sign * results[L.R_LEAD], GAMES)

    def liking(self, move: Step) -> tuple[float]:
        """Return 1 for an action with which the rule of thumb comes to the same end of the half-turn, else 0."""
        ends = []
        for action in (self.move(move), self._undecided):
            self.unseen = self._unseen[:]
            play_on(self, action, self._results, 0, 1, 1)
            ends.append(self.work[:])
        return (float(ends[0] == ends[1]),)

    def whole(self, seed: int) -> GameEnd:
        """Play a whole game, hidden cards dealt anew, and count turns."""
        self.unseen = self._unseen[:]
        play_on(self, self._undecided, self._results, HORIZON, row_seed(seed), 1)
        lead = self._results[L.R_LEAD]
        return GameEnd(() if lead == 0 else (int(lead < 0),), self.work[L.TURN], self.work[L.STAGE] == L.OVER)

    def _unseen_of(self, rulings: Rulings, table: Table) -> array[int]:
        """Return the cards that the viewing player does not know, and the places that are open to them (8.3)."""
        found, pack = array("i", bytes(4 * L.H_W)), rulings.pack
        if table.view is None:
            return found
        unseen = HalfTurn(rulings, table, Asking(())).unseen()
        for colour in (0, 1):
            own = [self._number[card] for card in unseen if pack.colour[card] == colour]
            first = L.H_CARD + L.MOST_CARDS * colour
            found[first : first + len(own)] = array("i", own)
            found[L.H_UNSEEN + colour], found[L.H_DECK + colour] = len(own), table.deck[colour].count(pack.unknown)
        open_places = [place for card, place in places(rulings, table, self._number) if card == pack.unknown]
        open_places = [place for place in open_places if place != L.DECK]
        found[L.H_PLACES] = len(open_places)
        found[L.H_PLACE : L.H_PLACE + len(open_places)] = array("i", open_places)
        for cell, height in table.fresh:
            if table.piles[cell][height] == pack.unknown:
                place = L.PILE + L.DEEP * cell + height
                found[L.H_PLACE + open_places.index(place)] |= L.FRESH
        return found

    def move(self, step: Step | Forced) -> array[int]:
        """Return a decision as numbers."""
        found = array("i", bytes(4 * L.M_W))
        group: Sequence[str] = ()
        size = self.numbers[L.T_SIZE]
        if isinstance(step, Act):
            found[L.M_VERB], group = _VERBS[step.verb], (step.card,)
        elif isinstance(step, Enter):
            found[L.M_VERB], group = L.V_ENTER, step.cards
            cell = int(step.where[1:]) - 1
            is_near = self.numbers[L.T_HOME + L.MOST_CELLS * self.row[L.MOVER] + cell] == 1
            found[L.M_WHERE] = cell if is_near else cell + size * (size - 1)
        elif isinstance(step, Go):
            found[L.M_VERB], found[L.M_TAKE], group = L.V_GO, step.take, step.cards
            found[L.M_WHERE] = L.HOME if step.where == HOME else read_cell(step.where, size)
        found[L.M_SIZE] = len(group)
        for place, code in enumerate(group):
            found[L.M_GROUP + place] = self._number[self._codes[code]]
        return found


def whole_games(game: TrenchRescue, _: State[Table]) -> WholeGames:
    """Return what plays whole games from tables of a game."""
    return lambda table, seed: Playouts(game, State(table), 0, HORIZON, 0).whole(seed)
