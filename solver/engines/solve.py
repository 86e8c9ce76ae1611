"""Solving open questions of one seat: rounds first where a game counts them, then turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from puzzles.goal import Goal, Objective, forbids
from rules.core.challenge import ChanceMode, Quest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import Game, State
from solver.answer import BY_ROUNDS, Answer, OnProgress, Proof, Statistics, Status, TurnLine
from solver.encodings.turns import round_encoding
from solver.engines.open_search import Given, OpenSearch
from solver.lines import replayed_value
from solver.optimal_lines import printed
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rounds import RoundEdge, RoundEncoding, RoundSearch

PATIENCE: Final = 20_000
"""Steps tried for a line of moves."""


def in_rounds(game: Race[Any], start: State[Any], goal: Goal, limit: Budget) -> tuple[Answer[int] | None, int | None]:
    """Return the answer where whole rounds settle the question, and the turns below which they exclude the goal.

    A limit of time is shared half and half with whoever goes on from here. Against an adversary the line is one of
    many: what is forced is the search's word.

    Raises:
        UnsupportedRuleset: it is asked against an adversary, and no round encoding carries it.
    """
    if not isinstance(game, Quest):
        return None, None
    is_whole = not start.pending and game.progress(start.table, goal.seat) < goal.target
    clock = goal.clock if goal.objective is Objective.MIN_TURNS and is_whole else None
    form = None if clock is None else round_encoding(game, start.table)
    if form is None or clock is None:
        refuse_cruel(game)
        return None, None
    fate = form.fate
    half = None if limit.time_s is None or fate is not ChanceMode.KNOWN else limit.time_s / 2
    search = RoundSearch(form, replace(limit, time_s=half or limit.time_s).start())
    given = [each for each in (goal.within_turns, game.most_turns(start.table, goal.seat)) if each is not None]
    last = goal.counted(min(given)) if given else None
    found = _by_rounds(search, form.horizon if last is None else min(form.horizon, last))
    line = () if found.path is None else _line(game, form, start, found.path, goal)
    value = replayed_value(game, start, line, goal) if line else None
    known, most = clock.turns_in(found.excluded) + 1, clock.turns_in(found.excluded + 1)
    if value is not None and goal.counted(value) == found.excluded + 1:
        status, value, bound = Status.OPTIMAL, value, value
    elif last is not None and last <= found.excluded:
        status, value, bound, line = Status.INFEASIBLE, None, known, ()
    elif found.path is not None and fate is ChanceMode.CRUEL:
        status, value, bound, line = Status.OPTIMAL, most, most, ()
    elif fate is ChanceMode.CRUEL or found.interrupted or (found.stopped and fate is not ChanceMode.KNOWN):
        status, value, bound, line = Status.UNKNOWN, None, known, ()
    else:
        return None, known
    proof = Proof(
        method=BY_ROUNDS,
        excluded_turns=known - 1,
        states=found.played,
        projections=form.relaxations,
        checked_by=("replay",) if line else (),
    )
    statistics = Statistics(search.budget.elapsed_s, search.tally.edges, search.tally.keys, BY_ROUNDS)
    return Answer(status, value, bound, line, proof, statistics, found.interrupted), known


@dataclass(slots=True)
class _Rounds:
    """What whole rounds say."""

    excluded: int = 0
    """Rounds in which the goal is out of reach."""
    played: int = 0
    """Edges that this took."""
    path: Sequence[RoundEdge] | None = None
    """A way that needs one round more."""
    stopped: bool = False
    interrupted: bool = False


def _by_rounds(search: RoundSearch, most: int) -> _Rounds:
    """Return what is found within so many rounds."""
    found = _Rounds()
    look = search.forced if search.encoding.fate is ChanceMode.CRUEL else search.soonest
    try:
        for rounds in range(1, most + 1):
            found.path = look(rounds)
            if found.path is not None:
                break
            found.excluded, found.played = rounds, search.tally.edges
    except BudgetExceeded:
        found.stopped = True
    except KeyboardInterrupt:
        found.stopped = found.interrupted = True
    return found


def refuse_cruel(game: Any) -> None:
    """Refuse a question against an adversary that no round encoding carries.

    Raises:
        UnsupportedRuleset: it is one.
    """
    if isinstance(game, Quest) and game.challenge.fate is ChanceMode.CRUEL:
        raise UnsupportedRuleset(["an adversary's luck with these rulings, or from the middle of a round"])


def _line(
    game: Quest[Any], form: RoundEncoding, start: State[Any], path: Sequence[RoundEdge], goal: Goal
) -> tuple[TurnLine, ...]:
    """Return moves of the game that follow a path of rounds, or nothing where none were found."""
    steps = _Player(game, form, goal).play(start, tuple(path))
    if steps is None:
        return ()
    turns: list[TurnLine] = []
    state, turn = start, list[Step]()
    for step in steps:
        turn.append(step)
        state = game.apply(state, step).state
        if not state.pending:
            turns.append(TurnLine(tuple(turn)))
            turn = []
    return tuple(turns)


class _Player:
    """Looks for moves that keep to a path of rounds, depth first; tables that led nowhere are left alone."""

    def __init__(self, game: Quest[Any], form: RoundEncoding, goal: Goal) -> None:
        self._game = game
        self._form = form
        self._goal = goal
        self._vain: set[tuple[Any, int]] = set()
        self._left = PATIENCE

    def play(self, state: State[Any], path: tuple[RoundEdge, ...]) -> list[Step] | None:
        game = self._game
        if not state.pending and game.progress(state.table, self._goal.seat) >= self._goal.target:
            return []
        if not path or (state.table, len(path)) in self._vain or game.is_over(state.table):
            return None
        open_steps = game.legal_moves(state) or game.chance_outcomes(state)
        for step in self._form.tries(path, open_steps):
            self._left -= 1
            if self._left < 0:
                return None
            if forbids(self._goal.forbidden, step.text):
                continue
            after = game.apply(state, step).state
            ends = not after.pending and self._form.is_boundary(after.table) and not game.is_over(after.table)
            rest = self.play(after, path[1:] if ends else path)
            if rest is not None:
                return [step, *rest]
        if not state.pending:
            self._vain.add((state.table, len(path)))
        return None


def solve(
    position: Position, goal: Goal, limit: Budget | None = None, on_progress: OnProgress | None = None
) -> Answer[int]:
    """Return the best line of an open question with its proof, or the best found when a limit is hit.

    Raises:
        UnsupportedRuleset: chance is hidden, or several players have turns.
        DisagreementError: the replay of the line gives another value; always a bug.
    """
    game, start = searchable(position), position.start()[1]
    limit = limit or Budget()
    report, known = in_rounds(game, start, goal, limit)
    report = report or OpenSearch(game, start, goal, limit, on_progress, Given(known=known)).answer()
    return printed(game, start, goal, report, limit) if fate_of(game) is ChanceMode.KNOWN else report


def searchable(position: Position) -> Race[Any]:
    """Return the game of a position that the search carries.

    Raises:
        UnsupportedRuleset: chance is hidden, or several players have turns.
    """
    game = position.game
    lacking: list[str] = []
    if position.information != "open" and fate_of(game) is ChanceMode.KNOWN:
        lacking.append("solving with hidden chance (name the sources under chance.open to take them as known)")
    if position.players > 1:
        lacking.append(f"solving for {position.players} players ('best' compares moves among several)")
    if lacking:
        raise UnsupportedRuleset(lacking)
    return game


def fate_of(game: Game[Any]) -> ChanceMode:
    """Return who decides what is hidden."""
    return game.challenge.fate if isinstance(game, Quest) else ChanceMode.KNOWN
