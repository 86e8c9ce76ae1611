"""Which form carries a whole open race, exactly or for its lines only."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from rules.iditacards.race.form import RaceForm, race_form
from rules.iditacards.state import Table
from rules.iditacards.track.form import NOWHERE, TrackForm
from rules.iditacards.track.scope import scope
from rules.iditacards.track.stock import Gained
from rules.iditacards.track.supply_form import SupplyForm

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards

LONG_WAY: Final = 40
"""Spaces from which on a way is scouted: shorter ones are searched whole before a scout has its tables."""
STATES: Final = (32, 24, 16, 11, 7, 4)
"""States of the stock; fewer, where keys have no room for so many."""


def race_turns(
    game: Iditacards, table: Table, seat: int, forbidden: frozenset[str], target: int
) -> RaceForm | TrackForm | None:
    """Return the form that carries a whole race exactly, or nothing."""
    if forbidden:  # neither does
        return None
    race = race_form(game.rulings, table, seat, forbidden, target)
    return race if race is not None else track_form(game, table, seat, forbidden, target, exact=True)


def track_form(
    game: Iditacards, table: Table, seat: int, forbidden: frozenset[str], target: int, *, exact: bool
) -> TrackForm | None:
    """Return the track form of a question, or nothing where it does not carry it; ``exact`` is what it has to be."""
    rulings = game.rulings
    carried = scope(rulings, table, seat, forbidden)
    if carried.missing or carried.exact != exact or not table.players[seat].pos < target <= rulings.finish_at:
        return None
    try:
        form = TrackForm(rulings, table, seat, carried, target, game)
    except OverflowError:
        return None
    return None if form.root == NOWHERE else form  # risks wait for more cards than their cards ask for here


def scouts(
    game: Iditacards, table: Table, seat: int, forbidden: frozenset[str], target: int
) -> Generator[TrackForm, list[tuple[int, int]] | None, None]:
    """Yield forms that find lines: the track form, then forms with gains around those of the best line so far.

    Where a line leads to no new form, the last one comes again for the widest beams, and then the first.
    """
    own = scout(game, table, seat, forbidden, target)
    if own is None:
        return
    yield own
    first = form = supply_form(game, table, seat, forbidden, target)
    if form is None:
        own.thorough = True
        yield own
    tried: set[tuple[Gained, ...]] = {()}
    while form is not None:
        path = yield form
        gains = form.gains(path) if path is not None else ()
        if gains not in tried:
            tried.add(gains)
            form = supply_form(game, table, seat, forbidden, target, gains)
        elif not form.thorough:
            form.thorough = True
        elif first is not None and not first.thorough:
            form = first
            form.thorough = True
        else:
            form = None


def scout(game: Iditacards, table: Table, seat: int, forbidden: frozenset[str], target: int) -> TrackForm | None:
    """Return a form that carries a part of the game, where the way is long."""
    if target - table.players[seat].pos < LONG_WAY:
        return None
    return track_form(game, table, seat, forbidden, target, exact=False)


def supply_form(
    game: Iditacards,
    table: Table,
    seat: int,
    forbidden: frozenset[str],
    target: int,
    path: Sequence[Gained] = (),
) -> SupplyForm | None:
    """Return the form of a question, or nothing where it does not carry it or there is nothing to gain."""
    carried = scope(game.rulings, table, seat, forbidden)
    if carried.missing or not {"supply", "legendary cards"} & set(carried.loose):
        return None
    for states in STATES:
        with suppress(OverflowError):
            form = SupplyForm(game, table, seat, carried, target, path, states)
            return None if form.root == NOWHERE else form
    return None
