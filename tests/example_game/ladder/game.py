"""The rules of Ladder: one turn as a plain procedure (L1 to L4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.ladder.state import Play, Rest, Table

from rules.core.race import Profile, Race
from rules.core.schema import built, plain
from rules.core.scripts import Chance, Event, Outcome, Script, stream


class Ladder(Race[Table]):
    """Ladder under one ruleset, with one set of open chance results."""

    profile = Profile(unit="rung", bound_name="the best card every turn", clocks=("turns",), goods=("hand",))

    def __init__(self, raw: Mapping[str, Any], chance: Chance) -> None:
        self.cards: Mapping[str, Any] = raw["cards"]
        self.rules: Mapping[str, int] = raw["rules"]
        self.chance = chance
        self.profile = replace(self.profile, target=self.rules["top"])

    def initial_table(self) -> Table:
        """Return the table after the setup (L1)."""
        box = sorted(card for card, facts in self.cards.items() for _ in range(facts["copies"]))
        order = stream(self.chance.seed or 0, 1, 0, 0).shuffle(box)
        deck = order[self.rules["hand"] :]
        hand = tuple(sorted(order[: self.rules["hand"]]))
        return Table(tuple(deck if self.chance.is_open("deck") else sorted(deck)), (), hand, 0, 0)

    def play_turn(self, table: Table, script: Script) -> Table:
        """Play a card, or rest (L2, L3)."""
        moves = [*(Play(card) for card in sorted(set(table.hand))), Rest()]
        move = script.decide(0, lambda: moves, always=True)
        deck, hand = list(table.deck), list(table.hand)
        rung, discard = table.rung, table.discard
        if isinstance(move, Play):
            hand.remove(move.card)
            rung = max(0, rung + self.cards[move.card]["climbs"])
            discard = tuple(sorted((*discard, move.card)))
            self._tell(script, "L2", "climbs", card=move.card, to=rung)
        else:
            for _ in range(min(self.rules["draw"], len(deck))):
                card = deck[0] if self.chance.is_open("deck") else script.one_of("deck", deck)
                deck.remove(card)
                hand.append(card)
                self._tell(script, "L3", "draws", card=card)
        return Table(tuple(deck), discard, tuple(sorted(hand)), rung, table.turns + 1)

    def _tell(self, script: Script, rule: str, kind: str, **data: Any) -> None:
        if script.log is not None:
            script.log.append(Event(rule, kind, data))

    def outcome(self, table: Table) -> Outcome | None:
        """Return that the player has won at the top, and lost where no card is left (L4)."""
        if table.rung >= self.rules["top"]:
            return Outcome((0,), "L4")
        return None if table.hand or table.deck else Outcome((), "L4")

    def encode(self, table: Table) -> dict[str, Any]:
        """Return the canonical ``state`` object."""
        state: dict[str, Any] = plain(table)
        return state

    def decode(self, state: Mapping[str, Any]) -> Table:
        """Return the table of a complete ``state`` object."""
        return built(Table, state)

    def progress(self, table: Table, seat: int = 0) -> int:
        """Return the rung."""
        return table.rung

    def turns(self, table: Table, seat: int = 0) -> int:
        """Return the turns finished."""
        return table.turns

    def hand(self, table: Table, seat: int = 0) -> Sequence[str]:
        """Return the cards in the hand."""
        return table.hand

    def least_turns(self, table: Table, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return the turns that a climb by the best card of all takes."""
        best = max(facts["climbs"] for facts in self.cards.values())
        return -(-max(0, target - table.rung) // max(1, best))
