# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Tables as rows and back, exact for every table between two turns; rows as short keys and back; turn ends of keys.

In compiled functions ``s`` are rows, ``b`` is where a row begins, ``k`` says by which numbers rows are told apart.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from rules.iditacards import state
from rules.iditacards.engine import Iditacards
from rules.iditacards.turn import Play
from solver.encodings.iditacards import bound, machine, sled, zones
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.tables import FORBIDDABLE, OPS, Tables
from solver.search import native, transposition_table
from solver.search.native import Key, Letters, Longs, Row, Table
from solver.search.transposition_table import Ends

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
_COUNTED: Final = ("hypothermia", "starvation", "turns", "days", "personal")
_NUMBERS: Final = (("pos", L.POSITION), *((name, getattr(L, name.upper())) for name in _COUNTED))
_MARKS: Final = (("moved", L.MOVED), ("immune", L.IMMUNE), ("finished", L.FINISHED))

# Tables to rows and back


def row_of(tables: Tables, table: state.Table) -> array[int]:
    """Return a table as a row, int16.

    Raises:
        OverflowError: the table has more of something than a row can hold.
    """
    row = array("h", bytes(2 * L.W))
    player = table.players[0]
    for name, field in (*_NUMBERS, *_MARKS):
        row[field] = int(getattr(player, name))
    row[L.WEATHER] = tables.faces.index(table.weather)
    row[L.DAY], row[L.DAMAGE_LEFT] = table.day, table.damage_left
    row[L.DECK_EVENT], row[L.WEATHER_EVENT] = table.counters.deck[0], table.counters.weather
    row[L.FREE_ENERGY], row[L.FREE_HEALTH] = _FREE.index(player.free_energy), _FREE.index(player.free_health)
    row[L.FREEZE], row[L.OVER] = int(table.freeze), int(table.over)
    for food in player.foods:
        which, bit = tables.food_bit(food)
        row[L.FOODS + which] |= bit
    row[L.PASSED] = sum(1 << tables.checkpoints.index(space) for space in player.passed)
    row[L.LEGENDARY] = _legendary_bits(tables.legendary, player.legendary)
    for place, deck in enumerate(table.upgrade):
        gone = len(tables.start.upgrade[place]) - len(deck)
        if gone < 0 or tables.start.upgrade[place][gone:] != deck:
            raise OverflowError("an upgrade deck that is no rest of the one at the start")
        row[L.GONE + place] = gone
    row[L.N_DOGS] = _fitting(player.dogs, L.MOST_DOGS)
    for place, dog in enumerate(player.dogs):
        cards = (dog.dog, *dog.attachments)
        _put(row, L.DOGS + L.DOG_W * place, [tables.kinds[card] for card in cards], L.DOG_W)
    row[L.N_STACK] = _fitting(player.stack, L.MOST_FRAMES)
    for place, frame in enumerate(player.stack):
        step = L.FRAME_SECOND if frame.step == "second" else 0
        numbers = [tables.kinds[frame.card], frame.day, frame.n, frame.need, frame.paid, step]
        _put(row, L.STACK + L.FRAME_W * place, numbers, L.FRAME_W)
    for owner, zones_of in ((player, _LISTS), (table, _SHARED)):
        for name, length, first, most in zones_of:
            kinds = [tables.kinds[card] for card in getattr(owner, name)]
            row[length] = len(kinds)
            _put(row, first, kinds[::-1] if name == "deck" else kinds, most)
    return row


def _put(row: array[int], first: int, numbers: Sequence[int], most: int) -> None:
    row[first : first + _fitting(numbers, most)] = array("h", numbers)


def _fitting(items: Sequence[Any], most: int) -> int:
    if len(items) > most:
        raise OverflowError(f"{len(items)} where a row holds at most {most}")
    return len(items)


def _legendary_bits(start: Sequence[str], cards: Sequence[str]) -> int:
    """Return which of the cards held at the start are left; of copies the last ones."""
    left, bits = list(cards), 0
    for place in reversed(range(len(start))):
        if start[place] in left:
            left.remove(start[place])
            bits |= 1 << place
    if left:
        raise OverflowError("legendary cards that were not there at the start")
    return bits


