"""Figures of sections 13.3 and 14 in rounds, found anew by search: P1 to P5 whole, G2, G3 and G7 where that is quick.

``python -m benchmarks.abyss_figures`` finds the others.
"""

from __future__ import annotations

import pytest

from benchmarks.abyss_figures import CAPS, NO_ABILITY, PUZZLES, STATED, Row, fewest, puzzle

EMPLOYER = {"G2": (0,), "G2 safe": (4,), "G2 temps": (0,), "G3": (1,), "G3 temps": (0,)}
"""Caps at which the Employer's figures are quick."""
WHOLE = ("G3 dig", "G7", "G7 long")
"""Rows that are quick in full."""
QUICK = [
    pytest.param(row, identity, cap, number, id=f"{row.figure}-{identity}-{cap}")
    for row in STATED
    for identity in row.identities
    for cap, number in zip(CAPS, row.stated, strict=True)
    if number is not None
    and (
        cap in EMPLOYER.get(row.figure, ())
        if identity == "employer"
        else row.figure in WHOLE
        or (row.figure in ("G2", "G2 safe") and identity in ("adventurer", NO_ABILITY) and cap in (None, 5, 10))
        or (row.figure == "G3" and identity == NO_ABILITY and cap in (None, 5, 10))
    )
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "identity", "rounds"),
    [
        pytest.param(name, identity, rounds, id=f"{name}-{identity}")
        for name, (_, _, stated) in PUZZLES.items()
        for identity, rounds in stated.items()
    ],
)
def test_rule_13_3_the_puzzles_with_known_answers(name: str, identity: str, rounds: int) -> None:
    """Proved from both sides: fewer rounds are excluded, and a line of so many is replayed."""
    found, report = puzzle(name, identity)
    assert found == rounds
    assert report.line
    assert report.proof.checked_by == ("replay",)


@pytest.mark.slow
@pytest.mark.parametrize(("row", "identity", "cap", "rounds"), QUICK)
def test_g2_g3_and_g7_rounds_by_cap(row: Row, identity: str, cap: int | None, rounds: int) -> None:
    found, sure, _ = fewest(row, identity, cap)
    assert (found, sure) == (rounds, True)
