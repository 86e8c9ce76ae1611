"""The turns of a whole race over legs, weather and conditions, as plain functions that a compiler can take over.

A position is two numbers. The *key* holds the cards: from the lowest bits the hand, the risk stack, the board, the
cards taken off today's deck, and the multiset that was shuffled for it. The *place* holds the rest: starvation and
hypothermia (3 bits each), the space on the track, the new days called. As in ``race.kernel``, whose payments serve
here too, no card is known and no number of a leg or of the weather: all are tables that ``track.tables`` has asked of
the rules. What this module follows itself is the flow of cards (R20 to R39, R60, R61) and, of the movement, that a move
covers its number and the speed, never less than 0 (R44, Q3), and that entering legs raises conditions to what they say
at least (R49, Q10). ``tests/rules/iditacards/track/test_form.py`` holds it against the engine, position by position.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rules.iditacards.race.kernel import _held, _payments

if TYPE_CHECKING:  # the bound brings it, see ``track.bound``

    def needs(key: int, place: int, least: Any, tables: Any, bound: Any) -> int:
        """Return the turns that a position needs at least."""


Ints = Sequence[int]
Work = MutableSequence[int]

LEVELS: Final = 64
"""Pairs of conditions, ``hypothermia * 8 + starvation``."""
POS_SHIFT: Final = 6
POS_MASK: Final = 255
DAY_SHIFT: Final = 14
PART: Final = 12
"""Bits of a hand that are looked up at once."""
_KINDS: Final = 0
"""Places in the working space, as in ``race.kernel``: the kinds held,"""
_QUEUE: Final = 64
"""cards about to take effect, six numbers each,"""
_ENDS: Final = 1024
"""ends of a main action, two numbers each,"""
_PAID: Final = 4096
"""hands after part of a payment."""


class Suits(NamedTuple):
    """What hands are told apart by: kinds, or several kinds as one; the fields are those of ``TrackTables``."""

    kinds: int
    shift: Ints
    mask: Ints
    unit: Ints


def hand_sums(suits: Suits, parts: int, worth: Sequence[int]) -> list[int]:
    """Return what each part of a hand is worth, by part and its bits; counts that lie across two parts add up."""
    kinds = {suits.shift[kind]: kind for kind in range(suits.kinds)}
    sums = []
    for part in range(parts):
        for bits in range(1 << PART):
            counts = [(bits << part * PART & suits.mask[kind] << at) >> at for at, kind in kinds.items()]
            sums.append(sum(count * worth[kind] for count, kind in zip(counts, kinds.values(), strict=True)))
    return sums


class TrackTables(NamedTuple):
    """Everything the kernel looks up; the first fields are those of ``RaceTables``."""

    kinds: int
    hand_mask: int
    stack_shift: int
    stack_mask: int
    board_shift: int
    board_mask: int
    taken_shift: int
    taken_mask: int
    deck_shift: int
    row: int
    mixes: int
    boards: int
    sections: int
    shift: Ints
    mask: Ints
    unit: Ints
    suits: Suits
    """What payments choose among; ``shift``, ``mask`` and ``unit`` are those of the suit of a kind."""
    parts: int
    """Parts of a hand,"""
    counts: Ints
    """and the cards in each, at ``part << PART | bits``."""
    is_view: int
    """Whether a suit may stand for several kinds."""
    held: Ints
    """In a view: by deck and cards taken off it, at ``deck * row + taken``, bits of the kinds that may be in hand."""
    gone: Ints
    """In a view: by board, bits of the kinds of which all cards are in play or destroyed."""
    section: Ints
    """By space up to ``POS_MASK``: the stretch it lies on."""
    passed: Ints
    """By space: checkpoints up to it whose card is chosen by then."""
    weather: Ints
    """By new days called: the face, as a number."""
    speed: Ints
    """By face, section and board: the speed without conditions (R43)."""
    drag: Ints
    """By conditions: what they take off the speed,"""
    stuck: Ints
    """and whether they keep from moving (R44)."""
    entry: Ints
    """By board and the sections a move begins and ends on: the least conditions after it, packed (R49)."""
    tabled: Ints
    """By kind and conditions: the conditions once the card is on the table (R21)."""
    energy: Ints
    """By kind and conditions: costs (R18),"""
    health: Ints
    risk: Ints
    """and by kind (R19)."""
    idle: Ints
    """By kind: whether it is never played here, and ends a line when it comes up as a risk card."""
    fizzles: Ints
    """By section: whether risks fail there (R24, R33)."""
    effect: Ints
    """By board and kind: first entry of the four tables of effects."""
    effect_board: Ints
    effect_move: Ints
    """Printed distance, -1 for none,"""
    effect_times: Ints
    """1, or 2 where the distance is doubled,"""
    effect_draws: Ints
    effect_mill: Ints
    """and cards looked at and discarded."""
    mood: Ints
    """By kind: 0, or 1 and the row of ``moods`` where the card changes conditions when it takes effect,"""
    moods: Ints
    """by row, section and conditions: the conditions afterwards (R48)."""
    automatic: int
    """Printed distance of the automatic move (R47)."""
    free: Ints
    free_board: Ints
    day_mix: Ints
    """By board and cards chosen at checkpoints: the multiset that a new day shuffles."""
    choices: int
    """Numbers of cards chosen at checkpoints."""
    dawn: Ints
    """By face, section, conditions and class of board: the conditions after the roll and what legs do then (R62)."""
    classes: int
    board_class: Ints
    loss: Ints
    """By section and board: first entry in ``loss_board``, the boards that a leg leaves at the start of a day."""
    loss_board: Ints
    day_draws: Ints
    """By face, section and board: the cards drawn for a new day (R64)."""
    stack_top: Ints
    stack_left: Ints
    stack_rest: Ints
    stack_less: Ints
    push: Ints
    most_risk: int
    size: Ints
    order: Ints
    drawn: Ints
    payable: Ints
    """By cards that may pay and cost, ``cards * 16 + cost``: whether there is room for all payments."""
    room: int
    """Ways through a turn that there is room for."""


def progress(place: int) -> int:
    """Return the space on the track."""
    return (place >> POS_SHIFT) & POS_MASK


def moved(place: int, n: int, times: int, board: int, table: Any) -> int:
    """Return the place after a move of ``n`` and the speed, so many times that (R44, R45, R49)."""
    levels = place & (LEVELS - 1)
    day = place >> DAY_SHIFT
    pos = (place >> POS_SHIFT) & POS_MASK
    if table.stuck[levels]:
        return place
    section = table.section[pos]
    face = table.weather[day]
    distance: int = n + table.speed[(face * table.sections + section) * table.boards + board] - table.drag[levels]
    distance *= times
    if distance <= 0:
        return place
    pos = min(pos + distance, POS_MASK)
    there = table.section[pos]
    if there != section:
        least = table.entry[(board * table.sections + section) * table.sections + there]
        levels = (max(levels >> 3, least >> 3) << 3) | max(levels & 7, least & 7)
    return (day << DAY_SHIFT) | (pos << POS_SHIFT) | levels


def deck_of(key: int, place: int, table: Any) -> int:
    """Return the number of today's deck."""
    day = place >> DAY_SHIFT
    deck = 0
    if day:
        deck = (day - 1) * table.mixes + 1 + (key >> table.deck_shift)
    return deck


