"""A game that brings its rules and nothing else gets every command that needs no more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cli
import rules
from rules.core import position as positions
from rules.core import registry, ruleset
from rules.core.position import decode_position, load_position, new_position
from rules.core.scripts import SplitMix64
from rules.core.turns import perft

HERE = Path(__file__).parent
RULESET = "ladder/short"


@pytest.fixture(autouse=True)
def _games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the package of the rules have one more folder with a game in it."""
    caches: list[Any] = [registry.game_folders, ruleset.shipped_rulesets, positions.position_shape]
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(HERE)])
    for each in caches:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "ladder.toml"
    path.write_text(new_position(RULESET, seed=3).to_toml(), "utf-8")
    return str(path)


@pytest.fixture
def hidden(tmp_path: Path) -> str:
    path = tmp_path / "hidden.toml"
    path.write_text(new_position(RULESET, seed=3, open_sources=()).to_toml(), "utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the JSON of a command that must succeed."""
    code = cli.main([*words, "--json"])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return json.loads(shown.out)


def test_moves(capsys: pytest.CaptureFixture[str], position: str) -> None:
    assert answer(capsys, "moves", position)["moves"] == ["play jump", "rest"]


def test_solve(capsys: pytest.CaptureFixture[str], position: str) -> None:
    report = answer(capsys, "solve", position, "--no-cache")
    assert (report["status"], report["value"]) == ("optimal", 4)
    assert len(report["line"]) == 4


def test_best(capsys: pytest.CaptureFixture[str], position: str) -> None:
    assert answer(capsys, "best", position)["status"] == "optimal"


def test_best_with_a_hidden_deck(capsys: pytest.CaptureFixture[str], hidden: str) -> None:
    assert answer(capsys, "best", hidden, "--within-turns", "4")["status"] == "optimal"


def test_audit(capsys: pytest.CaptureFixture[str]) -> None:
    report = answer(capsys, "audit", RULESET, "--jobs", "1", "--time", "10")
    assert report["complete"]
    assert {part["code"] for part in report["searched"]} >= {"LOOP", "RUSH", "GAP", "STALL", "DEAD", "SEAT"}
    # A rest with an empty deck changes nothing, and the audit finds it.
    assert [finding["id"] for finding in report["findings"]] == ["LOOP:rest"]


def test_a_ruleset_in_words_and_a_variant(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    variant = tmp_path / "steep.toml"
    variant.write_text(f'extends = "{RULESET}"\n[cards.jump]\nclimbs = 4\n', "utf-8")
    assert {"cards", "options"} <= {chapter["id"] for chapter in answer(capsys, "rules", "show", RULESET)["chapters"]}
    (difference,) = answer(capsys, "rules", "diff", RULESET, str(variant))["differences"]
    assert difference["key"] == "cards.jump.climbs"


def test_positions_read_back() -> None:
    position = new_position(RULESET, seed=5)
    for turns in range(4):
        assert decode_position(position.code) == position == load_position(position.to_toml()), turns
        position = position.with_table(position.game.sample_turn(position.table(), SplitMix64(turns)).table)
    game, state = position.start()
    assert perft(game, state, 1).positions
