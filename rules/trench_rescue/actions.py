"""What a soldier can do, as moves in words, and what comes of it (4.1 to 4.3, 5, 7.3).

A move's text names cards by code, and a group as in ``7S+9C``. It names a front cell by its column as in ``x2``, any
other cell by column and row as in ``2,3``.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from rules.core.scripts import CardMove, Move, Word
from rules.trench_rescue.content import PLAY, Soldier
from rules.trench_rescue.turn import HalfTurn, read_cell

HOME: Final = "home"
"""The destination in the own trench."""


Act: TypeAlias = CardMove
"""What one soldier does where it is: ``cycle``, ``peek`` or ``drop`` (4.1)."""


@dataclass(frozen=True, slots=True)
class Enter:
    """One soldier, or a stack of them, leaves the trench (4.1, TR-Q10)."""

    cards: tuple[str, ...]
    """In canonical order."""
    where: str
    """The front cell, or the cell a stack goes on to."""

    @property
    def text(self) -> str:
        """``enter 7C x1`` or ``enter 4C+9S 2,3``."""
        return f"enter {'+'.join(self.cards)} {self.where}"


@dataclass(frozen=True, slots=True)
class Go:
    """A soldier or a stack of one cell moves (4.2)."""

    cards: tuple[str, ...]
    """In canonical order."""
    where: str
    """A cell, or ``home``."""
    take: bool = False
    """The top card of the pile comes along."""
    carrier: str | None = None
    """Who carries in the end, where that is chosen (TR-Q13)."""

    @property
    def text(self) -> str:
        """``go 7S+9C home take`` or ``go 4C+9S 2,3 take by 4C``."""
        take = " take" if self.take else ""
        by = f" by {self.carrier}" if self.carrier else ""
        return f"go {'+'.join(self.cards)} {self.where}{take}{by}"


END: Final = Word("end")
"""The half-turn ends (4.0.4)."""


def actions(half: HalfTurn) -> list[Move]:
    """Return the open actions in the order of 4.4; ``end`` only where it is legal (4.0.4, 7.3, TR-Q6, TR-Q20)."""
    rulings = half.rulings
    playing = half.phase == PLAY
    moves: list[Move] = []
    own, moved = half.own_soldiers(half.to_move), half.moved
    ready = [card for card in half.trench[half.to_move] if card not in moved]
    if playing:
        moves.extend(Act("cycle", half.code(card)) for card in ready)
    if playing or rulings.options["withdrawal_trench"]:
        moves.extend(_entries(half, ready))
    if playing:
        can_see = [one for one in own if one.card not in moved and sees(half, one) is not None]
        moves.extend(Act("peek", half.code(one.card)) for one in can_see)
    moves.extend(_walks(half))
    busy = bool(moves)
    if cards_move(half):
        unmoved = rulings.drop_moves or rulings.options["drop_when"] == "before_move"
        can_drop = [one for one in own if one.carries is not None and not (unmoved and one.card in moved)]
        moves.extend(Act("drop", half.code(one.card)) for one in can_drop)  # 4.1, TR-Q9
    if not end_forbidden(half, busy):
        moves.append(END)
    return moves


def end_forbidden(half: HalfTurn, busy: bool) -> str:
    """Return the rule that keeps a half-turn going, or an empty text; ``busy`` says that a soldier can still move."""
    options = half.rulings.options
    if half.phase == PLAY:
        return "TR-Q6" if busy and not options["idle_allowed"] else ""
    left = {soldier.card for soldier in half.own_soldiers(half.to_move)} - half.moved
    return "7.3" if options["withdrawal"] == "direct_home" and left else ""


def cards_move(half: HalfTurn) -> bool:
    """Return whether wounded cards can be carried now; in the withdrawal only where the hit can be rescued (7.3)."""
    return half.phase == PLAY or not half.rulings.withdrawal_kills


def _entries(half: HalfTurn, ready: Sequence[int]) -> Iterator[Move]:
    """Yield how soldiers that are at home and have not moved can leave the trench."""
    yield from (Enter((half.code(card),), f"x{column}") for card in ready for column in range(1, half.size + 1))
    for k in range(2, len(ready) + 1 if half.rulings.options["stack_from_trench"] else 0):
        cells = [cell for cell in range(half.size**2) if half.home_distance(half.to_move, cell) <= k]
        for group in combinations(ready, k):
            yield from (Enter(half.codes(group), entry_text(half, cell)) for cell in cells)


def entry_text(half: HalfTurn, cell: int) -> str:
    """Return how an entry names a cell: a front cell by its column alone."""
    if half.home_distance(half.to_move, cell) == 1:
        return f"x{cell % half.size + 1}"
    return half.cell_text(cell)


def sees(half: HalfTurn, soldier: Soldier) -> int | None:
    """Return the card that a soldier looks at: what it carries, else the top of its pile (4.1, TR-Q8)."""
    if soldier.carries is not None and half.rulings.options["peek_carried"]:
        return soldier.carries
    pile = half.piles[soldier.cell]
    return pile[-1] if pile else None


def _walks(half: HalfTurn) -> list[Move]:
    """Return every ``go`` of every group (4.2), in the order of 4.4."""
    by_cell: dict[int, list[Soldier]] = {}
    for soldier in sorted(half.own_soldiers(half.to_move)):
        if soldier.card not in half.moved:
            by_cell.setdefault(soldier.cell, []).append(soldier)
    groups: list[tuple[Soldier, ...]] = []
    for here in by_cell.values():
        sizes = range(1, len(here) + 1) if half.rulings.options["stack_split"] else (len(here),)
        groups.extend(group for k in sizes for group in combinations(here, k))
    groups.sort(key=lambda group: (len(group), group))
    return [move for group in groups for move in _walks_of(half, group)]


def _walks_of(half: HalfTurn, group: tuple[Soldier, ...]) -> Iterator[Move]:
    carriers = sum(soldier.carries is not None for soldier in group)
    if carriers > 1:
        return
    cell, cards = group[0].cell, half.codes([soldier.card for soldier in group])
    places = destinations(half, cell, len(group))
    for take in (False, True):
        if take and (carriers or not takes(half, cell)):
            return
        chooses = half.rulings.carrier_chosen and len(group) > 1 and (take or carriers > 0)
        for place in [*places, *([half.cell_text(cell)] if take and half.rulings.options["hold_in_place"] else ())]:
            carriers_to_be: Sequence[str | None] = cards if chooses and place != HOME else [None]
            yield from (Go(cards, place, take, carrier) for carrier in carriers_to_be)


def takes(half: HalfTurn, cell: int) -> bool:
    """Return whether the top card of a pile can be picked up now (4.2, 4.3)."""
    pile = half.piles[cell]
    return bool(pile) and cards_move(half) and (cell, len(pile) - 1) not in half.fresh


def destinations(half: HalfTurn, cell: int, k: int) -> list[str]:
    """Return where a group of k soldiers may go, cells in index order, home last (4.2, 7.3)."""
    colour = half.to_move
    here = half.home_distance(colour, cell)
    homeward = half.phase != PLAY and half.rulings.options["withdrawal"] == "direct_home"
    places = [
        half.cell_text(other)
        for other in range(half.size**2)
        if 1 <= half.distance(cell, other) <= k and (not homeward or half.home_distance(colour, other) < here)
    ]
    return [*places, HOME] if here <= k else places


def perform(half: HalfTurn, move: Move) -> None:
    """Carry out an action other than ``end``."""
    if isinstance(move, Act):
        {"cycle": _cycle, "peek": _peek, "drop": _drop}[move.verb](half, half.pack.numbers[move.card])
    elif isinstance(move, Enter):
        _enter(half, move)
    elif isinstance(move, Go):
        _go(half, move)


def _cycle(half: HalfTurn, card: int) -> None:
    colour = half.to_move
    half.trench[colour].remove(card)
    half.join_deck(card)
    half.emit("4.1", "cycles", card=half.code(card))
    half.moved.add(reinforce(half, colour, "4.1", "draws"))


def reinforce(half: HalfTurn, colour: int, rule: str, kind: str) -> int:
    """Draw a card of a deck into the trench and return it."""
    drawn = half.draw(colour)
    insort(half.trench[colour], drawn)
    half.emit(rule, kind, card=half.code(drawn), colour=half.colour_name(colour))
    return drawn


def _enter(half: HalfTurn, move: Enter) -> None:
    colour = half.to_move
    where = f"{move.where[1:]},{half.front(colour)}" if move.where.startswith("x") else move.where
    cell = read_cell(where, half.size)
    for code in move.cards:
        card = half.pack.numbers[code]
        half.trench[colour].remove(card)
        half.place(Soldier(card, None, cell))
        half.moved.add(card)
    half.emit("4.1" if len(move.cards) == 1 else "TR-Q10", "enters", cards=move.cards, cell=half.cell_text(cell))


def soldier_of(half: HalfTurn, card: int) -> Soldier:
    """Return the soldier on the field with this card."""
    return next(soldier for soldier in half.soldiers if soldier.card == card)


def _peek(half: HalfTurn, card: int) -> None:
    soldier = soldier_of(half, card)
    half.moved.add(card)
    seen = sees(half, soldier)
    assert seen is not None
    if seen == half.unknown and half.view == half.to_move:
        seen = half.turn_up()
        if soldier.carries is not None and half.rulings.options["peek_carried"]:
            half.change(soldier, soldier._replace(carries=seen))
        else:
            half.piles[soldier.cell] = (*half.piles[soldier.cell][:-1], seen)
    shown = half.view is None or half.view == half.to_move
    half.emit("4.1", "peeks", card=half.code(card), seen=half.code(seen) if shown else None)


def _drop(half: HalfTurn, card: int) -> None:
    soldier = soldier_of(half, card)
    assert soldier.carries is not None
    pile = half.piles[soldier.cell]
    if half.rulings.drop_moves:
        half.moved.add(card)
    elif card in half.moved and not half.rulings.options["pickup_fresh"]:
        insort(half.fresh, (soldier.cell, len(pile)))
    half.piles[soldier.cell] = (*pile, soldier.carries)
    half.change(soldier, soldier._replace(carries=None))
    lying, cell = half.code(soldier.carries), half.cell_text(soldier.cell)
    half.emit("4.1", "drops", card=half.code(card), wounded=lying, cell=cell)


def _go(half: HalfTurn, move: Go) -> None:
    cards = [half.pack.numbers[code] for code in move.cards]
    group = [soldier_of(half, card) for card in cards]
    start = group[0].cell
    load = next((soldier.carries for soldier in group if soldier.carries is not None), None)
    if move.take:
        load = _pick_up(half, start)
        half.emit("4.2", "picks_up", cards=move.cards, wounded=half.code(load))
    half.moved.update(cards)
    if move.where == HOME:
        _come_home(half, group, load)
        return
    cell = read_cell(move.where, half.size)
    carrier = half.pack.numbers[move.carrier] if move.carrier else cards[-1]
    for soldier in group:
        half.leave(soldier)
    for card in cards:
        half.place(Soldier(card, load if card == carrier else None, cell))
    kind = "goes" if cell != start else "holds"
    half.emit("4.2", kind, cards=move.cards, start=half.cell_text(start), cell=half.cell_text(cell))


def _pick_up(half: HalfTurn, cell: int) -> int:
    """Take the top card of a pile and return it, turned up where the rules show it (4.2, TR-Q14)."""
    *rest, top = half.piles[cell]
    shown = half.rulings.options["reveal_on_pickup"]
    if top == half.unknown and (shown == "all" or (shown == "carrier" and half.view == half.to_move)):
        top = half.turn_up()
    half.piles[cell] = tuple(rest)
    return top


def _come_home(half: HalfTurn, group: list[Soldier], load: int | None) -> None:
    """Bring a group into its trench and resolve what it carries (4.2, 5)."""
    colour = half.to_move
    cards = [soldier.card for soldier in group]
    if load == half.unknown:
        load = _turned_up_at_home(half, group)
    for soldier in group:
        half.leave(soldier)
        insort(half.trench[colour], soldier.card)
    half.emit("4.2", "comes_home", cards=half.codes(cards))
    if load is not None:
        _resolve(half, load, max(half.pack.value[card] for card in cards))


def _turned_up_at_home(half: HalfTurn, group: list[Soldier]) -> int:
    """Turn a hidden card up while it still counts among the hidden places, though it may be picked up already."""
    if any(soldier.carries == half.unknown for soldier in group):
        return half.turn_up()
    first = group[0]
    half.change(first, first._replace(carries=half.unknown))
    card = half.turn_up()
    half.change(first._replace(carries=half.unknown), first)
    return card


def _resolve(half: HalfTurn, card: int, value: int) -> None:
    """Decide what a rescued card becomes (5)."""
    colour = half.to_move
    own = half.pack.colour[card] == colour
    place = half.rulings.rescue[own, half.pack.value[card] <= value]
    if half.rulings.options["score"] == "rescued":
        half.carried_home[colour] += 1
    half.emit("5", f"to_{place}", card=half.code(card), value=value, colour=half.colour_name(half.pack.colour[card]))
    if place == "trench":
        insort(half.trench[colour], card)
        if not half.rulings.options["rescued_acts_now"]:
            half.moved.add(card)
    elif place == "infirmary":
        insort(half.infirmary[colour], card)
    else:
        half.join_deck(card)


def idles(half: HalfTurn, move: Move) -> bool:
    """Return whether an action only uses up a move, where nothing asks who has moved.

    Looking at what is no news to the table does, and so does going back to an empty deck.
    """
    rulings = half.rulings
    if not isinstance(move, Act) or not (rulings.options["idle_allowed"] and rulings.options["stack_split"]):
        return False
    if move.verb == "cycle":
        return not half.deck[half.to_move] and (rulings.queue or not rulings.deck_open)
    return move.verb == "peek" and half.view != half.to_move
