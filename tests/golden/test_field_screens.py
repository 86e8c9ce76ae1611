"""The battlefield as people see it, both sizes, with both sides on it: no sign beyond ASCII, nothing told by colour."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from solver.render import Style, draw
from solver.screens.common import table_rows
from tests.rules.trench_rescue.battles import Battle, both

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
SMALL = Battle(
    "7S@2,2 9C@2,2+KD QD@3,4 5D@1,1",
    {"2,2": "4H JC", "4,3": "2D", "1,1": "8S"},
    turn=19,
    trench=both("AC", "KH"),
    infirmary=both("3D"),
    deck=both("5C 2S", "6H"),
    starter="red",
    to_move="black",
)
LARGE = Battle(
    "7S@6,6 TH@1,1+TC",
    {"5,3": "4H", "3,6": "2C 3C 4C"},
    size=6,
    ruleset="large-field",
    trench=both("AC", "KH"),
    deck=both("5C", "6H"),
    starter="black",
)


@pytest.mark.parametrize(("name", "battle"), [("field-4", SMALL), ("field-6", LARGE)])
def test_a_field_with_both_sides_on_it(golden: Callable[[str, str], None], name: str, battle: Battle) -> None:
    rows = table_rows(battle.position)
    plain = draw(rows, Style(ascii=True))
    golden(name, plain)
    assert plain.isascii()
    assert max(map(len, plain.splitlines())) <= 80
    assert ESCAPES.sub("", draw(rows, Style(ascii=True, colour=True))) == plain
