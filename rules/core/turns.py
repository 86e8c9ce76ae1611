"""What a game is: a turn as one plain procedure, and everything derived from it.

A game writes its turn as a plain function over a working copy of the table, which asks a *script* (``scripts``) where
somebody decides. One readable run of the rules then gives moves, chance, replay and search.

A state is therefore the table at the last turn boundary and the steps since then. Nothing about an unfinished turn is
stored: what it may still do is what its run would ask next.

A game that plays a turn on a working copy shows there how far a turn got when a question stopped it. A refusal names
the rule that forbids a move, the reason, and what is open instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar, cast

from rules.core.errors import IllegalMoveError, NotationError, nearest, word_list
from rules.core.files import canonical_json, digest
from rules.core.scripts import (
    CHANCE,
    OVER,
    Asking,
    Barred,
    ChanceOutcome,
    Event,
    Exploring,
    Forced,
    Outcome,
    Question,
    Sampling,
    Script,
    SplitMix64,
    Step,
    every_way,
)

T = TypeVar("T")
"""The game's frozen, hashable table at a turn boundary."""
W = TypeVar("W")
"""The working copy of a table on which the game plays a turn."""


class State(NamedTuple, Generic[T]):
    """One position: a table at a turn boundary and the steps taken since."""

    table: T
    pending: tuple[Step | Forced, ...] = ()
    """Steps of the unfinished turn, forced ones marked; empty at a turn boundary."""


class Transition(NamedTuple, Generic[T]):
    """What a step led to."""

    state: State[T]
    events: tuple[Event, ...]


class TurnEnd(NamedTuple, Generic[T]):
    """One way through a whole turn."""

    steps: tuple[Step | Forced, ...]
    table: T
    orders: int = 1
    """Orders of the same cards that this one way stands for, where the order of a draw cannot matter."""

    @property
    def probability(self) -> Fraction:
        """The chance of this way, given the moves in it: the product of its chance steps, over all their orders."""
        ways, cases = self.orders, 1
        for taken in self.steps:
            step = taken.step if isinstance(taken, Forced) else taken
            if isinstance(step, ChanceOutcome):
                ways *= step.ways
                cases *= step.cases
        return Fraction(ways, cases)


class Reason(NamedTuple):
    """A rule that forbids a move, and why."""

    rule: str
    text: str


Reasons: TypeAlias = Iterator[Reason]


class Notation(NamedTuple):
    """How a kind of move, or of an outcome of chance, is written."""

    rule: str
    least: int = 0
    """Words after the first one."""
    most: int | None = 0
    """No limit when nothing."""
    chance: bool = False
    """It is an outcome of chance, no move."""
    option: str = ""
    """Option without which nothing asks for it."""


class OpenQuestion(Generic[W]):
    """What is asked at one point of a turn, the working copy then, and why a move of a known form is not open.

    What a game says of one kind of move is a method of its first word, after ``_no_``, which takes the others.
    """

    notation: ClassVar[Mapping[str, Notation]] = MappingProxyType({})
    """Every kind of move and outcome of chance, by its first word."""
    by_chance: ClassVar[str]
    """Rule that says when chance decides."""
    unnamed: ClassVar[str]
    """Rule by which results that are known are never named."""

    def __init__(self, turn: W, question: Question) -> None:
        self.turn, self.actor, self.options = turn, question.actor, question.options
        self.texts = sorted(option.text for option in question.options)
        self.heads = {text.split()[0] for text in self.texts}

    def open_now(self) -> str:
        """Return the open moves, the shortest first, as many as fit on a line."""
        return word_list(sorted(self.texts, key=lambda text: text.count(" ")), most=6)

    def first(self, head: str, words: Sequence[str]) -> Reasons:
        """Yield what goes before the reasons of one kind."""
        yield from ()  # most games say nothing there

    def reasons(self, head: str, words: Sequence[str]) -> Reasons:
        """Yield what forbids a move, the first thing first."""
        notation, open_now, turn = self.notation[head], self.open_now(), cast("Any", self.turn)
        if self.actor == CHANCE and not notation.chance:
            yield Reason(self.by_chance, f"chance decides here, no player: {open_now}")
        if notation.chance and turn.rulings.chance.is_open(head):
            yield Reason(self.unnamed, f"'{head}' is open: what it brings is known and never named")
        if notation.chance and self.actor != CHANCE:
            yield Reason(self.by_chance, f"nothing comes up before a player has decided: {open_now}")
        yield from self.first(head, words)
        if hasattr(self, f"_no_{head}"):
            yield from getattr(self, f"_no_{head}")(words)
        if head not in self.heads:
            if notation.option:
                what = f"belongs to another answer to {notation.option}, which is"
                yield Reason(notation.rule, f"'{head}' {what} {str(turn.rulings.options[notation.option]).lower()}")
            yield Reason(
                self.by_chance if notation.chance else notation.rule, f"something else comes first: {open_now}"
            )
        lacks = "cannot come up" if notation.chance else "is not among what can be chosen"
        yield Reason(notation.rule, f"{' '.join(words) or head} {lacks} here: {open_now}")


