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

Where cards are looked at and shuffled back in (``dealing.looks``) sums over orders are not whole any more: then all
worths are values times one number (``dealing.facts.SCALED``), means are sums divided by their weights, and a division
that leaves anything over spoils the answer, which is told (``dealing.facts.UNEVEN``).

Nothing here knows a card or a rule: they are *facts* (``dealing.facts``). A stance whose facts are not there yet is
asked for, and the search comes back when they are.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from solver.search.dealing import bounds as dealing_bounds
from solver.search.dealing import coarse as dealing_coarse
from solver.search.dealing import draws as dealing_draws
from solver.search.dealing import ends as dealing_ends
from solver.search.dealing import entry as dealing_entry
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import floors as dealing_floors
from solver.search.dealing import frames as dealing_frames
from solver.search.dealing import lasts as dealing_lasts
from solver.search.dealing import listed as dealing_listed
from solver.search.dealing import looks as dealing_looks
from solver.search.dealing import luck as dealing_luck
from solver.search.dealing import pairs as dealing_pairs
from solver.search.dealing import steps as dealing_steps
from solver.search.dealing import survey as dealing_survey
from solver.search.dealing import table as dealing_table
from solver.search.dealing import twice as dealing_twice
from solver.search.dealing.coarse import coarse_entered, coarse_on
from solver.search.dealing.draws import NAMED, come_off
from solver.search.dealing.entry import begun, entered, moved_on
from solver.search.dealing.facts import (
    ASIDE,
    BITS,
    BLOCK,
    COUNT,
    DEAREST,
    HIGH,
    LOOKING,
    NONE,
    PICKING,
    RESTING,
    SETTLED,
    STANCE,
    STANCES,
    STOPPED,
    TARGET,
    TOLD,
    TWINS,
    Ints,
)
from solver.search.dealing.floors import no_less
from solver.search.dealing.frames import (
    BEST,
    BEST_HIGH,
    CHOOSE,
    COARSE,
    FRAME,
    NODE,
    PAY,
    REST,
    STEP,
    SURVEY,
    UNSEEN,
    VIEW,
)
from solver.search.dealing.listed import try_on
from solver.search.dealing.looks import look_on
from solver.search.dealing.steps import SETTLED_SO, choose_on, of_twins, pay_on, play_on
from solver.search.dealing.survey import ASKING, TRYING, is_surveyed, survey_on, ways_on_paid
from solver.search.dealing.table import address, file

TWINS_FROM: Final = 3
"""Turns left from which on a node is first asked about with twins not told apart, if the hand can pay for anything,"""
SAMPLE: Final = 64
"""as long as this settles more than half of all nodes with a hand as large, after so many of them."""


