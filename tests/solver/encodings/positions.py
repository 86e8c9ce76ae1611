"""Positions to hold the encoding of Iditacards against the rules on: played ones, dealt ones, conformance vectors."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from benchmarks.soak_tables import GAME, random_position
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.registry import find_game
from rules.core.ruleset import load_ruleset
from rules.core.scripts import SplitMix64
from rules.iditacards.content import OPTIONS
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from solver.encodings.iditacards.encoding import LATE, RULES
from tests.bare import bare_position
from tests.rules.games import RULESETS, VECTORS, vector_is_open, vector_position

OWN_RULESETS = tuple(name for name in RULESETS if name.startswith(GAME))
SOURCES = tuple(find_game(GAME.rstrip("/")).sources)
EARLY = RULES - LATE
"""Rules with which keys decide at once which hand cards pay."""


class Case(NamedTuple):
    """One table to compare on, with the game that it belongs to and a name to find it by."""

    name: str
    game: Iditacards
    table: Table


def position_of(
    ruleset: str, seed: int, options: Mapping[str, Any], lists: Mapping[str, Any] | None = None
) -> Position:
    """Return the position after the setup of one player, everything known in advance; lists go before the seed."""
    chance = {"open": list(SOURCES), "lists": dict(lists or {}), "seed": seed}
    return bare_position(
        json.dumps(
            {
                "game": GAME.rstrip("/"),
                "ruleset": ruleset.removeprefix(GAME),
                "options": dict(options),
                "players": 1,
                "chance": chance,
            }
        )
    )


def case_of(name: str, position: Position) -> Case:
    """Return the table of a position as a case."""
    assert isinstance(position.game, Iditacards)
    return Case(name, position.game, position.table())


@cache
def values_of(ruleset: str) -> Mapping[str, tuple[Any, ...]]:
    """Return the values of each option that a ruleset can have; of a number a few."""
    values: dict[str, tuple[Any, ...]] = {}
    for name, row in OPTIONS.rows.items():
        if "of" in row:
            values[name] = tuple(load_ruleset(ruleset).raw[row["of"]])
        elif isinstance(row["neutral"], bool):
            values[name] = (False, True)
        else:
            values[name] = tuple(row["values"]) if "values" in row else (12, 86, 160, 161, 200)
    return values


def random_lists(dice: random.Random, ruleset: str) -> dict[str, Any]:
    """Return listed results for the first shuffles and rolls of a game, every third time."""
    raw = load_ruleset(ruleset).raw
    if dice.random() < 2 / 3:
        return {}
    cards = [name for name, card in raw["cards"].items() for _ in range(card["copies"])]
    faces = raw["rules"]["weather"]
    orders = [dice.sample(cards, dice.randint(3, 20)) for _ in range(dice.randint(1, 4))]
    return {"deck": [orders], "weather": [dice.choice(faces) for _ in range(3 if faces else 0)]}


def random_options(dice: random.Random, ruleset: str, most: int) -> dict[str, Any]:
    """Return any values of up to so many options."""
    values = values_of(ruleset)
    names = dice.sample(sorted(values), dice.randint(0, most))
    return {name: dice.choice(values[name]) for name in names}


def played(ruleset: str, seed: int, turns: int = 12, changed: int = 0) -> Iterator[Case]:
    """Yield the tables of a random game from the setup, with up to ``changed`` options at any value."""
    dice = random.Random(f"{ruleset} {seed} {changed}")
    try:
        position = position_of(ruleset, seed, random_options(dice, ruleset, changed), random_lists(dice, ruleset))
    except BestlineError:
        return
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    generator = SplitMix64(seed)
    for turn in range(turns):
        if table.over:
            return
        yield Case(f"{ruleset} seed {seed} options {dict(position.options)} turn {turn}", game, table)
        # Of some ways the one that leads furthest, every other time: games of random turns call days without end.
        ends = [game.sample_turn(table, generator) for _ in range(dice.choice((1, 6)))]
        table = max(ends, key=lambda end: end.table.players[0].pos).table


def dealt(ruleset: str, seed: int) -> Case:
    """Return a table dealt at random under some options at any value."""
    return case_of(f"{ruleset} dealt {seed}", random_position(seed, is_open=True, tame_part=0.1, rulesets=(ruleset,)))


@cache
def open_vectors() -> tuple[str, ...]:
    """Return the names of the conformance vectors for one player in which nothing is hidden."""
    names = []
    for name, line in VECTORS.items():
        vector = json.loads(line)
        if f"{vector['game']}/" == GAME and vector["players"] == 1 and vector_is_open(vector):
            names.append(name)
    return tuple(names)


def vector(name: str) -> Case:
    """Return the table of a conformance vector."""
    return case_of(name, vector_position(name))
