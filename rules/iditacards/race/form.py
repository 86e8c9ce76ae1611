"""A whole open race of one seat on a bare track, over packed keys: many days, every turn of the engine.

``race.boards`` asks the rules about everything that can be in play, ``race.kernel`` plays the turns, this module lays
out the tables between them and translates. A position of the search is a key and the place on the track, apart: on a
bare track nothing depends on the place. ``race.scope`` says what is not carried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from itertools import pairwise
from math import comb, prod
from typing import Any, Final, NamedTuple

from rules.iditacards.race import ahead as race_ahead
from rules.iditacards.race import bound as race_bound
from rules.iditacards.race.boards import Boards, Pack
from rules.iditacards.race.decks import Decks
from rules.iditacards.race.kernel import KERNEL, MOST_PAYMENTS, WORK, RaceTables, successors
from rules.iditacards.race.packing import packing
from rules.iditacards.race.scope import cards_of, missing
from rules.iditacards.race.stacks import Stacks, starts
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

KEY_BITS: Final = 62
"""Bits of a key; one less than a signed 64-bit integer has, so that no step of the arithmetic overflows."""
LEAST_DAYS: Final = 12
"""New days that keys must have room for."""


class Place(NamedTuple):
    """A position of the search."""

    key: int
    pos: int


def race_form(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str], target: int) -> RaceForm | None:
    """Return the race form of a question, or nothing where it does not carry it; ``target`` is where it ends."""
    if missing(rulings, table, seat, forbidden) or target > rulings.finish_at:
        return None
    try:
        return RaceForm(rulings, table, seat)
    except (OverflowError, LookupError):  # it does not fit, or risks wait for more cards than their cards ask for here
        return None


class RaceForm:
    """The turns of one race from a table, with everything they look up; itself a ``SearchProblem``."""

    engine = "race"
    apart = True
    exact = True
    kernel: Mapping[str, Callable[..., Any]] = {each.__name__: each for each in (*KERNEL, *race_bound.KERNEL)}
    work = WORK
    projections = (
        "discard pile, resolved risk cards (what a new day shuffles follows from what is in play and destroyed), "
        "supply, day records, free actions before other actions than a new day",
    )
    indifferent: frozenset[str] = frozenset()
    decides_late = False
    bound_name = "free race"

    def __init__(self, rulings: Rulings, table: Table, seat: int, *, postpone: bool = True) -> None:
        """``postpone=False`` keeps free actions open on every turn, as a control.

        Raises:
            OverflowError: the keys do not fit.
        """
        self._rulings = rulings
        self._seat = seat
        player = table.players[seat]
        self.cards = cards_of(player)
        self._dead = Counter(table.destroyed)
        self.boards = Boards(rulings, table, seat, self.cards)
        self._find_kinds()
        stacks = Stacks(self.copies, self._needs())
        self.stacks = stacks.numbers
        mixes = {self.boards.mix(board): None for board in range(len(self.boards.packs))}
        self._mixes = list(mixes)
        self.root = Place(0, player.pos)
        self._decks = Decks(rulings, table, seat, self.kind, sum(self.cards.values()) + 1)
        self._suffixes: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        self.tables = self._lay_out(stacks, postpone)
        self._decks.begin(self._mixes, self.tables.unit)
        self.bound = race_bound.BoundTables(self)
        self.outlooks, self.rows = self.bound.tables, self.bound.rows
        self.ahead = race_ahead.ahead_tables(self)
        self.waiting = min(self.tables.automatic)
        self.root = self.project(table)
        self.most_successors = self._most_successors()
        self._keys = [0] * self.most_successors
        self._gains = [0] * self.most_successors
        self._work = [0] * WORK

    # Laying out

    def _find_kinds(self) -> None:
        """Make one kind of all cards that no board tells apart by cost or effect."""
        boards = range(len(self.boards.packs))
        by_facts: dict[Any, int] = {}
        self.kind: dict[str, int] = {}
        self.facts: list[list[tuple[int, int, int, tuple[Any, ...]]]] = []
        self.copies: list[int] = []
        for name in sorted(self.cards):
            card = self._rulings.cards[name]
            facts = [
                (*self.boards.costs(board, card), tuple(sorted(self.boards.effects(board, card)))) for board in boards
            ]
            kind = by_facts.setdefault(tuple(facts), len(by_facts))
            if kind == len(self.facts):
                self.facts.append(facts)
                self.copies.append(0)
            self.kind[name] = kind
            self.copies[kind] += self.cards[name]

    def _needs(self) -> list[frozenset[int]]:
        """Return the numbers of risk cards that each kind may need."""
        return [frozenset(risk for _, _, risk, _ in facts if risk) for facts in self.facts]

    def _lay_out(self, stacks: Stacks, postpone: bool) -> RaceTables:
        kinds, boards = len(self.copies), range(len(self.boards.packs))
        packed = packing(self.copies, len(stacks.frames), len(boards), self._decks.row.bit_length())
        mixes, left = len(self._mixes), KEY_BITS - packed.deck_shift
        self.most_days = ((1 << left) - 1) // mixes if left > 0 else 0
        cost = max(energy for facts in self.facts for energy, _, _, _ in facts)
        if self.most_days < LEAST_DAYS or kinds >= 64 or _payments(kinds, cost) > MOST_PAYMENTS:
            raise OverflowError("the cards of this race do not fit into packed keys")
        effects = [effect for b in boards for facts in self.facts for effect in facts[b][3]]
        ways = [len(facts[b][3]) for b in boards for facts in self.facts]
        number = {mix: place for place, mix in enumerate(self._mixes)}
        self.postpones = postpone and self._may_postpone()
        free = [(b,) if self.postpones else self.boards.free[b] for b in boards]
        days = [self.boards.free[b] for b in boards]
        after = [b for each in days for b in each]
        return RaceTables(
            **packed._asdict(),
            row=self._decks.row,
            mixes=mixes,
            energy=[facts[b][0] for b in boards for facts in self.facts],
            health=[facts[b][1] for b in boards for facts in self.facts],
            risk=[facts[b][2] for b in boards for facts in self.facts],
            effect=starts(ways),
            effect_board=[effect.board for effect in effects],
            effect_spaces=[effect.spaces for effect in effects],
            effect_draws=[effect.draws for effect in effects],
            automatic=[self.boards.automatic(b) for b in boards],
            free=starts([len(each) for each in free]),
            free_board=[b for each in free for b in each],
            day=starts([len(each) for each in days]),
            day_board=after,
            day_mix=[number[self.boards.mix(b)] for b in after],
            day_draws=[self.boards.day_draws(b) for b in after],
            stack_top=stacks.top,
            stack_left=stacks.left,
            stack_rest=stacks.rest,
            stack_less=stacks.less,
            push=stacks.push,
            most_risk=stacks.most_risk,
            number=self._decks.number,
            size=self._decks.size,
            order=self._decks.order,
            drawn=self._decks.drawn,
        )

    def _most_successors(self) -> int:
        """Return a number of ways through a turn that no position exceeds."""
        tables = self.tables
        ways = [max(len(effects) for _, _, _, effects in facts) for facts in self.facts]
        ends = max(ways) * max(prod(ways[kind] for kind, _ in stack) for stack in self.stacks)
        days = max(last - first for first, last in pairwise(tables.day))
        free = max(last - first for first, last in pairwise(tables.free))
        return days + free * tables.kinds * ends * _payments(tables.kinds, max(tables.energy))

    def _may_postpone(self) -> bool:
        """Return whether free actions can wait for the turn that calls a new day.

        A board is *no worse* than what free actions make of it if it moves at least as far, costs and draws as much,
        and whatever can be placed on the lesser board can be placed on it so that it stays no worse. Then every line
        can be mirrored with its free actions left out until the next new day, at every turn at least as far on; and
        on that turn the same actions are all open, so the new day begins alike. This holds for the pairs of a board
        and its own free actions if they are closed under placing, which is looked up here, card by card. A card that
        is in play on the better board needs no look: the other line has just discarded it, so it cannot be played
        before the next new day.
        """
        boards = self.boards
        cards: dict[int, set[str]] = {}
        for card, kind in self.kind.items():
            cards.setdefault(kind, set()).add(card)
        placers = set().union(*boards.placed)
        for better in range(len(boards.packs)):
            there = placers - set(boards.placed[better])
            playable = [self.facts[kind] for kind, names in cards.items() if not names <= there]
            for worse in boards.free[better]:
                if boards.automatic(better) < boards.automatic(worse):
                    return False
                for facts in playable:
                    fine, poor = facts[better], facts[worse]
                    if fine[:3] != poor[:3]:
                        return False
                    for less in poor[3]:
                        if not any(
                            more.spaces >= less.spaces
                            and more.draws == less.draws
                            and less.board in boards.free[more.board]
                            for more in fine[3]
                        ):
                            return False
        return True

    # Decks

    def ensure(self, days: int) -> bool:
        """Lay out the decks of the first ``days`` new days; return false where keys have no room for them (R74)."""
        if days > self.most_days:
            return False
        self._decks.ensure(days)
        return True

    def look_ahead(self, turns: int) -> list[int]:
        """Return the bound of up to so many turns or more, at ``turns * rows + outlook``."""
        self.bound.ensure(turns)
        return self.bound.most

    def sharpened(self) -> SharpForm | None:
        """Return what a compiled search looks up in place of that bound, or nothing where there is nothing better."""
        return None if self.ahead is None or not self.ensure(race_ahead.DAYS) else SharpForm(self, self.ahead)

    def day(self, key: int) -> int:
        """Return how many new days lie behind a key."""
        return self._decks.number[key >> self.tables.deck_shift]

    def _suffix(self, key: int) -> tuple[int, tuple[int, ...]]:
        """Return what is left of today's deck, with the day: decks alike from here on are equal."""
        tables = self.tables
        deck, taken = key >> tables.deck_shift, key >> tables.taken_shift & tables.taken_mask
        name = (deck, taken)
        suffix = self._suffixes.get(name)
        if suffix is None:
            suffix = self._suffixes[name] = (self.day(key), self._decks.rest(deck, taken))
        return suffix

    # Keys

    def project(self, table: Table) -> Place:
        """Return the position of a table of this race.

        Raises:
            LookupError: it is no table of this race.
        """
        player, tables = table.players[self._seat], self.tables
        hand = sum(tables.unit[self.kind[card]] for card in player.hand)
        frames = () if table.over else tuple((self.kind[f.card], f.need - f.paid) for f in player.stack)
        dead = Counter(table.destroyed)
        dead.subtract(self._dead)
        board = self.boards.numbers[Pack(player.dogs, tuple(sorted(dead.elements())))]
        day = self._decks.shuffles(table)
        self.ensure(day)
        decks = range(1 + (day - 1) * tables.mixes, 1 + day * tables.mixes) if day else range(1)
        found = self._decks.find(decks, player.deck)
        if found is None:
            raise LookupError("a deck that this race does not have")
        deck, taken = found
        key = deck << tables.deck_shift | taken << tables.taken_shift | board << tables.board_shift
        return Place(key | self.stacks[frames] << tables.stack_shift | hand, player.pos)

    def shape(self, place: tuple[int, int]) -> tuple[Any, ...]:
        """Return what makes a position: equal shapes have equal turns."""
        low = (1 << self.tables.taken_shift) - 1
        return (self._suffix(place[0]), place[0] & low, place[1])

    def successors(self, place: tuple[int, int]) -> Iterator[Place]:
        """Yield the position after every way through the next turn; equal positions may come several times.

        Raises:
            OverflowError: keys have no room for so many days.
        """
        if self.is_over(place):
            return
        if not self.ensure(self.day(place[0]) + 1):
            raise OverflowError("more days than keys have room for")
        keys, gains = self._keys, self._gains
        ends = successors(place[0], self.tables, keys, gains, self._work)
        yield from [Place(keys[n], place[1] + gains[n]) for n in range(ends)]

    def some_successors(self, place: tuple[int, int]) -> Iterator[Place]:
        """Yield all successors: they cost little."""
        return self.successors(place)

    def progress(self, place: tuple[int, int]) -> int:
        """Return the position on the track, in spaces."""
        return place[1]

    def rounds(self, place: tuple[int, int]) -> int:
        """Return the new days called."""
        return self.day(place[0])

    def promise(self, place: tuple[int, int]) -> int:
        """Return a guess of how good a position is, for beams: the place on the track counts double, then the hand."""
        hand, tables = place[0] & self.tables.hand_mask, self.tables
        held = sum(hand >> tables.shift[kind] & tables.mask[kind] for kind in range(tables.kinds))
        return 2 * place[1] + held

    def is_over(self, place: tuple[int, int]) -> bool:
        """Return whether the race has ended."""
        return place[1] >= self._rulings.finish_at

    def promising(self, place: tuple[int, int], turns: int, target: int) -> bool:
        """Return false where no line of at most ``turns`` more turns reaches ``target``, by an admissible bound."""
        if place[1] >= target or turns <= 0:
            return place[1] >= target
        self.bound.ensure(turns)
        at = turns * self.bound.rows + race_bound.free_outlook(place[0], self.tables, self.bound.tables)
        return place[1] + self.bound.most[at] >= target

    def lacking(self, place: tuple[int, int], turns: int, target: int) -> int:
        """Return 0 where ``promising``, else 1: how far a bound was missed is not known."""
        return int(not self.promising(place, turns, target))

    def way(self, table: Table, shapes: Container[Any]) -> None:  # all ways of a turn are quickly gone through
        """Return nothing."""

    def wanted(self, table: Table, shapes: Container[Any]) -> None:  # not looked for
        """Return nothing."""

    def most_turns(self, place: tuple[int, int]) -> int | None:  # days can go on for ever
        """Return nothing."""
        return None

    def forget(self) -> None:
        """Remember nothing between layers but the tables."""


