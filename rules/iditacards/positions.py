"""States as people write them: their shape, what may be left out, and what stands there instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rules.core.canonical import rest_of
from rules.core.files import KeyPath
from rules.core.schema import Boolean, Either, Field, Integer, ListOf, Null, Schema, Table, Text, optional
from rules.iditacards.content import Content
from rules.iditacards.validation import CONDITIONS, FACES

_ZONES: Final = ("deck", "discard", "hand", "legendary", "resolved", "seen")
_FREE: Final = ("no", "armed", "on")
_STEPS: Final = ("risk", "second")


def state_schema(content: Content) -> Table:
    """Return the shape of a ``state`` table in which anything may be left out (R1, section 19)."""
    card = Text(tuple(content.cards), kind="a card of this ruleset")
    leg = Text((*content.legs, "none"), kind="a leg of this ruleset")
    cards = ListOf(card)
    count, yes = optional(Integer()), optional(Boolean())
    counters = {
        **{name: optional(ListOf(Integer())) for name in ("deck", "legs", "upgrade")},
        **dict.fromkeys(("legendary", "weather"), count),
    }
    return Table(
        {
            "active": optional(Integer(), "the seat whose turn it is"),
            "counters": optional(Table(counters), "the number of the next chance event of each source"),
            "damage_left": optional(Integer(None), "damage cards still in their deck"),
            "day": optional(Integer(), "new days called so far"),
            "destroyed": optional(cards),
            "final": optional(Either((Null(), ListOf(Integer(), unique=True))), "seats still owed a last turn"),
            "freeze": yes,
            "legs": optional(ListOf(leg), "the leg of each section of the board"),
            "over": yes,
            "players": optional(ListOf(_player_schema(card), least=1)),
            "supply": optional(cards),
            "upgrade": optional(ListOf(cards), "one list for each upgrade deck, top first"),
            "weather": optional(Text((*FACES, "none"))),
        }
    )


def _player_schema(card: Schema) -> Table:
    count, yes = optional(Integer()), optional(Boolean())
    dog = Table({"dog": Field(card), "attachments": optional(ListOf(card))})
    frame = Table(
        {
            "card": Field(card),
            "need": Field(Integer(), doc="risk cards needed"),
            "paid": optional(Integer(), "risk cards done"),
            "step": optional(Text(_STEPS)),
            "n": optional(Integer(), "cards destroyed, where the second step needs the number"),
            "day": optional(Integer(), "the shared day when it was played"),
        }
    )
    numbers = ("days", *CONDITIONS, "known", "personal", "pos", "turns")
    return Table(
        {
            **dict.fromkeys(numbers, count),
            **dict.fromkeys(("finished", "immune", "moved"), yes),
            **{name: optional(ListOf(card)) for name in _ZONES},
            "foods": optional(ListOf(card, unique=True)),
            **{name: optional(Text(_FREE)) for name in ("free_energy", "free_health")},
            "dogs": optional(ListOf(dog)),
            "passed": optional(ListOf(Integer(), unique=True), "checkpoints passed"),
            "stack": optional(ListOf(frame), "frames waiting for their risk, bottom first"),
        }
    )


def complete(
    state: Mapping[str, Any], start: Mapping[str, Any], content: Content, sources: frozenset[str], *, dealt: bool
) -> dict[str, Any]:
    """Return the canonical ``state`` object of a state of the right shape.

    What is left out takes the value it has after the setup ``start``, but for the cards: a zone that is not named is
    empty. Only the upgrade decks, when ``dealt`` says that a seed fixes them, are those of the setup without the cards
    named elsewhere, and ``damage_left`` is what the damage cards named leave over. Hidden decks and the counters of
    hidden sources are kept as R73 says.
    """
    given = state.get("players", [{}] * len(start["players"]))
    players = [
        _complete_player(player, first, state.get("day", 0), "deck" in sources)
        for player, first in zip(given, start["players"], strict=False)
    ]
    result = {
        "active": state.get("active", 0),
        "counters": _counters(state.get("counters", {}), start["counters"], sources),
        "day": state.get("day", 0),
        "destroyed": sorted(state.get("destroyed", [])),
        "final": None if state.get("final") is None else sorted(state["final"]),
        "freeze": state.get("freeze", False),
        "legs": list(state.get("legs", start["legs"])),
        "over": state.get("over", False),
        "players": players,
        "supply": sorted(state.get("supply", [])),
        "weather": state.get("weather", "none"),
    }
    named = Counter(card for _, cards in zones(result) for card in cards)
    if "upgrade" in state:
        upgrade = [list(deck) for deck in state["upgrade"]]
    elif dealt:
        upgrade = [rest_of(deck, named) for deck in start["upgrade"]]
    else:
        upgrade = [[] for _ in start["upgrade"]]
    damage = sum(number for card, number in named.items() if content.cards[card].type == "damage")
    result["upgrade"] = upgrade if "upgrade" in sources else [sorted(deck) for deck in upgrade]
    result["damage_left"] = state.get("damage_left", max(0, start["damage_left"] - damage))
    return result


def _counters(given: Mapping[str, Any], start: Mapping[str, Any], sources: frozenset[str]) -> dict[str, Any]:
    counters: dict[str, Any] = {}
    for name, value in start.items():
        if name in sources:
            counters[name] = given.get(name, value)
        else:
            counters[name] = [0] * len(value) if isinstance(value, list) else 0
    return counters


def _complete_player(given: Mapping[str, Any], start: Mapping[str, Any], day: int, deck_open: bool) -> dict[str, Any]:
    empty = {name: [] if isinstance(value, list) else value for name, value in start.items()}
    player = {**empty, **given}
    for name in ("discard", "foods", "hand", "legendary", "passed", "resolved", "seen"):
        player[name] = sorted(player[name])
    known = len(player["deck"]) if deck_open else player["known"]
    player["deck"] = [*player["deck"][:known], *sorted(player["deck"][known:])]
    dogs = [{"attachments": sorted(dog.get("attachments", [])), "dog": dog["dog"]} for dog in player["dogs"]]
    player["dogs"] = sorted(dogs, key=lambda dog: (dog["dog"], dog["attachments"]))
    player["stack"] = [{"day": day, "n": 0, "paid": 0, "step": "risk", **frame} for frame in player["stack"]]
    return player


def zones(state: Mapping[str, Any]) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield every place of a complete state where cards lie, with its path and its cards."""
    for seat, player in enumerate(state["players"]):
        for name in _ZONES:
            yield ("players", seat, name), player[name]
        for place, dog in enumerate(player["dogs"]):
            yield ("players", seat, "dogs", place), [dog["dog"], *dog["attachments"]]
        yield ("players", seat, "stack"), [frame["card"] for frame in player["stack"]]
    yield ("destroyed",), state["destroyed"]
    yield ("supply",), state["supply"]
    for place, deck in enumerate(state.get("upgrade", ())):
        yield ("upgrade", place), deck


def census(state: Mapping[str, Any], content: Content) -> Counter[str]:
    """Return how many of each card there are over all places, the damage cards still in their deck included (R3).

    Where damage cards are without limit (Q28) nobody counts them.
    """
    cards = Counter(card for _, cards in zones(state) for card in cards)
    stock = content.deck_of_role("damage")
    for card in [card.id for card in content.cards.values() if card.deck == stock]:
        if content.options["damage_supply"] == "unlimited":
            del cards[card]
        else:
            cards[card] += state["damage_left"]
    return cards
