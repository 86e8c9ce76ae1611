"""Questions about small tables with a hidden deck, and their values by complete play of the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from benchmarks.soak_tables import random_position
from puzzles.puzzle import Goal, Objective
from rules.iditacards.engine import Iditacards
from rules.iditacards.turn import NEW_DAY
from solver.encodings.iditacards.encoding import supports
from solver.encodings.iditacards.hidden.values import RULES, HiddenValues, Question
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectimax import Expectimax
from tests.solver.encodings.positions import Case, case_of

NEAR = (3, 5, 8, 12, 15)
"""Spaces to a target."""
MEMORY = 1 << 28


class HiddenAsked(NamedTuple):
    """A question about a table."""

    case: Case
    goal: Goal

    def value(self, rules: int = RULES, pause: Callable[[], None] = lambda: None) -> Fraction | None:
        """Return the value by the encoding."""
        return self.values(rules, pause=pause).value(self.case.table, self.goal.within_turns or 0)

    def values(
        self, rules: int = RULES, *, optimistic: bool = False, pause: Callable[[], None] = lambda: None
    ) -> HiddenValues:
        """Return what tells values over the encoding."""
        case, goal = self.case, self.goal
        question = Question(goal.objective, goal.target, goal.within_turns or 0, goal.forbidden, optimistic)
        return HiddenValues(case.game, case.table, question, MEMORY, pause, rules)

    def expected(self, most: int) -> Fraction | None:
        """Return the value by complete play.

        Raises:
            BudgetExceeded: that takes more than so many ways through turns.
        """
        search = Expectimax(self.case.game, self.goal, Budget(), most=most)
        return search.value(self.case.table, self.goal.within_turns or 0)


def hidden_questions(seeds: range) -> Iterator[HiddenAsked]:
    """Yield a question about the table of each seed, where the encoding carries it."""
    for seed in seeds:
        position = random_position(seed, is_open=False, tame_part=0.6)
        game, state = position.start()
        assert isinstance(game, Iditacards)
        dice = random.Random(seed)
        objective = dice.choice([Objective.REACH, Objective.MAX_DISTANCE, Objective.MIN_TURNS])
        turns = dice.choice([1, 1, 2, 2, 3])
        target = state.table.players[0].pos + dice.choice(NEAR)
        forbidden = frozenset({NEW_DAY.text}) if dice.random() < 0.5 else frozenset[str]()
        if not state.pending and not supports(game, state.table, 0, forbidden, hidden=True):
            yield HiddenAsked(case_of(f"hidden {seed}", position), Goal(objective, target, turns, forbidden))


@cache
def compared(first: int, number: int, most: int) -> tuple[tuple[HiddenAsked, Fraction | None], ...]:
    """Return questions with their values, as far as complete play takes no more than so many ways through turns.

    What comes to hidden upgrades that can be played is left out: the encoding does not carry it.
    """
    found = []
    for asked in hidden_questions(range(first, first + number)):
        with suppress(BudgetExceeded, OverflowError):
            asked.value()
            found.append((asked, asked.expected(most)))
    return tuple(found)
