"""Whole races with hidden chance, played by the adviser and by plain ways to play on the same draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any, Final

from puzzles.goal import Goal, Objective
from puzzles.loader import question_of
from rules.core.chance import SplitMix64, mix
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.registry import Ruleset
from rules.core.steps import Step
from rules.core.turns import State
from solver.engines.hidden import best_hidden
from solver.engines.playouts import row_trees
from solver.engines.sampled import OnRound, interval
from solver.executor import executor
from solver.question import Question
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rollout import POLICIES, Draws, Playing, Policy

BEST: Final = "best"
"""The player who asks for the best move before every decision."""
PLAIN: Final = "plain"
"""The player whom the adviser has to improve on: the game's own rollout policy, without a search."""
PLAYERS: Final = (BEST, PLAIN, *POLICIES)
"""Ways to play a simulated race; not every game has plain play."""
PLAYOUTS: Final = 200
"""Playouts behind each move of the adviser where nothing else is said."""
DECISION_S: Final = 0.002
"""About the seconds that a decision takes a player who does not search."""
PLAYOUT_S: Final = 0.008
"""About the seconds of a playout."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be played."""

    start: Ruleset | Position
    """A ruleset's setup, dealt anew for each game, or one position."""
    players: tuple[str, ...] = ()
    """Ways to play; all that the game has if there are none."""
    games: int = 1
    playouts: int = PLAYOUTS
    """Playouts behind each move of the adviser, where ``move_s`` says no time for it."""
    move_s: float | None = None
    target: int | None = None
    most_turns: int = 250
    """Own turns after which a race is given up."""
    seed: int = 0

    def question(self, game: int = 0) -> tuple[Position, Goal]:
        """Return where a game begins and its goal.

        Raises:
            BestlineError: nothing is hidden in the position.
            UnsupportedRuleset: several players have turns.
        """
        start = self.start
        position = start if isinstance(start, Position) else new_position(start, 1, self.seed + game, ())
        if position.players > 1:
            raise UnsupportedRuleset([f"simulating races of {position.players} players"])
        if not position.hidden:
            raise BestlineError("nothing is hidden here, so there is nothing to simulate; 'bestline solve' tells all")
        wanted = {"objective": Objective.MIN_TURNS.value} | ({} if self.target is None else {"target": self.target})
        return question_of(wanted, position)


@dataclass(frozen=True, slots=True)
class Played:
    """One race by one player."""

    turns: int
    """Own turns to the target, or the most allowed."""
    finished: bool
    decisions: int


