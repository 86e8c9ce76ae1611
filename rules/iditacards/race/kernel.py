"""The turns of a whole race over packed integers, as plain functions that a compiler can take over unchanged.

Nothing here knows a card: costs, distances, boards and deck orders are tables that ``race.form`` has asked of the
rules. What this module follows itself is the flow of cards: playing and paying (R20 to R25), failing (R26, Q29), the
risk stack (R28, R31, R33, R34, R36, R38), drawing (R64), the deck of a new day (R60, R61). ``tests/rules/iditacards/
test_race_form.py`` holds it against the engine, position by position.

A key is one integer: from the lowest bits the hand (a few bits for each kind of card), the risk stack, the board, the
number of cards taken off today's deck, and today's deck. Only ints, sequences of ints and these functions are used;
``table`` is a ``RaceTables``, whose sequences are lists in plain Python and arrays for a compiler.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, Final, NamedTuple

Ints = Sequence[int]
Work = MutableSequence[int]

MOST_PAYMENTS: Final = 4096
"""Ways to pay one cost at most; ``race.form`` refuses rulesets that could have more."""
_KINDS: Final = 0
"""Places in the working space: the kinds held,"""
_QUEUE: Final = 64
"""cards about to take effect, five numbers each,"""
_ENDS: Final = 1024
"""ends of a main action, two numbers each,"""
_PAID: Final = 4096
"""hands after part of a payment, with the kind of the last card paid."""
WORK: Final = _PAID + 4 * MOST_PAYMENTS
"""Numbers of working space that ``successors`` needs."""


class RaceTables(NamedTuple):
    """Everything the kernel looks up; a table by board and kind has its entry at ``board * kinds + kind``."""

    kinds: int
    """Kinds of card; cards that nothing tells apart are one kind."""
    hand_mask: int
    stack_shift: int
    stack_mask: int
    board_shift: int
    board_mask: int
    taken_shift: int
    taken_mask: int
    deck_shift: int
    row: int
    """Length of a deck's row in ``order`` and ``drawn``."""
    mixes: int
    """Different multisets that a new day may shuffle; the decks of one day have consecutive numbers."""
    shift: Ints
    """By kind: the place of its count in a hand, the mask of the count, and one card."""
    mask: Ints
    unit: Ints
    energy: Ints
    """By board and kind: costs as the rules give them (R18, R19)."""
    health: Ints
    risk: Ints
    effect: Ints
    """By board and kind: first entry of the three tables of effects; the next value is one past the last."""
    effect_board: Ints
    """Board after the card, for each way it may take effect."""
    effect_spaces: Ints
    effect_draws: Ints
    automatic: Ints
    """By board: spaces of the automatic move (R47)."""
    free: Ints
    """By board: first entry in ``free_board``, the boards that free actions may make before a main action (R13)."""
    free_board: Ints
    day: Ints
    """By board: first entry of the three tables of new days."""
    day_board: Ints
    """Board after the free actions of the turn that calls a new day,"""
    day_mix: Ints
    """the multiset that is shuffled then,"""
    day_draws: Ints
    """and the cards drawn (R64)."""
    stack_top: Ints
    """By stack: kind of the top frame, the risk cards it still needs, and the stack without it."""
    stack_left: Ints
    stack_rest: Ints
    stack_less: Ints
    """By stack: the same with one risk card done."""
    push: Ints
    """By stack, kind and need, ``(stack * kinds + kind) * most_risk + need - 1``: the stack with another frame."""
    most_risk: int
    number: Ints
    """By deck: the new days before it, and its cards."""
    size: Ints
    order: Ints
    """By deck, at ``deck * row``: the kind of each card, top first."""
    drawn: Ints
    """Likewise: the first n cards, packed like a hand, for n from 0 to the size."""


def successors(key: int, table: Any, keys: Work, gains: Work, work: Work) -> int:
    """Write the key and the spaces gained for every way through the next turn; return their number.

    Equal keys may be written several times.
    """
    hand = key & table.hand_mask
    stack = (key >> table.stack_shift) & table.stack_mask
    board = (key >> table.board_shift) & table.board_mask
    taken = (key >> table.taken_shift) & table.taken_mask
    deck = key >> table.deck_shift
    size = table.size[deck]
    n = _new_days(board, deck, table, keys, gains)
    actions, held = 1, _held(hand, table, work)
    if stack == 0:
        actions, held = held & 63, held >> 6
    else:
        held >>= 6
    today = deck << table.deck_shift
    for place in range(table.free[board], table.free[board + 1]):
        acting = table.free_board[place]
        for action in range(actions):
            if stack == 0:
                kind = work[_KINDS + action]
                rest, left, below = hand - table.unit[kind], held - 1, taken
            elif taken < size:
                kind = table.order[deck * table.row + taken]
                rest, left, below = hand, held, taken + 1
            else:  # R33: no risk card is left, the stack fizzles
                keys[n] = today | (taken << table.taken_shift) | (acting << table.board_shift) | hand
                gains[n] = table.automatic[acting]
                n += 1
                continue
            cost = table.energy[acting * table.kinds + kind]
            if cost > left:  # R26: what cannot be paid is not paid in part (Q22)
                keys[n] = today | (below << table.taken_shift) | (acting << table.board_shift) | rest
                gains[n] = table.automatic[acting]
                n += 1
                continue
            ends = _ends(kind, acting, stack, below, deck, table, work)
            first, ways = _PAID, 1
            work[_PAID] = rest
            if cost:
                first, ways = _payments(rest, cost, table, work)
            for way in range(first, first + ways):
                rest = work[way]
                for end in range(_ENDS, _ENDS + 2 * ends, 2):
                    keys[n] = work[end] + rest
                    gains[n] = work[end + 1]
                    n += 1
    return n


