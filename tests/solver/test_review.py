"""Records judged step by step, against a plain reading of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from puzzles.puzzle import Goal, Objective, question_of
from solver.engines.answers import solve
from solver.engines.hidden import best_hidden
from solver.question import Question, Status
from solver.render import Style, draw
from solver.screens.common import information_text
from solver.screens.games import review_answer, review_rows
from solver.search.budget import Budget
from solver.search.expectimax import Expectimax
from solver.tools.review import Guess, Judged, Review, review
from solver.tools.simulate import sampled_luck
from tests.rules.iditacards.boards import ALL_OPEN, Board, seat
from tests.solver.search.step_by_step import read

DAY = frozenset({"new_day"})
LOST = ["play armour pay mush", "deck rest", "deck lunch", "deck breakfast"]
"""The goal is given up at once."""


def hidden(known: Sequence[str] = ()) -> Board:
    player = seat(pos=50, hand="mush lunch armour", deck="rest breakfast lunch a_hat", dogs="wheel_dog")
    return Board("2019-02", player, known=known, weather="storm")


def test_values_in_the_middle_of_a_draw_are_those_of_a_plain_reading() -> None:
    player = seat(pos=50, hand="armour breakfast rest lunch", deck="dinner first_aid move a_hat", dogs="wheel_dog")
    board = Board("2019-02", player, known=(), weather="sun")
    goal = Goal(Objective.MAX_DISTANCE, 161, 2, DAY)
    record = ["play lunch pay armour breakfast", "deck dinner", "deck a_hat", "deck move", "play move"]
    found = review(board.position, goal, record)
    state, left, change = board.state, 2, []
    for judged, text in zip(found.steps, record, strict=True):
        assert judged.before == read(board.game, state, goal, left)
        state = board.game.apply(state, board.game.parse_step(state, text)).state
        left -= not state.pending
        assert judged.after == read(board.game, state, goal, left)
        change.append(judged.change or 0)
    assert found.steps[0].before is not None
    assert found.luck - found.lost[0] == (found.steps[-1].after or 0) - found.steps[0].before
    assert (found.unknown, found.impossible_after) == (0, (None,))
    assert any(change)


def test_steps_after_the_goal_is_lost_are_known_to_be_in_vain() -> None:
    found = review(hidden().position, Goal(Objective.MIN_TURNS, 62, 3, DAY), LOST)
    assert [step.known for step in found.steps] == [True] * len(LOST)
    assert found.unknown == 0


def test_steps_after_the_last_turn_that_counts_are_left_out_and_it_says_so() -> None:
    board, goal = hidden(), Goal(Objective.REACH, 62, 1, DAY)
    found = review(board.position, goal, [*LOST, "play lunch pay rest breakfast"])
    assert (len(found.steps), found.past) == (len(LOST), 1)
    told = draw(review_rows(board.position, goal, found), Style(plain=True))
    assert "1 step after the end of what was asked" in told


def test_what_is_known_of_a_hidden_deck_is_named() -> None:
    player = {**seat(pos=50, hand="mush", deck="rest breakfast lunch move"), "known": 2}
    assert information_text(Board("2019-02", player, known=()).position).endswith(
        "Known: rest, breakfast on top of the deck."
    )
    assert "Known:" not in information_text(hidden().position)


def test_where_success_is_not_certain_a_record_is_judged_by_the_chance() -> None:
    asked = Goal(Objective.MIN_TURNS, 62, 3, DAY)
    found, chance = (
        review(hidden().position, goal, LOST) for goal in (asked, replace(asked, objective=Objective.REACH))
    )
    assert found.goal is not None
    assert (found.goal.objective, found.steps) == (Objective.REACH, chance.steps)
    assert 0 < (found.steps[0].before or 0) < 1
    told = draw(review_rows(hidden().position, asked, found), Style(plain=True))
    assert "No way to play is known to be certain to get there within 3 turns: the chance of it counts." in told


def test_whoever_stops_a_review_keeps_what_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    board, goal = hidden(), Goal(Objective.REACH, 62, 3, DAY)
    whole = review(board.position, goal, LOST)
    real: Callable[..., object] = Expectimax.turn
    asked = 0

    def turn(self: Expectimax, *words: object) -> object:
        nonlocal asked
        asked += len(words) > 1  # the middle of a turn of the record
        if asked == 2:
            raise KeyboardInterrupt
        return real(self, *words)

    monkeypatch.setattr(Expectimax, "turn", turn)
    found = review(board.position, goal, LOST, Budget())
    assert found.interrupted
    assert found.steps[-1] == whole.steps[-1]
    assert [step.known for step in found.steps] == [False, False, False, True]
    assert found.unknown == 3


def test_later_steps_leave_their_part_to_a_new_day_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.tools.review.STEP_TURNS", 1500)
    player = seat(pos=50, hand="armour breakfast", deck="dinner first_aid move move", dogs="wheel_dog")
    board = Board("2019-02", player, known=(), weather="storm")
    goal = Goal(Objective.REACH, 56, 2)
    draws = [f"deck {card}" for card in ("move", "breakfast", "first_aid", "dinner", "move")]
    record = ["new_day", "weather sun", *draws, "play move"]
    found = review(board.position, goal, record)
    assert [step.known for step in found.steps] == [True] * len(record)


def carried_on(board: Board, line: str, turns: int) -> list[str]:
    """Play a line and go on with the first thing that is open but a new day; return the whole record."""
    board.play(line)
    record = line.split(";")
    while board.state.pending or board.game.turns(board.state.table) < turns:
        others = [text for text in board.moves if text not in DAY]
        if not others:
            break
        record.append(others[0])
        board.play(record[-1])
    return record


@pytest.mark.parametrize("known", [(), ALL_OPEN])
@pytest.mark.parametrize("objective", list(Objective))
def test_what_the_goal_forbids_is_not_made_good_by_later_turns(known: Sequence[str], objective: Objective) -> None:
    board = hidden(known)
    record = carried_on(board, "play armour pay mush", 3)
    assert board.game.turns(board.state.table) > 1
    free = review(board.position, Goal(objective, 51, 4, DAY), record)
    assert free.broken is None
    found = review(board.position, Goal(objective, 51, 4, DAY | {"play armour"}), record)
    nothing = Fraction(0) if objective is Objective.REACH else None
    assert (found.broken, found.impossible_after, found.unknown) == (1, (1,), 0)
    assert found.steps[0].mark == "blunder"
    assert [step.after for step in found.steps] == [nothing] * len(record)


def test_a_turn_that_loses_what_is_to_be_kept_breaks_the_goal() -> None:
    board = hidden(ALL_OPEN)
    position, goal = question_of(
        {"objective": "reach", "target": 51, "within_turns": 4, "keep": ["armour"]}, board.position
    )
    record = carried_on(board, "play mush pay armour lunch", 2)
    found = review(position, goal, record)
    assert found.broken == next(number for number, step in enumerate(found.steps, 1) if step.after == 0)
    assert {step.after for step in found.steps[found.broken - 1 :]} == {Fraction(0)}


@pytest.mark.parametrize("known", [(), ALL_OPEN])
@pytest.mark.parametrize("objective", list(Objective))
def test_a_question_asked_in_a_turn_that_broke_its_goal_is_impossible(
    known: Sequence[str], objective: Objective
) -> None:
    board = hidden(known)
    position = board.position.after(board.play("sacrifice wheel_dog").state)
    goal = Goal(objective, 51, 3, DAY | {"sacrifice"})
    found = solve(position, goal) if known else best_hidden(Question(position, goal))
    assert (found.status, found.value in (0, None)) == (Status.INFEASIBLE, True)


FAR = Goal(Objective.MIN_TURNS, 161)


@pytest.fixture(scope="module")
def far_board() -> Board:
    deck = "first_aid first_aid grandma_soup breakfast lunch dinner mush mush move good_dog"
    player = seat(pos=100, hand="move move", deck=deck, dogs="wheel_dog husky")
    return Board("2019-02", player, known=(), weather="storm")


@pytest.mark.slow
def test_decisions_far_from_the_goal_are_compared_with_the_best_of_a_sample(far_board: Board) -> None:
    record = ["sacrifice husky", "play move"]
    found = review(far_board.position, FAR, record, seed=1)
    first = found.steps[0]
    assert (first.known, first.change) == (False, None)
    assert first.guess is not None
    assert first.guess.goal is not None
    assert first.guess.goal.objective is Objective.MIN_TURNS
    assert first.guess.loss > 0, "a dog is a space on every turn"
    assert bool(first.mark) == (first.guess.verdict == "decided"), "what is not settled has no mark"
    assert first.guess.best != record[0]
    assert found.unknown == 0
    assert found == review(far_board.position, FAR, record, seed=1)
    told = draw(review_rows(far_board.position, FAR, found), Style(plain=True))
    verb = "loses" if first.mark else "may lose"
    assert f"{verb} about {round(float(first.guess.loss), 1):g} turns" in told
    assert f"better: {first.guess.best}" in told
    assert "against the best move that a sample finds" in told
    data = review_answer(far_board.position, found)["steps"][0]
    assert (data["method"], data["loss"], data["sample"]["loss"]) == ("sampled", *[str(first.guess.loss)] * 2)


def test_whoever_stops_the_samples_keeps_what_was_judged(far_board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def compared(*words: object, **named: object) -> object:
        asked.append((words, named))
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.tools.review.Comparison", compared)
    found = review(far_board.position, FAR, ["play move", "new_day"])
    assert (found.interrupted, len(asked)) == (True, 1)
    assert [each.guess for each in found.steps] == [None, None]


def test_luck_far_from_the_goal_is_told_with_its_interval() -> None:
    board = Board("2019-02", seat(pos=60, hand="", deck="", dogs="wheel_dog"), known=(), weather="storm")
    record = ["new_day", "weather wind"]
    found = review(board.position, FAR, record, seed=1)
    assert found == review(board.position, FAR, record, seed=1)
    assert found.unknown == found.luck == 0
    assert found.steps[0].luck is None
    luck = found.steps[1].luck
    assert luck is not None
    assert (luck.draws, luck.turns) == (1, 9)
    low, high = luck.interval
    assert low < luck.luck < high
    told = draw(review_rows(board.position, FAR, found), Style(plain=True))
    assert f"about {float(luck.luck):+.1f} spaces in all, 95 % interval {low:+.1f} to {high:+.1f}" in told
    data = review_answer(board.position, found)
    assert data["steps"][1]["sampled_luck"]["luck"] == str(luck.luck)
    assert (data["luck"], data["steps"][1]["luck"]) == ("0", None)


def test_luck_far_from_the_goal_comes_to_nothing_on_average() -> None:
    """The chances of all weathers, each with its luck."""
    board = Board("2019-02", seat(pos=60, hand="", deck="", dogs="wheel_dog"), known=(), weather="storm")
    state = board.game.apply(board.state, board.game.parse_step(board.state, "new_day")).state
    total, off = Fraction(0), 0.0
    for outcome in board.game.chance_outcomes(state):
        after = board.game.apply(state, outcome).state
        (luck,) = sampled_luck(board.game, FAR, [state, after], [outcome], Budget(), seed=3).values()
        total += outcome.probability * luck.luck
        off += float(outcome.probability) * (luck.interval[1] - float(luck.luck))
    assert abs(total) < off


@pytest.mark.parametrize(
    ("value", "interval", "shown"),
    [(0, (0.0, 0.95), "too few playouts to tell"), (0, (0.0, 0.131), "under 14 %"), (1, (0.888, 1.0), "over 88 %")],
)
def test_a_sampled_chance_is_never_shown_as_sure(value: int, interval: tuple[float, float], shown: str) -> None:
    goal = Goal(Objective.REACH, 62, 3)
    guess = Guess("play rest", Fraction(value), goal, Fraction(0), "undecided", interval)
    found = Review(goal, (Judged("play move", 0, guess=guess),))
    text = draw(review_rows(hidden().position, goal, found), Style(plain=True))
    step = next(line for line in text.splitlines() if "play move" in line)
    assert shown in step
    assert f"{value}.0 %" not in step
