"""What a seat knows of a table, tables that fit what it knows, and how likely what it does not see does harm (4, 7).

Hands, plans, Events face down and the order of a pile are hidden where their source is. Where a source is open
everything about its cards is known. While plans are made in secret nobody knows anybody else's, so that a step of
choices is one decision of all seats at once. Where each seat shows its plan, everybody knows it (AB-Q15).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rules.abyss.content import EVENTS, Rulings
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, PHASES, Partner, Plan, Seat, Table, teams_of, ways_to_lie
from rules.abyss.turn import Cards, shown_at_once, unfit
from rules.core.errors import BestlineError
from rules.core.race import Hazard, ImperfectInformation, Lot, Race
from rules.core.scripts import CHANCE, UNKNOWN, ChanceOutcome, Forced, SplitMix64, Step, known
from rules.core.turns import State

_PLACES: Final = {CITY: "in the City", ABYSS: "in the Abyss"}
Law = Mapping[Table, Fraction]
"""Tables with their chances."""


class HiddenGame(Race[Table], ImperfectInformation[Table]):
    """A game that knows what its seats see and fear."""

    rulings: Rulings

    @property
    def _is_covered(self) -> bool:
        """Whether the others see of an offer only how many cards it is (6.1, AB-Q32)."""
        return bool(self.rulings.options["transaction_offer"] == "number_only")

    def is_common(self, table: Table, seat: int | None = None) -> bool:
        """Return whether every seat sees all cards but those of piles yet to be drawn from (4), and every offer.

        Offers of which only the number is told are not seen (AB-Q32). Cards laid aside are taken as seen once all
        locations are announced: who knows all hands knows what is left.
        """
        table = self.undecided(table) or table
        if self.players > 1 and self._is_covered:
            return False
        return all(self.information_state(table, seat) == table for seat in range(self.players))

    def undecided(self, table: Table) -> Table | None:
        """Return the table before anybody made a plan in this step, where plans are secret (5.C, AB-Q15)."""
        if table.phase != "choose" or self._shows_plans():
            return None
        seats = tuple(seat._replace(hand=tuple(sorted((*seat.hand, *seat.laid))), plan=None) for seat in table.seats)
        return table._replace(seat=self.rulings.order(table.round)[0], seats=seats)

    def information_state(self, table: Table, seat: int = 0) -> Table:
        """Return what a seat sees: equal for tables that it cannot tell apart (4).

        Cards it does not see are ``?`` where they lie; the front of a hidden pile holds all of them, ascending.
        """
        table = self.covered(self.undecided(table) or table, seat)
        if self.rulings.chance.is_open("events"):
            return table
        seats = tuple(one._replace(event=UNKNOWN) if _is_face_down(one) else one for one in table.seats)
        return _refilled(table._replace(seats=seats), "event_pile", _unseen_events(table))

    def covered(self, table: Table, seat: int) -> Table:
        """Return the table with unknown cards in the hands and plans of the others (4)."""
        if self.rulings.chance.is_open("actions"):
            return table
        seats = tuple(one if other == seat else self._hide_cards(one) for other, one in enumerate(table.seats))
        others = [one for other, one in enumerate(table.seats) if other != seat and not one.is_unseen]
        planned = [] if self._shows_plans() else [card for one in others for card in one.laid]
        front = (*table.action_pile.front, *(card for one in others for card in one.hand), *planned)
        return _refilled(table._replace(seats=seats), "action_pile", front)

    def sample_world(
        self, state: State[Table], seat: int, generator: SplitMix64, *, named: bool = False
    ) -> State[Table]:
        """Return a state that fits what a seat knows, the cards it does not see dealt at random (4).

        Where plans are being made in secret, all are taken back and the first seat of the step acts. Cards that the
        acting seat has used or offered in the turn under way stay its own (5.F, 6.1).
        """
        state = self._with_event(state)
        table = self._dealt(state, seat, generator, named=named)
        return State(table, self._drawn(table, seat, generator, state.pending))

    def _with_event(self, state: State[Table]) -> State[Table]:
        """Return a state in which an unknown Event that the turn under way has turned up was known before (5.G)."""
        table, acting = state.table, state.table.seats[state.table.seat]
        if not state.pending or table.phase != "event" or acting.event != UNKNOWN:
            return state
        event = state.pending[0].text.split()[1]
        front = (Counter(table.event_pile.front) - Counter([event])).elements()
        told = _with(_refilled(table, "event_pile", front), table.seat, acting._replace(event=event))
        return State(told, state.pending[1:])

    def _dealt(self, state: State[Table], seat: int, generator: SplitMix64, *, named: bool) -> Table:
        before = state.table
        table = self.undecided(before) or before
        if not self.rulings.chance.is_open("events"):
            table = self._deal_events(table, generator)
        if self.rulings.chance.is_open("actions"):
            return table
        if named:
            seats = (one._replace(unseen=one.unseen or other != seat) for other, one in enumerate(table.seats))
            table = table._replace(seats=tuple(seats))
        table = self.covered(table, seat)
        if state.pending and before.phase == "act" and before.seat != seat:
            table = self._with_shown(table, before, state.pending)
        return self._deal_actions(table, seat, generator)

    def _with_shown(self, covered: Table, table: Table, steps: Sequence[Step | Forced]) -> Table:
        """Return a covered table with the cards that the acting seat has shown in the turn under way."""
        one, old = covered.seats[table.seat], table.seats[table.seat]
        after = self.unfinished(State(table, tuple(steps))).seats[table.seat]
        offers = [step for step in steps if isinstance(step, Cards) and step.verb == "offer"]
        offered = Counter(card for offer in offers for card in offer.cards)
        shown = [] if self._is_covered else [*((offered & Counter(old.hand)) - Counter(known(one.hand))).elements()]
        plans = zip(*(teams_of(each.plan) for each in (one, old, after)), strict=True)
        teams = [now.card if was.card is None or left.card else was.card for now, was, left in plans]
        hand = (*(UNKNOWN,) * (one.hand.count(UNKNOWN) - len(shown)), *known(one.hand), *shown)
        told = one._replace(hand=tuple(sorted(hand)), plan=_with_cards(one.plan, iter(teams)))
        front = (Counter(covered.action_pile.front) - (Counter([*shown, *told.laid]) - Counter(one.laid))).elements()
        return _with(_refilled(covered, "action_pile", front), table.seat, told)

    def unseen_outcomes(self, state: State[Table]) -> tuple[ChanceOutcome, ...]:
        """Return that an Event is dealt face down, which nobody sees before step G (5.E)."""
        table = state.table
        if table.phase != "deal" or self.to_act(state) != CHANCE:
            return ()
        turn, _ = self.stopped(state)
        refused, front = shown_at_once(self.rulings, table.seats[table.seat].plan), Counter(turn.events.front)
        ways = {card: number * turn.events.arrangements([card]) for card, number in front.items()}
        face_down = sum(number for card, number in ways.items() if card not in refused)
        return (ChanceOutcome(EVENTS, UNKNOWN, face_down, sum(ways.values())),) if face_down else ()

    def decks(self, table: Table, seat: int = 0) -> dict[str, list[Lot]]:
        """Return both piles: front, back, then what is used (9.1).

        A pile is left out where a card that lies face down before somebody is none of some kind (5.C, 5.E): what the
        seat has not seen is then not equally likely to lie there.
        """
        view = self.information_state(table, seat)
        others = [one for other, one in enumerate(view.seats) if other != seat]
        refused = [shown_at_once(self.rulings, one.plan) for one in view.seats if _is_face_down(one)]
        found = {}
        if self._shows_plans() or not any(one.laid for one in others):
            found["Action pile"] = self._lots("action", view, sum(one.hand.count(UNKNOWN) for one in view.seats))
        if not any(refused):
            found["Event pile"] = self._lots("event", view, len(refused))
        return found

    def _lots(self, kind: str, view: Table, elsewhere: int) -> list[Lot]:
        """Return what comes up in turn of a pile of whose front some cards lie ``elsewhere``."""
        (front, back), used = getattr(view, f"{kind}_pile"), getattr(view, f"{kind}_used")
        if self.rulings.chance.is_open(f"{kind}s"):
            return [Lot((card,), 1) for card in (*front, *back)]
        return [Lot(front, len(front) - elsewhere), Lot(back, len(back)), Lot(used, len(used))]

    def _drawn(
        self, table: Table, seat: int, generator: SplitMix64, steps: tuple[Step | Forced, ...]
    ) -> tuple[Step | Forced, ...]:
        """Return the steps of a turn, any offer in the place of one of which a seat knows only the number (AB-Q32)."""
        if not self._is_covered or seat == table.seat:
            return steps
        for place, given in reversed([*enumerate(steps)]):
            move = given.step if isinstance(given, Forced) else given
            if isinstance(move, Cards) and move.verb == "accept":
                break  # the offer has come to light
            if isinstance(move, Cards) and move.verb == "offer":
                hand = self.unfinished(State(table, tuple(steps[:place]))).seats[table.seat].hand
                drawn = Cards("offer", tuple(sorted(generator.shuffle(hand)[: len(move.cards)])))
                return (*steps[:place], Forced(drawn) if isinstance(given, Forced) else drawn, *steps[place + 1 :])
        return steps

    # Hazards

    def hazards(self, table: Table, seat: int = 0) -> list[Hazard]:
        """Return the chance of each kind of partner to be killed by the Event of this round, most likely first.

        A team that has not chosen yet is listed for both places where it may go. A card that the seat has laid aside
        is used before the Event comes (5.F), with the first answer to each question. What other seats still do to this
        one is left out. An Event face down is any that nobody has seen and that would not have been turned up (5.E).
        """
        own = table.seats[seat]
        if not own.partners or table.phase in (OVER_PHASE, PHASES[-1]):
            return []
        found = [] if own.plan is None else self._threats(table, seat, own.plan.location)
        for place in (ABYSS, CITY) if own.plan is None else ():
            boost, left = (own.explore_pending, 0) if place == ABYSS else (0, own.explore_pending)
            there = own._replace(plan=Plan(None, place, None), boost=boost, explore_pending=left)
            found += self._threats(_with(table, seat, there), seat, place)
        return sorted(found, key=lambda hazard: -hazard.chance)

    def _threats(self, table: Table, index: int, location: str) -> list[Hazard]:
        """Return what threatens a team in one place: each kind of partner, and all of them where there are several."""
        before = Counter(table.seats[index].partners)
        killed: dict[Partner | None, Fraction] = dict.fromkeys([*before, None], Fraction(0))
        for after, chance in self._ends(table, index).items():
            left = Counter(partner.type for partner in after.seats[index].partners)
            killed[None] += chance * (not left)
            for partner in before:
                # Losses are alike, so of each type the healthiest are left.
                alike = [other for other in before.elements() if other.type == partner.type]
                killed[partner] += chance * (left[partner.type] <= sum(other.hp > partner.hp for other in alike))
        where = _PLACES[location]
        found = [
            Hazard(f"{n} {kind.type} ({kind.hp} HP)", f"{'dies' if n == 1 else 'die'} {where}", "7", killed[kind])
            for kind, n in before.items()
        ]
        return [*found, Hazard("all partners", f"die {where}", "7", killed[None])] if len(found) > 1 else found

    def _ends(self, table: Table, index: int) -> Law:
        """Return the tables after the Events that can touch the seat, with their chances."""
        rulings, now = self.rulings, PHASES.index(table.phase)
        seats = rulings.order(table.round) if rulings.everyone or rulings.icon_for_all else (index,)
        shares = [("deal", seat) for seat in seats] + [("act", index)] + [("event", seat) for seat in seats]
        law: Law = {table: Fraction(1)}
        for phase, seat in shares:
            after: defaultdict[Table, Fraction] = defaultdict(Fraction)
            for each, chance in law.items():
                for end, part in self._share(each, phase, seat, now):
                    after[end] += chance * part
            law = after
        return law

    def _share(self, table: Table, phase: str, index: int, now: int) -> Iterator[tuple[Table, Fraction]]:
        """Yield what one seat's share of a step makes of a table; questions get their first answer.

        An Event that already lies face down is any of those that it may be.
        """
        seat, is_dealt = table.seats[index], phase == "deal" and now > PHASES.index("deal")
        if is_dealt and _is_face_down(seat) and not self.rulings.chance.is_open("events"):
            refused = shown_at_once(self.rulings, seat.plan)
            may = Counter(card for card in _unseen_events(table) if card not in refused)
            for card, number in may.items():
                yield _with(table, index, seat._replace(event=card)), Fraction(number, may.total())
        elif is_dealt or table.phase == OVER_PHASE or now > PHASES.index(phase) or (phase == "deal" and seat.event):
            yield table, Fraction(1)
        else:
            # What comes up may change which answer is the first one; an end with that comes before all with others.
            firsts: dict[tuple[Step | Forced, ...], Step | Forced] = {}
            for end in self.turn_ends(table._replace(phase=phase, seat=index)):
                moves = ((end.steps[:n], s) for n, s in enumerate(end.steps) if not isinstance(s, ChanceOutcome))
                if all(firsts.setdefault(before, step) == step for before, step in moves):
                    yield end.table, end.probability

    # What is hidden

    def _shows_plans(self) -> bool:
        """Return whether each seat in turn shows its plan, cards and all (AB-Q15)."""
        return bool(self.rulings.options["announcement"] == "sequential")

    def _hide_cards(self, seat: Seat) -> Seat:
        """Return a seat as the others see it: sizes and locations, no cards but those that it has shown."""
        plan = seat.plan
        if not seat.is_unseen and not self._shows_plans():
            plan = _with_cards(plan, (team.card and UNKNOWN for team in teams_of(plan)))
        shown = known(seat.hand) if seat.is_unseen else []  # hand cards beside unknown ones
        return seat._replace(hand=(*(UNKNOWN,) * (len(seat.hand) - len(shown)), *shown), plan=plan, unseen=False)

    # Deals

    def _deal_events(self, table: Table, generator: SplitMix64) -> Table:
        """Deal the Events face down anew; a modifier whose owner is in the City would have been turned up (5.E)."""
        refused = [shown_at_once(self.rulings, seat.plan) for seat in table.seats if _is_face_down(seat)]
        pool = iter(_fitting(_unseen_events(table), refused, generator))
        seats = tuple(seat._replace(event=next(pool)) if _is_face_down(seat) else seat for seat in table.seats)
        return _refilled(table._replace(seats=seats), "event_pile", pool)

    def _deal_actions(self, table: Table, index: int, generator: SplitMix64) -> Table:
        """Deal the unknown cards of the other seats; a plan's card fits the location announced (5.C)."""
        others = [other for other in range(len(table.seats)) if other != index]
        refused = [kinds for other in others for kinds in unfit(self.rulings, table.seats[other].plan)]
        pool = iter(_fitting(list(table.action_pile.front), refused, generator))

        def dealt(card: str | None) -> str | None:
            return next(pool) if card == UNKNOWN else card

        seats = list(table.seats)
        for other in others:
            plan = seats[other].plan
            seats[other] = seats[other]._replace(plan=_with_cards(plan, (dealt(team.card) for team in teams_of(plan))))
        for other in others:
            hand = sorted(card for each in seats[other].hand if (card := dealt(each)))
            seats[other] = seats[other]._replace(hand=tuple(hand))
        return _refilled(table._replace(seats=tuple(seats)), "action_pile", pool)


