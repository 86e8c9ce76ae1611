"""The lower bound of turns holds for whatever a beam reaches, under any rules and options."""

from __future__ import annotations

import random
from functools import partial

import pytest

from solver.compiled_form import build_state
from solver.encodings.iditacards.encoding import Encoding
from tests.solver.encodings.positions import OWN_RULESETS
from tests.solver.encodings.reached import asked, overstated, some_successors
from tests.solver.encodings.wild import EVERY_OP

SEEDS, TURNS, WIDTH = (4, 6, 12) if build_state() == "compiled" else (1, 3, 3)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [*OWN_RULESETS, EVERY_OP])
def test_no_position_is_reached_sooner_than_the_bound_says(ruleset: str) -> None:
    tables = 0
    for seed in range(SEEDS):
        for case, words, turns in asked(ruleset, seed, 6 * (seed % 2)):
            encoding = Encoding(case.game, case.table, words, turns=turns)
            successors = partial(some_successors, encoding)
            assert not list(overstated(encoding, successors, TURNS, WIDTH, random.Random(seed))), (case.name, words)
            tables += 1
    assert tables
