"""Chances of two rounds: what the program leaves out changes nothing, on a game small enough to leave nothing out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest

from benchmarks.abyss_chances import Hand, Plan, TwoRounds
from benchmarks.abyss_figures import NO_ABILITY, PLAIN
from rules.abyss.engine import Abyss
from tests.bare import bare_position

HANDS = (("digging", "bribe", "explore_in_depth"),)


class Whole(TwoRounds):
    """Nothing left out."""

    idle_after_more = False

    def hires(self, ap: int) -> list[tuple[int, int]]:
        return [(team, paid) for team, _, paid in self.rounds.hires(ap, 0)]

    def front(self, plans: Iterable[Plan]) -> list[Plan]:
        return list(plans)


def small(identity: str) -> Abyss:
    """Return a game of few partners and near goals, so that two rounds may do."""
    plain: dict[str, Any] = {"identities": PLAIN} if identity == NO_ABILITY else {}
    data = {
        "game": "abyss",
        "ruleset": {
            "extends": "abyss/2021",
            "rules": {"ap": 4},
            "goals": {"money": {"ap": 9}, "fame": {"rp": 6}},
            **plain,
        },
        "players": 1,
        "options": {"partner_cap": 1},
        "chance": {"open": []},
        "state": {"seats": [{"identity": "employer" if plain else identity}]},
    }
    game = bare_position(json.dumps(data)).game
    assert isinstance(game, Abyss)
    return game


@pytest.mark.parametrize("identity", [NO_ABILITY, "leader"])
def test_what_is_left_out_changes_nothing(identity: str) -> None:
    game = small(identity)
    pruned, whole = TwoRounds(identity, game), Whole(identity, game)
    assert sum(map(len, pruned.plans)) < sum(map(len, whole.plans))
    for names in HANDS:
        hand = pruned.hand(names)
        assert 0 < pruned.dealt(hand) == whole.dealt(hand) < 1


def test_two_cards_drawn_are_all_orders_of_them() -> None:
    two = TwoRounds("leader", small("leader"))
    unseen: Hand = (2, 1, 1, 0, 1, 0, 1, 0, 1)
    prospects = (1, 5, 0, 7, 9, 3, 2, 8, 0, 4)
    rest = two.hand(["digging"])[: len(unseen)]
    fewer = tuple(min(copies, 1) for copies in rest)
    held = max([prospects[0], *(prospects[place + 1] for place, copies in enumerate(fewer) if copies)])
    cards = [place for place, copies in enumerate(unseen) for _ in range(copies)]
    best = [max(held, *(prospects[place + 1] for place in drawn)) for drawn in permutations(cards, 2)]
    assert two.drawn(fewer, unseen, prospects) == sum(best)
