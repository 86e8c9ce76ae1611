"""Whole games played by a stated policy, for the figures that count how often it wins (14)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.abyss.engine import Abyss
from rules.abyss.state import Table
from rules.abyss.turn import DRAW, Cards, Choose, Hire
from rules.core.scripts import ChanceOutcome, Sampling, SplitMix64, Step

GIVEN_UP = (
    *("treatment", "give_a_speech", "assassination", "theft", "transaction", "bribe", "unreasonable_clause"),
    *("accept_bribes", "flashlight", "explore_in_depth"),
)
"""What RUSH gives up first (G11)."""


class Rush(Sampling):
    """RUSH: give up a card for Digging, dig with as many homeless as there is money for, always refill (G11)."""

    def __init__(self, generator: SplitMix64, hand: Sequence[str]) -> None:
        super().__init__((), generator)
        self._chance = generator
        self._hand = hand

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        answer = self._pick(answers)
        self.steps.append(answer)
        self._cursor = len(self.steps)
        return answer

    def _pick(self, answers: Sequence[Step]) -> Step:
        first = answers[0]
        if isinstance(first, ChanceOutcome):
            place = self._chance.below(first.cases)
            for outcome in answers:
                assert isinstance(outcome, ChanceOutcome)
                place -= outcome.ways
                if place < 0:
                    return outcome
        if isinstance(first, Cards) and first.verb == "give_up":
            singles = {move.cards[0]: move for move in answers if isinstance(move, Cards) and len(move.cards) == 1}
            if "digging" in singles:
                return first
            return next((singles[card] for card in GIVEN_UP if card in singles), first)
        if isinstance(first, Hire):
            drawn = [step.result for step in self.steps if isinstance(step, ChanceOutcome)]
            return max(answers, key=_homeless) if "digging" in (*self._hand, *drawn) else first
        if isinstance(first, Choose):
            digs = (move for move in answers if isinstance(move, Choose) and move.plan.card == "digging")
            return next(digs, first)
        return DRAW if DRAW in answers else first


def _homeless(move: Step) -> int:
    """Return the homeless of a hire of nothing else, or -1."""
    assert isinstance(move, Hire)
    if move.temps or any(kind != "homeless" for kind, _ in move.numbers):
        return -1
    return sum(number for _, number in move.numbers)


def winner_by(game: Abyss, table: Table, generator: SplitMix64, rounds: int) -> tuple[int | None, int]:
    """Return who wins within so many rounds, if anybody, and the round the game was left in."""
    while not game.is_over(table) and table.round <= rounds:
        table = game.play_turn(table, Rush(generator, table.seats[table.seat].hand))
    return table.winner, table.round
