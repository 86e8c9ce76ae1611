"""The corpus of planted changes: every case is sound, and a few of each code are put before the audit."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import audit_corpus
from benchmarks.audit_corpus import PUBLISHED, Case, Score, cases, findings, kept, outcome, scored, table
from rules.core.registry import Ruleset
from solver.audit import loop, targets
from solver.audit.finding import Audit, Finding, Level
from solver.audit.reports import CODES, audit_answer
from solver.audit.run import base_of
from solver.audit.suite import AuditQuestion, library_suite
from solver.checker.check import check_witnesses

CORPUS = {case.name: case for case in cases()}
QUICK = {"iditacards/loop-idle-2017": ("pass", 2), "iditacards/loop-fast-pass": ("pass", 2)}
"""Cases of loops, what repeats, and games enough to come by it."""
PUZZLES = {
    "iditacards/par-light-mush": "thin-ice",
    "iditacards/assert-thin-ice": "thin-ice",
    "abyss/par-double-digging": "the-courier",
    "abyss/assert-courier": "the-courier",
    "trench_rescue/assert-night-watch": "night-watch",
}
"""Cases that one puzzle shows."""


def test_the_corpus_is_large_and_covers_every_edition() -> None:
    assert len(CORPUS) >= 40
    assert {case.rulesets()[0].layers[0].file for case in CORPUS.values()} == set(PUBLISHED)
    counted = Counter(code for case in CORPUS.values() for code in case.codes)
    assert set(counted) <= set(CODES)
    assert min(counted[code] for code in ("LOOP", "RUSH", "PAR", "ASSERT")) >= 3


@pytest.mark.parametrize("case", CORPUS.values(), ids=list(CORPUS))
def test_a_case_and_its_twin_play_differently(case: Case) -> None:
    base, planted, twin = case.rulesets()
    assert planted.fingerprint not in (base.fingerprint, twin.fingerprint)


@pytest.fixture
def one_puzzle(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    wanted = request.param

    def only(ruleset: Ruleset) -> list[AuditQuestion]:
        return [each for each in library_suite(ruleset) if each.id == wanted]

    monkeypatch.setattr(targets, "library_suite", only)


def replays(case: Case, found: Finding) -> None:
    """Hold the witness of a finding against the rules, by way of the JSON that is kept of it."""
    audit = Audit(case.rulesets()[1], (found,), ())
    answer = json.loads(json.dumps(audit_answer(audit, Level.NOTE, timed=False)))
    (checked,) = check_witnesses(answer)
    assert checked.ok, checked.words


@pytest.mark.parametrize("name", QUICK)
def test_a_loop_is_found_with_a_witness_and_its_twin_is_silent(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words, games = QUICK[name]
    monkeypatch.setattr(loop, "GAMES", games)
    monkeypatch.setattr(audit_corpus, "NEVER", ("LOOP",))
    score = scored(CORPUS[name])
    assert score.missed == []
    assert score.alarms == []
    assert words in score.found["LOOP"].subject
    replays(score.case, score.found["LOOP"])


@pytest.mark.parametrize(("name", "one_puzzle"), PUZZLES.items(), indirect=["one_puzzle"])
@pytest.mark.usefixtures("one_puzzle")
def test_a_changed_puzzle_is_found_and_its_twin_is_silent(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_corpus, "NEVER", ())
    score = scored(CORPUS[name])
    assert score.missed == []
    assert score.alarms == []
    for found in score.found.values():
        replays(score.case, found)


def test_recall_and_alarms_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    case = CORPUS["abyss/rush-target"]
    base, planted, _ = case.rulesets()
    (found,) = [Finding("RUSH", "x", Level.ERROR, "true", planted.place(("cards", "give_a_speech")))]
    good, bad = Score(case, {"RUSH": found}), Score(case, alarms=[found])
    lines = {line.split()[0]: line.split() for line in table([outcome(good), outcome(bad)])}
    assert lines["RUSH"] == ["RUSH", "2", "1", "50%", "2", "1"]
    assert bad.missed == ["RUSH"]
    monkeypatch.setattr(audit_corpus, "scored", lambda *_: bad)
    assert audit_corpus.main(["rush-target"]) == 1
    told = capsys.readouterr().out
    assert f"missed RUSH: {case.about}" in told
    assert "twin has error RUSH: true" in told
    monkeypatch.setattr(audit_corpus, "scored", lambda *_: good)
    there = tmp_path / "kept"
    assert audit_corpus.main(["rush-target", "--keep", str(there)]) == 0
    monkeypatch.setattr(audit_corpus, "scored", lambda *_: bad)
    assert audit_corpus.main(["rush-target", "--keep", str(there)]) == 0  # it is not run again
    assert [each.name for each in kept(there).values()] == [case.name]
    assert base_of(base, None) is None
    assert findings(base, None, {}, 0) == []
