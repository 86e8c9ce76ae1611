"""The JSON Schemas for editors accept every file that comes along, and refuse what the rules refuse."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from puzzles.puzzle import PUZZLE_FILE, library, load_puzzle
from rules.core.position import new_position
from rules.core.registry import GameDefinition, find_game, game_names
from rules.core.ruleset import load_ruleset
from rules.core.schema import MISSING, ListOf, Table
from rules.core.tools.documents import position_document, puzzle_document, ruleset_document
from tests.rules.games import RULESETS, VECTORS, steps_of

MAKERS: dict[str, Callable[[GameDefinition], dict[str, Any]]] = {
    "ruleset": ruleset_document,
    "position": position_document,
    "puzzle": partial(puzzle_document, PUZZLE_FILE),
}


@cache
def validator(kind: str, game: str) -> Draft202012Validator:
    return Draft202012Validator(MAKERS[kind](find_game(game)))


def faults(kind: str, game: str, data: Any) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(kind, game).iter_errors(data)]


def shipped(ruleset: str) -> Any:
    """Return the tables of the file of a shipped ruleset."""
    game, _, name = ruleset.partition("/")
    folder = find_game(game).folder
    (path,) = (path for part in ("editions", "variants") if (path := folder / part / f"{name}.toml").is_file())
    return tomllib.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("kind", MAKERS)
def test_a_document_is_json_schema(kind: str, game: str) -> None:
    made = MAKERS[kind](find_game(game))
    Draft202012Validator.check_schema(made)
    assert made["title"].endswith(kind)
    assert json.loads(json.dumps(made)) == made


def keys_of(shape: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the path and the shape of every key of a table, and of the tables in it."""
    for name, part in shape.get("properties", {}).items():
        yield f"{path}.{name}", part
        yield from keys_of(part, f"{path}.{name}")
    for part in [*([shape["items"]] if "items" in shape else []), *shape.get("anyOf", ())]:
        yield from keys_of(part, path)


@pytest.mark.parametrize("game", game_names())
def test_every_key_of_a_state_is_listed_with_its_meaning_and_type(game: str) -> None:
    state = MAKERS["position"](find_game(game))["properties"]["state"]
    keys = {path: part for path, part in keys_of(state) if not path.startswith(".pending.from")}
    assert [path for path, part in keys.items() if not part.get("description")] == []
    assert [path for path, part in keys.items() if not {"type", "anyOf"} & set(part)] == []
    edition = next(name for name in RULESETS if name.startswith(f"{game}/"))
    canonical = new_position(edition, 2, 1).canonical()["state"]
    assert set(canonical) == set(state["properties"]) - {"pending"}


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("known", [None, ()])
def test_what_a_state_leaves_out_takes_the_default_that_is_listed(name: str, known: tuple[str, ...] | None) -> None:
    ruleset = load_ruleset(name)
    setting = new_position(ruleset, 2, 3, known)
    complete = ruleset.definition.complete_state({}, setting)
    fields = ruleset.definition.state_schema(ruleset).fields
    stated = {key: field.default for key, field in fields.items() if field.default is not MISSING}
    assert {key: complete[key] for key in stated} == stated
    for key in ("players", "seats"):
        seat = fields[key].schema if key in fields else None
        if isinstance(seat, ListOf) and isinstance(seat.item, Table):
            own = {name: part.default for name, part in seat.item.fields.items() if part.default is not MISSING}
            own.pop("unseen", None)  # only written where it is true
            assert [{name: each[name] for name in own} for each in complete[key]] == [own] * 2


@pytest.mark.parametrize("name", RULESETS)
def test_shipped_rulesets(name: str) -> None:
    assert faults("ruleset", name.partition("/")[0], shipped(name)) == []


@pytest.mark.parametrize("name", library())
def test_shipped_puzzles(name: str) -> None:
    puzzle = load_puzzle(name)
    data = tomllib.loads(library()[name].read_text("utf-8"))
    assert faults("puzzle", puzzle.position.ruleset.game, data) == []


@pytest.mark.parametrize("name", RULESETS)
def test_positions_in_both_forms_and_in_the_middle_of_a_turn(name: str) -> None:
    ruleset = load_ruleset(name)
    game = ruleset.game
    for players in range(*ruleset.definition.players_allowed(ruleset)[:2]):
        for known in (None, ()):
            position = new_position(ruleset, players, 3, known)
            assert faults("position", game, position.canonical()) == []
            assert faults("position", game, tomllib.loads(position.to_toml())) == []
    rules, state = position.start()
    while not state.pending:
        state = rules.apply(state, steps_of(rules, state)[-1]).state
    assert faults("position", game, position.after(state).canonical()) == []


@pytest.mark.parametrize("name", sorted(VECTORS)[::9])
def test_lines_of_vectors(name: str) -> None:
    line = json.loads(VECTORS[name])
    assert faults("position", line["game"], line) == []


def test_a_variant_inside_a_position(tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    path.write_text('extends = "iditacards/2019-02"\n[cards.rest]\nremove = true\n[cards.mush]\nenergy = 1\n', "utf-8")
    position = new_position(str(path), 1, 1)
    assert faults("position", "iditacards", position.canonical()) == []


BASE = "iditacards/2019-02"


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ({"foo": 1}, "$"),
        ({"options": {"last_turns": "nobody"}}, "$.options.last_turns"),
        ({"options": {"lastturns": "none"}}, "$.options"),
        ({"rules": {"starting_hand": -1}}, "$.rules.starting_hand"),
        ({"rules": {"weather": ["sun"]}}, "$.rules.weather"),
        ({"cards": {"mush": {"enery": 1}}}, "$.cards.mush"),
        ({"cards": {"mush": {"remove": False}}}, "$.cards.mush.remove"),
        ({"cards": {"mush": {"effects": [{"op": "mvoe", "n": 1}]}}}, "$.cards.mush.effects[0]"),
        ({"cards": {"mush": {"effects": [{"op": "move"}]}}}, "$.cards.mush.effects[0]"),
        ({"order": {"cards": []}}, "$.order"),
    ],
)
def test_a_faulty_variant(table: dict[str, Any], place: str) -> None:
    found = faults("ruleset", "iditacards", {"extends": BASE, **table})
    assert [fault.partition(": ")[0] for fault in found] == [place]


def test_an_edition_must_be_whole() -> None:
    edition = shipped(BASE)
    del edition["cards"]["mush"]["energy"]
    assert faults("ruleset", "iditacards", edition) == ["$.cards.mush: 'energy' is a required property"]


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ({"wether": "sun"}, "$.state"),
        ({"weather": "fog"}, "$.state.weather"),
        ({"players": [{"hand": [1]}]}, "$.state.players[0].hand"),
    ],
)
def test_a_faulty_position(state: Any, place: str) -> None:
    data = {"game": "iditacards", "ruleset": "2019-02", "state": state}
    assert [fault.partition(": ")[0] for fault in faults("position", "iditacards", data)] == [place]


def test_a_faulty_puzzle() -> None:
    data = tomllib.loads(library()["sprint-10"].read_text("utf-8"))
    wrong = {**data, "goal": {**data["goal"], "objective": "speed"}, "position": {**data["position"], "players": "9"}}
    found = faults("puzzle", "iditacards", wrong)
    assert sorted(fault.partition(": ")[0] for fault in found) == ["$.goal.objective", "$.position.players"]
