"""The best move against others: declared opponents, several seats, secret choices, honest limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import new_position
from rules.core.scripts import CHANCE, OVER
from rules.core.turns import State
from solver.engines.contest import ContestQuestion, against_others
from solver.engines.playouts import Comparison
from solver.question import Question, Status
from solver.search.budget import Budget, WorkClock
from solver.search.expectiminimax import Expectiminimax, Model, Modelled, PlainTree
from tests.rules.abyss.boards import board, seat
from tests.rules.trench_rescue.battles import COLOURS, Battle, both
from tests.rules.trench_rescue.duels import Duel, small

PILES: dict[str, Any] = {"actions": ["unreasonable_clause", "accept_bribes"], "events": ["safe", "riot"]}


def choosing(**options: Any) -> Any:
    """Two households about to lay their plans aside; the first wins by one speech or bribe more, the second by luck."""
    return board(
        seat(identity="leader", ap=12, rp=16, hand=["assassination", "give_a_speech"], partners=["homeless:2"]),
        seat(identity="adventurer", ap=7, rp=18, hand=["digging", "give_a_speech"], partners=["homeless:1"]),
        phase="choose",
        round=5,
        **PILES,
        **options,
    )


def value_of(position: Any, models: dict[int, Model], rounds: int = 1) -> Fraction:
    game, start = position.start()
    last = game.rounds(start.table) + rounds
    search = Modelled(PlainTree(game), models, Budget())
    search.look(rounds=last)
    return search.values(start)[0]


def test_a_random_opponent_is_every_open_move_equally_likely() -> None:
    duel = Duel("A", 1)
    report = duel.report(Model.RANDOM)
    assert report.verdict == "exact"
    assert report.method == "models"
    battle = Battle("9C@1,1", {"1,1": "5S"}, trench=both(red="4D"), size=2, starter="red", options={"turn_limit": 1})
    red = ContestQuestion(Question(battle.position, opponents=Model.RANDOM)).answer()
    assert (red.facts.seat, red.status) == (1, Status.OPTIMAL)


def test_greedy_and_never_are_what_they_say() -> None:
    battle = Battle("9C@1,1", {"1,1": "5S"}, trench=both(red="4D"), size=2, starter="black", options={"turn_limit": 1})
    values = {model: ContestQuestion(Question(battle.position, opponents=model)).answer().value for model in Model}
    assert values[Model.NEVER] == 1, "9C comes home with 5S, and red's soldier stays: two against one"
    best = values[Model.BEST]
    assert best is not None
    assert all(value is not None and value >= best for value in values.values())


def test_two_at_their_best_agree_with_everybody_for_themselves() -> None:
    battle = Battle("9C@1,1", {"1,1": "5S"}, trench=both(red="4D"), size=2, starter="black", options={"turn_limit": 2})
    report = ContestQuestion(Question(battle.position)).answer()
    everybody = Modelled(PlainTree(battle.game), {}, Budget()).values(State(battle.table))
    assert report.value == everybody[0] == -everybody[1]
    answer = against_others(Question(battle.position))
    assert answer.moves[0].win_chance == everybody[2] == 1 - everybody[3]
    assert answer.moves[0].win_interval is None


def test_of_equal_moves_the_one_that_gains_at_once_comes_first() -> None:
    battle = Battle("9S@1,1+5C", trench=both(red="4D"), size=2, starter="black", options={"turn_limit": 1})
    first, second = against_others(Question(battle.position)).moves[:2]
    assert (first.move.text, second.move.text) == ("go 9S home", "drop 9S")
    assert first.loss == second.loss == 0


@pytest.mark.parametrize("opponents", Model)
def test_a_lead_stands_beside_the_chance_to_win(opponents: Model) -> None:
    battle = Battle("9C@1,1 4C@1,1", {"1,1": "5S"}, trench=both(red="4D"), size=2, starter="black")
    question = Question(battle.position, opponents=opponents, limit=Budget(time_s=0.1), playouts=1)
    for answer in (against_others(question), Comparison(question).sampled()):
        assert all(each.win_chance is not None and 0 <= each.win_chance <= 1 for each in answer.moves)


def test_a_secret_step_is_a_matrix_game_that_both_strategies_prove() -> None:
    position = choosing()
    report = ContestQuestion(Question(position, limit=Budget(time_s=60), rounds=1)).answer()
    assert (report.method, report.verdict) == ("matrix game", "exact")
    game, start = position.start()
    tree = PlainTree(game)
    pairs = tree.plans(start)
    search = Expectiminimax(tree, Budget())
    search.look(rounds=game.rounds(start.table) + 1)
    payoffs = [[search.value(cell) for cell in row] for row in pairs]
    moves = [move.text for move in game.legal_moves(start)]
    share = {each.move.text: each.share or Fraction(0) for each in report.moves}
    assert sum(share.values()) == 1
    sure = min(
        sum(share[move] * row[column] for move, row in zip(moves, payoffs, strict=True))
        for column in range(len(payoffs[0]))
    )
    assert sure == report.value


def test_who_decides_second_in_secret_does_not_see_the_first_plan() -> None:
    position = choosing()
    game, start = position.start()
    seen = []
    for move in game.legal_moves(start)[:3]:
        after = position.after(game.apply(start, move).state)
        report = ContestQuestion(Question(after, limit=Budget(time_s=60), rounds=1)).answer()
        assert report.facts.seat == 1
        seen.append({each.move.text: (each.value, each.share) for each in report.moves})
    assert all(each == seen[0] for each in seen)


def test_one_after_another_the_second_seat_does_see_it() -> None:
    position = choosing(options={"announcement": "sequential"})
    report = ContestQuestion(Question(position, limit=Budget(time_s=60), rounds=1)).answer()
    assert report.method == "expectiminimax"
    assert report.value == value_of(position, {})


def test_three_seats_play_for_themselves() -> None:
    position = board(
        *(seat(ap=5, rp=17, hand=["bribe"], identity="leader") for _ in range(3)),
        phase="refill",
        round=2,
        actions=["theft", "digging", "digging"],
        events=["safe"],
    )
    report = ContestQuestion(Question(position, rounds=1)).answer()
    assert (report.method, report.verdict) == ("max^n", "exact")
    assert report.value == Fraction(1, 3), "nobody wins in this round, and the win is shared by all"


@pytest.mark.parametrize(("opponents", "seats"), list(product(("best", "greedy", "random"), (2, 3))))
def test_every_game_has_an_answer_within_a_small_budget(opponents: str, seats: int) -> None:
    position = new_position("iditacards/2019-02", players=seats, seed=4, open_sources=["deck", "weather", "opponents"])
    report = ContestQuestion(Question(position, limit=Budget(time_s=0.5), opponents=Model(opponents))).answer()
    assert report.verdict == "undecided"
    assert len(report.moves) == len(position.game.legal_moves(position.start()[1]))


def near_the_end() -> Any:
    return board(
        seat(identity="leader", ap=2, rp=17, hand=["bribe", "give_a_speech"]),
        seat(identity="adventurer", ap=1, rp=18, hand=["give_a_speech", "treatment"]),
        phase="prepare",
        round=3,
        options={"announcement": "sequential", "round_limit": 3},
        **PILES,
    )


@pytest.mark.slow
def test_an_end_that_is_near_is_followed_without_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ContestQuestion(Question(near_the_end(), limit=Budget(time_s=60))).answer()
    assert whole.status is Status.OPTIMAL
    keys = whole.statistics.expanded
    monkeypatch.setattr("solver.engines.contest.STATES", 2 * keys)
    found = ContestQuestion(Question(near_the_end())).answer()
    assert (found.status, found.value) == (Status.OPTIMAL, whole.value)
    monkeypatch.setattr("solver.engines.contest.STATES", keys // 30)
    assert ContestQuestion(Question(near_the_end())).answer().status is not Status.OPTIMAL


def test_hidden_cards_of_others_are_not_looked_at() -> None:
    with pytest.raises(UnsupportedRuleset, match="hidden from a player"):
        ContestQuestion(Question(choosing(known=("events", "picks")))).answer()


def test_nobody_to_decide() -> None:
    over = Battle(trench=both("9C", "9D"), phase="over", options={"turn_limit": 1})
    with pytest.raises(BestlineError, match="over"):
        ContestQuestion(Question(over.position)).answer()


def test_what_is_found_before_the_limit_is_bounded() -> None:
    battle = Battle("9C@1,1 8C@2,2 TD@3,4", {"3,3": "5S", "2,2": "6H"}, trench=both("7C", "4D"), starter="black")
    report = ContestQuestion(Question(battle.position, limit=Budget(time_s=0.3))).answer()
    assert report.status is not Status.OPTIMAL
    assert report.contest is not None
    low, high = report.contest.low, report.bound
    assert low is not None
    assert high is not None
    assert low < high
    assert report.turns is not None


class Ticks:
    """A clock that goes on with every look at it, and counts the looks."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 10


