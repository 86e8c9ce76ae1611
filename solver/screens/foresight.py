"""What whoever knew every card would reach, in words and as JSON."""

from __future__ import annotations

from typing import Any

from puzzles.goal import Objective
from solver.hidden_report import Foresight
from solver.screens.common import Unit, decimal, fraction_text, percent


def foresight_data(found: Foresight) -> dict[str, Any]:
    """Return the bound as JSON: the mean of a sample as a fraction, and its interval."""
    return {
        "goal": found.goal.objective.value,
        "value": fraction_text(found.mean),
        "decimal": decimal(found.mean),
        "interval": list(found.interval),
        "orders": found.orders,
        "solved": found.solved,
    }


def foresight_text(found: Foresight | None, unit: Unit) -> str:
    """Return the bound in a sentence; empty where none is known."""
    if found is None:
        return ""
    low, high = found.interval
    if found.goal.objective is Objective.REACH:
        value = f"would be there in {percent(found.mean)} of all orders"
        between = f"{100 * low:.1f} to {100 * high:.1f} %"
    else:
        value = f"would have {unit.told(f'{float(found.mean):.1f}')} on average"
        between = f"{low:.1f} to {high:.1f}"
    solved = "all solved" if found.solved == found.orders else f"{found.solved} solved"
    return (
        f"whoever knew every card beforehand {value}, 95 % in {between} ({found.orders} orders drawn, {solved}); "
        "nobody who does not know them has more than that"
    )
