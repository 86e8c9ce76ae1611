"""Risk cards where the whole discard pile goes back into the deck, followed card by card, against complete play."""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.core.position import load_position, new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.odds.hands import Seen, cheapest, chosen, grouped, mean, merged_in, more_of, pay, puts
from rules.iditacards.odds.pile import Pile
from rules.iditacards.odds.traced import Tracing, traced
from rules.iditacards.odds.traces import PILED
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Dog
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.odds.venturing import APART


def refilling(seed: int) -> RiskCards:
    """Return the ventures of somebody whose small deck of cheap cards may get the discard pile back."""
    position = new_position("iditacards/2019-02", seed=1, open_sources=[])
    game: Any = position.game
    table: Any = position.table()
    dice = random.Random(f"refilling {seed}")
    facts = game.rulings.cards
    full = sorted(card for card in facts if facts[card].deck not in APART)
    light = [card for card in full if (facts[card].energy or 0) <= 1 >= facts[card].health and facts[card].risk <= 1]
    acting = [card for card in light if any(op.op in ("heal", "take", "draw") for op in facts[card].instant)]
    risky = [card for card in full if facts[card].risk]
    few = [*dice.sample(light, 3), "move"]

    def some(n: int) -> list[str]:
        return [dice.choice(dice.choice((few, few, few, light, acting, acting, risky, full))) for _ in range(n)]

    roots = ("husky", "husky", "greyhound", "sprint")
    dogs = dice.choices([card for card in full if facts[card].type == "dog"], k=dice.choice((0, 0, 0, 1)))
    player = table.players[0]._replace(
        hand=tuple(sorted([dice.choice(roots), *some(dice.randint(1, 4))])),
        deck=tuple(sorted(["all_in", *some(dice.randint(3, 4))])),
        discard=tuple(sorted(some(dice.choice((0, 0, 1, 2))))),
        dogs=tuple(sorted(Dog(dog, ()) for dog in dogs)),
        legendary=(),
        pos=dice.choice((0, 3, 20, 30, 39, 84, 130, 150)),
        hypothermia=dice.choice((0, 0, 1, 2)),
        free_health="on",
    )
    upgrade = tuple(tuple(sorted(dice.choices(full, k=dice.choice((0, 1, 2))))) for _ in table.upgrade)
    return RiskCards(game, table._replace(players=(player,), upgrade=upgrade, weather="none"), 0)


CLOSED = (13, 24, 44, 184, 185, 287, 317, 361, 373, 436, 444, 462, 511, 528, 549, 613, 642, 655, 698)
"""Seeds of tables with a card of which the sides of ``odds.pile`` differ, and which is told exactly."""


def test_what_is_followed_is_the_greatest_chance_or_bounds_it() -> None:
    met = better = 0
    for seed in (*range(12), *CLOSED):
        ventures = refilling(seed)
        for card in ventures.cards():
            with suppress(OutOfReach):
                control = PlainOdds(ventures, so_often(500)).chance(ventures.table, card)
                low, high = traced(ventures, card, lambda: True)
                assert low <= control <= high
                pile = Pile(ventures, card)
                pile.close(lambda: True)
                met += low == high and 0 < low < 1
                better += low == high and pile.low < pile.high
    assert met > 20
    assert better >= len(CLOSED)


def test_a_card_is_asked_for_with_the_hand_that_it_leaves() -> None:
    for seed in (*range(12), 44, 148, 287):
        ventures = refilling(seed)
        for card in ventures.cards():
            with suppress(OutOfReach):
                control = PlainOdds(ventures, so_often(300)).chance(ventures.table, card)
                value, exact = ventures.chance(card, lambda: True)
                low, high = ventures.between(card, lambda: True)
                assert value == control if exact else value <= control
                assert low <= control <= high


def test_a_game_whose_looks_and_upgrades_go_to_the_hand_is_left_to_others() -> None:
    position = new_position("iditacards/2017", seed=1, open_sources=[])
    game: Any = position.game
    ventures = game.ventures(position.table(), 0)
    for card in ventures.cards():
        with pytest.raises(OutOfReach):
            Tracing(ventures, card, lambda: True, free=False)


