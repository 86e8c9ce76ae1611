"""Dogs and attachments: R50 to R55, with their rulings."""

from __future__ import annotations

from typing import Any

import pytest

from rules.iditacards.seat import dog_text
from tests.rules.iditacards.boards import Board, seat

LAKE = 50
"""A space without influence on costs, risk and dogs in 2017 and 2019-02."""
SIX = "cute_dog cute_dog retriever retriever smart_dog smart_dog"
"""A full team without effect on speed."""


def team(board: Board) -> list[str]:
    return [dog_text(dog) for dog in board.me.dogs]


def resolving(card: str, edition: str = "2019-02", **changes: Any) -> Board:
    """A player for whom a card needs one more risk card, which costs nothing: ``continue`` resolves both."""
    me: dict[str, Any] = {"pos": LAKE, "stack": f"{card}:1:0", "deck": "move mush mush"}
    options = changes.pop("options", {})
    return Board(edition, seat(**{**me, **changes}), options=options).play("continue")


# Placing dogs


def test_rule_50_a_dog_is_placed() -> None:
    assert team(resolving("husky")) == ["husky"]


def test_rule_50_a_seventh_dog_needs_room() -> None:
    board = resolving("husky", dogs=SIX)
    assert board.moves == ["discard_new", "kill cute_dog", "kill retriever", "kill smart_dog"]
    board.play("kill retriever")
    assert len(board.me.dogs) == 6
    assert board.table.destroyed == ("retriever",)


def test_rule_50_a_seventh_dog_may_be_discarded() -> None:
    board = resolving("husky", dogs=SIX).play("discard_new")
    assert (len(board.me.dogs), "husky" in board.me.discard) == (6, True)


def test_rule_50_a_big_dog_needs_room_for_two() -> None:
    board = resolving("bear", dogs="big_dog big_dog big_dog")
    assert board.moves == ["discard_new", "kill big_dog"]
    board = Board("2019-02", seat(pos=LAKE, hand="big_dog", dogs=SIX)).play("play big_dog; kill cute_dog")
    assert board.moves == ["discard_new", "kill cute_dog", "kill retriever", "kill smart_dog"]


def test_rule_50_without_a_dog_that_can_die_the_new_one_is_discarded() -> None:
    dogs = (
        "russian_bear_dog russian_bear_dog russian_bear_dog husky+plate_mail lead_dog+plate_mail good_dog+buffer_panel"
    )
    board = resolving("bear", dogs=dogs)
    assert len(board.me.dogs) == 6
    assert "bear" in board.me.discard


def test_rule_50_the_ops_of_a_dog_without_room_happen() -> None:
    board = resolving("polar_bear", dogs=SIX).play("discard_new")
    assert (board.me.hypothermia, "damaged" in board.me.discard) == (1, True)


def test_ruling_39_the_newest_dog_is_discarded() -> None:
    board = resolving("husky", dogs=SIX, options={"dog_overflow": "newest_discarded"})
    assert "husky" in board.me.discard


def test_rule_51_dogs_and_attachments_work_while_they_are_in_play() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs="good_dog+squirrel")).play("play move")
    assert board.me.pos == LAKE + (1 + 3) + (1 + 3)
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs="good_dog+squirrel"))
    board.play("remove squirrel from good_dog+squirrel; play move")
    assert board.me.pos == LAKE + 1 + 1


# Death


def test_rule_52_a_dead_dog_leaves_the_game_and_its_attachments_are_discarded() -> None:
    board = Board("2019-02", seat(dogs="good_dog+a_hat")).play("sacrifice good_dog+a_hat; new_day")
    assert (board.me.dogs, board.table.destroyed) == ((), ("good_dog",))
    assert "a_hat" in board.me.hand


@pytest.mark.parametrize(("dog", "zone"), [("wheel_dog", "discard"), ("cat", "hand")])
def test_rule_52_a_dog_may_die_to_another_zone(dog: str, zone: str) -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs=dog)).play(f"sacrifice {dog}; play move")
    assert dog in getattr(board.me, zone)
    assert board.table.destroyed == ()


def test_rule_52_a_shield_dies_instead() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs="good_dog+armour"))
    board.play("sacrifice good_dog+armour; play move")
    assert (team(board), board.me.discard) == (["good_dog"], ("armour", "move"))


def test_rule_52_a_reactor_takes_all_others_with_it() -> None:
    dogs = "good_dog+nuclear_reactor husky lead_dog+armour moose wheel_dog"
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs=dogs)).play(
        "sacrifice good_dog+nuclear_reactor; play move"
    )
    assert team(board) == ["lead_dog", "moose"]
    assert board.table.destroyed == ("good_dog", "husky")


def test_rule_52_a_steam_engine_takes_one_of_choice_with_it() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs="good_dog+steam_engine husky lead_dog"))
    board.play("sacrifice good_dog+steam_engine")
    assert board.moves == ["kill husky", "kill lead_dog"]
    assert team(board.play("kill lead_dog; play move")) == ["husky"]


def test_rule_52_one_death_may_lead_to_the_next() -> None:
    dogs = "good_dog+steam_engine husky+steam_engine lead_dog wheel_dog"
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs=dogs))
    board.play("sacrifice good_dog+steam_engine; kill husky+steam_engine; kill wheel_dog; play move")
    assert team(board) == ["lead_dog"]


def test_rule_53_a_protected_dog_is_no_choice() -> None:
    board = Board("2019-02", seat(dogs="good_dog+plate_mail moose russian_bear_dog husky"))
    assert [move for move in board.moves if move.startswith("sacrifice")] == ["sacrifice husky"]


