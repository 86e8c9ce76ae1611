"""What follows from a proof: all lines that do as well, the same proof by playing the rules, and why nothing is better.

A turn stays on a best line if it can end where the rest of the value can still be had. The form of the game behind the
proof answers that, position by position, as far as its bound allows. The turns themselves are those of the game, with
nothing left out. Tables count as different where the rules say so.

What makes something impossible is a smallest set of rules that do so with all others loosened. It is found by deletion
(a minimal unsatisfiable subset, Bailey and Stuckey 2005). Rules are loosened one after another for good, as long as
exhausted search still proves that the question has no answer. Then each single member of the rest is loosened once
more, since a loosened rule need not help in every combination. So nothing rests on the assumption that loosening makes
things only easier, nor on a solver's core.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Final, Generic, NamedTuple, TypeVar

from puzzles.puzzle import Goal, Objective, does_forbidden
from rules.core.errors import BestlineError, ContentError, DisagreementError
from rules.core.files import data_file
from rules.core.position import Position
from rules.core.race import NEVER, Unsupported
from rules.core.ruleset import INLINE, copied, extended, merge
from rules.core.scripts import Forced, Step
from rules.core.turns import TurnEnd
from solver.checker.certificate import TURNS, Claim, excluded_turns, hold_claim, write_certificate
from solver.checker.check import Rejected
from solver.checker.layers import Allowance, Evidence, Layer, Reached, TooLarge, UnsoundBound
from solver.engines.answers import searchable, solve
from solver.engines.open_search import search_problem
from solver.lines import Rest, in_order, ordered_ends, played, replayed_value, taken
from solver.question import Answer, Status, TurnLine
from solver.search.budget import Budget, BudgetExceeded

QUICK: Final = 5_000
"""Ways through a turn that are tried without the bound of the game; a second or less."""
CHECKED_BY: Final = "closed layers"
"""What a cross-check adds to those that checked an answer."""

MOST_LINES: Final = 1_000
"""Lines up to which they are counted."""
LOOK: Final = 64
"""Ways through turns between two looks at the clock."""
TELLING: Final = 500
"""Ways through a turn among which the first in order is looked for, to write it down."""
SLICES: Final = 12
"""Parts of the time for reasons that one search may take at most."""

R = TypeVar("R")
T = TypeVar("T")
Line = tuple[TurnLine, ...]


# All best lines


class Count(NamedTuple):
    """How many lines are as good as the best."""

    lines: int
    exact: bool
    """Otherwise there are at least so many."""
    stopped: bool = False
    """A limit was hit before they were counted."""
    written: tuple[Line, ...] = ()
    """Those that were written out; the ones of the fewest moves first, then in the order of their texts."""


class OptimalLines(Generic[T]):
    """The best lines of one solved question.

    Two lines are one where they pass through the same tables at the ends of turns. Where fewest turns are asked, lines
    of more rounds of the game than necessary are no best lines. Where a question counts rounds, every line that gets
    there in the last of them is. What is kept in memory and the time are limited by the budget.

    Argument: a line is best exactly if after each of its turns the value can still be had in the turns left. That
    depends on the table's key only: a key leaves out nothing but what cannot matter for the goal. Positions are cut
    only where the bound excludes the value. So ``leads`` is exact wherever the search of the same form is.
    """

    def __init__(self, position: Position, goal: Goal, report: Answer[int], budget: Budget) -> None:
        """``report`` is the proved answer to an open question of one seat, with its line."""
        assert report.value is not None
        self._game, self._start = game, start = position.start()
        self._goal, self._report, self._budget = goal, report, budget
        self._problem = search_problem(game, start, goal)
        self._at_end = goal.objective is Objective.MAX_DISTANCE
        self.turns = goal.within_turns or 0
        if goal.objective is Objective.MIN_TURNS:
            self.turns = report.value if goal.clock is None else goal.clock.turns_in(goal.clock.rounds(report.value))
        self._fewest = report.value
        self._ties = goal.objective is Objective.MIN_TURNS and goal.clock is None
        """Whether the fewest rounds of the game count among equal numbers of turns."""
        self._before = game.days(start.table, goal.seat) - self._problem.rounds(self._problem.project(start.table))
        """Rounds of the game that the form does not count."""
        self._rounds = self._counted(played(game, start, report.line)[-1])
        self._rest = self._best_rest()

    def _best_rest(self) -> Rest:
        return Rest(self._problem, self._goal, self._fewest, self._rounds if self._ties else None, self._budget, NEVER)

    def _counted(self, table: T) -> int:
        """Return the rounds of the game at a table, as the form counts them."""
        return self._game.days(table, self._goal.seat) - self._before

    def leads(self, table: T, left: int) -> bool:
        """Return whether the value can be had from a table with so many turns left.

        Where it can, the table lies on a best line if some turn of one ends there.
        """
        return self._rest.leads(self._problem.project(table), left)

    def ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield ways through a turn that the question allows, to every table that it can end in."""
        forbidden, game = self._goal.forbidden, self._game
        ends = game.turn_ends(table, pending) if forbidden else game.distinct_ends(table, pending)
        for number, end in enumerate(ends):
            if number % LOOK == 0:
                self._budget.check()
            if not does_forbidden(end.steps, forbidden):
                yield end

    def count(self, most: int = MOST_LINES, *, written: bool = False) -> Count:
        """Return how many best lines there are, or that there are more than so many.

        Where the limit is hit, as many are told as were met. Lines are ``written`` where that is asked: a turn by its
        fewest moves, then by the first in the order of its texts. Where a turn has very many ways, it may be any of
        them.
        """
        met, stopped = list[Line](), False
        turns = cache(partial(self._turns, told=written))
        try:
            for line, last in self._lines(self._start.table, self._start.pending, self.turns, turns):
                if self._ties and self._counted(last) < self._rounds:
                    # The line in the answer is not one of the best among equals.
                    self._rounds = self._counted(last)
                    self._rest = self._best_rest()
                    return self.count(most, written=written)
                met.append(line)
                if len(met) > most:
                    break
        except BudgetExceeded:
            stopped = True
        lines = sorted(met[:most], key=lambda line: in_order([step for turn in line for step in turn.steps]))
        exact = len(met) <= most and not stopped
        return Count(max(1, len(lines)), exact, stopped, tuple(lines or [self._report.line]) if written else ())

    def _lines(
        self, table: T, pending: Sequence[Step | Forced], left: int, turns: Callable[..., dict[T, TurnLine]]
    ) -> Iterator[tuple[Line, T]]:
        """Yield the best lines from a table on, each with its last table; every table on one has a rest."""
        game, goal = self._game, self._goal
        there = not self._at_end and game.progress(table, goal.seat) >= goal.target
        if left == 0 or (not pending and (there or game.is_over(table))):
            yield (), table
            return
        for after, turn in turns(table, pending, left - 1).items():
            yield from (((turn, *rest), last) for rest, last in self._lines(after, (), left - 1, turns))

    def _turns(self, table: T, pending: Sequence[Step | Forced], left: int, *, told: bool) -> dict[T, TurnLine]:
        """Return the tables that a turn on a best line can end in, each with a way to it if that is ``told``."""
        met: dict[T, TurnEnd[T]] = {}
        for end in self.ends(table, pending):
            met.setdefault(end.table, end)
        found = {after: end for after, end in met.items() if self.leads(after, left)}
        if not told:
            return dict.fromkeys(found, TurnLine(()))
        begun, forbidden = len(pending), self._goal.forbidden
        turns = {after: taken(end.steps[begun:]) for after, end in found.items()}
        for end in islice(ordered_ends(self._game, table, pending, TELLING), TELLING):
            if end.table in turns and not does_forbidden(end.steps, forbidden):
                turns[end.table] = min(turns[end.table], taken(end.steps[begun:]), key=in_order)
        return {after: TurnLine(steps) for after, steps in turns.items()}