def table_of(tables: Tables, row: array[int]) -> state.Table:
    """Return the table of a row between two turns."""
    start, ids = tables.start, tables.ids
    numbers: list[int] = row.tolist()

    def cards(first: int, n: int) -> tuple[str, ...]:
        return tuple([ids[kind] for kind in numbers[first : first + n] if kind])

    zones_of = {name: cards(first, numbers[length]) for name, length, first, _ in (*_LISTS, *_SHARED)}
    dogs = (cards(L.DOGS + L.DOG_W * place, L.DOG_W) for place in range(numbers[L.N_DOGS]))
    places = (L.STACK + L.FRAME_W * place for place in range(numbers[L.N_STACK]))
    frames = (numbers[at : at + L.FRAME_W] for at in places)
    bits = ((food, *tables.food_bit(food)) for food in tables.foods)
    fields: dict[str, Any] = {name: zones_of[name] for name, *_ in _LISTS}
    fields["deck"] = fields["deck"][::-1]
    fields.update((name, numbers[field]) for name, field in _NUMBERS)
    fields.update((name, bool(numbers[field])) for name, field in _MARKS)
    player = state.Player(
        **fields,
        dogs=tuple(state.Dog(dog, tuple(worn)) for dog, *worn in dogs),
        foods=tuple(food for food, which, bit in bits if numbers[L.FOODS + which] & bit),
        free_energy=_FREE[numbers[L.FREE_ENERGY]],
        free_health=_FREE[numbers[L.FREE_HEALTH]],
        known=0,
        legendary=tuple(card for place, card in enumerate(tables.legendary) if numbers[L.LEGENDARY] >> place & 1),
        passed=tuple(space for place, space in enumerate(tables.checkpoints) if numbers[L.PASSED] >> place & 1),
        stack=tuple(
            state.Frame(ids[kind], day, n, need, paid, "second" if step & L.FRAME_SECOND else "risk")
            for kind, day, n, need, paid, step in frames
        ),
    )
    over = bool(numbers[L.OVER])
    return start._replace(
        counters=start.counters._replace(deck=(numbers[L.DECK_EVENT],), weather=numbers[L.WEATHER_EVENT]),
        damage_left=numbers[L.DAMAGE_LEFT],
        day=numbers[L.DAY],
        destroyed=zones_of["destroyed"],
        final=() if over and not tables.rulings.win_at_once else None,
        freeze=bool(numbers[L.FREEZE]),
        over=over,
        players=(player,),
        supply=zones_of["supply"],
        upgrade=tuple(deck[numbers[L.GONE + place] :] for place, deck in enumerate(start.upgrade)),
        weather=tables.faces[numbers[L.WEATHER]],
    )


def emptied(row: array[int], live: Any, tables: Tables, *, every: bool = False) -> array[int]:
    """Return a row without the zones that nothing reads, or without ``every`` one that such a rule is about."""
    if every or live.drops_discard:
        row[L.N_DISCARD] = row[L.N_RESOLVED] = 0
    if every or live.drops_destroyed:
        row[L.N_DESTROYED] = 0
    if every or live.drops_supply:
        row[L.N_SUPPLY] = 0
        for place, deck in enumerate(tables.start.upgrade):
            row[L.GONE + place] = len(deck)
    if every or live.drops_legendary:
        row[L.LEGENDARY] = row[L.PASSED] = 0
    return row


def settled(row: array[int]) -> array[int]:
    """Return a row whose oldest hand cards have paid what is owed."""
    owed = row[L.OWED + row[L.AGES]]
    hand = [card & L.AGE - 1 for card in row[L.HAND : L.HAND + row[L.N_HAND]]]
    _put_list(row, L.N_DISCARD, L.DISCARD, row[L.DISCARD : L.DISCARD + row[L.N_DISCARD]].tolist() + hand[:owed])
    _put_list(row, L.N_HAND, L.HAND, hand[owed:])
    row[L.AGES] = row[L.OWED] = 0
    return row


def _put_list(row: array[int], length: int, items: int, cards: list[int]) -> None:
    row[length] = len(cards)
    row[items : items + len(cards)] = array("h", sorted(cards))


