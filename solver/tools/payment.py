"""Which cards to give up for a cost: the best payment by several aims, and every one that nothing beats.

The first aim is the cards named to be kept. Where a goal is given, the value of the best play afterwards comes next.
Then count kept cards that could be played next turn, or later, and different kinds kept. Every payment is counted.
Without a goal a model looks for the best one too, and both must agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import ge
from typing import Any, Final, NamedTuple, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.chance import Chance
from rules.core.errors import BestlineError, DisagreementError, UnsupportedRuleset, nearest
from rules.core.position import Position
from rules.core.race import HandProbe, Race
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd
from solver.answer import Answer, Status
from solver.engines.best import PATIENCE_S, best_moves
from solver.engines.hidden import FIRST_TURNS
from solver.engines.hidden_question import HiddenQuestion, Scope
from solver.question import Question, open_moves
from solver.search.budget import Budget, postponed

T = TypeVar("T")
_Rank = tuple[bool, Fraction]
"""A value, negated where less is better; a lost goal has none and comes before all others."""
_LOST: Final[_Rank] = (False, Fraction(0))


class PaymentFacts(NamedTuple):
    """One payment to be chosen: everything counts cards, by kind."""

    hand: tuple[int, ...]
    """Copies that may pay; the card paid for is not among them."""
    cost: int
    """Cards to give up."""
    values: tuple[int, ...]
    """Value of every copy kept."""
    playable: tuple[bool, ...]
    """Whether a copy kept could be played and paid for on the next turn."""


class Score(NamedTuple):
    """What a payment leaves, compared field by field."""

    kept: int
    """Value of the cards kept, in the units of the values given."""
    playable: int
    """Cards kept that could be played and paid for on the next turn."""
    kinds: int
    """Different kinds kept."""


class PlanValue(NamedTuple):
    """The value of the best play after a payment."""

    value: Fraction | None
    """None where the goal is lost, or where it is not settled."""
    bound: Fraction | None
    """The best value not excluded; none where the goal is lost."""
    sign: int = 1
    """-1 where less is better."""

    @property
    def range(self) -> tuple[_Rank, _Rank]:
        """Return the least and the greatest it may be, more being better."""
        least, most = (_LOST if each is None else (True, self.sign * each) for each in (self.value, self.bound))
        return least, most


NO_PLAN: Final = PlanValue(None, None)


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment, as copies by kind, and what it is judged by."""

    paid: tuple[int, ...]
    score: Score
    plan: PlanValue = NO_PLAN

    @property
    def rank(self) -> tuple[Any, ...]:
        """Return what orders payments: plans that are not settled come between settled and lost ones."""
        return (self.score.kept, *self.plan.range, *self.score[1:], self.paid)

    def is_beaten_by(self, other: Payment) -> bool:
        """Return whether another payment is surely as good in everything, and surely better in something."""
        most, least = self.plan.range[1], other.plan.range[0]
        as_good = least >= most and all(map(ge, other.score, self.score))
        return as_good and (least > most or other.score != self.score)


@dataclass(frozen=True, slots=True)
class NamedPayment:
    """One payment by the names of its cards, all copies."""

    paid: tuple[str, ...]
    keeps: tuple[str, ...]
    """Cards kept that may pay."""
    playable: tuple[str, ...]
    """Those of them that could be played and paid for next turn."""
    gives_up: tuple[str, ...]
    """Cards that the best payment keeps and this one does not."""
    value: Fraction | None = None
    """The value of the best play after it; none without a goal, and where it is lost or not settled."""
    loss: Fraction | None = None
    """The difference to the best value of any payment; none where it has no value."""
    is_settled: bool = True
    """False where more turns would have to be looked ahead for the value."""


@dataclass(frozen=True, slots=True)
class PaymentReport:
    """The answer to one question about a cost."""

    card: str
    cost: int
    payments: tuple[NamedPayment, ...]
    """Every payment that no other one beats, the best first."""
    counted: int
    """All payments there are."""
    waits: bool
    """No kept card can be played next turn, so ``playable`` tells what such a hand could play now."""
    goal: Goal | None = None
    """The goal of the values; none where there are none."""
    unsettled: bool = False
    """A goal was given, but a limit was hit before its exact values were found."""
    interrupted: bool = False
    """The user stopped it."""


