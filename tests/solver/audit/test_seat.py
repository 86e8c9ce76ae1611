from __future__ import annotations

from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import play, seat
from solver.audit.finding import Notebook, Witness
from solver.audit.play import mean, opening, played, share
from solver.audit.seat import even, find_seat, first_seat, roles, with_roles
from solver.search.budget import Budget

EDITION = "abyss/2021"
QUICK: dict[str, Any] = {"goals": {"money": {"ap": -20}}}
"""Who is looked at first has won."""


def notebook(ruleset: Ruleset) -> Notebook:
    return Notebook(ruleset, Budget(None), base=load_ruleset(ruleset.shipped))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "SAMPLE", 300)
    monkeypatch.setattr(seat, "ROLE_GAMES", 40)


def test_who_comes_first_wins_where_everybody_begins_at_the_goal() -> None:
    quick = extended(load_ruleset(EDITION), QUICK)
    assert first_seat(notebook(quick), quick).low > 0.9


def test_the_edge_is_told_with_its_numbers() -> None:
    asked = notebook(extended(load_ruleset(EDITION), QUICK))
    find_seat(asked)
    (finding,) = asked.findings
    assert finding.id == "SEAT:first seat"
    assert finding.data["n"] >= seat.DECISIVE
    assert all(word in finding.claim for word in (" % (95 % interval ", "n = ", "seed 0", "under the base"))
    again = notebook(asked.ruleset)
    find_seat(again)
    assert again.findings == asked.findings


def test_an_edge_that_the_base_has_too_is_no_finding() -> None:
    for name in (EDITION, "trench_rescue/2012", "iditacards/open-track"):
        asked = notebook(extended(load_ruleset(name), {"meta": {"title": "The same"}}))
        find_seat(asked)
        assert asked.findings == []
        assert "first seat" in asked.searched[0].what


def test_identities_change_seats() -> None:
    position = opening(load_ruleset(EDITION), 0, 0, 2)
    key, names = roles(position)
    assert key == "identity"
    assert len(names) == 3
    changed = with_roles(position, key, (names[0], names[2]))
    assert changed is not None
    assert [each["identity"] for each in changed.state["seats"]] == [names[0], names[2]]
    assert roles(opening(load_ruleset("trench_rescue/2012"), 0, 0, 2)) == ("", [])


@pytest.mark.parametrize("choice", ["free", "unique"])
def test_no_seat_is_favoured_by_its_identity(choice: str) -> None:
    ruleset = extended(load_ruleset(EDITION), {"options": {"identity_choice": choice}})
    pairs = []
    for number in range(6):
        position = even(new_position(ruleset, 2, number, ()), number)
        pairs.append(tuple(each["identity"] for each in position.state["seats"]))
    assert sorted(first for first, _ in pairs) == sorted(second for _, second in pairs)
    assert len({first for first, _ in pairs}) == 3
    assert all((one == other) == (choice == "free") for one, other in pairs)


def test_samples_tell_their_intervals() -> None:
    assert share(0, 20).high == pytest.approx(0.161, abs=0.001)
    assert share(10, 20).low == pytest.approx(0.299, abs=0.001)
    assert mean([1.0, 2.0, 3.0]).value == 2
    assert mean([1.0]).high == float("inf")


def test_a_share_beats_another_by_more_than_chance_and_a_margin() -> None:
    now, then = share(300, 1000), share(200, 1000)
    assert now.beats(then, 0.05)
    assert not now.beats(then, 0.11)
    assert not share(30, 100).beats(share(20, 100), 0.05)


def test_a_played_game_replays() -> None:
    game = played(opening(load_ruleset("trench_rescue/2012"), 0, 0, 2), 0)
    assert game.over
    line = game.line()
    assert Witness(game.position, line).replay().table == game.table


def test_a_few_games_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat, "GAMES", seat.DECISIVE - 1)
    asked = notebook(extended(load_ruleset("iditacards/open-track"), {"meta": {"title": "The same"}}))
    find_seat(asked)
    (searched,) = asked.searched
    assert (searched.complete, searched.ending) == (False, " (undecided: hardly a game had one winner)")
