"""Risk cards where the discard pile is read, against every way through the rules: equal fractions, or between."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.odds.going import GoingOn
from rules.iditacards.odds.open import Opened
from rules.iditacards.odds.pile import PiledFirst, PiledSeeing
from rules.iditacards.odds.reserve import Reserve
from rules.iditacards.odds.scope import READERS, Scope
from rules.iditacards.odds.seeing import Seeing
from rules.iditacards.odds.seen import SeenSums
from rules.iditacards.odds.sides import SeenSides, Sides
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import Waiting
from rules.iditacards.state import Dog
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.odds.venturing import OPTIONS, reading


@pytest.mark.parametrize(("edition", "options"), OPTIONS)
def test_sides_that_meet_are_the_greatest_chance_and_others_are_bounds(edition: str, options: dict[str, Any]) -> None:
    met = open_ = 0
    for seed in range(30):
        ventures = reading(edition, options, seed)
        for card in ventures.cards():
            with suppress(OutOfReach):
                control = PlainOdds(ventures, so_often(300)).chance(ventures.table, card)
                found, exact = ventures.chance(card, lambda: True)
                assert found == control if exact else found <= control
                low, high = ventures.between(card, lambda: True)
                assert low <= control <= high
                plain = ventures.plain_chance(card, lambda: True)
                assert plain is None or plain <= control
                met += exact and 0 < control < 1
                open_ += not exact
    assert met > 2
    assert open_ < 2 * met


def test_of_unsure_nodes_the_least_is_told_and_the_most_is_kept() -> None:
    sums = Sides(2)
    half = sums.node((sums.through, sums.lost))
    unsure = sums.unsure(sums.lost, half)
    assert sums.unsure(half, half) is half
    assert sums.unsure(sums.through, sums.through) is sums.through
    node = sums.node((unsure, sums.through))
    # The first card is of either class with 1/2; after one of the first class one of each is left.
    assert sums.chance(node, (2, 1), 3) == Fraction(1, 3)
    assert sums.high == Fraction(1, 3) + Fraction(2, 3) / 2
    assert sums.chance(half, (2, 1), 3) == sums.high == Fraction(2, 3)


def test_unsure_ways_are_left_out_only_where_that_holds_whatever_they_are_worth() -> None:
    sums = SeenSides(2, 3, lambda: True)
    half = sums.node((sums.through, sums.lost))
    other = sums.node((sums.lost, sums.through))
    unsure = sums.unsure(half, sums.through)
    assert sums.choice([unsure, half], 3) is unsure
    assert sums.choice([sums.unsure(sums.lost, half), half], 3) is half
    chosen = sums.choice([unsure, other], 3)
    seen = SeenSums(2, 3, lambda: True)
    ways = [seen.node((seen.through, seen.lost)), seen.node((seen.lost, seen.through))]
    assert sums.chance(chosen, (2, 1), 3) == seen.chance(seen.choice(ways, 3), (2, 1), 3)
    assert sums.high == 1


def venture(deck: str, hand: str, discard: str) -> RiskCards:
    found = reading("2017", {}, 1)
    player = found.table.players[0]._replace(dogs=(), pos=20, hypothermia=0, starvation=0, free_energy="no")
    zones = [tuple(sorted(cards.split())) for cards in (deck, hand, discard)]
    player = player._replace(deck=zones[0], hand=zones[1], discard=zones[2])
    player = player._replace(free_health="no")
    return RiskCards(found.game, found.table._replace(players=(player,), weather="none"), 0)


def reserve(ventures: RiskCards, begin: str) -> tuple[Reserve, Opened]:
    rulings, table = ventures.game.rulings, ventures.table
    kept = Reserve(rulings, table, 0, begin)
    scope = Scope(rulings, table, 0, begin, recovers=True, bounds=True, also=set(kept.cards), again=kept.cards)
    return kept, Opened(rulings, table, 0, scope, free=False)


def test_what_is_paid_first_lies_in_the_discard_pile() -> None:
    # Mush costs 2 and 2, Beef Stew (draw 3, recover 3) 2 and 3.
    facts = reading("2017", {}, 1).game.rulings.cards
    kept, carried = reserve(venture("beef_stew move", "mush move push lunch husky", "lunch move mush"), "mush")
    assert (kept.there, kept.held) == (["move"], ["move", "push"])  # no card that draws, and none with a risk
    stew = carried.recalls[carried.recall(facts["beef_stew"], 3)]
    assert (stew.n, stew.energy, stew.paid, stew.waits) == (3, 2, 5, True)
    assert kept.ready(stew, carried) == ["move", "move", "push"]
    # Three cards and four paid for Mush, three of all of them in reserve, five paid for Beef Stew.
    assert kept.sure(stew, carried) == 3
    assert kept.sure(stew._replace(paid=0, n=9), carried) == 4
    assert not kept.several
    cheaper, carried = reserve(venture("beef_stew smart_dog", "mush move push", "lunch move"), "mush")
    assert carried.paid(facts["beef_stew"]) == (2, 2)  # Smart Dog takes one off
    assert cheaper.sure(stew._replace(paid=0), carried) == 2 + 3 - 3


@pytest.mark.parametrize(
    ("deck", "hand", "discard", "begin", "chance"),
    [
        ("a_hat a_hat husky whale_meat", "a_hat husky lunch move", "push", "husky", Fraction(1, 4)),
        ("bison haste move move move torch", "husky move move repair_sled", "good_dog husky push", "husky", None),
        ("lunch lunch lunch lunch poutine", "husky lunch move move push", "push", "husky", Fraction(1, 5)),
        ("beef_stew lunch lunch poutine push", "husky move move repair_sled", "", "husky", Fraction(1, 5)),
        ("move move move move move mush torch", "a_hat greyhound", "good_dog good_dog good_dog", "greyhound", None),
        ("campfire husky husky push push push", "husky lunch move push push repair_sled", "lunch", "husky", None),
    ],
)
def test_cards_taken_back_are_turned_over_or_drawn(
    deck: str, hand: str, discard: str, begin: str, chance: Fraction | None
) -> None:
    ventures = venture(deck, hand, discard)
    control = PlainOdds(ventures, lambda: True).chance(ventures.table, begin)
    assert ventures.chance(begin, lambda: True) == (control, True)
    assert chance is None or control == chance
    left = Scope(ventures.game.rulings, ventures.table, 0, begin, recovers=False)
    assert Seeing(ventures, left, lambda: True, free=True).chance() < control  # who takes nothing back


@pytest.mark.parametrize(("timing", "chance"), [("own_turn", Fraction(1)), ("when_needed", Fraction(0))])
def test_dogs_that_may_not_be_killed_freely_end_the_race(timing: str, chance: Fraction) -> None:
    # Problem Dog moves 3 and the team 1 on its own at the end of every turn (Q38): over the finish, the card in vain.
    found = reading("2019-02", {"sacrifice_timing": timing}, 1)
    player = found.table.players[0]._replace(
        dogs=(Dog("problem_dog", ()),),
        pos=157,
        hand=("lunch",) * 4 + ("makeshift_sled", "polar_bear"),
        deck=("lunch",) * 4,
        discard=(),
        hypothermia=0,
        starvation=0,
        free_energy="no",
        free_health="no",
    )
    ventures = RiskCards(found.game, found.table._replace(players=(player,), weather="none"), 0)
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "polar_bear") == chance
    assert ventures.chance("polar_bear", lambda: True) == (chance, True)
    assert ventures.between("polar_bear", lambda: True) == (chance, chance)


def told(ventures: RiskCards, card: str) -> list[Any]:
    """Return what forms by numbers tell of a card, nothing where one gives up, and how many spots that took."""
    found: list[Any] = []
    looked = 0
    for form, free in ((GoingOn, False), (Seeing, False), (PiledFirst, False), (PiledSeeing, True)):
        with suppress(OutOfReach):
            bounds = form in (PiledFirst, PiledSeeing)
            scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=True, bounds=bounds)
            venture = form(ventures, scope, so_often(300), free=free)
            try:
                chance = venture.chance()
                most = venture.high if isinstance(venture, PiledFirst | PiledSeeing) else None
                found.append((form.__name__, chance, most))
            finally:
                looked += venture._looked
    return [found, looked]


@pytest.mark.parametrize("edition", ["2017", "2019-02"])
def test_too_few_cards_are_lost_where_no_leg_gives_any_back(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[RiskCards, str]] = []
    for seed in range(1, 25):
        ventures = reading(edition, {}, seed)
        facts, player = ventures.game.rulings.cards, ventures.table.players[0]
        deck = [card for card in player.deck if READERS.isdisjoint(effect.op for effect in facts[card].instant)]
        for pos in (60, 140, 155, 157):
            table = ventures.table._replace(players=(player._replace(pos=pos, deck=tuple(deck[:4])),))
            placed = RiskCards(ventures.game, table, 0)
            asked.extend((placed, card) for card in placed.cards() if placed.playable(card))
    with_places = [told(*each) for each in asked]
    monkeypatch.setattr(Waiting, "until", lambda *_: ())
    control = [told(*each) for each in asked]
    for (found, _), (before, _) in zip(with_places, control, strict=True):
        assert set(before) <= set(found)
    assert sum(map(len, (before for before, _ in control))) > 20
    assert sum(looked for _, looked in with_places) < sum(looked for _, looked in control)
    monkeypatch.setattr(Waiting, "until", lambda _, __, stack: (1 << 20,) * stack.needed)  # no leg gives anything back
    assert [told(*each)[0] for each in asked] != [before for before, _ in control]


def test_where_nothing_can_be_followed_all_is_lost_for_the_least() -> None:
    # The village gives a card back at the end of a turn on which cards are drawn and something is decided.
    position = new_position("iditacards/long-race", seed=15, open_sources=[])
    game: Any = position.game
    table = position.table()
    player = table.players[0]._replace(
        hand=("desperate_times", "dog_collar", "haste", "ibuprofin", "scrapyard", "squirrel"),
        deck=("armour", "bear", "brandy", "dog_collar", "lazy_dog", "mush"),
        dogs=(Dog("bear", ("harness",)),),
        pos=118,
        passed=(6, 36, 81),
        free_health="on",
        legendary=(),
    )
    ventures = RiskCards(game, table._replace(players=(player,), weather="sun"), 0)
    low, exact = ventures.chance("haste", so_often(3000))
    least, most = ventures.between("haste", so_often(600))
    assert not exact
    assert 0 < low <= most
    assert least <= most
