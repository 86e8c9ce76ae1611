"""Boards on which a new day is taken after a turn of a question with a hidden deck, and the cards that are left then.

Which cards are left is known where the turn cannot have changed the seat's own cards, but by what came into play. A
player may also see to it: destroying cards that were looked at, and taking cards where up to so many may be taken, can
be declined (R38, R41, Q46). So what is told is what a way to play has that declines both on such a turn, and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rules.core.steps import Step
from rules.iditacards.belief.scope import may_go_back
from rules.iditacards.compact.board import Board
from rules.iditacards.compact.scope import OPS
from rules.iditacards.content import Card
from rules.iditacards.moves import Continue, FreeAction, Play
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table, in_play, shuffled_in

CHANGING: Final = frozenset({"damage", "kill_dog", "kill_any_dog", "destroy_self"})
"""Ops that may change which cards a seat has."""


def keeps_cards(rulings: Rulings, table: Table, seat: int, move: Step) -> bool:
    """Return whether it is known which cards a seat has after a turn that begins with a move, but for the board.

    So it is if nothing that may take effect on it changes that, or what does can be declined.
    """
    if not isinstance(move, Play | Continue | FreeAction):
        return False
    player = table.players[seat]
    if isinstance(move, Play):
        names = {move.card}
    elif isinstance(move, Continue):
        names = {*player.deck, *(frame.card for frame in player.stack)}
    else:
        names = {*player.hand, *player.deck, *(frame.card for frame in player.stack)}
    return all(_keeps(rulings, table, rulings.cards[name]) for name in names)


def _keeps(rulings: Rulings, table: Table, card: Card) -> bool:
    ops = {effect.op for effect in card.instant}
    if not ops <= OPS or ops & CHANGING or "dies_on_fizzle" in card.passive:
        return False
    if "heal" in ops and rulings.heal_rest != "discard":  # what is destroyed cannot be told from what is not
        return False
    stocked = table.supply or any(table.upgrade) or rulings.options["upgrade_refresh"]
    return "take" not in ops or not stocked or rulings.options["take_amount"] != "exact"


def rested(rulings: Rulings, table: Table, seat: int, board: Board, furthest: int) -> Table | None:
    """Return a table on which a new day is worth what it is on a board come to from another table, if that is told.

    It is after a turn of which ``keeps_cards`` holds, and on which no space beyond ``furthest`` is come to.
    """
    player = table.players[seat]
    before, after = Counter(in_play(player.dogs)), Counter(in_play(board.dogs))
    if not rulings.day_end_empty_move.keys().isdisjoint(after):  # it counts whether hand and deck are empty
        return None
    if before - after or any(_crossed(rulings, table, seat, board, furthest)):
        return None
    loose = Counter(shuffled_in(player))
    more = after - before
    if more - loose:
        return None
    there = with_cards(player, board, loose - more)
    return table._replace(players=(*table.players[:seat], there, *table.players[seat + 1 :]))


def with_cards(player: Player, board: Board, left: Counter[str]) -> Player:
    """Return a player on a board about whom nothing else is known but which cards a new day puts together."""
    cards = sorted(left.elements())
    return player._replace(
        pos=board.pos,
        hypothermia=board.hypothermia,
        starvation=board.starvation,
        dogs=board.dogs,
        free_energy=board.free_energy,
        free_health=board.free_health,
        hand=tuple(cards[:1]),
        deck=tuple(cards[1:]),
        discard=(),
        resolved=(),
        seen=(),
        stack=(),
    )


def _crossed(rulings: Rulings, table: Table, seat: int, board: Board, furthest: int) -> Iterator[bool]:
    """Yield for each space that a turn may have crossed whether it may have changed the seat's cards."""
    player = table.players[seat]
    first, last = sorted((player.pos, board.pos))
    if may_go_back(rulings, table, player):
        first, last = 0, max(last, furthest)
    track = rulings.track(table.legs)
    for space in range(first, min(last, rulings.spaces) + 1):
        leg = track[space] if space < len(track) else None
        ops = set() if leg is None else {op for op in leg.effects if op.startswith(("leg_turn", "leg_enter"))}
        yield bool(ops) or space in rulings.board.damage
        yield space in rulings.board.checkpoints and space not in player.passed
