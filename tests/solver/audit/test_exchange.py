"""Cards that turn one good into another: what gains is shown by a line, what does not by weights."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.core.race import Race
from rules.core.ruleset import extended, load_ruleset
from solver.audit.finding import Audit, Level, Notebook
from solver.audit.play import opening
from solver.audit.reports import audit_answer
from solver.audit.walks import find_exchanges
from solver.checker.check import check_witnesses
from solver.search.budget import Budget

EDITION = "abyss/2021"


def notebook(**cards: Any) -> Notebook:
    ruleset = load_ruleset(EDITION)
    found = Notebook(extended(ruleset, {"cards": cards}) if cards else ruleset, Budget(None))
    find_exchanges(found)
    return found


def bribe(fame: int) -> dict[str, Any]:
    return {"effects": [{"op": "ap", "amount": -5}, {"op": "rp", "amount": fame}]}


def test_g7_no_loop_of_bribes_gains() -> None:
    found = notebook()
    (searched,) = found.searched
    assert found.findings == []
    assert searched.complete
    assert searched.what == (
        "exchanges by accept_bribes, bribe, unreasonable_clause: no mix of them gains, for none raises ap + rp; "
        "of the ways round, accept_bribes, bribe (ap +0, rp -2) loses least"
    )


def test_a_bribe_that_gives_more_than_it_is_taken_for_is_found_with_a_line() -> None:
    found = notebook(bribe=bribe(6))
    (finding,) = found.findings
    assert (finding.code, finding.level, finding.subject) == ("LOOP", Level.ERROR, "exchange accept_bribes / bribe")
    assert finding.data["change"] == {"seats.0.ap": 0, "seats.0.rp": 1}
    answer = json.loads(json.dumps(audit_answer(Audit(found.ruleset, (finding,), ()), Level.NOTE, timed=False)))
    assert [each.ok for each in check_witnesses(answer)] == [True]
    answer["findings"][0]["data"]["change"]["seats.0.rp"] = 2
    assert [each.ok for each in check_witnesses(answer)] == [False]


def test_a_mix_that_no_hand_is_dealt_is_held_on_a_table_built_for_it() -> None:
    found = notebook(give_a_speech={"effects": [{"op": "ap", "amount": -7}, {"op": "rp", "amount": 8}]})
    (finding,) = found.findings
    assert finding.data["times"] == {"accept_bribes": 3, "give_a_speech": 2}
    answer = json.loads(json.dumps(audit_answer(Audit(found.ruleset, (finding,), ()), Level.NOTE, timed=False)))
    assert [each.ok for each in check_witnesses(answer)] == [True]


def test_a_mix_of_more_cards_than_there_are_copies_is_shown_as_far_as_they_go() -> None:
    dear = {"effects": [{"op": "ap", "amount": -6}, {"op": "rp", "amount": 7}]}
    poor = {"effects": [{"op": "ap", "amount": 1}, {"op": "rp", "amount": -3}]}
    found = notebook(bribe=dear, unreasonable_clause=poor)
    (finding,) = found.findings
    assert (finding.level, finding.data["times"]) == (Level.WARNING, {"accept_bribes": 3, "bribe": 3})
    assert "4 x accept_bribes, 3 x bribe (ap +2, rp +1); the line uses each as often" in finding.claim
    answer = json.loads(json.dumps(audit_answer(Audit(found.ruleset, (finding,), ()), Level.NOTE, timed=False)))
    assert [each.ok for each in check_witnesses(answer)] == [True]


@pytest.mark.parametrize("fame", [4, 5])
def test_what_only_breaks_even_does_not_gain(fame: int) -> None:
    assert notebook(bribe=bribe(fame)).findings == []


@pytest.mark.parametrize("name", ["iditacards/2017", "trench_rescue/2012"])
def test_a_game_without_such_cards_says_nothing(name: str) -> None:
    ruleset = load_ruleset(name)
    game = opening(ruleset, 0).game
    assert isinstance(game, Race)
    assert game.exchanges() == {}
    silent = Notebook(ruleset, Budget(None))
    find_exchanges(silent)
    assert (silent.findings, silent.searched) == ([], [])
