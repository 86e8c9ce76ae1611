"""The plan of a bounded horizon: one arc a turn, and in the hand whatever the arcs take.

The model chooses a path through the turns and the cards that pay on it. It is exact: the arcs are all turns there are,
and the only thing they leave open, which cards the hand holds, is counted in the model. There is no bound in it and no
dominance. What cannot get to the aim is left out before, and nodes from which the same can still be done are one node.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ortools.sat.python import cp_model

from solver.facts import Arc, Final, HorizonFacts, Taken
from solver.model.run import Budget, Run, run, total
from solver.report import Status

Terms = list[cp_model.LinearExprT]

NOWHERE = -1
"""Progress of a node from which no line of the whole horizon goes on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the model found about one aim."""

    status: Status
    """``FEASIBLE`` with turns, ``INFEASIBLE``, or ``UNKNOWN`` where a limit was hit."""
    turns: tuple[Taken, ...] = ()
    interrupted: bool = False


class Horizon:
    """All aims over the facts of one horizon."""

    def __init__(self, facts: HorizonFacts) -> None:
        self._facts = facts
        self._out: dict[int, list[Arc]] = defaultdict(list)
        for turn in (*facts.turns, facts.free):
            for arc in turn:
                self._out[arc.source].append(arc)
        self._finals: dict[int, list[Final]] = defaultdict(list)
        for final in facts.finals:
            self._finals[final.source].append(final)
        self._furthest: dict[int, int] = {}

    def furthest(self, node: int) -> int:
        """Return the greatest progress from a node if every hand held every card; ``NOWHERE`` if none is possible."""
        known = self._furthest.get(node)
        if known is None:
            ends = [final.progress for final in self._finals.get(node, ())]
            ends.extend(self.furthest(arc.target) for arc in self._out.get(node, ()))
            known = self._furthest[node] = max(ends, default=NOWHERE)
        return known

    def aims(self) -> list[int]:
        """Return every progress that might be got to, the greatest first."""
        most = self.furthest(self._facts.root)
        return sorted({final.progress for final in self._facts.finals if final.progress <= most}, reverse=True)

    def solve(self, least: int, budget: Budget) -> Plan:
        """Return a plan that gets to ``least`` or further with its last turn, or the proof that there is none."""
        if self.furthest(self._facts.root) < least:
            return Plan(Status.INFEASIBLE)
        quotient = Quotient(self, least)
        model = PlanModel(self._facts, quotient)
        outcome = run(model.model, budget)
        turns = self._decode(model, quotient, outcome) if outcome.status is Status.FEASIBLE else ()
        return Plan(outcome.status, turns, outcome.interrupted)

    def arcs(self, node: int) -> list[Arc]:
        """Return the arcs out of a node."""
        return self._out.get(node, [])

    def finals(self, node: int) -> list[Final]:
        """Return the last turns from a node."""
        return self._finals.get(node, [])

    @property
    def root(self) -> int:
        """Return the node of the start."""
        return self._facts.root

    def _decode(self, model: PlanModel, quotient: Quotient, outcome: Run) -> tuple[Taken, ...]:
        """Follow the chosen labels along the nodes themselves."""
        turns: list[Taken] = []
        frees: list[Arc] = []
        node = self.root
        while len(turns) <= len(self._facts.turns):
            label = model.chosen(quotient.class_of(node), outcome)
            arc = quotient.arc(node, label)
            if isinstance(arc, Arc) and arc.free:
                frees.append(arc)
            else:
                turns.append(Taken((*frees, arc), model.paid(len(turns), outcome)))
                frees = []
            if isinstance(arc, Arc):
                node = arc.target
        return tuple(turns)


@dataclass(frozen=True, slots=True)
class Label:
    """What all arcs between two classes have in common."""

    target: int
    card: int
    pay: int
    gains: tuple[int, ...]
    free: bool


GOAL = 0
"""Class behind the last turn."""
DEAD = -1
"""Class of the nodes from which the aim is out of reach even with every card in the hand."""


class Quotient:
    """The nodes from which an aim might be got to, one class for all from which the same can be done.

    Two nodes are in one class when the same labels lead from them to the same classes; whatever makes them different
    tables cannot matter any more. It is computed backwards from the last turn and asks nothing of the rules.
    """

    def __init__(self, horizon: Horizon, least: int) -> None:
        self._horizon = horizon
        self._least = least
        self._classes: dict[int, int] = {}
        self._known: dict[frozenset[Label], int] = {}
        self.out: dict[int, frozenset[Label]] = {}
        """Labels out of each class."""
        self.root = self.class_of(horizon.root)

    def class_of(self, node: int) -> int:
        """Return the class of a node, or ``DEAD``."""
        known = self._classes.get(node)
        if known is None:
            known = self._classes[node] = self._class_of_labels(frozenset(self._labels(node)))
        return known

    def _labels(self, node: int) -> set[Label]:
        if self._horizon.furthest(node) < self._least:
            return set()
        labels = {self._label(final) for final in self._horizon.finals(node) if final.progress >= self._least}
        labels.update(self._label(arc) for arc in self._horizon.arcs(node) if self.class_of(arc.target) != DEAD)
        return labels

    def _label(self, arc: Arc | Final) -> Label:
        if isinstance(arc, Final):
            return Label(GOAL, arc.card, arc.pay, (), False)
        return Label(self.class_of(arc.target), arc.card, arc.pay, arc.gains, arc.free)

    def _class_of_labels(self, labels: frozenset[Label]) -> int:
        if not labels:
            return DEAD
        known = self._known.get(labels)
        if known is None:
            known = self._known[labels] = len(self._known) + 1
            self.out[known] = labels
        return known

    def arc(self, node: int, label: Label) -> Arc | Final:
        """Return an arc of a node with this label."""
        for final in self._horizon.finals(node):
            if final.progress >= self._least and self._label(final) == label:
                return final
        return next(arc for arc in self._horizon.arcs(node) if self._label(arc) == label)


class PlanModel:
    """The variables and constraints of one aim."""

    def __init__(self, facts: HorizonFacts, quotient: Quotient) -> None:
        self.model = cp_model.CpModel()
        self._facts = facts
        self._quotient = quotient
        self._taken: dict[tuple[int, Label], cp_model.IntVar] = {}
        self._pay: list[dict[int, cp_model.IntVar]] = []
        depth = self._depths()
        self._add_path()
        self._add_hand([self._labels_at(depth, turn) for turn in range(len(facts.turns) + 1)])

    def _depths(self) -> dict[int, int]:
        """Return the turn at which each class stands; classes of different turns never fall together."""
        depth = {self._quotient.root: 0}
        queue = [self._quotient.root]
        while queue:
            source = queue.pop()
            for label in self._quotient.out[source]:
                if label.target != GOAL and label.target not in depth:
                    depth[label.target] = depth[source] + (not label.free)
                    queue.append(label.target)
        return depth

    def _labels_at(self, depth: dict[int, int], turn: int) -> list[tuple[Label, cp_model.IntVar]]:
        return [(label, taken) for (source, label), taken in self._taken.items() if depth[source] == turn]

    def _add_path(self) -> None:
        """One path from the start to the goal."""
        into: dict[int, list[cp_model.IntVar]] = defaultdict(list)
        out: dict[int, list[cp_model.IntVar]] = defaultdict(list)
        for source, labels in self._quotient.out.items():
            for label in sorted(labels, key=_order):
                taken = self.model.new_bool_var("")
                self._taken[source, label] = taken
                out[source].append(taken)
                into[label.target].append(taken)
        self.model.add_exactly_one(out[self._quotient.root])
        self.model.add_exactly_one(into[GOAL])
        for source in self._quotient.out:
            if source != self._quotient.root:
                self.model.add(total(into[source]) == total(out[source]))

    def _add_hand(self, turns: list[list[tuple[Label, cp_model.IntVar]]]) -> None:
        """What is played and paid is in the hand, and the hand is what it was, less that, and more what was drawn."""
        facts = self._facts
        most = list(facts.hand)
        for labels in turns:
            for kind in range(facts.kinds):
                most[kind] += max((label.gains.count(kind) for label, _ in labels), default=0)
        held: list[Terms] = [[copies] for copies in facts.hand]
        for number, labels in enumerate(turns):
            pay = {
                kind: self.model.new_int_var(0, most[kind], f"pay {kind} on turn {number}")
                for kind in range(facts.kinds)
                if facts.payable[kind]
            }
            self._pay.append(pay)
            self.model.add(total(pay.values()) == total(label.pay * taken for label, taken in labels if label.pay))
            for kind in range(facts.kinds):
                played = [taken for label, taken in labels if label.card == kind]
                freed = [label.gains.count(kind) * taken for label, taken in labels if label.free]
                drawn = [label.gains.count(kind) * taken for label, taken in labels if not label.free]
                left = self.model.new_int_var(0, most[kind], f"left {kind} on turn {number}")
                self.model.add(total([left, *played, pay.get(kind, 0)]) == total([*held[kind], *freed]))
                held[kind] = [left, *drawn]

    def chosen(self, source: int, outcome: Run) -> Label:
        """Return the label that leaves a class in the solution."""
        labels = sorted(self._quotient.out[source], key=_order)
        return next(label for label in labels if outcome.value(self._taken[source, label]))

    def paid(self, turn: int, outcome: Run) -> dict[int, int]:
        """Return the copies given up on a turn, by kind."""
        paid = {kind: outcome.value(copies) for kind, copies in self._pay[turn].items()}
        return {kind: copies for kind, copies in paid.items() if copies}


def _order(label: Label) -> tuple[int, int, int, tuple[int, ...], bool]:
    """Sort labels, so that equal facts give equal models."""
    return label.target, label.card, label.pay, label.gains, label.free
