"""Fewest rounds of a player alone: with both piles known, with the best luck, and forced against the worst.

A crew is one number: eight bits for each slot. What a round adds to AP and RP does not depend on them. So each round of
a crew is worked out once by the machine and added to any purse. What is left out of a position is left out in the
player's favour: hands hold whatever is within reach. Whether the game has such a line is shown by playing it.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import ge
from typing import Any, Final, NamedTuple, TypeVar

from puzzles.puzzle import forbids
from rules.abyss.actions import TARGETED
from rules.abyss.bound import MOST, NOTHING, RoundBound, Standing, cards_seen, gain_of
from rules.abyss.content import ACTIONS, EVENTS, Card, Goal, Rulings
from rules.abyss.engine import Fortune
from rules.abyss.round import UNLIMITED, ways_to_hire
from rules.abyss.state import ABYSS, CITY, PHASES, Partner, Plan, Table, TeamPlan
from rules.abyss.turn import NO_DRAW, Cards, Choose, Hire
from rules.core.challenge import ChanceMode
from rules.core.scripts import ChanceOutcome, Step
from rules.core.turns import State
from solver.encodings.abyss import layout as L
from solver.encodings.abyss.machine import play_alone
from solver.encodings.abyss.sampling import Tables, lacks
from solver.search.budget import Budget, BudgetExceeded

HORIZON: Final = 16
"""Rounds looked ahead at most: about one pass of the Action pile."""
TEAMS: Final = 2
"""Teams that may use a card each: more copies make no difference to a round."""
LOOK: Final = 64
"""Rounds played between two looks at the clock."""
PATIENCE: Final = 20_000
"""Steps tried for a line of moves."""
_BITS: Final = 8
_REST: Final = Plan(None, CITY, None)
Team = TypeVar("Team", Plan, TeamPlan)


class Crew(NamedTuple):
    """What of a household is neither purse nor cards."""

    team: int
    explored: bool
    lit: bool


class Result(NamedTuple):
    """What a round makes of a purse and a crew."""

    highs: frozenset[tuple[int, int]]
    """AP and RP added up to each check of the goals."""
    ap: int
    """Added by the end of the round; likewise ``rp``."""
    rp: int
    crew: Crew
    again: int
    """Times that what was paid for hires is paid once more, before anything else."""


class Rounds:
    """Rounds under one ruleset for one identity."""

    def __init__(self, rulings: Rulings, identity: str) -> None:
        self.rulings = rulings
        self.traits = rulings.traits[identity]
        self.tables = tables = Tables(rulings, ())
        self._row = array("i", bytes(4 * L.W))
        self._row[L.SEATS] = 1
        self._row[L.SEAT + L.IDENTITY] = tables.identities[identity]
        self._points = array("i", bytes(4 * 8))
        self.new = {kind: 1 << _BITS * tables.slot[kind, rulings.full_hp[kind]] for kind in rulings.types}
        """What one new partner of each type adds to a team."""
        self.size = cache(lambda team: sum(self.counts(team)))
        """Returns how many partners a number stands for."""
        self.play, self._ways = cache(self._play), cache(self._new_ways)

    def team(self, partners: tuple[Partner, ...]) -> int:
        """Return partners as a number."""
        return sum(1 << _BITS * self.tables.slot[partner] for partner in partners)

    def counts(self, team: int) -> bytes:
        """Return how many partners there are in each slot."""
        return team.to_bytes(len(self.tables.slots), "little")

    def hires(self, ap: int, team: int) -> list[tuple[int, int, int]]:
        """Return what can be hired: new partners, temporary ones, AP paid (5.B)."""
        cap, hired = self.rulings.cap, self.size(team)
        return self._ways(max(0, ap), MOST - hired if cap is None else max(0, cap - hired))

    def _new_ways(self, purse: int, room: int) -> list[tuple[int, int, int]]:
        """Return what can be hired for so many AP with so much room: new partners, temporary ones, AP paid."""
        types, prices, temp_price = self.rulings.types, self.traits.prices, self.traits.temp_price
        limits = (types, prices, temp_price, purse, room, (UNLIMITED,) * len(types))
        price, found = dict(zip(types, prices, strict=True)), []
        for way in ways_to_hire(*limits, temps_need_room=self.rulings.options["cap_counts_temps"]):
            paid = sum(number * price[kind] for kind, number in way.numbers) + way.temps * (temp_price or 0)
            found.append((sum(number * self.new[kind] for kind, number in way.numbers), way.temps, paid))
        return found

    def _play(self, crew: Crew, temps: int, plan: Plan, event: str) -> Result:
        """Return what a round does after the hires; ``event`` may be empty for none."""
        row, tables, points = self._row, self.tables, self._points
        slots = len(tables.slots)
        place, team = L.SEAT, L.SEAT + L.TEAM
        row[place + L.AP] = row[place + L.RP] = 0
        row[place + L.TEMPS], row[place + L.N_TEAM] = temps, self.size(crew.team)
        row[place + L.EXPLORE], row[place + L.LIGHT] = crew.explored, crew.lit
        row[place + L.CARD : place + L.CARD + 4] = tables.laid(plan)
        row[team : team + slots] = array("i", list(self.counts(crew.team)))
        again = play_alone(row, tables.numbers, tables.card[event], points)
        highs = frozenset(zip(points[::2], points[1::2], strict=True))
        left = int.from_bytes(bytes(row[team : team + slots].tolist()), "little")
        after = Crew(left, bool(row[place + L.EXPLORE]), bool(row[place + L.LIGHT]))
        return Result(highs, points[6], points[7], after, again)


def event_names(rulings: Rulings) -> list[str]:
    """Return the Events in the box, those first of which a player loses most HP."""
    box = [card for card in rulings.cards.values() if card.deck == EVENTS and card.count]
    return [card.id for card in sorted(box, key=lambda card: -(card.args("damage") or {"amount": 0})["amount"])]


def stocks_of(cards: Mapping[str, Card]) -> list[list[str]]:
    """Return the Action cards in stocks: lists of those that do the same for a player alone."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name in sorted(cards):
        card = cards[name]
        if card.deck == ACTIONS and card.count:
            idle = any(effect.op in TARGETED or effect.op == "exchange_cards" for effect in card.effects)
            effects = [] if idle else [(effect.op, sorted(effect.args.items())) for effect in card.effects]
            alike.setdefault((card.location, repr(effects)), []).append(name)
    return list(alike.values())


