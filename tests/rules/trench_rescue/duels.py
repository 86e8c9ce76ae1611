"""Open duels on the smallest field (section 12.1 of the specification), valued by the product's own search."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from rules.core.scripts import SplitMix64
from solver.engines.contest import ContestQuestion
from solver.question import Answer, Question
from solver.search.budget import Budget
from solver.search.expectiminimax import Model
from tests.rules.trench_rescue.battles import Battle, both

MIN_ONE = {"shell_rule": "floor_half_min_one"}
EACH = {"barrage_timing": "after_each"}
DUELS = {
    "S": ({"1,1": "5S", "2,1": "6H", "1,2": "6S", "2,2": "5H"}, "9C", "9D"),
    "A": ({"1,1": "5S", "2,1": "6H", "1,2": "6S", "2,2": "5H"}, "9C", "4D"),
    "C": ({"1,1": "5S", "2,1": "6S", "1,2": "5H", "2,2": "6H"}, "9C", "9D"),
    "D": ({"1,1": "QH", "2,1": "KH", "1,2": "QS", "2,2": "KS"}, "9C", "9D"),
}

NO_FIRST: list[str] = []
"""The specification names no first half-turns."""
VALUES: list[tuple[str, int, dict[str, Any], Fraction, list[str]]] = [
    *(("S", n, options, Fraction(0), NO_FIRST) for n in (1, 2, 3, 4, 5) for options in ({}, MIN_ONE)),
    ("A", 4, {}, Fraction(5, 8), ["enter 9C x2"]),
    ("A", 4, {"starter": "red"}, Fraction(5, 8), ["enter 4D x2"]),
    ("A", 4, MIN_ONE, Fraction(3, 8), ["enter 9C x1", "enter 9C x2"]),
    ("A", 4, MIN_ONE | EACH, Fraction(9, 128), ["enter 9C x1", "enter 9C x2"]),
    ("A", 4, {"starter": "red"} | EACH, Fraction(9, 16), ["enter 4D x1", "enter 4D x2"]),
    ("C", 4, EACH, Fraction(3, 32), ["enter 9C x1", "enter 9C x2"]),
    *(("D", n, MIN_ONE, Fraction(0), ["end"]) for n in (2, 3, 4)),
    *(("D", n, MIN_ONE | EACH, Fraction(0), ["end"]) for n in (2, 3, 4)),
    *(("D", n, {}, Fraction(0), ["end", "enter 9C x1", "enter 9C x2"]) for n in (2, 3, 4)),
]
"""The whole table of open duels: duel, turns, options, value, and the only first half-turns that reach it."""


class Duel:
    """One duel of the table, with what black gets."""

    def __init__(self, name: str, turns: int, starter: str = "black", **options: Any) -> None:
        piles, black, red = DUELS[name]
        self.battle = Battle(
            piles=piles,
            trench=both(black, red),
            size=2,
            starter=starter,
            options={"deck_mode": "queue", "turn_limit": turns, **options},
        )

    def report(self, opponents: Model = Model.BEST) -> Answer[Fraction]:
        """Return all first moves, compared."""
        return ContestQuestion(Question(self.battle.position, limit=Budget(time_s=300), opponents=opponents)).answer()

    def value(self, report: Answer[Fraction]) -> Fraction | None:
        """Return black's score less red's."""
        return report.value if report.value is None or report.facts.seat == 0 else -report.value

    def best(self, report: Answer[Fraction]) -> list[str]:
        """Return the first half-turns that reach the value; going back to an empty deck is the same as to end."""
        texts = [choice.move.text for choice in report.moves if choice.loss == 0]
        return [text for text in texts if not text.startswith("cycle")]


RANKS = "23456789TJQKA"
OPTIONS = [
    {"shell_rule": shells, "barrage_timing": timing, "deck_mode": deck, "last_barrage": last}
    for shells, timing, deck, last in product(
        ("floor_half", "floor_half_min_one"), ("after_both", "after_each"), ("queue", "shuffle"), (True, False)
    )
]


def small(seed: int, size: int, left: int, options: dict[str, Any]) -> Battle:
    """Return a battle with few cards, dealt from a seed, in the middle of the last turns."""
    generator = SplitMix64(seed)
    packs = [generator.shuffle([rank + suit for rank in RANKS for suit in suits]) for suits in ("CS", "DH")]

    def cell() -> str:
        return f"{1 + generator.below(size)},{1 + generator.below(size)}"

    piles: dict[str, str] = {}
    for _ in range(1 + generator.below(2)):
        where = cell()
        piles[where] = f"{piles.get(where, '')} {packs[generator.below(2)].pop()}".strip()
    soldiers = [f"{pack.pop()}@{cell()}" for pack in packs if generator.below(3)]
    if soldiers and generator.below(2):
        soldiers[0] += f"+{packs[generator.below(2)].pop()}"
    home, decks = ([" ".join(pack.pop() for _ in range(generator.below(2))) for pack in packs] for _ in range(2))
    colours = ("black", "red")
    near = colours[generator.below(2)]
    return Battle(
        " ".join(soldiers),
        piles,
        size=size,
        seed=None,
        options={"turn_limit": 9, "near_side": near, **options},
        near=near,
        turn=10 - left,
        trench=both(*home),
        deck=both(*decks),
        starter=colours[generator.below(2)],
        to_move=colours[generator.below(2)],
    )
