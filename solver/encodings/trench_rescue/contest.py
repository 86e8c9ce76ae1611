"""The duels that the encoding carries, as ``solver.search.contests.expectiminimax`` asks for them."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import lcm
from typing import Any

from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.duel import DuelRows
from solver.encodings.trench_rescue.tables import cards_in_play, row_of, table_of, width_of
from solver.search.contests.alpha_beta import most_parts


def supports(game: TrenchRescue, table: Table) -> tuple[str, ...]:
    """Return the features of a duel that the encoding lacks; none where it carries all of them."""
    return (*lacks(game.rulings), *(() if table.view is None else ("hidden cards",)))


def lacks(r: Rulings) -> tuple[str, ...]:
    """Return the features that rows of two players lack under some rulings."""
    lacking = {
        "solitaire": r.players < 2,
        "open chance": r.shells_open or not r.shells_fall or (r.deck_open and not r.queue),
    }
    return (*(feature for feature, is_missing in lacking.items() if is_missing), *options_missing(r))


def options_missing(r: Rulings) -> tuple[str, ...]:
    """Return the options, by their values, that rows do not carry."""
    lacking = {
        "option starter_order": r.alternate,
        "option hit_pile_order": r.arrival,
        "option idle_allowed": not r.idle_allowed,
        "option rescued_acts_now": r.rescued_acts_now,
        "option drop_cost": r.drop_moves,
        "option drop_when": r.drop_unmoved and not r.drop_moves,
        "option stack_from_trench": r.stack_from_trench,
        "option stack_split": not r.stack_split,
        "option pickup_fresh": r.pickup_fresh,
        "option hold_in_place": r.hold_in_place,
        "option stack_carrier": r.carrier_chosen,
        "option shell_recount": r.shell_recount,
        "option withdrawal": r.withdrawal != "direct_home",
        "option withdrawal_trench": r.withdrawal_trench,
        "option withdrawal_hit": not r.withdrawal_kills,
        "option score": r.score != "total",
        "option reinforcement": r.draw_when_empty,
        "option shell_count_of": r.own_counted,
        "rescue of enemies into the trench": "trench" in (r.rescue[False, False], r.rescue[False, True]),
    }
    return tuple(feature for feature, is_missing in lacking.items() if is_missing)


class Duel(DuelRows):
    """The rows of one duel."""

    def __init__(self, game: TrenchRescue, table: Table, pause: Callable[[], None], *, fades: bool = True) -> None:
        """Without ``fades`` nothing is forgotten, so that rows can be read back as tables."""
        self._rulings = game.rulings
        self.cards, self.colours = cards_in_play(table), game.rulings.pack.colour
        numbers = table_of(game.rulings, table, self.cards, fades=fades)
        super().__init__(numbers, width_of(self.cards), pause)
        self.part = parts_of(game.rulings, numbers)
        self.one = self.part * numbers[L.T_CASES]
        self.turns = 2 * game.rulings.turn_limit

    def row(self, table: Table) -> array[int]:
        """Return a table as a row.

        Raises:
            OverflowError: it does not fit.
        """
        return row_of(self._rulings, table, self.cards)


def parts_of(rulings: Rulings, numbers: Any) -> int:
    """Return how many parts make one of the units that bounds count in: as many shells as fit, and each deck once."""
    cases = numbers[L.T_CASES]
    parts = 1 if rulings.queue else lcm(*range(1, 27))
    while parts * cases * cases <= most_parts():
        parts *= cases
    return int(parts)
