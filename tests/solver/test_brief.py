"""Advice on a few lines: one move, one reason, one bar, and what comes next."""

from __future__ import annotations

from typing import Any

import pytest

from solver.render import Style, draw
from solver.screens.common import Unit
from solver.screens.data import brief_rows

MOVES = [{"move": "play move", "value": "3/4", "interval": [0.7, 0.8]}, {"move": "play rest", "value": "1/2"}]
CHANCE = {"status": "feasible", "verdict": "close", "goal": {"objective": "reach"}, "moves": MOVES}
WHY = ["Plays Move.", "'play rest' loses 25.0 %.", "Space 1 → 3."]


def told(answer: dict[str, Any], top: int = 3) -> list[str]:
    return draw(brief_rows(answer, Unit("space", is_place=True), Style(), top), Style()).splitlines()


def test_one_move_one_reason_one_bar_and_the_next() -> None:
    assert [line.split() for line in told({**CHANCE, "why": WHY})] == [
        ["best", "play", "move", "75.0", "%"],
        ["because", "Space", "1", "→", "3."],
        ["███████████▒▒░░░", "95", "%", "interval", "70.0–80.0,", "too", "close", "to", "call:", "1–2"],
        ["2", "play", "rest", "50.0", "%"],
    ]
    assert len(told(CHANCE, 1)) == 2
    assert told({**CHANCE, "moves": []}) == []


@pytest.mark.parametrize(
    ("answer", "worth"),
    [
        ({"goal": {"objective": "min_turns"}, "moves": [{"value": "5/2"}]}, "2.5 turns"),
        ({"goal": {"objective": "max_distance"}, "moves": [{"value": 52}]}, "space 52"),
        ({"payoff": "cards ahead", "moves": [{"value": "1/4", "win_chance": 0.6}]}, "60.0 % to win"),
        ({"payoff": "cards ahead", "moves": [{"value": "1/4"}]}, "0.25 cards ahead"),
        ({"payoff": "share of the win", "moves": [{"value": "1/4"}]}, "25.0 % to win"),
    ],
)
def test_a_move_says_what_it_is_worth(answer: dict[str, Any], worth: str) -> None:
    moves = [{"move": "play move", **each} for each in answer["moves"]]
    first, *_, last = told({"status": "optimal", **answer, "moves": moves})
    assert first.endswith(f"  {worth}")
    assert last.endswith("exact")