def hiring() -> Any:
    """Two rich employers who can hire in thousands of ways: a single decision is long to look at."""
    hands = {"ap": 38, "identity": "employer"}
    return board(seat(hand=["digging"], **hands), seat(hand=["theft"], **hands), phase="prepare", **PILES)


@pytest.mark.slow
def test_a_decision_with_very_many_moves_keeps_to_the_clock() -> None:
    question = ContestQuestion(Question(hiring(), limit=Budget(time_s=1, clock=Ticks())))
    report = question.answer()
    assert report.verdict == "undecided"
    assert report.moves
    assert question._tree.taken < 2_000


def test_a_decision_with_very_many_moves_keeps_to_what_may_be_asked() -> None:
    position = hiring()
    for model in (Model.BEST, Model.RANDOM):
        question = ContestQuestion(Question(position, opponents=model))
        question.answer(Fraction(1, 40))
        assert question._tree.taken < 1_100


@pytest.mark.slow
def test_a_turn_too_wide_to_be_seen_through_is_left_to_playouts() -> None:
    report = against_others(Question(hiring(), limit=Budget(time_s=0.3, clock=WorkClock())))
    assert report.method == "sampled"
    assert report.value is not None


def test_who_stops_the_first_look_has_all_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    position = hiring()
    question = ContestQuestion(Question(position, limit=Budget(time_s=60)))

    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(question._tree, "after", stopped)
    report = question.answer()
    assert report.interrupted
    assert [each.move for each in report.moves] == list(position.game.legal_moves(position.start()[1]))


