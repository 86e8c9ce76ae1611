"""Worths of beliefs by ``dealing``: in plain Python until compiled functions are there, then with them.

The game's form lays out the facts; a stance is asked of it when the search comes upon one. What has been worked out is
kept, so that a search that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from solver.search import dealing, dealing_facts, dealing_frames, dealing_table
from solver.search.arrays import Arrays
from solver.search.compiled import Compiler, bound_functions
from solver.search.layers import Counters, LimitHit, Watch

SLOT_BITS: Final = 12
"""The power of two of places for nodes to begin with,"""
MOST_SLOT_BITS: Final = 25
"""and at most: 1.3 GB."""
SLICE: Final = (250, 100_000)
"""Nodes expanded between two looks at the clock, in plain Python and compiled."""
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
    near: int
    base_bits: int


LAYOUT: Final = Layout(
    {name: value for name, value in vars(dealing_facts).items() if name.isupper() and isinstance(value, int)},
    *(dealing_facts.STANCE, dealing_facts.LATE, dealing_facts.AHEAD, dealing_facts.NEAR, dealing_facts.BASE_BITS),
)


class Form(Protocol):
    """A game's facts for one question (the ``belief_form`` of a game brings one)."""

    facts: Any
    """The numbers that ``dealing`` reads; may be put into another array of at least as many places."""
    used: int
    """Places of the facts in use."""

    def answer(self, stance: int, grow: Callable[[int], None]) -> None:
        """Write down the facts of a stance; ``grow`` makes room for so many numbers."""


class DealtWorths:
    """What beliefs are worth."""

    def __init__(self, form: Form, watch: Watch, counters: Counters, most: int | None) -> None:
        """``most`` limits the nodes worked out, nothing does where it is none; the same ones on every machine."""
        self._form = form
        self._watch = watch
        self._counters = counters
        self._most = most
        self._bits = SLOT_BITS
        self._expanded = 0
        self._compiled = False
        self._arrays = Arrays(False)
        self._functions: dict[str, Any] = dealing.KERNEL
        self._frames = self._arrays.scratch(dealing_frames.FRAME * dealing_frames.DEPTH)
        self._known = self._empty(self._bits)
        if _loaded:
            self._switch()

    def _empty(self, bits: int) -> Any:
        known = self._arrays.scratch(dealing_table.ENTRY << bits)
        self._functions["clear"](known, 1 << bits)
        return known

    def _switch(self) -> None:
        """Go on with compiled functions where plain Python has come to, so that the work done is the same."""
        self._compiled = True
        self._arrays, self._functions = Arrays(True), load()
        facts = self._arrays.scratch(2 * self._form.used)
        facts[: self._form.used] = self._form.facts[: self._form.used]
        self._frames = self._arrays.scratch(dealing_frames.FRAME * dealing_frames.DEPTH)
        self._form.facts = facts
        known = self._arrays.scratch(len(self._known))
        known[:] = self._known
        self._known = known

    def worth(self, node: tuple[int, ...], turns: int, drawn: int = 0, paid: int = 0) -> int | None:
        """Return the worth of a belief with so many turns left, none where there is no way to play on.

        ``node`` has deck, hand, the cards in each, stance and spaces won; so many cards of the deck are still drawn,
        and then paid unchosen, before anything is decided.

        Raises:
            LimitHit: the time or the work allowed is used up.
            OutOfReach: the game's form does not carry a turn.
        """
        deck, hand, size, held, stance, won = node
        self._watch.check()
        while True:
            facts = self._form.facts
            facts[dealing_facts.BITS] = self._bits
            facts[dealing_facts.ASKED] = -1
            facts[dealing_facts.MOST] = NODES if self._most is None else self._most
            facts[dealing_facts.QUOTA] = SLICE[self._compiled]
            frames = self._frames
            asked = (dealing_frames.NODE, deck, hand, size, held, stance, won, drawn, paid, turns, dealing_facts.TOLD)
            for place, number in enumerate(asked):
                frames[place] = number
            low = int(self._functions["worth"](facts, self._known, frames))
            if low != dealing_facts.STOPPED:
                self._count()
                return (
                    None
                    if low == dealing_facts.NONE
                    else int(facts[dealing_facts.HIGH]) << dealing_facts.BASE_BITS | low
                )
            if facts[dealing_facts.ASKED] >= 0:
                self._form.answer(int(facts[dealing_facts.ASKED]), self._grow)
                continue
            self._count()
            self._watch.check(0 if self._watch.asked_states is None else int(facts[dealing_facts.COUNT]))
            if facts[dealing_facts.COUNT] >= facts[dealing_facts.MOST]:
                raise LimitHit
            if facts[dealing_facts.COUNT] * 2 > 1 << self._bits:
                self._widen()
            if not self._compiled and _compiler.is_done(self._expanded):
                self._switch()

    def _count(self) -> None:
        facts = self._form.facts
        more = int(facts[dealing_facts.COUNT]) - self._expanded
        self._expanded += more
        self._counters.expanded += more
        self._counters.generated += more
        self._counters.pruned += int(facts[dealing_facts.PRUNED])
        facts[dealing_facts.PRUNED] = 0

    def _grow(self, size: int) -> None:
        facts = self._form.facts
        if size > len(facts):
            if not self._compiled:
                facts.extend([0] * (size - len(facts)))
            else:
                self._form.facts = self._arrays.grown(facts, 2 * size)

    def _widen(self) -> None:
        if self._bits == MOST_SLOT_BITS:
            raise LimitHit
        bits = min(self._bits + 2, MOST_SLOT_BITS)
        wider = self._empty(bits)
        self._functions["refile"](self._known, 1 << self._bits, wider, bits)
        self._known, self._bits = wider, bits


_loaded: dict[str, Any] = {}
"""The compiled functions, once they have been loaded."""


def load() -> dict[str, Any]:
    """Return the compiled functions, from the cache where they are there."""
    if not _loaded:
        _loaded.update(bound_functions(dealing.KERNEL, (), compiled=True))
    return _loaded


def warm() -> None:
    """Compile all functions, or load them from the cache, by calling them with next to nothing to do."""
    functions, arrays = load(), Arrays(True)
    facts = arrays.scratch(dealing_facts.HEADER + dealing_facts.STANCE + 64)
    facts[dealing_facts.STANCES] = dealing_facts.HEADER
    known = arrays.scratch(dealing_table.ENTRY * 2)
    functions["clear"](known, 2)
    functions["worth"](facts, known, arrays.scratch(dealing_frames.FRAME))
    functions["refile"](known, 2, known, 1)


_compiler: Final = Compiler(lambda: (), PATIENCE, warm)
"""One for all searches; it finishes by itself where they end before it, so that the next ones find what it compiled."""
