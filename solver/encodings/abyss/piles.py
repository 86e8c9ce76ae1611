# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Random numbers and the two piles of a row: cards are drawn as chance brings them. Types are in ``piles.pxd``."""

from __future__ import annotations

from solver.encodings.abyss import layout as L
from solver.encodings.abyss.machine import Row


def below(s: Row, n: int) -> int:
    """Return a number from 0 to n - 1 (D. Lehmer's generator with the multiplier 48271)."""
    x: int = s[L.RANDOM]
    x = x * 48271 % 2147483647
    s[L.RANDOM] = x
    return (x - 1) * n // 2147483646


def pick(s: Row, at: int, first: int, end: int, size: int) -> int:
    """Return one of the cards of a zone, from ``first`` up to ``end``, each copy as likely as another."""
    left = below(s, size)
    for card in range(first, end):
        left -= s[at + card]
        if left < 0:
            return card
    return 0


def reshuffle(s: Row, pile: int, first: int, end: int) -> int:
    """Make the used cards of a pile its back; an empty front is replaced by the back (9.1)."""
    for card in range(first, end):
        s[L.BACK + card] = s[L.BACK + card] + s[L.USED + card]
        s[L.USED + card] = 0
    s[L.BACK_SIZE + pile] = s[L.BACK_SIZE + pile] + s[L.USED_SIZE + pile]
    s[L.USED_SIZE + pile] = 0
    return settle(s, pile, first, end)


def settle(s: Row, pile: int, first: int, end: int) -> int:
    """Let the back move up where the front is empty."""
    if s[L.FRONT_SIZE + pile] == 0:
        for card in range(first, end):
            s[L.FRONT + card] = s[L.BACK + card]
            s[L.BACK + card] = 0
        s[L.FRONT_SIZE + pile] = s[L.BACK_SIZE + pile]
        s[L.BACK_SIZE + pile] = 0
    return 0


def draw(s: Row, t: Row, pile: int) -> int:
    """Take and return the next card of a pile, 0 where it stays empty (9.2)."""
    first = t[L.T_ACTIONS] if pile else 1
    end = t[L.T_CARDS] if pile else t[L.T_ACTIONS]
    if s[L.FRONT_SIZE + pile] == 0:
        reshuffle(s, pile, first, end)
    if s[L.FRONT_SIZE + pile] == 0:
        return 0
    card = drawn(s, t, pile)
    settle(s, pile, first, end)
    return card


def put_back(s: Row, pile: int, card: int) -> int:
    """Put a card that nobody has seen to the front of its pile; 0 is no card."""
    if card:
        s[L.FRONT + card] = s[L.FRONT + card] + 1
        s[L.FRONT_SIZE + pile] = s[L.FRONT_SIZE + pile] + 1
    return 0


def drawn(s: Row, t: Row, pile: int) -> int:
    """Take and return a card of the front, which the back does not replace."""
    first = t[L.T_ACTIONS] if pile else 1
    end = t[L.T_CARDS] if pile else t[L.T_ACTIONS]
    card = pick(s, L.FRONT, first, end, s[L.FRONT_SIZE + pile])
    s[L.FRONT + card] = s[L.FRONT + card] - 1
    s[L.FRONT_SIZE + pile] = s[L.FRONT_SIZE + pile] - 1
    return card
