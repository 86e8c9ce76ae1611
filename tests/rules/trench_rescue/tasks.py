"""Named challenges to be solved, and the puzzles of the specification with their fewest turns (11)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.challenge import Quest
from rules.core.files import Faults
from rules.trench_rescue.content import Table
from tests.rules.trench_rescue.battles import Battle, both

LOW = {"1,1": "2H", "2,1": "3H", "1,2": "4H", "2,2": "5H"}
ROW = {"1,1": "2H", "2,1": "3H", "3,1": "4H", "4,1": "5H"}
OWN = {"1,1": "5C", "2,1": "6C", "3,2": "7C"}
TAPE = [[1, 1], [2, 6], [3, 2], [5, 5]]


def puzzle(
    size: int, piles: dict[str, str], trench: str, deck: str = "", shells: Any = "none", **options: Any
) -> Battle:
    """Return a position of 11.3: black alone on the near side, decks as queues, no turn limit to speak of."""
    known = ("cards", "deck") if shells is None else ("cards", "deck", "shells")
    return Battle(
        piles=piles,
        players=1,
        known=known,
        seed=None,
        lists=None if shells is None else {"shells": shells},
        options={"deck_mode": "queue", "turn_limit": 999, **options},
        size=size,
        trench=both(trench),
        deck=both(deck),
    )


def asked(battle: Battle, challenge: str, **goal: Any) -> Quest[Table]:
    faults = Faults()
    battle.position.definition.terms_schema(battle.position.ruleset, challenge).check(goal, ("goal",), faults)
    assert not faults.found
    return quest(battle, challenge, **goal)


def quest(battle: Battle, challenge: str, seat: int = 0, **goal: Any) -> Quest[Table]:
    made = battle.position.with_table(battle.table).towards(challenge, seat, goal).game
    assert isinstance(made, Quest)
    return made


SOLVED = [
    pytest.param("TR-S2", puzzle(2, LOW, "AC"), {}, 12, id="TR-P1"),
    pytest.param("TR-S2", puzzle(2, LOW, "AC KC"), {}, 6, id="TR-P2"),
    pytest.param("TR-S2", puzzle(2, LOW, "AC KC QC"), {}, 4, id="TR-P3"),
    pytest.param("TR-S5", puzzle(2, LOW, "AC KC", shells=None), {}, 9, id="TR-P4"),
    pytest.param("TR-S2", puzzle(4, ROW, "AC"), {}, 8, id="TR-P5a"),
    pytest.param("TR-S2", puzzle(4, ROW, "AC KC"), {}, 4, id="TR-P5b"),
    pytest.param("TR-S5", puzzle(4, ROW, "AC KC", shells=None), {}, 5, id="TR-P5c"),
    pytest.param("TR-S1", puzzle(4, OWN, "AS"), {}, 6, id="TR-P6"),
    pytest.param(
        "TR-S1",
        puzzle(4, OWN, "AS", shells=TAPE, shell_rule="floor_half_min_one"),
        {"also_home": ["AS"]},
        7,
        id="TR-P7",
    ),
    pytest.param("TR-S1", puzzle(4, OWN, "AS", shells=TAPE), {"also_home": ["AS"]}, 6, id="TR-P8"),
    pytest.param(
        "TR-S4",
        puzzle(4, {"1,1": "9C", "2,1": "5C", "3,1": "KC"}, "7S", "QS AS 2S"),
        {"cards": ["5C", "9C", "KC"]},
        6,
        id="TR-P9",
    ),
]
