"""Puzzles checked and graded: whether the solution that one states holds, how hard it is, and what it is about.

A line is checked by replay, a value by a new proof or by a certificate; of a game against others it is proved anew. The
grade is made of counts that anybody can check. They are for each turn its ends, those that keep the value, and
wrong ones that get as far or further at once. ``bits`` has the formula.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import log2
from typing import Any, Final, NamedTuple

from puzzles.puzzle import IMPOSSIBLE, Goal, Objective, Puzzle, Solution, allowed_steps, rounds_left
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import Step
from rules.core.tools.rulebook import met
from rules.core.turns import State
from solver.checker.certificate import Certificate, check
from solver.checker.check import Rejected
from solver.checker.layers import TooLarge
from solver.engines.answers import searchable, solve
from solver.engines.contest import ContestQuestion
from solver.lines import played, read_line, replayed_value
from solver.proofs import Count, OptimalLines
from solver.question import Answer, Question, Status
from solver.search.budget import Budget, BudgetExceeded


class Verdict(NamedTuple):
    """What a check of one puzzle came to."""

    id: str
    ok: bool | None
    """Whether the stated solution holds; nothing when a limit was hit before that was settled."""
    reason: str
    """Why, in one sentence without a full stop."""
    report: Answer[int] | None = None
    """The new proof, where the check came so far."""


def verify_puzzle(puzzle: Puzzle, limit: Budget | None = None, certificate: Certificate | None = None) -> Verdict:
    """Return whether the solution that a puzzle states holds; with a certificate nothing is searched again.

    Raises:
        UnsupportedRuleset: the puzzle is of a kind that cannot be solved yet.
    """
    stated, goal = puzzle.solution, puzzle.goal
    if stated is None:
        return Verdict(puzzle.id, False, "states no solution")
    budget = (limit or Budget()).start()
    if goal.objective is Objective.WIN:
        if stated.line or stated.unique is not None or stated.certificate:
            return Verdict(puzzle.id, False, "a game to be won states a value, and neither line nor certificate")
        won = ContestQuestion(Question(puzzle.position, limit=limit or Budget(), rounds=rounds_left(goal))).answer()
        return Verdict(puzzle.id, *_by_proof(puzzle, stated, won, budget))
    game, start = searchable(puzzle.position), puzzle.position.start()[1]
    if stated.line:
        turns = [turn.split(";") for turn in stated.line]
        try:
            replayed = goal.in_rounds(replayed_value(game, start, read_line(game, start, turns), goal))
        except (BestlineError, DisagreementError) as refused:
            return Verdict(puzzle.id, False, f"the line does not replay: {refused}")
        if replayed != stated.value:
            return Verdict(puzzle.id, False, f"the line is worth {replayed}, not {stated.value}")
    if certificate is not None:
        return Verdict(puzzle.id, *_by_certificate(puzzle, stated, certificate, limit))
    report = solve(puzzle.position, goal, limit)
    return Verdict(puzzle.id, *_by_proof(puzzle, stated, report, budget), report)


_Found = tuple[bool | None, str]
"""``ok`` and ``reason`` of a ``Verdict``."""


def _by_proof(puzzle: Puzzle, stated: Solution, report: Answer[Any], budget: Budget) -> _Found:
    if not report.status.is_settled:
        return None, "a limit was hit before the value was proved"
    value = puzzle.goal.in_rounds(report.value)
    found = IMPOSSIBLE if value is None else value
    if found != (stated.value if stated.value == IMPOSSIBLE else Fraction(stated.value)):
        return False, f"{found} is the proved value, not {stated.value}"
    if value is None:
        return True, f"proved {IMPOSSIBLE}"
    if stated.unique is None or not report.line:
        return True, f"{value} is proved best"
    lines = OptimalLines(puzzle.position, puzzle.goal, report, budget).count(most=1)
    if lines.stopped:
        return None, f"{value} is proved best; a limit was hit before other lines were excluded"
    if stated.unique != lines.exact:
        found = "not the only one, but there is no other" if lines.exact else "the only one, but there is another"
        return False, f"the line is stated to be {found}"
    return True, f"{value} is proved best, by {'one line' if lines.exact else 'several lines'}"


def _by_certificate(puzzle: Puzzle, stated: Solution, certificate: Certificate, limit: Budget | None) -> _Found:
    try:
        checked = check(certificate, None if limit is None else limit.time_s)
    except Rejected as fault:
        return False, f"the certificate proves nothing: {fault}"
    except TooLarge:
        return None, "a limit was hit before the certificate was checked"
    if stated.certificate and stated.certificate != checked.seal:
        return False, f"its certificate has the digest {stated.certificate}, this one {checked.seal}"
    if checked.position.canonical() != puzzle.position.canonical() or checked.goal != puzzle.goal:
        return False, "the certificate is about another question"
    proved = puzzle.goal.in_rounds(checked.value)
    if (IMPOSSIBLE if proved is None else proved) != stated.value:
        return False, f"the certificate proves {proved}, not {stated.value}"
    if stated.unique is not None:
        only = "the only one" if stated.unique else "not the only one"
        return None, f"the line is stated to be {only}, which no certificate says: leave it out"
    return True, f"{stated.value} is proved best by its certificate"


# Grades

GRADES: Final = (2.0, 4.0, 7.0, 12.0)
"""Bits from which on a puzzle is of the grades 2, 3, 4 and 5."""
DECOYS: Final = 3
"""Wrong moves of one turn that are shown."""


class RatedTurn(NamedTuple):
    """One turn of the best line."""

    number: int
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
    """Ends that a player looks at, those with the most progress first, until a right one comes.

    On average where there are several with as much."""
    decoys: tuple[str, ...] = ()
    """Wrong first moves that can get further by the end of the turn than every right one, the best-looking first."""

    @property
    def is_only(self) -> bool:
        """Whether one move alone keeps the value, and there are others."""
        return self.right == 1 < self.moves


class Rating(NamedTuple):
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


def rate(position: Position, goal: Goal, report: Answer[int], budget: Budget) -> Rating:
    """Return the rating of an open question of one seat with its answer, as far as the budget allows.

    The turns come first, since the grade is made of them; then the lines are counted.

    Raises:
        DisagreementError: the proof and the lines counted differ; always a bug.
    """
    if not report.status.is_settled:
        return Rating(report, open=("answer",), interrupted=report.interrupted)
    if report.status is Status.INFEASIBLE or not report.line:
        return Rating(report)
    game, start = position.start()
    ways: OptimalLines[Any] = OptimalLines(position, goal, report, budget)
    techniques = met(position.definition, game, start, [turn.steps for turn in report.line])
    found = Rating(report, techniques=techniques, open=("turns", "lines"))
    try:
        for place, table in enumerate(played(game, start, report.line)[:-1]):
            state = start if place == 0 else State(table)
            turn = _rated_turn(game, goal, ways, state, place + 1, report.line[place].steps[0])
            found = found._replace(turns=(*found.turns, turn))
        found = found._replace(bits=bits(found.turns), open=("lines",))
        lines = ways.count()
        return found._replace(lines=lines, open=found.open if lines.stopped else ())
    except BudgetExceeded:
        return found
    except KeyboardInterrupt:
        return found._replace(interrupted=True)


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
    """Return the turn of this number, which the best line begins with a step."""
    moves = allowed_steps(game.legal_moves(state), goal.forbidden)
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
