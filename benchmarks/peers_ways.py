"""How each contestant is asked; every function takes a question and returns what it found, unless it is stopped.

Who needs facts asks the rules core for them within its time, for one turn more after the other, as nobody knows
beforehand how many turns there will be: what that takes is told apart. So is, of two that ask the rules for turns as
they go, what these answers take. Imports are free of charge; all else is in the times, for the planner the translation
of its task as well.
"""

from __future__ import annotations

import re
import resource
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from subprocess import DEVNULL, PIPE, TimeoutExpired, run
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final

from benchmarks.peers_asp import plays, program
from benchmarks.peers_facts import FORBIDDEN, Facts, Gathering, Puzzle
from benchmarks.peers_pddl import domain, problem
from puzzles.goal import Goal, Objective
from solver.engines.open_question import searchable, solve
from solver.question import Status
from solver.search.budget import Budget
from solver.search.layered import PlainTurns


@dataclass(frozen=True, slots=True)
class Question:
    """A puzzle with how long it may take."""

    puzzle: Puzzle
    time_s: float
    """Seconds of the clock."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a contestant found."""

    value: int | None
    """The fewest turns, if it proved them."""
    clock: float
    """Seconds of the clock, from the position to the answer,"""
    whole: float
    """and of the processor;"""
    alone: float
    """of these, what is left without the rules' answers."""
    states: int = 0
    """States generated, where that is known."""
    searched: float = 0.0
    """Seconds that those states took."""


class Watch:
    """The time that a question takes, of the clock and of the processor."""

    def __init__(self) -> None:
        self._begun = perf_counter()
        self._spent = _processor()
        self._rules = 0.0

    @property
    def clock(self) -> float:
        """Seconds of the clock so far."""
        return perf_counter() - self._begun

    @contextmanager
    def rules(self) -> Iterator[None]:
        """Count what is done here as the rules' answers."""
        begun = process_time()
        yield
        self._rules += process_time() - begun

    def found(self, value: int | None, states: int = 0, searched: float | None = None) -> Found:
        """Return what was found until now; ``searched`` is the time that the states took, if not all without rules."""
        whole = _processor() - self._spent
        alone = whole - self._rules
        return Found(value, self.clock, whole, alone, states, alone if searched is None else searched)


def _processor() -> float:
    """Return the seconds of the processor that this process took, with those that it waited for."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + others.ru_utime + others.ru_stime


Way = Callable[[Question], Found | None]


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who is asked."""

    name: str
    packages: tuple[str, ...]
    """Distributions that have to be installed."""
    ask: Way
    prepare: Callable[[], object] = lambda: None
    """What is done once before the first question, outside all times."""

    def missing(self) -> str:
        """Return the first package that is not installed, or nothing."""
        return next((name for name in self.packages if not installed(name)), "")


def installed(name: str) -> str:
    """Return the version of an installed distribution, or nothing."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def goal(puzzle: Puzzle) -> Goal:
    """Return the goal of a puzzle."""
    return Goal(Objective.MIN_TURNS, puzzle.target, forbidden=FORBIDDEN)


def bestline(question: Question) -> Found:
    """Ask bestline, from the position to the replayed line."""
    position = question.puzzle.position()
    watch = Watch()
    report = solve(position, goal(question.puzzle), Budget(time_s=question.time_s))
    return watch.found(report.value if report.status is Status.OPTIMAL else None, report.statistics.generated)


def fast_downward(question: Question, search: str) -> Found | None:
    """Ask Fast Downward for a cheapest plan; nothing where its time is up.

    A plan of more turns than the facts are of proves nothing: then they are gathered for one turn more.
    """
    position, target = question.puzzle.position(), question.puzzle.target
    watch = Watch()
    with watch.rules():
        gathering = Gathering(position, target)
    while True:
        with watch.rules():
            gathering.extend()
            while not gathering.arrives:
                gathering.extend()
        told = _planned(gathering.facts(), search, question.time_s - watch.clock)
        if told is None:
            return None
        value = _number(r"Plan cost: (\d+)", told)
        if value is not None and value <= gathering.turns:
            states = _number(r"Generated (\d+) state", told) or 0
            searched = re.search(r"Search time: ([\d.e-]+)s", told)
            return watch.found(value, states, float(searched[1]) if searched else 0.0)


def _planned(facts: Facts, search: str, time_s: float) -> str | None:
    """Return what Fast Downward says, or nothing where its time is up."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(domain(facts), encoding="utf-8")
        (folder / "problem.pddl").write_text(problem(facts), encoding="utf-8")
        begun = perf_counter()
        translate = [sys.executable, "-m", "fast_downward.translate", "domain.pddl", "problem.pddl"]
        try:
            run(translate, cwd=folder, check=True, stdout=DEVNULL, timeout=max(0.1, time_s))
            with (folder / "output.sas").open("rb") as task:
                command = [downward(), "--search", f"astar({search}())"]
                left = max(0.1, time_s - (perf_counter() - begun))
                return run(command, cwd=folder, stdin=task, stdout=PIPE, check=False, timeout=left, text=True).stdout
        except TimeoutExpired:
            return None


