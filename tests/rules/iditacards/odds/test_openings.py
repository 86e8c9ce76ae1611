"""What to pay with and what to do before: each payment that is named has the chance, asked again with it fixed."""

from __future__ import annotations

import random

import pytest

from rules.core.ventures import OutOfReach
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Dog
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.odds.venturing import OPTIONS, dealt, reading

EDITIONS = ("2017", "2019-02", "2019-08")


def replayed(ventures: RiskCards, card: str) -> list[bool]:
    """Return for each way that is named whether it needs moves before, once it is found to have the chance."""
    try:
        value, exact = ventures.chance(card, so_often(5000))
    except OutOfReach:
        return []
    if not exact:
        return []
    opening = ventures.attaining(card, value, lambda: True)
    assert (opening is None) == (value == 0)
    if opening is None:
        return []
    odds = PlainOdds(ventures, so_often(400))
    found = []
    for move in [opening.moves[paid] for paid in sorted(opening.moves)][:3]:
        try:
            again = odds.chance(ventures.table, card, (*opening.before, move))
        except OutOfReach:
            break
        assert again == value
        found.append(bool(opening.before))
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_payment_that_is_named_has_the_chance(edition: str) -> None:
    dice = random.Random(f"openings {edition}")
    facts = dealt(edition, "move", "move", (), 0).game.rulings.cards
    sold = [card for card in sorted(facts) if facts[card].deck not in ("destroyed", "legendary", "solitaire", "damage")]
    light = [card for card in sold if facts[card].energy in (0, 1) and facts[card].health <= 1 >= facts[card].risk]
    risky = [card for card in sold if facts[card].risk and facts[card].energy in (0, 1, 2)]
    dogs = [card for card in sold if facts[card].type == "dog"]
    worn = [card for card in sold if facts[card].type == "attachment"]
    found: list[bool] = []
    for _ in range(120):
        hand = [dice.choice(risky), *dice.choices(light, k=dice.randint(1, 3))]
        deck = dice.choices(light, k=dice.randint(2, 4))
        team = [Dog(dice.choice(dogs), tuple(dice.choices(worn, k=dice.choice((0, 1))))) for _ in range(2)]
        ventures = dealt(edition, " ".join(hand), " ".join(deck), tuple(sorted(team)), dice.choice((3, 50, 90)))
        found += replayed(ventures, hand[0])
    assert len(found) > 30


def test_a_dog_that_pays_is_sacrificed_before() -> None:
    ventures = dealt("2019-02", "mush lunch", "lunch a_hat move dinner", (Dog("cat", ()),), 90)
    value, exact = ventures.chance("mush", lambda: True)
    opening = ventures.attaining("mush", value, lambda: True)
    assert exact
    assert opening is not None
    assert [step.text for step in opening.before] == ["sacrifice cat"]
    assert set(opening.moves) == {("cat", "lunch")}
    assert replayed(ventures, "mush") == [True]


def test_where_the_discard_pile_is_read_it_may_count_what_pays() -> None:
    hand = "midnight_snack move through_the_night squirmy_dog makeshift_sled"
    ventures = dealt("2017", hand, "poutine polar_bear out_of_control tiara", (), 50)
    value, exact = ventures.chance("midnight_snack", lambda: True)
    opening = ventures.attaining("midnight_snack", value, lambda: True)
    assert exact
    assert opening is not None
    assert set(opening.moves) == {("move",)}
    odds = PlainOdds(ventures, lambda: True)
    (every,) = ventures.openings("midnight_snack")
    told = {paid: odds.chance(ventures.table, "midnight_snack", (move,)) for paid, move in every.moves.items()}
    assert [paid for paid, chance in told.items() if chance == value] == [("move",)]
    assert len(told) == 4


@pytest.mark.parametrize(("edition", "options"), OPTIONS[:5])
def test_payments_with_cards_that_come_back(edition: str, options: dict[str, str]) -> None:
    found: list[bool] = []
    for seed in range(40):
        ventures = reading(edition, options, seed)
        for card in ventures.cards():
            found += replayed(ventures, card)
    assert len(found) > 10
