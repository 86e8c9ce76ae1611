"""What cards can do at best for the distance: the facts that the bound of the compact search adds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rules.iditacards.compact.board import FREE_COST, BoardTables
from rules.iditacards.compact.cards import WHOLE_DECK, Kinds
from rules.iditacards.content import ALL, Card
from rules.iditacards.costs import LOWERED_ON_TABLE, lowers
from rules.iditacards.rulings import CONDITIONS, Rulings

SPEED_OPS: Final = ("speed", "speed_mult", "speed_other_dogs", "leg_condition_mod")
"""Passive ops of an attachment that can change speed, or the conditions that slow it down."""
_CLEARED: Final = 1 << 10
"""More points than a condition can have."""
PLENTY: Final = 1 << 10
"""More cards than any horizon needs."""
SECOND_STEPS: Final = frozenset({"destroy_next", "take_next"})
"""Ops of second steps (R40)."""
SECOND: Final = 0
"""What a frame still needs whose card takes its second step on the next turn (R40)."""

Stack = tuple[tuple[str, int], ...]
"""Waiting cards with the risk cards they still need, bottom first."""
JumpTable = list[list[list[int]]]
"""Most spaces by plays, net energy and deck cards."""
Distances = tuple[tuple[int, int], ...]
"""Printed distance and factor of each move of a card."""


class Facts(NamedTuple):
    """What the bound looks at in one kind of card."""

    distances: Distances
    speeder: str
    """Card id of a dog or attachment that may change speed, or nothing."""
    relief: tuple[int, int]
    """Points by which playing it lowers each condition at most."""
    at_once: bool
    """Whether it lowers one as soon as it is on the table: nothing need be paid, and no risk waited for (R21, R26)."""
    late_relief: tuple[int, int]
    """Likewise once it is on the table, that is without R21."""
    energy: int
    """Least energy cost, less the most cards that its risk gives, and one less where a turn goes to a second step."""
    risk: int
    """Least risk."""
    deck: int
    """Least cards of the deck that its health and its risk take."""
    draws: int

    @property
    def raises(self) -> bool:
        """Whether it may raise speed."""
        return bool(self.speeder) or self.at_once or any(self.relief)

    @property
    def as_raising(self) -> tuple[int, int]:
        """Net energy and deck cards of a play that raises speed: none twice where they count for another part of it."""
        return (min(0, self.energy), 0) if self.at_once or self.distances else (self.energy, self.deck)

    @property
    def as_drawing(self) -> tuple[int, int]:
        """Likewise of a play that draws."""
        beside = self.distances or (self.raises and not self.at_once)
        return (min(0, self.energy), 0) if beside else (self.energy, self.deck)


class Beside(NamedTuple):
    """How many cards do two things with one play, so that it counts for both."""

    moving_raises: int
    raising_draws: int
    moving_draws: int

    def saved(self, raises: int, draws: int) -> int:
        """Return how many turns fewer such plays take at least than they would one by one."""
        return min(raises, self.moving_raises) + min(draws, min(raises, self.raising_draws) + self.moving_draws)


class Raisers(NamedTuple):
    """What can raise speed."""

    speeders: tuple[str, ...]
    """Sorted card ids of speed cards, copies written out."""
    relief: tuple[int, int, bool]
    """Most points one play lowers each condition by, and whether one play can lower both."""


class Stock(NamedTuple):
    """What can still be played in time by somebody with so many turns left.

    The sums are over the best 0, 1, 2, … cards, each sum for itself.
    """

    jumps: int
    """Number of the movement cards, for ``Stocks.jumps``."""
    raisers: Raisers
    raising: tuple[int, ...]
    """Least sums of net energy of the cards that can raise speed."""
    raising_deck: tuple[int, ...]
    """Least sums of the deck cards they take."""
    draws: tuple[int, ...]
    """Greatest sums of the net cards won by cards that draw."""
    draws_energy: tuple[int, ...]
    """Least sums of their net energy."""
    draws_deck: tuple[int, ...]
    """Least sums of the deck cards they take before they draw."""
    extra: int
    """Cards won by the risks of whatever else is played."""
    beside: Beside


class Jump(NamedTuple):
    """A movement card."""

    distances: Distances
    risk: int
    energy: int
    """Net energy."""
    deck: int


class Ways(NamedTuple):
    """The ways to spend the turns with one number of plays that raise speed."""

    raises: int
    rest: tuple[tuple[int, int, int], ...]
    """Plays left for movement cards, and the net energy and deck cards left for those."""


class Waiting(NamedTuple):
    """What a risk stack can bring."""

    jumps: tuple[tuple[int, Distances], ...]
    """Movement cards with the number of turns they need at least."""
    speeders: tuple[str, ...]
    relief: tuple[int, int]
    """Points by which the waiting cards can lower each condition together."""
    slots: int
    """Risk cards still to be paid."""
    seconds: int
    """Turns that go to second steps of the waiting cards."""
    draws: int
    """Cards that the waiting cards can draw together."""
    number: int


class Stocks:
    """Facts about every kind of card, and about multisets and stacks of them."""

    def __init__(
        self,
        rulings: Rulings,
        spaces: Iterable[int],
        boards: BoardTables,
        kinds: Kinds,
        everything: int,
        cards: Iterable[str],
    ) -> None:
        """Look at the cards of one day.

        ``spaces`` has one space of each part of the track, ``everything`` packs the cards of hand and deck, ``cards``
        are these and those in play and waiting.
        """
        self._rulings = rulings
        self._spaces = tuple(spaces)
        self._boards = boards
        self._kinds = kinds
        self.everything = everything
        """The cards of hand and deck in the beginning, packed."""
        self._available = tuple(cards)
        self._runs = 2 if any(card in rulings.double_risk for card in self._available) else 1
        self._unlimited = any(card in rulings.on_move_draw for card in self._available)
        effects = [effect for card in self._available for effect in rulings.cards[card].instant]
        self._freed = {effect.args["cost"] for effect in effects if effect.op == FREE_COST}
        """Costs that a card may make free."""
        legs = [leg for space in self._spaces if (leg := boards.leg(space)) is not None]
        self._instead = max((leg.effects.get("leg_card_move", {"n": 0})["n"] for leg in legs), default=0)
        """The greatest distance that a leg gives movement cards in the place of the printed one (Q14)."""
        self._modified: dict[tuple[str, int], int] = {}
        self._facts = [self._facts_of(rulings.cards[name]) for name in kinds.names]
        relevant = 0
        for kind, facts in enumerate(self._facts):
            if facts.distances or facts.speeder or any(facts.relief) or facts.draws or facts.energy < 0:
                relevant |= kinds.mask(kind)
        self.counted = relevant
        """Mask of the kinds in a packed multiset that the bound looks at."""
        self.relevant = everything & relevant
        """The cards that the bound looks at, packed."""
        self._numbers: dict[tuple[int, int], int] = {}
        self._stocks: list[Stock] = []
        self._stock_numbers: dict[Stock, int] = {}
        self._jump_lists: list[tuple[Jump, ...]] = []
        self._jump_numbers: dict[tuple[Jump, ...], int] = {}
        self._tables: dict[tuple[int, int, int], JumpTable] = {}
        self._ways: dict[tuple[int, int, int, int], tuple[Ways, ...]] = {}
        self._waiting: dict[Stack, Waiting] = {}
        self._raisers: dict[int, Raisers] = {}

    def least_risk(self, kind: int) -> int:
        """Return the least risk that any leg and any cards can make of a kind."""
        return self._facts[kind].risk

    def least_health(self, kind: int) -> int:
        """Return the least health cost that any leg and any cards can make of a kind."""
        facts = self._facts[kind]
        return facts.deck - facts.risk

    def facts(self, kind: int) -> Facts:
        """Return what a kind can do at best."""
        return self._facts[kind]

    def raisers(self, cards: int) -> Raisers:
        """Return what packed cards, all of them in time, can do for speed."""
        raisers = self._raisers.get(cards)
        if raisers is None:
            held = [self._facts[kind] for kind, n in self._kinds.cards(cards) for _ in range(n)]
            raisers = self._raisers[cards] = _raisers(held, held)
        return raisers

    def number(self, pool: int, turns: int) -> int:
        """Return the number of what a pool of cards, packed, offers to somebody with so many turns left."""
        name = (pool, turns)
        number = self._numbers.get(name)
        if number is None:
            stock = self._stock(pool, turns)
            number = self._stock_numbers.setdefault(stock, len(self._stocks))
            if number == len(self._stocks):
                self._stocks.append(stock)
            self._numbers[name] = number
        return number

    def stock(self, number: int) -> Stock:
        """Return a stock by its number."""
        return self._stocks[number]

    def _stock(self, pool: int, turns: int) -> Stock:
        held = [self._facts[kind] for kind, n in self._kinds.cards(pool) for _ in range(min(n, turns))]
        timely = [facts for facts in held if facts.risk < turns]
        raising = [facts for facts in held if facts.at_once or (facts.raises and facts.risk < turns)]
        drawing = [facts for facts in timely if facts.draws > facts.as_drawing[0]]
        moving = [facts for facts in timely if facts.distances]
        jumps = tuple(sorted(Jump(facts.distances, facts.risk, facts.energy, facts.deck) for facts in moving))
        number = self._jump_numbers.setdefault(jumps, len(self._jump_lists))
        if number == len(self._jump_lists):
            self._jump_lists.append(jumps)
        return Stock(
            jumps=number,
            raisers=_raisers(held, timely),
            raising=_sums(sorted(facts.as_raising[0] for facts in raising)[:turns]),
            raising_deck=_sums(sorted(facts.as_raising[1] for facts in raising)[:turns]),
            draws=_sums(sorted((facts.draws - facts.as_drawing[0] for facts in drawing), reverse=True)[:turns]),
            draws_energy=_sums(sorted(facts.as_drawing[0] for facts in drawing)[:turns]),
            draws_deck=_sums(sorted(facts.as_drawing[1] for facts in drawing)[:turns]),
            extra=PLENTY if self._unlimited else sum(max(0, -facts.energy) for facts in held),
            beside=Beside(
                min(turns, sum(facts.raises for facts in moving)),
                min(turns, sum(facts.raises for facts in drawing)),
                min(turns, sum(bool(facts.distances) for facts in drawing)),
            ),
        )

    def useful(self, number: int, turns: int) -> tuple[int, int]:
        """Return so many cards held, and in the deck, that more of them would change no way to spend the turns."""
        stock = self._stocks[number]
        jumps = self._jump_lists[stock.jumps]
        drawing = max(stock.draws_energy)
        energy = max(stock.raising) + drawing + sum(max(0, jump.energy) for jump in jumps)
        deck = stock.raising_deck[-1] + stock.draws_deck[-1] + sum(jump.deck for jump in jumps)
        return max(0, turns + energy - stock.extra), deck + stock.draws[-1] + drawing

    def ways(self, turns: int, number: int, cards: int, deck: int) -> tuple[Ways, ...]:
        """Return the ways to spend ``turns`` turns, with ``cards`` in the hand or given by waiting risks.

        No way means that there are too few cards for so many turns.
        """
        name = (turns, number, cards, deck)
        ways = self._ways.get(name)
        if ways is None:
            ways = self._ways[name] = tuple(self._make_ways(*name))
        return ways

    def _make_ways(self, turns: int, number: int, cards: int, deck: int) -> Iterator[Ways]:
        stock = self._stocks[number]
        jumps = self._jump_lists[stock.jumps]
        enough = sum(max(0, jump.energy) for jump in jumps)
        enough_deck = sum(jump.deck for jump in jumps)
        for raises in range(min(turns, len(stock.raising) - 1) + 1):
            spare = cards + stock.extra - turns - stock.raising[raises]
            rest: list[tuple[int, int, int]] = []
            best = (-1, -1)
            for draws in range(len(stock.draws)):
                plays = turns - raises - draws + stock.beside.saved(raises, draws)
                if plays < 0:
                    break
                deck_left = deck - stock.raising_deck[raises] - stock.draws_deck[draws]
                most_won = stock.draws[draws]
                for taken in range(min(deck_left, enough_deck), -1, -1):
                    won = min(most_won, deck_left - taken - stock.draws_energy[draws]) if draws else 0
                    energy = min(spare + won, enough)
                    if energy >= 0 and not any(energy <= more and taken <= longer for _, more, longer in rest):
                        rest.append((plays, energy, taken))
                        best = max(best, (taken, energy))
                    if won == most_won or energy == enough:
                        break
                if best == (enough_deck, enough):
                    break
            if rest:
                yield Ways(raises, tuple(rest))

    def jumps(self, turns: int, jumps: int, speed: int) -> JumpTable:
        """Return the most spaces that movement cards can win, never less for more: plays, net energy, deck cards."""
        name = (turns, jumps, speed)
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = self._jump_table(turns, self._jump_lists[jumps], speed)
        return table

    def _jump_table(self, turns: int, jumps: tuple[Jump, ...], speed: int) -> JumpTable:
        energies = range(sum(max(0, jump.energy) for jump in jumps) + 1)
        decks = range(sum(jump.deck for jump in jumps) + 1)
        table = [[[0] * len(decks) for _ in energies] for _ in range(turns + 1)]
        for jump in sorted(jumps, key=lambda jump: -jump.risk):
            far = distance(jump.distances, speed)
            latest = turns - jump.risk
            for plays in range(latest, 0, -1):
                for energy in reversed(energies):
                    before = min(energy - jump.energy, energies[-1])
                    if before >= 0:
                        row, row_before = table[plays][energy], table[plays - 1][before]
                        for deck in range(decks[-1], jump.deck - 1, -1):
                            row[deck] = max(row[deck], row_before[deck - jump.deck] + far)
            for plays in range(max(1, latest + 1), turns + 1):
                for row, fewer in zip(table[plays], table[plays - 1], strict=True):
                    row[:] = map(max, row, fewer)
        return table

    def kinds_of_jump(self, jumps: int) -> set[Distances]:
        """Return the different distances among movement cards."""
        return {jump.distances for jump in self._jump_lists[jumps]}

    def waiting(self, stack: Stack) -> Waiting:
        """Return what a stack can bring; each frame also waits for those above it (R30), which pay one risk each."""
        waiting = self._waiting.get(stack)
        if waiting is None:
            jumps: list[tuple[int, Distances]] = []
            speeders: list[str] = []
            second = int(bool(stack) and stack[-1][1] == SECOND)  # it takes a turn, but no card of the deck
            needed = cold = hunger = draws = seconds = 0
            for card, missing in reversed(stack):
                needed += missing - (1 if needed else 0)
                facts = self._facts_of(self._rulings.cards[card])
                if facts.distances:
                    jumps.append((needed - second, facts.distances))
                if facts.speeder:
                    speeders.append(facts.speeder)
                cold, hunger = cold + facts.late_relief[0], hunger + facts.late_relief[1]
                draws += facts.draws
                seconds += self._has_second_step(self._rulings.cards[card])
            slots = sum(missing for _, missing in stack)
            relief = (cold, hunger)
            waiting = Waiting(tuple(jumps), tuple(speeders), relief, slots, seconds, draws, len(self._waiting))
            self._waiting[stack] = waiting
        return waiting

    def _facts_of(self, card: Card) -> Facts:
        """Return what a card can do at best."""
        distances: list[tuple[int, int]] = []
        relief = dict.fromkeys(CONDITIONS, 0)
        draws, instead = 0, self._instead if card.type == "movement" else 0
        for effect in card.instant:
            args = effect.args
            if effect.op == "move":
                factor = 2 if args.get("double") else 1
                distances += [(max(int(args["n"]), instead), factor)] * int(args.get("times", 1))
            elif effect.op == "draw":
                draws += int(args["n"]) * (self._rulings.dog_limit if args.get("per") == "dog" else 1)
            elif effect.op == "heal" and self._rulings.heal_rest == "hand":
                draws += WHOLE_DECK if args["of"] == ALL else int(args["of"])
            elif effect.op in relief:
                relief[effect.op] += max(0, -int(args["n"]))
            elif effect.op.startswith("clear_"):
                relief[effect.op.removeprefix("clear_")] += _CLEARED
        speeds = card.type == "dog" or (card.type == "attachment" and any(op in card.passive for op in SPEED_OPS))
        cold, hunger = (relief[side] * self._runs for side in CONDITIONS)
        energy, health, least_risk, most_risk = self._costs(card)
        return Facts(
            distances=tuple(distances * self._runs),
            speeder=card.id if speeds else "",
            relief=(cold + lowers(card, "hypothermia"), hunger + lowers(card, "starvation")),
            at_once=card.type in LOWERED_ON_TABLE,
            late_relief=(cold, hunger),
            energy=energy - most_risk - self._has_second_step(card),
            risk=least_risk,
            deck=health + least_risk,
            draws=draws * self._runs,
        )

    def _has_second_step(self, card: Card) -> int:
        return int(any(effect.op in SECOND_STEPS for effect in card.instant))

    def _costs(self, card: Card) -> tuple[int, int, int, int]:
        """Return the least energy, health and risk and the most risk that any leg and any cards can make of a card."""
        boards = self._boards
        free = boards.board(boards.root)._replace(pos=0, hypothermia=0, starvation=0, dogs=())
        prices = [boards.price(boards.number(free._replace(pos=pos)), card) for pos in self._spaces]
        energy = max(0, min(price.energy for price in prices) + self._mods("energy", -1))
        health = max(0, min(price.health for price in prices) + self._mods("health", -1))
        energy, health = (0 if cost in self._freed else n for cost, n in (("energy", energy), ("health", health)))
        if card.risk == 0:
            return energy, health, 0, 0
        least = max(0, min(price.risk for price in prices) + self._mods("risk", -1))
        return energy, health, least, max(price.risk for price in prices) + self._mods("risk", 1)

    def _mods(self, cost: str, sign: int) -> int:
        """Return the sum of all cost modifiers of one sign that could be in play together."""
        total = self._modified.get((cost, sign))
        if total is None:
            mods = (self._rulings.cost_mod[cost].get(name, 0) for name in self._available)
            total = self._modified[cost, sign] = sum(mod for mod in mods if mod * sign > 0)
        return total


def distance(distances: Distances, speed: int) -> int:
    """Return the most spaces a movement card moves at a speed (R44)."""
    return sum(max(0, printed + speed) * factor for printed, factor in distances)


def _raisers(held: list[Facts], timely: list[Facts]) -> Raisers:
    cold, hunger = (max((facts.relief[side] for facts in held), default=0) for side in (0, 1))
    speeders = tuple(sorted(facts.speeder for facts in timely if facts.speeder))
    return Raisers(speeders, (cold, hunger, any(all(facts.relief) for facts in held)))


def _sums(numbers: list[int]) -> tuple[int, ...]:
    sums = [0]
    for n in numbers:
        sums.append(sums[-1] + n)
    return tuple(sums)
