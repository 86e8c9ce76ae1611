"""New puzzles: what cannot be made is refused, and a deal comes out alike wherever it is made."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import process_time, time

import pytest

from puzzles.puzzle import Puzzle, read_puzzle
from rules.core.errors import BestlineError
from rules.core.files import read_text
from rules.core.registry import GameDefinition
from rules.core.ruleset import load_ruleset
from solver.engines.answers import solve
from solver.executor import executor
from solver.search.budget import Budget
from solver.tools import generate
from solver.tools.generate import Deal, Request, check, make, reduced, without
from solver.tools.puzzle import Rating, Verdict

REQUEST = Request(load_ruleset("iditacards/2019-02"), seed=1, goal={"objective": "max_distance", "within_turns": 3})


def test_a_game_that_makes_up_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    definition = type(REQUEST.ruleset.definition)
    monkeypatch.setattr(definition, "compose", GameDefinition.compose)
    with pytest.raises(BestlineError, match="makes up no positions"):
        check(REQUEST)


@pytest.mark.slow
def test_a_deal_comes_out_alike_in_another_process() -> None:
    here = make(1, REQUEST)
    assert here.text
    with executor(2) as where:
        there = where.map(partial(make, request=REQUEST), [0, 1])
        assert [made._replace(work_s=0) for made in there] == [
            make(0, REQUEST)._replace(work_s=0),
            here._replace(work_s=0),
        ]


def test_a_target_is_missed_by_every_detour() -> None:
    """Fewest turns are asked to where that many turns get at most."""
    request = Request(REQUEST.ruleset, seed=1, unique=False, goal={"objective": "min_turns", "within_turns": 2})
    made = next(each for each in (make(deal, request) for deal in range(20)) if each.text)
    puzzle = read_puzzle(read_text(made.text))
    assert puzzle.solution is not None
    assert puzzle.goal.within_turns is None
    assert puzzle.solution.value in (1, 2)


def test_what_is_left_out_is_told() -> None:
    made = make(0, REQUEST)
    assert (made.text, made.why_not) == ("", "too many solutions")
    assert made.work_s > 0


def test_everything_goes_that_nobody_misses() -> None:
    puzzle = read_puzzle(read_text(make(1, REQUEST).text))
    deal = Deal(puzzle.position, puzzle.goal, Rating(solve(puzzle.position, puzzle.goal)))
    smaller = reduced(deal, lambda known, position: known._replace(position=position, lines=known.lines + 1))
    assert smaller.lines > 0
    hand = puzzle.position.state["players"][0]["hand"]
    assert smaller.position.state["players"][0]["hand"] == []
    assert reduced(deal, lambda _, __: None) is deal
    assert without(puzzle.position, ("players", 0, "hand", len(hand))) is None
    assert without(puzzle.position, ("legs", 0)) is None


@pytest.mark.slow
def test_games_with_challenges_make_puzzles() -> None:
    made = make(0, Request(load_ruleset("trench_rescue/2012"), seed=5, unique=False))
    puzzle = read_puzzle(read_text(made.text))
    assert puzzle.solution is not None
    assert puzzle.difficulty in range(1, 6)
    assert puzzle.themes


@pytest.mark.parametrize(
    ("ruleset", "seed", "deal"), [("iditacards/2019-02", 3, 1), ("trench_rescue/2012", 1, 1), ("abyss/2021", 3, 3)]
)
def test_a_deal_that_takes_long_is_given_up_when_the_time_is_over(ruleset: str, seed: int, deal: int) -> None:
    began = process_time()
    made = make(deal, Request(load_ruleset(ruleset), seed=seed), until=time() + 0.02)
    assert (made.text, made.why_not) == ("", "out of time")
    assert process_time() - began < 3.0, "each would take more, most of it far from any look at the clock"


def test_a_deal_done_in_time_is_the_same_as_without_a_limit() -> None:
    assert make(1, REQUEST, until=time() + 1000) == make(1, REQUEST)


def test_an_interrupted_check_is_no_reason_to_leave_a_deal_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(puzzle: Puzzle, limit: Budget) -> Verdict:
        report = replace(solve(puzzle.position, puzzle.goal, limit), interrupted=True)
        return Verdict(puzzle.id, None, "a limit was hit before the value was proved", report)

    monkeypatch.setattr(generate, "verify_puzzle", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make(1, REQUEST)
