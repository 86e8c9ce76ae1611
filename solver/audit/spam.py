"""``SPAM``: a card that alone, no other being played, gets nearly as far as all of them."""

from __future__ import annotations

from statistics import fmean
from typing import Final

from solver.audit.dead import suite_words
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.restricted import COUNTED, RestrictedPlay, new_cards, restricted_play, under_base

NEARLY: Final = 0.9
"""Part of the free result that counts as nearly as far."""
MORE: Final = 0.1
"""By how much more than under the base."""


def find_spam(notebook: Notebook) -> None:
    """Write down the cards that have become enough by themselves."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    alone = {name: part for name in play.uses if (part := alone_with(play, name)) is not None}
    enough = sorted(name for name, part in alone.items() if part >= NEARLY)
    fresh = new_cards(notebook)
    for name in enough if notebook.base is not None else ():
        # A card that no best line plays under the base does nothing alone there; what was not settled says nothing.
        pairs = [
            (use.alone, before.alone or 0.0)
            for use, before in under_base(notebook, name)
            if use.alone is not None and (before.alone is not None or before.loss == 0)
        ]
        parts = [before for _, before in pairs]
        more = fmean(now for now, _ in pairs) - fmean(parts) if pairs else 0.0
        if name not in fresh and (len(pairs) < COUNTED or more < MORE):
            continue
        old = "; the card is new" if name in fresh else f"; it was {fmean(parts):.0%}"
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
