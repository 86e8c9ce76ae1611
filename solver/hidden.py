"""Answers where chance is hidden: exact values of the best policy, every move compared, and what to do on each draw."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.folding import Value
from rules.core.position import Position
from rules.core.quest_race import secrets_of
from rules.core.race import Race
from rules.core.steps import CHANCE, OVER, Step
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from solver.far import far
from solver.report import Limit, Statistics, Status
from solver.sampled import OnRound, Sampled, sampled
from solver.search.aims import GoalAim
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.ceilings import HORIZON, belief_form, ceiling
from solver.search.coasting import CoastingAim, coasts, is_far
from solver.search.expectimax import Expectimax
from solver.search.first_turn import Branch, FirstTurn, PlainStart
from solver.search.floor_start import FloorStart, floor_start
from solver.search.layers import LimitHit, Watch
from solver.search.plain import forbidden_step
from solver.search.rollout import OPPONENTS, within_playouts

TURNS: Final = 150_000
"""Ways through turns looked at where no time is given; the same answer on every machine."""
FIRST_TURNS: Final = 12_000
"""Likewise before moves are compared by playouts instead."""
WAYS_FOR_A_PLAYOUT: Final = 4
"""Likewise for every playout, where their number is given."""
BELIEFS: Final = 10
"""Packed beliefs that take about as long as one way through a turn by the rules."""
EXACT_PART: Final = 0.4
"""Part of the time given for the exact answer before moves are compared by playouts."""
FAR_PART: Final = 0.1
"""The same where a playout does not arrive."""
FURTHER: Final = 2
"""Turns looked further ahead for moves that are not certain to arrive as soon as the best one."""
AT_ONCE: Final = 3
"""Turns looked ahead one by one before all that are left of a day."""
FLOOR_PART: Final = 0.25
"""Part of the time for chances from below."""
BRANCHES: Final = 12
"""Results of chance that a plan tells apart, the likeliest first."""
CERTAIN: Final = "certain"
"""The method where a smaller game holds a way to play that cannot fail."""
TREES: Final = "information-set tree search"
PLAIN: Final = "playouts of plain play"
"""Engines of sampled answers."""


@dataclass(frozen=True, slots=True)
class Option:
    """One move that is open now."""

    move: Step
    value: Fraction | None
    """What the best policy that begins with it is worth; none where the goal is then impossible, or where playouts were
    stopped before it was tried."""
    loss: Fraction | None
    interval: tuple[float, float] | None = None
    """Where the mean of all playouts lies with 95 % confidence; none for exact values."""
    playouts: int = 0


@dataclass(frozen=True, slots=True)
class HiddenReport:
    """One answered question about a position with hidden chance."""

    status: Status
    goal: Goal
    """The question answered: the chance within a limit where success was asked for and is not certain."""
    value: Fraction | None
    bound: Fraction | None
    """Equal to ``value`` when optimal; the best value not excluded otherwise, none where nothing is known."""
    options: tuple[Option, ...]
    """All moves open now, the best first; empty unless the answer is exact."""
    plan: tuple[Branch, ...]
    """What follows the best move, the likeliest results first."""
    omitted: Fraction
    """Chance of the results that the plan leaves out."""
    statistics: Statistics
    interrupted: bool = False
    method: str = "expectimax"
    """``sampled`` where moves were compared by playouts; ``certain`` where those without a value were not needed."""
    verdict: str = ""
    """How sure the best move is where it was sampled: ``decided``, ``close`` or ``undecided``."""
    instead: tuple[Branch, ...] = ()
    """What follows the move that was asked about, the likeliest results first; only where the answer is exact."""
    others: str = ""
    """How the other players were taken to play; empty where there are none."""
    left_out: int = 0
    """Open moves without a value: free actions proved to be no better than none, or all that are not ``certain``."""
    coasting: int = 0
    """Turns that playouts were played plainly after the move, where the goal lay beyond those that trees reach."""


def best_hidden(
    position: Position,
    goal: Goal,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    others: str = "greedy",
    playouts: int | None = None,
    versus: Step | None = None,
    told: OnRound | None = None,
) -> HiddenReport:
    """Return every open move compared: exactly where that is within reach, otherwise by tree search.

    ``others`` is how other players play: a name of ``OPPONENTS``, or ``best``: each searches for its own progress.
    ``playouts`` is how many there are where no time is given. ``versus`` is a move of which the plan is wanted as well.
    ``told`` hears how far playouts have come.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    game, start = position.start()
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    time_s = None if limit is None else limit.time_s
    watch = Watch(unlimited(limit))
    exact: HiddenReport | None = None
    if position.players == 1 and not peeks(game):
        share = FAR_PART if time_s is not None and is_far(game, start, goal) else EXACT_PART
        part = replace(limit or Limit(), time_s=None if time_s is None else time_s * share)
        most = FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts
        exact = HiddenQuestion(game, start, goal, part, most=most, certain=False, versus=versus).answer()
        if exact.status in (Status.OPTIMAL, Status.INFEASIBLE) or (exact.interrupted and exact.options):
            return exact
        if exact.interrupted:  # whoever stops it wants to move, so every move is tried at least
            tried = compared(position, goal, replace(unlimited(limit), time_s=0.0), watch, seed=seed, told=told)
            return replace(tried, interrupted=True)
    report = compared(position, goal, limit, watch, seed=seed, others=others, playouts=playouts, told=told)
    if exact is None or report.goal != goal:
        return report
    return replace(report, bound=exact.bound)


