"""A round of two households on the screen: before it, with an Event face down, and what the rules did in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.core.position import Position
from rules.core.scripts import Event
from solver.commands.position import steps_rows
from solver.render import Style, draw
from solver.screens.common import position_rows
from tests.rules.abyss.boards import x3

PLANS = (
    "give_up none",
    "hire 1 ordinary_citizen",
    "give_up none",
    "hire none",
    "plan bribe city",
    "plan treatment city",
)
STYLES = [pytest.param("", Style(), id="usual"), pytest.param("-ascii", Style(ascii=True), id="ascii")]


def played(position: Position, texts: tuple[str, ...]) -> tuple[list[tuple[str, list[Event]]], Position]:
    """Return what happens in these steps, and the position after them."""
    game, state = position.start()
    taken = []
    for text in texts:
        transition = game.apply(state, game.parse_step(state, text))
        taken.append((text, list(transition.events)))
        state = transition.state
    return taken, position.after(state)


@pytest.mark.parametrize(("suffix", "style"), STYLES)
def test_two_households_before_a_round(golden: Callable[[str, str], None], suffix: str, style: Style) -> None:
    golden(f"households{suffix}", draw(position_rows(x3("short_of_resource", "riot")), style))


@pytest.mark.parametrize(("suffix", "style"), STYLES)
def test_two_households_within_a_round(golden: Callable[[str, str], None], suffix: str, style: Style) -> None:
    position = x3("short_of_resource", "riot")
    taken, after = played(position, PLANS)
    screen = draw(steps_rows(position.game, taken, after), style)
    golden(f"households-announced{suffix}", screen)
