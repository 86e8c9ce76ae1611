"""Exact answers held against complete play, on random tables: ``python -m benchmarks.soak_answers --seconds S``.

Deals small tables of Iditacards, every edition, with random rulings, and asks about each what the fast forms tell:
chances of risk cards and their bounds (``risk``), values where a deck is hidden (``hidden``), values of open turns
(``open``), the same with something to keep (``kept``) and with new days under rulesets that have forms of races
(``race``), what payments are worth (``pay``), and what is said of the steps of a record (``review``). Of all games
duels are asked (``duel``), of both other games challenges of a player alone (``challenge``). Every answer has
to be that of complete play, equal as a fraction, and bounds have to lie on the right sides. A difference is printed
with the position, ready to be loaded, and its seed: ``--kind KIND --seed SEED --each 1`` asks it again; the exit code
is then 1. Where complete play would take too long, what is left of a table is not asked; such tables are counted.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.complete_play import TooLong
from benchmarks.soak import in_time
from benchmarks.soak_compared import Compared
from benchmarks.soak_games import alone, challenges, duel, duels
from benchmarks.soak_kinds import hidden, kept, opened, payments, races, reviews, risk
from benchmarks.soak_tables import TAME_PART, random_position
from rules.core.files import canonical_json
from rules.core.position import Position


class Kind(NamedTuple):
    """One kind of question."""

    ask: Callable[[Position, random.Random, int], Iterator[Compared]]
    """Asks about a position, with so many ways for complete play."""
    deal: Callable[[int], Position]
    """Deals the position of a seed."""


def _tables(
    is_open: bool | None, tame_part: float = TAME_PART, rulesets: Sequence[str] = ()
) -> Callable[[int], Position]:
    """Return what deals tables of Iditacards; where everything may be known or not, every other one is open."""

    def deal(seed: int) -> Position:
        known = seed % 2 == 0 if is_open is None else is_open
        return random_position(seed, is_open=known, tame_part=tame_part, rulesets=rulesets)

    return deal


RACES: Final = tuple(
    f"iditacards/{name}"
    for name in ("starter-race", "starter-weather", "starter-legs", "starter-trail", "open-track", "2019-02", "2019-08")
)
"""Rulesets whose races have forms of their own."""
KINDS: Final[Mapping[str, Kind]] = {
    "risk": Kind(risk, _tables(False)),
    "hidden": Kind(hidden, _tables(False, 0.9)),
    "open": Kind(opened, _tables(True)),
    "kept": Kind(kept, _tables(True)),
    "race": Kind(races, _tables(True, 0.9, RACES)),
    "pay": Kind(payments, _tables(None)),
    "review": Kind(reviews, _tables(None)),
    "duel": Kind(duels, duel),
    "challenge": Kind(challenges, alone),
}
WAYS = 8_000
"""Ways through turns that complete play may take for one question."""
COLUMNS = ("tables", "too long", "answers", "exactly", "bounds", "refused", "different")


def questions(kinds: Sequence[str], each: int, seed: int) -> Iterator[tuple[str, Position]]:
    """Yield so many positions for each kind, the kinds in turn; the n-th of a kind is that of seed ``seed + n``."""
    for number in range(seed, seed + each):
        for kind in kinds:
            yield kind, position_of(kind, number)


def position_of(kind: str, seed: int) -> Position:
    """Return the position of a seed for a kind of question."""
    return KINDS[kind].deal(seed)


def _text(position: Position) -> str:
    """Return the position as a line that can be loaded, without what follows from the rest."""
    return canonical_json(position.shortened())


def asked(kind: str, position: Position, seed: int, ways: int) -> Counter[str]:
    """Ask all of one position, print what differs, and return how many answers there were of every sort."""
    count = Counter({"tables": 1})
    try:
        for answer in KINDS[kind].ask(position, random.Random(f"{kind} {seed}"), ways):
            count["answers"] += 1
            count["refused" if answer.is_refused else "exactly" if answer.is_exact else "bounds"] += 1
            if answer.differs:
                count["different"] += 1
                told = f"{answer.question}: {answer.answer}, complete play: {answer.complete}"
                print(f"{kind}, seed {seed}: {told}\n  {_text(position)}", flush=True)
    except TooLong:
        count["too long"] += 1
    except Exception as error:  # whatever it is, it is what a soak looks for, and the others go on
        count["different"] += 1
        print(f"{kind}, seed {seed}: {type(error).__name__}: {error}\n  {_text(position)}", flush=True)
    return count


def soak(kinds: Sequence[str], each: int, seconds: float, seed: int, ways: int) -> int:
    """Ask, print a table of what was asked, and return how many answers differ."""
    counts = {kind: Counter[str]() for kind in kinds}
    start = perf_counter()
    for number, kind, position in in_time(questions(kinds, each, seed), seconds):
        counts[kind] += asked(kind, position, seed + number // len(kinds), ways)
    print(f"{'kind':<10}" + "".join(f"{name:>12}" for name in COLUMNS))
    for name, count in {**counts, "all": sum(counts.values(), Counter[str]())}.items():
        print(f"{name:<10}" + "".join(f"{count[column]:>12,}" for column in COLUMNS))
    print(f"{perf_counter() - start:,.0f} s")
    return sum(count["different"] for count in counts.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, soak, and return the exit code."""
    summary = "Exact answers held against complete play."
    parser = argparse.ArgumentParser(prog="benchmarks.soak_answers", description=summary)
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="what is asked (default all, in turn)")
    parser.add_argument("--each", type=int, default=100, help="tables for each kind (default 100)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first table (default 1)")
    parser.add_argument("--ways", type=int, default=WAYS, help=f"ways through turns at most (default {WAYS:,})")
    given = parser.parse_args(arguments)
    kinds = list(dict.fromkeys(given.kind or KINDS))
    return int(soak(kinds, given.each, given.seconds, given.seed, given.ways) > 0)


if __name__ == "__main__":
    sys.exit(main())
