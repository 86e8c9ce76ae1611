"""Rulings that no other file of rules holds: what the other value of an option changes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.iditacards.seat import dog_text
from tests.bare import bare_position
from tests.rules.games import broken
from tests.rules.iditacards.boards import ALL_OPEN, Board, seat

LAKE = 50
"""A space of Frozen Lake in 2017 and 2019-02."""


def fresh(edition: str, players: int = 1, lists: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Return the state after the setup under changed options."""
    chance = {"open": list(ALL_OPEN), "seed": 1, "lists": lists or {}}
    data = {"game": "iditacards", "ruleset": edition, "players": players, "options": options, "chance": chance}
    return dict(bare_position(json.dumps(data)).state)


# Race, playing and paying


@pytest.mark.parametrize(("finish", "finished"), [(160, True), (161, True), (162, False)])
def test_ruling_1_where_the_finish_is(finish: int, finished: bool) -> None:
    board = Board("2019-02", seat(pos=159, hand="move"), options={"finish_at": finish}).play("play move; done")
    assert (board.me.pos, board.table.over) == (161, finished)


@pytest.mark.parametrize(("value", "speed", "cards_left"), [("no_gain", 1, 0), ("no_effect", 4, 3)])
def test_ruling_12_old_starvation_on_frozen_lake(value: str, speed: int, cards_left: int) -> None:
    me = seat(pos=LAKE, hand="move", deck="lunch mush mush", dogs="wheel_dog bear", starvation=6)
    board = Board("2019-02", me, options={"cannot_starve": value}).play("play move")
    assert next(event.data["speed"] for event in board.events if event.kind == "moves") == speed
    assert len(board.me.deck) == cards_left


@pytest.mark.parametrize(("value", "paid"), [(False, 10), (True, 12)])
def test_ruling_13_the_toll_of_a_leg_and_conditions(value: bool, paid: int) -> None:
    deck = "lunch lunch breakfast breakfast mush mush move move move dinner good_dog husky a_hat armour"
    board = Board("2017", seat(pos=80, hand="move", deck=deck), options={"leg_health_modified": value})
    board.play("play move")
    assert next(len(event.data["cards"]) for event in board.events if event.kind == "toll") == paid


@pytest.mark.parametrize(("value", "yours"), [("own_moves", LAKE), ("all_moves", LAKE + 1)])
def test_ruling_15_who_cannot_move_is_pushed_or_not(value: str, yours: int) -> None:
    me = seat(pos=LAKE, hand="move")
    board = Board(
        "2019-02", me, seat(pos=LAKE + 1, hypothermia=7), options={"blocked_moves": value, "auto_move": "none"}
    )
    assert board.play("play move").you.pos == yours


def test_ruling_15_who_is_stuck_may_share_a_space_and_the_position_is_read_back() -> None:
    me = seat(pos=LAKE, hand="move")
    options = {"blocked_moves": "all_moves", "auto_move": "none"}
    board = Board("2019-02", me, seat(pos=LAKE + 1, hypothermia=7), options=options).play("play move")
    assert board.me.pos == board.you.pos
    assert bare_position(board.position.with_table(board.table).text()).table() == board.table


def test_ruling_19_the_first_to_finish_ends_the_race() -> None:
    board = Board("2019-02", seat(pos=160, hand="move"), seat(pos=150), options={"last_turns": "none"})
    board.play("play move")
    assert (board.table.over, board.table.final, board.me.pos) == (True, None, 161)


@pytest.mark.parametrize(("value", "zone"), [("discard_at_once", "discard"), ("stay_until_root", "resolved")])
def test_ruling_30_where_a_resolved_risk_card_lies(value: str, zone: str) -> None:
    me = seat(pos=LAKE, stack="husky:2:0", deck="move mush")
    board = Board("2017", me, options={"resolved_risk_zone": value}).play("continue")
    assert getattr(board.me, zone) == ("move",)


