"""Two workers on one question: the same worths, shared work, and a thread that never outlives its question."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from threading import Lock
from time import sleep
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.engine import Iditacards
from solver.commands.settings import Settings
from solver.report import Limit, WorkClock
from solver.search.arrays import Arrays
from solver.search.beliefs import BeliefSearch
from solver.search.dealing import dealt, dealt_work
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import frames as dealing_frames
from solver.search.dealing import loop as dealing
from solver.search.dealing import table as dealing_table
from solver.search.layers import LimitHit, Watch

DAY = frozenset({"new_day"})
DISTANCE = Goal(Objective.MAX_DISTANCE, 0, 3, DAY)
REACH = Goal(Objective.REACH, 12, 3, DAY)


def searched(goal: Goal, limit: Limit, *, seed: int = 5, most: int | None = None) -> tuple[BeliefSearch, int]:
    """Return a search from the opening of a race, all cards but the hand hidden, and its belief."""
    position = new_position("iditacards/starter-race", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    assert goal.within_turns is not None
    form = game.belief_turns(table, 0, DAY, goal.target or None, goal.within_turns)
    assert form is not None
    return BeliefSearch(form, goal, Watch(limit), most=most), form.project(table, goal.within_turns)


def value(goal: Goal, threads: int, *, seed: int = 5, most: int | None = None) -> tuple[Fraction | None, int, int]:
    """Return a value, the nodes worked out for it, and how many of them a second worker did."""
    search, belief = searched(goal, Limit(threads=threads), seed=seed, most=most)
    found = search.value(belief, goal.within_turns or 0)
    assert search._dealt is not None
    helper = search._dealt._other
    return found, search.counters.expanded, 0 if helper is None else helper.count


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compiled functions, few nodes between two looks at the clock, and a second worker that begins in time."""
    monkeypatch.setattr(dealt, "_loaded", {})
    monkeypatch.setattr(dealt, "SLICE", (250, 40))
    dealt.load()
    begin = dealt_work.Help.begin

    def begun(help_: dealt_work.Help) -> None:
        begin(help_)
        while help_.helping.count == 0 and help_._thread is not None and help_._thread.is_alive():
            sleep(0.001)

    monkeypatch.setattr(dealt_work.Help, "begin", begun)
    yield
    assert [thread.name for thread in threading.enumerate() if "_work" in thread.name] == []


@pytest.mark.needs_compiler
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("goal", [REACH, DISTANCE], ids=["reach", "distance"])
def test_one_thread_and_two_find_the_same_values(goal: Goal) -> None:
    helped = 0
    for seed in (2, 3, 5):
        alone = value(goal, 1, seed=seed)
        pair = value(goal, 2, seed=seed)
        assert pair[0] == alone[0]
        assert alone[2] == 0
        helped += pair[2]
    assert helped > 0


@pytest.mark.needs_compiler
@pytest.mark.usefixtures("compiled")
def test_what_is_counted_in_work_is_done_by_one_thread() -> None:
    alone = value(DISTANCE, 1)
    assert value(DISTANCE, 2, most=1_000_000) == alone
    assert Watch(Limit(clock=WorkClock(), threads=2)).threads == 1
    assert Settings(deterministic=True).limit.threads == 1
    assert Settings(threads=1).limit.threads == 1
    assert Settings(threads=2).limit.threads == 2


@pytest.mark.parametrize("goal", [REACH, DISTANCE], ids=["reach", "distance"])
def test_workers_who_take_turns_share_the_nodes(goal: Goal) -> None:
    """Both run in plain Python, so which of them works out what is the same every time."""
    search, belief = searched(goal, Limit())
    turns = 3
    form = search.beliefs.form(search.beliefs.target, turns, dealt.LAYOUT)
    parts = search.beliefs.parts(belief)
    assert form is not None
    assert parts is not None
    deck, hand, size, held, stance, won = form.dealt(*parts)
    asked = (dealing_frames.NODE, deck, hand, size, held, stance, won, 0, 0, turns, dealing_facts.TOLD)
    kit, lock = dealt_work.Kit(dealing.KERNEL, Arrays(False), compiled=False), Lock()

    def worker(*, backwards: bool = False) -> dealt_work.Worker:
        return dealt_work.Worker(form, kit, lock, lambda: None, alone=False, backwards=backwards)

    def step(working: dealt_work.Worker, other: dealt_work.Worker | None) -> int | None:
        low = working.run(asked, 50, 1 << 40, None if other is None else other.table)
        if low != dealing_facts.STOPPED:
            return working.whole(low)
        if not working.learn():
            working.make_room()
        return None

    def answer(*workers: dealt_work.Worker) -> int:
        others = [*workers[1:], *workers[:1]]
        while True:
            for working, other in zip(workers, others, strict=True):
                found = step(working, None if other is working else other)
                if found is not None:
                    return found

    alone, back = worker(), worker(backwards=True)
    expected = answer(alone)
    assert answer(back) == expected
    first, second = worker(), worker(backwards=True)
    assert answer(first, second) == expected
    assert min(first.count, second.count) > 200
    assert first.count + second.count < 1.3 * max(alone.count, back.count)


