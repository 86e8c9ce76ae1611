from __future__ import annotations

import importlib.machinery
import importlib.util
from array import array
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.search import transposition_table as imported
from solver.search.budget import BudgetExceeded
from solver.search.iterative_deepening import most_promising
from solver.search.transposition_table import Ends


def as_plain_python(name: str) -> Any:
    """Return a module of the search run as it is, also where the compiled one is imported."""
    path = Path(imported.__file__).parent / f"{name}.py"
    loader = importlib.machinery.SourceFileLoader(f"plain_{name}", str(path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


PLAIN = as_plain_python("transposition_table")
both_forms = pytest.mark.parametrize("module", [imported, PLAIN], ids=["imported", "plain"])
Reached = tuple[bytes, int]
"""A key, and the place of its parent in the sources."""
MEMORY = 1 << 24


def ends_of(reached: list[Reached]) -> Ends:
    """Return ends with these keys, for each of which all other numbers differ."""
    ends = Ends()
    for n, (key, parent) in enumerate(reached):
        ends.put(key, parent, 3 * n, 5 * n, 7 * n, 11 * n, False)
    return ends


def added(table: Any, reached: list[Reached], sources: list[int], turn: int) -> None:
    ends = ends_of(reached)
    table.add(ends, array("i", sources), turn, 0)


def begun(table: Any, key: bytes, progress: int = 0, least: int = 0, days: int = 0) -> None:
    """Add a position that nothing leads to."""
    ends = Ends()
    ends.put(key, 0, progress, least, days, 0, False)
    table.add(ends, array("i", [-1]), 0, 0)


@dataclass
class Model:
    """What the table must say, kept in a dict."""

    rows: dict[bytes, list[int]] = field(default_factory=dict)
    """Parent, turn, progress, least and days of each key in the order of arrival."""

    def add(self, reached: list[Reached], sources: list[int], turn: int) -> None:
        for n, (key, parent) in enumerate(reached):
            known = self.rows.get(key)
            if known is None or known[1] > turn:
                self.rows[key] = [sources[parent], turn, 3 * n, 5 * n, 7 * n]


def check_same(table: Any, model: Model) -> None:
    columns = zip(table.parents, table.turns, table.progress, table.least, table.days, strict=True)
    keys = list(model.rows)
    assert [list(row) for row in columns][: table.count] == list(model.rows.values())
    assert table.count == len(keys)
    assert [table.key(index) for index in range(len(keys))] == keys
    gathered, offsets = table.gather(array("i", range(len(keys))[::-1]))
    assert gathered.tobytes() == b"".join(reversed(keys))
    assert [end - start for start, end in pairwise(offsets)] == [len(key) for key in reversed(keys)]


KEYS = st.binary(min_size=1, max_size=9) | st.sampled_from([b"\0", b"\0\0", b"\0" * 4, b"\xff" * 4, b"\xff" * 300])
TURNS = st.lists(st.tuples(st.integers(1, 9), st.lists(KEYS, max_size=30)), max_size=8)


@both_forms
@given(turns=TURNS, draw=st.data())
def test_the_table_is_a_dict_of_earliest_turns(module: Any, turns: list[tuple[int, list[bytes]]], draw: Any) -> None:
    table = module.Positions(MEMORY)
    model = Model({b"start": [-1, 0, 1, 2, 3]})
    begun(table, b"start", 1, 2, 3)
    for turn, keys in turns:
        sources = draw.draw(st.lists(st.integers(0, len(model.rows) - 1), min_size=1, max_size=5))
        reached = [(key, n % len(sources)) for n, key in enumerate(keys)]
        model.add(reached, sources, turn)
        added(table, reached, sources, turn)
    check_same(table, model)


@both_forms
def test_many_keys_grow_every_part(module: Any) -> None:
    table = module.Positions(MEMORY)
    begun(table, b"start")
    keys = {b"start": None}
    for turn in range(1, 6):
        reached = [(str(n * n % 1700 * turn).encode() * (1 + n % 3), 0) for n in range(1000)]
        keys |= dict.fromkeys(key for key, _ in reached)
        added(table, reached, [0], turn)
    assert [table.key(index) for index in range(table.count)] == list(keys)
    assert table.bytes_used <= MEMORY


@both_forms
def test_memory_is_a_bound_and_what_was_added_stays(module: Any) -> None:
    table = module.Positions(30_000)
    begun(table, b"start")

    def add_for_ever() -> None:
        for turn in count(1):
            added(table, [(f"{turn} {n}".encode(), 0) for n in range(20)], [0], turn)

    with pytest.raises(BudgetExceeded):
        add_for_ever()
    assert 15_000 < table.bytes_used <= 30_000
    turn = table.turns[table.count - 1] + 1
    assert table.count == 1 + 20 * (turn - 1)
    assert table.key(1) == b"1 0"


@both_forms
def test_what_is_reached_earlier_waits_again_with_its_new_parent(module: Any) -> None:
    table = module.Positions(MEMORY)
    begun(table, b"a", least=9)
    added(table, [(b"b", 0), (b"c", 0)], [0], 4)
    added(table, [(b"d", 0)], [1], 7)
    table.mark(array("i", [0, 1, 3]))
    assert table.where(0, -1, 99).tolist() == [2]
    added(table, [(b"d", 0)], [2], 8)
    assert (table.parents[3], table.where(0, -1, 99).tolist()) == (1, [2])
    added(table, [(b"d", 0)], [2], 5)
    assert (table.parents[3], table.where(0, -1, 99).tolist()) == (2, [2, 3])
    assert (table.where(0, 5, 99).tolist(), table.where(0, 4, 99).tolist()) == ([3], [2])
    begun(table, b"a", least=9)
    assert (table.count, table.totals[0]) == (4, 9)


@both_forms
def test_a_part_has_the_same_keys_and_columns(module: Any) -> None:
    table, part = module.Positions(MEMORY), module.Positions(MEMORY)
    added(table, [(bytes([n]) * (n + 1), 0) for n in range(40)], [0], 1)
    part.take(table, array("i", [39, 0, 7]), array("i", range(40)))
    assert list(part.parents[:3]) == [39, 0, 7]
    assert [part.key(index) for index in range(part.count)] == [table.key(index) for index in (39, 0, 7)]
    assert [part.promise[index] for index in range(3)] == [11 * 39, 0, 77]


@both_forms
@given(promises=st.lists(st.integers(-5, 5), min_size=1, max_size=30), width=st.integers(1, 40))
def test_the_most_promising_come_first_and_equal_ones_in_order(module: Any, promises: list[int], width: int) -> None:
    table, ends = module.Positions(MEMORY), Ends()
    for number, promise in enumerate(promises):
        ends.put(bytes([number]), 0, 0, 0, 0, promise, False)
    table.add(ends, array("i", [0]), 0, 0)
    found = most_promising(table, width).tolist()
    assert [promises[index] for index in found] == sorted(promises, reverse=True)[:width]
    assert found == sorted(set(found), key=lambda index: (-promises[index], index))


@both_forms
def test_many_short_keys_after_a_long_one_take_no_more_room_than_they_need(module: Any) -> None:
    ends = module.Ends()
    ends.put(bytes(5000), 0, 0, 0, 0, 0, False)
    for number in range(1000):
        ends.put(number.to_bytes(2, "big"), 0, 0, 0, 0, 0, False)
    assert (ends.key(0), ends.key(1000)) == (bytes(5000), (999).to_bytes(2, "big"))
    assert len(ends.arena) <= 2 * 7000


@both_forms
def test_totals_and_what_cannot_arrive(module: Any) -> None:
    table, ends = module.Positions(MEMORY), Ends()
    for number, (least, over) in enumerate([(0, True), (3, False), (5, False), (30_000, False), (1, True)]):
        ends.put(bytes([number]), 0, number, least, -number, 0, over)
    table.add(ends, array("i", [0]), 2, 6)
    assert (table.least_total(2), table.least_total(1)) == (6, 30_000)
    assert [table.where(0, 2, total).tolist() for total in (5, 6, 7)] == [[], [1], [1, 2]]
    assert [table.best(2, target, far) for target, far in ((0, 0), (0, 1), (3, 0))] == [2, 2, -1]
    assert table.cut(4) == 2


@given(key=st.binary(min_size=1, max_size=40))
def test_hashes_have_31_bits(key: bytes) -> None:
    assert 0 <= PLAIN.mixed(key, 0, len(key)) < 1 << 31
