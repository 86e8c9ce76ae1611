"""With a hidden deck the encoding has the values of complete play, and what it forgets changes none of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from puzzles.goal import Objective
from solver.encodings.iditacards import hidden_layout as F  # noqa: N812
from solver.encodings.iditacards.hidden import RULES
from solver.encodings.iditacards.keys import is_compiled
from solver.search.row_values import MODULI, rational
from tests.solver.encodings.hidden_questions import compared

NUMBER = 120 if is_compiled() else 30
MOST = 1_000 if is_compiled() else 100
"""Ways through turns of complete play at most."""
RULES_BY_NAME = {name: value for name, value in vars(F).items() if name.startswith("RULE_")}


def test_values_are_those_of_complete_play() -> None:
    for asked, value in compared(0, NUMBER, MOST):
        lost = Fraction(0) if asked.goal.objective is Objective.REACH else None
        found = asked.value()
        assert (lost if found is None else found) == value, (asked.case.name, asked.goal)
    assert len(compared(0, NUMBER, MOST)) > NUMBER // 3


@pytest.mark.parametrize("name", sorted(RULES_BY_NAME))
def test_a_rule_of_forgetting_changes_no_value(name: str) -> None:
    for asked, value in compared(0, NUMBER, MOST):
        lost = Fraction(0) if asked.goal.objective is Objective.REACH else None
        found = asked.value(RULES & ~RULES_BY_NAME[name])
        assert (lost if found is None else found) == value, (asked.case.name, asked.goal)


def test_all_rules_of_forgetting_together_save_rows() -> None:
    with_rules = without = 0
    for asked, _ in compared(0, NUMBER, MOST):
        for rules in (0, RULES):
            values = asked.values(rules)
            values.value(asked.case.table, asked.goal.within_turns or 0)
            with_rules += values.search.count if rules else 0
            without += 0 if rules else values.search.count
    assert with_rules < without / 2


def test_an_optimist_needs_no_more_turns() -> None:
    for asked, value in compared(0, NUMBER, MOST):
        if asked.goal.objective is Objective.MIN_TURNS and value is not None:
            least = asked.values(optimistic=True).value(asked.case.table, asked.goal.within_turns or 0)
            assert least is not None
            assert least <= value


@pytest.mark.parametrize("value", [Fraction(0), Fraction(1), Fraction(17, 3), Fraction(10**20 + 39, 10**21 + 9)])
def test_a_fraction_comes_back_from_its_remainders(value: Fraction) -> None:
    remainders = [value.numerator * pow(value.denominator, -1, prime) % prime for prime in MODULI]
    assert rational(remainders, float(value)) == value


def test_remainders_that_belong_to_another_number_are_refused() -> None:
    remainders = [5 * pow(7, -1, prime) % prime for prime in MODULI]
    with pytest.raises(OverflowError):
        rational(remainders, 0.5)
