"""JSON Schema of whole files for editors, made of the same shapes that the files are checked against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.core.declared import table_of
from rules.core.files import canonical_json
from rules.core.reader import VECTOR_KEYS, PendingFile, position_shape
from rules.core.registry import GameDefinition
from rules.core.ruleset import Ruleset, list_rulesets, load_ruleset
from rules.core.schema import Boolean, ListOf, MapOf, Table, Text, document

_MANY: Final = 10
"""Words from which a list of them is written once and referred to."""


def ruleset_document(game: GameDefinition) -> dict[str, Any]:
    """Return the JSON Schema of rulesets of a game: a variant where the file says ``extends``, else an edition."""
    whole = game.ruleset_schema().json_schema()
    shape = {"if": {"required": ["extends"]}, "then": variant_shape(game), "else": whole}
    return _document(f"{game.title}: ruleset", shape)


def variant_shape(game: GameDefinition) -> dict[str, Any]:
    """Return the JSON Schema of a variant: what a ruleset may say, anything left out, entries removed or replaced."""
    shape = _partial(game.ruleset_schema().json_schema())
    for table in game.collections:
        entries = shape["properties"].get(table, {}).get("additionalProperties")
        if isinstance(entries, dict):
            removed = {"const": True, "description": "takes the entry out; it stands alone"}
            replaced = {**Boolean().json_schema(), "description": "the entry is written anew as a whole"}
            entries["properties"] = {**entries["properties"], "remove": removed, "replace": replaced}
    order = MapOf(ListOf(Text()), Text(game.ordered)).json_schema() if game.ordered else {"type": "object"}
    extends = {**Text().json_schema(), "description": "the ruleset it changes: an id, or the path of a file"}
    return {**shape, "required": ["extends"], "properties": {"extends": extends, **shape["properties"], "order": order}}


def position_document(game: GameDefinition) -> dict[str, Any]:
    """Return the JSON Schema of position files of a game."""
    return _document(f"{game.title}: position", position_json(game, lines=True))


def puzzle_document(game: GameDefinition, puzzle: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of puzzle files; ``puzzle`` is the shape of one whose position is not yet known."""
    properties = {**puzzle["properties"], "position": position_json(game)}
    return _document(f"{game.title}: puzzle", {**puzzle, "properties": properties})


def position_json(game: GameDefinition, *, lines: bool = False) -> dict[str, Any]:
    """Return the shape of a position; ``lines`` allows what a line of a batch says besides.

    Ids are asked for where the position names a shipped ruleset; under a variant file, which may have other cards,
    any text stands for one.
    """
    shape = position_shape(VECTOR_KEYS if lines else ()).json_schema()
    options = game.ruleset_schema().json_schema()["properties"].get("options", {"type": "object"})
    name = {"type": "string", "description": "an edition or variant that comes along, or the path of a variant file"}
    special = {"ruleset": {"anyOf": [name, variant_shape(game)]}, "options": _partial(options)}
    state = {"description": shape["properties"]["state"]["description"], **_state_shape(game.state_schema())}
    properties = {**shape["properties"], "game": {"const": game.name}, **special, "state": state}
    cases: dict[str, tuple[list[str], dict[str, Any]]] = {}
    for info in list_rulesets():
        ruleset = load_ruleset(info.id)
        if ruleset.game == game.name:
            parts = _parts(ruleset)
            names, _ = cases.setdefault(canonical_json(parts), ([], parts))
            names += [info.id, info.id.partition("/")[2]]
    chosen = [
        {"if": {"properties": {"ruleset": {"enum": names}}, "required": ["ruleset"]}, "then": {"properties": parts}}
        for names, parts in cases.values()
    ]
    return {**shape, "properties": properties, "allOf": chosen}


def _parts(ruleset: Ruleset) -> dict[str, Any]:
    """Return the shapes of those parts of a position that depend on its ruleset."""
    game = ruleset.definition
    least, most = game.players_allowed(ruleset)
    lists = {
        canonical_json(shape): shape
        for shape in (game.lists_schema(ruleset, players).json_schema() for players in range(least, most + 1))
    }
    sources = ListOf(Text(game.sources), unique=True).json_schema()
    return {
        "players": {"type": "integer", "minimum": least, "maximum": most},
        "chance": {"properties": {"open": sources, "lists": {"anyOf": list(lists.values())}}},
        "state": _narrowed(_state_shape(game.state_schema(ruleset)), _state_shape(game.state_schema())),
    }


def _narrowed(shape: Mapping[str, Any], general: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a shape asks besides a more general one."""
    kept: dict[str, Any] = {}
    for name, part in shape.items():
        other = general.get(name)
        if part != other:
            kept[name] = _narrowed(part, other) if isinstance(part, dict) and isinstance(other, dict) else part
    return kept


def _state_shape(table: Table) -> dict[str, Any]:
    """Return the shape of a state, which may be in the middle of a turn."""
    state = table.json_schema()
    pending = {**table_of(PendingFile).json_schema(), "description": "a turn under way"}
    pending["properties"]["from"] = {**state, "description": "the state it began at"}
    return {**state, "properties": {**state["properties"], "pending": pending}}


def _partial(shape: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shape of a table in which anything may be left out; lists are replaced as a whole."""
    kept = {name: value for name, value in shape.items() if name != "required"}
    if isinstance(kept.get("properties"), dict):
        kept["properties"] = {name: _partial(part) for name, part in kept["properties"].items()}
    if isinstance(kept.get("additionalProperties"), dict):
        kept["additionalProperties"] = _partial(kept["additionalProperties"])
    return kept


def _document(title: str, shape: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document in which long lists of words stand once, under ``$defs``."""
    names: dict[str, str] = {}
    definitions: dict[str, Any] = {}

    def written(value: Any) -> Any:
        if isinstance(value, list):
            return [written(part) for part in value]
        if not isinstance(value, dict):
            return value
        words = value.get("enum")
        if not isinstance(words, list) or len(words) < _MANY:
            return {key: written(part) for key, part in value.items()}
        name = names.setdefault(canonical_json(words), f"words{len(names) + 1}")
        definitions[name] = {"enum": words}
        return {**{key: part for key, part in value.items() if key != "enum"}, "$ref": f"#/$defs/{name}"}

    body = written(dict(shape))
    return document(title, {**body, **({"$defs": definitions} if definitions else {})})
