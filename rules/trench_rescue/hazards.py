"""How likely each soldier on the field is hit in the next barrage, as the table lies (6)."""

from __future__ import annotations

from fractions import Fraction

from rules.core.race import Hazard
from rules.core.steps import Asking
from rules.trench_rescue.barrage import is_first_half
from rules.trench_rescue.half_turn import HalfTurn
from rules.trench_rescue.law import after_barrage
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table


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
