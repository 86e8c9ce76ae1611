"""Positions: every input form, the canonical form, the position code's door, unfinished turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import BestlineError, ContentError, word_list
from rules.core.files import canonical_json, read_text
from rules.core.position import Position, load_position, new_position, read_position
from rules.core.registry import game_names
from rules.core.ruleset import list_rulesets, load_ruleset
from rules.core.scripts import OVER
from tests.rules.junk import spoil

SMALL = """
ruleset = "2019-02"
[chance]
seed = 15
open = ["weather", "deck"]
[state]
weather = "storm"
[[state.players]]
pos = 50
hand = ["husky", "armour", "breakfast"]
deck = ["lunch", "repair_sled"]
dogs = [{ dog = "wheel_dog" }]
"""
"""Written with whatever may be left out left out."""


def small(**changes: Any) -> dict[str, Any]:
    return {**read_text(SMALL).data, **changes}


def of(table: dict[str, Any]) -> Position:
    return load_position(json.dumps(table))


def refusal(text: str) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load_position(text)
    return [str(fault) for fault in caught.value.faults]


def walked(position: Position, choices: list[int]) -> Position:
    """Return the position after some steps, each the n-th of those open."""
    game, state = position.start()
    for choice in choices:
        steps = game.legal_moves(state) or game.chance_outcomes(state)
        if game.to_act(state) == OVER:
            break
        state = game.apply(state, steps[choice % len(steps)]).state
    return position.after(state)


def test_toml_json_a_file_and_a_code_are_one_position(tmp_path: Path) -> None:
    position = load_position(SMALL)
    file = tmp_path / "position.toml"
    file.write_text(SMALL, encoding="utf-8")
    for same in (of(small()), load_position("position.toml", tmp_path), load_position(position.code)):
        assert same.text() == position.text()
        assert same == position or same.ruleset is position.ruleset


def test_the_canonical_form_is_complete_and_reads_back_byte_for_byte() -> None:
    position = load_position(SMALL)
    form = position.canonical()
    assert list(form) == ["chance", "game", "options", "players", "ruleset", "state"]
    assert form["chance"] == {"lists": {}, "open": ["deck", "weather"], "seed": 15}
    assert (form["game"], form["ruleset"], form["players"]) == ("iditacards", "2019-02", 1)
    assert form["options"] == dict(position.values)
    assert form["state"]["players"][0]["hand"] == ["armour", "breakfast", "husky"]
    assert load_position(position.text()).text() == position.text()


def test_options_equal_to_those_of_the_ruleset_change_nothing() -> None:
    position = of(small(options={"pass_turn": False, "finish_at": 161}))
    assert position.text() == load_position(SMALL).text()
    changed = of(small(options={"pass_turn": True}))
    assert changed.options == {"pass_turn": True}
    assert changed.fingerprint != position.fingerprint == position.ruleset.fingerprint


def test_toml_for_people_leaves_out_what_follows_from_the_rest() -> None:
    text = load_position(SMALL).to_toml()
    assert "hypothermia" not in text
    assert "damage_left" not in text
    assert load_position(text).text() == load_position(SMALL).text()


@pytest.mark.parametrize("ruleset", [info.id for info in list_rulesets()])
@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("known", ["all", "none", "some"])
def test_a_starting_position_in_every_form(ruleset: str, alone: bool, known: str) -> None:
    rules = load_ruleset(ruleset)
    players = rules.definition.players_allowed(rules)[0 if alone else 1]
    open_sources = {"all": None, "none": (), "some": [*rules.definition.sources][:2]}[known]
    position = new_position(ruleset, players, 7, open_sources)
    assert position.players == players
    assert position.chance.seed == (None if known == "none" else 7)
    for form in (position.text(), position.to_toml(), position.code):
        assert load_position(form) == position
    assert position.with_table(position.table()) == position


def test_a_position_without_a_state_is_the_starting_position() -> None:
    text = 'ruleset = "2019-02"\n[chance]\nseed = 7\nopen = ["deck", "weather"]\n'
    assert load_position(text) == new_position("iditacards/2019-02", 1, 7, ("deck", "weather"))
    hidden = load_position('ruleset = "2019-02"\n[chance]\nseed = 7\n')
    assert hidden == new_position("iditacards/2019-02", 1, 7, ())
    assert hidden.chance.seed is None


def test_what_is_open_and_what_is_hidden() -> None:
    assert new_position("iditacards/2019-02").information == "open"
    position = new_position("iditacards/2019-02", 1, 7, ("deck", "weather"))
    assert (position.information, position.hidden) == ("hidden", ("upgrade",))
    assert new_position("iditacards/2019-02", 2, 7, ("deck", "upgrade", "weather")).hidden == ("opponents",)


def test_a_variant_beside_the_position_and_one_inside_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "v.toml").write_text('extends = "iditacards/2019-02"\ncards.mush.energy = 3\n', "utf-8")
    (tmp_path / "deep" / "p.toml").write_text(SMALL.replace('"2019-02"', '"v.toml"'), "utf-8")
    position = load_position("deep/p.toml", tmp_path)
    inside = of(small(ruleset={"extends": "2019-02", "cards": {"mush": {"energy": 3}}}))
    assert position.canonical()["ruleset"] == {"cards": {"mush": {"energy": 3}}, "extends": "iditacards/2019-02"}
    assert inside.text() == position.text()
    assert inside.fingerprint == position.fingerprint != load_position(SMALL).fingerprint
    for form in (position.text(), position.to_toml(), position.code):
        again = load_position(form)
        assert again.text() == position.text()
        assert again.ruleset.raw["cards"]["mush"]["energy"] == 3


def test_faults_of_a_variant_inside_a_position_have_its_key_path() -> None:
    text = SMALL.replace('ruleset = "2019-02"', "[ruleset]\nextends = '2019-02'\ncards.mush.enery = 3")
    assert refusal(text) == ["4: ruleset.cards.mush.enery: unknown key; did you mean 'energy'?"]


def test_a_line_of_conformance_vectors_is_a_position() -> None:
    extras = {"id": "x-1", "tags": ["a"], "turns": 2, "positions": 3, "terminal": 0, "digest": "00"}
    position = of(small(**extras))
    assert position.text() == load_position(SMALL).text()


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        (
            {"ruleset": 5},
            ["1: ruleset: must be the name of a ruleset, or the path of a variant file, or a table, not 5"],
        ),
        ({"ruleset": "2019-2"}, ["1: ruleset: there is no ruleset '2019-2'; did you mean '2019-02'?"]),
        ({"ruleset": "nothing.toml"}, ["1: ruleset: there is no file 'nothing.toml'; check the name and the folder"]),
        ({"game": "chess"}, [f'1: game: "chess" is not a game; known: {word_list(game_names())}']),
        ({"plyers": 1}, ["1: plyers: unknown key; did you mean 'players'?"]),
        ({"players": 2}, ["1: players: says 2, but the state shows 1 players"]),
        ({"players": "1"}, ['1: players: must be a whole number of at least 1, not "1"']),
        ({"state": {"players": [{}] * 5}}, ["1: state.players: 5 players; 'iditacards/2019-02' is for 1 to 4"]),
        ({"state": 5}, ["1: state: must be a table, not 5"]),
        (
            {"chance": {"open": ["deck"]}},
            ["1: chance: 'deck' open without results; give chance.seed or chance.lists.deck"],
        ),
        ({"chance": {"open": "all"}}, ['1: chance.open: must be a list, not "all"']),
        ({"chance": {"open": ["dek"]}}, ["1: chance.open[0]: \"dek\" is not a source of chance; did you mean 'deck'?"]),
        ({"chance": {"seed": 2**64}}, [f"1: chance.seed: must be a whole number from 0 to {2**64 - 1}, not {2**64}"]),
        ({"chance": {"seed": True}}, [f"1: chance.seed: must be a whole number from 0 to {2**64 - 1}, not true"]),
        (
            {"chance": {"lists": {"weather": ["sun"]}}},
            ["1: chance.lists.weather: is given, but 'weather' is hidden; add it to chance.open or take the list out"],
        ),
        ({"options": {"pas_turn": True}}, ["1: options.pas_turn: unknown key; did you mean 'pass_turn'?"]),
        (
            {"options": {"board_layout": "solo"}},
            [
                "1: options.board_layout: 'solo' is none of the boards of this ruleset; known: 'standard', "
                "'solitaire_2018'"
            ],
        ),
        (
            {"state": {"pending": {"from": {}}}},
            ["1: state.pending: the key 'moves' is missing; it must be a list"],
        ),
    ],
)
def test_one_fault_is_told_alone(changes: dict[str, Any], messages: list[str]) -> None:
    assert refusal(json.dumps(small(**changes))) == messages


def test_a_position_inside_another_text_tells_its_faults_there() -> None:
    source = read_text(
        '[puzzle]\nid = "x"\n[position]\nruleset = "2019-02"\nid = "y"\n[position.state]\npos = 1\n', "f.toml"
    )
    with pytest.raises(ContentError) as caught:
        read_position(source.part("position"))
    assert [str(fault) for fault in caught.value.faults] == [
        "f.toml:5: position.id: unknown key; known keys: 'game', 'ruleset', 'players', 'options', 'chance', 'state'",
        "f.toml:7: position.state.pos: unknown key; known keys: 'active', 'counters', 'damage_left', 'day', "
        "'destroyed', 'final', 'freeze', 'legs', 'over', 'players', 'supply', 'upgrade', 'weather'",
    ]


def test_neither_a_state_nor_a_seed() -> None:
    assert refusal('ruleset = "2019-02"\n') == [
        "there is neither a state nor chance.seed to deal one; give one of them"
    ]


def test_options_the_engine_cannot_carry_are_refused_by_name() -> None:
    text = 'ruleset = "trench_rescue/2012"\noptions.shell_count_of = "own"\nchance = { open = ["deck"], seed = 1 }\n'
    assert [fault.removesuffix(" is not supported by this engine") for fault in refusal(text)] == [
        "2: options: option `shell_count_of = own` without `barrage_timing = after_each`",
        "2: options: an open `deck` with hidden `cards`",
    ]


@pytest.mark.parametrize("reference", ["", "  \n", "nothing.toml", ".", "{", "[[[\n", "a" * 200, "bl1.x.y", "\0\n"])
def test_what_is_no_position_is_refused_in_words(reference: str, tmp_path: Path) -> None:
    with pytest.raises(BestlineError) as caught:
        load_position(reference, tmp_path)
    assert str(caught.value)


def test_a_file_that_looks_like_a_code_is_read_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "bl1.a.b").write_text(SMALL, "utf-8")
    assert load_position("bl1.a.b", tmp_path).text() == load_position(SMALL).text()


def test_new_positions_refuse_what_is_not_possible() -> None:
    with pytest.raises(ContentError) as caught:
        new_position("iditacards/2019-02", 5, -1, ("deck", "dice"))
    assert [str(fault) for fault in caught.value.faults] == [
        "players: 5 players; 'iditacards/2019-02' is for 1 to 4",
        "chance.open[1]: \"dice\" is not a source of chance; known: 'deck', 'legendary', 'legs', 'opponents', "
        "'upgrade', 'weather'",
        f"chance.seed: must be a whole number from 0 to {2**64 - 1}, not -1",
    ]


def test_an_unfinished_turn_is_kept_as_the_moves_since_it_began() -> None:
    position = new_position("iditacards/2019-02", 1, 7, ("deck",))
    game, state = position.start()
    middle = position.after(game.apply(state, game.parse_step(state, "new_day")).state)
    assert middle.pending == ("new_day",)
    shown = middle.canonical()["state"]
    assert shown["pending"] == {"from": position.canonical()["state"], "moves": ["new_day"]}
    assert (shown["players"][0]["hand"], shown["day"]) == ([], 1), "the table as it lies while the die rolls"
    for form in (middle.text(), middle.to_toml(), middle.code):
        again = load_position(form)
        assert again.text() == middle.text()
        assert again.start()[1] == middle.start()[1]


def test_a_pending_move_that_is_not_open_is_told() -> None:
    table = small()
    table["state"] = {"pending": {"from": table["state"], "moves": ["play mush"]}}
    (told,) = refusal(json.dumps(table))
    assert told.startswith("1: state.pending.moves: ")


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([info.id for info in list_rulesets()]),
    st.booleans(),
    st.integers(0, 2**64 - 1),
    st.integers(0, 10),
    st.lists(st.integers(0, 10**6), max_size=25),
)
def test_positions_met_in_play_read_back_in_every_form(
    ruleset: str, alone: bool, seed: int, known: int, choices: list[int]
) -> None:
    rules = load_ruleset(ruleset)
    players = rules.definition.players_allowed(rules)[0 if alone else 1]
    sources = [*rules.definition.sources][: known % (1 + len(rules.definition.sources))]
    position = walked(new_position(ruleset, players, seed, sources), choices)
    for form in (position.text(), position.to_toml(), position.code):
        assert load_position(form) == position


JUNK: list[Any] = [None, True, -1, 0, 7, 10**30, 1.5, "", "mush", "none", "x" * 70, [], [[]], ["mush"], {}, {"a": 1}]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_junk_anywhere_is_more_than_a_fault(data: st.DataObject) -> None:
    """Whatever stands in the place of whatever value, the answer is a position or faults, never another error."""
    table = json.loads(new_position("iditacards/2019-08", 2, 3, ("deck", "weather")).text())
    table["state"]["upgrade"] = [deck[:3] for deck in table["state"]["upgrade"]]
    table["state"]["players"][0]["stack"] = [{"card": "husky", "need": 2, "paid": 0, "n": 0, "day": 0, "step": "risk"}]
    table["chance"]["lists"] = {"deck": [[["mush"]], []], "weather": ["sun"]}
    for _ in range(data.draw(st.integers(1, 3))):
        spoil(data, table, JUNK)
    try:
        position = load_position(canonical_json(table))
    except BestlineError:
        return
    assert load_position(position.text()) == position
