"""Exact values where chance is hidden: the best choice for whoever knows no more than the table shows.

A table is a belief: a hidden deck is kept as what is known of it, and every order that agrees is equally likely. So
nothing is ever decided on cards that nobody has seen. Values are exact fractions; equal tables with equally many turns
left are looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeVar

from puzzles.puzzle import Goal, Objective, allowed_steps, does_forbidden
from rules.core.race import Race, Unsupported, hides
from rules.core.scripts import Barred, ChanceOutcome, Exploring, Forced, Step, every_way
from rules.core.turns import State, TurnEnd
from solver.search.budget import Budget, BudgetExceeded, Counters

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
LOOK: Final = 64
"""Ways through turns between two looks at the clock."""
WAY_S: Final = 0.0002
"""About the seconds of a way through a turn."""
ROWS: Final = 200
"""Rows of an encoding that take about as long as one way through a turn by the rules."""
ROW_S: Final = 0.000_001
"""About the seconds of a row."""
PLANNED: Final = 3_000
"""Ways through the first turn that a plan looks at; where there are more it says only how the turn begins."""
MANY: Final = 12
"""Results of chance that a plan tells apart although nothing is decided by them, at most."""

Value = Fraction | None
"""What something is worth; none where it must not happen at all."""
WeighedEnd = tuple[Sequence[Step | Forced], int, Value]
"""Steps of one way through a turn, the orders it stands for, and what its end is worth."""
End = TypeVar("End", bound=tuple[Any, ...])
Best = Callable[[Iterable[Fraction]], Fraction]
"""``max`` or ``min``."""
Texts = tuple[str, ...]


class Allowed(Exploring):
    """Explores the turns that a goal allows; ``Barred`` where it forbids every open move."""

    __slots__ = ("_forbidden", "_only")

    def __init__(self, *run: Any, forbidden: frozenset[str], only: int | None = None, **more: Any) -> None:
        super().__init__(*run, **more)
        self._forbidden, self._only = forbidden, only

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        if actor >= 0 and self._only not in (None, actor):
            raise Unsupported
        if actor >= 0 and self._forbidden:
            answers = allowed_steps(answers, self._forbidden)
        return super()._fresh(actor, answers)


@dataclass(slots=True, weakref_slot=True)
class Expectimax:
    """Values of one goal in one game; the counters add up over all questions.

    With ``optimistic`` a table short of the target at the horizon of ``min_turns`` counts as arrived: values are lower
    bounds. Otherwise it counts as lost: they are values of real policies.
    """

    game: Race[Any]
    goal: Goal
    budget: Budget
    optimistic: bool = False
    most: int | None = None
    """Ways through turns to look at before giving up; any number when none is given."""
    only: int | None = None
    """The seat that has to be the only one to decide anything; whoever does when none is given."""
    values: Any = None
    """Exact values of tables and moves by an encoding, where there is one (``HiddenValues``)."""
    rows: int = 0
    """Rows of the encoding looked at, as far as they are paid for."""
    counters: Counters = field(default_factory=Counters)
    _known: dict[tuple[Hashable, int], Value] = field(default_factory=dict)

    def value(self, table: Any, turns: int) -> Value:
        """Return the best expected value from the start of a turn with so many turns left.

        Raises:
            BudgetExceeded: the time or the memory allowed is used up.
            Unsupported: another seat than ``only`` has to decide something.
        """
        if (settled := self.settled(table, turns)) is not None:
            return settled[0]
        key = (table, turns)
        if key not in self._known:
            if self.values:
                try:
                    self._known[key] = self.values.value(table, turns)
                except OverflowError:  # from here on the rules play
                    self.values = None
            if not self.values:
                self._known[key] = self.turn(self.ends(table, turns))
            self.counters.states += 1
        return self._known[key]

    def pause(self) -> None:
        """Look at the limits while the encoding is at work.

        Raises:
            BudgetExceeded: one of them is used up.
        """
        count = int(self.values.search.count)
        self.budget.spend((count - self.rows) * ROW_S)
        self.rows = count
        self.budget.check()
        if self.most is not None and count > ROWS * self.most:
            raise BudgetExceeded

    def turn(self, ends: Sequence[WeighedEnd], depth: int = 0) -> Value:
        """Return the value of a turn from its ends, the first ``depth`` steps taken for granted."""
        return fold(ends, min if self.goal.objective is Objective.MIN_TURNS else max, depth)

    def ends(self, table: Any, turns: int, begun: tuple[Step | Forced, ...] = ()) -> list[WeighedEnd]:
        """Return every way through the next turn with its value, this turn counted.

        A turn that has begun with what the goal forbids is lost, however it goes on.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
            Unsupported: something has to be decided while something lies face down.
        """
        found: list[WeighedEnd] = []
        self.counters.expanded += 1
        cost = ONE if self.goal.objective is Objective.MIN_TURNS else ZERO
        lost = does_forbidden(begun, self.goal.forbidden)
        allowing = partial(Allowed, forbidden=self.goal.forbidden, begun=len(begun), only=self.only)
        for script in every_way(allowing, begun):
            self.counters.generated += 1
            if self.counters.generated % LOOK == 0:
                self.budget.spend(LOOK * WAY_S)
                self.budget.check(len(self._known))
            if self.most is not None and self.counters.generated > self.most:
                raise BudgetExceeded
            value = ZERO if self.goal.objective is Objective.REACH else None  # of a turn that must not be taken
            try:
                after = self.game.play_turn(table, script)
            except Barred:
                if self.goal.objective is Objective.MAX_DISTANCE and not lost:
                    value = Fraction(self.game.so_far(table, self.goal.seat))  # it stands where no move is allowed
            else:
                if not lost and self.game.allows(table, TurnEnd(tuple(script.steps), after)):
                    value = self.value(after, turns - 1)
                value = None if value is None else value + cost
            found.append((tuple(script.steps), script.orders, value))
        decisions = {tuple(each for each in steps if not isinstance(each, ChanceOutcome)) for steps, _, _ in found}
        if len(decisions) > 1 and hides(self.game, table):
            raise Unsupported
        return found

    def settled(self, table: Any, turns: int) -> tuple[Value] | None:
        """Return the value of a table, alone, where no further turn counts; nothing where one does."""
        progress = self.game.so_far(table, self.goal.seat)
        is_over = self.game.is_over(table)
        ended = turns <= 0 or is_over
        if self.goal.objective is Objective.MAX_DISTANCE:
            return (Fraction(progress),) if ended else None
        there = progress >= self.goal.target
        if self.goal.objective is Objective.REACH:
            return (Fraction(there),) if there or ended else None
        if there or (self.optimistic and ended and not is_over):
            return (ZERO,)
        return (None,) if ended else None


def fold(ends: Sequence[WeighedEnd], best: Best = max, depth: int = 0) -> Value:
    """Return the best expected value of a turn, given all ways through it with what their ends are worth.

    Choices depend on the steps before them and on nothing else. The first ``depth`` steps are taken for granted.

    Where orders of cards taken together are merged, outcomes have the weights of the one order listed, and the end
    counts all orders. That factor is linear in the chance steps and the same for all ends after a choice, so the best
    choice stays the best.
    """
    steps, orders, value = ends[0]
    if depth == len(steps):
        return None if value is None else orders * value
    groups = by_step(ends, depth)
    if not isinstance(next(iter(groups)), ChanceOutcome):
        possible = [value for group in groups.values() if (value := fold(group, best, depth + 1)) is not None]
        return best(possible) if possible else None
    mean = Fraction(0)
    for step, group in groups.items():
        if (value := fold(group, best, depth + 1)) is None:
            return None
        mean += value * step.probability if isinstance(step, ChanceOutcome) and step.ways != step.cases else value
    return mean


def by_step(ends: Sequence[End], depth: int) -> dict[Step, list[End]]:
    """Return some ends, of which the first part are their steps, by the step they take after ``depth`` others."""
    groups: dict[Step, list[End]] = {}
    for end in ends:
        taken = end[0][depth]
        groups.setdefault(taken.step if isinstance(taken, Forced) else taken, []).append(end)
    return groups


# The first turn: every open move with its value, what to do on what comes up


class Branch(NamedTuple):
    """What to do when chance brings something."""

    seen: Texts
    """Results of chance this turn, in the order in which the plan tells them apart."""
    then: Texts
    """Moves of the same turn that answer them."""
    probability: Fraction
    value: Fraction | None


def chance_of(results: Iterable[Any]) -> Fraction:
    """Return the chance of several results together."""
    return sum((each.probability for each in results), Fraction(0))


def whatever_comes(plan: Sequence[Branch]) -> Texts:
    """Return the first moves of a turn that are the same whatever chance shows."""
    steps = zip(*(branch.then for branch in plan), strict=False)
    return tuple(each[0] for each in takewhile(lambda each: len(set(each)) == 1, steps))


def followed(
    ends: list[WeighedEnd], worth: Callable[[list[WeighedEnd], int], Value], depth: int, *, least: bool = False
) -> list[Branch]:
    """Return what is done for each result of chance by whoever chooses best, after so many steps.

    ``worth`` tells what ends are worth after some steps; ``least``: the least is best. Where very much may come up,
    what comes after the last decision is not told apart.
    """
    branches: list[Branch] = []
    decided: list[int] = []
    """Of each branch how many results come before its last decision."""

    def follow(
        ends: list[WeighedEnd], depth: int, seen: Texts, done: Texts, probability: Fraction, before: int = 0
    ) -> None:
        steps, orders, value = ends[0]
        if depth == len(steps):
            branches.append(Branch(seen, done, probability * orders, value))
            decided.append(before)
            return
        groups = by_step(ends, depth)
        if isinstance(next(iter(groups)), ChanceOutcome):
            for step, group in groups.items():
                assert isinstance(step, ChanceOutcome)
                shown = (*seen, step.result) if len(groups) > 1 else seen
                follow(group, depth + 1, shown, done, probability * step.probability, before)
            return
        valued = [(worth(group, depth + 1), step, group) for step, group in groups.items()]
        possible = [each for each in valued if each[0] is not None] or valued
        best = min(possible, key=lambda each: ((each[0] or 0) * (1 if least else -1), each[1].text))
        # Nobody is asked about a step that has no alternative, and nobody can say it.
        told = done if isinstance(best[2][0][0][depth], Forced) else (*done, best[1].text)
        follow(best[2], depth + 1, seen, told, probability, before if told is done else len(seen))

    follow(ends, depth, (), (), Fraction(1))
    if len({branch.seen for branch in branches}) <= MANY:
        return branches
    alike: dict[tuple[Texts, Texts], list[Branch]] = {}
    for branch, n in zip(branches, decided, strict=True):
        alike.setdefault((branch.seen[:n], branch.then), []).append(branch)
    found = []
    for (seen, then), same in alike.items():
        probability = chance_of(same)
        worths = [each.probability * each.value for each in same if each.value is not None]
        value = sum(worths, Fraction(0)) / probability if len(worths) == len(same) else None
        found.append(Branch(seen, then, probability, value))
    return found


class FirstTurn:
    """One position with a search over what its open moves lead to.

    Where an encoding carries the question, each open move is begun with, and the encoding plays on.
    """

    def __init__(self, search: Expectimax, start: State[Any]) -> None:
        self._search, self._start = search, start
        self._ends: dict[int, list[WeighedEnd]] = {}
        """All ways through the turn for the turns to go that were asked for last."""

    @property
    def counters(self) -> Counters:
        """Return what the search has done so far."""
        search = self._search
        rows = search.values.search.count if search.values else 0
        return replace(search.counters, generated=search.counters.generated + rows)

    @property
    def engine(self) -> str:
        """Return what plays the turns."""
        return "encoded" if self._search.values else "expectimax"

    def later(self, start: State[Any]) -> FirstTurn:
        """Return the same search at a later position; what is known serves again."""
        return FirstTurn(self._search, start)

    def value(self, turns: int) -> Value:
        """Return the best expected value with so many turns to go, none where there is no way to play on."""
        if self._is_settled(turns) or self._is_encoded:
            return self._search.value(self._start.table, turns)
        return self._search.turn(self._turn_ends(turns), len(self._start.pending))

    @property
    def _is_encoded(self) -> bool:
        """Whether the encoding tells the values of the open moves: it begins with a whole turn."""
        return bool(self._search.values) and not self._start.pending

    def _is_settled(self, turns: int) -> bool:
        return not self._start.pending and (turns <= 0 or self._search.settled(self._start.table, turns) is not None)

    def _turn_ends(self, turns: int) -> list[WeighedEnd]:
        """Return all ways through the turn."""
        if turns not in self._ends:
            self._ends = {turns: self._search.ends(self._start.table, turns, self._start.pending)}
        return self._ends[turns]

    def _open(self) -> list[Step]:
        """Return the moves that are open and not forbidden."""
        return allowed_steps(self._search.game.legal_moves(self._start), self._search.goal.forbidden)

    def moves(self, turns: int) -> list[tuple[Step, Value]]:
        """Return every open move with its value; none if all is over."""
        if self._is_settled(turns):
            return []
        if self._is_encoded:
            return [(move, self.of_move(move, turns)) for move in self._open()]
        depth, groups = self._first_steps(turns)
        options = [each for each in groups.items() if not isinstance(each[0], ChanceOutcome)]
        return [(step, self._search.turn(group, depth + 1)) for step, group in options]

    def of_move(self, move: Step, turns: int) -> Value:
        """Return the value of one open move."""
        search, start = self._search, self._start
        if self._is_encoded:
            try:
                value: Value = search.values.of_move(start.table, move, turns)
            except OverflowError:  # from here on the rules play
                search.values = None
            except LookupError:  # rows do not tell the move apart
                begun = search.game.begun(start, move)
                return search.turn(search.ends(start.table, turns, begun), len(begun))
            else:
                return value
        return dict(self.moves(turns)).get(move)

    def best(self, turns: int, liked: Iterable[Step]) -> Step | None:
        """Return a best move, the first of those ``liked`` that is one; none where all is over or lost."""
        search, found = self._search, self._open()
        value = self.value(turns) if found else None
        if value is None or self._is_settled(turns):
            return None
        liked = [move for move in liked if move in found]
        if self._is_encoded:  # what the search has met first is known
            found.sort(key=lambda move: search.values.order(self._start.table, move))
            return next((move for move in (*liked, *found) if self.of_move(move, turns) == value), None)
        equal = {move for move, worth in self.moves(turns) if worth == value}
        return next((move for move in liked if move in equal), None) or min(equal, key=lambda move: move.text)

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the best move with what answers each result of chance within the turn.

        Where the encoding plays on and very much may come up, the move stands alone.
        """
        search, start = self._search, self._start
        if self._is_settled(turns):
            return []
        if not self._is_encoded:
            depth, groups = self._first_steps(turns)
            ends = groups.get(best, self._turn_ends(turns))
        else:
            begun = search.game.begun(start, best)
            depth, most = len(begun) - 1, search.most
            search.most = search.counters.generated + PLANNED
            try:
                ends = search.ends(start.table, turns, begun)
            except (BudgetExceeded, Unsupported):
                search.budget.check()
                return [Branch((), (best.text,), Fraction(1), self.of_move(best, turns))]
            finally:
                search.most = most
        return followed(ends, search.turn, depth, least=search.goal.objective is Objective.MIN_TURNS)

    def _first_steps(self, turns: int) -> tuple[int, Mapping[Step, list[WeighedEnd]]]:
        """Return after how many steps the first open question comes, and all ways by what is answered there."""
        ends = self._turn_ends(turns)
        steps, depth = ends[0][0], len(self._start.pending)
        while depth < len(steps) and isinstance(steps[depth], Forced):  # these are the same in all ways
            depth += 1
        return depth, by_step(ends, depth) if len(steps) > depth else {}
