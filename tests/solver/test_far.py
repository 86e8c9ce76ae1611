"""Moves compared by playouts that play on plainly: plain play is improved, never taken on trust."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.steps import Forced, Step
from solver.far import PlainComparison
from solver.hidden import best_hidden
from solver.report import Limit, Status
from solver.sampled import ROUND, Sampled, interval
from solver.search.coasting import SLIGHT, Coasted, Coasting, CoastingAim, is_far
from solver.search.kinds import kind_of
from tests.rules.iditacards.boards import Board, seat

FAR = Goal(Objective.MIN_TURNS, 161)


@pytest.fixture
def board() -> Board:
    deck = "rest breakfast lunch a_hat move move mush mush lunch dinner"
    return Board("2019-02", seat(pos=40, hand="move husky", deck=deck, dogs="wheel_dog"), known=(), weather="wind")


def compared(board: Board, playouts: int, seed: int = 0) -> Sampled:
    aim = CoastingAim(board.game, FAR, board.state.table)
    moves = list(board.game.legal_moves(board.state))
    comparison = PlainComparison(board.game, board.state, aim, moves, seed=seed)
    comparison.run(None, playouts)
    return comparison.found()


def test_without_playouts_the_move_is_that_of_plain_play(board: Board) -> None:
    opinion = board.game.plain_play(board.state.table, 0)
    best = max(board.game.legal_moves(board.state), key=opinion)
    found = compared(board, 1)
    assert found.samples[0].move == best
    assert found.playouts == 1
    assert [len(each.shown) for each in found.samples][1:] == [0] * (len(found.samples) - 1)


def test_one_move_of_each_kind_is_tried_before_other_ways_to_pay_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = "move husky armour a_hat lunch dinner breakfast"
    board = Board("2019-02", seat(pos=40, hand=hand, deck="rest mush move", dogs="wheel_dog"), known=(), weather="wind")

    def dogged(_: Coasting, moves: Sequence[Step]) -> list[float]:
        return [0.0 if move.text.startswith("play husky") else -1.0 for move in moves]

    monkeypatch.setattr(Coasting, "opinions", dogged)
    moves = {kind_of(move.text) for move in board.game.legal_moves(board.state)}
    tried = [kind_of(each.move.text) for each in compared(board, 24).samples if each.grown]
    assert len(moves) > 5
    assert set(tried) == moves
    many = [kind_of(each.move.text) for each in compared(board, 150).samples if each.grown]
    assert many.count("play husky ") > tried.count("play husky "), "with more playouts the payments are told apart, too"


def test_a_wrong_opinion_gives_way_to_playouts(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    def perverse(_: Coasting, moves: Sequence[Step]) -> list[float]:
        return [3.0 * move.text.startswith("sacrifice") for move in moves]

    monkeypatch.setattr(Coasting, "opinions", perverse)
    assert compared(board, 1).samples[0].move.text == "sacrifice wheel_dog"
    assert compared(board, 150).samples[0].move.text != "sacrifice wheel_dog"


def test_the_exact_answer_gets_little_time_where_nobody_arrives_soon(board: Board) -> None:
    near = Board("2019-02", seat(pos=155, hand="move husky", deck="mush mush", dogs="wheel_dog"), known=())
    assert is_far(board.game, board.state, FAR)
    assert not is_far(near.game, near.state, FAR)
    assert not is_far(board.game, board.state, Goal(Objective.MAX_DISTANCE, 161, 30))


def test_every_move_is_tried_before_a_verdict(board: Board) -> None:
    found = compared(board, 200)
    assert all(each.shown for each in found.samples)
    assert found.playouts <= 200 + len(found.samples)


def test_the_same_seed_gives_the_same_answer(board: Board) -> None:
    first, second, other = compared(board, 60, 5), compared(board, 60, 5), compared(board, 60, 6)
    assert [(each.move, each.shown) for each in first.samples] == [(each.move, each.shown) for each in second.samples]
    assert [each.shown for each in first.samples] != [each.shown for each in other.samples]


def test_shown_values_did_not_choose_the_finalists(board: Board) -> None:
    """The best few are shown on draws of their own, so that the luckiest of them promises no more than it has."""
    found = compared(board, 100)
    fresh = [each for each in found.samples if each.values]
    assert len(fresh) > 1
    assert len({len(each.values) for each in fresh}) == 1, "the same draws for all"
    assert all(each.values != each.grown[: len(each.values)] for each in fresh)


@pytest.mark.parametrize("done", [0, 3])
def test_a_stop_keeps_what_was_played(board: Board, done: int, monkeypatch: pytest.MonkeyPatch) -> None:
    grow, calls = Coasting.grow, iter(range(done))

    def stopped(self: Coasting, begun: Sequence[Step | Forced], number: int) -> Coasted:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return grow(self, begun, number)

    monkeypatch.setattr(Coasting, "grow", stopped)
    report = best_hidden(board.position, FAR, playouts=1 if not done else 50)
    assert report.interrupted
    assert report.status is (Status.FEASIBLE if done else Status.UNKNOWN)
    assert sum(each.playouts for each in report.options) == done


def test_a_move_that_is_not_first_loses_nothing_by_luck(board: Board) -> None:
    for seed in range(2):
        options = best_hidden(board.position, FAR, playouts=40, seed=seed).options
        assert all(each.loss is None or each.loss >= 0 for each in options)
        assert options[0].loss == 0


def test_what_earlier_rounds_have_found_still_counts(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that is better in the first rounds alone stays the advice, and no round's fresh draws are forgotten."""
    moves = list(board.game.legal_moves(board.state))
    opinion = board.game.plain_play(board.state.table, 0)
    assert opinion is not None
    ranked = sorted(moves, key=lambda move: (-opinion(move), move.text))
    second = board.game.begun(board.state, ranked[1])

    def alike(*_: object) -> Coasted:
        return Coasted(Fraction(50), 50.0)

    def luckier(_: Coasting, begun: Sequence[Step | Forced], number: int) -> Coasted:
        better = number < ROUND and tuple(begun) == tuple(second)  # the first round's draws
        return Coasted(Fraction(50), 500.0 if better else 50.0)

    monkeypatch.setattr(Coasting, "opinions", lambda _, them: [-0.1 * ranked.index(move) for move in them])
    monkeypatch.setattr(Coasting, "grow", alike)
    monkeypatch.setattr(Coasting, "play", alike)
    assert compared(board, 100).samples[0].move == ranked[0]
    monkeypatch.setattr(Coasting, "play", luckier)
    assert compared(board, 100).samples[0].move == ranked[1]


