"""Goals beyond the reach of playouts: what stands on the table counts by what it brings."""

from __future__ import annotations

from fractions import Fraction

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.steps import Step
from solver.hidden import best_hidden
from solver.hidden_screen import hidden_answer, hidden_rows
from solver.render import Style
from solver.search.aims import GoalAim
from solver.search.coasting import COASTED, SEARCHED, CoastingAim, coasts
from solver.search.ismcts import InformationTrees
from solver.search.rollout import AHEAD
from tests.rules.iditacards.boards import Board, seat

FAR = Goal(Objective.MIN_TURNS, 161)


def _board(pos: int = 40) -> Board:
    deck = "rest breakfast lunch a_hat move move mush mush lunch dinner"
    return Board("2019-02", seat(pos=pos, hand="move husky", deck=deck, dogs="wheel_dog"), known=(), weather="sun")


def _mean(board: Board, aim: GoalAim, text: str) -> float:
    trees = InformationTrees(board.game, board.state, aim, alone=True)
    move = next(move for move in board.game.legal_moves(board.state) if move.text.startswith(text))
    values = [trees.grow(board.game.begun(board.state, move), number) for number in range(40)]
    return float(sum(values, Fraction(0)) / len(values))


def test_only_far_goals_are_coasted_to() -> None:
    game = _board().game
    assert coasts(game, FAR)
    assert coasts(game, Goal(Objective.REACH, 161, AHEAD + 1))
    assert not coasts(game, Goal(Objective.REACH, 161, AHEAD))


def test_a_limit_holds_for_search_and_coasting_together() -> None:
    board = _board()
    for within in (None, AHEAD + 1, 99):
        aim = CoastingAim(board.game, Goal(Objective.MAX_DISTANCE, 161, within), board.state.table)
        assert aim.span + aim.coasting == aim.goal.within_turns == min(within or 99, SEARCHED + COASTED)


def test_a_dog_counts_by_what_it_brings() -> None:
    board = _board()
    soon = GoalAim(board.game, Goal(Objective.MAX_DISTANCE, 161, 1))
    late = CoastingAim(board.game, FAR, board.state.table)
    assert _mean(board, soon, "sacrifice") > _mean(board, soon, "new_day"), "at once a dog given up is distance won"
    assert _mean(board, late, "sacrifice") < _mean(board, late, "new_day") - 2, "later it is distance lost"


def test_sooner_is_better_and_arriving_beats_any_distance_before() -> None:
    board = _board(158)
    aim = CoastingAim(board.game, FAR, board.state.table)
    short = _board(160).state.table
    there = short._replace(players=(short.players[0]._replace(pos=163),))
    worth = [aim.arrived(there, done) for done in range(1, SEARCHED + COASTED + 1)]
    known = [value for value in worth if value is not None]
    assert len(known) == len(worth)
    assert known == sorted(known, reverse=True)
    assert len(set(known)) == len(known)
    assert aim.arrived(short, 1) is None
    assert aim.ended(short) < known[-1]
    distance = CoastingAim(board.game, Goal(Objective.MAX_DISTANCE, 161, 30), board.state.table)
    assert distance.arrived(there, 1) is None, "a distance that was asked for stays one"


def test_plain_play_leaves_last_resorts_alone() -> None:
    board = _board()
    aim, generator = CoastingAim(board.game, FAR, board.state.table), SplitMix64(3)
    moves: list[Step] = list(board.game.legal_moves(board.state))
    played = {aim.plain(moves, generator).text.split()[0] for _ in range(60)}
    assert {move.text.split()[0] for move in moves} > played == {"play"}
    resorts = [move for move in moves if move.text.split()[0] in board.game.last_resorts]
    assert aim.plain(resorts, generator) in resorts


def test_the_last_space_is_taken() -> None:
    board = _board(159)
    report = best_hidden(board.position, FAR, playouts=60)
    if report.verdict:
        assert report.options[0].move.text.startswith("play")


def test_the_answer_tells_how_far_was_looked() -> None:
    board = _board()
    report = best_hidden(board.position, FAR, playouts=30)
    assert (report.method, report.coasting, report.bound) == ("sampled", COASTED, None)
    told = "\n".join(row.text for row in hidden_rows("", board.position, report, Style(), 3, None, timed=False))
    assert f"then {COASTED} turns of plain play" in told
    assert hidden_answer("best", board.position, report, 3, None, timed=False)["coasting"] == COASTED
