"""Hidden decks of which cards are seen and kept, sleds in snow, and choices amid draws: worths by plainer forms."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.race import NOTHING_KNOWN
from rules.core.turns import State
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief.day import BeliefDay
from rules.iditacards.belief.scope import missing
from rules.iditacards.belief.stances import FormStances
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.dealing import ends as dealing_ends
from solver.search.dealing import entry as dealing_entry
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import looks as dealing_looks
from solver.search.expectimax import Expectimax
from solver.search.first_turn import PlainStart
from solver.search.layers import Watch
from tests.rules.iditacards.belief.values import searched

DAY = frozenset({"new_day"})
CARDS = ("first_aid", "first_aid", "grandma_soup", "move", "move", "mush", "lunch", "breakfast", "husky", "dog_chow")


def waiting(card: str) -> Frame:
    return Frame(card=card, need=1, paid=0, step="risk", n=0, day=0)


def table_of(ruleset: str, hand: str, deck: str, weather: str = "none", **others: Any) -> tuple[Iditacards, Table]:
    position = new_position(f"iditacards/{ruleset}", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    cards: dict[str, Any] = {"hand": tuple(sorted(hand.split())), "deck": tuple(sorted(deck.split())), "legendary": ()}
    player = table.players[0]._replace(**{**cards, "dogs": (), **others})
    return game, table._replace(players=(player,), weather=weather)


CHEAP = ("move", "move", "breakfast", "armour", "dog_chow", "repair_sled", "travel_light", "russian_bear_dog")


def looking(seed: int, *, cheap: bool = False) -> tuple[Iditacards, Table, list[Goal]]:
    """Return a small table with cards that may be kept once they are seen, and what is asked about it.

    Where all are ``cheap`` a few of them pay for anything.
    """
    dice = random.Random(f"{seed} {cheap} taken")
    cards = ["travel_light" if cheap else "first_aid", *(dice.choice(CHEAP if cheap else CARDS) for _ in range(7))]
    dice.shuffle(cards)
    held = 4 if cheap else dice.choice((2, 3, 4))
    game, table = table_of(
        "2017",
        " ".join(cards[:held]),
        " ".join(cards[held:]),
        pos=dice.choice((0, 3, 25, 72)),
        stack=(waiting("grandma_soup"),) if cheap else (waiting("first_aid"),) if dice.random() < 0.5 else (),
        dogs=dice.choice(((), (Dog("wheel_dog", ()),))),
    )
    turns = 3 if cheap else dice.choice((2, 3))
    far = table.players[0].pos + dice.choice((1, 2, 6, 11))
    return game, table, [Goal(Objective.MAX_DISTANCE, 0, turns, DAY), Goal(Objective.REACH, far, turns, DAY)]


def counting(counts: dict[str, int], name: str, function: Callable[..., Any], fails: Any) -> Callable[..., Any]:
    def counted(*args: Any) -> Any:
        found = function(*args)
        counts[name] = counts.get(name, 0) + (found != fails)
        return found

    return counted


@pytest.mark.parametrize("cheap", [False, True])
def test_cards_that_are_seen_and_kept_are_worth_what_plain_beliefs_say(
    monkeypatch: pytest.MonkeyPatch, *, cheap: bool
) -> None:
    counts: dict[str, int] = {}
    monkeypatch.setattr(dealing_looks, "takes_off", counting(counts, "taken", dealing_looks.takes_off, False))
    monkeypatch.setattr(dealing_looks, "pays_for_all", counting(counts, "enough", dealing_looks.pays_for_all, False))
    monkeypatch.setattr(
        dealing_entry, "after_sight", counting(counts, "last", dealing_ends.after_sight, dealing_facts.ASIDE)
    )
    values = set()
    for many, seed in product((0,) if cheap else (2_000, 0), range(9 if cheap else 5)):
        monkeypatch.setattr(belief_facts, "MANY", many)
        game, table, goals = looking(seed, cheap=cheap)
        for goal in goals:
            found = searched(game, table, goal)
            if found is not None:
                assert found == searched(game, table, goal, packed=False), (seed, goal)
                values.add(found)
    assert len(values) > 4
    assert counts["enough" if cheap else "last"] > 2
    assert cheap or counts["taken"] > 2


def test_kept_cards_are_worth_what_the_rules_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Iditacards, "outlook", lambda *_: NOTHING_KNOWN)
    compared = 0
    for seed in range(30, 35):
        game, table, goals = looking(seed)
        for goal in goals:
            if goal.within_turns == 2:
                expected = Expectimax(game, goal, Watch(Limit())).value(table, 2)
                assert searched(game, table, goal) in (None, (expected,)), (seed, goal)
                compared += 1
    assert compared > 1


@pytest.mark.parametrize(
    ("hand", "deck", "pos", "stack"),
    [
        ("new_sled move mush", "move lunch husky move", 3, ()),
        ("move mush", "new_sled repair_sled move", 30, ("mush",)),
        ("new_sled move", "new_sled move mush breakfast", 0, ("mush",)),
        ("move new_sled lunch", "upgrade_sled dinner move mush", 45, ()),
    ],
)
def test_a_sled_that_snow_stops_destroys_no_hand(hand: str, deck: str, pos: int, stack: tuple[str, ...]) -> None:
    told: set[Fraction | None] = set()
    for weather in ("snow", "none"):
        game, table = table_of("2017", hand, deck, weather, pos=pos, stack=tuple(map(waiting, stack)))
        assert missing(game.rulings, table, 0, DAY, 3) == []
        for goal in (Goal(Objective.MAX_DISTANCE, 0, 3, DAY), Goal(Objective.REACH, pos + 6, 3, DAY)):
            found = searched(game, table, goal)
            assert found is not None
            assert found == searched(game, table, goal, packed=False)
            told.add(found[0])
        goal = Goal(Objective.MAX_DISTANCE, 0, 2, DAY)
        plain = PlainStart(Expectimax(game, goal, Watch(Limit())), State(table)).moves(2)
        form = game.belief_turns(table, 0, DAY, None, 2)
        assert isinstance(form, BeliefDay)
        search = BeliefSearch(form, goal, Watch(Limit()))
        start = BeliefStart(search, form, table, [move for move, _ in plain if form.opens(move)], goal)
        moves = dict(start.moves(2))
        assert moves
        assert moves.items() <= dict(plain).items()
    assert len(told) > 1


def test_of_ends_amid_draws_and_looks_the_one_that_covers_all_others_is_the_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts: dict[str, int] = {}
    monkeypatch.setattr(FormStances, "_covering", counting(counts, "covering", FormStances._covering, None))
    values = set()
    for turns, stack, deck in (
        (2, ("grandma_soup", "squirrel"), "lunch lunch mush move husky"),
        (2, ("grandma_soup", "squirrel"), "rest mush move lunch"),
        (3, ("grandma_soup",), "squirrel lunch mush move"),
    ):
        game, table = table_of(
            "2019-02",
            "move lunch mush",
            deck,
            pos=37,
            stack=tuple(map(waiting, stack)),
            dogs=(Dog("good_dog", ("a_hat",)),),
        )
        for goal in (Goal(Objective.MAX_DISTANCE, 0, turns, DAY), Goal(Objective.REACH, 41, turns, DAY)):
            expected = Expectimax(game, goal, Watch(Limit())).value(table, turns)
            assert searched(game, table, goal) == (expected,), (stack, deck, goal)
            values.add(expected)
    assert len(values) > 3
    assert counts["covering"] > 2
