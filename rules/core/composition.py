"""Positions made up for a puzzle: a game deals one from random numbers, and says what may be asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.core.chance import SplitMix64

MIN_TURNS: Final = "min_turns"
MAX_DISTANCE: Final = "max_distance"
"""Objectives that games without challenges of their own are asked for."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A small position for one seat with everything open."""

    position: Mapping[str, Any]
    """As in a position file, game and ruleset left out."""
    goals: Sequence[Mapping[str, Any]]
    """As in a puzzle file, one for each objective that suits. Where fewest turns are asked and ``target`` is left out,
    whoever asks sets it to where ``within_turns`` turns get at most."""


def between(draw: SplitMix64, least: int, most: int) -> int:
    """Return a random number from ``least`` to ``most``."""
    return least + draw.below(most - least + 1)


def some(draw: SplitMix64, cards: Sequence[str], number: int) -> list[str]:
    """Return so many random cards out of some, or all where there are fewer, in random order."""
    return draw.shuffle(cards)[:number]
