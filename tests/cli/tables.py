"""Files that the commands are given in tests."""

from __future__ import annotations

import io
from pathlib import Path

HIDDEN = """\
game = "iditacards"
ruleset = "2019-02"

[state]
weather = "storm"
upgrade = [[], [], [], []]

[[state.players]]
pos = 50
dogs = [{ dog = "wheel_dog", attachments = [] }]
hand = ["mush", "lunch", "armour"]
deck = ["rest", "breakfast", "lunch", "a_hat"]
"""
REACH = ["--goal", "reach", "--target", "64", "--within-turns", "2", "--no-new-day"]
RECORD = """\
moves = [{moves}]

[puzzle]
id = "record"
title = "A record"

[goal]
objective = "reach"
target = 62
within_turns = 3
new_day = false

[position]
game = "iditacards"
ruleset = "2019-02"

[position.state]
weather = "storm"

[[position.state.players]]
pos = 50
dogs = [{{ dog = "wheel_dog", attachments = [] }}]
hand = ["mush", "lunch", "armour"]
deck = ["rest", "breakfast", "lunch", "a_hat"]
"""


def record(folder: Path, *moves: str) -> str:
    path = folder / "record.toml"
    path.write_text(RECORD.format(moves=", ".join(f'"{move}"' for move in moves)), "utf-8")
    return str(path)


def input_of(text: str) -> io.TextIOWrapper:
    """Return standard input that holds a text."""
    return io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), "utf-8")
