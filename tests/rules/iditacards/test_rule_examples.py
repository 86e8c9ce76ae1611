"""The worked examples, turn by turn, each with its failure or variation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.iditacards.state import Frame
from tests.rules.iditacards.boards import Board, seat


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def assert_player(board: Board, **expected: Any) -> None:
    """Compare the named fields of player 0, zones written as words."""
    given = {name: words(value) if isinstance(value, str) else value for name, value in expected.items()}
    assert {name: getattr(board.me, name) for name in given} == given


# Example 1: paying for Husky


def husky() -> Board:
    deck = """
        lunch repair_sled breakfast upgrade_sled move dinner first_aid move good_dog lunch repair_sled
        first_aid move a_hat dog_chow lead_dog move mush mush grandma_soup upgrade_sled
    """
    return Board("2019-02", seat(pos=50, dogs="wheel_dog", hand="armour breakfast husky", deck=deck), weather="storm")


def test_example_1_first_turn_pays_energy_and_health_and_waits() -> None:
    board = husky().play("play husky pay armour breakfast")
    assert board.frames == [("husky", 2, 0)]
    assert_player(board, pos=52, turns=1, resolved="", hand="", discard="armour breakfast lunch repair_sled")
    assert (len(board.me.deck), board.me.deck[0]) == (19, "breakfast")


def test_example_1_second_turn_resolves_one_risk_card() -> None:
    board = husky().play("play husky pay armour breakfast; continue")
    assert board.frames == [("husky", 2, 1)]
    assert_player(
        board,
        pos=54,
        turns=2,
        resolved="breakfast",
        foods="breakfast",
        hand="first_aid good_dog move",
        discard="armour breakfast dinner lunch move repair_sled upgrade_sled",
    )
    assert (len(board.me.deck), board.me.deck[0]) == (12, "lunch")


def test_example_1_third_turn_brings_the_dog() -> None:
    board = husky().play("play husky pay armour breakfast; continue; continue pay first_aid good_dog")
    assert_player(
        board,
        pos=57,
        turns=3,
        stack=(),
        resolved="",
        foods="breakfast lunch",
        hand="first_aid move move repair_sled",
        deck="a_hat dog_chow lead_dog move mush mush grandma_soup upgrade_sled",
        discard="armour breakfast breakfast dinner first_aid good_dog lunch lunch move repair_sled upgrade_sled",
    )
    assert [dog.dog for dog in board.me.dogs] == ["husky", "wheel_dog"]


# Example 2: a risk inside a risk


FIRST = "play husky pay armour good_dog"
SECOND = "continue pay dinner lunch"


def mush() -> Board:
    hand = "armour dinner good_dog husky lunch"
    deck = """
        a_hat dog_chow mush first_aid repair_sled breakfast upgrade_sled upgrade_sled rest move move lunch
        move grandma_soup lead_dog
    """
    return Board("2019-02", seat(pos=50, dogs="wheel_dog", hand=hand, deck=deck), weather="storm")


def test_example_2_first_turn() -> None:
    board = mush().play(FIRST)
    assert board.frames == [("husky", 2, 0)]
    assert_player(board, pos=52, turns=1, hand="dinner lunch", discard="a_hat armour dog_chow good_dog")


def test_example_2_a_risk_card_with_a_risk_becomes_a_second_frame() -> None:
    board = mush().play(f"{FIRST}; {SECOND}")
    assert board.frames == [("husky", 2, 0), ("mush", 1, 0)]
    assert_player(
        board,
        pos=54,
        turns=2,
        hand="",
        deck="breakfast upgrade_sled upgrade_sled rest move move lunch move grandma_soup lead_dog",
        discard="a_hat armour dinner dog_chow first_aid good_dog lunch repair_sled",
    )


def test_example_2_both_frames_move_on_in_one_turn() -> None:
    board = mush().play(f"{FIRST}; {SECOND}; continue")
    assert board.frames == [("husky", 2, 1)]
    assert_player(
        board,
        pos=67,
        turns=3,
        resolved="breakfast mush",
        moved=True,
        foods="breakfast",
        hand="lunch move move",
        deck="move grandma_soup lead_dog",
        discard="a_hat armour dinner dog_chow first_aid good_dog lunch repair_sled rest upgrade_sled upgrade_sled",
    )


def test_example_2_last_risk_card_resolves_husky() -> None:
    board = mush().play(f"{FIRST}; {SECOND}; continue; continue")
    assert_player(
        board,
        pos=72,
        turns=4,
        stack=(),
        resolved="",
        hand="lunch move move",
        deck="grandma_soup lead_dog",
        discard="""
            a_hat armour breakfast dinner dog_chow first_aid good_dog lunch move mush repair_sled rest
            upgrade_sled upgrade_sled
        """,
    )
    assert [dog.dog for dog in board.me.dogs] == ["husky", "wheel_dog"]


def failing() -> Board:
    """The board before the fourth turn, with another deck."""
    return Board(
        "2019-02",
        seat(
            pos=67,
            turns=3,
            dogs="wheel_dog",
            stack="husky:2:1",
            resolved="breakfast mush",
            moved=True,
            foods="breakfast",
            hand="lunch move move",
            deck="repair_sled grandma_soup lead_dog",
            discard="a_hat armour dinner dog_chow first_aid good_dog lunch repair_sled rest upgrade_sled upgrade_sled",
        ),
        weather="storm",
    )


def test_example_2_failure_sends_the_whole_stack_to_the_discard_pile() -> None:
    board = failing().play("continue pay lunch")
    assert_player(
        board,
        pos=69,
        turns=4,
        stack=(),
        resolved="",
        hand="move move",
        deck="",
        moved=True,
        discard="""
            a_hat armour breakfast dinner dog_chow first_aid good_dog grandma_soup husky lead_dog lunch lunch
            mush repair_sled repair_sled rest upgrade_sled upgrade_sled
        """,
    )
    assert [dog.dog for dog in board.me.dogs] == ["wheel_dog"]


def test_example_2_failure_leaves_a_card_and_a_new_day() -> None:
    board = failing().play("continue pay lunch")
    assert [move for move in board.moves if not move.startswith("sacrifice")] == ["new_day", "play move"]


# Example 3: a new day with weather


def hills(lists: dict[str, Sequence[str]] | None = None) -> Board:
    me = seat(
        pos=30,
        turns=5,
        dogs="husky wheel_dog",
        stack="mush:1:0",
        hand="dinner move",
        deck="first_aid lunch",
        discard="breakfast move upgrade_sled",
        foods="breakfast",
    )
    counters = {"deck": [1], "weather": 1}
    return Board("2019-08", me, lists=lists, weather="sun", supply="harness", counters=counters)


def test_example_3_new_day_shuffles_rolls_and_draws() -> None:
    board = hills().play("new_day")
    assert_player(
        board,
        pos=26,
        turns=6,
        days=2,
        hypothermia=1,
        starvation=1,
        stack=(),
        hand="breakfast dinner first_aid lunch move mush upgrade_sled",
        deck="move",
        discard="",
        foods="",
    )
    assert (board.table.weather, board.table.supply) == ("rain", ("harness",))
    assert (board.table.counters.deck, board.table.counters.weather) == ((2,), 2)


def test_example_3_abandons_the_waiting_card_without_fizzling() -> None:
    told = hills().play("new_day")
    assert "fizzles" not in told.kinds()
    assert next(event for event in told.events if event.kind == "puts_together").data["abandoned"] == ["mush"]


def test_example_3_variation_sun_destroys_the_supply_and_moves_forward() -> None:
    board = hills({"weather": ["storm", "sun"]}).play("new_day")
    assert_player(board, pos=34, hypothermia=0, starvation=0)
    assert (board.table.weather, board.table.supply, board.table.destroyed) == ("sun", (), ("harness",))


def test_example_1_frame_remembers_the_day_it_was_played_on() -> None:
    board = husky().play("play husky pay armour breakfast")
    assert board.me.stack == (Frame(card="husky", day=0, n=0, need=2, paid=0, step="risk"),)
