"""Answers where chance is hidden: exact values of the best policy where they are in reach, otherwise playouts.

Playouts compare all open moves a stretch at a time: what is known can be said after each, and gone on with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective, does_forbidden
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race, Unsupported
from rules.core.turns import State
from solver.engines.hidden_question import HiddenQuestion, ceiling
from solver.engines.playouts import Rollouts, RowTrees, goal_aim, is_far, row_trees, within_playouts
from solver.engines.sampled import OnRound, Sample, TreeComparison, moves_to_compare
from solver.question import IDLE, SETTLED, Answer, MoveValue, Question, Status
from solver.search.budget import GRACE_S, Budget
from solver.search.rollout import OPPONENTS

FIRST_TURNS: Final = 12_000
"""Ways through turns looked at before moves are compared by playouts instead, where no time is given."""
WAYS_FOR_A_PLAYOUT: Final = 4
"""Likewise for every playout, where their number is given."""
RESERVE: Final = 0.3
"""Part of the time that is kept for playouts where exact search does not answer."""
FIRST_PART: Final = 0.05
"""Part of the time for playouts before, so that a move is there at once."""
LEAST_PART: Final = 0.1
"""Part of the time that exact search has at least, however long loading has taken."""
SAMPLED_PART: Final = 0.2
"""Part of the time given that playouts have at least, where a step of the exact search took longer than all of it."""

OnGoal = Callable[[Goal | None], OnRound]
"""Makes what hears of playouts for a goal, or for the win against others."""
Spent = Callable[[], float]
"""Tells the part that is gone of the time given."""


def best_hidden(question: Question, *, rivals: bool = True, on_goal: OnGoal | None = None) -> Answer[Fraction]:
    """Return every open move compared: exactly where that is within reach, otherwise by playouts.

    Where others play ``best``, playouts have each play greedily for its own progress. Without ``rivals`` moves that
    lose something are not followed further than the best one needs. ``on_goal`` hears how far playouts have come.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    position, goal = question.position, question.own_goal
    game, start = position.start()
    fewest = goal.objective is Objective.MIN_TURNS and not start.pending
    if fewest and game.progress(start.table, goal.seat) >= goal.target:  # nothing is left to do, whatever is hidden
        return HiddenQuestion(game, start, goal, question.limit).answer()
    comparison = Comparison(question, on_goal=on_goal)
    among_others = position.players > 1 and _is_this_turn(game, start, goal)
    if position.players == 1 or among_others or does_forbidden(start.pending, goal.forbidden):
        return comparison.exactly(rivals=rivals, among_others=among_others)
    return comparison.sampled()