class Unpayable(BestlineError):
    """A hand card may be played, but its cost cannot be paid in full: playing it fails."""

    def __init__(self, card: str, ways: Sequence[tuple[str, ...]]) -> None:
        self.ways = tuple(ways)
        """The cards given up all the same, for each move that plays it."""
        lost = ", ".join(self.ways[0]) or "no card of the hand"
        gives = f"gives up {lost}" if len(self.ways) == 1 else f"gives up cards in one of {len(self.ways)} ways"
        super().__init__(
            f"the cost of '{card}' cannot be paid here; it may be played all the same, {gives} and fails: "
            "'bestline moves' lists how, 'bestline apply' shows what that does"
        )


def pay(
    position: Position, card: str, keep: Sequence[str] = (), limit: Budget | None = None, goal: Goal | None = None
) -> PaymentReport:
    """Return the best payment for a hand card played now, and every other one that nothing beats.

    With a ``goal`` the exact value of the plan comes before what stays playable. The order of a hidden deck does not
    count for what could be played next, only how many cards it has.

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
    left = list(game.hand(table, seat))
    if card in left:
        left.remove(card)
    for kept in keep:
        if kept not in left:
            hint = nearest(kept, left) or ", so it cannot be kept"
            raise BestlineError(f"'{kept}' is not in the hand beside '{card}'{hint}")
        left.remove(kept)
    if game.hand_probe(table, seat) is None:
        raise BestlineError("no card is paid for with other cards of a hand here; 'bestline best' compares moves")
    facts, kinds = payment_facts(game, table, card, dict.fromkeys(keep, 1), seat=seat)
    facts, waits = _looking_on(game, table, facts, kinds, seat)
    plans, interrupted = ({}, False) if goal is None or not facts.cost else _plan_values(position, goal, card, limit)
    best = undominated(facts, kinds, plans)
    if not plans:
        interrupted |= _is_stopped(facts, best[0])
    return PaymentReport(
        card,
        facts.cost,
        tuple(_named(facts, kinds, each, best[0], plans) for each in best),
        sum(1 for _ in payments(facts.hand, facts.cost)),
        waits,
        goal if plans else None,
        unsettled=goal is not None and bool(facts.cost) and not plans,
        interrupted=interrupted and not plans,
    )


# What there is to choose


def payment_facts(
    game: Race[T], table: T, card: str, values: Mapping[str, int] | None = None, seat: int = 0
) -> tuple[PaymentFacts, tuple[str, ...]]:
    """Return what there is to choose when a hand card is played now, and the names of the kinds.

    ``values`` has the value of each copy kept, 0 where a card is not named.

    Raises:
        UnsupportedRuleset: the game cannot be asked about payments here.
        Unpayable: the card can be played, but not be paid for.
        BestlineError: the card cannot be played.
    """
    probe = hand_probe(game, table, seat)
    ends: dict[tuple[str, ...], list[TurnEnd[T]]] = {}
    moves = game.legal_moves(State(table))
    for move in moves:
        action = probe.main_action(move)
        if action is not None and action.card == card:
            ends.setdefault(action.paid, []).extend(game.turn_ends(table, (move,)))
    if not ends:
        owned = sorted(set(game.hand(table, seat)))
        if card in owned:
            openings = ", ".join(dict.fromkeys(move.text.partition(" ")[0] for move in moves))
            raise BestlineError(f"'{card}' is in the hand, but cannot be played here; open: {openings}")
        raise not_in_hand(card, owned)
    hand = Counter(game.hand(table, seat))
    if card not in probe.affordable(table):
        raise Unpayable(card, sorted(ends))
    hand[card] -= 1
    free = probe.payable(hand)
    kinds = tuple(sorted(kind for kind, copies in hand.items() if copies and kind in free))

    def is_playable(kind: str) -> bool:
        keeping = next((paid for paid in sorted(ends) if paid.count(kind) < hand[kind]), None)
        return keeping is not None and any(kind in probe.affordable(end.table) for end in ends[keeping])

    facts = PaymentFacts(
        hand=tuple(hand[kind] for kind in kinds),
        cost=len(next(iter(ends))),
        values=tuple((values or {}).get(kind, 0) for kind in kinds),
        playable=tuple(map(is_playable, kinds)),
    )
    return facts, kinds


def not_in_hand(card: str, owned: Sequence[str]) -> BestlineError:
    """Return the refusal of a card that a hand does not hold, with the nearest one that it does."""
    hint = nearest(card, owned) or f", which holds {', '.join(owned) or 'no card'}"
    return BestlineError(f"'{card}' is not in the hand{hint}")


def hand_probe(game: Race[T], table: T, seat: int) -> HandProbe[T]:
    """Return what a game says of the payments of one hand.

    Raises:
        UnsupportedRuleset: the game says nothing of them from this table.
    """
    probe = game.hand_probe(table, seat)
    missing = ("no hand that plays and pays",) if probe is None else probe.missing()
    if probe is None or missing:
        raise UnsupportedRuleset([f"a payment with {', '.join(missing)}"])
    return probe


def _looking_on(
    game: Race[Any], table: Any, facts: PaymentFacts, kinds: Sequence[str], seat: int
) -> tuple[PaymentFacts, bool]:
    """Return what there is to choose, and true where nothing can be played next turn whatever is kept.

    Then playable are the cards that as many cards as are kept could play now, with the deck as it is.
    """
    if any(facts.playable):
        return facts, False
    others, probe = sum(facts.hand) - facts.cost - 1, hand_probe(game, table, seat)
    later = (others >= 0 and kind in probe.affordable(table, [kind] * (others + 1)) for kind in kinds)
    return facts._replace(playable=tuple(later)), True


def played_openly(position: Position) -> tuple[Race[Any], Any]:
    """Return the game with everything known, for questions whose answer does not depend on what is not."""
    setting = position.setting
    chance = Chance(frozenset(position.definition.sources), setting.chance.seed or 0, setting.chance.lists)
    game = position.definition.build(replace(setting, chance=chance)) if position.hidden else position.game
    return game, position.table()


# Judging


def payments(hand: tuple[int, ...], cost: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take ``cost`` cards out of a hand, as copies by kind."""
    if cost > sum(hand):
        return
    if not hand:
        yield ()
        return
    for copies in range(min(hand[0], cost) + 1):
        for rest in payments(hand[1:], cost - copies):
            yield (copies, *rest)