def _with(table: Table, index: int, seat: Seat) -> Table:
    return table._replace(seats=(*table.seats[:index], seat, *table.seats[index + 1 :]))


def _is_face_down(seat: Seat) -> bool:
    return seat.event is not None and not seat.event_up


def _unseen_events(table: Table) -> list[str]:
    """Return the Events that nobody sees: of the front of the pile, and dealt face down."""
    dealt = known(seat.event for seat in table.seats if seat.event and not seat.event_up)
    return [*table.event_pile.front, *dealt]  # the front holds those that are unknown


def _with_cards(plan: Plan | None, cards: Iterator[str | None]) -> Plan | None:
    """Return a plan with other cards, that of the main team first."""
    return plan and plan._replace(card=next(cards), temp=plan.temp and plan.temp._replace(card=next(cards)))


def _fitting(cards: list[str], refused: list[frozenset[str]], generator: SplitMix64) -> list[str]:
    """Return the cards in a random order in which each of the first places holds none that it refuses.

    Raises:
        BestlineError: there is none.
    """
    if not ways_to_lie(cards, refused):
        raise BestlineError("too few cards are left for all that lie face down: a step or the table names one of them")
    while True:
        order = generator.shuffle(cards)
        if not any(card in kinds for card, kinds in zip(order, refused, strict=False)):
            return order


def _refilled(table: Table, pile: str, front: Iterable[str]) -> Table:
    """Return a table with other cards in the front of a pile."""
    changed: dict[str, Any] = {pile: getattr(table, pile)._replace(front=tuple(sorted(front)))}
    return table._replace(**changed)
