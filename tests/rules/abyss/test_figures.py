"""The figures of section 14 that counting, chance and direct play can recompute (G1 to G13)."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from rules.abyss.content import ACTIONS, EVENTS
from rules.abyss.engine import Abyss
from rules.abyss.state import CITY
from rules.core.position import new_position
from rules.core.scripts import Chance, ChanceOutcome, SplitMix64
from tests.rules.abyss.boards import after, board, ends, engine, moves, plan, run, seat, stage
from tests.rules.abyss.policies import winner_by

GAME = engine(new_position("abyss/2021", 1, 1, ()))
CONTENT = GAME.content
ALL_EVENTS = tuple(dict.fromkeys(CONTENT.deck_cards(EVENTS)))
ONE_ROUND = 5
"""Stages up to the return; the sixth only refills."""


def points(position: Any, *texts: str) -> tuple[int, int]:
    """Return AP and RP of seat 1 after these moves and everything that follows by itself."""
    me = run(position, *texts).table.seats[0]
    return me.ap, me.rp


@pytest.mark.parametrize("event", ALL_EVENTS)
def test_g1_only_forgotten_treasure_wins_in_round_one(event: str) -> None:
    start = board(seat(hand=["bribe", "digging", "give_a_speech"], identity="leader"), events=[event])
    assert bool(ends(start, ONE_ROUND).terminal) == (event == "forgotten_treasure")


def test_g1_digging_twice_wins_under_safe_events() -> None:
    start = board(seat(hand=["digging", "digging"]), events=["safe", "safe"])
    dig = ("give_up none", "hire 10 homeless", "plan digging abyss", "no_draw")
    table = after(start, *dig, "give_up none", "hire none", "plan digging abyss")
    assert (table.winner, table.round) == (0, 2)


@pytest.mark.parametrize(
    ("identity", "partner", "boost", "lives"),
    [
        ("leader", "trained_person:5", True, True),
        ("leader", "guardian:8", True, True),
        ("leader", "ordinary_citizen:3", False, False),
        ("adventurer", "ordinary_citizen:3", False, True),
        ("adventurer", "ordinary_citizen:3", True, False),
    ],
)
def test_g4_a_courier_insures_the_treasure(identity: str, partner: str, boost: bool, lives: bool) -> None:
    away = plan("digging", "abyss")
    team = seat(identity=identity, partners=[partner, "homeless:2"], plan=away, boost=boost, event="flooding")
    assert points(board(team, phase="act"))[1] == (2 * (1 + boost) if lives else 0)


def test_g5_the_chance_of_the_rush() -> None:
    actions, events = CONTENT.deck_cards(ACTIONS), CONTENT.deck_cards(EVENTS)
    digging = actions.count("digging")
    held = 1 - Fraction(comb(len(actions) - digging, 5), comb(len(actions), 5))
    assert held == Fraction(4222, 6919)
    without = board(
        seat(hand=["assassination", "bribe", "flashlight", "theft", "treatment"]),
        known=("events", "picks"),
        actions=sorted(_rest(actions, ["assassination", "bribe", "flashlight", "theft", "treatment"])),
        events=events,
    )
    game, state = without.start()
    state = game.apply(state, game.parse_step(state, "give_up treatment")).state
    drawn = {outcome.result: outcome.probability for outcome in game.chance_outcomes(state)}
    with_one_more = held + (1 - held) * drawn["digging"]
    assert with_one_more == Fraction(75643, 110704)
    dealt = board(seat(plan=plan("digging", "abyss")), phase="deal", known=(), events=sorted(events))
    game, state = dealt.start()
    treasure = game.parse_step(state, "events forgotten_treasure")
    assert isinstance(treasure, ChanceOutcome)
    assert with_one_more * treasure.probability == Fraction(75643, 1107040)


def _rest(cards: list[str], taken: list[str]) -> list[str]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


@pytest.mark.parametrize(
    ("hire", "event", "expected"),
    [
        ("20 homeless", "safe", (30, 20)),
        ("19 homeless", "safe", (29, 19)),
        ("26 homeless 1 guardian", "earthquake", (6 + 26, 27)),
        ("26 homeless 1 guardian", "flooding", (6, 27)),
    ],
)
def test_g6_hiring_below_nothing(hire: str, event: str, expected: tuple[int, int]) -> None:
    start = board(
        seat(hand=["digging"], identity="adventurer"),
        events=[event],
        options={"hire_overdraft": True, "partner_cap": 27},
    )
    state = run(start, "give_up none", f"hire {hire}", "plan digging abyss")
    me = state.table.seats[0]
    assert (me.ap, me.rp) == expected
    assert (state.table.winner == 0) == (expected[1] >= 20)


def test_g7_no_card_but_a_speech_raises_the_potential() -> None:
    def gain(card: str, **marks: Any) -> Fraction:
        before = seat(ap=20, plan=plan(card), **marks)
        table = stage(board(before, phase="act"))
        return table.seats[0].ap - 20 + Fraction(5, 3) * table.seats[0].rp

    short: dict[str, Any] = {"event": "short_of_resource", "event_up": True}
    assert gain("bribe") == gain("bribe", **short) == 0
    assert gain("accept_bribes") == Fraction(-10, 3)
    assert gain("unreasonable_clause") == -3
    assert (gain("give_a_speech"), gain("give_a_speech", **short)) == (Fraction(10, 3), Fraction(20, 3))
    treasure = CONTENT.rules["treasure_ap"] + Fraction(5, 3) * CONTENT.rules["treasure_rp"]
    needs = [goal.ap + Fraction(5, 3) * goal.rp - CONTENT.rules["ap"] for goal in CONTENT.goals.values()]
    assert [-(-need // treasure) for need in needs] == [9, 7]


def test_g7_five_rounds_without_a_partner() -> None:
    start = board(
        seat(hand=["bribe", *["give_a_speech"] * 4], identity="leader"), events=["short_of_resource"] * 4 + ["safe"]
    )
    rounds = []
    for number, card in enumerate([*["give_a_speech"] * 3, "bribe", "give_a_speech"]):
        rounds += [*(["give_up none"]), *(["hire none"] if number < 4 else []), f"plan {card} city"]
        rounds += ["no_draw"] if number < 4 else []
    table = after(start, *rounds)
    assert (table.seats[0].ap, table.seats[0].rp, table.winner, table.round) == (0, 20, 0, 5)


def test_g8_everything_invested_in_homeless() -> None:
    start = board(seat(hand=["digging", "digging"]), events=["safe", "safe"])
    first = run(start, "give_up none", "hire 10 homeless", "plan digging abyss").table.seats[0]
    assert (len(first.partners), first.ap) == (10, 20)
    both = ("give_up none", "hire 10 homeless", "plan digging abyss", "no_draw")
    second = after(start, *both, "give_up none", "hire 20 homeless", "plan digging abyss").seats[0]
    assert (len(second.partners), second.ap) == (30, 60)


@pytest.mark.parametrize(
    ("identity", "courier", "ap", "rp"),
    [
        ("employer", ["guardian:8"], Fraction(2), Fraction(11, 10)),
        ("adventurer", ["guardian:8"], Fraction(21, 10), Fraction(11, 10)),
        ("employer", [], Fraction(16, 10), Fraction(9, 10)),
    ],
)
def test_g8_what_one_more_homeless_brings(identity: str, courier: list[str], ap: Fraction, rp: Fraction) -> None:
    def trip(number: int, event: str) -> tuple[int, int]:
        partners = ["homeless:2"] * number + courier
        away = seat(identity=identity, ap=0, partners=partners, plan=plan("digging", "abyss"), event=event)
        return points(board(away, phase="act"))

    gains = [(trip(4, event), trip(3, event)) for event in ALL_EVENTS]
    assert sum(more[0] - less[0] for more, less in gains) == ap * len(ALL_EVENTS)
    assert sum(more[1] - less[1] for more, less in gains) == rp * len(ALL_EVENTS)


def test_g9_a_leader_never_needs_a_homeless() -> None:
    leader = GAME.rulings.traits["leader"]
    assert leader.prices[:2] == (1, 1)
    assert (leader.penalties["homeless"], leader.penalties["ordinary_citizen"]) == (1, 1)
    plain = GAME.rulings.traits["employer"]
    costs = [Fraction(CONTENT.partners[kind].hp, plain.prices[place]) for place, kind in enumerate(CONTENT.partners)]
    assert costs == [2, Fraction(3, 2), Fraction(5, 4), Fraction(4, 3)]


def test_g10_modifiers_that_come_too_late_do_nothing() -> None:
    late = {"modifier_timing": "from_draw_on"}
    for event in ("traffic_jam", "short_of_resource"):
        start = seat(plan=plan("bribe"), paid=4)
        found = [points(board(start, phase="deal", events=[card], options=late)) for card in (event, "safe")]
        assert found[0] == found[1] == (5, 3)


def test_g10_a_flashlight_stops_nothing_but_a_riot() -> None:
    stopped = [card.id for card in CONTENT.cards.values() if card.flashlight_stops]
    assert stopped == ["riot"]
    args = CONTENT.cards["riot"].args("damage")
    assert args == {"amount": 1, "where": CITY}


def rush(*, first: list[str], second: list[str], **options: Any) -> Any:
    return board(
        seat(hand=first, identity="leader"),
        seat(hand=second, identity="leader"),
        events=["forgotten_treasure"] * 2,
        options=options,
    )


BOTH = ("give_up none", "hire 10 homeless", "give_up none", "hire 10 homeless")


def test_g11_with_equal_luck_the_earlier_seat_wins() -> None:
    digs = ("plan digging abyss", "plan digging abyss")
    assert after(rush(first=["digging"], second=["digging"]), *BOTH, *digs).winner == 0
    shared = after(
        rush(first=["digging"], second=["digging"], win_check="end_of_round", tie="joint"),
        *BOTH,
        *digs,
        "no_draw",
        "no_draw",
    )
    assert (shared.phase, shared.winner) == ("over", None)


def test_g11_one_assassination_in_the_abyss_stops_the_rush() -> None:
    later = rush(first=["digging"], second=["assassination"])
    state = run(later, *BOTH, "plan digging abyss", "plan assassination abyss")
    assert (state.table.seats[0].ap, state.table.seats[0].rp, state.table.winner) == (38, 19, None)
    earlier = rush(first=["assassination"], second=["digging"])
    state = run(earlier, *BOTH, "plan assassination abyss", "plan digging abyss")
    assert (state.table.seats[1].ap, state.table.seats[1].rp, state.table.winner) == (36, 18, None)


def results(identities: list[str], games: int, rounds: int) -> list[tuple[int | None, int]]:
    """Return winner and last round of seeded games in which everybody follows RUSH."""
    generator = SplitMix64(11)
    game = engine(new_position("abyss/2021", len(identities), 1, ()))
    found = []
    for _ in range(games):
        dealer = Abyss(CONTENT, len(identities), Chance(frozenset(), generator.next()))
        table = dealer.initial_table()
        seats = tuple(one._replace(identity=name) for one, name in zip(table.seats, identities, strict=True))
        found.append(winner_by(game, table._replace(seats=seats), generator, rounds))
    return found


@pytest.mark.parametrize(
    ("identity", "shares"),
    [("leader", (0.069, 0.255, 0.313, 0.451, 0.607)), ("adventurer", (0.069, 0.309, 0.382, 0.556, 0.756))],
)
def test_g11_the_rush_alone(identity: str, shares: tuple[float, ...]) -> None:
    games = results([identity], 150, 12)
    for by, share in zip((1, 2, 3, 6, 12), shares, strict=True):
        won = sum(winner == 0 and last <= by for winner, last in games) / len(games)
        assert won == pytest.approx(share, abs=4 * (share * (1 - share) / len(games)) ** 0.5)


def test_g11_the_race_of_two_leaders() -> None:
    games = results(["leader", "leader"], 80, 60)
    for seat_index, share in ((0, 0.467), (1, 0.425), (None, 0.109)):
        won = sum(winner == seat_index for winner, _ in games) / len(games)
        assert won == pytest.approx(share, abs=4 * (share * (1 - share) / len(games)) ** 0.5)


@pytest.mark.parametrize("event", ALL_EVENTS)
def test_g12_five_temporary_partners_win_in_round_four_whatever_happens(event: str) -> None:
    digging = seat(identity="employer", hand=["digging"] * 4)
    start = board(digging, events=[event] * 4)
    moves_of_round = ("give_up none", "hire 5 temps", "plan digging abyss")
    ap, rp = points(start, *moves_of_round)
    assert ap >= 10
    assert rp >= 5
    assert (ap, rp) == (10, 5) or event in ("abandoned_camp", "excavation", "forgotten_treasure")


def test_g12_four_rounds_of_five_temporary_partners() -> None:
    start = board(seat(identity="employer", hand=["digging"] * 4), events=["flooding", "safe", "riot", "earthquake"])
    texts: list[str] = []
    for number in range(4):
        texts += ["give_up none", "hire 5 temps", "plan digging abyss"] + (["no_draw"] if number < 3 else [])
    table = after(start, *texts)
    assert (table.seats[0].ap, table.seats[0].rp, table.winner, table.round) == (10, 20, 0, 4)


def test_g13_nothing_forces_an_action() -> None:
    position = new_position("abyss/2021", 1, 3)
    game, state = position.start()
    for _ in range(45):
        number = state.table.round
        while state.table.round == number:
            step = next(
                one
                for text in ("give_up none", "hire none", "plan none", "no_draw", "go_on", "draw")
                for one in game.legal_moves(state)
                if one.text == text
            )
            state = game.apply(state, step).state
    table = state.table
    assert (table.seats[0].ap, table.seats[0].rp, table.round, table.winner) == (10, 0, 46, None)
    assert moves(position)
