"""``DEAD``: a card that no question of the suite needs, though it can be used there.

Nothing is lost without it: exact for the suite, no more. A card that the base needed, or that the base does not have,
is worth a warning; what was idle before is only told as searched.
"""

from __future__ import annotations

from typing import Final

from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.restricted import RestrictedPlay, new_cards, restricted_play, under_base

OFTEN: Final = 3
"""Questions in which a card must be open before it is called useless."""


def find_dead(notebook: Notebook) -> None:
    """Write down the cards that have become useless."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    idle = [name for name, uses in sorted(play.uses.items()) if len(uses) >= OFTEN and not any(play.losses(name))]
    fresh = new_cards(notebook)
    for name in idle:
        once = max((before.loss for _, before in under_base(notebook, name)), default=0.0)
        if once > 0 or name in fresh:
            notebook.add(_finding(notebook, play, name, once))
    told = f"{suite_words(play)}; never needed: {', '.join(idle) or 'none'}"
    notebook.searched.append(Searched("DEAD", told, play.complete))


def suite_words(play: RestrictedPlay) -> str:
    """Return what the suite was."""
    if not play.questions:
        return "no puzzle of the library fits"
    return f"{play.settled} of {play.questions} puzzles of the suite solved exactly, and again without each card"


def _finding(notebook: Notebook, play: RestrictedPlay, name: str, once: float) -> Finding:
    uses = play.uses[name]
    was = f"under {notebook.base.id} up to {once:.0%} was lost" if once and notebook.base else "the card is new"
    return Finding(
        code="DEAD",
        subject=name,
        level=Level.WARNING,
        claim=(
            f"'{name}' is never needed: without it nothing is lost in any of {len(uses)} puzzles where it is open; "
            f"{was}"
        ),
        place=place_of(notebook.ruleset, [name]),
        measure=len(uses),
        data={"questions": [use.question for use in uses], "base_loss": round(once, 4), "method": "exact"},
    )
