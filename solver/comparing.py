"""Open moves compared by playouts, a stretch at a time: what is known can be told after each, and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

from puzzles.goal import Goal, Objective
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Step
from solver.ceilings import ceiling
from solver.far import PlainComparison
from solver.hidden_report import HiddenReport, Option
from solver.report import Limit, Statistics, Status
from solver.sampled import PLAYOUTS, OnRound, Sample, Sampled, TreeComparison
from solver.search.aims import GoalAim
from solver.search.coasting import CoastingAim, coasts, is_beyond, is_soon
from solver.search.ismcts import InformationTrees
from solver.search.kinds import few_of
from solver.search.layers import Watch
from solver.search.plain import forbidden_step
from solver.search.rollout import OPPONENTS, within_playouts

PARTS: Final = (0.1, 0.3)
"""Parts of the playouts, or of the time for them, after which it is seen whether a goal is met at all."""
MISSES: Final = 100
"""Playouts without one that has met it, after which that is not expected of the others; one of each move is enough
where plain play does not get half of the way."""
LEAST_PART: Final = 0.2
"""Part of the time given that playouts have at least, where a step of the exact search took longer than all of it."""
TREES: Final = "information-set tree search"
PLAIN: Final = "playouts of plain play"
"""Engines of sampled answers."""

OnGoal = Callable[[Goal], OnRound]
"""Makes what hears of playouts for a goal."""
Spent = Callable[[], float]
"""Tells the part that is gone of the time given."""


def by_chance(position: Position, goal: Goal) -> Goal:
    """Return the question that is asked where something is hidden: the chance of arriving within so many turns.

    An expected number of turns there is only where arriving is certain, which is for exact search to tell.
    """
    asks_turns = goal.objective is Objective.MIN_TURNS and goal.within_turns is not None
    return replace(goal, objective=Objective.REACH) if asks_turns and position.hidden else goal


class Comparison:
    """All open moves of one position, compared for one goal."""

    def __init__(
        self,
        position: Position,
        goal: Goal,
        watch: Watch,
        *,
        seed: int = 0,
        others: str = "greedy",
        asked: Step | None = None,
        told: OnGoal | None = None,
        among: Sequence[Step] | None = None,
    ) -> None:
        """The move ``asked`` about is compared as carefully as the best; ``among`` some only where these are given.

        Raises:
            UnsupportedRuleset: the game has no progress.
        """
        game, start = position.start()
        if not isinstance(game, Race):
            raise UnsupportedRuleset(["a game without progress"])
        self._game, self._start, self._watch = game, start, watch
        open_now = [move for move in among or game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
        self._moves = list(few_of(open_now))
        if asked in open_now and asked not in self._moves:
            self._moves.append(asked)
        self._passed_over = len(open_now) - len(self._moves)
        self._seed, self._others, self._asked, self._told = seed, others, asked, told
        self._alone = position.players == 1
        self._stopped = self._beyond = False
        self._chance: TreeComparison | None = None
        """Playouts of the goal itself, none of which has arrived, where others have taken their place."""
        self.wanted = goal
        self._coasting = 0
        if self._alone and coasts(game, goal, start.table):
            soon = False
            try:
                soon = is_soon(game, start, goal, self._moves)
            except KeyboardInterrupt:  # the first move is tried all the same
                self._stopped = True
            aim = CoastingAim(game, goal, start.table, soon=soon)
            self._goal, self._coasting = aim.goal, aim.span
            self._now: TreeComparison | PlainComparison = PlainComparison(
                *(game, start, aim, self._moves), seed=seed, asked=asked, told=self._hearing, spend=watch.spend
            )
        else:
            self._goal = within_playouts(goal)
            opinion = game.plain_play(start.table, goal.seat) if self._alone else None
            if opinion is not None:  # between equals, and before there are playouts, plain play decides
                liked = {move: opinion(move) for move in self._moves}
                self._moves.sort(key=lambda move: (-liked[move], move.text))
            self._now = self._by_trees(self._goal)
            if self._alone and self._goal.objective is Objective.REACH:
                try:
                    self._beyond = is_beyond(game, start, self._goal, self._moves)
                except KeyboardInterrupt:  # every move is tried all the same
                    self._stopped = True

    def _by_trees(self, goal: Goal) -> TreeComparison:
        game, start, aim = self._game, self._start, GoalAim(self._game, goal)
        policy = OPPONENTS[self._others](game) if self._others in OPPONENTS else None
        trees = InformationTrees(game, start, aim, policy, seed=self._seed, alone=self._alone)
        samples = [Sample(move, game.begun(start, move), place=place) for place, move in enumerate(self._moves)]
        return TreeComparison(trees, aim, samples, self._hearing, self._asked, self._watch.spend)

    @property
    def _hearing(self) -> OnRound | None:
        return None if self._told is None else self._told(self._goal)

    @property
    def interrupted(self) -> bool:
        """Whether the user has stopped it."""
        return self._stopped or self._now.found().interrupted

    def run(self, spent: Spent | None, playouts: int | None = None) -> None:
        """Go on until the best move is settled, the time is up, all playouts are played, or the user stops it.

        Once stopped it stays so.
        ``spent`` is none where playouts are counted, those of all runs together. Where none has met the goal by the
        end of a run, moves are compared by the distance from the next one on.
        """
        if self._stopped:
            spent, playouts = None, 1
        if self._beyond and self._chance is None:
            self._now.run(lambda: 1.0, None)  # every move is tried
        if self._misses:
            assert isinstance(self._now, TreeComparison)
            self._chance, self._goal = self._now, replace(self._goal, objective=Objective.MAX_DISTANCE)
            self._now = self._by_trees(self._goal)
        if not self._now.found().interrupted:
            self._now.run(spent, playouts)

    @property
    def _misses(self) -> bool:
        """Whether the goal itself has been played for, and never met."""
        now = self._now
        if not self._alone or self._goal.objective is not Objective.REACH or not isinstance(now, TreeComparison):
            return False
        return now.done >= (1 if self._beyond else MISSES) and not now.has_arrived and not now.interrupted

    def report(self, exact: HiddenReport | None = None) -> HiddenReport:
        """Return what is known, with what an ``exact`` search has proved on the way."""
        proved = None
        if exact is not None and exact.goal == self.wanted and exact.options and exact.value is not None:
            proved = exact.options[0] if exact.value or self.wanted.objective is Objective.MIN_TURNS else None
        chance, goal = self._chance, self._goal
        is_instead = chance is not None and proved is None
        if chance is not None and not is_instead:
            goal, found = self.wanted, chance.found()
        else:
            found = self._now.found()
        options = options_of(found, least=goal.objective is Objective.MIN_TURNS)
        verdict = found.verdict
        if proved is not None and goal == self.wanted:
            options, verdict = _with_proved(options, verdict, proved, least=goal.objective is Objective.MIN_TURNS)
        asks_exactly = exact is not None and goal == exact.goal
        fewest = goal.objective is Objective.MIN_TURNS
        proves = exact is not None and (asks_exactly or (fewest and exact.goal.objective is goal.objective))
        bound = exact.bound if exact is not None and proves else None
        if bound is None and (fewest or not self._coasting) and self._alone:
            bound = ceiling(self._game, self._start.table, goal)
        return HiddenReport(
            Status.UNKNOWN if options[0].value is None else Status.FEASIBLE,
            goal,
            options[0].value,
            bound,
            options,
            (),
            Fraction(0),
            Statistics(self._watch.time_s, found.playouts, found.nodes, PLAIN if self._coasting else TREES),
            self.interrupted,
            method="sampled",
            verdict=verdict,
            kind=found.kind if options[0].move == found.samples[0].move else "",
            others="" if self._alone else self._others,
            least=exact.value if exact is not None and asks_exactly and goal.objective is Objective.REACH else None,
            coasting=self._coasting,
            missed=chance.done if chance is not None and is_instead else 0,
            passed_over=self._passed_over,
        )


def compared(
    position: Position,
    goal: Goal,
    limit: Limit | None,
    watch: Watch,
    *,
    seed: int = 0,
    others: str = "greedy",
    playouts: int | None = None,
    asked: Step | None = None,
    told: OnGoal | None = None,
    among: Sequence[Step] | None = None,
) -> HiddenReport:
    """Return every open move compared, whatever is hidden; ``watch`` tells what is gone of the time.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    goal = by_chance(position, goal)
    comparison = Comparison(position, goal, watch, seed=seed, others=others, asked=asked, told=told, among=among)
    run_out(comparison, limit, watch, playouts)
    return comparison.report()


