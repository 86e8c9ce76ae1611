"""Which cards count a few turns before the end of a question, told from where the seat stands.

``belief.kinds`` says which cards are alike wherever they are played. Most of them bring a seat to its target from
nowhere near, or from anywhere. So here kinds are told apart on one *stance*, a board with its risk stack, by what they
lead to there alone. All is read off the plays of the stances that the turns left come to. It is the same for a chance,
worth 0 or 1, and for the distance, worth the place.

*Last turn.* From the hand a card is worth what it leads to, paid and not (``belief.needs``). What any card is worth in
any case is the *least*. Where a card waits, the one turned over counts, and the free actions are chosen before it is
seen. A stance from which no target is reached is *dead*.

*Several turns.* An end of the first turn counts by the stance it leads to and the cards that come to the hand; all dead
ones, from which no line wins in the turns left, are one. Two kinds are alike in hand if the first turn played with them
costs the same and has the same ends, or only dead ones, and if they are alike in hand on every stance that any first
turn of any kind leads to, with a turn less. They are alike in the deck if they are turned over on the first turn alike,
and are alike in the deck on every stance that comes after, in hand too where cards are drawn for it. Then exchanging
one for the other, wherever they lie, changes no worth: whatever one of them does the other does, and both pay alike
(R22).

Where cards are looked at and sorted out after a turn, this is part of its end. What may come of it does not depend on
the hand, and two kinds that are alike afterwards are put back or away alike; as they may come to the hand, they are
told apart like cards that are drawn.

*Stances* are alike, and one stands for them, if each kind leads from one to what it leads to from the other, for the
same costs, whichever free actions come first. So it is forgotten what a seat has in play that counts no more.

*Passing.* A turn before the last on which a card does nothing but end it, paid or not, leads to one stance, nothing
being drawn and no card waiting. Let each card that wins a last turn from there, for so much, be one that can be played
first for no more, and either win at once or leave a stance from which the card passed with wins in any case. Then it
is no worse to play that card first and the other one last: so many cards are in hand, as both have to be there in any
order, and what pays for one pays for it then. So passing need not be looked at. With more turns left it is: what the
passing card takes off the deck is seen, and may be worth knowing. Where distance counts it is looked at, too: who has
nothing left to play has no distance at all, so that it matters how many cards are in hand (``belief.room``).

*Idle cards.* A card is *idle* if no first turn played with it counts, and it is worth the least wherever one leads, or
all kinds are alike there. In the place of an idle card any other is no worse: it pays as well, is worth as much on a
last turn, and playing the idle one first is never needed. So idle cards pay first. No kind is played more often than
there are turns, and one whose first turn counts for nothing, or that comes while a card waits, once less: more copies
are as good as idle ones. This needs that every card may be played; else kinds are told apart, but no copies are
counted together.

*New days.* What it is worth to leave the day on a stance hangs on nothing but the stance and the turns left, and it is
one choice more there. So cards are alike and idle as they are without it. But stances are alike only if it is worth the
same, which is asked of last turns alone, as that is soon told; a stance is dead only where it is worth nothing; and
passing is looked at where it is worth something then. What is told for each number of cards, or by what covers what,
is left out where it may count.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.belief.cover import Covers
from rules.iditacards.belief.kinds import ANY, Few, Map, classes_of
from rules.iditacards.belief.needs import NO_GIFT, LastTurns, Leading, Picks, Record, Sight, Told, Way
from rules.iditacards.belief.pairs import Pair, pairs
from rules.iditacards.belief.room import Room

Outcome = Hashable
"""Where a turn leads: what it is worth if nothing counts after it, nothing if the target cannot be reached any more, or
a stance with the cards that come to the hand for it: those drawn, or those, a look and a gift."""
IDLE: Final = 0
"""The sign of kinds that count for nothing."""
KEPT_BACK: Final = "kept back"
"""What is told of kinds that are not played."""


class Level(NamedTuple):
    """What counts on a stance with so many turns left; equal signs, by number, say that kinds are alike."""

    dead: bool
    hands: tuple[int, ...]
    """Signs of the kinds in hand,"""
    decks: tuple[int, ...]
    """and in the deck."""
    firsts: tuple[bool, ...]
    """By kind: whether playing it first may count."""
    coming: frozenset[int]
    """Kinds in hand with which the deck counts."""
    like: int
    """The first stance found from which everything leads to the same."""


class Aim(NamedTuple):
    """The same as classes."""

    dead: bool
    held: Few
    """Of the hand."""
    idle_pays: bool
    """Whether idle cards are the ones to pay with."""
    deck: Map
    drawn: Map
    """Of cards of which some come to the hand before anything is decided."""
    coming: frozenset[int]
    like: int


class Aims:
    """What counts on the stances of one question."""

    def __init__(
        self,
        told: Callable[[int], Told],
        late: Callable[[int, int], int],
        first: tuple[Mapping[int, Sight], Picks],
        out_of_reach: Callable[[int, int], bool],
        last: LastTurns,
        kept_back: frozenset[int],
        room: Sequence[int],
        copies: Sequence[int],
        *,
        reaching: bool = True,
        keeps: bool = False,
        taking: Callable[[int], tuple[int, ...] | None] = lambda _: None,
        leaving: Callable[[int], int] | None = None,
    ) -> None:
        """``told`` gives what is known of a stance, ``late`` the one it may be taken for with so many turns left.

        ``first`` are stances on which cards are looked at before another one, and those on which an end is picked.
        ``out_of_reach`` may say that no line of so many turns wins, ``last`` what last turns are worth. ``kept_back``
        kinds are not played. ``room`` says how many cards a class named by a kind may have, ``copies`` how many there
        are. ``reaching`` false: distance counts. ``keeps``: cards that are looked at may be taken to the hand.
        ``taking`` gives the stances that follow one that is known and on which cards come to the hand from elsewhere.
        ``leaving``, where a new day may be begun on any turn, gives what it is worth on a last one, if more than 0.
        """
        self._taking = taking
        self._leaving = leaving
        self._told = told
        self._late = late
        self._sights, self._picks = first
        self._out_of_reach = out_of_reach
        self._ends = last
        self._kept_back = kept_back
        self._room = room
        self._copies = copies
        self._reaching = reaching
        self._kinds = range(len(copies))
        self._levels: dict[tuple[int, int], Level] = {}
        self._signs: dict[Hashable, int] = {None: IDLE}
        self._found: dict[tuple[int, bool, Hashable], int] = {}
        self._covers = Covers(told, late, first, last, kept_back, self._kinds, taking)
        self._room_for = Room(told, late, first, last, copies, reaching=reaching, keeps=keeps)

    def of(self, stance: int, turns: int) -> Aim:
        """Return what counts on a stance with so many turns left; all does where a play that follows is not carried."""
        try:
            level = self._level(stance, turns)
        except OutOfReach:
            alone = tuple(self._kinds)
            few = Few(alone, tuple(ANY for _ in alone), 0)
            return Aim(False, few, False, alone, alone, frozenset(alone), stance)
        return self._aim(level, turns)

    def signs(self, stance: int, turns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return by kind what counts of it with so many turns left, in hand and in the deck.

        Raises:
            OutOfReach: a play that follows is not carried.
        """
        level = self._level(stance, turns)
        return level.hands, level.decks

    def acts(self, stance: int, turns: int) -> tuple[int, ...]:
        """Return the stances that free actions make of one, as far as they count with so many turns left."""
        if self._leaving is not None:
            return self._told(stance).frees
        try:
            return self._covers.acts(stance, turns)
        except OutOfReach:
            return self._told(stance).frees

    def enough(self, stance: int) -> int:
        """Return how many cards in hand pay for two plays in any case, before cards are looked at or after it."""
        try:
            first, after = self._dearest([stance])
            return 2 + first + self._dearest([self._late(each, 1) for each in after])[0]
        except OutOfReach:
            return ANY

    def _dearest(self, stances: Iterable[int]) -> tuple[int, set[int]]:
        """Return the most cards of the hand that a play on some stances costs, and what follows all of them."""
        most, after = 0, set[int]()
        for stance in stances:
            while stance in self._sights and not self._ends.is_over(stance):
                stance = self._sights[stance].stance
            if self._ends.is_over(stance):
                continue
            if stance in self._picks:
                dearest, following = self._dearest([end.stance for end in self._picks[stance]])
                most, after = max(most, dearest), after | following
                continue
            for act in map(self._told, self._told(stance).frees):
                for record in (act.vain, *act.plays):
                    most = max(most, record.energy)
                    after |= {end.stance for end in (*record.ends, record.failed)}
        return most, after

    def covering(self, stances: Sequence[int], turns: int) -> int:
        """Return the place of a stance that is worth no less than all others with any cards and so many turns left.

        It is the same for fewer turns.

        Raises:
            OutOfReach: there is none, or a play that follows is not carried.
        """
        if self._leaving is not None:
            raise OutOfReach
        for place, one in enumerate(stances):
            if self._reaching and self._ends.is_over(one) and self._ends.worth(one) > 0:
                return place
            if all(self._covers.covers(one, other, left) for other in stances for left in range(turns + 1)):
                return place
        raise OutOfReach

    def rooms(self, stance: int) -> bool:
        """Return whether it is told for each number of cards what counts on a stance with two turns left."""
        try:
            special = stance in self._picks or self._taking(stance) is not None or self._leaves_last(stance)
            return not (special or self._kept_back or self._level(stance, 2).dead)
        except OutOfReach:
            return False

    def _leaves_last(self, stance: int) -> bool:
        """Return whether a new day may be worth anything on a last turn after one on a stance."""
        acts = [self._told(free) for free in self._told(stance).frees]
        ends = [end for act in acts for record in (act.vain, *act.plays) for end in (*record.ends, record.failed)]
        return any(self._is_left(stance, 1) for stance in {end.stance for end in ends})

    def _is_left(self, stance: int, turns: int) -> bool:
        """Return whether a new day may be worth anything on a stance; with more turns than one that is not asked."""
        if self._leaving is None or self._ends.is_over(stance):
            return False
        picked = any(self._is_left(end.stance, turns) for end in self._picks.get(stance, ()))
        return turns > 1 or picked or self._leaving(stance) > 0

    def counted(self, stance: int, held: int, left: int) -> tuple[Aim, tuple[int, ...], list[Pair]]:
        """Return the same for so many cards in hand and deck, by kind which outdo it, as bits, and what pairs lead to.

        Raises:
            OutOfReach: a play that follows is not carried.
        """
        told = self._room_for.of(stance, held, left)
        hands, decks = tuple(map(self._sign, told.hands)), tuple(map(self._sign, told.decks))
        aim = self._aim(Level(False, hands, decks, told.firsts, told.coming, stance), 2)
        return aim, told.above if aim.idle_pays else (), pairs(told.plays, held)

    def _aim(self, level: Level, turns: int) -> Aim:
        drawn = self._named(tuple(zip(level.hands, level.decks, strict=True)))
        few, idle_pays = self._few(level, turns)
        return Aim(level.dead, few, idle_pays, self._named(level.decks), drawn, level.coming, level.like)

    def _sign(self, sign: Hashable) -> int:
        return self._signs.setdefault(sign, len(self._signs))

    def _level(self, stance: int, turns: int) -> Level:
        found = self._levels.get((stance, turns))
        if found is None:
            dead = self._reaching and (self._ends.is_over(stance) or self._out_of_reach(stance, turns))
            if dead:
                nothing = tuple(IDLE for _ in self._kinds)
                found = Level(True, nothing, nothing, tuple(False for _ in self._kinds), frozenset(), stance)
            else:
                self._told(stance)
                if stance in self._picks:
                    found = self._picked(stance, turns)
                elif turns > 1 and self._taking(stance) is not None:
                    found = self._with_more(stance)
                else:
                    found = self._last(stance) if turns == 1 else self._several(stance, turns)
            self._levels[stance, turns] = found
        return found

    def _last(self, stance: int) -> Level:
        nothing = tuple(IDLE for _ in self._kinds)
        never = tuple(False for _ in self._kinds)
        if not self._told(stance).waits:
            last = self._ends.from_hand(stance)
            signs: list[Hashable] = [
                KEPT_BACK if kind in self._kept_back else ways or None for kind, ways in enumerate(last.ways)
            ]
            like = self._like(stance, 1, (last.least, tuple(signs)))
            dead = self._reaching and last.least <= 0 and not any(last.ways)
            return Level(dead, tuple(map(self._sign, signs)), nothing, never, frozenset(), like)
        turned = self._ends.from_deck(stance)
        dead = self._reaching and not any(way.most for ways in (*turned.ways, turned.vain) for way in ways)
        like = self._like(stance, 1, turned)
        decks = tuple(map(self._sign, zip(*turned.ways, strict=True)))
        return Level(dead, nothing, decks, never, frozenset(), like)

    def _with_more(self, stance: int) -> Level:
        """Return what counts on a stance on which cards come to the hand before a last turn.

        Whatever they are worth there, the hand counts as it does without them, and by how many they are.
        """
        afters = self._taking(stance) or ()
        hands, decks = self._after([(self._late(each, 1), 0) for each in afters], 1)
        signs = [tuple(self._sign(sign if any(sign) else None) for sign in each) for each in (hands, decks)]
        return Level(False, signs[0], signs[1], tuple(False for _ in self._kinds), frozenset(), stance)

    def _picked(self, stance: int, turns: int) -> Level:
        """Return what counts on a stance on which an end is picked: all that does after any of them."""
        outcomes = dict.fromkeys(self._outcome(end, turns) for end in self._picks[stance])
        after = [each for each in outcomes if isinstance(each, tuple)]
        hands, decks = self._after(after, turns)
        signs = [tuple(self._sign(sign if any(sign) else None) for sign in each) for each in (hands, decks)]
        levels = [self._level(each, turns) for each, _ in after]
        return Level(
            all(outcome is None for outcome in outcomes),
            signs[0],
            signs[1],
            tuple(any(level.firsts[kind] for level in levels) for kind in self._kinds),
            frozenset(self._kinds),
            self._like(stance, turns, ("picked", frozenset(outcomes))),
        )

    def _like(self, stance: int, turns: int, content: Hashable) -> int:
        if self._leaving is not None:
            if turns > 1:
                return stance
            content = (content, self._leaving(stance))
        return self._found.setdefault((turns, self._told(stance).waits, content), stance)

    # Several turns

    def _outcome(self, end: Leading, left: int) -> Outcome:
        stance, drawn = end.stance, end.drawn
        off: tuple[int, ...] = (drawn,)
        over = self._ends.is_over(stance)
        while stance in self._sights and not over:
            stance, *numbers = self._sights[stance][:4]
            off += tuple(numbers)
            over = self._ends.is_over(stance)
        if over:
            worth = self._ends.worth(stance)
            return worth if worth or not self._reaching else None
        level = self._level(self._late(stance, left), left)
        if end.gift != NO_GIFT:
            off = (*off, end.gift)  # a look has three numbers, so none is taken for the other
        nothing = level.dead and not self._is_left(stance, left)
        return None if nothing else (level.like, off if len(off) > 1 else drawn)

    def _both(self, record: Record, left: int) -> tuple[set[Outcome], Outcome]:
        """Return where a play may lead if it is paid, and if it is not."""
        ends = {self._outcome(end, left) for end in record.ends} - {None}
        return ends, self._outcome(record.failed, left)

    def _first(self, record: Record, left: int) -> Hashable:
        """Return what counts of a first play; nothing where it leads to nothing."""
        ends, failed = self._both(record, left)
        if self._reaching and 1 in ends:
            ends = {1}
        if not ends and failed is None:
            return None
        if ends == {failed} and isinstance(failed, int):
            return failed
        return (record.energy, record.health, frozenset(ends), failed)

    def _is_no_need(self, acts: Sequence[Told], record: Record, kind: int) -> bool:
        """Return whether a play before the last turn does nothing, and is no better than what wins after it."""
        outcomes, failed = self._both(record, 1)
        if len(outcomes) != 1 or not isinstance(outcome := next(iter(outcomes)), tuple):
            return False
        passed, drawn = outcome
        if drawn or passed in self._picks or self._told(passed).waits or failed not in (None, outcome):
            return False
        if self._is_left(passed, 1):
            return False
        last = self._ends.from_hand(passed)
        return last.least <= 0 and all(
            self._is_met(acts, way, other, kind) for other in self._kinds for way in last.ways[other]
        )

    def _is_met(self, acts: Sequence[Told], way: Way, other: int, kind: int) -> bool:
        """Return whether playing another card first, and a kind last, wins where that one wins last."""
        return way.failed <= 0 and any(
            0 <= record.energy <= way.energy
            and record.health <= way.health
            and any(self._is_certain(end.stance, kind) for end in record.ends)
            for record in (act.plays[other] for act in acts)
        )

    def _is_certain(self, stance: int, kind: int) -> bool:
        """Return whether the target is reached on a stance, or by a kind in any case."""
        if self._ends.is_over(stance):
            return self._ends.worth(stance) > 0
        if stance in self._sights or stance in self._picks:
            return False
        return not self._told(stance).waits and self._ends.from_hand(stance).sure[kind] > 0

    def _several(self, stance: int, turns: int) -> Level:
        told, left = self._told(stance), turns - 1
        acts = [self._told(free) for free in told.frees]
        passing = left == 1 and not told.waits and self._reaching
        whole: list[Hashable] = []
        firsts: list[Hashable] = []
        for kind in self._kinds:
            signs: list[Hashable] = []
            needed: list[Hashable] = []
            for act in acts:
                if told.waits:
                    signs.append(self._first(act.vain if act.fizzles else act.plays[kind], left))
                elif kind not in self._kept_back:
                    record = act.plays[kind]
                    signs.append(self._first(record, left))
                    if not (passing and self._is_no_need(acts, record, kind)):
                        needed.append(signs[-1])
            # Free actions are chosen with the card that is played, but before one is turned over.
            if told.waits:
                whole.append(tuple(signs) if any(sign is not None for sign in signs) else None)
                firsts.append(whole[-1])
            else:
                whole.append(frozenset(signs) - {None} or None)
                firsts.append(frozenset(needed) - {None} or None)
        vains = [end for act in acts for end in (*act.vain.ends, act.vain.failed)] if told.waits else []
        vain = [self._outcome(end, left) for end in vains]
        outcomes = [*vain, *(outcome for first in whole for outcome in _outcomes(first))]
        after = [each for each in outcomes if isinstance(each, tuple)]
        hands, decks = self._after(after, left)
        played = [None if told.waits else first for first in firsts]
        turned = [first if told.waits else None for first in firsts]
        counts = frozenset(kind for kind in self._kinds if self._looks(firsts[kind], left))
        return Level(
            all(outcome is None for outcome in outcomes),
            tuple(self._sign(_unless_idle(*each)) for each in zip(played, hands, strict=True)),
            tuple(self._sign(_unless_idle(*each)) for each in zip(turned, decks, strict=True)),
            tuple(first is not None for first in played),
            counts,
            self._like(stance, turns, (tuple(whole), tuple(vain))),
        )

    def _after(
        self, outcomes: Sequence[tuple[int, Hashable]], left: int
    ) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """Return by kind what counts of it after a first turn, in hand and in the deck."""
        hands: dict[tuple[int, ...], None] = {}
        decks: dict[tuple[int, ...], None] = {}
        for stance, off in outcomes:
            level = self._level(stance, left)
            drawing = off != 0
            for signs, into in ((level.hands, hands), (level.decks, decks), (level.hands, decks if drawing else hands)):
                if len(set(signs)) > 1:
                    into[signs] = None
        return [tuple(signs[kind] for signs in hands) for kind in self._kinds], [
            tuple(signs[kind] for signs in decks) for kind in self._kinds
        ]

    def _looks(self, first: Hashable, left: int) -> bool:
        """Return whether a first play may lead to where cards of the deck count."""
        after = [outcome for outcome in _outcomes(first) if isinstance(outcome, tuple)]
        return any(drawn or left > 1 or stance in self._picks or self._told(stance).waits for stance, drawn in after)

    # Classes

    def _named(self, signs: Sequence[Hashable]) -> Map:
        """Return the classes of kinds of one sign, as far as there is room for their cards."""
        return classes_of(signs, self._copies, self._room)

    def _few(self, level: Level, turns: int) -> tuple[Few, bool]:
        """Return the classes of hand cards and how many of each count, and whether there are idle ones to pay with."""
        signs = [(sign, kind in self._kept_back) for kind, sign in enumerate(level.hands)]
        classes = self._named(signs)
        whole = sum(self._copies)
        idle = [kind for kind in self._kinds if level.hands[kind] == IDLE]
        wide = [kind for kind in idle if self._room[kind] >= whole]
        if not wide or self._kept_back:
            return Few(classes, tuple(ANY for _ in classes), classes[0]), False
        most = [ANY if kind in idle else turns - (not level.firsts[kind]) for kind in self._kinds]
        fits = [kind == first or self._room[first] >= most[kind] for kind, first in enumerate(classes)]
        named = [first if fits[kind] else kind for kind, first in enumerate(classes)]
        named = [wide[0] if kind in idle else first for kind, first in enumerate(named)]
        return Few(tuple(named), tuple(most), wide[0]), True


def _outcomes(first: Hashable) -> list[Outcome]:
    """Return where a first play may lead."""
    found: list[Outcome] = []
    for sign in first if isinstance(first, tuple | frozenset) else ():
        found += [*sign[2], sign[3]] if isinstance(sign, tuple) else [sign]
    return found


def _unless_idle(first: Hashable, later: tuple[int, ...]) -> Hashable:
    return None if first is None and not any(later) else (first, later)
