"""A goal beyond the reach of playouts: one move, then plain play, and the distance after some turns.

What a turn brings often shows later: something that makes every further turn longer costs a turn now. So after the
move that is looked at the game itself says how the turn and some more are played without a search
(``Race.plain_play``), and what stands on the table counts by what it brings. It is the rollout of G. Tesauro and
G. Galperin, "On-line Policy Improvement using Monte-Carlo Search" (NIPS 1996), cut off after some turns. Plain play
looks at nothing that the player does not see, so the distances are those of a real way to play.

Distances are what is shown, or, where plain play may be there in time, the turns that it takes, or how often it is
there in those that are given. What moves are
judged by leans half on the game's guess of the turns that are then still to go (``Race.turns_to_go``), where there is
one: two players equally far on need not be equally well off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any, Final, NamedTuple

from puzzles.goal import Goal, Objective
from rules.core.chance import mix
from rules.core.race import PlainPlay, Race
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd
from solver.search.aims import CLOSE, GoalAim
from solver.search.plain import forbidden_step
from solver.search.rollout import AHEAD, Draws, Playing

COASTED: Final = 9
"""Own turns of such a playout, the one under way included."""
TRUST: Final = 0.5
"""Part of a judgement that the guess of the turns to go makes up; the rest is the distance."""
CREDIT: Final = 20.0
"""Units of progress that the guess may lie off the distance: it knows little of how bad things get better again."""
COUNTED: Final = 18
"""Own turns of a playout by which turns to a goal that is near are counted, unless it is given as many or more."""
TRIES: Final = 6
"""Moves after which plain play is tried to tell whether a goal is near."""
SLIGHT: Final = 0.25
"""Part of a turn that counts for nothing in a race that is far from over, or as much as ``CLOSE`` of what is left."""
LOST: Final = 40.0
"""Units of progress that a race counts for less than none of its turns if it is over before its target."""


def coasts(game: Race[Any], goal: Goal, table: Any) -> bool:
    """Return whether a goal lies too far ahead for playouts and the game says how it is played plainly."""
    far = goal.within_turns is None or goal.within_turns > AHEAD
    return far and game.plain_play(table, goal.seat) is not None


class Coasted(NamedTuple):
    """One playout."""

    value: Fraction
    """The distance after its turns."""
    judged: float
    """What it counts for where moves are compared, in units of progress."""


class CoastingAim(GoalAim):
    """The distance after some turns of plain play, or the turns to a goal that is near, or the chance of them.

    A playout that is at the target before its turns are over counts as if it went on at the pace that took it there:
    whoever arrives sooner has more, and more than whoever has not arrived.
    """

    def __init__(self, game: Race[Any], goal: Goal, table: Any, *, soon: bool = False) -> None:
        """``table`` is the one at the start of the turn under way; ``soon``: the goal itself is played for."""
        most = COUNTED if soon else COASTED
        turns = most if goal.within_turns is None else min(goal.within_turns, most)
        if soon and goal.objective is Objective.REACH and goal.within_turns is not None:
            turns = goal.within_turns
        objective = goal.objective if soon else Objective.MAX_DISTANCE
        super().__init__(game, replace(goal, objective=objective, within_turns=turns))
        self._from = game.progress(table, self.seat)
        self._finishes = goal.objective is not Objective.MAX_DISTANCE
        race = self._finishes and goal.target == game.default_target() and self._from < goal.target
        left = game.turns_to_go(table, self.seat) if race else None
        self._slight = SLIGHT if left is None else max(SLIGHT, CLOSE * left)
        """Turns that count for nothing."""
        self._pace = None if left is None else (goal.target - self._from) / max(left, 1.0)
        """Units of progress that a turn is guessed to bring from here to the finish; none where nothing is guessed."""

    @property
    def is_distant(self) -> bool:
        """Whether the game guesses that the finish takes more turns than are ever counted."""
        return self._pace is not None and self.goal.target - self._from > COUNTED * self._pace

    def arrived(self, table: Any, done: int) -> Fraction | None:
        """Return the distance at the pace of a playout that has reached the target, where it was to be reached."""
        if self.goal.objective is not Objective.MAX_DISTANCE:
            return super().arrived(table, done)
        target = self.goal.target
        if not self._finishes or self._from >= target or self._game.progress(table, self.seat) < target:
            return None
        return self._from + Fraction((target - self._from) * self.span, done)

    def slight(self, value: float, width: float) -> float:
        """Return a part of a turn, or of all that are left: in turns, or in what they bring where that is told."""
        if self.goal.objective is Objective.REACH:
            return super().slight(value, width)
        return self._slight if self.least else self._slight * abs(value - self._from) / self.span

    def judged(self, table: Any, done: int, value: Fraction) -> float:
        """Return what a playout counts for that is worth ``value`` and has stopped after so many turns.

        Being there in time counts as much as the turns that are given.
        """
        if self.goal.objective is Objective.REACH:
            return float(self.span * value)
        if self._pace is None:
            return -float(value) if self.least else float(value)
        target, progress = self.goal.target, self._game.progress(table, self.seat)
        if progress >= target:
            return target + (self.span - done) * self._pace
        if self._game.is_over(table):
            return self._from - LOST
        left = self._game.turns_to_go(table, self.seat)
        assert left is not None
        gap = target - left * self._pace - progress
        return progress + TRUST * max(-CREDIT, min(CREDIT, gap))


class Coasting:
    """The playouts of one question: a beginning of the first turn, then plain play."""

    nodes = 0
    """Nothing is kept of them."""

    def __init__(self, game: Race[Any], start: State[Any], aim: CoastingAim, *, seed: int = 0) -> None:
        self._game = game
        self._start = start
        self._aim = aim
        self._seed = mix(seed ^ 0x1515)
        self._lowest, self._highest = inf, -inf
        self.played = 0
        """Turns played in all."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which values every playout lies for certain."""
        return self._aim.bounds

    @property
    def width(self) -> float:
        """How far the values of all playouts so far lie apart."""
        return self._highest - self._lowest

    def opinions(self, moves: Sequence[Step]) -> list[float]:
        """Return what plain play holds the open moves to be worth, in units of progress."""
        return list(map(self._plain(self._start.table), moves))

    def grow(self, begun: Sequence[Step | Forced], number: int) -> Coasted:
        """Play once after the given steps of the first turn; equal numbers bring equal draws."""
        return self._run(begun, mix(self._seed ^ number))

    def play(self, begun: Sequence[Step | Forced], number: int) -> Coasted:
        """Play once on draws that no ``grow`` has met."""
        return self._run(begun, mix(mix(self._seed) ^ number))

    def _run(self, begun: Sequence[Step | Forced], seed: int) -> Coasted:
        game, aim, table = self._game, self._aim, self._start.table
        draws, first = Draws(seed), aim.clock(table)
        value: Fraction | None = None
        done = 0
        while value is None and done < aim.span and not game.is_over(table):
            script = Playing(begun, draws, self._answers(table))
            begun = ()
            self.played += 1
            after = game.play_turn(table, script)
            if not done and not game.allows(table, TurnEnd(tuple(script.steps), after)):
                return Coasted(aim.lost, -float(aim.lost))
            table = after
            done = aim.clock(table) - first
            value = aim.arrived(table, done)
        if value is None:
            value = aim.ended(table)
        self._lowest, self._highest = min(self._lowest, float(value)), max(self._highest, float(value))
        return Coasted(value, aim.judged(table, done, value))

    def _plain(self, table: Any) -> PlainPlay:
        plain = self._game.plain_play(table, self._aim.seat)
        assert plain is not None
        return plain

    def _answers(self, table: Any) -> Any:
        plain, forbidden = self._plain(table), self._aim.forbidden

        def answer(_: Playing, __: int, answers: Sequence[Step]) -> Step:
            if forbidden:
                answers = [each for each in answers if not forbidden_step(each, forbidden)] or answers
            return max(answers, key=plain)

        return answer


