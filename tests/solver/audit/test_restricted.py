from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import suite
from solver.audit.finding import Confidence, Finding, Notebook, Shown, Witness
from solver.audit.play import opening
from solver.audit.restricted import Suite, find_dead, find_dominated, find_must, find_spam
from solver.audit.suite import AuditQuestion, as_under, library_suite, lost, tables, with_card
from solver.audit.targets import lint
from solver.search.budget import Budget

EDITION = "iditacards/2019-02"
SOME = ("sprint-20", "thin-ice")
"""Puzzles that are solved at once."""


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the suite small."""

    def some(ruleset: Ruleset) -> tuple[Any, ...]:
        return tuple(each for each in library_suite(ruleset) if each.id in SOME)

    monkeypatch.setattr(suite, "library_suite", some)
    monkeypatch.setattr("solver.audit.suite.DEALS", 0)
    monkeypatch.setattr("solver.audit.suite.LATER", ())
    monkeypatch.setattr("solver.audit.restricted.OFTEN", 2)
    monkeypatch.setattr("solver.audit.restricted.COUNTED", 1)


def answer(asked: AuditQuestion, value: int | None, bound: int | None) -> Shown:
    return Shown(asked.id, "free", Witness(asked.position, ()), asked.goal, value, bound)


def found(find: Callable[[Notebook], None], change: dict[str, Any]) -> list[Finding]:
    base = load_ruleset(EDITION)
    notebook = Notebook(extended(base, change), Budget(None), base=base)
    find(notebook)
    assert all(each.complete for each in notebook.searched)
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


def test_a_card_that_does_less_for_as_much_is_pointless_beside_another() -> None:
    rope = {"cards": {"rope": {"effects": [{"op": "recover", "n": 2}]}}}
    (finding,) = found(find_dominated, rope)
    assert (finding.id, finding.confidence) == ("DOMINATED:rope by torch", Confidence.PROVED)
    assert found(find_dominated, {"cards": {"rope": {"effects": [{"op": "recover", "n": 4}]}}}) == []
    assert found(find_dominated, {"cards": {"sprint": {"energy": 1}}}) == []


def test_a_card_that_can_do_nothing_is_dead_by_its_text() -> None:
    # Who has gained 64 upgrades could pay 90 cards, or hold 30 others.
    for change, card, sure in (
        ({"cards": {"armour": {"effects": []}}}, "armour", Confidence.PROVED),
        ({"cards": {"dog_chow": {"health": 90}}}, "dog_chow", Confidence.ARGUED),
        ({"cards": {"husky": {"energy": 30}}}, "husky", Confidence.ARGUED),
        ({"rules": {"dog_limit": 1}}, "big_dog", Confidence.PROVED),
        ({"rules": {"dog_limit": 0}}, "husky", Confidence.PROVED),
        ({"cards": {"rope": {"effects": [{"op": "recover", "n": 0}]}}}, "rope", Confidence.PROVED),
    ):
        told = {each.subject: each.confidence for each in found(find_dead, change)}
        assert told[card] == sure
    assert found(find_dead, {"cards": {"armour": {"health": 2}}}) == []
    dogless = extended(load_ruleset(EDITION), {"rules": {"dog_limit": 0}})
    assert [each.message for each in lint(dogless)] == ["leaves no room for a dog"]


@pytest.mark.parametrize(("risk", "turns"), [(1, 2), (3, 4), (30, 4)])
def test_a_card_that_takes_several_turns_is_given_them(risk: int, turns: int) -> None:
    ruleset = extended(load_ruleset(EDITION), {"cards": {"mush": {"risk": risk}}})
    asked = AuditQuestion("deal", opening(ruleset, 0), Goal(Objective.MAX_DISTANCE, 161, 2), None, "")
    held = with_card(asked, "mush")
    assert held is not None
    assert held.goal.within_turns == turns


def test_a_table_on_a_new_leg_is_laid_on_the_legs_of_the_base() -> None:
    base = load_ruleset("iditacards/open-track")
    leg = {**base.raw["legs"]["hills"], "name": "Bog"}
    sections = [{"leg": "bog", "from": 1, "to": 160}]
    changed = extended(base, {"legs": {"bog": leg}, "boards": {"bare": {"sections": sections}}})
    moved = as_under(opening(changed, 0), base)
    assert moved is not None
    assert moved.state["legs"] == opening(base, 0).state["legs"]


def test_a_condition_that_no_cards_bring_about_is_doubtful() -> None:
    def doubts(when: str, gone: list[str]) -> list[str]:
        rest = {"effects": [{"op": "draw", "n": 2, "when": when}]}
        cards = {"rest": rest, **{name: {"remove": True} for name in gone}}
        return [each.key for each in lint(extended(load_ruleset("iditacards/open-track"), {"cards": cards}))]

    healers = ["first_aid", "grandma_soup"]
    assert doubts("three_meals_today", []) == doubts("healed_today", healers[:1]) == doubts("eaten_today", []) == []
    assert doubts("three_meals_today", ["dinner"]) == doubts("healed_today", healers) == ["cards.rest.effects[0].when"]


def test_a_personal_card_without_effects_still_lowers_hypothermia() -> None:
    assert found(find_dead, {"cards": {"caffeine": {"effects": []}}}) == []


def test_whole_games_tell_it_where_rounds_count() -> None:
    base = load_ruleset("abyss/2021")
    ransom = {"name": "Ransom", "deck": "actions", "count": 30, "location": "any", "provenance": "x", "summary": "x"}
    told = {}
    for ap in (17, 3):
        card = {**ransom, "effects": [{"op": "ap", "amount": ap}]}
        notebook = Notebook(extended(base, {"cards": {"ransom": card}}), Budget(None), base=base)
        find_spam(notebook)
        told[ap] = [(each.id, each.confidence) for each in notebook.findings]
    assert told == {17: [("SPAM:ransom", Confidence.SAMPLED)], 3: []}


def test_effects_are_proved_by_a_second_search() -> None:
    ruleset = load_ruleset(EDITION)
    (asked,) = [each for each in library_suite(ruleset) if each.id == "sprint-20"]
    use = Suite(ruleset, Budget(None)).use(asked, "mush")
    assert use is not None
    assert (use.free.value, use.without.value) == (4, 6)
    assert use.loss == pytest.approx(1 / 3)
    assert lost(asked, use.free, answer(asked, None, None)._replace(impossible=True)) == 1


def test_a_part_is_told_where_the_restricted_search_has_finished() -> None:
    (asked,) = [each for each in library_suite(load_ruleset(EDITION)) if each.id == "sprint-20"]
    free = answer(asked, 4, 4)
    assert lost(asked, free, answer(asked, 8, 8)) == 0.5
    assert lost(asked, free, answer(asked, 8, 5)) is None
    far = asked._replace(goal=replace(asked.goal, objective=Objective.MAX_DISTANCE, within_turns=3))
    best = answer(asked, 40, 40)
    assert lost(far, best, answer(asked, 10, 10)) == 0.75


def test_a_card_is_put_into_a_hand_where_the_rules_allow_it() -> None:
    (asked,) = [each for each in library_suite(load_ruleset(EDITION)) if each.id == "sprint-20"]
    put = with_card(asked, "rush")
    assert put is not None
    game: Any = put.position.game
    assert "rush" in game.hand(put.position.table())
    assert with_card(asked, "nothing") is None
    assert with_card(put, "rush") is put


@pytest.mark.parametrize("edition", ["iditacards/2017", "iditacards/2019-02", "iditacards/2019-08"])
def test_tables_have_whole_decks_early_in_the_middle_and_late(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.suite.DEALS", 2)
    monkeypatch.setattr("solver.audit.suite.LATER", ((0.3, 1), (0.7, 1)))
    ruleset = load_ruleset(edition)
    dealt = [each for each in tables(ruleset, 0) if each.id.startswith("deal-")]
    reached = [each.position.game.progress(each.position.table()) for each in dealt]
    assert reached[:2] == [0, 0]
    assert max(reached) > 20
    assert all(len(each.position.state["players"][0]["deck"]) > 5 for each in dealt[:2])


def test_games_of_rounds_have_puzzles_only() -> None:
    assert not [each for each in tables(load_ruleset("abyss/2021"), 0) if each.id.startswith("deal-")]


def test_dealt_tables_show_a_dead_card_where_the_library_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.suite.DEALS", 10)
    base = load_ruleset("iditacards/2019-08")

    def dead(change: dict[str, Any]) -> set[str]:
        notebook = Notebook(extended(base, {"cards": {"move": change}}), Budget(None), base=base)
        find_dead(notebook)
        return {each.subject for each in notebook.findings}

    assert "move" in dead({"energy": 14})
    assert "move" not in dead({"name": "One Step"})


def test_races_that_begin_with_it_tell_what_stays_in_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "RACES", 40)
    monkeypatch.setattr(suite, "PUZZLES", 0)
    base = load_ruleset("iditacards/open-track")
    for speed, told in ((9, ["MUST:husky"]), (2, [])):
        change = {"cards": {"husky": {"effects": [{"op": "speed", "n": speed, "while": "in_play"}]}}}
        notebook = Notebook(extended(base, change), Budget(None), base=base)
        find_must(notebook)
        assert [each.id for each in notebook.findings] == told


def test_a_card_is_dead_where_nothing_in_play_holds_it_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.suite.DEALS", 10)
    monkeypatch.setattr(suite, "PUZZLES", 0)
    monkeypatch.setattr(suite, "RACES", 2)
    base = load_ruleset("iditacards/starter-race")
    dogs = {name: card["effects"] for name, card in base.raw["cards"].items() if card["type"] == "dog"}
    for closed, told in ((list(dogs), True), (["husky"], False)):
        full = {name: {"effects": [*dogs[name], {"op": "attach_slots", "n": 0, "while": "in_play"}]} for name in closed}
        notebook = Notebook(extended(base, {"cards": full}), Budget(None), base=base)
        find_dead(notebook)
        assert ("dog_chow" in {each.subject for each in notebook.findings}) == told
