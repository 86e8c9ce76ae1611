"""How hard a puzzle is and what it is about, measured on its proved answer.

The grade is made of counts that anybody can check. For each turn of the line they are its ends, those that keep the
value, and wrong ones that get as far or further at once. ``bits`` has the formula.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log2
from typing import Any, Final

from puzzles.goal import Goal
from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.tools.rulebook import met
from rules.core.turns import State
from solver.answer import Answer, OnProgress, Status
from solver.engines.solve import solve
from solver.lines import played
from solver.optimal_lines import Count, OptimalLines
from solver.search.budget import Budget, BudgetExceeded
from solver.search.problem import forbidden_step

GRADES: Final = (2.0, 4.0, 7.0, 12.0)
"""Bits from which on a puzzle is of the grades 2, 3, 4 and 5."""
DECOYS: Final = 3
"""Wrong moves of one turn that are shown."""


@dataclass(frozen=True, slots=True)
class RatedTurn:
    """One turn of the best line."""

    number: int
    """From 1."""
    move: str
    """The first move of it."""
    moves: int
    """Moves open at its start that the goal allows."""
    right: int
    """Those of them that keep the value."""
    ends: int
    """Different tables that the turn can end in."""
    right_ends: int
    tries: float
    """Ends that a player looks at, those with the most progress first, until a right one comes; on average where there
    are several with as much."""
    decoys: tuple[str, ...] = ()
    """Wrong first moves that can get further by the end of the turn than every right one, the best-looking first."""

    @property
    def is_only(self) -> bool:
        """Whether one move alone keeps the value, and there are others."""
        return self.right == 1 < self.moves


@dataclass(frozen=True, slots=True)
class Rating:
    """What was measured; what a limit left open is empty, never guessed."""

    report: Answer[int]
    """The answer that everything rests on."""
    lines: Count | None = None
    """Best lines; nothing where none was looked for."""
    turns: tuple[RatedTurn, ...] = ()
    """The best line, as far as its turns were compared."""
    techniques: tuple[str, ...] = ()
    """What the line does, by the names that the game has for it."""
    bits: float | None = None
    """What the grade is made from; see ``bits``."""
    open: tuple[str, ...] = ()
    """What the limit left open: ``answer``, ``turns``, ``lines``."""
    interrupted: bool = False

    @property
    def grade(self) -> int | None:
        """Return 1 for a first puzzle up to 5; nothing where that is not known, or nothing can be found."""
        return None if self.bits is None else 1 + bisect_right(GRADES, self.bits)

    @property
    def unique(self) -> bool | None:
        """Return whether there is no other line as good; nothing where that is not known."""
        if self.lines is None or (not self.lines.exact and self.lines.lines < 2):
            return None
        return self.lines.lines == 1


def rate(position: Position, goal: Goal, limit: Budget | None = None, on_progress: OnProgress | None = None) -> Rating:
    """Return the rating of an open question of one seat, as far as the limit allows.

    Raises:
        UnsupportedRuleset: chance is hidden, several players have turns, or the game has no progress.
        DisagreementError: the proof and the lines counted differ; always a bug.
    """
    limit = limit or Budget()
    budget = limit.start()
    return rated(position, goal, solve(position, goal, limit, on_progress), budget)


def rated(position: Position, goal: Goal, report: Answer[int], budget: Budget) -> Rating:
    """Return the rating of a question that is answered, as far as the budget allows.

    The turns come first, since the grade is made of them; then the lines are counted.

    Raises:
        DisagreementError: the proof and the lines counted differ; always a bug.
    """
    if report.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        return Rating(report, open=("answer",), interrupted=report.interrupted)
    if report.status is Status.INFEASIBLE or not report.line:
        return Rating(report)
    game, start = position.start()
    ways: OptimalLines[Any] = OptimalLines(game, start, goal, report, budget)
    found = Rating(
        report,
        techniques=met(position.definition, game, start, [turn.steps for turn in report.line]),
        open=("turns", "lines"),
    )
    try:
        for place, table in enumerate(played(game, start, report.line)[:-1]):
            state = start if place == 0 else State(table)
            turn = _rated_turn(game, goal, ways, state, place + 1, report.line[place].steps[0])
            found = replace(found, turns=(*found.turns, turn))
        found = replace(found, bits=bits(found.turns), open=("lines",))
        lines = ways.count()
        return replace(found, lines=lines, open=found.open if lines.stopped else ())
    except BudgetExceeded:
        return found
    except KeyboardInterrupt:
        return replace(found, interrupted=True)


def bits(turns: Sequence[RatedTurn]) -> float:
    """Return how hard a line is to find, in bits, rounded to a tenth: the sum of log2(tries) over its turns.

    A player is taken to look at the ends of a turn, the furthest first, until one keeps the value: ``tries`` of them.
    There are ``a`` wrong ends further than every right one. As far as the furthest of the ``r`` right ones are ``w``
    wrong ones. Then tries = 1 + a + w / (r + 1), the mean over the orders of ends that are equally far. So several
    solutions make a puzzle easier, and decoys make it harder. ``GRADES`` says which sums are which grade.
    """
    return round(sum(log2(turn.tries) for turn in turns), 1)


def _rated_turn(
    game: Race[Any], goal: Goal, ways: OptimalLines[Any], state: State[Any], number: int, first: Step
) -> RatedTurn:
    """Return the turn with this ``number``, of which the best line begins with the step ``first``.

    Raises:
        BudgetExceeded: the limit of the budget.
    """
    moves = [move for move in game.legal_moves(state) if not forbidden_step(move, goal.forbidden)]
    ends_of = {move.text: {end.table for end in ways.ends(state.table, game.begun(state, move))} for move in moves}
    tables = {text: ends for text, ends in ends_of.items() if ends}
    far = {table: game.progress(table, goal.seat) for ends in tables.values() for table in ends}
    right = {table for table in far if ways.leads(table, ways.turns - number)}
    if not right:
        raise DisagreementError(f"turn {number} of the proved line is not found again among the best ones")
    wrong = [text for text, ends in tables.items() if right.isdisjoint(ends)]
    looks = {text: max(map(far.__getitem__, ends)) for text, ends in tables.items()}
    best = max(looks[text] for text in looks if text not in wrong)
    decoys = sorted((text for text in wrong if looks[text] > best), key=lambda text: (-looks[text], text))
    most = max(far[table] for table in right)
    alike = sum(far[table] == most for table in far if table not in right)
    return RatedTurn(
        number=number,
        move=first.text,
        moves=len(tables),
        right=len(tables) - len(wrong),
        ends=len(far),
        right_ends=len(right),
        tries=1 + sum(each > most for each in far.values()) + alike / (1 + sum(far[table] == most for table in right)),
        decoys=tuple(decoys[:DECOYS]),
    )
