"""What is chosen amid what comes off the deck, or when nothing can be paid: packed and plain beliefs, complete play."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any, Final

import pytest

from puzzles.goal import Goal, Objective
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.form import BeliefForm
from rules.iditacards.belief.needs import Leading
from rules.iditacards.belief.open import OpenDay
from rules.iditacards.compact.plays import Choice, Draw, End, Look
from rules.iditacards.state import Dog, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.layers import Watch
from tests.rules.iditacards.belief.two_steps import CHECKPOINTS, DAY, by_rules, table_of, the_game, value, waiting

USUAL: Final = (
    *("mush", "move", "move", "lunch", "breakfast", "husky", "wheel_dog", "dog_chow", "haste", "first_aid", "dinner"),
    *("grandma_soup", "poutine", "lead_dog", "good_dog", "mush"),
)
LOOKING: Final = ("first_aid", "grandma_soup", "poutine")
RISKY: Final = ("mush", "husky", "lead_dog", "grandma_soup", "haste")
GIVEN: Final = (
    *("waffle", "out_of_control", "serenity", "meditate", "robodog", "all_in", "moose", "utility_knife"),
    *("here_boy", "engineer_dog", "nuclear_reactor", "satiated"),
)


def some_table(seed: int, *, sled: bool) -> Table:
    """Return a small table up to six spaces before a checkpoint, conditions that move back, and cards that look."""
    dice = random.Random(f"picked {seed}")
    held, hidden = dice.choice((1, 2, 2)), dice.choice((2, 3))
    cards = [dice.choice(USUAL) for _ in range(held + hidden)]
    cards[dice.randrange(len(cards))] = dice.choice(LOOKING)
    if sled:
        cards[0] = dice.choice(("improvise", "upgrade_sled", "repair_sled"))
    here = dice.choice(CHECKPOINTS)
    others: dict[str, Any] = {
        "pos": max(0, here - dice.choice((1, 1, 1, 2, 2, 3, 5, 6))),
        "hypothermia": dice.choice((0, 0, 1, 2)),
        "starvation": dice.choice((0, 0, 1, 2)),
        "stack": tuple(waiting(dice.choice(RISKY)) for _ in range(dice.choice((0, 1, 1, 2)))),
        "dogs": (Dog(dice.choice(("wheel_dog", "husky")), ()),) if dice.random() < 0.4 else (),
        "passed": tuple(space for space in CHECKPOINTS if space < here),
        "legendary": tuple(sorted(dice.sample(GIVEN, dice.choice((2, 2, 3))))),
    }
    upgrade = [["push"], ["coat", "poutine"]] if sled else ((), ())
    table = table_of(cards[:held], cards[held:], upgrade, (), **others)
    return table._replace(weather=dice.choice(("sun", "cloud", "rain", "wind")))


@pytest.mark.parametrize(("sled", "seeds"), [(False, range(16)), (True, range(100, 110))])
def test_what_is_picked_is_worth_what_the_rules_say(sled: bool, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    picked = 0
    pick = BeliefForm._pick

    def counted(form: BeliefForm, ends: tuple[Leading, ...]) -> int:
        nonlocal picked
        picked += 1
        return pick(form, ends)

    monkeypatch.setattr(BeliefForm, "_pick", counted)
    carried = with_picks = 0
    for seed in seeds:
        table = some_table(seed, sled=sled)
        far = table.players[0].pos + 3 + seed % 12
        goals = [Goal(Objective.MAX_DISTANCE, 0, 3, DAY), Goal(Objective.REACH, far, 3, DAY)]
        for goal in goals[: 2 if seed % 3 == 0 else 1]:
            found, before = [], picked
            for packed, at_once in ((False, False), (True, False), (True, True)):
                with suppress(OutOfReach):
                    found.append(value(table, goal, packed=packed, at_once=at_once))
            if found:
                assert found == [by_rules(table, goal)] * len(found), (seed, goal)
                carried += 1
                with_picks += picked > before
    assert carried > len(seeds) // 2
    assert with_picks > carried // 6


def day_of(table: Table, turns: int) -> OpenDay:
    day = the_game().belief_turns(table, 0, DAY, None, turns)
    assert isinstance(day, OpenDay)
    return day


def test_it_is_told_in_order_what_is_drawn_chosen_and_looked_at() -> None:
    """A dog that waits draws, what it completes passes a checkpoint, and what that completes looks at cards."""
    stack = (waiting("grandma_soup"), waiting("lead_dog"), waiting("mush"))
    given = ("moose", "waffle")
    table = table_of(["lunch"], ["mush", "move", "lunch"], pos=34, passed=(6,), stack=stack, legendary=given)
    day = day_of(table._replace(weather="sun"), 3)
    play = day.plays.play(day.boards.root, day.begun, "breakfast")
    assert play.late
    assert isinstance(play.told, Choice)
    assert play.told.orders == (Draw(3),)
    assert [end.gifts for end in play.told.ways if isinstance(end, End)] == [("moose",), ("waffle",)]
    assert all([type(order) for order in way.orders] == [Look] for way in play.told.ways)


def test_a_turn_that_cannot_be_paid_chooses_what_a_checkpoint_gives() -> None:
    table = table_of(["mush"], ["lunch", "move"], pos=35, passed=(6,), legendary=("moose", "waffle"))
    day = day_of(table._replace(weather="sun"), 3)
    play = day.plays.play(day.boards.root, 0, "mush")
    assert {end.gifts for end in play.failing} == {("moose",), ("waffle",)}
    goal = Goal(Objective.MAX_DISTANCE, 0, 3, DAY)
    here = table._replace(weather="sun")
    assert value(here, goal, packed=True) == value(here, goal, packed=False) == by_rules(here, goal)


def test_a_distance_that_none_is_sure_of_is_told_by_fewer_turns() -> None:
    table = table_of(["mush"], ["move", "lunch", "move", "dinner"], pos=10, passed=(6,))._replace(weather="sun")
    goal = Goal(Objective.MAX_DISTANCE, 0, 4, DAY)
    day = day_of(table, 4)
    search = BeliefSearch(day, goal, Watch(Limit()))
    assert search.value(day.project(table, 4), 4) is None
    assert search.value(day.project(table, 2), 2) is None
    assert by_rules(table, goal) is None
