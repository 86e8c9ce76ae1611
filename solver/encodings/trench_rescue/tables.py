"""The table of a duel: the numbers that its rules ask for, from the ruleset, the options and the position."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table
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
