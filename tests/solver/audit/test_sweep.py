"""Audits along a number, and the value that cures a finding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules.core.errors import BestlineError, Fault
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import run
from solver.audit.blame import Look
from solver.audit.finding import Audit, Finding, Level, Searched
from solver.audit.sweep import cured, number_at, sweep, sweep_cells, sweep_data, sweep_rows, values_of
from solver.search.budget import Budget

BASE = load_ruleset("iditacards/2019-02")
KEY = "cards.move.health"


def ill_from(least: int) -> Any:
    """Return an audit that finds Move dead from some health cost on."""

    def audited(ruleset: Ruleset) -> Audit:
        found = Finding("DEAD", "move", Level.WARNING, "dead", Fault("", "cards.move"), size="0 % (base 60 %)")
        return Audit(ruleset, (found,) if number_at(ruleset, KEY)[1] >= least else (), ())

    return audited


def looking(audited: Callable[[Ruleset], Audit]) -> Look:
    """Return what looks for a finding by an audit."""
    return lambda finding, ruleset: any(each.id == finding.id for each in audited(ruleset).findings)


def test_values_are_a_range_or_a_list() -> None:
    assert values_of("2..5") == values_of("2-5") == [2, 3, 4, 5]
    assert values_of("1,2,8") == [1, 2, 8]
    for text in ("", "5..2", "1..1000", "1..1000000000000", "a,b", "1.5"):
        with pytest.raises(BestlineError, match="names no values"):
            values_of(text)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("cards.moves.health", "did you mean 'move'"),
        ("cards.move.name", "no whole number"),
        ("cards", "no whole number"),
    ],
)
def test_a_key_has_to_hold_a_number(key: str, why: str) -> None:
    with pytest.raises(BestlineError, match=why):
        number_at(BASE, key)


def test_a_sweep_says_what_is_found_at_each_value() -> None:
    tried = list(sweep(BASE, KEY, [1, 4, -1], ill_from(3)))
    assert sweep_cells(KEY, tried) == [
        (KEY, "1", "4", "-1"),
        ("DEAD:move", "-", "warning 0 %", "-"),
        ("searched", "all", "all", "no ruleset"),
    ]
    told = sweep_data(BASE, KEY, tried)["values"]
    assert [len(each["findings"]) for each in told] == [0, 1, 0]
    assert "must be a whole number" in told[2]["fault"]


def test_a_sweep_shows_cures() -> None:
    def audited(ruleset: Ruleset) -> Audit:
        (finding,) = ill_from(0)(ruleset).findings
        return Audit(ruleset, (replace(finding, cure="at 3 it is not found"),), ())

    tried = list(sweep(BASE, KEY, [4], audited))
    assert sweep_data(BASE, KEY, tried)["values"][0]["findings"][0]["cure"] == "at 3 it is not found"
    assert "4: DEAD:move: at 3 it is not found" in [row.text for row in sweep_rows(BASE, KEY, tried)]


def test_a_number_inside_a_list_is_swept_by_its_place() -> None:
    key = "cards.move.effects[0].n"
    assert number_at(BASE, key)[1] == 1
    tried = list(sweep(BASE, key, [3], ill_from(99)))
    assert tried[0].audit is not None
    assert tried[0].audit.ruleset.raw["cards"]["move"]["effects"] == [{"op": "move", "n": 3}]


@pytest.mark.parametrize(
    ("least", "cure"),
    [
        (5, "at 4 in place of 9 it is not found; at 5 it still is"),
        (9, "at 8 in place of 9 it is not found"),
        (1, "at 0 in place of 9 it is not found, as in the base; at 1 it still is"),
    ],
)
def test_a_cure_is_the_value_nearest_to_the_new_one(least: int, cure: str) -> None:
    changed = extended(BASE, {"cards": {"move": {"health": 9}}})
    finding = ill_from(least)(changed).findings[0]
    blamed = replace(finding, because=(Fault("Move, health", KEY),))
    assert cured(blamed, changed, BASE, looking(ill_from(least))).cure == cure


def test_no_value_that_was_not_looked_at_is_a_cure() -> None:
    changed = extended(BASE, {"cards": {"move": {"health": 2}}})
    finding = replace(ill_from(0)(changed).findings[0], because=(Fault("Move, health", KEY),))
    assert cured(finding, changed, BASE, looking(ill_from(0))).cure == ""


def test_a_higher_cost_is_tried_at_each_value_up_to_the_cure() -> None:
    cards = {"dash": {**BASE.raw["cards"]["move"], "name": "Dash", "energy": 1}}
    changed = extended(BASE, {"cards": cards})
    finding = replace(ill_from(0)(changed).findings[0], because=(Fault("Dash is new", "cards.dash"),))

    def look(_: Finding, ruleset: Ruleset) -> bool:
        return int(ruleset.raw["cards"]["dash"]["energy"]) != 4

    assert cured(finding, changed, BASE, look).cure == "at energy 4, and at 3 it still is, it is not found"


def test_a_cure_that_had_no_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = extended(BASE, {"cards": {"move": {"health": 9}}})
    finding = replace(ill_from(5)(changed).findings[0], because=(Fault("Move, health", KEY),))
    stopped = Searched("DEAD", "x", complete=False)
    monkeypatch.setitem(run.FINDERS, "DEAD", lambda notebook: notebook.searched.append(stopped))
    told = run._with_cures(Audit(changed, (finding,), ()), BASE, 0, 0.05, Budget(0.0).start(), lambda _: None)
    assert told.findings[0].cure == ""
    assert [(each.what, each.complete) for each in told.searched] == [("a cure for DEAD:move", False)]


def test_a_puzzle_that_changes_at_every_value_has_no_cure() -> None:
    changed = extended(BASE, {"cards": {"move": {"health": 2}}})
    finding = replace(ill_from(1)(changed).findings[0], code="PAR", because=(Fault("Move, health", KEY),))
    assert cured(finding, changed, BASE, lambda _, ruleset: ruleset.raw["cards"]["move"]["health"] > 0).cure == ""


def test_what_hangs_on_more_than_one_number_has_no_cure_of_this_kind() -> None:
    changed = extended(BASE, {"cards": {"move": {"health": 9, "energy": 3}}})
    finding = ill_from(5)(changed).findings[0]
    both = replace(finding, because=(Fault("", KEY), Fault("", "cards.move.energy")))
    assert cured(both, changed, BASE, looking(ill_from(5))).cure == ""


def test_a_number_inside_a_list_is_tried_too() -> None:
    changed = extended(BASE, {"cards": {"move": {"effects": [{"op": "move", "n": 9}]}}})

    def audited(ruleset: Ruleset) -> Audit:
        found = Finding("PAR", "knife", Level.WARNING, "other", Fault("", "cards.move"))
        return Audit(ruleset, (found,) if ruleset.raw["cards"]["move"]["effects"][0]["n"] > 2 else (), ())

    blamed = replace(audited(changed).findings[0], because=(Fault("", "cards.move.effects"),))
    assert cured(blamed, changed, BASE, looking(audited)).cure == "at 2 in place of 9 it is not found; at 3 it still is"
