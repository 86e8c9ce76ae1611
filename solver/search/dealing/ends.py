"""Last turns of a day played from hidden decks, worked out at once, as functions for a compiler.

They hold where any card may be played from the hand. Free actions count as choices of the play that follows them; where
a card is turned over, one choice has to be the best whichever card it is. What is told of the *few*
(``dealing.facts.FEW``) holds where also further is never worse, nor is a hand for any card in the place of an idle one.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.facts import (
    ASIDE,
    ASKED,
    AVOIDING,
    BASE_BITS,
    BINOMIALS,
    BLOCK,
    FEW,
    FLOORS,
    HIGH,
    KEEPS,
    KINDS,
    LEAST,
    LOOKING,
    LOW,
    NONE,
    ORDERS,
    PICKING,
    SHIFTS,
    SIZES,
    STANCE,
    STANCES,
    STOPPED,
    TOLD,
    UNIT,
    UPPER,
    VALUES,
    WAITS,
    Ints,
    left_over,
    scaled,
    shared,
)
from solver.search.dealing.lasts import acting_best, at_once, is_asked, last_of, last_played

MOST_WAYS: Final = 1 << 20
"""Ways to draw some cards up to which sums of them have room."""
TURNING: Final = -5
VAGUE: Final = -6
"""What a last turn is where a card is turned over, or where only the greatest worth is known (``last_bound``)."""


def few(turns: int, size: int, view: int, facts: Ints) -> int:
    """Return where it is told what counts of hands with one or two turns left; 0 where it is not."""
    row = facts[FEW] + 2 * ((turns - 1) * facts[SIZES] + size)
    return facts[row + (view != TOLD)] if facts[FEW] else 0


def capped(cards: int, told: int, facts: Ints) -> int:
    """Return a hand with each kind replaced by the one it is counted with, copies that do not count by idle cards."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    idle = facts[told + 2 * kinds]
    found, spare, left, kind = 0, 0, cards, 0
    while left:
        width = facts[at + kind + 1] - facts[at + kind]
        copies = left & ((1 << width) - 1)
        if copies:
            first = facts[told + kind]
            shift = facts[at + first]
            more = facts[told + kinds + first] - (found >> shift & facts[at + kinds + 1 + first])
            if copies > more:
                spare += copies - more
                copies = more
            found += copies << shift
        left >>= width
        kind += 1
    return found + (spare << facts[at + idle])


def outdone(cards: int, told: int, facts: Ints) -> int:
    """Return a hand, counted together, idle cards in place of those that enough others outdo."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    idle, above = facts[told + 2 * kinds], told + 2 * kinds + 2
    chain = facts[told + 2 * kinds + 1]
    if chain == 0:
        return cards
    uppers, found, spare = cards if chain == 1 else 0, cards, 0
    for kind in range(kinds if chain == 2 else 0):
        copies = cards >> facts[at + kind] & facts[at + kinds + 1 + kind]
        if copies > 1 or (copies and cards & facts[above + kind]):
            uppers |= facts[at + kinds + 1 + kind] << facts[at + kind]
    for kind in range(kinds):
        copies = cards >> facts[at + kind] & facts[at + kinds + 1 + kind]
        if copies and kind != idle and cards & facts[above + kind]:
            gone = copies if uppers & facts[above + kind] else copies - 1
            found -= gone << facts[at + kind]
            spare += gone
    return found + (spare << facts[at + idle])


def idle_cards(cards: int, told: int, facts: Ints) -> int:
    """Return how many cards of a hand are idle."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    idle, found = facts[told + 2 * kinds], 0
    for kind in range(kinds):
        if facts[told + kind] == idle:
            found += cards >> facts[at + kind] & facts[at + kinds + 1 + kind]
    return found