def test_rule_53_a_shielded_dog_pays_the_price() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="eat_dog", deck="lunch mush", dogs="good_dog+armour"))
    board.play("play eat_dog")
    assert (team(board), board.me.hand) == (["good_dog"], ("lunch", "mush"))


def test_ruling_37_a_shield_does_not_pay() -> None:
    me = seat(pos=LAKE, hand="eat_dog", deck="lunch mush", dogs="good_dog+armour")
    board = Board("2019-02", me, options={"shield_pays": False}).play("play eat_dog")
    assert (team(board), board.me.hand) == (["good_dog"], ())


def test_the_rest_of_a_card_is_left_out_without_a_dog_to_pay() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="eat_dog", deck="lunch mush", dogs="moose")).play("play eat_dog")
    assert (board.me.hand, board.me.foods) == ((), ("eat_dog",))
    assert "Q36" in board.rules


def test_ruling_36_the_price_may_be_declined() -> None:
    me = seat(pos=LAKE, hand="eat_dog", deck="lunch mush", dogs="good_dog")
    assert Board("2019-02", me).play("play eat_dog").me.dogs == ()
    board = Board("2019-02", me, options={"required_kill": "optional"}).play("play eat_dog; done")
    assert (team(board), board.me.hand) == (["good_dog"], ())


def test_ruling_38_dogs_die_at_any_time() -> None:
    me = seat(pos=LAKE, hand="torch", discard="mush", dogs="cat")
    board = Board("2019-02", me, options={"sacrifice_timing": "any_time"}).play(
        "play torch; sacrifice cat; recover mush"
    )
    assert (board.me.hand, board.me.dogs) == (("cat", "mush"), ())


# Attachments


def test_rule_54_an_attachment_goes_on_a_dog_with_room() -> None:
    board = resolving("tiara", dogs="good_dog husky+a_hat wheel_dog")
    assert board.moves == [
        "attach to good_dog",
        "attach to husky+a_hat replacing a_hat",
        "attach to wheel_dog",
    ]
    assert team(board.play("attach to wheel_dog")) == ["good_dog", "husky+a_hat", "wheel_dog+tiara"]


def test_rule_54_an_attachment_replaces_another_or_is_discarded() -> None:
    board = resolving("tiara", dogs="husky+a_hat")
    assert board.moves == ["attach to husky+a_hat replacing a_hat", "discard_new"]
    board.play("attach to husky+a_hat replacing a_hat")
    assert (team(board), "a_hat" in board.me.discard) == (["husky+tiara"], True)


def test_rule_54_without_a_dog_that_can_wear_it_it_is_discarded() -> None:
    board = resolving("tiara", dogs="greyhound")
    assert (team(board), "tiara" in board.me.discard) == (["greyhound"], True)


def test_rule_54_a_lazy_dog_wears_two() -> None:
    board = resolving("tiara", dogs="lazy_dog+a_hat")
    assert team(board) == ["lazy_dog+a_hat+tiara"]


def test_ruling_41_no_attachment_on_a_full_dog() -> None:
    board = resolving("tiara", dogs="husky+a_hat", options={"attachment_overwrite": False})
    assert (team(board), "tiara" in board.me.discard) == (["husky+a_hat"], True)


def test_ruling_43_an_attachment_on_another_players_dog() -> None:
    me = seat(pos=LAKE, stack="tiara:1:0", deck="move", dogs="good_dog")
    board = Board("2019-02", me, seat(pos=60, dogs="husky"), options={"attach_to_others": True}).play("continue")
    assert board.moves == ["attach to 0:good_dog", "attach to 1:husky"]
    board.play("attach to 1:husky")
    assert [dog_text(dog) for dog in board.you.dogs] == ["husky+tiara"]


def test_rule_55_a_removed_attachment_is_discarded() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="move", dogs="good_dog+a_hat"))
    board.play("remove a_hat from good_dog+a_hat; play move")
    assert (team(board), board.me.discard) == (["good_dog"], ("a_hat", "move"))
    assert "R55" in board.rules


def test_ruling_42_attachments_that_may_not_be_removed() -> None:
    board = Board("2019-02", seat(hand="move", dogs="good_dog+a_hat"), options={"attachment_removal": False})
    assert board.moves == ["new_day", "play move", "sacrifice good_dog+a_hat"]


# Cards that kill


def test_every_other_player_loses_a_dog_of_their_choice() -> None:
    me = seat(pos=LAKE, stack="dog_trap:1:0", deck="move", dogs="good_dog")
    board = Board("2019-02", me, seat(pos=60, dogs="husky wheel_dog")).play("continue")
    assert board.game.to_act(board.state) == 1
    assert board.moves == ["kill husky", "kill wheel_dog"]
    assert [dog.dog for dog in board.play("kill wheel_dog").you.dogs] == ["husky"]


def test_a_card_may_kill_a_fake_dog_of_any_player() -> None:
    me = seat(pos=LAKE, stack="referee:1:0", deck="move", dogs="bear good_dog")
    board = Board("2019-02", me, seat(pos=60, dogs="bear moose wheel_dog")).play("continue")
    assert board.moves == ["kill 0:bear", "kill 1:bear"]
    assert [dog.dog for dog in board.play("kill 1:bear").you.dogs] == ["moose", "wheel_dog"]


def test_rule_67_dogs_of_an_immune_player_are_no_choice() -> None:
    me = seat(pos=LAKE, stack="referee:1:0", deck="move", dogs="bear")
    board = Board("2019-02", me, seat(pos=60, dogs="bear", immune=True)).play("continue")
    assert (board.me.dogs, len(board.you.dogs)) == ((), 1)
