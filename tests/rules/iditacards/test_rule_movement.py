"""Speed, moves, passing, conditions, legs and damage: R43 to R49 and R56 to R58, with their rulings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.iditacards.boards import Board, seat

LAKE = 50
"""A space of Frozen Lake, far from its ends, in 2017 and 2019-02."""
FREE = 2
"""A space without a leg in 2019-08."""


def speed(board: Board) -> int:
    """Play a move card and return the speed it went with."""
    board.play("play move")
    return int(next(event.data["speed"] for event in board.events if event.kind == "moves"))


def mover(edition: str = "2019-02", pos: int = LAKE, dogs: str = "", weather: str = "none", **changes: Any) -> Board:
    shared = {name: changes.pop(name) for name in ("options", "freeze") if name in changes}
    return Board(edition, seat(pos=pos, hand="move", dogs=dogs, **changes), weather=weather, **shared)


# Speed


@pytest.mark.parametrize(
    ("edition", "pos", "dogs", "weather", "expected"),
    [
        ("2019-02", LAKE, "wheel_dog good_dog+tiara", "none", 2),
        ("2019-02", LAKE, "chihuahua good_dog wheel_dog", "none", 3),
        ("2019-02", 30, "good_dog wheel_dog", "none", 3),
        ("2019-02", 40, "good_dog wheel_dog", "none", -1),
        ("2019-02", LAKE, "wheel_dog", "wind", 6),
        ("2019-02", LAKE, "wheel_dog engineer_dog", "wind", 12),
        ("2019-02", LAKE, "wheel_dog lazy_dog", "cloud", -1),
        ("2019-02", 140, "bear lazy_dog", "sun", -1),
        ("2017", LAKE, "wheel_dog", "cloud", 0),
        ("2017", LAKE, "wheel_dog", "rain", 4),
        ("2017", 30, "big_dog", "none", 4),
        ("2019-08", FREE, "wheel_dog", "wind", 1),
        ("2019-08", 140, "bear lazy_dog", "none", -1),
    ],
)
def test_rule_43_speed(edition: str, pos: int, dogs: str, weather: str, expected: int) -> None:
    assert speed(mover(edition, pos, dogs, weather)) == expected


@pytest.mark.parametrize(("hypothermia", "starvation", "expected"), [(0, 0, 1), (1, 0, 0), (2, 1, -1), (3, 4, -3)])
def test_rule_43_conditions_slow_down(hypothermia: int, starvation: int, expected: int) -> None:
    me = {"hypothermia": hypothermia, "starvation": starvation}
    board = Board("2019-02", seat(pos=LAKE, hand="move armour breakfast", deck="mush mush", dogs="wheel_dog", **me))
    board.play(next(move for move in board.moves if move.startswith("play move")))
    assert next(event.data["speed"] for event in board.events if event.kind == "moves") == expected


def test_ruling_4_a_multiplier_of_own_cards_only() -> None:
    options = {"speed_multiplier": "own_cards"}
    assert speed(mover(dogs="wheel_dog engineer_dog", weather="wind", options=options)) == 2 + 5


def test_ruling_40_big_dog_counts_twice_everywhere() -> None:
    options = {"counts_as_scope": "everything"}
    assert speed(mover("2017", 30, "big_dog chihuahua", options=options)) == 3 + 2 + 2 + 1


def test_ruling_60_a_cloud_takes_all_parts() -> None:
    assert speed(mover(dogs="wheel_dog lazy_dog", weather="cloud", options={"cloud_scope": "all_parts"})) == 0


@pytest.mark.parametrize(("weather", "expected"), [("none", -1), ("cloud", 0)])
def test_ruling_60_a_cloud_takes_all_parts_where_a_leg_cancels_bonuses_too(weather: str, expected: int) -> None:
    options = {"cloud_scope": "all_parts"}
    assert speed(mover(pos=140, dogs="wheel_dog", weather=weather, hypothermia=1, options=options)) == expected


def test_ruling_57_weather_does_not_reach_the_start() -> None:
    assert speed(mover(pos=0, weather="wind")) == 0
    assert speed(mover("2017", pos=0, weather="wind")) == 5


# Moves


def test_rule_44_a_move_is_its_number_and_the_speed() -> None:
    assert mover(dogs="wheel_dog").play("play move").me.pos == LAKE + 2 + 2


@pytest.mark.parametrize(("edition", "distances"), [("2019-02", [8]), ("2017", [4, 4])])
def test_rule_44_a_doubled_move_and_two_moves(edition: str, distances: list[int]) -> None:
    me = seat(pos=LAKE, hand="downhill_slide armour breakfast lunch", deck="mush mush move", dogs="wheel_dog")
    board = Board(edition, me).play("play downhill_slide pay armour breakfast lunch")
    assert [event.data["distance"] for event in board.events if event.kind == "moves"] == distances


def test_rule_44_never_less_than_nothing() -> None:
    board = mover("2017", dogs="lazy_dog+plate_mail")
    assert board.play("play move").me.pos == LAKE
    assert not board.me.moved


def test_ruling_3_a_negative_distance_goes_back() -> None:
    board = mover("2017", dogs="lazy_dog+plate_mail", weather="cloud", options={"negative_distance": "backward"})
    assert board.play("play move").me.pos == LAKE - 2


@pytest.mark.parametrize(
    ("edition", "changes"),
    [
        ("2017", {"weather": "storm"}),
        ("2017", {"freeze": True}),
        ("2019-02", {"hypothermia": 7}),
        ("2019-02", {"starvation": 7}),
    ],
)
def test_rule_44_who_is_stopped_does_not_move(edition: str, changes: dict[str, Any]) -> None:
    me = {name: changes[name] for name in ("hypothermia", "starvation") if name in changes}
    shared = {name: changes[name] for name in ("weather", "freeze") if name in changes}
    hand, deck = "move armour breakfast dinner lunch", "mush mush good_dog lead_dog"
    board = Board(edition, seat(pos=LAKE, hand=hand, deck=deck, **me), **shared)
    board.play(next(move for move in board.moves if move.startswith("play move")))
    assert board.me.pos == LAKE
    assert not board.me.moved


def test_rule_44_a_leg_replaces_the_number_of_movement_cards() -> None:
    legs = ["none", "hills", "mountainside", "frozen_lake", "mountain", "forest", "cliff_face", "none"]
    board = Board("2019-08", seat(pos=40, hand="move", dogs="wheel_dog"), legs=legs).play("play move")
    assert next(event.data["distance"] for event in board.events if event.kind == "moves") == 5 + 1


@pytest.mark.parametrize(("value", "end"), [("printed_distance", 156), ("final_distance", 150)])
def test_ruling_14_a_leg_fixes_the_number_or_the_whole_distance(value: str, end: int) -> None:
    legs = ["none", "hills", "blizzard", "frozen_lake", "mountain", "forest", "avalanche", "none"]
    me = seat(pos=150, hand="move", dogs="bear")
    assert Board("2019-08", me, legs=legs, options={"leg_card_move": value}).play("play move").me.pos == end


def test_rule_44_a_movement_card_marks_the_day() -> None:
    assert mover().play("play move").me.moved
    slow = Board("2019-02", seat(pos=LAKE, hand="slow_and_steady", deck="mush")).play("play slow_and_steady")
    assert not slow.me.moved


def test_ruling_16_any_own_move_marks_the_day() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="torch"), options={"moved_condition": "any_own_move"})
    assert board.play("play torch").me.moved


def test_ruling_17_malamute_draws_for_own_moves() -> None:
    me = seat(pos=LAKE, hand="move", deck="mush lunch rest", dogs="malamute")
    assert Board("2019-02", me).play("play move").me.hand == ("lunch", "mush")
    only_cards = Board("2019-02", me, options={"on_move_draw": "card_moves"}).play("play move")
    assert only_cards.me.hand == ("mush",)


# Passing


def race(edition: str, me: int, you: int, hand: str = "move", **changes: Any) -> Board:
    options = changes.pop("options", {})
    shared = {name: changes.pop(name) for name in ("weather",) if name in changes}
    return Board(edition, seat(pos=me, hand=hand, **changes), seat(pos=you), options=options, **shared)


def test_rule_45_passing_costs_damage_and_pushes_back() -> None:
    board = race("2017", LAKE, LAKE + 1).play("play move")
    assert (board.me.pos, board.you.pos, board.me.discard) == (LAKE + 1, LAKE, ("damaged", "move"))
    assert board.table.damage_left == 12


def test_rule_45_the_pushed_player_meets_what_is_there() -> None:
    board = race("2017", LAKE - 5, LAKE - 4, hand="move").play("play move")
    assert (board.you.pos, board.you.starvation, board.you.hypothermia) == (45, 3, 3)


def test_ruling_8_a_push_enters_nothing() -> None:
    board = race("2017", LAKE - 5, LAKE - 4, options={"entry_when_pushed": False}).play("play move")
    assert (board.you.pos, board.you.starvation, board.you.hypothermia) == (45, 0, 0)


def test_ruling_6_players_at_the_start_are_not_passed() -> None:
    assert race("2017", 0, 0).play("play move").me.discard == ("move",)
    passed = race("2017", 0, 0, options={"passed_at_start": "yes"}).play("play move")
    assert (passed.me.discard, passed.you.pos) == (("damaged", "move"), 0)


@pytest.mark.parametrize(("ruling", "mine", "yours"), [("overtaker_pays", 0, 1), ("mover_pays", 2, 0), ("none", 0, 0)])
def test_ruling_5_who_is_hurt_when_a_player_goes_back_past_another(ruling: str, mine: int, yours: int) -> None:
    me = seat(pos=LAKE + 3, hand="sticky_snow armour breakfast", deck="mush mush lunch")
    board = Board("2017", me, seat(pos=LAKE + 1), options={"backward_passing": ruling})
    board.play("play sticky_snow pay armour breakfast")
    ends = (LAKE, LAKE - 1) if ruling == "mover_pays" else (LAKE - 1, LAKE + 1)
    assert (board.me.pos, board.you.pos) == ends
    assert (board.me.discard.count("damaged"), board.you.discard.count("damaged")) == (mine, yours)


def test_rule_46_nobody_goes_behind_the_start() -> None:
    board = Board("2019-08", seat(pos=2, hand="move", dogs="bear+squirrel", hypothermia=1, starvation=1))
    assert board.play("new_day").me.pos == 0


@pytest.mark.parametrize(("value", "hypothermia"), [(True, 3), (False, 0)])
def test_ruling_7_legs_act_backwards(value: bool, hypothermia: int) -> None:
    me = seat(pos=47, hand="sticky_snow armour breakfast", deck="mush mush lunch")
    board = Board("2017", me, seat(pos=90), options={"entry_backward": value})
    board.play("play sticky_snow pay armour breakfast")
    assert (board.me.pos, board.me.hypothermia) == (44, hypothermia)


# The automatic move


@pytest.mark.parametrize(("edition", "end"), [("2017", LAKE), ("2019-02", LAKE + 4), ("2019-08", LAKE + 3)])
def test_rule_47_automatic_move(edition: str, end: int) -> None:
    assert Board(edition, seat(pos=LAKE, hand="armour", dogs="bear")).play("play armour").me.pos == end


@pytest.mark.parametrize(("conditions", "end"), [((0, 0), 150 + 4), ((1, 0), 150), ((0, 2), 150), ((1, 1), 150 - 4)])
def test_rule_47_conditions_turn_the_sled_round(conditions: tuple[int, int], end: int) -> None:
    legs = ["none", "hills", "blizzard", "frozen_lake", "mountain", "forest", "ledge", "none"]
    hypothermia, starvation = conditions
    me = seat(pos=150, hand="armour", dogs="bear wheel_dog", hypothermia=hypothermia, starvation=starvation)
    board = Board("2019-08", me, legs=legs).play("play armour")
    assert board.me.pos == end


def test_ruling_2_the_other_automatic_moves() -> None:
    ends = {}
    for edition in ("2017", "2019-02", "2019-08"):
        for value in ("none", "speed", "one_plus_speed"):
            board = Board(edition, seat(pos=60, hand="armour", dogs="bear"), options={"auto_move": value})
            ends[edition, value] = board.play("play armour").me.pos - 60
    assert ends == {
        (edition, value): moved
        for edition in ("2017", "2019-02", "2019-08")
        for value, moved in (("none", 0), ("speed", 3), ("one_plus_speed", 4))
    }


def test_ruling_72_no_automatic_move_after_a_stop() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="armour"), options={"auto_move_after_stop": False})
    assert board.play("play armour").me.pos == LAKE


# Conditions and legs


def test_rule_48_a_condition_never_rises_above_its_cap() -> None:
    board = Board("2019-02", seat(pos=LAKE, hypothermia=7), lists={"weather": ["wind", "wind"]}, weather="sun")
    assert board.play("new_day").me.hypothermia == 7


@pytest.mark.parametrize(("face", "gained"), [("rain", 0), ("wind", 1)])
def test_rule_48_no_starvation_on_frozen_lake(face: str, gained: int) -> None:
    board = Board("2019-02", seat(pos=LAKE), lists={"weather": ["sun", face]}, weather="sun", counters={"weather": 1})
    board.play("new_day")
    assert (board.me.hypothermia, board.me.starvation) == (gained, 0)


@pytest.mark.parametrize(
    ("edition", "before", "after"), [("2017", 5, 1), ("2019-02", 5, 5), ("2017", 0, 1), ("2019-02", 0, 1)]
)
def test_rule_49_a_leg_sets_or_raises(edition: str, before: int, after: int) -> None:
    board = Board(edition, seat(pos=5, hand="move armour breakfast lunch dinner", hypothermia=before), lists=None)
    board.play(next(move for move in board.moves if move.startswith("play move")))
    assert board.me.hypothermia == after


def test_rule_49_lead_dog_softens_a_leg() -> None:
    board = Board("2019-02", seat(pos=5, hand="move", dogs="lead_dog")).play("play move")
    assert (board.me.hypothermia, board.me.starvation) == (0, 1)


def test_rule_49_every_leg_on_the_way_is_entered() -> None:
    board = Board("2017", seat(pos=75, hand="push move", deck="move move", dogs="bear")).play("play push pay move")
    assert [event.data["leg"] for event in board.events if event.kind == "enters"] == ["rope_bridge", "mountain"]


def test_ruling_9_only_the_last_leg_is_entered() -> None:
    me = seat(pos=75, hand="push move", deck="move move", dogs="bear")
    board = Board("2017", me, options={"entry_through": "last_leg"}).play("play push pay move")
    assert [event.data["leg"] for event in board.events if event.kind == "enters"] == ["mountain"]


def test_rule_49_the_mountain_takes_its_toll() -> None:
    deck = "lunch lunch breakfast breakfast mush mush move move move dinner good_dog"
    board = Board("2017", seat(pos=80, hand="move", deck=deck)).play("play move")
    assert (board.me.deck, len(board.me.discard)) == (("good_dog",), 11)


@pytest.mark.parametrize(("entry", "hypothermia"), [("set", 1), ("raise", 3), ("add", 4)])
def test_ruling_10_how_numbers_act(entry: str, hypothermia: int) -> None:
    board = Board("2017", seat(pos=45, hand="move", hypothermia=3), options={"leg_entry": entry}).play("play move")
    assert board.me.hypothermia == hypothermia


def test_ruling_11_a_missing_number_is_0() -> None:
    me = seat(pos=135, hand="move", starvation=3)
    left = Board("2017", me).play("play move")
    zero = Board("2017", me, options={"missing_number": "zero"}).play("play move")
    assert (left.me.starvation, zero.me.starvation) == (3, 0)


def test_rule_49_death_carries_back_30_spaces_to_the_numbers_of_the_leg() -> None:
    me = seat(pos=60, hypothermia=5, starvation=2)
    board = Board("2017", me, lists={"weather": ["wind"]}).play("new_day")
    assert (board.me.pos, board.me.hypothermia, board.me.starvation) == (30, 1, 2)
    assert "dies" in board.kinds()


def test_rule_49_who_falls_back_past_others_dies_once() -> None:
    options = {"backward_passing": "mover_pays"}
    board = Board("2017", seat(pos=60, hypothermia=5), seat(pos=46), options=options, lists={"weather": ["wind"]})
    board.play("new_day; stay")
    assert board.kinds().count("dies") == 1
    assert (board.me.pos, board.me.hypothermia, board.me.starvation) == (30, 1, 2)
    assert (board.you.pos, board.you.hypothermia, board.you.starvation) == (29, 2, 2)


def test_rule_49_who_gives_way_to_a_fall_dies_after_it() -> None:
    options = {"backward_passing": "mover_pays", "leg_entry": "add"}
    me, you = seat(pos=60, hypothermia=5), seat(pos=46, starvation=4)
    board = Board("2017", me, you, options=options, lists={"weather": ["wind"]}).play("new_day; stay")
    assert [event.data["seat"] for event in board.events if event.kind == "dies"] == [0, 1]
    assert (board.me.pos, board.you.pos) == (30, 0)


def test_rule_49_who_dies_without_a_leg_has_no_conditions() -> None:
    board = Board("2017", seat(pos=20, hypothermia=5, starvation=4), lists={"weather": ["wind"]}).play("new_day")
    assert (board.me.pos, board.me.hypothermia, board.me.starvation) == (0, 0, 0)


def test_ruling_70_who_dies_without_a_leg_keeps_the_conditions() -> None:
    options = {"death_missing_number": "leave"}
    me = seat(pos=20, starvation=4, hypothermia=5)
    board = Board("2017", me, lists={"weather": ["wind"]}, options=options).play("new_day")
    assert (board.me.pos, board.me.starvation) == (0, 4)


@pytest.mark.parametrize(("space", "counter"), [(8, "hypothermia"), (21, "starvation")])
def test_rule_49_cold_and_hungry_spaces(space: int, counter: str) -> None:
    board = Board("2019-08", seat(pos=space - 1, hand="move")).play("play move")
    assert getattr(board.me, counter) == 1


def test_rule_49_a_damage_space() -> None:
    board = Board("2019-08", seat(pos=75, hand="move")).play("play move")
    assert board.me.discard == ("damaged", "move")


# Damage


def test_rule_56_damage_runs_out() -> None:
    board = Board("2017", seat(pos=LAKE, hand="move"), seat(pos=LAKE + 1), damage_left=0).play("play move")
    assert (board.me.discard, board.table.damage_left) == (("move",), 0)


@pytest.mark.parametrize(("supply", "left", "destroyed"), [("limited", 3, 1), ("recycled", 4, 0), ("unlimited", 3, 1)])
def test_ruling_28_where_destroyed_damage_goes(supply: str, left: int, destroyed: int) -> None:
    me = seat(pos=LAKE, hand="damaged move", deck="lunch")
    board = Board("2019-02", me, damage_left=3, options={"damage_supply": supply}).play("play damaged pay move")
    assert (board.table.damage_left, len(board.table.destroyed)) == (left, destroyed)


def test_rule_57_damage_discarded_by_an_effect_stops_the_action() -> None:
    me = seat(pos=LAKE, stack="husky:2:1 brandy:1:0", resolved="move", deck="move damaged")
    board = Board("2019-02", me).play("continue; discard damaged")
    assert (board.me.stack, board.me.resolved) == ((), ())
    assert board.me.discard == ("brandy", "damaged", "husky", "move", "move")
    assert "R57" in board.rules


def test_rule_57_the_rest_of_a_move_is_left_out() -> None:
    board = Board("2017", seat(pos=80, hand="push move", deck="damaged lunch lunch", dogs="bear malamute"))
    board.play("play push pay move")
    assert (board.me.pos, board.me.moved, board.me.deck) == (81, False, ("lunch", "lunch"))


def test_rule_57_in_the_last_edition_an_effect_may_discard_damage() -> None:
    me = seat(pos=FREE, stack="husky:2:1 band_aid:0:0:second", seen="damaged", deck="lunch")
    board = Board("2019-08", me).play("second; discard damaged")
    assert [dog.dog for dog in board.me.dogs] == ["husky"]


def test_ruling_26_damage_discarded_by_an_effect_is_ignored() -> None:
    me = seat(pos=LAKE, stack="husky:2:1 brandy:1:0", deck="move damaged")
    board = Board("2019-02", me, options={"damage_in_effect": "ignored"}).play("continue; discard damaged")
    assert [dog.dog for dog in board.me.dogs] == ["husky"]


def test_ruling_27_a_damage_card_is_no_risk_card() -> None:
    me = seat(pos=LAKE, hand="move", stack="husky:2:0", deck="damaged lunch")
    played = Board("2019-02", me).play("continue pay move")
    assert played.table.destroyed == ("damaged",)
    failed = Board("2019-02", me, options={"damage_as_risk": "fails"}).play("continue")
    assert (failed.me.stack, failed.me.discard, failed.me.hand) == ((), ("damaged", "husky"), ("move",))


def test_rule_58_a_card_spares_from_passing_damage() -> None:
    me = seat(pos=LAKE, hand="move", dogs="good_dog+buffer_panel")
    board = Board("2019-02", me, seat(pos=LAKE + 1)).play("play move")
    assert (board.me.discard, board.you.pos) == (("move",), LAKE)