# Dogs, personal and sled cards


def test_ruling_44_the_wheel_dog_at_the_start() -> None:
    assert fresh("2019-02", wheel_dog_start="deck")["players"][0]["dogs"] == []
    assert [dog["dog"] for dog in fresh("2019-08")["players"][0]["dogs"]] == ["wheel_dog"]


@pytest.mark.parametrize(("value", "hypothermia"), [("legs_only", 1), ("legs_and_weather", 0)])
def test_ruling_45_lead_dog_and_the_weather(value: str, hypothermia: int) -> None:
    me = seat(pos=LAKE, dogs="lead_dog")
    board = Board("2017", me, lists={"weather": ["wind"]}, options={"lead_dog_scope": value}).play("new_day")
    assert board.me.hypothermia == hypothermia


@pytest.mark.parametrize(("value", "taken"), [("exact", 1), ("up_to", 0)])
def test_ruling_46_how_much_is_taken(value: str, taken: int) -> None:
    me = seat(pos=LAKE, hand="improvise", deck="lunch mush")
    board = Board("2017", me, upgrade=["push"], options={"take_amount": value}).play("play improvise")
    if value == "up_to":
        assert board.moves == ["done", "take push"]
        board.play("done")
    assert board.me.discard.count("push") == taken


@pytest.mark.parametrize(("value", "gained"), [(False, False), (True, True)])
def test_ruling_47_an_empty_upgrade_deck_is_filled_again(value: bool, gained: bool) -> None:
    me = seat(pos=LAKE, hand="improvise", deck="lunch mush")
    board = Board("2017", me, upgrade=[""], destroyed="push", options={"upgrade_refresh": value}).play("play improvise")
    assert ("push" in board.me.discard, board.table.counters.upgrade) == (gained, (1 + value,))


def test_ruling_47_a_deck_without_destroyed_cards_is_not_shuffled() -> None:
    me = seat(pos=LAKE, hand="improvise")
    board = Board("2017", me, upgrade=[""], options={"upgrade_refresh": True}).play("play improvise")
    assert board.table.counters.upgrade == (1,)


def test_ruling_48_the_supply_grows_from_several_decks() -> None:
    me = seat(pos=LAKE, hand="upgrade_sled lunch rest", deck="mush mush")
    upgrade = ["push rush", "salvage", "", ""]
    mixed = Board("2019-02", me, upgrade=upgrade, options={"supply_deck": "any_mix"})
    mixed.play("play upgrade_sled pay lunch rest; from attack; done")
    assert mixed.table.supply == ("push", "rush", "salvage")
    single = Board("2019-02", me, upgrade=upgrade).play("play upgrade_sled pay lunch rest; from speed; done")
    assert single.table.supply == ("push", "rush")


def test_ruling_50_recovered_cards_on_top_or_shuffled_in() -> None:
    me = seat(pos=LAKE, hand="torch", deck="lunch", discard="move mush")
    top = Board("2019-02", me, options={"recover_to": "top"}).play("play torch; restore move; restore mush")
    assert (top.me.deck, top.table.counters.deck) == (("mush", "move", "lunch"), (1,))
    shuffled = Board("2019-02", me).play("play torch; restore move; restore mush")
    assert (sorted(shuffled.me.deck), shuffled.table.counters.deck) == (["lunch", "move", "mush"], (2,))


def test_ruling_51_the_full_number_is_recovered() -> None:
    me = seat(pos=LAKE, hand="torch", discard="lunch move mush")
    board = Board("2019-02", me, options={"recover_amount": "exact"}).play("play torch; recover mush")
    assert "done" not in board.moves
    board.play(next(move for move in board.moves))
    assert len(board.me.hand) + len(board.me.deck) == 2


