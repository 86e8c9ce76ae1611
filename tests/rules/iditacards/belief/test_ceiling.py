"""Days with a hidden deck on which more wins: never worth less than the whole game, and exact where bounds meet."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.turns import State
from rules.iditacards.belief.scope import missing
from rules.iditacards.moves import Continue
from rules.iditacards.state import Dog, Table
from solver import hidden_question
from solver.hidden_question import HiddenQuestion
from solver.hidden_report import CERTAIN, HiddenReport, Option
from solver.report import Limit, Statistics, Status
from solver.screens.common import unit_in
from solver.screens.hidden import sampled_verdict
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.floor_start import few_start
from solver.search.layers import LimitHit, Watch
from tests.rules.iditacards.belief.two_steps import DAY, table_of, the_game, waiting

GAME = the_game()
CARDS = sorted(name for name, card in GAME.content.cards.items() if card.deck not in ("legendary", "damage"))
SLEDS = [name for name in CARDS if any(effect.op == "take_next" for effect in GAME.rulings.cards[name].instant)]


def made(dice: random.Random) -> tuple[Table, Goal]:
    """Return a small table, often with sleds and near a checkpoint, and a chance to ask for."""
    hand, deck = dice.randint(1, 3), dice.randint(1, 3)
    cards = [dice.choice(SLEDS if dice.random() < 0.25 else CARDS) for _ in range(hand + deck)]
    others: dict[str, Any] = {
        "pos": dice.choice((3, 5, 25, 34, 90)),
        "legendary": tuple(dice.sample(("puppy", "waffle"), dice.randint(0, 1))),
        "dogs": tuple(sorted(Dog(dog, ()) for dog in dice.sample(["bear", "husky"], dice.randint(0, 1)))),
        "stack": (waiting(dice.choice(("mush", "makeshift_sled"))),) if dice.random() < 0.2 else (),
        "hypothermia": dice.choice((0, 0, 1)),
        "starvation": dice.choice((0, 0, 1)),
    }
    upgrade = [[dice.choice(CARDS) for _ in range(dice.randint(0, 2))] for _ in range(2)]
    supply = [dice.choice(CARDS) for _ in range(dice.choice((0, 0, 1)))]
    turns = dice.randint(2, 4)
    target = int(others["pos"]) + dice.choice((1, 2, 3, 5, 7, 11))
    return table_of(cards[:hand], cards[hand:], upgrade, supply, **others), Goal(Objective.REACH, target, turns, DAY)


def above(table: Table, goal: Goal) -> set[Fraction]:
    """Return the chance of the larger game, in both of its forms; nothing where it tells none."""
    found = set()
    turns = goal.within_turns or 0
    for packed in (True, False):
        form = GAME.belief_ceiling(table, 0, goal.forbidden, goal.target)
        if form is None:
            return set()
        search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
        found.add(search.value(form.project(table, turns), turns) or Fraction(0))
    return found


def test_no_chance_of_the_larger_game_is_less_than_that_of_the_whole() -> None:
    equal = more = less_than_certain = 0
    for seed in range(80):
        table, goal = made(random.Random(seed))
        found = above(table, goal)
        if not found:
            continue
        (chance,) = found
        whole = Expectimax(GAME, goal, Watch(Limit())).value(table, goal.within_turns or 0) or Fraction(0)
        assert chance >= whole, seed
        equal += chance == whole and chance > 0
        more += chance > whole
        less_than_certain += whole < chance < 1
    assert equal > 5
    assert more > 5
    assert less_than_certain > 0


def test_what_is_said_of_small_tables_is_true() -> None:
    """Values, bounds and proofs of whole answers, where beliefs do not carry the question by themselves."""
    told = 0
    for seed in range(200, 290):
        table, goal = made(random.Random(seed))
        turns = goal.within_turns or 0
        if GAME.belief_turns(table, 0, DAY, goal.target, turns) is not None:
            continue
        whole = Expectimax(GAME, goal, Watch(Limit())).value(table, turns) or Fraction(0)
        report = HiddenQuestion(GAME, State(table), goal, Limit(), most=2_000).answer()
        told += 1
        if report.status in (Status.OPTIMAL, Status.INFEASIBLE):
            assert (report.value or 0) == whole, seed
        else:
            assert (report.value or 0) <= whole <= (report.bound if report.bound is not None else 1), seed
    assert told > 20


def test_a_card_that_is_taken_wins() -> None:
    """A repair sled is the one card that may be turned over, paid with one card of the hand and three of the deck."""
    deck = ["repair_sled", "dinner", "dinner", "dinner"]
    table = table_of(["lunch"], deck, [["push"], []], pos=50, stack=(waiting("coat"),))
    goal = Goal(Objective.REACH, 55, 9, DAY)
    assert above(table, goal) == {Fraction(1, 4)}
    whole = Expectimax(GAME, goal, Watch(Limit())).value(table, 9)
    assert whole is not None
    assert whole <= Fraction(1, 4)


def test_a_card_that_kills_a_dog_first_takes_none_without_one() -> None:
    """It costs what another costs that takes a card whatever there is: in the hand, in the deck, whichever is which."""
    goal = Goal(Objective.REACH, 55, 1, DAY)
    for dogs, chance in (((), 0), ((Dog("bear", ()),), 1)):
        table = table_of(["trade_dog"], ["dinner", "improvise"], [["push"], []], pos=50, dogs=dogs)
        assert above(table, goal) == {Fraction(chance)}
        table = table_of(
            ["lunch"], ["improvise", "trade_dog"], [["push"], []], pos=50, dogs=dogs, stack=(waiting("coat"),)
        )
        assert above(table, goal) == {Fraction(1 + chance, 2)}


def test_a_card_about_to_be_taken_leaves_nothing_to_tell() -> None:
    table = table_of(["lunch"], ["move", "dinner"], [["push"], []], ["push"], stack=(waiting("repair_sled", "second"),))
    assert GAME.belief_ceiling(table, 0, DAY, 5) is None


def test_bounds_that_meet_are_the_answer() -> None:
    """Nothing in hand can pay for a sled or a dinner that is turned over: one card of nine lets the first one move."""
    table = table_of(["haste"], ["move", "scrapyard", *7 * ["dinner"]], [["push"], ["push"]], pos=50)
    goal = Goal(Objective.REACH, 55, 21, DAY)
    assert missing(GAME.rulings, table, 0, DAY, 21) == ["supplies"]
    report = HiddenQuestion(GAME, State(table), goal, Limit()).answer()
    few = few_start(GAME, table, [], goal, Watch(Limit()), None)
    assert few is not None
    assert few.turns == 4
    assert report.status is Status.OPTIMAL
    assert report.method == CERTAIN
    assert report.value == report.bound
    assert report.value == Fraction(1, 9)
    assert above(table, goal) == {Fraction(1, 9)}


def test_a_comparison_by_playouts_tells_what_is_proved() -> None:
    option = Option(Continue(), Fraction(1, 2), Fraction(0), interval=(0.4, 0.6), playouts=100)
    goal = Goal(Objective.REACH, 52, 21, DAY)
    statistics = Statistics(1.0, 1, 1, "trees")
    report = HiddenReport(
        *(Status.UNKNOWN, goal, Fraction(1, 2), Fraction(7501, 10_000), (option,), (), Fraction(0), statistics),
        method="sampled",
        verdict="decided",
        least=Fraction(1, 4),
    )
    assert sampled_verdict(report, unit_in(GAME)).endswith("; proved: at least 25.0 %, at most 75.1 %")
    assert sampled_verdict(replace(report, bound=Fraction(1)), unit_in(GAME)).endswith("; proved: at least 25.0 %")
    assert "proved" not in sampled_verdict(replace(report, bound=Fraction(1), least=None), unit_in(GAME))


def test_what_is_tried_for_bounds_leaves_a_third_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of three tries uses all the seconds that it is given and finds nothing."""
    seconds, over = 0.0, [0.0]

    def clock() -> float:
        nonlocal seconds
        seconds += 0.001
        return seconds

    def wasted(*given: Any) -> None:
        watch = next(each for each in given if isinstance(each, Watch))
        with suppress(LimitHit):
            while True:
                watch.check()
        over.append(seconds)

    def above(*given: Any) -> Fraction:
        wasted(*given)
        return Fraction(1)

    def last(*given: Any) -> None:
        nonlocal seconds
        wasted(*given)
        seconds += 10  # nothing is left for the whole game

    monkeypatch.setattr(hidden_question, "floor_start", wasted)
    monkeypatch.setattr(hidden_question, "few_start", last)
    monkeypatch.setattr(hidden_question, "chance_above", above)
    table = table_of(["haste"], ["move", "scrapyard", *7 * ["dinner"]], [["push"], ["push"]], pos=50)
    goal = Goal(Objective.REACH, 55, 21, DAY)
    HiddenQuestion(GAME, State(table), goal, Limit(time_s=10.0, clock=clock)).answer()
    assert len(over) == 4
    assert 6 < over[-1] < 7


def test_a_chance_that_no_move_is_known_to_have_is_no_answer() -> None:
    table = table_of(
        *(["all_in", "trade_dog"], ["dog_shoes", "lead_dog"], [["harness"], ["lazy_dog", "new_sled", "travel_light"]]),
        dogs=(Dog("big_dog", ("harness",)), Dog("good_dog", ())),
        legendary=("all_in", "dog_collar", "surgery", "waffle"),
        pos=5,
    )
    goal = Goal(Objective.REACH, 15, 3, DAY)
    report = HiddenQuestion(GAME, State(table), goal, Limit()).answer()
    assert report.status is Status.OPTIMAL
    assert report.value == 1
    assert report.options[0].value == Expectimax(GAME, goal, Watch(Limit())).value(table, 3)
