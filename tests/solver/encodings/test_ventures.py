"""Chances of risk cards over rows, held to complete play of the rules."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from benchmarks.soak_tables import random_position
from rules.core.race import Race, Unsupported
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.hidden.values import VentureOdds, venture_odds
from solver.search import layout as U
from solver.tools.risk import PlainOdds
from tests.rules.games import so_often

SEEDS = range(1, 90)
BACK = (Q.BACK_HAND, Q.BACK_THROUGH)
WAYS = 1_500
"""Ways through turns that complete play may take."""


@cache
def asked() -> tuple[tuple[Any, Any, str | None, Fraction], ...]:
    """Return games, tables and cards of small tables with a hidden deck, with the greatest chances."""
    found = []
    for seed in SEEDS:
        game, state = random_position(seed, is_open=False, tame_part=0.6).start()
        assert isinstance(game, Race)
        ventures: Any = game.hand_model(state.table, 0)
        for begin in () if state.pending else ventures.cards() or [None] * (ventures.under_way is not None):
            with suppress(Unsupported):
                chance = PlainOdds(ventures, so_often(WAYS)).chance(state.table, begin)
                found.append((game, state.table, begin, chance))
    return tuple(found)


def odds_of(game: Any, table: Any, begin: str | None) -> VentureOdds | None:
    """Return the chances over rows."""
    return venture_odds(game, table, 0, begin)


def always() -> bool:
    """Return that there is time."""
    return True


@pytest.mark.slow
def test_the_greatest_chance_is_that_of_complete_play() -> None:
    exact = 0
    for game, table, begin, chance in asked():
        odds = odds_of(game, table, begin)
        if odds is not None:
            low, high = odds.greatest(always)
            assert low <= chance <= high, begin
            exact += low == high
    assert exact > 0.8 * len(asked()) > 30


def test_who_sees_which_cards_are_left_has_the_greatest_chance() -> None:
    urns = exact = 0
    for game, table, begin, chance in asked():
        odds = odds_of(game, table, begin)
        if odds is None:
            continue
        urns += 1
        with suppress(Unsupported):
            chances = [odds._explored(back, always, free=True).chance_of(U.SEEING) for back in BACK]
            assert chances[0] <= chance <= chances[1], begin
            exact += chances[0] == chances[1]
    assert exact > 0.7 * urns > 30


def test_who_simply_goes_on_has_no_more_and_bounds_hold() -> None:
    told = 0
    for game, table, begin, chance in asked():
        odds = odds_of(game, table, begin)
        plain = None if odds is None else odds.plain(always)
        if odds is None or plain is None:
            continue
        low, high = odds.between(always)
        assert plain <= low <= chance <= high, begin
        turned = odds.turned_up(always)
        told += bool(turned)
        assert not turned or sum((each.probability * each.chance for each in turned), Fraction(0)) == plain
    assert told > 20
