"""Whether chances to win come true: told in the middle of games of two with hidden cards, then the games are ended.

``python -m benchmarks.calibration [--positions N] [--playouts N] [--seed N] [--game RULESET] [--plot FILE]``: in each
game both seats take the move that is best in one playout of each, on what they see; in Iditacards that of plain play.
In the middle ``best`` tells the chance of the seat to move, and of the other one when it decides next. The game goes on
as it lies, hidden cards and all. Printed are the chances told and the games won by tenths, the Brier score beside that
of one half for all, and the mean sum of both seats, which is 100 % if nobody hopes for too much. The plot is an SVG
file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rules.core.position import Position, new_position
from rules.core.scripts import CHANCE, OVER, SplitMix64, Step
from rules.iditacards.engine import Iditacards
from solver.encodings import contest_playouts
from solver.engines.playouts import Comparison
from solver.question import Question
from solver.search.rollout import few_of

RULESETS = ("abyss/2021", "trench_rescue/2012", "iditacards/2019-02")
MOST_STEPS = 1500
"""Steps after which a game that is not over is left out."""


class Told(NamedTuple):
    """What both seats were told in one game, the seat to move first, and what that seat got in the end."""

    chances: tuple[float, float]
    won: float


def chosen(position: Position, seed: int) -> Step:
    """Return the move of plain play, or what is best in one playout of each, in which hidden cards are dealt anew."""
    game, start = position.start()
    moves = few_of(game.legal_moves(start))
    if isinstance(game, Iditacards):
        return max(moves, key=game.plain_play(start.table, game.to_act(start)))
    playing = contest_playouts(game, start, moves, game.to_act(start), None, seed) if len(moves) > 1 else None
    if playing is None:
        return moves[0]
    return max(moves, key=lambda move: playing.play(game.begun(start, move), seed))


def played(ruleset: str, seed: int) -> Iterator[tuple[int, Position]]:
    """Yield who acts in every position of a game with a choice, and ``OVER`` with the last one."""
    position, dice = new_position(ruleset, 2, seed, ()), SplitMix64(seed)
    game, state = position.start()
    for number in range(MOST_STEPS):
        actor = game.to_act(state)
        if actor == OVER:
            yield OVER, position.after(state)
            return
        if actor == CHANCE:
            outcomes = game.chance_outcomes(state)
            left = dice.below(sum(each.ways for each in outcomes))
            step: Step = next(each for n, each in enumerate(outcomes) if left < sum(e.ways for e in outcomes[: n + 1]))
        else:
            moves = game.legal_moves(state)
            if len(moves) > 1:
                yield actor, position.after(state)
            step = moves[0] if len(moves) == 1 else chosen(position.after(state), seed + number)
        state = game.apply(state, step).state


def told(position: Position, playouts: int) -> float:
    """Return the chance that ``best`` tells the seat to move."""
    best = Comparison(Question(position, playouts=playouts)).sampled().moves[0]
    value = best.value if best.win_chance is None else best.win_chance
    assert value is not None
    return float(value)


def measured(ruleset: str, seed: int, playouts: int) -> Told | None:
    """Return what was told in the middle of a game; nothing if it does not end."""
    steps = list(played(ruleset, seed))
    if steps[-1][0] != OVER:
        return None
    place = int(len(steps) * (0.3 + 0.006 * SplitMix64(seed).below(100)))
    seat, middle = steps[place]
    after = next((each for actor, each in steps[place:-1] if actor not in (seat, OVER)), None)
    game, end = steps[-1][1].start()
    payoffs = game.payoffs(end.table)
    lead = float(payoffs[seat] - payoffs[1 - seat])
    won = 0.5 if lead == 0 else float(lead > 0)
    first = told(middle, playouts)
    return Told((first, 1 - won if after is None else told(after, playouts)), won)


def tenths(games: Sequence[Told]) -> list[tuple[int, float, float]]:
    """Return for each tenth the number of chances told, their mean, and the part of them that was won."""
    every = [(chance, abs(seat - game.won)) for game in games for seat, chance in enumerate(game.chances)]
    found = []
    for low in range(10):
        inside = [each for each in every if min(9, int(10 * each[0])) == low]
        if inside:
            found.append((len(inside), *(sum(column) / len(inside) for column in zip(*inside, strict=True))))
    return found


def report(ruleset: str, games: Sequence[Told]) -> None:
    """Print the figures of one game."""
    every = [(chance, abs(seat - game.won)) for game in games for seat, chance in enumerate(game.chances)]
    brier = sum((chance - won) ** 2 for chance, won in every) / len(every)
    half = sum((0.5 - won) ** 2 for _, won in every) / len(every)
    both = sum(sum(game.chances) for game in games) / len(games)
    print(f"{ruleset}: {len(games)} games, Brier {brier:.3f} (one half {half:.3f}), both seats {100 * both:.1f} %")
    for number, mean, won in tenths(games):
        print(f"  {number:4d} told {100 * mean:5.1f} %, won {100 * won:5.1f} %")


def plot(games: Sequence[Told]) -> str:
    """Return all games as an SVG plot: won over told, a circle for each tenth, larger for more chances."""
    dots = [
        f'<circle cx="{20 + 200 * mean:.1f}" cy="{220 - 200 * won:.1f}" r="{1 + number**0.5:.1f}" fill="#2a6"/>'
        for number, mean, won in tenths(games)
    ]
    frame = '<path d="M20 20V220H220M20 220L220 20" fill="none" stroke="#888"/>'
    words = '<text x="90" y="236" font-size="12">told</text><text x="24" y="16" font-size="12">won</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240">{frame}{"".join(dots)}{words}</svg>\n'


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=RULESETS, action="append")
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    everything: list[Told] = []
    for ruleset in args.game or RULESETS:
        found = [measured(ruleset, args.seed + number, args.playouts) for number in range(args.positions)]
        games = [each for each in found if each is not None]
        report(ruleset, games)
        everything += games
    if args.plot is not None:
        args.plot.write_text(plot(everything))


if __name__ == "__main__":
    main()
