"""Costs and payment: R17 to R27, with the rulings that change them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.iditacards.boards import Board, seat

LAKE = 50
"""A space without influence on costs and risk in 2017 and 2019-02."""


def paid(board: Board, move: str) -> tuple[int, int]:
    """Play a card and return how many cards its energy and its health took."""
    board.play(move)
    spent = {"pays_energy": 0, "pays_health": 0}
    for event in board.events:
        if event.kind in spent:
            spent[event.kind] += len(event.data["cards"])
    return spent["pays_energy"], spent["pays_health"]


def payer(edition: str, **changes: Any) -> Board:
    """A player on a quiet space with cards enough to pay for Husky (2 energy, 2 health)."""
    me: dict[str, Any] = {
        "pos": LAKE,
        "hand": "husky armour breakfast dinner lunch first_aid",
        "deck": "mush mush a_hat dog_chow good_dog lead_dog",
    }
    shared = {name: changes.pop(name) for name in ("options", "weather") if name in changes}
    return Board(edition, seat(**{**me, **changes}), **shared)


def costs(board: Board, card: str = "husky") -> tuple[int, int]:
    """Play a card, paying with the first cards that can, and return what it took."""
    return paid(board, next(move for move in board.moves if move.split()[:2] == ["play", card]))


# What a card costs now


@pytest.mark.parametrize("edition", ["2017", "2019-02", "2019-08"])
def test_rule_17_the_printed_costs_are_paid(edition: str) -> None:
    assert costs(payer(edition)) == (2, 2)


@pytest.mark.parametrize(
    ("edition", "hypothermia", "starvation", "cost"),
    [
        ("2017", 1, 2, (3, 4)),
        ("2017", 3, 3, (5, 5)),
        ("2019-02", 1, 1, (2, 2)),
        ("2019-02", 2, 3, (3, 3)),
        ("2019-02", 5, 6, (4, 5)),
        ("2019-08", 3, 3, (2, 2)),
    ],
)
def test_rule_18_conditions_raise_costs(edition: str, hypothermia: int, starvation: int, cost: tuple[int, int]) -> None:
    assert costs(payer(edition, hypothermia=hypothermia, starvation=starvation)) == cost


@pytest.mark.parametrize(("edition", "cost"), [("2017", (0, 0)), ("2019-02", (1, 1)), ("2019-08", (0, 0))])
def test_rule_18_a_printed_0_rises_in_one_edition_only(edition: str, cost: tuple[int, int]) -> None:
    assert costs(payer(edition, hand="move armour", hypothermia=2, starvation=2), "move") == cost


@pytest.mark.parametrize(("edition", "raised"), [("2017", 2), ("2019-02", 1)])
def test_ruling_23_changes_what_a_printed_0_costs(edition: str, raised: int) -> None:
    found = {
        value: costs(
            payer(edition, hand="move armour lunch", hypothermia=2, options={"zero_cost_conditions": value}), "move"
        )
        for value in ("raised", "exempt")
    }
    assert found == {"raised": (raised, 0), "exempt": (0, 0)}


def test_rule_18_own_modifiers_lower_costs_to_0_at_least() -> None:
    dogs = "cute_dog+harness smart_dog+coat smart_dog+coat"
    assert costs(payer("2019-02", dogs=dogs)) == (0, 0)


@pytest.mark.parametrize(("leg", "cost"), [("thicket", (2, 3)), ("cold_front", (3, 2))])
def test_rule_18_a_leg_raises_costs(leg: str, cost: tuple[int, int]) -> None:
    legs = ["none", "hills", "blizzard", "frozen_lake", "mountain", leg, "cliff_face", "none"]
    me = seat(pos=120, hand="husky armour breakfast dinner", deck="move move move move")
    assert costs(Board("2019-08", me, legs=legs)) == cost


def test_rule_18_free_costs_are_0_whatever_raises_them() -> None:
    board = payer("2017", hypothermia=3, starvation=3, free_energy="armed", free_health="armed")
    assert costs(board) == (0, 0)


def test_rule_18_energy_all_takes_every_card_that_can_pay() -> None:
    me = seat(pos=LAKE, hand="desperate_times armour damaged lunch", deck="move move", hypothermia=4)
    board = Board("2019-02", me, upgrade=["", "", "", ""])
    assert paid(board, "play desperate_times pay armour lunch") == (2, 0)
    assert board.me.hand == ("damaged",)


def test_ruling_24_all_fails_with_a_damage_card() -> None:
    me = seat(pos=LAKE, hand="desperate_times armour damaged")
    board = Board("2019-02", me, options={"all_cost": "fails_with_damage"}).play("play desperate_times")
    assert board.me.hand == ("armour", "damaged")
    assert "Q24" in board.rules


@pytest.mark.parametrize(
    ("edition", "pos", "need"), [("2017", LAKE, 2), ("2017", 140, 4), ("2019-02", 140, 2), ("2019-08", 150, 2)]
)
def test_rule_19_a_leg_multiplies_risk(edition: str, pos: int, need: int) -> None:
    board = payer(edition, pos=pos)
    costs(board)
    assert board.me.stack[0].need == need


def test_rule_19_own_cards_lower_risk_but_a_printed_0_stays() -> None:
    board = Board(
        "2019-02", seat(pos=LAKE, hand="mush armour breakfast", deck="lunch lunch", dogs="good_dog+dog_collar")
    )
    costs(board, "mush")
    assert (board.me.stack, board.me.pos) == ((), LAKE + 10 + 1)


def test_rule_19_risk_is_computed_once() -> None:
    board = payer("2017", pos=135)
    costs(board)
    assert board.me.stack[0].need == 2
    moved = Board("2017", seat(pos=140, deck="move move", stack="husky:2:0")).play("continue")
    assert moved.me.stack[0].need == 2


# Paying


def test_rule_20_a_card_cannot_pay_for_itself() -> None:
    assert Board("2019-02", seat(hand="husky armour breakfast")).moves[-1] == "play husky pay armour breakfast"


def test_rule_21_food_lowers_starvation_and_counts_even_when_it_fails() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="dinner", starvation=3)).play("play dinner")
    assert (board.me.starvation, board.me.foods, board.me.discard) == (2, ("dinner",), ("dinner",))


def test_rule_21_a_personal_card_lowers_hypothermia_before_its_own_cost() -> None:
    board = payer("2017", hand="first_aid armour breakfast dinner", hypothermia=1)
    assert costs(board, "first_aid") == (2, 2)


def test_rule_21_nothing_falls_below_0() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="breakfast", deck="move move move")).play("play breakfast")
    assert board.me.starvation == 0


def test_ruling_35_records_only_what_resolved() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="dinner"), options={"condition_counts": "resolved"})
    assert board.play("play dinner").me.foods == ()


def test_rule_22_every_different_payment_is_a_move_of_its_own() -> None:
    moves = Board("2019-02", seat(hand="lunch lunch move move armour")).moves
    assert [move for move in moves if move.startswith("play lunch")] == [
        "play lunch pay armour lunch",
        "play lunch pay armour move",
        "play lunch pay lunch move",
        "play lunch pay move move",
    ]


def test_rule_23_health_comes_off_the_top_of_the_deck() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="breakfast", deck="mush mush lunch rest dinner"))
    board.play("play breakfast")
    assert (board.me.hand, board.me.deck) == (("dinner", "rest"), ())
    assert board.me.discard == ("breakfast", "lunch", "mush", "mush")


def test_rule_24_without_risk_the_card_resolves_now() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="rest", deck="lunch mush")).play("play rest")
    assert (board.me.hand, board.me.stack) == (("lunch", "mush"), ())


def test_rule_24_with_risk_the_card_waits() -> None:
    board = payer("2019-02").play("play husky pay armour breakfast")
    assert [(frame.card, frame.need, frame.paid) for frame in board.me.stack] == [("husky", 2, 0)]


def test_rule_24_on_a_leg_without_risks_it_fizzles_at_once() -> None:
    board = payer("2019-02", pos=76).play("play husky pay armour breakfast")
    assert board.me.stack == ()
    assert "husky" in board.me.discard
    assert "R24" in board.rules


def test_rule_25_whoever_can_pay_must_pay() -> None:
    moves = Board("2019-02", seat(hand="husky armour breakfast")).moves
    assert "play husky" not in moves


# Payments that fail


def test_rule_26_too_few_cards_discard_nothing() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="husky armour", deck="lunch lunch")).play("play husky")
    assert (board.me.hand, board.me.deck, board.me.discard) == (("armour",), ("lunch", "lunch"), ("husky",))
    assert "R26" in board.rules


def test_ruling_22_too_few_cards_take_the_whole_hand() -> None:
    me = seat(pos=LAKE, hand="husky armour damaged", deck="lunch lunch")
    board = Board("2019-02", me, options={"partial_energy": "whole_hand"}).play("play husky")
    assert (board.me.hand, board.me.discard) == (("damaged",), ("armour", "husky"))


def test_rule_26_a_deck_that_runs_out_is_discarded_whole() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="breakfast move", deck="lunch mush")).play("play breakfast")
    assert (board.me.deck, board.me.hand) == ((), ("move",))
    assert board.me.discard == ("breakfast", "lunch", "mush")


def test_rule_26_a_damage_card_fails_the_payment() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="breakfast", deck="lunch damaged mush rest dinner"))
    board.play("play breakfast")
    assert board.me.deck == ("mush", "rest", "dinner")
    assert board.me.discard == ("breakfast", "damaged", "lunch")


def test_rule_26_no_later_part_is_paid() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="husky armour", deck="lunch lunch move"))
    board.play("play husky")
    assert "pays_health" not in board.kinds()


def test_rule_26_an_empty_deck_fails_a_due_risk_card() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="move", stack="husky:2:1", resolved="lunch")).play("continue")
    assert (board.me.stack, board.me.resolved) == ((), ())
    assert board.me.discard == ("husky", "lunch")


def test_rule_27_cards_discarded_for_a_cost_do_nothing() -> None:
    board = Board("2019-02", seat(pos=LAKE, hand="lunch move mush", deck="rest dinner armour", starvation=0))
    board.play("play lunch pay move mush")
    assert (board.me.pos, board.me.moved) == (LAKE + 1, False)


def test_ruling_25_a_damage_card_may_be_tried_and_fails() -> None:
    me = seat(pos=LAKE, hand="husky armour damaged", deck="lunch lunch")
    board = Board("2019-02", me, options={"damage_for_energy": True})
    assert board.moves[-1] == "play husky pay damaged"
    board.play("play husky pay armour damaged")
    assert board.me.discard == ("armour", "damaged", "husky")
    assert board.me.deck == ("lunch", "lunch")


def test_ruling_21_a_card_that_cannot_be_paid_is_not_open() -> None:
    options = {"unaffordable_play": False}
    assert Board("2019-02", seat(hand="husky armour breakfast", deck="move"), options=options).moves == ["new_day"]
    moves = Board("2019-02", seat(hand="husky armour breakfast", deck="move move"), options=options).moves
    assert moves == ["new_day", "play husky pay armour breakfast"]


def test_ruling_20_passing() -> None:
    board = Board("2017", seat(hand="move", stack="husky:2:0"), options={"pass_turn": True})
    assert board.moves == ["continue", "new_day", "pass"]
    before = board.me
    assert board.play("pass").me == before._replace(turns=1)


def test_ruling_81_costs_of_everyone() -> None:
    me = seat(pos=LAKE, hand="husky armour breakfast", deck="move move")
    you = seat(pos=LAKE + 5, dogs="cute_dog")
    board = Board("2019-02", me, you, options={"cost_mod_scope": "everyone"})
    assert costs(board) == (1, 2)
