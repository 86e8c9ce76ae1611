"""Weights of the guess for beams. A build writes ``promise_layout.pxd`` from this module."""

SPACE = 1000  # Parts of a space in which speeds are reckoned.
TURN = 100  # What a turn counts.
CARD = 5  # What a hand card counts.
REST = 1  # What a card of the deck counts.
NEAR = 2  # What a space counts that hand cards move.
POINT = 40  # What a point of a condition counts.
COMING = 150  # Parts of a space that a point of speed counts whose card is not in play.
LEAST = 500  # Spaces a turn at least, in parts: in the end everybody gets on.
