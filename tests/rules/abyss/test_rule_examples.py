"""The worked examples of the specification, and the lines its figures rest on, played through (15)."""

from __future__ import annotations

import pytest

from rules.abyss.engine import Fortune
from tests.rules.abyss.boards import FIRST_HAND, after, board, run, seat, team, told, x3

ROUND_ONE = ("give_up none", "hire 10 homeless", "plan digging abyss")


def test_rule_15_x1_the_round_one_win() -> None:
    start = board(
        seat(hand=FIRST_HAND, identity="adventurer"), actions=["give_a_speech"], events=["forgotten_treasure"]
    )
    table = after(start, *ROUND_ONE)
    me = table.seats[0]
    assert (me.ap, me.rp, table.phase, table.winner, table.seat) == (40, 20, "over", 0, 0)
    assert me.hand == ("bribe", "flashlight", "theft", "treatment")
    assert team(table) == ["homeless:2"] * 10
    assert (me.treasure, table.action_pile.front) == (0, ("give_a_speech",))
    assert me.plan is not None


def test_rule_15_x1_with_nine_partners_the_round_goes_on() -> None:
    start = board(
        seat(hand=FIRST_HAND, identity="adventurer"), actions=["give_a_speech"], events=["forgotten_treasure"]
    )
    table = after(start, "give_up none", "hire 9 homeless", "plan digging abyss", "draw")
    assert (table.seats[0].ap, table.seats[0].rp, table.winner, table.round) == (37, 18, None, 2)
    assert "give_a_speech" in table.seats[0].hand


def test_rule_15_x2_a_boosted_trip_under_flooding() -> None:
    leader = seat(
        identity="leader",
        ap=3,
        rp=4,
        explore_pending=True,
        partners=["ordinary_citizen:3", "ordinary_citizen:2", "trained_person:5"],
        hand=FIRST_HAND,
    )
    start = board(leader, actions=["give_a_speech"], events=["flooding"], round=4)
    table, events = told(start, "give_up none", "hire 1 homeless", "plan digging abyss", "draw")
    me = table.table.seats[0]
    assert (me.ap, me.rp, me.explore_pending, table.table.round) == (15, 12, 0, 5)
    assert team(table.table) == ["trained_person:1"]
    assert me.hand == ("bribe", "flashlight", "give_a_speech", "theft", "treatment")
    found = [event.data["treasure"] for event in events if event.kind == "finds"]
    penalties = [event.data["ap"] for event in events if event.kind == "penalty"]
    assert (found, penalties) == ([8], [-1])


def test_rule_15_x3_two_players_modifier_and_treatment() -> None:
    start = x3("short_of_resource", "riot")
    table = after(
        start,
        *("give_up none", "hire 1 ordinary_citizen", "give_up none", "hire none"),
        *("plan bribe city", "plan treatment city", "draw", "draw"),
    )
    first, second = table.seats
    assert (first.ap, first.rp, team(table, 0)) == (0, 9, ["homeless:2", "ordinary_citizen:3", "ordinary_citizen:3"])
    assert first.hand == ("assassination", "digging", "give_a_speech", "treatment", "unreasonable_clause")
    assert (second.ap, second.rp, team(table, 1)) == (6, 1, ["homeless:1", "trained_person:4"])
    assert second.hand == ("accept_bribes", "bribe", "digging", "flashlight", "theft")
    assert table.action_used == ("bribe", "treatment")
    assert table.event_used == ("short_of_resource", "riot")
    assert table.round == 6


def test_rule_15_x3_the_same_with_an_assassination() -> None:
    start = x3("short_of_resource", "riot")
    table = after(
        start,
        *("give_up none", "hire 1 homeless", "give_up none", "hire none"),
        *("plan assassination city", "plan treatment city", "target 2 trained_person:2", "no_draw", "no_draw"),
    )
    first, second = table.seats
    assert (first.ap, first.rp, team(table, 0)) == (10, 2, ["homeless:2", "homeless:2", "ordinary_citizen:3"])
    assert (second.ap, second.rp, team(table, 1)) == (7, 1, ["homeless:1"])


def test_rule_15_x4_an_employer_with_two_teams() -> None:
    start = board(seat(identity="employer", hand=FIRST_HAND), events=["forgotten_treasure"], options={"partner_cap": 9})
    state, events = told(start, "give_up none", "hire 8 homeless 1 temps", "plan digging abyss temp bribe abyss")
    me = state.table.seats[0]
    assert (me.ap, me.rp, state.table.winner) == (29, 20, 0)
    assert [event.data["treasure"] for event in events if event.kind == "finds"] == [8, 17]


@pytest.mark.parametrize("identity", ["adventurer", "employer", "leader"])
def test_rule_14_every_identity_can_win_in_round_one(identity: str) -> None:
    start = board(seat(hand=FIRST_HAND, identity=identity), events=["forgotten_treasure"])
    assert after(start, *ROUND_ONE).winner == 0


def test_rule_13_3_the_line_of_the_first_puzzle() -> None:
    start = board(
        seat(
            identity="adventurer",
            hand=["digging", "explore_in_depth", "bribe", "treatment", "flashlight"],
        ),
        actions=["digging", "accept_bribes", "transaction"],
        events=["flooding", "earthquake", "safe", "riot"],
    )
    first = run(start, "give_up none", "hire 8 homeless 1 ordinary_citizen", "plan digging abyss", "draw").table
    assert (first.seats[0].ap, first.seats[0].rp, team(first)) == (10, 9, ["ordinary_citizen:1"])
    second = after(
        start,
        *("give_up none", "hire 8 homeless 1 ordinary_citizen", "plan digging abyss", "draw"),
        *("give_up none", "hire 10 homeless", "plan digging abyss"),
    )
    assert (second.seats[0].ap, second.seats[0].rp, second.winner, second.round) == (20, 20, 0, 2)
    for challenge, is_reached in (("AB-S3", True), ("AB-S2", False)):
        quest = start.towards(challenge, 0, {}).game
        assert isinstance(quest, Fortune)
        assert quest.reached(second) == is_reached
