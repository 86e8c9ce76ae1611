"""Layers of boards, decks and sets of hands over many days, cut by a bound: the form for whole races.

It carries races that the game takes apart (``rules.core.laps``): places are alike, and what is neither on the board nor
in hand nor in the deck is shuffled next. A position is a board, a deck and a set of hands (``hands``), and of several
with these three alike the one furthest on stands for all: what they can still bring is the same. The rules are asked
once for each board, deck, card and size of the hand, about a real table, what a turn does after its free actions; of
ways to pay for a card the first is played, and the set of hands tells the others. A position is kept only while the
*ceiling* of the game leaves the target within reach: its optimum is worked out here, turn by turn.

What is relied on is argued where the game defines it, and watched; what is amiss refuses the evidence (``Astray``):

- *the ceiling*: ``gain + most(after) <= most(before)`` must hold on every edge, also where it leads to a position
  that is cut, and for any number of turns left on every way through the turns below;
- *the parts*: tables of the line claimed and of random ones are taken apart and put together elsewhere on the track,
  and every way through a turn must do the same there;
- *the sets of hands, and that turns are asked once*: from some positions of every layer a hand is taken at random;
  every way through the next turn, each payment and free action included, must lead into the next layer or be cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, Generic, TypeVar

from puzzles.goal import Goal
from rules.core.chance import SplitMix64
from rules.core.laps import Parted
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State, TurnEnd
from solver.checker.bounded import NAME, NEVER, Position, Reached
from solver.checker.closed import Budget
from solver.checker.evidence import Astray
from solver.checker.hands import contains, member
from solver.checker.lap_turns import LapTurns, optima

T = TypeVar("T")

SAMPLES: Final = 8
"""Positions of each layer whose turns are all played,"""
WALKS: Final = 6
"""random lines from the start."""
_HANDS: Final = 32
"""Bits that number a set of hands."""
_LOW: Final = (1 << _HANDS) - 1

Layer = dict[int, int]
"""Progress by node and set of hands, their numbers in one."""


class Laps(Generic[T]):
    """The layers of one question that excludes a target within so many turns."""

    form = "laps"
    """Name of this form of evidence."""

    def __init__(
        self,
        game: Race[T],
        start: State[T],
        goal: Goal,
        turns: int,
        budget: Budget,
        line: Sequence[T] = (),
        *,
        cuts: bool = True,
    ) -> None:
        """``turns`` are those within which the target is to be excluded; ``cuts=False`` does without the bound.

        ``line`` has the tables of a line to the target, where one is known, to hold the bound and the parts against.

        Raises:
            Unfit: the game does not take this race apart, or knows no bound of it.
        """
        self._game = game
        self._start = start
        self._goal = goal
        self._turns = turns
        self._budget = budget
        self._asked = LapTurns(game, start, goal, budget)
        self.bound_name = self._asked.ceiling.name if cuts else ""
        self._most = optima(self._asked.ceiling.moves(), turns, cuts=cuts)
        self._line = line
        self._layer: Layer = {}

    def __enter__(self) -> Laps[T]:
        """Hold parts and bound against real tables."""
        self._compare_places()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind: everything is in memory."""

    def layers(self) -> Iterator[tuple[int, Iterator[Position]]]:
        """Yield each own turn with the positions kept at its end, ascending by name.

        Raises:
            Reached: a line gets to the target.
            Astray: the bound or the form does not hold what it promises.
            TooLarge: the limit was hit.
            Unfit: chance or somebody else decides something.
        """
        parted = self._asked.probe.part(self._start.table)
        start = self._asked.node(parted) << _HANDS | self._asked.one_hand(parted.hand)
        layer = {start: parted.progress} if self._within(parted, self._turns) else {}
        for turn in range(1, self._turns + 1):
            self._layer = self._advance(layer, turn)
            self._lockstep(layer, turn)
            layer = self._layer
            yield turn, iter(self._listed(layer, self._turns - turn))

    def reaches(self, table: T) -> bool:
        """Return whether the layer yielded last holds the position of a table, as far on or further."""
        return self._holds(self._by_node(), self._asked.probe.part(table))

    def furthest(self) -> int | None:
        """Return the greatest progress in the layer yielded last, or nothing if it is empty."""
        return max(self._layer.values(), default=None)

    def allowed(self, table: T, turns: int) -> int:
        """Return how much more progress the bound allows a table in so many turns."""
        return self._most[turns][self._asked.marked(self._asked.probe.part(table))]

    # One layer

    def _advance(self, layer: Layer, turn: int) -> Layer:
        asked, target, left = self._asked, self._goal.target, self._turns - turn
        now = self._most[left]
        after: Layer = {}
        for node, hands, progress, most in self._begun(layer, turn):
            for card, rest, others in asked.plays(hands):
                for way in asked.ways(node, card, others):
                    there = progress + way.gain
                    if there >= target:
                        raise Reached(turn, there)
                    held = asked.held(rest, way)
                    coming = now[asked.mark(way.node, held)]
                    if way.gain + coming > most:
                        raise Astray(f"turn {turn}: the bound allows {most} more, but {way.gain} and {coming} come")
                    if there + coming < target:
                        continue
                    found = way.node << _HANDS | held
                    known = after.get(found)
                    if known is None:
                        self._budget.keep()
                        after[found] = there
                    elif known < there:
                        after[found] = there
        return after

    def _begun(self, layer: Layer, turn: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield each position of a layer after every choice of free actions, with what the bound allows it."""
        asked, most, target = self._asked, self._most[self._turns - turn + 1], self._goal.target
        for key, progress in layer.items():
            node, hands = key >> _HANDS, key & _LOW
            first = most[asked.mark(node, hands)]
            for acted in asked.free(node):
                coming = most[asked.mark(acted, hands)]
                if coming > first:
                    raise Astray(f"turn {turn}: the bound rises from {first} to {coming} by free actions")
                if progress + coming >= target:
                    yield acted, hands, progress, coming

    def _within(self, parted: Parted[T], left: int) -> bool:
        return parted.progress + self._most[left][self._asked.marked(parted)] >= self._goal.target

    def _listed(self, layer: Layer, left: int) -> list[Position]:
        asked, target, listed = self._asked, self._goal.target, []
        for key, progress in layer.items():
            mark = asked.mark(key >> _HANDS, key & _LOW)
            least = left
            while least and progress + self._most[least - 1][mark] >= target:
                least -= 1
            name = asked.node_names[key >> _HANDS] + asked.set_names[key & _LOW] + progress.to_bytes(4, "big")
            listed.append(Position(sha256(name).digest()[:NAME], min(least, NEVER)))
        return sorted(listed)

    # What is watched

    def _compare_places(self) -> None:
        """See that every turn of some tables does the same once these have been taken apart and put together."""
        probe = self._asked.probe
        for table in self._some_tables():
            parted = probe.part(table)
            again = probe.whole(parted.board, parted.hand, parted.deck, self._asked.base)
            if self._done(table, parted.progress) != self._done(again, parted.progress):
                raise Astray("a turn does something else once its table has been taken apart")

    def _some_tables(self) -> Iterator[T]:
        """Yield the tables of the known line, then those of lines at random, as long as the game goes on."""
        yield from (table for table in self._line if not self._game.is_over(table))
        for seed in range(WALKS):
            generator, table = SplitMix64(seed), self._start.table
            for _ in range(self._turns):
                if self._game.is_over(table):
                    break
                yield table
                table = self._game.sample_turn(table, generator).table

    def _done(self, table: T, there: int) -> set[tuple[tuple[Step, ...], Parted[T]]]:
        """Return what every way through the next turn does, but those that would get to the target from ``there``."""
        before, done = self._game.progress(table, self._goal.seat), set()
        for end, parted in self._ends(table):
            gain = parted.progress - before
            if there + gain < self._goal.target:
                moves = tuple(getattr(step, "step", step) for step in end.steps)
                done.add((moves, parted._replace(progress=gain)))
        return done

    def _ends(self, table: T) -> list[tuple[TurnEnd[T], Parted[T]]]:
        """Return every way through a turn; the bound has to keep its promise on each, however many turns are left."""
        asked, ends = self._asked, self._asked.tables.ends(table)
        parts = [asked.probe.part(end.table) for end in ends]
        start = asked.probe.part(table)
        before = asked.marked(start)
        for gain, now in {(parted.progress - start.progress, asked.marked(parted)) for parted in parts}:
            for left in range(self._turns):
                allowed = self._most[left + 1][before]
                if gain + self._most[left][now] > allowed:
                    raise Astray(f"the bound allows {allowed} more, but a turn brings {gain} and more is to come")
        return list(zip(ends, parts, strict=True))

    def _lockstep(self, layer: Layer, turn: int) -> None:
        """Play every turn of some hands of a layer by the rules, and see that all lead on or are cut."""
        asked, left, generator = self._asked, self._turns - turn, SplitMix64(turn)
        keys = sorted(layer)
        chosen = {keys[generator.below(len(keys))]: None for _ in range(SAMPLES)} if keys else {}
        index = self._by_node()
        for key in chosen:
            board, deck = asked.nodes[key >> _HANDS]
            hand = member(asked.sets[key & _LOW], generator)
            table = asked.probe.whole(board, hand, deck, layer[key])
            for _, parted in self._ends(table):
                if parted.progress >= self._goal.target:
                    raise Reached(turn, parted.progress)
                if self._within(parted, left) and not self._holds(index, parted):
                    raise Astray(f"turn {turn}: a turn of the game leads to a position that is not among those reached")

    def _by_node(self) -> dict[int, list[tuple[int, int]]]:
        """Return the sets of hands of the last layer with their progress, by node."""
        index: dict[int, list[tuple[int, int]]] = {}
        for key, progress in self._layer.items():
            index.setdefault(key >> _HANDS, []).append((key & _LOW, progress))
        return index

    def _holds(self, index: dict[int, list[tuple[int, int]]], parted: Parted[T]) -> bool:
        near = index.get(self._asked.node(parted), ())
        sets = self._asked.sets
        return any(progress >= parted.progress and contains(sets[hands], parted.hand) for hands, progress in near)
