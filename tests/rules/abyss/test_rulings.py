"""Every ruling of steps A to D and of the piles, each answer with a position where it shows (12)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.abyss.state import Table
from rules.core.errors import ContentError
from rules.core.position import new_position
from tests.rules.abyss.boards import HOME, after, board, ends, engine, moves, plan, run, seat, stage, team


def test_ruling_1_two_to_six_players_or_one() -> None:
    for players in (1, 2, 6):
        table = engine(new_position("abyss/2021", players, 1)).initial_table()
        assert [len(one.hand) for one in table.seats] == [5] * players
        assert len(table.action_pile.front) == 37 - 5 * players
    with pytest.raises(ContentError, match="for 1 to 6"):
        new_position("abyss/2021", 7, 1)
    with pytest.raises(ContentError, match="write the number of players as the position's 'players'"):
        board(options={"players": 2})


def test_ruling_2_identities_may_repeat_or_not() -> None:
    pair = [seat(identity="leader"), seat(identity="leader")]
    board(*pair)
    with pytest.raises(ContentError, match="AB-Q2"):
        board(*pair, options={"identity_choice": "unique"})
    board(seat(identity="leader"), seat(identity="employer"), options={"identity_choice": "unique"})


@pytest.mark.parametrize(("value", "second"), [("fixed", 0), ("rotate", 1)])
def test_ruling_3_who_begins_a_round(value: str, second: int) -> None:
    options = {"start_player": value}
    assert stage(board(seat(), seat(), phase="refill", seat=2, options=options)).seat == second
    last = 2 if value == "fixed" else 1
    assert stage(board(seat(), seat(), phase="refill", round=2, seat=last, options=options)).seat == 0


def test_ruling_3_checks_go_round_from_the_start_player() -> None:
    rich = {"ap": 40, "rp": 0}
    start = board(
        seat(**rich), seat(), seat(**rich), phase="prepare", round=3, seat=2, options={"start_player": "rotate"}
    )
    table = after(start, "hire none")
    assert (table.winner, table.seat) == (2, 1)


def test_ruling_4_the_lost_card_is_absent_or_blank() -> None:
    with pytest.raises(ContentError, match="the box has 0"):
        board(seat(hand=["unknown_action"]))
    start = board(
        seat(hand=["unknown_action"], partners=["homeless:2"]),
        events=["safe"],
        options={"lost_action": "blank"},
        phase="choose",
    )
    assert moves(start) == ["plan none", "plan unknown_action abyss", "plan unknown_action city"]
    table = run(start, "plan unknown_action abyss").table
    assert (table.seats[0].ap, table.seats[0].rp, table.action_used) == (10, 0, ("unknown_action",))


@pytest.mark.parametrize("value", [0, 1, 2, 3])
def test_ruling_5_what_a_speech_gives(value: int) -> None:
    start = board(seat(plan=plan("give_a_speech")), phase="act", options={"speech_rp": value})
    assert stage(start).seats[0].rp == value


@pytest.mark.parametrize(("value", "places"), [("city", 1), ("any", 2)])
def test_ruling_5_where_a_speech_is_given(value: str, places: int) -> None:
    start = board(
        seat(hand=["give_a_speech"], partners=["homeless:2"]), phase="choose", options={"speech_location": value}
    )
    assert len(moves(start)) == 1 + places


def test_ruling_6_how_many_events() -> None:
    four = board(seat(hand=["bribe"]))
    assert len(four.table().event_pile.front) == 0
    with pytest.raises(ContentError, match="lies on the table 5 times"):
        board(events=["safe"] * 5)
    assert len(board(events=["safe"] * 5, options={"event_counts": {"safe": 5}}).table().event_pile.front) == 5
    with pytest.raises(ContentError, match=r"options\.event_counts\.bribe"):
        board(options={"event_counts": {"bribe": 1}})


def test_ruling_7_how_many_partner_cards() -> None:
    other = seat(partners=["homeless:1", "homeless:2"])
    for supply, most in ((3, 1), ({"homeless": 5}, 3), ({"guardian": 0}, 10)):
        start = board(seat(), other, options={"partner_supply": supply})
        assert f"hire {most} homeless" in moves(start)
        assert f"hire {most + 1} homeless" not in moves(start)
    assert "hire 1 guardian" not in moves(board(seat(), other, options={"partner_supply": {"guardian": 0}}))
    assert "hire 10 homeless" in moves(board(seat(), other))
    with pytest.raises(ContentError, match="the box has 1"):
        board(other, options={"partner_supply": 1})


@pytest.mark.parametrize(("value", "first"), [(1, ["draw", "no_draw"]), (2, ["go_on"])])
def test_ruling_8_the_first_refill(value: int, first: list[str]) -> None:
    options = {"first_refill_round": value}
    assert moves(board(phase="refill", actions=["bribe"], options=options)) == first
    assert moves(board(phase="refill", actions=["bribe"], options=options, round=2)) == ["draw", "no_draw"]


@pytest.mark.parametrize(("value", "open_now"), [("optional", ["draw", "no_draw"]), ("forced", ["go_on"])])
def test_ruling_9_a_refill_is_optional_or_forced(value: str, open_now: list[str]) -> None:
    start = board(phase="refill", actions=["bribe"], options={"refill": value})
    assert moves(start) == open_now
    assert stage(start, open_now[0]).seats[0].hand == ("bribe",)


@pytest.mark.parametrize(
    ("value", "hand"), [("one", ("digging", "treatment")), ("same_number", ("digging", "flashlight", "treatment"))]
)
def test_ruling_10_cards_for_those_given_up(value: str, hand: tuple[str, ...]) -> None:
    start = board(
        seat(hand=["bribe", "theft", "treatment"]),
        actions=["digging", "flashlight", "transaction"],
        options={"give_up_draw": value},
    )
    table = after(start, "give_up bribe theft", "hire none")
    assert table.seats[0].hand == hand
    assert table.action_used == ("bribe", "theft")


def test_rule_5b_a_draw_for_given_up_cards_can_bring_them_back() -> None:
    table = after(board(seat(hand=["bribe", "theft"])), "give_up bribe theft", "hire none")
    assert (table.seats[0].hand, table.action_pile.front, table.action_used) == (("bribe",), ("theft",), ())


def test_ruling_11_hiring_before_choosing_or_at_the_end() -> None:
    late = {"hire_when": "end_of_round"}
    assert moves(board(seat(identity="employer"), options=late)) == ["go_on"]
    table = stage(board(seat(identity="employer", temps=1), phase="refill", options=late), "hire 1 guardian 2 temps")
    assert (table.seats[0].ap, table.seats[0].temps, table.seats[0].paid, table.round) == (0, 2, 0, 2)
    assert team(table) == ["guardian:8"]
    assert moves(board(phase="refill")) == ["go_on"]


def test_ruling_12_hiring_below_nothing() -> None:
    assert "hire 10 homeless" in moves(board())
    assert "hire 11 homeless" not in moves(board())
    assert moves(board(seat(ap=-3))) == ["go_on"]
    deep = board(seat(ap=-3), options={"hire_overdraft": True, "partner_cap": 4})
    assert stage(deep, "hire 4 guardian").seats[0].ap == -27
    with pytest.raises(ContentError, match="partner_cap"):
        board(options={"hire_overdraft": True})
    unbounded = {"hire_overdraft": True, "partner_cap": 4, "cap_counts_temps": False}
    with pytest.raises(ContentError, match="cap_counts_temps"):
        board(seat(identity="employer"), options=unbounded)


@pytest.mark.parametrize(
    ("options", "most", "temps"),
    [
        ({"partner_cap": "none"}, 10, 5),
        ({"partner_cap": 4}, 2, 2),
        ({"partner_cap": 4, "cap_counts_temps": False}, 2, 5),
        ({"partner_cap": 1}, 0, 0),
    ],
)
def test_ruling_13_a_cap_on_partners(options: dict[str, Any], most: int, temps: int) -> None:
    start = board(seat(identity="employer", partners=["homeless:1", "guardian:1"]), options=options)
    open_now = moves(start)
    assert (f"hire {most} homeless" in open_now) == (most > 0)
    assert f"hire {most + 1} homeless" not in open_now
    assert (f"hire {temps} temps" in open_now) == (temps > 0)
    assert f"hire {temps + 1} temps" not in open_now
    assert team(stage(start, "hire none" if len(open_now) > 1 else "go_on")) == ["homeless:1", "guardian:1"]


def test_ruling_14_partners_may_be_dismissed_or_not() -> None:
    mine = seat(partners=["homeless:2", "homeless:2", "homeless:1"], ap=0)
    assert moves(board(mine)) == ["go_on"]
    start = board(mine, options={"dismiss": True})
    assert moves(start) == [
        "dismiss homeless:1",
        "dismiss homeless:2",
        "dismiss homeless:2 homeless:1",
        "dismiss homeless:2 homeless:2",
        "dismiss homeless:2 homeless:2 homeless:1",
        "dismiss none",
    ]
    assert team(stage(start, "dismiss homeless:2 homeless:1")) == ["homeless:2"]


def test_ruling_15_what_is_shown_when_plans_are_made() -> None:
    pair = [seat(hand=["bribe"], partners=["homeless:2"]), seat(hand=["theft"])]
    shown = {}
    for value in ("simultaneous", "sequential"):
        game, state = (start := board(*pair, phase="choose", options={"announcement": value})).start()
        transition = game.apply(state, game.parse_step(state, "plan bribe abyss"))
        shown[value] = [game.sentence(event) for event in transition.events]
        assert engine(start).is_secret(state.table) == (value == "simultaneous")
    assert shown == {
        "simultaneous": ["seat 1 lays a plan aside face down"],
        "sequential": ["seat 1 shows Bribe in the Abyss"],
    }


def test_ruling_16_a_team_without_members() -> None:
    alone = seat(hand=["bribe", "digging", "treatment"])
    assert moves(board(alone, phase="choose")) == ["plan bribe city", "plan none", "plan treatment city"]
    assert moves(board(alone, phase="choose", options={"empty_team": "no_action"})) == ["go_on"]


def test_ruling_41_the_second_card_of_an_employer() -> None:
    employer = seat(identity="employer", hand=["bribe", "digging"], partners=["homeless:2"])
    free = {"second_action": "free"}
    assert not any("temp" in text for text in moves(board(employer, phase="choose")))
    second = [text for text in moves(board(employer, phase="choose", options=free)) if "temp" in text]
    assert second == ["plan digging abyss temp bribe city", "plan none temp bribe city"]
    nobody = moves(board(employer, phase="choose", options={**free, "empty_team": "no_action"}))
    assert not any("temp" in text for text in nobody)
    with_temps = moves(board({**employer, "temps": 1}, phase="choose"))
    assert "plan bribe abyss temp digging abyss" in with_temps
    assert len([text for text in with_temps if " temp " in text]) == 7


def test_ruling_44_reshuffled_cards_go_under_or_are_merged() -> None:
    shared: dict[str, Any] = {"event_used": ["riot", "flooding"], "phase": "prepare"}

    def upkept(known: tuple[str, ...], **changed: Any) -> Table:
        changed = {**shared, **changed}
        return stage(board(seat(ap=0), seat(ap=0), known=known, actions=["bribe"] * 2, events=["safe"], **changed))

    table = upkept(("events",))
    assert (table.event_pile, table.event_used) == ((("safe",), ("riot", "flooding")), ())
    assert table.counters.events == 2
    merged = upkept(("events",), options={"reshuffle": "merge"}).event_pile
    assert (merged.front, merged.back) == (("safe", "riot", "flooding"), ())
    hidden = upkept((), options={"reshuffle": "merge"})
    assert (hidden.event_pile.front, hidden.counters.events) == (("flooding", "riot", "safe"), 0)
    listed = upkept(("events",), chance={"lists": {"events": [[], ["flooding"]]}}).event_pile
    assert listed.back == ("flooding", "riot")


def test_ruling_45_a_draw_reshuffles_an_empty_pile() -> None:
    start = board(phase="refill", action_used=["theft", "bribe"])
    table = stage(start, "draw")
    assert (table.seats[0].hand, table.action_pile.front, table.counters.actions) == (("theft",), ("bribe",), 2)
    assert moves(board(phase="refill")) == ["go_on"]


def test_rule_9_2_a_seat_without_an_event() -> None:
    table = stage(board(seat(plan=HOME), phase="deal"))
    assert (table.seats[0].event, table.phase) == (None, "act")


def test_ruling_46_a_game_may_end_after_a_round() -> None:
    table = stage(board(phase="refill", round=7, options={"round_limit": 7}))
    assert (table.phase, table.round, table.winner) == ("over", 7, None)
    outcome = engine(board()).outcome(table)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == ((), "AB-Q46")
    assert stage(board(phase="refill", round=6, options={"round_limit": 7})).round == 7
    assert stage(board(phase="refill", round=7)).round == 8


def test_ruling_47_treasure_among_the_events() -> None:
    with pytest.raises(ContentError, match="the box has 0"):
        board(events=["treasure"])
    digger = seat(plan=plan(None) | {"location": "abyss"}, partners=["homeless:2"], event="treasure")
    table = stage(board(digger, phase="event", options={"treasure_in_event_pile": True}))
    assert (table.seats[0].ap, table.seats[0].rp) == (12, 1)


def test_ruling_42_when_victory_is_checked() -> None:
    speaker = seat(plan=plan("bribe"), rp=18, ap=5)
    other = seat(plan=HOME)
    assert stage(board(speaker, other, phase="act")).winner == 0
    late = {"win_check": "end_of_round"}
    table = stage(board(speaker, other, phase="act", options=late))
    assert (table.winner, table.seats[0].rp) == (None, 21)
    done = stage(board(seat(rp=20), seat(), phase="refill", seat=2, round=4, options=late))
    assert (done.winner, done.phase, done.round, done.seat) == (0, "over", 4, 1)


def test_ruling_43_two_at_one_check() -> None:
    pair = [seat(rp=20), seat(ap=40)]
    late = {"win_check": "end_of_round"}
    first = stage(board(*pair, phase="refill", seat=2, options=late))
    assert first.winner == 0
    start = board(*pair, phase="refill", seat=2, options={**late, "tie": "joint"})
    shared = stage(start)
    assert (shared.winner, shared.phase) == (None, "over")
    outcome = engine(start).outcome(shared)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == ((0, 1), "AB-Q43")
    assert stage(board(seat(rp=20), seat(), phase="refill", seat=2, options={**late, "tie": "joint"})).winner == 0


def test_rule_8_2_the_seat_whose_step_it_was_is_looked_at_first() -> None:
    pair = [seat(rp=20), seat(ap=40, hand=[])]
    assert stage(board(*pair, phase="prepare", seat=2), "hire none").winner == 1
    assert stage(board(*pair, phase="prepare", seat=1), "hire none").winner == 0


def test_rule_17_counts_of_a_round() -> None:
    start = board(seat(hand=["bribe"]), known=(), actions=["bribe", "theft"], events=["safe"])
    counted = ends(start)
    assert counted.positions == len(set(counted.texts))
    assert ends(board(seat(plan=HOME), phase="act"), 1).positions == 1
