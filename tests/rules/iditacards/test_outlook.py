"""What is said beforehand about reaching a space, held against looking at everything."""

from __future__ import annotations

import pytest

from puzzles.goal import Goal, Objective
from rules.core.race import NOTHING_KNOWN
from rules.iditacards.engine import Iditacards
from rules.iditacards.essence import essence
from solver.hidden import solve_hidden
from solver.report import Limit
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch
from tests.rules.iditacards.boards import Board, seat

DAY = frozenset({"new_day"})
SECOND = "2019-02"


def board(pos: int = 50, dogs: str = "wheel_dog", **fields: str) -> Board:
    cards = {"hand": "move mush lunch", "deck": "rest armour move a_hat", **fields}
    return Board(SECOND, seat(pos=pos, dogs=dogs, **cards), known=(), weather="storm")


def outlook(at: Board, target: int, turns: int, forbidden: frozenset[str] = DAY) -> tuple[bool, bool]:
    found = at.game.outlook(at.state.table, 0, forbidden, target, turns)
    return found.hopeless, "sacrifice" in found.pointless


def test_too_far_is_hopeless_and_free_actions_do_not_help() -> None:
    # Two turns: twice 1 + speed 1, and the best card moves 10 + 1, the second best 1 + 1.
    assert outlook(board(), 68, 2) == (True, True)
    assert outlook(board(), 67, 2) == (False, True)


@pytest.mark.parametrize(
    ("at", "target", "forbidden"),
    [
        (board(), 68, frozenset[str]()),  # a new day brings all cards back
        (board(pos=70), 90, DAY),  # another leg lies between
        (board(pos=30), 40, DAY),  # a checkpoint lies between
        (board(deck="torch move"), 68, DAY),  # the discard pile is read
        (board(hand="utility_knife move"), 68, DAY),  # effects are doubled
    ],
)
def test_free_actions_stay_open_where_they_might_help(at: Board, target: int, forbidden: frozenset[str]) -> None:
    assert not at.game.outlook(at.state.table, 0, forbidden, target, 2).pointless


def test_a_dog_that_is_better_gone_keeps_free_actions_open() -> None:
    assert outlook(board(dogs="cat"), 60, 2) == (False, False)
    assert outlook(board(dogs="lazy_dog"), 60, 2) == (False, False)


@pytest.mark.parametrize("dog", ["cute_dog", "smart_dog"])
def test_a_dog_that_makes_cards_cheaper_may_be_better_gone(dog: str) -> None:
    """A risk card that can be paid for has to be, with a card that was to be played."""
    assert outlook(board(dogs=dog), 60, 2) == (False, False)


def test_a_dog_goes_so_that_a_card_cannot_be_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"hand": "makeshift_sled grandma_soup", "deck": "dog_shoes raw_venison", "dogs": "cute_dog smart_dog"}
    at = Board(SECOND, seat(pos=6, **fields), known=(), weather="snow")
    goal = Goal(Objective.MAX_DISTANCE, at.game.default_target(), 3, DAY)
    found = solve_hidden(at.position, goal)
    monkeypatch.setattr(Iditacards, "outlook", lambda *_: NOTHING_KNOWN)
    assert found.value == Expectimax(at.game, goal, Watch(Limit())).value(at.state.table, 3) == 14


@pytest.mark.parametrize("target", [55, 60, 63, 66])
@pytest.mark.parametrize("kind", [Objective.REACH, Objective.MIN_TURNS])
def test_values_are_the_same_without_it(target: int, kind: Objective, monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal(kind, target, 3, DAY)
    with_outlook = solve_hidden(board().position, goal)
    monkeypatch.setattr(Iditacards, "outlook", lambda *_: NOTHING_KNOWN)
    without = solve_hidden(board().position, goal)
    assert (with_outlook.value, with_outlook.status) == (without.value, without.status)
    assert with_outlook.statistics.generated <= without.statistics.generated


def test_what_nothing_reads_is_left_out() -> None:
    at = Board(
        SECOND,
        seat(pos=50, hand="move lunch", deck="rest a_hat", discard="mush armour", turns=7),
        known=(),
        weather="sun",
    )
    rulings, table = at.game.rulings, at.state.table
    plain = essence(rulings, table, 0, DAY, 70, 3).players[0]
    assert (plain.discard, plain.turns, plain.hand, plain.deck) == ((), 0, ("lunch", "move"), ("a_hat", "rest"))
    kept = essence(rulings, table, 0, frozenset(), 70, 3).players[0]
    assert kept.discard == ("armour", "mush")
    last = essence(rulings, table, 0, DAY, 70, 1).players[0]
    assert len(set(last.deck)) == 1
    assert len(last.deck) == 2
