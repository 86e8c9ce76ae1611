"""The named challenges, and the puzzles of the specification solved again by layers of whole half-turns (11)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.challenge import Measure, Opponent, Quest
from rules.core.errors import ContentError
from rules.core.files import data_file
from rules.core.race import NEVER
from rules.trench_rescue.content import Table
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.tasks import LOW, ROW, SOLVED, asked, puzzle

LOOSENED = [
    each["set"]["options"]
    for each in data_file(Battle().position.definition.folder, "relaxations").values()
    if "options" in each["set"]
]


def fewest(quest: Quest[Table], start: Table, most: int) -> int | None:
    """Return the fewest turns to the goal, if it can be reached within ``most``.

    Turn by turn every position is walked from the first time that it comes up, but for those from where the rest of the
    turns is too few by the quest's own bound.
    """
    if quest.reached(start):
        return 0
    seen, layer = {start._replace(turn=0)}, [start]
    for left in range(most - 1, -1, -1):
        following = []
        for table in layer:
            for end in quest.turn_ends(table):
                if quest.reached(end.table):
                    return most - left
                timeless = end.table._replace(turn=0)
                if timeless not in seen:
                    seen.add(timeless)
                    if quest.bound(end.table) <= left:
                        following.append(end.table)
        layer = following
    return None


@pytest.mark.slow
@pytest.mark.parametrize(("challenge", "battle", "goal", "turns"), SOLVED)
def test_the_puzzles_of_the_specification(challenge: str, battle: Battle, goal: dict[str, Any], turns: int) -> None:
    quest = asked(battle, challenge, **goal)
    assert quest.bound(battle.table) <= turns
    assert fewest(quest, battle.table, turns) == turns


@pytest.mark.parametrize("loosened", LOOSENED)
def test_the_bound_holds_along_every_shortest_line(loosened: dict[str, Any]) -> None:
    quest = asked(battle := puzzle(4, {"2,4": "9H"}, "KC AC", **loosened), "TR-S2")
    before: dict[Table, Table] = {}
    layer, turns = [battle.table], 0
    while not any(map(quest.reached, layer)):
        ends = {end.table: table for table in layer for end in quest.turn_ends(table)}
        layer, turns = [end for end in ends if end not in before], turns + 1
        before.update(ends)
    for table in filter(quest.reached, layer):
        for left in range(turns + 1):
            assert quest.bound(table) <= left
            table = before.get(table, battle.table)


def test_every_challenge_of_the_specification_is_there() -> None:
    found = Battle().position.definition.challenges
    assert list(found) == [*(f"TR-S{n}" for n in range(1, 6)), *(f"TR-A{n}" for n in range(1, 5))]
    assert {name for name, facts in found.items() if facts.measure is Measure.SCORE} == {
        *("TR-S3", "TR-A1", "TR-A2", "TR-A3", "TR-A4")
    }
    assert found["TR-A3"].opponent is Opponent.NEVER
    assert all((facts.players == 1) == (facts.opponent is Opponent.NONE) for facts in found.values())


def test_what_is_home_and_what_is_not() -> None:
    battle = puzzle(4, {"1,1": "5C", "2,2": "3H"}, "AS")
    own, everything = asked(battle, "TR-S1"), asked(battle, "TR-S2")
    battle.play("enter AS x1; end; go AS home take; end")
    assert own.reached(battle.table)
    assert not everything.reached(battle.table)
    battle.play("enter 5C x1; end")
    assert not own.reached(battle.table), "out again is not home"


def test_the_dead_are_not_home() -> None:
    battle = puzzle(4, {"4,4": "5C"}, "AS", turn_limit=1)
    quest = asked(battle, "TR-S1")
    battle.play("end")
    assert not quest.reached(battle.table)
    assert quest.bound(battle.table) == NEVER


def test_no_shell_may_fall_on_the_way_to_zero_risk() -> None:
    battle = puzzle(4, ROW, "AC KC", shells=None)
    quest = asked(battle, "TR-S5")
    out = [len(end.table.soldiers) for end in quest.turn_ends(battle.table)]
    assert out
    assert max(out) == 1
    assert not any(step.text.startswith("shells") for end in quest.turn_ends(battle.table) for step in end.steps)


def test_a_goal_names_own_cards_only() -> None:
    with pytest.raises(ContentError, match="'5H' is no card of black"):
        asked(puzzle(2, LOW, "AC"), "TR-S4", cards=["5H"])


def test_the_gain_is_what_max_gain_counts() -> None:
    battle = Battle(deck=both("2C 3C"), trench=both("4C"), players=1)
    assert asked(battle, "TR-S3").done(battle.table) == 3 - 18
