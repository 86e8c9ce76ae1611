"""``DEAD``: a card that no question of the suite needs, though it is at hand there.

Nothing is lost without it: exact for the suite, no more. A card that the base needed, or that the base does not have,
is worth a warning; what was idle before is only told as searched.
"""

from __future__ import annotations

from typing import Final

from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.questions import RACE
from solver.audit.restricted import RestrictedPlay, changed_cards, new_cards, restricted_play, under_base

OFTEN: Final = 3
"""Questions in which a card must be at hand before it is called useless,"""
OFTEN_NEW: Final = 6
"""and a card that the base does not have, since nothing says that it was of any use before."""


def find_dead(notebook: Notebook) -> None:
    """Write down the cards that have become useless."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    idle = [name for name, uses in sorted(play.uses.items()) if len(uses) >= OFTEN and play.is_idle(name)]
    fresh = new_cards(notebook)
    changed = set(changed_cards(notebook.ruleset, notebook.base))
    for name in sorted(idle, key=lambda name: name not in changed):
        if name in fresh and len(play.uses[name]) < OFTEN_NEW:
            continue
        once = max((before.loss for _, before in under_base(notebook, name) if not before.filler), default=0.0)
        if once > 0 or name in fresh:
            notebook.add(_finding(notebook, play, name, once))
    told = f"{suite_words(play)}; never needed: {', '.join(idle) or 'none'}"
    notebook.searched.append(Searched("DEAD", told, play.complete))


def suite_words(play: RestrictedPlay) -> str:
    """Return what the suite was."""
    if not play.asked:
        return "no puzzle of the library fits, and no short race is known"
    races = sum(RACE in name for name in play.asked)
    what = f"{len(play.asked) - races} puzzles and {races} short races"
    return f"{play.settled} of {what} solved exactly, and again without each card"


def _finding(notebook: Notebook, play: RestrictedPlay, name: str, once: float) -> Finding:
    uses = play.uses[name]
    was = f"under {notebook.base.id} up to {once:.0%} was lost" if once and notebook.base else "the card is new"
    return Finding(
        code="DEAD",
        subject=name,
        level=Level.WARNING,
        claim=(
            f"'{name}' is never needed: without it nothing is lost in any of {len(uses)} questions where it is at "
            f"hand; {was}"
        ),
        place=place_of(notebook.ruleset, [name]),
        measure=len(uses),
        data={"questions": [use.question for use in uses], "base_loss": round(once, 4), "method": "exact"},
    )
