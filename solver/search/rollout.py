"""Playing on with fixed ways to play and chance drawn as it may fall.

Whoever plays here knows no more than a player does: chance is drawn when it comes up, from what the table says is
possible, never before, and the cards that others hold are imagined anew by whoever looks ahead. The same seed drives
the same draws whatever is compared, one stream of numbers for each source of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, Protocol

from puzzles.goal import Goal, Objective
from rules.core.challenge import secrets_of
from rules.core.chance import SplitMix64, mix
from rules.core.errors import BestlineError
from rules.core.race import Race
from rules.core.steps import CHANCE, ChanceOutcome, Forced, Question, Script, Step
from rules.core.turns import State
from solver.search.kinds import Narrowing

TRIED: Final = 4
"""Answers that the greedy way to play looks at; a random choice of them where there are more."""
FITS: Final = 200
"""Deals tried until one agrees with the steps of a turn under way."""
AHEAD: Final = 6
"""Own turns that a playout may take."""

Answer = Callable[["Playing", int, Sequence[Step]], Step]
"""Chooses for a seat among some answers, in a turn under way."""


class Draws:
    """What chance brings: the same numbers for the same seed, in the order in which each source is asked."""

    __slots__ = ("_seed", "_streams")

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._streams: dict[str, SplitMix64] = {}

    def below(self, source: str, n: int) -> int:
        """Return the next number of a source, from 0 to n - 1; the same part of all numbers for whatever n."""
        stream = self._streams.get(source)
        if stream is None:
            stream = SplitMix64(mix(self._seed ^ int.from_bytes(source.encode()) % (1 << 64)))
            self._streams[source] = stream
        return stream.next() * n >> 64

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

    __slots__ = ("_answer_of", "_draws", "own", "seats")

    def __init__(self, steps: Sequence[Step | Forced], draws: Draws, answer: Answer) -> None:
        super().__init__(steps)
        self._draws = draws
        self._answer_of = answer
        self.seats: set[int] = set()
        """Who has had something to decide in this turn, with a choice or without."""
        self.own: list[tuple[int, Step]] = []
        """Answers of players in this run, with who gave them."""

    def decide(self, seat: int, options: Callable[[], Sequence[Any]], *, always: bool = False) -> Any:
        """Return the move that ``seat`` takes here."""
        self.seats.add(seat)
        return super().decide(seat, options, always=always)

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
            self.own.append((actor, answer))
        self.steps.append(answer)
        self._cursor = len(self.steps)
        return answer


class Misfit(Exception):
    """A step is not open on some table."""


class Fitting(Script):
    """Takes given steps only where they are open, and stops at the first question beyond them."""

    __slots__ = ()

    def _answer(self, actor: int, options: Callable[[], Sequence[Step]], always: bool) -> Any:
        cursor = self._cursor
        answers = options()
        if cursor < len(self.steps):
            given = self.steps[cursor]
            if (given.step if isinstance(given, Forced) else given) not in answers:
                raise Misfit
        return super()._answer(actor, lambda: answers, always)

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        raise Question(actor, answers, tuple(self.steps))


def agreeing(
    game: Race[Any],
    table: Any,
    steps: Sequence[Step | Forced],
    seat: int,
    answers: Sequence[Step],
    *,
    some: bool = False,
) -> tuple[Step | Forced, ...] | None:
    """Return the steps of a turn up to the question to which a seat has just these answers, or nothing without it.

    What is asked can tell of what lies hidden: a table on which something else is asked agrees with it as little as one
    on which the steps are not open. Steps that are forced are those of this table. ``some``: there may be more answers,
    since not all of them are told.
    """
    try:
        game.play_turn(table, Fitting(steps))
    except Misfit:
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
        self._secrets = secrets_of(game)
        self._actor = game.to_act(State(start.table))
        """Who begins the turn that is asked about."""
        under_way = bool(start.pending) and not alone
        self.is_needed = self._secrets is not None and (under_way or not self.is_in_sight(start.table))
        """Whether there is anything to be dealt."""
        asked = self.is_needed and game.to_act(start) == seat
        self._open = tuple(game.legal_moves(start)) if asked else ()
        """What the seat may answer now, where that is its own to decide."""

    def is_in_sight(self, table: Any) -> bool:
        """Return whether the seat knows all that a table tells."""
        return self._secrets is None or self._secrets.view(table, self._seat) == table

    def is_before(self, table: Any) -> bool:
        """Return whether secret decisions, which a deal has taken back, come before the turn that is asked about."""
        game = self._game
        return self.is_needed and not game.is_over(table) and game.to_act(State(table)) != self._actor

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
            dealt = self._secrets.imagined(table, seat, generator, pending)
            if not pending and (not self._open or self._game.to_act(State(dealt)) != self._actor):
                return dealt, begun
            told = self._secrets.surmised(dealt, seat, generator, pending)
            steps = agreeing(self._game, dealt, told, seat, self._open, some=not self._open)
            if steps is not None:
                return dealt, (*steps, *begun[-1:])
        raise BestlineError("no cards in other hands were found that agree with this turn; ask at its beginning")


class Policy(Protocol):
    """A way to play: chooses from what a seat knows, never from what lies hidden on the table."""

    def __call__(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return one of the answers; ``table`` is the one at the start of the turn under way."""


