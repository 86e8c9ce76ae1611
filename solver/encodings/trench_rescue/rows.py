"""Tables of a duel as rows, and rows as tables."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence

from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER, PLAY, WITHDRAW, Soldier, Table
from solver.encodings.trench_rescue import layout as L


def width_of(cards: Sequence[int]) -> int:
    """Return the numbers of a row."""
    return (L.CARDS + len(cards) + 3) // 4 * 4


def row_of(rulings: Rulings, table: Table, cards: Sequence[int]) -> array[int]:
    """Return the row of a table in which no chance is due; hidden cards are nowhere."""
    row = array("h", bytes(2 * width_of(cards)))
    row[L.STAGE] = L.OVER if table.phase == OVER else L.ACTS
    row[L.PHASE] = L.PLAY if table.phase == PLAY else L.WITHDRAWAL
    row[L.TURN], row[L.MOVER] = table.turn, table.to_move
    score = [len(table.deck[c]) + len(table.trench[c]) + len(table.infirmary[c]) for c in (0, 1)]
    row[L.LEAD] = score[0] - score[1]
    number = {card: number for number, card in enumerate(cards)}
    for card, place in places(rulings, table, number):
        if card in number:
            row[L.CARDS + number[card]] = place
    for card in table.moved:
        row[L.CARDS + number[card]] |= L.MOVED
    for cell, height in table.fresh:
        card = table.piles[cell][height]
        if card in number:
            row[L.CARDS + number[card]] |= L.FRESH
    return row


def places(rulings: Rulings, table: Table, number: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the card and the place of every card of a table, also of hidden ones."""
    for colour in (0, 1):
        yield from ((card, L.TRENCH) for card in table.trench[colour])
        yield from ((card, L.INFIRMARY + colour) for card in table.infirmary[colour])
        for height, card in enumerate(table.deck[colour]):
            yield card, L.DECK + (height if rulings.queue else 0)
    yield from ((card, L.DEAD) for card in table.dead)
    for cell, pile in enumerate(table.piles):
        yield from ((card, L.PILE + L.DEEP * cell + height) for height, card in enumerate(pile))
    for soldier in table.soldiers:
        yield soldier.card, L.FIELD + soldier.cell
        if soldier.carries is not None:
            yield soldier.carries, L.CARRIED + number[soldier.card]


def table_from(row: Sequence[int], start: Table, cards: Sequence[int], colours: Sequence[int]) -> Table:
    """Return the table of a row between half-turns that has forgotten nothing.

    ``start`` is a table of its duel, ``colours`` are those of the pack.
    """
    zones: dict[int, list[int]] = {}
    placed = sorted((row[L.CARDS + number] & L.PLACES, card) for number, card in enumerate(cards))
    loads = {cards[place - L.CARRIED]: card for place, card in placed if L.CARRIED <= place < L.FIELD}
    soldiers = sorted((card, place - L.FIELD) for place, card in placed if L.FIELD <= place < L.PILE)
    piles: list[list[int]] = [[] for _ in range(start.size**2)]
    for place, card in placed:
        if place >= L.PILE:
            piles[(place - L.PILE) // L.DEEP].append(card)
        elif place < L.CARRIED:
            zones.setdefault(min(place, L.DECK), []).append(card)
    trench, deck = zones.get(L.TRENCH, []), zones.get(L.DECK, [])
    over = row[L.STAGE] == L.OVER
    return start._replace(
        dead=tuple(zones.get(L.DEAD, ())),
        deck=_parted(deck, colours),
        fresh=(),
        infirmary=(tuple(zones.get(L.INFIRMARY, ())), tuple(zones.get(L.INFIRMARY + 1, ()))),
        moved=(),
        phase=OVER if over else PLAY if row[L.PHASE] == L.PLAY else WITHDRAW,
        piles=tuple(map(tuple, piles)),
        soldiers=tuple(Soldier(card, loads.get(card), cell) for card, cell in soldiers),
        to_move=start.starter if over else row[L.MOVER],
        trench=_parted(trench, colours),
        turn=row[L.TURN],
    )


def _parted(zone: Sequence[int], colours: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(card for card in zone if not colours[card]), tuple(card for card in zone if colours[card])
