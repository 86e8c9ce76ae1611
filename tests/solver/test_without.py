"""Questions without a card: every engine and the checker against playing everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzles.puzzle import Goal, Objective, forbids, load_puzzle
from rules.core.position import Position
from rules.core.race import Race
from solver.engines.answers import solve
from solver.engines.open_search import search_problem
from solver.proofs import CHECKED_BY, cross_check
from solver.question import Status
from tests.solver.checker.forging import checked_file, proved
from tests.solver.model.small_positions import exhaustive, goals, random_position

ONE_DAY = frozenset({"new_day"})


def test_words_forbid_whole_words_at_the_beginning() -> None:
    forbidden = frozenset({"play mush", "new_day"})
    assert forbids(forbidden, "play mush")
    assert forbids(forbidden, "play mush pay move")
    assert forbids(forbidden, "new_day")
    assert not forbids(forbidden, "play mushroom")
    assert not forbids(forbidden, "play move pay mush")
    assert not forbids(forbidden, "continue pay mush")


def compared(position: Position, forbidden: frozenset[str], turns: int) -> int:
    game, start = position.start()
    assert isinstance(game, Race)
    truth = exhaustive(game, start.table, forbidden, turns, 2_000)
    questions = list(goals(truth or [], game.progress(start.table), forbidden))
    for goal, status, value in questions:
        report = solve(position, goal)
        assert (report.status.value, report.value) == (status, value), goal
        assert CHECKED_BY in cross_check(position, goal, report).proof.checked_by, goal
        assert not any(forbids(forbidden, step.text) for turn in report.line for step in turn.steps)
    return len(questions)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
def test_search_and_layers_agree_with_playing_everything(ruleset: str) -> None:
    found = 0
    for seed in range(300, 308):
        position = random_position(ruleset, seed, starter=bool(seed % 2), cards=5)
        if position is None:
            continue
        card = sorted(position.table().players[0].hand)[0]
        found += compared(position, ONE_DAY | {f"play {card}"}, 3)
    assert found > 20


def test_it_holds_where_days_end() -> None:
    position = random_position("2019-02", 102, starter=True, cards=4)
    assert position is not None
    card = sorted(position.table().players[0].hand)[0]
    assert compared(position, frozenset({f"play {card}"}), 2)


@pytest.mark.parametrize(("words", "engine"), [("sacrifice", "encoded"), ("take", "plain")])
def test_forbidden_moves_that_are_not_carried_go_to_the_plain_form(words: str, engine: str) -> None:
    puzzle = load_puzzle("sprint-20")
    game, start = puzzle.position.start()
    assert isinstance(game, Race)
    goal = Goal(Objective.MIN_TURNS, 20, None, ONE_DAY | {words})
    assert search_problem(game, start, goal).engine == engine


@pytest.mark.slow
def test_it_can_be_certified(tmp_path: Path) -> None:
    position = load_puzzle("sprint-20").position
    goal = Goal(Objective.MIN_TURNS, 20, None, ONE_DAY | {"play mush"})
    report = solve(position, goal)
    assert (report.status, report.value) == (Status.OPTIMAL, 6)
    proved(position, goal, report, tmp_path / "proof")
    assert checked_file(tmp_path / "proof").value == 6
