"""Families of hands over numbers, as plain functions that a compiler can take over unchanged.

What a family is, and why paying, drawing and playing keep it whole, is said in ``compact.hands``, function by function
in the same order; the tests hold both against each other. Families have numbers of their own here. Each is written down
in ``chains``, ``family`` has its place there, and what becomes of it is kept among the facts of ``long_day.kernel``.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Final

from rules.iditacards.long_day.offers import KIND_BITS, KINDS, MISSING, SHORT, UNPAYABLE

if TYPE_CHECKING:  # ``long_day.kernel`` imports this module, and binds them
    from rules.iditacards.long_day.kernel import keep, known

Ints = MutableSequence[int]

PLAYS: Final = 0
"""Kinds of facts: of a family, the place in ``chains`` of the kinds that it holds with what is left of it, in pairs;"""
PAY: Final = 1
"""of a family and a cost more one, the family once it is paid;"""
DRAW: Final = 2
"""of a family and cards, packed, the family with them;"""
FAMILY: Final = 6
"""of the mixed numbers of a family, and others of the same, its number."""

FAMILIES: Final = 5
"""Places in ``notes``: families there are,"""
CHAINED: Final = 6
"""and numbers of ``chains`` in use."""
USABLE, HELD, HANDS, STUCK, GROUPS, CHAIN = range(6)
"""Of a family in ``chains``: the cards of each hand that may pay, all of them, all cards that its hands may have, and
those that may not pay, both packed; then its chain: the number of groups, and each with its cards and those gone."""
FAMILY_BITS: Final = 20
"""Bits of a family in a key."""
NO_ROOM: Final = 2
"""What ``SHORT`` says where keys have no room for another family."""
LINK: Final = 64
"""Where in ``store`` a chain is put together: groups of cards and cards gone,"""
RESTS: Final = LINK + 512
"""and where what is left of a family by kind."""
_MIXED: Final = (1 << 50) - 1


def count(cards: int, table: Any) -> int:
    """Return the number of cards in a packed multiset."""
    n = 0
    for kind in range(table.ground[KINDS]):
        rest = cards >> table.shift[kind]
        if rest == 0:
            break
        n += rest & table.most[kind]
    return n


def family_of(stuck: int, groups: int, table: Any) -> int:
    """Return the number of the family with the normal chain at ``LINK`` and these cards that cannot pay, or -1."""
    store, chains = table.store, table.chains
    mixed = stuck & _MIXED
    for at in range(LINK, LINK + 2 * groups):
        mixed = ((mixed << 5) - mixed + (store[at] ^ store[at] >> 29)) & _MIXED
    other = 0
    found = known(mixed << KIND_BITS | FAMILY, other, table.facts, table.bits)
    while found >= 0:
        place = table.family[found]
        same = chains[place + STUCK] == stuck and chains[place + GROUPS] == groups
        at = 0
        while same and at < 2 * groups:
            same = chains[place + CHAIN + at] == store[LINK + at]
            at += 1
        if same:
            return found
        other += 1
        found = known(mixed << KIND_BITS | FAMILY, other, table.facts, table.bits)
    number = int(table.notes[FAMILIES])
    place = int(table.notes[CHAINED])
    if number >= len(table.family) or place + CHAIN + 2 * groups > len(chains) or number >> FAMILY_BITS:
        table.notes[SHORT] = NO_ROOM if number >> FAMILY_BITS else 1
        table.notes[MISSING] = 1
        return -1
    if not keep(mixed << KIND_BITS | FAMILY, other, number, table):
        return -1
    payable = 0
    for group in range(groups):
        payable += store[LINK + 2 * group]
    usable = count(payable, table) - (store[LINK + 2 * groups - 1] if groups else 0)
    chains[place + USABLE], chains[place + HELD] = usable, usable + count(stuck, table)
    chains[place + HANDS], chains[place + STUCK], chains[place + GROUPS] = stuck + payable, stuck, groups
    for at in range(2 * groups):
        chains[place + CHAIN + at] = store[LINK + at]
    table.family[number] = place
    table.notes[FAMILIES], table.notes[CHAINED] = number + 1, place + CHAIN + 2 * groups
    return number


def taken_up(family: int, table: Any) -> int:
    """Copy the chain of a family to ``LINK``; return its groups."""
    place = table.family[family]
    groups: int = table.chains[place + GROUPS]
    for at in range(2 * groups):
        table.store[LINK + at] = table.chains[place + CHAIN + at]
    return groups


def pay(family: int, cost: int, table: Any) -> int:
    """Return what is left after ``cost`` cards paid, -1 for all that may, there being so many; or -1."""
    left = known(family << KIND_BITS | PAY, cost + 1, table.facts, table.bits)
    if left < 0:
        left = paid(family, cost, table)
    return left


def paid(family: int, cost: int, table: Any) -> int:
    """Work out what ``pay`` returns."""
    place = table.family[family]
    groups = 0
    if 0 < cost < table.chains[place + USABLE]:
        groups = taken_up(family, table)
        table.store[LINK + 2 * groups - 1] += cost
        groups = normal(groups, table)
    left = family_of(table.chains[place + STUCK], groups, table)
    if left >= 0:
        keep(family << KIND_BITS | PAY, cost + 1, left, table)
    return left


def draw(family: int, cards: int, table: Any) -> int:
    """Return the family after packed ``cards`` have come to the hand, or -1."""
    more = known(family << KIND_BITS | DRAW, cards, table.facts, table.bits)
    if more < 0:
        more = drawn_to(family, cards, table)
    return more


def drawn_to(family: int, cards: int, table: Any) -> int:
    """Work out what ``draw`` returns."""
    unpayable = cards & table.ground[UNPAYABLE]
    groups = taken_up(family, table)
    if cards != unpayable:
        table.store[LINK + 2 * groups] = cards - unpayable
        table.store[LINK + 2 * groups + 1] = table.store[LINK + 2 * groups - 1] if groups else 0
        groups = normal(groups + 1, table)
    more = family_of(table.chains[table.family[family] + STUCK] + unpayable, groups, table)
    if more >= 0:
        keep(family << KIND_BITS | DRAW, cards, more, table)
    return more


def plays_of(family: int, table: Any) -> int:
    """Return the place in ``chains`` of each kind that some hand of the family holds, and what is left of it, or -1."""
    plays = known(family << KIND_BITS | PLAYS, 0, table.facts, table.bits)
    if plays < 0:
        plays = plays_from(family, table)
    return plays


def plays_from(family: int, table: Any) -> int:
    """Work out what ``plays_of`` returns."""
    store, place = table.store, table.family[family]
    n = 0
    for kind in range(table.ground[KINDS]):
        rest = -2
        shift, most = table.shift[kind], table.most[kind]
        stuck = table.chains[place + STUCK]
        if stuck >> shift & most:
            rest = family_of(stuck - (1 << shift), taken_up(family, table), table)
        else:
            group = table.chains[place + GROUPS] - 1
            while group >= 0 and not table.chains[place + CHAIN + 2 * group] >> shift & most:
                group -= 1
            if group >= 0:
                groups = taken_up(family, table)
                store[LINK + 2 * group] -= 1 << shift
                rest = family_of(stuck, normal(groups, table), table)
        if rest == -1:
            return -1
        if rest >= 0:
            store[RESTS + n], store[RESTS + n + 1] = kind, rest
            n += 2
    plays = int(table.notes[CHAINED])
    if plays + 1 + n > len(table.chains):
        table.notes[SHORT] = 1
        table.notes[MISSING] = 1
        return -1
    if not keep(family << KIND_BITS | PLAYS, 0, plays, table):
        return -1
    table.chains[plays] = n
    for at in range(n):
        table.chains[plays + 1 + at] = store[RESTS + at]
    table.notes[CHAINED] = plays + 1 + n
    return plays


def normal(groups: int, table: Any) -> int:
    """Make the chain at ``LINK`` the shortest of the same family; return its groups."""
    store = table.store
    done = lost = 0
    for group in range(groups):
        cards, gone = store[LINK + 2 * group], store[LINK + 2 * group + 1] - lost
        size = count(cards, table)
        while done and gone - store[LINK + 2 * done - 1] >= size:
            done -= 1
            cards += store[LINK + 2 * done]
            size += count(store[LINK + 2 * done], table)
        if not done and gone >= size:
            lost += size
            continue
        before = store[LINK + 2 * done - 3] if done > 1 else 0
        if done and gone == store[LINK + 2 * done - 1] and gone == before:
            done -= 1
            cards += store[LINK + 2 * done]
        store[LINK + 2 * done], store[LINK + 2 * done + 1] = cards, gone
        done += 1
    return done


HANDS_OVER: Final = (count, family_of, taken_up, pay, paid, draw, drawn_to, plays_of, plays_from, normal)
"""The functions of this module, for a compiler."""
