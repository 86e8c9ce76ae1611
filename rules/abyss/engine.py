"""The game of Abyss: one seat's share of a step is a turn; setup and end (3, 5, 8); its challenges (13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import cycle

from rules.abyss.actions import Stage
from rules.abyss.bound import StageBound
from rules.abyss.content import ACTIONS, EVENTS, Content, Goal, Rulings
from rules.abyss.knowledge import HiddenGame
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, PHASES, Plan, Seat, Table, decode, encode, is_at, teams_of
from rules.abyss.turn import GO_ON, IDLE, GameOver, shuffled
from rules.abyss.words import Decision, glance, seat_name, sentence
from rules.core.challenge import Aim, Challenge, Quest
from rules.core.race import NEVER, Profile, tally
from rules.core.schema import built
from rules.core.scripts import UNKNOWN, Chance, Event, Outcome, Script


class Abyss(HiddenGame):
    """Abyss under one ruleset, for one number of players, with one set of open chance results."""

    profile = Profile(
        unit="point",
        is_place=False,
        routine=frozenset({"dealt", "plans"}),
        standing=("AP and RP", "partners", "hand"),
        idle=IDLE,
        clocks=("round",),
        goods=("seats.*.ap", "seats.*.hand", "seats.*.partners", "seats.*.rp", "seats.*.temps", "seats.*.treasure"),
        stages=len(PHASES),
        seat_name=seat_name,
    )
    wanted = ""
    """The one goal that counts; empty where any does."""
    refusals = Decision
    encode = staticmethod(encode)
    decode = staticmethod(decode)

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.rulings = Rulings(content, players, chance)
        self.content, self.chance = content, chance
        self.profile = replace(self.profile, target=_largest(self.goals), players=players)

    # Goals

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals that count (13.1)."""
        return (self.content.goals[self.wanted],) if self.wanted else self.rulings.goals

    def goal_reached(self, table: Table, seat: int = 0) -> bool:
        """Return whether a seat meets any goal."""
        return any(goal.is_met(table.seats[seat].ap, table.seats[seat].rp) for goal in self.rulings.goals)

    def progress(self, table: Table, seat: int = 0) -> int:
        """Return how near a seat is to the nearest goal; at the target exactly if one is met."""
        return max(_progress(goal, table.seats[seat], self.profile.target) for goal in self.goals)

    # Time

    def turns(self, table: Table, seat: int = 0) -> int:
        """Return the stages a seat has finished, the one that ended the game included."""
        order = self.rulings.order(table.round)
        over, last = table.phase == OVER_PHASE, self._last_phase(table)
        # Once nobody's Event is left all have had this step; what follows belongs to the last of them (17).
        everybody = over and last == "event" and all(side.event is None for side in table.seats)
        had = everybody or order.index(seat) < order.index(table.seat) + over
        return len(PHASES) * (table.round - 1) + PHASES.index(last) + had

    def most_turns(self, table: Table, seat: int = 0) -> int | None:
        """Return the stages that a seat has left until the last round is over, where there is a last one (AB-Q46)."""
        if table.phase == OVER_PHASE:
            return 0
        limit = self.rulings.round_limit
        return None if limit is None else len(PHASES) * max(limit, table.round) - self.turns(table, seat)

    def _last_phase(self, table: Table) -> str:
        """Return the step under way, or the one that ended the game, as far as the table still shows it."""
        side = table.seats[table.seat]
        if table.phase != OVER_PHASE:
            return table.phase
        if side.plan is None:
            return "prepare" if table.winner is not None and self.rulings.immediate else "refill"
        if side.event is not None:
            return "deal" if side.plan.card is not None else "act"
        if any(seat.event is not None for seat in table.seats):
            return "event" if table.event_used else "act"
        return "event" if any(table.event_pile) or table.event_used or self._has_cashed(table) else "act"

    def _has_cashed(self, table: Table) -> bool:
        """Return whether treasure of this round has been cashed, where there is no Event in the box to tell (5.H)."""
        side = table.seats[table.seat]
        if side.treasure or not is_at(side.plan, ABYSS) or any(seat.laid for seat in table.seats):
            return False
        teams = [teams_of(seat.plan) for seat in table.seats]
        # Of two teams the main team may have had no card if it is in the City.
        used = sum(len(pair) - (len(pair) > 1 and pair[0].location == CITY) for pair in teams)
        cards = [self.rulings.cards[name] for name in table.action_used[-used:]]
        return any(card.args("treasure") is not None for card in cards)

    # What a solver asks

    def owned(self, table: Table, seat: int = 0) -> Counter[str]:
        """Return a seat's cards and its partners by type.

        Cards laid aside for the round are among them, and an Event that nobody knows.
        """
        own = table.seats[seat]
        event = [UNKNOWN] if own.event == UNKNOWN else []
        return Counter([*own.hand, *own.laid, *event, *(partner.type for partner in own.partners)])

    def hand(self, table: Table, seat: int = 0) -> tuple[str, ...]:
        """Return a seat's hand, all copies."""
        return table.seats[seat].hand

    def glance(self, table: Table) -> list[tuple[str, str]]:
        """Return the table in labelled lines for people."""
        return glance(self.rulings, table)

    # The game

    def outcome(self, table: Table) -> Outcome | None:
        """Return who has won (8.1), who share the victory (AB-Q43), or that nobody has (AB-Q46)."""
        if table.phase != OVER_PHASE:
            return None
        if table.winner is not None:
            return Outcome((table.winner,), "8.1")
        sharing = tuple(index for index in range(len(table.seats)) if self.goal_reached(table, index))
        return Outcome(sharing, "AB-Q43" if sharing else "AB-Q46")

    def sentence(self, event: Event) -> str:
        """Return an event in words."""
        return sentence(self.content, event, several=self.players > 1)

    def play_turn(self, table: Table, script: Script) -> Table:
        """Run a stage, the acting seat's share of a step, and return the table after it (17)."""
        turn = Stage(self.rulings, table, script)
        side = turn.sides[turn.seat]
        with suppress(GameOver):
            getattr(turn, turn.phase)(side)
            if turn.is_last and turn.phase == PHASES[-1]:
                turn.end_round()
            else:
                turn.advance()
        if not script.was_asked:
            script.decide(side.index, lambda: [GO_ON], always=True)
        return turn.frozen()

    def exchanges(self) -> dict[str, dict[str, int]]:
        """Return the change of AP and RP by each Action card that a seat with nothing else uses in the City (6, 14.G7).

        Cards that change neither, or that need a choice or luck, are left out.
        """
        start = self.initial_table()
        found: dict[str, dict[str, int]] = {}
        for card in [card for card in self.rulings.cards.values() if card.deck == ACTIONS and card.count]:
            plans = [Plan(card.id if seat == start.seat else None, CITY, None) for seat in range(self.players)]
            seats = tuple(one._replace(plan=plan) for one, plan in zip(start.seats, plans, strict=True))
            table = start._replace(phase="act", seats=seats)
            ends = [tally(self, end.table).goods for end in self.turn_ends(table)]
            if len(ends) == 1:
                before = tally(self, table).goods
                change = {good: ends[0].get(good, held) - held for good, held in before.items() if ": " not in good}
                found[card.id] = {good: number for good, number in change.items() if number}
        return {name: change for name, change in found.items() if change}

    # Setup

    def initial_table(self) -> Table:
        """Return the table after the setup (3); hidden sources are dealt from the seed and then forgotten."""
        seed, rules = self.chance.seed or 0, self.rulings.rules
        actions, events = (
            shuffled(self.rulings, deck, 0, self.content.deck_cards(deck), seed) for deck in (ACTIONS, EVENTS)
        )
        size, identities = rules["hand"], cycle(self.content.identities)
        told = {"ap": rules["ap"], "rp": rules["rp"], "carried": None}
        hands = [actions[size * index : size * (index + 1)] for index in range(self.players)]
        state = {
            "action_pile": {"front": self._laid(ACTIONS, actions[size * self.players :])},
            "counters": {source: int(self.chance.is_open(source)) for source in (ACTIONS, EVENTS)},
            "event_pile": {"front": self._laid(EVENTS, events)},
            "seat": self.rulings.order(1)[0],
            "seats": [{**told, "identity": next(identities), "hand": hand} for hand in hands],
        }
        return built(Table, state)

    def _laid(self, source: str, cards: Sequence[str]) -> Sequence[str]:
        return cards if self.chance.is_open(source) else sorted(cards)