class Game(ABC, Generic[T]):
    """The rules bound to a ruleset and to the open results of chance; holds no position.

    Subclasses write ``play_turn``; everything that asks, applies and enumerates is derived from it, so no game
    states a rule twice. All methods are pure and deterministic.
    """

    refusals: type[OpenQuestion[Any]] = OpenQuestion
    """Says why a move is not open; a text of a kind that it does not know is no move at all."""
    _asked: tuple[State[T], Question | None] | None = None
    """The last state asked about and its question: who is to act, what is open and a step are asked of one state."""

    @abstractmethod
    def initial_table(self) -> T:
        """Return the table after the setup; hidden sources are dealt from the seed and then forgotten."""

    @abstractmethod
    def play_turn(self, table: T, script: Script) -> T:
        """Run one whole turn from a turn boundary and return the table after it."""

    @abstractmethod
    def outcome(self, table: T) -> Outcome | None:
        """Return how the game ended, or nothing while it goes on."""

    def is_over(self, table: T) -> bool:
        """Return whether the game has ended."""
        return self.outcome(table) is not None

    @abstractmethod
    def encode(self, table: T) -> dict[str, Any]:
        """Return the canonical ``state`` object of a table at a turn boundary."""

    @abstractmethod
    def decode(self, state: Mapping[str, Any]) -> T:
        """Return the table of a complete canonical ``state`` object."""

    def sentence(self, event: Event) -> str:
        """Return an event in words."""
        return " ".join([event.kind.replace("_", " "), *(f"{name} {value}" for name, value in event.data.items())])

    def spelt(self, text: str) -> str:
        """Return what a person wrote with the names of cards as the rules write them."""
        return text

    def why_illegal(self, state: State[T], text: str) -> IllegalMoveError | None:
        """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game.

        A move is known by its first word and their number; a card or seat that does not exist is part of the reason.
        """
        head, *words = text.split() or [""]
        notation = self.refusals.notation.get(head)
        most = len(words) if notation is None or notation.most is None else notation.most
        if notation is None or not notation.least <= len(words) <= most:
            return None
        if (outcome := self.outcome(state.table)) is not None:
            return IllegalMoveError(text, outcome.rule, outcome.words)
        turn, question = self.stopped(state)
        assert question is not None
        return IllegalMoveError(text, *next(self.refusals(turn, question).reasons(head, words)))

    def stopped(self, state: State[T]) -> tuple[Any, Question | None]:
        """Return the working copy where a turn under way stops, and the question there; none where it is over."""
        turns: list[Any] = [None]
        try:
            self.play_turn(state.table, Asking(state.pending, turns=turns))
        except Question as question:
            return turns[-1], question.with_traceback(None)
        return turns[-1], None

    def unfinished(self, state: State[T]) -> T:
        """Return the table in the middle of a turn, as it lies there now; of the last boundary without working copy."""
        turn, _ = self.stopped(state)
        middle: T = state.table if turn is None else turn.frozen()
        return middle

    def to_act(self, state: State[T]) -> int:
        """Return the seat that decides next, ``CHANCE`` or ``OVER``."""
        question = self._question(state)
        return OVER if question is None else question.actor

    def legal_moves(self, state: State[T]) -> tuple[Step, ...]:
        """Return the moves open to the seat to act, sorted by text; empty unless a player decides."""
        question = self._question(state)
        if question is None or question.actor < 0:
            return ()
        return tuple(sorted(question.options, key=lambda move: move.text))

    def chance_outcomes(self, state: State[T]) -> tuple[ChanceOutcome, ...]:
        """Return the outcomes chance may take, sorted by text, their chances adding to exactly 1."""
        question = self._question(state)
        if question is None or question.actor != CHANCE:
            return ()
        outcomes = [option for option in question.options if isinstance(option, ChanceOutcome)]
        return tuple(sorted(outcomes, key=lambda outcome: outcome.text))

    def unseen_outcomes(self, state: State[T]) -> tuple[ChanceOutcome, ...]:
        """Return what may be entered where chance brings a card that nobody sees yet; no branch of play is such."""
        return ()

    def enterable(self, state: State[T]) -> tuple[Step, ...]:
        """Return every step that may be entered here: moves, or what chance can bring."""
        return (*(self.legal_moves(state) or self.chance_outcomes(state)), *self.unseen_outcomes(state))

    def purpose(self, state: State[T]) -> str:
        """Return what the next result of chance is for, in words for players; empty where the rules do not say it."""
        question = self._question(state)
        return question.purpose if question is not None and question.actor == CHANCE else ""

    def apply(self, state: State[T], step: Step) -> Transition[T]:
        """Return the state after one step and what the rules did.

        What happens before the first question of a turn is told with the first answer.

        Raises:
            IllegalMoveError: the step is not open here.
        """
        begun = self.begun(state, step)
        told: list[Event] = []
        if not all(isinstance(taken, Forced) for taken in begun[:-1]):
            with suppress(Question):
                self.play_turn(state.table, Asking(begun[:-1], told))
        log: list[Event] = []
        try:
            table = self.play_turn(state.table, Asking(begun, log))
        except Question as following:
            return Transition(State(state.table, following.steps), tuple(log[len(told) :]))
        return Transition(State(table), tuple(log[len(told) :]))

    def begun(self, state: State[T], step: Step) -> tuple[Step | Forced, ...]:
        """Return the steps of the turn under way with one more, those that were forced on the way included.

        Raises:
            IllegalMoveError: the step is not open here.
        """
        question = self._question(state)
        if question is None or (step not in question.options and step not in self.unseen_outcomes(state)):
            raise self.why_illegal(state, step.text) or IllegalMoveError(step.text, "", "it is not open here")
        return (*question.steps, step)

    def turn_ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield every allowed way through the next turn, each choice and each hidden outcome branched.

        ``pending`` are the steps already taken in that turn. Equal tables are reached as often as there are ways to
        them.
        """
        for script in every_way(partial(Exploring, begun=len(pending)), pending):
            if (end := self.end_of(table, script)) is not None:
                yield end

    def end_of(self, table: T, script: Exploring) -> TurnEnd[T] | None:
        """Return the way through a turn that a script goes, or nothing where it is barred or not allowed."""
        try:
            after = self.play_turn(table, script)
        except Barred:
            return None
        end = TurnEnd(tuple(script.steps), after, script.orders)
        return end if self.allows(table, end) else None

    def distinct_ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield one way through the next turn for every table it can end in; for questions that no odds enter.

        A game whose turns can be taken in very many orders overrides this and walks equal middles once.
        """
        seen: set[T] = set()
        for end in self.turn_ends(table, pending):
            if end.table not in seen:
                seen.add(end.table)
                yield end

    def allows(self, table: T, end: TurnEnd[T]) -> bool:
        """Return whether the question that is asked lets the next turn go this way; the rules themselves always do."""
        return True

    def sample_turn(self, table: T, generator: SplitMix64) -> TurnEnd[T]:
        """Return one way through the next turn, each question answered at random; for guesses, never for proofs."""
        script = Sampling((), generator)
        end = self.play_turn(table, script)
        return TurnEnd(tuple(script.steps), end)

    def parse_step(self, state: State[T], text: str) -> Step:
        """Return the step that ``text`` names in this state.

        A move may be shortened to its first words when only one open move begins with them. Cards that it spends may be
        named in any order.

        Raises:
            NotationError: the text is no step of this game, or fits several.
            IllegalMoveError: it is a move, but not open here.
        """
        wanted = self.spelt(" ".join(text.split()))
        steps = self.enterable(state)
        exact = [step for step in steps if step.text == wanted]
        exact = exact or [step for step in steps if _spends_as(step, wanted)]
        if exact:
            return exact[0]
        longer = [step for step in steps if step.text.startswith(wanted + " ")]
        if len(longer) == 1:
            return longer[0]
        if longer:
            shown = ", ".join(f"'{step.text}'" for step in longer[:3])
            raise NotationError(f"'{wanted}' could be any of {len(longer)} moves, such as {shown}; write one in full")
        if illegal := self.why_illegal(state, wanted):
            raise illegal
        hint = nearest(wanted, [step.text for step in steps]) or "; 'bestline moves' lists what is open here"
        raise NotationError(f"'{wanted}' is no move here{hint}")

    def _question(self, state: State[T]) -> Question | None:
        if self._asked is None or self._asked[0] is not state:
            is_over = not state.pending and self.is_over(state.table)
            self._asked = (state, None if is_over else self.stopped(state)[1])
        return self._asked[1]


