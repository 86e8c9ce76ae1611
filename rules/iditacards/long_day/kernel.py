"""The turns of one day over numbered parts, as plain functions that a compiler can take over unchanged.

Nothing here knows a card or a rule. Boards, plays, deck orders and families of hands have numbers. What becomes of
hands ``long_day.hands`` works out; what becomes of all else are *facts* that ``long_day.form`` asks of the compact
form, which asks the rules. A fact that is not there yet is noted as asked, and the key that needs it is gone through
again once all that was asked is answered. What this module follows itself is the order of a turn: ``CompactDay`` says
what it plays, and ``tests/rules/iditacards/long_day/test_form.py`` holds both against each other, key by key.

A fact has two numbers for a name, the first with its kind in the lowest bits, and a number for an answer; answers of
several numbers are places in ``lists``, where their length comes first.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any, Final, NamedTuple

from rules.iditacards.long_day.hands import (
    FAMILY_BITS,
    HANDS,
    HANDS_OVER,
    HELD,
    STUCK,
    USABLE,
    count,
    draw,
    pay,
    plays_of,
)
from rules.iditacards.long_day.offers import COUNTED, KIND_BITS, WHOLE
from rules.iditacards.long_day.turns import TURNS, least_turns

Ints = MutableSequence[int]

# The first kinds of facts are those of ``long_day.hands``.
FREE: Final = 3
"""Kinds of facts: of a board, the boards that free actions make of it, each with whether waiting risks fizzle there;"""
PLAY: Final = 4
"""of a board, a stack and a kind more one, or 0 for none, what playing it does: energy, health, ends, the last of them
for one that is not paid, and 0 in place of those that lose a card to keep;"""
SORT: Final = 5
"""of a deck, a question and an order to look, each deck that it can leave, with whether it stops the turn;"""
# ``long_day.bound`` has further kinds.

ASKED: Final = -2
"""The answer of a fact that has been asked."""
ASKS: Final = 0
"""Places in ``notes``: facts asked,"""
MISSING: Final = 1
"""whether one was missing since this was set to 0,"""
FACTS: Final = 2
"""facts in the table,"""
# Four more are those of ``long_day.bound`` and ``long_day.hands``.
NOTES: Final = 7
"""and the length of ``notes``."""
MOST_ASKS: Final = 4096
"""Facts that may be asked before they must be answered."""
KEYS: Final = 1 << 20
"""Ways through a turn at most."""
WORK: Final = 1 << 20
"""Numbers of working space that ``successors`` needs."""
FULL: Final = -1
"""What ``successors`` returns where there are more ways than ``KEYS``, or deeper ones than ``WORK``."""

DECK_BITS: Final = 18
BOARD_BITS: Final = 15
STACK_BITS: Final = 9
"""Bits of each number in a key, after those of the family: 62 in all."""
_FAMILY: Final = (1 << FAMILY_BITS) - 1
_DECK: Final = (1 << DECK_BITS) - 1
_BOARD: Final = (1 << BOARD_BITS) - 1
_DECK_AT: Final = FAMILY_BITS
_BOARD_AT: Final = FAMILY_BITS + DECK_BITS
_STACK_AT: Final = FAMILY_BITS + DECK_BITS + BOARD_BITS
_FACTORS: Final = (0x5E3779B1, 0x45EBCA77, 0x42B2AE3D, 0x67D4EB2F, 0x665667B1)
"""Odd numbers of 31 bits,"""
_HALF: Final = (1 << 31) - 1
"""and the mask of so many."""
FACT: Final = 4
"""Numbers of a fact in the table: its name, its answer, and one more so that it lies in one line of a cache."""
_ENTRY: Final = 4
"""Numbers of an end under way: its place in ``lists``, orders carried out, deck, cards drawn."""


class DayTables(NamedTuple):
    """Everything the kernel looks up."""

    finish: int
    """Position at which the race is over."""
    bits: int
    """The table of facts has that power of two places."""
    facts: Ints
    """By place in the table: the two numbers of a name, and the answer more one; 0 where there is none."""
    asks: Ints
    """Where in ``facts`` those are that were asked."""
    notes: Ints
    store: Ints
    """Tables of ``long_day.bound``,"""
    chains: Ints
    """and families of hands as ``long_day.hands`` writes them,"""
    family: Ints
    """with the place of each."""
    shift: Ints
    """By kind: where its copies begin in packed cards,"""
    most: Ints
    """and the greatest number there."""
    lists: Ints
    """Answers of several numbers; an end is board, stack, orders, and for each of them cards, whether they are looked
    at, how many of these may be destroyed, and the end if that stops the turn."""
    pos: Ints
    """By board: where the seat stands."""
    size: Ints
    """By deck: its cards; the deck without its top card has the next number,"""
    total: Ints
    """the same packed,"""
    top: Ints
    """the kind of the top card,"""
    stop: Ints
    """the cards above the first that ends a payment,"""
    ground: Ints
    """What ``long_day.bound`` says of cards and sections;"""
    stand: Ints
    """by board: the number of what matters for speed;"""
    section: Ints
    """by that number: the section of the track;"""
    waits: Ints
    """by risk stack: the place in ``lists`` of what waits there."""
    canonical: Ints
    """the number that stands for it in a key."""
    banned: Ints
    """By kind: whether it may not be played from the hand."""
    question: Ints
    """One number, of the order of the deck: facts of ``SORT`` are those of one order."""
    keeping: Ints
    """Two numbers: the bits of kinds, of which no copy may be lost, and of those that pay by the rules."""


def _slot(first: int, second: int, bits: int) -> int:
    """Return where a fact is looked for first in a table of ``1 << bits`` places."""
    # No product overflows: a compiler may take it that none does, and reckon differently in different callers.
    low = (first & _HALF) * _FACTORS[0] ^ (second & _HALF) * _FACTORS[1]
    high = (first >> 31) * _FACTORS[2] ^ (second >> 31) * _FACTORS[3]
    mixed = low ^ high
    mixed = ((mixed ^ mixed >> 31) & _HALF) * _FACTORS[4]
    return mixed >> (62 - bits) & ((1 << bits) - 1)


def fact(first: int, second: int, table: Any) -> int:
    """Return the answer of a fact, or a negative number where it is not known yet; note then that it is asked."""
    answer = known(first, second, table.facts, table.bits)
    if answer < 0:
        answer = ask(first, second, table)
    return answer


def known(first: int, second: int, facts: Ints, bits: int) -> int:
    """Return the answer of a fact, or a negative number."""
    end = FACT << bits
    at = FACT * _slot(first, second, bits)
    while facts[at + 2]:
        if facts[at] == first and facts[at + 1] == second:
            return facts[at + 2] - 1
        at += FACT
        if at == end:
            at = 0
    return -1


def ask(first: int, second: int, table: Any) -> int:
    """Note that a fact is asked and missing; return a negative number."""
    facts = table.facts
    end = FACT << table.bits
    at = FACT * _slot(first, second, table.bits)
    table.notes[MISSING] = 1
    while facts[at + 2]:
        if facts[at] == first and facts[at + 1] == second:
            return ASKED
        at += FACT
        if at == end:
            at = 0
    asks = table.notes[ASKS]
    if asks < MOST_ASKS:
        facts[at], facts[at + 1], facts[at + 2] = first, second, ASKED + 1
        table.asks[asks] = at
        table.notes[ASKS] = asks + 1
        table.notes[FACTS] += 1
    return ASKED


def keep(first: int, second: int, answer: int, table: Any) -> int:
    """Enter a fact with its answer, or another answer; return whether there is room, noted where there is none."""
    facts = table.facts
    end = FACT << table.bits
    at = FACT * _slot(first, second, table.bits)
    while facts[at + 2]:
        if facts[at] == first and facts[at + 1] == second:
            facts[at + 2] = answer + 1
            return 1
        at += FACT
        if at == end:
            at = 0
    if table.notes[FACTS] > (1 << table.bits) // 8 * 5:
        table.notes[MISSING] = 1  # the next pass has a wider table
        return 0
    facts[at], facts[at + 1], facts[at + 2] = first, second, answer + 1
    table.notes[FACTS] += 1
    return 1


def lacking(key: int, turns: int, target: int, table: Any) -> int:
    """Return how many more than ``turns`` turns any line to ``target`` needs at least; note where that is not known."""
    board = (key >> _BOARD_AT) & _BOARD
    if table.pos[board] >= target:
        return 0
    if turns == 0:
        return 1
    family = key & _FAMILY
    deck = (key >> _DECK_AT) & _DECK
    hands = table.family[family]
    stack, held, size = key >> _STACK_AT, table.chains[hands + HELD], table.size[deck]
    # With the cards of the whole day first: many keys share that question.
    cards = table.ground[WHOLE]
    least = least_turns(cards, board, stack, held, size, 1, turns, target, 0, table)
    if 0 <= least <= turns:
        cards = (table.total[deck] + table.chains[hands + HANDS]) & table.ground[COUNTED]
        least = least_turns(cards, board, stack, held, size, least, turns, target, 1, table)
    return least - turns if least > turns else 0


def is_over(key: int, table: Any) -> bool:
    """Return whether the race has ended."""
    return progress(key, table) >= int(table.finish)


def progress(key: int, table: Any) -> int:
    """Return the position, in spaces."""
    at: int = table.pos[(key >> _BOARD_AT) & _BOARD]
    return at


def promise(key: int, table: Any) -> int:
    """Return a guess of how good a key is: progress counts double, then cards in hand."""
    return 2 * progress(key, table) + int(table.chains[table.family[key & _FAMILY] + HELD])


def refile(table: Any, wider: Any) -> None:
    """Enter all facts into an empty table of more places."""
    facts, others = table.facts, wider.facts
    end = FACT << wider.bits
    for place in range(0, FACT << table.bits, FACT):
        if facts[place + 2]:
            at = FACT * _slot(facts[place], facts[place + 1], wider.bits)
            while others[at + 2]:
                at += FACT
                if at == end:
                    at = 0
            for number in range(3):
                others[at + number] = facts[place + number]


def successors(key: int, table: Any, keys: Ints, work: Ints) -> int:
    """Write the key after every way through the next turn; return their number, or ``FULL``.

    Equal keys may be written several times. They are not complete where ``notes`` says that a fact is missing.
    """
    family = key & _FAMILY
    deck = (key >> _DECK_AT) & _DECK
    board = (key >> _BOARD_AT) & _BOARD
    stack = key >> _STACK_AT
    if table.pos[board] >= table.finish:
        return 0
    frees = fact((board << KIND_BITS) | FREE, 0, table)
    if frees < 0:
        return 0
    plays, actions = 0, 1
    if stack == 0:
        plays = plays_of(family, table)
        if plays < 0:
            return 0
        actions = table.chains[plays] // 2
    n = 0
    for action in range(actions):
        rest, after, kind = family, deck, -1
        if stack == 0:
            kind, rest = table.chains[plays + 1 + 2 * action], table.chains[plays + 2 + 2 * action]
            if table.banned[kind]:
                continue
        elif table.size[deck]:
            kind, after = table.top[deck], deck + 1
        for free in range(frees + 1, frees + 1 + table.lists[frees], 2):
            acting = table.lists[free]
            left, shown = after, kind
            if stack and table.lists[free + 1]:  # R33: waiting risks fizzle where the seat stands
                left, shown = deck, -1
            n = act(rest, left, acting, stack, shown, table, keys, n, work)
            if n < 0:
                return n
    return n


def act(rest: int, deck: int, board: int, stack: int, kind: int, table: Any, keys: Ints, n: int, work: Ints) -> int:
    """Write the ends of one main action after ``n`` keys; return how many there are then."""
    play = fact((board << KIND_BITS) | PLAY, stack << 16 | (kind + 1), table)
    if play < 0:
        return n
    first, last = play + 3, play + table.lists[play]
    energy, health = table.lists[play + 1], table.lists[play + 2]
    left, hand = deck + health, table.family[rest]
    payable = table.chains[hand + USABLE]
    if table.keeping[1] and (energy < 0 or energy > payable):
        held = count(table.chains[hand + STUCK] & table.keeping[1], table)
        if held and energy <= payable + held:  # a card to keep would pay
            return n
    if energy > payable:  # R26: what cannot be paid is not paid in part
        first, last, left = last, last + 1, deck
    else:
        if energy:
            rest = pay(rest, energy, table)
            if rest < 0:
                return n
        if health > table.stop[deck]:  # R23, R26
            first, last, left = last, last + 1, deck + min(table.stop[deck] + 1, table.size[deck])
        if (table.total[deck] - table.total[left]) & table.keeping[0]:
            return n
    for end in range(first, last):
        n = carry_out(table.lists[end], left, rest, table, keys, n, work)
        if n < 0:
            break
    return n


def carry_out(end: int, deck: int, rest: int, table: Any, keys: Ints, n: int, work: Ints) -> int:
    """Carry out the orders of an end and write its keys after ``n`` others; return how many there are then."""
    work[0], work[1], work[2], work[3] = end, 0, deck, 0
    top = _ENTRY
    while top:
        top -= _ENTRY
        end, place, deck, drawn = work[top], work[top + 1], work[top + 2], work[top + 3]
        if end == 0:
            continue
        orders = table.lists[end + 3]
        board, stack = table.lists[end + 1], table.lists[end + 2]
        looking = 0
        while place < orders and not looking:
            order = end + 4 + 4 * place
            place += 1
            if table.lists[order + 1]:
                looking = order
            else:
                after = deck + min(table.lists[order], table.size[deck])
                drawn += table.total[deck] - table.total[after]
                deck = after
        if looking:
            name = table.question[0] << 32 | table.lists[looking] << 20 | table.lists[looking + 2]
            results = fact((table.canonical[deck] << KIND_BITS) | SORT, name, table)
            if results < 0:
                continue
            if top + _ENTRY * table.lists[results] > WORK:
                return FULL
            for result in range(results + 1, results + 1 + table.lists[results], 2):
                stopped = table.lists[result + 1]
                work[top] = table.lists[looking + 3] if stopped else end
                work[top + 1] = 0 if stopped else place
                work[top + 2], work[top + 3] = table.lists[result], drawn
                top += _ENTRY
            continue
        family = rest
        if drawn:
            family = draw(rest, drawn, table)
            if family < 0:
                continue
        if n == KEYS:
            return FULL
        keys[n] = ((stack << BOARD_BITS | board) << DECK_BITS | table.canonical[deck]) << FAMILY_BITS | family
        n += 1
    return n


KERNEL: Final = (
    *TURNS,
    *HANDS_OVER,
    _slot,
    fact,
    known,
    ask,
    keep,
    lacking,
    is_over,
    progress,
    promise,
    refile,
    carry_out,
    act,
    successors,
)
"""The functions of this module, for a compiler."""
