from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from rules.core.tools.rulebook import differences
from solver.audit import targets
from solver.audit.blame import blamed, compared, holds, undone
from solver.audit.finding import Audit, Change, Finding, Level, Notebook, Witness, place_of
from solver.audit.loop import confirm, find_loops
from solver.audit.run import looked_again
from solver.audit.rush import find_rush
from solver.audit.suite import library_suite
from solver.audit.targets import find_par
from solver.search.budget import Budget

EDITION = "iditacards/2019-02"
BROKEN = "iditacards/treadmill"
CARD = "treadmill"
CYCLE = (("play treadmill", "recover treadmill"),)
FLAT = {
    "options": {"board_layout": "flat", "pass_turn": True},
    "boards": {"flat": {"spaces": 200, "sections": [{"leg": "none", "from": 1, "to": 200}]}},
}
"""A board on which nothing happens, and a change that has nothing to do with anything."""


def start(ruleset: Ruleset) -> Position:
    """Return a position with a treadmill in the hand and another one discarded."""
    position = new_position(ruleset)
    given: dict[str, Any] = {
        "hand": [CARD, "move"],
        "discard": [CARD],
        "deck": ["husky"],
        "moved": True,
        "pos": 10,
    }
    return replace(position, state={**position.state, "players": [{**position.state["players"][0], **given}]})


def loop_of(ruleset: Ruleset) -> Finding:
    position = start(ruleset)
    game = position.game
    assert isinstance(game, Race)
    certificate = confirm(game, position.table(), CYCLE, game.profile.target)
    assert certificate is not None
    witness = Witness(position, (), CYCLE[0], certificate.clean)
    data = {"gains": certificate.gains, "cycle": [list(turn) for turn in CYCLE]}
    return Finding("LOOP", "x", Level.ERROR, "x", place_of(ruleset, [CARD]), witness, data=data)


@pytest.fixture(scope="module")
def house() -> Ruleset:
    return extended(load_ruleset(BROKEN), FLAT)


def audited(ruleset: Ruleset, *findings: Finding) -> Audit:
    return Audit(ruleset, findings, ())


def test_a_loop_hangs_on_the_changes_that_close_it(house: Ruleset) -> None:
    found = blamed(loop_of(house), house, load_ruleset(EDITION), Budget(None))
    keys = [each.key for each in found.because]
    assert keys == ["options.board_layout", f"cards.{CARD}"]
    assert (found.because[1].file, found.because[1].line is not None) == (BROKEN, True)
    assert (found.place.key, found.place.message) == (keys[0], "")


def test_without_what_it_hangs_on_a_finding_is_gone(house: Ruleset) -> None:
    finding = loop_of(house)
    assert holds(finding, house)
    twins: list[dict[str, Any]] = [{"tags": []}, {"energy": 1}, {"remove": True}]
    for twin in twins:
        assert not holds(finding, extended(house, {"cards": {CARD: twin}}))
    assert holds(finding, extended(house, {"options": {"pass_turn": False}}))


def test_every_change_can_be_taken_back(house: Ruleset) -> None:
    base = load_ruleset(EDITION)
    now = house
    for change in differences(base, house):
        overlay = undone(change, base)
        assert overlay is not None
        now = extended(now, overlay)
    assert now.fingerprint == base.fingerprint


def test_a_change_brings_and_takes_findings(house: Ruleset) -> None:
    finding, base = loop_of(house), load_ruleset(EDITION)
    assert [each.change for each in compared(audited(house, finding), audited(base))] == [Change.NEW]
    (gone,) = compared(audited(base), audited(house, finding))
    assert gone.change is Change.GONE
    assert not gone.counts


def test_what_an_audit_missed_is_not_new(house: Ruleset) -> None:
    finding = loop_of(house)
    again = extended(house, {"options": {"pass_turn": False}})
    assert [each.change for each in compared(audited(again, finding), audited(house))] == [Change.SAME]
    assert [each.change for each in compared(audited(again), audited(house, finding))] == [Change.SAME]


@pytest.mark.parametrize(
    ("level", "measure", "change"),
    [
        (Level.ERROR, 3, Change.WORSE),
        (Level.WARNING, 3, Change.WORSE),
        (Level.WARNING, 2, Change.SAME),
        (Level.WARNING, 1, Change.BETTER),
        (Level.NOTE, 9, Change.BETTER),
    ],
)
def test_a_finding_gets_better_or_worse(level: Level, measure: int, change: Change) -> None:
    ruleset = load_ruleset(EDITION)
    old = Finding("RUSH", "x", Level.WARNING, "x", place_of(ruleset, ()), measure=2)
    new = replace(old, level=level, measure=measure)
    assert [each.change for each in compared(audited(ruleset, new), audited(ruleset, old))] == [change]


def test_a_changed_puzzle_hangs_on_the_number_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    light = load_ruleset("iditacards/light-mush")
    some = [each for each in library_suite(light) if each.id == "thin-ice"]
    monkeypatch.setattr(targets, "library_suite", lambda _: some)
    notebook = Notebook(light, Budget(None))
    find_par(notebook)
    (finding,) = notebook.findings
    look = partial(looked_again, notebook)
    found = blamed(finding, light, load_ruleset(EDITION), Budget(None), look)
    assert [each.key for each in found.because] == ["cards.mush.energy"]
    assert (found.place.file, found.place.line) == (light.id, 10)
    assert blamed(finding, light, load_ruleset(EDITION), Budget(0.0)) == finding


@pytest.mark.slow
def test_wins_too_soon_hang_on_the_one_change_of_several_that_brings_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.play.SAMPLE", 150)
    monkeypatch.setattr("solver.audit.rush.SEARCH_S", 0.05)
    base = load_ruleset("abyss/2021")
    rich = {"count": 20, "effects": [{"op": "treasure", "amount": 1, "per": "member_in_abyss"}]}
    changed = extended(base, {"cards": {"excavation": rich, "flooding": {"count": 3}}})
    notebook = Notebook(changed, Budget(), base=base)
    find_rush(notebook)
    (finding,) = [each for each in notebook.findings if each.subject == "first round"]
    because = {each.key for each in blamed(finding, changed, base, Budget(), partial(looked_again, notebook)).because}
    assert "cards.excavation.effects" in because
    assert not any(key.startswith("cards.flooding") for key in because)


def test_changes_of_another_name_are_undone_in_one_look() -> None:
    base = load_ruleset(EDITION)
    cards = {"breakfast": {"health": 1}, "rope": {"health": 9}, "torch": {"energy": 1}}
    changed = extended(base, {"cards": cards, "rules": {"dog_limit": 5}, "legs": {"blizzard": {"hypothermia": 4}}})
    looked: list[Ruleset] = []

    def look(_: Finding, ruleset: Ruleset) -> bool:
        looked.append(ruleset)
        return bool(ruleset.raw["cards"]["breakfast"]["health"] == 1)

    finding = Finding("MUST", "breakfast", Level.WARNING, "x", place_of(changed, ["breakfast"]))
    assert len(differences(base, changed)) == 5
    because = blamed(finding, changed, base, Budget(None), look).because
    assert ([each.key for each in because], len(looked)) == (["cards.breakfast.health"], 1)


def test_no_loop_holds_where_the_rules_end_the_game() -> None:
    base = load_ruleset("trench_rescue/2012")
    endless = extended(base, {"options": {"turn_limit": 2, "withdrawal": "free"}})
    notebook = Notebook(endless, Budget(None), base=base)
    find_loops(notebook)
    (finding,) = notebook.findings
    assert finding.id == "LOOP:end"
    assert holds(finding, endless)
    assert not holds(finding, base)
