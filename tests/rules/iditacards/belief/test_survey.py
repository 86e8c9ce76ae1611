"""Ways to play given bounds over cards of the deck that have been paid: the same worths as with all of them seen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.compiled import Compiler
from solver.search.dealing import dealt
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import frames as dealing_frames
from solver.search.dealing import listed as dealing_listed
from solver.search.dealing import loop as dealing
from solver.search.dealing import survey as dealing_survey
from solver.search.dealing.facts import UNIT
from solver.search.layers import Watch
from tests.rules.iditacards.belief.values import searched

DAY = frozenset({"new_day"})
PAYING = ("mush", "move", "husky", "first_aid", "breakfast", "lunch", "upgrade_sled", "rest", "push")
"""Cards that cost some of the deck, draw, go on, look or wait."""
LOOKING = ("band_aid", "upgrade_sled")
"""A card of a hand that looks at one of the deck, which may be taken, and one that is paid from the deck."""
SEEDS = 6
"""Tables of each edition."""


def question(ruleset: str, seed: int, first: tuple[str, ...] = ()) -> tuple[Iditacards, Table, Goal]:
    """Return a small table with cards that are paid from the deck, and what is asked about it; ``first`` are held."""
    dice = random.Random(f"{ruleset} {seed} survey")
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    facts = {card: facts for card, facts in game.content.cards.items() if facts.deck not in ("legendary", "damage")}
    usual = [card for card in PAYING if card in facts and (ruleset != "2017" or card != "rest")]
    held, hidden = dice.choice((4, 5)), dice.choice((4, 5))
    cards = [dice.choice(usual if dice.random() < 0.95 else sorted(facts)) for _ in range(held + hidden)]
    cards[: len(first)] = first
    player = table.players[0]._replace(
        pos=dice.choice((0, 3, 16, 30, 36, 46, 72, 98)),
        hand=tuple(sorted(cards[:held])),
        deck=tuple(sorted(cards[held:])),
        dogs=(Dog("wheel_dog", ()),) if dice.random() < 0.3 else (),
        stack=(Frame("mush", need=1, paid=0, step="risk", n=0, day=0),) if dice.random() < 0.15 else (),
        hypothermia=dice.choice((0, 0, 1, 2)),
        starvation=dice.choice((0, 0, 1)),
        legendary=(),
    )
    return game, table._replace(players=(player,)), Goal(Objective.MAX_DISTANCE, 0, 4, DAY)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give bounds from the first node on, in plain Python, whose functions are counted and replaced."""
    monkeypatch.setattr(dealt, "_loaded", {})
    monkeypatch.setattr(dealt, "_compiler", Compiler(lambda: (), 1 << 40, lambda: None, lambda: False))
    monkeypatch.setattr(belief_facts, "FAR", 0)
    monkeypatch.setattr(belief_facts, "MANY", 0)


@pytest.mark.usefixtures("at_once")
def test_values_are_those_with_all_cards_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"opened": 0, "listed": 0, "alike": 0}
    opened, finish, is_common = dealing_survey.opened, dealing_listed.finish, dealing_listed.is_common

    def counted(*asked: Any) -> int:
        found = opened(*asked)
        told["opened"] += found != dealing_facts.ASIDE
        return found

    def finished(*asked: Any) -> None:
        told["listed"] += 1
        finish(*asked)

    def common(*asked: Any) -> bool:
        found = is_common(*asked)
        told["alike"] += found
        return found

    monkeypatch.setattr(dealing_survey, "opened", counted)
    monkeypatch.setattr(dealing_listed, "finish", finished)
    monkeypatch.setattr(dealing_listed, "is_common", common)
    questions = [question(*each) for each in product(("2019-02", "2017", "2019-08"), range(SEEDS))]
    values = [searched(*asked) for asked in questions]
    surveyed = dict(told)
    monkeypatch.setattr(dealing, "is_surveyed", lambda *_: False)
    compared = 0
    for asked, value in zip(questions, values, strict=True):
        if value is not None:
            assert value == searched(*asked), asked
            compared += 1
    assert compared > SEEDS
    assert told == surveyed
    assert all(told.values()), told


def ways_seen(cards: int, seen: int, facts: Any) -> Iterator[int]:
    """Yield every choice of so many of some packed cards."""

    def some(kind: int, left: int) -> Iterator[int]:
        if kind == facts[dealing_facts.KINDS]:
            if not left:
                yield 0
            return
        shift = facts[facts[dealing_facts.SHIFTS] + kind]
        there = cards >> shift & facts[facts[dealing_facts.SHIFTS] + facts[dealing_facts.KINDS] + 1 + kind]
        for n in range(min(there, left) + 1):
            for others in some(kind + 1, left - n):
                yield others + (n << shift)

    yield from some(0, seen)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("ruleset", "first"), [("2019-02", ()), ("2017", ()), ("2017", LOOKING)])
def test_bounds_hold_for_all_cards_that_may_have_gone(
    ruleset: str, first: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    enter_way = dealing_survey.enter_way

    def entered(f: int, c: int, low: int, high: int, frames: Any) -> None:
        found[*frames[c + 1 : c + 10], frames[c + dealing_frames.UNSEEN]] = (low, high)
        enter_way(f, c, low, high, frames)

    monkeypatch.setattr(dealing_survey, "enter_way", entered)
    dice, checked = random.Random(f"{ruleset} bounds of ways"), 0
    for seed in range(3 * SEEDS):
        game, table, goal = question(ruleset, seed, first)
        form: Any = game.belief_turns(table, 0, DAY, None, 4)
        if form is None:
            continue
        found.clear()
        search = BeliefSearch(form, goal, Watch(Limit()))
        search.value(form.project(table, 4), 4)
        dealt_out = search._dealt
        assert dealt_out is not None
        for name in dice.sample(sorted(found), min(len(found), 30)):
            deck, hand, size, held, stance, won, draws, paying, turns, seen = name
            low, high = found[name]
            for gone in ways_seen(deck, seen, dealt_out._form.facts):
                node = (deck - gone, hand, size - seen, held, stance, won)
                worth = dealt_out.worth(node, turns, draws, paying - seen)
                if worth is None:
                    assert low == dealing_facts.NONE, (seed, name)
                else:
                    assert low <= Fraction(worth, factorial(size - seen)) * UNIT <= high, (seed, name)
                checked += 1
    assert checked > 20
