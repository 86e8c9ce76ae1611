"""Positions: a ruleset, the options changed for it, what chance will bring, and the table; read and printed as text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Self

from rules.core.challenge import Aim
from rules.core.code import decoded_position, encode_position
from rules.core.errors import BestlineError, ContentError, Fault, UnsupportedRuleset, nearest, shown
from rules.core.files import Faults, KeyPath, Source, canonical_json, is_there, looks_like_code, read_file, read_text
from rules.core.race import Race
from rules.core.registry import GameDefinition, Option, Ruleset, Setting, fingerprint, game_names
from rules.core.ruleset import difference, load_inline_ruleset, load_ruleset
from rules.core.schema import (
    MISSING,
    Called,
    Either,
    Integer,
    LeftOut,
    ListOf,
    Named,
    Null,
    Schema,
    Table,
    Text,
    optional,
    table_of,
)
from rules.core.scripts import Chance, Forced
from rules.core.turns import State

VECTOR_KEYS: Final = ("id", "tags", "turns", "positions", "terminal", "lines", "digest")
"""Keys of a line of a batch or of conformance vectors that say something about a position, not in it."""


class ChanceFile:
    """The ``chance`` table of a position."""

    open: Annotated[Any, Named("open"), LeftOut("nothing"), "sources known in advance; every other one is hidden"]
    seed: Annotated[Any, Named("seed"), LeftOut(), "decides every open result that no list gives"]
    lists: Annotated[Any, Named("lists"), LeftOut("none"), "explicit results of open sources"]


class PositionFile:
    """The frame of a position; what is inside depends on the ruleset."""

    game: Annotated[str, Named("game"), LeftOut("the ruleset's")]
    ruleset: Annotated[str | Mapping[str, Any], Named("ruleset"), "the edition or variant that is played"]
    players: Annotated[int, Integer(1), LeftOut("as the state shows, or the usual number"), "how many play"]
    options: Annotated[Mapping[str, Any], LeftOut("none"), "options changed for this position only"]
    chance: Annotated[ChanceFile, LeftOut("all is hidden"), "what is known of shuffles and rolls in advance"]
    state: Annotated[Mapping[str, Any], LeftOut("as dealt"), "the table; what is left out takes its starting value"]


class PendingFile:
    """A turn under way: the state it began at and the moves since."""

    from_: Annotated[Mapping[str, Any], Called("from"), "the state it began at"]
    moves: Annotated[tuple[str, ...], "the moves since"]


@cache
def position_shape(extras: tuple[str, ...] = ()) -> Table:
    """Return the frame of a position, with ``extras`` as further keys."""
    anything = dict.fromkeys(("open", "seed", "lists"), Schema())
    name = Text(kind="the name of a ruleset, or the path of a variant file")
    ruleset, game = Either((name, Table({}, open=True))), Text(game_names(), kind="a game")
    fields = table_of(PositionFile, game=game, ruleset=ruleset, **anything).fields
    return Table({**fields, **{name: optional(Schema()) for name in extras}})


@dataclass(frozen=True)
class Position(Setting):
    """One position of one game under one ruleset, complete."""

    state: Mapping[str, Any]
    """Canonical state object of the last turn boundary."""
    pending: tuple[str, ...] = ()
    """Texts of the moves and chance outcomes since then; empty at a turn boundary."""
    aim: Aim | None = None
    """A challenge of the game by which progress is measured, instead of the game's own measure."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """How many of each name a player alone must have at the end of every turn."""

    @property
    def definition(self) -> GameDefinition:
        """Return the game."""
        return self.ruleset.definition

    @cached_property
    def fingerprint(self) -> str:
        """Return the fingerprint of the rules of this position, the options changed here included."""
        if not self.options:
            return self.ruleset.fingerprint
        return fingerprint(self.definition.facts({**self.ruleset.raw, "options": self.values}))

    @cached_property
    def game(self) -> Race[Any]:
        """Return the rules bound to this position's ruleset and chance, its challenge, and what is to be kept."""
        game = self.definition.build(self, self.aim)
        game.kept = self.kept
        return game

    def towards(self, challenge: str, seat: int, terms: Mapping[str, Any]) -> Self:
        """Return the position with progress measured by a challenge of its game, asked from its table.

        Raises:
            ContentError: the challenge does not fit the table.
        """
        aimed = replace(self, aim=Aim(challenge, seat, terms, self.state))
        _ = aimed.game
        return aimed

    def keeping(self, names: Iterable[str]) -> Self:
        """Return the position without lines on which a player alone ever ends a turn with less of a name than now.

        Raises:
            ContentError: there is no such thing now, or there are other players.
        """
        wanted = sorted({self.game.spelt(name) for name in names})
        if wanted and self.players > 1:
            raise ContentError([Fault("can be asked only of one player alone; here others play: leave it out")])
        held = self.game.owned(self.table()) if wanted else {}
        if lacking := [name for name in wanted if not held.get(name)]:
            has = f"; to keep there is {', '.join(sorted(name for name in held if held[name])) or 'nothing'}"
            raise ContentError([Fault(f"there is no '{name}' to keep{nearest(name, held) or has}") for name in lacking])
        kept = {name: held[name] for name in wanted}
        return self if kept == self.kept else replace(self, kept=kept)

    @property
    def information(self) -> str:
        """Return ``open`` when nothing that can still matter is hidden, otherwise ``hidden``."""
        return "hidden" if self.hidden else "open"

    @property
    def hidden(self) -> tuple[str, ...]:
        """Return the sources that are not known in advance and can still matter."""
        return tuple(sorted(self.definition.live_sources(self).keys() - self.chance.open))

    def table(self) -> Any:
        """Return the table at the last turn boundary."""
        return self.game.decode(self.state)

    def start(self) -> tuple[Race[Any], State[Any]]:
        """Return the rules and the state to play on from: the table and the steps since.

        Raises:
            NotationError: a pending text is no move here.
            IllegalMoveError: a pending move is not allowed.
        """
        state: State[Any] = State(self.table())
        for text in self.pending:
            state = self.game.apply(state, self.game.parse_step(state, text)).state
        return self.game, state

    def state_so_far(self) -> dict[str, Any]:
        """Return the ``state`` object of the table after the steps since, in the middle of a turn."""
        game, state = self.start()
        return game.encode(game.unfinished(state))

    def with_table(self, table: Any) -> Self:
        """Return the position with another table at a turn boundary."""
        return replace(self, state=self.game.encode(table), pending=())

    def under(self, ruleset: Ruleset) -> Self | None:
        """Return the position under another ruleset of its game, or nothing where it is none there."""
        moved, faults = replace(self, ruleset=ruleset), Faults()
        moved.definition.state_schema(ruleset).check(self.state, (), faults)
        try:
            faults.raise_any()
            moved.definition.check_state(self.state, moved, faults)
            faults.raise_any()
            moved.start()
        except BestlineError:
            return None
        return moved

    def after(self, state: State[Any]) -> Self:
        """Return the position with another state, in the middle of a turn or not."""
        steps = tuple(step.text for step in state.pending if not isinstance(step, Forced))
        return replace(self, state=self.game.encode(state.table), pending=steps)

    @cached_property
    def code(self) -> str:
        """Return the one-line code of this position."""
        return encode_position(self, self._tables(self.options, self._short_state(whole=False)))

    def to_toml(self) -> str:
        """Return the position as a TOML file for people: what follows from the rest is left out."""
        from rules.core.tools.output import toml_text

        return toml_text(self.shortened())

    def shortened(self) -> dict[str, Any]:
        """Return the position as a file has it, without what follows from the rest."""
        data = self._tables(self.options, self._short_state(whole=True))
        data["chance"] = {name: value for name, value in data["chance"].items() if value != {}}
        return {name: value for name, value in data.items() if value != {}}

    def canonical(self) -> dict[str, Any]:
        """Return the canonical form: every field present, options resolved, equal for equal positions."""
        now = {"pending": {"from": self.state, "moves": list(self.pending)}} if self.pending else {}
        return dict(sorted(self._tables(self.values, {**self.state_so_far(), **now} if now else self.state).items()))

    def _short_state(self, *, whole: bool) -> dict[str, Any]:
        state = self.definition.shorten_state(self.state, self, whole=whole)
        return {"pending": {"moves": list(self.pending), "from": state}} if self.pending else state

    def _tables(self, options: Mapping[str, Option], state: Mapping[str, Any]) -> dict[str, Any]:
        lists = {name: self.chance.lists[name] for name in sorted(self.chance.lists)}
        return {
            "game": self.ruleset.game,
            "ruleset": self.reference,
            "players": self.players,
            "options": dict(options),
            "chance": {"lists": lists, "open": sorted(self.chance.open), "seed": self.chance.seed},
            "state": state,
        }

    @property
    def reference(self) -> str | dict[str, Any]:
        """Return the name of a shipped ruleset, or the variant itself as a table, which no folder can lose."""
        return self.ruleset.id.partition("/")[2] if self.ruleset.is_shipped else difference(self.ruleset)

    def text(self) -> str:
        """Return the canonical form as one line of JSON."""
        return canonical_json(self.canonical())


