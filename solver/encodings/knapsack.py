# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Knapsacks of plays: the greatest sum of gains by case, number of plays and cost, for bounds that look it up.

A table is flat: ``best[(case * (plays + 1) + play) * width + cost]``. A cost below 0 or beyond the width counts as the
first or last one. ``knapsack.pxd`` types the compiled functions. Source: dynamic programming (Bellman 1957).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

NONE = -10_000
"""Sum of what cannot be done; gains never add up to half as much."""


def put(best: MutableSequence[int], gains: Sequence[int], plays: int, width: int, copies: int, cost: int) -> int:
    """Let a card be played up to ``copies`` times more; ``gains`` has what it adds by case."""
    for _ in range(copies):
        for case in range(len(gains)):
            gain = gains[case]
            for play in range(plays - 1, -1, -1):
                at = (case * (plays + 1) + play) * width
                for x in range(width):
                    if best[at + x] > NONE:
                        to = x + cost
                        if to < 0:
                            to = 0
                        if to >= width:
                            to = width - 1
                        if best[at + x] + gain > best[at + width + to]:
                            best[at + width + to] = best[at + x] + gain
    return 0


def fill(best: MutableSequence[int], cases: int, plays: int, width: int, cost: int) -> int:
    """Let plays that gain nothing take ``cost`` each, and let every larger cost do what a smaller one does."""
    for case in range(cases):
        for play in range(plays + 1):
            at = (case * (plays + 1) + play) * width
            for x in range(width):
                if x > 0 and best[at + x - 1] > best[at + x]:
                    best[at + x] = best[at + x - 1]
                if play < plays:
                    to = x + cost
                    if to >= width:
                        to = width - 1
                    if best[at + x] > best[at + width + to]:
                        best[at + width + to] = best[at + x]
    return 0
