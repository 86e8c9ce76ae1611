"""The games there are: each is a package under ``rules/`` that exposes ``GAME``, found by being there.

A game brings its options as a file; ``OptionTable`` makes shapes of them that rulesets are checked against.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from rules.core.challenge import Aim, Challenge, challenges_of
from rules.core.errors import BestlineError, Fault, nearest, told_names, word_list
from rules.core.files import Faults, KeyPath, Source, canonical_json, data_file
from rules.core.race import Race
from rules.core.schema import (
    ORDERED,
    Boolean,
    Default,
    Either,
    Field,
    Integer,
    LeftOut,
    ListOf,
    MapOf,
    Mark,
    Schema,
    Table,
    Text,
    facts,
    optional,
    table_of,
)
from rules.core.scripts import Chance, SplitMix64

REMARK: Final = Mark()
"""The field says where a fact comes from."""
SHOWN: Final = Mark()
ENTRIES: Final = Mark()
"""The field is a collection: a table whose entries a variant may add and remove, each under its own id."""
Remark = Annotated[str, LeftOut(), REMARK]
"""A text that says where a fact comes from."""
Title = Annotated[str, Default(""), SHOWN]
"""A text for people that may be left out."""

Option = str | bool | int


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A resolved and validated edition or variant; each value knows the file it comes from."""

    game: str
    id: str
    """``<game>/<name>`` of a shipped ruleset, otherwise the path of the variant as it was given."""
    raw: Mapping[str, Any]
    """All tables, variants laid over what they extend; every option has its value."""
    layers: tuple[Source, ...]
    """The texts it is made of, the edition first."""
    shipped: str
    """Id of the shipped ruleset it is, or that it extends."""

    @property
    def definition(self) -> "GameDefinition":
        """Return the game it belongs to."""
        return find_game(self.game)

    @property
    def is_shipped(self) -> bool:
        """Return whether it comes with bestline, so that its id alone names it everywhere."""
        return self.id == self.shipped

    @property
    def extends(self) -> str:
        """Return what it extends, as its text names it; empty for an edition."""
        return str(self.layers[-1].data.get("extends", ""))

    @property
    def title(self) -> str:
        """Return its name for people: its own title, or the name of the edition, or its id."""
        meta = self.layers[-1].data.get("meta", {})
        edition = f"{self.definition.title}, edition {meta['edition']}" if "edition" in meta else ""
        return str(meta.get("title") or edition or self.id)

    @cached_property
    def names(self) -> Mapping[str, Mapping[str, str]]:
        """Return the names that people read in each collection, by id; none of them means two things."""
        return {table: told_names(self.raw.get(table, {})) for table in self.definition.collections}

    @cached_property
    def fingerprint(self) -> str:
        """Return 12 hexadecimal digits that are equal for rulesets that play alike, whatever their texts."""
        return fingerprint(self.definition.facts(self.raw))

    def stated(self, path: KeyPath) -> int | None:
        """Return the place among ``layers`` of the last text that decides a value, or nothing where none states it."""
        return next((place for place in range(len(self.layers) - 1, -1, -1) if self.layers[place].reaches(path)), None)

    def place(self, path: KeyPath, message: str = "") -> Fault:
        """Return a fault placed in the last text that decides the value at ``path``, or the nearest table around it."""
        around = (self.stated(path[:length]) for length in range(len(path), 0, -1))
        return self.layers[next((place for place in around if place is not None), -1)].fault(path, message)


def fingerprint(facts: Mapping[str, Any]) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of the canonical JSON of ``facts``."""
    return hashlib.sha256(canonical_json(facts).encode("ascii")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a position says besides its state."""

    ruleset: Ruleset
    options: Mapping[str, Option]
    """Rulings changed for this position, none of them equal to the ruleset's own."""
    players: int
    chance: Chance

    @property
    def values(self) -> dict[str, Option]:
        """Return every option of the game with its value here."""
        return {**self.ruleset.raw["options"], **self.options}


class Doubt(NamedTuple):
    """Something in a ruleset that can be seen to be in vain."""

    key: KeyPath
    message: str
    idle: str = ""
    """The card that can therefore never do anything; empty where there is none."""
    sure: bool = True
    """Whether that follows from the numbers alone; else only a player who has gained very much can use the card."""


class Players(NamedTuple):
    """How many may play under a ruleset."""

    least: int = 1
    most: int = 1
    usual: int = 1
    """Players of a position that does not say how many."""