@pytest.mark.parametrize(("value", "added"), [("number_only", 3), ("none", 2)])
def test_ruling_52_a_bonus_on_as_many_as_were_destroyed(value: str, added: int) -> None:
    me = seat(pos=LAKE, hand="new_sled lunch rest", dogs="robodog")
    board = Board("2019-02", me, upgrade=["push push rush rush", "", "", ""], options={"bonus_on_words": value})
    board.play("play new_sled; done")
    assert len(board.table.supply) == added


def test_ruling_54_the_card_below_does_not_wait_for_the_second_step() -> None:
    me = seat(pos=2, stack="husky:2:1", deck="improvise move")
    board = Board("2019-08", me, options={"second_step_in_risk": "parent_now"}).play("continue")
    assert [dog_text(dog) for dog in board.me.dogs] == ["husky"]
    assert board.moves[:2] == ["new_day", "sacrifice husky"]
    assert "second" in board.moves


@pytest.mark.parametrize(("scope", "stack"), [("whole_stack", ["first_aid"]), ("failed_card", ["haste", "first_aid"])])
def test_rulings_31_and_54_a_second_step_in_the_queue_is_not_reached_by_what_fails(
    scope: str, stack: list[str]
) -> None:
    options = {"second_step_in_risk": "parent_now", "empty_deck_risk": "at_once", "fizzle_scope": scope}
    me = seat(pos=2, hand="move lunch", deck="first_aid husky armour dog_chow", stack="haste:1:0 mush:2:0")
    board = Board("2019-08", me, options=options).play("continue pay lunch move")
    assert [frame.card for frame in board.me.stack] == stack
    assert board.me.seen == ("dog_chow",)
    assert not broken(board.position, board.table)
    board.play("second; destroy dog_chow")
    assert board.table.destroyed == ("dog_chow",)
    assert not board.me.seen


def test_rulings_31_and_53_what_fails_below_a_second_step_left_out_ends_the_main_action() -> None:
    options = {"second_step": "optional", "empty_deck_risk": "at_once"}
    me = seat(pos=2, hand="move", deck="improvise", stack="mush:2:0")
    board = Board("2019-08", me, options=options).play("continue; skip_second")
    assert (board.me.stack, board.me.turns) == ((), 2)
    assert board.me.discard == ("improvise", "mush")


# Days and weather


def test_ruling_56_weather_before_the_first_new_day() -> None:
    assert fresh("2017", initial_weather="roll")["weather"] == "rain"
    assert fresh("2019-02", initial_weather="none")["weather"] == "none"


@pytest.mark.parametrize(("value", "drawn"), [("movement_only", 1), ("whole_card", 0)])
def test_ruling_58_the_rest_of_a_movement_card_in_a_storm(value: str, drawn: int) -> None:
    me = seat(pos=LAKE, hand="slow_and_steady", deck="mush")
    board = Board("2017", me, weather="storm", options={"storm_scope": value}).play("play slow_and_steady")
    assert len(board.me.hand) == drawn


@pytest.mark.parametrize(("value", "end"), [("participants", 90), ("everyone", 100)])
def test_ruling_66_cricket_when_others_end_the_day(value: str, end: int) -> None:
    you = seat(pos=90, dogs="cricket")
    board = Board("2017", seat(pos=LAKE), you, lists={"weather": ["sun"]}, options={"empty_day_end": value})
    assert board.play("new_day; stay").you.pos == end


def test_ruling_67_what_immunity_keeps_off() -> None:
    immune = seat(pos=LAKE, hand="move", immune=True)
    spared = Board("2017", immune, seat(pos=LAKE + 1), options={"immunity_scope": "weather_others_damage"})
    assert "damaged" not in spared.play("play move").me.discard
    hit = Board("2019-02", immune, seat(pos=LAKE + 1), options={"immunity_scope": "utility_only"})
    assert "damaged" in hit.play("play move").me.discard


