"""Closed layers: every position one own turn later, then two, … played by the rules and nothing else.

Whole tables are compared, and every way through a turn is played. Where a bound of the game cuts
(``Race.least_turns``), a layer keeps a position only if it leaves the goal within reach in the turns left. It is argued
where the game defines it, and the certificate names it. ``least`` is the turns that it leaves for a position.
``least(before) <= 1 + least(after)`` must hold on every edge, or the evidence is refused (``UnsoundBound``). Summed
along a line it says that none is shorter than the bound of its first position. An edge to a position that is cut with
``left`` turns left fulfils it: ``least(before) <= left + 1 < 1 + least(after)``.

One layer exists at a time, ordered by name in a private database of SQLite, which goes to disk where it grows large.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Final, Generic, NamedTuple, TypeVar

from puzzles.puzzle import Goal, Objective, does_forbidden, forbidden_step
from rules.core.challenge import at_the_end
from rules.core.errors import BestlineError
from rules.core.files import canonical_json
from rules.core.race import Race, Unsupported
from rules.core.scripts import Barred, ChanceOutcome, Exploring, Forced, Step, every_way
from rules.core.turns import State, TurnEnd

T = TypeVar("T")

MOST_LAYERS: Final = 500
"""Own turns after which a question is given up."""
NAME: Final = 8
"""Bytes that name a position in a certificate."""
_KEY: Final = 16
"""Bytes that tell positions apart."""
_MEMORY_KB: Final = 1 << 16
"""Memory of the database; what is more goes to disk."""
LAYER: Final = "CREATE TABLE layer{} (key BLOB PRIMARY KEY, least INT, state TEXT) WITHOUT ROWID"


class TooLarge(BestlineError):
    """The search that a certificate stands for does not fit into the limit."""


class UnsoundBound(Exception):
    """The bound does not keep what it promises."""


class Unwritable(BestlineError):
    """Temporary files cannot be written; that says nothing about any certificate."""


class Reached(Exception):
    """The rules lead to something better than what is claimed, in the turn given."""

    def __init__(self, turn: int, progress: int) -> None:
        super().__init__(turn, progress)
        self.turn, self.progress = turn, progress


class Layer(NamedTuple):
    """What lies at the end of one own turn."""

    turn: int
    furthest: int | None
    """Greatest progress; nothing if no line has so many turns."""
    names: Iterator[str] | None
    """Names of the positions kept, ascending, to be read before the next layer; nothing for the last turn."""


class Allowance:
    """What an exhausted search may cost."""

    def __init__(self, most: int, time_s: float | None = None) -> None:
        """``most`` ways through a turn may be played, and positions kept, one of them as good as the other."""
        self._left = most
        self._until = None if time_s is None else monotonic() + time_s

    def spend(self) -> None:
        """Count one of them.

        Raises:
            TooLarge: that was one too many, or time is up.
        """
        self._left -= 1
        if self._left < 0:
            raise TooLarge("too large to certify within the limit")
        if self._left % 64 == 0 and self._until is not None and monotonic() > self._until:
            raise TooLarge("too large to certify within the time")


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


class Evidence(Generic[T]):
    """A position and a goal with the bound that may cut, and what the search may cost."""

    def __init__(
        self, game: Race[T], start: State[T], goal: Goal, budget: Allowance, value: int | None, *, cuts: bool
    ) -> None:
        """``value`` is what a greatest distance is claimed to be; with nothing any refutes that, and no bound cuts."""
        self.game, self.start, self.goal, self.budget = game, start, goal, budget
        self.better: int | None = goal.target
        """The progress that refutes the claim."""
        if goal.objective is Objective.MAX_DISTANCE:
            self.better = None if value is None else value + 1
        self.bound_name = game.profile.bound_name if cuts and self.better is not None else ""

    def after(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[T]:
        """Yield the table after every way through the next turn that the goal allows; there may be equal ones.

        Raises:
            TooLarge: the limit was hit.
            Unsupported: chance or somebody else decides something in it.
        """
        game, goal = self.game, self.goal
        if does_forbidden(pending, goal.forbidden) or (not pending and game.is_over(table)):
            return
        exploring = partial(Exploring, wanted=lambda step: not forbidden_step(step, goal.forbidden), begun=len(pending))
        for script in every_way(exploring, pending):
            self.budget.spend()
            try:
                after = game.play_turn(table, script)
            except Barred:
                continue
            if any(isinstance(step, ChanceOutcome) for step in script.steps[len(pending) :]):
                raise Unsupported("hidden chance")
            if game.turns(after, goal.seat) != game.turns(table, goal.seat) + 1:
                raise Unsupported("several players")
            if game.allows(table, TurnEnd(tuple(script.steps), after)):
                yield after

    def least(self, table: T) -> int:
        """Return the own turns that the bound leaves at least, 0 and 1 without one."""
        game, goal, better = self.game, self.goal, self.better
        if better is None or game.progress(table, goal.seat) >= better:
            return 0
        return max(1, game.least_turns(table, goal.seat, better, goal.forbidden)) if self.bound_name else 1

    def refutes(self, table: T, *, last: bool) -> bool:
        """Return whether the claim is false if play gets here; a distance counts at the end only."""
        progress = self.game.progress(table, self.goal.seat)
        if self.goal.objective is not Objective.MAX_DISTANCE:
            return self.better is not None and progress >= self.better
        counts = (last or self.game.is_over(table)) and at_the_end(progress) is not None
        return counts and (self.better is None or progress >= self.better)

    def layers(self, turns: int | None) -> Iterator[Layer]:
        """Yield the layers of so many own turns, or of all there are; they end where no game goes on.

        Raises:
            Reached: the rules lead to something better than what is claimed.
            UnsoundBound: the bound does not hold what it promises.
            TooLarge: the limit was hit.
            Unsupported: chance or somebody else decides something.
            Unwritable: the layers do not fit on the disk.
        """
        table = self.start.table
        if turns == 0 or (not self.start.pending and self.game.is_over(table)):
            if self.goal.objective is Objective.MAX_DISTANCE and self.refutes(table, last=True):
                raise Reached(0, self.game.progress(table, self.goal.seat))
            return
        with temporary_files(), closing(sqlite3.connect("", isolation_level=None)) as disk:
            for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_MEMORY_KB}"):
                disk.execute(f"PRAGMA {pragma}")
            disk.execute("BEGIN")
            disk.execute(LAYER.format(0))
            self._keep(disk, 0, table, self.least(table))
            for turn in range(1, MOST_LAYERS + 1 if turns is None else min(turns, MOST_LAYERS) + 1):
                yield Layer(turn, self._fill(disk, turn, turns), None if turn == turns else _names(disk, turn))
                if disk.execute(f"SELECT 1 FROM layer{turn}").fetchone() is None:
                    return
        if turns is None or turns > MOST_LAYERS:
            raise TooLarge(f"too large to certify: lines do not end within {MOST_LAYERS} turns")

    def _fill(self, disk: sqlite3.Connection, turn: int, turns: int | None) -> int | None:
        """Play the next turn from every position of the layer before, and return the greatest progress."""
        game, last, pending, furthest = self.game, turn == turns, self.start.pending if turn == 1 else (), None
        disk.execute(LAYER.format(turn))
        for before, state in disk.execute(f"SELECT least, state FROM layer{turn - 1} ORDER BY key"):
            for after in dict.fromkeys(self.after(game.decode(json.loads(state)), pending)):
                progress = game.progress(after, self.goal.seat)
                if self.refutes(after, last=last):
                    raise Reached(turn, progress)
                furthest = progress if furthest is None else max(furthest, progress)
                if last or game.is_over(after):
                    continue
                least = self.least(after)
                if self.bound_name and turns is not None and least > turns - turn:
                    continue
                self._keep(disk, turn, after, least)
                if self.bound_name and before > 1 + least:
                    raise UnsoundBound(f"turn {turn}: the bound falls from {before} to {least} turns within one turn")
        disk.execute(f"DROP TABLE layer{turn - 1}")
        return furthest

    def _keep(self, disk: sqlite3.Connection, turn: int, table: T, least: int) -> None:
        state = canonical_json(self.game.encode(table))
        row = (sha256(state.encode()).digest()[:_KEY], least, state)
        if disk.execute(f"INSERT OR IGNORE INTO layer{turn} VALUES (?, ?, ?)", row).rowcount:
            self.budget.spend()


def _names(disk: sqlite3.Connection, turn: int) -> Iterator[str]:
    with temporary_files():
        for (key,) in disk.execute(f"SELECT key FROM layer{turn} ORDER BY key"):
            yield key[:NAME].hex()
