"""Iditacards taken apart for models: boards, hands and decks, by calling the engine's own functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from rules.core.hands import Actions, HandProbe, HistoryRead, MainAction, Split
from rules.core.scripts import Asking, Exploring, Question, every_way
from rules.core.steps import Event, Forced, Move, Step
from rules.iditacards.costs import once_on_table, payments, usable
from rules.iditacards.dogs import carry_out
from rules.iditacards.moves import MAIN_WORDS, Continue, FreeAction, Play, Put
from rules.iditacards.risk import play_from_hand
from rules.iditacards.rulings import DECK_EVENTS, Rulings
from rules.iditacards.state import Player, Table, in_play
from rules.iditacards.turn import GameOver, Stop, Turn, shuffled

GAINS: Final = "gains"
"""Zones that give cards: supply, upgrade decks, legendary cards, with the checkpoints passed."""
DISCARD: Final = "discard"
"""Zones that take cards: discard pile, destroyed cards, resolved risk cards."""

_ZONES: Final = ("discard", "hand", "deck", "legendary", "resolved", "seen")


class MainActions(Actions[Table]):
    """The actions of one seat (R12), and the shuffles of its deck."""

    seat: int

    def main_action(self, move: Step) -> MainAction | None:
        """Return what a main action takes from the hand, or nothing for a free action before it."""
        if isinstance(move, Play):
            return MainAction(move.card, move.energy)
        if isinstance(move, Continue):
            return MainAction(None, move.energy or ())
        return MainAction(None, ()) if move in MAIN_WORDS else None

    def plays_cards(self, board: Table) -> bool:
        """Return whether a card may be played from the hand: not while another one waits (R14)."""
        return not board.players[self.seat].stack

    def shuffles(self, before: Table, after: Table) -> int:
        """Return how many shuffles of the deck lie between two boards."""
        return after.counters.deck[self.seat] - before.counters.deck[self.seat]


@dataclass(frozen=True)
class IditacardsProbe(MainActions, HandProbe[Table]):
    """The doors for one player whose deck is open, from one table; turn by turn for a player alone."""

    rulings: Rulings
    table: Table
    seat: int
    keeps_gains: bool = False
    """Boards hold what may still be gained; otherwise it is history."""

    @property
    def _player(self) -> Player:
        return self.table.players[self.seat]

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """Cards of the position outside the upgrade decks."""
        player = self._player
        cards = [card for zone in _ZONES for card in getattr(player, zone)]
        cards.extend(frame.card for frame in player.stack)
        cards.extend(in_play(player.dogs))
        cards.extend(self.table.supply)
        if self.keeps_gains:
            cards.extend(card for deck in self.table.upgrade for card in deck)
        return frozenset(cards)

    @cached_property
    def _strangers(self) -> tuple[str, str]:
        """Two cards that may pay and are nowhere in the position: the filler and the mark."""
        filler, mark, *_ = self._unused
        return filler, mark

    @cached_property
    def _unused(self) -> tuple[str, ...]:
        """Cards that may pay and are nowhere in the position, in order; a variant without upgrades may have none."""
        used = self._kinds.union(*self.table.upgrade)
        return tuple(sorted(card for card in self.rulings.cards if self.is_plain(card) and card not in used))

    @property
    def filler(self) -> str:
        """Return a card that may pay and that is in no zone of the position."""
        return self._strangers[0]

    @cached_property
    def _marks(self) -> frozenset[str]:
        """What lies in the discard pile of every table put together: each card of the position, and the mark."""
        return self._kinds | {self._strangers[1]}

    @cached_property
    def _pile(self) -> tuple[str, ...]:
        return tuple(sorted(self._marks))

    @cached_property
    def _keeps_records(self) -> bool:
        """Whether boards hold what was eaten, healed and moved today: if any card that may come up has a condition.

        With gains kept any card may come up.
        """
        cards = [self.rulings.cards[card] for card in self._kinds]
        return self.keeps_gains or any(effect.when or effect.unless for card in cards for effect in card.instant)

    def missing(self, *, turns: bool = True) -> tuple[str, ...]:
        """Return what keeps boards from telling the whole position, in words; others only matter over ``turns``."""
        lacks = []
        if turns and len(self.table.players) > 1:
            lacks.append("several players")
        if not self.rulings.deck_open:
            lacks.append("a hidden deck")
        if self.rulings.sacrifice_any_time:
            lacks.append("sacrifices at any time")
        if self.rulings.options["damage_for_energy"]:
            lacks.append("damage cards as payment")
        if self.rulings.options["second_step"] == "optional":
            lacks.append("second steps that may be skipped")
        if len(self._unused) < 2:
            lacks.append("a position with every card of the ruleset in it")
        return tuple(lacks)

    def keeping(self, zone: str) -> IditacardsProbe | None:
        """Return a probe whose boards hold a zone that turned out to be read, or nothing if they cannot.

        Payments feed the discard pile, so that no board can hold it without the hand.
        """
        return replace(self, keeps_gains=True) if zone == GAINS and not self.keeps_gains else None

    # Boards

    def start(self, table: Table) -> Split[Table]:
        """Take apart a table that is not from ``join``."""
        player = table.players[self.seat]
        bare = player._replace(hand=(), deck=(), discard=(), resolved=(), turns=0)
        board = table._replace(destroyed=())
        if not self._keeps_records:
            bare = bare._replace(foods=(), personal=0, moved=False)
        if not self.keeps_gains:
            bare = bare._replace(legendary=(), passed=())
            board = board._replace(supply=(), upgrade=tuple(() for _ in board.upgrade))
        return Split(self._seated(board, bare), player.hand, player.deck)

    def join(self, board: Table, hand: Sequence[str], deck: Sequence[str]) -> Table:
        """Return the table of a board with these cards, and marked cards in the zones left out."""
        player = board.players[self.seat]._replace(hand=tuple(sorted(hand)), deck=tuple(deck), discard=self._pile)
        if not self.keeps_gains:
            mark = (self._strangers[1],)
            player = player._replace(legendary=mark)
            board = board._replace(supply=mark)
        return self._seated(board, player)

    def _seated(self, table: Table, player: Player) -> Table:
        """Return a table with another player in the own seat."""
        players = list(table.players)
        players[self.seat] = player
        return table._replace(players=tuple(players))

    def split(self, table: Table) -> Split[Table]:
        """Take a table from ``join`` apart, a turn later.

        Raises:
            HistoryRead: a marked card has left the zones it was put into.
        """
        player = table.players[self.seat]
        if not self._marks.issubset(player.discard):
            raise HistoryRead(DISCARD)
        mark = self._strangers[1]
        if not self.keeps_gains and (mark in player.hand or mark in player.deck):
            raise HistoryRead(GAINS)
        return self.start(table)

    def lying(self, board: Table) -> list[str]:
        """Return the cards that a board holds, those of upgrade decks left out."""
        player = board.players[self.seat]
        waiting = [frame.card for frame in player.stack]
        return [*player.seen, *player.legendary, *board.supply, *waiting, *in_play(player.dogs)]

    # Moves

    def after_free(self, board: Table, move: Step) -> Sequence[tuple[tuple[Step, ...], Split[Table]]]:
        """Return the ways a sacrifice or the removal of an attachment can go (R13)."""
        results = []
        for script in every_way(Exploring):
            turn = Turn(self.rulings, self.join(board, (), ()), script)
            seat = turn.seats[self.seat]
            assert isinstance(move, FreeAction)
            carry_out(turn, seat, move)
            taken = tuple(step for step in script.steps if not isinstance(step, Forced))
            results.append(((move, *taken), self.split(turn.frozen())))
        return results

    def different(self, moves: Sequence[Move], *, last: bool) -> Sequence[Move]:
        """Return the moves without those that differ from another one in the history only.

        A looked-at card may be discarded wherever it may be destroyed (op ``heal``), and both piles are history; a
        damage card is no such card, since discarding it may end the turn (R57). On the last turn a looked-at card
        that may be discarded or kept need not go back into the deck either: no move of the same turn asks what lies
        in the deck or in the hand (R43, R44).
        """
        aside = {move.card for move in moves if isinstance(move, Put) and move.verb == "discard"}
        kept = {move.card for move in moves if isinstance(move, Put) and move.verb == "keep"} if last else set()
        same = {("destroy", card) for card in aside}
        if last:
            same |= {("return", card) for card in aside | kept}
        return [
            move
            for move in moves
            if not (isinstance(move, Put) and (move.verb, move.card) in same and self.is_plain(move.card))
        ]

    # Cards

    def payable(self, cards: Iterable[str]) -> frozenset[str]:
        """Return the cards that may be given up for energy (R22)."""
        turn = Turn(self.rulings, self.table, Asking(()))
        return frozenset(usable(turn, tuple(cards)))

    def face_up(self, board: Table) -> int:
        """Return 1 where the next risk card comes off the deck (R33), otherwise 0."""
        return 1 if board.players[self.seat].stack else 0

    def is_plain(self, card: str) -> bool:
        """Return whether a card discarded from the deck stops nothing (R57)."""
        return card not in self.rulings.ends_turn and card not in self.rulings.damage_ids

    def shuffled(self, board: Table, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the order that the next shuffle after this board gives to these cards (R72)."""
        event = board.counters.deck[self.seat]
        orders = self.rulings.deck_orders[self.seat]
        return tuple(shuffled(self.rulings, list(cards), orders, DECK_EVENTS, self.seat, event))

    def settles(self) -> bool:
        """Return whether no leg takes cards off the deck of who enters it (R49); all else that does so draws (R16)."""
        legs = self.rulings.content.legs
        return not any("leg_enter_health" in legs[leg].effects for leg in self.table.legs if leg in legs)

    def affordable(self, table: Table) -> frozenset[str]:
        """Return the hand cards whose costs can be paid, found out by playing them (R26)."""
        if table.players[self.seat].stack:
            return frozenset()
        return frozenset(card for card in set(table.players[self.seat].hand) if self._can_pay(table, card))

    def _can_pay(self, table: Table, card: str) -> bool:
        turn = Turn(self.rulings, table, Asking(()))
        seat = turn.seats[self.seat]
        rest = list(seat.hand)
        rest.remove(card)
        level = once_on_table(seat, self.rulings.cards[card], "hypothermia")
        way = payments(turn, seat, self.rulings.cards[card], rest, level)[0]
        log: list[Event] = []
        turn.log = log
        with suppress(Question, Stop, GameOver):
            play_from_hand(turn, seat, card, way)
        return not any(event.rule == "R26" for event in log)
