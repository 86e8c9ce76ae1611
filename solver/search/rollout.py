"""Playing on with a fixed way to play and chance drawn as it may fall: values of real policies, with their spread.

Whoever plays here knows no more than a player does: chance is drawn when it comes up, from what the table says is
possible, never before. The same numbers drive the same draws for every move compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.race import Race
from rules.core.steps import CHANCE, ChanceOutcome, Forced, Step
from rules.core.turns import Script
from solver.search.plain import forbidden_step

TRIED: Final = 4
"""Answers that the greedy way to play looks at; a random choice of them where there are more."""
AHEAD: Final = 6
"""Own turns that a playout may take."""

Answer = Callable[[int, Sequence[Step], Sequence[Step | Forced]], Step]
"""Chooses for a seat among some answers, after some steps of the turn."""


class Playing(Script):
    """Answers chance by its odds and players by their ways to play."""

    __slots__ = ("_answer_of", "_generator")

    def __init__(self, steps: Sequence[Step | Forced], generator: SplitMix64, answer: Answer) -> None:
        super().__init__(steps)
        self._generator = generator
        self._answer_of = answer

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        if actor == CHANCE:
            answer = drawn([each for each in answers if isinstance(each, ChanceOutcome)], self._generator)
        else:
            answer = self._answer_of(actor, answers, self.steps)
        self.steps.append(answer)
        self._cursor = len(self.steps)
        return answer


def drawn(outcomes: Sequence[ChanceOutcome], generator: SplitMix64) -> Step:
    """Return an outcome, each as likely as it is."""
    left = generator.below(sum(outcome.ways for outcome in outcomes))
    for outcome in outcomes:
        left -= outcome.ways
        if left < 0:
            return outcome
    raise AssertionError("the ways of the outcomes add up to more")


def within_playouts(goal: Goal) -> Goal:
    """Return the question that playouts answer: the distance after some turns where a goal lies too far ahead."""
    turns = goal.within_turns
    if turns is not None and turns <= AHEAD:
        return goal
    return replace(goal, objective=Objective.MAX_DISTANCE, within_turns=AHEAD)


class Players:
    """Ways to play for all seats of one game.

    ``greedy`` tries some answers, finishes the turn at random for each, and takes the one that leads to the greatest
    progress, cards in hand counting half; ``random`` takes any answer.
    """

    def __init__(self, game: Race[Any], goal: Goal, others: str = "greedy") -> None:
        self._game = game
        self._goal = goal
        self._others = others

    def play_turn(self, table: Any, begun: Sequence[Step | Forced], generator: SplitMix64) -> Any:
        """Return the table after one turn."""
        draws = SplitMix64(generator.next())
        guesses = SplitMix64(generator.next())

        def answer(actor: int, answers: Sequence[Step], steps: Sequence[Step | Forced]) -> Step:
            open_answers = self._allowed(actor, answers)
            if actor != self._goal.seat and self._others == "random":
                return open_answers[guesses.below(len(open_answers))]
            return self._greedy(table, actor, open_answers, steps, guesses)

        return self._game.play_turn(table, Playing(begun, draws, answer))

    def _allowed(self, actor: int, answers: Sequence[Step]) -> Sequence[Step]:
        if actor != self._goal.seat or not self._goal.forbidden:
            return answers
        allowed = [answer for answer in answers if not forbidden_step(answer, self._goal.forbidden)]
        return allowed or answers

    def _greedy(
        self, table: Any, actor: int, answers: Sequence[Step], steps: Sequence[Step | Forced], generator: SplitMix64
    ) -> Step:
        tried = list(answers)
        while len(tried) > TRIED:
            del tried[generator.below(len(tried))]
        if len(tried) == 1:
            return tried[0]

        def any_answer(_: int, more: Sequence[Step], __: Sequence[Step | Forced]) -> Step:
            return more[generator.below(len(more))]

        best, best_score = tried[0], -1
        for answer in tried:
            end = self._game.play_turn(table, Playing([*steps, answer], generator, any_answer))
            score = 2 * self._game.progress(end, actor) + len(self._game.hand(end, actor))
            if score > best_score:
                best, best_score = answer, score
        return best

    def value(self, table: Any, begun: Sequence[Step | Forced], seed: int) -> Fraction:
        """Return what one playout is worth: 1 or 0, progress, or own turns, all own turns counted from here."""
        game, goal = self._game, self._goal
        generator = SplitMix64(seed)
        first = game.turns(table, goal.seat)
        most = AHEAD if goal.within_turns is None else goal.within_turns
        done = 0
        while done < most and not game.is_over(table):
            table = self.play_turn(table, begun, generator)
            begun = ()
            before, done = done, game.turns(table, goal.seat) - first
            there = done > before and game.progress(table, goal.seat) >= goal.target
            if goal.objective is not Objective.MAX_DISTANCE and there:
                return Fraction(done if goal.objective is Objective.MIN_TURNS else 1)
        if goal.objective is Objective.MAX_DISTANCE:
            return Fraction(game.progress(table, goal.seat))
        return Fraction(most if goal.objective is Objective.MIN_TURNS else 0)
