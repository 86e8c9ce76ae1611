"""Free actions that need not be looked at, as playing without them is no worse with any cards.

One stance *covers* another for so many turns if nothing is lost by standing on it with the same hand and deck: each
kind that can be played on the other can be played on it for the same cards of hand and deck, with as many cards drawn,
and each end of the play, paid or not, is covered by one of its own with a turn less. Where a card waits, one choice of
free actions has to do for every kind that may be turned over. In the end it is the place that counts. So whoever stands
on the one stance does what the other does, card by card, and gets no less; nothing is said about cards, costs that
differ, or hands of another size.

Whatever free actions make of a stance they may make of it later: so it covers that one for any number of turns, and a
free action that does not count on the turn on which it is taken is put off.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from rules.iditacards.belief.needs import LastTurns, Leading, Picks, Record, Sight, Told


class Acts(ABC):
    """Which stances that free actions make of one need not be looked at."""

    def __init__(self, sights: Mapping[int, Sight], kept_back: frozenset[int], kinds: range) -> None:
        """The arguments are those of ``Aims``."""
        self._sights = sights
        self._played = [kind for kind in kinds if kind not in kept_back]
        self._kinds = kinds

    @abstractmethod
    def covers(self, one: int, other: int, turns: int) -> bool:
        """Return whether one stance is worth no less than another with so many turns left, with any cards.

        Raises:
            OutOfReach: a play that follows is not carried.
        """

    def kept(self, frees: Mapping[int, Told], turns: int, *, waits: bool) -> tuple[int, ...]:
        """Return stances of the same turn, told, less those that others before them cover for so many turns.

        Raises:
            OutOfReach: a play that follows is not carried.
        """
        kept: dict[int, Told] = {}
        for free, told in frees.items():
            if not self._do(list(kept.values()), told, turns, waits=waits):
                kept[free] = told
        return tuple(kept)

    def _do(self, known: Sequence[Told], plays: Told, turns: int, *, waits: bool) -> bool:
        """Return whether some stances to act on make it needless to act on another one."""
        if waits:
            return any(self._turns_over(act, plays, turns) for act in known)
        return all(
            any(self._plays_as_well(act.plays[kind], plays.plays[kind], turns) for act in known)
            for kind in self._played
        )

    def _turns_over(self, act: Told, other: Told, turns: int) -> bool:
        """Return whether no card of the deck is worth less turned over on one stance than on another."""
        if act.fizzles != other.fizzles or not self._plays_as_well(act.vain, other.vain, turns):
            return False
        return act.fizzles or all(
            self._plays_as_well(act.plays[kind], other.plays[kind], turns) for kind in self._kinds
        )

    def _plays_as_well(self, one: Record, other: Record, turns: int) -> bool:
        if one == other:
            return True
        if one.energy != other.energy or one.health != other.health:
            return False
        return self._leads_as_well(one.failed, other.failed, turns - 1) and all(
            any(self._leads_as_well(each, end, turns - 1) for each in one.ends) for end in other.ends
        )

    def _leads_as_well(self, one: Leading, other: Leading, turns: int) -> bool:
        """Return whether one end covers another: but for the stances they have to be the same."""
        alike = one[1:] == other[1:]
        return alike and self.covers(one.stance, other.stance, turns)

    def _sees_as_well(self, one: int, other: int, turns: int) -> bool:
        some, others = self._sights[one], self._sights[other]
        return some[1:4] == others[1:4] and self.covers(some.stance, others.stance, turns)


class Later(Acts):
    """The same for any number of turns: what is done later as well need not be done now."""

    def __init__(
        self,
        sights: Mapping[int, Sight],
        kept_back: frozenset[int],
        kinds: range,
        becomes: Callable[[int, int], bool],
    ) -> None:
        """``becomes`` says whether free actions make one stance of another; the rest is as for ``Acts``."""
        super().__init__(sights, kept_back, kinds)
        self._becomes = becomes

    def covers(self, one: int, other: int, turns: int) -> bool:
        """Return what ``Acts`` says, as far as it holds for all turns at once."""
        if one == other or self._becomes(one, other):
            return True
        return one in self._sights and other in self._sights and self._sees_as_well(one, other, turns)


class Covers(Acts):
    """The same for some turns, which are gone through."""

    def __init__(
        self,
        told: Callable[[int], Told],
        late: Callable[[int, int], int],
        first: tuple[Mapping[int, Sight], Picks],
        last: LastTurns,
        kept_back: frozenset[int],
        kinds: range,
        taking: Callable[[int], object | None],
    ) -> None:
        """The arguments are those of ``Aims``."""
        super().__init__(first[0], kept_back, kinds)
        self._picks = first[1]
        self._told = told
        self._late = late
        self._ends = last
        self._taking = taking
        self._known: dict[tuple[int, int, int], bool] = {}

    def acts(self, stance: int, turns: int) -> tuple[int, ...]:
        """Return the stances that free actions make of one, less those that others cover for so many turns.

        Raises:
            OutOfReach: a play that follows is not carried.
        """
        told = self._told(stance)
        return self.kept({free: self._told(free) for free in told.frees}, turns, waits=told.waits)

    def covers(self, one: int, other: int, turns: int) -> bool:
        """Return what ``Acts`` says.

        Raises:
            OutOfReach: a play that follows is not carried.
        """
        if one == other:
            return True
        name = (one, other, turns)
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._covers(one, other, turns)
        return found

    def _covers(self, one: int, other: int, turns: int) -> bool:
        ends = self._ends
        if not turns or ends.is_over(one) or ends.is_over(other):
            together = not turns or (ends.is_over(one) and ends.is_over(other))
            return together and ends.worth(one) >= ends.worth(other)
        if one in self._sights or other in self._sights:
            return one in self._sights and other in self._sights and self._sees_as_well(one, other, turns)
        if one in self._picks or other in self._picks:
            return self._picks_as_well(self._picked(one), self._picked(other), turns)
        one, other = self._late(one, turns), self._late(other, turns)
        told, plays = self._told(one), self._told(other)
        # Only once a stance is told is it known whether cards are taken there, of which nothing is compared.
        if self._taking(one) is not None or self._taking(other) is not None:
            return one == other
        if told.waits != plays.waits:
            return False
        acts = [self._told(free) for free in told.frees]
        return all(self._do(acts, self._told(free), turns, waits=told.waits) for free in plays.frees)

    def _picked(self, stance: int) -> tuple[Leading, ...]:
        return self._picks.get(stance, (Leading(stance, 0, 0),))

    def _picks_as_well(self, some: Sequence[Leading], others: Sequence[Leading], turns: int) -> bool:
        return all(any(self._leads_as_well(one, other, turns) for one in some) for other in others)
