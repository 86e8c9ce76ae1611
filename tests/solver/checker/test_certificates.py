"""Certificates: what is proved holds, and whatever is changed in one is found and named."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective, load_puzzle
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position
from solver.checker import certificate
from solver.checker.certificate import Unreadable
from solver.checker.check import Rejected
from solver.checker.layers import TooLarge
from solver.engines.answers import solve
from solver.proofs import write_proof
from solver.question import Answer, Statistics, Status
from solver.question import Proof as Evidence
from solver.search.budget import Budget
from tests.bare import bare_position
from tests.solver.checker.forging import Forge, Proof, checked_again, checked_file, proved

LIBRARY = (
    "sprint-10",
    "sprint-20",
    "knife",
    "risk-in-risk",
    "rope-bridge",
    "checkpoint",
    "through-the-night",
    "tailwind",
    "lone-ace",
    "torchlight",
)
ONE_DAY = frozenset({"new_day"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


@pytest.fixture(scope="module")
def certified(folder: Path) -> Callable[..., Proof]:
    """Return what makes the certificate of a puzzle, by its bound where that is asked for."""

    @cache
    def certificate_of(name: str, *, cuts: bool = False) -> Proof:
        puzzle = load_puzzle(name)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("solver.proofs.QUICK", 0 if cuts else 5_000)
            report = solve(puzzle.position, puzzle.goal)
            return proved(puzzle.position, puzzle.goal, report, folder / f"{name}{cuts}.proof")

    return certificate_of


@cache
def asked(name: str, goal: Goal) -> tuple[Position, Goal, Answer[int]]:
    position = load_puzzle(name).position
    return position, goal, solve(position, goal)


@pytest.mark.slow
@pytest.mark.parametrize("cuts", [False, True])
@pytest.mark.parametrize("name", LIBRARY)
def test_what_is_proved_holds(name: str, certified: Callable[..., Proof], folder: Path, *, cuts: bool) -> None:
    proof = certified(name, cuts=cuts)
    raw = (folder / f"{name}{cuts}.proof").read_bytes()
    assert checked_again(proof, folder / "again").seal == json.loads(raw.splitlines()[-1])["seal"]
    (folder / "packed").write_bytes(gzip.compress(raw))
    checked, puzzle = checked_file(folder / "packed"), load_puzzle(name)
    assert (checked.position, checked.goal) == (puzzle.position, puzzle.goal)
    assert puzzle.solution is not None
    assert checked.goal.in_rounds(checked.value) == puzzle.solution.value
    assert checked.relies == proof.claim["bound"]
    assert bool(checked.relies) or not cuts
    assert checked.positions == sum(len(layer.get("positions", ())) for layer in proof.layers)


def test_the_same_question_gives_the_same_bytes(certified: Callable[..., Proof], folder: Path) -> None:
    puzzle = load_puzzle("sprint-20")
    certified("sprint-20")
    for name in ("a.gz", "b.gz"):
        write_proof(puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal), folder / name)
    assert (folder / "a.gz").read_bytes() == (folder / "b.gz").read_bytes()
    assert gzip.decompress((folder / "a.gz").read_bytes()) == (folder / "sprint-20False.proof").read_bytes()


@pytest.mark.parametrize("size", [1, 7, 42])
def test_a_layer_of_many_positions_takes_several_lines(
    size: int, certified: Callable[..., Proof], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = certified("sprint-20")
    monkeypatch.setattr(certificate, "BLOCK", size)
    puzzle = load_puzzle("sprint-20")
    parts = proved(puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal), folder / "parts")
    assert checked_file(folder / "parts").positions > 2 * size
    for turn in (1, 2):
        (listed,) = [layer["positions"] for layer in whole.layers if layer["turn"] == turn]
        lines = [layer["positions"] for layer in parts.layers if layer["turn"] == turn]
        assert [len(line) for line in lines[:-1]] == [size] * (len(lines) - 1)
        assert [name for line in lines for name in line] == listed
    parts.layers.pop(1)
    with pytest.raises(Rejected, match="turn 1: "):
        checked_again(parts, folder / "parts")


@pytest.mark.parametrize(
    "goal",
    [
        Goal(Objective.MIN_TURNS, 4, None, ONE_DAY),
        Goal(Objective.MIN_TURNS, 1, None, ONE_DAY),
        Goal(Objective.MIN_TURNS, 0),
        Goal(Objective.MIN_TURNS, 20, 3, ONE_DAY),
        Goal(Objective.REACH, 20, 4, ONE_DAY),
        Goal(Objective.REACH, 20, 3, ONE_DAY),
        Goal(Objective.MAX_DISTANCE, 161, 2, ONE_DAY),
        Goal(Objective.MAX_DISTANCE, 161, 0, ONE_DAY),
    ],
    ids=str,
)
@pytest.mark.parametrize("quick", [0, 5_000])
def test_every_kind_of_claim_can_be_certified(
    goal: Goal, quick: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.proofs.QUICK", quick)
    question = asked("sprint-20", goal)
    write_proof(*question, folder / "claim")
    checked = checked_file(folder / "claim")
    assert (checked.status, checked.value) == (question[2].status.value, question[2].value)


def test_impossible_however_long_is_certified_by_layers_that_end(folder: Path) -> None:
    question = asked("rope-bridge", Goal(Objective.MIN_TURNS, 160, None, ONE_DAY))
    assert question[2].status is Status.INFEASIBLE
    assert proved(*question, folder / "never").claim["turns"] is None
    assert checked_file(folder / "never").status == "infeasible"


def test_a_turn_that_has_begun_counts(folder: Path) -> None:
    puzzle = load_puzzle("tailwind")
    game, start = puzzle.position.start()
    states = [game.apply(start, move).state for move in game.legal_moves(start)]
    position = puzzle.position.after(next(state for state in states if state.pending))
    goal = Goal(Objective.MIN_TURNS, 8, None, ONE_DAY)
    report = solve(position, goal)
    write_proof(position, goal, report, folder / "begun")
    assert checked_file(folder / "begun").value == report.value


# What is changed is found


def claim(**changes: Any) -> Forge:
    return lambda proof: proof.claim.update(changes)


def goal(**changes: Any) -> Forge:
    return lambda proof: proof.claim["goal"].update(changes)


def layer(number: int, **changes: Any) -> Forge:
    return lambda proof: proof.layers[number - 1].update(changes)


def listed(turn: int, change: Callable[[list[str]], object]) -> Forge:
    return lambda proof: change(proof.layers[turn - 1]["positions"])


def position(**changes: Any) -> Forge:
    return lambda proof: proof.claim["position"].update(changes)


def moved(proof: Proof) -> None:
    proof.claim["position"]["state"]["players"][0]["pos"] += 1


def fewer_layers(proof: Proof) -> None:
    proof.claim["turns"] = 2
    del proof.layers[2:]


def line(change: Callable[[list[list[str]]], object]) -> Forge:
    return lambda proof: change(proof.claim["line"])


FORGED: dict[str, tuple[Forge, str]] = {
    "fewer turns claimed": (claim(value=3), "the claimed value is 3, but the line is worth 4"),
    "more turns claimed": (claim(value=5), "the claimed value is 5, but the line is worth 4"),
    "fewer turns excluded": (fewer_layers, "the claim needs 3 turns to be excluded, the certificate goes through 2"),
    "more turns excluded": (claim(turns=4), "needs 3 turns to be excluded"),
    "a position dropped": (listed(2, lambda names: names.pop(7)), "turn 2: the certificate leaves out position"),
    "the last position dropped": (listed(2, lambda names: names.pop()), "turn 2: the certificate leaves out position"),
    "a position added": (
        listed(1, lambda names: names.append("f" * 16)),
        "turn 1: the certificate has more, another form, or not",
    ),
    "a position twice": (
        listed(1, lambda names: names.append(names[-1])),
        "turn 1: the certificate has more, another form, or not",
    ),
    "a bound raised": (
        layer(3, furthest=19),
        "turn 3: .*, or not 17 as the furthest",
    ),
    "a bound lowered": (
        layer(1, furthest=3),
        "turn 1: .*, or not 4 as the furthest",
    ),
    "a layer dropped": (lambda proof: proof.layers.pop(), "turn 3: the certificate has no such layer"),
    "a layer out of place": (layer(2, turn=1), "turn 2: the certificate has more, another form, or not"),
    "a layer added": (
        lambda proof: proof.layers.append({"turn": 4, "furthest": 18}),
        "there are layers beyond turn 3, which is the last one",
    ),
    "a last layer with positions": (layer(3, positions=[]), "turn 3: the certificate has more, another form, or not"),
    "a layer without positions": (lambda proof: proof.layers[0].pop("positions"), "turn 1: the certificate leaves out"),
    "a layer of something else": (layer(1, positions=7), "turn 1: the certificate leaves out position"),
    "an altered line": (line(lambda turns: turns[0].insert(0, "play husky")), "move 1, 'play husky', does not replay"),
    "a line cut short": (line(lambda turns: turns.pop()), "short of the target 20"),
    "a turn left open": (line(lambda turns: turns[0].pop()), "does not replay"),
    "two turns in one": (
        line(lambda turns: turns[0].extend(turns.pop(1))),
        "turn 1 of the line does not end where the line says",
    ),
    "a forbidden move": (line(lambda turns: turns.insert(0, ["new_day"])), "'new_day', which the goal forbids"),
    "foreign rules": (claim(fingerprint="0123456789ab"), "made for other rules: its fingerprint is 0123456789ab"),
    "another ruleset named": (claim(ruleset="iditacards/2017"), "the ruleset is called"),
    "another edition": (position(ruleset="2019-08"), "cannot be read|canonical|made for other rules"),
    "a position moved": (moved, "turn"),
    "a position not canonical": (lambda proof: proof.claim["position"].pop("options"), "not in canonical form"),
    "an impossible position": (position(players=99), "position cannot be read"),
    "a nearer target": (goal(target=17), "is not excluded|is worth"),
    "a farther target": (goal(target=99), "short of the target 99"),
    "moves allowed again": (goal(forbidden=[]), "turn 1: "),
    "too few turns allowed": (goal(within_turns=3), "more than the 3 allowed"),
    "another seat": (goal(seat=1), "the goal does not fit the position"),
    "another bound": (claim(bound="a better one"), "it relies on the bound 'a better one', the rules here bring"),
    "an unknown claim": (claim(status="unique"), "'unique' is no claim"),
    "called impossible": (claim(status="infeasible"), "what is impossible has neither a line nor"),
    "called impossible without a line": (
        claim(status="infeasible", value=None, line=[]),
        "the claim needs all turns to be excluded",
    ),
}


@pytest.mark.parametrize("change", FORGED)
def test_a_forged_certificate_is_rejected_and_says_why(
    change: str, certified: Callable[..., Proof], folder: Path
) -> None:
    forge, why = FORGED[change]
    proof = certified("sprint-20").copy()
    forge(proof)
    with pytest.raises(Rejected, match=why):
        checked_again(proof, folder / "forged")


BOUNDED = ("a position dropped", "the last position dropped", "a position added", "a bound raised", "a layer dropped")


@pytest.mark.parametrize("change", BOUNDED)
def test_what_a_bound_has_cut_is_no_excuse(change: str, certified: Callable[..., Proof], folder: Path) -> None:
    proof = certified("sprint-20", cuts=True).copy()
    FORGED[change][0](proof)
    with pytest.raises(Rejected, match=r"turn \d: "):
        checked_again(proof, folder / "forged")
    other = certified("sprint-20", cuts=True).copy()
    other.claim["bound"] = ""
    with pytest.raises(Rejected, match="turn 1: the certificate leaves out position"):
        checked_again(other, folder / "forged")


@pytest.mark.parametrize(
    ("written", "altered"),
    [('"value":', '"value":7,"value":'), ('"turns":', '"turns": '), ('"format"', '"\\u0066ormat"')],
    ids=["a key told twice", "a blank", "another spelling"],
)
def test_what_a_reader_would_pass_over_is_noticed(
    written: str, altered: str, certified: Callable[..., Proof], folder: Path
) -> None:
    text = certified("knife").write(folder / "spelled").read_text()
    assert written in text
    (folder / "spelled").write_text(text.replace(written, altered, 1))
    with pytest.raises(BestlineError, match=r"the file has been altered|no certificate"):
        checked_file(folder / "spelled")


def test_a_possible_goal_cannot_be_certified_as_impossible(folder: Path) -> None:
    proof = proved(*asked("sprint-20", Goal(Objective.REACH, 20, 3, ONE_DAY)), folder / "impossible")
    proof.claim["goal"]["target"] = 17
    with pytest.raises(Rejected, match="turn 3: the rules lead to 17, so the target 17 is not excluded"):
        checked_again(proof, folder / "impossible")


def test_a_distance_must_be_the_greatest_and_the_line_as_long_as_asked(
    certified: Callable[..., Proof], folder: Path
) -> None:
    shorter = certified("knife").copy()
    shorter.claim["line"].pop()
    with pytest.raises(Rejected, match="the line takes 3 turns, not 4"):
        checked_again(shorter, folder / "shorter")
    less = certified("knife").copy()
    report = solve(load_puzzle("knife").position, load_puzzle("knife").goal)
    assert report.value is not None
    less.claim["value"] = report.value + 1
    with pytest.raises(Rejected, match="but the line is worth"):
        checked_again(less, folder / "farther")
    worse = certified("knife").copy()
    worse.claim.update(status="infeasible", value=None, line=[])
    with pytest.raises(Rejected, match="so nothing is not the most"):
        checked_again(worse, folder / "worse")


def test_a_line_that_is_not_the_best_is_rejected(certified: Callable[..., Proof], folder: Path) -> None:
    slow = certified("sprint-10").copy()
    slow.claim["goal"]["target"] = 8
    with pytest.raises(Rejected, match="turn 2: the rules lead to 8, so the target 8 is not excluded"):
        checked_again(slow, folder / "slow")


@pytest.mark.parametrize("place", range(0, 2000, 97))
def test_one_changed_byte_is_noticed(place: int, certified: Callable[..., Proof], folder: Path) -> None:
    raw = bytearray(certified("sprint-10").write(folder / "byte").read_bytes())
    raw[place] ^= 0x01
    (folder / "byte").write_bytes(raw)
    with pytest.raises((Unreadable, Rejected)):
        checked_file(folder / "byte")


@pytest.mark.parametrize("part", [0.0, 0.2, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("compress", [False, True])
def test_a_file_cut_short_is_unreadable(
    part: float, certified: Callable[..., Proof], folder: Path, *, compress: bool
) -> None:
    raw = certified("sprint-20").write(folder / "short").read_bytes()
    raw = gzip.compress(raw) if compress else raw
    (folder / "short").write_bytes(raw[: int(len(raw) * part)])
    with pytest.raises(Unreadable):
        checked_file(folder / "short")


@pytest.mark.parametrize("damage", [b'{"turn":', b"[]", b"\xff", b'{"positions":[}'])
@pytest.mark.parametrize("line", [1, -1])
def test_a_line_behind_the_claim_that_is_no_json_is_unreadable(
    damage: bytes, line: int, certified: Callable[..., Proof], folder: Path
) -> None:
    lines = certified("sprint-20").write(folder / "damaged").read_bytes().splitlines()
    lines[line] = damage
    (folder / "damaged").write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(Unreadable, match="malformed JSON"):
        checked_file(folder / "damaged")


def test_a_file_that_lacks_its_last_lines_is_unreadable(certified: Callable[..., Proof], folder: Path) -> None:
    lines = certified("sprint-20").write(folder / "short").read_text().splitlines(keepends=True)
    (folder / "short").write_text("".join(lines[:-1]))
    with pytest.raises(Unreadable, match="ends without its seal"):
        checked_file(folder / "short")


JUNK = {
    "nothing": b"",
    "zeros": bytes(64),
    "binary": bytes(range(256)),
    "a gzip of junk": gzip.compress(b"\xff\x00junk"),
    "a broken gzip": b"\x1f\x8bnothing of the kind",
    "no objects": b"[1]\n[2]\n",
    "another format": b'{"format":"bestline/certificate/99"}\n{"seal":""}\n',
    "deep": b"[" * 100_000,
    "a claim without fields": b'{"format":"bestline/certificate/2"}\n{"seal":""}\n',
    "a claim alone": b'{"format":"bestline/certificate/2"}\n',
    "a seal alone": b'{"seal":"00"}\n',
}


@pytest.mark.parametrize("what", JUNK)
def test_junk_is_unreadable(what: str, folder: Path) -> None:
    (folder / "junk").write_bytes(JUNK[what])
    with pytest.raises(Unreadable):
        checked_file(folder / "junk")


WRONG_TYPES = {
    "value": "4",
    "line": [["play"], 3],
    "turns": True,
    "position": [],
    "goal": {"objective": "min_turns"},
}


@pytest.mark.parametrize("field", WRONG_TYPES)
def test_wrong_types_are_unreadable(field: str, certified: Callable[..., Proof], folder: Path) -> None:
    proof = certified("sprint-10").copy()
    proof.claim[field] = WRONG_TYPES[field]
    with pytest.raises(Unreadable, match="line 1"):
        checked_again(proof, folder / "typed")


# What cannot be written


def test_nothing_is_certified_that_is_not_proved(tmp_path: Path) -> None:
    puzzle = load_puzzle("sprint-40")
    report = solve(puzzle.position, puzzle.goal, Budget(time_s=0))
    with pytest.raises(TooLarge, match="nothing is proved yet"):
        write_proof(puzzle.position, puzzle.goal, report, tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_time_is_kept_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="time"):
        write_proof(*asked("sprint-20", Goal(Objective.MIN_TURNS, 20, None, ONE_DAY)), tmp_path / "late", 0.0)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_answer_is_not_certified(tmp_path: Path) -> None:
    puzzle = load_puzzle("sprint-20")
    wrong = Answer(Status.INFEASIBLE, 0, 0, (), Evidence("layers"), Statistics())
    with pytest.raises(DisagreementError, match="the rules get there in 3"):
        write_proof(puzzle.position, Goal(Objective.REACH, 17, 3, ONE_DAY), wrong, tmp_path / "wrong")
    position, farthest, report = asked("sprint-20", Goal(Objective.MAX_DISTANCE, 161, 2, ONE_DAY))
    less = replace(report, status=Status.INFEASIBLE, value=None, line=())
    with pytest.raises(DisagreementError, match="the search claims None, but the rules lead to"):
        write_proof(position, farthest, less, tmp_path / "wrong")
    assert list(tmp_path.iterdir()) == []


def test_changed_options_travel_with_the_position(folder: Path) -> None:
    puzzle = load_puzzle("sprint-10")
    options = {**puzzle.position.values, "sacrifice_timing": "any_time"}
    changed = bare_position(json.dumps({**puzzle.position.canonical(), "options": options}))
    assert changed.fingerprint != puzzle.position.fingerprint
    proof = proved(changed, puzzle.goal, solve(changed, puzzle.goal), folder / "options")
    assert checked_file(folder / "options").position == changed
    proof.claim["position"] = dict(puzzle.position.canonical())
    with pytest.raises(Rejected, match="made for other rules"):
        checked_again(proof, folder / "options")
