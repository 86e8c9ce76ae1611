"""Risk cards by the merging form against every way through the rules: equal fractions."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.ventures import Fate, OutOfReach
from rules.iditacards import odds_plans, odds_waiting
from rules.iditacards.odds import Odds
from rules.iditacards.odds_blind import shares
from rules.iditacards.odds_going import GoingOn
from rules.iditacards.odds_plans import TooLate
from rules.iditacards.odds_scope import Scope
from rules.iditacards.odds_seeing import Seeing
from rules.iditacards.state import Dog
from rules.iditacards.venture import RiskCards
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.boards import ALL_OPEN, Board, seat

SECOND, FIRST, THIRD = "2019-02", "2017", "2019-08"
APART = ("damage", "destroyed", "legendary", "solitaire")
HAND = "chihuahua smart_dog smart_dog lunch buffer_panel midnight_snack"

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "nothing but risk cards turned over": (
        SECOND,
        {"pos": 50, "hand": "armour breakfast husky mush", "deck": "lunch move mush rest", "dogs": "wheel_dog"},
    ),
    "looked-at cards go back by what they are": (
        SECOND,
        {"pos": 50, "hand": "breakfast husky mush move", "deck": "lunch move first_aid rest breakfast armour"},
    ),
    "a look inside a look": (
        SECOND,
        {"pos": 50, "hand": "move move move husky", "deck": "grandma_soup first_aid move rest armour"},
    ),
    "damage in the deck and in the hand": (
        SECOND,
        {"pos": 50, "hand": "husky mush lunch a_hat damaged", "deck": "move rest damaged lunch mush"},
    ),
    "another leg is near and a dog may stay behind": (
        SECOND,
        {"pos": 2, "hand": "husky lunch armour move", "deck": "move mush rest lunch dog_chow", "dogs": "wheel_dog"},
    ),
    "every risk fails on the bridge ahead": (
        SECOND,
        {"pos": 73, "hand": "husky lunch armour move", "deck": "move mush rest move", "dogs": "wheel_dog"},
    ),
    "a dog that dies to the hand pays": (
        SECOND,
        {"pos": 90, "hand": "mush lunch rest", "deck": "lunch a_hat move dinner", "dogs": "cat"},
    ),
    "draws by dogs can be too many": (
        THIRD,
        {
            "pos": 140,
            "hand": "plate_mail bandage caffeine problem_dog",
            "deck": "husky stop_and_shop dog_food daylight_savings_time",
            "dogs": "greyhound retriever",
        },
    ),
    "second steps take turns of their own": (
        THIRD,
        {
            "pos": 67,
            "hand": HAND,
            "deck": "first_aid move move mush repair_sled",
            "hypothermia": 2,
            "starvation": 2,
        },
    ),
    "the race would be over": (THIRD, {"pos": 158, "hand": "mush lunch a_hat", "deck": "move lunch", "dogs": "husky"}),
    "known cards on top": (
        FIRST,
        {"pos": 20, "hand": "mush lunch move armour", "deck": "dinner lunch move move", "known": 1},
    ),
    "the first risk card is drawn": (
        FIRST,
        {"pos": 20, "hand": "bear lunch a_hat armour", "deck": "lunch move dinner move", "dogs": "reliable_dog"},
    ),
    "half-way through": (
        SECOND,
        {"pos": 50, "hand": "lunch rest", "deck": "move mush a_hat breakfast lunch move", "stack": "husky:2:1"},
    ),
    "a doubled risk": (
        SECOND,
        {"pos": 50, "hand": "utility_knife a_hat move", "deck": "lunch venison_steak move move armour rest"},
    ),
}
FORMS: tuple[dict[str, bool], ...] = (
    {},
    {"boards": False},
    {"counts": False},
    {"counts": False, "grafts": False},
)


def board(name: str, **options: Any) -> Board:
    edition, fields = CASES[name]
    return Board(edition, seat(**fields), known=(), weather="storm", **options)


@pytest.mark.parametrize("name", CASES)
def test_both_forms_give_equal_fractions(name: str) -> None:
    table = board(name)
    ventures = table.game.ventures(table.state.table)
    plain = PlainOdds(ventures, lambda: True)
    for card in ventures.cards() or [None]:
        assert ventures.chance(card, lambda: True) == (plain.chance(ventures.table, card), True)


@pytest.mark.parametrize("name", CASES)
def test_leaving_out_what_others_dominate_changes_no_chance(name: str) -> None:
    table = board(name)
    ventures = table.game.ventures(table.state.table)
    for card in ventures.cards() or [None]:
        found = [Odds(ventures, card, lambda: True, dominance=each).chance() for each in (True, False)]
        assert found[0] == found[1]


@pytest.mark.parametrize("name", CASES)
def test_turns_in_parts_change_no_chance(name: str) -> None:
    table = board(name)
    ventures = table.game.ventures(table.state.table)
    for card in ventures.cards() or [None]:
        found = [Odds(ventures, card, lambda: True, grafts=each).chance() for each in (True, False)]
        assert found[0] == found[1]


@pytest.mark.parametrize("name", CASES)
def test_turns_by_counts_change_no_chance(name: str) -> None:
    table = board(name)
    ventures = table.game.ventures(table.state.table)
    for card in ventures.cards() or [None]:
        forms = [Odds(ventures, card, lambda: True, counts=each) for each in (True, False)]
        assert forms[0].plain() == forms[1].plain() <= forms[0].chance() == forms[1].chance()


@pytest.mark.parametrize("name", CASES)
def test_boards_and_numbers_change_no_chance(name: str) -> None:
    table = board(name)
    ventures = table.game.ventures(table.state.table)
    for card in ventures.cards() or [None]:
        forms = [Odds(ventures, card, lambda: True, boards=each) for each in (True, False)]
        assert forms[0].plain() == forms[1].plain()
        assert forms[0].chance() == forms[1].chance()


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
def test_going_on_by_boards_and_numbers_is_going_on(ruleset: str, free: bool) -> None:
    compared = 0
    for seed in range(1, 25):
        ventures = anywhere(ruleset, seed)
        for card in ventures.cards():
            scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=False)
            try:
                going = GoingOn(ventures, scope, lambda: True, free=free)
            except OutOfReach:
                continue
            control = Odds(ventures, card, lambda: True, recovers=False, boards=False)
            assert going.chance() == control.going_on(free=free)
            compared += 1
    assert compared > 12


class _Uncovered(Seeing):
    covering = False


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
def test_the_greatest_chance_by_boards_and_numbers_is_the_greatest(ruleset: str, free: bool) -> None:
    compared = more = 0
    for seed in range(1, 13):
        ventures = anywhere(ruleset, seed, looks=3, size=7)
        for card in ventures.cards():
            scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=False)
            try:
                found = Seeing(ventures, scope, lambda: True, free=free).chance()
            except OutOfReach:
                continue
            control = Odds(ventures, card, lambda: True, recovers=False, boards=False)
            assert found == control.seeing(free=free)
            plain = control.going_on(free=free)
            assert plain <= found
            compared, more = compared + 1, more + (plain < found)
            try:
                assert found == _Uncovered(ventures, scope, lambda: True, free=free).chance()
            except OutOfReach:
                continue
    assert compared > 8
    assert more > 0


@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08", "starter-race"])
def test_the_greatest_chance_by_boards_and_numbers_is_that_of_every_way_through_the_rules(ruleset: str) -> None:
    compared = 0
    for seed in range(1, 25):
        ventures = anywhere(ruleset, seed, looks=1, size=4)
        for card in ventures.cards():
            try:
                scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=True)
                found = Seeing(ventures, scope, lambda: True, free=True).chance()
                control = PlainOdds(ventures, so_often(400)).chance(ventures.table, card)
            except OutOfReach:
                continue
            assert found == control
            compared += 1
    assert compared > 2


def anywhere(ruleset: str, seed: int, *, looks: int = 0, size: int = 6) -> RiskCards:
    """Return the ventures of somebody with a small deck, a few upgrade cards and dogs, somewhere in a race.

    ``looks`` more cards of the deck look at it.
    """
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game: Any = position.game
    dice = random.Random(seed)
    facts = game.rulings.cards
    table = position.table()
    player = table.players[0]
    cards = [*player.hand, *player.deck]
    cards += dice.choices(sorted(card for card in facts if facts[card].deck not in APART), k=5)
    cards = [card for card in cards if not any(effect.op == "discard_to_deck" for effect in facts[card].instant)]
    dice.shuffle(cards)
    looking = sorted(card for card in facts if any(effect.op in ("heal", "see") for effect in facts[card].instant))
    dogs = [Dog(dice.choice([card for card in facts if facts[card].type == "dog"]), ()) for _ in range(seed % 3)]
    player = player._replace(
        hand=tuple(sorted(cards[:6])),
        deck=tuple(sorted([*(dice.choices(looking, k=looks) if looking else []), *cards[6:]][:size])),
        dogs=tuple(sorted(dogs)),
        pos=dice.choice((0, 3, 20, 30, 70, 84, 130, 150)),
        hypothermia=dice.choice((0, 0, 1, 3)),
        starvation=dice.choice((0, 0, 1, 3)),
        free_energy=dice.choice(("no", "no", "armed")),
    )
    weather = dice.choice(("none", *game.rulings.faces))
    found: RiskCards = game.ventures(table._replace(players=(player,), weather=weather), 0)
    return found


def changed(ventures: RiskCards, *, hand: str = "", deck: str = "", dog: str = "") -> RiskCards:
    """Return the ventures with these cards in the place of others."""
    player = ventures.table.players[0]
    player = player._replace(
        hand=tuple(sorted([hand, *player.hand[1:]])) if hand else player.hand,
        deck=tuple(sorted([deck, *player.deck[1:]])),
        dogs=tuple(sorted([Dog(dog, ()), *player.dogs])) if dog else player.dogs,
    )
    return RiskCards(ventures.game, ventures.table._replace(players=(player,)), 0)


@pytest.mark.parametrize("ruleset", ["2017", "2019-02"])
def test_risk_cards_drawn_or_doubled_by_boards_and_numbers_are_those_of_every_turn(ruleset: str) -> None:
    drawing = ["dog_collar", "reliable_dog"] if ruleset == "2017" else []
    compared = 0
    for seed in range(1, 10):
        ventures = changed(
            anywhere(ruleset, seed, looks=seed % 3),
            hand="utility_knife" if seed % 2 else "",
            deck=["utility_knife", *drawing][seed % (1 + len(drawing))],
            dog="reliable_dog" if drawing and seed % 3 == 0 else "",
        )
        for card in ventures.cards():
            for free in (False, True):
                try:
                    scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=False)
                    found = GoingOn(ventures, scope, lambda: True, free=free).chance()
                    greatest = Seeing(ventures, scope, so_often(400), free=free).chance()
                except OutOfReach:
                    continue
                control = Odds(ventures, card, lambda: True, recovers=False, boards=False)
                assert found == control.going_on(free=free)
                assert greatest == control.seeing(free=free)
                compared += 1
    assert compared > 10


def test_second_steps_that_the_end_of_the_race_may_forestall_are_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    forestalled = 0

    class Counted(TooLate):
        def __init__(self) -> None:
            nonlocal forestalled
            forestalled += 1

    monkeypatch.setattr(odds_waiting, "SPARE", -200)
    monkeypatch.setattr(odds_plans, "TooLate", Counted)
    for seed in range(1, 60):
        ventures = changed(anywhere("2019-08", seed, looks=3), hand="mush", deck="mush")
        player = ventures.table.players[0]._replace(pos=130 + seed % 31)
        ventures = RiskCards(ventures.game, ventures.table._replace(players=(player,)), 0)
        for card in ventures.cards():
            try:
                scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=False)
                found = GoingOn(ventures, scope, lambda: True, free=False).chance()
            except OutOfReach:
                continue
            control = Odds(ventures, card, lambda: True, recovers=False, boards=False)
            assert found == control.going_on(free=False)
    assert forestalled > 3


@pytest.mark.parametrize("name", CASES)
def test_going_on_and_no_more_is_the_course_of_that_card(name: str) -> None:
    table = board(name)
    ventures = table.game.ventures(table.state.table)
    for card in ventures.cards():
        course = ventures.courses(lambda: True).course([card])
        assert Odds(ventures, card, lambda: True).plain() == course.chance(0)


@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08", "starter-race"])
def test_seeded_decks_by_parts_and_by_whole_turns(ruleset: str) -> None:
    compared = 0
    for seed in range(1, 13):
        position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
        game: Any = position.game
        dice = random.Random(seed)
        table = position.table()
        player = table.players[0]
        cards = [*player.hand, *player.deck]
        facts = game.rulings.cards
        cards += dice.choices(sorted(card for card in facts if facts[card].deck not in APART), k=2)
        dice.shuffle(cards)
        hand, deck = sorted(cards[:7]), sorted(cards[7:14])
        player = player._replace(hand=tuple(hand), deck=tuple(deck), pos=dice.choice((0, 20, 60, 100)))
        ventures = game.ventures(table._replace(players=(player,)), 0)
        for card in ventures.cards():
            try:
                forms = [Odds(ventures, card, lambda: True, **form) for form in FORMS]
                found = [(form.plain(), form.chance()) for form in forms]
            except OutOfReach:
                continue
            assert len(set(found)) == 1
            compared += 1
    assert compared > 5


def test_one_hand_counted_by_hand() -> None:
    # Chihuahua pays 1 of 5 hidden cards and needs two. First Aid (1 in 5) leaves a card that it looks at and puts
    # back: half of those are a Move. After a Move (2 in 5) a Move or First Aid comes through: half again.
    table = board("second steps take turns of their own")
    chance, exact = table.game.ventures(table.state.table).chance("chihuahua", lambda: True)
    assert (chance, exact) == (Fraction(1, 5) / 2 + Fraction(2, 5) / 2, True)


def test_an_open_deck_leaves_no_doubt() -> None:
    fields = CASES["looked-at cards go back by what they are"][1]
    table = Board(SECOND, seat(**fields), known=ALL_OPEN, weather="storm")
    ventures = table.game.ventures(table.state.table)
    for card in ventures.cards():
        chance, exact = ventures.chance(card, lambda: True)
        assert exact
        assert chance in (0, 1)
        assert chance == PlainOdds(ventures, lambda: True).chance(ventures.table, card)


def test_who_reads_the_discard_pile_is_told_apart() -> None:
    table = Board(SECOND, seat(pos=50, hand="mush move rest lunch", deck="torch move armour lunch"), known=())
    ventures = table.game.ventures(table.state.table)
    known = Scope(table.game.rulings, ventures.table, 0, "mush", recovers=False)  # Torch brings nothing back
    least = Seeing(ventures, known, lambda: True, free=True).chance()
    control = PlainOdds(ventures, lambda: True).chance(ventures.table, "mush")
    assert ventures.chance("mush", lambda: True) == (control, True)
    assert least == control  # it completes the root


def test_who_may_leave_all_that_has_a_tag_is_told_a_lower_bound() -> None:
    found = 0
    for seed in range(1, 6):
        ventures = changed(anywhere("2017", seed, size=4), deck="leather_hide")
        for card in ventures.cards():
            low, exact = ventures.chance(card, lambda: True)
            control = Odds(ventures, card, lambda: True, recovers=False, boards=False)
            assert control.plain() <= control.chance() <= low
            with suppress(OutOfReach):
                greatest = PlainOdds(ventures, so_often(400)).chance(ventures.table, card)
                assert low == greatest if exact else low <= greatest
                found += low > 0
    assert found > 0


def test_time_running_out_is_told() -> None:
    ventures = board("looked-at cards go back by what they are").game.ventures
    table = board("looked-at cards go back by what they are").state.table
    assert ventures(table).chance("husky", lambda: False) == (Fraction(0), False)


def test_a_venture_is_not_given_up() -> None:
    table = board("nothing but risk cards turned over")
    ventures = table.game.ventures(table.state.table)
    ends = list(ventures.ends(ventures.table, "mush"))
    texts = {step.text for end in ends for step in end.steps}
    assert "new_day" not in texts
    assert any(text.startswith("play mush") for text in texts)
    assert not any(text.startswith("play husky") for text in texts)
    assert {end.fate for end in ends} == {Fate.WAITING}


def test_shares_count_every_way() -> None:
    assert shares((2, 0, 1), 2) == (((1, 0, 1), 2), ((2, 0, 0), 1))
    assert sum(many for _, many in shares((3, 2, 4), 4)) == 126
