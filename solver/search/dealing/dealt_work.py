"""Workers on beliefs by ``dealing.loop``: each has facts, frames and a table, and reads another's table.

Two of them ask the same question, one going through cards from the first kind on, the other from the last one back.
What one has worked out the other finds, on every level, so that they share the work until they meet; no worth depends
on who was first. The one that was asked gives the answer; the other only helps, in a thread of its own, and is told to
come back as soon as there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import thread_time
from typing import Any, Final, Protocol

from rules.core.ventures import OutOfReach
from solver.search.arrays import Arrays
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import frames as dealing_frames
from solver.search.dealing import luck as dealing_luck
from solver.search.dealing import table as dealing_table
from solver.search.layers import LimitHit

PATIENCE_S: Final = 0.05
"""Seconds waited for another worker's answer between two looks at the clock."""
SLOT_BITS: Final = 12
"""The power of two of places for nodes to begin with,"""
LARGE_BITS: Final = 20
"""from here on twice as many at a time, as room that is never used takes time too,"""
MOST_SLOT_BITS: Final = 25
"""at most: 1.3 GB,"""
MOST_HELPING_BITS: Final = 24
"""and for who helps."""


class Form(Protocol):
    """A game's facts for one question (the ``belief.form`` of a game brings one)."""

    facts: Any
    """The numbers that ``dealing.loop`` reads; may be put into another array of at least as many places."""
    used: int
    """Places of the facts in use."""

    @property
    def scale(self) -> int:
        """What values are taken times; 0 where they are taken times the orders of a deck."""

    @property
    def rests(self) -> bool:
        """Whether stances have floors (``dealing.floors``), which may be asked of another search or of this one."""

    @property
    def stances(self) -> int:
        """How many stances have a number."""

    def answer(self, stance: int, turns: int, cards: int, grow: Callable[[int], None]) -> None:
        """Write down the facts of a stance, or what counts on it with so many turns left if that is not 0.

        If ``cards`` is not 0, for those that it stands for (``dealing.facts.ROOMS``). ``grow`` makes room for so many
        numbers.
        """

    def answer_floor(self, stance: int, turns: int, grow: Callable[[int], None]) -> None:
        """Write down the floor of a stance with so many turns left."""

    def refine(self, lacking: int) -> None:
        """Take values times more, for what was left over (``dealing.facts.UNEVEN``).

        Raises:
            OutOfReach: there is no room.
        """


@dataclass(slots=True)
class Kit:
    """What workers are made of: plain Python or compiled functions, and the arrays that go with them."""

    functions: dict[str, Any]
    arrays: Arrays
    compiled: bool


