"""The best move looked for by another process, longer and longer, while a player looks at the table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from threading import Thread
from typing import Any, Final

ROUNDS_S: Final = (2, 8, 30)
"""Seconds of each search, the next one longer than all before."""


class Background:
    """One position that is thought about; ``text`` is what is known so far, on one line."""

    def __init__(self, record: str) -> None:
        """Begin to think about a recorded game, as text."""
        self.text = "thinking …"
        self._record = record
        self._process: subprocess.Popen[str] | None = None
        self._is_over = False
        Thread(target=self._think, daemon=True).start()

    def stop(self) -> None:
        """End the search."""
        self._is_over = True
        if self._process is not None:
            self._process.kill()

    def _think(self) -> None:
        own = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        for seconds in ROUNDS_S:
            command = [sys.executable, "-m", "cli", "best", "-", "--json", "--quiet", "--time", str(seconds)]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=own)
            if self._is_over:
                self._process.kill()
            shown, _ = self._process.communicate(self._record)
            if self._is_over:
                return
            try:
                answer = json.loads(shown)
            except ValueError:  # a question that has no answer is told where it is asked
                self.text = ""
                return
            self.text = brief(answer)
            if answer["status"] in ("optimal", "infeasible"):
                return


def brief(answer: Mapping[str, Any]) -> str:
    """Return an answer of ``best`` as JSON on one line: the move, what it is worth, how long was thought."""
    moves: Sequence[Mapping[str, Any]] = answer.get("moves") or ()
    if not moves:
        return ""
    sure = "exact" if answer["status"] == "optimal" else "close" if answer.get("verdict") == "close" else "so far"
    worth = _value_text(answer, moves[0])
    return f"best: {moves[0]['move']}{f', {worth}' if worth else ''} ({sure})"


def _value_text(answer: Mapping[str, Any], move: Mapping[str, Any]) -> str:
    chance = move.get("win_chance", answer.get("win_chance"))
    if chance is not None:
        return f"{float(chance):.0%} to win".replace("%", " %")
    value, objective = move.get("value"), answer.get("goal", {}).get("objective")
    if value is None:
        return ""
    number = float(Fraction(str(value)))
    if objective == "reach":
        return f"{number:.0%}".replace("%", " %")
    return f"{number:.3g} turns" if objective == "min_turns" else f"{number:.4g}"
