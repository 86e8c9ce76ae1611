"""How far a seat has come: progress towards a goal, stages finished, challenges (8.1, 13.1, 17)."""

from __future__ import annotations

from rules.abyss.challenges import challenge_facts
from rules.abyss.content import Goal
from rules.abyss.rulings import Rulings
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, PHASES, Plan, Seat, Table, TeamPlan


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
        gone = len(PHASES) * (table.round - 1)
        if table.phase != OVER_PHASE:
            return gone + PHASES.index(table.phase) + (own < acting)
        last = self._last_phase(table)
        # Once nobody's Event is left all have had this step; what follows belongs to the last of them (17).
        everybody = last == "event" and all(side.event is None for side in table.seats)
        return gone + PHASES.index(last) + (everybody or own <= acting)

    def _last_phase(self, table: Table) -> str:
        """Return the step that ended the game, as far as the table still shows it."""
        side, events = table.seats[table.seat], table.events
        if side.plan is None:
            return "prepare" if table.winner is not None and self._rulings.immediate else "refill"
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
        if side.treasure or not any(team.location == ABYSS for team in _teams(side)):
            return False
        teams = [_teams(seat) for seat in table.seats]
        if any(team.card is not None for pair in teams for team in pair):
            return False
        # Of two teams the main team may have had no card if it is in the City.
        used = sum(len(pair) - (len(pair) > 1 and pair[0].location == CITY) for pair in teams)
        cards = [self._rulings.cards[name] for name in table.actions.used[-used:]]
        return any(card.args("treasure") is not None for card in cards)


def _teams(side: Seat) -> list[Plan | TeamPlan]:
    """Return the main team's plan and the temp team's, as far as there are such (5.C)."""
    plan = side.plan
    return [team for team in (plan, plan and plan.temp) if team is not None]
