"""The Trench Rescue game for solvers and screens: progress, payoffs and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from rules.core.chance import UNKNOWN
from rules.core.errors import IllegalMoveError
from rules.core.race import NEVER, Hazard, Interval, Lot
from rules.core.scripts import Asking
from rules.core.steps import Event
from rules.core.turns import State
from rules.trench_rescue.actions import END
from rules.trench_rescue.barrage import hazards, score
from rules.trench_rescue.half_turn import HalfTurn
from rules.trench_rescue.illegal import why_illegal
from rules.trench_rescue.positions import initial_table
from rules.trench_rescue.state import OVER, Table
from rules.trench_rescue.turn import HalfTurns
from rules.trench_rescue.words import brief, glance, sentence


class TrenchRescue(HalfTurns):
    """Trench Rescue under one ruleset, for one or two players, with one set of open chance results."""

    unit = "card"
    bottom = 0  # 7.4: a score counts cards
    is_place = False
    stake = "card"
    routine = frozenset({"ends", "quiet", "turn"})
    idle = frozenset({END.text})

    # What a solver and a screen ask

    def progress(self, table: Table, seat: int = 0) -> int:
        """Return a player's score in cards (7.4)."""
        return score(self.rulings, table, self.colour_of(table, seat))

    def turns(self, table: Table, seat: int = 0) -> int:
        """Return the half-turns a player has finished since the game began."""
        if table.phase == OVER:
            return table.turn
        first = self.players > 1 and table.to_move != table.starter
        return table.turn - 1 + (first and self.colour_of(table, seat) == table.starter)

    def days(self, table: Table, seat: int = 0) -> int:
        """Return the turns begun."""
        return table.turn

    def default_target(self) -> int:
        """Return the score of a player who has brought all the wounded of a fresh field home."""
        size = self.rulings.field_size
        return len(self.pack.of_colour[0]) - self.rulings.laid[size] + size**2

    def least_turns(self, table: Table, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return 1 short of the target, never where there are too few cards: what is scored is a card that lives (7.4).

        Where carried cards count, the same card can be carried home again.
        """
        if self.rulings.score != "rescued" and target > sum(map(len, self._living(table))):
            return NEVER
        return super().least_turns(table, seat, target)

    def most_turns(self, table: Table, seat: int = 0) -> int | None:
        """Return the turns up to the last one, and those of a withdrawal in which every step leads home (7.3)."""
        rulings = self.rulings
        if table.phase == OVER:
            return 0
        if rulings.withdrawal == "free" or rulings.withdrawal_trench:
            return None
        home = table.size if rulings.withdrawal == "direct_home" else 0
        return rulings.turn_limit + home - table.turn + 1

    @staticmethod
    def _living(table: Table) -> Iterator[Sequence[int]]:
        """Yield the cards of every place where cards lie that are not dead."""
        yield from (*table.trench, *table.infirmary, *table.deck, *table.piles)
        yield [soldier.card for soldier in table.soldiers]
        yield [soldier.carries for soldier in table.soldiers if soldier.carries is not None]

    def owned(self, table: Table, seat: int = 0) -> Counter[str]:
        """Return every card that is not dead, whosever it is and wherever it lies (5)."""
        return Counter(self.pack.texts([card for card in range(len(self.pack.codes)) if card not in table.dead]))

    def hand(self, table: Table, seat: int = 0) -> tuple[str, ...]:
        """Return a player's able-bodied soldiers, at home and on the field."""
        colour = self.colour_of(table, seat)
        out = [soldier.card for soldier in table.soldiers if self.pack.colour[soldier.card] == colour]
        return tuple(self.pack.texts(sorted([*table.trench[colour], *out])))

    def decks(self, table: Table, seat: int = 0) -> dict[str, list[Lot]]:
        """Return the next card that a soldier who goes into a hidden deck may bring (4.1, 9).

        The soldier itself is ``?`` where several may go. What comes after it depends on who goes next.
        """
        colour = self.colour_of(table, seat)
        if self.rulings.queue:
            return {"deck": [Lot((card,), 1) for card in self.pack.texts(table.deck[colour])]}
        chances = HalfTurn(self.rulings, table, Asking(())).deck_chances(colour)
        if self.rulings.deck_open or not chances:
            return {}
        cases = lcm(*(chance.denominator for _, chance in chances))
        size = len(table.deck[colour])
        pool = [self.pack.codes[card] for card, chance in chances for _ in range(int(chance * cases) * size)]
        home = self.pack.texts(table.trench[colour])
        return {"deck": [Lot((*pool, *(home if len(home) == 1 else [UNKNOWN]) * cases), 1)]}

    def glance(self, table: Table) -> list[tuple[str, str]]:
        """Return the table in labelled lines for people, the battlefield as a board of text."""
        return glance(self.rulings, table)

    def brief(self, table: Table) -> list[tuple[str, str]]:
        """Return a small picture of the field, and who is home."""
        return brief(self.rulings, table)

    def sentence(self, event: Event) -> str:
        """Return an event in words."""
        return sentence(event)

    def why_illegal(self, state: State[Table], text: str) -> IllegalMoveError | None:
        """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game."""
        return why_illegal(self, state, text)

    def hazards(self, table: Table, seat: int = 0) -> list[Hazard]:
        """Return how likely each soldier of a seat is hit if the turn ends as the table lies (6)."""
        return hazards(self.rulings, table, self.colour_of(table, seat))

    def initial_table(self) -> Table:
        """Return the table after the set-up (2); hidden sources are dealt from the seed and then forgotten."""
        return initial_table(self.rulings)

    # What a duel asks

    def payoffs(self, table: Table) -> list[Fraction]:
        """Return each player's score less the other's (7.4)."""
        scores = [score(self.rulings, table, self.colour_of(table, seat)) for seat in range(self.players)]
        return [Fraction(2 * own - sum(scores)) for own in scores]

    def guesses(self, table: Table) -> list[Fraction]:
        """Return the same as if everybody on the field came home."""
        out = [self.pack.colour[soldier.card] for soldier in table.soldiers]
        lead = out.count(0) - out.count(1)
        return [payoff + (lead if seat == 0 else -lead) for seat, payoff in enumerate(self.payoffs(table))]

    def payoff_range(self, table: Table) -> Interval:
        """Return the number of all cards either way: no score is greater, nor is the number of cards carried home.

        Where carried cards count, each way home takes a half-turn, so that no number of cards bounds them.
        """
        most = len(self.pack.codes)
        if self.rulings.score == "rescued":
            most *= 2 + self.rulings.turn_limit
        return Interval(-most, most)

    def rounds(self, table: Table) -> int:
        """Return the turns that both players have finished."""
        return table.turn - (table.phase != OVER)

    def is_common(self, table: Table, seat: int | None = None) -> bool:
        """Return whether all cards are open, or the table is written through the eyes of a seat (15)."""
        return table.view is None or (seat is not None and table.view == self.colour_of(table, seat))
