"""``solve --proof``, ``verify`` and ``puzzle verify --certificate`` as they are typed."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from puzzles.puzzle import library, load_puzzle
from solver.engines.answers import solve
from solver.proofs import write_proof
from tests.cli.conftest import Runner
from tests.solver.checker.forging import Proof


@pytest.fixture(scope="module")
def proof_of() -> Callable[[str], bytes]:
    """Return what certifies the answer of a puzzle."""

    @cache
    def certified(name: str) -> bytes:
        puzzle = load_puzzle(name)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "proof"
            write_proof(puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal), path)
            return path.read_bytes()

    return certified


@pytest.fixture
def certificate(proof_of: Callable[[str], bytes], tmp_path: Path) -> Path:
    file = tmp_path / "proof.jsonl"
    file.write_bytes(proof_of("sprint-20"))
    return file


def test_a_proof_is_written_and_holds(bestline: Runner, certificate: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    run = bestline("solve", "sprint-20", "--proof", str(file))
    assert run.code == 0
    assert f"wrote {file}: certificate " in run.err
    assert file.read_bytes() == certificate.read_bytes()
    run = bestline("verify", str(file))
    assert run.code == 0
    assert "HOLDS" in run.out
    assert "the line takes 4 turns, and none takes fewer" in run.out
    answer = bestline("verify", str(certificate), "--json").json
    assert (answer["ok"], answer["status"], answer["value"], answer["turns"]) == (True, "optimal", 4, 3)


def test_the_answer_is_the_same_with_and_without_a_proof(bestline: Runner, tmp_path: Path) -> None:
    plain = bestline("solve", "sprint-10", "--deterministic")
    proved = bestline("solve", "sprint-10", "--deterministic", "--proof", str(tmp_path / "proof.jsonl.gz"))
    assert plain.out == proved.out
    assert (tmp_path / "proof.jsonl.gz").read_bytes().startswith(b"\x1f\x8b")


def test_impossible_is_certified_and_still_a_negative_answer(bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "proof.jsonl"
    asked = ("--goal", "reach", "--target", "20", "--within-turns", "3", "--no-new-day", "--proof", str(file))
    assert bestline("solve", "sprint-20", *asked).code == 1
    run = bestline("verify", str(file))
    assert run.code == 0
    assert "space 20 cannot be reached within 3 turns" in run.out


def test_an_altered_certificate_fails(bestline: Runner, certificate: Path) -> None:
    certificate.write_text(certificate.read_text("ascii").replace('"value":4', '"value": 4'), "ascii")
    run = bestline("verify", str(certificate))
    assert run.code == 1
    assert "FAILS" in run.out
    assert "the file has been altered" in run.out
    answer = bestline("verify", str(certificate), "--json")
    assert (answer.code, answer.json["ok"]) == (1, False)


def test_what_is_no_certificate_is_unreadable(bestline: Runner, certificate: Path, tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_bytes(bytes(range(256)))
    cut = tmp_path / "cut"
    cut.write_bytes(certificate.read_bytes()[:-80])
    for file in (junk, cut, tmp_path / "missing", tmp_path):
        run = bestline("verify", str(file))
        assert run.code == 2
        assert str(file) in run.err
        assert run.out == ""


def test_without_time_nothing_is_written_or_claimed(bestline: Runner, certificate: Path, tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    run = bestline("solve", "sprint-40", "--time", "0", "--proof", str(file))
    assert run.code == 3
    assert "not written: nothing is proved yet" in run.err
    assert not file.exists()
    late = bestline("verify", str(certificate), "--time", "0")
    assert late.code == 3
    assert "too large to certify within the time" in late.out


def test_a_folder_that_is_not_there_is_named(bestline: Runner, tmp_path: Path) -> None:
    run = bestline("solve", "rope-bridge", "--proof", str(tmp_path / "nowhere" / "proof.jsonl"))
    assert run.code == 2
    assert "cannot be written" in run.err


def test_a_proof_of_many_questions_is_refused(bestline: Runner, tmp_path: Path) -> None:
    assert bestline("solve", "--batch", "-", "--proof", str(tmp_path / "proof.jsonl")).code == 2


def test_a_puzzle_takes_its_own_certificate_only(bestline: Runner, certificate: Path) -> None:
    own = bestline("puzzle", "verify", "sprint-20", "--certificate", str(certificate))
    assert own.code == 0
    assert "4 is proved best by its certificate" in own.out
    other = bestline("puzzle", "verify", "sprint-10", "--certificate", str(certificate))
    assert other.code == 1
    assert "the certificate is about another question" in other.out
    assert bestline("puzzle", "verify", "--certificate", str(certificate)).code == 2


def test_a_puzzle_that_states_a_digest_takes_no_other_certificate(
    bestline: Runner, certificate: Path, tmp_path: Path
) -> None:
    text = library()["sprint-20"].read_text("utf-8")
    assert "[solution]" in text
    seal = json.loads(certificate.read_text().splitlines()[-1])["seal"]
    for stated, code in ((seal, 0), ("0" * 64, 1)):
        puzzle = tmp_path / "own.toml"
        puzzle.write_text(text.replace("[solution]\n", f'[solution]\ncertificate = "{stated}"\n'), "utf-8")
        run = bestline("puzzle", "verify", str(puzzle), "--certificate", str(certificate))
        assert run.code == code
        assert ("digest" in run.out) == (code == 1)


def test_an_answer_is_no_certificate_and_says_how_to_get_one(bestline: Runner, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    assert bestline("solve", "sprint-10", "--json", "-o", str(answer)).code == 0
    run = bestline("verify", str(answer))
    assert (run.code, run.out) == (2, "")
    assert "it is an answer, and 'bestline solve --proof FILE' writes the certificate of one" in run.err


def test_an_audit_without_findings_has_nothing_that_holds(bestline: Runner, tmp_path: Path) -> None:
    audit = tmp_path / "audit.json"
    audit.write_text('{"command": "audit", "findings": []}', "utf-8")
    assert bestline("verify", str(audit)).out == "nothing to check: the audit has no findings\n"


# One reading, of whatever is given


@pytest.mark.parametrize("packed", [False, True])
def test_a_proof_comes_by_a_pipe_as_well(
    bestline: Runner, process: Runner, certificate: Path, tmp_path: Path, *, packed: bool
) -> None:
    raw = certificate.read_bytes()
    raw = gzip.compress(raw) if packed else raw
    assert "HOLDS" in process("verify", "-", stdin=raw).out
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(raw,))
    writer.start()
    run = bestline("verify", str(pipe))
    writer.join()
    assert (run.code, "HOLDS" in run.out) == (0, True)


def _swollen(part: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    return gzip.compress(before + part * (12 << 20) + after, 1)


HUGE: dict[str, Callable[[], bytes]] = {
    "lines": lambda: gzip.compress(b"{}\n" * 10_000),
    "spaces": lambda: _swollen(b" "),
    "empty lines": lambda: _swollen(b"\n"),
    "one list": lambda: gzip.compress(b'{"a":[' + b"[]," * 600_000 + b"1]}\n{}\n"),
    "zeros": lambda: bytes(12 << 20),
    "many findings": lambda: json.dumps({"command": "audit", "findings": [{}] * 2_000}).encode(),
    "a packed database": lambda: gzip.compress(b"SQLite format 3\0" + bytes(1 << 20)),
}


@pytest.mark.parametrize("claimed", [False, True])
@pytest.mark.parametrize("what", HUGE)
def test_what_is_too_large_for_a_proof_is_not_read_to_its_end(
    what: str, bestline: Runner, proof_of: Callable[[str], bytes], tmp_path: Path, *, claimed: bool
) -> None:
    file, claim = tmp_path / "huge", proof_of("checkpoint").splitlines(keepends=True)[0]
    raw = HUGE[what]()
    raw = gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw
    file.write_bytes(gzip.compress(claim + raw if claimed else raw, 1))
    for words in (("verify", str(file)), ("puzzle", "verify", "sprint-10", "--certificate", str(file))):
        run = bestline(*words)
        assert claimed or (run.code, run.out, run.err.count("\n")) == (2, "", 1), run.err
        assert run.code in (1, 2)


def test_what_has_no_end_is_not_read_to_it(bestline: Runner) -> None:
    assert bestline("verify", "/dev/zero").code == 2


@pytest.mark.slow
@pytest.mark.parametrize("end", [b"{}\n", b"\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_nothing_may_stand_behind_the_end(end: bytes, bestline: Runner, certificate: Path, *, packed: bool) -> None:
    raw = certificate.read_bytes()
    certificate.write_bytes(gzip.compress(raw) + end if packed else raw + end)
    run = bestline("verify", str(certificate))
    assert (run.code, run.out) == (2, "")


def test_no_room_for_temporary_files_is_not_the_fault_of_a_proof(
    bestline: Runner, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solver.checker.layers.sqlite3.connect", full)
    run = bestline("verify", str(certificate))
    assert (run.code, run.out) == (2, "")
    assert "temporary files cannot be written: No space left on device" in run.err
    assert not re.search("FAILS|altered|damaged", run.err)


OLD = {
    "no certificate of the format": b'{"form":"tables","format":"bestline/certificate/1"}\n{"seal":""}\n',
    "a database of version 1": b"SQLite format 3\0" + bytes(4096),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", OLD)
def test_certificates_of_old_are_refused_by_name(kind: str, bestline: Runner, tmp_path: Path, *, packed: bool) -> None:
    file = tmp_path / "old.proof"
    file.write_bytes(gzip.compress(OLD[kind]) if packed else OLD[kind])
    for words in (("verify", str(file)), ("puzzle", "verify", "sprint-10", "--certificate", str(file))):
        run = bestline(*words)
        assert (run.code, run.out) == (2, "")
        assert kind in " ".join(run.err.split())
        assert "'bestline solve … --proof FILE' makes it anew" in " ".join(run.err.split())


HOSTILE = "\x1b[31mX\x07\x9b2J\nHOLDS"
FIELDS: dict[str, Callable[[Proof], None]] = {
    **{
        field: lambda proof, field=field: proof.claim.update({field: HOSTILE})  # type: ignore[misc]
        for field in ("ruleset", "fingerprint", "bound", "status", "format")
    },
    "challenge": lambda proof: proof.claim["goal"].update(challenge=HOSTILE, terms={}),
    "objective": lambda proof: proof.claim["goal"].update(objective=HOSTILE),
    "kept": lambda proof: proof.claim["goal"].update(kept=[HOSTILE]),
    "forbidden": lambda proof: proof.claim["goal"].update(forbidden=[HOSTILE]),
    "an unknown key": lambda proof: proof.claim.update({HOSTILE: 1}),
    "a move": lambda proof: proof.claim["line"].__setitem__(0, [f"play {HOSTILE}"]),
    "the position": lambda proof: proof.claim["position"].update(ruleset=HOSTILE),
    "the state": lambda proof: proof.claim["position"]["state"].update(weather=HOSTILE),
    "a position listed": lambda proof: proof.layers[0]["positions"].append(HOSTILE),
}


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
def test_signs_that_move_the_cursor_are_not_printed(field: str, bestline: Runner, certificate: Path) -> None:
    proof = Proof.read(certificate)
    FIELDS[field](proof)
    proof.write(certificate)
    for words in ((), ("--json",)):
        run = bestline("verify", str(certificate), *words)
        assert run.code in (1, 2)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|(?m:^HOLDS)", run.out + run.err)
        assert words or (run.out + run.err).count("\n") <= 4


# What limits a line is said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("torchlight", "--without", "bribe"), "Without bribe, with partner_cap = 6."),
        (("the-courier", "--no-new-day", "--within-rounds", "3"), "In 3 rounds at most, without new_day"),
        (("sprint-10", "--without", "mush", "--keep", "move"), "without mush or new_day, never losing move."),
        (("lone-ace", "--within-turns", "12"), "In 12 turns at most, with deck_mode = queue."),
    ],
)
def test_a_question_says_what_limits_it(words: tuple[str, ...], said: str, bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "limited.proof"
    if "--within-rounds" in words:
        puzzle = Path("puzzles/library/abyss/the-courier.toml").read_text("utf-8")
        own = tmp_path / "own.toml"
        own.write_text(puzzle.replace("[goal]\n", "[goal]\nwithin_rounds = 3\nnew_day = false\n"), "utf-8")
        words = (str(own),)
    run = bestline("solve", *words, "--proof", str(file))
    assert said in " ".join(run.out.split())
    assert not re.search(r"plan bribe", run.out) or "--without" not in words
    held = " ".join(bestline("verify", str(file)).out.split()).partition("HOLDS")[2].partition(" rules ")[0]
    limits = said.rstrip(".").partition("within ")[0]
    assert limits[0].lower() + limits[1:] in held


def test_a_card_that_nobody_plays_cannot_be_left_out(bestline: Runner) -> None:
    run = bestline("solve", "torchlight", "--without", "riot")
    assert (run.code, "'riot' is not a card that is played from the hand" in run.err) == (2, True)


def test_a_variant_in_a_file_is_proved_and_named(bestline: Runner, tmp_path: Path) -> None:
    shutil.copy("puzzles/library/iditacards/sprint-10.toml", tmp_path / "own.toml")
    own = tmp_path / "own.toml"
    own.write_text(re.sub('ruleset = ".*"', 'ruleset = "house.toml"', own.read_text("utf-8")), "utf-8")
    (tmp_path / "house.toml").write_text('extends = "iditacards/2019-02"\n[options]\npass_turn = true\n', "utf-8")
    proof = str(tmp_path / "own.proof")
    assert bestline("solve", str(own), "--proof", proof).code == 0
    run = bestline("verify", proof)
    assert (run.code, "by the rules of a variant written in the position" in " ".join(run.out.split())) == (0, True)
    assert bestline("puzzle", "verify", str(own), "--certificate", proof).code == 0


def test_time_is_kept_by_the_witnesses_of_an_audit_too(bestline: Runner, tmp_path: Path) -> None:
    audit = tmp_path / "audit.json"
    finding = {"id": "x", "code": "DEAD", "witness": None}
    audit.write_text(json.dumps({"command": "audit", "findings": [finding] * 3}), "utf-8")
    assert bestline("verify", str(audit)).code == 1
    run = bestline("verify", str(audit), "--time", "0")
    assert "the time was up before the rest" in " ".join(run.out.split())
