"""Canonical JSON: two programs print equal states byte for byte alike (Iditacards section 19)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any


def canonical_json(value: Any) -> str:
    """Return the one-line JSON text of ``value``: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(texts: Iterable[str]) -> str:
    """Return the SHA-256 of the texts, sorted, each followed by a newline."""
    sha = hashlib.sha256()
    for text in sorted(texts):
        sha.update(text.encode("ascii"))
        sha.update(b"\n")
    return sha.hexdigest()
