"""Layers cut by a bound, on disk: for proofs whose closed layers would be too many, or do not fit into memory.

A layer keeps a position only if the bound of the game (``Race.least_turns``) leaves the target within reach in the
turns left; a game without one has closed layers. Whole tables are compared, and every way through a turn is played by
the rules. The bound is argued where the game defines it, and the certificate names it; what can be watched is watched,
and refuses the evidence (``Astray``):

- *locally*: with ``least`` the fewest turns that the bound leaves for a position, ``least(before) <= 1 + least(after)``
  must hold on every edge. Summed along a line it says that none is shorter than the bound of its first position. An
  edge to a position that is cut with ``left`` turns left fulfils it by itself: ``least(before) <= left + 1 < 1 +
  least(after)``; all others are compared. Below positions that are cut it is watched on lines played at random.

Only the layer that is left and the one that is filled exist, both in a database on disk, ordered by name. In memory are
one batch of positions and those cut since.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Generic, NamedTuple, TypeVar

from puzzles.goal import Goal
from rules.core.chance import SplitMix64
from rules.core.errors import BestlineError
from rules.core.files import canonical_json
from rules.core.race import Race
from rules.core.turns import State
from solver.checker.closed import Budget, Tables, is_forbidden
from solver.checker.evidence import Astray

T = TypeVar("T")

NAME: Final = 8
"""Bytes that name a position in a certificate."""
NEVER: Final = 255
"""``least`` of a position from which the target is this many turns away or more."""
_KEY: Final = 16
"""Bytes that tell positions apart on disk."""
_BATCH: Final = 50_000
"""Positions in memory before they go to disk."""
_STROLLS: Final = 8
"""Lines played at random below the positions cut in one layer."""


class Position(NamedTuple):
    """One position of a layer as a certificate lists it."""

    name: bytes
    least: int
    """Turns to the target at least, by the bound."""


class Reached(Exception):
    """The rules lead to the target in the turn given."""

    def __init__(self, turn: int, progress: int) -> None:
        super().__init__(turn, progress)
        self.turn = turn
        self.progress = progress


class Unwritable(BestlineError):
    """Temporary files cannot be written; that says nothing about any certificate."""


@contextmanager
def temporary_files() -> Iterator[None]:
    """Tell a fault with temporary files from all others.

    Raises:
        Unwritable: there is one.
    """
    try:
        yield
    except (OSError, sqlite3.Error) as fault:
        reason = getattr(fault, "strerror", None) or fault
        remedy = "make room for them, or set TMPDIR to another folder"
        raise Unwritable(f"temporary files cannot be written: {reason}; {remedy}") from None


class Ruler(Generic[T]):
    """How many turns each position needs at least."""

    def __init__(self, game: Race[T], goal: Goal, *, cuts: bool) -> None:
        """``cuts=False`` leaves the bound out: every position within reach is kept."""
        self._game = game
        self._goal = goal
        self.bound_name = game.bound_name if cuts else ""

    def within(self, table: T, turns: int) -> bool:
        """Return false only where the bound excludes the target in so many more turns."""
        goal = self._goal
        if self._game.progress(table, goal.seat) >= goal.target:
            return True
        if turns <= 0 or self._game.is_over(table):
            return False
        return not self.bound_name or self._game.least_turns(table, goal.seat, goal.target) <= turns

    def least(self, table: T, most: int) -> int:
        """Return the fewest turns that the bound leaves, looked for up to ``most``; beyond, one more than that."""
        return next((turns for turns in range(most + 1) if self.within(table, turns)), most + 1)


class Bounded(Generic[T]):
    """The layers of one question that excludes a target within so many turns; a context that owns its files."""

    form = "bounded"
    """Name of this form of evidence."""

    def __init__(
        self, game: Race[T], start: State[T], goal: Goal, turns: int, budget: Budget, *, cuts: bool = True
    ) -> None:
        """``turns`` are those within which the target is to be excluded; ``cuts=False`` does without a bound."""
        self._game = game
        self._start = start
        self._goal = goal
        self._turns = turns
        self._pending = start.pending
        self._tables = Tables(game, start, goal, budget)
        self.ruler = Ruler(game, goal, cuts=cuts)

    @property
    def bound_name(self) -> str:
        """Return the name of the bound that cuts; empty where none does."""
        return self.ruler.bound_name

    def __enter__(self) -> Bounded[T]:
        """Open the files."""
        with temporary_files():
            self._folder = TemporaryDirectory(prefix="bestline-")
            self._disk = sqlite3.connect(Path(self._folder.name) / "layers", isolation_level=None)
            self._disk.execute("PRAGMA journal_mode = OFF")
            self._disk.execute("PRAGMA synchronous = OFF")
        return self

    def __exit__(self, *_: object) -> None:
        """Delete the files."""
        self._disk.close()
        self._folder.cleanup()

    def layers(self) -> Iterator[tuple[int, Iterator[Position]]]:
        """Yield each own turn with the positions kept at its end, ascending by name; to be read before the next one.

        Raises:
            Reached: a line gets to the target.
            Astray: the bound or the projection does not hold what it promises.
            TooLarge: the limit was hit.
            Unfit: chance or somebody else decides something.
            Unwritable: the layers do not fit on the disk.
        """
        table = self._start.table
        with temporary_files():
            self._create(0)
            self._keep(0, {self._name(table): (self._least(table, self._turns), table)})
            for turn in range(1, self._turns + 1):
                self._create(turn)
                self._fill(turn)
                self._disk.execute(f"DROP TABLE layer{turn - 1}")
                yield turn, self._listed(turn)
                self._pending = ()

    # On disk; names of tables are numbers of turns, never anything read

    def _create(self, turn: int) -> None:
        self._disk.execute(f"CREATE TABLE layer{turn} (key BLOB PRIMARY KEY, least INT, state TEXT) WITHOUT ROWID")

    def _keep(self, turn: int, batch: dict[bytes, tuple[int, T]]) -> None:
        rows = ((key, least, canonical_json(self._game.encode(table))) for key, (least, table) in sorted(batch.items()))
        self._disk.execute("BEGIN")
        self._disk.executemany(f"INSERT OR IGNORE INTO layer{turn} VALUES (?, ?, ?)", rows)
        self._disk.execute("COMMIT")

    def _listed(self, turn: int) -> Iterator[Position]:
        with temporary_files():
            for key, least in self._disk.execute(f"SELECT key, least FROM layer{turn} ORDER BY key"):
                yield Position(key[:NAME], min(least, NEVER))

    def _name(self, table: T) -> bytes:
        return sha256(canonical_json(self._game.encode(table)).encode()).digest()[:_KEY]

    # Turns

    def _fill(self, turn: int) -> None:
        left = self._turns - turn
        batch: dict[bytes, tuple[int, T]] = {}
        cut: dict[bytes, T] = {}
        for least, state in self._disk.execute(f"SELECT least, state FROM layer{turn - 1} ORDER BY key"):
            for after in self._after(self._game.decode(json.loads(state))):
                progress = self._game.progress(after, self._goal.seat)
                if progress >= self._goal.target:
                    raise Reached(turn, progress)
                name = self._name(after)
                if name in cut:
                    continue
                known = batch.get(name)
                if known is None:
                    if not self.ruler.within(after, left):
                        cut[name] = after
                        continue
                    known = batch[name] = self._least(after, left), after
                if least > 1 + known[0]:
                    raise Astray(f"turn {turn}: the bound falls from {least} to {known[0]} turns within one turn")
            if len(batch) >= _BATCH or len(cut) >= 4 * _BATCH:
                self._stroll(turn, cut)
                self._keep(turn, batch)
                batch, cut = {}, {}
        self._stroll(turn, cut)
        self._keep(turn, batch)

    def _after(self, table: T) -> list[T]:
        if not self._pending and self._game.is_over(table):
            return []
        return list(dict.fromkeys(end.table for end in self._tables.ends(table, self._pending)))

    def _least(self, table: T, most: int) -> int:
        return self.ruler.least(table, most)

    def _stroll(self, turn: int, cut: dict[bytes, T]) -> None:
        """Play on at random from some positions that were cut, and see that the bound keeps its promise."""
        left = self._turns - turn
        for seed, name in enumerate(sorted(cut)[:_STROLLS]):
            generator, table = SplitMix64(seed), cut[name]
            least = self._least(table, 2 * left + 1)
            for rest in range(left, 0, -1):
                if self._game.is_over(table):
                    break
                self._tables.budget.play()
                end = self._game.sample_turn(table, generator)
                if not self._game.allows(table, end) or any(is_forbidden(step, self._goal) for step in end.steps):
                    break
                table = end.table
                now = self._least(table, 2 * left + 1)
                if least > 1 + now or self._game.progress(table, self._goal.seat) >= self._goal.target:
                    raise Astray(f"turn {turn}: a position that was cut comes nearer than its bound, {rest} turns left")
                least = now
