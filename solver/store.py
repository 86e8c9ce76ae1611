"""The store of solved questions: files that may be lost, damaged or deleted at any time without harm.

An entry is an answer as a JSON object. It stands in a file of its own, named by the code that answered and by the
question. It carries a digest, and whoever reads it must replay the line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import get_ident
from time import monotonic, time
from typing import Any, Final

from puzzles.puzzle import Goal, goal_table
from rules.core.errors import BestlineError, DisagreementError
from rules.core.files import canonical_json
from rules.core.position import Position
from rules.core.tools.output import picked
from solver.lines import agreed, read_line, replayed_value
from solver.question import Answer, Proof, Statistics, Status

FOLDER: Final = "BESTLINE_CACHE_DIR"
"""Environment variable that names the folder."""
_PREFIX: Final = "answer-"
_PART: Final = f"{_PREFIX}part-"
"""How files begin that are being written,"""
_OLD_S: Final = 600
"""and the seconds after which nobody is writing one any more."""
MOST: Final = 5_000
"""Entries kept; the oldest make room for new ones."""
_UNSOUND: Final = (BestlineError, DisagreementError, KeyError, TypeError, ValueError, AttributeError)
"""What an entry raises that is not of this question, or damaged."""


def cache_folder() -> Path:
    """Return the folder of the store: ``BESTLINE_CACHE_DIR``, or ``bestline`` in the user's folder of caches."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "bestline"


class Store:
    """Answers by question; whatever goes wrong with the files, the methods give nothing and do no harm."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = folder or cache_folder()
        self.trouble = ""
        """Why the last access failed, in words; empty when it did not."""

    def file(self, question: str) -> Path:
        """Return where the entry of a question stands: its digest, then its JSON."""
        return self.path / f"{_PREFIX}{code_digest()[:16]}-{sha256(question.encode()).hexdigest()}"

    def read(self, question: str) -> dict[str, Any] | None:
        """Return the entry of a question, or nothing if there is none that is sound."""
        self.trouble = ""
        try:
            digest, _, text = self.file(question).read_text("utf-8").partition("\n")
            if digest == _digest(question, text):
                entry: dict[str, Any] = json.loads(text)
                return entry
        except FileNotFoundError:
            return None
        except OSError as fault:
            self.trouble = fault.strerror or str(fault)
            return None
        except ValueError:  # no text at all, or no JSON
            pass
        self.forget(question)
        return None

    def write(self, question: str, entry: Mapping[str, Any]) -> None:
        """Keep an entry in the place of any older one, and throw away what other code has answered."""
        self.trouble, text = "", canonical_json(entry)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            part = self.path / f"{_PART}{os.getpid()}-{get_ident()}"
            part.write_text(f"{_digest(question, text)}\n{text}", "utf-8")
            part.replace(self.file(question))
        except OSError as fault:
            self.trouble = str(fault)
        # What other code has answered goes, what a process left half written, and the oldest of too many entries.
        with suppress(OSError):  # another process may tidy up at the same time
            files = self._files()
            own = sorted(filter(_is_of_this_code, files), key=lambda path: path.stat().st_mtime)
            for path in {*files} - {*own[-MOST:]}:
                if not path.name.startswith(_PART) or time() - path.stat().st_mtime > _OLD_S:
                    path.unlink(missing_ok=True)

    def forget(self, question: str) -> None:
        """Throw an entry away."""
        with suppress(OSError):
            self.file(question).unlink()

    def recalled(self, position: Position, goal: Goal) -> Answer[int] | None:
        """Return the answer to an open question that an earlier run has proved, its line replayed, or nothing."""
        begun, name = monotonic(), question_name(position, goal)
        game, start = position.start()
        try:
            if (given := self.read(name)) is None:
                return None
            line, status, value = read_line(game, start, given["line"]), Status(given["status"]), given["value"]
            if line or status is Status.OPTIMAL:
                agreed(value, replayed_value(game, start, line, goal))
            proof = {**given["proof"], **{part: tuple(given["proof"][part]) for part in ("projections", "checked_by")}}
            statistics = Statistics(**given["statistics"])._replace(time_s=monotonic() - begun)
            return Answer(status, value, given["bound"], line, Proof(**proof), statistics, recalled=True)
        except _UNSOUND:
            self.forget(name)
            return None

    def keep(self, position: Position, goal: Goal, report: Answer[int]) -> None:
        """Keep the answer to an open question, if it is proved."""
        if report.status.is_settled:
            self.write(question_name(position, goal), report_data(report))

    def clear(self) -> None:
        """Delete all entries.

        Raises:
            BestlineError: they cannot be deleted.
        """
        try:
            for path in self._files():
                path.unlink(missing_ok=True)
        except OSError as fault:
            raise BestlineError(f"{self.path}: cannot be deleted: {fault.strerror}") from fault

    def info(self) -> dict[str, Any]:
        """Return what the store holds for this version of the code: its path, questions solved, bytes."""
        sizes = []
        for path in filter(_is_of_this_code, self._files()):
            with suppress(OSError):  # deleted meanwhile
                sizes.append(path.stat().st_size)
        return {"path": str(self.path), "solved": len(sizes), "bytes": sum(sizes)}

    def _files(self) -> list[Path]:
        return list(self.path.glob(f"{_PREFIX}*")) if self.path.is_dir() else []


def _is_of_this_code(path: Path) -> bool:
    """Return whether this code has given an answer: what other code has answered is never read."""
    return path.name.startswith(f"{_PREFIX}{code_digest()[:16]}-")


@cache
def code_digest() -> str:
    """Return a digest of the rules and the solver as they are installed: an answer holds for the code that gave it."""
    sha = sha256()
    for folder in ("puzzles", "rules", "solver"):
        for inside, folders, names in os.walk(Path(__file__).parents[1] / folder):
            folders.sort()
            for path in (Path(inside, name) for name in sorted(names) if name.endswith((".py", ".pxd", ".toml"))):
                sha.update(bytes(path) + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()


def _digest(question: str, entry: str) -> str:
    return sha256(f"{code_digest()} {question} {entry}".encode()).hexdigest()


def question_name(position: Position, goal: Goal) -> str:
    """Return the digest of a question: the rules by their fingerprint, the position, the goal."""
    asked = [position.fingerprint, position.canonical(), goal_table(goal, position), sorted(goal.forbidden)]
    return sha256(canonical_json(asked).encode()).hexdigest()


def report_data(report: Answer[int]) -> dict[str, Any]:
    """Return an answer as the store keeps it."""
    line = [[step.text for step in turn.steps] for turn in report.line]
    return {**picked(report, "status", "value", "bound", "proof", "statistics"), "line": line}
