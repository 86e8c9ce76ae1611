"""Figures of the Abyss specification, found anew: its puzzles with known answers, its caps, and what can be forced.

Run ``python -m benchmarks.abyss_figures [--time SECONDS] [NAME ...]``; names: ``P1`` to ``P5``, ``G2``, ``G3``, ``G7``.
Every row says what was asked, what the specification states, what was found, and what it cost; ``3+`` is at least 3.

P1 to P5 are whole questions: answered by ``solve``, bound and line, the line replayed. G2 (the player picks the order
of both piles) and G3 (every card wanted is at hand, an adversary picks the Events) are rounds alone, and so is G7 (no
partner at all; ``long`` with Safe alone and cards enough). Found on 22 November 2026: all 15 puzzles as stated, each
within 2 s of processor time; every cell of G2 and G7 as stated, the longest 52 s (the Employer's cap 1 with Safe
alone), most within 3 s; every cell of G3 as stated, 127 s in all, the longest 18 s (own carriers, adventurer, no cap).
The row of own carriers takes two Events of the adversary, Flooding on every trip and Traffic Jam at home: against them
alone nobody wins within six rounds. G5 is in ``benchmarks.abyss_chances``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Final

from puzzles.puzzle import question_of
from rules.abyss.engine import Abyss
from rules.core.challenge import ChanceMode
from rules.core.position import Position, load_position
from solver.encodings.abyss.rounds import RoundSearch
from solver.engines.answers import solve
from solver.question import Answer, Status
from solver.search.budget import Budget

NO_ABILITY: Final = "no ability"
"""An Employer whose ability the ruleset takes away."""
PLAIN: Final[dict[str, Any]] = {"employer": {"modifiers": []}}
FIRST: Final = (
    ("digging", "explore_in_depth", "bribe", "treatment", "flashlight"),
    ("digging", "accept_bribes", "transaction"),
    ("flooding", "earthquake", "safe", "riot"),
)
FIFTH: Final = (
    ("digging", "give_a_speech", "bribe", "treatment", "flashlight"),
    ("give_a_speech", "accept_bribes", "transaction"),
    ("short_of_resource", "forgotten_treasure", "earthquake", "riot"),
)
PUZZLES: Final[dict[str, tuple[Any, int | None, dict[str, int]]]] = {
    "P1": (FIRST, None, {"adventurer": 2, "leader": 3, NO_ABILITY: 3}),
    "P2": (FIRST, 10, {"adventurer": 3, "leader": 3, NO_ABILITY: 3}),
    "P3": (FIRST, 7, {"adventurer": 3, "leader": 3, NO_ABILITY: 4}),
    "P4": (FIRST, 6, {"adventurer": 4, "leader": 4, NO_ABILITY: 4}),
    "P5": (FIFTH, None, {"adventurer": 2, "leader": 2, NO_ABILITY: 2}),
}
EVENTS: Final = (
    *("abandoned_camp", "be_theft", "earthquake", "excavation", "flooding", "forgotten_treasure", "riot"),
    *("short_of_resource", "traffic_jam"),
)
OUTSIDE: Final = {"cap_counts_temps": False}
SAFE: Final = {"event_counts": {**dict.fromkeys(EVENTS, 0), "safe": 40}}
NO_TREASURE: Final = {"event_counts": {"forgotten_treasure": 0}}
SPEECHES: Final = {"give_a_speech": 20, "bribe": 20}
"""More than a pile holds: with the published four nobody talks their way to fame in one pass."""
OTHERS: Final = (
    *("accept_bribes", "assassination", "bribe", "explore_in_depth", "flashlight", "give_a_speech", "theft"),
    *("transaction", "treatment", "unreasonable_clause"),
)
DIGGING: Final = {"digging": 37, **dict.fromkeys(OTHERS, 0)}
CARRIED: Final = {"treasure_needs": "own_carrier"}
CAPS: Final = (None, *range(11))
DASH: Final = 99
"""Not within the rounds that the specification looked at."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table of the specification: rounds by cap, ``CAPS`` in order; nothing where it states none."""

    figure: str
    fate: ChanceMode
    identities: tuple[str, ...]
    stated: tuple[int | None, ...]
    within: int
    """Rounds looked at."""
    options: dict[str, Any] = field(default_factory=dict)
    cards: dict[str, int] = field(default_factory=dict)
    """Copies of Action cards in the box where they are others than published."""
    hand: tuple[str, ...] = FIRST[0]
    """Five cards: only their number matters, because luck or an adversary's patience brings any card."""


