"""Words that every game says alike: numbers of things, and several things in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence


def joined(words: Sequence[str]) -> str:
    """Return ``a, b and c``, or ``nothing``."""
    if len(words) < 2:
        return words[0] if words else "nothing"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def capitalised(text: str) -> str:
    """Return a text that begins with a capital letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def counted(number: int, noun: str) -> str:
    """Return ``1 card`` or ``2 cards``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def with_copies(names: Iterable[str]) -> str:
    """Return names without order, copies counted: ``lunch, move x2``."""
    copies = sorted(Counter(names).items())
    return ", ".join(name if number == 1 else f"{name} x{number}" for name, number in copies)
