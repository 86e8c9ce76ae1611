"""Restricted play made exact: what a question is worth without a card, or with no other card (Jaffe et al. 2012).

The declared suite (``questions.py``) is small enough to be solved exactly, with everything allowed and then again with
moves forbidden that a best line makes. A card that a best line does without is worth nothing there. That needs no
second search: the restricted best is no better than the free one, and that line still reaches it. Where nothing reaches
the goal, nothing does without the card either. The free value is proved. What is lost lies between what a line of
restricted play shows and what its search has excluded (``suite.py``). Questions left open by short searches are asked
once more with longer ones, so that slow ones do not keep quick ones waiting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from puzzles.goal import Goal, Objective, forbids
from rules.core.files import canonical_json
from rules.core.registry import Ruleset
from rules.core.tools.relaxation import under
from rules.core.tools.rulebook import differences
from solver.audit.finding import Notebook, Shown, Witness
from solver.audit.suite import ALL, NOTHING, Answer, AuditQuestion, Part, lost, names_in, plain, questions, solved
from solver.checker.certificate import goal_data
from solver.screens.common import count
from solver.search.budget import Budget

STATES: Final = 20_000
"""Positions a search may keep."""
SEARCHES: Final = (0.4, 4.0)
"""Seconds of one search at most, on the first and on the second round of questions."""
COUNTED: Final = 2
"""Questions in which a card must be there before anything is said of it."""


@dataclass(frozen=True, slots=True)
class Restricted:
    """What a question is worth with some moves forbidden."""

    forbidden: frozenset[str]
    """First words of moves, besides those that the question itself forbids."""
    answer: Answer


@dataclass(frozen=True, slots=True)
class Use:
    """What one card is to one question."""

    question: str
    loss: Part
    """Part of the value that is lost without it; all of it where the goal is then out of reach."""
    alone: Part | None = None
    """Part of the value that is reached with no other card; nothing where that was not asked."""
    solvable: bool = True
    """Whether the goal can be reached at all."""
    filler: bool = False
    """Whether all that is lost without it is a way to spend a turn: the question forbids what else there would be."""
    free: Answer | None = None
    """What the question is worth with everything allowed."""
    without: Restricted | None = None
    """What it is worth without the card,"""
    only: Restricted | None = None
    """and with no other card."""

    @property
    def is_settled(self) -> bool:
        """Return whether longer searches would tell no more of it."""
        return self.loss.is_exact and (self.alone is None or self.alone.is_exact)


@dataclass(slots=True)
class RestrictedPlay:
    """What the suite says of every card of a ruleset."""

    uses: dict[str, list[Use]] = field(default_factory=dict)
    """By card, for the questions in which it is at hand."""
    asked: dict[str, AuditQuestion] = field(default_factory=dict)
    """The questions by id."""
    suite: Suite | None = None
    """What answered them."""
    settled: int = 0
    complete: bool = True

    def idle(self, name: str) -> list[Use]:
        """Return the questions that lose nothing without a card, if none loses more than a way to spend a turn."""
        uses = [use for use in self.uses.get(name, ()) if use.solvable and not use.filler]
        return [] if any(use.loss.least > 0 for use in uses) else [use for use in uses if use.loss.most == 0]


def changed_cards(ruleset: Ruleset, base: Ruleset | None) -> list[str]:
    """Return the entries of collections that are new or play otherwise than under the base, ascending."""
    if base is None:
        return []
    collections = ruleset.definition.collections
    names = {
        str(each.key[1])
        for each in differences(base, ruleset)
        if each.plays and each.kind != "removed" and len(each.key) > 1 and each.key[0] in collections
    }
    return sorted(names)


class Suite:
    """Questions under one ruleset, and play restricted on them; remembers what it has settled."""

    def __init__(self, ruleset: Ruleset, budget: Budget) -> None:
        self.budget = budget
        self._names = frozenset(name for table in ruleset.definition.collections for name in ruleset.raw.get(table, {}))
        self._answers: dict[tuple[str, frozenset[str]], tuple[Answer, float]] = {}

    def run(self, asked: Sequence[AuditQuestion], cards: Sequence[str]) -> RestrictedPlay:
        """Return what questions say: of the new and changed cards first and with patience, then of others."""
        play = RestrictedPlay(asked={each.id: each for each in asked}, suite=self)
        found: dict[tuple[str, str], Use] = {}
        with_own = [each for each in asked if not set(cards).isdisjoint(names_in(each.position.state))]
        # Where cards are as they were in the base, long searches would tell what is known already.
        for own, seconds in (*((True, seconds) for seconds in SEARCHES), (False, SEARCHES[0])):
            for each in with_own if own else asked:
                for name in sorted(self.at_hand(each, seconds)):
                    known = found.get((name, each.id))
                    if (name in cards) == own and (known is None or not known.is_settled):
                        use = self.use(each, name, seconds, thorough=own)
                        if use is not None:
                            found[name, each.id] = use
        for (name, _), use in found.items():
            play.uses.setdefault(name, []).append(use)
        play.settled = sum(self.free(each, 0).proved for each in asked)
        play.complete = not self.budget.is_over
        return play

    def free(self, asked: AuditQuestion, seconds: float) -> Answer:
        """Return the answer to a question with everything allowed."""
        return self.solve(asked, frozenset(), seconds)

    def solve(self, asked: AuditQuestion, forbidden: frozenset[str], seconds: float) -> Answer:
        """Return the answer to a question with moves forbidden, by a search of so many seconds if it is not known."""
        key = f"{asked.id} {canonical_json(plain(asked.position.state))}", forbidden
        answer, spent = self._answers.get(key, (Answer(None, None, impossible=False, witness=None), 0.0))
        if not answer.proved and seconds > spent and not self.budget.is_over:
            answer = solved(asked, self.budget.within(seconds, STATES), forbidden)
            self._answers[key] = answer, seconds
        return answer

    def at_hand(self, asked: AuditQuestion, seconds: float) -> set[str]:
        """Return the cards that are at hand on the way of a best line, or at its beginning where there is none."""
        free = self.free(asked, seconds)
        return self._on_the_way(asked, free)[0] if free.proved else set()

    def use(
        self, asked: AuditQuestion, name: str, seconds: float, *, thorough: bool = True, alone: bool = False
    ) -> Use | None:
        """Return what a card is to a question, or nothing where it is not at hand there or that is not settled.

        What the card does alone is asked of cards that a best line uses; of any card with ``alone``. A ``thorough``
        search asks it also where it is open what is lost without the card.
        """
        free = self.free(asked, seconds)
        if not free.proved:
            return None
        there, used, starts = self._on_the_way(asked, free)
        if name not in there:
            return None
        if free.value is None or (asked.goal.objective is Objective.REACH and not free.value):
            return Use(asked.id, NOTHING, solvable=False, free=free)
        own = frozenset(words for words in starts if self.named(words) == name)
        steps = free.witness.steps if free.witness is not None else ()
        idle = name not in used and not any(forbids(own, text) for text in steps)
        without = free if idle else self.solve(asked, own, seconds)
        filler = not idle and _spends_no_turns(asked, without)
        found = Use(asked.id, lost(asked, free, without), None, True, filler, free, Restricted(own, without))
        if (idle and not alone) or not (thorough or found.loss.is_exact):
            return found
        if used == {name}:
            return replace(found, alone=ALL, only=Restricted(frozenset(), free))  # the best line uses no other card
        # With no other card at all; moves that name no card stay open.
        others = frozenset(words for words in self._all_starts(starts) if self.named(words) not in (name, ""))
        only = self.solve(asked, others, seconds) if others else None
        if only is None or _spends_no_turns(asked, only):
            return found
        return replace(found, alone=lost(asked, free, only).rest, only=Restricted(others, only))

    def named(self, words: str) -> str:
        """Return the card that the first words of a move name, else nothing."""
        last = words.split()[-1]
        return last if last in self._names else ""

    def start_of(self, text: str) -> str:
        """Return the first words of a move: up to the card where it names one at once, else its first word."""
        words = text.split()
        return " ".join(words[:2]) if len(words) > 1 and words[1] in self._names else words[0]

    def _on_the_way(self, asked: AuditQuestion, free: Answer) -> tuple[set[str], set[str], set[str]]:
        """Return the cards at hand on the way of a line, those that begin a turn of it, and the first words of moves.

        What is chosen in the middle of a turn is no use of a card.
        """
        game: Any = asked.position.game
        _, state = asked.position.start()
        there: set[str] = set()
        used: set[str] = set()
        starts: set[str] = set()
        steps = free.witness.steps if free.witness is not None else ()
        for text in (*steps, ""):
            if not state.pending:
                there |= self._names.intersection(game.hand(state.table, asked.goal.seat))
                starts |= {
                    start
                    for move in game.legal_moves(state)
                    if not forbids(asked.goal.forbidden, move.text)
                    for start in [self.start_of(move.text)]
                }
            if text:
                if not state.pending:
                    used.add(self.named(self.start_of(text)))
                state = game.apply(state, game.parse_step(state, text)).state
        there |= self._cards_in_play(starts)
        return there, used & there, starts

    def _all_starts(self, starts: set[str]) -> set[str]:
        """Return the first words of moves with every card of the ruleset in the place of those that were met."""
        verbs = {start.split()[0] for start in starts if self.named(start)}
        return {f"{verb} {name}" for verb in verbs for name in self._names}

    def _cards_in_play(self, starts: set[str]) -> set[str]:
        return {self.named(start) for start in starts} - {""}


def _spends_no_turns(asked: AuditQuestion, restricted: Answer) -> bool:
    """Return whether restricted play fails only because the turns that are asked for cannot be spent.

    They always can, unless the question itself forbids a way to spend them, such as a new day.
    """
    return restricted.impossible and asked.goal.objective is Objective.MAX_DISTANCE


def restricted_play(notebook: Notebook, budget: Budget) -> RestrictedPlay:
    """Return what restricted play says of the ruleset; searched once for an audit."""
    play = notebook.results.get(RestrictedPlay)
    if play is None:
        cards = changed_cards(notebook.ruleset, notebook.base)
        asked = questions(notebook.ruleset, cards, notebook.seed)
        play = notebook.results.add(Suite(notebook.ruleset, budget).run(asked, cards))
    return play


def under_base(notebook: Notebook, name: str, *, alone: bool = False) -> list[tuple[Use, Use]]:
    """Return each use of a card with what the card is to the same question under the base, where that is settled."""
    base, play = notebook.base, notebook.results.get(RestrictedPlay)
    if base is None or play is None or base.fingerprint == notebook.ruleset.fingerprint:
        return []
    suite = base_suite(notebook, base)
    pairs: dict[str, tuple[Use, Use]] = {}
    own = name in changed_cards(notebook.ruleset, base)
    for seconds in SEARCHES if own else SEARCHES[:1]:
        for use in play.uses[name]:
            settled = use.question in pairs and pairs[use.question][1].is_settled
            asked = None if settled else moved(play.asked[use.question], base)
            before = suite.use(asked, name, seconds, alone=alone) if asked is not None else None
            if before is not None:
                pairs[use.question] = use, before
    return list(pairs.values())


def base_suite(notebook: Notebook, base: Ruleset) -> Suite:
    """Return what asks the base, with all that it has settled before."""
    suite = notebook.shared.results.get(Suite) or notebook.shared.results.add(Suite(base, notebook.budget))
    suite.budget = notebook.budget
    return suite


def moved(asked: AuditQuestion, base: Ruleset) -> AuditQuestion | None:
    """Return a question asked under the base, or nothing where its position is none there."""
    position = under(asked.position, base)
    return None if position is None else replace(asked, position=position)


def new_cards(notebook: Notebook) -> set[str]:
    """Return the cards that the base does not have; none without a base."""
    if notebook.base is None:
        return set()
    changed = changed_cards(notebook.ruleset, notebook.base)
    return set(changed) - set(known_to(notebook.base, changed))


def known_to(ruleset: Ruleset, cards: Sequence[str]) -> list[str]:
    """Return those of some cards that a ruleset has."""
    names = {name for table in ruleset.definition.collections for name in ruleset.raw.get(table, {})}
    return [card for card in cards if card in names]


# The answers that a comparison rests on, side by side, so that every line of them can be played again


FREE, WITHOUT, ALONE, TEXT = "free", "without", "alone", "text"
"""Everything allowed; without the card; with no other card; with the text of another card."""
BASE = "base "
"""What stands before the same under the base."""
LABELS: Final = {FREE: "best", WITHOUT: "without it", ALONE: "it alone", TEXT: "other text"}


def label(shown: Shown) -> str:
    """Return what people read beside an answer."""
    return f"{BASE if shown.side.startswith(BASE) else ''}{LABELS[shown.side.removeprefix(BASE)]}"


def value_text(shown: Shown) -> str:
    """Return what an answer is worth, and how sure that is, in words without a full stop."""
    goal, value, bound = shown.goal, shown.value, shown.bound
    fewest = goal.objective is Objective.MIN_TURNS
    if shown.impossible:
        return "proved to have no line"
    excluded = "" if bound is None else f"{'fewer than' if fewest else 'more than'} {_amount(shown, bound)} excluded"
    if value is None:
        return f"no line found, {excluded or 'nothing excluded'}"
    return f"{_amount(shown, value)}, {'proved' if value == bound else excluded or 'found'}"


def _amount(shown: Shown, value: int) -> str:
    if shown.goal.objective is Objective.MIN_TURNS:
        return count(value, "turn" if shown.goal.clock is None else "round")
    return f"{getattr(shown.witness.position.game, 'unit', '')} {value}".strip()


def asked_as_json(goal: Goal) -> dict[str, Any]:
    """Return a goal as JSON, so that a line can be valued without the puzzle's file."""
    return {**goal_data(goal), "challenge": goal.challenge, "terms": dict(goal.terms)}


