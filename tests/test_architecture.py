"""The lines that ARCHITECTURE.md draws, held by reading the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from solver.commands import HOMES as COMMANDS
from solver.commands.settings import loaded

ROOT = Path(__file__).parents[1]
LAYERS = ("rules", "puzzles", "solver", "solver.commands")
"""From the bottom up; ``cli.py`` belongs to the topmost."""
FOLDERS = [layer for layer in LAYERS if "." not in layer]
MODULES = sorted([ROOT / "cli.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))])
GAMES = sorted(path.parent.name for path in (ROOT / "rules").glob("*/__init__.py") if path.parent.name != "core")
EDITIONS = ("2017", "2019-02", "2019-08")
HOMES = {
    "typer": ("solver/commands/",),
    "prompt_toolkit": ("solver/commands/line_input.py",),
    "rich": ("solver/render.py",),
    "ortools": ("solver/model/",),
    "networkx": ("solver/tools/export.py",),
    "distributed": ("solver/executor.py",),
    "cython": ("solver/search/", "solver/encodings/"),
}
"""Where each package that we did not write may be imported."""
NO_CHANCE_NO_CLOCK = {"random", "secrets", "time"}
"""Kept out of the rules; the types of ``datetime`` are what TOML files may hold, and ruff keeps its clock out."""
LONGEST = 500
"""Lines beyond which a reader gets lost in a module."""
LONGEST_FUNCTION = 60
"""Lines beyond which a reader gets lost in a function."""
DISPATCH = ("iditacards/machine.py",)
"""Modules whose interpreter is one list of cases."""
FULLEST = 16
"""Modules beyond which a reader gets lost in a folder."""


@cache
def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


RULES = [path for path in MODULES if name_of(path).startswith("rules/")]
CHECKER = [path for path in MODULES if name_of(path).startswith("solver/checker/")]
ABOVE_GAMES = [path for path in MODULES if not name_of(path).startswith(("rules/", "solver/encodings/"))]


def layer_of(module: str) -> int | None:
    if f"{module}.".startswith(("cli.", f"{LAYERS[-1]}.")):
        return len(LAYERS) - 1
    top = module.split(".")[0]
    return LAYERS.index(top) if top in LAYERS else None


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return the full name of every module that a file imports anywhere, late and for types alike."""
    names: list[str] = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno}: imports are absolute here"
            names.extend(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(names)


def bad_imports(paths: list[Path], allowed: Callable[[Path, str], bool]) -> list[str]:
    """Return every import of these modules that is not allowed."""
    return [f"{name_of(path)} imports {each}" for path in paths for each in imports(path) if not allowed(path, each)]


def texts(path: Path) -> list[str]:
    """Return the texts in a file's code, docstrings left out."""
    docstrings = {id(node.value) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Constant))
    return [node.value for node in constants if isinstance(node.value, str) and id(node) not in docstrings]


def test_every_layer_and_game_is_seen() -> None:
    assert {name_of(path).split("/")[0] for path in MODULES} == {*FOLDERS, "cli.py"}
    assert "iditacards" in GAMES


def test_imports_go_downwards() -> None:
    def downwards(path: Path, module: str) -> bool:
        own, layer = layer_of(name_of(path).removesuffix(".py").replace("/", ".")), layer_of(module)
        assert own is not None
        return layer is None or layer <= own

    assert bad_imports(MODULES, downwards) == []


def test_packages_stay_in_their_homes() -> None:
    def at_home(path: Path, module: str) -> bool:
        top = module.split(".")[0]
        ours = top in sys.stdlib_module_names or layer_of(module) is not None
        return ours or name_of(path).startswith(HOMES.get(top, ()))

    assert bad_imports(MODULES, at_home) == []


def test_rules_are_pure_and_games_apart() -> None:
    def pure(path: Path, module: str) -> bool:
        parts = module.split(".")
        if parts[0] == "rules":
            return parts[1] in ("core", name_of(path).split("/")[1])
        return parts[0] in sys.stdlib_module_names - NO_CHANCE_NO_CLOCK

    assert bad_imports(RULES, pure) == []


