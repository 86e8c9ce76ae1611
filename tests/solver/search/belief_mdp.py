"""A hidden question as an explicit Markov decision process, made from the rules core's single steps alone.

States are tables in the middle of turns too, one for every set of steps taken; no merging, no pruning, no folding of
whole turns. So whatever values it shares nothing with the search but the rules.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from puzzles.puzzle import Goal, Objective, forbids
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import CHANCE, Forced
from rules.core.turns import State


@dataclass
class Mdp:
    """States by number, 0 the first; each has choices, each choice a reward and a law over the next states."""

    choices: list[list[tuple[Fraction, dict[int, Fraction]]]] = field(default_factory=list)
    """Empty for a state without any: it stays where it is."""
    done: set[int] = field(default_factory=set)
    limit: int = 60_000

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.choices)


class Builder:
    """Makes the process of one question."""

    def __init__(self, position: Position, goal: Goal) -> None:
        game, self.start = position.start()
        assert isinstance(game, Race)
        self.game: Race[Any] = game
        self.goal = goal
        self.first = game.turns(self.start.table, goal.seat)
        self.mdp = Mdp()
        self.numbers: dict[Hashable, int] = {}
        self.todo: list[tuple[int, State[Any]]] = []

    def build(self) -> Mdp:
        """Return the process."""
        self._number(self.start)
        while self.todo:
            number, state = self.todo.pop()
            if not self._settled(number, state):
                self._expand(number, state)
        return self.mdp

    def _number(self, state: State[Any]) -> int:
        steps = tuple(step for step in state.pending if not isinstance(step, Forced))
        key = (state.table, tuple(step.text for step in steps))
        if key not in self.numbers:
            self.numbers[key] = self.mdp.states
            self.todo.append((self.mdp.states, state))
            self.mdp.choices.append([])
            assert self.mdp.states <= self.mdp.limit, "the position is too large to be written out"
        return self.numbers[key]

    def _turns(self, state: State[Any]) -> int:
        return self.game.turns(state.table, self.goal.seat) - self.first

    def _settled(self, number: int, state: State[Any]) -> bool:
        if state.pending:
            return False
        goal = self.goal
        ended = self._turns(state) >= (goal.within_turns or 0) or self.game.is_over(state.table)
        if goal.objective is Objective.MAX_DISTANCE:
            if ended:
                self.mdp.done.add(number)
            return ended
        there = self.game.progress(state.table, goal.seat) >= goal.target
        if there:
            self.mdp.done.add(number)
        return there or ended

    def _expand(self, number: int, state: State[Any]) -> None:
        game, goal = self.game, self.goal
        if game.to_act(state) == CHANCE:
            law: dict[int, Fraction] = {}
            rewards = Fraction(0)
            for outcome in game.chance_outcomes(state):
                after = game.apply(state, outcome).state
                target = self._number(after)
                law[target] = law.get(target, Fraction(0)) + outcome.probability
                rewards += outcome.probability * self._reward(state, after)
            self.mdp.choices[number].append((rewards, law))
            return
        allowed = [move for move in game.legal_moves(state) if not forbids(goal.forbidden, move.text)]
        if not allowed and goal.objective is Objective.MAX_DISTANCE:
            self.mdp.done.add(number)  # the distance stands
        for move in allowed:
            after = game.apply(state, move).state
            self.mdp.choices[number].append((self._reward(state, after), {self._number(after): Fraction(1)}))

    def _reward(self, before: State[Any], after: State[Any]) -> Fraction:
        """Return what a step brings: a turn, or the progress of a turn that it ends."""
        if after.pending:
            return Fraction(0)
        if self.goal.objective is Objective.MIN_TURNS:
            return Fraction(1)
        seat = self.goal.seat
        return Fraction(self.game.progress(after.table, seat) - self.game.progress(before.table, seat))


def backward(mdp: Mdp, objective: Objective) -> Fraction | None:
    """Return the best value of state 0 by plain backward induction; none where success is not certain."""
    values: dict[int, Fraction | None] = {}
    order = _deepest_first(mdp)
    best = min if objective is Objective.MIN_TURNS else max
    for number in order:
        if number in mdp.done:
            values[number] = Fraction(1) if objective is Objective.REACH else Fraction(0)
            continue
        found: list[Fraction] = []
        for reward, law in mdp.choices[number]:
            parts = [(chance, values[target]) for target, chance in law.items()]
            known = [(chance, value) for chance, value in parts if value is not None]
            if len(known) == len(parts):
                mean = sum((chance * value for chance, value in known), Fraction(0))
                found.append(mean if objective is Objective.REACH else reward + mean)
        values[number] = best(found) if found else (Fraction(0) if objective is Objective.REACH else None)
    return values[0]


def _deepest_first(mdp: Mdp) -> list[int]:
    order: list[int] = []
    seen: set[int] = set()
    stack: list[tuple[int, bool]] = [(0, False)]
    while stack:
        number, ready = stack.pop()
        if ready:
            order.append(number)
        elif number not in seen:
            seen.add(number)
            stack.append((number, True))
            stack += [(target, False) for _, law in mdp.choices[number] for target in law if target not in seen]
    return order
