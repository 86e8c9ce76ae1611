"""How a risk card is begun by whoever has its greatest chance: free actions before it, and what pays for it.

Until the root resolves hand cards pay, and any of them pays as well as another (``odds.greatest``). So where the forms
by numbers tell a chance every payment has it. Where the discard pile is read they tell what a player has at least who
pays some cards first: those kept in reserve (``odds.reserve``), or the cheapest to turn over (``odds.traced``).

Which free actions have to come first is found by asking again from the table after them, with no more of them on the
same turn.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from rules.core.scripts import Asking, Question
from rules.core.turns import State
from rules.core.ventures import Opening
from rules.iditacards.moves import NEW_DAY, FreeAction, Play
from rules.iditacards.odds.reserve import Reserve
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Table
from rules.iditacards.turn import Turn


def openings(ventures: RiskCards, card: str) -> Iterator[Opening[Table]]:
    """Yield the ways to come to play a hand card, the fewest free actions first; those to the same table once."""
    if ventures.table.players[ventures.seat].stack:
        return
    game = ventures.game
    todo = deque([State(ventures.table)])
    seen = set[Table]()
    while todo:
        state = todo.popleft()
        turn = Turn(game.rulings, state.table, Asking(state.pending))
        try:
            game.run(turn)
        except Question:
            table = turn.frozen()
        else:
            continue
        if table in seen:
            continue
        seen.add(table)
        moves = game.legal_moves(state)
        plays = {move.energy: move for move in moves if isinstance(move, Play) and move.card == card}
        if plays:
            yield Opening(state.pending, table, plays)
        main = NEW_DAY in moves  # else a free action asks something
        todo.extend(game.apply(state, move).state for move in moves if not main or isinstance(move, FreeAction))


def attaining(ventures: RiskCards, card: str, chance: Fraction, alive: Callable[[], bool]) -> Opening[Table] | None:
    """Return the first opening from which a chance can be had, with those payments that are known to lead to it."""
    ways = openings(ventures, card)
    first, second = next(ways, None), next(ways, None)
    if first is None or not chance:
        return None
    if second is None or ventures.plain_chance(card, alive) == chance:
        # Who just goes on takes no free action.
        return _paid(ventures, card, first, chance, alive)
    for opening in (first, second, *ways):
        if not alive():
            return None
        asked = RiskCards(ventures.game, opening.table, ventures.seat, at_once=True)
        asked.decks = ventures.decks
        found = _paid(asked, card, opening, chance, alive)
        if found is not None:
            return found
    return None


def _paid(
    ventures: RiskCards, card: str, opening: Opening[Table], chance: Fraction, alive: Callable[[], bool]
) -> Opening[Table] | None:
    """Return those payments of an opening that lead to a chance, as far as is known; nothing where none is."""
    value, _ = ventures.chance(card, alive)
    if value != chance:
        return None
    moves = opening.moves
    if not ventures.by_numbers(card, alive):
        moves = {paid: move for paid, move in moves.items() if _kept_in_order(ventures, card, paid)}
    return replace(opening, moves=moves) if moves else None


def _kept_in_order(ventures: RiskCards, card: str, paid: tuple[str, ...]) -> bool:
    """Return whether a payment is one that is told of where the discard pile is read."""
    rulings = ventures.game.rulings
    reserve = Reserve(rulings, ventures.table, ventures.seat, card)
    if Counter(reserve.held[: len(paid)]) - Counter(paid):
        return False
    hand = list(ventures.table.players[ventures.seat].hand)
    hand.remove(card)

    def price(name: str) -> tuple[int, float]:
        each = rulings.cards[name]
        return each.risk, float("inf") if each.energy is None else each.energy

    cheapest = sorted(price(held) for held in hand if held not in rulings.damage_ids)[: len(paid)]
    return bool(reserve.held) or sorted(map(price, paid)) == cheapest
