from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pytest

from solver.commands import play
from solver.commands.answers import advise
from solver.commands.line_input import Terminal
from solver.commands.play import _Table
from solver.commands.question import read_position
from solver.commands.settings import Settings
from solver.tools.table_entry import Companion
from tests.cli.tables import input_of
from tests.rules.trench_rescue.battles import Battle, both

if TYPE_CHECKING:
    from solver.screens.answer import Answered
    from tests.cli.conftest import Run, Runner

Talk = Callable[..., "Run"]


@pytest.fixture
def talk(bestline: Runner, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Type lines at the companion."""

    def typed(*words: str, lines: str) -> Run:
        monkeypatch.setattr("sys.stdin", input_of(lines.replace("/", "\n")))
        return bestline("play", *words)

    return typed


@pytest.fixture
def table(bestline: Runner, tmp_path: Path) -> str:
    """Return a file with a starting position, nothing known in advance."""
    path = tmp_path / "table.json"
    path.write_text(bestline("position", "new", "iditacards/2019-02", "--seed", "5", "--open", "none", "--json").out)
    return str(path)


def answers(run: Run) -> list[Any]:
    return [json.loads(line) for line in run.out.splitlines()]


def test_steps_are_taken_in_a_few_keys(talk: Talk, table: str) -> None:
    told = answers(talk(table, "--json", lines="p mo/new/weather st; lunch/moves/1/quit/play rest"))
    steps = [each["step"] for each in told if "step" in each]
    assert steps[:4] == ["play move", "new_day", "weather storm", "deck lunch"]
    assert steps[4].startswith("deck ")
    assert len(steps) == 5, "what is typed after quit is not heard"
    assert [each["to_act"] for each in told][1:4] == ["player 0", "what came up", "what came up"]


def test_a_game_begins_with_whatever_names_a_ruleset(talk: Talk, bestline: Runner, tmp_path: Path) -> None:
    variant = tmp_path / "house.toml"
    variant.write_text('extends = "iditacards/2019-02"\n\n[options]\nauto_move = "speed"\n', "utf-8")
    for name in ("iditacards/2019-02", "2019-02", str(variant)):
        begun = answers(talk(name, "--json", "--seed", "5", lines="quit"))[0]
        new = bestline("position", "new", name, "--seed", "5", "--open", "none", "--json").json
        assert bestline("position", "show", begun["position_code"], "--json").json == new


def test_cards_that_pay_may_be_typed_in_any_order(talk: Talk, bestline: Runner, table: str) -> None:
    moves = bestline("moves", table, "--json").json["moves"]
    move = next(each for each in moves if each.startswith("play ") and len(each.split()) == 5)
    typed = " ".join([*move.split()[:3], *reversed(move.split()[3:])])
    assert typed != move
    short = " ".join(["p", *(word[:-1] if len(word) > 3 else word for word in typed.split()[1:])])
    for line in (typed, short):
        assert answers(talk(table, "--json", lines=f"{line}/quit"))[1]["step"] == move


def test_names_may_be_typed_with_spaces(talk: Talk, table: str) -> None:
    told = answers(talk(table, "--json", lines="new/weather st/first aid/quit"))
    assert told[3]["step"] == "deck first_aid"


def test_best_and_why_tell_the_same_findings(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    told, asked = list[str](), list[object]()
    monkeypatch.setattr(Settings, "answer", lambda _, text: told.append(text))

    def counted(*each: Any) -> Answered:
        asked.append(each)
        return advise(*each)

    monkeypatch.setattr(play, "advise", counted)
    talk = _Table(Companion(read_position(table)), None, Settings(time_s=0.2), Terminal())
    for line in ("best", "best 13", "why", "hint move"):
        talk._answer(line)
    assert len(asked) == 1, "what was found once is told four times"
    best, more, why, hint = told
    assert hint.partition(" (")[0] in best.splitlines()[0]
    assert best.splitlines()[0] == more.splitlines()[0]
    reason = next(line for line in best.splitlines() if line.startswith("because")).split()[1:4]
    assert " ".join(reason) in " ".join(why.split())
    findings = talk._findings
    talk._answer("1")
    assert talk._findings is not findings, "what was found is about a table of before"


def test_the_search_in_the_background_finds_what_is_told(table: str) -> None:
    question, findings = read_position(table), play.Findings()
    findings.go_on(question, Settings())
    end = monotonic() + 60
    while findings.answered is None and monotonic() < end:
        sleep(0.1)
    findings.stop()
    assert findings.answered is not None
    assert (findings.seconds, findings.answered.question.position.code) == (2, question.code)
    assert findings.answered.reasons
    findings.go_on(replace(question, pending=("not a move",)), Settings())
    while findings.seconds != inf and monotonic() < end:
        findings.answered = None
        sleep(0.1)
    assert findings.seconds == inf, "a question without an answer is told where it is asked"


def test_the_search_in_the_background_ends_with_whoever_began_it(table: str) -> None:
    findings = play.Findings()
    findings.go_on(read_position(table), Settings())
    process = findings._process
    while findings.answered is None:  # it has begun; what comes next takes 38 seconds
        sleep(0.1)
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()  # as the system does where the parent is killed
    process.wait(timeout=20)


def test_a_question_for_a_card_says_what_it_is_for(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        'game = "iditacards"\nruleset = "2019-02"\n[[state.players]]\nhand = ["mush", "rest", "lunch", "move"]\n',
        "utf-8",
    )
    run = talk(str(file), lines="play mush pay rest lunch/rest/new")
    assert "Card 1 of 2 for the health of Mush. Which? 15 results" in run.out
    told = answers(talk(str(file), "--json", lines="new/sun"))
    assert [each.get("purpose") for each in told] == [None, "the weather", "card 1 of 6 to draw"]


def test_what_was_done_can_be_taken_back(talk: Talk, table: str) -> None:
    told = answers(talk(table, "--json", lines="p mo/undo 2/new/undo 2/undo"))
    assert told[2]["error"] == "there is only 1 step to take back"
    assert told[-2]["undone"] == ["play move", "new_day"]
    assert told[-2]["position_code"] == told[0]["position_code"]
    assert told[-1]["error"] == "there is nothing to take back"


def test_what_fits_several_steps_or_none_is_told(talk: Talk, table: str) -> None:
    told = answers(talk(table, "--json", lines="play first/play mush/best x"))
    assert told[1]["error"].startswith("'play first' fits 10 of them: 1 play first_aid pay ")
    assert "mush" in told[2]["error"]
    assert told[3]["error"] == "'best' takes a number from 1 on, not 'x'"
    assert len({each["position_code"] for each in told}) == 1


def test_a_game_is_saved_as_it_is_played_and_resumed(talk: Talk, bestline: Runner, table: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = talk(table, "--save", str(file), "--json", lines="p mo/new")
    assert json.loads(file.read_text("utf-8"))["moves"] == ["play move", "new_day"]
    second = answers(talk("--resume", str(file), "--json", lines="weather sun"))
    assert second[0]["position_code"] == answers(first)[-1]["position_code"]
    assert json.loads(file.read_text("utf-8"))["moves"][-1] == "weather sun"
    assert "weather sun" in bestline("export", str(file)).out


@pytest.mark.slow
def test_advice_is_asked_for_in_between(talk: Talk, table: str) -> None:
    run = talk(table, "--time", "0.1", lines="best 2/hint move/risk/moves/show/?/new/best/hint")
    assert run.code == 0
    assert "\nSAMPLED " in run.out
    assert "\n  2  " in run.out
    assert "a number takes one, or how its words begin; 'why' tells all" in run.out
    assert "';' joins" in " ".join(run.out.split())
    assert run.out.count("? nobody decides now: enter what came up first") == 2


def test_a_payment_is_asked_for_in_between(talk: Talk, bestline: Runner, table: str) -> None:
    told = answers(talk(table, "--json", lines="pay lunch/pay lnuch/new/pay lunch"))
    asked = bestline("pay", table, "lunch", "--json")
    assert [each for each in told if each.get("command") == "pay"] == [asked.json]
    assert "did you mean 'lunch'" in told[2]["error"]
    assert told[-1]["error"] == "nobody decides now: enter what came up first"


def test_several_cards_that_came_up_stand_on_one_line(talk: Talk, table: str) -> None:
    told = answers(talk(table, "--json", lines="new/storm, move, first aid, lunch"))
    assert [each["step"] for each in told[2:]] == ["weather storm", "deck move", "deck first_aid", "deck lunch"]


def test_partners_are_counted_as_they_are_named(talk: Talk) -> None:
    for typed in ("hire ord hom hom", "hire 2 hom, ord", "hire ord and 2 hom", "h 2 home 1 ord"):
        told = answers(talk("abyss/2021", "--players", "2", "--seed", "3", "--json", lines=f"give none/{typed}"))
        assert told[-1]["step"] == "hire 2 homeless 1 ordinary_citizen"


def test_a_quiet_game_advises_only_whoever_asks(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    shown = list[object]()

    def line(_: str, __: object, above: object) -> str:
        shown.append(above)
        return "quit"

    monkeypatch.setattr(play.Findings, "go_on", lambda *_: None)
    monkeypatch.setattr(play, "advise", None)  # the player looks at the table, so that nothing is told twice
    for quiet in (False, True):
        terminal = Terminal()
        terminal.is_live = True
        monkeypatch.setattr(terminal, "line", line)
        _Table(Companion(read_position(table)), None, Settings(quiet=quiet), terminal).run(advised=True)
    assert [above is None for above in shown] == [False, True]


def test_whoever_stops_is_told_how_to_go_on(
    talk: Talk, table: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    told = talk(table, "--json", lines="p mo/quit")
    code = answers(told)[-1]["position_code"]
    assert told.err == f"not saved ('save FILE' before the end keeps a game); 'bestline play {code}' goes on\n"
    told = talk(table, "--goal", "reach", "--target", "9", "--within-turns", "2", "--no-new-day", lines="p mo/quit")
    assert f"{code} --goal reach --seat 0 --target 9 --within-turns 1 --no-new-day' goes on" in told.err
    typed = talk(lines="2019-02/1/mush/44")
    assert "wrote table.toml; write the rest there, then 'bestline play table.toml' goes on\n" in typed.err
    tmp_path.joinpath("table.toml").unlink()
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "# Your hand: mush\n" in talk(lines="2019-02/1/mush/44").err


def test_a_ruleset_is_dealt_and_a_finished_game_says_so(talk: Talk) -> None:
    run = talk("abyss/2021", "--players", "2", "--seed", "3", lines="moves")
    assert "dealt from the seed" in run.err
    assert "Seat 1: " in run.out
    assert talk(lines="").code == 2
    assert talk("warm-up", "--players", "2", lines="").code == 2
    assert talk("--resume", "not-there.json", lines="").code == 2


def test_events_lie_face_down_until_each_is_turned_up(talk: Talk, tmp_path: Path) -> None:
    begun, file = "give_up none/hire none/" * 2 + "plan none/plan none/e ?/events ?/go_on/go_on", tmp_path / "game.toml"
    game = ("abyss/2021", "--players", "2", "--seed", "3", "--save", str(file))
    shown = talk(*game, lines=f"{begun}/ri/show").out
    assert "11  events ?" in shown
    assert "The Event that seat 1 is dealt. Which? 11 results; 'events ?' while nobody sees it" in " ".join(
        shown.split()
    )
    assert "The Event that seat 1 turns up. Which?" in shown
    assert "unknown, face down" in shown
    told = answers(talk("--resume", str(file), "--json", lines="moves/undo/moves"))
    assert len(told[1]["options"]) == 8, "in the City a modifier would have been turned up"
    assert told[3]["options"] == told[1]["options"]
    assert tomllib.loads(file.read_text("utf-8"))["moves"][-4:] == ["events ?", "events ?", "go_on", "go_on"]


def test_a_saved_game_that_cannot_be_is_refused(talk: Talk, table: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**json.loads(Path(table).read_text("utf-8")), "moves": ["play mush"]}), "utf-8")
    run = talk("--resume", str(file), lines="")
    assert run.code == 2
    assert run.err.startswith("error: step 1, 'play mush': ")


def test_advice_is_about_the_goal_of_the_puzzle_that_is_played(talk: Talk, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    told = answers(talk("knife", "--json", "--save", str(game), lines="best 1/hint move"))
    best = next(each for each in told if each.get("command") == "best")
    assert (best["goal"]["objective"], best["goal"]["within_turns"], best["status"]) == ("max_distance", 4, "optimal")
    assert told[-1]["sure"]
    talk("knife", "--save", str(game), lines=best["moves"][0]["move"] + "/save")
    again = answers(talk("--resume", str(game), "--json", lines="best 1"))
    rest = next(each for each in again if each.get("command") == "best")
    assert (rest["goal"]["within_turns"], rest["value"]) == (3, best["value"])
    assert "Get as far as possible in 4 turns" in talk("knife", lines="quit").out


def test_a_goal_of_ones_own_is_kept_with_the_game(talk: Talk, table: str, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    words = ("--goal", "reach", "--target", "3", "--within-turns", "1", "--no-new-day", "--json")
    first = answers(talk(table, *words, "--save", str(game), lines="best 1/save"))
    best = next(each for each in first if each.get("command") == "best")
    assert (best["goal"]["objective"], best["goal"]["target"], best["goal"]["forbidden"]) == ("reach", 3, ["new_day"])
    again = answers(talk("--resume", str(game), "--json", lines="best 1"))
    assert next(each for each in again if each.get("command") == "best")["value"] == best["value"]
    refused = talk("--resume", str(game), "--target", "4", lines="")
    assert refused.code == 2
    assert "a saved game has its goal" in refused.err
    assert talk(table, "--goal", "reach", lines="").code == 2


def test_what_was_lost_and_was_to_be_kept_leaves_nothing(talk: Talk) -> None:
    words = ("sprint-10", "--goal", "max_distance", "--within-turns", "2", "--no-new-day", "--keep", "wheel_dog")
    told = answers(talk(*words, "--json", lines="sacrifice wheel_dog/best 1"))
    best = next(each for each in told if each.get("command") == "best")
    assert (best["status"], best["goal"]["kept"]) == ("infeasible", ["wheel_dog"])
    screen = " ".join(talk(*words, lines="sacrifice wheel_dog/best 1").out.split())
    assert "IMPOSSIBLE proved: what is allowed does not last 2 turns without losing wheel_dog" in screen


def test_rounds_are_counted_from_the_one_under_way(talk: Talk) -> None:
    begun = "give_up none; hire 1 homeless 1 trained_person/plan digging abyss; go_on; go_on; go_on"
    told = answers(talk("the-courier", "--deterministic", "--json", lines=f"{begun}/best 1/no_draw/best 1"))
    first, then = (each["value"] for each in told if each.get("command") == "best")
    assert (first, then) == (2, 1)
    screen = talk("too-soon", lines="give_up none; hire none; plan none; go_on; go_on; go_on; no_draw/show").out
    assert "In 2 rounds at most" in screen
    assert "In 1 round at most" in screen


def test_advice_in_a_game_to_win_goes_on_for_whoever_moves(talk: Talk, tmp_path: Path) -> None:
    battle = Battle(
        piles={"1,1": "5S", "2,1": "6H"},
        trench=both("9C", "4D"),
        size=2,
        starter="black",
        options={"turn_limit": 2, "deck_mode": "queue"},
    )
    file = tmp_path / "to-win.json"
    asked = {"puzzle": {"id": "to-win", "title": "To Win"}, "goal": {"objective": "win", "within_rounds": 1}}
    file.write_text(json.dumps({**asked, "position": json.loads(battle.position.text())}), "utf-8")
    told = answers(talk(str(file), "--json", lines="hint move/end/hint move/end/hint move"))
    hints = [each["hint"] for each in told if "hint" in each]
    assert hints[0] in ("end", "cycle 9C"), "a soldier on the field counts against black when play stops"
    assert len(hints) == 2
    assert told[-1]["error"] == "the rounds that the puzzle asks about are over"


def test_a_number_after_best_is_one_of_its_list_and_else_one_of_moves(talk: Talk) -> None:
    words = ("sprint-10", "--deterministic", "--json")
    told = answers(talk(*words, lines="moves/best 9"))
    options = next(each["options"] for each in told if "options" in each)
    ranked = [each["move"] for each in next(each for each in told if each.get("command") == "best")["moves"]]
    place = next(place for place, move in enumerate(ranked) if move != options[place])
    told = answers(talk(*words, lines=f"best 9/{place + 1}/undo/moves/{place + 1}"))
    assert [each["step"] for each in told if "step" in each] == [ranked[place], options[place]]


def test_a_number_counts_in_what_is_shown_and_else_is_refused(talk: Talk, table: str) -> None:
    told = answers(talk(table, "--json", lines="1/play first/2/undo/2/moves/900/2; 2"))
    errors = [each["error"] for each in told if "error" in each]
    assert [each.partition(": ")[2].partition(";")[0] for each in (errors[0], *errors[2:])] == [
        "no list is shown",
        "no list is shown",
        f"the list shown last ends at {len(told[6]['options'])}",
        "no list is shown",
    ]
    taken = [each["step"] for each in told if "step" in each]
    assert f"; 2 {taken[0]}; 3 " in errors[1], "what several fit is a list, too"
    assert taken[1] == told[6]["options"][1]


def test_a_card_that_cannot_be_paid_for_is_marked(talk: Talk, bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "few.toml"
    player = 'hand = ["mush", "husky", "move"]\ndeck = ["move"]\n'
    file.write_text(f'game = "iditacards"\nruleset = "2019-02"\n[[state.players]]\n{player}', "utf-8")
    fails = "fails: needs 2 health, the deck has 1"
    for shown in (talk(str(file), lines="quit").out, bestline("moves", str(file)).out):
        marked = [line.partition("play ")[2] for line in shown.splitlines() if "fails" in line]
        assert marked == [f"{move}  {fails}" for move in ("husky pay move mush", "mush pay husky move")]


def test_a_move_that_the_goal_forbids_is_taken_and_it_says_so(talk: Talk) -> None:
    told = answers(talk("sprint-10", "--no-new-day", "--json", lines="new_day"))
    assert told[1]["forbidden"] is True
    assert "The goal does not allow this" in talk("sprint-10", "--no-new-day", lines="new_day").out


@pytest.mark.parametrize("begin", ["sprint-10", "iditacards/2019-02"])
def test_a_game_saved_as_toml_is_toml_and_goes_on(talk: Talk, tmp_path: Path, begin: str) -> None:
    file = tmp_path / "game.toml"
    first = answers(talk(begin, "--save", str(file), "--json", lines="moves/1"))
    assert tomllib.loads(file.read_text("utf-8"))["moves"] == [first[2]["step"]]
    again = answers(talk("--resume", str(file), "--json", lines="show"))
    assert again[0]["position_code"] == first[-1]["position_code"]


TWO_MOVES = """\
game = "iditacards"
ruleset = "2019-02"

[state]
weather = "storm"
upgrade = [[], [], [], []]

[[state.players]]
pos = 50
dogs = [{ dog = "wheel_dog" }]
hand = ["move", "move"]
deck = ["rest", "lunch"]
"""
SLEDS = """\
game = "iditacards"
ruleset = "2019-02"

[state]
weather = "sun"

[[state.players]]
pos = 100
hand = ["mush", "move", "lunch", "first_aid"]

[[state.players]]
pos = 104
hand = 4
discard = ["move", "lunch", "rest"]
"""


def test_a_goal_that_is_reached_is_told_and_what_it_forbids_is_not_listed(process: Runner, tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TWO_MOVES, "utf-8")
    goal = ("--goal", "reach", "--target", "54", "--within-turns", "2", "--no-new-day")
    out = process("play", str(path), *goal, stdin="moves\nplay move\nquit\n").out
    assert out.count("The goal is reached.") == 1
    assert "new_day" not in out.replace("without new_day", "")


def test_a_rival_whose_hand_nobody_knows_plays_on(process: Runner, tmp_path: Path) -> None:
    path = tmp_path / "sleds.toml"
    path.write_text(SLEDS, "utf-8")
    said = "play move\nplay mush pay rest lunch\nplay mush pay lunch dinner\nbest\nquit\n"
    out = process("play", str(path), stdin=said).out
    assert "there is no rest to pay with" in out
    assert "player 1 pays energy with Dinner and Lunch" in " ".join(out.split())


def test_questions_of_another_seat_say_whose_move_it_is(process: Runner, tmp_path: Path) -> None:
    path, theirs = tmp_path / "sleds.toml", tmp_path / "theirs.json"
    path.write_text(SLEDS, "utf-8")
    theirs.write_text(json.dumps(process("apply", str(path), "play move", "--json").json["position"]), "utf-8")
    for file, words, told in (
        (path, ("best", "--seat", "1"), "player 0 is to move, not player 1"),
        (theirs, ("best",), "player 1 is to move, whose hand is not known: apply what they do"),
        (theirs, ("best", "--seat", "0"), "player 1 is to move, whose hand is not known"),
        (theirs, ("hint",), "player 1 is to move, whose hand is not known"),
        (theirs, ("risk",), "player 1 is to move, whose hand is not known"),
    ):
        run = process(words[0], str(file), *words[1:])
        assert (run.code, run.err.count("\n")) == (2, 1), words
        assert told in run.err
