from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.race import Race
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from rules.core.tools.lint import doubtful_options
from solver.audit import play, rush, targets
from solver.audit.finding import Confidence, Fastest, Finding, Level, Notebook, Shown, Witness
from solver.audit.rush import fastest_win, find_rush
from solver.audit.suite import library_suite
from solver.audit.targets import find_par, judge_targets
from solver.search.budget import Budget

EDITION = "iditacards/2019-02"


def variant(folder: Path, text: str) -> Ruleset:
    path = folder / "house.toml"
    path.write_text(f'extends = "{EDITION}"\n{text}', "utf-8")
    return load_ruleset(str(path))


def judged(ruleset: Ruleset, fastest: Fastest | None = None) -> Notebook:
    notebook = Notebook(ruleset, Budget(None), fastest=fastest)
    judge_targets(notebook)
    return notebook


def limits(metric: str, **bounds: int) -> str:
    told = "\n".join(f"{name} = {value}" for name, value in bounds.items())
    return f'[[assert]]\nmetric = "{metric}"\n{told}\n'


@pytest.mark.parametrize(
    ("bounds", "found", "verdict"),
    [
        ({"min": 5}, (6, 6), "pass"),
        ({"min": 5}, (6, 3), "unknown"),
        ({"min": 5}, (None, 3), "unknown"),
        ({"min": 5}, (None, 5), "pass"),
        ({"min": 5}, (4, 1), "fail"),
        ({"max": 9}, (8, 1), "pass"),
        ({"max": 9}, (11, 10), "fail"),
        ({"max": 9}, (11, 9), "unknown"),
        ({"min": 5, "max": 9}, (7, 5), "pass"),
    ],
)
def test_a_target_is_judged_by_what_is_proved(
    tmp_path: Path, bounds: dict[str, int], found: tuple[int | None, int], verdict: str
) -> None:
    ruleset = variant(tmp_path, limits("shortest_win", **bounds))
    notebook = judged(ruleset, Fastest(*found, witness=None, complete=True))
    assert [each.verdict for each in notebook.judged] == [verdict]
    assert [each.level for each in notebook.findings] == [Level.ERROR] * (verdict == "fail")
    assert [(each.place.line, each.place.key) for each in notebook.findings] == [(2, "assert[0]")] * (verdict == "fail")


def test_a_win_below_the_target_misses_it(tmp_path: Path) -> None:
    notebook = judged(variant(tmp_path, limits("shortest_win", min=5)), Fastest(4, 1, None, complete=True))
    assert [each.id for each in notebook.findings] == ["ASSERT:target shortest_win"]


def test_a_puzzle_can_be_a_target(tmp_path: Path) -> None:
    text = limits("puzzle:sprint-10", max=3) + limits("puzzle:sprint-20", max=3) + limits("puzzle:sprint", max=3)
    notebook = judged(variant(tmp_path, text + limits("fun", min=1)))
    assert [each.verdict for each in notebook.judged] == ["pass", "fail", "unknown", "unknown"]
    (finding,) = notebook.findings
    assert finding.id == "ASSERT:target puzzle:sprint-20"
    assert finding.witness is not None
    assert not finding.witness.replay().pending
    assert "did you mean 'sprint-" in notebook.judged[2].words
    assert "nothing measures this" in notebook.judged[3].words
    assert not notebook.searched[0].complete
    assert "nothing judges fun" in notebook.searched[0].lack


def test_the_suite_is_what_fits() -> None:
    suite = library_suite(load_ruleset("iditacards/treadmill"))
    assert "sprint-20" in {each.id for each in suite}
    assert {load_puzzle(each.id).position.ruleset.game for each in suite} == {"iditacards"}
    assert library_suite(load_ruleset("iditacards/2019-08")) == ()


