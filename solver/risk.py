"""What may go wrong: cards that take several turns to come through, and what threatens a player's things.

The chance of a card is exact, or between proved bounds; what threatens is always exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.core.challenge import WrappedRace
from rules.core.errors import BestlineError, UnsupportedRuleset, nearest
from rules.core.position import Position
from rules.core.race import Hazard, Hazardous, Race
from solver.chances import Chance, Chances, Said
from solver.search.budget import Budget


@dataclass(frozen=True, slots=True)
class Risks:
    """All that can be told of the risks of one position."""

    chances: tuple[Chance, ...]
    interrupted: bool = False
    """The user stopped it; what was found until then is told."""


@dataclass(frozen=True, slots=True)
class Threat:
    """One thing that may happen to a seat before it decides again."""

    seat: int
    hazard: Hazard


def threats(position: Position, subjects: Sequence[str] = ()) -> list[Threat] | None:
    """Return what threatens every seat, or nothing at all where the game cannot say; ``subjects`` names parts of them.

    Raises:
        BestlineError: nothing that is called so is threatened.
    """
    game, state = position.start()
    while isinstance(game, WrappedRace):
        game = game.inner
    if not isinstance(game, Hazardous):
        return None
    table = state.table
    if state.pending:
        table = game.decode(position.state_so_far())
    found = [Threat(seat, hazard) for seat in range(position.players) for hazard in game.hazards(table, seat)]
    for name in subjects:
        if not any(_named(name, each.hazard) for each in found):
            known = ", ".join(dict.fromkeys(each.hazard.subject for each in found))
            raise BestlineError(f"nothing threatens '{name}' now; threatened: {known or 'nothing'}")
    return [each for each in found if not subjects or any(_named(name, each.hazard) for name in subjects)]


def _named(name: str, hazard: Hazard) -> bool:
    return name.lower() in hazard.subject.lower()


def risks(
    position: Position,
    cards: Sequence[str] = (),
    limit: Budget | None = None,
    *,
    table: bool = False,
    said: Said | None = None,
) -> Risks:
    """Return the chance of each card named, or of every one in hand that takes several turns, or of the one under way.

    ``table`` asks also for the chances with more cards in hand. ``said`` is told now and then
    what is known so far. Ctrl-C keeps what was found.

    Raises:
        UnsupportedRuleset: the game has no such cards.
        BestlineError: a card cannot be begun now.
    """
    game, state = position.start()
    seat = int(position.state.get("active", 0))
    ventures = game.ventures(state.table, seat) if isinstance(game, Race) else None
    if not isinstance(game, Race) or ventures is None:
        raise UnsupportedRuleset(["a game without cards that take several turns to come through"])
    begun, busy = ventures.begun(state.pending)
    waiting = begun if busy and begun is not None else ventures.under_way
    if busy or waiting is not None:
        asked = [] if waiting is None else [(begun, waiting)]
    else:
        asked = [(card, card) for card in dict.fromkeys(cards or ventures.cards())]
    for card in cards:
        if waiting not in (None, card):
            raise BestlineError(f"'{card}' cannot be begun now: '{waiting}' is under way")
        if card != waiting and (busy or not ventures.playable(card)):
            held = sorted(set(game.hand(state.table, seat)))
            if card in held:
                raise BestlineError(f"'{card}' cannot be begun now; 'bestline moves' lists what can be done")
            hint = nearest(card, held) or f", which holds {', '.join(held) or 'no card'}"
            raise BestlineError(f"'{card}' is not in the hand{hint}")
    limit = Budget() if limit is None else limit
    search = Chances(position, ventures, asked, state.pending, limit, said, table=table, waiting=waiting)
    interrupted = False
    try:
        search.run()
    except KeyboardInterrupt:
        interrupted = True
    return Risks(tuple(search.chances()), interrupted)
