from __future__ import annotations

from pathlib import Path

import pytest

from puzzles.puzzle import Goal, Objective, goal_table, library, load_puzzle, load_question, question_of, read_puzzle
from rules.core.errors import BestlineError, ContentError
from rules.core.files import read_text
from rules.core.position import Position, new_position

PUZZLE = """\
[puzzle]
id = "first-day"
title = "The First Day"
themes = ["risk"]
difficulty = 2

[goal]
objective = "min_turns"
target = 20
within_turns = 9
new_day = false

[position]
game = "iditacards"
ruleset = "2019-02"
chance = { seed = 1, open = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"] }

[[position.state.players]]
hand = ["move", "mush"]
deck = ["breakfast", "dinner"]

[solution]
value = 4
line = ["play move", "continue"]
unique = false
"""


def faults(text: str) -> list[str]:
    with pytest.raises(ContentError) as caught:
        read_puzzle(read_text(text, "p.toml"))
    return [str(fault) for fault in caught.value.faults]


def test_every_part_of_a_puzzle_is_read() -> None:
    puzzle = read_puzzle(read_text(PUZZLE, "p.toml"))
    assert (puzzle.id, puzzle.title, puzzle.themes, puzzle.difficulty) == ("first-day", "The First Day", ("risk",), 2)
    assert puzzle.goal == Goal(Objective.MIN_TURNS, 20, 9, frozenset({"new_day"}), 0)
    assert puzzle.position.state["players"][0]["hand"] == ["move", "mush"]
    assert puzzle.solution is not None
    assert (puzzle.solution.value, puzzle.solution.line, puzzle.solution.unique) == (
        4,
        ("play move", "continue"),
        False,
    )


def test_target_is_the_finish_when_left_out() -> None:
    puzzle = read_puzzle(read_text(PUZZLE.replace("target = 20\n", "")))
    assert puzzle.goal.target == puzzle.position.values["finish_at"]


def test_new_day_is_allowed_when_left_out() -> None:
    assert read_puzzle(read_text(PUZZLE.replace("new_day = false\n", ""))).goal.forbidden == frozenset()


def test_faults_of_every_part_are_told_at_once() -> None:
    text = PUZZLE.replace('title = "The First Day"', 'titel = "x"').replace("target = 20", "target = true")
    text = text.replace('"mush"]', '"mosh"]').replace("value = 4", "value = []")
    assert faults(text) == [
        "p.toml:1: puzzle: the key 'title' is missing; it must be a text",
        "p.toml:3: puzzle.titel: unknown key; did you mean 'title'?",
        "p.toml:9: goal.target: must be a whole number of at least 0, not true",
        "p.toml:19: position.state.players[0].hand[1]: \"mosh\" is not a card of this ruleset; did you mean 'mush'?",
        "p.toml:23: solution.value: must be a whole number of at least 0, or a fraction such as 1/2, or 'impossible', "
        "not a list",
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            '"min_turns"',
            '"minturns"',
            'p.toml:8: goal.objective: must be one of "min_turns", "reach", "max_distance", "win", or a challenge id, '
            "not \"minturns\"; did you mean 'min_turns'?",
        ),
        (
            'objective = "min_turns"\ntarget = 20\nwithin_turns = 9',
            'objective = "reach"',
            "p.toml:7: goal.within_turns: 'reach' needs this number of own turns",
        ),
        ("new_day = false", "seat = 1", "p.toml:11: goal.seat: there is no seat 1; the last one is 0"),
        ('id = "first-day"', 'id = "First Day"', None),
        ("difficulty = 2", "difficulty = 11", None),
        ("value = 4", "value = 4\ncertificate = 'abc'", None),
        ("value = 4", "value = 'four'", None),
    ],
)
def test_a_faulty_goal_or_label_is_refused(old: str, new: str, fault: str | None) -> None:
    told = faults(PUZZLE.replace(old, new))
    assert len(told) == 1
    assert fault is None or told == [fault]