def test_a_puzzle_whose_best_value_is_excluded_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    light = load_ruleset("iditacards/light-mush")
    asked = next(each for each in library_suite(light) if each.id == "thin-ice")
    assert asked.stated is not None
    beaten = Shown(asked.id, "free", Witness(asked.position, ()), asked.goal, None, asked.stated + 1)
    monkeypatch.setattr(targets, "library_suite", lambda _: [asked])
    monkeypatch.setattr(targets, "solved", lambda *_: beaten)
    notebook = Notebook(light, Budget(None))
    find_par(notebook)
    (finding,) = notebook.findings
    assert finding.claim.endswith(f"was {asked.stated} and is {asked.stated + 1} or worse: harder")
    assert finding.witness is None
    monkeypatch.setattr(targets, "solved", lambda *_: beaten._replace(bound=asked.stated))
    silent = Notebook(light, Budget(None))
    find_par(silent)
    assert silent.findings == []


def test_puzzles_whose_value_changes_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    light = load_ruleset("iditacards/light-mush")
    some = [each for each in library_suite(light) if each.id in ("thin-ice", "warm-up", "sprint-20")]
    monkeypatch.setattr(targets, "library_suite", lambda _: some)
    found: list[Finding] = []
    notebook = Notebook(light, Budget(None), findings=found)
    find_par(notebook)
    assert [(each.subject, each.data["was"], each.data["is"]) for each in found] == [("thin-ice", 4, 3)]
    assert found[0].witness is not None
    assert not found[0].witness.replay().pending
    assert notebook.searched[0].what.startswith("3 of 3 puzzles")


def test_a_puzzle_has_changed_where_its_value_under_the_base_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        targets, "library_suite", lambda each: [one for one in library_suite(each) if one.id == "knife"]
    )
    edition, told = load_ruleset(EDITION), {}
    far, same = (extended(edition, {"cards": {"move": {"effects": [{"op": "move", "n": n}]}}}) for n in (2, 1))
    for name, changed in (("as before", extended(far, {"cards": {"rope": {"health": 9}}})), ("back", same)):
        notebook = Notebook(changed, Budget(None), base=far)
        find_par(notebook)
        told[name] = [(each.data["was"], each.data["is"]) for each in notebook.findings]
    assert told == {"as before": [], "back": [(94, 92)]}


def test_an_edition_keeps_its_own_par() -> None:
    notebook = Notebook(load_ruleset(EDITION), Budget(None))
    find_par(notebook)
    assert notebook.findings == []


@pytest.mark.parametrize(
    ("own", "base", "level"),
    [
        ((4, 1), (9, 6), Level.ERROR),
        ((2, 1), (9, 3), Level.ERROR),
        ((4, 1), (9, 2), None),
        ((4, 1), (5, 4), None),
        ((None, 1), (9, 6), None),
        ((4, 1), (None, 1), None),
    ],
)
def test_a_rush_is_proved_against_what_the_base_excludes(
    own: tuple[int | None, int], base: tuple[int | None, int], level: Level | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, edition = load_ruleset("iditacards/treadmill"), load_ruleset(EDITION)
    known = {house.id: Fastest(*own, None, complete=True), edition.id: Fastest(*base, None, complete=True)}
    monkeypatch.setattr(rush, "fastest_win", lambda ruleset, *_: known[ruleset.id])
    monkeypatch.setattr(play, "SAMPLE", 2)
    notebook = Notebook(house, Budget(None), base=edition)
    find_rush(notebook)
    assert [each.level for each in notebook.findings] == ([level] if level else [])


def test_wins_in_the_first_round_are_told_beside_those_of_the_base(monkeypatch: pytest.MonkeyPatch) -> None:
    published = load_ruleset("abyss/2021")
    monkeypatch.setattr(rush, "fastest_win", lambda *_: Fastest(None, 1, None, complete=True))
    monkeypatch.setattr(rush, "DEALS", 1)
    seam = {"count": 20, "effects": [{"op": "treasure", "amount": 1, "per": "member_in_abyss"}]}
    told = {}
    for name, change in {"rich": {"excavation": seam}, "poor": {"excavation": {"count": 20}}}.items():
        notebook = Notebook(extended(published, {"cards": change}), Budget(None), base=published)
        find_rush(notebook)
        told[name] = notebook.findings
    (finding,) = told["rich"]
    assert (finding.id, finding.level, finding.confidence) == ("RUSH:first round", Level.ERROR, Confidence.SAMPLED)
    assert 0.25 < finding.data["share"] < 0.35
    assert finding.data["base"]["high"] < finding.data["low"]
    assert finding.size.startswith("wins in round 1: ")
    assert told["poor"] == []


def test_the_fastest_win_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rush, "SEARCH_S", 0.5)
    found = fastest_win(load_ruleset("iditacards/treadmill"), 60, Budget(None), 0)
    assert found.value is not None
    assert found.witness is not None
    game: Any = found.witness.position.game
    assert isinstance(game, Race)
    end = found.witness.replay().table
    assert game.progress(end) >= 60
    assert game.turns(end) == found.value


