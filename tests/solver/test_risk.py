"""What is told of risk cards before they are known exactly, and that it has to agree with what is found later."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import repeat
from pathlib import Path

import pytest

from rules.core.errors import DisagreementError
from rules.core.position import Position, load_position, new_position
from solver.encodings.iditacards.hidden.values import VentureOdds, venture_odds
from solver.render import Style, draw
from solver.screens.cards import risk_answer, risk_rows
from solver.search.budget import Budget
from solver.tools.risk import Chance, Risks, risks

SECOND = """\
game = "iditacards"
ruleset = "2019-02"

[state]
weather = "storm"

[[state.players]]
pos = 50
hand = ["husky", "lunch", "move", "armour"]
deck = ["move", "rest", "lunch", "mush", "DECK"]
"""
FIRST = """\
game = "iditacards"
ruleset = "2017"

[[state.players]]
pos = 20
hand = ["husky", "move", "armour", "breakfast", "a_hat"]
deck = ["move", "lunch", "mush", "smart_dog", "chihuahua", "dinner", "all_in", "bison", "dog_chow", "first_aid"]
"""

TAKEN_BACK = """\
game = "iditacards"
ruleset = "2017"

[state]
weather = "rain"

[[state.players]]
pos = 17
hypothermia = 1
starvation = 3
hand = ["grandma_soup", "husky"]
deck = ["a_hat", "dinner", "dog_chow", "first_aid", "good_dog", "lunch", "lunch", "move", "move", "mush", "poutine",
  "repair_sled", "repair_sled", "sprint", "upgrade_sled", "wheel_dog"]
discard = ["first_aid", "haste", "lead_dog", "move", "move", "tactical_play", "upgrade_sled"]
"""


@pytest.fixture
def posed(tmp_path: Path) -> Callable[[str], Position]:
    """Return what reads a position."""

    def read(text: str) -> Position:
        path = tmp_path / "position.toml"
        path.write_text(text, "utf-8")
        return load_position(str(path))

    return read


def ticking(step: float) -> Callable[[], float]:
    """Return a clock that goes on by so much each time it is looked at."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += step
        return now

    return clock


def test_a_turn_under_way_is_told_too(posed: Callable[[str], Position]) -> None:
    position = posed(SECOND.replace("DECK", "first_aid"))
    game, state = position.start()
    move = next(move for move in game.legal_moves(state) if move.text.startswith("play husky"))
    state = game.apply(state, move).state
    (whole,) = risks(position.after(state)).chances
    (soon,) = risks(position.after(state), limit=Budget(0.5, clock=ticking(0.01))).chances
    assert soon.low <= whole.low == whole.high <= soon.high


def test_bounds_are_told_with_the_reason(posed: Callable[[str], Position]) -> None:
    position = posed(TAKEN_BACK)
    found = risks(position, limit=Budget(1, clock=ticking(0.01)))
    chance = found.chances[0]
    assert not chance.exact
    assert chance.because == "what poutine brings back from the discard pile is not followed"
    told = risk_answer(position, found)["cards"][0]
    assert told["because"] == chance.because
    assert Fraction(told["at_least"]["exact"]) == chance.low < chance.high == Fraction(told["at_most"]["exact"])
    screen = draw(risk_rows(position, found), Style(width=200))
    assert "proved to lie in that range" in screen
    assert chance.because in screen


@pytest.mark.parametrize(
    ("low", "high", "shown"), [("0.91234", "0.91366", "91.23 to 91.37 %"), ("0.5", "0.9", "50.0 to 90.0 %")]
)
def test_bounds_are_rounded_apart(low: str, high: str, shown: str) -> None:
    position = new_position("iditacards/2019-02", seed=2, open_sources=[])
    rows = risk_rows(position, Risks((Chance("mush", Fraction(low), Fraction(high)),)))
    assert shown in draw(rows, Style())


def test_what_was_interrupted_goes_on_where_it_was(posed: Callable[[str], Position]) -> None:
    more = '"move", "mush", "breakfast", "a_hat", "dog_chow", "first_aid", "good_dog", "repair_sled", "lead_dog"'
    position = posed(SECOND.replace('"DECK"', more))
    game, state = position.start()
    (whole,) = risks(position).chances
    assert whole.exact
    for stop in range(1, 9):
        odds = venture_odds(game, state.table, 0, "husky")
        assert odds is not None
        asked = repeat(True, stop)
        odds.greatest(partial(next, asked, False))
        assert odds.greatest(lambda: True) == (whole.low, whole.high)


def test_engines_that_disagree_are_not_chosen_between(
    posed: Callable[[str], Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(VentureOdds, "greatest", lambda *_: (Fraction(1, 97), Fraction(1, 97)))
    with pytest.raises(DisagreementError, match="husky"):
        risks(posed(FIRST))


def test_break_points_are_exact_where_the_chance_is(posed: Callable[[str], Position]) -> None:
    (chance,) = risks(posed(SECOND.replace("DECK", "repair_sled")), table=True).chances
    assert [(more.cards, more.exact) for more in chance.with_more] == [(1, True), (2, True), (3, True)]
    assert chance.low <= chance.with_more[0].chance <= chance.with_more[2].chance
