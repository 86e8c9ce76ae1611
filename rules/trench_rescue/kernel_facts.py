"""What the kernel of open duels knows: facts, positions and notes as numbers.

A position is three words of ``PER_WORD`` cards each, ``BITS`` bits a card for where it is, and a fourth for the rest:
stage, turn, player to move, shells still to fall, who has moved and what was put down in this half-turn. Cards are
numbered in canonical order among those that are in play. The score is no part of it.
"""

from __future__ import annotations

from typing import Final

from rules.core.contest_kernel import OWN

# Places of facts, after those of every kernel

CARDS: Final = OWN
SIZE: Final = OWN + 1
CELLS: Final = OWN + 2
LIMIT: Final = OWN + 3
STARTER: Final = OWN + 4
MIN_ONE: Final = OWN + 5
LAST_FALLS: Final = OWN + 6
RESCUE: Final = 16
"""What a rescued card becomes, four numbers: of the enemy and out of reach, of the enemy, own and out of reach, own."""
DOWN: Final = 20
"""By colour what is added to a cell for one space nearer home."""
COLOUR: Final = 24
VALUE: Final = COLOUR + 24
WAYS: Final = VALUE + 24
HOME: Final = WAYS + 16
RESCUES: Final = HOME + 32
MOST_TURNS: Final = 63
STEPS: Final = RESCUES + 64
FACTS: Final = STEPS + 256

TO_TRENCH: Final = 0
TO_INFIRMARY: Final = 1
TO_DECK: Final = 2

# Where a card is

BITS: Final = 9
PER_WORD: Final = 7
MOST_CARDS: Final = 21
ANYWHERE: Final = (1 << BITS) - 1
GONE: Final = 0
"""Out of the game, or where it does not matter any more;"""
TRENCH: Final = 1
"""in the trench of its own colour;"""
DECK: Final = 2
"""in its own deck, by place from the top;"""
CARRIED: Final = 24
"""carried, by the number of the soldier;"""
FIELD: Final = 64
"""on the field, by cell;"""
PILE: Final = 128
"""in a pile, by cell and place from the bottom."""
DEEP: Final = 16

# The fourth word

SHELLED: Final = 1
"""Lowest bit: shells fall, else soldiers act;"""
MOVER_BIT: Final = 1
"""the player to move, or who has moved last;"""
SHELLS_BIT: Final = 2
"""shells still to fall, four bits;"""
TURN_BIT: Final = 6
"""turn, eight bits;"""
MOVED_BIT: Final = 14
"""cards that have moved, and cards that were put down in this half-turn by who had moved."""
FRESH_BIT: Final = MOVED_BIT + MOST_CARDS
CARD_MASK: Final = (1 << MOST_CARDS) - 1
