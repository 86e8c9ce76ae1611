"""Questions about dealt openings: what ``PAR`` asks where no puzzle of the library fits a ruleset.

How far one gets alone within few turns, from openings that the edition deals: few turns, so that each is soon settled
under both. New and changed cards are put into the hands, since most openings have none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.chance import mix
from rules.core.position import Position, new_position
from rules.core.relaxation import under
from rules.core.ruleset import Ruleset
from solver.audit.questions import lists, plain
from solver.audit.suite import Asked, edition_of

DEALS: Final = 8
"""Openings dealt."""
WITHIN: Final = 2
"""Turns that are asked for."""
HELD: Final = 4
"""Cards that are put into hands,"""
HANDS: Final = 3
"""and openings whose hands each is put into."""


def openings(ruleset: Ruleset, cards: Sequence[str]) -> Iterator[tuple[Asked, Asked]]:
    """Yield questions, each under the edition and under the ruleset that begins with it; those with a card held first.

    ``cards`` are the new and changed ones. Nothing where nobody can play alone.
    """
    edition = edition_of(ruleset)
    if edition.definition.players_allowed(edition)[0] > 1:
        return
    dealt = {f"deal-{number + 1}": new_position(edition, 1, mix(number)) for number in range(DEALS)}
    for card in cards[:HELD]:
        hands = 0
        for name, position in dealt.items():
            with_card = held(position, card) if hands < HANDS else None
            hands += with_card is not None
            yield from _pair(f"{card}@{name}", with_card, ruleset)
    for name, position in dealt.items():
        yield from _pair(name, position, ruleset)


def _pair(name: str, position: Position | None, ruleset: Ruleset) -> Iterator[tuple[Asked, Asked]]:
    now = None if position is None else under(position, ruleset)
    if position is not None and now is not None:
        yield asked_from(name, position), asked_from(name, now)


def asked_from(name: str, position: Position) -> Asked:
    """Return the question about an opening."""
    goal = Goal(Objective.MAX_DISTANCE, 0, within_turns=WITHIN)
    return Asked(name, position, goal, None, edition_of(position.ruleset).fingerprint)


def held(position: Position, card: str) -> Position | None:
    """Return an opening with a card in the first seat's hand, instead of the first card there that can be missed.

    It comes from another place of the table, since the rules count what there is. Nothing where the hand has the card
    already, where there is none elsewhere, and where the rules refuse it.
    """
    game: Any = position.game
    hand = sorted(game.hand(position.table()))
    for given in () if card in hand else dict.fromkeys(hand):
        state = plain(position.state)
        mine = next((each for each in lists(state) if sorted(each) == hand), None)
        other = next((each for each in lists(state) if card in each), None)
        if mine is None or other is None:
            return None
        other.remove(card)
        mine[mine.index(given)] = card
        mine.sort()
        changed = under(replace(position, state=state), position.ruleset)
        if changed is not None:
            return changed
    return None
