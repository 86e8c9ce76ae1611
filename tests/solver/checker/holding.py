"""Whether what a certificate proves is true, and said with everything that limits it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rules.core.errors import BestlineError
from rules.core.files import canonical_json
from rules.core.position import load_position
from solver.checker.certificate import Checked
from solver.screens.puzzles import certificate_rows
from tests.solver.checker.forging import checked_file
from tests.solver.checker.plain_search import Question, TooMuch


def held(path: Path) -> Checked | None:
    """Return what a certificate proves, or nothing where it is refused."""
    try:
        return checked_file(path, 5.0)
    except BestlineError:
        return None


def sentence(checked: Checked) -> str:
    """Return the sentence that says what holds."""
    (row,) = [row for row in certificate_rows(checked) if row.label == "HOLDS"]
    return row.text


def unsaid(claim: dict[str, Any], checked: Checked) -> list[str]:
    """Return what limits a claim and is not in the sentence about it."""
    said, goal = sentence(checked), claim["goal"]
    position = load_position(canonical_json(claim["position"]))
    words = [f"{name} = {option}" for name, option in position.options.items()]
    bans = said.partition("without ")[2]
    words += [ban if f"'{ban}'" in bans else ban.split()[-1] for ban in goal["forbidden"]]
    words += goal.get("kept", [])
    if "challenge" not in goal and goal["objective"] != "max_distance":
        words.append(str(goal["target"]))
    if goal["within_turns"] is not None:
        clock = checked.goal.clock
        turns = goal["within_turns"] if clock is None else clock.rounds(goal["within_turns"])
        words.append(f"{turns:,} {'turn' if clock is None else 'round'}")
    return [word for word in words if not re.search(rf"(?<!\w){re.escape(word)}", said)]


def faults(claim: dict[str, Any], checked: Checked) -> tuple[list[str], bool]:
    """Return what is wrong with a claim that holds, and whether plain search could judge it."""
    found = [f"not said: {word}" for word in unsaid(claim, checked)]
    try:
        if not Question(claim).is_true():
            found.append("false")
    except TooMuch:
        return found, False
    return found, True