class _Reader:
    """Reads one position from a text, or from a table inside it.

    ``bare``: zones that the text leaves out are empty.
    """

    def __init__(self, source: Source, base_dir: Path, *, bare: bool = False) -> None:
        self.source, self.base_dir, self.bare = source, base_dir, bare
        self.faults = Faults(source.fault)

    def position(self, ruleset: Ruleset | None = None) -> Position:
        """Return what the text says, under the ruleset that it names where none is given.

        Raises:
            ContentError: every fault found.
        """
        in_a_batch = bool(set(VECTOR_KEYS) & set(self.source.data)) and not self.source.prefix
        data = position_shape(VECTOR_KEYS if in_a_batch else ()).check(self.source.data, (), self.faults)
        if data is not MISSING and ruleset is None:
            ruleset = self._ruleset(data["ruleset"], data.get("game", ""))
        if data is MISSING or ruleset is None:
            self.faults.raise_any()
            raise AssertionError("a text without a ruleset has a fault")
        definition = ruleset.definition
        options = self._options(ruleset, data.get("options", {}))
        state, pending = data.get("state"), ()
        path: KeyPath = ("state",)
        if state is not None and "pending" in state:
            begun = table_of(PendingFile).check(state.pop("pending"), ("state", "pending"), self.faults)
            path = ("state", "pending", "from")
            if begun is not MISSING:
                state, pending = begun["from"], tuple(begun["moves"])
        players = self._players(ruleset, data.get("players"), state)
        setting = Setting(ruleset, options, players, self._chance(ruleset, players, data.get("chance", {})))
        try:
            complete = self._state(setting, state, self.faults.inside(path))
            self.faults.raise_any()
            if state is None:
                complete = definition.initial_state(setting)
            chance = setting.chance
            if not any(definition.sources[name] for name in chance.open):
                # A seed that decides nothing any more would only give the hidden orders away.
                chance = replace(chance, seed=None)
            position = Position(ruleset, options, players, chance, complete, pending)
            _ = position.game
        except UnsupportedRuleset as lacking:
            for feature in lacking.features:
                self.faults.add(("options",), f"{feature} is not supported by this engine")
            self.faults.raise_any()
        return position

    def _ruleset(self, reference: str | Mapping[str, Any], game: str) -> Ruleset | None:
        try:
            if isinstance(reference, str):
                ruleset = load_ruleset(reference, self.base_dir, game)
            else:
                ruleset = load_inline_ruleset(self.source.part("ruleset"), self.base_dir, game)
        except ContentError as error:
            self.faults.take(
                fault if fault.file or fault.key or fault.line else self.source.fault(("ruleset",), fault.message)
                for fault in error.faults
            )
            return None
        if game and ruleset.game != game:
            self.faults.add(("ruleset",), f"'{ruleset.id}' is a ruleset of '{ruleset.game}', not of '{game}'")
        return ruleset

    def _options(self, ruleset: Ruleset, given: Mapping[str, Option]) -> dict[str, Option]:
        before, inside, table = self.faults.count, self.faults.inside(("options",)), ruleset.definition.option_table
        if "players" in given:
            inside.add(("players",), "is no option; write the number of players as the position's 'players'")
        table.schema.check({name: value for name, value in given.items() if name != "players"}, (), inside)
        table.check_names(given, ruleset.raw, (), inside)
        if self.faults.count > before:
            return {}
        return {name: value for name, value in given.items() if value != ruleset.raw["options"][name]}

    def _players(self, ruleset: Ruleset, given: int | None, state: Mapping[str, Any] | None) -> int:
        seats = {} if state is None else state.get("seats", state.get("players"))
        shown = len(seats) if isinstance(seats, list) else seats if type(seats) is int else 0
        least, most, usual = ruleset.definition.players_allowed(ruleset)
        players = given or shown or usual
        if shown and players != shown:
            self.faults.add(("players",), f"says {given}, but the state shows {shown} players")
        if not least <= players <= most:
            path: KeyPath = ("state", "players") if given is None else ("players",)
            self.faults.add(path, f"{players} players; '{ruleset.id}' is for {least} to {most}")
            return least
        return players

    def _chance(self, ruleset: Ruleset, players: int, given: Mapping[str, Any]) -> Chance:
        game = ruleset.definition
        sources = ListOf(Text(tuple(game.sources), kind="a source of chance"), unique=True)
        shapes = {"lists": Table({}), **game.named_shapes(ruleset, players)}
        shape = table_of(ChanceFile, open=sources, seed=Either((Integer(0, 2**64 - 1), Null())), lists=shapes["lists"])
        inside = self.faults.inside(("chance",))
        sound = shape.check(given, (), inside)
        chance = Chance(frozenset(sound.get("open", ())), sound.get("seed"), sound.get("lists", {}))
        for name in sorted(set(chance.lists) - chance.open):
            inside.add(("lists", name), f"is given, but '{name}' is hidden; add it to chance.open or take the list out")
        return chance

    def _state(self, setting: Setting, given: Mapping[str, Any] | None, inside: Faults) -> dict[str, Any]:
        """Return the complete state, as far as the faults leave one."""
        definition, chance = setting.ruleset.definition, setting.chance
        dealt = chance.seed is not None or any(fault.key.startswith("chance") for fault in self.faults.found)
        if given is None:
            if not dealt:
                self.faults.add((), "there is neither a state nor chance.seed to deal one; give one of them")
            return {}
        asked = sorted(name for name, may_ask in definition.live_sources(setting).items() if may_ask)
        lacking = [name for name in asked if name in chance.open and name not in chance.lists]
        if lacking and not dealt:
            names = " and ".join(f"'{name}'" for name in lacking)
            self.faults.add(("chance",), f"{names} open without results; give chance.seed or chance.lists.{lacking[0]}")
        clean = definition.state_schema(setting.ruleset).check(given, (), inside)
        complete = definition.complete_state(clean, setting, bare=self.bare)
        definition.check_state(complete, setting, inside)
        return complete


