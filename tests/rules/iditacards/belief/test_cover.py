"""Free actions that others cover are left out: the same worths as with all of them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief.cover import Acts, Covers
from rules.iditacards.belief.needs import NO_GIFT, LastTurns, Leading, Record, Told
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch
from tests.rules.iditacards.belief.two_steps import table_of, the_game
from tests.rules.iditacards.belief.values import searched

DAY = frozenset({"new_day"})
SEEDS = 8
"""Tables of each edition."""
CHECKPOINTS = (6, 36, 81, 116, 136)
BEHIND = range(120, 136)
"""Tables before a checkpoint."""


def question(ruleset: str, seed: int) -> tuple[Iditacards, Table, list[Goal]]:
    """Return a small table with dogs and attachments in play that free actions take out, and what is asked about it."""
    dice = random.Random(f"{ruleset} {seed} cover")
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    facts = {card: facts for card, facts in game.content.cards.items() if facts.deck not in ("legendary", "damage")}
    others = sorted(facts)
    worn = sorted(card for card, each in facts.items() if each.type == "attachment")
    dogs = sorted(card for card, each in facts.items() if each.type == "dog")
    usual = ["mush", "move", "move", "lunch", "breakfast", "wheel_dog", "dog_chow", "first_aid", "rest"]
    usual = [card for card in usual if card in facts]
    held, hidden = dice.choice((2, 3, 4)), dice.choice((2, 3))
    cards = [dice.choice(usual if dice.random() < 0.6 else others) for _ in range(held + hidden)]
    team = [Dog(dice.choice(dogs), (dice.choice(worn),) if dice.random() < 0.5 else ())]
    team += [Dog(dice.choice(dogs), ())] if dice.random() < 0.2 else []
    player = table.players[0]._replace(
        pos=dice.choice((0, 3, 16, 30, 33, 36, 46, 72, 79)),
        hand=tuple(sorted(cards[:held])),
        deck=tuple(sorted(cards[held:])),
        dogs=tuple(sorted(team)),
        stack=(Frame("mush", need=1, paid=0, step="risk", n=0, day=0),) if dice.random() < 0.25 else (),
        hypothermia=dice.choice((0, 0, 1, 2)),
        starvation=dice.choice((0, 0, 1)),
        legendary=(),
    )
    turns = 4 if held + hidden < 5 and dice.random() < 0.5 else dice.choice((2, 3))
    far = player.pos + dice.choice((2, 4, 6, 10))
    goals = [Goal(Objective.MAX_DISTANCE, 0, turns, DAY), Goal(Objective.REACH, far, turns, DAY)]
    return game, table._replace(players=(player,)), goals


def test_values_are_those_with_all_free_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "FAR", 0)
    kept, left_out = Acts.kept, 0

    def counted(acts: Acts, frees: Mapping[int, Told], turns: int, *, waits: bool) -> tuple[int, ...]:
        nonlocal left_out
        found = kept(acts, frees, turns, waits=waits)
        left_out += len(frees) - len(found)
        return found

    monkeypatch.setattr(Acts, "kept", counted)
    tables = [question(*each) for each in product(("2019-02", "2017", "2019-08"), range(SEEDS))]
    questions = [(game, table, goal) for game, table, goals in tables for goal in goals]
    values = [searched(*asked) for asked in questions]
    monkeypatch.setattr(Acts, "kept", lambda _acts, frees, _turns, **_: tuple(frees))
    compared = 0
    for asked, value in zip(questions, values, strict=True):
        if value is not None:
            assert value == searched(*asked), asked
            if asked[2].within_turns == 2:
                assert searched(*asked, packed=False) in (None, value), asked
            compared += 1
    assert compared > SEEDS
    assert left_out > compared


def test_ends_cover_each_other_only_where_they_differ_in_nothing_but_stances() -> None:
    nowhere = Leading(0, 0, 0)
    told = Told(False, (0,), True, Record(0, 0, (nowhere,), nowhere), ())
    ends = LastTurns(lambda _: told, lambda stance: stance, None, 100, frozenset(), range(0))
    covers = Covers(lambda _: told, lambda stance, _: stance, ({}, {}), ends, frozenset(), range(0), lambda _: None)
    near, far = Leading(3, 0, 0), Leading(5, 0, 0)
    assert covers._leads_as_well(far, near, 0)
    assert not covers._leads_as_well(near, far, 0)
    for field in set(Leading._fields) - {"stance"}:
        changed: dict[str, Any] = {field: getattr(far, field) + 1}
        assert not covers._leads_as_well(far._replace(**changed), near, 0), field


def test_cards_taken_are_not_compared_though_it_is_told_late_that_they_are_taken() -> None:
    nowhere = Leading(0, 0, 0)
    record = Record(0, 0, (nowhere,), nowhere)
    taken: dict[int, tuple[int, ...]] = {}

    def told(stance: int) -> Told:
        taken[stance] = ()
        return Told(True, (stance,), True, record, ())

    ends = LastTurns(told, lambda _: 0, None, 100, frozenset(), range(0))
    covers = Covers(told, lambda stance, _: stance, ({}, {}), ends, frozenset(), range(0), taken.get)
    assert not covers.covers(1, 2, 2)


def behind_a_dog(seed: int) -> tuple[Table, list[Goal]]:
    """Return a small table on which a checkpoint is a space away, perhaps only for who gives up a lazy dog."""
    dice = random.Random(f"a checkpoint behind a dog {seed}")
    usual = ("mush", "lunch", "breakfast", "first_aid", "grandma_soup", "poutine", "move", "dinner")
    held, hidden = dice.choice((1, 2)), 2
    cards = [dice.choice(usual) for _ in range(held + hidden)]
    here = dice.choice(CHECKPOINTS)
    given = dice.sample(("waffle", "out_of_control", "all_in", "serenity", "moose"), dice.choice((1, 2)))
    others: dict[str, Any] = {
        "pos": here - 1,
        "dogs": tuple(sorted([Dog(dice.choice(("wheel_dog", "husky")), ()), Dog("lazy_dog", ())])),
        "passed": tuple(space for space in CHECKPOINTS if space < here),
        "legendary": tuple(sorted(given)),
    }
    table = table_of(cards[:held], cards[held:], **others)._replace(weather=dice.choice(("sun", "cloud", "rain")))
    far = here + dice.choice((4, 6, 8, 10, 13, 16))
    return table, [Goal(Objective.MAX_DISTANCE, 0, 3, DAY), Goal(Objective.REACH, far, 3, DAY)]


def test_what_a_checkpoint_gives_behind_a_free_action_is_part_of_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "FAR", 0)
    monkeypatch.setattr(belief_facts, "MANY", 0)
    game = the_game()
    acts, leads = Covers.acts, Covers._leads_as_well
    both = 0

    def counted(covers: Covers, stance: int, turns: int) -> tuple[int, ...]:
        nonlocal both
        found = acts(covers, stance, turns)
        for free in set(covers._told(stance).frees) - set(found):
            both += any(end.gift != NO_GIFT for play in covers._told(free).plays for end in play.ends)
        return found

    def careless(covers: Covers, one: Leading, other: Leading, turns: int) -> bool:
        return leads(covers, one._replace(gift=NO_GIFT), other._replace(gift=NO_GIFT), turns)

    compared = deciding = 0
    for seed in BEHIND:
        table, goals = behind_a_dog(seed)
        for goal in goals:
            monkeypatch.setattr(Covers, "acts", counted)
            value = searched(game, table, goal)
            if value is not None:
                assert value == (Expectimax(game, goal, Watch(Limit())).value(table, 3),), (seed, goal)
                compared += 1
                with monkeypatch.context() as patch:
                    patch.setattr(Covers, "_leads_as_well", careless)
                    deciding += searched(game, table, goal) != value
    assert compared > len(BEHIND)
    assert both > len(BEHIND)
    assert deciding > 2
