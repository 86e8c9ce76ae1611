"""Large certificates: the same claims as closed layers prove, checked from disk, and whatever is changed is named."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from puzzles.loader import load_puzzle
from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.iditacards.engine import Iditacards
from solver.checker import bounded
from solver.checker.archive import Archive, check_archive, check_proof, read_archive
from solver.checker.bounded import Bounded
from solver.checker.certificate import Certificate, Unreadable
from solver.checker.closed import Budget, Tables, TooLarge
from solver.checker.evidence import Astray
from solver.checker.question import Rejected
from solver.checker.reading import opened
from solver.proofs import certify, write_large, write_proof
from solver.report import Report, Status
from solver.solve import searchable, solve
from tests.solver.checker.forging import Forge, block, claim, forged, records, rewritten

MOST = 16
RACE = Goal(Objective.MIN_TURNS, 20, None, frozenset({"new_day"}))


@pytest.fixture(autouse=True, scope="module")
def bound_of_a_race() -> Iterator[None]:
    """Give the race a bound of the plainest kind: no turn of these questions brings more than so many spaces."""

    def least(_: Iditacards, table: Any, seat: int, target: int) -> int:
        return max(0, -int(-(target - table.players[seat].pos) // MOST))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Iditacards, "bound_name", f"{MOST} a turn")
        patch.setattr(Iditacards, "least_turns", least)
        yield


def loaded(path: Path) -> Certificate | Archive:
    with opened(path) as proof:
        assert isinstance(proof, Certificate | Archive)
        return proof


@cache
def race(goal: Goal = RACE) -> tuple[Position, Goal, Report]:
    position = load_puzzle("sprint-20").position
    return position, goal, solve(position, goal)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("proofs") / "race.proof"
    write_large(*race(), path)
    return path


def test_a_race_is_proved_from_disk(written: Path) -> None:
    archive = read_archive(written)
    checked = check_archive(archive)
    report = race()[2]
    assert (checked.status, checked.value, checked.turns) == ("optimal", report.value, (report.value or 0) - 1)
    assert checked.positions == sum(layer.positions for layer in archive.layers) > 20
    assert checked.relies == f"{MOST} a turn"
    assert list(written.parent.iterdir()) == [written]


def test_the_same_question_gives_the_same_seal(written: Path, tmp_path: Path) -> None:
    assert write_large(*race(), tmp_path / "again.proof") == read_archive(written).seal


def test_batches_that_overflow_change_nothing(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "_BATCH", 5)
    assert write_large(*race(), tmp_path / "small.proof") == read_archive(written).seal
    assert check_archive(read_archive(written)).value == race()[2].value


@pytest.mark.parametrize("name", ["sprint-10", "rope-bridge"])
def test_other_games_and_days_are_carried_too(name: str, tmp_path: Path) -> None:
    puzzle = load_puzzle(name)
    goal = puzzle.goal
    report = solve(puzzle.position, goal)
    path = tmp_path / "a.proof"
    write_large(puzzle.position, goal, report, path)
    checked = check_proof(loaded(path))
    assert (checked.position, checked.value) == (puzzle.position, report.value)
    assert check_proof(certify(puzzle.position, goal, report)).value == checked.value


def test_unpruned_layers_hold_no_shorter_line_than_bounded_ones() -> None:
    """The control: without bound and projection the target comes in the same turn, and no sooner."""
    position, goal, _ = race(replace(RACE, target=17))
    game, start = searchable(position), position.start()[1]
    everything = Tables(game, start, goal, Budget(100_000, 100_000))
    sooner = 0
    while (everything.furthest_next() or 0) < goal.target:
        everything.advance()
        sooner += 1
    for cuts in (True, False):
        with Bounded(game, start, goal, sooner, Budget(100_000, 100_000), cuts=cuts) as layers:
            assert [turn for turn, _ in layers.layers()] == list(range(1, sooner + 1))
        with (
            Bounded(game, start, goal, sooner + 1, Budget(100_000, 100_000), cuts=cuts) as layers,
            pytest.raises(bounded.Reached),
        ):
            list(layers.layers())


def test_the_size_decides_the_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load_puzzle("sprint-20")
    asked = puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal)
    write_proof(*asked, tmp_path / "small")
    assert isinstance(loaded(tmp_path / "small"), Certificate)
    monkeypatch.setattr("solver.proofs.SOON_STATES", 10)
    write_proof(*asked, tmp_path / "large")
    assert isinstance(loaded(tmp_path / "large"), Archive)
    assert check_proof(loaded(tmp_path / "large")).value == puzzle.goal.told(asked[2].value)


def test_time_is_kept_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="time"):
        write_large(*race(), tmp_path / "late.proof", 0.0)
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_the_rules_beat_is_not_certified(tmp_path: Path) -> None:
    position, goal, report = race()
    worse = replace(report, status=Status.INFEASIBLE, value=None, line=())
    within = replace(goal, within_turns=report.value)
    with pytest.raises(DisagreementError, match="the rules get there in"):
        write_large(position, within, worse, tmp_path / "a.proof")


# What is changed is found


FORGED: dict[str, tuple[Forge, str]] = {
    "fewer turns claimed": (claim(value=3), "the claimed value is 3, but the line is worth 4"),
    "fewer turns excluded": (claim(turns=2), "needs 3 turns to be excluded"),
    "a state dropped": (block(2, records(lambda data: data[9:])), "turn 2: the certificate leaves out position"),
    "the last state dropped": (
        block(2, records(lambda data: data[:-9])),
        "turn 2: the certificate leaves out position",
    ),
    "a state added": (block(1, records(lambda data: bytes(9) + data)), "turn 1: the certificate lists position 0000"),
    "a state behind": (
        block(1, records(lambda data: data + b"\xff" * 9)),
        "turn 1: the certificate lists position ffffffffffffffff, to which nothing leads",
    ),
    "a bound raised": (
        block(2, records(lambda data: data[:8] + bytes((data[8] + 1,)) + data[9:])),
        r"turn 2: position \w+ is \d turns away by the bound, not",
    ),
    "a damaged block": (block(2, lambda data: b"\x00" + data[1:]), "turn 2: block 0 is damaged"),
    "half a record": (block(2, records(lambda data: data[:-1])), "turn 2: block 0 is damaged"),
    "a block that swells": (block(2, lambda _: zlib.compress(bytes(9_000_000))), "turn 2: block 0 is damaged"),
    "no block": (lambda disk: disk.execute("DELETE FROM block WHERE turn = 2").close(), "leaves out position"),
    "a layer dropped": (lambda disk: disk.execute("DELETE FROM layer WHERE turn = 3").close(), "no such layer"),
    "a layer added": (
        lambda disk: disk.execute("INSERT INTO layer VALUES (9, 0, '')").close(),
        "layers beyond turn 3",
    ),
    "a count changed": (
        lambda disk: disk.execute("UPDATE layer SET positions = positions + 1 WHERE turn = 1").close(),
        "turn 1: the layer is said to have",
    ),
    "another bound": (claim(bound="a better one"), "the rules here bring '16 a turn'"),
    "no bound": (claim(bound=""), "leaves out position|away by the bound, not"),
    "foreign rules": (claim(fingerprint="0123456789ab"), "made for other rules"),
    "another ruleset named": (claim(ruleset="iditacards/2017"), "the ruleset is called"),
    "another form": (claim(form="tables"), "there is no form 'tables'"),
    "ways counted": (claim(ways=[1, 1]), "counts no lines"),
    "called impossible": (claim(status="infeasible"), "neither a line nor a value"),
    "a line cut short": (claim(line=[]), "but the line is|short of the target"),
}


@pytest.mark.parametrize("change", FORGED)
def test_a_forged_archive_is_rejected_and_says_why(change: str, written: Path, tmp_path: Path) -> None:
    forge, why = FORGED[change]
    archive = forged(written, tmp_path / "forged.proof", forge)
    with pytest.raises(Rejected, match=why):
        check_archive(archive)


def test_without_a_new_seal_an_altered_claim_is_seen_at_once(written: Path, tmp_path: Path) -> None:
    path = tmp_path / "forged.proof"
    forged(written, path, claim(value=3))
    with pytest.raises(Rejected, match="the seal does not fit"):
        check_archive(read_archive(path))


@pytest.mark.parametrize("size", [100, 3000])
def test_a_file_cut_short_is_refused(size: int, written: Path, tmp_path: Path) -> None:
    path = tmp_path / "short.proof"
    path.write_bytes(written.read_bytes()[:size])
    with pytest.raises(Unreadable, match="damaged"):
        read_archive(path)


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.proof"
    rewritten(path, lambda disk: disk.execute("CREATE TABLE meta (name, value)").close())
    with pytest.raises(Unreadable, match="no certificate"):
        read_archive(path)


# What evidence with a bound relies on is watched


def bounded_race(turns: int = 3) -> Bounded[Any]:
    position, goal, _ = race()
    return Bounded(searchable(position), position.start()[1], goal, turns, Budget(100_000, 100_000))


def test_a_bound_that_promises_too_little_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that promises that no turn brings more than six spaces, though some do, is refused."""
    monkeypatch.setattr(
        Iditacards, "least_turns", lambda _, table, seat, target: (target - table.players[seat].pos) // 6
    )
    with bounded_race() as layers, pytest.raises(Astray, match="bound"):
        list(layers.layers())
