"""What the game is worth to a player (7.4)."""

from __future__ import annotations

from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table


def score(rulings: Rulings, table: Table, colour: int) -> int:
    """Return a player's score in cards (7.4, TR-Q22)."""
    if rulings.score == "rescued":
        return table.carried_home[colour]
    home = len(table.trench[colour]) + len(table.infirmary[colour])
    return home if rulings.score == "home" else home + len(table.deck[colour])


def gain(rulings: Rulings, table: Table, colour: int) -> int:
    """Return the score less what a deal leaves beside the field; with another score than the total, the score (7.4)."""
    if rulings.score != "total":
        return score(rulings, table, colour)
    return score(rulings, table, colour) - (len(rulings.pack.of_colour[colour]) - rulings.laid[table.size])
