"""Tables as rows of the machine and back, exact for every table between two turns."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Final

from rules.iditacards.state import Dog, Frame, Player, Table
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.tables import Tables

_FREE: Final = ("no", "armed", "on")
_LISTS: Final = (
    ("resolved", L.N_RESOLVED, L.RESOLVED, L.MOST_RESOLVED),
    ("hand", L.N_HAND, L.HAND, L.MOST_CARDS),
    ("discard", L.N_DISCARD, L.DISCARD, L.MOST_CARDS),
    ("deck", L.N_DECK, L.DECK, L.MOST_CARDS),
    ("seen", L.N_SEEN, L.SEEN, L.MOST_SEEN),
)
"""Zones of a player: field of the length, first item, capacity; the deck lies with its top last."""
_SHARED: Final = (
    ("supply", L.N_SUPPLY, L.SUPPLY, L.MOST_SUPPLY),
    ("destroyed", L.N_DESTROYED, L.DESTROYED, L.MOST_DESTROYED),
)
_NUMBERS: Final = (
    ("pos", L.POSITION),
    ("hypothermia", L.HYPOTHERMIA),
    ("starvation", L.STARVATION),
    ("turns", L.TURNS),
    ("days", L.DAYS),
    ("personal", L.PERSONAL),
)
_MARKS: Final = (("moved", L.MOVED), ("immune", L.IMMUNE), ("finished", L.FINISHED))


class Rows:
    """Reads and writes the rows of one question."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def row(self, table: Table) -> array[int]:
        """Return a table as a row, int16.

        Raises:
            OverflowError: the table has more of something than a row can hold.
        """
        row = [0] * L.W
        player, tables = table.players[0], self._tables
        for name, field in (*_NUMBERS, *_MARKS):
            row[field] = int(getattr(player, name))
        row[L.WEATHER] = tables.faces.index(table.weather)
        row[L.DAY], row[L.DAMAGE_LEFT] = table.day, table.damage_left
        row[L.DECK_EVENT], row[L.WEATHER_EVENT] = table.counters.deck[0], table.counters.weather
        row[L.FREE_ENERGY], row[L.FREE_HEALTH] = _FREE.index(player.free_energy), _FREE.index(player.free_health)
        row[L.FREEZE], row[L.OVER] = int(table.freeze), int(table.over)
        for food in player.foods:
            field, bit = tables.food_bit(food)
            row[L.FOODS + field] |= bit
        row[L.PASSED] = sum(1 << tables.checkpoints.index(space) for space in player.passed)
        row[L.LEGENDARY] = self._legendary_bits(player.legendary)
        for place, deck in enumerate(table.upgrade):
            row[L.GONE + place] = self._gone(place, deck)
        self._dogs(row, player.dogs)
        self._stack(row, player.stack)
        for name, length, first, most in _LISTS:
            cards = getattr(player, name)
            self._list(row, cards[::-1] if name == "deck" else cards, length, first, most)
        for name, length, first, most in _SHARED:
            self._list(row, getattr(table, name), length, first, most)
        return array("h", row)

    def table(self, row: array[int]) -> Table:
        """Return the table of a row between two turns."""
        tables, start = self._tables, self._tables.start
        numbers: list[int] = row.tolist()
        fields: dict[str, Any] = {name: self._cards(numbers, length, first) for name, length, first, _ in _LISTS}
        fields["deck"] = fields["deck"][::-1]
        fields.update((name, numbers[field]) for name, field in _NUMBERS)
        fields.update((name, bool(numbers[field])) for name, field in _MARKS)
        over = bool(numbers[L.OVER])
        upgrade = (deck[numbers[L.GONE + place] :] for place, deck in enumerate(start.upgrade))
        bits = ((food, *tables.food_bit(food)) for food in tables.foods)
        foods = (food for food, field, bit in bits if numbers[L.FOODS + field] & bit)
        player = Player(
            **fields,
            dogs=tuple(self._dog(numbers, L.DOGS + L.DOG_W * place) for place in range(numbers[L.N_DOGS])),
            foods=tuple(foods),
            free_energy=_FREE[numbers[L.FREE_ENERGY]],
            free_health=_FREE[numbers[L.FREE_HEALTH]],
            known=0,
            legendary=tuple(card for place, card in enumerate(tables.legendary) if numbers[L.LEGENDARY] >> place & 1),
            passed=tuple(space for place, space in enumerate(tables.checkpoints) if numbers[L.PASSED] >> place & 1),
            stack=tuple(self._frame(numbers, L.STACK + L.FRAME_W * place) for place in range(numbers[L.N_STACK])),
        )
        counters = start.counters._replace(deck=(numbers[L.DECK_EVENT],), weather=numbers[L.WEATHER_EVENT])
        return start._replace(
            counters=counters,
            damage_left=numbers[L.DAMAGE_LEFT],
            day=numbers[L.DAY],
            destroyed=self._cards(numbers, L.N_DESTROYED, L.DESTROYED),
            final=() if over and not tables.rulings.win_at_once else None,
            freeze=bool(numbers[L.FREEZE]),
            over=over,
            players=(player,),
            supply=self._cards(numbers, L.N_SUPPLY, L.SUPPLY),
            upgrade=tuple(upgrade),
            weather=tables.faces[numbers[L.WEATHER]],
        )

    # Writing

    def _list(self, row: list[int], cards: Sequence[str], length: int, first: int, most: int) -> None:
        _fits(len(cards), most)
        row[length] = len(cards)
        row[first : first + len(cards)] = [self._tables.kinds[card] for card in cards]

    def _legendary_bits(self, cards: Sequence[str]) -> int:
        """Return which of the cards held at the start are left; of copies the last ones."""
        left, bits = list(cards), 0
        for place in reversed(range(len(self._tables.legendary))):
            if self._tables.legendary[place] in left:
                left.remove(self._tables.legendary[place])
                bits |= 1 << place
        if left:
            raise OverflowError("legendary cards that were not there at the start")
        return bits

    def _gone(self, place: int, deck: Sequence[str]) -> int:
        start = self._tables.start.upgrade[place]
        gone = len(start) - len(deck)
        if gone < 0 or start[gone:] != tuple(deck):
            raise OverflowError("an upgrade deck that is no rest of the one at the start")
        return gone

    def _dogs(self, row: list[int], dogs: Sequence[Dog]) -> None:
        _fits(len(dogs), L.MOST_DOGS)
        row[L.N_DOGS] = len(dogs)
        for place, dog in enumerate(dogs):
            _fits(len(dog.attachments), L.MOST_ATTACHMENTS)
            at = L.DOGS + L.DOG_W * place
            cards = [self._tables.kinds[card] for card in (dog.dog, *dog.attachments)]
            row[at : at + len(cards)] = cards

    def _stack(self, row: list[int], stack: Sequence[Frame]) -> None:
        _fits(len(stack), L.MOST_FRAMES)
        row[L.N_STACK] = len(stack)
        for place, frame in enumerate(stack):
            at = L.STACK + L.FRAME_W * place
            row[at + L.FRAME_CARD] = self._tables.kinds[frame.card]
            row[at + L.FRAME_DAY], row[at + L.FRAME_N] = frame.day, frame.n
            row[at + L.FRAME_NEED], row[at + L.FRAME_PAID] = frame.need, frame.paid
            row[at + L.FRAME_STATE] = L.FRAME_SECOND if frame.step == "second" else 0

    # Reading

    def _cards(self, row: list[int], length: int, first: int) -> tuple[str, ...]:
        ids = self._tables.ids
        return tuple([ids[kind] for kind in row[first : first + row[length]]])

    def _dog(self, row: list[int], at: int) -> Dog:
        ids = self._tables.ids
        return Dog(ids[row[at]], tuple([ids[kind] for kind in row[at + 1 : at + L.DOG_W] if kind]))

    def _frame(self, row: list[int], at: int) -> Frame:
        return Frame(
            card=self._tables.ids[row[at + L.FRAME_CARD]],
            day=row[at + L.FRAME_DAY],
            n=row[at + L.FRAME_N],
            need=row[at + L.FRAME_NEED],
            paid=row[at + L.FRAME_PAID],
            step="second" if row[at + L.FRAME_STATE] & L.FRAME_SECOND else "risk",
        )


def _fits(number: int, most: int) -> None:
    if number > most:
        raise OverflowError(f"{number} where a row holds at most {most}")
