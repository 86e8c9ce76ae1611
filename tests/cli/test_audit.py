from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from rules.core.errors import Fault
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.ruleset import load_ruleset
from solver.audit import run
from solver.audit.finding import Audit, Finder, Finding, Level, Notebook, Searched, Witness, place_of
from solver.audit.loop import confirm
from solver.audit.reports import audit_answer
from solver.search.budget import Budget

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

EDITION = "iditacards/2019-02"


def planted(level: Level) -> dict[str, Finder]:
    """Return a finder that always finds the same thing."""

    def find(notebook: Notebook) -> None:
        witness = Witness(new_position(notebook.ruleset), ("new_day",))
        place = Fault("", "cards.mush", notebook.ruleset.id, 7)
        notebook.add("LOOP", "x & y", level, "x <gains>", place, witness=witness)
        notebook.searched.append(Searched("LOOP", "one thing"))

    return {"LOOP": find}


@pytest.fixture
def finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "FINDERS", planted(Level.WARNING))


@pytest.mark.usefixtures("finds")
def test_the_level_decides_the_exit_code(bestline: Runner) -> None:
    assert bestline("audit", EDITION, "--fail-on", "error").code == 0
    assert bestline("audit", EDITION).code == 1
    assert bestline("audit", EDITION, "--fail-on", "note").code == 1
    bad = bestline("audit", EDITION, "--fail-on", "fatal")
    assert bad.code == 2
    assert "'fatal' is not one of 'error', 'warning', 'note'" in " ".join(bad.err.split())


@pytest.mark.usefixtures("finds")
def test_codes_are_chosen(bestline: Runner) -> None:
    assert bestline("audit", EDITION, "--skip", "loop").code == 0
    assert bestline("audit", EDITION, "--only", "LOOP").code == 1
    assert bestline("audit", EDITION, "--only", "GAP", "--json").json["searched"] == []
    bad = bestline("audit", EDITION, "--only", "LOOPS")
    assert (bad.code, "there is no code 'LOOPS'; did you mean 'LOOP'?" in bad.err) == (2, True)


@pytest.mark.usefixtures("finds")
def test_an_open_target_is_told_by_every_report(bestline: Runner, tmp_path: Path) -> None:
    house, sarif, junit = (tmp_path / name for name in ("house.toml", "a.sarif", "a.xml"))
    house.write_text(f'extends = "{EDITION}"\n[[assert]]\nmetric = "seat_advantage"\nmax = 0.5\n', "utf-8")
    ended = bestline("audit", str(house), "--fail-on", "error", "--json", "--sarif", str(sarif), "--junit", str(junit))
    assert ended.json["asserts"] == [{"metric": "seat_advantage", "verdict": "unknown", "text": "not looked at"}]
    results = json.loads(sarif.read_text("utf-8"))["runs"][0]["results"]
    assert [each["message"]["text"] for each in results if each.get("kind") == "open"] == [
        "target seat_advantage: not decided: not looked at."
    ]
    (case,) = [case for case in ET.parse(junit).getroot()[0] if case.get("name") == "target seat_advantage"]
    assert case[0].get("message") == "not decided: not looked at"
    screen = bestline("audit", str(house), "--fail-on", "error", "--against", EDITION).out
    assert ", 1 target not decided; done" in screen
    assert "which plays the same" in screen


@pytest.mark.usefixtures("finds")
def test_the_witness_of_an_answer_replays(bestline: Runner) -> None:
    told = bestline("audit", EDITION, "--fail-on", "error", "--json").json
    assert (told["command"], told["clean"], told["complete"]) == ("audit", True, True)
    (finding,) = told["findings"]
    assert finding["place"] == {"file": EDITION, "line": 7, "key": "cards.mush"}
    assert (finding["id"], finding["level"]) == ("LOOP:x & y", "warning")
    witness = finding["witness"]
    assert bestline("apply", witness["position_code"], "; ".join(witness["line"]), "--json").code == 0


