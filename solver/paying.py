"""What to pay with, and what to do before, for the greatest chance of a card that takes several turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.position import Position
from rules.core.steps import Forced
from rules.core.ventures import Opening
from solver.payments import preferred


@dataclass(frozen=True, slots=True)
class Paying:
    """How a card is begun by whoever has its greatest chance."""

    before: tuple[str, ...]
    """Moves that come first, as texts,"""
    paid: tuple[str, ...]
    """then the hand cards to pay with, one choice of those that have the chance,"""
    further: int = 0
    """and so many cards that the hand does not hold yet."""


def paying(position: Position, card: str, opening: Opening[Any], hand: Sequence[str]) -> Paying:
    """Return how to begin a card by an opening of which every payment has the chance.

    It is the payment with the fewest cards beyond those of a ``hand``, and of these the one that leaves most.
    """
    own = Counter(hand)
    own[card] -= 1
    known = {way: tuple(sorted((Counter(way) & own).elements())) for way in opening.moves}
    most = max(map(len, known.values()))
    ways = [way for way, paid in known.items() if len(paid) == most]
    way = preferred(position, opening.table, card, ways)
    before = tuple(step.text for step in opening.before if not isinstance(step, Forced))
    return Paying(before, known[way], len(way) - most)