def without_idle(cards: int, told: int, paid: int, facts: Ints) -> int:
    """Return a hand less so many of its idle cards."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    idle = facts[told + 2 * kinds]
    for kind in range(kinds):
        if paid and facts[told + kind] == idle:
            copies = min(paid, cards >> facts[at + kind] & facts[at + kinds + 1 + kind])
            cards -= copies << facts[at + kind]
            paid -= copies
    return cards


def told_after(play: int, size: int, held: int, turns: int, view: int, facts: Ints) -> int:
    """Return where it is told that idle cards are the ones to pay with for a play; 0 where it is not.

    A hand is never worse for any card in the place of an idle one. ``turns``, one or two, are left after the play; with
    two of them that takes enough cards, which are those left and those drawn, unless a card waits then.
    """
    health, ends = facts[play + 1], facts[play + 2]
    left, held, waits = max(size - health, 0), held - facts[play], 0
    if health <= size and ends == 1:
        drawn = min(facts[play + 5], left)
        left, held = left - drawn, held + drawn
        waits = facts[facts[STANCES] + STANCE * facts[play + 3] + WAITS]
    if turns == 2 and not waits and held < facts[LEAST]:
        return 0
    return few(max(turns - waits, 1), left, view, facts)


def after_draws(
    stance: int,
    deck: int,
    hand: int,
    size: int,
    draws: int,
    chosen: int,
    held: int,
    left: int,
    won: int,
    view: int,
    facts: Ints,
) -> int:
    """Return the low part of the worth of a last turn from the hand, once so many cards have been drawn.

    ``chosen`` says whether a card of ``hand`` is there to play; ``held`` cards are in hand then, ``left`` in the deck.
    Nothing but the best card counts, so it is enough to know in how many orders none of the cards drawn is better than
    a value: the mean of the best is the sum over all values of the share of orders that exceed it.
    ``facts[VALUES]`` and ``facts[UPPER]`` are the worst and the best that may come of it.
    """
    if is_asked(stance, facts):
        return STOPPED
    at, kinds, values = facts[SHIFTS], facts[KINDS], facts[VALUES]
    floor = facts[stance + FLOORS]
    for kind in range(kinds):
        if chosen and hand >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            floor = max(floor, last_played(stance, kind, view, held - 1, left, won, facts))
        if draws and deck >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            facts[values + kind] = last_played(stance, kind, view, held - 1, left, won, facts)
    return best_drawn(deck, size, draws, floor, facts)


def best_drawn(deck: int, size: int, draws: int, floor: int, facts: Ints) -> int:
    """Return the low part of the mean of the best of so many cards of a deck, and of what is there anyway.

    ``facts[VALUES]`` has by kind what a card is worth. What that and ``facts[UPPER]`` are then ``after_draws`` says.
    """
    at, kinds, values = facts[SHIFTS], facts[KINDS], facts[VALUES]
    top, worst = NONE, NONE
    for kind in range(kinds):
        if draws and deck >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            value = facts[values + kind]
            top = max(top, value)
            worst = value if worst == NONE else min(worst, value)
    floor = max(floor, worst)
    top = max(top, floor)
    facts[values + kinds], facts[UPPER] = floor, top
    if top == NONE:
        return NONE
    orders = facts[ORDERS] + 2 * size
    low, high = facts[orders] * top, facts[orders + 1] * top
    for value in range(floor, top):
        fit = 0
        for kind in range(kinds):
            copies = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
            if copies and facts[values + kind] <= value:
                fit += copies
        avoiding = facts[AVOIDING] + 2 * ((size * facts[SIZES] + fit) * facts[SIZES] + draws)
        if facts[avoiding] < 0:
            left_over(-avoiding, facts)
            break
        low -= facts[avoiding]
        high -= facts[avoiding + 1]
    facts[HIGH] = high + (low >> BASE_BITS)
    return low & LOW


def extreme(deck: int, taken: int, sign: int, facts: Ints) -> int:
    """Return the sum of the values of so many cards of a deck: the best of it, or with -1 for a sign the worst."""
    at, kinds, values = facts[SHIFTS], facts[KINDS], facts[VALUES]
    total, bound, begun = 0, 0, False
    while taken:
        value, found = 0, 0
        for kind in range(kinds):
            copies = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
            each = sign * facts[values + kind]
            if copies and (not begun or each < bound):
                if not found or each > value:
                    value, found = each, copies
                elif each == value:
                    found += copies
        if not found:
            break
        bound, begun = value, True
        found = min(found, taken)
        total += sign * value * found
        taken -= found
    return total


def turned_over(
    stance: int, deck: int, size: int, gone: int, left: int, held: int, won: int, view: int, facts: Ints
) -> int:
    """Return the low part of the worth of a last turn on which a card that waits turns over one of the deck.

    ``gone`` cards have left the deck and will be seen before, ``left`` are in it then; ``facts[VALUES]`` and
    ``facts[UPPER]`` are least and greatest sums of the values of all cards but any ``gone``, at that many cards.
    """
    count = at_once(stance, deck, 0, size, left, held, won, view, facts)
    if count in (STOPPED, ASIDE):
        return count
    at, kinds, values = facts[SHIFTS], facts[KINDS], facts[VALUES]
    plays = acting_best(stance, deck, left, held, won, view, facts)
    if not left or facts[plays] == 1:
        value = count // size if left else count
        facts[values + kinds] = facts[UPPER] = value * (size - gone)
    elif gone:
        for kind in range(kinds):
            if deck >> facts[at + kind] & facts[at + kinds + 1 + kind]:
                facts[values + kind] = last_of(plays, kind, view, held, left - 1, won, facts)
        facts[values + kinds] = count - extreme(deck, gone, 1, facts)
        facts[UPPER] = count - extreme(deck, gone, -1, facts)
    else:
        facts[values + kinds] = facts[UPPER] = count
    return shared(size, count, facts) if left else scaled(size, count, facts)


def after_sight(
    stance: int,
    deck: int,
    hand: int,
    size: int,
    chosen: int,
    held: int,
    left: int,
    won: int,
    view: int,
    facts: Ints,
) -> int:
    """Return the low part of the worth of a last turn from the hand, once cards of the deck have been sorted out.

    Where none of them comes to the hand, all that counts is how many go back. ``facts[VALUES]`` and ``facts[UPPER]``
    are least and greatest values. ``ASIDE`` where more counts.
    """
    block = facts[stance + BLOCK]
    after = facts[STANCES] + STANCE * facts[block + 1]
    if PICKING in (facts[stance + LOOKING], facts[after + LOOKING]) or facts[block + 4]:
        return ASIDE
    if facts[after + WAITS] or facts[block + 1] != facts[block + 5]:
        return ASIDE
    if facts[after + BLOCK] == -1:
        facts[ASKED] = facts[block + 1]
        return STOPPED
    if facts[KEEPS]:
        n, destroyed = min(facts[block + 2], left), facts[block + 3]
        return after_keeping(after, deck, hand, size, n, destroyed, chosen, held, left, won, facts)
    values, kinds = facts[VALUES], facts[KINDS]
    best, best_high, value = NONE, 0, NONE
    for gone in range(min(facts[block + 2], left) + 1):
        low = after_draws(after, deck, hand, size, 0, chosen, held, left - gone, won, view, facts)
        if low == STOPPED:
            return STOPPED
        if facts[UPPER] > value:
            best, best_high, value = low, facts[HIGH], facts[UPPER]
    facts[values + kinds] = facts[UPPER] = value
    facts[HIGH] = best_high
    return best


def after_keeping(
    stance: int,
    deck: int,
    hand: int,
    size: int,
    seen: int,
    destroyed: int,
    chosen: int,
    held: int,
    left: int,
    won: int,
    facts: Ints,
) -> int:
    """Return the same where any of so many cards seen may be taken to the hand, and so many of them destroyed.

    Only one card is played after that, of the hand or of those seen, and the others count by their number alone. So
    each is worth what it is at best, whatever becomes of the others; and the best of a deck is as if all were drawn.
    """
    if is_asked(stance, facts):
        return STOPPED
    at, kinds, values = facts[SHIFTS], facts[KINDS], facts[VALUES]
    floor = NONE
    for kind in range(kinds):
        own = chosen and hand >> facts[at + kind] & facts[at + kinds + 1 + kind]
        there = seen and deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
        facts[values + kind] = NONE
        for kept in range(seen + 1 if own or there else 0):
            for gone in range(kept, min(kept + destroyed, seen) + 1):
                value = last_played(stance, kind, TOLD, held + kept - 1, left - gone, won, facts)
                if own:
                    floor = max(floor, value)
                if there and kept:
                    facts[values + kind] = max(facts[values + kind], value)
    return best_drawn(deck, size, seen, floor, facts)


def last_bound(basis: int, deck: int, size: int, gone: int, bound: int, facts: Ints) -> int:
    """Return a bound of a last turn, where so many cards of the deck have gone and are seen, times ``UNIT``.

    ``bound`` is 0 for the least, where they are the best ones, and 1 for the greatest. ``facts[VALUES]`` is by kind
    what a card is worth that is drawn or turned over, after that the least that the turn is worth; ``facts[UPPER]`` is
    the most. ``basis`` says how many cards are drawn, 0 where it is worth the least, or else ``TURNING`` or ``VAGUE``.
    """
    values, kinds, at = facts[VALUES], facts[KINDS], facts[SHIFTS]
    floor, top = facts[values + kinds], facts[UPPER]
    if basis == VAGUE:
        return top * UNIT if bound else NONE
    if basis == 0:
        return floor * UNIT if floor >= 0 else NONE
    cards = size - gone
    if basis == TURNING:
        total = 0
        for kind in range(kinds):
            total += (deck >> facts[at + kind] & facts[at + kinds + 1 + kind]) * facts[values + kind]
        total = (total - extreme(deck, gone, -1 if bound else 1, facts)) * UNIT
        return -(-total // cards) if bound else total // cards
    ways = facts[BINOMIALS] + cards * facts[SIZES] + basis
    ways = facts[ways]
    if ways > MOST_WAYS:
        return (top if bound else max(floor, 0)) * UNIT
    total = top * ways
    for value in range(floor, top):
        fit = 0
        for kind in range(kinds):
            copies = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
            if copies and facts[values + kind] <= value:
                fit += copies
        fit = max(0, fit - gone) if bound else min(fit, cards)
        total -= facts[facts[BINOMIALS] + fit * facts[SIZES] + basis]
    total *= UNIT
    return -(-total // ways) if bound else total // ways
