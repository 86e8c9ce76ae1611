"""One open question of one player as short keys: what it can still read, keys of tables, turn ends of keys.

Keys hold what can still be read: each rule of ``Liveness`` is a predicate with a name in ``RULES``.
Without it keys hold the zones in question whole.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from operator import ne
from typing import Any, Final

from rules.core.race import NEVER, NOTHING
from rules.iditacards.content import CONDITIONS, Card, Leg, ops_bringing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table, in_play
from rules.iditacards.turn import NEW_DAY
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.bound import BoundTable
from solver.encodings.iditacards.rows import Expander, emptied, fields, machine_lacks, row_of, settled, table_of
from solver.encodings.iditacards.tables import Tables
from solver.search.budget import NodesExceeded
from solver.search.iterative_deepening import NO_TARGET, SearchProblem, TooLarge
from solver.search.transposition_table import Ends

RULES: Final = frozenset({"destroyed", "discard", "supply", "legendary", "payments", "track"})
"""Predicates by which keys leave zones out; a search may switch each of them off to see that nothing changes."""
DOMINANCE: Final = frozenset({"free_actions"})
"""Predicates by which a search leaves out turns that others are at least as good as; likewise."""

_BACK: Final = ops_bringing("discard")
_GAINS: Final = frozenset({"take", "supply", "take_next"})
_APART: Final = frozenset({"draw", "move", "take", "supply"})
"""Ops that ask for nothing about the own dogs."""
_LASTING: Final = frozenset(
    {"speed", "day_draw", "death_shield", "cannot_die", "start_in_play", "dies_to", "attach_slots", "leg_condition_mod"}
)
"""What cards in play may do so that having more of them is no worse until a day ends."""
LATE: Final = frozenset({"payments"})
"""Rules with which a key leaves open which hand cards have paid."""
SEARCHED: Final = RULES | DOMINANCE
"""Rules of a search."""
CARD_LISTS: Final = (L.N_RESOLVED, L.N_HAND, L.N_DISCARD, L.N_DECK)
"""Where a row says how long its lists of cards are, each of which follows at once."""
ALL_ENDS: Final = 2_000_000
"""Turn ends of one key up to which all are kept at once."""
SLICE_ENDS: Final = 4_096
"""Turn ends after which ``expand`` opens no further source and returns."""


class Liveness:
    """The predicates of one question, each a property; ``rules`` are those that are switched on."""

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        forbidden: frozenset[str] = frozenset(),
        kept: Mapping[str, int] = NOTHING,
        target: int | None = None,
        rules: frozenset[str] = RULES,
        edge: int | None = None,
    ) -> None:
        """With a ``target`` nothing counts any more once a turn has ended there or beyond.

        No turn leads to the ``edge`` or beyond it.
        """
        self._rulings = game.rulings
        self._table = table
        self._player = table.players[0]
        self._forbids_days = NEW_DAY.text in forbidden
        self._kept = kept
        self.rules = rules
        self.target = target
        finish = game.rulings.finish_at
        self._edge = finish if edge is None else min(finish, edge)
        frames = [frame.card for frame in self._player.stack]
        player = self._player
        self.reach = frozenset({*player.hand, *player.deck, *player.seen, *frames, *in_play(player.dogs)})
        """The cards that can be in hand, deck, play or stack."""
        while (wider := copy(self).wider()) != self.reach:  # the copy keeps what it has worked out for itself
            self.reach = wider

    # What can come to be played

    def wider(self) -> frozenset[str]:
        """Return the cards within reach, and those that they let come."""
        player, table = self._player, self._table
        reach = set(self.reach)
        if self.back:
            reach.update((*player.discard, *player.resolved))
            reach.update(self.damage())
        if self.gains:
            reach.update(table.supply)
            reach.update(card for deck in table.upgrade for card in deck)
        if self.takes_legendary:
            reach.update(player.legendary)
        return frozenset(reach)

    @cached_property
    def cards(self) -> Sequence[Card]:
        """Return the cards within reach."""
        return [self._rulings.cards[name] for name in self.reach]

    @cached_property
    def _spaces(self) -> range:
        """Return the spaces on which something counts: a turn that ends beyond them is the last one.

        Where cards are to be kept all spaces count: a leg may bring one back on that last turn.
        """
        if "track" not in self.rules or self._kept:
            return range(self._rulings.finish_at + self._rulings.spaces + 1)
        if self._rulings.goes_back(self.ops):
            return range(self._edge)
        return range(self._player.pos, self._edge if self.target is None else min(self._edge, self.target))

    @cached_property
    def legs(self) -> list[Leg]:
        """Return the different legs on which something counts."""
        track = self._rulings.track(self._table.legs)
        legs = [track[space] for space in self._spaces if space < len(track)]
        return list({leg.id: leg for leg in legs if leg is not None}.values())

    def _lie_ahead(self, spaces: Iterable[int]) -> bool:
        """Return whether some of these spaces count."""
        return any(space in self._spaces for space in spaces)

    @cached_property
    def ops(self) -> set[str]:
        """Return the ops of the cards within reach."""
        return {effect.op for card in self.cards for effect in card.instant}

    @cached_property
    def leg_effects(self) -> set[str]:
        """Return the effects of the legs that count."""
        return {effect for leg in self.legs for effect in leg.passive}

    @cached_property
    def new_days(self) -> bool:
        """Return whether a new day can come."""
        return not self._forbids_days or "new_day" in self.ops

    @cached_property
    def back(self) -> bool:
        """Return whether a card of the discard pile can come back."""
        return self.new_days or not _BACK.isdisjoint(self.ops) or "leg_turn_end_recover" in self.leg_effects

    def damage(self) -> Iterable[str]:
        """Return the damage card where one can come into the discard pile."""
        sources = "damage" in self.ops or self._lie_ahead(self._rulings.board.damage)
        return (self._rulings.damage_card,) if sources and self._rulings.damage_card else ()

    @cached_property
    def takes_legendary(self) -> bool:
        """Return whether there are legendary cards that come to where something reads them, or that are to be kept."""
        cards = self._player.legendary
        reads = cards and (self._rulings.rules.legendary_to == "hand" or self.back)
        waiting = self._rulings.board.checkpoints - set(self._player.passed)
        return bool(reads and self._lie_ahead(waiting)) or not self._kept.keys().isdisjoint(cards)

    @cached_property
    def takes(self) -> bool:
        """Return whether a card within reach takes upgrades to where they can come to be played."""
        ops = self.ops
        return "take_next" in ops or (not _GAINS.isdisjoint(ops) and self.back)

    @cached_property
    def gains(self) -> bool:
        """Return whether there are upgrades to take: the supply and the upgrade decks matter."""
        return self.takes and (bool(self._table.supply) or any(self._table.upgrade))

    # The predicates: what keys may leave out

    @cached_property
    def drops_destroyed(self) -> bool:
        """Destroyed cards never come back for a player alone (Q47 apart, which is not carried)."""
        return "destroyed" in self.rules

    @cached_property
    def drops_discard(self) -> bool:
        """No new day, op or leg brings a card of the discard pile back; resolved cards go there, and damage (Q28)."""
        return "discard" in self.rules and not self.back

    @cached_property
    def drops_supply(self) -> bool:
        """No card within reach gains upgrades that matter."""
        return "supply" in self.rules and not self.gains

    @cached_property
    def drops_legendary(self) -> bool:
        """Legendary cards go to the discard pile at a checkpoint, and nothing reads it; or there are none."""
        return "legendary" in self.rules and not self.takes_legendary

    @cached_property
    def face_down(self) -> bool:
        """Nothing reads which hand cards have paid, unless a new day that puts hand and discard pile together.

        No op takes cards back or out of the hand, but for all of it where the discard pile does not matter either.
        """
        ops = self.ops
        damage = any(card.type == "damage" for card in self.cards)
        takes = "destroy_from_hand" in ops or bool(self._kept) or not self.drops_destroyed
        back = not _BACK.isdisjoint(ops) or "leg_turn_end_recover" in self.leg_effects or "destroy_hand" in ops
        return "payments" in self.rules and not (damage or takes) and (self.drops_discard or not back)

    @cached_property
    def drops_conditions(self) -> bool:
        """Neither condition is there, and nothing on the track, of the weather or within reach brings one."""
        rulings, board = self._rulings, self._rulings.board
        legs = any(leg.numbers or leg.pluses or "leg_day_start_starve" in leg.passive for leg in self.legs)
        legs = legs or rulings.options["missing_number"] == "zero"
        faces = any(weather.hypothermia or weather.starvation for weather in rulings.weathers.values())
        there = self._player.hypothermia or self._player.starvation
        spaces = self._lie_ahead(board.cold | board.hungry)
        return not (legs or faces or spaces or there or not self.ops.isdisjoint(CONDITIONS))

    # What others are at least as good as

    @cached_property
    def spaces_are_alike(self) -> bool:
        """No leg, mark or checkpoint lies ahead, there is no weather, and the sled does not go back."""
        rulings = self._rulings
        marks = rulings.special_spaces | rulings.board.checkpoints
        weather = rulings.faces or self._table.weather != "none"
        return not (self.legs or self._lie_ahead(marks) or weather or rulings.goes_back(self.ops))

    @cached_property
    def delays_free_actions(self) -> bool:
        """Dogs and attachments are given up (R13) on a turn that calls a new day, and on no other turn.

        Any line can be mirrored so: it keeps what the line gives up early, makes the same moves, and gives it up on
        the turn of the next new day. What it has in play besides never costs anything and never slows the sled.
        Nothing reads the dogs, or the discard pile, before the day ends. Where a new dog finds no room, one that was
        to be given up dies for it. An attachment for which the line has no dog may lie on one of those until then.
        So the mirrored line is on every turn at least as far, and every day begins alike. That holds where no space
        differs from others, and no finish before the target ends the line.
        """
        options = self._rulings.options
        ops = all(effect.op in _APART and "per" not in effect.args for card in self.cards for effect in card.instant)
        cards = (card for card in self.cards if card.type in ("dog", "attachment"))
        lasting = all(
            card.passive.keys() <= _LASTING
            and card.number("speed") >= 0
            and card.passive.get("dies_to", {}).get("zone") != "hand"
            and (card.type == "dog" or "cannot_die" not in card.passive)
            for card in cards
        )
        makes_room = options["dog_overflow"] == "choose" and options["attachment_overwrite"]
        plain = ops and lasting and makes_room and self.drops_conditions and not self._kept
        within = self.target is not None and self.target <= self._rulings.finish_at
        return "free_actions" in self.rules and bool(plain) and within and self.spaces_are_alike

    # What that means for those who print it

    @cached_property
    def projections(self) -> tuple[str, ...]:
        """Return what keys leave out, in words."""
        dropped = {
            "destroyed cards": self.drops_destroyed,
            "discard pile, resolved risk cards": self.drops_discard,
            "supply, upgrade decks": self.drops_supply,
            "legendary cards, checkpoints passed": self.drops_legendary,
        }
        names = [name for name, holds in dropped.items() if holds]
        return (", ".join(names),) if names else ()


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

    def _set_limit(self, game: Iditacards, kept: Mapping[str, int], rules: frozenset[str], limit: int | None) -> None:
        """Settle what keys hold if nothing matters any more at a space."""
        table, forbidden = self._question
        self.live = Liveness(game, table, forbidden, kept, limit, rules)
        self.projections, self.decides_late = self.live.projections, self.live.face_down
        self._template = emptied(row_of(self.tables, table), self.live, self.tables)
        self.expander = Expander(fields(self.tables, self.live, kept), self._template)
        self.tables.array[L.H_FACE_DOWN] = int(self.live.face_down)
        self.tables.array[L.H_TARGET] = self._target or 0 if self.live.new_days else 0
        self.expander.table = self.tables.array

    def edge(self, turns: int) -> int | None:
        """Return a space that so many turns do not lead to, if keys or searches are the smaller for it.

        That is the first one whose leg gives discarded cards back, or the finish of a track whose spaces are alike.
        """
        track = self.tables.rulings.track(self.tables.start.legs)
        giving = (n for n, leg in enumerate(track) if leg is not None and "leg_turn_end_recover" in leg.passive)
        alike = self.tables.rulings.finish_at if self.live.spaces_are_alike else None
        space = next(giving, alike)
        return None if space is None or self.least(self.project(self.tables.start), space) <= turns else space

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
        return table_of(self.tables, settled(self._row(key)))

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
        """Let the expander bound the turns to a target."""
        if target not in self._bounds:
            self._bounds[target] = BoundTable(self.tables, self.live, self._turns, target).written()
        self.expander.bounds = self._bounds[target]

    def shape(self, key: bytes) -> bytes:
        """Return the part of a key that does not hang on which hand cards have paid, hand and discard pile together."""
        return bytes(self.expander.write_shape(key)) if self.live.face_down else key

    def successors(self, key: bytes) -> list[bytes]:
        """Return the keys after every way through the next turn, each once; none when the game is over.

        Raises:
            TooLarge: one does not fit.
            NodesExceeded: they are too many to keep.
        """
        ends = self._ends
        ends.count = 0
        ends.enough = lambda count: count > ALL_ENDS
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
                    self.tables.fill(*player.error)
                    player.table = self.tables.array
            except OverflowError as error:
                raise TooLarge from error
            if status == Q.CUT or ends.count >= SLICE_ENDS:
                return source + 1
        return last
