"""How long default audits take: ``python -m benchmarks.audit_time [NAME ...]``.

Each is an audit of a changed copy of a ruleset, as a designer makes one, or of a shipped ruleset. Its tasks run one
after the other in this process, measured in processor time, so that a busy machine says the same; searches that stop by
their clock count that time too, and nothing else stops them. Told are the seconds of two cores that do nothing else,
the tasks dealt to whichever is free first, without the start of the processes (about a second each):

- *first*: until the first finding is told, and its code;
- *end*: until the last task is done; *CPU*: the processor time of all of them;
- findings by level, and the finders that did not do all they set out to do.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import run
from solver.audit.finding import Audit, Finding, Level
from solver.audit.run import Task, _tasks, carried_out

CORES: Final = 2
CHANGES: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "move of 2": ("iditacards/2019-02", {"cards": {"move": {"effects": [{"op": "move", "n": 2}]}}}),
    "mush for 1 card": ("iditacards/2019-02", {"cards": {"mush": {"energy": 1}}}),
    "first hand of 8, 2017": ("iditacards/2017", {"rules": {"starting_hand": 8}}),
    "push of 9, 2017": ("iditacards/2017", {"cards": {"push": {"effects": [{"op": "move", "n": 9}]}}}),
    "mush for 1 card, August": ("iditacards/2019-08", {"cards": {"mush": {"energy": 1}}}),
    "treasure of 3 AP": ("abyss/2021", {"rules": {"treasure_ap": 3}}),
    "citizen for 1 AP": ("abyss/2021", {"partners": {"ordinary_citizen": {"cost": 1}}}),
    "crews of 8": ("abyss/2021", {"options": {"partner_cap": 8}}),
}
"""Copies with one number changed, good and bad ones."""
SHIPPED: Final = (
    "abyss/small-crews",
    "trench_rescue/worth-the-walk",
    "iditacards/2017",
    "iditacards/2019-02",
    "iditacards/2019-08",
    "trench_rescue/2012",
    "abyss/2021",
)


@dataclass(slots=True)
class Course:
    """One audit."""

    spent: list[float] = field(default_factory=list)
    """Seconds of each task."""
    told: list[tuple[int, float, Finding]] = field(default_factory=list)
    """Each finding: during which task, and how many seconds after it began."""
    done: list[tuple[Task, Audit]] = field(default_factory=list)

    def begun(self) -> tuple[list[float], float]:
        """Return when each task begins on cores that take the next as soon as they are free, and when all is done."""
        free = [0.0] * CORES
        starts = []
        for seconds in self.spent:
            core = free.index(min(free))
            starts.append(free[core])
            free[core] += seconds
        return starts, max(free)


def course(ruleset: Ruleset, seed: int) -> Course:
    """Return how an audit goes."""
    told = Course()
    began = time.process_time()

    def hear(finding: Finding) -> None:
        told.told.append((len(told.spent), time.process_time() - began, finding))

    for task in _tasks(ruleset, None, None, seed, CORES, run.FINDERS):
        began = time.process_time()
        told.done.append((task, carried_out(task, time.process_time, tell_found=hear)))
        told.spent.append(time.process_time() - began)
    return told


def rows(name: str, found: Course) -> Iterator[str]:
    """Yield what is printed of an audit."""
    starts, end = found.begun()
    first = min(((starts[task] + after, each.code) for task, after, each in found.told), default=None)
    levels = Counter(each.level for _, part in found.done for each in part.findings)
    counts = ", ".join(f"{levels[level]} {level}" for level in Level if levels[level]) or "nothing"
    open_ = sorted({each.code for _, part in found.done for each in part.searched if not each.complete})
    soonest = f"{first[0]:6.1f} {first[1]:9}" if first else f"{'-':>6} {'':9}"
    stopped = f"; not finished: {', '.join(open_)}" if open_ else ""
    yield f"{name:30} {soonest} {end:6.1f} {sum(found.spent):7.1f}  {counts}{stopped}"
    parts = (f"{task.codes[0]} {spent:.1f}" for (task, _), spent in zip(found.done, found.spent, strict=True))
    yield f"{'':30} {', '.join(parts)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each audit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", help="A part of the name of an audit.")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    print(f"{'audit':30} {'first':>6} {'':9} {'end':>6} {'CPU':>7}  findings")
    for name in [*CHANGES, *SHIPPED]:
        if not options.name or any(part in name for part in options.name):
            base, change = CHANGES.get(name, (name, {}))
            ruleset = extended(load_ruleset(base), change) if change else load_ruleset(base)
            for row in rows(name, course(ruleset, options.seed)):
                print(row, flush=True)


if __name__ == "__main__":
    main()
