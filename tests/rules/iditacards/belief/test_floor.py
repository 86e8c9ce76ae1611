"""Days with a hidden deck played plainly: never worth more than the whole game, and exact where they are certain."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.turns import State
from rules.iditacards.belief.open import OpenDay
from rules.iditacards.belief.scope import avoided, edge_space, missing, missing_plainly
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Table
from solver.hidden_question import HiddenQuestion
from solver.hidden_report import CERTAIN
from solver.report import Limit, Status
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch
from tests.rules.iditacards.boards import Board, seat

DAY = frozenset({"new_day"})


def mixed(ruleset: str, seed: int, hand: int = 3, deck: int = 4) -> tuple[Iditacards, Table]:
    """Return a small table with any cards of an edition in hand and deck."""
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    dice = random.Random(f"{ruleset} {seed}")
    player = table.players[0]
    others = sorted(card for card, facts in game.content.cards.items() if facts.deck not in ("legendary", "damage"))
    cards = dice.sample([*player.hand, *player.deck], 3) + dice.sample(others, hand + deck - 3)
    dice.shuffle(cards)
    player = player._replace(
        pos=dice.choice((25, 34, 50, 90)),
        hand=tuple(sorted(cards[:hand])),
        deck=tuple(sorted(cards[hand:])),
        legendary=player.legendary[:1] if ruleset == "2019-08" else (),
    )
    return game, table._replace(players=(player,), upgrade=tuple(cards[:1] for cards in table.upgrade))


def chances(game: Iditacards, table: Table, goal: Goal) -> set[Fraction | None]:
    """Return the chance of the smaller game, in both of its forms."""
    found = set()
    turns = goal.within_turns or 0
    for packed in (True, False):
        form = game.belief_floor(table, 0, goal.forbidden, goal.target, turns)
        assert form is not None
        search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
        found.add(search.value(form.project(table, turns), turns))
        assert not packed or turns == 1 or search.is_packed
    return found


@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
def test_no_chance_of_the_smaller_game_exceeds_that_of_the_whole(ruleset: str) -> None:
    equal = less = strange = 0
    for seed in range(28):
        game, table = mixed(ruleset, seed)
        turns = 1 + seed % 3
        goal = Goal(Objective.REACH, table.players[0].pos + 3 * turns, turns, DAY)
        if game.belief_floor(table, 0, DAY, goal.target, turns) is None:
            continue
        (chance,) = chances(game, table, goal)
        whole = Expectimax(game, goal, Watch(Limit())).value(table, turns)
        assert chance is not None
        assert chance <= (whole or 0), seed
        equal += chance == whole and chance > 0
        less += chance != whole
        strange += bool(avoided(game.rulings, table, 0))
    assert equal > 2
    assert less > 0
    assert strange > 3


def test_what_is_avoided_is_lost_when_it_is_turned_over() -> None:
    game, table = mixed("2019-02", 1)
    player = table.players[0]._replace(pos=50, hand=("move", "mush", "rest", "rest"), deck=("torch", "torch", "move"))
    player = player._replace(dogs=(Dog("wheel_dog", ()),))
    table = table._replace(players=(player,), weather="snow")
    assert avoided(game.rulings, table, 0) == {"torch"}
    assert missing(game.rulings, table, 0, DAY) == ["op recover"]
    assert missing_plainly(game.rulings, table, 0, frozenset()) == []
    goal = Goal(Objective.REACH, 65, 2, DAY)  # one risk card after two of three have been paid
    assert chances(game, table, goal) == {Fraction(1, 3)}
    assert Expectimax(game, goal, Watch(Limit())).value(table, 2) == 1


def test_success_that_is_certain_in_the_smaller_game_is_the_answer() -> None:
    game, table = mixed("2019-02", 1)
    player = table.players[0]._replace(pos=50, hand=("push", "torch", "move"), deck=("cat", "torch", "move"))
    table = table._replace(players=(player,), weather="snow")
    assert missing(game.rulings, table, 0, DAY)
    goal = Goal(Objective.REACH, 56, 2, DAY)
    report = HiddenQuestion(game, State(table), goal, Limit()).answer()
    assert (report.status, report.method) == (Status.OPTIMAL, CERTAIN)
    assert report.value == 1
    assert report.options
    assert all(option.value == 1 for option in report.options)
    asked = HiddenQuestion(game, State(table), goal, Limit(), versus=report.options[0].move).answer()
    assert asked.value == 1
    assert (asked.method, asked.left_out) == ("expectimax", 0)
    assert Expectimax(game, goal, Watch(Limit())).value(table, 2) == 1


def test_what_was_passed_is_no_edge_any_more() -> None:
    game, table = mixed("2019-08", 2)
    here = table._replace(players=(table.players[0]._replace(pos=30, passed=(6,), legendary=("robodog",)),))
    assert edge_space(game.rulings, here, 0) == 36
    gone = table._replace(players=(table.players[0]._replace(pos=30, legendary=()),))
    assert edge_space(game.rulings, gone, 0) is None
    game, table = mixed("2017", 2)
    assert edge_space(game.rulings, table, 0) == 81


def test_whoever_may_be_driven_back_may_pass_any_checkpoint() -> None:
    """With both conditions a turn of the last edition may go back, and cross a checkpoint it stood on or before."""
    here = seat(pos=116, dogs="husky polar_bear", hand="downhill_slide hitch_a_ride lunch", deck="armour", starvation=1)
    board = Board("2019-08", {**here, "hypothermia": 1, "legendary": ["puppy", "serenity"]}, known=(), weather="sun")
    assert edge_space(board.game.rulings, board.state.table, 0) == 6
    goal = Goal(Objective.MAX_DISTANCE, board.game.default_target(), 3, DAY)
    report = HiddenQuestion(board.game, board.state, goal, Limit()).answer()
    assert report.value == Expectimax(board.game, goal, Watch(Limit())).value(board.state.table, 3) == 121


def test_who_cannot_die_may_cross_a_leg_that_costs_cards_beyond_the_target() -> None:
    """Whoever crosses it ends the turn beyond the target, unless a death takes them back (R49)."""
    game, table = mixed("2017", 2)
    hands = [("mush", "move", "lunch", "lunch"), ("mush", "move", "husky", "push"), ("out_of_control", "move", "lunch")]
    values = set()
    for seed, hand in enumerate(hands):
        deck = ("lunch", "mush", "move", "breakfast", "husky", "dog_chow")[: 5 + seed % 2]
        player = table.players[0]._replace(pos=70, hand=hand, deck=deck)
        here = table._replace(players=(player,))
        goal = Goal(Objective.REACH, 79, 2, DAY)
        form = game.belief_turns(here, 0, DAY, goal.target, 2)
        assert form is not None
        assert isinstance(form, OpenDay)
        assert form.furthest(here, 2) >= 81
        value = BeliefSearch(form, goal, Watch(Limit())).value(form.project(here, 2), 2)
        assert value == Expectimax(game, goal, Watch(Limit())).value(here, 2)
        values.add(value)
    assert len(values) > 1
    raised = table._replace(players=(player._replace(hand=("travel_light", *hand)),))
    assert game.belief_turns(raised, 0, DAY, 79, 2) is None
    dying = table._replace(players=(player._replace(starvation=6),))
    assert game.belief_turns(dying, 0, DAY, 79, 2) is None


@pytest.mark.parametrize("hand", ["cute_dog husky", "big_dog husky", "cute_dog big_dog"])
def test_cards_counted_together_before_a_belief_is_packed_have_room(hand: str) -> None:
    """A deck of one card makes nothing alike that a deck of any size does not; both have to fit."""
    board = Board("2019-08", seat(pos=35, hand=hand, deck="a_hat"), known=(), weather="sun")
    goal = Goal(Objective.MAX_DISTANCE, board.game.default_target(), 2, DAY)
    report = HiddenQuestion(board.game, board.state, goal, Limit()).answer()
    assert report.status is Status.OPTIMAL
    assert report.value == Expectimax(board.game, goal, Watch(Limit())).value(board.state.table, 2)
