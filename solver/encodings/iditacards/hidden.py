"""Questions of one player whose deck is hidden, over rows: what is carried, and exact values of tables and moves."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.race import NOTHING
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from solver.encodings.iditacards import hidden_layout as F  # noqa: N812
from solver.encodings.iditacards import layout as L  # noqa: N812
from solver.encodings.iditacards.encoding import machine_lacks
from solver.encodings.iditacards.hidden_rows import HiddenRows
from solver.encodings.iditacards.liveness import Liveness
from solver.encodings.iditacards.offers import bound_table
from solver.encodings.iditacards.rows import Rows
from solver.encodings.iditacards.tables import Tables

GOALS: Final[Mapping[Objective | None, int]] = {
    Objective.REACH: F.GOAL_REACH,
    Objective.MAX_DISTANCE: F.GOAL_DISTANCE,
    Objective.MIN_TURNS: F.GOAL_TURNS,
    None: F.GOAL_RISK,
}
"""Objectives as the rows know them; none is that the card at the bottom of the stack comes through."""
RULES: Final = (
    F.RULE_ALIKE | F.RULE_LAST | F.RULE_BEFORE_LAST | F.RULE_SPARE | F.RULE_UNREAD | F.RULE_PAYERS | F.RULE_BOUND
)
_BACK: Final = frozenset({"recover", "recover_tag", "discard_to_deck", "new_day"})
_IDLE_OPS: Final = frozenset(
    {
        L.OP_NOTHING,
        L.OP_DRAW,
        L.OP_RECOVER,
        L.OP_RECOVER_TAG,
        L.OP_TAKE,
        L.OP_SUPPLY,
        L.OP_TAKE_NEXT,
        L.OP_DESTROY_HAND,
        L.OP_DESTROY_FROM_HAND,
        L.OP_DESTROY_SELF,
    }
)
"""Ops that change nothing more on the turn on which they are carried out, if no card stops it or reads zones."""
_LOOKING_OPS: Final = frozenset({L.OP_HEAL, L.OP_SEE, L.OP_DESTROY_NEXT})
"""The same where no damage card can be looked at."""


def supports(
    game: Any, table: Any, seat: int, turns: int, forbidden: frozenset[str] = frozenset(), kept: Collection[str] = ()
) -> tuple[str, ...]:
    """Return in words what of a question with a hidden deck is not carried; nothing means that values are exact.

    Upgrades that are gained now can be played on the third turn at the earliest if nothing reads the discard pile.
    """
    if not isinstance(game, Iditacards) or not isinstance(table, Table):
        return ("another game or measure",)
    if game.rulings.deck_open:
        return ("an open deck",)
    if len(table.players) > 1 or seat != 0:
        return ("several players",)
    if kept:
        return ("cards to keep",)
    live = Liveness(game, table, forbidden)
    hidden = live.gains and not game.rulings.upgrade_open and any(table.upgrade)
    matters = turns > 2 or (turns == 2 and _reads_back(live))
    lacking = ("hidden upgrade decks",) if hidden and matters else ()
    return (*lacking, *machine_lacks(game, table, live, forbidden))


def _reads_back(live: Liveness) -> bool:
    """Return whether something else than a new day of choice reads the discard pile."""
    return not _BACK.isdisjoint(live.ops) or "leg_turn_end_recover" in live.leg_effects


class HiddenValues:
    """Exact values for one goal from one table on."""

    rows_type = HiddenRows

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        objective: Objective | None,
        target: int,
        turns: int,
        forbidden: frozenset[str],
        memory: int,
        pause: Callable[[], None],
        *,
        optimistic: int = 0,
        rules: int = RULES,
    ) -> None:
        self.objective = objective
        self.turns = turns
        self.tables = Tables(game, table, forbidden)
        self.rows = Rows(self.tables)
        self.live = Liveness(game, table, forbidden, NOTHING, None)
        numbers = self.tables.array
        numbers[L.H_HIDDEN] = 1
        numbers[L.H_ROLLED] = int(not game.rulings.weather_open)
        numbers[L.H_FACE_DOWN] = int(self.live.face_down or turns == 1)
        blank = numbers[L.H_CARDS]
        numbers[blank + L.C_TYPE], numbers[blank + L.C_FORBIDDEN] = L.TYPE_UTILITY, 1
        self.search = self.rows_type(memory, pause)
        self.search.optimistic = int(optimistic)
        if objective is Objective.MAX_DISTANCE:
            self.search.lost = -float("inf")
        elif objective is Objective.MIN_TURNS:
            self.search.lost, self.search.least, self.search.cost = float("inf"), 1, 1
        else:
            self.search.enough = 1.0
        self.search.put(numbers, self._fades(target, turns, rules))
        if rules & F.RULE_BOUND and objective in (Objective.REACH, Objective.MIN_TURNS):
            rulings = self.tables.rulings
            section = rulings.section_at[max(0, min(target - 1, rulings.spaces))]
            last = rulings.board.sections[section].last if section >= 0 else rulings.spaces
            question = (table, 0, forbidden)
            self.search.put_bound(bound_table(rulings, question, turns, self.tables.kinds, last + 1))

    def _fades(self, target: int, turns: int, rules: int) -> array[int]:
        live = self.live
        damage = any(card.type == "damage" for card in live.cards)
        if _reads_back(live):
            rules &= ~(F.RULE_SPARE | F.RULE_UNREAD)
            if turns > 1:
                rules &= ~F.RULE_BEFORE_LAST
        numbers = self._numbers()
        table = [0] * F.HEADER + numbers
        table[F.GOAL], table[F.TARGET], table[F.RULES] = GOALS[self.objective], target, rules
        table[F.N_NUMBERS] = len(numbers)
        table[F.ALIKE] = len(table)
        table.extend(self._classes(frozenset()))
        table[F.LAST] = len(table)
        idle = _IDLE_OPS if damage else _IDLE_OPS | _LOOKING_OPS
        table.extend(self._classes(idle))
        return array("i", table)

    def _numbers(self) -> list[int]:
        """Return the fields that some rule reads."""
        numbers = [L.LEFT, L.POSITION, L.HYPOTHERMIA, L.STARVATION, L.DAMAGE_LEFT, L.WEATHER, L.MOVED, L.IMMUNE]
        numbers += [L.FREE_ENERGY, L.FREE_HEALTH, L.FINISHED, L.PERSONAL, L.FOODS, L.FOODS + 1, L.PASSED, L.LEGENDARY]
        numbers += [L.FREEZE, L.STOPPED, L.RUN_DESTROYED, L.CURRENT, L.KNOWN, L.DAY]
        return numbers

    def _classes(self, idle: frozenset[int]) -> list[int]:
        """Return for each kind the first one that differs from it in nothing but ``idle`` ops."""
        numbers = self.tables.array
        first: dict[tuple[object, ...], int] = {}
        found = []
        for kind in range(len(self.tables.ids)):
            at = numbers[L.H_CARDS] + L.CARD_W * kind
            card = list(numbers[at : at + L.CARD_W])
            start, card[L.C_OP] = card[L.C_OP], 0
            ops = []
            for op in range(start, start + card[L.C_OPS]):
                place = numbers[L.H_OPS] + L.OP_W * op
                if numbers[place] not in idle:
                    ops.append(tuple(numbers[place : place + L.OP_W]))
            card[L.C_OPS] = 0
            if kind == numbers[L.H_DAMAGE_CARD] or kind == 0:
                ops.append((-1, kind))
            found.append(first.setdefault(self._alike(card, ops), kind))
        return found

    def _alike(self, card: list[int], ops: Sequence[tuple[int, ...]]) -> tuple[Any, ...]:
        """Return what of a card rules tell apart, by its fields and its ops."""
        return tuple(card), tuple(ops)

    # Tables

    def row(self, table: Table) -> array[int]:
        """Return the row of a table at the start of a turn."""
        row = self.rows.row(table)
        known = table.players[0].known
        n = row[L.N_DECK] - known
        row[L.DECK : L.DECK + n] = array("h", sorted(row[L.DECK : L.DECK + n]))
        row[L.KNOWN] = known
        row[L.N_DESTROYED] = 0
        if self.live.drops_discard or self.turns == 1:
            row[L.N_DISCARD] = row[L.N_RESOLVED] = 0
        if self.live.drops_supply or self.turns == 1:
            row[L.N_SUPPLY] = 0
            for place, deck in enumerate(self.tables.start.upgrade):
                row[L.GONE + place] = len(deck)
        if self.live.drops_legendary or self.turns == 1:
            row[L.LEGENDARY] = row[L.PASSED] = 0
        return row

    def value(self, table: Table, turns: int) -> Fraction | None:
        """Return the value of a table with so many turns left."""
        self.search.begin_row(self.row(table), turns)
        if self.search.is_hopeless(0):
            return Fraction(turns) if self.search.optimistic else Fraction(0) if self.search.enough == 1 else None
        return self.search.fraction_of()
