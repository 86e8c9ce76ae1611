"""A table is entered at a terminal by keystrokes, each game in a minute of typing."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fcntl import ioctl
from pathlib import Path
from select import select
from struct import pack
from termios import TIOCSWINSZ
from typing import TYPE_CHECKING, Any

import pytest

from rules.core.errors import BestlineError
from rules.core.position import load_position
from rules.core.ruleset import load_ruleset
from solver.tools.table_entry import TableEntry

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

ROOT = Path(__file__).parents[2]
EDITIONS = ("iditacards/2017", "iditacards/2019-02")
TABLES = {
    "alone": ("2019-02", "1", "mu 2 mov lunch", "44", "wheel chow, husky", "rest", "", "1", "", "wind", ""),
    "sleds": (
        "2019-02",
        "2",
        "",
        "mu 2 mov lunch",
        "44",
        "wheel chow, husky",
        "rest",
        "",
        "1",
        "",
        "wind",
        "",
        "39",
        "4",
        "",
        "2 move",
        "",
    ),
    "field": (
        "trench",
        "2",
        "black",
        "7",
        "AS 9S",
        "KC 2,2, TD 3,3",
        "QH",
        "",
        "",
        "",
        "12",
        "red",
        "2,2 5C, 1,3 7D, 3,3 4D 8S, 4,3 none",
    ),
    "house": (
        "abyss",
        "2",
        "2",
        "dig trea bribe speech flash",
        "lead",
        "guard 6 homel 1",
        "3",
        "9",
        "4",
        "",
        "",
        "adv",
        "5",
        "homel 2",
        "0",
        "11",
    ),
}
TEAM = [{"dog": "wheel_dog", "attachments": ["dog_chow"]}, {"dog": "husky"}]
MINUTE = 300
"""Keystrokes that a person types in a minute."""
PROMPT = r"^(Game|.*\)):$"


class Screen:
    """A command at a pseudo-terminal."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._ours, theirs = pty.openpty()
        ioctl(theirs, TIOCSWINSZ, pack("HHHH", 40, 120, 0, 0))  # rows and columns
        own = {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "120", "BESTLINE_CACHE_DIR": str(folder / "kept")}
        command = [sys.executable, str(ROOT / "cli.py"), *words]
        own = {**os.environ, **own}
        self._process = subprocess.Popen(command, cwd=folder, env=own, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self.shown = self.prompt = ""

    def read_until(self, words: str) -> str:
        """Return what was shown since the last call, once some words end it."""
        self._read(lambda: re.search(words, self.shown) is not None)
        shown, self.shown = self.shown, ""
        return shown

    def wait_for_prompt(self) -> None:
        """Read until a prompt stands there that is not the last one, which is drawn anew when it is answered."""
        self._read(lambda: self._last not in (self.prompt, "") and re.search(PROMPT, self._last) is not None)
        self.prompt, self.shown = self._last, ""

    @property
    def _last(self) -> str:
        return self.shown.strip().rpartition("\n")[2].rpartition("): ")[2]

    def _read(self, is_there: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while not is_there() and time.monotonic() < end:
            if select([self._ours], [], [], 0.2)[0]:
                try:
                    raw = os.read(self._ours, 65536).decode("utf-8", "replace")
                except OSError:  # the command has ended
                    break
                self.shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r", "", raw)
        assert is_there(), self.shown[-2000:]

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode() + b"\r")

    def quit(self) -> int:
        """Type quit, and return the exit code."""
        self.type("quit")
        self._process.wait(timeout=60)
        os.close(self._ours)
        return int(self._process.returncode)


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_a_table_is_typed_in_a_minute_and_advised(tmp_path: Path, game: str) -> None:
    screen = Screen(tmp_path, "play", "--time", "1")
    for answer in TABLES[game]:
        screen.wait_for_prompt()
        screen.type(answer)
    assert sum(len(answer) + 1 for answer in TABLES[game]) < MINUTE
    shown = screen.read_until(r"(?s)thinking .*(SAMPLED|FOUND|SOLVED|BEST) .*because  ")
    assert shown.count("because  ") == 1, "advice stands above the prompt, and nowhere else"
    assert screen.quit() == 0
    assert load_position(str(tmp_path / "table.toml")).code in shown


def entry(name: str, players: int, *answers: str, seat: int = 0) -> TableEntry:
    made = TableEntry(load_ruleset(name), players, seat)
    for answer in answers:
        made.answer(answer)
    return made


@pytest.mark.parametrize(
    ("name", "answers", "value"),
    [
        ("iditacards/2019-02", ["Mush, 2 move dog ch"], ["mush", "move", "move", "dog_chow"]),
        ("iditacards/2019-02", ["lunch x2"], ["lunch", "lunch"]),
        ("iditacards/2019-02", ["2x lunch move*2 mush"], ["lunch", "lunch", "move", "move", "mush"]),
        ("iditacards/2019-02", ["none"], []),
        ("iditacards/2019-02", ["mush", "", "wheel dog chow husky"], TEAM),
        ("iditacards/2019-02", ["move", "", "", "", "mush 1"], [{"card": "mush", "need": 1}]),
        ("abyss/2021", ["give speech"], ["give_a_speech"]),
        ("abyss/2021", ["bribe", "", "guard 6 homel"], [{"type": "guardian", "hp": 6}, {"type": "homeless"}]),
        ("trench_rescue/2012", ["red", "", "kd"], ["KD"]),
        ("trench_rescue/2012", ["red", "", "none", "7d 1,1"], [{"card": "7D", "cell": "1,1"}]),
        ("trench_rescue/2012", ["red", "", "10d, 10 of hearts queen hearts"], ["TD", "TH", "QH"]),
        ("trench_rescue/2012", ["red", "", "none", "", "", "2C", "", "1,1 5C, 1,2 none"], {"1,1": ["5C"], "1,2": []}),
        ("iditacards/2019-02", ["mush", "", "wheel dog, dog chow, husky"], TEAM),
        ("abyss/2021", ["bribe", "", "2 homel 1"], [{"type": "homeless", "hp": 1}] * 2),
        ("abyss/2021", ["bribe", "", "none", "-3"], -3),
        ("iditacards/2019-02", ["mush", "", "wheel dog with dog chow and husky"], TEAM),
        ("iditacards/2019-02", ["mush", "", "wheel_dog+dog_chow, husky"], TEAM),
    ],
)  # fmt: skip
def test_answers_are_read_as_people_write_them(name: str, answers: Sequence[str], value: Any) -> None:
    ruleset = load_ruleset(name)
    least, *_ = ruleset.definition.players_allowed(ruleset)
    assert entry(name, least, *answers).answers[-1][1] == value


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        (["m"], "'m' may be "),
        (["mash"], "did you mean 'mush'?"),
        ([""], "this has to be known"),
        (["mush", "xx"], "'xx' is no number"),
        (["mush", "-3"], "at least 0"),
        (["mush", "", "", "", "mush"], "the need of mush is missing; for example: mush 1"),
        (["mush", "", "", "", "", "9"], "at most 7"),
    ],
)
def test_what_cannot_be_used_is_said_at_once_and_asked_again(answers: Sequence[str], fault: str) -> None:
    made = entry("iditacards/2019-02", 1, *answers[:-1])
    question = made.now
    with pytest.raises(BestlineError, match=re.escape(fault)):
        made.answer(answers[-1])
    assert made.now is question


