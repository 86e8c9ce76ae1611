"""The declared suite: puzzles of the library that fit a ruleset, asked again under it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from statistics import fmean
from typing import Any, Final

from puzzles.goal import Goal, Objective
from puzzles.loader import IMPOSSIBLE, Puzzle, library, load_puzzle
from rules.core.challenge import Challenger, Measure
from rules.core.chance import mix
from rules.core.errors import BestlineError
from rules.core.position import Position, new_position
from rules.core.registry import Ruleset
from rules.core.ruleset import load_ruleset
from rules.core.tools.relaxation import under
from solver.answer import Status
from solver.audit.finding import Witness
from solver.audit.recorded import opening
from solver.engines.solve import searchable, solve
from solver.search.budget import Budget


@dataclass(frozen=True, slots=True)
class AuditQuestion:
    """One question of the suite under one ruleset."""

    id: str
    position: Position
    goal: Goal
    stated: int | None
    """The value proved under the puzzle's own ruleset."""
    fingerprint: str
    """Of the puzzle's own ruleset."""
    impossible: bool = False
    """It is proved under the puzzle's own ruleset that there is no line."""
    old: Witness | None = None
    """The best line under that ruleset, where it is known."""

    @property
    def is_stated(self) -> bool:
        """Return whether its answer under the puzzle's own ruleset is known."""
        return self.impossible or self.stated is not None


@dataclass(frozen=True, slots=True)
class Answer:
    """What exact search says about a question."""

    value: int | None
    """Turns, rounds or progress of the best line found, as the question counts; nothing where there is none."""
    bound: int | None
    impossible: bool
    """It is proved that there is no line."""
    witness: Witness | None

    @property
    def proved(self) -> bool:
        """Return whether the best value, or that there is none, is certain."""
        return self.impossible or (self.value is not None and self.value == self.bound)


@lru_cache(maxsize=16)
def library_suite(ruleset: Ruleset) -> tuple[AuditQuestion, ...]:
    """Return the open puzzles for one player whose own ruleset this one is or extends, and whose positions fit."""
    return tuple(_fitting(ruleset))


def _fitting(ruleset: Ruleset) -> Iterator[AuditQuestion]:
    below = {layer.file for layer in ruleset.layers}
    for name in library():
        puzzle = load_puzzle(name)
        if puzzle.position.ruleset.id not in below:
            continue
        asked = _under(puzzle, ruleset)
        if asked is not None:
            yield asked


def _under(puzzle: Puzzle, ruleset: Ruleset) -> AuditQuestion | None:
    """Return a puzzle asked under another ruleset, or nothing where its position is none there."""
    position = under(puzzle.position, ruleset)
    if position is None:
        return None
    try:
        searchable(position)
    except BestlineError:
        return None
    stated = puzzle.solution.value if puzzle.solution is not None else None
    made_for = puzzle.position.ruleset.fingerprint
    value = stated if isinstance(stated, int) else None
    line = puzzle.solution.line if puzzle.solution is not None else ()
    old = Witness(puzzle.position, tuple(text for turn in line for text in turn.split("; "))) if line else None
    return AuditQuestion(puzzle.id, position, puzzle.goal, value, made_for, stated == IMPOSSIBLE, old)


def edition_of(ruleset: Ruleset) -> Ruleset:
    """Return the shipped text that a ruleset begins with: itself where it is one."""
    first = ruleset.layers[0].file
    return ruleset if first == ruleset.id else load_ruleset(first)


def excludes(asked: AuditQuestion, answer: Answer) -> bool:
    """Return whether an answer's bound rules out what is stated."""
    if asked.stated is None or answer.bound is None:
        return False
    return answer.bound > asked.stated if asked.goal.objective is Objective.MIN_TURNS else answer.bound < asked.stated


def solved(asked: AuditQuestion, limit: Budget, forbidden: frozenset[str] = frozenset()) -> Answer:
    """Return the answer to a question, some moves forbidden besides those of its goal.

    Raises:
        KeyboardInterrupt: the user stopped the search.
    """
    goal = replace(asked.goal, forbidden=asked.goal.forbidden | forbidden)
    report = solve(asked.position, goal, limit)
    if report.interrupted:
        raise KeyboardInterrupt
    impossible = report.status is Status.INFEASIBLE and goal.objective is not Objective.REACH
    texts = tuple(step.text for turn in report.line for step in turn.steps)
    witness = Witness(asked.position, texts) if texts else None
    return Answer(goal.in_rounds(report.value), goal.in_rounds(report.bound), impossible, witness)


# What restricted play loses of what free play has: a part from 0 to 1, known exactly or between two proved ends


