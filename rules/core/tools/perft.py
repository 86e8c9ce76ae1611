"""Counting positions turn by turn: the test that tells whether two engines play the same game.

The name is chess programming's. Distinct positions at turn boundaries are counted, over all choices and all hidden
results of chance (section 19 of the Iditacards specification; it holds for every game).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from rules.core.files import canonical_json, digest
from rules.core.turns import Game, State

T = TypeVar("T")


@dataclass(frozen=True)
class Perft:
    """What can happen in a number of turns."""

    game: Game[Any]
    turns: int
    tables: Mapping[Any, int]
    """Distinct tables after exactly that many turns, the game not over, each with the number of lines to it."""
    over: frozenset[Any]
    """Distinct tables where the game is over, reached on any of the turns."""
    finished: int
    """Lines that end with those."""

    @property
    def positions(self) -> int:
        """Return how many positions there are after exactly that many turns, the game not over."""
        return len(self.tables)

    @property
    def lines(self) -> int:
        """Return the number of sequences of positions, one a turn, that last that many turns or end earlier."""
        return self.finished + sum(self.tables.values())

    @property
    def terminal(self) -> int:
        """Return how many positions there are where the game is over."""
        return len(self.over)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return the canonical forms of both kinds of positions, ascending."""
        return tuple(sorted(canonical_json(self.game.encode(table)) for table in (*self.tables, *self.over)))

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the canonical forms, one a line, as hexadecimal digits."""
        return digest(self.texts)


def perft(game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None) -> Perft:
    """Count what the next ``turns`` turns can lead to, as ``turn_by_turn`` does.

    Raises:
        ValueError: ``turns`` is negative.
    """
    *_, last = turn_by_turn(game, state, turns, look)
    return last


def turn_by_turn(
    game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None
) -> Iterator[Perft]:
    """Yield what 0, 1, … ``turns`` turns can lead to; the rest of a turn under way counts as the first.

    ``look`` is called for every way through a turn; what it raises ends the count.

    Raises:
        ValueError: ``turns`` is negative.
    """
    if turns < 0:
        raise ValueError(f"turns must be 0 or more, not {turns}")
    tables, over, finished = Counter({state.table: 1}), set[T](), 0
    for turn in range(turns + 1):
        if turn:
            before, tables = tables, Counter()
            for table, lines in before.items():
                ends: set[T] = set()
                for end in game.distinct_ends(table, state.pending if turn == 1 else ()):
                    look()
                    ends.add(end.table)
                tables.update(dict.fromkeys(ends, lines))
        for table in [table for table in tables if game.is_over(table)]:
            over.add(table)
            finished += tables.pop(table)
        yield Perft(game, turn, tables, frozenset(over), finished)


def divide(game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None) -> dict[str, Perft]:
    """Return the counts behind each first step that is open now, by its text.

    Two steps may lead to the same positions, so the counts can add up to more than the whole. ``look`` is as in
    ``turn_by_turn``.

    Raises:
        ValueError: ``turns`` is not at least 1.
    """
    if turns < 1:
        raise ValueError(f"dividing needs at least 1 turn, not {turns}")
    counts = {}
    for step in game.legal_moves(state) or game.chance_outcomes(state):
        after = game.apply(state, step).state
        counts[step.text] = replace(perft(game, after, turns - (not after.pending), look), turns=turns)
    return counts