@pytest.mark.parametrize(("value", "paid"), [("own_next_turn", 2), ("next_turn_of_anyone", 0)])
def test_ruling_68_whose_turn_is_free(value: str, paid: int) -> None:
    you = seat(pos=60, hand="husky lunch rest", deck="mush mush")
    board = Board("2017", seat(pos=LAKE, free_energy="armed"), you, active=1, options={"free_cost_turn": value})
    board.play(next(move for move in board.moves if move.startswith("play husky")))
    assert 3 - 1 - len(board.you.hand) == paid


@pytest.mark.parametrize(("value", "hypothermia"), [("counter", 2), ("binary", 1)])
def test_ruling_69_conditions_that_add_up(value: str, hypothermia: int) -> None:
    me = seat(pos=30, hypothermia=1)
    board = Board(
        "2019-08", me, lists={"weather": ["snow"]}, counters={"weather": 0}, options={"conditions_model": value}
    )
    assert board.play("new_day").me.hypothermia == hypothermia


@pytest.mark.parametrize("value", ["clockwise_open", "simultaneous"])
def test_ruling_73_everybody_is_asked_once_whatever_the_others_say(value: str) -> None:
    board = Board("2019-02", seat(pos=LAKE), seat(pos=60), seat(pos=70), options={"join_order": value})
    board.play("new_day; stay")
    assert (board.game.to_act(board.state), board.moves) == (2, ["join", "stay"])
    board.play("join")
    assert [player.days for player in board.table.players] == [2, 1, 2]


# Setup and scoring


def test_ruling_74_the_position_may_say_who_begins() -> None:
    board = Board("2019-02", seat(hand="move"), seat(hand="lunch"), active=1, options={"first_player": "given"})
    assert board.game.to_act(board.state) == 1


def test_ruling_75_legs_are_drawn_from_their_types() -> None:
    drawn = fresh("2019-08", legs_setup="drawn")
    assert drawn["counters"]["legs"] == [1] * 6
    assert len(set(drawn["legs"])) == 7
    listed = fresh("2019-08", lists={"legs": ["open_trail", "blizzard", "warm_valley"]}, legs_setup="drawn")
    assert listed["legs"][1:4] == ["open_trail", "blizzard", "warm_valley"]
    assert listed["legs"][4:] == drawn["legs"][4:]


def test_ruling_76_another_board() -> None:
    standard = Board("2019-02", seat(pos=25, hand="move")).play("play move")
    other = Board("2019-02", seat(pos=25, hand="move"), options={"board_layout": "solitaire_2018"}).play("play move")
    assert standard.me.passed == ()
    assert other.me.passed == (26,)
    assert other.me.hypothermia > standard.me.hypothermia


@pytest.mark.parametrize(("value", "starvation"), [("extra_dot", 3), ("add_after", 4)])
def test_ruling_77_a_plus_on_the_solitaire_side(value: str, starvation: int) -> None:
    options = {"board_layout": "solitaire_2018", "solo_plus": value}
    board = Board("2019-02", seat(pos=5, hand="move armour", deck="mush", dogs="bear", starvation=3), options=options)
    board.play("play move")
    assert board.me.starvation == starvation


@pytest.mark.parametrize(("players", "cards"), [(1, 0), (2, 53)])
def test_ruling_78_the_attack_deck_alone(players: int, cards: int) -> None:
    assert len(fresh("2019-02", players, solo_attack_deck="removed")["upgrade"][1]) == cards


def test_ruling_80_days_without_the_first() -> None:
    assert fresh("2019-02", days_count="new_days_only")["players"][0]["days"] == 0


@pytest.mark.parametrize(("value", "recovers"), [("own_turns", False), ("every_turn", True)])
def test_ruling_82_a_village_at_the_end_of_every_turn(value: str, recovers: bool) -> None:
    you = seat(pos=157, discard="lunch")
    board = Board("2019-02", seat(pos=LAKE, hand="move"), you, options={"turn_end_leg": value}).play("play move")
    assert bool(board.state.pending) == recovers
    if recovers:
        assert board.play("recover lunch").you.hand == ("lunch",)
