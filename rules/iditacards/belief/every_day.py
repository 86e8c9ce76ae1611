"""Questions in which a new day may be begun on any turn, told by packed beliefs of each day (R59 to R65).

What a new day puts together hangs on the board alone where a board says which own cards have been destroyed, and where
no others may come or go: then all cards that are neither in play nor destroyed are dealt anew. Each weather that does
something else after the roll has a day of its own, which serves all new days that come to it, whatever is in play.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, Final

from rules.core.restarts import Restart, RestartedBeliefs
from rules.iditacards.belief.open import OpenDay
from rules.iditacards.belief.rested import CHANGING, with_cards
from rules.iditacards.belief.scope import gains_in_time, may_go_back, missing
from rules.iditacards.compact.board import Board
from rules.iditacards.compact.scope import OPS, banned
from rules.iditacards.compact.speed import NOT_ADDITIVE
from rules.iditacards.moves import NEW_DAY
from rules.iditacards.rulings import CONDITIONS, Rulings
from rules.iditacards.state import Player, Table, in_play, shuffled_in

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards

LATER: Final = CHANGING | {"heal"}
"""Ops that may change which cards a seat has: those that are looked at may be destroyed, so that fewer are dealt."""
LATE: Final = 2
"""Turns up to which it does not count which cards that changes: they may be put together on the last turn alone."""


def owned(player: Player) -> Counter[str]:
    """Return the cards that are in play or that a new day puts together."""
    return Counter((*in_play(player.dogs), *shuffled_in(player)))


class EveryDay:
    """The days of one seat in one question: the one under way, and those that new days begin."""

    def __init__(
        self, game: Iditacards, table: Table, seat: int, forbidden: frozenset[str], target: int, turns: int
    ) -> None:
        """``target`` is the space to reach within so many turns; ask ``is_carried`` first."""
        self._game = game
        self._table = table
        self._seat = seat
        self._forbidden = forbidden | {NEW_DAY.text}
        self._turns = turns
        self._target = target
        self._owned = owned(table.players[seat])
        self._begun: OpenDay | None = None
        self._days: dict[str, OpenDay | None] = {}
        """Those that new days begin, by weather."""

    @cached_property
    def automatic(self) -> int | None:
        """Return spaces that no turn with a new day exceeds, or nothing where that is not known (R43, R47)."""
        rulings = self._game.rulings
        if rulings.auto_base is None:
            return 0
        cards = [rulings.cards[name] for name in self._owned.elements()]
        legs = [leg for leg in rulings.track(self._table.legs) if leg is not None]
        odd = any(op in card.passive for op in NOT_ADDITIVE for card in cards)
        if odd or any("leg_dog_speed" in leg.effects for leg in legs):
            return None
        weather = max((each.speed for each in rulings.weathers.values()), default=0)
        return rulings.auto_base + max(0, weather) + sum(max(0, card.number("speed")) for card in cards)

    @property
    def faces(self) -> int:
        """Return how many faces the weather has that is rolled for on a new day."""
        return max(1, len(self._game.rulings.weathers))

    def is_carried(self) -> bool:
        """Return whether it is told of all boards of the question which cards a seat has."""
        rulings, table, seat = self._game.rulings, self._table, self._seat
        player = table.players[seat]
        if len(table.players) > 1 or rulings.deck_open or table.over or player.finished or player.seen:
            return False
        if rulings.options["sacrifice_timing"] != "own_turn" or self._target > rulings.finish_at:
            return False
        if not self._owned.keys().isdisjoint({*rulings.damage_ids, *rulings.ends_turn, *rulings.day_end_empty_move}):
            return False
        if self._turns > LATE and not all(_keeps(rulings, table, name) for name in self._owned):
            return False
        there = self._all_there(table)
        back = may_go_back(rulings, there, there.players[seat]) or self._may_die_of_days()
        spaces = range(rulings.spaces + 1) if back else range(player.pos, self._target)
        return not any(self._changes(space) for space in spaces)

    def _may_die_of_days(self) -> bool:
        """Return whether what new days add to a condition may send the player back (R49, R60, R62)."""
        rulings, table = self._game.rulings, self._table
        if rulings.death_at is None:
            return False
        player = table.players[self._seat]
        legs = {leg.id: leg for leg in rulings.track(table.legs) if leg is not None}.values()
        more = sum(max(0, rulings.cards[name].number("leg_condition_mod")) for name in self._owned.elements())
        given = [
            (rulings.leg_number(leg, kind) or 0) + rulings.leg_plus(leg, kind) for leg in legs for kind in CONDITIONS
        ]
        most = max([*(each + more for each in given), player.hypothermia, player.starvation])
        rolled = max((max(each.hypothermia, each.starvation) for each in rulings.weathers.values()), default=0)
        begun = max((leg.effects.get("leg_day_start_starve", {"n": 0})["n"] for leg in legs), default=0)
        return bool(most + self._turns * (rolled + begun + more) >= rulings.death_at)

    def _changes(self, space: int) -> bool:
        """Return whether to be on a space, or to cross it, may change which cards there are, and when that counts."""
        rulings, player = self._game.rulings, self._table.players[self._seat]
        track = rulings.track(self._table.legs)
        leg = track[space] if space < len(track) else None
        if leg is not None and any(op.startswith(("leg_turn", "leg_enter")) for op in leg.effects):
            return True
        late = self._turns <= LATE
        gives = space in rulings.board.checkpoints and space not in player.passed and bool(player.legendary)
        return (gives and not (late and rulings.legendary_to != "hand")) or (space in rulings.board.damage and not late)

    def day_of(self, table: Table) -> OpenDay | None:
        """Return the day of a table that the question comes to, or nothing where it is not carried."""
        if table.day == self._table.day:
            if self._begun is None:
                self._begun = self._day(self._table)
            return self._begun
        if table.weather not in self._days:
            self._days[table.weather] = self._day(self._all_there(table))
        return self._days[table.weather]

    def restarted(self, restart: Restart, turns: int) -> RestartedBeliefs | None:
        """Return what follows a new day with so many turns left, or nothing where it is not carried."""
        day = self.day_of(restart.table)
        if day is None:
            return None
        ways = day.restarted(restart.table, restart.drawn, restart.paid, turns)
        return RestartedBeliefs(day, ways, factorial(len(restart.table.players[self._seat].deck)))

    def rested(self, board: Board, table: Table) -> Table:
        """Return a table on which a new day is worth what it is on a board that is come to on a day from a table."""
        left = self._owned - Counter(board.gone) - Counter(in_play(board.dogs))
        there = with_cards(table.players[self._seat], board, left)
        return table._replace(players=(there,))

    def _all_there(self, table: Table) -> Table:
        """Return a table on which any own card may come off the deck, from where the question begins."""
        player = table.players[self._seat]
        there = player._replace(
            pos=self._table.players[self._seat].pos,
            hand=(),
            deck=tuple(sorted(self._owned.elements())),
            discard=(),
            resolved=(),
            seen=(),
            stack=(),
        )
        return table._replace(players=(there,))

    def _day(self, table: Table) -> OpenDay | None:
        rulings, seat = self._game.rulings, self._seat
        asked = (rulings, table, seat)
        if missing(*asked, self._forbidden, self._turns) or gains_in_time(*asked, self._turns):
            return None
        return OpenDay(*asked, banned(self._forbidden), free=True, resting=True, owned=self._owned, every=self)


def _keeps(rulings: Rulings, table: Table, name: str) -> bool:
    """Return whether a card changes nothing about which cards there are that a board does not tell."""
    card = rulings.cards[name]
    ops = {effect.op for effect in card.instant}
    if not ops <= OPS or ops & LATER or {"dies_on_fizzle", "take_bonus"} & set(card.passive):
        return False
    if card.passive.get("dies_to", {}).get("zone") == "hand":
        return False
    stocked = table.supply or any(table.upgrade) or rulings.options["upgrade_refresh"]
    return "take" not in ops or not stocked
