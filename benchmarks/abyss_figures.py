"""Figures of the Abyss specification, found anew by the search: its puzzles with known answers and its caps.

Run ``python -m benchmarks.abyss_figures [--time SECONDS] [NAME ...]``; names are ``P1`` to ``P5`` and ``G2``. Every row
says what was asked, what the specification states, what the search says, and what it cost. A limit that was hit shows
what is left: ``2..3`` is proved to be at least 2 with a line of 3 at hand, ``3+`` at least 3 with none.

Found so far: P1 for the adventurer 2, proved in 11 s of processor time; P5 for all three 2, round 1 excluded and a line
of two rounds found in 18 to 30 s; P1 for the leader at least 3 within 8 s. The others have not been run to their end.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time
from typing import Any, Final

from puzzles.loader import question_of
from rules.core.position import load_position
from solver.report import Limit, Report, Status
from solver.solve import solve

NO_ABILITY: Final = "employer"
"""Made an identity without any ability by ``RULES``."""
PLAIN: Final[dict[str, Any]] = {"identities": {NO_ABILITY: {"modifiers": []}}}
RULES: Final[dict[str, Any]] = {"extends": "abyss/2021", "cards": {"theft": {"count": 20}, "safe": {"count": 20}}}
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
CALM: Final = (("digging",) * 5, ("digging",), ("safe",))
LUCKY: Final = (("digging",) * 5, ("digging",), ("forgotten_treasure",))


@dataclass(frozen=True, slots=True)
class Case:
    """One figure: hand, Action pile and Event pile of a first round, a cap, and the rounds that are stated."""

    name: str
    cards: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    cap: int | None
    identity: str
    stated: int


def cases() -> Iterator[Case]:
    """Yield every figure."""
    stated: dict[str, tuple[int | None, tuple[int, int, int]]] = {
        "P1": (None, (2, 3, 3)),
        "P2": (10, (3, 3, 3)),
        "P3": (7, (3, 3, 4)),
        "P4": (6, (4, 4, 4)),
        "P5": (None, (2, 2, 2)),
    }
    identities = ("adventurer", "leader", NO_ABILITY)
    for name, (cap, rounds) in stated.items():
        for identity, answer in zip(identities, rounds, strict=True):
            yield Case(name, FIFTH if name == "P5" else FIRST, cap, identity, answer)
    for cap, answer in ((None, 1), (10, 1), (9, 2), (5, 2), (4, 2)):
        yield Case("G2", LUCKY, cap, "adventurer", answer)
    for cap, answer in ((None, 2), (10, 2)):
        yield Case("G2 calm", CALM, cap, "adventurer", answer)


def answer(case: Case, time_s: float | None) -> tuple[str, Report]:
    """Return the rounds that the search finds, as text, and its report."""
    hand, actions, events = case.cards
    rules: dict[str, Any] = {**RULES, **(PLAIN if case.identity == NO_ABILITY else {})}
    cards = dict(rules["cards"])
    if case.cards in (LUCKY, CALM):
        actions, events = actions * 8, events * 8
        cards |= {"digging": {"count": 20}, "forgotten_treasure": {"count": 20}}
    else:
        actions, events = actions + ("theft",) * 12, events + ("safe",) * 12
    data = {
        "game": "abyss",
        "ruleset": {**rules, "cards": cards},
        "options": {"refill": "forced", "partner_cap": "none" if case.cap is None else case.cap},
        "chance": {"open": ["actions", "events", "picks"]},
        "state": {
            "seats": [{"identity": case.identity, "hand": list(hand)}],
            "action_pile": {"front": list(actions)},
            "event_pile": {"front": list(events)},
        },
    }
    position, goal = question_of({"objective": "AB-S1"}, load_position(json.dumps(data)))
    report = solve(position, goal, Limit(time_s=time_s))
    value, bound = goal.told(report.value), goal.told(report.bound)
    if report.status is Status.OPTIMAL:
        return str(value), report
    return (f"{bound}+" if value is None else f"{bound}..{value}"), report


def main() -> None:
    """Print one row a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these figures, by their first letters")
    parser.add_argument("--time", type=float, default=None, help="seconds for each figure; no limit when left out")
    asked = parser.parse_args()
    print(f"{'figure':8} {'cap':>4} {'identity':12} {'stated':>6} {'found':>6} {'positions':>10} {'cpu s':>7}")
    for case in cases():
        if asked.names and not any(case.name.startswith(name) for name in asked.names):
            continue
        begun = process_time()
        found, report = answer(case, asked.time)
        identity = "no ability" if case.identity == NO_ABILITY else case.identity
        cap = "-" if case.cap is None else case.cap
        cost = f"{report.statistics.generated:>10,} {process_time() - begun:>7.1f}"
        print(f"{case.name:8} {cap:>4} {identity:12} {case.stated:>6} {found:>6} {cost}", flush=True)


if __name__ == "__main__":
    main()
