"""The tables of ops and options, and the editions that use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.core.files import read_file
from rules.core.ruleset import list_rulesets, load_ruleset
from rules.core.schema import MapOf, Table
from rules.core.tools.documents import json_schema
from rules.core.tools.rulebook import book_of
from rules.iditacards import chapters, content
from rules.iditacards.content import deck_sizes, ruleset_schema
from rules.iditacards.effects import Resolution

EDITIONS = [info.id for info in list_rulesets() if info.id.startswith("iditacards/") and not info.extends]
RULESETS = [info.id for info in list_rulesets() if info.id.startswith("iditacards/")]


def raw(ruleset: str) -> Any:
    return load_ruleset(ruleset).raw


def test_every_ruling_is_an_option_once() -> None:
    numbers = [option["ruling"] for option in content.OPTIONS.rows.values()]
    assert numbers == [f"Q{number}" for number in range(1, 83)]


@pytest.mark.parametrize("name", content.OPTIONS.rows)
def test_an_option_says_what_it_asks_and_what_each_answer_means(name: str) -> None:
    option = content.OPTIONS.rows[name]
    assert option["question"].endswith("?")
    assert option["rule"].startswith("R")
    assert content.OPTIONS.schema.fields[name].schema.accepts(option["neutral"])
    if "min" in option:
        return
    values = option["values"]
    assert len(values) >= 2
    assert all(values.values())
    assert str(option["neutral"]).lower() in values
    if isinstance(option["neutral"], bool):
        assert set(values) == {"true", "false"}


def test_a_race_may_have_another_length() -> None:
    finish = content.OPTIONS.schema.fields["finish_at"].schema
    assert all(finish.accepts(length) for length in (1, 160, 161, 10_000))
    assert not any(finish.accepts(length) for length in (0, 10_001, "160", True))


@pytest.mark.parametrize("name", content.ops())
def test_an_op_is_explained_and_has_a_shape(name: str) -> None:
    op = content.ops()[name]
    assert op["meaning"].endswith(".")
    assert op["kind"] in ("instant", "second_step", "passive", "setup", "leg")
    assert ("while" in op) == (op["kind"] in ("passive", "setup"))
    assert json_schema(content.effect_schema(name))["properties"]["op"]["description"] == op["meaning"]


def test_every_op_is_used_by_some_edition() -> None:
    tables = [raw(ruleset) for ruleset in RULESETS]
    entries = [entry for table in tables for part in ("cards", "legs") for entry in table.get(part, {}).values()]
    used = {effect["op"] for entry in entries for effect in entry.get("effects", ())}
    assert used == set(content.ops())


def test_the_engine_has_a_method_for_every_op_that_happens() -> None:
    for name, op in content.ops().items():
        assert hasattr(Resolution, f"_{name}") == (op["kind"] in content.INSTANT_KINDS), name
        assert hasattr(Resolution, f"_then_{name}") == (op["kind"] == "second_step"), name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_decks_have_as_many_cards_as_the_box_says(ruleset: str) -> None:
    assert {name: deck["cards"] for name, deck in raw(ruleset)["decks"].items()} == deck_sizes(raw(ruleset))


@pytest.mark.parametrize(
    ("ruleset", "sizes"),
    [
        ("2017", {"starter": 26, "upgrade": 260, "damage": 13}),
        (
            "2019-02",
            {"starter": 26, "speed": 53, "attack": 53, "upgrade": 53, "survivor": 53, "legendary": 22, "damage": 18},
        ),
        ("2019-08", {"starter": 25, "legendary": 21, "survival": 82, "race": 86, "damage": 18}),
    ],
)
def test_the_published_sizes(ruleset: str, sizes: dict[str, int]) -> None:
    assert deck_sizes(raw(f"iditacards/{ruleset}")) == sizes
    assert list(raw(f"iditacards/{ruleset}")["decks"]) == list(sizes)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_card_and_leg_says_what_it_does_and_where_that_stands(ruleset: str) -> None:
    for entry in [*raw(ruleset)["cards"].values(), *raw(ruleset)["legs"].values()]:
        assert entry["summary"].endswith(".")
        where = {"published": "source", "adapted": "adapted_from", "invented": "name"}[entry["provenance"]]
        assert entry[where]


def test_editions_invent_nothing() -> None:
    for edition in EDITIONS:
        entries = [*raw(edition)["cards"].values(), *raw(edition)["legs"].values()]
        assert "invented" not in {entry["provenance"] for entry in entries}


def test_the_shape_of_a_ruleset_as_json_schema() -> None:
    schema = json_schema(ruleset_schema())
    assert schema["properties"]["options"]["properties"]["finish_at"]["maximum"] == 10_000
    effects = schema["properties"]["cards"]["additionalProperties"]["properties"]["effects"]
    names = [shape["properties"]["op"]["const"] for shape in effects["items"]["oneOf"]]
    assert names == [name for name, op in content.ops().items() if op["kind"] != "leg"]


@pytest.mark.parametrize("name", content.ops())
def test_an_op_is_said_in_words_with_all_its_values(name: str) -> None:
    ruleset = load_ruleset("iditacards/2019-02")
    keys = content.ops()[name].get("keys", {})
    samples = {"integer": 7, "boolean": True}
    effect: dict[str, Any] = {"op": name}
    for key, shape in keys.items():
        effect[key] = shape["values"][0] if "values" in shape else samples.get(shape["type"], "venison")
    words = book_of(ruleset).effect_words(effect)
    assert "{" not in words
    assert not words[0].isupper()
    assert not words.endswith(".")
    if any(shape["type"] == "integer" for shape in keys.values()):
        assert "7" in words
    for key, shape in keys.items():
        for word in (*shape.get("values", ()), *shape.get("words", ())):
            assert book_of(ruleset).effect_words({**effect, key: word}) != words or effect[key] == word, (key, word)
            assert "_" not in book_of(ruleset).effect_words({**effect, key: word})


def test_every_number_and_every_power_of_the_weather_is_said_in_words() -> None:
    book = read_file(Path(str(chapters.__file__)).parent / "rulebook.toml").data
    fields = ruleset_schema().fields
    assert isinstance(fields["rules"].schema, Table)
    silent = {"weather", "leg_cards_in_source"}
    assert {*book["numbers"], *silent} == set(fields["rules"].schema.fields)
    faces = fields["weather"].schema
    assert isinstance(faces, MapOf)
    assert isinstance(faces.item, Table)
    assert set(book["weather"]) == set(faces.item.fields)
    for ruleset in RULESETS:
        told = {chapter.id: chapter for chapter in book_of(load_ruleset(ruleset)).chapters()}
        assert "{" not in told["numbers"].text + "".join(entry.text for entry in told["weather"].entries)
