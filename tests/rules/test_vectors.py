"""Conformance vectors: the positions that N turns lead to, counted and hashed, for every edition of every game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.core.position import load_position
from rules.core.turns import perft
from tests.rules.games import EDITIONS, VECTORS, vector_is_open


def work(line: str) -> int:
    """Return how much a vector costs to check, so that the long ones start first and end together."""
    vector: dict[str, Any] = json.loads(line)
    return int(vector["positions"]) * int(vector["turns"])


LONGEST_FIRST = sorted(VECTORS, key=lambda name: (-work(VECTORS[name]), name))
LONG = 60
"""Vectors that take a third of the time of all."""


@pytest.mark.parametrize(
    "name", [*(pytest.param(name, marks=pytest.mark.slow) for name in LONGEST_FIRST[:LONG]), *LONGEST_FIRST[LONG:]]
)
def test_vector(name: str) -> None:
    expected = json.loads(VECTORS[name])
    position = load_position(VECTORS[name])
    assert position.state == expected["state"], "the state is not read as it stands"
    game, start = position.start()
    counted = perft(game, start, expected["turns"])
    found = {"positions": counted.positions, "terminal": counted.terminal, "digest": counted.digest}
    assert found == {key: expected[key] for key in found}


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "hidden"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_has_vectors(edition: str, is_open: bool) -> None:
    game, _, name = edition.partition("/")
    vectors = [json.loads(line) for line in VECTORS.values()]
    own = [vector for vector in vectors if (vector["game"], vector["ruleset"]) == (game, name)]
    assert is_open in {vector_is_open(vector) for vector in own}, f"{edition} needs vectors under its game's folder"
