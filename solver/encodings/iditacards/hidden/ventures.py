"""Chances of risk cards over rows: for whoever simply goes on, the greatest, and proved bounds."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from rules.core.race import TurnedUp, Unsupported
from rules.iditacards.content import Card, ops_bringing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import NEW_DAY, PASS, SKIP_SECOND, Play, Table, in_play
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.encoding import machine_lacks
from solver.encodings.iditacards.hidden.risk_rows import RiskNodes
from solver.encodings.iditacards.hidden.values import HiddenValues, Question
from solver.encodings.iditacards.liveness import Liveness
from solver.search import layout as U
from solver.search.urns import Urns

MEMORY: Final = 1 << 28
"""Bytes for the values of one search."""
LONG: Final = 1000
"""Turns, which nobody counts."""
_FREE: Final = frozenset({"sacrifice", "remove"})
_UNFOLLOWED: Final = frozenset({"discard_to_deck", "new_day"})
"""Ops that mix what was seen into the deck."""
_BACK: Final = ops_bringing("discard", "day")


def venture_odds(game: Any, table: Any, seat: int, begin: str | None, *, at_once: bool = False) -> VentureOdds | None:
    """Return the chances of a card of a seat: a hand card begun now, or the one under way; none if not carried."""
    if not isinstance(game, Iditacards) or not isinstance(table, Table) or game.rulings.deck_open:
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
    rows_type: Any = RiskNodes

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
        self._back = back
        forbidden = _forbidden(game, begin) | (frozenset() if free else _FREE)
        super().__init__(game, table, Question(None, 0, LONG, forbidden), MEMORY, pause)
        search, player, kinds = self.search, self.tables.start.players[0], self.tables.kinds
        damage = self.tables.rulings.damage_ids
        hidden = player.deck[player.known :]
        copies = Counter(kinds[card] for card in hidden if card not in damage)
        there = Counter(kinds[card] for card in (*in_play(player.dogs), *(frame.card for frame in player.stack)))
        there[kinds.get(begin or "", 0)] += 1
        self._copies = list(copies.values())
        search.kinds = array("i", copies)
        search.copies = array("i", [n + there[kind] for kind, n in copies.items()])
        search.back, search.at_once = back, int(at_once)
        search.first = array("i", bytes(4 * len(copies)))
        self._urns: Urns | None = None
        self._node: int | None = None

    def _fades(self, target: int, rules: int) -> array[int]:
        table = super()._fades(target, rules)
        table[Q.BACK] = int(self._back == Q.BACK_HAND)
        return table

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
        self._readers = [card.id for card in played if _reads(card)]
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
        values = self._explored(Q.BACK_HAND, alive, free=False)
        chance = values.chance_of(U.BLIND)
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
        most = self._explored(Q.BACK_THROUGH, alive, free=True)
        self.high = min(self.high, most.chance_of(U.HOPING))
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
        for each in (Q.BACK_NOTHING, back):
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


def _reads(card: Card) -> bool:
    return any(effect.op in _BACK for effect in card.instant)
