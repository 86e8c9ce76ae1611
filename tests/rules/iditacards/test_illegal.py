"""Refused moves: the rule, the reason and the way out, word for word."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import IllegalMoveError, NotationError
from rules.iditacards.turn import Play
from tests.rules.games import VECTORS, answered, play, vector_position
from tests.rules.iditacards.boards import Board, seat

HIDDEN = ("upgrade", "legendary", "legs", "opponents")


def refusal(board: Board, text: str) -> tuple[str, str]:
    with pytest.raises(IllegalMoveError) as raised:
        board.game.parse_step(board.state, text)
    assert str(raised.value) == f"illegal move '{text}' ({raised.value.rule}): {raised.value.reason}"
    return raised.value.rule, raised.value.reason


def start(edition: str = "2019-02", **changes: Any) -> Board:
    me: dict[str, Any] = {"pos": 30, "hand": "armour breakfast husky", "deck": "lunch move move", "dogs": "wheel_dog"}
    shared = {name: changes.pop(name) for name in ("options", "known", "weather", "over", "final") if name in changes}
    return Board(edition, seat(**{**me, **changes}), **shared)


@pytest.mark.parametrize(
    ("text", "rule", "reason"),
    [
        ("play mush", "R14", "mush is not in the hand: armour, breakfast, husky"),
        ("play musch", "R14", "there is no card 'musch'; did you mean 'mush'?"),
        ("play husky pay breakfast", "R22", "husky needs 2 cards, 1 given"),
        ("play husky pay armour husky", "R20", "husky cannot pay for itself; the rest of the hand: armour, breakfast"),
        (
            "play husky pay armour lunch",
            "R22",
            "there is no lunch to pay with; the rest of the hand: armour, breakfast",
        ),
        (
            "play husky pay armour armour",
            "R22",
            "there is only 1 armour to pay with; the rest of the hand: armour, breakfast",
        ),
        ("play husky pay armour brekfast", "R14", "there is no card 'brekfast'; did you mean 'breakfast'?"),
        (
            "play husky armour breakfast",
            "R22",
            "the cards that pay stand after 'pay', as in 'play husky pay armour breakfast'",
        ),
        ("play breakfast pay husky", "R22", "breakfast needs no cards, 1 given"),
        ("continue", "R14", "no card waits for a risk card; play a card or call a 'new_day'"),
        ("second", "R40", "no card waits for its second step"),
        ("pass", "Q20", "a turn needs a card or a new day; 'new_day' is always open"),
        ("join", "R60", "nobody has called a new day yet"),
        ("pay armour", "R22", "energy is paid along with the card, as in 'play CARD pay CARD CARD'"),
        ("kill wheel_dog", "R13", "no dog has to die now; a dog is given up freely with 'sacrifice DOG'"),
        ("sacrifice husky", "R13", "husky is not in play: wheel_dog"),
        ("remove a_hat from wheel_dog", "R55", "wheel_dog wears no card, not a_hat"),
        ("weather sun", "R73", "'weather' is open: what it brings is known and never named"),
        (
            "take push",
            "R75",
            "nothing asks for that; player 0 begins a turn: 'new_day', 'play breakfast', 'sacrifice wheel_dog', "
            "'play armour pay breakfast', 'play armour pay husky', 'play husky pay armour breakfast'",
        ),
    ],
)
def test_at_the_start_of_a_turn(text: str, rule: str, reason: str) -> None:
    assert refusal(start(), text) == (rule, reason)


def test_every_reason_lists_what_is_open_and_no_more_than_fits() -> None:
    board = start(hand="armour breakfast husky move dinner")
    _, reason = refusal(board, "take push")
    shortest = sorted(board.moves, key=lambda text: len(text.split()))
    assert reason.endswith(f"'{shortest[5]}' and {len(board.moves) - 6} more")


@pytest.mark.parametrize("text", ["", "jump", "play", "new_day now", "take", "remove a_hat wheel_dog", "deck"])
def test_what_is_no_move_of_the_game_has_no_rule(text: str) -> None:
    board = start()
    assert board.game.why_illegal(board.state, text) is None


def test_what_is_no_move_is_refused_with_the_nearest_one() -> None:
    board = start()
    with pytest.raises(NotationError, match="'newday' is no move here; did you mean 'new_day'"):
        board.game.parse_step(board.state, "newday")


def test_an_empty_hand_says_so() -> None:
    assert refusal(start(hand=""), "play mush") == ("R14", "mush is not in the hand: no card")


# Paying


def test_rule_26_a_card_that_cannot_be_paid_is_played_without_payment() -> None:
    reason = "husky needs 2 cards and only 1 can pay; without 'pay' it is played and fails"
    assert refusal(start(hand="husky move"), "play husky pay move") == ("R26", reason)


def test_rule_25_whoever_can_pay_must_pay() -> None:
    board = start()
    with pytest.raises(IllegalMoveError) as raised:
        board.game.apply(board.state, Play("husky"))
    assert (raised.value.rule, raised.value.reason) == (
        "R25",
        "who can pay must pay: husky needs 2 cards of armour, breakfast",
    )


def test_ruling_25_a_damage_card_pays_no_energy() -> None:
    board = start(hand="damaged armour breakfast husky")
    reason = "a damage card pays no energy; what can pay: armour, breakfast"
    assert refusal(board, "play husky pay armour damaged") == ("Q25", reason)


def test_rule_18_a_cost_of_all_cards_takes_them_all() -> None:
    board = start(hand="desperate_times armour breakfast")
    reason = "desperate_times costs all cards that can pay: armour, breakfast"
    assert refusal(board, "play desperate_times pay breakfast") == ("R18", reason)


def test_rule_33_a_hidden_risk_card_is_paid_after_it_came_up() -> None:
    board = start(known=HIDDEN, hand="armour breakfast dinner", deck="lunch lunch", stack="husky:2:0")
    reason = "the risk card is not known yet; 'continue' alone turns it up, then its energy is asked"
    assert refusal(board, "continue pay armour") == ("R33", reason)
    assert board.play("continue").moves == ["pay armour breakfast", "pay armour dinner", "pay breakfast dinner"]


def test_rule_22_a_revealed_risk_card_needs_its_energy() -> None:
    board = start(known=HIDDEN, hand="armour breakfast good_dog", deck="lunch move", stack="husky:2:0")
    board.play("continue; deck lunch")
    assert refusal(board, "pay good_dog") == ("R22", "lunch needs 2 cards, 1 given")
    assert refusal(board, "play armour")[0] == "R75"


# The risk stack


def test_rule_14_a_waiting_card_leaves_no_other_card() -> None:
    reason = "mush waits for a risk card; only 'continue' and 'new_day' are open"
    assert refusal(start(stack="mush:1:0"), "play breakfast") == ("R14", reason)


def test_rule_14_a_second_step_comes_before_the_next_card() -> None:
    board = start("2019-08", stack="upgrade_sled:0:0:second")
    reason = "upgrade_sled waits for its second step; only 'second' and 'new_day' are open"
    assert refusal(board, "play breakfast") == ("R14", reason)
    assert refusal(board, "continue") == ("R14", reason)
    assert refusal(board, "skip_second") == ("Q53", "the second step of upgrade_sled cannot be left out")


# Dogs


def test_rule_53_a_dog_that_cannot_die_is_not_sacrificed() -> None:
    board = start(dogs="wheel_dog good_dog+plate_mail")
    reason = "good_dog+plate_mail cannot die, because of plate_mail"
    assert refusal(board, "sacrifice good_dog+plate_mail") == ("R53", reason)


def test_a_dog_is_named_with_what_it_wears() -> None:
    board = start(dogs="wheel_dog good_dog+a_hat")
    assert refusal(board, "sacrifice good_dog") == ("R13", "a dog is written with what it wears: good_dog+a_hat")
    assert refusal(board, "remove armour from good_dog+a_hat") == ("R55", "good_dog+a_hat wears a_hat, not armour")


def test_ruling_42_attachments_stay_where_the_ruleset_says_so() -> None:
    board = start("2017", dogs="good_dog+a_hat")
    reason = "an attachment stays on its dog; only another one can take its place"
    assert refusal(board, "remove a_hat from good_dog+a_hat") == ("Q42", reason)


def test_ruling_38_sacrifice_only_where_room_is_needed() -> None:
    board = start(options={"sacrifice_timing": "when_needed"})
    assert refusal(board, "sacrifice wheel_dog") == ("Q38", "dogs are sacrificed only to make room for a new one")


def test_rule_52_a_card_that_asks_for_a_dog_gets_one_of_those_it_can_kill() -> None:
    board = Board(
        "2019-02",
        seat(pos=30, hand="trade_dog", deck="lunch move move lunch", dogs="wheel_dog husky good_dog+plate_mail"),
    )
    board.play("play trade_dog")
    reason = "good_dog+plate_mail cannot die, because of plate_mail"
    assert refusal(board, "kill good_dog+plate_mail") == ("R53", reason)
    assert refusal(board, "kill big_dog") == ("R52", "big_dog is not in play: good_dog+plate_mail, husky, wheel_dog")
    assert refusal(board, "sacrifice husky") == (
        "R13",
        "dogs are sacrificed before the main action; open now: 'kill husky', 'kill wheel_dog'",
    )


# Chance and other players


def test_rule_72_chance_is_not_a_move() -> None:
    board = start(known=HIDDEN, hand="breakfast", deck="lunch move move move").play("play breakfast")
    assert refusal(board, "new_day") == ("R72", "chance decides here, no player: 'deck lunch', 'deck move'")
    assert refusal(board, "deck husky") == ("R73", "husky cannot come up here: 'deck lunch', 'deck move'")
    assert refusal(board, "weather sun") == ("R72", "something else comes first: 'deck lunch', 'deck move'")


def test_rule_72_nothing_comes_up_before_the_player_has_decided() -> None:
    board = start(known=HIDDEN, hand="")
    reason = "nothing comes up before a player has decided: 'new_day', 'sacrifice wheel_dog'"
    assert refusal(board, "weather sun") == ("R72", reason)


def test_rule_75_the_asked_player_answers_first() -> None:
    board = Board("2019-02", seat(pos=30, hand="breakfast"), seat(pos=20, hand="lunch")).play("new_day")
    assert refusal(board, "play lunch") == ("R75", "player 1 has to answer something else first: 'join', 'stay'")
    assert refusal(board, "done") == ("R75", "one of these has to be chosen: 'join', 'stay'")


def test_rule_69_nothing_is_open_after_the_end() -> None:
    board = start(pos=161, finished=True, over=True, final=[])
    assert refusal(board, "new_day") == ("R69", "the race is over")
    assert refusal(board, "play mush") == ("R69", "the race is over")


def test_ruling_46_the_full_number_is_taken() -> None:
    board = Board(
        "2017", seat(hand="upgrade_sled armour breakfast", deck="lunch move move"), upgrade=["bear push rush"]
    )
    board.play("play upgrade_sled pay armour breakfast")
    assert refusal(board, "done")[0] == "Q46"
    assert refusal(board, "take husky") == (
        "Q46",
        "husky is not among what can be chosen here: 'take bear', 'take push', 'take rush'",
    )


HEADS = """
    play continue pay second skip_second pass new_day sacrifice remove kill attach join stay done discard_new from
    target take legendary restore recover destroy discard keep return deck upgrade weather