# The same proof once more


def cross_check(position: Position, goal: Goal, report: Answer[int], time_s: float | None = None) -> Answer[int]:
    """Return an answer with closed layers among what checked it; unchanged where the time does not suffice.

    The rules play everything that could be better, as for a certificate.

    Raises:
        BestlineError: the question is of a kind that layers do not carry.
        DisagreementError: the answer is not what the rules say; always a bug.
    """
    if not report.status.is_settled:
        return report
    try:
        _played_again(position, goal, report, time_s, lambda _, layers: deque(layers, 0))
    except Unsupported as fault:
        raise BestlineError(f"--second-opinion does not carry this question: {fault}") from None
    except TooLarge:
        return report
    return replace(report, proof=report.proof._replace(checked_by=(*report.proof.checked_by, CHECKED_BY)))


def write_proof(position: Position, goal: Goal, report: Answer[int], path: Path, time_s: float | None = None) -> str:
    """Write the certificate of an answer that is proved, and return its seal.

    Raises:
        TooLarge: nothing is proved yet, or playing everything again takes more than the limit.
        DisagreementError: the rules lead to something better than the answer; always a bug.
        BestlineError: the file cannot be written.
    """
    try:
        return _played_again(position, goal, report, time_s, partial(write_certificate, path))
    except Unsupported as fault:
        raise TooLarge(f"layers do not carry this position: {fault}") from None


