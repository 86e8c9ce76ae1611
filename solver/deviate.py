"""What it costs to leave a line: every turn's other first moves, compared exactly, where that is cheap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from puzzles.goal import Goal
from rules.core.position import Position
from rules.core.turns import State
from solver.answer import open_moves
from solver.best import Ranking, best_moves
from solver.explain import Annotation, TurnTold
from solver.report import BY_ROUNDS, Report, Status
from solver.search.plain import PlainTurns

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


def with_deviations(position: Position, goal: Goal, told: Sequence[TurnTold[Any]]) -> tuple[TurnTold[Any], ...]:
    """Return the turns of a proved line, each with what its other first moves lose.

    Turns after the goal has been reached, and those that no short search settles, stay as they are.

    Raises:
        DisagreementError: the replay of a line gives another value; always a bug.
    """
    annotated: list[TurnTold[Any]] = []
    here = position
    for turn in told:
        ranking = best_moves(here, _left(goal, turn.number - 1))
        notes = _notes(ranking, turn) if ranking.considered == len(open_moves(here, goal)) else []
        annotated.append(replace(turn, notes=(*turn.notes, *notes)))
        here = position.after(State(turn.table))
    return tuple(annotated)


def _left(goal: Goal, taken: int) -> Goal:
    """Return the goal that is left after some of its turns."""
    return goal if goal.within_turns is None else replace(goal, within_turns=goal.within_turns - taken)


def _notes(ranking: Ranking, turn: TurnTold[Any]) -> list[Annotation]:
    """Return how many other moves do as well, the least that another one loses, and how many lose that or more.

    A move whose loss is beyond what was looked for counts among the last.
    """
    others = [each for each in ranking.candidates if each.move.text != turn.steps[0]]
    if not others:
        return []
    losses = Counter(each.loss for each in others)
    worse = min((loss for loss in losses if loss), default=None)
    nearest = next((each.move.text for each in others if worse is not None and each.loss == worse), None)
    more = len(others) - losses[0] - (nearest is not None)
    return [Annotation("instead", {"equal": losses[0], "nearest": nearest, "loss": worse, "more": more})]
