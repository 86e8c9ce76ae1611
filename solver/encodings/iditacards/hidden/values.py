"""Exact values over rows where the deck is hidden: of tables and moves for a goal, and the chances of a risk card."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Objective
from rules.core.race import NOTHING, TurnedUp, Unsupported
from rules.core.scripts import Step
from rules.iditacards.content import ops_bringing
from rules.iditacards.engine import Iditacards
from rules.iditacards.seat import Remove, Sacrifice
from rules.iditacards.state import Dog, Table, in_play
from rules.iditacards.turn import NEW_DAY, PASS, SECOND, SKIP_SECOND, Continue, Play
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.encoding import Encoding, Liveness
from solver.encodings.iditacards.hidden.hidden_rows import HiddenRows
from solver.encodings.iditacards.hidden.risk_rows import RiskNodes
from solver.encodings.iditacards.rows import emptied, hidden_fields, machine_lacks, row_of
from solver.encodings.iditacards.tables import Tables
from solver.search import layout as U
from solver.search.urns import Urns

GOALS: Final[Mapping[Objective | None, int]] = {
    Objective.REACH: Q.GOAL_REACH,
    Objective.MAX_DISTANCE: Q.GOAL_DISTANCE,
    Objective.MIN_TURNS: Q.GOAL_TURNS,
    None: Q.GOAL_RISK,
}
"""Objectives as the rows know them; none is that the card at the bottom of the stack comes through."""
_TARGETED: Final = (Objective.REACH, Objective.MIN_TURNS)
"""Objectives for which nothing counts beyond the target."""
RULES: Final = Q.RULE_LAST | Q.RULE_BLIND
_BACK: Final = ops_bringing("discard", "day")
MEMORY: Final = 1 << 28
"""Bytes for the values of one search."""
LONG: Final = 1000
"""Turns, which nobody counts."""
_FREE: Final = frozenset({"sacrifice", "remove"})
_UNFOLLOWED: Final = frozenset({"discard_to_deck", "new_day"})
"""Ops that mix what was seen into the deck."""


_WORDS: Final[Mapping[Step, int]] = {
    Continue(): L.OPTION_PLAY,
    SECOND: L.OPTION_PLAY,
    SKIP_SECOND: L.OPTION_PLAY + 1,
    PASS: L.OPTION_REST,
    NEW_DAY: L.OPTION_REST + 1,
}
"""Options of ``machine.main_action`` for moves without cards."""


class Question(NamedTuple):
    """What is asked about tables."""

    objective: Objective | None
    """None is the chance that the card at the bottom of the stack comes through."""
    target: int
    turns: int
    """Turns that values are for at most."""
    forbidden: frozenset[str]
    optimistic: bool = False
    """What has not arrived after all turns counts as arriving at once."""
    certain: bool = False
    """A chance below 1 counts as none, so that certain success is found without the other chances."""


class HiddenValues:
    """Exact values for one goal from one table on."""

    rows_type: type[HiddenRows] = HiddenRows
    opens_upgrades = False
    """Whether the order of hidden upgrades is dealt, for playouts; elsewhere they may not come to be played."""

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        question: Question,
        memory: int,
        pause: Callable[[], None],
        rules: int = RULES,
    ) -> None:
        objective, target, turns, forbidden, optimistic, certain = question
        self.objective, self.turns = objective, turns
        self.tables = Tables(game, table, forbidden)
        self.search = self.rows_type(memory, pause)
        end = target if objective in _TARGETED else None
        self.live = Liveness(game, table, forbidden, NOTHING, end)
        if "leg_turn_end_recover" in self.live.leg_effects:  # that leg may be out of reach
            edge = Encoding(game, table, forbidden, turns=turns).edge(turns)
            self.live = Liveness(game, table, forbidden, NOTHING, end, edge=edge)
        numbers = self.tables.array
        numbers[L.H_HIDDEN] = 1  # payments are never face down: who pays does not know yet what comes up afterwards
        numbers[L.H_ROLLED] = int(not game.rulings.weather_open)
        closed = objective is not None and not self.opens_upgrades and not game.rulings.upgrade_open
        numbers[L.H_CLOSED] = int(closed and self.live.gains and any(table.upgrade))
        blank = numbers[L.H_CARDS]
        numbers[blank + L.C_TYPE], numbers[blank + L.C_FORBIDDEN] = L.TYPE_UTILITY, 1
        self.search.optimistic, self.search.certain = int(optimistic), int(certain)
        if objective is Objective.MAX_DISTANCE:
            self.search.lost = -float("inf")
        elif objective is Objective.MIN_TURNS:
            self.search.lost, self.search.least, self.search.cost = float("inf"), 1, 1
        else:
            self.search.enough = 1.0
        self.search.table, self.search.fades, self.search.fields = numbers, self._fades(target, rules), hidden_fields()

    def _fades(self, target: int, rules: int) -> array[int]:
        live = self.live
        if self.tables.array[L.H_EMPTY_DECK_RISK_AT_ONCE]:  # what comes into the deck saves a card that waits
            rules &= ~Q.RULE_LAST
        table = [0] * Q.HEADER
        table[Q.GOAL], table[Q.TARGET], table[Q.RULES] = GOALS[self.objective], target, rules
        table[Q.PILE] = int(self._keeps_pile)
        sized = {"on_move_draw", "day_end_empty_move"}
        legs = live.leg_effects
        draws = "leg_turn_end_draw" in legs or any(sized & set(card.passive) for card in live.cards)
        table[Q.READERS], table[Q.LEG_READS] = len(table), Q.READS_DECK * draws
        table[Q.LEG_READS] |= Q.READS_PILE * ("leg_turn_end_recover" in legs)
        table.extend(map(self._reads, self.tables.ids))
        back = Q.READS_PILE | Q.READS_ALL
        table[Q.GAINS] = int(bool((table[Q.LEG_READS] | reduce(or_, map(self._reads, live.reach), 0)) & back))
        return array("i", table)

    @property
    def _keeps_pile(self) -> bool:
        """Whether the discard pile counts on the last turn: it holds damage cards, or what goes there saves a card."""
        player, cards = self.tables.start.players[0], self.tables.rulings.cards
        zones = (*self.live.reach, *player.discard, *player.resolved, *self.live.damage())
        damage = any(cards[name].type == "damage" for name in zones)
        return damage or bool(self.tables.array[L.H_EMPTY_DECK_RISK_AT_ONCE])

    def _reads(self, name: str) -> int:
        """Return what the ops of a card read."""
        card = self.tables.rulings.cards.get(name)
        ops = set() if card is None else {effect.op for effect in card.instant}
        pile = Q.READS_PILE * (not _BACK.isdisjoint(ops))
        draws = "draw" in ops or ("heal" in ops and bool(self.tables.array[L.H_HEAL_REST_HAND]))
        return pile | Q.READS_ALL * ("new_day" in ops) | Q.READS_DECK * draws

    # Tables

    def row(self, table: Table) -> array[int]:
        """Return the row of a table at the start of a turn."""
        if self.tables.array[L.H_CLOSED]:  # only how many upgrades are left is known
            decks = zip(self.tables.start.upgrade, table.upgrade, strict=True)
            table = table._replace(upgrade=tuple(every[len(every) - len(left) :] for every, left in decks))
        row = row_of(self.tables, table)
        known = table.players[0].known
        n = row[L.N_DECK] - known
        row[L.DECK : L.DECK + n] = array("h", sorted(row[L.DECK : L.DECK + n]))
        row[L.KNOWN] = known
        return emptied(row, self.live, self.tables, every=self.turns == 1 and not self._keeps_pile)

    def value(self, table: Table, turns: int) -> Fraction | None:
        """Return the value of a table with so many turns left, none where no way to play on has one.

        Raises:
            OverflowError: that needs more than rows hold, or numbers tell too little.
        """
        self.search.begin_row(self.row(table), turns)
        return self._exact()

    def of_move(self, table: Table, move: Step, turns: int) -> Fraction | None:
        """Return the value of a table where the turn begins with a move.

        Raises:
            LookupError: rows do not tell this move apart.
            OverflowError: that needs more than rows hold, or numbers tell too little.
        """
        self.begin(table, move, turns)
        return self._exact()

    def begin(self, table: Table, move: Step, turns: int) -> None:
        """Begin the turn of a table with a move.

        Raises:
            LookupError: rows do not tell this move apart.
        """
        row = self.row(table)
        option = self._option(row, move)
        paying = self._paying(move)
        self.search.begin_row(row, turns)
        is_taken = self.search.choose(option) or option == _WORDS[NEW_DAY]
        damage = self.tables.array[L.H_DAMAGE_CARD]
        if not is_taken or damage in paying or not all(self.search.pay_with(kind) for kind in paying):
            raise LookupError(move.text)

    def order(self, table: Table, move: Step) -> tuple[int, ...]:
        """Return by what moves are sorted in which the search tries them; others come last."""
        try:
            return (self._option(self.row(table), move), *self._paying(move))
        except LookupError:
            return (L.OPTION_REST + 2,)

    def _paying(self, move: Step) -> list[int]:
        """Return the cards that are chosen to pay; none where all there are pay."""
        if isinstance(move, Play) and self.tables.rulings.cards[move.card].energy is not None:
            return [self.tables.kinds[card] for card in move.energy]
        return []

    def _exact(self) -> Fraction | None:
        value = self.search.fraction_of()
        if self.search.doubts:
            raise OverflowError("values lie too close to each other")
        return value

    def _option(self, row: array[int], move: Step) -> int:
        """Return the option of a main action, or of a free one before it, that a move is.

        Raises:
            LookupError: it is none.
        """
        if isinstance(move, Play):
            return L.OPTION_PLAY + _index(row[L.HAND : L.HAND + row[L.N_HAND]], self.tables.kinds[move.card])
        if isinstance(move, Sacrifice):
            return L.DOG_W * self._place(row, move.dog)
        if isinstance(move, Remove):
            dog = self._place(row, move.dog)
            at = L.DOGS + L.DOG_W * dog
            return L.DOG_W * dog + 1 + _index(row[at + 1 : at + L.DOG_W], self.tables.kinds[move.attachment])
        return _WORDS[move]

    def _place(self, row: array[int], dog: Dog) -> int:
        """Return the first place of a dog in a row."""
        kinds = [self.tables.kinds[card] for card in (dog.dog, *dog.attachments)]
        dogs = [
            [kind for kind in row[at : at + L.DOG_W] if kind]
            for at in range(L.DOGS, L.DOGS + L.DOG_W * row[L.N_DOGS], L.DOG_W)
        ]
        return _index(dogs, kinds)


def _index(among: Sequence[Any], what: Any) -> int:
    if what not in among:
        raise LookupError(what)
    return among.index(what)


# Chances of risk cards: for whoever simply goes on, the greatest, and proved bounds


def venture_odds(game: Any, table: Table, seat: int, begin: str | None, *, at_once: bool = False) -> VentureOdds | None:
    """Return the chances of a card of a seat: a hand card begun now, or the one under way; none if not carried."""
    if game.rulings.deck_open:
        return None
    counters = table.counters._replace(deck=(table.counters.deck[seat],))
    alone = table._replace(players=(table.players[seat],), active=0, counters=counters)
    forbidden = _forbidden(game, begin)
    live = Liveness(game, alone, forbidden)
    leads = len(table.players) > 1 and any(
        effect.args.get("who") == "leader" for card in live.cards for effect in card.instant
    )
    if leads or machine_lacks(game, alone, live, forbidden):
        return None
    return VentureOdds(game, alone, begin, at_once=at_once)


def _forbidden(game: Iditacards, begin: str | None) -> frozenset[str]:
    others = {Play(card).text for card in game.rulings.cards if card != begin}
    return frozenset({NEW_DAY.text, PASS.text, SKIP_SECOND.text, *others})


class RiskValues(HiddenValues):
    """The nodes of one card from one table on, and the chances of these for the urn of its deck."""

    search: Any
    rows_type = RiskNodes

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        begin: str | None,
        pause: Callable[[], None],
        *,
        back: int,
        free: bool,
        at_once: bool,
    ) -> None:
        """``back`` is one of ``BACK_…``; ``free`` opens free actions, ``at_once`` none before the card is begun."""
        forbidden = _forbidden(game, begin) | (frozenset() if free else _FREE)
        super().__init__(game, table, Question(None, 0, LONG, forbidden), MEMORY, pause)
        search, player, kinds = self.search, self.tables.start.players[0], self.tables.kinds
        damage = self.tables.rulings.damage_ids
        copies = Counter(kinds[card] for card in player.deck[player.known :] if card not in damage)
        there = Counter(kinds[card] for card in (*in_play(player.dogs), *(frame.card for frame in player.stack)))
        there[kinds.get(begin or "", 0)] += 1
        self._copies = list(copies.values())
        search.kinds = array("i", copies)
        search.copies = array("i", [n + there[kind] for kind, n in copies.items()])
        search.back, search.at_once = back, int(at_once)
        search.fades[Q.BACK] = int(back == Q.BACK_HAND)
        search.first = array("i", bytes(4 * len(copies)))
        self._urns: Urns | None = None
        self._node: int | None = None

    def row(self, table: Table) -> array[int]:
        """Return the row of a table at the start of a turn, with blank cards in the deck."""
        row = super().row(table)
        n = row[L.N_DECK] - row[L.KNOWN]
        damage = self.tables.array[L.H_DAMAGE_CARD]
        row[L.DECK : L.DECK + n] = array("h", sorted(kind * (kind == damage) for kind in row[L.DECK : L.DECK + n]))
        return row

    def explore(self) -> None:
        """Find the node of the table.

        Raises:
            Unsupported: it is too large for the rows.
        """
        search = self.search
        if self._node is None:
            search.begin_row(self.row(self.tables.start), LONG)
            search.firsts = search.risking = 0
            try:
                if self._urns is None:  # what was explored before it was interrupted stands
                    self._urns = search.urns = Urns(len(self._copies), MEMORY, search.pause)
                self._node = search.node(0)
            except OverflowError:
                raise Unsupported from None

    def chance_of(self, sight: int, turned: int | None = None) -> Fraction:
        """Return the chance of who plays with a sight, after the first risk has ``turned`` up a kind by its place.

        Raises:
            Unsupported: it is too large for the rows.
        """
        node, copies = self._node, list(self._copies)
        if turned is not None:
            node = self.search.first[turned]
            copies[turned] -= 1
        try:
            return Fraction(self.search.urns.chance_at(node, copies, sight))
        except OverflowError:
            raise Unsupported from None


class VentureOdds:
    """What can be told of one card; each number is worked out once."""

    def __init__(self, game: Iditacards, table: Table, begin: str | None, *, at_once: bool) -> None:
        self._game = game
        self._table = table
        self._begin = begin
        self._at_once = at_once
        player = table.players[0]
        names = {*player.deck, *player.seen, *(frame.card for frame in player.stack), *([begin] if begin else [])}
        played = [game.rulings.cards[name] for name in sorted(names)]
        self._readers = [card.id for card in played if any(effect.op in _BACK for effect in card.instant)]
        self._mixes = not _UNFOLLOWED.isdisjoint(effect.op for card in played for effect in card.instant)
        self._nodes: dict[tuple[int, bool], RiskValues] = {}
        self.low, self.high = Fraction(0), Fraction(1)
        self._alive: Callable[[], bool] = bool

    @property
    def unfollowed(self) -> str:
        """Return which cards bring something back from the discard pile that is not followed, in words."""
        if self.low == self.high or not self._readers:
            return ""
        return f"what {' or '.join(self._readers)} brings back from the discard pile is not followed"

    def plain(self, alive: Callable[[], bool]) -> Fraction | None:
        """Return the chance of who simply goes on, and uses nothing that was drawn or looked at.

        That player takes cards back from the discard pile into the hand alone.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        chance = self._explored(Q.BACK_HAND, alive, free=False).chance_of(U.BLIND)
        self.low = max(self.low, chance)
        if not self._mixes or chance == self._explored(Q.BACK_THROUGH, alive, free=False).chance_of(U.BLIND):
            return chance
        return None

    def between(self, alive: Callable[[], bool]) -> tuple[Fraction, Fraction]:
        """Return bounds of the greatest chance that are found soon.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        self.plain(alive)
        self.high = min(self.high, self._explored(Q.BACK_THROUGH, alive, free=True).chance_of(U.HOPING))
        return self.low, self.high

    def greatest(self, alive: Callable[[], bool]) -> tuple[Fraction, Fraction]:
        """Return the greatest chance twice, or bounds that are as close as ``alive`` leaves time for."""
        with suppress(Unsupported):
            self.between(alive)
            for back in (Q.BACK_THROUGH, Q.BACK_HAND):
                values = self._explored(back, alive, free=True)
                if self.low == self.high or values.search.clouded:
                    break
                chance = values.chance_of(U.SEEING)
                if back == Q.BACK_HAND:
                    self.low = max(self.low, chance)
                else:
                    self.high = min(self.high, chance)
        return self.low, self.high

    def _explored(self, back: int, alive: Callable[[], bool], *, free: bool) -> RiskValues:
        """Return the nodes of the table; what comes back makes no difference where nothing ever does."""
        self._alive = alive
        for each in (Q.BACK_THROUGH, back):
            if (each, free) not in self._nodes:
                question = self._game, self._table, self._begin, self._pause
                self._nodes[each, free] = RiskValues(*question, back=each, free=free, at_once=self._at_once)
            values = self._nodes[each, free]
            values.explore()
            if not values.search.unsure:
                break
        return values

    def _pause(self) -> None:
        if not self._alive():
            raise Unsupported

    def turned_up(self, alive: Callable[[], bool]) -> list[TurnedUp]:
        """Return the cards that the first risk may turn up, the likeliest first, and the chance of going on after each.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        player = self._table.players[0]
        damage = not self._game.rulings.damage_ids.isdisjoint(player.deck)
        if damage or player.known or player.seen or len(player.stack) > 1 or self.plain(alive) is None:
            return []
        values = self._explored(Q.BACK_HAND, alive, free=False)
        if values.search.firsts != 1:
            return []
        kinds = values.tables.kinds
        chances = {kind: values.chance_of(U.BLIND, place) for place, kind in enumerate(values.search.kinds)}
        found = [
            TurnedUp(card, Fraction(player.deck.count(card), len(player.deck)), chances[kinds[card]])
            for card in set(player.deck)
        ]
        return sorted(found, key=lambda each: (-each.probability, each.card))
