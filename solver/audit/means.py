"""``MUST`` and ``SPAM``: a card without which the result collapses, and one that alone gets nearly as far as all.

Each is a mean over the questions of the suite that tell it. What is lost is told as a part that is proved: where a
search for play without the card was cut short, what it has excluded is lost for sure. What a card reaches alone is
shown by a line, whether or not the search for a better one was cut short. A question that tells a part no better than
by half is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final, NamedTuple

from puzzles.goal import Objective
from rules.core.errors import ContentError
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended
from rules.core.tools.relaxation import under
from solver.audit.finding import Finding, Level, Notebook, Searched, Shown, place_of
from solver.audit.restricted import (
    ALONE,
    COUNTED,
    FREE,
    SEARCHES,
    TEXT,
    WITHOUT,
    RestrictedPlay,
    Suite,
    Use,
    base_suite,
    changed_cards,
    compared,
    known_to,
    moved,
    new_cards,
    restricted_play,
    side,
    under_base,
)
from solver.audit.suite import HELD, RACE, Answer, AuditQuestion, Part, hands_with, mean_of

SHOWN: Final = 5
"""Cards that the account of what is lost names."""

Pairs = Sequence[tuple[Use, Use]]
"""What a card is to questions, now and under the base."""


class Reading(NamedTuple):
    """One thing to ask of every card."""

    code: str
    part: Callable[[Use], Part | None]
    """What a question tells of it."""
    least: float
    """Mean part from which a card is worth telling,"""
    more: float
    """and by how much it is more than under the base."""
    side: str
    """The answer that shows it, beside that with everything allowed."""
    parts: str
    """Name of the parts in the data of a finding."""
    claim: str
    """It in words, of a ``card``, its ``part`` and ``n`` questions."""

    def is_told(self, use: Use) -> bool:
        """Return whether a question tells it: its goal can be reached, and the part is known well enough."""
        part = self.part(use)
        return use.solvable and part is not None and part.is_told

    def mean(self, uses: Sequence[Use]) -> Part:
        """Return the mean part."""
        return mean_of([part for use in uses if (part := self.part(use)) is not None])

    def data(self, uses: Sequence[tuple[str, Use]]) -> dict[str, list[float]]:
        """Return the parts by the names of their questions."""
        return {name: part.data for name, use in uses if (part := self.part(use)) is not None}


MUST: Final = Reading(
    code="MUST",
    part=lambda use: use.loss,
    least=0.5,
    more=0.25,
    side=WITHOUT,
    parts="losses",
    claim="without '{card}' {part} of the best result is lost, in the mean of the {n} questions where it is at hand",
)
SPAM: Final = Reading(
    code="SPAM",
    part=lambda use: use.alone,
    least=0.9,
    more=0.1,
    side=ALONE,
    parts="parts",
    claim="'{card}' and no other card reaches {part} of the best result, in the mean of the {n} questions that tell it",
)


def find_must(notebook: Notebook) -> None:
    """Write down the cards that have become indispensable."""
    means, _ = _find(notebook, MUST)
    most = sorted((name for name in means if means[name].least > 0), key=lambda name: (-means[name].least, name))
    _searched(notebook, MUST, "lost without a card", means, most[:SHOWN], "nothing")


def find_spam(notebook: Notebook) -> None:
    """Write down the cards that have become enough by themselves."""
    means, enough = _find(notebook, SPAM)
    _searched(notebook, SPAM, "enough by itself", means, enough, "none")


def _find(notebook: Notebook, reading: Reading) -> tuple[dict[str, Part], list[str]]:
    """Write down the cards of which more can be told than under the base; return all means, and who has enough."""
    play = restricted_play(notebook, notebook.budget.share(0.7))
    told = {name: [use for use in uses if reading.is_told(use)] for name, uses in play.uses.items()}
    told = {name: uses for name, uses in told.items() if len(uses) >= COUNTED}
    means = {name: reading.mean(uses) for name, uses in told.items()}
    enough = sorted(name for name, part in means.items() if part.least >= reading.least)
    fresh = new_cards(notebook)
    for name in enough if notebook.base is not None else ():
        # A new card cannot be asked for under the base; any other has to be compared on the same questions.
        known = [] if name in fresh else under_base(notebook, name, alone=reading.side == ALONE)
        pairs = [(use, before) for use, before in known if reading.is_told(use) and reading.is_told(before)]
        now, then = ([pair[place] for pair in pairs] for place in range(2))
        more = reading.mean(now).least - reading.mean(then).most if pairs else 0.0
        if name in fresh or (len(pairs) >= COUNTED and more >= reading.more):
            notebook.add(_finding(notebook, reading, name, told[name], pairs))
    return means, enough


def _searched(
    notebook: Notebook, reading: Reading, what: str, means: dict[str, Part], names: Sequence[str], none: str
) -> None:
    play = restricted_play(notebook, notebook.budget.share(0.7))
    words = ", ".join(f"{name} {at_least(means[name])}" for name in names) or none
    notebook.searched.append(Searched(reading.code, f"{suite_words(play)}; {what}: {words}", play.complete))


def at_least(part: Part) -> str:
    """Return a part in words, its lower end where it is not exact."""
    return f"{'' if part.is_exact else 'at least '}{part.least:.0%}"


def _under_words(notebook: Notebook, was: Part | None, pairs: int, uses: int) -> str:
    """Return what the same part is under the base, in words; the card is new there if that is nothing."""
    if was is None or notebook.base is None:
        return "the card is new"
    most = f"{'' if was.is_exact else 'at most '}{was.most:.0%}"
    return f"under {notebook.base.id} {most}" + ("" if pairs == uses else f", in the {pairs} of them that tell it")


def _finding(notebook: Notebook, reading: Reading, name: str, uses: list[Use], pairs: Pairs) -> Finding:
    mean = reading.mean(uses)
    was = reading.mean([before for _, before in pairs]) if pairs else None
    parts = {use.question: part.least for use in uses if (part := reading.part(use)) is not None}
    return Finding(
        code=reading.code,
        subject=name,
        level=Level.WARNING,
        claim=f"{reading.claim.format(card=name, part=at_least(mean), n=len(uses))}; "
        f"{_under_words(notebook, was, len(pairs), len(uses))}",
        place=place_of(notebook.ruleset, [name]),
        shown=compared(notebook, sorted(uses, key=lambda use: -parts[use.question]), pairs, reading.side),
        measure=round(1000 * mean.least),
        data={
            "card": name,
            reading.parts: reading.data([(use.question, use) for use in uses]),
            "mean": mean.data,
            f"base_{reading.parts}": reading.data([(use.question, before) for use, before in pairs]),
            "base_mean": None if was is None else was.data,
            "method": "exact",
        },
    )


# DEAD: a card that no question of the suite needs, though it is at hand there


OFTEN: Final = 3
"""Questions in which a card must be at hand before it is called useless,"""
OFTEN_NEW: Final = 6
"""and a card that the base does not have, since nothing says that it was of any use before."""


def find_dead(notebook: Notebook) -> None:
    """Write down the cards that have become useless."""
    play = restricted_play(notebook, notebook.budget.share(0.7))
    idle = {name: uses for name in sorted(play.uses) if len(uses := play.idle(name)) >= OFTEN}
    fresh = new_cards(notebook)
    changed = set(changed_cards(notebook.ruleset, notebook.base))
    for name in sorted(idle, key=lambda name: name not in changed):
        if name in fresh and len(idle[name]) < OFTEN_NEW:
            continue
        asked = {use.question for use in idle[name]}
        before = under_base(notebook, name)
        pairs = [(use, then) for use, then in before if use.question in asked and not then.filler]
        if name in fresh or any(then.loss.least > 0 for _, then in pairs):
            notebook.add(_dead_finding(notebook, name, idle[name], pairs))
    told = f"{suite_words(play)}; never needed: {', '.join(idle) or 'none'}"
    notebook.searched.append(Searched("DEAD", told, play.complete))


def suite_words(play: RestrictedPlay) -> str:
    """Return what the suite was."""
    if not play.asked:
        return "no puzzle of the library fits, and no short race is known"
    races = sum(RACE in name for name in play.asked)
    puzzles = len(play.asked) - races
    kinds = [f"{many} {what}" for many, what in ((puzzles, "puzzles"), (races, "short races")) if many]
    return f"{play.settled} of {' and '.join(kinds)} solved exactly, and again without each card"


def _dead_finding(notebook: Notebook, name: str, uses: list[Use], pairs: list[tuple[Use, Use]]) -> Finding:
    once = {use.question: then.loss for use, then in pairs if then.loss.least > 0}
    most = max((loss.least for loss in once.values()), default=0.0)
    base = notebook.base.id if notebook.base is not None else ""
    was = f"under {base} {len(once)} of them lose up to {most:.0%} without it" if once else "the card is new"
    return Finding(
        code="DEAD",
        subject=name,
        level=Level.WARNING,
        claim=(
            f"'{name}' is never needed: nothing is lost without it in any of the {len(uses)} questions where it is at "
            f"hand; {was}"
        ),
        place=place_of(notebook.ruleset, [name]),
        shown=compared(
            notebook,
            sorted(uses, key=lambda use: -once[use.question].least if use.question in once else 0),
            [(use, then) for use, then in pairs if use.question in once],
            WITHOUT,
        ),
        measure=len(uses),
        data={
            "card": name,
            "questions": [use.question for use in uses],
            "base_losses": {question: loss.data for question, loss in once.items()},
            "method": "exact",
        },
    )


# DOMINATED: a changed card whose place another changed card takes at no loss in any hand, and at a gain in some


HANDS: Final = 8
"""Hands of short races, and as many of puzzles, in which two texts are compared."""
COMPARED: Final = 4
"""Hands in which two texts must have been compared,"""
BETTER: Final = 3
"""and in which the better one must have been better: luck that favours either would do that once in eight times."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts under one name in one hand."""

    own: AuditQuestion
    """The question with the card's own text,"""
    other: AuditQuestion
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
            notebook.add(_dominated_finding(notebook, hands, better, worse))
    what = f"{compared} pairs of new or changed cards of one kind, their texts under one name in {settled} hands in all"
    none = "no two new or changed cards are of one kind"
    notebook.searched.append(Searched("DOMINATED", what if compared else none, not notebook.budget.is_over))


def _under_base(notebook: Notebook, asked: Sequence[AuditQuestion], better: str, worse: str) -> bool:
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


def _compared(suite: Suite, asked: Sequence[AuditQuestion], better: str, worse: str) -> Iterator[Compared]:
    """Yield the hands with one card in which both texts are settled, until the other text is worse in one."""
    rewritten = {each.id: with_text(each.position, worse, better) for each in asked}
    suites: dict[str, Suite] = {}
    done: set[str] = set()
    for seconds in SEARCHES:
        for own in asked:
            position = rewritten[own.id]
            if own.id in done or position is None or position.fingerprint == own.position.fingerprint:
                continue
            other = AuditQuestion(own.id, position, own.goal, None, own.fingerprint)
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


def _dominated_finding(notebook: Notebook, hands: Sequence[Compared], better: str, worse: str) -> Finding:
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
