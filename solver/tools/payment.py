"""Which cards to give up for a cost: the best payment by several aims, and every one that nothing beats.

The first aim is the cards named to be kept. Where a goal is given, the value of the best play afterwards comes next.
Then count kept cards that could be played next turn, or later, and different kinds kept. Every payment is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from operator import ge
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.errors import BestlineError, UnsupportedRuleset, nearest
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import Chance, Forced
from rules.core.turns import State, TurnEnd
from solver.engines.answers import best_moves
from solver.engines.hidden import FIRST_TURNS, HiddenQuestion
from solver.lines import spends, uses
from solver.question import Answer, MoveValue, Question, Status, open_moves, refuse_unknown
from solver.search.budget import Budget

_Cards = tuple[str, ...]

WAYS: Final = 1000
"""Ways through the turn that are looked at for each payment: a card that sorts the whole deck has too many."""


class Payment(NamedTuple):
    """One payment, what it leaves, and the value of the best play after it."""

    paid: _Cards
    keeps: _Cards
    """Cards kept that may pay."""
    playable: _Cards
    """Those of them that could be played and paid for next turn."""
    wanted: int
    """Cards kept of those that were named to be kept."""
    value: Fraction | None = None
    """None without a goal, and where it is lost or not settled."""
    bound: Fraction | None = None
    """The best value not excluded."""
    sign: int = 1
    """-1 where less is better."""

    @property
    def is_settled(self) -> bool:
        """Return whether no more turns would have to be looked ahead for the value."""
        return self.value == self.bound

    @property
    def plan(self) -> tuple[tuple[bool, Fraction], ...]:
        """Return the least and the greatest that the value may be, more being better, a lost goal least of all."""
        return tuple((each is not None, self.sign * (each or Fraction(0))) for each in (self.value, self.bound))

    @property
    def aims(self) -> tuple[int, int, int]:
        """Return what counts besides the plan: wanted cards, playable cards and kinds kept."""
        return self.wanted, len(self.playable), len(set(self.keeps))

    @property
    def rank(self) -> tuple[Any, ...]:
        """Return what orders payments: plans that are not settled come between settled and lost ones."""
        return self.wanted, self.plan, self.aims

    def is_beaten_by(self, other: Payment) -> bool:
        """Return whether another payment is surely as good in everything, and surely better in something."""
        most, least = self.plan[1], other.plan[0]
        return least >= most and all(map(ge, other.aims, self.aims)) and (least > most or other.aims != self.aims)


class PaymentReport(NamedTuple):
    """The answer to one question about a cost."""

    card: str
    cost: int
    payments: tuple[Payment, ...]
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


class Unpayable(BestlineError):
    """A hand card may be played, but its cost cannot be paid in full: playing it fails."""

    def __init__(self, card: str, ways: Sequence[_Cards]) -> None:
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
    """
    if any(not isinstance(step, Forced) for step in position.start()[1].pending):
        raise BestlineError("a turn is under way here; ask before it, or see 'bestline best'")
    game, table = _played_openly(position)
    seat = max(0, game.to_act(State(table)))
    refuse_unknown(position, seat)
    left = Counter(game.hand(table, seat)) - Counter([card])
    if missing := [kept for kept, copies in Counter(keep).items() if copies > left[kept]]:
        hint = nearest(missing[0], list(left - Counter(keep))) or ", so it cannot be kept"
        raise BestlineError(f"'{missing[0]}' is not in the hand beside '{card}'{hint}")
    costs = Costs(game, table, card, seat)
    every = [costs.payment(paid, keep) for paid in costs.payments]
    found = PaymentReport(card, costs.cost, undominated(every), len(every), costs.waits)
    if goal is None or not costs.cost:
        return found
    plans, interrupted = _with_plans(position, goal, card, every, limit)
    if not plans:
        return found._replace(unsettled=True, interrupted=interrupted)
    return found._replace(payments=undominated(plans), goal=goal)


