from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import IllegalMoveError
from rules.core.race import Race
from rules.core.turns import State
from solver.lines import explain_line
from solver.question import PlayedTurn, TurnLine
from tests.bare import bare_position

POSITION = """
game = "iditacards"
ruleset = "2019-02"
chance = { seed = 1, open = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"] }
[state]
weather = "storm"
[[state.players]]
pos = 50
dogs = [{ dog = "wheel_dog", attachments = [] }]
hand = ["armour", "breakfast", "husky", "move", "lunch"]
deck = ["lunch", "repair_sled", "breakfast", "upgrade_sled", "move", "dinner", "first_aid", "move", "good_dog"]
"""


def told(*turns: str) -> tuple[PlayedTurn[Any], ...]:
    game, start = bare_position(POSITION).start()
    assert isinstance(game, Race)
    state: State[Any] = start
    line = []
    for turn in turns:
        steps = []
        for text in turn.split("; "):
            steps.append(game.parse_step(state, text))
            state = game.apply(state, steps[-1]).state
        line.append(TurnLine(tuple(steps)))
    return explain_line(game, start, line)


def test_turns_are_replayed_with_their_progress_and_events() -> None:
    first, second = told("play husky pay armour breakfast", "continue")
    assert (first.number, first.steps) == (1, ("play husky pay armour breakfast",))
    assert (first.before, first.after, second.before, second.after) == (50, 52, 52, 54)
    assert [event.kind for event in first.events][:3] == ["plays", "pays_energy", "pays_health"]
    assert "draws" in [event.kind for event in second.events]


def test_a_spared_card_names_the_turn_that_needs_it() -> None:
    first, *_ = told("play husky pay armour breakfast", "continue", "new_day")
    assert first.notes == ()
    first, *_ = told("play husky pay breakfast lunch", "continue", "new_day")
    assert first.notes == ()
    turns = told("play lunch pay armour breakfast", "play move")
    assert turns[0].notes == ({"kind": "kept", "card": "move", "turn": 2, "role": "play"},)
    assert turns[1].notes == ()


def test_a_card_that_pays_later_is_kept_to_pay() -> None:
    turns = told("play lunch pay armour breakfast", "play husky pay move repair_sled")
    assert turns[0].notes == (
        {"kind": "kept", "card": "husky", "turn": 2, "role": "play"},
        {"kind": "kept", "card": "move", "turn": 2, "role": "pay"},
    )


def test_a_card_that_left_the_hand_in_between_is_not_kept() -> None:
    turns = told("play move", "play husky pay armour breakfast", "new_day", "play lunch pay breakfast dinner")
    assert [note for turn in turns for note in turn.notes] == []


def test_a_line_that_does_not_fit_is_refused() -> None:
    game, start = bare_position(POSITION).start()
    assert isinstance(game, Race)
    line = [TurnLine((game.parse_step(start, "play move"),))] * 3
    with pytest.raises(IllegalMoveError):
        explain_line(game, start, line)
