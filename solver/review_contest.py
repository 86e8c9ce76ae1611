"""A recorded game of several players judged step by step: what each decision gave away, and what chance brought.

Values are those of everybody playing their best from there on. Where play was followed to its end they are exact, and
so are losses; elsewhere a loss is told as far as search looked, and marked so. Luck needs exact values of two seats.
Where cards are hidden from a player, what was done is compared with the best move of a sample, on the same draws and
with no more than the player knew; only a loss that the sample settles has a mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from rules.core.contest import Contest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.steps import CHANCE, OVER, Step
from rules.core.turns import State
from solver.duel import ContestQuestion, ContestReport
from solver.hidden_contest import best_hidden_contest
from solver.report import Status
from solver.review import SAMPLED, mark_of, recorded_step
from solver.search.budget import Budget
from solver.search.contests.modelled import Model

BRANCHES: Final = 60
"""Results of one chance event that are valued at most."""


@dataclass(frozen=True, slots=True)
class Contested:
    """One step of the record."""

    text: str
    seat: int | None
    """Whose decision it was; none for chance."""
    before: Fraction | None
    """What the seat could have had, or the first seat before chance; none where it is not known exactly."""
    change: Fraction | None
    """Loss of a decision, 0 or more; for chance, what it gave the first seat; none where not known."""
    ahead: int | None
    """Turns that search looked ahead where the loss is not exact; none where it is."""
    mark: str
    """``doubtful``, ``mistake``, ``blunder``, ``only move`` or nothing."""
    verdict: str = ""
    """How sure a loss is that comes from a sample: ``decided``, ``close`` or ``undecided``; empty for others."""


@dataclass(frozen=True, slots=True)
class ContestReview:
    """A whole record."""

    steps: tuple[Contested, ...]
    lost: tuple[Fraction, ...]
    """By seat: all losses that are known exactly."""
    luck: Fraction
    """What chance gave the first seat, and took from the second, as far as it is known."""
    thrown: tuple[int | None, ...]
    """By seat: number, from 1, of the first own decision after which nothing of the win was left to be had."""
    unknown: int
    """Steps of which no exact loss or luck is known."""
    interrupted: bool = False


def review_contest(
    position: Position, record: Sequence[str], limit: Budget | None = None, *, seed: int = 0
) -> ContestReview:
    """Return every step of a record judged; it ends early where the game does, or where the user stops it.

    Raises:
        UnsupportedRuleset: the game is no contest.
        ContentError: a step is not possible where it stands.
    """
    game, state = position.start()
    if not isinstance(game, Contest) or position.players < 2:
        raise UnsupportedRuleset(["a review of a game without opponents"])
    judge = _Judge(game, position, limit or Budget(), len(record) + 1, seed)
    steps: list[Contested] = []
    thrown: list[int | None] = [None] * game.players
    interrupted = False
    for number, text in enumerate(record, start=1):
        if game.to_act(state) == OVER:
            break
        step = recorded_step(game, state, number, text)
        try:
            told = judge.step(state, step)
        except KeyboardInterrupt:
            interrupted = True
            break
        if told.seat is not None and told.before and told.change == told.before and not game.stake:
            thrown[told.seat] = thrown[told.seat] or number
        steps.append(told)
        state = game.apply(state, step).state
    exact = [each for each in steps if each.change is not None and each.ahead is None and not each.verdict]
    lost = [
        sum((each.change for each in exact if each.seat == seat and each.change is not None), Fraction(0))
        for seat in range(game.players)
    ]
    luck = sum((each.change for each in exact if each.seat is None and each.change is not None), Fraction(0))
    return ContestReview(tuple(steps), tuple(lost), luck, tuple(thrown), len(steps) - len(exact), interrupted)


class _Judge:
    """Values of the states of one record; equal states are looked at once."""

    def __init__(self, game: Contest[Any], position: Position, limit: Budget, parts: int, seed: int) -> None:
        self._game = game
        self._position = position
        self._seed = seed
        self._budget = limit.start()
        self._limit = replace(limit, time_s=None if limit.time_s is None else limit.time_s / parts)
        self._known: dict[State[Any], ContestReport] = {}

    def step(self, state: State[Any], step: Any) -> Contested:
        """Return one step judged; in the end nothing is known of what there was no time for."""
        game = self._game
        actor = game.to_act(state)
        if not self._budget.has_time(0):
            return Contested(step.text, None if actor == CHANCE else actor, None, None, None, "")
        if actor == CHANCE:
            before, after = self._value(state), self._value(game.apply(state, step).state)
            given = None if before is None or after is None else after - before
            return Contested(step.text, None, before, given, None, "")
        if len(game.legal_moves(state)) == 1:
            return Contested(step.text, actor, None, Fraction(0), None, "only move")
        if not game.is_common(state.table):
            return self._sampled(state, step, actor)
        if game.is_secret(state.table):
            return Contested(step.text, actor, None, None, None, "")
        try:
            report = self._report(state, step)
        except UnsupportedRuleset:  # somebody decides later on while cards are hidden
            return self._sampled(state, step, actor)
        choice = next(each for each in report.choices if each.move == step)
        exact = report.status is Status.OPTIMAL
        mark = "" if choice.loss is None else self._mark(state, choice.loss)
        return Contested(
            step.text,
            actor,
            report.value if exact else None,
            choice.loss,
            None if exact or choice.loss is None else report.turns,
            mark,
        )

    def _sampled(self, state: State[Any], step: Any, actor: int) -> Contested:
        """Return a decision judged by what its seat knew: against the best move of a sample, on draws of their own."""
        here = self._position.after(state)
        half = replace(self._limit, time_s=None if self._limit.time_s is None else self._limit.time_s / 2)
        playouts = SAMPLED if half.time_s is None else None
        found = best_hidden_contest(here, half, seed=self._seed, playouts=playouts)
        best = found.options[0].move
        if best != step and not found.interrupted:
            found = best_hidden_contest(here, half, seed=self._seed + 1, playouts=playouts, moves=(best, step))
        if found.interrupted:
            raise KeyboardInterrupt
        loss = next(each.loss for each in found.options if each.move == step)
        settled = found.verdict == "decided" and loss
        mark = self._mark(state, loss) if settled and loss is not None else ""
        return Contested(step.text, actor, None, loss, None, mark, found.verdict)

    def _mark(self, state: State[Any], loss: Fraction) -> str:
        low, high = self._game.payoff_range(state.table)
        return mark_of(loss / max(Fraction(high) - Fraction(low), Fraction(1)))

    def _report(self, state: State[Any], step: Step | None = None) -> ContestReport:
        """Return the moves of a state compared, the one that was made before others."""
        found = self._known.get(state)
        if found is None or any(each.move == step and each.at_least is not None for each in found.choices):
            seat = self._game.to_act(state)
            found = ContestQuestion(self._game, state, seat, Model.BEST, self._limit, None, step).answer()
            if found.interrupted:
                raise KeyboardInterrupt
            self._known[state] = found
        return found

    def _value(self, state: State[Any]) -> Fraction | None:
        """Return what the first of two seats has at the best play of both, or nothing where it is not known."""
        game = self._game
        actor = game.to_act(state)
        if actor == OVER:
            return game.payoffs(state.table)[0]
        if game.players != 2 or game.is_secret(state.table) or not game.is_common(state.table):
            return None
        if actor != CHANCE:
            try:
                report = self._report(state)
            except UnsupportedRuleset:  # somebody decides later on while cards are hidden
                return None
            if report.status is not Status.OPTIMAL or report.value is None:
                return None
            return report.value if actor == 0 else sum(game.payoffs(state.table), Fraction(0)) - report.value
        outcomes = game.chance_outcomes(state)
        if len(outcomes) > BRANCHES:
            return None
        mean = Fraction(0)
        for outcome in outcomes:
            value = self._value(game.apply(state, outcome).state)
            if value is None:
                return None
            mean += outcome.probability * value
        return mean
