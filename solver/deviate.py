"""What it costs to leave a line: every turn's other first moves, compared exactly, where that is cheap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from rules.core.turns import State
from solver.answer import open_moves
from solver.best import Candidate, losses
from solver.explain import Annotation, TurnTold
from solver.forms import search_problem
from solver.report import BY_ROUNDS, Report, Status
from solver.search.plain import PlainTurns
from solver.solve import searchable

CHEAP: Final = 20_000
"""Positions that a whole answer may have generated for its turns to be compared as well."""
PLAIN_CHEAP: Final = 300
"""Likewise for the plain form of a game, whose turns cost a thousand times more, and where tables are laid out for
every question."""


def is_cheap(report: Report) -> bool:
    """Return whether comparing every turn's moves costs little beside the answer; the same on every machine."""
    dear = report.statistics.engine == PlainTurns.engine
    most = PLAIN_CHEAP if dear else CHEAP
    # A search in whole rounds knows nothing of the turns in them.
    in_turns = report.proof.method != BY_ROUNDS
    return in_turns and report.status is Status.OPTIMAL and report.statistics.generated <= most


def with_deviations(
    position: Position, goal: Goal, told: Sequence[TurnTold[Any]], report: Report
) -> tuple[TurnTold[Any], ...]:
    """Return the turns of a proved line, each with what its other first moves lose.

    Turns after the goal has been reached stay as they are, and so does one whose moves were not all compared. All
    turns share one form of the game: what one has worked out the next ones need not.

    Raises:
        DisagreementError: the replay of a line gives another value; always a bug.
    """
    annotated: list[TurnTold[Any]] = []
    here = position
    problem = search_problem(searchable(position), position.start()[1], goal)
    for turn in told:
        left, rest = _left(goal, report, turn.number - 1)
        found = losses(here, left, rest, problem) if rest.value else []
        notes = _notes(found, turn) if found and len(found) == len(open_moves(here, goal)) else []
        annotated.append(replace(turn, notes=(*turn.notes, *notes)))
        here = position.after(State(turn.table))
    return tuple(annotated)


def _left(goal: Goal, report: Report, taken: int) -> tuple[Goal, Report]:
    """Return the goal and the answer that are left after some of the turns: the rest of a best line is one, too."""
    turns = None if goal.within_turns is None else goal.within_turns - taken
    counts = goal.objective is Objective.MIN_TURNS
    value = None if report.value is None else report.value - (taken if counts else 0)
    return replace(goal, within_turns=turns), replace(report, value=value, line=report.line[taken:])


def _notes(found: Sequence[Candidate], turn: TurnTold[Any]) -> list[Annotation]:
    """Return how many other moves do as well, the least that another one loses, and how many lose that or more.

    A move whose loss is beyond what was looked for counts among the last.
    """
    others = [each for each in found if each.move.text != turn.steps[0]]
    if not others:
        return []
    lost = Counter(each.loss for each in others)
    worse = min((loss for loss in lost if loss), default=None)
    nearest = next((each.move.text for each in others if worse is not None and each.loss == worse), None)
    more = len(others) - lost[0] - (nearest is not None)
    return [Annotation("instead", {"equal": lost[0], "nearest": nearest, "loss": worse, "more": more})]
