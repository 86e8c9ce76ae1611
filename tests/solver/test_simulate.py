"""What simulated races say where some were given up."""

from __future__ import annotations

from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import new_position
from solver.search.budget import Budget, WorkClock
from solver.tools.simulate import Effort, Played, Request, Simulation, sign_test, simulate

MOST = 50


def simulation(*turns: tuple[int | None, int | None]) -> Simulation:
    """Return games of two players, nothing standing for a race given up."""
    games = tuple(tuple(Played(each or MOST, each is not None, 1, 0.0) for each in game) for game in turns)
    position = new_position("iditacards/2017", 1, 1, ())
    return Simulation(position, Goal(Objective.MIN_TURNS, 160), ("one", "two"), games, len(games), MOST, False)


def test_means_are_bounds_where_races_were_given_up() -> None:
    found = simulation((10, 20), (14, None), (12, 30))
    assert (found.turns("one").mean, found.turns("one").bound) == (Fraction(12), "")
    assert (found.turns("two").mean, found.turns("two").bound) == (Fraction(100, 3), "at least")
    assert found.median("one") == Fraction(12)
    assert found.median("two") == Fraction(30)
    compared = found.compared("one", "two")
    assert (compared.quicker, compared.slower, compared.equal, compared.unknown) == (3, 0, 0, 0)
    assert compared.difference is not None
    assert (compared.difference.mean, compared.difference.bound) == (Fraction(-64, 3), "at most")
    other = found.compared("two", "one").difference
    assert other is not None
    assert (other.mean, other.bound) == (Fraction(64, 3), "at least")


def test_the_median_is_hidden_by_races_given_up_in_the_middle() -> None:
    found = simulation((10, None), (11, None), (None, 7), (9, 9))
    assert found.median("one") == Fraction(21, 2)
    assert found.median("two") is None
    compared = found.compared("one", "two")
    assert (compared.quicker, compared.slower, compared.equal, compared.unknown) == (2, 1, 1, 0)
    assert compared.difference is None


def test_games_that_neither_finished_settle_nothing() -> None:
    compared = simulation((None, None), (10, 12)).compared("one", "two")
    assert (compared.quicker, compared.unknown) == (1, 1)
    assert compared.chance == Fraction(1)


@pytest.mark.parametrize(
    ("wins", "losses", "chance"), [(0, 0, 1), (5, 5, 1), (10, 0, Fraction(1, 512)), (6, 2, Fraction(37, 128))]
)
def test_the_sign_test_is_exact(wins: int, losses: int, chance: Fraction) -> None:
    # Two-sided tails of the binomial distribution: 2 * (1 + 8 + 28) / 256 for six of eight.
    assert sign_test(wins, losses) == sign_test(losses, wins) == chance


@pytest.mark.slow
def test_a_limit_on_a_clock_of_work_ends_after_the_same_games() -> None:
    position = new_position("iditacards/2019-02", 1, 1, ())
    ended = [
        len(simulate(Request(position, ("plain",), 60, most_turns=4), Budget(0.1, clock=WorkClock())).games)
        for _ in range(2)
    ]
    assert ended[0] == ended[1]
    assert 2 < ended[0] < 60


@pytest.mark.slow
def test_a_game_under_way_at_the_limit_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return looks / 100

    monkeypatch.setattr("solver.tools.simulate.monotonic", clock)
    position = new_position("iditacards/2019-02", 1, 1, ())
    found = simulate(Request(position, ("best",), 3, Effort(playouts=2)), Budget(0.2))
    assert (found.games, found.interrupted) == ((), False)
    assert looks < 30


def test_plain_play_is_for_games_that_have_it() -> None:
    position = new_position("abyss/2021", 1, 1, ())
    with pytest.raises((UnsupportedRuleset, BestlineError)):
        simulate(Request(position, ("plain",)))
