"""Playing on with fixed ways to play and chance drawn as it may fall.

A policy knows no more than a player does. Chance is drawn when it comes up, from what the table says is possible, never
before. Policies that look ahead deal the cards of others anew. The same seed drives the same draws whatever is
compared, one stream of numbers for each source of chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any, Final, NamedTuple

from rules.core.errors import BestlineError
from rules.core.race import ImperfectInformation, Race, seats_unknown
from rules.core.scripts import CHANCE, Asking, ChanceOutcome, Forced, Question, Script, SplitMix64, Step, mix
from rules.core.turns import State

TRIED: Final = 4
"""Answers that greedy play looks at where nothing else is said; a random choice of them where there are more."""
FITS: Final = 200
"""Deals tried until one agrees with the steps of a turn under way."""
AHEAD: Final = 6
"""Own turns that a playout may take."""

Answer = Callable[["Playing", int, Sequence[Step]], Step]
"""Chooses for a seat among some answers, in a turn under way."""


class GameEnd(NamedTuple):
    """How a whole game has ended."""

    winners: tuple[int, ...]
    """Seats; empty where nobody is ahead."""
    length: int
    """Rounds, or own turns where the game counts none; 0 where that is not counted."""
    is_over: bool
    """Whether the rules ended it; else it was given up."""


WholeGames = Callable[[Any, int], GameEnd]
"""Plays a whole game from a table with a seed."""


def row_seed(seed: int) -> int:
    """Return a seed for the rows of an encoding, which go on by 69621 x mod 2**31 - 1 (as by Park and Miller 1988)."""
    return seed % 2147483646 + 1


BLOCK: Final = 32
"""Draws one after another over which numbers are spread evenly."""


@lru_cache(1 << 12)
def _order(seed: int) -> list[int]:
    """Return which part of all numbers each draw of a block takes."""
    return SplitMix64(seed).shuffle(range(BLOCK))


class Spread(SplitMix64):
    """The generator of one of many draws, each of whose numbers is spread evenly over those of a block.

    That is a Latin hypercube (M. McKay, R. Beckman, W. Conover, Technometrics 21, 1979). Every number is as likely as
    any other in each draw.
    """

    __slots__ = ("_block", "_count", "_place")

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(mix(seed ^ number))
        self._block, self._place, self._count = mix(mix(seed) ^ number // BLOCK), number % BLOCK, 0

    def next(self) -> int:
        """Return the next 64-bit output."""
        self._count += 1
        return (_order(self._block ^ self._count)[self._place] << 64 | super().next()) // BLOCK

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 … n - 1, numbers near each other from outputs near each other."""
        return self.next() * n >> 64

    def shuffle(self, cards: Iterable[Any]) -> list[Any]:
        """Return the cards in a random order; the first ones hang on the first outputs."""
        return super().shuffle(cards)[::-1]


class Draws:
    """What chance brings: the same numbers for the same seed and draw, in the order in which each source is asked."""

    __slots__ = ("_number", "_seed", "_streams")

    def __init__(self, seed: int, number: int = 0) -> None:
        self._seed, self._number = seed, number
        self._streams: dict[str, SplitMix64] = {}

    def below(self, source: str, n: int) -> int:
        """Return the next number of a source, from 0 to n - 1; the same part of all numbers for whatever n."""
        if (stream := self._streams.get(source)) is None:
            stream = Spread(mix(self._seed ^ int.from_bytes(source.encode()) % (1 << 64)), self._number)
            self._streams[source] = stream
        return stream.below(n)

    def draw(self, outcomes: Sequence[ChanceOutcome]) -> ChanceOutcome:
        """Return an outcome, each as likely as it is; numbers near each other bring outcomes near each other."""
        left = self.below(outcomes[0].source, sum([outcome.ways for outcome in outcomes]))
        for outcome in outcomes:
            left -= outcome.ways
            if left < 0:
                return outcome
        raise AssertionError("the ways of the outcomes add up to more")


