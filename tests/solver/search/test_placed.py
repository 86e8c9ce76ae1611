"""The search whose positions hold their progress: plain and compiled alike, and the fine bound against its control."""

from __future__ import annotations

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import Position, new_position
from rules.iditacards.engine import Iditacards
from rules.iditacards.track.form import TrackForm
from rules.iditacards.track.scope import scope
from solver.report import Limit, Progress, Status
from solver.search.layers import Watch
from solver.search.packed_search import PackedSearch
from solver.solve import solve

TRAIL = "iditacards/starter-trail"
REAL = "iditacards/2019-02"


def form_at(seed: int, pos: int, target: int, deck: int = 10) -> TrackForm:
    """Return the form of a race with the upper part of the deck only."""
    game, state = new_position(TRAIL, seed=seed).start()
    assert isinstance(game, Iditacards)
    table = state.table
    player = table.players[0]
    table = table._replace(players=(player._replace(pos=pos, deck=player.deck[:deck]),))
    return TrackForm(game.rulings, table, 0, scope(game.rulings, table, 0, frozenset()), target)


def search(form: TrackForm, *, compile_it: bool = False, prunes: bool = True, views: bool = True) -> PackedSearch:
    watch = Watch(Limit())
    return PackedSearch(form, watch, [form.root], patient=False, compile_it=compile_it, prunes=prunes, views=views)


@pytest.mark.needs_compiler
def test_compiled_and_plain_are_the_same_search() -> None:
    form = form_at(0, 3, 14)
    plain, fast = search(form, prunes=False), search(form, compile_it=True, prunes=False)
    assert fast.compiled
    for turns in (2, 3):
        ways = [each.earliest(14, turns).path for each in (plain, fast)]
        assert ways[0] == ways[1]
        assert plain.counters == fast.counters


@pytest.mark.needs_compiler
@pytest.mark.parametrize(("seed", "pos", "target"), [(0, 3, 20), (5, 33, 50), (9, 110, 125)])
def test_the_fine_bound_changes_no_optimum(seed: int, pos: int, target: int) -> None:
    """The control without any bound, across the edges of legs."""
    form = form_at(seed, pos, target)
    fine, control = search(form, compile_it=True), search(form, compile_it=True, prunes=False)
    value = next(turns for turns in range(12) if fine.earliest(target, turns).path is not None)
    assert value >= 2
    assert control.earliest(target, value - 1).path is None
    assert control.earliest(target, value).path is not None
    assert form.bound.least(form.root, target) <= value


@pytest.mark.needs_compiler
@pytest.mark.parametrize(("seed", "pos", "target"), [(1, 30, 52), (4, 70, 90)])
def test_views_change_no_optimum(seed: int, pos: int, target: int) -> None:
    """The control is the same search without them; what a view says of the root is never more than that."""
    form = form_at(seed, pos, target)
    viewed, control = search(form, compile_it=True), search(form, compile_it=True, views=False)
    for turns in range(1, 12):
        paths = [each.earliest(target, turns).path for each in (viewed, control)]
        assert (paths[0] is None) == (paths[1] is None)
        if paths[0] is not None and paths[1] is not None:
            assert len(paths[0]) == len(paths[1]) == turns + 1
            break
    else:
        pytest.fail("nobody gets there")
    assert turns >= 4
    assert viewed.counters.states < control.counters.states


def near_the_end(ruleset: str) -> Position:
    position = new_position(ruleset, seed=3)
    state = dict(position.state)
    state["players"] = [{**state["players"][0], "pos": 138}]
    return Position(position.setting, state)


def test_a_race_over_the_track_is_proved() -> None:
    """From the cliff to the finish: the exact form, its line replayed."""
    report = solve(near_the_end(TRAIL), Goal(Objective.MIN_TURNS, 161), Limit(time_s=120))
    assert report.status is Status.OPTIMAL
    assert report.statistics.engine == "track"
    assert len(report.line) == report.value


def test_the_real_race_is_scouted() -> None:
    """A line of the whole race at once, told before anything better is looked for."""
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        told.append(progress)
        raise KeyboardInterrupt

    report = solve(new_position(REAL, seed=0), Goal(Objective.MIN_TURNS, 161), Limit(), tell)
    assert report.status is Status.FEASIBLE
    assert report.interrupted
    assert report.value is not None
    assert report.value < 60
    assert told[0].value is not None
    assert told[0].line is not None
    assert len(told[0].line()) == told[0].value
