"""What must agree between the tables of a ruleset."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import BestlineError, ContentError
from rules.core.files import Faults, Source, read_text
from rules.core.registry import Ruleset
from rules.core.ruleset import load_inline_ruleset, load_ruleset
from rules.iditacards.definition import IditacardsDefinition
from tests.rules.junk import places

CARD = {"name": "New", "type": "movement", "deck": "speed", "copies": 1, "energy": 0, "health": 0, "risk": 0}


def inline(extends: str, changes: dict[str, Any]) -> Ruleset:
    table = {"ruleset": {"extends": f"iditacards/{extends}", **changes}}
    return load_inline_ruleset(read_text(json.dumps(table)).part("ruleset"))


@pytest.mark.parametrize(
    ("extends", "changes", "message"),
    [
        (
            "2019-02",
            {"cards": {"x": {**CARD, "type": "damage"}}},
            "cards.x.deck: cards of type damage, and no others, lie",
        ),
        (
            "2019-02",
            {"cards": {"x": {**CARD, "deck": "damage"}}},
            "cards.x.deck: cards of type damage, and no others, lie",
        ),
        ("2019-08", {"cards": {"x": {**CARD, "deck": "race", "type": "utility"}}}, "'utility' is no card type of this"),
        (
            "2019-02",
            {"cards": {"x": {**CARD, "type": "dog", "effects": [{"op": "start_in_play"}]}}},
            "cards.x.effects[0].op: only a card of the starter deck can start in play",
        ),
        (
            "2019-02",
            {"cards": {"x": {**CARD, "type": "dog", "effects": [{"op": "death_shield"}]}}},
            "'death_shield' works only on a card of type attachment, not on a dog card",
        ),
        (
            "2019-02",
            {"cards": {"x": {**CARD, "type": "dog", "effects": [{"op": "speed", "n": 1, "while": "always"}]}}},
            '"always" is not allowed here',
        ),
        (
            "2019-02",
            {"cards": {"x": {**CARD, "type": "dog", "effects": [{"op": "speed", "n": 1, "when": "eaten_today"}]}}},
            "cards.x.effects[0].when: unknown key",
        ),
        ("2019-02", {"cards": {"x": {**CARD, "effects": ["move"]}}}, 'must be a table such as { op = "move" }'),
        ("2019-02", {"cards": {"x": {**CARD, "effects": [{"n": 1}]}}}, "the key 'op' is missing; it names the effect"),
        ("2019-02", {"cards": {"X y": CARD}}, '"X y" is not an id: small letters, digits and _'),
        (
            "2019-02",
            {"legs": {"hills": {"effects": [{"op": "speed", "n": 1}]}}},
            "'speed' is an op of a card, not of a leg",
        ),
        ("2019-02", {"legs": {"hills": {"hypothermia_solo": 0}}}, "must not be below the leg's hypothermia of 1"),
        ("2019-02", {"legs": {"hills": {"remove": True}}}, "'hills' is no leg of this ruleset"),
        (
            "2019-08",
            {"legs": {"ledge": {"remove": True}, "cliff_face": {"type": 5}}},
            "'cliff_face' is no leg of type 6",
        ),
        (
            "2019-08",
            {"boards": {"standard": {"default_legs": ["hills"]}}},
            "boards.standard.sections[2].leg: 'default_legs' of the board names no leg of type 2",
        ),
        ("2019-02", {"boards": {"standard": {"spaces": 161}}}, "end at space 160, but the board has 161 spaces"),
        ("2019-02", {"boards": {"standard": {"remove": True}}}, "'standard' is none of the boards of this ruleset"),
        ("2019-02", {"options": {"board_layout": "soltaire_2018"}}, "did you mean 'solitaire_2018'?"),
        ("2019-08", {"options": {"board_layout": "solitaire_2018"}}, "known: 'standard'"),
        ("2019-02", {"rules": {"weather": ["sun"] * 6}}, 'rules.weather[1]: "sun" stands twice in the list'),
        ("2019-02", {"rules": {"death_at": 6}}, "'death_at' needs 'death_back', the spaces a sled is thrown back"),
        ("2019-02", {"decks": {"speed": {"role": "starter"}}}, "exactly one deck with the role 'starter', not 2"),
        ("2019-02", {"cards": {"damaged": {"remove": True}}}, "must hold exactly one kind of card, not 0"),
        ("2017", {"rules": {"legendary_dealt": 1}}, "must be 0 without a deck with the role 'legendary'"),
    ],
)
def test_what_does_not_fit_together(extends: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ContentError) as caught:
        inline(extends, changes)
    assert message in str(caught.value)


def test_a_shipped_table_that_a_variant_spoils_names_the_variant() -> None:
    with pytest.raises(ContentError) as caught:
        inline("2019-02", {"legs": {"village": {"remove": True}}})
    assert [str(fault).partition(":")[2].partition(": ")[2] for fault in caught.value.faults] == [
        f"boards.{board}.sections[9].leg: 'village' is no leg of this ruleset; legs: 'town', 'hills', 'blizzard', "
        "'frozen_lake', 'rope_bridge', 'mountain', 'wasteland', 'forest', 'cliff_face', 'none', 'type1'; "
        "change it in a variant written in the position"
        for board in ("standard", "solitaire_2018")
    ]


def test_a_variant_may_bring_a_board_a_leg_and_a_deck_of_its_own() -> None:
    ruleset = inline(
        "2019-02",
        {
            "options": {"board_layout": "loop", "finish_at": 21},
            "boards": {"loop": {"spaces": 20, "sections": [{"leg": "ice", "from": 1, "to": 20}], "checkpoints": [10]}},
            "legs": {"ice": {"name": "Ice", "hypothermia": 1, "effects": [{"op": "leg_risk_mult", "n": 2}]}},
            "decks": {"extra": {"role": "upgrade", "cards": 1}},
            "cards": {"skate": {**CARD, "deck": "extra", "effects": [{"op": "move", "n": 2, "unless": "eaten_today"}]}},
        },
    )
    assert ruleset.raw["decks"]["extra"]["cards"] == 1


BASE = {
    name: {key: table[key] for key in list(table)[-9:]} if name == "cards" else table
    for name, table in load_ruleset("iditacards/2019-08").raw.items()
}
PLACES = places(BASE)
JUNK: list[Any] = [None, True, -1, 0, 7, 10**30, 1.5, "", "mush", "all", [], [[]], ["hills"], {}, {"op": "move"}]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_junk_anywhere_in_a_ruleset_is_more_than_a_fault(data: st.DataObject) -> None:
    """Whatever stands in the place of whatever value, looking at it ends in faults or in none, never in an error."""
    raw = copy.deepcopy(BASE)
    for _ in range(data.draw(st.integers(1, 3))):
        *outer, last = data.draw(st.sampled_from(PLACES))
        target: Any = raw
        try:
            for part in outer:
                target = target[part]
            target[last] = copy.deepcopy(data.draw(st.sampled_from(JUNK)))
        except (KeyError, IndexError, TypeError):
            continue
    game = IditacardsDefinition()
    faults = Faults()
    game.ruleset_schema().check(raw, (), faults)
    base = load_ruleset("iditacards/2019-02")
    changed = Source({"cards": raw.get("cards")}, "")
    game.check_ruleset(replace(base, raw=raw, layers=(*base.layers, changed)), faults)
    if not faults.found:
        assert game.facts(raw)["cards"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_junk_in_a_variant_is_more_than_a_fault(data: st.DataObject) -> None:
    changes: dict[str, Any] = {
        "rules": {"starting_hand": 5},
        "cards": {
            "mush": {"energy": 3, "effects": [{"op": "move", "n": 9}]},
            "rest": {"remove": True},
            "x": dict(CARD),
        },
        "decks": {"speed": {"sets": 2}},
        "order": {"legs": []},
        "assert": [{"metric": "x", "min": 1}],
    }
    *outer, last = data.draw(st.sampled_from(places(changes)))
    target: Any = changes
    for part in outer:
        target = target[part]
    target[last] = copy.deepcopy(data.draw(st.sampled_from(JUNK)))
    try:
        inline("2019-02", changes)
    except BestlineError as error:
        told = str(error)
    else:
        told = "clean"
    assert told
