"""With a hidden deck the encoding has the values of complete play, and what it forgets changes none of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from puzzles.puzzle import Goal, Objective, forbidden_step
from rules.core.turns import State
from solver.compiled_form import build_state
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.hidden.values import RULES
from solver.search.row_values import MODULI, rational
from tests.bare import bare_position
from tests.solver.encodings.hidden_questions import HiddenAsked, compared
from tests.solver.encodings.positions import case_of

NUMBER = 120 if build_state() == "compiled" else 30
FEW = NUMBER // 4
MOST = 1_000 if build_state() == "compiled" else 100
"""Ways through turns of complete play at most."""
TABLE = """
game = "iditacards"
ruleset = "2019-02"
state.weather = "wind"
[[state.players]]
pos = 44
dogs = [{ dog = "wheel_dog", attachments = ["dog_chow"] }, { dog = "husky" }]
hand = ["armour", "lunch", "move", "mush"]
deck = ["breakfast", "dinner", "first_aid", "good_dog", "lead_dog", "move", "mush", "rest"]
"""
RULES_BY_NAME = {name: value for name, value in vars(Q).items() if name.startswith("RULE_")}


@pytest.mark.slow
def test_values_are_those_of_complete_play() -> None:
    for asked, value in compared(0, NUMBER, MOST):
        lost = Fraction(0) if asked.goal.objective is Objective.REACH else None
        found = asked.value()
        assert (lost if found is None else found) == value, (asked.case.name, asked.goal)
    assert len(compared(0, NUMBER, MOST)) > NUMBER // 3


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RULES_BY_NAME))
def test_a_rule_of_forgetting_changes_no_value(name: str) -> None:
    for asked, value in compared(0, NUMBER, MOST):
        lost = Fraction(0) if asked.goal.objective is Objective.REACH else None
        found = asked.value(RULES & ~RULES_BY_NAME[name])
        assert (lost if found is None else found) == value, (asked.case.name, asked.goal)


def test_all_rules_of_forgetting_together_save_rows() -> None:
    with_rules = without = 0
    for asked, _ in compared(0, FEW, MOST):
        for rules in (0, RULES):
            values = asked.values(rules)
            values.value(asked.case.table, asked.goal.within_turns or 0)
            with_rules += values.search.count if rules else 0
            without += 0 if rules else values.search.count
    assert with_rules < without / 2


def test_an_optimist_needs_no_more_turns() -> None:
    for asked, value in compared(0, FEW, MOST):
        if asked.goal.objective is Objective.MIN_TURNS and value is not None:
            least = asked.values(optimistic=True).value(asked.case.table, asked.goal.within_turns or 0)
            assert least is not None
            assert least <= value


@pytest.mark.parametrize(("discard", "is_kept"), [("lunch", False), ("damaged", True)])
def test_the_discard_pile_is_forgotten_on_the_last_turn_unless_damage_comes_there(discard: str, is_kept: bool) -> None:
    position = bare_position(f'{TABLE}discard = ["{discard}"]\n')
    asked = HiddenAsked(case_of("pile", position), Goal(Objective.REACH, 81, 1, frozenset({"new_day"})))
    assert asked.values()._keeps_pile == is_kept


@pytest.mark.parametrize("value", [Fraction(0), Fraction(1), Fraction(17, 3), Fraction(10**20 + 39, 10**21 + 9)])
def test_a_fraction_comes_back_from_its_remainders(value: Fraction) -> None:
    remainders = [value.numerator * pow(value.denominator, -1, prime) % prime for prime in MODULI]
    assert rational(remainders, float(value)) == value


def test_remainders_that_belong_to_another_number_are_refused() -> None:
    remainders = [5 * pow(7, -1, prime) % prime for prime in MODULI]
    with pytest.raises(OverflowError):
        rational(remainders, 0.5)


@pytest.mark.slow
def test_a_table_is_worth_what_its_best_move_is() -> None:
    """Who pays does not know yet what comes up: with Lunch a payment chosen after its draws would be worth more."""
    question = bare_position(TABLE), Goal(Objective.REACH, 81, 3, frozenset({"new_day"}))
    lunch = HiddenAsked(case_of("lunch", question[0]), question[1])
    asked_of = [asked for asked, _ in compared(0, NUMBER, MOST)]
    if build_state() == "compiled":  # it takes 300,000 rows
        assert lunch.value() == Fraction(13, 28)
        asked_of.append(lunch)
    for asked in asked_of:
        if asked.goal.objective is not Objective.MIN_TURNS:
            assert best_of_moves(asked) == asked.value(), (asked.case.name, asked.goal)


def best_of_moves(asked: HiddenAsked) -> Fraction | None:
    """Return the value of the best move that is open."""
    case, goal, found = asked.case, asked.goal, list[Fraction]()
    for move in case.game.legal_moves(State(case.table)):
        if not forbidden_step(move, goal.forbidden):
            value = asked.values().of_move(case.table, move, goal.within_turns or 0)
            found += [] if value is None else [value]
    return max(found, default=None)


@pytest.mark.parametrize(
    ("ruleset", "options", "player", "turns"),
    [
        ("2019-02", "", 'pos = 8\nhand = ["damaged", "damaged", "push"]\ndeck = ["move", "lunch", "dinner"]', 1),
        ("2019-08", "", 'pos = 8\nhand = ["damaged", "damaged", "push", "move"]\ndeck = ["first_aid", "dinner"]', 2),
        (
            "2019-08",
            'options.second_step = "optional"\noptions.second_step_in_risk = "parent_now"',
            'pos = 5\nhand = ["move"]\ndeck = ["lunch", "move"]\nseen = ["move", "mush", "move"]\nstack = ['
            '{ card = "haste", need = 2, paid = 0 }, '
            '{ card = "band_aid", step = "second", need = 0, paid = 0, n = 0 }]',
            1,
        ),
        (
            "2017",
            "options.finish_at = 150",
            'pos = 8\nhand = ["bandage", "lunch", "dinner"]\n'
            'deck = ["hitch_a_ride", "move", "move", "mush", "breakfast", "push"]',
            2,
        ),
        (
            "2019-02",
            'options.empty_deck_risk = "at_once"\noptions.auto_move_after_stop = false',
            'pos = 8\nhand = []\ndeck = ["torch"]\ndiscard = ["lunch", "breakfast"]\n'
            'stack = [{ card = "haste", need = 2, paid = 0 }]',
            1,
        ),
        (
            "2019-08",
            'options.second_step = "optional"',
            'pos = 8\nhand = ["move", "move", "mush"]\ndogs = [{ dog = "husky" }]\nseen = ["dinner"]\n'
            'foods = ["lunch"]\nstack = [{ card = "ibuprofin", need = 1, paid = 0 }, '
            '{ card = "grandma_soup", step = "second", need = 0, paid = 0, n = 0 }]\n',
            1,
        ),
    ],
)
def test_what_looks_idle_is_not_forgotten(ruleset: str, options: str, player: str, turns: int) -> None:
    """Damage cards may not pay, looked-at cards may go back or be kept, and a card on the deck may save another one.

    Who gives up second steps, one after the other, plays a card of the hand on the same turn.
    """
    asked_of(ruleset, options, player, Goal(Objective.MAX_DISTANCE, 0, turns, frozenset({"new_day"})))


def asked_of(ruleset: str, options: str, rest: str, goal: Goal) -> None:
    """Hold the value of a table, with and without what is forgotten, to complete play."""
    text = f'game = "iditacards"\nruleset = "{ruleset}"\n{options}\n[[state.players]]\n{rest}\n'
    asked = HiddenAsked(case_of("asked", bare_position(text)), goal)
    expected = asked.expected(50_000)
    assert asked.value() == expected
    assert asked.value(0) == expected


@pytest.mark.parametrize("turns", [1, 2])
@pytest.mark.parametrize("stack", ["", '{ card = "through_the_night", need = 1, paid = 0 }'])
@pytest.mark.parametrize(
    ("deck", "discard"),
    [
        ('"damaged"', '"lunch", "dinner", "breakfast", "move"'),
        ('"lunch"', '"damaged", "damaged", "move"'),
    ],
)
def test_what_a_toll_turns_over_after_a_new_day_is_kept(deck: str, discard: str, stack: str, turns: int) -> None:
    """A toll that discards a damage card stops the sled, and a new day shuffles such cards into the deck."""
    options = 'options.damage_in_effect = "ends_turn"\noptions.auto_move = "one_plus_speed"'
    player = 'pos = 80\ndogs = [{ dog = "husky" }, { dog = "wheel_dog" }]\nhand = []\n'
    player += f"deck = [{deck}]\ndiscard = [{discard}]\nstack = [{stack}]"
    asked_of("2017", options, player, Goal(Objective.MAX_DISTANCE, 0, turns, frozenset({"play"})))


@pytest.mark.parametrize(
    ("ruleset", "table", "player", "turns", "forbidden"),
    [
        (
            "2017",
            'state.upgrade = [["haste", "haste", "push", "bear"]]',
            'pos = 12\ndogs = [{ dog = "husky" }]\nhand = ["upgrade_sled", "move", "lunch"]\ndeck = ["mush", "dinner"]',
            3,
            "pass",
        ),
        (
            "2017",
            'options.finish_at = 200\nstate.upgrade = [["haste", "haste", "push", "bear"]]',
            'pos = 156\nhand = ["upgrade_sled", "move", "lunch"]\ndeck = ["mush", "dinner"]',
            2,
            "new_day",
        ),
        (
            "2019-02",
            'state.upgrade = [[], [], ["cat"], []]',
            'pos = 10\nhand = ["lunch", "move", "upgrade_sled"]\ndeck = ["rest", "breakfast", "good_dog"]',
            3,
            "pass",
        ),
    ],
)
def test_hidden_upgrades_that_are_played_are_refused(
    ruleset: str, table: str, player: str, turns: int, forbidden: str
) -> None:
    """What is gained is played after a new day, or on the next turn where a leg brings it back."""
    with pytest.raises(OverflowError):
        asked_of(ruleset, table, player, Goal(Objective.MAX_DISTANCE, 0, turns, frozenset({forbidden})))
