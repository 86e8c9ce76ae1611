"""Expectiminimax over packed positions, as plain functions that a compiler can take over unchanged.

What ``contests.expectiminimax`` does over the keys of a tree, for games whose positions are four words and which bring
the rest as functions of a kernel (``rules.core.contest_kernel``). Values are whole numbers of two words
(``rules.core.wide``). Every answer is a proved interval, low and high: its ends are equal where the value lies inside
the window asked for, else one of them lies on that side of it.

What is known of positions lies in a transposition table (``contests.known``); ends of turns are searched in the order
of their looks (``contests.order``). A list of ends that is full stops the search, and whoever asked makes room and asks
again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from rules.core.contest_kernel import (
    ASKED,
    BASE,
    BEST,
    BEYOND,
    BEYOND_FORM,
    BUDGET,
    CASES,
    CHANCES,
    CUT_SHORT,
    ENTRY,
    EXTRA,
    FIRST_ENTRY,
    GAIN,
    HINT,
    HORIZON,
    HOW_MANY,
    OTHERS,
    PAUSED,
    STOP,
    UNIT,
    WORST,
)
from rules.core.wide import Ints, carried, less, mean, negated, share
from solver.search.contests.known import found_at, keep
from solver.search.contests.order import MOST_ENDS, STRIDE, order

if TYPE_CHECKING:
    from solver.search.contests.hooks import (
        after_chance,
        after_ends,
        asked_ends,
        bounded,
        chances,
        guessed,
        half_turns_gone,
        is_chance,
        is_leaf,
        last_turn,
        mover_of,
        shelled_for,
    )

PLIES: Final = 40
"""Steps of a line at most."""
SHARES: Final = 2
"""Times that an outcome of chance is asked for its share of what is missing before it is searched in full."""
PART: Final = 10
"""Numbers of an outcome of chance in ``frames``: position, ways, low and high, times asked."""


def searched(
    ply: int,
    x: int,
    y: int,
    z: int,
    meta: int,
    alpha_a: int,
    alpha_b: int,
    beta_a: int,
    beta_b: int,
    facts: Ints,
    work: Ints,
    frames: Ints,
    known: Ints,
    lists: Ints,
    entries: Ints,
    memory: Ints,
    notes: Ints,
) -> tuple[int, int, int, int]:
    """Return what is proved of a position, enough to tell it from the window; nothing of worth once stopped."""
    base, unit, cases = facts[BASE], facts[UNIT], facts[CASES]
    part = unit // cases
    at = found_at(x, y, z, meta, facts, known)
    hint = -1
    if at >= 0:
        low_a, low_b, high_a, high_b = known[at + 4], known[at + 5], known[at + 6], known[at + 7]
        hint = known[at + 8]
    else:
        low, high = bounded(x, y, z, meta, facts, work)
        low_a, low_b, high_a, high_b = low * part, 0, high * part, 0
    if (
        (low_a == high_a and low_b == high_b)
        or not less(low_a, low_b, beta_a, beta_b)
        or not less(alpha_a, alpha_b, high_a, high_b)
    ):
        return low_a, low_b, high_a, high_b
    # Windows are no wider than what is open: those of outcomes would outgrow their words.
    if less(alpha_a, alpha_b, low_a, low_b):
        alpha_a, alpha_b = carried(low_a, low_b - 1, base)
    if less(high_a, high_b, beta_a, beta_b):
        beta_a, beta_b = carried(high_a, high_b + 1, base)
    notes[ASKED] += 1
    if notes[ASKED] >= notes[BUDGET]:
        notes[STOP] = PAUSED
    if ply >= PLIES:
        notes[STOP] = BEYOND_FORM
    if notes[STOP]:
        return low_a, low_b, high_a, high_b
    if half_turns_gone(meta, facts) >= notes[HORIZON]:
        notes[CUT_SHORT] = 1
        if notes[BEYOND] == WORST:
            return low_a, low_b, low_a, low_b
        if notes[BEYOND] == BEST:
            return high_a, high_b, high_a, high_b
        lead = guessed(x, y, z, facts, work) * unit
        if less(lead, 0, low_a, low_b):
            return low_a, low_b, low_a, low_b
        if less(high_a, high_b, lead, 0):
            return high_a, high_b, high_a, high_b
        return lead, 0, lead, 0
    frame = STRIDE * ply
    if is_leaf(meta, facts):
        a, b = last_turn(x, y, z, meta, alpha_a, alpha_b, beta_a, beta_b, facts, work, lists, entries, memory, notes)
        if notes[STOP]:
            return low_a, low_b, high_a, high_b
        if less(alpha_a, alpha_b, a, b) and less(low_a, low_b, a, b):
            low_a, low_b = a, b
        if less(a, b, beta_a, beta_b) and less(a, b, high_a, high_b):
            high_a, high_b = a, b
    elif is_chance(meta):
        count = chances(x, y, z, facts, work)
        for place in range(count):
            frames[frame + PART * place] = work[CHANCES + 2 * place]
            frames[frame + PART * place + 4] = work[CHANCES + 2 * place + 1]
        sum_a, sum_b, top_a, top_b = 0, 0, 0, 0
        for place in range(count):
            here = frame + PART * place
            p, q, r, s = after_chance(x, y, z, meta, frames[here], facts, work, notes)
            frames[here], frames[here + 1], frames[here + 2], frames[here + 3] = p, q, r, s
            ways = frames[here + 4]
            at = found_at(p, q, r, s, facts, known)
            if at >= 0:
                for word in range(4):
                    frames[here + 5 + word] = known[at + 4 + word]
            else:
                low, high = bounded(p, q, r, s, facts, work)
                frames[here + 5], frames[here + 6] = low * part, 0
                frames[here + 7], frames[here + 8] = high * part, 0
            frames[here + 9] = 0
            sum_a += ways * frames[here + 5]
            sum_b += ways * frames[here + 6]
            top_a += ways * frames[here + 7]
            top_b += ways * frames[here + 8]
        sum_a, sum_b = carried(sum_a, sum_b, base)
        top_a, top_b = carried(top_a, top_b, base)
        least_a, least_b = carried(alpha_a * cases, alpha_b * cases, base)
        most_a, most_b = carried(beta_a * cases, beta_b * cases, base)
        # Where only a side of the window is asked for, outcomes are asked for their share of what is missing first.
        narrow_a, narrow_b = carried(beta_a - alpha_a, beta_b - alpha_b, base)
        shares = SHARES * count if narrow_a == 0 and narrow_b <= 1 else 0
        while less(sum_a, sum_b, most_a, most_b) and less(least_a, least_b, top_a, top_b):
            # What leaves most open comes first, those asked least before the others.
            chosen = -1
            widest = 0.0
            for place in range(count):
                here = frame + PART * place
                wide = float(frames[here + 7] - frames[here + 5]) + (frames[here + 8] - frames[here + 6]) / base
                if wide <= 0.0 and frames[here + 7] == frames[here + 5] and frames[here + 8] == frames[here + 6]:
                    continue
                wide = (wide * frames[here + 4] + 1e-9) / 64.0 ** min(frames[here + 9], SHARES)
                if wide > widest:
                    widest = wide
                    chosen = here
            if chosen < 0:
                break
            ways = frames[chosen + 4]
            worst_a, worst_b = frames[chosen + 5], frames[chosen + 6]
            best_a, best_b = frames[chosen + 7], frames[chosen + 8]
            if shares > 0:
                shares -= 1
                open_all = float(top_a - sum_a) + (top_b - sum_b) / base
                missing = float(most_a - sum_a) + (most_b - sum_b) / base
                step = (float(best_a - worst_a) + (best_b - worst_b) / base) * missing / open_all
                whole = int(step)
                ceil_a, ceil_b = carried(worst_a + whole, worst_b + int((step - whole) * base) + 1, base)
                if less(best_a, best_b, ceil_a, ceil_b):
                    ceil_a, ceil_b = best_a, best_b
                floor_a, floor_b = carried(ceil_a, ceil_b - 1, base)
            else:
                floor_a, floor_b = share(least_a - top_a + ways * best_a, least_b - top_b + ways * best_b, ways, base)
                ceil_a, ceil_b = share(most_a - sum_a + ways * worst_a, most_b - sum_b + ways * worst_b, ways, base)
                # One part more, so that nothing is lost where it does not come out even.
                ceil_a, ceil_b = carried(ceil_a, ceil_b + 1, base)
            frames[chosen + 9] += 1
            a, b, c, d = searched(
                ply + 1,
                frames[chosen],
                frames[chosen + 1],
                frames[chosen + 2],
                frames[chosen + 3],
                floor_a,
                floor_b,
                ceil_a,
                ceil_b,
                facts,
                work,
                frames,
                known,
                lists,
                entries,
                memory,
                notes,
            )
            if notes[STOP]:
                return low_a, low_b, high_a, high_b
            if less(worst_a, worst_b, a, b):
                frames[chosen + 5], frames[chosen + 6] = a, b
                sum_a, sum_b = carried(sum_a + ways * (a - worst_a), sum_b + ways * (b - worst_b), base)
            if less(c, d, best_a, best_b):
                frames[chosen + 7], frames[chosen + 8] = c, d
                top_a, top_b = carried(top_a + ways * (c - best_a), top_b + ways * (d - best_b), base)
        if sum_a == top_a and sum_b == top_b:
            low_a, low_b = mean(sum_a, sum_b, cases, base, notes)
            high_a, high_b = low_a, low_b
        else:
            a, b = share(sum_a, sum_b, cases, base)
            if less(low_a, low_b, a, b):
                low_a, low_b = a, b
            a, b = share(top_a, top_b + cases - 1, cases, base)
            if less(a, b, high_a, high_b):
                high_a, high_b = a, b
    else:
        ends = asked_ends(x, y, z, meta, facts, work, lists, entries, notes)
        if ends < 0:
            return low_a, low_b, high_a, high_b
        e, f, g, extra = work[OTHERS], work[OTHERS + 1], work[OTHERS + 2], work[OTHERS + 3]
        after = after_ends(meta, facts)
        begun, count, killer = lists[ends + FIRST_ENTRY], lists[ends + HOW_MANY], lists[ends + HINT]
        if count > MOST_ENDS:
            notes[STOP] = BEYOND_FORM
            return low_a, low_b, high_a, high_b
        seat = mover_of(meta)
        # From here on all values are what the player to move has.
        if seat == 1:
            own_a, own_b = negated(beta_a, beta_b, base)
            other_a, other_b = negated(alpha_a, alpha_b, base)
        else:
            own_a, own_b, other_a, other_b = alpha_a, alpha_b, beta_a, beta_b
        some = 0
        most_a, most_b, least_a, least_b = 0, 0, 0, 0
        best = -1
        place = -2
        sorted_yet = False
        while place < count:
            if place == -2:
                each = hint
            elif place == -1:
                each = killer if killer != hint else -1
            else:
                if not sorted_yet:
                    order(frame, e, f, g, extra, after, seat, begun, count, facts, work, frames, entries)
                    sorted_yet = True
                each = frames[frame + place]
                if each in (hint, killer):
                    each = -1
            place += 1
            if each < 0 or each >= count:
                continue
            entry = ENTRY * (begun + each)
            gain = entries[entry + GAIN] * unit
            if seat == 1:
                gain = -gain
            if sorted_yet:
                # What its bounds exclude is not searched.
                rest = frames[frame + MOST_ENDS + each] * part + gain
                if not less(own_a, own_b, rest, 0):
                    if some == 0 or less(most_a, most_b, rest, 0):
                        most_a, most_b = rest, 0
                    if some == 0:
                        least_a, least_b, best = frames[frame + 2 * MOST_ENDS + each] * part + gain, 0, each
                    some = 1
                    continue
            p, q, r = entries[entry] | e, entries[entry + 1] | f, entries[entry + 2] | g
            s = shelled_for(after, entries[entry + EXTRA] + extra, facts)
            scouts = 0
            if some == 1:
                a, b = carried(own_a, own_b + 1, base)
                scouts = int(less(a, b, other_a, other_b))
            a, b, c, d = 0, 0, 0, 0
            for again in range(1 + scouts):
                top_a, top_b = other_a, other_b
                if again < scouts:
                    top_a, top_b = carried(own_a, own_b + 1, base)
                if seat == 1:
                    from_a, from_b = negated(top_a - gain, top_b, base)
                    to_a, to_b = negated(own_a - gain, own_b, base)
                else:
                    from_a, from_b, to_a, to_b = own_a - gain, own_b, top_a - gain, top_b
                a, b, c, d = searched(
                    ply + 1,
                    p,
                    q,
                    r,
                    s,
                    from_a,
                    from_b,
                    to_a,
                    to_b,
                    facts,
                    work,
                    frames,
                    known,
                    lists,
                    entries,
                    memory,
                    notes,
                )
                if notes[STOP]:
                    return low_a, low_b, high_a, high_b
                if seat == 1:
                    top_a, top_b = negated(a, b, base)
                    a, b = negated(c, d, base)
                    c, d = top_a, top_b
                a, c = a + gain, c + gain
                if not less(own_a, own_b, c, d) or (a == c and b == d):
                    break
            if some == 0 or less(most_a, most_b, c, d):
                most_a, most_b = c, d
            if some == 0 or less(least_a, least_b, a, b):
                least_a, least_b, best = a, b, each
            some = 1
            if less(own_a, own_b, a, b):
                own_a, own_b = a, b
                if not less(a, b, other_a, other_b):
                    lists[ends + HINT] = each
                    break
        hint = best
        if not less(own_a, own_b, other_a, other_b):
            # The others were not looked at: there is no telling how much better they are.
            most_a, most_b = (high_a, high_b) if seat == 0 else negated(low_a, low_b, base)
        if seat == 1:
            top_a, top_b = negated(least_a, least_b, base)
            least_a, least_b = negated(most_a, most_b, base)
            most_a, most_b = top_a, top_b
        if less(low_a, low_b, least_a, least_b):
            low_a, low_b = least_a, least_b
        if less(most_a, most_b, high_a, high_b):
            high_a, high_b = most_a, most_b
    keep(x, y, z, meta, (low_a, low_b), (high_a, high_b), hint, facts, known)
    return low_a, low_b, high_a, high_b


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (found_at, keep, order, searched)
