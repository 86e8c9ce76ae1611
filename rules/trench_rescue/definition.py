"""Trench Rescue as the shared parts see it: rulesets, positions, new puzzles, and the rules bound to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rules.core.challenge import Aim, Quest
from rules.core.chance import Chance, SplitMix64
from rules.core.race import Race
from rules.core.registry import Composition, GameDefinition, Ruleset, Setting, between, some
from rules.core.schema import Either, Faults, Integer, ListOf, Schema, Table, Text, optional
from rules.trench_rescue.content import NO_SHELLS, OPTIONS, Rulings, check, doubts, pack_of, ruleset_schema
from rules.trench_rescue.positions import StateCheck, bare, census, complete
from rules.trench_rescue.state import COLOURS, PHASES, StateFile
from rules.trench_rescue.state import Table as Battle

_OTHER_WORDS: Final = (
    *("card", "carries", "cell", "black", "red", "?", "cards", "shells", "deck", "counters"),
    *("chance", "lists", "open", "seed", "options", "state", "pending", "from", "moves", "none"),
    *("cycle", "enter", "go", "peek", "drop", "end", "home", "take"),
)
"""Words of positions that are no field of the state and no card."""
ALONE: Final = 2
"""Of so many deals and one more, how many have a single soldier; the others have two."""
WOUNDED: Final = (2, 3)
SIZE: Final = (2, 4)
"""Cells along an edge, as far as the ruleset has such a field."""
SHELLS: Final = 4
"""Shells of a tape."""


class TrenchRescueDefinition(GameDefinition):
    """The game's part in reading rulesets and positions."""

    name = "trench_rescue"
    title = "Trench Rescue"
    usual_players = 2
    sources = ("cards", "deck", "shells")
    random_sources = frozenset({"deck", "shells"})
    collections = ("fields",)
    ruleset_schema = staticmethod(ruleset_schema)
    check_ruleset = staticmethod(check)
    doubts = staticmethod(doubts)
    state_file = StateFile

    def play_facts(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return what of a resolved ruleset affects play: no names of fields, and suits in their order."""
        facts = super().play_facts(raw)
        fields = sorted((field["size"], field["cards_per_colour"]) for field in raw["fields"].values())
        return {**facts, "fields": fields, "pack": {**facts["pack"], "suits": list(raw["pack"]["suits"].items())}}

    def unsupported(self, setting: Setting) -> list[str]:
        """Return the options that say nothing beside each other (15, TR-Q26)."""
        values = setting.values
        found = []
        if values["shell_count_of"] == "own" and values["barrage_timing"] != "after_each":
            found.append("option `shell_count_of = own` without `barrage_timing = after_each`")
        if "cards" not in setting.chance.open:
            for name, value in (("deck_mode", "queue"), ("reveal_on_rescue", "rescuer")):
                if values[name] == value:
                    found.append(f"option `{name} = {value}` with hidden cards")
            if "deck" in setting.chance.open:
                found.append("an open `deck` with hidden `cards`")
        return found

    def players_allowed(self, ruleset: Ruleset) -> tuple[int, int]:
        """Return 1 for the solitaire challenges and 2 for the game."""
        return 1, len(COLOURS)

    def lists_schema(self, ruleset: Ruleset, players: int) -> Schema:
        """Return the shape of ``chance.lists`` (15)."""
        codes = pack_of(ruleset).codes[:-1]
        order = ListOf(Text(codes, kind="a card of this ruleset"))
        colours = len(COLOURS)
        roll = Integer(1, ruleset.raw["rules"]["die_sides"])
        tape = ListOf(ListOf(roll, least=2, most=2), least=1)
        return Table(
            {
                "deck": optional(ListOf(ListOf(order), least=colours, most=colours), "orders of each colour's draws"),
                "shells": optional(Either((Text((NO_SHELLS,)), tape)), "column and row roll of each shell, or none"),
            }
        )

    def live_sources(self, setting: Setting) -> Mapping[str, bool]:
        """Return the sources that matter after the set-up; decks that are queues have no chance in them."""
        deck = {} if setting.values["deck_mode"] == "queue" else {"deck": True}
        return {"cards": False, "shells": True, **deck}

    def state_ids(self, ruleset: Ruleset) -> Mapping[str, Schema]:
        """Return the shapes of cards, and of those that are known."""
        codes = pack_of(ruleset).codes
        kind = "a card of this ruleset"
        return {"card": Text(codes, kind=kind), "known": Text(codes[:-1], kind=kind)}

    def complete_state(self, state: Mapping[str, Any], setting: Setting) -> dict[str, Any]:
        """Return the canonical ``state`` object, what is left out filled in."""
        return complete(state, self._rulings(setting, setting.chance.seeded()))

    def bare(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, Any]:
        """Return a state in which cells are empty that its table of piles leaves out."""
        return bare(state, self._rulings(setting, setting.chance).field_size)

    def shorten_state(self, state: Mapping[str, Any], setting: Setting, *, whole: bool) -> dict[str, Any]:
        """Return a canonical state without what ``complete_state`` fills in."""
        rulings = self._rulings(setting, setting.chance.seeded())
        short = dict(state)
        for name in sorted(state):
            rest = {key: value for key, value in short.items() if key != name}
            if complete(rest, rulings) == state:
                short = rest
        return short

    def check_state(self, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        """Note every invariant that a complete state breaks."""
        StateCheck(self._rulings(setting, setting.chance), state, faults).run()

    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card a complete state holds."""
        return census(state, pack_of(setting.ruleset))

    def build(self, setting: Setting) -> Race[Battle]:
        """Return the rules bound to a ruleset and to the open results of chance."""
        from rules.trench_rescue.engine import TrenchRescue

        return TrenchRescue(self._rulings(setting, setting.chance))

    def terms_schema(self, ruleset: Ruleset, challenge: str) -> Table:
        """Return the shape of the cards that a goal may name (11)."""
        from rules.trench_rescue.challenges import terms_schema

        return terms_schema(pack_of(ruleset), self.challenges[challenge])

    def quest(self, setting: Setting, aim: Aim) -> Quest[Battle]:
        """Return the rules with progress measured by a challenge (11)."""
        from rules.trench_rescue.challenges import Rescue

        return Rescue(self._rulings(setting, setting.chance), self.challenges[aim.challenge], aim)

    def _rulings(self, setting: Setting, chance: Chance) -> Rulings:
        ruleset = setting.ruleset
        return Rulings(ruleset.raw, pack_of(ruleset), setting.values, setting.players, chance)

    def compose(self, ruleset: Ruleset, draw: SplitMix64) -> Composition:
        """Return a small position for a player alone, made up from random numbers."""
        pack = pack_of(ruleset)
        sizes = sorted({field["size"] for field in ruleset.raw["fields"].values()} & set(range(SIZE[0], SIZE[1] + 1)))
        size: int = sizes[draw.below(len(sizes))] if sizes else ruleset.raw["rules"]["field_size"]
        colour = pack.colours.index(ruleset.raw["rules"]["solitaire_colour"])
        own, others = (list(pack.texts(pack.of_colour[each])) for each in (colour, 1 - colour))
        soldiers, wounded = 1 + draw.below(ALONE + 1) // ALONE, between(draw, *WOUNDED)
        cards = some(draw, own, soldiers + wounded)
        lying = cards[soldiers:]
        lying = [*lying[:-1], *some(draw, others, 1)] if draw.below(2) else lying
        cells = some(draw, [f"{x + 1},{y + 1}" for x in range(size) for y in range(size)], len(lying))
        falls = size > SIZE[0] and draw.below(3) > 0
        sides: int = ruleset.raw["rules"]["die_sides"]
        rolls = [[between(draw, 1, sides), between(draw, 1, sides)] for _ in range(SHELLS * falls)]
        asked = "TR-S1" if falls else "TR-S2"
        return Composition(
            {
                "players": 1,
                "options": {"deck_mode": "queue"},
                "chance": {"open": list(ruleset.definition.sources), "lists": {"shells": rolls or NO_SHELLS}},
                "state": {
                    "size": size,
                    "trench": {pack.colours[colour]: cards[:soldiers]},
                    "piles": {cell: [card] for cell, card in zip(cells, lying, strict=True)},
                },
            },
            tuple({"objective": each} for each in sorted(("TR-S1", "TR-S2", "TR-S5"), key=lambda each: each != asked)),
        )

    def words(self, ruleset: Ruleset) -> Sequence[str]:
        """Return cards, field names and the values of fields."""
        codes = pack_of(ruleset).codes[:-1]
        fields = [*_OTHER_WORDS, *Battle._fields, *PHASES]
        return list(dict.fromkeys([*codes, *fields, *sorted(OPTIONS.rows)]))
