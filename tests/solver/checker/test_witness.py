"""Witnesses that hold, and witnesses that do not show what they are said to show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.position import new_position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit.finding import Audit, Finding, Level, Witness, place_of
from solver.audit.reports import audit_answer
from solver.audit.suite import asked_as_json
from solver.checker.certificate import is_audit
from solver.checker.check import check_witnesses

TRACK = "iditacards/open-track"
PASS = {"clean": 3, "gains": {"players.0.pos": 2}, "cycle": [["pass"]]}


def told(ruleset: Ruleset, witness: Witness | None, data: dict[str, Any]) -> dict[str, Any]:
    finding = Finding("LOOP", "x", Level.NOTE, "x", place_of(ruleset, ()), witness, data=data)
    answer: dict[str, Any] = json.loads(
        json.dumps(audit_answer(Audit(ruleset, (finding,), ()), Level.NOTE, timed=False))
    )
    assert is_audit(answer)
    return answer


@pytest.fixture(scope="module")
def track() -> Ruleset:
    return extended(load_ruleset(TRACK), {"options": {"pass_turn": True}})


def loop(track: Ruleset, **changes: Any) -> dict[str, Any]:
    position = new_position(track)
    witness = Witness(position, ("pass",), ("pass",), 3)
    return told(track, witness._replace(**changes), PASS)


def judged(answer: dict[str, Any]) -> tuple[bool, str]:
    (each,) = check_witnesses(answer)
    return each.ok, each.words


def test_a_loop_is_played_again(track: Ruleset) -> None:
    assert judged(loop(track)) == (True, "the cycle repeats 3 times and uses nothing up")


def test_a_loop_that_spends_or_gains_something_else_fails(track: Ruleset) -> None:
    answer = loop(track)
    answer["findings"][0]["data"]["gains"] = {"players.0.pos": 3}
    assert judged(answer) == (False, "the cycle gains {'players.0.pos': 2}, not {'players.0.pos': 3}")
    answer = loop(track, repeats=1)
    assert judged(answer) == (False, "the line does not repeat its cycle twice")
    position = new_position(track, seed=1)
    assert "play move" in {move.text for move in position.game.legal_moves(position.start()[1])}
    spent = told(track, Witness(position, (), ("play move",), 2), {**PASS, "clean": 2})
    assert judged(spent)[0] is False


def test_a_line_that_stops_short_fails(track: Ruleset) -> None:
    witness = Witness(new_position(track), ("pass", "pass"))
    assert judged(told(track, witness, {"target": 4, "turns": 2})) == (True, "the line is at 4 after 2 turns")
    assert judged(told(track, witness, {"target": 5, "turns": 2})) == (False, "the line ends at 4, short of 5")
    assert judged(told(track, witness, {"target": 4, "turns": 1})) == (False, "the line takes 2 turns, not 1")
    witness = witness._replace(line=("pass", "play mush pay mush"))
    assert judged(told(track, witness, {}))[1].startswith("move 2, 'play mush pay mush', does not replay: ")


@pytest.mark.parametrize("name", ["warm-up", "the-courier", "odd-is-free"])
def test_a_puzzle_line_is_valued_by_its_goal(name: str) -> None:
    puzzle = load_puzzle(name)
    assert puzzle.solution is not None
    line = tuple(text.strip() for turn in puzzle.solution.line for text in turn.split(";"))
    worth = puzzle.solution.value
    data = {"is": worth, "goal": asked_as_json(puzzle.goal)}
    answer = told(puzzle.position.ruleset, Witness(puzzle.position, line), data)
    assert judged(answer) == (True, f"the line is worth {worth}")
    answer["findings"][0]["data"]["is"] = 99
    assert judged(answer) == (False, f"the line is worth {worth}, not 99")


def test_findings_without_a_witness_are_left_out_and_junk_fails(track: Ruleset) -> None:
    assert list(check_witnesses(told(track, None, {}))) == []
    answer = loop(track)
    del answer["findings"][0]["witness"]["line"]
    assert judged(answer)[0] is False
    assert not is_audit([])
    assert not is_audit({"command": "solve"})


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"cycle": [["wait"]]}, "the cycle is not that of the line"),
        ({"repeats": 4}, "the line repeats the cycle for 3 turns, not 4 times"),
        ({"turns": 2}, "the line repeats the cycle for 3 turns, not 3 times"),
        ({"pace": 2.5}, "the line makes 2.000 a turn, not 2.5"),
        ({"end": "goal"}, "the line does not end as it is said to: goal"),
    ],
)
def test_what_all_repetitions_gain_is_held_against_the_line(
    track: Ruleset, changed: dict[str, Any], fault: str
) -> None:
    answer = loop(track)
    data = answer["findings"][0]["data"]
    data.update(repeats=3, turns=1, pace=2.0, end="endless")
    assert judged(answer)[0]
    data.update(changed)
    assert judged(answer) == (False, fault)
