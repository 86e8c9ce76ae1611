"""Open questions over a compiled encoding, as the searches ask them: a ``SearchProblem`` whose keys are bytes."""

from __future__ import annotations

from collections.abc import Callable, Container
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from rules.core.challenge import NEVER
from rules.core.keeping import KeepingRace
from rules.core.race import Race
from rules.core.steps import Step
from solver.search.ends import UNREACHABLE, Ends
from solver.search.layers import Enough, LimitHit

REMEMBERED: Final = 200_000
"""Successors that are kept for those who ask for the same position again."""


class TooLarge(LimitHit):
    """A line leads to a table for which an encoding has no room."""


def encoded_turns(
    game: Race[Any],
    table: Any,
    seat: int,
    forbidden: frozenset[str],
    target: int | None,
    turns: int | None,
    *,
    late: bool = True,
) -> EncodedTurns | None:
    """Return the turns of a question over the encoding of its game, or nothing where none carries it.

    Without ``late`` all that can be decided late is decided at once, for which there is always room.
    """
    inner, kept = (game.inner, game.kept) if isinstance(game, KeepingRace) else (game, {})
    module = encoding_module(inner, "encoding")
    if module is None or module.supports(inner, table, seat, forbidden, kept):
        return None
    rules = module.RULES if late else module.EARLY
    try:
        return EncodedTurns(game, module.Encoding(inner, table, seat, forbidden, kept, target, turns, rules))
    except OverflowError:
        return None


def encoding_module(game: Any, name: str) -> Any:
    """Return a module of the encoding of a game, or nothing where it has none."""
    folder = type(game).__module__.split(".")[1]
    package = f"solver.encodings.{folder}"
    if not type(game).__module__.startswith("rules.") or find_spec(package) is None:
        return None
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") is not None else None


class EncodedTurns:
    """The turns of one question; a key is a position between turns as its encoding packs it."""

    engine = "encoded"

    def __init__(self, game: Race[Any], encoding: Any) -> None:
        self._game = game
        self._encoding = encoding
        self.projections: tuple[str, ...] = encoding.projections
        self.indifferent: frozenset[str] = encoding.indifferent
        self.bound_name: str = encoding.bound_name
        self.decides_late: bool = encoding.live.face_down
        self.shape: Callable[[bytes], bytes] = encoding.shape
        self.progress: Callable[[bytes], int] = encoding.progress
        self.rounds: Callable[[bytes], int] = encoding.days
        self.promise: Callable[[bytes], int] = encoding.promise
        self.is_over: Callable[[bytes], bool] = encoding.over
        self.most_ends = 0
        """Turn ends of one position beyond which the search key by key gives up; 0 for no such limit."""
        self._successors: dict[bytes, tuple[bytes, ...]] = {}
        self._room = REMEMBERED

    def project(self, table: Any) -> bytes:
        """Return the key of a table.

        Raises:
            TooLarge: it does not fit.
        """
        try:
            return bytes(self._encoding.key(table))
        except OverflowError as error:
            raise TooLarge from error

    def expand(self, keys: Any, offsets: Any, first: int, last: int, target: int, ends: Ends) -> int:
        """Write the ends of the turns of sources ``first`` to ``last`` into ``ends``; return the next source.

        Raises:
            TooLarge: one does not fit.
        """
        try:
            return int(self._encoding.expand(keys, offsets, first, last, target, ends))
        except OverflowError as error:
            raise TooLarge from error

    def successors(self, key: bytes) -> tuple[bytes, ...]:
        """Return the keys after every way through the next turn, each once; none when the game is over.

        Raises:
            Enough: there are more than ``most_ends``.
            TooLarge: one does not fit.
        """
        known = self._successors.get(key)
        if known is not None:
            return known
        try:
            found = self._encoding.ends_of(key, self.most_ends)
        except OverflowError as error:
            raise TooLarge from error
        if 0 < self.most_ends < len(found):
            raise Enough
        if len(found) <= self._room:
            self._room -= len(found)
            self._successors[key] = tuple(found)
        return tuple(found)

    some_successors = successors

    def promising(self, key: bytes, turns: int, target: int) -> bool:
        """Return false only where no line of at most ``turns`` more turns has progress ``target`` or more."""
        return self.lacking(key, turns, target) == 0

    def lacking(self, key: bytes, turns: int, target: int) -> int:
        """Return how many more turns than those left the target needs at least, by the encoding's bound."""
        least = self._encoding.least(key, target)
        return NEVER if least >= UNREACHABLE else max(0, least - turns)

    def way(self, table: Any, shapes: Container[Any]) -> None:
        """Return nothing: all turn ends are met."""

    def wanted(self, table: Any, shapes: Container[Any]) -> Callable[[Step], bool]:
        """Return what is false only for plays of cards with which no turn from a table ends in ``shapes``."""
        plays = {f"play {card}" for card in self._encoding.plays_to(self.project(table), shapes)}

        def leads(step: Step) -> bool:
            words = step.text.split()
            return words[0] != "play" or " ".join(words[:2]) in plays

        return leads

    def most_turns(self, key: bytes) -> None:
        """Return nothing: lines may go on for ever."""

    def forget(self) -> None:
        """Keep what is remembered."""
