"""Rulesets compared by meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rules.core.errors import BestlineError
from rules.core.files import path_text
from rules.core.registry import Ruleset
from rules.core.ruleset import load_ruleset
from rules.core.tools.rulebook import Difference, differences
from tests.rules.games import EDITIONS, RULESETS

BASE = "iditacards/2019-02"
Compare = Callable[[str], dict[str, Difference]]


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    """Compare the edition with a variant of it."""

    def compared(text: str) -> dict[str, Difference]:
        path = tmp_path / "variant.toml"
        path.write_text(f'extends = "{BASE}"\n{text}', "utf-8")
        return {path_text(each.key): each for each in differences(load_ruleset(BASE), load_ruleset(str(path)))}

    return compared


def values(found: dict[str, Difference]) -> dict[str, tuple[str, object, object]]:
    return {key: (each.kind, each.old.value, each.new.value) for key, each in found.items()}


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_differs_from_itself(name: str) -> None:
    assert differences(load_ruleset(name), load_ruleset(name)) == []


@pytest.mark.parametrize("name", RULESETS)
def test_there_and_back_are_the_same_differences(name: str) -> None:
    new = load_ruleset(name)
    old = load_ruleset(next(edition for edition in EDITIONS if edition.startswith(f"{new.game}/")))
    turned = {"changed": "changed", "added": "removed", "removed": "added"}
    there = {each.key: (each.kind, each.old.words, each.new.words) for each in differences(old, new)}
    back = {each.key: (turned[each.kind], each.new.words, each.old.words) for each in differences(new, old)}
    assert there == back
    assert bool(differences(old, new)) == (old.fingerprint != new.fingerprint)


@pytest.mark.parametrize("name", RULESETS)
def test_every_side_says_where_it_is_written(name: str) -> None:
    new = load_ruleset(name)
    old = load_ruleset(next(edition for edition in EDITIONS if edition.startswith(f"{new.game}/")))
    for each in differences(old, new):
        for side, ruleset in ((each.old, old), (each.new, new)):
            if side.value is not None and side.file:
                assert side.file in [layer.file for layer in ruleset.layers]
                assert side.line


def test_what_is_written_otherwise_and_means_the_same_is_no_difference(compare: Compare) -> None:
    assert compare("[cards.mush]\nenergy = 2\neffects = [{ n = 10, op = 'move', double = false, times = 1 }]\n") == {}
    assert compare("[options]\nlast_turns = 'one_each'\n[cards.mush]\nsummary = 'Go.'\n") == {}


def test_an_option_that_nobody_stated_has_no_place(compare: Compare) -> None:
    found = compare("[options]\nfree_cost_turn = 'next_turn_of_anyone'\n")["options.free_cost_turn"]
    assert (found.old.value, found.old.file, found.old.line) == ("own_next_turn", "", None)
    assert found.new.line == 3
    assert found.what.startswith("Q68 free_cost_turn: ")


def test_card_fields_one_by_one(compare: Compare) -> None:
    found = compare("[cards.husky]\nenergy = 1\nrisk = 0\ncopies = 2\ntags = ['fake']\n")
    assert values(found) == {
        "cards.husky.copies": ("changed", 1, 2),
        "cards.husky.energy": ("changed", 2, 1),
        "cards.husky.risk": ("changed", 2, 0),
        "cards.husky.tags": ("changed", [], ["fake"]),
    }
    assert found["cards.husky.energy"].what == "Husky, energy"


def test_the_size_of_a_deck_follows_and_is_not_told(compare: Compare) -> None:
    assert list(compare("[cards.rest]\nremove = true\n")) == ["cards.rest"]
    assert "decks.starter.cards" in compare("[cards.rest]\nremove = true\n[decks.starter]\ncards = 25\n")


def test_effects_are_told_in_words(compare: Compare) -> None:
    found = compare(
        "[cards.mush]\neffects = [{ op = 'move', n = 12, times = 2 }, { op = 'damage', n = 1, who = 'all' }]\n"
    )
    told = found["cards.mush.effects"]
    assert told.old.words == "Go forward 10 plus speed."
    assert told.new.words == "Go forward 12 plus speed, 2 times over; 1 damage for everybody."


def test_legs_boards_weather_and_numbers(compare: Compare) -> None:
    found = compare(
        "[legs.hills]\nstarvation = 0\n[boards.standard]\ncheckpoints = [6]\n[weather.sun]\nspeed = 2\n"
        "[rules]\ndog_limit = 5\n"
    )
    assert values(found) == {
        "rules.dog_limit": ("changed", 6, 5),
        "weather.sun.speed": ("changed", 1, 2),
        "boards.standard.checkpoints": ("changed", [6, 36, 81, 116, 136], [6]),
        "legs.hills.starvation": ("changed", 2, 0),
    }
    assert found["rules.dog_limit"].new.words == "A team counts 5 dogs at most."


def test_a_board_is_told_part_by_part(compare: Compare) -> None:
    found = compare('[boards.bare]\nspaces = 9\nsections = [{ leg = "none", from = 1, to = 9 }]\ncheckpoints = []\n')
    assert "spaces 9, sections (leg none, from 1, to 9)" in found["boards.bare"].new.words
    assert "checkpoints" not in found["boards.bare"].new.words


def test_another_order_of_decks(compare: Compare) -> None:
    order = ["attack", "speed", "starter", "upgrade", "survivor", "legendary", "damage"]
    found = compare(f"[order]\ndecks = {order}\n")
    assert values(found)["decks.order"][2] == order
    assert found["decks.order"].new.line == 3


def test_a_new_name_does_not_affect_play(compare: Compare) -> None:
    assert compare("[cards.mush]\nname = 'Go'\n") == {}


def test_different_games_are_not_compared() -> None:
    old = load_ruleset(BASE)
    other: Ruleset = replace(old, game="another")
    with pytest.raises(BestlineError, match="different games"):
        differences(old, other)
