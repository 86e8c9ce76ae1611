from __future__ import annotations

from rules.core.scripts import SplitMix64
from solver.search.row_values import HashTable


def test_every_entry_is_found_with_its_data_while_the_table_grows() -> None:
    table, generator = HashTable(4, 1 << 16, 16), SplitMix64(1)
    known: dict[tuple[int, int], int] = {}
    for number in range(500):
        a, c = generator.next() & 0xFF00FF | 1, generator.next()  # many begin at the same place
        assert table.find(a, c) == -1
        at = table.insert(a, c)
        table.signed[at + 2], table.doubles[at + 3] = -number, number / 8
        known[a, c] = number
    assert table.filled == len(known)
    for (a, c), number in known.items():
        at = table.find(a, c)
        assert (table.signed[at + 2], table.doubles[at + 3]) == (-number, number / 8)


def test_a_full_table_takes_nothing_more_and_keeps_what_it_has() -> None:
    table = HashTable(3, 0, 16)
    inserted = [table.insert(n, 7) >= 0 for n in range(1, 20)]
    assert inserted == sorted(inserted, reverse=True)
    assert 0 < table.filled < 16
    assert all(table.find(n, 7) >= 0 for n in range(1, table.filled + 1))
