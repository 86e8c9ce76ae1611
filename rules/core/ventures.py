"""What a solver may ask of a game in which a card, once begun, may take several turns to come through.

A *venture* is one such card of one seat: it is begun by a move, gone on with turn after turn, and in the end it either
comes through or is lost. Everything here is for that aim alone: moves that give the venture up are left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from typing import Generic, TypeVar

from rules.core.decks import Decks
from rules.core.steps import Forced, Step

T = TypeVar("T")


class Fate(Enum):
    """What has become of a venture by the end of a turn."""

    THROUGH = auto()
    """It has come through; the rest of the turn is not played."""
    LOST = auto()
    WAITING = auto()


@dataclass(frozen=True, slots=True)
class VentureEnd(Generic[T]):
    """One way through a turn of a venture."""

    steps: tuple[Step | Forced, ...]
    orders: int
    """As in ``TurnEnd``."""
    fate: Fate
    table: T | None
    """The table after the turn, with the same seat to act; none unless the venture waits."""


class OutOfReach(Exception):
    """A form does not carry a question, or has used up what it may use."""


@dataclass(frozen=True, slots=True)
class Fared:
    """How one card of a course fared."""

    came: bool
    """It came through."""
    turns: int
    """Own turns spent on it, from the one on which it was begun; 0 if it never was."""
    cards: int
    """Cards that hand and deck have fewer than before it was begun, or than now; counted for a single card only."""


Law = Mapping[tuple[Fared, ...], Fraction]
"""The chance of every way in which the cards of a course can fare, in the order of the course; they add to 1."""


@dataclass(frozen=True, slots=True)
class Course:
    """Hand cards begun one after the other, each as soon as the one before has come through or is lost.

    Whoever plays so makes the most of the number that come through, but does not use what was drawn or looked at: cards
    drawn pay, and no more. So every chance here is that of a real way to play, and the greatest may be greater.
    """

    cards: tuple[str, ...]
    law: Law

    def chance(self, place: int) -> Fraction:
        """Return the chance that one card comes through."""
        return sum((chance for fared, chance in self.law.items() if fared[place].came), Fraction(0))

    @property
    def expected(self) -> Fraction:
        """The expected number of cards that come through."""
        return sum((self.chance(place) for place in range(len(self.cards))), Fraction(0))

    @property
    def all_come(self) -> Fraction:
        """The chance that every card comes through."""
        return sum((chance for fared, chance in self.law.items() if all(each.came for each in fared)), Fraction(0))

    @property
    def turns(self) -> Fraction:
        """The expected number of turns until the last card has come through or is lost."""
        return sum((chance * sum(each.turns for each in fared) for fared, chance in self.law.items()), Fraction(0))


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card that the first risk of a venture may turn up."""

    card: str
    probability: Fraction
    chance: Fraction
    """The chance that the venture comes through after it, for whoever plays as a ``Course`` says."""


@dataclass(frozen=True, slots=True)
class Opening(Generic[T]):
    """One way to come to begin a hand card, and the moves that begin it then."""

    before: tuple[Step | Forced, ...]
    """Steps of the same turn that are taken first; none of them is left to chance."""
    table: T
    """The table by then."""
    moves: Mapping[tuple[str, ...], Step]
    """The moves that begin the card, by the hand cards that pay, ascending."""


class Courses(ABC):
    """What can be told of several cards one after the other, and of the first card that a risk turns up."""

    @abstractmethod
    def course(self, cards: Sequence[str], more: int = 0) -> Course:
        """Return how hand cards fare that are begun in this order, with ``more`` cards in hand that can only pay.

        The card under way goes first, whether it is named or not: it is named if it is the first of ``cards``.

        Raises:
            OutOfReach: something reads what is left out, or time is up.
        """

    @abstractmethod
    def turned_up(self, card: str) -> Sequence[TurnedUp]:
        """Return the cards that the first risk of a card may turn up, the likeliest first; empty if it has none.

        Raises:
            OutOfReach: as above.
        """


class Ventures(ABC, Generic[T]):
    """The ventures of one seat from one table on; other players are left out of account."""

    decks: Decks | None = None
    """Works out what decks are worth, sooner than the rules do by themselves; the chances are the same."""

    @property
    @abstractmethod
    def table(self) -> T:
        """Return the table at the start of the turn, the seat to act."""

    @property
    @abstractmethod
    def under_way(self) -> str | None:
        """Return the card that was begun on an earlier turn and still waits, if there is one."""

    @abstractmethod
    def cards(self) -> Sequence[str]:
        """Return the hand cards that take more than the turn they are begun on, ascending; none while one waits."""

    @abstractmethod
    def playable(self, card: str) -> bool:
        """Return whether a card can be begun now."""

    def openings(self, card: str) -> Iterator[Opening[T]]:
        """Yield the ways to come to begin a hand card, the fewest moves before it first; nothing where it cannot be."""
        return iter(())

    def attaining(self, card: str, chance: Fraction, alive: Callable[[], bool]) -> Opening[T] | None:
        """Return the first opening of a hand card from which a chance can be had, with those moves that lead to it.

        ``chance`` is the greatest. Nothing where the game cannot tell it, or ``alive`` has said no.
        """
        return None

    @abstractmethod
    def begun(self, pending: Sequence[Step | Forced]) -> tuple[str | None, bool]:
        """Return the card that the steps of an unfinished turn begin, and whether they begin or go on with any."""

    @abstractmethod
    def with_more(self, cards: int) -> Ventures[T]:
        """Return the ventures with so many more cards in hand that can do nothing but pay."""

    @abstractmethod
    def ends(self, table: T, begin: str | None, pending: Sequence[Step | Forced] = ()) -> Iterator[VentureEnd[T]]:
        """Yield every way through the next turn: ``begin`` a hand card, or go on when it is none.

        ``pending`` are steps of that turn already taken. Chance and choices are branched as in ``Game.turn_ends``.
        """

    @abstractmethod
    def chance(self, begin: str | None, alive: Callable[[], bool]) -> tuple[Fraction, bool]:
        """Return the greatest chance that a venture comes through and true, or the chance of one way to play and false.

        ``begin`` is a hand card begun now, or none for the one under way. The second where cards cannot be merged, or
        where ``alive``, which is asked now and then, has said no.
        """

    def between(self, begin: str | None, alive: Callable[[], bool]) -> tuple[Fraction, Fraction]:
        """Return bounds for the greatest chance from below and from above, found sooner than the chance.

        They are proved, and as close as ``alive`` leaves time for; asked again, this goes on where it stopped.
        """
        return Fraction(0), Fraction(1)

    def unsettled(self, begin: str | None) -> str:
        """Return why the greatest chance is told only between bounds whatever time there is, in words; mostly empty."""
        return ""

    def plain_chance(self, begin: str | None, alive: Callable[[], bool]) -> Fraction | None:
        """Return the greatest chance of who goes on and no more, and uses nothing that was drawn or looked at.

        It is the chance of a real way to play, exact, and found sooner than the greatest of all. Nothing where the game
        cannot tell it, or ``alive`` has said no.
        """
        return None

    def turned_up(self, begin: str | None, alive: Callable[[], bool]) -> Sequence[TurnedUp]:
        """Return the cards that the first risk may turn up, the likeliest first, and the chance after each.

        It is that of ``plain_chance``. Nothing where the game cannot tell it, or ``alive`` has said no.
        """
        return ()

    def courses(self, alive: Callable[[], bool]) -> Courses | None:
        """Return what can be told of several cards one after the other, where the game can."""
        return None
