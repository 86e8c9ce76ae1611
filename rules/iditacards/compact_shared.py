"""What the questions of one ruleset have in common: boards, plays and speeds under the same weather and legs.

All of it is asked of rules without a seed and without listed results: a question about the board that chance decided
would fail, and not be answered for one order of the deck by another.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import local
from typing import Any, Final, NamedTuple

from rules.core.chance import Chance
from rules.iditacards.compact_board import BoardTables, without_choices
from rules.iditacards.compact_plays import Plays
from rules.iditacards.compact_profiles import Profiles
from rules.iditacards.compact_speed import SpeedTables
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

SETTINGS: Final = 8
"""Settings that are remembered, the last ones asked for,"""
MOST_BOARDS: Final = 1 << 12
"""with no more boards"""
MOST_STACKS: Final = 1 << 7
"""or risk stacks before a question begins: keys have room for eight and four times as many."""


class Shared(NamedTuple):
    """Tables of one setting; they only grow."""

    boards: BoardTables
    plays: Plays
    speeds: SpeedTables
    profiles: Profiles


_kept = local()


def shared(rulings: Rulings, table: Table, seat: int) -> Shared:
    """Return the tables of all that stays as it is: everything but the cards, the dogs, and where the seat stands."""
    settings: OrderedDict[Any, tuple[Rulings, Shared]] = _kept.__dict__.setdefault("settings", OrderedDict())
    asked = without_choices(table)
    player = asked.players[seat]._replace(pos=0, dogs=(), hypothermia=0, starvation=0)
    asked = asked._replace(players=(*asked.players[:seat], player, *asked.players[seat + 1 :]))
    # The content is kept alive by the rulings, so that nothing else gets its identity.
    name = (id(rulings.content), rulings.players, rulings.chance.open, seat, asked)
    known = settings.pop(name, None)
    if known is None or len(known[1].boards) > MOST_BOARDS or len(known[1].plays) > MOST_STACKS:
        alike = Rulings(rulings.content, rulings.players, Chance(rulings.chance.open))
        boards = BoardTables(alike, asked, seat)
        speeds = SpeedTables(alike, asked, seat)
        known = alike, Shared(boards, Plays(alike, boards), speeds, Profiles(alike, speeds, boards))
    settings[name] = known
    if len(settings) > SETTINGS:
        settings.popitem(last=False)
    return known[1]