def _played_again(
    position: Position,
    goal: Goal,
    report: Answer[int],
    time_s: float | None,
    use: Callable[[Claim, Iterator[Layer]], R],
) -> R:
    """Return what is made of the claim of an answer and its layers.

    What is small is played without the bound of the game, so that the claim relies on nothing.
    """
    if not report.status.is_settled:
        raise TooLarge("nothing is proved yet, so there is nothing to certify")
    game, start = searchable(position), position.start()[1]
    claim = Claim(
        ruleset=position.ruleset.id if position.ruleset.is_shipped else INLINE,
        fingerprint=position.fingerprint,
        position=position.canonical(),
        goal=goal,
        status=report.status.value,
        value=report.value,
        line=tuple(tuple(step.text for step in turn.steps) for turn in report.line),
        bound="",
        turns=excluded_turns(report.status.value, goal, report.value),
    )
    try:
        hold_claim(claim, goal, game, start)
    except Rejected as fault:
        raise DisagreementError(f"the search is refuted by the rules: {fault}") from None
    until = None if time_s is None else monotonic() + time_s
    tries = [("", QUICK), (game.profile.bound_name, TURNS), ("", TURNS)] if game.profile.bound_name else [("", TURNS)]
    for bound, turns in tries:
        left = None if until is None else max(0.0, until - monotonic())
        played = Evidence(game, start, claim.goal, Allowance(turns, left), claim.value, cuts=bool(bound))
        if played.bound_name != bound:
            continue
        try:
            return use(claim._replace(bound=bound), played.layers(claim.turns))
        except UnsoundBound:  # a bound that is right need not be consistent, and then cannot be checked edge by edge
            continue
        except TooLarge:
            if turns == TURNS or left == 0.0:
                raise
        except Reached as reached:
            better = f"excludes {claim.turns} turns, but the rules get there in {reached.turn}"
            if claim.goal.objective is Objective.MAX_DISTANCE:
                better = f"claims {claim.value}, but the rules lead to {reached.progress}"
            raise DisagreementError(f"the search {better}") from None
    raise TooLarge("too large to certify within the limit")


# Why nothing is better


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """One rule, or one condition of the question, that can be loosened."""

    id: str
    holds: str
    """In words that follow "because"."""
    rules: tuple[str, ...] = ()
    """Its numbers in the rulebook."""
    change: Mapping[str, Any] = field(default_factory=dict)
    """Tables of a variant that loosens the rule in one ruleset; none for a condition of the question."""
    words: str = ""
    """The first words of the moves that the question forbids."""


class Explanation(NamedTuple):
    """Why a question has no answer."""

    goal: Goal
    """What is impossible; for a proved best value, to do better."""
    causes: tuple[Cause, ...]
    """Rules that make it impossible together, with all the other candidates loosened."""
    enough: tuple[Cause, ...]
    """Those candidates that make it possible when they alone are loosened."""
    candidates: tuple[Cause, ...]
    """Everything that was loosened and tightened in turn."""
    minimal: bool
    """Loosening any one of the causes as well makes it possible; false where a limit left that open."""
    searches: int


def improvement_question(goal: Goal, report: Answer[int]) -> Goal | None:
    """Return the question whose impossibility an answer proved, or nothing where it proved none."""
    if report.status is Status.INFEASIBLE:
        return goal
    if report.status is Status.OPTIMAL and report.value:
        if goal.objective is Objective.MAX_DISTANCE:
            return replace(goal, objective=Objective.REACH, target=report.value + 1)
        if goal.objective is Objective.MIN_TURNS:
            return replace(goal, within_turns=goal.least(report.value) - 1)
    return None