def _held(hand: int, table: Any, work: Work) -> int:
    """Write the kinds held; return their number and, from bit 6 on, the number of cards."""
    kinds = cards = 0
    for kind in range(table.kinds):
        count = (hand >> table.shift[kind]) & table.mask[kind]
        if count:
            work[_KINDS + kinds] = kind
            kinds += 1
            cards += count
    return (cards << 6) | kinds


def _new_days(board: int, deck: int, table: Any, keys: Work, gains: Work) -> int:
    """Write the ends of turns that call a new day: all that is not in play is shuffled, a hand is drawn (R60, R61)."""
    n = 0
    tomorrow = table.number[deck] * table.mixes + 1
    for place in range(table.day[board], table.day[board + 1]):
        after = table.day_board[place]
        new = tomorrow + table.day_mix[place]
        drawn = min(table.day_draws[place], table.size[new])
        keys[n] = (
            (new << table.deck_shift)
            | (drawn << table.taken_shift)
            | (after << table.board_shift)
            | table.drawn[new * table.row + drawn]
        )
        gains[n] = table.automatic[after]
        n += 1
    return n


def _ends(kind: int, board: int, stack: int, below: int, deck: int, table: Any, work: Work) -> int:
    """Write each end of a main action once its energy is paid, as key without the hand and spaces; return how many.

    What is written holds the cards drawn, so that the rest of the hand is only added to it.
    """
    size = table.size[deck]
    today = deck << table.deck_shift
    at = board * table.kinds + kind
    after = below + table.health[at]
    if after > size:  # R23, R26: the deck runs out, everything fizzles
        work[_ENDS] = today | (size << table.taken_shift) | (board << table.board_shift)
        work[_ENDS + 1] = table.automatic[board]
        return 1
    need = table.risk[at]
    if need:  # R24
        waiting = table.push[(stack * table.kinds + kind) * table.most_risk + need - 1]
        work[_ENDS] = (
            today | (after << table.taken_shift) | (board << table.board_shift) | (waiting << table.stack_shift)
        )
        work[_ENDS + 1] = table.automatic[board]
        return 1
    ends = 0
    row = deck * table.row
    queue = _QUEUE
    work[queue], work[queue + 1], work[queue + 2], work[queue + 3], work[queue + 4] = board, 0, 0, stack, kind
    while queue >= _QUEUE:
        board, spaces, draws = work[queue], work[queue + 1], work[queue + 2]
        stack, kind = work[queue + 3], work[queue + 4]
        queue -= 5
        at = board * table.kinds + kind
        for way in range(table.effect[at], table.effect[at + 1]):  # R36
            now = table.effect_board[way]
            moved = spaces + table.effect_spaces[way]
            drawing = draws + table.effect_draws[way]
            if stack and table.stack_left[stack] == 1:  # R31, R38: the frame below has all its risk cards
                queue += 5
                work[queue], work[queue + 1], work[queue + 2] = now, moved, drawing
                work[queue + 3], work[queue + 4] = table.stack_rest[stack], table.stack_top[stack]
                continue
            waiting = table.stack_less[stack]
            top = min(after + drawing, size)
            work[_ENDS + 2 * ends] = (
                (today | (top << table.taken_shift) | (now << table.board_shift) | (waiting << table.stack_shift))
                + table.drawn[row + top]
                - table.drawn[row + after]
            )
            work[_ENDS + 2 * ends + 1] = moved + table.automatic[now]
            ends += 1
    return ends


def _payments(hand: int, cost: int, table: Any, work: Work) -> tuple[int, int]:
    """Write what each way to discard ``cost`` cards leaves of a hand (R22); return the first place and their number.

    Cards go in the order of their kinds, so no way comes twice.
    """
    first, other = _PAID, _PAID + 2 * MOST_PAYMENTS
    work[first], work[first + MOST_PAYMENTS] = hand, 0
    count = 1
    for _ in range(cost):
        more = 0
        for way in range(first, first + count):
            rest = work[way]
            for kind in range(work[way + MOST_PAYMENTS], table.kinds):
                if (rest >> table.shift[kind]) & table.mask[kind]:
                    work[other + more] = rest - table.unit[kind]
                    work[other + more + MOST_PAYMENTS] = kind
                    more += 1
        first, other, count = other, first, more
    return first, count


KERNEL: Final = (_held, _new_days, _ends, _payments, successors)
"""The functions of this module, for a compiler."""
