"""Where the parts of a packed race position lie: hand, risk stack, board, cards taken off a deck, and last the deck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Packing(NamedTuple):
    """Shifts and masks of the parts of a key, as the tables of a kernel have them; a hand counts its kinds."""

    kinds: int
    hand_mask: int
    stack_shift: int
    stack_mask: int
    board_shift: int
    board_mask: int
    taken_shift: int
    taken_mask: int
    deck_shift: int
    shift: list[int]
    """By kind: where its copies lie in a hand,"""
    mask: list[int]
    """what they are cut out with there,"""
    unit: list[int]
    """and one of them."""


def packing(copies: Sequence[int], frames: int, boards: int, taken: int) -> Packing:
    """Return how keys are packed, given copies by kind, the numbers of stacks and boards, and bits of cards taken."""
    widths = [each.bit_length() for each in copies]
    shift = [sum(widths[:kind]) for kind in range(len(widths))]
    hand = sum(widths)
    stack = max(1, (frames - 1).bit_length())
    board = max(1, (boards - 1).bit_length())
    return Packing(
        kinds=len(copies),
        hand_mask=(1 << hand) - 1,
        stack_shift=hand,
        stack_mask=(1 << stack) - 1,
        board_shift=hand + stack,
        board_mask=(1 << board) - 1,
        taken_shift=hand + stack + board,
        taken_mask=(1 << taken) - 1,
        deck_shift=hand + stack + board + taken,
        shift=shift,
        mask=[(1 << width) - 1 for width in widths],
        unit=[1 << place for place in shift],
    )
