"""The play of two seats as a tree over states: for every game, straight from its rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

from rules.core.errors import UnsupportedRuleset
from rules.core.race import SECRET, ImperfectInformation, Interval, Race
from rules.core.steps import OVER, Step
from rules.core.turns import State

Number = Fraction | int
STEPS: Final = 2
"""Steps that count as much as one state asked about, where that is what is limited."""
_LOOK_EVERY: Final = 64
"""Steps taken between two looks at the clock: a single decision can have very many."""


class PlainTree:
    """Keys are states, the middles of turns included; orders that lead to the same middle are one key."""

    name = "plain"

    def __init__(self, game: Race[Any], look: Callable[[], None] | None = None) -> None:
        """``look`` is called now and then, and raises where nothing more is to be looked at."""
        self.game = game
        self.taken = 0
        """Steps taken in all."""
        self._look = look
        self._may_hide = isinstance(game, ImperfectInformation) and game.conceals

    def actor(self, key: State[Any]) -> int:
        """Return who decides next."""
        if not key.pending:
            if self.game.is_over(key.table):
                return OVER
            if self.game.is_secret(key.table):
                return SECRET
        return self.game.to_act(key)

    def see(self, key: State[Any]) -> None:
        """See to it that whoever decides sees all cards but those still to be drawn.

        Raises:
            UnsupportedRuleset: something lies hidden, and the best choice would know it.
        """
        if self._may_hide and not self.game.is_common(key.table):
            raise UnsupportedRuleset(["exact search where somebody decides while cards are hidden from a player"])

    def moves(self, key: State[Any]) -> list[tuple[Step, State[Any]]]:
        """Return the open moves with what each leads to, those that come to the same left out.

        Raises:
            UnsupportedRuleset: there is a choice, and something lies hidden from somebody.
        """
        found: dict[State[Any], Step] = {}
        open_now = self.game.legal_moves(key)
        if len(open_now) > 1:
            self.see(key)
        for move in open_now:
            found.setdefault(self.after(key, move), move)
        return [(move, state) for state, move in found.items()]

    def after(self, key: State[Any], step: Step) -> State[Any]:
        """Return the state after a step."""
        self.taken += 1
        if self._look is not None and self.taken % _LOOK_EVERY == 0:
            self._look()
        return self.game.settled(self.game.apply(key, step).state)

    def followers(self, key: State[Any]) -> Sequence[State[Any]]:
        """Return the states after every open move."""
        return [state for _, state in self.moves(key)]

    def outcomes(self, key: State[Any]) -> tuple[Sequence[tuple[State[Any], int]], int]:
        """Return the states after every outcome of chance."""
        outcomes = self.game.chance_outcomes(key)
        cases = lcm(*(outcome.cases for outcome in outcomes))
        return [(self.after(key, each), each.ways * (cases // each.cases)) for each in outcomes], cases

    def plans(self, key: State[Any]) -> Sequence[Sequence[State[Any]]]:
        """Return the states after every pair of secret choices; the first seat's choices are the rows.

        What the second seat may choose does not depend on what the first has chosen, and choices are listed by text.

        Raises:
            UnsupportedRuleset: something lies hidden from somebody.
        """
        self.see(key)
        rows = []
        for first in self.game.legal_moves(key):
            between = self.after(key, first)
            rows.append([self.after(between, second) for second in self.game.legal_moves(between)])
        return rows if self.game.to_act(key) == 0 else [list(column) for column in zip(*rows, strict=True)]

    def payoff(self, key: State[Any]) -> Number:
        """Return what the first seat has if play stops here."""
        return self.game.payoffs(key.table)[0]

    def guess(self, key: State[Any]) -> Number:
        """Return about what the first seat will have."""
        return self.game.guesses(key.table)[0]

    def bounds(self, key: State[Any]) -> Interval:
        """Return proved bounds of the value; what holds for the best turn from a table need not in its middle."""
        if key.pending or not self.game.is_over(key.table):
            return self.game.payoff_range(key.table)
        value = self.game.payoffs(key.table)[0]
        return Interval(value, value)

    def pace(self, key: State[Any]) -> int:
        """Return the turns of all seats that are over."""
        return self.game.pace(key.table)

    def rounds(self, key: State[Any]) -> int:
        """Return the rounds that are over."""
        return self.game.rounds(key.table)
