"""``PAR``: puzzles of the library whose best value is another one under the ruleset."""

from __future__ import annotations

from typing import Any, Final

from puzzles.goal import Goal, Objective
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.suite import Answer, Asked, library_suite, solved
from solver.checker.certificate import goal_data

SEARCH_S: Final = 4.0
"""Seconds of search on a puzzle at most."""


def find_par(notebook: Notebook) -> None:
    """Write down every puzzle of the suite whose value is proved to have changed."""
    ruleset, budget = notebook.ruleset, notebook.budget
    suite = [
        each for each in library_suite(ruleset) if each.stated is not None and each.fingerprint != ruleset.fingerprint
    ]
    settled, complete = 0, True
    for asked in suite:
        if budget.is_over:
            complete = False
            break
        answer = solved(asked, budget.limit(SEARCH_S))
        finding = _changed(notebook, asked, answer)
        if finding is not None:
            notebook.add(finding)
        settled += answer.proved or finding is not None
    what = f"{settled} of {len(suite)} puzzles of the library that fit settled, {SEARCH_S:.0f} s each"
    if not suite:
        what = "no puzzle of the library is of an edition or variant that this ruleset changes"
    notebook.searched.append(Searched("PAR", what, complete))


def _changed(notebook: Notebook, asked: Asked, answer: Answer) -> Finding | None:
    """Return the finding where the value is proved to be another one: a better line alone is enough for that."""
    most = asked.goal.objective is not Objective.MIN_TURNS
    stated, value = asked.stated, answer.value
    assert stated is not None
    better = value is not None and (value > stated if most else value < stated)
    if not better and (not answer.proved or value == stated):
        return None
    now = "impossible" if value is None else str(value)
    sure = "" if answer.proved else " or better"
    return Finding(
        code="PAR",
        subject=asked.id,
        level=Level.WARNING,
        claim=f"the best value of the puzzle '{asked.id}' was {stated} and is {now}{sure}",
        place=place_of(notebook.ruleset, ()),
        witness=answer.witness,
        measure=None if value is None else abs(value - stated),
        data={"was": stated, "is": value, "proved": answer.proved, "goal": asked_as_json(asked.goal)},
    )


def asked_as_json(goal: Goal) -> dict[str, Any]:
    """Return a goal as JSON, so that a line can be valued without the puzzle's file."""
    terms = {"challenge": goal.challenge, "terms": dict(goal.terms)}
    return {**goal_data(goal), **terms}
