"""Every ruling of Action cards and treasure, each answer with a position where it shows (12)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.abyss.state import Carried
from tests.rules.abyss.boards import AWAY, HOME, acts, after, board, moves, partners, plan, seat, stage, team, told

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
        assert (table.seats[0].rp, table.action_used) == (rp, (card,))


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
    assert table.action_used == ("transaction",)
    back = stage(start, "offer bribe", "decline", "decline")
    assert (back.seats[1].hand, back.action_used) == (("bribe", "theft", "transaction"), ())


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
    assert (table.seats[0].hand, table.action_used, table.event_used) == (("theft",), ("bribe",), ("be_theft",))
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
    assert (table.seats[0].ap, table.seats[0].rp, table.action_used) == (*points, ("bribe",))
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
