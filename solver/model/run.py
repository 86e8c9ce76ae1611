"""Running CP-SAT: one worker, fixed seed, a deterministic limit, Ctrl-C at any time, statuses translated once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Event, Thread
from typing import Final

from ortools.sat.python import cp_model

from solver.answer import Status

POLL_S: Final = 0.1
"""Seconds between looks at the keyboard."""
DETERMINISTIC: Final = 60.0
"""Deterministic time of CP-SAT, which does not depend on the machine; about a second each."""
SEED: Final = 1
"""Seed of every run."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of CP-SAT showed."""

    status: Status
    """Of a model without objective, ``OPTIMAL`` never comes: a solution of it is ``FEASIBLE``."""
    value: Callable[[cp_model.LinearExprT], int]
    """The value of an expression in the solution, where there is one."""
    interrupted: bool
    """The user stopped it."""


def total(terms: Iterable[cp_model.LinearExprT]) -> cp_model.LinearExpr:
    """Return the sum of some terms as one expression, that of none included."""
    return cp_model.LinearExpr.sum(list(terms))


def run(model: cp_model.CpModel, deterministic: float = DETERMINISTIC) -> Run:
    """Solve a model in a thread of its own, so that the main thread hears Ctrl-C.

    ``deterministic`` time limits it.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.max_deterministic_time = deterministic
    solver.parameters.catch_sigint_signal = False
    done = Event()
    statuses: list[cp_model.CpSolverStatus] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            statuses.append(solver.solve(model))
        except BaseException as failure:
            failures.append(failure)
        finally:
            done.set()

    thread = Thread(target=work, name="cp-sat", daemon=True)
    interrupted = False
    thread.start()
    while not done.is_set():
        try:
            done.wait(POLL_S)
        except KeyboardInterrupt:
            interrupted = True
            solver.stop_search()
    thread.join()
    if failures:
        raise failures[0]
    status = translated(statuses[0], has_objective=model.has_objective())
    return Run(status, solver.value, interrupted)


def translated(status: cp_model.CpSolverStatus, *, has_objective: bool) -> Status:
    """Return what a status of CP-SAT claims; without an objective its ``OPTIMAL`` says no more than "feasible".

    Raises:
        ValueError: the model itself is invalid, which is our bug.
    """
    if status == cp_model.MODEL_INVALID:
        raise ValueError("CP-SAT refused the model")
    if status == cp_model.OPTIMAL:
        return Status.OPTIMAL if has_objective else Status.FEASIBLE
    if status == cp_model.FEASIBLE:
        return Status.FEASIBLE
    return Status.INFEASIBLE if status == cp_model.INFEASIBLE else Status.UNKNOWN
