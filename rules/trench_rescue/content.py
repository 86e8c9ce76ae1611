"""What a ruleset and a table of Trench Rescue hold: the pack, what turns look up, tables, and valid files of both.

Inside the rules a card is its place in canonical order, so that sorting numbers sorts cards; texts are codes. A table
lies between half-turns or in the middle of one (1, 3, 15).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, islice, product, repeat
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.errors import ContentError, Fault, word_list
from rules.core.files import Faults
from rules.core.registry import Doubt, Meta, OptionTable, Remark, Ruleset, entries, entry_of, ruleset_table
from rules.core.schema import Default, Either, Fact, Integer, LeftOut, ListOf, MapOf, Named, Schema, Size, Text
from rules.core.schema import Table as Shape
from rules.core.scripts import UNKNOWN, Chance

PLAY: Final = "play"
WITHDRAW: Final = "withdraw"
OVER: Final = "over"
PHASES: Final = (PLAY, WITHDRAW, OVER)
COLOURS: Final = ("black", "red")
"""The two sides, as states name them (1.5, 15)."""
CELL: Final = Text(pattern=r"[1-9][0-9]?,[1-9][0-9]?", kind="a cell written as column and row, such as '2,3'")

Colour: TypeAlias = Annotated[str, Text(COLOURS)]


_NAMES: Final = {
    "T": "10",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
    "C": "clubs",
    "D": "diamonds",
    "H": "hearts",
    "S": "spades",
}
"""What ranks and suits are called beside their letters."""


class Pack:
    """All cards of a ruleset."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        pack = raw["pack"]
        self.colours: tuple[str, ...] = tuple(pack["colours"])
        """Both colours; a player is the place of its colour here."""
        values = dict(zip(pack["ranks"], pack["values"], strict=True))
        ordered = sorted(
            (self.colours.index(colour), values[rank], place, f"{rank}{suit}")
            for place, (suit, colour) in enumerate(pack["suits"].items())
            for rank in pack["ranks"]
        )
        self.codes: tuple[str, ...] = (*(code for *_, code in ordered), UNKNOWN)
        """Code of each card by number, the hidden card last."""
        self.colour: tuple[int, ...] = tuple(colour for colour, *_ in ordered)
        self.value: tuple[int, ...] = tuple(value for _, value, *_ in ordered)
        self.unknown = len(ordered)
        """The number that stands for a hidden card; the greatest of all."""
        self.numbers = {code: number for number, code in enumerate(self.codes)}
        both = product(pack["ranks"], pack["suits"], ("{}{}", "{} of {}"))
        self.forms = {
            form.format(first, last).casefold(): rank + suit
            for rank, suit, form in both
            for first, last in product({rank, _NAMES.get(rank, rank)}, {suit, _NAMES.get(suit, suit)})
        }
        """Codes by how people write them, such as ``10h`` and ``10 of hearts``."""
        self.of_colour: tuple[tuple[int, ...], ...] = tuple(
            tuple(card for card, own in enumerate(self.colour) if own == colour) for colour in range(len(self.colours))
        )

    def texts(self, cards: Iterable[int]) -> list[str]:
        """Return the codes of some cards."""
        return [self.codes[card] for card in cards]

    def read(self, codes: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of some codes, in their order."""
        return tuple(self.numbers[code] for code in codes)


def shapes(card: Text, known: Text) -> dict[str, Schema]:
    """Return the shapes that zones have in a file: tables by colour, piles also by cells such as ``2,3``."""
    colour = Text(COLOURS)
    piles = Either((ListOf(ListOf(card)), MapOf(ListOf(card), CELL)))
    decks, zones = (MapOf(ListOf(each), colour) for each in (card, known))
    return {"card": card, "known": known, "decks": decks, "piles": piles, "zones": zones}


_ANY: Final = shapes(Text(), Text())
"""What no ruleset names the cards of."""
Side: TypeAlias = Annotated[int, Text(COLOURS)]
Numbers: TypeAlias = Annotated[tuple[int, int], MapOf(Integer(), Text(COLOURS)), Default({"black": 0, "red": 0})]
Known: TypeAlias = Annotated[int, Named("known")]
Both: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
Zones: TypeAlias = Annotated[Both, Named("zones", _ANY["zones"]), Default({"black": [], "red": []})]


class Soldier(NamedTuple):
    """An able-bodied soldier on the field."""

    card: Annotated[Known, "the soldier"]
    carries: Annotated[Annotated[int, Named("card")] | None, Default(None), "the wounded card that it carries"]
    cell: Annotated[int, Either((Integer(), CELL)), "where it stands: a number from 0, or column and row"]


class Counters(NamedTuple):
    """The number of the next event of each source, 0 for a hidden one; that of a shell is its place in a tape."""

    deck: Annotated[Numbers, "of each deck"]
    shells: Annotated[int, Integer(), Default(0), "of the shells"]


class Table(NamedTuple):
    """One position; equal tables are equal positions. Here cards are numbers of the pack, players and colours 0 and 1.

    Zones are sorted, but decks that nothing has touched, decks that are queues, and piles. Soldiers are sorted by card;
    where arrival counts, those of one cell lie in the order they entered it.
    """

    carried_home: Annotated[Numbers, "cards carried home, where the score counts them"]
    counters: Annotated[
        Counters,
        Default({"deck": {"black": 0, "red": 0}, "shells": 0}),
        "the number of the next event of each source",
    ]
    dead: Annotated[tuple[Annotated[int, Named("card")], ...], Default(()), "cards out of the game"]
    deck: Annotated[
        Both,
        Named("decks", _ANY["decks"]),
        LeftOut("empty, or as dealt where cards are hidden"),
        "decks; top first where decks are queues",
    ]
    fresh: Annotated[
        tuple[Annotated[tuple[int, int], ListOf(Integer(), 2, 2)], ...],
        Default(()),
        "cell and place of cards that must wait",
    ]
    infirmary: Annotated[Zones, "cards in the infirmaries"]
    moved: Annotated[tuple[Known, ...], Default(()), "soldiers of the player to move that have moved"]
    near: Annotated[Side, LeftOut("as near_side says"), "whose trench lies along row 1"]
    phase: Annotated[str, Text(PHASES), Default(PLAY), "the part of the game"]
    piles: Annotated[
        tuple[tuple[int, ...], ...],
        Named("piles", _ANY["piles"]),
        LeftOut("empty, or a hidden card each"),
        "wounded of each cell, bottom to top",
    ]
    players: Annotated[int, Integer(1, len(COLOURS)), LeftOut("2"), "how many play"]
    size: Annotated[int, Integer(1, 99), LeftOut("the ruleset's field_size"), "cells along one edge"]
    soldiers: Annotated[tuple[Soldier, ...], Default(()), "able-bodied soldiers on the field"]
    starter: Annotated[Side, LeftOut("to_move for one, else who has the higher soldier"), "who begins a turn"]
    to_move: Annotated[Side, LeftOut("the starter"), "whose half-turn it is"]
    trench: Annotated[Zones, "soldiers in the trenches"]
    turn: Annotated[int, Integer(1), Default(1), "the turn"]
    view: Annotated[
        Side | None, LeftOut("nothing with open cards, else to_move"), "whose eyes the state is seen through"
    ]

    @property
    def lying(self) -> list[int]:
        """The wounded on the field, carried or not."""
        carried = [soldier.carries for soldier in self.soldiers if soldier.carries is not None]
        return [*chain.from_iterable(self.piles), *carried]


_ZONES: Final = ("deck", "infirmary", "trench")
_CARDS: Final = ("dead", "moved")
_SIDES: Final = ("near", "starter", "to_move", "view")


def encode(pack: Pack, table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object (15)."""
    colours, codes = pack.colours, pack.codes
    state = table._asdict()
    state["carried_home"] = _pair(colours, table.carried_home)
    state["counters"] = {"deck": _pair(colours, table.counters.deck), "shells": table.counters.shells}
    state["fresh"] = [list(place) for place in table.fresh]
    state["piles"] = [pack.texts(pile) for pile in table.piles]
    state["soldiers"] = [
        {"card": codes[card], "carries": None if carries is None else codes[carries], "cell": cell}
        for card, carries, cell in table.soldiers
    ]
    state |= {name: _pair(colours, [pack.texts(zone) for zone in state[name]]) for name in _ZONES}
    state |= {name: pack.texts(state[name]) for name in _CARDS}
    state |= {name: None if state[name] is None else colours[state[name]] for name in _SIDES}
    return dict(sorted(state.items()))


def _pair(colours: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(colours, values, strict=True))


def decode(pack: Pack, state: Mapping[str, Any], *, arrival: bool) -> Table:
    """Return the table of a complete ``state`` object; sorted lists may come in any order, empty ones be left out.

    With ``arrival`` soldiers of one cell keep their order. Decks do too: published vectors print a deck that nothing
    has touched as it was given, and a deck that is a queue is told by its order.
    """
    colours, read, numbers = pack.colours, pack.read, pack.numbers
    soldiers = [
        Soldier(numbers[s["card"]], None if s["carries"] is None else numbers[s["carries"]], s["cell"])
        for s in state["soldiers"]
    ]
    draws, shells = state["counters"]["deck"], state["counters"]["shells"]
    told = dict(state)
    told |= {name: tuple(read(state[name].get(colour, ())) for colour in colours) for name in _ZONES}
    told |= {name: tuple(tuple(sorted(zone)) for zone in told[name]) for name in ("infirmary", "trench")}
    told |= {name: tuple(sorted(read(state[name]))) for name in _CARDS}
    told |= {name: None if state[name] is None else colours.index(state[name]) for name in _SIDES}
    told["carried_home"] = tuple(state["carried_home"].get(colour, 0) for colour in colours)
    told["counters"] = Counters((draws.get(colours[0], 0), draws.get(colours[1], 0)), shells)
    told["fresh"] = tuple(sorted((cell, place) for cell, place in state["fresh"]))
    told["piles"] = tuple(read(pile) for pile in state["piles"])
    told["soldiers"] = by_arrival(soldiers) if arrival else tuple(sorted(soldiers))
    return Table(**told)


def by_arrival(soldiers: Sequence[Soldier]) -> tuple[Soldier, ...]:
    """Return soldiers sorted by card, those of one cell in the order given, in the places they have together (TR-Q5).

    Only the order inside a cell is part of the position; a list sorted by card says that it is canonical everywhere.
    """
    waiting: dict[int, list[Soldier]] = {}
    for soldier in reversed(soldiers):
        waiting.setdefault(soldier.cell, []).append(soldier)
    return tuple(waiting[soldier.cell].pop() for soldier in sorted(soldiers))


# What turns look up

DRAW_EVENTS, SHELL_EVENTS, DECK_EVENTS, FIELD_EVENTS, STARTER_EVENTS, SIDE_EVENTS = range(1, 7)
"""Kinds of chance events, as streams number them (15)."""
NO_SHELLS: Final = "none"
"""The list of shells that says that none ever falls (15)."""


class Rulings:
    """What turns ask: numbers, answers to open questions, and results of open chance."""

    def __init__(
        self, raw: Mapping[str, Any], pack: Pack, options: Mapping[str, Any], players: int, chance: Chance
    ) -> None:
        self.pack, self.players, self.chance, self.options = pack, players, chance, options
        rules = raw["rules"]
        self.field_size: int = rules["field_size"]
        self.trench_cards: int = rules["trench_cards"]
        self.die_sides: int = rules["die_sides"]
        self.solitaire_colour = pack.colours.index(rules["solitaire_colour"])
        self.laid: dict[int, int] = {field["size"]: field["cards_per_colour"] for field in raw["fields"].values()}
        """Cards of each colour on the field, by its size (2.2)."""
        owners, values = {True: "own", False: "enemy"}, {True: "within", False: "above"}
        self.rescue = {(own, fits): raw["rescue"][f"{owners[own]}_{values[fits]}"] for own in owners for fits in values}
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
        a, b = self.tape[event % len(self.tape)] if self.tape else self._rolls(size, event)
        column, row = self.line(a, size), self.line(b, size)
        if column is None or row is None:
            raise ContentError([Fault(f"[{a}, {b}] holds a roll that is thrown again", "chance.lists.shells")])
        return a, b, (row - 1) * size + column - 1

    def next_shell(self, event: int, shells: int = 1) -> int:
        """Return the number of the shell that comes so many after ``event``; a tape begins again (15)."""
        return (event + shells) % len(self.tape) if self.tape else event + shells

    def _rolls(self, size: int, event: int) -> Iterator[int]:
        """Return the first two rolls of a shell that are not thrown again."""
        generator = self.chance.stream(SHELL_EVENTS, 0, event)
        thrown = (generator.below(self.die_sides) + 1 for _ in repeat(None))
        return islice((roll for roll in thrown if self.line(roll, size) is not None), 2)


@lru_cache(maxsize=64)
def pack_of(ruleset: Ruleset) -> Pack:
    """Return the cards of a ruleset."""
    return Pack(ruleset.raw)


# What a valid ruleset looks like

OPTIONS: Final = OptionTable(Path(__file__).resolve().parent)
_REMARKS: Final = ("provenance", "summary", "note")
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
    suits: Annotated[
        Mapping[Annotated[str, _SIGN], Colour],
        *("1.1: the colour of each suit, in canonical order", Fact(lambda suits: list(suits.items()))),
    ]


NAMELESS: Final = Fact(lambda fields: sorted((field["size"], field["cards_per_colour"]) for field in fields.values()))
"""The names of fields make no difference."""


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
def ruleset_schema() -> Shape:
    """Return the shape of a resolved ruleset."""
    return ruleset_table(
        MetaTable,
        RulesTable,
        OPTIONS.schema,
        pack=entry_of(PackTable, _REMARKS),
        fields=entries(entry_of(FieldEntry, _REMARKS), NAMELESS),
        rescue=entry_of(RescueTable, _REMARKS),
    )


def check(ruleset: Ruleset, faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    raw, parts = ruleset.raw, ruleset_schema().fields
    sound = {name for name, part in parts.items() if name in raw and part.schema.accepts(raw[name])}
    if "pack" in sound:
        ranks, values, suits = len(raw["pack"]["ranks"]), len(raw["pack"]["values"]), [*raw["pack"]["suits"].values()]
        if values != ranks:
            faults.add(("pack", "values"), f"must have {ranks} numbers, one for each rank, not {values}")
        if suits.count(COLOURS[0]) != suits.count(COLOURS[1]) or not suits:
            faults.add(("pack", "suits"), "there must be equally many suits of both colours")
    if {"fields", "pack", "rules"} <= sound:
        cards = len(raw["pack"]["ranks"]) * len(raw["pack"]["suits"]) // len(COLOURS)
        sizes: dict[int, str] = {}
        for name, field in raw["fields"].items():
            laid, cells, path = field["cards_per_colour"], field["size"] ** 2, ("fields", name, "cards_per_colour")
            if len(COLOURS) * laid != cells:
                faults.add(path, f"{laid} of each colour do not fill {cells} cells")
            elif laid > cards - raw["rules"]["trench_cards"]:
                faults.add(path, f"{laid} of each colour leave no card for the trench; there are {cards}")
            if (other := sizes.setdefault(field["size"], name)) != name:
                faults.add(("fields", name, "size"), f"the field '{other}' has the same size")
        if raw["rules"]["field_size"] not in sizes:
            message = f"there is no field of this size; its fields: {word_list(map(str, sorted(sizes)))}"
            faults.add(("rules", "field_size"), message)
    for key, place in raw["rescue"].items() if "rescue" in sound else ():
        if place == ("enemy_deck" if key.startswith("own") else "own_deck"):
            faults.add(("rescue", key), f"a deck holds its own colour only; '{place}' cannot take these cards")
    if "rescue" in sound and "trench" in (raw["rescue"]["enemy_within"], raw["rescue"]["enemy_above"]):
        faults.add(("rescue",), "an enemy card cannot fight in the own trench")


def doubts(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield lines of the field that no shell can hit."""
    rules = ruleset.raw["rules"]
    if rules["die_sides"] < rules["field_size"]:
        message = f"no shell falls beyond line {rules['die_sides']} of the {rules['field_size']} lines of the field"
        yield Doubt(("rules", "die_sides"), message)
