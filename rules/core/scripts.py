"""What happens in a turn: steps, which are moves and outcomes of chance, events, and the scripts of a turn.

A script answers what a turn asks: from the steps already taken, and beyond them each in its own way. Beyond the
given steps an ``Asking`` script stops, an ``Exploring`` one takes the first answer and queues the others, and a
``Sampling`` one draws.

- Open sources of chance have fixed results, from explicit lists or a seed (Iditacards R72 to R74; the other games use
  the same streams). Hidden sources have no result here: the game branches over their outcomes instead.
- A hand is known cards and a number of others, each any card of a pool that nobody here has seen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from rules.core.errors import ContentError, Fault, counted, with_copies

CHANCE: Final = -1
"""``to_act`` of a state that waits for chance; players are 0, 1, …"""
OVER: Final = -2
"""``to_act`` of a state where the game has ended."""


@runtime_checkable
class Move(Protocol):
    """One decision by one player; every kind is a frozen type of its game."""

    @property
    def text(self) -> str:
        """The one text that prints and parses as this move."""


@dataclass(frozen=True, slots=True)
class Word:
    """A move of a single word, such as ``pass``."""

    text: str


@dataclass(frozen=True, slots=True)
class CardMove:
    """A move of two words: what is done, and with which card or other thing, such as ``destroy lunch``."""

    verb: str
    card: str

    @property
    def text(self) -> str:
        """The two words."""
        return f"{self.verb} {self.card}"


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """One result of one chance event."""

    source: str
    """Name of the source, as in a position's ``open`` list."""
    result: str
    ways: int = field(default=1, compare=False)
    """Equally likely cases with this result."""
    cases: int = field(default=1, compare=False)
    """Equally likely cases in all."""

    @property
    def probability(self) -> Fraction:
        """The chance of this outcome; the outcomes of one event add to exactly 1."""
        return Fraction(self.ways, self.cases)

    @property
    def text(self) -> str:
        """The text that prints and parses as this outcome."""
        return f"{self.source} {self.result}"


class Forced(NamedTuple):
    """A step without alternative: taken by the rules, never asked, kept so that a turn can be replayed."""

    step: Move | ChanceOutcome

    @property
    def text(self) -> str:
        """The text of the step."""
        return self.step.text


Step: TypeAlias = Move | ChanceOutcome


class Event(NamedTuple):
    """Something the rules did, with the number of the rule that did it; words are made elsewhere."""

    rule: str
    """Rule or ruling number of the game's specification, such as ``R26`` or ``Q30``."""
    kind: str
    """Name of the kind of event; the game's catalogue of words has a sentence for each."""
    data: Mapping[str, Any]
    """Card ids, seats and numbers that the sentence needs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, and by which rule."""

    winners: tuple[int, ...]
    """Seats that won; empty for a draw."""
    rule: str
    words: str = field(default="the game is over", compare=False)
    """Why no move is open any more."""


class Narrated:
    """A run of the rules that logs what they did: the working copy of a table, which a script answers."""

    def __init__(self, script: Script) -> None:
        self.script, self.log = script, script.log
        if script.turns is not None:
            script.turns.append(self)

    def emit(self, rule: str, kind: str, **data: Any) -> None:
        """Log what a rule did, when somebody listens."""
        if self.log is not None:
            self.log.append(Event(rule, kind, data))


Answered: TypeAlias = list[Step | Forced]
"""The steps with which a run begins, those that were forced marked."""
E = TypeVar("E", bound="Exploring")


class Question(Exception):
    """Raised by an asking script: the run needs an answer that has not been given yet."""

    def __init__(
        self, actor: int, options: Sequence[Step], steps: tuple[Step | Forced, ...], purpose: str = ""
    ) -> None:
        super().__init__(actor)
        self.actor, self.options, self.steps, self.purpose = actor, options, steps, purpose