class Worker:
    """Works on one question after another, and keeps what it has worked out."""

    def __init__(
        self,
        form: Form,
        kit: Kit,
        asking: Lock,
        check: Callable[[], None],
        *,
        alone: bool,
        backwards: bool = False,
    ) -> None:
        """``asking`` is held while the form is asked; one who works ``alone`` reads the form's own facts.

        ``check`` may raise what stops the form in the middle of an answer that takes long, as halting a worker does.
        """
        self._check = check
        self._form = form
        self._kit = kit
        self._asking = asking
        self._alone = alone
        self._most_bits = MOST_HELPING_BITS if backwards else MOST_SLOT_BITS
        self._frames = kit.arrays.scratch(dealing_frames.FRAME * dealing_frames.DEPTH)
        self.table = (self._empty(SLOT_BITS), SLOT_BITS)
        """The nodes worked out, and the power of two of places for them."""
        self.facts = form.facts
        self._forgotten = 0
        """Nodes worked out that are known no more."""
        self.spent_s = 0.0
        """Seconds of the processor in threads of its own."""
        self._read = 0
        if not alone:
            with asking:
                self.facts = kit.arrays.scratch(2 * form.used)
                self.facts[: form.used] = form.facts[: form.used]
                self._read = form.used
        if backwards:
            self.facts[dealing_facts.BACKWARDS] = self.facts[dealing_facts.KINDS] - 1
            self.facts[dealing_facts.COUNT] = self.facts[dealing_facts.PRUNED] = 0

    def moved(self, kit: Kit, *, alone: bool) -> Worker:
        """Return a worker with other functions that goes on where this one has come to."""
        other = Worker(self._form, kit, self._asking, self._check, alone=alone)
        known, bits = self.table
        table = kit.arrays.scratch(len(known))
        table[:] = known
        other.table = (table, bits)
        other._forgotten = self._forgotten
        return other

    def forget(self) -> None:
        """Forget what was worked out, as values are taken times something else now."""
        self._forgotten = self.count
        known, bits = self.table
        self._kit.functions["clear"](known, 1 << bits)
        for place in (dealing_facts.COUNT, dealing_facts.UNEVEN, dealing_facts.HALTED):
            self.facts[place] = 0

    def _empty(self, bits: int) -> Any:
        known = self._kit.arrays.scratch(dealing_table.ENTRY << bits)
        self._kit.functions["clear"](known, 1 << bits)
        return known

    @property
    def count(self) -> int:
        """Nodes worked out."""
        return self._forgotten + int(self.facts[dealing_facts.COUNT])

    @property
    def uneven(self) -> int:
        """What is lacking (``dealing.facts.UNEVEN``) where a worth could not be told as a whole number, else 0."""
        return int(self.facts[dealing_facts.UNEVEN])

    def take_pruned(self) -> int:
        """Return how many nodes were cut off since asked last."""
        pruned = int(self.facts[dealing_facts.PRUNED])
        self.facts[dealing_facts.PRUNED] = 0
        return pruned

    def run(self, asked: tuple[int, ...], quota: int, most: int, other: tuple[Any, int] | None) -> int:
        """Return the low part of the worth of a node; ``STOPPED`` where the quota, room or facts do not suffice."""
        facts, (known, bits) = self.facts, self.table
        theirs, their_bits = other or (known, 0)
        facts[dealing_facts.BITS], facts[dealing_facts.OTHER_BITS] = bits, their_bits
        facts[dealing_facts.ASKED], facts[dealing_facts.WANTED], facts[dealing_facts.WONDERS] = -1, 0, 0
        facts[dealing_facts.MOST], facts[dealing_facts.QUOTA] = most - self._forgotten, quota
        for place, number in enumerate(asked):
            self._frames[place] = number
        return int(self._kit.functions["worth"](facts, known, theirs, self._frames))

    def _give_up_luck(self) -> None:
        """Ask of no node any more whether luck helps: that led to a play which the search may never come upon."""
        for facts in (self.facts, self._form.facts):
            facts[dealing_facts.LUCK], facts[dealing_facts.LUCK + 1] = dealing_luck.PATIENCE + 1, 0

    def whole(self, low: int) -> int:
        """Return the worth whose low part was just found."""
        return int(self.facts[dealing_facts.HIGH]) << dealing_facts.BASE_BITS | low

    def learn(self) -> bool:
        """Have the form answer what was asked for; return whether anything was.

        Raises:
            OutOfReach: the form does not carry a play.
        """
        stance = int(self.facts[dealing_facts.ASKED])
        if stance < 0:
            return False
        cards, turns = divmod(int(self.facts[dealing_facts.WANTED]), 1 << dealing_facts.TURN_BITS)
        if turns == dealing_facts.FLOORED:  # whoever works this out may come back here, so that nothing is held
            self._form.answer_floor(stance, cards, self._grow)
            self.facts = self._form.facts
            return True
        while not self._asking.acquire(timeout=PATIENCE_S):
            self._check()
        try:
            form = self._form
            first = int(form.facts[dealing_facts.STANCES])
            missing = first + dealing_facts.STANCE * stance
            missing += dealing_facts.AIM + turns - 2 if turns else dealing_facts.BLOCK
            if cards:
                missing = int(form.facts[form.facts[missing] + dealing_facts.ROOMS]) + cards - 1
            if form.facts[missing] == -1:
                try:
                    form.answer(stance, turns, cards, self._grow)
                except OutOfReach:
                    if not self.facts[dealing_facts.WONDERS]:
                        raise
                    self._give_up_luck()
            if self._alone:
                self.facts = form.facts
            else:
                if form.used > len(self.facts):
                    self.facts = self._kit.arrays.grown(self.facts, 2 * form.used)
                self.facts[self._read : form.used] = form.facts[self._read : form.used]
                self._read = form.used
                self.facts[missing] = form.facts[missing]
                last = first + dealing_facts.STANCE * form.stances
                self.facts[first:last] = form.facts[first:last]
        finally:
            self._asking.release()
        return True

    def _grow(self, size: int) -> None:
        self._check()
        if self.facts[dealing_facts.HALTED]:
            raise LimitHit
        facts = self._form.facts
        if size > len(facts):
            if not self._kit.compiled:
                facts.extend([0] * (size - len(facts)))
            else:
                self._form.facts = self._kit.arrays.grown(facts, 2 * size)

    def make_room(self) -> None:
        """Widen the table once it is half full.

        Raises:
            LimitHit: it is as wide as may be.
        """
        known, bits = self.table
        if int(self.facts[dealing_facts.COUNT]) * 2 > 1 << bits:
            if bits >= self._most_bits:
                raise LimitHit
            more = min(bits + (2 if bits < LARGE_BITS else 1), self._most_bits)
            wider = self._empty(more)
            self._kit.functions["refile"](known, 1 << bits, wider, more)
            self.table = (wider, more)


@dataclass(slots=True)
class Help:
    """A worker that works on the same question as another, in a thread of its own."""

    helping: Worker
    asking: Worker
    asked: tuple[int, ...]
    quota: int
    most: int
    _thread: Thread | None = None
    _halted: Event = field(default_factory=Event)
    _fault: BaseException | None = None

    def begin(self) -> None:
        """Start the thread."""
        self.helping.facts[dealing_facts.HALTED] = 0
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        helping = self.helping
        began = thread_time()
        try:
            while not self._halted.is_set():
                low = helping.run(self.asked, self.quota, self.most, self.asking.table)
                if low != dealing_facts.STOPPED:
                    break
                if not helping.learn():
                    helping.make_room()
        except (LimitHit, OutOfReach):
            return  # help is no answer: whoever was asked goes on alone, and comes upon the same limit where it counts
        except BaseException as fault:
            self._fault = fault
        finally:
            helping.spent_s += thread_time() - began

    def check(self) -> None:
        """Raise what went wrong in the thread, if anything did."""
        if self._fault is not None:
            raise self._fault

    def end(self) -> None:
        """Have the thread come back, and wait for it.

        Raises:
            Exception: what went wrong in the thread.
        """
        self._halted.set()
        # Facts that are replaced just now are looked at after the event is.
        self.helping.facts[dealing_facts.HALTED] = 1
        if self._thread is not None and self._thread.ident is not None:
            try:
                self._thread.join()
            except KeyboardInterrupt:  # once more: no question is begun while this thread is at another
                self._thread.join()
                raise
        self.check()
