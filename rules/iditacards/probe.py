"""Payments of Iditacards, found out by calling the engine's own functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from rules.core.race import HandProbe, MainAction
from rules.core.steps import Asking, Event, Question, Step
from rules.iditacards.costs import once_on_table, payments, usable
from rules.iditacards.moves import Play
from rules.iditacards.risk import play_from_hand
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import GameOver, Stop, Turn


@dataclass(frozen=True)
class IditacardsProbe(HandProbe[Table]):
    """The payments of one player whose deck is open."""

    rulings: Rulings
    table: Table
    seat: int

    def missing(self) -> tuple[str, ...]:
        """Return what keeps payments from being choices of cards of the hand alone, in words."""
        lacks = {
            "a hidden deck": not self.rulings.deck_open,
            "sacrifices at any time": self.rulings.sacrifice_any_time,
            "damage cards as payment": self.rulings.options["damage_for_energy"],
            "second steps that may be skipped": self.rulings.options["second_step"] == "optional",
        }
        return tuple(words for words, lacking in lacks.items() if lacking)

    def main_action(self, move: Step) -> MainAction | None:
        """Return what playing a card takes from the hand, or nothing for any other move (R14)."""
        return MainAction(move.card, move.energy) if isinstance(move, Play) else None

    def payable(self, cards: Iterable[str]) -> frozenset[str]:
        """Return the cards that may be given up for energy (R22)."""
        turn = Turn(self.rulings, self.table, Asking(()))
        return frozenset(usable(turn, tuple(cards)))

    def affordable(self, table: Table, hand: Sequence[str] | None = None) -> frozenset[str]:
        """Return the hand cards whose costs can be paid, found out by playing them (R26)."""
        if hand is not None:
            players = list(table.players)
            players[self.seat] = players[self.seat]._replace(hand=tuple(sorted(hand)))
            table = table._replace(players=tuple(players))
        if table.players[self.seat].stack:
            return frozenset()
        return frozenset(card for card in set(table.players[self.seat].hand) if self._can_pay(table, card))

    def _can_pay(self, table: Table, card: str) -> bool:
        turn = Turn(self.rulings, table, Asking(()))
        seat = turn.seats[self.seat]
        rest = list(seat.hand)
        rest.remove(card)
        level = once_on_table(seat, self.rulings.cards[card], "hypothermia")
        energy = payments(turn, seat, self.rulings.cards[card], rest, level)[0]
        log: list[Event] = []
        turn.log = log
        with suppress(Question, Stop, GameOver):
            play_from_hand(turn, seat, card, energy)
        return not any(event.rule == "R26" for event in log)