def test_a_misspelt_objective_is_told_beside_other_faults() -> None:
    told = faults(PUZZLE.replace('"min_turns"', '"minturns"').replace("target = 20", "target = -20"))
    assert [fault.partition(": ")[2].partition(":")[0] for fault in told] == ["goal.objective", "goal.target"]


def test_a_puzzle_without_position_is_refused() -> None:
    assert faults(PUZZLE[: PUZZLE.index("[position]")]) == [
        "p.toml: the key 'position' is missing; it must be a table",
    ]


def test_library_ids_are_file_names() -> None:
    assert list(library()) == sorted(library())
    for name in library():
        assert load_puzzle(name).id == name


def test_a_file_is_found_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(PUZZLE, "utf-8")
    assert load_puzzle(str(tmp_path / "p.toml")).id == "first-day"


def test_unknown_ids_name_the_nearest() -> None:
    name = next(iter(library()))
    with pytest.raises(ContentError, match=f"no puzzle id; did you mean '{name}'"):
        load_puzzle(f"{name}x")
    with pytest.raises(ContentError, match="there is no such file"):
        load_puzzle("none.toml")


def test_a_question_is_a_puzzle_a_position_file_or_a_code(tmp_path: Path) -> None:
    position = new_position("iditacards/2019-02", seed=3)
    (tmp_path / "state.toml").write_text(position.to_toml(), "utf-8")
    assert load_question(str(tmp_path / "state.toml")) == position
    assert load_question(position.code) == position
    assert load_question(next(iter(library()))).__class__.__name__ == "Puzzle"
    with pytest.raises(BestlineError, match="no file, no position code and no puzzle id"):
        load_question("??")


def test_a_challenge_that_counts_rounds() -> None:
    start = new_position("abyss/2021", seed=1)
    position, goal = question_of({"objective": "AB-S1", "within_rounds": 2}, start)
    assert (goal.within_turns, goal.objective, goal.challenge) == (12, Objective.MIN_TURNS, "AB-S1")
    assert [goal.in_rounds(turns) for turns in (None, 0, 1, 6, 7, 12)] == [None, 0, 1, 1, 2, 2]
    assert question_of(goal_table(goal, start), start) == (position, goal)


def test_rounds_are_counted_from_the_middle_of_one() -> None:
    start = new_position("abyss/2021", seed=1)
    later = start.with_table(next(start.game.turn_ends(start.table())).table)
    _, goal = question_of({"objective": "AB-S1", "within_rounds": 2}, later)
    assert goal.within_turns == 11
    assert [goal.in_rounds(turns) for turns in (1, 5, 6, 11, 12)] == [1, 1, 2, 2, 3]


def test_only_a_challenge_that_counts_rounds_is_limited_in_rounds() -> None:
    start = new_position("iditacards/2019-02", seed=1)
    with pytest.raises(ContentError, match="within_rounds: 'min_turns' counts turns; say 'within_turns'"):
        question_of({"objective": "min_turns", "within_rounds": 2}, start)


def test_a_goal_and_its_table_mean_the_same() -> None:
    position: Position = new_position("iditacards/2019-02")
    for goal in (
        Goal(Objective.MIN_TURNS, 40, None, frozenset({"new_day"}), 0),
        Goal(Objective.REACH, 12, 3, frozenset(), 0),
        Goal(Objective.MAX_DISTANCE, 161, 6, frozenset(), 0),
    ):
        assert question_of(goal_table(goal, position), position) == (position, goal)


def test_cards_can_be_left_unplayed() -> None:
    position = load_puzzle("sprint-20").position
    _, goal = question_of({"objective": "min_turns", "without": ["mush", "move"], "new_day": False}, position)
    assert goal.forbidden == {"play mush", "play move", "new_day"}
    assert question_of(goal_table(goal, position), position) == (position, goal)
    with pytest.raises(ContentError, match="there is no card 'mosh'; did you mean 'mush'"):
        question_of({"objective": "min_turns", "without": ["mosh"]}, position)


def test_a_faulty_goal_table_is_refused() -> None:
    with pytest.raises(ContentError, match="within_turns: 'max_distance' needs this number"):
        question_of({"objective": "max_distance"}, new_position("iditacards/2019-02"))
