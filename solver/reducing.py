"""Setting up less: what a position holds is taken out bit by bit, as long as a puzzle stays what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rules.core.position import Position
from rules.core.relaxation import under
from rules.core.ruleset import copied

R = TypeVar("R")

Path = tuple[str | int, ...]


def reduced(position: Position, found: R, again: Callable[[Position, R], R | None]) -> tuple[Position, R]:
    """Return a position from which nothing more can be taken out, and what is known of it.

    Single entries of its lists are tried once, the last ones of each first. ``again`` looks at a smaller position
    beside what was known of the larger one; it returns what is known now, or nothing where the position is to stay as
    it was. The result does not depend on a clock unless ``again`` does.
    """
    # Later places of a list come first, so that taking one out leaves the places of the others as they are.
    for path in list(_entries(position.state)):
        smaller = without(position, path)
        known = None if smaller is None else again(smaller, found)
        if smaller is not None and known is not None:
            position, found = smaller, known
    return position, found


def without(position: Position, path: Path) -> Position | None:
    """Return a position without one entry of a list of its state; nothing where the rules or the lists have no such."""
    state = copied(dict(position.state))
    *way, last = path
    inner: Any = state
    for part in way:
        if isinstance(inner, list) and (not isinstance(part, int) or part >= len(inner)):
            return None
        inner = inner[part]
    if not isinstance(inner, list) or not isinstance(last, int) or last >= len(inner):
        return None
    del inner[last]
    # A challenge is asked from the table it begins with, so whoever looks at the smaller one asks it again.
    return under(replace(position, state=state, aim=None, kept=None), position.ruleset)


def _entries(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the places of the entries of all lists of cards, or of what holds cards, in a state object."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _entries(inner, (*path, name))
    elif isinstance(value, list | tuple):
        for place in range(len(value) - 1, -1, -1):
            if isinstance(value[place], str):
                yield (*path, place)
            else:
                yield from _entries(value[place], (*path, place))
                if isinstance(value[place], Mapping):
                    yield (*path, place)
