"""Days to search as numbered facts, and what a search over them has met."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.position import new_position
from rules.iditacards.compact import shared as compact_shared
from rules.iditacards.compact.form import CompactDay
from rules.iditacards.compact.stock import Stock
from rules.iditacards.engine import Iditacards
from solver.report import Limit
from solver.search.asking.layers import FactLayers
from solver.search.layers import Counters, Watch

SEEDS = range(4)


def day_of(seed: int) -> CompactDay:
    game, state = new_position("iditacards/2019-02", seed=seed).start()
    assert isinstance(game, Iditacards)
    return CompactDay(game.rulings, state.table, 0)


class Narrow(CompactDay):
    """The compact form with the bound of the facts: by the cards that can still come, speeds those of the whole day."""

    def lacking(self, key: int, turns: int, target: int) -> int:
        return super().lacking(key, turns, target) or max(0, self.narrow(key, turns, target) - turns)

    def narrow(self, key: int, turns: int, target: int) -> int:
        """Return the turns that the target takes at least."""
        stack, board, deck, family = self.numbers(key)
        held = self.families.usable[family] + self.families.stuck[family]
        pool = self.decks.total[deck] + self.families.most(family)
        size, waiting = self.decks.size[deck], self._plays.stack(stack)
        return self.bound(target).least(turns, board, waiting, held, size, pool)


def narrow_day(seed: int, monkeypatch: pytest.MonkeyPatch) -> Narrow:
    compact_shared.forget()
    game, state = new_position("iditacards/2019-02", seed=seed).start()
    assert isinstance(game, Iditacards)
    day = Narrow(game.rulings, state.table, 0)
    stock, whole = day._stocks._stock, day._stocks.relevant

    def fast(pool: int, turns: int) -> Stock:
        return stock(pool, turns)._replace(raisers=stock(whole, turns).raisers)

    monkeypatch.setattr(day._stocks, "_stock", fast)
    return day


def layers_of(day: CompactDay, *, compiled: bool = False) -> FactLayers:
    form = day.form()
    assert form is not None
    return FactLayers(form, Watch(Limit()), Counters(), compiled=compiled)


def layers_in(search: FactLayers) -> list[set[Any]]:
    """Return the keys of each layer of the last run."""
    return [
        {search._whole(level, node) for node in range(level.count) if level.need[node] < 0} for level in search._levels
    ]
