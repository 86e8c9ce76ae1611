"""How long the first answer of ``best`` takes: every game, edition and number of players, opening and middle.

``python -m benchmarks.first_answer [--time SECONDS] [--middle TURNS] [--only WORD]``: for each ruleset and each number
of players that it allows, a position after the setup and one after some turns of seeded random play, with everything
known and with nothing known. Each is put to the command itself, in a process of its own, start-up and reading of the
file included: a player alone asks for the farthest in three turns, one of several who wins. Printed are the seconds by
the clock until the command shows its first move and until it has answered with so little time to search, and the
seconds of the processor for all of that. Machines are shared: on a quiet one the clock shows the processor's seconds.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from rules.core.errors import BestlineError
from rules.core.position import Position, new_position
from rules.core.scripts import CHANCE, OVER, SplitMix64

RULESETS = (
    "iditacards/2017",
    "iditacards/2019-02",
    "iditacards/2019-08",
    "trench_rescue/2012",
    "abyss/2021",
)


def positions(rulesets: list[str], middle: int) -> list[tuple[str, Position]]:
    """Return the positions with a name each."""
    found = []
    for ruleset in rulesets:
        for players in range(1, 5):
            for known in ("open", "hidden"):
                try:
                    position = new_position(
                        ruleset, players=players, seed=players, open_sources=None if known == "open" else []
                    )
                except BestlineError:
                    continue
                found.append((f"{ruleset} {players}p {known} opening", position))
                found.append((f"{ruleset} {players}p {known} middle", played_on(position, middle)))
    return found


def played_on(position: Position, turns: int) -> Position:
    """Return the position after so many turns of random play, or the last one before the end."""
    game, start = position.start()
    table, dice = start.table, SplitMix64(turns)
    for _ in range(turns):
        after = game.sample_turn(table, dice).table
        if game.is_over(after):
            break
        table = after
    return position.with_table(table)


class Timed(NamedTuple):
    """One question to the command."""

    shown_s: float | None
    """By the clock until a first move was shown; none where the answer itself came first."""
    answered_s: float
    """Until the answer."""
    processor_s: float
    """Seconds of the processor until then."""
    told: str


def asked(position: Position, seconds: float, turns: int, environment: Mapping[str, str]) -> Timed:
    """Put a position to the command."""
    words = ["best", "-", "--plain", "--verbose", "--time", str(seconds)]
    if position.players == 1:
        words += ["--goal", "max_distance", "--within-turns", str(turns)]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "cli", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(position.text())
        running.stdin.close()
        shown = None
        said = []
        for line in running.stderr:
            said.append(line)
            if line.startswith("so far:") and shown is None:
                shown = monotonic() - began
        out = running.stdout.read()
    answered = monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    verdict = next((line for line in out.splitlines() if line.partition(":")[0].isupper()), "".join(said[-1:]))
    return Timed(shown, answered, processor, verdict.strip())


def main() -> None:
    """Print one row for each position and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--time", type=float, default=0.3, help="seconds for each answer")
    parser.add_argument("--middle", type=int, default=6)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rulesets = [each for each in RULESETS if options.only in each]
    if not rulesets:
        parser.error(f"no ruleset has '{options.only}' in its name: {', '.join(RULESETS)}")
    found: list[Timed] = []
    with TemporaryDirectory() as compiled:
        # What is installed is compiled; a first run leaves out the time for that.
        root = str(Path(__file__).parents[1])
        environment = {**os.environ, "PYTHONPATH": root, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        warm = ""
        for name, position in positions(rulesets, options.middle):
            game, start = position.start()
            if game.to_act(start) in (OVER, CHANCE):
                continue
            kind = f"{position.ruleset.game} {position.players > 1} {bool(position.hidden)}"
            if kind != warm:
                asked(position, options.time, options.turns, environment)
                warm = kind
            timed = asked(position, options.time, options.turns, environment)
            found.append(timed)
            guess = "   -  " if timed.shown_s is None else f"{timed.shown_s:6.2f}"
            print(
                f"{name:38}{guess} s shown{timed.answered_s:7.2f} s{timed.processor_s:7.2f} CPU s  {timed.told[:58]}",
                flush=True,
            )
    shown = [each.answered_s if each.shown_s is None else each.shown_s for each in found]
    for title, times in (
        ("first shown, seconds", shown),
        ("answered, seconds", [each.answered_s for each in found]),
        ("answered, CPU seconds", [each.processor_s for each in found]),
    ):
        late = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        print(f"{title}: median {median(times):.2f}, 95 % {late:.2f}, max {max(times):.2f}, of {len(times)}")


if __name__ == "__main__":
    main()
