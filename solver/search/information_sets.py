"""Exact values for a player alone from whom something lies face down: all choices are made on what was seen.

A *belief* is the tables that agree with all that the player has seen, with their chances. A turn is played from each
of them by the rules. Paths through it stay together while the same choices were made and the same was told.
What is told of a turn is what its player sees, and so is the player's view of the table after it. So nobody ever
decides on a card that lies face down, and nothing that was seen is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.race import ImperfectInformation, Unsupported
from rules.core.scripts import Answered, Asking, Barred, Question, every_way
from rules.core.steps import ChanceOutcome, Event, Forced, Step
from rules.core.turns import State, TurnEnd
from solver.search.budget import BudgetExceeded, Counters
from solver.search.expectimax import LOOK, ONE, OPEN, WAY_S, ZERO, Allowed, Expectimax, Value
from solver.search.first_turn import Branch, FirstTurn
from solver.search.problem import does_forbidden

Belief = frozenset[tuple[Any, Fraction]]
"""Tables that a player cannot tell apart, with chances that add to 1."""
Seen = tuple[str, ...]
"""What was told of a turn up to some moment."""


class EventScript(Allowed):
    """Explores the turns that a goal allows, and hears what is told before each question."""

    __slots__ = ("heard",)

    merges_orders = False  # cards come one after the other, and the player may decide in between

    def __init__(self, steps: Answered, queue: list[Answered], forbidden: frozenset[str], begun: int) -> None:
        super().__init__(steps, queue, forbidden, begun)
        self.log: list[Event] = []
        self.heard: list[int] = []
        """Number of events told before each step."""

    def _answer(self, actor: int, options: Callable[[], Sequence[Step]], always: bool) -> Any:
        self.heard.append(len(self.log))
        return super()._answer(actor, options, always)


@dataclass(slots=True)
class TurnPath:
    """One path through a turn from one table of a belief."""

    world: int
    """Which of the tables it begins on."""
    weight: Fraction
    """Chance of the table and of what chance brings."""
    steps: Sequence[Step | Forced]
    choices: Sequence[int]
    """Places of the steps that were chosen, those taken before the question left out."""
    heard: Sequence[int]
    log: Sequence[Event]
    table: Any
    """The table after it; none where the goal forbids all that is open."""
    lost: bool
    _words: Seen | None = None

    def seen(self, place: int | None = None) -> Seen:
        """Return what was told before a step, or in all."""
        if place is not None and not self.heard[place]:
            return ()
        if self._words is None:
            self._words = tuple(f"{event.rule} {event.kind} {dict(event.data)}" for event in self.log)
        return self._words if place is None else self._words[: self.heard[place]]

    def chosen(self, number: int) -> int | None:
        """Return the place of a choice, if there are so many."""
        return self.choices[number] if number < len(self.choices) else None


@dataclass(slots=True)
class InformationSets(Expectimax):
    """Values of one goal in one game that hides something from its only player."""

    secrets: ImperfectInformation[Any] | None = None
    _beliefs: dict[tuple[Belief, int], Value] = field(default_factory=dict)

    def believed(self, start: State[Any]) -> Belief:
        """Return the tables that may lie there, as far as the player knows.

        Where a choice is open, what was told before it is seen as well.

        Raises:
            Unsupported: the game does not tell what may lie there.
        """
        assert self.secrets is not None
        seat = self.goal.seat
        worlds = dict(self.secrets.support(start.table, seat))
        if not worlds:
            raise Unsupported
        if len(worlds) > 1 and (start.pending or len(self.game.legal_moves(start)) > 1):
            asked = self._open_at(start.table, start.pending)
            worlds = {table: deals for table, deals in worlds.items() if self._open_at(table, start.pending) == asked}
        total = sum(worlds.values())
        return frozenset((table, Fraction(deals, total)) for table, deals in worlds.items())

    def _open_at(self, table: Any, begun: Sequence[Step | Forced]) -> Hashable:
        """Return what has been told when the next question comes, and what may be answered."""
        script = Asking(begun)
        script.log = []
        options: tuple[str, ...] = ()
        try:
            self.game.play_turn(table, script)
        except Question as question:
            options = tuple(option.text for option in question.options)
        return options, tuple(f"{event.rule} {event.kind} {dict(event.data)}" for event in script.log)

    def of_belief(self, belief: Belief, turns: int) -> Value:
        """Return the best expected value from the start of a turn with so many turns left.

        Raises:
            BudgetExceeded: the time, the memory or the work allowed is used up.
            Unsupported: some tables of the belief are settled and others are not.
        """
        settled = [(self._settled(table, turns), chance) for table, chance in belief]
        if any(value is not OPEN for value, _ in settled):
            if any(value is OPEN for value, _ in settled):
                raise Unsupported
            return _sum(None if value is None else value * chance for value, chance in settled)  # type: ignore[operator]
        key = (belief, turns)
        if key not in self._beliefs:
            self._beliefs[key] = self._of_turn(belief, turns)
            self.counters.states += 1
        return self._beliefs[key]

    def _of_turn(self, belief: Belief, turns: int) -> Value:
        """Return the value of a turn that is not settled."""
        goal = self.goal
        if goal.objective is not Objective.MAX_DISTANCE:
            least = (self.game.least_turns(table, goal.seat, goal.target, goal.forbidden) for table, _ in belief)
            if all(needed > turns for needed in least):
                self.counters.pruned += 1
                if goal.objective is Objective.REACH:
                    return ZERO
                return Fraction(turns) if self.optimistic else None
        return self.of_paths(self.paths(belief, turns), turns)

    def paths(self, belief: Belief, turns: int, begun: tuple[Step | Forced, ...] = ()) -> list[TurnPath]:
        """Return every path through the next turn from each table of a belief, this turn counted.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
        """
        found: list[TurnPath] = []
        self.counters.expanded += 1
        lost = does_forbidden(begun, self.goal.forbidden)
        listening = partial(EventScript, forbidden=self.goal.forbidden, begun=len(begun))
        for world, (table, chance) in enumerate(belief):
            for script in every_way(listening, begun):
                self._count()
                try:
                    after = self.game.play_turn(table, script)
                except Barred:
                    after, allowed = None, False
                else:
                    allowed = not lost and self.game.allows(table, TurnEnd(tuple(script.steps), after))
                weight, choices = chance, []
                for place in range(len(begun), len(script.steps)):
                    step = script.steps[place]
                    if isinstance(step, ChanceOutcome):
                        weight *= step.probability
                    elif not isinstance(step, Forced):
                        choices.append(place)
                found.append(
                    TurnPath(world, weight, script.steps, choices, script.heard, script.log, after, not allowed)
                )
        return found

    def _count(self) -> None:
        counters = self.counters
        counters.generated += 1
        if counters.generated % LOOK == 0:
            self.budget.spend(LOOK * WAY_S)
            self.budget.check(len(self._beliefs))
        if self.most is not None and counters.generated > self.most:
            raise BudgetExceeded

    def of_paths(self, paths: Sequence[TurnPath], turns: int, number: int = 0) -> Value:
        """Return what paths are worth on which the first ``number`` choices were the same, times their chance."""
        return _sum(
            self.after(group, turns)
            if seen is None
            else self.best(self.of_paths(each, turns, number + 1) for each in self.by_choice(group, number).values())
            for seen, group in by_events(paths, number).items()
        )

    def best(self, values: Iterable[Value]) -> Value:
        """Return the best of what choices are worth, nothing where none is possible."""
        possible = [value for value in values if value is not None]
        if not possible:
            return None
        return min(possible) if self.goal.objective is Objective.MIN_TURNS else max(possible)

    def by_choice(self, paths: Sequence[TurnPath], number: int) -> dict[Step, list[TurnPath]]:
        """Return paths that look alike up to a choice by what is chosen.

        Raises:
            Unsupported: what is open hangs on what was not told.
        """
        groups: dict[Step, list[TurnPath]] = {}
        before: dict[Step, set[Hashable]] = {}
        for path in paths:
            place = path.choices[number]
            step = path.steps[place]
            assert not isinstance(step, Forced)
            groups.setdefault(step, []).append(path)
            before.setdefault(step, set()).add((path.world, tuple(path.steps[:place])))
        if len(set(map(frozenset, before.values()))) > 1:
            raise Unsupported
        return groups

    def after(self, paths: Sequence[TurnPath], turns: int) -> Value:
        """Return what ends of a turn are worth, times their chance."""
        return _sum(self._of_end(group, turns) for group in self.by_view(paths))

    def _of_end(self, paths: Sequence[TurnPath], turns: int) -> Value:
        """Return what ends of a turn that look alike are worth, times their chance."""
        chance = sum((path.weight for path in paths), ZERO)
        if any(path.lost for path in paths):
            return ZERO if self.goal.objective is Objective.REACH else None
        value = self.of_belief(belief_of(paths, chance), turns - 1)
        if value is None:
            return None
        return chance * (value + ONE if self.goal.objective is Objective.MIN_TURNS else value)

    def by_view(self, paths: Sequence[TurnPath]) -> list[list[TurnPath]]:
        """Return ends of a turn in groups that the player cannot tell apart."""
        assert self.secrets is not None
        if len(paths) == 1:
            return [list(paths)]
        views: dict[Hashable, list[TurnPath]] = {}
        for path in paths:
            view = None if path.table is None else self.secrets.information_state(path.table, self.goal.seat)
            views.setdefault((path.lost, view), []).append(path)
        found: list[list[TurnPath]] = []
        for group in views.values():
            if len({path.table for path in group}) == 1:
                found.append(group)
                continue
            told: dict[Seen, list[TurnPath]] = {}
            for path in group:
                told.setdefault(path.seen(), []).append(path)
            found += told.values()
        return found


def by_events(paths: Sequence[TurnPath], number: int) -> dict[Seen | None, list[TurnPath]]:
    """Return paths by what was told before a choice; under nothing those without such a choice."""
    groups: dict[Seen | None, list[TurnPath]] = {}
    for path in paths:
        place = path.chosen(number)
        groups.setdefault(None if place is None else path.seen(place), []).append(path)
    return groups


def belief_of(paths: Sequence[TurnPath], chance: Fraction) -> Belief:
    """Return the tables that paths which look alike end on, of which the chances add to ``chance``."""
    weights: dict[Any, Fraction] = {}
    for path in paths:
        weights[path.table] = weights.get(path.table, ZERO) + path.weight / chance
    return frozenset(weights.items())


def _sum(values: Iterable[Value]) -> Value:
    total = ZERO
    for value in values:
        if value is None:
            return None
        total += value
    return total


ENGINE: Final = "information-set expectimax"


class InformationStart(FirstTurn):
    """The first turn of a player alone from whom something lies face down."""

    engine = ENGINE

    def __init__(self, search: InformationSets, start: State[Any]) -> None:
        self._search = search
        self._start = start
        self._paths: dict[int, list[TurnPath]] = {}
        """All paths through the first turn, by the turns to go; empty where it is settled already,"""
        self._moves: dict[int, list[tuple[Step, Value]]] = {}
        """and what every open move is worth."""

    @property
    def counters(self) -> Counters:
        """Return what the search has done so far."""
        return self._search.counters

    def value(self, turns: int) -> Value:
        """Return the value of the position; what was known of the first turn for other turns to go is forgotten."""
        self._paths.clear()
        self._moves.clear()
        return self._value(turns)

    def _value(self, turns: int) -> Value:
        search, start = self._search, self._start
        belief = search.believed(start)
        if not start.pending and (turns <= 0 or all(search.settled(table, turns) for table, _ in belief)):
            return search.of_belief(belief, turns)
        paths = search.paths(belief, turns, start.pending)
        open_now = search.game.legal_moves(start)
        if len(open_now) > 1:
            moves = [(step, search.of_paths(group, turns, 1)) for step, group in search.by_choice(paths, 0).items()]
            value = search.best(worth for _, worth in moves)
        else:  # play only goes on, and what is told after that is not known yet
            value = search.of_paths(paths, turns)
            moves = [(step, value) for step in open_now]
        self._paths[turns], self._moves[turns] = paths, moves
        return value

    def moves(self, turns: int) -> list[tuple[Step, Value]]:
        """Return every open move with its value."""
        if turns not in self._moves:
            self._value(turns)
        return self._moves.get(turns, [])

    def later(self, start: State[Any], moves: Sequence[Step]) -> FirstTurn:
        """Return the same search at a later position."""
        return InformationStart(self._search, start)

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the move with the moves of the turn that its value comes from."""
        branches: list[Branch] = []
        search, least = self._search, self._search.goal.objective is Objective.MIN_TURNS

        def follow(
            paths: Sequence[TurnPath], number: int, place: int, seen: tuple[str, ...], then: tuple[str, ...]
        ) -> None:
            for told, group in by_events(paths, number).items():
                if told is None:
                    for alike in search.by_view(group):
                        chance = sum((path.weight for path in alike), ZERO)
                        worth = search.after(alike, turns)
                        value = None if worth is None else worth / chance
                        branches.append(Branch((*seen, *_shown(alike, place, None)), then, chance, value))
                    continue
                shown = (*seen, *_shown(group, place, number))
                valued = [
                    (search.of_paths(each, turns, number + 1), step, each)
                    for step, each in search.by_choice(group, number).items()
                ]
                possible = [each for each in valued if each[0] is not None] or valued
                chosen = min(possible, key=lambda each: ((each[0] or 0) * (1 if least else -1), each[1].text))
                follow(chosen[2], number + 1, group[0].choices[number] + 1, shown, (*then, chosen[1].text))

        begun = len(self._start.pending)
        paths = self._paths[turns] if self.moves(turns) else []
        if paths and len(search.game.legal_moves(self._start)) == 1:
            follow(paths, 0, begun, (), ())
        elif paths:
            paths = search.by_choice(paths, 0)[best]
            follow(paths, 1, paths[0].choices[0] + 1, (), (best.text,))
        return branches


def _shown(paths: Sequence[TurnPath], place: int, number: int | None) -> tuple[str, ...]:
    """Return what chance has shown from one step on until a choice, or the end: all paths have it alike."""
    results: set[tuple[str, ...]] = set()
    for path in paths:
        last = None if number is None else path.chosen(number)
        steps = path.steps[place:last]
        results.add(tuple(step.result for step in steps if isinstance(step, ChanceOutcome)))
    return results.pop() if len(results) == 1 else ()
