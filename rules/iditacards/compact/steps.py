"""What cards that empty the hand, take two turns (R40) or take others back do, as far as it is printed on them."""

from __future__ import annotations

from typing import Final

from rules.iditacards.compact.stock import SECOND_STEPS
from rules.iditacards.content import Card, Effect

DESTROY_HAND: Final = "destroy_hand"
RETURNING: Final = frozenset({"recover", "recover_tag", "discard_to_deck"})
"""Ops that take cards back from the discard pile."""


def supplies(card: Card) -> tuple[int, int] | None:
    """Return how many cards a card adds to the supply and how many it may take on the turn after, if it does so."""
    numbers = {effect.op: effect.args["n"] for effect in card.instant if effect.op in ("supply", "take_next")}
    added, taken = numbers.get("supply"), numbers.get("take_next")
    return (added, taken) if isinstance(added, int) and isinstance(taken, int) else None


def is_taking(card: Card) -> bool:
    """Return whether a card takes others from the supply on the turn after it has taken effect (R40)."""
    return any(effect.op == "take_next" for effect in card.instant)


def empties_hand(card: Card) -> bool:
    """Return whether a card destroys the hand, and does nothing else that counts on the same day."""
    ops = [effect.op for effect in card.instant]
    return ops in ([DESTROY_HAND], [DESTROY_HAND, "take"]) and not (card.energy or card.risk)


def second_step(card: Card) -> Effect | None:
    """Return what a card does on the turn after it has taken effect, or nothing (R40)."""
    return next((effect for effect in card.instant if effect.op in SECOND_STEPS), None)
