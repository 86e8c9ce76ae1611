"""The one-line position code: exact, short, and no slip of the finger goes unseen."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import BestlineError
from rules.core.files import looks_like_code
from rules.core.position import Position, decode_position, load_position, new_position
from tests.bare import bare_position

OPEN = new_position("iditacards/2019-02", seed=1)
CODE = OPEN.code
PUBLISHED = "bl1.iditacards.2019-02.e0d517948d12.AYPLA-X4keT2uDW6HnYLKnc9beTqevenqysA.acf54354"
VARIANT = """
[ruleset]
extends = "iditacards/2017"
cards.mush.energy = 3
[options]
finish_at = 77
[state]
[[state.players]]
pos = 20
hand = ["mush"]
"""


def rechecked(text: str) -> str:
    """Return a changed code with a checksum that fits again."""
    body = text.rpartition(".")[0]
    return f"{body}.{zlib.crc32(body.encode()):08x}"


def test_a_code_is_one_short_word_that_shows_game_ruleset_and_rules() -> None:
    assert re.fullmatch(r"[A-Za-z0-9._-]+", CODE)
    assert CODE.startswith(f"bl2.iditacards.2019-02.{OPEN.ruleset.fingerprint}.")
    assert len(CODE) < 200
    assert looks_like_code(CODE)
    assert looks_like_code(f" {CODE}\n")


@pytest.mark.parametrize("text", ["", "bl1", "bl1.x", "position.toml", "a.b.c", "{}", "bl1.a b.c", "bl1.a.ä"])
def test_what_does_not_look_like_a_code(text: str) -> None:
    assert not looks_like_code(text)


def test_a_published_code_still_reads() -> None:
    """Codes live in other people's notes; in those of version bl1 a zone that is left out is empty."""
    text = '[chance]\nseed = 15\nopen = ["deck", "weather"]\n[state]\nweather = "storm"\n[[state.players]]\npos = 50\n'
    position = bare_position(f'ruleset = "2019-02"\n{text}hand = ["armour", "husky"]\ndeck = ["lunch"]\n')
    assert decode_position(PUBLISHED) == position


def test_a_variant_travels_inside_its_code() -> None:
    position = load_position(VARIANT)
    again = decode_position(position.code)
    assert again.text() == position.text()
    assert again.fingerprint == position.fingerprint
    assert again.options["finish_at"] == 77
    assert again.ruleset.raw["cards"]["mush"]["energy"] == 3


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_wrong_character_is_always_noticed(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(CODE) - 1))
    other = data.draw(st.sampled_from("abcXYZ019-_.").filter(lambda sign: sign != CODE[place]))
    with pytest.raises(BestlineError):
        decode_position(CODE[:place] + other + CODE[place + 1 :])


@pytest.mark.parametrize(
    "slip",
    [
        lambda code, place: code[:place] + code[place + 1 :],
        lambda code, place: code[:place] + "x" + code[place:],
        lambda code, place: code[:place] + code[place : place + 2][::-1] + code[place + 2 :],
        lambda code, place: code[:place],
    ],
    ids=["missing", "added", "swapped", "cut off"],
)
def test_other_slips_are_noticed(slip: Callable[[str, int], str]) -> None:
    for place in range(0, len(CODE), 3):
        wrong = slip(CODE, place)
        if wrong != CODE:
            with pytest.raises(BestlineError):
                decode_position(wrong)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            CODE[:-1] + ("0" if CODE[-1] != "0" else "1"),
            "is damaged: its checksum does not fit; copy it again as a whole",
        ),
        ("bl3" + CODE[3:], "begins with 'bl3', but this bestline reads 'bl2' codes"),
        (rechecked(CODE.replace("iditacards", "chess")), "is for the game 'chess', which this bestline does not know"),
        (rechecked(CODE.replace(OPEN.ruleset.fingerprint, "0" * 12)), "the rules have changed; make a new code from"),
        (rechecked(CODE.replace("2019-02", "2019-03")), "there is no ruleset '2019-03'; did you mean '2019-0"),
        (rechecked(CODE.replace("2019-02", "_" + "A" * 7)), "the variant in the position code cannot be read here"),
        (rechecked(f"{CODE[:40]}!!.x"), "cannot be read; make it again from the position's file"),
        (rechecked(CODE[: CODE.index(".A") + 9] + ".x"), "cannot be read; make it again from the position's file"),
        (rechecked("bl1.a.b.x"), "is damaged"),
    ],
)
def test_what_a_bad_code_is_told(code: str, message: str) -> None:
    with pytest.raises(BestlineError) as caught:
        decode_position(code)
    assert message in str(caught.value)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60))
def test_junk_behind_a_good_checksum_is_refused_too(junk: bytes) -> None:
    head = CODE.rpartition(".")[0].rpartition(".")[0]
    content = CODE[len(head) + 1 : -9]
    for changed in (junk.hex(), content[: len(junk)] + junk.hex()[:8] + content[len(junk) :]):
        code = rechecked(f"{head}.{changed}.x")
        try:
            position = decode_position(code)
        except BestlineError:
            continue
        assert isinstance(position, Position)


ZONE = st.lists(st.sampled_from(["move", "mush", "lunch", "armour", "breakfast", "husky"]), unique=True, max_size=4)


@settings(max_examples=40, deadline=None)
@given(ZONE, ZONE, st.integers(0, 150), st.integers(0, 2**64 - 1), st.booleans(), st.integers(0, 10**9))
def test_any_position_comes_back(
    hand: list[str], deck: list[str], pos: int, seed: int, known: bool, turns: int
) -> None:
    sources = '["deck", "weather"]' if known else "[]"
    text = f"""
ruleset = "2019-08"
players = 3
[chance]
seed = {seed}
open = {sources}
[[state.players]]
hand = {hand}
pos = {pos}
[[state.players]]
deck = {deck}
turns = {turns}
[[state.players]]
"""
    position = bare_position(text)
    assert decode_position(position.code) == position == load_position(position.to_toml())