def successors(
    key: int,
    place: int,
    table: Any,
    keys: Work,
    places: Work,
    work: Work,
    turns: int,
    least: Ints,
    bound: Any,
) -> int:
    """Write key and place for the ways through the next turn; return their number, -1 if there is no room for them.

    With ``turns`` of 0 or more, ways may be left out whose ends the bound excludes from the target in so many more
    turns: with all cards that the payment takes they would fall short, and fewer cards are no better to the bound.
    """
    hand = key & table.hand_mask
    stack = (key >> table.stack_shift) & table.stack_mask
    board = (key >> table.board_shift) & table.board_mask
    taken = (key >> table.taken_shift) & table.taken_mask
    deck = deck_of(key, place, table)
    today = (key >> table.deck_shift) << table.deck_shift
    size = table.size[deck]
    n = _new_days(board, place, table, keys, places)
    actions, held = 1, _playable(hand, board, deck * table.row + taken, table, work)
    if stack == 0:
        actions, held = held & 63, held >> 6
    else:
        held >>= 6
    fizzles = table.fizzles[table.section[(place >> POS_SHIFT) & POS_MASK]]
    for at in range(table.free[board], table.free[board + 1]):
        acting = table.free_board[at]
        for action in range(actions):
            if stack == 0:
                kind = work[_KINDS + action]
                rest, left, below = hand - table.unit[kind], held - 1, taken
            elif taken < size and not fizzles:
                kind = table.order[deck * table.row + taken]
                rest, left, below = hand, held, taken + 1
            else:  # R33: no risk card is left or none counts here, the stack fizzles
                keys[n] = today | (taken << table.taken_shift) | (acting << table.board_shift) | hand
                places[n] = moved(place, table.automatic, 1, acting, table)
                n += 1
                continue
            if table.idle[kind]:
                continue
            levels = table.tabled[kind * LEVELS + (place & (LEVELS - 1))]
            here = (place >> POS_SHIFT << POS_SHIFT) | levels
            cost = table.energy[kind * LEVELS + levels]
            if cost > left:  # R26: what cannot be paid is not paid in part (Q22)
                keys[n] = today | (below << table.taken_shift) | (acting << table.board_shift) | rest
                places[n] = moved(here, table.automatic, 1, acting, table)
                n += 1
                continue
            ends = _ends(kind, acting, stack, below, deck, today, here, table, work)
            first, ways = _PAID, 1
            work[_PAID] = rest
            if turns >= 0:
                ends = _worthwhile(ends, rest, turns, table, least, bound, work)
                if ends == 0:
                    continue
            if cost:
                if table.payable[left * 16 + cost] == 0:
                    return -1
                first, ways = _payments(rest, cost, table.suits, work)
            if n + ways * ends > table.room - POS_MASK * 8:
                return -1
            for way in range(first, first + ways):
                rest = work[way]
                for end in range(_ENDS, _ENDS + 2 * ends, 2):
                    keys[n] = work[end] + rest
                    places[n] = work[end + 1]
                    n += 1
    return n


