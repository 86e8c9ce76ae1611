"""Sampled best moves against exact values: ``python -m benchmarks.sampled [--playouts N] [--runs N]``.

On 30 seeded positions near the end of a day, small enough to be valued exactly: how often the interval of the tree
search contains the exact value of the best move, and how much the move it chooses loses. *Of stake* is the loss as
part of what lies between the best and the worst move; *promises* is how far the mean lies above the chosen move's exact
value, as part of the best. ``--runs`` has the tree search run as often on each position and tells those of all runs
last.

The positions are small, because they have to be valued exactly: two or three turns, four to seven hidden cards.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count, islice
from statistics import mean
from time import process_time
from typing import NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.scripts import SplitMix64
from rules.iditacards.engine import Iditacards
from solver.engines.hidden import HiddenQuestion
from solver.engines.playouts import row_trees
from solver.engines.sampled import Sample, TreeComparison
from solver.question import Status
from solver.search.budget import Budget

# fmt: off
SEEDS = (
    1, 3, 7, 9, 10, 11, 15, 18, 21, 22, 27, 35, 37, 39, 40, 41, 45, 46, 47, 51, 53, 57, 59, 63, 64, 66, 67, 69, 71, 74,
)
# fmt: on
"""The first seeds whose positions are worth asking about, found with ``--find``."""
EDITIONS = ("iditacards/2017", "iditacards/2019-02", "iditacards/2019-08")
NO_NEW_DAY = frozenset({"new_day"})
LEFT_OUT = "upgrade_sled"
"""Upgrade decks would make exact values too dear; the card goes to the discard pile."""
WAYS = 40_000
"""Ways through turns looked at for the exact values of one position; others are passed over."""
FEWEST_MOVES, FEWEST_VALUES = 3, 2
"""Open moves, a new day counted, and different exact values that make a position worth asking about."""
LEAST, MOST = Fraction(1, 20), Fraction(1)
"""Chances that make a position worth asking about; the greater one is left out."""


class Case(NamedTuple):
    """One position with the exact value of every move."""

    seed: int
    position: Position
    goal: Goal
    exact: Mapping[str, Fraction]
    time_s: float

    @property
    def value(self) -> Fraction:
        """The exact value of the best move."""
        return max(self.exact.values())


class Choice(NamedTuple):
    """What a player chose, and what it promises for it."""

    move: str
    promised: float
    interval: tuple[float, float] | None
    time_s: float


def cases(seeds: Iterable[int]) -> Iterator[Case]:
    """Yield the positions of some seeds that are worth asking about, with their exact values."""
    for seed in seeds:
        position, goal = dealt(seed)
        game, start = position.start()
        assert isinstance(game, Race)
        if len(game.legal_moves(start)) < FEWEST_MOVES:
            continue
        begun = process_time()
        report = HiddenQuestion(game, start, goal, Budget(), WAYS).answer()
        time_s = process_time() - begun
        exact = {option.move.text: option.value or Fraction(0) for option in report.moves}
        if report.status is not Status.OPTIMAL or len(set(exact.values())) < FEWEST_VALUES:
            continue
        case = Case(seed, position, goal, exact, time_s)
        if goal.objective is Objective.MAX_DISTANCE or LEAST <= case.value < MOST:
            yield case


def dealt(seed: int) -> tuple[Position, Goal]:
    """Return a position near the end of a day and a question about its last turns."""
    position = new_position(EDITIONS[(seed + 2) % 3], 1, seed, ())
    game, start = position.start()
    assert isinstance(game, Iditacards)
    generator = SplitMix64(seed)
    player = start.table.players[0]
    cards = generator.shuffle([*player.hand, *player.deck])
    cards = [card for card in cards if card != LEFT_OUT] + [card for card in cards if card == LEFT_OUT]
    hand, deck, turns = 3 + generator.below(2), 4 + generator.below(4), 2 + generator.below(2)
    space = 10 + generator.below(130)
    player = player._replace(
        hand=tuple(sorted(cards[:hand])),
        deck=tuple(sorted(cards[hand : hand + deck])),
        discard=tuple(sorted(cards[hand + deck :])),
        pos=space,
        turns=5 + generator.below(10),
    )
    faces = game.rulings.faces
    table = start.table._replace(players=(player,), weather=faces[generator.below(len(faces))])
    if seed // 3 % 2:
        goal = Goal(Objective.MAX_DISTANCE, 0, turns, NO_NEW_DAY)
    else:
        goal = Goal(Objective.REACH, space + 2 + 3 * turns + generator.below(8), turns, NO_NEW_DAY)
    return position.with_table(table), goal


# Players


def tree_search(case: Case, playouts: int, again: int = 0) -> Choice:
    """Return the move of the tree search; ``again`` numbers runs on other draws."""
    game, start = case.position.start()
    assert isinstance(game, Race)
    begun = process_time()
    moves = [move for move in game.legal_moves(start) if move.text in case.exact]
    trees = row_trees(game, start, case.goal, case.seed + 1000 * again)
    assert trees is not None
    found = TreeComparison(trees, trees.aim, [Sample(move, trees.begun(move)) for move in moves], Budget())
    found.run(None, playouts)
    best = found.order[0]
    return Choice(best.move.text, float(best.mean), found.interval(best), process_time() - begun)


def summary(name: str, cases_of: Sequence[Case], choices: Sequence[Choice]) -> str:
    """Return one line about a player."""
    losses = [lost(case, choice) for case, choice in zip(cases_of, choices, strict=True)]
    best = sum(not loss for loss in losses)
    stake = mean(
        float((case.value - case.exact[choice.move]) / (case.value - min(case.exact.values())))
        for case, choice in zip(cases_of, choices, strict=True)
    )
    excess = mean(
        (choice.promised - float(case.exact[choice.move])) / float(case.value)
        for case, choice in zip(cases_of, choices, strict=True)
    )
    known = [
        choice.interval[0] <= case.value <= choice.interval[1]
        for case, choice in zip(cases_of, choices, strict=True)
        if choice.interval is not None
    ]
    cover = f"{sum(known)}/{len(known)}" if known else "-"
    seconds = mean(choice.time_s for choice in choices)
    return (
        f"{name:14}{f'{best}/{len(losses)}':>8}{100 * mean(losses):9.2f} %{100 * max(losses):9.2f} %"
        f"{100 * stake:9.2f} %{100 * excess:+11.2f} %{cover:>10}{seconds:8.2f}"
    )


def lost(case: Case, choice: Choice) -> float:
    """Return the part of the best value that a choice loses."""
    return float((case.value - case.exact[choice.move]) / case.value)


def main() -> None:
    """Print one row a position and one line a player."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--playouts", type=int, default=3000, help="playouts of the tree search for each position")
    parser.add_argument("--runs", type=int, default=1, help="runs of the tree search for each position")
    parser.add_argument("--find", action="store_true", help="look for positions anew instead of taking the known seeds")
    options = parser.parse_args()
    met: list[Case] = []
    runs: list[tuple[Case, Choice]] = []
    choices: list[Choice] = []
    print(f"{'seed':>5} {'question':16}{'moves':>6}{'exact':>9}{'s':>6}  interval and loss")
    for case in islice(cases(count(1) if options.find else SEEDS), options.positions):
        met.append(case)
        own = tree_search(case, options.playouts)
        choices.append(own)
        runs += [(case, own), *((case, tree_search(case, options.playouts, n)) for n in range(1, options.runs))]
        low, high = own.interval or (own.promised, own.promised)
        inside = "in" if low <= case.value <= high else "OUT"
        question = f"{case.goal.objective.value} {case.goal.within_turns}"
        print(
            f"{case.seed:5} {question:16}{len(case.exact):6}{float(case.value):9.3f}{case.time_s:6.1f}"
            f"  {low:.3f} to {high:.3f} {inside}; {100 * lost(case, own):.2f} %",
            flush=True,
        )
    heads = f"{'mean loss':>11}{'worst':>11}{'of stake':>11}{'promises':>13}{'covers':>10}{'CPU s':>8}"
    print(f"\n{'player':14}{'best':>8}{heads}")
    print(summary("tree search", met, choices))
    if options.runs > 1:
        print(summary(f"{options.runs} runs", *zip(*runs, strict=True)))


if __name__ == "__main__":
    main()
