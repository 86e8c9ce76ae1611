"""Shapes find every fault and print themselves as JSON Schema."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from rules.core.errors import ContentError, Fault, shown
from rules.core.files import Faults
from rules.core.schema import (
    MISSING,
    Boolean,
    Either,
    Field,
    Integer,
    ListOf,
    MapOf,
    Null,
    Number,
    Schema,
    Table,
    Text,
    optional,
)
from rules.core.tools.documents import json_schema

CARD = Table(
    {
        "energy": Field(Either((Integer(0, 9), Text(("all",)))), doc="Cards to discard."),
        "type": Field(Text(("dog", "food"))),
        "tags": optional(ListOf(Text(), most=2, unique=True)),
    }
)


def faults_of(schema: Schema, value: Any) -> list[str]:
    faults = Faults()
    schema.check(value, (), faults)
    return [str(fault) for fault in faults.found]


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        (Integer(), True, "must be a whole number of at least 0, not true"),
        (Integer(), 2.0, "must be a whole number of at least 0, not 2.0"),
        (Integer(), "2", 'must be a whole number of at least 0, not "2"'),
        (Integer(0, 9), 10, "must be a whole number from 0 to 9, not 10"),
        (Integer(None, 9), 10, "must be a whole number of at most 9, not 10"),
        (Integer(None), None, "must be a whole number, not null"),
        (Boolean(), 1, "must be true or false, not 1"),
        (Number(), "1", 'must be a number, not "1"'),
        (Number(), float("inf"), "must be a number, not Infinity"),
        (Text(), 5, "must be a text, not 5"),
        (Text(), dt.date(2019, 8, 25), "must be a text, not the date or time 2019-08-25"),
        (Text(("dog", "food")), "dgo", "\"dgo\" is not allowed here; did you mean 'dog'?"),
        (Text(("dog", "food")), "x", "\"x\" is not allowed here; known: 'dog', 'food'"),
        (Text(pattern="[a-z]+", kind="an id"), "A", '"A" is not an id'),
        (Null(), 0, "must be null, not 0"),
        (ListOf(Integer()), {}, "must be a list, not a table"),
        (ListOf(Integer(), least=1), [], "must have at least 1 elements, not 0"),
        (ListOf(Integer(), unique=True), [1, 1], "[1]: 1 stands twice in the list"),
        (MapOf(Integer()), [], "must be a table, not a list"),
        (
            MapOf(Integer(), Text(("sun",), kind="a face")),
            {"son": 1},
            "son: \"son\" is not a face; did you mean 'sun'?",
        ),
        (CARD, 5, "must be a table, not 5"),
        (CARD, {"energy": "al", "type": "dog"}, 'must be a whole number from 0 to 9, or "all", not "al"'),
    ],
)
def test_one_fault(schema: Schema, value: Any, message: str) -> None:
    (fault,) = faults_of(schema, value)
    assert message in fault
    assert not schema.accepts(value)


def test_all_faults_are_found_at_once() -> None:
    assert faults_of(CARD, {"enery": 2, "type": 3, "tags": ["a", 1, "a"]}) == [
        "enery: unknown key; did you mean 'energy'?",
        'type: must be one of "dog", "food", not 3',
        "tags: must have 0 to 2 elements, not 3",
        "tags[1]: must be a text, not 1",
        'tags[2]: "a" stands twice in the list',
        "the key 'energy' is missing; it must be a whole number from 0 to 9, or \"all\"",
    ]


def test_nothing_is_left_of_a_list_of_a_wrong_length() -> None:
    for value in ([], [1, 2, 3]):
        assert ListOf(Integer(), 1, 2).check(value, (), Faults()) is MISSING


def test_what_is_right_has_no_fault() -> None:
    for energy in (0, 9, "all"):
        assert CARD.accepts({"energy": energy, "type": "dog", "tags": []})
    assert Either((Null(), ListOf(Integer()))).accepts(None)
    assert Schema().accepts(object())


def test_a_choice_of_shapes_tells_the_faults_of_the_likely_one() -> None:
    assert faults_of(Either((Null(), ListOf(Integer()))), ["a"]) == [
        '[0]: must be a whole number of at least 0, not "a"'
    ]


def test_cleaning_keeps_what_is_right() -> None:
    rows = Table({"rows": Field(ListOf(CARD, least=1)), "n": optional(Integer())})
    good = {"energy": 1, "type": "dog"}
    assert rows.check({"rows": [{**good, "x": 1}, {"energy": 1}, 7], "n": "a", "y": 2}, (), Faults()) == {
        "rows": [good]
    }
    assert rows.check({"rows": [{"energy": 1}]}, (), Faults()) is MISSING


def test_faults_are_raised_together_in_the_order_of_their_lines() -> None:
    faults = Faults(lambda path, message: Fault(message, file="f", line=int(str(path[0]))))
    faults.raise_any()
    faults.inside((2,)).add((), "second")
    faults.add((1,), "first")
    faults.add((1,), "first")
    with pytest.raises(ContentError) as refusal:
        faults.raise_any()
    assert str(refusal.value) == "f:1: first\nf:2: second"


def test_long_values_are_shortened_in_messages() -> None:
    assert len(shown("x" * 1000)) == 60


def test_json_schema() -> None:
    assert json_schema(CARD) == {
        "type": "object",
        "properties": {
            "energy": {
                "anyOf": [{"type": "integer", "minimum": 0, "maximum": 9}, {"type": "string", "enum": ["all"]}],
                "description": "Cards to discard.",
            },
            "type": {"type": "string", "enum": ["dog", "food"]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": True},
        },
        "required": ["energy", "type"],
        "additionalProperties": False,
    }
    assert json_schema(MapOf(Boolean(), Text(pattern="a+"))) == {
        "type": "object",
        "additionalProperties": {"type": "boolean"},
        "propertyNames": {"type": "string", "pattern": "^(?:a+)$"},
    }
    assert json_schema(Either((Null(), Number()))) == {"anyOf": [{"type": "null"}, {"type": "number"}]}


def test_faults_beyond_the_first_are_counted() -> None:
    faults = Faults()
    inside = faults.inside(("a",))
    ListOf(Text(("dog",))).check(["x"] * 1000, (), inside)
    assert (len(set(faults.found)), faults.count, faults.is_full) == (101, 1000, True)
    assert faults.nearest("dgo", ["dog"]) == ""
    with pytest.raises(ContentError, match="and 900 more"):
        faults.raise_any()


def test_a_closed_list_without_words_allows_none() -> None:
    assert not Text(()).accepts("x")
    assert Text().accepts("x")
    assert json_schema(Text(())) == {"not": {}}