def test_an_entry_that_is_not_all_to_be_seen_is_not_found() -> None:
    bits, entries = 3, ((0, 5, 9, 4, 0), (3, 0, 9, dealing_facts.NONE, 0), (0, 0, 1, 0, 7))
    for hand, deck, rest, low, high in entries:
        whole, empty = [0] * (dealing_table.ENTRY << bits), [0] * (dealing_table.ENTRY << bits)
        dealing_table.clear(whole, 1 << bits)
        dealing_table.clear(empty, 1 << bits)
        dealing_table.file(whole, bits, hand, deck, rest, low, high)
        at = dealing_table.find(whole, bits, hand, deck, rest)
        assert whole[at : at + dealing_table.ENTRY] == [hand, deck, rest, low, high]
        for seen in product((False, True), repeat=dealing_table.ENTRY):
            parts = [new if there else old for new, old, there in zip(whole[at:], empty[at:], seen, strict=False)]
            partly = [*empty[:at], *parts, *empty[at + len(parts) :]]
            assert dealing_table.find(partly, bits, hand, deck, rest) == (at if all(seen) else -1)
            assert dealing_table.find(partly, bits, 0, 0, 9) == -1  # no mixture is another node


def failing(fault: BaseException, run: Callable[..., int]) -> Callable[..., int]:
    """Return what fails in the thread that helps alone."""

    def fails(self: dealt_work.Worker, *arguments: Any) -> int:
        if threading.current_thread() is not threading.main_thread():
            raise fault
        return run(self, *arguments)

    return fails


@pytest.mark.needs_compiler
@pytest.mark.usefixtures("compiled")
def test_faults_of_the_thread_are_raised_but_what_only_it_could_not_carry_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone, run = value(DISTANCE, 1), dealt_work.Worker.run
    for fault in (LimitHit(), OutOfReach("a play")):
        monkeypatch.setattr(dealt_work.Worker, "run", failing(fault, run))
        assert value(DISTANCE, 2) == alone
    monkeypatch.setattr(dealt_work.Worker, "run", failing(ZeroDivisionError("of the thread"), run))
    with pytest.raises(ZeroDivisionError, match="of the thread"):
        value(DISTANCE, 2)


@pytest.mark.needs_compiler
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("stop", [KeyboardInterrupt, LimitHit])
def test_a_stopped_search_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]) -> None:
    alone = value(DISTANCE, 1)[0]
    search, belief = searched(DISTANCE, Limit(threads=2))
    looks, check = [0], Watch.check

    def checked(self: Watch, states: int = 0) -> None:
        looks[0] += 1
        if looks[0] in (4, 7, 10):
            raise stop
        check(self, states)

    run, seen = dealt_work.Worker.run, [0]

    def run_in_step(self: dealt_work.Worker, *arguments: Any) -> int:
        """Let the thread that helps do little, so that the first worker looks at the clock often enough."""
        if threading.current_thread() is not threading.main_thread():
            if self.count and seen[0] == looks[0]:
                sleep(0.001)
                return dealing_facts.STOPPED
            seen[0] = looks[0]
        return run(self, *arguments)

    monkeypatch.setattr(Watch, "check", checked)
    monkeypatch.setattr(dealt_work.Worker, "run", run_in_step)
    stopped, found = 0, None
    while found is None:
        try:
            found = search.value(belief, 3)
        except (KeyboardInterrupt, LimitHit):
            stopped += 1
            assert [thread.name for thread in threading.enumerate() if "_work" in thread.name] == []
    assert stopped == 3
    assert found == alone