def _spends_as(step: Step, text: str) -> bool:
    """Return whether a text is that of a step but for the order of the cards at its end that the step spends."""
    spends: tuple[str, ...] = getattr(step, "spends", ())
    head = step.text.removesuffix(" ".join(spends))
    return len(spends) > 1 and text.startswith(head) and sorted(text.removeprefix(head).split()) == sorted(spends)


class Perft(NamedTuple):
    """What can happen in a number of turns: the test, known from chess, of whether two engines play the same game.

    Distinct positions at turn boundaries are counted, over all choices and all hidden results of chance.
    """

    turns: int
    positions: int
    """Distinct positions after exactly that many turns, the game not over."""
    lines: int
    """Sequences of positions, one a turn, that last that many turns or end earlier."""
    terminal: int
    """Distinct positions where the game is over, reached on any of the turns."""
    texts: tuple[str, ...]
    """The canonical forms of both kinds of positions, ascending."""

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the canonical forms, one a line, as hexadecimal digits."""
        return digest(self.texts)


def perft(game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None) -> Perft:
    """Count what the next ``turns`` turns can lead to, as ``turn_by_turn`` does.

    Raises:
        ValueError: ``turns`` is negative.
    """
    *_, last = turn_by_turn(game, state, turns, look)
    return last


def turn_by_turn(
    game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None
) -> Iterator[Perft]:
    """Yield what 0, 1, … ``turns`` turns can lead to; the rest of a turn under way counts as the first.

    ``look`` is called for every way through a turn; what it raises ends the count.

    Raises:
        ValueError: ``turns`` is negative.
    """
    if turns < 0:
        raise ValueError(f"turns must be 0 or more, not {turns}")
    tables, over, finished = Counter({state.table: 1}), set[T](), 0
    for turn in range(turns + 1):
        if turn:
            before, tables = tables, Counter()
            for table, lines in before.items():
                ends: set[T] = set()
                for end in game.distinct_ends(table, state.pending if turn == 1 else ()):
                    look()
                    ends.add(end.table)
                tables.update(dict.fromkeys(ends, lines))
        for table in [table for table in tables if game.is_over(table)]:
            over.add(table)
            finished += tables.pop(table)
        texts = sorted(canonical_json(game.encode(table)) for table in (*tables, *over))
        yield Perft(turn, len(tables), finished + sum(tables.values()), len(over), tuple(texts))


def divide(game: Game[T], state: State[T], turns: int, look: Callable[[], None] = lambda: None) -> dict[str, Perft]:
    """Return the counts behind each first step that is open now, by its text.

    Two steps may lead to the same positions, so the counts can add up to more than the whole. ``look`` is as in
    ``turn_by_turn``.

    Raises:
        ValueError: ``turns`` is not at least 1.
    """
    if turns < 1:
        raise ValueError(f"dividing needs at least 1 turn, not {turns}")
    counts = {}
    for step in game.legal_moves(state) or game.chance_outcomes(state):
        after = game.apply(state, step).state
        counts[step.text] = perft(game, after, turns - (not after.pending), look)._replace(turns=turns)
    return counts
