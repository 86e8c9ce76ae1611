"""The places of a venture's track, by what the rules read there: those between which nothing differs are alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate, groupby
from typing import Any, Final

from rules.iditacards.content import Leg
from rules.iditacards.odds.counts import WITHOUT_END
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

DAY_LEGS: Final = frozenset(
    {"leg_no_day_draw", "leg_day_start_starve", "leg_day_start_kill_dog", "leg_day_end_kill_dog"}
)
"""Ops of legs that act at the beginning or the end of a day."""

_ENDS: Final = frozenset({"leg_turn_end_recover", "leg_turn_end_draw"})
"""Ops of legs that act at the end of a turn."""


class Track:
    """What a venture on a table may read of places."""

    def __init__(self, rulings: Rulings, table: Table, seat: int, *, recovers: bool, piles: bool = False) -> None:
        """``recovers``: cards that legs give back may go into the deck. ``piles``: what the pile is given is read."""
        self._recovers = recovers
        self._legs = rulings.track(table.legs)
        legs = [leg for leg in self._legs if leg is not None]
        self.quiet = rulings.auto_base is None and all(_ENDS.isdisjoint(leg.effects) for leg in legs)
        """No place matters at the end of a turn."""
        self._priced = list(self._priced_alike())
        gives = bool(table.players[seat].legendary) and (piles or rulings.legendary_to == "hand")
        checkpoints = rulings.board.checkpoints if gives else frozenset[int]()
        """Those that give a card which is read, as one that pays is (R66)."""
        spaces = frozenset(space for space in rulings.special_spaces if self._hurts(rulings, space))
        none = frozenset[int]()
        self._stands = _stretches(rulings, table, none, none)
        self._onwards = [_stretches(rulings, table, each, none) for each in (checkpoints | spaces, checkpoints)]
        every = checkpoints | spaces
        self._back = _stretches(rulings, table, every, every)
        met = checkpoints if rulings.condition_cost == "none" else every
        self._met = [*accumulate(_borders(rulings, table, met))]
        """By place: how many borders there are up to it that change more than how far one goes."""

    def _hurts(self, rulings: Rulings, space: int) -> bool:
        """Return whether a space does anything that is read; damage cards go where nothing reads them (R48, R49)."""
        leg = self._legs[space] if space < len(self._legs) else None
        spared = leg.effects if leg is not None else {}
        return (space in rulings.board.cold and "leg_no_freeze" not in spared) or (
            space in rulings.board.hungry and "leg_no_starve" not in spared
        )

    def zone(self, pos: int) -> tuple[int, int]:
        """Return the first and the last place like one for who stands there."""
        return self._stands[min(pos, len(self._stands) - 1)]

    def stretches(
        self, pos: int, after: int, moves: Collection[tuple[int, int]], *, spared: bool
    ) -> Iterator[tuple[int, int, int]]:
        """Yield places from the start of a piece of a turn to its end, with the first and the last one like each.

        Whoever stands between the same borders reads the same. Whoever moves meets the same spaces, too, between those
        just before them, or just behind them where the move leads back. ``spared``: no space does anything.
        """
        yield pos, *self.zone(pos)
        yield after, *self.zone(after)
        for start, end in moves:
            borders = self._back if end < start else self._onwards[spared]
            yield start, *borders[min(start, len(borders) - 1)]
            yield end, *borders[min(end, len(borders) - 1)]

    def meets(self, start: int, end: int) -> bool:
        """Return whether who moves so may be better off with fewer dogs: it leads across a border, or back.

        Whoever has fewer goes no farther, so otherwise they meet nothing either (R43 to R49).
        """
        return end < start or self._met[min(start, len(self._met) - 1)] != self._met[min(end, len(self._met) - 1)]

    def priced(self, pos: int) -> tuple[int, int, Any]:
        """Return what changes costs in a place, with the first and the last one for which it holds."""
        return self._priced[min(pos, len(self._priced) - 1)]

    @property
    def gives(self) -> int | None:
        """The first place whose leg gives cards back that may go into the deck."""
        return next(filter(self.given, range(len(self._legs))), None)

    def given(self, pos: int) -> int:
        """Return how many cards a turn that ends here gives back from the discard pile that the player may want."""
        leg = self._legs[pos] if self._recovers and pos < len(self._legs) else None
        return int(leg.effects.get("leg_turn_end_recover", {"n": 0})["n"]) if leg is not None else 0

    def _priced_alike(self) -> Iterator[tuple[int, int, Any]]:
        """Yield for every place the first and the last one between which no leg changes a cost, and what changes them.

        Whether a risk fizzles is among it (R18, R19, R24, Q12).
        """
        read = ("leg_risk_mult", "leg_risks_fizzle", "leg_no_starve")
        facts: list[Any] = []
        for leg in (*self._legs, None):
            effects = {} if leg is None else {op: repr(leg.effects[op]) for op in read if op in leg.effects}
            facts.append(leg and (tuple(effects.items()), tuple(sorted(leg.cost_mod.items()))))
        facts = [None if each is None or each == ((), ()) else each for each in facts]
        first = 0
        for each, run in groupby(facts):
            places = len(list(run))
            last = first + places - 1 if first + places < len(facts) else WITHOUT_END
            yield from [(first, last, each)] * places
            first += places


def _borders(rulings: Rulings, table: Table, spaces: Collection[int]) -> Iterator[bool]:
    """Yield for every place whether it is the finish or one of some spaces, or another leg begins there."""
    track = rulings.track(table.legs)
    for place in range(max(len(track), rulings.finish_at, *spaces, 0) + 1):
        leg, before = (track[each] if 0 <= each < len(track) else None for each in (place, place - 1))
        yield leg is not before or place == rulings.finish_at or place in spaces


def _stretches(
    rulings: Rulings, table: Table, before: Collection[int], behind: Collection[int]
) -> list[tuple[int, int]]:
    """Return for every place the first and the last one with no border between.

    There are borders where another leg begins, and ``before`` and ``behind`` some spaces. Legs that act on days only,
    which a venture does not see the end of, are like no leg (R60, R64). The last entry is for all places beyond.
    """
    track = rulings.track(table.legs)
    end = max(len(track), rulings.finish_at + 1, *(space + 2 for space in (0, *before, *behind)))
    enters = rulings.options["leg_entry"] != "add" and rulings.options["missing_number"] != "leave"
    legs = [track[place] if place < len(track) else None for place in range(end + 1)]
    acting = [leg if leg is not None and (enters or _acts(leg)) else None for leg in legs]
    starts = [0]
    for place in range(1, end + 1):
        border = acting[place] is not acting[place - 1] or place in (1, rulings.finish_at, end)
        if border or place in before or place - 1 in behind:
            starts.append(place)
    ends = [*(start - 1 for start in starts[1:]), WITHOUT_END]
    return [each for each in zip(starts, ends, strict=True) for _ in range(each[0], min(each[1], end) + 1)]


def _acts(leg: Leg) -> bool:
    return bool(leg.numbers or leg.cost_mod or leg.effects.keys() - DAY_LEGS)
