"""Challenges answered by the solver: the puzzles of the specification, what is forbidden, what progress counts."""

from __future__ import annotations

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.challenge import Measure, Quest
from rules.core.errors import DisagreementError
from rules.core.scripts import Step
from rules.trench_rescue.content import Table
from solver.engines.answers import solve
from solver.lines import replayed_value
from solver.proofs import CHECKED_BY, cross_check
from solver.question import Status, TurnLine
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.tasks import SOLVED, asked

LIBRARY = {
    "TR-P1": "lone-ace",
    "TR-P2": "two-rescuers",
    "TR-P3": "three-hands",
    "TR-P4": "changing-of-the-guard",
    "TR-P5a": "one-by-one",
    "TR-P5b": "front-row",
    "TR-P5c": "silent-relay",
    "TR-P6": "call-up",
    "TR-P7": "under-fire",
    "TR-P8": "odd-is-free",
    "TR-P9": "send-the-ace",
}
"""Puzzles of the library that are those of the specification."""


@pytest.mark.parametrize(("challenge", "battle", "goal", "turns"), SOLVED)
def test_the_library_holds_the_puzzles_of_the_specification(
    challenge: str, battle: Battle, goal: dict[str, list[str]], turns: int, request: pytest.FixtureRequest
) -> None:
    puzzle = load_puzzle(LIBRARY[request.node.callspec.id])
    assert (puzzle.goal.challenge, puzzle.goal.terms) == (challenge, goal)
    assert puzzle.position.table() == battle.table
    assert puzzle.solution is not None
    assert puzzle.solution.value == turns == len(puzzle.solution.line)


def test_a_line_that_draws_a_shell_is_no_answer_where_none_may_fall() -> None:
    puzzle = load_puzzle("silent-relay")
    game, start = puzzle.position.start()
    assert isinstance(game, Quest)
    state, steps = start, []
    for text in ("enter AC x1", "enter KC x4", "end"):
        step: Step = game.parse_step(state, text)
        steps.append(step)
        state = game.apply(state, step).state
    with pytest.raises(DisagreementError, match="forbids"):
        replayed_value(game, start, (TurnLine(tuple(steps)),), puzzle.goal)


@pytest.mark.parametrize("name", ["night-watch", "one-by-one"])
def test_the_search_and_the_rules_keep_to_the_challenge_alike(name: str) -> None:
    """A stack of two would be faster in the first one, but it draws a shell."""
    puzzle = load_puzzle(name)
    report = solve(puzzle.position, puzzle.goal)
    assert CHECKED_BY in cross_check(puzzle.position, puzzle.goal, report, 600).proof.checked_by
    assert report.status is Status.OPTIMAL


def test_progress_counts_the_cards_that_are_where_they_have_to_be() -> None:
    battle = Battle("AS@1,1", {"1,1": "5C", "2,2": "3H"}, players=1, known=("cards", "deck", "shells"))
    everything = asked(battle, "TR-S2")
    assert (everything.profile.unit, everything.profile.target, everything.progress(battle.table)) == ("home", 2, 0)
    battle.play("go AS home take; end")
    assert everything.progress(battle.table) == 1
    battle.play("enter 5C x1; end")
    assert everything.progress(battle.table) == 0, "out again"


def test_what_is_asked_names_the_cards() -> None:
    battle = Battle("AS@1,1", {"1,1": "5C"}, players=1)
    assert asked(battle, "TR-S4", cards=["5C", "AS"]).question == (
        "The fewest turns until 5C and AS are able-bodied at home."
    )
    assert asked(battle, "TR-S1", also_home=["AS"]).question.endswith("or deck, with AS in the trench in the end.")


def test_no_game_ends_above_the_highest_score() -> None:
    battle = Battle(
        "9C@2,1 KC@3,1",
        {"2,1": "4D", "3,1": "QD", "2,2": "JS"},
        players=1,
        known=("cards", "deck", "shells"),
        options={"turn_limit": 20},
        turn=19,
        deck=both("2C 3C"),
    )
    quest = asked(battle, "TR-S3")
    assert quest.challenge.measure is Measure.SCORE
    layer, ended = {battle.table}, list[Table]()
    while layer:
        bounds = {table: quest.bound(table) for table in layer}
        after: dict[Table, None] = {}
        for table, most in bounds.items():
            for end in quest.turn_ends(table):
                following = quest.bound(end.table)
                assert following is not None
                assert most is not None
                assert following <= most
                after[end.table] = None
        ended += [table for table in after if battle.game.is_over(table)]
        layer = {table for table in after if not battle.game.is_over(table)}
    assert max(quest.done(table) for table in ended) == quest.done(battle.table) + 4
    assert all(quest.bound(table) == quest.done(table) for table in ended)