TOLD: Final = 0.5
"""Width from which on a part that lies between two ends says nothing: neither much nor little."""
EQUAL: Final = 1e-9
"""Width below which both ends are one, as floats go."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a value, between two ends that are proved."""

    least: float
    most: float

    @property
    def is_exact(self) -> bool:
        """Return whether both ends are the same."""
        return self.most - self.least < EQUAL

    @property
    def is_told(self) -> bool:
        """Return whether the ends are close enough to say something."""
        return self.most - self.least <= TOLD

    @property
    def rest(self) -> Part:
        """Return what is left of the whole."""
        return Part(1 - self.most, 1 - self.least)

    @property
    def data(self) -> list[float]:
        """Return both ends for JSON."""
        return [round(self.least, 4), round(self.most, 4)]


NOTHING: Final = Part(0.0, 0.0)
ALL: Final = Part(1.0, 1.0)


def mean_of(parts: Sequence[Part]) -> Part:
    """Return the mean of some parts, at least one."""
    return Part(fmean(part.least for part in parts), fmean(part.most for part in parts))


def lost(asked: AuditQuestion, free: Answer, restricted: Answer) -> Part:
    """Return which part of the proved free value restricted play loses: turns as many times as many, progress short.

    What restricted play can have is between its line and its bound, and never better than free play, whose lines
    include all of its own. No line at all loses everything.
    """
    if restricted.impossible:
        return ALL
    assert free.value is not None
    value, bound = restricted.value, free.value if restricted.bound is None else restricted.bound
    if asked.goal.objective is Objective.MIN_TURNS:
        if not free.value:
            return NOTHING if value == 0 else Part(0.0, 1.0)
        return Part(1 - free.value / max(bound, free.value), 1.0 if value is None else 1 - free.value / value)
    game: Any = asked.position.game
    from_nothing = asked.goal.challenge or asked.goal.objective is Objective.REACH
    start = 0 if from_nothing else game.progress(asked.position.table(), asked.goal.seat)
    gained = free.value - start
    if gained <= 0:
        return NOTHING
    most = 1.0 if value is None else min(1.0, (free.value - value) / gained)
    return Part(min(most, max(0.0, (free.value - bound) / gained)), most)


# The questions that restricted play is asked: puzzles of the library, and short races from deals with cut piles


HELD: Final = 4
"""New or changed cards that are put into hands,"""
HANDS: Final = 4
"""and hands of short races and of puzzles, those with the fewest cards, that each is put into."""
RACE: Final = "deal-"
"""How the names of short races begin."""
DEALS: Final = 6
"""Deals from which short races are asked."""
FAR: Final = 40
"""Deals among which hands without new and changed cards are looked for, so that all are compared in the same ones."""
TURNS: Final = 3
"""Own turns of a short race."""
PILE: Final = 1
"""Cards that are left of every pile of a deal: what comes later changes little in so few turns."""


def questions(ruleset: Ruleset, cards: Sequence[str], seed: int) -> list[AuditQuestion]:
    """Return the questions about a ruleset, those first in which there are new or changed cards."""
    races = list(short_races(ruleset, seed))
    suite = _smallest_first(ruleset)
    hands = [hands_with(ruleset, card, cards, seed) for card in cards[:HELD]]
    held_races = [each for found in hands for each in found if RACE in each.id]
    puzzles = [[each for each in found if RACE not in each.id] for found in hands]
    changed = set(cards)
    there = [each for each in (*races, *suite) if not changed.isdisjoint(names_in(each.position.state))]
    rest = [each for each in (*races, *suite) if changed.isdisjoint(names_in(each.position.state))]
    return [*held_races, *there, *chain(*puzzles), *rest]


def hands_with(
    ruleset: Ruleset, card: str, cards: Sequence[str], seed: int, most: int | None = None
) -> list[AuditQuestion]:
    """Return questions with a card put into hands that have none of some cards: short races, then puzzles.

    So many of each (``HANDS`` if left out); the same hands for each of those cards.
    """
    many = HANDS if most is None else most
    bare = islice(short_races(ruleset, seed, without=frozenset(cards), most=FAR), many)
    races = [with_card for race in bare if (with_card := with_card_in_hand(race, card))]
    return [*races, *islice(filter(None, (with_card_in_hand(each, card) for each in _smallest_first(ruleset))), many)]


def _smallest_first(ruleset: Ruleset) -> list[AuditQuestion]:
    """Return the puzzles of the library that fit, those with the fewest cards first."""
    return sorted(library_suite(ruleset), key=lambda asked: (_size(asked.position.state), asked.id))


