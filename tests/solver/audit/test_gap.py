from __future__ import annotations

from typing import Any

import pytest

from rules.core.ruleset import load_ruleset
from rules.iditacards.engine import Iditacards
from solver.audit import gap
from solver.audit.finding import Finding, Notebook
from solver.audit.gap import find_gap
from solver.search.budget import Budget

EDITION = "iditacards/2019-02"


def found() -> list[Finding]:
    notebook = Notebook(load_ruleset(EDITION), Budget(None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gap, "GAMES", 1)
        patch.setattr(gap, "WALKED", 5)
        find_gap(notebook)
    assert all(each.complete for each in notebook.searched)
    return notebook.findings


def test_the_rules_cover_all_that_is_met() -> None:
    assert found() == []


def test_a_table_without_a_move_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    actions = Iditacards._actions

    def no_new_day(self: Iditacards, turn: Any, seat: Any) -> list[Any]:
        return [move for move in actions(self, turn, seat) if move.text != "new_day"]

    monkeypatch.setattr(Iditacards, "_actions", no_new_day)
    findings = found()
    assert findings
    assert {each.data["kind"] for each in findings} <= {"no move", "breaks down"}
    shortest = findings[0]
    assert shortest.witness is not None
    end = shortest.witness.replay()
    assert shortest.witness.position.game.legal_moves(end) == ()


def test_cards_that_vanish_are_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Iditacards.play_turn

    def careless(self: Iditacards, table: Any, script: Any) -> Any:
        after = play(self, table, script)
        first = after.players[0]
        return after._replace(players=(first._replace(hand=first.hand[1:]), *after.players[1:]))

    monkeypatch.setattr(Iditacards, "play_turn", careless)
    assert "cards" in {each.data["kind"] for each in found()}
