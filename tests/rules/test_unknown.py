"""Cards that nobody has seen: what files may leave open, what is inferred, and how play goes on."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from rules.core.errors import BestlineError, ContentError
from rules.core.position import Position, decode_position, load_position
from rules.core.race import ImperfectInformation, seats_unknown
from rules.core.scripts import CHANCE, OVER, UNKNOWN, SplitMix64, selections
from rules.core.turns import State
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
            steps = game.chance_outcomes(state) if game.to_act(state) == CHANCE else game.legal_moves(state)
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


def test_selections_of_a_hand() -> None:
    assert list(selections(["a", "?"], ["a", "b"], 2)) == [("a", "a"), ("a", "b")]
    assert list(selections(["a", "b"], ["c"], 1)) == [("a",), ("b",)]
    assert list(selections(["?"], ["b", "b"], 2)) == []
