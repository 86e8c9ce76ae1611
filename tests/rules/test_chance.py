"""The generator and every test vector of R74, bare and through the setup of a game."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.position import Position, new_position
from rules.core.scripts import SplitMix64, mix, priority_order, stream

DECK, WEATHER = 1, 2
"""Kinds of chance events (R72)."""
FACES = ("snow", "sun", "wind", "cloud", "storm", "rain")
SETUP_DECK = """
    move rest lead_dog upgrade_sled breakfast a_hat grandma_soup first_aid mush move mush dinner lunch good_dog
    breakfast repair_sled lunch repair_sled dog_chow move upgrade_sled first_aid husky move armour
"""
LEGENDARY = "diamorphine robodog nuclear_reactor meditate all_in"
UPGRADES = {
    0: "steam_engine slow_and_steady slow_and_steady",
    1: "thermostat stab_in_the_dark plate_mail",
    2: "midnight_snack torch makeshift_sled",
    3: "harness band_aid leather_jacket",
}


@pytest.mark.parametrize(
    ("state", "outputs"),
    [
        (0, (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)),
        (42, (0xBDD732262FEB6E95, 0x28EFE333B266F103, 0x47526757130F9F52)),
    ],
)
def test_first_outputs(state: int, outputs: tuple[int, ...]) -> None:
    generator = SplitMix64(state)
    assert tuple(generator.next() for _ in outputs) == outputs


def test_mix() -> None:
    assert mix(1) == 0x910A2DEC89025CC1


@pytest.mark.parametrize(
    ("event", "state", "output"),
    [
        ((1, DECK, 0, 0), 0x238275BC38FCBE91, 0x2130748AAAC80268),
        ((1, DECK, 0, 1), 0x2F32A78496C67C60, 0xD9EEF7F073D37C42),
        ((7, DECK, 0, 1), 0xCE0B1836E3781AEB, 0x83E78B663F506C2B),
        ((1, WEATHER, 0, 0), 0x546F36061B6B1313, 0xD6383C097C7C0F99),
    ],
)
def test_streams(event: tuple[int, int, int, int], state: int, output: int) -> None:
    generator = stream(*event)
    assert (generator.state, generator.next()) == (state, output)


def test_below() -> None:
    generator = stream(1, DECK, 0, 0)
    assert [generator.below(10) for _ in range(8)] == [6, 0, 0, 8, 1, 5, 4, 0]


def test_below_draws_again_when_the_range_does_not_divide() -> None:
    # Of the outputs of state 0 only those below 2^63 + 1 count, whole and unchanged: the second is the first of them.
    assert SplitMix64(0).below(2**63 + 1) == 0x6E789E6AA1B965F4


def test_shuffle_of_eight() -> None:
    assert "".join(stream(1, DECK, 0, 0).shuffle("hgfedcba")) == "fhbedgca"


def test_weather_rolls_of_seed_1() -> None:
    rolls = [FACES[stream(1, WEATHER, 0, event).below(6)] for event in range(6)]
    assert rolls == ["rain", "storm", "cloud", "snow", "cloud", "snow"]


@pytest.fixture(scope="module")
def setup() -> Position:
    return new_position("iditacards/2019-02", seed=1)


def test_setup_deck_of_seed_1(setup: Position) -> None:
    player = setup.state["players"][0]
    cards = SETUP_DECK.split()
    assert (player["hand"], player["deck"]) == (sorted(cards[:6]), cards[6:])


def test_setup_legendary_cards_of_seed_1(setup: Position) -> None:
    assert setup.state["players"][0]["legendary"] == sorted(LEGENDARY.split())


def test_setup_upgrade_decks_of_seed_1(setup: Position) -> None:
    assert {place: " ".join(deck[:3]) for place, deck in enumerate(setup.state["upgrade"])} == UPGRADES


def test_setup_weather_of_seed_1(setup: Position) -> None:
    assert setup.state["weather"] == "rain"


@given(st.lists(st.sampled_from("abcde")), st.integers(0, 2**64 - 1), st.data())
def test_a_shuffle_depends_on_the_multiset_only(cards: list[str], seed: int, data: st.DataObject) -> None:
    shuffled = stream(seed, DECK, 0, 0).shuffle(cards)
    assert stream(seed, DECK, 0, 0).shuffle(data.draw(st.permutations(cards))) == shuffled
    assert Counter(shuffled) == Counter(cards)


@given(st.integers(1, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_below_stays_below(n: int, state: int) -> None:
    assert 0 <= SplitMix64(state).below(n) < n


@pytest.mark.parametrize(
    ("order", "cards", "result"),
    [
        ("ba", "aabc", "baac"),
        ("", "cab", "abc"),
        ("xyzc", "abc", "cab"),
        ("aaaa", "ba", "ab"),
        ("cabcab", "abbc", "cabb"),
    ],
)
def test_a_listed_order_is_a_list_of_priorities(order: str, cards: str, result: str) -> None:
    assert "".join(priority_order(order, cards)) == result


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcdef")))
def test_a_listed_order_loses_and_adds_no_card(cards: list[str], order: list[str]) -> None:
    assert Counter(priority_order(order, cards)) == Counter(cards)
