"""Worths of beliefs by ``dealing.loop``: in plain Python until compiled functions are there, then with them.

The game's form lays out the facts; a stance is asked of it when the search comes upon one. What has been worked out is
kept, so that a search that was stopped goes on where it was. Compiled, a second thread helps where two are allowed.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from threading import Lock
from typing import Any, Final, NamedTuple

from rules.core.ventures import OutOfReach
from solver.search.arrays import Arrays
from solver.search.compiled import LOADING_S, Compiler, bound_functions, is_cached
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import frames as dealing_frames
from solver.search.dealing import loop as dealing
from solver.search.dealing import table as dealing_table
from solver.search.dealing.dealt_work import Form, Help, Kit, Worker
from solver.search.layers import Counters, LimitHit, Watch
from solver.search.postponed import postponed

SLICE: Final = (250, 25_000)
"""Nodes expanded between two looks at the clock, in plain Python and compiled; where work is counted always the former,
so that it does not matter when the compiler is done."""
NODE_S: Final = 0.0005
"""About the seconds of a node in plain Python."""
NODES: Final = 1 << 40
"""More nodes than there is room for."""
PATIENCE: Final = 1_000
"""Nodes expanded in plain Python before the compiler is called; they take half a second."""


class Layout(NamedTuple):
    """Where the facts have their places, for the game's form."""

    header: dict[str, int]
    stance: int
    late: int
    ahead: int
    taking: int
    after: int
    aim: int
    looking: int
    mosts: int
    rooms: int
    near: int
    base_bits: int


LAYOUT: Final = Layout(
    {name: value for name, value in vars(dealing_facts).items() if name.isupper() and isinstance(value, int)},
    *(
        dealing_facts.STANCE,
        dealing_facts.LATE,
        dealing_facts.AHEAD,
        dealing_facts.TAKING,
        dealing_facts.AFTER,
        dealing_facts.AIM,
        dealing_facts.LOOKING,
        dealing_facts.MOSTS,
        dealing_facts.ROOMS,
        dealing_facts.NEAR,
        dealing_facts.BASE_BITS,
    ),
)


class DealtWorths:
    """What beliefs are worth."""

    def __init__(self, form: Form, watch: Watch, counters: Counters, most: int | None) -> None:
        """``most`` limits the nodes worked out, nothing does where it is none; the same ones on every machine.

        Only where it is none may a second thread help: how many nodes either works out depends on which is faster.
        """
        self._form = form
        self._watch = watch
        self._counters = counters
        self._most = NODES if most is None else most
        self._steady = watch.steady
        self._pair = most is None and watch.threads > 1 and not form.rests
        self._asking = Lock()
        self._kit = Kit(dealing.KERNEL, Arrays(False), compiled=False)
        self._own = Worker(form, self._kit, self._asking, watch.check, alone=True)
        self._other: Worker | None = None
        self._expanded = 0
        if _loaded:
            self._switch()

    def _switch(self) -> None:
        """Go on with compiled functions where plain Python has come to, so that the work done is the same."""
        self._kit = Kit(load(), Arrays(True), compiled=True)
        facts = self._kit.arrays.scratch(2 * self._form.used)
        facts[: self._form.used] = self._form.facts[: self._form.used]
        self._form.facts = facts
        self._own = self._own.moved(self._kit, alone=not self._pair)

    def go_on(self, nodes: int) -> None:
        """Allow so many nodes more than were worked out."""
        self._most = max(self._most, self._own.count + nodes)

    def worth(self, node: tuple[int, ...], turns: int, drawn: int = 0, paid: int = 0) -> int | Fraction | None:
        """Return the worth of a belief with so many turns left, none where there is no way to play on.

        ``node`` has deck, hand, the cards in each, stance and spaces won; so many cards of the deck are still drawn,
        and then paid unchosen, before anything is decided.

        Raises:
            LimitHit: the time or the work allowed is used up.
            OutOfReach: the game's form does not carry a turn, or its scale does not carry the worths.
        """
        low = self._low(node, turns, drawn, paid)
        if any(worker.uneven for worker in self._workers):
            raise OutOfReach
        if low == dealing_facts.NONE:
            return None
        worth = self._own.whole(low)
        return Fraction(worth * factorial(node[2]), self._form.scale) if self._form.scale else worth

    def _low(self, node: tuple[int, ...], turns: int, drawn: int, paid: int) -> int:
        """Return the low part of the same."""
        deck, hand, size, held, stance, won = node
        asked = (dealing_frames.NODE, deck, hand, size, held, stance, won, drawn, paid, turns, dealing_facts.TOLD)
        self._watch.check()
        help_: Help | None = None
        try:
            while True:
                theirs = None if self._other is None else self._other.table
                low = self._own.run(asked, SLICE[self._kit.compiled and not self._steady], self._most, theirs)
                if self._form.rests and self._own.uneven:
                    self._form.refine(self._own.uneven)
                    self._own.forget()
                    continue
                if low != dealing_facts.STOPPED:
                    return low
                if self._own.learn():
                    continue
                self._count()
                self._watch.check(0 if self._watch.asked_states is None else self._expanded)
                if self._own.count >= self._most:
                    raise LimitHit
                self._own.make_room()
                may_switch = not self._kit.compiled and self._watch.has_time(LOADING_S)
                if may_switch and _compiler.is_done(self._expanded):
                    self._switch()
                if help_ is not None:
                    help_.check()
                elif self._pair and self._kit.compiled:
                    help_ = Help(self._helper(), self._own, asked, SLICE[True], self._most)
                    help_.begin()
        finally:
            if help_ is not None:
                help_.end()
                self._counters.pruned += help_.helping.take_pruned()
            self._count()

    @property
    def _workers(self) -> list[Worker]:
        return [self._own] if self._other is None else [self._own, self._other]

    def _helper(self) -> Worker:
        if self._other is None:
            self._other = Worker(self._form, self._kit, self._asking, lambda: None, alone=False, backwards=True)
        return self._other

    def _count(self) -> None:
        more = sum(worker.count for worker in self._workers) - self._expanded
        self._expanded += more
        self._watch.spend(more * NODE_S)
        self._counters.expanded += more
        self._counters.generated += more
        self._counters.pruned += self._own.take_pruned()


_loaded: dict[str, Any] = {}
"""The compiled functions, once they have been loaded."""


def load() -> dict[str, Any]:
    """Return the compiled functions, from the cache where they are there; otherwise they are compiled now."""
    if not _loaded:
        with postponed():
            functions = bound_functions(dealing.KERNEL, (), compiled=True)
            _call_all(functions)
            _loaded.update(functions)
    return _loaded


def _call_all(functions: dict[str, Any]) -> None:
    """Have all functions compiled, or loaded from the cache, by calling them with next to nothing to do."""
    arrays = Arrays(True)
    facts = arrays.scratch(dealing_facts.HEADER + dealing_facts.STANCE + 64)
    facts[dealing_facts.STANCES] = dealing_facts.HEADER
    known = arrays.scratch(dealing_table.ENTRY * 2)
    functions["clear"](known, 2)
    functions["refile"](known, 2, known, 1)
    # Last, as it tells whether all has been compiled.
    functions["worth"](facts, known, known, arrays.scratch(dealing_frames.FRAME))


def is_warm() -> bool:
    """Return whether compiled functions are there to be loaded."""
    return is_cached(dealing.KERNEL, (dealing.worth,))


_compiler: Final = Compiler(lambda: (), PATIENCE, load, cached=is_warm)
"""One for all searches; it finishes by itself where they end before it, so that the next ones find what it compiled."""
