"""The encoding of duels plays the same game as the rules: equal ends of half-turns with equal chances."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rules.core.scripts import CHANCE
from rules.core.turns import State
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.machine import Rows
from solver.encodings.trench_rescue.turns import cards_in_play, row_of, supports, table_from, table_of
from tests.rules.trench_rescue.battles import Battle
from tests.rules.trench_rescue.duels import OPTIONS, small

Law = dict[Any, Fraction]
"""Tables after a half-turn, each with its chance."""
MOST = 300
"""Ways through a half-turn up to which it is compared."""


def law_of_rules(battle: Battle, state: State[Any], start: Any) -> Law:
    """Return what chance makes of a state."""
    game = battle.game
    state = game.settled(state)
    if not state.pending:
        return {state: Fraction(1)}
    found: Law = {}
    for outcome in game.chance_outcomes(state):
        for after, chance in law_of_rules(battle, game.apply(state, outcome).state, start).items():
            found[after] = found.get(after, Fraction(0)) + chance * outcome.probability
    return found


def laws_of_rules(battle: Battle) -> set[frozenset[tuple[Any, Fraction]]]:
    """Return the laws that the decisions of a half-turn lead to, those at which nothing is drawn in it."""
    game, start = battle.game, battle.table
    seen, waiting = set(), [State(start)]
    found = set()
    while waiting:
        state = waiting.pop()
        for move in game.legal_moves(state):
            if move.text.startswith("peek"):
                continue
            after = game.settled(game.apply(state, move).state)
            if move.text == "end":
                law = law_of_rules(battle, after, start)
                found.add(frozenset((each.table, chance) for each, chance in law.items()))
            elif after not in seen and not (after.pending and game.to_act(after) == CHANCE):
                seen.add(after)
                waiting.append(after)
    return found


def law_of_rows(rows: Rows, row: bytes, read: Any) -> Law:
    if row[2 * L.STAGE] in (L.ACTS, L.OVER):
        return {read(row): Fraction(1)}
    found: Law = {}
    parts = rows.outcomes(row)
    total = sum(weight for _, weight in parts)
    for after, weight in parts:
        for table, chance in law_of_rows(rows, after, read).items():
            found[table] = found.get(table, Fraction(0)) + chance * Fraction(weight, total)
    return found


def laws_of_rows(rows: Rows, row: bytes, read: Any) -> set[frozenset[tuple[Any, Fraction]]]:
    return {
        frozenset(law_of_rows(rows, after, read).items())
        for after in rows.followers(row)
        if after[2 * L.STAGE] != L.DRAWS
    }


def battles(seed: int) -> Iterator[Battle]:
    options = OPTIONS[seed % len(OPTIONS)]
    for left in (1, 2, 3):
        yield small(seed, (2, 4, 2)[seed % 3], left, options)


@pytest.mark.parametrize("seed", range(24))
def test_half_turns_end_as_by_the_rules(seed: int) -> None:
    for battle in battles(seed):
        assert not supports(battle.game, battle.table)
        rulings, cards = battle.game.rulings, cards_in_play(battle.table)
        rows = Rows(table_of(rulings, battle.table, cards, fades=False))
        row = row_of(rulings, battle.table, cards).tobytes()

        def read(row: bytes, battle: Battle = battle, cards: Any = cards) -> Any:
            return table_from(array("h", row), battle.table, cards, battle.game.rulings.pack.colour)

        assert read(row) == battle.table
        assert laws_of_rows(rows, row, read) == laws_of_rules(battle)
