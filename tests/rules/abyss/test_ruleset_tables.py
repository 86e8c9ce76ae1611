"""The tables of ops, options and rules, the edition that uses them, and what a wrong variant is told."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.abyss import content, engine
from rules.abyss.actions import Use
from rules.abyss.content import ruleset_schema
from rules.abyss.round import Happening
from rules.abyss.words import SENTENCES
from rules.core.errors import ContentError
from rules.core.registry import find_game
from rules.core.ruleset import load_ruleset
from rules.core.tools.documents import json_schema

FOLDER = Path(engine.__file__).parent
BOOK = tomllib.loads((FOLDER / "rulebook.toml").read_text("utf-8"))
RULES = BOOK["rules"]
WORDS = tomllib.loads((FOLDER / "ops.toml").read_text("utf-8"))
RULINGS = {option["ruling"] for option in content.OPTIONS.rows.values()}
NO_OPTION = {"AB-Q1", "AB-Q27", "AB-Q45"}
"""Rulings that leave nothing to choose; the first is a key of every position."""
RAW = load_ruleset("abyss/2021").raw


def told() -> Iterator[tuple[str, str]]:
    """Yield the rules and kinds of all events that the engine tells, as they stand in its calls."""
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit":
                for part in node.args[:2]:
                    for constant in ast.walk(part):
                        if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                            yield ("rule" if part is node.args[0] else "kind"), constant.value


def test_every_ruling_has_its_options() -> None:
    assert {f"AB-Q{number}" for number in range(1, 48)} == RULINGS | NO_OPTION


@pytest.mark.parametrize("name", content.OPTIONS.rows)
def test_an_option_says_what_it_asks_and_what_each_answer_means(name: str) -> None:
    option = content.OPTIONS.rows[name]
    assert option["question"].endswith("?")
    assert option["rule"] in RULES
    shape = content.OPTIONS.schema.fields[name].schema
    assert shape.accepts(option["neutral"])
    assert not shape.accepts("nonsense")
    assert not shape.accepts(-1)
    assert all(option.get("values", {"-": "-"}).values())
    if "min" in option or "table" in option:
        assert option["note"].endswith(".")
    if isinstance(option["neutral"], bool):
        assert set(option["values"]) == {"true", "false"}
    elif isinstance(option["neutral"], str):
        assert option["neutral"] in option["values"]


@pytest.mark.parametrize("number", RULES)
def test_a_rule_has_a_heading_and_a_sentence_or_two(number: str) -> None:
    rule = RULES[number]
    assert rule.keys() == {"heading", "text"}
    assert not rule["heading"].endswith(".")
    assert rule["text"].endswith(".")
    assert len(rule["text"]) <= 260


def test_events_name_rules_that_are_explained_and_kinds_that_have_a_sentence() -> None:
    found = list(told())
    assert len(found) > 80
    assert {text for what, text in found if what == "rule"} <= {*RULES, *RULINGS}
    words = {text for what, text in found if what == "kind"}
    assert words == set(SENTENCES)


def test_every_ruling_in_the_code_is_explained() -> None:
    for path in FOLDER.glob("*.py"):
        named = set(re.findall(r"AB-Q\d+", path.read_text("utf-8")))
        assert named <= RULINGS | NO_OPTION, path.name


def test_every_ruling_has_a_test_of_its_name() -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    named = {f"AB-Q{number}" for number in re.findall(r"def test_ruling_(\d+)_", tests)}
    assert named == RULINGS | NO_OPTION


def test_every_op_has_a_method_and_a_card() -> None:
    used = {effect["op"] for card in RAW["cards"].values() for effect in card["effects"]}
    assert used == set(WORDS["ops"])
    for name, op in WORDS["ops"].items():
        assert ("actions" in op["on"]) == hasattr(Use, f"_{name}")
        assert ("events" in op["on"]) == hasattr(Happening, f"_{name}")
    modifiers = {entry["mod"] for identity in RAW["identities"].values() for entry in identity["modifiers"]}
    assert modifiers == set(WORDS["modifiers"])


def test_the_published_numbers_of_cards() -> None:
    counts = dict.fromkeys(("actions", "events"), 0)
    for card in RAW["cards"].values():
        counts[card["deck"]] += 0 if "needs" in card else card["count"]
    assert counts == {"actions": 37, "events": 40}
    assert all(card["summary"].endswith(".") for card in RAW["cards"].values())
    assert all(entry["provenance"] in ("published", "assumed") for entry in RAW["cards"].values())
    assert [card["count"] for card in RAW["cards"].values() if card["deck"] == "events"] == [4] * 11


def test_the_shape_of_a_ruleset_as_json_schema() -> None:
    schema = json_schema(ruleset_schema())
    effects = schema["properties"]["cards"]["additionalProperties"]["properties"]["effects"]
    names = [shape["properties"]["op"]["const"] for shape in effects["items"]["oneOf"]]
    assert names == list(WORDS["ops"])


def test_a_ruleset_without_a_change_plays_alike_and_one_with_a_change_does_not(tmp_path: Path) -> None:
    same = tmp_path / "same.toml"
    same.write_text('extends = "abyss/2021"\n[cards.bribe]\nname = "Bribery"\n[options]\nspeech_rp = 2\n', "utf-8")
    other = tmp_path / "other.toml"
    other.write_text('extends = "abyss/2021"\n[options]\nspeech_rp = 3\n', "utf-8")
    base = load_ruleset("abyss/2021").fingerprint
    assert load_ruleset(str(same)).fingerprint == base
    assert load_ruleset(str(other)).fingerprint != base


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[cards.bribe]\ncont = 4", "cards.bribe.cont: unknown key; did you mean 'count'"),
        ("[cards.bribe]\neffects = [{ op = 'app', amount = 1 }]", "unknown op 'app'; did you mean 'ap'"),
        ("[cards.bribe]\neffects = [{ op = 'damage', amount = 1, where = 'city' }]", "is no op of a card of the deck"),
        ("[cards.bribe]\ntiming = 'modifier'", "only an Event can be a modifier"),
        ("[cards.bribe]\nlocation = 'moon'", "is not allowed here; known: 'city'"),
        ("[cards.bribe]\nneeds = { option = 'lost_action', value = 'no' }", "no value of 'lost_action'"),
        ("[partners.homeless]\ncost = 0", "partners.homeless.cost: must be a whole number from 1"),
        ("[options]\nspeach_rp = 1", "options.speach_rp: unknown key; did you mean 'speech_rp'"),
        ("[options]\nspeech_rp = 4", "options.speech_rp: must be a whole number from 0 to 3"),
        ("[options]\npartner_supply = { homles = 1 }", "partner_supply.homles: 'homles' is none of the partners"),
        ("[identities.leader]\nmodifiers = [{ mod = 'price' }]", "unknown mod 'price'"),
        (
            "[identities.leader]\nmodifiers = [{ mod = 'temps', price = 1, max_cards = 1 },"
            " { mod = 'temps', price = 2, max_cards = 1 }]",
            "'temps' stands twice",
        ),
        (
            "[identities]\nleader = { remove = true }\nemployer = { remove = true }\nadventurer = { remove = true }",
            "least",
        ),
    ],
)
def test_a_wrong_variant_is_told_what_is_wrong(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "v.toml"
    path.write_text(f'extends = "abyss/2021"\n{text}\n', "utf-8")
    with pytest.raises(ContentError, match=re.escape(fault)):
        load_ruleset(str(path))


def test_a_new_card_and_partner_need_no_code(tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    path.write_text(
        'extends = "abyss/2021"\n'
        '[cards.gift]\nname = "Gift"\ndeck = "actions"\ncount = 2\nlocation = "any"\n'
        'effects = [{ op = "ap", amount = 9 }]\n'
        '[partners.giant]\nname = "Giant"\ncost = 9\nhp = 20\n'
        '[order]\npartners = ["giant", "homeless", "ordinary_citizen", "trained_person", "guardian"]\n',
        "utf-8",
    )
    ruleset: Any = load_ruleset(str(path))
    assert next(iter(ruleset.raw["partners"])) == "giant"
    assert find_game("abyss").players_allowed(ruleset)[:2] == (1, 6)
