"""Moves compared by playouts: trees over the rows of an encoding, its whole games, and flat rollouts by the rules."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any, Final, TypeAlias
from weakref import proxy

from puzzles.puzzle import Goal, Objective, allowed_steps
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import ImperfectInformation, Race
from rules.core.scripts import Barred, Forced, SplitMix64, Step, mix
from rules.core.turns import State, TurnEnd
from solver.encodings import ceiling, contest_playouts, playout_values
from solver.engines.sampled import Aim, Sample, TreeComparison, moves_to_compare
from solver.question import Answer, ContestFacts, MoveValue, Question, Status
from solver.search.budget import GRACE_S, Budget
from solver.search.expectimax import ROW_S
from solver.search.expectiminimax import Model
from solver.search.rollout import AHEAD, OPPONENTS, Deals, Draws, GreedyPolicy, Playing, Policy, Sampler, Spread

MOST_TURNS: Final = 400
"""Turns that a playout lasts at most."""
FAR: Final = 6
"""Turns beyond which none are worked out exactly,"""
TRIES: Final = 8
"""if so many playouts of plain play do not arrive."""
RULES_S: Final = 0.002
"""About the seconds of the rest of a turn by the rules, with the tries of plain play."""
OWN_TRIED: Final = 12
"""Answers that the asking seat tries in a rollout by the rules."""

SAMPLED_PART: Final = 0.2
"""Part of the time given that playouts have at least, where a step of the exact search took longer than all of it."""
PASSED: Final = 100
"""Rounds played on for how often the seat is passed."""
PRECISION: Final = 0.08
"""How wide the interval of the best move may be where whole games are not played for all the time."""

Begun: TypeAlias = "array[int] | Sequence[Step | Forced]"
"""A row whose turn has begun with a move, or the steps of a turn that rows do not tell apart."""


FEWEST_ROUNDS: Final = 2
"""Rounds that playouts of a game against others last at least, where a round is many turns."""


def goal_aim(game: Race[Any], goal: Goal) -> Aim:
    """Return the aim of a player with a goal of its own."""
    seat, least, farthest = goal.seat, goal.objective is Objective.MIN_TURNS, goal.objective is Objective.MAX_DISTANCE
    span = AHEAD if goal.within_turns is None else goal.within_turns
    lost = Fraction(span if least else 0)

    def arrived(table: Any, done: int) -> Fraction | None:
        return None if farthest or game.progress(table, seat) < goal.target else Fraction(done if least else 1)

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

    return Aim(seat, rounds, (-inf, inf) if game.stake else (0.0, 1.0), game.rounds, ended, is_contest=True)


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
        self._rows = values.search
        self._greedy = GreedyPolicy(game, partial(RowTrees.promise, proxy(self)))

    @property
    def played(self) -> int:
        """Turns played in all."""
        return int(self._rows.turns) + self._played

    @property
    def spent_s(self) -> float:
        """About the seconds of all playouts, from what was played alone."""
        return ROW_S * int(self._rows.count) + RULES_S * self._played

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""
        return int(self._rows.tree.filled)

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
        return float(self._rows.guess(0))

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
        return int(self._rows.space)

    def promise(self, table: Any) -> float:
        """Return how good a table at the end of the turn under way looks to plain play."""
        self._values.row_of(table, self._turns - 1)
        return float(self._rows.guess(0))

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
        value = aim.arrived(after, 1) if game.allows(table, TurnEnd(tuple(script.steps), after)) else aim.lost
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
    if (values := playout_values(game, start.table, goal, turns)) is None:
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

    def _run(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> Fraction:
        table, begun = self._deals.deal(begun, Spread(*self._draw))
        try:
            return self._rollout(table, begun, Draws(*self._draw), SplitMix64(mix(seed ^ 2)))
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
        if not (allowed := allowed_steps(answers, self.aim.forbidden)):
            raise Barred
        return self._own(table, script, seat, allowed, generator)


class Comparison:
    """All open moves of one question compared by playouts: over rows where these carry the question, else by the rules.

    They go on a stretch at a time, and what is known can be said after each. Without a goal the question is who wins.
    Nothing in playouts is exact: the value of a move is their mean. What the seat does not see is dealt anew for each,
    as likely as it is. Where others play ``best``, flat rollouts have each play greedily.
    """

    def __init__(self, question: Question) -> None:
        """Begin.

        Raises:
            UnsupportedRuleset: it is asked who wins a game that is no contest.
            BestlineError: nobody has to decide anything.
        """
        position, goal = question.position, question.goal
        self._game, self._start = position.start()
        if goal is None and self._game.players < 2:
            raise UnsupportedRuleset(["a contest without opponents"])
        self._question = question
        self._seat = question.seat
        self._alone = position.players == 1
        self.budget = Budget(clock=question.limit.clock).start()
        self._moves, self._besides = moves_to_compare(question.moves(), question.versus)
        self._others = question.opponents if question.opponents in OPPONENTS else "greedy"
        self._asked = self._goal = goal and by_chance(position, goal)
        """The goal as exact search has put it, and the one that playouts compare moves for."""
        self._playouts: TreeComparison | None = None

    def ask(self, goal: Goal) -> None:
        """Compare moves for a goal as exact search has put it."""
        if goal != self._asked:
            self._asked, self._playouts = goal, None

    @property
    def _sampling(self) -> TreeComparison:
        if self._playouts is None:
            self._playouts = self._over_rows() or self._by_rules()
        return self._playouts

    @property
    def interrupted(self) -> bool:
        """Whether the user has stopped it."""
        return self._sampling.interrupted

    def _over_rows(self) -> TreeComparison | None:
        """Return the playouts over the encoding of the game, or nothing where none carries the question."""
        asked, game, goal = self._question, self._game, self._asked
        if goal is not None:
            rows = row_trees(game, self._start, goal, asked.seed) if self._alone and asked.position.hidden else None
            self._goal = goal
            return None if rows is None else self._played(rows, rows.aim)
        if asked.opponents not in ("", Model.BEST):
            return None
        games = contest_playouts(game, self._start, self._moves, self._seat, asked.rounds, asked.seed)
        aim = replace(self._contest_aim(), precision=inf if game.stake else PRECISION)
        return games and self._played(games, aim)

    def _by_rules(self) -> TreeComparison:
        """Return the playouts by the rules, for a goal within their reach."""
        goal = self._asked
        if goal is not None and (goal.within_turns is None or goal.within_turns > AHEAD):
            goal = replace(goal, objective=Objective.MAX_DISTANCE, within_turns=AHEAD)
        aim, self._goal = self._contest_aim() if goal is None else goal_aim(self._game, goal), goal
        return self._played(self._rollouts(aim), aim)

    def _contest_aim(self) -> Aim:
        game, rounds = self._game, self._question.rounds
        return contest_aim(game, self._seat, rounds_ahead(game) if rounds is None else rounds, stops=rounds is not None)

    def _rollouts(self, aim: Aim) -> Rollouts:
        others = OPPONENTS[self._others](self._game)
        return Rollouts(self._game, self._start, aim, others, seed=self._question.seed, alone=self._alone)

    def _played(self, trees: Sampler, aim: Aim) -> TreeComparison:
        begun = trees.begun if isinstance(trees, RowTrees) else partial(self._game.begun, self._start)
        moves = sorted(self._moves, key=trees.liking, reverse=True)
        samples = [Sample(move, begun(move), place=place) for place, move in enumerate(moves)]
        on_round = self._question.on_round and partial(self._question.on_round, self._goal)
        return TreeComparison(trees, aim, samples, self.budget, on_round=on_round, asked=self._question.versus)

    def run(self, last_s: float | None, playouts: int | None = None) -> None:
        """Go on until the best move is settled, the time is up, all playouts are played, or the user stops it.

        Once stopped it stays so. ``last_s`` are seconds since the start; with none playouts are counted, those of all
        runs together.
        """
        if self.interrupted:
            return
        try:
            self._sampling.run(last_s, playouts)
        except OverflowError:  # a row needs more than the encoding has
            self._playouts = self._by_rules()
            self._playouts.run(last_s, playouts)

    def sampled(self, exact: Answer[Fraction] | None = None) -> Answer[Fraction]:
        """Return what playouts say in the time left, with what an ``exact`` search has proved on the way."""
        time_s = self._question.limit.time_s
        last_s = None if time_s is None else max(time_s, self.budget.elapsed_s + SAMPLED_PART * time_s)
        self.run(last_s, self._question.playouts)
        return self.report(exact)

    def stopped(self, exact: Answer[Fraction] | None = None) -> Answer[Fraction]:
        """Return the best so far: whoever stops it wants to move."""
        self.run(self.budget.elapsed_s + GRACE_S)
        return replace(self.report(exact), interrupted=True)

    def report(self, exact: Answer[Fraction] | None = None) -> Answer[Fraction]:
        """Return what is known, with what an ``exact`` search has proved on the way.

        Where moves are compared by how far they get, the bound of the goal that was asked stands beside it.
        """
        answer = self._sampling.answer(self._besides)
        goal, table, bound = self._goal, self._start.table, None
        if goal is None:
            return self._of_contest(answer)
        answer = replace(answer, goal=goal, others="" if self._alone else self._others)
        if exact is not None and exact.goal == goal:
            answer, bound = _with_proved(answer, exact), exact.bound
        if bound is None and self._alone:
            bound = ceiling(self._game, table, goal)
        answer = replace(answer, bound=bound)
        wanted = by_chance(self._question.position, self._question.own_goal)
        if goal.objective is not Objective.MAX_DISTANCE or wanted.objective is Objective.MAX_DISTANCE:
            return answer
        return replace(answer, instead_of=wanted, instead_bound=ceiling(self._game, table, wanted))

    def _of_contest(self, answer: Answer[Fraction]) -> Answer[Fraction]:
        """Return an answer with what only those about several players say."""
        game, found, trees = self._game, self._sampling, self._sampling.trees
        by_rule = not isinstance(trees, Rollouts)
        facts = ContestFacts(
            *(self._seat, game.stake, Model(self._others), trees.rounds if by_rule else found.aim.span),
            follows=(found.order[0].move.text,),
            guessed=self._question.rounds is None,
            by_rule=by_rule,
            apart=isinstance(game, ImperfectInformation) or game.is_common(self._start.table),
            simplified=trees.simplified,
            passed=None if found.interrupted else self._passed(found.order[0].move),
        )
        if by_rule and found.verdict == "undecided" and not found.interrupted and not found.is_steady:
            answer = replace(answer, verdict="close")  # another seed may advise otherwise
        return replace(answer, contest=facts)

    def _passed(self, move: Step) -> Fraction | None:
        """Return how often the seat is passed after a move, where progress is a place."""
        game, often = self._game, Fraction(0)
        aim = passed_aim(game, self._start.table, self._seat)
        if aim is None or not game.profile.is_place or self._question.among:
            return None
        rounds_on, begun = self._rollouts(aim), game.begun(self._start, move)
        with suppress(KeyboardInterrupt):  # the answer itself is there
            for draw in range(PASSED):
                often += Fraction(rounds_on.play(begun, draw))
            return often / PASSED
        return None


def by_chance(position: Position, goal: Goal) -> Goal:
    """Return the question that is asked where something is hidden: the chance of arriving within so many turns.

    An expected number of turns there is only where arriving is certain, which is for exact search to tell.
    """
    asks_turns = goal.objective is Objective.MIN_TURNS and goal.within_turns is not None
    return replace(goal, objective=Objective.REACH) if asks_turns and position.hidden else goal


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
        each._replace(loss=None if each.value is None else max(Fraction(0), sign * (each.value - value)))
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
