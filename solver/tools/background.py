"""The best move looked for by another process, longer and longer, while a player looks at the table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from threading import Thread
from typing import Any, Final

ROUNDS_S: Final = (2, 8, 30)
"""Seconds of each search, the next one longer than all before."""


class Background:
    """One position that is thought about; ``text`` is what is known so far."""

    def __init__(self, record: str, told: Callable[[Mapping[str, Any]], str]) -> None:
        """Begin to think about a recorded game, as text; ``told`` words an answer that comes as JSON."""
        self.text = "thinking …"
        self._told = told
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
            command = [sys.executable, "-m", "cli", "best", "-", "--why", "--json", "--quiet", "--time", str(seconds)]
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
            self.text = self._told(answer)
            if answer["status"] in ("optimal", "infeasible"):
                return
