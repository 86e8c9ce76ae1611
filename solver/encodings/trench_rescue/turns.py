"""Tables as rows and rows as tables, which questions rows carry, duels as a tree, and the turns of a player alone."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from rules.core.scripts import CHANCE
from rules.core.scripts import OVER as ENDED
from rules.core.turns import State
from rules.trench_rescue.content import OPTIONS, OVER, PLAY, WITHDRAW, Rulings, Soldier, Table
from rules.trench_rescue.engine import Rescue, TrenchRescue
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.machine import Rows
from solver.search.budget import BudgetExceeded
from solver.search.expectiminimax import ONE, Key, Number, PlainTree, quotient

_NEUTRAL: Final = (
    *("starter_order", "hit_pile_order", "idle_allowed", "rescued_acts_now", "drop_cost", "drop_when"),
    *("stack_from_trench", "stack_split", "pickup_fresh", "hold_in_place", "stack_carrier", "shell_recount"),
    *("withdrawal", "withdrawal_trench", "withdrawal_hit", "score", "reinforcement", "shell_count_of"),
)
"""Options whose neutral value rows carry; those not named they carry with every value."""
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
    t[L.T_EACH], t[L.T_MIN_ONE], t[L.T_FADES] = rulings.after_each, rulings.min_one_shell, fades
    t[L.T_LAST_FALLS], t[L.T_CARRIED_SEEN] = rulings.options["last_barrage"], rulings.options["peek_carried"]
    t[L.T_SHOWN] = rulings.options["reveal_on_pickup"] != "no"
    for (own, within), zone in rulings.rescue.items():
        t[L.T_RESCUE + 2 * own + within] = _BECOMES.get(zone, L.DECK)
    for number, card in enumerate(cards):
        t[L.T_COLOUR + number], t[L.T_VALUE + number] = rulings.pack.colour[card], rulings.pack.value[card]
        t[L.T_BLIND + number] = _blind_gain(rulings, card)
    for cell, ways in enumerate(rulings.cell_ways[size]):
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
    return t


def _blind_gain(rulings: Rulings, card: int) -> int:
    """Return what a soldier gains on average by bringing home any other card of the pack, in parts of ``GAIN``."""
    colour, value, places = rulings.pack.colour, rulings.pack.value, rulings.rescue
    others = [other for other in range(rulings.pack.unknown) if other != card]
    zones = [places[colour[other] == colour[card], value[other] <= value[card]] for other in others]
    return L.GAIN * sum(-1 if zone == "enemy_deck" else 1 for zone in zones) // len(others)


def row_of(rulings: Rulings, table: Table, cards: Sequence[int]) -> array[int]:
    """Return the row of a table in which no chance is due; hidden cards are nowhere."""
    row = array("h", bytes(2 * (L.CARDS + len(cards))))
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


def supports(game: Any, table: Table, *, alone: bool = False) -> tuple[str, ...]:
    """Return the features of a duel, or of a question of a player alone, that rows lack; none if they carry it."""
    return (*lacks(game, alone=alone), *(() if table.view is None else ("hidden cards",)))


def lacks(game: TrenchRescue, *, alone: bool = False) -> tuple[str, ...]:
    """Return the features of a game that rows lack, whatever the table."""
    r, is_quiet = game.rulings, isinstance(game, Rescue) and game.quiet
    lacking = {"several players": alone and r.players > 1, "solitaire": not alone and r.players < 2}
    if alone:
        lacking["hidden shells"] = r.shells_fall and not r.shells_open and not is_quiet
        lacking["shuffled decks"] = not r.queue
    else:
        lacking["open chance"] = r.shells_open or not r.shells_fall or (r.deck_open and not r.queue)
    lacking |= {f"option {name}": r.options[name] != OPTIONS.neutral[name] for name in _NEUTRAL}
    lacking["rescue of enemies into the trench"] = "trench" in (r.rescue[False, False], r.rescue[False, True])
    return tuple(feature for feature, is_missing in lacking.items() if is_missing)


class DuelTree(PlainTree):
    """The play of one duel: keys are rows as bytes."""

    name = "encoded"

    def __init__(self, game: TrenchRescue, table: Table) -> None:
        """Rows carry the cards that are in play on a table."""
        super().__init__(game)
        self._duel, self._cards = game, cards_in_play(table)
        numbers = table_of(game.rulings, table, self._cards, fades=True)
        self._rows, self._cases = Rows(numbers), numbers[L.T_CASES]
        self.last = 2 * game.rulings.turn_limit

    def key(self, state: State[Table]) -> Key:
        """Return the row of a state, without what does not matter."""
        if not state.pending:
            return self._rows.reduced(row_of(self._duel.rulings, state.table, self._cards))
        half, question = self._duel.stopped(state)
        table, barrage = half.frozen(), half.barrage
        row = row_of(self._duel.rulings, table._replace(moved=(), fresh=()) if barrage else table, self._cards)
        if barrage:
            row[L.STAGE], row[L.SHELLS] = L.SHELLED, barrage.shells - barrage.fallen
        elif question and question.actor == CHANCE:
            row[L.STAGE] = L.DRAWS
            return row.tobytes()  # a deck is not forgotten that a card is drawn from
        return self._rows.reduced(row)

    def actor(self, key: Key) -> int:
        """Return who decides next."""
        found: int = {L.ACTS: key[2 * L.MOVER], L.OVER: ENDED}.get(key[2 * L.STAGE], CHANCE)
        return found

    def followers(self, key: Key) -> Sequence[Key]:
        """Return the keys after every half-turn.

        Raises:
            BudgetExceeded: there are too many ways through a half-turn.
        """
        try:
            return self._rows.followers(key)
        except OverflowError as fault:
            raise BudgetExceeded from fault

    def outcomes(self, key: Key) -> tuple[Sequence[tuple[Key, int]], int]:
        """Return the keys after every outcome of chance."""
        found = self._rows.outcomes(key)
        return found, sum(ways for _, ways in found)

    def guess(self, key: Key) -> Number:
        """Return about what the first seat will have, in parts of one."""
        return ONE * self._rows.guess(key)

    def bounds(self, key: Key) -> tuple[Number, Number]:
        """Return proved bounds of the value, in parts of one."""
        least, most = self._rows.bounds(key)
        return quotient(least * ONE, self._cases), quotient(most * ONE, self._cases)

    def pace(self, key: Key) -> int:
        """Return the half-turns that are over; the walk home after the last one counts as a part of it."""
        return self._rows.pace(key)


MOST_SHELLS: Final = L.MOST_CARDS // 2
"""Shells that can fall in one barrage."""


class Turns:
    """The turns of one question that ``supports`` carries, from one table on."""

    def __init__(self, asked: Any, table: Table) -> None:
        """``asked``: the game, or a challenge that may forbid shells."""
        self._rulings, self._start = asked.rulings, table
        self._is_quiet = isinstance(asked, Rescue) and asked.quiet
        self._cards = cards_in_play(table)
        numbers = table_of(self._rulings, table, self._cards, fades=False)
        numbers[L.T_STARTER] = 1 - table.starter  # the turn is over after each half-turn
        self._rows = Rows(numbers)
        self._cells = cache(self._cells_from)

    def after(self, table: Table) -> Iterator[Table]:
        """Yield every table after the next turn, once each; none where the game is over."""
        if table.phase == OVER:
            return
        rulings, rows, cells = self._rulings, self._rows, self._cells(table.counters.shells)
        met: dict[tuple[bytes, int], None] = {}
        for middle in rows.middles(row_of(rulings, table, self._cards).tobytes()):
            shells = rows.shelled(middle, cells)
            if shells >= 0 and not (shells and rulings.shells_fall and self._is_quiet):
                met[rows.there.tobytes(), shells if rulings.shells_fall else 0] = None
        for row, shells in met:
            after = table_from(array("h", row), self._start, self._cards, rulings.pack.colour)
            event = rulings.next_shell(table.counters.shells, shells)
            yield after._replace(counters=after.counters._replace(shells=event))

    def _cells_from(self, event: int) -> array[int]:
        """Return the cells that the shells from an event on fall on; -1 where they hit nobody."""
        rulings, size = self._rulings, self._start.size
        if not (rulings.shells_fall and rulings.shells_open):
            return array("i", [-1]) * MOST_SHELLS
        return array("i", [rulings.shell(size, rulings.next_shell(event, n))[2] for n in range(MOST_SHELLS)])
