"""What chance and choice may bring beyond plain sums, told by a game to a search over packed beliefs.

A *way* of ``solver.search.beliefs`` may lead to one of these instead of a belief.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Ended(NamedTuple):
    """A belief after which no turn counts any more."""

    belief: int


class Elsewhere(NamedTuple):
    """A choice between ways over the beliefs of another question of the same game, with as many turns left."""

    beliefs: Any
    choice: list[list[Any]]


class Pick(NamedTuple):
    """Some cards are turned over together, unseen before, and one of them may be chosen, or what is there anyway."""

    n: int
    """Cards turned over."""
    pile: tuple[tuple[int, list[list[Any]]], ...]
    """Cards they are from: how many there are of each kind, and the choice that one of them opens."""
    kept: list[list[Any]]
    """The choice that is there whatever is turned over."""
