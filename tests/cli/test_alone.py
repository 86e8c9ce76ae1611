"""The plainest questions of a player alone, as they are typed: no goal given, hardly anything written down."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

FIELD = """\
game = "trench_rescue"
ruleset = "2012"
players = 1

[chance]
open = ["cards", "deck", "shells"]
lists = {{ shells = "none" }}

[options]
deck_mode = "queue"
turn_limit = {turns}

[state]
size = 2
trench = {{ black = ["AC"] }}
piles = {{ "1,1" = ["2H"], "2,1" = ["4S"] }}
"""
CITY = """\
game = "abyss"
ruleset = "2021"
players = 1
{moves}
[chance]
open = [{known}]

[state]
{piles}

[[state.seats]]
identity = "adventurer"
hand = ["bribe", "digging", "flashlight", "theft", "treatment"]
"""
PILES = """\
event_pile = { front = ["safe", "riot", "forgotten_treasure"] }
action_pile = { front = ["digging", "bribe"] }"""


@pytest.fixture
def field(tmp_path: Path) -> str:
    path = tmp_path / "field.toml"
    path.write_text(FIELD.format(turns=4), "utf-8")
    return str(path)


@pytest.fixture
def city(tmp_path: Path) -> str:
    path = tmp_path / "city.toml"
    path.write_text(CITY.format(moves="", known='"actions", "events", "picks"', piles=PILES), "utf-8")
    return str(path)


@pytest.fixture
def unseen(tmp_path: Path) -> str:
    path = tmp_path / "unseen.toml"
    moves = 'moves = ["give_up bribe; actions digging", "hire 5 homeless", "plan digging abyss"]'
    path.write_text(CITY.format(moves=moves, known="", piles=""), "utf-8")
    return str(path)


def test_alone_in_the_trench_the_score_at_the_end_counts(bestline: Runner, field: str) -> None:
    told = bestline("solve", field, "--json").json
    assert told["goal"]["objective"] == "TR-S3"
    assert (told["goal"]["within_turns"], told["goal"]["measure"]) == (6, "max_distance")
    # Two cards home in four turns, of the 24 that a player has beside a field of this size.
    assert (told["status"], told["value"]) == ("optimal", 3 - 24)
    assert bestline("solve", field, "--goal", "TR-S2", "--json").json["value"] == 4


def test_a_score_that_is_not_counted_yet_is_no_value(bestline: Runner, field: str) -> None:
    run = bestline("solve", field, "--goal", "TR-S3", "--within-turns", "2")
    assert run.code == 1
    assert "the game is not over within 2 turns, so that nothing counts yet" in " ".join(run.out.split())


def test_a_hidden_field_is_asked_to_the_end_of_the_game(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "hidden.toml"
    path.write_text('game = "trench_rescue"\nruleset = "2012"\nplayers = 1\n\n[state]\ntrench = { black = ["9C"] }\n')
    told = bestline("best", str(path), "--deterministic", "--time", "0.4", "--json").json
    assert told["asked"]["within_turns"] == 24
    assert all(abs(move["decimal"]) < 10 for move in told["moves"])
    run = bestline("best", str(path), "--deterministic", "--time", "0.4")
    assert "That is too far to be followed to its end" in run.out
    assert " of 1" not in run.out
    run = bestline("best", str(path), "--goal", "TR-S3", "--within-turns", "3")
    assert run.code == 2
    assert "counts what there is at the end, up to 24 own turns from here; leave this out" in run.err


def test_more_cards_than_there_are_cannot_be_had(bestline: Runner, field: str) -> None:
    run = bestline("solve", field, "--goal", "min_turns")
    assert run.code == 1
    assert "IMPOSSIBLE proved: 34 cards cannot be reached" in run.out


def test_alone_in_the_city_rounds_to_the_goal_count(bestline: Runner, city: str) -> None:
    told = bestline("solve", city, "--no-cache", "--json").json
    assert told["goal"]["objective"] == "AB-S1"
    # The first round is too short without Forgotten Treasure, so that two are proved although many lines take two.
    assert (told["status"], told["value"], told["bound"]) == ("optimal", 2, 2)
    assert "bounds alone rule it out" in bestline("solve", city, "--no-cache").out


def test_a_target_makes_it_a_question_of_that_target(bestline: Runner, city: str) -> None:
    assert bestline("solve", city, "--target", "10", "--json").json["goal"]["objective"] == "min_turns"


def test_rounds_are_certified_as_rounds(bestline: Runner, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.gz")
    assert bestline("solve", "the-courier", "--no-cache", "--proof", proof).code == 0
    run = bestline("verify", proof)
    assert run.code == 0
    assert "Reach either goal in the fewest rounds." in run.out
    assert "the line takes 2 rounds, and none takes fewer" in run.out
    assert bestline("verify", proof, "--json").json["value"] == 2


def test_best_goes_by_rounds_like_solve(bestline: Runner) -> None:
    told = bestline("best", "flood-and-quake", "--deterministic", "--time", "1", "--json").json
    assert (told["status"], told["value"]) == ("optimal", 2)


def test_a_challenge_is_shared_with_its_question(bestline: Runner, city: str, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(bestline("solve", city, "--no-cache", "--json").out, "utf-8")
    page = bestline("export", str(answer)).out
    assert "Reach either goal in the fewest rounds.\n\n    optimal: 2 rounds" in page


def test_a_sample_is_shared_with_what_it_measures(bestline: Runner, unseen: str, tmp_path: Path) -> None:
    path, answer = Path(unseen), tmp_path / "answer.json"
    path.write_text("\n".join(line for line in path.read_text("utf-8").splitlines() if not line.startswith("moves")))
    answer.write_text(bestline("best", unseen, "--deterministic", "--time", "0.3", "--json").out, "utf-8")
    page = " ".join(bestline("export", str(answer)).out.split())
    assert "Reach either goal in the fewest rounds. That is too far to be followed to its end" in page
    assert " sampled: about point " in page


def test_events_that_lie_face_down_do_not_keep_a_review_from_samples(bestline: Runner, unseen: str) -> None:
    told = bestline("review", unseen, "--deterministic", "--time", "3", "--json").json
    # Steps may be joined; the first two were.
    assert [step["step"] for step in told["steps"]][:2] == ["give_up bribe", "actions digging"]
    decisions = [step for step in told["steps"] if step["by"] == "player"]
    assert [step["sample"]["goal"]["measure"] for step in decisions] == ["max_distance"] * 3
    assert all(step["method"] != "exact" for step in decisions)  # exact values would know the Event that is dealt
