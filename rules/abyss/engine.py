"""The game of Abyss: one seat's share of a step is a turn; setup and end (3, 5, 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from rules.abyss import state
from rules.abyss.actions import act
from rules.abyss.challenges import Fortune, challenges
from rules.abyss.content import ACTIONS, EVENTS, Content, Goal
from rules.abyss.covered_offers import Surmising, is_covered, may_come, unanswered
from rules.abyss.exchanges import exchanges
from rules.abyss.glance import glance
from rules.abyss.happenings import deal, happen
from rules.abyss.hazards import hazards
from rules.abyss.illegal import why_illegal
from rules.abyss.knowledge import imagined, possible, undecided, view
from rules.abyss.moves import DRAW, GO_ON, IDLE, NO_DRAW, Offer
from rules.abyss.plans import choose
from rules.abyss.prepare import draw_cards, hire, prepare
from rules.abyss.rulings import ACTION_EVENTS, EVENT_EVENTS, Rulings
from rules.abyss.standing import Standing
from rules.abyss.state import OVER_PHASE, PHASES, Pile, Seat, Table
from rules.abyss.turn import GameOver, Side, Turn
from rules.abyss.words import sentence
from rules.core.challenge import Challenge, Challenger
from rules.core.chance import Chance, SplitMix64, priority_order, stream
from rules.core.contest import Contest, Secretive
from rules.core.errors import IllegalMoveError
from rules.core.race import Hazard, Hazardous
from rules.core.schema import Table as Shape
from rules.core.steps import Asking, Event, Forced, Outcome, Question, Script, Step
from rules.core.turns import State


class Abyss(Challenger[Table], Contest[Table], Hazardous[Table], Secretive[Table]):
    """Abyss under one ruleset, for one number of players, with one set of open chance results."""

    unit = "point"
    usual_challenge = "AB-S1"  # 8.1: the first goal that is met
    is_place = False
    routine = frozenset({"dealt", "plans"})
    standing = ("AP and RP", "partners", "hand")
    stages = len(PHASES)
    clocks = ("round",)
    idle = IDLE
    goods = ("seats.*.ap", "seats.*.hand", "seats.*.partners", "seats.*.rp", "seats.*.temps", "seats.*.treasure")

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.content = content
        self.players = players
        self.chance = chance
        self.rulings = Rulings(content, players, chance)
        self._standing = Standing(self.rulings)

    # What a solver asks

    def progress(self, table: Table, seat: int = 0, challenge: str = "") -> int:
        """Return how near a seat is to the nearest goal of a challenge, or of all; at the target exactly if met.

        Several goals are counted in points of the largest.
        """
        return self._standing.progress(table.seats[seat], challenge)

    def measured(self, challenge: str) -> tuple[str, int]:
        """Return what progress towards a challenge is counted in, and its target."""
        return self._standing.measured(challenge)

    def turns(self, table: Table, seat: int = 0) -> int:
        """Return the stages a seat has finished: its shares of steps B, C, E, F, G and I."""
        return self._standing.stages(table, seat)

    def most_turns(self, table: Table, seat: int = 0) -> int | None:
        """Return the stages that a seat has left until the last round is over, where there is a last one (AB-Q46)."""
        limit = self.rulings.round_limit
        if self.is_over(table):
            return 0
        return None if limit is None else self.stages * max(limit, table.round) - self.turns(table, seat)

    def days(self, table: Table, seat: int = 0) -> int:
        """Return the rounds begun."""
        return table.round

    def default_target(self) -> int:
        """Return the progress at which a goal is met."""
        return self._standing.target

    def held(self, table: Table, seat: int = 0) -> Counter[str]:
        """Return a seat's cards, those laid aside for the round included, and its partners by type."""
        own = table.seats[seat]
        plans = [own.plan, own.plan.temp] if own.plan is not None else []
        laid = [plan.card for plan in plans if plan is not None and plan.card is not None]
        return Counter([*own.hand, *laid, *(partner.type for partner in own.partners)])

    def hand(self, table: Table, seat: int = 0) -> tuple[str, ...]:
        """Return a seat's hand, all copies."""
        return table.seats[seat].hand

    def glance(self, table: Table) -> list[tuple[str, str]]:
        """Return the table in labelled lines for people."""
        return glance(self.rulings, table)

    def goal_reached(self, table: Table, seat: int = 0, challenge: str = "") -> bool:
        """Return whether a challenge's condition holds for a seat: any goal, or the one it names (13.1).

        Raises:
            LookupError: there is no such challenge with a condition.
        """
        return self._standing.goal_reached(table, seat, challenge)

    def goals(self, challenge: str = "") -> tuple[Goal, ...]:
        """Return the goals that a challenge asks for, or all.

        Raises:
            LookupError: there is no such challenge.
        """
        return self._standing.goals(challenge)

    def challenges(self) -> Mapping[str, Challenge]:
        """Return every challenge of the game by its id (13)."""
        return challenges()

    def goal_schema(self, challenge: str) -> Shape:
        """Return the shape of what a goal says besides its challenge: nothing."""
        return Shape({})

    def quest(self, challenge: str, table: Table, seat: int, goal: Mapping[str, Any]) -> Fortune:
        """Return a challenge asked from a table (13)."""
        return Fortune(self, challenge, table, seat)

    def is_secret(self, table: Table) -> bool:
        """Return whether what is decided now stays hidden until every seat has decided (5.C, AB-Q15)."""
        return table.phase == "choose" and self.rulings.options["announcement"] == "simultaneous"

    def undecided(self, table: Table) -> Table:
        """Return the table before anybody made a plan, where plans are being made in secret (5.C)."""
        return undecided(self.rulings, table)

    def is_common(self, table: Table) -> bool:
        """Return whether every seat sees all cards but those of piles yet to be drawn from (4), and every offer.

        Offers of which only the number is told are not seen (AB-Q32). Cards laid aside are taken as seen once all
        locations are announced: who knows all hands knows what is left.
        """
        table = self.undecided(table)
        if self.players > 1 and may_come(self.rulings, table):
            return False
        return all(self.view(table, seat) == table for seat in range(self.players))

    def rounds(self, table: Table) -> int:
        """Return the rounds that are over."""
        return table.round - 1

    def view(self, table: Table, seat: int = 0) -> Table:
        """Return what a seat sees, equal for tables that it cannot tell apart (4)."""
        return view(self.rulings, table, seat)

    def imagined(self, table: Table, seat: int, generator: SplitMix64, steps: Sequence[Step | Forced] = ()) -> Table:
        """Return a table that fits what a seat knows, what it does not see dealt at random (4).

        Cards that the acting seat has used or offered in the turn under way stay its own (5.F, 6.1).
        """
        return imagined(self.rulings, table, seat, generator, self._covered(table, steps))

    def possible(self, table: Table, seat: int) -> Iterator[tuple[Table, int]]:
        """Yield all tables that look alike to a player alone, each with the number of its deals (4)."""
        return possible(self.rulings, table, seat)

    def surmised(
        self, table: Table, seat: int, generator: SplitMix64, steps: Sequence[Step | Forced]
    ) -> Sequence[Step | Forced]:
        """Return the steps of a turn, any offer in the place of one of which a seat knows only the number (AB-Q32)."""
        place = unanswered(steps) if is_covered(self.rulings) and seat != table.seat else None
        if place is None:
            return steps
        script = Surmising(steps, place, generator)
        with suppress(Question):
            self.run(Turn(self.rulings, table, script))
        return script.steps[: len(steps)]

    def _covered(self, table: Table, steps: Sequence[Step | Forced]) -> Table:
        """Return the table without the cards that the acting seat has shown in the turn under way."""
        if not steps or table.phase != "act":
            return table
        turn = Turn(self.rulings, table, Asking(steps))
        with suppress(Question):
            self.run(turn)
        side = table.seats[table.seat]
        hand = Counter(side.hand)
        if not is_covered(self.rulings):
            hand -= Counter(card for step in steps if isinstance(step, Offer) for card in step.cards)
        covered = side._replace(hand=tuple(sorted(hand.elements())), plan=turn.frozen().seats[table.seat].plan)
        return table._replace(seats=(*table.seats[: table.seat], covered, *table.seats[table.seat + 1 :]))

    @property
    def conceals(self) -> bool:
        """Return whether Events lie face down, or hands are hidden from the others (4)."""
        chance = self.rulings.chance
        return not chance.is_open("events") or (self.players > 1 and not chance.is_open("actions"))

    def hazards(self, table: Table, seat: int = 0) -> list[Hazard]:
        """Return how likely this round's Event kills partners of a seat, as the table lies (7)."""
        return hazards(self, table, seat)

    # The game

    def is_over(self, table: Table) -> bool:
        """Return whether the game has ended."""
        return table.phase == OVER_PHASE

    def outcome(self, table: Table) -> Outcome | None:
        """Return who has won (8.1), who share the victory (AB-Q43), or that nobody has (AB-Q46)."""
        if table.phase != OVER_PHASE:
            return None
        if table.winner is not None:
            return Outcome((table.winner,), "8.1")
        sharing = tuple(index for index in range(len(table.seats)) if self._standing.goal_reached(table, index, ""))
        return Outcome(sharing, "AB-Q43" if sharing else "AB-Q46")

    def encode(self, table: Table) -> dict[str, Any]:
        """Return the canonical ``state`` object (17)."""
        return state.encode(table)

    def decode(self, state_object: Mapping[str, Any]) -> Table:
        """Return the table of a complete canonical ``state`` object."""
        return state.decode(state_object)

    def sentence(self, event: Event) -> str:
        """Return an event in words."""
        return sentence(self.content, event, several=self.players > 1)

    def why_illegal(self, state: State[Table], text: str) -> IllegalMoveError | None:
        """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game."""
        return why_illegal(self, state, text)

    def play_turn(self, table: Table, script: Script) -> Table:
        """Run the acting seat's share of the step (17)."""
        turn = Turn(self.rulings, table, script)
        self.run(turn)
        return turn.frozen()

    def unfinished(self, state: State[Table]) -> Table:
        """Return the table in the middle of a turn."""
        turn = Turn(self.rulings, state.table, Asking(state.pending))
        with suppress(Question):
            self.run(turn)
        return turn.frozen()

    def run(self, turn: Turn) -> None:
        """Run a stage on a working copy, which shows how far it got when a question stops it."""
        side = turn.side(turn.seat)
        with suppress(GameOver):
            _STAGES[turn.phase](turn, side)
            if turn.is_last and turn.phase == PHASES[-1]:
                _end_round(turn)
            else:
                turn.advance()
        if not turn.script.was_asked:
            turn.script.decide(side.index, lambda: [GO_ON], always=True)

    def exchanges(self) -> dict[str, dict[str, int]]:
        """Return what each Action card does to AP and RP, used from the City without partners or a modifier (6)."""
        return exchanges(self)

    # Setup

    def initial_table(self) -> Table:
        """Return the table after the setup (3); hidden sources are dealt from the seed and then forgotten."""
        actions = self._shuffled(ACTIONS, ACTION_EVENTS)
        events = self._shuffled(EVENTS, EVENT_EVENTS)
        size = self.rulings.rules["hand"]
        identities = list(self.content.identities)
        seats = [
            self._seat(identities[index % len(identities)], actions[size * index : size * (index + 1)])
            for index in range(self.players)
        ]
        return Table(
            actions=self._pile(ACTIONS, actions[size * self.players :]),
            events=self._pile(EVENTS, events),
            phase=PHASES[0],
            round=1,
            seat=self.rulings.order(1)[0],
            seats=tuple(seats),
            winner=None,
        )

    def _shuffled(self, source: str, kind: int) -> list[str]:
        """Return all cards of a deck in the order of the setup: event 0 of its source (17)."""
        cards = self.content.deck_cards(source)
        lists = self.chance.lists.get(source, ())
        if lists:
            return priority_order(lists[0], cards)
        return stream(self.chance.seed or 0, kind, 0, 0).shuffle(cards)

    def _pile(self, source: str, cards: list[str]) -> Pile:
        is_open = self.chance.is_open(source)
        return Pile(tuple(cards if is_open else sorted(cards)), (), (), int(is_open))

    def _seat(self, identity: str, hand: list[str]) -> Seat:
        rules = self.rulings.rules
        return Seat(
            ap=rules["ap"],
            boost=0,
            carried=None,
            event=None,
            event_up=False,
            explore_pending=0,
            flashlight=0,
            hand=tuple(sorted(hand)),
            identity=identity,
            paid=0,
            partners=(),
            plan=None,
            rp=rules["rp"],
            temps=0,
            treasure=0,
        )


