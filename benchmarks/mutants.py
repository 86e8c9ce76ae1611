"""Do the tests notice a mistake? One line of the product is changed at a time, and its tests are run.

    python -m benchmarks.mutants [--seed 1] [--each 12] [--area rules]

Each mutant is a copy of the sources with one operator, number or condition changed. Nothing in it is compiled.
The answer is one line for each: caught or MISSED, with the line before and after.
"""

from __future__ import annotations

import argparse
import ast
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
AREAS: Final = {
    "rules": (("rules/iditacards", "rules/abyss", "rules/trench_rescue"), ("tests/rules",)),
    "encodings": (("solver/encodings",), ("tests/solver/encodings",)),
    "checker": (("solver/checker",), ("tests/solver/checker", "tests/cli/test_verify.py")),
    "screens": (("solver/screens",), ("tests/golden", "tests/cli", "tests/test_readme.py")),
}
"""What is changed, and the tests that hold it."""
SWAPS: Final[dict[type[ast.AST], str]] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
}
LIMIT_S: Final = 900.0
"""Seconds after which a run of tests counts as noticing: the mistake has made something endless."""


class Mutant(NamedTuple):
    """One changed line."""

    file: str
    line: int
    before: str
    after: str


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every change of one operator, number or condition on a line of a module."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        change = _change(text, node)
        if change is None:
            continue
        line, start, end, new = change
        before = lines[line - 1].encode()
        after = (before[:start] + new.encode() + before[end:]).decode()
        name = path.relative_to(ROOT).as_posix()
        yield Mutant(name, line, lines[line - 1], after)


def _change(text: str, node: ast.AST) -> tuple[int, int, int, str] | None:
    """Return line, first and last column and new text of a change at a node on one line."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        left, right = node.left, node.comparators[0]
        if left.end_lineno == right.lineno and left.end_col_offset is not None:
            return right.lineno, left.end_col_offset, right.col_offset, f" {SWAPS[type(node.ops[0])]} "
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        left, right = node.left, node.right
        if left.end_lineno == right.lineno and left.end_col_offset is not None:
            return right.lineno, left.end_col_offset, right.col_offset, " - " if isinstance(node.op, ast.Add) else " + "
    if isinstance(node, ast.Constant) and type(node.value) is int and node.end_col_offset is not None:
        return node.lineno, node.col_offset, node.end_col_offset, str(node.value + 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and node.operand.lineno == node.lineno:
        return node.lineno, node.col_offset, node.operand.col_offset, ""
    if isinstance(node, ast.If) and node.test.end_lineno == node.test.lineno and node.test.end_col_offset is not None:
        condition = ast.get_source_segment(text, node.test) or ""
        return node.test.lineno, node.test.col_offset, node.test.end_col_offset, f"not ({condition})"
    return None


def chosen(area: str, number: int, seed: int) -> list[Mutant]:
    """Return some mutants of an area, each of another module where there are enough."""
    draw = random.Random(seed)
    modules = sorted(path for folder in AREAS[area][0] for path in (ROOT / folder).rglob("*.py"))
    draw.shuffle(modules)
    found: list[Mutant] = []
    for path in (*modules, *modules):
        options = [mutant for mutant in mutants_of(path) if mutant not in found and _reads(path, mutant)]
        if options and len(found) < number:
            found.append(draw.choice(options))
    return found


def _reads(path: Path, mutant: Mutant) -> bool:
    """Return whether a module with the change is still Python."""
    lines = path.read_text("utf-8").splitlines()
    lines[mutant.line - 1] = mutant.after
    try:
        ast.parse("\n".join(lines))
    except SyntaxError:
        return False
    return mutant.before != mutant.after


def is_caught(mutant: Mutant, tests: tuple[str, ...]) -> bool:
    """Return whether a test fails on a copy of the sources with one line changed."""
    with tempfile.TemporaryDirectory() as name:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for file in filter(None, listed.decode().split("\0")):
            target = Path(name) / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / file).read_bytes())
        changed = Path(name) / mutant.file
        lines = changed.read_text("utf-8").splitlines()
        lines[mutant.line - 1] = mutant.after
        changed.write_text("\n".join(lines) + "\n", "utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-n",
            "2",
            "-m",
            "not slow",
            "-p",
            "no:cacheprovider",
            *tests,
        ]
        try:
            return subprocess.run(command, cwd=name, capture_output=True, timeout=LIMIT_S, check=False).returncode != 0
        except subprocess.TimeoutExpired:
            return True


def main() -> None:
    """Change, test, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=12, help="mutants of each area")
    parser.add_argument("--area", choices=AREAS, action="append")
    options = parser.parse_args()
    caught = tried = 0
    for area in options.area or AREAS:
        for mutant in chosen(area, options.each, options.seed):
            noticed = is_caught(mutant, AREAS[area][1])
            tried, caught = tried + 1, caught + noticed
            word = "caught" if noticed else "MISSED"
            print(
                f"{word} {mutant.file}:{mutant.line}\n    {mutant.before.strip()}\n    {mutant.after.strip()}",
                flush=True,
            )
    print(f"{caught} of {tried} caught")


if __name__ == "__main__":
    main()
