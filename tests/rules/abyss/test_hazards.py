"""How likely this round's Event kills a partner: exact, from the Events that can still come."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.rules.abyss.boards import EVENTS, board, engine, plan, seat

HIDDEN = ("actions", "picks")
TEAM = ["homeless:2", "homeless:1", "trained_person:5"]
FIFTH, TENTH = Fraction(1, 5), Fraction(1, 10)


def chances(*seats: Any, index: int = 0, **more: Any) -> dict[str, Fraction]:
    position = board(*seats, **{"known": HIDDEN, "events": EVENTS, **more})
    return {f"{one.subject} {one.what}": one.chance for one in engine(position).hazards(position.table(), index)}


def test_before_the_choice_both_places_are_told() -> None:
    """Four Floods and four Earthquakes among forty cards, and four Riots (2, 7)."""
    assert chances(seat(identity="leader", partners=TEAM)) == {
        "1 homeless (2 HP) dies in the Abyss": FIFTH,
        "1 homeless (1 HP) dies in the Abyss": FIFTH,
        "1 trained_person (5 HP) dies in the Abyss": 0,
        "all partners die in the Abyss": 0,
        "1 homeless (2 HP) dies in the City": 0,
        "1 homeless (1 HP) dies in the City": TENTH,
        "1 trained_person (5 HP) dies in the City": 0,
        "all partners die in the City": 0,
    }


@pytest.mark.parametrize(
    ("identity", "boost", "homeless", "citizen"),
    [
        ("leader", False, FIFTH, TENTH),
        ("adventurer", False, TENTH, Fraction(0)),
        ("leader", True, FIFTH, FIFTH),
        ("adventurer", True, FIFTH, TENTH),
    ],
)
def test_rule_10_2_what_changes_a_loss(identity: str, boost: bool, homeless: Fraction, citizen: Fraction) -> None:
    team = seat(identity=identity, partners=["homeless:2", "ordinary_citizen:3"], explore_pending=boost)
    found = chances(team)
    assert found["1 homeless (2 HP) dies in the Abyss"] == homeless
    assert found["1 ordinary_citizen (3 HP) dies in the Abyss"] == citizen
    assert found["all partners die in the Abyss"] == min(homeless, citizen)


def test_a_card_laid_aside_works_first() -> None:
    """Flashlight stops the Riot that would kill (10.3)."""
    away: dict[str, Any] = {"phase": "deal"}
    dark = seat(partners=["homeless:1"], plan=plan("bribe"))
    lit = seat(partners=["homeless:1"], plan=plan("flashlight"))
    assert chances(dark, **away) == {"1 homeless (1 HP) dies in the City": TENTH}
    assert chances(lit, **away) == {"1 homeless (1 HP) dies in the City": 0}


def test_an_event_face_down_is_any_that_would_not_have_been_turned_up() -> None:
    """In the City, Short of Resource and Traffic Jam show at once: 4 Riots of the 32 others (5.E)."""
    usual = [card for card in EVENTS if card not in ("traffic_jam", "short_of_resource")]
    for dealt in ("riot", "safe"):
        team = seat(partners=["homeless:1"], plan=plan("bribe"), event=dealt)
        left = [*usual, "traffic_jam", "short_of_resource"]
        left.remove(dealt)
        found = chances(team, events=sorted(left), phase="act")
        assert found == {"1 homeless (1 HP) dies in the City": Fraction(4, 32)}


def test_what_is_known_is_certain() -> None:
    team = seat(partners=["homeless:1"], plan=plan("bribe"))
    for event, chance in (("riot", 1), ("flooding", 0)):
        found = chances(team, known=(*HIDDEN, "events"), events=[event], phase="deal")
        assert found == {"1 homeless (1 HP) dies in the City": chance}


def test_where_events_reach_everybody_those_of_others_count() -> None:
    """Either seat's Riot kills, if its drawer is there too: 1 - (36/40)(35/39) (AB-Q17)."""
    one, two = seat(partners=["homeless:1"], plan=plan("bribe")), seat(plan=plan(None))
    alone = chances(one, two, phase="deal")
    shared = chances(one, two, phase="deal", options={"event_scope": "everyone_there"})
    assert alone == {"1 homeless (1 HP) dies in the City": TENTH}
    assert shared == {"1 homeless (1 HP) dies in the City": 1 - Fraction(36 * 35, 40 * 39)}


def test_nobody_is_in_danger_once_the_event_is_over() -> None:
    assert chances(seat(partners=["homeless:1"]), phase="refill") == {}
    assert chances(seat()) == {}


def test_every_card_that_a_theft_may_bring_counts() -> None:
    """What is taken changes what the second card offers first; the Riot comes whatever that is (5.F, 6, 6.1)."""
    both = plan("theft", "city", ("transaction", "city"))
    own = seat(identity="employer", partners=["homeless:1"], temps=1, hand=["digging"], plan=both, event="riot")
    other = seat(hand=["bribe", "theft"], plan=plan("bribe"))
    found = chances(own, other, known=("actions", "events"), events=["safe"], phase="act")
    assert found == {"1 homeless (1 HP) dies in the City": 1}
