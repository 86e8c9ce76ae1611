"""One Trench Rescue ruleset: what turns look up of it, bound to open chance, and what a valid one looks like."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from rules.core.chance import Chance, SplitMix64
from rules.core.declared import LeftOut, Meta, Remark, Size, entries, entry_of, ruleset_table
from rules.core.errors import ContentError, Fault, word_list
from rules.core.registry import Doubt, OptionTable, Ruleset
from rules.core.schema import Faults, Integer, Table, Text
from rules.trench_rescue.state import COLOURS, Colour, Pack

DRAW_EVENTS: Final = 1
SHELL_EVENTS: Final = 2
DECK_EVENTS: Final = 3
FIELD_EVENTS: Final = 4
STARTER_EVENTS: Final = 5
SIDE_EVENTS: Final = 6
"""Kinds of chance events, as streams number them (15)."""
NO_SHELLS: Final = "none"
"""The list of shells that says that none ever falls (15)."""


class Rulings:
    """What turns ask: numbers, answers to open questions, and results of open chance."""

    def __init__(
        self, raw: Mapping[str, Any], pack: Pack, options: Mapping[str, Any], players: int, chance: Chance
    ) -> None:
        self.pack = pack
        self.players = players
        self.chance = chance
        self.options = options
        rules = raw["rules"]
        self.field_size: int = rules["field_size"]
        self.trench_cards: int = rules["trench_cards"]
        self.die_sides: int = rules["die_sides"]
        self.solitaire_colour = pack.colours.index(rules["solitaire_colour"])
        self.laid: dict[int, int] = {field["size"]: field["cards_per_colour"] for field in raw["fields"].values()}
        """Cards of each colour on the field, by its size (2.2)."""
        rescue = raw["rescue"]
        self.rescue = {
            (own, within): rescue[f"{'own' if own else 'enemy'}_{'within' if within else 'above'}"]
            for own in (True, False)
            for within in (True, False)
        }
        """Where a rescued card goes: of the own colour or not, within the rescuer's value or not (5)."""
        self.turn_limit = int(options["turn_limit"])
        self.after_each = options["barrage_timing"] == "after_each"
        self.alternate = options["starter_order"] == "alternate" and players > 1
        self.arrival = options["hit_pile_order"] == "arrival"
        self.drop_moves = options["drop_cost"] == "move"
        self.carrier_chosen = options["stack_carrier"] == "chosen"
        self.min_one_shell = options["shell_rule"] == "floor_half_min_one"
        self.withdrawal_kills = options["withdrawal_hit"] == "dies"
        self.draw_when_empty = options["reinforcement"] == "draw_when_empty"
        self.queue = options["deck_mode"] == "queue"
        self.deck_open = chance.is_open("deck")
        self.shells_open = chance.is_open("shells")
        self.deck_orders = [[pack.read(order) for order in orders] for orders in chance.lists.get("deck", [[], []])]
        """By colour: an order of each draw (15)."""
        shells = chance.lists.get("shells", [])
        self.shells_fall = shells != NO_SHELLS
        self.tape: tuple[tuple[int, int], ...] = tuple((a, b) for a, b in shells) if self.shells_fall else ()
        self.cell_ways = {size: self._cell_ways(size) for size in self.laid}
        """How many pairs of rolls lead to each cell, by size of the field."""

    def line(self, roll: int, size: int) -> int | None:
        """Return the column or row that a roll means, or nothing where the die is thrown again (6.4)."""
        if roll <= size:
            return roll
        if self.options["shell_die"] != "fold":
            return None
        return roll % size or (None if self.options["fold_zero"] == "reroll" else size)

    def _cell_ways(self, size: int) -> tuple[int, ...]:
        """Return how many pairs of rolls lead to each cell; all that are not thrown again are equally likely (6)."""
        lines = [self.line(roll, size) for roll in range(1, self.die_sides + 1)]
        ways = [lines.count(line) for line in range(1, size + 1)]
        return tuple(column * row for row in ways for column in ways)

    def near_side(self) -> int:
        """Return whose trench lies along row 1 (1.5, TR-Q1)."""
        side = self.options["near_side"]
        return self.chance.stream(SIDE_EVENTS, 0, 0).below(2) if side == "coin" else self.pack.colours.index(side)

    def starter(self, trench: Sequence[Sequence[int]], *, coin: bool = False) -> int:
        """Return who begins: a player alone, the higher soldier, or a coin (2.5); without one black where both tie."""
        if self.players == 1:
            return self.solitaire_colour
        best = [max((self.pack.value[card] for card in cards), default=0) for cards in trench]
        if coin and best[0] == best[1]:
            return self.chance.stream(STARTER_EVENTS, 0, 0).below(2)
        return best.index(max(best))

    def drawn(self, colour: int, deck: tuple[int, ...], event: int) -> int:
        """Return the card that one draw of an open deck takes; ``deck`` is sorted (15)."""
        orders = self.deck_orders[colour]
        if event < len(orders):
            return next((card for card in orders[event] if card in deck), deck[0])
        return deck[self.chance.stream(DRAW_EVENTS, colour, event).below(len(deck))]

    def shell(self, size: int, event: int) -> tuple[int, int, int]:
        """Return both rolls of one open shell and the cell it falls on (15).

        Raises:
            ContentError: the rolls are listed, and one of these would be thrown again.
        """
        if self.tape:
            a, b = self.tape[event % len(self.tape)]
            column, row = self.line(a, size), self.line(b, size)
            if column is None or row is None:
                raise ContentError([Fault(f"[{a}, {b}] holds a roll that is thrown again", "chance.lists.shells")])
            return a, b, (row - 1) * size + column - 1
        generator = self.chance.stream(SHELL_EVENTS, 0, event)
        a, column = self._thrown(generator, size)
        b, row = self._thrown(generator, size)
        return a, b, (row - 1) * size + column - 1

    def next_shell(self, event: int) -> int:
        """Return the number of the shell after ``event``; a tape begins again (15)."""
        return (event + 1) % len(self.tape) if self.tape else event + 1

    def _thrown(self, generator: SplitMix64, size: int) -> tuple[int, int]:
        while True:
            roll = generator.below(self.die_sides) + 1
            line = self.line(roll, size)
            if line is not None:
                return roll, line