def _clean_up(turn: Turn, side: Side) -> None:
    """Send temporary partners home and refill the hand (5.I)."""
    rules, options = turn.rulings.rules, turn.rulings.options
    side.temps = side.paid = 0
    if side.flashlight and options["flashlight_expires"] == "end_of_next_round":
        side.flashlight -= 1
    may_draw = len(side.hand) < rules["refill_below"] and turn.round >= options["first_refill_round"]
    if may_draw and turn.actions.can_draw:
        forced = options["refill"] == "forced"
        if turn.ask(side, lambda: [DRAW] if forced else [NO_DRAW, DRAW]) == DRAW:
            draw_cards(turn, side, rules["refill_cards"], "5.I")
    if options["hire_when"] == "end_of_round":
        hire(turn, side)
        turn.check(side)


def _end_round(turn: Turn) -> None:
    """Check at the end of the round where that is the time for it, then begin the next one (5.I, AB-Q42, AB-Q46)."""
    rulings = turn.rulings
    if not rulings.immediate:
        turn.settle_goals(turn.seat, turn.order)
    if rulings.round_limit is not None and turn.round >= rulings.round_limit:
        turn.tell("AB-Q46", "limit", rounds=turn.round)
        turn.end(turn.seat)
    turn.round += 1
    turn.phase = PHASES[0]
    turn.seat = rulings.order(turn.round)[0]
    turn.tell("5.I", "round", round=turn.round)


_STAGES: Final[Mapping[str, Callable[[Turn, Side], None]]] = {
    "prepare": prepare,
    "choose": choose,
    "deal": deal,
    "act": act,
    "event": happen,
    "refill": _clean_up,
}
"""One seat's share of a step, by phase."""