def machine_lacks(game: Iditacards, table: state.Table, live: Any, forbidden: frozenset[str]) -> tuple[str, ...]:
    """Return in words what the machine and its rows do not carry of the rules, a table of one player and bans."""
    rulings = game.rulings
    ops = {effect.op for card in rulings.cards.values() for effect in card.instant}
    plays = {Play(card).text for card in rulings.cards}
    facts = {
        "option sacrifice_timing = any_time": rulings.sacrifice_any_time,
        "option upgrade_refresh = true": live.takes and bool(rulings.options["upgrade_refresh"]),
        "more kinds of cards than the bound holds": len(rulings.cards) >= Q.B_SPEED,
        "more upgrade decks than rows hold": len(table.upgrade) > L.MOST_DECKS,
        "more checkpoints than rows hold": len(rulings.board.checkpoints) > L.FOODS_BITS,
        "more legendary cards than rows hold": len(table.players[0].legendary) > L.FOODS_BITS,
        "more foods than rows hold": sum(card.type == "food" for card in rulings.cards.values()) > 2 * L.FOODS_BITS,
    }
    lacking = [name for name, holds in facts.items() if holds]
    lacking += [f"op {name}" for name in sorted(ops - OPS.keys())]
    lacking += [f"the forbidden move '{words}'" for words in sorted(forbidden - FORBIDDABLE.keys() - plays)]
    if not lacking:
        try:
            row_of(Tables(game, table), table)
        except OverflowError as error:
            lacking = [str(error)]
    return tuple(lacking)


# By what rows are told apart

_HEAD: Final = (L.POSITION, L.FINISHED, L.OVER, L.DAYS)
"""Fields at the beginning of a key: at the target or beyond it there are no others."""
_ALWAYS: Final = (
    *(L.HYPOTHERMIA, L.STARVATION, L.WEATHER, L.MOVED, L.IMMUNE, L.FREE_ENERGY, L.FREE_HEALTH, L.FREEZE, L.DAY),
    *(L.PERSONAL, L.FOODS, L.FOODS + 1),
)
_UNDER_WAY: Final = (
    *(L.POSITION, L.FINISHED, L.DAMAGE_LEFT, L.PASSED, L.LEGENDARY, *range(L.GONE, L.GONE + L.MOST_DECKS)),
    *(L.LEFT, L.STOPPED, L.RUN_DESTROYED, L.CURRENT, L.KNOWN, L.UNSEEN, L.BLIND),
)
"""Fields that count besides where the deck is hidden, in the middle of turns."""

Entry = tuple[int, int, int]
"""Field, first item, numbers of an item (``Q.KEY_…``)."""
_IN_PLAY: Final = ((L.N_DOGS, L.DOGS, L.DOG_W), (L.N_STACK, L.STACK, L.FRAME_W))
_OWED: Final = ((L.OWED, 0, 0), (L.AGES, L.OWED + 1, 1))
_OWN: Final = ((L.N_HAND, L.HAND, 1), (L.N_DECK, L.DECK, 1), (L.N_SEEN, L.SEEN, 1))
_PILE: Final = ((L.N_RESOLVED, L.RESOLVED, 1), (L.N_DISCARD, L.DISCARD, 1))
_LEFT_OF_TURN: Final = ((L.N_LOOK, L.LOOK, 1), (L.N_CONTROL, L.CONTROL, L.CONTROL_W), (L.N_DOGS, L.TAG, 1))


def fields(tables: Tables, live: Any, kept: Mapping[str, int]) -> array[int]:
    """Return what of a row between turns is in its key: what merges positions at the target first, then the rest."""
    table = _table([*_numbers(_HEAD), *_entries(tables, live)])
    table[Q.KEY_KEPT], table[Q.KEY_N_KEPT] = len(table), len(kept)
    table.extend(chain.from_iterable((tables.kinds[card], copies) for card, copies in sorted(kept.items())))
    table[Q.KEY_HEAD] = len(_HEAD)
    table[Q.KEY_LIMIT] = L.NO_LIMIT if live.target is None else max(live.target, tables.start.players[0].pos)
    return table


def hidden_fields() -> array[int]:
    """Return what rows with a hidden deck are told apart by, in the middle of turns."""
    numbers = _numbers([*_ALWAYS, *_UNDER_WAY])
    return _table([*numbers, *_IN_PLAY, *_OWED, *_OWN, *_PILE, (L.N_SUPPLY, L.SUPPLY, 1), *_LEFT_OF_TURN])


def _table(entries: Sequence[Entry]) -> array[int]:
    header = [0] * Q.KEY_HEADER
    header[Q.KEY_ENTRIES], header[Q.KEY_HEAD] = len(entries), len(entries)
    return array("i", [*header, *chain.from_iterable(entries)])


def _numbers(numbers: Sequence[int]) -> list[Entry]:
    return [(field, 0, 0) for field in numbers]