@lru_cache(maxsize=64)
def pack_of(ruleset: Ruleset) -> Pack:
    """Return the cards of a ruleset."""
    return Pack(ruleset.raw)


# What a valid ruleset looks like

OPTIONS: Final = OptionTable(Path(__file__).resolve().parent)
_REMARKS: Final = ("provenance", "summary", "note")
"""Keys that say where a fact comes from."""
_SIGN: Final = Text(pattern=r"[0-9A-Z]", kind="one digit or capital letter")
Place: TypeAlias = Annotated[str, Text(("trench", "infirmary", "own_deck", "enemy_deck"))]
"""Where a rescued card may go (5)."""
Edge: TypeAlias = Annotated[int, Integer(1, 99)]


class MetaTable(Meta):
    """What an edition says about itself."""

    sources: Annotated[tuple[Remark, ...], LeftOut(), "where its facts come from"]


class RulesTable:
    """Numbers that are no ruling."""

    field_size: Annotated[Edge, "1.4: cells along one edge of a field that is dealt"]
    trench_cards: Annotated[int, Integer(1, 25), "2.4: cards each player begins with in the trench"]
    die_sides: Annotated[int, Integer(1, 100), "6.3"]
    solitaire_colour: Annotated[Colour, "11.1: who plays a game for one that is dealt"]


class PackTable:
    """The pack of cards."""

    colours: Annotated[tuple[Colour, ...], Size(2, 2, unique=True), "1.2: in canonical order"]
    ranks: Annotated[tuple[Annotated[str, _SIGN], ...], Size(1, unique=True), "1.1"]
    values: Annotated[tuple[Annotated[int, Integer(0, 999)], ...], Size(1), "1.1: the value of each rank"]
    suits: Annotated[Mapping[Annotated[str, _SIGN], Colour], "1.1: the colour of each suit, in canonical order"]


class FieldEntry:
    """A field of one size."""

    size: Annotated[Edge, "1.4: cells along one edge"]
    cards_per_colour: Annotated[int, Integer(0, 999), "2.2"]


class RescueTable:
    """Where a rescued card goes: of the own colour or not, within the rescuer's value or above it (5)."""

    own_within: Place
    own_above: Place
    enemy_within: Place
    enemy_above: Place


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    return ruleset_table(
        MetaTable,
        RulesTable,
        OPTIONS.schema,
        pack=entry_of(PackTable, _REMARKS),
        fields=entries(entry_of(FieldEntry, _REMARKS)),
        rescue=entry_of(RescueTable, _REMARKS),
    )


def check(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    parts = ruleset_schema().fields
    sound = {name for name, part in parts.items() if name in raw and part.schema.accepts(raw[name])}
    if "pack" in sound:
        _check_pack(raw["pack"], faults)
    if {"fields", "pack", "rules"} <= sound:
        _check_fields(raw, faults)
    if "rescue" in sound:
        for name, wrong in {"own": "enemy_deck", "enemy": "own_deck"}.items():
            for test in ("within", "above"):
                if raw["rescue"][f"{name}_{test}"] == wrong:
                    message = f"a deck holds its own colour only; '{wrong}' cannot take these cards"
                    faults.add(("rescue", f"{name}_{test}"), message)
    if "rescue" in sound and "trench" in (raw["rescue"]["enemy_within"], raw["rescue"]["enemy_above"]):
        faults.add(("rescue",), "an enemy card cannot fight in the own trench")


def _check_pack(pack: Mapping[str, Any], faults: Faults) -> None:
    if len(pack["values"]) != len(pack["ranks"]):
        message = f"must have {len(pack['ranks'])} numbers, one for each rank, not {len(pack['values'])}"
        faults.add(("pack", "values"), message)
    suits = list(pack["suits"].values())
    if suits.count(COLOURS[0]) != suits.count(COLOURS[1]) or not suits:
        faults.add(("pack", "suits"), "there must be equally many suits of both colours")


def _check_fields(raw: Mapping[str, Any], faults: Faults) -> None:
    cards = len(raw["pack"]["ranks"]) * len(raw["pack"]["suits"]) // len(COLOURS)
    most = cards - raw["rules"]["trench_cards"]
    for name, field in raw["fields"].items():
        laid = field["cards_per_colour"]
        if len(COLOURS) * laid != field["size"] ** 2:
            cells = field["size"] ** 2
            faults.add(("fields", name, "cards_per_colour"), f"{laid} of each colour do not fill {cells} cells")
        elif laid > most:
            message = f"{laid} of each colour leave no card for the trench; there are {cards}"
            faults.add(("fields", name, "cards_per_colour"), message)
    sizes = [field["size"] for field in raw["fields"].values()]
    if raw["rules"]["field_size"] not in sizes:
        message = f"there is no field of this size; its fields: {word_list(str(size) for size in sorted(sizes))}"
        faults.add(("rules", "field_size"), message)
    if len(set(sizes)) < len(sizes):
        faults.add(("fields",), "two fields have the same size")


def doubts(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield lines of the field that no shell can hit."""
    rules = ruleset.raw["rules"]
    if rules["die_sides"] < rules["field_size"]:
        message = f"no shell falls beyond line {rules['die_sides']} of the {rules['field_size']} lines of the field"
        yield Doubt(("rules", "die_sides"), message)
