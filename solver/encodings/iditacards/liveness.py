"""What a question can still read: the cards that can come to be played, and by them the zones that matter.

Each rule is a predicate with a name in ``RULES``. Without it keys hold the zones in question whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Final

from rules.core.race import NOTHING
from rules.iditacards.content import CONDITIONS, Card, Leg, ops_bringing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table, in_play
from rules.iditacards.turn import NEW_DAY
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.tables import Tables

RULES: Final = frozenset({"destroyed", "discard", "supply", "legendary", "payments", "track"})
"""Predicates by which keys leave zones out; a search may switch each of them off to see that nothing changes."""
DOMINANCE: Final = frozenset({"free_actions"})
"""Predicates by which a search leaves out turns that others are at least as good as; likewise."""

_BACK: Final = ops_bringing("discard")
_GAINS: Final = frozenset({"take", "supply", "take_next"})
_APART: Final = frozenset({"draw", "move", "take", "supply"})
"""Ops that ask for nothing about the own dogs."""
_LASTING: Final = frozenset(
    {"speed", "day_draw", "death_shield", "cannot_die", "start_in_play", "dies_to", "attach_slots", "leg_condition_mod"}
)
"""What cards in play may do so that having more of them is no worse until a day ends."""


class Liveness:
    """The predicates of one question, each a property; ``rules`` are those that are switched on."""

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        forbidden: frozenset[str] = frozenset(),
        kept: Mapping[str, int] = NOTHING,
        target: int | None = None,
        rules: frozenset[str] = RULES,
        edge: int | None = None,
    ) -> None:
        """With a ``target`` nothing counts any more once a turn has ended there or beyond.

        No turn leads to the ``edge`` or beyond it.
        """
        self._rulings = game.rulings
        self._table = table
        self._player = table.players[0]
        self._forbids_days = NEW_DAY.text in forbidden
        self._kept = kept
        self.rules = rules
        self.target = target
        finish = game.rulings.finish_at
        self._edge = finish if edge is None else min(finish, edge)
        self.reach: frozenset[str] = frozenset()
        self._reach()

    # What can come to be played

    def _reach(self) -> None:
        """Gather the cards that can be in hand, deck, play or stack: until nothing more comes."""
        player, table = self._player, self._table
        frames = [frame.card for frame in player.stack]
        reach = {*player.hand, *player.deck, *player.seen, *frames, *in_play(player.dogs)}
        while True:
            self.reach = frozenset(reach)
            if self.back:
                reach.update((*player.discard, *player.resolved))
                reach.update(self._damage())
            if self.gains:
                reach.update(table.supply)
                reach.update(card for deck in table.upgrade for card in deck)
            if self.takes_legendary:
                reach.update(player.legendary)
            if reach == self.reach:
                return

    @property
    def cards(self) -> Iterator[Card]:
        """Yield the cards within reach."""
        return (self._rulings.cards[name] for name in self.reach)

    @property
    def _spaces(self) -> range:
        """Return the spaces on which something counts: a turn that ends beyond them is the last one.

        Where cards are to be kept all spaces count: a leg may bring one back on that last turn.
        """
        if "track" not in self.rules or self._kept:
            return range(self._rulings.finish_at + self._rulings.spaces + 1)
        if self._rulings.goes_back(self.ops):
            return range(self._edge)
        return range(self._player.pos, self._edge if self.target is None else min(self._edge, self.target))

    @property
    def legs(self) -> list[Leg]:
        """Return the different legs on which something counts."""
        track = self._rulings.track(self._table.legs)
        legs = [track[space] for space in self._spaces if space < len(track)]
        return list({leg.id: leg for leg in legs if leg is not None}.values())

    def _lie_ahead(self, spaces: Iterable[int]) -> bool:
        """Return whether some of these spaces count."""
        return any(space in self._spaces for space in spaces)

    @property
    def ops(self) -> set[str]:
        """Return the ops of the cards within reach."""
        return {effect.op for card in self.cards for effect in card.instant}

    @property
    def leg_effects(self) -> set[str]:
        """Return the effects of the legs that count."""
        return {effect for leg in self.legs for effect in leg.passive}

    @property
    def new_days(self) -> bool:
        """Return whether a new day can come."""
        return not self._forbids_days or "new_day" in self.ops

    @property
    def back(self) -> bool:
        """Return whether a card of the discard pile can come back."""
        return self.new_days or not _BACK.isdisjoint(self.ops) or "leg_turn_end_recover" in self.leg_effects

    def _damage(self) -> Iterable[str]:
        """Return the damage card where one can come into the discard pile."""
        sources = "damage" in self.ops or self._lie_ahead(self._rulings.board.damage)
        return (self._rulings.damage_card,) if sources and self._rulings.damage_card else ()

    @property
    def takes_legendary(self) -> bool:
        """Return whether there are legendary cards that come to where something reads them, or that are to be kept."""
        cards = self._player.legendary
        reads = cards and (self._rulings.rules.legendary_to == "hand" or self.back)
        waiting = self._rulings.board.checkpoints - set(self._player.passed)
        return bool(reads and self._lie_ahead(waiting)) or not self._kept.keys().isdisjoint(cards)

    @property
    def takes(self) -> bool:
        """Return whether a card within reach takes upgrades to where they can come to be played."""
        ops = self.ops
        return "take_next" in ops or (not _GAINS.isdisjoint(ops) and self.back)

    @property
    def gains(self) -> bool:
        """Return whether there are upgrades to take: the supply and the upgrade decks matter."""
        return self.takes and (bool(self._table.supply) or any(self._table.upgrade))

    # The predicates: what keys may leave out

    @property
    def drops_destroyed(self) -> bool:
        """Destroyed cards never come back for a player alone (Q47 apart, which is not carried)."""
        return "destroyed" in self.rules

    @cached_property
    def drops_discard(self) -> bool:
        """No new day, op or leg brings a card of the discard pile back; resolved cards go there, and damage."""
        return "discard" in self.rules and not self.back

    @cached_property
    def drops_damage(self) -> bool:
        """Damage cards that come lie where nothing reads them, or none come and none go back to their box (Q28)."""
        recycled = self._rulings.options["damage_supply"] == "recycled" and self._rulings.damage_card in self.reach
        return self.drops_discard or ("discard" in self.rules and not (recycled or any(self._damage())))

    @cached_property
    def drops_supply(self) -> bool:
        """No card within reach gains upgrades that matter."""
        return "supply" in self.rules and not self.gains

    @cached_property
    def drops_legendary(self) -> bool:
        """Legendary cards go to the discard pile at a checkpoint, and nothing reads it; or there are none."""
        return "legendary" in self.rules and not self.takes_legendary

    @cached_property
    def face_down(self) -> bool:
        """Nothing reads which hand cards have paid, unless a new day that puts hand and discard pile together.

        No op takes cards back or out of the hand, but for all of it where the discard pile does not matter either.
        """
        ops = self.ops
        damage = any(card.type == "damage" for card in self.cards)
        takes = "destroy_from_hand" in ops or bool(self._kept) or not self.drops_destroyed
        back = not _BACK.isdisjoint(ops) or "leg_turn_end_recover" in self.leg_effects or "destroy_hand" in ops
        return "payments" in self.rules and not (damage or takes) and (self.drops_discard or not back)

    @cached_property
    def drops_conditions(self) -> bool:
        """Neither condition is there, and nothing on the track, of the weather or within reach brings one."""
        rulings, board = self._rulings, self._rulings.board
        legs = any(leg.numbers or leg.pluses or "leg_day_start_starve" in leg.passive for leg in self.legs)
        legs = legs or rulings.options["missing_number"] == "zero"
        faces = any(weather.hypothermia or weather.starvation for weather in rulings.weathers.values())
        there = self._player.hypothermia or self._player.starvation
        spaces = self._lie_ahead(board.cold | board.hungry)
        sources = legs or faces or spaces or there or not self.ops.isdisjoint(CONDITIONS)
        return not sources

    def emptied(self, row: array[int], *, every: bool = False) -> array[int]:
        """Return a row without the zones that nothing reads, or without ``every`` one that such a rule is about."""
        if every or self.drops_discard:
            row[L.N_DISCARD] = row[L.N_RESOLVED] = 0
        if every or self.drops_destroyed:
            row[L.N_DESTROYED] = 0
        if every or self.drops_supply:
            row[L.N_SUPPLY] = 0
            for place, deck in enumerate(self._table.upgrade):
                row[L.GONE + place] = len(deck)
        if every or self.drops_legendary:
            row[L.LEGENDARY] = row[L.PASSED] = 0
        return row

    # What others are at least as good as

    @cached_property
    def spaces_are_alike(self) -> bool:
        """No leg, mark or checkpoint lies ahead, there is no weather, and the sled does not go back."""
        rulings = self._rulings
        marks = rulings.special_spaces | rulings.board.checkpoints
        weather = rulings.faces or self._table.weather != "none"
        return not (self.legs or self._lie_ahead(marks) or weather or rulings.goes_back(self.ops))

    @property
    def delays_free_actions(self) -> bool:
        """Dogs and attachments are given up (R13) on a turn that calls a new day, and on no other turn.

        Any line can be mirrored so: it keeps what the line gives up early, makes the same moves, and gives it up on
        the turn of the next new day. What it has in play besides never costs anything and never slows the sled, and
        nothing reads the dogs, or the discard pile, before the day ends. Where a new dog finds no room, one that was
        to be given up dies for it. An attachment for which the line has no dog may lie on one of those until then.
        So the mirrored line is on every turn at least as far, and every day begins alike. That holds where no space
        differs from others, and no finish before the target ends the line.
        """
        options = self._rulings.options
        ops = all(effect.op in _APART and "per" not in effect.args for card in self.cards for effect in card.instant)
        cards = (card for card in self.cards if card.type in ("dog", "attachment"))
        lasting = all(
            card.passive.keys() <= _LASTING
            and card.number("speed") >= 0
            and card.passive.get("dies_to", {}).get("zone") != "hand"
            and (card.type == "dog" or "cannot_die" not in card.passive)
            for card in cards
        )
        makes_room = options["dog_overflow"] == "choose" and options["attachment_overwrite"]
        plain = ops and lasting and makes_room and self.drops_conditions and not self._kept
        within = self.target is not None and self.target <= self._rulings.finish_at
        return "free_actions" in self.rules and bool(plain) and within and self.spaces_are_alike

    # What that means for those who print it

    @property
    def projections(self) -> tuple[str, ...]:
        """Return what keys leave out, in words."""
        dropped = {
            "destroyed cards": self.drops_destroyed,
            "discard pile, resolved risk cards": self.drops_discard,
            "supply, upgrade decks": self.drops_supply,
            "legendary cards, checkpoints passed": self.drops_legendary,
        }
        names = [name for name, holds in dropped.items() if holds]
        return (", ".join(names),) if names else ()


# The fields of keys

_HEAD: Final = (L.FINISHED, L.OVER, L.POSITION, L.DAYS)
"""Fields at the beginning of a key: at the target or beyond it there are no others."""

Entry = tuple[int, int, int, int, int, int, int]
"""Field, bytes, base, cap, first item, numbers of an item, bytes of each (``Q.KEY_…``)."""


def fields(tables: Tables, live: Liveness, kept: Mapping[str, int]) -> array[int]:
    """Return the table of a key's fields, int32 (``Q.KEY_…``)."""
    entries = list(_entries(tables, live))
    table = [0] * Q.KEY_HEADER
    table.extend(chain.from_iterable(entries))
    table[Q.KEY_ENTRIES] = len(entries)
    table[Q.KEY_KEPT], table[Q.KEY_N_KEPT] = len(table), len(kept)
    table.extend(chain.from_iterable((tables.kinds[card], copies) for card, copies in sorted(kept.items())))
    table[Q.KEY_HEAD] = next(place for place, entry in enumerate(entries) if entry[0] not in _HEAD)
    table[Q.KEY_LIMIT] = L.NO_LIMIT if live.target is None else live.target
    return array("i", table)