def _playable(hand: int, board: int, at: int, table: Any, work: Work) -> int:
    """Write the kinds that can be played; return their number and, from bit 6 on, the number of cards.

    In a view these are all kinds of the suits held that may be in hand: those drawn by now.
    """
    if table.is_view == 0:
        return _held(hand, table, work)
    cards = _held(hand, table.suits, work) >> 6
    kinds = 0
    may = table.held[at] & ~table.gone[board]
    for kind in range(table.kinds):
        if (may >> kind) & 1 and (hand >> table.shift[kind]) & table.mask[kind]:
            work[_KINDS + kinds] = kind
            kinds += 1
    return (cards << 6) | kinds


def _worthwhile(ends: int, hand: int, turns: int, table: Any, least: Any, bound: Any, work: Any) -> int:
    """Keep the ends of a main action that the bound does not exclude, with this hand; return their number."""
    kept = 0
    for end in range(_ENDS, _ENDS + 2 * ends, 2):
        key, place = work[end], work[end + 1]
        if progress(place) >= bound.target or needs(key + hand, place, least, table, bound) <= turns:
            work[_ENDS + kept], work[_ENDS + kept + 1] = key, place
            kept += 2
    return kept // 2


def _new_days(board: int, place: int, table: Any, keys: Work, places: Work) -> int:
    """Write the ends of turns that call a new day (R60, R61)."""
    n = 0
    pos = (place >> POS_SHIFT) & POS_MASK
    day = (place >> DAY_SHIFT) + 1
    section = table.section[pos]
    site = table.weather[day] * table.sections + section
    for at in range(table.free[board], table.free[board + 1]):
        before = table.free_board[at]
        mix = table.day_mix[before * table.choices + table.passed[pos]]
        levels = table.dawn[(site * table.classes + table.board_class[before]) * LEVELS + (place & (LEVELS - 1))]
        deck = (day - 1) * table.mixes + 1 + mix
        for loss in range(table.loss[section * table.boards + before], table.loss[section * table.boards + before + 1]):
            after = table.loss_board[loss]
            drawn = min(table.day_draws[site * table.boards + after], table.size[deck])
            keys[n] = (
                (mix << table.deck_shift)
                | (drawn << table.taken_shift)
                | (after << table.board_shift)
                | table.drawn[deck * table.row + drawn]
            )
            dawn = (day << DAY_SHIFT) | (pos << POS_SHIFT) | levels
            places[n] = moved(dawn, table.automatic, 1, after, table)
            n += 1
    return n