def at_hand(pos: int, deck: str, hand: str, **facts: Any) -> RiskCards:
    """Return the ventures of somebody with a day free of health costs, who has no free actions."""
    options = {"sacrifice_timing": "when_needed", "attachment_removal": False}
    text = {"game": "iditacards", "ruleset": "2019-02", "options": options, "chance": {"open": [], "seed": 1}}
    position = load_position(json.dumps({**text, "state": {"players": [{}]}}))
    table: Any = position.table()
    cards = {"deck": tuple(sorted(deck.split())), "hand": tuple(sorted(hand.split()))}
    player = table.players[0]._replace(pos=pos, free_health="on", discard=(), **cards, **facts)
    table = table._replace(players=(player,), upgrade=tuple(() for _ in table.upgrade), weather="none")
    game: Any = position.game
    return RiskCards(game, table, 0)


def test_what_a_dog_wore_may_be_one_copy_more_of_a_card() -> None:
    for worn in ("coat", "squirrel"):
        dogs = (Dog("lead_dog", (worn,)),)
        deck = f"all_in eat_dog move move {worn}"
        ventures = at_hand(90, deck, "husky dog_trap move move", dogs=dogs, legendary=())
        control = PlainOdds(ventures, so_often(1500)).chance(ventures.table, "husky")
        low, high = traced(ventures, "husky", lambda: True)
        assert low <= control <= high
        assert low == high or worn != "coat"
    assert more_of(ventures.game.rulings.cards, ["coat"], ["coat", "move", "coat"], {"coat"}) == ["coat"] * 3


def test_a_checkpoint_that_puts_a_card_into_the_pile_is_met_wherever_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    ventures = at_hand(86, "all_in move move", "husky move", dogs=(), legendary=("meditate", "waffle"))
    rulings: Any = ventures.game.rulings
    monkeypatch.setattr(rulings, "board", replace(rulings.board, checkpoints=frozenset({90})))
    card = rulings.cards["move"]

    def put(form: Tracing, pos: int) -> list[tuple[int, list[tuple[str, ...]]]]:
        ways = form._effects.resolved(form._piled.start, pos, card)[2]
        return [(way.by, [form._piled.piled(n) for order, n in way.orders if order == PILED]) for way in ways]

    one = Tracing(ventures, "husky", lambda: True, free=False)
    for pos in (86, 89, 87, 90):
        assert put(one, pos) == put(Tracing(ventures, "husky", lambda: True, free=False), pos)
    assert len(put(one, 89)) == 2  # either card is chosen


def test_every_payment_is_followed_and_the_cheapest_alone() -> None:
    hands = frozenset([((0, 1, 1), (2,))])
    assert set(pay(hands, 2)) == {((1,), (0, 1, 2)), ((0,), (1, 1, 2))}
    assert cheapest(hands, 2, [(0, 1), (0, 0), (0, 0)]) == {((0,), (1, 1, 2))}
    assert cheapest(hands, 0, [(0, 1), (0, 0), (0, 0)]) == hands
    assert cheapest(frozenset([((0, 1), ())]), 1, [(0, 0), (0, 0)]) == {((0,), (1,)), ((1,), (0,))}


def test_classes_that_count_as_one_are_counted_for_the_first() -> None:
    first = (0, 0, 2)
    assert grouped((1, 2, 3), first) == (3, 0, 3)
    hands = frozenset([((1, 2), (0, 1))])
    seen = merged_in(Seen(hands, hands, (), False), first)
    assert seen.least == seen.most == {((0, 2), (0, 0))}


def test_cards_are_chosen_in_as_many_ways_as_there_are_copies() -> None:
    assert list(chosen((2, 1), 2)) == [((0, 1), (1, 0), 2), ((0, 0), (0, 1), 1)]
    assert sum(ways for _, _, ways in chosen((4, 3, 2), 4)) == 126
    # Of four cards two are worth 1/2 and one is worth 1: it is among two of them with 1/2.
    worth = {0: Fraction(0), 1: Fraction(1, 2), 2: Fraction(1)}
    assert mean(worth, Counter({0: 1, 1: 2, 2: 1}), 2) == Fraction(3, 4)


def test_what_was_looked_at_goes_back_or_to_the_pile_or_leaves_the_game() -> None:
    assert set(puts((0, 1), 1, True, False)) == {((0, 1), ()), ((0,), ()), ((1,), ())}
    assert set(puts((0, 0), 0, False, False)) == {((), (0, 0)), ((0,), (0,)), ((0, 0), ())}
    assert set(puts((0, 1), 2, False, True)) == {((), ()), ((0,), ()), ((1,), ()), ((0, 1), ())}
