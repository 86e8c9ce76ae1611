"""The lines that ARCHITECTURE.md draws, held by reading the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.commands import app

ROOT = Path(__file__).parents[1]
LAYERS = ("rules", "puzzles", "solver", "solver.commands")
"""From the bottom up; ``cli.py`` belongs to the topmost."""
FOLDERS = [layer for layer in LAYERS if "." not in layer]
MODULES = sorted([ROOT / "cli.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))])
GAMES = sorted(path.parent.name for path in (ROOT / "rules").glob("*/__init__.py") if path.parent.name != "core")
EDITIONS = ("2017", "2019-02", "2019-08")
HOMES = {
    "typer": ("solver/commands/",),
    "rich": ("solver/render.py",),
    "ortools": ("solver/model/",),
    "networkx": ("solver/search/state_graph.py",),
    "distributed": ("solver/executor.py",),
    "numpy": ("solver/search/", "solver/encodings/"),
    "cython": ("solver/search/", "solver/encodings/"),
}
"""Where each package that we did not write may be imported."""
NO_CHANCE_NO_CLOCK = {"random", "secrets", "time"}
"""Kept out of the rules; the types of ``datetime`` are what TOML files may hold, and ruff keeps its clock out."""
LONGEST = 500
"""Lines beyond which a reader gets lost in a module."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_module = pytest.mark.parametrize("path", MODULES, ids=name_of)
RULES = [path for path in MODULES if name_of(path).startswith("rules/")]
rules_modules = pytest.mark.parametrize("path", RULES, ids=name_of)
OF_A_GAME = [path for path in MODULES if name_of(path).startswith(("rules/", "solver/encodings/"))]
modules_above = pytest.mark.parametrize("path", [path for path in MODULES if path not in OF_A_GAME], ids=name_of)


def layer_of(module: str) -> int | None:
    if f"{module}.".startswith(("cli.", f"{LAYERS[-1]}.")):
        return len(LAYERS) - 1
    top = module.split(".")[0]
    return LAYERS.index(top) if top in LAYERS else None


def imports(path: Path) -> Iterator[str]:
    """Yield the full name of every module that a file imports anywhere, late and for types alike."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno}: imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def words(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts in a file's code with their lines, docstrings left out."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def test_every_layer_and_game_is_seen() -> None:
    assert {name_of(path).split("/")[0] for path in MODULES} == {*FOLDERS, "cli.py"}
    assert "iditacards" in GAMES


@every_module
def test_imports_go_downwards(path: Path) -> None:
    own = layer_of(name_of(path).removesuffix(".py").replace("/", "."))
    assert own is not None
    for module in imports(path):
        layer = layer_of(module)
        assert layer is None or layer <= own, f"{name_of(path)} imports {module}"


@every_module
def test_packages_stay_in_their_homes(path: Path) -> None:
    for module in imports(path):
        top = module.split(".")[0]
        if top in sys.stdlib_module_names or layer_of(module) is not None:
            continue
        assert name_of(path).startswith(HOMES.get(top, ())), f"{name_of(path)} imports {module}"


@rules_modules
def test_rules_are_pure_and_games_apart(path: Path) -> None:
    place = name_of(path).split("/")
    for module in imports(path):
        parts = module.split(".")
        assert parts[0] == "rules" or parts[0] in sys.stdlib_module_names - NO_CHANCE_NO_CLOCK, module
        if parts[0] == "rules":
            assert parts[1] in ("core", place[1]), f"{name_of(path)} imports {module}"


@every_module
def test_model_and_search_do_not_meet(path: Path) -> None:
    apart = {"solver/model/": "solver.search", "solver/search/": "solver.model"}
    for home, stranger in apart.items():
        if name_of(path).startswith(home):
            assert not [module for module in imports(path) if module.startswith(stranger)]


CHECKER = [path for path in MODULES if name_of(path).startswith("solver/checker/")]


@pytest.mark.parametrize("path", CHECKER, ids=name_of)
def test_the_checker_knows_no_search_no_model_and_no_encoding(path: Path) -> None:
    for module in imports(path):
        top = module.split(".")[0]
        known = top in sys.stdlib_module_names or module.startswith(("rules.core.", "puzzles.goal.", "solver.checker."))
        assert known, f"{name_of(path)} imports {module}"


def test_checking_loads_no_solver() -> None:
    script = "import sys, solver.checker.check\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = [name for name in run.stdout.split() if name.startswith("solver.")]
    assert "solver.checker.check" in loaded
    assert [name for name in loaded if not name.startswith("solver.checker")] == []
    assert [name for name in run.stdout.split() if name.startswith(("solver.encodings", "ortools"))] == []


@every_module
def test_no_edition_is_named(path: Path) -> None:
    found = [(line, text) for line, text in words(path) if any(edition in text for edition in EDITIONS)]
    assert not found, f"{name_of(path)}: an edition is data"


@modules_above
def test_no_game_is_named_above_the_rules(path: Path) -> None:
    used = [module for module in imports(path) if any(part in GAMES for part in module.split("."))]
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    said = [(line, text) for line, text in lines if any(game in text.lower() for game in GAMES)]
    assert not used + said, f"{name_of(path)}: games are found, not named"


@every_module
def test_modules_are_short_enough_to_read(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


def test_no_test_lends_to_others() -> None:
    lenders = {
        f"{path.relative_to(ROOT)}: {module}"
        for folder in ("tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        for module in imports(path)
        if module.startswith("tests.") and ".test_" in module.rpartition(".")[0]
    }
    assert not lenders, "what several tests need lies in a module beside them"


HEAVY = {"ortools", "networkx", "pandas", "numpy", "rich", "solver.commands.play"}
SEARCHES = {"solver.solve", *(f"rules.{game}.engine" for game in GAMES)}


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        (["solve", "--help"], HEAVY | SEARCHES),
        (["--help"], HEAVY - {"solver.commands.play"} | SEARCHES),
        (["position", "show", "sprint-10"], HEAVY | {"solver.solve"}),
        (["moves", "one-by-one"], HEAVY | {"solver.solve"}),
        (["solve", "sprint-10", "--no-cache"], HEAVY | {"solver.comparing", "solver.search.dealing.dealt"}),
    ],
)
def test_a_command_loads_nothing_that_it_does_not_need(words: list[str], spared: set[str]) -> None:
    script = f"import sys, cli\ntry: cli.main({words})\nfinally: print(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout
    assert not spared & set(run.stderr.split())


@pytest.mark.parametrize("module", sorted(set(app.HOMES.values())))
def test_each_command_is_in_the_module_that_is_loaded_for_it(module: str) -> None:
    made = app.commands(module)
    names = {each.name for each in made.registered_commands} | {each.name for each in made.registered_groups}
    assert names == {name for name, home in app.HOMES.items() if home == module}
