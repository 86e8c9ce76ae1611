"""Small tables of Abyss to test with, and games played by naming only what somebody decides."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rules.abyss.engine import Abyss
from rules.abyss.state import Table
from rules.abyss.turn import GO_ON
from rules.core.position import Position
from rules.core.scripts import Event, Forced
from rules.core.turns import Perft, State, perft
from tests.bare import bare_position

OPEN = ("actions", "events", "picks")
FIRST_HAND = ["bribe", "digging", "flashlight", "theft", "treatment"]
EVENTS = sorted(
    card
    for card in (
        *("abandoned_camp", "be_theft", "earthquake", "excavation", "flooding"),
        *("forgotten_treasure", "riot", "safe", "short_of_resource", "traffic_jam"),
    )
    for _ in range(4)
)
"""The usual pile of Events."""
HOME = {"card": None, "location": "city", "temp": None}
AWAY = {"card": None, "location": "abyss", "temp": None}
"""Where a team is that has used its card."""


def partners(*texts: str) -> list[dict[str, Any]]:
    """Return partners written as in moves: ``homeless:2``."""
    return [{"type": text.split(":")[0], "hp": int(text.split(":")[1])} for text in texts]


def seat(**fields: Any) -> dict[str, Any]:
    """Return a seat; ``partners`` may be written in short."""
    if "partners" in fields:
        fields["partners"] = partners(*fields["partners"])
    return fields


def plan(card: str | None, location: str = "city", temp: Sequence[str | None] | None = None) -> dict[str, Any]:
    """Return a plan, that of the temp team as a pair."""
    second = None if temp is None else {"card": temp[0], "location": temp[1]}
    return {"card": card, "location": location, "temp": second}


def acts(card: str, location: str = "city", **fields: Any) -> dict[str, Any]:
    """Return a seat about to use a card."""
    return seat(plan=plan(card, location), **fields)


def board(
    *seats: Mapping[str, Any],
    actions: Sequence[str] = (),
    events: Sequence[str] = (),
    known: Sequence[str] = OPEN,
    options: Mapping[str, Any] | None = None,
    chance: Mapping[str, Any] | None = None,
    ruleset: Any = "2021",
    **state: Any,
) -> Position:
    """Return a position: seats, both piles, and whatever else of the state differs from the start."""
    seats = seats or (seat(),)
    data = {
        "game": "abyss",
        "ruleset": ruleset,
        "players": len(seats),
        "options": dict(options or {}),
        "chance": {"open": list(known), **(chance or {})},
        "state": {
            "seats": list(seats),
            "action_pile": {"front": list(actions)},
            "event_pile": {"front": list(events)},
            **state,
        },
    }
    return bare_position(json.dumps(data))


def engine(position: Position) -> Abyss:
    """Return the rules of a position."""
    game = position.game
    assert isinstance(game, Abyss)
    return game


def run(position: Position, *moves: str) -> State[Table]:
    """Return the state after these moves, every stage without a decision gone on with."""
    return told(position, *moves)[0]


def told(position: Position, *moves: str) -> tuple[State[Table], list[Event]]:
    """Return the state after these moves and everything that happened."""
    game, state = position.start()
    events: list[Event] = []
    waiting = list(moves)
    while True:
        steps = game.legal_moves(state) or game.chance_outcomes(state)
        if steps == (GO_ON,):
            step: Any = GO_ON
        elif waiting:
            step = game.parse_step(state, waiting.pop(0))
        else:
            return state, events
        transition = game.apply(state, step)
        events += transition.events
        state = transition.state
        if game.is_over(state.table):
            assert not waiting, f"the game is over before {waiting}"
            return state, events


def after(position: Position, *moves: str) -> Table:
    """Return the table after these moves, at a stage boundary."""
    state = run(position, *moves)
    assert all(isinstance(step, Forced) for step in state.pending)
    return state.table


def stage(position: Position, *moves: str) -> Table:
    """Return the table after one stage with these moves, no further."""
    game, state = position.start()
    for move in moves or ("go_on",):
        state = game.apply(state, game.parse_step(state, move)).state
    assert not state.pending
    return state.table  # type: ignore[no-any-return]  # tables are of any type here


def moves(position: Position, *before: str) -> list[str]:
    """Return the texts of what is open after some moves."""
    game, state = position.start()
    for text in before:
        state = game.apply(state, game.parse_step(state, text)).state
    return [step.text for step in game.legal_moves(state) or game.chance_outcomes(state)]


def ends(position: Position, turns: int = 1) -> Perft:
    """Return what the next stages can lead to."""
    return perft(*position.start(), turns)


def team(table: Table, index: int = 0) -> list[str]:
    """Return a seat's partners, written as in moves."""
    return [f"{partner.type}:{partner.hp}" for partner in table.seats[index].partners]


def x3(*events: str) -> Position:
    """Return the position of worked example X3, with these Events."""
    first = seat(
        identity="leader",
        ap=12,
        rp=3,
        partners=["homeless:2", "ordinary_citizen:3"],
        hand=["assassination", "bribe", "digging", "give_a_speech", "treatment"],
    )
    second = seat(identity="adventurer", ap=7, rp=1, partners=["homeless:1", "trained_person:2"], hand=FIRST_HAND)
    return board(first, second, events=events, actions=["unreasonable_clause", "accept_bribes"], round=5)


def covered_offer(text: str, *, known: tuple[str, ...] = ()) -> tuple[Any, Any]:
    """Return a game and the state in which the second seat hears of an offer no more than its number."""
    start = board(
        seat(hand=["bribe", "digging", "theft"], plan=plan("transaction", "city")),
        seat(hand=["flashlight", "treatment"], plan=HOME),
        phase="act",
        known=known,
        actions=["flashlight", "treatment", "accept_bribes"],
        events=["safe"],
        options={"transaction_offer": "number_only"},
    )
    game, state = start.game, start.start()[1]
    return game, game.apply(state, next(move for move in game.legal_moves(state) if move.text == text)).state