@pytest.mark.parametrize("name", ["iditacards/2019-02", "iditacards/2019-08", "trench_rescue/2012", "abyss/2021"])
def test_every_example_fits_its_question(name: str) -> None:
    made = TableEntry(load_ruleset(name), 2)
    while made.now is not None:
        question = made.now
        for example in re.split(", or:? ?", question.example):
            made.answer(example)
            made.answers.pop()
        made.answer(re.split(", or", question.example)[0] if "must" in question.row else "")


def test_only_what_the_rules_have_is_asked() -> None:
    asked = {name: [each.key for each in TableEntry(load_ruleset(name), 1).questions] for name in EDITIONS}
    assert [("supply" in keys) for keys in asked.values()] == [False, True]


def test_a_game_is_chosen_by_its_number_and_every_seat_has_one_name(process: Runner) -> None:
    told = process("play", stdin="1\n2\n\n").err
    assert "  1  abyss/2021          Abyss and City, edition 2021\n" in told
    assert told.splitlines()[-3] == "You are seat 1, and to move; the other is seat 2."
    assert told.splitlines()[-2].startswith("Enter the table as it stands when you are to prepare (step B of a round)")
    assert entry("abyss/2021", 2).questions[-1].say == "RP of seat 2"
    assert entry("iditacards/2019-02", 3).questions[-1].say.startswith("Cards of player 2 that wait")


