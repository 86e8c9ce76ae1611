"""Advice on a few lines: one move, one reason, one bar, and what comes next."""

from __future__ import annotations

from typing import Any

import pytest

from solver.render import Style, draw
from solver.screens.common import Unit
from solver.screens.data import brief_rows
from solver.screens.policy import level_moves

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


def test_a_single_playout_tells_nothing_and_draws_are_counted() -> None:
    once = {"move": "play move", "value": "1", "win_chance": 1.0, "interval": None, "playouts": 1}
    shown = told({"status": "feasible", "payoff": "share of the win", "verdict": "undecided", "moves": [once]})
    assert [line.split("  ")[-1].strip() for line in shown] == ["too few draws to tell", "1 draw, not settled: 1–2"]
    often = {**once, "value": "3/4", "win_chance": 0.75, "interval": [0.7, 0.8], "playouts": 64}
    shown = told({"status": "feasible", "payoff": "share of the win", "verdict": "close", "moves": [often, once]})
    words = "███████████▒▒░░░ 95 % interval 70.0–80.0, 64 draws, too close to call: 1–2"
    assert words in " ".join(" ".join(shown).split())
    assert shown[-1].endswith("too few draws to tell")


def test_moves_are_told_by_what_they_are_ranked_by() -> None:
    moves = [
        {"move": "end", "value": "1/2", "loss": 0, "win_chance": 0.4, "interval": [0, 1], "playouts": 9},
        {"move": "cycle 9S", "value": "1/4", "loss": "1/4", "win_chance": 0.6, "interval": [0, 1], "playouts": 9},
    ]
    shown = told({"status": "feasible", "payoff": "cards ahead", "verdict": "decided", "moves": moves})
    assert [line.split("  ")[-1].strip() for line in (shown[0], shown[-1])] == ["40.0 % to win", "0.25 cards less"]


def test_what_is_not_settled_may_lie_behind_the_moves_that_are_shown() -> None:
    spans = [None, (0.1, 0.3), (0.4, 0.9), (0.0, 0.1)]
    assert [level_moves(verdict, 0.5, spans) for verdict in ("undecided", "close")] == [4, 2]
    assert level_moves("close", 0.5, [(0.4, 0.6), (0.3, 0.7), (0.0, 0.1)]) == 3
    assert told({**CHANCE, "verdict": "undecided", "open": 9, "moves": [MOVES[0]]})[-1].endswith("not settled: 1–9")


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
