"""The contract of an encoding: the turn ends of its rows are the turn ends of the rules, table by table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rules.core.steps import Forced
from rules.iditacards import state
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from solver.encodings.iditacards.rows import Rows

MOST = 6_000
"""Ways through one turn up to which a table is compared; the rules take their time."""
SHOWN = 3
"""Tables of each kind that a report shows."""


class Compared(NamedTuple):
    """What became of one comparison."""

    ends: int
    """Distinct turn ends; 0 where the table was not compared."""
    lacking: tuple[str, ...] = ()
    """What the encoding does not carry, or that there were too many ways."""
    difference: str = ""
    """The first differences in words, empty where there are none."""


def lockstep(game: Iditacards, table: Table, most: int = MOST) -> Compared:
    """Compare the distinct ends of the next turn by the rules and by the machine."""
    lacking = Rows.lacking(game, table)
    if lacking:
        return Compared(0, lacking)
    ways = {}
    for number, end in enumerate(game.turn_ends(table)):
        if number >= most:
            return Compared(0, ("as many ways through the turn",))
        ways.setdefault(end.table, end.steps)
    rows = Rows(game, table)
    if rows.table(rows.row(table)) != table:
        return Compared(len(ways), (), "round trip:\n" + _unlike(rows.table(rows.row(table)), table))
    ends = {rows.table(row) for row in rows.ends(rows.row(table))}
    missing, extra = [each for each in ways if each not in ends], [each for each in ends if each not in ways]
    if not missing and not extra:
        return Compared(len(ways))
    lines = [f"{len(ways)} ends by the rules, {len(ends)} by the machine"]
    for each in islice(missing, SHOWN):
        steps = "; ".join(step.text for step in ways[each] if not isinstance(step, Forced))
        lines += [f"only by the rules, after {steps}:", *_nearest(each, extra or list(ends))]
    for each in islice(extra, SHOWN):
        lines += ["only by the machine:", *_nearest(each, missing or list(ways))]
    return Compared(len(ways), (), "\n".join(lines))


def _nearest(table: Table, others: Sequence[Table]) -> Iterator[str]:
    """Yield how a table differs from the one among others that is most like it."""
    likest = min(others, key=lambda other: len(_unlike(table, other)), default=None)
    yield _unlike(table, likest) if likest is not None else "  no other end"


def _unlike(one: Table, other: Table) -> str:
    """Return the fields in which two tables differ, a line each."""
    first, second = _flat(state.encode(one)), _flat(state.encode(other))
    return "\n".join(f"  {name}: {first[name]} / {second[name]}" for name in first if first[name] != second[name])


def _flat(encoded: dict[str, Any]) -> dict[str, Any]:
    player = encoded["players"][0]
    return {**{name: value for name, value in encoded.items() if name != "players"}, **player}
