"""A search that leaves out what others are at least as good as has the values of one that does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from solver.encodings.iditacards.encoding import RULES, SEARCHED, Encoding
from solver.search.budget import Budget
from solver.search.iterative_deepening import IterativeDeepening
from tests.solver.encodings.positions import Case, played

TURNS = 4
AHEAD = 24
"""Spaces to the target."""
RULESET = "iditacards/starter-race"
CASES = [case for seed in range(3) for case in played(RULESET, seed, 4)]


def values(case: Case, rules: frozenset[str]) -> Iterator[object]:
    """Yield the fewest turns to a target, and the greatest distance of so many turns, both searched in bulk."""
    target = case.table.players[0].pos + AHEAD
    for near, turns in ((target, None), (None, TURNS)):
        encoding = Encoding(case.game, case.table, target=near, turns=turns, rules=rules)
        search = IterativeDeepening(encoding, Budget(), [encoding.root])
        run = search.run(0 if near is None else near, TURNS, at_end=near is None)
        assert run is not None
        yield run.path and (len(run.path), encoding.progress(run.path[-1]) if near is None else None)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_dominance_changes_no_value(case: Case) -> None:
    assert list(values(case, SEARCHED)) == list(values(case, RULES))


def test_dominance_holds_on_a_bare_track_and_not_on_legs() -> None:
    bare, far = CASES[0], played("iditacards/2019-02", 1, 2)
    live = Encoding(bare.game, bare.table, target=60, rules=SEARCHED).live
    assert live.delays_free_actions
    for case in far:
        live = Encoding(case.game, case.table, target=60, rules=SEARCHED).live
        assert not live.delays_free_actions
