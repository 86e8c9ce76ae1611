"""Setup, the turn and its parts: R1 to R16."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import ContentError
from rules.core.position import new_position
from tests.rules.iditacards.boards import Board, seat

EDITIONS = ("2017", "2019-02", "2019-08")
every_edition = pytest.mark.parametrize("edition", EDITIONS)


def setup(edition: str, players: int = 1) -> dict[str, Any]:
    return dict(new_position(f"iditacards/{edition}", players, seed=1).state)


def actions(board: Board) -> set[str]:
    """Return the first words of what is open."""
    return {move.split()[0] for move in board.moves}


# Setup


@every_edition
def test_rule_4_everybody_begins_before_the_line_with_nothing_but_cards(edition: str) -> None:
    for player in setup(edition, 2)["players"]:
        beginning = {name: player[name] for name in ("pos", "hypothermia", "starvation", "turns", "days")}
        assert beginning == {"pos": 0, "hypothermia": 0, "starvation": 0, "turns": 0, "days": 1}
        assert not any(player[name] for name in ("discard", "stack", "resolved", "seen", "foods", "passed"))


@pytest.mark.parametrize(("edition", "dogs", "cards"), [("2017", 0, 26), ("2019-02", 1, 25), ("2019-08", 1, 24)])
def test_rule_5_wheel_dog_in_play_or_in_the_deck(edition: str, dogs: int, cards: int) -> None:
    state = setup(edition, 2)
    for player in state["players"]:
        assert [dog["dog"] for dog in player["dogs"]] == ["wheel_dog"] * dogs
        assert len(player["deck"]) + len(player["hand"]) == cards


@pytest.mark.parametrize(
    ("edition", "sizes", "legendary"),
    [("2017", [260], 0), ("2019-02", [53, 53, 53, 53], 5), ("2019-08", [82, 86], 5)],
)
def test_rule_6_upgrade_decks_and_legendary_cards(edition: str, sizes: list[int], legendary: int) -> None:
    state = setup(edition, 3)
    assert [len(deck) for deck in state["upgrade"]] == sizes
    dealt = [player["legendary"] for player in state["players"]]
    assert [len(cards) for cards in dealt] == [legendary] * 3
    assert len({card for cards in dealt for card in cards}) == 3 * legendary


def test_rule_6_one_leg_of_each_type_on_a_board_of_types() -> None:
    assert setup("2019-08")["legs"] == [
        "none",
        "hills",
        "blizzard",
        "frozen_lake",
        "mountain",
        "forest",
        "cliff_face",
        "none",
    ]


@every_edition
def test_rule_7_six_cards_for_everybody_whatever_the_dogs(edition: str) -> None:
    assert [len(player["hand"]) for player in setup(edition, 4)["players"]] == [6] * 4


@pytest.mark.parametrize(("edition", "rolled"), [("2017", 0), ("2019-02", 1), ("2019-08", 1)])
def test_rule_8_weather_is_rolled_before_the_race_and_harms_nobody(edition: str, rolled: int) -> None:
    state = setup(edition)
    assert (state["weather"] != "none") == bool(rolled)
    assert state["counters"]["weather"] == rolled
    assert state["players"][0]["hypothermia"] == state["players"][0]["starvation"] == 0


@pytest.mark.parametrize(("edition", "damage"), [("2017", 13), ("2019-02", 18), ("2019-08", 18)])
def test_rule_9_damage_cards_lie_ready_and_seat_0_begins(edition: str, damage: int) -> None:
    state = setup(edition, 2)
    assert (state["damage_left"], state["active"]) == (damage, 0)


def test_rule_10_alone_utility_cards_are_left_out_in_2017_only() -> None:
    alone, together = setup("2017"), setup("2017", 2)
    assert len(alone["upgrade"][0]) == 205
    assert len(together["upgrade"][0]) == 260
    cards = [*alone["players"][0]["deck"], *alone["players"][0]["hand"]]
    assert "rest" not in cards
    assert "rest" in [*setup("2019-02")["players"][0]["deck"], *setup("2019-02")["players"][0]["hand"]]


# The turn


def test_rule_1_zones_without_order_make_equal_positions() -> None:
    first = Board("2019-02", seat(hand="lunch move", discard="mush armour", dogs="wheel_dog good_dog+a_hat"))
    second = Board("2019-02", seat(hand="move lunch", discard="armour mush", dogs="good_dog+a_hat wheel_dog"))
    assert first.table == second.table


def test_rule_1_the_order_of_a_deck_counts() -> None:
    assert Board("2019-02", seat(deck="lunch move")).table != Board("2019-02", seat(deck="move lunch")).table


def test_rule_3_a_card_too_many_is_no_position() -> None:
    with pytest.raises(ContentError, match="'husky' lies on the table 2 times, but the box has 1 for 1 player"):
        Board("2019-02", seat(hand="husky", deck="husky"))


def test_rule_2_no_position_records_the_speed() -> None:
    board = Board("2019-02", seat(pos=50, hand="move", dogs="bear"))
    assert not any("speed" in field for field in (*board.me._fields, *board.table._fields))


def test_rule_11_a_turn_has_exactly_one_main_action() -> None:
    board = Board("2019-02", seat(pos=50, hand="move lunch rest", deck="mush")).play("play move")
    assert (board.me.turns, board.me.hand) == (1, ("lunch", "rest"))


def test_rule_15_a_failed_payment_ends_the_main_action() -> None:
    board = Board("2019-02", seat(pos=50, hand="push", deck="mush")).play("play push")
    assert board.kinds() == ["plays", "fails", "fizzles", "auto_moves", "moved"]


def test_rule_12_an_armed_free_cost_is_on_at_the_start_of_the_own_turn() -> None:
    board = Board("2017", seat(hand="husky", deck="lunch lunch", free_energy="armed"), seat(hand="move"))
    board.play("play husky")
    assert "fails" not in board.kinds()
    assert board.me.free_energy == "no"


def test_rule_13_free_actions_come_before_the_main_action_and_take_no_turn() -> None:
    board = Board("2019-02", seat(pos=50, hand="move", dogs="good_dog+a_hat wheel_dog"))
    board.play("remove a_hat from good_dog+a_hat; sacrifice good_dog; sacrifice wheel_dog")
    assert board.moves == ["new_day", "play move"]
    board.play("play move")
    assert (board.me.turns, board.me.dogs) == (1, ())
    assert board.me.discard == ("a_hat", "move", "wheel_dog")
    assert board.table.destroyed == ("good_dog",)


def test_rule_14_with_an_empty_stack_cards_and_a_new_day_are_open() -> None:
    assert Board("2019-02", seat(hand="lunch move")).moves == ["new_day", "play lunch", "play move"]


def test_rule_14_with_an_empty_hand_only_a_new_day_is_open() -> None:
    assert Board("2019-02", seat(discard="lunch")).moves == ["new_day"]


@pytest.mark.parametrize("deck", ["", "lunch"])
def test_rule_14_a_waiting_card_leaves_continue_and_a_new_day(deck: str) -> None:
    board = Board("2019-02", seat(hand="move", deck=deck, stack="husky:2:0"))
    assert board.moves == ["continue", "new_day"]


def test_rule_14_a_second_step_leaves_second_and_a_new_day() -> None:
    board = Board("2019-08", seat(hand="move", stack="upgrade_sled:0:0:second"), supply="harness")
    assert board.moves == ["new_day", "second"]


def test_rule_14_a_card_that_cannot_be_paid_may_be_played() -> None:
    board = Board("2019-02", seat(hand="husky move"))
    assert "play husky" in board.moves
    board.play("play husky")
    assert board.me.discard == ("husky",)


def test_rule_16_the_leg_acts_then_the_sled_moves() -> None:
    board = Board("2019-02", seat(pos=156, hand="move", discard="mush")).play("play move; recover mush")
    assert [kind for kind in board.kinds() if kind in ("moves", "recovers", "auto_moves")] == [
        "moves",
        "recovers",
        "auto_moves",
    ]
    assert (board.me.pos, board.me.hand) == (158, ("mush",))


def test_rule_16_the_turn_passes_to_the_next_seat_and_back() -> None:
    board = Board("2019-02", seat(hand="move move"), seat(pos=9, hand="move"))
    board.play("play move")
    assert (board.table.active, board.me.turns, board.you.turns) == (1, 1, 0)
    board.play("play move")
    assert (board.table.active, board.me.turns, board.you.turns) == (0, 1, 1)


def test_rule_16_a_turn_without_a_next_player_is_the_same_players() -> None:
    assert Board("2019-02", seat(hand="move")).play("play move").table.active == 0