def score(facts: PaymentFacts, paid: tuple[int, ...]) -> Score:
    """Return what a payment leaves, counted without any model."""
    kept = [copies - gone for copies, gone in zip(facts.hand, paid, strict=True)]
    value = sum(value * copies for value, copies in zip(facts.values, kept, strict=True))
    playable = sum(copies for copies, can in zip(kept, facts.playable, strict=True) if can)
    return Score(value, playable, sum(copies > 0 for copies in kept))


def undominated(
    facts: PaymentFacts, kinds: Sequence[str] = (), plans: Mapping[tuple[str, ...], PlanValue] | None = None
) -> list[Payment]:
    """Return every payment that no other one equals or beats in all aims and beats in one, the best first.

    Raises:
        DisagreementError: a payment is no open move among the ``plans``; always a bug.
    """
    every = [Payment(paid, score(facts, paid)) for paid in payments(facts.hand, facts.cost)]
    if plans:
        names = [_cards(kinds, each.paid) for each in every]
        strange = next((each for each in names if each not in plans), None)
        if strange is not None:
            raise DisagreementError(f"paying {', '.join(strange)} is no open move")
        every = [replace(each, plan=plans[name]) for each, name in zip(every, names, strict=True)]
    distinct = {(each.score, each.plan): each for each in every}
    standing = {
        aims for aims, this in distinct.items() if not any(this.is_beaten_by(other) for other in distinct.values())
    }
    kept = (each for each in every if (each.score, each.plan) in standing)
    return sorted(kept, key=lambda each: each.rank, reverse=True)


