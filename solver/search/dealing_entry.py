"""What is known of a node as soon as ``dealing`` comes to it, as functions for a compiler.

A frame is read and written in place; what is asked is normalised on the way: kinds alike for the turns left are
counted together, so that many nodes are one.
"""

from __future__ import annotations

from solver.search.dealing_ends import after_draws, capped, few, twice
from solver.search.dealing_facts import (
    AHEAD,
    AIM,
    ASIDE,
    ASKED,
    AVOIDING,
    BASE_BITS,
    BITS,
    BLOCK,
    COMING,
    COUNT,
    COUPLE,
    DRAWN,
    FEW,
    FINISH,
    HALTED,
    HELD,
    HIDDEN,
    HIGH,
    IN_VAIN,
    KEEPS,
    LATE,
    LEAST,
    LEVELS,
    LOOKING,
    LOW,
    MAY_END,
    MOST,
    NEAR,
    NONE,
    OFFSETS,
    ORDERS,
    OTHER_BITS,
    PLACE,
    PLENTY,
    PRUNED,
    QUOTA,
    RISKY,
    SIZES,
    STANCE,
    STANCES,
    STOPPED,
    TARGET,
    TURNED,
    WAITS,
    WANTED,
    Ints,
    aim_of,
    at_once,
    classed,
    joined,
    scaled,
    seen,
    shared,
)
from solver.search.dealing_frames import (
    ADDED,
    BEST,
    BEST_HIGH,
    ITEM,
    NODE,
    OUTER,
    PAY,
    REST,
    STEP,
    TOTAL,
    TOTAL_HIGH,
    TWIN,
    VIEW,
)
from solver.search.dealing_table import file, find