class Anything:
    """Takes any answer, each as likely as the others."""

    def __init__(self, game: Race[Any]) -> None:
        self._game = game

    def __call__(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return one of the answers."""
        return answers[generator.below(len(answers))]


class Greedy:
    """Tries some answers, finishes the turn at random for each, and takes the one with the greatest promise.

    What the seat does not see is dealt anew for the trial; where the deal does not agree with what has happened in the
    turn so far, any answer will do.
    """

    def __init__(self, game: Race[Any], promise: Callable[[Any], float] | None = None) -> None:
        """``promise`` tells how good a table looks; without it progress and hand cards do."""
        self._game = game
        self._promise = promise
        self._secrets = secrets_of(game)
        self._narrowing = Narrowing()

    def __call__(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return one of the answers."""
        steps: Sequence[Step | Forced] | None = script.steps
        if self._secrets is not None:
            table = self._secrets.imagined(table, seat, generator, script.steps)
            told = self._secrets.surmised(table, seat, generator, script.steps)
            steps = agreeing(self._game, table, told, seat, answers, some=True)
        if steps is None:
            return answers[generator.below(len(answers))]
        tried = list(self._narrowing.few(answers))
        while len(tried) > TRIED:
            del tried[generator.below(len(tried))]
        if len(tried) == 1:
            return tried[0]

        def any_answer(_: Playing, __: int, more: Sequence[Step]) -> Step:
            return more[generator.below(len(more))]

        best, best_score = tried[0], -float("inf")
        for answer in tried:
            draws = Draws(generator.next())
            end = self._game.play_turn(table, Playing([*steps, answer], draws, any_answer))
            score = self._promise(end) if self._promise else self._usual(end, seat)
            if score > best_score:
                best, best_score = answer, score
        return best

    def _usual(self, table: Any, seat: int) -> float:
        return 2 * self._game.so_far(table, seat) + len(self._game.hand(table, seat))


class Never:
    """Does nothing where it may, else ends its turn at once.

    That is the first answer, in the order of texts, after which it is not asked again, or the first of all.
    """

    def __init__(self, game: Race[Any]) -> None:
        self._game = game

    def __call__(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return one of the answers."""
        idle = next((answer for answer in answers if answer.text in self._game.idle), None)
        if idle is not None:
            return idle
        ordered = sorted(answers, key=lambda answer: answer.text)
        return next((answer for answer in ordered if self._ends(table, script, seat, answer)), ordered[0])

    def _ends(self, table: Any, script: Playing, seat: int, answer: Step) -> bool:
        """Return whether a seat has nothing more to decide in a turn; some results of chance stand for all."""

        def others(_: Playing, actor: int, more: Sequence[Step]) -> Step:
            if actor == seat:
                raise Misfit
            return more[0]

        with suppress(Misfit):
            self._game.play_turn(table, Playing([*script.steps, answer], Draws(0), others))
            return True
        return False


WAYS_TO_PLAY: Final[Mapping[str, Callable[[Race[Any]], Policy]]] = {"greedy": Greedy, "random": Anything}
"""Ways to play without a search, by name."""
OPPONENTS: Final[Mapping[str, Callable[[Race[Any]], Policy]]] = {**WAYS_TO_PLAY, "never": Never}
"""Ways to play without a search that may be declared for others, by name."""


def within_playouts(goal: Goal) -> Goal:
    """Return the question that playouts answer: the distance after some turns where a goal lies too far ahead."""
    turns = goal.within_turns
    if turns is not None and turns <= AHEAD:
        return goal
    return replace(goal, objective=Objective.MAX_DISTANCE, within_turns=AHEAD)
