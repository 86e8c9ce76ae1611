"""Risk cards by the merging form against every way through the rules: equal fractions."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.ventures import Fate, OutOfReach
from rules.iditacards.odds import plans as odds_plans
from rules.iditacards.odds import waiting as odds_waiting
from rules.iditacards.odds.blind import shares
from rules.iditacards.odds.going import GoingOn
from rules.iditacards.odds.greatest import Odds
from rules.iditacards.odds.plans import TooLate
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.seeing import Seeing
from rules.iditacards.odds.venture import RiskCards
from solver.search.ventures import PlainOdds
from tests.rules.games import so_often
from tests.rules.iditacards.boards import ALL_OPEN, Board, seat
from tests.rules.iditacards.odds.venturing import APART, CASES, SECOND, anywhere, board, changed

FORMS: tuple[dict[str, bool], ...] = (
    {},
    {"boards": False},
    {"counts": False},
    {"counts": False, "grafts": False},
)


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
