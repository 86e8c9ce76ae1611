from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from puzzles.goal import Objective
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import suite
from solver.audit.finding import Finding, Notebook
from solver.audit.means import dominates, find_dead, find_dominated, find_must, find_spam, with_text
from solver.audit.play import opening
from solver.audit.restricted import SEARCHES, RestrictedPlay, Suite, Use
from solver.audit.suite import NOTHING, Answer, Part, cut, library_suite, lost, mean_of, short_races, with_card_in_hand
from solver.search.budget import Budget

EDITION = "iditacards/2019-02"
SOME = ("sprint-20", "thin-ice")
"""Puzzles that are solved at once."""
SEARCH_S = SEARCHES[-1]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the suite small."""

    def some(ruleset: Ruleset) -> tuple[Any, ...]:
        return tuple(each for each in library_suite(ruleset) if each.id in SOME)

    monkeypatch.setattr(suite, "library_suite", some)
    monkeypatch.setattr("solver.audit.suite.DEALS", 0)
    monkeypatch.setattr("solver.audit.suite.FAR", 0)
    monkeypatch.setattr("solver.audit.means.OFTEN", 2)
    monkeypatch.setattr("solver.audit.means.COMPARED", 2)
    monkeypatch.setattr("solver.audit.means.BETTER", 1)


def found(find: Callable[[Notebook], None], change: dict[str, Any]) -> list[Finding]:
    base = load_ruleset(EDITION)
    notebook = Notebook(extended(base, change), Budget(None), base=base)
    find(notebook)
    (searched,) = notebook.searched
    assert searched.complete
    return notebook.findings


def test_a_card_that_nobody_can_afford_any_more_is_dead() -> None:
    (finding,) = [each for each in found(find_dead, {"cards": {"mush": {"energy": 9}}}) if each.subject == "mush"]
    assert max(least for least, _ in finding.data["base_losses"].values()) > 0
    assert finding.place.key == "cards.mush"
    assert "DEAD:mush" not in {each.id for each in found(find_dead, {"cards": {"mush": {"energy": 1}}})}


FREE = {"energy": 0, "health": 0, "risk": 0}


def test_a_card_that_carries_everything_is_a_must_and_enough_by_itself() -> None:
    rocket = {"cards": {"mush": {**FREE, "effects": [{"op": "move", "n": 60}]}}}
    assert "MUST:mush" in {each.id for each in found(find_must, rocket)}
    assert "SPAM:mush" in {each.id for each in found(find_spam, rocket)}
    slow = {"cards": {"mush": {"effects": [{"op": "move", "n": 11}]}}}
    assert "MUST:mush" not in {each.id for each in found(find_must, slow)}
    assert "SPAM:mush" not in {each.id for each in found(find_spam, slow)}


def test_of_two_changed_cards_one_can_be_pointless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "SOME", ("sprint-10", "sprint-20"))

    def two(n: int) -> dict[str, Any]:
        strong = {**FREE, "effects": [{"op": "move", "n": 20}]}
        return {"cards": {"sprint": strong, "rush": {"energy": 5, "effects": [{"op": "move", "n": n}]}}}

    assert [each.id for each in found(find_dominated, two(1))] == ["DOMINATED:rush by sprint"]
    assert found(find_dominated, {"cards": {"sprint": {"energy": 1}}}) == []


def test_effects_are_proved_by_a_second_search() -> None:
    ruleset = load_ruleset(EDITION)
    suite = Suite(ruleset, Budget(None))
    (asked,) = [each for each in library_suite(ruleset) if each.id == "sprint-20"]
    free = suite.free(asked, SEARCH_S)
    without = suite.solve(asked, frozenset({"play mush"}), SEARCH_S)
    assert (free.value, without.value) == (4, 6)
    assert lost(asked, free, without).is_exact
    assert lost(asked, free, without).least == pytest.approx(1 / 3)
    assert lost(asked, free, Answer(None, None, impossible=True, witness=None)) == Part(1, 1)


def test_a_search_that_was_cut_short_tells_what_is_lost_at_least_and_at_most() -> None:
    (asked,) = [each for each in library_suite(load_ruleset(EDITION)) if each.id == "sprint-20"]
    free = Answer(4, 4, impossible=False, witness=None)

    def cut_short(value: int | None, bound: int | None) -> Part:
        return lost(asked, free, Answer(value, bound, impossible=False, witness=None))

    assert cut_short(8, 5) == Part(1 - 4 / 5, 1 - 4 / 8)
    assert cut_short(None, 16) == Part(0.75, 1.0)
    assert cut_short(None, None) == Part(0.0, 1.0)
    assert cut_short(None, 2) == Part(0.0, 1.0)  # a bound below what free play needs says nothing
    assert not cut_short(None, None).is_told
    far = replace(asked, goal=replace(asked.goal, objective=Objective.MAX_DISTANCE, within_turns=3))
    short = lost(far, Answer(40, 40, impossible=False, witness=None), Answer(10, 30, impossible=False, witness=None))
    assert short == Part(0.25, 0.75)
    assert mean_of([short, NOTHING]) == Part(0.125, 0.375)
    assert short.rest == Part(0.25, 0.75)


def test_a_card_is_put_into_a_hand_where_the_rules_allow_it() -> None:
    (asked,) = [each for each in library_suite(load_ruleset(EDITION)) if each.id == "sprint-20"]
    put = with_card_in_hand(asked, "rush")
    assert put is not None
    game: Any = put.position.game
    assert "rush" in game.hand(put.position.table())
    assert with_card_in_hand(asked, "nothing") is None


@pytest.mark.parametrize("edition", ["iditacards/2017", "iditacards/2019-02", "iditacards/2019-08"])
def test_short_races_have_a_whole_hand_and_cut_piles(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.suite.DEALS", 2)
    ruleset = load_ruleset(edition)
    races = list(short_races(ruleset, 0))
    assert len(races) == 2
    position = opening(ruleset, 5)
    game: Any = position.game
    short = cut(position)
    assert game.hand(short.table()) == game.hand(position.table())
    assert len(short.state["players"][0]["deck"]) == 1
    assert len(short.state["legs"]) == len(position.state["legs"])


def test_games_of_rounds_have_no_short_races() -> None:
    assert list(short_races(load_ruleset("abyss/2021"), 0)) == []


def test_short_races_show_a_dead_card_where_the_library_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.suite.DEALS", 3)
    base = load_ruleset("iditacards/2017")

    def dead(change: dict[str, Any]) -> set[str]:
        notebook = Notebook(extended(base, {"cards": {"move": change}}), Budget(None), base=base)
        find_dead(notebook)
        return {each.subject for each in notebook.findings}

    assert "move" in dead({"energy": 9})
    assert "move" not in dead({"energy": 1})


def test_a_way_to_spend_a_turn_keeps_no_card_alive() -> None:
    play = RestrictedPlay(uses={"mush": [Use("one", NOTHING), Use("two", Part(1, 1), filler=True)]})
    assert [use.question for use in play.idle("mush")] == ["one"]
    play.uses["mush"].append(Use("three", Part(0.0, 0.9)))
    assert [use.question for use in play.idle("mush")] == ["one"]  # what is not known is no use, and no uselessness
    play.uses["mush"].append(Use("four", Part(0.1, 0.9)))
    assert play.idle("mush") == []


def test_luck_in_one_hand_dominates_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.means.COMPARED", 4)
    monkeypatch.setattr("solver.audit.means.BETTER", 3)
    assert not dominates([1, 1, 0, 0])
    assert dominates([1, 1, 1, 0])
    assert not dominates([1, 1, 1, -1])
    assert not dominates([1, 1, 1])


def test_two_texts_are_compared_under_one_name() -> None:
    cards = load_ruleset(EDITION).raw["cards"]
    twin = {**cards["sprint"], "name": "Twin", "effects": [{"op": "move", "n": 1}]}
    ruleset = extended(load_ruleset(EDITION), {"cards": {"twin": twin}})
    position = opening(ruleset, 1)
    again = with_text(position, "twin", "sprint")
    assert again is not None
    assert again.state == position.state
    assert again.ruleset.raw["cards"]["twin"]["effects"][0]["n"] == 10
    same = with_text(again, "twin", "sprint")
    assert same is not None
    assert same.fingerprint == again.fingerprint
    other = with_text(position, "twin", "torch")  # of another deck: its cards stay where they lie, its effects change
    assert other is not None
    now, before = other.ruleset.raw["cards"]["twin"], ruleset.raw["cards"]["twin"]
    assert [now[key] for key in ("deck", "copies")] == [before[key] for key in ("deck", "copies")]
    assert {each["op"] for each in now["effects"]} == {each["op"] for each in cards["torch"]["effects"]}
