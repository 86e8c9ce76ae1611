"""The pack: card codes, and the canonical order in which the rules number them (1.1, 1.2).

Inside the rules a card is its place in canonical order, so that sorting numbers sorts cards; texts are codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

HIDDEN: Final = "?"
"""What a card is written as whose identity the viewing player does not know (15)."""


class Pack:
    """All cards of a ruleset."""

    __slots__ = ("codes", "colour", "colours", "numbers", "of_colour", "unknown", "value")

    def __init__(self, raw: Mapping[str, Any]) -> None:
        pack = raw["pack"]
        self.colours: tuple[str, ...] = tuple(pack["colours"])
        """Both colours; a player is the place of its colour here."""
        values = dict(zip(pack["ranks"], pack["values"], strict=True))
        suits = list(pack["suits"].items())
        keys = [
            (self.colours.index(colour), values[rank], place, f"{rank}{suit}")
            for place, (suit, colour) in enumerate(suits)
            for rank in pack["ranks"]
        ]
        ordered = sorted(keys)
        self.codes: tuple[str, ...] = (*(code for *_, code in ordered), HIDDEN)
        """Code of each card by number, the hidden card last."""
        self.colour: tuple[int, ...] = tuple(colour for colour, *_ in ordered)
        self.value: tuple[int, ...] = tuple(value for _, value, *_ in ordered)
        self.unknown = len(ordered)
        """The number that stands for a hidden card; the greatest of all."""
        self.numbers = {code: number for number, code in enumerate(self.codes)}
        self.of_colour: tuple[tuple[int, ...], ...] = tuple(
            tuple(card for card, own in enumerate(self.colour) if own == colour) for colour in range(len(self.colours))
        )

    def texts(self, cards: Iterable[int]) -> list[str]:
        """Return the codes of some cards."""
        return [self.codes[card] for card in cards]

    def read(self, codes: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of some codes, in their order."""
        return tuple(self.numbers[code] for code in codes)
