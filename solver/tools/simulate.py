"""Whole races with hidden chance, played by the adviser and by plain ways to play on the same draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import comb
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
"""The player whom the adviser has to improve on: the game's own plain play, without a search."""
PLAYERS: Final = (BEST, PLAIN, *POLICIES)
"""Ways to play a simulated race; not every game has plain play."""
MOST_TURNS: Final = 250
"""Own turns after which a race is given up, where nothing else is said."""
PLAYOUTS: Final = 200
"""Playouts behind each move of the adviser where no time for a move is given."""

DECISION_S: Final = 0.002
"""About the seconds that a decision takes a player who does not search."""
PLAYOUT_S: Final = 0.008
"""Likewise a playout."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What the adviser may spend on one decision: seconds, or a number of playouts, which makes it repeatable."""

    time_s: float | None = None
    playouts: int = PLAYOUTS


@dataclass(frozen=True, slots=True)
class Played:
    """One race by one player."""

    turns: int
    """Own turns to the target, or the most allowed."""
    finished: bool
    decisions: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Mean:
    """An average over games."""

    mean: Fraction
    interval: tuple[float, float] | None
    """Where it lies with 95 % confidence; none for one game."""
    bound: str = ""
    """``at least`` or ``at most``: races that were given up count as if they had been over then."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two players in the same games."""

    quicker: int
    """Games in which the first one took fewer turns."""
    slower: int
    equal: int
    """As many turns."""
    unknown: int
    """Games that neither has finished."""
    chance: Fraction
    """How likely so uneven a score or a worse one is between equal players (sign test, two-sided, ties left out)."""
    difference: Mean | None
    """How many turns more the first one takes; none where races that it gave up leave it open."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """Races by several players, game by game on the same draws."""

    position: Position
    """Where the first game begins."""
    goal: Goal
    players: tuple[str, ...]
    games: tuple[tuple[Played, ...], ...]
    """For every game that all have played, what each made of it, in the order of the players."""
    asked: int
    """Games wanted."""
    most_turns: int
    interrupted: bool

    def races(self, player: str) -> list[Played]:
        """Return all races of a player, game by game."""
        place = self.players.index(player)
        return [game[place] for game in self.games]

    def turns(self, player: str) -> Mean:
        """Return the turns that a player takes; only a bound where races were given up."""
        races = self.races(player)
        found = mean([race.turns for race in races], 1, self.most_turns)
        return found if all(race.finished for race in races) else replace(found, bound="at least")

    def median(self, player: str) -> Fraction | None:
        """Return the median of a player's turns; none where it is a race given up, which is longer than all others."""
        races = sorted(self.races(player), key=lambda race: (not race.finished, race.turns))
        middle = races[(len(races) - 1) // 2 : len(races) // 2 + 1]
        if not all(race.finished for race in middle):
            return None
        return Fraction(sum(race.turns for race in middle), len(middle))

    def compared(self, one: str, other: str) -> Compared:
        """Return how two players fared in the same games."""
        pairs = list(zip(self.races(one), self.races(other), strict=True))
        known = [(first, second) for first, second in pairs if first.finished or second.finished]
        gaps = [_gap(first, second) for first, second in known]
        quicker, slower = sum(gap < 0 for gap in gaps), sum(gap > 0 for gap in gaps)
        return Compared(
            quicker,
            slower,
            len(known) - quicker - slower,
            len(pairs) - len(known),
            sign_test(quicker, slower),
            self._difference(pairs),
        )

    def _difference(self, pairs: Sequence[tuple[Played, Played]]) -> Mean | None:
        found = mean([first.turns - second.turns for first, second in pairs], -self.most_turns, self.most_turns)
        first, second = (all(pair[place].finished for pair in pairs) for place in range(2))
        if first and second:
            return found
        # A race counted as too short makes the other player look too slow.
        return replace(found, bound="at most" if first else "at least") if first or second else None


def _gap(first: Played, second: Played) -> int:
    """Return how many turns more the first of two players takes, of whom one at least has finished."""
    if first.finished and second.finished:
        return first.turns - second.turns
    return -1 if first.finished else 1


def sign_test(wins: int, losses: int) -> Fraction:
    """Return the chance that equal players part so many games so unevenly or worse, two-sided."""
    games, fewer = wins + losses, min(wins, losses)
    tail = sum(comb(games, won) for won in range(fewer + 1))
    return min(Fraction(2 * tail, 2**games), Fraction(1))


def mean(values: Sequence[int], least: int, most: int) -> Mean:
    """Return the average of at least one value with its interval, where no value lies outside two others."""
    if len(values) < 2:
        return Mean(Fraction(values[0]), None)
    low, high = interval([float(value) for value in values], most - least)
    return Mean(Fraction(sum(values), len(values)), (max(low, least), min(high, most)))


OnTurn = Callable[[int, str, int, int], None]
"""Gets the number of the game, the player, the turns done and the progress."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be played."""

    start: Ruleset | Position
    """A ruleset's setup, dealt anew for each game, or one position."""
    players: tuple[str, ...] = ()
    """Ways to play; all that the game has if there are none."""
    games: int = 1
    effort: Effort = field(default_factory=Effort)
    target: int | None = None
    most_turns: int = MOST_TURNS
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


def simulate(
    request: Request, limit: Budget | None = None, *, jobs: int = 1, on_turn: OnTurn | None = None
) -> Simulation:
    """Play races with everything hidden.

    Every player of a game meets the same draws: the numbers that bring them are the same, one stream for each source.
    Games are played in ``jobs`` processes; ``on_turn`` hears nothing from more than one. Ctrl-C and the limit end it
    with the games that all players have played.

    Raises:
        BestlineError: a way to play is unknown, or nothing is hidden in the position.
        UnsupportedRuleset: there is no progress, or several players have turns.
    """
    for player in request.players:
        if player not in PLAYERS:
            raise BestlineError(f"'{player}' is no way to play; there are {', '.join(PLAYERS)}")
    position, goal = request.question()
    is_plain = _plays_plainly(position, goal)
    players = request.players or tuple(player for player in PLAYERS if player != PLAIN or is_plain)
    if PLAIN in players and not is_plain:
        raise UnsupportedRuleset(["plain play"])
    limit = limit or Budget()
    budget = limit.start()
    until = None if limit.time_s is None or limit.steady else monotonic() + limit.time_s
    done: list[tuple[Played, ...]] = []
    interrupted = False
    task = partial(_play, replace(request, players=players), until, on_turn=on_turn if jobs <= 1 else None)
    try:
        with executor(jobs) as where:
            played = where.map(task, range(request.games))
            for _ in range(request.games):
                budget.check()
                done.append(next(played))
                races = zip(players, done[-1], strict=True)
                budget.spend(sum(_work_s(player, race, request.effort) for player, race in races))
    except BudgetExceeded:  # what was played of the game under way does not count
        pass
    except KeyboardInterrupt:
        interrupted = True
    return Simulation(position, goal, players, tuple(done), request.games, request.most_turns, interrupted)


def _plays_plainly(position: Position, goal: Goal) -> bool:
    game, start = position.start()
    return row_trees(game, start, goal, 0) is not None


def _work_s(player: str, race: Played, effort: Effort) -> float:
    """Return about the seconds of a race, from what was played alone."""
    return race.decisions * (DECISION_S + (effort.playouts * PLAYOUT_S if player == BEST else 0.0))


def _play(request: Request, until: float | None, number: int, *, on_turn: OnTurn | None = None) -> tuple[Played, ...]:
    """Return what each player makes of one game; ``until`` is when play stops, by the clock of this machine.

    Raises:
        BudgetExceeded: the time is up.
    """
    race = _Race(request, number, until)
    return tuple(race.played(player, on_turn) for player in request.players)


class _Race:
    """One game, to be played by several players."""

    def __init__(self, request: Request, number: int, until: float | None) -> None:
        self._position, self._goal = request.question(number)
        game, self._start = self._position.start()
        self._game: Race[Any] = game
        self._request, self._number, self._until = request, number, until
        self._seed = request.seed + number

    def _look(self) -> None:
        if self._until is not None and monotonic() > self._until:
            raise BudgetExceeded

    def played(self, player: str, on_turn: OnTurn | None) -> Played:
        """Return what a player makes of the game."""
        game, goal, most = self._game, self._goal, self._request.most_turns
        begun = monotonic()
        draws = Draws(self._seed)
        table, pending = self._start.table, self._start.pending
        answer = _Decisions(self._policy(player), self._advice, mix(self._seed))
        first, done, there = game.turns(table, goal.seat), 0, False
        while done < most and not there and not game.is_over(table):
            self._look()
            answer.table = table
            table = game.play_turn(table, Playing(pending, draws, answer))
            pending = ()
            done = game.turns(table, goal.seat) - first
            there = game.progress(table, goal.seat) >= goal.target
            if on_turn is not None:
                on_turn(self._number, player, done, game.progress(table, goal.seat))
        return Played(done if there else most, there, answer.made, monotonic() - begun)

    def _policy(self, player: str) -> Policy | None:
        """Return how a player decides, nothing where it asks for advice."""
        if player != PLAIN:
            return None if player == BEST else POLICIES[player](self._game)
        trees = row_trees(self._game, self._start, self._goal, 0)
        assert trees is not None
        return trees.liked

    def _advice(self, state: State[Any], seed: int) -> str:
        """Return the text of the best move, as far as the effort allows."""
        effort = self._request.effort
        limit = None if effort.time_s is None else Budget(time_s=effort.time_s)
        here = self._position.after(state)

        def on_goal(_: Goal) -> OnRound:
            return lambda *_: self._look()

        question = Question(here, self._goal, limit or Budget(), seed=seed, playouts=effort.playouts)
        report = best_hidden(question, rivals=False, on_goal=on_goal)
        if report.interrupted:
            raise KeyboardInterrupt
        return report.moves[0].move.text if report.moves else ""


class _Decisions:
    """The decisions of one player in one game; their numbers are not those of the draws."""

    def __init__(self, policy: Policy | None, advice: Callable[[State[Any], int], str], seed: int) -> None:
        """Without a policy every decision is asked for."""
        self._policy = policy
        self._advice = advice
        self._generator = SplitMix64(seed)
        self.table: Any = None
        """The table at the start of the turn under way."""
        self.made = 0

    def __call__(self, script: Playing, seat: int, answers: Sequence[Step]) -> Step:
        """Return what the player does."""
        self.made += 1
        if self._policy is not None:
            return self._policy(self.table, script, seat, answers, self._generator)
        if len(answers) == 1:
            return answers[0]
        text = self._advice(State(self.table, tuple(script.steps)), self._generator.next())
        return next((answer for answer in answers if answer.text == text), answers[0])
