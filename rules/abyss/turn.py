"""The decisions of players, and the working copy of a table during one stage, which asks for them and draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, Final, TypeVar, cast

from rules.abyss.content import ACTIONS, EVENTS, KINDS, Card, Content, Rulings
from rules.abyss.state import (
    ABYSS,
    ANY,
    CITY,
    OVER_PHASE,
    PHASES,
    ActionPile,
    Deal,
    EventPile,
    Partner,
    Plan,
    Seat,
    Table,
    is_at,
    teams_of,
)
from rules.core.scripts import (
    UNKNOWN,
    ChanceOutcome,
    Move,
    Narrated,
    Script,
    Word,
    kinds,
    known,
    priority_order,
    selections,
    stream,
)

# Decisions, one frozen type for each kind (11)
#
# A move's text is lower case words. Cards of a set stand in ascending order. A partner is written with its HP as in
# ``homeless:2``. Seats count from 1 as on the table.

NONE = "none"
"""What a move says that leaves something out."""


def partner_text(partner: Partner) -> str:
    """Return the notation of a partner."""
    return f"{partner.type}:{partner.hp}"


@dataclass(frozen=True, slots=True)
class Cards:
    """A decision about a set of cards: ``give_up`` for new ones (5.B), ``offer`` and ``accept`` in a Transaction (6.1).

    Of a single card, its owner may ``give`` it and a thief ``take`` it (AB-Q30, AB-Q34). A plan may ``show`` one that
    nobody had seen (5.F).
    """

    verb: str
    cards: tuple[str, ...]
    """Sorted."""

    @property
    def text(self) -> str:
        """``give_up bribe theft`` or ``give_up none``."""
        return f"{self.verb} {' '.join(self.cards) or NONE}"

    @property
    def spends(self) -> tuple[str, ...]:
        """The cards, which may be named in any order."""
        return self.cards


@dataclass(frozen=True, slots=True)
class Partners:
    """A decision about a set of hired partners.

    Their owner may ``dismiss`` them (AB-Q14) or ``treat`` them (AB-Q35), or ``lose`` one to an Assassination (AB-Q29).
    """

    verb: str
    partners: tuple[Partner, ...]

    @property
    def text(self) -> str:
        """``dismiss homeless:2 guardian:8`` or ``dismiss none``."""
        return f"{self.verb} {' '.join(map(partner_text, self.partners)) or NONE}"


@dataclass(frozen=True, slots=True)
class Hire:
    """Partners hired and temporary partners taken (5.B)."""

    numbers: tuple[tuple[str, int], ...]
    """Type and number, those without any left out."""
    temps: int = 0

    @property
    def text(self) -> str:
        """``hire 8 homeless 1 guardian 2 temps`` or ``hire none``."""
        parts = [f"{number} {kind}" for kind, number in self.numbers]
        parts += [f"{self.temps} temps"] if self.temps else []
        return f"hire {' '.join(parts) or NONE}"


@dataclass(frozen=True, slots=True)
class Choose:
    """Step C: the plan laid aside face down (5.C)."""

    plan: Plan

    @property
    def text(self) -> str:
        """``plan digging abyss``, ``plan none``, or ``plan digging abyss temp bribe city``."""
        card, location, temp = self.plan
        text = f"plan {NONE}" if card is None else f"plan {card} {location}"
        return text if temp is None else f"{text} temp {temp.card} {temp.location}"


@dataclass(frozen=True, slots=True)
class Target:
    """The seat that a card is aimed at, and the partner where the attacker names one (6)."""

    seat: int
    """From 0."""
    partner: Partner | None = None

    @property
    def text(self) -> str:
        """``target 2`` or ``target 2 homeless:2``."""
        text = f"target {self.seat + 1}"
        return text if self.partner is None else f"{text} {partner_text(self.partner)}"


DECLINE = Word("decline")
DRAW = Word("draw")
NO_DRAW = Word("no_draw")
CASH = Word("cash")
LEAVE = Word("leave")
GO_ON = Word("go_on")
"""The only move of a stage in which nobody has anything to decide and nothing hidden comes up."""
_NOTHING = [f"{verb} {NONE}" for verb in ("give_up", "dismiss", "hire", "plan", "treat")]
IDLE: Final = frozenset({*_NOTHING, *(word.text for word in (DECLINE, NO_DRAW, LEAVE, GO_ON))})
"""What a seat says that does nothing."""


# The stage under way

M = TypeVar("M", bound=Move)


class GameOver(Exception):
    """Somebody meets the goal, or the last round is over (8)."""


class Side:
    """One seat's points, cards and partners while the stage runs; see ``state.Seat`` for each field."""

    def __init__(self, index: int, seat: Seat, rulings: Rulings, pile: Deal) -> None:
        self.index, self.traits, self.pile = index, rulings.traits[seat.identity], pile
        self.unseen = seat.is_unseen
        """Nobody here sees what this seat draws."""
        self.ap, self.boost, self.carried, self.event, self.event_up, self.explore_pending = seat[:6]
        self.flashlight, hand, self.identity, self.paid, partners, self.plan = seat[6:12]
        self.rp, self.temps, self.treasure = seat[12:15]
        self.hand, self.partners = list(hand), list(partners)

    def frozen(self) -> Seat:
        """Return the seat as the table knows it; hand and partners are kept sorted."""
        unseen = self.unseen and UNKNOWN not in (*self.hand, *(self.plan.cards if self.plan else ()))
        first = self.ap, self.boost, self.carried, self.event, self.event_up, self.explore_pending, self.flashlight
        last = self.plan, self.rp, self.temps, self.treasure, unseen
        return Seat(*first, tuple(self.hand), self.identity, self.paid, tuple(self.partners), *last)

    def take(self, card: str) -> None:
        """Put a card into the hand."""
        self.hand.append(card)
        self.hand.sort()

    def drop(self, cards: Iterable[str]) -> None:
        """Take cards out of the hand, some of which may have been unknown there."""
        for card in cards:
            if card not in self.hand:
                self.pile.turn_up(card)
            self.hand.remove(card if card in self.hand else UNKNOWN)

    @contextmanager
    def without(self, cards: Iterable[str]) -> Iterator[None]:
        """Leave cards out of the hand, as far as a question hangs on those that are left."""
        hand, front, unknown = [*self.hand], self.pile.front, self.pile.unknown
        self.drop(cards)
        yield
        self.hand, self.pile.front, self.pile.unknown = hand, front, unknown

    def kinds(self) -> list[str]:
        """Return the different cards that may be in the hand, ascending."""
        return [
            kind for kind in kinds(self.hand, self.pile.front) if kind in self.hand or self.pile.arrangements([kind])
        ]

    def subsets(self, least: int, most: int) -> list[tuple[str, ...]]:
        """Return the different sets of hand cards of these sizes, smaller ones first, each sorted (11)."""
        hand, front, sizes = self.hand, self.pile.front, range(least, min(most, len(self.hand)) + 1)
        if not self.unseen:
            return list(dict.fromkeys(chain.from_iterable(combinations(hand, size) for size in sizes)))
        sets = dict.fromkeys(chain.from_iterable(selections(hand, front, size) for size in sizes))
        return [cards for cards in sets if self.pile.arrangements(Counter(cards) - Counter(hand))]

    def lots(self) -> list[str]:
        """Return cards among which a card of the hand is picked, each as often as it is likely to be the one."""
        shown, front = known(self.hand), self.pile.front
        unknown = len(self.hand) - len(shown)
        return [*shown * len(front), *front * unknown] if unknown else shown

    @property
    def home(self) -> str:
        """Where the hired partners are: at the location of the main team (1.5)."""
        return CITY if self.plan is None else self.plan.location

    def has_team_at(self, location: str) -> bool:
        """Return whether a team is announced at a location, with members or without (1.5)."""
        return is_at(self.plan, location) or (self.plan is None and location == CITY)

    def temps_at(self, location: str) -> int:
        """Return how many temporary partners are at a location, in whichever team."""
        plan = self.plan
        team = self.home if plan is None or plan.temp is None else plan.temp.location
        return self.temps if team == location else 0


