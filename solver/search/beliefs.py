"""Exact values over packed beliefs: expectimax in whole numbers, each belief and each number of turns looked at once.

A game brings its beliefs (``Beliefs``). A belief stands for a number of orders of the hidden cards, all equally likely;
its *worth* here is its value times that number. So means over chance are sums, no fraction is formed before the end,
and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb
from typing import Any, Final, Protocol

from puzzles.goal import Goal, Objective
from rules.core.picking import Elsewhere, Ended, Pick
from rules.core.steps import Step
from rules.core.ventures import OutOfReach
from solver.search.dealing.dealt import LAYOUT, DealtWorths
from solver.search.layers import Counters, LimitHit, Watch
from solver.search.postponed import uncollected

Worth = Any
"""An integer or a fraction; infinite where something must not happen."""
INFINITE: Final = float("inf")


class Beliefs(Protocol):
    """What a player knows, packed into integers, and what a turn makes of it.

    A *way* is a weight and either the belief after the turn or a choice; a choice is a list of lists of ways, of which
    the player takes one knowing what has come up so far. Or it is a *dealing*: hand and deck in the middle of a turn,
    how many cards of the deck are paid next, and what comes of it then. Weights of a list add up so that each belief's
    number of orders, weighed, gives that of the belief before.
    """

    engine: str
    is_bounded: bool
    """Whether ``hopeless`` tells anything for any number of turns."""
    target: int | None
    """Where set, beliefs that cannot get there in time may be told as a negative number, one for each order."""

    def pause_with(self, pause: Callable[[], None]) -> None:
        """Have a function called now and then while many ways are made; what it raises leaves nothing half done."""

    def progress(self, belief: int) -> int:
        """Return how far the player is."""

    def is_over(self, belief: int) -> bool:
        """Return whether the game has ended."""

    def orders(self, belief: int) -> int:
        """Return how many orders of the hidden cards a belief stands for."""

    def hopeless(self, belief: int, turns: int, target: int) -> bool:
        """Return true only where a target cannot be reached in so many turns."""

    def turn(self, belief: int, turns: int) -> Iterator[list[list[Any]]]:
        """Yield every main action as a choice."""

    def form(self, target: int | None, turns: int, layout: Any) -> Any | None:
        """Return the facts of a question for ``dealing.dealt``, or nothing where the game has none for it."""

    def parts(self, belief: int) -> tuple[int, ...] | None:
        """Return the parts of a belief that ``form`` makes a node of, or nothing where it makes none."""

    def dealt_out(self, dealing: Any, after: int) -> list[Any]:
        """Return every way that a dealing may come out, with so many turns left."""

    def lasts(self, belief: int) -> int:
        """Return more turns than play can go on for."""


LOOK: Final = 2_000
"""Beliefs generated between two looks at the clock, or fewer: one turn alone may lead to hundreds of thousands."""
BELIEF_S: Final = 0.000012
"""About the seconds of a belief generated."""


class RestingBeliefs(Beliefs, Protocol):
    """Those of a question in which a restart may follow a turn."""

    def rests_after(self, move: Step) -> bool:
        """Return whether after a turn that begins with a move it is known what a restart puts together."""

    def board_of(self, belief: int) -> int:
        """Return a number for all that a restart reads of a belief."""

    def rested(self, board: int) -> Any | None:
        """Return a table from which a restart is worth what it is on that board, or nothing where it is not told."""


@dataclass(slots=True)
class BeliefSearch:
    """Values of one goal; the meaning of ``optimistic`` and ``most`` is that of ``Expectimax``."""

    beliefs: Beliefs
    goal: Goal
    watch: Watch
    optimistic: bool = False
    most: int | None = None
    counters: Counters = field(default_factory=Counters)
    packed: bool = True
    """Whether beliefs may be worked out in the form that a compiler takes over; false as a control."""
    _known: list[dict[int, Worth]] = field(default_factory=list)
    _form: Any = None
    _dealt: DealtWorths | None = None
    _carried_turns: int = 0
    """Most turns left for which the packed form knows what counts."""
    _told: int = 0
    """Beliefs that the watch has heard of."""
    _others: dict[int, BeliefSearch] = field(default_factory=dict)
    """Searches over the beliefs of other questions that this one leads to."""
    _may_pack: bool = True
    _packed_from: int = 2
    """Least turns left with which what is still dealt out is worked out in packed form."""

    def __post_init__(self) -> None:
        self.beliefs.target = None if self.goal.objective is Objective.MAX_DISTANCE else self.goal.target
        self.beliefs.pause_with(self.watch.check)
        self._may_pack = self.packed

    def _turn_to_packed(self, turns: int) -> None:
        """Have beliefs with at most so many turns left worked out in packed form, where there is one."""
        self.packed, self._carried_turns = False, turns
        if self.goal.objective is not Objective.MIN_TURNS and not self.optimistic:
            self._form = self.beliefs.form(self.beliefs.target, turns, LAYOUT)
            if self._form is not None:
                self._carried_turns = self._form.carries
                self._dealt = DealtWorths(self._form, self.watch, self.counters, self.most)

    @property
    def is_packed(self) -> bool:
        """Whether beliefs are worked out in packed form."""
        return self._dealt is not None

    def value(self, belief: int, turns: int) -> Fraction | None:
        """Return the best expected value with so many turns left, none where there is no way to play on.

        Who cannot be sure to play on for fewer turns cannot be for these, and it is sooner known.

        Raises:
            LimitHit: the time or the work allowed is used up.
            OutOfReach: the game's form does not carry a turn.
        """
        with uncollected():
            if self.goal.objective is Objective.MAX_DISTANCE:
                for fewer in range(1, turns):
                    if self.worth(belief, fewer) == -INFINITE:
                        return None
            return self.fraction(self.worth(belief, turns), belief)

    def go_on(self, beliefs: int, time_s: float) -> None:
        """Allow so many beliefs and seconds more than there were, where they are limited."""
        self.watch.go_on(time_s)
        if self.most is not None:
            self.most = max(self.most, self.counters.generated + beliefs)
            if self._dealt is not None:
                self._dealt.go_on(beliefs)

    def fraction(self, worth: Worth, belief: int) -> Fraction | None:
        """Return a worth as a value."""
        return None if worth in (INFINITE, -INFINITE) else Fraction(worth) / self.beliefs.orders(belief)

    @property
    def _lost(self) -> Worth:
        if self.goal.objective is Objective.REACH:
            return 0
        return INFINITE if self.goal.objective is Objective.MIN_TURNS else -INFINITE

    def worth(self, belief: int, turns: int) -> Worth:
        """Return the value of a belief times its orders."""
        while len(self._known) <= turns:
            self._known.append({})
        known = self._known[turns]
        found = known.get(belief)
        if found is None:
            found = self._from_packed(belief, turns) if turns > 1 else None
            if found is None:
                found = self._worth(belief, turns)
            known[belief] = found
        return found

    def _from_packed(self, belief: int, turns: int) -> Worth | None:
        """Return the worth in packed form, or nothing where it is not carried."""
        if self.packed:
            self._turn_to_packed(max(turns, self.goal.within_turns or 0))
        carried = self._dealt is not None and turns <= self._carried_turns
        parts = self.beliefs.parts(belief) if carried else None
        if parts is None or self._dealt is None:
            return None
        goal = self.goal
        below = goal.objective is Objective.REACH and self.beliefs.progress(belief) < goal.target
        if below and self.beliefs.hopeless(belief, turns, goal.target):  # packed, it is not asked of many turns
            self.counters.pruned += 1
            return self._lost
        try:
            worth = self._dealt.worth(self._form.dealt(*parts), turns)
        except OutOfReach:
            self._dealt = None
            return None
        return self._lost if worth is None else worth

    def settled(self, belief: int, turns: int) -> bool:
        """Return whether no further turn counts."""
        there = self.goal.objective is not Objective.MAX_DISTANCE and self.beliefs.progress(belief) >= self.goal.target
        return turns <= 0 or there or self.beliefs.is_over(belief)

    def _worth(self, belief: int, turns: int) -> Worth:
        beliefs, goal = self.beliefs, self.goal
        ended = turns <= 0 or beliefs.is_over(belief)
        if goal.objective is Objective.MAX_DISTANCE:
            if ended:
                return beliefs.progress(belief) * beliefs.orders(belief)
        else:
            reach = goal.objective is Objective.REACH
            if beliefs.progress(belief) >= goal.target:
                return beliefs.orders(belief) if reach else 0
            if ended:
                return 0 if self.optimistic and turns <= 0 and not beliefs.is_over(belief) else self._lost
            if beliefs.hopeless(belief, turns, goal.target):
                self.counters.pruned += 1
                if self.optimistic and not reach:
                    return turns * beliefs.orders(belief)
                return self._lost
        self.counters.expanded += 1
        if self.counters.expanded % 64 == 1:
            self._look()
        best = self.best_of_all(belief, turns)
        return best + beliefs.orders(belief) if goal.objective is Objective.MIN_TURNS else best

    def _look(self) -> None:
        """Look at the clock and at the work done.

        Raises:
            LimitHit: the time or the work allowed is used up.
        """
        self.watch.spend((self.counters.generated - self._told) * BELIEF_S)
        self._told = self.counters.generated
        self.watch.check(sum(map(len, self._known)))
        if self.most is not None and self.counters.generated > self.most:
            raise LimitHit

    def _too_late(self, turns: int) -> Worth:
        """Return the worth of one order from which the target is out of reach."""
        return turns if self.optimistic and self.goal.objective is Objective.MIN_TURNS else self._lost

    def best_of_all(self, belief: int, turns: int) -> Worth:
        """Return the worth of the best main action, this turn itself not counted."""
        if self.goal.objective is Objective.REACH:
            return self._likeliest(belief, turns)
        worths = [self.best(choice, turns - 1) for choice in self.beliefs.turn(belief, turns)]
        if not worths:
            return self._lost
        return min(worths) if self.goal.objective is Objective.MIN_TURNS else max(worths)

    def _likeliest(self, belief: int, turns: int) -> Worth:
        """Return the best chance; no more is looked at once it is certain."""
        best, certain = 0, self.beliefs.orders(belief)
        for choice in self.beliefs.turn(belief, turns):
            best = max(best, self.best(choice, turns - 1))
            if best == certain:
                break
        return best

    def best(self, choice: list[list[Any]], after: int) -> Worth:
        """Return the worth of the best of some ways to go on, with so many turns left after this one."""
        if len(choice) == 1:
            return self.mean(choice[0], after)
        worths = [self.mean(ways, after) for ways in choice]
        return min(worths) if self.goal.objective is Objective.MIN_TURNS else max(worths)

    def mean(self, ways: list[Any], after: int) -> Worth:
        """Return the worth of what chance may bring."""
        while len(self._known) <= after:
            self._known.append({})
        known = self._known[after]
        total: Worth = None
        counters = self.counters
        counters.generated += len(ways)
        if counters.generated - self._told >= LOOK:
            self._look()
        for weight, following in ways:
            if type(following) is int:
                worth = known.get(following)
                if worth is None:
                    worth = self._too_late(after) if following < 0 else self.worth(following, after)
            elif type(following) is list:
                worth = self.best(following, after)
            elif type(following) is Ended:
                worth = self.worth(following.belief, 0)
            elif type(following) is Pick:
                worth = self._of_pick(following, after)
            elif type(following) is Elsewhere:
                worth = self._of_others(following, after)
            else:
                worth = self.of_dealing(following, after)
            worth = worth if weight == 1 else weight * worth  # sums of fractions take time
            total = worth if total is None else total + worth
        return 0 if total is None else total

    def _of_pick(self, pick: Pick, after: int) -> Worth:
        """Return the mean of the best of what is there anyway and of some cards of a pile.

        The best of n is no better than one of the cards in the share of all choices of n that have no better one.

        Raises:
            OutOfReach: turns are counted, which is not carried.
        """
        if self.goal.objective is Objective.MIN_TURNS:
            raise OutOfReach
        floor = self.best(pick.kept, after) if pick.kept else self._lost
        copies: dict[Worth, int] = {}
        for n, choice in pick.pile:
            worth = max(self.best(choice, after), floor)
            copies[worth] = copies.get(worth, 0) + n
        size = sum(copies.values())
        n = min(pick.n, size)
        if not n:
            return floor
        total, known, fit = Fraction(0), 0, 0
        for worth in sorted(copies):
            fit += copies[worth]
            if comb(fit, n) > known:
                if worth == -INFINITE:
                    return worth
                total += worth * (comb(fit, n) - known)
            known = comb(fit, n)
        return total / comb(size, n)

    def _of_others(self, others: Elsewhere, after: int) -> Worth:
        """Return the worth of a choice over beliefs of another question."""
        search = self._others.get(id(others.beliefs))
        if search is None:
            goal = replace(self.goal, within_turns=after)
            search = BeliefSearch(others.beliefs, goal, self.watch, self.optimistic, self.most, packed=self._may_pack)
            self._others[id(others.beliefs)] = search
        expanded, generated = search.counters.expanded, search.counters.generated
        try:
            return search.best(others.choice, after)
        finally:
            self.counters.expanded += search.counters.expanded - expanded
            self.counters.generated += search.counters.generated - generated

    def of_dealing(self, dealing: Any, after: int) -> Worth:
        """Return the worth of a belief of which cards are still to be drawn and paid."""
        if after >= self._packed_from and self.packed:
            self._turn_to_packed(max(after, self.goal.within_turns or 0))
        if self._packed_from <= after <= self._carried_turns and self._dealt is not None:
            hand, deck, paid, told = dealing
            try:
                node, drawn = self._form.ordered(hand, deck, told)
                there = node[2] - paid  # the deck may have fewer cards than are to be drawn
                worth = self._dealt.worth(node, after, min(drawn, there), paid)
            except OutOfReach:
                self._dealt = None
            else:
                return self._lost if worth is None else worth
        return self.mean(self.beliefs.dealt_out(dealing, after), after)
