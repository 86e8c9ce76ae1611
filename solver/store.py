"""The store of solved questions: one SQLite file that may be lost, damaged or deleted at any time without harm.

An entry is a JSON object (``report``: an answer, ``known``: a search that was stopped, ``notes``: reasons) under the
digest of its question, of the rules' fingerprint and of the code that answered; so what other code has answered is
never found. Each entry carries a digest of its own, and whoever reads one must replay the line in it. A file that is no
sound store of this format is thrown away and begun again.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

from rules.core.errors import BestlineError
from rules.core.files import canonical_json

R = TypeVar("R")

FORMAT: Final = 1
"""Number of the format, as ``user_version`` of the file; it rises with every change."""
FOLDER: Final = "BESTLINE_CACHE_DIR"
"""Environment variable that names the folder."""
FILE: Final = "answers.sqlite3"
_WAIT_S: Final = 2.0
"""Time to wait for another process that writes."""
_TABLE: Final = """
CREATE TABLE answers (
    question TEXT PRIMARY KEY,
    code TEXT NOT NULL,
    entry TEXT NOT NULL,
    digest TEXT NOT NULL
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True)
class Info:
    """What the store holds."""

    path: Path
    solved: int
    """Questions answered for good."""
    begun: int
    """Questions that were stopped on the way."""
    bytes: int


def cache_folder() -> Path:
    """Return the folder of the store: ``BESTLINE_CACHE_DIR``, or ``bestline`` in the user's folder of caches."""
    named = os.environ.get(FOLDER)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "bestline"


class Store:
    """Answers by question; whatever goes wrong with the file, the methods give nothing and do no harm."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or cache_folder()) / FILE
        self.trouble = ""
        """Why the last access failed, in words; empty when it did not."""

    def read(self, question: str) -> dict[str, Any] | None:
        """Return the entry of a question, or nothing if there is none that is sound."""
        if not self.path.exists():
            return None
        row = self._use(
            lambda store: store.execute(
                "SELECT entry, digest FROM answers WHERE question = ? AND code = ?", (question, code_digest())
            ).fetchone()
        )
        if row is None:
            return None
        entry, digest = row
        if digest != _digest(question, entry):
            self.forget(question)
            return None
        try:
            value: dict[str, Any] = json.loads(entry)
        except ValueError:  # its digest holds, so it was written so
            return None
        return value

    def write(self, question: str, entry: Mapping[str, Any]) -> None:
        """Keep an entry in the place of any older one, and throw away what other code has answered."""
        text = canonical_json(entry)

        def put(store: sqlite3.Connection) -> None:
            store.execute("DELETE FROM answers WHERE code <> ?", (code_digest(),))
            store.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)",
                (question, code_digest(), text, _digest(question, text)),
            )

        self._use(put)

    def forget(self, question: str) -> None:
        """Throw an entry away."""
        self._use(lambda store: store.execute("DELETE FROM answers WHERE question = ?", (question,)))

    def clear(self) -> None:
        """Delete the file.

        Raises:
            BestlineError: it cannot be deleted.
        """
        try:
            self._delete()
        except OSError as fault:
            raise BestlineError(f"{self.path}: cannot be deleted: {fault.strerror}") from fault

    def info(self) -> Info:
        """Return what the store holds for this version of the code."""
        if not self.path.exists():
            return Info(self.path, 0, 0, 0)
        rows = self._use(
            lambda store: store.execute("SELECT entry FROM answers WHERE code = ?", (code_digest(),)).fetchall()
        )
        held = Counter[str]()
        for (entry,) in rows or ():
            with suppress(ValueError, TypeError):
                held.update(list(json.loads(entry)))
        size = sum(path.stat().st_size for path in self._files() if path.exists())
        return Info(self.path, held["report"], held["known"], size)

    def _use(self, action: Callable[[sqlite3.Connection], R]) -> R | None:
        """Do something with the file; a damaged one is begun again, once."""
        self.trouble = ""
        for attempt in (1, 2):
            try:
                with closing(self._open()) as store, store:
                    return action(store)
            except sqlite3.DatabaseError as fault:
                self.trouble = str(fault)
                if isinstance(fault, sqlite3.OperationalError) and "column" not in self.trouble:
                    # Another process writes, or the folder cannot be written to: the file itself may be sound.
                    return None
                if attempt == 1:
                    with suppress(OSError):
                        self._delete()
            except OSError as fault:
                self.trouble = fault.strerror or str(fault)
                return None
        return None

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        store = sqlite3.connect(self.path, timeout=_WAIT_S)
        try:
            store.execute("PRAGMA journal_mode = WAL")
            version = store.execute("PRAGMA user_version").fetchone()[0]
            tables = {name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if version == 0 and not tables:
                with store:
                    store.execute(_TABLE)
                    store.execute(f"PRAGMA user_version = {FORMAT}")
            elif version != FORMAT or "answers" not in tables:
                raise sqlite3.DatabaseError("a store of another format")
        except BaseException:
            store.close()
            raise
        return store

    def _files(self) -> list[Path]:
        return [self.path.with_name(self.path.name + end) for end in ("", "-wal", "-shm")]

    def _delete(self) -> None:
        for path in self._files():
            path.unlink(missing_ok=True)


@cache
def code_digest() -> str:
    """Return a digest of the rules and the solver as they are installed: an answer holds for the code that gave it."""
    root = Path(__file__).parents[1]
    sha = sha256()
    for folder in ("puzzles", "rules", "solver"):
        for inside, folders, names in os.walk(root / folder):
            folders.sort()
            for path in (Path(inside, name) for name in sorted(names) if name.endswith((".py", ".toml"))):
                sha.update(bytes(path) + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()


def _digest(question: str, entry: str) -> str:
    return sha256(f"{FORMAT} {code_digest()} {question} {entry}".encode()).hexdigest()