class Playing(Script):
    """Answers chance by its draws and players by ``answer``, which may ask what has happened in the turn so far."""

    __slots__ = ("_answer_of", "_draws")

    def __init__(self, steps: Sequence[Step | Forced], draws: Draws, answer: Answer) -> None:
        super().__init__(steps)
        self._draws, self._answer_of = draws, answer

    def one_of(self, source: str, cards: Sequence[str]) -> str:
        """Return a card out of some, the same that listing them all as outcomes would bring."""
        ordered = sorted(cards)
        if self.unread or ordered[0] == ordered[-1]:
            return super().one_of(source, cards)
        card = ordered[self._draws.below(source, len(ordered))]
        self.steps.append(ChanceOutcome(source, card, ordered.count(card), len(ordered)))
        self._cursor = len(self.steps)
        return card

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        answer: Step
        if actor == CHANCE:
            answer = self._draws.draw([each for each in answers if isinstance(each, ChanceOutcome)])
        else:
            answer = self._answer_of(self, actor, answers)
        self.steps.append(answer)
        self._cursor = len(self.steps)
        return answer


class StepNotOpen(Exception):
    """A step is not open on some table."""


class GivenSteps(Asking):
    """Takes given steps only where they are open, and stops at the first question beyond them."""

    __slots__ = ()

    def _answer(self, actor: int, options: Callable[[], Sequence[Step]], always: bool) -> Any:
        cursor = self._cursor
        answers = options()
        if cursor < len(self.steps):
            given = self.steps[cursor]
            if (given.step if isinstance(given, Forced) else given) not in answers:
                raise StepNotOpen
        return super()._answer(actor, lambda: answers, always)


def agreeing(
    game: Race[Any], state: State[Any], seat: int, answers: Sequence[Step], *, some: bool = False
) -> tuple[Step | Forced, ...] | None:
    """Return the steps of a turn up to the question to which a seat has just these answers, or nothing without it.

    A question can show what lies hidden: a table that asks something else does not agree either. Forced steps are those
    of this table. ``some``: there may be more answers than these.
    """
    try:
        game.play_turn(state.table, GivenSteps(state.pending))
    except StepNotOpen:
        return None
    except Question as question:
        told, options = set(answers), set(question.options)
        if question.actor == seat and (told <= options if some else told == options):
            return question.steps
    return None


class Deals:
    """Tables of a position as far as a seat can tell: what it does not see is dealt anew."""

    def __init__(self, game: Race[Any], start: State[Any], seat: int, *, alone: bool = False) -> None:
        """``alone``: nobody else has turns, so steps under way have no parts that are not seen."""
        self._game, self._start, self._seat = game, start, seat
        self._secrets = game if isinstance(game, ImperfectInformation) else None
        self._actor = game.to_act(State(start.table))
        """Who begins the turn that is asked about; chance where what lies face down is turned up."""
        under_way = bool(start.pending) and not alone
        self.is_needed = False
        """Whether there is anything to be dealt: the seat does not know all that the table tells."""
        if self._secrets is not None:
            sees = self._secrets.information_state(start.table, seat) == start.table
            self.is_needed = under_way or not sees or bool(seats_unknown(game, start.table))
        self._open = tuple(game.legal_moves(start)) if self.is_needed and game.to_act(start) == seat else ()
        """What the seat may answer now, where that is its own to decide."""

    def is_before(self, table: Any) -> bool:
        """Return whether secret decisions, which a deal has taken back, come before the turn that is asked about."""
        game = self._game
        if not self.is_needed or self._actor < 0 or game.is_over(table):
            return False
        return game.to_act(State(table)) != self._actor

    def deal(self, begun: Sequence[Step | Forced], generator: SplitMix64) -> tuple[Any, Sequence[Step | Forced]]:
        """Return a table in agreement with what the seat is asked.

        With it come the given steps of the turn, those that were forced on the way being those of this table.

        Raises:
            BestlineError: no deal that agrees was found.
        """
        table, seat, pending = self._start.table, self._seat, self._start.pending
        if self._secrets is None or not self.is_needed:
            return table, begun
        for _ in range(FITS):
            dealt = self._secrets.sample_world(self._start, seat, generator, named=True)
            if not pending and (not self._open or self._game.to_act(dealt) != self._actor):
                return dealt.table, begun
            steps = agreeing(self._game, dealt, seat, self._open, some=not self._open)
            if steps is not None:
                return dealt.table, (*steps, *begun[-1:])
        raise BestlineError("no cards in other hands were found that agree with this turn; ask at its beginning")


