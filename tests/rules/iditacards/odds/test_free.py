"""Where free actions help though no other leg is reached: against every way through the rules, or with all of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.core.ventures import OutOfReach
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Dog
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.odds.venturing import dealt

EDITIONS = ("2017", "2019-02", "2019-08")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("cheaper", [Dog("smart_dog", ()), Dog("good_dog", ("coat",))])
def test_who_looks_at_cards_may_rather_pay_more_health(edition: str, cheaper: Dog) -> None:
    for deck in ("band_aid waffle lunch lunch lunch lunch", "band_aid waffle waffle lunch lunch lunch"):
        ventures = dealt(edition, "husky move move", deck, (cheaper,), 50)
        value = PlainOdds(ventures, lambda: True).chance(ventures.table, "husky")
        assert ventures.chance("husky", lambda: True) == (value, True)
        low, high = ventures.between("husky", lambda: True)
        assert low <= value <= high


def test_a_hungry_space_is_met_where_conditions_raise_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = "meditate meditate meditate move travel_light"
    ventures = dealt("2019-08", "husky move move move", deck, (Dog("wheel_dog", ()),), 20)
    monkeypatch.setattr(ventures.game.rulings, "condition_cost", "each")
    value = PlainOdds(ventures, lambda: True).chance(ventures.table, "husky")
    assert ventures.chance("husky", lambda: True) == (value, True)
    assert value > 0


def drawn(edition: str, seed: int) -> RiskCards:
    """Return the ventures of somebody with dogs and looks, close before a border or not."""
    dice = random.Random(f"free {edition} {seed}")
    ventures = dealt(edition, "move", "move", (), 0)
    rulings, table = ventures.game.rulings, ventures.table
    facts = rulings.cards
    sold = [card for card in sorted(facts) if facts[card].deck not in ("destroyed", "legendary", "solitaire", "damage")]
    looks = [card for card in sold if {effect.op for effect in facts[card].instant} & {"see", "heal"}]
    light = [card for card in sold if (facts[card].energy or 0) <= 2 and facts[card].health <= 2]
    risky = [card for card in light if facts[card].risk]
    dogs = [card for card in sold if facts[card].type == "dog"]
    worn = [card for card in sold if facts[card].type == "attachment"]
    team = [
        Dog(dog, tuple(dice.choices(worn, k=dice.randint(0, 1)))) for dog in dice.choices(dogs, k=dice.randint(1, 2))
    ]
    borders = [1, 6, 36, *rulings.special_spaces, rulings.finish_at]
    player = table.players[0]._replace(
        hand=tuple(sorted([dice.choice(risky), *dice.choices(light, k=dice.randint(1, 5))])),
        deck=tuple(sorted([*dice.choices(looks, k=1), *dice.choices(light, k=dice.randint(2, 5))])),
        dogs=tuple(sorted(team)),
        pos=max(0, dice.choice(borders) - dice.randint(1, 9)),
        hypothermia=dice.choice((0, 0, 1)),
        starvation=dice.choice((0, 0, 1)),
    )
    found: RiskCards = ventures.game.ventures(table._replace(players=(player,)), 0)
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_free_actions_that_are_left_out_would_change_nothing(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> list[Any]:
        found: list[Any] = []
        for seed in range(20):
            ventures = drawn(edition, seed)
            for card in ventures.cards():
                try:
                    found.append(ventures.chance(card, so_often(1000)))
                except OutOfReach:
                    found.append((None, False))
        return found

    found = told()
    monkeypatch.setattr(Scope, "_free_actions_matter", lambda _: True)
    both = [(one, other) for one, other in zip(found, told(), strict=True) if one[1] and other[1]]
    assert all(one == other for one, other in both)
    assert sum(0 < one[0] < 1 for one, _ in both) > 10
