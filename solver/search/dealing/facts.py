"""The facts of a day played from hidden decks, and what follows from them alone, as functions for a compiler.

All numbers lie in one list, laid out by whoever knows the game: a header, classes of kinds that are alike, and for each
stance what every card does there, a *play*: the cards of the hand that it costs (-1 for all of them), those of the
deck, the number of its ends, and then each end, the last of them for one that cannot be paid: a stance, spaces won, and
cards drawn. It is chosen between ends before any card is drawn. ``dealing.loop`` reads them. A stance begins with the
stances that free actions make of it, whether cards that wait come to nothing there, and the places of the plays: of one
that turns over no card, then of each kind.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Final

Ints = MutableSequence[int]

HIGH: Final = 0
"""Places in the header: the upper part of the last worth;"""
ASKED: Final = 1
"""the stance whose facts are missing, or -1;"""
QUOTA: Final = 2
"""nodes that may still be expanded before the search comes back;"""
COUNT: Final = 3
"""nodes known;"""
BITS: Final = 4
"""the power of two of places for them;"""
KINDS: Final = 5
TARGET: Final = 6
"""the place to reach, or -1 where distance counts;"""
FINISH: Final = 7
"""the place where the game is over;"""
LEVELS: Final = 8
"""numbers of turns left that classes are told for, the last for all greater ones;"""
SIZES: Final = 9
"""sizes of decks that they are told for;"""
RISKY: Final = 10
"""mask of the cards in a hand that may lead to cards being turned over;"""
SHIFTS: Final = 11
"""where the shifts of the kinds begin, one more than there are kinds, and then their masks, unshifted;"""
ORDERS: Final = 12
"""where the orders of decks begin, two parts for each size;"""
HELD: Final = 13
"""where the classes of the hand begin: by level, by whether a card waits, by size;"""
HIDDEN: Final = 14
"""likewise of the deck, with whether the hand is risky after whether a card waits;"""
DRAWN: Final = 15
"""likewise of a deck from which cards are about to come to the hand;"""
STANCES: Final = 16
"""where the stances begin;"""
MOST: Final = 17
"""nodes known at which the search comes back;"""
PRUNED: Final = 18
"""nodes from which the target cannot be reached in time;"""
BANNED: Final = 19
"""where it begins which kinds may not be played;"""
OFFSETS: Final = 20
"""1 where only the spaces won count, not the place;"""
TURNED: Final = 21
"""where the classes begin of a deck of which one card may be turned over on the last turn of two, by cards in hand up
to the next number and by size; 0 where they are not told;"""
PLENTY: Final = 22
COMING: Final = 23
"""mask of the cards in a hand that may bring cards of the deck to it, where nothing else does; otherwise 0;"""
IN_VAIN: Final = 24
"""0 where no card can be made to wait once the deck is empty, so that one turn of a day at most takes no card; else the
most turns that cards waiting at one time may take without another card;"""
FEW: Final = 25
"""where it begins, by turns from one on and by size, what counts of hands with one or two turns left; 0 where it is not
told. For each kind the one it is counted with, then for each how many copies count, then the kind of idle cards; of
two turns it holds for at least so many cards in hand:"""
LEAST: Final = 26
COUPLE: Final = 27
"""where the classes begin of a deck from which cards come to the hand before two last turns, by cards in hand then up
to ``PLENTY`` and by size;"""
AVOIDING: Final = 28
"""where it begins, by size, how many orders of a deck have none but some number of its cards among the first so many;
two parts for each; 0 where not every card may be played;"""
VALUES: Final = 29
"""a place for a value for each kind and one more;"""
UPPER: Final = 30
"""the greatest of some values;"""
MAY_END: Final = 31
"""1 where the game may be over before the turns are, so that no way to play on is needed;"""
TWINS: Final = 32
"""where it begins with which kind each is a twin; 0 where no kinds are twins (``dealing.loop``);"""
TWIN_KINDS: Final = 33
"""where the places begin, by the first kind of twins, of how many there are and which;"""
SETTLED: Final = 34
"""where it is counted, by cards in hand, how many nodes were asked about with twins not told apart, and for how many
of them that was enough;"""
DEAREST: Final = 35
"""the most cards of the hand that a play costs;"""
BACKWARDS: Final = 36
"""0 where kinds are gone through from the first on; the last of them where it is from there back;"""
OTHER_BITS: Final = 37
"""the power of two of places for nodes in a table that another thread writes; 0 where there is none;"""
HALTED: Final = 38
"""1 from when on the search has to come back, set by another thread."""
AIMING: Final = 39
"""1 where it is told by stance what counts with few turns left;"""
WANTED: Final = 40
"""the number of turns left for which that is missing, 0 where it is the facts of a stance;"""
TURN_BITS: Final = 3
"""in so many bits, and above them 1 and the place, if it is missing for some numbers of cards (``ROOMS``);"""
FAR: Final = 41
"""and nodes known from which on it is asked for with three turns left, as that takes the game long."""
SCALED: Final = 42
"""1 where worths of all decks are values times one number, so that a mean is a sum divided by its weights;"""
UNEVEN: Final = 43
"""not 0 once anything was left over by that, so that no worth found since is one: what that number has to be taken
times for it to come out even, or, negative, the place of what is not whole;"""
SHARES: Final = 44
"""where it begins, by size, what value 1 of a deck is worth divided by its cards, two parts for each; -1 if uneven;"""
BINOMIALS: Final = 45
"""where it begins, by number and by size, how many ways there are to choose some copies;"""
KEEPS: Final = 46
"""1 where cards that were looked at may be taken to the hand;"""
SORTED: Final = 47
"""and where there is room for the worths of so many decks, two parts for each (``dealing.looks``)."""
ROOM: Final = 1 << 17
PARTS: Final = 1 << 13
"""After that there is room, where they may be taken to the hand, for those of so many sets of cards seen, by turns left
up to ``NEAR_LOOKS``."""
NEAR_LOOKS: Final = 3
MANY: Final = 48
"""nodes known from which on it is asked what counts for so many cards."""
SUPPLIED: Final = 49
"""more turns than cards that come to the hand from elsewhere make play last, 0 where none do;"""
PAYER: Final = 50
"""the shift of a kind that stands for such cards where they only pay, -1 where there is none."""
FURTHEST: Final = 51
"""what no line is worth more than: a place where distance counts, else what it is worth to be at the target."""
SURVEYED: Final = 52
"""how many nodes were given bounds first (``dealing.coarse``), and in the next place how many needed no more."""
IDLER: Final = 54
"""A kind with room for all cards, -1 where there is none."""
RESTING: Final = 55
"""1 where a new day may be begun on any turn, so that stances have floors (``FLOORS``)."""
CLASSES: Final = 56
"""The classes by which the kinds of a deck were last counted together, -1 where that is not told,"""
JUDGED: Final = 57
"""and 1 where ``VALUES`` has by kind which one it was replaced by then (``dealing.pairs``)."""
MAPS: Final = 58
"""Where there is room to say of each kind which one it is taken for, for so many ways to play (``dealing.listed``)."""
WAYS: Final = 40
LUCK: Final = 59
"""How often it was asked if any luck helps (``dealing.luck``), in the next place how often none does,"""
WONDERS: Final = 61
"""and 1 where it is to tell that that facts are asked for, which the search itself may never come upon."""
HEADER: Final = 62
"""the length of the header."""

BLOCK: Final = 0
"""Places in a stance: where its facts begin, or -1;"""
WAITS: Final = 1
"""whether a card waits for cards to be turned over;"""
PLACE: Final = 2
"""where the player stands, spaces won since not counted;"""
AHEAD: Final = 3
"""by turns left up to ``NEAR``: a place that cannot be passed in time;"""
NEAR: Final = 10
LATE: Final = AHEAD + NEAR + 1
"""by turns or cards left: the stance that it may be taken for then;"""
TAKING: Final = LATE + NEAR + 1
"""0 where nothing is taken next from a supply, else where that begins: how many cards may be; the worth of what needs
no last turn, or -1; and the stances of the last turn from the hand that follows, their number first in place ``AFTER``,
each with one more than the kind of a card that comes to the hand before it from a checkpoint, or 0.
In place ``ROOMS`` it has where it begins, by cards in hand and in the deck, where it is told for so many cards, -1
where it is not known yet, what is worth most of what may be taken: the least and the greatest it may be, and then, for
each worth from the one to below the other that there is in hand, where the mean of the better one begins, by the size
of a deck, two parts for each."""
AFTER: Final = 8
VAGUELY: Final = 2
"""The place there for 1 where nothing is told but where the turn ends, so that it has to be the last one."""
GAINED: Final = 1
"""What is wanted (``WANTED``), in the place of turns left, where that is missing."""
AIM: Final = TAKING + 1
"""by turns left from two to three, where it is told what counts, or -1: whether nothing wins; whether idle cards are
the ones to pay with; what counts of the hand, as ``FEW`` has it, then how many cards that outdo each other it takes to
outdo one, 0 if that is not told, and for each kind the mask of those that outdo it; the classes of the deck, and of one
from which cards come to the hand before; the mask of the cards in hand with which the deck counts; and a stance from
which everything leads to the same. Where cards are looked at first, with two turns left: only how many cards in hand
pay for anything that follows."""
ROOMS: Final = 7
"""After that, for two turns: where it is told, by cards in hand and in the deck, where the same is told for so many
cards, -1 where it is not known yet; 0 where it is not told."""
PAIRS: Final = 8
"""Next to that, where it is told for so many cards: where begins what two turns lead to (``dealing.pairs``), or 0."""
ACTS: Final = AIM + 2
"""By turns left from two to ``MOST_ACTS``: where the free actions begin that count then, their number first, as in the
facts of the stance, or -1."""
MOST_ACTS: Final = 4
ACTING: Final = 4
"""What is wanted (``WANTED``) where that is missing with two turns left, one more for each turn more."""
FLOORS: Final = ACTS + MOST_ACTS - 1
"""By turns left from one to ``MOST_FLOORS``: what it is worth to begin a new day there, with whatever cards. For the
last turn that is a value, ``NONE`` where it is worth nothing. Else it is a place, 0 where it is worth nothing, or -1 if
that is missing: of two parts of the worth, and of the value times ``UNIT``, rounded down and up."""
MOST_FLOORS: Final = 6
FLOORED: Final = 7
"""What is wanted (``WANTED``) where that is missing, with the turns left in the place of cards."""
LOOKING: Final = FLOORS + MOST_FLOORS
"""1 where nothing is played before cards of the deck are looked at and sorted out. Instead of plays, its facts are 0,
the stance afterwards, how many cards are looked at, how many may be destroyed, how many are drawn then, the first
stance after that on which none are looked at, and how many are drawn until there."""
MOSTS: Final = LOOKING + 1
"""Where there is room for what a last play of each kind is worth at most there, of none, and whether it is told."""
STANCE: Final = MOSTS + 1
"""The length of a stance."""

PICKING: Final = 2
"""What is in place ``LOOKING`` where one of several ends is picked before anything is played; the facts are 0, and then
a play that costs nothing and has these ends."""
DRAWN_BITS: Final = 8
"""Bits of the cards drawn at an end, above which there are those that come to the hand from elsewhere,"""
MORE_BITS: Final = 8
"""so many bits of their number and one more than their kind, or 0 for such as only pay (``PAYER``)."""
DRAWN_MASK: Final = (1 << DRAWN_BITS) - 1
MORE_MASK: Final = (1 << MORE_BITS) - 1
BASE_BITS: Final = 48
LOW: Final = (1 << BASE_BITS) - 1
UNIT: Final = 5354228880
"""What the value of a bound is taken times: every number up to 24 divides it."""
TOLD: Final = 0
"""Views: every kind is told apart,"""
LEAST_OF: Final = 1
"""twins are not, and each play and each card turned over is the worst of them,"""
MOST_OF: Final = 2
"""or the best."""
NONE: Final = -1
"""The low part of a worth where no way to play on is left,"""
STOPPED: Final = -2
"""where the search must come back later,"""
ASIDE: Final = -3
"""and where it is not told at once."""


def classed(cards: int, classes: int, facts: Ints) -> int:
    """Return cards with each kind replaced by the one it is counted with; ``classes`` is 0 where each stands alone."""
    if classes == 0:
        return cards
    at = facts[SHIFTS]
    found = 0
    left = cards
    kind = 0
    while left:
        width = facts[at + kind + 1] - facts[at + kind]
        copies = left & ((1 << width) - 1)
        if copies:
            found += copies << facts[at + facts[classes + kind]]
        left >>= width
        kind += 1
    return found


def brought(end: int, facts: Ints) -> int:
    """Return how many cards an end brings to the hand from elsewhere."""
    return facts[end + 2] >> DRAWN_BITS & MORE_MASK


def aim_of(stance: int, turns: int, facts: Ints) -> int:
    """Return where it is told what counts on a stance with so many turns left, -1 where it is not; ask for it."""
    aim = aim_told(stance, turns, facts)
    if aim == -1 and facts[AIMING] and (turns == 2 or (turns == 3 and facts[COUNT] >= facts[FAR])):
        facts[ASKED], facts[WANTED] = (stance - facts[STANCES]) // STANCE, turns
    return aim


def aim_told(stance: int, turns: int, facts: Ints) -> int:
    """Return the same without asking for it."""
    return facts[stance + AIM + turns - 2] if 2 <= turns <= 3 and facts[AIMING] else -1


def room_of(aim: int, turns: int, held: int, left: int, facts: Ints) -> int:
    """Return where it is told what counts for so many cards in hand and deck; 0 where it is not."""
    return facts[aim + ROOMS] + held * facts[SIZES] + left if turns == 2 and held >= 0 and facts[aim + ROOMS] else 0


def acts_of(stance: int, turns: int, facts: Ints) -> int:
    """Return where the free actions begin that count on a stance with so many turns left, their number first."""
    acts = facts[stance + ACTS + turns - 2] if 2 <= turns <= MOST_ACTS and facts[AIMING] else -1
    return facts[stance + BLOCK] if acts == -1 else acts


def acts_missing(number: int, turns: int, facts: Ints) -> bool:
    """Return whether that is not told of a stance, by its number, on which there are any free actions."""
    stance = facts[STANCES] + STANCE * number
    if turns < 2 or turns > MOST_ACTS or not facts[AIMING]:
        return False
    return facts[stance + ACTS + turns - 2] == -1 and facts[facts[stance + BLOCK]] > 1


def joined(cards: int, classes: int, facts: Ints) -> int:
    """Return the same for classes that there may be no room for: cards that have none stay what they are."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    found = 0
    for kind in range(kinds):
        if facts[classes + kind] == kind:
            found |= cards & facts[at + kinds + 1 + kind] << facts[at + kind]
    for kind in range(kinds):
        first = facts[classes + kind]
        copies = cards >> facts[at + kind] & facts[at + kinds + 1 + kind]
        if first != kind and copies:
            room = facts[at + kinds + 1 + first] - (found >> facts[at + first] & facts[at + kinds + 1 + first])
            moved = min(copies, room)
            found += moved << facts[at + first]
            found += copies - moved << facts[at + kind]
    return found


