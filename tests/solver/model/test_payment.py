from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError
from rules.core.position import load_position
from solver.answer import Status
from solver.model.payment import best_payment
from solver.tools.payment import PaymentFacts, Score, Unpayable, pay, payment_facts, payments, score, undominated
from tests.rules.iditacards.boards import Board, seat

EIGHT = PaymentFacts((1,) * 8, 3, (4, 1, 3, 1, 2, 6, 0, 2), (True, False) * 4)


@st.composite
def payment_questions(draw: st.DrawFn) -> PaymentFacts:
    kinds = draw(st.integers(0, 5))
    hand = tuple(draw(st.lists(st.integers(1, 3), min_size=kinds, max_size=kinds)))
    values = draw(st.lists(st.integers(-3, 5), min_size=kinds, max_size=kinds))
    playable = draw(st.lists(st.booleans(), min_size=kinds, max_size=kinds))
    return PaymentFacts(hand, draw(st.integers(0, sum(hand) + 1)), tuple(values), tuple(playable))


@settings(max_examples=60, deadline=None)
@given(payment_questions())
def test_the_model_finds_what_enumeration_finds(facts: PaymentFacts) -> None:
    best = max(((score(facts, paid), paid) for paid in payments(facts.hand, facts.cost)), default=None)
    answer = best_payment(*facts)
    if best is None:
        assert answer.status is Status.INFEASIBLE
        assert answer.paid is None
    else:
        assert answer.status is Status.OPTIMAL
        assert (answer.score, answer.paid) == best


@settings(max_examples=60, deadline=None)
@given(payment_questions())
def test_every_payment_left_out_is_beaten_and_none_kept_is(facts: PaymentFacts) -> None:
    kept = undominated(facts)
    for paid in payments(facts.hand, facts.cost):
        mine = score(facts, paid)
        beaten = any(
            all(a >= b for a, b in zip(other.score, mine, strict=True)) and other.score != mine for other in kept
        )
        assert beaten != any(payment.paid == paid for payment in kept)
    assert [payment.score for payment in kept] == sorted((payment.score for payment in kept), reverse=True)


def test_values_come_before_everything_else() -> None:
    answer = best_payment(*EIGHT)
    assert answer.score == Score(kept=17, playable=3, kinds=5)
    assert answer.paid == (0, 1, 0, 1, 0, 0, 1, 0)


def asked(hand: list[str], deck: list[str], card: str, **values: int) -> tuple[PaymentFacts, tuple[str, ...]]:
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
    position: Any = load_position(json.dumps(data))
    return payment_facts(position.game, position.table(), card, values)


def test_the_game_is_asked_what_it_costs_and_what_can_pay() -> None:
    facts, kinds = asked(["damaged", "dinner", "lunch", "mush", "move", "move"], ["a_hat"] * 1, "lunch", move=2)
    assert kinds == ("dinner", "move", "mush")
    assert facts.hand == (1, 2, 1)
    assert facts.cost == 2
    assert facts.values == (0, 2, 0)


def test_what_could_be_played_next_is_found_out_by_playing() -> None:
    # Afterwards two cards and what was drawn are in the hand: enough for Mush, but its health takes two of a deck of 1.
    facts, kinds = asked(["lunch", "dinner", "move", "mush", "push"], ["move", "a_hat", "push", "armour"], "lunch")
    assert dict(zip(kinds, facts.playable, strict=True)) == {"dinner": False, "move": True, "mush": False, "push": True}


def test_a_card_that_cannot_be_played_or_paid_for_is_refused() -> None:
    with pytest.raises(BestlineError, match="is not in the hand"):
        asked(["move"], [], "lunch")
    with pytest.raises(Unpayable, match=r"'lunch' cannot be paid here; .* gives up no card") as refused:
        asked(["lunch", "move"], [], "lunch")
    assert refused.value.ways == ((),)


def test_who_stops_the_model_has_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    position = Board("2019-02", seat(hand="push lunch move mush armour")).position
    whole = pay(position, "lunch")
    monkeypatch.setattr("solver.model.payment.best_payment", stopped)
    assert pay(position, "lunch") == replace(whole, interrupted=True)


def test_a_kept_card_may_end_the_game() -> None:
    player = seat(pos=159, hand="leather_jacket move good_dog", deck="grandma_soup through_the_night", hypothermia=5)
    other = seat(pos=117, hand="iditarod_drift", deck="leather_jacket")
    board = Board("2017", player, other, weather="sun", options={"attachment_removal": False})
    with pytest.raises(Unpayable, match="cost of 'good_dog' cannot be paid"):
        pay(board.position, "good_dog")
    assert "move" in board.game.hand_probe(board.state.table).affordable(board.state.table)


def test_a_plan_that_is_not_settled_is_no_lost_one() -> None:
    player = seat(pos=50, hand="rest move good_dog husky", deck="breakfast lunch lead_dog upgrade_sled")
    position = Board("2019-02", player, known=(), weather="sun").position
    goal = Goal(Objective.MIN_TURNS, 57, None, frozenset({"new_day"}))
    told = [(way.paid, way.value, way.is_settled) for way in pay(position, "husky", goal=goal).payments]
    assert told == [(("good_dog", "rest"), Fraction(3), True), (("good_dog", "move"), None, False)]
    # Within so many turns it is known to fail, and keeps nothing that makes up for it.
    for turns in (3, 5, 7):
        within = pay(position, "husky", goal=replace(goal, within_turns=turns))
        assert all(way.is_settled for way in within.payments), turns
        assert [(way.paid, way.value) for way in within.payments] == [(("good_dog", "rest"), Fraction(3))]
