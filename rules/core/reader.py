"""Reads positions out of TOML and JSON tables, step by step, collecting faults as far as the text can be understood."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

from rules.core.chance import Chance
from rules.core.declared import Called, LeftOut, Named, table_of
from rules.core.errors import ContentError, UnsupportedRuleset
from rules.core.files import KeyPath, Source, path_text
from rules.core.registry import GameDefinition, Option, Ruleset, Setting, game_names
from rules.core.ruleset import load_inline_ruleset, load_ruleset
from rules.core.schema import MISSING, Anything, Either, Faults, Integer, ListOf, Null, Table, Text, optional
from rules.core.unknown import left_out

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
    """Reads one position from a text, or from a table inside it.

    ``bare``: zones that the text leaves out are empty.
    """

    def __init__(self, source: Source, base_dir: Path, *, bare: bool = False) -> None:
        self.source = source
        self.bare = bare
        self.inferred: dict[str, str] = {}
        """What stands for zones that the text leaves out, in words, by key."""
        self.base_dir = base_dir
        self.faults = Faults(source.fault)

    def parts(self) -> tuple[Setting, Mapping[str, Any], tuple[str, ...]]:
        """Return what the text says: the setting, the state of the last turn boundary, and the steps since.

        Raises:
            ContentError: every fault found.
            UnsupportedRuleset: the engine cannot carry an option of it.
        """
        in_a_batch = bool(set(VECTOR_KEYS) & set(self.source.data)) and not self.source.prefix
        data = position_shape(VECTOR_KEYS if in_a_batch else ()).check(self.source.data, (), self.faults)
        ruleset = None if data is MISSING else self._ruleset(data["ruleset"], data.get("game", ""))
        if ruleset is None:
            self.faults.raise_any()
            raise AssertionError("a text without a ruleset has a fault")
        definition = ruleset.definition
        options = self._options(ruleset, data.get("options", {}))
        state, pending = data.get("state"), ()
        path: KeyPath = ("state",)
        if state is not None and "pending" in state:
            count = self.faults.count
            begun = table_of(PendingFile).check(state.pop("pending"), ("state", "pending"), self.faults)
            path = ("state", "pending", "from")
            if self.faults.count == count:
                state, pending = begun["from"], tuple(begun["moves"])
        players = self._players(ruleset, data.get("players"), state)
        setting = Setting(ruleset, options, players, self._chance(ruleset, players, data.get("chance", {})))
        complete = self._state(setting, state, self.faults.inside(path))
        self.faults.raise_any()
        refuse_unsupported(setting)
        if state is None:
            complete = definition.initial_state(setting)
        return replace(setting, chance=remembered(setting.chance, definition)), complete, pending

    def _ruleset(self, reference: str | Mapping[str, Any], game: str) -> Ruleset | None:
        try:
            if isinstance(reference, str):
                ruleset = load_ruleset(reference, self.base_dir, game)
            else:
                ruleset = load_inline_ruleset(self.source.part("ruleset"), self.base_dir, game)
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

    def _options(self, ruleset: Ruleset, given: Mapping[str, Option]) -> dict[str, Option]:
        before = self.faults.count
        ruleset.definition.check_options(ruleset.raw, given, self.faults.inside(("options",)))
        if self.faults.count > before:
            return {}
        own = ruleset.definition.options(ruleset)
        return {name: value for name, value in given.items() if value != own[name]}

    def _players(self, ruleset: Ruleset, given: int | None, state: Mapping[str, Any] | None) -> int:
        shown = (None if state is None else ruleset.definition.players_of(state)) or None
        players = given or shown or ruleset.definition.usual_players
        if shown is not None and players != shown:
            self.faults.add(("players",), f"says {given}, but the state shows {shown} players")
        least, most = ruleset.definition.players_allowed(ruleset)
        if not least <= players <= most:
            path: KeyPath = ("state", "players") if given is None else ("players",)
            self.faults.add(path, f"{players} players; '{ruleset.id}' is for {least} to {most}")
            return least
        return players

    def _chance(self, ruleset: Ruleset, players: int, given: Mapping[str, Any]) -> Chance:
        game = ruleset.definition
        sources = ListOf(Text(game.sources, kind="a source of chance"), unique=True)
        lists = game.lists_schema(ruleset, players)
        shape = table_of(ChanceFile, open=sources, seed=Either((SEED, Null())), lists=lists)
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
        lacking = [name for name in definition.needs_results(setting) if name not in chance.lists]
        if lacking and not dealt:
            names = " and ".join(f"'{name}'" for name in lacking)
            self.faults.add(("chance",), f"{names} open without results; give chance.seed or chance.lists.{lacking[0]}")
        clean = definition.state_schema(setting.ruleset).check(given, (), inside)
        clean = definition.bare(clean, setting) if self.bare else clean
        complete = definition.complete_state(clean, setting)
        self.inferred = {
            path_text(path): words for path, words in left_out(clean, complete, definition.inferred, ("state",))
        }
        definition.check_state(complete, setting, inside)
        return complete