def lasting_of(stance: int, cards: int, left: int, facts: Ints) -> int:
    """Return how many turns a day lasts at most with so many cards in hand and deck, ``left`` of them in the deck."""
    waits = facts[stance + WAITS]
    if facts[SUPPLIED]:
        return cards + facts[SUPPLIED]
    if facts[IN_VAIN]:
        return 2 * cards + (1 if facts[stance + LOOKING] > 0 else waits) * facts[IN_VAIN]
    return cards + 1 if waits or left else cards


def alike(cards: int, classes: int, facts: Ints) -> int:
    """Return ``classed`` cards, but ``joined`` where it is told by stance what counts.

    Any card may have been counted as an idle one then, so that a kind may have more than its class has room for.
    """
    return joined(cards, classes, facts) if facts[AIMING] and classes else classed(cards, classes, facts)


def scaled(size: int, count: int, facts: Ints) -> int:
    """Return the low part of so many times the orders of a deck."""
    orders = facts[ORDERS] + 2 * size
    low = facts[orders] * count
    facts[HIGH] = facts[orders + 1] * count + (low >> BASE_BITS)
    return low & LOW


def shared(size: int, count: int, facts: Ints) -> int:
    """Return the low part of so many shares of the orders of a deck, one for each card that may be turned over."""
    share = facts[SHARES] + 2 * size
    if facts[share] < 0:
        left_over(-share, facts)
        return 0
    low = facts[share] * count
    facts[HIGH] = facts[share + 1] * count + (low >> BASE_BITS)
    return low & LOW


