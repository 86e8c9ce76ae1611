"""Boards of a venture by number, and actions on them that the rules are asked for, as pieces of turns.

A *board* is all that a venture reads of a table but for cards and place. What an action does to it is asked of the
rules on a table made for the question; what it does to the deck and to the hand is written down as *orders*, to be
carried out by whoever knows how many cards there are. A piece of a turn goes alike from all places that it does not
tell apart, as ``odds.counts`` has it, and on all boards that agree in what was read for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules.core.scripts import Exploring, every_way
from rules.core.ventures import OutOfReach
from rules.iditacards.odds.asked import (
    ALL_FACTS,
    DOGS,
    FACTS,
    AskedSeat,
    AskedTurn,
    Board,
    Facts,
    fields,
    kept,
    read,
)
from rules.iditacards.odds.orders import ANYWHERE, DRAW, GAIN, SHED, Carried, Orders, Way, Ways, holding
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.track import Track
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.risk import Signal
from rules.iditacards.state import Table, in_play
from rules.iditacards.turn import GameOver, Seat, Team, Turn

_SPARE: Final = 64
UNDER: Final = "-"
"""Stands for every card of the deck of a question, which has more of them than any piece of a turn takes."""

Changes = dict[str, Any]
"""Facts of a board after an action, by name."""
Piece = tuple[int, int, list[tuple[Way, Changes]]]
"""First and last place for which the ways hold, and what each changes."""


class Pieces:
    """Boards by number, and the pieces of turns found on them."""

    piles = False
    """What an action puts into the discard pile is told."""

    def __init__(self, ventures: RiskCards, scope: Scope, carried: Carried) -> None:
        rulings = ventures.game.rulings
        self._game = ventures.game
        self._rulings = rulings
        self._scope = scope
        self._seat = ventures.seat
        self._carried = carried
        self._track = Track(rulings, ventures.table, ventures.seat, recovers=scope.recovers, piles=self.piles)
        player = ventures.table.players[ventures.seat]
        self._gains = carried.gains
        self._legendary = rulings.legendary_to == "hand"
        self._reads = carried.reads
        bare = scope.bare(ventures.table)
        self._blank = player._replace(
            deck=(), discard=(), dogs=(), foods=(), hand=(), legendary=(), resolved=(), seen=(), stack=(), known=0
        )
        self._table = bare._replace(players=(), supply=(), upgrade=tuple(() for _ in bare.upgrade), active=0)
        self._boards: list[Board] = []
        self._numbers: dict[Board, int] = {}
        self._pieces: dict[tuple[Any, int], list[Ways]] = {}
        self._shared: dict[Any, dict[tuple[Facts, bool], dict[tuple[Any, ...], list[Piece]]]] = {}
        """By key, by what was read, and whether by the very dogs, by a view of it."""
        self.start = self._number_of(bare)

    def forget(self) -> None:
        """Let go of all but the boards."""
        self._pieces.clear()
        self._shared.clear()

    def _number_of(self, bare: Table) -> int:
        player = bare.players[self._seat]
        return self.number(
            Board(
                player.hypothermia,
                player.starvation,
                self._carried.teams.same(player.dogs),
                player.foods if {"eaten_today", "three_meals_today"} & self._reads else (),
                player.personal if "healed_today" in self._reads else 0,
                player.moved and "not_moved_today" in self._reads,
                player.immune,
                player.free_energy,
                player.free_health,
                bare.freeze,
                player.finished,
                player.passed,
                player.legendary if self._legendary else (),
                len(bare.supply) if self._gains else 0,
            )
        )

    def board(self, number: int) -> Board:
        """Return the board with this number."""
        return self._boards[number]

    def number(self, board: Board) -> int:
        """Return the number of a board."""
        number = self._numbers.get(board)
        if number is None:
            number = self._numbers[board] = len(self._boards)
            self._boards.append(board)
        return number

    def _view(self, number: int, facts: Facts, *, exactly: bool) -> tuple[Any, ...]:
        """Return some facts of a board, and in the place of its dogs what they come to, or ``exactly`` those."""
        board = self._boards[number]
        if exactly:
            return (board.dogs, *(getattr(board, name) for name in fields(facts & ~DOGS)))
        view = [getattr(board, name) for name in fields(facts & ~DOGS)]
        return (self._carried.teams.worth(board.dogs), *view) if facts & DOGS else tuple(view)

    def question(self, number: int, pos: int, script: Exploring | None = None) -> tuple[AskedTurn, AskedSeat]:
        """Return a turn under way on a board, with nothing in hand and cards enough in the deck."""
        board = self._boards[number]
        turn = AskedTurn(self._rulings, self._table, script or Exploring((), []), self._blank)
        seat = turn.seats[0]
        assert isinstance(seat, AskedSeat)
        seat.pos = pos
        seat.hypothermia, seat.starvation = board.hypothermia, board.starvation
        seat.dogs = [Team(dog.dog, dog.attachments) for dog in board.dogs]
        seat.foods, seat.personal, seat.moved = board.foods, board.personal, board.moved
        seat.immune, seat.free_energy, seat.free_health = board.immune, board.free_energy, board.free_health
        seat.finished, seat.passed, seat.legendary = board.finished, board.passed, list(board.legendary)
        turn.freeze = board.freeze
        seat.deck = [UNDER] * _SPARE
        turn.watch(seat)
        return turn, seat

    def _answer(self, turn: Turn, seat: Seat, supply: int) -> int:
        reads = self._reads
        return self.number(
            Board(
                seat.hypothermia,
                seat.starvation,
                self._carried.teams.same(self._scope.alike.dogs(team.frozen() for team in seat.dogs)),
                seat.foods if {"eaten_today", "three_meals_today"} & reads else (),
                self._scope.alike.personal(seat.personal) if "healed_today" in reads else 0,
                seat.moved and "not_moved_today" in reads,
                seat.immune,
                seat.free_energy,
                seat.free_health,
                turn.freeze,
                seat.finished,
                seat.passed if seat.legendary else (),
                tuple(seat.legendary),
                supply,
            )
        )

    def _explored(
        self, number: int, pos: int, action: Callable[[Turn, Seat], Signal | None], *, anywhere: bool = False
    ) -> tuple[Piece, Facts]:
        """Return the different ways of an action over all its choices, and what was read for them.

        It may be one that reads no place.
        """
        found: dict[tuple[Way, Facts], None] = {}
        low, high = ANYWHERE
        reads = 0
        for script in every_way(Exploring):
            turn, seat = self.question(number, pos, script)
            over = False
            signal = None
            try:
                signal = action(turn, seat)
            except GameOver:
                over = True
            drawn = seat.hand.count(UNDER)
            gained = len(seat.hand) - drawn
            shed = _SPARE - len(seat.deck) - drawn
            if drawn and shed:
                raise OutOfReach  # which comes first would matter
            orders = [(DRAW, drawn), (SHED, shed), (GAIN, gained), *self.further(seat)]
            lost = over or turn.over
            spared = bool(turn.moves and self._rulings.leg_condition_mod)
            reads |= read(turn, seat) | (DOGS if spared else 0)
            self._scope.touched |= lost or any(self._track.meets(start, end) for start, end in turn.moves)
            same = kept(turn, seat)
            after = number if lost else self._answer(turn, seat, self._boards[number].supply)
            other = self._differing(number, after, same)
            reads |= other
            way = Way(
                tuple((order, n) for order, n in orders if n),
                after,
                seat.pos - pos,
                lost=lost,
                over=lost,
                skips=signal is Signal.SKIP_REST,
            )
            found[way, ALL_FACTS & ~same | other] = None
            if anywhere and not turn.moves:
                continue
            spared = (
                spared and not lost and self._spared(number) and self._boards[after].dogs == self._boards[number].dogs
            )
            if lost:
                met = [(place, place, place) for place in {pos, seat.pos}.union(*turn.moves)]
            else:
                met = list(self._track.stretches(pos, seat.pos, turn.moves, spared=spared))
            for place, first, last in met:
                low, high = max(low, pos + first - place), min(high, pos + last - place)
        ways = [(way, {} if way.lost else self._named(way.board, facts | reads)) for way, facts in found]
        return (low, high, ways), reads

    def further(self, seat: Seat) -> Orders:
        """Return further orders for what an action has done."""
        return ()

    def _spared(self, number: int) -> bool:
        """Return whether the cards in play keep all from a player that a space does to whoever comes to it (R49)."""
        mods = self._rulings.leg_condition_mod
        return sum(mods.get(card, 0) for card in in_play(self._boards[number].dogs)) < 0

    def _named(self, number: int, facts: Facts) -> Changes:
        board = self._boards[number]
        return {name: getattr(board, name) for name in fields(facts)}

    def _differing(self, number: int, after: int, facts: Facts) -> Facts:
        """Return those of some facts in which two boards differ, put in order otherwise after an action."""
        if number == after:
            return 0
        one, other = self._boards[number], self._boards[after]
        return sum(FACTS[name] for name in fields(facts) if getattr(one, name) != getattr(other, name))

    def piece(
        self,
        key: Any,
        number: int,
        pos: int,
        action: Callable[[Turn, Seat], Signal | None],
        *,
        anywhere: bool = False,
        places: bool = False,
    ) -> Ways:
        """Return the ways through an action that ``key`` names.

        It may be one that reads no place, or one that ``places`` dogs or attachments.
        """
        pieces = self._pieces.setdefault((key, number), [])
        known = holding(pieces, pos)
        if known is not None:
            return known
        found = self._recalled(key, number, pos)
        if found is None:
            (low, high, ways), reads = self._explored(number, pos, action, anywhere=anywhere)
            found = (low, high, tuple(dict.fromkeys(way for way, _ in ways)))
            dogs = self._boards[number].dogs
            exactly = places or any(self._boards[way.board].dogs != dogs for way, _ in ways)
            if not exactly:
                for _, changes in ways:
                    changes.pop("dogs", None)
            views = self._shared.setdefault(key, {}).setdefault((reads, exactly), {})
            views.setdefault(self._view(number, reads, exactly=exactly), []).append((low, high, ways))
        pieces.append(found)
        return found

    def _recalled(self, key: Any, number: int, pos: int) -> Ways | None:
        """Return the ways through an action that was carried out on a board which agrees in all that was read.

        Where none of them changes the dogs, what was read of these is what they come to (``odds.teams``).
        """
        for (reads, exactly), views in self._shared.get(key, {}).items():
            for low, high, ways in views.get(self._view(number, reads, exactly=exactly), ()):
                if low <= pos <= high:
                    found = [way._replace(board=self.changed(number, changes)) for way, changes in ways]
                    return low, high, tuple(dict.fromkeys(found))
        return None

    def changed(self, number: int, changes: Changes) -> int:
        """Return the number of a board with some other facts."""
        return self.number(self._boards[number]._replace(**changes)) if changes else number