def entered(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the low part of what a new frame asks for where it is known; ``ASIDE`` where it has to be worked out."""
    mode = frames[f]
    frames[f + ITEM] = frames[f + 8] if mode == PAY else 0
    frames[f + OUTER] = frames[f + TOTAL] = frames[f + TOTAL_HIGH] = frames[f + BEST_HIGH] = 0
    frames[f + BEST] = NONE
    frames[f + TWIN] = frames[f + STEP] = frames[f + ADDED] = 0
    if mode == PAY:
        return ASIDE
    if mode == NODE:
        low = ended(f, facts, frames)
        if low == ASIDE and frames[f + 9] == 1:
            low = last_told(f, facts, frames)
        if low != ASIDE:
            return low
        count_together(f, facts, frames)
    return moved_on(f, recalled(f, facts, known, other, frames), facts, frames)


def moved_on(f: int, low: int, facts: Ints, frames: Ints) -> int:
    """Return a worth with the spaces that were left out of a node's name; the upper part is ``facts[HIGH]``."""
    added = frames[f + ADDED]
    if added and low >= 0:
        orders = facts[ORDERS] + 2 * frames[f + 3]
        low += facts[orders] * added
        facts[HIGH] += facts[orders + 1] * added + (low >> BASE_BITS)
        low &= LOW
    return low


def ended(f: int, facts: Ints, frames: Ints) -> int:
    """Return what a node is worth that is decided, or from which the target is out of reach; else ``ASIDE``."""
    size, held, won, turns = frames[f + 3], frames[f + 4], frames[f + 6], frames[f + 9]
    stance, target = facts[STANCES] + STANCE * frames[f + 5], facts[TARGET]
    there, waits = facts[stance + PLACE] + won, facts[stance + WAITS]
    left = size - frames[f + 7] - frames[f + 8]
    lasting = held + frames[f + 7] + left
    if facts[IN_VAIN]:
        lasting += lasting + waits
    elif waits or left:
        lasting += 1
    if target >= 0:
        turns = min(turns, lasting)
        frames[f + 9] = turns
        if there >= target:
            return scaled(size, 1, facts)
        if turns == 0 or there >= facts[FINISH]:
            return scaled(size, 0, facts)
    elif turns == 0 or there >= facts[FINISH]:
        return scaled(size, there, facts)
    elif turns > lasting and not facts[MAY_END]:
        facts[HIGH] = 0
        return NONE
    if facts[stance + BLOCK] == -1:
        facts[ASKED] = frames[f + 5]
        return STOPPED
    if waits and min(turns, left) <= NEAR:
        place = facts[stance + LATE + min(turns, left)]
        frames[f + 5] = place
        stance = facts[STANCES] + STANCE * place
        if facts[stance + BLOCK] == -1:
            facts[ASKED] = place
            return STOPPED
    if target >= 0 and turns <= NEAR and facts[stance + AHEAD + turns] + won < target:
        facts[PRUNED] += 1
        return scaled(size, 0, facts)
    if facts[stance + LOOKING] > 0:
        return sight_ended(facts[facts[stance + BLOCK] + 5], turns, size, facts)
    aim = aim_of(stance, turns, facts)
    if aim == -1 and facts[ASKED] >= 0:
        return STOPPED
    if aim >= 0 and facts[aim]:
        facts[PRUNED] += 1
        return scaled(size, 0, facts)
    if aim >= 0 and facts[aim + 6] != frames[f + 5]:
        frames[f + 5] = facts[aim + 6]
        aim = aim_of(facts[STANCES] + STANCE * frames[f + 5], turns, facts)
        if aim == -1:
            facts[ASKED], facts[WANTED] = frames[f + 5], turns
            return STOPPED
    return ASIDE


def sight_ended(after: int, turns: int, size: int, facts: Ints) -> int:
    """Return what it is worth to look at cards where nothing can win afterwards; else ``ASIDE``."""
    stance = facts[STANCES] + STANCE * after
    if facts[stance + BLOCK] == -1:
        facts[ASKED] = after
        return STOPPED
    aim = aim_of(stance, turns, facts)
    if aim == -1 and facts[ASKED] >= 0:
        return STOPPED
    if aim >= 0 and facts[aim]:
        facts[PRUNED] += 1
        return scaled(size, 0, facts)
    return ASIDE


def last_told(f: int, facts: Ints, frames: Ints) -> int:
    """Return what a last turn is worth where it is told without looking at what comes off the deck before."""
    deck, hand, size, held = frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    won, draws, view = frames[f + 6], frames[f + 7], frames[f + VIEW]
    stance = facts[STANCES] + STANCE * frames[f + 5]
    if facts[stance + LOOKING] > 0:
        return ASIDE
    left, waits = size - draws - frames[f + 8], facts[stance + WAITS]
    if waits or not draws:
        count = at_once(stance, deck, hand, size, left, held + draws, won, view, facts)
        if count == STOPPED:
            return STOPPED
        if count > 0:
            return shared(size, count, facts) if waits and left else scaled(size, count, facts)
        if count != ASIDE:
            facts[HIGH] = 0
            return 0 if facts[TARGET] >= 0 else count
    if waits or not facts[AVOIDING]:
        return ASIDE
    return after_draws(stance, deck, hand, size, draws, 1 if held else 0, held + draws, left, won, view, facts)


def count_together(f: int, facts: Ints, frames: Ints) -> None:
    """Replace kinds by those that are alike in a node, and leave out spaces won where they only add to the worth."""
    hand, held, draws = frames[f + 2], frames[f + 4], frames[f + 7]
    turns, view = frames[f + 9], frames[f + VIEW]
    stance = facts[STANCES] + STANCE * frames[f + 5]
    if facts[stance + LOOKING] > 0:
        count_for_sight(f, facts, frames)
        return
    if aim_of(stance, turns, facts) >= 0:
        count_aimed(f, stance, draws, facts, frames)
        return
    left = frames[f + 3] - draws - frames[f + 8]
    waits = facts[stance + WAITS]
    level = 2 * min(turns, facts[LEVELS] - 1) + waits
    row = level * facts[SIZES] + left
    told = 0
    if turns == 2 and (waits or held + draws >= facts[LEAST]):
        told = few(1 if waits else 2, left, view, facts)
    if told:
        hand = capped(hand, told, facts)
    else:
        hand = classed(hand, seen(facts[facts[HELD] + row], view, facts), facts)
    if draws and turns == 2 and not waits and facts[FEW]:
        row = facts[COUPLE] + min(held + draws, facts[PLENTY]) * facts[SIZES] + left
    elif draws:
        row += facts[DRAWN]
    else:
        risky = 1 if hand & facts[RISKY] else 0
        if not waits and facts[COMING] and not hand & (facts[RISKY] | facts[COMING]):
            row = facts[HIDDEN]  # no card of the deck is ever seen in time: all are alike
        elif turns == 2 and risky and not waits and facts[TURNED]:
            row = facts[TURNED] + min(held, facts[PLENTY]) * facts[SIZES] + left
        else:
            row = facts[HIDDEN] + (2 * level + risky) * facts[SIZES] + left
    frames[f + 1], frames[f + 2] = classed(frames[f + 1], seen(facts[row], view, facts), facts), hand
    if facts[TARGET] < 0 and facts[OFFSETS]:
        frames[f + ADDED], frames[f + 6] = frames[f + 6], 0


def count_for_sight(f: int, facts: Ints, frames: Ints) -> None:
    """Replace kinds by those that are alike once cards have been looked at; as for a deck with all of them put back.

    Where any may come to the hand they are told apart as cards that are drawn.
    """
    block = facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK]
    stance, turns = facts[STANCES] + STANCE * facts[block + 5], frames[f + 9]
    drawing = frames[f + 7] + facts[block + 6] + facts[KEEPS]
    if aim_of(stance, turns, facts) >= 0:
        count_aimed(f, stance, drawing, facts, frames)
        return
    level = 2 * min(turns, facts[LEVELS] - 1) + facts[stance + WAITS]
    left = frames[f + 3] - frames[f + 7] - frames[f + 8]
    hand = classed(frames[f + 2], facts[facts[HELD] + level * facts[SIZES] + left], facts)
    if drawing:
        row = facts[DRAWN] + level * facts[SIZES] + left
    else:
        row = facts[HIDDEN] + (2 * level + (1 if hand & facts[RISKY] else 0)) * facts[SIZES] + left
    frames[f + 1], frames[f + 2] = classed(frames[f + 1], facts[row], facts), hand


