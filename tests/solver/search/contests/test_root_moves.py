"""The best move is proved first: what is told of the others by then holds, and their losses are exact in the end."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from benchmarks.duels import endgame
from solver.encodings.turns import encoded_duel
from solver.engines.duel import contest_question
from solver.question import Question, Status
from solver.screens.answer import View, answer_rows
from solver.screens.data import answer_data
from solver.search.budget import Budget
from solver.search.contests.expectiminimax import EncodedContest, Horizon
from solver.search.contests.modelled import Modelled
from solver.search.contests.root_moves import RootMoves
from solver.search.contests.tree import PlainTree
from tests.rules.trench_rescue.duels import OPTIONS, small

SMALL = (0, 3, 5, 8)


def encoded(position: Any) -> EncodedContest:
    game, start = position.start()
    make = encoded_duel(game, start.table)
    assert make is not None
    return EncodedContest(make, PlainTree(game), Budget())


def root_of(position: Any) -> tuple[RootMoves, Any, EncodedContest]:
    game, start = position.start()
    search = encoded(position)
    return RootMoves(search, PlainTree(game), start, game.to_act(start)), game.legal_moves(start), search


def true_losses(position: Any) -> dict[str, Fraction]:
    """Return what every move loses, each valued by a search of its own."""
    game, start = position.start()
    plain = PlainTree(game)
    sign = 1 if game.to_act(start) == 0 else -1
    values = {move.text: sign * encoded(position).value(plain.after(start, move)) for move in game.legal_moves(start)}
    best = max(values.values())
    return {text: best - value for text, value in values.items()}


@pytest.mark.parametrize("seed", SMALL)
def test_bounds_hold_and_losses_become_exact(seed: int) -> None:
    position = endgame(seed, 2, "queue", 0, 0)
    losses = true_losses(position)
    root, moves, _ = root_of(position)
    assert root.settle(moves)
    for move, rated in root.rated.items():
        assert rated.at_least <= losses[move.text]
        assert (rated.loss == 0) == (losses[move.text] == 0)
    assert any(rated.loss is None for rated in root.rated.values())
    assert all(root.rated[move].loss is not None for move in root.refine(moves))
    assert {move.text: rated.loss for move, rated in root.rated.items()} == losses


@pytest.mark.parametrize("seed", [2, 3, 7])
def test_the_best_moves_are_those_of_an_unpruned_search(seed: int) -> None:
    position = small(seed, (2, 2, 4)[seed % 3], 2, OPTIONS[seed % len(OPTIONS)]).position
    game, start = position.start()
    plain, control = PlainTree(game), Modelled(PlainTree(game), {}, Budget())
    values = {move.text: control.values(plain.after(start, move))[0] for move in game.legal_moves(start)}
    best = max(values.values()) if game.to_act(start) == 0 else min(values.values())
    root, moves, _ = root_of(position)
    assert root.settle(moves)
    assert root.value == best
    assert {move.text for move in moves if root.rated[move].loss == 0} == {
        text for text, value in values.items() if value == best
    }


def test_a_horizon_is_only_lifted_while_nothing_hangs_on_it() -> None:
    position = endgame(3, 2, "queue", 0, 0)
    root, moves, search = root_of(position)
    game, start = position.start()
    pace = game.pace(start.table)
    search.look(Horizon(pace + 1))
    assert not root.settle(moves), "play goes on beyond one turn"
    search.look(Horizon(pace + 4))
    assert root.settle(moves)
    assert not search.tally.cut_short


def test_what_stops_after_the_best_move_says_what_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    position = endgame(3, 2, "queue", 0, 0)
    losses = true_losses(position)
    refine = RootMoves.refine
    monkeypatch.setattr(RootMoves, "refine", lambda root, moves: islice(refine(root, moves), 1))
    worst = max(losses, key=lambda text: losses[text])
    game, start = position.start()
    asked = game.parse_step(start, worst)
    report = contest_question(position, Budget(time_s=60), asked=asked).answer()
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
    shown = " ".join(row.text for row in answer_rows(Question(position), report, View(top=99, timed=False)))
    assert "no other move can be better" in shown
    assert f"{len(left)} are no better than the best" in shown


def test_asked_again_it_goes_on_where_it_was() -> None:
    position = endgame(3, 2, "queue")
    clock = iter(range(10_000_000))
    question = contest_question(position, Budget(time_s=0.0, clock=lambda: float(next(clock))))
    assert question.answer().status is not Status.OPTIMAL
    question.budget.extend(None)
    report = question.answer()
    assert report.verdict == "exact"
    assert {each.move.text: each.loss for each in report.moves} == true_losses(position)


@pytest.mark.slow
def test_three_turns_before_the_end_best_move_and_value_are_exact() -> None:
    for seed in (0, 5):
        limit = Budget(time_s=60, clock=time.process_time)
        report = contest_question(endgame(seed, 3, "queue"), limit).answer()
        assert report.status is Status.OPTIMAL
        assert report.moves[0].loss == 0
