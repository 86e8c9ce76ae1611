"""Turns of a player alone over rows: the tables that the rules lead to, for every challenge of the game."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.challenge import Quest
from rules.core.scripts import SplitMix64
from solver.encodings.trench_rescue.turns import Turns, supports
from tests.rules.trench_rescue.battles import Battle
from tests.rules.trench_rescue.tasks import LOW, OWN, SOLVED, TAPE, asked, puzzle

MOST = 40
"""Tables of a question that are compared."""


def assert_alike(quest: Quest[Any]) -> None:
    assert supports(quest, quest.start, alone=True) == ()
    turns, generator = Turns(quest, quest.start), SplitMix64(3)
    waiting, seen = [quest.start], 0
    while waiting and seen < MOST:
        table = waiting.pop(generator.below(len(waiting)))
        by_rules = {end.table for end in quest.turn_ends(table)} if table.phase != "over" else set()
        by_rows = list(turns.after(table))
        assert len(by_rows) == len(set(by_rows))
        assert set(by_rows) == by_rules
        waiting += [by_rows[generator.below(len(by_rows))] for _ in range(min(3, len(by_rows)))]
        seen += 1


@pytest.mark.parametrize(("challenge", "battle", "goal", "_turns"), SOLVED)
def test_a_turn_ends_as_by_the_rules(challenge: str, battle: Battle, goal: dict[str, Any], _turns: int) -> None:
    assert_alike(asked(battle, challenge, **goal))


@pytest.mark.parametrize("options", [{}, {"last_barrage": False}, {"shell_rule": "floor_half_min_one"}])
@pytest.mark.parametrize("shells", [TAPE, "none"])
def test_the_end_of_a_game_is_that_of_the_rules(options: dict[str, Any], shells: Any) -> None:
    battle = puzzle(4, OWN, "AS KS", "QS 2S", shells=shells, **options | {"turn_limit": 3})
    assert_alike(asked(battle, "TR-S3"))


def test_turns_are_told_apart_when_asked_for_in_turn() -> None:
    quest = asked(puzzle(4, OWN, "AS"), "TR-S1")
    turns = Turns(quest, quest.start)
    for table in turns.after(quest.start):
        for after in turns.after(table):
            assert after.turn == table.turn + 1 == quest.start.turn + 2


def test_what_rows_do_not_carry_is_told() -> None:
    hidden = puzzle(2, LOW, "AC", shells=None)
    assert supports(asked(hidden, "TR-S2"), hidden.table, alone=True) == ("hidden shells",)
    idle = puzzle(2, LOW, "AC", idle_allowed=False)
    assert supports(asked(idle, "TR-S2"), idle.table, alone=True) == ("option idle_allowed",)
