"""Searches in whole rounds: against complete play, against themselves without the bound, as commands."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.abyss_figures import position_of
from puzzles.puzzle import question_of
from rules.core.challenge import ChanceMode, Quest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from solver.encodings.abyss.rounds import Key, RoundSearch
from solver.engines.answers import solve
from solver.engines.open_search import OpenSearch
from solver.lines import replayed_value
from solver.question import Status
from solver.search.budget import Budget
from tests.bare import bare_position
from tests.rules.abyss.boards import board, engine, seat

EVENTS = ("flooding", "earthquake", "safe", "riot", "forgotten_treasure", "short_of_resource", "excavation")


def search_of(position: Position, fate: ChanceMode) -> RoundSearch:
    game = engine(position)
    return RoundSearch(game.rulings, position.table(), 0, fate, game.goals)


def fewest(search: RoundSearch, most: int = 4) -> int | None:
    return None if search.fewest(most, Budget()) is None else search.excluded + 1


def household_near(seed: int) -> Position:
    """Return a small household not far from fame."""
    team = [["homeless:2"], ["guardian:8", "homeless:1"], ["ordinary_citizen:3", "homeless:2"]][seed % 3]
    one = seat(
        ap=seed % 4,
        rp=8 + seed % 5,
        hand=["digging", ("bribe", "give_a_speech", "explore_in_depth")[seed % 3]],
        identity=("adventurer", "leader", "employer")[seed % 3],
        partners=team,
    )
    events = [EVENTS[(seed + place * 3) % len(EVENTS)] for place in range(3)]
    options = {"partner_cap": 3, "refill": "forced"}
    return board(one, actions=["digging", "bribe", "theft", "theft", "digging"], events=events, options=options)


@pytest.mark.parametrize("seed", range(9))
def test_rounds_and_stages_agree(seed: int) -> None:
    """The layered search over stages knows nothing of rounds; the answer of both is the same."""
    position, goal = question_of({"objective": "AB-S1"}, household_near(seed))
    race = position.game
    assert isinstance(race, Quest)
    rounds = fewest(search_of(household_near(seed), ChanceMode.KNOWN), 2)
    if rounds is not None:
        report = OpenSearch(race, position.start()[1], goal, Budget()).answer()
        assert report.status is Status.OPTIMAL
        assert rounds <= (goal.in_rounds(report.value) or 0)
        assert goal.in_rounds(solve(position, goal).value) == goal.in_rounds(report.value)


CARRIED = {"treasure_needs": "own_carrier"}
OUTSIDE = {"cap_counts_temps": False}
CONTROLS = [
    (ChanceMode.KIND, "adventurer", 1, 2, {}),
    (ChanceMode.KIND, "leader", 3, 1, {}),
    (ChanceMode.KIND, "employer", 1, 2, {}),
    (ChanceMode.CRUEL, "adventurer", 1, 2, {}),
    (ChanceMode.CRUEL, "leader", 1, 2, {}),
    (ChanceMode.CRUEL, "employer", 1, 2, {}),
    (ChanceMode.CRUEL, "employer", 0, 1, OUTSIDE),
    (ChanceMode.CRUEL, "leader", 1, 2, CARRIED),
    (ChanceMode.CRUEL, "adventurer", 2, 1, CARRIED),
]
"""Luck, identity, cap, rounds, options: small enough to be searched in full."""
NEAR = {"ap": 6, "rp": 15}
"""A purse from which the goal is within reach, so that the answers differ."""


def near(identity: str, cap: int, options: dict[str, Any]) -> Position:
    """Return a household with a little of everything, not far from fame."""
    position = position_of(identity, cap, ("digging", "bribe"), **options)
    (one,) = position.state["seats"]
    partners = [{"type": "ordinary_citizen", "hp": 3}][:cap]
    return bare_position(
        json.dumps(
            {
                **json.loads(position.text()),
                "state": {**position.state, "seats": [{**one, **NEAR, "partners": partners}]},
            }
        )
    )


def always(_search: RoundSearch, _key: Key, _gone: int, left: int) -> bool:
    """Stand in for the bound."""
    return left > 0


@pytest.mark.slow
@pytest.mark.parametrize("start", [position_of, near])
@pytest.mark.parametrize(("fate", "identity", "cap", "most", "options"), CONTROLS)
def test_the_bound_changes_nothing_but_the_work(
    start: Any,
    fate: ChanceMode,
    identity: str,
    cap: int,
    most: int,
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def position() -> Position:
        return near(identity, cap, options) if start is near else position_of(identity, cap, **options)

    pruned = fewest(search_of(position(), fate), most)

    monkeypatch.setattr(RoundSearch, "reachable", always)
    assert fewest(search_of(position(), fate), most) == pruned


def carriers(seed: int) -> Position:
    """Return a household of own carriers, so near to fame that some can be sure of it and some cannot."""
    team = (["guardian:8"], ["trained_person:5"], ["ordinary_citizen:3"], ["guardian:3", "homeless:2"])[seed % 4]
    return board(
        seat(ap=4 + seed % 3, rp=14 + seed // 3, identity=("adventurer", "leader")[seed % 2], partners=team),
        options={**CARRIED, "partner_cap": 2},
        chance={"open": []},
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_on_own_carriers_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pruned = fewest(search_of(carriers(seed), ChanceMode.CRUEL), 2)
    monkeypatch.setattr(RoundSearch, "reachable", always)
    assert fewest(search_of(carriers(seed), ChanceMode.CRUEL), 2) == pruned


def test_two_cards_a_round_empty_the_hand() -> None:
    """Two cards win in a round what one card at hand and one drawn win in two (5.C4, 5.I)."""
    cards = near("employer", 1, {})
    (one,) = cards.state["seats"]
    rounds = []
    for hand in (["digging"], ["bribe", "digging"]):
        seats = [{**one, "hand": hand, "rp": 15, "partners": []}]
        table = replace(cards, state={**cards.state, "seats": seats})
        rounds.append(fewest(search_of(table, ChanceMode.KIND), 3))
    assert rounds == [2, 1]


@pytest.mark.parametrize(("challenge", "rp", "rounds"), [("AB-S4", 0, 1), ("AB-S5", 10, 2)])
def test_luck_is_a_question_to_solve(challenge: str, rp: int, rounds: int) -> None:
    """The stated number of G2, and one near fame, from a hand that holds no Digging card: it is drawn (5.B)."""
    hand = ("theft", "bribe", "assassination", "explore_in_depth", "give_a_speech")
    dealt = position_of("leader", None, hand)
    (one,) = dealt.state["seats"]
    position, goal = question_of(
        {"objective": challenge}, replace(dealt, state={**dealt.state, "seats": [{**one, "rp": rp}]})
    )
    report = solve(position, goal)
    assert (report.status, goal.in_rounds(report.value)) == (Status.OPTIMAL, rounds)
    game, start = position.start()
    assert goal.in_rounds(replayed_value(game, start, report.line, goal)) == rounds
    assert report.proof.excluded_turns == 6 * (rounds - 1)
    texts = [step.text for turn in report.line for step in turn.steps]
    assert "actions digging" in texts
    assert texts.count("events flooding" if challenge == "AB-S5" else "events forgotten_treasure") == rounds


def test_the_worst_luck_needs_whole_rounds() -> None:
    position = position_of("leader", None, ("digging", "bribe"))
    late = replace(position, state={**position.state, "phase": "choose"})
    question, goal = question_of({"objective": "AB-S5"}, late)
    with pytest.raises(UnsupportedRuleset, match="from the middle of a round"):
        solve(question, goal)


def test_a_limit_leaves_a_bound() -> None:
    position, goal = question_of({"objective": "AB-S5"}, position_of("employer", 5))
    report = solve(position, goal, Budget(time_s=0.5))
    assert report.status is Status.UNKNOWN
    assert report.bound is not None
    assert 1 < (goal.in_rounds(report.bound) or 0) <= 3