class Comparison:
    """All open moves of one question: exact search has all of the time but a reserve, and playouts have that."""

    def __init__(self, question: Question, *, on_goal: OnGoal | None = None) -> None:
        position, goal = question.position, question.own_goal
        self._question, self._position, self._on_goal = question, position, on_goal
        self._game, self._start = position.start()
        self._budget = Budget(clock=question.limit.clock).start()
        self._alone = position.players == 1
        self._moves, self._passed_over = moves_to_compare(question.moves(), question.versus)
        self._others = question.opponents if question.opponents in OPPONENTS else "greedy"
        self._asked = self._goal = by_chance(position, goal)
        """The goal as exact search has put it, and the one that playouts compare moves for."""
        self._playouts: TreeComparison | None = None

    def exactly(self, *, rivals: bool, among_others: bool) -> Answer[Fraction]:
        """Return the exact answer where it is found within the limit, otherwise what playouts say besides."""
        game, start, question, goal = self._game, self._start, self._question, self._question.own_goal
        time_s, playouts = question.limit.time_s, question.playouts
        try:
            if time_s is not None and not among_others:
                self.run(until(self._budget, self._budget.elapsed_s + FIRST_PART * time_s))
                if self._sampling.interrupted:
                    return self._stopped()
            if time_s is not None:
                part = LEAST_PART if not among_others and is_far(game, start, goal) else 1 - RESERVE
                time_s = max(LEAST_PART * time_s, part * time_s - self._budget.elapsed_s)
            most = FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts
            limit = replace(question.limit, time_s=time_s)
            asked = HiddenQuestion(game, start, goal, limit, most, rivals, False, among_others, question.versus)
            exact = asked.answer()
        except Unsupported:  # another player decides something
            return self.sampled()
        except KeyboardInterrupt:
            return self._stopped()
        is_enough = among_others or exact.value == exact.bound
        if exact.status in SETTLED or (exact.interrupted and is_enough and _is_advice(exact)):
            return replace(exact, others=IDLE) if among_others else exact
        if exact.answered != self._asked:
            self._asked, self._playouts = exact.answered, None
        if exact.interrupted:
            return self._stopped(exact)
        fewest = exact.answered.objective is goal.objective is Objective.MIN_TURNS
        return exact if fewest and exact.moves else self.sampled(exact)  # what is certain to arrive is advice

    def _stopped(self, exact: Answer[Fraction] | None = None) -> Answer[Fraction]:
        """Return the best so far: whoever stops it wants to move."""
        self.run(until(self._budget, self._budget.elapsed_s + GRACE_S))
        return replace(self.report(exact), interrupted=True)

    def sampled(self, exact: Answer[Fraction] | None = None) -> Answer[Fraction]:
        """Return what playouts say, with what an ``exact`` search has proved on the way."""
        self.run(spending(self._budget, self._question.limit), self._question.playouts)
        return self.report(exact)

    @property
    def _sampling(self) -> TreeComparison:
        """The playouts: over rows where these carry the question, else by the rules."""
        if self._playouts is None:
            is_hidden = self._alone and self._position.hidden
            rows = row_trees(self._game, self._start, self._asked, self._question.seed) if is_hidden else None
            self._playouts = self._played(rows) if rows else self._by_rules()
        return self._playouts

    def _by_rules(self) -> TreeComparison:
        """Return the playouts by the rules, for a goal within their reach."""
        self._goal = within_playouts(self._asked)
        aim, others = goal_aim(self._game, self._goal), OPPONENTS[self._others](self._game)
        seed = self._question.seed
        return self._played(Rollouts(self._game, self._start, aim, others, seed=seed, alone=self._alone))

    def _played(self, trees: Rollouts | RowTrees) -> TreeComparison:
        self._goal = self._asked if isinstance(trees, RowTrees) else self._goal
        samples = [Sample(move, trees.begun(move), place=place) for place, move in enumerate(self._moves)]
        on_round = self._on_goal and self._on_goal(self._goal)
        asked, spend = self._question.versus, self._budget.spend
        return TreeComparison(trees, trees.aim, samples, on_round=on_round, asked=asked, spend=spend)

    def run(self, spent: Spent | None, playouts: int | None = None) -> None:
        """Go on until the best move is settled, the time is up, all playouts are played, or the user stops it.

        Once stopped it stays so. ``spent`` is none where playouts are counted, those of all runs together.
        """
        if self._sampling.interrupted:
            return
        try:
            self._sampling.run(spent, playouts)
        except OverflowError:  # a row needs more than the encoding has
            self._playouts = self._by_rules()
            self._playouts.run(spent, playouts)

    def report(self, exact: Answer[Fraction] | None = None) -> Answer[Fraction]:
        """Return what is known, with what an ``exact`` search has proved on the way.

        Where moves are compared by how far they get, the bound of the goal that was asked stands beside it.
        """
        answer = self._sampling.answer(self._budget, self._passed_over)
        goal, table, bound = self._goal, self._start.table, None
        answer = replace(answer, goal=goal, others="" if self._alone else self._others)
        if exact is not None and exact.goal == goal:
            answer, bound = _with_proved(answer, exact), exact.bound
        elif exact is not None and goal.objective is exact.answered.objective is Objective.MIN_TURNS:
            bound = exact.bound
        if bound is None and self._alone:
            bound = ceiling(self._game, table, goal)
        answer, wanted = replace(answer, bound=bound), by_chance(self._position, self._question.own_goal)
        if goal.objective is not Objective.MAX_DISTANCE or wanted.objective is Objective.MAX_DISTANCE:
            return answer
        return replace(answer, instead_of=wanted, instead_bound=ceiling(self._game, table, wanted))


