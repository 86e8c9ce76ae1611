"""Solving open questions of one seat: rounds first where a game counts them, then turns."""

from __future__ import annotations

from typing import Any

from puzzles.goal import Goal
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.quest_race import QuestRace
from rules.core.race import Race
from rules.core.rounds import Fate
from rules.core.turns import Game, State
from solver.by_rounds import answered, by_rounds, refuse_cruel
from solver.certify import replayed_value
from solver.question import Question
from solver.report import Limit, OnProgress, Progress, Report
from solver.ways import printed


def solve(
    position: Position,
    goal: Goal,
    limit: Limit | None = None,
    on_progress: OnProgress | None = None,
    since: Progress | None = None,
) -> Report:
    """Return the best line of an open question with its proof, or the best found when a limit is hit.

    ``since`` is how far an earlier search of the same question came; its bound is not proved again.

    Raises:
        UnsupportedRuleset: chance is hidden, several players have turns, or the game has no progress.
        DisagreementError: the replay of the line gives another value; always a bug.
    """
    game, start = searchable(position), position.start()[1]
    limit = limit or Limit()
    report = _answered(game, start, goal, limit, on_progress, since)
    return printed(game, start, goal, report, limit) if fate_of(game) is Fate.KNOWN else report


def _answered(
    game: Race[Any],
    start: State[Any],
    goal: Goal,
    limit: Limit,
    on_progress: OnProgress | None,
    since: Progress | None,
) -> Report:
    """Return the answer with any of the equal lines."""
    if since is not None:
        refuse_cruel(game)
        return Question(game, start, goal, limit, on_progress, since=since).answer()
    report, known = in_rounds(game, start, goal, limit)
    return report or Question(game, start, goal, limit, on_progress, known=known).answer()


def in_rounds(game: Race[Any], start: State[Any], goal: Goal, limit: Limit) -> tuple[Report | None, int | None]:
    """Return the answer where whole rounds settle the question, and the turns below which they exclude the goal.

    Raises:
        UnsupportedRuleset: it is asked against an adversary, and no round form carries it.
    """
    found = by_rounds(game, start, goal, limit)
    if found is None:
        refuse_cruel(game)
        return None, None
    assert goal.clock is not None
    value = replayed_value(game, start, found.line, goal) if found.line else None
    return answered(found, goal, value, fate_of(game)), goal.clock.turns_in(found.excluded) + 1


def searchable(position: Position) -> Race[Any]:
    """Return the game of a position that the search carries.

    Raises:
        UnsupportedRuleset: chance is hidden, several players have turns, or the game has no progress.
    """
    game = position.game
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    lacking: list[str] = []
    if position.information != "open" and fate_of(game) is Fate.KNOWN:
        lacking.append("solving with hidden chance (name the sources under chance.open to take them as known)")
    if position.players > 1:
        lacking.append(f"solving for {position.players} players ('best' compares moves among several)")
    if lacking:
        raise UnsupportedRuleset(lacking)
    return game


def fate_of(game: Game[Any]) -> Fate:
    """Return who decides what is hidden."""
    return game.quest.fate if isinstance(game, QuestRace) else Fate.KNOWN
