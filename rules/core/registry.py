"""The games there are: each is a package under ``rules/`` that exposes ``GAME``, found by being there.

A game brings its options as a file; ``OptionTable`` makes shapes of them that rulesets are checked against.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rules.core.chance import Chance, SplitMix64
from rules.core.declared import REMARK, SHOWN, facts, table_of
from rules.core.errors import BestlineError, nearest
from rules.core.files import KeyPath, path_text, read_file
from rules.core.schema import Boolean, Either, Faults, Integer, MapOf, Schema, Table, Text, optional

if TYPE_CHECKING:
    from rules.core.ruleset import Ruleset
    from rules.core.tools.rulebook import Chapter
    from rules.core.turns import Game, State

Option = str | bool | int
"""The value of a ruling."""

_RULES = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Setting:
    """What a position says besides its state."""

    ruleset: Ruleset
    options: Mapping[str, Option]
    """Rulings changed for this position, none of them equal to the ruleset's own."""
    players: int
    chance: Chance


class GameDefinition(ABC):
    """What the parts shared by all games ask of one game."""

    name: str
    """Name of the package, and the part of a ruleset's id before the slash."""
    title: str
    """Name for people."""
    sources: tuple[str, ...]
    """Names of the sources of chance that a position may declare open."""
    random_sources: frozenset[str]
    """Those sources whose results a seed decides."""
    collections: tuple[str, ...]
    """Tables of a ruleset whose entries a variant may add and remove, each under its own id."""
    ordered: tuple[str, ...]
    """Those collections in which the order of the entries counts."""
    option_table: OptionTable
    """The rulings that a ruleset can choose."""
    state_file: type
    """The declaration of a ``state`` table."""
    seats_key: str = "players"
    """The key of a state that lists the players."""

    @property
    def folder(self) -> Path:
        """Return the folder of the game, in which ``editions`` and ``variants`` lie."""
        return _RULES / self.name

    @abstractmethod
    def ruleset_schema(self) -> Table:
        """Return the shape of a resolved ruleset."""

    def settle(self, raw: dict[str, Any], overlay: Mapping[str, Any]) -> None:
        """Bring numbers that follow from others up to date after a variant's ``overlay`` was laid over ``raw``."""
        return  # in most games none does

    @abstractmethod
    def check_ruleset(self, raw: Mapping[str, Any], faults: Faults) -> None:
        """Note every fault of a resolved ruleset of the right shape that the shape alone does not show."""

    def play_facts(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return what of a resolved ruleset affects play, with defaults written out; the fingerprint's input.

        Collections whose order counts are lists. A game adds what only it knows to make no difference.
        """
        told: dict[str, Any] = facts(self.ruleset_schema(), raw, (REMARK, SHOWN), whole=True)
        ordered = {name: [{"id": key, **entry} for key, entry in told[name].items()] for name in self.ordered}
        return {**told, **ordered, "options": {**self.option_table.neutral, **raw["options"]}}

    def shown_facts(self, table: str, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return an entry of a collection without sources and remarks, as a position carries it along."""
        shape = self.ruleset_schema().fields[table].schema
        told: dict[str, Any] = facts(shape, {table: entry}, (REMARK,), whole=False)[table]
        return told

    def options(self, ruleset: Ruleset) -> dict[str, Option]:
        """Return every option of the game with its value in this ruleset, those it leaves open included."""
        return {**self.option_table.neutral, **ruleset.raw["options"]}

    def check_options(self, raw: Mapping[str, Any], options: Mapping[str, Any], faults: Faults) -> None:
        """Note every unknown option and impossible value, at paths that begin with the option's name."""
        self.option_table.schema.check(options, (), faults)

    def values(self, setting: Setting) -> dict[str, Option]:
        """Return every option of the game with its value in a position."""
        return {**self.options(setting.ruleset), **setting.options}

    @abstractmethod
    def unsupported(self, setting: Setting) -> list[str]:
        """Return what the engine cannot carry, in words such as ``option 'x' = true``; empty when all is well."""

    @abstractmethod
    def players_allowed(self, ruleset: Ruleset) -> tuple[int, int]:
        """Return the least and the greatest number of players."""

    def default_players(self, ruleset: Ruleset) -> int:
        """Return how many players a position has that does not say it."""
        return self.players_allowed(ruleset)[0]

    def players_of(self, state: Mapping[str, Any]) -> int | None:
        """Return the number of players that a state shows, or nothing if it does not show it."""
        seats = state.get(self.seats_key)
        return len(seats) if isinstance(seats, list) else None

    @abstractmethod
    def lists_schema(self, ruleset: Ruleset, players: int) -> Schema:
        """Return the shape of ``chance.lists``, with every short form allowed."""

    def complete_lists(self, lists: Mapping[str, Any], ruleset: Ruleset, players: int) -> dict[str, Any]:
        """Return ``chance.lists`` with every short form written out, if the game has any."""
        return dict(lists)

    @abstractmethod
    def needs_results(self, setting: Setting) -> tuple[str, ...]:
        """Return the open sources that need a seed or a list because events can still happen."""

    @abstractmethod
    def hidden_sources(self, setting: Setting) -> tuple[str, ...]:
        """Return the sources that are not known in advance and can still matter after the setup."""

    def state_schema(self, ruleset: Ruleset | None = None) -> Table:
        """Return the shape of a ``state`` table in which anything may be left out; without a ruleset, with any ids."""
        return _state_table(self, ruleset)

    @abstractmethod
    def state_ids(self, ruleset: Ruleset) -> Mapping[str, Schema]:
        """Return the shapes of what the declaration of a state leaves to the ruleset, by the names it gives them."""

    @abstractmethod
    def complete_state(self, state: Mapping[str, Any], setting: Setting) -> dict[str, Any]:
        """Return the canonical ``state`` object of a state of the right shape, starting values filled in."""

    @abstractmethod
    def shorten_state(self, state: Mapping[str, Any], setting: Setting) -> dict[str, Any]:
        """Return a canonical state without fields that ``complete_state`` would fill in just so."""

    @abstractmethod
    def check_state(self, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        """Note every invariant that a complete state breaks."""

    @abstractmethod
    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card a complete state holds, wherever they lie; no turn changes it."""

    @abstractmethod
    def build(self, setting: Setting) -> Game[Any]:
        """Return the rules bound to a ruleset and to the open results of chance."""

    @abstractmethod
    def state_so_far(self, game: Game[Any], state: State[Any]) -> dict[str, Any]:
        """Return the ``state`` object of the table in the middle of a turn, as it lies there now."""

    @abstractmethod
    def initial_state(self, setting: Setting) -> dict[str, Any]:
        """Return the canonical state after the setup, hidden sources dealt from the seed and then forgotten."""

    @abstractmethod
    def words(self, ruleset: Ruleset) -> Sequence[str]:
        """Return the words that states of this ruleset are written in, the most frequent first, always alike."""

    # What follows serves every game; one that can say it better says it itself.

    def compose(self, ruleset: Ruleset, draw: SplitMix64) -> Composition | None:
        """Return a small position for a puzzle, made up from random numbers; nothing where the game makes none up.

        It may be worthless, or break a ruling of a variant: whoever asks looks at it and draws again.
        """
        return None

    def bans(self, ruleset: Ruleset, card: str) -> frozenset[str]:
        """Return how all moves begin that play a card from the hand; empty where there is no such card."""
        return frozenset({f"play {card}"} if card in ruleset.raw.get("cards", {}) else ())

    def chapters(self, ruleset: Ruleset) -> Sequence[Chapter]:
        """Return a ruleset in sentences for players, in the order in which they ask."""
        from rules.core.tools.rulebook import plain_chapters  # that module builds on this one

        return tuple(plain_chapters(ruleset))

    def key_words(self, ruleset: Ruleset, key: KeyPath) -> str:
        """Return what a key of a ruleset, as ``play_facts`` has it, is called."""
        return path_text(key)

    def value_words(self, ruleset: Ruleset, key: KeyPath, value: Any) -> str:
        """Return the value of a key in a line of words."""
        from rules.core.tools.rulebook import plain_words

        return plain_words(value)


@lru_cache(maxsize=64)
def _state_table(game: GameDefinition, ruleset: Ruleset | None) -> Table:
    return table_of(game.state_file, **({} if ruleset is None else game.state_ids(ruleset)))


@cache
def game_names() -> tuple[str, ...]:
    """Return the names of all games, ascending."""
    found = (path.parent.name for path in _RULES.glob("*/definition.py"))
    return tuple(sorted(found))


@cache
def find_game(name: str) -> GameDefinition:
    """Return one game.

    Raises:
        BestlineError: there is no such game.
    """
    if name not in game_names():
        hint = nearest(name, game_names()) or f"; games: {', '.join(game_names())}"
        raise BestlineError(f"there is no game '{name}'{hint}")
    game: GameDefinition = import_module(f"rules.{name}").GAME
    return game


_ENTRIES: Final = Integer(0, 999)
"""Shape of a number in a table that is an option's value."""


class OptionTable:
    """The options of one file, which is read when they are first asked for."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what the file says of each option, by name, in the order of the rulings."""
        return dict(read_file(self._file).data["options"])

    @cached_property
    def neutral(self) -> Mapping[str, Any]:
        """Return the value that each option has in a ruleset that leaves it open."""
        return {name: row["neutral"] for name, row in self.rows.items()}

    @cached_property
    def schema(self) -> Table:
        """Return the shape of an ``options`` table."""
        return Table(
            {
                name: optional(self.shape_of(name), f"{row['ruling']}: {row['question']}")
                for name, row in self.rows.items()
            }
        )

    def shape_of(self, name: str) -> Schema:
        """Return the shape of one option's value; a board's name is only known to be a text."""
        row = self.rows[name]
        return Text() if row.get("boards") else stated_shape(row, f"a value of {name} ({row['ruling']})")


def stated_shape(row: Mapping[str, Any], kind: str = "") -> Schema:
    """Return the shape that a row of a data file states by ``type`` or ``neutral``, and by any of these keys.

    ``values`` are the only texts; ``min`` and ``max`` bound a whole number, for which one of the ``words`` may stand;
    ``table`` allows a table of numbers. ``kind`` says what the texts are.
    """
    if row.get("type") == "boolean" or isinstance(row.get("neutral"), bool):
        return Boolean()
    shapes: list[Schema] = [Text(tuple(row["values"]), kind=kind)] if "values" in row else []
    if "min" in row or row.get("type") == "integer":
        shapes.append(Integer(row.get("min", 0), row.get("max", 999)))
    shapes += [Text(tuple(row["words"]))] if "words" in row else []
    shapes += [MapOf(_ENTRIES)] if "table" in row else []
    return Either(tuple(shapes)) if len(shapes) > 1 else shapes[0] if shapes else Text()


MIN_TURNS: Final = "min_turns"
MAX_DISTANCE: Final = "max_distance"
"""Objectives that games without challenges of their own are asked for."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A small position for one seat with everything open."""

    position: Mapping[str, Any]
    """As in a position file, game and ruleset left out."""
    goals: Sequence[Mapping[str, Any]]
    """As in a puzzle file, one for each objective that suits. Where fewest turns are asked and ``target`` is left out,
    whoever asks sets it to where ``within_turns`` turns get at most."""


def between(draw: SplitMix64, least: int, most: int) -> int:
    """Return a random number from ``least`` to ``most``."""
    return least + draw.below(most - least + 1)


def some(draw: SplitMix64, cards: Sequence[str], number: int) -> list[str]:
    """Return so many random cards out of some, or all where there are fewer, in random order."""
    return draw.shuffle(cards)[:number]
