"""The words for what happens: moves by players, outcomes of chance, events that the rules log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

CHANCE: Final = -1
"""``to_act`` of a state that waits for chance; players are 0, 1, …"""
OVER: Final = -2
"""``to_act`` of a state where the game has ended."""


@runtime_checkable
class Move(Protocol):
    """One decision by one player; every kind is a frozen type of its game."""

    @property
    def text(self) -> str:
        """The one text that prints and parses as this move."""


@dataclass(frozen=True, slots=True)
class Word:
    """A move of a single word, such as ``pass``."""

    text: str


@dataclass(frozen=True, slots=True)
class CardMove:
    """A move of two words: what is done, and with which card or other thing, such as ``destroy lunch``."""

    verb: str
    card: str

    @property
    def text(self) -> str:
        """The two words."""
        return f"{self.verb} {self.card}"


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """One result of one chance event."""

    source: str
    """Name of the source, as in a position's ``open`` list."""
    result: str
    """What came up, such as a card id or a face."""
    ways: int = field(default=1, compare=False)
    """Equally likely cases with this result."""
    cases: int = field(default=1, compare=False)
    """Equally likely cases in all."""

    @property
    def probability(self) -> Fraction:
        """The chance of this outcome; the outcomes of one event add to exactly 1."""
        return Fraction(self.ways, self.cases)

    @property
    def text(self) -> str:
        """The text that prints and parses as this outcome."""
        return f"{self.source} {self.result}"


@dataclass(frozen=True, slots=True)
class Forced:
    """A step without alternative: taken by the rules, never asked, kept so that a turn can be replayed."""

    step: Move | ChanceOutcome

    @property
    def text(self) -> str:
        """The text of the step."""
        return self.step.text


Step: TypeAlias = Move | ChanceOutcome


@dataclass(frozen=True, slots=True)
class Event:
    """Something the rules did, with the number of the rule that did it; words are made elsewhere."""

    rule: str
    """Rule or ruling number of the game's specification, such as ``R26`` or ``Q30``."""
    kind: str
    """Name of the kind of event; the game's catalogue of words has a sentence for each."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Card ids, seats and numbers that the sentence needs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, and by which rule."""

    winners: tuple[int, ...]
    """Seats that won; empty for a draw."""
    rule: str


class Narrated:
    """A run of the rules that logs what they did."""

    __slots__ = ()

    log: list[Event] | None
    """The events so far, where somebody listens."""

    def emit(self, rule: str, kind: str, **data: Any) -> None:
        """Log what a rule did, when somebody listens."""
        if self.log is not None:
            self.log.append(Event(rule, kind, data))