def _entries(tables: Tables, live: Any) -> Iterator[Entry]:
    """Yield the entries of a key behind its head."""
    yield from _numbers([*_ALWAYS, L.DECK_EVENT, L.WEATHER_EVENT])
    if not live.drops_legendary:
        yield from _numbers([L.LEGENDARY, L.PASSED])
    yield from _IN_PLAY
    if live.face_down:
        yield from _OWED
    yield from _OWN
    if not live.drops_discard:
        yield from _PILE
        yield L.DAMAGE_LEFT, 0, 0
    if not live.drops_supply:
        yield L.N_SUPPLY, L.SUPPLY, 1
        yield from _numbers([L.GONE + place for place, deck in enumerate(tables.start.upgrade) if deck])
    if not live.drops_destroyed:
        yield L.N_DESTROYED, L.DESTROYED, 1


def pass_fields(k: Table, s: Row, b: int, out: Row, writes: int) -> int:
    """Write what a row is told apart by as numbers, and return how many they are.

    Without ``writes`` read them into a row that has all else.
    """
    at = 0
    for i in range(k[Q.KEY_ENTRIES]):
        if i == k[Q.KEY_HEAD] and s[b + L.POSITION] >= k[Q.KEY_LIMIT]:
            break
        e = Q.KEY_HEADER + Q.KEY_W * i
        field = b + k[e + Q.KEY_FIELD]
        items = k[e + Q.KEY_ITEMS]
        if writes:
            out[at] = s[field]
        else:
            s[field] = out[at]
        at += 1
        if items:
            n = k[e + Q.KEY_WIDTH] * s[field] + (s[b + L.UNSEEN] if items == L.DECK else 0)
            if writes:
                native.copy(out, at, s, b + items, n)
            else:
                native.copy(s, b + items, out, at, n)
            at += n
    return at


# Rows to keys and back: a number below ``KEY_LONG`` is one byte, others are that byte and two more


def write_key(k: Table, s: Row, b: int, out: Row, key: Letters, at: int) -> int:
    """Write the key of a row from a byte on, and return the byte behind it; ``out`` is room for numbers."""
    n = pass_fields(k, s, b, out, 1)
    out[0] = min(s[b + L.POSITION], k[Q.KEY_LIMIT])
    for i in range(n):
        number = out[i] & 65535
        key[at] = min(number, Q.KEY_LONG)
        at += 1
        if number >= Q.KEY_LONG:
            key[at] = number & 255
            key[at + 1] = number >> 8
            at += 2
    return at


def read_key(key: Key, at: int, end: int, k: Table, s: Row, b: int, out: Row) -> None:
    """Read a key into a row that has all else."""
    n = 0
    while at < end:
        number = key[at]
        at += 1
        if number == Q.KEY_LONG:
            number = key[at] | key[at + 1] << 8
            at += 2
        out[n] = number - 65536 if number > 32767 else number
        n += 1
    pass_fields(k, s, b, out, 0)


# Facts about a row


def holds_kept(s: Row, b: int, k: Table, t: Table) -> int:
    """Return whether the player has as many of each card as are to be kept, in hand, deck, play or set aside."""
    for i in range(k[Q.KEY_N_KEPT]):
        card = k[k[Q.KEY_KEPT] + 2 * i]
        missing = k[k[Q.KEY_KEPT] + 2 * i + 1]
        missing -= zones.on_table(s, b, card) + zones.count(s, b + L.HAND, s[b + L.N_HAND], card)
        missing -= zones.count(s, b + L.DECK, s[b + L.N_DECK], card) + zones.count(s, b + L.SEEN, s[b + L.N_SEEN], card)
        for j in range(t[L.H_N_LEGENDARY]):
            if s[b + L.LEGENDARY] >> j & 1:
                missing -= 1 if t[t[L.H_LEGENDARY] + j] == card else 0
        if missing > 0:
            return 0
    return 1


# Many sources at once


