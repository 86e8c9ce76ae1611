"""The risk stack and the effects of cards: R28 to R42, with the rulings that change them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.iditacards.boards import Board, seat

LAKE = 50
"""A space without influence on costs and risk in 2017 and 2019-02."""


def waiting(edition: str = "2019-02", **changes: Any) -> Board:
    """A player for whom Husky waits for two risk cards, with cards that cost nothing on the deck."""
    me: dict[str, Any] = {"pos": LAKE, "stack": "husky:2:0", "deck": "move move mush"}
    shared = {name: changes.pop(name) for name in ("options", "weather") if name in changes}
    return Board(edition, seat(**{**me, **changes}), **shared)


# The stack


def test_rule_28_a_frame_remembers_what_it_needs() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="greyhound"), day=3).play("play greyhound")
    frame = board.me.stack[0]
    assert (frame.card, frame.day, frame.n, frame.need, frame.paid, frame.step) == ("greyhound", 3, 0, 2, 0, "risk")


def test_rule_29_one_risk_card_a_turn_and_none_on_the_first() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="greyhound", deck="move move"), upgrade=["", "", "", ""])
    assert board.play("play greyhound").frames == [("greyhound", 2, 0)]
    assert board.play("continue").frames == [("greyhound", 2, 1)]
    assert board.play("continue").frames == []
    assert [dog.dog for dog in board.me.dogs] == ["greyhound"]


def test_rule_30_a_risk_card_with_a_risk_comes_first() -> None:
    board = waiting(deck="sprint move move move move").play("continue")
    assert board.frames == [("husky", 2, 0), ("sprint", 3, 0)]
    assert board.play("continue").frames == [("husky", 2, 0), ("sprint", 3, 1)]


def test_rule_31_frames_resolve_down_the_stack_on_one_turn() -> None:
    board = waiting(stack="husky:2:1 sprint:3:2", deck="move").play("continue")
    assert board.frames == []
    assert [dog.dog for dog in board.me.dogs] == ["husky"]


def test_rule_32_what_a_risk_card_did_stays_when_the_rest_fails() -> None:
    board = waiting(deck="move").play("continue; continue")
    assert board.frames == []
    assert board.me.moved
    assert board.me.pos == LAKE + 1 + 1 + 1


# Going on


@pytest.mark.parametrize(("edition", "pos"), [("2017", 77), ("2019-02", 77)])
def test_rule_33_on_a_leg_without_risks_everything_fizzles(edition: str, pos: int) -> None:
    board = waiting(edition, pos=pos).play("continue")
    assert (board.frames, board.me.discard, len(board.me.deck)) == ([], ("husky",), 3)


def test_ruling_33_old_risks_go_on_where_only_new_ones_fizzle() -> None:
    board = waiting(pos=77, options={"risks_fizzle_timing": "push_only"}).play("continue")
    assert board.frames == [("husky", 2, 1)]


def test_rule_33_a_card_lets_the_first_risk_card_be_drawn() -> None:
    board = waiting("2017", dogs="reliable_dog", deck="mush move").play("continue")
    assert (board.frames, board.me.hand) == ([("husky", 2, 1)], ("mush",))
    board.play("continue")
    assert sorted(dog.dog for dog in board.me.dogs) == ["husky", "reliable_dog"]


def test_ruling_32_the_first_risk_card_is_drawn_at_once() -> None:
    me = seat(pos=LAKE, hand="haste", deck="mush move", dogs="good_dog+dog_collar")
    board = Board("2017", me, options={"draw_first_risk": "at_once"}).play("play haste")
    assert (board.frames, board.me.hand, board.me.pos) == ([], ("move",), LAKE + 5)


def test_rule_33_an_empty_deck_fails_on_the_turn_it_is_due() -> None:
    board = waiting(deck="move").play("continue")
    assert board.frames == [("husky", 2, 1)]
    assert board.play("continue").frames == []


def test_ruling_31_an_empty_deck_fails_at_once() -> None:
    board = waiting(deck="move", options={"empty_deck_risk": "at_once"}).play("continue")
    assert (board.frames, "husky" in board.me.discard) == ([], True)


def test_rule_34_the_whole_stack_and_the_resolved_cards_are_discarded() -> None:
    board = waiting(stack="husky:2:1 mush:1:0", resolved="move", deck="").play("continue")
    assert (board.me.stack, board.me.resolved, board.me.discard) == ((), (), ("husky", "move", "mush"))


def test_ruling_29_only_the_failed_card_fizzles() -> None:
    board = waiting(stack="husky:2:1", resolved="move", deck="dinner lunch", options={"fizzle_scope": "failed_card"})
    board.play("continue")
    assert (board.frames, board.me.resolved, board.me.discard) == ([("husky", 2, 1)], ("move",), ("dinner",))


def test_rule_34_dogs_that_cannot_bear_it_die() -> None:
    board = waiting("2017", dogs="good_dog reliable_dog+a_hat", stack="husky:2:1", deck="").play("continue")
    assert [dog.dog for dog in board.me.dogs] == ["good_dog"]
    assert board.table.destroyed == ("reliable_dog",)


def test_rule_35_a_new_day_abandons_the_stack_without_fizzling() -> None:
    board = waiting("2017", dogs="reliable_dog", deck="", discard="", options={"initial_weather": "none"})
    board.play("new_day")
    assert (board.frames, board.me.hand) == ([], ("husky",))
    assert [dog.dog for dog in board.me.dogs] == ["reliable_dog"]


# Resolving


@pytest.mark.parametrize(("edition", "order"), [("2017", ["recovers", "draws"]), ("2019-02", ["draws", "recovers"])])
def test_rule_36_ops_run_in_their_order(edition: str, order: list[str]) -> None:
    board = Board(edition, seat(pos=LAKE, stack="bison:1:0", deck="move lunch", discard="mush")).play("continue; done")
    assert [kind for kind in board.kinds() if kind in ("draws", "recovers")] == order


def test_rule_36_conditions_are_judged_before_the_list_runs() -> None:
    # The card's own damage must not be left out because of what its first op did: both ask for the meal once.
    board = Board("2019-02", seat(pos=LAKE, stack="ibuprofin:1:0", deck="move lunch mush", foods="dinner"))
    board.play("continue; discard lunch; destroy mush")
    assert board.me.discard == ("ibuprofin", "lunch", "move")


@pytest.mark.parametrize(("foods", "damage"), [("", 2), ("lunch", 0)])
def test_rule_36_an_op_whose_condition_does_not_hold_is_skipped(foods: str, damage: int) -> None:
    board = Board("2019-02", seat(pos=LAKE, stack="ibuprofin:1:0", deck="move", foods=foods)).play("continue")
    assert board.me.discard.count("damaged") == damage


def test_rule_36_effects_happen_as_far_as_possible() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="lunch move move", deck="mush rest")).play("play lunch pay move move")
    assert (board.me.hand, board.me.deck) == (("mush", "rest"), ())


def test_rule_37_snow_takes_the_effect_of_sled_cards() -> None:
    me = seat(pos=LAKE, hand="band_aid improvise", deck="move move")
    board = Board("2017", me, weather="snow", upgrade=["push rush"]).play("play improvise")
    assert board.me.discard == ("improvise", "move", "move")
    assert board.table.destroyed == ()
    assert "R37" in board.rules


def test_rule_37_an_immune_player_gets_nothing_out_of_utility_cards() -> None:
    board = Board("2017", seat(pos=3, hand="torch", discard="mush"), seat(pos=LAKE)).play("play torch")
    assert (board.me.hand, board.me.discard) == ((), ("mush", "torch"))


def test_ruling_59_sled_cards_cannot_be_played_in_snow() -> None:
    me = seat(pos=LAKE, hand="improvise move", deck="move move")
    assert Board("2017", me, weather="snow", options={"snow_scope": "cannot_play"}).moves == ["new_day", "play move"]


@pytest.mark.parametrize(("edition", "zone"), [("2017", "discard"), ("2019-02", "resolved"), ("2019-08", "resolved")])
def test_rule_38_a_resolved_risk_card_waits_in_play_or_is_discarded(edition: str, zone: str) -> None:
    board = waiting(edition).play("continue")
    assert getattr(board.me, zone) == ("move",)


def test_rule_38_an_attachment_used_as_risk_is_placed_and_counts() -> None:
    board = waiting(deck="a_hat mush mush", hand="rest move", dogs="wheel_dog").play("continue pay move rest")
    assert board.frames == [("husky", 2, 1)]
    assert board.me.dogs[0].attachments == ("a_hat",)


def test_rule_38_a_damage_card_played_is_destroyed() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="damaged move", deck="lunch")).play("play damaged pay move")
    assert board.table.destroyed == ("damaged",)


def test_rule_39_a_card_cannot_recover_itself() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="torch", discard="mush")).play("play torch")
    assert board.moves == ["done", "recover mush", "restore mush"]


# Second steps


def test_rule_40_supply_now_and_cards_next_turn() -> None:
    me = seat(pos=3, hand="upgrade_sled armour breakfast", deck="move move")
    board = Board("2019-08", me, upgrade=["", "push rush bear haste"]).play("play upgrade_sled pay armour breakfast")
    assert (board.table.supply, board.me.hand) == (("bear", "push", "rush"), ())
    assert board.me.stack[0].step == "second"
    board.play("second; take push")
    assert (board.table.supply, board.me.hand, board.me.stack) == (("bear", "rush"), ("push",), ())
    assert "upgrade_sled" in board.me.discard


def test_rule_40_seen_cards_are_sorted_out_next_turn() -> None:
    me = seat(pos=3, hand="band_aid", deck="mush move")
    board = Board("2019-08", me).play("play band_aid")
    assert (board.me.seen, board.me.deck) == (("mush",), ("move",))
    board.play("second; destroy mush")
    assert (board.me.seen, board.table.destroyed, board.me.deck) == ((), ("mush",), ("move",))


def test_rule_40_an_empty_second_step_still_takes_the_turn() -> None:
    board = Board("2019-08", seat(pos=3, hand="improvise", deck="move")).play("play improvise")
    assert board.me.stack[0].step == "second"
    board.play("second")
    assert (board.me.turns, board.me.stack, board.me.hand) == (2, (), ())


def test_rule_40_nothing_waits_when_nothing_would_be_taken() -> None:
    board = Board("2019-08", seat(pos=3, hand="new_sled", deck="move")).play("play new_sled")
    assert (board.me.stack, board.me.discard) == ((), ("new_sled",))


def test_rule_40_a_card_below_waits_for_the_second_step() -> None:
    board = Board("2019-08", seat(pos=3, stack="husky:2:1", deck="improvise move")).play("continue")
    assert [(frame.card, frame.paid, frame.step) for frame in board.me.stack] == [
        ("husky", 1, "risk"),
        ("improvise", 0, "second"),
    ]
    board.play("second")
    assert [dog.dog for dog in board.me.dogs] == ["husky"]


def test_rule_40_the_number_destroyed_is_remembered() -> None:
    me = seat(pos=3, hand="new_sled armour breakfast", deck="move")
    board = Board("2019-08", me, upgrade=["", "push rush bear"]).play("play new_sled")
    assert (board.me.stack[0].n, board.table.supply) == (2, ("push", "rush"))
    assert board.table.destroyed == ("armour", "breakfast")


def test_ruling_53_a_second_step_may_be_given_up() -> None:
    me = seat(pos=3, hand="move", seen="mush", stack="band_aid:0:0:second", deck="lunch")
    board = Board("2019-08", me, options={"second_step": "optional"})
    assert board.moves == ["new_day", "second", "skip_second"]
    board.play("skip_second; play move")
    assert (board.me.stack, sorted(board.me.deck)) == ((), ["lunch", "mush"])


# Numbers


def test_rule_41_a_dog_raises_both_numbers_of_own_personal_cards() -> None:
    me = seat(pos=LAKE, hand="band_aid", deck="lunch mush rest", dogs="puppy")
    board = Board("2019-02", me).play("play band_aid; destroy lunch; destroy mush")
    assert board.table.destroyed == ("lunch", "mush")


def test_rule_41_meditate_with_puppy_destroys_one_of_the_deck() -> None:
    me = seat(pos=LAKE, hand="meditate lunch", deck="mush rest dinner", dogs="puppy")
    board = Board("2019-02", me).play("play meditate pay lunch")
    assert "destroy dinner" in board.moves
    board.play("destroy dinner")
    assert not any(move.startswith("destroy") for move in board.moves)


def test_rule_41_a_dog_raises_the_numbers_of_own_sled_cards() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="improvise", dogs="robodog"), upgrade=["push rush", "", "", ""])
    board.play("play improvise; take push")
    assert (board.me.discard, board.table.supply) == (("improvise", "push"), ())


def test_rule_42_a_doubled_move_adds_its_speed_twice() -> None:
    board = waiting(stack="utility_knife:1:0", deck="move", dogs="good_dog+squirrel").play("continue")
    moved = sum(event.data["distance"] for event in board.events if event.kind == "moves")
    assert moved == 2 * (1 + 3)


def test_rule_42_a_doubled_dog_is_placed_once() -> None:
    me = seat(pos=LAKE, stack="utility_knife:1:0 husky:2:1", deck="move mush")
    board = Board("2019-02", me).play("continue")
    assert [dog.dog for dog in board.me.dogs] == ["husky"]


def test_ruling_34_only_direct_risk_cards_are_doubled() -> None:
    me = seat(pos=LAKE, stack="utility_knife:1:0 husky:2:0", deck="move mush")
    moves = {}
    for scope in ("all_above", "direct_only"):
        board = Board("2019-02", me, options={"knife_scope": scope}).play("continue")
        moves[scope] = board.kinds().count("moves")
    assert moves == {"all_above": 2, "direct_only": 1}


def test_new_sled_pays_for_itself_with_one_of_three_cards() -> None:
    me = seat(pos=LAKE, hand="new_sled armour breakfast lunch", hypothermia=2)
    board = Board("2019-02", me, upgrade=["push rush bear", "", "", ""])
    board.play("play new_sled pay armour; take push; take rush")
    assert board.table.destroyed == ("breakfast", "lunch")
    assert (board.me.discard, board.table.supply) == (("armour", "new_sled", "push", "rush"), ())
