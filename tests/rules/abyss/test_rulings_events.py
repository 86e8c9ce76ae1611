"""Every ruling of Events and lasting marks, each answer with a position where it shows (12)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.abyss.boards import AWAY, HOME, acts, after, board, plan, seat, stage, team

# Events


@pytest.mark.parametrize(("value", "other"), [("drawer", "homeless:2"), ("everyone_there", "homeless:1")])
def test_ruling_17_whom_a_riot_touches(value: str, other: str) -> None:
    start = board(
        seat(plan=HOME, event="riot", partners=["homeless:2"]),
        seat(plan=HOME, partners=["homeless:2"]),
        phase="event",
        options={"event_scope": value},
    )
    table = stage(start)
    assert (team(table, 0), team(table, 1)) == (["homeless:1"], [other])


@pytest.mark.parametrize(("value", "rp"), [("drawer", 2), ("everyone_there", 0)])
def test_ruling_17_whom_a_traffic_jam_touches(value: str, rp: int) -> None:
    start = board(
        seat(plan=HOME, event="traffic_jam", event_up=True),
        acts("give_a_speech"),
        phase="act",
        seat=2,
        options={"event_scope": value},
    )
    assert stage(start).seats[1].rp == rp


@pytest.mark.parametrize(("value", "ap"), [("drawer", 6), ("everyone_there", 2)])
def test_ruling_17_whom_short_of_resource_touches(value: str, ap: int) -> None:
    start = board(
        seat(plan=HOME, ap=7, paid=3),
        seat(plan=HOME, ap=6, paid=4),
        phase="deal",
        events=["short_of_resource"],
        options={"event_scope": value},
    )
    assert [one.ap for one in stage(start).seats] == [4, ap]


@pytest.mark.parametrize(("value", "treasure", "lost"), [("each_partner", [2, 0], 0), ("all_players", [2, 1], 1)])
def test_ruling_18_what_the_picture_means(value: str, treasure: list[int], lost: int) -> None:
    mine = seat(plan=AWAY, partners=["guardian:8", "guardian:8"])
    theirs = seat(plan=AWAY, partners=["guardian:8"], event="safe")
    options = {"icon_reading": value}
    found = stage(board({**mine, "event": "forgotten_treasure"}, theirs, phase="event", options=options))
    assert [one.treasure for one in found.seats] == treasure
    hurt = stage(board({**mine, "event": "earthquake"}, theirs, phase="event", options=options))
    assert team(hurt, 1) == [f"guardian:{8 - 2 * lost}"]


@pytest.mark.parametrize(("value", "up", "rp"), [("whole_round", True, 0), ("from_draw_on", False, 2)])
def test_ruling_19_from_when_on_modifiers_work(value: str, up: bool, rp: int) -> None:
    options = {"modifier_timing": value}
    dealt = stage(board(acts("give_a_speech"), phase="deal", events=["traffic_jam"], options=options))
    assert dealt.seats[0].event_up == up
    done = after(board(acts("give_a_speech"), phase="deal", events=["traffic_jam"], options=options))
    assert done.seats[0].rp == rp
    assert done.event_used == ("traffic_jam",)


def test_rule_5e_a_modifier_needs_a_team_in_the_city() -> None:
    away = seat(plan=plan("bribe", "abyss"), partners=["homeless:2"], paid=1)
    dealt = stage(board(away, phase="deal", events=["short_of_resource"]))
    assert (dealt.seats[0].event_up, dealt.seats[0].ap) == (False, 10)
    empty = seat(identity="employer", plan=plan(None, "city", ["bribe", "abyss"]), temps=1)
    assert stage(board(empty, phase="deal", events=["traffic_jam"])).seats[0].event_up


@pytest.mark.parametrize(("value", "ap"), [("hires_and_actions", 1), ("actions", 5), ("all_losses", 1)])
def test_ruling_20_what_is_paid_again(value: str, ap: int) -> None:
    start = board(
        seat(plan=HOME, ap=5, paid=4), phase="deal", events=["short_of_resource"], options={"short_covers": value}
    )
    assert stage(start).seats[0].ap == ap


def test_ruling_20_what_stands_on_cards_counts_twice() -> None:
    short: dict[str, Any] = {"event": "short_of_resource", "event_up": True}
    bribed = stage(board(acts("bribe", **short), phase="act")).seats[0]
    assert (bribed.ap, bribed.rp) == (0, 6)
    taken = stage(board(acts("accept_bribes", **short), phase="act")).seats[0]
    assert (taken.ap, taken.rp) == (15, -5)
    away = stage(board(acts("bribe", "abyss", partners=["homeless:2"], **short), phase="act")).seats[0]
    assert (away.ap, away.rp) == (5, 3)


@pytest.mark.parametrize(("value", "ap"), [("hires_and_actions", 6), ("actions", 6), ("all_losses", 2)])
def test_ruling_20_penalties(value: str, ap: int) -> None:
    start = board(
        acts("assassination"),
        seat(plan=HOME, partners=["trained_person:1"], event="short_of_resource", event_up=True),
        phase="act",
        options={"short_covers": value, "assassination_penalty": True},
    )
    assert stage(start).seats[1].ap == ap


@pytest.mark.parametrize(("value", "rps"), [("any_in_city", [0, 0]), ("city_limited_only", [0, 3])])
def test_ruling_21_which_cards_a_jam_stops(value: str, rps: list[int]) -> None:
    jam: dict[str, Any] = {"event": "traffic_jam", "event_up": True}
    options = {"jam_cancels": value}
    found = [stage(board(acts(card, **jam), phase="act", options=options)) for card in ("give_a_speech", "bribe")]
    assert [table.seats[0].rp for table in found] == rps
    away = acts("bribe", "abyss", partners=["homeless:2"], **jam)
    assert stage(board(away, phase="act", options=options)).seats[0].rp == 3


@pytest.mark.parametrize(("value", "hand"), [("spent", ()), ("returned", ("bribe",))])
def test_ruling_22_what_becomes_of_a_stopped_card(value: str, hand: tuple[str, ...]) -> None:
    start = board(acts("bribe", event="traffic_jam", event_up=True), phase="act", options={"jam_card": value})
    table = stage(start)
    assert (table.seats[0].hand, table.action_used) == (hand, () if hand else ("bribe",))


# Marks


@pytest.mark.parametrize(("value", "points"), [("once", (18, 4)), ("compound", (26, 8))])
def test_ruling_23_is_the_worth_doubled_too(value: str, points: tuple[int, int]) -> None:
    start = board(
        acts("digging", "abyss", partners=["homeless:2"] * 2, boost=True),
        phase="act",
        events=["safe"],
        options={"explore_doubling": value},
    )
    table = after(start)
    assert (table.seats[0].ap, table.seats[0].rp) == points


@pytest.mark.parametrize(("value", "points"), [("abyss_cards", (15, -5)), ("any_in_abyss", (20, -5))])
def test_ruling_23_which_gains_are_doubled(value: str, points: tuple[int, int]) -> None:
    start = board(
        acts("accept_bribes", "abyss", partners=["homeless:2"], boost=True),
        phase="act",
        options={"explore_sources": value},
    )
    table = stage(start)
    assert (table.seats[0].ap, table.seats[0].rp) == points


@pytest.mark.parametrize(("value", "pending", "treasure", "loss"), [(False, 1, 2, 4), (True, 2, 4, 5)])
def test_ruling_24_two_explore_cards(value: bool, pending: int, treasure: int, loss: int) -> None:
    options = {"explore_stack": value}
    twice = seat(
        identity="employer",
        plan=plan("explore_in_depth", "abyss", ["explore_in_depth", "abyss"]),
        partners=["guardian:8"],
        temps=1,
    )
    table = stage(board(twice, phase="act", options=options))
    assert table.seats[0].explore_pending == pending
    ready = seat(
        identity="leader", hand=["digging"], partners=["guardian:8"], explore_pending=pending if pending > 1 else True
    )
    start = board(ready, phase="choose", events=["flooding"], options=options)
    boosted = stage(start, "plan digging abyss")
    assert (boosted.seats[0].boost, boosted.seats[0].explore_pending) == (pending, 0)
    done = after(start, "plan digging abyss")
    assert (done.seats[0].ap, team(done)) == (10 + 2 * treasure, [f"guardian:{8 - loss}"])


@pytest.mark.parametrize(("value", "pending"), [("next_trip", 0), ("next_gain", 1)])
def test_ruling_25_when_the_explore_mark_is_gone(value: str, pending: int) -> None:
    options = {"explore_expires": value}
    trip = seat(hand=["theft", "digging"], partners=["homeless:2"], explore_pending=True)

    def after_trip(card: str, event: str) -> int:
        position = board(trip, phase="choose", events=[event], options=options)
        return after(position, f"plan {card} abyss").seats[0].explore_pending

    assert after_trip("theft", "safe") == pending
    assert after_trip("theft", "abandoned_camp") == 0
    assert after_trip("digging", "safe") == 0
    at_home = board(trip, phase="choose", events=["safe"], options=options)
    assert after(at_home, "plan theft city").seats[0].explore_pending == 1


def test_ruling_26_a_flashlight_stops_one_riot() -> None:
    lit = seat(plan=HOME, partners=["homeless:2"], flashlight=True, event="riot")
    table = stage(board(lit, phase="event"))
    assert (team(table), table.seats[0].flashlight) == (["homeless:2"], 0)
    nobody = seat(plan=HOME, flashlight=True, event="riot")
    assert stage(board(nobody, phase="event")).seats[0].flashlight == 1
    away = seat(identity="leader", plan=AWAY, partners=["guardian:8"], flashlight=True, event="flooding")
    table = stage(board(away, phase="event"))
    assert (team(table), table.seats[0].flashlight) == (["guardian:5"], 1)


def test_ruling_26_a_flashlight_may_last_to_the_end_of_the_next_round() -> None:
    options = {"flashlight_expires": "end_of_next_round"}
    start = board(acts("flashlight", partners=["homeless:2"], ap=0, event="riot"), phase="act", options=options)
    first = after(start, "no_draw")
    assert (team(first), first.seats[0].flashlight, first.round) == (["homeless:2"], 1, 2)
    again = seat(plan=HOME, partners=["homeless:2"], flashlight=True, event="riot")
    second = stage(board(again, phase="event", options=options))
    assert (team(second), second.seats[0].flashlight) == (["homeless:2"], 1)
    assert stage(board(seat(flashlight=True), phase="refill", options=options)).seats[0].flashlight == 0


@pytest.mark.parametrize(("boost", "identity", "hp"), [(0, "leader", 5), (1, "leader", 4), (1, "adventurer", 5)])
def test_ruling_27_losses_in_the_abyss_add_up(boost: int, identity: str, hp: int) -> None:
    start = seat(plan=AWAY, partners=["guardian:8"], event="flooding", boost=bool(boost), identity=identity)
    assert team(stage(board(start, phase="event"))) == [f"guardian:{hp}"]


def test_rule_10_2_no_loss_is_below_nothing() -> None:
    tough = {
        "extends": "abyss/2021",
        "cards": {"earthquake": {"effects": [{"op": "damage", "amount": 1, "where": "abyss"}]}},
    }
    start = seat(plan=AWAY, partners=["homeless:1"], event="earthquake", identity="adventurer")
    assert team(stage(board(start, phase="event", ruleset=tough))) == ["homeless:1"]


@pytest.mark.parametrize(
    ("value", "identity", "ap"),
    [("printed", "leader", 7), ("paid", "leader", 8), ("printed", "employer", 6), ("paid", "employer", 6)],
)
def test_ruling_28_what_a_death_costs(value: str, identity: str, ap: int) -> None:
    start = seat(plan=AWAY, partners=["trained_person:1"], event="flooding", identity=identity)
    assert stage(board(start, phase="event", options={"penalty_base": value})).seats[0].ap == ap
