"""New puzzles: deals made up by the game, solved, rated, brought down to what matters, and verified as files.

A deal is thrown away as soon as it does not fit. Searches are limited by counted work, never by the clock. So the same
seed gives the same puzzles on every machine, however many processes look for them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from hashlib import sha256
from operator import getitem
from time import time
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective, Puzzle, Solution, goal_table, puzzle_tables, question_of, read_puzzle
from rules.core.errors import BestlineError, nearest
from rules.core.files import Source, data_file, read_text
from rules.core.position import Position, read_position
from rules.core.registry import Ruleset
from rules.core.ruleset import copied, difference
from rules.core.scripts import SplitMix64, mix
from rules.core.tools.output import picked, toml_text
from solver.engines.answers import searchable, solve
from solver.proofs import OptimalLines
from solver.question import Answer, Status
from solver.screens.common import count, turns_text
from solver.search.budget import Budget, WorkClock
from solver.tools.puzzle import Rating, rate, verify_puzzle

PATIENCE_S: Final = 1.5
"""Work for one answer, in seconds of ``WorkClock``,"""
PATIENCE_STATES: Final = 100_000
"""and positions kept for it: a search in bulk looks at its clock only after very many."""
DEAL_S: Final = 6.0
"""Work for one deal in all."""
LEAST_TURNS: Final = 2
"""Turns with a choice in them that a puzzle has at least."""
TIGHT: Final = 24
"""Solutions up to which taking things out is tried to leave one of them."""

Path = tuple[str | int, ...]


class Deal(NamedTuple):
    """What is known of a question that was made up."""

    position: Position
    goal: Goal
    rating: Rating
    """What was measured: at first the answer alone."""
    lines: int = 0
    """Solutions, where they were counted."""

    @property
    def report(self) -> Answer[int]:
        """Return the answer."""
        return self.rating.report


def reduced(deal: Deal, again: Callable[[Deal, Position], Deal | None]) -> Deal:
    """Return a deal from which nothing more can be taken out.

    Single entries of its lists are tried once. ``again`` gets a smaller position and what is known of the larger one.
    It returns what is known now, or nothing where the deal is to stay as it was.
    """
    # Later places of a list come first, so that taking one out leaves the places of the others as they are.
    for path in list(_entries(deal.position.state)):
        smaller = without(deal.position, path)
        deal = (smaller and again(deal, smaller)) or deal
    return deal


def without(position: Position, path: Path) -> Position | None:
    """Return a position without one entry of a list of its state; nothing where the rules or the lists have no such."""
    state = copied(dict(position.state))
    *way, last = path
    try:
        del reduce(getitem, way, state)[last]
    except (LookupError, TypeError):
        return None
    # A challenge is asked from the table it begins with, so whoever looks at the smaller one asks it again.
    return replace(position, state=state, aim=None, kept={}).under(position.ruleset)


def _entries(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the places of the entries of all lists of cards, or of what holds cards, in a state object."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _entries(inner, (*path, name))
    elif isinstance(value, list | tuple):
        for place in range(len(value) - 1, -1, -1):
            yield from _entries(value[place], (*path, place))
            if isinstance(value[place], str | Mapping):
                yield (*path, place)


class Request(NamedTuple):
    """What is wanted."""

    ruleset: Ruleset
    seed: int = 0
    theme: str = ""
    """A technique of the game; empty for any."""
    grade: int | None = None
    unique: bool = True
    goal: Mapping[str, Any] | None = None
    """Keys of a goal table: the objective, or more."""


class Made(NamedTuple):
    """What became of one deal; plain data, since it may come from another process."""

    deal: int
    work_s: float
    """Work done for it, in seconds of ``WorkClock``."""
    why_not: str = ""
    """Why there is no puzzle, in a few words; empty where there is one."""
    id: str = ""
    text: str = ""
    facts: Mapping[str, Any] | None = None
    """What the screens tell of it: value, grade, bits, unique, themes."""


class _Unfit(Exception):
    """The deal gives no puzzle that is wanted; the message says why."""


def check(request: Request) -> None:
    """Refuse what no deal can give.

    Raises:
        BestlineError: the game makes up no positions, or has no such technique or goal.
    """
    definition = request.ruleset.definition
    if (composition := definition.compose(request.ruleset, SplitMix64(request.seed))) is None:
        raise BestlineError(f"{definition.title} makes up no positions, so there is nothing to generate from")
    themes, goals = data_file(definition.folder, "techniques"), [str(goal["objective"]) for goal in composition.goals]
    wanted: dict[str, tuple[str, Collection[str]]] = {
        f"--theme: {definition.title} has no": (request.theme, themes),
        f"--goal: puzzles of {definition.title} are not made for": ((request.goal or {}).get("objective", ""), goals),
    }
    for refusal, (word, offered) in wanted.items():
        if word and word not in offered:
            hint = nearest(word, offered) or f"; there are {', '.join(offered)}"
            raise BestlineError(f"{refusal} '{word}'{hint}")


def make(deal: int, request: Request, until: float | None = None) -> Made:
    """Return what becomes of one deal of a request; it is given up when the clock of the wall shows ``until``.

    Raises:
        KeyboardInterrupt: the user stopped it.
        DisagreementError: two ways to the same answer differ; always a bug.
    """
    guard = Budget(None if until is None else max(0.0, until - time())).start()
    clock = WorkClock(guard)
    try:
        return _Maker(deal, request, clock).puzzle()._replace(work_s=clock.work_s)
    except _Unfit as why:
        return Made(deal, clock.work_s, why_not="out of time" if guard.is_over else str(why))


class _Maker:
    """One deal on its way to a puzzle; every method raises ``_Unfit`` where there is none."""

    def __init__(self, number: int, request: Request, clock: WorkClock) -> None:
        self._number, self._request, self._clock = number, request, clock

    def puzzle(self) -> Made:
        """Return the puzzle."""
        deal = self._proved(*self._question())
        deal = self._rated(self._tightened(deal) if self._request.unique else deal)
        rating = deal.rating
        faults = {
            "not rated soon enough": rating.grade is None or rating.unique is None,
            "another theme": not self._suits(rating),
            "nothing to think about": sum(turn.ends > 1 for turn in rating.turns) < LEAST_TURNS,
            "another grade": self._request.grade not in (None, rating.grade),
        }
        for why in (why for why, holds in faults.items() if holds):
            raise _Unfit(why)
        deal = reduced(deal, self._as_good)
        rating, puzzle = deal.rating, self._named(deal)
        text = toml_text(puzzle_tables(puzzle))
        verdict = verify_puzzle(read_puzzle(read_text(text)), self._limit())
        if verdict.report is not None and verdict.report.interrupted:
            raise KeyboardInterrupt
        if verdict.ok is not True:
            raise _Unfit("not verified soon enough")
        facts = {
            "value": deal.goal.in_rounds(deal.report.value),
            **picked(rating, "grade", "bits", "unique"),
            "themes": list(rating.techniques),
            "turns": turns_text(len(deal.report.line), deal.goal),
        }
        return Made(self._number, 0.0, id=puzzle.id, text=text, facts=facts)

    def _limit(self) -> Budget:
        if self._clock() > DEAL_S:
            raise _Unfit("too much work")
        return Budget(PATIENCE_S, PATIENCE_STATES, self._clock)

    def _solved(self, position: Position, goal: Goal) -> Deal:
        report = solve(position, goal, self._limit())
        if report.interrupted:
            raise KeyboardInterrupt
        return Deal(position, goal, Rating(report))

    def _proved(self, position: Position, goal: Goal) -> Deal:
        deal = self._solved(position, goal)
        if deal.report.status is Status.INFEASIBLE:
            raise _Unfit("out of reach")
        if deal.report.status is not Status.OPTIMAL or not deal.report.line:
            raise _Unfit("not solved soon enough")
        return deal

    def _question(self) -> tuple[Position, Goal]:
        """Return the deal and what is asked of it: the goal that is wanted, or one of those that suit."""
        request = self._request
        draw = SplitMix64(mix(request.seed ^ mix(self._number)))
        if (composition := request.ruleset.definition.compose(request.ruleset, draw)) is None:
            raise _Unfit("nothing made up")
        wanted = dict(request.goal or {})
        goals = [each for each in composition.goals if each["objective"] == wanted.get("objective", each["objective"])]
        table = {**goals[0 if "objective" in wanted else draw.below(len(goals))], **wanted}
        ruleset = request.ruleset
        named = ruleset.id.partition("/")[2] if ruleset.is_shipped else difference(ruleset)
        try:
            made = {"game": ruleset.game, "ruleset": named, **composition.position}
            position = read_position(Source(made, ""), bare=True)
            if table["objective"] == Objective.MIN_TURNS and "target" not in table:
                table = {**table, "target": self._farthest(position, table)}
                del table["within_turns"]
            return question_of(table, position)
        except BestlineError:
            raise _Unfit("refused by the rules") from None

    def _farthest(self, position: Position, table: Mapping[str, Any]) -> int:
        """Return where the turns allowed get at most: a target that is missed by every detour."""
        asked = {name: value for name, value in table.items() if name != "target"}
        there, goal = question_of({**asked, "objective": Objective.MAX_DISTANCE}, position)
        value = self._proved(there, goal).report.value
        if value is None or value <= searchable(position).progress(position.table(), goal.seat):
            raise _Unfit("out of reach")
        return value

    # One solution, and nothing that does not matter

    def _counted(self, deal: Deal) -> Deal | None:
        """Return a deal with its solutions counted, or nothing where they are too many or not counted soon enough."""
        lines = OptimalLines(deal.position, deal.goal, deal.report, self._limit().start()).count(TIGHT)
        return deal._replace(lines=lines.lines) if lines.exact else None

    def _tightened(self, deal: Deal) -> Deal:
        if (counted := self._counted(deal)) is None:
            raise _Unfit("too many solutions")
        if counted.lines > 1:
            counted = reduced(counted, self._fewer)
        if counted.lines > 1:
            raise _Unfit("more than one solution")
        return counted

    def _fewer(self, deal: Deal, position: Position) -> Deal | None:
        """Return less of a deal if its value is the same and it has fewer solutions, one at least."""
        same = self._again(deal, position) if deal.lines > 1 else None
        counted = same and self._counted(same)
        return counted if counted and counted.lines < deal.lines else None

    def _again(self, deal: Deal, position: Position) -> Deal | None:
        """Return the same question about less of a deal if its value is the same."""
        try:
            smaller = self._solved(*question_of(goal_table(deal.goal, position), position))
        except BestlineError:
            return None
        report = smaller.report
        same = report.status is Status.OPTIMAL and report.line and report.value == deal.report.value
        return smaller if same else None

    def _as_good(self, deal: Deal, position: Position) -> Deal | None:
        """Return less of a deal if it is the same puzzle: value, solutions, grade, decoys, theme."""
        if (smaller := self._again(deal, position)) is None:
            return None
        smaller = self._rated(smaller)
        before, now = deal.rating, smaller.rating
        decoys = [sum(len(turn.decoys) for turn in each.turns) for each in (before, now)]
        alike = (now.grade, now.unique) == (before.grade, before.unique) and decoys[1] >= decoys[0]
        return smaller if alike and self._suits(now) else None

    def _rated(self, deal: Deal) -> Deal:
        rating = rate(deal.position, deal.goal, deal.report, self._limit().start())
        if rating.interrupted:
            raise KeyboardInterrupt
        return deal._replace(rating=rating)

    def _suits(self, rating: Rating) -> bool:
        return not self._request.theme or self._request.theme in rating.techniques

    def _named(self, deal: Deal) -> Puzzle:
        position, goal, rating, _ = deal
        value, line = goal.in_rounds(deal.report.value), deal.report.line
        assert value is not None
        main = self._request.theme or (rating.techniques[0] if rating.techniques else goal.objective.value)
        name = sha256((position.text() + repr(sorted(goal_table(goal, position).items()))).encode()).hexdigest()[:8]
        first, wrong = rating.turns[0], sum(bool(turn.decoys) for turn in rating.turns)
        summary = f"{count(first.moves, 'move')} to begin with, {first.right} of them right."
        summary += f" On {count(wrong, 'turn')} the move that looks best is wrong." if wrong else ""
        texts = tuple("; ".join(step.text for step in turn.steps) for turn in line)
        return Puzzle(
            id=f"{main.replace(' ', '-').replace('_', '-')}-{name}",
            title=f"{main.replace('_', ' ').capitalize()} in {turns_text(len(line), goal)}",
            position=position,
            goal=goal,
            author=f"bestline, seed {self._request.seed}, deal {self._number}",
            summary=summary,
            themes=rating.techniques,
            difficulty=rating.grade,
            solution=Solution(value, texts, rating.unique),
        )
