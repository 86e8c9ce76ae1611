"""Certificates: what is proved holds, and whatever is changed in one is found and named."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from puzzles.goal import Goal, Objective
from puzzles.loader import load_puzzle
from rules.core.errors import DisagreementError
from rules.core.position import Position, load_position
from solver.checker.certificate import Certificate, Layer, Unreadable
from solver.checker.check import check
from solver.checker.closed import TooLarge
from solver.checker.question import Rejected
from solver.proofs import certify
from solver.report import Limit, Proof, Report, Statistics, Status
from solver.solve import solve
from tests.solver.checker.forging import read_certificate

CLOSED = (
    "sprint-10",
    "sprint-20",
    "knife",
    "risk-in-risk",
    "rope-bridge",
    "checkpoint",
    "through-the-night",
    "tailwind",
)


@cache
def certified(name: str) -> Certificate:
    puzzle = load_puzzle(name)
    return certify(puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal))


@cache
def asked(name: str, goal: Goal) -> tuple[Position, Report]:
    position = load_puzzle(name).position
    return position, solve(position, goal)


def asked_with(name: str, goal: Goal) -> tuple[Position, Goal, Report]:
    position, report = asked(name, goal)
    return position, goal, report


@pytest.mark.parametrize("name", CLOSED)
def test_what_is_proved_holds(name: str) -> None:
    certificate = certified(name)
    raw = certificate.data()
    assert read_certificate(raw) == certificate
    assert read_certificate(certificate.data(compress=True)) == certificate
    checked = check(read_certificate(raw))
    puzzle = load_puzzle(name)
    assert checked.position == puzzle.position
    assert checked.goal == puzzle.goal
    assert puzzle.solution is not None
    assert checked.value == puzzle.solution.value
    assert checked.seal == certificate.seal


def test_the_same_question_gives_the_same_bytes() -> None:
    puzzle = load_puzzle("sprint-20")
    again = certify(puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal))
    assert again.data(compress=True) == certified("sprint-20").data(compress=True)


@pytest.mark.parametrize(
    "goal",
    [
        Goal(Objective.MIN_TURNS, 4, None, frozenset({"new_day"})),
        Goal(Objective.MIN_TURNS, 1, None, frozenset({"new_day"})),
        Goal(Objective.MIN_TURNS, 0),
        Goal(Objective.MIN_TURNS, 20, 3, frozenset({"new_day"})),
        Goal(Objective.REACH, 20, 4, frozenset({"new_day"})),
        Goal(Objective.REACH, 20, 3, frozenset({"new_day"})),
        Goal(Objective.MAX_DISTANCE, 161, 2, frozenset({"new_day"})),
        Goal(Objective.MAX_DISTANCE, 161, 0, frozenset({"new_day"})),
    ],
    ids=str,
)
def test_every_kind_of_claim_can_be_certified(goal: Goal) -> None:
    position, report = asked("sprint-20", goal)
    checked = check(read_certificate(certify(position, goal, report).data()))
    assert (checked.status, checked.value) == (report.status.value, report.value)


def test_impossible_however_long_is_certified_by_layers_that_end() -> None:
    goal = Goal(Objective.MIN_TURNS, 160, None, frozenset({"new_day"}))
    position, report = asked("rope-bridge", goal)
    assert report.status is Status.INFEASIBLE
    certificate = certify(position, goal, report)
    assert certificate.turns is None
    assert check(certificate).status == "infeasible"


def test_a_turn_that_has_begun_counts() -> None:
    puzzle = load_puzzle("tailwind")
    game, start = puzzle.position.start()
    states = [game.apply(start, move).state for move in game.legal_moves(start)]
    position = puzzle.position.after(next(state for state in states if state.pending))
    goal = Goal(Objective.MIN_TURNS, 8, None, frozenset({"new_day"}))
    certificate = certify(position, goal, solve(position, goal))
    assert certificate.form == "tables"
    assert check(certificate).value == certificate.value


# What is changed is found


def layer_without(certificate: Certificate, turn: int, place: int) -> Certificate:
    layers = list(certificate.layers)
    positions = layers[turn - 1].positions or ()
    layers[turn - 1] = replace(layers[turn - 1], positions=positions[:place] + positions[place + 1 :])
    return replace(certificate, layers=tuple(layers))


def with_layer(certificate: Certificate, turn: int, layer: Layer) -> Certificate:
    layers = list(certificate.layers)
    layers[turn - 1] = layer
    return replace(certificate, layers=tuple(layers))


def other_line(certificate: Certificate) -> Certificate:
    (first, *rest), *turns = certificate.line
    return replace(certificate, line=(("play husky", *rest), *turns) if "husky" not in first else certificate.line[1:])


def other_position(certificate: Certificate) -> Certificate:
    return replace(certificate, position=certified("sprint-10").position)


def moved(certificate: Certificate) -> Certificate:
    position = json.loads(json.dumps(certificate.position))
    position["state"]["players"][0]["pos"] += 1
    return replace(certificate, position=position)


FORGED: dict[str, tuple[Callable[[Certificate], Certificate], str]] = {
    "fewer turns claimed": (lambda c: replace(c, value=3), "the claimed value is 3, but the line is worth 4"),
    "more turns claimed": (lambda c: replace(c, value=5), "the claimed value is 5, but the line is worth 4"),
    "fewer turns excluded": (
        lambda c: replace(c, turns=2, layers=c.layers[:2]),
        "the claim needs 3 turns to be excluded, the certificate goes through 2",
    ),
    "more turns excluded": (lambda c: replace(c, turns=4), "needs 3 turns to be excluded"),
    "a position dropped": (lambda c: layer_without(c, 2, 7), "turn 2: the certificate leaves out 1 of 42 positions"),
    "a position added": (
        lambda c: with_layer(c, 1, replace(c.layers[0], positions=(*(c.layers[0].positions or ()), "f" * 16))),
        "turn 1: the certificate lists 1 positions that the rules do not lead to",
    ),
    "a position twice": (
        lambda c: with_layer(c, 1, replace(c.layers[0], positions=(c.layers[0].positions or ()) * 2)),
        "turn 1: the positions are not in ascending order, each once",
    ),
    "a bound raised": (
        lambda c: with_layer(c, 3, replace(c.layers[2], furthest=19)),
        "turn 3: the furthest is 17, not 19",
    ),
    "a bound lowered": (lambda c: with_layer(c, 1, replace(c.layers[0], furthest=3)), "turn 1: the furthest is 4"),
    "a layer dropped": (lambda c: replace(c, layers=c.layers[:2]), "turn 3: the certificate has no such layer"),
    "a layer out of place": (lambda c: with_layer(c, 2, c.layers[0]), "turn 2: the layer here is said to be that"),
    "a layer added": (lambda c: replace(c, layers=(*c.layers, Layer(4, 18, None))), "layers beyond turn 3"),
    "a last layer with positions": (
        lambda c: with_layer(c, 3, replace(c.layers[2], positions=())),
        "turn 3: the layer lists positions, though nothing follows them",
    ),
    "an altered line": (other_line, "turn 1: the line does not replay"),
    "a line cut short": (lambda c: replace(c, line=c.line[:-1]), "short of the target 20"),
    "a turn left open": (lambda c: replace(c, line=(c.line[0][:-1], *c.line[1:])), "turn 1"),
    "two turns in one": (
        lambda c: replace(c, line=((*c.line[0], *c.line[1]), *c.line[2:])),
        "turn 1: the turn has ended before",
    ),
    "a forbidden move": (lambda c: replace(c, line=(("new_day",), *c.line)), "'new_day', which the goal forbids"),
    "foreign rules": (
        lambda c: replace(c, fingerprint="0123456789ab"),
        "made for other rules: its fingerprint is 0123456789ab",
    ),
    "another ruleset named": (lambda c: replace(c, ruleset="iditacards/2017"), "the ruleset is called"),
    "another edition": (
        lambda c: replace(c, position={**c.position, "ruleset": "2019-08"}),
        "cannot be read|canonical|made for other rules",
    ),
    "a foreign position": (other_position, "turn 1"),
    "a position moved": (moved, "turn"),
    "a position not canonical": (
        lambda c: replace(c, position={key: c.position[key] for key in c.position if key != "options"}),
        "not in canonical form",
    ),
    "an impossible position": (lambda c: replace(c, position={**c.position, "players": 99}), "position cannot be read"),
    "a nearer target": (lambda c: replace(c, goal=replace(c.goal, target=17)), "is not excluded|is worth"),
    "a farther target": (lambda c: replace(c, goal=replace(c.goal, target=99)), "short of the target 99"),
    "moves allowed again": (lambda c: replace(c, goal=replace(c.goal, forbidden=frozenset())), "form 'hands'"),
    "too few turns allowed": (lambda c: replace(c, goal=replace(c.goal, within_turns=3)), "more than the 3 allowed"),
    "another seat": (lambda c: replace(c, goal=replace(c.goal, seat=1)), "the goal does not fit the position"),
    "the other form": (lambda c: replace(c, form="tables"), "turn 1: the certificate leaves out"),
    "an unknown form": (lambda c: replace(c, form="dreams"), "there is no form 'dreams'"),
    "an unknown claim": (lambda c: replace(c, status="unique"), "'unique' is no claim"),
    "called impossible": (lambda c: replace(c, status="infeasible"), "what is impossible has neither a line nor"),
    "called impossible without a line": (
        lambda c: replace(c, status="infeasible", value=None, line=()),
        "the claim needs all turns to be excluded",
    ),
}


@pytest.mark.parametrize("change", FORGED)
def test_a_forged_certificate_is_rejected_and_says_why(change: str) -> None:
    forge, why = FORGED[change]
    forged = forge(certified("sprint-20")).with_seal()
    assert forged != certified("sprint-20")
    with pytest.raises(Rejected, match=why):
        check(read_certificate(forged.data()))


@pytest.mark.parametrize(
    ("written", "altered"),
    [('"value":', '"value":7,"value":'), ('"turns":', '"turns": '), ('"format"', '"\\u0066ormat"')],
    ids=["a key told twice", "a blank", "another spelling"],
)
def test_what_a_reader_would_pass_over_is_noticed(written: str, altered: str) -> None:
    text = certified("knife").text()
    assert written in text
    with pytest.raises(Rejected, match="the file has been altered"):
        check(read_certificate(text.replace(written, altered, 1).encode("ascii")))


def test_a_possible_goal_cannot_be_certified_as_impossible() -> None:
    goal = Goal(Objective.REACH, 20, 3, frozenset({"new_day"}))
    true = certify(*asked_with("sprint-20", goal))
    claim = replace(true, goal=replace(goal, target=17))
    with pytest.raises(Rejected, match="turn 3: the rules lead to 17, so the target 17 is not excluded"):
        check(claim.with_seal())


def test_a_distance_must_be_the_greatest_and_the_line_as_long_as_asked() -> None:
    true = certified("knife")
    shorter = replace(true, line=true.line[:-1])
    with pytest.raises(Rejected, match="the line takes 3 turns, not 4"):
        check(shorter.with_seal())
    position, report = asked("knife", replace(true.goal, within_turns=3))
    less = certify(position, replace(true.goal, within_turns=3), report)
    farther = replace(less, value=(less.value or 0) + 1)
    with pytest.raises(Rejected, match="but the line is worth"):
        check(farther.with_seal())


def test_a_line_that_is_not_the_best_is_rejected() -> None:
    goal = replace(load_puzzle("sprint-10").goal, target=8)
    position, report = asked("sprint-10", goal)
    best = certify(position, goal, report)
    slow = certified("sprint-10")
    claim = replace(slow, goal=goal)
    assert best.value == 2
    with pytest.raises(Rejected, match="turn 2: the rules lead to 8, so the target 8 is not excluded"):
        check(claim.with_seal())


@pytest.mark.parametrize("place", range(0, 2000, 97))
def test_one_changed_byte_is_noticed(place: int) -> None:
    raw = bytearray(certified("sprint-10").data())
    raw[place] ^= 0x01
    with pytest.raises((Unreadable, Rejected)):
        check(read_certificate(bytes(raw)))


@pytest.mark.parametrize("part", [0.0, 0.2, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("compress", [False, True])
def test_a_file_cut_short_is_unreadable(part: float, *, compress: bool) -> None:
    raw = certified("sprint-20").data(compress=compress)
    with pytest.raises(Unreadable):
        read_certificate(raw[: int(len(raw) * part)])


def test_a_file_that_lacks_its_last_lines_is_unreadable() -> None:
    lines = certified("sprint-20").text().splitlines(keepends=True)
    with pytest.raises(Unreadable, match="ends without its seal"):
        read_certificate("".join(lines[:-1]).encode())


JUNK = {
    "nothing": b"",
    "zeros": bytes(64),
    "binary": bytes(range(256)),
    "a gzip of junk": gzip.compress(b"\xff\x00junk"),
    "a broken gzip": b"\x1f\x8bnothing of the kind",
    "no objects": b"[1]\n[2]\n",
    "another format": b'{"format":"bestline/certificate/99"}\n{"seal":""}\n',
    "deep": b"[" * 100_000,
    "a claim without fields": b'{"format":"bestline/certificate/1"}\n{"seal":""}\n',
    "a seal alone": b'{"seal":"00"}\n',
}


@pytest.mark.parametrize("what", JUNK)
def test_junk_is_unreadable(what: str) -> None:
    with pytest.raises(Unreadable):
        read_certificate(JUNK[what])


WRONG_TYPES = {
    "value": "4",
    "line": [["play"], 3],
    "turns": True,
    "position": [],
    "goal": {"objective": "min_turns"},
}


@pytest.mark.parametrize("field", WRONG_TYPES)
def test_wrong_types_are_unreadable(field: str) -> None:
    head, *rest = certified("sprint-10").text().splitlines()
    table = {**json.loads(head), field: WRONG_TYPES[field]}
    with pytest.raises(Unreadable, match="line 1"):
        read_certificate("\n".join([json.dumps(table), *rest]).encode())


# What cannot be written


def test_nothing_is_certified_that_is_not_proved() -> None:
    puzzle = load_puzzle("sprint-40")
    report = solve(puzzle.position, puzzle.goal, Limit(time_s=0))
    with pytest.raises(TooLarge, match="nothing is proved yet"):
        certify(puzzle.position, puzzle.goal, report)


def test_a_wrong_answer_is_not_certified() -> None:
    puzzle = load_puzzle("sprint-20")
    goal = Goal(Objective.REACH, 17, 3, frozenset({"new_day"}))
    wrong = Report(Status.INFEASIBLE, 0, 0, (), Proof("layers"), Statistics())
    with pytest.raises(DisagreementError, match="the rules get there in"):
        certify(puzzle.position, goal, wrong)


def test_changed_options_travel_with_the_position() -> None:
    puzzle = load_puzzle("sprint-10")
    options = {**puzzle.position.options, "sacrifice_timing": "any_time"}
    changed = load_position(json.dumps({**puzzle.position.canonical(), "options": options}))
    assert changed.fingerprint != puzzle.position.fingerprint
    certificate = certify(changed, puzzle.goal, solve(changed, puzzle.goal))
    assert check(certificate).position == changed
    with pytest.raises(Rejected, match="made for other rules"):
        check(replace(certificate, position=puzzle.position.canonical()).with_seal())


# The only line

LONELY = """
game = "iditacards"
ruleset = "2019-02"
[chance]
seed = 1
open = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"]
lists = { weather = ["sun", "sun", "sun"] }
[state]
weather = "none"
upgrade = [[], [], [], []]
[[state.players]]
pos = 50
hand = ["CARD"]
deck = []
"""


@cache
def lonely() -> Certificate:
    position = load_position(LONELY.replace("CARD", "move"))
    goal = Goal(Objective.MIN_TURNS, 52, None, frozenset({"new_day"}))
    return certify(position, goal, solve(position, goal), unique=True)


def test_the_only_line_is_certified_as_such() -> None:
    assert lonely().ways == (1,) * (lonely().value or 0)
    assert check(read_certificate(lonely().data())).unique is True


def test_other_lines_that_do_as_well_are_counted() -> None:
    puzzle = load_puzzle("knife")
    certificate = certify(puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal), unique=True)
    assert certificate.ways == (3, 1, 1, 1)
    assert check(certificate).unique is False
    with pytest.raises(Rejected, match=r"turn by turn: 3, 1, 1, 1, not 1, 1, 1, 1"):
        check(replace(certificate, ways=(1, 1, 1, 1)).with_seal())
    with pytest.raises(Rejected, match="not none"):
        check(replace(certificate, ways=()).with_seal())


def test_no_claim_is_made_unasked_or_about_what_has_no_best_line() -> None:
    assert check(certified("knife")).unique is None
    goal = Goal(Objective.REACH, 20, 3, frozenset({"new_day"}))
    position, report = asked("sprint-20", goal)
    certificate = certify(position, goal, report, unique=True)
    assert certificate.ways is None
    with pytest.raises(Rejected, match="only a best line can be the only one"):
        check(replace(certificate, ways=(1, 1, 1)).with_seal())


def test_a_line_of_more_days_is_not_the_best_of_its_turns() -> None:
    """Among lines of as many turns fewer days are better, and the only line is one of those."""
    position = load_position(LONELY.replace("CARD", "breakfast"))
    goal = Goal(Objective.MIN_TURNS, 53)
    certificate = certify(position, goal, solve(position, goal), unique=True)
    assert certificate.value == 2
    other = replace(certificate, line=(("play breakfast",), ("new_day",)))
    assert check(other.with_seal()).unique is False
    with pytest.raises(Rejected, match="others take as many turns in fewer rounds"):
        check(replace(certificate, line=(("new_day",), ("new_day",))).with_seal())
