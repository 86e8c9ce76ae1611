"""Which hand cards pay a cost: the best choice by several aims in order.

The aims, the first one first: the value of what is kept; how many of the kept cards could be played next; how many
different kinds are kept. All numbers count cards, by kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ortools.sat.python import cp_model

from solver.answer import Status
from solver.model.run import Run, run, total


@dataclass(frozen=True, slots=True)
class PaymentAnswer:
    """The best payment."""

    status: Status
    """``OPTIMAL`` by all aims, ``INFEASIBLE`` if the hand is too small, ``FEASIBLE`` or ``UNKNOWN`` at a limit."""
    paid: tuple[int, ...] | None = None
    """Copies given up, by kind."""
    score: tuple[int, ...] = ()
    """What it has by each aim."""
    interrupted: bool = False


def best_payment(
    hand: Sequence[int],
    cost: int,
    values: Sequence[int],
    playable: Sequence[bool],
) -> PaymentAnswer:
    """Return the payment that is best by the first aim, among those by the second, and so on.

    ``hand`` has the copies that may pay, ``values`` the value of each copy kept, and ``playable`` tells which kinds
    could be played next. Among equals it is the one that gives up the first kinds first, so that equal questions have
    equal answers.
    """
    model = PaymentModel(hand, cost, values, playable)
    answer = PaymentAnswer(Status.UNKNOWN)
    for aim in (model.aims[0], model.other_aims):
        outcome = model.maximize(aim)
        if outcome.status is Status.INFEASIBLE and answer.paid is None:
            return PaymentAnswer(Status.INFEASIBLE)
        if outcome.status in (Status.OPTIMAL, Status.FEASIBLE):
            answer = PaymentAnswer(Status.FEASIBLE, *model.payment(outcome))
        if outcome.status is not Status.OPTIMAL:
            return replace(answer, interrupted=outcome.interrupted)
        model.fix(aim, outcome)
    return replace(answer, status=Status.OPTIMAL)


class PaymentModel:
    """The choice as a model; each aim is a linear expression."""

    def __init__(self, hand: Sequence[int], cost: int, values: Sequence[int], playable: Sequence[bool]) -> None:
        self._hand = hand
        self.model = cp_model.CpModel()
        self._paid = [self.model.new_int_var(0, copies, f"paid {kind}") for kind, copies in enumerate(hand)]
        self._keeps = [self.model.new_bool_var(f"keeps {kind}") for kind in range(len(hand))]
        self.model.add(total(self._paid) == cost)
        self._add_keeping()
        kept = [copies - gone for copies, gone in zip(hand, self._paid, strict=True)]
        self.aims = (
            total(value * copies for value, copies in zip(values, kept, strict=True)),
            total(copies for copies, can in zip(kept, playable, strict=True) if can),
            total(self._keeps),
        )

    @property
    def other_aims(self) -> cp_model.LinearExprT:
        """Return the aims after the first in one, each weighing more than all after it, the order of kinds last.

        They count cards, so that the weights stay small; the value of cards does not, and is an aim of its own.
        """
        weight = 1
        terms: list[cp_model.LinearExprT] = []
        for copies, gone in zip(reversed(self._hand), reversed(self._paid), strict=True):
            terms.append(weight * gone)
            weight *= copies + 1
        for aim in reversed(self.aims[1:]):
            terms.append(weight * aim)
            weight *= sum(self._hand) + 1
        return total(terms)

    def _add_keeping(self) -> None:
        """A kind is kept when not all its copies are paid."""
        for copies, gone, keeps in zip(self._hand, self._paid, self._keeps, strict=True):
            self.model.add(gone <= copies - 1).only_enforce_if(keeps)
            self.model.add(gone == copies).only_enforce_if(~keeps)

    def maximize(self, aim: cp_model.LinearExprT) -> Run:
        """Return the best by one aim."""
        self.model.maximize(aim)
        return run(self.model)

    def fix(self, aim: cp_model.LinearExprT, outcome: Run) -> None:
        """Hold an aim at what was found, for the aims after it."""
        self.model.add(aim == outcome.value(aim))

    def payment(self, outcome: Run) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the copies given up in a solution, and its aims."""
        paid, aims = (tuple(outcome.value(each) for each in those) for those in (self._paid, self.aims))
        return paid, aims
