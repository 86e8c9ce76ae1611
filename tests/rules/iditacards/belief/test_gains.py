"""Cards taken from the supply in time on days with a hidden deck: packed and plain beliefs against complete play."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any, Final

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import load_position
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.scope import missing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Table
from solver.hidden_question import HiddenQuestion
from solver.hidden_report import CERTAIN
from solver.report import Limit, Status
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.ceilings import ceiling
from solver.search.expectimax import Expectimax
from solver.search.first_turn import PlainStart
from solver.search.layers import LimitHit, Watch
from tests.rules.iditacards.belief.two_steps import table_of, the_game, waiting

DAY: Final = frozenset({"new_day"})
TAKING: Final = ("repair_sled", "upgrade_sled", "makeshift_sled", "salvage", "improvise", "improvise")
OWN: Final = (
    *("mush", "move", "move", "lunch", "dinner", "husky", "lead_dog", "push", "haste", "cute_dog", "breakfast"),
    *("dog_chow", "wheel_dog", "tactical_play", "travel_light", "polar_bear", "good_dog", "midnight_sun"),
)
SLOW: Final = ("move", "good_dog", "lunch", "breakfast", "poutine", "venison_carpaccio", "wheel_dog", "mush")
GAINED: Final = (
    *("push", "haste", "greyhound", "travel_light", "big_dog", "poutine", "coat", "cat", "through_the_night"),
    *("new_sled", "stop_and_shop", "ibuprofin", "dog_shoes", "eat_dog", "improvise", "lazy_dog", "harness", "malamute"),
    *("slow_and_steady", "downhill_slide", "tactical_play", "polar_bear", "cute_dog", "rush", "squirrel"),
)
PACKS: Final = (
    (),
    (Dog("wheel_dog", ()),),
    (Dog("husky", ("a_hat",)),),
    (Dog("good_dog", ()), Dog("wheel_dog", ("dog_chow",))),
)


def some_table(seed: int, gained: tuple[str, ...] = GAINED) -> tuple[Table, random.Random]:
    """Return a small table with a card that gains, and now and then one that waits."""
    dice = random.Random(seed)
    own = SLOW if seed % 4 else OWN
    cards = [dice.choice(TAKING), *(dice.choice(own) for _ in range(5 if seed % 2 else 4))]
    if seed % 5 == 0:
        dice.shuffle(cards)
    below = dice.choice(("mush", "lead_dog", "haste", "polar_bear", "husky"))
    stack = (waiting(below, need=dice.choice((1, 1, 2))),) if seed % 3 == 1 else ()
    others = {
        "pos": dice.choice((3, 12, 25, 40, 90, 154)),
        "hypothermia": dice.choice((0, 0, 0, 1, 2)),
        "starvation": dice.choice((0, 0, 0, 1, 2)),
        "stack": stack,
        "dogs": dice.choice(PACKS),
        "moved": bool(dice.randrange(2)),
        "foods": dice.choice(((), ("lunch",))),
        "legendary": dice.choice(((), (), ("moose", "waffle"))),
    }
    upgrade = [[dice.choice(gained) for _ in range(dice.randrange(least, 3))] for least in (0, 1)]
    supply = tuple(dice.choice(gained) for _ in range(dice.choice((0, 1, 1, 2))))
    return table_of(cards[:3], cards[3:], upgrade, supply, **others), dice


def goals(table: Table, turns: int, dice: random.Random) -> list[Goal]:
    far = table.players[0].pos + dice.randrange(1, 4 * turns)
    return [Goal(Objective.REACH, far, turns, DAY), Goal(Objective.MAX_DISTANCE, 0, turns, DAY)]


def value(table: Table, goal: Goal, *, packed: bool) -> tuple[Fraction | None, bool]:
    """Return the value over beliefs, and whether some were worked out in packed form.

    Raises:
        OutOfReach: it is not carried.
    """
    turns = goal.within_turns or 0
    form = the_game().belief_turns(table, 0, DAY, goal.target or None, turns)
    assert form is not None
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    return search.value(form.project(table, turns), turns), search.is_packed


def by_rules(table: Table, goal: Goal) -> Fraction | None:
    return Expectimax(the_game(), goal, Watch(Limit())).value(table, goal.within_turns or 0)


def compare(seeds: range, turns: int, gained: tuple[str, ...] = GAINED) -> tuple[int, int, int]:
    """Hold values against the rules; return how many were carried, refused, and greater for what is gained."""
    carried = refused = better = 0
    for seed in seeds:
        table, dice = some_table(seed, gained)
        for goal in goals(table, turns, dice):
            found = []
            for packed in (False, True):
                try:
                    found.append(value(table, goal, packed=packed)[0])
                except OutOfReach:
                    refused += 1
            if found:
                expected = by_rules(table, goal)
                assert found == [expected] * len(found), (seed, goal)
                carried += 1
                without = table._replace(supply=(), upgrade=((), ()))
                better += by_rules(without, goal) != expected
    return carried, refused, better


def test_cards_gained_for_a_last_turn_are_worth_what_the_rules_say() -> None:
    carried, refused, better = compare(range(14), 3)
    assert carried > 20
    assert refused < carried
    assert better > 1


def test_cards_gained_for_two_turns_are_worth_what_the_rules_say() -> None:
    carried, refused, better = compare(range(100, 114), 4)
    assert carried > 20
    assert refused < carried
    assert better > 1


def test_new_days_on_a_last_turn_are_worth_what_the_rules_say() -> None:
    carried, _, better = compare(range(200, 205), 4, ("through_the_night", "through_the_night", "push", "cat"))
    assert carried > 6
    assert better > 0


def test_the_weather_of_a_new_day_is_a_mean() -> None:
    table = table_of(
        ["improvise", "dinner"],
        ["move", "wheel_dog", "good_dog"],
        [[], []],
        ("through_the_night",),
        pos=40,
        starvation=1,
        dogs=(Dog("husky", ()), Dog("bear", ())),
    )
    found = set()
    for objective, target in ((Objective.MAX_DISTANCE, 0), (Objective.REACH, 46), (Objective.REACH, 49)):
        goal = Goal(objective, target, 4, DAY)
        chance = value(table, goal, packed=True)[0]
        assert chance == value(table, goal, packed=False)[0] == by_rules(table, goal)
        found.add(chance)
    assert any(chance is not None and chance.denominator % 3 == 0 for chance in found)


def test_a_dog_that_comes_back_to_the_hand_pays() -> None:
    table = table_of(
        ["improvise", "midnight_sun", "move", "haste", "push"], ["move", "lunch"], [["cat"], ["cat"]], ("cat",), pos=40
    )
    for target in (46, 47, 52):
        goal = Goal(Objective.REACH, target, 4, DAY)
        assert value(table, goal, packed=True)[0] == value(table, goal, packed=False)[0] == by_rules(table, goal)


@pytest.mark.parametrize("turns", [3, 4])
def test_every_open_move_is_worth_what_the_rules_say(turns: int) -> None:
    game = the_game()
    compared = 0
    for seed in (6, 9, 22, 40):
        table, dice = some_table(seed)
        table = table._replace(players=(table.players[0]._replace(legendary=()),))
        for goal in goals(table, turns, dice):
            form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
            assert form is not None
            state = State(table)
            moves = [move for move in game.legal_moves(state) if move.text not in DAY]
            search = BeliefSearch(form, goal, Watch(Limit()))
            plain = PlainStart(Expectimax(game, goal, Watch(Limit())), state)
            try:
                found = dict(BeliefStart(search, form, table, moves, goal).moves(turns))
            except OutOfReach:
                continue
            expected = dict(plain.moves(turns))
            assert found == {move: expected[move] for move in found}, (seed, goal)
            compared += len(found)
    assert compared > 6


def test_what_is_not_carried_is_refused() -> None:
    game, upgrade = the_game(), [["poutine", "coat"], ["push", "greyhound"]]
    hand, deck = ["salvage", "lunch", "move"], ["lunch", "dinner", "move"]
    table = table_of(hand, deck, upgrade, pos=12)
    assert [missing(game.rulings, table, 0, DAY, turns) for turns in (2, 4, 5)] == [[], [], []]
    with pytest.raises(OutOfReach):
        value(table, Goal(Objective.REACH, 40, 5, DAY), packed=True)
    more = table_of(hand, [*deck, "move", "mush", "husky"], upgrade, pos=12)
    assert [missing(game.rulings, more, 0, DAY, turns) for turns in (2, 4, 5)] == [[], [], ["supplies"]]
    assert missing(game.rulings, table, 0, DAY) == ["supplies"]
    robot = table_of([*hand, "robodog"], deck, upgrade, pos=12)
    assert missing(game.rulings, robot, 0, DAY, 3) == ["supplies"]
    begun = table_of(hand, deck, upgrade, pos=12, stack=(waiting("salvage", "second"),))
    assert missing(game.rulings, begun, 0, DAY, 2) == ["supplies"]
    with pytest.raises(OutOfReach):
        value(table, Goal(Objective.MIN_TURNS, 20, 4, DAY), packed=True)


def test_what_a_checkpoint_gives_may_be_played() -> None:
    cards: dict[str, Any] = {
        "hand": ["push", "improvise", "move"],
        "deck": ["move", "dinner"],
        "upgrade": [[], ["push"]],
    }
    table = table_of(**cards, pos=33, passed=(6,), legendary=("waffle",))
    goal = Goal(Objective.REACH, 36, 3, DAY)
    assert value(table, goal, packed=True)[0] == by_rules(table, goal)
    goal = Goal(Objective.MAX_DISTANCE, 0, 3, DAY)
    assert value(table, goal, packed=True)[0] == value(table, goal, packed=False)[0] == by_rules(table, goal)
    table = table_of(
        ["band_aid", "improvise", "plate_mail", "trade_dog"],
        ["salvage", "scrapyard", "study_up"],
        [["bandage", "bandage"], []],
        pos=114,
        hypothermia=1,
        dogs=(Dog("wheel_dog", ()),),
        legendary=("all_in", "out_of_control"),
    )._replace(weather="sun")
    goal = Goal(Objective.REACH, 126, 3, DAY)
    assert by_rules(table, goal) == 1
    assert value(table, goal, packed=True)[0] == value(table, goal, packed=False)[0] == 1


def test_a_day_on_which_no_sled_can_be_paid_for_in_time_is_worth_what_the_rules_say() -> None:
    hand, deck = ["a_hat", "breakfast", "husky", "upgrade_sled"], ["first_aid", "move", "repair_sled"]
    table = table_of(hand, deck, [["push"], ["coat"]], pos=28, starvation=2, stack=(waiting("grandma_soup"),))
    for goal in (Goal(Objective.REACH, 29, 9, DAY), Goal(Objective.MAX_DISTANCE, 0, 4, DAY)):
        assert value(table, goal, packed=True)[0] == value(table, goal, packed=False)[0] == by_rules(table, goal)


def test_nothing_is_said_of_how_far_cards_to_come_may_lead() -> None:
    cards: dict[str, Any] = {"hand": ["improvise", "move"], "deck": ["move", "dinner"], "upgrade": [[], ["push"]]}
    table = table_of(**cards, pos=12, supply=("travel_light",))
    start = State(table)
    assert ceiling(the_game(), start, Goal(Objective.MAX_DISTANCE, 0, 3, DAY)) is None
    assert ceiling(the_game(), start, Goal(Objective.REACH, 22, 3, DAY)) == 1
    goal = Goal(Objective.REACH, 22, 3, DAY)
    assert value(table, goal, packed=True)[0] == by_rules(table, goal) == 1


@pytest.mark.parametrize("legendary", [("out_of_control",), ("out_of_control", "waffle")])
def test_who_destroys_an_empty_hand_and_passes_a_checkpoint_has_what_it_gives(legendary: tuple[str, ...]) -> None:
    table = table_of(
        *(["improvise"], ["move", "move", "mush"], [["push"], ["push"]], ["new_sled"]),
        pos=23,
        passed=(6,),
        legendary=legendary,
        dogs=(Dog("moose", ()),),
    )
    for goal in (Goal(Objective.MAX_DISTANCE, 0, 4, DAY), Goal(Objective.REACH, 60, 4, DAY)):
        assert by_rules(table, goal) == (60 if goal.objective is Objective.MAX_DISTANCE else 1)
        for packed in (False, True):
            with pytest.raises(OutOfReach):
                value(table, goal, packed=packed)
        assert HiddenQuestion(the_game(), State(table), goal, Limit()).answer().value == by_rules(table, goal)


def test_a_turn_on_which_nothing_can_be_taken_moves_all_the_same() -> None:
    player = {
        "pos": 149,
        "hand": ["improvise", "study_up"],
        "deck": ["greyhound", "midnight_snack"],
        "dogs": [{"dog": "wheel_dog", "attachments": []}],
        "turns": 3,
    }
    upgrade = [["band_aid", "coat"], ["bear", "dog_food"]]
    document = {
        "game": "iditacards",
        "ruleset": "2019-08",
        "players": 1,
        "options": {"auto_move": "one_plus_speed"},
        "chance": {"open": [], "seed": None},
        "state": {"weather": "rain", "players": [player], "upgrade": upgrade},
    }
    game, start = load_position(json.dumps(document)).start()
    assert isinstance(game, Iditacards)
    goal = Goal(Objective.REACH, 152, 4, DAY)
    moves = [move for move in game.legal_moves(start) if move.text == "play study_up"]
    form = game.belief_turns(start.table, 0, DAY, 152, 4)
    assert form is not None
    search = BeliefSearch(form, goal, Watch(Limit()))
    assert dict(BeliefStart(search, form, start.table, moves, goal).moves(4))[moves[0]] == 1
    assert search.is_packed
    assert dict(PlainStart(Expectimax(game, goal, Watch(Limit())), start).moves(4))[moves[0]] == 1


def test_a_card_that_waits_below_one_that_takes_moves_on_the_turn_it_takes() -> None:
    table = table_of(
        ["makeshift_sled"],
        ["chihuahua", "haste", "makeshift_sled", "poutine", "smart_dog"],
        [["makeshift_sled"], ["problem_dog"]],
        ("whale_meat",),
        dogs=(Dog("lazy_dog", ()), Dog("wheel_dog", ())),
        stack=(waiting("sprint"),),
    )._replace(weather="cloud")
    goal = Goal(Objective.REACH, 7, 4, DAY)
    assert value(table, goal, packed=True) == (Fraction(3, 10), True)
    assert by_rules(table, goal) == Fraction(3, 10)


def test_cards_that_are_drawn_first_do_not_keep_any_from_being_taken() -> None:
    table = table_of(
        ["armour", "makeshift_sled"],
        ["greyhound", "makeshift_sled", "venison_carpaccio"],
        [["cute_dog", "ibuprofin"], ["hitch_a_ride"]],
        ("cat", "improvise"),
        pos=59,
        starvation=2,
        dogs=(Dog("wheel_dog", ()),),
    )._replace(weather="rain")
    goal = Goal(Objective.REACH, 61, 4, DAY)
    found = value(table, goal, packed=True)
    assert found == (by_rules(table, goal), True)
    assert value(table, goal, packed=False)[0] == found[0] == Fraction(1, 3)


def test_where_no_value_is_found_in_time_chances_from_both_sides_are_told() -> None:
    table, _ = some_table(25)
    goal = Goal(Objective.REACH, table.players[0].pos + 3, 3, DAY)
    assert HiddenQuestion(the_game(), State(table), goal, Limit()).answer().value == Fraction(1, 2)
    report = HiddenQuestion(the_game(), State(table), goal, Limit(), most=16).answer()
    assert (report.status, report.value, report.bound) == (Status.FEASIBLE, Fraction(1, 2), Fraction(2, 3))


def test_a_chance_from_below_that_is_certain_is_the_answer_where_no_more_is_found_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: object) -> None:
        raise LimitHit

    monkeypatch.setattr(HiddenQuestion, "_adopted", late)
    table, _ = some_table(1)
    goal = Goal(Objective.REACH, table.players[0].pos + 1, 3, DAY)
    report = HiddenQuestion(the_game(), State(table), goal, Limit()).answer()
    assert (report.status, report.value, report.method) == (Status.OPTIMAL, Fraction(1), CERTAIN)
    assert report.options
    by_move = dict(PlainStart(Expectimax(the_game(), goal, Watch(Limit())), State(table)).moves(3))
    assert all(option.value == by_move[option.move] == 1 for option in report.options)
