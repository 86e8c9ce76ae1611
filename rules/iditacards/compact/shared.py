"""What the questions of one ruleset have in common: boards, plays and speeds under the same weather and legs.

Questions about the same cards, in whatever order they lie, have the families of hands and the bound in common too, and
the facts that a search has asked for. All of it is asked of rules without a seed and without listed results: a question
about the board that chance decided would fail, and not be answered for one order of the deck by another.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from threading import local
from typing import Any, Final, NamedTuple

from rules.core.chance import Chance
from rules.iditacards.compact.board import BoardTables, without_choices
from rules.iditacards.compact.bound import Bound
from rules.iditacards.compact.cards import Kinds
from rules.iditacards.compact.hands import Families
from rules.iditacards.compact.keeping import Copies
from rules.iditacards.compact.plays import End, Plays
from rules.iditacards.compact.profiles import Profiles
from rules.iditacards.compact.speed import SpeedTables
from rules.iditacards.compact.stock import Stocks
from rules.iditacards.long_day.ground import Ground
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

SETTINGS: Final = 8
"""Settings that are remembered, the last ones asked for,"""
MOST_BOARDS: Final = 1 << 12
"""with no more boards"""
MOST_STACKS: Final = 1 << 7
"""or risk stacks before a question begins: keys have room for eight and four times as many."""
MOST_CARDS: Final = 4
"""Multisets of cards that are remembered for each setting, with no more families of hands"""
MOST_FAMILIES: Final = 1 << 17
"""or answers of several numbers,"""
MOST_LISTED: Final = 1 << 21
"""which the bound of no target has asked about more often than this:"""
MOST_ASKED: Final = 1 << 19


class DayCards:
    """What is known of one multiset of cards in hand and deck under one setting; it only grows."""

    def __init__(self, shared: Shared, loose: Iterable[str], others: Iterable[str], kept: Iterable[str]) -> None:
        """``loose`` are the cards of hand and deck, ``others`` those in play and waiting; ``kept`` ones never pay."""
        copies = Counter(loose)
        everything = [*copies.elements()]
        self.kinds = Kinds(copies, shared.rulings.damage_ids.union(kept))
        self.families = Families(self.kinds)
        self.stocks = Stocks(
            *(shared.rulings, shared.speeds.first, shared.boards, self.kinds, self.kinds.pack(everything)),
            (*everything, *others),
        )
        self.bounds: dict[int, Bound] = {}
        """By target."""
        self.lists: list[int] = [0]
        """Answers of several numbers (``long_day.kernel``); number 0 is the empty one."""
        self.ends: dict[tuple[End, Copies | None], int] = {}
        """Places of ends in ``lists``, by these and what is to be kept of them."""
        self.ground = Ground(self.lists, self.kinds, self.stocks, shared.speeds.first, shared.profiles)
        self.questions = 0
        """Orders of the deck so far, each a question of its own."""
        self.kept: Any = None
        """What a search keeps of the facts it has asked for."""

    @property
    def is_full(self) -> bool:
        """Return whether this had better begin anew."""
        return (
            len(self.families) > MOST_FAMILIES
            or len(self.lists) > MOST_LISTED
            or any(bound.asked > MOST_ASKED for bound in self.bounds.values())
        )


class Shared(NamedTuple):
    """Tables of one setting; they only grow."""

    rulings: Rulings
    """Those of the setting, without a seed."""
    boards: BoardTables
    plays: Plays
    speeds: SpeedTables
    profiles: Profiles
    cards: OrderedDict[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], DayCards]
    """By cards of hand and deck, those in play and waiting, and those to keep; the last ones asked for."""

    def of(self, loose: Iterable[str], others: Iterable[str], kept: Iterable[str] = ()) -> DayCards:
        """Return what is known of the cards of hand and deck, with ``others`` in play and waiting."""
        name = (tuple(sorted(loose)), tuple(sorted(others)), tuple(sorted(kept)))
        known = self.cards.pop(name, None)
        if known is None or known.is_full:
            known = DayCards(self, *name)
        self.cards[name] = known
        if len(self.cards) > MOST_CARDS:
            self.cards.popitem(last=False)
        return known


_kept = local()


def shared(rulings: Rulings, table: Table, seat: int) -> Shared:
    """Return the tables of all that stays as it is: everything but the cards, the dogs, and where the seat stands."""
    settings: OrderedDict[Any, Shared] = _kept.__dict__.setdefault("settings", OrderedDict())
    asked = without_choices(table)
    player = asked.players[seat]._replace(pos=0, dogs=(), hypothermia=0, starvation=0)
    asked = asked._replace(players=(*asked.players[:seat], player, *asked.players[seat + 1 :]))
    # The content is kept alive by the rulings, so that nothing else gets its identity.
    name = (id(rulings.content), rulings.players, rulings.chance.open, seat, asked)
    known = settings.pop(name, None)
    if known is None or len(known.boards) > MOST_BOARDS or len(known.plays) > MOST_STACKS:
        alike = Rulings(rulings.content, rulings.players, Chance(rulings.chance.open))
        boards = BoardTables(alike, asked, seat, returns=False)
        speeds = SpeedTables(alike, asked, seat)
        profiles = Profiles(alike, speeds, boards)
        known = Shared(alike, boards, Plays(alike, boards), speeds, profiles, OrderedDict())
    settings[name] = known
    if len(settings) > SETTINGS:
        settings.popitem(last=False)
    return known


def forget() -> None:
    """Drop what this thread remembers, so that the next question begins as the first of a process does."""
    _kept.__dict__.clear()
