"""``SPAM``: a card that alone, no other being played, gets nearly as far as all of them."""

from __future__ import annotations

from statistics import fmean
from typing import Final

from solver.audit.dead import suite_words
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.restricted import COUNTED, RestrictedPlay, base_play, restricted_play

NEARLY: Final = 0.9
"""Part of the free result that counts as nearly as far."""
MORE: Final = 0.1
"""By how much more than under the base."""


def find_spam(notebook: Notebook) -> None:
    """Write down the cards that have become enough by themselves."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    alone = {name: part for name in play.uses if (part := alone_with(play, name)) is not None}
    enough = sorted(name for name, part in alone.items() if part >= NEARLY)
    before = base_play(notebook, notebook.budget) if enough else None
    for name in enough if before is not None else ():
        was = alone_with(before, name) if before is not None else None
        if was is not None and alone[name] - was < MORE:
            continue
        old = "" if was is None else f"; it was {was:.0%}"
        notebook.add(
            Finding(
                code="SPAM",
                subject=name,
                level=Level.WARNING,
                claim=f"'{name}' and no other card reaches {alone[name]:.0%} of the best result, in the mean{old}",
                place=place_of(notebook.ruleset, [name]),
                measure=round(1000 * alone[name]),
                data={
                    "parts": {use.question: use.alone for use in play.uses[name] if use.alone is not None},
                    "method": "exact",
                },
            )
        )
    told = ", ".join(f"{name} {alone[name]:.0%}" for name in enough) or "none"
    notebook.searched.append(Searched("SPAM", f"{suite_words(play)}; enough by itself: {told}", play.complete))


def alone_with(play: RestrictedPlay, name: str) -> float | None:
    """Return which part of the best one card reaches alone, in the mean; nothing for too few questions."""
    parts = [use.alone for use in play.uses.get(name, ()) if use.alone is not None]
    return fmean(parts) if len(parts) >= COUNTED else None