class SharpForm:
    """The bound of ``race.ahead`` for one race: tables that take compiled code to fill."""

    bound_name = "free race with known decks"

    kernel: Mapping[str, Callable[..., Any]] = {
        **RaceForm.kernel,
        **{each.__name__: each for each in race_ahead.KERNEL},
    }

    def __init__(self, form: RaceForm, ahead: race_ahead.Ahead) -> None:
        self._form = form
        self.outlooks = ahead
        self.rows = ahead.rows
        self.counts = len(form.tables.size) * form.tables.row * race_ahead.CASES
        """Numbers that ``prepare`` fills."""

    def prepare(self, functions: Mapping[str, Any], tables: Any, outlooks: Any, counts: Any, work: Any) -> None:
        """Fill ``counts`` by the functions of ``kernel`` as they were compiled."""
        for deck in range(1 + (race_ahead.DAYS - 1) * self._form.tables.mixes):
            functions["landings"](deck, tables, outlooks, counts, work)

    def fill(
        self, functions: Mapping[str, Any], turns: int, tables: Any, outlooks: Any, counts: Any, most: Any, work: Any
    ) -> None:
        """Fill the entries of ``turns`` turns."""
        free = self._form.look_ahead(turns)
        size = self._form.rows
        last = (turns + 1) * self.rows
        for place in range(size):
            most[last - size + place] = free[turns * size + place]
        if turns:
            functions["fill"](turns, tables, outlooks, counts, most, work)


def _payments(kinds: int, cost: int) -> int:
    """Return how many ways there are at most to pay up to ``cost`` cards."""
    return comb(kinds + cost, cost)
