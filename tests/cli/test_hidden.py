"""Questions about a deck whose order nobody knows: values, moves, payments, hints, reviews."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.tables import HIDDEN, REACH, record

if TYPE_CHECKING:
    from tests.cli.conftest import Runner


def test_a_chance_is_an_exact_fraction_beside_a_decimal(bestline: Runner, hidden: str) -> None:
    run = bestline("solve", hidden, *REACH, "--json")
    assert (run.code, run.err) == (0, "")
    told = run.json
    # Mush needs one risk card of two left: Rest and Lunch come through, A Hat and Breakfast cannot be paid for.
    assert (told["value"], told["decimal"], told["bound"]) == ("1/4", 0.25, "1/4")
    assert (told["information"], told["status"], told["method"]) == ("hidden", "optimal", "expectimax")
    assert told["plan"]


def test_solve_tells_the_next_turn_as_best_does(bestline: Runner, hidden: str) -> None:
    told = [bestline(command, hidden, *REACH, "--json").json["next_turn"] for command in ("solve", "best")]
    assert told[0] == told[1] != []
    out = bestline("solve", hidden, *REACH).out
    assert "Next turn" in out
    assert "in more ways than are told here" not in " ".join(out.split())


@pytest.mark.parametrize("command", ["solve", "best"])
@pytest.mark.parametrize(
    "goal",
    [
        ["--target", "51"],
        ["--target", "51", "--within-turns", "2"],
        ["--goal", "reach", "--target", "51", "--within-turns", "3"],
    ],
)
def test_nothing_hangs_on_a_next_turn_where_this_one_is_enough(
    bestline: Runner, tmp_path: Path, goal: list[str], command: str
) -> None:
    path = tmp_path / "drawing.toml"
    cards = '["rest", "breakfast", "lunch", "a_hat", "move", "damaged", "dinner", "good_dog", "lead_dog"]'
    path.write_text(HIDDEN.replace('["rest", "breakfast", "lunch", "a_hat"]', cards), "utf-8")
    out = " ".join(bestline(command, str(path), *goal).out.split())
    assert "SOLVED" in out
    assert "hangs on what comes up" not in out


def test_no_turns_have_no_goal_that_is_reached(bestline: Runner, hidden: str) -> None:
    out = bestline("best", hidden, "--goal", "max_distance", "--within-turns", "0").out
    assert "SOLVED space 50: no turn is left" in out


def test_nothing_is_said_to_be_done_where_chance_decides_next(bestline: Runner, hidden: str) -> None:
    waiting = bestline("apply", hidden, "play mush pay armour lunch; deck breakfast", "--json").json["position_code"]
    out = bestline("solve", waiting, *REACH).out
    assert "SOLVED 33.3 % (1/3), proved best; chance decides next" in out
    assert "SOLVED 33.3 % (1/3), proved best; chance decides next" in bestline("best", waiting, *REACH).out
    hint = bestline("hint", waiting, *REACH)
    assert (hint.code, hint.out.startswith("chance decides next; apply what came up")) == (0, True)


def test_reasons_that_cannot_be_told_are_not_passed_over(bestline: Runner, hidden: str) -> None:
    run = bestline("solve", hidden, *REACH, "--why")
    assert (run.code, run.err) == (
        *(0, "--why changes nothing here: it names the rules behind an open question, and here chance is hidden\n"),
    )


def test_reasons_are_given_where_moves_were_compared_by_playouts(bestline: Runner, hidden: str) -> None:
    run = bestline("best", hidden, "--target", "120", "--time", "0", "--why")
    assert (run.code, run.err) == (3, "")
    assert "\nbecause    " in run.out


def test_best_compares_every_move(bestline: Runner, hidden: str) -> None:
    told = bestline("best", hidden, *REACH, "--top", "99", "--json", "--vs", "play armour pay lunch").json
    moves = [move for move in bestline("moves", hidden, "--json").json["moves"] if move != "new_day"]
    assert sorted(each["move"] for each in told["moves"]) == moves
    assert told["open"] == told["considered"] == len(moves)
    assert told["moves"][0]["value"] == told["value"]
    assert told["versus"]["move"] == "play armour pay lunch"
    assert Fraction(told["versus"]["value"]) + Fraction(told["versus"]["loss"]) == Fraction(told["value"])


def test_people_see_odds_moves_and_what_is_not_known(bestline: Runner, hidden: str) -> None:
    out = bestline("best", hidden, *REACH, "--vs", "play armour pay lunch").out
    assert "SOLVED 25.0 % (1/4), proved best" in out
    assert "play mush pay armour lunch" in out
    assert "instead" in out
    assert "Hidden: deck" in out


def test_what_cannot_be_is_proved_impossible(bestline: Runner, hidden: str) -> None:
    run = bestline("solve", hidden, *REACH[:3], "90", *REACH[4:])
    assert run.code == 1
    assert "IMPOSSIBLE" in run.out
    told = bestline("best", hidden, *REACH[:3], "90", *REACH[4:], "--json").json
    assert (told["status"], told["value"], told["bound"]) == ("infeasible", "0", "0")
    assert (told["line"], told["proof"]) == ([], {"method": "expectimax"})
    assert told["considered"] == told["open"] > 1


def test_a_distance_stands_where_no_move_is_left(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "stuck.toml"
    path.write_text(HIDDEN.replace('["mush", "lunch", "armour"]', '["armour"]'), "utf-8")
    run = bestline("solve", str(path), "--goal", "max_distance", "--within-turns", "2", "--no-new-day", "--json")
    assert (run.code, run.json["status"], run.json["value"], run.json["bound"]) == (0, "optimal", "52", "52")


def test_a_limit_gives_bounds(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "opening.toml"
    assert bestline("position", "new", "iditacards/2019-02", "--seed", "3", "--open", "none", "-o", str(path)).code == 0
    run = bestline("solve", str(path), *REACH[:3], "20", "--within-turns", "6", "--time", "0", "--json")
    moves = bestline("moves", str(path), "--json").json["moves"]
    assert run.code == 3
    assert run.json["status"] in ("unknown", "feasible")
    assert (run.json["bound"], run.json["open"]) == ("1", len(moves))


def test_expected_turns_need_certainty_or_a_limit(bestline: Runner, hidden: str) -> None:
    words = ["--target", "53", "--no-new-day"]
    told = bestline("solve", hidden, *words, "--json").json
    assert (told["value"], told["decimal"]) == ("2", 2.0)
    run = bestline("solve", hidden, "--target", "90", "--no-new-day")
    assert (run.code, run.out) == (2, "")
    assert "--goal reach" in run.err
    told = bestline("solve", hidden, "--target", "62", "--no-new-day", "--within-turns", "2", "--json").json
    assert told["goal"]["objective"] == "reach"


def test_the_same_question_twice_gives_the_same_bytes(bestline: Runner, hidden: str) -> None:
    for words in (["solve", hidden, *REACH], ["best", hidden, *REACH, "--json"], ["risk", hidden, "--table"]):
        first = bestline(*words, "--deterministic").out
        assert bestline(*words, "--deterministic").out == first


def test_pay_keeps_what_can_be_played(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "pay.toml"
    hand = '["lunch", "move", "dinner", "good_dog", "husky"]'
    path.write_text(HIDDEN.replace('["mush", "lunch", "armour"]', hand), "utf-8")
    told = bestline("pay", str(path), "lunch", "--json").json
    assert (told["cost"], told["considered"], told["playable_when"]) == (2, 6, "next turn")
    # Three of four cards are drawn, so that no health can be paid next turn: only Move is left to play.
    assert told["best"]["pay"] == ["dinner", "good_dog"]
    assert told["best"]["playable"] == ["move"]
    kept = bestline("pay", str(path), "lunch", "--keep", "good_dog", "--json").json
    assert "good_dog" in kept["best"]["keeps"]
    assert kept["best"]["pay"] == ["dinner", "husky"]
    out = bestline("pay", str(path), "lunch").out
    assert "PAY dinner, good_dog for lunch" in out


def test_pay_for_a_card_that_waits_looks_further(bestline: Runner, hidden: str) -> None:
    path = Path(hidden)
    path.write_text(HIDDEN.replace('"armour"]', '"armour", "move", "good_dog"]'), "utf-8")
    told = bestline("pay", hidden, "mush", "--json").json
    assert told["playable_when"] == "later"
    # Good Dog costs three cards, and only two would be there beside it.
    assert told["best"]["playable"] == ["armour", "move"]
    assert told["best"]["pay"] == ["good_dog", "lunch"]


PLANNED = HIDDEN.replace('["mush", "lunch", "armour"]', '["mush", "lunch", "armour", "move"]')


def test_pay_keeps_the_plan_before_what_stays_playable(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLANNED, "utf-8")
    goal = ["--goal", "max_distance", "--within-turns", "3", "--no-new-day"]
    moves = bestline("best", str(path), *goal, "--top", "99", "--json").json["moves"]
    values = {each["move"]: each["value"] for each in moves}
    told = bestline("pay", str(path), "mush", *goal, "--json").json
    assert told["plan_settled"]
    assert told["considered"] == 3
    for way in told["payments"]:
        assert way["decimal"] == float(Fraction(way["value"]))
        assert way["value"] == values[f"play mush pay {' '.join(way['pay'])}"]
    most = max(Fraction(value) for move, value in values.items() if move.startswith("play mush"))
    assert Fraction(told["best"]["value"]) == most
    assert all(most - Fraction(way["value"]) == Fraction(way["loss"]) for way in told["payments"])
    assert len({value for move, value in values.items() if move.startswith("play mush")}) > 1
    plan = f"plan       space {float(most):.3f}".rstrip("0")
    assert f"{plan} ({most})" in bestline("pay", str(path), "mush", *goal).out
    # A card that is to be kept is kept before the plan.
    kept = bestline("pay", str(path), "mush", *goal, "--keep", "armour", "--json").json["best"]
    assert "armour" in kept["keeps"]
    assert Fraction(kept["value"]) < most


def test_pay_uses_the_goal_of_a_puzzle(bestline: Runner) -> None:
    told = bestline("pay", "risk-in-risk", "husky", "--json").json
    assert told["goal"]["target"] == 72
    assert {way["loss"] for way in told["payments"]} == {"0"}


def test_pay_says_when_the_plan_was_out_of_reach(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLANNED, "utf-8")
    words = ["mush", "--goal", "max_distance", "--within-turns", "3", "--time", "0"]
    told = bestline("pay", str(path), *words, "--json").json
    assert (told["plan_settled"], told["goal"]) == (False, None)
    assert "not taken into account" in " ".join(bestline("pay", str(path), *words).out.split())


@pytest.mark.parametrize("known", ["[]", '["deck", "upgrade", "weather"]'])
def test_pay_knows_a_goal_that_no_payment_reaches(bestline: Runner, tmp_path: Path, known: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"{PLANNED}\n[chance]\nseed = 1\nopen = {known}\n", "utf-8")
    words = ["mush", "--goal", "reach", "--target", "150", "--within-turns", "2", "--no-new-day"]
    told = bestline("pay", str(path), *words, "--json").json
    assert (told["plan_settled"], told["interrupted"]) == (True, False)
    assert {way["value"] for way in told["payments"]} == {None}


def test_whoever_stops_pay_still_has_a_payment(bestline: Runner, hidden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    Path(hidden).write_text(PLANNED, "utf-8")
    monkeypatch.setattr("solver.search.expectimax.FirstTurn.value", stopped)
    run = bestline("pay", hidden, "mush", "--goal", "max_distance", "--within-turns", "3", "--no-new-day")
    assert run.code == 130
    assert "PAY " in run.out


def test_pay_refuses_what_is_not_there(bestline: Runner, hidden: str) -> None:
    for words, message in (
        (["husky"], "'husky' is not in the hand, which holds"),
        (["mush", "--keep", "husky"], "'husky' is not in the hand beside 'mush'"),
    ):
        run = bestline("pay", hidden, *words)
        assert (run.code, run.out) == (2, "")
        assert message in run.err


def test_a_card_without_cost_needs_no_payment(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "free.toml"
    path.write_text(HIDDEN.replace('"armour"]', '"move"]'), "utf-8")
    assert "move costs no cards here" in bestline("pay", str(path), "move").out


def test_hints_tell_more_step_by_step(bestline: Runner, hidden: str) -> None:
    screens = [bestline("hint", hidden, *REACH, "--level", level).out for level in ("nudge", "card", "move", "line")]
    told = [screen.splitlines()[0] for screen in screens]
    assert told[0] == "play a card from the hand; 2 other cards pay for it"
    assert told[1:3] == ["play mush", "play mush pay armour lunch"]
    assert told[3].startswith("play mush pay armour lunch")
    code = bestline("position", "encode", hidden).out
    assert all(
        screen.endswith(f"\nknown      Hidden: deck, upgrade, weather.\ncode       {code}") for screen in screens
    )
    answer = bestline("hint", hidden, *REACH, "--level", "card", "--json").json
    assert (answer["hint"], answer["sure"]) == ("play mush", True)


def test_a_payment_whose_value_was_not_looked_for_is_not_called_lost(bestline: Runner) -> None:
    assert bestline("best", "sprint-10", "--vs", "play mush pay dog_chow first_aid").out.count("or more") == 1
    told = bestline("pay", "sprint-10", "mush").out
    assert "not settled as far as was looked" in told
    assert "out of reach" not in told


def test_a_hint_at_a_limit_says_that_it_was_one(bestline: Runner) -> None:
    run = bestline("hint", "call-up", "--level", "move", "--time", "0")
    assert run.code == 3
    assert run.out.splitlines()[0].endswith(" (the best found, not proved)")


@pytest.mark.parametrize("name", ["hidden", "state"])
def test_there_is_no_hint_where_the_goal_is_reached_or_out_of_reach(
    bestline: Runner, request: pytest.FixtureRequest, name: str
) -> None:
    words = ["hint", request.getfixturevalue(name), "--goal", "reach", "--within-turns", "1", "--no-new-day"]
    run = bestline(*words, "--target", "0")
    assert (run.code, run.out.splitlines()[0]) == (0, "nothing is left to do: the goal is reached")
    run = bestline(*words, "--target", "160")
    why = "that is proved, whatever comes up" if name == "hidden" else "'bestline solve --why' tells why"
    assert (run.code, run.out.splitlines()[0]) == (1, f"no move serves the goal, it cannot be reached; {why}")
    told = bestline(*words, "--target", "160", "--json")
    assert (told.code, told.json["hint"]) == (1, None)


def test_hints_in_an_open_position(bestline: Runner, state: str) -> None:
    words = ["--target", "54", "--no-new-day"]
    best = bestline("best", state, *words, "--json").json["moves"][0]
    line = bestline("hint", state, *words, "--level", "line").out
    assert line.startswith("; ".join(best["line"]) + "\n")
    run = bestline("hint", state, *words, "--level", "all")
    assert run.code == 2
    assert "levels: nudge, card, move, line" in run.err


def test_review_tells_luck_from_error(bestline: Runner, tmp_path: Path) -> None:
    played = ["play mush pay armour lunch", "deck rest", "deck breakfast", "continue", "deck lunch"]
    told = bestline("review", record(tmp_path, *played), "--json").json
    steps = told["steps"]
    assert [each["by"] for each in steps] == ["player", "chance", "chance", "player", "chance"]
    assert [each["loss"] for each in steps if each["by"] == "player"] == ["0", "0"]
    # Nothing is lost by decisions, so all that the value changes by is luck.
    assert told["lost"] == "0"
    assert sum(Fraction(each["luck"]) for each in steps if each["by"] == "chance") == Fraction(told["luck"])
    assert Fraction(steps[-1]["after"]) - Fraction(steps[0]["before"]) == Fraction(told["luck"])


def test_review_marks_what_gives_the_goal_up(bestline: Runner, tmp_path: Path) -> None:
    path = record(tmp_path, "play armour pay mush", "deck rest", "deck lunch")
    told = bestline("review", path, "--json").json
    assert (told["steps"][0]["mark"], told["impossible_after"]) == ("blunder", 1)
    assert told["steps"][0]["loss"] == told["steps"][0]["before"]
    out = bestline("review", path).out
    assert "blunder, loses" in out
    assert "the goal was out of reach after step 1" in out


def test_review_says_that_a_goal_was_out_of_reach_from_the_start(bestline: Runner, tmp_path: Path) -> None:
    path = record(tmp_path, "play armour pay mush", "deck rest", "deck lunch")
    for words in (["--target", "90"], ["--goal", "min_turns", "--target", "90", "--within-turns", "3"]):
        assert bestline("review", path, *words, "--json").json["impossible_after"] == 0
        assert "too late   the goal was out of reach from the start" in bestline("review", path, *words).out


def test_review_tells_a_distance_that_stands_where_no_move_is_left(bestline: Runner, tmp_path: Path) -> None:
    path = record(tmp_path, "play mush pay armour lunch", "deck rest", "deck breakfast")
    out = " ".join(bestline("review", path, "--goal", "max_distance", "--within-turns", "3").out.split())
    assert "out of reach" not in out
    assert "lost 0 spaces by decisions" in out


def test_review_of_an_open_game(bestline: Runner, state: str, tmp_path: Path) -> None:
    path = tmp_path / "open.toml"
    path.write_text('moves = ["play breakfast", "continue"]\n' + Path(state).read_text("utf-8"), "utf-8")
    run = bestline("review", str(path), "--target", "54", "--no-new-day")
    assert run.code == 2
    assert "moves[1]" in run.err
    path.write_text('moves = ["play breakfast"]\n' + Path(state).read_text("utf-8"), "utf-8")
    told = bestline("review", str(path), "--target", "54", "--no-new-day", "--json").json
    best = bestline("best", state, "--target", "54", "--no-new-day", "--json", "--vs", "play breakfast").json
    assert told["steps"][0]["loss"] == str(best["versus"]["loss"])


def test_a_record_without_steps_is_refused(bestline: Runner, hidden: str) -> None:
    run = bestline("review", hidden)
    assert (run.code, run.out) == (2, "")
    assert "moves" in run.err


def test_whoever_stops_early_still_has_a_move(bestline: Runner, interrupted: Runner, tmp_path: Path) -> None:
    far = tmp_path / "far.toml"
    far.write_text(bestline("position", "new", "iditacards/2019-02", "--seed", "5", "--open", "none").out)
    run = interrupted("best", str(far), "--json", "-v", "--time", "300", after="so far: ")
    assert run.code == 130
    told = run.json
    assert (told["method"], told["interrupted"]) == ("sampled", True)
    assert told["open"] > 3
    assert told["considered"] <= told["open"]
    assert told["line"] == [told["moves"][0]["move"]]


def test_a_payment_that_cannot_be_in_time_is_lost_and_not_open(bestline: Runner) -> None:
    within = {turns: bestline("pay", "sprint-10", "mush", "--within-turns", str(turns)).out for turns in (5, 6, 7)}
    assert "ot settled" not in within[5] + within[6] + within[7]
    assert "plan       out of reach" in within[5]
    ways = bestline("pay", "sprint-10", "mush", "--within-turns", "6", "--json").json["payments"]
    assert all(each["settled"] for each in ways)