class GameDefinition(ABC):
    """What the parts shared by all games ask of one game."""

    title: str
    sources: ClassVar[Mapping[str, bool]]
    """Names of the sources of chance that a position may declare open, each with whether a seed decides its results."""
    state_file: type
    """The declaration of a ``state`` table."""

    @property
    def name(self) -> str:
        """Return the name of its folder, which is the part of a ruleset's id before the slash."""
        return type(self).__module__.split(".")[1]

    @cached_property
    def collections(self) -> tuple[str, ...]:
        """Return the tables of a ruleset whose entries a variant may add and remove, each under its own id."""
        return tuple(name for name, field in self.ruleset_schema().fields.items() if ENTRIES in field.marks)

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """Return those collections in which the order of the entries counts."""
        return tuple(name for name, field in self.ruleset_schema().fields.items() if ORDERED in field.marks)

    @cached_property
    def option_table(self) -> "OptionTable":
        """Return the rulings that a ruleset can choose."""
        return OptionTable(self.folder)

    @cached_property
    def challenges(self) -> Mapping[str, Challenge]:
        """Return every named challenge of the game by its id."""
        return challenges_of(data_file(self.folder, "challenges").get("challenges", {}))

    @property
    def folder(self) -> Path:
        """Return the folder of the game, in which ``editions`` and ``variants`` lie."""
        return game_folders()[self.name]

    @abstractmethod
    def ruleset_schema(self) -> Table:
        """Return the shape of a resolved ruleset."""

    def check_ruleset(self, ruleset: Ruleset, faults: Faults) -> None:
        """Note every fault of a resolved ruleset that its shape does not show; what ``raw`` says may have any shape.

        Numbers that follow from others, and that no text states, are brought up to date in ``raw``.
        """
        return  # a game without ties between its numbers has none

    def facts(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return what of a resolved ruleset affects play, with defaults written out; the fingerprint's input.

        Collections whose order counts are lists.
        """
        told: dict[str, Any] = facts(self.ruleset_schema(), raw, (REMARK, SHOWN), whole=True)
        return told

    def players_allowed(self, ruleset: Ruleset) -> Players:
        """Return how many may play; by default one player alone."""
        return Players()

    def live_sources(self, setting: Setting) -> Mapping[str, bool]:
        """Return the sources that can still matter after the setup, each with whether it may be asked for new results.

        Such results of an open source need a seed or a list.
        """
        return dict.fromkeys(self.sources, False)

    def state_schema(self, ruleset: Ruleset | None = None) -> Table:
        """Return the shape of a ``state`` table in which anything may be left out; without a ruleset, with any ids."""
        return _state_table(self, ruleset)

    @abstractmethod
    def named_shapes(self, ruleset: Ruleset, players: int = 1) -> Mapping[str, Schema]:
        """Return the shapes that depend on the ruleset, by the names under which declarations ask for them.

        That of ``lists`` is for ``chance.lists``; its check writes short forms out.
        """

    def complete_state(self, state: Mapping[str, Any], setting: Setting, *, bare: bool = False) -> dict[str, Any]:
        """Return the canonical ``state`` object of a state of the right shape, starting values filled in.

        With ``bare`` every zone that the state leaves out is empty, as all files meant before version 0.2.
        """
        return {**self.initial_state(setting), **state}

    def shorten_state(self, state: Mapping[str, Any], setting: Setting, *, whole: bool) -> dict[str, Any]:
        """Return a canonical state without fields that ``complete_state`` would fill in just so.

        With ``whole`` it says the same where it is completed as ``bare``.
        """
        start = self.complete_state({}, setting)
        return {name: value for name, value in state.items() if value != start[name]}

    def check_state(self, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        """Note every invariant that a complete state breaks."""
        return  # a state without ties between its fields has none

    @abstractmethod
    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card a complete state holds, wherever they lie; no turn changes it."""

    @abstractmethod
    def build(self, setting: Setting, aim: Aim | None = None) -> Race[Any]:
        """Return the rules bound to a ruleset and to the open results of chance.

        A game that lists challenges returns a ``Quest`` where one is aimed at.

        Raises:
            UnsupportedRuleset: the rules cannot carry these options.
            ContentError: the challenge does not fit the table.
        """

    def terms_schema(self, ruleset: Ruleset, challenge: str) -> Table:
        """Return the shape of what a goal of a challenge says besides the challenge itself: lists of ids."""
        ids, rows = self.named_shapes(ruleset), self.challenges[challenge].facts.get("terms", {})
        lists = {name: ListOf(ids[row["of"]], least=1, unique=True) for name, row in rows.items()}
        return Table({name: Field(lists[name], row.get("needed", False), row["meaning"]) for name, row in rows.items()})

    def initial_state(self, setting: Setting) -> dict[str, Any]:
        """Return the canonical state after the setup; without a seed, the deals are those of seed 0."""
        game = self.build(replace(setting, chance=setting.chance.seeded()))
        return game.encode(game.initial_table())

    def words(self, ruleset: Ruleset) -> Sequence[str]:
        """Return the words that states of this ruleset are written in, the most frequent first, always alike."""
        ids = [name for table in self.collections for name in sorted(ruleset.raw.get(table, {}))]
        return list(dict.fromkeys([*ids, *self.state_schema().fields, *sorted(self.option_table.rows)]))

    # What follows serves every game; one that can say it better says it itself.

    def compose(self, ruleset: Ruleset, draw: SplitMix64) -> "Composition | None":
        """Return a small position for a puzzle, made up from random numbers; nothing where the game makes none up.

        It may be worthless, or break a ruling of a variant: whoever asks looks at it and draws again.
        """
        return None

    def doubts(self, ruleset: Ruleset) -> Iterable[Doubt]:
        """Return what a sound ruleset says in vain, such as a cost that nobody can pay; no play is needed to see it."""
        return ()

    def bans(self, ruleset: Ruleset) -> Mapping[str, frozenset[str]]:
        """Return how all moves begin that play a card from the hand, for every card that can be played so."""
        return {card: frozenset({f"play {card}"}) for card in ruleset.raw.get("cards", {})}


@lru_cache(maxsize=64)
def _state_table(game: GameDefinition, ruleset: Ruleset | None) -> Table:
    return table_of(game.state_file, **({} if ruleset is None else game.named_shapes(ruleset)))


@cache
def game_folders() -> Mapping[str, Path]:
    """Return the folder of every game by its name, ascending; each lies in a folder of the package ``rules``."""
    found = {
        path.parent.name: path.parent
        for home in import_module("rules").__path__
        for path in Path(home).glob("*/definition.py")
    }
    return dict(sorted(found.items()))


def game_names() -> tuple[str, ...]:
    """Return the names of all games, ascending."""
    return tuple(game_folders())


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


class OptionTable:
    """The options of a game, whose file ``options.toml`` is read when they are first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what the file says of each option, by name, in the order of the rulings."""
        return dict(data_file(self._folder, "options").get("options", {}))

    @cached_property
    def neutral(self) -> Mapping[str, Any]:
        """Return the value that each option has in a ruleset that leaves it open."""
        return {name: row["neutral"] for name, row in self.rows.items()}

    @cached_property
    def schema(self) -> Table:
        """Return the shape of an ``options`` table."""
        return Table(
            {
                # The name of an entry is only known to be a text.
                name: optional(
                    Text() if "of" in row else stated_shape(row, f"a value of {name} ({row['ruling']})"),
                    f"{row['ruling']}: {row['question']}",
                )
                for name, row in self.rows.items()
            }
        )

    def check_names(self, values: Any, raw: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
        """Note where options name entries that the ruleset does not have."""
        for name, value in values.items() if isinstance(values, dict) else ():
            row = self.rows.get(name, {})
            of, *kind = row.get("table", {"of": row.get("of")}).items()
            entries = raw.get(of[1])
            if not isinstance(entries, dict) or not isinstance(value, str if "of" in row else dict):
                continue
            known = [key for key, each in entries.items() if isinstance(each, dict) and set(kind) <= each.items()]
            for key in [value] if isinstance(value, str) else value:
                if key not in known:
                    hint = faults.nearest(key, known) or f"; known: {word_list(known)}"
                    place = (*path, name) if isinstance(value, str) else (*path, name, key)
                    what = "".join(f" whose {each} is '{text}'" for each, text in kind) if key in entries else ""
                    faults.add(place, f"'{key}' is none of the {of[1]} of this ruleset{what}{hint}")


def stated_shape(row: Mapping[str, Any], kind: str = "") -> Schema:
    """Return the shape that a row of a data file states by ``type`` or ``neutral``, and by any of these keys.

    ``values`` are the only texts. ``min`` and ``max`` bound a whole number, for which one of the ``words`` may stand.
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


class Composition(NamedTuple):
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


# What every ruleset may say

ID: Final = Text(pattern=r"[a-z][a-z0-9_]*", kind="an id: small letters, digits and _, beginning with a letter")


class Meta:
    """What a ruleset says about itself."""

    title: Annotated[Remark, "name for people"]
    summary: Annotated[Remark, "what it is, in a sentence"]
    author: Annotated[Remark, "who made it"]
    game: Annotated[Remark, "name of the game"]
    edition: Annotated[Remark, "name of the edition"]
    version: Annotated[Remark, "version of the ruleset"]
    date: Annotated[Remark, "when it was published"]
    notes: Annotated[tuple[str, ...], LeftOut(), "what else there is to say"]


class Target:
    """What a designer wants of a ruleset."""

    metric: Annotated[str, "what is measured"]
    min: Annotated[float, LeftOut("no lower limit"), "least value"]
    max: Annotated[float, LeftOut("no upper limit"), "greatest value"]


def ruleset_table(meta: type, rules: type, options: Table, **tables: Schema | Field) -> Table:
    """Return the shape of a resolved ruleset out of its declared tables; ``tables`` are those of one game."""
    return Table(
        {
            "meta": Field(table_of(meta), required=False, marks=(REMARK,)),
            "rules": Field(table_of(rules)),
            "options": Field(options),
            **{name: shape if isinstance(shape, Field) else Field(shape) for name, shape in tables.items()},
            "assert": Field(ListOf(table_of(Target)), False, "the designer's own targets", marks=(REMARK,)),
        }
    )


def entry_of(declared: type, remarks: tuple[str, ...], **words: Schema) -> Table:
    """Return the shape of a declared entry that may also say where its facts come from."""
    told = {name: Field(Text(), required=False, marks=(REMARK,)) for name in remarks}
    return Table({**table_of(declared, **words).fields, **told})


def entries(entry: Table, *marks: Mark) -> Field:
    """Return a collection of entries under their ids."""
    return Field(MapOf(entry, ID), marks=(ENTRIES, *marks))