def _number(field: int, size: int = 1, base: int = 0, cap: int = L.NO_LIMIT) -> Entry:
    return field, size, base, cap, 0, 0, 0


def _list(length: int, items: int, width: int = 1, size: int = 1, length_size: int = 1) -> Entry:
    return length, length_size, 0, L.NO_LIMIT, items, width, size


def _entries(tables: Tables, live: Liveness) -> Iterator[Entry]:
    """Yield the entries: what merges positions at the target first, then numbers, then zones."""
    start = tables.start
    player = start.players[0]
    yield _number(L.POSITION, 2, cap=L.NO_LIMIT if live.target is None else max(live.target, player.pos))
    yield _number(L.FINISHED)
    yield _number(L.OVER)
    yield _number(L.DAYS, base=player.days)
    yield from (_number(field, 2) for field in (L.HYPOTHERMIA, L.STARVATION))
    yield from (_number(field) for field in (L.WEATHER, L.MOVED, L.IMMUNE, L.FREE_ENERGY, L.FREE_HEALTH, L.FREEZE))
    yield _number(L.DAY, base=start.day)
    yield _number(L.DECK_EVENT, base=start.counters.deck[0])
    yield _number(L.WEATHER_EVENT, base=start.counters.weather)
    yield from (_number(field, 2) for field in (L.PERSONAL, L.FOODS, L.FOODS + 1))
    if not live.drops_legendary:
        yield from (_number(L.LEGENDARY, 2), _number(L.PASSED, 2))
    yield from _zones(tables, live)


def _zones(tables: Tables, live: Liveness) -> Iterator[Entry]:
    """Yield the entries of cards."""
    start = tables.start
    yield _list(L.N_DOGS, L.DOGS, L.DOG_W)
    yield _list(L.N_STACK, L.STACK, L.FRAME_W)
    if live.face_down:
        yield _number(L.OWED)
        yield _list(L.AGES, L.OWED + 1)
    yield _list(L.N_HAND, L.HAND, size=2 if live.face_down else 1)
    yield _list(L.N_DECK, L.DECK)
    yield _list(L.N_SEEN, L.SEEN)
    if not live.drops_discard:
        yield from (_list(L.N_RESOLVED, L.RESOLVED), _list(L.N_DISCARD, L.DISCARD))
    if not live.drops_damage:
        yield _number(L.DAMAGE_LEFT, 2, -abs(start.damage_left) - L.MOST_CARDS)
    if not live.drops_supply:
        yield _list(L.N_SUPPLY, L.SUPPLY)
        yield from (_number(L.GONE + place) for place, deck in enumerate(start.upgrade) if deck)
    if not live.drops_destroyed:
        yield _list(L.N_DESTROYED, L.DESTROYED, length_size=2)
