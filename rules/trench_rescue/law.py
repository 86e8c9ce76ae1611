"""The law of a whole barrage, equal tables walked once (6, 9), and which actions idle."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from rules.core.steps import Asking, ChanceOutcome, Exploring, Move, every_way
from rules.trench_rescue.barrage import begin_barrage, drop_shell
from rules.trench_rescue.half_turn import Barrage, HalfTurn
from rules.trench_rescue.moves import Act
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table

Node: TypeAlias = tuple[Table, Barrage | None]
"""A table in the middle of a barrage, or after it."""


def after_barrage(rulings: Rulings, table: Table) -> dict[Table, Fraction]:
    """Return what the shells make of a table whose half-turn ends now, before anything else follows."""
    opening = HalfTurn(rulings, table, Asking(()))
    begin_barrage(opening)
    layer: dict[Node, Fraction] = {(opening.frozen(), opening.barrage): Fraction(1)}
    done: dict[Table, Fraction] = {}
    while layer:
        following: dict[Node, Fraction] = {}
        for (here, barrage), chance in layer.items():
            if barrage is None:
                done[here] = done.get(here, Fraction(0)) + chance
                continue
            for node, part in _shelled(rulings, here, barrage):
                following[node] = following.get(node, Fraction(0)) + chance * part
        layer = following
    return done


def _shelled(rulings: Rulings, table: Table, barrage: Barrage) -> Iterator[tuple[Node, Fraction]]:
    """Yield what one shell may lead to, with its chance."""
    for script in every_way(Exploring):
        half = HalfTurn(rulings, table, script, barrage)
        drop_shell(half)
        taken = [step for step in script.steps if isinstance(step, ChanceOutcome)]
        yield (half.frozen(), half.barrage), taken[0].probability if taken else Fraction(1)


def idles(half: HalfTurn, move: Move) -> bool:
    """Return whether an action only uses up a move, where nothing asks who has moved.

    Looking at what is no news to the table does, and so does going back to an empty deck.
    """
    rulings = half.rulings
    if not isinstance(move, Act) or not (rulings.idle_allowed and rulings.stack_split):
        return False
    if move.verb == "cycle":
        return not half.deck[half.to_move] and (rulings.queue or not rulings.deck_open)
    return move.verb == "peek" and half.view != half.to_move
