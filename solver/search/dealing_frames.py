"""Where ``dealing`` keeps what it has asked for and not yet got: frames of numbers, one below the other."""

from __future__ import annotations

from typing import Final

NODE: Final = 0
PAY: Final = 1
CHOOSE: Final = 2
"""Modes of a frame (``worth``)."""
VIEW: Final = 10
"""Places in a frame after what is asked: whether twins are told apart,"""
REST: Final = 11
"""the rest of the name,"""
ADDED: Final = 12
"""spaces to be added to the value,"""
ITEM: Final = 13
"""the next kind of card or end,"""
TWIN: Final = 14
"""and the next of its twins, by number,"""
OUTER: Final = 15
"""the free actions taken, by number,"""
COPIES: Final = 16
"""the weight of what is being looked at,"""
TOTAL: Final = 17
TOTAL_HIGH: Final = 18
"""what has been summed up,"""
BEST: Final = 19
BEST_HIGH: Final = 20
"""the best so far,"""
EDGE: Final = 21
EDGE_HIGH: Final = 22
"""the best or the worst of the twins so far,"""
STEP: Final = 23
"""what is asked next of a node with twins not told apart,"""
SEEN: Final = 24
"""the cards that are looked at,"""
BACK: Final = 25
"""those of them that go back,"""
GONE: Final = 26
"""those that are destroyed,"""
SUMS: Final = 27
"""and where the pieces of a sum over all that may be seen begin (``dealing_looks``)."""
FRAME: Final = 33
DEPTH: Final = 1_000
"""Frames there must be room for: each but some four of a turn takes a card from the deck or from the hand."""
