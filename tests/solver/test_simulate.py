"""What simulated races say where some were given up."""

from __future__ import annotations

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import new_position
from solver.search.budget import Budget, WorkClock
from solver.tools.simulate import Played, Request, Simulation, simulate

MOST = 50


def simulation(*turns: tuple[int | None, int | None]) -> Simulation:
    """Return games of two players, nothing standing for a race given up."""
    games = tuple(tuple(Played(each, 1) for each in game) for game in turns)
    position = new_position("iditacards/2017", 1, 1, ())
    request = Request(position, ("one", "two"), len(games), most_turns=MOST)
    return Simulation(request, position, Goal(Objective.MIN_TURNS, 160), games, False)


def test_players_are_compared_game_by_game() -> None:
    found = simulation((10, 20), (14, 13), (12, 30))
    assert found.player_data("one")["mean"] == 12
    assert [found.compared("one", "two")[each] for each in ("quicker", "slower")] == [2, 1]
    difference = found.compared("one", "two")
    assert difference["mean"] == pytest.approx(-9)
    assert difference["interval"] is not None
    assert difference["interval"][0] < -9 < difference["interval"][1]
    assert all(found.player_data(each)["interval"][0] >= 0 for each in found.request.players), "no race takes less"


def test_a_race_given_up_leaves_a_difference_open() -> None:
    found = simulation((10, None), (11, None), (None, 7), (None, None))
    assert [found.compared("one", "two")[each] for each in ("quicker", "slower")] == [2, 1]
    assert found.compared("one", "two")["mean"] is None
    assert found.player_data("one")["mean"] == (10 + 11 + 2 * MOST) / 4


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
    found = simulate(Request(position, ("best",), 3, playouts=2), Budget(0.2))
    assert (found.games, found.interrupted) == ((), False)
    assert looks < 30


def test_plain_play_is_for_games_that_have_it() -> None:
    position = new_position("abyss/2021", 1, 1, ())
    with pytest.raises((UnsupportedRuleset, BestlineError)):
        simulate(Request(position, ("plain",)))
