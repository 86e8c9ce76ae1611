"""Answers over the encoding are those of all positions, and of the rules alone, under any rules and options."""

from __future__ import annotations

import pytest

from rules.core.turns import State
from solver.compiled_form import build_state
from solver.encodings.iditacards import encoding
from solver.encodings.iditacards.encoding import Encoding
from solver.engines.open_search import OpenSearch
from solver.question import Status
from solver.search.budget import Budget
from solver.search.iterative_deepening import PlainTurns, TooLarge
from tests.solver.encodings.asked import Asked, expected, questions

MOST = 150 if build_state() == "compiled" else 10
"""Positions of a turn up to which a question is compared,"""
FEW = 8
"""and with the rules alone, so many of them."""
ENOUGH = 26


def answer(asked: Asked) -> tuple[Status, int | None]:
    report = asked.reports(Budget())
    assert report.statistics.engine == Encoding.engine
    return report.status, report.value


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_all_positions(seed: int) -> None:
    compared = 0
    for asked in questions(seed, 4 * seed):
        wanted = expected(asked, MOST)
        if wanted is not None:
            assert answer(asked) == wanted, (asked.case.name, asked.goal)
            compared += 1
    assert compared > (100 if build_state() == "compiled" else 10)


@pytest.mark.slow
def test_answers_are_those_of_the_rules_alone() -> None:
    compared = 0
    for asked in questions(7, 4):
        if compared == ENOUGH:
            break
        if not asked.kept and expected(asked, FEW) is not None:
            case, goal = asked.case, asked.goal
            plain = PlainTurns(case.game, 0, goal.forbidden)
            report = OpenSearch(case.game, State(case.table), goal, Budget(), form=plain).answer()
            assert answer(asked) == (report.status, report.value), (case.name, goal)
            compared += 1
    assert compared == ENOUGH


@pytest.mark.slow
@pytest.mark.parametrize("late", [True, False])
def test_what_has_no_room_is_asked_of_a_roomier_form(late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table does not fit, payments are decided at once; where it still does not, the rules are asked."""
    small = [asked for asked in questions(0, 0) if not asked.kept and expected(asked, FEW)]
    wanted = [answer(asked) for asked in small]
    expand = Encoding.expand

    def full(self: Encoding, *given: object) -> int:
        if self.live.face_down or not late:
            raise TooLarge
        return expand(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Encoding, "expand", full)
    reports = [asked.reports(Budget()) for asked in small]
    assert [(report.status, report.value) for report in reports] == wanted
    engines = {report.statistics.engine for report in reports}
    assert engines == {Encoding.engine} if late else PlainTurns.engine in engines


def test_a_table_without_room_is_a_limit_for_those_who_ask_turn_by_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = next(iter(questions(0, 0)))
    problem = Encoding(asked.case.game, asked.case.table, asked.goal.forbidden)
    monkeypatch.setattr(encoding, "row_of", lambda *_: (_ for _ in ()).throw(OverflowError))
    with pytest.raises(TooLarge):
        problem.project(asked.case.table)
