"""What the facts say about one turn, against every turn of the game itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.steps import Forced
from solver.facts import NO_CARD, Arc, Final, Layers, Meter, Taken, TooLarge, TurnGraph, Unusable
from solver.facts_cards import CardFlow
from tests.solver.model.small_positions import position, random_position

GOAL = Goal(Objective.MAX_DISTANCE, 0, 1, frozenset({"new_day"}))
EDITIONS = ("2017", "2019-02", "2019-08")
SEEDS = 24
Hand = tuple[tuple[str, int], ...]


def hand_of(cards: Counter[str]) -> Hand:
    return tuple(sorted((+cards).items()))


def told(flow: CardFlow[Any], hand: Counter[str]) -> Iterator[tuple[Any, Any, Hand]]:
    """Yield every position after one turn that the facts tell, all payments written out."""
    actions = flow._actions
    names = actions.kinds
    out: dict[int, list[Arc]] = defaultdict(list)
    for arc in flow.turns[0]:
        out[arc.source].append(arc)
    queue = [(0, hand)]
    while queue:
        source, cards = queue.pop()
        for arc in out[source]:
            if arc.card != NO_CARD and not cards[names[arc.card]]:
                continue
            gained = Counter(names[kind] for kind in arc.gains)
            if arc.free:
                queue.append((arc.target, cards + gained))
                continue
            left = cards - Counter([] if arc.card == NO_CARD else [names[arc.card]])
            node = flow._nodes[arc.target]
            payable = [name for name in left.elements() if actions.payable[actions.kind(name)]]
            for paid in set(combinations(sorted(payable), arc.pay)):
                yield actions.boards[node.board], node.deck, hand_of(left - Counter(paid) + gained)


@pytest.mark.parametrize("ruleset", EDITIONS)
def test_the_facts_of_a_turn_are_the_turns_of_the_game(ruleset: str) -> None:
    compared = 0
    for seed in range(SEEDS):
        position = random_position(ruleset, seed, starter=seed % 2 == 0, cards=7)
        if position is None:
            continue
        game: Any = position.game
        table = position.table()
        flow: CardFlow[Any] = CardFlow(game, table, GOAL, Meter(100_000))
        try:
            flow.extend()
        except Unusable:
            continue
        ends = [end for end in game.turn_ends(table) if not any(step.text == "new_day" for step in end.steps)]
        parts = [flow._probe.start(end.table) for end in ends]
        assert {(part.board, part.deck, hand_of(Counter(part.hand))) for part in parts} == set(
            told(flow, Counter(table.players[0].hand))
        ), f"seed {seed}"
        compared += len(ends)
    assert compared > 200


@pytest.mark.parametrize("ruleset", EDITIONS)
def test_both_forms_tell_how_far_the_last_turn_gets(ruleset: str) -> None:
    for seed in range(40, 50):
        position = random_position(ruleset, seed, starter=False, cards=5)
        if position is None:
            continue
        game: Any = position.game
        table = position.table()
        graph = TurnGraph(game, table, GOAL, Meter(100_000)).horizon()
        ends = [end for end in game.turn_ends(table) if not any(step.text == "new_day" for step in end.steps)]
        furthest = max((game.progress(end.table) for end in ends), default=None)
        assert max((final.progress for final in graph.finals), default=None) == furthest
        try:
            cards = CardFlow(game, table, GOAL, Meter(100_000)).horizon()
        except Unusable:
            continue
        assert max((final.progress for final in cards.finals), default=0) >= (furthest or 0)


def test_a_zone_that_is_read_after_all_is_noticed() -> None:
    start = position(hand=["torch", "move", "lunch"], deck=["move", "mush", "a_hat"], discard=["push"])
    game: Any = start.game
    flow: CardFlow[Any] = CardFlow(game, start.table(), GOAL, Meter(10_000))
    with pytest.raises(Unusable, match="discard"):
        flow.extend()


def test_zones_that_give_cards_to_the_hand_are_kept_on_the_board() -> None:
    start = position("2019-08", hand=["breakfast"], deck=["move"], pos=30, legendary=["moose"], dogs=["wheel_dog"])
    game: Any = start.game
    legendary = start.table().players[0].legendary
    assert legendary
    checkpoint = min(space for space in game.rulings.board.checkpoints if space > 0)
    table = start.table()._replace(players=(start.table().players[0]._replace(pos=checkpoint - 1),))
    flow: CardFlow[Any] = CardFlow(game, table, GOAL, Meter(10_000))
    flow.extend()
    assert flow._probe.start(table).board.players[0].legendary == legendary


@pytest.mark.parametrize("form", [CardFlow, TurnGraph])
def test_a_limit_on_states_is_kept(form: type[Layers[Any]]) -> None:
    start = position(hand=["lunch", "move", "mush"], deck=["move"] * 3)
    game: Any = start.game
    layers = form(game, start.table(), GOAL, Meter(2))
    with pytest.raises(TooLarge):
        layers.extend()


def test_the_clock_is_asked() -> None:
    start = position(hand=["lunch", "move", "mush"], deck=["move"] * 3)
    goal = Goal(Objective.MAX_DISTANCE, 0, 6)
    game: Any = start.game
    layers = TurnGraph(game, start.table(), goal, Meter(10**9, lambda: False))
    with pytest.raises(TooLarge):
        all(layers.extend() for _ in range(6))


def test_a_turn_taken_is_found_again_in_the_game() -> None:
    start = position(hand=["lunch", "move", "mush", "push"], deck=["a_hat", "dinner", "rest"])
    game: Any = start.game
    flow: CardFlow[Any] = CardFlow(game, start.table(), GOAL, Meter(10_000))
    horizon = flow.horizon()
    kinds = flow._actions.kinds
    final = next(final for final in horizon.finals if final.card == kinds.index("lunch") and final.pay == 2)
    end = flow.replay(start.table(), Taken((final,), {kinds.index("mush"): 1, kinds.index("push"): 1}), 0)
    assert end is not None
    assert [step.text for step in end.steps if not isinstance(step, Forced)] == ["play lunch pay mush push"]


def test_a_turn_that_the_game_does_not_have_is_not_found() -> None:
    start = position(hand=["lunch", "move", "mush", "push"], deck=["a_hat", "dinner", "rest"])
    game: Any = start.game
    flow: CardFlow[Any] = CardFlow(game, start.table(), GOAL, Meter(10_000))
    kinds = flow._actions.kinds
    lunch = Final(0, kinds.index("lunch"), 2, 0)
    assert flow.replay(start.table(), Taken((lunch,), {kinds.index("mush"): 2}), 0) is None
    assert flow.replay(start.table(), Taken((lunch,), {kinds.index("mush"): 1, kinds.index("push"): 1}), 99) is None
