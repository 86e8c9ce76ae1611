"""The figures of the specification's section on degenerate strategies, worked out again by the rules themselves."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import ceil
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.scripts import Asking, ChanceOutcome
from rules.core.turns import State
from rules.trench_rescue.actions import END
from rules.trench_rescue.content import Table
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.turn import HalfTurn, score
from solver.engines.answers import solve
from solver.question import Status
from solver.search.expectiminimax import Model
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.duels import MIN_ONE, NO_FIRST, VALUES, Duel
from tests.rules.trench_rescue.tasks import quest

ROWS = (1, 2, 3, 4)


def lead(game: TrenchRescue, table: Table) -> Fraction:
    """Return black's score less red's."""
    return game.payoffs(table)[0]


# Nobody enters


@pytest.mark.parametrize(("value", "gains"), [("total", 0), ("home", 1), ("rescued", 0)])
@pytest.mark.parametrize("turns", [1, 3])
def test_figure_1_the_stall(value: str, gains: int, turns: int) -> None:
    black = "2C 2S 3C 3S 4C 4S 5C 5S 6C 6S 7S 8C 8S 9C 9S TC TS"
    red = black.replace("C", "D").replace("S", "H")
    battle = Battle(trench=both("7C", "7D"), deck=both(black, red), options={"score": value, "turn_limit": turns})
    for _ in range(turns):
        battle.play("end; end")
    assert battle.table.phase == "over"
    assert [battle.game.gain(battle.table, seat) for seat in (0, 1)] == [gains, gains]
    assert "6.3" not in battle.rules


def test_figure_1_a_duty_to_move_does_not_end_the_stall() -> None:
    """To cycle is a move: with an empty deck it can be done for ever, and nobody has to enter."""
    battle = Battle(trench=both("7C", "7D"), options={"idle_allowed": False, "turn_limit": 9, "deck_mode": "queue"})
    assert "end" not in battle.moves
    for turn in range(1, 4):
        assert battle.table.turn == turn
        battle.play("cycle 7C; end; cycle 7D; end")
    assert battle.table.soldiers == ()
    assert battle.table._replace(turn=1) == Battle(trench=both("7C", "7D"), options=battle.position.values).table


def test_figure_2_a_lone_rescuer_never_meets_a_shell() -> None:
    """One whole rescue from each row, the enemy staying at home: chance is not asked once."""
    for row in ROWS:
        battle = Battle(piles={f"3,{row}": "2H"}, trench=both("9C", "9D"), starter="black")
        ways = ["enter 9C x3", *(f"go 9C 3,{y}" for y in range(2, row + 1))]
        back = [*(f"go 9C 3,{y}" for y in range(row - 1, 0, -1)), "go 9C home"]
        back[0] += " take"
        for move in (*ways, *back):
            battle.play(f"{move}; end; end")
        assert battle.table.infirmary[0] == (battle.game.pack.numbers["2H"],)
        assert battle.table.turn - 1 == 2 * row


# Where shells fall


def test_figure_3_the_fold_favours_the_near_left_corner() -> None:
    rulings = Battle().game.rulings
    law = [Fraction(ways, 36) for ways in rulings.cell_ways[4]]
    ninth, eighteenth, least = Fraction(1, 9), Fraction(1, 18), Fraction(1, 36)
    near = [ninth, ninth, eighteenth, eighteenth]
    far = [eighteenth, eighteenth, least, least]
    assert law == [*near, *near, *far, *far]
    assert (sum(law[:8]), sum(law[8:])) == (Fraction(2, 3), Fraction(1, 3))
    assert all(law[12 + column] * 2 == law[column] for column in range(4))
    assert sorted({1 / chance for chance in law}) == [9, 18, 36]
    assert set(rulings.cell_ways[6]) == {1}
    assert len(rulings.cell_ways[6]) == 36
    assert set(Battle(options={"shell_die": "reroll"}).game.rulings.cell_ways[4]) == {1}


def odds(battle: Battle) -> dict[str, Fraction]:
    return battle.play("end").odds


def test_figure_4_only_the_far_player_wants_to_bait() -> None:
    for near_column, ratio in ((3, 2), (1, 4)):
        chances = odds(Battle(f"9C@{near_column},1 9D@4,4", starter="black", to_move="red"))
        assert chances[f"{near_column},1"] / chances["4,4"] == ratio


# Times


def alone(k: int, d: int) -> Battle:
    """Return a position with one low enemy card at home distance d and k soldiers at home, without shells."""
    return Battle(
        piles={f"1,{d}": "2H"},
        players=1,
        known=("cards", "deck", "shells"),
        seed=None,
        lists={"shells": "none"},
        options={"deck_mode": "queue", "turn_limit": 99},
        trench=both(" ".join(["AC", "AS", "KC", "KS"][:k])),
    )


def stack_plan(battle: Battle, k: int, d: int) -> int:
    """Play a stack of k out to distance d and home again; return the turns it took."""
    cards = "+".join(sorted(["AC", "AS", "KC", "KS"][:k], key=["KC", "KS", "AC", "AS"].index))
    for card in cards.split("+"):
        battle.play(f"enter {card} x1")
    battle.play("end")
    row = 1
    while row < d:
        row = min(d, row + k)
        battle.play(f"go {cards} 1,{row}; end")
    take = " take"
    while row > k:
        row -= k
        battle.play(f"go {cards} 1,{row}{take}; end")
        take = ""
    battle.play(f"go {cards} home{take}; end")
    return battle.table.turn - 1


@pytest.mark.parametrize("d", ROWS)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_figure_8_a_stack_fetches_one_card_and_nothing_is_faster(k: int, d: int) -> None:
    """The lower bound of the rules and a plan that is played agree on all sixteen numbers."""
    battle = alone(k, d)
    found = quest(battle, "TR-S2")
    least = found.bound(battle.table)
    assert stack_plan(battle, k, d) == least == 1 + ceil((d - 1) / k) + ceil(d / k)
    assert found.reached(battle.table)
    assert least == [[2, 4, 6, 8], [2, 3, 4, 5], [2, 3, 3, 4], [2, 3, 3, 3]][k - 1][d - 1]
    assert k == 1 or k * least > 2 * d


@pytest.mark.parametrize(("k", "d"), [*((k, d) for k in (1, 2) for d in ROWS), (3, 1)])
def test_figures_5_and_8_by_complete_search(k: int, d: int) -> None:
    """What the bound and the plan say of one card, found again by every line of fewer turns."""
    aimed = alone(k, d).position.towards("TR-S2", 0, {})
    report = solve(aimed, Goal(Objective.MIN_TURNS, 1, challenge="TR-S2"))
    assert (report.status, report.value) == (Status.OPTIMAL, 1 + ceil((d - 1) / k) + ceil(d / k))


def test_figure_5_what_one_soldier_can_clear() -> None:
    lone = [alone(1, d) for d in ROWS]
    each = [quest(battle, "TR-S2").bound(battle.table) for battle in lone]
    assert each == [2 * d for d in ROWS]
    assert list(accumulate(4 * turns for turns in each)) == [8, 24, 48, 80]
    times = list(accumulate(turns for turns in each for _ in range(4)))
    home = {n: sum(time <= n for time in times) for n in (2, 4, 6, 8, 12, 16, 20, 24, 30)}
    assert home == {2: 1, 4: 2, 6: 3, 8: 4, 12: 5, 16: 6, 20: 7, 24: 8, 30: 9}


def relay(d: int, battle: Battle, fetcher: str, other: str) -> str:
    """Bring the card of row d home with the soldier that stands in row 1, the other one entering in the same turn."""
    for row in range(2, d + 1):
        battle.play(f"go {fetcher} 1,{row}; end")
    take = " take"
    for row in range(d - 1, 0, -1):
        battle.play(f"go {fetcher} 1,{row}{take}; end")
        take = ""
    battle.play(f"go {fetcher} home{take}; enter {other} x1; end")
    return other


@pytest.mark.parametrize("d", ROWS)
def test_figure_6_a_relay_pair_clears_a_cell_in_2d_less_1_turns_without_a_shell(d: int) -> None:
    battle = alone(2, d)
    battle.play("enter AC x1; end")
    before = battle.table.turn
    relay(d, battle, "AC", "AS")
    assert battle.table.turn - before == 2 * d - 1
    assert battle.piles == {}
    assert len(battle.table.soldiers) == 1
    rows = [1 + sum(4 * (2 * other - 1) for other in ROWS[:last]) for last in ROWS]
    assert rows == [5, 17, 37, 65]


def test_figure_7_odd_soldiers_are_free() -> None:
    due = [shells_for(n) for n in range(9)]
    assert due == [0, 0, 1, 1, 2, 2, 3, 3, 4]
    each = [Fraction(k, n) for n, k in enumerate(due) if n]
    assert each == [Fraction(k, n) for k, n in ((0, 1), (1, 2), (1, 3), (2, 4), (2, 5), (3, 6), (3, 7), (4, 8))]


def shells_for(n: int) -> int:
    """Return the shells that fall when red ends a turn with n soldiers on the field."""
    cards = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C"][:n]
    battle = Battle(" ".join(f"{card}@1,1" for card in cards), starter="black", to_move="red")
    return HalfTurn(battle.game.rulings, battle.table, Asking(())).shells_due()


# What a rescue is worth


def unseen(rescuer: str, enemy: str) -> Battle:
    """Return a fresh field seen by black, with one soldier in the first cell and one enemy at home."""
    hidden = {f"{x},{y}": "?" for x in range(1, 5) for y in range(1, 5)}
    decks = both(" ".join("?" * 17), " ".join("?" * 17))
    return Battle(f"{rescuer}@1,1", hidden, known=(), view="black", to_move="black", deck=decks, trench=both(red=enemy))


@pytest.mark.parametrize(("rescuer", "enemy"), [("7C", "3D"), ("AC", "KD"), ("2C", "3D"), ("2C", "2D"), ("JS", "QH")])
def test_figure_9_a_blind_rescue_is_worth_the_rank(rescuer: str, enemy: str) -> None:
    battle = unseen(rescuer, enemy)
    game = battle.game
    before = lead(game, battle.table)
    battle.play(f"go {rescuer} home take")
    expected = Fraction(0)
    for outcome in game.chance_outcomes(battle.state):
        after = game.unfinished(game.apply(battle.state, outcome).state)
        expected += outcome.probability * (lead(game, after) - before - 1)
    v, u = (game.pack.value[game.pack.numbers[card]] for card in (rescuer, enemy))
    assert expected == Fraction(2 * (v - 1) - (u <= v), 25)
    if (rescuer, enemy) == ("7C", "3D"):
        assert expected == Fraction(11, 25)


def test_figure_10_cycle_until_jack_or_better() -> None:
    values = range(2, 15)
    times = list(accumulate(2 * d for d in ROWS for _ in range(4)))

    def worth(n: int, v: int) -> Fraction:
        return Fraction(sum(time <= n for time in times) * (v - 1), 13)

    @cache
    def best(n: int) -> Fraction:
        """Return the worth of a new soldier with n turns left, who may go back at the cost of one."""
        again = best(n - 1) if n else Fraction(0)
        return sum((max(worth(n, v), again) for v in values), Fraction(0)) / len(values)

    turns = (2, 4, 8, 12, 20, 30)
    kept = [next(v for v in values if worth(n, v) >= best(n - 1)) for n in turns]
    assert kept == [2, 6, 8, 10, 11, 12]
    assert (best(2), best(4)) == (Fraction(7, 13), Fraction(2554, 2197))
    rounded = [round(float(best(n)), 6) for n in turns[2:]]
    assert rounded == [2.640424, 3.626079, 5.422737, 7.398865]
    without = [sum((worth(n, v) for v in values), Fraction(0)) / 13 for n in turns]
    assert without == [Fraction(n, 13) for n in (7, 14, 28, 35, 49, 63)]


def test_figure_11_whoever_need_not_come_home_stays() -> None:
    options = {"withdrawal": "free"}
    battle = Battle("9C@1,4", turn=21, phase="withdraw", starter="black", options=options)
    later = battle.play("end; end").table
    assert (
        later._replace(turn=21) == Battle("9C@1,4", turn=21, phase="withdraw", starter="black", options=options).table
    )
    for cell, turns in (("1,1", 9), ("1,4", 18), ("4,4", 36)):
        shelled = Battle(
            f"9C@{cell}", turn=21, phase="withdraw", starter="black", to_move="red", options=options | MIN_ONE
        )
        assert 1 / odds(shelled)[cell] == turns
    direct = Battle("9C@1,4", turn=21, phase="withdraw", starter="black")
    for step in ("go 9C 1,3", "go 9C 1,2", "go 9C 1,1", "go 9C home"):
        direct.play(f"{step}; end; end")
    assert direct.table.phase == "over"
    assert direct.table.turn - 20 == 4


def test_figure_12_one_shell_between_two_soldiers() -> None:
    chances = odds(Battle("9C@3,1 9D@3,4", starter="black", to_move="red"))
    assert chances == {"3,1": Fraction(1, 18), "3,4": Fraction(1, 36), "miss": Fraction(11, 12)}
    knocked = Battle("9C@3,1 9D@3,4", deck=both("2C 3C"), starter="black", to_move="red").play("end; shells 3,1")
    assert knocked.moves == ["end"]


def test_figure_13_being_hit_costs_nothing_where_only_rescues_count() -> None:
    for value, cost in (("rescued", 0), ("total", -1)):
        battle = Battle("9C@1,1 9D@4,4", options={"score": value, "turn_limit": 1}, starter="black", to_move="red")
        battle.play("end")
        hit, missed = (
            battle.game.apply(battle.state, outcome).state.table
            for outcome in sorted(battle.game.chance_outcomes(battle.state), key=lambda one: one.result)
            if outcome.result in ("1,1", "miss")
        )
        went_home = score(battle.game.rulings, missed, 0) + (value == "total")
        assert score(battle.game.rulings, hit, 0) - went_home == cost


def test_figure_14_to_an_ace_every_card_is_worth_one() -> None:
    pack = Battle().game.pack
    for card in pack.codes[:-1]:
        if card in ("AC", "AD"):
            continue
        battle = Battle("AC@1,1", {"1,1": card}, trench=both(red="AD"), starter="black")
        before = lead(battle.game, battle.table)
        battle.play("go AC home take; end")
        assert lead(battle.game, battle.table) - before == 2, "the card, and the ace that is home again"


# Duels


@pytest.mark.parametrize(("name", "turns", "options", "value", "best"), VALUES)
def test_figure_1_and_the_open_duels(
    name: str, turns: int, options: dict[str, Any], value: Fraction, best: list[str]
) -> None:
    duel = Duel(name, turns, **options)
    report = duel.report()
    assert report.verdict == "exact"
    assert duel.value(report) == value
    assert duel.best(report) == best or best is NO_FIRST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "values"),
    [
        ({}, [Fraction(1), Fraction(1), Fraction(2), Fraction(2)]),
        (MIN_ONE, [Fraction(1, 2), Fraction(1, 2), Fraction(7, 8), Fraction(31, 32)]),
    ],
    ids=["written", "pictured"],
)
def test_figure_1_and_2_entering_alone_pays_against_who_never_enters(
    options: dict[str, Any], values: list[Fraction]
) -> None:
    duels = [Duel("S", turns, **options) for turns in (2, 3, 4, 5)]
    assert [duel.report(Model.NEVER).value for duel in duels] == values


def test_the_chances_of_one_shell_are_those_of_the_way_through_a_turn() -> None:
    battle = Battle("4C@1,1 5D@4,4", starter="black", to_move="red")
    ways = list(battle.game.turn_ends(battle.table, (END,)))
    assert sum(way.probability for way in ways) == 1
    assert all(isinstance(way.steps[-1], ChanceOutcome) for way in ways)
    assert battle.game.to_act(State(battle.table)) == 1
