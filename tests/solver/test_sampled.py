"""Moves compared by playouts: real policies, the same draws for all, nothing claimed that is not shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any
from unittest.mock import Mock, patch
from weakref import ref

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.position import new_position
from rules.core.scripts import ChanceOutcome, Step
from rules.core.turns import State
from solver.encodings import contest_playouts
from solver.engines import sampled as module
from solver.engines.hidden import best_hidden, first_turn, solve_hidden
from solver.engines.playouts import Comparison, Rollouts, RowTrees, contest_aim, goal_aim
from solver.engines.sampled import Sample, TreeComparison, interval, student, verdict
from solver.question import Question, Status
from solver.screens.answer import Answered, answer_data
from solver.search.budget import Budget, WorkClock
from solver.search.rollout import AHEAD, BLOCK, Draws, Sampler, Spread, Value
from tests.rules.iditacards.boards import Board, seat

GOAL = Goal(Objective.REACH, 62, 3, frozenset({"new_day"}))


@pytest.fixture
def board() -> Board:
    hand, deck = "move mush lunch armour", "rest breakfast lunch a_hat move"
    return Board("2019-02", seat(pos=50, hand=hand, deck=deck, dogs="wheel_dog"), known=(), weather="storm")


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    for trees in (Rollouts, RowTrees):
        monkeypatch.setattr(trees, "most_playouts", 1500)


def sampled(
    board: Board,
    moves: Sequence[Step],
    budget: Budget | None = None,
    goal: Goal = GOAL,
    *,
    seed: int = 0,
    playouts: int | None = None,
    asked: Step | None = None,
) -> TreeComparison:
    """Return moves compared by rollouts of a player alone."""
    aim = goal_aim(board.game, goal)
    rollouts = Rollouts(board.game, board.state, aim, seed=seed, alone=True)
    samples = [Sample(move, board.game.begun(board.state, move), place=place) for place, move in enumerate(moves)]
    budget = budget or Budget()
    comparison = TreeComparison(rollouts, aim, samples, budget, asked=asked)
    comparison.run(budget.time_s, playouts)
    return comparison


def test_every_move_is_tried_and_the_best_is_found(board: Board) -> None:
    moves = [move for move in board.game.legal_moves(board.state) if move.text != "new_day"]
    found = sampled(board, moves, None)
    assert {each.move for each in found.order} == set(moves)
    assert all(each.values for each in found.order)
    exact = {option.move: option.value or Fraction(0) for option in solve_hidden(board.position, GOAL).moves}
    for each in found.order:
        interval_of = found.interval(each)
        if each.values and interval_of is not None:
            assert interval_of[0] <= exact[each.move], "a real way to play promises no more than the best"
    assert exact[found.order[0].move] == max(exact.values())


def test_one_lucky_draw_is_not_advice_where_others_have_many(board: Board) -> None:
    lucky, *others = list(board.game.legal_moves(board.state))[:3]
    comparison = sampled(board, [lucky, *others], playouts=1)
    for sample in comparison.order:
        sample.values = [Fraction(1)] if sample.move == lucky else [Fraction(place % 2) for place in range(9)]
    comparison.run(None, 1)
    assert comparison.order[-1].move == lucky


@pytest.mark.usefixtures("no_collector")
def test_a_hidden_search_gives_its_memory_back_at_once(board: Board) -> None:
    found = first_turn(board.game, board.state, GOAL, Budget().start())
    search = ref(found._search)
    assert search() is not None
    del found
    assert search() is None


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("players", [1, 2])
def test_playouts_give_their_memory_back_at_once(players: int) -> None:
    goal = GOAL if players == 1 else None
    found = Comparison(Question(new_position("iditacards/2019-02", players, 3, ()), goal, playouts=1))
    assert found.sampled().moves
    trees = ref(found._sampling.trees)
    assert isinstance(trees(), RowTrees) == (players == 1)
    del found
    assert trees() is None


def test_the_same_seed_gives_the_same_playouts(board: Board) -> None:
    moves = list(board.game.legal_moves(board.state))[:4]
    first, second = (sampled(board, moves, None, seed=5, playouts=300) for _ in range(2))
    assert [each.values for each in first.order] == [each.values for each in second.order]
    other = sampled(board, moves, None, seed=6, playouts=300)
    assert [each.values for each in first.order] != [each.values for each in other.order]


def test_outcomes_come_as_often_as_they_are_likely() -> None:
    outcomes = [ChanceOutcome("deck", "move", 3, 4), ChanceOutcome("deck", "mush", 1, 4)]
    draws = Draws(7)
    counts = Counter(draws.draw(outcomes).text for _ in range(4000))
    assert abs(counts["deck move"] - 3000) < 150
    faces = [ChanceOutcome("weather", face, 1, 2) for face in ("snow", "sun")]
    plain, between = Draws(9), Draws(9)
    expected = [plain.draw(outcomes) for _ in range(20)]
    for outcome in expected:
        assert between.draw(outcomes) == outcome, "another source takes no number from this one"
        between.draw(faces)


def test_a_verdict_needs_draws_and_a_difference(board: Board) -> None:
    moves, aim = board.game.legal_moves(board.state), goal_aim(board.game, GOAL)
    one, other = (Sample(move, ()) for move in moves[:2])
    one.values, other.values = [Fraction(1)] * 4, [Fraction(0)] * 4
    assert verdict([one, other], aim, 1.0) == "undecided"
    one.values, other.values = [Fraction(1)] * 20, [Fraction(0)] * 20
    assert verdict([one, other], aim, 1.0) == "decided"
    other.values = [Fraction(1)] * 20
    assert verdict([one, other], aim, 1.0) == "undecided", "twenty equal draws do not show equality"
    one.values = other.values = [Fraction(1)] * 800
    assert verdict([one, other], aim, 1.0) == "close"
    other.values = [Fraction(n % 2) for n in range(20)]
    one.values = [Fraction((n + 1) % 2) for n in range(20)]
    assert verdict([one, other], aim, 1.0) == "undecided"
    assert verdict([one], aim, 1.0) == "decided"


def test_intervals_are_student_s() -> None:
    # Quantiles from the usual tables.
    for degrees, quantile in ((7, 2.365), (15, 2.131), (60, 2.000)):
        assert abs(student(0.05, degrees) - quantile) < 0.01
    low, high = interval([0.0, 1.0] * 8, 1.0)
    assert abs(low - (0.5 - 2.131 * (4 / 15) ** 0.5 / 4)) < 0.01
    assert abs(low + high - 1) < 1e-9
    for value in (1.0, 0.575, 0.1):
        alike = interval([value] * 30, 1.0)
        assert alike == pytest.approx((value - 0.1, value + 0.1), abs=0.001), "all alike is no certainty"


def test_it_can_be_stopped_and_keeps_what_it_has(board: Board) -> None:
    def ticks() -> Iterator[float]:
        yield from (0.001 * n for n in range(60))
        raise KeyboardInterrupt

    clock = ticks()
    found = sampled(board, list(board.game.legal_moves(board.state)), Budget(1.0, clock=lambda: next(clock)))
    assert found.interrupted
    assert found.verdict == "undecided"
    assert all(each.values for each in found.order)


@pytest.mark.parametrize("tried", [0, 3])
def test_what_was_tried_before_an_early_stop_is_kept(board: Board, tried: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play, calls = RowTrees.play, iter(range(tried))

    def stopped(self: RowTrees, begun: Any, number: int) -> Value:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return play(self, begun, number)

    monkeypatch.setattr(RowTrees, "play", stopped)
    goal = Goal(Objective.MAX_DISTANCE, 161, AHEAD)
    question = Question(board.position, goal, playouts=1)
    report = best_hidden(question)
    assert report.interrupted
    assert report.status is (Status.FEASIBLE if tried else Status.UNKNOWN)
    assert [option.playouts for option in report.moves[:4]] == [1] * tried + [0] * (4 - tried)
    shown = "\n".join(row.text for row in Answered("best", question, report, top=9, timed=False).rows())
    assert f"{tried} of {len(report.moves)} open moves tried before the stop" in shown
    answer = answer_data("best", question, report, 99, timed=False)
    assert (answer["considered"], answer["open"]) == (tried, len(report.moves))


def test_intervals_hold_their_means_however_short_the_time(board: Board) -> None:
    goal = Goal(Objective.MAX_DISTANCE, 161, 3)
    moves = list(board.game.legal_moves(board.state))
    for playouts in (1, 20, 60, 300):
        found = sampled(board, moves, None, goal, playouts=playouts)
        for each in found.order:
            low, high = found.interval(each) or (each.mean, each.mean)
            assert low <= each.mean <= high


def test_no_interval_goes_below_what_can_be() -> None:
    start = Board("2019-02", seat(hand="mush move", deck="rest breakfast lunch move"), known=(), weather="storm")
    for goal in (Goal(Objective.MAX_DISTANCE, 161, 2), Goal(Objective.MIN_TURNS, 3, 6)):
        aim = goal_aim(start.game, goal)
        assert aim.bounds[0] == 0
        wide = Sample(start.game.legal_moves(start.state)[0], (), [Fraction(0), Fraction(4)])
        found = TreeComparison(Mock(spec=Sampler, width=4.0, bounds=aim.bounds), aim, [wide], Budget()).interval(wide)
        assert interval([0.0, 4.0], 4.0)[0] < 0
        assert found is not None
        assert found[0] == 0


def test_a_far_goal_is_asked_as_a_distance() -> None:
    position = new_position("iditacards/2019-02", 2, 3, ())
    near, far = (
        Comparison(Question(position, goal, playouts=1)).sampled().answered
        for goal in (GOAL, Goal(Objective.MIN_TURNS, 161))
    )
    assert near == GOAL
    assert (far.objective, far.within_turns) == (Objective.MAX_DISTANCE, AHEAD)


def test_several_players_are_answered_by_playouts() -> None:
    position = new_position("iditacards/2019-02", 2, 3, ())
    for others in ("greedy", "random", "best"):
        report = best_hidden(
            Question(position, Goal(Objective.MAX_DISTANCE, 161, 1), Budget(time_s=0.01), opponents=others)
        )
        game, start = position.start()
        assert isinstance(start, State)
        assert (report.status, report.method) == (Status.FEASIBLE, "sampled")
        assert {option.move for option in report.moves} == set(game.legal_moves(start))
        assert report.verdict in ("decided", "close", "undecided")


def test_a_move_that_is_asked_about_is_among_those_compared(board: Board) -> None:
    moves = [move for move in board.game.legal_moves(board.state) if move.text != "new_day"]
    for asked in moves[:3]:
        found = sampled(board, moves, None, playouts=900, asked=asked)
        draws = {each.move: len(each.values) for each in found.order}
        assert 2 * draws[asked] >= draws[found.order[0].move]


def test_playouts_have_some_time_even_where_the_exact_search_has_used_it_up(board: Board) -> None:
    now = 0.0
    comparison = Comparison(Question(board.position, GOAL, Budget(time_s=2.0, clock=lambda: now)))
    now = 3.0
    with patch.object(comparison._sampling, "run") as run:
        comparison.sampled()
    assert run.call_args.args == (pytest.approx(3.4), None)


@pytest.mark.parametrize(("last", "counted"), [(20, 200), (40, 40)])
def test_a_comparison_cut_short_soon_leaves_the_one_before(board: Board, last: int, counted: int) -> None:
    moves, aim = board.game.legal_moves(board.state)[:2], goal_aim(board.game, GOAL)
    comparison = TreeComparison(
        Mock(spec=Sampler, width=1.0, bounds=(0.0, 1.0)), aim, [Sample(m, (), [0, 1] * 100) for m in moves], Budget()
    )
    draws = 200

    def play(sample: Sample) -> None:
        nonlocal draws
        draws += sample.move == moves[0]
        sample.values.append(len(sample.values) % 2)
        comparison.done += 1

    with patch.object(comparison, "_play", play), patch.object(comparison, "_gone", lambda: draws / (200 + last)):
        comparison._one_round()
    assert {len(sample.values) for sample in comparison.order} == {counted}


def test_draws_go_to_the_best_and_to_the_one_that_may_be_better() -> None:
    """A move that is worse for certain, or ends alike, has few of them."""
    aim = contest_aim(new_position("iditacards/2019-02", 2, 3).game, 0, 1, stops=True)
    values = {"best": lambda n: 0.6 - n % 2 / 9, "rival": lambda n: 0.6 - n % 3 / 9, "worse": lambda n: n % 5 / 90}
    values["alike"] = values["best"]
    trees = Mock(
        spec=Sampler, width=1.0, bounds=(0.0, 1.0), rounds=0, played=0, most_playouts=2000, most_turns=9, spent_s=0.0
    )
    trees.play, trees.won, trees.progress = lambda begun, number: values[begun](number), float, lambda: 0
    samples = [Sample(Mock(text=name), name, place=place) for place, name in enumerate(values)]
    race = module.TreeComparison(trees, aim, samples, Budget())
    race.run(None, 1500)
    draws = {each.begun: len(each.values) for each in race.order}
    assert race.order[0].begun == "best"
    assert draws["best"] >= draws["rival"] > 4 * draws["worse"]
    assert draws["rival"] > draws["alike"]


@pytest.mark.parametrize("ruleset", ["iditacards/2019-02", "trench_rescue/2012", "abyss/2021"])
def test_what_plain_play_likes_hangs_on_no_seed(ruleset: str) -> None:
    game, start = new_position(ruleset, 2, 3, ()).start()
    moves = list(game.legal_moves(start))
    found = [contest_playouts(game, start, moves, game.to_act(start), None, seed) for seed in range(2)]
    one, other = ([each.liking(move) for move in moves] for each in found if each is not None)
    assert one == other
    assert len({*one}) > 1, "some move is what plain play does"


@pytest.mark.parametrize(("better", "first"), [(0.05, "liked"), (0.4, "lucky")])
def test_a_move_that_plain_play_likes_is_advised_unless_it_is_beaten(better: float, first: str) -> None:
    aim = contest_aim(new_position("iditacards/2019-02", 2, 3).game, 0, 1, stops=True)
    rows: dict[str, list[float]] = {
        "liked": [n % 2 for n in range(42)],
        "lucky": [0.5 + better + (n % 3 - 1) / 10 for n in range(42)],
    }
    samples = [
        Sample(Mock(text=name), name, [*row], place, wins=[*row]) for place, (name, row) in enumerate(rows.items())
    ]
    trees = Mock(spec=Sampler, width=1.0, bounds=(0.0, 1.0), rounds=1, spent_s=0.0, nodes=0, engine="")
    race = TreeComparison(trees, aim, samples, Budget())
    race.done = 1
    race.run(None, 1)
    assert race.order[0].begun == first
    assert race.is_steady == (first == "liked")
    one, other = (each.value or 0 for each in race.answer(0).moves)
    assert one >= other, "no row is worth more than the one above it"


def test_the_numbers_of_a_draw_are_spread_evenly_over_a_block() -> None:
    for taken in range(3):
        numbers = []
        for number in range(BLOCK, 2 * BLOCK):
            draw = Spread(5, number)
            numbers.append([draw.below(BLOCK) for _ in range(3)][taken])
        assert sorted(numbers) == list(range(BLOCK))
    firsts = Counter(Spread(5, number).shuffle("aabc")[0] for number in range(BLOCK))
    assert firsts == {"a": BLOCK // 2, "b": BLOCK // 4, "c": BLOCK // 4}, "what comes first is as often as it is likely"


def test_where_work_is_counted_turns_of_playouts_are(board: Board) -> None:
    moves = [move for move in board.game.legal_moves(board.state) if move.text != "new_day"]
    found = [sampled(board, moves, Budget(0.2, clock=WorkClock()).start()) for _ in range(2)]
    assert found[0].done == found[1].done
    assert 50 < found[0].done < 400, "0.2 s are 400 turns, some in each playout"


@pytest.mark.parametrize("stop", [1, 5, 9, 14, 40, 90])
def test_what_is_told_first_is_the_best_of_what_is_told(stop: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hand, deck = "move mush lunch armour", "rest breakfast lunch a_hat move"
    board = Board("2019-02", seat(pos=50, hand=hand, deck=deck, dogs="wheel_dog"), known=(), weather="wind")
    played = 0

    def counted(real: Callable[..., Fraction]) -> Callable[..., Fraction]:
        def one(*words: Any) -> Fraction:
            nonlocal played
            played += 1
            return real(*words)

        return one

    for name in ("grow", "play"):
        monkeypatch.setattr(Rollouts, name, counted(getattr(Rollouts, name)))
    moves = [move for move in board.game.legal_moves(board.state) if move.text != "new_day"]
    goal = Goal(Objective.MAX_DISTANCE, 161, 3, frozenset({"new_day"}))
    found = sampled(board, moves, Budget(stop, clock=lambda: played), goal)
    first = found.order[0]
    rivals = [each for each in found.order if len(each.values) == len(first.values)]
    assert first.mean == max(each.mean for each in rivals)
    most = max(len(each.values) for each in found.order)
    assert most < 2 * module.ROUND or 2 * len(first.values) >= most


def test_chances_are_drawn_to_that_of_all_playouts_as_far_as_moves_do_not_differ() -> None:
    def told(*rows: Sequence[float]) -> list[float]:
        samples = [Sample(Mock(), None, wins=list(row)) for row in rows]
        return [float(chance) for chance, _ in module.chances(samples)]

    assert told([1.0], [0.0], [0.0], [1.0]) == [0.5] * 4  # one playout each: the best of them says nothing
    first, second = told([1.0] * 90 + [0.0] * 10, [1.0] * 10 + [0.0] * 90)
    assert 0.89 < first < 0.9
    assert 0.1 < second < 0.11
    first, second = told([1.0] * 52 + [0.0] * 48, [0.0] * 52 + [1.0] * 48)
    assert first == second == 0.5
    assert told([1.0, 1.0, 0.0, 1.0]) == [0.75]
    assert told([1.0], []) == [1.0, 1.0]
    (sure, (low, _)), *_ = module.chances([Sample(Mock(), None, wins=[1.0])])
    assert sure == 1
    assert low < 0.1, "one playout alone is no certainty"