class Script(ABC):
    """The steps of one run of a turn, answered in order."""

    turns: list[Any] | None = None
    """Where the working copies are noted on which the turn is played, if anywhere."""

    def __init__(self, steps: Sequence[Step | Forced], log: list[Event] | None = None) -> None:
        self.steps: list[Step | Forced] = list(steps)
        self._cursor = 0
        self.log = log
        self.orders = 1
        self.purpose = ""
        """What the rules want the next result of chance for, in words for players."""

    def decide(self, seat: int, options: Callable[[], Sequence[Move]], *, always: bool = False) -> Move:
        """Return the move that ``seat`` takes here; a single option is taken unasked unless ``always``."""
        move: Move = self._answer(seat, options, always)
        return move

    def chance(self, outcomes: Callable[[], Sequence[ChanceOutcome]]) -> ChanceOutcome:
        """Return the outcome of a hidden chance event."""
        outcome: ChanceOutcome = self._answer(CHANCE, outcomes, False)
        return outcome

    def one_of(self, source: str, cards: Sequence[str]) -> str:
        """Return the card that hidden chance turns up out of some, each of them as likely as the others."""

        def outcomes() -> list[ChanceOutcome]:
            counts = Counter(cards)
            return [ChanceOutcome(source, kind, counts[kind], len(cards)) for kind in sorted(counts)]

        return self.chance(outcomes).result

    def _answer(self, actor: int, options: Callable[[], Sequence[Step]], always: bool) -> Any:
        cursor = self._cursor
        if cursor < len(self.steps):
            self._cursor = cursor + 1
            step = self.steps[cursor]
            return step.step if type(step) is Forced else step
        answers = options()
        if len(answers) == 1 and not always:
            self._cursor = cursor + 1
            self.steps.append(Forced(answers[0]))
            return answers[0]
        return self._fresh(actor, answers)

    @property
    def merges_orders(self) -> bool:
        """Whether cards taken together are asked for in ascending order only; ``orders`` counts what is left out."""
        return False

    @property
    def unread(self) -> bool:
        """Whether steps are left that no question has asked for yet."""
        return self._cursor < len(self.steps)

    @property
    def was_asked(self) -> bool:
        """Whether this run has come to a question with more than one answer, or one that is always asked."""
        return any(not isinstance(step, Forced) for step in self.steps[: self._cursor])

    @abstractmethod
    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        """Answer a question beyond the given steps."""


class Barred(Exception):
    """Raised by an exploring script: none of the answers to a question is wanted."""


class Asking(Script):
    """Stops the run at the first question beyond the given steps."""

    def __init__(
        self, steps: Sequence[Step | Forced], log: list[Event] | None = None, turns: list[Any] | None = None
    ) -> None:
        super().__init__(steps, log)
        self.turns = turns

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        raise Question(actor, answers, tuple(self.steps), self.purpose)


class Exploring(Script):
    """Takes the first answer at each new question and queues the others; answers that are not wanted are left out.

    The first ``begun`` steps were taken before the exploration; the others are its own. Where answers go ``by_text``,
    the first one is that whose text comes first.
    """

    def __init__(
        self,
        steps: Sequence[Step | Forced],
        queue: list[Answered],
        wanted: Callable[[Step], bool] | None = None,
        begun: int = 0,
        by_text: bool = False,
    ) -> None:
        super().__init__(steps)
        self._queue, self._wanted, self._begun, self._by_text = queue, wanted, begun, by_text

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:  # every actor is explored alike
        steps = self.steps
        if self._wanted is not None:
            answers = [answer for answer in answers if self._wanted(answer)]
        if not answers:
            raise Barred
        if self._by_text:
            answers = sorted(answers, key=lambda answer: answer.text)
        for other in answers[1:]:
            self._queue.append([*steps, other])
        steps.append(answers[0])
        self._cursor = len(steps)
        return answers[0]

    @property
    def merges_orders(self) -> bool:
        """Whether the exploration has begun: what was taken before has happened, in this order and no other."""
        return self._cursor >= self._begun


def every_way(script: Callable[[Answered, list[Answered]], E], begun: Sequence[Step | Forced] = ()) -> Iterator[E]:
    """Yield an exploring script for each way through a run that begins with some steps.

    ``script`` makes one of the steps taken and the queue of other ways. Each has to be run before the next one is asked
    for.
    """
    queue: list[Answered] = [list(begun)]
    while queue:
        yield script(queue.pop(), queue)


class Sampling(Script):
    """Answers each new question at random, every answer as likely as the others."""

    def __init__(self, steps: Sequence[Step | Forced], generator: SplitMix64) -> None:
        super().__init__(steps)
        self._generator = generator

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:  # every actor is sampled alike
        answer = answers[self._generator.below(len(answers))]
        self.steps.append(answer)
        self._cursor = len(self.steps)
        return answer


# Known chance

Card = TypeVar("Card", str, int)
"""A card by its id, or by its place in the order that a game gives its cards."""

_MASK = 0xFFFFFFFFFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15


