from __future__ import annotations

from itertools import product

import pytest

from solver.model.exchange import Change, gaining, round_trip, weights

BRIBES: dict[str, Change] = {"give": {"ap": -5, "rp": 3}, "take": {"ap": 5, "rp": -5}, "deal": {"ap": 2, "rp": -3}}
NUMBERS = (-3, -1, 0, 2)


def test_a_mix_that_gains_is_the_smallest() -> None:
    found = gaining({**BRIBES, "give": {"ap": -5, "rp": 6}})
    assert found is not None
    assert (found.times, found.change) == ({"give": 1, "take": 1}, {"ap": 0, "rp": 1})


def test_where_nothing_gains_weights_show_it_and_the_way_round_is_told() -> None:
    assert gaining(BRIBES) is None
    assert weights(BRIBES) == {"ap": 1, "rp": 1}
    found = round_trip(BRIBES)
    assert found is not None
    assert (found.times, found.change) == ({"give": 1, "take": 1}, {"ap": 0, "rp": -2})


@pytest.mark.parametrize("numbers", list(product(NUMBERS, repeat=4))[::9])
def test_either_a_mix_gains_or_weights_forbid_it(numbers: tuple[int, ...]) -> None:
    """Exactly one of the two for any exchanges (Tucker 1956), within the bounds of the search for small numbers."""
    exchanges = {"one": {"a": numbers[0], "b": numbers[1]}, "two": {"a": numbers[2], "b": numbers[3]}}
    if any(numbers):
        assert (gaining(exchanges) is None) == (weights(exchanges) is not None)
