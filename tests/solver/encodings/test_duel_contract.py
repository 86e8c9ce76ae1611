"""The encoding of duels plays the same game as the rules: equal ends of half-turns with equal chances."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rules.core.steps import CHANCE
from rules.core.turns import State
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.contest import Duel, supports
from solver.encodings.trench_rescue.tables import table_from
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


def read(rows: Duel, start: Any, row: Any) -> Any:
    """Return the table of a row of the duel that goes on from ``start``."""
    return table_from(row, start, rows.cards, rows.colours)


def law_of_rows(rows: Duel, start: Any, at: int, to: int) -> Law:
    if rows.work[at + L.STAGE] in (L.ACTS, L.OVER):
        return {read(rows, start, rows.work[at : at + rows.width]): Fraction(1)}
    found: Law = {}
    total, place, parts = 0, 0, []
    while weight := rows.outcome(at, place, to):
        place = rows.place
        total += weight
        parts.append((weight, law_of_rows(rows, start, to, to + rows.width)))
    for weight, law in parts:
        for table, chance in law.items():
            found[table] = found.get(table, Fraction(0)) + chance * Fraction(weight, total)
    return found


def laws_of_rows(rows: Duel, start: Any) -> set[frozenset[tuple[Any, Fraction]]]:
    width = rows.width
    rows.begin(rows.row(start))
    number = rows.options(0, width)
    found = set()
    for place in range(rows.found):
        rows.follow(number, place, width, 2 * width)
        if rows.work[2 * width + L.STAGE] != L.DRAWS:
            found.add(frozenset(law_of_rows(rows, start, 2 * width, 3 * width).items()))
    return found


def battles(seed: int) -> Iterator[Battle]:
    options = OPTIONS[seed % len(OPTIONS)]
    for left in (1, 2, 3):
        yield small(seed, (2, 4, 2)[seed % 3], left, options)


@pytest.mark.parametrize("seed", range(24))
def test_half_turns_end_as_by_the_rules(seed: int) -> None:
    for battle in battles(seed):
        duel = Duel(battle.game, battle.table, lambda: None, fades=False)
        assert not supports(battle.game, battle.table)
        assert read(duel, battle.table, duel.row(battle.table)) == battle.table
        assert laws_of_rows(duel, battle.table) == laws_of_rules(battle)
