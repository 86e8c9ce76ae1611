"""What a hand makes of its cards with two turns left: the same worths as where none is left out for that."""

from __future__ import annotations

import random
from itertools import product

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief.form import BeliefForm
from rules.iditacards.belief.needs import NEVER
from rules.iditacards.belief.pairs import PLAYED, SETTLED, TURNED, Pair, pairs, written
from rules.iditacards.belief.room import ALL, First, Rest
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.search.dealing import draws as dealing_draws
from solver.search.dealing import entry as dealing_entry
from solver.search.dealing import pairs as dealing_pairs
from solver.search.dealing.looks import number_of
from tests.rules.iditacards.belief.values import searched

DAY = frozenset({"new_day"})


def question(ruleset: str, seed: int) -> tuple[Iditacards, Table, list[Goal]]:
    """Return a table of cards that a race begins with, and what is asked about it."""
    dice = random.Random(f"{ruleset} {seed} pairs")
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    player = table.players[0]
    looks = seed % 2
    cards = [*["first_aid"] * looks, *dice.sample([*player.hand, *player.deck], 10)]
    held = 6 if looks else dice.choice((4, 5, 6))
    player = player._replace(
        pos=dice.choice((0, 4, 17, 30, 46)),
        hand=tuple(sorted(cards[:held])),
        deck=tuple(sorted(cards[held:])),
        dogs=(Dog("wheel_dog", ()),) if dice.random() < 0.5 else (),
        stack=(Frame("mush", need=1, paid=0, step="risk", n=0, day=0),) if dice.random() < 0.2 else (),
    )
    turns = 3 if looks else dice.choice((2, 3))
    far = player.pos + dice.choice((4, 6, 10))
    goals = [Goal(Objective.MAX_DISTANCE, 0, turns, DAY), Goal(Objective.REACH, far, turns, DAY)]
    return game, table._replace(players=(player,)), goals


def test_values_are_those_with_all_cards_that_count_with_some_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "MANY", 0)
    monkeypatch.setattr(belief_facts, "FAR", 0)
    leave_out = dealing_pairs.leave_out
    changed = [0, 0, 0]

    def counted(f: int, rooms: int, draws: int, least: int, most: int, facts: list[int], frames: list[int]) -> None:
        before = frames[f + 1], frames[f + 2]
        leave_out(f, rooms, draws, least, most, facts, frames)
        changed[0] += frames[f + 1] != before[0]
        changed[1] += frames[f + 2] != before[1]
        changed[2] += least < most and (frames[f + 1], frames[f + 2]) != before

    monkeypatch.setattr(dealing_entry, "leave_out", counted)
    tables = [question(*each) for each in product(("2019-02", "2017"), range(6))]
    questions = [(game, table, goal) for game, table, goals in tables for goal in goals]
    values = [searched(*asked) for asked in questions]
    assert min(changed) > 0
    monkeypatch.setattr(BeliefForm, "_write_pairs", lambda *_: 0)
    compared = 0
    for asked, value in zip(questions, values, strict=True):
        if value is not None:
            assert value == searched(*asked), asked
            compared += 1
    assert compared > 12
    assert len(set(values)) > 8


def test_values_hold_where_a_card_is_picked_before_or_between_two_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "MANY", 0)
    leave_out_before_pick = dealing_pairs.leave_out_before_pick
    changed = [0, 0]

    def counted(f: int, facts: list[int], frames: list[int]) -> None:
        before = frames[f + 1], frames[f + 2]
        leave_out_before_pick(f, facts, frames)
        changed[0] += frames[f + 1] != before[0]
        changed[1] += frames[f + 2] != before[1]

    monkeypatch.setattr(dealing_entry, "leave_out_before_pick", counted)
    position = new_position("iditacards/2019-08", seed=3, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    for place, hand in ((0, ("lead_dog", "lunch", "move")), (1, ("lead_dog", "lunch", "first_aid"))):
        player = table.players[0]._replace(
            pos=place,
            hand=tuple(sorted(hand)),
            deck=("armour", "breakfast", "dog_chow", "first_aid", "move", "mush"),
            stack=(Frame("mush", need=1, paid=0, step="risk", n=0, day=0),),
        )
        asked = game, table._replace(players=(player,)), Goal(Objective.MAX_DISTANCE, 0, 3, DAY)
        value = searched(*asked)
        assert value is not None
        assert value == searched(*asked, packed=False)
    assert min(changed) > 0


def test_hands_are_not_judged_where_cards_looked_at_may_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "MANY", 0)
    found: list[int] = []
    write_pairs = BeliefForm._write_pairs

    def written_pairs(self: BeliefForm, told: list[Pair]) -> int:
        found.append(write_pairs(self, told))
        return found[-1]

    monkeypatch.setattr(BeliefForm, "_write_pairs", written_pairs)
    for ruleset, judged in (("2017", False), ("2019-02", True)):
        found.clear()
        game, table, goals = question(ruleset, 1)
        assert searched(game, table, goals[0]) is not None
        assert found
        assert any(found) == judged


