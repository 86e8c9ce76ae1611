"""What finders write down: every line replays by the checker, every sample tells its size, interval and seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from rules.iditacards.engine import Iditacards
from solver.audit import gap, loop, play, seat, stall, targets
from solver.audit.finding import Audit, Finding, Level, Notebook, Shown, Witness
from solver.audit.gap import find_gap
from solver.audit.loop import find_loops
from solver.audit.reports import audit_answer
from solver.audit.restricted import find_spam
from solver.audit.rush import find_rush
from solver.audit.seat import find_seat
from solver.audit.stall import find_stall
from solver.audit.suite import library_suite
from solver.audit.targets import find_par, judge_targets
from solver.checker.check import check_witnesses
from solver.search.budget import Budget

RACE, ABYSS, TRENCH = "iditacards/2019-02", "abyss/2021", "trench_rescue/2012"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the finders do little."""
    for module, name, value in (
        (gap, "GAMES", 1),
        (gap, "WALKED", 5),
        (loop, "GAMES", 2),
        (play, "SAMPLE", 40),
        (seat, "ROLE_GAMES", 12),
        (stall, "GAMES", 3),
        (stall, "DUELS", 12),
    ):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr("solver.audit.targets.GAMES", 12)
    monkeypatch.setattr("solver.audit.rush.SEARCH_S", 0.5)


def written(
    ruleset: Ruleset, *finders: Callable[[Notebook], None], base: Ruleset | None = None, about: str = ""
) -> list[Finding]:
    notebook = Notebook(ruleset, Budget(None), base=base, about=about)
    for finder in finders:
        finder(notebook)
    return notebook.findings


@cache
def of_the_trench() -> list[Finding]:
    return written(load_ruleset(TRENCH), find_stall)


def replayed(findings: list[Finding]) -> dict[str, tuple[bool, str]]:
    """Return what the checker says of the findings of an audit once it was kept as JSON."""
    audit = Audit(load_ruleset(RACE), tuple(findings), ())
    kept = json.loads(json.dumps(audit_answer(audit, Level.NOTE, timed=False)))
    return {each.id: (each.ok, each.words) for each in check_witnesses(kept)}


def all_hold(findings: list[Finding]) -> Iterator[str]:
    """Yield what the lines show, each of which holds."""
    told = replayed(findings)
    assert told
    assert set(told) == {each.id for each in findings if each.line is not None}
    for ok, words in told.values():
        assert ok, words
        yield words


def test_loop() -> None:
    findings = written(load_ruleset("iditacards/treadmill"), find_loops)
    assert "LOOP" in {each.code for each in findings}
    assert all("cycle repeats" in words for words in all_hold(findings))


@pytest.mark.slow
def test_rush() -> None:
    published = load_ruleset(RACE)
    easy = extended(published, {"cards": {"move": {"effects": [{"op": "move", "n": 200}]}}})
    findings = [each for each in written(easy, find_rush, base=published) if each.subject == "shortest_win"]
    (words,) = all_hold(findings)
    assert "turns" in words
    (wrong,) = [replace(each, data={**each.data, "turns": each.data["turns"] - 1}) for each in findings]
    assert replayed([wrong])["RUSH:shortest_win"][0] is False


@pytest.mark.slow
def test_a_card_that_is_given_up_is_not_played() -> None:
    """A round of Abyss begins with what somebody gives up."""
    facts = {"name": "Ransom", "deck": "actions", "location": "any", "provenance": "invented", "summary": "17 AP more."}
    ransom = {**facts, "count": 30, "effects": [{"op": "ap", "amount": 17}]}
    base = load_ruleset(ABYSS)
    (finding,) = written(extended(base, {"cards": {"ransom": ransom}}), find_spam, base=base, about="ransom")
    steps = {step for shown in finding.shown if shown.side == "alone" for step in shown.witness.steps}
    assert any(step.startswith("give_up") and step != "give_up none" for step in steps)
    assert list(all_hold([finding]))


def test_par_and_assert(monkeypatch: pytest.MonkeyPatch) -> None:
    light = load_ruleset("iditacards/light-mush")
    some = [each for each in library_suite(light) if each.id == "thin-ice"]
    monkeypatch.setattr(targets, "library_suite", lambda _: some)
    assert list(all_hold(written(light, find_par))) == ["the line is worth 3"]
    wished = extended(light, {"assert": [{"metric": "puzzle:thin-ice", "min": 4}]})
    findings = written(wished, judge_targets)
    assert [each.code for each in findings] == ["ASSERT"]
    assert list(all_hold(findings))


def test_par_of_what_is_excluded(monkeypatch: pytest.MonkeyPatch) -> None:
    dear = extended(load_ruleset(RACE), {"cards": {"mush": {"energy": 9}}})
    some = [each for each in library_suite(dear) if each.id == "sprint-20"]
    monkeypatch.setattr(targets, "library_suite", lambda _: some)
    beyond = Shown("sprint-20", "free", Witness(some[0].position, ()), some[0].goal, None, 5)
    # As if the search had ended with a bound, before it had a line.
    monkeypatch.setattr(targets, "solved", lambda *_: beyond)
    (finding,) = written(dear, find_par)
    assert finding.claim.endswith("was 4 and is 5 or worse: harder")
    (words,) = all_hold([finding])
    assert "1 line for 1 question:" in words
    for forged in ({"is": 4}, {"was": 5}):
        assert replayed([replace(finding, data={**finding.data, **forged})])[finding.id][0] is False


def test_par_of_a_puzzle_that_is_won_before_the_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    easy = extended(load_ruleset(ABYSS), {"goals": {"fame": {"rp": 2}}})
    some = [each for each in library_suite(easy) if each.id == "torchlight"]
    monkeypatch.setattr(targets, "library_suite", lambda _: some)
    (finding,) = written(easy, find_par)
    assert finding.claim.endswith("was 3 and is 0: easier")
    assert list(all_hold([finding]))


def test_stall() -> None:
    findings = of_the_trench()
    assert {each.subject for each in findings} == {"idle play", "forced waiting"}
    assert any("gain 0, and the game is over" in words for words in all_hold(findings))
    (idle,) = [each for each in findings if each.subject == "idle play"]
    assert replayed([replace(idle, data={**idle.data, "ends": False})])[idle.id][0] is False


def test_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    actions = Iditacards._actions

    def no_new_day(self: Iditacards, turn: Any, seat_: Any) -> list[Any]:
        return [move for move in actions(self, turn, seat_) if move.text != "new_day"]

    monkeypatch.setattr(Iditacards, "_actions", no_new_day)
    assert list(all_hold(written(load_ruleset(RACE), find_gap)))


def test_every_sample_says_how_large_it_is_how_sure_and_its_seed() -> None:
    quick = extended(load_ruleset(ABYSS), {"goals": {"money": {"ap": -20}}})
    wished = extended(load_ruleset(TRENCH), {"assert": [{"metric": "mean_turns", "min": 30}]})
    findings = [
        *written(quick, find_rush, find_seat, base=load_ruleset(ABYSS)),
        *of_the_trench(),
        *written(wished, judge_targets),
    ]
    assert {each.code for each in findings} == {"RUSH", "SEAT", "STALL", "ASSERT"}
    for finding in (each for each in findings if each.subject != "shortest_win"):
        assert all(word in finding.claim for word in ("95 % interval", "n = ", "seed 0")), finding.claim
