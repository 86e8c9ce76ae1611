"""Open duels on the smallest field, valued exactly by the rules alone (section 12.1 of the specification)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rules.core.turns import Lottery
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.scoring import score
from rules.trench_rescue.state import Table
from tests.rules.trench_rescue.battles import Battle, both

MIN_ONE = {"shell_rule": "floor_half_min_one"}
EACH = {"barrage_timing": "after_each"}
DUELS = {
    "S": ({"1,1": "5S", "2,1": "6H", "1,2": "6S", "2,2": "5H"}, "9C", "9D"),
    "A": ({"1,1": "5S", "2,1": "6H", "1,2": "6S", "2,2": "5H"}, "9C", "4D"),
    "C": ({"1,1": "5S", "2,1": "6S", "1,2": "5H", "2,2": "6H"}, "9C", "9D"),
    "D": ({"1,1": "QH", "2,1": "KH", "1,2": "QS", "2,2": "KS"}, "9C", "9D"),
}


class Duel:
    """The exact value of an open duel, half-turn by half-turn: decisions first, then the shells."""

    def __init__(self, name: str, turns: int, starter: str = "black", never: bool = False, **options: Any) -> None:
        piles, black, red = DUELS[name]
        self.never = never
        """Red always ends at once."""
        battle = Battle(
            piles=piles,
            trench=both(black, red),
            size=2,
            starter=starter,
            options={"deck_mode": "queue", "turn_limit": turns, **options},
        )
        self.game = battle.game
        self.start = battle.table
        self.values: dict[Table, Fraction] = {}

    def value(self, table: Table) -> Fraction:
        """Return black's score less red's with both at their best."""
        if self.game.is_over(table):
            return Fraction(difference(self.game, table))
        if table not in self.values:
            choose = min if table.to_move else max
            self.values[table] = choose(self.worth(lottery) for lottery in self.choices(table))
        return self.values[table]

    def worth(self, lottery: Lottery[Table]) -> Fraction:
        """Return what one way to end a half-turn is worth."""
        return sum((chance * self.value(table) for table, chance in lottery.ends), Fraction(0))

    def choices(self, table: Table) -> list[Lottery[Table]]:
        """Return what the player to move can make of the half-turn."""
        found = list(self.game.lotteries(table))
        return [one for one in found if len(one.steps) == 1] if self.never and table.to_move else found

    @property
    def best(self) -> list[str]:
        """The first half-turns that reach the value, ``end`` for an empty one."""
        value = self.value(self.start)
        best = [one for one in self.choices(self.start) if self.worth(one) == value]
        return ["; ".join(step.text for step in one.steps[:-1]) or "end" for one in best]


def difference(game: TrenchRescue, table: Table) -> int:
    return score(game.rulings, table, 0) - score(game.rulings, table, 1)
