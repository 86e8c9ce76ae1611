"""How each contestant is asked; every function takes a question and returns what it found, unless it is stopped.

A contestant that needs facts is given those within as many turns as bestline needs, free of charge: finding them is not
in its time, nor are imports. All else is, for the planner the translation of its task as well.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL, PIPE, TimeoutExpired, run
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final
from unittest import mock

from benchmarks.peers_asp import program
from benchmarks.peers_facts import FORBIDDEN, Puzzle, gather
from benchmarks.peers_pddl import domain, problem
from puzzles.goal import Goal, Objective
from solver.forms import search_problem
from solver.report import Limit, Status
from solver.search import asking_search
from solver.search.plain import PlainTurns
from solver.solve import searchable, solve


@dataclass(frozen=True, slots=True)
class Question:
    """A puzzle with how long it may take, and in how many turns it can be done."""

    puzzle: Puzzle
    time_s: float
    turns: int
    """For contestants that are given facts or a horizon; 0 where it is not yet known."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a contestant found."""

    value: int | None
    """The fewest turns, if it proved them."""
    seconds: float
    states: int = 0
    """States generated, where that is known."""
    searched: float = 0.0
    """Seconds that those states took; ``seconds`` where nothing else is counted."""


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
    started = perf_counter()
    report = solve(position, goal(question.puzzle), Limit(time_s=question.time_s))
    seconds = perf_counter() - started
    value = report.value if report.status is Status.OPTIMAL else None
    return Found(value, seconds, report.statistics.generated, seconds)


def stay_plain() -> None:
    """Keep bestline from compiling anything."""
    mock.patch.object(asking_search, "PATIENCE", 1 << 60).start()


def load_compiled() -> None:
    """Load compiled functions, from the cache or by compiling them."""
    puzzle = Puzzle(0, 20)
    position = puzzle.position()
    day: Any = search_problem(searchable(position), position.start()[1], goal(puzzle))
    form = day.form()
    asking_search.warm(form.kernel, form.tables, (*form.columns, *form.stores))


def fast_downward(question: Question, search: str) -> Found | None:
    """Ask Fast Downward for a cheapest plan; nothing where its time is up."""
    facts = gather(question.puzzle.position(), question.puzzle.target, question.turns)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(domain(facts), encoding="utf-8")
        (folder / "problem.pddl").write_text(problem(facts), encoding="utf-8")
        started = perf_counter()
        translate = [sys.executable, "-m", "fast_downward.translate", "domain.pddl", "problem.pddl"]
        try:
            run(translate, cwd=folder, check=True, stdout=DEVNULL, timeout=question.time_s)
            with (folder / "output.sas").open("rb") as task:
                command = [downward(), "--search", f"astar({search}())"]
                left = max(0.1, question.time_s - (perf_counter() - started))
                told = run(command, cwd=folder, stdin=task, stdout=PIPE, check=False, timeout=left, text=True)
        except TimeoutExpired:
            return None
        seconds = perf_counter() - started
    value = _number(r"Plan cost: (\d+)", told.stdout)
    if value is None:
        raise RuntimeError(f"Fast Downward found no plan for {question.puzzle}")
    states = _number(r"Generated (\d+) state", told.stdout) or 0
    searched = re.search(r"Search time: ([\d.e-]+)s", told.stdout)
    return Found(value, seconds, states, float(searched[1]) if searched else 0.0)


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
    """Ask clingo for one turn after the other."""
    from clingo import Control, Function, Number

    facts = gather(question.puzzle.position(), question.puzzle.target, question.turns)
    started = perf_counter()
    control = Control(logger=lambda *_: None)
    control.add("base", [], program(facts))
    control.ground([("base", [])])
    for turn in range(1, question.turns + 1):
        now = Number(turn)
        control.ground([("step", [now]), ("check", [now])])
        control.assign_external(Function("query", [now]), True)
        if control.solve().satisfiable:
            return Found(turn, perf_counter() - started)
        control.release_external(Function("query", [now]))
    raise RuntimeError(f"clingo found no plan for {question.puzzle}")


def cp_sat(question: Question) -> Found:
    """Ask CP-SAT alone: the plan of a bounded horizon, one turn after the other."""
    from solver.model.agree import second_opinion

    position = question.puzzle.position()
    game = searchable(position)
    started = perf_counter()
    opinion = second_opinion(game, position.table(), goal(question.puzzle), Limit(time_s=question.time_s))
    value = opinion.value if opinion.status is Status.OPTIMAL else None
    return Found(value, perf_counter() - started)


def networkx(question: Question) -> Found:
    """Ask networkx for a shortest path: breadth first, in a graph of whole tables as the rules core gives them."""
    import networkx as nx

    position = question.puzzle.position()
    turns: PlainTurns[Any] = PlainTurns(searchable(position), 0, FORBIDDEN)
    start = position.table()
    started = perf_counter()
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node(start)
    layer, met = [start], 0
    done: list[Any] = []
    while layer and not done:
        edges = [(table, after) for table in layer for after in turns.successors(table)]
        met += len(edges)
        layer = list(dict.fromkeys(after for _, after in edges if after not in graph))
        graph.add_edges_from(edges)
        done = [table for table in layer if turns.progress(table) >= question.puzzle.target]
    value = nx.shortest_path_length(graph, start, done[0]) if done else None
    seconds = perf_counter() - started
    return Found(value, seconds, met, seconds)


BESTLINE: Final = Contestant("bestline", (), bestline, stay_plain)
COMPILED: Final = Contestant("bestline, compiled", ("numba",), bestline, load_compiled)
CONTESTANTS: Final = (
    BESTLINE,
    COMPILED,
    Contestant("Fast Downward, blind", ("up-fast-downward",), partial(fast_downward, search="blind")),
    Contestant("Fast Downward, LM-cut", ("up-fast-downward",), partial(fast_downward, search="lmcut")),
    Contestant("clingo", ("clingo",), clingo, partial(import_module, "clingo")),
    Contestant("CP-SAT", ("ortools",), cp_sat, partial(import_module, "solver.model.horizon")),
    Contestant("networkx", ("networkx",), networkx, partial(import_module, "networkx")),
)
"""Everybody, bestline in plain Python first: its values are the ones that others have to agree with."""
