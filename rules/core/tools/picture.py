"""What people see of a table at a glance, as plain data: places on a strip, cells of a grid, a stack, cards by kind.

A game says what there is to see; screens draw it for their width, or say it in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Self


class Mark(NamedTuple):
    """Something that stands on a strip."""

    place: int
    sign: str
    """One character."""
    name: str = ""
    """Empty where the sign says it all."""


class Strip(NamedTuple):
    """Places in a row."""

    stretches: tuple[tuple[int, int, str], ...]
    """First and last place of each, and its name, in order."""
    marks: tuple[Mark, ...]


class Grid(NamedTuple):
    """Cells in rows and columns, both counted from 1."""

    rows: tuple[tuple[str, ...], ...]
    """The contents of the cells, row 1 first; it is drawn at the bottom."""
    above: str
    below: str


class Stack(NamedTuple):
    """Things that wait for each other: each needs the ones behind it."""

    layers: tuple[tuple[str, int, int], ...]
    """The name of each, how much of what it needs is there, and all that it needs; the first one waits longest."""
    unit: str
    """What they need, in the singular."""


Shape = Strip | Grid | Stack


class Picture(str):
    """Words on one line, which a screen may draw instead."""

    __slots__ = ("shape",)

    shape: Shape

    def __new__(cls, said: str, shape: Shape) -> Self:
        """Return words with what they stand for."""
        picture = super().__new__(cls, said)
        picture.shape = shape
        return picture


def signed(cards: str, signs: Mapping[str, str]) -> str:
    """Return cards in words, joined by commas, each with the sign of its kind before it."""
    return ", ".join(f"{signs.get(name.partition(' ')[0], '')}{name}" for name in cards.split(", "))


def legend(cards: str, kinds: Mapping[str, str]) -> str:
    """Return what the signs in some words stand for; ``kinds`` has the name of each kind by its sign."""
    return ", ".join(f"{sign} {kind}" for sign, kind in kinds.items() if sign in cards)
