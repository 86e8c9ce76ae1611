"""Bad input: every fault of a ruleset or a position is told, and nothing is more than a fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import BestlineError, ContentError
from rules.core.files import Source
from rules.core.position import Position, load_position, new_position
from rules.core.ruleset import load_inline_ruleset, load_ruleset
from tests.bare import bare_position
from tests.rules.junk import spoil

FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "values": ({"pack": {"values": [1, 2]}}, "must have 13 numbers, one for each rank"),
    "suits": ({"pack": {"suits": {"S": "red"}}}, "equally many suits of both colours"),
    "cells": ({"fields": {"odd": {"size": 3, "cards_per_colour": 4}}}, "4 of each colour do not fill 9 cells"),
    "cards": ({"fields": {"huge": {"size": 8, "cards_per_colour": 32}}}, "leave no card for the trench; there are 26"),
    "size": ({"rules": {"field_size": 5}}, "there is no field of this size; its fields: '2', '4', '6'"),
    "twice": (
        {"fields": {"again": {"size": 4, "cards_per_colour": 8}}},
        "again.size: the field 'standard' has the same size",
    ),
    "deck": ({"rescue": {"own_above": "enemy_deck"}}, "a deck holds its own colour only"),
    "trench": ({"rescue": {"enemy_within": "trench"}}, "an enemy card cannot fight in the own trench"),
    "option": ({"options": {"withdrawal": "fast"}}, '"fast" is not a value of withdrawal (TR-Q20)'),
    "key": ({"rules": {"feild_size": 4}}, "unknown key; did you mean 'field_size'?"),
}


@pytest.mark.parametrize("written", ["10H", "10h", "th", "10 of hearts", "T of Hearts"])
def test_a_ten_is_read_as_it_is_printed(written: str) -> None:
    def field(card: str) -> Position:
        soldiers = f'soldiers = [{{ card = "{card}", cell = "2,2" }}]\n'
        return bare_position(f'game = "trench_rescue"\nruleset = "2012"\n[state]\n{soldiers}to_move = "red"\n')

    position = field(written)
    assert position.code == field("TH").code
    game, start = position.start()
    assert game.parse_step(start, f"go {written} 2,3").text == "go TH 2,3"


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_a_variant(name: str) -> None:
    changed, message = FAULTS[name]
    table = {"extends": "trench_rescue/2012", **changed}
    with pytest.raises(ContentError) as told:
        load_inline_ruleset(Source(table, ""))
    assert message in str(told.value)


def test_a_variant_may_add_and_remove_fields() -> None:
    table = {"extends": "trench_rescue/2012", "fields": {"small": {"remove": True}}}
    ruleset = load_inline_ruleset(Source(table, ""))
    assert sorted(ruleset.raw["fields"]) == ["large", "standard"]


def test_texts_and_remarks_do_not_change_the_fingerprint() -> None:
    table = {"extends": "trench_rescue/2012", "fields": {"small": {"summary": "Tiny."}}, "meta": {"title": "Mine"}}
    ruleset = load_inline_ruleset(Source(table, ""))
    assert ruleset.fingerprint == load_ruleset("trench_rescue/2012").fingerprint
    assert load_ruleset("trench_rescue/pictures").fingerprint != ruleset.fingerprint


def test_a_roll_that_is_thrown_again_may_not_be_in_a_tape() -> None:
    table = {
        "game": "trench_rescue",
        "ruleset": "2012",
        "options": {"shell_die": "reroll"},
        "chance": {"open": ["cards", "shells"], "lists": {"shells": [[1, 5]]}},
        "state": {},
    }
    with pytest.raises(ContentError, match=r"\[1, 5\] holds a roll that is thrown again"):
        bare_position(json.dumps(table))


def test_a_position_that_says_little() -> None:
    position = bare_position('game = "trench_rescue"\nruleset = "2012"\n[chance]\nopen = ["cards"]\n[state]\n')
    state = position.state
    assert (position.players, state["turn"], state["size"], state["to_move"]) == (2, 1, 4, "black")
    assert state["piles"] == [[]] * 16


JUNK: list[Any] = [None, True, -1, 0, 7, 10**30, 1.5, "", "4C", "?", "black", "1,1", [], [[]], ["4C"], {}, {"a": 1}]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_junk_anywhere_is_more_than_a_fault(data: st.DataObject) -> None:
    """Whatever stands in the place of whatever value, the answer is a position or faults, never another error."""
    hidden = data.draw(st.booleans())
    table = json.loads(new_position("trench_rescue/2012", 2, 3, () if hidden else None).text())
    table["state"]["soldiers"] = [{"card": "4C", "carries": None, "cell": 3}]
    table["state"]["fresh"] = [[0, 0]]
    if not hidden:
        table["chance"]["lists"] = {"deck": [[["4C"]], []], "shells": [[1, 2]]}
    for _ in range(data.draw(st.integers(1, 3))):
        spoil(data, table, JUNK)
    try:
        position = bare_position(json.dumps(table))
    except BestlineError:
        return
    assert isinstance(position, Position)
    assert load_position(position.text()).text() == position.text()


def test_a_cell_beyond_the_field_is_named_and_nothing_else() -> None:
    state = {"trench": {"black": ["7S"], "red": ["9D"]}, "piles": {"5,1": ["2S"], "1,1": ["2S", "7S"]}}
    table = {"game": "trench_rescue", "ruleset": "2012", "players": 2, "state": state}
    with pytest.raises(ContentError) as told:
        load_position(json.dumps(table))
    assert str(told.value).splitlines() == [
        "state: '5,1' is no cell; the cells of a field of size 4 are '1,1' to '4,4'"
    ]


def test_cards_named_twice_are_no_hidden_places_that_lack() -> None:
    state = {"trench": {"black": ["7S"], "red": ["9D"]}, "piles": {"1,1": ["7S"]}}
    table = {"game": "trench_rescue", "ruleset": "2012", "players": 2, "state": state}
    with pytest.raises(ContentError) as told:
        load_position(json.dumps(table))
    assert len(str(told.value).splitlines()) == 1
    assert str(told.value).endswith("state.piles[0]: '7S' is named twice, but there is only one")
