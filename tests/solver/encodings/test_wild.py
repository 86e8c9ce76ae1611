"""The encoding plays the turns that random games seldom have as the rules do."""

from __future__ import annotations

import pytest

from tests.solver.encodings.lockstep import lockstep
from tests.solver.encodings.wild import EVERY_OP, wild

MOST = 120
"""Ways through a turn up to which a table is compared."""


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [EVERY_OP, "iditacards/2017", "iditacards/2019-02", "iditacards/2019-08"])
def test_wild_tables_have_the_ends_of_the_rules(ruleset: str) -> None:
    compared = 0
    for seed in range(30):
        case = wild(ruleset, seed)
        if case is not None:
            result = lockstep(case.game, case.table, MOST)
            assert not result.difference, f"{case.name}\n{result.difference}"
            compared += result.ends > 0
    assert compared >= 10
