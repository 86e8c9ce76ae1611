"""Bounds for risk cards from both sides against every way through the rules, and against every look."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from rules.core.ventures import OutOfReach
from rules.iditacards.odds.between import Above, Below, Bounding
from rules.iditacards.odds.going import GoingOn
from rules.iditacards.odds.marks import Discarding, Skipping
from rules.iditacards.odds.scope import LOOKS, READERS, Scope
from rules.iditacards.odds.seeing import Seeing
from rules.iditacards.odds.sums import Node, SeenNode
from rules.iditacards.odds.venture import RiskCards
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.looking import POOL, SIZE, sums, worth
from tests.rules.iditacards.odds.venturing import CASES, anywhere, board, changed

EDITIONS = ("2017", "2019-02", "2019-08", "starter-race")
WHOLE = 99
"""A budget that cuts nothing."""


def bound(ventures: RiskCards, card: str, side: type[Bounding], budget: int, *, free: bool = True) -> Fraction:
    form = side(ventures, scope(ventures, card, recovers=side.above), lambda: True, free=free)
    return form.within(budget)[0]


def scope(ventures: RiskCards, card: str, *, recovers: bool) -> Scope:
    return Scope(ventures.game.rulings, ventures.table, 0, card, recovers=recovers, bounds=True)


def ops(ventures: RiskCards, card: str) -> set[str]:
    """Return the ops of all cards that may be played."""
    return {effect.op for each in scope(ventures, card, recovers=True).played for effect in each.instant}


def test_cards_that_come_back_into_the_deck_may_be_enough_for_all_that_waits() -> None:
    # All In pays five cards and needs five more; then the discard pile is in the deck again, with a Move for Husky.
    found = anywhere("2017", 1, size=3)
    player = found.table.players[0]._replace(
        hand=("husky", "move", "move", "move", "move", "move"),
        deck=("all_in", *["move"] * 12),
        discard=("move",) * 3,
        dogs=(),
        hypothermia=0,
        starvation=0,
        pos=3,
    )
    ventures = RiskCards(found.game, found.table._replace(players=(player,), weather="none"), 0)
    scope = Scope(ventures.game.rulings, ventures.table, 0, "husky", recovers=True, bounds=True)
    bound, whole = Above(ventures, scope, lambda: True, free=False).within(100)
    assert whole
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "husky") == Fraction(12, 13) <= bound


@pytest.mark.parametrize(
    ("ruleset", "deck", "pos", "chance"),
    [
        ("2017", ("rope", *["move"] * 4), 3, Fraction(3, 5)),
        ("2019-02", ("rope", *["move"] * 4), 3, Fraction(4, 5)),
        ("2017", ("move",) * 3, 155, Fraction(1)),  # on the leg ahead
    ],
)
def test_cards_taken_back_may_be_enough_for_all_that_waits(
    ruleset: str, deck: tuple[str, ...], pos: int, chance: Fraction
) -> None:
    start = anywhere(ruleset, 1, size=3)
    hand = ("husky", "move", "move", "move")
    player = start.table.players[0]._replace(hand=hand, deck=deck, discard=("move",) * 3, dogs=(), pos=pos)
    player = player._replace(hypothermia=0, starvation=0, free_energy="no")
    weather = "none" if ruleset == "2017" else "storm"
    ventures = RiskCards(start.game, start.table._replace(players=(player,), weather=weather), 0)
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "husky") == chance
    low, high = ventures.between("husky", lambda: True)
    assert low <= chance <= high
    found, exact = ventures.chance("husky", lambda: True)
    assert found == chance if exact else found <= chance


@pytest.mark.parametrize("ruleset", EDITIONS)
def test_no_way_through_the_rules_is_beyond_the_bounds(ruleset: str) -> None:
    compared = equal = 0
    for seed in range(1, 41):
        ventures = anywhere(ruleset, seed, looks=1 + seed % 2, size=4)
        for card in ventures.cards():
            try:
                control = PlainOdds(ventures, so_often(400)).chance(ventures.table, card)
            except OutOfReach:
                continue
            for budget in (3, 6, WHOLE):
                low, high = (bound(ventures, card, side, budget) for side in (Below, Above))
                assert low <= control <= high
            compared += 1
            equal += low == high
            if not ops(ventures, card) & (LOOKS | READERS):
                form = GoingOn(ventures, scope(ventures, card, recovers=True), lambda: True, free=True)
                if form.chance() is not None and not form.chose:
                    assert low == high == control
    assert compared > 12
    assert equal > compared // 2


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("ruleset", EDITIONS[:3])
def test_the_greatest_chance_is_between_the_bounds(ruleset: str, free: bool) -> None:
    compared = gained = apart = 0
    for seed in range(1, 17):
        ventures = anywhere(ruleset, seed, looks=2, size=12)
        for card in ventures.cards():
            known = scope(ventures, card, recovers=False)
            if ops(ventures, card) & READERS:
                continue
            try:
                greatest = Seeing(ventures, known, so_often(3000), free=free).chance()
            except OutOfReach:
                continue
            plain = GoingOn(ventures, known, lambda: True, free=free).chance()
            low, high = (bound(ventures, card, side, WHOLE, free=free) for side in (Below, Above))
            assert plain <= low <= greatest <= high
            compared, gained, apart = compared + 1, gained + (low > plain), apart + (low < high)
    assert compared > 8
    assert gained > 0
    assert apart > 0


@pytest.mark.parametrize("side", [Below, Above])
@pytest.mark.parametrize("name", CASES)
def test_a_greater_budget_is_never_worse_and_what_is_known_stays_true(name: str, side: type[Bounding]) -> None:
    ventures = board(name).game.ventures(board(name).state.table)
    for card in ventures.cards():
        try:
            form = side(ventures, scope(ventures, card, recovers=side.above), lambda: True, free=True)
        except OutOfReach:
            continue
        found = [form.within(budget) for budget in (0, 2, 4, 8, WHOLE)]
        bounds = [each for each, _ in found]
        assert bounds == sorted(bounds, reverse=side.above)
        assert found[-1] == (bound(ventures, card, side, WHOLE), True)


@pytest.mark.parametrize("card", ["all_in", "bison", "whale_meat", "leather_hide"])
def test_cards_that_read_the_discard_pile_are_told_between_bounds(card: str) -> None:
    compared = 0
    for seed in range(1, 25):
        ventures = changed(anywhere("2017", seed, size=4), deck=card)
        for begun in ventures.cards():
            try:
                control = PlainOdds(ventures, so_often(600)).chance(ventures.table, begun)
            except OutOfReach:
                continue
            low, high = ventures.between(begun, lambda: True)
            assert low <= control <= high
            assert high < 1 or control > Fraction(1, 2)
            assert card in ventures.unsettled(begun)
            compared += 1
    assert compared > 5


@pytest.mark.parametrize(
    ("ruleset", "card"), [("2017", "leather_hide"), ("2017", "beef_stew"), ("2019-02", "campfire")]
)
def test_what_the_card_itself_does_is_never_read(ruleset: str, card: str) -> None:
    compared = 0
    for seed in range(1, 25):
        ventures = changed(anywhere(ruleset, seed, size=4), hand=card, deck="move")
        if card not in ventures.cards() or ventures.unsettled(card):
            continue
        try:
            control = PlainOdds(ventures, so_often(400)).chance(ventures.table, card)
        except OutOfReach:
            continue
        assert ventures.chance(card, lambda: True) == (control, True)
        compared += control > 0
    assert compared > 2


@pytest.mark.parametrize("ruleset", EDITIONS)
def test_cards_that_cost_as_much_have_the_same_chance(ruleset: str) -> None:
    compared = 0
    for seed in range(1, 31):
        ventures = anywhere(ruleset, seed, size=4)
        for card in ventures.cards():
            try:
                control = PlainOdds(ventures, so_often(200)).chance(ventures.table, card)
            except OutOfReach:
                continue
            found, exact = ventures.chance(card, lambda: True)
            assert found == control or not exact
            compared += len(ventures.cards()) > 1
    assert compared > 5


@pytest.mark.parametrize("ruleset", ["2017", "2019-02"])
def test_a_leg_that_gives_cards_back_is_no_reason_to_claim_too_much(ruleset: str) -> None:
    compared = more = 0
    for seed in range(1, 31):
        ventures = anywhere(ruleset, seed, size=4)
        track = ventures.game.rulings.track(ventures.table.legs)
        places = [place for place, leg in enumerate(track) if leg and "leg_turn_end_recover" in leg.effects]
        player = ventures.table.players[0]._replace(pos=places[seed % len(places)])
        ventures = RiskCards(ventures.game, ventures.table._replace(players=(player,)), 0)
        for card in ventures.cards():
            try:
                control = PlainOdds(ventures, so_often(600)).chance(ventures.table, card)
            except OutOfReach:
                continue
            found, exact = ventures.chance(card, lambda: True)
            low, high = ventures.between(card, lambda: True)
            assert found == control if exact else found <= control
            assert low <= control <= high
            compared, more = compared + 1, more + (found < control)
    assert compared > 5
    assert ruleset == "2017" or more > 0


def test_bounds_come_closer_and_meet() -> None:
    ventures = board("looked-at cards go back by what they are").game.ventures
    table = board("looked-at cards go back by what they are").state.table
    found = ventures(table)
    assert found.between("husky", lambda: False) == (Fraction(0), Fraction(1))
    widths = []
    for looks in (1, 40, 400, 4000):
        low, high = found.between("husky", so_often(looks))
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    low, high = found.between("husky", lambda: True)
    chance, exact = found.chance("husky", lambda: True)
    assert exact
    assert low <= chance <= high < 1


# Sums over marks


def _turned(dice: random.Random, cards: int, depth: int) -> Callable[[Callable[..., Node]], Node]:
    """Return a recipe for a node of so many cards: what makes it of turned cards, choices and looks."""
    if cards <= 0 or depth == 0:
        through = dice.random() < 0.6
        return lambda make: make("through" if through else "lost")
    if depth > 1 and dice.random() < 0.25:
        ways = [_turned(dice, cards, depth - 1) for _ in range(2)]
        return lambda make: make("choice", [way(make) for way in ways], cards)
    if depth > 1 and dice.random() < 0.4:
        looked = min(2, cards)
        after = _turned(dice, cards - looked, depth - 1)  # enough cards for all that may be left below
        return lambda make: make("look", after(make), looked, cards - looked)
    some = [_turned(dice, cards - 1, depth - 1) for _ in range(3)]
    picked = [dice.randrange(4) for _ in POOL]
    return lambda make: make("turned", [*(each(make) for each in some), make("lost")], picked)


@pytest.mark.parametrize("seed", range(12))
def test_marks_are_worth_no_less_and_no_more_than_every_look(seed: int) -> None:
    recipe = _turned(random.Random(seed), SIZE, 4)
    seen, above, below = sums(), Skipping(len(POOL), lambda: True), Discarding(len(POOL), lambda: True)

    def exact(kind: str, *given: object) -> Node:
        match kind, given:
            case "choice", (list(ways), int(cards)):
                return seen.choice(ways, cards)
            case "look", (Node() as after, int(looked), int(left)):
                return seen.look(looked, left, [(back, after) for back in range(looked + 1)])
            case "turned", (list(some), list(picked)):
                return seen.node(tuple(some[each] for each in picked))
        return seen.through if kind == "through" else seen.lost

    def bounded(made: Skipping | Discarding) -> Callable[..., Node]:
        def make(kind: str, *given: object) -> Node:
            match kind, given:
                case "choice", (list(ways), int()):
                    return made.best(ways)
                case "look", (Node() as after, int(looked), int(left)):
                    return made.best([made.look(looked, looked + left, after), after])
                case "turned", (list(some), list(picked)):
                    return made.node(tuple(some[each] for each in picked))
            return made.through if kind == "through" else made.lost

        return make

    value = worth(seen, recipe(exact), POOL)
    low = below.chance(recipe(bounded(below)), POOL, SIZE)
    high = above.chance(recipe(bounded(above)), POOL, SIZE)
    assert low <= value <= high
    assert not isinstance(recipe(exact), SeenNode) or high > 0 or value == 0


@pytest.mark.parametrize("name", CASES)
def test_what_the_first_risk_turns_up_is_that_of_the_course(name: str) -> None:
    ventures = board(name).game.ventures(board(name).state.table)
    for card in ventures.cards():
        found = ventures.turned_up(card, lambda: True)
        if found:
            assert list(found) == list(ventures.courses(lambda: True).turned_up(card))
            assert sum(each.probability * each.chance for each in found) == ventures.plain_chance(card, lambda: True)