@pytest.mark.usefixtures("finds")
def test_a_baseline_accepts_a_finding_with_a_reason(bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "accepted.toml"
    file.write_text('[[accept]]\nfinding = "LOOP:x & y"\nreason = "meant so"\n', "utf-8")
    run_ = bestline("audit", EDITION, "--fail-on", "note", "--baseline", str(file), "--json")
    assert run_.code == 0
    assert run_.json["findings"][0]["accepted"] == "meant so"
    file.write_text('[[accept]]\nfinding = "LOOP:z"\nreason = "meant so"\n', "utf-8")
    run_ = bestline("audit", EDITION, "--fail-on", "note", "--baseline", str(file))
    assert run_.code == 1
    assert "'LOOP:z' is not found any more" in run_.err
    file.write_text('[[accept]]\nfinding = "LOOP:z"\n', "utf-8")
    run_ = bestline("audit", EDITION, "--baseline", str(file))
    assert run_.code == 2
    assert f"{file}:1: accept[0]: the key 'reason' is missing" in run_.err


@pytest.mark.usefixtures("finds")
def test_other_programs_get_sarif_and_junit(bestline: Runner, tmp_path: Path) -> None:
    sarif, junit = tmp_path / "a.sarif", tmp_path / "a.xml"
    assert bestline("audit", EDITION, "--fail-on", "note", "--sarif", str(sarif), "--junit", str(junit)).code == 1
    log = json.loads(sarif.read_text("utf-8"))
    assert log["version"] == "2.1.0"
    (ran,) = log["runs"]
    (result,) = ran["results"]
    assert ran["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "LOOP"
    assert result["level"] == "warning"
    location = result["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": EDITION}, "region": {"startLine": 7}}
    suite = ET.parse(junit).getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite[0].get("name") == "x & y"
    assert suite[0][0].get("message") == "x <gains>"


@pytest.mark.usefixtures("finds")
def test_people_see_claim_place_and_what_was_searched(bestline: Runner) -> None:
    told = bestline("audit", EDITION, "--fail-on", "error", "--deterministic").out
    assert "\nwarning LOOP       x <gains>.\n  at               iditacards/2019-02:7 cards.mush\n" in told
    assert "\nsearched\n  LOOP             one thing.\n" in told
    assert told.endswith("\nPASSED 0 errors, 1 warning, 0 notes; done\n")


@pytest.mark.usefixtures("finds")
def test_a_comparison_says_how_each_finding_differs(bestline: Runner) -> None:
    told = bestline("audit", "iditacards/light-mush", "--against", EDITION, "--jobs", "1", "--json").json
    assert told["against"]["ruleset"] == EDITION
    assert [each["change"] for each in told["findings"]] == ["same"]


@pytest.mark.usefixtures("finds")
def test_a_finding_is_told_as_soon_as_it_is_there(bestline: Runner) -> None:
    ended = bestline("audit", EDITION)
    assert "found warning LOOP: x <gains>" in ended.err
    assert bestline("audit", EDITION, "--quiet").err == ""


def test_processes_find_what_one_finds(tmp_path: Path) -> None:
    file = tmp_path / "cheap.toml"
    file.write_text(
        'extends = "trench_rescue/2012"\n[options]\nrescued_acts_now = true\n'
        '[[assert]]\nmetric = "puzzle:night-watch"\nmin = 10\n',
        "utf-8",
    )
    ruleset = load_ruleset(str(file))
    heard: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "TASKS", ((1, ("ASSERT",)), (1, ("LOOP",))))
        patch.setattr(run, "FINDERS", {code: run.FINDERS[code] for code in ("ASSERT", "LOOP")})
        found = run.audit(ruleset, jobs=2, tell_found=lambda finding: heard.append(finding.id))
    assert {each.code for each in found.searched} == {"ASSERT", "LOOP"}
    assert "ASSERT:target puzzle:night-watch" in heard
    assert sorted(heard) == sorted(each.id for each in found.findings)  # each once, whenever it was told
    (finding,) = [each for each in found.findings if each.code == "ASSERT"]
    assert [each.key for each in finding.because] == ["options.rescued_acts_now"]


