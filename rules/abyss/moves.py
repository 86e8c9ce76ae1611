"""Every decision a player of Abyss can take, one frozen type per kind (11).

A move's text is lower case words. Cards of a set stand in ascending order. A partner is written with its HP as in
``homeless:2``. Seats count from 1 as on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.abyss.state import CITY, Partner, Plan
from rules.core.steps import Word

NONE = "none"
"""What a move says that leaves something out."""


def partner_text(partner: Partner) -> str:
    """Return the notation of a partner."""
    return f"{partner.type}:{partner.hp}"


@dataclass(frozen=True, slots=True)
class Cards:
    """A decision about a set of hand cards."""

    verb: ClassVar[str]
    cards: tuple[str, ...]
    """Sorted."""

    @property
    def text(self) -> str:
        """``give_up bribe theft`` or ``give_up none``."""
        return f"{self.verb} {' '.join(self.cards) or NONE}"

    @property
    def spends(self) -> tuple[str, ...]:
        """The cards, which may be named in any order."""
        return self.cards


class GiveUp(Cards):
    """Step B: hand cards given up for a new one, or none (5.B)."""

    verb = "give_up"


class Offer(Cards):
    """Hand cards offered in a Transaction (6.1)."""

    verb = "offer"


class Accept(Cards):
    """Hand cards given for those offered (6.1)."""

    verb = "accept"


class Give(Cards):
    """One card that its owner gives away (AB-Q30, AB-Q34)."""

    verb = "give"


class Take(Cards):
    """One card that the thief takes (AB-Q30)."""

    verb = "take"


class Show(Cards):
    """The card of a plan that nobody had seen, as it is used (5.F)."""

    verb = "show"


@dataclass(frozen=True, slots=True)
class Partners:
    """A decision about a set of hired partners."""

    verb: ClassVar[str]
    partners: tuple[Partner, ...]

    @property
    def text(self) -> str:
        """``dismiss homeless:2 guardian:8`` or ``dismiss none``."""
        return f"{self.verb} {' '.join(map(partner_text, self.partners)) or NONE}"


class Dismiss(Partners):
    """Step B: own partners sent away (AB-Q14)."""

    verb = "dismiss"


class Treat(Partners):
    """The partners that a Treatment heals, where its owner picks them (AB-Q35)."""

    verb = "treat"


class Lose(Partners):
    """The one partner that the victim of an Assassination picks (AB-Q29)."""

    verb = "lose"


@dataclass(frozen=True, slots=True)
class Hire:
    """Partners hired and temporary partners taken (5.B)."""

    numbers: tuple[tuple[str, int], ...]
    """Type and number, those without any left out."""
    temps: int = 0

    @property
    def text(self) -> str:
        """``hire 8 homeless 1 guardian 2 temps`` or ``hire none``."""
        parts = [f"{number} {kind}" for kind, number in self.numbers]
        parts += [f"{self.temps} temps"] if self.temps else []
        return f"hire {' '.join(parts) or NONE}"


@dataclass(frozen=True, slots=True)
class Choose:
    """Step C: the plan laid aside face down (5.C)."""

    plan: Plan

    @property
    def text(self) -> str:
        """``plan digging abyss``, ``plan none``, or ``plan digging abyss temp bribe city``."""
        card, location, temp = self.plan
        text = f"plan {NONE}" if card is None else f"plan {card} {location}"
        return text if temp is None else f"{text} temp {temp.card} {temp.location}"


@dataclass(frozen=True, slots=True)
class Target:
    """The seat that a card is aimed at, and the partner where the attacker names one (6)."""

    seat: int
    """From 0."""
    partner: Partner | None = None

    @property
    def text(self) -> str:
        """``target 2`` or ``target 2 homeless:2``."""
        text = f"target {self.seat + 1}"
        return text if self.partner is None else f"{text} {partner_text(self.partner)}"


DECLINE = Word("decline")
DRAW = Word("draw")
NO_DRAW = Word("no_draw")
CASH = Word("cash")
LEAVE = Word("leave")
GO_ON = Word("go_on")
"""The only move of a stage in which nobody has anything to decide and nothing hidden comes up."""
_IDLE = (GiveUp(()), Dismiss(()), Hire(()), Choose(Plan(None, CITY, None)), Treat(()), DECLINE, NO_DRAW, LEAVE, GO_ON)
IDLE: Final = frozenset(move.text for move in _IDLE)
"""What a seat says that does nothing."""
