"""Contests with hidden cards as playouts over rows: what is carried, tables and moves as numbers, values of moves."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from rules.abyss.engine import Abyss
from rules.abyss.moves import DRAW, GO_ON, NO_DRAW, Choose, GiveUp, Hire, Target
from rules.abyss.state import PHASES, Seat, Table
from rules.abyss.turn import Turn
from rules.core.chance import UNKNOWN, SplitMix64, known
from rules.core.race import seats_unknown
from rules.core.scripts import Asking, Question
from rules.core.steps import Forced, Step
from rules.core.turns import State
from solver.compiled_form import is_extension
from solver.encodings.abyss import layout as L
from solver.encodings.abyss.playouts import play_on
from solver.encodings.abyss.tables import Tables, lacks
from solver.search.rollout import GameEnd, Sampler, WholeGames

GAMES: Final = 256 if is_extension(play_on.__module__) else 4
"""Games of which a playout is the mean."""
PLAYOUT_S: Final = 0.0005
"""Seconds that a playout takes, about."""
HORIZON: Final = 40
"""Rounds that a game lasts at most."""
_PHASES: Final = (L.P_GIVE_UP, L.P_CHOOSE, L.P_DEAL, L.P_ACT, L.P_EVENT, L.P_REFILL)
"""Where a step of the rules begins in a row."""
_MOVES: Final = {GiveUp: L.P_GIVE_UP, Hire: L.P_HIRE, Choose: L.P_CHOOSE, Target: L.P_ACT}
_ALSO: Final = ("win_check", "tie")
"""Options of which playouts carry every value."""
_HIDDEN: Final = ("actions", "events", "picks")


def supports(game: Any, start: State[Any], moves: Iterable[Step]) -> tuple[str, ...]:
    """Return in words what of a question about these moves is not carried; nothing means that it is."""
    if not isinstance(game, Abyss) or not isinstance(start.table, Table):
        return ("another game or measure",)
    lacking = [each for each in lacks(game.rulings) if not each.startswith(_ALSO)]
    lacking += [f"open {source}" for source in _HIDDEN if game.rulings.chance.is_open(source)]
    plan = start.table.seats[start.table.seat].plan
    two = start.table.phase == "act" and plan is not None and plan.temp is not None
    if two or not all(type(move) in _MOVES or move in (DRAW, NO_DRAW, GO_ON) for move in moves):
        lacking.append("a decision within the use of a card")
    return tuple(lacking)


class Playouts(Sampler):
    """Values of the open moves of the seat to move: how often it wins where all seats play on by a rule of thumb."""

    turn_s = PLAYOUT_S

    def __init__(self, game: Abyss, start: State[Table], seat: int, rounds: int, seed: int) -> None:
        self._tables = Tables(game.rulings, game.goals)
        super().__init__(seed)
        self._seat, self.rounds = seat, rounds
        table = game.undecided(start.table) or start.table
        named = table.seats
        if seats_unknown(game, table):  # each playout deals these cards anew
            table = game.sample_world(table, seat, SplitMix64(seed), named=True)
        turn = Turn(game.rulings, table, Asking(start.pending))
        first = next(iter(game.legal_moves(start)), None)
        if isinstance(first, GiveUp | Hire) or first in (DRAW, NO_DRAW):
            with suppress(Question):
                game.run(turn)
        self._row = self.row(turn.frozen())
        if isinstance(first, Hire):
            self._row[L.PHASE] = L.P_HIRE
        for other, one in enumerate(named):
            if other != seat:
                self._show(L.SEAT + L.SEAT_W * other, one)
        self._work = array("i", bytes(4 * L.W))

    def _run(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> Fraction:
        move = self.move(begun[-1])
        asked = (self._row, self._tables.numbers, self._work, move, self._seat, self.rounds)
        won = play_on(*asked, seed % 2147483646 + 1, GAMES)
        self._played += 1
        return Fraction(won, 2 * GAMES * self._row[L.SEATS])

    def whole(self, table: Table, seed: int) -> GameEnd:
        """Play a whole game from a table, every hand dealt anew, and count rounds."""
        undecided, row, work = array("i", [-1, *bytes(4 * L.M_W)]), self.row(table), self._work
        play_on(row, self._tables.numbers, work, undecided, -1, HORIZON, seed % 2147483646 + 1, 1)
        return GameEnd((work[L.WINNER] - 1,) if work[L.WINNER] else (), work[L.ROUND], work[L.PHASE] == L.P_OVER)

    def row(self, table: Table) -> array[int]:
        """Return a table as a row."""
        tables, row = self._tables, array("i", bytes(4 * L.W))
        order = tables.rulings.order(table.round)
        row[L.ROUND], row[L.SEATS] = table.round, len(table.seats)
        row[L.WINNER] = 0 if table.winner is None else table.winner + 1
        over = table.phase not in PHASES
        row[L.PHASE] = L.P_OVER if over else _PHASES[PHASES.index(table.phase)]
        row[L.ACTING] = order.index(table.seat)
        for place, pile in enumerate((table.actions, table.events)):
            sizes = (L.FRONT_SIZE, L.FRONT), (L.BACK_SIZE, L.BACK), (L.USED_SIZE, L.USED)
            for (size, zone), cards in zip(sizes, (pile.front, pile.back, pile.used), strict=True):
                row[size + place] = len(cards)
                self._count(row, zone, cards)
        for index, seat in enumerate(table.seats):
            self._sit(row, L.SEAT + L.SEAT_W * index, seat)
        return row

    def _count(self, row: array[int], zone: int, cards: Iterable[str]) -> None:
        for card in cards:
            row[zone + self._tables.card[card]] += 1

    def _sit(self, row: array[int], at: int, seat: Seat) -> None:
        tables = self._tables
        first = [seat.ap, seat.rp, seat.temps, seat.paid, seat.treasure, 0, 0, seat.boost, seat.explore_pending]
        event = [tables.card[seat.event or ""], int(seat.event_up)]
        # In the order of the layout.
        row[at : at + L.CARD] = array("i", [*first, seat.flashlight, tables.identities[seat.identity], *event])
        row[at + L.N_HAND] = row[at + L.N_UNSEEN] = len(seat.hand)
        row[at + L.N_TEAM] = len(seat.partners)
        row[at + L.CARD : at + L.CARD + 4] = tables.laid(seat.plan)
        self._count(row, at + L.HAND, seat.hand)
        self._count(row, at + L.UNSEEN, seat.hand)
        for partner in seat.partners:
            row[at + L.TEAM + tables.slot[partner]] += 1

    def _show(self, at: int, seat: Seat) -> None:
        """Note the cards of a seat that whoever asks has named."""
        row = self._row
        for card in known(seat.hand):
            row[at + L.UNSEEN + self._tables.card[card]] -= 1
            row[at + L.N_UNSEEN] -= 1
        row[at + L.LAID_SEEN] = int(UNKNOWN not in seat.laid)

    def move(self, step: Step | Forced) -> array[int]:
        """Return a decision as numbers."""
        tables, found = self._tables, array("i", bytes(4 * L.M_W))
        found[L.M_PHASE] = _MOVES.get(type(step), L.P_REFILL)
        if isinstance(step, GiveUp):
            self._count(found, L.M, step.cards)
        elif isinstance(step, Hire):
            for kind, number in step.numbers:
                found[L.M + tables.rulings.place[kind]] = number
            found[L.M + len(tables.rulings.types)] = step.temps
        elif isinstance(step, Choose):
            found[L.M : L.M + 4] = tables.laid(step.plan)
        elif isinstance(step, Target):
            slot = step.partner
            found[L.M], found[L.M + 1] = step.seat, 0 if slot is None else tables.slot[slot]
        else:
            found[L.M] = step != NO_DRAW
        return found


def whole_games(game: Abyss, start: State[Table]) -> WholeGames:
    """Return what plays whole games from tables of a game."""
    return Playouts(game, start, 0, HORIZON, 0).whole
