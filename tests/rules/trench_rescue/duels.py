"""Open duels on the smallest field, valued exactly by the rules alone (section 12.1 of the specification)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rules.core.turns import Asking
from rules.trench_rescue.actions import actions, perform
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.half_turn import HalfTurn
from rules.trench_rescue.moves import END, Act
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


IDLE = ("cycle", "peek")
"""What only uses up a move where cards are open and decks are empty."""


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
            self.values[table] = choose(self.worth(before) for before in self.before_end(table))
        return self.values[table]

    def worth(self, before: Table) -> Fraction:
        """Return the value of ending a half-turn as the table lies."""
        ends = self.game.turn_ends(before, (END,))
        return sum((end.probability * self.value(end.table) for end in ends), Fraction(0))

    def before_end(self, table: Table) -> dict[Table, str]:
        """Return every table that a half-turn can be ended at, with the first actions that lead there."""
        found: dict[Table, str] = {}
        seen, waiting = {table}, [(table, "")]
        while waiting:
            here, line = waiting.pop(0)
            options = actions(HalfTurn(self.game.rulings, here, Asking(())))
            if END in options:
                found.setdefault(here._replace(moved=(), fresh=()), line)
            for move in options:
                if move == END or (self.never and table.to_move) or (isinstance(move, Act) and move.verb in IDLE):
                    continue
                half = HalfTurn(self.game.rulings, here, Asking(()))
                perform(half, move)
                after = half.frozen()
                if after not in seen:
                    seen.add(after)
                    waiting.append((after, f"{line}; {move.text}".removeprefix("; ")))
        return found

    @property
    def best(self) -> list[str]:
        """The first half-turns that reach the value, ``end`` for an empty one."""
        value = self.value(self.start)
        return [line or "end" for before, line in self.before_end(self.start).items() if self.worth(before) == value]


def difference(game: TrenchRescue, table: Table) -> int:
    return score(game.rulings, table, 0) - score(game.rulings, table, 1)
