"""The best move is proved first: what is told of the others by then holds, and their losses are exact in the end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from benchmarks.duels import endgame
from solver.encodings import duel_tree
from solver.engines.contest import ContestQuestion
from solver.question import Question, Status
from solver.screens.answer import Answered, answer_data
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectiminimax import Expectiminimax, Modelled, PlainTree
from tests.rules.trench_rescue.duels import OPTIONS, small

SMALL = (0, 3, 5, 8)


def searched(position: Any) -> tuple[Expectiminimax, PlainTree]:
    game, start = position.start()
    tree = duel_tree(game, start.table)
    assert tree.name == "encoded"
    return Expectiminimax(tree, Budget()), tree


def true_losses(position: Any) -> dict[str, Fraction]:
    """Return what every move loses, each valued by a search of its own."""
    game, start = position.start()
    sign = 1 if game.to_act(start) == 0 else -1
    values = {}
    for move in game.legal_moves(start):
        search, tree = searched(position)
        values[move.text] = sign * search.value(tree.after(start, move))
    best = max(values.values())
    return {text: best - value for text, value in values.items()}


@pytest.mark.parametrize("seed", SMALL)
def test_losses_become_exact(seed: int) -> None:
    position = endgame(seed, 2, "queue", 0, 0)
    report = ContestQuestion(Question(position, limit=Budget(time_s=60))).answer()
    assert report.verdict == "exact"
    assert {each.move.text: each.loss for each in report.moves} == true_losses(position)


@pytest.mark.parametrize("seed", [2, 3, 7])
def test_the_best_moves_are_those_of_an_unpruned_search(seed: int) -> None:
    position = small(seed, (2, 2, 4)[seed % 3], 2, OPTIONS[seed % len(OPTIONS)]).position
    game, start = position.start()
    plain, control = PlainTree(game), Modelled(PlainTree(game), {}, Budget())
    seat = game.to_act(start)
    values = {move.text: control.values(plain.after(start, move))[seat] for move in game.legal_moves(start)}
    report = ContestQuestion(Question(position, limit=Budget(time_s=60))).answer()
    best = max(values.values())
    assert report.value == best
    assert {each.move.text: each.loss for each in report.moves} == {text: best - each for text, each in values.items()}


def test_a_horizon_is_only_lifted_while_nothing_hangs_on_it() -> None:
    position = endgame(3, 2, "queue", 0, 0)
    search, tree = searched(position)
    _, start = position.start()
    pace = tree.pace(tree.key(start))
    search.look(pace + 1)
    search.value(start)
    assert search.cut_short, "play goes on beyond one turn"
    search.look(pace + 4)
    search.value(start)
    search.lift()
    assert not search.cut_short


def stop_when_proved(question: ContestQuestion, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a question stop at the first other move that is valued once the best one is exact."""
    valued, value = [], question._value

    def once(move: Any) -> Fraction:
        if question._exact:
            valued.append(move)
        if len(valued) > 1:
            raise BudgetExceeded
        return value(move)

    monkeypatch.setattr(question, "_value", once)


def test_what_stops_after_the_best_move_says_what_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    position = endgame(3, 2, "queue", 0, 0)
    losses = true_losses(position)
    worst = max(losses, key=lambda text: losses[text])
    game, start = position.start()
    asked = game.parse_step(start, worst)
    question = ContestQuestion(Question(position, limit=Budget(time_s=60), versus=asked))
    stop_when_proved(question, monkeypatch)
    report = question.answer()
    assert (report.status, report.verdict) == (Status.OPTIMAL, "decided")
    assert report.moves[0].loss == 0
    assert report.contest is not None
    assert report.contest.low == report.bound == report.value
    told = {each.move.text: each for each in report.moves}
    assert told[worst].loss == losses[worst], "the move asked about comes first"
    left = [each for each in report.moves if each.loss is None]
    assert left
    assert all(each.value is None and each.at_least is not None for each in left)
    assert all(each.at_least <= losses[each.move.text] for each in left if each.at_least is not None)
    answer = answer_data("best", Question(position), report, 99, timed=False)
    open_ones = [each for each in answer["moves"] if each["loss"] is None]
    assert {each["loss_at_least"] is None for each in open_ones} == {False}
    shown = " ".join(row.text for row in Answered("best", Question(position), report, top=99, timed=False).rows())
    assert ", proved best" in shown
    assert f"{len(left)} are no better than the best" in shown


def test_asked_again_it_goes_on_where_it_was() -> None:
    position = endgame(3, 2, "queue", 0, 0)
    clock = iter(range(10_000_000))
    question = ContestQuestion(Question(position, limit=Budget(time_s=0.0, clock=lambda: float(next(clock)))))
    assert question.answer().status is not Status.OPTIMAL
    question.budget.time_s = None
    report = question.answer()
    assert report.verdict == "exact"
    assert {each.move.text: each.loss for each in report.moves} == true_losses(position)


@pytest.mark.slow
def test_three_turns_before_the_end_best_move_and_value_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ContestQuestion(Question(endgame(0, 3, "queue")))
    stop_when_proved(question, monkeypatch)
    report = question.answer()
    assert report.status is Status.OPTIMAL
    assert report.moves[0].loss == 0