class Fortune(Quest[Table], Abyss):
    """A challenge asked from one table; turns are stages."""

    def __init__(self, content: Content, players: int, chance: Chance, challenge: Challenge, aim: Aim) -> None:
        super().__init__(content, players, chance)
        start = self.decode(aim.start)
        self.wanted = challenge.facts.get("goal", "")
        self._bound = StageBound(self.rulings, self.goals, start, aim.seat)
        goal = self.goals[0]
        unit = self.profile.unit if not self.wanted else "AP" if goal.ap >= goal.rp else "RP"
        self.ask(challenge, start, aim.seat, unit, _largest(self.goals))

    def done(self, table: Table) -> int:
        """Return how near the seat is to a goal that counts, in points of it; at the target exactly if it is met.

        Where the end counts: 2 where the seat has won, 0 where another one has, else 1, shared victories too.
        """
        if self.only_the_end_counts:
            return 1 if table.winner is None else 2 * (table.winner == self.seat)
        return Abyss.progress(self, table, self.seat)

    def promise(self, table: Table, seat: int) -> int:
        """Return a guess: few stages to come, then progress."""
        return Abyss.progress(self, table, self.seat) - 1000 * min(self._fewest(table), 1000)

    def bound(self, table: Table) -> int:
        """Return a number of further stages that the goal needs at least; of a score nothing is known."""
        return NEVER if self.only_the_end_counts else self._fewest(table)

    def _fewest(self, table: Table) -> int:
        """Return a number of further stages that the goal needs at least; none come after the last."""
        if self.reached(table):
            return 0
        last = self.most_turns(table, self.seat)
        least = NEVER if table.phase == OVER_PHASE else self._bound.least(table, self.seat)
        return NEVER if last is not None and least > last else least


def _largest(goals: Sequence[Goal]) -> int:
    """Return the progress at which a goal is met: several are counted in points of the largest."""
    return max(max(goal.ap, goal.rp) for goal in goals)


def _progress(goal: Goal, seat: Seat, target: int) -> int:
    """Return the part of one goal that is there, in units of the target; below it until the goal is met."""
    have, need = (seat.ap, goal.ap) if goal.ap >= goal.rp else (seat.rp, goal.rp)
    scaled = have * target // need if need > 0 else target
    return max(target, scaled) if goal.is_met(seat.ap, seat.rp) else min(target - 1, scaled)
