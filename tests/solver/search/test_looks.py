"""Looks added up with numpy against plain Python, and where they are left to it."""

from __future__ import annotations

import random
from itertools import product
from math import prod
from typing import Any

import pytest

from rules.core.looks import Counts, pair_counts
from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.odds_looks import Look
from rules.iditacards.odds_sheets import radix
from solver.search import looks
from solver.search.looks import NumpyLooks


def decks_of(copies: Counts, size: int) -> list[int]:
    parts = product(*(range(n + 1) for n in copies))
    return [sum(map(int.__mul__, part, radix(copies))) for part in parts if sum(part) == size]


def asked(dice: random.Random) -> tuple[Counts, int, int, list[int], list[int], list[int]]:
    """Return some look, the decks that may follow and their worths, and all that may be there."""
    copies = tuple(sorted((dice.randint(1, 4) for _ in range(dice.randint(2, 6))), reverse=True))
    looked = dice.randint(1, min(5, sum(copies)))
    below = dice.randint(0, sum(copies) - looked)
    backs = dice.sample(range(looked + 1), dice.randint(1, looked))
    decks = [deck for back in backs for deck in decks_of(copies, below + back)]
    worths = [dice.choice((dice.randrange(4), dice.getrandbits(200), dice.getrandbits(22) << 40)) for _ in decks]
    return copies, looked, below, decks, worths, decks_of(copies, below + looked)


@pytest.mark.parametrize("at_once", [1, 40, 10**9])
def test_looks_are_worth_the_same_integers_as_in_plain_python(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "AT_ONCE", at_once)
    monkeypatch.setattr(looks, "FIRST", 0)
    monkeypatch.setattr(looks, "WORTHWHILE", 0)
    adder = NumpyLooks()
    for seed in range(80):
        copies, looked, below, decks, worths, there = asked(random.Random(seed))
        every = [0] * prod(n + 1 for n in copies)
        for deck, worth in zip(decks, worths, strict=True):
            every[deck] = worth
        expected = Look(copies, looked, below, lambda: None).sums(every)
        found = adder.sums(copies, looked, below, decks, worths, there, lambda: None)
        assert found == [expected[deck] for deck in there]


def test_a_limb_holds_no_more_than_can_be_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    copies, looked, below = (6, 6, 6, 6), 12, 12
    monkeypatch.setattr(looks, "FIRST", 0)
    decks = decks_of(copies, 24)
    worth = (1 << 300) - 1
    found = NumpyLooks().sums(copies, looked, below, decks, [worth], decks, lambda: None)
    assert found == [worth * 2704156]  # 24 cards, 12 of them below


def test_few_pairs_are_left_to_plain_python_and_load_nothing() -> None:
    copies, looked, below = (2, 2, 1), 2, 2
    assert 0 < pair_counts(copies, looked, below) < looks.WORTHWHILE
    assert NumpyLooks().sums(copies, looked, below, [], [], [], lambda: None) is None


def test_time_that_is_up_ends_the_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    def late() -> None:
        raise OutOfReach

    monkeypatch.setattr(looks, "FIRST", 0)
    with pytest.raises(OutOfReach):
        NumpyLooks().sums((2, 2, 1), 2, 2, decks_of((2, 2, 1), 3), [1] * 5, decks_of((2, 2, 1), 4), late)


@pytest.mark.parametrize("edition", ["2017", "2019-02", "2019-08"])
def test_greatest_chances_are_the_same_fractions(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "FIRST", 0)
    monkeypatch.setattr(looks, "WORTHWHILE", 0)
    used = 0

    class Counted(NumpyLooks):
        def sums(self, *args: Any) -> list[int] | None:
            nonlocal used
            used += 1
            return super().sums(*args)

    for seed in range(1, 6):
        position = new_position(f"iditacards/{edition}", seed=seed, open_sources=[])
        game: Any = position.game
        table = position.table()
        player = table.players[0]
        table = table._replace(players=(player._replace(deck=player.deck[::2], hand=(*player.hand, "husky")),))
        plain, quick = game.ventures(table, 0), game.ventures(table, 0)
        quick.looks = Counted()
        assert quick.chance("husky", lambda: True) == plain.chance("husky", lambda: True)
    assert used > 3
