"""What to do on the next turn, by what chance brings on this one: a plan that branches on what was drawn.

Every table that a move can lead to is asked for its own best move by a search of its own. Where all of them are
answered, their mean must be the value that the move was given, or the two searches disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import ChanceOutcome, Forced, Step
from rules.core.turns import State
from solver.hidden_question import HiddenQuestion
from solver.hidden_report import HiddenReport
from solver.report import Limit, Status
from solver.search.ceilings import HORIZON

TABLES: Final = 24
"""Tables asked about at most, unless more are wanted."""
ALL_TABLES: Final = 240
"""Likewise where the plan is to be explained."""
WAYS: Final = 2_000
"""Ways through turns looked at for one table."""
ENDS: Final = 20_000
"""Ways through this turn looked at."""


@dataclass(frozen=True, slots=True)
class Coming:
    """One move of the next turn."""

    move: str
    """Empty where nothing more is to be done, or nothing leads to the goal."""
    after: tuple[tuple[str, ...], ...]
    """What came up this turn where it is best, each in order."""
    only_after: str
    """A card that came up whenever this move is best, and never else; empty if there is none."""
    probability: Fraction
    value: Fraction | None
    """What it is worth on average, counted from the next turn; none where the goal is out of reach then."""


def coming(
    position: Position, report: HiddenReport, move: Step, value: Fraction | None, *, explain: bool = False
) -> tuple[Coming, ...]:
    """Return the best moves of the next turn, the likeliest first; nothing where that is not known exactly.

    Raises:
        DisagreementError: the values found do not add to the value of the move; always a bug.
    """
    game, start = position.start()
    goal = report.goal
    if not isinstance(game, Race) or report.status is not Status.OPTIMAL or value is None or goal.within_turns == 1:
        return ()
    tables = _tables(game, start, goal, move, ALL_TABLES if explain else TABLES)
    left = None if goal.within_turns is None else goal.within_turns - 1
    groups: dict[str, list[tuple[Fraction, set[tuple[str, ...]], Fraction | None]]] = {}
    for table, (probability, seen) in tables.items():
        own = replace(goal, within_turns=left)
        found = HiddenQuestion(game, State(table), own, Limit(), most=WAYS, certain=False, rivals=False).answer()
        if found.interrupted or found.status not in (Status.OPTIMAL, Status.INFEASIBLE) or found.goal != own:
            return ()
        worth = found.value
        if goal.objective is Objective.REACH:
            worth = worth or Fraction(0)
        lost = goal.objective is Objective.REACH and not worth
        best = found.options[0].move.text if found.options and not lost else ""
        groups.setdefault(best, []).append((probability, seen, worth))
    told = [_told(best, parts, groups) for best, parts in groups.items()]
    _check(told, goal, value)
    return tuple(sorted(told, key=lambda each: (-each.probability, each.move)))


def _tables(
    game: Race[Any], start: State[Any], goal: Goal, move: Step, most: int
) -> dict[Any, tuple[Fraction, set[tuple[str, ...]]]]:
    """Return the tables after a move with their chances and what came up; nothing where more is decided this turn."""
    begun = game.begun(start, move)
    turns = (HORIZON if goal.within_turns is None else goal.within_turns) - 1
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    found: dict[Any, tuple[Fraction, set[tuple[str, ...]]]] = {}
    for number, end in enumerate(game.turn_ends(start.table, begun)):
        rest = end.steps[len(begun) :]
        if number >= ENDS or not all(isinstance(step, ChanceOutcome | Forced) for step in rest):
            return {}
        taken = [step.step if isinstance(step, Forced) else step for step in rest]
        results = [step.result for step in taken if isinstance(step, ChanceOutcome)]
        table = game.essence(end.table, goal.seat, goal.forbidden, target, turns)
        probability, seen = found.get(table, (Fraction(0), set()))
        found[table] = probability + end.probability, seen | {tuple(sorted(results))}
        if len(found) > most:
            return {}
    return found


def _told(
    best: str,
    parts: Sequence[tuple[Fraction, set[tuple[str, ...]], Fraction | None]],
    groups: dict[str, list[tuple[Fraction, set[tuple[str, ...]], Fraction | None]]],
) -> Coming:
    probability = sum((part for part, _, _ in parts), Fraction(0))
    worths = [part * worth for part, _, worth in parts if worth is not None]
    value = sum(worths, Fraction(0)) / probability if len(worths) == len(parts) else None
    after = sorted(seen for _, each, _ in parts for seen in each)
    others = {
        card for other, rest in groups.items() if other != best for _, each, _ in rest for seen in each for card in seen
    }
    always = set(after[0]).intersection(*after) - others
    return Coming(best, tuple(after), min(always, default=""), probability, value)


def _check(told: Sequence[Coming], goal: Goal, value: Fraction) -> None:
    """See to it that the parts add to the whole."""
    if not told or any(each.value is None for each in told):
        return
    mean = sum((each.probability * each.value for each in told if each.value is not None), Fraction(0))
    mean += 1 if goal.objective is Objective.MIN_TURNS else 0
    if mean != value:
        raise DisagreementError(f"a move is worth {value}, the tables after it {mean} on average")
