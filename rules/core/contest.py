"""Games of several players as contests: what the end is worth to each seat, what is secret, who sees what."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from rules.core.race import Race

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

SECRET: Final = -3
"""``actor`` of a step in which both seats decide before either sees what the other has decided."""


class Interval(NamedTuple):
    """Between what the first seat's payoff lies, both ends included."""

    low: Fraction | int
    high: Fraction | int


class ContestTree(Protocol[K]):
    """The play of two seats as a tree over hashable keys: decisions, chance, secret steps, ends.

    Equal keys must have equal values for the first seat.
    """

    @property
    def name(self) -> str:
        """Told with the answer."""

    @property
    def whole(self) -> bool:
        """Whether payoffs are whole numbers and no step is secret, so that search can stay among integers."""

    def key(self, state: Any) -> K | None:
        """Return the key of a state, or nothing where the tree does not hold it: then chance is due."""

    def actor(self, key: K) -> int:
        """Return the seat that decides, ``CHANCE``, ``OVER`` or ``SECRET``."""

    def followers(self, key: K) -> Sequence[K]:
        """Return what the seat to decide can make of a key, repeats left out."""

    def outcomes(self, key: K) -> tuple[Sequence[tuple[K, int]], int]:
        """Return what chance can make of a key, each with its ways, and how many ways there are in all."""

    def plans(self, key: K) -> Sequence[Sequence[K]]:
        """Return what comes of every pair of secret choices, one row for each of the first seat's."""

    def payoff(self, key: K) -> Fraction | int:
        """Return what the first seat has if play stops at a key."""

    def guess(self, key: K) -> Fraction | int:
        """Return about what the first seat will have, for ranking only."""

    def bounds(self, key: K) -> Interval:
        """Return proved bounds of the value; equal ones where play is over."""

    def pace(self, key: K) -> int:
        """Return the turns of all seats that are over."""

    def rounds(self, key: K) -> int:
        """Return the rounds that are over."""


class Contest(Race[T]):
    """A game in which seats play for payoffs that always add to the same sum."""

    players: int
    stake: str = ""
    """What a payoff is counted in, in the singular; empty where it is a share of the win."""
    stages: int = 1
    """Own turns of each round, where a turn is only a part of one."""

    def payoffs(self, table: T) -> Sequence[Fraction]:
        """Return what every seat has if play stops here: by default the win, shared by those who win it or by all."""
        outcome = self.outcome(table)
        winners = (outcome.winners if outcome is not None else ()) or range(self.players)
        return [Fraction(int(seat in winners), len(winners)) for seat in range(self.players)]

    def guesses(self, table: T) -> Sequence[Fraction]:
        """Return about what every seat will have, for ranking where play cannot be followed to its end.

        By default who is ahead of the others has more of the win: all of it two targets ahead.
        """
        if self.is_over(table):
            return self.payoffs(table)
        progress = [self.progress(table, seat) for seat in range(self.players)]
        mean = Fraction(sum(progress), self.players)
        part, whole = Fraction(1, self.players), 2 * max(1, self.default_target())
        most = part / max(1, self.players - 1)
        leads: list[Fraction] = [min(max((own - mean) / whole, -part), most) for own in progress]
        return [part + lead - sum(leads, Fraction(0)) / self.players for lead in leads]

    def payoff_range(self, table: T) -> Interval:
        """Return between what the first seat's payoff lies however play goes on; by default that of a share."""
        return Interval(Fraction(0), Fraction(1))

    def payoff_bounds(self, table: T) -> Interval:
        """Return between what the first seat's payoff lies at the best play of both, from a turn boundary."""
        if self.is_over(table):
            value = self.payoffs(table)[0]
            return Interval(value, value)
        return self.payoff_range(table)

    def rounds(self, table: T) -> int:
        """Return the rounds that every seat has finished."""
        return min(self.turns(table, seat) for seat in range(self.players))

    def pace(self, table: T) -> int:
        """Return the turns that all seats together have finished."""
        return sum(self.turns(table, seat) for seat in range(self.players))

    def is_secret(self, table: T) -> bool:
        """Return whether what is decided in this turn stays hidden until every seat has decided."""
        return False

    def undecided(self, table: T) -> T:
        """Return the table before the first seat has decided in a secret step under way."""
        return table

    def is_common(self, table: T) -> bool:
        """Return whether all seats see all there is to see, so that only chance is hidden from anybody."""
        return True

    def tells_all(self, table: T, seat: int) -> bool:
        """Return whether a table shows what a seat sees and nothing else, so that the rest is chance."""
        return self.is_common(table)
