"""Goals beyond the reach of playouts: what stands on the table counts by what it brings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.keeping import KeepingRace
from rules.core.position import new_position
from rules.core.race import PlainPlay
from rules.core.ruleset import load_ruleset
from rules.core.scripts import Script
from rules.core.steps import ChanceOutcome, Step
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from solver.comparing import compared
from solver.hidden import best_hidden
from solver.render import Style
from solver.report import Limit
from solver.screens.hidden import hidden_answer, hidden_rows
from solver.search.coasting import COASTED, COUNTED, CREDIT, LOST, TRUST, Coasting, CoastingAim, coasts
from solver.search.layers import Watch
from solver.search.rollout import AHEAD, Answer, Draws, Playing
from tests.rules.iditacards.boards import Board, seat

FAR = Goal(Objective.MIN_TURNS, 161)
MANY = "move dinner breakfast a_hat husky lead_dog good_dog first_aid"
"""Cards of a deck with which exact search does not get to an end."""


def _board(pos: int = 40, **more: object) -> Board:
    deck = "rest breakfast lunch a_hat move move mush mush lunch dinner"
    player = {"pos": pos, "hand": "move armour", "deck": deck, "dogs": "husky wheel_dog", **more}
    return Board("2019-02", seat(**player), known=(), weather="sun")


def _move(board: Board, text: str) -> Step:
    return next(move for move in board.game.legal_moves(board.state) if move.text.startswith(text))


def _mean(board: Board, goal: Goal, text: str) -> float:
    playouts = Coasting(board.game, board.state, CoastingAim(board.game, goal, board.state.table))
    begun = board.game.begun(board.state, _move(board, text))
    return float(sum((playouts.grow(begun, number).value for number in range(30)), Fraction(0)) / 30)


def test_only_far_goals_are_coasted_to() -> None:
    board = _board()
    game, table = board.game, board.state.table
    assert coasts(game, FAR, table)
    assert coasts(game, Goal(Objective.REACH, 161, AHEAD + 1), table)
    assert not coasts(game, Goal(Objective.REACH, 161, AHEAD), table)


def test_a_limit_holds_for_playouts() -> None:
    board = _board()
    for within in (None, 8, 99):
        aim = CoastingAim(board.game, Goal(Objective.MAX_DISTANCE, 161, within), board.state.table)
        assert aim.span == aim.goal.within_turns == min(within or 99, COASTED)


def test_a_dog_counts_by_what_it_brings() -> None:
    board, soon = _board(50), Goal(Objective.MAX_DISTANCE, 161, 1)
    assert _mean(board, soon, "sacrifice husky") > _mean(board, soon, "new_day") + 1
    assert _mean(board, FAR, "sacrifice husky") < _mean(board, FAR, "new_day") - 1, "what is lost shows later"


def test_sooner_is_better_and_arriving_beats_any_distance_before() -> None:
    board = _board(158)
    aim = CoastingAim(board.game, FAR, board.state.table)
    short = _board(160).state.table
    there = short._replace(players=(short.players[0]._replace(pos=163),))
    worth = [aim.arrived(there, done) for done in range(1, COASTED + 1)]
    known = [value for value in worth if value is not None]
    assert len(known) == len(worth)
    assert known == sorted(known, reverse=True)
    assert len(set(known)) == len(known)
    assert aim.arrived(short, 1) is None
    assert aim.ended(short) < known[-1]
    distance = CoastingAim(board.game, Goal(Objective.MAX_DISTANCE, 161, 30), board.state.table)
    assert distance.arrived(there, 1) is None, "a distance that was asked for stays one"


@pytest.mark.parametrize("forbidden", [frozenset[str](), frozenset({"new_day"})])
def test_plain_play_leaves_alone_what_a_goal_forbids(
    forbidden: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    days: list[int] = []

    class Watched(CoastingAim):
        def ended(self, table: Any) -> Fraction:
            days.append(table.day)
            return super().ended(table)

    board = _board(hand="move armour")
    monkeypatch.setattr(board.game, "plain_play", lambda *_: lambda move: float(move.text == "new_day"))
    aim = Watched(board.game, Goal(Objective.MAX_DISTANCE, 161, 2, forbidden), board.state.table)
    Coasting(board.game, board.state, aim).grow(board.game.begun(board.state, _move(board, "play move")), 1)
    assert days == [0 if forbidden else 1]


def test_a_turn_that_loses_what_is_kept_is_worth_nothing() -> None:
    board = _board()
    game = KeepingRace(board.game, {"husky": 1}, 0)
    aim = CoastingAim(game, FAR, board.state.table)
    playouts = Coasting(game, State(board.state.table), aim)
    assert playouts.grow(board.game.begun(board.state, _move(board, "sacrifice husky")), 1).value == aim.lost
    assert playouts.grow(board.game.begun(board.state, _move(board, "new_day")), 1).value > aim.lost


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
    assert f"the distance after {COASTED} turns: the move, then plain play" in told
    assert hidden_answer("best", board.position, report, 3, None, timed=False)["coasting"] == COASTED


def test_who_is_as_far_on_but_better_off_is_judged_to_be_better() -> None:
    board, worse = _board(), _board(dogs="husky")
    aim = CoastingAim(board.game, FAR, board.state.table)
    one, other = (aim.judged(each.state.table, COASTED, Fraction(40)) for each in (board, worse))
    assert one > other
    elsewhere = CoastingAim(board.game, Goal(Objective.MIN_TURNS, 150), board.state.table)
    assert elsewhere.judged(worse.state.table, COASTED, Fraction(40)) == 40.0, "the guess knows one finish only"


def test_a_guess_counts_no_more_than_its_credit() -> None:
    board, stuck = _board(), _board(dogs="", hypothermia=5)
    aim = CoastingAim(board.game, FAR, board.state.table)
    left = board.game.turns_to_go(stuck.state.table, 0)
    assert left > 2 * board.game.turns_to_go(board.state.table, 0)
    assert aim.judged(stuck.state.table, COASTED, Fraction(40)) >= 40 - CREDIT * TRUST


def test_an_arrival_is_judged_by_its_turns() -> None:
    near = _board(148)
    aim = CoastingAim(near.game, FAR, near.state.table)
    there = near.state.table._replace(players=(near.state.table.players[0]._replace(pos=163),))
    judged = [aim.judged(there, done, Fraction(0)) for done in range(1, COASTED + 1)]
    assert judged == sorted(judged, reverse=True)
    assert len(set(judged)) == COASTED
    assert judged[-1] == FAR.target


def test_a_race_that_is_over_before_its_target_is_lost() -> None:
    """Who goes through the finish and is taken back in the same turn has ended the race, and is not there (R69)."""
    player = seat(pos=158, hand="move", deck="lunch", dogs="husky wheel_dog", hypothermia=1, starvation=1)
    board = Board("2019-08", player, known=(), weather="sun")
    aim = CoastingAim(board.game, FAR, board.state.table)
    playouts = Coasting(board.game, board.state, aim)
    begun = [board.game.begun(board.state, _move(board, text)) for text in ("play move", "new_day")]
    over, on = (playouts.grow(each, 0) for each in begun)
    assert over.value > on.value
    assert over.judged == 158 - LOST < on.judged


def test_near_the_finish_turns_are_counted() -> None:
    """One space short of it a distance that playouts would come to says nothing, and misleads."""
    player = seat(pos=160, hand="mush lunch breakfast", deck=MANY, dogs="wheel_dog", hypothermia=1)
    board = Board("2019-08", player, known=(), weather="sun")
    report = best_hidden(board.position, FAR, playouts=200)
    assert (report.goal.objective, report.goal.within_turns, report.coasting) == (Objective.MIN_TURNS, COUNTED, COUNTED)
    best = report.options[0]
    assert best.move.text == "play lunch pay breakfast mush"
    assert best.value is not None
    assert 1 <= best.value < COASTED
    assert best.interval is not None
    assert best.interval[0] <= float(best.value) <= best.interval[1]
    assert all(best.value <= each.value for each in report.options if each.value is not None and each.playouts > 1)
    rows = hidden_rows("", board.position, report, Style(plain=True), 3, None, asked=FAR, timed=False)
    told = "\n".join(row.text for row in rows)
    assert told.startswith("Be at space 161 or beyond in the fewest turns.\n\n")
    assert f"whoever is not there in time counts as there after {COUNTED} turns" in told
    assert "turns if played on plainly" in told


def test_a_stop_while_it_is_looked_how_near_the_goal_is_keeps_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    board = _board(158)
    real = Coasting.grow
    calls = []

    def grow(self: Coasting, *words: Any) -> Any:
        calls.append(words)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return real(self, *words)

    monkeypatch.setattr(Coasting, "grow", grow)
    report = compared(board.position, FAR, Limit(5), Watch(Limit()))
    assert report.interrupted
    assert report.options[0].value is not None
    assert len(calls) == 2


@pytest.mark.parametrize("name", ["2017", "2019-02", "2019-08"])
def test_a_card_drawn_is_the_one_that_listing_all_would_have_brought(name: str) -> None:
    class Listing(Playing):
        """Lists what may come up."""

        def one_of(self, source: str, cards: Sequence[str]) -> str:
            return Script.one_of(self, source, cards)

    position = new_position(load_ruleset(f"iditacards/{name}"), 1, 7, ())
    game, start = position.start()
    assert isinstance(game, Iditacards)
    for seed in range(6):
        table, one, other = start.table, Draws(seed), Draws(seed)
        for _ in range(20):
            if game.is_over(table):
                break
            plain = game.plain_play(table, 0)
            scripts = [kind((), draws, _plainly(plain)) for kind, draws in ((Playing, one), (Listing, other))]
            ends = [game.play_turn(table, script) for script in scripts]
            assert ends[0] == ends[1]
            assert scripts[0].steps == scripts[1].steps
            chances = [
                [step.probability for step in script.steps if isinstance(step, ChanceOutcome)] for script in scripts
            ]
            assert chances[0] == chances[1]
            table = ends[0]


def _plainly(plain: PlainPlay) -> Answer:
    return lambda _, __, answers: max(answers, key=plain)
