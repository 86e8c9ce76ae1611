"""What is known of a node as soon as ``dealing.loop`` comes to it, as functions for a compiler.

A frame is read and written in place; what is asked is normalised on the way: kinds alike for the turns left are
counted together, so that many nodes are one.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.ends import after_draws, after_sight, capped, few, outdone
from solver.search.dealing.facts import (
    ACTING,
    AFTER,
    AHEAD,
    AIM,
    AIMING,
    ASIDE,
    ASKED,
    AVOIDING,
    BANNED,
    BASE_BITS,
    BITS,
    BLOCK,
    CLASSES,
    COMING,
    COUNT,
    COUPLE,
    DRAWN,
    FAR,
    FEW,
    FINISH,
    FLOORS,
    FURTHEST,
    GAINED,
    HALTED,
    HELD,
    HIDDEN,
    HIGH,
    IDLER,
    JUDGED,
    KEEPS,
    KINDS,
    LATE,
    LEAST,
    LEVELS,
    LOOKING,
    LOW,
    MANY,
    MAY_END,
    MOST,
    NEAR,
    NONE,
    OFFSETS,
    ORDERS,
    PICKING,
    PLACE,
    PLENTY,
    PRUNED,
    QUOTA,
    RESTING,
    RISKY,
    ROOMS,
    SHIFTS,
    SIZES,
    STANCE,
    STANCES,
    STOPPED,
    TAKING,
    TARGET,
    TOLD,
    TURN_BITS,
    TURNED,
    UNEVEN,
    VAGUELY,
    WAITS,
    WANTED,
    Ints,
    acts_missing,
    aim_of,
    aim_told,
    alike,
    classed,
    joined,
    lasting_of,
    room_of,
    scaled,
    seen,
    shared,
)
from solver.search.dealing.floors import floor_of, floored
from solver.search.dealing.frames import (
    ADDED,
    BEST,
    BEST_HIGH,
    ITEM,
    NODE,
    OUTER,
    PAY,
    REST,
    STEP,
    SURVEY,
    TOTAL,
    TOTAL_HIGH,
    TWIN,
    VIEW,
)
from solver.search.dealing.lasts import at_once, is_asked, last_played
from solver.search.dealing.luck import NEVER, is_in_question, luck_of, paid_for
from solver.search.dealing.pairs import leave_out, leave_out_before_pick, picks_missing
from solver.search.dealing.table import file, remembered
from solver.search.dealing.twice import after_pick, twice

TAKES: Final = -4
"""What ``decided`` returns where cards are taken from a supply first,"""
LEAVES: Final = -5
"""and where nothing but a new day wins."""


def entered(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the low part of what a new frame asks for where it is known; ``ASIDE`` where it has to be worked out."""
    if frames[f] == PAY:
        cleared(f, frames[f + 8], frames)
        return paid_for(f, facts, known, other, frames)
    low = looked_up(f, facts, known, other, frames)
    return begun(f, facts, known, other, frames) if low == ASIDE else low