class Costs:
    """What a hand card costs when it is played now, and what each payment leaves."""

    def __init__(self, game: Race[Any], table: Any, card: str, seat: int = 0) -> None:
        """Ask the rules.

        Raises:
            UnsupportedRuleset: the game cannot be asked about payments here.
            Unpayable: the card can be played, but not be paid for.
            BestlineError: the card cannot be played.
        """
        probe, hand = game.hand_model(table, seat), Counter(game.hand(table, seat))
        if probe is None:
            raise BestlineError("no card is paid for with other cards of a hand here; 'bestline best' compares moves")
        if missing := probe.missing():
            raise UnsupportedRuleset([f"a payment with {', '.join(missing)}"])
        ends: dict[_Cards, list[TurnEnd[Any]]] = {}
        moves = game.legal_moves(State(table))
        for move in moves:
            if card in uses(move):
                ends.setdefault(tuple(sorted(spends(move))), []).extend(islice(game.turn_ends(table, (move,)), WAYS))
        if not ends:
            if card not in hand:
                raise not_in_hand(card, sorted(hand))
            openings = ", ".join(dict.fromkeys(move.text.partition(" ")[0] for move in moves))
            raise BestlineError(f"'{card}' is in the hand, but cannot be played here; open: {openings}")
        self.payments = sorted(ends)
        if card not in probe.affordable(table):
            raise Unpayable(card, self.payments)
        hand[card] -= 1
        free = probe.payable(hand)
        self.spare = Counter({kind: copies for kind, copies in hand.items() if kind in free})
        """Cards that may pay, the one paid for left out."""
        self.cost = len(self.payments[0])

        def is_playable(kind: str) -> bool:
            keeping = next((paid for paid in self.payments if paid.count(kind) < hand[kind]), None)
            return keeping is not None and any(kind in probe.affordable(end.table) for end in ends[keeping])

        kinds = sorted(+self.spare)
        self.playable = set(filter(is_playable, kinds))
        """Kinds that could be played and paid for next turn; where none can, those that as many cards could play now"""
        self.waits = not self.playable
        kept = self.spare.total() - self.cost
        if self.waits and kept > 0:
            self.playable = {kind for kind in kinds if kind in probe.affordable(table, [kind] * kept)}

    def payment(self, paid: _Cards, keep: Collection[str] = ()) -> Payment:
        """Return a payment with what it leaves."""
        keeps = tuple(sorted((self.spare - Counter(paid)).elements()))
        playable = tuple(card for card in keeps if card in self.playable)
        return Payment(paid, keeps, playable, sum(card in keep for card in keeps))


def undominated(every: Sequence[Payment]) -> tuple[Payment, ...]:
    """Return every payment that no other one equals or beats in all aims and beats in one, the best first."""
    others = {each.rank: each for each in every}.values()
    kept = (each for each in every if not any(map(each.is_beaten_by, others)))
    return tuple(sorted(kept, key=lambda each: each.rank, reverse=True))


def preferred(position: Position, table: Any, card: str, ways: Sequence[_Cards]) -> _Cards:
    """Return the one of some payments for a hand card that leaves most; the first where the rules cannot tell.

    ``table`` is where the card is played, at the start of a turn.
    """
    if len(ways) == 1:
        return ways[0]
    try:
        costs = Costs(_played_openly(position)[0], table, card, int(position.state.get("active", 0)))
    except BestlineError:
        return min(ways)
    return max(sorted(ways), key=lambda paid: costs.payment(paid).aims)


def not_in_hand(card: str, owned: Sequence[str]) -> BestlineError:
    """Return the refusal of a card that a hand does not hold, with the nearest one that it does."""
    hint = nearest(card, owned) or f", which holds {', '.join(owned) or 'no card'}"
    return BestlineError(f"'{card}' is not in the hand{hint}")


def _played_openly(position: Position) -> tuple[Race[Any], Any]:
    """Return the game with everything known, for questions whose answer does not depend on what is not."""
    chance = Chance(frozenset(position.definition.sources), position.chance.seed or 0, position.chance.lists)
    game = position.definition.build(replace(position, chance=chance)) if position.hidden else position.game
    return game, position.table()


def _with_plans(
    position: Position, goal: Goal, card: str, every: Sequence[Payment], limit: Budget | None
) -> tuple[list[Payment], bool]:
    """Return payments with the values of the best play after them, and whether the user stopped it.

    None unless all are exact, or at least excluded from being better than the best.
    """
    if position.players > 1:
        return [], False
    budget = limit or Budget()
    sign = -1 if goal.objective is Objective.MIN_TURNS else 1
    moves = {tuple(sorted(spends(move))): move for move in open_moves(position, goal) if card in uses(move)}
    answer: Answer[Any]
    compared: Sequence[MoveValue[Any]]
    if position.hidden:
        game, start = position.start()
        # Asked about a move, the search does not stop at those that cannot fail.
        first = next(iter(moves.values()), None)
        answer = HiddenQuestion(game, start, goal, budget, FIRST_TURNS, thorough=True, versus=first).answer()
        compared = answer.moves if answer.status is Status.OPTIMAL and answer.goal == goal else ()
    else:
        answer = best_moves(Question(position, goal, budget, among=tuple(moves.values())), thorough=True)
        compared = tuple(each for each in answer.moves if each.value is not None or each.status is Status.INFEASIBLE)
    values: dict[Any, tuple[Any, Any]] = {}
    for each in compared:
        # The fewest turns are looked for only a little beyond the best move's.
        bound = each.bound if each.value is None and sign < 0 else each.value
        values[each.move] = each.value, bound if each.is_settled else answer.value
    if answer.status is Status.INFEASIBLE:
        values = dict.fromkeys(moves.values(), (None, None))
    if any(moves.get(payment.paid) not in values for payment in every):
        return [], answer.interrupted
    plans = []
    for payment in every:
        value, bound = (None if it is None else Fraction(it) for it in values[moves[payment.paid]])
        plans.append(payment._replace(value=value, bound=bound, sign=sign))
    return plans, answer.interrupted
