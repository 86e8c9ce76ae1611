"""``solve --proof``, ``verify`` and ``puzzle verify --certificate`` as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Runner


@pytest.fixture
def certificate(bestline: Runner, tmp_path: Path) -> Path:
    file = tmp_path / "proof.jsonl"
    run = bestline("solve", "sprint-20", "--proof", str(file))
    assert run.code == 0
    assert f"wrote {file}: certificate " in run.err
    return file


def test_a_proof_is_written_and_holds(bestline: Runner, certificate: Path) -> None:
    run = bestline("verify", str(certificate))
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
    certificate.write_text(certificate.read_text("ascii").replace('"value":4', '"value":3'), "ascii")
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
    from puzzles.loader import library
    from solver.checker.certificate import read_certificate

    text = library()["sprint-20"].read_text("utf-8")
    assert "[solution]" in text
    seal = read_certificate(certificate.read_bytes()).seal
    for stated, code in ((seal, 0), ("0" * 64, 1)):
        puzzle = tmp_path / "own.toml"
        puzzle.write_text(text.replace("[solution]\n", f'[solution]\ncertificate = "{stated}"\n'), "utf-8")
        run = bestline("puzzle", "verify", str(puzzle), "--certificate", str(certificate))
        assert run.code == code
        assert ("digest" in run.out) == (code == 1)


def test_whether_another_line_does_as_well_is_certified_when_asked(bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "proof.jsonl"
    assert bestline("solve", "knife", "--unique").code == 2
    assert bestline("solve", "knife", "--proof", str(file), "--unique").code == 0
    assert bestline("verify", str(file), "--json").json["unique"] is False
    assert "other lines do as well" in bestline("verify", str(file)).out


def test_a_puzzle_that_calls_its_line_the_only_one_needs_the_proof(bestline: Runner, tmp_path: Path) -> None:
    from puzzles.loader import library

    text = library()["knife"].read_text("utf-8")
    puzzle = tmp_path / "own.toml"
    puzzle.write_text(text.replace("[solution]\n", "[solution]\nunique = true\n"), "utf-8")
    for words, said in (([], "does not say whether it is"), (["--unique"], "proves that it is not")):
        proof = tmp_path / f"proof{len(words)}"
        bestline("solve", "knife", "--proof", str(proof), *words)
        run = bestline("puzzle", "verify", str(puzzle), "--certificate", str(proof))
        assert run.code == 1
        assert said in " ".join(run.out.split())


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
