from __future__ import annotations

import importlib.machinery
import importlib.util
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.search import transposition_table as imported
from solver.search.budget import BudgetExceeded


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
PLAIN.key_slots = as_plain_python("key_slots")
both_forms = pytest.mark.parametrize("module", [imported, PLAIN], ids=["imported", "plain"])
Reached = tuple[bytes, int]
"""A key, and the place of its parent in the sources."""
MEMORY = 1 << 24


def ends_of(reached: list[Reached]) -> Any:
    """Return ends whose keys do not begin at offset 0 and whose arrays are longer than needed."""
    keys = b"??" + b"".join(key for key, _ in reached) + b"???"
    numbers = np.arange(len(reached) + 3, dtype=np.int16)
    return SimpleNamespace(
        keys=np.frombuffer(keys, np.uint8),
        offsets=np.cumsum([2, *(len(key) for key, _ in reached), 2]).astype(np.int64),
        parents=np.array([parent for _, parent in reached] + [77, 77], np.int32),
        progress=numbers * 3,
        least=numbers * 5,
        days=numbers * 7,
        promise=numbers.astype(np.int32) * 11,
        count=len(reached),
    )


@dataclass
class Model:
    """What the table must say, kept in a dict."""

    rows: dict[bytes, list[int]] = field(default_factory=dict)
    """Parent, turn, progress, least and days of each key in the order of arrival."""

    def add(self, reached: list[Reached], sources: list[int], turn: int) -> tuple[list[int], list[int]]:
        places, outcomes = [], []
        for n, (key, parent) in enumerate(reached):
            known = self.rows.get(key)
            outcome = imported.NEW if known is None else imported.BETTER if known[1] > turn else imported.KNOWN
            if outcome != imported.KNOWN:
                self.rows[key] = [sources[parent], turn, 3 * n, 5 * n, 7 * n]
            places.append(list(self.rows).index(key))
            outcomes.append(outcome)
        return places, outcomes


def check_same(table: Any, model: Model) -> None:
    columns = zip(table.parents, table.turns, table.progress, table.least, table.days, strict=True)
    assert [list(map(int, row)) for row in columns] == list(model.rows.values())
    keys = list(model.rows)
    assert len(table) == len(keys)
    assert [table.key(index) for index in range(len(keys))] == keys
    backwards = np.arange(len(keys), dtype=np.int32)[::-1]
    gathered, offsets = table.gather(backwards)
    assert gathered.tobytes() == b"".join(reversed(keys))
    assert np.diff(offsets).tolist() == [len(key) for key in reversed(keys)]


KEYS = st.binary(min_size=1, max_size=9) | st.sampled_from([b"\0", b"\0\0", b"\0" * 4, b"\xff" * 4, b"\xff" * 300])
TURNS = st.lists(st.tuples(st.integers(1, 9), st.lists(KEYS, max_size=30)), max_size=8)


@both_forms
@given(turns=TURNS, draw=st.data())
def test_the_table_is_a_dict_of_earliest_turns(module: Any, turns: list[tuple[int, list[bytes]]], draw: Any) -> None:
    table = module.Positions(MEMORY)
    model = Model({b"start": [-1, 0, 1, 2, 3]})
    assert table.start(b"start", 1, 2, 3) == 0
    for turn, keys in turns:
        sources = draw.draw(st.lists(st.integers(0, len(model.rows) - 1), min_size=1, max_size=5))
        reached = [(key, n % len(sources)) for n, key in enumerate(keys)]
        outcomes = np.full(len(reached) + 4, 99, np.uint8)
        expected = model.add(reached, sources, turn)
        places = table.add(ends_of(reached), np.array(sources, np.int32), turn, outcomes)
        assert (places.tolist(), outcomes[: len(reached)].tolist()) == expected
    check_same(table, model)


@both_forms
def test_many_keys_grow_every_part(module: Any) -> None:
    table = module.Positions(MEMORY)
    table.start(b"start")
    model = Model({b"start": [-1, 0, 0, 0, 0]})
    for turn in range(1, 6):
        reached = [(str(n * n % 1700 * turn).encode() * (1 + n % 3), 0) for n in range(1000)]
        for key, _ in reached:
            model.rows.setdefault(key, [])
        table.add(ends_of(reached), np.array([0], np.int32), turn, np.zeros(1000, np.uint8))
    assert [table.key(index) for index in range(len(table))] == list(model.rows)
    assert table.bytes_used <= MEMORY


@both_forms
def test_memory_is_a_bound_and_what_was_added_stays(module: Any) -> None:
    table = module.Positions(30_000)
    table.start(b"start")

    def add_for_ever() -> None:
        for turn in count(1):
            reached = [(f"{turn} {n}".encode(), 0) for n in range(20)]
            table.add(ends_of(reached), np.array([0], np.int32), turn, np.zeros(20, np.uint8))

    with pytest.raises(BudgetExceeded):
        add_for_ever()
    assert 15_000 < table.bytes_used <= 30_000
    turn = int(table.turns[-1]) + 1
    assert len(table) == 1 + 20 * (turn - 1)
    assert table.key(1) == b"1 0"


@both_forms
def test_a_chain_leads_from_the_start_by_earliest_parents(module: Any) -> None:
    table = module.Positions(MEMORY)
    outcomes = np.zeros(3, np.uint8)
    start = table.start(b"a")
    b, c = table.add(ends_of([(b"b", 0), (b"c", 0)]), np.array([start], np.int32), 4, outcomes)
    (d,) = table.add(ends_of([(b"d", 0)]), np.array([b], np.int32), 7, outcomes)
    assert table.chain(d) == [b"a", b"b", b"d"]
    assert table.add(ends_of([(b"d", 0)]), np.array([c], np.int32), 5, outcomes).tolist() == [d]
    assert outcomes[0] == module.BETTER
    assert table.chain(d) == [b"a", b"c", b"d"]
    assert (table.start(b"a"), len(table)) == (start, 4)


@both_forms
def test_flags_are_the_callers_and_stay(module: Any) -> None:
    table = module.Positions(MEMORY)
    table.start(b"a")
    table.flags[0] |= 5
    for turn in range(1, 9):
        table.add(ends_of([(bytes([turn]) * 50, 0)] * 2), np.array([0], np.int32), turn, np.zeros(2, np.uint8))
    assert table.flags.tolist() == [5] + [0] * 8


@both_forms
@pytest.mark.parametrize("key", [b"", b"x" * 65536], ids=["empty", "too long"])
def test_keys_that_cannot_be_are_refused_whole(module: Any, key: bytes) -> None:
    table = module.Positions(MEMORY)
    with pytest.raises(ValueError, match="1 to 65535 bytes"):
        table.start(key)
    with pytest.raises(ValueError, match="1 to 65535 bytes"):
        table.add(ends_of([(b"good", 0), (key, 0)]), np.array([0], np.int32), 1, np.zeros(2, np.uint8))
    assert len(table) == 0
    assert table.start(b"y" * 65535) == 0


@given(key=st.binary(min_size=1, max_size=40))
def test_hashes_have_31_bits(key: bytes) -> None:
    assert 0 <= PLAIN.key_slots.mixed(key, 0, len(key)) < 1 << 31
