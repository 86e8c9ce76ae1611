"""Restricted play made exact: what a question is worth without a card, or with no other card (Jaffe et al. 2012).

The declared suite are the puzzles of the library that fit, and some of them with a new or changed card in the hand, so
small that each is solved exactly; then again with moves forbidden that a best line makes. A card that a best line does
without is worth nothing there, which needs no second search: the restricted best is no better than the free one, and
that line still reaches it. Only proved values enter an effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from puzzles.goal import Objective, forbids
from rules.core.comparison import differences
from rules.core.relaxation import under
from rules.core.ruleset import Ruleset
from solver.audit.finding import Budget, Notebook
from solver.audit.suite import Answer, Asked, library_suite, solved

STATES: Final = 20_000
"""Positions a search may keep."""
SEARCH_S: Final = 2.0
"""Seconds of one search at most, for machines that are slow."""
HELD: Final = 4
"""New or changed cards that are put into hands,"""
HANDS: Final = 4
"""and puzzles whose hands they are put into, those with the fewest cards."""
COUNTED: Final = 2
"""Questions in which a card must be there before anything is said of it."""


@dataclass(frozen=True, slots=True)
class Use:
    """What one card, or one kind of move, is to one question."""

    question: str
    loss: float
    """Part of the value that is lost without it, from 0 to 1; 1 where the goal is then out of reach."""
    alone: float | None
    """Part of the value that is reached with no other card; nothing where that was not asked or not settled."""


@dataclass(slots=True)
class RestrictedPlay:
    """What the suite says of every card of a ruleset."""

    uses: dict[str, list[Use]] = field(default_factory=dict)
    """By card, or by first word for moves that name none."""
    held: dict[tuple[str, str], int] = field(default_factory=dict)
    """Proved values of the puzzles with a card put into the hand, by card and puzzle; more is better."""
    questions: int = 0
    settled: int = 0
    complete: bool = True

    def advantage(self, one: str, other: str, puzzle: str) -> int:
        """Return by how much a puzzle's value is better with one card in the hand than with another one."""
        return self.held[one, puzzle] - self.held[other, puzzle]

    def losses(self, name: str) -> list[float]:
        """Return what was lost without a card, by question in which it was there."""
        return [use.loss for use in self.uses.get(name, ())]


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
    """The declared questions under one ruleset, and play restricted on them."""

    def __init__(self, ruleset: Ruleset, cards: Sequence[str], budget: Budget) -> None:
        self.ruleset = ruleset
        self.budget = budget
        self.cards = cards
        self.play = RestrictedPlay()
        self._names = frozenset(name for table in ruleset.definition.collections for name in ruleset.raw.get(table, {}))

        self._free: dict[str, Answer] = {}

    def questions(self) -> Iterator[Asked]:
        """Yield the questions: new or changed cards in hands, puzzles that have such, the others; small ones first."""
        suite = sorted(library_suite(self.ruleset), key=lambda asked: (_size(asked.position.state), asked.id))
        for card in self.cards[:HELD]:
            yield from islice(filter(None, (held(asked, card) for asked in suite)), HANDS)
        changed = set(self.cards)
        yield from sorted(suite, key=lambda asked: changed.isdisjoint(_names(asked.position.state)))

    def run(self) -> RestrictedPlay:
        """Return what the suite says, of the new and changed cards first."""
        play = self.play
        questions = list(self.questions())
        for asked in questions:
            if "@" in asked.id and not self.budget.is_over:
                self.hold(asked)  # what cards are worth beside each other is settled before what each is missed for
        for own in (True, False):
            for asked in questions:
                if self.budget.is_over:
                    play.complete = False
                    return play
                self._ask(asked, own=own)
        return play

    def hold(self, asked: Asked) -> None:
        """Note what a puzzle is worth with a card in the hand."""
        card, _, puzzle = asked.id.partition("@")
        free = self.free(asked)
        if free.proved and free.value is not None:
            sign = -1 if asked.goal.objective is Objective.MIN_TURNS else 1
            self.play.held[card, puzzle] = sign * free.value

    def _ask(self, asked: Asked, *, own: bool) -> None:
        """Note what a question says of the new and changed cards, or of the others."""
        play = self.play
        free = self.free(asked)
        settled = free.proved and free.value is not None
        play.questions += own
        play.settled += own and settled
        if not settled or free.value is None:
            return
        for name in sorted(self._on_the_way(asked, free)[0]):
            if (name in self.cards) == own and not self.budget.is_over:
                use = self.use(asked, name)
                if use is not None:
                    play.uses.setdefault(name, []).append(use)

    def free(self, asked: Asked) -> Answer:
        """Return the answer to a question with everything allowed."""
        if asked.id not in self._free:
            self._free[asked.id] = self.solve(asked)
        return self._free[asked.id]

    def solve(self, asked: Asked, forbidden: frozenset[str] = frozenset()) -> Answer:
        """Return the answer to a question with moves forbidden."""
        return solved(asked, self.budget.limit(SEARCH_S, STATES), forbidden)

    def use(self, asked: Asked, name: str) -> Use | None:
        """Return what a card is to a question, or nothing where it is not open there or that is not settled."""
        free = self.free(asked)
        if not free.proved or free.value is None:
            return None
        there, used, starts = self._on_the_way(asked, free)
        if name not in there:
            return None
        if name not in used:
            return Use(asked.id, 0.0, None)
        own = frozenset(words for words in starts if self.named(words) == name)
        loss = worse(asked, free, self.solve(asked, own))
        if loss is None:
            return None
        if used == {name}:
            return Use(asked.id, loss, 1.0)  # the best line itself uses no other card
        # With no other card at all; moves that name no card stay open.
        others = frozenset(words for words in self._all_starts(starts) if self.named(words) not in (name, ""))
        rest = worse(asked, free, self.solve(asked, others)) if others else None
        return Use(asked.id, loss, None if rest is None else 1 - rest)

    def named(self, words: str) -> str:
        """Return the card that the first words of a move name, else nothing."""
        last = words.split()[-1]
        return last if last in self._names else ""

    def start_of(self, text: str) -> str:
        """Return the first words of a move: up to the card where it names one at once, else its first word."""
        words = text.split()
        return " ".join(words[:2]) if len(words) > 1 and words[1] in self._names else words[0]

    def _on_the_way(self, asked: Asked, free: Answer) -> tuple[set[str], set[str], set[str]]:
        """Return the cards that may begin a turn on the way of a line, those that do, and such moves' first words.

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
        there = self._cards_in_play(starts)
        return there, used & there, starts

    def _all_starts(self, starts: set[str]) -> set[str]:
        """Return the first words of moves with every card of the ruleset in the place of those that were met."""
        verbs = {start.split()[0] for start in starts if self.named(start)}
        return {f"{verb} {name}" for verb in verbs for name in self._cards_in_play(starts)}

    def _cards_in_play(self, starts: set[str]) -> set[str]:
        return {self.named(start) for start in starts} - {""}


def worse(asked: Asked, free: Answer, restricted: Answer) -> float | None:
    """Return which part of the free value restricted play loses, 0 to 1; nothing where that is not proved."""
    if restricted.impossible:
        return 1.0
    if not restricted.proved or restricted.value is None or free.value is None:
        return None
    if asked.goal.objective is Objective.MIN_TURNS:
        return 1 - free.value / restricted.value if restricted.value else 0.0
    game: Any = asked.position.game
    start = 0 if asked.goal.challenge else game.progress(asked.position.table(), asked.goal.seat)
    gained = free.value - start
    return (free.value - restricted.value) / gained if gained > 0 else 0.0


def held(asked: Asked, card: str) -> Asked | None:
    """Return a question with a card in the first seat's hand, instead of the first card there that can be missed.

    Nothing where the hand has the card already, where hands are no lists of card ids, and where the rules refuse it.
    """
    position = asked.position
    game: Any = position.game
    hand = sorted(game.hand(position.table()))
    if card in hand or position.pending:
        return None
    for given in dict.fromkeys(hand):
        state = _plain(position.state)
        mine = _find(state, hand)
        if mine is None:
            return None
        mine[mine.index(given)] = card
        mine.sort()
        changed = under(replace(position, state=state), position.ruleset)
        if changed is not None:
            return Asked(f"{card}@{asked.id}", changed, asked.goal, None, asked.fingerprint)
    return None


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _find(value: Any, hand: list[str]) -> list[str] | None:
    """Return the list of a state object that holds a hand."""
    if isinstance(value, list) and value and all(isinstance(entry, str) for entry in value):
        return value if sorted(value) == hand else None
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((found for each in inner if (found := _find(each, hand)) is not None), None)


def _names(value: Any) -> Iterator[str]:
    """Yield the texts that a state object holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _names(inner)