def test_model_and_search_do_not_meet() -> None:
    apart = {"solver/model/": "solver.search", "solver/search/": "solver.model"}

    def is_apart(path: Path, module: str) -> bool:
        return not any(name_of(path).startswith(home) and module.startswith(apart[home]) for home in apart)

    assert bad_imports(MODULES, is_apart) == []


def test_the_checker_knows_no_search_no_model_and_no_encoding() -> None:
    def independent(_: Path, module: str) -> bool:
        ours = module.startswith(("rules.core.", "puzzles.puzzle.", "solver.checker."))
        return module.split(".")[0] in sys.stdlib_module_names or ours

    assert bad_imports(CHECKER, independent) == []


def test_checking_loads_no_solver() -> None:
    script = "import sys, solver.checker.certificate\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = [name for name in run.stdout.split() if name.startswith("solver.")]
    assert "solver.checker.certificate" in loaded
    assert [name for name in loaded if not name.startswith("solver.checker")] == []
    assert [name for name in run.stdout.split() if name.startswith(("solver.encodings", "ortools"))] == []


def test_no_edition_is_named() -> None:
    named = [(name_of(path), text) for path in MODULES for text in texts(path) if any(it in text for it in EDITIONS)]
    assert named == [], "an edition is data"


def test_no_game_is_named_above_the_rules() -> None:
    assert bad_imports(ABOVE_GAMES, lambda _, module: not set(module.split(".")) & set(GAMES)) == []
    named = [
        f"{name_of(path)}:{number}"
        for path in ABOVE_GAMES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if any(game in line.lower() for game in GAMES)
    ]
    assert named == [], "games are found, not named"


def test_modules_are_short_enough_to_read() -> None:
    assert [name_of(path) for path in MODULES if len(path.read_text("utf-8").splitlines()) > LONGEST] == []


def test_functions_are_short_enough_to_read() -> None:
    # An interpreter's dispatch is one list of cases, which parts would only hide.
    long = [
        f"{name_of(path)}:{node.lineno} {node.name}"
        for path in MODULES
        if not name_of(path).endswith(DISPATCH)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


def test_folders_are_small_enough_to_survey() -> None:
    modules = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    assert [folder for folder, number in modules.items() if number > FULLEST] == []


def test_imports_make_no_cycle() -> None:
    modules = {name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in MODULES}

    def needed(path: Path) -> set[str]:
        return {name if name in modules else name.rpartition(".")[0] for name in imports(path)} & set(modules)

    TopologicalSorter({name: needed(path) for name, path in modules.items()}).prepare()  # raises at a cycle


def test_no_test_lends_to_others() -> None:
    lenders = {
        f"{path.relative_to(ROOT)}: {module}"
        for folder in ("tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        for module in imports(path)
        if module.startswith("tests.") and ".test_" in module.rpartition(".")[0]
    }
    assert not lenders, "what several tests need lies in a module beside them"


HEAVY = {"ortools", "prompt_toolkit", "networkx", "pandas", "numpy", "rich", "solver.commands.play"}
SEARCHES = {"solver.engines.answers", *(f"rules.{game}.engine" for game in GAMES)}


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        (["solve", "--help"], HEAVY | SEARCHES),
        (["--help"], HEAVY | SEARCHES | {"puzzles.puzzle", *(f"solver.commands.{home}" for home in COMMANDS.values())}),
        (["position", "show", "sprint-10"], HEAVY | {"solver.engines.answers"}),
        (["moves", "one-by-one"], HEAVY | {"solver.engines.answers"}),
        (["solve", "sprint-10", "--no-cache"], HEAVY | {"solver.engines.hidden", "solver.search.dealing.dealt"}),
        (["audit", "iditacards/starter-race", "--only", "ASSERT"], HEAVY),
    ],
)
def test_a_command_loads_nothing_that_it_does_not_need(words: list[str], spared: set[str]) -> None:
    script = f"import sys, cli\ntry: cli.main({words})\nfinally: print(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout
    assert not spared & set(run.stderr.split())


@pytest.mark.parametrize("word", COMMANDS)
def test_each_command_is_in_the_module_that_is_loaded_for_it(word: str) -> None:
    assert loaded(word).name == word
