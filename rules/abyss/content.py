"""The facts of one resolved Abyss ruleset as typed values: cards, identities, partners, numbers, options.

``build`` trusts its input; ``validation`` has looked at it first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.declared import APART, SHOWN, Default, Named, Title, built
from rules.core.errors import told_names
from rules.core.schema import Integer, Text

ACTIONS: Final = "actions"
EVENTS: Final = "events"
MODIFIER: Final = "modifier"
"""The timing of an Event that works from the moment it is dealt (5.E)."""

Number: TypeAlias = Annotated[int, Integer(0, 99)]
Points: TypeAlias = Annotated[int, Integer(-999, 999)]
Some: TypeAlias = Annotated[int, Integer(1, 99)]
Flag: TypeAlias = Annotated[bool, Default(False)]


@dataclass(frozen=True, slots=True)
class Effect:
    """One operation of a card; ``ops.toml`` says what each one means."""

    op: str
    args: Mapping[str, Any]
    """Keyword arguments of the op, options written out."""


@dataclass(frozen=True, slots=True)
class Card:
    """One Action or Event card; all its copies are interchangeable."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN, "name on the card"]
    deck: Annotated[str, Text((ACTIONS, EVENTS)), "where it belongs"]
    count: Annotated[int, Integer(0, 999), "copies in the deck"]
    """Copies with the options that hold; 0 where an option keeps it out."""
    location: Annotated[str, Named("location"), "where it works, or the option for it"]
    timing: Annotated[
        str | None, Text(("event", MODIFIER)), Default(None), "modifier: an Event that works as soon as it is dealt"
    ]
    icon: Annotated[Flag, "the picture of two people stands on it (AB-Q18)"]
    unowned: Annotated[Flag, "its text does not say whose partners it means (AB-Q17)"]
    flashlight_stops: Annotated[Flag, "a Flashlight stops its damage"]
    needs: Annotated[Any, Named("needs"), Default(None), "the option and value under which the card takes part"]
    effects: Annotated[tuple[Annotated[Effect, Named("effect")], ...], "what it does, in order"]
    summary: Annotated[Title, "what it does, in one sentence"]

    @property
    def is_modifier(self) -> bool:
        """Return whether it works from the moment it is dealt (5.E)."""
        return self.timing == MODIFIER

    def args(self, op: str) -> Mapping[str, Any] | None:
        """Return the arguments of the first effect with this op, or nothing without one."""
        return next((effect.args for effect in self.effects if effect.op == op), None)


class Hireling(NamedTuple):
    """A type of partner."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN]
    cost: Annotated[Some, "printed cost"]
    hp: Annotated[Some, "HP of a healthy one"]
    summary: Title


class Identity(NamedTuple):
    """Who a player is."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN]
    modifiers: Annotated[Mapping[str, Mapping[str, Any]], Named("modifiers"), "what it changes"]
    """Arguments by modifier."""
    summary: Title


class Goal(NamedTuple):
    """AP and RP that win together."""

    ap: Points
    rp: Points

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
        goals={name: built(Goal, goal) for name, goal in raw["goals"].items()},
        options=options,
        identities={
            key: _identity(key, names["identities"][key], entry) for key, entry in sorted(raw["identities"].items())
        },
        partners={
            key: built(Hireling, {**entry, "name": names["partners"][key]}, id=key)
            for key, entry in raw["partners"].items()
        },
        cards={key: _card(key, names["cards"][key], entry, options) for key, entry in sorted(raw["cards"].items())},
    )


def _identity(key: str, name: str, raw: Mapping[str, Any]) -> Identity:
    modifiers = {
        entry["mod"]: {key: value for key, value in entry.items() if key != "mod"} for entry in raw["modifiers"]
    }
    return built(Identity, {**raw, "name": name, "modifiers": modifiers}, id=key)


def _card(key: str, name: str, raw: Mapping[str, Any], options: Mapping[str, Any]) -> Card:
    facts = {
        "name": name,
        "count": _copies(key, raw, options),
        "location": options.get(raw["location"], raw["location"]),
        "effects": [_effect(effect, options) for effect in raw["effects"]],
    }
    return built(Card, {**raw, **facts}, id=key)


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