def _ends(
    kind: int, board: int, stack: int, below: int, deck: int, today: int, place: int, table: Any, work: Work
) -> int:
    """Write each end of a main action once its energy is paid, as key without the hand and place; return how many.

    What is written holds the cards drawn, so that the rest of the hand is only added to it.
    """
    size = table.size[deck]
    after = below + table.health[kind * LEVELS + (place & (LEVELS - 1))]
    need = table.risk[kind]
    if after > size:  # R23, R26: the deck runs out, everything fizzles
        work[_ENDS] = today | (size << table.taken_shift) | (board << table.board_shift)
        work[_ENDS + 1] = moved(place, table.automatic, 1, board, table)
        return 1
    if need:  # R24
        waiting = 0
        if table.fizzles[table.section[(place >> POS_SHIFT) & POS_MASK]] == 0:
            waiting = table.push[(stack * table.kinds + kind) * table.most_risk + need - 1]
        if waiting < 0:  # higher than the form follows
            return 0
        work[_ENDS] = (
            today | (after << table.taken_shift) | (board << table.board_shift) | (waiting << table.stack_shift)
        )
        work[_ENDS + 1] = moved(place, table.automatic, 1, board, table)
        return 1
    ends = 0
    row = deck * table.row
    queue = _QUEUE
    work[queue], work[queue + 1], work[queue + 2], work[queue + 3] = board, place, after, 0
    work[queue + 4], work[queue + 5] = stack, kind
    while queue >= _QUEUE:
        board, place, top, got = work[queue], work[queue + 1], work[queue + 2], work[queue + 3]
        stack, kind = work[queue + 4], work[queue + 5]
        queue -= 6
        at = board * table.kinds + kind
        for way in range(table.effect[at], table.effect[at + 1]):  # R36
            now = table.effect_board[way]
            there = place
            if table.effect_move[way] >= 0:
                there = moved(place, table.effect_move[way], table.effect_times[way], now, table)
            if table.mood[kind]:
                row_of = (table.mood[kind] - 1) * table.sections + table.section[(there >> POS_SHIFT) & POS_MASK]
                there = (there >> POS_SHIFT << POS_SHIFT) | table.moods[row_of * LEVELS + (there & (LEVELS - 1))]
            seen = min(top + table.effect_mill[way], size)
            drawn = min(seen + table.effect_draws[way], size)
            cards = got + table.drawn[row + drawn] - table.drawn[row + seen]
            if stack and table.stack_left[stack] == 1:  # R31, R38: the frame below has all its risk cards
                queue += 6
                work[queue], work[queue + 1], work[queue + 2], work[queue + 3] = now, there, drawn, cards
                work[queue + 4], work[queue + 5] = table.stack_rest[stack], table.stack_top[stack]
                continue
            waiting = table.stack_less[stack]
            work[_ENDS + 2 * ends] = (
                today | (drawn << table.taken_shift) | (now << table.board_shift) | (waiting << table.stack_shift)
            ) + cards
            work[_ENDS + 2 * ends + 1] = moved(there, table.automatic, 1, now, table)
            ends += 1
    return ends


KERNEL: Final = (progress, moved, deck_of, _held, _payments, _playable, _worthwhile, _new_days, _ends, successors)
"""The functions of this module, for a compiler."""
