"""The answers that a comparison rests on, side by side, so that every line of them can be played again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from puzzles.goal import Goal, Objective
from solver.audit.finding import Notebook, Shown, Witness
from solver.audit.restricted import Restricted, RestrictedPlay, Use, moved
from solver.audit.suite import Answer, Asked
from solver.checker.certificate import goal_data
from solver.screens.common import count

FREE, WITHOUT, ALONE, TEXT = "free", "without", "alone", "text"
"""Everything allowed; without the card; with no other card; with the text of another card."""
BASE = "base "
"""What stands before the same under the base."""
LABELS: Final = {FREE: "best", WITHOUT: "without it", ALONE: "it alone", TEXT: "other text"}


def label(shown: Shown) -> str:
    """Return what people read beside an answer."""
    return f"{BASE if shown.side.startswith(BASE) else ''}{LABELS[shown.side.removeprefix(BASE)]}"


def worth(shown: Shown) -> str:
    """Return what an answer is worth, and how sure that is, in words without a full stop."""
    goal, value, bound = shown.goal, shown.value, shown.bound
    fewest = goal.objective is Objective.MIN_TURNS
    if shown.impossible:
        return "proved to have no line"
    excluded = "" if bound is None else f"{'fewer than' if fewest else 'more than'} {_amount(shown, bound)} excluded"
    if value is None:
        return f"no line found, {excluded or 'nothing excluded'}"
    return f"{_amount(shown, value)}, {'proved' if value == bound else excluded or 'found'}"


def _amount(shown: Shown, value: int) -> str:
    if shown.goal.objective is Objective.MIN_TURNS:
        return count(value, "turn" if shown.goal.clock is None else "round")
    return f"{getattr(shown.witness.position.game, 'unit', '')} {value}".strip()


def asked_as_json(goal: Goal) -> dict[str, Any]:
    """Return a goal as JSON, so that a line can be valued without the puzzle's file."""
    return {**goal_data(goal), "challenge": goal.challenge, "terms": dict(goal.terms)}


def side(asked: Asked, name: str, answer: Answer, forbidden: frozenset[str] = frozenset()) -> Shown:
    """Return one answer to a question, some moves forbidden besides those of its goal."""
    goal = replace(asked.goal, forbidden=asked.goal.forbidden | forbidden)
    line = answer.witness.steps if answer.witness is not None else ()
    return Shown(
        asked.id, name, Witness(asked.position, line), goal, answer.value, answer.bound, impossible=answer.impossible
    )


def compared(
    notebook: Notebook, uses: Iterable[Use], pairs: Sequence[tuple[Use, Use]], which: str
) -> tuple[Shown, ...]:
    """Return what questions are worth, and what they are worth ``without`` a card or with it ``alone``.

    Where ``pairs`` have what the card is under the base, the same follows under the base.
    """
    play = notebook.results.get(RestrictedPlay)
    assert play is not None
    before = {use.question: then for use, then in pairs}
    found: list[Shown] = []
    for use in uses:
        asked = play.asked[use.question]
        found += _sides(asked, use, which)
        if use.question in before and notebook.base is not None:
            then = moved(asked, notebook.base)
            found += _sides(then, before[use.question], which, BASE) if then is not None else ()
    return tuple(found)


def _sides(asked: Asked, use: Use, which: str, prefix: str = "") -> Iterator[Shown]:
    restricted: Restricted | None = use.without if which == WITHOUT else use.only
    if use.free is not None and restricted is not None:
        yield side(asked, f"{prefix}{FREE}", use.free)
        yield side(asked, f"{prefix}{which}", restricted.answer, restricted.forbidden)