def count_aimed(f: int, stance: int, draws: int, facts: Ints, frames: Ints) -> None:
    """Replace kinds by those that are alike on a stance with few turns left."""
    aim = facts[stance + AIM + frames[f + 9] - 2]
    hand = frames[f + 2]
    hand = capped(hand, facts[aim + 2], facts) if facts[aim + 1] else joined(hand, facts[aim + 2], facts)
    if not draws and not facts[stance + WAITS] and not hand & facts[aim + 5]:
        deck = classed(frames[f + 1], facts[facts[HIDDEN]], facts)  # no card of the deck is ever seen in time
    else:
        deck = joined(frames[f + 1], facts[aim + 4] if draws else facts[aim + 3], facts)
    frames[f + 1], frames[f + 2] = deck, hand


def recalled(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what is known of a node, or told at once; give it a name, and ``STOPPED`` where no more may be asked."""
    mode, deck, hand, size, held = frames[f], frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    place, won, draws = frames[f + 5], frames[f + 6], frames[f + 7]
    paying, turns, view = frames[f + 8], frames[f + 9], frames[f + VIEW]
    rest = ((((turns << 5 | draws) << 5 | paying) << 9 | won) << 2 | mode) << 30 | view << 28 | place
    frames[f + REST] = rest
    bits, other_bits = facts[BITS], facts[OTHER_BITS]
    entry = find(known, bits, hand, deck, rest)
    if entry >= 0:
        facts[HIGH] = known[entry + 4]
        return known[entry + 3]
    if other_bits:
        entry = find(other, other_bits, hand, deck, rest)
        if entry >= 0:
            facts[HIGH] = other[entry + 4]
            return other[entry + 3]
    if facts[QUOTA] <= 0 or facts[COUNT] >= min(3 << bits >> 2, facts[MOST]) or facts[HALTED]:
        return STOPPED
    facts[QUOTA] -= 1
    stance = facts[STANCES] + STANCE * place
    if mode != NODE or turns != 2 or draws or not facts[AVOIDING] or facts[stance + WAITS]:
        return ASIDE
    if facts[stance + LOOKING] > 0:
        return ASIDE
    low = twice(stance, deck, hand, size, paying, held, won, view, facts)
    if low not in (STOPPED, ASIDE):
        file(known, bits, hand, deck, rest, low, facts[HIGH])
        facts[COUNT] += 1
    return low