def side(asked: AuditQuestion, name: str, answer: Answer, forbidden: frozenset[str] = frozenset()) -> Shown:
    """Return one answer to a question, some moves forbidden besides those of its goal."""
    goal = replace(asked.goal, forbidden=asked.goal.forbidden | forbidden)
    line = answer.witness.steps if answer.witness is not None else ()
    return Shown(
        asked.id, name, Witness(asked.position, line), goal, answer.value, answer.bound, impossible=answer.impossible
    )


def compared(
    notebook: Notebook, uses: Iterable[Use], pairs: Sequence[tuple[Use, Use]], which: str
) -> tuple[Shown, ...]:
    """Return what questions are worth, and what they are worth ``without`` a card or with it ``alone``.

    Where ``pairs`` have what the card is under the base, the same follows under the base.
    """
    play = notebook.results.get(RestrictedPlay)
    assert play is not None
    before = {use.question: then for use, then in pairs}
    found: list[Shown] = []
    for use in uses:
        asked = play.asked[use.question]
        found += _sides(asked, use, which)
        if use.question in before and notebook.base is not None:
            then = moved(asked, notebook.base)
            found += _sides(then, before[use.question], which, BASE) if then is not None else ()
    return tuple(found)


def _sides(asked: AuditQuestion, use: Use, which: str, prefix: str = "") -> Iterator[Shown]:
    restricted: Restricted | None = use.without if which == WITHOUT else use.only
    if use.free is not None and restricted is not None:
        yield side(asked, f"{prefix}{FREE}", use.free)
        yield side(asked, f"{prefix}{which}", restricted.answer, restricted.forbidden)
