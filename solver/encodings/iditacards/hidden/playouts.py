"""The rows that playouts of one question begin with, and the weights of plain play."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.steps import Step
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.hidden import policy_layout as P
from solver.encodings.iditacards.hidden.policy import PlayoutRows
from solver.encodings.iditacards.hidden.values import HiddenValues, Question
from solver.search.row_playouts import give_up

WEIGHTS: Final = {
    "TURNS_A_CARD": (0.807, 4.87),
    "MET": (0.667, 0.0557),
    "SEEN": (1.79, 1.18),
    "NOT_YET": (0.0024, 0.477),
    "SLOWEST": (1.17, 0.481),
    "FREE": (0.221, 0.213),
    "LAST_CARD": (0.107, 0.439),
    "ALL_THERE_IS": (0.128, 0.815),
    "LATER": (0.233, 0.143),
    "HELD": (0.947, 0.279),
    "NESTED": (0.0149, 0.13),
    "DEARER": (7.47, 38.4),
    "UPGRADE": (0.00109, 0.0629),
    "DILUTED": (0.089, 1.85),
    "THINNER": (0.352, 0.211),
    "DAMAGE": (0.211, 8.0),
    "A_DOG": (0.0329, 0.084),
    "IN_PLAY": (0.635, 0.419),
    "DAY_CARD": (0.154, 0.144),
    "CHEAPER": (0.615, 0.452),
    "SECOND": (16.3, 1.18),
    "LONGEST": (30.8, 0.413),
    "LASTS": (2.87, 16.0),
    "NIGHT": (0.9, 1.28),
    "PLAYED": (0.169, 0.101),
    "POINTS": (58.2, 0.0534),
    "PRESENT": (0.0, 2.5),
}
"""Weights of plain play, in spaces and turns, found by trying on whole races.

The second ones are for rulesets where the automatic move asks only whether there are conditions."""


class PlayoutValues(HiddenValues):
    """Tables and moves as rows to play on."""

    rows_type = PlayoutRows
    opens_upgrades = True
    search: Any

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        question: Question,
        memory: int,
    ) -> None:
        turns = question.turns
        super().__init__(game, table, question, memory, give_up)
        self.search.begun = turns
        self.search.dealt = 0 if game.rulings.upgrade_open else len(table.upgrade)
        self.search.worst = float(-turns if question.objective is Objective.MIN_TURNS else 0)
        kind = self.tables.array[L.H_AUTO_BY_CONDITION]
        for name, weights in WEIGHTS.items():
            self.search.numbers[getattr(P, name)] = weights[kind]

    def row(self, table: Table) -> array[int]:
        """Return the row of a table at the start of a turn; upgrades that have left a hidden deck lie on its top."""
        if self.search.dealt:
            table = table._replace(upgrade=tuple(map(self._opened, range(self.search.dealt), table.upgrade)))
        return super().row(table)

    def _opened(self, place: int, left: tuple[str, ...]) -> tuple[str, ...]:
        """Put the cards that have left a hidden deck on its top, and return what lies below."""
        numbers, kinds = self.tables.array, self.tables.kinds
        gone = Counter(self.tables.start.upgrade[place])
        gone.subtract(left)
        order = [kinds[card] for card in (*gone.elements(), *left)]
        first = numbers[numbers[L.H_UPGRADES] + 2 * place]
        for i, kind in enumerate(order):
            numbers[first + i] = kind
        numbers[L.H_OPENED + place] = len(order) - len(left)
        return self.tables.start.upgrade[place][len(order) - len(left) :]

    def row_of(self, table: Table, turns: int) -> array[int]:
        """Return a table at the start of a turn with so many turns left, its turn begun."""
        self.search.begin_row(self.row(table), turns)
        return array("h", self.search.work[: L.W])

    def row_after(self, table: Table, move: Step, turns: int) -> array[int]:
        """Return the row of a turn that begins with a move.

        Raises:
            LookupError: rows do not tell this move apart.
        """
        self.begin(table, move, turns)
        return array("h", self.search.work[: L.W])
