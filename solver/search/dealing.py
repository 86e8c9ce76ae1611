"""Exact worths of days played from hidden decks, as plain functions that a compiler can take over unchanged.

Hand and deck are packed multisets. A deck of n cards stands for its n! orders, and a *worth* is the value times that
number, an integer: what cards come off is summed up one card at a time, copies as weights, so that equal decks met in
different ways are one. A worth has two parts, so that 64 bits hold each: ``high * BASE + low``.

A *node* is a hand, a deck, a stance (everything else on the table, by number), spaces won since a stance was numbered,
cards still to be drawn and to be paid from the deck, and turns left. Drawn cards come first: those paid after them are
as likely to be any of the rest, and nothing is decided in between.

Kinds may be *twins* (the game says which; nothing about them is taken for granted). Cards in which twins are not told
apart stand for many nodes. Where each of them that is played or turned over is the best of its twins, they are worth no
less than any of those nodes, and where it is the worst, no more: what is drawn and paid only counts copies, so chances
are the same, and sums and the best of choices rise with their parts. Classes of kinds are joined for them only where
all twins agree. So where both are equal, that is the worth of each of those nodes, and they are few.

Nothing here knows a card or a rule: they are *facts* (``dealing_facts``). A stance whose facts are not there yet is
asked for, and the search comes back when they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from solver.search.dealing_ends import (
    after_draws,
    capped,
    extreme,
    few,
    idle_cards,
    told_after,
    turned_over,
    twice,
    without_idle,
)
from solver.search.dealing_facts import (
    AHEAD,
    ASIDE,
    ASKED,
    AVOIDING,
    BACKWARDS,
    BANNED,
    BASE_BITS,
    BITS,
    BLOCK,
    COMING,
    COUNT,
    COUPLE,
    DEAREST,
    DRAWN,
    FEW,
    FINISH,
    HALTED,
    HELD,
    HIDDEN,
    HIGH,
    IN_VAIN,
    KINDS,
    LATE,
    LEAST,
    LEAST_OF,
    LEVELS,
    LOW,
    MAY_END,
    MOST,
    MOST_OF,
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
    SETTLED,
    SHIFTS,
    SIZES,
    STANCE,
    STANCES,
    STOPPED,
    TARGET,
    TOLD,
    TURNED,
    TWIN_KINDS,
    TWINS,
    WAITS,
    Ints,
    acting_best,
    at_once,
    classed,
    exceeds,
    is_asked,
    last,
    last_of,
    last_played,
    last_turned,
    next_of,
    promising,
    seen,
)
from solver.search.dealing_frames import (
    ADDED,
    BEST,
    BEST_HIGH,
    CHOOSE,
    COPIES,
    EDGE,
    EDGE_HIGH,
    FRAME,
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
from solver.search.dealing_table import clear, file, find, refile, slot_of

TWINS_FROM: Final = 3
"""Turns left from which on a node is first asked about with twins not told apart, if the hand can pay for anything,"""
SAMPLE: Final = 64
"""as long as this settles more than half of all nodes with a hand as large, after so many of them."""


def worth(facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the low part of the worth of the node in the first frame; the upper part is in ``facts[HIGH]`` then.

    It is a recursion over frames of ``FRAME`` numbers, of which the first say what is asked: the mode; deck and hand;
    the cards in each; the stance; the spaces won; the cards still to be drawn, and to be paid, from the deck; turns
    left. ``other`` are nodes that another thread has worked out. In mode ``PAY`` cards are paid from the hand for a
    play, whose place stands for the stance: so many as were to be drawn, of the kinds from the number to be paid on; in
    mode ``CHOOSE`` cards are paid from the deck for a play, and then one of its ends is chosen. In both the turns are
    those left afterwards. The view comes last (``VIEW``).
    """
    at, kinds, target = facts[SHIFTS], facts[KINDS], facts[TARGET]
    reaching = target >= 0
    bits, other_bits, backwards = facts[BITS], facts[OTHER_BITS], facts[BACKWARDS]
    room = min(3 << bits >> 2, facts[MOST])
    depth, entering, got = 0, True, False
    low, high, one = 0, 0, 0
    while True:
        f = FRAME * depth
        mode, deck, hand, size, held = frames[f], frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
        place, won, draws = frames[f + 5], frames[f + 6], frames[f + 7]
        paying, turns, view = frames[f + 8], frames[f + 9], frames[f + VIEW]
        if entering:
            entering = False
            frames[f + ITEM] = paying if mode == PAY else 0
            frames[f + OUTER] = frames[f + TOTAL] = frames[f + TOTAL_HIGH] = frames[f + BEST_HIGH] = 0
            frames[f + BEST] = NONE
            frames[f + TWIN] = frames[f + STEP] = 0
            if mode != PAY:
                done, direct, waits, added = False, False, 0, 0
                orders, orders_high = facts[facts[ORDERS] + 2 * size], facts[facts[ORDERS] + 2 * size + 1]
                if mode == NODE:
                    stance = facts[STANCES] + STANCE * place
                    there = facts[stance + PLACE] + won
                    waits = facts[stance + WAITS]
                    left = size - draws - paying
                    lasting = held + draws + left
                    if facts[IN_VAIN]:
                        lasting += lasting + waits
                    elif waits or left:
                        lasting += 1
                    if reaching:
                        turns = min(turns, lasting)
                        if there >= target:
                            done, low, high = True, orders, orders_high
                        elif turns == 0 or there >= facts[FINISH]:
                            done, low, high = True, 0, 0
                    elif turns == 0 or there >= facts[FINISH]:
                        low = orders * there
                        done, high = True, orders_high * there + (low >> BASE_BITS)
                        low &= LOW
                    elif turns > lasting and not facts[MAY_END]:
                        done, low, high = True, NONE, 0
                    if not done:
                        if facts[stance + BLOCK] == -1:
                            facts[ASKED] = place
                            return STOPPED
                        if waits and min(turns, left) <= NEAR:
                            place = facts[stance + LATE + min(turns, left)]
                            stance = facts[STANCES] + STANCE * place
                            if facts[stance + BLOCK] == -1:
                                facts[ASKED] = place
                                return STOPPED
                        if reaching and turns <= NEAR and facts[stance + AHEAD + turns] + won < target:
                            facts[PRUNED] += 1
                            done, low, high = True, 0, 0
                    if not done and turns == 1 and (waits or not draws):
                        count = at_once(stance, deck, hand, size, left, held + draws, won, view, facts)
                        if count == STOPPED:
                            return STOPPED
                        done, low, high = count != ASIDE, 0 if reaching and count == NONE else count, 0
                        if count > 0:
                            below = facts[ORDERS] + 2 * (size - waits if left else size)
                            low = facts[below] * count
                            high = facts[below + 1] * count + (low >> BASE_BITS)
                            low &= LOW
                    if not done:
                        direct = facts[AVOIDING] > 0 and not waits
                    if direct and turns == 1:
                        chosen = 1 if held else 0
                        low = after_draws(stance, deck, hand, size, draws, chosen, held + draws, left, won, view, facts)
                        if low == STOPPED:
                            return STOPPED
                        done, high = low != ASIDE, facts[HIGH]
                    if not done:
                        row = (2 * min(turns, facts[LEVELS] - 1) + waits) * facts[SIZES] + left
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
                                row = (2 * min(turns, facts[LEVELS] - 1) + waits) * 2 + risky
                                row = facts[HIDDEN] + row * facts[SIZES] + left
                        deck = classed(deck, seen(facts[row], view, facts), facts)
                        if not reaching and facts[OFFSETS]:
                            added, won = won, 0
                        frames[f + 1], frames[f + 2], frames[f + 5], frames[f + 6] = deck, hand, place, won
                        frames[f + 9] = turns
                frames[f + ADDED] = added
                if not done:
                    rest = ((((turns << 5 | draws) << 5 | paying) << 9 | won) << 2 | mode) << 30 | view << 28 | place
                    frames[f + REST] = rest
                    entry = find(known, bits, hand, deck, rest)
                    if entry >= 0:
                        done, low, high = True, known[entry + 3], known[entry + 4]
                    elif other_bits:
                        entry = find(other, other_bits, hand, deck, rest)
                        if entry >= 0:
                            done, low, high = True, other[entry + 3], other[entry + 4]
                    if not done:
                        if facts[QUOTA] <= 0 or facts[COUNT] >= room or facts[HALTED]:
                            return STOPPED
                        facts[QUOTA] -= 1
                        if direct and turns == 2 and not draws:
                            low = twice(stance, deck, hand, size, paying, held, won, view, facts)
                            if low == STOPPED:
                                return STOPPED
                            done, high = low != ASIDE, facts[HIGH]
                            if done:
                                file(known, bits, hand, deck, rest, low, high)
                                facts[COUNT] += 1
                    if done and added and low >= 0:
                        low += orders * added
                        high += orders_high * added + (low >> BASE_BITS)
                        low &= LOW
                if done:
                    if depth == 0:
                        facts[HIGH] = high
                        return low
                    depth -= 1
                    got = True
                    continue
                asking = reaching and mode == NODE and view == TOLD and turns >= TWINS_FROM and facts[TWINS] > 0
                if asking and held + draws > turns * facts[DEAREST]:
                    asked = facts[SETTLED] + 2 * (held + draws)
                    frames[f + STEP] = facts[asked] < SAMPLE or 2 * facts[asked + 1] > facts[asked]

        c = f + FRAME
        pushed, settled = False, False
        frames[c + VIEW] = view
        step = frames[f + STEP]
        if step > 0:  # the greatest worth that twins leave open, then the least one
            if step == 2:
                frames[f + EDGE], frames[f + EDGE_HIGH] = low, high
                settled = low == 0 and high == 0
            elif step == 3:
                settled = low == frames[f + EDGE] and high == frames[f + EDGE_HIGH]
            if settled:
                frames[f + BEST], frames[f + BEST_HIGH] = low, high
            elif step == 3:
                frames[f + STEP] = -1
            else:
                frames[c], frames[c + 3], frames[c + 4], frames[c + 5], frames[c + 6] = NODE, size, held, place, won
                frames[c + 1], frames[c + 2] = classed(deck, facts[TWINS], facts), classed(hand, facts[TWINS], facts)
                frames[c + 7], frames[c + 8], frames[c + 9] = draws, paying, turns
                frames[c + VIEW] = MOST_OF if step == 1 else LEAST_OF
                frames[f + STEP], pushed = step + 1, True
            got = False
        if pushed or settled:
            pass
        elif mode == PAY:
            if got and exceeds(low, high, frames[f + BEST], frames[f + BEST_HIGH]):
                frames[f + BEST], frames[f + BEST_HIGH] = low, high
            item = frames[f + ITEM]
            if draws:
                item = next_of(hand, item, facts)
                if item < kinds:
                    kind = abs(backwards - item)
                    frames[c], frames[c + 1], frames[c + 2] = PAY, deck, hand - (1 << facts[at + kind])
                    frames[c + 3], frames[c + 4], frames[c + 5], frames[c + 6] = size, held - 1, place, won
                    frames[c + 7], frames[c + 8], pushed = draws - 1, item, True
                    if draws == 1:
                        frames[c + 8] = 0
            else:
                health, ends = facts[place + 1], facts[place + 2]
                frames[c], frames[c + 1], frames[c + 2], frames[c + 3] = NODE, deck, hand, size
                frames[c + 4], frames[c + 7], frames[c + 8] = held, 0, health
                end = place + 3 + 3 * item
                if health > size or (ends > 1 and health):
                    pushed = item == 0
                    if health > size:  # all of the deck goes, and the card fails
                        end = place + 3 + 3 * ends
                        frames[c + 8] = size
                        frames[c + 5], frames[c + 6] = facts[end], won + facts[end + 1]
                    else:
                        frames[c], frames[c + 5], frames[c + 6] = CHOOSE, place, won
                elif item < ends:
                    pushed = True
                    frames[c + 5], frames[c + 6] = facts[end], won + facts[end + 1]
                    frames[c + 7] = min(facts[end + 2], size - health)
            frames[c + 9] = turns
            frames[f + ITEM] = item + 1
        elif mode == CHOOSE and paying == 0:
            if got and exceeds(low, high, frames[f + BEST], frames[f + BEST_HIGH]):
                frames[f + BEST], frames[f + BEST_HIGH] = low, high
            item = frames[f + ITEM]
            if item < facts[place + 2]:
                end = place + 3 + 3 * item
                frames[c], frames[c + 1], frames[c + 2], frames[c + 3], frames[c + 4] = NODE, deck, hand, size, held
                frames[c + 5], frames[c + 6], frames[c + 8] = facts[end], won + facts[end + 1], 0
                frames[c + 7], frames[c + 9] = min(facts[end + 2], size), turns
                frames[f + ITEM], pushed = item + 1, True
        elif draws or paying:
            item = frames[f + ITEM]
            if got:
                if low == NONE:
                    frames[f + TOTAL], item = NONE, kinds
                else:
                    frames[f + TOTAL] += frames[f + COPIES] * low
                    frames[f + TOTAL_HIGH] += frames[f + COPIES] * high
            item = next_of(deck, item, facts)
            if item < kinds:
                kind = abs(backwards - item)
                one = 1 << facts[at + kind]
                frames[f + COPIES] = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
                frames[f + ITEM], pushed = item + 1, True
                frames[c], frames[c + 1], frames[c + 2], frames[c + 3] = mode, deck - one, hand, size - 1
                frames[c + 4], frames[c + 5], frames[c + 6], frames[c + 7] = held, place, won, draws
                frames[c + 8], frames[c + 9] = paying, turns
                if draws:
                    frames[c + 2], frames[c + 4], frames[c + 7] = hand + one, held + 1, draws - 1
                else:
                    frames[c + 8] = paying - 1
            elif frames[f + TOTAL] != NONE:
                frames[f + BEST] = frames[f + TOTAL] & LOW
                frames[f + BEST_HIGH] = frames[f + TOTAL_HIGH] + (frames[f + TOTAL] >> BASE_BITS)
        else:
            stance = facts[STANCES] + STANCE * place
            block, waits = facts[stance + BLOCK], facts[stance + WAITS]
            item, outer = frames[f + ITEM], frames[f + OUTER]
            certain = False
            while not pushed and not certain:
                if got:
                    got, complete = False, True
                    if view != TOLD and item < kinds:
                        edge, edge_high = frames[f + EDGE], frames[f + EDGE_HIGH]
                        if frames[f + TWIN] > 1 and exceeds(low, high, edge, edge_high) != (view == MOST_OF):
                            low, high = edge, edge_high
                        frames[f + EDGE], frames[f + EDGE_HIGH] = low, high
                        complete = frames[f + TWIN] == facts[facts[facts[TWIN_KINDS] + abs(backwards - item)]]
                        if complete:
                            frames[f + TWIN] = 0
                            item += 1
                    if not complete:
                        pass
                    elif not waits:
                        if exceeds(low, high, frames[f + BEST], frames[f + BEST_HIGH]):
                            frames[f + BEST], frames[f + BEST_HIGH] = low, high
                            orders = facts[ORDERS] + 2 * size
                            certain = reaching and low == facts[orders] and high == facts[orders + 1]
                    elif low == NONE:
                        frames[f + TOTAL], item = NONE, kinds
                    else:
                        frames[f + TOTAL] += frames[f + COPIES] * low
                        frames[f + TOTAL_HIGH] += frames[f + COPIES] * high
                if certain or outer == facts[block]:
                    break
                free = facts[block + 1 + outer]
                acting = facts[facts[STANCES] + STANCE * free + BLOCK]
                if acting == -1:
                    facts[ASKED] = free
                    return STOPPED
                plays = acting + 1 + facts[acting]
                play = -1
                frames[c + 1], frames[c + 2], frames[c + 3], frames[c + 4] = deck, hand, size, held
                if waits and (size == 0 or facts[plays] == 1):
                    if item == 0:
                        play, item, frames[f + COPIES] = facts[plays + 1], kinds, 1
                else:
                    cards = deck if waits else hand
                    item = next_of(cards, item, facts)
                    while not waits and item < kinds and facts[facts[BANNED] + abs(backwards - item)]:
                        item = next_of(cards, item + 1, facts)
                    if item < kinds:
                        kind = abs(backwards - item)
                        one = 1 << facts[at + kind]
                        turned = kind
                        if view != TOLD:
                            turned = facts[facts[facts[TWIN_KINDS] + kind] + 1 + frames[f + TWIN]]
                        play = facts[plays + 2 + turned]
                        if waits:
                            frames[f + COPIES] = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
                            frames[c + 1], frames[c + 3] = deck - one, size - 1
                        else:
                            frames[c + 2], frames[c + 4] = hand - one, held - 1
                        if view == TOLD:
                            item += 1
                        else:
                            frames[f + TWIN] += 1
                if play >= 0 and reaching and not promising(play, won, turns - 1, facts):
                    low, high, got = 0, 0, True
                elif play >= 0:
                    pushed = True
                    frames[c + 9] = turns - 1
                    if facts[play] > frames[c + 4]:  # R22: what cannot be paid is not paid in part
                        end = play + 3 + 3 * facts[play + 2]
                        frames[c], frames[c + 5], frames[c + 6] = NODE, facts[end], won + facts[end + 1]
                        frames[c + 7], frames[c + 8] = min(facts[end + 2], frames[c + 3]), 0
                    else:
                        frames[c], frames[c + 5], frames[c + 6] = PAY, play, won
                        frames[c + 7], frames[c + 8] = facts[play], 0
                        if facts[play]:  # cards that are alike afterwards pay alike
                            row = 2 * min(turns - 1, facts[LEVELS] - 1) * facts[SIZES] + frames[c + 3]
                            frames[c + 2] = classed(frames[c + 2], seen(facts[facts[HELD] + row], view, facts), facts)
                            if facts[FEW] and 2 <= turns <= 3:
                                told = told_after(play, frames[c + 3], frames[c + 4], turns - 1, view, facts)
                                if told:
                                    spent = min(facts[play], idle_cards(frames[c + 2], told, facts))
                                    frames[c + 2] = without_idle(frames[c + 2], told, spent, facts)
                                    frames[c + 4], frames[c + 7] = frames[c + 4] - spent, facts[play] - spent
                else:
                    if waits and frames[f + TOTAL] != NONE:
                        low = frames[f + TOTAL] & LOW
                        high = frames[f + TOTAL_HIGH] + (frames[f + TOTAL] >> BASE_BITS)
                        if exceeds(low, high, frames[f + BEST], frames[f + BEST_HIGH]):
                            frames[f + BEST], frames[f + BEST_HIGH] = low, high
                    frames[f + TOTAL], frames[f + TOTAL_HIGH] = 0, 0
                    item = 0
                    outer += 1
            frames[f + ITEM], frames[f + OUTER] = item, outer
        got = False
        if pushed:
            depth += 1
            entering = True
            continue

        low, high = frames[f + BEST], frames[f + BEST_HIGH]
        if mode != PAY:
            if low == NONE and reaching:
                low, high = 0, 0
            file(known, bits, hand, deck, frames[f + REST], low, high)
            facts[COUNT] += 1
            if step:
                asked = facts[SETTLED] + 2 * (held + draws)
                facts[asked] += 1
                facts[asked + 1] += settled
            if frames[f + ADDED] and low >= 0:
                orders = facts[ORDERS] + 2 * size
                low += facts[orders] * frames[f + ADDED]
                high += facts[orders + 1] * frames[f + ADDED] + (low >> BASE_BITS)
                low &= LOW
        if depth == 0:
            facts[HIGH] = high
            return low
        depth -= 1
        got = True


KERNEL: Final[dict[str, Callable[..., Any]]] = {
    each.__name__: each
    for each in (
        *(slot_of, find, file, clear, refile, classed, next_of, seen, exceeds, promising, last, last_of),
        *(is_asked, last_played, last_turned, acting_best, at_once),
        *(few, capped, idle_cards, without_idle, told_after, after_draws, extreme, turned_over, twice, worth),
    )
}
"""The functions of this module and of those it calls, for a compiler."""
