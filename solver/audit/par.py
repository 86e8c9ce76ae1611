"""``PAR``: questions whose best value is another one under the ruleset: puzzles of the library, else dealt openings.

What is compared with is known: a puzzle's value is proved, and where no puzzle is of an edition or variant that the
ruleset changes, small questions about dealt openings are answered under the edition first. A value has changed where
the new one is proved, where a line is better than what was proved to be best, or where that is excluded now.

A puzzle that the ruleset itself sets a target for is judged there: the change of its value is meant, and only noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from puzzles.goal import Goal, Objective
from solver.audit.finding import Finding, Level, Notebook, Searched, Shown, place_of
from solver.audit.openings import openings
from solver.audit.restricted import BASE, FREE, asked_as_json, changed_cards, known_to, side
from solver.audit.suite import Answer, AuditQuestion, edition_of, excludes, library_suite, solved
from solver.audit.targets import PUZZLE

SEARCH_S: Final = (0.5, 4.0, 16.0)
"""Seconds of search on a question at most: first on each, then again on those that are not settled by then."""
DEALT: Final = 8.0, 15_000
"""Seconds and positions in which a question about an opening has to be settled under the edition."""


def find_par(notebook: Notebook) -> None:
    """Write down every question whose value is proved to have changed."""
    ruleset, budget = notebook.ruleset, notebook.budget
    fitting = library_suite(ruleset)
    # Small positions are soon settled, so that the first finding does not wait for the others.
    known = sorted(
        (each for each in fitting if each.is_stated and each.fingerprint != ruleset.fingerprint),
        key=lambda each: (len(each.position.code), each.id),
    )
    left: Iterable[AuditQuestion] = known if fitting else _dealt(notebook)
    asked = settled = 0
    for seconds in SEARCH_S:
        still: list[AuditQuestion] = []
        for each in left:
            answer = None if budget.is_over else solved(each, budget.within(seconds))
            finding = None if answer is None else _changed(notebook, each, answer, library=bool(fitting))
            if finding is not None:
                notebook.add(finding)
            if finding is None and not (answer is not None and answer.proved):
                still.append(each)
            else:
                settled += 1
        asked = asked or settled + len(still)
        left = still
    what = "puzzles of the library that fit" if fitting else "questions about dealt openings (no puzzle fits)"
    told = f"{settled} of {asked} {what} settled, {SEARCH_S[-1]:.0f} s each at most"
    if not asked and not budget.is_over:
        told = "no puzzle of the library is of an edition or variant that this ruleset changes"
    notebook.searched.append(Searched("PAR", told, complete=not budget.is_over))


def _dealt(notebook: Notebook) -> Iterator[AuditQuestion]:
    """Yield questions about dealt openings that are settled under the edition, with what they are worth there."""
    ruleset, budget = notebook.ruleset, notebook.budget
    edition = edition_of(ruleset)
    if edition.fingerprint == ruleset.fingerprint:
        return
    for before, now in openings(ruleset, known_to(edition, changed_cards(ruleset, edition))):
        if not budget.is_over:
            known = solved(before, budget.within(*DEALT))
            if known.proved and known.value is not None:
                yield replace(now, stated=known.value, old=known.witness)


def _changed(notebook: Notebook, asked: AuditQuestion, answer: Answer, *, library: bool) -> Finding | None:
    """Return the finding where the value is proved to be another one.

    A better line alone is enough for that, and so is a bound that excludes what was best.
    """
    most = asked.goal.objective is not Objective.MIN_TURNS
    stated, value = asked.stated, answer.value
    if stated is None:
        better = value is not None
    else:
        better = value is not None and (value > stated if most else value < stated)
    worse = excludes(asked, answer)
    if not better and not (worse and not answer.proved) and (not answer.proved or value == stated):
        return None
    shown = value if better or answer.proved else answer.bound
    line = answer.witness if better or answer.proved else None
    was, now = ("impossible" if each is None else str(each) for each in (stated, shown))
    sure = "" if answer.proved else " or better" if better else " or worse"
    meant = any(each["metric"] == f"{PUZZLE}{asked.id}" for each in notebook.ruleset.raw.get("assert", ()))
    remark = "; the ruleset sets a target for it, so that the change is meant" if meant else ""
    name = f"the puzzle '{asked.id}'" if library else f"{_words(asked.goal)} from {_opening(asked.id)}"
    return Finding(
        code="PAR",
        subject=asked.id,
        level=Level.WARNING if library and not meant else Level.NOTE,
        claim=f"the best value of {name} was {was} and is {now}{sure}{remark}",
        place=place_of(notebook.ruleset, ()),
        witness=line,
        shown=() if line is not None else _excluded(asked, answer),
        measure=None if shown is None or stated is None else abs(shown - stated),
        data={
            "was": stated,
            "is": shown,
            "proved": answer.proved,
            "excluded": worse,
            "goal": asked_as_json(asked.goal),
        },
    )


def _excluded(asked: AuditQuestion, answer: Answer) -> tuple[Shown, ...]:
    """Return the line that was best, and what is left where as good a line is excluded: no line can show that."""
    if asked.old is None:
        return ()
    before = replace(asked, position=asked.old.position)
    best = Answer(asked.stated, asked.stated, impossible=False, witness=asked.old)
    return side(before, f"{BASE}{FREE}", best), side(asked, FREE, answer)


def _words(goal: Goal) -> str:
    return f"{goal.within_turns} turns"


def _opening(name: str) -> str:
    card, _, deal = name.rpartition("@")
    return f"{deal.replace('-', ' ')}, {card} in the hand" if card else deal.replace("-", " ")
