"""The command that tells how likely risk cards come through: chances, orders, when to stop, and a stop meanwhile."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rules.core.position import load_position, new_position
from solver.render import Style, draw
from solver.screens.cards import risk_rows
from solver.search.budget import Budget
from solver.tools.risk import Chance, Risks, risks
from tests.cli.tables import HIDDEN

if TYPE_CHECKING:
    from tests.cli.conftest import Runner


DOGS = """\
game = "iditacards"
ruleset = "2019-02"

[state]
weather = "storm"

[[state.players]]
pos = 33
dogs = [{ dog = "wheel_dog" }, { dog = "husky" }]
hand = ["mush", "push", "lunch", "a_hat", "armour"]
deck = ["dinner", "band_aid", "lunch", "move", "good_dog", "rest"]
"""


def test_risk_tells_the_chance_of_each_card(bestline: Runner, hidden: str) -> None:
    run = bestline("risk", hidden, "--json", "--table")
    assert run.code == 0
    card = run.json["cards"][0]
    assert (card["card"], card["chance"], card["decimal"], card["method"]) == ("mush", "1/4", 0.25, "exact")
    chances = [Fraction(each["chance"]) for each in card["with_more_cards"]]
    assert chances == sorted(chances)
    assert chances[-1] > Fraction(1, 4)
    assert card["paying"] == {"first": [], "pay": ["armour", "lunch"], "pay_new_cards": 0}


def test_risk_on_a_screen(bestline: Runner, hidden: str) -> None:
    out = bestline("risk", hidden, "--table").out
    assert "mush  ████░░░░░░░░░░░░  25.0 %  1/4  pay armour, lunch" in out
    assert "+1 card " in out


def test_risk_with_known_cards_on_top_says_what_to_pay_with_and_what_is_not_told(
    bestline: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "known.toml"
    path.write_text(
        HIDDEN.replace("2019-02", "2017")
        .replace('"storm"\nupgrade = [[], [], [], []]', '"sun"\nupgrade = [[]]')
        .replace('"wheel_dog", attachments = [] }', '"husky", attachments = [] }')
        .replace("pos = 50", "pos = 20\nknown = 2")
        .replace('["rest", "breakfast", "lunch", "a_hat"]', '["first_aid", "breakfast", "move", "a_hat"]'),
        "utf-8",
    )
    card = bestline("risk", str(path), "--json").json["cards"][0]
    assert (card["card"], card["chance"], card["paying"]["pay"]) == ("mush", "1/2", ["armour", "lunch"])
    assert "not told for mush: when to stop" in " ".join(bestline("risk", str(path)).out.split())
    path.write_text(HIDDEN, "utf-8")
    assert "not told" not in bestline("risk", str(path)).out


SEVERAL = HIDDEN.replace('["mush", "lunch", "armour"]', '["mush", "husky", "armour", "dinner", "good_dog"]').replace(
    '["rest", "breakfast", "lunch", "a_hat"]', '["rest", "breakfast", "lunch", "move", "move", "mush", "dog_chow"]'
)


def test_risk_tells_when_to_stop(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "several.toml"
    path.write_text(SEVERAL, "utf-8")
    told = bestline("risk", str(path), "--table", "--json").json
    assert [card["card"] for card in told["cards"]] == ["husky", "mush"]
    for card in told["cards"]:
        down = card["face_down"]
        assert Fraction(down["chance"]["exact"]) <= Fraction(card["chance"])
        turned = [(Fraction(each["probability"]), Fraction(each["chance"])) for each in down["turned_up"]]
        assert sum(probability for probability, _ in turned) == 1
        assert sum(probability * chance for probability, chance in turned) == Fraction(down["chance"]["exact"])
    assert "When to stop" in bestline("risk", str(path), "--table").out


def test_the_first_line_keeps_the_dogs(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "dogs.toml"
    path.write_text(DOGS, "utf-8")
    card = bestline("risk", str(path), "--json").json["cards"][0]
    kept = Fraction(card["nothing_given_up"]["exact"])
    assert kept < Fraction(card["chance"])
    lines = [line for line in bestline("risk", str(path)).out.splitlines() if "mush" in line]
    assert f" {kept} " in lines[0]
    assert "sacrifice" not in lines[0]
    assert "could be had with sacrifice" in lines[1]


@pytest.mark.parametrize("part", [0.0, 0.5, 0.98])
def test_ctrl_c_keeps_the_chances_found_so_far(tmp_path: Path, part: float) -> None:
    path = tmp_path / "several.toml"
    path.write_text(SEVERAL, "utf-8")
    position = load_position(str(path))
    looks, last = 0, 1 << 30

    def clock() -> float:
        nonlocal looks
        looks += 1
        if looks == last:
            raise KeyboardInterrupt
        return 0.0

    whole = risks(position, limit=Budget(clock=clock))
    looks, last = 0, min(looks, int(part * looks) + 2)
    found = risks(position, limit=Budget(clock=clock))
    assert (whole.interrupted, found.interrupted) == (False, True)
    for known, each in zip(whole.chances, found.chances, strict=True):
        assert each.card == known.card
        assert each.low <= known.low <= each.high
        assert each.plain in (None, known.plain)
    told = [each.plain is not None for each in found.chances]
    assert told == ([False] * len(told) if part < 0.1 else [True] * len(told))


def test_stopping_is_advised_where_a_card_is_lost(bestline: Runner, hidden: str) -> None:
    out = bestline("risk", hidden).out
    # One of four cards is paid for and one turned up: A Hat and Breakfast cannot be paid for, nor Lunch.
    assert "after a_hat or breakfast or lunch (75.0 %): it cannot come through then" in " ".join(out.split())
    assert "100.0 % after rest" in " ".join(out.split())


def test_a_card_that_cannot_be_begun_is_refused(bestline: Runner, hidden: str) -> None:
    run = bestline("risk", hidden, "husky")
    assert (run.code, run.out) == (2, "")
    assert "'husky' is not in the hand, which holds armour, lunch, mush" in run.err
    assert "did you mean 'mush'?" in bestline("risk", hidden, "muhs").err
    waiting = bestline("apply", hidden, "play mush pay armour lunch; deck rest; deck a_hat", "--json").json
    paid = bestline("pay", waiting["position_code"], "breakfast")
    assert (paid.code, paid.out) == (2, "")


def test_the_card_under_way_is_told(bestline: Runner, hidden: str) -> None:
    played = bestline("apply", hidden, "play mush pay armour lunch; deck rest; deck a_hat", "--json").json
    told = bestline("risk", played["position_code"], "--json").json["cards"]
    assert [(each["card"], each["under_way"], each["chance"]) for each in told] == [("mush", True, "0")]
    run = bestline("risk", played["position_code"], "lunch")
    assert run.code == 2
    assert "'mush' is under way" in run.err


def test_a_hand_without_risk_cards_is_said_to_be_so(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "plain.toml"
    path.write_text(HIDDEN.replace('"mush", ', ""), "utf-8")
    run = bestline("risk", str(path))
    assert run.code == 0
    assert "No card in the hand" in run.out


def test_risk_and_dangers_say_what_is_hidden(bestline: Runner, hidden: str) -> None:
    for state, words in ((hidden, "known      Hidden: deck"), ("risk-in-risk", "known      Everything is open")):
        assert words in bestline("risk", state).out


def test_what_is_told_between_bounds_has_a_line_of_its_own() -> None:
    position = new_position("iditacards/2019-02", seed=2, open_sources=[])
    chance = Chance("husky", Fraction(2, 3), Fraction(1), Fraction(960437, 1395360))
    rows = risk_rows(position, Risks((chance,)))
    lines = [row for row in rows if "just going on" in row.text]
    assert [line.label for line in lines] == [""]
    assert lines[0].text.startswith("husky: exactly 960437/1395360 (68.8 %) just going on")


def test_a_chance_of_which_nothing_is_proved_is_no_chance_of_nothing() -> None:
    position = new_position("iditacards/2019-02", seed=2, open_sources=[])
    chance = Chance("mush")
    text = draw(risk_rows(position, Risks((chance,))), Style())
    assert "nothing proved yet" in text
    assert "0.0 %" not in text