def worth(facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what ``worked_out`` does."""
    return worked_out(address(facts), address(known), address(other), address(frames))


def worked_out(facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the low part of the worth of the node in the first frame; the upper part is in ``facts[HIGH]`` then.

    It is a recursion over frames of ``FRAME`` numbers, of which the first say what is asked: the mode; deck and hand;
    the cards in each; the stance; the spaces won; the cards still to be drawn, and to be paid, from the deck; turns
    left. ``other`` are nodes that another thread has worked out. In mode ``PAY`` cards are paid from the hand for a
    play, whose place stands for the stance: so many as were to be drawn, of the kinds from the number to be paid on; in
    mode ``CHOOSE`` cards come off the deck for a play, and then one of its ends is chosen. In both the turns are
    those left afterwards. The view comes last (``VIEW``).
    """
    depth, entering, named, got = 0, True, False, False
    low, high = 0, 0
    while True:
        f = FRAME * depth
        mode = frames[f]
        if entering:
            entering = False
            if mode == COARSE:
                low = coarse_entered(f, facts, known, other, frames)
            elif named:
                low = begun(f, facts, known, other, frames)
            else:
                low = entered(f, facts, known, other, frames)
            named = False
            if low == STOPPED:
                return STOPPED
            if low != ASIDE:
                if depth == 0:
                    return low
                depth, got, high = depth - 1, True, facts[HIGH]
                continue
            if mode == NODE and facts[TWINS] and asks_of_twins(f, facts, frames):
                frames[f + STEP] = 1
            elif mode == NODE and is_surveyed(f, facts, frames):
                frames[f + SURVEY] = ASKING
        step, asked, settled = frames[f + STEP], 0, False
        if step > 0:  # the greatest worth that twins leave open, then the least one
            asked = of_twins(f, low, high, facts, frames)
            settled, got = asked == SETTLED_SO, False
        told = ASIDE
        if frames[f + SURVEY]:
            if frames[f + SURVEY] != TRYING:
                told = survey_on(f, got, low, high, facts, frames)
                got = got and told != ASIDE
            if frames[f + SURVEY] == TRYING:
                told = try_on(f, got, low, high, facts, known, other, frames)
                named = told == NAMED
        elif mode == COARSE:
            told = coarse_on(f, got, low, high, facts, known, other, frames)
        elif mode == PAY and frames[f + UNSEEN] and not frames[f + 7]:
            told = ways_on_paid(f, got, low, high, facts, frames)
        if told == STOPPED:
            return STOPPED
        if told != ASIDE:
            asked = told
        elif asked:
            pass
        elif mode == PAY:
            asked = pay_on(f, got, low, high, facts, frames)
        elif mode == CHOOSE and frames[f + 7] == frames[f + 8] == 0:
            asked = choose_on(f, frames[f + 5], got, low, high, facts, frames)
        elif frames[f + 7] or frames[f + 8]:
            asked = come_off(f, got, low, high, facts, known, other, frames)
            named = asked == NAMED
        elif facts[facts[STANCES] + STANCE * frames[f + 5] + LOOKING] == PICKING:
            place = facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK] + 1
            asked = choose_on(f, place, got, low, high, facts, frames)
        elif facts[facts[STANCES] + STANCE * frames[f + 5] + LOOKING] > 0:
            asked = look_on(f, got, low, high, facts, known, other, frames)
            named = asked == NAMED
            if asked == STOPPED:
                return STOPPED
        else:
            asked = play_on(f, got, low, high, facts, frames)
            if asked == STOPPED:
                return STOPPED
        got = False
        if asked and not settled:
            depth += 1
            entering = True
            continue
        low, facts[HIGH] = frames[f + BEST], frames[f + BEST_HIGH]
        if mode != PAY:
            if low == NONE and facts[TARGET] >= 0:
                low, facts[HIGH] = 0, 0
            if facts[RESTING] and mode == NODE and frames[f + 7] == frames[f + 8] == 0:
                low = no_less(frames[f + 5], frames[f + 9], frames[f + 3], low, facts)
            file(known, facts[BITS], frames[f + 2], frames[f + 1], frames[f + REST], low, facts[HIGH])
            facts[COUNT] += 1
            if step:
                counted = facts[SETTLED] + 2 * (frames[f + 4] + frames[f + 7])
                facts[counted] += 1
                facts[counted + 1] += settled
            low = moved_on(f, low, facts, frames)
        if depth == 0:
            return low
        depth, got, high = depth - 1, True, facts[HIGH]


def asks_of_twins(f: int, facts: Ints, frames: Ints) -> bool:
    """Return whether a node is first asked about with twins not told apart."""
    turns, held = frames[f + 9], frames[f + 4] + frames[f + 7]
    if facts[TARGET] < 0 or frames[f + VIEW] != TOLD or turns < TWINS_FROM or held <= turns * facts[DEAREST]:
        return False
    asked = facts[SETTLED] + 2 * held
    return facts[asked] < SAMPLE or 2 * facts[asked + 1] > facts[asked]


_PARTS: Final = (
    dealing_table,
    dealing_facts,
    dealing_floors,
    dealing_frames,
    dealing_lasts,
    dealing_bounds,
    dealing_ends,
    dealing_pairs,
    dealing_twice,
    dealing_luck,
    dealing_entry,
    dealing_draws,
    dealing_steps,
    dealing_looks,
    dealing_coarse,
    dealing_listed,
    dealing_survey,
)
KERNEL: Final[dict[str, Callable[..., Any]]] = {
    name: each
    for part in _PARTS
    for name, each in vars(part).items()
    if isinstance(each, FunctionType) and each.__module__ == part.__name__
} | {each.__name__: each for each in (asks_of_twins, worked_out, worth)}
"""The functions of this module and of those it calls, for a compiler."""
