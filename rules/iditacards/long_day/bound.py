"""The bound of ``compact.bound`` over numbers, as plain functions that a compiler can take over unchanged.

Why it holds is said there, function by function in the same order; the tests hold both against each other. It looks at
the cards that a seat can still get: those of the deck and of every hand that the family stands for. Others are gone for
the day (``compact.form.PROJECTIONS``), and those that wait on the risk stack count as waiting. Only speeds are asked of
the rules. All else is worked out here and kept among the facts; tables lie in ``store``, one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rules.iditacards.long_day.offers import (
    AUTOMATIC,
    CARD,
    CARDS,
    GAIN,
    HEAD,
    KIND_BITS,
    KINDS,
    LATEST,
    MOST,
    MOVES,
    OFFERS,
    PROFILE,
    SHIFT,
    SPEEDS,
    STUCK,
    alike,
    distance,
    jumps,
    plays_left,
    room,
)

if TYPE_CHECKING:  # ``long_day.kernel`` imports this module, and binds them
    from rules.iditacards.long_day.kernel import fact, keep, known


def lasts(turns: int, offer: int, cards: int, deck: int, table: Any) -> int:
    """Return whether so many cards are enough for so many turns in some way; ``offer`` is the place of a stock."""
    store = table.store
    length = turns + 1
    raising, raising_deck = offer + HEAD, offer + HEAD + length
    draws, draws_energy, draws_deck = raising + 2 * length, raising + 3 * length, raising + 4 * length
    for raises in range(store[offer] + 1):
        spare = cards + store[offer + 2] - turns - store[raising + raises]
        for drawn in range(store[offer + 1] + 1):
            if plays_left(turns, raises, drawn, offer, table) < 0:
                break
            deck_left = deck - store[raising_deck + raises] - store[draws_deck + drawn]
            gained = min(-store[draws + drawn], deck_left - store[draws_energy + drawn]) if drawn else 0
            if deck_left >= 0 and spare + gained >= 0:
                return 1
    return 0


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
    for drawn in range(store[offer + 1] + 1):
        plays = plays_left(turns, raises, drawn, offer, table)
        if plays < 0:
            break
        deck_left = deck - store[raising_deck + raises] - store[draws_deck + drawn]
        most = -store[draws + drawn]
        row = won + 2 + plays * energies * decks
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
    """Return the place in ``store`` of the speeds on some sections, or -1: the best of those on each.

    They go as far as a stock can raise them; equal ones have the same place.
    """
    raisers, name = table.store[offer + 6] << KIND_BITS, stand << 9 | stack
    second = (name << 16 | first << 8 | last) << 8 | table.store[offer] + 1
    place = known(raisers | SPEEDS, second, table.facts, table.bits)
    if place < 0:
        place = best_speeds(offer, stand, stack, first, last, table)
    return place


def best_speeds(offer: int, stand: int, stack: int, first: int, last: int, table: Any) -> int:
    """Work out what ``speeds`` returns."""
    raisers, name = table.store[offer + 6] << KIND_BITS, stand << 9 | stack
    most = table.store[offer] + 1
    second = (name << 16 | first << 8 | last) << 8 | most
    plays, missing = 0, False
    for section in range(first, last + 1):
        speeds_there = fact(raisers | PROFILE, name << 8 | section, table)
        if speeds_there < 0:
            missing = True
        else:
            plays = max(plays, table.lists[speeds_there])
    plays = min(plays, most)
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
    place = alike(place, 1 + plays, LATEST + plays, table)
    keep(raisers | SPEEDS, second, place, table)
    return place


def gain(turns: int, offer: int, stand: int, stack: int, last: int, cards: int, deck: int, table: Any) -> int:
    """Return the most spaces in exactly so many turns at the best speeds of any leg up to ``last``, or -1."""
    profile = speeds(offer, stand, stack, table.section[stand], last, table)
    if profile < 0:
        return -1
    waits = table.waits[stack]
    waiting = stack + 1
    if table.lists[waits] == 2:  # no waiting movement cards that want a deck: more of it is of no use
        waiting, cards, deck = 0, min(cards, table.store[offer + 7]), min(deck, table.store[offer + 8])
    first, second = (offer << 28 | profile) << KIND_BITS | GAIN, (waiting << 12 | cards) << 12 | deck
    best = known(first, second, table.facts, table.bits)
    if best >= 0:
        return best - 1
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
    keep(first, second, best + 1, table)
    return best


def beyond(
    turns: int,
    crossed: int,
    way: int,
    offer: int,
    stand: int,
    stack: int,
    section: int,
    last: int,
    cards: int,
    deck: int,
    table: Any,
) -> int:
    """Return whether ``way`` spaces are in reach from the last one before a section entered in turn ``crossed``, or -1.

    It is asked where all else allows that: then some number of raising plays nearly always does, and one is enough.
    """
    before = speeds(offer, stand, stack, table.section[stand], section - 1, table)
    after = speeds(offer, stand, stack, section, last, table)
    if before < 0 or after < 0:
        return -1
    lists, ground, waits = table.lists, table.ground, table.waits[stack]
    moving = table.store[offer + 5]
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
        spaces += (turns - crossed) * automatic + arriving(turns, deck, slower, waits, table)
        if spaces + max(0, ground[AUTOMATIC] + faster) >= way:
            return 1
        spaces += automatic
        for number in range(ground[KINDS]):
            card = CARDS + CARD * number
            if moving >> ground[card + SHIFT] & ground[card + MOST]:
                moves = ground[card + MOVES]
                if spaces + distance(moves, faster, table) - distance(moves, slower, table) >= way:
                    return 1
        for place in range(waits + 3, waits + 1 + lists[waits], 2):
            if lists[place] <= turns and lists[place] <= deck:
                moves = lists[place + 1]
                if spaces + distance(moves, faster, table) - distance(moves, slower, table) >= way:
                    return 1
    return 0


BOUND: Final = (*OFFERS, lasts, rest, arriving, best_speeds, speeds, gain, beyond)
"""The functions of this module and of ``long_day.offers``, for a compiler."""
