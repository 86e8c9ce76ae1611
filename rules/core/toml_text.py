"""Tables as TOML text for people: one key a line, long lists wrapped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rules.core.files import KeyPath

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
            yield _pair(name, value)
    for name, value in inner:
        title = ".".join(_key(str(part)) for part in (*path, name))
        for part in [value] if isinstance(value, Mapping) else value:
            small = isinstance(value, Mapping)
            yield ""
            yield f"[{title}]" if small else f"[[{title}]]"
            yield from _lines(part, (*path, name))


def _is_table_list(name: str, value: Any) -> bool:
    """Return whether a list is written as an array of tables: it consists of tables and is too long for one line."""
    if not isinstance(value, list) or not all(isinstance(part, Mapping) for part in value):
        return False
    return len(name) + 3 + len(_inline(value)) > _WIDTH


def _pair(name: str, value: Any) -> str:
    return f"{_key(name)} = {_wrapped(value, len(name) + 3, '')}"


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
