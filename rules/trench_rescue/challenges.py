"""The named challenges: what has to be home, what is forbidden on the way, what the end is worth (11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil
from typing import Final

from rules.core.challenge import Aim, Challenge, Measure, Quest
from rules.core.errors import ContentError, Fault
from rules.core.race import NEVER
from rules.core.scripts import Asking, Event, Forced, Step
from rules.core.turns import TurnEnd
from rules.trench_rescue.content import OVER, PLAY, Rulings, Table
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.turn import HalfTurn, score, shells_due
from rules.trench_rescue.words import card_list

PARTS: Final = 60
"""Parts of a move that a promise counts in, divisible by small numbers of soldiers."""
MOVE: Final = 4
"""Such parts that a move to come takes off a card on its way, few enough for every card to count."""
DRAWN: Final = 4
"""Moves that a card to be drawn counts as in a promise."""


class Rescue(Quest[Table], TrenchRescue):
    """A challenge asked from one table; what lies wounded on the field is taken from that table."""

    def __init__(self, rulings: Rulings, challenge: Challenge, aim: Aim) -> None:
        super().__init__(rulings)
        facts, pack, table = challenge.facts, self.pack, self.decode(aim.start)
        self.colour = self.colour_of(table, aim.seat)
        self.quiet = bool(facts.get("quiet"))
        """No shell may ever fall (TR-S5)."""
        own = pack.colour
        lying = [card for card in _lying(table) if facts.get("goal") in ("all_own", "all_field")]
        self.hidden = lying.count(pack.unknown)
        """How many of them are hidden, so that the whole field has to be cleared to be sure of them."""
        known = [card for card in lying if card != pack.unknown]
        self.wanted = frozenset(card for card in known if facts["goal"] == "all_field" or own[card] == self.colour)
        """Cards that must not be on the field any more."""
        self.at_home = frozenset(pack.read([*aim.terms.get("cards", ()), *aim.terms.get("also_home", ())]))
        """Cards that must be able-bodied at home."""
        for card in self.at_home:
            if own[card] != self.colour:
                message = f"'{pack.codes[card]}' is no card of {pack.colours[self.colour]}, whose goal it is"
                raise ContentError([Fault(message, "goal")])
        unit, target = "gain", 1
        if challenge.measure is Measure.TURNS:
            unit, target = "home", len(self.wanted) + len(self.at_home) + self.hidden
        question, cards = "", card_list(pack.texts(sorted(self.at_home)))
        if self.at_home and self.wanted:
            question = f"{challenge.summary.removesuffix('.')}, with {cards} in the trench in the end."
        elif self.at_home:
            quiet = ", while no shell ever falls" if self.quiet else ""
            are = "are" if len(self.at_home) > 1 else "is"
            question = f"The fewest turns until {cards} {are} able-bodied at home{quiet}."
        self.ask(challenge, table, aim.seat, unit, target, question)

    def done(self, table: Table) -> int:
        """Return how many of the cards are where they have to be, or the score; the dead are nowhere."""
        if self.only_the_end_counts:
            return self._score(table)
        out = [*_lying(table), *table.dead, *(soldier.card for soldier in table.soldiers)]
        hidden = max(0, self.hidden - out.count(self.pack.unknown)) if self.hidden else 0
        home = self.at_home.intersection(table.trench[self.colour])
        return len(self.wanted.difference(out)) + len(home) + hidden

    def _score(self, table: Table) -> int:
        """Return the gain of a player alone, or how far the own score is ahead of the other's (7.4)."""
        if table.players == 1:
            return self.gain(table, self.seat)
        rulings = self.rulings
        return score(rulings, table, self.colour) - score(rulings, table, 1 - self.colour)

    def turn_ends(self, table: Table, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[Table]]:
        """Yield one way to every end of the next half-turn, under TR-S5 only those after which no shell falls."""
        return self.distinct_ends(table, pending)

    def allows(self, table: Table, end: TurnEnd[Table]) -> bool:
        """Return whether nothing is lost and, where none may (TR-S5), no shell falls in the next half-turn."""
        told: list[Event] = []
        if self.quiet:
            self.play_turn(table, Asking(end.steps, told))
        return self.keeps(end.table) and not any(event.kind == "barrage" for event in told)

    def may_end(self, half: HalfTurn) -> bool:
        """Return whether a half-turn may end as it stands: under TR-S5 only where no shell is due."""
        return not self.quiet or shells_due(half) == 0

    def bound(self, table: Table) -> int:
        """Return the fewest turns to the goal, or the highest score, as far as they are known."""
        return self._most_score(table) if self.only_the_end_counts else self._fewest(table)

    def _fewest(self, table: Table) -> int:
        """Return the larger of two bounds, zero where the goal is reached.

        A stack of k soldiers goes k spaces with k moves. So with at most K soldiers ever no card comes further than K
        spaces a turn. Every space of every card on its way home costs a move of a soldier. Each card comes home with a
        soldier of its own, who has to enter first, but for those who are out already. Until the first own card is home
        there are only the soldiers of now.
        """
        if self.reached(table):
            return 0
        fetched = self.wanted | self.at_home
        if table.phase == OVER or not fetched.isdisjoint(table.dead):
            return NEVER
        half = HalfTurn(self.rulings, table, Asking(()))
        own = half.own_soldiers(self.colour)
        now, most = self._soldiers(half, len(own))
        slowest, moves, cards, first = 1, 0, 0, NEVER
        for card, rows, out in self._ways_home(half):
            if card in fetched:
                slowest, moves, cards = max(slowest, self._fetch(out, rows, most)), moves + rows, cards + 1
            if self._may_be_own(card):
                first = min(first, self._fetch(out, rows, now))
        for soldier in own:
            if soldier.card in self.at_home:
                slowest = max(slowest, ceil(half.home_distance(self.colour, soldier.cell) / most))
        moves += max(0, cards - len(own))
        alone = first - int(half.rulings.options["rescued_acts_now"])
        if moves <= now * alone:
            return max(slowest, ceil(moves / now))
        return max(slowest, alone + ceil((moves - now * alone) / most))

    def _most_score(self, table: Table) -> int:
        """Return the gain if everybody out comes home, with as many cards as there are moves to carry them.

        A rescued card is worth one at most. Every row on its way home costs a move of a soldier, and it has to be home
        before the wounded die. Nothing is known for two players, nor where cards can come home later, or draws count.
        """
        rulings = self.rulings
        draws = rulings.draw_when_empty and rulings.options["score"] == "home"
        if table.players > 1 or not rulings.withdrawal_kills or draws:
            return NEVER
        half = HalfTurn(rulings, table, Asking(()))
        out = len(half.own_soldiers(self.colour))
        turns = rulings.turn_limit - table.turn + 1 if table.phase == PLAY else 0
        _, most = self._soldiers(half, out)
        moves = accumulate(
            sorted(rows for _, rows, ways in self._ways_home(half) if self._fetch(ways, rows, most) <= turns)
        )
        return self._score(table) + out + sum(total <= most * turns for total in moves)

    def _ways_home(self, half: HalfTurn) -> Iterator[tuple[int, int, list[int] | None]]:
        """Yield every wounded card on the field: its rows from home, and how far each own soldier is from it.

        No list stands for a card that is carried.
        """
        own = half.own_soldiers(self.colour)
        for soldier in half.soldiers:
            if soldier.carries is not None:
                yield soldier.carries, half.home_distance(self.colour, soldier.cell), None
        for cell, pile in enumerate(half.piles):
            if pile:
                rows = half.home_distance(self.colour, cell)
                out = [half.distance(soldier.cell, cell) for soldier in own]
                yield from ((card, rows, out) for card in pile)

    def promise(self, table: Table, seat: int) -> int:
        """Return how few moves all cards that are not home yet need, shared among the soldiers there are.

        A carried card needs its way home, the top one of a pile the way of the nearest free soldier as well, and those
        below it both ways. Where the score counts, it is that of who is out and home, with a part of each card that
        there is still time for: the nearer, the greater.
        """
        half = HalfTurn(self.rulings, table, Asking(()))
        own = half.own_soldiers(self.colour)
        if self.challenge.measure is Measure.SCORE:
            left = self.rulings.turn_limit - table.turn + 1 if table.phase == PLAY else 0
            worth = PARTS * (self._score(table) + len(own))
            for _, rows, out in self._ways_home(half):
                far = rows if out is None else rows + min([*out, rows])
                worth += (PARTS - MOVE * far) // (1 if out is None else 2) if far <= left else 0
            return worth
        fetched, moves = self.wanted | self.at_home, 0
        for soldier in own:
            if soldier.carries in fetched or soldier.card in self.at_home:
                moves += half.home_distance(self.colour, soldier.cell)
        for cell, pile in enumerate(table.piles):
            wanted = sum(card in fetched for card in pile)
            if wanted:
                rows = half.home_distance(self.colour, cell)
                out = [half.distance(soldier.cell, cell) for soldier in own if soldier.carries is None]
                moves += (2 * wanted - 1) * rows + min(out, default=rows)
        return -PARTS * moves // max(1, len(self._able(half))) - PARTS * self._draws(half)

    def _draws(self, half: HalfTurn) -> int:
        """Return how far down the deck those lie who have to be able-bodied, and those who could bring them home so."""
        value, deck = self.pack.value, half.deck[self.colour]
        at_home = set(half.trench[self.colour])
        best = max((value[card] for card in self._able(half)), default=0)
        draws = 0
        for card in self.at_home.difference(at_home):
            if card in deck:
                draws += DRAWN * (deck.index(card) + 1)
            elif value[card] > best and card in _lying(half.table):
                strong = (place for place, other in enumerate(deck, start=1) if value[other] >= value[card])
                draws += DRAWN * next(strong, len(deck) + 1)
        return draws

    def _able(self, half: HalfTurn) -> list[int]:
        """Return the able-bodied soldiers of the seat."""
        return [*half.trench[self.colour], *(soldier.card for soldier in half.own_soldiers(self.colour))]

    def _may_be_own(self, card: int | None) -> bool:
        """Return whether a wounded card may become a soldier of the seat."""
        return card is not None and (card == self.pack.unknown or self.pack.colour[card] == self.colour)

    def _fetch(self, out: Sequence[int] | None, rows: int, k: int) -> int:
        """Return the turns that k soldiers need at least for a card so many rows out (4.2, TR-Q10).

        Some are so far from it; without a list it is carried. One who enters comes to the front row, or goes on at once
        where a stack may leave the trench.
        """
        first = int(not self.rulings.options["stack_from_trench"])
        spaces = [] if out is None else [*(ceil(each / k) for each in out), first + ceil((rows - first) / k)]
        return min(spaces, default=0) + ceil(rows / k)

    def _soldiers(self, half: HalfTurn, out: int) -> tuple[int, int]:
        """Return how many able-bodied soldiers there are, and how many there can be at most at any later time."""
        now = out + len(half.trench[self.colour])
        if half.rulings.draw_when_empty:
            now = max(1, now)
        return max(1, now), max(1, now + sum(self._may_be_own(card) for card in _lying(half.table)))


def _lying(table: Table) -> Iterator[int]:
    """Yield the wounded on the field, carried or not."""
    for pile in table.piles:
        yield from pile
    for soldier in table.soldiers:
        if soldier.carries is not None:
            yield soldier.carries
