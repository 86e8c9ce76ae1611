"""Games against others by playouts: near the exact value where there is one, nobody acts on cards that are not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from puzzles.puzzle import question_of
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position, new_position
from rules.core.race import ImperfectInformation, Race
from rules.core.scripts import SplitMix64, Step
from rules.core.turns import State
from solver.engines.contest import ContestQuestion, against_others
from solver.engines.hidden import best_hidden
from solver.engines.playouts import Comparison, Rollouts, contest_aim, rounds_ahead
from solver.question import Question, Status
from solver.search.budget import Budget
from solver.search.expectiminimax import Model, Modelled, PlainTree
from solver.search.rollout import Draws, GreedyPolicy, IdlePolicy, Playing
from tests.rules.abyss.boards import board, covered_offer, plan, seat
from tests.rules.trench_rescue.duels import Duel


@pytest.mark.slow
@pytest.mark.parametrize("model", [Model.BEST, Model.RANDOM, Model.NEVER])
def test_playouts_come_near_the_exact_value(model: Model) -> None:
    position = Duel("A", 2).battle.position
    exact = ContestQuestion(Question(position, opponents=model, rounds=2)).answer()
    assert exact.status is Status.OPTIMAL
    assert exact.value is not None
    found = Comparison(Question(position, opponents=model, rounds=2, playouts=1500)).sampled()
    losses = {choice.move: choice.loss for choice in exact.moves}
    assert {option.move for option in found.moves} == set(losses)
    assert not losses[found.moves[0].move], "the best of the sample is one of the best"
    assert found.value is not None
    assert abs(found.value - exact.value) < Fraction(1, 4)


@pytest.mark.parametrize("ruleset", ["iditacards/2019-02", "abyss/2021"])
def test_two_tables_that_look_alike_are_played_alike(ruleset: str) -> None:
    position = new_position(ruleset, 2, 3, ())
    game, start = position.start()
    assert isinstance(game, ImperfectInformation)
    tables = [start.table]
    generator = SplitMix64(4)
    while tables[-1] == tables[0]:
        tables.append(game.sample_world(State(start.table), 0, generator).table)
    played = []
    for table in (game.covered(each, 0) for each in (tables[0], tables[-1])):
        aim = contest_aim(game, 0, rounds_ahead(game), stops=False)
        playouts = Rollouts(game, State(table), aim, seed=3)
        grown = [playouts.grow((), number) for number in range(12)]
        played.append((grown, [playouts.play((), number) for number in range(6)]))
    assert played[0] == played[1], "unknown cards of the other hand cannot matter"


@pytest.mark.parametrize("known", [(), ("actions", "events", "picks")])
def test_covered_offers_of_as_many_cards_are_answered_alike(known: tuple[str, ...]) -> None:
    played = []
    for offer in ("offer bribe", "offer theft"):
        game, offered = covered_offer(offer, known=known)
        playouts = Rollouts(game, offered, contest_aim(game, 1, 1, stops=True), seed=3)
        begun = offered.pending
        grown = [playouts.grow((*begun, answer), number) for answer in game.legal_moves(offered) for number in range(8)]
        answers = []
        for number in range(12):
            script = Playing(offered.pending, Draws(number), lambda *_: pytest.fail("nothing is asked"))
            answers.append(GreedyPolicy(game)(offered.table, script, 1, game.legal_moves(offered), SplitMix64(number)))
        played.append((grown, answers))
    assert played[0] == played[1], "the cards offered are not known, so they cannot matter"


def secret_step() -> Position:
    """Return an open game of four in which the third seat is to plan, in secret."""
    position = new_position("abyss/2021", 4, 4)
    game, start = position.start()
    table, generator = start.table, SplitMix64(1)
    while table.phase != "choose" or table.seat != 2:
        table = game.sample_turn(table, generator).table
    return position.with_table(table)


def test_more_than_two_who_decide_in_secret_are_played_with() -> None:
    position = secret_step()
    with pytest.raises(UnsupportedRuleset, match="more than two players decide in secret"):
        ContestQuestion(Question(position)).answer()
    found = Comparison(Question(position, playouts=40)).sampled()
    facts = found.facts
    assert (facts.seat, facts.opponents, facts.guessed, facts.apart) == (2, Model.GREEDY, True, True)
    assert {option.move for option in found.moves} == set(position.game.legal_moves(position.start()[1]))
    assert all(option.value is not None and 0 <= option.value <= 1 for option in found.moves)


def test_play_that_is_taken_to_stop_is_worth_what_each_has_then() -> None:
    position = new_position("iditacards/2019-02", 3, 1, ())
    found = Comparison(Question(position, opponents=Model.NEVER, rounds=1, playouts=30)).sampled()
    assert not found.facts.guessed
    # Nobody has won after one round, so that all share the win.
    assert {option.value for option in found.moves} == {Fraction(1, 3)}


def test_secret_plans_of_three_that_search_comes_upon_are_played_on() -> None:
    position = new_position("abyss/2021", 3, 314)
    game, start = position.start()
    table, generator = start.table, SplitMix64(1)
    while table.phase != "prepare" or table.seat != 2:
        table = game.sample_turn(table, generator).table
    report = against_others(Question(position.with_table(table), limit=Budget(time_s=0.4)))
    assert report.method == "sampled"
    assert report.value is not None


def test_who_is_offered_cards_is_advised() -> None:
    start = board(
        seat(hand=["assassination", "bribe", "flashlight", "give_a_speech"], plan=plan("transaction")),
        seat(hand=["digging", "explore_in_depth", "treatment"], plan=plan("theft")),
        phase="act",
        known=(),
        actions=["accept_bribes", "digging", "theft", "transaction", "unreasonable_clause", *["bribe"] * 2],
        events=["safe", "riot", "flooding"],
    )
    game, state = start.start()
    offer = next(move for move in game.legal_moves(state) if move.text == "offer assassination give_a_speech")
    found = Comparison(Question(start.after(game.apply(state, offer).state), playouts=24)).sampled()
    assert found.facts.seat == 1
    assert {option.move.text.split()[0] for option in found.moves} == {"accept", "decline"}
    assert all(option.playouts for option in found.moves)


def test_of_very_many_moves_a_few_of_each_kind_are_tried() -> None:
    rich = seat(identity="employer", ap=30, rp=9, hand=["digging"])
    start = board(rich, seat(), known=(), actions=["bribe", "theft"], events=["safe", "riot", "flooding"])
    game, state = start.start()
    rich_now = game.apply(state, next(move for move in game.legal_moves(state) if move.text == "give_up none")).state
    moves = game.legal_moves(rich_now)
    asked = moves[len(moves) // 2 + 1]
    found = Comparison(Question(start.after(rich_now), playouts=4, versus=asked)).sampled()
    tried = [option.move for option in found.moves]
    assert len(moves) > 5000 > 10 * len(tried)
    assert len(tried) + found.besides == len(moves)
    assert {"hire none", "hire 30 homeless", asked.text} <= {move.text for move in tried}


def test_alone_a_few_of_very_many_moves_are_tried_as_well() -> None:
    start = board(seat(identity="employer", ap=30, rp=9, hand=["digging"]), known=(), events=["safe", "riot"])
    game, state = start.start()
    rich_now = start.after(
        game.apply(state, next(m for m in game.legal_moves(state) if m.text == "give_up none")).state
    )
    goal = question_of({"objective": "AB-S1"}, rich_now)[1]
    found = Comparison(Question(rich_now, goal, playouts=2)).sampled()
    assert len(found.moves) + found.besides == len(game.legal_moves(rich_now.start()[1])) > 20 * len(found.moves)


def test_who_plays_by_a_declared_way_is_asked_about_every_move() -> None:
    asked: list[int] = []

    class Counting:
        """Takes the first answer, and remembers among how many."""

        def __call__(
            self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64
        ) -> Step:
            asked.append(len(answers))
            return answers[0]

    start = board(
        seat(hand=["digging"]), seat(identity="employer", ap=30, rp=9), known=(), events=["safe", "riot", "flooding"]
    )
    game, state = start.start()
    aim = contest_aim(game, 0, 1, stops=True)
    Rollouts(game, state, aim, Counting()).grow((), 0)
    assert max(asked) > 5000, "a few of each kind stand for very many moves only of those who search"


@pytest.mark.parametrize("known", [(), ("actions", "events", "picks")])
def test_who_never_does_anything_keeps_cards_and_money(known: tuple[str, ...]) -> None:
    position = new_position("abyss/2021", 3, 2, known)
    game, state = position.start()
    never, modelled = IdlePolicy(game), Modelled(PlainTree(game), dict.fromkeys(range(3), Model.NEVER), Budget())
    table = state.table
    for _ in range(6 * 3):
        table = game.play_turn(table, Playing((), Draws(1), partial(_never, game, modelled, never, table)))
    assert [(own.ap, own.rp, own.partners) for own in table.seats] == [(10, 0, ())] * 3
    assert table.round == 2


def _never(
    game: Race[Any],
    modelled: Modelled,
    never: IdlePolicy,
    table: Any,
    script: Playing,
    seat: int,
    moves: Sequence[Step],
) -> Step:
    """Return what a seat does that never does anything, seeing to it that it is the same in both forms."""
    before = State(table, tuple(script.steps))
    move = never(table, script, seat, moves, SplitMix64(1))
    assert modelled.replies(before, seat) == [(game.settled(game.apply(before, move).state), Fraction(1))]
    assert move.text in game.profile.idle
    return move


@pytest.mark.parametrize("phase", ["prepare", "choose"])
def test_a_goal_that_holds_before_it_is_checked_needs_no_playouts(phase: str) -> None:
    start = board(seat(ap=41, rp=2, hand=["bribe", "theft"]), known=(), events=["safe", "riot"], phase=phase)
    position, goal = question_of({"objective": "AB-S1"}, start)
    found = best_hidden(Question(position, goal, Budget(time_s=1)))
    assert found.status is Status.OPTIMAL
    assert found.value == 0
    assert not found.moves


@pytest.mark.parametrize(("rival", "least", "most"), [(40, 1, 100), (0, 0, 0), (90, None, None)])
def test_how_often_the_player_is_passed(rival: int, least: int | None, most: int | None) -> None:
    """A rival who is near may pass, one who is far behind does not, and one who is ahead has passed already."""
    start = new_position("iditacards/2019-02", players=2, seed=4, open_sources=())
    pairs = zip(start.state["players"], (40, rival), strict=True)
    position = replace(start, state={**start.state, "players": [{**player, "pos": pos} for player, pos in pairs]})
    contest = Comparison(Question(position, playouts=8)).sampled().contest
    assert contest is not None
    if least is None:
        assert contest.passed is None
    else:
        assert contest.passed is not None
        assert most is not None
        assert least <= 100 * contest.passed <= most
