"""Play with a new day soon, if at all: never more than complete play has, and all of it where nothing is left out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import pytest

from puzzles.goal import Goal, Objective
from rules.core.folding import WeighedEnd
from rules.core.position import Position, new_position
from rules.core.steps import Forced, Step
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.hidden import best_hidden
from solver.hidden_report import RESTARTS
from solver.report import Limit, Status, WorkClock
from solver.search.expectimax import Expectimax
from solver.search.layers import LimitHit, Watch
from solver.search.restarts import FreshStarts, may_restart, restart_start

NEW_DAY: Final = frozenset({"new_day"})
WAYS: Final = 3_000
"""Ways through turns that complete play of a table may take."""


@dataclass(slots=True)
class Soon(Expectimax):
    """Complete play without a new day once fewer than so many turns are left."""

    least: int = 0

    def ends(
        self,
        table: Any,
        turns: int,
        begun: tuple[Step | Forced, ...] = (),
        without: frozenset[str] = frozenset(),
    ) -> list[WeighedEnd]:
        """Return every way through the next turn with its value."""
        late = NEW_DAY if turns < self.least else frozenset()
        return Expectimax.ends(self, table, turns, begun, without | late)


def hidden(edition: str) -> tuple[Position, Iditacards, Table]:
    position = new_position(f"iditacards/{edition}", seed=1, open_sources=[])
    game, start = position.start()
    assert isinstance(game, Iditacards)
    return position, game, start.table


def tables(game: Iditacards, base: Table, seed: int, count: int, *, stocked: bool) -> Iterator[tuple[Table, Goal]]:
    """Yield small tables with a question each; ``stocked``: there may be cards to gain."""
    chosen = random.Random(seed)
    starters = sorted({*base.players[0].hand, *base.players[0].deck})
    upgrades = sorted({card for pile in base.upgrade for card in pile}) or starters
    for _ in range(count):
        at = chosen.choice([0, 3, 5, 30, 34, 60, 79, 100])

        def some(most: int, least: int = 0) -> tuple[str, ...]:
            cards = [chosen.choice(starters if chosen.random() < 0.8 else upgrades) for _ in range(most)]
            return tuple(sorted(cards[: chosen.randint(least, most)]))

        player = base.players[0]._replace(
            hand=some(3, 1),
            deck=some(3, 1),
            discard=some(2),
            pos=at,
            legendary=(),
            hypothermia=chosen.choice([0, 0, 1]),
            starvation=chosen.choice([0, 0, 1]),
            passed=tuple(space for space in sorted(game.rulings.board.checkpoints) if space <= at),
        )
        piles = tuple(some(2) if stocked and chosen.random() < 0.3 else () for _ in base.upgrade)
        weather = chosen.choice(sorted(game.rulings.weathers) or [base.weather])
        turns = chosen.choice([1, 2, 2, 3])
        reach = Goal(Objective.REACH, at + chosen.randint(2, 14), turns)
        goal = chosen.choice([reach, reach, Goal(Objective.MAX_DISTANCE, 0, turns)])
        yield base._replace(players=(player,), upgrade=piles, weather=weather), goal


def soon(position: Position, game: Iditacards, table: Table, goal: Goal) -> dict[str, Fraction | None]:
    """Return what each move is worth at least; none where play without a new day is not carried."""
    moves = game.legal_moves(position.with_table(table).start()[1])
    start = restart_start(game, table, moves, goal, Watch(Limit()), None)
    if start is None:
        return {}
    start.look([goal.within_turns or 0])
    assert start.is_done
    return {move.text: value for move, value in start.moves(goal.within_turns or 0)}


def complete(game: Iditacards, table: Table, goal: Goal, least: int) -> Fraction | None:
    turns = goal.within_turns or 0
    return Soon(game, goal, Watch(Limit()), most=WAYS, least=least).value(table, turns)


def at_once(game: Iditacards, table: Table, goal: Goal) -> Fraction:
    """Return what a new day on this turn is worth by complete play, with no other one after it."""
    turns = goal.within_turns or 0
    search = Soon(game, goal, Watch(Limit()), most=WAYS, least=turns)
    (step,) = NEW_DAY
    value = {move.text: worth for move, worth in search.moves(search.ends(table, turns), 0)}[step]
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("edition", "count", "same"), [("starter-race", 20, 8), ("2019-02", 20, 3), ("2019-08", 20, 3), ("2017", 20, 5)]
)
def test_no_more_than_complete_play_and_mostly_as_much(edition: str, count: int, same: int) -> None:
    position, game, base = hidden(edition)
    equal = 0
    for table, goal in tables(game, base, 7, count, stocked=True):
        turns = goal.within_turns or 0
        try:
            most = complete(game, table, goal, turns - 1)
        except LimitHit:
            continue
        found = max((value for value in soon(position, game, table, goal).values() if value is not None), default=None)
        if found is not None:
            assert most is not None
            assert found <= most, (table, goal)
        equal += found == most
    assert equal >= same


@pytest.mark.parametrize("edition", ["starter-race", "2019-02", "2019-08", "2017"])
def test_a_new_day_at_once_is_worth_what_complete_play_has_of_it(edition: str) -> None:
    """Nothing is left out there: it is one turn, then a day without another one; where that is not carried, none."""
    _, game, base = hidden(edition)
    told = 0
    for table, goal in tables(game, base, 11, 20, stocked=False):
        turns = goal.within_turns or 0
        try:
            exact = at_once(game, table, goal)
        except LimitHit:
            continue
        found = FreshStarts(game, goal, Watch(Limit()), None).value(table, turns - 1)
        assert found in (None, exact), (table, goal)
        told += found is not None
    assert told >= 4


@pytest.mark.parametrize(("edition", "leg"), [("2017", "mountain"), ("2019-08", "steep_climb")])
def test_a_leg_that_only_the_new_hand_comes_to(edition: str, leg: str) -> None:
    """It takes cards off the deck, which is not carried; the hand that comes to it is not dealt before."""
    _, game, base = hidden(edition)
    player = base.players[0]._replace(
        pos=80, hand=("move",) * 3, deck=(*("move",) * 5, "push"), discard=(), dogs=(), passed=(6, 36), legendary=()
    )
    legs = list(base.legs)
    legs[game.rulings.section_at[81]] = leg
    table = base._replace(players=(player,), upgrade=tuple(() for _ in base.upgrade), legs=tuple(legs))
    goal = Goal(Objective.REACH, 86, 3)
    assert at_once(game, table, goal) < 1
    assert FreshStarts(game, goal, Watch(Limit()), None).value(table, 2) is None


def test_what_dies_as_the_day_ends_is_dealt_with_the_rest() -> None:
    """Dogs that die to the discard pile and attachments join the deck (R60, R61): who may lose others loses these."""
    _, game, base = hidden("2017")
    player = base.players[0]._replace(pos=120, hand=("lunch",), deck=(*("lunch",) * 5, "push"), discard=())
    goal = Goal(Objective.MAX_DISTANCE, 0, 2)
    bare, wheel, other = Dog("husky", ()), Dog("wheel_dog", ()), Dog("husky", ("a_hat",))
    for dogs, is_told in (((bare,), True), ((wheel,), False), ((other,), False), ((bare, wheel), True)):
        table = base._replace(players=(player._replace(dogs=dogs),), upgrade=((),), weather="sun")
        found = FreshStarts(game, goal, Watch(Limit()), None).value(table, 1)
        assert (found is not None) == is_told
        assert found is None or found <= at_once(game, table, goal)


def test_a_plan_is_worth_what_its_move_is() -> None:
    """Damage may be taken on this turn, so that a new day on the next one is not told, in no branch either."""
    position, game, base = hidden("2017")
    player = base.players[0]._replace(
        pos=20,
        hand=("lunch",) * 3,
        deck=("hitch_a_ride", "move", "move"),
        discard=("push",) * 6,
        stack=(Frame("husky", 0, 0, 1, 0, "risk"),),
    )
    table = base._replace(players=(player,), upgrade=((),), weather="sun")
    goal = Goal(Objective.MAX_DISTANCE, 0, 3)
    moves = game.legal_moves(position.with_table(table).start()[1])
    start = restart_start(game, table, moves, goal, Watch(Limit()), None)
    assert start is not None
    start.look([3])
    told = {move.text: (move, value) for move, value in start.moves(3)}
    move, value = told["continue"]
    plan = start.plan(move, 3)
    assert len(plan) == 2
    assert sum(branch.probability * (branch.value or 0) for branch in plan) == value


def test_a_distance_of_one_space_is_not_a_certain_chance() -> None:
    position, game, base = hidden("starter-race")
    moves = game.legal_moves(position.start()[1])
    start = restart_start(game, base, moves, Goal(Objective.MAX_DISTANCE, 0, 1), Watch(Limit()), None)
    assert start is not None
    start.value_found = Fraction(1)
    assert not start.is_sure


def test_what_is_sure_is_asked_for_in_fewest_turns() -> None:
    position, _, base = hidden("starter-race")
    report = best_hidden(
        position.with_table(base), Goal(Objective.MIN_TURNS, 5, 4), Limit(time_s=8.0, clock=WorkClock())
    )
    assert report.goal.objective is Objective.MIN_TURNS


def test_a_deck_with_more_cards_than_the_compiled_form_takes() -> None:
    """25 hidden and six in hand are put together: 31 are dealt out before it begins."""
    _, game, base = hidden("starter-race")
    player = base.players[0]
    deck = tuple(sorted([*player.deck, *player.hand]))
    table = base._replace(players=(player._replace(deck=deck, hand=player.hand),))
    few = base._replace(players=(player._replace(deck=deck, hand=()),))
    goal = Goal(Objective.REACH, 6, 2)
    fresh = FreshStarts(game, goal, Watch(Limit()), None)
    assert len(deck) + len(player.hand) > 27
    many, fewer = fresh.value(table, 1), fresh.value(few, 1)
    assert many is not None
    assert fewer is not None
    assert 0 < fewer < 1
    assert 0 < many < 1
    assert many != fewer


def test_what_is_in_the_deck_tells_apart_what_one_turn_after_it_is_worth() -> None:
    _, game, base = hidden("starter-race")
    player = base.players[0]._replace(hand=("rest",), discard=(), pos=20)
    tables = [
        base._replace(players=(player._replace(deck=tuple(sorted(deck))),))
        for deck in (["move"] * 9, ["rest"] * 9, ["move", *["rest"] * 8])
    ]
    goal = Goal(Objective.REACH, 26, 2)
    fresh = FreshStarts(game, goal, Watch(Limit()), None)
    together = [fresh.value(table, 1) for table in tables]
    assert together == [FreshStarts(game, goal, Watch(Limit()), None).value(table, 1) for table in tables]
    assert len(set(together)) == 3


def test_where_it_is_asked() -> None:
    position, game, table = hidden("starter-race")
    start = position.start()[1]
    goal = Goal(Objective.REACH, 16, 4)
    assert may_restart(game, start, goal)
    assert not may_restart(game, start, Goal(Objective.REACH, 16, 4, forbidden=NEW_DAY))
    assert not may_restart(game, start, Goal(Objective.MIN_TURNS, 16))
    seen = new_position("iditacards/starter-race", seed=1).game
    assert isinstance(seen, Iditacards)
    assert seen.restarts(table, 0) is None


def test_best_compares_all_moves_by_it() -> None:
    position, game, base = hidden("starter-race")
    player = base.players[0]._replace(
        pos=20,
        hand=("dinner", "lead_dog", "upgrade_sled"),
        deck=tuple(sorted(["move", "mush", "husky", "lunch", "breakfast", "rest", "a_hat", "armour", "good_dog"])),
    )
    here = position.with_table(base._replace(players=(player,)))
    goal = Goal(Objective.REACH, 30, 4)
    report = best_hidden(here, goal, Limit(time_s=8.0, clock=WorkClock()))
    assert report.status is Status.FEASIBLE
    assert report.method == RESTARTS
    assert report.restart == "new_day"
    assert len(report.options) == len(game.legal_moves(here.start()[1]))
    assert report.value == report.options[0].value