def aimed(card: str) -> Any:
    """Two households about to lay plans aside in the last round; Events will lie face down while cards are used."""
    return board(
        seat(identity="employer", ap=30, hand=[card], partners=["homeless:2"]),
        seat(identity="employer", ap=37, partners=["ordinary_citizen:1", "guardian:8"]),
        phase="choose",
        round=3,
        actions=["theft"],
        events=["riot", "safe", "safe"],
        known=("actions", "picks"),
        options={"round_limit": 3},
    )


def test_nothing_is_exact_where_somebody_aims_while_an_event_lies_face_down() -> None:
    position = aimed("assassination")
    with pytest.raises(UnsupportedRuleset, match="while cards are hidden"):
        ContestQuestion(Question(position, limit=Budget(time_s=60), rounds=1)).answer()
    found = against_others(Question(position, limit=Budget(time_s=2, clock=WorkClock()), rounds=1))
    assert found.method == "sampled"
    at_random = ContestQuestion(Question(position, limit=Budget(time_s=60), opponents=Model.RANDOM, rounds=1))
    with pytest.raises(UnsupportedRuleset, match="while cards are hidden"):
        at_random.answer()
    assert ContestQuestion(Question(aimed("bribe"), limit=Budget(time_s=60), rounds=1)).answer().verdict == "exact"


def plainly(game: Any, state: State[Any], known: dict[State[Any], Fraction]) -> Fraction:
    """Return what black has more than red at the end, both at their best; no more than the rules' own steps."""
    state = game.settled(state)
    if state not in known:
        actor = game.to_act(state)
        if actor == OVER:
            table = game.encode(state.table)
            black, red = (sum(len(table[zone][side]) for zone in ("deck", "trench", "infirmary")) for side in COLOURS)
            known[state] = Fraction(black - red)
        elif actor == CHANCE:
            outcomes = game.chance_outcomes(state)
            worths = [each.probability * plainly(game, game.apply(state, each).state, known) for each in outcomes]
            known[state] = sum(worths, Fraction(0))
        else:
            found = [plainly(game, game.apply(state, move).state, known) for move in game.legal_moves(state)]
            known[state] = min(found) if actor else max(found)
    return known[state]


ODD: list[dict[str, Any]] = [
    {},
    {"barrage_timing": "after_each"},
    {"shell_rule": "floor_half_min_one", "deck_mode": "queue"},
    {"stack_from_trench": True, "hold_in_place": True},
    {"withdrawal_hit": "rescuable", "pickup_fresh": True},
    {"starter_order": "alternate", "rescued_acts_now": True},
]


@pytest.mark.parametrize("seed", [1, 2, 3, 5, 6, 8, 10, 13, 23, 27, 31, 36])
def test_every_move_of_a_small_end_loses_what_plain_play_says(seed: int) -> None:
    battle = small(seed, 2, 1, ODD[seed % len(ODD)])
    known: dict[State[Any], Fraction] = {}
    sign = 1 - 2 * battle.game.to_act(battle.state)
    report = ContestQuestion(Question(battle.position, limit=Budget(time_s=300))).answer()
    worth = {
        move.text: sign * plainly(battle.game, battle.game.apply(battle.state, move).state, known)
        for move in battle.game.legal_moves(battle.state)
    }
    best = max(worth.values())
    assert (report.status, report.value) == (Status.OPTIMAL, best)
    assert {each.move.text: each.loss for each in report.moves} == {text: best - each for text, each in worth.items()}