def preferred(position: Position, table: Any, card: str, ways: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the one of some payments for a hand card that leaves most, as ``score`` says; the first if that is open.

    ``table`` is where the card is played, at the start of a turn.
    """
    if len(ways) == 1:
        return ways[0]
    seat = int(position.state.get("active", 0))
    try:
        game, _ = played_openly(position)
        facts, kinds = payment_facts(game, table, card, seat=seat)
        facts, _ = _looking_on(game, table, facts, kinds, seat)
    except BestlineError:
        return min(ways)

    def rank(paid: tuple[str, ...]) -> tuple[int, ...]:
        copies = tuple(paid.count(kind) for kind in kinds)
        return (*score(facts, copies), *copies)

    return max(ways, key=rank)


def _cards(kinds: Sequence[str], copies: Sequence[int]) -> tuple[str, ...]:
    return tuple(kind for kind, number in zip(kinds, copies, strict=True) for _ in range(max(number, 0)))


def _named(
    facts: PaymentFacts,
    kinds: Sequence[str],
    payment: Payment,
    best: Payment,
    plans: Mapping[tuple[str, ...], PlanValue],
) -> NamedPayment:
    """Return a payment by the names of its cards, compared with the best one."""
    kept = [copies - gone for copies, gone in zip(facts.hand, payment.paid, strict=True)]
    plan, values = payment.plan, [plan.sign * plan.value for plan in plans.values() if plan.value is not None]
    return NamedPayment(
        paid=_cards(kinds, payment.paid),
        keeps=_cards(kinds, kept),
        playable=_cards(kinds, [copies if can else 0 for copies, can in zip(kept, facts.playable, strict=True)]),
        gives_up=_cards(kinds, [mine - other for mine, other in zip(payment.paid, best.paid, strict=True)]),
        value=plan.value,
        loss=None if plan.value is None else max(values) - plan.sign * plan.value,
        is_settled=plan.value == plan.bound,
    )


# Second opinion and plan


def _is_stopped(facts: PaymentFacts, best: Payment) -> bool:
    """Have a model look for the best payment as well, and return whether the user stopped it.

    Raises:
        DisagreementError: it finds another one; always a bug.
    """
    try:
        with postponed():
            from solver.model.payment import best_payment  # loading the model takes half a second
        answer = best_payment(*facts)
    except KeyboardInterrupt:  # the count stands without it
        return True
    if answer.status is Status.OPTIMAL and (answer.paid, answer.score) != (best.paid, best.score):
        raise DisagreementError(f"the payment model says {answer}, counting says {best}")
    return answer.interrupted


def _plan_values(
    position: Position, goal: Goal, card: str, limit: Budget | None
) -> tuple[dict[tuple[str, ...], PlanValue], bool]:
    """Return the value of the plan after every payment for a card, and whether the user stopped it.

    Empty unless all are exact, or at least excluded from being better than the best.
    """
    if position.players > 1:
        return {}, False
    values: dict[Step, PlanValue] = {}
    probe = hand_probe(*played_openly(position), 0)
    sign = -1 if goal.objective is Objective.MIN_TURNS else 1
    ways = {
        move: tuple(sorted(action.paid))
        for move in open_moves(position, goal)
        if (action := probe.main_action(move)) is not None and action.card == card
    }
    budget = limit or Budget()
    if position.hidden:
        game, start = position.start()
        # Asked about a move, the search does not stop at those that cannot fail.
        first = next(iter(ways), None)
        search = HiddenQuestion(
            *(game, start, goal, budget), scope=Scope(most=FIRST_TURNS, certain=False, thorough=True), versus=first
        )
        answer: Answer[Any] = search.answer()
        moves = answer.moves if answer.status is Status.OPTIMAL and answer.goal == goal else ()
    else:
        answer = best_moves(Question(position, goal, budget), among=ways, patience_s=PATIENCE_S, thorough=True)
        moves = tuple(each for each in answer.moves if each.value is not None or each.status is Status.INFEASIBLE)
    for each in moves:
        bound = each.value
        if not each.is_settled:  # no better than the best move
            bound = answer.value
        elif bound is None and not position.hidden and sign < 0:
            bound = each.bound  # the fewest turns are looked for only a little beyond the best move's
        value, bound = (None if number is None else Fraction(number) for number in (each.value, bound))
        values[each.move] = PlanValue(value, bound, sign)
    if answer.status is Status.INFEASIBLE:
        values = dict.fromkeys(ways, PlanValue(None, None, sign))
    if not all(move in values for move in ways):
        return {}, answer.interrupted
    return {paid: values[move] for move, paid in ways.items()}, answer.interrupted
