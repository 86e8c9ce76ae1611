"""The compact form of open duels against the rules themselves: unpruned search over every step of small battles."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.steps import OVER
from rules.core.turns import State
from solver.report import Limit
from solver.search.contests.expectiminimax import Expectiminimax
from solver.search.contests.modelled import Modelled
from solver.search.layers import LimitHit, Watch
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.duels import OPTIONS, small

SEEDS = (1, 2, 3, 5, 6, 8, 10, 13, 16, 20, 23, 27, 31, 36)


def compact(battle: Battle) -> tuple[Expectiminimax[Any], Any]:
    tree = battle.game.contest_tree(battle.table)
    assert tree is not None
    key = tree.key(State(battle.table))
    assert key is not None
    return Expectiminimax(tree, Watch(Limit())), key


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_those_of_every_step_of_the_rules(seed: int) -> None:
    size, left = (2, 2, 4)[seed % 3], 1 + seed % 2
    battle = small(seed, size, left, OPTIONS[seed % len(OPTIONS)])
    search, key = compact(battle)
    control = Modelled(battle.game, {}, Watch(Limit()), most=8000)
    try:
        value = control.values(State(battle.table))[0]
    except LimitHit:
        pytest.fail("choose another seed: this battle is too large for the control")
    assert search.value(key) == value


def reached(tree: Any, key: Any, deep: int) -> list[Any]:
    """Return keys on the way, the first and last of each kind of step."""
    found = [key]
    for _ in range(deep):
        actor = tree.actor(key)
        if actor >= 0:
            key = tree.followers(key)[-1 if deep % 2 else 0]
        elif actor == -1:
            key = tree.outcomes(key)[0][deep % 2 and -1][0]
        else:
            break
        found.append(key)
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_hold_the_value_on_the_way(seed: int) -> None:
    battle = small(seed, (2, 4)[seed % 2], 2, OPTIONS[seed % len(OPTIONS)])
    search, key = compact(battle)
    tree = battle.game.contest_tree(battle.table)
    assert tree is not None
    for deep in (5, 6):
        for here in reached(tree, key, deep):
            low, high = tree.bounds(here)
            plain = Expectiminimax(tree, Watch(Limit()), pruned=False) if here[1] > 8 else search
            assert low <= plain.value(here) * tree.grain <= high


WALKS = [
    pytest.param("4C@1,2 5C@1,2 5D@2,1 6D@1,1", {}, id="stack"),
    pytest.param("4C@1,4 5D@1,2 6D@1,4 7C@3,1", {"near_side": "black"}, id="meeting"),
    pytest.param("4C@1,3 5D@1,2 6D@2,1", {"barrage_timing": "after_each"}, id="each"),
    pytest.param("4C@2,4 5D@2,3", {"shell_rule": "floor_half_min_one"}, id="one"),
]


def walking(soldiers: str, options: dict[str, Any]) -> Battle:
    size = 4 if ",4" in soldiers or ",3" in soldiers else 2
    options = {"turn_limit": 20, **options}
    return Battle(soldiers, size=size, turn=21, phase="withdraw", starter="red", to_move="red", options=options)


@pytest.mark.parametrize(("soldiers", "options"), WALKS)
def test_the_walk_home_is_that_of_every_step_of_the_rules(soldiers: str, options: dict[str, Any]) -> None:
    """Between half-turns, and in the middle of one, where who has moved stays."""
    battle = walking(soldiers, options)
    tree = battle.game.contest_tree(battle.table)
    assert tree is not None
    search, control = Expectiminimax(tree, Watch(Limit())), Modelled(battle.game, {}, Watch(Limit()), most=8000)
    for state in (battle.state, battle.game.settled(battle.play(battle.moves[0]).state)):
        key = tree.key(state)
        assert key is not None
        assert tree.actor(key) == OVER, "nothing is left to search"
        assert search.value(key) == control.values(state)[0]


MEETING = [
    ("2C@1,1+2H 3C@2,2+KC 9D@1,2", {"1,2": "4H"}),
    ("2C@1,1+KC 3C@2,2+QS 9D@1,2", {}),
    ("2C@1,2+KC 3C@2,2+2H 9D@1,2", {}),
]


@pytest.mark.parametrize(("soldiers", "piles"), MEETING)
def test_groups_that_put_cards_down_in_one_cell_choose_their_order(soldiers: str, piles: dict[str, str]) -> None:
    """The ends that are put together group by group are those of every order of single steps."""
    battle = Battle(soldiers, piles, size=2, turn=9, options={"turn_limit": 9}, starter="black")
    form = battle.game.contest_tree(battle.table)
    assert form is not None
    search, key = compact(battle)
    _, _, mover, _, men, lying, trenches, decks, *_ = key
    (wanted,) = form._wanted(mover, men)
    found = form._first_ends(key)
    assert found is not None
    together: dict[Any, int] = {}
    for (cells, changes), won in found.items():
        pile = next(((pile if whole else (*lying[wanted], *pile)) for _, pile, whole in changes), lying[wanted])
        together[cells, pile] = max(together.get((cells, pile), won), won)
    stepped: dict[Any, int] = {}
    for _, middle in form._middles(mover, (men, lying, trenches, decks, 0, (), ()), False, True):
        cells = tuple(sorted(cell for card, _, cell in middle[0] if form.colour[card] == mover))
        end = (cells, middle[1][wanted])
        stepped[end] = max(stepped.get(end, middle[4]), middle[4])
    assert together == stepped
    assert len({pile for _, pile in together if len(pile) == 2 + len(lying[wanted])}) == 2, "in either order"
    control = Modelled(battle.game, {}, Watch(Limit()), most=8000)
    assert search.value(key) == control.values(State(battle.table))[0]


def test_equal_positions_with_another_score_are_searched_once() -> None:
    battle = small(1, 2, 1, {})
    tree = battle.game.contest_tree(battle.table)
    assert tree is not None
    key = tree.key(State(battle.table))
    assert key is not None
    sure, rest = tree.apart(key)
    low, high = tree.bounds(rest)
    assert tree.bounds(key) == (low + sure, high + sure)
    assert tree.apart(rest) == (0, rest)


@pytest.mark.parametrize("option", [{"idle_allowed": False}, {"score": "home"}, {"withdrawal": "free"}])
def test_rules_that_it_does_not_carry_are_left_to_the_plain_form(option: dict[str, Any]) -> None:
    battle = Battle("4C@1,1 5D@4,4", options=option)
    assert battle.game.contest_tree(battle.table) is None


@pytest.mark.parametrize("size", [2, 4])
def test_who_is_alone_on_the_field_loses_nothing_by_entering(size: int) -> None:
    """No shell can ever fall then, so that values need not be parts of a card; bounds are all the same."""
    home, deck = both(red="9D"), both("AS")
    battle = Battle(size=size, trench=home, deck=deck, turn=8, starter="red", options={"turn_limit": 9})
    tree = battle.game.contest_tree(battle.table)
    assert tree is not None
    for move in battle.game.legal_moves(battle.state):
        key = tree.key(battle.game.settled(battle.game.apply(battle.state, move).state))
        assert key is not None
        low, high = tree.bounds(key)
        assert Expectiminimax(tree, Watch(Limit())).value(key) == 0
        assert low <= 0 <= high
