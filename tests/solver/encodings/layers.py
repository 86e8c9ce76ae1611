"""Keys turn by turn: what an encoding's layers look like to a search that keeps everything."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from solver.encodings.iditacards.encoding import Encoding
from solver.search.transposition_table import Ends


class End(NamedTuple):
    """One turn end as ``Ends`` has it."""

    key: bytes
    parent: int
    progress: int
    least: int
    days: int
    promise: int
    over: bool


def expanded(encoding: Encoding, keys: Iterable[bytes], target: int = 1) -> Iterator[End]:
    """Yield the ends of all sources, in as many calls as it takes."""
    sources = list(keys)
    offsets = array("q", accumulate(map(len, sources), initial=0))
    joined = array("B", b"".join(sources))
    at = 0
    while at < len(sources):
        ends = Ends()
        ends.enough = lambda _: False
        at = encoding.expand(joined, offsets, at, len(sources), target, ends)
        columns = (ends.parents, ends.progress, ends.least, ends.days, ends.promise, ends.flags)
        for number, key in enumerate(map(ends.key, range(ends.count))):
            parent, progress, least, days, promise, over = (int(column[number]) for column in columns)
            yield End(key, parent, progress, least, days, promise, bool(over))


def key_layers(encoding: Encoding, turns: int, most: int, target: int | None = None) -> Iterator[dict[bytes, End]]:
    """Yield the distinct ends after 1, 2, … turns; none any more where a layer has more than ``most``.

    What has reached the target goes no further.
    """
    sources = [encoding.root]
    for _ in range(turns):
        layer: dict[bytes, End] = {}
        for end in expanded(encoding, sources):
            layer.setdefault(end.key, end)
            if len(layer) > most:
                return
        yield layer
        sources = [key for key, end in layer.items() if target is None or end.progress < target]
