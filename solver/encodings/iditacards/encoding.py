"""One open question of one player as short keys: what it carries, keys of tables, turn ends of keys."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from operator import ne
from typing import Any, Final

from rules.core.race import NEVER, NOTHING
from rules.core.scripts import Step
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from rules.iditacards.turn import Play
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.bound import BoundTable, bound_limit
from solver.encodings.iditacards.liveness import DOMINANCE, RULES, Liveness, fields
from solver.encodings.iditacards.rows import Expander, row_of, table_of
from solver.encodings.iditacards.tables import FORBIDDABLE, OPS, Tables
from solver.search.budget import NodesExceeded
from solver.search.iterative_deepening import NO_TARGET, SearchProblem, TooLarge
from solver.search.transposition_table import Ends

LATE: Final = frozenset({"payments"})
"""Rules with which a key leaves open which hand cards have paid."""
SEARCHED: Final = RULES | DOMINANCE
"""Rules of a search."""
CARD_LISTS: Final = (L.N_RESOLVED, L.N_HAND, L.N_DISCARD, L.N_DECK)
"""Where a row says how long its lists of cards are, each of which follows at once."""
MANY_ENDS: Final = 50_000
"""Turn ends of one key after which nobody looks whether a certain one is among them."""
ALL_ENDS: Final = 2_000_000
"""Turn ends of one key up to which all are kept at once."""
SLICE_ENDS: Final = 4_096
"""Turn ends after which ``expand`` opens no further source and returns."""


def supports(
    game: Any,
    table: Table,
    seat: int,
    forbidden: frozenset[str] = frozenset(),
    kept: Mapping[str, int] = NOTHING,
    *,
    hidden: bool = False,
) -> tuple[str, ...]:
    """Return in words what of a question with an open or a hidden deck is not carried.

    Nothing means that keys and turn ends are exact, or the values of ``hidden.values``.
    """
    if game.rulings.deck_open == hidden:
        return ("an open deck" if hidden else "a hidden deck",)
    if len(table.players) > 1 or seat != 0:
        return ("several players",)
    live = Liveness(game, table, forbidden, kept)
    lacking = {
        "cards to keep": hidden and bool(kept),
        "hidden weather": not hidden and live.new_days and bool(game.rulings.faces) and not game.rulings.weather_open,
        "hidden upgrade decks": not hidden and live.gains and not game.rulings.upgrade_open and any(table.upgrade),
    }
    return (*(name for name, holds in lacking.items() if holds), *machine_lacks(game, table, live, forbidden))


def machine_lacks(game: Iditacards, table: Table, live: Liveness, forbidden: frozenset[str]) -> tuple[str, ...]:
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
    return tuple(lacking) or _too_large(game, table)


def _too_large(game: Iditacards, table: Table) -> tuple[str, ...]:
    """Return whether the table does not fit in a row, in words."""
    try:
        row_of(Tables(game, table), table)
    except OverflowError as error:
        return (str(error),)
    return ()


class Encoding(SearchProblem[Table]):
    """Keys and turn ends of one question that ``supports`` carries.

    A key holds what the question can still read of a table between two turns, days since its start included, turns not.
    """

    engine = "encoded"
    bound_name = "free order of cards"

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        forbidden: frozenset[str] = frozenset(),
        kept: Mapping[str, int] = NOTHING,
        target: int | None = None,
        turns: int | None = None,
        rules: frozenset[str] = RULES,
    ) -> None:
        """``kept`` says how many of each card the player must have at the end of every turn.

        ``target`` and ``turns`` say how far the question goes, where that is known: keys at the target or beyond are
        not to be expanded. ``rules`` are the predicates by which keys leave zones out (``liveness``).
        """
        self.tables = Tables(game, table, forbidden)
        self._question = (table, forbidden)
        self._turns, self._target = turns, target
        self._bounds: dict[int, Any] = {}
        self._ends = Ends()
        self._set_limit(game, kept, rules, target)
        if target is None and turns is not None and (edge := self.edge(turns)) is not None:
            self._set_limit(game, kept, rules, edge)
        self.root = self.project(table)
        self.projections, self.decides_late = self.live.projections, self.live.face_down

    def _set_limit(self, game: Iditacards, kept: Mapping[str, int], rules: frozenset[str], limit: int | None) -> None:
        """Settle what keys hold if nothing matters any more at a space."""
        table, forbidden = self._question
        self.live = Liveness(game, table, forbidden, kept, limit, rules)
        self._template = self.live.emptied(row_of(self.tables, table))
        self.expander = Expander(fields(self.tables, self.live, kept), self._template)
        self.tables.array[L.H_FACE_DOWN] = int(self.live.face_down)
        self.tables.array[L.H_TARGET] = self._target or 0 if self.live.new_days else 0
        self.expander.table = self.tables.array

    def edge(self, turns: int) -> int | None:
        """Return a space that so many turns do not lead to, if keys or searches are the smaller for it.

        That is the first one whose leg gives discarded cards back, or the finish of a track whose spaces are alike.
        """
        for space, leg in enumerate(self.tables.rulings.track(self._question[0].legs)):
            if leg is not None and "leg_turn_end_recover" in leg.passive:
                return self._beyond(turns, space)
        return self._beyond(turns, self.tables.rulings.finish_at) if self.live.spaces_are_alike else None

    def _beyond(self, turns: int, space: int) -> int | None:
        """Return a space if so many turns do not lead there."""
        return space if self.least(self.project(self._question[0]), space) > turns else None

    # Keys

    def project(self, table: Table) -> bytes:
        """Return the key of a table.

        Raises:
            TooLarge: the table is none that a line from the start can come to.
        """
        try:
            return bytes(self.expander.write(row_of(self.tables, table)))
        except OverflowError as error:
            raise TooLarge from error

    def _row(self, key: bytes) -> array[int]:
        row = array("h", self._template)
        self.expander.read(key, row)
        return row

    def table(self, key: bytes) -> Table:
        """Return a table with this key; zones that keys leave out are as at the start, or empty."""
        return table_of(self.tables, _settled(self._row(key)))

    def progress(self, key: bytes) -> int:
        """Return the space of a key."""
        return self._row(key)[L.POSITION]

    def rounds(self, key: bytes) -> int:
        """Return the days begun since the start of the question."""
        return self._row(key)[L.DAYS] - self.tables.start.players[0].days

    def is_over(self, key: bytes) -> bool:
        """Return whether the race has ended."""
        return bool(self._row(key)[L.OVER])

    def promise(self, key: bytes) -> int:
        """Return a guess of how good a key is, for beams; more is better."""
        return int(self.expander.promise_in(self._row(key)))

    def distance(self, key: bytes, other: bytes) -> int:
        """Return how many fields and cards two keys differ in, wherever cards stand in their list."""
        one, two = self._row(key), self._row(other)
        lists = [(Counter(row[n + 1 : n + 1 + row[n]]) for row in (one, two)) for n in CARD_LISTS]
        cards = sum(((here - there) + (there - here)).total() for here, there in lists)
        return int(cards + sum(map(ne, one[: CARD_LISTS[0]], two)))

    def least(self, key: bytes, target: int) -> int:
        """Return a number of further turns to a target that no line falls below."""
        self._bind_bounds(target)
        return int(self.expander.least_in(self._row(key), target))

    def lacking(self, key: bytes, turns: int, target: int) -> int:
        """Return how many more turns than those left the target needs at least."""
        least = self.least(key, target)
        return NEVER if least >= Q.NEVER else max(0, least - turns)

    def _bind_bounds(self, target: int) -> None:
        """Let the expander bound the turns to a target: there is one table for all that lie on one section."""
        rulings = self.tables.rulings
        limit = bound_limit(rulings, target)
        if limit not in self._bounds:
            table = self._question[0]
            self._bounds[limit] = BoundTable(rulings, table, self.live, self._turns, self.tables.kinds, limit).written()
        self.expander.bounds = self._bounds[limit]

    def shape(self, key: bytes) -> bytes:
        """Return the part of a key that does not hang on which hand cards have paid, hand and discard pile together."""
        return bytes(self.expander.write_shape(key)) if self.live.face_down else key

    def move_filter(self, table: Table, leads: Callable[[bytes], bool]) -> Callable[[Step], bool]:
        """Return what is false only for plays of cards with which no turn from a table ends in a key accepted."""
        key, known = self.project(table), dict[str, bool]()

        def is_needed(step: Step) -> bool:
            words = step.text.split()
            if words[0] != "play":
                return True
            if words[1] not in known:
                known[words[1]] = self._plays_to(key, words[1], leads)
            return known[words[1]]

        return is_needed

    def _plays_to(self, key: bytes, card: str, leads: Callable[[bytes], bool]) -> bool:
        """Return false only where no turn from a key that plays a card, and no other, ends where ``leads`` accepts it.

        A card with very many ends is taken to do so unseen.
        """
        tables, place = self.tables, self.tables.kinds[card] - 1
        first = tables.array[L.H_CARDS] + L.CARD_W + L.C_FORBIDDEN
        every = slice(first, first + L.CARD_W * len(tables.kinds) - L.CARD_W, L.CARD_W)
        forbidden = tables.array[every]
        others = array("i", [1] * len(forbidden))
        others[place] = forbidden[place]
        try:
            tables.array[every] = others
            found = self.successors(key, MANY_ENDS)
        finally:
            tables.array[every] = forbidden  # the array that is used now: filling it in makes a new one
        # ``leads`` may ask for turn ends, so that is done with all cards allowed again.
        return len(found) > MANY_ENDS or any(map(leads, found))

    def successors(self, key: bytes, most: int = 0) -> list[bytes]:
        """Return the keys after every way through the next turn, each once; none when the game is over.

        After ``most``, where it is given, some may lack.

        Raises:
            TooLarge: one does not fit.
            NodesExceeded: all are asked for, and they are too many to keep.
        """
        ends, room = self._ends, most or ALL_ENDS
        ends.count = 0
        ends.enough = lambda count: count > room
        self.expand(key, array("q", [0, len(key)]), 0, 1, NO_TARGET, ends)
        if ends.count > ALL_ENDS:
            raise NodesExceeded
        return [ends.key(number) for number in range(ends.count)]

    # Turn ends

    def expand(self, keys: Any, offsets: Any, first: int, last: int, target: int, ends: Ends) -> int:
        """Write the ends of some sources, up to the one with which there are ``SLICE_ENDS``.

        Raises:
            TooLarge: a table does not fit in a row or a key.
            LookupError: an open source of chance has no more results.
        """
        player = self.expander
        if target != NO_TARGET:
            self._bind_bounds(target)
        self.tables.array[L.H_FREE_LATE] = int(ends.sparing or self.live.delays_free_actions)
        player.ends = ends
        player.target = target
        for source in range(first, last):
            try:
                while (status := player.play(keys, offsets, source)) == Q.FAILED:
                    self.tables.fill(*player.error())
                    player.table = self.tables.array
            except OverflowError as error:
                raise TooLarge from error
            if status == Q.CUT or ends.count >= SLICE_ENDS:
                return source + 1
        return last


def _settled(row: array[int]) -> array[int]:
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
