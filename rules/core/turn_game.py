"""Games that play a turn on a working copy of the table: its middle, and why a move is not open there.

A working copy shows how far a turn got when a question stopped it. A refusal names the rule that forbids a move, the
reason, and what is open instead.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from rules.core.errors import IllegalMoveError, word_list
from rules.core.scripts import Asking, Question, Script
from rules.core.turns import Game, State

T = TypeVar("T")


class WorkingCopy(Protocol):
    """The table in the making."""

    def frozen(self) -> Any:
        """Return the table as it is now."""


W = TypeVar("W", bound=WorkingCopy)


class Form(NamedTuple):
    """How a kind of move, or of an outcome of chance, is written, and who knows why it is not open."""

    rule: str = ""
    """Rule that asks for it."""
    least: int = 0
    """Words after the first one."""
    most: int | None = 0
    """No limit when nothing."""
    reason: Callable[..., Any] | None = None
    """What else a game says of it; the game calls it."""
    chance: bool = False
    """It is an outcome of chance, no move."""
    option: str = ""
    """Option without which nothing asks for it."""


class Reason(NamedTuple):
    """A rule that forbids a move, and why."""

    rule: str
    text: str


class OpenQuestion(Generic[W]):
    """What is asked at one point of a turn, and the working copy as it is then."""

    def __init__(self, turn: W, question: Question) -> None:
        self.turn = turn
        self.actor = question.actor
        self.options = question.options
        self.texts = sorted(option.text for option in question.options)
        self.heads = {text.split()[0] for text in self.texts}

    def open_now(self) -> str:
        """Return the open moves, as many as fit on a line."""
        return word_list(self.texts, most=6)


class TurnGame(Game[T], Generic[T, W]):
    """A game whose turn is a procedure over a working copy."""

    rulings: Any
    """What a turn looks up."""
    forms: Mapping[str, Form]
    """Every kind of move and outcome of chance, by its first word."""
    over_words: str = "the game is over"
    """Why nothing is open after the end."""

    @abstractmethod
    def opened(self, table: T, script: Script) -> W:
        """Return a working copy of a table, the turn not begun."""

    @abstractmethod
    def run(self, turn: W) -> None:
        """Run the turn on a working copy, which shows how far it got when a question stops it."""

    @abstractmethod
    def reason(self, turn: W, question: Question, head: str, words: Sequence[str], /) -> Reason:
        """Return why a move of a known form, with its first word apart, is not among what is asked."""

    def play_turn(self, table: T, script: Script) -> T:
        """Run one whole turn from a turn boundary and return the table after it."""
        turn = self.opened(table, script)
        self.run(turn)
        after: T = turn.frozen()
        return after

    def stopped(self, state: State[T]) -> tuple[W, Question | None]:
        """Return the working copy where a turn under way stops, and the question there; none where it is over."""
        turn = self.opened(state.table, Asking(state.pending))
        try:
            self.run(turn)
        except Question as question:
            return turn, question
        return turn, None

    def unfinished(self, state: State[T]) -> T:
        """Return the table in the middle of a turn, as it lies there now."""
        middle: T = self.stopped(state)[0].frozen()
        return middle

    def why_illegal(self, state: State[T], text: str) -> IllegalMoveError | None:
        """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game.

        A move is known by its first word and their number; a card or seat that does not exist is part of the reason.
        """
        head, *words = text.split() or [""]
        form = self.forms.get(head)
        if form is None or len(words) < form.least or (form.most is not None and len(words) > form.most):
            return None
        outcome = self.outcome(state.table)
        if outcome is not None:
            return IllegalMoveError(text, outcome.rule, self.over_words)
        turn, question = self.stopped(state)
        if question is None:
            raise LookupError("nothing is asked any more")
        reason = self.reason(turn, question, head, words)
        return IllegalMoveError(text, reason.rule, reason.text)
