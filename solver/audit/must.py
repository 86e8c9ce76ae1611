"""``MUST``: a card without which the result collapses, in the mean over the questions of the suite where it is open.

What is lost is told as a part that is proved: where a search for play without the card was cut short, what it has
excluded is lost for sure. A question that tells it no better than by half is left out.
"""

from __future__ import annotations

from typing import Final

from solver.audit.dead import suite_words
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.parts import Part, mean_of
from solver.audit.restricted import COUNTED, Use, new_cards, restricted_play, under_base
from solver.audit.sides import WITHOUT, compared

COLLAPSE: Final = 0.5
"""Part of the result lost in the mean from which it collapses."""
MORE: Final = 0.25
"""By how much more than under the base."""
SHOWN: Final = 5
"""Cards that the account of the search names."""


def find_must(notebook: Notebook) -> None:
    """Write down the cards that have become indispensable."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    told = {name: uses for name in play.uses if len(uses := play.told(name)) >= COUNTED}
    means = {name: mean_of([use.loss for use in uses]) for name, uses in told.items()}
    needed = sorted(name for name, loss in means.items() if loss.least >= COLLAPSE)
    fresh = new_cards(notebook)
    for name in needed if notebook.base is not None else ():
        pairs = [
            (use, before)
            for use, before in under_base(notebook, name)
            if use.solvable and before.solvable and use.loss.is_told and before.loss.is_told
        ]
        was = mean_of([before.loss for _, before in pairs]) if pairs else None
        more = mean_of([use.loss for use, _ in pairs]).least - was.most if was is not None else 0.0
        # A new card cannot be asked for under the base; any other has to be compared on the same questions.
        if name in fresh or (len(pairs) >= COUNTED and more >= MORE):
            notebook.add(_finding(notebook, name, told[name], means[name], [] if name in fresh else pairs))
    most = sorted((name for name in means if means[name].least > 0), key=lambda name: (-means[name].least, name))
    words = ", ".join(f"{name} {at_least(means[name])}" for name in most[:SHOWN]) or "nothing"
    notebook.searched.append(Searched("MUST", f"{suite_words(play)}; lost without a card: {words}", play.complete))


def at_least(part: Part) -> str:
    """Return a part in words, its lower end where it is not exact."""
    return f"{'' if part.is_exact else 'at least '}{part.least:.0%}"


def at_most(part: Part) -> str:
    """Return a part in words, its upper end where it is not exact."""
    return f"{'' if part.is_exact else 'at most '}{part.most:.0%}"


def under_words(notebook: Notebook, was: str | None, pairs: int, uses: int) -> str:
    """Return what the same part is under the base, in words; the card is new there if that is nothing."""
    if was is None or notebook.base is None:
        return "the card is new"
    return f"under {notebook.base.id} {was}" + ("" if pairs == uses else f", in the {pairs} of them that tell it")


def _finding(notebook: Notebook, name: str, uses: list[Use], mean: Part, pairs: list[tuple[Use, Use]]) -> Finding:
    was = mean_of([before.loss for _, before in pairs]) if pairs else None
    old = under_words(notebook, None if was is None else at_most(was), len(pairs), len(uses))
    return Finding(
        code="MUST",
        subject=name,
        level=Level.WARNING,
        claim=(
            f"without '{name}' {at_least(mean)} of the best result is lost, in the mean of the {len(uses)} questions "
            f"where it is at hand; {old}"
        ),
        place=place_of(notebook.ruleset, [name]),
        shown=compared(notebook, sorted(uses, key=lambda use: -use.loss.least), pairs, WITHOUT),
        measure=round(1000 * mean.least),
        data={
            "card": name,
            "losses": {use.question: use.loss.data for use in uses},
            "mean": mean.data,
            "base_losses": {use.question: before.loss.data for use, before in pairs},
            "base_mean": None if was is None else was.data,
            "method": "exact",
        },
    )
