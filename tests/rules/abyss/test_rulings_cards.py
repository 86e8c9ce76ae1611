"""Every ruling of cards, Events, treasure and lasting marks, each answer with a position where it shows (12)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.abyss.state import Carried
from tests.rules.abyss.boards import HOME, after, board, moves, partners, plan, seat, stage, team, told

AWAY = {"card": None, "location": "abyss", "temp": None}
"""Where a team is that has used its card."""


def acts(card: str, location: str = "city", **fields: Any) -> dict[str, Any]:
    """Return a seat about to use a card."""
    return seat(plan=plan(card, location), **fields)


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
    assert done.events.used == ("traffic_jam",)


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
    assert (table.seats[0].hand, table.actions.used) == (hand, () if hand else ("bribe",))


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


# Actions


@pytest.mark.parametrize(("value", "ap"), [(False, 10), (True, 4)])
def test_ruling_29_does_the_victim_pay(value: bool, ap: int) -> None:
    start = board(
        acts("assassination"),
        seat(plan=HOME, partners=["guardian:3"]),
        phase="act",
        options={"assassination_penalty": value},
    )
    table = stage(start)
    assert (table.seats[1].ap, table.seats[0].rp, team(table, 1)) == (ap, -1, [])


def test_ruling_29_who_picks_the_victim() -> None:
    killer = acts("assassination")
    victims = [seat(plan=HOME, partners=["homeless:2", "guardian:8"]), seat(plan=AWAY, partners=["homeless:2"])]

    def opened(value: str, *before: str, known: tuple[str, ...] = ("picks",)) -> list[str]:
        start = board(killer, *victims, phase="act", options={"assassination_chooser": value}, known=known)
        return moves(start, *before)

    assert opened("attacker") == ["target 2 guardian:8", "target 2 homeless:2"]
    assert opened("victim") == ["lose guardian:8", "lose homeless:2"]
    assert opened("random", known=()) == ["picks guardian:8", "picks homeless:2"]
    assert opened("random") == ["go_on"]
    start = board(killer, *victims, phase="act", options={"assassination_chooser": "random"})
    assert team(stage(start), 1) == ["guardian:8"]


@pytest.mark.parametrize(
    ("value", "open_now"),
    [
        ("random", ["picks bribe", "picks theft"]),
        ("owner_chooses", ["give bribe", "give theft"]),
        ("thief_looks", ["take bribe", "take theft"]),
    ],
)
def test_ruling_30_which_card_theft_takes(value: str, open_now: list[str]) -> None:
    start = board(
        acts("theft"), seat(plan=HOME, hand=["bribe", "theft"]), phase="act", known=(), options={"theft_pick": value}
    )
    assert moves(start) == open_now
    table = stage(start, open_now[1])
    assert (table.seats[0].hand, table.seats[1].hand, table.seats[0].rp) == (("theft",), ("bribe",), -1)
    known = board(acts("theft"), seat(plan=HOME, hand=["bribe", "theft"]), phase="act")
    assert stage(known).seats[0].hand == ("bribe",)


@pytest.mark.parametrize(("value", "rp"), [("free", 0), ("pay_rp", -1)])
@pytest.mark.parametrize("card", ["assassination", "theft"])
def test_ruling_31_a_card_without_a_target(card: str, value: str, rp: int) -> None:
    away = seat(plan=AWAY, partners=["homeless:2"], hand=["bribe"])
    for others in ([], [away]):
        table = stage(board(acts(card), *others, phase="act", options={"no_target": value}))
        assert (table.seats[0].rp, table.actions.used) == (rp, (card,))


def test_ruling_32_what_is_seen_of_an_offer() -> None:
    pair = [acts("transaction", hand=["bribe", "theft"]), seat(plan=HOME, hand=["digging"])]
    told_of = {}
    for value in ("shown", "number_only"):
        game, state = board(*pair, phase="act", options={"transaction_offer": value}).start()
        transition = game.apply(state, game.parse_step(state, "offer bribe"))
        told_of[value] = game.sentence(transition.events[-1])
    assert told_of == {"shown": "seat 1 offers Bribe", "number_only": "seat 1 offers 1 card"}


def test_rule_6_1_the_first_who_accepts_swaps() -> None:
    start = board(
        seat(plan=HOME, hand=["digging", "flashlight"]),
        acts("transaction", hand=["bribe", "theft"]),
        seat(plan=HOME, hand=["treatment"]),
        phase="act",
        seat=2,
    )
    assert moves(start) == ["offer bribe", "offer bribe theft", "offer theft"]
    assert moves(start, "offer bribe") == ["accept treatment", "decline"]
    assert moves(start, "offer bribe theft") == ["accept digging flashlight", "decline"]
    table = stage(start, "offer bribe", "decline", "accept flashlight")
    assert [one.hand for one in table.seats] == [("bribe", "digging"), ("flashlight", "theft"), ("treatment",)]
    assert table.actions.used == ("transaction",)
    back = stage(start, "offer bribe", "decline", "decline")
    assert (back.seats[1].hand, back.actions.used) == (("bribe", "theft", "transaction"), ())


@pytest.mark.parametrize(("value", "hand"), [("spent", ()), ("returned", ("transaction",))])
def test_ruling_33_nobody_to_ask_or_nothing_to_offer(value: str, hand: tuple[str, ...]) -> None:
    options = {"transaction_alone": value}
    assert stage(board(acts("transaction"), phase="act", options=options)).seats[0].hand == hand
    pair = board(acts("transaction"), seat(plan=HOME, hand=["bribe"]), phase="act", options=options)
    assert stage(pair).seats[0].hand == hand


@pytest.mark.parametrize(
    ("value", "open_now"), [("random", ["picks bribe", "picks theft"]), ("owner", ["give bribe", "give theft"])]
)
def test_ruling_34_which_card_be_theft_takes(value: str, open_now: list[str]) -> None:
    start = board(
        seat(plan=HOME, hand=["bribe", "theft"], event="be_theft"),
        phase="event",
        known=(),
        options={"be_theft_pick": value},
    )
    assert moves(start) == open_now
    table = stage(start, open_now[0])
    assert (table.seats[0].hand, table.actions.used, table.events.used) == (("theft",), ("bribe",), ("be_theft",))
    assert moves(board(seat(plan=HOME, event="be_theft"), phase="event")) == ["go_on"]


@pytest.mark.parametrize(
    ("value", "identity", "ap"),
    [("damaged", "leader", 8), ("damaged", "adventurer", 9), ("all", "leader", 7), ("all", "adventurer", 8)],
)
def test_ruling_35_who_is_treated(value: str, identity: str, ap: int) -> None:
    hurt = acts("treatment", partners=["homeless:1", "homeless:2", "guardian:2"], identity=identity)
    table = stage(board(hurt, phase="act", options={"treatment_scope": value}))
    assert (table.seats[0].ap, team(table)) == (ap, ["homeless:2", "homeless:2", "guardian:8"])


def test_ruling_35_the_owner_may_choose_whom_to_treat() -> None:
    hurt = acts("treatment", partners=["homeless:1", "homeless:2", "guardian:2"])
    start = board(hurt, phase="act", options={"treatment_scope": "chosen"})
    assert moves(start) == ["treat guardian:2", "treat homeless:1", "treat homeless:1 guardian:2", "treat none"]
    table = stage(start, "treat guardian:2")
    assert (team(table), table.seats[0].ap) == (["homeless:2", "homeless:1", "guardian:8"], 10)
    poor = board(
        {**hurt, "ap": 0, "identity": "leader"},
        phase="act",
        options={"treatment_scope": "chosen", "action_overdraft": False},
    )
    assert moves(poor) == ["go_on"]


@pytest.mark.parametrize(("value", "points"), [(True, (-1, 3)), (False, (4, 0))])
def test_ruling_36_a_card_below_nothing(value: bool, points: tuple[int, int]) -> None:
    table = stage(board(acts("bribe", ap=4), phase="act", options={"action_overdraft": value}))
    assert (table.seats[0].ap, table.seats[0].rp, table.actions.used) == (*points, ("bribe",))
    hurt = acts("treatment", ap=0, partners=["homeless:1", "homeless:1"], identity="leader")
    table = stage(board(hurt, phase="act", options={"action_overdraft": value}))
    assert table.seats[0].ap == (-2 if value else 0)
    assert team(table) == (["homeless:2"] * 2 if value else ["homeless:1"] * 2)


# Treasure


def test_ruling_37_treasure_may_be_left_behind() -> None:
    rich = seat(plan=AWAY, partners=["homeless:2"], treasure=3)
    assert moves(board(rich, phase="event")) == ["go_on"]
    start = board(rich, phase="event", options={"treasure_cash": "optional"})
    assert moves(start) == ["cash", "leave"]
    assert [stage(start, text).seats[0].ap for text in ("cash", "leave")] == [16, 10]


def mixed(event: str, **changed: Any) -> dict[str, Any]:
    four = ["homeless:2", "homeless:2", "homeless:2", "guardian:8"]
    digging = plan("digging", "abyss")
    return seat(**{"identity": "leader", "plan": digging, "partners": four, "event": event, **changed})


@pytest.mark.parametrize(("value", "treasure"), [("any_survivor", 4), ("own_carrier", 1)])
def test_ruling_38_who_brings_treasure_home(value: str, treasure: int) -> None:
    table = after(board(mixed("flooding"), phase="act", options={"treasure_needs": value}))
    assert (table.seats[0].rp, team(table)) == (treasure, ["guardian:5"])
    lost = after(board(mixed("flooding", partners=["homeless:2"]), phase="act", options={"treasure_needs": value}))
    assert lost.seats[0].rp == 0


def test_ruling_38_each_team_carries_its_own() -> None:
    own = {"treasure_needs": "own_carrier"}
    two = mixed("flooding", identity="employer", temps=2, partners=["homeless:2", "homeless:2"])
    dug = {**two, "plan": plan("theft", "abyss", ["digging", "abyss"])}
    middle = stage(board(dug, phase="act", options=own))
    assert (middle.seats[0].treasure, middle.seats[0].carried) == (2, Carried(0, 1))
    assert after(board(dug, phase="act", options=own)).seats[0].rp == 2
    other = {**two, "plan": plan("digging", "abyss", ["theft", "abyss"])}
    assert after(board(other, phase="act", options=own)).seats[0].rp == 0
    both = {**two, "plan": plan("digging", "abyss")}
    middle = stage(board(both, phase="act", options=own))
    assert (middle.seats[0].treasure, middle.seats[0].carried) == (4, None)
    assert after(board(both, phase="act", options=own)).seats[0].rp == 2


def test_ruling_38_an_assassinated_carrier_takes_treasure_along() -> None:
    digger = seat(plan=AWAY, partners=["homeless:2"] * 3, treasure=3, event="safe")
    killer = seat(plan=plan("assassination", "abyss"), partners=["homeless:2"], event="safe")
    for value, treasure in (("own_carrier", 2), ("any_survivor", 3)):
        table = stage(board(digger, killer, phase="act", seat=2, options={"treasure_needs": value}))
        assert table.seats[0].treasure == treasure


def test_ruling_39_treasure_may_run_out() -> None:
    start = board(
        seat(plan=plan("digging", "abyss"), partners=["homeless:2"] * 5),
        seat(plan=AWAY, treasure=4, partners=["homeless:2"]),
        phase="act",
        options={"treasure_supply": 6},
    )
    assert stage(start).seats[0].treasure == 2


@pytest.mark.parametrize(("value", "temps", "ap"), [("none", 2, 10), (4, 2, 10), (3, 0, 6)])
def test_ruling_40_temporary_partners_may_die(value: Any, temps: int, ap: int) -> None:
    start = seat(identity="employer", plan=plan(None, "city", [None, "abyss"]), temps=2, event="flooding")
    table = stage(board(start, phase="event", options={"temp_hp": value}))
    assert (table.seats[0].temps, table.seats[0].ap) == (temps, ap)


@pytest.mark.parametrize(("value", "treasure"), [(True, 3), (False, 1)])
def test_ruling_40_temporary_partners_may_not_count(value: bool, treasure: int) -> None:
    start = seat(identity="employer", plan=plan("digging", "abyss"), temps=2, partners=["homeless:2"])
    options = {"temps_count": value}
    assert stage(board(start, phase="act", options=options)).seats[0].treasure == treasure
    only = seat(identity="employer", hand=["digging"], temps=2)
    assert ("plan digging abyss" in moves(board(only, phase="choose", options=options))) == value


def test_rule_5h_a_temporary_partner_brings_treasure_home() -> None:
    start = seat(identity="employer", plan=plan("digging", "abyss"), temps=1, partners=["homeless:2"], event="flooding")
    table = after(board(start, phase="act"))
    assert (table.seats[0].ap, table.seats[0].rp, table.seats[0].temps) == (10 - 1 + 4, 2, 1)


def test_rule_10_7_an_event_works_at_its_own_location_only() -> None:
    both = seat(
        identity="employer",
        plan=plan(None, "city", [None, "abyss"]),
        temps=1,
        partners=["homeless:2"],
        event="flooding",
    )
    assert team(stage(board(both, phase="event"))) == ["homeless:2"]
    assert team(stage(board({**both, "event": "riot"}, phase="event"))) == ["homeless:1"]


def test_rule_6_treatment_heals_nobody_from_another_location() -> None:
    start = seat(
        identity="employer", plan=plan("digging", "abyss", ["treatment", "city"]), temps=1, partners=["homeless:1"]
    )
    table = stage(board(start, phase="act"))
    assert (team(table), table.seats[0].ap) == (["homeless:1"], 10)


def test_rule_7_an_abyss_event_needs_members_for_its_gains() -> None:
    start = seat(plan=AWAY, event="abandoned_camp")
    assert stage(board(start, phase="event")).seats[0].ap == 10
    assert stage(board({**start, "partners": partners("homeless:2")}, phase="event")).seats[0].ap == 11


def test_rule_10_1_the_camp_of_a_boosted_trip() -> None:
    start = seat(plan=AWAY, event="abandoned_camp", boost=True, partners=["homeless:2"])
    assert stage(board(start, phase="event")).seats[0].ap == 12
    found = {**start, "event": "excavation"}
    assert told(board(found, phase="event"))[0].table.seats[0].rp == 2
