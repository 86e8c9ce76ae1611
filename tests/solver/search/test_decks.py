"""Worths of decks with numpy against plain Python and the definition, and where they are left to plain Python."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from rules.core.decks import Counts, Looked, Read, Task, Turned, deck_counts, pair_counts, radix
from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.odds.looks import Look
from rules.iditacards.odds.seen import SeenSums
from solver.search import decks, looks, shared_looks
from solver.search.decks import NumpyDecks
from solver.search.looks import LookSums
from tests.rules.iditacards.looking import POOL, SIZE, looking, turned, worth


class Always(NumpyDecks):
    """Works everything out, and counts how often."""

    used = 0

    def worthwhile(self, entries: int) -> bool:
        return True

    def worth(self, tasks: Sequence[Task], check: Callable[[], None]) -> Fraction:
        Always.used += 1
        return super().worth(tasks, check)


def decks_of(copies: Counts, size: int) -> list[int]:
    parts = product(*(range(n + 1) for n in copies))
    return [sum(map(int.__mul__, part, radix(copies))) for part in parts if sum(part) == size]


@pytest.mark.parametrize("wide", [1 << 62, 1, 400])
def test_worths_are_those_of_every_deck_however_few_bits_integers_have(
    wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decks, "WIDE", wide)
    monkeypatch.setattr(decks, "LONG", min(wide, decks.LONG))
    monkeypatch.setattr(decks, "SPARSE", 1 if wide == 1 else 8)
    used, found = Always.used, set()
    for seed in range(80):
        dice = random.Random(seed)
        made = SeenSums(len(POOL), SIZE, lambda: True, covering=False, decks=Always())
        looked = dice.randint(1, 4)
        first = looking(made, dice, looked, dice.randint(0, SIZE - looked - 1), 3)
        below = dice.randint(1, SIZE - 2)
        other = made.choice([turned(made, dice, below, 3) for _ in range(3)], below)
        node = made.node(tuple(dice.choice((first, other, made.lost, made.through)) for _ in POOL))
        for each in (first, other, node):
            chance = made.chance(each, POOL, SIZE)
            assert chance == worth(made, each, POOL)
            found.add(chance)
    assert len(found) > 60
    assert Always.used - used > 150


def expected_sums(copies: Counts, looked: int, below: int, worths: list[int]) -> dict[int, int]:
    sums = Look(copies, looked, below, lambda: None).sums(worths)
    return {deck: sums[deck] for deck in decks_of(copies, below + looked)}


def random_look(dice: random.Random) -> tuple[Counts, int, int, list[int]]:
    """Return a look of which cards count for the same or not, so that some pairs come to the same."""
    copies = tuple(sorted((dice.randint(1, 4) for _ in range(dice.randint(2, 6))), reverse=True))
    looked = dice.randint(1, min(5, sum(copies)))
    below = dice.randint(0, sum(copies) - looked)
    worths = [0] * (radix(copies)[0] * (copies[0] + 1))
    counts = [dice.randrange(3) for _ in copies]
    alike = dice.random() < 0.7
    drawn = [dice.choice((dice.randrange(4), dice.getrandbits(200), dice.getrandbits(22) << 40)) for _ in range(20)]
    for back in dice.sample(range(looked + 1), dice.randint(1, looked)):
        for deck in decks_of(copies, below + back):
            parts = [deck // unit % (n + 1) for unit, n in zip(radix(copies), copies, strict=True)]
            place = sum(map(int.__mul__, parts, counts)) if alike else dice.randrange(1 << 30)
            worths[deck] = drawn[place % len(drawn)]
    return copies, looked, below, worths


@pytest.mark.parametrize("dtype", [np.uint16, np.int32])
@pytest.mark.parametrize(
    ("at_once", "shared", "whole", "long", "few", "batch"),
    [
        (1, 10**9, 800, 100, 0.9, 10**9),
        (40, 10**9, 800, 100, 0.9, 10**9),
        (10**9, 10**9, 800, 100, 0.9, 10**9),
        (10**9, 0, 1, 1, 2.0, 10**9),
        (10**9, 0, 1, 4, 0.5, 1),
        (60, 0, 10, 1, 2.0, 50),
        (10**9, 30, 800, 1, 2.0, 50),
    ],
)
def test_looks_are_worth_the_same_integers_as_in_plain_python(
    at_once: int,
    shared: int,
    whole: int,
    long: int,
    few: float,
    batch: int,
    dtype: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(looks, "AT_ONCE", at_once)
    monkeypatch.setattr(looks, "SHARED", shared)
    monkeypatch.setattr(shared_looks, "WHOLE", whole)
    monkeypatch.setattr(shared_looks, "LONG", long)
    monkeypatch.setattr(shared_looks, "FEW", few)
    monkeypatch.setattr(shared_looks, "AT_ONCE", batch)
    adder = LookSums(np)
    for seed in range(40):
        copies, looked, below, worths = random_look(random.Random(seed))
        distinct = sorted(set(worths))
        ranks = np.array([distinct.index(each) for each in worths], dtype)
        expected = expected_sums(copies, looked, below, worths)
        for _ in range(2):
            limbs, bits = adder.sums(copies, looked, below, ranks, np.array(distinct, object), lambda: None)
            for deck, each in expected.items():
                assert sum(int(limb[deck]) << bits * place for place, limb in enumerate(limbs)) == each


def test_rows_that_differ_are_never_taken_for_one_whatever_their_sums_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "SHARED", 0)
    monkeypatch.setattr(shared_looks, "WHOLE", 1)
    monkeypatch.setattr(shared_looks, "LONG", 1)
    told: dict[str, list[Any]] = {}
    for name, factors in (("own", np.zeros(0, np.uint64)), ("none", np.zeros(1 << 12, np.uint64))):
        adder = LookSums(np)
        adder.shared.factors = factors
        told[name] = []
        for seed in range(60):
            copies, looked, below, worths = random_look(random.Random(seed))
            distinct = sorted(set(worths))
            ranks = np.array([distinct.index(each) for each in worths], np.uint16)
            limbs, _ = adder.sums(copies, looked, below, ranks, np.array(distinct, object), lambda: None)
            told[name].append([limb.tolist() for limb in limbs])
    assert told["own"] == told["none"]


def test_a_limb_holds_no_more_than_can_be_added_up() -> None:
    copies, looked, below = (6, 6, 6, 6), 12, 12
    worth = (1 << 300) - 1
    ranks = np.ones(7**4, np.uint16)
    limbs, bits = LookSums(np).sums(copies, looked, below, ranks, np.array([0, worth], object), lambda: None)
    assert sum(int(limb[-1]) << bits * place for place, limb in enumerate(limbs)) == worth * 2704156  # 12 of 24 below


def test_decks_and_pairs_are_counted() -> None:
    copies = (3, 2, 1, 1)
    every = list(product(*(range(n + 1) for n in copies)))
    assert list(deck_counts(copies)) == [sum(sum(part) == size for part in every) for size in range(8)]
    for looked, below in product(range(4), range(4)):
        assert pair_counts(copies, looked, below) == sum(
            sum(lower) == below and sum(part) == below + looked and all(map(int.__le__, lower, part))
            for part in every
            for lower in every
        )


def test_some_units_are_whole_numbers_of_times_a_common_one() -> None:
    dice = random.Random(5)
    for many in (0, 1, 1, 2, 3, 5, 9) * 20:
        units = [Fraction(dice.randint(1, 10**9), dice.randint(1, 10**9)) for _ in range(many)]
        unit, times = decks.common_unit(units)
        assert [unit * n for n in times] == units
        assert all(type(n) is int and n > 0 for n in times)


def test_few_decks_are_left_to_plain_python_and_more_if_numpy_has_to_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert NumpyDecks().worthwhile(decks.WORTHWHILE)
    assert not NumpyDecks().worthwhile(decks.WORTHWHILE - 1)
    monkeypatch.delitem(sys.modules, "numpy")
    assert not NumpyDecks().worthwhile(decks.FIRST - 1)


def test_time_that_is_up_ends_the_sums() -> None:
    def late() -> None:
        raise OutOfReach

    with pytest.raises(OutOfReach):
        NumpyDecks().worth([Turned((1,), 1, ((Read(-1, (0,)), (0,)),))], late)
    look = Looked((2, 1), 1, 1, ((1, Read(-1, (0, 0))),))
    assert NumpyDecks().worth([look], lambda: None) == 1


@pytest.mark.parametrize("edition", ["2017", "2019-02", "2019-08"])
def test_greatest_chances_are_the_same_fractions(edition: str) -> None:
    used = Always.used
    for seed in range(1, 6):
        position = new_position(f"iditacards/{edition}", seed=seed, open_sources=[])
        game: Any = position.game
        table = position.table()
        player = table.players[0]
        table = table._replace(players=(player._replace(deck=player.deck[::2], hand=(*player.hand, "husky")),))
        plain, quick = game.ventures(table, 0), game.ventures(table, 0)
        quick.decks = Always()
        assert quick.chance("husky", lambda: True) == plain.chance("husky", lambda: True)
    assert Always.used - used > 2