def _is_advice(answer: Answer[Fraction]) -> bool:
    """Return whether an answer that was stopped names a move that is good for something."""
    is_chance = answer.goal is not None and answer.goal.objective is Objective.REACH
    return bool(answer.moves) and (not is_chance or bool(answer.value))


def _is_this_turn(game: Race[Any], start: State[Any], goal: Goal) -> bool:
    """Return whether one of several players asks about this turn only, and sees all that does not come by chance.

    The others do not count then, unless they have to decide something in it. Where the turn of another one is under
    way, that is not the turn which is asked about.
    """
    seat = goal.seat
    own = game.to_act(start) == seat == game.to_act(State(start.table))
    return own and goal.within_turns == 1 and game.is_common(start.table, seat)


def solve_hidden(position: Position, goal: Goal, limit: Budget | None = None) -> Answer[Fraction]:
    """Return the best policy's value, exact or between bounds, with every open move compared.

    Raises:
        UnsupportedRuleset: several players have turns, or the game has no progress.
        BestlineError: success is not certain within the turns looked ahead and the goal sets no limit.
    """
    game = position.game
    if position.players > 1:
        raise UnsupportedRuleset([f"solving for {position.players} players ('best' compares moves among several)"])
    # What a move may fail in all the turns given can take much longer than the answer, and is for 'best' to tell.
    rivals = goal.objective is Objective.MIN_TURNS
    try:
        asked = HiddenQuestion(game, position.start()[1], goal, limit or Budget(), rivals=rivals)
        answer = asked.answer()
    except Unsupported:
        what = "solving while a card lies face down before a player ('best' compares moves by playouts)"
        raise UnsupportedRuleset([what]) from None
    if asked.is_uncertain:
        raise BestlineError(
            "success is not certain as far as was looked, so the expected number of turns is infinite; ask for the "
            "chance instead, with --goal reach --within-turns N"
        )
    return answer


def by_chance(position: Position, goal: Goal) -> Goal:
    """Return the question that is asked where something is hidden: the chance of arriving within so many turns.

    An expected number of turns there is only where arriving is certain, which is for exact search to tell.
    """
    asks_turns = goal.objective is Objective.MIN_TURNS and goal.within_turns is not None
    return replace(goal, objective=Objective.REACH) if asks_turns and position.hidden else goal


def spending(budget: Budget, limit: Budget) -> Spent | None:
    """Return what tells the part that is gone of the time from now on; nothing where no time is given."""
    time_s = limit.time_s
    return None if time_s is None else until(budget, max(time_s, budget.elapsed_s + SAMPLED_PART * time_s))


def until(budget: Budget, last_s: float) -> Spent:
    """Return what tells the part that is gone of the time from now until so many seconds are over."""
    begun = budget.elapsed_s
    return lambda: (budget.elapsed_s - begun) / max(last_s - begun, 1e-6)


def _with_proved(answer: Answer[Fraction], exact: Answer[Fraction]) -> Answer[Fraction]:
    """Return an answer of playouts with what is proved.

    The move with a proved value comes first where playouts show no better value of any other.
    """
    least = answer.answered.objective is Objective.MIN_TURNS
    if answer.answered.objective is Objective.REACH:
        answer = replace(answer, least=exact.value)
    if not exact.moves or exact.value is None or not (exact.value or least):
        return answer
    first, move, value = answer.moves[0], exact.moves[0].move, exact.moves[0].value
    if value is None or (first.value is not None and (value > first.value if least else value < first.value)):
        return answer
    sign = 1 if least else -1
    rest = [
        replace(each, loss=None if each.value is None else max(Fraction(0), sign * (each.value - value)))
        for each in answer.moves
        if each.move != move
    ]
    playouts = sum(each.playouts for each in answer.moves if each.move == move)
    best = MoveValue(move, value, Fraction(0), playouts=playouts, is_proved=True)
    stays = first.move == move
    return replace(
        answer,
        status=Status.FEASIBLE,
        value=value,
        moves=(best, *rest),
        verdict=answer.verdict if stays else "undecided",
        kind=answer.kind if stays else "",
    )