def shuffled(rulings: Rulings, source: str, event: int, cards: Sequence[str], seed: int | None) -> Sequence[str]:
    """Return the order of an open shuffle: from its list, or the seed, or as the cards lie (9.3, 17)."""
    lists = rulings.chance.lists.get(source, ())
    if event < len(lists):
        return priority_order(lists[event], cards)
    return cards if seed is None else stream(seed, KINDS[source], 0, event).shuffle(cards)


def shown_at_once(content: Content | Rulings, plan: Plan | None) -> frozenset[str]:
    """Return the Events that are turned up as they are dealt to a seat with a plan, so never lie face down (5.E)."""
    if content.options["modifier_timing"] != "whole_round":
        return frozenset()
    return frozenset(card.id for card in content.cards.values() if card.is_modifier and is_at(plan, card.location))


def unfit(rulings: Rulings, plan: Plan | None) -> list[frozenset[str]]:
    """Return for each unknown card of a plan those that are not used where it was announced (5.C)."""
    cards = rulings.cards.values()
    places = [(team.location, ANY) for team in teams_of(plan) if team.card == UNKNOWN]
    return [frozenset(card.id for card in cards if card.location not in place) for place in places]


class Turn(Narrated):
    """One run of a stage: the table in the making, the script that answers, the log that is told."""

    def __init__(self, rulings: Rulings, table: Table, script: Script) -> None:
        super().__init__(script)
        self.rulings, self.table = rulings, table
        self.phase, self.round, self.seat, self.winner = table.phase, table.round, table.seat, table.winner
        self.order = rulings.order(table.round)
        unknown = sum([(*seat.hand, *seat.laid).count(UNKNOWN) for seat in table.seats])
        actions, events = (*table.action_pile, table.action_used), (*table.event_pile, table.event_used)
        self.actions = Deal(ACTIONS, actions, unknown, is_open=rulings.chance.is_open(ACTIONS))
        face_down = [seat.event for seat in table.seats].count(UNKNOWN)
        self.events = Deal(EVENTS, events, face_down, is_open=rulings.chance.is_open(EVENTS))
        self.counters = table.counters
        self.sides = [Side(index, seat, rulings, self.actions) for index, seat in enumerate(table.seats)]
        """By seat."""
        self.actions.refused = lambda: [kinds for side in self.sides for kinds in unfit(rulings, side.plan)]
        self.events.refused = lambda: [
            shown_at_once(rulings, side.plan) for side in self.sides if side.event == UNKNOWN
        ]

    def frozen(self) -> Table:
        """Return the table after the stage."""
        return Table(
            action_pile=ActionPile(self.actions.front, self.actions.back),
            action_used=self.actions.used,
            counters=self.counters,
            event_pile=EventPile(self.events.front, self.events.back),
            event_used=self.events.used,
            phase=self.phase,
            round=self.round,
            seat=self.seat,
            seats=tuple(side.frozen() for side in self.sides),
            winner=self.winner,
        )

    # Seats

    def in_order(self) -> list[Side]:
        """Return all seats in seat order (1.2)."""
        return [self.sides[index] for index in self.order]

    def others(self, side: Side) -> list[Side]:
        """Return the other seats, from the one after ``side`` on, going round."""
        return [*self.sides[side.index + 1 :], *self.sides[: side.index]]

    @property
    def is_last(self) -> bool:
        """Whether the acting seat is the last of its step."""
        return self.seat == self.order[-1]

    def members(self, side: Side) -> int:
        """Return how many members of a seat are in the Abyss (6, 7)."""
        hired = len(side.partners) if side.home == ABYSS else 0
        return hired + (side.temps_at(ABYSS) if self.rulings.temps_count else 0)

    def team(self, side: Side, temp: bool) -> int:
        """Return how many members one team has (6)."""
        apart = side.plan is not None and side.plan.temp is not None
        temps = side.temps if self.rulings.temps_count and (temp or not apart) else 0
        return temps + (0 if temp else len(side.partners))

    def place(self, side: Side, partners: Iterable[Partner]) -> None:
        """Make these the hired partners of a seat, in canonical order (1.3)."""
        side.partners = sorted(partners, key=lambda partner: (self.rulings.place[partner.type], -partner.hp))

    def in_force(self, side: Side) -> list[Card]:
        """Return the modifiers that work for a seat this round (5.E, AB-Q17)."""
        cards = self.rulings.cards
        seats = [side, *(self.others(side) if self.rulings.everyone else ())]
        shown = [(each, cards[each.event]) for each in seats if each.event_up and each.event is not None]
        return [card for each, card in shown if each is side or (card.unowned and side.has_team_at(card.location))]

    def penalize(self, side: Side, penalty: int, rule: str) -> None:
        """Take the AP that deaths cost, more where Short of Resource covers all losses (7, AB-Q20)."""
        if self.rulings.options["short_covers"] == "all_losses":
            factors = (modifier.args("scale_ap_cost") for modifier in self.in_force(side))
            penalty *= next((args["factor"] for args in factors if args is not None), 1)
        side.ap -= penalty
        self.emit(rule, "penalty", seat=side.index, price=penalty, ap=side.ap)

    # Questions and chance

    def ask(self, side: Side, options: Callable[[], Sequence[M]]) -> M:
        """Return what a seat decides."""
        return cast(M, self.script.decide(side.index, options))

    def pick(self, texts: Sequence[str]) -> str:
        """Return one of several things picked at random, the first where the source is open (17)."""
        self.script.purpose = ""
        return texts[0] if self.rulings.chance.is_open("picks") else self.script.one_of("picks", texts)

    def draw(self, pile: Deal, side: Side) -> str | None:
        """Take and return the next card of a pile, reshuffled if it is empty; nothing if it stays empty (9.2)."""
        is_event = pile is self.events
        pile.settle()
        if not len(pile):
            self.reshuffle(pile)
        front = pile.front
        if not len(pile):
            return None
        if side.unseen and not is_event:
            pile.unknown += 1
            return UNKNOWN
        if pile.is_open:
            card, pile.front = front[0], front[1:]
        else:
            who = f"that seat {side.index + 1} {'is dealt' if is_event else 'draws'}"
            what = "Event" if is_event else "Action card"
            self.script.purpose = f"the {what} {who}" if self.rulings.players > 1 else f"the next {what}"
            card = self.next_card(pile) if pile.unknown else self.script.one_of(pile.source, front)
            if card == UNKNOWN:  # an Event that lies face down, where somebody tells what is seen
                pile.unknown += 1
            else:
                pile.leave(card)
        pile.settle()
        return card

    def next_card(self, pile: Deal, refused: frozenset[str] = frozenset()) -> str:
        """Return the card of the front that comes up where some lie elsewhere that nobody knows."""

        def outcomes() -> list[ChanceOutcome]:
            found = {card: n * pile.arrangements([card]) for card, n in sorted(Counter(pile.front).items())}
            ways = {card: number for card, number in found.items() if number and card not in refused}
            return [ChanceOutcome(pile.source, card, number, sum(ways.values())) for card, number in ways.items()]

        return self.script.chance(outcomes).result

    def reshuffle(self, pile: Deal) -> None:
        """Make the used cards the back of a pile, or all cards a new pile (9.1, AB-Q44)."""
        if not (used := pile.used):
            return
        merges = self.rulings.options["reshuffle"] == "merge"
        cards, kept = ((*pile.front, *pile.back, *used), ()) if merges else (used, pile.back)
        if pile.is_open:
            event: int = getattr(self.counters, pile.source)
            cards = (*kept, *shuffled(self.rulings, pile.source, event, cards, self.rulings.chance.seed))
            changed: dict[str, Any] = {pile.source: event + 1}
            self.counters = self.counters._replace(**changed)
        else:
            cards = tuple(sorted((*kept, *cards)))
        pile.front, pile.back = (cards, ()) if merges else (pile.front, cards)
        pile.used = ()
        pile.settle()
        self.emit("9.1", "reshuffles", pile=pile.source, cards=len(used))

    # The end

    def check(self, side: Side) -> None:
        """End the game if somebody meets the goal, beginning with the seat whose step it was (8.2)."""
        if self.rulings.immediate:
            self.settle_goals(side.index, [side.index, *(seat for seat in self.order if seat != side.index)])

    def settle_goals(self, step_of: int, seats: Iterable[int]) -> None:
        """End the game if one of ``seats`` meets the goal; the first one wins, or they share it (8.2, AB-Q43)."""
        goals, sides = self.rulings.goals, self.sides
        meeting = [seat for seat in seats if any(goal.is_met(sides[seat].ap, sides[seat].rp) for goal in goals)]
        if meeting:
            shared = self.rulings.joint and len(meeting) > 1
            self.winner = None if shared else meeting[0]
            self.emit("AB-Q43" if shared else "8.1", "shared" if shared else "wins", seat=meeting[0], seats=meeting)
            self.end(step_of)

    def end(self, step_of: int) -> None:
        """End the game in the step of a seat, with everything as it stands (17).

        Raises:
            GameOver: always; the rest of the turn is not played.
        """
        self.phase, self.seat = OVER_PHASE, step_of
        raise GameOver

    def advance(self) -> None:
        """Go on to the next seat of the step, or to the next step of the round; a round ends elsewhere (5)."""
        if self.is_last:
            self.phase = PHASES[PHASES.index(self.phase) + 1]
        self.seat = self.order[(self.order.index(self.seat) + 1) % len(self.order)]
