"""The table of a game of Abyss at a stage boundary, and its canonical form (4, 17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

PHASES: Final = ("prepare", "choose", "deal", "act", "event", "refill")
"""Steps of a round in which seats act, in order: B, C, E, F, G and I."""
OVER_PHASE: Final = "over"
CITY: Final = "city"
ABYSS: Final = "abyss"


class Partner(NamedTuple):
    """A hired partner."""

    type: str
    hp: int


class TeamPlan(NamedTuple):
    """What the temporary partners do as a team of their own (5.C)."""

    card: str | None
    """Nothing once it is used."""
    location: str


class Plan(NamedTuple):
    """What a seat laid aside for a round (5.C)."""

    card: str | None
    """Nothing where the main team uses none, and once it is used."""
    location: str
    """Where the main team is."""
    temp: TeamPlan | None
    """The temp team, where there is one."""


class Carried(NamedTuple):
    """Treasure that each member of the two teams carries, where each carries its own (AB-Q38)."""

    main: int
    temp: int


class Seat(NamedTuple):
    """One seat's part of the table."""

    ap: int
    boost: int
    """Explore marks that count on this round's trip: 0, 1, or more where they add up (AB-Q24)."""
    carried: Carried | None
    """Only where it does not follow from the treasure and the members (AB-Q38)."""
    event: str | None
    """From step E until it goes to the used pile."""
    event_up: bool
    explore_pending: int
    """Explore marks that wait for the next trip."""
    flashlight: int
    """0 without the mark; rounds it lasts where it ends by itself (AB-Q26)."""
    hand: tuple[str, ...]
    """Sorted."""
    identity: str
    paid: int
    """AP paid in step B of this round."""
    partners: tuple[Partner, ...]
    """By type in the order of the ruleset, then HP descending."""
    plan: Plan | None
    rp: int
    temps: int
    treasure: int


class Pile(NamedTuple):
    """A pile to draw from: ``front`` is empty only if the pile is (9.1)."""

    front: tuple[str, ...]
    """Top first; ascending where the source is hidden. Likewise ``back``."""
    back: tuple[str, ...]
    used: tuple[str, ...]
    """First used first."""
    counter: int
    """Number of the next reshuffle; 0 for a hidden source."""


class Table(NamedTuple):
    """The whole table at a stage boundary; equal tables are equal positions."""

    actions: Pile
    events: Pile
    phase: str
    """One of ``PHASES``, or ``over``."""
    round: int
    seat: int
    """The acting seat, from 0; when the game is over, the seat whose step ended it."""
    seats: tuple[Seat, ...]
    winner: int | None


def encode(table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object (17)."""
    actions, events = table.actions, table.events
    return {
        "action_pile": {"back": list(actions.back), "front": list(actions.front)},
        "action_used": list(actions.used),
        "counters": {"actions": actions.counter, "events": events.counter},
        "event_pile": {"back": list(events.back), "front": list(events.front)},
        "event_used": list(events.used),
        "phase": table.phase,
        "round": table.round,
        "seat": table.seat + 1,
        "seats": [_encode_seat(seat) for seat in table.seats],
        "winner": None if table.winner is None else table.winner + 1,
    }


def _encode_seat(seat: Seat) -> dict[str, Any]:
    fields: dict[str, Any] = {
        **seat._asdict(),
        "boost": _flag(seat.boost),
        "explore_pending": _flag(seat.explore_pending),
        "flashlight": _flag(seat.flashlight),
        "hand": list(seat.hand),
        "partners": [{"hp": partner.hp, "type": partner.type} for partner in seat.partners],
        "plan": None if seat.plan is None else _encode_plan(seat.plan),
    }
    if seat.carried is None:
        del fields["carried"]
    else:
        fields["carried"] = seat.carried._asdict()
    return fields


def _flag(marks: int) -> bool | int:
    """A mark is a boolean; only where marks add up or last a number of rounds can there be more than one."""
    return bool(marks) if marks < 2 else marks


def _encode_plan(plan: Plan) -> dict[str, Any]:
    return {**plan._asdict(), "temp": None if plan.temp is None else plan.temp._asdict()}


def decode(state: Mapping[str, Any]) -> Table:
    """Return the table of a complete canonical ``state`` object."""
    counters = state["counters"]
    return Table(
        actions=_decode_pile(state["action_pile"], state["action_used"], counters["actions"]),
        events=_decode_pile(state["event_pile"], state["event_used"], counters["events"]),
        phase=state["phase"],
        round=state["round"],
        seat=state["seat"] - 1,
        seats=tuple(_decode_seat(seat) for seat in state["seats"]),
        winner=None if state["winner"] is None else state["winner"] - 1,
    )


def _decode_pile(pile: Mapping[str, Any], used: list[str], counter: int) -> Pile:
    return Pile(tuple(pile["front"]), tuple(pile["back"]), tuple(used), counter)


def _decode_seat(seat: Mapping[str, Any]) -> Seat:
    carried = seat.get("carried")
    fields = {
        **seat,
        **{name: int(seat[name]) for name in ("boost", "explore_pending", "flashlight")},
        "carried": None if carried is None else Carried(**carried),
        "hand": tuple(seat["hand"]),
        "partners": tuple(Partner(partner["type"], partner["hp"]) for partner in seat["partners"]),
        "plan": None if seat["plan"] is None else _decode_plan(seat["plan"]),
    }
    return Seat(**fields)


def _decode_plan(plan: Mapping[str, Any]) -> Plan:
    temp = plan["temp"]
    return Plan(plan["card"], plan["location"], None if temp is None else TeamPlan(temp["card"], temp["location"]))
