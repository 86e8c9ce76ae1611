"""What an audit says: findings with a witness each, and what was searched where nothing was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import product
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal
from rules.core.errors import Fault
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.turns import State
from solver.screens.common import percent
from solver.search.budget import Budget

MARGIN: Final = 0.05
"""How much larger than under the base a share has to be to be told."""


class Level(StrEnum):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    """The game is broken."""
    WARNING = "warning"
    """A designer should look at it."""
    NOTE = "note"
    """True, and perhaps intended."""

    def reaches(self, other: Level) -> bool:
        """Return whether this level is as bad as another one or worse."""
        return list(Level).index(self) <= list(Level).index(other)


class Confidence(StrEnum):
    """How sure a finding is."""

    PROVED = "proved"
    """By the rules and numbers alone, or by a search that left nothing out."""
    REPLAYED = "replayed"
    """By a line that the rules play."""
    SAMPLED = "sampled"
    """By seeded games, with an interval of 95 %."""
    ARGUED = "argued"
    """By numbers that leave hardly any way, without proof."""


class Change(StrEnum):
    """How a finding differs from that of the ruleset compared with."""

    NEW = "new"
    GONE = "gone"
    WORSE = "worse"
    BETTER = "better"
    SAME = "same"


class Witness(NamedTuple):
    """A line that the rules play: from a position, step by step, with a part that repeats where it is a loop."""

    position: Position
    line: tuple[str, ...]
    """Texts of the steps from the position on."""
    cycle: tuple[str, ...] = ()
    """Texts of the steps that repeat after the line."""
    repeats: int = 0
    """How often the cycle is played."""
    rest: tuple[str, ...] = ()
    """Texts of the steps after that."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process without what the position's game has remembered."""
        return Witness, (replace(self.position), self.line, self.cycle, self.repeats, self.rest)

    @property
    def steps(self) -> tuple[str, ...]:
        """Return the texts of all steps, repetitions written out."""
        return (*self.line, *self.cycle * self.repeats, *self.rest)

    def replay(self) -> State[Any]:
        """Return the state that the rules come to at the end.

        Raises:
            NotationError: a step is none here.
            IllegalMoveError: a step is not open here.
        """
        game, state = self.position.start()
        for text in self.steps:
            state = game.apply(state, game.parse_step(state, text)).state
        return state


class Shown(NamedTuple):
    """One answer that a finding rests on: a question, what it forbids, the best line found and what is excluded."""

    question: str
    side: str
    """Which of the answers to the question it is: ``free``, ``without``, ``alone``, ``text``; ``base`` before it."""
    witness: Witness
    """The position and the line, which is empty where none was found."""
    goal: Goal
    """What is asked, with all that is forbidden."""
    value: int | None
    """Worth of the line; nothing where there is none."""
    bound: int | None
    """No line is better."""
    impossible: bool = False
    """It is proved that there is no line."""

    @property
    def proved(self) -> bool:
        """Return whether the best value, or that there is none, is certain."""
        return self.impossible or (self.value is not None and self.value == self.bound)

    @property
    def line(self) -> Witness | None:
        """Return the line, or nothing where none was found."""
        return self.witness if self.witness.steps else None


@dataclass(frozen=True, slots=True)
class Finding:
    """One way in which a ruleset may be broken."""

    code: str
    """Stable code, such as ``LOOP``."""
    subject: str
    """What it is about, so that it can be recognised in another ruleset: moves, a card, a metric, a puzzle."""
    level: Level
    claim: str
    """One sentence without a full stop."""
    place: Fault
    """Where in the ruleset it comes from, without message."""
    witness: Witness | None = None
    shown: tuple[Shown, ...] = ()
    """Where it compares answers: those of every question that counts, side by side, the most telling question first."""
    confidence: Confidence = Confidence.REPLAYED
    size: str = ""
    """How large it is, in a few words, beside what the base has; empty where it is there or not."""
    measure: int | None = None
    """How bad it is, as a number: more is worse; nothing where there is no such number."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Numbers behind the claim."""
    accepted: str = ""
    """Why the baseline accepts it; empty where it does not."""
    change: Change | None = None
    """Against the ruleset compared with, if there is one."""
    because: tuple[Fault, ...] = ()
    """The changes it hangs on, each with what it is as its message."""
    cure: str = ""
    """The value at which it was not found any more, in words; empty where none was tried."""

    @property
    def id(self) -> str:
        """Return the name by which a baseline accepts it."""
        return f"{self.code}:{self.subject}"

    @property
    def line(self) -> Witness | None:
        """Return the line that shows it, the first one where it compares answers."""
        return self.shown[0].witness if self.shown else self.witness

    @property
    def counts(self) -> bool:
        """Return whether it is there and nobody has accepted it."""
        return not self.accepted and self.change is not Change.GONE


class Searched(NamedTuple):
    """What one finder has done."""

    code: str
    what: str
    """What was looked at, in words without a full stop."""
    complete: bool = True
    """Whether it did all it set out to do, rather than being stopped by the budget."""
    failed: str = ""
    """The fault of ours that ended it, in words; empty where there was none."""
    lack: str = ""
    """What it was short of, in words, where that was not time."""

    @property
    def ending(self) -> str:
        """Return how it was cut short, in brackets after a space; empty where it was not."""
        if self.failed:
            return f" (failed: {self.failed})"
        return "" if self.complete else f" ({self.lack or 'stopped: out of time'})"


