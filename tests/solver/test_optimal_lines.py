"""Lines that are as good as the best: counted with a bound, and by plain play that leaves nothing out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from benchmarks.soak_tables import random_position
from puzzles.puzzle import Goal, Objective, forbidden_step, load_puzzle, question_of
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import Forced
from solver.engines import answers
from solver.engines.answers import best_moves, searchable, solve, solve_question
from solver.lines import Rest, in_order, played, replayed_value, taken
from solver.proofs import Count, OptimalLines
from solver.question import Answer, Question, Status
from solver.search.budget import Budget
from solver.tools.puzzle import verify_puzzle
from tests.bare import bare_position


def ways_of(position: Position, goal: Goal, limit: Budget | None = None) -> tuple[OptimalLines[Any], Answer[int]]:
    report = solve(position, goal)
    return OptimalLines(position, goal, report, (limit or Budget()).start()), report


def counted(position: Position, goal: Goal, report: Answer[int]) -> int:
    """Return how many sequences of tables are worth the best value, every one of them played."""
    game, seat = searchable(position), goal.seat
    assert report.value is not None
    farthest = goal.objective is Objective.MAX_DISTANCE
    least = report.value if farthest else goal.target
    turns = (goal.within_turns or 0) if farthest else report.value
    if goal.clock is not None:
        turns = goal.clock.turns_in(goal.clock.rounds(report.value))

    @cache
    def lines(table: Any, left: int) -> dict[int, int]:
        """Return how many lines end in so many days of the game."""
        there = game.progress(table, seat) >= least
        if left == 0 or game.is_over(table) or (there and not farthest):
            return {game.days(table, seat): 1} if there else {}
        found: dict[int, int] = {}
        for after in next_tables(game, table, goal):
            for days, number in lines(after, left - 1).items():
                found[days] = found.get(days, 0) + number
        return found

    by_days = lines(position.table(), turns)
    ties = goal.objective is Objective.MIN_TURNS and goal.clock is None
    return by_days[min(by_days)] if ties else sum(by_days.values())


def next_tables(game: Race[Any], table: Any, goal: Goal) -> set[Any]:
    allowed = (
        end
        for end in game.turn_ends(table)
        if not any(forbidden_step(step, goal.forbidden) for step in end.steps if not isinstance(step, Forced))
    )
    return {end.table for end in allowed if game.allows(table, end)}


ABYSS = """
game = "abyss"
ruleset = "2021"
players = 1
[options]
partner_cap = 1
[chance]
open = ["actions", "events", "picks"]
[state.action_pile]
front = ["theft"]
[state.event_pile]
front = ["safe", "safe"]
[[state.seats]]
ap = 37
hand = ["bribe", "digging"]
"""


@pytest.mark.parametrize(
    ("name", "lines"),
    [("rope-bridge", 12), ("knife", 3), ("pay-the-price", 3)],
)
def test_every_line_is_counted(name: str, lines: int) -> None:
    puzzle = load_puzzle(name)
    ways, report = ways_of(puzzle.position, puzzle.goal)
    assert ways.count() == Count(lines, exact=True)
    assert counted(puzzle.position, puzzle.goal, report) == lines


def test_lines_that_end_in_the_same_round_count_alike() -> None:
    position, goal = question_of({"objective": "AB-S1"}, bare_position(ABYSS))
    ways, report = ways_of(position, goal)
    assert report.value is not None
    assert report.value < ways.turns == 12
    assert ways.count() == Count(counted(position, goal, report), exact=True)


def test_fewer_days_come_before_more() -> None:
    """Equal numbers of turns with more days are no best lines."""
    puzzle = load_puzzle("storm-tomorrow")
    ways, _ = ways_of(puzzle.position, puzzle.goal)
    best = ways.count()
    # As if the line printed had taken a day more than needed.
    ways._rounds += 1
    ways._rest = ways._best_rest()
    assert ways.count() == best


def test_the_only_line_is_counted_as_one() -> None:
    puzzle = load_puzzle("warm-up")
    ways, _ = ways_of(puzzle.position, puzzle.goal)
    assert ways.count() == Count(1, exact=True)


def test_many_lines_are_not_counted_to_the_last_and_a_limit_is_told() -> None:
    puzzle = load_puzzle("sprint-10")
    ways, _ = ways_of(puzzle.position, puzzle.goal)
    assert ways.count(100) == Count(100, exact=False)
    stopped = ways_of(puzzle.position, puzzle.goal, Budget(states=5))[0].count()
    assert (stopped.exact, stopped.stopped) == (False, True)


def test_a_stated_uniqueness_is_verified() -> None:
    for name, right in (("warm-up", True), ("knife", False)):
        puzzle = load_puzzle(name)
        assert puzzle.solution is not None
        for stated in (True, False):
            claimed = replace(puzzle, solution=puzzle.solution._replace(unique=stated))
            verdict = verify_puzzle(claimed)
            assert verdict.ok == (stated == right), verdict.reason


@pytest.mark.parametrize("name", ["rope-bridge", "knife", "pay-the-price", "warm-up"])
def test_every_line_is_written_once_and_by_its_first_way(name: str) -> None:
    """Control: each line is played, and between two tables no way of the game has fewer moves or comes before."""
    puzzle = load_puzzle(name)
    ways, report = ways_of(puzzle.position, puzzle.goal)
    written = ways.count(written=True)
    assert written._replace(written=()) == ways.count()
    game, start = searchable(puzzle.position), puzzle.position.start()[1]
    met = [tuple(played(game, start, line)) for line in written.written]
    assert len(set(met)) == written.lines
    for tables, line in zip(met, written.written, strict=True):
        assert replayed_value(game, start, line, puzzle.goal) == report.value
        for before, after, turn in zip(tables, tables[1:], line, strict=False):
            to_there = [taken(end.steps) for end in game.turn_ends(before) if end.table == after]
            assert min(map(in_order, to_there)) == in_order(turn.steps)
    order = [in_order([step for turn in line for step in turn.steps]) for line in written.written]
    assert order == sorted(order)
    assert written.written[0] == report.line


def test_every_line_of_whole_rounds_is_written() -> None:
    position, goal = question_of({"objective": "AB-S1"}, bare_position(ABYSS))
    ways, report = ways_of(position, goal)
    written = ways.count(written=True)
    assert written._replace(written=()) == ways.count()
    game, start = searchable(position), position.start()[1]
    met = {tuple(played(game, start, line)) for line in written.written}
    assert len(met) == written.lines
    values = {replayed_value(game, start, line, goal) for line in written.written}
    assert {goal.in_rounds(value) for value in values} == {goal.in_rounds(report.value)}


def test_more_lines_than_are_wanted_are_said_to_be_more() -> None:
    puzzle = load_puzzle("rope-bridge")
    ways, _ = ways_of(puzzle.position, puzzle.goal)
    few = ways.count(5, written=True)
    assert (len(few.written), few.lines, few.exact) == (5, 5, False)
    assert set(few.written) < set(ways.count(written=True).written)


def test_a_limit_leaves_the_line_that_is_known() -> None:
    puzzle = load_puzzle("rope-bridge")
    report = solve(puzzle.position, puzzle.goal)
    budget = Budget(time_s=0.0).start()
    written = OptimalLines(puzzle.position, puzzle.goal, report, budget).count(written=True)
    assert written.written == (report.line,)
    assert written.stopped


def first_of_all(position: Position, goal: Goal, value: int) -> tuple[int, tuple[str, ...]]:
    """Return the order of the best line that comes first, every way through every turn looked at."""
    game, seat = searchable(position), goal.seat
    farthest = goal.objective is Objective.MAX_DISTANCE
    least = value if farthest else goal.target
    ties = goal.objective is Objective.MIN_TURNS

    @cache
    def lines(table: Any, left: int, pending: Any = ()) -> dict[int, tuple[int, tuple[str, ...]]]:
        """Return the first line for each number of days that it may end in."""
        there = game.progress(table, seat) >= least
        if not pending and (left == 0 or game.is_over(table) or (there and not farthest)):
            return {game.days(table, seat) if ties else 0: (0, ())} if there else {}
        found: dict[int, tuple[int, tuple[str, ...]]] = {}
        for end in game.turn_ends(table, pending):
            steps = taken(end.steps[len(pending) :])
            if any(forbidden_step(step, goal.forbidden) for step in steps) or not game.allows(table, end):
                continue
            for days, (moves, texts) in lines(end.table, left - 1).items():
                line = (len(steps) + moves, (*(step.text for step in steps), *texts))
                found[days] = min(line, found.get(days, line))
        return found

    _, start = position.start()
    by_days = lines(start.table, value if ties else goal.within_turns or 0, start.pending)
    return by_days[min(by_days)]


@pytest.mark.parametrize("seed", [5, 6, 10, 12, 16, 20, 25, 33, 41, 52])
def test_the_line_printed_is_the_shortest_and_of_these_the_first(seed: int) -> None:
    position = random_position(seed, is_open=True, tame_part=0.8)
    game, start = searchable(position), position.start()[1]
    here = game.progress(start.table, 0)
    for turns in (1, 2):
        farthest = Goal(Objective.MAX_DISTANCE, 0, turns)
        report = solve(position, farthest)
        if report.value is None:
            continue
        nearer = max(here + 1, report.value - seed % 3)
        goals = [farthest, *(Goal(kind, nearer, turns) for kind in (Objective.REACH, Objective.MIN_TURNS))]
        for goal in goals:
            report = solve(position, goal)
            if report.value and report.line:
                order = in_order([step for turn in report.line for step in turn.steps])
                assert order == first_of_all(position, goal, report.value), goal


@pytest.mark.slow
def test_lines_of_other_games_are_in_order_too() -> None:
    puzzle = load_puzzle("one-by-one")
    report = solve(puzzle.position, puzzle.goal)
    order = in_order([step for turn in report.line for step in turn.steps])
    assert report.value is not None
    assert order == first_of_all(puzzle.position, puzzle.goal, report.value)


def test_ctrl_c_while_the_line_to_print_is_looked_for_leaves_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Rest, "leads", stopped)
    puzzle = load_puzzle("one-by-one")
    report = solve(puzzle.position, puzzle.goal)
    assert (report.status, report.interrupted) == (Status.OPTIMAL, True)
    ranking = best_moves(Question(puzzle.position, puzzle.goal))
    assert (ranking.value, ranking.interrupted) == (report.value, True)
    assert len(ranking.moves) == 1  # the others are not compared any more


def test_days_are_counted_alike_in_every_form() -> None:
    """Of the lines of one turn that reach the goal here, one begins a day."""
    position = random_position(130, is_open=True, tame_part=0.9)
    goal = Goal(Objective.MIN_TURNS, 141, 2)
    ways, report = ways_of(position, goal)
    assert report.statistics.engine == "encoded"
    assert ways.count().lines == counted(position, goal, report)


def test_moves_beside_a_proved_line_are_compared_while_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, seconds = load_puzzle("sprint-10"), [0.0]

    def compared() -> int:
        question = Question(puzzle.position, puzzle.goal, limit=Budget(5.0, clock=lambda: seconds[0]))
        return sum(note["kind"] == "instead" for turn in solve_question(question).turns for note in turn.notes)

    def slow(*asked: Any) -> Answer[int]:
        report = solve(*asked)
        seconds[0] = 9.0
        return report

    every = compared()
    monkeypatch.setattr(answers, "solve", slow)
    assert compared() < every
