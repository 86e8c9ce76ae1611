"""``SPAM``: a card that alone, no other being played, gets nearly as far as all of them.

A line of such play is enough to show it, whether or not the search for a better one was cut short; what is told is what
the lines reach. A question whose line tells it no better than by half is left out.
"""

from __future__ import annotations

from typing import Final

from solver.audit.dead import suite_words
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.must import at_least, at_most, under_words
from solver.audit.parts import Part, mean_of
from solver.audit.restricted import COUNTED, RestrictedPlay, Use, new_cards, restricted_play, under_base
from solver.audit.sides import ALONE, compared

NEARLY: Final = 0.9
"""Part of the free result that counts as nearly as far."""
MORE: Final = 0.1
"""By how much more than under the base."""


def find_spam(notebook: Notebook) -> None:
    """Write down the cards that have become enough by themselves."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    told = {name: uses for name in play.uses if len(uses := told_alone(play, name)) >= COUNTED}
    means = {name: _mean(uses) for name, uses in told.items()}
    enough = sorted(name for name, part in means.items() if part.least >= NEARLY)
    fresh = new_cards(notebook)
    for name in enough if notebook.base is not None else ():
        known = [] if name in fresh else under_base(notebook, name, alone=True)
        pairs = [(use, before) for use, before in known if _is_told(use) and _is_told(before)]
        more = _mean([use for use, _ in pairs]).least - _mean([before for _, before in pairs]).most if pairs else 0.0
        if name in fresh or (len(pairs) >= COUNTED and more >= MORE):
            notebook.add(_finding(notebook, name, told[name], pairs))
    words = ", ".join(f"{name} {at_least(means[name])}" for name in enough) or "none"
    notebook.searched.append(Searched("SPAM", f"{suite_words(play)}; enough by itself: {words}", play.complete))


def told_alone(play: RestrictedPlay, name: str) -> list[Use]:
    """Return the questions that tell how far one gets with one card and no other."""
    return [use for use in play.uses.get(name, ()) if _is_told(use)]


def _is_told(use: Use) -> bool:
    return use.solvable and use.alone is not None and use.alone.is_told


def _mean(uses: list[Use]) -> Part:
    return mean_of([use.alone for use in uses if use.alone is not None])


def _finding(notebook: Notebook, name: str, uses: list[Use], pairs: list[tuple[Use, Use]]) -> Finding:
    mean = _mean(uses)
    was = _mean([before for _, before in pairs]) if pairs else None
    old = under_words(notebook, None if was is None else at_most(was), len(pairs), len(uses))
    return Finding(
        code="SPAM",
        subject=name,
        level=Level.WARNING,
        claim=(
            f"'{name}' and no other card reaches {at_least(mean)} of the best result, in the mean of the {len(uses)} "
            f"questions that tell it; {old}"
        ),
        place=place_of(notebook.ruleset, [name]),
        shown=compared(notebook, sorted(uses, key=_reached, reverse=True), pairs, ALONE),
        measure=round(1000 * mean.least),
        data={
            "card": name,
            "parts": {use.question: use.alone.data for use in uses if use.alone is not None},
            "mean": mean.data,
            "base_parts": {use.question: before.alone.data for use, before in pairs if before.alone is not None},
            "base_mean": None if was is None else was.data,
            "method": "exact",
        },
    )


def _reached(use: Use) -> float:
    return use.alone.least if use.alone is not None else 0.0