def test_intervals_cover_what_many_playouts_say(board: Board) -> None:
    """Playouts of one move are draws of one fixed way to play, so that Student's interval holds for their mean."""
    aim = CoastingAim(board.game, Goal(Objective.MAX_DISTANCE, 161, 3), board.state.table)
    begun = board.game.begun(
        board.state, max(board.game.legal_moves(board.state), key=lambda move: move.text == "new_day")
    )

    def means(seed: int, draws: int) -> list[float]:
        playouts = Coasting(board.game, board.state, aim, seed=seed)
        return [float(playouts.play(begun, number).value) for number in range(draws)]

    long_run = means(99, 240)
    true = sum(long_run) / len(long_run)
    held = [low <= true <= high for low, high in (interval(means(seed, 10), 100.0) for seed in range(16))]
    assert sum(held) >= 14


def test_a_move_that_is_asked_about_is_compared_however_bad(board: Board) -> None:
    worst = compared(board, 1).samples[-1].move
    unasked = best_hidden(board.position, FAR, playouts=1).options
    assert next(each for each in unasked if each.move == worst).value is None
    for limit, least in ((Limit(time_s=0.2), 1), (None, 2)):
        report = best_hidden(board.position, FAR, limit, playouts=60, versus=worst)
        asked = next(each for each in report.options if each.move == worst)
        assert asked.playouts >= least
        assert asked.value is not None


def test_what_kind_of_move_is_best_is_told_where_its_ways_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways to pay for one card are worth the same on every draw, and each other move is worth less on average."""
    hand = "husky armour a_hat lunch dinner"
    board = Board("2019-02", seat(pos=40, hand=hand, deck="rest mush move", dogs="wheel_dog"), known=(), weather="wind")
    better = {
        tuple(board.game.begun(board.state, move))
        for move in board.game.legal_moves(board.state)
        if move.text.startswith("play husky")
    }

    def played(self: Coasting, begun: Sequence[Step | Forced], number: int) -> Coasted:
        self._lowest, self._highest = 50.0, 66.0
        value = Fraction(50 + 10 * (tuple(begun) in better) + number % 7)
        return Coasted(value, float(value))

    monkeypatch.setattr(Coasting, "grow", played)
    monkeypatch.setattr(Coasting, "play", played)
    found = compared(board, 2_000)
    assert len(better) > 1
    assert found.kind == "play husky"
    assert found.verdict != "decided"
    kinds = {kind_of(each.move.text) for each in found.samples if each.values}
    assert len(kinds) > 1, "the best of another kind is compared as well"


def test_a_move_that_comes_to_be_one_of_the_best_meets_all_draws_of_the_others(board: Board) -> None:
    for playouts in (100, 400, 900):
        fresh = [each for each in compared(board, playouts).samples if each.values]
        assert len({len(each.values) for each in fresh}) == 1
        assert len(fresh) > 1


def test_a_slight_difference_is_part_of_a_turn(board: Board) -> None:
    aim = CoastingAim(board.game, FAR, board.state.table)
    turn = 36 / aim.span
    assert SLIGHT * turn <= aim.slight(76.0, 100.0) < turn
