"""How likely a soldier is hit: exact, for any number of shells."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.rules.trench_rescue.battles import ALL_OPEN, Battle

NINTH, EIGHTEENTH, LEAST = Fraction(1, 9), Fraction(1, 18), Fraction(1, 36)


def chances(battle: Battle, seat: int = 0) -> dict[str, Fraction]:
    return {hazard.subject: hazard.chance for hazard in battle.game.hazards(battle.table, seat)}


@pytest.mark.parametrize("mover", ["black", "red"])
def test_one_shell_hits_each_soldier_with_its_cell(mover: str) -> None:
    battle = Battle("4C@1,1 9S@3,2 5D@4,4", starter="black", to_move=mover)
    assert chances(battle) == {"4C": NINTH, "9S": EIGHTEENTH}
    assert chances(battle, 1) == {"5D": LEAST}


def test_several_shells_are_independent() -> None:
    battle = Battle("4C@1,1 5C@1,1 6C@3,1 7C@4,4 8C@2,2 5D@4,1", starter="black", to_move="red")
    found = chances(battle)
    for card, once in {"4C": NINTH, "5C": NINTH, "6C": EIGHTEENTH, "7C": LEAST, "8C": NINTH}.items():
        assert found[card] == 1 - (1 - once) ** 3
    assert [hazard.subject for hazard in battle.game.hazards(battle.table)] == ["4C", "5C", "8C", "6C", "7C"]


@pytest.mark.parametrize(
    ("options", "chance"),
    [({}, Fraction(0)), ({"shell_rule": "floor_half_min_one"}, NINTH), ({"last_barrage": False}, Fraction(0))],
)
def test_a_soldier_alone(options: dict[str, Any], chance: Fraction) -> None:
    assert chances(Battle("4C@1,1", starter="black", options=options)) == {"4C": chance}


def test_a_recount_saves_those_who_stand_apart() -> None:
    soldiers = "4C@1,1 5C@1,1 6D@4,4 7D@4,4"
    fixed = chances(Battle(soldiers, starter="black"))
    again = chances(Battle(soldiers, starter="black", options={"shell_recount": True}))
    assert fixed["4C"] == 1 - (1 - NINTH) ** 2
    assert again["4C"] == NINTH + (1 - NINTH - LEAST) * NINTH


def test_what_is_known_is_certain() -> None:
    lists = {"shells": [[1, 1]]}
    battle = Battle("4C@1,1 5C@2,1", starter="black", known=ALL_OPEN, lists=lists)
    assert chances(battle) == {"4C": Fraction(1), "5C": Fraction(0)}
