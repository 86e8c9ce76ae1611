from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.puzzle import Goal, Objective
from rules.core.errors import BestlineError
from solver.engines.answers import best_moves
from solver.question import Question, Status
from solver.search.budget import Budget
from solver.tools.payment import Costs, Payment, Unpayable, pay, undominated
from tests.bare import bare_position
from tests.rules.iditacards.boards import Board, seat


@st.composite
def payment_lists(draw: st.DrawFn) -> list[Payment]:
    """Return payments of two cards from random hands, some with values that are open."""
    hand = draw(st.lists(st.sampled_from("abcd"), min_size=3, max_size=7))
    paid = sorted(set(combinations(sorted(hand), 2)))
    playable, wanted = draw(st.sets(st.sampled_from("abcd"))), draw(st.sets(st.sampled_from("abcd")))
    every = []
    for cards in paid:
        keeps = tuple(sorted((Counter(hand) - Counter(cards)).elements()))
        value, bound = map(Fraction, draw(st.sampled_from([(1, 1), (2, 2), (1, 2)])))
        playing = tuple(card for card in keeps if card in playable)
        every.append(Payment(cards, keeps, playing, sum(card in wanted for card in keeps), value, bound))
    return every


@settings(max_examples=60, deadline=None)
@given(payment_lists())
def test_every_payment_left_out_is_beaten_and_none_kept_is(every: list[Payment]) -> None:
    kept = undominated(every)
    assert {each.paid for each in every if not any(each.is_beaten_by(other) for other in every)} == {
        each.paid for each in kept
    }
    assert [each.rank for each in kept] == sorted((each.rank for each in kept), reverse=True)


def test_every_payment_of_a_hand_is_compared() -> None:
    position = Board("2019-02", seat(hand="lunch move move mush armour", deck="a_hat dinner rest")).position
    found = pay(position, "lunch")
    assert found.cost == 2
    assert found.counted == len(set(combinations(sorted(["move", "move", "mush", "armour"]), 2)))


def test_cards_to_keep_come_before_everything_else() -> None:
    position = Board("2019-02", seat(hand="push lunch move mush armour")).position
    for card in ("push", "move", "mush", "armour"):
        best = pay(position, "lunch", [card]).payments[0]
        assert card in best.keeps
    with pytest.raises(BestlineError, match="'husky' is not in the hand beside 'lunch', so it cannot be kept"):
        pay(position, "lunch", ["husky"])


def asked(hand: list[str], deck: list[str], card: str) -> Costs:
    data: dict[str, Any] = {
        "game": "iditacards",
        "ruleset": "2019-02",
        "chance": {"seed": 1, "open": ["deck", "upgrade", "weather", "legs", "legendary", "opponents"]},
        "state": {
            "weather": "storm",
            "upgrade": [[], [], [], []],
            "players": [{"pos": 50, "hand": hand, "deck": deck}],
        },
    }
    position: Any = bare_position(json.dumps(data))
    return Costs(position.game, position.table(), card)


def test_the_game_is_asked_what_it_costs_and_what_can_pay() -> None:
    costs = asked(["damaged", "dinner", "lunch", "mush", "move", "move"], ["a_hat"] * 1, "lunch")
    assert +costs.spare == {"dinner": 1, "move": 2, "mush": 1}
    assert costs.cost == 2


def test_what_could_be_played_next_is_found_out_by_playing() -> None:
    # Afterwards two cards and what was drawn are in the hand: enough for Mush, but its health takes two of a deck of 1.
    costs = asked(["lunch", "dinner", "move", "mush", "push"], ["move", "a_hat", "push", "armour"], "lunch")
    assert costs.playable == {"move", "push"}


def test_a_card_that_cannot_be_played_or_paid_for_is_refused() -> None:
    with pytest.raises(BestlineError, match="is not in the hand"):
        asked(["move"], [], "lunch")
    with pytest.raises(Unpayable, match=r"'lunch' cannot be paid here; .* gives up no card") as refused:
        asked(["lunch", "move"], [], "lunch")
    assert refused.value.ways == ((),)


def test_a_kept_card_may_end_the_game() -> None:
    player = seat(pos=159, hand="leather_jacket move good_dog", deck="grandma_soup through_the_night", hypothermia=5)
    other = seat(pos=117, hand="iditarod_drift", deck="leather_jacket")
    board = Board("2017", player, other, weather="sun", options={"attachment_removal": False})
    with pytest.raises(Unpayable, match="cost of 'good_dog' cannot be paid"):
        pay(board.position, "good_dog")
    assert "move" in board.game.hand_model(board.state.table).affordable(board.state.table)


def test_a_payment_that_is_known_to_fail_is_left_out() -> None:
    player = seat(pos=50, hand="rest move good_dog husky", deck="breakfast lunch lead_dog upgrade_sled")
    position = Board("2019-02", player, known=(), weather="sun").position
    goal = Goal(Objective.MIN_TURNS, 57, None, frozenset({"new_day"}))
    for turns in (None, 3, 5, 7):
        told = pay(position, "husky", goal=replace(goal, within_turns=turns)).payments
        assert [(way.paid, way.value, way.is_settled) for way in told] == [(("good_dog", "rest"), Fraction(3), True)]


def test_a_card_that_sorts_the_whole_deck_is_paid_and_advised_on_in_its_time() -> None:
    deck = "a_hat armour breakfast dinner dog_chow first_aid good_dog grandma_soup husky lead_dog lunch move move mush"
    board = Board(
        "2017", seat(hand="meditate first_aid lunch", deck=f"{deck} repair_sled repair_sled upgrade_sled wheel_dog")
    )
    assert pay(board.position, "meditate").counted == 2
    begun = board.position.after(board.play("play meditate pay lunch").state)
    question = Question(begun, Goal(Objective.MAX_DISTANCE, 160, 2), Budget(0.2))
    assert best_moves(question).status is Status.UNKNOWN
    assert {move.text.split()[0] for move in question.moves()} == {"keep", "return"}
