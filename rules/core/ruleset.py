"""Rulesets: an edition, or a variant that says what it ``extends`` and then only what differs.

A variant's tables are laid over those below it key by key; lists and single values replace the old ones. The keys
given change an entry of a collection, such as a card. A new id adds an entry, ``remove = true`` takes it out, and
``replace = true`` writes it anew as a whole. New entries stand after the old ones; ``[order]`` can give another order.
The result is validated as a whole: the fault list covers every file of the chain, each fault where it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from rules.core.errors import ContentError, Fault, escaped, nearest, shown
from rules.core.files import Faults, KeyPath, Source, canonical_json, is_there, read_file
from rules.core.registry import REMARK, GameDefinition, Ruleset, find_game, game_folders
from rules.core.schema import ListOf, Table, Text, facts, optional

_FOLDERS: Final = ("editions", "variants")
INLINE: Final = "a variant written in the position"
"""Id of a ruleset that a position brings along."""


def load_ruleset(reference: str, base_dir: Path | None = None, game: str = "") -> Ruleset:
    """Return a shipped ruleset, or a variant file resolved against what it extends.

    ``reference`` is ``<game>/<name>``, a bare ``<name>`` when ``game`` is given or no two games share it, or a path.
    The path of a variant file is relative to ``base_dir``, the working folder when left out.

    Raises:
        ContentError: every fault of every file of the chain.
    """
    path = _find(reference, base_dir, game)
    return _load_shipped(path) if _shipped_id(path) else _resolve(_file_chain(path), reference)


def load_inline_ruleset(source: Source, base_dir: Path | None = None, game: str = "") -> Ruleset:
    """Return the variant that stands in a table of another text.

    Raises:
        ContentError: every fault of the table and of what it extends.
    """
    return _resolve([*_extended(source, base_dir or Path(), (), game), source], INLINE)


def extended(ruleset: Ruleset, data: Mapping[str, Any] | Source) -> Ruleset:
    """Return a ruleset with the tables of one more variant laid over it.

    Raises:
        ContentError: every fault of the result.
    """
    source = data if isinstance(data, Source) else Source(data, canonical_json(data), INLINE)
    return _resolve([*ruleset.layers, source], INLINE)


def list_rulesets() -> list[Ruleset]:
    """Return every edition and variant that comes with bestline, editions first in each game."""
    return [load_ruleset(name) for name in shipped_rulesets()]


def difference(ruleset: Ruleset) -> dict[str, Any]:
    """Return the variant table that makes this ruleset out of the shipped one it extends.

    Sources, remarks and targets are left out: the table says how to play and what to show. Rulesets that are equal in
    that have equal tables, however they were written.
    """
    base = load_ruleset(ruleset.shipped).raw
    game = ruleset.definition
    result: dict[str, Any] = {"extends": ruleset.shipped}
    for name, table in ruleset.raw.items():
        if name in ("meta", "assert"):
            continue
        sides = [base.get(name, {}), table]
        if name in game.collections:
            shape = game.ruleset_schema().fields[name].schema
            sides = [facts(shape, side, (REMARK,), whole=False) for side in sides]
        if changed := table_changes(*sides, entries=name in game.collections):
            result[name] = changed
    order = {}
    for name in (name for name in game.ordered if name in ruleset.raw):
        old, new = base.get(name, {}), list(ruleset.raw[name])
        # A canonical text gives known entries first, new ones ascending.
        if new != [key for key in old if key in new] + sorted(key for key in new if key not in old):
            order[name] = new
    return {**result, "order": order} if order else result


def table_changes(old: Mapping[str, Any], new: Mapping[str, Any], *, entries: bool = False) -> dict[str, Any]:
    """Return the keys of a table that differ; ``entries`` can be removed, and replaced where they lose a key."""
    changed: dict[str, Any] = {key: {"remove": True} for key in old if entries and key not in new}
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            if entries and not before.keys() <= value.keys():
                changed[key] = {"replace": True, **value}
            elif inner := table_changes(before, value):
                changed[key] = inner
        elif key not in old or canonical_json(value) != canonical_json(before):
            changed[key] = value
    return changed


@cache
def shipped_rulesets() -> Mapping[str, Path]:
    """Return the files of the rulesets that come with bestline, by id, editions first in each game."""
    return {
        f"{game}/{path.stem}": path
        for game, folder in game_folders().items()
        for part in _FOLDERS
        for path in sorted((folder / part).glob("*.toml"))
    }


@cache
def _load_shipped(path: Path) -> Ruleset:
    """Read a shipped ruleset once; its chain consists of shipped rulesets, named by their ids in messages."""
    return _resolve(_file_chain(path), _shipped_id(path))


_read_once: Final = cache(read_file)
"""Reads a shipped text, which several variants extend."""


def _shipped_id(path: Path) -> str:
    """Return the id of the shipped ruleset that a path leads to, or an empty text."""
    return next((name for name, shipped in shipped_rulesets().items() if shipped == path), "")


def _find(reference: str, base_dir: Path | None, game: str) -> Path:
    """Return the path of a ruleset, resolved when it is a shipped one.

    Raises:
        ContentError: there is neither a shipped ruleset of this name nor a file that it could mean.
    """
    owned = {name: path for name, path in shipped_rulesets().items() if name.startswith(f"{game}/" if game else "")}
    bare = Counter(path.stem for path in owned.values())
    known = {**shipped_rulesets(), **{path.stem: path for path in owned.values() if bare[path.stem] == 1}}
    if reference in known:
        return known[reference]
    if not reference.strip():
        raise ContentError([Fault(f"the name of the ruleset is empty; give one such as '{_first_shipped(game)}'")])
    path = (base_dir or Path()) / Path(reference).expanduser()
    if is_there(path):
        return path.resolve() if _shipped_id(path.resolve()) else path
    message = f"there is no file '{path}'; check the name and the folder"
    if is_there(path.with_name(f"{path.name}.toml")):
        message = f"there is no ruleset '{reference}'; did you mean the file '{reference}.toml'?"
    elif not reference.endswith((".toml", ".json")):
        hint = nearest(reference, known) or f"; shipped rulesets: {', '.join(shipped_rulesets())}"
        message = f"there is no ruleset '{reference if len(reference) <= 80 else f'{reference[:77]}...'}'{hint}"
    raise ContentError([Fault(message)])


def _file_chain(path: Path, above: tuple[Path, ...] = ()) -> list[Source]:
    shipped = _shipped_id(path)
    source = _read_once(path, shipped) if shipped else read_file(path, str(path))
    if shipped and path.parent.name == "editions":
        return [source]
    return [*_extended(source, path.parent, (*above, path.resolve())), source]


def _extended(layer: Source, base_dir: Path, above: tuple[Path, ...], game: str = "") -> list[Source]:
    """Return the texts below a variant, the edition first."""
    extends = layer.data.get("extends")
    if not isinstance(extends, str) or not extends:
        what = "the key 'extends' is missing" if extends is None else f"must be a text, not {shown(extends)}"
        message = f'{what}; name the ruleset this variant changes, such as extends = "{_first_shipped(game)}"'
        raise ContentError([layer.fault(("extends",), message)])
    try:
        path = _find(extends, base_dir, game)
        if path.resolve() in above:
            raise ContentError([layer.fault(("extends",), f"'{extends}' leads back to this file; the chain must end")])
        return _file_chain(path, above)
    except ContentError as error:
        own = [fault if fault.file else layer.fault(("extends",), fault.message) for fault in error.faults]
        raise ContentError(own) from None


def _first_shipped(game: str) -> str:
    return next(name for name in shipped_rulesets() if name.startswith(f"{game}/" if game else ""))


def _resolve(layers: Sequence[Source], reference: str) -> Ruleset:
    """Lay the texts over each other and validate the result as a whole."""
    base = layers[0]
    game = find_game(base.file.partition("/")[0])
    raw: dict[str, Any] = copied(base.data)
    shipped = [layer.file for layer in layers if layer.file in shipped_rulesets() and not layer.prefix]
    ruleset = Ruleset(game.name, escaped(reference), raw, tuple(layers), shipped[-1])
    faults = Faults(partial(_located, ruleset))
    for layer in layers[1:]:
        layer_faults = Faults(layer.fault)
        for name, value in layer.data.items():
            if name in ("extends", "order"):
                continue
            if name in game.collections and isinstance(value, dict) and isinstance(raw.get(name, {}), dict):
                _change_entries(raw.setdefault(name, {}), value, layer_faults.inside((name,)))
            else:
                merge(raw, {name: value})
        _reorder(raw, layer.data.get("order", {}), game, layer_faults.inside(("order",)))
        faults.take(layer_faults.found)
    game.ruleset_schema().check(raw, (), faults)
    game.check_ruleset(ruleset, faults)
    game.option_table.check_names(raw.get("options"), raw, ("options",), faults)
    faults.raise_any()
    raw["options"] = {**game.option_table.neutral, **raw.get("options", {})}
    return ruleset


def _located(ruleset: Ruleset, path: KeyPath, message: str) -> Fault:
    """Return a fault at its place; where a shipped text is right by itself, the remedy is in the variant above it."""
    fault, above = ruleset.place(path, message), ruleset.layers[-1].file or INLINE
    if fault.file in shipped_rulesets() and fault.file != above:
        return replace(fault, message=f"{message}; change it in {above}")
    return fault


_MOST_CHANGED: Final = 1_000
"""Entries of a collection that a variant may change; new ones are compared with those that are there."""


def copied(value: Any) -> Any:
    """Return a copy that may be changed without touching the text it came from."""
    if isinstance(value, dict):
        return {key: copied(element) for key, element in value.items()}
    return [copied(element) for element in value] if isinstance(value, list) else value


def merge(table: dict[str, Any], change: Mapping[str, Any]) -> None:
    """Lay values over the old ones: tables key by key, everything else as a whole."""
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict):
            merge(table[key], value)
        else:
            table[key] = copied(value)


def _change_entries(table: dict[str, Any], entries: Mapping[str, Any], faults: Faults) -> None:
    """Change, add and remove entries of a collection, and note what cannot be."""
    if len(entries) > _MOST_CHANGED:
        faults.add((), f"has {len(entries):,} entries; a variant changes at most {_MOST_CHANGED:,}")
        return
    for key, entry in entries.items():
        if isinstance(entry, dict) and entry.get("replace") is True:
            table[key] = copied({name: value for name, value in entry.items() if name != "replace"})
        elif isinstance(entry, dict) and key not in table and "remove" not in entry and _is_slip(key, entry, table):
            faults.add((key,), f"there is no '{key}' to change{faults.nearest(key, table)} A new one must be complete")
        elif not isinstance(entry, dict) or "remove" not in entry:
            merge(table, {key: entry})
        elif entry["remove"] is not True:
            faults.add(
                (key, "remove"), f"can only be true, not {shown(entry['remove'])}; leave it out to keep the entry"
            )
        elif len(entry) > 1:
            faults.add((key,), "'remove' stands alone: an entry is taken out, or its other keys are changed")
        elif key not in table:
            faults.add((key,), f"there is no '{key}' to remove{faults.nearest(key, table)}")
        else:
            del table[key]


def _is_slip(key: str, entry: Mapping[str, Any], table: Mapping[str, Any]) -> bool:
    """Return whether an unknown id looks like a known one written wrong.

    It resembles one, says little, and lacks what entries say first, such as their name.
    """
    similar = get_close_matches(key, table, n=1, cutoff=0.6)
    known = table[similar[0]] if similar else {}
    return bool(known) and 2 * len(entry) < len(known) and next(iter(known)) not in entry


def _reorder(raw: dict[str, Any], order: Any, game: GameDefinition, faults: Faults) -> None:
    """Put the entries of collections into the order that a variant asks for."""
    sound = Table({name: optional(ListOf(Text(kind="an id"))) for name in game.ordered}).check(order, (), faults)
    for name, keys in sound.items() if isinstance(sound, dict) else ():
        if not isinstance(raw.get(name), dict) or sorted(keys) != sorted(raw[name]):
            faults.add((name,), f"must name every entry of '{name}' once")
        else:
            raw[name] = {key: raw[name][key] for key in keys}
