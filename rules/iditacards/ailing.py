"""How long conditions last where only their presence counts: a guess for plain play, never a bound.

The automatic move is then the speed times one less for each kind of condition there is, so that each kind costs a speed
a turn for as long as there is any of it, whatever the other kind does. A kind is a queue: points come with weather and
spaces (so many a turn), and cards take them away one by one. Let two players meet the same points and the same cards,
one of whom has a point more. They differ in nothing but turns in which one has none and the other one has one, until a
card comes up that the first has no use for. With Poisson streams these turns are ``1 / max(coming, going)`` on average
once the first is at none. Where more comes than goes he may never be at none and the point would cost nothing; it is
charged all the same, since whoever stops healing then is stuck for good.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SELDOM: Final = 0.02
"""Points a turn that are taken to come or to go at least."""
MOST_BUSY: Final = 0.75
"""Part of the turns at most that a player is taken to have a condition."""


class Queue(NamedTuple):
    """One kind of condition."""

    coming: float
    """Points a turn that a player gets."""
    going: float
    """Points a turn that cards would take away."""
    left: float
    """Turns left in the race."""

    @property
    def point(self) -> float:
        """Turns with the condition that a point more is to blame for."""
        return min(self.left, 1 / max(SELDOM, self.coming, self.going))

    def busy(self, points: int) -> float:
        """Return the part of the turns left that a player with so many points has the condition."""
        usual = min(MOST_BUSY, self.coming / max(SELDOM, self.going))
        return usual + (MOST_BUSY - usual) * min(1.0, points * self.point / self.left)
