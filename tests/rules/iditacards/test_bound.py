"""The bound behind certificates holds for whatever play reaches, under any rules and options."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import pytest

from puzzles.puzzle import forbids
from rules.core.position import load_position
from rules.core.scripts import Exploring, every_way
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from tests.solver.encodings.positions import OWN_RULESETS
from tests.solver.encodings.reached import asked, overstated
from tests.solver.encodings.wild import EVERY_OP

SEEDS, TURNS, WIDTH, MOST = 3, 5, 4, 150


@dataclass
class Played:
    """The turns of a game by its rules, as a beam asks for them."""

    game: Iditacards
    root: Table
    forbidden: frozenset[str]

    def is_over(self, table: Table) -> bool:
        return self.game.is_over(table)

    def successors(self, table: Table) -> list[Table]:
        exploring = partial(Exploring, wanted=lambda step: not forbids(self.forbidden, step.text))
        ends = filter(None, (self.game.end_of(table, script) for script in every_way(exploring, ())))
        return [end.table for end in islice(ends, MOST)]

    def progress(self, table: Table) -> int:
        return self.game.progress(table)

    def least(self, table: Table, target: int) -> int:
        return self.game.least_turns(table, 0, target, self.forbidden)

    def promise(self, table: Table) -> int:
        return self.game.promise(table, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [*OWN_RULESETS, EVERY_OP])
def test_no_table_is_reached_sooner_than_the_bound_says(ruleset: str) -> None:
    tables = 0
    for seed in range(SEEDS):
        for case, words, _ in asked(ruleset, seed, 6 * (seed % 2)):
            play: Any = Played(case.game, case.table, words)
            assert not list(overstated(play, play.successors, TURNS, WIDTH, random.Random(seed))), (case.name, words)
            tables += 1
    assert tables


def test_an_unknown_card_of_the_hand_may_be_any_that_lies_nowhere_in_sight() -> None:
    cards = '{ pos = 10, hand = ["?", "lunch"], deck = ["move", "rest"] }'
    position = load_position(f'game = "iditacards"\nruleset = "2019-02"\nstate.players = [{cards}]\n')
    game, start = position.start()
    known = start.table._replace(players=(start.table.players[0]._replace(hand=("lunch", "move")),))
    for target in (11, 14, 30):
        assert 1 <= game.least_turns(start.table, 0, target) <= game.least_turns(known, 0, target)
