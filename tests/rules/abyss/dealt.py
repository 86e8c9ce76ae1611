"""Starting positions of Abyss under whatever rulings, drawn for tests of what holds in all of them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from rules.abyss import content
from rules.core.position import Position, new_position
from tests.bare import bare_position
from tests.rules.abyss.boards import OPEN

NUMBERS: dict[str, list[Any]] = {
    "speech_rp": [0, 1, 3],
    "partner_supply": [2, {"homeless": 3}],
    "first_refill_round": [2],
    "partner_cap": [0, 2, 5],
    "treasure_supply": [3],
    "temp_hp": [1, 3],
    "round_limit": [2],
    "event_counts": [{"flooding": 12, "riot": 12}],
}
"""Numbers and tables to try, beside the values that are words."""


def answers(name: str) -> list[Any]:
    row = content.OPTIONS.rows[name]
    if isinstance(row["neutral"], bool):
        return [True, False]
    return [*row.get("values", {}), *NUMBERS.get(name, [])]


OPTIONS = st.dictionaries(st.sampled_from(sorted(content.OPTIONS.rows)), st.integers(0, 9), max_size=8).map(
    lambda chosen: {name: answers(name)[number % len(answers(name))] for name, number in chosen.items()}
)
IDENTITIES = st.sampled_from(["adventurer", "employer", "leader"])


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a starting position under some rulings, with somewhat more to spend than usual."""
    options = draw(OPTIONS)
    if options.get("hire_overdraft"):
        options |= {"partner_cap": 4, "cap_counts_temps": True}
    identities = draw(st.lists(IDENTITIES, min_size=1, max_size=3, unique=options.get("identity_choice") == "unique"))
    known = draw(st.sets(st.sampled_from(OPEN)))
    data = json.loads(new_position("abyss/2021", len(identities), draw(st.integers(0, 99)), sorted(known)).text())
    data["options"] = options
    del data["state"]["action_pile"], data["state"]["event_pile"]  # they hold the rest of the box under these options
    for seat, identity in zip(data["state"]["seats"], identities, strict=True):
        seat |= {"identity": identity, "ap": draw(st.integers(-2, 8)), "explore_pending": draw(st.booleans())}
    return bare_position(json.dumps(data))