class Expander:
    """Plays the turns of keys and writes the distinct ends of each.

    ``target`` is what the ends are bound to, by the machine's ``table`` and the table of the ``bounds``, both int32.
    """

    ends: Ends
    error: Any

    def __init__(self, k: Table, template: Row) -> None:
        """``k`` are the fields of a key, int32, ``template`` is the row of all that keys do not hold, int16."""
        self.k = k
        self.template = template
        self.work = array("h", bytes(2 * L.W * L.MOST_WORK))
        self.slots = array("q")
        self.ends = Ends()
        self.first = 0
        self.error = None
        self.room = array("q", bytes(8 * Q.B_ROOM))
        self.target = 0
        self.table = self.bounds = array("i", [0])
        self.numbers = array("h", bytes(2 * L.W))
        self.out = array("B", bytes(Q.MOST_KEY))

    def read(self, key: Any, row: Any) -> None:
        """Read a key into a row that has all else already."""
        letters = array("B", key)
        numbers = native.shorts(self.numbers)
        read_key(native.letters(letters), 0, len(letters), native.ints(self.k), native.shorts(row), 0, numbers)

    def write(self, row: Any) -> bytes:
        """Return the key of a row."""
        numbers, letters = native.shorts(self.numbers), native.letters(self.out)
        end = write_key(native.ints(self.k), native.shorts(row), 0, numbers, letters, 0)
        return bytes(self.out[:end])

    def write_shape(self, key: Any) -> bytes:
        """Return what is left of a key once its hand is discarded."""
        s = native.shorts(self.work)
        native.copy(s, 0, native.shorts(self.template), 0, L.W)
        self.read(key, self.work)
        zones.discard_hand(s, 0)
        return self.write(self.work)

    def least_in(self, row: Any, target: int) -> int:
        """Return what ``Ends.least`` says of a row."""
        return bound.least(
            native.shorts(row), 0, native.ints(self.table), native.ints(self.bounds), target, native.longs(self.room)
        )

    def promise_in(self, row: Any) -> int:
        """Return what ``Ends.promise`` says of a row."""
        return bound.evaluate(native.shorts(row), 0, native.ints(self.table), native.longs(self.room))

    def play(self, keys: Key, offsets: Longs, source: int) -> int:
        """Play the turn of a source; return ``PLAYED``, or ``CUT`` or ``FAILED`` where it came to no end.

        A source that has failed leaves no ends; ``error`` is that of the row then, its code and two numbers.
        """
        s = native.shorts(self.work)
        t = native.ints(self.table)
        native.copy(s, 0, native.shorts(self.template), 0, L.W)
        letters, numbers = native.letters(keys), native.shorts(self.numbers)
        read_key(letters, offsets[source], offsets[source + 1], native.ints(self.k), s, 0, numbers)
        self.first = self.ends.count
        self.slots = array("q", bytes(8 * Q.FIRST_SLOTS))
        top = 0 if s[L.OVER] else machine.begin_turn(s, 0)
        steps = 0
        while top > 0:
            steps += 1
            if steps % Q.STEPS == 0 and self.ends.enough(self.ends.count - self.first):
                return Q.CUT
            b = L.W * (top - 1)
            rows = machine.step(s, b, t, top)
            if s[b + L.ERROR] or rows >= L.MOST_WORK:
                self.ends.count = self.first
                code = s[b + L.ERROR] if s[b + L.ERROR] else L.ERROR_WORK
                self.error = (code, s[b + L.ERROR_A], s[b + L.ERROR_B])
                return Q.FAILED
            if rows >= 0:
                top = rows
            else:
                self.store(b, source)
                top -= 1
        return Q.PLAYED

    def store(self, b: int, source: int) -> None:
        """Write the end of a turn in row b if it is new."""
        s = native.shorts(self.work)
        sled.tidy(s, b)
        k = native.ints(self.k)
        if k[Q.KEY_N_KEPT] and not holds_kept(s, b, k, native.ints(self.table)):
            return
        ends = self.ends
        n = ends.count
        start = ends.ends[n]
        ends.make_room(n + 1, start + Q.MOST_KEY)
        if 2 * (n - self.first) >= len(self.slots):
            self.slots = transposition_table.resettled(self.slots, 2 * len(self.slots))
        keys, slots = native.letters(ends.arena), native.longs(self.slots)
        end = write_key(k, s, b, native.shorts(self.numbers), keys, start)
        h = transposition_table.mixed(keys, start, end)
        mask = len(self.slots) - 1
        slot = transposition_table.slot_of(h, keys, start, end, mask, slots, keys, native.longs(ends.ends))
        if slots[slot]:
            return
        slots[slot] = h << 32 | n + 1
        t = native.ints(self.table)
        ends.ends[n + 1] = end
        ends.parents[n] = source
        ends.progress[n] = s[b + L.POSITION]
        ends.least[n] = bound.least(s, b, t, native.ints(self.bounds), self.target, native.longs(self.room))
        ends.days[n] = s[b + L.DAYS] - self.template[L.DAYS]
        ends.promise[n] = bound.evaluate(s, b, t, native.longs(self.room))
        ends.flags[n] = s[b + L.OVER]
        ends.count = n + 1
