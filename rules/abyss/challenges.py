"""The named challenges of Abyss (13)."""

from __future__ import annotations

from rules.abyss.bound import StageBound
from rules.abyss.content import Content
from rules.abyss.engine import Abyss
from rules.abyss.state import OVER_PHASE, Table
from rules.core.challenge import Aim, Challenge, Quest
from rules.core.chance import Chance
from rules.core.race import NEVER


class Fortune(Quest[Table], Abyss):
    """A challenge asked from one table; turns are stages."""

    def __init__(self, content: Content, players: int, chance: Chance, challenge: Challenge, aim: Aim) -> None:
        super().__init__(content, players, chance)
        start = self.decode(aim.start)
        self.wanted = challenge.facts.get("goal", "")
        """The one goal that counts; empty where any does."""
        self._bound = StageBound(self.rulings, self.goals(self.wanted), start, aim.seat)
        self.unit, self.target = self.measured(self.wanted)
        self.ask(challenge, start, aim.seat)

    def done(self, table: Table) -> int:
        """Return how near the seat is to a goal that counts, in points of it; at the target exactly if it is met."""
        return self.near(table, self.seat, self.wanted)

    def promise(self, table: Table, seat: int) -> int:
        """Return a guess: few stages to come, then progress."""
        return self.done(table) - 1000 * min(self.fewest(table), 1000)

    def score(self, table: Table) -> int:
        """Return 2 where the seat has won, 0 where another one has, and 1 where nobody has, or several together."""
        if table.winner is None:
            return 1
        return 2 if table.winner == self.seat else 0

    def fewest(self, table: Table) -> int:
        """Return a number of further stages that the goal needs at least; none come after the last."""
        if self.reached(table):
            return 0
        last = self.most_turns(table, self.seat)
        least = NEVER if table.phase == OVER_PHASE else self._bound.least(table, self.seat)
        return NEVER if last is not None and least > last else least
