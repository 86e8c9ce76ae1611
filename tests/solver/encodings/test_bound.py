"""The lower bound of turns holds for whatever a beam reaches, under any rules and options."""

from __future__ import annotations

import random

import pytest

from solver.encodings.iditacards import bound_layout as BL
from solver.encodings.iditacards import offers
from solver.encodings.iditacards.encoding import Encoding
from solver.encodings.iditacards.keys import is_compiled
from tests.solver.encodings.positions import OWN_RULESETS, case_of, position_of
from tests.solver.encodings.reached import asked, overstated
from tests.solver.encodings.wild import EVERY_OP

SEEDS, TURNS, WIDTH = (4, 6, 12) if is_compiled() else (1, 3, 3)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [*OWN_RULESETS, EVERY_OP])
def test_no_position_is_reached_sooner_than_the_bound_says(ruleset: str) -> None:
    tables = 0
    for seed in range(SEEDS):
        for case, words, turns in asked(ruleset, seed, 6 * (seed % 2)):
            encoding = Encoding(case.game, case.table, 0, words, turns=turns)
            assert not list(overstated(encoding, TURNS, WIDTH, random.Random(seed))), (case.name, words)
            tables += 1
    assert tables


def test_food_in_vain_frees_the_sled_of_hunger() -> None:
    case, words, _ = next(asked("iditacards/starter-trail", 0, 6))
    encoding = Encoding(case.game, case.table, 0, words)
    assert not list(overstated(encoding, 9, 24, random.Random(0)))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["iditacards/2019-02", "iditacards/breather"])
def test_nor_sooner_than_a_relaxed_race_of_few_spaces_says(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers, "LEAST_WAY", 1)
    for seed in range(SEEDS):
        for case, words, turns in asked(ruleset, seed, 6 * (seed % 2)):
            encoding = Encoding(case.game, case.table, 0, words - {"new_day"}, turns=turns)
            assert not list(overstated(encoding, TURNS, WIDTH, random.Random(seed))), (case.name, words)


@pytest.mark.skipif(not is_compiled(), reason="only compiled code has time for a relaxed race")
@pytest.mark.parametrize(("seed", "least"), [(0, 8), (1, 9), (2, 9), (6, 9), (8, 7)])
def test_whole_races_take_many_turns(seed: int, least: int) -> None:
    case = case_of("real", position_of("iditacards/2019-02", seed, {}))
    encoding = Encoding(case.game, case.table)
    assert encoding.least(encoding.root, 161) >= least
    assert all(table[BL.R_KNOWN] for table in encoding._bounds.values())
