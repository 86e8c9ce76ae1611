"""Questions about small tables, and their answers from all positions of the exact encoding, without any bound."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.turns import State
from rules.iditacards.state import owned_cards
from rules.iditacards.turn import NEW_DAY
from solver.encodings.iditacards.encoding import Encoding, supports
from solver.engines.open_search import OpenSearch
from solver.question import Answer, Status
from solver.search.budget import Budget
from tests.solver.encodings.positions import OWN_RULESETS, Case, dealt, played
from tests.solver.encodings.wild import wild

TURNS = 5
NEAR = 14
"""Spaces up to which a target is away, mostly."""


class Asked(NamedTuple):
    """A question about a table."""

    case: Case
    goal: Goal
    kept: dict[str, int]

    def reports(self, limit: Budget) -> Answer[int]:
        """Return what the search answers."""
        race = copy(self.case.game)
        race.kept = self.kept
        return OpenSearch(race, State(self.case.table), self.goal, limit).answer()


def cases(seed: int, changed: int) -> Iterator[Case]:
    """Yield tables of each ruleset."""
    for number, ruleset in enumerate(OWN_RULESETS):
        yield dealt(ruleset, 10_000 + seed * len(OWN_RULESETS) + number)
        yield from played(ruleset, seed, 4, changed)
        found = wild(ruleset, seed, changed)
        if found is not None:
            yield found


def questions(seed: int, changed: int) -> Iterator[Asked]:
    """Yield questions of each kind about tables of each ruleset."""
    for case in cases(seed, changed):
        dice = random.Random(case.name)
        player = case.table.players[0]
        words = {NEW_DAY.text} if dice.random() < 0.75 else set()
        if dice.random() < 0.3:
            cards = [f"play {card}" for card in sorted(set(player.hand))]
            words |= set(dice.sample([*cards, "sacrifice", "remove", "continue"], min(2, 3 + len(cards))))
        own = sorted(owned_cards(player))
        kept = {card: own.count(card) for card in dice.sample(own, min(len(own), 2))} if dice.random() < 0.2 else {}
        if supports(case.game, case.table, 0, frozenset(words), kept):
            continue
        for objective in (Objective.MIN_TURNS, Objective.REACH, Objective.MAX_DISTANCE):
            target = player.pos + dice.randint(1, NEAR) + dice.choice((0, 0, 0, 20))
            turns = dice.randint(1, TURNS)
            yield Asked(case, Goal(objective, target, turns, frozenset(words), kept=frozenset(kept)), kept)


def expected(asked: Asked, most: int) -> tuple[Status, int | None] | None:
    """Return status and value of a question; nothing where that takes more than so many positions of a turn."""
    case, goal, kept = asked
    encoding = Encoding(case.game, case.table, goal.forbidden, kept, rules=frozenset())
    layer = {encoding.root}
    farthest = goal.objective is Objective.MAX_DISTANCE
    if not farthest and encoding.progress(encoding.root) >= goal.target:
        return Status.OPTIMAL, 1 if goal.objective is Objective.REACH else 0
    for turn in range(1, (goal.within_turns or 0) + 1):
        over = {key for key in layer if encoding.is_over(key)}
        after: set[bytes] = set()
        for key in layer - over:
            after.update(encoding.successors(key))
            if len(after) > most:
                return None
        layer = after | over if farthest else after
        if not farthest and any(encoding.progress(key) >= goal.target for key in layer):
            return Status.OPTIMAL, 1 if goal.objective is Objective.REACH else turn
    if farthest and layer:
        return Status.OPTIMAL, max(map(encoding.progress, layer))
    return Status.INFEASIBLE, 0 if goal.objective is Objective.REACH else None
