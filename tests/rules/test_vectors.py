"""Conformance vectors: the positions that N turns lead to, counted and hashed, for every edition of every game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.core.perft import perft
from rules.core.position import load_position
from rules.core.registry import find_game, game_names
from rules.core.ruleset import list_rulesets

HERE = Path(__file__).parent
FILES = [path for game in game_names() for path in sorted((HERE / game / "vectors").glob("*.jsonl"))]
VECTORS: dict[str, str] = {
    json.loads(line)["id"]: line for path in FILES for line in path.read_text("utf-8").splitlines()
}


def work(line: str) -> int:
    """Return how much a vector costs to check, so that the long ones start first and end together."""
    vector: dict[str, Any] = json.loads(line)
    return int(vector["positions"]) * int(vector["turns"])


LONGEST_FIRST = sorted(VECTORS, key=lambda name: (-work(VECTORS[name]), name))


@pytest.mark.parametrize("name", LONGEST_FIRST)
def test_vector(name: str) -> None:
    expected = json.loads(VECTORS[name])
    position = load_position(VECTORS[name])
    assert position.state == expected["state"], "the state is not read as it stands"
    game, start = position.start()
    counted = perft(game, start, expected["turns"])
    found = {"positions": counted.positions, "terminal": counted.terminal, "digest": counted.digest}
    assert found == {key: expected[key] for key in found}


def test_every_line_has_an_id_of_its_own() -> None:
    assert len(VECTORS) == sum(len(path.read_text("utf-8").splitlines()) for path in FILES)


EDITIONS = [info.id for info in list_rulesets() if not info.extends]


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_has_vectors(edition: str, hidden: bool) -> None:
    game, _, name = edition.partition("/")
    open_chance = [
        set(find_game(game).sources) <= set(vector["chance"]["open"])
        for vector in map(json.loads, VECTORS.values())
        if (vector["game"], vector["ruleset"]) == (game, name)
    ]
    assert (not hidden) in open_chance, f"{edition} needs a file of vectors"
