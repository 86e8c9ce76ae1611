"""Questions with something to keep: search, model and checker against playing everything and counting by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective, goal_table, load_puzzle, question_of
from rules.core.errors import ContentError, DisagreementError
from rules.core.files import read_text
from rules.core.position import Position, new_position, read_position
from rules.core.race import Race
from rules.core.scripts import Forced
from rules.core.turns import TurnEnd
from solver.checker.check import Rejected
from solver.checker.layers import TooLarge
from solver.engines.answers import searchable, solve
from solver.engines.hidden import best_hidden
from solver.engines.open_search import OpenSearch, search_problem
from solver.lines import replayed_value
from solver.proofs import CHECKED_BY, cross_check
from solver.question import Question, Status
from solver.search.budget import Budget
from solver.search.expectimax import fold
from solver.search.iterative_deepening import PlainTurns
from tests.cli.tables import HIDDEN
from tests.solver.checker.forging import checked_file, proved
from tests.solver.model.small_positions import goals, played_out, random_position


def asked(name: str, *kept: str, **more: Any) -> tuple[Position, Goal]:
    puzzle = load_puzzle(name)
    own = {
        key: value
        for key, value in goal_table(puzzle.goal, puzzle.position).items()
        if key != "target" or "objective" not in more
    }
    return question_of({**own, "keep": list(kept), **more}, puzzle.position)


def copies(state: dict[str, Any], card: str) -> int:
    """Count the copies of a card that are not discarded or gone, from the canonical state."""
    player = state["players"][0]
    lying = [*player["hand"], *player["deck"], *player["seen"], *player["legendary"]]
    lying.extend(frame["card"] for frame in player["stack"])
    for dog in player["dogs"]:
        lying.extend((dog["dog"], *dog["attachments"]))
    return lying.count(card)


def kept_by_hand(position: Position, card: str, turns: int) -> list[list[int]] | None:
    """Return the progress of every table after 1, 2, … turns without a new day, the card never lost; or nothing."""
    game, start = position.start()
    assert isinstance(game, Race)
    had = copies(dict(position.state), card)

    def keeps(end: TurnEnd[Any]) -> bool:
        texts = [step.text for step in end.steps if not isinstance(step, Forced)]
        return "new_day" not in texts and copies(game.encode(end.table), card) >= had

    return played_out(game, start.table, keeps, turns, most=2_000)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
def test_search_and_layers_agree_with_playing_everything(ruleset: str) -> None:
    compared = 0
    for seed in range(300, 308):
        position = random_position(ruleset, seed, starter=bool(seed % 2), cards=5)
        if position is None:
            continue
        player = position.table().players[0]
        card = sorted([*player.hand, *(dog.dog for dog in player.dogs)])[seed % 2]
        truth = kept_by_hand(position, card, 3)
        if truth is None:
            continue
        keeping = position.keeping([card])
        game, start = searchable(keeping), keeping.start()[1]
        for goal, status, value in goals(truth, game.progress(start.table), frozenset({"new_day"})):
            if goal.objective is Objective.REACH and goal.target <= game.progress(start.table):
                continue  # what holds already takes no turn
            goal = replace(goal, kept=frozenset({card}))
            report = solve(keeping, goal)
            assert (report.status.value, report.value) == (status, value), goal
            assert CHECKED_BY in cross_check(keeping, goal, report).proof.checked_by, goal
            compared += 1
    assert compared > 20


def test_a_dog_stays_in_hand_or_in_play() -> None:
    """The shortest line pays with the husky; another one as short keeps it."""
    puzzle = load_puzzle("sprint-20")
    position, goal = asked("sprint-20", "husky")
    report = solve(position, goal)
    assert (report.status, report.value) == (Status.OPTIMAL, 4)
    free = solve(puzzle.position, puzzle.goal)
    assert any("husky" in step.text for step in free.line[0].steps)
    with pytest.raises(DisagreementError, match="forbids"):
        replayed_value(searchable(position), position.start()[1], free.line, goal)


QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("husky", {"target": 15}),
    ("move", {}),
    ("mush", {"target": 10}),
    ("breakfast", {"objective": "max_distance", "within_turns": 2}),
    ("husky", {"objective": "reach", "within_turns": 3}),
]


@pytest.mark.parametrize(("kept", "more"), QUESTIONS)
def test_every_engine_gives_one_answer(kept: str, more: dict[str, Any]) -> None:
    """The encoding; closed layers; and the plain form, which has no bound in common with it."""
    position, goal = asked("sprint-20", kept, **more)
    game, start = searchable(position), position.start()[1]
    report = solve(position, goal)
    assert report.statistics.engine == "encoded"
    assert CHECKED_BY in cross_check(position, goal, report, 600).proof.checked_by
    if not goal.within_turns:
        turns: PlainTurns[Any] = PlainTurns(game, goal.seat, goal.forbidden)
        plain = OpenSearch(game, start, goal, Budget(), form=turns).answer()
        assert (plain.status, plain.value) == (report.status, report.value)


def test_only_forms_are_used_that_know_of_it() -> None:
    position, goal = asked("sprint-20", "husky")
    game, start = searchable(position), position.start()[1]
    assert game.kept
    assert search_problem(game, start, goal).engine == "encoded"
    new_days = replace(goal, forbidden=frozenset())
    assert search_problem(game, start, new_days).engine == "encoded"


def test_it_is_certified_and_cannot_be_left_out(tmp_path: Path) -> None:
    position, goal = asked("sprint-10", "mush")
    report = solve(position, goal)
    assert report.status is Status.INFEASIBLE
    proof = proved(position, goal, report, tmp_path / "proof")
    checked = checked_file(tmp_path / "proof")
    assert (checked.status, checked.goal.kept) == ("infeasible", frozenset({"mush"}))
    for forged in ([], ["move"]):
        proof.claim["goal"]["kept"] = forged
        with pytest.raises((Rejected, TooLarge)):
            checked_file(proof.write(tmp_path / "lax"), 5.0)
    proof.claim["goal"]["kept"] = ["igloo"]
    with pytest.raises(Rejected, match="no 'igloo' to keep"):
        checked_file(proof.write(tmp_path / "nothing"))


def test_soldiers_are_kept_alive() -> None:
    """Whatever a question of another game loses can be kept too: cards on the field that do not die."""
    puzzle = load_puzzle("one-by-one")
    game, start = puzzle.position.start()
    assert isinstance(game, Race)
    everybody = sorted(game.owned(start.table))
    position, goal = asked("one-by-one", *everybody)
    report = solve(position, goal)
    assert (report.status, goal.in_rounds(report.value)) == (
        Status.OPTIMAL,
        puzzle.solution.value if puzzle.solution else 0,
    )
    state, lost = start, replace(goal, kept=frozenset())
    for turn in report.line:
        for step in turn.steps:
            state = game.apply(state, step).state
        assert game.owned(state.table) == game.owned(start.table)
    assert replayed_value(game, start, report.line, lost) == report.value


@pytest.mark.slow
def test_cards_and_partners_are_kept() -> None:
    """Without digging cards given up there is no contract in the rounds that the free answer takes."""
    free = load_puzzle("the-courier")
    position, goal = asked("the-courier", "bribe")
    game, start = searchable(position), position.start()[1]
    report = solve(position, goal)
    assert report.status is Status.OPTIMAL
    had, state = game.owned(start.table)["bribe"], start
    for turn in report.line:
        for step in turn.steps:
            state = game.apply(state, step).state
        assert game.owned(state.table).get("bribe", 0) >= had
    assert goal.in_rounds(report.value) == free.goal.in_rounds(solve(free.position, free.goal).value)


def test_what_cannot_be_kept_is_refused() -> None:
    with pytest.raises(ContentError, match="keep: there is no 'huskey' to keep; did you mean 'husky'"):
        asked("sprint-20", "huskey")
    several = new_position("iditacards/2019-02", players=2)
    with pytest.raises(ContentError, match="keep: can be asked only of one player alone"):
        question_of({"objective": "min_turns", "target": 20, "keep": ["move"]}, several)


@pytest.mark.parametrize("card", ["armour", "lunch", "mush", "wheel_dog"])
def test_with_a_hidden_deck_the_chance_is_that_of_turns_that_keep_the_card(card: str) -> None:
    hidden = read_position(read_text(HIDDEN))
    given = {"objective": "max_distance", "within_turns": 1}
    position, goal = question_of({**given, "keep": [card]}, hidden)
    answer = best_hidden(Question(position, goal, Budget(time_s=60)))
    game, start = hidden.start()
    had = copies(dict(hidden.state), card)
    ends = [
        (
            end.steps,
            end.orders,
            Fraction(game.progress(end.table)) if copies(game.encode(end.table), card) >= had else None,
        )
        for end in game.turn_ends(start.table)
    ]
    assert answer.value == fold(ends)
    assert answer.status is (Status.INFEASIBLE if answer.value is None else Status.OPTIMAL)


def test_the_goal_says_what_is_kept() -> None:
    position, goal = asked("sprint-20", "husky", objective="reach", within_turns=5)
    assert goal_table(goal, position)["keep"] == ["husky"]
    assert goal.objective is Objective.REACH
    assert solve(*asked("sprint-20", "husky"), Budget(states=5)).status is not Status.INFEASIBLE
