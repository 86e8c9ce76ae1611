"""Texts as tables, and the line of every key."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import ContentError, nearest
from rules.core.files import KeyPath, decoded, path_text, read_file, read_text
from rules.core.tools.output import toml_text

SAMPLE = '''# a comment [not.a.table]
title = "x # no comment"
"quoted key" = 'y'
a.b.c = 1

[table]
list = [
  1,
  { deep = "}", other = [ "]", 2 ] },  # a comment, with a comma
  3,
]
text = """
several
lines "with quotes"
"""
after = 1979-05-27

[[rows]]
name = "first"
[rows.inner]
x = 1

[[rows]]
name = "second"
dotted.key = true
'''


def paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    if isinstance(value, dict):
        for name, part in value.items():
            yield from paths(part, (*path, name))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from paths(part, (*path, place))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("quoted key",), 3),
        (("a", "b", "c"), 4),
        (("table",), 6),
        (("table", "list"), 7),
        (("table", "list", 0), 8),
        (("table", "list", 1, "deep"), 9),
        (("table", "list", 1, "other", 1), 9),
        (("table", "list", 2), 10),
        (("table", "text"), 12),
        (("table", "after"), 16),
        (("rows", 0, "inner", "x"), 21),
        (("rows", 1, "name"), 24),
        (("rows", 1, "dotted", "key"), 25),
    ],
)
def test_the_line_of_a_toml_key(path: KeyPath, line: int) -> None:
    assert read_text(SAMPLE).fault(path, "").line == line


def test_every_value_of_toml_and_of_json_has_a_line() -> None:
    for text in (SAMPLE.replace("1979-05-27", "5"), json.dumps(tomllib.loads(SAMPLE), default=str, indent=1)):
        source = read_text(text)
        assert set(paths(source.data)) == set(source.lines)


def test_a_key_without_a_line_has_that_of_the_table_around_it() -> None:
    assert read_text(SAMPLE).fault(("rows", 1, "nothing", "here"), "").line == 23
    assert read_text(SAMPLE).fault(("nowhere",), "").line is None


def test_the_line_of_a_json_key() -> None:
    text = '{\n "a": [\n  {"b": "}\\n"},\n  {"c": 1}\n ]\n}'
    assert read_text(text).fault(("a", 1, "c"), "").line == 4


def test_a_key_path_as_people_write_it() -> None:
    assert path_text(("state", "players", 0, "hand", 2)) == "state.players[0].hand[2]"
    assert path_text(("a b", "c")) == '"a b".c'


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "f.toml: the text is empty; give TOML or JSON"),
        (b" \n\t", "f.toml: the text is empty; give TOML or JSON"),
        (b"a = 1\nb = = 2", "f.toml:2: malformed TOML: Invalid value"),
        (b"a = [1,\n2", "f.toml:2: malformed TOML: Unclosed array (at the end)"),
        (b"a = 1\na = 2", "f.toml:2: malformed TOML: Cannot overwrite a value (at the end)"),
        (b'{"a": 1,\n}', "f.toml:2: malformed JSON: Expecting property name enclosed in double quotes (column 1)"),
        (b'{"a": 1,\n"a": 2}', "f.toml: malformed: the key 'a' stands twice"),
        (b'{"a": {"b": 1, "b": 2}}', "f.toml: malformed: the key 'b' stands twice"),
        (b'{\n"a": [1,\nNaN]}', "f.toml: malformed: 'NaN' is no JSON value"),
        (b'{\n"a": -Infinity }', "f.toml: malformed: '-Infinity' is no JSON value"),
        (b"[1, 2]", "f.toml: must be one table at the top, not a list or a single value"),
        (b"ab\ncd\xff\xfe", "f.toml:2: not UTF-8 text; save the file in UTF-8"),
        (b"a = " + b"[" * 9000, "f.toml: nested too deeply"),
        (b'{"a":' * 9000, "f.toml: nested too deeply"),
    ],
)
def test_a_text_that_cannot_be_read(raw: bytes, message: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_text(decoded(raw, "f.toml"), "f.toml")
    assert str(refusal.value) == message


def test_no_text_or_key_has_signs_that_are_not_to_be_printed() -> None:
    read = read_text('{"a\\u001b": ["\\ud800\\u009b", "two\\nlines\\tof\\u2028it"], "\\u007f": 1}', "\x1b.json")
    assert read.data == {"a\\x1b": ["\\ud800\\u009b", "two lines of\\u2028it"], "\\u007f": 1}
    assert str(read.fault(("a\\x1b", 0), "no\ngood")) == '\\x1b.json:1: "a\\\\x1b"[0]: no\\ngood'


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read_text(decoded(b"\xef\xbb\xbfa = 1")).data == {"a": 1}


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="there is no such file"):
        read_file(tmp_path / "missing.toml")
    with pytest.raises(ContentError, match="this is a folder"):
        read_file(tmp_path)
    with pytest.raises(ContentError, match="cannot be read"):
        read_file(tmp_path / ("x" * 3000))


KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
SCALARS = st.integers(-(2**70), 2**70) | st.booleans() | st.text(st.characters(codec="utf-8"), max_size=60)
VALUES = st.recursive(
    SCALARS, lambda part: st.lists(part, max_size=12) | st.dictionaries(KEYS, part, max_size=4), max_leaves=30
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5))
def test_tables_written_as_toml_read_back(data: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(data)) == data


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5))
def test_every_value_of_any_json_has_a_line(data: dict[str, Any]) -> None:
    source = read_text(json.dumps(data, indent=2))
    assert set(paths(source.data)) == set(source.lines)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5))
def test_every_value_of_any_toml_has_a_line(data: dict[str, Any]) -> None:
    source = read_text(toml_text(data))
    assert set(paths(source.data)) == set(source.lines)


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("MUSH", ["move", "mush"], "; did you mean 'mush'?"),
        ("Dog Chow", ["dog_chow", "good_dog"], "; did you mean 'dog_chow'?"),
        ("2019", ["2017", "2019-02", "2019-08"], "; did you mean '2019-02' or '2019-08'?"),
        ("muhs", ["move", "mush"], "; did you mean 'mush'?"),
        ("", ["ab"], ""),
        ("title", ["game", "ruleset", "state"], ""),
    ],
)
def test_the_nearest_word_is_found_whatever_its_case(word: str, known: list[str], hint: str) -> None:
    assert nearest(word, known) == hint
