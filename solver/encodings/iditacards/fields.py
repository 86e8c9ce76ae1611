"""The fields of a question's keys: which parts of a row a key holds and in how many bits."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from rules.iditacards.state import owned_cards
from solver.encodings.iditacards import key_layout as K
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.liveness import Liveness
from solver.encodings.iditacards.tables import Tables

EVENT_BITS: Final = 8
"""Bits of the shuffles, rolls and days since the start of a question."""
CONDITION_BITS: Final = 8
ENOUGH_PERSONAL: Final = 2
"""Personal cards of a day more than which no card asks for (``healed_today``)."""
BEYOND: Final = 256
"""Spaces that a turn may end beyond the finish."""
FRAME_BITS: Final = 5
APART: Final = 2
"""Bytes of the place at the beginning of a key where a search sets it apart."""
HEAD: Final = (L.FINISHED, L.OVER, L.POSITION, L.DAYS)
"""Fields at the beginning of a key: at the target or beyond it there are no others."""

Entry = tuple[int, int, int, int, int, int]
"""Form, field, bits, base, other field, field that must not be 0 (``L.KEY_…``)."""


def fields(tables: Tables, live: Liveness, kept: Mapping[str, int]) -> array[int]:
    """Return the table of a key's fields, int32 (``L.KEY_…``)."""
    kinds = sorted({tables.kinds[card] for card in chain(live.reach, _in_zones(tables, live))})
    entries = list(_entries(tables, live))
    table = [0] * K.KEY_HEADER
    table.extend(chain.from_iterable(entries))
    table[K.KEY_ENTRIES] = len(entries)
    table[K.KEY_CODES] = len(table)
    codes = [-1] * len(tables.ids)
    for code, kind in enumerate(kinds):
        codes[kind] = code
    table.extend(codes)
    table[K.KEY_KINDS] = len(table)
    table.extend(kinds)
    table[K.KEY_CARD_BITS] = max(1, _bits(len(kinds) - 1))
    table[K.KEY_KEPT], table[K.KEY_N_KEPT] = len(table), len(kept)
    table.extend(chain.from_iterable((tables.kinds[card], copies) for card, copies in sorted(kept.items())))
    frames = tables.start.players[0].stack
    table[K.KEY_FRAME_BITS] = max([FRAME_BITS, *(_bits(frame.need) for frame in frames)])
    oldest = max([0, *(tables.start.day - frame.day for frame in frames)])
    table[K.KEY_AGE_BITS] = _bits(oldest + 1)
    table[K.KEY_OWED_BITS] = _bits(_most_cards(tables, live))
    table[K.KEY_FIRST_DAY] = tables.start.players[0].days
    table[K.KEY_HEAD] = next(place for place, entry in enumerate(entries) if entry[1] not in HEAD)
    table[K.KEY_LIMIT] = L.NO_LIMIT if live.target is None else live.target
    return array("i", table)


def _in_zones(tables: Tables, live: Liveness) -> Iterator[str]:
    """Yield the cards of the zones that keys hold besides those within reach."""
    start, player = tables.start, tables.start.players[0]
    if not live.drops_supply:
        yield from start.supply
        yield from chain.from_iterable(start.upgrade)
    if not live.drops_legendary:
        yield from player.legendary
    if not live.drops_discard:
        yield from (*player.discard, *player.resolved)
        if not live.drops_damage and tables.rulings.damage_card:
            yield tables.rulings.damage_card
    if not live.drops_destroyed:
        yield from start.destroyed


def _most_cards(tables: Tables, live: Liveness) -> int:
    """Return how many cards one of the player's zones can hold."""
    start, player = tables.start, tables.start.players[0]
    own = [*owned_cards(player), *player.discard, *player.resolved]
    gained = [] if live.drops_supply else [*start.supply, *chain.from_iterable(start.upgrade)]
    damage = 0 if live.drops_damage else L.MOST_CARDS
    return min(L.MOST_CARDS, len(own) + len(gained) + damage)


def _bits(number: int) -> int:
    """Return the bits of the numbers from 0 to this one."""
    return number.bit_length()


def _number(field: int, bits: int, base: int = 0, other: int = -1, when: int = -1) -> Entry:
    return K.FORM_NUMBER, field, bits, base, other, when


def _list(field: int, first: int, most: int) -> Entry:
    return K.FORM_LIST, field, _bits(most), first, -1, -1


