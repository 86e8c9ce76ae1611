"""Cards that nobody has seen: what files may leave open, what is inferred, and how play goes on."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import pytest

from rules.core.errors import BestlineError, ContentError
from rules.core.position import Position, decode_position, load_position
from rules.core.race import ImperfectInformation, seats_unknown
from rules.core.scripts import OVER, UNKNOWN, SplitMix64, distinct, selections
from rules.core.turns import State
from solver.api import best
from solver.question import Question, refuse_unknown

SLED: dict[str, Any] = {"pos": 100, "hand": ["mush", "move", "lunch", "first_aid"]}
RIVAL: dict[str, Any] = {"pos": 104, "discard": ["move", "lunch", "rest"]}
CREW: dict[str, Any] = {"identity": "leader", "ap": 14, "hand": ["digging", "treatment", "bribe", "flashlight"]}
FIELD = {"turn": 2, "starter": "black", "soldiers": [{"card": "7C", "cell": "1,1"}], "trench": {"red": ["KD"]}}


def sleds(**rival: Any) -> dict[str, Any]:
    players = [SLED, {**RIVAL, **rival}]
    return {"game": "iditacards", "ruleset": "2019-02", "state": {"weather": "sun", "players": players}}


def crews(**rival: Any) -> dict[str, Any]:
    return {"game": "abyss", "ruleset": "2021", "state": {"seats": [CREW, {"identity": "employer", **rival}]}}


def field(piles: dict[str, Any]) -> dict[str, Any]:
    return {"game": "trench_rescue", "ruleset": "2012", "players": 2, "state": {**FIELD, "piles": piles}}


def face_down(front: list[str], phase: str = "act", **game: Any) -> dict[str, Any]:
    """Return a game for one with an unknown Event before a team in the City."""
    hand = {**CREW, "hand": ["bribe"], "plan": {"location": "city"}, "event": "?", **game}
    state = {"phase": phase, "seats": [hand], "event_pile": {"front": front}}
    return {"game": "abyss", "ruleset": "2021", "state": state}


def read(data: dict[str, Any]) -> Position:
    return load_position(json.dumps(data))


def faults(data: dict[str, Any]) -> str:
    with pytest.raises(ContentError) as caught:
        read(data)
    return str(caught.value)


TABLES = {
    "count": sleds(hand=4),
    "part": sleds(hand=["mush", "?", "?"]),
    "dealt": sleds(),
    "named pool": sleds(hand=["?"], deck=["move", "lunch", "dinner"]),
    "known top": sleds(hand=["?"], deck=["rest", "move", "lunch"], discard=[], known=1),
    "crews": crews(hand=3),
    "crews part": crews(hand=["digging", "?"]),
    "crews dealt": crews(),
    "laid aside": {
        **crews(hand=2, plan={"card": "?", "location": "abyss"}),
        "state": {
            "phase": "act",
            "seat": 2,
            "seats": [
                {**CREW, "plan": {"location": "city"}},
                {"hand": 2, "partners": [{"type": "guardian"}], "plan": {"card": "?", "location": "abyss"}},
            ],
        },
    },
    "events face down": {
        **crews(),
        "state": {
            "phase": "act",
            "seats": [
                {**CREW, "partners": [{"type": "guardian"}], "plan": {"location": "abyss"}, "event": "?"},
                {"identity": "employer", "hand": 4, "plan": {"location": "city"}, "event": "?"},
            ],
        },
    },
    "all seen": sleds(hand=["mush"], unseen=True),
    "crews all seen": crews(hand=["digging"], unseen=True),
    "field": field({"1,1": ["6H"]}),
}
HANDS = {name: table for name, table in TABLES.items() if name != "field"}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_is_written_is_read_back(table: dict[str, Any]) -> None:
    position = read(table)
    for again in (load_position(position.text()), load_position(position.to_toml()), decode_position(position.code)):
        assert again == position
        assert again.text() == position.text()
    assert position.code.startswith("bl2.")


@pytest.mark.parametrize("make", [sleds, crews])
def test_a_number_marks_and_nothing_say_the_same(make: Any) -> None:
    dealt = {"sleds": 6, "crews": 5}[make.__name__]
    tables = [make(hand=dealt), make(hand=["?"] * dealt), make(hand="?"), make()]
    assert len({read(each).code for each in tables}) == 1
    assert read(make(hand=[])).code != read(make(hand=1)).code


def test_the_unknown_part_of_hand_and_deck_is_what_lies_nowhere_in_sight() -> None:
    own, rival = read(sleds(hand=["?", "mush", "?", "?"])).state["players"]
    assert rival["hand"] == ["mush", "?", "?", "?"]
    assert len(rival["deck"]) == 25 - 3 - 1  # three given up, one known; three of them are in the hand
    assert (own["dogs"], len(own["deck"])) == ([{"attachments": [], "dog": "wheel_dog"}], 21)
    used = {**sleds(), "state": {"players": [SLED, {}], "destroyed": ["armour", "tiara", "wheel_dog"]}}
    state = read(used).state
    assert Counter(card for player in state["players"] for card in player["deck"])["armour"] == 1
    assert [player["dogs"] for player in state["players"]] == [[], []]
    assert [len(deck) for deck in state["upgrade"]].count(52) == 1
    nothing = {**SLED, "deck": [], "dogs": []}
    state = read({**sleds(), "state": {"players": [nothing], "upgrade": [[], [], [], []]}}).state
    assert (state["players"][0]["deck"], state["players"][0]["dogs"], state["upgrade"]) == ([], [], [[]] * 4)


def test_a_cell_left_out_is_as_it_was_laid() -> None:
    state = read(field({"1,1": ["6H"]})).state
    assert (state["piles"][0], state["piles"][1]) == (["6H"], ["?"])
    assert [len(state["deck"][colour]) for colour in ("black", "red")] == [17, 17]


def test_an_emptied_cell_may_have_held_a_soldier_who_is_home() -> None:
    rescued = {**FIELD, "trench": {"black": ["3C"], "red": ["KD"]}, "piles": {"1,1": []}}
    state = read({**field({}), "state": rescued}).state
    assert [len(state["deck"][colour]) for colour in ("black", "red")] == [17, 17]


def test_who_died_on_the_field_may_be_unknown_in_the_withdrawal() -> None:
    last = {**FIELD, "turn": 21, "phase": "withdraw", "to_move": "black"}
    state = read({**field({}), "state": last}).state
    assert (state["dead"], state["piles"]) == (["?"] * 16, [[]] * 16)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({**sleds(hand=1), "chance": {"open": ["deck"], "seed": 1}}, "all hands are known"),
        ({**sleds(hand=1), "chance": {"open": ["opponents"]}}, "all hands are known"),
        (sleds(hand=3, deck=["move", "lunch"]), "has 3 '?', but only 2 cards are not in sight"),
        (sleds(hand=1, deck=["move", "lunch"], known=2), "only 1 cards are in the deck, not 2"),
        (sleds(hand=-1), "must be a list, or a whole number from 0 to 99"),
        (sleds(hand=["muhs", "?"]), "did you mean 'mush'"),
        ({**crews(hand=1), "chance": {"open": ["actions"], "seed": 1}}, "all hands are known"),
        (
            {**face_down(["riot"]), "chance": {"open": ["events"], "seed": 1}},
            "where 'events' is open all of them are known",
        ),
        (face_down([]), "too few Events not in sight"),
        (face_down(["traffic_jam"]), "too few Events not in sight"),
        (face_down(["rito"]), "did you mean 'riot'"),
    ],
)
def test_what_cannot_be_unknown(table: dict[str, Any], told: str) -> None:
    assert told in faults(table)


def test_any_card_of_the_pool_is_legal_and_leaves_the_unknown() -> None:
    game, state = read(sleds(hand=4)).start()
    for text in ("play move", "play mush pay lunch dinner", "deck move"):
        state = game.apply(state, game.parse_step(state, text)).state
    rival = game.unfinished(state).players[1]
    assert (rival.hand, rival.discard.count("dinner")) == (("?",), 1)
    assert len(rival.deck) == 22 - 4
    game, state = read(sleds(hand=4)).start()
    state = game.apply(state, game.parse_step(state, "play move")).state
    with pytest.raises(BestlineError, match="no rest to pay with; the rest of the hand: no card, and 3 of"):
        game.parse_step(state, "play mush pay rest lunch")
    with pytest.raises(BestlineError, match="rest is not in the hand"):
        game.parse_step(state, "play rest")


def test_what_a_rival_draws_is_unknown_and_what_comes_up_is_of_the_pool() -> None:
    game, state = read(sleds(hand=4)).start()
    for text in ("play move", "new_day", "stay", "weather sun"):
        state = game.apply(state, game.parse_step(state, text)).state
    rival = state.table.players[1]
    assert (rival.hand, len(rival.deck)) == (("?",) * 6, 25)


def test_a_rival_without_unknown_cards_still_draws_unseen() -> None:
    game, state = read(sleds(hand=1)).start()
    for text in ("play move", "play move"):
        state = game.apply(state, game.parse_step(state, text)).state
    assert (state.table.players[1].hand, state.table.players[1].unseen) == ((), True)
    state = game.apply(state, game.parse_step(state, "play lunch pay first_aid mush")).state
    while state.pending:
        state = game.apply(state, game.chance_outcomes(state)[0]).state
    for text in ("new_day", "stay", "weather sun"):
        state = game.apply(state, game.parse_step(state, text)).state
    rival = state.table.players[1]
    assert (rival.hand, rival.unseen) == (("?",) * 6, False)


def test_a_plan_nobody_has_seen_is_shown_when_it_is_used() -> None:
    game, state = read(crews(hand=5, partners=[{"type": "guardian"}])).start()
    told = ["give_up none", "hire none", "give_up none", "hire none", "plan none", "plan ? abyss"]
    for text in told:
        state = game.apply(state, game.parse_step(state, text)).state
    assert state.table.seats[1].plan.card == UNKNOWN
    assert seats_unknown(game, state.table) == [1]
    game, state = read(TABLES["laid aside"]).start()
    assert "show give_a_speech" not in [move.text for move in game.legal_moves(state)]  # used in the City alone
    before = len(state.table.action_pile.front)
    state = game.apply(state, game.parse_step(state, "show digging")).state
    after = state.table if not state.pending else game.unfinished(state)
    assert len(after.action_pile.front) == before - 1
    assert after.seats[1].plan.card is None


DEALING = {
    **crews(),
    "state": {
        "phase": "deal",
        "seats": [
            {**CREW, "partners": [{"type": "guardian"}], "plan": {"location": "abyss"}},
            {"identity": "employer", "hand": 4, "plan": {"location": "city"}},
        ],
    },
}


def test_an_event_that_nobody_sees_stays_in_the_pile_until_it_is_turned_up() -> None:
    game, state = read(DEALING).start()
    for _ in range(2):
        assert "events ?" not in [outcome.text for outcome in game.chance_outcomes(state)]
        assert sum(outcome.probability for outcome in game.chance_outcomes(state)) == 1
        state = game.apply(state, game.parse_step(state, "events ?")).state
    assert [seat.event for seat in state.table.seats] == [UNKNOWN, UNKNOWN]
    assert len(state.table.event_pile.front) == 40
    assert seats_unknown(game, state.table) == [0, 1]
    for _ in range(2):
        state = game.apply(state, game.parse_step(state, "go_on")).state
    assert game.purpose(state) == "the Event that seat 1 turns up"
    with pytest.raises(BestlineError, match=r"\? cannot come up here"):
        game.parse_step(state, "events ?")
    state = game.apply(state, game.parse_step(state, "events riot")).state
    assert (state.table.seats[0].event, state.table.event_used, len(state.table.event_pile.front)) == (
        None,
        ("riot",),
        39,
    )
    coming = game.chance_outcomes(state)
    assert {outcome.result for outcome in coming}.isdisjoint({"traffic_jam", "short_of_resource"})
    assert sum(outcome.probability for outcome in coming) == 1


def test_an_event_is_not_entered_as_unknown_where_it_would_be_turned_up() -> None:
    pile = {"front": ["riot", "riot", "traffic_jam", "traffic_jam"]}
    game, state = read({**DEALING, "state": {**DEALING["state"], "event_pile": pile}}).start()
    state = game.apply(state, game.parse_step(state, "events ?")).state
    assert [step.text for step in game.enterable(state)] == ["events riot", "events traffic_jam", "events ?"]
    pile = {"front": ["riot", "traffic_jam", "traffic_jam"]}
    game, state = read({**DEALING, "state": {**DEALING["state"], "event_pile": pile}}).start()
    state = game.apply(state, game.parse_step(state, "events riot")).state
    with pytest.raises(BestlineError):
        game.parse_step(state, "events ?")


def test_the_last_card_that_an_event_may_be_does_not_come_up_elsewhere() -> None:
    pile = {"front": ["riot", "traffic_jam", "traffic_jam"]}
    state = {**TABLES["events face down"]["state"], "phase": "event", "event_pile": pile}
    game, begun = read({**TABLES["events face down"], "state": state}).start()
    assert [step.text for step in game.enterable(begun)] == ["go_on"]  # seat 2 has the Riot
    assert isinstance(game, ImperfectInformation)
    world = game.sample_world(State(begun.table), 0, SplitMix64(1)).table
    assert [seat.event for seat in world.seats] == ["traffic_jam", "riot"]
    after = game.apply(begun, game.parse_step(begun, "go_on")).state
    assert after.table.event_used == ("traffic_jam",)


def test_plans_for_which_too_few_cards_are_left_are_told() -> None:
    plan = {"card": "?", "location": "abyss"}
    rival = {"hand": 1, "partners": [{"type": "guardian"}], "plan": plan}
    pile = {"front": ["digging", *["give_a_speech"] * 3]}
    state = {"phase": "act", "seats": [{**CREW, "plan": {"location": "city"}}, rival, rival], "action_pile": pile}
    game, begun = read({**crews(), "players": 3, "state": state}).start()
    assert isinstance(game, ImperfectInformation)
    with pytest.raises(BestlineError, match="too few cards are left for all that lie face down"):
        game.sample_world(begun, 0, SplitMix64(1))


def test_an_unknown_event_does_what_each_that_it_may_be_does_as_likely() -> None:
    front = ["be_theft", "earthquake", "riot", "riot"]
    game, state = read(face_down(front, "event", partners=[{"type": "homeless", "hp": 1}])).start()
    found: defaultdict[Any, Fraction] = defaultdict(Fraction)
    for end in game.turn_ends(state.table):
        found[end.table.seats] += end.probability
    named: defaultdict[Any, Fraction] = defaultdict(Fraction)
    for card in front:
        rest = [*front]
        rest.remove(card)
        game, state = read(face_down(rest, "event", partners=[{"type": "homeless", "hp": 1}], event=card)).start()
        for end in game.turn_ends(state.table):
            named[end.table.seats] += end.probability / 4
    assert found == named


def test_what_an_event_does_that_has_been_turned_up_is_asked_on_every_world() -> None:
    table = face_down(["be_theft", "riot", "safe"], "event", hand=["bribe", "digging"])
    position = read({**table, "options": {"be_theft_pick": "owner"}})
    game, state = position.start()
    assert isinstance(game, ImperfectInformation)
    state = game.apply(state, game.parse_step(state, "events be_theft")).state
    worlds = [game.sample_world(state, 0, SplitMix64(seed)) for seed in range(20)]
    assert all(not world.pending for world in worlds)
    assert {world.table.seats[0].event for world in worlds} == {"be_theft", "riot", "safe"}
    compared = best(position.after(state), time_s=1).answer.compared
    assert {each.move.text for each in compared.moves} == {"give bribe", "give digging"}


def test_advice_deals_unknown_events() -> None:
    seats = [{**CREW, "partners": [{"type": "guardian"}]}, {"identity": "employer", "hand": 4}]
    game, state = read({**crews(), "state": {"seats": seats}}).start()
    told = ["give_up none", "hire none", "give_up none", "hire none", "plan digging abyss", "plan none", "events ?"]
    for text in [*told, "events ?"]:
        state = game.apply(state, game.parse_step(state, text)).state
    answer = best(read({**crews(), "state": {"seats": seats}}).after(state), time_s=1).answer
    assert [each.move.text for each in answer.compared.moves] == ["go_on"]
    assert answer.compared.moves[0].value is not None


def test_what_one_event_cannot_be_makes_others_likelier() -> None:
    front = ["riot", "safe", "traffic_jam"]
    state = {**TABLES["events face down"]["state"], "phase": "event", "event_pile": {"front": front}}
    game, begun = read({**TABLES["events face down"], "state": state}).start()
    # Of the six orders those four are left in which the second card is not the Traffic Jam.
    chances = {outcome.result: outcome.probability for outcome in game.chance_outcomes(begun)}
    assert chances == {"riot": Fraction(1, 4), "safe": Fraction(1, 4), "traffic_jam": Fraction(1, 2)}


def test_events_lie_face_down_in_the_round_in_which_the_back_of_the_pile_comes_up() -> None:
    state = {**DEALING["state"], "event_pile": {"front": ["riot", "safe"], "back": ["flooding", "flooding"]}}
    game, now = read(
        {**crews(), "players": 3, "state": {**state, "seats": [*state["seats"], state["seats"][1]]}}
    ).start()
    for seat in (1, 2, 3):
        assert game.purpose(now) == f"the Event that seat {seat} is dealt"
        now = game.apply(now, game.parse_step(now, "events ?")).state
    for text in ("go_on", "go_on", "go_on", "events riot", "events flooding", "events safe"):
        now = game.apply(now, game.parse_step(now, text)).state
    assert sorted(now.table.event_used) == ["flooding", "riot", "safe"]


def test_the_last_card_that_a_plan_may_be_is_not_shown_elsewhere() -> None:
    rival = {"hand": 1, "partners": [{"type": "guardian"}], "plan": {"card": "?", "location": "abyss"}}
    pile = {"front": ["bribe", "digging", *["give_a_speech"] * 3]}
    seats = [{**CREW, "plan": {"location": "city"}}, rival, rival]
    state = {"phase": "act", "seat": 2, "seats": seats, "action_pile": pile}
    game, now = read({**crews(), "players": 3, "state": state}).start()

    def moves() -> list[str]:
        return [move.text for move in game.legal_moves(now)]

    assert moves() == ["show bribe", "show digging"]
    now = game.apply(now, game.parse_step(now, "show digging")).state
    while game.to_act(now) == 1:
        assert "bribe" not in " ".join(moves()).split(), "the third seat has it"
        now = game.apply(now, game.legal_moves(now)[0]).state
    assert moves() == ["go_on"], "it can be no other card"
    assert "bribe" in game.apply(now, game.legal_moves(now)[0]).state.table.action_used


def test_no_plan_is_laid_unseen_where_no_card_left_is_used() -> None:
    seats = [{**CREW, "plan": {"location": "city"}}, {"hand": 1, "partners": [{"type": "guardian"}]}]
    for front, places in ((["digging"] * 3, ["abyss"]), (["digging", "bribe"], ["city", "abyss"])):
        state = {"phase": "choose", "seat": 2, "seats": seats, "action_pile": {"front": front}}
        game, now = read({**crews(), "state": state}).start()
        unseen = [move.text for move in game.legal_moves(now) if "?" in move.text]
        assert sorted(unseen) == sorted(f"plan ? {place}" for place in places)


@pytest.mark.parametrize("table", HANDS.values(), ids=HANDS)
def test_whatever_is_played_the_cards_stay_those_of_the_box(table: dict[str, Any]) -> None:
    position = read(table)
    box = position.definition.census(position.state, position)
    draw = SplitMix64(7)
    for _ in range(3):
        game, state = position.start()
        for _ in range(40):
            if game.to_act(state) == OVER:
                break
            steps = game.enterable(state)
            state = game.apply(state, steps[draw.below(len(steps))]).state
            if not state.pending:
                now = position.after(state)
                assert load_position(now.text()) == now
                assert now.definition.census(now.state, now) == box


@pytest.mark.parametrize("table", HANDS.values(), ids=HANDS)
def test_worlds_deal_the_pool_and_keep_what_is_known(table: dict[str, Any]) -> None:
    position = read(table)
    game, state = position.start()
    assert isinstance(game, ImperfectInformation)
    shown = [card for card in game.hand(state.table, 1) if card != UNKNOWN]
    hands = set()
    for seed in range(8):
        world = game.sample_world(State(state.table), 0, SplitMix64(seed)).table
        assert not seats_unknown(game, world)
        hand = game.hand(world, 1)
        assert len(hand) == len(game.hand(state.table, 1))
        assert not Counter(shown) - Counter(hand)
        hands.add(tuple(hand))
    assert (len(hands) == 1) == (len(shown) == len(hand))


def test_who_asks_writes_the_own_hand() -> None:
    position = read(sleds(hand=4))
    refuse_unknown(position, Question(position).seat)
    with pytest.raises(BestlineError, match=r"state\.players\[1\]\.hand: has unknown cards"):
        refuse_unknown(position, 1)
    game, state = position.start()
    theirs = position.after(game.apply(state, game.parse_step(state, "play move")).state)
    with pytest.raises(BestlineError, match="player 1 is to move, whose hand is not known: apply what they do"):
        refuse_unknown(theirs, Question(theirs).seat)


def test_nobody_gives_a_copy_that_another_seat_has_offered() -> None:
    offering = {**CREW, "hand": 2, "plan": {"card": "transaction", "location": "city"}}
    other = {"hand": 2, "plan": {"location": "city"}}
    used = ["digging"] * 5 + ["theft"] * 2
    state = {"phase": "act", "seat": 1, "action_used": used, "seats": [offering, other]}
    game, start = read({**crews(), "state": state}).start()
    offered = game.apply(start, game.parse_step(start, "offer digging theft")).state
    replies = [move.text for move in game.legal_moves(offered)]
    assert not any("digging" in reply or "accept theft theft" in reply for reply in replies)
    for reply in replies:
        game.apply(offered, game.parse_step(offered, reply))


def test_who_is_asked_sees_what_it_draws_though_its_hand_was_played_unseen() -> None:
    position = read(sleds(hand=[], unseen=True))
    game, state = position.start()
    assert isinstance(game, ImperfectInformation)
    world = game.sample_world(State(state.table), 1, SplitMix64(1)).table
    assert state.table.players[1].unseen
    assert not world.players[1].unseen


def test_what_a_very_large_hand_can_pay_is_listed_once() -> None:
    assert list(distinct("aabc", 2)) == [("a", "a"), ("a", "b"), ("a", "c"), ("b", "c")]
    assert list(distinct("a" * 99 + "b", 5)) == [("a",) * 5, ("a", "a", "a", "a", "b")]
    assert (list(distinct("ab", 0)), list(distinct("ab", 3))) == ([()], [])


def test_selections_of_a_hand() -> None:
    assert list(selections(["a", "?"], ["a", "b"], 2)) == [("a", "a"), ("a", "b")]
    assert list(selections(["a", "b"], ["c"], 1)) == [("a",), ("b",)]
    assert list(selections(["?"], ["b", "b"], 2)) == []