class SplitMix64:
    """The generator of one chance event (R74); ``state`` is a 64-bit integer."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & _MASK

    def next(self) -> int:
        """Return the next 64-bit output."""
        self.state = (self.state + _GAMMA) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 … n - 1."""
        limit = (1 << 64) - ((1 << 64) % n)
        while True:
            r = self.next()
            if r < limit:
                return r % n

    def shuffle(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards in a random order that depends on their multiset only; index 0 is the top."""
        a = sorted(cards)
        for i in range(len(a) - 1, 0, -1):
            j = self.below(i + 1)
            a[i], a[j] = a[j], a[i]
        return a


def mix(x: int) -> int:
    """Return the first output of the generator with state ``x``."""
    return SplitMix64(x).next()


def stream(seed: int, kind: int, owner: int, event: int) -> SplitMix64:
    """Return the generator of one chance event, the same for every line of play that reaches it."""
    x = seed & _MASK
    for part in (kind, owner, event):
        x = mix(x ^ part)
    return SplitMix64(x)


def priority_order(order: Sequence[str], cards: Iterable[str]) -> list[str]:
    """Return ``cards`` in the order of a priority list, the cards it does not name last, ascending (R74)."""
    left = Counter(cards)
    result: list[str] = []
    for card in order:
        if left[card] > 0:
            left[card] -= 1
            result.append(card)
    return [*result, *sorted(left.elements())]


@dataclass(frozen=True)
class Chance:
    """Which sources of chance are known in advance, and their results."""

    open: frozenset[str]
    """Names of the open sources; every other source is hidden."""
    seed: int | None = None
    """Seed of every open result that no list gives; 0 … 2^64 - 1."""
    lists: Mapping[str, Any] = field(default_factory=dict)
    """Explicit results, by source; their shape is the game's (Iditacards R74)."""

    def seeded(self) -> Chance:
        """Return the same with a seed, which is 0 where none is given."""
        return self if self.seed is not None else Chance(self.open, 0, self.lists)

    def is_open(self, source: str) -> bool:
        """Return whether the results of this source are known in advance."""
        return source in self.open

    def stream(self, kind: int, owner: int, event: int) -> SplitMix64:
        """Return the random numbers of one event of an open source (R72).

        Raises:
            ContentError: there is no seed, and lists do not reach so far.
        """
        if self.seed is None:
            message = "an open source has run out of listed results and there is no seed; give chance.seed"
            raise ContentError([Fault(message, "chance")])
        return stream(self.seed, kind, owner, event)


# Unknown cards

UNKNOWN: Final = "?"
"""Stands for a card that is not known; it sorts before every other card, and is written behind them."""
MOST: Final = 99
"""Unknown cards that a number may stand for."""


def written_out(hand: Any, dealt: int) -> list[str]:
    """Return a hand as a list: a number stands for so many unknown cards, ``?`` for those that are ``dealt``."""
    if isinstance(hand, int):
        return [UNKNOWN] * hand
    return [UNKNOWN] * dealt if hand == UNKNOWN else list(hand)


def in_short(hand: Sequence[str]) -> list[str] | int:
    """Return a hand as files have it: the number of its cards where all are unknown, unknown ones last elsewhere."""
    return len(hand) if hand and not known(hand) else in_order(hand)


def in_order(hand: Iterable[str]) -> list[str]:
    """Return a hand in its canonical order: known cards ascending, then the others."""
    return sorted(hand, key=lambda card: (card == UNKNOWN, card))


def known(cards: Iterable[str]) -> list[str]:
    """Return the known cards."""
    return [card for card in cards if card != UNKNOWN]


def in_words(hand: Sequence[str]) -> str:
    """Return a hand in words."""
    shown = known(hand)
    if unknown := len(hand) - len(shown):
        return f"{with_copies(shown)}, and {unknown} unknown" if shown else f"{counted(unknown, 'card')}, unknown"
    return with_copies(shown) or "empty"


def kinds(hand: Sequence[str], pool: Iterable[str]) -> list[str]:
    """Return the different cards that may be in a hand, ascending."""
    return sorted({*known(hand), *(pool if UNKNOWN in hand else ())})


def distinct(cards: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Return the different ways to take so many out of sorted cards, ascending."""
    ways: list[list[tuple[str, ...]]] = [[()], *([] for _ in range(number))]
    for kind, copies in reversed(Counter(cards).items()):
        ways = [
            [(kind,) * own + rest for own in range(min(copies, n), -1, -1) for rest in ways[n - own]]
            for n in range(number + 1)
        ]
    return ways[number]


def selections(hand: Sequence[str], pool: Iterable[str], number: int) -> Iterator[tuple[str, ...]]:
    """Yield the different ways to take so many cards out of a hand, each of them and all ascending."""
    seen = sorted(known(hand))
    unseen = sorted(pool) if len(seen) < len(hand) else []
    found = {
        tuple(sorted(mine + others))
        for n in range(min(number, len(hand) - len(seen)) + 1)
        for mine in combinations(seen, number - n)
        for others in set(combinations(unseen, n))
    }
    yield from sorted(found)


def take(hand: list[str], pool: list[str], card: str) -> None:
    """Take a card out of a hand; one that was not known there is in the pool no more."""
    if card in hand:
        hand.remove(card)
    else:
        hand.remove(UNKNOWN)
        pool.remove(card)
