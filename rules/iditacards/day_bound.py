"""The bound of ``compact_bound`` over numbers, as plain functions that a compiler can take over unchanged.

Why it holds is said there, function by function in the same order; the tests hold both against each other. It looks at
the cards that a seat can still get: those of the deck and of every hand that the family stands for. Others are gone for
the day (``compact.PROJECTIONS``), and those that wait on the risk stack count as waiting. Only speeds are asked of the
rules. All else is worked out here and kept among the facts; tables lie in ``store``, one after the other.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Final

from rules.core.challenge import NEVER as _NEVER

if TYPE_CHECKING:  # ``day_kernel`` brings them

    def fact(first: int, second: int, table: Any) -> int:
        """Return the answer of a fact, negative where it is not known yet."""

    def known(first: int, second: int, facts: Any, bits: int) -> int:
        """Return the answer of a fact, or -1."""

    def keep(first: int, second: int, answer: int, table: Any) -> int:
        """Enter a fact with its answer; return whether there is room."""


Ints = MutableSequence[int]

PROFILE: Final = 7
"""Kinds of facts, after those of ``day_kernel``: asked of the rules, of packed raising cards, a stand, sections and a
stack, the speeds by plays, after their number;"""
HEAD: Final = 9
"""Numbers of a stock before its sums."""
STOCK: Final = 8
"""worked out here, of packed cards and turns, what they offer;"""
JUMPS: Final = 9
"""of packed movement cards, turns and a speed, the most spaces that they win;"""
GAIN: Final = 10
"""of a stock, a stand, a stack, sections, cards and deck, the most spaces more one;"""
AFTER: Final = 11
"""of the same and the earliest turn of crossing, the most spaces beyond the first of a leg more one;"""
LEAST: Final = 12
"""of packed cards, a board, a stack, cards and a target, twice the turns it takes at least, one more if so many do."""
ALIKE: Final = 13
"""of the mixed numbers of a stock, and turns, the first such stock."""
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
"""Of a kind: where its copies begin and the greatest number there, then facts of ``compact_stock``; whether it helps
at once, changes speed, lowers a condition; and the place of its distances in ``lists``, 0 for none."""

PLENTY: Final = 1 << 10
STUCK: Final = -(1 << 20)
LATEST: Final = 24
"""Numbers of turns from here on are not looked at."""
_MIXED: Final = (1 << 50) - 1
AHEAD: Final = 2
"""Turns beyond those left that are looked at, so that the next horizons need not be searched in vain."""


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


def stock(pool: int, turns: int, table: Any) -> int:
    """Return the place of what packed cards offer to somebody with so many turns, or -1.

    There are: raising cards, drawing cards, extra, energies and deck cards of movement cards, these packed, raising
    kinds packed, the cards and deck cards of most use; then sums of best cards, each of ``turns + 1`` numbers: energy
    and deck for raising, cards won (negative), energy and deck for drawing.
    """
    place = known(pool << KIND_BITS | STOCK, turns, table.facts, table.bits)
    if place >= 0:
        return place
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
        for _ in range(copies):
            if ground[card + AT_ONCE] or (timely and (ground[card + SPEEDER] or ground[card + RELIEF])):
                at_once = ground[card + AT_ONCE]
                if raises < turns:
                    put_in(min(0, energy) if at_once else energy, raising + 1, raises, table)
                    put_in(0 if at_once else deck, raising_deck + 1, raises, table)
                    raises += 1
                else:
                    worse_out(min(0, energy) if at_once else energy, raising + 1, raises, table)
                    worse_out(0 if at_once else deck, raising_deck + 1, raises, table)
            if timely and ground[card + DRAWS] > energy:
                if drawing < turns:
                    put_in(energy - ground[card + DRAWS], draws + 1, drawing, table)
                    put_in(energy, draws_energy + 1, drawing, table)
                    put_in(deck, draws_deck + 1, drawing, table)
                    drawing += 1
                else:
                    worse_out(energy - ground[card + DRAWS], draws + 1, drawing, table)
                    worse_out(energy, draws_energy + 1, drawing, table)
                    worse_out(deck, draws_deck + 1, drawing, table)
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
    place = alike(place, turns, table)
    keep(pool << KIND_BITS | STOCK, turns, place, table)
    return place


def alike(place: int, turns: int, table: Any) -> int:
    """Return the place of an equal stock of as many turns, and forget the one at ``place``; itself if there is none."""
    store = table.store
    length = HEAD + 5 * (turns + 1)
    mixed = 0
    for at in range(place, place + length):
        mixed = ((mixed << 5) - mixed + store[at]) & _MIXED
    other = known(mixed << KIND_BITS | ALIKE, turns, table.facts, table.bits)
    if other < 0:
        keep(mixed << KIND_BITS | ALIKE, turns, place, table)
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
    if place >= 0:
        return place
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


def rest(turns: int, raises: int, cards: int, deck: int, offer: int, won: int, table: Any) -> int:
    """Return the most spaces of movement cards besides so many raising plays, or -1 where there are too few cards.

    ``offer`` is the place of a stock, ``won`` that of its jumps.
    """
    store = table.store
    length = turns + 1
    raising, raising_deck = offer + HEAD, offer + HEAD + length
    draws, draws_energy, draws_deck = raising + 2 * length, raising + 3 * length, raising + 4 * length
    enough, enough_deck = store[offer + 3], store[offer + 4]
    energies, decks = store[won], store[won + 1]
    spare = cards + store[offer + 2] - turns - store[raising + raises]
    best = -1
    for drawn in range(min(turns - raises, store[offer + 1]) + 1):
        deck_left = deck - store[raising_deck + raises] - store[draws_deck + drawn]
        most = -store[draws + drawn]
        row = won + 2 + (turns - raises - drawn) * energies * decks
        for taken in range(min(deck_left, enough_deck), -1, -1):
            gained = min(most, deck_left - taken - store[draws_energy + drawn]) if drawn else 0
            energy = min(spare + gained, enough)
            if energy >= 0:
                best = max(best, store[row + energy * decks + taken])
            if gained == most or energy == enough:
                break
    return best


def arriving(turns: int, deck: int, speed: int, waits: int, table: Any) -> int:
    """Return the most spaces of waiting movement cards that can come in time; ``waits`` is their place in ``lists``."""
    spaces = 0
    for place in range(waits + 3, waits + 1 + table.lists[waits], 2):
        needed = table.lists[place]
        if needed <= turns and needed <= deck:
            spaces += distance(table.lists[place + 1], speed, table)
    return spaces


def speeds(offer: int, stand: int, stack: int, first: int, last: int, table: Any) -> int:
    """Return the place in ``lists`` of the speeds on some sections, or -1."""
    return fact(table.store[offer + 6] << KIND_BITS | PROFILE, (stand << 9 | stack) << 16 | first << 8 | last, table)


def gain(turns: int, offer: int, stand: int, stack: int, last: int, cards: int, deck: int, table: Any) -> int:
    """Return the most spaces in exactly so many turns at the best speeds of any leg up to ``last``, or -1."""
    if table.lists[table.waits[stack]] == 2:  # no waiting movement cards that want a deck: more of it is of no use
        cards, deck = min(cards, table.store[offer + 7]), min(deck, table.store[offer + 8])
    name = (offer << 16 | stand) << 9 | stack
    best = known(name << KIND_BITS | GAIN, last << 24 | cards << 12 | deck, table.facts, table.bits)
    if best >= 0:
        return best - 1
    profile = speeds(offer, stand, stack, table.section[stand], last, table)
    if profile < 0:
        return -1
    waits = table.waits[stack]
    best, moved = 0, 0
    most = table.lists[profile] - 1
    for raises in range(table.store[offer] + 1):
        done = min(raises, most)
        speed = table.lists[profile + 1 + done]
        if 0 < raises <= most:
            moved += max(0, table.ground[AUTOMATIC] + speed)
        won = jumps(table.store[offer + 5], turns, speed, table)
        if won < 0:
            return -1
        spaces = rest(turns, raises, cards, deck, offer, won, table)
        if spaces >= 0:
            spaces += moved + (turns - done) * max(0, table.ground[AUTOMATIC] + speed)
            best = max(best, spaces + arriving(turns, deck, speed, waits, table))
    keep(name << KIND_BITS | GAIN, last << 24 | cards << 12 | deck, best + 1, table)
    return best


def beyond(
    turns: int,
    crossed: int,
    offer: int,
    stand: int,
    stack: int,
    section: int,
    last: int,
    cards: int,
    deck: int,
    table: Any,
) -> int:
    """Return the most spaces from the last one before a section that is entered in turn ``crossed``, or -1."""
    if table.lists[table.waits[stack]] == 2:
        cards, deck = min(cards, table.store[offer + 7]), min(deck, table.store[offer + 8])
    name = (offer << 16 | stand) << 9 | stack
    second = ((crossed << 8 | section) << 8 | last) << 24 | cards << 12 | deck
    best = known(name << KIND_BITS | AFTER, second, table.facts, table.bits)
    if best >= 0:
        return best - 1
    before = speeds(offer, stand, stack, table.section[stand], section - 1, table)
    after = speeds(offer, stand, stack, section, last, table)
    if before < 0 or after < 0:
        return -1
    lists, ground, waits = table.lists, table.ground, table.waits[stack]
    moving = table.store[offer + 5]
    best = 0
    for raises in range(table.store[offer] + 1):
        faster = lists[before + 1 + min(raises, lists[before] - 1)]
        slower = lists[after + 1 + min(raises, lists[after] - 1)]
        won = jumps(moving, turns, slower, table)
        if won < 0:
            return -1
        spaces = rest(turns, raises, cards, deck, offer, won, table)
        if spaces < 0:
            continue
        automatic = max(0, ground[AUTOMATIC] + slower)
        entering = max(0, ground[AUTOMATIC] + faster)
        for number in range(ground[KINDS]):
            card = CARDS + CARD * number
            if moving >> ground[card + SHIFT] & ground[card + MOST]:
                moves = ground[card + MOVES]
                entering = max(entering, automatic + distance(moves, faster, table) - distance(moves, slower, table))
        for place in range(waits + 3, waits + 1 + lists[waits], 2):
            if lists[place] <= turns and lists[place] <= deck:
                moves = lists[place + 1]
                entering = max(entering, automatic + distance(moves, faster, table) - distance(moves, slower, table))
        spaces += entering + (turns - crossed) * automatic
        best = max(best, spaces + arriving(turns, deck, slower, waits, table))
    keep(name << KIND_BITS | AFTER, second, best + 1, table)
    return best


def reaches(
    turns: int, stand: int, stack: int, last: int, cards: int, deck: int, pool: int, way: int, goal: int, table: Any
) -> int:
    """Return whether ``goal``, ``way`` spaces on, may be reached in exactly so many turns over legs up to ``last``.

    ``store`` begins with the earliest turn of crossing for each section before; -1 stands for something missing.
    """
    offer = stock(pool, turns, table)
    if offer < 0:
        return -1
    spaces = gain(turns, offer, stand, stack, last, cards, deck, table)
    if spaces < way:
        return -1 if spaces < 0 else 0
    edges = CARDS + CARD * table.ground[KINDS]
    for section in range(table.section[stand] + 1, last + 1):
        first = table.ground[edges + section]
        if goal < first:
            break
        crossed = table.store[section]
        if crossed > turns:
            return 0
        spaces = beyond(turns, crossed, offer, stand, stack, section, last, cards, deck, table)
        if spaces < goal - (first - 1):
            return -1 if spaces < 0 else 0
    return 1


def last_turn(pool: int, cards: int, deck: int, table: Any) -> int:
    """Return a number of turns for which the cards are too few, or ``LATEST``; -1 where something is missing."""
    offer = stock(pool, LATEST, table)
    if offer < 0:
        return -1
    store = table.store
    raising, draws = offer + HEAD, offer + HEAD + 2 * (LATEST + 1)
    least = most = 0
    for place in range(store[offer] + 1):
        least = min(least, store[raising + place])
    for place in range(store[offer + 1] + 1):
        most = max(most, -store[draws + place])
    last: int = min(LATEST, max(0, cards + store[offer + 2] - least + min(most, deck)) + 1)
    return last


def least_of(
    pool: int, board: int, stack: int, held: int, deck: int, low: int, turns: int, target: int, table: Any
) -> int:
    """Return what ``least_turns`` does, looked up first."""
    name = (target << 9 | stack) << 16 | held << 8 | deck
    told = known(pool << KIND_BITS | LEAST, board << 40 | name, table.facts, table.bits)
    least = max(low, told // 2)
    if told < 0 or (not told & 1 and least <= turns):
        least = least_turns(pool, board, stack, held, deck, low, turns, target, table)
    return least


def least_turns(
    pool: int, board: int, stack: int, held: int, deck: int, low: int, turns: int, target: int, table: Any
) -> int:
    """Return a number of turns that the target takes at least, ``NEVER`` where none is enough, or -1.

    It is no less than ``low``, which no line falls short of. Beyond ``turns`` only a few more are looked at; -1 stands
    for something missing.
    """
    name = (target << 9 | stack) << 16 | held << 8 | deck
    first = ((pool << KIND_BITS) | LEAST, board << 40 | name)
    least = known(first[0], first[1], table.facts, table.bits)
    low = max(low, least // 2)
    if least >= 0 and (least & 1 or low > turns):
        return low
    at, stand = table.pos[board], table.stand[board]
    waits = table.waits[stack]
    cards = held + min(table.lists[waits + 1], deck + 1) + min(table.lists[waits + 2], deck)
    ground = table.ground
    edges = CARDS + CARD * ground[KINDS]
    last = 0
    while last + 1 < ground[SECTIONS] and ground[edges + last + 1] <= max(0, target - 1):
        last += 1
    end = last_turn(pool, cards, deck, table)
    if end < 0:
        return -1
    for section in range(table.section[stand] + 1, last + 1):
        # As many turns as there are stand for more: then no later leg is entered.
        crossed, entry = 1, ground[edges + section]
        while crossed <= min(turns + AHEAD, end):
            found = reaches(crossed, stand, stack, section - 1, cards, deck, pool, entry - at, entry, table)
            if found < 0:
                return -1
            if found:
                break
            crossed += 1
        table.store[section] = crossed
    found = 0
    while low <= min(turns + AHEAD, end):
        found = reaches(low, stand, stack, last, cards, deck, pool, target - at, target, table)
        if found < 0:
            return -1
        if found:
            break
        low += 1
    if not found and low > end and end < LATEST:
        low, found = _NEVER, 1
    keep(first[0], first[1], 2 * low + found, table)
    return low


_OFFERS: Final = (distance, room, put_in, add_up, worse_out, stock, alike, jumps)
_TURNS: Final = (rest, arriving, speeds, gain, beyond, reaches, last_turn, least_turns, least_of)
BOUND: Final = (*_OFFERS, *_TURNS)
"""The functions of this module, for a compiler."""
