"""States as people write them: what may be left out, and every invariant that a position can break."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.core.errors import ContentError
from rules.core.position import Position, new_position
from rules.core.scripts import stream
from tests.bare import bare_position
from tests.rules.iditacards.boards import Board, seat


def of(state: dict[str, Any], ruleset: str = "2019-02", **rest: Any) -> Position:
    return bare_position(json.dumps({"ruleset": ruleset, "state": state, **rest}))


def alone(ruleset: str = "2019-02", shared: dict[str, Any] | None = None, **player: Any) -> Position:
    return of({"players": [player], **(shared or {})}, ruleset)


OPEN: dict[str, Any] = {"seed": 1, "open": ["deck", "weather", "upgrade", "legendary", "legs"]}


def test_what_is_left_out_stands_at_its_starting_value() -> None:
    state = alone().state
    assert {name: value for name, value in state.items() if name not in ("players", "legs")} == {
        "active": 0,
        "counters": {"deck": [0], "legendary": 0, "legs": [], "upgrade": [0, 0, 0, 0], "weather": 0},
        "damage_left": 18,
        "day": 0,
        "destroyed": [],
        "final": None,
        "freeze": False,
        "over": False,
        "supply": [],
        "upgrade": [[], [], [], []],
        "weather": "none",
    }
    assert state["legs"][:2] == ["town", "hills"]
    player = state["players"][0]
    assert player["days"] == 1
    assert [name for name, value in player.items() if value and value != "no"] == ["days"]


def test_counters_of_open_sources_stand_where_the_setup_leaves_them() -> None:
    assert of({}, chance=OPEN, players=2).state["counters"] == {
        "deck": [1, 1],
        "legendary": 1,
        "legs": [],
        "upgrade": [1, 1, 1, 1],
        "weather": 1,
    }
    assert of({}, "2017", chance=OPEN).state["counters"]["weather"] == 0
    assert of({}, "2019-08", chance=OPEN).state["counters"]["legs"] == [0] * 6
    drawn = of({}, "2019-08", chance=OPEN, options={"legs_setup": "drawn"})
    assert drawn.state["counters"]["legs"] == [1] * 6
    assert drawn.state["legs"] != of({}, "2019-08", chance=OPEN).state["legs"]


def test_counters_of_hidden_sources_are_not_counted() -> None:
    counters = {"deck": [5], "legendary": 1, "legs": [], "upgrade": [1, 1, 1, 1], "weather": 3}
    assert alone(shared={"counters": counters}).state["counters"] == alone().state["counters"]


def test_days_begin_where_the_ruling_says() -> None:
    assert of({}, options={"days_count": "new_days_only"}).state["players"][0]["days"] == 0


def test_open_upgrade_decks_are_dealt_by_the_seed_without_the_cards_named_elsewhere() -> None:
    whole = of({}, chance=OPEN).state["upgrade"]
    start = new_position("iditacards/2019-02", 1, 1).state["upgrade"]
    assert whole == start
    used = of({"supply": [whole[0][0]], "players": [{"discard": [whole[0][1]]}]}, chance=OPEN).state["upgrade"]
    assert used == [whole[0][2:], *whole[1:]]
    assert of({}, chance={"seed": 1, "open": ["deck"]}).state["upgrade"] == [[], [], [], []]


def test_damage_cards_named_are_taken_from_the_rest() -> None:
    assert alone(discard=["damaged"], hand=["damaged"]).state["damage_left"] == 16


def test_hidden_decks_keep_the_order_of_the_known_cards_only() -> None:
    deck = ["move", "lunch", "husky", "armour"]
    assert alone(deck=deck).state["players"][0]["deck"] == sorted(deck)
    assert alone(deck=deck, known=2).state["players"][0]["deck"] == ["move", "lunch", "armour", "husky"]
    opened = of({"players": [{"deck": deck}]}, chance={"seed": 1, "open": ["deck"]})
    assert opened.state["players"][0]["deck"] == deck


def test_zones_without_order_are_sorted() -> None:
    player = alone(
        hand=["move", "armour"],
        passed=[36, 6],
        dogs=[{"dog": "wheel_dog"}, {"dog": "husky", "attachments": ["a_hat"]}],
    ).state["players"][0]
    assert (player["hand"], player["passed"]) == (["armour", "move"], [6, 36])
    assert [dog["dog"] for dog in player["dogs"]] == ["husky", "wheel_dog"]


def test_a_frame_says_no_more_than_it_must() -> None:
    position = of({"day": 3, "players": [{"stack": [{"card": "husky", "need": 2}]}]})
    assert position.state["players"][0]["stack"] == [
        {"card": "husky", "day": 3, "n": 0, "need": 2, "paid": 0, "step": "risk"}
    ]


def test_explicit_orders_may_leave_the_outer_list_out_for_one_player() -> None:
    lists: dict[str, Any] = {"deck": [["move", "mush"], ["lunch"]], "weather": ["sun"], "legendary": ["all_in"]}
    chance = {"open": ["deck", "weather", "legendary"], "lists": lists}
    position = of({}, chance=chance)
    assert position.chance.lists["deck"] == [[["move", "mush"], ["lunch"]]]
    full = of({}, chance={**chance, "lists": {**lists, "deck": [lists["deck"]]}})
    assert full.text() == position.text()
    two = of({}, chance={**chance, "lists": {**lists, "deck": [[["move"]], []]}}, players=2)
    assert two.chance.lists["deck"] == [[["move"]], []]


def test_a_starting_position_of_seed_1() -> None:
    """R74: the published test vectors of the setup."""
    state = new_position("iditacards/2019-02", seed=1).state
    player = state["players"][0]
    assert player["deck"][:2] + player["deck"][-3:] == ["grandma_soup", "first_aid", "husky", "move", "armour"]
    assert player["legendary"] == ["all_in", "diamorphine", "meditate", "nuclear_reactor", "robodog"]
    assert state["upgrade"][0][:3] == ["steam_engine", "slow_and_steady", "slow_and_steady"]
    assert state["weather"] == "rain"
    assert stream(1, 2, 0, 0).next() == 0xD6383C097C7C0F99


FRAME = {"card": "husky", "need": 2}
FINISHED = {"pos": 170, "finished": True}

BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("2019-02", {"hand": ["huskey"]}, "hand[0]: \"huskey\" is not a card of this ruleset; did you mean 'husky'?"),
    (
        "2019-02",
        {"hand": ["husky", "husky"]},
        "hand: 'husky' lies on the table 2 times, but the box has 1 for 1 player",
    ),
    ("2019-02", {"hand": ["husky"], "dogs": [{"dog": "husky"}]}, "dogs[0]: 'husky' lies on the table 2 times"),
    ("2019-02", {"stack": [FRAME], "discard": ["husky"]}, "'husky' lies on the table 2 times"),
    ("2019-02", {"hand": ["all_in"], "legendary": ["all_in"]}, "'all_in' lies on the table 2 times, but the box has 1"),
    ("2019-02", {"discard": ["damaged"] * 19}, "'damaged' lies on the table 19 times, but the box has 18 for 1 player"),
    ("2017", {"hand": ["rest"]}, "'rest' lies on the table 1 time, but the box has 0 for 1 player"),
    ("2019-02", {"dogs": ["husky"]}, 'dogs[0]: must be a table, not "husky"'),
    ("2019-02", {"dogs": [{"dog": "mush"}]}, "dogs: 'mush' is a movement card, not a dog"),
    (
        "2019-02",
        {"dogs": [{"dog": "husky", "attachments": ["a_hat", "dog_chow"]}]},
        "dogs: 'husky' holds at most 1 attachments, not 2",
    ),
    (
        "2019-02",
        {"dogs": [{"dog": "husky", "attachments": ["good_dog"]}]},
        "dogs: 'good_dog' is no attachment, and 'husky' cannot wear it",
    ),
    (
        "2019-02",
        {"dogs": [{"dog": dog} for dog in ("big_dog", "big_dog", "big_dog", "husky")]},
        "dogs: count as 7 dogs, but the limit is 6",
    ),
    (
        "2019-02",
        {"dogs": [{"dog": dog} for dog in ("bear", "bear", "bear", "husky", "good_dog", "lead_dog", "wheel_dog")]},
        "dogs: count as 7 dogs, but the limit is 6",
    ),
    ("2019-02", {"hypothermia": 8}, "hypothermia: is at most 7 here, not 8"),
    ("2017", {"starvation": 6}, "starvation: is at most 5 here, not 6"),
    ("2019-02", {"hypothermia": -1}, "hypothermia: must be a whole number of at least 0, not -1"),
    ("2019-02", {"pos": 161}, "finished: must be true at or past the finish, 161"),
    ("2019-02", {"known": 3, "deck": ["move"]}, "known: only 1 cards are in the deck, not 3"),
    ("2019-02", {"passed": [7]}, "passed: 7 is no checkpoint; checkpoints: 6, 36, 81, 116, 136"),
    ("2019-02", {"passed": [6, 6]}, "passed[1]: 6 stands twice in the list"),
    ("2019-02", {"foods": ["mush"]}, "foods: 'mush' is no food card"),
    ("2019-02", {"legendary": ["mush"]}, "legendary: 'mush' is no legendary card"),
    (
        "2019-02",
        {"legendary": ["all_in", "robodog", "meditate", "diamorphine", "nuclear_reactor", "waffle"]},
        "legendary: each player is dealt 5 legendary cards, not 6",
    ),
    ("2019-08", {"immune": True}, "immune: no card of this ruleset makes a player immune"),
    ("2019-08", {"free_energy": "on"}, "free_energy: no card of this ruleset makes costs free"),
    ("2019-02", {"free_energy": "maybe"}, "free_energy: \"maybe\" is not allowed here; known: 'no', 'armed', 'on'"),
    ("2019-02", {"stack": [{**FRAME, "paid": 2}]}, "stack[0]: needs 2 risk cards and has 2: it would have resolved"),
    ("2019-02", {"stack": [{"card": "move", "need": 1}]}, "stack[0].card: 'move' has no risk cost and cannot wait"),
    ("2019-02", {"stack": [{**FRAME, "day": 1}]}, "stack[0].day: the day is 0; the card cannot have been played later"),
    ("2019-02", {"stack": [{**FRAME, "n": 1}]}, "stack[0].n: must be 0 for a frame that waits for a risk card"),
    ("2019-02", {"stack": [{**FRAME, "step": "second"}]}, "stack[0].step: 'husky' has no second step"),
    (
        "2019-08",
        {"stack": [{"card": "first_aid", "need": 0, "step": "second"}, FRAME]},
        "stack[0]: a frame that waits for its second step lies on top",
    ),
    ("2019-02", {"stack": [{"card": "husky"}]}, "stack[0]: the key 'need' is missing"),
    ("2019-02", {"resolved": ["move"]}, "resolved: must be empty: no card is waiting for its risk"),
    ("2017", {"resolved": ["move"], "stack": [FRAME]}, "resolved: resolved cards lie in the discard pile here"),
    ("2019-08", {"seen": ["move"]}, "seen: must be empty: no card is waiting for its second step"),
]


@pytest.mark.parametrize(("ruleset", "player", "message"), BROKEN)
def test_a_broken_player_is_told(ruleset: str, player: dict[str, Any], message: str) -> None:
    with pytest.raises(ContentError) as caught:
        alone(ruleset, **player)
    (fault,) = caught.value.faults
    assert message in str(fault)


SHARED: list[tuple[str, dict[str, Any], str]] = [
    ("2019-02", {"freeze": True}, "freeze: no card of this ruleset stops everybody"),
    ("open-track", {"weather": "snow"}, "weather: this ruleset has no weather die; weather must be 'none'"),
    ("2017", {"supply": ["greyhound"]}, "supply: this ruleset has no supply; upgrades come from the deck"),
    ("2019-02", {"supply": ["mush"]}, "supply: 'mush' is no card of an upgrade deck"),
    ("2019-02", {"upgrade": [["mush"], [], [], []]}, "upgrade[0][0]: 'mush' is no card of the deck 'speed'"),
    ("2019-02", {"upgrade": [[]]}, "upgrade: must have 4 lists, one for each upgrade deck, not 1"),
    ("2019-02", {"damage_left": 19}, "damage_left: 19 left and 0 on the table, but the box has 18 damage cards"),
    ("2019-02", {"damage_left": -1}, "damage_left: must be at least 0, not -1"),
    ("2019-02", {"weather": "hail"}, 'weather: "hail" is not allowed here'),
    ("2019-02", {"legs": ["town"]}, "legs: must name 10 legs, one for each section of the board, not 1"),
    ("2019-02", {"active": 1}, "active: must be a seat from 0 to 0, not 1"),
    ("2019-02", {"final": [0]}, "final: must be left out while nobody has finished"),
    ("2019-02", {"over": True}, "over: nobody has finished"),
    ("2017", {"over": True}, "over: the game is over exactly when a player has finished"),
    ("2017", {"final": [0]}, "final: must be left out: there are no last turns"),
    ("2019-02", {"players": [{}, {"pos": 9}, {"pos": 9}]}, "players[2].pos: player 1 already stands on space 9"),
    (
        "2019-02",
        {"players": [FINISHED, {}], "active": 1},
        "final: must name the seats still owed a last turn, since player 0 has finished",
    ),
    ("2019-02", {"players": [FINISHED, {}], "final": [1]}, "active: player 0 has finished and has no more turns"),
    ("2019-02", {"players": [FINISHED, {}], "final": [], "active": 1}, "over: the game is over exactly when nobody"),
    ("2019-02", {"players": [FINISHED, {}], "final": [0, 1], "active": 1}, "final: 0 is no seat of a player who has"),
    ("2019-02", {"players": [FINISHED, {}, {}], "final": [2], "active": 1}, "active: player 1 has had the last turn"),
]


@pytest.mark.parametrize(("ruleset", "state", "message"), SHARED)
def test_a_broken_table_is_told(ruleset: str, state: dict[str, Any], message: str) -> None:
    with pytest.raises(ContentError) as caught:
        of(state, ruleset)
    (fault,) = caught.value.faults
    assert f"state.{message}" in str(fault)


def test_legs_must_fit_their_sections() -> None:
    legs = list(of({}, "2019-08").state["legs"])
    assert of({"legs": [legs[0], "open_trail", *legs[2:]]}, "2019-08").state["legs"][1] == "open_trail"
    for wrong in ("blizzard", "none"):
        with pytest.raises(ContentError, match=f"legs.1.: '{wrong}' is no leg of type 1"):
            of({"legs": [legs[0], wrong, *legs[2:]]}, "2019-08")
    with pytest.raises(ContentError, match="this section of the board is 'town', not 'hills'"):
        of({"legs": ["hills", *of({}).state["legs"][1:]]})


def test_an_open_deck_has_no_known_part() -> None:
    with pytest.raises(ContentError, match="must be 0: the whole deck is open"):
        of({"players": [{"deck": ["move"], "known": 1}]}, chance={"seed": 1, "open": ["deck"]})


def test_starter_cards_are_there_once_for_every_player() -> None:
    assert of({"players": [{"hand": ["husky"]}, {"hand": ["husky"]}]}).players == 2
    with pytest.raises(ContentError, match="'husky' lies on the table 3 times, but the box has 2 for 2 players"):
        of({"players": [{"hand": ["husky"]}, {"hand": ["husky"]}], "destroyed": ["husky"]})


def test_rulings_widen_what_is_possible() -> None:
    damaged = of({"players": [{"discard": ["damaged"] * 20}]}, options={"damage_supply": "unlimited"})
    assert len(damaged.state["players"][0]["discard"]) == 20
    assert of({"players": [{"pos": 165}]}, options={"finish_at": 200}).state["players"][0]["pos"] == 165
    with pytest.raises(ContentError, match="starvation: is at most 1 here, not 2"):
        of({"players": [{"starvation": 2}]}, options={"conditions_model": "binary"})


def test_damage_cards_too_many_are_borne_where_the_total_holds() -> None:
    """Positions in circulation count below zero; the number of cards in the game is still that of the box."""
    state = {"damage_left": -1, "players": [{"discard": ["damaged"] * 19}]}
    assert of(state).state["damage_left"] == -1
    with pytest.raises(ContentError, match="damage_left: must be at least 0, not -2"):
        of({**state, "damage_left": -2})


def test_every_fault_of_a_position_is_told_at_once() -> None:
    with pytest.raises(ContentError) as caught:
        of({"weather": "hail", "players": [{"hand": ["huskey", "mush", "mush", "mush"], "hypothermia": 9, "pass": 1}]})
    told = [str(fault).partition(": ")[2] for fault in caught.value.faults]
    assert told == [
        "state.weather: \"hail\" is not allowed here; known: 'snow', 'sun', 'wind', 'cloud', 'storm', 'rain', 'none'",
        "state.players[0].hand[0]: \"huskey\" is not a card of this ruleset; did you mean 'husky'?",
        "state.players[0].pass: unknown key; did you mean 'passed'?",
        "state.players[0].hand: 'mush' lies on the table 3 times, but the box has 2 for 1 player",
        "state.players[0].hypothermia: is at most 7 here, not 9",
    ]


@pytest.mark.parametrize(
    ("edition", "known", "steps", "hand", "deck"),
    [
        ("2019-02", 0, "deck dinner", ["dinner", "mush"], ["a_hat", "breakfast", "lunch", "move"]),
        ("2017", 2, "", ["a_hat", "dinner", "mush"], ["breakfast", "lunch", "move"]),
    ],
)
def test_cards_that_have_come_up_are_in_the_hand_before_the_turn_is_over(
    edition: str, known: int, steps: str, hand: list[str], deck: list[str]
) -> None:
    cards = ["dinner", "a_hat", "breakfast", "lunch", "move"]
    player = seat(pos=50, hand="lunch mush armour move", deck=" ".join(cards)) | {"known": known}
    position = Board(edition, player, known=(), weather="sun").position
    game, state = position.start()
    for step in filter(None, ("play lunch pay armour move", steps)):
        state = game.apply(state, game.parse_step(state, step)).state
    table = position.after(state).canonical()["state"]["players"][0]
    assert (table["hand"], table["deck"], table["known"]) == (hand, deck, 0)
