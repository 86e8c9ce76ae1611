"""Iditacards on a bare track taken apart for checkers: boards, hands and decks, put together as real tables again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules.core.laps import Ceiling, LapProbe, Parted
from rules.core.scripts import Exploring, every_way
from rules.iditacards.dogs import free_action
from rules.iditacards.main_actions import MainActions
from rules.iditacards.race.free import free_race
from rules.iditacards.race.scope import cards_of, missing
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play
from rules.iditacards.turn import Turn


@dataclass(frozen=True)
class IditacardsLaps(MainActions, LapProbe[Table]):
    """The doors for one player alone whose deck is open and never grows, from one table.

    On a bare track without conditions nothing reads where the sled stands, what was eaten, healed or moved today, or
    what lies in the discard pile and among resolved risk cards but the next new day, which shuffles both with hand
    and deck (R61): so all that is neither on the board, in hand nor in the deck goes to the discard pile. Days count
    for nothing but the day of a frame, and every frame is of today (R60).
    """

    rulings: Rulings
    table: Table
    seat: int

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """Return every card of the seat, those in play included."""
        return tuple(sorted(cards_of(self.table.players[self.seat]).elements()))

    def missing(self) -> tuple[str, ...]:
        """Return what keeps board, hand and deck from telling all that matters, in words."""
        player = self.table.players[self.seat]
        lacks = missing(self.rulings, self.table, self.seat, frozenset())
        if any(frame.day != self.table.day for frame in player.stack):
            lacks.append("frames of another day")
        if player.seen:
            lacks.append("looked-at cards")
        return tuple(lacks)

    def part(self, table: Table) -> Parted[Table]:
        """Take a table apart."""
        player = table.players[self.seat]
        bare = player._replace(
            days=0,
            deck=(),
            discard=(),
            foods=(),
            hand=(),
            moved=False,
            personal=0,
            pos=0,
            resolved=(),
            stack=tuple(frame._replace(day=0) for frame in player.stack),
            turns=0,
        )
        return Parted(table._replace(day=0, players=(bare,)), player.hand, player.deck, player.pos)

    def whole(self, board: Table, hand: Sequence[str], deck: Sequence[str], progress: int) -> Table:
        """Return the table of these parts."""
        left = Counter(self.cards)
        left.subtract([*hand, *deck, *self.lying(board)])
        player = board.players[self.seat]._replace(
            deck=tuple(deck), discard=tuple(sorted(left.elements())), hand=tuple(sorted(hand)), pos=progress
        )
        return board._replace(players=(player,))

    def lying(self, board: Table) -> list[str]:
        """Return the cards of the seat that a board holds, those out of the game included."""
        player = board.players[self.seat]
        gone = Counter(board.destroyed)
        gone.subtract(self.table.destroyed)
        return [*in_play(player.dogs), *(frame.card for frame in player.stack), *gone.elements()]

    def after_free(self, board: Table) -> list[Table]:
        """Return every board that sacrifices and removals can make (R13), the one of no action first."""
        reached = [board]
        for each in reached:  # grows meanwhile
            for after in self._after_one(each):
                if after not in reached:
                    reached.append(after)
        return reached

    def _after_one(self, board: Table) -> Iterator[Table]:
        """Yield the boards after one free action."""
        for script in every_way(Exploring):
            turn = Turn(self.rulings, self.whole(board, (), (), 1), script)
            free_action(turn, turn.seats[self.seat])
            yield self.part(turn.frozen()).board

    def ceiling(self) -> Ceiling[Table] | None:
        """Return the free race from this table."""
        return free_race(self.rulings, self.table, self.seat)
