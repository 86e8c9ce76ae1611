"""Kinds of moves: those that begin with the same words; of very many moves a few of each kind stand for all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rules.core.steps import Step

MANY: Final = 400
"""Moves up to which playouts look at all of them."""
FEW: Final = 200
"""About as many stand for more than these."""
NARROWED: Final = 64
"""Sets of very many moves kept."""


@lru_cache(1 << 16)
def kind_of(text: str) -> str:
    """Return what moves of one kind have in common: their first two words, such as a card played and not its payment.

    A space at the end keeps them apart from a move that has no more words.
    """
    return " ".join(text.split()[:2]) + " "


def few_of(moves: Sequence[Step]) -> Sequence[Step]:
    """Return the moves, or of very many a few of each kind in the same order: the first text, the last, some between.

    Playouts that choose among these alone are still of a real way to play.
    """
    if len(moves) <= MANY:
        return moves
    texts = [move.text for move in moves]
    kinds: dict[str, list[int]] = {}
    for place in sorted(range(len(moves)), key=texts.__getitem__):
        kinds.setdefault(" ".join(texts[place].split(None, 2)[:2]), []).append(place)
    each = max(2, FEW // len(kinds))
    kept = {place for places in kinds.values() for place in _spread(places, each)}
    return [moves[place] for place in sorted(kept)]


class Narrowing:
    """``few_of`` sets of moves that games may keep, so that the same one comes again."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Sequence[Step], Sequence[Step]]] = {}
        """By their identity: very many moves, and the few that stand for them."""

    def few(self, moves: Sequence[Step]) -> Sequence[Step]:
        """Return the moves, or a few of very many; of the same ones they are looked for once."""
        if len(moves) <= MANY:
            return moves
        known = self._known.get(id(moves))
        if known is None or known[0] is not moves:
            if len(self._known) >= NARROWED:
                self._known.clear()
            known = self._known[id(moves)] = (moves, few_of(moves))
        return known[1]


def _spread(places: Sequence[int], number: int) -> list[int]:
    """Return so many of the places, the first and the last among them, the others evenly apart."""
    last = len(places) - 1
    return [places[last * step // (number - 1)] for step in range(number)]
