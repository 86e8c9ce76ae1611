"""Hidden decks that are looked at and sorted out: packed worths against plain beliefs and the rules, as fractions."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import comb
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.race import NOTHING_KNOWN
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief.scale import Flow, scale
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import frames as dealing_frames
from solver.search.dealing import looks as dealing_looks
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch

DAY = frozenset({"new_day"})
USUAL = "mush move move lunch dinner husky breakfast lead_dog"
LOOKS = ("first_aid", "grandma_soup", "first_aid", "brandy", "bandage")


def looking(ruleset: str, hand: str, deck: str, **others: Any) -> tuple[Iditacards, Table]:
    position = new_position(f"iditacards/{ruleset}", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    player = table.players[0]._replace(
        hand=tuple(sorted(hand.split())), deck=tuple(sorted(deck.split())), legendary=(), **others
    )
    return game, table._replace(players=(player,))


def some_table(ruleset: str, seed: int) -> tuple[Iditacards, Table]:
    """Return a small table with cards that look at the deck, now and then one of them waiting."""
    dice = random.Random(seed)
    cards = [*dice.sample(USUAL.split(), 6), *dice.sample(LOOKS, 2)]
    dice.shuffle(cards)
    waiting = Frame(card=dice.choice(("grandma_soup", "brandy", "mush")), need=1, paid=0, step="risk", n=0, day=0)
    return looking(
        ruleset,
        " ".join(cards[:4]),
        " ".join(cards[4:]),
        pos=dice.choice((3, 25, 40, 90)),
        dogs=(Dog("wheel_dog", ()),),
        stack=(waiting,) if seed % 3 == 0 else (),
    )


def value(game: Iditacards, table: Table, goal: Goal, *, packed: bool) -> tuple[Any, bool]:
    turns = goal.within_turns or 0
    form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
    if form is None:
        return None, False
    assert form.looks
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    return search.value(form.project(table, turns), turns), search.is_packed


def goals(table: Table, turns: int, seed: int) -> list[Goal]:
    far = table.players[0].pos + random.Random(seed).randrange(3, 6 * turns)
    return [Goal(Objective.REACH, far, turns, DAY), Goal(Objective.MAX_DISTANCE, 0, turns, DAY)]


@pytest.mark.parametrize("ruleset", ["2017", "2019-02"])
def test_looks_are_worth_the_same_in_packed_form(ruleset: str) -> None:
    compared = 0
    for seed in range(10):
        game, table = some_table(ruleset, seed)
        for goal in goals(table, 2 + seed % 2, seed):
            found, packed = value(game, table, goal, packed=True)
            assert found == value(game, table, goal, packed=False)[0], (seed, goal)
            compared += packed
    assert compared > 12


@pytest.mark.parametrize("ruleset", ["2017", "2019-02"])
def test_looks_are_worth_what_the_rules_say(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Iditacards, "outlook", lambda *_: NOTHING_KNOWN)
    compared = 0
    for seed in range(40, 46):
        game, table = some_table(ruleset, seed)
        for goal in goals(table, 2, seed):
            found, packed = value(game, table, goal, packed=True)
            if not packed:
                continue
            assert found == Expectimax(game, goal, Watch(Limit())).value(table, 2), (seed, goal)
            compared += packed
    assert compared > 6


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_moves_that_look_at_cards_are_worth_the_same_dealt_out(seed: int) -> None:
    game, table = some_table("2019-02", seed)
    goal = goals(table, 3, seed)[seed % 2]
    moves = [move for move in game.legal_moves(State(table)) if move.text not in DAY]
    found = []
    for packed in (True, False):
        form = game.belief_turns(table, 0, DAY, goal.target or None, 3)
        assert form is not None
        search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
        start = BeliefStart(search, form, table, [move for move in moves if form.opens(move)], goal)
        found.append(start.moves(3))
        assert search.is_packed == packed
    assert found[0] == found[1]


def test_two_looks_on_one_turn_come_one_after_the_other() -> None:
    waiting = Frame(card="grandma_soup", need=1, paid=0, step="risk", n=0, day=0)
    game, table = looking("2019-02", "mush move move", "first_aid first_aid lunch mush move", pos=25, stack=(waiting,))
    for goal in (Goal(Objective.REACH, 36, 3, DAY), Goal(Objective.MAX_DISTANCE, 0, 3, DAY)):
        found, packed = value(game, table, goal, packed=True)
        assert packed
        assert found == value(game, table, goal, packed=False)[0]


def test_a_card_waits_on_after_a_look_at_an_empty_deck() -> None:
    waiting = Frame(card="mush", need=2, paid=0, step="risk", n=0, day=0)
    game, table = looking("2019-02", "", "band_aid", pos=25, dogs=(), stack=(waiting,))
    for goal in (Goal(Objective.REACH, 30, 2, DAY), Goal(Objective.MAX_DISTANCE, 0, 2, DAY)):
        found, packed = value(game, table, goal, packed=True)
        assert packed
        assert found == value(game, table, goal, packed=False)[0]
        assert found == Expectimax(game, goal, Watch(Limit())).value(table, 2)
        assert found


def test_a_card_that_costs_the_whole_hand_is_carried() -> None:
    game, _ = looking("2019-02", "mush", "mush")
    whole = sorted(card for card, facts in game.content.cards.items() if facts.energy is None)
    carried = 0
    for card in whole:
        game, table = looking("2019-02", f"{card} mush first_aid move", f"lunch {card} dinner", pos=25)
        for goal in goals(table, 3, len(card)):
            if game.belief_turns(table, 0, DAY, goal.target or None, 3) is None:
                continue
            try:
                known = value(game, table, goal, packed=False)[0]
            except OutOfReach:
                continue
            found, packed = value(game, table, goal, packed=True)
            assert found == known, (card, goal)
            carried += packed
    assert carried


def test_a_scale_that_is_too_small_is_seen_and_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game, table = looking("2017", "mush first_aid move lunch", "husky dinner mush move breakfast lead_dog", pos=25)
    goal = Goal(Objective.REACH, 36, 3, DAY)
    found, packed = value(game, table, goal, packed=True)
    assert packed
    monkeypatch.setattr(belief_facts, "scale", lambda *_: 1)
    assert value(game, table, goal, packed=True) == (found, False)


def test_a_scale_holds_what_decks_are_divided_by() -> None:
    flow = Flow((0, 1, 2), (0, 3), (4,), 2)
    whole = scale(9, 20, flow, 1 << 100)
    assert all(whole % (comb(9, seen) * comb(9, first)) == 0 for seen, first in product(range(10), repeat=2))
    short = scale(20, 3, flow, 1 << 90)
    assert 1 << 40 < short <= 1 << 90
    for back in range(5):
        assert short % (comb(20, 4) * comb(16 + back, 3)) == 0


def test_parts_of_cards_come_each_once() -> None:
    copies = (2, 1, 3)
    shifts = (0, 2, 4, 6)
    facts = [0] * dealing_facts.HEADER
    facts[dealing_facts.KINDS], facts[dealing_facts.SHIFTS] = len(copies), len(facts)
    facts += [*shifts, *((1 << after - first) - 1 for first, after in pairwise(shifts))]
    facts[dealing_facts.SIZES], facts[dealing_facts.BINOMIALS] = 7, len(facts)
    facts += [comb(n, taken) for n in range(7) for taken in range(7)]
    parts = {
        sum(n << shift for n, shift in zip(part, shifts, strict=False)): sum(part)
        for part in product(*map(range, (3, 2, 4)))
    }
    cards = max(parts)

    def following(part: int, step: Any) -> list[int]:
        found = []
        while part >= 0:
            found.append(part)
            part = step(part)
        return found

    for n in range(7):
        first = dealing_looks.filled(cards, n, facts)
        found = following(first, lambda part: dealing_looks.next_seen(cards, part, facts))
        assert sorted(found) == sorted(part for part, size in parts.items() if size == n)
        assert sum(dealing_looks.weight(cards, part, facts) for part in found) == comb(6, n)
        fewer = following(0, lambda part, most=n: dealing_looks.next_gone(cards, part, most, facts))
        assert sorted(fewer) == sorted(part for part, size in parts.items() if size <= n)
    assert sorted(following(cards, lambda part: dealing_looks.next_less(cards, part, facts))) == sorted(parts)


def test_sums_are_kept_in_pieces() -> None:
    frames, facts = [0] * dealing_frames.FRAME, [0] * dealing_facts.HEADER
    bits = dealing_facts.BASE_BITS
    worth, total = (1 << 104) - 987_654_321, 0
    for ways in (20_058_300, 1, 17):
        dealing_looks.add_weighed(0, worth & dealing_facts.LOW, worth >> bits, ways, frames)
        total += ways
    dealing_looks.divide_sum(0, total, facts, frames)
    assert frames[dealing_frames.BEST_HIGH] << bits | frames[dealing_frames.BEST] == worth
    assert not facts[dealing_facts.UNEVEN]
    dealing_looks.divide_sum(0, 7, facts, frames)
    assert facts[dealing_facts.UNEVEN] == (worth % 7 > 0)


def test_sleds_that_only_gain_cards_are_carried_in_snow() -> None:
    game, table = looking("2017", "mush first_aid move", "lunch dinner move husky", pos=3)
    table = table._replace(weather="snow")
    sleds = [card for card, facts in game.content.cards.items() if facts.type == "sled"]
    assert sleds
    hand = tuple(sorted(("mush", "first_aid", "move", next(card for card in sleds if _gains(game, card)))))
    table = table._replace(players=(table.players[0]._replace(hand=hand),))
    for goal in goals(table, 2, 1):
        found, packed = value(game, table, goal, packed=True)
        assert packed
        assert found == Expectimax(game, goal, Watch(Limit())).value(table, 2)


def _gains(game: Iditacards, card: str) -> bool:
    return [effect.op for effect in game.content.cards[card].instant] == ["take"]


def test_dogs_are_placed_after_cards_have_been_looked_at() -> None:
    values = set()
    for seed in (0, 1, 9, 11):
        dice = random.Random(seed)
        cards = ["first_aid", "first_aid", "move", *dice.sample(USUAL.split(), 3)]
        waiting = Frame(card="armour", need=1, paid=0, step="risk", n=0, day=0)
        worn = (Dog("husky", ("dog_chow",)), Dog("wheel_dog", ("armour",)))
        game, table = looking(
            "2019-02", " ".join(cards[2:4]), " ".join(cards[:2] + cards[4:]), pos=25 + seed, stack=(waiting,), dogs=worn
        )
        for goal in goals(table, 2, seed):
            expected = Expectimax(game, goal, Watch(Limit())).value(table, 2)
            assert value(game, table, goal, packed=False)[0] == expected, (seed, goal)
            assert value(game, table, goal, packed=True) == (expected, True), (seed, goal)
            values.add(expected)
    assert len(values) > 2


@pytest.mark.parametrize("seed", range(4))
def test_a_form_for_fewer_turns_is_not_asked_about_more(seed: int) -> None:
    found = []
    for packed in (True, False):
        game, table = some_table("2019-02", seed)
        form = game.belief_turns(table, 0, DAY, table.players[0].pos + 9, 3)
        assert form is not None
        search = BeliefSearch(
            form, Goal(Objective.REACH, table.players[0].pos + 9, 2, DAY), Watch(Limit()), packed=packed
        )
        found.append([search.value(form.project(table, turns), turns) for turns in (2, 3)])
    assert found[0] == found[1]
