"""Small tables of the edition whose cards take two steps and gain others, everything hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.position import new_position
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Frame, Table


def the_game() -> Iditacards:
    game = new_position("iditacards/2019-08", seed=1, open_sources=[]).game
    assert isinstance(game, Iditacards)
    return game


def waiting(card: str, step: str = "risk", need: int = 1) -> Frame:
    return Frame(card=card, need=need if step == "risk" else 0, paid=0, step=step, n=0, day=0)


def table_of(
    hand: Sequence[str],
    deck: Sequence[str],
    upgrade: Sequence[Sequence[str]] = ((), ()),
    supply: Sequence[str] = (),
    **others: Any,
) -> Table:
    """Return a table of one player; ``others`` are fields of the player."""
    table: Table = new_position("iditacards/2019-08", seed=1, open_sources=[]).table()
    cards: dict[str, Any] = {"hand": tuple(sorted(hand)), "deck": tuple(sorted(deck)), "legendary": ()}
    player = table.players[0]._replace(**{**cards, **others})
    piles = tuple(tuple(sorted(pile)) for pile in upgrade)
    return table._replace(players=(player,), upgrade=piles, supply=tuple(sorted(supply)))
