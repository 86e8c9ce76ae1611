"""Puzzles as files: what ``loader`` reads, written so that it reads back as the same puzzle."""

from __future__ import annotations

from typing import Any

from puzzles.goal import Goal, Objective
from puzzles.loader import Puzzle, goal_table
from rules.core.declared import plain
from rules.core.output import toml_text
from rules.core.race import Race


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as a TOML file for people."""
    return toml_text(puzzle_tables(puzzle))


def puzzle_tables(puzzle: Puzzle) -> dict[str, Any]:
    """Return the tables of a puzzle's file; what takes its own value when left out is left out."""
    data: dict[str, Any] = {
        "puzzle": _stated(puzzle.about()),
        "goal": _goal(puzzle),
        "position": puzzle.position.shortened(),
    }
    if puzzle.solution is not None:
        data["solution"] = _stated(plain(puzzle.solution))
    return data


def _goal(puzzle: Puzzle) -> dict[str, Any]:
    """Return the goal table without what it takes when left out."""
    goal: Goal = puzzle.goal
    table = goal_table(goal, puzzle.position)
    game = puzzle.position.game
    if goal.objective is Objective.MAX_DISTANCE or (isinstance(game, Race) and goal.target == game.default_target()):
        table.pop("target", None)
    left_out = {"seat": 0, "new_day": True, "terms": {}}
    return {name: value for name, value in table.items() if left_out.get(name) != value or name not in left_out}


def _stated(table: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if value not in ("", [], None)}
