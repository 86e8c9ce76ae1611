"""Complete play of Abyss for a player alone from whom something lies face down: every order of both piles is a world.

Each world is open play with its orders written down. The player knows of worlds only what was told, and what a look at
the table shows: choices are made for all worlds together that agree in that. Nothing is shared with the search but the
rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import OVER, Asking, Question
from rules.core.turns import State
from tests.bare import bare_position

Value = Fraction | None
World = tuple[Race[Any], State[Any], Fraction, tuple[str, ...]]
"""Rules with their orders, where play is, its chance, and all that was told."""


def orders(cards: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the different orders of some cards, each as likely as the others."""
    return sorted(set(permutations(cards)))


def worlds(data: Mapping[str, Any], *, shuffled: bool) -> Iterator[World]:
    """Yield every way in which the cards may lie; ``shuffled``: an order of a first reshuffle of each pile as well."""
    state, seat = data["state"], data["state"]["seats"][0]
    laid = seat.get("plan") and seat["plan"]["card"]
    actions = [*state["action_pile"]["front"], *seat["hand"], *([laid] if laid else [])]
    face_down = "event" in seat and not seat.get("event_up")
    events = [*state["event_pile"]["front"], *([seat["event"]] if face_down else [])]
    again = [orders(actions), orders(events)] if shuffled else [[()], [()]]
    found = []
    for front, pile, later, anew in product(orders(state["action_pile"]["front"]), orders(events), *again):
        dealt = {**seat, "event": pile[0]} if face_down else seat
        modifiers = ("short_of_resource", "traffic_jam") if data["options"].get("modifier_timing") is None else ()
        if face_down and pile[0] in modifiers and seat["plan"]["location"] == "city":
            continue  # it would have been turned up
        table = {
            **state,
            "seats": [dealt],
            "action_pile": {"front": list(front)},
            "event_pile": {"front": list(pile[1:] if face_down else pile)},
        }
        chance: dict[str, Any] = {"open": ["actions", "events"]}
        if shuffled:
            chance["lists"] = {"actions": [[], list(later)], "events": [[], list(anew)]}
        found.append({**data, "state": table, "chance": chance})
    for each in found:
        game, start = bare_position(json.dumps(each)).start()
        assert isinstance(game, Race)
        yield game, start, Fraction(1, len(found)), ()


def shown(game: Race[Any], state: State[Any]) -> Any:
    """Return what a look at the table shows to its player."""
    table = game.encode(state.table)
    seat = {**table["seats"][0]}
    seat["event"] = seat["event"] if seat["event_up"] else seat["event"] is not None
    sizes = [sum(len(pile) for pile in table[name].values()) for name in ("action_pile", "event_pile")]
    used = table["action_used"], table["event_used"], table["round"], table["phase"]
    script = Asking(state.pending)
    script.log = []
    with suppress(Question):
        game.play_turn(state.table, script)
    told = tuple(map(game.sentence, script.log))
    return json.dumps([seat, sizes, used], sort_keys=True), told, tuple(move.text for move in game.legal_moves(state))


class CompletePlay:
    """The best expected value of one goal over sets of worlds."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.begun = 0
        """Turns that were over at the start."""

    def value(self, sets: Iterable[World], turns: int) -> Value:
        """Return the value of worlds that the player cannot tell apart by what was told, times their chances."""
        groups: dict[Any, list[World]] = {}
        done: list[Value] = []
        for world in sets:
            for each, left in self._onward(world, turns):
                game, state, chance, told = each
                if left is None:
                    done.append(self._settled(game, state, chance))
                else:
                    groups.setdefault((shown(game, state), told, left), []).append(each)
        return _sum([*done, *(self._choice(group, key[2]) for key, group in groups.items())])

    def moves(self, sets: Sequence[World], turns: int) -> dict[str, Value]:
        """Return what each move is worth that is open in all worlds now, by its text."""
        game, state = sets[0][:2]
        return {move.text: self._after(sets, move.text, turns) for move in game.legal_moves(state)}

    def _choice(self, group: Sequence[World], turns: int) -> Value:
        values = [value for value in self.moves(group, turns).values() if value is not None]
        if not values:
            return None
        return min(values) if self.goal.objective is Objective.MIN_TURNS else max(values)

    def _after(self, group: Sequence[World], text: str, turns: int) -> Value:
        return self.value([self._applied(each, text) for each in group], turns)

    def _applied(self, world: World, text: str) -> World:
        game, state, chance, told = world
        transition = game.apply(state, game.parse_step(state, text))
        return game, transition.state, chance, (*told, *map(game.sentence, transition.events))

    def _onward(self, world: World, turns: int) -> Iterator[tuple[World, int | None]]:
        """Yield the worlds at the next choice with the turns left, or at the end of play with none."""
        game, state, chance, _ = world
        if not state.pending:
            turns = self._left(game, state)
            there = game.progress(state.table) >= self.goal.target and self.goal.objective is not Objective.MAX_DISTANCE
            if there or turns <= 0 or game.to_act(state) == OVER:
                yield world, None
                return
        outcomes = game.chance_outcomes(state)
        if not outcomes:
            yield world, turns
            return
        for outcome in outcomes:
            applied = self._applied(world, outcome.text)
            yield from self._onward((*applied[:2], chance * outcome.probability, applied[3]), turns)

    def _left(self, game: Race[Any], state: State[Any]) -> int:
        assert self.goal.within_turns is not None
        return self.begun + self.goal.within_turns - game.turns(state.table)

    def begin(self, sets: Sequence[World]) -> tuple[Value, dict[str, Value]]:
        """Return the value of all worlds with that of each move open now."""
        game, state = sets[0][:2]
        self.begun = game.turns(state.table)
        turns = self.goal.within_turns or 0
        return self.value(sets, turns), self.moves(sets, turns) if len(game.legal_moves(state)) > 1 else {}

    def _settled(self, game: Race[Any], state: State[Any], chance: Fraction) -> Value:
        progress = game.progress(state.table)
        if self.goal.objective is Objective.MAX_DISTANCE:
            return chance * progress
        if self.goal.objective is Objective.REACH:
            return chance * (progress >= self.goal.target)
        return chance * (game.turns(state.table) - self.begun) if progress >= self.goal.target else None


def _sum(values: Iterable[Value]) -> Value:
    found = list(values)
    return None if None in found else sum((value for value in found if value is not None), Fraction(0))


def hidden(data: Mapping[str, Any]) -> Position:
    """Return the same table with nothing known of any order."""
    return bare_position(json.dumps({**data, "chance": {"open": []}}))
