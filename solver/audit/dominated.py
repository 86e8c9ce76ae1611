"""``DOMINATED``: a changed card that another changed card beats in every hand of the suite, or that beats one so.

New and changed cards are put into the same hands of the same puzzles, so that their worths can be compared one by one.
A card that is never better and somewhere worse is dominated there; under the base it was not, or was not there.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, Final

from solver.audit.dead import suite_words
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.restricted import RestrictedPlay, changed_cards, held_before, known_to, restricted_play

COMPARED: Final = 4
"""Hands in which two cards must have been compared,"""
BETTER: Final = 3
"""and in which the better one must have been better: luck that favours either would do that once in eight times."""


def find_dominated(notebook: Notebook) -> None:
    """Write down pairs of cards of which one has become pointless beside the other."""
    play = restricted_play(notebook, notebook.budget.part(0.7))
    changed = changed_cards(notebook.ruleset, notebook.base)
    pairs = [pair for pair in permutations(changed, 2) if _same_kind(notebook, *pair) and dominates(play, *pair)]
    for better, worse in pairs:
        known = known_to(notebook.base, [better, worse]) if notebook.base is not None else []
        if len(known) > 1 and dominates(held_before(notebook, known), better, worse):
            continue
        hands = sorted(question for card, question in play.held if card == worse and (better, question) in play.held)
        notebook.add(
            Finding(
                code="DOMINATED",
                subject=f"{worse} by {better}",
                level=Level.WARNING,
                claim=(
                    f"in {len(hands)} hands '{worse}' is never better than '{better}' in its place, and somewhere worse"
                ),
                place=place_of(notebook.ruleset, [worse]),
                data={"hands": hands, "method": "exact"},
            )
        )
    what = f"{suite_words(play)}; {len(changed)} new or changed cards compared in the same hands"
    notebook.searched.append(Searched("DOMINATED", what, play.complete))


def dominates(play: RestrictedPlay, better: str, worse: str) -> bool:
    """Return whether one card is as good as another one in every hand that both were put into, and better in some.

    One hand would not do: a reshuffle goes by the names of the cards, so that equal cards may differ by its luck. Hands
    in which neither is needed say nothing.
    """
    hands = {question for card, question in play.held if card == worse and (better, question) in play.held}
    gaps = [play.advantage(better, worse, question) for question in sorted(hands)]
    return len(gaps) >= COMPARED and min(gaps) >= 0 and sum(gap > 0 for gap in gaps) >= BETTER


def _same_kind(notebook: Notebook, one: str, other: str) -> bool:
    """Return whether two entries stand in the same collection and say the same of their type, where they say one."""
    for table in notebook.ruleset.definition.collections:
        entries: Any = notebook.ruleset.raw.get(table, {})
        if one in entries and other in entries:
            return bool(entries[one].get("type") == entries[other].get("type"))
    return False
