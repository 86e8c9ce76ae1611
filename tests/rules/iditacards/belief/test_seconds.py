"""Cards of two steps and hidden decks: packed beliefs against plain ones and the rules, as fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.scope import missing
from rules.iditacards.compact.stock import SECOND_STEPS
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.first_turn import PlainStart
from solver.search.layers import Watch
from tests.rules.iditacards.belief.two_steps import table_of, the_game, waiting

DAY = frozenset({"new_day"})
LOOKING = ("first_aid", "grandma_soup", "bandage", "brandy", "caffeine", "meditate")
TAKING = ("repair_sled", "upgrade_sled", "makeshift_sled", "salvage")
USUAL = ("mush", "move", "move", "lunch", "dinner", "husky", "lead_dog", "push", "haste", "cute_dog", "dog_collar")


def some_table(seed: int, upgrade: tuple[tuple[str, ...], ...] = ((), ())) -> Table:
    """Return a small table with cards of two steps, now and then one of them or another card waiting."""
    dice = random.Random(seed)
    cards = [*dice.sample(USUAL, 4), dice.choice(LOOKING), dice.choice((*LOOKING, *TAKING))]
    dice.shuffle(cards)
    below = waiting(dice.choice(("mush", "brandy", "lead_dog", "makeshift_sled")), need=dice.choice((1, 2)))
    stack: tuple[Frame, ...] = ()
    seen: tuple[str, ...] = ()
    if seed % 3 == 1:
        stack = (below,)
    elif seed % 3 == 2:
        stack = (*((below,) if seed % 2 else ()), waiting(dice.choice(LOOKING), "second"))
        seen = tuple(sorted(dice.sample(USUAL, seed % 4)))
    return table_of(
        cards[:3],
        cards[3:],
        upgrade,
        pos=dice.choice((3, 25, 40, 90)),
        hypothermia=dice.randrange(2),
        starvation=dice.randrange(2),
        stack=stack,
        seen=seen,
        dogs=dice.choice(((), (Dog("wheel_dog", ()),), (Dog("husky", ("a_hat",)),))),
    )


def goals(table: Table, turns: int, seed: int) -> list[Goal]:
    far = table.players[0].pos + random.Random(seed).randrange(1, 5 * turns)
    return [Goal(Objective.REACH, far, turns, DAY), Goal(Objective.MAX_DISTANCE, 0, turns, DAY)]


def value(table: Table, goal: Goal, *, packed: bool) -> tuple[Fraction | None, bool]:
    turns = goal.within_turns or 0
    form = the_game().belief_turns(table, 0, DAY, goal.target or None, turns)
    assert form is not None
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    return search.value(form.project(table, turns), turns), search.is_packed


def test_the_cards_of_these_tables_have_second_steps() -> None:
    cards = the_game().content.cards
    for card in (*LOOKING, *TAKING):
        assert any(effect.op in SECOND_STEPS for effect in cards[card].instant)


def test_second_steps_are_worth_what_the_rules_say() -> None:
    compared = 0
    for seed in range(16):
        table, turns = some_table(seed), 3 if seed % 4 else 2
        for goal in goals(table, turns, seed):
            found, packed = value(table, goal, packed=True)
            assert found == value(table, goal, packed=False)[0], (seed, goal)
            assert found == Expectimax(the_game(), goal, Watch(Limit())).value(table, turns), (seed, goal)
            compared += packed
    assert compared > 24


def test_whole_days_with_second_steps_are_worth_what_the_rules_say() -> None:
    chances = set()
    for seed in range(10):
        dice = random.Random(seed)
        cards = [*dice.sample(LOOKING, 2), *dice.sample(USUAL, 3)]
        dice.shuffle(cards)
        turns = 2 * len(cards) + 1
        table = table_of(cards[:2], cards[2:], pos=3)
        goal = Goal(Objective.REACH, 5 + seed, turns, DAY)
        found, packed = value(table, goal, packed=True)
        assert packed
        assert found == Expectimax(the_game(), goal, Watch(Limit())).value(table, turns), (seed, goal)
        chances.add(found)
    assert len(chances) > 2


def test_supplies_that_come_too_late_are_carried() -> None:
    upgrade = (("poutine", "coat"), ("push", "greyhound", "travel_light"))
    compared = 0
    for seed in range(0, 24, 3):
        table = some_table(seed, upgrade)
        for goal in goals(table, 2, seed):
            found, packed = value(table, goal, packed=True)
            assert found == value(table, goal, packed=False)[0], (seed, goal)
            assert found == Expectimax(the_game(), goal, Watch(Limit())).value(table, 2), (seed, goal)
            compared += packed
    assert compared > 8


def test_supplies_that_come_in_time_are_told() -> None:
    game, upgrade = the_game(), (("poutine", "coat"), ("push", "greyhound", "travel_light"))
    hand, deck = ["salvage", "lunch", "move"], ["lunch", "dinner", "move"]
    table = table_of(hand, deck, upgrade, pos=3)
    goal = Goal(Objective.REACH, 11, 3, DAY)
    assert "supplies" in missing(game.rulings, table, 0, DAY)
    assert [missing(game.rulings, table, 0, DAY, turns) for turns in (2, 3)] == [[], []]
    assert Expectimax(game, goal, Watch(Limit())).value(table, 3) == value(table, goal, packed=True)[0] == 1
    assert value(table_of(hand, deck, pos=3), goal, packed=True)[0] == 0
    table = table_of(["move", "lunch"], ["mush"], upgrade, pos=25, stack=(waiting("salvage", "second"),))
    assert [missing(game.rulings, table, 0, DAY, turns) for turns in (1, 2)] == [[], ["supplies"]]
    table = table_of(["move", "lunch"], ["mush"], pos=25, stack=(waiting("salvage", "second"),))
    assert missing(game.rulings, table, 0, DAY, 2) == []


def test_a_smaller_game_takes_nothing_from_the_supply() -> None:
    upgrade = (("poutine", "coat"), ("push", "greyhound", "travel_light"))
    found = set()
    for seed in range(8):
        table = some_table(seed, upgrade)
        goal = Goal(Objective.REACH, table.players[0].pos + 2 + seed % 3, 3, DAY)
        chances = set()
        for packed in (True, False):
            form = the_game().belief_floor(table, 0, DAY, goal.target, 3)
            assert form is not None
            search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
            chances.add(search.value(form.project(table, 3), 3))
        (least,) = chances
        whole = Expectimax(the_game(), goal, Watch(Limit())).value(table, 3)
        assert least is not None
        assert whole is not None
        assert least <= whole, seed
        found.add(least == whole)
    assert True in found


def test_what_moves_draw_while_cards_are_seen_is_not_carried() -> None:
    dogs = (Dog("husky", ()), Dog("malamute", ()))
    table = table_of(["band_aid", "lunch"], ["move", "mush"], pos=3, dogs=dogs)
    with pytest.raises(OutOfReach):
        value(table, Goal(Objective.REACH, 7, 2, DAY), packed=False)
    floor = the_game().belief_floor(table, 0, DAY, 7, 2)
    assert floor is not None
    start = floor.project(table, 2)
    with pytest.raises(OutOfReach):
        list(floor.turn(start, 2))


def test_what_was_seen_is_opened_by_the_second_step() -> None:
    seen = ("mush", "push")
    stack = (waiting("first_aid", "second"),)
    table = table_of(["lunch", "move", "move"], ["husky", "dinner"], pos=25, stack=stack, seen=seen, dogs=())
    goal = Goal(Objective.REACH, 30, 3, DAY)
    game = the_game()
    moves = [move for move in game.legal_moves(State(table)) if move.text not in DAY]
    assert [move.text for move in moves] == ["second"]
    for packed in (True, False):
        form = game.belief_turns(table, 0, DAY, goal.target, 3)
        assert form is not None
        start = BeliefStart(BeliefSearch(form, goal, Watch(Limit()), packed=packed), form, table, moves, goal)
        assert start.moves(3) == [(moves[0], Expectimax(game, goal, Watch(Limit())).value(table, 3))]


def test_a_card_of_two_steps_does_not_count_at_once_for_the_card_below() -> None:
    # A Hat and Upgrade Sled cost the same and do nothing on a last turn; but only one of them lets Mush take effect.
    table = table_of(["lunch", "move", "push"], ["a_hat", "husky", "upgrade_sled"], pos=25, stack=(waiting("mush"),))
    begun = table_of(["lunch", "move", "mush", "push"], ["a_hat", "move", "move", "upgrade_sled"], pos=25)
    for start, turns in ((table, 1), (begun, 2)):
        for goal in (Goal(Objective.REACH, 35, turns, DAY), Goal(Objective.MAX_DISTANCE, 0, turns, DAY)):
            control = Expectimax(the_game(), goal, Watch(Limit())).value(start, turns)
            assert [value(start, goal, packed=packed)[0] for packed in (True, False)] == [control, control]
    assert value(table, Goal(Objective.REACH, 35, 1, DAY), packed=True)[0] == Fraction(1, 3)


def test_a_card_that_draws_before_a_look_may_take_the_last_card() -> None:
    table = table_of(
        ["first_aid", "venison_steak"],
        ["venison_carpaccio"],
        pos=89,
        dogs=(),
        hypothermia=3,
        starvation=3,
        stack=(waiting("brandy"),),
    )
    game, goal = the_game(), Goal(Objective.MAX_DISTANCE, 0, 3, DAY)
    form = game.belief_turns(table, 0, DAY, None, 3)
    assert form is not None
    moves = [move for move in game.legal_moves(State(table)) if move.text not in DAY]
    start = BeliefStart(BeliefSearch(form, goal, Watch(Limit())), form, table, moves, goal)
    assert start.moves(3) == [(moves[0], Expectimax(game, goal, Watch(Limit())).value(table, 3))]


def moves_of(table: Table, goal: Goal) -> tuple[dict[str, Fraction | None], dict[str, Fraction | None]]:
    """Return what each move is worth by packed beliefs, and by the rules."""
    game, turns = the_game(), goal.within_turns or 0
    form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
    assert form is not None
    moves = [move for move in game.legal_moves(State(table)) if move.text not in DAY]
    packed = BeliefStart(BeliefSearch(form, goal, Watch(Limit())), form, table, moves, goal).moves(turns)
    plain = PlainStart(Expectimax(game, goal, Watch(Limit())), State(table)).moves(turns)
    told = {move.text: worth for move, worth in plain if move.text not in DAY}
    return {move.text: worth for move, worth in packed}, told


def test_a_second_step_is_worth_what_it_is_without_a_free_action_first() -> None:
    table = table_of(
        ["haste", "slow_and_steady"],
        ["bandage", "bandage", "whale_meat"],
        pos=3,
        dogs=(Dog("big_dog", ()), Dog("lazy_dog", ())),
        stack=(waiting("meditate", "second"),),
        seen=("haste", "haste"),
    )
    packed, plain = moves_of(table, Goal(Objective.MAX_DISTANCE, 0, 3, DAY))
    assert packed == plain
    assert len(set(plain.values())) > 1


def test_a_dog_that_is_killed_freely_may_take_another_one_along() -> None:
    dogs = (Dog("bear", ()), Dog("husky", ("steam_engine",)), Dog("wheel_dog", ()))
    table = table_of(["push", "move"], ["move", "mush", "lunch"], pos=90, dogs=dogs)
    packed, plain = moves_of(table, Goal(Objective.MAX_DISTANCE, 0, 2, DAY))
    assert packed == plain
    assert plain["sacrifice husky+steam_engine"] != plain["remove steam_engine from husky+steam_engine"]
