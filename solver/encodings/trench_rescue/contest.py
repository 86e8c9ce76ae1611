"""The duels that rows carry, as a tree for ``solver.search.contests.expectiminimax``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.core.steps import CHANCE, OVER
from rules.core.turns import State
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.machine import Rows
from solver.encodings.trench_rescue.tables import cards_in_play, row_of, table_of, width_of
from solver.search.budget import BudgetExceeded
from solver.search.contests.tree import ONE, Key, Number, PlainTree, quotient


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


class DuelTree(PlainTree):
    """The play of one duel: keys are rows as bytes, and states where chance is due in the middle of a half-turn."""

    name = "encoded"

    def __init__(self, game: TrenchRescue, table: Table, look: Callable[[], None] | None = None) -> None:
        """Rows carry the cards that are in play on a table."""
        super().__init__(game, look)
        self._rulings, self._cards = game.rulings, cards_in_play(table)
        numbers = table_of(game.rulings, table, self._cards, fades=True)
        self._rows, self._cases = Rows(numbers, width_of(self._cards)), numbers[L.T_CASES]
        self.last = 2 * game.rulings.turn_limit

    def key(self, state: State[Table]) -> Key:
        """Return the row of a state, without what does not matter."""
        return state if state.pending else self._rows.reduced(row_of(self._rulings, state.table, self._cards))

    def actor(self, key: Key) -> int:
        """Return who decides next."""
        if isinstance(key, State):
            return super().actor(key)
        found: int = {L.ACTS: key[2 * L.MOVER], L.OVER: OVER}.get(key[2 * L.STAGE], CHANCE)
        return found

    def followers(self, key: Key) -> Sequence[Key]:
        """Return the keys after every half-turn, or every open move.

        Raises:
            BudgetExceeded: there are too many ways through a half-turn.
        """
        if isinstance(key, State):
            return [self.key(state) for state in super().followers(key)]
        try:
            return self._rows.followers(key)
        except OverflowError as fault:
            raise BudgetExceeded from fault

    def outcomes(self, key: Key) -> tuple[Sequence[tuple[Key, int]], int]:
        """Return the keys after every outcome of chance."""
        if isinstance(key, State):
            states, cases = super().outcomes(key)
            return [(self.key(state), ways) for state, ways in states], cases
        found = self._rows.outcomes(key)
        return found, sum(ways for _, ways in found)

    def guess(self, key: Key) -> Number:
        """Return about what the first seat will have, in parts of one."""
        return super().guess(key) if isinstance(key, State) else ONE * self._rows.guess(key)

    def bounds(self, key: Key) -> tuple[Number, Number]:
        """Return proved bounds of the value, in parts of one."""
        if isinstance(key, State):
            return super().bounds(key)
        least, most = self._rows.bounds(key)
        return quotient(least * ONE, self._cases), quotient(most * ONE, self._cases)

    def pace(self, key: Key) -> int:
        """Return the half-turns that are over; the walk home after the last one counts as a part of it."""
        if isinstance(key, State):
            return super().pace(key)
        return self._rows.pace(key)