def decode_position(code: str) -> Position:
    """Return the position of a code.

    Raises:
        BestlineError: the code is damaged, is of another version, or belongs to rules that have changed since.
        ContentError: the code is intact, but no position of this game.
    """
    data, bare = decoded_position(code)
    return read_position(Source(data, ""), Path(), bare=bare)


def read_position(source: Source, base_dir: Path | None = None, *, bare: bool = False) -> Position:
    """Return the position of a text, or of a table inside it; an answer stands for its position.

    With ``bare`` a zone that is left out is empty, but where the text has unknown cards.

    Raises:
        ContentError: every fault found.
        BestlineError: the code of an answer is damaged.
    """
    if "position_code" in source.data and "game" not in source.data and not source.prefix:
        code, path = source.data["position_code"], ("position_code",)
        if not isinstance(code, str):
            raise ContentError([source.fault(path, f"must be a position code, not {shown(code)}")])
        try:
            return decode_position("".join(code.split()))
        except BestlineError as error:
            fault = source.fault(path, "; ".join(str(error).splitlines()))
            raise ContentError([fault]) if isinstance(error, ContentError) else BestlineError(str(fault)) from None
    position = _Reader(source, base_dir or Path(), bare=bare).position()
    try:
        position.start()
    except BestlineError as error:
        raise ContentError([source.fault(("state", "pending", "moves"), str(error))]) from None
    return position


def load_position(reference: str, base_dir: Path | None = None) -> Position:
    """Return the position of a file, of a TOML or JSON text, or of a position code; a text has a line break or brace.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    if "\n" in reference or "{" in reference or not reference.strip():
        return read_position(read_text(reference), base_dir)
    path = (base_dir or Path()) / Path(reference).expanduser()
    if looks_like_code(reference) and not is_there(path):
        return decode_position(reference)
    return read_position(read_file(path, reference), path.parent)


def new_position(
    ruleset: str | Ruleset, players: int = 1, seed: int = 0, open_sources: Sequence[str] | None = None
) -> Position:
    """Return the position after the setup; ``open_sources`` are all sources when left out.

    Hidden sources are dealt from the seed as well, which is then forgotten unless an open source still needs it.

    Raises:
        ContentError: the ruleset, the number of players, the seed or a source is not possible.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else load_ruleset(ruleset)
    sources = rules.definition.sources if open_sources is None else open_sources
    data = {"ruleset": rules.id, "players": players, "chance": {"open": list(sources), "seed": seed}}
    return _Reader(Source(data, ""), Path()).position(rules)
