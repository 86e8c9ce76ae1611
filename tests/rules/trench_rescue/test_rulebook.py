"""The rulebook in short: well formed, able to explain every number that the code names, and covered by tests."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.core.errors import IllegalMoveError
from rules.core.position import new_position
from rules.core.race import Grid, Picture
from rules.core.ruleset import load_ruleset
from rules.core.scripts import Event
from rules.trench_rescue import content, engine
from rules.trench_rescue.words import SENTENCES
from tests.rules.trench_rescue.battles import Battle, both

FOLDER = Path(engine.__file__).parent
RULES = tomllib.loads((FOLDER / "rulebook.toml").read_text("utf-8"))["rules"]
RULINGS = {option["ruling"] for option in content.OPTIONS.rows.values()}


@pytest.mark.parametrize("number", RULES)
def test_a_rule_has_a_heading_and_a_sentence_or_two(number: str) -> None:
    rule = RULES[number]
    assert {"heading", "text"} <= rule.keys() <= {"heading", "text", "table", "changed"}
    assert ("table" in rule) == ("changed" in rule), "a rule with numbers says where they stand"
    assert rule["heading"][0].isupper()
    assert not rule["heading"].endswith(".")
    assert rule["text"].endswith(".")
    assert len(rule["text"]) <= 260


def test_every_ruling_completes_a_rule_of_the_rulebook() -> None:
    assert {option["rule"] for option in content.OPTIONS.rows.values()} <= set(RULES)
    numbers = {int(ruling[4:]) for ruling in RULINGS if ruling[4:].isdecimal()}
    assert numbers == set(range(1, 27))


def told() -> Iterator[tuple[str, str]]:
    """Yield the texts of every call that logs an event: the rule and the kind, where they stand as words."""
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit":
                rules, kinds = (
                    [part.value for part in ast.walk(argument) if isinstance(part, ast.Constant)]
                    for argument in node.args[:2]
                )
                yield from ((str(rule), str(kind)) for rule in rules for kind in kinds)


def test_events_name_rules_of_the_rulebook_and_kinds_with_a_sentence() -> None:
    rules = {rule for rule, _ in told() if re.match(r"TR-|[0-9]+\.", rule)}
    assert rules <= {*RULES, *RULINGS}
    kinds = {kind for _, kind in told()} - {"to_"}
    assert kinds <= set(SENTENCES)


def test_every_ruleset_holds_every_option_once() -> None:
    ruleset = load_ruleset("trench_rescue/2012")
    assert list(ruleset.raw["options"]) == list(content.OPTIONS.rows)


def test_every_rule_and_ruling_has_a_test_of_its_name() -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    rules = [number.strip("_") for number in re.findall(r"def test_rule_((?:\d+_)+)", tests)]
    named = {number.replace("_", ".") for number in rules}
    named |= {number.replace("_", ".") for number in re.findall(r"_and_((?:\d+_)+\d+)_", tests)}
    named |= {number.strip("_").replace("_", ".") for number in re.findall(r"_and_((?:\d+_)+)", tests)}
    assert set(RULES) - named == set()
    rulings = {int(number) for number in re.findall(r"def test_ruling_(\d+)_", tests)}
    assert rulings >= set(range(1, 27))


def test_sentences_speak_of_one_and_of_several() -> None:
    game = Battle().game
    one = game.sentence(Event("4.2", "goes", {"cards": ("4C",), "start": "1,1", "cell": "1,2"}))
    two = game.sentence(Event("4.2", "goes", {"cards": ("4C", "9S"), "start": "1,1", "cell": "1,2"}))
    assert (one, two) == ("4C goes from 1,1 to 1,2", "4C and 9S go from 1,1 to 1,2")
    hit = game.sentence(Event("6.5", "hit", {"cards": ("4C",), "cell": "1,2"}))
    assert hit == "4C is hit and now wounded at 1,2"
    died = game.sentence(Event("7.2", "wounded_die", {"cards": ("4C", "?", "?")}))
    assert died == "the wounded on the field die: 4C and 2 unknown cards"


def test_the_battlefield_is_a_grid_of_cells() -> None:
    battle = Battle("4C@1,1 9S@1,1+JD QH@3,4", {"1,1": "2D 3D"}, trench=both("KS", "5D"))
    rows = battle.game.glance(battle.table)
    field = dict(rows)["field"]
    assert isinstance(field, Picture)
    assert field == "▲4C ▲9S+JD [3D+1] at 1,1; ▼QH at 3,4"
    assert field.shape == Grid(
        (("▲4C ▲9S+JD [3D+1]", "", "", ""), ("",) * 4, ("",) * 4, ("", "", "▼QH", "")), "▼ red trench", "▲ black trench"
    )
    hidden = new_position("trench_rescue/2012", 2, 3, ())
    game, start = hidden.start()
    assert isinstance(game, engine.TrenchRescue)
    shown = dict(game.glance(start.table))
    assert shown["seen by"] in ("black", "red")
    assert shown["red deck"] == "17 cards, all unknown"


REFUSED = {
    "cycle 4D": "4.0.1",
    "cycle 1C": "1.1",
    "cycle 4C": "4.1",
    "enter 4C x1": "4.1",
    "enter KS x5": "4.1",
    "enter KS 1,2": "4.2",
    "peek KS": "4.1",
    "peek 9S": "4.1",
    "go KS home": "4.1",
    "go 9S+4C 1,1": "1.2",
    "go 4C+9S 1,1": "4.2",
    "go 4C 9,9": "4.2",
    "go 4C 2,2 take": "4.2",
    "go 4C 1,2 take": "4.2",
    "go 4C 1,4": "4.2",
    "go 9S home": "4.2",
    "drop 9S": "4.1",
    "drop KS": "4.1",
    "deck 4C": "9",
    "cards 4C": "15",
    "shells 1,1": "9",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_open_is_refused_by_its_rule(text: str) -> None:
    battle = Battle("4C@1,1+2D 9S@3,3 5D@4,4", {"1,1": "3D"}, trench=both("KS"))
    with pytest.raises(IllegalMoveError) as refused:
        battle.play(text)
    assert refused.value.rule == REFUSED[text]


def test_a_game_that_is_over_refuses_everything() -> None:
    battle = Battle(phase="over", turn=20)
    with pytest.raises(IllegalMoveError, match=r"\(7\.4\): the game is over"):
        battle.play("end")
