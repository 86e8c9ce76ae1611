"""Questions about dealt openings: what ``PAR`` asks where no puzzle of the library fits a ruleset.

How far one gets alone within few turns, from openings that the edition deals, with cut piles, so that each is soon
settled under both. New and changed cards are put into the hands, since most openings have none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from puzzles.goal import Goal, Objective
from rules.core.chance import mix
from rules.core.position import Position, new_position
from rules.core.registry import Ruleset
from rules.core.tools.relaxation import under
from solver.audit.questions import cut, with_card_in_hand
from solver.audit.suite import AuditQuestion, edition_of

DEALS: Final = 8
"""Openings dealt."""
WITHIN: Final = 3
"""Turns that are asked for."""
HELD: Final = 4
"""Cards that are put into hands,"""
HANDS: Final = 3
"""and openings whose hands each is put into."""


def openings(ruleset: Ruleset, cards: Sequence[str]) -> Iterator[tuple[AuditQuestion, AuditQuestion]]:
    """Yield questions, each under the edition and under the ruleset that begins with it; those with a card held first.

    ``cards`` are the new and changed ones. Nothing where nobody can play alone.
    """
    edition = edition_of(ruleset)
    if edition.definition.players_allowed(edition)[0] > 1:
        return
    dealt = [asked_from(f"deal-{number + 1}", cut(new_position(edition, 1, mix(number)))) for number in range(DEALS)]
    for card in cards[:HELD]:
        with_card = [each for each in (with_card_in_hand(asked, card) for asked in dealt) if each is not None]
        yield from _pairs(with_card[:HANDS], ruleset)
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
