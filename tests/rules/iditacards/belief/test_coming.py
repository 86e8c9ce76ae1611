"""What counts of cards before others come from a supply: packed beliefs against plain ones, which merge nothing."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any, Final

import pytest

from puzzles.goal import Goal, Objective
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.coming import Coming, Comings
from rules.iditacards.belief.form import BeliefForm
from rules.iditacards.belief.gifts import carried_gifts
from rules.iditacards.belief.open import OpenDay
from rules.iditacards.state import Dog, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch
from tests.rules.iditacards.belief.two_steps import table_of, the_game

DAY: Final = frozenset({"new_day"})
OWN: Final = (
    *("move", "lunch", "breakfast", "mush", "armour", "dog_chow", "first_aid", "husky", "venison_carpaccio", "a_hat"),
    "push",
)
GAINED: Final = (
    *("cat", "through_the_night", "travel_light", "big_dog", "push", "haste", "venison_steak", "lazy_dog", "eat_dog"),
    *("new_sled", "band_aid", "cute_dog", "harness", "midnight_sun", "greyhound", "coat", "salvage", "malamute"),
)
TURNS: Final = 4


def some_table(seed: int) -> tuple[Table, list[Goal]]:
    """Return a small table with a sled in hand."""
    dice = random.Random(f"coming {seed}")
    hand = [dice.choice(("repair_sled", "upgrade_sled")), *(dice.choice(OWN) for _ in range(dice.choice((2, 2, 3))))]
    deck = [dice.choice(OWN) for _ in range(dice.choice((3, 4, 5)))]
    upgrade = [[dice.choice(GAINED) for _ in range(dice.choice((1, 2, 3)))] for _ in range(2)]
    supply = [dice.choice(GAINED) for _ in range(dice.choice((0, 0, 1)))]
    others: dict[str, Any] = {
        "pos": dice.choice((7, 14, 40, 90, 150)),
        "hypothermia": dice.choice((0, 0, 1)),
        "dogs": dice.choice(((), (Dog("wheel_dog", ()),), (Dog("good_dog", ()), Dog("husky", ())))),
    }
    table = table_of(hand, deck, upgrade, supply, **others)
    far = table.players[0].pos + dice.choice((4, 6, 8, 11, 14))
    return table, [Goal(Objective.REACH, far, TURNS, DAY), Goal(Objective.MAX_DISTANCE, 0, TURNS, DAY)]


def value(table: Table, goal: Goal, *, packed: bool) -> Fraction | None:
    form = the_game().belief_turns(table, 0, DAY, goal.target or None, TURNS)
    assert form is not None
    return BeliefSearch(form, goal, Watch(Limit()), packed=packed).value(form.project(table, TURNS), TURNS)


def test_payments_and_gained_cards_that_are_alike_change_no_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    told = Comings.before

    def before(comings: Comings, ends: Any) -> Coming | None:
        found = told(comings, ends)
        if found is not None:
            for name, classes in (("hand", found.hand), ("deck", found.deck), ("gained", found.gained.values())):
                counts[name] += len(set(classes)) < len(classes)
        return found

    monkeypatch.setattr(Comings, "before", before)
    values = set()
    for seed in range(10):
        table, goals = some_table(seed)
        for goal in goals:
            try:
                plain = value(table, goal, packed=False)
            except OutOfReach:
                continue
            assert value(table, goal, packed=True) == plain, (seed, goal)
            values.add(plain)
    assert len(values) > 7
    assert min(counts[name] for name in ("hand", "deck", "gained")) > 10


def test_what_is_worked_out_so_is_worth_what_the_rules_say() -> None:
    compared = 0
    for seed in range(20, 24):
        table, goals = some_table(seed)
        if len(table.players[0].hand) + len(table.players[0].deck) < 7:
            for goal in goals:
                assert value(table, goal, packed=True) == Expectimax(the_game(), goal, Watch(Limit())).value(
                    table, TURNS
                )
                compared += 1
    assert compared > 1


def test_who_shows_cards_before_a_checkpoint_gives_one_is_told_for_the_last_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vague: list[bool] = []
    asked = BeliefForm._ask_taking

    def ask(form: BeliefForm, stance: int, frees: tuple[int, ...]) -> Any:
        found = asked(form, stance, frees)
        vague.append(form._taken[stance].vague)
        return found

    monkeypatch.setattr(BeliefForm, "_ask_taking", ask)
    packed = 0
    for pos in (2, 3):
        for legendary in (("puppy", "waffle"), ("buffer_panel", "meditate", "out_of_control")):
            table = table_of(
                ["move", "repair_sled", "lunch", "armour"],
                ["move", "dog_chow", "mush", "a_hat"],
                [["push", "travel_light"], ["coat"]],
                pos=pos,
                legendary=legendary,
                dogs=(Dog("wheel_dog", ()),),
            )
            for target in (9, 12):
                goal = Goal(Objective.REACH, target, 3, DAY)
                form = the_game().belief_turns(table, 0, DAY, target, 3)
                assert form is not None
                search = BeliefSearch(form, goal, Watch(Limit()))
                found = search.value(form.project(table, 3), 3)
                assert found == Expectimax(the_game(), goal, Watch(Limit())).value(table, 3), (pos, legendary, target)
                packed += search.is_packed
    assert packed
    assert any(vague)


def test_what_a_checkpoint_gives_too_late_does_not_stand_in_the_way() -> None:
    """A card counts from the turn after the first one on which a checkpoint may be passed."""
    game = the_game()
    for cards, pos, carried in (
        (("surgery",), 35, False),
        (("surgery",), 30, True),
        (("surgery", "utility_knife"), 30, True),
        (("desperate_times",), 35, False),
        (("desperate_times",), 30, True),
    ):
        table = table_of(
            ["move", "repair_sled"], ["move", "lunch"], [["push"], []], pos=pos, passed=(6,), legendary=cards
        )
        form = game.belief_turns(table, 0, DAY, 60, 4)
        assert isinstance(form, OpenDay)
        assert (form._gifts == cards) is carried, (cards, pos)
        late = carried_gifts(game.rulings, table, 0, 4, lambda _: 2)
        assert late == cards
