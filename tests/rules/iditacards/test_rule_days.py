"""New days, weather, checkpoints, immunity, the end, and chance: R59 to R75, with their rulings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.core.scripts import OVER
from tests.rules.iditacards.boards import Board, seat

LAKE = 50
"""A space of Frozen Lake in 2017 and 2019-02."""
HIDDEN_DECK = ("weather", "upgrade", "legendary", "legs", "opponents")
HIDDEN_WEATHER = ("deck", "upgrade", "legendary", "legs", "opponents")


def day(edition: str, face: str, *seats: dict[str, Any], play: str = "new_day", **changes: Any) -> Board:
    """Call a new day on which the die shows ``face``."""
    shared = {name: changes.pop(name) for name in ("options", "supply", "known", "final") if name in changes}
    board = Board(edition, *seats, lists={"weather": [face]}, counters={"weather": 0}, **shared)
    return board.play(play) if play else board


# New days


def test_rule_59_a_card_can_call_a_new_day() -> None:
    me = seat(pos=LAKE, stack="through_the_night:1:0", deck="lunch", hand="mush rest", discard="a_hat")
    board = day("2019-02", "sun", me, play="continue pay mush rest")
    assert (board.me.days, board.me.stack) == (2, ())
    assert "through_the_night" in [*board.me.hand, *board.me.deck]


def test_ruling_65_a_day_by_card_is_for_one_alone() -> None:
    me = seat(pos=LAKE, stack="through_the_night:1:0", deck="move")
    asked = day("2019-02", "sun", me, seat(pos=70), play="continue")
    assert asked.moves == ["join", "stay"]
    alone = day("2019-02", "sun", me, seat(pos=70), play="continue", options={"new_day_by_card": "alone"})
    assert alone.you.days == 1


def test_rule_60_others_join_or_stay_in_seat_order() -> None:
    board = day("2019-02", "sun", seat(pos=LAKE), seat(pos=60, hand="lunch"), seat(pos=70, hand="mush"))
    assert board.game.to_act(board.state) == 1
    board.play("join")
    assert board.game.to_act(board.state) == 2
    board.play("stay")
    assert [player.days for player in board.table.players] == [2, 2, 1]
    assert board.table.day == 1


def test_rule_60_an_empty_hand_and_deck_end_the_day_with_a_move() -> None:
    board = day("2019-02", "cloud", seat(pos=LAKE, dogs="cricket", discard="lunch"))
    assert board.me.pos == LAKE + 10 + 1


def test_rule_60_a_forest_kills_a_dog_at_the_end_or_the_start_of_a_day() -> None:
    end = day("2017", "sun", seat(pos=120, dogs="husky wheel_dog", hand="move"), play="new_day; kill husky")
    assert end.kinds().index("dog_dies") < end.kinds().index("weather")
    start = day("2019-02", "sun", seat(pos=120, dogs="husky wheel_dog", hand="move"), play="new_day; kill husky")
    assert start.kinds().index("dog_dies") > start.kinds().index("weather")


def test_rule_60_a_wasteland_starves_even_who_stays_out() -> None:
    board = day("2019-02", "sun", seat(pos=LAKE), seat(pos=100), play="new_day; stay")
    assert (board.me.starvation, board.you.starvation) == (0, 1)


def test_ruling_63_a_wasteland_starves_only_who_takes_part() -> None:
    options = {"leg_day_scope": "own_new_day"}
    board = day("2019-02", "sun", seat(pos=LAKE), seat(pos=100), play="new_day; stay", options=options)
    assert board.you.starvation == 0


def test_rule_61_everything_but_what_is_in_play_becomes_the_deck() -> None:
    me = seat(
        pos=LAKE,
        hand="mush",
        deck="lunch",
        discard="move a_hat",
        stack="husky:2:1",
        resolved="breakfast",
        dogs="good_dog+tiara",
        legendary="moose",
    )
    board = day("2019-02", "sun", me)
    assert sorted([*board.me.hand, *board.me.deck]) == ["a_hat", "breakfast", "husky", "lunch", "move", "mush"]
    assert (board.me.legendary, board.me.discard, board.me.resolved) == (("moose",), (), ())


def test_rule_61_a_waiting_second_step_is_lost() -> None:
    me = seat(pos=2, stack="first_aid:0:0:second", seen="mush lunch", deck="move")
    board = day("2019-08", "storm", me)
    assert (board.me.stack, board.me.seen) == ((), ())
    assert sorted([*board.me.hand, *board.me.deck]) == ["first_aid", "lunch", "move", "mush"]


# Weather


def test_rule_62_the_new_face_replaces_the_old_one() -> None:
    assert day("2019-02", "cloud", seat(pos=LAKE)).table.weather == "cloud"


@pytest.mark.parametrize(
    ("edition", "face", "conditions", "supply"),
    [
        ("2017", "wind", (1, 0), None),
        ("2017", "rain", (0, 1), None),
        ("2019-02", "snow", (0, 0), 0),
        ("2019-02", "wind", (1, 0), 1),
        ("2019-02", "rain", (0, 1), 1),
        ("2019-08", "snow", (1, 0), 1),
        ("2019-08", "sun", (0, 0), 0),
        ("2019-08", "wind", (1, 0), 0),
        ("2019-08", "cloud", (0, 1), 1),
        ("2019-08", "storm", (0, 1), 0),
        ("2019-08", "rain", (1, 1), 1),
    ],
)
def test_rule_62_faces(edition: str, face: str, conditions: tuple[int, int], supply: int | None) -> None:
    shared = {} if supply is None else {"supply": "harness"}
    # Space 30 and, in 2019-08, Hills: no leg in the way of a condition.
    board = day(edition, face, seat(pos=30), **shared)
    assert (board.me.hypothermia, board.me.starvation) == conditions
    if supply is not None:
        assert len(board.table.supply) == supply
        assert board.table.destroyed == ("harness",) * (1 - supply)


@pytest.mark.parametrize(("edition", "hypothermia"), [("2017", 1), ("2019-02", 0), ("2019-08", 0)])
def test_rule_63_weather_and_players_at_the_start(edition: str, hypothermia: int) -> None:
    assert day(edition, "wind", seat()).me.hypothermia == hypothermia


def test_rule_63_shelter_and_immunity() -> None:
    legs = ["none", "hills", "sheltered_town", "frozen_lake", "mountain", "forest", "cliff_face", "none"]
    board = Board("2019-08", seat(pos=40), lists={"weather": ["rain"]}, counters={"weather": 0}, legs=legs)
    assert board.play("new_day").me.hypothermia == 0
    assert day("2019-02", "wind", seat(pos=3)).me.hypothermia == 0


# Hands


CARDS = "move move move move mush mush lunch lunch breakfast breakfast"


@pytest.mark.parametrize(
    ("edition", "pos", "face", "dogs", "cards"),
    [
        ("2019-02", LAKE, "sun", "wheel_dog", 6),
        ("2019-02", LAKE, "sun", "good_dog husky+a_hat", 9),
        ("2019-02", LAKE, "sun", "problem_dog", 5),
        ("2019-02", LAKE, "storm", "good_dog husky+a_hat", 6),
        ("2019-02", LAKE, "storm", "problem_dog", 5),
        ("2019-02", 83, "sun", "good_dog husky", 6),
        ("2017", 83, "storm", "good_dog husky", 8),
        ("2019-08", 2, "storm", "good_dog husky", 8),
    ],
)
def test_rule_64_hand_of_a_new_day(edition: str, pos: int, face: str, dogs: str, cards: int) -> None:
    assert len(day(edition, face, seat(pos=pos, dogs=dogs, deck=CARDS)).me.hand) == cards


def test_ruling_61_only_losses_count_under_a_storm() -> None:
    me = seat(pos=LAKE, dogs="good_dog problem_dog", deck=CARDS)
    capped = day("2019-02", "storm", me)
    dropped = day("2019-02", "storm", me, options={"no_extra_draw": "drop_positive"})
    assert (len(capped.me.hand), len(dropped.me.hand)) == (6, 5)


def test_rule_64_a_short_deck_gives_what_it_has() -> None:
    assert day("2019-02", "sun", seat(pos=LAKE, deck="move lunch")).me.hand == ("lunch", "move")


def test_ruling_55_hands_follow_the_old_weather() -> None:
    me = seat(pos=LAKE, dogs="good_dog", deck=CARDS)
    after = Board(
        "2019-02",
        me,
        weather="sun",
        lists={"weather": ["storm"]},
        counters={"weather": 0},
        options={"weather_roll": "after_draw"},
    )
    assert len(after.play("new_day").me.hand) == 7


def test_ruling_64_outsiders_draw_their_bonus() -> None:
    you = seat(pos=60, hand="lunch", deck="mush move", dogs="good_dog")
    assert len(day("2017", "sun", seat(pos=LAKE), you, play="new_day; stay").you.hand) == 2
    assert len(day("2019-02", "sun", seat(pos=LAKE), you, play="new_day; stay").you.hand) == 1


def test_rule_65_who_stays_out_keeps_everything() -> None:
    you = seat(pos=60, hand="lunch", deck="mush move", discard="rest", stack="haste:1:0", foods="dinner", moved=True)
    before = Board("2019-02", seat(pos=LAKE), you).you
    board = day("2019-02", "sun", seat(pos=LAKE), you, play="new_day; stay")
    assert board.you == before


@pytest.mark.parametrize(("edition", "foods"), [("2017", ()), ("2019-02", ("dinner",))])
def test_ruling_62_whose_day_ends_the_records(edition: str, foods: tuple[str, ...]) -> None:
    board = day(edition, "sun", seat(pos=LAKE), seat(pos=60, foods="dinner"), play="new_day; stay")
    assert board.you.foods == foods


@pytest.mark.parametrize(
    ("edition", "option", "value"), [("2017", "last_turns", "one_each"), ("2019-02", "day_scope", "any_new_day")]
)
def test_rule_60_who_has_finished_takes_no_part(edition: str, option: str, value: str) -> None:
    you = seat(pos=170, finished=True, foods="dinner", personal=1, moved=True, immune=True, hand="lunch", deck="move")
    before = Board(edition, seat(pos=LAKE), you, final=[0], options={option: value}).you
    board = day(edition, "rain", seat(pos=LAKE), you, final=[0], options={option: value})
    assert board.you == before
    assert (board.table.over, board.me.days) == (True, 2)


def test_a_new_day_ends_what_held_for_the_day() -> None:
    me = seat(pos=LAKE, foods="lunch", personal=2, moved=True, immune=True, free_energy="on", free_health="on")
    board = day("2019-02", "sun", me)
    assert (board.me.foods, board.me.personal, board.me.moved, board.me.immune) == ((), 0, False, False)
    assert (board.me.free_energy, board.me.free_health) == ("no", "no")


# Checkpoints and immunity


@pytest.mark.parametrize(("edition", "zone"), [("2019-02", "discard"), ("2019-08", "hand")])
def test_rule_66_a_checkpoint_gives_a_legendary_card(edition: str, zone: str) -> None:
    board = Board(edition, seat(pos=35, hand="move", legendary="moose puppy")).play("play move; legendary moose")
    assert "moose" in getattr(board.me, zone)
    assert (board.me.passed, board.me.legendary) == ((36,), ("puppy",))


def test_rule_66_a_checkpoint_counts_once_and_forward_only() -> None:
    board = Board("2019-02", seat(pos=35, hand="move", legendary="moose", passed=[36])).play("play move")
    assert board.me.legendary == ("moose",)


def test_rule_66_a_checkpoint_is_passed_without_cards_too() -> None:
    assert Board("2019-02", seat(pos=35, hand="move")).play("play move").me.passed == (36,)


def test_ruling_71_a_legendary_card_may_be_refused() -> None:
    me = seat(pos=35, hand="move", legendary="moose puppy")
    board = Board("2019-02", me, options={"legendary_choice": "may"}).play("play move; done")
    assert board.me.legendary == ("moose", "puppy")


def test_rule_67_an_immune_player_is_skipped_by_others_cards() -> None:
    me = seat(pos=LAKE, hand="stab_in_the_dark move", deck="lunch")
    board = Board("2019-02", me, seat(pos=60, immune=True), seat(pos=70)).play("play stab_in_the_dark pay move")
    assert [player.discard.count("damaged") for player in board.table.players] == [0, 0, 1]


def test_rule_67_in_2017_only_utility_cards_are_kept_off() -> None:
    me = seat(pos=LAKE, hand="stab_in_the_dark move", deck="lunch")
    board = Board("2017", me, seat(pos=60, immune=True)).play("play stab_in_the_dark pay move")
    assert [player.discard.count("damaged") for player in board.table.players] == [1, 0]
    passing = Board("2017", seat(pos=LAKE, hand="move", immune=True), seat(pos=LAKE + 1)).play("play move")
    assert "damaged" in passing.me.discard


def test_ruling_18_a_shared_lead_is_nobodys() -> None:
    me = seat(hand="blue_shell armour breakfast dinner", deck="mush mush lunch")
    nobody = Board("2017", me, seat()).play("play blue_shell pay armour breakfast dinner")
    everybody = Board("2017", me, seat(), options={"leader_tie": "all_tied"})
    everybody.play("play blue_shell pay armour breakfast dinner")
    assert nobody.you.discard.count("damaged") == 0
    assert everybody.you.discard.count("damaged") == 3


# The end


def test_rule_68_the_first_to_finish_wins_on_the_spot() -> None:
    board = Board("2017", seat(pos=158, hand="push move", dogs="bear"), seat(pos=150)).play("play push pay move")
    assert (board.me.pos, board.me.turns, board.table.over, board.table.active) == (160, 1, True, 0)
    assert [frame.card for frame in board.me.stack] == ["push"]
    assert board.game.to_act(board.state) == OVER
    outcome = board.game.outcome(board.table)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == ((0,), "R68")


def test_rule_69_everybody_else_has_one_last_turn() -> None:
    board = Board("2019-02", seat(pos=160, hand="move"), seat(pos=150, hand="move"), seat(pos=140, hand="move"))
    board.play("play move")
    assert (board.table.final, board.table.over, board.table.active) == ((1, 2), False, 1)
    assert board.me.pos == 162
    board.play("play move; play move")
    assert (board.table.final, board.table.over, board.table.active) == ((), True, 2)


def test_rule_69_the_furthest_wins() -> None:
    board = Board("2019-02", seat(pos=160, hand="move"), seat(pos=158, hand="move", dogs="bear bear"))
    board.play("play move; play move")
    outcome = board.game.outcome(board.table)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == ((1,), "R69")
    assert board.you.pos > board.me.pos


def test_rule_70_alone_the_race_is_over_at_the_end_of_the_turn() -> None:
    board = Board("2019-02", seat(pos=160, hand="move", turns=30, days=4)).play("play move")
    assert (board.table.over, board.me.turns, board.me.days) == (True, 31, 4)


def test_rule_70_ops_that_name_others_do_nothing() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="stab_in_the_dark move", deck="lunch"))
    board.play("play stab_in_the_dark pay move")
    assert board.table.damage_left == 18


def test_rule_71_being_stuck_is_no_end() -> None:
    board = Board("2019-02", seat(pos=LAKE, hypothermia=7, starvation=7))
    for _ in range(3):
        board.play("new_day")
    assert (board.me.pos, board.table.over) == (LAKE, False)


# Chance


def test_rule_72_every_event_has_its_number() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="first_aid a_hat dog_chow", deck="move move mush"))
    board.play("play first_aid pay a_hat dog_chow; return mush")
    assert board.table.counters.deck == (2,)
    board.play("new_day")
    assert (board.table.counters.deck, board.table.counters.weather) == ((3,), 2)


def test_ruling_49_nothing_is_shuffled_when_nothing_goes_back() -> None:
    me = seat(pos=LAKE, hand="first_aid a_hat dog_chow", deck="move move mush")
    never = Board("2019-02", me).play("play first_aid pay a_hat dog_chow; discard mush")
    always = Board("2019-02", me, options={"reshuffle": "always"})
    always.play("play first_aid pay a_hat dog_chow; discard mush")
    assert (never.table.counters.deck, always.table.counters.deck) == ((1,), (2,))


def test_rule_73_a_hidden_card_comes_with_the_chance_of_its_copies() -> None:
    me = seat(pos=LAKE, hand="rest", deck="lunch lunch move mush")
    board = Board("2019-02", me, known=HIDDEN_DECK).play("play rest")
    assert board.odds == {"lunch": Fraction(1, 2), "move": Fraction(1, 4), "mush": Fraction(1, 4)}
    board.play("deck lunch")
    assert board.odds == {"lunch": Fraction(1, 3), "move": Fraction(1, 3), "mush": Fraction(1, 3)}


def test_rule_73_a_hidden_die_has_six_equal_faces() -> None:
    board = Board("2019-02", seat(pos=LAKE), known=HIDDEN_WEATHER).play("new_day")
    assert set(board.odds.values()) == {Fraction(1, 6)}
    assert len(board.odds) == 6


def test_rule_73_cards_put_on_top_of_a_hidden_deck_are_known() -> None:
    me = seat(pos=LAKE, hand="torch poutine", deck="lunch lunch", discard="mush")
    board = Board("2017", me, seat(pos=9), known=HIDDEN_DECK).play("play torch; restore mush")
    assert (board.me.known, board.me.deck) == (1, ("mush", "lunch", "lunch"))


def test_rule_73_a_hidden_deck_is_kept_in_ascending_order() -> None:
    board = Board("2019-02", seat(pos=LAKE, deck="mush lunch move"), known=HIDDEN_DECK)
    assert board.me.deck == ("lunch", "move", "mush")
    assert board.table.counters.deck == (0,)


def test_rule_73_hidden_upgrades_come_one_by_one() -> None:
    known = ("deck", "weather", "legendary", "legs", "opponents")
    me = seat(pos=LAKE, hand="upgrade_sled armour breakfast", deck="move move")
    board = Board("2017", me, known=known, upgrade=["push push rush"]).play("play upgrade_sled pay armour breakfast")
    assert board.odds == {"push": Fraction(2, 3), "rush": Fraction(1, 3)}


def test_rule_74_a_list_comes_before_the_seed() -> None:
    me = seat(pos=LAKE, deck="move lunch mush", hand="")
    lists = {"deck": [["rest"], ["mush", "move", "armour", "lunch"]], "weather": ["sun", "cloud"]}
    board = Board("2019-02", me, lists=lists, counters={"deck": [1], "weather": 1}).play("new_day")
    assert (board.table.weather, board.me.hand) == ("cloud", ("lunch", "move", "mush"))


def test_rule_74_after_the_list_the_seed_goes_on_with_the_same_number() -> None:
    me = seat(pos=LAKE, deck=CARDS)
    seeded = Board("2019-02", me, counters={"deck": [1], "weather": 1}).play("new_day")
    listed = Board("2019-02", me, lists={"weather": ["sun"]}, counters={"deck": [1], "weather": 1}).play("new_day")
    assert listed.table == seeded.table


def test_rule_75_recovered_cards_are_asked_card_by_card() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="torch", discard="lunch mush")).play("play torch")
    assert board.moves == ["done", "recover lunch", "recover mush", "restore lunch", "restore mush"]
    board.play("recover lunch")
    assert board.moves == ["done", "recover mush", "restore mush"]
    board.play("restore mush")
    assert (board.me.hand, board.me.deck) == (("lunch",), ("mush",))


def test_rule_75_two_orders_of_the_same_choice_are_one_choice() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="torch", discard="lunch mush")).play("play torch; recover mush")
    assert board.moves == ["done", "restore lunch"]
