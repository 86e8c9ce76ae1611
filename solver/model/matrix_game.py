"""Matrix games: exact mixed strategies of two seats that choose at once.

A linear program for each seat is solved in floating point. The choices that it mixes, and the answers that are equally
good, name a system of equations, which is solved again in fractions. Both strategies check the result: the rows' mix
gets at least the value against every column, and the columns' mix gives at most the value to every row (von Neumann
1928). So a wrong float can cost the answer, but never make it wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]  # it comes without stubs

Matrix: TypeAlias = Sequence[Sequence[Fraction]]
Mix: TypeAlias = tuple[Fraction, ...]

NEARLY: Final = 1e-7
"""Below this a float of a program whose payoffs lie between 0 and 1 is taken for 0."""


class InexactGame(Exception):
    """The bounds of both strategies differ: the linear program misled; always a bug or a numerical accident."""


def solve_matrix_game(payoffs: Matrix) -> tuple[Fraction, Mix, Mix]:
    """Return the value for the rows, and optimal mixes of the rows and of the columns, all exact.

    Raises:
        InexactGame: no pair of strategies with equal bounds was found.
    """
    rows = [[Fraction(cell) for cell in row] for row in payoffs]
    columns = [[-cell for cell in column] for column in zip(*rows, strict=True)]
    first, second = _best_mix(rows), _best_mix(columns)
    least = min(mean_payoff(first, column) for column in zip(*rows, strict=True))
    most = max(mean_payoff(second, row) for row in rows)
    if least != most:
        raise InexactGame(f"the rows' mix is sure of {least}, the columns' concedes {most}")
    return least, first, second


def _best_mix(rows: list[list[Fraction]]) -> Mix:
    """Return the mix of the rows that is sure of most, exact if the floats name the right equations."""
    low = min(min(row) for row in rows)
    spread = max(max(row) for row in rows) - low or Fraction(1)
    scaled = [[float((cell - low) / spread) for cell in row] for row in rows]
    parts, value = _program(scaled)
    used = [place for place, part in enumerate(parts) if part > NEARLY]
    means = [sum(parts[place] * scaled[place][column] for place in used) for column in range(len(rows[0]))]
    tight = [column for column, mean in enumerate(means) if mean - value < NEARLY]
    # Unknown are the parts of the rows used, and the value; a tight column pays the value, and the parts add to 1.
    system = [[*(rows[place][column] for place in used), Fraction(-1), Fraction(0)] for column in tight]
    system.insert(0, [*(Fraction(1) for _ in used), Fraction(0), Fraction(1)])
    guess = [*(Fraction(parts[place]).limit_denominator(10**6) for place in used), Fraction(0)]
    solved = _solve(system, guess)
    mix = [Fraction(0)] * len(rows)
    for place, part in zip(used, solved, strict=False):
        mix[place] = max(part, Fraction(0))
    total = sum(mix, Fraction(0))
    return tuple(part / total for part in mix)


def _program(rows: list[list[float]]) -> tuple[list[float], float]:
    solver = pywraplp.Solver.CreateSolver("GLOP")
    parts = [solver.NumVar(0.0, 1.0, "") for _ in rows]
    value = solver.NumVar(-solver.infinity(), solver.infinity(), "")
    solver.Add(sum(parts) == 1.0)
    for column in range(len(rows[0])):
        solver.Add(sum(row[column] * part for row, part in zip(rows, parts, strict=True)) >= value)
    solver.Maximize(value)
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        raise InexactGame("the linear program of a matrix game was not solved")
    return [part.solution_value() for part in parts], value.solution_value()


def _solve(system: list[list[Fraction]], guess: list[Fraction]) -> list[Fraction]:
    """Return the unknowns of linear equations by elimination; those left free are as guessed.

    Equations that contradict those before them are left out: only nearly tight columns can be among them.
    """
    unknowns = len(guess)
    pivots: list[tuple[int, list[Fraction]]] = []
    for equation in system:
        row = list(equation)
        for place, other in pivots:
            factor = row[place]
            if factor:
                row = [mine - factor * theirs for mine, theirs in zip(row, other, strict=True)]
        leads = [place for place in range(unknowns) if row[place]]
        if leads:
            pivots.append((leads[0], [cell / row[leads[0]] for cell in row]))
    solved = list(guess)
    for place, row in reversed(pivots):
        rest = sum((row[other] * solved[other] for other in range(unknowns) if other != place), Fraction(0))
        solved[place] = row[unknowns] - rest
    return solved


def mean_payoff(mix: Sequence[Fraction], payoffs: Sequence[Fraction]) -> Fraction:
    """Return what a mix of choices gets on the average, by what each of them gets."""
    return sum((part * payoff for part, payoff in zip(mix, payoffs, strict=True)), Fraction(0))
