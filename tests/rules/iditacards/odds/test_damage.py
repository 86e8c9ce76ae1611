"""Risk cards of somebody who has damage cards, and other rare cases, against every way through the rules."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from rules.core.position import load_position
from rules.core.ventures import OutOfReach
from rules.iditacards.engine import Iditacards
from rules.iditacards.odds.greatest import Odds
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Dog, Frame, Table
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.odds.venturing import APART

OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("2017", {}),
    ("2019-02", {}),
    ("2019-08", {}),
    ("2017", {"damage_as_risk": "fails"}),
    ("2019-02", {"all_cost": "fails_with_damage"}),
    ("2019-08", {"all_cost": "fails_with_damage", "damage_supply": "recycled"}),
    ("2019-02", {"resolved_risk_zone": "discard_at_once", "partial_energy": "whole_hand"}),
    ("2019-08", {"second_step_in_risk": "parent_now"}),
)


def started(edition: str, options: dict[str, Any], opened: Sequence[str] = ()) -> tuple[Iditacards, Table]:
    text = {
        "game": "iditacards",
        "ruleset": edition,
        "options": options,
        "chance": {"open": [*opened], "seed": 15},
        "state": {"players": [{}]},
    }
    game, state = load_position(json.dumps(text)).start()
    assert isinstance(game, Iditacards)
    return game, state.table


def damaged(edition: str, options: dict[str, Any], seed: int, *, deck: tuple[int, ...]) -> RiskCards:
    """Return the ventures of somebody with a small deck and looks at it, and some damage cards in hand and deck."""
    game, table = started(edition, options)
    dice = random.Random(f"{edition} {seed} damaged")
    facts = game.rulings.cards
    full = sorted(card for card in facts if facts[card].deck not in APART)
    light = [card for card in full if facts[card].energy in (0, 1) and facts[card].health <= 1 >= facts[card].risk]
    risky = [card for card in full if facts[card].risk]
    looks = [card for card in full if any(effect.op in ("heal", "see") for effect in facts[card].instant)]
    few = dice.sample(light, 3)

    def some(n: int) -> list[str]:
        return [dice.choice(dice.choice((few, few, light, looks, risky, full))) for _ in range(n)]

    harm = ["damaged"]
    dogs = dice.choices([card for card in full if facts[card].type == "dog"], k=dice.choice((0, 0, 1, 2)))
    player = table.players[0]._replace(
        hand=tuple(sorted([dice.choice(risky), *harm * dice.choice((0, 1)), *some(dice.randint(1, 4))])),
        deck=tuple(sorted([*harm * dice.choice(deck), *dice.choices(looks, k=1), *some(dice.randint(2, 4))])),
        dogs=tuple(sorted(Dog(dog, ()) for dog in dogs)),
        pos=dice.choice((0, 3, 20, 30, 84, 130, 150, 157)),
        hypothermia=dice.choice((0, 0, 1, 3)),
        starvation=dice.choice((0, 0, 1, 3)),
        free_health=dice.choice(("no", "no", "no", "armed")),
    )
    weather = dice.choice(("none", "none", *game.rulings.faces))
    return RiskCards(game, table._replace(players=(player,), weather=weather), 0)


@pytest.mark.parametrize("deck", [(0,), (1, 1, 2)])
@pytest.mark.parametrize(("edition", "options"), OPTIONS)
def test_damage_cards_in_hand_and_deck_do_what_the_rules_say(
    edition: str, options: dict[str, Any], deck: tuple[int, ...]
) -> None:
    exact = inner = 0
    for seed in range(12):
        ventures = damaged(edition, options, seed, deck=deck)
        for card in ventures.cards():
            with suppress(OutOfReach):
                control = PlainOdds(ventures, so_often(500)).chance(ventures.table, card)
                found, told = ventures.chance(card, lambda: True)
                assert found == control if told else found <= control
                low, high = ventures.between(card, lambda: True)
                assert low <= control <= high
                plain = ventures.plain_chance(card, lambda: True)
                assert plain is None or plain <= control
                exact += told
                inner += told and 0 < control < 1
    assert exact > 6
    assert inner or options


def placed(edition: str, options: dict[str, Any], opened: Sequence[str] = (), **fields: Any) -> RiskCards:
    game, table = started(edition, options, opened)
    zones = {zone: tuple(sorted(cards.split())) for zone, cards in fields.items() if isinstance(cards, str)}
    player = table.players[0]._replace(**{**fields, **zones})
    return RiskCards(game, table._replace(players=(player,), weather="none"), 0)


@pytest.mark.parametrize(("card", "chance"), [("bandage", Fraction(13, 20)), ("push", Fraction(3, 5))])
def test_a_look_may_take_a_damage_card_out_of_the_deck(card: str, chance: Fraction) -> None:
    deck = f"{card} damaged grandma_soup move move"
    ventures = placed("2019-02", {}, hand="dog_trap move move push", deck=deck, pos=50)
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "dog_trap") == chance
    assert ventures.chance("dog_trap", lambda: True) == (chance, True)
    low, high = ventures.between("dog_trap", lambda: True)
    assert low == 0
    assert chance < high < 1


def test_a_card_that_may_be_turned_over_in_the_place_of_a_second_step_is_told_by_no_form() -> None:
    hand = "band_aid brandy coat russian_bear_dog slow_and_steady"
    ventures = placed("2019-08", {"second_step": "optional"}, hand=hand, deck="brandy caffeine makeshift_sled", pos=20)
    assert ventures.chance("coat", lambda: True) == (Fraction(0), False)
    assert ventures.plain_chance("coat", lambda: True) is None
    with pytest.raises(OutOfReach):
        Odds(ventures, "coat", lambda: True)


def test_a_dog_that_pays_when_it_is_killed_is_like_no_other() -> None:
    # Four cards pay for Dog Trap, the cat for one more, and nothing for Damaged, which costs two: in vain.
    ventures = placed(
        "2017",
        {},
        hand="dog_trap haste new_sled utility_knife venison_carpaccio",
        deck="damaged venison_steak waffle waffle",
        dogs=(Dog("cat", ()), Dog("cricket", ())),
        pos=30,
        hypothermia=1,
    )
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "dog_trap") == 0
    assert ventures.chance("dog_trap", lambda: True) == (Fraction(0), True)


def test_no_first_risk_card_is_drawn_from_an_empty_deck() -> None:
    ventures = placed(
        "2017",
        {},
        hand="all_in ibuprofin moose",
        deck="dinner iditarod_drift lead_dog lunch push",
        dogs=(Dog("problem_dog", ("dog_collar",)),),
        pos=0,
    )
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "all_in") == 0  # it costs all five cards
    assert ventures.chance("all_in", lambda: True) == (Fraction(0), True)
    assert ventures.between("all_in", lambda: True) == (Fraction(0), Fraction(0))


@pytest.mark.parametrize("opened", [[], ["deck"]])
def test_a_dog_may_be_killed_before_it_ends_the_race(opened: list[str]) -> None:
    # Problem Dog moves 3 and Move 1: from 157 to the finish (R44, R68), the waiting card in vain.
    ventures = placed(
        "2017",
        {},
        opened=opened,
        hand="lunch",
        deck="move",
        dogs=(Dog("problem_dog", ()),),
        stack=(Frame("husky", 0, 0, 1, 0, "risk"),),
        pos=157,
    )
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, None) == 1
    assert ventures.chance(None, lambda: True) == (Fraction(1), True)


def test_bounds_know_which_dog_wears_what_while_dogs_may_be_killed() -> None:
    # The cat pays for Meditate once it is killed, which Plate Mail would not let it be.
    ventures = placed(
        "2017",
        {},
        hand="venison_steak",
        deck="meditate meditate squirrel",
        dogs=(Dog("cat", ()), Dog("smart_dog", ("plate_mail",))),
        pos=148,
    )
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "venison_steak") == Fraction(2, 3)
    assert ventures.between("venison_steak", lambda: True)[1] >= Fraction(2, 3)
    assert ventures.chance("venison_steak", lambda: True) == (Fraction(2, 3), True)


@pytest.mark.parametrize(("opened", "known"), [(["deck"], 0), ([], 2)])
def test_who_knows_the_next_card_may_kill_a_dog_so_as_to_pay_it_away(opened: list[str], known: int) -> None:
    # Smart Dog takes the health off Russian Bear Dog, of which another one on top could not be paid.
    ventures = placed(
        "2019-02",
        {},
        opened=opened,
        known=known,
        hand="malamute russian_bear_dog",
        deck="russian_bear_dog venison_carpaccio",
        dogs=(Dog("smart_dog", ()),),
        pos=50,
    )
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "russian_bear_dog") == 1
    assert ventures.chance("russian_bear_dog", lambda: True) == (Fraction(1), True)
