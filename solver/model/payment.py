"""Which hand cards pay a cost: the best choice by several aims in order, and all choices that nothing beats.

The aims, the first one first: the worth of what is kept, values of pairs included; how many of the kept cards could be
played next; how many different kinds are kept. All payments give up the same number of cards, so nothing else differs.
"""

from __future__ import annotations

from dataclasses import dataclass

from ortools.sat.python import cp_model

from rules.core.errors import DisagreementError
from solver.model.run import DETERMINISTIC, Run, run, total
from solver.payments import Payment, PaymentFacts, score
from solver.report import Status


@dataclass(frozen=True, slots=True)
class PaymentAnswer:
    """The best way to pay."""

    status: Status
    """``OPTIMAL`` by all aims, ``INFEASIBLE`` if the hand is too small, ``FEASIBLE`` or ``UNKNOWN`` at a limit."""
    best: Payment | None
    interrupted: bool = False


def best_payment(
    facts: PaymentFacts, deterministic: float = DETERMINISTIC, time_s: float | None = None
) -> PaymentAnswer:
    """Return the payment that is best by the first aim, among those by the second, and so on.

    Among equals the one that gives up the first kinds first, so that equal questions have equal answers.
    """
    model = PaymentModel(facts)
    best = None
    for aim in (model.aims[0], model.other_aims):
        outcome = model.maximize(aim, deterministic, time_s)
        if outcome.status is Status.INFEASIBLE and best is None:
            return PaymentAnswer(Status.INFEASIBLE, None)
        if outcome.status in (Status.OPTIMAL, Status.FEASIBLE):
            best = model.payment(outcome)
        if outcome.status is not Status.OPTIMAL:
            status = Status.UNKNOWN if best is None else Status.FEASIBLE
            return PaymentAnswer(status, best, outcome.interrupted)
        model.fix(aim, outcome)
    return PaymentAnswer(Status.OPTIMAL, best)


class PaymentModel:
    """The choice as a model; each aim is a linear expression."""

    def __init__(self, facts: PaymentFacts) -> None:
        self._facts = facts
        self.model = cp_model.CpModel()
        self._paid = [self.model.new_int_var(0, copies, f"paid {kind}") for kind, copies in enumerate(facts.hand)]
        self._keeps = [self.model.new_bool_var(f"keeps {kind}") for kind in range(len(facts.hand))]
        self._add_cost()
        self._add_keeping()
        kept = [copies - gone for copies, gone in zip(facts.hand, self._paid, strict=True)]
        worth = [value * copies for value, copies in zip(facts.values, kept, strict=True)]
        self.aims = (
            total(worth),
            total(copies for copies, can in zip(kept, facts.playable, strict=True) if can),
            total(self._keeps),
        )

    @property
    def other_aims(self) -> cp_model.LinearExprT:
        """Return the aims after the first in one, each weighing more than all after it, the order of kinds last.

        They count cards, so that the weights stay small; the worth of cards does not, and is an aim of its own.
        """
        weight = 1
        terms: list[cp_model.LinearExprT] = []
        for copies, gone in zip(reversed(self._facts.hand), reversed(self._paid), strict=True):
            terms.append(weight * gone)
            weight *= copies + 1
        for aim in reversed(self.aims[1:]):
            terms.append(weight * aim)
            weight *= sum(self._facts.hand) + 1
        return total(terms)

    def _add_cost(self) -> None:
        self.model.add(total(self._paid) == self._facts.cost)

    def _add_keeping(self) -> None:
        """A kind is kept when not all its copies are paid."""
        for copies, gone, keeps in zip(self._facts.hand, self._paid, self._keeps, strict=True):
            self.model.add(gone <= copies - 1).only_enforce_if(keeps)
            self.model.add(gone == copies).only_enforce_if(~keeps)

    def maximize(self, aim: cp_model.LinearExprT, deterministic: float, time_s: float | None) -> Run:
        """Return the best by one aim."""
        self.model.maximize(aim)
        return run(self.model, deterministic, time_s)

    def fix(self, aim: cp_model.LinearExprT, outcome: Run) -> None:
        """Hold an aim at what was found, for the aims after it."""
        self.model.add(aim == outcome.value(aim))

    def payment(self, outcome: Run) -> Payment:
        """Return the payment of a solution, its score counted again without the model.

        Raises:
            DisagreementError: the model and the count differ.
        """
        paid = tuple(outcome.value(gone) for gone in self._paid)
        counted = score(self._facts, paid)
        if counted != tuple(outcome.value(aim) for aim in self.aims):
            raise DisagreementError("the payment model and its count differ")
        return Payment(paid, counted)