def is_far(game: Race[Any], start: State[Any], goal: Goal) -> bool:
    """Return whether the number of turns to a goal is asked for and a playout of plain play does not arrive."""
    if goal.objective is not Objective.MIN_TURNS or not coasts(game, goal, start.table):
        return False
    return Coasting(game, start, CoastingAim(game, goal, start.table)).grow(start.pending, 0).value < goal.target


def is_beyond(game: Race[Any], start: State[Any], goal: Goal, moves: Sequence[Step]) -> bool:
    """Return whether playouts of plain play do not even get half of the way to a goal in the turns that are given."""
    if game.plain_play(start.table, goal.seat) is None:
        return False
    aim = CoastingAim(game, replace(goal, objective=Objective.MAX_DISTANCE), start.table)
    half = Fraction(game.progress(start.table, goal.seat) + goal.target, 2)
    return all(value < half for value in _tried(game, start, aim, moves))


def is_soon(game: Race[Any], start: State[Any], goal: Goal, moves: Sequence[Step]) -> bool:
    """Return whether a goal is to be reached, beyond those that trees reach, and a playout may arrive.

    That is one of those that begin with the moves that plain play likes best.
    """
    if goal.objective is Objective.MAX_DISTANCE or not coasts(game, goal, start.table):
        return False
    aim = CoastingAim(game, goal, start.table)
    if aim.is_distant:
        return False
    return any(value >= goal.target for value in _tried(game, start, aim, moves))


def _tried(game: Race[Any], start: State[Any], aim: CoastingAim, moves: Sequence[Step]) -> Iterator[Fraction]:
    """Yield what playouts come to that begin with the moves that plain play likes best."""
    coasting = Coasting(game, start, aim)
    opinions = dict(zip(moves, coasting.opinions(moves), strict=True))
    for move in sorted(moves, key=lambda move: (-opinions[move], move.text))[:TRIES]:
        yield coasting.grow(game.begun(start, move), 0).value