_BOTH: Final = ("adventurer", "leader")
_ELSE: Final = (None,) * 11
"""Nothing stated but without a cap."""
STATED: Final = (
    Row("G2", ChanceMode.KIND, _BOTH, (1, 5, 5, 4, 3, 2, 2, 2, 2, 2, 2, 1), 16),
    Row("G2", ChanceMode.KIND, ("employer",), (1, 5, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1), 16),
    Row("G2 temps", ChanceMode.KIND, ("employer",), (1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1), 16, OUTSIDE),
    Row("G2 mute", ChanceMode.KIND, _BOTH, (1, DASH, 6, 4, 3, 2, 2, 2, 2, 2, 2, 1), 16, {"speech_rp": 0}),
    Row("G2 twice", ChanceMode.KIND, _BOTH, (1, 5, 4, *[2] * 8, 1), 16, {"explore_doubling": "compound"}),
    Row("G2 bare", ChanceMode.KIND, _BOTH, (2, 5, 5, 5, 4, 4, 3, 3, 3, 2, 2, 2), 16, NO_TREASURE),
    Row("G2 safe", ChanceMode.KIND, _BOTH, (2, DASH, 10, 8, 6, 5, 4, 3, 3, 3, 3, 2), 16, SAFE),
    Row("G2 safe", ChanceMode.KIND, ("employer",), (2, DASH, 8, 5, 4, 3, 3, 3, 2, 2, 2, 2), 16, SAFE),
    Row("G2 safe t", ChanceMode.KIND, ("employer",), (2, 3, 3, 3, 3, *[2] * 7), 16, {**SAFE, **OUTSIDE}),
    Row("G7", ChanceMode.KIND, ("leader",), (None, 5, *_ELSE[1:]), 16),
    Row("G7 long", ChanceMode.KIND, ("leader",), (None, 9, *_ELSE[1:]), 16, SAFE, SPEECHES),
    Row("G3", ChanceMode.CRUEL, (NO_ABILITY,), (3, None, DASH, DASH, 7, 5, 4, 4, 4, 4, 4, 3), 8),
    Row("G3", ChanceMode.CRUEL, _BOTH, (3, None, DASH, DASH, 7, 5, 4, 4, 3, 3, 3, 3), 8),
    Row("G3", ChanceMode.CRUEL, ("employer",), (2, None, DASH, DASH, 5, 4, 3, 3, 2, 2, 2, 2), 6),
    Row("G3 temps", ChanceMode.CRUEL, ("employer",), (2, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2), 6, OUTSIDE),
    Row("G3 dig", ChanceMode.CRUEL, _BOTH, (3, *_ELSE), 5, cards=DIGGING, hand=("digging",) * 5),
    Row("G3 dig", ChanceMode.CRUEL, (NO_ABILITY,), (DASH, *_ELSE), 5, cards=DIGGING, hand=("digging",) * 5),
    Row("G3 own", ChanceMode.CRUEL, (NO_ABILITY, *_BOTH), (DASH, *[None] * 5, *[DASH] * 6), 6, CARRIED),
)


