"""What a table amounts to: what only tells the time, what nobody has too much of, and everything else.

Two tables with the same ``rest`` and no smaller ``goods`` differ in nothing that a line of play has used up. A game
names the fields of its ``state`` object that count time and those that are goods, as dotted paths in which ``*`` stands
for every place of a list or key of a table; a game that names none is compared by its whole state but for the usual
words for time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.core.files import canonical_json
from rules.core.race import Race

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tally:
    """One table, taken apart."""

    rest: str
    """Canonical JSON of everything that is neither time nor goods."""
    goods: Mapping[str, int]
    """How much there is of each good: a number by its path, a list by its path and each entry."""

    def gains(self, before: Tally) -> dict[str, int] | None:
        """Return what is more than ``before``, or nothing at all where something was used up or has changed."""
        if self.rest != before.rest:
            return None
        names = {*self.goods, *before.goods}
        more = {name: self.goods.get(name, 0) - before.goods.get(name, 0) for name in names}
        if any(change < 0 for change in more.values()):
            return None
        return {name: change for name, change in sorted(more.items()) if change}


def tally(game: Race[T], table: T) -> Tally:
    """Return a table taken apart as its game says."""
    state = game.encode(table)
    goods: dict[str, int] = {}
    for path in game.goods:
        for name, value in _take(state, path.split("."), ""):
            if isinstance(value, list):
                for entry in value:
                    key = f"{name}: {entry if isinstance(entry, str) else canonical_json(entry)}"
                    goods[key] = goods.get(key, 0) + 1
            else:
                goods[name] = int(value)
    for path in game.clocks:
        for _ in _take(state, path.split("."), ""):
            pass
    return Tally(canonical_json(state), goods)


def _take(value: Any, path: list[str], name: str) -> Iterator[tuple[str, Any]]:
    """Take what a path means out of a state object, and yield it by its full name."""
    head, rest = path[0], path[1:]
    if isinstance(value, dict):
        keys: list[Any] = [key for key in value if head in ("*", key)]
    elif isinstance(value, list):
        keys = list(range(len(value))) if head == "*" else []
    else:
        keys = []
    for key in keys:
        inner = f"{name}.{key}" if name else str(key)
        if rest:
            yield from _take(value[key], rest, inner)
        else:
            found, value[key] = value[key], None
            yield inner, found
