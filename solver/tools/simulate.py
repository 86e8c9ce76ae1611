"""Whole races with hidden chance, played by the adviser and by plain ways to play on the same draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from operator import gt, lt
from statistics import fmean
from time import monotonic
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective, question_of
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position, new_position
from rules.core.registry import Ruleset
from rules.core.scripts import SplitMix64, Step, mix
from rules.core.tools.output import plain
from rules.core.turns import State
from solver.engines.hidden import best_hidden
from solver.engines.playouts import row_trees
from solver.engines.sampled import interval
from solver.executor import executor
from solver.question import Question
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rollout import POLICIES, Draws, Playing

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


class Request(NamedTuple):
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


class Played(NamedTuple):
    """One race by one player."""

    turns: int | None
    """Own turns to the target; nothing where it was given up."""
    decisions: int


class Simulation(NamedTuple):
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

    def player_data(self, player: str) -> dict[str, Any]:
        """Return the races of a player with their mean for JSON, a race given up counted as over then."""
        races, most = self.races(player), self.request.most_turns
        finished = sum(race.turns is not None for race in races)
        return {
            "player": player,
            "finished": finished,
            "turns": [race.turns for race in races],
            **(_mean([most if race.turns is None else race.turns for race in races], most) if races else {}),
            "bound": "at least" if finished < len(races) else None,
            "decisions": sum(race.decisions for race in races),
        }

    def compared(self, one: str, other: str) -> dict[str, Any]:
        """Return how many turns more one player takes than another for JSON; nothing where a race was given up."""
        both = list(zip(self.races(one), self.races(other), strict=True))
        gaps = [None if None in (a.turns, b.turns) else (a.turns or 0) - (b.turns or 0) for a, b in both]
        mean = _mean([gap or 0 for gap in gaps], 2 * self.request.most_turns)
        ahead = (
            [inf if a.turns is None else a.turns for a, _ in both],
            [inf if b.turns is None else b.turns for _, b in both],
        )
        return {
            "players": [one, other],
            **({"mean": None, "interval": None} if None in gaps else mean),
            "quicker": sum(map(lt, *ahead)),
            "slower": sum(map(gt, *ahead)),
        }


def _mean(values: Sequence[int], width: int) -> dict[str, Any]:
    """Return the average of at least one value with its interval; no two values are further apart than ``width``."""
    within = interval(list(map(float, values)), width) if len(values) > 1 else None
    return {"mean": fmean(values), "interval": plain(within)}


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
    request = request._replace(players=players)
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

    def look(*_: object) -> None:
        if until is not None and monotonic() > until:
            raise BudgetExceeded

    position, goal = request.question(number)
    return tuple(_race(request, position, goal, player, request.seed + number, look) for player in request.players)


def _race(
    request: Request, position: Position, goal: Goal, player: str, seed: int, look: Callable[..., None]
) -> Played:
    """Return what a player makes of a game, with a look at the clock before each turn and after playouts."""
    game, start = position.start()
    draws, generator = Draws(seed), SplitMix64(mix(seed))
    trees = row_trees(game, start, goal, 0) if player == PLAIN else None
    policy = trees.liked if trees else None if player == BEST else POLICIES[player](game)
    table, pending, decisions = start.table, start.pending, 0
    last = game.turns(table, goal.seat) + request.most_turns

    def decide(script: Playing, seat: int, answers: Sequence[Step]) -> Step:
        nonlocal decisions
        decisions += 1
        if policy is not None:
            return policy(table, script, seat, answers, generator)
        if len(answers) == 1:
            return answers[0]
        here, advice_seed = position.after(State(table, tuple(script.steps))), generator.next()
        asked = Question(here, goal, Budget(request.move_s), seed=advice_seed, playouts=request.playouts)
        report = best_hidden(replace(asked, on_goal=lambda _: look), rivals=False)
        if report.interrupted:
            raise KeyboardInterrupt
        return next((each.move for each in report.moves[:1] if each.move in answers), answers[0])

    while game.turns(table, goal.seat) < last and not game.is_over(table):
        look()
        table, pending = game.play_turn(table, Playing(pending, draws, decide)), ()
        if game.progress(table, goal.seat) >= goal.target:
            return Played(game.turns(table, goal.seat) - last + request.most_turns, decisions)
    return Played(None, decisions)
