"""Endgames of two players with at most six cards on a field of four by four: ``python -m benchmarks.duels``.

Every endgame is dealt from its seed: one or two soldiers of each side on the field and wounded cards to make six, one
soldier in each trench, five cards in each deck: those are still to come out, so that ``--home 0 --deck 0`` asks for
endgames of six cards in all. Decks are queues that everybody knows, or hidden and shuffled; shells are always hidden.
The time allowed for each is wall time; processor time is printed beside it, as other work may share the machine.

``--best`` asks for the best move instead, processor time being all that counts: a second more each time, until best
move and value are exact, then for the losses of the other moves until the time is over.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any, Final

from rules.core.position import Position, load_position
from rules.core.scripts import SplitMix64
from solver.encodings import duel_tree
from solver.engines.contest import ContestQuestion
from solver.question import Question, Status
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectiminimax import Expectiminimax

CARDS: Final = 6
LIMIT: Final = 20
RANKS: Final = "23456789TJQKA"


def endgame(seed: int, left: int, mode: str, at_home: int = 1, deck: int = 5) -> Position:
    """Return an endgame with ``left`` turns to play, one under way included."""
    generator = SplitMix64(1_000 * left + seed)
    packs = [generator.shuffle([rank + suit for rank in RANKS for suit in suits]) for suits in ("CS", "DH")]
    out = [1 + generator.below(2) for _ in packs]

    def cell() -> str:
        return f"{1 + generator.below(4)},{1 + generator.below(4)}"

    soldiers: list[dict[str, Any]] = []
    for pack, count in zip(packs, out, strict=True):
        soldiers += [{"card": pack.pop(), "cell": cell()} for _ in range(count)]
    piles: dict[str, list[str]] = {}
    for _ in range(CARDS - sum(out)):
        piles.setdefault(cell(), []).append(packs[generator.below(2)].pop())
    for soldier in soldiers:
        if piles and generator.below(3) == 0:
            where = sorted(piles)[generator.below(len(piles))]
            soldier["carries"] = piles[where].pop()
            if not piles[where]:
                del piles[where]
    colours = ("black", "red")
    starter = colours[generator.below(2)]
    state = {
        "turn": LIMIT - left + 1,
        "soldiers": soldiers,
        "piles": piles,
        "trench": {colour: [pack.pop() for _ in range(at_home)] for colour, pack in zip(colours, packs, strict=True)},
        "deck": {colour: sorted(pack.pop() for _ in range(deck)) for colour, pack in zip(colours, packs, strict=True)},
        "starter": starter,
        "to_move": starter,
    }
    options = {"deck_mode": mode, "turn_limit": LIMIT}
    text = {
        "game": "trench_rescue",
        "ruleset": "2012",
        "players": 2,
        "options": options,
        "chance": {"open": ["cards"]},
        "state": state,
    }
    return load_position(json.dumps(text))


def asked_best(position: Position, most: float) -> tuple[bool, str]:
    """Return whether best move and value are exact within so many seconds of the processor, and what to print of it."""
    question = ContestQuestion(Question(position, limit=Budget(time_s=0.0, clock=time.process_time)))
    settled, allowed = most, 0.0
    while allowed < most:
        allowed = min(allowed + 1.0, most)
        question.budget.time_s = allowed
        report = question.answer()
        if report.status is Status.OPTIMAL:
            settled = min(settled, question.budget.elapsed_s)
        if report.verdict == "exact":
            break
    best, spent = report.moves[0], question.budget.elapsed_s
    known = sum(each.loss is not None for each in report.moves)
    told = f"{best.move.text:>14} {report.value!s:>24} {report.statistics.generated:9,}"
    exact = report.status is Status.OPTIMAL
    when = f"exact by {settled:5.2f} s" if exact else f"{report.turns} turns ahead"
    return exact, f"{told} {when}, {known} of {len(report.moves)} losses by {spent:5.2f} s cpu"


def ask_best(modes: Sequence[str], turns: Sequence[int], count: int, most: float, at_home: int, deck: int) -> None:
    """Print the best move of each endgame, then how many were exact within the time."""
    for mode in modes:
        for left in turns:
            exact = 0
            for seed in range(count):
                found, told = asked_best(endgame(seed, left, mode, at_home, deck), most)
                exact += found
                print(f"{mode} {left} {seed:3} {told}", flush=True)
            print(f"{mode}, {left} turns left: best move and value of {exact} of {count} exact within {most:g} s cpu")


def main() -> None:
    """Print each value with what it cost, then how many were exact within the time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--left", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--slack", type=float, default=1.0)
    parser.add_argument("--home", type=int, default=1, help="soldiers in each trench")
    parser.add_argument("--deck", type=int, default=5, help="cards in each deck")
    parser.add_argument("--modes", nargs="*", default=["queue", "shuffle"])
    parser.add_argument("--best", action="store_true", help="ask for the best move")
    asked = parser.parse_args()
    if asked.best:
        ask_best(asked.modes, asked.left, asked.count, asked.time, asked.home, asked.deck)
        return
    for mode in asked.modes:
        for left in asked.left:
            exact = 0
            for seed in range(asked.count):
                game, start = endgame(seed, left, mode, asked.home, asked.deck).start()
                tree = duel_tree(game, start.table)
                begun, wall = time.process_time(), time.perf_counter()
                search = Expectiminimax(tree, Budget(time_s=asked.time * asked.slack).start())
                try:
                    value = str(search.value(start))
                    exact += time.process_time() - begun <= asked.time
                except BudgetExceeded:
                    value = "not within the time"
                spent, clock = time.process_time() - begun, time.perf_counter() - wall
                keys = search.keys
                print(f"{mode} {left} {seed:3} {value:>24} {keys:9,} {spent:6.2f} s cpu {clock:6.2f} s", flush=True)
            within = f"exact within {asked.time:g} s of processor time each"
            print(f"{mode}, {left} turns left: {exact} of {asked.count} {within}")


if __name__ == "__main__":
    main()