def short_races(
    ruleset: Ruleset, seed: int, without: frozenset[str] = frozenset(), most: int | None = None
) -> Iterator[AuditQuestion]:
    """Yield the question how far the first seat can come in a few turns, from open deals with cut piles.

    Of the first ``most`` deals (``DEALS`` if left out) those whose hand has none of some cards.
    """
    for number in range(DEALS if most is None else most):
        position = opening(ruleset, mix(seed ^ mix(number)))
        game: Any = position.game
        if not without.isdisjoint(game.hand(position.table())):
            continue
        if isinstance(game, Challenger) and any(
            each.measure is Measure.ROUNDS and each.players == 1 for each in game.challenges().values()
        ):
            return
        try:
            searchable(position)
        except BestlineError:
            return
        goal = Goal(Objective.MAX_DISTANCE, game.default_target(), TURNS)
        yield AuditQuestion(f"{RACE}{number}", cut(position), goal, None, ruleset.fingerprint)


def cut(position: Position) -> Position:
    """Return a deal of which every pile keeps its first cards only, where the rules allow it; hands stay."""
    game: Any = position.game
    hands = [sorted(game.hand(position.table(), seat)) for seat in range(position.players)]
    state = plain(position.state)
    for pile in list(lists(state)):
        rest = pile[PILE:]
        if rest and sorted(pile) not in hands:
            del pile[PILE:]
            if under(replace(position, state=state), position.ruleset) is None:
                pile += rest
    return replace(position, state=state)


def with_card_in_hand(asked: AuditQuestion, card: str) -> AuditQuestion | None:
    """Return a question with a card in the first seat's hand, instead of the first card there that can be missed.

    Nothing where the hand has the card already, where hands are no lists of card ids, and where the rules refuse it.
    """
    position = asked.position
    game: Any = position.game
    hand = sorted(game.hand(position.table()))
    if card in hand or position.pending:
        return None
    for given in dict.fromkeys(hand):
        state = plain(position.state)
        mine = next((each for each in lists(state) if sorted(each) == hand), None)
        if mine is None:
            return None
        mine[mine.index(given)] = card
        mine.sort()
        changed = under(replace(position, state=state), position.ruleset)
        if changed is not None:
            return AuditQuestion(f"{card}@{asked.id}", changed, asked.goal, None, asked.fingerprint)
    return None


def plain(value: Any) -> Any:
    """Return a state object as tables and lists that can be changed."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def lists(value: Any) -> Iterator[list[str]]:
    """Yield the lists of texts that a state object holds, empty ones left out."""
    if isinstance(value, list) and value and all(isinstance(entry, str) for entry in value):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from lists(inner)


def names_in(value: Any) -> Iterator[str]:
    """Yield the texts that a state object holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from names_in(inner)


def _size(value: Any) -> int:
    """Return how many cards a state object holds in all."""
    if isinstance(value, Mapping):
        return sum(_size(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return sum(isinstance(inner, str) or _size(inner) for inner in value)
    return 0


# Questions about dealt openings: what PAR asks where no puzzle of the library fits a ruleset


OPENING_DEALS: Final = 8
"""Openings dealt."""
WITHIN: Final = 3
"""Turns that are asked for."""
OPENING_HELD: Final = 4
"""Cards that are put into hands,"""
OPENING_HANDS: Final = 3
"""and openings whose hands each is put into."""


def openings(ruleset: Ruleset, cards: Sequence[str]) -> Iterator[tuple[AuditQuestion, AuditQuestion]]:
    """Yield questions, each under the edition and under the ruleset that begins with it; those with a card held first.

    ``cards`` are the new and changed ones. Nothing where nobody can play alone.
    """
    edition = edition_of(ruleset)
    if edition.definition.players_allowed(edition)[0] > 1:
        return
    dealt = [
        asked_from(f"deal-{number + 1}", cut(new_position(edition, 1, mix(number)))) for number in range(OPENING_DEALS)
    ]
    for card in cards[:OPENING_HELD]:
        with_card = [each for each in (with_card_in_hand(asked, card) for asked in dealt) if each is not None]
        yield from _pairs(with_card[:OPENING_HANDS], ruleset)
    yield from _pairs(dealt, ruleset)


def _pairs(asked: Sequence[AuditQuestion], ruleset: Ruleset) -> Iterator[tuple[AuditQuestion, AuditQuestion]]:
    for each in asked:
        now = under(each.position, ruleset)
        if now is not None:
            yield each, asked_from(each.id, now)


def asked_from(name: str, position: Position, stated: int | None = None) -> AuditQuestion:
    """Return the question about an opening, with what it is worth under the edition where that is known."""
    goal = Goal(Objective.MAX_DISTANCE, 0, within_turns=WITHIN)
    return AuditQuestion(name, position, goal, stated, edition_of(position.ruleset).fingerprint)
