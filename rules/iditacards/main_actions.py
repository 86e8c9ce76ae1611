"""What every probe says of a seat: what its main action takes from the hand, and when its deck is shuffled."""

from __future__ import annotations

from rules.core.hands import Actions, MainAction
from rules.core.steps import Step
from rules.iditacards.moves import MAIN_WORDS, Continue, Play
from rules.iditacards.state import Table


class MainActions(Actions[Table]):
    """The actions of one seat (R12), and the shuffles of its deck."""

    seat: int

    def main_action(self, move: Step) -> MainAction | None:
        """Return what a main action takes from the hand, or nothing for a free action before it."""
        if isinstance(move, Play):
            return MainAction(move.card, move.energy)
        if isinstance(move, Continue):
            return MainAction(None, move.energy or ())
        return MainAction(None, ()) if move in MAIN_WORDS else None

    def plays_cards(self, board: Table) -> bool:
        """Return whether a card may be played from the hand: not while another one waits (R14)."""
        return not board.players[self.seat].stack

    def shuffles(self, before: Table, after: Table) -> int:
        """Return how many shuffles of the deck lie between two boards."""
        return after.counters.deck[self.seat] - before.counters.deck[self.seat]