Policy = Callable[[Any, Playing, int, Sequence[Step], SplitMix64], Step]
"""A way to play: chooses one of some answers from what a seat knows, never from what lies hidden on the table.

The table is the one at the start of the turn under way, which the script plays.
"""


def any_answer(_table: Any, _script: Playing, _seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
    """Return any of the answers, each as likely as the others."""
    return answers[generator.below(len(answers))]


class GreedyPolicy:
    """Tries some answers, finishes the turn at random for each, and takes the one with the greatest promise.

    Each trial deals anew what the seat does not see. A deal that does not agree with the turn leaves any answer.
    """

    def __init__(self, game: Race[Any], promise: Callable[[Any], float] | None = None, tried: int = TRIED) -> None:
        """``promise`` tells how good a table looks, else progress and hand cards do; ``tried`` answers at most."""
        self._game, self._tried, self._promise = game, tried, promise
        self._secrets = game if isinstance(game, ImperfectInformation) else None

    def __call__(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return one of the answers."""
        steps: Sequence[Step | Forced] | None = script.steps
        if self._secrets is not None:
            dealt = self._secrets.sample_world(State(table, tuple(script.steps)), seat, generator)
            table, steps = dealt.table, agreeing(self._game, dealt, seat, answers, some=True)
        if steps is None:
            return answers[generator.below(len(answers))]
        tried = list(few_of(answers))
        while len(tried) > self._tried:
            del tried[generator.below(len(tried))]
        if len(tried) == 1:
            return tried[0]
        scores = []
        for answer in tried:
            draws = Draws(generator.next())
            script = Playing([*steps, answer], draws, lambda _, __, more: more[generator.below(len(more))])
            end = self._game.play_turn(table, script)
            usual = 2 * self._game.so_far(end, seat) + len(self._game.hand(end, seat)) if not self._promise else 0
            scores.append(self._promise(end) if self._promise else usual)
        return tried[scores.index(max(scores))]


class IdlePolicy:
    """Does nothing where it may, else ends its turn at once.

    That is the first answer, in the order of texts, after which it is not asked again, or the first of all.
    """

    def __init__(self, game: Race[Any]) -> None:
        self._game = game

    def __call__(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return one of the answers."""
        return self.chosen(table, script.steps, seat, answers)

    def chosen(self, table: Any, steps: Sequence[Step | Forced], seat: int, answers: Sequence[Step]) -> Step:
        """Return one of the answers of a seat after some steps of a turn."""
        idle = next((answer for answer in answers if answer.text in self._game.profile.idle), None)
        if idle is not None:
            return idle
        ordered = sorted(answers, key=lambda answer: answer.text)
        return next((answer for answer in ordered if self._ends(table, steps, seat, answer)), ordered[0])

    def _ends(self, table: Any, steps: Sequence[Step | Forced], seat: int, answer: Step) -> bool:
        """Return whether a seat has nothing more to decide in a turn; some results of chance stand for all."""

        def others(_: Playing, actor: int, more: Sequence[Step]) -> Step:
            if actor == seat:
                raise StepNotOpen
            return more[0]

        try:
            self._game.play_turn(table, Playing([*steps, answer], Draws(0), others))
        except StepNotOpen:
            return False
        return True


POLICIES: Final[Mapping[str, Callable[[Race[Any]], Policy]]] = {"greedy": GreedyPolicy, "random": lambda _: any_answer}
"""Ways to play without a search, by name."""
OPPONENTS: Final[Mapping[str, Callable[[Race[Any]], Policy]]] = {**POLICIES, "never": IdlePolicy}
"""Ways to play without a search that may be declared for others, by name."""


MANY: Final = 400
"""Moves up to which playouts look at all of them."""
FEW: Final = 200
"""About as many stand for more than these."""


@lru_cache(1 << 16)
def kind_of(text: str) -> str:
    """Return what moves of one kind have in common: their first two words, such as a card played and not its payment.

    A space at the end keeps them apart from a move that has no more words.
    """
    return " ".join(text.split()[:2]) + " "


def few_of(moves: Sequence[Step]) -> Sequence[Step]:
    """Return the moves, or of very many a few of each kind in the same order: the first text, the last, some between.

    Playouts that choose among these alone are still of a real way to play.
    """
    if len(moves) <= MANY:
        return moves
    texts = [move.text for move in moves]
    kinds: dict[str, list[int]] = {}
    for place in sorted(range(len(moves)), key=texts.__getitem__):
        kinds.setdefault(kind_of(texts[place]), []).append(place)
    last = max(2, FEW // len(kinds)) - 1
    kept = {places[(len(places) - 1) * step // last] for places in kinds.values() for step in range(last + 1)}
    return [moves[place] for place in sorted(kept)]


Value = Fraction | float
"""What a playout was worth: exact, or by a game's encoding."""


class Sampler(ABC):
    """What plays the playouts of one question."""

    engine = "playouts by a rule of thumb"
    """What answers are said to come from."""
    most_playouts = 3000
    """Playouts where neither a time nor a number is given."""
    most_turns = 18_000
    """Likewise turns in all of them: whichever comes first."""
    turn_s = 0.0005
    """About the seconds of a turn."""
    bounds = 0.0, 1.0
    """Between which values every playout lies for certain."""
    rounds = 0
    """Rounds after which the playouts of a contest stop, where they are games of an encoding."""
    simplified = ""
    """What these leave out of the rules, in words."""

    def __init__(self, seed: int) -> None:
        self._seed = mix(seed ^ 0x1515)
        self._played = 0
        self._draw = 0, 0
        """The seed of the playout under way and the number of its draw."""
        self._lowest, self._highest = inf, -inf

    @property
    def played(self) -> int:
        """Turns played in all, or games."""
        return self._played

    @property
    def spent_s(self) -> float:
        """About the seconds of all playouts, from what was played alone."""
        return self.turn_s * self.played

    @property
    def nodes(self) -> int:
        """Situations told apart."""
        return 0

    @property
    def width(self) -> float:
        """How far the values of all playouts so far lie apart; certain bounds count in full."""
        low, high = self.bounds
        return max(0.0, self._highest - self._lowest) if high == inf else high - low

    def progress(self) -> int:
        """Return how far the last playout got; 0 where that is not followed."""
        return 0

    def liking(self, move: Step) -> tuple[float, ...]:
        """Return how much plain play likes a move of a contest, the same for all moves where it says nothing."""
        return ()

    def won(self, value: Value) -> float:
        """Return what part of the win the last playout has brought: what it was worth, or the sign of a lead says."""
        return float(value) if self.bounds == (0.0, 1.0) else ((value > 0) - (value < 0) + 1) / 2

    def grow(self, begun: Any, number: int) -> Value:
        """Play once more, and learn from it; return what it was worth. Equal numbers bring equal draws."""
        return self._noted(begun, self._seed, number, learns=True)

    def play(self, begun: Any, number: int) -> Value:
        """Play once as learnt, on draws that no ``grow`` has met; return what it was worth."""
        return self._noted(begun, mix(self._seed), number, learns=False)

    def _noted(self, begun: Any, seed: int, number: int, *, learns: bool) -> Value:
        self._draw = seed, number
        value = self._run(begun, mix(seed ^ number), learns=learns)
        self._lowest, self._highest = min(self._lowest, float(value)), max(self._highest, float(value))
        return value

    @abstractmethod
    def _run(self, begun: Any, seed: int, *, learns: bool) -> Value:
        """Play what goes on from a beginning; return what it was worth."""
