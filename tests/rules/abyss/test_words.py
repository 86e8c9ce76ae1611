"""What people read: refusals with their rule, a whole round told, the household at a glance, faults of positions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import ContentError, IllegalMoveError, NotationError
from rules.core.position import load_position, new_position
from tests.bare import bare_position
from tests.rules.abyss.boards import FIRST_HAND, HOME, board, engine, moves, plan, seat, told
from tests.rules.games import VECTORS, answered, play, vector_position

START = board(
    seat(identity="leader", hand=FIRST_HAND, partners=["homeless:2"]), actions=["digging"], options={"partner_cap": 5}
)
CHOOSE = board(seat(hand=FIRST_HAND), phase="choose")
DEAL = board(seat(plan=HOME), phase="deal", known=(), events=["riot", "safe"])
KNOWN = board(seat(plan=HOME), phase="deal", events=["riot", "safe"])
OFFER = board(
    seat(plan=plan("transaction"), hand=["bribe", "theft"]), seat(plan=HOME, hand=["digging", "digging"]), phase="act"
)
OVER = board(seat(ap=40), phase="over", winner=1)


@pytest.mark.parametrize(
    ("position", "before", "text", "rule", "reason"),
    [
        (START, (), "give_up digging safe", "5.B", "there is no card 'safe'"),
        (START, (), "give_up digging digging", "5.B", "there is only 1 digging in the hand"),
        (START, (), "give_up bribe digging flashlight theft", "5.B", "at most 3 cards can be given up"),
        (START, (), "hire 1 homeless", "5.B", "has to decide something else here: 'give_up bribe'"),
        (START, (), "dismiss homeless:2", "AB-Q14", "another answer to dismiss, which is false"),
        (START, ("give_up none",), "hire 5 homeless", "AB-Q13", "that would be 6 partners, and the cap is 5"),
        (START, ("give_up none",), "hire 3 guardian", "AB-Q12", "that costs 15 AP, and there are 10"),
        (START, ("give_up none",), "hire 1 temps", "2", "Leader of Secret Association takes no temporary partners"),
        (START, ("give_up none",), "hire 1 homles", "5.B", "there is no partner 'homles'; did you mean 'homeless'?"),
        (START, ("give_up none",), "hire homeless 1", "5.B", "as in 'hire 3 homeless 1 guardian'"),
        (START, ("give_up none",), "hire 1 guardian 1 homeless", "5.B", "types stand once each in the order"),
        (CHOOSE, (), "plan digging abyss", "AB-Q16", "a team without members stays in the City"),
        (CHOOSE, (), "plan digging city", "5.C", "digging is used in the abyss"),
        (CHOOSE, (), "plan bribe moon", "1.5", "'moon' is no location"),
        (CHOOSE, (), "plan bribe city theft", "5.C", "as in 'plan digging abyss'"),
        (CHOOSE, (), "plan explore_in_depth abyss", "5.C", "there is no explore_in_depth in the hand"),
        (CHOOSE, (), "plan bribe city temp theft city", "AB-Q41", "there is no second team"),
        (DEAL, (), "plan none", "11", "chance decides here, no player: 'events riot', 'events safe'"),
        (DEAL, (), "events flooding", "11", "flooding cannot come up here"),
        (DEAL, (), "events bribe", "11", "there is no card 'bribe'"),
        (KNOWN, (), "events riot", "17", "'events' is open: what it brings is known"),
        (OFFER, (), "events riot", "17", "is open"),
        (OFFER, (), "offer digging", "6.1", "there is no digging in the hand: bribe, theft"),
        (OFFER, ("offer bribe",), "accept digging digging", "6.1", "as many cards as the offer: 1"),
        (OFFER, ("offer bribe",), "cash", "5.H", "seat 2 has to decide something else here"),
        (OVER, (), "draw", "8.1", "the game is over"),
    ],
)
def test_a_refused_move_names_its_rule_and_what_is_open(
    position: Any, before: tuple[str, ...], text: str, rule: str, reason: str
) -> None:
    game, state = position.start()
    for one in before:
        state = game.apply(state, game.parse_step(state, one)).state
    with pytest.raises(IllegalMoveError) as caught:
        game.parse_step(state, text)
    assert caught.value.rule == rule
    assert reason in caught.value.reason


@pytest.mark.parametrize("text", ["", "hire", "fly home", "plan", "give_up", "draw two"])
def test_what_is_no_move_at_all_is_told_so(text: str) -> None:
    game, state = CHOOSE.start()
    with pytest.raises(NotationError):
        game.parse_step(state, text)


def test_a_round_is_told_in_sentences() -> None:
    first = seat(identity="employer", hand=["bribe", "digging"], partners=["homeless:1"])
    second = seat(identity="leader", hand=["flashlight", "theft"], partners=["guardian:8"])
    start = board(first, second, events=["flooding", "riot"], actions=["treatment"], phase="prepare")
    _, events = told(
        start,
        *("give_up bribe", "hire 1 homeless 2 temps", "give_up none", "hire none"),
        *("plan digging abyss temp treatment city", "plan flashlight city", "no_draw", "no_draw"),
    )
    game = engine(start)
    assert [game.sentence(event) for event in events] == [
        "seat 1 gives up Bribe",
        "seat 1 draws Treatment",
        "seat 1 hires 1 Homeless and 2 temporary partners for 5 AP, 5 AP now",
        "seat 1 lays a plan aside face down",
        "seat 2 lays a plan aside face down",
        "seat 1 is in the Abyss, the temporary partners in the City",
        "seat 2 is in the City",
        "seat 1 gets an Event face down",
        "seat 2 gets an Event face down",
        "seat 1 uses Digging in the Abyss",
        "seat 1 finds 2 treasures, 2 now",
        "seat 1 uses Treatment in the City",
        "seat 1 heals nothing",
        "seat 2 uses Flashlight in the City",
        "seat 2 has a Flashlight ready",
        "seat 1 turns up Flooding",
        "seat 1 has 2 partners lose 3 HP",
        "seat 1 loses Homeless (2 HP) and Homeless (1 HP) for good",
        "seat 1 pays 2 AP for it, 3 AP now",
        "seat 2 turns up Riot",
        "seat 2 stops Riot with the Flashlight",
        "seat 1 loses 2 treasures with those who carried it",
        "round 2 begins",
    ]


def test_the_household_at_a_glance() -> None:
    mine = seat(
        identity="employer",
        ap=3,
        partners=["homeless:2", "homeless:2", "guardian:5"],
        temps=1,
        plan=plan("digging", "abyss", ["bribe", "city"]),
        hand=["theft", "theft"],
        boost=True,
        event="riot",
        flashlight=True,
        paid=4,
    )
    position = board(mine, seat(plan=HOME), phase="act", known=("events",), actions=["treatment", "bribe"])
    assert engine(position).glance(position.table()) == [
        ("round", "1, step F, actions"),
        ("actions", "2 cards; in unknown order: bribe, treatment"),
        ("events", "empty"),
        ("signs", "◆ any"),
        ("seat", "1, to act"),
        ("identity", "Employer"),
        ("AP and RP", "3 AP, 0 RP"),
        ("partners", "3: 2 homeless (2 HP), 1 guardian (5 HP)"),
        ("temps", "1"),
        ("plan", "digging in the abyss; temps: bribe in the city"),
        ("event", "riot, face down"),
        ("marks", "trip boosted; flashlight ready; 4 AP paid for partners"),
        ("hand", "◆theft x2"),
        ("seat", "2"),
        ("identity", "Employer"),
        ("AP and RP", "10 AP, 0 RP"),
        ("plan", "no card in the city"),
        ("hand", "empty"),
    ]
    assert engine(OVER).glance(OVER.table())[:2] == [("round", "1, over"), ("winner", "seat 1")]


@pytest.mark.parametrize(
    ("seats", "state", "fault"),
    [
        ([seat(hand=["bribe"] * 4)], {}, "'bribe' lies on the table 4 times, but the box has 3"),
        ([seat(hand=["safe"])], {}, "is not an Action card"),
        ([seat(partners=["homeless:3"])], {}, "has at most 2 HP, not 3"),
        ([seat(temps=1)], {}, "takes no temporary partners"),
        ([seat(treasure=1)], {}, "treasure is cashed or lost at the end of step H"),
        ([seat(plan=HOME)], {}, "plans are cleared in step H"),
        ([seat()], {"phase": "act"}, "every seat has chosen"),
        ([seat(plan=HOME)], {"phase": "choose"}, "seat 1 is about to choose"),
        ([seat(plan=plan("digging", "city"))], {"phase": "act"}, "'digging' is used in the abyss"),
        ([seat(plan=plan(None, "city", ["bribe", "city"]))], {"phase": "act"}, "has no second team"),
        ([seat(event="safe")], {}, "Events are dealt in step E"),
        ([seat(plan=HOME, event="safe", event_up=True)], {"phase": "act"}, "only a modifier is turned up"),
        ([seat(plan=HOME, boost=True)], {"phase": "act"}, "no team of this seat is in the Abyss"),
        ([seat()], {"seat": 2}, "must be a seat from 1 to 1, not 2"),
        ([seat()], {"winner": 1}, "a game with a winner is over"),
        ([seat()], {"winner": 1, "phase": "over"}, "seat 1 meets no goal with 10 AP and 0 RP"),
        ([seat()], {"winner": 2, "phase": "over"}, "must be a seat from 1 to 1, not 2"),
        ([seat()], {"counters": {"actions": 0}}, "number 0 is the shuffle of the setup"),
    ],
)
def test_a_position_that_cannot_be_is_refused(seats: list[Any], state: dict[str, Any], fault: str) -> None:
    with pytest.raises(ContentError, match=fault):
        board(*seats, **state)


def test_what_is_left_out_is_the_rest_of_the_box() -> None:
    position = bare_position('ruleset = "abyss/2021"\n[state]\nseats = [{ hand = ["digging", "bribe"] }]\n')
    table = position.table()
    assert (len(table.action_pile.front), len(table.event_pile.front)) == (35, 40)
    assert table.action_pile.front.count("digging") == 5
    again = load_position(position.to_toml())
    assert again == position
    assert "action_pile" not in position.to_toml()


def test_a_seed_deals_and_is_forgotten_where_it_decides_nothing() -> None:
    position = new_position("abyss/2021", 2, 9)
    assert position.information == "open"
    assert position.chance.seed == 9
    assert [len(one.hand) for one in position.table().seats] == [5, 5]
    hidden = new_position("abyss/2021", 2, 9, ("picks",))
    assert hidden.hidden == ("actions", "events")
    assert hidden.chance.seed is None
    assert hidden.table().action_pile.front == tuple(sorted(position.table().action_pile.front))
    listed = bare_position(
        'ruleset = "abyss/2021"\n[chance]\nseed = 1\nopen = ["actions"]\n[chance.lists]\n'
        'actions = [["theft", "digging", "bribe"]]\n'
    )
    assert listed.table().seats[0].hand == ("accept_bribes", "accept_bribes", "bribe", "digging", "theft")
    assert "give_up bribe digging theft" in moves(listed)


HEADS = [
    *("give_up", "dismiss", "hire", "plan", "target", "lose", "give", "take", "treat", "offer", "accept", "decline"),
    *("cash", "leave", "draw", "no_draw", "go_on", "actions", "events", "picks", "fly"),
]
WORDS = [
    *("none", "bribe", "digging", "theft", "riot", "safe", "city", "abyss", "temp", "temps", "homeless", "guardian"),
    *("1", "2", "0", "9", "homeless:2", "homeless:", ":", "x", "unknown_action"),
]


@settings(deadline=None, max_examples=120)
@given(
    st.sampled_from(sorted(name for name in VECTORS if name.startswith("abyss"))),
    st.integers(0, 2**16),
    st.lists(st.tuples(st.sampled_from(HEADS), st.lists(st.sampled_from(WORDS), max_size=5)), min_size=5, max_size=20),
)
def test_whatever_is_written_is_a_step_or_refused_in_words(
    name: str, seed: int, written: list[tuple[str, list[str]]]
) -> None:
    game, start = vector_position(name).start()
    states = [start, *(transition.state for _, _, transition in play(game, start, seed, turns=4))]
    for place, (head, rest) in enumerate(written):
        text = " ".join([head, *rest])
        said = answered(game, states[place % len(states)], text)
        assert text in said or sorted(text.split()) == sorted(said.split())  # cards may be named in any order


def test_cards_of_a_move_may_be_named_in_any_order() -> None:
    game, state = START.start()
    assert game.parse_step(state, "give_up theft bribe").text == "give_up bribe theft"
