"""A search that leaves out what others are at least as good as has the values of one that does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from solver.encodings.iditacards.encoding import SEARCHED, Encoding
from solver.encodings.iditacards.liveness import DOMINANCE, RULES
from solver.encodings.turns import EncodedTurns
from solver.search.budget import Budget, Counters
from solver.search.iterative_deepening import DeepeningSearch
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
        search = DeepeningSearch(EncodedTurns(case.game, encoding), Budget(), [encoding.root], Counters())
        run = search.run(0 if near is None else near, TURNS, at_end=near is None, most=None)
        yield run.path and (len(run.path), encoding.progress(run.path[-1]) if near is None else None)


@pytest.mark.parametrize(
    "rule", [*({rule} for rule in sorted(DOMINANCE)), DOMINANCE], ids=lambda rule: "+".join(sorted(rule))
)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_dominance_changes_no_value(case: Case, rule: frozenset[str]) -> None:
    assert list(values(case, RULES | rule)) == list(values(case, RULES))


def test_both_dominances_hold_on_a_bare_track_and_neither_on_legs() -> None:
    bare, far = CASES[0], played("iditacards/2019-02", 1, 2)
    live = Encoding(bare.game, bare.table, target=60, rules=SEARCHED).live
    assert (live.sets_place_apart, live.delays_free_actions) == (True, True)
    for case in far:
        live = Encoding(case.game, case.table, target=60, rules=SEARCHED).live
        assert (live.sets_place_apart, live.delays_free_actions) == (False, False)