@pytest.mark.parametrize(("name", "hand"), [("iditacards/2019-02", "mush"), ("abyss/2021", "bribe")])
def test_whoever_sits_elsewhere_enters_that_seat_and_is_to_move(name: str, hand: str) -> None:
    made = entry(name, 3, hand, seat=1)
    while made.now is not None:
        made.answer("4" if made.now.say.startswith("Hand of") else "")
    game, state = made.position().start()
    assert game.to_act(state) == 1
    hands = [game.hand(state.table, seat) for seat in range(3)]
    assert hands == [("?",) * 4, (hand,), ("?",) * 4]


def test_a_place_is_asked_for_again_until_there_is_such_a_seat(process: Runner) -> None:
    told = process("play", stdin="abyss\n2\n3\n2\n").err
    assert "a number from 1 to 2, not '3'\nYou are seat 2, and to move; the other is seat 1.\n" in told


def test_cells_that_are_missing_are_named() -> None:
    made = entry("trench_rescue/2012", 2, "black", "7", "AS 9S", "KC 2,2", "QH", "7D", "5C", "", "", "")
    with pytest.raises(BestlineError, match=r"; name 2 more of these as empty: 1,1 2,1 3,1 4,1 1,2 .* 4,4$"):
        made.answer("2,2 ?")
    with pytest.raises(BestlineError, match="name 2 more where you saw them, or write so many"):
        made.answer("1,1 none 2,1 none 3,1 none 4,1 none 1,2 none 3,2 none")


def test_an_answer_that_fits_several_editions_is_told_what_lies_in_their_boxes(process: Runner) -> None:
    told = process("play", stdin="iditacards\n").err.splitlines()
    for name in EDITIONS:
        line = next(line for line in told if line.startswith(f"{name}: cards "))
        assert f"decks {', '.join(load_ruleset(name).names['decks'].values())};" in line


def test_an_answer_is_taken_back() -> None:
    made = entry("iditacards/2019-02", 1, "mush", "44")
    made.answers.pop()
    made.answer("45")
    assert made.position().state["players"][0]["pos"] == 45


def test_before_the_first_question_another_game_or_number_of_players_is_taken(process: Runner) -> None:
    told = process("play", stdin="iditacards/2019-02\n1\nback\nabyss\n3\n1\n").err
    assert told.count("Which game is it?") == 2
    assert "You are seat 1, and to move; the others are seat 2 and seat 3.\n" in told


def test_a_place_has_the_number_that_every_screen_gives_it(process: Runner) -> None:
    told = process("play", stdin="2019-02\n2\n2\n1\n").err
    assert "a number from 0 to 1, not '2'\nYou are player 1, and to move; the other is player 0.\n" in told


def test_who_begins_a_turn_and_how_many_there_are_is_not_guessed() -> None:
    made = entry("trench_rescue/2012", 2, "red", "2", "AH", "", "2C", "", "", "", "12", "black", "")
    assert (made.now, made.position().state["starter"], made.position().options["turn_limit"]) == (None, "black", 12)
