"""The bound of ``compact_bound`` over numbers, as plain functions that a compiler can take over unchanged.

Why it holds is said there, function by function in the same order; the tests hold both against each other. It looks at
the cards that a seat can still get: those of the deck and of every hand that the family stands for. Others are gone for
the day (``compact.PROJECTIONS``), and those that wait on the risk stack count as waiting. Only speeds are asked of the
rules. All else is worked out here and kept among the facts; tables lie in ``store``, one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rules.core.challenge import NEVER as _NEVER
from rules.iditacards.day_offers import (
    AFTER,
    AUTOMATIC,
    CARD,
    CARDS,
    GAIN,
    HEAD,
    KIND_BITS,
    KINDS,
    LEAST,
    MOST,
    MOVES,
    OFFERS,
    PROFILE,
    SECTIONS,
    SHIFT,
    SPEEDS,
    STUCK,
    distance,
    jumps,
    room,
    stock,
)

if TYPE_CHECKING:  # ``day_kernel`` brings them

    def fact(first: int, second: int, table: Any) -> int:
        """Return the answer of a fact, negative where it is not known yet."""

    def known(first: int, second: int, facts: Any, bits: int) -> int:
        """Return the answer of a fact, or -1."""

    def keep(first: int, second: int, answer: int, table: Any) -> int:
        """Enter a fact with its answer; return whether there is room."""


LATEST: Final = 24
"""Numbers of turns from here on are not looked at."""
AHEAD: Final = 2
"""Turns beyond those left that are looked at, so that the next horizons need not be searched in vain."""


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
    """Return the place in ``store`` of the speeds on some sections, or -1: the best of those on each."""
    raisers, name = table.store[offer + 6] << KIND_BITS, stand << 9 | stack
    place = known(raisers | SPEEDS, name << 16 | first << 8 | last, table.facts, table.bits)
    if place >= 0:
        return place
    plays, missing = 0, False
    for section in range(first, last + 1):
        speeds_there = fact(raisers | PROFILE, name << 8 | section, table)
        if speeds_there < 0:
            missing = True
        else:
            plays = max(plays, table.lists[speeds_there])
    place = -1 if missing else room(1 + plays, table)
    if place < 0:
        return -1
    table.store[place] = plays
    for play in range(plays):
        best = STUCK
        for section in range(first, last + 1):
            speeds_there = known(raisers | PROFILE, name << 8 | section, table.facts, table.bits)
            best = max(best, table.lists[speeds_there + 1 + min(play, table.lists[speeds_there] - 1)])
        table.store[place + 1 + play] = best
    keep(raisers | SPEEDS, name << 16 | first << 8 | last, place, table)
    return place


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
    most = table.store[profile] - 1
    for raises in range(table.store[offer] + 1):
        done = min(raises, most)
        speed = table.store[profile + 1 + done]
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
        faster = table.store[before + 1 + min(raises, table.store[before] - 1)]
        slower = table.store[after + 1 + min(raises, table.store[after] - 1)]
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


_TURNS: Final = (rest, arriving, speeds, gain, beyond, reaches, last_turn, least_turns, least_of)
BOUND: Final = (*OFFERS, *_TURNS)
"""The functions of this module, for a compiler."""
