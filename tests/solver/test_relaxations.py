"""Relaxations: data of each game that loosens what it says and fits what it is laid over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.files import read_file
from rules.core.position import new_position
from rules.core.registry import find_game, game_names
from rules.core.ruleset import list_rulesets
from solver.proofs import relaxations, relaxed

RELAXATIONS = [
    (game, name) for game in game_names() for name in read_file(find_game(game).folder / "relaxations.toml", game).data
]


@pytest.mark.parametrize(("game", "name"), RELAXATIONS)
def test_each_loosens_something_in_an_edition(game: str, name: str) -> None:
    editions = [row.id for row in list_rulesets() if row.id.startswith(f"{game}/") and not row.extends]
    loosened = {found.id for edition in editions for found in relaxations(new_position(edition))}
    # A position can choose a ruling that its edition does not: the limits of the puzzles are loosened there.
    limited = {found.id for found in relaxations(load_puzzle("too-soon").position)} if game == "abyss" else set()
    assert name in loosened | limited


@pytest.mark.parametrize("puzzle", ["too-far", "too-soon", "too-far-out"])
def test_all_together_still_make_a_position(puzzle: str) -> None:
    position = load_puzzle(puzzle).position
    found = relaxations(position)
    loose = relaxed(position, found)
    assert loose is not None
    assert loose.fingerprint != position.fingerprint
    assert relaxations(loose) == []


def test_a_ruling_of_the_position_is_loosened_too() -> None:
    position = load_puzzle("too-soon").position
    assert position.values["partner_cap"] == 5
    cap = next(each for each in relaxations(position) if each.id == "partner_cap")
    loose = relaxed(position, [cap])
    assert loose is not None
    assert loose.values["partner_cap"] == "none"
    assert "partner_cap" not in {each.id for each in relaxations(replace(position, options={}))}


def test_a_key_that_an_edition_lacks_stays_away_from_it() -> None:
    old, new = (
        next(each for each in relaxations(new_position(f"iditacards/{edition}")) if each.id == "conditions")
        for edition in ("2017", "2019-08")
    )
    assert old.change != new.change
