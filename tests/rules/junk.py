"""Values that belong nowhere, put anywhere: what is read then is refused, and never breaks the reader."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value within another one."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for name, part in inner for place in places(part, (*path, name))]


def spoil(data: st.DataObject, table: Any, junk: Sequence[Any]) -> None:
    """Put some junk in the place of some value."""
    *outer, last = data.draw(st.sampled_from(places(table)))
    for part in outer:
        table = table[part]
    table[last] = copy.deepcopy(data.draw(st.sampled_from(junk)))
