"""States as people write them: their shape, what may be left out, and what stands there instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rules.abyss.content import ACTIONS, EVENTS, Content
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, PHASES
from rules.core.files import KeyPath, rest_of
from rules.core.schema import Boolean, Either, Field, Integer, ListOf, Null, Table, Text, optional

_PILES: Final = {"action_pile": ACTIONS, "event_pile": EVENTS}
_MARK: Final = Either((Boolean(), Integer(2, 99)))
"""A mark is there or not; marks that add up, or last several rounds, are counted from 2 on."""


def state_schema(content: Content) -> Table:
    """Return the shape of a ``state`` table in which anything may be left out (4, 17)."""
    kinds = {deck: _card(content, deck) for deck in (ACTIONS, EVENTS)}
    count = optional(Integer())

    def pile(deck: str) -> Table:
        return Table({"back": optional(ListOf(kinds[deck])), "front": optional(ListOf(kinds[deck]))})

    return Table(
        {
            **{
                name: optional(pile(deck), "top first; the rest of the box if left out")
                for name, deck in _PILES.items()
            },
            "action_used": optional(ListOf(kinds[ACTIONS]), "first used first"),
            "event_used": optional(ListOf(kinds[EVENTS]), "first used first"),
            "counters": optional(Table({"actions": count, "events": count}), "number of the next reshuffle"),
            "phase": optional(Text((*PHASES, OVER_PHASE)), "the step under way"),
            "round": optional(Integer(1)),
            "seat": optional(Integer(1), "the acting seat, from 1"),
            "seats": optional(ListOf(_seat(content, kinds), least=1)),
            "winner": optional(Either((Null(), Integer(1)))),
        }
    )


def _card(content: Content, deck: str) -> Text:
    names = tuple(card.id for card in content.cards.values() if card.deck == deck)
    return Text(names, kind=f"a card of the deck '{deck}' of this ruleset")


def _seat(content: Content, kinds: Mapping[str, Text]) -> Table:
    number, count, yes = optional(Integer(None)), optional(Integer()), optional(Boolean())
    location = Text((CITY, ABYSS))
    partner = Table(
        {"type": Field(Text(tuple(content.partners), kind="a type of partner")), "hp": optional(Integer(1))}
    )
    team = {"card": optional(Either((Null(), kinds[ACTIONS]))), "location": optional(location)}
    plan = Table({**team, "temp": optional(Either((Null(), Table(team))))})
    return Table(
        {
            **dict.fromkeys(("ap", "rp"), number),
            **dict.fromkeys(("paid", "temps", "treasure"), count),
            **{name: optional(_MARK) for name in ("boost", "explore_pending", "flashlight")},
            "carried": optional(Table({"main": Field(Integer()), "temp": Field(Integer())})),
            "event": optional(Either((Null(), kinds[EVENTS]))),
            "event_up": yes,
            "hand": optional(ListOf(kinds[ACTIONS])),
            "identity": optional(Text(tuple(content.identities), kind="an identity of this ruleset")),
            "partners": optional(ListOf(partner)),
            "plan": optional(Either((Null(), plan))),
        }
    )


def complete(
    state: Mapping[str, Any], start: Mapping[str, Any], content: Content, sources: frozenset[str]
) -> dict[str, Any]:
    """Return the canonical ``state`` object of a state of the right shape.

    What is left out takes the value it has after the setup ``start``, but for the cards: a hand or used pile that is
    not named is empty, and a pile that is not named holds the rest of the box, in the order of the setup.
    """
    given = state.get("seats", [])
    seats = [
        _complete_seat(given[index] if index < len(given) else {}, first, content)
        for index, first in enumerate(start["seats"])
    ]
    seats += [_complete_seat(extra, start["seats"][0], content) for extra in given[len(seats) :]]
    result = {
        "action_used": list(state.get("action_used", [])),
        "counters": {
            name: state.get("counters", {}).get(name, number) if name in sources else 0
            for name, number in start["counters"].items()
        },
        "event_used": list(state.get("event_used", [])),
        "phase": state.get("phase", PHASES[0]),
        "round": state.get("round", 1),
        "seat": state.get("seat", start["seat"]),
        "seats": seats,
        "winner": state.get("winner"),
    }
    named = Counter(card for _, _, cards in zones(result) for card in cards)
    for name, deck in _PILES.items():
        if name in state:
            pile = [list(state[name].get(part, [])) for part in ("front", "back")]
        else:
            pile = [rest_of(_all_cards(start, name, deck), named), []]
        front, back = pile if deck in sources else [sorted(part) for part in pile]
        result[name] = {"back": back if front else [], "front": front or back}
    return result


def _all_cards(start: Mapping[str, Any], name: str, deck: str) -> list[str]:
    """Return a whole deck in the order of the setup, the hands on top."""
    hands = [card for seat in start["seats"] for card in seat["hand"]] if deck == ACTIONS else []
    return [*hands, *start[name]["front"]]


def _complete_seat(given: Mapping[str, Any], start: Mapping[str, Any], content: Content) -> dict[str, Any]:
    seat = {**start, "hand": [], **given}
    seat["hand"] = sorted(seat["hand"])
    place = {kind: number for number, kind in enumerate(content.partners)}
    partners = [
        {"hp": partner.get("hp", content.partners[partner["type"]].hp), "type": partner["type"]}
        for partner in seat["partners"]
    ]
    seat["partners"] = sorted(partners, key=lambda partner: (place[partner["type"]], -partner["hp"]))
    if seat["plan"] is not None:
        temp = seat["plan"].get("temp")
        seat["plan"] = {**_team(seat["plan"]), "temp": None if temp is None else _team(temp)}
    return seat


def _team(given: Mapping[str, Any]) -> dict[str, Any]:
    return {"card": given.get("card"), "location": given.get("location", CITY)}


def zones(state: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str, list[str]]]:
    """Yield every place of a state where cards lie, with its path, the deck they belong to, and the cards."""
    for index, seat in enumerate(state["seats"]):
        yield ("seats", index, "hand"), ACTIONS, seat["hand"]
        plan = seat["plan"]
        teams = [] if plan is None else [plan, *([plan["temp"]] if plan["temp"] else [])]
        yield ("seats", index, "plan"), ACTIONS, [team["card"] for team in teams if team["card"] is not None]
        yield ("seats", index, "event"), EVENTS, [] if seat["event"] is None else [seat["event"]]
    yield ("action_used",), ACTIONS, state["action_used"]
    yield ("event_used",), EVENTS, state["event_used"]
    for name, deck in _PILES.items():
        for part in ("front", "back"):
            if name in state:
                yield (name, part), deck, state[name][part]


def census(state: Mapping[str, Any]) -> Counter[str]:
    """Return how many of each card there are over all places."""
    return Counter(card for _, _, cards in zones(state) for card in cards)