def test_a_play_counts_where_it_can_be_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.targets.GAMES", 12)
    target = [{"metric": "card_use:mush", "min": 50}]
    told = {}
    for energy in (2, 25):  # no hand has so many
        change = {"assert": target, "cards": {"mush": {"energy": energy}}}
        told[energy] = [
            each.verdict for each in judged(extended(load_ruleset("iditacards/starter-race"), change)).judged
        ]
    assert told == {2: ["pass"], 25: ["fail"]}


def test_search_finds_wins_that_no_rule_of_thumb_plays_for(monkeypatch: pytest.MonkeyPatch) -> None:
    published = load_ruleset("abyss/2021")
    monkeypatch.setattr(rush, "fastest_win", lambda *_: Fastest(None, 1, None, complete=True))
    monkeypatch.setattr(play, "BY_RULES", 2)
    monkeypatch.setattr(rush, "DEALS", 14)
    debts = extended(published, {"options": {"hire_overdraft": True, "partner_cap": 20}})
    notebook = Notebook(debts, Budget(None), base=published)
    find_rush(notebook)
    (finding,) = notebook.findings
    assert (finding.id, finding.data["n"]) == ("RUSH:first round", 14)
    assert finding.witness is not None
    game, end = finding.witness.position.game, finding.witness.replay().table
    assert game.progress(end) >= finding.data["target"]
    assert game.turns(end) == finding.data["turns"]
    assert all("hire 1 " not in step for step in finding.witness.steps)


def test_rulesets_are_played_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "BY_RULES", 2)
    monkeypatch.setattr(play, "SAMPLE", 5)
    published = load_ruleset("abyss/2021")
    strange = extended(published, {"options": {"jam_card": "returned"}})
    for beside, many in ((None, 5), (published, 5), (strange, 2)):
        assert len(play.sampled(published, 1, 0, Budget(None), beside=beside).ends) == many


def test_sampled_targets_are_judged_by_their_intervals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.audit.targets.GAMES", 12)
    path = tmp_path / "trench.toml"
    wanted = [("mean_turns", 15, 25), ("mean_turns", 30, 40), ("card_use:mush", 0, 1), ("seat_advantage", 0, 0.001)]
    told = "".join(f'[[assert]]\nmetric = "{name}"\nmin = {low}\nmax = {high}\n' for name, low, high in wanted)
    path.write_text(f'extends = "trench_rescue/2012"\n{told}', "utf-8")
    monkeypatch.setattr(play, "SAMPLE", 40)
    notebook = judged(load_ruleset(str(path)))
    assert [each.verdict for each in notebook.judged] == ["pass", "fail", "unknown", "unknown"]
    assert "95 % interval, n = 60, seed 0" in notebook.judged[0].words
    assert "has no 'mush'" in notebook.judged[2].words
    assert [each.id for each in notebook.findings] == ["ASSERT:target mean_turns"]


@pytest.mark.parametrize(
    ("base", "change", "key"),
    [
        ("abyss/2021", {"cap_counts_temps": False}, "options.cap_counts_temps"),
        ("abyss/small-crews", {"cap_counts_temps": False}, ""),
        ("trench_rescue/2012", {"withdrawal": "instant", "withdrawal_hit": "rescuable"}, "options.withdrawal_hit"),
        ("iditacards/open-track", {"weather_off_board": "affected"}, "options.weather_off_board"),
    ],
)
def test_an_option_that_another_answer_rules_out_is_doubtful(base: str, change: dict[str, Any], key: str) -> None:
    doubts = doubtful_options(extended(load_ruleset(base), {"options": change}))
    assert [doubt.key for doubt in doubts] == [key] * bool(key)
