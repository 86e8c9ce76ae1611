"""Exchanges of goods: whether some mix of them gains, or what weights of the goods show that none does.

Exactly one of the two exists for any exchanges (Tucker 1956): a mix ``x >= 0`` with ``Cx >= 0`` and ``Cx != 0``, or
weights ``y > 0`` with ``yC <= 0``. CP-SAT looks for both as integers within bounds. They are checked here again, so an
answer is a proof. Where CP-SAT finds neither, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from ortools.sat.python import cp_model

MOST: Final = 60
"""Times that a mix holds one exchange at most."""
HEAVIEST: Final = 1000
"""Weight of a good at most."""
DETERMINISTIC: Final = 10.0
"""Deterministic time of CP-SAT, which does not depend on the machine; about a second each."""

Change = Mapping[str, int]
"""What one exchange does to goods, by their names; those that it leaves alone may be left out."""


class Mix(NamedTuple):
    """Exchanges made so many times each, and what they do together."""

    times: Mapping[str, int]
    change: Change


def goods_of(exchanges: Mapping[str, Change]) -> list[str]:
    """Return every good that is touched, in order of its name."""
    return sorted({good for change in exchanges.values() for good, number in change.items() if number})


def round_trip(exchanges: Mapping[str, Change]) -> Mix | None:
    """Return a mix of at least two exchanges that loses only one good, and least of it; nothing where there is none."""
    found = [gaining(exchanges, good) for good in goods_of(exchanges)]
    lost = {place: -min(mix.change.values()) for place, mix in enumerate(found) if mix is not None}
    return found[min(lost, key=lambda place: (lost[place], place))] if lost else None


def gaining(exchanges: Mapping[str, Change], losing: str | None = None) -> Mix | None:
    """Return the smallest mix that loses nothing and gains something, or nothing where none was found.

    With ``losing`` it is one of at least two exchanges that loses of this good alone, and least of it.
    """
    model = cp_model.CpModel()
    times = {name: model.new_int_var(0, MOST, name) for name in exchanges}
    change = {
        good: total(times[name] * each.get(good, 0) for name, each in exchanges.items()) for good in goods_of(exchanges)
    }
    for good, expression in change.items():
        model.add(expression <= -1 if good == losing else expression >= 0)
    size, loss = total(times.values()), total([] if losing is None else [-change[losing]])
    if losing is None:
        model.add(total(change.values()) >= 1)
    else:
        model.add(size >= 2)
        for good in change.keys() - {losing}:
            back = [name for name, each in exchanges.items() if each.get(good, 0) > 0]
            model.add(total(times[name] for name in back) >= 1)
    # The loss or nothing first, the size of the mix second.
    model.minimize(loss * (MOST * len(exchanges) + 1) + size)
    if (answer := _solution(model)) is None:
        return None
    found = {name: answer.value(number) for name, number in times.items() if answer.value(number)}
    summed = {good: sum(n * exchanges[name].get(good, 0) for name, n in found.items()) for good in change}
    assert all(number >= 0 for good, number in summed.items() if good != losing)
    return Mix(found, summed)


def weights(exchanges: Mapping[str, Change]) -> dict[str, int] | None:
    """Return positive weights by which no exchange raises the sum of the goods; nothing where none were found."""
    model = cp_model.CpModel()
    weight = {good: model.new_int_var(1, HEAVIEST, good) for good in goods_of(exchanges)}
    for change in exchanges.values():
        model.add(total(weight[good] * number for good, number in change.items() if number) <= 0)
    model.minimize(total(weight.values()))
    if (answer := _solution(model)) is None:
        return None
    found = {good: answer.value(number) for good, number in weight.items()}
    assert all(sum(found[good] * n for good, n in change.items() if n) <= 0 for change in exchanges.values())
    return found


def total(terms: Iterable[cp_model.LinearExprT]) -> cp_model.LinearExpr:
    """Return the sum of some terms as one expression, that of none included."""
    return cp_model.LinearExpr.sum(list(terms))


def _solution(model: cp_model.CpModel) -> cp_model.CpSolver | None:
    """Return the solver with the best solution that it found, the same on every machine; nothing without one."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = DETERMINISTIC
    solver.parameters.catch_sigint_signal = False
    return solver if solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None