def test_time_that_one_task_leaves_is_for_those_after_it() -> None:
    tasks = list(run._tasks(load_ruleset("iditacards/light-mush"), None, 100.0, 0, 1, run.FINDERS))
    assert [each.codes for each in tasks] == [codes for _, codes in run.TASKS]
    assert tasks[-1].share == 1.0
    assert tasks[0].share < 0.3
    assert all(each.share == 1.0 for each in run._tasks(load_ruleset(EDITION), None, 100.0, 0, 99, run.FINDERS))


def test_counted_time_does_not_hang_on_when_the_search_begins(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float | None] = []
    monkeypatch.setattr(run, "FINDERS", {"GAP": lambda notebook: given.append(notebook.budget.time_s)})
    for _ in range(2):
        bestline("audit", EDITION, "--time", "40", "--deterministic", "--jobs", "1")
    assert given[0] == given[1] == pytest.approx(40, abs=0.1)


@pytest.mark.usefixtures("finds")
def test_a_sweep_takes_numbers_below_zero(bestline: Runner) -> None:
    swept = bestline("sweep", EDITION, "cards.move.health", "-2..0", "--csv")
    assert swept.out.splitlines()[0] == "cards.move.health,-2,-1,0"


def test_time_counted_in_work_finds_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "FINDERS", {"PAR": run.FINDERS["PAR"]})
    one, other = (run.audit(load_ruleset("iditacards/light-mush"), time_s=0.4, repeatable=True) for _ in range(2))
    assert (one.findings, one.searched) == (other.findings, other.searched)
    assert not one.complete


def test_no_time_is_told_as_such(bestline: Runner) -> None:
    ended = bestline("audit", EDITION, "--time", "0")
    assert ended.code == 3
    assert "not all was searched in the time" in ended.out


def test_ctrl_c_shows_what_is_known(interrupted: Runner) -> None:
    ended = interrupted("audit", EDITION, "--verbose", after="looking for")
    assert ended.code == 130
    assert "interrupted" in ended.out
    assert "searched" in ended.out


def test_the_witnesses_of_an_audit_can_be_verified(bestline: Runner, tmp_path: Path) -> None:
    house, answer = tmp_path / "house.toml", tmp_path / "audit.json"
    house.write_text('extends = "iditacards/open-track"\n[options]\npass_turn = true\n', "utf-8")
    notebook = Notebook(load_ruleset(str(house)), Budget(None))
    position = new_position(notebook.ruleset)
    certificate = confirm(_race(position), position.table(), (("pass",),), 161)
    assert certificate is not None
    data = {"cycle": [["pass"]], "gains": certificate.gains, "clean": certificate.clean}
    witness = Witness(position, (), ("pass",), certificate.clean)
    loop = Finding("LOOP", "pass", Level.NOTE, "x", place_of(notebook.ruleset, ()), witness, data=data)
    told = audit_answer(Audit(notebook.ruleset, (loop,), ()), Level.NOTE, timed=False)
    answer.write_text(json.dumps(told), "utf-8")
    held = bestline("verify", str(answer))
    assert held.code == 0
    assert "the cycle repeats" in held.out
    assert "1 of 1 finding shown by a line that the rules replay, 0 failed" in held.out
    told["findings"][0]["data"]["gains"] = {"players.0.pos": 99}
    answer.write_text(json.dumps(told), "utf-8")
    failed = bestline("verify", str(answer), "--json")
    assert (failed.code, failed.json["ok"], failed.json["witnesses"][0]["ok"]) == (1, False, False)
    assert "not {'players.0.pos': 99}" in failed.json["witnesses"][0]["text"]


def _race(position: Position) -> Race[Any]:
    assert isinstance(position.game, Race)
    return position.game


@pytest.mark.usefixtures("finds")
def test_one_html_file_tells_it_with_plots(bestline: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.play.SAMPLE", 20)
    file = tmp_path / "audit.html"
    assert bestline("audit", "iditacards/starter-race", "--fail-on", "error", "--html", str(file)).code == 0
    text = file.read_text("utf-8")
    assert "x &lt;gains&gt;." in text
    assert "How long a game takes" in text
    assert "Iditacards, edition 2019-02: " in text
    bad = bestline("audit", EDITION, "--html", str(tmp_path / "nowhere" / "audit.html"))
    assert bad.code == 2
    assert "cannot be written" in bad.err
