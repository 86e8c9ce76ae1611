"""bestline beside other tools on the same puzzles: who proves how many, in what time, at what rate, in how much memory.

``python -m benchmarks.peers [--seeds N] [--time SECONDS] [--growth] [--only WORD]``: fewest turns to 5, 10, 15, 20 and
25 spaces on the first day of the starter race, seeds 0 … N - 1, known order; then one table of them all.
``--targets`` asks for others. ``--growth`` asks instead how time grows with turns, deck and hand. Times are those of
the processor; where a question takes longer than ``--time`` by the clock it is not proved. Everybody has a process of
its own, which is stopped when a question takes longer than its time and begun again for the next; what a prover of
optima says must agree with bestline, or the run ends. Tools that are not installed are named as such.
``benchmarks/peers_ways.py`` says what is in the times.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Iterable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median, quantiles
from typing import Final

from benchmarks.peers_facts import Puzzle
from benchmarks.peers_ways import BESTLINE, CONTESTANTS, Contestant, Found, Question, installed

TARGETS: Final = (5, 10, 15, 20, 25)
GROWTH: Final = {
    "target": [Puzzle(0, target) for target in (5, 10, 20, 30, 40)],
    "deck": [Puzzle(0, 20, deck=cards) for cards in (7, 11, 15, 19)],
    "hand": [Puzzle(0, 20, hand=cards) for cards in (4, 6, 8, 10)],
}
GRACE: Final = 2.0
"""Seconds of the clock beyond its time after which a contestant is stopped."""
START_UP: Final = 240.0
"""Seconds for imports and for compiling."""

FIRST: Final = Question(Puzzle(0, 5), 60.0)
"""Answered by everybody before the first clock runs, so that nobody is charged for what is loaded at first use."""

Answers = dict[Puzzle, Found]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--targets", type=int, nargs="+", default=TARGETS, help="spaces to reach")
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each question")
    parser.add_argument("--growth", action="store_true", help="how time grows, instead of the table of all")
    parser.add_argument("--only", default="", help="ask contestants with this word in their names, and bestline")
    options = parser.parse_args(arguments)
    if options.growth:
        puzzles = list(dict.fromkeys(puzzle for row in GROWTH.values() for puzzle in row))
    else:
        puzzles = [Puzzle(seed, target) for target in options.targets for seed in range(options.seeds)]
    asked = [each for each in CONTESTANTS if each is BESTLINE or options.only in each.name]
    packages = sorted({name for each in asked for name in each.packages})
    print(", ".join(f"{name} {installed(name) or 'not installed'}" for name in packages), flush=True)
    table([Question(each, options.time) for each in puzzles], asked, growth=options.growth)


def table(questions: list[Question], asked: Iterable[Contestant], *, growth: bool) -> None:
    """Ask everybody in turn and print a row for each."""
    ours, memory = answers(BESTLINE, questions)
    can = [each for each in questions if _value(ours, each.puzzle)]
    if len(can) < len(questions):
        print(f"left out, since they have no answer on the first day: {len(questions) - len(can)} of {len(questions)}")
    print(_growth_head(can, ours) if growth else _head(), flush=True)
    by_target: list[str] = []
    for each in asked:
        missing = each.missing()
        if missing:
            print(f"{each.name:22} not installed: {missing}")
            continue
        theirs = ours
        if each is not BESTLINE:
            theirs, memory = answers(each, can)
            agree(each, ours, theirs)
        print(_times(each, can, theirs) if growth else _row(each, can, ours, theirs, memory), flush=True)
        by_target.append(_by_target(each, can, ours, theirs))
    if not growth:
        targets = sorted({each.puzzle.target for each in can})
        print("\nratio by target".ljust(23) + "".join(f"{target:>9}" for target in targets), *by_target, sep="\n")


def agree(contestant: Contestant, ours: Answers, theirs: Answers) -> None:
    """Hold the values that somebody proved against bestline's.

    Raises:
        SystemExit: one of them differs.
    """
    for puzzle, found in theirs.items():
        if found.value is not None and found.value != _value(ours, puzzle):
            raise SystemExit(f"{puzzle}: {contestant.name} says {found.value}, bestline {_value(ours, puzzle)}")


def answers(contestant: Contestant, questions: Sequence[Question]) -> tuple[Answers, int]:
    """Return what a contestant found, and the most memory of its processes in kB; unanswered questions are left out."""
    found: Answers = {}
    most = 0
    waiting = list(questions)
    while waiting:
        here, there = get_context("spawn").Pipe(duplex=False)
        process = get_context("spawn").Process(target=_work, args=(there, contestant.name, waiting), daemon=True)
        process.start()
        there.close()
        try:
            if not here.poll(START_UP):
                raise SystemExit(f"{contestant.name} does not start")
            here.recv()
            while waiting and here.poll(waiting[0].time_s + GRACE):
                answer, memory = here.recv()
                most = max(most, memory)
                if answer is not None:
                    found[waiting[0].puzzle] = answer
                waiting.pop(0)
        except EOFError:
            raise SystemExit(f"{contestant.name} failed; what it said stands above") from None
        finally:
            process.terminate()
            process.join()
        waiting = waiting[1:]
    return found, most


def _work(there: Connection, name: str, questions: Sequence[Question]) -> None:
    """Answer questions one by one, in a process of its own."""
    contestant = next(each for each in CONTESTANTS if each.name == name)
    contestant.prepare()
    contestant.ask(FIRST)
    there.send(None)
    for question in questions:
        found: Found | None = contestant.ask(question)
        if found is not None and found.clock > question.time_s:
            found = None
        used = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        there.send((found, max(used)))


def _value(found: Answers, puzzle: Puzzle) -> int | None:
    return found[puzzle].value if puzzle in found else None


def _growth_head(questions: Sequence[Question], ours: Answers) -> str:
    words = [f"{each.puzzle.target}/{each.puzzle.deck or '-'}/{each.puzzle.hand or '-'}" for each in questions]
    turns = "".join(f"{ours[each.puzzle].value:>10}" for each in questions)
    head = "target/deck/hand".ljust(22) + "".join(f"{word:>10}" for word in words)
    return f"{head}\n{'turns':22}{turns}"


def _head() -> str:
    over = (("", 8), ("with the rules", 17), ("", 14), ("without", 9))
    columns = (("proved", 8), ("median s", 9), ("95 % s", 8), ("ratio", 7), ("least", 7))
    others = (("median s", 9), ("ratio", 7), ("least", 7), ("states/s", 10), ("search s", 9), ("MB", 6))
    lines = ("".join(f"{name:>{width}}" for name, width in each) for each in (over, (*columns, *others)))
    return "\n".join(name.ljust(22) + line for name, line in zip(("", "contestant"), lines, strict=True))


def _times(contestant: Contestant, questions: Sequence[Question], found: Answers) -> str:
    cells = []
    for question in questions:
        told = found.get(question.puzzle)
        cells.append(f"> {question.time_s:.0f}" if told is None or told.value is None else f"{told.whole:.3f}")
    return contestant.name.ljust(22) + "".join(f"{cell:>10}" for cell in cells)


def _row(
    contestant: Contestant,
    questions: Sequence[Question],
    ours: Answers,
    theirs: Answers,
    memory: int,
) -> str:
    """Return a row; times are of proved puzzles only, ratios are theirs to bestline's on the same puzzle.

    These come in pairs, median and least: of whole times, then of times without the rules' answers to bestline's whole
    ones.
    """
    proved = {puzzle: found for puzzle, found in theirs.items() if found.value is not None}
    cells = [f"{len(proved)}/{len(questions)}".rjust(8)]
    if proved:
        times = [found.whole for found in proved.values()]
        searched = [found.searched for found in proved.values()]
        states = sum(found.states for found in proved.values())
        late = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
        cells += [f"{median(times):9.3f}{late:8.2f}{_ratios(proved, ours)}"]
        cells += [f"{median([found.alone for found in proved.values()]):9.3f}{_ratios(proved, ours, alone=True)}"]
        cells += [f"{states / sum(searched):10,.0f}{median(searched):9.3f}" if states else f"{'-':>10}{'-':>9}"]
    else:
        cells.append("-".rjust(9) + " " * 64)
    return contestant.name.ljust(22) + "".join(cells) + f"{memory / 1024:6,.0f}"


def _ratios(proved: Answers, ours: Answers, *, alone: bool = False) -> str:
    ratios = _each_ratio(proved, ours, alone=alone)
    return f"{median(ratios):7.1f}{min(ratios):7.1f}" if ratios else f"{'-':>7}{'-':>7}"


def _each_ratio(proved: Answers, ours: Answers, *, alone: bool = False) -> list[float]:
    both = [(found, ours[puzzle]) for puzzle, found in proved.items() if puzzle in ours and found.value is not None]
    return [(found.alone if alone else found.whole) / mine.whole for found, mine in both]


def _by_target(contestant: Contestant, questions: Sequence[Question], ours: Answers, theirs: Answers) -> str:
    """Return the median ratios of whole times, target by target."""
    cells = []
    for target in sorted({each.puzzle.target for each in questions}):
        ratios = _each_ratio({puzzle: found for puzzle, found in theirs.items() if puzzle.target == target}, ours)
        cells.append(f"{median(ratios):.1f}" if ratios else "-")
    return contestant.name.ljust(22) + "".join(f"{cell:>9}" for cell in cells)


if __name__ == "__main__":
    main()
