"""Random games played through ``play``, killed at random moments: ``python -m benchmarks.soak_play --minutes N``.

Each game is one of an edition, with any number of seats, dealt or with cards that nobody has seen. A step is one of
those that ``moves`` lists; now and then a step is taken back, advice is asked for, or the process is killed. The game
is then resumed: it must stand where the last whole answer left it, or one step later, which was being told.
What breaks is printed, and the saved game is kept; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.soak import every_setup

COMMAND = (sys.executable, "-m", "cli", "play", "--json", "--quiet", "--time", "0.2")
REFUSED = ("nobody decides", "whose hand is not known")
"""Why there may be no advice."""
MOST_STEPS = 400
"""Steps after which a game that does not end is left."""


class Broken(Exception):
    """What must hold does not hold."""


class Play:
    """One process of ``play`` with its game in a file."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.begun = self.read()

    def read(self) -> dict[str, Any]:
        """Return the next answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise Broken(f"it ended with {self.process.wait()}: {self.process.stderr and self.process.stderr.read()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def say(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line: str) -> dict[str, Any]:
        """Type a line and return the answer."""
        self.say(line)
        return self.read()


def game(seed: int, file: Path) -> Counter[str]:
    """Play one game, and return how often what was done."""
    dice = random.Random(seed)
    setup = dice.choice(every_setup())
    table = setup.position(seed).canonical()
    if dice.random() < 0.5:
        seats = table["state"].get("seats") or table["state"]["players"]
        for seat in seats[1:] if isinstance(seats, list) else ():
            seat.pop("hand", None)  # nobody here has seen it
            seat.pop("deck", None)
            table["state"].pop("action_pile", None)
    begun = file.with_suffix(".table.json")
    begun.write_text(json.dumps(table), "utf-8")
    done = Counter[str]()
    play = Play("--save", str(file), str(begun))
    code = play.begun["position_code"]
    for _ in range(MOST_STEPS):
        options = play.ask("moves")["options"]
        if not options:
            done["games ended"] += 1
            break
        chance = dice.random()
        if chance < 0.02 and done["steps"]:
            answer = play.ask("undo")
            done["taken back"] += 1
        elif chance < 0.03:
            answer = play.ask("best")
            done["advice"] += 1
            if "error" in answer and not any(why in answer["error"] for why in REFUSED):
                raise Broken(answer["error"])
            continue
        else:
            step = dice.choice(options)
            if chance > 0.97:
                play.say(step)
                play.process.kill()
                play.process.wait()
                play = resumed(file, begun, code, step)
                answer = play.begun
                done["killed"] += 1
            else:
                answer = play.ask(step)
                done["steps"] += 1
        if "error" in answer:
            raise Broken(f"{answer['error']} (of the moves listed)")
        code = answer["position_code"]
    play.process.kill()
    return done


def resumed(file: Path, begun: Path, code: str, step: str) -> Play:
    """Return the game gone on with: before or after the step that was on its way."""
    if not file.exists():  # killed before the first step was kept
        return Play("--save", str(file), str(begun))
    play = Play("--resume", str(file))
    if play.begun["position_code"] != code:
        if play.ask("undo").get("position_code") != code:
            raise Broken(f"resumed elsewhere, after '{step}'")
        play.say("show")
        play.begun = play.read()
    return play


def main() -> int:
    """Play until the time is over, and print what was done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    done, broken, seed, start = Counter[str](), 0, chosen.seed, perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        while perf_counter() - start < 60 * chosen.minutes:
            file = Path(folder) / f"game-{seed}.json"
            try:
                done += game(seed, file)
            except Broken as fault:
                broken += 1
                kept = Path(f"soak-play-{seed}.json")
                print(f"seed {seed}: {fault}; the game is kept in {kept}", flush=True)
                kept.write_bytes(file.read_bytes() if file.exists() else b"")
            seed += 1
    print(f"{seed - chosen.seed} games, {broken} broken; {', '.join(f'{n} {what}' for what, n in done.items())}")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
