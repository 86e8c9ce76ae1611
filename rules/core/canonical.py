"""Canonical states: any program completes and prints equal ones byte for byte alike (Iditacards section 19)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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


def rest_of(deck: Sequence[str], elsewhere: Mapping[str, int]) -> list[str]:
    """Return a deck in its order without the cards that lie elsewhere: they came off its top."""
    left = Counter(elsewhere)
    kept = []
    for card in deck:
        if left[card] > 0:
            left[card] -= 1
        else:
            kept.append(card)
    return kept
