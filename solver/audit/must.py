"""``MUST``: a card without which the result collapses, in the mean over the questions of the suite where it is open."""

from __future__ import annotations

from statistics import fmean
from typing import Final

from solver.audit.dead import suite_words
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.restricted import COUNTED, new_cards, restricted_play, under_base

COLLAPSE: Final = 0.5
"""Part of the result lost in the mean from which it collapses."""
MORE: Final = 0.25
"""By how much more than under the base."""
SHOWN: Final = 5
"""Cards that the account of the search names."""


def find_must(notebook: Notebook) -> None:
    """Write down the cards that have become indispensable."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    means = {name: fmean(losses) for name in play.uses if len(losses := play.losses(name)) >= COUNTED}
    needed = sorted(name for name, loss in means.items() if loss >= COLLAPSE)
    fresh = new_cards(notebook)
    for name in needed if notebook.base is not None else ():
        pairs = [(use, before) for use, before in under_base(notebook, name) if use.solvable and before.solvable]
        was = fmean(before.loss for _, before in pairs) if pairs else 0.0
        more = fmean(use.loss - before.loss for use, before in pairs) if pairs else 0.0
        # A new card cannot be asked for under the base; any other has to be compared on the same questions.
        if name not in fresh and (len(pairs) < COUNTED or more < MORE):
            continue
        old = "the card is new" if name in fresh else f"it was {was:.0%} in {len(pairs)} of them"
        notebook.add(
            Finding(
                code="MUST",
                subject=name,
                level=Level.WARNING,
                claim=(
                    f"without '{name}' {means[name]:.0%} of the result is lost in the mean of "
                    f"{len(play.losses(name))} questions where it is at hand; {old}"
                ),
                place=place_of(notebook.ruleset, [name]),
                measure=round(1000 * means[name]),
                data={
                    "losses": {use.question: round(use.loss, 4) for use in play.uses[name]},
                    "base_mean": round(was, 4),
                    "method": "exact",
                },
            )
        )
    most = sorted(means, key=lambda name: (-means[name], name))[:SHOWN]
    told = ", ".join(f"{name} {means[name]:.0%}" for name in most) or "none"
    notebook.searched.append(Searched("MUST", f"{suite_words(play)}; lost in the mean: {told}", play.complete))
