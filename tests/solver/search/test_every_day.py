"""Chances where a new day may be begun on any turn: all that complete play has, or nothing is told."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import Position, new_position
from rules.core.ruleset import extended, load_ruleset
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.hidden import best_hidden
from solver.hidden_report import RESTARTS
from solver.report import Limit, Status
from solver.search.every_day import EveryDayStart, every_day_start
from solver.search.expectimax import Expectimax
from solver.search.layers import LimitHit, Watch

NEW_DAY = frozenset({"new_day"})
DAMAGE = "damaged"


def race(edition: str) -> tuple[Position, Iditacards, Table]:
    position = new_position(f"iditacards/{edition}", seed=1, open_sources=[])
    game, start = position.start()
    assert isinstance(game, Iditacards)
    return position, game, start.table


def asked(position: Position, table: Table, goal: Goal) -> EveryDayStart | None:
    game, start = position.with_table(table).start()
    assert isinstance(game, Iditacards)
    return every_day_start(game, start, game.legal_moves(start), goal, Watch(Limit()), None)


def drawn(edition: str, seed: int, turns: int, *, stocked: bool) -> tuple[Table, Goal]:
    """Return a table with some copies of few cards and a question; ``stocked``: there are cards to gain."""
    _, game, base = race(edition)
    cards = game.rulings.cards
    usable = sorted(name for name in cards if cards[name].deck not in ("legendary", "damage"))
    moving = [name for name in usable if any(effect.op == "move" for effect in cards[name].instant)]
    kept = {"move", "draw", "take", "heal", "hypothermia", "starvation", "clear_hypothermia", "clear_starvation"}
    plain = [name for name in usable if {effect.op for effect in cards[name].instant} <= kept]
    dogs = [name for name in plain if cards[name].type == "dog"]
    worn = [name for name in plain if cards[name].type == "attachment"]
    risks = [name for name in plain if cards[name].risk]
    chosen = random.Random(seed)
    names = [chosen.choice(moving), *chosen.choices(usable if stocked else plain, k=chosen.randint(1, 3))]

    def some(most: int) -> tuple[str, ...]:
        return tuple(sorted(chosen.choices(names, k=chosen.randint(0, most))))

    team = [
        Dog(chosen.choice(dogs), (chosen.choice(worn),) if chosen.random() < 0.4 else ())
        for _ in range(chosen.choice((0, 0, 0, 1, 1, 2)))
    ]
    at = chosen.choice([0, 0, 3, 5, 30, 34, 60, 79, 100, 150])
    waits = chosen.random() < 0.2
    player = base.players[0]._replace(
        hand=some(2),
        deck=some(3),
        discard=some(4),
        pos=at,
        dogs=tuple(sorted(team)),
        stack=(Frame(chosen.choice(risks), 0, 0, 1, 0, "risk"),) if waits else (),
        legendary=(),
        hypothermia=chosen.choice([0, 0, 1, 2]),
        starvation=chosen.choice([0, 0, 1, 2]),
        passed=tuple(space for space in sorted(game.rulings.board.checkpoints) if space <= at),
    )
    legs = tuple(chosen.choice(sorted(set(base.legs))) for _ in base.legs)
    table = base._replace(
        players=(player,),
        legs=legs,
        upgrade=tuple(pile[:3] if stocked else () for pile in base.upgrade),
        weather=chosen.choice(sorted(game.rulings.weathers) or [base.weather]),
    )
    return table, Goal(Objective.REACH, at + chosen.randint(1, 5) * turns, turns)


@pytest.mark.parametrize(
    ("edition", "turns", "stocked", "seeds"),
    [
        ("2019-02", 2, False, (10, 14, 16, 21, 29, 33, 34, 35)),
        ("2019-02", 3, False, (10, 14, 16, 29, 33, 34, 35, 38)),
        ("starter-race", 3, False, (25, 197, 335, 805, 930, 987, 1260)),
        ("2017", 2, False, (6, 16, 28)),
        ("2019-02", 2, True, (10, 16, 22, 29, 33, 34, 35, 37)),
        ("2017", 2, True, (16, 28, 78)),
        ("2019-08", 2, True, (5, 10, 12, 16, 171, 245, 330)),
    ],
)
def test_all_moves_are_worth_what_complete_play_has_of_them(
    edition: str, turns: int, stocked: bool, seeds: tuple[int, ...]
) -> None:
    """Legs, weather, dogs that die, attachments and cards that wait are among them."""
    position, game, _ = race(edition)
    for seed in seeds:
        table, goal = drawn(edition, seed, turns, stocked=stocked)
        start = asked(position, table, goal)
        assert start is not None
        search = Expectimax(game, goal, Watch(Limit()))
        exact = {move.text: value or 0 for move, value in search.moves(search.ends(table, turns), 0)}
        assert {move.text: value or 0 for move, value in start.moves(turns)} == exact, seed
        assert 0 < (start.value(turns) or 0) == max(exact.values()) < 1


def middle(**changes: Any) -> tuple[Position, Table]:
    """Return a table of one leg with more cards than a new hand has."""
    position, _, base = race("2019-02")
    player = base.players[0]._replace(
        pos=40,
        passed=(6, 36),
        hand=("lunch", "mush"),
        deck=("breakfast", "husky", "move", "mush"),
        discard=("lunch", "lunch", "move"),
        dogs=(),
        legendary=(),
    )
    table = base._replace(players=(player._replace(**changes),), upgrade=((), ()), weather="storm")
    return position, table


GOAL = Goal(Objective.REACH, 52, 3)


def test_a_dog_that_is_given_up_is_not_dealt_again() -> None:
    """Killed before a new day it is destroyed, and what it wears is dealt with the rest (R52, R61)."""
    dogs, goal = (Dog("lead_dog", ("dog_chow",)),), Goal(Objective.REACH, 46, 2)
    position, table = middle(hand=("lunch",), deck=("mush", "move"), discard=("lunch",) * 4, dogs=dogs)
    start, search = asked(position, table, goal), Expectimax(race("2019-02")[1], goal, Watch(Limit()))
    assert start is not None
    assert {move.text: value for move, value in start.moves(2)} == {
        move.text: value for move, value in search.moves(search.ends(table, 2), 0)
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"discard": (DAMAGE,)},
        {"discard": ("eat_dog",)},
        {"hand": ("first_aid",)},
        {"seen": ("lunch",)},
        {"passed": (6,), "pos": 30, "legendary": ("satiated",)},
    ],
)
def test_what_may_change_which_cards_there_are_is_left_to_others(changes: dict[str, Any]) -> None:
    position, table = middle()
    assert asked(position, table, GOAL) is not None
    position, table = middle(**changes)
    assert asked(position, table, GOAL) is None


def test_weather_may_send_a_player_back_to_legs_behind() -> None:
    """Who dies of the weather of a new day comes 30 spaces back, to a leg that takes cards as it is entered (R49)."""
    position, game, base = race("2017")
    legs = list(base.legs)
    legs[game.rulings.section_at[81]] = "mountain"
    cards: dict[str, Any] = {"hand": ("move",), "deck": ("move",) * 8, "discard": (), "dogs": (), "legendary": ()}
    player = base.players[0]._replace(pos=110, hypothermia=5, **cards)
    table = base._replace(players=(player,), upgrade=((),), weather="sun", legs=tuple(legs))
    assert asked(position, table, Goal(Objective.REACH, 114, 3)) is None


def test_cards_to_gain_count_from_three_turns_on() -> None:
    position, table = middle(hand=("upgrade_sled", "mush"))
    stocked = table._replace(upgrade=(("big_dog",), ()))
    assert asked(position, table, GOAL) is not None
    assert asked(position, stocked, GOAL) is None
    assert asked(position, stocked, Goal(Objective.REACH, 52, 2)) is not None


def test_it_is_asked_of_chances_alone_and_where_a_new_day_is_open() -> None:
    position, table = middle()
    assert asked(position, table, Goal(Objective.MAX_DISTANCE, 0, 3)) is None
    assert asked(position, table, Goal(Objective.REACH, 52, 3, NEW_DAY)) is None
    assert asked(position, table, Goal(Objective.REACH, 52)) is None


def test_an_answer_is_exact_and_compares_all_moves() -> None:
    position, table = middle()
    report = best_hidden(position.with_table(table), GOAL, Limit(time_s=60.0))
    assert report.status is Status.OPTIMAL
    assert report.method != RESTARTS
    assert report.value == report.bound == max(option.value or Fraction(0) for option in report.options)
    assert {option.move.text for option in report.options} >= NEW_DAY
    assert sum((branch.probability for branch in report.plan), Fraction(0)) == 1


def test_a_new_day_is_told_where_it_is_the_only_move() -> None:
    position, table = middle(hand=())
    start = asked(position, table, GOAL)
    assert start is not None
    assert [(move.text, value) for move, value in start.moves(3)] == [("new_day", start.value(3))]


def test_work_is_counted() -> None:
    position, table = middle()
    game, start = position.with_table(table).start()
    assert isinstance(game, Iditacards)
    few = every_day_start(game, start, game.legal_moves(start), GOAL, Watch(Limit()), 500)
    assert few is not None
    with pytest.raises(LimitHit):
        few.value(3)


def test_a_second_new_day_draws_by_the_weather_of_the_first_where_hands_come_before_the_roll() -> None:
    """A storm and snow differ then in the hands they give (Q55); the value is that of complete play."""
    ruleset = extended(load_ruleset("iditacards/2019-02"), {"options": {"weather_roll": "after_draw"}})
    position = new_position(ruleset, seed=1, open_sources=[])
    base = position.start()[1].table
    cards: dict[str, Any] = {"hand": (), "deck": (), "discard": (*("lead_dog",) * 8, "push"), "legendary": ()}
    player = base.players[0]._replace(pos=60, dogs=(Dog("wheel_dog", ("a_hat",)),), **cards)
    table = base._replace(players=(player,), upgrade=tuple(() for _ in base.upgrade), weather="snow")
    start = asked(position, table, Goal(Objective.REACH, 69, 3))
    assert start is not None
    assert start.value(3) == Fraction(2098, 2187)