def run_out(comparison: Comparison, limit: Limit | None, watch: Watch, playouts: int | None = None) -> None:
    """Compare for what is left of the time, or for all playouts, first for parts of it."""
    spent = spending(watch, limit)
    for part in PARTS:
        most = max(1, int(part * (PLAYOUTS if playouts is None else playouts)))
        comparison.run(None if spent is None else partial(_part_gone, spent, part), most)
    comparison.run(spent, playouts)


def _part_gone(spent: Spent, part: float) -> float:
    return spent() / part


def spending(watch: Watch, limit: Limit | None) -> Spent | None:
    """Return what tells the part that is gone of the time from now on; nothing where no time is given."""
    time_s = None if limit is None else limit.time_s
    return None if time_s is None else until(watch, max(time_s, watch.time_s + LEAST_PART * time_s))


def until(watch: Watch, last_s: float) -> Spent:
    """Return what tells the part that is gone of the time from now until so many seconds are over."""
    begun = watch.time_s
    return lambda: (watch.time_s - begun) / max(last_s - begun, 1e-6)


def unlimited(limit: Limit | None) -> Limit:
    """Return no limit, on the same clock."""
    return Limit() if limit is None else Limit(clock=limit.clock)


def options_of(found: Sampled, *, least: bool = False) -> tuple[Option, ...]:
    """Return the moves of a sample with what they are worth, the best first; none for moves not tried before a stop.

    ``least``: less is better. What is better on average than the first move, but in too few playouts, loses nothing.
    """
    best = found.samples[0]
    if not best.shown:
        return tuple(Option(each.move, None, None) for each in found.samples)
    return tuple(
        Option(each.move, each.mean, _loss(each.mean, best.mean, least=least), each.interval, len(each.shown))
        if each.shown
        else Option(each.move, None, None)
        for each in found.samples
    )


def _loss(value: Fraction, best: Fraction, *, least: bool) -> Fraction:
    return max(Fraction(0), value - best if least else best - value)


def _with_proved(
    options: tuple[Option, ...], verdict: str, proved: Option, *, least: bool
) -> tuple[tuple[Option, ...], str]:
    """Return the moves and the verdict, that one first which is proved to be worth as much as playouts say of any."""
    first, value = options[0], proved.value
    assert value is not None
    if first.value is not None and (value > first.value if least else value < first.value):
        return options, verdict
    rest = [
        replace(each, loss=None if each.value is None else _loss(each.value, value, least=least))
        for each in options
        if each.move != proved.move
    ]
    playouts = next((each.playouts for each in options if each.move == proved.move), 0)
    best = Option(proved.move, value, Fraction(0), None, playouts, is_proved=True)
    return (best, *rest), verdict if first.move == proved.move else "undecided"