@dataclass(frozen=True, slots=True)
class Mean:
    """An average over games."""

    mean: float
    interval: tuple[float, float] | None
    """Where it lies with 95 % confidence; none for one game."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """Races by several players, game by game on the same draws."""

    request: Request
    """With the players that played."""
    position: Position
    """Where the first game begins."""
    goal: Goal
    games: tuple[tuple[Played, ...], ...]
    """For every game that all have played, what each made of it, in the order of the players."""
    interrupted: bool

    def races(self, player: str) -> list[Played]:
        """Return all races of a player, game by game."""
        place = self.request.players.index(player)
        return [game[place] for game in self.games]

    def turns(self, player: str) -> Mean:
        """Return the turns that a player takes, a race given up counted as over then."""
        return mean([race.turns for race in self.races(player)], self.request.most_turns)

    def difference(self, one: str, other: str) -> Mean | None:
        """Return how many turns more one player takes than another; none where a race was given up."""
        pairs = list(zip(self.races(one), self.races(other), strict=True))
        if not all(first.finished and second.finished for first, second in pairs):
            return None
        return mean([first.turns - second.turns for first, second in pairs], 2 * self.request.most_turns)

    def quicker(self, one: str, other: str) -> int:
        """Return in how many games one player takes fewer turns than another."""
        return sum(
            first.finished and (first.turns < second.turns or not second.finished)
            for first, second in zip(self.races(one), self.races(other), strict=True)
        )


def mean(values: Sequence[int], width: int) -> Mean:
    """Return the average of at least one value with its interval; no two values are further apart than ``width``."""
    return Mean(sum(values) / len(values), interval(list(map(float, values)), width) if len(values) > 1 else None)


def simulate(request: Request, limit: Budget | None = None, *, jobs: int = 1) -> Simulation:
    """Play races with everything hidden, in ``jobs`` processes.

    Every player of a game meets the same draws: the numbers that bring them are the same, one stream for each source.
    Ctrl-C and the limit end it with the games that all players have played.

    Raises:
        BestlineError: a way to play is unknown, or nothing is hidden in the position.
        UnsupportedRuleset: several players have turns.
    """
    for player in request.players:
        if player not in PLAYERS:
            raise BestlineError(f"'{player}' is no way to play; there are {', '.join(PLAYERS)}")
    position, goal = request.question()
    game, start = position.start()
    is_plain = row_trees(game, start, goal, 0) is not None
    players = request.players or tuple(player for player in PLAYERS if player != PLAIN or is_plain)
    request = replace(request, players=players)
    if PLAIN in players and not is_plain:
        raise UnsupportedRuleset(["plain play"])
    limit = limit or Budget()
    budget = limit.start()
    until = None if limit.time_s is None or limit.steady else monotonic() + limit.time_s
    done: list[tuple[Played, ...]] = []
    interrupted = False
    try:
        with executor(jobs) as where:
            for races in where.map(partial(_play, request, until), range(request.games)):
                budget.check()
                done.append(races)
                work_s = {BEST: DECISION_S + request.playouts * PLAYOUT_S}
                played = zip(players, races, strict=True)
                budget.spend(sum(race.decisions * work_s.get(player, DECISION_S) for player, race in played))
    except BudgetExceeded:  # what was played of the game under way does not count
        pass
    except KeyboardInterrupt:
        interrupted = True
    return Simulation(request, position, goal, tuple(done), interrupted)


def _play(request: Request, until: float | None, number: int) -> tuple[Played, ...]:
    """Return what each player makes of one game; ``until`` is when play stops, by the clock of this machine.

    Raises:
        BudgetExceeded: the time is up.
    """
    race = _Race(request, number, until)
    return tuple(map(race.played, request.players))


class _Race:
    """One game, to be played by several players."""

    def __init__(self, request: Request, number: int, until: float | None) -> None:
        self._position, self._goal = request.question(number)
        game, self._start = self._position.start()
        self._game: Race[Any] = game
        self._request, self._until = request, until
        self._seed = request.seed + number

    def _look(self, *_: object) -> None:
        if self._until is not None and monotonic() > self._until:
            raise BudgetExceeded

    def played(self, player: str) -> Played:
        """Return what a player makes of the game."""
        game, goal, most = self._game, self._goal, self._request.most_turns
        policy, draws, generator = self._policy(player), Draws(self._seed), SplitMix64(mix(self._seed))
        table, pending = self._start.table, self._start.pending
        first, done, decisions, there = game.turns(table, goal.seat), 0, 0, False

        def decide(script: Playing, seat: int, answers: Sequence[Step]) -> Step:
            nonlocal decisions
            decisions += 1
            if policy is not None:
                return policy(table, script, seat, answers, generator)
            if len(answers) == 1:
                return answers[0]
            text = self._advice(State(table, tuple(script.steps)), generator.next())
            return next((answer for answer in answers if answer.text == text), answers[0])

        while done < most and not there and not game.is_over(table):
            self._look()
            table, pending = game.play_turn(table, Playing(pending, draws, decide)), ()
            done = game.turns(table, goal.seat) - first
            there = game.progress(table, goal.seat) >= goal.target
        return Played(done if there else most, there, decisions)

    def _policy(self, player: str) -> Policy | None:
        """Return how a player decides, nothing where it asks for advice."""
        if player != PLAIN:
            return None if player == BEST else POLICIES[player](self._game)
        trees = row_trees(self._game, self._start, self._goal, 0)
        assert trees is not None
        return trees.liked

    def _advice(self, state: State[Any], seed: int) -> str:
        """Return the text of the best move."""

        def on_goal(_: Goal) -> OnRound:
            return self._look

        request, here = self._request, self._position.after(state)
        question = Question(here, self._goal, Budget(request.move_s), seed=seed, playouts=request.playouts)
        report = best_hidden(question, rivals=False, on_goal=on_goal)
        if report.interrupted:
            raise KeyboardInterrupt
        return report.moves[0].move.text if report.moves else ""