def test_a_look_after_drawing_is_told_for_all_cards_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "MANY", 0)
    count_for_sight = dealing_entry.count_for_sight
    told = []

    def counted(f: int, facts: list[int], frames: list[int]) -> None:
        told.append((frames[f + 4], frames[f + 3]))
        assert told[-1] == (number_of(frames[f + 2], facts), number_of(frames[f + 1], facts))
        count_for_sight(f, facts, frames)

    monkeypatch.setattr(dealing_draws, "count_for_sight", counted)
    position = new_position("iditacards/2019-02", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    # Food that is turned over for soup draws cards before any are looked at.
    player = table.players[0]._replace(
        hand=("lunch", "mush", "wheel_dog"),
        deck=("armour", "breakfast", "move", "mush", "rest"),
        stack=(Frame("grandma_soup", need=1, paid=0, step="risk", n=0, day=0),),
    )
    table = table._replace(players=(player,))
    for goal in (Goal(Objective.MAX_DISTANCE, 0, 3, DAY), Goal(Objective.REACH, player.pos + 4, 3, DAY)):
        value = searched(game, table, goal)
        assert value is not None
        assert value == searched(game, table, goal, packed=False)
    assert told


def test_pairs_tell_how_a_last_turn_comes_about() -> None:
    played = Rest(0, (3, 5))
    drawing = Rest(2, (3, 5))
    turned = Rest(0, (), frozenset({(1, 4), (2, 4), (3, 0)}))
    over = Rest(0, (), over=9)
    told = pairs([(First(1, frozenset({played}), 0),), (First(ALL, frozenset({drawing}), 0),)], 4)
    assert told == [
        Pair(0, True, PLAYED, 0, True, (3, 5), (3, 5)),
        Pair(1, True, PLAYED, 2, False, (3, 5), (3, 5)),
    ]
    # One choice of free actions is worse than another for every card; what is seen decides between the others.
    seen = pairs([(First(0, frozenset({turned}), 1),)], 3)
    assert [(each.alone, each.sort, each.deck) for each in seen] == [(False, TURNED, (2, 4)), (False, TURNED, (3, 0))]
    assert [each.alone for each in pairs([(First(0, frozenset({turned}), 0),)], 3)] == [True, True]
    mixed = pairs([(First(0, frozenset({over, drawing}), 1),)], 3)
    assert {(each.alone, each.sort) for each in mixed} == {(False, SETTLED), (False, PLAYED)}
    none = pairs([(First(0, frozenset({Rest(0, (), over=NEVER)}), 0),)], 2)
    assert [(each.sort, each.hand) for each in none] == [(SETTLED, (-1,))]


def test_what_comes_from_elsewhere_may_be_played_in_place_of_any_other() -> None:
    given = Rest(0, (3, 5, 4), gift=2)
    assert pairs([(First(1, frozenset({given}), 0),)], 4) == [
        Pair(0, True, PLAYED, 0, True, (4, 5, 4), (4, 5, 4)),
    ]
    # All of the hand is paid.
    assert [(each.kept, each.hand, each.deck) for each in pairs([(First(2, frozenset({given}), 0),)], 3)] == [
        (True, (4, 4, 4), (4, 5, 4)),
    ]


def test_pairs_are_not_told_where_looks_come_between() -> None:
    looking = Rest(0, (), look=(1, 0, 3, 4))
    both = Rest(1, (3, 5), seen=2, shown=(3, 5))
    for rest in (looking, both):
        assert pairs([(First(0, frozenset({Rest(0, (3, 5))}), 0), First(0, frozenset({rest}), 0))], 4) == []


def test_worths_are_written_with_the_kinds_that_have_them() -> None:
    assert written((3, 5, 3)) == (3, 5, 3, 2, 5, 0b010, 3, 0b101)
