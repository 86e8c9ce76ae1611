"""Duels over rows have the values of complete play by the rules; what rows do not carry is refused or left to these."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from benchmarks.duels import endgame
from rules.core.turns import State
from rules.trench_rescue.content import OPTIONS as RULINGS
from rules.trench_rescue.engine import TrenchRescue
from solver.encodings import duel_tree
from solver.encodings.trench_rescue.turns import DuelTree, supports
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectiminimax import ONE, Expectiminimax, Modelled, Number, PlainTree
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.duels import OPTIONS, small
from tests.solver.encodings.plain_form import told_by_sources

SEEDS = (1, 2, 3, 5, 6, 8, 10, 13, 16, 20, 23, 27, 31, 36)
LAST_OF_20 = {"turn_limit": 20, "deck_mode": "queue"}


def encoded(game: Any, table: Any) -> Expectiminimax:
    tree = duel_tree(game, table)
    assert tree.name == "encoded"
    return Expectiminimax(tree, Budget())


def value_of(battle: Any) -> Fraction:
    return encoded(battle.game, battle.table).value(State(battle.table))


def by_the_rules(battle: Battle, state: Any) -> Fraction:
    control = Modelled(PlainTree(battle.game), {}, Budget())
    control.most = 8000
    try:
        return control.values(state)[0]
    except BudgetExceeded:
        pytest.fail("choose another seed: this battle is too large for the control")


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_those_of_every_step_of_the_rules(seed: int) -> None:
    battle = small(seed, (2, 2, 4)[seed % 3], 1 + seed % 2, OPTIONS[seed % len(OPTIONS)])
    assert value_of(battle) == by_the_rules(battle, State(battle.table))


class Unbounded(DuelTree):
    """Rows that are searched without bounds; what the bounds say of each is noted."""

    said: dict[Any, tuple[Number, Number]]

    def bounds(self, key: Any) -> tuple[Number, Number]:
        low, high = super().bounds(key)
        if low == high:
            return low, high
        if not isinstance(key, State):
            self.said[key] = low, high
        return -40 * ONE, 40 * ONE


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_hold_the_value_of_every_row_on_the_way(seed: int) -> None:
    battle = small(seed, (2, 4)[seed % 2], (3, 2)[seed % 2], OPTIONS[seed % len(OPTIONS)])
    tree = Unbounded(battle.game, battle.table)
    tree.said = {}
    search = Expectiminimax(tree, Budget())
    search.value(State(battle.table))
    for row, (least, most) in list(tree.said.items())[:500]:
        assert least <= search._search(row, -40 * ONE, 40 * ONE) <= most


def test_the_way_to_a_card_may_lead_through_the_own_trench() -> None:
    battle = Battle(
        "KC@4,1 2H@3,4+KD", {"1,1": "AC", "2,2": "QD", "4,3": "5H"}, turn=18, starter="black", options=LAST_OF_20
    )
    assert value_of(battle) == -Fraction(7, 36)


def test_what_stops_at_the_horizon_says_so() -> None:
    for seed in (0, 1, 3, 5):
        game, start = endgame(seed, 2, "queue", 0, 0).start()
        assert isinstance(game, TrenchRescue)
        search = encoded(game, start.table)
        search.value(start)
        assert not search.cut_short
        search.look(game.pace(start.table) + 1)
        search.value(start)
        assert search.cut_short


WALKS = [
    pytest.param("4C@1,2 5C@1,2 5D@2,1 6D@1,1", {}, id="stack"),
    pytest.param("4C@1,4 5D@1,2 6D@1,4 7C@3,1", {"near_side": "black"}, id="meeting"),
    pytest.param("4C@1,3 5D@1,2 6D@2,1", {"barrage_timing": "after_each"}, id="each"),
    pytest.param("4C@2,4 5D@2,3", {"shell_rule": "floor_half_min_one"}, id="one"),
]


@pytest.mark.parametrize(("soldiers", "options"), WALKS)
def test_the_walk_home_is_that_of_every_step_of_the_rules(soldiers: str, options: dict[str, Any]) -> None:
    """Between half-turns, and in the middle of one, where who has moved stays."""
    size = 4 if ",4" in soldiers or ",3" in soldiers else 2
    options = {"turn_limit": 20, **options}
    battle = Battle(soldiers, size=size, turn=21, phase="withdraw", starter="red", to_move="red", options=options)
    search = encoded(battle.game, battle.table)
    for state in (battle.state, battle.game.settled(battle.play(battle.moves[0]).state)):
        assert search.value(state) == by_the_rules(battle, state)


@pytest.mark.parametrize("size", [2, 4])
def test_who_is_alone_on_the_field_loses_nothing_by_entering(size: int) -> None:
    home, deck = both(red="9D"), both("AS")
    battle = Battle(size=size, trench=home, deck=deck, turn=8, starter="red", options={"turn_limit": 9})
    for move in battle.game.legal_moves(battle.state):
        after = battle.game.settled(battle.game.apply(battle.state, move).state)
        assert encoded(battle.game, battle.table).value(after) == 0


CARRIED = {
    ("barrage_timing", "after_each"),
    ("shell_rule", "floor_half_min_one"),
    ("deck_mode", "queue"),
    ("last_barrage", False),
    ("fold_zero", "reroll"),
    ("shell_die", "reroll"),
    ("near_side", "red"),
    ("nation_of_black", "united_kingdom"),
    ("peek_carried", False),
    ("reveal_on_pickup", "carrier"),
    ("reveal_on_pickup", "all"),
    ("reveal_on_rescue", "rescuer"),
}


@pytest.mark.parametrize("option", sorted(RULINGS.rows))
def test_what_is_not_carried_is_refused_by_name(option: str) -> None:
    battle = Battle("4C@1,1 5D@4,4")
    row = RULINGS.rows[option]
    values = (False, True) if isinstance(row["neutral"], bool) else row.get("values", ())
    for value in [each for each in values if (option, each) not in CARRIED]:
        if value == battle.game.rulings.options[option] or value == "coin":
            continue
        each = {"barrage_timing": "after_each"} if option == "shell_count_of" else {}
        other = Battle("4C@1,1 5D@4,4", options={option: value, **each})
        assert supports(other.game, other.table) == (f"option {option}",)
        assert duel_tree(other.game, other.table).name == "plain"


def test_a_pile_of_all_cards_fits() -> None:
    ranks = "23456789TJQKA"
    pile = " ".join(rank + suit for suit, rank in product("CSDH", ranks) if rank + suit not in {"AC", "AD"})
    battle = Battle("AC@1,1 AD@1,1", {"1,1": pile}, size=2, turn=9, options={"turn_limit": 9})
    assert -1 <= value_of(battle) <= 1


def test_limits_stop_it_where_they_say() -> None:
    game, start = endgame(4, 2, "queue").start()
    found = []
    for _ in range(2):
        search = encoded(game, start.table)
        search.most = 600
        with pytest.raises(BudgetExceeded):
            search.value(start)
        found.append(search.keys)
    assert found[0] == found[1] < 620


def test_compiled_and_uncompiled_rows_are_alike() -> None:
    told = told_by_sources(
        "from tests.solver.encodings.test_duel_values import values_and_rows; print(values_and_rows())"
    )
    assert told == values_and_rows()


def values_and_rows() -> str:
    """Return values and rows of some endgames."""
    found = []
    for seed, mode in product((0, 3), ("queue", "shuffle")):
        game, start = endgame(seed, 1, mode).start()
        search = encoded(game, start.table)
        found.append(f"{search.value(start)} {search.keys}")
    return ", ".join(found)


@pytest.mark.parametrize("seed", [2, 3, 7])
def test_the_plain_tree_has_the_same_value(seed: int) -> None:
    battle = small(seed, 2, 2, OPTIONS[seed % len(OPTIONS)])
    control = Expectiminimax(PlainTree(battle.game), Budget())
    assert value_of(battle) == control.value(State(battle.table))
