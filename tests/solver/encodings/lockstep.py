"""The contract of an encoding: the turn ends of its rows are the turn ends of the rules, table by table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any, NamedTuple

from rules.core.scripts import Forced
from rules.iditacards import state
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from solver.encodings.iditacards.encoding import Encoding, supports
from solver.encodings.iditacards.rows import row_of, table_of
from tests.solver.encodings.layers import expanded
from tests.solver.encodings.positions import EARLY

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
    """Compare the distinct ends of the next turn by the rules and by the machine, as tables and as keys."""
    lacking = supports(game, table, 0)
    if lacking:
        return Compared(0, lacking)
    ways: dict[Table, tuple[Any, ...]] = {}
    for number, end in enumerate(game.turn_ends(table)):
        if number >= most:
            return Compared(0, ("as many ways through the turn",))
        ways.setdefault(end.table, end.steps)
    encoding = Encoding(game, table, rules=EARLY)
    again = table_of(encoding.tables, row_of(encoding.tables, table))
    if again != table:
        return Compared(len(ways), (), "round trip of a row:\n" + _unlike(again, table))
    difference = _compare(ways, table_ends(Encoding(game, table, rules=frozenset()), table))
    return Compared(len(ways), (), difference or _compare_keys(encoding, ways))


def table_ends(encoding: Encoding, table: Table) -> set[Table]:
    """Return the tables that the machine makes of the turn of one table, where keys leave nothing out."""
    turns = table.players[0].turns + 1
    tables = map(encoding.table, encoding.successors(encoding.root))
    return {each._replace(players=(each.players[0]._replace(turns=turns),)) for each in tables}


def _compare(ways: Mapping[Table, tuple[Any, ...]], ends: Set[Table]) -> str:
    """Return the first differences in words."""
    missing, extra = [each for each in ways if each not in ends], [each for each in ends if each not in ways]
    if not missing and not extra:
        return ""
    lines = [f"{len(ways)} ends by the rules, {len(ends)} by the machine"]
    for each in islice(missing, SHOWN):
        steps = "; ".join(step.text for step in ways[each] if not isinstance(step, Forced))
        lines += [f"only by the rules, after {steps}:", *_nearest(each, extra or list(ends))]
    for each in islice(extra, SHOWN):
        lines += ["only by the machine:", *_nearest(each, missing or list(ways))]
    return "\n".join(lines)


def _compare_keys(encoding: Encoding, ways: Mapping[Table, tuple[Any, ...]]) -> str:
    keys = [end.key for end in expanded(encoding, [encoding.root])]
    wanted = {encoding.project(each): each for each in ways}
    if len(set(keys)) != len(keys):
        return "an end comes twice"
    if set(keys) != set(wanted):
        missing, extra = len(set(wanted) - set(keys)), len(set(keys) - set(wanted))
        return f"{len(wanted)} keys by the rules, {len(keys)} by expand, {missing} missing, {extra} more"
    unread = [each for each in keys if encoding.project(encoding.table(each)) != each]
    return f"{len(unread)} keys are not read back" if unread else ""


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
