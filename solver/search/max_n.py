"""Games of several seats by full search: everybody for themselves, or some by a simple way to play.

Values are what every seat gets, in table order. A seat at its best takes what gives itself most, the first of equals in
the order of texts (max^n; Luckhardt and Irani 1986). With two seats of opposite interests that is minimax. Seats with
another model do not look ahead. ``random`` takes any open move equally likely. ``greedy`` takes what makes its own
table look best when the turn is over. ``never`` does nothing where it may, and else ends its turn at once. Nothing is
pruned, so that this also serves as a control of the pruned search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from operator import itemgetter
from typing import Any

from rules.core.errors import UnsupportedRuleset
from rules.core.race import SECRET
from rules.core.scripts import CHANCE, OVER, Step
from rules.core.turns import State
from solver.search.budget import Budget
from solver.search.expectiminimax import PlainSearch, PlainTree
from solver.search.rollout import IdlePolicy

Payoffs = tuple[Fraction, ...]


class Model(StrEnum):
    """How a seat plays."""

    BEST = "best"
    RANDOM = "random"
    GREEDY = "greedy"
    NEVER = "never"


class Modelled(PlainSearch[Payoffs]):
    """Values of the states of one game, given how every seat plays."""

    def __init__(self, tree: PlainTree, models: Mapping[int, Model], budget: Budget) -> None:
        """Seats that ``models`` leaves out play their best."""
        super().__init__(tree, budget)
        self._game = tree.game
        self._models = models
        self._promised: dict[tuple[State[Any], int], Fraction] = {}

    def values(self, state: State[Any]) -> Payoffs:
        """Return what every seat gets from a state.

        Raises:
            BudgetExceeded: the time or the number of states is used up.
            UnsupportedRuleset: several seats at their best decide in secret, or somebody does who does not see all.
        """
        if state not in self._known:
            self._known[state] = self._values(state)
        return self._known[state]

    def _values(self, state: State[Any]) -> Payoffs:
        game, tree, horizon = self._game, self._tree, self._horizon
        self._count()
        actor = tree.actor(state)
        if actor == OVER or (horizon.rounds is not None and tree.rounds(state) >= horizon.rounds):
            return tuple(game.payoffs(state.table))
        if horizon.pace is not None and tree.pace(state) >= horizon.pace:
            self.tally.cut_short = True
            return tuple(game.payoffs(state.table, guess=True))
        if actor == CHANCE:
            outcomes, cases = tree.outcomes(state)
            return mean([(self.values(after), Fraction(ways, cases)) for after, ways in outcomes])
        if actor == SECRET:
            return self._secret(state)
        if self.model(actor) is not Model.BEST:
            return mean([(self.values(after), chance) for after, chance in self.replies(state, actor)])
        return max((self.values(after) for _, after in tree.moves(state)), key=itemgetter(actor))

    def model(self, seat: int) -> Model:
        """Return how a seat plays."""
        return self._models.get(seat, Model.BEST)

    def replies(self, state: State[Any], seat: int) -> list[tuple[State[Any], Fraction]]:
        """Return what a seat with a model does, with the chances of it."""
        moves = self._game.legal_moves(state)
        model = self.model(seat)
        if model is Model.RANDOM:
            return [(self._tree.after(state, move), Fraction(1, len(moves))) for move in moves]
        chosen = moves[0]
        if model is Model.NEVER:
            chosen = IdlePolicy(self._game).chosen(state.table, state.pending, seat, moves)
        elif len(moves) > 1:
            self._tree.see(state)
            hopes = [self._promise(self._tree.after(state, move), seat, self._tree.pace(state)) for move in moves]
            chosen = moves[hopes.index(max(hopes))]
        return [(self._tree.after(state, chosen), Fraction(1))]

    def _promise(self, state: State[Any], seat: int, pace: int) -> Fraction:
        """Return how good a table looks for a seat when the turn is over, the seat at its best and others anyhow."""
        if (state, seat) in self._promised:
            return self._promised[state, seat]
        actor = self._tree.actor(state)
        if actor == OVER or self._tree.pace(state) > pace:
            found = Fraction(self._game.promise(state.table, seat))
        elif actor == CHANCE:
            outcomes, cases = self._tree.outcomes(state)
            found = sum((self._promise(after, seat, pace) * ways for after, ways in outcomes), Fraction(0)) / cases
        else:
            hopes = [self._promise(after, seat, pace) for _, after in self._tree.moves(state)]
            found = max(hopes) if actor == seat else sum(hopes, Fraction(0)) / len(hopes)
        self._promised[state, seat] = found
        return found

    def _secret(self, state: State[Any]) -> Payoffs:
        """Return the values of a step in which nobody sees what the others decide.

        At most one seat is at its best here: each of its moves is worth the mean over what the others do.
        """
        chooser, moves = self.chooser(state)
        return max((self.secretly(state, move) for move in moves), key=itemgetter(chooser or 0))

    def chooser(self, state: State[Any]) -> tuple[int | None, Sequence[Step | None]]:
        """Return the seat that is at its best in a secret step, with its moves; a single nothing where no seat is.

        Raises:
            UnsupportedRuleset: several are.
        """
        found: tuple[int | None, Sequence[Step | None]] = (None, (None,))
        here = state
        while self._tree.actor(here) == SECRET:
            seat = self._game.to_act(here)
            moves = self._game.legal_moves(here)
            if self.model(seat) is Model.BEST:
                self._tree.see(state)
                if found[0] is not None:
                    raise UnsupportedRuleset(
                        ["several seats at their best that decide in secret, more than two in all"]
                    )
                found = (seat, moves)
            here = self._tree.after(here, moves[0])
        return found

    def secretly(self, state: State[Any], move: Step | None) -> Payoffs:
        """Return the values where the seat at its best makes a move in a secret step under way."""
        if self._tree.actor(state) != SECRET:
            return self.values(state)
        seat = self._game.to_act(state)
        if self.model(seat) is Model.BEST and move is not None:
            return self.secretly(self._tree.after(state, move), move)
        return mean([(self.secretly(after, move), chance) for after, chance in self.replies(state, seat)])


def mean(parts: Sequence[tuple[Payoffs, Fraction]]) -> Payoffs:
    """Return the mean of payoffs by their chances."""
    return tuple(sum((part[0][seat] * part[1] for part in parts), Fraction(0)) for seat in range(len(parts[0][0])))
