"""What CP-SAT's part costs: payments by size of the hand, second opinions by challenge.

Run with ``python -m benchmarks.models [--time SECONDS] [ID …]``; without ids every challenge of the library is asked.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import median
from time import perf_counter
from typing import Any

from puzzles.loader import library, load_puzzle
from solver.facts import PaymentFacts
from solver.model.agree import second_opinion
from solver.model.payment import best_payment
from solver.payments import undominated
from solver.report import Limit

REPEATS = 15
SIZES = (4, 8, 15, 22)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="What CP-SAT's part costs.")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each challenge")
    parser.add_argument("ids", nargs="*", help="challenges; all of the library when left out")
    given = parser.parse_args(arguments)
    payments_table()
    opinions_table(given.ids or list(library()), given.time)


def payments_table() -> None:
    """Time the best payment and the listing of all that stand, for hands of different cards."""
    print(f"{'hand':>5} {'cost':>5} {'best, ms':>9} {'all, ms':>9} {'kept':>6}")
    for size in SIZES:
        facts = payment(size)
        best = median(timed(lambda facts=facts: best_payment(facts)) for _ in range(REPEATS))
        every = timed(lambda facts=facts: undominated(facts))
        print(f"{size:>5} {facts.cost:>5} {best * 1000:>9.1f} {every * 1000:>9.1f} {len(undominated(facts)):>6}")


def payment(size: int) -> PaymentFacts:
    """Return a payment of three cards from a hand of different cards, with some values."""
    values = tuple((place * 7) % 5 for place in range(size))
    return PaymentFacts((1,) * size, 3, values, tuple(place % 2 == 0 for place in range(size)))


def timed(work: Any) -> float:
    """Return the seconds some work takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def opinions_table(ids: Sequence[str], time_s: float) -> None:
    """Ask for a second opinion on every challenge and print what it took."""
    columns = ("turns played", "gathered", "model arcs", "seconds")
    print(f"\n{'challenge':<18} {'status':<11} {'value':>6} {'formulation':<12}", *(f"{name:>13}" for name in columns))
    for name in ids:
        puzzle = load_puzzle(name)
        game: Any = puzzle.position.game
        opinion = second_opinion(game, puzzle.position.table(), puzzle.goal, Limit(time_s=time_s))
        value = "-" if opinion.value is None else str(opinion.value)
        told = opinion.statistics
        numbers = (told["runs"], told["gathered"], told.get("model_arcs", 0), round(told["time_s"], 1))
        print(
            f"{name:<18} {opinion.status:<11} {value:>6} {opinion.formulation:<12}",
            *(f"{number:>13}" for number in numbers),
            flush=True,
        )


if __name__ == "__main__":
    main()
