"""How often `best` settles a move where the goal lies beyond playouts: ``python -m benchmarks.decided [--check N]``.

Openings of the four rulesets, four seeds each, everything hidden, and the same races after twelve turns of greedy play;
asked is the fewest turns to the finish, with no limit given. A row tells the verdict, what kind of move is settled
where that is all, the fresh draws of each finalist, all playouts, and the seconds of the processor. With ``--check``
the first move and the next finalist that it is said to beat are played on so many draws that the comparison has never
met: *gap* is by how much the first one is better then, in spaces after nine turns, with its 95 % interval.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from statistics import mean, median
from time import process_time
from typing import Any, Final

from benchmarks.hidden_real import GreedyRacer
from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from solver.far import PlainComparison
from solver.sampled import Sample, Sampled, interval
from solver.search.coasting import Coasting, CoastingAim
from solver.search.kinds import kind_of

RULESETS: Final = ("starter-race", "2017", "2019-02", "2019-08")
SEEDS: Final = (1, 2, 3, 4)
LATER: Final = 12
"""Turns after which a race is asked about again."""
OTHER_SEED: Final = 77


def questions() -> Iterator[tuple[str, Iditacards, Any]]:
    """Yield a name, the game and the table of each."""
    for ruleset in RULESETS:
        for seed in SEEDS:
            game, start = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[]).start()
            assert isinstance(game, Iditacards)
            yield f"{ruleset:12} {seed}  0", game, start.table
            table, racer = start.table, GreedyRacer(game, seed)
            for _ in range(LATER):
                table = racer.turn(table)
            if not table.over:
                yield f"{ruleset:12} {seed} {LATER:2}", game, table


def rival(found: Sampled) -> Sample | None:
    """Return the next finalist that the first move is said to beat; none where it is said to beat none."""
    first, *others = found.samples
    kind = kind_of(first.move.text)
    apart = (each for each in others if each.values and (found.verdict == "decided" or kind_of(each.move.text) != kind))
    return next(apart, None) if found.verdict == "decided" or found.kind else None


def checked(game: Iditacards, table: Any, aim: CoastingAim, found: Sampled, draws: int) -> str:
    """Return by how much the first move is better than its rival on draws of their own."""
    other = rival(found)
    if other is None:
        return ""
    playing = Coasting(game, State(table), aim, seed=OTHER_SEED)
    pairs = [
        float(playing.play(found.samples[0].begun, draw).value - playing.play(other.begun, draw).value)
        for draw in range(draws)
    ]
    low, high = interval(pairs, playing.width)
    return f"  gap {mean(pairs):+.2f} ({low:+.2f} to {high:+.2f})"


def main() -> None:
    """Print a row for each question, and the verdicts together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", type=int, default=0)
    draws = parser.parse_args().check
    verdicts: Counter[str] = Counter()
    seconds: list[float] = []
    for name, game, table in questions():
        start = State(table)
        aim = CoastingAim(game, Goal(Objective.MIN_TURNS, game.default_target()), table)
        begun = process_time()
        comparison = PlainComparison(game, start, aim, list(game.legal_moves(start)))
        comparison.run(None, None)
        found = comparison.found()
        seconds.append(process_time() - begun)
        told = f"{found.verdict}, {found.kind}" if found.kind else found.verdict
        verdicts[f"{found.verdict}, the kind decided" if found.kind else found.verdict] += 1
        first = found.samples[0]
        row = f"{name}  {len(first.values):4} draws  {found.playouts:5} playouts  {seconds[-1]:5.1f} s  {told:28}"
        print(f"{row} {first.move.text}{checked(game, table, aim, found, draws) if draws else ''}", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items())))
    print(f"{sum(seconds):.0f} s of the processor, median {median(seconds):.1f}, most {max(seconds):.1f}")


if __name__ == "__main__":
    main()
