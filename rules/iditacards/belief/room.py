"""Which hand cards count with two turns left, told for so many cards in hand and in the deck.

Where a seat stands and no card waits, both numbers say of every first play whether it can be paid, and of every last
one after it, and how many cards are drawn. So a stance of the last turn is no more than what each kind is worth on it
then (``Rest``), whatever it costs. What ``belief.aim`` says about cards that are alike, idle, and passed with holds
here with costs that are known to be met or not, and hands that are known to be large enough. A card that costs all of
the hand is not idle, as it would stand for others: a hand of nothing else is worth less.

*Health* paid for a first play is any cards of the deck: those drawn or turned over after it are as likely to be any. So
it only counts by how many cards it leaves. Which they were counts where something is chosen knowing them: between ends
of the first play, or between free actions before a card is turned over.

*Outdone cards.* One kind *outdoes* another if it is worth no less on the last turn after each first play there is, and
if each first turn of the other is one that need not be looked at, or is no better than one of its own: for no more
cards of the hand, to stances on which each kind is worth no less, with no fewer cards drawn. A card outdone by two
others, of which one outdoes the other, is as good as idle. If it is played first, play the lower one of both instead,
and the upper one where the lower one was to be played last; if it is played last, play the one of them that was not
played; the outdone card pays where they do. While a card waits one is enough, as the hand plays once at most. Before
something is paid for, cards outdone after it may be taken for idle as well: they pay before those that outdo them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.belief.needs import (
    NEVER,
    NO_GIFT,
    LastTurns,
    Leading,
    Picks,
    Record,
    Sight,
    Told,
    Way,
    bits,
)

Worths = tuple[int, ...]
ALL: Final = 1 << 10
"""More cards than a hand has."""
LATE: Final = 1 << 10
"""More than a deck has."""


class Rest(NamedTuple):
    """The last turn after a first play."""

    drawn: int
    """Cards that come to the hand before it."""
    hand: Worths
    """By kind what it is worth to play it from the hand; nothing where a card waits or the question is at its end."""
    deck: frozenset[Worths] = frozenset()
    """By kind what it is worth to turn it over, for each choice of free actions."""
    over: int = NEVER
    """What it is worth where nothing more counts."""
    gift: int = NO_GIFT
    """Kind of a card that comes to the hand before it from elsewhere, where it may be played."""
    look: tuple[int, ...] = ()
    """Stance after a look that comes before it, and the numbers of both; what comes then is told for any cards."""
    seen: int = 0
    """Cards that are looked at before it where that is told for so many: ``hand`` has what each is worth at best,"""
    shown: Worths = ()
    """and this by kind what it is worth to play one of those, if any may be."""

    @property
    def least(self) -> int:
        """What it is worth in any case."""
        if self.over != NEVER:
            return self.over
        return max(map(min, self.deck)) if self.deck else min(self.hand, default=NEVER)


class First(NamedTuple):
    """A first play as it comes out with so many cards."""

    energy: int
    """Cards of the hand paid; more than any hand has for all of it."""
    rests: frozenset[Rest]
    """The choice of what follows;"""
    seen: int
    """the cards of the deck that are seen before it is made, where that may count, ``LATE`` with those drawn."""


class Counted(NamedTuple):
    """What counts with so many cards."""

    hands: tuple[Hashable, ...]
    """By kind what counts of it in hand, nothing where it is idle;"""
    decks: tuple[Hashable, ...]
    """and in the deck."""
    firsts: tuple[bool, ...]
    """By kind: whether playing it first may count."""
    coming: frozenset[int]
    """Kinds in hand with which the deck counts."""
    above: tuple[int, ...]
    """By kind those that outdo it, as bits."""
    plays: tuple[tuple[First, ...], ...] = ()
    """By kind how it comes out first, after each choice of free actions; nothing where a card waits."""


class Room:
    """What counts on the stances of one question."""

    def __init__(
        self,
        told: Callable[[int], Told],
        late: Callable[[int, int], int],
        first: tuple[Mapping[int, Sight], Picks],
        last: LastTurns,
        copies: Sequence[int],
        *,
        reaching: bool,
        keeps: bool,
    ) -> None:
        """The arguments are those of ``Aims``; every kind may be played."""
        self._keeps = keeps
        self._told = told
        self._late = late
        self._sights, self._picks = first
        self._ends = last
        self._copies = copies
        self._none = 0 if reaching else NEVER
        """What it is worth to have no card to play."""
        self._kinds = range(len(copies))
        self._rests: dict[tuple[Leading, int, int], Rest] = {}
        self._above: dict[Worths, tuple[int, ...]] = {}

    def _rest(self, end: Leading, held: int, left: int) -> Rest:
        """Return the last turn after an end with so many cards in hand and deck before any are drawn."""
        name = (end, held, left)
        found = self._rests.get(name)
        if found is None:
            drawn, more = min(end.drawn, left), end.gift != NO_GIFT
            found = self._rests[name] = self._make(end.stance, drawn, held + drawn + more, left - drawn, end.gift)
        return found

    def _make(self, stance: int, drawn: int, held: int, left: int, gift: int) -> Rest:
        ends = self._ends
        if ends.is_over(stance):
            return Rest(0, (), over=ends.worth(stance))
        if stance in self._sights:
            rest = self._looked(self._sights[stance], drawn, held, left) if gift == NO_GIFT else None
            if rest is not None:
                return rest
            look: tuple[int, ...] = (stance, drawn, held, left)
            while stance in self._sights and not ends.is_over(stance):
                stance, *numbers = self._sights[stance][:4]
                look += tuple(numbers)
            if stance in self._picks:
                raise OutOfReach
            return Rest(drawn, (), gift=gift, look=(stance, *look))
        stance = self._late(stance, 1)
        if self._told(stance).waits:
            turned = ends.from_deck(stance)
            if not left:
                return Rest(0, (), over=max(_met(way, held, 0) for way in turned.vain))
            deck = (
                tuple(_met(way, held, left if fizzles else left - 1) for way in ways)
                for ways, fizzles in zip(turned.ways, turned.fizzles, strict=True)
            )
            return Rest(drawn, (), frozenset(deck))
        if not held:
            return Rest(0, (), over=self._none)
        plays = ends.from_hand(stance).all_ways
        return Rest(drawn, tuple(max(_met(way, held - 1, left) for way in ways) for ways in plays), gift=gift)

    def _looked(self, sight: Sight, drawn: int, held: int, left: int) -> Rest | None:
        """Return a last turn from the hand once cards of the deck have been sorted out; nothing where more counts.

        Only one card is played then: each is worth what it is at best, whatever becomes of the others.
        """
        ends, stance = self._ends, sight.stance
        special = stance in self._sights or stance in self._picks
        if special or ends.is_over(stance):
            return None
        if self._told(stance).waits:
            turned = ends.from_deck(stance)
            told = all(turned.fizzles) and not any(way.energy or way.health for way in turned.vain)
            return Rest(0, (), over=max(way.paid for way in turned.vain)) if told else None
        if sight.drawn:
            return None
        n = min(sight.n, left)
        kept = range(n + 1 if self._keeps else 1)
        gone = sight.destroy if self._keeps else n
        numbers = [(held + k - 1, left - k - g, k) for k in kept for g in range(min(gone, n - k) + 1) if held + k]
        if not numbers:
            return Rest(0, (), over=self._none)
        worths = [
            [(k, max(_met(way, others, deck) for way in ways)) for others, deck, k in numbers]
            for ways in ends.from_hand(stance).all_ways
        ]
        own = tuple(max(worth for _, worth in each) for each in worths)
        shown = tuple(max(worth for k, worth in each if k) for each in worths) if n and self._keeps else ()
        return Rest(drawn, own if held else shown, seen=n if shown else 0, shown=shown)

    def _first(self, record: Record, held: int, left: int) -> First:
        """Return how a play comes out with so many cards in hand, itself counted in, and in the deck."""
        energy, health = record.energy, record.health
        kept = held - 1
        if energy > kept:  # nothing is paid (R22)
            return First(0, self._all_rests(record.failed, kept, left), 0)
        spent, kept = (energy, kept - energy) if energy >= 0 else (ALL, 0)
        if health > left:
            rests = self._all_rests(record.failed, kept, 0)
            return First(spent, rests, left if len(rests) > 1 else 0)
        rests = frozenset(rest for end in record.ends for rest in self._all_rests(end, kept, left - health))
        chosen = len(rests) > 1 or any(len(rest.deck) > 1 or rest.look for rest in rests)
        seen = health + LATE if any(end.drawn and end.stance in self._picks for end in record.ends) else health
        return First(spent, rests, seen if chosen else 0)

    def _all_rests(self, end: Leading, held: int, left: int) -> frozenset[Rest]:
        """Return what may follow an end with so many cards: the choice of it, where one is picked there.

        Raises:
            OutOfReach: it is picked before something else happens to the deck.
        """
        ends = self._picks.get(end.stance, (end,)) if not self._ends.is_over(end.stance) else (end,)
        if ends != (end,):
            if any(each.drawn or each.stance in self._sights or each.stance in self._picks for each in ends):
                raise OutOfReach
            ends = tuple(each._replace(drawn=end.drawn) for each in ends)
        return frozenset(self._rest(each, held, left) for each in ends)

    def of(self, stance: int, held: int, left: int) -> Counted:
        """Return what counts on a stance with so many cards in hand and in the deck.

        Raises:
            OutOfReach: a play is not carried.
        """
        acts = [self._told(free) for free in self._told(stance).frees]
        if self._told(stance).waits:
            return self._waiting(acts, held, left)
        plays = [tuple(self._first(act.plays[kind], held, left) for act in acts) for kind in self._kinds]
        rests = list(dict.fromkeys(rest for firsts in plays for first in firsts for rest in sorted(first.rests)))
        hands, decks = self._signs(rests)
        assured = self._assured(plays, held)
        needed = [
            frozenset(first for first in firsts if not self._is_no_need(plays, first, kind, held, assured))
            for kind, firsts in enumerate(plays)
        ]
        lasts = self._idle(rests).difference(self._taking_all(plays))
        counted = tuple(
            None if not needed[kind] and kind in lasts else (needed[kind], hands[kind]) for kind in self._kinds
        )
        coming = frozenset(
            kind
            for kind in self._kinds
            if any(rest.deck or rest.look or rest.drawn or rest.shown for first in needed[kind] for rest in first.rests)
        )
        above = self._all_above(rests)
        for kind in self._kinds:
            others = (other for other in self._kinds if above[kind] >> other & 1)
            above[kind] = bits(other for other in others if self._begins_no_worse(plays[other], needed[kind]))
        return Counted(counted, decks, tuple(map(bool, needed)), coming, _ranked(above), tuple(plays))

    def _waiting(self, acts: Sequence[Told], held: int, left: int) -> Counted:
        """Return what counts while a card waits: the hand pays for the one turned over, and plays once at most."""
        turned: list[tuple[First, ...]] = [() for _ in self._kinds]
        rests: dict[Rest, None] = {}
        for act in acts:
            if act.fizzles or not left:
                rests |= dict.fromkeys(sorted(self._first(act.vain, held + 1, left).rests))
                continue
            for kind in self._kinds:
                first = self._first(act.plays[kind], held + 1, left - 1)
                turned[kind] += (first,)
                rests |= dict.fromkeys(sorted(first.rests))
        found = list(rests)
        hands, decks = self._signs(found)
        lasts = self._idle(found)
        return Counted(
            tuple(None if kind in lasts else hands[kind] for kind in self._kinds),
            tuple(zip(turned, decks, strict=True)),
            tuple(False for _ in self._kinds),
            frozenset(self._kinds),
            _ranked(self._all_above(found)),
        )

    def _lasting(self, rests: Sequence[Rest]) -> Iterator[Worths]:
        """Yield by kind what it is worth to play it last, on every stance on which that is told."""
        yield from dict.fromkeys(rest.hand for rest in rests if rest.hand)

    def _signs(self, rests: Sequence[Rest]) -> tuple[list[Hashable], tuple[Hashable, ...]]:
        """Return by kind what counts of it after a first turn, in hand and in the deck."""
        hands: list[Sequence[Hashable]] = list(self._lasting(rests))
        decks: list[Sequence[Hashable]] = list(dict.fromkeys(rest.hand for rest in rests if rest.hand and rest.drawn))
        decks += dict.fromkeys(rest.shown for rest in rests if rest.shown)
        decks += dict.fromkeys(ways for rest in rests for ways in sorted(rest.deck))
        for stance in dict.fromkeys(rest.look[0] for rest in rests if rest.look):
            if self._ends.is_over(stance):
                continue
            stance = self._late(stance, 1)
            if self._told(stance).waits:
                decks += self._ends.from_deck(stance).ways
            else:
                hands.append(self._ends.from_hand(stance).ways)
                decks.append(self._ends.from_hand(stance).ways)
        return [tuple(each[kind] for each in hands) for kind in self._kinds], tuple(
            tuple(each[kind] for each in decks) for kind in self._kinds
        )

    def _idle(self, rests: Sequence[Rest]) -> frozenset[int]:
        """Return the kinds that are worth the least wherever they are played last."""
        found = {kind for kind in self._kinds if all(worths[kind] == min(worths) for worths in self._lasting(rests))}
        for stance in {rest.look[0] for rest in rests if rest.look}:
            if not self._ends.is_over(stance) and not self._told(self._late(stance, 1)).waits:
                ways = self._ends.from_hand(self._late(stance, 1)).ways
                found &= {kind for kind in found if not ways[kind]}
        return frozenset(found)

    # Passing

    def _assured(self, plays: Sequence[Sequence[First]], held: int) -> int:
        """Return what two turns are worth in any case with such a hand; some first card leaves another one."""
        takes_all = self._taking_all(plays)
        if sum(self._copies[kind] for kind in takes_all) >= held:
            return self._none
        return min(
            max(max(self._least(rest) for rest in first.rests) for first in plays[kind])
            for kind in self._kinds
            if kind not in takes_all
        )

    def _taking_all(self, plays: Sequence[Sequence[First]]) -> list[int]:
        """Return the kinds of which one played first may leave no card; no others are as good as those."""
        return [kind for kind in self._kinds if any(first.energy == ALL for first in plays[kind])]

    def _least(self, rest: Rest) -> int:
        if rest.look:
            return self._ends.floor(rest.look[0])
        return rest.least

    def _most(self, rest: Rest) -> int:
        """Return what a last turn is worth at most."""
        if rest.look:
            return -NEVER
        return max((rest.over, *rest.hand, *(max(worths) for worths in rest.deck)))

    def _is_no_need(self, plays: Sequence[Sequence[First]], first: First, kind: int, held: int, assured: int) -> bool:
        """Return whether a first play does nothing, and no last one after it is better than what else there is."""
        if all(self._most(rest) <= assured for rest in first.rests):
            return True
        rest = next(iter(first.rests))
        if len(first.rests) > 1 or rest.drawn or rest.gift != NO_GIFT or rest.shown or not rest.hand:
            return False
        return all(
            worth <= assured
            or any(
                self._sure(after, kind, any_card=kind == other) >= worth
                for better in plays[other]
                if better.energy <= held - 2
                for after in better.rests
            )
            for other, worth in enumerate(rest.hand)
        )

    def _sure(self, rest: Rest, kind: int, *, any_card: bool) -> int:
        """Return what a kind, or any card, is worth in any case as the last one."""
        if rest.hand:
            return min(rest.hand) if any_card else rest.hand[kind]
        return rest.over

    # Outdone cards

    def _all_above(self, rests: Sequence[Rest]) -> list[int]:
        """Return by kind those that are worth no less wherever they are played last, as bits."""
        above = [bits(self._kinds) for _ in self._kinds]
        for worths in self._lasting(rests):
            found = self._above.get(worths)
            if found is None:
                found = self._above[worths] = tuple(
                    bits(other for other in self._kinds if worths[other] >= worth) for worth in worths
                )
            above = [one & other for one, other in zip(above, found, strict=True)]
        for stance in {rest.look[0] for rest in rests if rest.look}:
            if not self._ends.is_over(stance) and not self._told(self._late(stance, 1)).waits:
                found = self._ends.from_hand(self._late(stance, 1)).above
                above = [one & other for one, other in zip(above, found, strict=True)]
        return above

    def _begins_no_worse(self, better: Sequence[First], worse: frozenset[First]) -> bool:
        return all(any(_is_no_worse(one, other) for one in better) for other in worse)


def _met(way: Way, held: int, left: int) -> int:
    """Return what a last play is worth with so many cards to pay from."""
    return way.paid if way.energy <= held and way.health <= left else way.failed


def _is_no_worse(better: First, worse: First) -> bool:
    """Return whether a first play is no worse than another."""
    if better == worse:
        return True
    if better.energy > worse.energy or better.seen != worse.seen:
        return False
    return all(any(_ends_no_worse(one, other) for one in better.rests) for other in worse.rests)


def _ends_no_worse(better: Rest, worse: Rest) -> bool:
    """Return whether a last turn is worth no less than another, with whatever cards."""
    if better == worse:
        return True
    if better.look or worse.look or worse.shown or better.drawn < worse.drawn:
        return False
    if worse.gift not in (NO_GIFT, better.gift):
        return False
    if better.over != NEVER or worse.over != NEVER:
        return better.least >= worse.over != NEVER
    if better.hand and worse.hand:
        return _as_good(better.hand, worse.hand)
    return bool(better.deck and worse.deck) and all(
        any(_as_good(one, other) for one in better.deck) for other in worse.deck
    )


def _as_good(some: Worths, others: Worths) -> bool:
    return all(one >= other for one, other in zip(some, others, strict=True))


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