def looked_up(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the same where it is known or told without a search; ``ASIDE`` where not, and the frame has a name."""
    frames[f + ADDED] = 0
    if frames[f] == NODE:
        low = ended(f, facts, frames)
        if low == ASIDE and frames[f + 9] == 1:
            low = last_told(f, facts, frames)
        if low != ASIDE:
            return low
        count_together(f, facts, frames)
    low = recalled(f, facts, known, other, frames)
    return low if low == ASIDE else moved_on(f, low, facts, frames)


def cleared(f: int, item: int, frames: Ints) -> None:
    """Make a frame ready for what its questions bring, from a number on."""
    frames[f + ITEM], frames[f + BEST] = item, NONE
    frames[f + OUTER] = frames[f + TOTAL] = frames[f + TOTAL_HIGH] = frames[f + BEST_HIGH] = 0
    frames[f + TWIN] = frames[f + STEP] = frames[f + SURVEY] = 0


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
    value = decided(f, facts, frames)
    if value >= 0:
        return scaled(frames[f + 3], value, facts)
    if value == TAKES:
        stance, left = facts[STANCES] + STANCE * frames[f + 5], frames[f + 3] - frames[f + 7] - frames[f + 8]
        return taken(f, stance, frames[f + 9], left, facts, frames)
    if value == LEAVES:
        return floored(frames[f + 5], frames[f + 9], facts)
    if value == NONE:
        facts[HIGH] = 0
    return value


def decided(f: int, facts: Ints, frames: Ints) -> int:
    """Return the value of a node likewise, ``TAKES`` and ``LEAVES`` where they say what it is worth."""
    size, held, won, turns = frames[f + 3], frames[f + 4], frames[f + 6], frames[f + 9]
    stance, target = facts[STANCES] + STANCE * frames[f + 5], facts[TARGET]
    there, waits = facts[stance + PLACE] + won, facts[stance + WAITS]
    left = size - frames[f + 7] - frames[f + 8]
    lasting = lasting_of(stance, held + frames[f + 7] + left, left, facts)
    if target >= 0:
        turns = turns if facts[RESTING] else min(turns, lasting)
        frames[f + 9] = turns
        if there >= target:
            return facts[FURTHEST]
        if turns == 0 or there >= facts[FINISH]:
            return 0
    elif turns == 0 or there >= facts[FINISH]:
        return there
    elif turns > lasting and not facts[MAY_END]:
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
        return LEAVES if facts[RESTING] and turns > 1 else 0
    if facts[RESTING]:
        if turns == 1:
            return facts[FURTHEST] if facts[stance + FLOORS] == facts[FURTHEST] else ASIDE
        if floor_of(stance, turns, facts) == -1:
            return STOPPED
    if facts[stance + LOOKING] > 0 and facts[stance + LOOKING] != PICKING:
        low = sight_ended(facts[facts[stance + BLOCK] + 5], turns, facts)
        wanted = facts[KEEPS] and facts[AIMING] and turns == 2 and facts[stance + AIM] == -1
        if low == ASIDE and wanted and facts[COUNT] >= facts[MANY]:
            facts[ASKED], facts[WANTED] = frames[f + 5], turns
            return STOPPED
        return low
    aim = aim_of(stance, turns, facts)
    if aim == -1 and facts[ASKED] >= 0:
        return STOPPED
    if facts[stance + TAKING] > 0:
        return TAKES
    if aim >= 0 and facts[aim]:
        facts[PRUNED] += 1
        return LEAVES if facts[RESTING] else 0
    if aim >= 0 and facts[aim + 6] != frames[f + 5]:
        frames[f + 5] = facts[aim + 6]
        aim = aim_of(facts[STANCES] + STANCE * frames[f + 5], turns, facts)
        if aim == -1:
            facts[ASKED], facts[WANTED] = frames[f + 5], turns
            return STOPPED
    if facts[COUNT] >= facts[FAR] and acts_missing(frames[f + 5], turns, facts):
        facts[ASKED], facts[WANTED] = frames[f + 5], turns + ACTING - 2
        return STOPPED
    if aim >= 0 and facts[COUNT] >= facts[MANY]:
        room = room_of(aim, turns, held + frames[f + 7], left, facts)
        if room and facts[room] == -1:
            facts[ASKED] = frames[f + 5]
            facts[WANTED] = turns | room - facts[aim + ROOMS] + 1 << TURN_BITS
            return STOPPED
        if turns == 2 and facts[stance + LOOKING] == PICKING:
            return picks_missing(frames[f + 5], held + frames[f + 7], left, won, facts)
    return ASIDE


def taken(f: int, stance: int, turns: int, left: int, facts: Ints, frames: Ints) -> int:
    """Return what a turn is worth on which cards are taken from a supply, with one more to play; else ``ASIDE``.

    On the last one the best card counts, of those taken or of the hand, and with how many others it can be paid.
    """
    size, draws = frames[f + 3], frames[f + 7]
    told = facts[stance + TAKING]
    if turns > 2 or (turns == 2 and facts[told + VAGUELY]):  # a day of its own tells that, or the game turn by turn
        facts[UNEVEN] = 1
    if turns != 2:
        return ASIDE
    afters, most, best = facts[told + AFTER], facts[told], facts[told + 1]
    if draws or not afters:
        return ASIDE
    hand, held, at, kinds = frames[f + 2], frames[f + 4], facts[SHIFTS], facts[KINDS]
    room = facts[told + ROOMS] + held * facts[SIZES] + left
    if facts[room] == -1:
        facts[ASKED], facts[WANTED] = frames[f + 5], GAINED | room - facts[told + ROOMS] + 1 << TURN_BITS
        return STOPPED
    for place in range(told + AFTER + 1, told + AFTER + 1 + 2 * afters, 2):
        given = 1 if facts[place + 1] else 0
        after = facts[STANCES] + STANCE * facts[place]
        if facts[after + BLOCK] == -1:
            facts[ASKED] = facts[place]
            return STOPPED
        if is_asked(after, facts):
            return STOPPED
        for kind in range(kinds):
            there = hand >> facts[at + kind] & facts[at + kinds + 1 + kind] or facts[place + 1] == kind + 1
            if there and not facts[facts[BANNED] + kind]:
                for more in range(given, given + most + 1):
                    best = max(best, last_played(after, kind, TOLD, held - 1 + more, left, frames[f + 6], facts))
    row = facts[room]
    least, greatest = facts[row], facts[row + 1]
    best = max(best, least)
    if best == NONE:
        facts[HIGH] = 0
        return 0 if facts[TARGET] >= 0 else NONE
    if best >= greatest:
        return scaled(size, best, facts)
    mean = facts[row + 2 + best - least] + 2 * size
    if facts[mean] < 0:
        facts[UNEVEN] = 1
        return 0
    facts[HIGH] = facts[mean + 1]
    return facts[mean]


def sight_ended(after: int, turns: int, facts: Ints) -> int:
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
        return 0
    return ASIDE


def last_told(f: int, facts: Ints, frames: Ints) -> int:
    """Return what a last turn is worth where it is told without looking at what comes off the deck before."""
    deck, hand, size, held = frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    won, draws, view = frames[f + 6], frames[f + 7], frames[f + VIEW]
    stance = facts[STANCES] + STANCE * frames[f + 5]
    left, waits = size - draws - frames[f + 8], facts[stance + WAITS]
    if facts[stance + LOOKING] > 0:
        picking = facts[stance + LOOKING] == PICKING
        if (draws and not picking) or not facts[AVOIDING]:
            return ASIDE
        chosen = 1 if held else 0
        if picking:
            low = after_pick(stance, deck, hand, size, draws, chosen, held + draws, left, won, facts)
        else:
            low = after_sight(stance, deck, hand, size, chosen, held, left, won, view, facts)
        if low == NONE:
            facts[HIGH] = 0
            return 0 if facts[TARGET] >= 0 else NONE
        return low
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
    hand, draws, turns, view = frames[f + 2], frames[f + 7], frames[f + 9], frames[f + VIEW]
    stance = facts[STANCES] + STANCE * frames[f + 5]
    if facts[stance + LOOKING] > 0:
        count_for_sight(f, facts, frames)
        return
    if aim_told(stance, turns, facts) >= 0:
        count_aimed(f, stance, draws, frames[f + 4] + draws, frames[f + 3] - draws - frames[f + 8], facts, frames)
        return
    left, held = frames[f + 3] - draws - frames[f + 8], frames[f + 4] + draws
    waits = facts[stance + WAITS]
    told = few_held(turns, waits, held, left, view, facts)
    hand = capped(hand, told, facts) if told else alike(hand, held_classes(turns, waits, left, view, facts), facts)
    row = deck_row(hand, draws, turns, waits, held, left, facts)
    frames[f + 1], frames[f + 2] = alike(frames[f + 1], seen(facts[row], view, facts), facts), hand
    if facts[TARGET] < 0 and facts[OFFSETS]:
        frames[f + ADDED], frames[f + 6] = frames[f + 6], 0


def count_for_sight(f: int, facts: Ints, frames: Ints) -> None:
    """Replace kinds by those that are alike once cards have been looked at; as for a deck with all of them put back.

    Where any may come to the hand they are told apart as cards that are drawn; so they are where an end is picked, as
    nothing is said of what comes off the deck then.
    """
    stance, turns = facts[STANCES] + STANCE * frames[f + 5], frames[f + 9]
    block = facts[stance + BLOCK]
    if facts[stance + LOOKING] != PICKING:
        stance = facts[STANCES] + STANCE * facts[block + 5]
    if facts[stance + LOOKING] == PICKING:
        if aim_told(stance, turns, facts) >= 0:
            count_aimed(f, stance, 1, -1, 0, facts, frames)
            picking = stance == facts[STANCES] + STANCE * frames[f + 5]
            if picking and turns == 2 and facts[IDLER] >= 0 and facts[COUNT] >= facts[MANY]:
                leave_out_before_pick(f, facts, frames)
        return
    drawing = frames[f + 7] + facts[block + 6] + facts[KEEPS]
    if aim_told(stance, turns, facts) >= 0:
        count_aimed(f, stance, drawing, -1, 0, facts, frames)
        if turns == 2 and not drawing and facts[block + 1] == facts[block + 5]:
            count_sorted(f, stance, facts[block + 2], facts, frames)
        return
    left, waits = frames[f + 3] - frames[f + 7] - frames[f + 8], facts[stance + WAITS]
    hand = alike(frames[f + 2], held_classes(turns, waits, left, TOLD, facts), facts)
    row = deck_row(hand, drawing, turns, waits, frames[f + 4] + frames[f + 7], left, facts)
    frames[f + 1], frames[f + 2] = alike(frames[f + 1], facts[row], facts), hand


def count_sorted(f: int, stance: int, seen: int, facts: Ints, frames: Ints) -> None:
    """Leave out what does not count before so many cards are looked at, whichever go and whichever are put back."""
    stance = facts[STANCES] + STANCE * facts[facts[stance + AIM] + 6]
    if facts[IDLER] >= 0 and facts[stance + AIM] != -1 and facts[facts[stance + AIM] + ROOMS]:
        left = frames[f + 3] - frames[f + 8]
        rooms = facts[facts[stance + AIM] + ROOMS] + frames[f + 4] * facts[SIZES]
        leave_out(f, rooms, 0, max(left - seen, 0), left, facts, frames)


def few_held(turns: int, waits: int, held: int, left: int, view: int, facts: Ints) -> int:
    """Return where it is told what counts of a hand that has so many cards once all are drawn; 0 where it is not."""
    if turns == 2 and (waits or held >= facts[LEAST]):
        return few(1 if waits else 2, left, view, facts)
    return 0


def held_classes(turns: int, waits: int, left: int, view: int, facts: Ints) -> int:
    """Return where the classes of the hand are."""
    level = 2 * min(turns, facts[LEVELS] - 1) + waits
    return seen(facts[facts[HELD] + level * facts[SIZES] + left], view, facts)


def deck_row(hand: int, draws: int, turns: int, waits: int, held: int, left: int, facts: Ints) -> int:
    """Return where it is told where the classes of the deck are; ``held`` cards are in hand once all are drawn."""
    level = 2 * min(turns, facts[LEVELS] - 1) + waits
    if draws:
        if turns == 2 and not waits and facts[FEW]:
            return facts[COUPLE] + min(held, facts[PLENTY]) * facts[SIZES] + left
        return facts[DRAWN] + level * facts[SIZES] + left
    if not waits and facts[COMING] and not hand & (facts[RISKY] | facts[COMING]):
        return facts[HIDDEN]  # no card of the deck is ever seen in time: all are alike
    risky = 1 if hand & facts[RISKY] else 0
    if turns == 2 and risky and not waits and facts[TURNED]:
        return facts[TURNED] + min(held, facts[PLENTY]) * facts[SIZES] + left
    return facts[HIDDEN] + (2 * level + risky) * facts[SIZES] + left


def count_aimed(f: int, stance: int, draws: int, held: int, left: int, facts: Ints, frames: Ints) -> None:
    """Replace kinds by those that are alike on a stance with few turns left.

    ``held`` cards are in hand, and ``left`` in the deck, once all are drawn and paid; -1 where it is not known.
    """
    aim, hand = facts[stance + AIM + frames[f + 9] - 2], frames[f + 2]
    room = room_of(aim, frames[f + 9], held, left, facts)
    if room and facts[room] != -1:
        aim = facts[room]
    if facts[aim + 1]:
        hand = outdone(capped(hand, facts[aim + 2], facts), facts[aim + 2], facts)
    else:
        hand = joined(hand, facts[aim + 2], facts)
    if not draws and not facts[stance + WAITS] and not hand & facts[aim + 5]:
        facts[CLASSES] = facts[facts[HIDDEN]]  # no card of the deck is ever seen in time
        deck = classed(frames[f + 1], facts[CLASSES], facts)
    else:
        facts[CLASSES] = facts[aim + 4] if draws else facts[aim + 3]
        deck = joined(frames[f + 1], facts[CLASSES], facts)
    facts[JUDGED] = 0
    frames[f + 1], frames[f + 2] = deck, hand
    if room and facts[IDLER] >= 0:
        leave_out(f, room - left, draws, left, left, facts, frames)


def recalled(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what is known of a node, ``ASIDE`` where nothing is; give it a name."""
    rest = rest_of(f, frames[f + 7], frames[f + 8], frames)
    frames[f + REST] = rest
    return remembered(frames[f + 2], frames[f + 1], rest, facts, known, other)


def rest_of(f: int, draws: int, paying: int, frames: Ints) -> int:
    """Return the rest of the name of a node with other numbers of cards to be drawn and paid."""
    rest = ((((frames[f + 9] << 5 | draws) << 5 | paying) << 9 | frames[f + 6]) << 2 | frames[f]) << 30
    return rest | frames[f + VIEW] << 28 | frames[f + 5]


def begun(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what a node with a name is worth where it is told at once, ``STOPPED`` where no more may be asked."""
    bits = facts[BITS]
    if facts[QUOTA] <= 0 or facts[COUNT] >= min(3 << bits >> 2, facts[MOST]) or facts[HALTED]:
        return STOPPED
    if frames[f] == NODE and is_in_question(f, facts, frames):
        luck = luck_of(f, facts, known, other, frames)
        if luck == NEVER:
            file(known, bits, frames[f + 2], frames[f + 1], frames[f + REST], 0, 0)
            facts[COUNT] += 1
            facts[HIGH] = 0
            return 0
        if luck == STOPPED:
            return STOPPED
    facts[QUOTA] -= 1
    cleared(f, 0, frames)
    stance = facts[STANCES] + STANCE * frames[f + 5]
    if frames[f] != NODE or frames[f + 9] != 2 or frames[f + 7]:
        return ASIDE
    deck, hand, size, held = frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    if facts[stance + TAKING] > 0:  # once all is drawn, nodes come here without being entered
        low = taken(f, stance, 2, size - frames[f + 8], facts, frames)
    elif facts[stance + LOOKING] > 0 or not facts[AVOIDING] or facts[stance + WAITS]:
        return ASIDE
    else:
        low = twice(stance, deck, hand, size, frames[f + 8], held, frames[f + 6], frames[f + VIEW], facts)
    if low in (STOPPED, ASIDE):
        return low
    file(known, bits, hand, deck, frames[f + REST], low, facts[HIGH])
    facts[COUNT] += 1
    return moved_on(f, low, facts, frames)
