"""A turn of a risk card played over fillers: what was decided, what chance decided, and how much of the deck was left.

What a look at the deck shows is not decided here, only how many cards it shows, how many lie below them, and how many
go back. Other choices note how many cards the deck still has: who chooses knows which ones they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from rules.core.scripts import Answered
from rules.core.steps import ChanceOutcome, Forced, Move, Step
from rules.core.ventures import Fate, OutOfReach
from rules.iditacards.moves import DONE, FreeAction, Put, Take
from rules.iditacards.odds.venture import Venturing, Watched
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import Seat

T = TypeVar("T")
ASIDE: Final = -(1 << 30)
"""Stands for the number of cards below a decision that comes up while others are set aside."""


class Chosen(NamedTuple):
    """A decision on a path."""

    step: Step
    below: int
    """Unknown cards in the deck at that moment, damage cards left out, or ``ASIDE``."""


class SortedOut(NamedTuple):
    """A look on a path; damage cards are no part of its numbers."""

    looked: int
    below: int
    """Cards of the deck that were not looked at."""
    returned: int
    harm: tuple[str, ...] = ()
    """What becomes of each damage card that was looked at."""


Item = ChanceOutcome | Chosen | SortedOut


@dataclass(frozen=True, slots=True)
class Path(Generic[T]):
    """One way through a turn, whatever form tables have."""

    items: Sequence[Item]
    orders: int
    """As in ``TurnEnd``."""
    fate: Fate
    table: T | None


class Noted(Watched):
    """Notes where a hidden deck is looked at and how much of it is left."""

    __slots__ = ("_script", "failed", "least_deck", "least_hand", "looks", "places")

    def __init__(self, rulings: Rulings, table: Table, script: Revealing, seat: int) -> None:
        super().__init__(rulings, table, script, seat)
        script.turn = self
        self._script = script
        self.looks: dict[int, tuple[int, int]] = {}
        """Cards looked at, and cards below them but for damage cards, by the number of steps taken before."""
        self.failed = ""
        """What was missing when a payment failed (R26)."""
        self.places: set[int] = set()
        """Where the player stood before and after each move."""
        self.least_hand = len(self.watched.hand)
        """The fewest cards that were in the hand at any time; likewise in the deck."""
        self.least_deck = len(self.watched.deck)

    def deal(self, seat: Seat) -> str:
        """Take and return the top card of a deck that is not empty."""
        card = super().deal(seat)
        self._count()
        return card

    def deal_many(self, seat: Seat, n: int, to: list[str] | None = None) -> list[str]:
        """Take and return up to n cards together."""
        cards = super().deal_many(seat, n, to)
        self._count()
        return cards

    def _count(self) -> None:
        self.least_hand = min(self.least_hand, len(self.watched.hand))
        self.least_deck = min(self.least_deck, len(self.watched.deck))

    def tell(self, rule: str, kind: str, **data: Any) -> None:
        """Take notice of what a rule did."""
        super().tell(rule, kind, **data)
        self._count()  # nothing takes cards out of a hand without telling so before it gives others
        if kind == "fails":
            self.failed = data["why"]
        if kind in ("moved", "dies") and data["seat"] == self.watched.index:
            self.places.update((data["start"], data["end"]))
        if self.rulings.deck_open:
            return
        if kind == "looks" and rule == "R41":
            self.looks[self._script.taken] = (len(data["cards"]), self._plain_below())
        elif kind == "second_step" and self.watched.seen:
            self.looks[self._script.taken] = (len(self.watched.seen), self._plain_below())

    def _plain_below(self) -> int:
        damage = self.rulings.damage_ids
        return sum(card not in damage for card in self.watched.deck)


class Revealing(Venturing):
    """Explores a turn over fillers; answers are left out that another one equals or beats.

    Free actions, where they cannot matter. A looked-at card that does no damage goes back or not: what else becomes of
    it is all the same, but for keeping it in the hand, where it pays. Nobody takes fewer cards than may be taken.
    """

    __slots__ = ("_free", "_hidden", "_recovers", "choices", "turn")

    def __init__(
        self,
        steps: Sequence[Step | Forced],
        queue: list[Answered],
        begin: str | None,
        *,
        hidden: bool,
        free: bool,
        recovers: bool,
    ) -> None:
        super().__init__(steps, queue, begin)
        self._recovers = recovers
        self._hidden = hidden
        self._free = free
        self.turn: Noted | None = None
        self.choices: dict[int, int] = {}
        """Unknown cards in the deck at each decision, damage cards left out, by the number of steps taken before."""

    @property
    def taken(self) -> int:
        """Return how many steps of the turn have been taken so far."""
        return self._cursor

    def decide(self, seat: int, options: Callable[[], Sequence[Move]], *, always: bool = False) -> Move:
        """Return the move that ``seat`` takes here."""
        if self._hidden and self.turn is not None:
            damage, owner = self.turn.rulings.damage_ids, self.turn.watched
            below = sum(card not in damage for card in owner.deck[owner.known :])
            self.choices[self._cursor] = ASIDE if owner.seen else below
        return super().decide(seat, options, always=always)

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        if self._hidden and isinstance(answers[0], Take):
            answers = [answer for answer in answers if answer != DONE]
        return super()._fresh(actor, answers)

    def _serves(self, answer: Step) -> bool:
        if isinstance(answer, Put):
            if answer.verb in ("recover", "restore"):
                if self._recovers:
                    raise OutOfReach
                return False
            turn = self.turn
            return answer.verb != "destroy" or (turn is not None and answer.card in turn.rulings.damage_ids)
        return super()._serves(answer) and (self._free or not isinstance(answer, FreeAction))


def items(script: Revealing, turn: Noted) -> tuple[Item, ...]:
    """Return the steps of a turn with what counts about its choices, and its looks summed up.

    What could not go otherwise is left out. Chance has told by then how many damage cards there are among those looked
    at, and what becomes of these is chosen with the others.
    """
    found: list[Item] = []
    place = 0
    while place < len(script.steps):
        looked, below = turn.looks.get(place, (0, 0))
        part = script.steps[place : place + max(looked, 1)]
        taken = [step.step if isinstance(step, Forced) else step for step in part]
        place += len(taken)
        first = taken[0]
        if looked:
            puts = [step for step in taken if isinstance(step, Put)]
            plain = [step.verb for step in puts if step.card not in turn.rulings.damage_ids]
            harm = tuple(step.text for step in puts if step.card in turn.rulings.damage_ids)
            found.append(SortedOut(len(plain), below, plain.count("return"), harm))
        elif isinstance(first, ChanceOutcome):
            if first.ways < first.cases:
                found.append(first)
        elif not isinstance(part[0], Forced):
            found.append(Chosen(first, script.choices.get(place - 1, 0)))
    return tuple(found)