# The search

Purse = tuple[int, ...]
"""AP and RP, then copies of each stock used so far, below 0, where cards are counted. More is never worse."""


class Key(NamedTuple):
    """What matters between two rounds."""

    crew: Crew
    purse: Purse


class Choice(NamedTuple):
    """What a household does in a round."""

    hired: int
    """New partners, as a number of ``Rounds``."""
    temps: int
    paid: int
    """AP paid for hires."""
    plan: Plan


class Edge(NamedTuple):
    """What a choice under one Event leads to."""

    choice: Choice
    event: str
    after: Key | None
    """Nothing where the goal is reached within the round."""


Path = tuple[Edge, ...]


class RoundSearch:
    """One seat's rounds from a table at the start of a round."""

    relaxations = ("every card within reach at hand",)

    def __init__(self, rulings: Rulings, table: Table, seat: int, fate: ChanceMode, goals: tuple[Goal, ...]) -> None:
        self.fate, self._rulings, one = fate, rulings, table.seats[seat]
        self.rounds = Rounds(rulings, one.identity)
        self._stocks, self._events = stocks_of(rulings.cards), event_names(rulings)
        self._of = {name: place for place, stock in enumerate(self._stocks) for name in stock}
        self._counts = fate is ChanceMode.KNOWN or (fate is ChanceMode.KIND and self.rounds.traits.two_cards)
        """Cards are counted: one card a round never uses up more than a whole pile has."""
        self._hand, self._pile = len(one.hand), (*table.event_pile.front, *table.event_pile.back)
        self._reach = self._within_reach(table, one.hand)
        self.horizon = len(self._reach)
        crew = Crew(self.rounds.team(one.partners), bool(one.explore_pending), bool(one.flashlight))
        self.start = Key(crew, (one.ap, one.rp, *(0 for _ in self._stocks if self._counts)))
        gains = {name: gain_of(card) for name, card in rulings.cards.items()}
        uses = [
            [NOTHING, *(gains[stock[0]] for stock, copies in zip(self._stocks, row, strict=True) if copies)]
            for row in self._reach
        ]
        events = [[gains[name] for name in self._events_in(gone)] for gone in range(self.horizon)]
        self._bound = RoundBound(rulings, self.rounds.traits, goals, uses, events)
        self._plans = cache(self._new_plans)
        self.edges = self.keys = 0
        """Rounds played, repeats included, and distinct keys kept by the last search."""
        self.excluded, self.stopped, self.interrupted = 0, False, False
        """Rounds in which the goal is out of reach; what has ended the search."""

    def _within_reach(self, table: Table, hand: Sequence[str]) -> list[tuple[int, ...]]:
        """Return for each round to come the copies of each stock within reach."""
        limit, pile = self._rulings.round_limit, (*table.action_pile.front, *table.action_pile.back)
        horizon = HORIZON if limit is None else min(HORIZON, max(limit, table.round) - table.round + 1)
        if self.fate is ChanceMode.CRUEL:
            return [(TEAMS,) * len(self._stocks)] * horizon
        reach = []
        for seen in cards_seen(self._rulings, len(pile))[: min(horizon, len(self._pile))]:
            held = Counter(map(self._of.__getitem__, (*hand, *pile[: seen if self.fate is ChanceMode.KNOWN else None])))
            reach.append(tuple(held[place] for place in range(len(self._stocks))))
        return reach

    def _events_in(self, gone: int) -> list[str]:
        """Return the Events that may come in a round."""
        if self.fate is ChanceMode.KNOWN:
            return [self._pile[gone]]
        return [name for name in self._events if self.fate is ChanceMode.CRUEL or name in self._pile]

    def fewest(self, most: int, budget: Budget) -> Path | None:
        """Return a way to the goal within so many rounds, the shortest; nothing where none is found in the budget."""
        self._budget = budget
        try:
            for rounds in range(1, most + 1):
                self.keys = 0
                if (path := self._path(rounds)) is not None:
                    return path
                self.excluded = rounds
        except BudgetExceeded:
            self.stopped = True
        except KeyboardInterrupt:
            self.stopped = self.interrupted = True
        return None

    def reachable(self, key: Key, gone: int, left: int) -> bool:
        """Return false only where the goal is out of reach in ``left`` rounds."""
        ap, rp, *_ = key.purse
        return self._bound.reachable(Standing(ap, rp, self.rounds.size(key.crew.team), key.crew.explored), gone, left)

    def _path(self, rounds: int) -> Path | None:
        """Return a path to the goal within so many rounds, or nothing where there is none.

        Of Events that an adversary picks it has those that hold out longest.
        """
        self._won: defaultdict[tuple[Crew, int], list[tuple[Purse, Choice]]] = defaultdict(list)
        self._lost: defaultdict[tuple[Crew, int], list[Purse]] = defaultdict(list)
        path: list[Edge] = []
        key: Key | None = self.start
        while key is not None:
            gone, left = len(path), rounds - len(path)
            if (choice := self._winning(key, gone, left)) is None:
                return None
            edges = sorted(self._answers(key, choice, gone), key=lambda edge: edge.after is None)
            if self.fate is ChanceMode.CRUEL:
                wanted = (edge for edge in edges if edge.after and not self._winning(edge.after, gone + 1, left - 2))
            else:
                wanted = (edge for edge in edges if self._wins(edge, gone, left))
            path.append(next(wanted, edges[0]))
            key = path[-1].after
        return tuple(path)

    def _winning(self, key: Key, gone: int, left: int) -> Choice | None:
        """Return what reaches the goal in ``left`` rounds, with some Event or whatever it is, or nothing likewise.

        A purse from which it is reached proves every fuller one, a lost purse every emptier one.
        """
        won, lost, purse = self._won[key.crew, left], self._lost[key.crew, left], key.purse
        known = next((choice for less, choice in won if _fuller(purse, less)), None)
        if known is not None or any(_fuller(more, purse) for more in lost):
            return known
        self.keys += 1
        which = all if self.fate is ChanceMode.CRUEL else any
        for choice in self._choices(key, gone) if left > 0 and self.reachable(key, gone, left) else ():
            if which(self._wins(edge, gone, left) for edge in self._answers(key, choice, gone)):
                won.append((purse, choice))
                return choice
        lost[:] = [*(less for less in lost if not _fuller(purse, less)), purse]
        return None

    def _wins(self, edge: Edge, gone: int, left: int) -> bool:
        return edge.after is None or self._winning(edge.after, gone + 1, left - 1) is not None

    def _choices(self, key: Key, gone: int) -> Iterator[Choice]:
        """Yield what can be done in a round."""
        crew, (ap, _, *used) = key
        held, cards, rules = self._reach[gone], TEAMS, self._rulings.rules
        if self._counts:
            held = tuple(map(int.__add__, held, used))
            drawn = gone * rules["refill_cards"] + (gone + 1) * max(0, rules["give_up_draw"] - 1)
            cards = min(TEAMS, self._hand + drawn + sum(used))
        held = tuple(min(TEAMS, copies) for copies in held)
        for hired, temps, paid in self.rounds.hires(ap, crew.team):
            for plan in self._plans(crew.team + hired > 0, temps > 0, held):
                if len(plan.cards) <= cards:
                    yield Choice(hired, temps, paid, plan)

    def _answers(self, key: Key, choice: Choice, gone: int) -> Iterator[Edge]:
        """Yield what each Event that may come makes of a choice."""
        crew = key.crew._replace(team=key.crew.team + choice.hired)
        for event in self._events_in(gone):
            self.edges += 1
            if self.edges % LOOK == 0:
                self._budget.check(self.keys)
            result, (ap, rp, *used) = self.rounds.play(crew, choice.temps, choice.plan, event), key.purse
            ap -= choice.paid * (1 + result.again)
            if any(self._bound.meets(ap + more_ap, rp + more_rp) for more_ap, more_rp in result.highs):
                yield Edge(choice, event, None)
                continue
            for name in choice.plan.cards if self._counts else ():
                used[self._of[name]] -= 1
            yield Edge(choice, event, Key(result.crew, (ap + result.ap, rp + result.rp, *used)))

    def _new_plans(self, hired: bool, temps: bool, held: tuple[int, ...]) -> list[Plan]:
        """Return what the teams may do with the cards held."""
        names = [stock[0] for stock in self._stocks]
        found = [_REST, *(Plan(names[place], where, None) for place, where in self._team(hired or temps, held))]
        for second, there in self._team(True, held) if temps and self.rounds.traits.two_cards else ():
            team = TeamPlan(names[second], there)
            firsts = [each for each in self._team(hired, held) if each[0] != second or held[second] > 1]
            found += [_REST._replace(temp=team), *(Plan(names[first], where, team) for first, where in firsts)]
        return found

    def _team(self, members: bool, held: tuple[int, ...]) -> Iterator[tuple[int, str]]:
        """Yield the stocks that a team may use, each with the place."""
        for place, stock in enumerate(self._stocks):
            location = self._rulings.cards[stock[0]].location
            if held[place] > 0 and location != ABYSS:
                yield place, CITY
            if held[place] > 0 and location != CITY and members:
                yield place, ABYSS

    # Lines of the game

    def moves(self, game: Fortune, start: State[Table], path: Path, forbidden: frozenset[str]) -> list[Step]:
        """Return moves of the game that keep to a path, looked for depth first; none where none were found."""
        vain: set[tuple[Table, int]] = set()
        tries = iter(range(PATIENCE))

        def play(state: State[Table], path: Path) -> list[Step] | None:
            table = state.table
            if not state.pending and game.reached(table):
                return []
            if not path or (table, len(path)) in vain or game.is_over(table):
                return None
            for step in self._likely(path, game.legal_moves(state) or game.chance_outcomes(state)):
                if next(tries, None) is None:
                    return None
                if forbids(forbidden, step.text):
                    continue
                after = game.apply(state, step).state
                if after.pending or game.keeps(after.table):
                    ends = not after.pending and after.table.phase == PHASES[0]
                    if (rest := play(after, path[1:] if ends else path)) is not None:
                        return [step, *rest]
            if not state.pending:
                vain.add((table, len(path)))
            return None

        return play(start, path) or []

    def _likely(self, path: Path, steps: Sequence[Step]) -> list[Step]:
        """Return those of the open steps that do what the first edge says, the likeliest to keep to all of them first.

        Cards given up and drawn are free: what later edges use is kept, and drawn before anything else.
        """
        wanted = {self._of[name] for edge in path for name in edge.choice.plan.cards}

        def order(step: Step) -> int:
            if isinstance(step, Cards) and step.verb == "give_up":
                return sum(10 if self._of[card] in wanted else 1 for card in step.cards)
            if isinstance(step, ChanceOutcome) and step.source == ACTIONS:
                return int(self._of[step.result] not in wanted)
            return int(bool(wanted) and step == NO_DRAW)

        return sorted(
            (step for step in steps if self._agrees(step, path[0])), key=lambda each: (order(each), each.text)
        )

    def _agrees(self, step: Step, edge: Edge) -> bool:
        choice = edge.choice
        if isinstance(step, Hire):
            team = sum(number * self.rounds.new[kind] for kind, number in step.numbers)
            return (team, step.temps) == (choice.hired, choice.temps)
        if isinstance(step, Choose):
            plan, temp = step.plan, step.plan.temp and self._in_stock(step.plan.temp)
            return self._in_stock(plan)._replace(temp=temp) == choice.plan
        return not (isinstance(step, ChanceOutcome) and step.source == EVENTS and step.result != edge.event)

    def _in_stock(self, team: Team) -> Team:
        """Return what a team does, with the first card of a stock for every card of it."""
        return team._replace(card=team.card and self._stocks[self._of[team.card]][0])


def _fuller(one: Purse, other: Purse) -> bool:
    """Return whether one purse holds at least as much of everything."""
    return all(map(ge, one, other))


def round_search(quest: Any, table: Table) -> RoundSearch | None:
    """Return a challenge from a table round by round, or nothing where its rulings or the table are not carried."""
    rulings, fate, one = quest.rulings, quest.challenge.fate, table.seats[quest.seat]
    is_open = rulings.chance.is_open(ACTIONS) and rulings.chance.is_open(EVENTS)
    begun = table.phase != PHASES[0] or one.temps or one.boost or one.treasure
    lacking = lacks(rulings) or rulings.players != 1 or not event_names(rulings)
    if lacking or begun or is_open != (fate is ChanceMode.KNOWN):
        return None
    found = RoundSearch(rulings, table, quest.seat, fate, quest.goals)
    return found if found.horizon > 0 else None
