"""Hidden decks in packed form, with bounds of two last turns and cards that change what others cost: exact worths."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.race import NOTHING_KNOWN
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief.scope import missing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.dealing import bounds as dealing_bounds
from solver.search.dealing import looks as dealing_looks
from solver.search.dealing import steps as dealing_steps
from solver.search.expectimax import Expectimax
from solver.search.first_turn import PlainStart
from solver.search.layers import Watch

DAY = frozenset({"new_day"})
USUAL = ("mush", "move", "move", "lunch", "husky", "lead_dog")


def table_of(ruleset: str, hand: str, deck: str, *, weather: str = "none", **others: Any) -> tuple[Iditacards, Table]:
    position = new_position(f"iditacards/{ruleset}", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    cards = {"hand": tuple(sorted(hand.split())), "deck": tuple(sorted(deck.split()))}
    player = table.players[0]._replace(**{**cards, "legendary": (), "dogs": (), **others})
    return game, table._replace(players=(player,), weather=weather)


def some_table(ruleset: str, seed: int, special: tuple[str, ...], held: int, hidden: int) -> tuple[Iditacards, Table]:
    """Return a small table with at least one of some cards."""
    dice = random.Random(f"{ruleset} {seed} {special} bounds")
    cards = [dice.choice(special), *(dice.choice((*USUAL, *special)) for _ in range(held + hidden - 1))]
    dice.shuffle(cards)
    waiting = Frame(card="mush", need=1, paid=0, step="risk", n=0, day=0)
    return table_of(
        ruleset,
        " ".join(cards[:held]),
        " ".join(cards[held:]),
        weather=dice.choice(("none", "storm", "sun")),
        pos=dice.choice((0, 3, 25, 36, 44, 72)),
        dogs=dice.choice(((), (Dog("wheel_dog", ()),), (Dog("husky", ("dog_chow",)), Dog("wheel_dog", ("armour",))))),
        stack=(waiting,) if dice.random() < 0.3 else (),
        hypothermia=dice.choice((0, 0, 1, 2)),
        starvation=dice.choice((0, 0, 1, 3)),
    )


def value(game: Iditacards, table: Table, goal: Goal, *, packed: bool) -> tuple[Fraction | None, bool] | None:
    """Return a value and whether it is told in packed form; nothing where it is not carried."""
    turns = goal.within_turns or 0
    form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
    if form is None:
        return None
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    try:
        return search.value(form.project(table, turns), turns), search.is_packed
    except OutOfReach:
        return None


def goals(table: Table, turns: int, seed: int) -> list[Goal]:
    far = table.players[0].pos + random.Random(seed).choice((2, 4, 6, 9))
    return [Goal(Objective.MAX_DISTANCE, 0, turns, DAY), Goal(Objective.REACH, far, turns, DAY)]


@pytest.mark.parametrize("ruleset", ["2017", "2019-02"])
def test_plays_that_are_beaten_by_a_bound_are_no_better(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "MANY", 0)
    monkeypatch.setattr(belief_facts, "FAR", 0)
    beaten = 0
    is_beaten = dealing_bounds.is_beaten

    def counted(*asked: Any) -> bool:
        nonlocal beaten
        found = is_beaten(*asked)
        beaten += found
        return found

    monkeypatch.setattr(dealing_steps, "is_beaten", counted)
    monkeypatch.setattr(dealing_looks, "is_beaten", counted)
    compared = 0
    for seed in range(6):
        game, table = some_table(ruleset, seed, ("first_aid", "breakfast"), 4, 3)
        for goal in goals(table, 3, seed):
            found = value(game, table, goal, packed=True)
            if found is not None and found[1]:
                known = value(game, table, goal, packed=False)
                assert known is None or found[0] == known[0], (seed, goal)
                compared += known is not None
    assert compared > 4
    assert beaten > 0


@pytest.mark.parametrize(
    ("ruleset", "special"),
    [("2019-02", ("sleeping_bag", "daylight_savings_time")), ("2017", ("new_sled",)), ("2019-02", ("new_sled",))],
)
def test_free_costs_and_destroyed_hands_are_worth_what_the_rules_say(
    ruleset: str, special: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Iditacards, "outlook", lambda *_: NOTHING_KNOWN)
    compared = 0
    for seed in range(8):
        game, table = some_table(ruleset, seed, special, 2, 3)
        for goal in goals(table, 2, seed):
            found = value(game, table, goal, packed=True)
            if found is not None:
                assert found[0] == Expectimax(game, goal, Watch(Limit())).value(table, 2), (seed, goal)
                compared += found[1]
    assert compared > 4


WAITING = Frame(card="mush", need=1, paid=0, step="risk", n=0, day=0)


@pytest.mark.parametrize(
    ("hand", "deck", "stack", "goal"),
    [
        ("dinner husky move new_sled", "move new_sled", (), Goal(Objective.MAX_DISTANCE, 0, 2, DAY)),
        ("move mush", "new_sled move move mush lunch", (WAITING,), Goal(Objective.REACH, 101, 2, DAY)),
    ],
)
def test_who_plays_or_turns_over_what_destroys_the_hand_holds_none_of_it(
    hand: str, deck: str, stack: tuple[Frame, ...], goal: Goal
) -> None:
    game, table = table_of("2019-02", hand, deck, pos=98, stack=stack)
    form = game.belief_turns(table, 0, DAY, goal.target or None, 2)
    assert form is not None
    plain = PlainStart(Expectimax(game, goal, Watch(Limit())), State(table)).moves(2)
    for packed in (True, False):
        search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
        start = BeliefStart(search, form, table, [move for move, _ in plain if form.opens(move)], goal)
        found = start.moves(2)
        assert dict(found).items() <= dict(plain).items()
        assert {value for _, value in found} - {None, 0}


def test_what_destroys_the_hand_is_refused_where_it_is_not_carried() -> None:
    game, table = table_of("2017", "new_sled move", "move mush lunch", pos=3)
    assert missing(game.rulings, table, 0, DAY, 2) == []
    hurt = table.players[0]._replace(deck=("damaged", "move"))
    assert "op destroy_hand" in missing(game.rulings, table._replace(players=(hurt,)), 0, DAY, 2)


def test_costs_that_are_free_for_a_turn_are_refused() -> None:
    game, _ = table_of("2017", "move", "move")
    free = sorted(card for card, facts in game.content.cards.items() if facts.instant[:1] and _frees(facts))
    assert free
    game, table = table_of("2017", f"{free[0]} move", "move mush lunch", pos=3)
    assert "op free_cost" in missing(game.rulings, table, 0, DAY, 2)


def _frees(facts: Any) -> bool:
    return bool(facts.instant[0].op == "free_cost")


@pytest.mark.parametrize("deck", ["first_aid", "first_aid move"])
def test_idle_cards_are_counted_with_others_as_far_as_there_is_room(deck: str) -> None:
    waiting = Frame(card="grandma_soup", need=1, paid=0, step="risk", n=0, day=0)
    worn = (Dog("husky", ("dog_chow",)), Dog("wheel_dog", ("armour",)))
    facts = {"pos": 25, "dogs": worn, "stack": (waiting,), "hypothermia": 2, "starvation": 3}
    game, table = table_of("2019-02", "dinner lunch mush mush scrapyard", deck, weather="snow", **facts)
    goal = Goal(Objective.MAX_DISTANCE, 0, 2, DAY)
    found, known = value(game, table, goal, packed=True), value(game, table, goal, packed=False)
    assert found is not None
    assert known is not None
    assert found[1]
    assert found[0] == known[0] == Expectimax(game, goal, Watch(Limit())).value(table, 2)


def test_what_is_out_of_reach_is_told_at_once() -> None:
    game, table = table_of("2017", "move mush lunch husky", "move mush dinner breakfast move", weather="storm", pos=17)
    form = game.belief_turns(table, 0, DAY, 18, 19)
    assert form is not None
    search = BeliefSearch(form, Goal(Objective.REACH, 18, 19, DAY), Watch(Limit()))
    assert search.value(form.project(table, 19), 19) == 0
    assert search.counters.expanded == 0


def test_no_more_is_looked_at_where_nobody_gets_any_further() -> None:
    game, table = table_of("2017", "move move move mush lunch", "move mush dinner breakfast", weather="storm", pos=17)
    form = game.belief_turns(table, 0, DAY, None, 4)
    assert form is not None
    search = BeliefSearch(form, Goal(Objective.MAX_DISTANCE, 0, 4, DAY), Watch(Limit()))
    assert search.value(form.project(table, 4), 4) == 17
    assert search.is_packed
    assert search.counters.expanded < 50


def test_a_leg_may_have_cards_go_further_than_they_print() -> None:
    game, table = table_of(
        "2019-08", "move move", "move move", weather="snow", pos=35, hypothermia=2, dogs=(Dog("good_dog", ()),)
    )
    there = ("none", "open_trail", "mountainside", "warm_valley", "wasteland", "thicket", "ledge", "none")
    assert certain_by_both(game, table._replace(legs=there), 40)


def test_the_only_card_in_hand_may_draw_the_next_one_as_it_moves() -> None:
    game, table = table_of("2017", "slow_and_steady", "slow_and_steady", weather="rain", pos=30)
    there = ("hills", "forest", "town", "cliff_face", "wasteland", "town", "blizzard", "cliff_face", "blizzard")
    assert certain_by_both(game, table._replace(legs=(*there, "frozen_lake")), 34)


def certain_by_both(game: Iditacards, table: Table, target: int) -> bool:
    """Return whether two turns of beliefs, one by one, are as certain to get there as complete play."""
    goal = Goal(Objective.REACH, target, 2, forbidden=DAY)
    form = game.belief_turns(table, 0, DAY, target, 2)
    assert form is not None
    value = BeliefSearch(form, goal, Watch(Limit()), packed=False).value(form.project(table, 2), 2)
    return value == Expectimax(game, goal, Watch(Limit())).value(table, 2) == 1