class Loosening:
    """One question, asked with one set of rules loosened after the other."""

    def __init__(
        self, position: Position, goal: Goal, limit: Budget, note: Callable[[str], None] | None = None
    ) -> None:
        """``note`` hears each step; a limit holds for all searches together."""
        self._position, self._goal, self._note = position, goal, note
        self._budget = limit.start()
        # One question made too large by what is loosened must not take the time of all the others.
        self._slice_s = None if limit.time_s is None else limit.time_s / SLICES
        self._answers: dict[frozenset[str], bool | None] = {}
        self._lines: list[tuple[TurnLine, ...]] = []
        """Lines found under some loosened rules, to be tried under others before they are searched."""

    def explanation(self) -> Explanation:
        """Return why a question that is proved to have no answer has none.

        Raises:
            UnsupportedRuleset: the search does not carry the question.
            KeyboardInterrupt: the user stopped it.
        """
        bans = sorted(self._goal.forbidden)
        every = [Cause(f"without {words}", f"'{words}' is not allowed", words=words) for words in bans]
        # What the position cannot be asked with, or what is loose in it already, explains nothing.
        candidates = [each for each in relaxations(self._position) + every if self._loosened([each]) is not None]
        enough = tuple(cause for cause in candidates if self._answer([cause]))
        causes = self._kept(candidates)
        minimal = all(self._answer([*_without(candidates, causes), cause]) for cause in causes)
        return Explanation(self._goal, tuple(causes), enough, tuple(candidates), minimal, len(self._answers))

    def _kept(self, candidates: Sequence[Cause]) -> list[Cause]:
        """Return what is left after loosening whatever can be loosened without making the question possible."""
        if self._answer(candidates) is False:
            return []
        kept, before = list(candidates), 0
        while len(kept) != before:
            before = len(kept)
            for cause in tuple(kept):
                rest = _without(kept, [cause])
                if self._answer(_without(candidates, rest)) is False:
                    kept = rest
        return kept

    def _answer(self, loose: Sequence[Cause]) -> bool | None:
        """Return whether the question has an answer with some rules loosened; nothing where a limit leaves it open."""
        name = frozenset(cause.id for cause in loose)
        if name not in self._answers:
            if self._note is not None:
                self._note(f"asking again without: {', '.join(sorted(name))}")
            self._answers[name] = self._solved(loose)
        return self._answers[name]

    def _solved(self, loose: Sequence[Cause]) -> bool | None:
        question = self._loosened(loose)
        if question is None or self._budget.is_over:
            return None
        if any(_holds(*question, line) for line in self._lines):
            return True
        report = solve(*question, self._budget.within(self._slice_s, self._budget.states))
        if report.interrupted:
            raise KeyboardInterrupt
        if report.status is Status.INFEASIBLE:
            return False
        if report.line:
            self._lines.append(report.line)
        return True if report.line or report.status is Status.OPTIMAL else None

    def _loosened(self, loose: Sequence[Cause]) -> tuple[Position, Goal] | None:
        """Return the question with some rules loosened, or nothing where the position does not fit them."""
        goal = replace(self._goal, forbidden=self._goal.forbidden - {cause.words for cause in loose if cause.words})
        position = relaxed(self._position, loose)
        return None if position is None else (position, goal)


def _holds(position: Position, goal: Goal, line: tuple[TurnLine, ...]) -> bool:
    try:
        value = replayed_value(searchable(position), position.start()[1], line, goal)
    except (BestlineError, DisagreementError):
        return False
    is_reach = goal.objective is Objective.REACH
    return bool(value) if is_reach else goal.within_turns is None or len(line) <= goal.within_turns


def _without(causes: Sequence[Cause], others: Sequence[Cause]) -> list[Cause]:
    return [cause for cause in causes if cause not in others]


def relaxations(position: Position) -> list[Cause]:
    """Return what can be loosened in a position and is not loose there already, in the order of the game's file."""
    found = []
    for name, table in data_file(position.definition.folder, "relaxations").items():
        cause = Cause(name, table["holds"], tuple(table["rules"]), _change(position.ruleset.raw, table))
        loosened = relaxed(position, (cause,))
        if loosened is not None and loosened.fingerprint != position.fingerprint:
            found.append(cause)
    return found


def relaxed(position: Position, loose: Iterable[Cause]) -> Position | None:
    """Return a position with some rules loosened, or nothing where it is no position under those rules."""
    change: dict[str, Any] = {}
    for cause in loose:
        merge(change, cause.change)
    try:
        ruleset = extended(position.ruleset, change) if change else position.ruleset
    except ContentError:
        return None
    decided = change.get("options", {})
    options = {name: value for name, value in position.options.items() if name not in decided}
    return replace(position, options=options).under(ruleset)


def _change(raw: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a variant that a relaxation comes to in one ruleset."""
    change: dict[str, Any] = {
        name: {key: copied(value) for key, value in entries.items() if name == "options" or key in raw.get(name, {})}
        for name, entries in table.get("set", {}).items()
    }
    for rule in table.get("each", ()):
        where, effect = rule.get("where", {}), rule.get("effect")
        chosen = {
            name: {key: value for key, value in rule["set"].items() if entry.get(key, value) != value}
            for name, entry in raw.get(rule["in"], {}).items()
            if where.items() <= entry.items()
            and (effect is None or any(effect.items() <= each.items() for each in entry["effects"]))
        }
        merge(change, {rule["in"]: {name: new for name, new in chosen.items() if new}})
    return {name: entries for name, entries in change.items() if entries}
