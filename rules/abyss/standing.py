"""How far a seat has come: progress towards a goal, stages finished, challenges (8.1, 13.1, 17)."""

from __future__ import annotations

from rules.abyss.challenges import challenge_facts
from rules.abyss.content import Goal
from rules.abyss.rulings import Rulings
from rules.abyss.state import OVER_PHASE, PHASES, Seat, Table


class Standing:
    """Measures tables of one ruleset."""

    def __init__(self, rulings: Rulings) -> None:
        self._rulings = rulings
        self._goals = rulings.content.goals
        self.target = max((max(goal.ap, goal.rp) for goal in self._goals.values()), default=1)
        """Progress at which a goal is met."""

    def goals(self, challenge: str) -> tuple[Goal, ...]:
        """Return the goals that meet a challenge's condition; all of them without one.

        Raises:
            LookupError: there is no such challenge.
        """
        if challenge and challenge not in challenge_facts():
            raise LookupError(f"there is no challenge '{challenge}'; known: {', '.join(challenge_facts())}")
        name = challenge_facts()[challenge].get("goal") if challenge else None
        return tuple(self._goals.values()) if name is None else (self._goals[name],)

    def goal_reached(self, table: Table, seat: int, challenge: str) -> bool:
        """Return whether one of the goals of a challenge is met."""
        points = table.seats[seat]
        return any(goal.is_met(points.ap, points.rp) for goal in self.goals(challenge))

    def measured(self, challenge: str) -> tuple[str, int]:
        """Return what progress towards a challenge is counted in, and where its goal is met."""
        goals = self.goals(challenge)
        if len(goals) != 1:
            return "point", self.target
        return ("AP", goals[0].ap) if goals[0].ap >= goals[0].rp else ("RP", goals[0].rp)

    def progress(self, seat: Seat, challenge: str = "") -> int:
        """Return the best progress over the goals of a challenge, or over all."""
        target = self.measured(challenge)[1]
        return max((self._progress(goal, seat, target) for goal in self.goals(challenge)), default=0)

    def _progress(self, goal: Goal, seat: Seat, target: int) -> int:
        """Return the part of one goal that is there, in units of the target; below it until the goal is met."""
        have, need = (seat.ap, goal.ap) if goal.ap >= goal.rp else (seat.rp, goal.rp)
        scaled = have * target // need if need > 0 else target
        return max(target, scaled) if goal.is_met(seat.ap, seat.rp) else min(target - 1, scaled)

    def stages(self, table: Table, seat: int) -> int:
        """Return how many of its stages a seat has finished, the one that ended the game included."""
        order = self._rulings.order(table.round)
        acting, own = order.index(table.seat), order.index(seat)
        if table.phase == OVER_PHASE:
            return len(PHASES) * (table.round - 1) + self._last_stage(table) + (own <= acting)
        return len(PHASES) * (table.round - 1) + PHASES.index(table.phase) + (own < acting)

    def _last_stage(self, table: Table) -> int:
        """Return the place in the round of the step that ended the game, as the table still shows it."""
        side = table.seats[table.seat]
        if side.plan is None:
            return PHASES.index("prepare" if table.winner is not None and self._rulings.immediate else "refill")
        events = table.events
        # Where there is no Event in the box nobody gets one, and none can end the game.
        if side.event is None and (events.front or events.back or events.used):
            return PHASES.index("event")
        teams = (side.plan, side.plan.temp)
        waiting = any(team is not None and team.card is not None for team in teams)
        return PHASES.index("deal" if waiting and not any(seat.treasure for seat in table.seats) else "act")
