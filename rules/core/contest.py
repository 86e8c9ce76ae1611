"""Games of several seats: what the end is worth to each, what is secret, and what a seat may believe."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeVar

from rules.core.chance import SplitMix64
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import Game
from rules.core.unknown import UNKNOWN

T = TypeVar("T")

SECRET: Final = -3
"""``actor`` of a step in which both seats decide before either sees what the other has decided."""


class Interval(NamedTuple):
    """Between what the first seat's payoff lies, both ends included."""

    low: Fraction | int
    high: Fraction | int


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

    def is_common(self, table: T, seat: int | None = None) -> bool:
        """Return whether all seats, or one, see all there is on a table, so that only chance is hidden from them."""
        return True


def seats_unknown(game: Race[T], table: T) -> list[int]:
    """Return the seats that hold unknown cards."""
    players = game.players if isinstance(game, Contest) else 1
    return [seat for seat in range(players) if UNKNOWN in game.owned(table, seat)]


class ImperfectInformation(Game[T]):
    """A game whose tables hold what some seats do not see, such as the hands of the others.

    To a player, what nobody has seen is the same as what is still to be drawn. So a table may lie in any way that looks
    alike from a seat.
    """

    @abstractmethod
    def information_state(self, table: T, seat: int = 0) -> T:
        """Return what a seat sees: equal for tables that it cannot tell apart, and no table to play on."""

    @abstractmethod
    def sample_world(self, table: T, seat: int, generator: SplitMix64, steps: Sequence[Step | Forced] = ()) -> T:
        """Return a table that looks alike from a seat, what it does not see dealt at random; for samples only.

        Cards that the ``steps`` of a turn under way have shown may be left where they lie: few deals would have them
        there. Whether a table agrees with the turn in everything else is for the caller to see.
        """

    def support(self, table: T, seat: int) -> Iterable[tuple[T, int]]:
        """Yield all tables that look alike from a seat, each with how many deals that are equally likely lead to it.

        Nothing where the game does not tell them.
        """
        return ()

    def determinize(
        self, table: T, seat: int, generator: SplitMix64, steps: Sequence[Step | Forced]
    ) -> Sequence[Step | Forced]:
        """Return the steps of a turn under way on an imagined table, those parts drawn that a seat has not seen.

        By default everybody has seen every step.
        """
        return steps

    def foreseen(self, table: T) -> str:
        """Return in words what a player alone knows of hidden chance that is still to come, nothing by default."""
        return ""

    @property
    @abstractmethod
    def conceals(self) -> bool:
        """Return whether tables met in play can hold what the seat that decides does not see.

        Then the best of choices over tables would peek, and is no value of the player's.
        """
