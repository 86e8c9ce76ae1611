"""The law of a whole barrage, and of the half-turns that lead to it, equal tables walked once (6, 9)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from rules.core.errors import UnsupportedRuleset
from rules.core.scripts import Answered, Asking, Exploring, every_way
from rules.core.steps import ChanceOutcome, Forced, Move, Step
from rules.core.turns import Lottery
from rules.trench_rescue.actions import actions, perform
from rules.trench_rescue.barrage import begin_barrage, drop_shell, end_turn
from rules.trench_rescue.half_turn import Barrage, HalfTurn
from rules.trench_rescue.moves import END, Act
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER, Table

if TYPE_CHECKING:
    from rules.trench_rescue.engine import TrenchRescue

Node: TypeAlias = tuple[Table, Barrage | None]
"""A table in the middle of a barrage, or after it."""


def after_barrage(rulings: Rulings, table: Table) -> dict[Table, Fraction]:
    """Return what the shells make of a table whose half-turn ends now, before anything else follows."""
    opening = HalfTurn(rulings, table, Asking(()))
    begin_barrage(opening)
    layer: dict[Node, Fraction] = {(opening.frozen(), opening.barrage): Fraction(1)}
    done: dict[Table, Fraction] = {}
    while layer:
        following: dict[Node, Fraction] = {}
        for (here, barrage), chance in layer.items():
            if barrage is None:
                done[here] = done.get(here, Fraction(0)) + chance
                continue
            for node, part in _shelled(rulings, here, barrage):
                following[node] = following.get(node, Fraction(0)) + chance * part
        layer = following
    return done


def _shelled(rulings: Rulings, table: Table, barrage: Barrage) -> Iterator[tuple[Node, Fraction]]:
    """Yield what one shell may lead to, with its chance."""
    for script in every_way(Exploring):
        half = HalfTurn(rulings, table, script, barrage)
        drop_shell(half)
        taken = [step for step in script.steps if isinstance(step, ChanceOutcome)]
        yield (half.frozen(), half.barrage), taken[0].probability if taken else Fraction(1)


def lotteries(game: TrenchRescue, table: Table) -> Iterator[Lottery[Table]]:
    """Yield every different table that a half-turn can be ended at, with what the shells make of it.

    Raises:
        UnsupportedRuleset: a card is drawn or turned up unseen before the half-turn ends.
    """
    if table.phase == OVER:
        return
    seen, told = {table}, set()
    waiting: deque[tuple[Table, tuple[Step | Forced, ...]]] = deque([(table, ())])
    while waiting:
        here, steps = waiting.popleft()
        opening = HalfTurn(game.rulings, here, Asking(()))
        if game.reinforces(opening):
            raise UnsupportedRuleset(["a choice after a card is drawn within one half-turn"])
        options = actions(opening)
        ended = here._replace(moved=(), fresh=())
        if options[-1] == END and ended not in told:
            told.add(ended)
            yield Lottery((*steps, END), tuple(_ends(game.rulings, here)))
        for move in options:
            if move == END or idles(opening, move):
                continue
            after = _acted(game.rulings, here, move)
            if after not in seen:
                seen.add(after)
                waiting.append((after, (*steps, move)))


def idles(half: HalfTurn, move: Move) -> bool:
    """Return whether an action only uses up a move, where nothing asks who has moved.

    Looking at what is no news to the table does, and so does going back to an empty deck.
    """
    rulings = half.rulings
    if not isinstance(move, Act) or not (rulings.idle_allowed and rulings.stack_split):
        return False
    if move.verb == "cycle":
        return not half.deck[half.to_move] and (rulings.queue or not rulings.deck_open)
    return move.verb == "peek" and half.view != half.to_move


def _acted(rulings: Rulings, table: Table, move: Move) -> Table:
    """Return the table after an action in which chance has no say."""
    queue: list[Answered] = []
    script = Exploring((), queue)
    half = HalfTurn(rulings, table, script)
    perform(half, move)
    if queue:
        raise UnsupportedRuleset(["a choice after a card is drawn or turned up within one half-turn"])
    return half.frozen()


def _ends(rulings: Rulings, table: Table) -> Iterator[tuple[Table, Fraction]]:
    """Yield what ends of the half-turn the shells and all that follows make of a table, with their chances."""
    quiet = HalfTurn(rulings, table, Asking(()))
    if begin_barrage(quiet):
        end_turn(quiet)
        yield quiet.frozen(), Fraction(1)
        return
    found: dict[Table, Fraction] = {}
    for after, chance in after_barrage(rulings, table).items():
        half = HalfTurn(rulings, after, Asking(()))
        end_turn(half)
        end = half.frozen()
        found[end] = found.get(end, Fraction(0)) + chance
    yield from found.items()
