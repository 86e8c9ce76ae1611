"""Every decision a player of Abyss can take, one frozen type per kind (11).

A move's text is lower case words. Cards of a set stand in ascending order, a partner is written with its HP as in
``homeless:2``, and seats count from 1 as on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.abyss.state import CITY, Partner, Plan

NONE = "none"
"""What a move says that leaves something out."""


def partner_text(partner: Partner) -> str:
    """Return the notation of a partner."""
    return f"{partner.type}:{partner.hp}"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Step B: hand cards given up for a new one (5.B)."""

    cards: tuple[str, ...]
    """Sorted; empty to keep all."""

    @property
    def text(self) -> str:
        """``give_up bribe theft`` or ``give_up none``."""
        return f"give_up {' '.join(self.cards) or NONE}"


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Step B: own partners sent away (AB-Q14)."""

    partners: tuple[Partner, ...]

    @property
    def text(self) -> str:
        """``dismiss homeless:2 guardian:8`` or ``dismiss none``."""
        return f"dismiss {' '.join(map(partner_text, self.partners)) or NONE}"


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


@dataclass(frozen=True, slots=True)
class GivePartner:
    """The partner that the victim of an Assassination picks (AB-Q29)."""

    partner: Partner

    @property
    def text(self) -> str:
        """``lose homeless:2``."""
        return f"lose {partner_text(self.partner)}"


@dataclass(frozen=True, slots=True)
class PickCard:
    """A card picked from a hand: ``give`` by its owner, ``take`` by the thief (AB-Q30, AB-Q34)."""

    verb: str
    card: str

    @property
    def text(self) -> str:
        """``give bribe``."""
        return f"{self.verb} {self.card}"


@dataclass(frozen=True, slots=True)
class Treat:
    """The partners that a Treatment heals, where its owner picks them (AB-Q35)."""

    partners: tuple[Partner, ...]

    @property
    def text(self) -> str:
        """``treat homeless:1 guardian:3`` or ``treat none``."""
        return f"treat {' '.join(map(partner_text, self.partners)) or NONE}"


@dataclass(frozen=True, slots=True)
class Offer:
    """Hand cards offered in a Transaction (6.1)."""

    cards: tuple[str, ...]

    @property
    def text(self) -> str:
        """``offer bribe theft``."""
        return f"offer {' '.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Accept:
    """Hand cards given for those offered (6.1)."""

    cards: tuple[str, ...]

    @property
    def text(self) -> str:
        """``accept digging flashlight``."""
        return f"accept {' '.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Word:
    """A move of a single word: ``decline``, ``draw``, ``no_draw``, ``cash``, ``leave``, ``go_on``."""

    word: str

    @property
    def text(self) -> str:
        """The word."""
        return self.word


DECLINE = Word("decline")
DRAW = Word("draw")
NO_DRAW = Word("no_draw")
CASH = Word("cash")
LEAVE = Word("leave")
GO_ON = Word("go_on")
"""The only move of a stage in which nobody has anything to decide and nothing hidden comes up."""
IDLE: Final = frozenset(
    move.text
    for move in (
        GiveUp(()),
        Dismiss(()),
        Hire(()),
        Choose(Plan(None, CITY, None)),
        Treat(()),
        DECLINE,
        NO_DRAW,
        LEAVE,
        GO_ON,
    )
)
"""What a seat says that does nothing."""