"""
WORDS = "pay from to replacing husky lunch husky+a_hat 1:husky 0:wheel_dog 9: + : speed sun 7 x"


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(sorted(VECTORS)),
    st.integers(0, 2**16),
    st.lists(
        st.tuples(st.sampled_from(HEADS.split()), st.lists(st.sampled_from(WORDS.split()), max_size=4)),
        min_size=5,
        max_size=20,
    ),
)
def test_whatever_is_written_is_a_step_or_refused_in_words(
    name: str, seed: int, written: list[tuple[str, list[str]]]
) -> None:
    game, start = vector_position(name).start()
    states = [start, *(transition.state for _, _, transition in play(game, start, seed, turns=1))]
    for place, (head, words) in enumerate(written):
        state = states[place % len(states)]
        text = " ".join([head, *words])
        assert text in answered(game, state, text)


def test_cards_that_pay_may_be_named_in_any_order() -> None:
    board = start(hand="armour breakfast husky lunch")
    assert board.game.parse_step(board.state, "play husky pay lunch  armour").text == "play husky pay armour lunch"
    assert board.game.parse_step(board.state, "play lunch pay husky armour").text == "play lunch pay armour husky"
    assert refusal(board, "play husky pay lunch lunch")[0] == "R22"
    with pytest.raises(NotationError, match="could be any of 2 moves"):
        board.game.parse_step(board.state, "play husky pay armour")
