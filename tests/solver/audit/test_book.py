"""The chance of a win in the first round under shuffles that nobody has seen, held against the exact one of 14.G5."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from rules.core.position import Position
from rules.core.ruleset import load_ruleset
from solver.audit import first_round
from solver.audit.finding import Witness
from solver.audit.first_round import Book, FirstRound, chance_by_book
from solver.audit.recorded import dealt
from solver.search.budget import Budget

BEST = Fraction(75643, 1107040)
"""What the best play has that does not know the order of the piles."""


@pytest.fixture
def line(rushed: Callable[[str], FirstRound]) -> Witness:
    found = rushed("abyss/2021")
    assert found.by_role == {"adventurer": 1, "employer": 1, "leader": 1}
    assert found.witness is not None
    return found.witness


def test_a_line_is_learned_and_wins_its_own_deal(line: Witness) -> None:
    learned = Book()
    learned.add(line)
    assert learned.follow(line.position)
    assert not learned.follow(dealt(load_ruleset("abyss/2021"), 1, 0, 0))
    assert not Book().follow(line.position)


def test_play_that_does_not_know_the_order_has_no_more_than_the_best(
    line: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_round, "LEARNED", 20)
    monkeypatch.setattr(first_round, "FOLLOWED", 400)
    published = load_ruleset("abyss/2021")

    def fresh(number: int) -> Position:
        return dealt(published, 1, 0, number)

    found = chance_by_book([line], fresh, 0, Budget(None))
    assert found is not None
    assert found.n == 400
    assert 0 < found.low < BEST
    assert found.low < found.value < found.high
    assert chance_by_book([line], fresh, 0, Budget(0.0)) is None
