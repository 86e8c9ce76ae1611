"""What a question keeps (``rules.core.keeping``), in the compact form: cards of which no line may lose one.

Nothing brings a card back from the discard pile before a new day (``compact.form.PROJECTIONS``), so a seat has as many
of a card at the end of every turn as in the beginning exactly if no copy ever leaves hand, deck, risk stack and dogs in
play all together. Each way to leave is looked at by itself:

- *paying energy* (R22): copies to keep are among the cards that families of hands never discard
  (``compact.hands``). Where the rules would take one, as nothing else pays, there is no way on; where too few cards
  could pay with them, the payment fails as it does in the rules (R26);
- *the deck*: cards that health takes, or that are looked at and not put back, are among its cards before and not after;
- *the table*: a turn moves copies between the played card, the risk stack and the dogs in play, or loses them.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.iditacards.compact.board import BoardTables
from rules.iditacards.compact.cards import Kinds
from rules.iditacards.compact.plays import End, Plays
from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.state import in_play

Copies = tuple[int, ...]
"""How many copies of each card to keep there are somewhere."""


class Keeping:
    """What loses a card, asked by the turns of ``CompactDay``."""

    def __init__(
        self, names: Iterable[str], kinds: Kinds, boards: BoardTables, plays: Plays, damage: frozenset[str]
    ) -> None:
        """``kinds`` has ``names`` among the cards that cannot pay; ``damage`` never pays in the rules either."""
        self._names = tuple(sorted(names))
        self._kinds = kinds
        self._boards = boards
        self._plays = plays
        loose = [name for name in self._names if name in kinds.index]
        self.lying = sum(kinds.mask(kinds.index[name]) for name in loose)
        """Bits of the kinds to keep, in packed cards,"""
        self.paying = sum(kinds.mask(kinds.index[name]) for name in loose if name not in damage)
        """and of those that the rules would let pay."""
        self._in_play: dict[int, Copies] = {}
        self._frees: dict[int, tuple[int, ...]] = {}

    def free(self, board: int) -> tuple[int, ...]:
        """Return the board and every one that free actions can make of it without losing anything."""
        frees = self._frees.get(board)
        if frees is None:
            had = self._worn(board)
            frees = self._frees[board] = tuple(
                after for after in self._boards.free(board) if _as_many(self._worn(after), had)
            )
        return frees

    def must_give(self, energy: int, payable: int, stuck: int) -> bool:
        """Return whether a cost takes a copy to keep.

        ``payable`` counts the other cards of the hand that may pay, ``stuck`` packs its cards that families never
        discard.
        """
        kept = self._kinds.count(stuck & self.paying)
        return kept > 0 and (energy == ALL_USABLE or payable < energy <= payable + kept)

    def loses(self, before: int, after: int) -> bool:
        """Return whether a deck that had the first packed cards and has the others has lost one to keep."""
        return (before - after) & self.lying > 0

    def before(self, board: int, stack: int, card: str) -> Copies:
        """Return the copies on the table and in play once a card is played there."""
        waiting = [name for name, _ in self._plays.stack(stack)]
        worn = self._worn(board)
        return tuple(n + waiting.count(name) + (card == name) for name, n in zip(self._names, worn, strict=True))

    def keeps(self, end: End, before: Copies) -> bool:
        """Return whether as many copies are on the table and in play at the end of the turn."""
        return _as_many(self.before(end.board, end.stack, ""), before)

    def _worn(self, board: int) -> Copies:
        copies = self._in_play.get(board)
        if copies is None:
            names = in_play(self._boards.board(board).dogs)
            copies = self._in_play[board] = tuple(names.count(name) for name in self._names)
        return copies


def _as_many(copies: Copies, least: Copies) -> bool:
    return all(n >= needed for n, needed in zip(copies, least, strict=True))
