"""Values in words: of a goal with everything open, of a goal under chance, and of a game against others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from math import ceil, floor, inf
from typing import Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from solver.question import MoveValue
from solver.screens.common import Unit, count, goal_reached, interval_text, percent, turns_text

UNCERTAIN: Final = "not certain to arrive"
"""Why a move has no expected number of turns,"""
UNSETTLED: Final = "not settled by the turns looked ahead"
"""or none that is known."""
STUCK: Final = "no move is left that the goal allows"
"""Where a move may lead to a turn with nothing that may be done."""
SHORT: Final = 12
"""Columns of a fraction that is worth showing beside its decimal."""
PARTS: Final = 1000
"""Parts of one to which values that are proved from one side are shown, rounded to that side."""
VAGUE: Final = 0.9
"""Least width of an interval of chances that tells nothing."""
TOO_FEW: Final = "too few draws to tell"
"""What is known of a chance then."""
SHARE: Final = "share of the win"
"""What payoffs are counted in where nothing else is."""


@dataclass(frozen=True, slots=True)
class GoalWords:
    """Values of a goal under chance: a chance in percent, an expectation in turns or progress."""

    goal: Goal
    unit: Unit

    @property
    def is_chance(self) -> bool:
        """Return whether values lie between 0 and 1."""
        return self.goal.objective is Objective.REACH

    def value(self, value: Fraction | None) -> str:
        """Return an exact value."""
        goal = self.goal
        if value is None:
            return STUCK if goal.objective is Objective.MAX_DISTANCE else UNCERTAIN
        if goal.objective is Objective.REACH:
            return f"{percent(value)}{exactly(value)}"
        shown = rounded(value)
        if goal.objective is Objective.MIN_TURNS:
            turn, of = ("turn", "") if goal.clock is None else (goal.clock.turn, f", {goal.clock.turns} to a round")
            return f"{shown} {turn}{'' if value == 1 else 's'}{exactly(value)}{of}"
        return f"{self.unit.amount(shown)}{exactly(value)}"

    def about(self, value: Fraction) -> str:
        """Return a mean of playouts."""
        goal, unit = self.goal, self.unit
        if goal.objective is Objective.REACH:
            return percent(value)
        shown = self.number(float(value)).removesuffix(".0")
        if goal.objective is Objective.MAX_DISTANCE:
            return f"{unit.amount(shown)} of {unit.whole}" if unit.whole else unit.amount(shown)
        return f"{shown} {'turn' if goal.clock is None else goal.clock.turn}s"

    def loss(self, loss: Fraction) -> str:
        """Return a loss."""
        return f"{float(loss) * 100:.1f} %" if self.goal.objective is Objective.REACH else rounded(loss)

    def number(self, value: float) -> str:
        """Return an end of an interval."""
        if self.goal.objective is Objective.REACH:
            return f"{value * 100:.1f} %"
        return f"{value:.1f}" if self.goal.objective is Objective.MAX_DISTANCE else f"{value:.2f}"

    def is_vague(self, move: MoveValue[Fraction]) -> bool:
        """Return whether the draws of a move leave nearly any chance open."""
        low, high = move.interval or (0.0, 1.0)
        return self.is_chance and move.playouts > 0 and high - low >= VAGUE

    @property
    def side(self) -> str:
        """Return on which side the value of a policy that was worked out lies."""
        return "at most" if self.goal.objective is Objective.MIN_TURNS else "at least"

    def rounded(self, value: Fraction) -> str:
        """Return the value of some policy, rounded to the side on which it holds."""
        if self.goal.objective is Objective.REACH:
            return percent(Fraction(floor(value * PARTS), PARTS))
        return self.value(value)

    def bound(self, value: Fraction) -> str:
        """Return the value of some policy with its side."""
        return f"{self.side} {self.rounded(value)}"


@dataclass(frozen=True, slots=True)
class PayoffWords:
    """Payoffs of a seat: how far it is ahead, or its share of the win."""

    stake: str
    """What payoffs are counted in, in the singular; empty for shares of the win."""

    @property
    def is_chance(self) -> bool:
        """Return whether values lie between 0 and 1."""
        return not self.stake

    @property
    def stakes(self) -> str:
        """Return what payoffs are counted in."""
        return f"{self.stake}s ahead" if self.stake else SHARE

    def value(self, value: Fraction | None) -> str:
        """Return an exact value."""
        return "not compared" if value is None else f"{self.short(value)}{exactly(value)}"

    def about(self, value: Fraction) -> str:
        """Return a mean of playouts."""
        return self.short(value)

    def short(self, value: Fraction) -> str:
        """Return a value as a decimal number."""
        if not self.stake:
            return f"{percent(value)} of the win"
        shown = f"{float(value):+.3f}".rstrip("0").rstrip(".") if value else "0"
        return f"{shown} {self.stake}{'' if abs(value) == 1 else 's'}"

    def loss(self, loss: Fraction) -> str:
        """Return a loss."""
        return rounded(loss) if self.stake else percent(loss)

    def number(self, value: float) -> str:
        """Return an end of an interval."""
        return f"{value:+.2f}" if self.stake else f"{value * 100:.1f} %"

    def is_vague(self, _: MoveValue[Fraction]) -> bool:
        """Return false: an interval of payoffs tells something."""
        return False


Words = GoalWords | PayoffWords
"""What a kind of value is called."""


def payoff_words(position: Position) -> PayoffWords:
    """Return the words of a game of several players."""
    return PayoffWords(position.game.stake)


def value_text(value: int, goal: Goal, unit: Unit) -> str:
    """Return a value in words where everything is open."""
    if goal.objective is Objective.MIN_TURNS:
        return turns_text(value, goal)
    if goal.objective is Objective.REACH:
        return f"{goal_reached(goal, unit)} is {'reached' if value else 'out of reach'}"
    return unit.amount(str(value))


def sample_text(move: MoveValue[Fraction], words: Words) -> str:
    """Return how sure the value of a move is that playouts were played for."""
    draws = count(move.playouts, "draw")
    if move.interval is None or words.is_vague(move):
        return draws
    low, high = (words.number(each).removesuffix(" %") for each in move.interval)
    return f"{interval_text(low, high)}, {draws}"


def rounded(value: Fraction) -> str:
    """Return an expectation as a decimal number."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


def exactly(value: Fraction) -> str:
    """Return a fraction to stand beside its decimal; empty where there is none, or none worth showing."""
    text = str(value)
    return f" ({text})" if value.denominator > 1 and len(text) <= SHORT else ""


def at_most_text(chance: Fraction) -> str:
    """Return a chance that no policy exceeds, rounded up."""
    return f"at most {percent(Fraction(ceil(chance * PARTS), PARTS))}"


def decided_text(verdict: str, kind: str, first: str = "", level: int = 2) -> str:
    """Return how sure the ``first`` move is, or only what kind of move it is; ``level`` moves are about as good."""
    if verdict == "decided":
        return f"{first or 'the first move'} is clearly best"
    sure = f"{'too close to call' if verdict == 'close' else 'not settled'}: 1–{level}"
    return f"{kind} is clearly best, how is {sure}" if kind else sure


def level_moves(moves: Sequence[MoveValue[Fraction]]) -> int:
    """Return how many of some moves, the best first, may be as good as the first; two at least."""
    best, *others = moves
    spans = (each.interval or (inf, inf) for each in others)
    return max(2, 1 + sum(1 for _ in takewhile(lambda span: span[0] <= float(best.value or 0) <= span[1], spans)))