def _size(value: Any) -> int:
    """Return how many cards a state object holds in all."""
    if isinstance(value, Mapping):
        return sum(_size(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return sum(isinstance(inner, str) or _size(inner) for inner in value)
    return 0


def restricted_play(notebook: Notebook, budget: Budget) -> RestrictedPlay:
    """Return what restricted play says of the ruleset; searched once for an audit."""
    if notebook.play is None:
        cards = changed_cards(notebook.ruleset, notebook.base)
        notebook.play = Suite(notebook.ruleset, cards, budget).run()
    return notebook.play


def under_base(notebook: Notebook, name: str) -> list[tuple[Use, Use]]:
    """Return each use of a card with what the card is to the same question under the base, where that is settled."""
    base, play = notebook.base, notebook.play
    if base is None or play is None or base.fingerprint == notebook.ruleset.fingerprint:
        return []
    known = notebook.shared.uses
    suite = Suite(base, known_to(base, changed_cards(notebook.ruleset, base)), notebook.budget)
    asked = {each.id: each for each in suite.questions()}
    pairs = []
    for use in play.uses[name]:
        key = use.question, name
        if key not in known and use.question in asked and not notebook.budget.is_over:
            known[key] = suite.use(asked[use.question], name)
        before = known.get(key)
        if before is not None:
            pairs.append((use, before))
    return pairs


def held_before(notebook: Notebook, cards: Sequence[str]) -> RestrictedPlay:
    """Return what the puzzles are worth under the base with some cards in the hands."""
    assert notebook.base is not None
    suite = Suite(notebook.base, cards, notebook.budget)
    for asked in suite.questions():
        if "@" not in asked.id or notebook.budget.is_over:
            break
        suite.hold(asked)
    return suite.play


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
