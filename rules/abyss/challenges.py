"""The named challenges: which goal has to be met, and how many stages it takes at least (13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.abyss.bound import StageBound
from rules.abyss.state import OVER_PHASE, PHASES, Table
from rules.core.challenge import NEVER, Challenge, Clock, Fate, Measure, Quest, challenges_of
from rules.core.files import data_file
from rules.core.steps import Forced, Step
from rules.core.turns import TurnEnd

if TYPE_CHECKING:
    from rules.abyss.engine import Abyss


@cache
def challenge_facts() -> Mapping[str, Mapping[str, Any]]:
    """Return what the file says of each challenge."""
    return dict(data_file(Path(__file__).resolve().parent, "challenges")["challenges"])


@cache
def challenges() -> Mapping[str, Challenge]:
    """Return every challenge by its id (13)."""
    return challenges_of(challenge_facts())


class Fortune(Quest[Table]):
    """A challenge asked from one table."""

    def __init__(self, game: Abyss, challenge: str, table: Table, seat: int) -> None:
        self.challenge = challenges()[challenge]
        self.start = table
        self.seat = seat
        self.game = game
        self._bound = StageBound(game.rulings, game.goals(challenge), table, seat)
        self.unit, self.target = game.measured(challenge)

    def clock(self) -> Clock | None:
        """Return how stages make up rounds (17)."""
        if self.challenge.measure is not Measure.ROUNDS:
            return None
        return Clock("stage", len(PHASES), self.game.turns(self.start, self.seat) % len(PHASES))

    def progress(self, table: Table) -> int:
        """Return how near the seat is to a goal that counts, in points of it; at the target exactly if it is met."""
        return self.game.progress(table, self.seat, self.challenge.id)

    @property
    def fate(self) -> Fate:
        """Who decides what is not known (13.1)."""
        return Fate(challenge_facts()[self.challenge.id].get("fate", Fate.KNOWN))

    def promise(self, table: Table) -> int:
        """Return a guess: few stages to come, then progress."""
        return self.progress(table) - 1000 * min(self.least_turns(table), 1000)

    def reached(self, table: Table) -> bool:
        """Return whether the goal is met; false where only the score counts."""
        return self.challenge.measure is Measure.ROUNDS and self.game.goal_reached(table, self.seat, self.challenge.id)

    def score(self, table: Table) -> int:
        """Return 2 where the seat has won, 0 where another one has, and 1 where nobody has, or several together."""
        if table.winner is None:
            return 1
        return 2 if table.winner == self.seat else 0

    def ends(self, table: Table, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[Table]]:
        """Yield every way through the next stage; no challenge forbids any."""
        return self.game.turn_ends(table, pending)

    def allows(self, table: Table, end: TurnEnd[Table]) -> bool:
        """Return true: no challenge forbids anything."""
        return True

    def least_turns(self, table: Table) -> int:
        """Return a number of further stages that the goal needs at least; none come after the last."""
        if self.reached(table):
            return 0
        last = self.game.most_turns(table, self.seat)
        least = NEVER if table.phase == OVER_PHASE else self._bound.least(table, self.seat)
        return NEVER if last is not None and least > last else least
