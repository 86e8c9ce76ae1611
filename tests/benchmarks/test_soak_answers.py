"""Answers held against complete play in short, and that a wrong one would be noticed."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from benchmarks import soak_answers, soak_compared
from benchmarks.complete_play import CompletePlay, TooLong
from benchmarks.soak_answers import KINDS
from benchmarks.soak_compared import Compared
from benchmarks.soak_tables import GAME, random_position
from puzzles.puzzle import Goal, Objective
from rules.core.position import load_position
from rules.core.race import Race
from solver.encodings.iditacards.hidden.values import VentureOdds
from solver.search.expectimax import FirstTurn
from tests.rules.games import EDITIONS
from tests.solver.search.step_by_step import after, read


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_asked_and_nothing_differs(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak_compared, "PATIENCE_S", 0.3)
    each = {"challenge": 6, "race": 4}.get(kind, 14)
    assert soak_answers.main(["--kind", kind, "--each", str(each), "--seed", "5", "--ways", "600"]) == 0
    head, row, *_ = capsys.readouterr().out.splitlines()
    count = dict(zip(soak_answers.COLUMNS, map(int, row.replace(",", "").split()[1:]), strict=True))
    assert head.startswith("kind")
    assert count["tables"] == each > count["too long"]
    assert count["exactly"] > 0
    assert count["answers"] == count["exactly"] + count["bounds"] + count["refused"]
    assert count["different"] == 0


def test_a_wrong_chance_is_told_with_a_position_that_can_be_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(VentureOdds, "greatest", lambda *_: (Fraction(1, 97), Fraction(1, 97)))
    assert soak_answers.main(["--kind", "risk", "--each", "4", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    place = next(number for number, line in enumerate(lines) if "greatest chance" in line)
    seed = int(lines[place].split(":")[0].removeprefix("risk, seed "))
    assert "1/97, complete play: " in lines[place]
    assert load_position(lines[place + 1].strip()).text() == soak_answers.position_of("risk", seed).text()


def test_wrong_bounds_and_what_breaks_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stuck(*_: Any) -> Fraction:
        raise IndexError("a card too many")

    monkeypatch.setattr(VentureOdds, "between", lambda *_: (Fraction(2), Fraction(3)))
    monkeypatch.setattr(FirstTurn, "value", stuck)
    assert soak_answers.main(["--kind", "risk", "--kind", "hidden", "--each", "12", "--ways", "300"]) == 1
    told = capsys.readouterr().out
    assert "from 2 to 3, complete play: " in told
    assert "IndexError: a card too many" in told


def test_complete_play_is_play_step_by_step() -> None:
    compared = 0
    for seed in range(40):
        game, state = random_position(seed).start()
        assert isinstance(game, Race)
        begin = state.table.players[0].pos
        for kind, target in (
            (Objective.MAX_DISTANCE, 0),
            (Objective.REACH, begin + 2),
            (Objective.MIN_TURNS, begin + 1),
        ):
            goal = Goal(kind, target, 1, frozenset({"new_day"}))
            with suppress(TooLong):
                complete = CompletePlay(game, goal, 60)
                assert complete.value(state, 1) == read(game, state, goal, 1)
                worths = complete.moves(state, 1)
                moves = [move for move in game.legal_moves(state) if move.text in worths]
                assert worths == {move.text: after(game, state, move, goal, 1) for move in moves}
                compared += 1
    assert compared > 30


@pytest.mark.parametrize(
    ("answer", "differs"),
    [
        (Compared("", Fraction(1, 2), Fraction(1, 2)), False),
        (Compared("", Fraction(1, 2), Fraction(1, 3)), True),
        (Compared("", None, Fraction(0)), True),
        (Compared("", Fraction(1, 2), is_exact=False, low=Fraction(1, 2), high=Fraction(1)), False),
        (Compared("", Fraction(1, 2), is_exact=False, low=Fraction(2, 3)), True),
        (Compared("", Fraction(1, 2), is_exact=False, high=Fraction(1, 3)), True),
        (Compared("", None, is_exact=False, low=Fraction(0)), True),
        (Compared("", None, is_refused=True), False),
    ],
)
def test_what_differs(answer: Compared, differs: bool) -> None:
    assert answer.differs == differs


def test_tables_are_the_same_again_and_have_all_that_can_matter() -> None:
    seen: Counter[str] = Counter()
    for seed in range(150):
        position = random_position(seed)
        assert seed > 5 or position.text() == random_position(seed).text()
        player = position.state["players"][0]
        seen[position.ruleset.id] += 1
        seen["rulings"] += bool(position.options)
        seen["known"] += 0 < player["known"] < len(player["deck"])
        seen["some open"] += bool(position.chance.open)
        seen["worn"] += any(dog["attachments"] for dog in player["dogs"])
        seen["waiting"] += any(frame["step"] == "risk" for frame in player["stack"])
        seen["second"] += any(frame["step"] == "second" for frame in player["stack"])
        seen["damage"] += "damaged" in [*player["hand"], *player["deck"]]
        seen.update({zone: bool(player[zone]) for zone in ("seen", "resolved", "legendary", "discard", "foods")})
        seen.update({part: bool(position.state[part]) for part in ("supply", "upgrade")})
        seen["weather"] += position.state["weather"] != "none"
    assert {edition for edition in EDITIONS if edition.startswith(GAME)} <= set(seen)
    assert min(seen.values()) > 0
