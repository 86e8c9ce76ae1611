"""Do the tests notice a mistake? One line of the product is changed at a time, and its tests are run.

    python -m benchmarks.mutants [--seed 1] [--each 12] [--area rules] [--no-hot]

Each mutant is a copy of the sources with one operator, number or condition changed. Its hot modules are compiled where
they are here and the change is in none of them. The tests that are nearest to the change run first.
The answer is one line for each: caught or MISSED, with the line before and after.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from rules.core.registry import game_names
from solver.compiled_form import FOLDER, RECORD, hot_modules

ROOT: Final = Path(__file__).parents[1]
AREAS: Final = {
    "rules": (("rules/iditacards", "rules/abyss", "rules/trench_rescue"), ("tests/rules", "tests/cli")),
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
LIMIT_S: Final = 600
"""Seconds of work after which a run of tests counts as noticing: the mistake has made something endless."""
PYTEST: Final = ("-m", "pytest", "-q", "-x", "-m", "not slow", "-p", "no:cacheprovider")


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


def chosen(area: str, number: int, seed: int, *, hot: bool = True) -> list[Mutant]:
    """Return some mutants of an area, each of another module where there are enough."""
    draw = random.Random(seed)
    modules = sorted(path for folder in AREAS[area][0] for path in (ROOT / folder).rglob("*.py"))
    draw.shuffle(modules)
    modules = [path for path in modules if hot or path not in hot_modules().values()]
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


def nearest(mutant: Mutant, tests: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the files of tests in three parts: they import the changed module, name its game, or name no game at all.

    Of the first part are those of any folder.
    """
    package, _, module = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".").rpartition(".")
    imports = re.compile(rf"{package}(\.| import .*\b){module}\b")
    mine = [name for name in game_names() if name in mutant.file]
    others = [name for name in game_names() if name not in mine]
    parts: list[list[str]] = [[], [], []]
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text, name = file.read_text("utf-8"), file.relative_to(ROOT).as_posix()
        if imports.search(text):
            parts[0].append(name)
        elif not name.startswith(tests):
            continue
        elif not mine or any(game in name or f"{game}." in text for game in mine):
            parts[1].append(name)
        elif not any(game in name for game in others):
            parts[2].append(name)
    yield from filter(None, parts)


def is_caught(mutant: Mutant, tests: tuple[str, ...]) -> bool:
    """Return whether a test fails on a copy of the sources with one line changed."""
    with tempfile.TemporaryDirectory() as name:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        files = [ROOT / file for file in filter(None, listed.decode().split("\0"))]
        if ROOT / mutant.file not in hot_modules().values():
            files += [*FOLDER.rglob("*.so"), *FOLDER.glob(RECORD)]
        for file in files:
            target = Path(name) / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
        changed = Path(name) / mutant.file
        lines = changed.read_text("utf-8").splitlines()
        lines[mutant.line - 1] = mutant.after
        changed.write_text("\n".join(lines) + "\n", "utf-8")
        return any(_fails(Path(name), part) for part in nearest(mutant, tests))


def _fails(folder: Path, tests: list[str]) -> bool:
    """Return whether one of some tests fails in a copy of the sources, or never ends."""
    ended = subprocess.run(
        [sys.executable, *PYTEST, *tests],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S)),
        check=False,
    )
    return ended.returncode not in (0, 5)  # 5: all of them are slow


def main() -> None:
    """Change, test, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=12, help="mutants of each area")
    parser.add_argument("--area", choices=AREAS, action="append")
    parser.add_argument("--no-hot", action="store_true", help="none in hot modules, whose copies are not compiled")
    options = parser.parse_args()
    caught = tried = 0
    for area in options.area or AREAS:
        for mutant in chosen(area, options.each, options.seed, hot=not options.no_hot):
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
