"""Which cards count a few turns before the end of a question, told from where the seat stands.

``belief_kinds`` says which cards are alike wherever they are played. Most of them bring a seat to its target from
nowhere near, or from anywhere. So here kinds are told apart on one *stance*, a board with its risk stack, by what they
lead to there alone. All is read off the plays of the stances that the turns left come to. It is the same for a chance,
worth 0 or 1, and for the distance, worth the place.

*Last turn.* From the hand a card is worth what it leads to, paid and not (``belief_needs``). What any card is worth in
any case is the *least*. Where a card waits, the one turned over counts, and the free actions are chosen before it is
seen. A stance from which no target is reached is *dead*.

*Several turns.* An end of the first turn counts by the stance it leads to and the cards drawn; all dead ones, from
which no line wins in the turns left, are one. Two kinds are alike in hand if the first turn played with them costs the
same and has the same ends, or only dead ones, and if they are alike in hand on every stance that any first turn of any
kind leads to, with a turn less. They are alike in the deck if they are turned over on the first turn alike, and are
alike in the deck on every stance that comes after, in hand too where cards are drawn for it. Then exchanging one for
the other, wherever they lie, changes no worth: whatever one of them does the other does, and both pay alike (R22).

Where cards are looked at and sorted out after a turn, this is part of its end. What may come of it does not depend on
the hand, and two kinds that are alike afterwards are put back or away alike; as they may come to the hand, they are
told apart like cards that are drawn.

*Stances* are alike, and one stands for them, if each kind leads from one to what it leads to from the other, for the
same costs, whichever free actions come first. So it is forgotten what a seat has in play that counts no more.

*Passing.* A turn before the last on which a card does nothing but end it, paid or not, leads to one stance, nothing
being drawn and no card waiting. Let each card that is worth more on a last turn there than what two turns are worth in
any case be one that can be played first for no more, and either end the question for as much or leave a stance on which
the card passed with is worth as much in any case; one that passes itself, a stance on which any card is. Then it is no
worse to play that card first and the other one last: what pays for one pays for it then, and the other one stays. So
passing need not be looked at. With more turns left it is: what the passing card takes off the deck is seen, and may be
worth knowing.

*In any case* two turns are worth nothing where a target counts. Where distance does, that is the least of any first
card and any last one; it takes a hand of which a card is left once any first one is paid for. Smaller hands are told
apart without all of this, by what is alike alone: who has nothing left to play has no distance at all.

*Idle cards.* A card is *idle* if no first turn played with it counts, and it is worth the least wherever one leads, or
all kinds are alike there. In the place of an idle card any other is no worse: it pays as well, is worth as much on a
last turn, and playing the idle one first is never needed. So idle cards pay first. No kind is played more often than
there are turns, and one whose first turn counts for nothing, or that comes while a card waits, once less: more copies
are as good as idle ones. This needs that every card may be played; else kinds are told apart, but no copies are
counted together.

*Outdone cards.* With two turns left one kind *outdoes* another if it is worth no less on every stance a first turn
leads to, whatever there is to pay with, and if each first turn of the other is one that need not be looked at, or is
no better than one of its own: for no more cards, to stances that are no worse with whatever cards, and with as many
cards drawn. A card outdone by two others, of which one outdoes the other, is as good as idle: if it is played first,
play the lower of both instead, and the upper one where that one was to be played last; if it is played last, play the
one of them that was not played; the outdone card pays where they do. While a card waits one is enough, as the hand
plays once. This needs that there is enough in hand and deck to pay for any first card.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.belief_kinds import ANY, Few, Map
from rules.iditacards.belief_needs import NEVER, LastTurns, Record, Sight, Told, Way, bits

Outcome = Hashable
"""Where a turn leads: what it is worth if nothing counts after it, nothing if the target cannot be reached any more, or
a stance with what comes off the deck for it: cards drawn, or those and a look."""
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
    held: int = 0
    """Cards in hand from which on this holds."""


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
    above: tuple[int, ...]
    """By kind those that outdo it, as bits; nothing where that is not told."""
    chain: int
    """How many that outdo each other it takes for a card to be idle."""
    least: tuple[int, int]
    """Cards in hand and deck from which on all of this holds."""


class Aims:
    """What counts on the stances of one question."""

    def __init__(
        self,
        told: Callable[[int], Told],
        late: Callable[[int, int], int],
        sights: Mapping[int, Sight],
        out_of_reach: Callable[[int, int], bool],
        last: LastTurns,
        kept_back: frozenset[int],
        room: Sequence[int],
        copies: Sequence[int],
        *,
        reaching: bool = True,
    ) -> None:
        """``told`` gives what is known of a stance, ``late`` the one it may be taken for with so many turns left.

        ``sights`` are stances on which cards are looked at before another one.
        ``out_of_reach`` may say that no line of so many turns wins, ``last`` what last turns are worth. ``kept_back``
        kinds are not played. ``room`` says how many cards a class named by a kind may have, ``copies`` how many there
        are. ``reaching`` false: distance counts.
        """
        self._told = told
        self._late = late
        self._sights = sights
        self._out_of_reach = out_of_reach
        self._ends = last
        self._kept_back = kept_back
        self._room = room
        self._copies = copies
        self._reaching = reaching
        self._kinds = range(len(copies))
        self._levels: dict[tuple[int, int, bool], Level] = {}
        self._signs: dict[Hashable, int] = {None: IDLE}
        self._found: dict[tuple[int, bool, Hashable], int] = {}

    def of(self, stance: int, turns: int) -> list[Aim]:
        """Return what counts on a stance with so many turns left, for large hands and then for any.

        All counts where a play that follows is not carried.
        """
        try:
            bare = self._level(stance, turns, not self._reaching)
            level = bare if turns > 2 else self._level(stance, turns, False)
            above, chain, least = self._outdone(stance, turns)
        except OutOfReach:
            alone = tuple(self._kinds)
            few = Few(alone, tuple(ANY for _ in alone), 0)
            return [Aim(False, few, False, alone, alone, frozenset(alone), stance, (), 0, (0, 0))]
        aim = self._aim(level, turns)
        if not aim.idle_pays:
            above = ()
        if not above and level == bare:
            return [aim]
        held = max(level.held, least[0]) if above else level.held
        large = aim._replace(above=above, chain=chain, least=(held, least[1] if above else 0))
        return [large, self._aim(bare, turns)]

    def _aim(self, level: Level, turns: int) -> Aim:
        drawn = self._named(tuple(zip(level.hands, level.decks, strict=True)))
        few, idle_pays = self._few(level, turns)
        deck = self._named(level.decks)
        return Aim(level.dead, few, idle_pays, deck, drawn, level.coming, level.like, (), 0, (level.held, 0))

    def _sign(self, sign: Hashable) -> int:
        return self._signs.setdefault(sign, len(self._signs))

    def _level(self, stance: int, turns: int, bare: bool) -> Level:
        """Return what counts; ``bare`` by what is alike alone, so that it holds for any hand."""
        found = self._levels.get((stance, turns, bare))
        if found is None:
            dead = self._reaching and (self._ends.is_over(stance) or self._out_of_reach(stance, turns))
            if dead:
                nothing = tuple(IDLE for _ in self._kinds)
                found = Level(True, nothing, nothing, tuple(False for _ in self._kinds), frozenset(), stance)
            else:
                found = self._last(stance) if turns == 1 else self._several(stance, turns, bare)
            self._levels[stance, turns, bare] = found
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
        dead = self._reaching and not any(turned.vain) and not any(way.most for ways in turned.ways for way in ways)
        like = self._like(stance, 1, turned)
        decks = tuple(map(self._sign, zip(*turned.ways, strict=True)))
        return Level(dead, nothing, decks, never, frozenset(), like)

    def _like(self, stance: int, turns: int, content: Hashable) -> int:
        return self._found.setdefault((turns, self._told(stance).waits, content), stance)

    # Several turns

    def _outcome(self, stance: int, drawn: int, left: int) -> Outcome:
        off: tuple[int, ...] = (drawn,)
        over = self._ends.is_over(stance)
        while stance in self._sights and not over:
            stance, *numbers = self._sights[stance][:4]
            off += tuple(numbers)
            over = self._ends.is_over(stance)
        if over:
            worth = self._ends.worth(stance)
            return worth if worth or not self._reaching else None
        level = self._level(self._late(stance, left), left, not self._reaching)
        return None if level.dead else (level.like, off if len(off) > 1 else drawn)

    def _both(self, record: Record, left: int) -> tuple[set[Outcome], Outcome]:
        """Return where a play may lead if it is paid, and if it is not."""
        ends = {self._outcome(end.stance, end.drawn, left) for end in record.ends} - {None}
        return ends, self._outcome(record.failed.stance, record.failed.drawn, left)

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

    def _is_no_need(self, acts: Sequence[Told], record: Record, kind: int, assured: int) -> bool:
        """Return whether a play before the last turn does nothing, and is no better than what may come after it.

        ``assured`` is what both turns are worth in any case.
        """
        outcomes, failed = self._both(record, 1)
        if len(outcomes) != 1 or not isinstance(outcome := next(iter(outcomes)), tuple):
            return False
        passed, drawn = outcome
        if drawn or self._told(passed).waits or failed not in (None, outcome):
            return False
        last = self._ends.from_hand(passed)
        return all(
            self._is_met(acts, way, other, kind, assured)
            for other in self._kinds
            if other not in self._kept_back
            for way in last.ways[other] or (Way(0, 0, last.least, last.least),)
        )

    def _is_met(self, acts: Sequence[Told], way: Way, other: int, kind: int, assured: int) -> bool:
        """Return whether playing another card first, and a kind last, is worth what that one is worth last."""
        if way.failed > assured and way.failed != way.paid:
            return False
        return way.paid <= assured or any(
            0 <= record.energy <= max(way.energy, 0)
            and record.health <= way.health
            and any(self._sure(end.stance, kind, any_card=other == kind) >= way.paid for end in record.ends)
            for record in (act.plays[other] for act in acts)
        )

    def _sure(self, stance: int, kind: int, *, any_card: bool) -> int:
        """Return what a kind, or any card, is worth in any case as the last one on a stance."""
        if self._ends.is_over(stance):
            return self._ends.worth(stance)
        if stance in self._sights or self._told(stance).waits:
            return NEVER
        last = self._ends.from_hand(stance)
        return last.least if any_card else last.sure[kind]

    def _assured(self, acts: Sequence[Told]) -> int:
        """Return what two turns are worth in any case, any first card being paid for and another one left."""
        if self._reaching:
            return 0
        return min(
            (
                max(
                    min(max(self._floor(end.stance) for end in record.ends), self._floor(record.failed.stance))
                    for record in (act.plays[kind] for act in acts)
                )
                for kind in self._kinds
                if not self._takes_all(acts, kind)
            ),
            default=NEVER,
        )

    def _floor(self, stance: int) -> int:
        while stance in self._sights:
            stance = self._sights[stance].stance
        return self._ends.floor(stance)

    def _takes_all(self, acts: Sequence[Told], kind: int) -> bool:
        """Return whether a play may cost all of the hand."""
        return any(act.plays[kind].energy < 0 for act in acts)

    def _enough(self, acts: Sequence[Told]) -> tuple[int, int]:
        """Return cards in hand of which one is left after any first play, some first card not costing all of them.

        And cards in the deck that pay for any.
        """
        records = [record for act in acts for record in act.plays]
        all_of_it = sum(self._copies[kind] for kind in self._kinds if self._takes_all(acts, kind))
        energy = max((record.energy for record in records), default=0)
        return 2 + max(energy, 0) + all_of_it, max((record.health for record in records), default=0)

    def _several(self, stance: int, turns: int, bare: bool) -> Level:
        told, left = self._told(stance), turns - 1
        acts = [self._told(free) for free in told.frees]
        passing = left == 1 and not bare and not told.waits and (self._reaching or not self._kept_back)
        assured = self._assured(acts) if passing else NEVER
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
                    if not (passing and self._is_no_need(acts, record, kind, assured)):
                        needed.append(signs[-1])
            # Free actions are chosen with the card that is played, but before one is turned over.
            if told.waits:
                whole.append(tuple(signs) if any(sign is not None for sign in signs) else None)
                firsts.append(whole[-1])
            else:
                whole.append(frozenset(signs) - {None} or None)
                firsts.append(frozenset(needed) - {None} or None)
        vain = [self._outcome(act.vain.failed.stance, act.vain.failed.drawn, left) for act in acts if told.waits]
        outcomes = [*vain, *(outcome for first in whole for outcome in _outcomes(first))]
        after = [each for each in outcomes if isinstance(each, tuple)]
        hands, decks = self._after(after, left, bare)
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
            self._enough(acts)[0] if passing and not self._reaching else 0,
        )

    def _after(
        self, outcomes: Sequence[tuple[int, Hashable]], left: int, bare: bool
    ) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """Return by kind what counts of it after a first turn, in hand and in the deck."""
        hands: dict[tuple[int, ...], None] = {}
        decks: dict[tuple[int, ...], None] = {}
        for stance, off in outcomes:
            level = self._level(stance, left, bare)
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
        return any(drawn or left > 1 or self._told(stance).waits for stance, drawn in after)

    # Outdone cards

    def _outdone(self, stance: int, turns: int) -> tuple[tuple[int, ...], int, tuple[int, int]]:
        """Return by kind which outdo it, how many of them it takes, and for how many cards in hand and deck."""
        if turns != 2 or self._kept_back:
            return (), 0, (0, 0)
        told = self._told(stance)
        acts = [self._told(free) for free in told.frees]
        records = [(act.vain, *act.plays) if told.waits else act.plays for act in acts]
        stances = set()
        for record in (record for each in records for record in each):
            ends, failed = self._both(record, 1)
            stances |= {outcome[0] for outcome in (*ends, failed) if isinstance(outcome, tuple)}
        if told.waits:
            vain = (self._outcome(act.vain.failed.stance, act.vain.failed.drawn, 1) for act in acts)
            stances |= {outcome[0] for outcome in vain if isinstance(outcome, tuple)}
        above = [bits(self._kinds) for _ in self._kinds]
        for following in stances:
            if not self._told(following).waits:
                above = [one & other for one, other in zip(above, self._ends.from_hand(following).above, strict=True)]
        if not told.waits:
            firsts = self._level(stance, turns, False).firsts
            for kind in self._kinds:
                if firsts[kind]:
                    above[kind] &= bits(
                        other
                        for other in self._kinds
                        if above[kind] >> other & 1 and self._begins_no_worse(acts, other, kind)
                    )
        return _ranked(above), 1 if told.waits else 2, (0, 0) if told.waits else self._enough(acts)

    def _begins_no_worse(self, acts: Sequence[Told], better: int, worse: int) -> bool:
        return better == worse or all(
            any(self._is_no_worse(one.plays[better], other.plays[worse]) for one in acts) for other in acts
        )

    def _is_no_worse(self, better: Record, worse: Record) -> bool:
        """Return whether a first play is no worse than another, both being paid for."""
        if worse.energy >= 0 and not 0 <= better.energy <= worse.energy:
            return False
        if better.health > worse.health or (better.health < worse.health and len(worse.ends) > 1):
            return False
        same = better.health == worse.health
        best = [self._outcome(end.stance, end.drawn, 1) for end in better.ends]
        return all(
            any(self._ends_no_worse(one, self._outcome(end.stance, end.drawn, 1), same=same) for one in best)
            for end in worse.ends
        )

    def _ends_no_worse(self, better: Outcome, worse: Outcome, *, same: bool) -> bool:
        """Return whether an end is no worse than another; unless ``same`` there are more cards in the deck with it."""
        if worse is None or (self._reaching and better == 1):
            return True
        if isinstance(better, int) or isinstance(worse, int) or better is None:
            return isinstance(better, int) and isinstance(worse, int) and better >= worse
        assert isinstance(better, tuple) and isinstance(worse, tuple)
        if not same and (self._told(better[0]).waits or not self._ends.from_hand(better[0]).rising):
            return False
        if better == worse:
            return same or isinstance(better[1], int)
        return isinstance(better[1], int) and better[1] == worse[1] and self._ends.is_no_worse(better[0], worse[0])

    # Classes

    def _named(self, signs: Sequence[Hashable]) -> Map:
        """Return the classes of kinds of one sign, as far as there is room for their cards."""
        members: dict[Hashable, list[int]] = {}
        for kind, sign in enumerate(signs):
            members.setdefault(sign, []).append(kind)
        classes = list(self._kinds)
        for alike in members.values():
            first = max(alike, key=lambda kind: self._room[kind])
            room = self._room[first] - self._copies[first]
            for kind in alike:
                if kind != first and self._copies[kind] <= room:
                    room -= self._copies[kind]
                    classes[kind] = first
        return tuple(classes)

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


def _ranked(above: Sequence[int]) -> tuple[int, ...]:
    """Return by kind those that outdo it and more kinds than it does, or as many and come first.

    So none is outdone, by way of others, by one that it outdoes.
    """
    kinds = range(len(above))
    ranks = [(sum(other >> kind & 1 for other in above), -kind) for kind in kinds]
    return tuple(
        bits(other for other in kinds if each >> other & 1 and ranks[other] > ranks[kind])
        for kind, each in enumerate(above)
    )


def _outcomes(first: Hashable) -> list[Outcome]:
    """Return where a first play may lead."""
    found: list[Outcome] = []
    for sign in first if isinstance(first, tuple | frozenset) else ():
        found += [*sign[2], sign[3]] if isinstance(sign, tuple) else [sign]
    return found


def _unless_idle(first: Hashable, later: tuple[int, ...]) -> Hashable:
    return None if first is None and not any(later) else (first, later)