def _entries(tables: Tables, live: Liveness) -> Iterator[Entry]:
    """Yield the entries, in an order in which a reader has what later ones need."""
    start, rulings = tables.start, tables.rulings
    player = start.players[0]
    bits = 8 * APART if live.sets_place_apart else 0
    if live.target is None:
        place = _number(L.POSITION, _bits(max(rulings.finish_at, tables.array[L.H_SPACES], player.pos) + BEYOND))
    else:
        most = max(live.target, player.pos)
        place = K.FORM_CAPPED, L.POSITION, bits or _bits(most), most, -1, -1
    yield place
    yield _number(L.FINISHED, 1)
    yield _number(L.OVER, 1)
    yield from _of_the_day(tables, live)
    if not live.drops_conditions:
        cap = min(tables.array[L.H_CAP], (1 << CONDITION_BITS) - 1)
        for field, there in ((L.HYPOTHERMIA, player.hypothermia), (L.STARVATION, player.starvation)):
            yield _number(field, _bits(max(cap, there)))
    if not live.drops_shuffles:
        yield _number(L.DECK_EVENT, EVENT_BITS, start.counters.deck[0])
    if not live.drops_mark("immune", "immune"):
        yield _number(L.IMMUNE, 1)
    for name, field in (("free_energy", L.FREE_ENERGY), ("free_health", L.FREE_HEALTH)):
        if not live.drops_mark(name, "free_cost"):
            yield _number(field, 2)
    if not live.drops_freeze:
        yield _number(L.FREEZE, 1)
    if not live.drops_legendary:
        yield _number(L.LEGENDARY, len(player.legendary))
        # Checkpoints passed matter as long as legendary cards are left (R66).
        yield _number(L.PASSED, len(tables.checkpoints), when=L.LEGENDARY if "legendary" in live.rules else -1)
    yield from _cards(tables, live)


def _of_the_day(tables: Tables, live: Liveness) -> Iterator[Entry]:
    """Yield the entries of days, weather and the records of the day."""
    start, player = tables.start, tables.start.players[0]
    if not live.drops_days:
        yield _number(L.DAYS, EVENT_BITS, player.days)
    yield _number(L.DAY, 1, start.day - player.days, L.DAYS)
    if tables.rulings.faces:
        yield _number(L.WEATHER, _bits(len(tables.rulings.faces)))
    if not live.drops_rolls:
        yield _number(L.WEATHER_EVENT, EVENT_BITS, start.counters.weather)
    if not live.drops_record("not_moved_today"):
        yield _number(L.MOVED, 1)
    if not live.drops_record("healed_today"):
        most = ENOUGH_PERSONAL if "records" in live.rules else L.MOST_CARDS
        yield K.FORM_CAPPED, L.PERSONAL, _bits(most), most, -1, -1
    if not live.drops_record("eaten_today", "three_meals_today"):
        for field in range(2):
            foods = min(L.FOODS_BITS, len(tables.foods) - L.FOODS_BITS * field)
            if foods > 0:
                yield _number(L.FOODS + field, foods)


def _cards(tables: Tables, live: Liveness) -> Iterator[Entry]:
    """Yield the entries of zones."""
    start, most = tables.start, _most_cards(tables, live)
    yield K.FORM_DOGS, L.N_DOGS, K.COUNT_BITS, L.DOGS, -1, -1
    yield K.FORM_STACK, L.N_STACK, K.COUNT_BITS, L.STACK, -1, -1
    if live.face_down:
        yield K.FORM_HAND, L.N_HAND, _bits(most), L.HAND, -1, -1
    else:
        yield _list(L.N_HAND, L.HAND, most)
    yield _list(L.N_DECK, L.DECK, most)
    if not live.drops_seen:
        yield _list(L.N_SEEN, L.SEEN, L.MOST_SEEN)
    if not live.drops_discard:
        yield K.FORM_LIST, L.N_RESOLVED, _bits(L.MOST_RESOLVED), L.RESOLVED, -1, L.N_STACK
        yield _list(L.N_DISCARD, L.DISCARD, most)
    if not live.drops_damage:
        yield _number(L.DAMAGE_LEFT, _bits(2 * abs(start.damage_left) + L.MOST_CARDS), -abs(start.damage_left))
    if not live.drops_supply:
        yield _list(L.N_SUPPLY, L.SUPPLY, L.MOST_SUPPLY)
        for place, deck in enumerate(start.upgrade):
            if deck:
                yield _number(L.GONE + place, _bits(len(deck)))
    if not live.drops_destroyed:
        yield _list(L.N_DESTROYED, L.DESTROYED, L.MOST_DESTROYED)
