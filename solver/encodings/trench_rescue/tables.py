"""Tables of a duel as rows, rows as tables, and the numbers that rows are played by."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence

from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER, PLAY, WITHDRAW, Soldier, Table
from solver.encodings.trench_rescue import layout as L

_BECOMES = {"trench": L.TRENCH, "infirmary": L.INFIRMARY}


def cards_in_play(table: Table) -> tuple[int, ...]:
    """Return the cards that are in the game, in canonical order."""
    soldiers = [card for soldier in table.soldiers for card in (soldier.card, soldier.carries) if card is not None]
    zones = (*table.trench, *table.deck, *table.infirmary, *table.piles, table.dead, soldiers)
    return tuple(sorted(card for zone in zones for card in zone))


def table_of(rulings: Rulings, table: Table, cards: Sequence[int], *, fades: bool) -> array[int]:
    """Return the table of a duel as int32; with ``fades`` rows forget what does not matter any more."""
    t = array("i", bytes(4 * L.TABLE))
    size, cells = table.size, table.size**2
    t[L.T_CARDS], t[L.T_SIZE], t[L.T_CELLS] = len(cards), size, cells
    t[L.T_LIMIT], t[L.T_STARTER], t[L.T_QUEUE] = rulings.turn_limit, table.starter, rulings.queue
    t[L.T_EACH], t[L.T_MIN_ONE], t[L.T_LAST_FALLS] = rulings.after_each, rulings.min_one_shell, rulings.last_barrage
    t[L.T_FADES], t[L.T_SHOWN] = fades, rulings.reveal_on_pickup != "no"
    t[L.T_CARRIED_SEEN] = rulings.peek_carried
    for (own, within), zone in rulings.rescue.items():
        t[L.T_RESCUE + 2 * own + within] = _BECOMES.get(zone, L.DECK)
    for number, card in enumerate(cards):
        t[L.T_COLOUR + number], t[L.T_VALUE + number] = rulings.pack.colour[card], rulings.pack.value[card]
    for cell, ways in enumerate(rulings.cell_ways(size)):
        t[L.T_WAYS + cell] = ways
        t[L.T_CASES] += ways
        row, column = divmod(cell, size)
        for colour in (0, 1):
            t[L.T_HOME + L.MOST_CELLS * colour + cell] = row + 1 if colour == table.near else size - row
        for other in range(cells):
            steps = abs(row - other // size) + abs(column - other % size)
            t[L.T_STEPS + L.MOST_CELLS * cell + other] = steps
    for colour in (0, 1):
        t[L.T_DOWN + colour] = -size if colour == table.near else size
    for left in range(2, L.MOST_LEFT):
        t[L.T_RESCUES + left] = min(1 + 2 * t[L.T_RESCUES + left - 2], L.MOST_CARDS)
    for number, card in enumerate(cards):
        t[L.T_BLIND + number] = _blind_gain(rulings, card)
    return t


def _blind_gain(rulings: Rulings, card: int) -> int:
    """Return what a soldier gains on average by bringing home any other card of the pack, in parts of ``GAIN``."""
    pack = rulings.pack
    others = [other for other in range(pack.unknown) if other != card]
    zones = [
        rulings.rescue[pack.colour[other] == pack.colour[card], pack.value[other] <= pack.value[card]]
        for other in others
    ]
    return L.GAIN * sum(-1 if zone == "enemy_deck" else 1 for zone in zones) // len(others)


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
