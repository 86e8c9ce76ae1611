"""What a game brings to be searched by ``packed_search``: numbers, tables, and functions over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from solver.search.compiled import Kernel
from solver.search.problem import SearchProblem


class PackedProblem(SearchProblem[Any, tuple[int, int]], Protocol):
    """A problem whose positions are a 62-bit key and its progress, with the functions and tables to play it."""

    @property
    def apart(self) -> bool:
        """Whether progress is apart from the key; if not, the second number is a place, and ``placed`` searches."""

    @property
    def kernel(self) -> Kernel:
        """``successors``, ``outlook`` and what they call, plain functions over numbers and arrays."""

    @property
    def tables(self) -> Any:
        """What ``successors`` looks up: a named tuple of numbers and lists."""

    @property
    def outlooks(self) -> Any:
        """What ``outlook`` looks up."""

    @property
    def rows(self) -> int:
        """Outlooks there are."""

    @property
    def waiting(self) -> int:
        """Progress that a turn brings at least, whatever is done."""

    @property
    def most_successors(self) -> int:
        """Ways through a turn at most."""

    @property
    def work(self) -> int:
        """Length of the working space of the kernel."""

    def ensure(self, days: int) -> bool:
        """Lay out what that many rounds need; false where keys have no room for them."""

    def look_ahead(self, turns: int) -> list[int]:
        """Return the bound of up to so many turns or more: progress at most, at ``turns * rows + outlook``.

        Where progress is not apart: the fewest turns, by outlook.
        """

    def sharpened(self) -> SharpBound | SharpTable | None:
        """Return a bound that compiled code fills and looks up in place of that one, where there is one."""


class View(Protocol):
    """A coarser view: its kernel and ``rows`` are those of the sharp table, whose numbers it looks up."""

    @property
    def tables(self) -> Any:
        """What ``successors`` looks up."""

    @property
    def outlooks(self) -> Any:
        """What the bound looks up."""

    @property
    def mask(self) -> int:
        """Bits of a key of the next finer view, or of the problem, that are folded, see ``placed.Seen``."""

    @property
    def parts(self) -> int:
        """The parts they are folded in."""

    @property
    def fold(self) -> list[int]:
        """What becomes of each part."""

    def ensure(self, days: int) -> bool:
        """Lay out what that many rounds need."""


class Sharp(Protocol):
    """What bounds whose tables are too large for plain Python have in common."""

    @property
    def bound_name(self) -> str:
        """Name of the bound."""

    @property
    def kernel(self) -> Kernel:
        """The functions of the problem, perhaps with another ``outlook``, and those that fill the tables."""

    @property
    def outlooks(self) -> Any:
        """What ``outlook`` looks up."""

    @property
    def rows(self) -> int:
        """Outlooks there are: rows of a bound, entries of a table."""


class SharpBound(Sharp, Protocol):
    """A bound by turns left and outlook."""

    @property
    def counts(self) -> int:
        """Numbers that ``prepare`` fills."""

    def prepare(self, functions: Kernel, tables: Any, outlooks: Any, counts: Any, work: Any) -> None:
        """Fill ``counts``."""

    def fill(
        self, functions: Kernel, turns: int, tables: Any, outlooks: Any, counts: Any, most: Any, work: Any
    ) -> None:
        """Fill the entries of ``turns`` turns; those of fewer are there."""


class SharpTable(Sharp, Protocol):
    """Likewise where progress is not apart: one table of the fewest turns."""

    @property
    def parts(self) -> int:
        """Parts that the table is filled in, from the last to the first."""


class Viewed(Protocol):
    """A problem whose progress is not apart, and that has coarser views."""

    def views(self) -> Sequence[View]:
        """Return them, the coarsest first."""
