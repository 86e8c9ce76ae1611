"""States as people write them: their shape, what may be left out, and what stands there instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from rules.abyss.content import ACTIONS, EVENTS, Content
from rules.abyss.state import decode_seat, encode_seat
from rules.core.files import KeyPath, rest_of

_PILES: Final = {"action_pile": ACTIONS, "event_pile": EVENTS}


def complete(
    state: Mapping[str, Any], start: Mapping[str, Any], content: Content, sources: frozenset[str]
) -> dict[str, Any]:
    """Return the canonical ``state`` object of a state of the right shape.

    What is left out takes the value it has after the setup ``start``, but for the cards: a hand or used pile that is
    not named is empty, and a pile that is not named holds the rest of the box, in the order of the setup.
    """
    firsts = start["seats"]
    result = {name: value for name, value in {**start, **state}.items() if name not in _PILES}
    result["counters"] = {
        name: state.get("counters", {}).get(name, number) if name in sources else 0
        for name, number in start["counters"].items()
    }
    result["seats"] = [
        _complete_seat(given or {}, first or firsts[0], content)
        for given, first in zip_longest(state.get("seats", []), firsts)
    ]
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
    place = {kind: number for number, kind in enumerate(content.partners)}
    partners = [{"hp": content.partners[partner["type"]].hp, **partner} for partner in seat["partners"]]
    seat["partners"] = sorted(partners, key=lambda partner: (place[partner["type"]], -partner["hp"]))
    return encode_seat(decode_seat(seat))


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
