"""Questions to a player alone, round by round: fewest rounds with piles known, with the best luck, with the worst."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from rules.abyss.bound import NO_HARM, NOTHING, RoundBound, Standing, gain_of
from rules.abyss.challenges import Fortune
from rules.abyss.content import Goal
from rules.abyss.engine import Abyss
from rules.abyss.moves import NO_DRAW, Choose, GiveUp, Hire
from rules.abyss.state import ABYSS, ANY, CITY, PHASES, Table
from rules.core.challenge import ChanceMode
from rules.core.steps import ChanceOutcome, Step
from solver.encodings.abyss.crews import (
    TEAMS,
    Crew,
    Result,
    Rounds,
    Uses,
    by_danger,
    cards_of,
    danger,
    event_names,
    harm_of,
    stocks_of,
)
from solver.encodings.abyss.tables import lacks
from solver.search.rounds import Key, RoundEdge

HORIZON: Final = 16
"""Rounds looked ahead at most: about one pass of the Action pile."""
_MANY: Final = 99


class Choice(NamedTuple):
    """What a household does in a round."""

    hired: int
    """New partners, as a number of ``Rounds``."""
    temps: int
    uses: Uses
    paid: int
    """AP paid for hires."""


class Rest(NamedTuple):
    """What matters between two rounds besides AP and RP."""

    crew: Crew
    used: tuple[int, ...]
    """Copies used of each kind of card that may run out; likewise ``turned`` for Events."""
    turned: tuple[int, ...]


class Serving(NamedTuple):
    """What some uses of cards make of a round under one Event."""

    uses: Uses
    event: str
    result: Result
    used: tuple[int, ...]
    """Copies used of each kind of card that may run out."""


class Household:
    """One seat's rounds from a table at the start of a round; hands are taken to hold whatever is within reach."""

    relaxations: tuple[str, ...] = ("every card within reach at hand",)

    def __init__(self, game: Abyss, table: Table, seat: int, fate: ChanceMode, goals: tuple[Goal, ...]) -> None:
        self.fate = fate
        one = table.seats[seat]
        self.rounds = Rounds(game.rulings, one.identity)
        self._rulings = game.rulings
        self._stocks = stocks_of(game.rulings.cards)
        self._of = {name: place for place, stock in enumerate(self._stocks) for name in stock.names}
        self._events = event_names(game.rulings)
        box = [game.rulings.cards[name] for name in self._events]
        self._dangerous = by_danger(box)
        # An adversary who may choose among fewer Events is weaker: bounds think of two, one for a team in the Abyss.
        abroad, home = (max(box, key=lambda card: danger(card, place)) for place in (ABYSS, CITY))
        self._feared = {ABYSS: abroad.id, CITY: home.id}
        self._reach, self._known, self.horizon = self._supply(table, one.hand)
        counts = Counter(self._known)
        self._counts = tuple(counts[name] for name in self._events)
        crew = Crew(self.rounds.team(one.partners), bool(one.explore_pending), bool(one.flashlight))
        # A player with one card a round never runs out of cards, and a cruel fate hands over any card.
        self._counts_hand = self.rounds.traits.two_cards and fate is not ChanceMode.CRUEL
        hand = len(one.hand) if self._counts_hand else _MANY
        self.start = Key(Rest(crew, (0,) * len(self._stocks), (0,) * len(self._events)), (one.ap, one.rp, hand))
        self._company = cache(lambda team: self._bound.company(one.type for one in self.rounds.partners(team)))
        self.prepare(0, lax=False)
        gains = {name: gain_of(card) for name, card in game.rulings.cards.items()}
        traits = self.rounds.traits
        self._bound = RoundBound(
            game.rulings,
            traits,
            goals,
            [
                [NOTHING, *(gains[stock.name] for stock, copies in zip(self._stocks, row, strict=True) if copies)]
                for row in self._reach
            ],
            [[gains[name] for name in self._promised(gone)] for gone in range(self.horizon)],
            harm_of(abroad, home, traits) if fate is ChanceMode.CRUEL else NO_HARM,
        )

    # What there is

    def _supply(self, table: Table, hand: Sequence[str]) -> tuple[list[tuple[int, ...]], list[str], int]:
        """Return for each round to come the cards of each stock within reach; the Events; the rounds."""
        rules, options = self._rulings.rules, self._rulings.options
        given = rules["give_up_most"] if options["give_up_draw"] == "same_number" else rules["give_up_draw"]
        pile = (*table.actions.front, *table.actions.back)
        events = (*table.events.front, *table.events.back)
        limit = self._rulings.round_limit
        horizon = HORIZON if limit is None else min(HORIZON, max(limit, table.round) - table.round + 1)
        if self.fate is not ChanceMode.CRUEL:
            each = given + rules["refill_cards"]
            # Up to the first reshuffle: what is used before it does not come back. Where nobody draws there is none.
            drawn = [(len(pile) - given) // each + 1] if each else []
            horizon = min(horizon, len(events), *drawn)
        reach = []
        for gone in range(max(0, horizon)):
            draws = given + gone * (given + rules["refill_cards"])
            if self.fate is ChanceMode.CRUEL:
                cards = Counter(dict.fromkeys(self._of, _MANY))
            elif self.fate is ChanceMode.KIND:
                cards = Counter((*hand, *pile))
            else:
                cards = Counter((*hand, *pile[:draws]))
            held = Counter[int]()
            for name, copies in cards.items():
                held[self._of[name]] += copies
            reach.append(tuple(held[place] for place in range(len(self._stocks))))
        return reach, list(events), horizon

    def _promised(self, gone: int) -> list[str]:
        """Return the Events that a bound has to think of in a round."""
        if self.fate is ChanceMode.KNOWN:
            return [self._known[gone]]
        if self.fate is ChanceMode.KIND:
            return [name for name, copies in zip(self._events, self._counts, strict=True) if copies]
        return list(self._feared.values())

    # Rounds

    def prepare(self, rounds: int, *, lax: bool) -> None:
        """Note what may run out within so many rounds: cards used in them, and Events where the player picks them."""
        teams = 2 if self.rounds.traits.two_cards else 1
        self._prepared = rounds
        """Rounds prepared for."""
        self._scarce = [
            not lax and any(row[place] < teams * (gone + 1) for gone, row in enumerate(self._reach[:rounds]))
            for place in range(len(self._stocks))
        ]
        self._rare = [not lax and self.fate is ChanceMode.KIND and copies < rounds for copies in self._counts]
        """Events that may run out; cards that may are ``_scarce``."""
        self._uses = cache(lambda *asked: list(self._new_uses(*asked)))
        self._servings = cache(self._new_servings)

    def fits(self, path: Sequence[RoundEdge]) -> bool:
        """Return whether there are as many copies within reach in time as a path uses."""
        used, turned = Counter[int](), Counter[str]()
        for gone, edge in enumerate(path):
            uses: Uses = edge.choice.uses
            used.update(self._of[name] for name in (uses.card, uses.second) if name)
            turned[edge.fate] += 1
            if any(number > self._reach[gone][place] for place, number in used.items()):
                return False
        counts = dict(zip(self._events, self._counts, strict=True))
        return self.fate is not ChanceMode.KIND or all(number <= counts[name] for name, number in turned.items())

    def hopeless(self, key: Key, gone: int, left: int) -> bool:
        """Return true only where the goal is out of reach in ``left`` rounds."""
        crew = key.rest.crew
        ap, rp, _ = key.purse
        standing = Standing(ap, rp, *self._company(crew.team), crew.explored)
        return not self._bound.reachable(standing, gone, left)

    def edges(self, key: Key, gone: int) -> Iterator[RoundEdge]:
        """Yield what can be done in a key, where fate is cruel as the Event to be feared most has it."""
        rest, (ap, _, hand) = key
        crew = rest.crew
        cards = min(TEAMS, hand)
        held = tuple(
            min(TEAMS, held - used) if scarce else TEAMS * (held > 0)
            for held, used, scarce in zip(self._reach[gone], rest.used, self._scarce, strict=True)
        )
        events = self._events_of(rest, gone)
        for team, temps, paid in self.rounds.hires(ap, crew.team):
            for serving in self._servings(crew._replace(team=team), temps, cards, held, events):
                edge = self._result(key, Choice(team - crew.team, temps, serving.uses, paid), serving)
                if edge.after is None or not self.hopeless(edge.after, gone + 1, self._prepared - gone - 1):
                    yield edge

    def answers(self, key: Key, gone: int, choice: Choice) -> Iterator[RoundEdge]:
        """Yield what each Event makes of a choice, the most dangerous ones first, so that a bad choice is left soon."""
        crew = key.rest.crew._replace(team=key.rest.crew.team + choice.hired)
        for event in self._dangerous:
            result = self.rounds.play(crew, choice.temps, choice.uses, event)
            yield self._result(key, choice, Serving(choice.uses, event, result, self._spent()))

    def _new_servings(
        self, crew: Crew, temps: int, cards: int, held: tuple[int, ...], events: tuple[str, ...]
    ) -> list[Serving]:
        """Return what can be made of a round with at most so many cards of those held, under one of the Events.

        Where fate is cruel that is every use, under the Event to be feared most.
        """
        plays = [
            Serving(uses, event, self.rounds.play(crew, temps, uses, event), spent)
            for uses, spent in self._uses(self.rounds.size(crew.team) > 0, temps > 0, held)
            if cards_of(uses) <= cards
            for event in events or (self._feared[ABYSS if ABYSS in (uses.place, uses.second_place) else CITY],)
        ]
        return plays if self.fate is ChanceMode.CRUEL else self._best(plays)

    def _best(self, plays: Sequence[Serving]) -> list[Serving]:
        """Return, of those that leave the same crew and use up the same, those that no other is at least as good as."""
        best: dict[Hashable, list[Serving]] = {}
        rare = {name for name, is_rare in zip(self._events, self._rare, strict=True) if is_rare}
        for serving in plays:
            result, event = serving.result, serving.event
            by_hand = self._counts_hand and cards_of(serving.uses)
            same = best.setdefault((result.crew, serving.used, event in rare and event, by_hand), [])
            if not any(other.result.is_no_worse(result) for other in same):
                same[:] = [other for other in same if not result.is_no_worse(other.result)]
                same.append(serving)
        return [serving for same in best.values() for serving in same]

    def _new_uses(self, hired: bool, temps: bool, left: tuple[int, ...]) -> Iterator[tuple[Uses, tuple[int, ...]]]:
        """Yield what the teams may do with the cards that are left, and how many of each scarce stock that takes."""
        yield Uses("", CITY), self._spent()
        for place, where in self._team(hired or temps, left):
            yield Uses(self._stocks[place].name, where), self._spent(place)
        if not (temps and self.rounds.traits.two_cards):
            return
        mains = [(None, CITY), *self._team(hired, left)]
        for (first, where), (second, there) in product(mains, self._team(True, left)):
            if first == second and left[second] < 2:
                continue
            card = "" if first is None else self._stocks[first].name
            spent = self._spent(second) if first is None else self._spent(first, second)
            yield Uses(card, where, self._stocks[second].name, there), spent

    def _team(self, members: bool, left: tuple[int, ...]) -> Iterator[tuple[int, str]]:
        """Yield the stocks that a team may use, each with the place."""
        for place, stock in enumerate(self._stocks):
            if left[place] > 0 and stock.location != ABYSS:
                yield place, CITY
            if left[place] > 0 and stock.location in (ABYSS, ANY) and members:
                yield place, ABYSS

    def _spent(self, *places: int) -> tuple[int, ...]:
        return tuple(self._scarce[place] * places.count(place) for place in range(len(self._stocks)))

    def _events_of(self, rest: Rest, gone: int) -> tuple[str, ...]:
        """Return the Events that may be turned up in a round, where that does not hang on what is done in it."""
        if self.fate is ChanceMode.KNOWN:
            return (self._known[gone],)
        if self.fate is ChanceMode.CRUEL:
            return ()
        return tuple(
            name
            for place, name in enumerate(self._events)
            if rest.turned[place] + self._rare[place] <= self._counts[place] and self._counts[place]
        )

    def _result(self, key: Key, choice: Choice, serving: Serving) -> RoundEdge:
        rest, (ap, rp, hand) = key
        result = serving.result
        ap -= choice.paid * (1 + result.again)
        for more_ap, more_rp in result.highs:
            if self._bound.meets(ap + more_ap, rp + more_rp):
                return RoundEdge(choice, serving.event, None)
        used = tuple(map(int.__add__, rest.used, serving.used)) if any(serving.used) else rest.used
        turned = rest.turned
        place = self._events.index(serving.event)
        if self._rare[place]:
            turned = (*turned[:place], turned[place] + 1, *turned[place + 1 :])
        if self._counts_hand:
            hand = self._refilled(hand - cards_of(choice.uses))
        return RoundEdge(
            choice, serving.event, Key(Rest(result.crew, used, turned), (ap + result.ap, rp + result.rp, hand))
        )

    def _refilled(self, hand: int) -> int:
        """Return the cards at hand in the next round at most: drawn at the end of this one, or for one given up."""
        rules = self._rulings.rules
        same = self._rulings.options["give_up_draw"] == "same_number"
        hand += rules["refill_cards"] if hand < rules["refill_below"] else 0
        return hand + (0 if same else max(0, rules["give_up_draw"] - 1))

    # Lines of the game

    def is_boundary(self, table: Table) -> bool:
        """Return whether a round begins."""
        return table.phase == PHASES[0]

    def tries(self, path: Sequence[RoundEdge], steps: Sequence[Step]) -> list[Step]:
        """Return those of the open steps that do what the first edge says, the likeliest to keep to all of them first.

        Cards given up and drawn are free: what later edges use is kept, and drawn before anything else.
        """
        wanted = {self._of[name] for edge in path for name in (edge.choice.uses.card, edge.choice.uses.second) if name}
        found = [(self._order(step, wanted), step.text, step) for step in steps if self._agrees(step, path[0])]
        return [step for _, _, step in sorted(found, key=lambda one: one[:2])]

    def _agrees(self, step: Step, edge: RoundEdge) -> bool:
        choice: Choice = edge.choice
        uses = choice.uses
        if isinstance(step, Hire):
            team = sum(number * self.rounds.new[kind] for kind, number in step.numbers)
            return (team, step.temps) == (choice.hired, choice.temps)
        if isinstance(step, Choose):
            second = step.plan.temp
            told = (self._stock(step.plan.card), step.plan.location, "" if second is None else self._stock(second.card))
            return told == uses[:3] and (second is None or second.location == uses.second_place)
        return not (isinstance(step, ChanceOutcome) and step.source == "events" and step.result != edge.fate)

    def _order(self, step: Step, wanted: set[int]) -> int:
        if isinstance(step, GiveUp):
            return sum(10 if self._of[card] in wanted else 1 for card in step.cards)
        if isinstance(step, ChanceOutcome) and step.source == "actions":
            return int(self._of[step.result] not in wanted)
        return int(bool(wanted) and step == NO_DRAW)

    def _stock(self, card: str | None) -> str:
        return "" if card is None else self._stocks[self._of[card]].name


def household(game: Abyss, table: Table, seat: int, fate: ChanceMode, goals: tuple[Goal, ...]) -> Household | None:
    """Return the rounds of a seat, or nothing where its rulings or its table are not carried."""
    one = table.seats[seat]
    if lacks(game.rulings) or game.players != 1 or table.phase != PHASES[0] or one.temps or one.boost or one.treasure:
        return None
    if not event_names(game.rulings):
        return None
    is_open = game.rulings.chance.is_open("actions") and game.rulings.chance.is_open("events")
    if is_open != (fate is ChanceMode.KNOWN):
        return None
    found = Household(game, table, seat, fate, goals)
    return found if found.horizon > 0 else None


def round_encoding(quest: object, table: Table) -> Household | None:
    """Return a challenge from a table round by round, or nothing where its rulings or the table are not carried."""
    if not isinstance(quest, Fortune):
        return None
    return household(quest, table, quest.seat, quest.challenge.fate, quest.goals(quest.wanted))
