"""Answers as JSON have the shape that ``docs/answer.schema.json`` declares, whatever kind of question they answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rules.core.position import new_position
from tests.cli.conftest import ROOT, Runner
from tests.rules.trench_rescue.duels import Duel

SCHEMA = json.loads((ROOT / "docs" / "answer.schema.json").read_text("utf-8"))


@pytest.fixture
def positions(tmp_path: Path) -> dict[str, str]:
    """Return files of positions by what they are."""
    made = {
        "hidden": new_position("iditacards/2019-02", 1, 3, ()),
        "several": new_position("abyss/2021", 2, 3, ()),
        "race": new_position("iditacards/2019-02", 2, 3, ()),
        "duel": Duel("A", 2).battle.position,
    }
    for name, position in made.items():
        (tmp_path / name).write_text(position.text(), "utf-8")
    return {name: str(tmp_path / name) for name in made}


@pytest.mark.parametrize(
    "words",
    [
        "solve sprint-10 --no-cache --why --all",
        "best sprint-10 --top 9 --why",
        "best sprint-20 --time 0",
        "best hidden --goal reach --target 36 --within-turns 2 --time 0.5",
        "best hidden --goal reach --target 6 --within-turns 1",
        "solve hidden --goal reach --target 36 --within-turns 1",
        "best hidden --goal max_distance --within-turns 9 --time 0.3",
        "best hidden --time 0.3",
        "best duel --vs end",
        "best several --time 0.3 --why",
        "best race --within-turns 1 --time 0.3",
    ],
)
def test_answers_have_the_declared_shape(words: str, positions: dict[str, str], bestline: Runner) -> None:
    run = bestline(*(positions.get(word, word) for word in words.split()), "--json")
    assert run.code in (0, 1, 3), run.err
    Draft202012Validator(SCHEMA).validate(run.json)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
