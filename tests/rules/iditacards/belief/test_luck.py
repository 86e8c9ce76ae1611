"""Nodes that win nothing with the luckiest cards: the same chances as with all of them opened."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.search.dealing import entry as dealing_entry
from solver.search.dealing import luck as dealing_luck
from tests.rules.iditacards.belief.values import searched

DAY = frozenset({"new_day"})
TABLES = 14


def question(ruleset: str, seed: int) -> tuple[Iditacards, Table, Goal]:
    """Return a small table of starter cards and some others, and a chance that is small or none for whole days."""
    dice = random.Random(f"{ruleset} {seed} luck")
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    start = table.players[0]
    usual = sorted({*start.hand, *start.deck})
    others = [card for card, facts in game.content.cards.items() if facts.deck not in ("legendary", "damage")]
    kinds = [dice.choice(usual) for _ in range(4)] + [dice.choice(sorted(others)) for _ in range(dice.choice((0, 1)))]
    held, hidden = dice.choice((1, 2, 3, 4)), dice.choice((2, 3, 4))
    cards = [dice.choice(kinds) for _ in range(held + hidden)]
    waiting = Frame("mush", need=dice.choice((1, 2)), paid=0, step="risk", n=0, day=0)
    player = start._replace(
        pos=dice.choice((0, 3, 17, 30, 36, 44)),
        hand=tuple(sorted(cards[:held])),
        deck=tuple(sorted(cards[held:])),
        dogs=(Dog("wheel_dog", ()),) if dice.random() < 0.4 else (),
        stack=(waiting,) if dice.random() < 0.25 else (),
        legendary=(),
    )
    turns = 2 * (held + hidden) + 1 if dice.random() < 0.7 else dice.choice((3, 4, 5))
    goal = Goal(Objective.REACH, player.pos + dice.choice((2, 4, 5, 6, 8)), turns, DAY)
    return game, table._replace(players=(player,)), goal


@pytest.mark.parametrize("ruleset", ["2019-02", "2017", "2019-08", "starter-race", "starter-legs"])
def test_chances_are_those_with_all_nodes_opened(monkeypatch: pytest.MonkeyPatch, ruleset: str) -> None:
    told = Counter[tuple[str, int]]()

    def counted(name: str) -> Any:
        asked = getattr(dealing_luck, name)

        def asking(*node: Any) -> int:
            found: int = asked(*node)
            told[name, found] += 1
            return found

        return asking

    monkeypatch.setattr(dealing_entry, "luck_of", counted("luck_of"))
    monkeypatch.setattr(dealing_luck, "luck_of_play", counted("luck_of_play"))
    questions = [question(ruleset, seed) for seed in range(TABLES)]
    values = [searched(*asked) for asked in questions]
    for module in (dealing_entry, dealing_luck):
        monkeypatch.setattr(module, "is_in_question", lambda *_: False)
    compared = 0
    for asked, value in zip(questions, values, strict=True):
        if value is not None:
            assert value == searched(*asked), asked
            assert searched(*asked, packed=False) in (None, value), asked
            compared += 1
    assert compared > TABLES // 3
    assert told["luck_of", dealing_luck.NEVER]
    assert told["luck_of", dealing_luck.MAY]


def test_what_is_paid_for_is_asked_before_any_card_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A play of which nothing comes is not paid for in many ways."""
    told = Counter[int]()
    asked = dealing_luck.luck_of_play

    def asking(*node: Any) -> int:
        found = asked(*node)
        told[found] += 1
        return found

    monkeypatch.setattr(dealing_luck, "luck_of_play", asking)
    for seed in range(40):
        searched(*question("2019-02", seed))
    assert told[dealing_luck.NEVER]
    assert told[dealing_luck.MAY]
