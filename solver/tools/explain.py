"""Why something is impossible: a smallest set of rules that make it so with all others loosened, by exact search.

The set is found by deletion (a minimal unsatisfiable subset, Bailey and Stuckey 2005). Rules are loosened one after
another for good, as long as exhausted search still proves that the question has no answer. Then each single member of
the rest is loosened once more, since a loosened rule need not help in every combination. So nothing rests on the
assumption that loosening makes things only easier, nor on a solver's core.

A game lists the rules that can be loosened in a file ``relaxations.toml``. Each entry has ``holds``, the rule as a
cause to follow "because", and ``rules``, its numbers in the rulebook. Two keys say what changes in a ruleset then:

- ``set`` is laid over the ruleset like a variant.
- Each entry of ``each`` is laid over entries of the collection ``in`` that have every value of ``where``. With
  ``effect`` they also have an effect with every value of that.

A key that an edition does not have stays away from it. Options are the exception: every edition has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, ContentError, DisagreementError
from rules.core.files import data_file
from rules.core.position import Position
from rules.core.ruleset import extended, merge
from solver.engines.open_question import searchable, solve
from solver.lines import replayed_value
from solver.question import Answer, Status, TurnLine
from solver.search.budget import Budget

SLICES: Final = 12
"""Parts of the time that one search may take at most."""


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


@dataclass(frozen=True, slots=True)
class Explanation:
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
    """Exhausted searches behind it."""


def improvement_question(goal: Goal, report: Answer[int]) -> Goal | None:
    """Return the question whose impossibility an answer proved, or nothing where it proved none."""
    if report.status is Status.INFEASIBLE:
        return goal
    if report.status is not Status.OPTIMAL or not report.value:
        return None
    if goal.objective is Objective.MAX_DISTANCE:
        return replace(goal, objective=Objective.REACH, target=report.value + 1)
    if goal.objective is not Objective.MIN_TURNS:
        return None
    fewer = report.value - 1
    while fewer and goal.counted(fewer) == goal.counted(report.value):
        fewer -= 1
    return replace(goal, within_turns=fewer)


def explain(
    position: Position, goal: Goal, limit: Budget | None = None, note: Callable[[str], None] | None = None
) -> Explanation:
    """Return why a question that is proved to have no answer has none.

    ``note`` hears each step; a limit holds for all searches together.

    Raises:
        UnsupportedRuleset: the search does not carry the question.
        KeyboardInterrupt: the user stopped it.
    """
    return _Search(position, goal, limit or Budget(), note).explanation()


class _Search:
    """One question, asked with one set of rules loosened after the other."""

    def __init__(self, position: Position, goal: Goal, limit: Budget, note: Callable[[str], None] | None) -> None:
        self._position, self._goal, self._note = position, goal, note
        self._budget = limit.start()
        # One question made too large by what is loosened must not take the time of all the others.
        self._slice_s = None if limit.time_s is None else limit.time_s / SLICES
        self._answers: dict[frozenset[str], bool | None] = {}
        self._lines: list[tuple[TurnLine, ...]] = []
        """Lines found under some loosened rules, to be tried under others before they are searched."""

    def explanation(self) -> Explanation:
        candidates = relaxations(self._position)
        candidates += [
            Cause(f"without {words}", f"'{words}' is not allowed", words=words)
            for words in sorted(self._goal.forbidden)
        ]
        # What the position cannot be asked with, or what is loose in it already, explains nothing.
        candidates = [cause for cause in candidates if self._loosened([cause]) is not None]
        enough = tuple(cause for cause in candidates if self._answer([cause]))
        causes = self._kept(candidates)
        minimal = all(self._answer([*_without(candidates, causes), cause]) for cause in causes)
        return Explanation(self._goal, tuple(causes), enough, tuple(candidates), minimal, len(self._answers))

    def _kept(self, candidates: Sequence[Cause]) -> list[Cause]:
        """Return what is left after loosening whatever can be loosened without making the question possible."""
        if self._answer(candidates) is False:
            return []
        kept = list(candidates)
        changed = True
        while changed:
            changed = False
            for cause in tuple(kept):
                rest = _without(kept, [cause])
                if self._answer(_without(candidates, rest)) is False:
                    kept, changed = rest, True
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
        words = {cause.words for cause in loose if cause.words}
        goal = replace(self._goal, forbidden=self._goal.forbidden - words)
        position = relaxed(self._position, loose)
        return None if position is None else (position, goal)


def _holds(position: Position, goal: Goal, line: tuple[TurnLine, ...]) -> bool:
    """Return whether a line of other rules is one here and does what is asked."""
    try:
        value = replayed_value(searchable(position), position.start()[1], line, goal)
    except (BestlineError, DisagreementError):
        return False
    if goal.objective is Objective.REACH:
        return bool(value)
    return goal.within_turns is None or len(line) <= goal.within_turns


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
    options = {name: value for name, value in position.setting.options.items() if name not in decided}
    return replace(position, setting=replace(position.setting, options=options)).under(ruleset)


def _change(raw: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a variant that a relaxation comes to in one ruleset."""
    change: dict[str, Any] = {}
    known = {
        name: {key: value for key, value in entries.items() if name == "options" or key in raw.get(name, {})}
        for name, entries in table.get("set", {}).items()
    }
    merge(change, {name: entries for name, entries in known.items() if entries})
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
