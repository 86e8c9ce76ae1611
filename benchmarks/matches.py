"""Exact search cut short against playouts: open games of two, each side advised by one of them.

``python -m benchmarks.matches RULESET [--seeds N] [--turns N] [--time SECONDS]``: every seeded deal is played twice,
sides changed, for so many turns of both; each decision has the same seconds of the processor. Printed is by how much
the side of exact search was ahead at the end, as the game itself guesses it, and in how many games it was.
"""

from __future__ import annotations

import argparse
from time import process_time

from rules.core.position import Position, new_position
from rules.core.steps import OVER, Step
from solver.engines.contest import best_hidden_contest, contest_question
from solver.question import Question
from solver.search.budget import Budget


def chosen(position: Position, time_s: float, *, exact: bool) -> Step:
    """Return the move of one side."""
    limit = Budget(time_s, clock=process_time)
    if exact:
        return contest_question(position, limit).answer().moves[0].move
    return best_hidden_contest(Question(position, limit=limit)).moves[0].move


def lead(ruleset: str, seed: int, seat: int, turns: int, time_s: float) -> float:
    """Return by how much exact search is ahead in a seat after so many turns of both."""
    position = new_position(ruleset, 2, seed, None)
    game, state = position.start()
    done = 0
    while done < turns and (actor := game.to_act(state)) != OVER:
        steps = game.legal_moves(state) or game.chance_outcomes(state)
        asks = actor >= 0 and len(steps) > 1
        step = chosen(position.after(state), time_s, exact=actor == seat) if asks else steps[0]
        state = game.apply(state, step).state
        done += not state.pending
    guesses = game.guesses(state.table)
    return float(guesses[seat] - guesses[1 - seat])


def main() -> None:
    """Print one row a game and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--turns", type=int, default=24)
    parser.add_argument("--time", type=float, default=0.3)
    asked = parser.parse_args()
    leads = []
    for seed in range(1, asked.seeds + 1):
        for seat in (0, 1):
            leads.append(lead(asked.ruleset, seed, seat, asked.turns, asked.time))
            print(f"deal {seed}, exact search in seat {seat}: ahead by {leads[-1]:+.3f}", flush=True)
    ahead = sum(each > 0 for each in leads)
    behind = sum(each < 0 for each in leads)
    print(f"exact search: ahead in {ahead}, behind in {behind}, by {sum(leads) / len(leads):+.3f} in the mean")


if __name__ == "__main__":
    main()
