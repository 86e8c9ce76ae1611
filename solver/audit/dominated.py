"""``DOMINATED``: a changed card whose place another changed card takes at no loss in any hand, and at a gain in some.

Cards of one kind are compared by their *texts under one name*: the worse card is put into hands of short races and of
puzzles, which are then asked again under a ruleset in which that card says what the better one says. Nothing else
differs, so that both have the same luck: reshuffles go by the names of cards, and two equal cards would differ by
them. Under the base the better text did not dominate, or one of the cards was not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.errors import ContentError
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended
from rules.core.tools.relaxation import under
from solver.audit.finding import Finding, Level, Notebook, Searched, Shown, place_of
from solver.audit.questions import HELD, hands_with
from solver.audit.restricted import SEARCHES, RestrictedPlay, Suite, base_suite, changed_cards, known_to, moved
from solver.audit.sides import FREE, TEXT, side
from solver.audit.suite import Answer, Asked

HANDS: Final = 8
"""Hands of short races, and as many of puzzles, in which two texts are compared."""
COMPARED: Final = 4
"""Hands in which two texts must have been compared,"""
BETTER: Final = 3
"""and in which the better one must have been better: luck that favours either would do that once in eight times."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts under one name in one hand."""

    own: Asked
    """The question with the card's own text,"""
    other: Asked
    """and with the other card's."""
    before: Answer
    after: Answer

    @property
    def gain(self) -> int:
        """Return by how much the other text is better; both values are proved."""
        assert self.before.value is not None
        assert self.after.value is not None
        sign = -1 if self.own.goal.objective is Objective.MIN_TURNS else 1
        return sign * (self.after.value - self.before.value)


def find_dominated(notebook: Notebook) -> None:
    """Write down pairs of cards of which one has become pointless beside the other."""
    ruleset, base = notebook.ruleset, notebook.base
    changed = changed_cards(ruleset, base)
    play = notebook.results.get(RestrictedPlay)
    suite = (play and play.suite) or Suite(ruleset, notebook.budget)
    suite.budget = notebook.budget
    compared = settled = 0
    for better, worse in permutations(changed[:HELD], 2):
        if not _same_kind(ruleset, better, worse):
            continue
        asked = hands_with(ruleset, worse, changed, notebook.seed, HANDS)
        hands = list(_compared(suite, asked, better, worse))
        compared, settled = compared + 1, settled + len(hands)
        if dominates([each.gain for each in hands]) and not _under_base(notebook, asked, better, worse):
            notebook.add(_finding(notebook, hands, better, worse))
    what = f"{compared} pairs of new or changed cards of one kind, their texts under one name in {settled} hands in all"
    none = "no two new or changed cards are of one kind"
    notebook.searched.append(Searched("DOMINATED", what if compared else none, not notebook.budget.is_over))


def _under_base(notebook: Notebook, asked: Sequence[Asked], better: str, worse: str) -> bool:
    """Return whether the base has both cards, and one makes the other pointless there too."""
    base = notebook.base
    if base is None or len(known_to(base, [better, worse])) < 2:
        return False
    then = [now for each in asked if (now := moved(each, base)) is not None]
    return dominates([each.gain for each in _compared(base_suite(notebook, base), then, better, worse)])


def dominates(gains: Sequence[int]) -> bool:
    """Return whether a text is as good as another one in every hand that settled both, and better in some.

    One hand would not do: what is drawn next goes another way with another text. Hands in which neither is needed say
    nothing.
    """
    return len(gains) >= COMPARED and min(gains) >= 0 and sum(gain > 0 for gain in gains) >= BETTER


def _compared(suite: Suite, asked: Sequence[Asked], better: str, worse: str) -> Iterator[Compared]:
    """Yield the hands with one card in which both texts are settled, until the other text is worse in one."""
    rewritten = {each.id: with_text(each.position, worse, better) for each in asked}
    suites: dict[str, Suite] = {}
    done: set[str] = set()
    for seconds in SEARCHES:
        for own in asked:
            position = rewritten[own.id]
            if own.id in done or position is None or position.fingerprint == own.position.fingerprint:
                continue
            other = Asked(own.id, position, own.goal, None, own.fingerprint)
            again = suites.setdefault(position.fingerprint, Suite(position.ruleset, suite.budget))
            before, after = suite.free(own, seconds), again.free(other, seconds)
            if before.proved and after.proved and before.value is not None and after.value is not None:
                done.add(own.id)
                found = Compared(own, other, before, after)
                yield found
                if found.gain < 0:
                    return


def with_text(position: Position, card: str, other: str) -> Position | None:
    """Return a position under rules in which a card says what another one says; nothing where neither fits.

    What would change more of the rules than the card, such as its deck or how often it is there, stays as it is.
    """
    ruleset = position.ruleset
    table = next(name for name in ruleset.definition.collections if card in ruleset.raw.get(name, {}))
    facts = ruleset.definition.shown_facts
    text, others = (facts(table, ruleset.raw[table][name]) for name in (card, other))
    found = _rewritten(position, table, card, others)
    if found is not None:
        return found
    for key in sorted({*text, *others}):
        tried = {name: value for name, value in {**text, key: others.get(key)}.items() if value is not None}
        again = _rewritten(position, table, card, tried) if tried != text else None
        if again is not None:
            found, text = again, tried
    return found


def _rewritten(position: Position, table: str, card: str, text: Mapping[str, Any]) -> Position | None:
    """Return a position with another text for a card, or nothing where that changes more or is none."""
    try:
        ruleset = extended(position.ruleset, {table: {card: {"replace": True, **text}}})
    except ContentError:
        return None
    now, then = ({**each.raw, table: {**each.raw[table], card: None}} for each in (position.ruleset, ruleset))
    return under(position, ruleset) if now == then else None


def _finding(notebook: Notebook, hands: Sequence[Compared], better: str, worse: str) -> Finding:
    gains = {each.own.id: each.gain for each in hands}
    more = sum(gain > 0 for gain in gains.values())
    return Finding(
        code="DOMINATED",
        subject=f"{worse} by {better}",
        level=Level.WARNING,
        claim=(
            f"'{better}' makes '{worse}' pointless: with its text instead, {more} of {len(gains)} hands with '{worse}' "
            f"come out better, and none comes out worse"
        ),
        place=place_of(notebook.ruleset, [worse]),
        shown=tuple(_sides(sorted(hands, key=lambda each: -each.gain))),
        measure=more,
        data={"card": worse, "other": better, "gains": gains, "method": "exact"},
    )


def _sides(hands: Sequence[Compared]) -> Iterator[Shown]:
    for each in hands:
        yield side(each.own, FREE, each.before)
        yield side(each.other, TEXT, each.after)


def _same_kind(ruleset: Ruleset, one: str, other: str) -> bool:
    """Return whether two entries stand in the same collection and say the same of their type, where they say one."""
    for table in ruleset.definition.collections:
        entries: Any = ruleset.raw.get(table, {})
        if one in entries and other in entries:
            return bool(entries[one].get("type") == entries[other].get("type"))
    return False
