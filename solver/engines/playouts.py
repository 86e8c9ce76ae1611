"""Playouts that values of moves are means of: trees over the rows of an encoding, and flat rollouts by the rules."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any, Final, TypeAlias

from puzzles.goal import Goal, Objective, allowed_steps
from rules.core.chance import SplitMix64, mix
from rules.core.race import Race
from rules.core.scripts import Barred, Forced, Step
from rules.core.turns import State, TurnEnd
from solver.encodings.turns import playout_values
from solver.search.expectimax import ROW_S
from solver.search.rollout import AHEAD, Deals, Draws, GreedyPolicy, Playing, Policy, Sampler

MOST_TURNS: Final = 400
"""Turns that a playout lasts at most."""
ENTRIES: Final = 1 << 18
"""Places of the tree, a power of 2."""
FAR: Final = 6
"""Turns beyond which none are worked out exactly,"""
TRIES: Final = 8
"""if so many playouts of plain play do not arrive."""
LAST_ROWS: Final = 1 << 15
"""Rows of a last turn up to which it is valued exactly."""
RULES_S: Final = 0.002
"""About the seconds of the rest of a turn by the rules, with the tries of plain play."""
MEMORY: Final = 1 << 26
"""Bytes for values of last turns."""
OWN_TRIED: Final = 12
"""Answers that the asking seat tries in a rollout by the rules."""

Begun: TypeAlias = "array[int] | Sequence[Step | Forced]"
"""A row whose turn has begun with a move, or the steps of a turn that rows do not tell apart."""


def within_playouts(goal: Goal) -> Goal:
    """Return the question that playouts answer: the distance after some turns where a goal lies too far ahead."""
    turns = goal.within_turns
    if turns is not None and turns <= AHEAD:
        return goal
    return replace(goal, objective=Objective.MAX_DISTANCE, within_turns=AHEAD)


CLOSE: Final = 0.01
"""Part of the value, or of what lies between the best and the worst playout, under which moves are equally good."""
FEWEST_ROUNDS: Final = 2
"""Rounds that playouts of a game against others last at least, where a round is many turns."""


@dataclass(slots=True)
class Aim:
    """What one seat plays for, and how long."""

    seat: int
    span: int
    """How far the clock may run."""
    bounds: tuple[float, float]
    """Between which values every playout lies for certain."""
    clock: Callable[[Any], int]
    """Returns the time on a table, in own turns or in rounds."""
    ended: Callable[[Any], Fraction]
    """Returns what a playout is worth whose time is up."""
    arrived: Callable[[Any, int], Fraction | None] = lambda _table, _done: None
    """Returns what a playout is worth that ends at once after so much time, or nothing where it goes on."""
    forbidden: frozenset[str] = frozenset()
    """First words of moves that the seat does not make."""
    least: bool = False
    """Less is better."""
    lost: Fraction = Fraction(0)
    """What a playout is worth that cannot help doing what is forbidden."""
    precision: float = inf
    """How wide the interval of the best move may be where a comparison ends before its time."""
    is_contest: bool = False

    def tie_margin(self, value: float, width: float) -> float:
        """Return the difference that counts for nothing where playouts are worth about so much and so different."""
        return CLOSE * (width if self.is_contest else abs(value))


def goal_aim(game: Race[Any], goal: Goal) -> Aim:
    """Return the aim of a player with a goal of its own."""
    seat, least, farthest = goal.seat, goal.objective is Objective.MIN_TURNS, goal.objective is Objective.MAX_DISTANCE
    span = AHEAD if goal.within_turns is None else goal.within_turns
    lost = Fraction(span if least else 0)

    def arrived(table: Any, done: int) -> Fraction | None:
        if farthest or game.progress(table, seat) < goal.target:
            return None
        return Fraction(done if least else 1)

    def ended(table: Any) -> Fraction:
        return Fraction(game.so_far(table, seat)) if farthest else lost

    bounds = 0.0, 1.0 if goal.objective is Objective.REACH else float(span)
    if farthest:
        bottom = game.profile.bottom
        bounds = -inf if bottom is None else float(bottom), inf
    return Aim(seat, span, bounds, partial(game.turns, seat=seat), ended, arrived, goal.forbidden, least, lost)


def contest_aim(game: Race[Any], seat: int, rounds: int, *, stops: bool) -> Aim:
    """Return the aim of a seat in a game against others for some rounds, which is what it has in the end.

    Where ``stops``, play stops after these rounds, and who has what then counts. Elsewhere the game goes on: a playout
    that has not come to its end is worth what the game guesses.
    """

    def ended(table: Any) -> Fraction:
        return Fraction(game.payoffs(table, guess=not stops)[seat])

    return Aim(seat, rounds, (-inf, inf) if game.profile.stake else (0.0, 1.0), game.rounds, ended, is_contest=True)


def passed_aim(game: Race[Any], table: Any, seat: int) -> Aim | None:
    """Return whether somebody who is not ahead of a seat is so before its next turn; nothing where nobody may pass."""
    others = (each for each in range(game.players) if each != seat)
    behind = [each for each in others if game.progress(table, each) <= game.progress(table, seat)]

    def ended(table: Any) -> Fraction:
        return Fraction(any(game.progress(table, each) > game.progress(table, seat) for each in behind))

    return Aim(seat, game.players, (0.0, 1.0), game.pace, ended) if behind else None


def rounds_ahead(game: Race[Any]) -> int:
    """Return the rounds that playouts last where nothing else is said: as many own turns as those for a goal."""
    return max(FEWEST_ROUNDS, AHEAD // game.profile.stages)


class RowTrees(Sampler):
    """The tree of one question, grown by ``grow`` and played by ``play``."""

    engine = "information-set tree search"
    most_playouts = 10_000
    most_turns = 200_000

    def __init__(self, game: Race[Any], start: State[Any], aim: Aim, values: Any, seed: int) -> None:
        self._game, self._start, self.aim = game, start, aim
        super().__init__(seed)
        self._values, self._turns = values, aim.span
        self.bounds = aim.bounds
        self._rows = values.play_on(ENTRIES, LAST_ROWS)
        self._greedy = GreedyPolicy(game, self._looks)

    @property
    def played(self) -> int:
        """Turns played in all."""
        return int(self._rows.turns) + self._played

    @property
    def spent_s(self) -> float:
        """About the seconds of all playouts, from what was played alone."""
        return ROW_S * int(self._values.search.count) + RULES_S * self._played

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""
        return int(self._rows.filled)

    def begun(self, move: Step) -> Begun:
        """Return what a playout of a move begins with."""
        if not self._start.pending:
            with suppress(LookupError):
                row: array[int] = self._values.row_after(self._start.table, move, self._turns)
                return row
        return self._game.begun(self._start, move)

    def looks(self, table: Any, move: Step) -> float:
        """Return how good a move at the start of a turn looks to plain play; least where rows do not tell it apart."""
        try:
            self._values.row_after(table, move, self._turns)
        except LookupError:
            return -inf
        return float(self._values.search.guess(0))

    def liked(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return what plain play answers (a ``Policy``): the move that looks best, within a turn after some tries."""
        allowed = allowed_steps(answers, self.aim.forbidden) or list(answers)
        if script.steps:
            return self._greedy(table, script, seat, allowed, generator)
        return max(allowed, key=lambda move: self.looks(table, move))

    def here(self) -> Begun:
        """Return what a playout of the position itself begins with."""
        start = self._start
        return start.pending or self._values.row_of(start.table, self._turns)

    def progress(self) -> int:
        """Return how far the last playout got."""
        return int(self._values.search.space)

    def _looks(self, table: Any) -> float:
        """Return how good a table at the end of the turn under way looks to plain play."""
        self._values.row_of(table, self._turns - 1)
        return float(self._values.search.guess(0))

    def _run(self, begun: Begun, seed: int, *, learns: bool) -> float:
        if not isinstance(begun, array):
            return self._by_rules(begun, seed, learns=learns)
        value = float(self._rows.play(begun, seed, learns))
        return -value if self.aim.least else value

    def _by_rules(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> float:
        """Play the turn under way by the rules, and the others by rows."""
        game, aim, table = self._game, self.aim, self._start.table
        self._played += 1
        generator = SplitMix64(mix(seed ^ 3))

        def answer(made: Playing, seat: int, answers: Sequence[Step]) -> Step:
            return self.liked(table, made, seat, answers, generator)

        script = Playing(begun, Draws(seed), answer)
        after = game.play_turn(table, script)
        allowed = game.allows(table, TurnEnd(tuple(script.steps), after))
        value = aim.arrived(after, 1) if allowed else aim.lost
        if value is None and (self._turns == 1 or game.is_over(after)):
            value = aim.ended(after)
        if value is not None:
            return float(value)
        return self._run(self._values.row_of(after, self._turns - 1), seed, learns=learns)


def is_far(game: Race[Any], start: State[Any], goal: Goal) -> bool:
    """Return whether the number of turns to a goal is asked for, and plain play takes many of them."""
    trees = row_trees(game, start, goal, 0) if goal.objective is Objective.MIN_TURNS else None
    return trees is not None and min(trees.play(trees.here(), draw) for draw in range(TRIES)) > FAR


def row_trees(game: Race[Any], start: State[Any], goal: Goal, seed: int) -> RowTrees | None:
    """Return the playouts of a question, or nothing where no encoding carries it."""
    turns = MOST_TURNS if goal.within_turns is None else min(goal.within_turns, MOST_TURNS)
    values = playout_values(game, start.table, goal, turns, MEMORY)
    if values is None:
        return None
    return RowTrees(game, start, goal_aim(game, replace(goal, within_turns=turns)), values, seed)


class Rollouts(Sampler):
    """Flat rollouts of one question by the rules: no encoding is needed.

    Each seat decides by a policy on what it knows, the asking one greedily. What that seat does not see is dealt anew
    for each rollout.
    """

    engine = "flat rollouts"

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        aim: Aim,
        others: Policy | None = None,
        *,
        seed: int = 0,
        alone: bool = False,
    ) -> None:
        """``others`` is how the other seats play, greedily without it; ``alone``: nobody else has turns."""
        super().__init__(seed)
        self._game, self._start, self.aim = game, start, aim
        self._own = GreedyPolicy(game, partial(game.promise, seat=aim.seat), tried=OWN_TRIED)
        self._others = others or GreedyPolicy(game)
        self._deals = Deals(game, start, aim.seat, alone=alone)
        self.bounds = aim.bounds

    def begun(self, move: Step) -> Sequence[Step | Forced]:
        """Return what a playout of a move begins with."""
        return self._game.begun(self._start, move)

    def _run(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> Fraction:
        table, begun = self._deals.deal(begun, SplitMix64(mix(seed ^ 1)))
        try:
            return self._rollout(table, begun, Draws(seed), SplitMix64(mix(seed ^ 2)))
        except Barred:
            return self.aim.lost

    def _rollout(self, table: Any, begun: Sequence[Step | Forced], draws: Draws, generator: SplitMix64) -> Fraction:
        """Play on to the end of the question; return what that is worth.

        Raises:
            Barred: every open move is forbidden.
        """
        game, aim = self._game, self.aim

        def script(steps: Sequence[Step | Forced]) -> Playing:
            return Playing(steps, draws, partial(self._answer, table, generator))

        first, done = aim.clock(table), 0
        while self._deals.is_before(table):  # seats whose secret decisions the deal has taken back
            table = game.play_turn(table, script(()))
        while done < aim.span and not game.is_over(table):
            made, begun = script(begun), ()
            after = game.play_turn(table, made)
            self._played += 1
            if not game.allows(table, TurnEnd(tuple(made.steps), after)):
                return aim.lost
            before, done, table = done, aim.clock(after) - first, after
            value = aim.arrived(table, done) if done > before else None
            if value is not None:
                return value
        return aim.ended(table)

    def _answer(self, table: Any, generator: SplitMix64, script: Playing, seat: int, answers: Sequence[Step]) -> Step:
        """Return what the policy of a seat answers.

        Raises:
            Barred: the goal forbids every answer.
        """
        if seat != self.aim.seat:
            return self._others(table, script, seat, answers, generator)
        allowed = allowed_steps(answers, self.aim.forbidden)
        if not allowed:
            raise Barred
        return self._own(table, script, seat, allowed, generator)