def position_of(
    identity: str,
    cap: int | None,
    hand: tuple[str, ...] = (),
    piles: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
    counts: Mapping[str, int] | None = None,
    **options: Any,
) -> Position:
    """Return a household at the start of a game, with these piles known, or with none known."""
    counts = counts or ({} if piles is None else {"theft": 20, "safe": 20})
    cards = {"cards": {card: {"count": count} for card, count in counts.items()}} if counts else {}
    plain = {"identities": PLAIN} if identity == NO_ABILITY else {}
    state: dict[str, Any] = {"seats": [{"identity": "employer" if plain else identity, "hand": list(hand)}]}
    if piles is not None:
        actions, events = piles
        state |= {"action_pile": {"front": list(actions)}, "event_pile": {"front": list(events)}}
    data = {
        "game": "abyss",
        "ruleset": {"extends": "abyss/2021", **cards, **plain},
        "players": 1,
        "options": {"partner_cap": "none" if cap is None else cap, **options},
        "chance": {"open": [] if piles is None else ["actions", "events", "picks"]},
        "state": state,
    }
    return load_position(json.dumps(data))


def puzzle(name: str, identity: str, time_s: float | None = None) -> tuple[int | None, Answer[int]]:
    """Return the rounds that a puzzle with a known answer takes, where that is proved, and the report."""
    (hand, actions, events), cap, _ = PUZZLES[name]
    piles = (*actions, *["theft"] * 12), (*events, *["safe"] * 12)
    position, goal = question_of({"objective": "AB-S1"}, position_of(identity, cap, hand, piles, refill="forced"))
    report = solve(position, goal, Budget(time_s=time_s))
    return goal.in_rounds(report.value) if report.status is Status.OPTIMAL else None, report


def fewest(row: Row, identity: str, cap: int | None, time_s: float | None = None) -> tuple[int, bool, int]:
    """Return the fewest rounds, whether that many are proved to be enough, and the rounds played to find out."""
    position = position_of(identity, cap, row.hand, counts=row.cards, **row.options)
    game = position.game
    assert isinstance(game, Abyss)
    search = RoundSearch(game.rulings, position.table(), 0, row.fate, game.goals)
    path = search.fewest(min(row.within, search.horizon), Budget(time_s=time_s).start())
    rounds = DASH if path is None and not search.stopped else search.excluded + 1
    return rounds, not search.stopped, search.edges


def rows(names: list[str], time_s: float | None) -> Iterator[tuple[str, int | None, str, int, str, int]]:
    """Yield the figures: name, cap, identity, stated, found, rounds played."""
    for name, (_, cap, stated) in PUZZLES.items():
        for identity, answer in stated.items():
            if not names or name in names:
                found, report = puzzle(name, identity, time_s)
                shown = f"{report.bound}+ stages" if found is None else str(found)
                yield name, cap, identity, answer, shown, report.statistics.generated
    for row in STATED:
        for identity in row.identities:
            for cap, number in zip(CAPS, row.stated, strict=True):
                if number is None or (names and row.figure.split()[0] not in names):
                    continue
                rounds, sure, ways = fewest(row, identity, cap, time_s)
                shown = f">{row.within}" if rounds == DASH else f"{rounds}" if sure else f"{rounds}+"
                yield row.figure, cap, identity, number, shown, ways


def main() -> None:
    """Print one row a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these figures")
    parser.add_argument("--time", type=float, default=None, help="seconds for each figure; no limit when left out")
    asked = parser.parse_args()
    print(f"{'figure':9} {'cap':>4} {'identity':12} {'stated':>6} {'found':>9} {'rounds':>11} {'cpu s':>7}")
    begun = process_time()
    for figure, cap, identity, stated, found, ways in rows(asked.names, asked.time):
        told = "none" if stated == DASH else str(stated)
        spent, begun = process_time() - begun, process_time()
        shown = "-" if cap is None else cap
        print(f"{figure:9} {shown:>4} {identity:12} {told:>6} {found:>9} {ways:>11,} {spent:>7.1f}", flush=True)


if __name__ == "__main__":
    main()
