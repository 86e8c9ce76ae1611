from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from solver import compiled_form
from solver.compiled_form import DIRECTIVES, MARK, RECORD, build_state, hot_modules, layouts, remedy, sources_digest
from tests.solver.encodings.plain_form import told_by_sources

ROOT = Path(__file__).parents[3]


def test_what_is_imported_was_made_from_these_sources() -> None:
    assert build_state() != "stale", (
        f"modules were compiled from other sources, or their sources run all the same: {remedy()}"
    )


@pytest.mark.parametrize(
    ("extensions", "record", "expected"),
    [
        ([True, True], "these", "compiled"),
        ([False, False], "", "plain"),
        ([False, False], "not compiled: no compiler", "plain"),
        ([False, False], "these", "stale"),
        ([True, True], "others", "stale"),
        ([True, True], "", "stale"),
        ([True, False], "these", "stale"),
        ([True, False], "not compiled: no compiler", "stale"),
    ],
)
def test_a_form_is_compiled_plain_or_stale(
    extensions: list[bool], record: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_form, "FOLDER", tmp_path)
    (tmp_path / RECORD).write_text(f"{record}\n", "utf-8")
    answers = iter(extensions)
    monkeypatch.setattr(compiled_form, "hot_modules", lambda: {"one": tmp_path, "other": tmp_path})
    monkeypatch.setattr(compiled_form, "sources_digest", lambda: "these")
    monkeypatch.setattr(compiled_form, "is_extension", lambda _: next(answers))
    assert build_state() == expected


@pytest.mark.parametrize("name", ["search/hot.py", "search/types.pxd", "encodings/game/layout.py"])
def test_the_digest_is_of_all_that_is_compiled(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_form, "FOLDER", tmp_path)
    for each in ("search/hot.py", "search/types.pxd", "encodings/game/layout.py"):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_bytes(DIRECTIVES if each == "search/hot.py" else b"")
    assert list(hot_modules().values()) == [tmp_path / "search/hot.py"]
    assert layouts() == [tmp_path / "encodings/game/layout.py"]
    before = sources_digest()
    for written in ("search/cold.py", "search/hot.pxd", "encodings/game/layout.pxd", RECORD):
        (tmp_path / written).write_text(f"{MARK}made or read by a build, or nothing to it")
    assert sources_digest() == before
    (tmp_path / name).write_bytes(DIRECTIVES + b" changed")
    assert sources_digest() != before


def test_hot_modules_need_neither_cython_nor_a_compiler() -> None:
    told = told_by_sources("print(*(importlib.import_module(name).__file__ for name in HOT))")
    assert told.split() == [str(path) for path in hot_modules().values()]


def test_a_layout_is_numbers_only() -> None:
    for path in layouts():
        names = {name: value for name, value in runpy.run_path(str(path)).items() if not name.startswith("__")}
        assert {type(value) for value in names.values()} == {int}, path
