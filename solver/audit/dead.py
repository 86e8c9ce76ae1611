"""``DEAD``: a card that no question of the suite needs, though it is at hand there.

Nothing is lost without it: exact for the suite, no more. A card that the base needed, or that the base does not have,
is worth a warning; what was idle before is only told as searched.
"""

from __future__ import annotations

from typing import Final

from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.questions import RACE
from solver.audit.restricted import RestrictedPlay, Use, changed_cards, new_cards, restricted_play, under_base
from solver.audit.sides import WITHOUT, compared

OFTEN: Final = 3
"""Questions in which a card must be at hand before it is called useless,"""
OFTEN_NEW: Final = 6
"""and a card that the base does not have, since nothing says that it was of any use before."""


def find_dead(notebook: Notebook) -> None:
    """Write down the cards that have become useless."""
    play = restricted_play(notebook, notebook.budget.share(0.7))
    idle = {name: uses for name in sorted(play.uses) if len(uses := play.idle(name)) >= OFTEN}
    fresh = new_cards(notebook)
    changed = set(changed_cards(notebook.ruleset, notebook.base))
    for name in sorted(idle, key=lambda name: name not in changed):
        if name in fresh and len(idle[name]) < OFTEN_NEW:
            continue
        asked = {use.question for use in idle[name]}
        before = under_base(notebook, name)
        pairs = [(use, then) for use, then in before if use.question in asked and not then.filler]
        if name in fresh or any(then.loss.least > 0 for _, then in pairs):
            notebook.add(_finding(notebook, name, idle[name], pairs))
    told = f"{suite_words(play)}; never needed: {', '.join(idle) or 'none'}"
    notebook.searched.append(Searched("DEAD", told, play.complete))


def suite_words(play: RestrictedPlay) -> str:
    """Return what the suite was."""
    if not play.asked:
        return "no puzzle of the library fits, and no short race is known"
    races = sum(RACE in name for name in play.asked)
    puzzles = len(play.asked) - races
    kinds = [f"{many} {what}" for many, what in ((puzzles, "puzzles"), (races, "short races")) if many]
    return f"{play.settled} of {' and '.join(kinds)} solved exactly, and again without each card"


def _finding(notebook: Notebook, name: str, uses: list[Use], pairs: list[tuple[Use, Use]]) -> Finding:
    once = {use.question: then.loss for use, then in pairs if then.loss.least > 0}
    most = max((loss.least for loss in once.values()), default=0.0)
    base = notebook.base.id if notebook.base is not None else ""
    was = f"under {base} {len(once)} of them lose up to {most:.0%} without it" if once else "the card is new"
    return Finding(
        code="DEAD",
        subject=name,
        level=Level.WARNING,
        claim=(
            f"'{name}' is never needed: nothing is lost without it in any of the {len(uses)} questions where it is at "
            f"hand; {was}"
        ),
        place=place_of(notebook.ruleset, [name]),
        shown=compared(
            notebook,
            sorted(uses, key=lambda use: -once[use.question].least if use.question in once else 0),
            [(use, then) for use, then in pairs if use.question in once],
            WITHOUT,
        ),
        measure=len(uses),
        data={
            "card": name,
            "questions": [use.question for use in uses],
            "base_losses": {question: loss.data for question, loss in once.items()},
            "method": "exact",
        },
    )
