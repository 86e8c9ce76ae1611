"""The facts of one resolved Abyss ruleset as typed values: cards, identities, partners, numbers, options.

``build`` trusts its input; ``validation`` has looked at it first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.core.wording import told_names

ACTIONS: Final = "actions"
EVENTS: Final = "events"
ANY: Final = "any"
"""The location of cards that may be used at either."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One operation of a card; ``ops.toml`` says what each one means."""

    op: str
    args: Mapping[str, Any]
    """Keyword arguments of the op, options written out."""


@dataclass(frozen=True, slots=True)
class Card:
    """One Action or Event card; all its copies are interchangeable."""

    id: str
    name: str
    deck: str
    count: int
    """Copies with the options that hold; 0 where an option keeps it out."""
    location: str
    """``city``, ``abyss`` or ``any``."""
    effects: tuple[Effect, ...]
    is_modifier: bool
    """It works from the moment it is dealt (5.E)."""
    icon: bool
    """The picture of AB-Q18 stands on it."""
    unowned: bool
    """Its text does not say whose partners it means (AB-Q17)."""
    flashlight_stops: bool

    def args(self, op: str) -> Mapping[str, Any] | None:
        """Return the arguments of the first effect with this op, or nothing without one."""
        return next((effect.args for effect in self.effects if effect.op == op), None)


@dataclass(frozen=True, slots=True)
class Hireling:
    """A type of partner."""

    id: str
    name: str
    cost: int
    hp: int


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a player is."""

    id: str
    name: str
    modifiers: Mapping[str, Mapping[str, Any]]
    """Arguments by modifier."""


@dataclass(frozen=True, slots=True)
class Goal:
    """AP and RP that win together."""

    ap: int
    rp: int

    def is_met(self, ap: int, rp: int) -> bool:
        """Return whether these points win (8.1)."""
        return ap >= self.ap and rp >= self.rp


@dataclass(frozen=True, slots=True)
class Content:
    """Everything a ruleset says."""

    rules: Mapping[str, int]
    goals: Mapping[str, Goal]
    options: Mapping[str, Any]
    """Every option of the specification with its value, those left to their neutral value included."""
    identities: Mapping[str, Identity]
    partners: Mapping[str, Hireling]
    """In canonical order."""
    cards: Mapping[str, Card]

    def deck_cards(self, deck: str) -> list[str]:
        """Return the card ids of one deck, all copies written out, ascending."""
        return sorted(card.id for card in self.cards.values() if card.deck == deck for _ in range(card.count))


def build(raw: Mapping[str, Any], neutral: Mapping[str, Any]) -> Content:
    """Return the typed content of a resolved and validated ruleset.

    ``neutral`` gives the value of each option that the ruleset leaves open.
    """
    options = {**neutral, **raw["options"]}
    names = {table: told_names(raw[table]) for table in ("cards", "identities", "partners")}
    return Content(
        rules=dict(raw["rules"]),
        goals={name: Goal(goal["ap"], goal["rp"]) for name, goal in raw["goals"].items()},
        options=options,
        identities={
            key: _identity(key, names["identities"][key], entry) for key, entry in sorted(raw["identities"].items())
        },
        partners={
            key: Hireling(key, names["partners"][key], entry["cost"], entry["hp"])
            for key, entry in raw["partners"].items()
        },
        cards={key: _card(key, names["cards"][key], entry, options) for key, entry in sorted(raw["cards"].items())},
    )


def _identity(key: str, name: str, raw: Mapping[str, Any]) -> Identity:
    modifiers = {
        entry["mod"]: {key: value for key, value in entry.items() if key != "mod"} for entry in raw["modifiers"]
    }
    return Identity(key, name, modifiers)


def _card(key: str, name: str, raw: Mapping[str, Any], options: Mapping[str, Any]) -> Card:
    return Card(
        id=key,
        name=name,
        deck=raw["deck"],
        count=_copies(key, raw, options),
        location=options.get(raw["location"], raw["location"]),
        effects=tuple(_effect(effect, options) for effect in raw["effects"]),
        is_modifier=raw.get("timing") == "modifier",
        icon=raw.get("icon", False),
        unowned=raw.get("unowned", False),
        flashlight_stops=raw.get("flashlight_stops", False),
    )


def _copies(name: str, raw: Mapping[str, Any], options: Mapping[str, Any]) -> int:
    needs = raw.get("needs")
    if needs is not None and options[needs["option"]] != needs["value"]:
        return 0
    counts = options["event_counts"]
    return int(counts.get(name, raw["count"]) if isinstance(counts, Mapping) else raw["count"])


def _effect(raw: Mapping[str, Any], options: Mapping[str, Any]) -> Effect:
    args = {key: value for key, value in raw.items() if key != "op"}
    if isinstance(args.get("amount"), str):
        args["amount"] = options[args["amount"]]
    return Effect(raw["op"], args)
