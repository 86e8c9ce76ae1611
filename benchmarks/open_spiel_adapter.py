"""One question about a hidden position as OpenSpiel's Monte Carlo tree search asks for it (extra ``peers``).

OpenSpiel's search is its own; this module only answers what it asks, from the rules core alone. Chance stands at chance
nodes, so that the search knows no more than a player does.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import CHANCE, Step
from rules.core.turns import State

SCALE = 30
"""Units of progress from where the position begins that make the reward 1."""
CURIOSITY = 1.4
"""Weight of what has been tried seldom; the usual one for rewards between 0 and 1."""
MEASURED = 50
"""Simulations by which the speed of the search is measured."""


class Situation:
    """The state of a case as OpenSpiel's search asks for it; rewards are between 0 and 1."""

    def __init__(self, game: Race[Any], goal: Goal, state: State[Any], first: tuple[int, int], worth: float) -> None:
        self._game = game
        self._goal = goal
        self._state = state
        self._first = first
        """Turns and progress where the case begins."""
        self._worth = worth
        """What has been earned for good."""
        self._open: Sequence[Step] | None = None

    def clone(self) -> Situation:
        """Return a copy."""
        return Situation(self._game, self._goal, self._state, self._first, self._worth)

    def steps(self) -> Sequence[Step]:
        """Return the open moves, or the outcomes of chance."""
        if self._open is None:
            steps = self._game.legal_moves(self._state) or self._game.chance_outcomes(self._state)
            self._open = [step for step in steps if step.text not in self._goal.forbidden]
        return self._open

    def is_chance_node(self) -> bool:
        """Return whether chance decides next."""
        return self._game.to_act(self._state) == CHANCE

    def current_player(self) -> int:
        """Return who decides next: -1 is chance and -4 nobody, as in OpenSpiel."""
        return -4 if self.is_terminal() else -1 if self.is_chance_node() else 0

    def is_terminal(self) -> bool:
        """Return whether the question is settled."""
        done = self._game.turns(self._state.table) - self._first[0]
        return self._worth > 0 or done >= (self._goal.within_turns or 0) or not self.steps()

    def legal_actions(self, player: int = 0) -> list[int]:
        """Return the numbers of the open moves."""
        return list(range(len(self.steps())))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the outcomes with their chances."""
        return [(place, float(each.probability)) for place, each in enumerate(self._game.chance_outcomes(self._state))]

    def apply_action(self, action: int) -> None:
        """Take one step."""
        self._state = self._game.apply(self._state, self.steps()[action]).state
        self._open = None
        if not self._state.pending and self._goal.objective is Objective.REACH:
            self._worth = float(self._game.progress(self._state.table) >= self._goal.target)

    def action_to_string(self, player: int, action: int) -> str:
        """Return the text of a move."""
        return self.steps()[action].text

    def returns(self) -> list[float]:
        """Return the reward."""
        if self._goal.objective is Objective.REACH:
            return [self._worth]
        if self._game.turns(self._state.table) - self._first[0] < (self._goal.within_turns or 0):
            return [0.0]  # nothing but what the goal forbids is open
        return [(self._game.progress(self._state.table) - self._first[1]) / SCALE]


class Kind:
    """What the search wants to know of a game: one player after another, only the end is rewarded."""

    reward_model = pyspiel.GameType.RewardModel.TERMINAL
    dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL


class Rules:
    """The game as the search asks for it."""

    def get_type(self) -> Kind:
        """Return what kind of game it is."""
        return Kind()

    def max_utility(self) -> float:
        """Return the greatest reward."""
        return 1.0


def open_spiel_search(position: Position, goal: Goal, time_s: float) -> tuple[str, float, None, float]:
    """Return the move that OpenSpiel's search chooses, what it promises for it, no interval, and the processor time.

    The number of simulations is what its speed, measured first, allows in the time.
    """
    game, start = position.start()
    assert isinstance(game, Race)
    first = (game.turns(start.table), game.progress(start.table))
    root = Situation(game, goal, start, first, 0.0)
    begun = process_time()
    _searched(root, MEASURED)
    pace = (process_time() - begun) / MEASURED
    found = _searched(root, max(MEASURED, round((time_s - MEASURED * pace) / pace)))
    best = found.best_child()
    mean = best.total_reward / best.explore_count
    promised = mean if goal.objective is Objective.REACH else first[1] + SCALE * mean
    return root.steps()[best.action].text, promised, None, process_time() - begun


def _searched(root: Situation, simulations: int) -> Any:
    random = np.random.RandomState(1)
    bot = MCTSBot(Rules(), CURIOSITY, simulations, RandomRolloutEvaluator(1, random), random_state=random)
    return bot.mcts_search(root)
