"""The questions that restricted play is asked: puzzles of the library, and short races from deals with cut piles.

Each is so small that it is soon solved exactly. New and changed cards are put into the hands of both, each instead of
the same card, so that they can be compared one with another. A short race counts every unit of progress, which the
fewest turns of a puzzle do not; and there is one under every ruleset, whatever the library has. Games whose turns are
parts of a round (those with a challenge that counts rounds) have none: there a few turns come to nothing yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import Challenger, Measure
from rules.core.chance import mix
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.tools.relaxation import under
from solver.audit.recorded import opening
from solver.audit.suite import AuditQuestion, library_suite
from solver.solve import searchable

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
