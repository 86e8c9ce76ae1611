"""Cards one after the other, face down: against every way through the rules, and against counts by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from rules.core.ventures import OutOfReach
from solver.search.ventures import PlainOdds
from tests.rules.iditacards.boards import Board, seat
from tests.rules.iditacards.odds.venturing import CASES, board

SECOND = "2019-02"


@pytest.mark.parametrize("name", CASES)
def test_a_course_is_a_way_to_play_and_its_parts_fit(name: str) -> None:
    table = board(name)
    ventures = table.game.ventures(table.state.table)
    plain = PlainOdds(ventures, lambda: True)
    courses = ventures.courses(lambda: True)
    for card in ventures.cards() or [ventures.under_way]:
        assert card is not None
        course = courses.course([card])
        begin = None if ventures.under_way else card
        assert sum(course.law.values()) == 1
        assert course.chance(0) <= plain.chance(ventures.table, begin)
        turned = courses.turned_up(card)
        through = sum((each.probability * each.chance for each in turned), Fraction(0))
        assert sum(each.probability for each in turned) <= 1
        # Only a card that is drawn instead of turned over, or known beforehand, comes through without being told here.
        assert through == course.chance(0) or not turned or table.state.table.players[0].known


def test_nothing_is_lost_where_nothing_that_is_drawn_could_serve() -> None:
    table = board("nothing but risk cards turned over")
    ventures = table.game.ventures(table.state.table)
    plain = PlainOdds(ventures, lambda: True)
    for card in ventures.cards():
        assert ventures.courses(lambda: True).course([card]).chance(0) == plain.chance(ventures.table, card)


def two_in_hand() -> Board:
    """Mush (energy 2, health 2, risk 1) twice, and cards enough to pay for both but not for their risks."""
    fields = {
        "pos": 50,
        "hand": "mush mush armour a_hat rest first_aid",
        "deck": "move move move lunch lunch breakfast",
    }
    return Board(SECOND, seat(**fields, dogs="wheel_dog"), known=(), weather="storm")


def test_two_cards_counted_by_hand() -> None:
    table = two_in_hand()
    course = table.game.ventures(table.state.table).courses(lambda: True).course(["mush", "mush"])
    # The first Mush leaves 4 of 6 cards and 2 that can pay, so any card turned up comes through. A Move (1 in 2) takes
    # nothing: the second Mush pays with both and leaves one card, which comes through if it is a Move (2 of the 5
    # left). A Lunch draws all three that are left and Breakfast discards them: the second Mush cannot pay its health.
    assert course.chance(0) == 1
    assert course.chance(1) == Fraction(1, 2) * Fraction(2, 5)
    assert course.all_come == course.chance(1)
    assert course.expected == 1 + course.chance(1)


def test_the_order_of_cards_counts() -> None:
    fields = {"pos": 50, "hand": "husky mush armour a_hat lunch", "deck": "move move rest lunch breakfast mush dinner"}
    table = Board(SECOND, seat(**fields, dogs="wheel_dog"), known=(), weather="storm")
    ventures = table.game.ventures(table.state.table)
    courses = ventures.courses(lambda: True)
    found = {plan: courses.course(plan) for plan in permutations(("husky", "mush"))}
    assert len({course.expected for course in found.values()}) == 2
    for plan, course in found.items():
        assert course.chance(0) == courses.course(plan[:1]).chance(0)


def test_more_cards_never_harm() -> None:
    table = board("nothing but risk cards turned over")
    courses = table.game.ventures(table.state.table).courses(lambda: True)
    chances = [courses.course(["husky"], more).chance(0) for more in range(4)]
    assert chances == sorted(chances)
    assert chances[0] < chances[3]


def test_what_reads_the_discard_pile_is_out_of_reach() -> None:
    # What a card in hand reads does not matter as long as it only pays.
    fields = {"pos": 50, "hand": "mush move rest all_in", "deck": "move armour lunch"}
    table = Board(SECOND, seat(**fields), known=(), weather="storm")
    assert table.game.ventures(table.state.table).courses(lambda: True).course(["mush"]).chance(0)
    shuffler = Board(SECOND, seat(pos=50, hand="mush move rest", deck="all_in move armour"), known=())
    with pytest.raises(OutOfReach):
        shuffler.game.ventures(shuffler.state.table).courses(lambda: True).course(["mush"])


def test_time_running_out_is_told() -> None:
    table = two_in_hand()
    with pytest.raises(OutOfReach):
        table.game.ventures(table.state.table).courses(lambda: False).course(["mush"])


@pytest.mark.parametrize("edition", ["2017", SECOND, "2019-08"])
def test_nothing_may_be_turned_up_where_the_deck_is_known(edition: str) -> None:
    fields = {"pos": 50, "hand": "mush armour a_hat lunch", "deck": "move move dinner breakfast"}
    table = Board(edition, seat(**fields, dogs="wheel_dog"), known=("deck",), weather="storm")
    courses = table.game.ventures(table.state.table).courses(lambda: True)
    assert courses.course(["mush"]).law
    assert not courses.turned_up("mush")
