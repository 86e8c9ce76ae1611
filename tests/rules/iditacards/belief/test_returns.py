"""Cards that take others back from the discard pile, on days with a hidden deck: where they never count."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.scope import missing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch

DAY: Final = frozenset({"new_day"})
USUAL: Final = ("mush", "move", "move", "lunch", "husky", "wheel_dog", "dog_chow", "first_aid", "dinner", "a_hat")
RETURNING: Final = {
    "2017": ("all_in", "beef_stew", "campfire", "leather_hide", "torch", "rope"),
    "2019-02": ("all_in", "bison", "campfire", "leather_hide", "torch", "rope"),
}


def frame(card: str, need: int = 1) -> Frame:
    return Frame(card=card, need=need, paid=0, step="risk", n=0, day=0)


def the_table(edition: str, hand: tuple[str, ...], deck: tuple[str, ...], **others: Any) -> tuple[Iditacards, Table]:
    position = new_position(f"iditacards/{edition}", seed=1, open_sources=[])
    table, game = position.table(), position.game
    assert isinstance(game, Iditacards)
    cards = {"hand": tuple(sorted(hand)), "deck": tuple(sorted(deck)), "legendary": ()}
    return game, table._replace(players=(table.players[0]._replace(**{**cards, **others}),))


def some_table(edition: str, seed: int) -> tuple[Iditacards, Table]:
    """Return a small table with one card that takes others back, and some to take."""
    dice = random.Random(f"{edition} {seed} returning")
    cards = [dice.choice(USUAL) for _ in range(dice.choice((4, 5, 5)))]
    back = dice.choice(RETURNING[edition])
    waits = seed % 2 == 0
    stack = (frame(back if waits else "mush", dice.choice((1, 2, 2))),) if waits or seed % 5 == 1 else ()
    if not waits:
        cards[dice.randrange(len(cards))] = back
    held = dice.choice((1, 2, 2))
    return the_table(
        edition,
        tuple(cards[:held]),
        tuple(cards[held:]),
        pos=dice.choice((3, 14, 36, 60, 84)),
        stack=stack,
        dogs=dice.choice(((), (Dog("wheel_dog", ()),), (Dog("husky", ("dog_chow",)),))),
        discard=tuple(sorted(dice.sample(USUAL, dice.choice((0, 1, 2))))),
    )


def values(game: Iditacards, table: Table, goal: Goal) -> list[Any]:
    """Return what packed and plain beliefs say, as far as they carry a question."""
    turns, found = goal.within_turns or 0, []
    for packed in (True, False):
        form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
        if form is not None:
            search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
            try:
                found.append(search.value(form.project(table, turns), turns))
            except OutOfReach:
                continue
    return found


@pytest.mark.parametrize("edition", ["2017", "2019-02"])
def test_what_is_carried_is_worth_what_the_rules_say(edition: str) -> None:
    carried = 0
    for seed in range(30):
        game, table = some_table(edition, seed)
        turns = 2 + seed % 3 // 2
        far = table.players[0].pos + 1 + seed % 9
        for goal in (Goal(Objective.REACH, far, turns, DAY), Goal(Objective.MAX_DISTANCE, 0, turns, DAY)):
            found = values(game, table, goal)
            carried += bool(found)
            if found:
                expected = Expectimax(game, goal, Watch(Limit())).value(table, turns)
                assert found == [expected] * len(found), (seed, goal)
    assert carried > 8


def test_a_card_that_reads_too_late_does_not_stand_in_the_way() -> None:
    for card, turns in (("torch", 2), ("bison", 3), ("leather_hide", 4)):
        game, table = the_table("2019-02", ("move",), (card, "move"))
        assert missing(game.rulings, table, 0, DAY, turns) == []
        assert "op recover" in missing(game.rulings, table, 0, DAY, turns + 1)
        game, held = the_table("2019-02", ("move", card), ("move",))
        assert missing(game.rulings, held, 0, DAY, turns - 1) == []
        assert "op recover" in missing(game.rulings, held, 0, DAY, turns)


def test_damage_that_may_come_back_is_not_carried_beside_looks() -> None:
    game, table = the_table("2019-02", ("move", "whale_meat"), ("move",))
    assert missing(game.rulings, table, 0, DAY, 1) == []
    game, table = the_table("2019-02", ("first_aid", "whale_meat"), ("move",))
    assert "op recover" in missing(game.rulings, table, 0, DAY, 1)
    game, table = the_table("2019-02", ("move", "torch"), ("move",), discard=("damaged",))
    assert "op recover" in missing(game.rulings, table, 0, DAY, 1)
    game, table = the_table("2019-02", ("first_aid", "torch"), ("move",))
    assert missing(game.rulings, table, 0, DAY, 1) == []
    with patch.object(game.rulings, "board", replace(game.rulings.board, damage=frozenset({4}))):
        assert "op recover" in missing(game.rulings, table, 0, DAY, 1)


def test_who_may_play_on_with_what_has_come_back_is_refused() -> None:
    game, table = the_table(
        *("2019-02", (), ("move", "mush")),
        pos=3,
        stack=(frame("all_in"),),
        discard=("move", "move"),
    )
    far = Goal(Objective.REACH, 40, 5, DAY)
    near = Goal(Objective.REACH, 6, 5, DAY)
    assert values(game, table, far) == []
    expected = Expectimax(game, near, Watch(Limit())).value(table, 5)
    assert values(game, table, near) == [expected] * 2
    form = game.belief_turns(table, 0, DAY, None, 5)
    assert form is None or not form.is_bounded