def downward() -> str:
    """Return the path of the planner's search, without importing the package around it, which needs another."""
    spec = find_spec("up_fast_downward")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "downward" / "builds" / "release" / "bin" / "downward")


def _number(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text)
    return int(found[1]) if found else None


def clingo(question: Question) -> Found:
    """Ask clingo for one turn after the other, with the facts that each of them adds."""
    from clingo import Control, Function, Number

    position = question.puzzle.position()
    watch = Watch()
    with watch.rules():
        gathering = Gathering(position, question.puzzle.target)
    control = Control(logger=lambda *_: None)
    control.add("base", [], program(gathering.facts()))
    control.ground([("base", [])])
    told = 0
    while True:
        with watch.rules():
            arcs, free = gathering.extend()
        turn = gathering.turns
        now = Number(turn)
        control.add(f"plays{turn}", [], plays(arcs, free, told))
        told += len(arcs)
        control.ground([(f"plays{turn}", []), ("step", [now]), ("check", [now])])
        if gathering.arrives:
            control.assign_external(Function("query", [now]), True)
            if control.solve().satisfiable:
                return watch.found(turn)
        control.release_external(Function("query", [now]))


def cp_sat(question: Question) -> Found:
    """Ask CP-SAT for a path in a graph of whole tables, as the rules core gives them, one turn after the other."""
    position = question.puzzle.position()
    watch = Watch()
    turns: PlainTurns[Any] = PlainTurns(searchable(position), 0, FORBIDDEN)
    edges: list[tuple[Any, Any]] = []
    layer = [position.table()]
    for turn in count(1):
        with watch.rules():
            edges += [((turn - 1, table), (turn, after)) for table in layer for after in turns.successors(table)]
        layer = list(dict.fromkeys(after for _, (when, after) in edges if when == turn))
        done = {(turn, table) for table in layer if turns.progress(table) >= question.puzzle.target}
        if not layer or _has_path(edges, (0, position.table()), done):
            return watch.found(turn if layer else None, len(edges))
    raise AssertionError("turns do not end")


def _has_path(edges: Sequence[tuple[Any, Any]], start: Any, done: Container[Any]) -> bool:
    """Return whether CP-SAT finds a path from a node to one of some others."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    flow: dict[Any, Any] = {start: -1}
    for before, after in edges:
        taken = model.new_bool_var("")
        flow[before] = flow.get(before, 0) + taken
        flow[after] = flow.get(after, 0) - taken
    for node, balance in flow.items():
        model.add(balance <= 0 if node in done else balance == 0)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return bool(solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE))


def networkx(question: Question) -> Found:
    """Ask networkx for a shortest path: breadth first, in a graph of whole tables as the rules core gives them."""
    import networkx as nx

    position = question.puzzle.position()
    watch = Watch()
    turns: PlainTurns[Any] = PlainTurns(searchable(position), 0, FORBIDDEN)
    start = position.table()
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node(start)
    layer, met = [start], 0
    done: list[Any] = []
    while layer and not done:
        with watch.rules():
            edges = [(table, after) for table in layer for after in turns.successors(table)]
        met += len(edges)
        layer = list(dict.fromkeys(after for _, after in edges if after not in graph))
        graph.add_edges_from(edges)
        done = [table for table in layer if turns.progress(table) >= question.puzzle.target]
    value = nx.shortest_path_length(graph, start, done[0]) if done else None
    found = watch.found(value, met)
    return replace(found, searched=found.whole)


BESTLINE: Final = Contestant("bestline", (), bestline)
CONTESTANTS: Final = (
    BESTLINE,
    Contestant("Fast Downward, blind", ("up-fast-downward",), partial(fast_downward, search="blind")),
    Contestant("Fast Downward, LM-cut", ("up-fast-downward",), partial(fast_downward, search="lmcut")),
    Contestant("clingo", ("clingo",), clingo, partial(import_module, "clingo")),
    Contestant("CP-SAT", ("ortools",), cp_sat, partial(import_module, "ortools.sat.python.cp_model")),
    Contestant("networkx", ("networkx",), networkx, partial(import_module, "networkx")),
)
"""Everybody, bestline first: its values are the ones that others have to agree with."""
