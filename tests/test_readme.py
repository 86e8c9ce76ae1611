"""README and docs are run as they stand: the two commands by ``.ci/run``, every example of a page here, in order."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import cli
from docs.make_pictures import COMMANDS, FOLDER, ROOT, blocks, draw, named_files
from puzzles.puzzle import library
from solver.audit import run

README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page: page.read_text("utf-8") for page in PAGES}
by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


# The two commands of .ci/run


def test_the_first_two_shell_lines_solve_and_test() -> None:
    solve, tests = blocks(TEXTS[README], "sh")[0].splitlines()
    for command in (solve, tests):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -q -r requirements")
    assert solve.split()[-3:-1] == [".venv/bin/bestline", "solve"]
    assert solve.split()[-1] in library()
    assert "pytest" in tests


def test_the_second_line_ends_in_the_tests_alone() -> None:
    # .ci/run puts the linter and the type checker between the setup and the tests.
    setup, _, tests = blocks(TEXTS[README], "sh")[0].splitlines()[1].rpartition(" && ")
    assert tests.startswith(".venv/bin/python -m pytest")
    assert "pytest" not in setup


# Examples


class Step(NamedTuple):
    """A command as typed, with what a page shows of its answer, or a file to write."""

    command: str
    shown: str = ""
    code: str = ""
    """The exit code that the page shows, if it does."""
    file: str = ""
    """Name of a file that ``shown`` is written to instead of running anything."""


def steps(text: str) -> Iterator[Step]:
    """Yield what a page has its reader do, in order."""
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language == "toml":
            yield from (Step("", body, file=name) for name, body in named_files(f"```toml\n{block}```\n"))
        elif language == "console":
            parts = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)(?:\$ echo \$\?\n(\d+)\n)?", block, re.MULTILINE)
            yield from (Step(command, shown.strip("\n"), code) for command, shown, code in parts)


def matches(shown: str, answer: str) -> bool:
    """Return whether an answer reads as shown: a line of … stands for any lines, … in a line for any text."""
    lines = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in shown.split("\n")]
    stripped = re.sub(r"[ \t]+$", "", answer.strip("\n") + "\n", flags=re.MULTILINE)
    return re.fullmatch("".join(lines), stripped) is not None


def words_of(step: Step, patch: pytest.MonkeyPatch) -> list[str]:
    """Return the arguments of a command, with what makes its answer repeatable and quick, and its input in place."""
    command, _, given = step.command.partition(" < ")
    program, *words = shlex.split(command)
    assert program == "bestline", command
    if given:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(given).read_bytes()), "utf-8"))
    if words[0] != "audit":
        return [*words, "--deterministic"]
    # A whole audit takes minutes: only what finds the findings shown looks for them, for two seconds of counted work.
    codes = re.findall(r"^(?:found )?(?:error|warning|note) ([A-Z]+)", step.shown, re.MULTILINE)
    patch.setattr(run, "FINDERS", {code: find for code, find in run.FINDERS.items() if code in codes})
    return [*words, "--deterministic", "--time", "2", "--jobs", "1"]


@by_page
def test_examples_do_what_is_shown(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in named_files(TEXTS[README]):
        (tmp_path / name).write_text(text, "utf-8")
    for step in steps(TEXTS[page]):
        if step.file:
            (tmp_path / step.file).write_text(step.shown, "utf-8")
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path)
            words = words_of(step, patch)
            code = cli.main(words)
        captured = capsys.readouterr()
        said = f"{step.command}\n{captured.out}{captured.err}"
        assert not step.shown or matches(step.shown, captured.out or captured.err), said
        # A command that sets a time may run out of it, and a cut audit does.
        allowed = {"0", "3"} if "--time" in words else {"0"}
        assert str(code) in ({step.code} if step.code else allowed | {"1"} if words[0] == "audit" else allowed), said


def test_examples_show_every_command() -> None:
    used = {step.command.split()[1] for text in TEXTS.values() for step in steps(text) if step.command}
    parts = "best solve hint pay review risk simulate export verify audit puzzle rules moves apply perft position cache"
    assert set(parts.split()) <= used


@pytest.mark.parametrize("name", COMMANDS)
def test_pictures_are_current(name: str) -> None:
    assert draw(name) == (FOLDER / f"{name}.svg").read_text("utf-8"), "python -m docs.make_pictures"


def test_every_picture_is_shown_and_loads_nothing() -> None:
    shown = {name for text in TEXTS.values() for name in re.findall(r"pictures/(\w+)\.svg\)", text)}
    assert shown == set(COMMANDS) == {file.stem for file in FOLDER.iterdir()}
    for file in FOLDER.iterdir():
        assert "url(http" not in file.read_text("utf-8")


@by_page
def test_the_options_shown_exist(page: Path) -> None:
    listed = (ROOT / "tests" / "stored" / "commands.txt").read_text("utf-8").split()
    others = {"--help", "--version", "--install-completion", "--show-completion"}
    assert set(re.findall(r"`(--[a-z-]+)", TEXTS[page])) - {*listed, *others} == set()


@pytest.mark.parametrize("game", ["abyss", "iditacards", "trench_rescue"])
@pytest.mark.parametrize("kind", ["position", "puzzle", "ruleset"])
def test_every_key_of_a_file_is_explained(game: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "schema", kind, "--game", game]) == 0
    schema = json.loads(capsys.readouterr().out)
    explained = set(re.findall(r"`([a-z_]+)`", TEXTS[ROOT / "docs" / "files.md"]))
    assert sorted(keys(schema, schema) - explained) == []


def keys(schema: dict[str, Any], part: Any, name: str = "") -> set[str]:
    """Return the keys of the tables that a part of a schema allows, those of options and effects left out."""
    if isinstance(part, list):
        return set[str]().union(*(keys(schema, each, name) for each in part))
    if not isinstance(part, dict) or name in {"options", "effects", "modifiers"}:
        return set()
    found: set[str] = set()
    for key, value in part.items():
        if key == "$ref":
            found |= keys(schema, schema["$defs"][value.rpartition("/")[2]], name)
        elif key == "properties":
            found |= value.keys() | set[str]().union(*(keys(schema, value[each], each) for each in value))
        elif key != "$defs":
            found |= keys(schema, value, name)
    return found


# Words


@by_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", TEXTS[page]):
        name, _, heading = target.partition("#")
        other = page.parent / name if name else page
        assert other.exists(), target
        headings = re.findall(r"^#+ (.*)$", other.read_text("utf-8"), re.MULTILINE) if heading else []
        anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
        assert not heading or heading in anchors, target


def sentences(text: str) -> list[str]:
    """Return the sentences of a page outside code, tables and headings; a span of code counts as one word."""
    prose = re.sub(r"^```.*?^```$", "\n", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^(?:\||#|!\[).*$", "\n", prose, flags=re.MULTILINE)
    prose = re.sub(r"`[^`]+`", "code", prose)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)
    parts = re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.) ", prose, flags=re.MULTILINE)
    return [
        each.strip() for part in parts for each in re.split(r"(?<=[.?!])\s+", " ".join(part.split())) if each.strip()
    ]


@by_page
def test_sentences_are_short(page: Path) -> None:
    assert [each for each in sentences(TEXTS[page]) if len(each.split()) > 25] == []


def test_the_front_page_is_short() -> None:
    assert len(TEXTS[README].splitlines()) <= 150


@by_page
def test_pages_speak_of_the_product_alone(page: Path) -> None:
    assert re.findall(r"/(?:home|tmp)/", TEXTS[page], re.IGNORECASE) == []
