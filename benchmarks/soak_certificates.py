"""Changed certificates of every kind and game: none with a false claim holds, and what holds says all that limits it.

python -m benchmarks.soak_certificates --number 1000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.solver.checker.changed import bases, changed
from tests.solver.checker.holding import faults, held


def soak(number: int, seed: int, folder: Path, keep: bool = False) -> int:
    """Change, check and judge so many certificates; print a table, and return the number of faults."""
    counted: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    wrong = 0
    found = bases(folder)
    for place, each in enumerate(islice(changed(found, seed), number)):
        path = each.proof.write(folder / f"changed{place if keep else ''}.proof")
        kind = "bound" if each.proof.claim["bound"] else "closed"
        kinds[f"{each.proof.claim['position']['game']}, {kind}"] += 1
        checked = held(path)
        counted["changed"] += 1
        if checked is None:
            counted["refused"] += 1
            continue
        counted["hold"] += 1
        unfit, judged = faults(each.proof.claim, checked)
        counted["hold, judged by plain search"] += judged
        if unfit:
            wrong += 1
            print(f"{place}: {each.base}: {', '.join(each.changes)}: {'; '.join(unfit)}")
    for name, many in [*sorted(kinds.items()), *counted.items(), ("wrong", wrong)]:
        print(f"{name:<40}{many:>8,}")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, soak, and return the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.soak_certificates", description=str(__doc__).split("\n")[0])
    parser.add_argument("--number", type=int, default=1000, help="changed certificates (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the changes (default 1)")
    parser.add_argument("--folder", type=Path, help="where every changed certificate is kept")
    given = parser.parse_args(arguments)
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
        return int(soak(given.number, given.seed, given.folder, keep=True) > 0)
    with TemporaryDirectory() as name:
        return int(soak(given.number, given.seed, Path(name)) > 0)


if __name__ == "__main__":
    sys.exit(main())
