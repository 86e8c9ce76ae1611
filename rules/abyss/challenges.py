"""Goals, how near a seat is to one, and the named challenges (8.1, 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rules.abyss.bound import StageBound
from rules.abyss.content import Goal, Rulings
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, PHASES, Seat, Table, is_at, teams_of
from rules.core.challenge import NEVER, Challenge, Challenger, ChanceMode, Clock, Measure, Quest, challenges_of
from rules.core.files import data_file
from rules.core.schema import Table as Shape
from rules.core.steps import Forced, Step
from rules.core.turns import TurnEnd


@cache
def _facts() -> Mapping[str, Mapping[str, Any]]:
    return dict(data_file(Path(__file__).resolve().parent, "challenges")["challenges"])


@cache
def _challenges() -> Mapping[str, Challenge]:
    return challenges_of(_facts())


class GoalGame(Challenger[Table]):
    """A game that measures how near its seats are to the goals of its rulings; turns are stages."""

    unit = "point"
    usual_challenge = "AB-S1"  # 8.1: the first goal that is met
    is_place = False
    stages = len(PHASES)

    def __init__(self, rulings: Rulings) -> None:
        self.rulings = rulings
        self.players = rulings.players
        self._goals = rulings.content.goals
        self._target = max((max(goal.ap, goal.rp) for goal in self._goals.values()), default=1)

    def goals(self, challenge: str = "") -> tuple[Goal, ...]:
        """Return the goals that a challenge asks for, or all (13.1).

        Raises:
            LookupError: there is no such challenge.
        """
        if not challenge:
            return tuple(self._goals.values())
        if challenge not in _facts():
            raise LookupError(f"there is no challenge '{challenge}'; known: {', '.join(_facts())}")
        name = _facts()[challenge].get("goal")
        return tuple(self._goals.values()) if name is None else (self._goals[name],)

    def goal_reached(self, table: Table, seat: int = 0, challenge: str = "") -> bool:
        """Return whether a seat meets a goal that a challenge asks for, or any."""
        points = table.seats[seat]
        return any(goal.is_met(points.ap, points.rp) for goal in self.goals(challenge))

    def measured(self, challenge: str) -> tuple[str, int]:
        """Return what progress towards a challenge is counted in, and its target."""
        goals = self.goals(challenge)
        if len(goals) != 1:
            return "point", self._target
        return ("AP", goals[0].ap) if goals[0].ap >= goals[0].rp else ("RP", goals[0].rp)

    def progress(self, table: Table, seat: int = 0, challenge: str = "") -> int:
        """Return how near a seat is to the nearest goal of a challenge, or of all; at the target exactly if met.

        Several goals are counted in points of the largest.
        """
        target, own = self.measured(challenge)[1], table.seats[seat]
        return max((_progress(goal, own, target) for goal in self.goals(challenge)), default=0)

    def default_target(self) -> int:
        """Return the progress at which a goal is met."""
        return self._target

    def challenges(self) -> Mapping[str, Challenge]:
        """Return every challenge of the game by its id (13)."""
        return _challenges()

    def goal_schema(self, challenge: str) -> Shape:
        """Return the shape of what a goal says besides its challenge: nothing."""
        return Shape({})

    def quest(self, challenge: str, table: Table, seat: int, goal: Mapping[str, Any]) -> Fortune:
        """Return a challenge asked from a table (13)."""
        return Fortune(self, challenge, table, seat)

    # Time

    def days(self, table: Table, seat: int = 0) -> int:
        """Return the rounds begun."""
        return table.round

    def turns(self, table: Table, seat: int = 0) -> int:
        """Return the stages a seat has finished, the one that ended the game included."""
        order = self.rulings.order(table.round)
        acting, own = order.index(table.seat), order.index(seat)
        gone = len(PHASES) * (table.round - 1)
        if table.phase != OVER_PHASE:
            return gone + PHASES.index(table.phase) + (own < acting)
        last = self._last_phase(table)
        # Once nobody's Event is left all have had this step; what follows belongs to the last of them (17).
        everybody = last == "event" and all(side.event is None for side in table.seats)
        return gone + PHASES.index(last) + (everybody or own <= acting)

    def most_turns(self, table: Table, seat: int = 0) -> int | None:
        """Return the stages that a seat has left until the last round is over, where there is a last one (AB-Q46)."""
        if table.phase == OVER_PHASE:
            return 0
        limit = self.rulings.round_limit
        return None if limit is None else self.stages * max(limit, table.round) - self.turns(table, seat)

    def _last_phase(self, table: Table) -> str:
        """Return the step that ended the game, as far as the table still shows it."""
        side, events = table.seats[table.seat], table.events
        if side.plan is None:
            return "prepare" if table.winner is not None and self.rulings.immediate else "refill"
        if side.event is not None:
            return "deal" if side.plan.card is not None else "act"
        if any(seat.event is not None for seat in table.seats):
            return "event" if events.used else "act"
        if events.front or events.back or events.used:
            return "event"
        return "event" if self._has_cashed(table) else "act"

    def _has_cashed(self, table: Table) -> bool:
        """Return whether treasure of this round has been cashed, where there is no Event in the box to tell (5.H)."""
        side = table.seats[table.seat]
        if side.treasure or not is_at(side.plan, ABYSS) or any(seat.laid for seat in table.seats):
            return False
        teams = [teams_of(seat.plan) for seat in table.seats]
        # Of two teams the main team may have had no card if it is in the City.
        used = sum(len(pair) - (len(pair) > 1 and pair[0].location == CITY) for pair in teams)
        cards = [self.rulings.cards[name] for name in table.actions.used[-used:]]
        return any(card.args("treasure") is not None for card in cards)


def _progress(goal: Goal, seat: Seat, target: int) -> int:
    """Return the part of one goal that is there, in units of the target; below it until the goal is met."""
    have, need = (seat.ap, goal.ap) if goal.ap >= goal.rp else (seat.rp, goal.rp)
    scaled = have * target // need if need > 0 else target
    return max(target, scaled) if goal.is_met(seat.ap, seat.rp) else min(target - 1, scaled)


class Fortune(Quest[Table]):
    """A challenge asked from one table."""

    def __init__(self, game: GoalGame, challenge: str, table: Table, seat: int) -> None:
        self.challenge = _challenges()[challenge]
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
    def fate(self) -> ChanceMode:
        """Who decides what is not known (13.1)."""
        return ChanceMode(_facts()[self.challenge.id].get("fate", ChanceMode.KNOWN))

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
