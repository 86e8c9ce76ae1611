"""Files that people made with version 0.1.0 are read as they were then, and say the same."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from puzzles.puzzle import goal_table, puzzle_tables, read_puzzle
from rules.core.files import read_text
from rules.core.position import Position, decode_position, load_position, read_position
from rules.core.ruleset import load_ruleset
from rules.core.tools.output import toml_text
from solver.checker.certificate import Certificate, check, opened
from solver.commands.question import read_record
from solver.tools.table_entry import Companion

FILES = [json.loads(line) for line in Path(__file__).with_name("files_0_1_0.jsonl").read_text("utf-8").splitlines()]


def of_kind(kind: str) -> list[Any]:
    found = [pytest.param(each, id=f"{kind}-{number}") for number, each in enumerate(FILES) if each["kind"] == kind]
    assert len(found) >= 20
    return found


def same(position: Position, stored: dict[str, Any]) -> bool:
    digest = hashlib.sha256(position.text().encode()).hexdigest()[:16]
    return (position.fingerprint, digest) == (stored["fingerprint"], stored["digest"])


@pytest.mark.parametrize("stored", of_kind("ruleset"))
def test_rulesets_keep_their_fingerprint(stored: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    path.write_text(stored["text"], "utf-8")
    assert load_ruleset(str(path)).fingerprint == stored["fingerprint"]


@pytest.mark.parametrize("stored", of_kind("position"))
def test_positions(stored: dict[str, Any]) -> None:
    position = read_position(read_text(stored["text"]), bare=True)
    assert same(position, stored)
    assert load_position(position.to_toml()) == position


@pytest.mark.parametrize("stored", of_kind("code"))
def test_position_codes(stored: dict[str, Any]) -> None:
    position = load_position(stored["text"])
    assert same(position, stored)
    assert stored["text"].startswith("bl1.")
    assert decode_position(position.code).text() == position.text()


@pytest.mark.parametrize("stored", of_kind("record"))
def test_saved_games(stored: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text(stored["text"], "utf-8")
    reached = Companion(*read_record(str(path))).question
    assert isinstance(reached, Position)
    assert same(reached, stored)


@pytest.mark.parametrize("stored", of_kind("puzzle"))
def test_puzzles(stored: dict[str, Any]) -> None:
    puzzle = read_puzzle(read_text(stored["text"]))
    assert same(puzzle.position, stored)
    assert goal_table(puzzle.goal, puzzle.position) == stored["goal"]
    assert tomllib.loads(toml_text(puzzle_tables(puzzle))) == tomllib.loads(stored["text"])


@pytest.mark.parametrize("stored", of_kind("certificate"))
def test_certificates(stored: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_text(stored["text"], "utf-8")
    with opened(path) as certificate:
        assert isinstance(certificate, Certificate)
        assert check(certificate, 60).seal == json.loads(stored["text"].splitlines()[-1])["seal"]
