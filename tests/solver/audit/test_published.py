"""What is true of the published editions, each with a line that the rules replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzles.puzzle import question_of
from rules.core.errors import BestlineError
from rules.core.position import decode_position
from rules.core.race import Race
from rules.core.ruleset import extended, load_ruleset
from solver.audit.finding import Notebook, Witness
from solver.audit.gap import find_gap
from solver.audit.loop import confirm, find_loops
from solver.audit.play import opening
from solver.audit.stall import find_stall, gained, idle_game
from solver.engines.answers import solve
from solver.search.budget import Budget

EDITION = "iditacards/2019-08"
DEAL = (
    "bl1.iditacards.2019-02.e0d517948d12.AV3MzU-CYACA8fWfdXnfrhWomChjazVBZ4EzPzD8GA7dFAcoqcwpipP8Qhw4W-vS"
    "oXvn6lL3jl3z2Do_vz3_-2Fr8P1x9yoN2gd_5CMMVi-KLbEqJq4vj4PtW_GmKIInePQFwecDAM_wNHHV2mzACzw5Ox_c78dvEEZm"
    "vlhXZprjXNKfk4eVYXecHCZHjDyadHO-ip-azGQmSsV8FYbyR6joeNaMNQHsqf35KltP0-u0w-24Ri_e1-lV3UnvenFdVc2UqetZ"
    "et2YclOVNlOck507JoC2LQghodYJlEPhZSdcypfKqLWwtY62tGqojWHLgKBZC7QcwrA8apW0_F4BaJCsxBdIhTCIwlZxXQNBXMXN"
    "8Fs2w3qIQXreFucJnM_guEIinsQSklQA4P0HgF8.db78101d"
)
"""An opening deal of February 2019 in which both Upgrade Sleds are dealt and two Torches are on top of the upgrades."""
LINE = (
    "play upgrade_sled pay good_dog repair_sled",
    "from upgrade",
    "take torch",
    "play upgrade_sled pay armour first_aid",
    "from speed",
    "take torch",
    "new_day",
    "legendary all_in",
    "play torch",
    "recover all_in",
    "done",
    "play dinner pay lunch mush",
)
"""Buys both Torches, and draws both the next day."""
CYCLE = (("play torch", "recover torch", "done"),)


def test_two_torches_of_february_2019_bring_each_other_back_until_cold_makes_them_cost_something() -> None:
    position = decode_position(DEAL)
    assert position.ruleset.fingerprint == load_ruleset("iditacards/2019-02").fingerprint
    game = position.game
    assert isinstance(game, Race)
    table = Witness(position, LINE).replay().table
    certificate = confirm(game, table, CYCLE, game.profile.target)
    assert certificate is not None
    assert (certificate.kind, certificate.gains) == ("bounded", {"players.0.pos": 2})
    assert (certificate.clean, certificate.repeats, certificate.pace) == (12, 13, 2.0)


def test_abyss_is_won_in_the_first_round_by_hiring_without_a_cap() -> None:
    published = load_ruleset("abyss/2021")
    aimed, goal = question_of({"objective": "AB-S1", "within_rounds": 1}, opening(published, 0, 20, 1))
    answer = solve(aimed, goal)
    steps = tuple(step.text for turn in answer.line for step in turn.steps)
    assert "hire 10 homeless" in steps
    assert aimed.game.is_over(Witness(aimed, steps).replay().table)
    capped = aimed.under(extended(published, {"options": {"partner_cap": 9}}))
    assert capped is not None
    with pytest.raises(BestlineError):
        Witness(capped, steps).replay()


def test_nobody_has_to_leave_the_trench() -> None:
    idle = idle_game(opening(load_ruleset("trench_rescue/2012"), 0, 0, 2))
    assert set(idle.line()) == {"end"}
    assert (idle.over, idle.winners, gained(idle)) == (True, (), 0)


@pytest.mark.parametrize(
    "edition", ["trench_rescue/2012", *(pytest.param(slow, marks=pytest.mark.slow) for slow in ("abyss/2021", EDITION))]
)
def test_the_page_names_every_finding_of_an_edition(edition: str) -> None:
    notebook = Notebook(load_ruleset(edition), Budget(None))
    for find in (find_gap, find_stall, find_loops):
        find(notebook)
    rows = (Path(__file__).parents[3] / "docs" / "designing.md").read_text("utf-8").splitlines()
    told = [row.split(" | ")[1] for row in rows if row.startswith(f"| `{edition}` |")]
    assert sorted(told) == sorted(f"{each.level} `{each.id}`" for each in notebook.findings)
    for finding in notebook.findings:
        assert finding.witness is not None
        finding.witness.replay()
