"""How likely each soldier on the field is hit in the next barrage, as the table lies (6, 9)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from rules.core.race import Hazard
from rules.core.scripts import Asking, Exploring, every_way
from rules.core.steps import ChanceOutcome
from rules.trench_rescue.barrage import begin_barrage, drop_shell, is_first_half
from rules.trench_rescue.half_turn import Barrage, HalfTurn
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


def hazards(rulings: Rulings, table: Table, colour: int) -> list[Hazard]:
    """Return the chance of every soldier of a colour to be hit if all half-turns of this turn end now.

    With shells after each half-turn only the next barrage counts.
    """
    half = HalfTurn(rulings, table, Asking(()))
    own = [soldier.card for soldier in half.own_soldiers(colour)]
    chances = dict.fromkeys(own, Fraction(0))
    if is_first_half(half) and not rulings.after_each:
        table = table._replace(to_move=1 - table.to_move)
    for after, chance in after_barrage(rulings, table).items():
        standing = {soldier.card for soldier in after.soldiers}
        for card in own:
            if card not in standing:
                chances[card] += chance
    ordered = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Hazard(half.code(card), "is hit", "6.5", chance) for card, chance in ordered]
