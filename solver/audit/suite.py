"""The declared suite: puzzles of the library that fit a ruleset, asked again under it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from puzzles.goal import Goal, Objective
from puzzles.loader import IMPOSSIBLE, Puzzle, library, load_puzzle
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import load_ruleset
from rules.core.tools.relaxation import under
from solver.audit.finding import Witness
from solver.report import Status
from solver.search.budget import Budget
from solver.solve import searchable, solve


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the suite under one ruleset."""

    id: str
    position: Position
    goal: Goal
    stated: int | None
    """The value proved under the puzzle's own ruleset."""
    fingerprint: str
    """Of the puzzle's own ruleset."""
    impossible: bool = False
    """It is proved under the puzzle's own ruleset that there is no line."""
    old: Witness | None = None
    """The best line under that ruleset, where it is known."""

    @property
    def is_stated(self) -> bool:
        """Return whether its answer under the puzzle's own ruleset is known."""
        return self.impossible or self.stated is not None


@dataclass(frozen=True, slots=True)
class Answer:
    """What exact search says about a question."""

    value: int | None
    """Turns, rounds or progress of the best line found, as the question counts; nothing where there is none."""
    bound: int | None
    impossible: bool
    """It is proved that there is no line."""
    witness: Witness | None

    @property
    def proved(self) -> bool:
        """Return whether the best value, or that there is none, is certain."""
        return self.impossible or (self.value is not None and self.value == self.bound)


@lru_cache(maxsize=16)
def library_suite(ruleset: Ruleset) -> tuple[Asked, ...]:
    """Return the open puzzles for one player whose own ruleset this one is or extends, and whose positions fit."""
    return tuple(_fitting(ruleset))


def _fitting(ruleset: Ruleset) -> Iterator[Asked]:
    below = {layer.source.file for layer in ruleset.layers}
    for name in library():
        puzzle = load_puzzle(name)
        if puzzle.position.ruleset.id not in below:
            continue
        asked = _under(puzzle, ruleset)
        if asked is not None:
            yield asked


def _under(puzzle: Puzzle, ruleset: Ruleset) -> Asked | None:
    """Return a puzzle asked under another ruleset, or nothing where its position is none there."""
    position = under(puzzle.position, ruleset)
    if position is None:
        return None
    try:
        searchable(position)
    except BestlineError:
        return None
    stated = puzzle.solution.value if puzzle.solution is not None else None
    made_for = puzzle.position.ruleset.fingerprint
    value = stated if isinstance(stated, int) else None
    line = puzzle.solution.line if puzzle.solution is not None else ()
    old = Witness(puzzle.position, tuple(text for turn in line for text in turn.split("; "))) if line else None
    return Asked(puzzle.id, position, puzzle.goal, value, made_for, stated == IMPOSSIBLE, old)


def edition_of(ruleset: Ruleset) -> Ruleset:
    """Return the shipped text that a ruleset begins with: itself where it is one."""
    first = ruleset.layers[0].source.file
    return ruleset if first == ruleset.id else load_ruleset(first)


def excludes(asked: Asked, answer: Answer) -> bool:
    """Return whether an answer's bound rules out what is stated."""
    if asked.stated is None or answer.bound is None:
        return False
    return answer.bound > asked.stated if asked.goal.objective is Objective.MIN_TURNS else answer.bound < asked.stated


def solved(asked: Asked, limit: Budget, forbidden: frozenset[str] = frozenset()) -> Answer:
    """Return the answer to a question, some moves forbidden besides those of its goal.

    Raises:
        KeyboardInterrupt: the user stopped the search.
    """
    goal = replace(asked.goal, forbidden=asked.goal.forbidden | forbidden)
    report = solve(asked.position, goal, limit)
    if report.interrupted:
        raise KeyboardInterrupt
    impossible = report.status is Status.INFEASIBLE and goal.objective is not Objective.REACH
    texts = tuple(step.text for turn in report.line for step in turn.steps)
    witness = Witness(asked.position, texts) if texts else None
    return Answer(goal.in_rounds(report.value), goal.in_rounds(report.bound), impossible, witness)
