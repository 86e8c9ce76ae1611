"""Solving open questions of one seat: rounds first where a game counts them, then turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from puzzles.goal import Goal, Objective
from rules.core.challenge import ChanceMode, Quest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import Game, State
from solver.answer import BY_ROUNDS, Answer, OnProgress, Proof, Statistics, Status, TurnLine
from solver.encodings.turns import round_search
from solver.engines.open_search import Given, OpenSearch
from solver.lines import replayed_value
from solver.optimal_lines import printed
from solver.search.budget import Budget


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
    search = None if clock is None else round_search(game, start.table)
    if search is None or clock is None:
        refuse_cruel(game)
        return None, None
    is_known, is_cruel = (game.challenge.fate is fate for fate in (ChanceMode.KNOWN, ChanceMode.CRUEL))
    half = limit.time_s / 2 if limit.time_s is not None and is_known else limit.time_s
    budget = replace(limit, time_s=half).start()
    given = [each for each in (goal.within_turns, game.most_turns(start.table, goal.seat)) if each is not None]
    last = goal.counted(min(given)) if given else None
    path = search.fewest(search.horizon if last is None else min(search.horizon, last), budget)
    steps = search.moves(game, start, path, goal.forbidden) if path else []
    line = by_turns(game, start, steps)
    value = replayed_value(game, start, line, goal) if line else None
    known, most = clock.turns_in(search.excluded) + 1, clock.turns_in(search.excluded + 1)
    if value is not None and goal.counted(value) == search.excluded + 1:
        status, value, bound = Status.OPTIMAL, value, value
    elif last is not None and last <= search.excluded:
        status, value, bound, line = Status.INFEASIBLE, None, known, ()
    elif path is not None and is_cruel:
        status, value, bound, line = Status.OPTIMAL, most, most, ()
    elif is_cruel or search.interrupted or (search.stopped and not is_known):
        status, value, bound, line = Status.UNKNOWN, None, known, ()
    else:
        return None, known
    proof = Proof(
        method=BY_ROUNDS,
        excluded_turns=known - 1,
        states=search.edges,
        projections=search.relaxations,
        checked_by=("replay",) if line else (),
    )
    statistics = Statistics(budget.elapsed_s, search.edges, search.keys, BY_ROUNDS)
    return Answer(status, value, bound, line, proof, statistics, search.interrupted), known


def by_turns(game: Race[Any], state: State[Any], steps: Sequence[Step]) -> tuple[TurnLine, ...]:
    """Return moves turn by turn."""
    turns: list[TurnLine] = []
    turn: list[Step] = []
    for step in steps:
        turn.append(step)
        state = game.apply(state, step).state
        if not state.pending:
            turns.append(TurnLine(tuple(turn)))
            turn = []
    return tuple(turns)


def refuse_cruel(game: Any) -> None:
    """Refuse a question against an adversary that no round encoding carries.

    Raises:
        UnsupportedRuleset: it is one.
    """
    if isinstance(game, Quest) and game.challenge.fate is ChanceMode.CRUEL:
        raise UnsupportedRuleset(["an adversary's luck with these rulings, or from the middle of a round"])


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
