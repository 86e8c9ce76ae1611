"""Files that are written whole or not at all, tables as TOML text for people, and records as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from errno import ENXIO
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from rules.core.errors import BestlineError
from rules.core.files import KeyPath, is_stream


def write_file(path: Path, data: str | bytes) -> None:
    """Write a file, a text as UTF-8."""
    with whole_file(path) as place:
        place.write_bytes(data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give the place to write a file to; what is written there goes to ``path`` at the end, if nothing failed.

    Raises:
        BestlineError: it cannot be written.
    """
    import shutil
    from tempfile import TemporaryDirectory  # most answers write no file, and need not load it

    try:
        target = Path(os.path.realpath(path))
        # Only a plain file of one name can be replaced, in a folder that takes another one; all else is written into.
        plain = not is_stream(path) and not (target.exists() and target.stat().st_nlink > 1)
        beside = plain and os.access(target.parent, os.W_OK)
        folder = target.parent if beside else None
        with TemporaryDirectory(prefix=".bestline-", dir=folder, ignore_cleanup_errors=True) as name:
            place = Path(name) / target.name
            yield place
            if not beside:
                # What is redirected goes on at its end.
                mode = "ab" if is_stream(path) else "wb"
                with place.open("rb") as whole, open(path, mode, buffering=0, opener=_open) as stream:
                    shutil.copyfileobj(whole, stream)
                return
            if target.exists():
                shutil.copymode(target, place)
            place.replace(target)
    except OSError as fault:
        raise BestlineError(f"{path}: cannot be written: {fault.strerror or fault}") from fault


def _open(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody reads is an error rather than a wait without end."""
    try:
        opened = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
    except OSError as fault:
        raise OSError(fault.errno, "nobody reads this pipe") if fault.errno == ENXIO else fault from None
    os.set_blocking(opened, True)
    return opened


_WIDTH: Final = 100


def toml_text(data: Mapping[str, Any]) -> str:
    """Return TOML that reads back as ``data``; keys whose value is null, which TOML cannot say, are left out."""
    return "\n".join(_lines(data, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: KeyPath) -> Iterator[str]:
    inner: list[tuple[str, Any]] = []
    for name, value in table.items():
        if isinstance(value, Mapping) or _is_table_list(name, value):
            inner.append((name, value))
        elif value is not None:
            yield f"{_key(name)} = {_wrapped(value, len(name) + 3, '')}"
    for name, value in inner:
        title = ".".join(_key(str(part)) for part in (*path, name))
        for part in [value] if isinstance(value, Mapping) else value:
            yield ""
            yield f"[{title}]" if part is value else f"[[{title}]]"
            yield from _lines(part, (*path, name))


def _is_table_list(name: str, value: Any) -> bool:
    """Return whether a list is written as an array of tables: it consists of tables and is too long for one line."""
    are_tables = isinstance(value, list) and all(isinstance(part, Mapping) for part in value)
    return are_tables and len(name) + 3 + len(_inline(value)) > _WIDTH


def _wrapped(value: Any, used: int, indent: str) -> str:
    """Return a value that begins ``used`` columns from the left, a long list broken into rows."""
    text = _inline(value)
    if used + len(text) <= _WIDTH or not isinstance(value, list):
        return text
    inner = indent + "    "
    rows: list[str] = []
    for part in value:
        element = _wrapped(part, len(inner), inner) + ","
        if rows and "\n" not in element and len(rows[-1]) + 1 + len(element) <= _WIDTH:
            rows[-1] += " " + element
        else:
            rows.append(inner + element)
    return "\n".join(["[", *rows, indent + "]"])


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = [f"{_key(name)} = {_inline(part)}" for name, part in value.items() if part is not None]
        return "{ " + ", ".join(pairs) + " }" if pairs else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(part) for part in value) + "]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """Return a basic string; JSON writes the same escapes, but for the one control sign that only TOML forbids."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    plain = name.isascii() and all(sign.isalnum() or sign in "_-" for sign in name)
    return name if name and plain else _quoted(name)


# Records as JSON has them


def plain(value: Any) -> Any:
    """Return a value as JSON has it: fractions as text, records by their fields, tuples as lists."""
    names = [each.name for each in fields(value)] if is_dataclass(value) else getattr(value, "_fields", None)
    if names is not None:
        return picked(value, *names)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, Set):
        return sorted(value)
    if isinstance(value, list | tuple):
        return list(map(plain, value))
    return value.value if isinstance(value, Enum) else value


def picked(record: Any, *names: str) -> dict[str, Any]:
    """Return some fields of a record as JSON, a leading ``is_`` of their names left out."""
    return {name.removeprefix("is_"): plain(getattr(record, name)) for name in names}


def stated(**values: Any) -> dict[str, Any]:
    """Return those of some values that say something, as JSON."""
    return {name: plain(value) for name, value in values.items() if value not in (None, "", ())}


def refuse_unwritable(*files: Path | None, kept: bool = False, new: bool = False) -> None:
    """Refuse files that cannot be written, before any work is done whose answer would be lost with them.

    With ``kept`` they are files to be read again, which no device and no pipe is; with ``new`` they are not there yet.

    Raises:
        BestlineError: one of them is a folder, is in none, is there already, or may not be written.
    """
    for file in filter(None, files):
        is_taken, folder = new and file.exists() and not is_stream(file), Path(os.path.realpath(file)).parent
        is_loop = file.is_symlink() and not file.exists() and Path(os.path.realpath(file)).is_symlink()
        faults = {
            "only the answer itself goes there; give a file's name": file == Path("-"),
            "this is a folder; give the name of a file in it": file.is_dir(),
            f"there is no folder {folder}; make it first": not folder.is_dir(),
            "it keeps nothing to be read again; give a file's name": kept and is_stream(file),
            "there is a file already; choose another name, or write over it with --force": is_taken,
            "this link leads back to itself; give a file's name": is_loop,
            "no permission; choose another place": not os.access(file if file.exists() else folder, os.W_OK),
        }
        for why in (why for why, holds in faults.items() if holds):
            raise BestlineError(f"{file}: cannot be written: {why}")