class Judged(NamedTuple):
    """Whether a target of the ruleset's designer is met."""

    metric: str
    verdict: str
    """``pass``, ``fail`` or ``unknown``."""
    words: str


UNKNOWN: Final = "unknown"
"""The verdict of a target that is not decided."""


class Audit(NamedTuple):
    """One audited ruleset."""

    ruleset: Ruleset
    findings: tuple[Finding, ...]
    searched: tuple[Searched, ...]
    judged: tuple[Judged, ...] = ()
    against: Ruleset | None = None
    interrupted: bool = False
    time_s: float = 0.0

    @property
    def complete(self) -> bool:
        """Return whether nothing was cut short."""
        return not self.interrupted and all(each.complete for each in self.searched)

    @property
    def failed(self) -> tuple[Searched, ...]:
        """Return what was ended by a fault of ours."""
        return tuple(each for each in self.searched if each.failed)

    @property
    def undecided(self) -> list[tuple[str, str, str]]:
        """Return the questions left open: of each its code, a name, and what was looked at or measured."""
        stopped = [(each.code, each.code, each.what) for each in self.searched if not each.complete]
        return stopped + [
            ("ASSERT", f"target {each.metric}", each.words) for each in self.judged if each.verdict == UNKNOWN
        ]

    def failing(self, level: Level) -> list[Finding]:
        """Return the findings at or above a level that nobody has accepted."""
        return [each for each in self.findings if each.counts and each.level.reaches(level)]

    def verdict(self, level: Level) -> str:
        """Return ``failed`` with a finding at or above a level, else ``passed``, or ``undecided`` if cut short."""
        return "failed" if self.failing(level) else "passed" if self.complete else "undecided"


class Fastest(NamedTuple):
    """What is known of the fastest win from some deals."""

    value: int | None
    """Turns of the fastest line found, or rounds; nothing where none was."""
    bound: int
    """No line from these deals is faster."""
    witness: Witness | None
    complete: bool
    """Whether every deal was looked at."""
    unit: str = "turn"
    """What is counted: ``turn``, or ``round`` where the game counts those."""


@dataclass(slots=True)
class Notebook:
    """What the finders of one audit share, and what they have written down so far."""

    ruleset: Ruleset
    budget: Budget
    seed: int = 0
    base: Ruleset | None = None
    """What the ruleset is measured by: the one compared with, or the shipped one it extends."""
    findings: list[Finding] = field(default_factory=list)
    searched: list[Searched] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    fastest: Fastest | None = None
    """The fastest win under the ruleset, once that was looked for."""
    restricted: dict[tuple[str, str], Any] = field(default_factory=dict)
    """What restricted play and puzzles say, by the fingerprint of a ruleset and what is asked, once searched."""
    samples: dict[str, Any] = field(default_factory=dict)
    """Whole games of as few players as can be, by the fingerprint of the ruleset, once they were played."""
    seats: dict[str, Any] = field(default_factory=dict)
    """How often the first seat of two has won, by the same fingerprint."""
    margin: float = MARGIN
    about: str = ""
    """The subject of the one finding that is looked for again; empty where everything is."""
    tell_found: Callable[[Finding], None] = lambda _: None
    """Is told each finding as soon as it is there."""

    @property
    def other(self) -> Ruleset | None:
        """Return the base, if it is another ruleset."""
        return None if self.base is None or self.base.fingerprint == self.ruleset.fingerprint else self.base

    def beside(self, ruleset: Ruleset) -> Ruleset | None:
        """Return the other of both rulesets, whose games are held beside those of one."""
        return self.other if ruleset.fingerprint == self.ruleset.fingerprint else self.ruleset

    def wants(self, subject: str) -> bool:
        """Return whether anything is looked for that a subject begins, or stands in."""
        return not self.about or subject in self.about.split() or self.about.startswith(subject)

    def add(
        self, code: str, subject: str, level: Level, claim: str, where: Sequence[str] | Fault = (), **more: Any
    ) -> None:
        """Write a finding down, and tell it: at a place, or where the entry stands that some words name first."""
        place = where if isinstance(where, Fault) else place_of(self.ruleset, where)
        finding = Finding(code, subject, level, claim, place, **more)
        self.findings.append(finding)
        self.tell_found(finding)

    def add_share(self, code: str, subject: str, claim: str, now: Any, then: Any, **more: Any) -> None:
        """Write down that a share of whole games is larger than under the base; ``more`` as ``add`` takes it."""
        data = {**now.numbers, "base": then.numbers, **more.pop("data", {}), "seed": self.seed}
        size = f"{more.pop('size', '')}{percent(now.value)} (base {percent(then.value)})"
        told, level = f"{claim}, seed {self.seed}", more.pop("level", Level.WARNING)
        more |= {"confidence": Confidence.SAMPLED, "measure": round(1000 * now.value)}
        self.add(code, subject, level, told, size=size, data=data, **more)


Finder = Callable[[Notebook], None]
"""Writes what it finds, and what it searched, into the notebook."""


def place_of(ruleset: Ruleset, words: Sequence[str]) -> Fault:
    """Return where the entry stands that the words name first, or the last text of the ruleset where none does."""
    for word, table in product(words, ruleset.definition.collections):
        if word in ruleset.raw.get(table, {}) and ruleset.stated((table, word)) is not None:
            return ruleset.place((table, word))
    return Fault("", file=ruleset.layers[-1].file, line=1)
