"""The rulebook in short: complete, well formed, and able to explain every number that the code names."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.iditacards import content, engine
from tests.rules.games import EDITIONS

FOLDER = Path(engine.__file__).parent
RULES = tomllib.loads((FOLDER / "rulebook.toml").read_text("utf-8"))["rules"]
RULINGS = {option["ruling"] for option in content.OPTIONS.rows.values()}
SOURCES = [*sorted(FOLDER.glob("*.py")), *sorted((FOLDER.parent / "core").glob("*.py"))]
EDITION_NAMES = {edition.partition("/")[2] for edition in EDITIONS if edition.startswith("iditacards/")}


def numbers(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every rule number in a file with its line: in event calls, reasons, docstrings and comments alike."""
    for line, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        for number in re.findall(r"\b[RQ][1-9][0-9]?\b", text):
            yield line, number


def test_every_rule_from_1_to_75_in_order() -> None:
    assert list(RULES) == [f"R{number}" for number in range(1, 76)]


@pytest.mark.parametrize("number", RULES)
def test_a_rule_has_a_heading_and_a_sentence_or_two(number: str) -> None:
    rule = RULES[number]
    assert rule.keys() <= {"heading", "text", "editions"}
    assert rule["heading"][0].isupper()
    assert not rule["heading"].endswith(".")
    editions = rule.get("editions", {})
    assert editions.keys() <= EDITION_NAMES
    for text in (rule["text"], *editions.values()):
        assert text[0].isupper()
        assert text.endswith(".")
        assert len(text) <= 260
    assert rule["text"] not in editions.values(), "an edition that differs in nothing"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_number_in_the_code_is_explained(path: Path) -> None:
    unknown = [f"{path.name}:{line}: {number}" for line, number in numbers(path) if number not in {*RULES, *RULINGS}]
    assert not unknown


def test_events_name_rules_as_plain_numbers() -> None:
    told = [
        constant.value
        for path in FOLDER.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit"
        for constant in ast.walk(node.args[0])
        if isinstance(constant, ast.Constant)
    ]
    assert len(told) > 50
    assert {*told} <= {*RULES, *RULINGS}


def test_every_rule_and_ruling_has_a_test_of_its_name() -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.rglob("test_*.py"))
    named = {
        f"{'Q' if kind == 'ruling' else 'R'}{number}"
        for kind, number in re.findall(r"def test_(rule|ruling)_(\d+)_", tests)
    }
    assert {*RULES, *RULINGS} - named == {"Q79"}, "what is best in solitaire is for solvers to ask"
