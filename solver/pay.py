"""Which cards to give up for a cost: the best payment by several aims, and every one that nothing beats.

The aims in order: the cards named to be kept; where a goal is given, what the best play after the payment is worth; how
many of the kept cards could be played next, or later where the card itself takes more turns; how many different kinds
are kept. All ways are counted; without a goal a model finds the best as well, and both must agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import ge
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, DisagreementError, UnsupportedRuleset, nearest
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State
from solver.answer import open_moves
from solver.best import PATIENCE_S, best_moves
from solver.hidden import FIRST_TURNS
from solver.hidden_question import HiddenQuestion
from solver.payments import (
    Payment,
    PaymentFacts,
    Unusable,
    hand_probe,
    looking_on,
    payment_facts,
    payments,
    played_openly,
    score,
    undominated,
)
from solver.report import Status
from solver.search.budget import Budget
from solver.search.postponed import postponed


@dataclass(frozen=True, slots=True)
class Way:
    """One way to pay."""

    paid: tuple[str, ...]
    keeps: tuple[str, ...]
    """Cards kept that may pay, all copies."""
    playable: tuple[str, ...]
    """Those of them that could be played and paid for next turn."""
    gives_up: tuple[str, ...]
    """Cards that the best way keeps and this one does not."""
    value: Fraction | None = None
    """What the best play after it is worth; none without a goal, where the goal is lost, or where it is not settled."""
    loss: Fraction | None = None
    """How much less that is than the most of any way; none where it has no value."""
    is_settled: bool = True
    """False where more turns may have to be looked ahead to tell the value, or that the goal is lost."""


@dataclass(frozen=True, slots=True)
class Payments:
    """The answer to one question about a cost."""

    card: str
    cost: int
    ways: tuple[Way, ...]
    """Every way that no other one beats, the best first."""
    counted: int
    """All ways there are."""
    waits: bool
    """No card can be played next turn whatever is kept, so the cards called playable could be from such a hand now."""
    goal: Goal | None = None
    """What the values are about; none where there are none."""
    unsettled: bool = False
    """A goal was given, but its exact values were not found within the limit, so that they were left out of account."""
    interrupted: bool = False
    """The user stopped it."""


def pay(
    position: Position, card: str, keep: Sequence[str] = (), limit: Budget | None = None, goal: Goal | None = None
) -> Payments:
    """Return the best way to pay for a hand card played now, and every other one that nothing beats.

    With a ``goal`` the plan comes before what stays playable: values are those of ``bestline best``, exact or none, and
    none against others.
    What could be played next is found out by playing; the order of a hidden deck does not count there, only how many
    cards it has.

    Raises:
        UnsupportedRuleset: the game has no such costs.
        Unpayable: the card can be played, but not be paid for.
        BestlineError: the card cannot be played, or a card to keep is not there.
        DisagreementError: the model and the count differ; always a bug.
    """
    if any(not isinstance(step, Forced) for step in position.start()[1].pending):
        raise BestlineError("a turn is under way here; ask before it, or see 'bestline best'")
    game, table = played_openly(position)
    seat = max(0, game.to_act(State(table)))
    hand = list(game.hand(table, seat))
    hand_left = list(hand)
    if card in hand_left:
        hand_left.remove(card)
    for kept in keep:
        if kept not in hand_left:
            hint = nearest(kept, hand_left) or ", so it cannot be kept"
            raise BestlineError(f"'{kept}' is not in the hand beside '{card}'{hint}")
        hand_left.remove(kept)
    worth = dict.fromkeys(keep, 1)
    if game.hand_probe(table, seat) is None:
        raise BestlineError("no card is paid for with other cards of a hand here; 'bestline best' compares moves")
    try:
        facts, kinds = payment_facts(game, table, card, worth, seat=seat)
    except Unusable as fault:
        raise UnsupportedRuleset([f"a payment with {fault}"]) from fault
    facts, waits = looking_on(game, table, facts, kinds, seat)
    values, interrupted = ({}, False) if goal is None or not facts.cost else _plan_values(position, goal, card, limit)
    if values:
        return _with_plan(card, facts, kinds, values, goal, waits=waits)
    ways = undominated(facts)
    best = ways[0].paid
    return Payments(
        card,
        facts.cost,
        tuple(_way(facts, kinds, way.paid, best) for way in ways),
        sum(1 for _ in payments(facts)),
        waits,
        unsettled=goal is not None and bool(facts.cost),
        interrupted=interrupted or _is_stopped(facts, ways[0], limit),
    )


def _is_stopped(facts: PaymentFacts, best: Payment, limit: Budget | None) -> bool:
    """Have a model look for the best payment as well, and return whether the user stopped it.

    Raises:
        DisagreementError: it finds another one; always a bug.
    """
    try:
        with postponed():
            from solver.model.payment import best_payment  # loading the model takes half a second
        if limit is None or limit.time_s is None:
            answer = best_payment(facts)
        elif limit.steady:  # nothing may depend on a clock
            answer = best_payment(facts, deterministic=limit.time_s)
        else:
            answer = best_payment(facts, time_s=limit.time_s)
    except KeyboardInterrupt:  # the count stands without it
        return True
    if answer.best is not None and answer.status == "optimal" and answer.best != best:
        raise DisagreementError(f"the payment model says {answer.best}, counting says {best}")
    return answer.interrupted


@dataclass(frozen=True, slots=True)
class _Worth:
    """What the best play after a payment is worth."""

    value: Fraction | None
    """None where the goal is lost, or where it is not settled."""
    bound: Fraction | None
    """The best value not excluded; none where the goal is lost."""

    @property
    def is_settled(self) -> bool:
        """Whether it is known."""
        return self.value == self.bound


def _plan_values(
    position: Position, goal: Goal, card: str, limit: Budget | None
) -> tuple[dict[tuple[str, ...], _Worth], bool]:
    """Return what every payment for a card is worth, and whether the user stopped it.

    Empty unless all are exact, those apart of which no expected number of turns is settled where the best one's is.
    """
    found: dict[Step, _Worth] = {}
    if position.players > 1:
        return {}, False
    probe = hand_probe(*played_openly(position), 0)
    ways = {
        move: tuple(sorted(action.paid))
        for move in open_moves(position, goal)
        if (action := probe.main_action(move)) is not None and action.card == card
    }
    if position.hidden:
        game, start = position.start()
        assert isinstance(game, Race)
        # Asked about a move, it does not stop at those that cannot fail.
        asked = next(iter(ways), None)
        question = HiddenQuestion(
            *(game, start, goal, limit or Budget()), most=FIRST_TURNS, certain=False, versus=asked, thorough=True
        )
        report = question.answer()
        status, interrupted = report.status, report.interrupted
        if status is Status.OPTIMAL and report.goal == goal:
            # What is not settled is worth no more than the best move.
            found = {
                each.move: _Worth(each.value, each.value if each.is_settled else report.value)
                for each in report.options
            }
    else:
        ranking = best_moves(position, goal, limit, among=ways, patience_s=PATIENCE_S, thorough=True)
        status, interrupted = ranking.report.status, ranking.report.interrupted
        for each in ranking.candidates:
            if each.value is not None or each.status is Status.INFEASIBLE:
                # The fewest turns are looked for only a little beyond the best move's.
                value, bound = each.value, each.bound if goal.objective is Objective.MIN_TURNS else each.value
                found[each.move] = _Worth(_fraction(value), _fraction(bound if value is None else value))
    if status is Status.INFEASIBLE:
        found = dict.fromkeys(ways, _Worth(None, None))
    if not all(move in found for move in ways):
        return {}, interrupted
    return {paid: found[move] for move, paid in ways.items()}, interrupted


def _fraction(value: int | None) -> Fraction | None:
    return None if value is None else Fraction(value)


_Rank = tuple[bool, Fraction]
"""A worth, negated where less is better; a lost goal has none and comes before all others."""
_LOST: Final[_Rank] = (False, Fraction(0))


@dataclass(frozen=True, slots=True)
class _Aims:
    """What a payment is judged by: more is better in each."""

    kept: int
    """Cards kept that were asked for."""
    least: _Rank
    """The plan is worth so much at least,"""
    most: _Rank
    """and at most."""
    counted: tuple[int, int]
    """Kept cards that can be played next, and kinds of them."""

    @property
    def rank(self) -> tuple[Any, ...]:
        """What orders payments: plans not settled come after those that are, and before those that are lost."""
        return (self.kept, self.least, self.most, *self.counted)

    def is_beaten_by(self, other: _Aims) -> bool:
        """Return whether another payment is surely as good in everything, and surely better in something."""
        mine, others = (self.kept, *self.counted), (other.kept, *other.counted)
        as_good = other.least >= self.most and all(map(ge, others, mine))
        return as_good and (other.least > self.most or others != mine)


def _ranked(value: Fraction | None, sign: int) -> _Rank:
    return _LOST if value is None else (True, sign * value)


def _with_plan(
    card: str,
    facts: PaymentFacts,
    kinds: Sequence[str],
    values: Mapping[tuple[str, ...], _Worth],
    goal: Goal | None,
    *,
    waits: bool,
) -> Payments:
    """Return the ways that nothing beats by all aims, the value of the plan among them.

    Raises:
        DisagreementError: a way to pay is no open move; always a bug.
    """
    assert goal is not None
    sign = -1 if goal.objective is Objective.MIN_TURNS else 1
    found: list[tuple[_Aims, tuple[int, ...], _Worth]] = []
    for paid in payments(facts):
        cards = tuple(sorted(kind for kind, n in zip(kinds, paid, strict=True) for _ in range(n)))
        if cards not in values:
            raise DisagreementError(f"paying {', '.join(cards)} for {card} is no open move")
        plan, counted = values[cards], score(facts, paid)
        least, most = _ranked(plan.value, sign), _ranked(plan.bound, sign)
        found.append((_Aims(counted.kept, least, most, (counted.playable, counted.kinds)), paid, plan))
    scores = {aims for aims, _, _ in found}
    standing = {this for this in scores if not any(this.is_beaten_by(other) for other in scores)}
    kept = sorted(
        (each for each in found if each[0] in standing), key=lambda each: (each[0].rank, each[1]), reverse=True
    )
    best = max((sign * plan.value for plan in values.values() if plan.value is not None), default=Fraction(0))
    ways = tuple(
        replace(
            _way(facts, kinds, paid, kept[0][1]),
            value=plan.value,
            loss=None if plan.value is None else best - sign * plan.value,
            is_settled=plan.is_settled,
        )
        for _, paid, plan in kept
    )
    return Payments(card, facts.cost, ways, len(found), waits, goal)


def _way(facts: PaymentFacts, kinds: Sequence[str], paid: Sequence[int], best: Sequence[int]) -> Way:
    def cards(copies: Sequence[int]) -> tuple[str, ...]:
        return tuple(kind for kind, n in zip(kinds, copies, strict=True) for _ in range(max(n, 0)))

    kept = [copies - gone for copies, gone in zip(facts.hand, paid, strict=True)]
    return Way(
        paid=cards(paid),
        keeps=cards(kept),
        playable=cards([copies if can else 0 for copies, can in zip(kept, facts.playable, strict=True)]),
        gives_up=cards([mine - other for mine, other in zip(paid, best, strict=True)]),
    )