def divided(low: int, high: int, by: int, facts: Ints) -> int:
    """Return the low part of a worth divided by a number of cards."""
    high += low >> BASE_BITS
    rest = high % by << BASE_BITS | low & LOW
    if rest % by:
        one, other = by, rest % by
        while other:
            one, other = other, one % other
        left_over(by // one, facts)
    facts[HIGH] = high // by
    return rest // by


def left_over(lacking: int, facts: Ints) -> None:
    """Note that a worth is not whole (``UNEVEN``); where it may be told with other numbers, come back soon."""
    facts[UNEVEN] = lacking
    if facts[RESTING]:
        facts[HALTED] = 1


def next_of(cards: int, item: int, facts: Ints) -> int:
    """Return the number of the next kind that is there, in the order of the search, from a number on; or of kinds."""
    at, kinds, backwards = facts[SHIFTS], facts[KINDS], facts[BACKWARDS]
    while item < kinds:
        kind = abs(backwards - item)
        if cards >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            break
        item += 1
    return item


def exceeds(low: int, high: int, best: int, best_high: int) -> bool:
    """Return whether a worth is one, and greater than the best so far."""
    return low >= 0 and (best < 0 or high > best_high or (high == best_high and low > best))


def is_certain(low: int, high: int, size: int, facts: Ints) -> bool:
    """Return whether no worth of a deck can be greater."""
    orders = facts[ORDERS] + 2 * size
    most_low = facts[orders] * facts[FURTHEST]
    return low == most_low & LOW and high == facts[orders + 1] * facts[FURTHEST] + (most_low >> BASE_BITS)


def seen(classes: int, view: int, facts: Ints) -> int:
    """Return where classes are told for a view; those for twins follow those of kinds."""
    return classes + facts[KINDS] if classes and view else classes


def promising(play: int, won: int, turns: int, facts: Ints) -> bool:
    """Return false only where the target is out of reach in so many turns after a play, paid or not."""
    if turns > NEAR or (facts[RESTING] and turns > 1):
        return True
    for end in range(play + 3, play + 6 + 3 * facts[play + 2], 3):
        stance = facts[STANCES] + STANCE * facts[end]
        known = facts[stance + BLOCK] != -1
        if not known or facts[stance + AHEAD + turns] + won + facts[end + 1] >= facts[TARGET]:
            return True
    return False
