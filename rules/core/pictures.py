"""Pictures made of text, with what they show in words for those who cannot see them or have no room for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self


class Picture(str):
    """Lines of text that mean something only one below the other, joined by line breaks."""

    __slots__ = ("said",)

    said: str
    """The same in words, on one line."""

    def __new__(cls, lines: Iterable[str], said: str) -> Self:
        """Return a picture of some lines."""
        picture = super().__new__(cls, "\n".join(lines))
        picture.said = said
        return picture
