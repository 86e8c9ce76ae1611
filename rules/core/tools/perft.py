"""Counting positions turn by turn: the test that tells whether two engines play the same game.

The name is chess programming's. Distinct positions at turn boundaries are counted, over all choices and all hidden
results of chance (section 19 of the Iditacards specification; it holds for every game).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

from rules.core.files import canonical_json, digest
from rules.core.turns import Game, State

T = TypeVar("T")


@dataclass(frozen=True)
class Perft:
    """What can happen in a number of turns."""

    turns: int
    positions: int
    """Distinct positions after exactly that many turns, the game not over."""
    lines: int
    """Sequences of positions, one a turn, that last that many turns or end earlier."""
    terminal: int
    """Distinct positions where the game is over, reached on any of the turns."""
    texts: tuple[str, ...]
    """Canonical forms of both kinds of positions, ascending."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical forms, one a line, as hexadecimal digits."""
        return digest(self.texts)


def perft(game: Game[T], state: State[T], turns: int) -> Perft:
    """Count what the next ``turns`` turns can lead to.

    A state in the middle of a turn counts the rest of that turn as the first. Section 19 of the Iditacards
    specification.

    Raises:
        ValueError: ``turns`` is negative.
    """
    *_, last = turn_by_turn(game, state, turns)
    return last()


def turn_by_turn(
    game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None
) -> Iterator[Callable[[], Perft]]:
    """Yield after 0, 1, … ``turns`` turns what tells the count so far, until the next one is asked for.

    ``look`` is called for every way through a turn; what it raises ends the count.

    Raises:
        ValueError: ``turns`` is negative.
    """
    if turns < 0:
        raise ValueError(f"turns must be 0 or more, not {turns}")
    whole = Counter({state.table: 1})
    if not state.pending or turns == 0:
        yield from _count(game, whole, 0, turns, look)
        return
    yield from _count(game, whole, 0, 0, look)
    yield from _count(game, Counter(_ends(game, state, look)), 1, turns, look)


def divide(game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None) -> dict[str, Perft]:
    """Return the counts behind each first step that is open now, by its text.

    Two steps may lead to the same positions, so the counts can add up to more than the whole. ``look`` is as in
    ``turn_by_turn``.

    Raises:
        ValueError: ``turns`` is not at least 1.
    """
    if turns < 1:
        raise ValueError(f"dividing needs at least 1 turn, not {turns}")
    counts: dict[str, Perft] = {}
    for step in game.legal_moves(state) or game.chance_outcomes(state):
        after = game.apply(state, step).state
        ends = _ends(game, after, look) if after.pending else {after.table}
        *_, last = _count(game, Counter(ends), 1, turns, look)
        counts[step.text] = last()
    return counts


def _ends(game: Game[T], state: State[T], look: Callable[[], None]) -> set[T]:
    """Return the distinct tables at the end of the turn that ``state`` is in."""
    found: set[T] = set()
    for end in game.distinct_ends(state.table, state.pending):
        look()
        found.add(end.table)
    return found


def _count(
    game: Game[T], start: Counter[T], first: int, last: int, look: Callable[[], None]
) -> Iterator[Callable[[], Perft]]:
    """Count from the tables after ``first`` turns on, each with the number of lines that lead to it."""
    over: set[T] = set()
    finished = 0
    tables = start
    for turn in range(first, last + 1):
        for table in [table for table in tables if game.is_over(table)]:
            over.add(table)
            finished += tables.pop(table)
        yield partial(_counted, game, turn, tables, over, finished)
        if turn == last:
            break
        reached: Counter[T] = Counter()
        for table, lines in tables.items():
            for end in _ends(game, State(table), look):
                reached[end] += lines
        tables = reached


def _counted(game: Game[T], turns: int, tables: Counter[T], over: set[T], finished: int) -> Perft:
    return Perft(
        turns=turns,
        positions=len(tables),
        lines=finished + tables.total(),
        terminal=len(over),
        texts=tuple(sorted(canonical_json(game.encode(table)) for table in (*tables, *over))),
    )
