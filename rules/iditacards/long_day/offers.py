"""What cards offer to the bound of a day, over numbers: plain functions that a compiler can take over unchanged.

``compact.stock`` says the same in words and objects, function by function. Tables lie in ``store``, one after another.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # ``long_day.kernel`` imports this module, and binds them
    from rules.iditacards.long_day.kernel import keep, known

Ints = MutableSequence[int]

PROFILE: Final = 7
"""Kinds of facts, after those of ``long_day.kernel``: asked of the rules, of packed raising cards, a stand, a stack and
a section, the speeds by plays, after their number;"""
HEAD: Final = 12
"""Numbers of a stock before its sums."""
STOCK: Final = 8
"""worked out here, of packed cards, a row of what they offer by turns;"""
JUMPS: Final = 9
"""of packed movement cards, turns and a speed, the most spaces that they win;"""
GAIN: Final = 10
"""of a stock, speeds, what waits, cards and deck, the most spaces more one;"""
OUTLOOK: Final = 11
"""of packed cards, a stand, a stack, a section, cards and deck, for each section up to that one a row of the most
spaces by turns;"""
ALIKE: Final = 12
"""of the mixed numbers of a stock and turns, or of speeds, the first of those;"""
SPEEDS: Final = 13
"""of packed raising cards, a stand, a stack, sections and plays, the best speeds by plays, after their number."""
KIND_BITS: Final = 4
POOL_BITS: Final = 58
"""Bits of packed cards at most."""

MISSING: Final = 1
"""Places in ``notes``: whether something is missing, numbers of ``store`` in use, and whether it is too short."""
USED: Final = 3
SHORT: Final = 4
RESERVED: Final = 1 << 10
"""Numbers at the beginning of ``store`` that are for passing use."""

KINDS: Final = 0
"""Places in ``ground``: kinds of cards,"""
COUNTED: Final = 1
"""the bits of the kinds that the bound looks at,"""
AUTOMATIC: Final = 2
"""spaces of an automatic move at speed 0,"""
UNLIMITED: Final = 3
"""whether moves draw cards,"""
SECTIONS: Final = 4
"""sections of the track,"""
WHOLE: Final = 5
"""the cards of the whole day that the bound looks at, packed,"""
UNPAYABLE: Final = 6
"""the bits of the kinds that may not pay,"""
CARDS: Final = 7
"""and the kinds in order of falling risk, each in so many numbers; then the first space of each section."""
CARD: Final = 10
SHIFT, MOST, ENERGY, RISK, DECK, DRAWS, AT_ONCE, SPEEDER, RELIEF, MOVES = range(CARD)
"""Of a kind: where its copies begin and the greatest number there, then facts of ``compact.stock``; whether it helps
at once, changes speed, lowers a condition; and the place of its distances in ``lists``, 0 for none."""

LATEST: Final = 24
"""Numbers of turns from here on are not looked at."""
PLENTY: Final = 1 << 10
STUCK: Final = -(1 << 20)
_MIXED: Final = (1 << 50) - 1


def distance(moves: int, speed: int, table: Any) -> int:
    """Return the most spaces a movement card moves at a speed (R44); its distances are at ``moves`` in ``lists``."""
    spaces = 0
    for place in range(moves + 1, moves + 1 + table.lists[moves], 2):
        spaces += max(0, table.lists[place] + speed) * table.lists[place + 1]
    return spaces


def room(numbers: int, table: Any) -> int:
    """Return the place of so many numbers in ``store``, or -1 where it is too short."""
    place: int = max(table.notes[USED], RESERVED)
    if place + numbers > len(table.store):
        table.notes[SHORT] = 1
        table.notes[MISSING] = 1
        return -1
    table.notes[USED] = place + numbers
    return place


def put_in(value: int, first: int, count: int, table: Any) -> None:
    """Sort a value into ``count`` ascending ones in ``store``."""
    place = first + count
    while place > first and table.store[place - 1] > value:
        table.store[place] = table.store[place - 1]
        place -= 1
    table.store[place] = value


def add_up(first: int, count: int, table: Any) -> None:
    """Make sums of 0, 1, 2, … numbers out of ``count`` numbers that begin after ``first``."""
    table.store[first] = 0
    for place in range(first + 1, first + 1 + count):
        table.store[place] += table.store[place - 1]


def rows(count: int, first: int, second: int, table: Any) -> int:
    """Return the place of so many numbers that belong to a fact, 0 to begin with; or -1."""
    place = room(count, table)
    if place >= 0:
        for at in range(place, place + count):
            table.store[at] = 0
        keep(first, second, place, table)
    return place


def stock(pool: int, turns: int, table: Any) -> int:
    """Return the place of what packed cards offer to somebody with so many turns, looked up first; or -1."""
    row = known(pool << KIND_BITS | STOCK, 0, table.facts, table.bits)
    place: int = table.store[row + turns] if row >= 0 else 0
    if place == 0:
        place = stocked(pool, turns, row, table)
    return place


def stocked(pool: int, turns: int, row: int, table: Any) -> int:
    """Work out what ``stock`` returns, and write it into the row of the cards; -1 stands for none yet."""
    if row < 0:
        row = rows(LATEST + 1, pool << KIND_BITS | STOCK, 0, table)
    place = offered(pool, turns, table) if row >= 0 else -1
    if place >= 0:
        table.store[row + turns] = place
    return place


def offered(pool: int, turns: int, table: Any) -> int:
    """Return the place of what packed cards offer to somebody with so many turns, or -1.

    There are: raising cards, drawing cards, extra, energies and deck cards of movement cards, these packed, raising
    kinds packed, the cards and deck cards of most use, and the cards that move and raise, raise and draw, move and draw
    with one play; then sums of best cards, each of ``turns + 1`` numbers: energy
    and deck for raising, cards won (negative), energy and deck for drawing.
    """
    length = turns + 1
    place = room(HEAD + 5 * length, table)
    if place < 0:
        return place
    for at in range(place, place + HEAD + 5 * length):
        table.store[at] = 0
    raising, raising_deck = place + HEAD, place + HEAD + length
    draws, draws_energy, draws_deck = raising + 2 * length, raising + 3 * length, raising + 4 * length
    ground, store = table.ground, table.store
    raises = drawing = extra = energies = decks = moving = raisers = 0
    for number in range(ground[KINDS]):
        card = CARDS + CARD * number
        timely = ground[card + RISK] < turns
        # Speeds are those of the whole day, so that few are asked for: more cards make them no less.
        copies = min(ground[WHOLE] >> ground[card + SHIFT] & ground[card + MOST], turns)
        if copies and timely and ground[card + SPEEDER]:
            raisers |= copies << ground[card + SHIFT]
        elif copies and ground[card + RELIEF]:
            raisers |= 1 << ground[card + SHIFT]
        copies = min(pool >> ground[card + SHIFT] & ground[card + MOST], turns)
        if copies == 0:
            continue
        energy, deck = ground[card + ENERGY], ground[card + DECK]
        extra += copies * max(0, -energy)
        at_once, moves = ground[card + AT_ONCE], ground[card + MOVES]
        may_raise = at_once or ground[card + SPEEDER] or ground[card + RELIEF]
        counted = moves or (may_raise and not at_once)
        draw_energy, draw_deck = min(0, energy) if counted else energy, 0 if counted else deck
        draws_here = timely and ground[card + DRAWS] > draw_energy
        if timely and moves and may_raise:
            store[place + 9] = min(turns, store[place + 9] + copies)
        if draws_here and may_raise:
            store[place + 10] = min(turns, store[place + 10] + copies)
        if draws_here and moves:
            store[place + 11] = min(turns, store[place + 11] + copies)
        for _ in range(copies):
            if at_once or (timely and may_raise):
                counted = at_once or moves
                if raises < turns:
                    put_in(min(0, energy) if counted else energy, raising + 1, raises, table)
                    put_in(0 if counted else deck, raising_deck + 1, raises, table)
                    raises += 1
                else:
                    worse_out(min(0, energy) if counted else energy, raising + 1, raises, table)
                    worse_out(0 if counted else deck, raising_deck + 1, raises, table)
            if draws_here:
                if drawing < turns:
                    put_in(draw_energy - ground[card + DRAWS], draws + 1, drawing, table)
                    put_in(draw_energy, draws_energy + 1, drawing, table)
                    put_in(draw_deck, draws_deck + 1, drawing, table)
                    drawing += 1
                else:
                    worse_out(draw_energy - ground[card + DRAWS], draws + 1, drawing, table)
                    worse_out(draw_energy, draws_energy + 1, drawing, table)
                    worse_out(draw_deck, draws_deck + 1, drawing, table)
        if timely and ground[card + MOVES]:
            moving |= copies << ground[card + SHIFT]
            energies += copies * max(0, energy)
            decks += copies * deck
    add_up(raising, raises, table)
    add_up(raising_deck, raises, table)
    add_up(draws, drawing, table)
    add_up(draws_energy, drawing, table)
    add_up(draws_deck, drawing, table)
    store[place], store[place + 1] = raises, drawing
    store[place + 2] = PLENTY if ground[UNLIMITED] else extra
    store[place + 3], store[place + 4] = energies, decks
    store[place + 5], store[place + 6] = moving, raisers
    most, drawn = 0, 0
    for at in range(raises + 1):
        most = max(most, store[raising + at])
    for at in range(drawing + 1):
        drawn = max(drawn, store[draws_energy + at])
    store[place + 7] = max(0, turns + most + drawn + energies - store[place + 2])
    store[place + 8] = (
        store[raising_deck + raises] + store[draws_deck + drawing] + decks - store[draws + drawing] + drawn
    )
    return alike(place, HEAD + 5 * length, turns, table)


def plays_left(turns: int, raises: int, draws: int, offer: int, table: Any) -> int:
    """Return the plays left for movement cards besides so many that raise and draw, some of which do both at once."""
    store = table.store
    saved = min(raises, store[offer + 9]) + min(draws, min(raises, store[offer + 10]) + store[offer + 11])
    left: int = turns - raises - draws + saved
    return left


def alike(place: int, length: int, name: int, table: Any) -> int:
    """Return the place of equal numbers of the same name, and forget those at ``place``, which come last; or that."""
    store = table.store
    mixed = 0
    for at in range(place, place + length):
        mixed = ((mixed << 5) - mixed + store[at]) & _MIXED
    other = known(mixed << KIND_BITS | ALIKE, name, table.facts, table.bits)
    if other < 0:
        keep(mixed << KIND_BITS | ALIKE, name, place, table)
        return place
    for at in range(length):
        if store[other + at] != store[place + at]:
            return place
    table.notes[USED] = place
    return other


def worse_out(value: int, first: int, count: int, table: Any) -> None:
    """Put a value in the place of the greatest of ``count`` ascending ones, if it is less."""
    if count and value < table.store[first + count - 1]:
        put_in(value, first, count - 1, table)


def jumps(moving: int, turns: int, speed: int, table: Any) -> int:
    """Return the place of the most spaces of packed movement cards, or -1: by plays, net energy and deck cards.

    The numbers of energies and deck cards, each from 0 on, come first.
    """
    name = turns << 24 | (speed + (1 << 20))
    place = known(moving << KIND_BITS | JUMPS, name, table.facts, table.bits)
    if place < 0:
        place = jumped(moving, turns, speed, table)
    return place


def jumped(moving: int, turns: int, speed: int, table: Any) -> int:
    """Work out what ``jumps`` returns."""
    name = turns << 24 | (speed + (1 << 20))
    ground, store = table.ground, table.store
    energies = decks = 1
    for number in range(ground[KINDS]):
        card = CARDS + CARD * number
        copies = moving >> ground[card + SHIFT] & ground[card + MOST]
        energies += copies * max(0, ground[card + ENERGY])
        decks += copies * ground[card + DECK]
    size = energies * decks
    place = room(2 + (turns + 1) * size, table)
    if place < 0:
        return place
    store[place], store[place + 1] = energies, decks
    start = place + 2
    for at in range(start, start + (turns + 1) * size):
        store[at] = 0
    for number in range(ground[KINDS]):
        card = CARDS + CARD * number
        far = distance(ground[card + MOVES], speed, table)
        latest = turns - ground[card + RISK]
        needs, deck = ground[card + ENERGY], ground[card + DECK]
        for _ in range(moving >> ground[card + SHIFT] & ground[card + MOST]):
            for plays in range(latest, 0, -1):
                row = start + plays * size
                for energy in range(energies - 1, -1, -1):
                    before = min(energy - needs, energies - 1)
                    if before >= 0:
                        here, there = row + energy * decks, row - size + before * decks - deck
                        for left in range(decks - 1, deck - 1, -1):
                            store[here + left] = max(store[here + left], store[there + left] + far)
            for plays in range(max(1, latest + 1), turns + 1):
                row = start + plays * size
                for at in range(row, row + size):
                    store[at] = max(store[at], store[at - size])
    keep(moving << KIND_BITS | JUMPS, name, place, table)
    return place


OFFERS: Final = (
    distance,
    plays_left,
    room,
    put_in,
    add_up,
    worse_out,
    rows,
    offered,
    stocked,
    stock,
    alike,
    jumped,
    jumps,
)
"""The functions of this module, for a compiler."""
