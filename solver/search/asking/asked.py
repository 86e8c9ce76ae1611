"""What the search over numbered facts asks of a game, and what it keeps of that for the next search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from solver.search.arrays import Arrays
from solver.search.compiled import Kernel
from solver.search.problem import SearchProblem

FACT_BITS: Final = 15
"""Room for facts to begin with, as a power of two,"""
ROWS: Final = 1 << 12
"""and for the numbers of a column."""


class Kept:
    """Facts that were asked for, which later searches over a form of the same facts go on with."""

    def __init__(self, form: FactForm, arrays: Arrays, compiled: bool) -> None:
        self.compiled = compiled
        self.columns = {name: arrays.long(ROWS) for name in form.lasting}
        self.filled = dict.fromkeys(form.lasting, 0)
        self.asks, self.notes = arrays.long(form.most_asks), arrays.long(form.notes)
        self.stores = {name: arrays.long(size) for name, size in form.stores.items()}
        self._fact = form.fact
        self.set_facts(arrays, FACT_BITS)
        self.asker: object = None
        """The last search that has asked."""

    def set_facts(self, arrays: Arrays, bits: int) -> None:
        """Begin an empty table of facts; nothing is written to it, so that no memory is taken before it is used."""
        self.bits = bits
        self.facts = arrays.long(self._fact << bits)

    @property
    def is_settled(self) -> bool:
        """Return whether all that was asked has been answered."""
        return not int(self.notes[0])


class FactForm(Protocol):
    """A game of numbered facts; what its functions may be is said in ``asking.kernel``."""

    @property
    def kernel(self) -> Kernel:
        """``successors``, ``lacking``, ``is_over``, ``refile`` and what they call."""

    @property
    def tables(self) -> Callable[..., Any]:
        """The named tuple that these look things up in: that of ``columns``, and of the facts."""

    @property
    def columns(self) -> Mapping[str, list[int]]:
        """By name: numbers to look up, which only grow."""

    @property
    def lasting(self) -> frozenset[str]:
        """Columns that are the same for all forms with the same ``kept``."""

    kept: Any
    """What searches keep: facts that other forms may go on with, nothing to begin with."""

    @property
    def finish(self) -> int:
        """Progress at which the game is over."""

    @property
    def most_asks(self) -> int:
        """Facts asked before they are answered."""

    @property
    def notes(self) -> int:
        """Length of the notes: facts asked, if one was missing, facts there are, and what ``asking.kernel`` says."""

    @property
    def stores(self) -> Mapping[str, int]:
        """By name: numbers that the functions keep, to begin with."""

    @property
    def fact(self) -> int:
        """Numbers of a fact in the table: the two of its name, its answer more one, and perhaps others."""

    @property
    def keys(self) -> int:
        """Ways through a turn at most."""

    @property
    def work(self) -> int:
        """Length of the working space of the kernel."""

    def grow(self) -> None:
        """Bring the columns up to date; ``OverflowError`` where keys have no room for that."""

    def answer(self, first: int, second: int) -> int:
        """Return the answer of a fact."""

    @property
    def late(self) -> int:
        """The lowest bits of a packed key, which do not count for its shape."""

    def packed(self, key: Any, call: Mapping[str, Callable[..., int]], table: Any) -> int:
        """Return a key of the problem in 62 bits, by the functions of the kernel; negative where there is no room."""

    def whole(self, key: int, table: Any) -> Any:
        """Return the key of the problem."""

    def shape(self, late: int) -> Any:
        """Return the shape of the key of the problem, of a packed one without its ``late`` bits."""


class FactProblem(SearchProblem[Any, Any], Protocol):
    """A problem that has such a form."""

    def form(self) -> FactForm | None:
        """Return the form, or nothing where it does not fit."""
