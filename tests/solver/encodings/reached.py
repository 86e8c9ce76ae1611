"""What beams reach, against the lower bound of the turns to it: the bound may never say that it takes longer."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from rules.core.errors import BestlineError
from rules.iditacards.turn import NEW_DAY
from solver.encodings.iditacards.encoding import Encoding, supports
from solver.search.iterative_deepening import NO_TARGET
from solver.search.transposition_table import Ends
from tests.solver.encodings.positions import (
    OWN_RULESETS,
    Case,
    case_of,
    dealt,
    position_of,
    random_lists,
    random_options,
)
from tests.solver.encodings.wild import wild

MOST_ENDS = 20_000
"""Turn ends of a beam's turn after which it goes no further."""


def asked(ruleset: str, seed: int, changed: int) -> Iterator[tuple[Case, frozenset[str], int | None]]:
    """Yield tables of a ruleset under up to ``changed`` options, with forbidden words and a number of turns or none."""
    dice = random.Random(f"{ruleset} {seed} {changed}")
    try:
        options = random_options(dice, ruleset, changed)
        start = case_of(f"{ruleset} {seed} {options}", position_of(ruleset, seed, options, random_lists(dice, ruleset)))
    except BestlineError:
        start = None
    cases = (start, wild(ruleset, seed, 2 * changed), dealt(ruleset, seed) if ruleset in OWN_RULESETS else None)
    for case in cases:
        words = frozenset({NEW_DAY.text} if dice.random() < 0.7 else ()) | frozenset(
            {"sacrifice", "remove"} if dice.random() < 0.3 else ()
        )
        if case is not None and not supports(case.game, case.table, 0, words):
            yield case, words, dice.choice((None, None, dice.randint(1, 12)))


def some_successors(encoding: Encoding, key: bytes) -> list[bytes]:
    """Return the keys after ways through the next turn, not many more than ``MOST_ENDS``."""
    ends = Ends()
    ends.enough = lambda count: count > MOST_ENDS
    encoding.expand(key, array("q", [0, len(key)]), 0, 1, NO_TARGET, ends)
    return [ends.key(number) for number in range(ends.count)]


def overstated(
    encoding: Encoding, successors: Callable[[Any], list[Any]], turns: int, width: int, dice: random.Random
) -> Iterator[str]:
    """Yield in words where the bound exceeds the turns that a beam takes from one of its positions to another."""
    layers, parents = [[encoding.root]], [[-1]]
    for turn in count(1):
        best: list[int] = []
        ends: dict[bytes, int] = {}
        for place, key in enumerate(layers[-1]):
            if encoding.is_over(key) or len(ends) > MOST_ENDS:
                best.append(-1)
                continue
            found = successors(key)
            best.append(max(map(encoding.progress, found), default=-1))
            for end in found:
                ends.setdefault(end, place)
        for back in range(len(layers) - 1, -1, -1):
            for key, far in zip(layers[back], best, strict=True):
                least = encoding.least(key, far) if far >= 0 else 0
                if least > turn - back:
                    yield f"{least} turns from turn {back} to space {far} of turn {turn}"
            above = [-1] * len(layers[back - 1]) if back else []
            for place, far in zip(parents[back], best, strict=True):
                if back:
                    above[place] = max(above[place], far)
            best = above
        if turn == turns or not ends:
            return
        weight = dice.choice((0, 1, 3))
        order = sorted(ends, key=lambda key: encoding.promise(key) + weight * dice.random() * 4, reverse=True)
        kept = [*order[: width // 2], *dice.sample(order, min(len(order), width - width // 2))]
        layers.append(kept)
        parents.append([ends[key] for key in kept])
