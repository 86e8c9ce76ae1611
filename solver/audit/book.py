"""How often a win in the first round comes off under real shuffles, for somebody who does not know the order.

The lines that win open deals are put into a book: at each choice, what was chosen there after the same choices before.
Which way through the book is best is tried on shuffles of their own; then it is followed on fresh ones. A choice sees
nothing but the moves that are open, so that it is play that anybody can play: its share of wins, with its interval, is
no more than what the best play has. What is not in the book is not found: a hand that no line has begun with is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rules.core.chance import SplitMix64, mix
from rules.core.position import Position
from rules.core.turns import State
from solver.audit.finding import Witness
from solver.audit.recorded import Estimate, share
from solver.search.budget import Budget

LEARNED: Final = 400
"""Shuffles on which ways through the book are tried,"""
FOLLOWED: Final = 1000
"""and on which the best one is followed."""
FRESH: Final = 1_000_003
"""Numbers of the deals from here on are those on which it is followed, so that it has seen none of them."""

Choices = tuple[str, ...]


@dataclass(slots=True)
class BookMove:
    """One choice in the book."""

    tries: int = 0
    wins: int = 0

    @property
    def mean(self) -> float:
        """Return how often it won, a little less sure the less often it was tried (Laplace's rule of succession)."""
        return (self.wins + 1) / (self.tries + 2)


@dataclass(slots=True)
class Book:
    """What is chosen after which choices."""

    entries: dict[Choices, dict[str, BookMove]] = field(default_factory=dict)

    def add(self, witness: Witness) -> None:
        """Write the choices of a line down."""
        game, state = witness.position.start()
        made: Choices = ()
        for text in witness.steps:
            if len(game.legal_moves(state)) > 1:
                self.entries.setdefault(made, {}).setdefault(text, BookMove())
                made = (*made, text)
            state = game.apply(state, game.parse_step(state, text)).state

    def follow(self, position: Position, generator: SplitMix64 | None = None) -> bool:
        """Return whether a deal is won by the book: by its best way, or by a random one that is then learned from."""
        game: Any = position.game
        _, state = position.start()
        made: Choices = ()
        taken: list[BookMove] = []
        won = False
        while not (won := _is_won(game, state)) and not game.is_over(state.table):
            moves = sorted(game.legal_moves(state), key=lambda move: move.text)
            known = self.entries.get(made, {})
            fitting = [move for move in moves if move.text in known]
            if len(moves) == 1:
                move = moves[0]
            elif not fitting:
                break
            elif generator is not None:
                move = fitting[generator.below(len(fitting))]
            else:
                move = max(fitting, key=lambda each: known[each.text].mean)
            if len(moves) > 1:
                taken.append(known[move.text])
                made = (*made, move.text)
            state = game.apply(state, move).state
        for entry in taken if generator is not None else ():
            entry.tries += 1
            entry.wins += won
        return won


def _is_won(game: Any, state: State[Any]) -> bool:
    return not state.pending and bool(game.progress(state.table) >= game.default_target())


def chance_by_book(
    lines: Sequence[Witness], deal: Callable[[int], Position], seed: int, budget: Budget
) -> Estimate | None:
    """Return the share of fresh deals that are won by what lines of other deals teach, nothing where there is no time.

    ``deal`` gives the open deal of a number.
    """
    book = Book()
    for line in lines:
        book.add(line)
    generator = SplitMix64(mix(seed))
    for number in range(LEARNED):
        if budget.is_over:
            return None
        book.follow(deal(FRESH + number), generator)
    hits = n = 0
    while n < FOLLOWED and not budget.is_over:
        hits += book.follow(deal(FRESH + LEARNED + n))
        n += 1
    return share(hits, n) if n else None
