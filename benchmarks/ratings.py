"""Grades of the library beside the difficulties its puzzles state, and how well the two agree in order.

    python -m benchmarks.ratings [SECONDS]

Each puzzle gets so many seconds (10 when left out); what is not rated in that time is left out of the comparison.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import combinations
from time import process_time

from puzzles.loader import library, load_puzzle
from solver.search.budget import Budget
from solver.tools.puzzle import rate


def main() -> None:
    """Print a row for each puzzle, then the pairs in order and out of order."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    rated: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for name in library():
        puzzle = load_puzzle(name)
        if puzzle.solution is None:
            continue
        began = process_time()
        found = rate(puzzle.position, puzzle.goal, Budget(seconds))
        game = puzzle.position.ruleset.game
        lines = found.lines
        told = "-" if lines is None else f"{lines.lines}{'' if lines.exact else '+'}"
        grade, bits = (found.grade or "-", "-" if found.bits is None else found.bits)
        spent = process_time() - began
        print(f"{game:14}{name:24}{puzzle.difficulty:>3}{grade:>3}{bits:>6}{told:>7}{spent:7.1f} s", flush=True)
        if found.bits is not None and puzzle.difficulty is not None:
            rated[game].append((puzzle.difficulty, found.bits))
    for game, pairs in rated.items():
        signs = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in combinations(pairs, 2)]
        alike, against = sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)
        print(f"{game}: {len(pairs)} rated; of pairs that differ in both, {alike} in order, {against} out of order")


if __name__ == "__main__":
    main()
