"""A goal beyond the reach of playouts: a turn searched, then played on plainly, and the distance after that.

What a turn brings often shows later: something that makes every further turn longer costs a turn now. So the table
after the turn of the search is played on for some more by the rules, with any open move, each equally likely, except
those that the game calls last resorts; what stands on the table then counts by what it brings, and no worth of any
card is written down anywhere. It is the rollout of G. Tesauro and G. Galperin, "On-line Policy Improvement using
Monte-Carlo Search" (NIPS 1996), cut off after some turns. Plain play takes any card alike and looks at none that the
player does not see, so the distances are those of a real way to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.race import Race
from rules.core.steps import Step
from solver.search.aims import GoalAim
from solver.search.plain import forbidden_step
from solver.search.rollout import AHEAD

SEARCHED: Final = 1
"""Own turns of such a playout that the search chooses."""
COASTED: Final = 8
"""Own turns that are played on plainly after them."""


def coasts(game: Race[Any], goal: Goal) -> bool:
    """Return whether a goal lies too far ahead for playouts and the game says what plain play leaves alone."""
    return bool(game.last_resorts) and (goal.within_turns is None or goal.within_turns > AHEAD)


class CoastingAim(GoalAim):
    """The distance after a turn of search and some of plain play.

    A playout that is at the target before its turns are over counts as if it went on at the pace that took it there:
    whoever arrives sooner has more, and more than whoever has not arrived.
    """

    def __init__(self, game: Race[Any], goal: Goal, table: Any) -> None:
        """``table`` is the one at the start of the turn under way."""
        turns = SEARCHED + COASTED if goal.within_turns is None else min(goal.within_turns, SEARCHED + COASTED)
        super().__init__(game, replace(goal, objective=Objective.MAX_DISTANCE, within_turns=turns))
        self.span = SEARCHED
        self.coasting = turns - SEARCHED
        self._turns = turns
        self._from = game.progress(table, self.seat)
        self._finishes = goal.objective is not Objective.MAX_DISTANCE

    def arrived(self, table: Any, done: int) -> Fraction | None:
        """Return the distance at the pace of a playout that has reached the target, where it was to be reached."""
        target = self.goal.target
        if not self._finishes or self._from >= target or self._game.progress(table, self.seat) < target:
            return None
        return self._from + Fraction((target - self._from) * self._turns, done)

    def plain(self, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return any answer that is no last resort, or any at all where there is no other."""
        resorts = self._game.last_resorts | self.forbidden
        kept = [answer for answer in answers if not forbidden_step(answer, resorts)] or list(answers)
        return kept[generator.below(len(kept))]
