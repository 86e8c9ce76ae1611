"""``MUST``: a card without which the result collapses, in the mean over the questions of the suite where it is open."""

from __future__ import annotations

from statistics import fmean
from typing import Final

from solver.audit.dead import suite_words
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.restricted import COUNTED, base_play, restricted_play

COLLAPSE: Final = 0.5
"""Part of the result lost in the mean from which it collapses."""
MORE: Final = 0.25
"""By how much more than under the base."""
SHOWN: Final = 5
"""Cards that the account of the search names."""


def find_must(notebook: Notebook) -> None:
    """Write down the cards that have become indispensable."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    means = {name: fmean(play.losses(name)) for name, uses in play.uses.items() if len(uses) >= COUNTED}
    needed = sorted(name for name, loss in means.items() if loss >= COLLAPSE)
    before = base_play(notebook, notebook.budget) if needed else None
    for name in needed if before is not None else ():
        old = before.losses(name) if before is not None else []
        was = fmean(old) if old else 0.0
        if means[name] - was < MORE:
            continue
        notebook.add(
            Finding(
                code="MUST",
                subject=name,
                level=Level.WARNING,
                claim=(
                    f"without '{name}' {means[name]:.0%} of the result is lost in the mean of {len(play.uses[name])} "
                    f"puzzles where it is open; it was {was:.0%}"
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
