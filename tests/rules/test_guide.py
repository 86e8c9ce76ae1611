"""The guide to adding a game names everything that a game brings or may bring, and nothing that is not there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from rules.core.challenge import Quest
from rules.core.position import new_position
from rules.core.race import ImperfectInformation, Race
from rules.core.registry import GameDefinition, game_names
from rules.core.turns import Game
from tests.rules.games import EDITIONS

GUIDE = Path(__file__).parents[2] / "ARCHITECTURE.md"
HEADING = "## Add a game"
BROUGHT: tuple[type, ...] = (Game, GameDefinition, Quest, Race, ImperfectInformation)
"""Every class that a game may derive one of its own from."""


def guide() -> str:
    """Return the section of the guide."""
    after = GUIDE.read_text("utf-8").split(f"{HEADING}\n", 1)[1]
    return after.split("\n## ", 1)[0]


def named() -> set[str]:
    """Return every name that the guide sets as code."""
    return set(re.findall(r"`([A-Za-z_][A-Za-z_0-9]*)`", guide()))


def hooks(kind: type) -> list[str]:
    """Return what a class asks of a game, or lets it say better: its own public members, settled ones left out."""
    return [name for name in (*vars(kind), *vars(kind).get("__annotations__", {})) if not name.startswith("_")]


DERIVED: Mapping[type, set[str]] = {
    Game: {
        "allows",
        "apply",
        "begun",
        "chance_outcomes",
        "end_of",
        "enterable",
        "is_over",
        "legal_moves",
        "parse_step",
        "purpose",
        "sample_turn",
        "stopped",
        "to_act",
        "turn_ends",
        "unfinished",
        "why_illegal",
    },
    GameDefinition: {
        *(
            "challenges",
            "collections",
            "facts",
            "folder",
            "initial_state",
            "name",
            "option_table",
            "ordered",
            "state_schema",
        ),
        "terms_schema",
    },
    Quest: {"advance", "ask", "clock", "only_the_end_counts", "reached", "so_far"},
    Race: {
        "advance",
        "allows",
        "brief",
        "is_secret",
        "keeps",
        "kept",
        "pace",
        "players",
        "rounds",
        "settled",
        "so_far",
        "stake",
    },
}
"""What each class makes of the rest by itself; no game writes it."""


@pytest.mark.parametrize("kind", BROUGHT, ids=lambda kind: kind.__name__)
def test_the_guide_names_every_hook(kind: type) -> None:
    known = named()
    assert kind.__name__ in known
    missing = sorted({name for name in hooks(kind) if name not in known} - DERIVED.get(kind, set()))
    assert missing == [], f"ARCHITECTURE.md, '{HEADING}': not told what {kind.__name__} asks for"


def test_no_game_derives_from_anything_else_of_the_core() -> None:
    """So the list above is whole: what the shipped games are made of is in it."""
    told = {kind.__name__ for kind in BROUGHT} | {"ABC", "Generic", "object"}
    for name in EDITIONS:
        position = new_position(name)
        for made in (type(position.game), type(position.definition)):
            bases = {base for base in made.__mro__ if base.__module__.startswith("rules.core")}
            assert {base.__name__ for base in bases} <= told


def test_what_only_the_core_writes_no_game_writes() -> None:
    for name in game_names():
        position = new_position(next(one for one in EDITIONS if one.startswith(f"{name}/")))
        for made in (type(position.game), type(position.definition)):
            own = {each for base in made.__mro__ if base.__module__.startswith(f"rules.{name}") for each in vars(base)}
            assert not own & {each for kind in made.__mro__ for each in DERIVED.get(kind, ())}


def test_what_a_game_must_say_has_no_default() -> None:
    table = [line.split("|") for line in guide().splitlines() if line.startswith("| `")]
    for _, first, must, may, *_ in table:
        kind = next(kind for kind in BROUGHT if f"`{kind.__name__}`" in first)
        given = vars(kind)
        abstract = set(getattr(kind, "__abstractmethods__", ())) & set(given)
        bare = {each for each in given.get("__annotations__", {}) if each not in given}
        assert set(re.findall(r"`(\w+)`", must)) == abstract | bare
        assert not (abstract | bare) & set(re.findall(r"`(\w+)`", may))


def test_the_guide_names_nothing_that_is_gone() -> None:
    members = {member for kind in BROUGHT for member in hooks(kind)} | {kind.__name__ for kind in BROUGHT}
    assert sorted(named() - members) == []
