from __future__ import annotations

from dataclasses import replace

import pytest

from solver.facts import NO_CARD, Arc, Final, HorizonFacts
from solver.model.horizon import NOWHERE, Horizon, Plan, Quotient
from solver.model.run import Budget
from solver.report import Status

# Kinds of the small worlds below: 0 a runner, 1 fuel, 2 a stone that cannot pay.
WORLD = HorizonFacts(
    kinds=3, payable=(True, True, False), hand=(1, 2, 0), root=0, turns=(), free=(), finals=[Final(0, 0, 2, 10)]
)


def plan(facts: HorizonFacts, least: int) -> Plan:
    return Horizon(facts).solve(least, Budget())


def test_a_card_in_the_hand_can_be_played_and_paid_for() -> None:
    found = plan(WORLD, 10)
    assert found.status is Status.FEASIBLE
    (turn,) = found.turns
    assert turn.arcs == (Final(0, 0, 2, 10),)
    assert turn.paid == {1: 2}


def test_nothing_gets_further_than_any_turn_goes() -> None:
    assert plan(WORLD, 11).status is Status.INFEASIBLE


def test_a_card_that_is_not_in_the_hand_cannot_be_played() -> None:
    assert plan(replace(WORLD, hand=(0, 3, 0)), 10).status is Status.INFEASIBLE


def test_too_few_cards_cannot_pay() -> None:
    assert plan(replace(WORLD, hand=(1, 1, 0)), 10).status is Status.INFEASIBLE


def test_a_card_does_not_pay_for_itself() -> None:
    assert plan(replace(WORLD, hand=(2, 0, 0)), 10).status is Status.INFEASIBLE
    assert plan(replace(WORLD, hand=(3, 0, 0)), 10).turns[0].paid == {0: 2}


def test_some_cards_cannot_pay() -> None:
    assert plan(replace(WORLD, hand=(1, 1, 5)), 10).status is Status.INFEASIBLE


def test_a_turn_that_needs_no_card() -> None:
    facts = replace(WORLD, hand=(0, 1, 0), finals=[Final(0, NO_CARD, 1, 4)])
    assert plan(facts, 4).turns[0].paid == {1: 1}
    assert plan(replace(facts, hand=(0, 0, 0)), 4).status is Status.INFEASIBLE


DRAWING = HorizonFacts(
    kinds=3,
    payable=(True, True, False),
    hand=(1, 0, 0),
    root=0,
    turns=(
        [Arc(0, 1, NO_CARD, 0, (1, 1), False), Arc(0, 1, 0, 0, (1, 1, 1), False), Arc(0, 2, NO_CARD, 0, (), False)],
    ),
    free=(),
    finals=[Final(1, 0, 2, 10), Final(2, 0, 0, 3)],
)


def test_cards_drawn_are_there_on_the_next_turn() -> None:
    found = plan(DRAWING, 10)
    assert [arc for turn in found.turns for arc in turn.arcs] == [DRAWING.turns[0][0], Final(1, 0, 2, 10)]


def test_cards_drawn_do_not_pay_on_the_same_turn() -> None:
    facts = replace(DRAWING, turns=([Arc(0, 1, NO_CARD, 1, (1, 1, 1), False)],), hand=(1, 0, 0))
    assert plan(facts, 10).status is Status.INFEASIBLE


def test_a_card_played_is_gone() -> None:
    facts = replace(DRAWING, turns=([Arc(0, 1, 0, 0, (1, 1, 1), False)],))
    assert plan(facts, 10).status is Status.INFEASIBLE
    assert plan(replace(facts, hand=(2, 0, 0)), 10).status is Status.FEASIBLE


def test_a_card_paid_is_gone() -> None:
    facts = replace(DRAWING, turns=([Arc(0, 1, NO_CARD, 1, (1, 1), False)],))
    assert plan(facts, 10).status is Status.INFEASIBLE
    assert plan(replace(facts, hand=(1, 1, 0)), 10).status is Status.FEASIBLE


FREE = HorizonFacts(
    kinds=1,
    payable=(True,),
    hand=(0,),
    root=0,
    turns=(),
    free=[Arc(0, 1, NO_CARD, 0, (0,), True)],
    finals=[Final(1, 0, 0, 7), Final(0, NO_CARD, 0, 2)],
)


def test_a_free_action_takes_no_turn_and_gives_at_once() -> None:
    (turn,) = plan(FREE, 7).turns
    assert turn.arcs == (FREE.free[0], Final(1, 0, 0, 7))


def test_a_free_action_is_left_out_where_it_only_hinders() -> None:
    facts = replace(FREE, finals=[Final(1, 0, 0, 1), Final(0, NO_CARD, 0, 2)])
    assert plan(facts, 2).turns[0].arcs == (Final(0, NO_CARD, 0, 2),)


def test_aims_are_told_the_greatest_first() -> None:
    assert Horizon(DRAWING).aims() == [10, 3]
    assert Horizon(DRAWING).furthest(0) == 10
    assert Horizon(replace(DRAWING, finals=())).furthest(0) == NOWHERE


def test_nodes_with_the_same_future_are_one() -> None:
    turns = ([Arc(0, 1, NO_CARD, 0, (), False), Arc(0, 2, NO_CARD, 0, (), False)],)
    facts = replace(DRAWING, turns=turns, finals=[Final(1, 0, 0, 9), Final(2, 0, 0, 8)])
    horizon = Horizon(facts)
    assert Quotient(horizon, 8).class_of(1) == Quotient(horizon, 8).class_of(2)
    assert Quotient(horizon, 9).class_of(1) != Quotient(horizon, 9).class_of(2)


@pytest.mark.parametrize("least", [3, 10])
def test_the_same_question_has_the_same_answer(least: int) -> None:
    assert plan(DRAWING, least) == plan(DRAWING, least)
