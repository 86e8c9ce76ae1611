"""Offers of which only the number of cards is told (6.1, AB-Q32)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rules.abyss.moves import Accept, Offer
from rules.abyss.rulings import Rulings
from rules.abyss.state import Table
from rules.core.chance import SplitMix64
from rules.core.steps import Asking, Forced, Step


def is_covered(rulings: Rulings) -> bool:
    """Return whether the others see of an offer only how many cards it is."""
    return bool(rulings.options["transaction_offer"] == "number_only")


def may_come(rulings: Rulings, table: Table) -> bool:
    """Return whether a covered offer may still be made: there is a card that makes offers, wherever it lies."""
    if not is_covered(rulings):
        return False
    makes = {card.id for card in rulings.cards.values() if card.args("exchange_cards") is not None}
    plans = [seat.plan for seat in table.seats if seat.plan is not None]
    planned = [each for plan in plans for each in (plan.card, plan.temp and plan.temp.card)]
    held = [card for seat in table.seats for card in seat.hand]
    pile = table.actions
    return not makes.isdisjoint((*planned, *held, *pile.front, *pile.back, *pile.used))


def unanswered(steps: Sequence[Step | Forced]) -> int | None:
    """Return the place of the last offer of some steps, unless it was accepted: then it has come to light."""
    last = None
    for place, step in enumerate(steps):
        move = step.step if isinstance(step, Forced) else step
        if isinstance(move, Offer):
            last = place
        elif isinstance(move, Accept):
            last = None
    return last


class Surmising(Asking):
    """Gives steps again, but at one place an offer of as many cards, any that could be made there."""

    __slots__ = ("_generator", "_place")

    def __init__(self, steps: Sequence[Step | Forced], place: int, generator: SplitMix64) -> None:
        super().__init__(steps)
        self._place = place
        self._generator = generator

    def _answer(self, actor: int, options: Callable[[], Sequence[Step]], always: bool) -> Any:
        if self._cursor == self._place:
            given = self.steps[self._place]
            offer = given.step if isinstance(given, Forced) else given
            assert isinstance(offer, Offer)
            alike = [each for each in options() if isinstance(each, Offer) and len(each.cards) == len(offer.cards)]
            if alike:
                drawn = alike[self._generator.below(len(alike))]
                self.steps[self._place] = Forced(drawn) if isinstance(given, Forced) else drawn
        return super()._answer(actor, options, always)
