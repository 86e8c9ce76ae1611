"""The packed search: plain and compiled alike, against its controls and against the plain game."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.position import Position, new_position
from rules.core.race import Race
from solver.forms import search_problem
from solver.report import Limit, Progress, Status
from solver.search import compiled, packed_search
from solver.search.compiled import Compiler
from solver.search.layers import LayeredSearch, LimitHit, Watch
from solver.search.packed_search import PackedSearch
from solver.search.plain import PlainTurns
from solver.solve import solve

RACE = "iditacards/starter-race"


def problem(seed: int, target: int = 40) -> Any:
    game, state = new_position(RACE, seed=seed).start()
    assert isinstance(game, Race)
    return search_problem(game, state, Goal(Objective.MIN_TURNS, target))


@cache
def shared(seed: int) -> Any:
    """Return a form that several searches may have in common: it takes half a second to lay out."""
    return problem(seed)


def search(seed: int, form: Any = None, **switches: Any) -> PackedSearch:
    form = form or problem(seed)
    return PackedSearch(form, Watch(Limit()), [form.root], **{"patient": False, **switches})


def fewest(of: PackedSearch, target: int) -> int:
    for turns in range(30):
        run = of.earliest(target, turns)
        if run.path is not None:
            assert len(run.path) - 1 == turns
            return turns
    raise AssertionError("no way in 30 turns")


@pytest.mark.parametrize("seed", range(3))
def test_bound_and_dominance_change_no_optimum(seed: int) -> None:
    """The controls: without the bound, without waiting in the dominance, and without both."""
    for target in (14, 20):
        value = fewest(search(seed, shared(seed)), target)
        assert fewest(search(seed, shared(seed), prunes=False), target) == value
        assert fewest(search(seed, shared(seed), waits=False), target) == value
        assert fewest(search(seed, shared(seed), prunes=False, waits=False), target) == value


@pytest.mark.parametrize("seed", range(3))
def test_the_bound_is_never_below_what_can_be_reached(seed: int) -> None:
    """From every position of the first layers, everything that three more turns can reach is within the bound."""
    form = shared(seed)
    layer = {form.root}
    for _ in range(2):
        layer = {after for place in layer for after in form.successors(place)}
    for place in sorted(layer)[:: max(1, len(layer) // 40)]:
        reached = {place}
        for turns in range(1, 4):
            reached = {after for each in reached for after in form.successors(each)}
            assert form.promising(place, turns, max(pos for _, pos in reached))


@pytest.mark.parametrize("seed", range(3))
def test_the_plain_game_has_the_same_optimum(seed: int) -> None:
    """Whole tables, every free action, no bound: the fewest turns with a short deck that a new day shuffles again."""
    game, state = new_position(RACE, seed=seed).start()
    assert isinstance(game, Race)
    player = state.table.players[0]
    short = player._replace(hand=player.hand[:3], deck=player.deck[:3])
    table = state.table._replace(players=(short,))
    for target in (8, 12):
        plain: LayeredSearch[Any] = LayeredSearch(PlainTurns(game, 0, frozenset()), Watch(Limit()), [table])
        form: Any = game.compact_turns(table, 0, frozenset(), target, None)
        packed = PackedSearch(form, Watch(Limit()), [form.root], patient=False)
        value = fewest(packed, target)
        assert plain.earliest(target, value - 1).path is None
        assert plain.earliest(target, value).path is not None


@pytest.mark.needs_compiler
def test_compiled_and_plain_are_the_same_search() -> None:
    plain, fast = (search(0, shared(0), prunes=False, compile_it=compile_it) for compile_it in (False, True))
    assert fast.compiled
    assert not plain.compiled
    for turns in range(3, 6):
        ways = [each.earliest(25, turns).path for each in (plain, fast)]
        assert ways[0] == ways[1]
        assert plain.counters == fast.counters


@pytest.mark.needs_compiler
@pytest.mark.parametrize("seed", range(4))
def test_the_sharper_bound_changes_no_optimum(seed: int) -> None:
    """The control without any bound, on races that last into the second and third day."""
    sharp, control = (search(seed, shared(seed), compile_it=True, prunes=prunes) for prunes in (True, False))
    for target in (14, 21, 28):
        value = fewest(sharp, target)
        assert control.earliest(target, value - 1).path is None
        assert control.earliest(target, value).path is not None


@pytest.mark.needs_compiler
def test_the_sharper_bound_is_never_below_what_can_be_reached() -> None:
    """Positions of every day and of all kinds, met by playing on: three turns further is within the bound."""
    of = search(0, compile_it=True)
    form: Any = of.problem
    of._lay_out(8, 3)
    generator = SplitMix64(1)
    looked = 0
    for _ in range(30):
        place = form.root
        for _ in range(generator.below(24)):
            after = list(form.successors(place))
            place = after[generator.below(len(after))] if generator.below(3) else max(after, key=lambda each: each.pos)
        reached = {place}
        for turns in range(1, 4):
            reached = {after for each in reached for after in form.successors(each)}
            if len(reached) > 1000:
                break
            spaces = max(pos for _, pos in reached) - place[1]
            entry = of._functions["outlook"](place[0], of._tables, of._outlooks, of._counts)
            assert of._most[turns * of._rows + entry] >= spaces
            looked += 1
    assert looked > 20


@pytest.mark.needs_compiler
def test_a_search_goes_on_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = search(1).earliest(60, 9)
    monkeypatch.setattr(Compiler, "is_done", lambda _, generated: generated > 5000)
    going = search(1, patient=True)
    assert going.earliest(60, 9).path == expected.path
    assert going.compiled


@pytest.mark.needs_compiler
def test_the_compiler_works_aside() -> None:
    compiler = Compiler(search(0)._sample, patience=0)
    assert not compiler.is_done(1)
    assert compiler._process is not None
    compiler._process.wait(timeout=120)
    assert compiler.is_done(1)
    compiler.close()


def test_a_compiler_that_cannot_start_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "no such python")
    monkeypatch.setattr(compiled, "is_installed", lambda: True)
    compiler = Compiler(search(0)._sample)
    assert not compiler.is_done(compiled.PATIENCE)
    assert not compiler.is_done(compiled.PATIENCE)
    compiler.close()


def test_without_the_compiler_nothing_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "is_installed", lambda: False)
    going = search(0, patient=True)
    assert fewest(going, 40) == fewest(search(0), 40)
    assert not going.compiled
    going.close()


def test_arrays_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    roomy = search(2).earliest(50, 8)
    monkeypatch.setattr(packed_search, "NODES", 64)
    monkeypatch.setattr(packed_search, "SLOT_BITS", 6)
    tight = search(2)
    run = tight.earliest(50, 8)
    assert run.path == roomy.path
    assert len(tight._key) > 64


def test_positions_in_memory_are_limited() -> None:
    form = problem(0)
    with pytest.raises(LimitHit):
        PackedSearch(form, Watch(Limit(states=50)), [form.root], patient=False).earliest(60, 9)


# Through solve


def race(seed: int) -> Position:
    return new_position(RACE, seed=seed)


def test_a_race_is_solved_with_its_proof() -> None:
    report = solve(race(0), Goal(Objective.MIN_TURNS, 45))
    assert report.status is Status.OPTIMAL
    assert report.value == report.bound == len(report.line)
    assert report.proof.excluded_turns == report.value - 1
    assert report.proof.method == "layers"
    assert report.proof.bound_name
    assert report.proof.checked_by == ("replay",)
    assert report.statistics.engine == "race"


def test_a_race_from_the_middle_of_a_turn() -> None:
    position = race(0)
    game, state = position.start()
    whole = solve(position, Goal(Objective.MIN_TURNS, 30))
    begun = game.apply(state, whole.line[0].steps[0]).state
    rest = solve(position.after(begun), Goal(Objective.MIN_TURNS, 30))
    assert rest.value == (whole.value if begun.pending else (whole.value or 0) - 1)


def test_too_few_turns_are_proved_impossible() -> None:
    best = solve(race(1), Goal(Objective.MIN_TURNS, 40)).value
    assert best is not None
    short = solve(race(1), Goal(Objective.REACH, 40, within_turns=best - 1))
    assert (short.status, short.value) == (Status.INFEASIBLE, 0)
    enough = solve(race(1), Goal(Objective.REACH, 40, within_turns=best))
    assert (enough.status, enough.value) == (Status.OPTIMAL, 1)


def test_a_stopped_race_has_a_line_and_a_bound() -> None:
    def stop(progress: Progress) -> None:
        if progress.bound is not None and progress.bound > 16:
            raise KeyboardInterrupt

    report = solve(race(0), Goal(Objective.MIN_TURNS, 161), on_progress=stop)
    assert report.interrupted
    assert report.status is Status.FEASIBLE
    assert report.value is not None
    assert report.bound is not None
    assert 16 < report.bound < report.value == len(report.line)


def test_beyond_the_finish_the_plain_form_answers() -> None:
    game, state = race(0).start()
    assert isinstance(game, Race)
    plain = search_problem(game, state, Goal(Objective.MIN_TURNS, 200))
    assert plain.engine == "plain"
