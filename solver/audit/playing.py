"""Seeded play of whole games, and what a sample of them says: shares and means with their 95 % intervals.

Deals are open, so that one seed is one game under every ruleset, and samples are paired. Nobody plays well here: the
better of a few ways through each turn is taken. What is said of such play is said of the ruleset, not of good players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from rules.core.chance import mix
from rules.core.position import Position, new_position
from rules.core.registry import Ruleset
from solver.audit.recorded import Recorded, guided, mover, play, race_of

SIGMA: Final = 1.96
"""Standard errors on either side of an estimate that make an interval of 95 %."""
WAYS: Final = 2
"""Ways through a turn of which the better one is taken."""
TURNS: Final = 1500
"""Turns of all players after which a game is given up,"""
HAND: Final = 15
"""and cards in the hand of whoever is to move: the ways to pay with more are too many to list."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a sample says of one number."""

    n: int
    value: float
    low: float
    high: float

    @property
    def words(self) -> str:
        """Return it with its interval and the size of the sample."""
        return f"{self.value:.3g} (95 % interval {self.low:.3g} to {self.high:.3g}, n = {self.n})"

    @property
    def numbers(self) -> dict[str, Any]:
        """Return it as data of a finding, to four places."""
        return {"share": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4), "n": self.n}


def dealt(ruleset: Ruleset, players: int, seed: int, number: int) -> Position:
    """Return an open deal, the same for every ruleset of a game.

    Raises:
        UnsupportedRuleset: the engine cannot carry an option of the ruleset.
    """
    return new_position(ruleset, players, mix(seed ^ mix(number)))


def played(position: Position, seed: int, turns: int = TURNS) -> Recorded:
    """Return a game in which every seat takes the better of a few random ways through each of its turns."""
    game = race_of(position)

    def has_too_many(table: Any) -> bool:
        return len(game.hand(table, mover(game, table))) > HAND

    return play(position, guided(position, mix(seed), WAYS), turns, stop=has_too_many)


def share(hits: int, n: int) -> Estimate:
    """Return a share with its Wilson interval (Wilson 1927), which holds for small samples and for none or all."""
    if n == 0:
        return Estimate(0, 0.0, 0.0, 1.0)
    part, square = hits / n, SIGMA**2
    middle = (part + square / (2 * n)) / (1 + square / n)
    half = SIGMA / (1 + square / n) * sqrt(part * (1 - part) / n + square / (4 * n * n))
    return Estimate(n, part, max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Sequence[float]) -> Estimate:
    """Return a mean with its normal interval; without bounds for fewer than two values."""
    n = len(values)
    if n < 2:
        return Estimate(n, values[0] if values else 0.0, float("-inf"), float("inf"))
    middle = sum(values) / n
    half = SIGMA * sqrt(sum((value - middle) ** 2 for value in values) / (n - 1) / n)
    return Estimate(n, middle, middle - half, middle + half)
