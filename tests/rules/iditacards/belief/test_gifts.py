"""Cards that checkpoints give on days with a hidden deck (R66): packed and plain beliefs against complete play."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

import pytest

from puzzles.goal import Goal, Objective
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.gifts import carried_gifts
from rules.iditacards.belief.open import OpenDay
from rules.iditacards.state import Dog, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.layers import Watch
from tests.rules.iditacards.belief.two_steps import CHECKPOINTS, DAY, by_rules, table_of, the_game, value, waiting

OWN: Final = (
    *("mush", "move", "move", "lunch", "lunch", "breakfast", "breakfast", "husky", "wheel_dog", "dog_chow", "haste"),
    *("first_aid", "grandma_soup", "poutine", "lead_dog", "good_dog"),
)
GIVEN: Final = (
    *("waffle", "out_of_control", "waffle", "out_of_control", "serenity", "meditate", "robodog", "all_in", "moose"),
    *("utility_knife", "sleeping_bag", "here_boy", "engineer_dog", "nuclear_reactor", "satiated"),
)
PACKS: Final = (
    (),
    (Dog("wheel_dog", ()),),
    (Dog("husky", ("a_hat",)),),
    (Dog("good_dog", ()), Dog("wheel_dog", ("dog_chow",))),
)


def at_once(_: int) -> int:
    """Return the first turn, as the one that may pass any space."""
    return 1


def some_table(seed: int, *, sled: bool = False) -> Table:
    """Return a small table before a checkpoint, now and then with a card that waits, or a sled that gains cards."""
    dice = random.Random(f"a checkpoint {seed}")
    cards = [dice.choice(OWN) for _ in range(dice.choice((4, 5, 5, 6)))]
    if sled:
        cards[0] = dice.choice(("improvise", "upgrade_sled", "repair_sled"))
    here = dice.choice(CHECKPOINTS)
    stack = (waiting(dice.choice(("mush", "haste", "husky")), need=dice.choice((1, 1, 2))),) if seed % 3 == 1 else ()
    others: dict[str, Any] = {
        "pos": max(0, here - dice.choice((1, 2, 2, 3, 5, -1))),
        "hypothermia": dice.choice((0, 0, 0, 1)),
        "starvation": dice.choice((0, 0, 0, 1)),
        "stack": stack,
        "dogs": dice.choice(PACKS),
        "passed": tuple(space for space in CHECKPOINTS if space < here),
        "legendary": tuple(sorted(set(dice.sample(GIVEN, dice.choice((1, 2, 3)))))),
    }
    upgrade = [["push"], ["coat", "poutine"]] if sled else ((), ())
    held = dice.choice((1, 2, 2, 3))
    table = table_of(cards[:held], cards[held:], upgrade, (), **others)
    return table._replace(weather=dice.choice(("sun", "cloud", "snow", "rain")))


def without_gifts(table: Table) -> Table:
    return table._replace(players=(table.players[0]._replace(legendary=()),))


@pytest.mark.parametrize(("sled", "seeds"), [(False, range(24)), (True, range(40, 50))])
def test_cards_that_checkpoints_give_are_worth_what_the_rules_say(sled: bool, seeds: range) -> None:
    carried = better = 0
    for seed in seeds:
        table = some_table(seed, sled=sled)
        far = table.players[0].pos + 4 + seed % 12
        for goal in (Goal(Objective.REACH, far, 3, DAY), Goal(Objective.MAX_DISTANCE, 0, 3, DAY)):
            found = []
            for packed, at_once in ((False, False), (True, False), (True, True)):
                with suppress(OutOfReach):
                    found.append(value(table, goal, packed=packed, at_once=at_once))
            if found:
                expected = by_rules(table, goal)
                assert found == [expected] * len(found), (seed, goal)
                carried += 1
                better += by_rules(without_gifts(table), goal) != expected
    assert carried > len(seeds)
    assert better > len(seeds) // 15


def test_what_is_given_is_chosen_once_cards_are_drawn() -> None:
    table = table_of(
        ["husky", "move", "move"],
        ["breakfast", "lunch", "move", "poutine", "wheel_dog"],
        pos=33,
        passed=(6,),
        stack=(waiting("mush"),),
        legendary=("out_of_control", "waffle"),
    )._replace(weather="sun")
    chances = []
    for given in (("out_of_control", "waffle"), ("out_of_control",), ("waffle",)):
        here = table._replace(players=(table.players[0]._replace(legendary=given),))
        goal = Goal(Objective.REACH, 47, 3, DAY)
        chances.append(by_rules(here, goal))
        assert value(here, goal, packed=True) == value(here, goal, packed=False) == chances[-1]
    assert chances == [1, 1, Fraction(3, 4)]


def test_a_card_that_comes_too_late_does_not_stand_in_the_way() -> None:
    game = the_game()
    for card, turns in (("all_in", 4), ("robodog", 4), ("here_boy", 4), ("surgery", 3), ("desperate_times", 3)):
        table = table_of(["move"], ["move"], pos=35, passed=(6,), legendary=(card,))
        assert carried_gifts(game.rulings, table, 0, turns, at_once) == (card,)
        assert carried_gifts(game.rulings, table, 0, turns + 1, at_once) == ()
    far = table_of(["move"], ["move"], pos=20, passed=(6,), legendary=("waffle",))
    assert carried_gifts(game.rulings, far, 0, 3, at_once) == ()


def test_a_turn_that_passes_a_checkpoint_is_refused_where_it_is_not_carried_what_it_gives() -> None:
    table = table_of(["move", "improvise", "lunch"], ["move", "dinner"], [["push"], []], pos=35, passed=(6,))
    table = table._replace(players=(table.players[0]._replace(legendary=("desperate_times",)),))
    goal = Goal(Objective.MAX_DISTANCE, 0, 4, DAY)
    for packed in (False, True):
        with pytest.raises(OutOfReach):
            value(table, goal, packed=packed)


def test_who_was_given_no_card_yet_need_not_pay_with_one() -> None:
    table = table_of(
        ["dinner"], ["husky", "move"], pos=33, passed=(6,), legendary=("waffle",), stack=(waiting("mush"),)
    )
    goal = Goal(Objective.REACH, 34, 3, DAY)
    floor = the_game().belief_floor(table, 0, DAY, goal.target, 3)
    assert isinstance(floor, OpenDay)
    told = BeliefSearch(floor, goal, Watch(Limit())).value(floor.project(table, 3), 3)
    assert told == by_rules(table, goal)
    assert not floor.must_pay(floor.boards.root)


@pytest.mark.parametrize("gained", ["supply", "upgrade"])
def test_a_card_that_can_be_gained_and_lowers_the_risk_brings_what_is_given_sooner(gained: str) -> None:
    game, knife = the_game(), ("utility_knife",)
    piles: dict[str, Any] = {gained: knife if gained == "supply" else (knife, ())}
    before: dict[str, Any] = {"pos": 34, "passed": (6,), "legendary": ("all_in",)}
    assert carried_gifts(game.rulings, table_of(["move"], ["lunch"], **before), 0, 4, at_once) == ("all_in",)
    assert carried_gifts(game.rulings, table_of(["move"], ["lunch"], **piles, **before), 0, 4, at_once) == ()