def compared(
    position: Position,
    goal: Goal,
    limit: Limit | None,
    watch: Watch,
    *,
    seed: int = 0,
    others: str = "greedy",
    playouts: int | None = None,
    told: OnRound | None = None,
) -> HiddenReport:
    """Return every open move compared by tree search, whatever is hidden; ``watch`` tells what is gone of the time.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    game, start = position.start()
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    moves = [move for move in game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
    spent = spending(watch, limit)
    policy = OPPONENTS[others](game) if others in OPPONENTS else None
    alone = position.players == 1
    coasted = 0
    if alone and coasts(game, goal, start.table):
        coasting = CoastingAim(game, goal, start.table)
        goal, coasted = coasting.goal, coasting.span
        found = far(game, start, coasting, moves, spent, seed=seed, playouts=playouts, told=told, spend=watch.spend)
    else:
        goal = within_playouts(goal)
        aim = GoalAim(game, goal)
        found = sampled(
            game, start, aim, moves, spent, seed=seed, policy=policy, alone=alone, playouts=playouts, told=told
        )
    options = options_of(found, least=goal.objective is Objective.MIN_TURNS)
    return HiddenReport(
        Status.UNKNOWN if options[0].value is None else Status.FEASIBLE,
        goal,
        options[0].value,
        None if coasted else ceiling(game, start, goal),
        options,
        (),
        Fraction(0),
        Statistics(watch.time_s, found.playouts, found.nodes, PLAIN if coasted else TREES),
        found.interrupted,
        method="sampled",
        verdict=found.verdict,
        others="" if alone else others,
        coasting=coasted,
    )


def unlimited(limit: Limit | None) -> Limit:
    """Return no limit, on the same clock."""
    return Limit() if limit is None else Limit(clock=limit.clock)


def spending(watch: Watch, limit: Limit | None) -> Callable[[], float] | None:
    """Return what tells the part that is gone of the time left from now on; nothing where no time is given."""
    time_s = None if limit is None else limit.time_s
    if time_s is None:
        return None
    begun, last = watch.time_s, time_s
    return lambda: (watch.time_s - begun) / max(last - begun, 1e-6)


def options_of(found: Sampled, *, least: bool = False) -> tuple[Option, ...]:
    """Return the moves of a sample with what they are worth, the best first; none for moves not tried before a stop.

    ``least``: less is better. What is better on average than the first move, but in too few playouts, loses nothing.
    """
    best = found.samples[0]
    if not best.shown:
        return tuple(Option(each.move, None, None) for each in found.samples)
    sign = -1 if least else 1
    return tuple(
        Option(each.move, each.mean, max(Fraction(0), sign * (best.mean - each.mean)), each.interval, len(each.shown))
        if each.shown
        else Option(each.move, None, None)
        for each in found.samples
    )


def solve_hidden(position: Position, goal: Goal, limit: Limit | None = None) -> HiddenReport:
    """Return the best policy's value, exact or between bounds, with every open move compared.

    Raises:
        UnsupportedRuleset: several players have turns, or the game has no progress.
        BestlineError: success is not certain within the turns looked ahead and the goal sets no limit.
    """
    game = position.game
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    if position.players > 1:
        raise UnsupportedRuleset([f"solving for {position.players} players ('best' compares moves among several)"])
    if peeks(game):
        reason = "exact answers where cards lie that the player does not see ('best' compares moves by samples)"
        raise UnsupportedRuleset([reason])
    return HiddenQuestion(game, position.start()[1], goal, limit or Limit()).answer()


def peeks(game: Race[Any]) -> bool:
    """Return whether the best choice for every table would know what lies face down on it."""
    secrets = secrets_of(game)
    return secrets is not None and secrets.conceals


class HiddenQuestion:
    """One question on its way to an answer."""

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        goal: Goal,
        limit: Limit,
        *,
        most: int = TURNS,
        certain: bool = True,
        versus: Step | None = None,
    ) -> None:
        """``versus`` is a move of which the plan is wanted as well.

        ``certain``: an expected number of turns that may be infinite is refused, otherwise left open.
        """
        self._game = game
        self._start = start
        self._goal = self._asked = goal
        self._moves = [move for move in game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
        self._form = None if start.pending else belief_form(game, start.table, goal)
        self._most = None if limit.time_s is not None else most
        self._certain = certain
        self._versus = versus
        self._limit = limit
        self.watch = Watch(limit)
        self._search = self._searching(goal)
        self._value: Fraction | None = None
        self._bound: Fraction | None = None
        self._later: dict[Step, Value] = {}
        """Values of moves that are certain to arrive only some turns later than the best one."""
        self._ahead = 0
        """Turns looked ahead for the value."""
        self._floor: FloorStart | None = None
        """A smaller game that tells a chance from below."""

    def _searching(self, goal: Goal, *, optimistic: bool = False) -> FirstTurn:
        if self._form is None:
            plain = Expectimax(self._game, goal, self.watch, optimistic=optimistic, most=self._most)
            return PlainStart(plain, self._start)
        most = None if self._most is None else BELIEFS * self._most
        beliefs = BeliefSearch(self._form, goal, self.watch, optimistic=optimistic, most=most)
        return BeliefStart(beliefs, self._form, self._start.table, self._moves, goal)

    def answer(self) -> HiddenReport:
        """Return the report."""
        try:
            return self._answer()
        except OutOfReach:  # the packed form has met a turn that it does not carry
            self._form, self._goal, self._value, self._bound = None, self._asked, None, None
            self._search = self._searching(self._goal)
            return self._answer()

    def _answer(self) -> HiddenReport:
        interrupted = False
        options: tuple[Option, ...] = ()
        plan: tuple[Branch, ...] = ()
        instead: tuple[Branch, ...] = ()
        try:
            status = self._searched()
            options = self._options()
        except LimitHit:
            status = Status.UNKNOWN if self._value is None else Status.FEASIBLE
        except KeyboardInterrupt:
            interrupted = True
            status = Status.UNKNOWN if self._value is None else Status.FEASIBLE
        floor = self._floor
        if status is not Status.OPTIMAL and floor is not None and floor.value_found > (self._value or 0):
            self._take_floor(floor)
            status = Status.FEASIBLE
        sure = floor is not None and floor.is_sure
        if self._value is not None:
            with suppress(LimitHit):
                options = options or self._options()
                plan = self._plan(options[0].move) if options else ()
                if status is Status.OPTIMAL and self._versus is not None:
                    instead = self._plan(self._versus)
        counters = self._search.counters
        return HiddenReport(
            status,
            self._goal,
            self._value,
            self._value if status is Status.OPTIMAL else self._bound,
            options if status is Status.OPTIMAL else options[:1],
            plan[:BRANCHES],
            1 - sum((branch.probability for branch in plan[:BRANCHES]), Fraction(0)) if plan else Fraction(0),
            Statistics(self.watch.time_s, counters.generated, counters.expanded, self._search.engine),
            interrupted,
            instead=instead[:BRANCHES],
            method=CERTAIN if sure else "expectimax",
            left_out=len(self._moves) - len(options) if options else 0,
        )

    def _searched(self) -> Status:
        goal = self._goal
        there = self._game.progress(self._start.table, goal.seat) >= goal.target
        if goal.objective is Objective.MIN_TURNS:
            if there and not self._start.pending:
                self._value = Fraction(0)
                return Status.OPTIMAL
            return self._expected_turns()
        turns = goal.within_turns or 0
        if goal.objective is Objective.REACH:
            return self._reached(turns)
        self._bound = ceiling(self._game, self._start, goal)
        return Status.INFEASIBLE if self._adopted(turns) is None else Status.OPTIMAL

    def _reached(self, turns: int) -> Status:
        """Find the chance; what can be done in fewer turns is a lower bound."""
        self._bound = Fraction(1)
        if self._form is None and self._versus is None and not self._start.pending:
            self._look_from_below(turns)
        if self._floor is None or not self._floor.is_sure:
            for ahead in self._lookings(turns):
                if self._adopted(ahead) == 1:
                    break
        return Status.OPTIMAL if self._value else Status.INFEASIBLE

    def _look_from_below(self, turns: int) -> None:
        """Find a chance that a way to play has, with a part of what may be spent; where it is 1, it is the answer.

        Not where a move is asked about: of others than those that cannot fail nothing is known then.
        """
        limit = self._limit
        part = replace(limit, time_s=None if limit.time_s is None else limit.time_s * FLOOR_PART)
        most = None if self._most is None else int(BELIEFS * self._most * FLOOR_PART)
        floor = floor_start(self._game, self._start.table, self._moves, self._goal, Watch(part), most)
        if floor is not None:
            self._floor = floor
            floor.look(range(1, turns + 1))
            if floor.is_sure:
                self._take_floor(floor)

    def _take_floor(self, floor: FloorStart) -> None:
        self._search, self._value, self._ahead = floor, floor.value_found, floor.ahead

    def _lookings(self, turns: int) -> list[int]:
        """Return how many turns to look ahead, one after the other, until all are looked ahead.

        Where play cannot go on for so many turns, those left do not count, and the whole of it is soon asked for.
        """
        lasts = turns if self._form is None else self._form.lasts(self._form.project(self._start.table, max(turns, 1)))
        few = turns if turns < lasts else min(turns, AT_ONCE)
        return sorted({*range(min(1, turns), few + 1), turns})

    def _expected_turns(self) -> Status:
        """Look further and further ahead until what must have arrived and what is taken to arrive are worth the same.

        A policy that surely arrives within some turns has a value; no policy has less than one for which everything
        that has not arrived by then arrives at once.
        """
        goal = self._goal
        dreaming = self._searching(goal, optimistic=True)
        last = HORIZON if goal.within_turns is None else goal.within_turns
        for ahead in range(1, last + 1):
            self._bound = dreaming.value(ahead)
            self._adopted(ahead)
            if self._value is not None and (self._bound == self._value or ahead == goal.within_turns):
                if goal.within_turns is None:
                    self._look_further(dreaming, ahead)
                return Status.OPTIMAL
            if self._bound is None:
                break
        if goal.within_turns is None:
            if self._value is not None:
                return Status.FEASIBLE
            if not self._certain:
                return Status.UNKNOWN
            raise BestlineError(
                "success is not certain as far as was looked, so the expected number of turns is infinite; ask for the "
                "chance instead, with --goal reach --within-turns N"
            )
        self._goal = replace(goal, objective=Objective.REACH)
        self._search = self._searching(self._goal)
        return self._reached(goal.within_turns)

    def _look_further(self, dreaming: FirstTurn, ahead: int) -> None:
        """Find the expected turns of moves that are not certain to arrive as soon as the best one.

        As for the best move, a value stands where a policy that surely arrives and one that is taken to agree.
        """
        with suppress(LimitHit):
            for turns in range(ahead + 1, ahead + 1 + FURTHER):
                lacking = [
                    move for move, value in self._search.moves(ahead) if value is None and move not in self._later
                ]
                if not lacking:
                    break
                real, least = dict(self._search.moves(turns)), dict(dreaming.moves(turns))
                self._later.update(
                    (move, real[move]) for move in lacking if real[move] is not None and real[move] == least[move]
                )

    def _adopted(self, turns: int) -> Value:
        """Return the value with so many turns to go, and make it the answer's if there is one."""
        value = self._search.value(turns)
        if value is not None:
            self._value, self._ahead = value, turns
        return value

    # What to do

    def _options(self) -> tuple[Option, ...]:
        values = [
            (move, self._later.get(move) if value is None else value) for move, value in self._search.moves(self._ahead)
        ]
        options = [
            Option(move, value, None if value is None or self._value is None else abs(value - self._value))
            for move, value in values
        ]
        return tuple(sorted(options, key=lambda each: (each.loss is None, each.loss or 0, each.move.text)))

    def _plan(self, best: Step) -> tuple[Branch, ...]:
        """Return a move with the best moves of the first turn that answer each result of chance."""
        branches = self._search.plan(best, self._ahead)
        return tuple(sorted(branches, key=lambda branch: (-branch.probability, branch.seen)))


def asked_move(position: Position, goal: Goal, text: str | None) -> Step | None:
    """Return the move that a text names, seeing to it that there is a move to choose at all.

    Raises:
        BestlineError: chance or another player decides next, no move is open, or the goal forbids the one named.
        NotationError: the text is no move here.
        IllegalMoveError: it is not open.
    """
    game, start = position.start()
    if game.to_act(start) == CHANCE:
        raise BestlineError("chance decides next; apply what came up, then ask again ('bestline moves' lists it)")
    actor = game.to_act(start)
    if position.players > 1 and actor not in (OVER, goal.seat):
        raise BestlineError(
            f"player {actor} decides here, and the goal is player {goal.seat}'s; ask with --seat {actor}"
        )
    if not any(not forbidden_step(move, goal.forbidden) for move in game.legal_moves(start)):
        raise BestlineError("there is no move to choose: the game is over here, or the goal forbids every open move")
    move = None if text is None else game.parse_step(start, text)
    if move is not None and forbidden_step(move, goal.forbidden):
        raise BestlineError(f"the goal forbids '{move.text}', so it cannot be compared")
    return move
