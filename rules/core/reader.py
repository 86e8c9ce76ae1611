"""Reads positions out of TOML and JSON tables, step by step, collecting faults as far as the text can be understood."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

from rules.core.chance import Chance
from rules.core.declared import Called, LeftOut, Named, table_of
from rules.core.errors import ContentError, UnsupportedRuleset
from rules.core.files import KeyPath, Source
from rules.core.registry import GameDefinition, Option, Ruleset, Setting, game_names
from rules.core.ruleset import load_inline_ruleset, load_ruleset
from rules.core.schema import Anything, Either, Faults, Integer, ListOf, Null, Table, Text, optional

SEED: Final = Integer(0, 2**64 - 1)
"""Shape of a seed (R74)."""
VECTOR_KEYS: Final = ("id", "tags", "turns", "positions", "terminal", "lines", "digest")
"""Keys of a line of a batch or of conformance vectors that say something about a position, not in it."""


def refuse_unsupported(setting: Setting) -> None:
    """Raise ``UnsupportedRuleset`` when the engine cannot carry an option."""
    features = setting.ruleset.definition.unsupported(setting)
    if features:
        raise UnsupportedRuleset(features)


def remembered(chance: Chance, game: GameDefinition) -> Chance:
    """Return the chance without a seed that decides nothing any more: it would only give the hidden orders away."""
    return chance if chance.open & game.random_sources else Chance(chance.open, None, chance.lists)


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


def position_shape(extras: Sequence[str] = ()) -> Table:
    """Return the frame of a position, with ``extras`` as further keys."""
    anything = dict.fromkeys(("open", "seed", "lists"), Anything())
    name = Text(kind="the name of a ruleset, or the path of a variant file")
    ruleset, game = Either((name, Table({}, open=True))), Text(game_names(), kind="a game")
    fields = table_of(PositionFile, game=game, ruleset=ruleset, **anything).fields
    return Table({**fields, **{name: optional(Anything()) for name in extras}})


class Reader:
    """Reads one position from a text, or from a table inside it."""

    def __init__(self, source: Source, base_dir: Path) -> None:
        self.source = source
        self.base_dir = base_dir
        self.faults = Faults(source.fault)
        self.data = source.data

    def parts(self) -> tuple[Setting, Mapping[str, Any], tuple[str, ...]]:
        """Return what the text says: the setting, the state of the last turn boundary, and the steps since.

        Raises:
            ContentError: every fault found.
            UnsupportedRuleset: the engine cannot carry an option of it.
        """
        self._shape().check(self.data, (), self.faults)
        ruleset = self._ruleset(self._game())
        if ruleset is None:
            self.faults.raise_any()
            raise AssertionError("a text without a ruleset has a fault")
        definition = ruleset.definition
        options = self._options(ruleset)
        pending, state = self._pending()
        players = self._players(ruleset, state)
        setting = Setting(ruleset, options, players, self._chance(definition, ruleset, players))
        complete = self._state(setting, state)
        self.faults.raise_any()
        refuse_unsupported(setting)
        if state is None:
            complete = definition.initial_state(setting)
        return replace(setting, chance=remembered(setting.chance, definition)), complete, pending

    def _shape(self) -> Table:
        said = bool(set(VECTOR_KEYS) & set(self.data)) and not self.source.prefix
        return position_shape(VECTOR_KEYS if said else ())

    def _game(self) -> str:
        game = self.data.get("game", "")
        return game if isinstance(game, str) and game in game_names() else ""

    def _ruleset(self, game: str) -> Ruleset | None:
        reference = self.data.get("ruleset")
        try:
            if isinstance(reference, dict):
                ruleset = load_inline_ruleset(self.source.part("ruleset"), self.base_dir, game)
            elif isinstance(reference, str):
                ruleset = load_ruleset(reference, self.base_dir, game)
            else:
                return None
        except ContentError as error:
            for fault in error.faults:
                if fault.file or fault.key or fault.line:
                    self.faults.take([fault])
                else:
                    self.faults.add(("ruleset",), fault.message)
            return None
        if game and ruleset.game != game:
            self.faults.add(("ruleset",), f"'{ruleset.id}' is a ruleset of '{ruleset.game}', not of '{game}'")
        return ruleset

    def _options(self, ruleset: Ruleset) -> dict[str, Option]:
        given = self.data.get("options", {})
        if not isinstance(given, dict):
            return {}
        inside = self.faults.inside(("options",))
        before = self.faults.count
        ruleset.definition.check_options(ruleset.raw, given, inside)
        if self.faults.count > before:
            return {}
        own = ruleset.definition.options(ruleset)
        return {name: value for name, value in given.items() if value != own[name]}

    def _pending(self) -> tuple[tuple[str, ...], Mapping[str, Any] | None]:
        """Return the moves of an unfinished turn and the state it began at, or no state where none is given."""
        state = self.data.get("state")
        if not isinstance(state, dict) or "pending" not in state:
            return (), state if isinstance(state, dict) else None
        count = self.faults.count
        pending = table_of(PendingFile).check(state["pending"], ("state", "pending"), self.faults)
        if self.faults.count > count:
            return (), {name: value for name, value in state.items() if name != "pending"}
        return tuple(pending["moves"]), pending["from"]

    def _players(self, ruleset: Ruleset, state: Mapping[str, Any] | None) -> int:
        given = self.data.get("players")
        shown = (None if state is None else ruleset.definition.players_of(state)) or None
        is_number = isinstance(given, int) and not isinstance(given, bool)
        players = given if is_number and isinstance(given, int) else shown or ruleset.definition.usual_players
        if shown is not None and is_number and given != shown:
            self.faults.add(("players",), f"says {given}, but the state shows {shown} players")
        least, most = ruleset.definition.players_allowed(ruleset)
        if not least <= players <= most:
            path: KeyPath = ("players",) if "players" in self.data else ("state", "players")
            self.faults.add(path, f"{players} players; '{ruleset.id}' is for {least} to {most}")
            return least
        return players

    def _chance(self, game: GameDefinition, ruleset: Ruleset, players: int) -> Chance:
        given = self.data.get("chance", {})
        given = given if isinstance(given, dict) else {}
        sources = ListOf(Text(game.sources, kind="a source of chance"), unique=True)
        lists = game.lists_schema(ruleset, players)
        shapes = table_of(ChanceFile, open=sources, seed=Either((SEED, Null())), lists=lists)
        inside = self.faults.inside(("chance",))
        clean = shapes.check(given, (), inside)
        given = clean.get("lists", {})
        chance = Chance(frozenset(clean.get("open", ())), clean.get("seed"), given)
        for name in sorted(set(given) - chance.open):
            inside.add(("lists", name), f"is given, but '{name}' is hidden; add it to chance.open or take the list out")
        return chance

    def _state(self, setting: Setting, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the complete state, as far as the faults leave one."""
        definition, chance = setting.ruleset.definition, setting.chance
        if given is None:
            if chance.seed is None and not self._faulty("chance"):
                self.faults.add((), "there is neither a state nor chance.seed to deal one; give one of them")
            return {}
        lacking = [name for name in definition.needs_results(setting) if name not in chance.lists]
        if chance.seed is None and lacking and not self._faulty("chance"):
            names = " and ".join(f"'{name}'" for name in lacking)
            self.faults.add(("chance",), f"{names} open without results; give chance.seed or chance.lists.{lacking[0]}")
        path: KeyPath = ("state", "pending", "from") if "pending" in self.data.get("state", {}) else ("state",)
        inside = self.faults.inside(path)
        shape = definition.state_schema(setting.ruleset)
        complete = definition.complete_state(shape.check(given, (), inside), setting)
        definition.check_state(complete, setting, inside)
        return complete

    def _faulty(self, key: str) -> bool:
        return any(fault.key.startswith(key) for fault in self.faults.found)
