from __future__ import annotations

import _thread
import time
from threading import Timer

import pytest
from ortools.sat.python import cp_model

from solver.answer import Status
from solver.model.run import run, total, translated


def pigeons(n: int) -> cp_model.CpModel:
    """One pigeon too many, told so that no presolve sees it."""
    model = cp_model.CpModel()
    at = [[model.new_bool_var("") for _ in range(n)] for _ in range(n + 1)]
    for row in at:
        model.add_bool_or(row)
    for hole in range(n):
        for one in range(n + 1):
            for other in range(one):
                model.add_bool_or(~at[one][hole], ~at[other][hole])
    return model


def knapsack() -> tuple[cp_model.CpModel, cp_model.LinearExpr]:
    """A choice that takes far longer to prove than to find."""
    model = cp_model.CpModel()
    taken = [[model.new_bool_var("") for _ in range(60)] for _ in range(2)]
    weight = [(7919 * index * index + 104729 * index) % 5000 + 1000 for index in range(120)]
    for line in range(20):
        model.add(
            total(((line + 3) * w % 997) * x for row in taken for w, x in zip(weight, row, strict=False)) <= 14000
        )
    worth = total(w % 991 * x for row in taken for w, x in zip(weight[::-1], row, strict=False))
    model.maximize(worth)
    return model, worth


def test_each_status_claims_what_was_shown() -> None:
    assert translated(cp_model.OPTIMAL, has_objective=True) is Status.OPTIMAL
    assert translated(cp_model.OPTIMAL, has_objective=False) is Status.FEASIBLE
    assert translated(cp_model.FEASIBLE, has_objective=True) is Status.FEASIBLE
    assert translated(cp_model.INFEASIBLE, has_objective=False) is Status.INFEASIBLE
    assert translated(cp_model.UNKNOWN, has_objective=True) is Status.UNKNOWN
    with pytest.raises(ValueError, match="refused"):
        translated(cp_model.MODEL_INVALID, has_objective=False)


def test_a_solution_without_an_objective_is_not_called_best() -> None:
    model = cp_model.CpModel()
    number = model.new_int_var(3, 3, "")
    outcome = run(model)
    assert outcome.status is Status.FEASIBLE
    assert outcome.value(number) == 3


def test_a_limit_leaves_it_unknown() -> None:
    assert run(pigeons(12), deterministic=0.01).status is Status.UNKNOWN


def test_a_deterministic_limit_stops_at_the_same_place() -> None:
    values = set()
    for _ in range(2):
        model, worth = knapsack()
        outcome = run(model, deterministic=0.2)
        assert outcome.status is Status.FEASIBLE
        values.add(outcome.value(worth))
    assert len(values) == 1


@pytest.mark.usefixtures("no_collector")
def test_ctrl_c_stops_at_once_and_keeps_what_was_found() -> None:
    model, worth = knapsack()
    started = time.monotonic()
    timer = Timer(1.0, _thread.interrupt_main)
    timer.start()
    outcome = run(model, deterministic=10_000.0)
    assert time.monotonic() - started < 15
    assert outcome.interrupted
    assert outcome.status is Status.FEASIBLE
    assert outcome.value(worth) > 0
