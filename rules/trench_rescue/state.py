"""The pack, the table of a game between half-turns or in the middle of one, and its canonical form (1, 3, 15).

Inside the rules a card is its place in canonical order, so that sorting numbers sorts cards; texts are codes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.chance import UNKNOWN
from rules.core.declared import Default, LeftOut, Named, Size
from rules.core.schema import Either, Integer, Text

PLAY: Final = "play"
WITHDRAW: Final = "withdraw"
OVER: Final = "over"
PHASES: Final = (PLAY, WITHDRAW, OVER)
COLOURS: Final = ("black", "red")
"""The two sides, as states name them (1.5, 15)."""
CELL: Final = Text(pattern=r"[1-9][0-9]?,[1-9][0-9]?", kind="a cell written as column and row, such as '2,3'")

Colour: TypeAlias = Annotated[str, Text(COLOURS)]
CardId: TypeAlias = Annotated[str, Named("card")]
"""A card, or ``?``."""
KnownId: TypeAlias = Annotated[str, Named("known")]
Number: TypeAlias = Annotated[int, Integer()]
Count: TypeAlias = Annotated[int, Integer(), Default(0)]
Cards: TypeAlias = Annotated[tuple[CardId, ...], LeftOut("none, or as dealt where cards are hidden")]
Piles: TypeAlias = tuple[tuple[CardId, ...], ...] | Mapping[Annotated[str, CELL], tuple[CardId, ...]]
"""A list for each cell, or a table from cells such as ``2,3`` to lists."""
Known: TypeAlias = Annotated[tuple[KnownId, ...], Default(())]


class Pack:
    """All cards of a ruleset."""

    __slots__ = ("codes", "colour", "colours", "numbers", "of_colour", "unknown", "value")

    def __init__(self, raw: Mapping[str, Any]) -> None:
        pack = raw["pack"]
        self.colours: tuple[str, ...] = tuple(pack["colours"])
        """Both colours; a player is the place of its colour here."""
        values = dict(zip(pack["ranks"], pack["values"], strict=True))
        suits = list(pack["suits"].items())
        keys = [
            (self.colours.index(colour), values[rank], place, f"{rank}{suit}")
            for place, (suit, colour) in enumerate(suits)
            for rank in pack["ranks"]
        ]
        ordered = sorted(keys)
        self.codes: tuple[str, ...] = (*(code for *_, code in ordered), UNKNOWN)
        """Code of each card by number, the hidden card last."""
        self.colour: tuple[int, ...] = tuple(colour for colour, *_ in ordered)
        self.value: tuple[int, ...] = tuple(value for _, value, *_ in ordered)
        self.unknown = len(ordered)
        """The number that stands for a hidden card; the greatest of all."""
        self.numbers = {code: number for number, code in enumerate(self.codes)}
        self.of_colour: tuple[tuple[int, ...], ...] = tuple(
            tuple(card for card, own in enumerate(self.colour) if own == colour) for colour in range(len(self.colours))
        )

    def texts(self, cards: Iterable[int]) -> list[str]:
        """Return the codes of some cards."""
        return [self.codes[card] for card in cards]

    def read(self, codes: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of some codes, in their order."""
        return tuple(self.numbers[code] for code in codes)


class CardsFile(NamedTuple):
    """Cards of each colour, some of which nobody may know."""

    black: Annotated[Cards, "of black"]
    red: Annotated[Cards, "of red"]


class KnownFile(NamedTuple):
    """Known cards of each colour."""

    black: Annotated[Known, "of black"]
    red: Annotated[Known, "of red"]


class NumbersFile(NamedTuple):
    """A number of each colour."""

    black: Annotated[Count, "of black"]
    red: Annotated[Count, "of red"]


Zones: TypeAlias = Annotated[KnownFile, Default({"black": [], "red": []})]
Numbers: TypeAlias = Annotated[NumbersFile, Default({"black": 0, "red": 0})]


class SoldierFile(NamedTuple):
    """A soldier as a file has it."""

    card: Annotated[KnownId, "the soldier"]
    carries: Annotated[CardId | None, Default(None), "the wounded card that it carries"]
    cell: Annotated[int | str, Either((Integer(), CELL)), "where it stands: a number from 0, or column and row"]


class CountersFile(NamedTuple):
    """The number of the next event of each source."""

    deck: Annotated[Numbers, "of each deck"]
    shells: Annotated[Count, "of the shells"]


_FIRST: Final = {"deck": {"black": 0, "red": 0}, "shells": 0}


class StateFile(NamedTuple):
    """The ``state`` object of a file (15)."""

    carried_home: Annotated[
        NumbersFile, Default({"black": 0, "red": 0}), "cards carried home, where the score counts them"
    ]
    counters: Annotated[CountersFile, Default(_FIRST), "the number of the next event of each source"]
    dead: Annotated[tuple[CardId, ...], Default(()), "cards out of the game"]
    deck: Annotated[
        CardsFile, LeftOut("empty, or as dealt where cards are hidden"), "decks; top first where decks are queues"
    ]
    fresh: Annotated[
        tuple[Annotated[tuple[Number, ...], Size(2, 2)], ...], Default(()), "cell and place of cards that must wait"
    ]
    infirmary: Annotated[Zones, "cards in the infirmaries"]
    moved: Annotated[Known, "soldiers of the player to move that have moved"]
    near: Annotated[Colour, LeftOut("as near_side says"), "whose trench lies along row 1"]
    phase: Annotated[str, Text(PHASES), Default(PLAY), "the part of the game"]
    piles: Annotated[Piles, LeftOut("empty, or a hidden card each"), "wounded of each cell, bottom to top"]
    players: Annotated[int, Integer(1, len(COLOURS)), LeftOut("2"), "how many play"]
    size: Annotated[int, Integer(1, 99), LeftOut("the ruleset's field_size"), "cells along one edge"]
    soldiers: Annotated[tuple[SoldierFile, ...], Default(()), "able-bodied soldiers on the field"]
    starter: Annotated[Colour, LeftOut("to_move for one, else who has the higher soldier"), "who begins a turn"]
    to_move: Annotated[Colour, LeftOut("the starter"), "whose half-turn it is"]
    trench: Annotated[Zones, "soldiers in the trenches"]
    turn: Annotated[int, Integer(1), Default(1), "the turn"]
    view: Annotated[
        Colour | None, LeftOut("nothing with open cards, else to_move"), "whose eyes the state is seen through"
    ]


class Soldier(NamedTuple):
    """An able-bodied soldier on the field."""

    card: int
    carries: int | None
    cell: int


class Table(NamedTuple):
    """One position; equal tables are equal positions. Cards are numbers of the pack, players and colours 0 and 1."""

    carried_home: tuple[int, int]
    """Cards carried home by each player, where the score counts them, else 0."""
    dead: tuple[int, ...]
    """Sorted."""
    deck: tuple[tuple[int, ...], tuple[int, ...]]
    """Sorted as soon as cards have joined or left it; top first where decks are queues."""
    draws: tuple[int, int]
    """Number of the next draw of each deck, 0 for a hidden source."""
    fresh: tuple[tuple[int, int], ...]
    """Cell and place in its pile, ascending."""
    infirmary: tuple[tuple[int, ...], tuple[int, ...]]
    """Sorted."""
    moved: tuple[int, ...]
    """Sorted; soldiers of ``to_move``."""
    near: int
    phase: str
    piles: tuple[tuple[int, ...], ...]
    """By cell, bottom to top."""
    players: int
    shells: int
    """Number of the next shell, 0 for a hidden source; its place in a tape."""
    size: int
    soldiers: tuple[Soldier, ...]
    """Sorted by card; where arrival counts, those of one cell in the order they entered it."""
    starter: int
    to_move: int
    trench: tuple[tuple[int, ...], tuple[int, ...]]
    """Sorted."""
    turn: int
    view: int | None
    """The player through whose eyes the table is seen, or nothing with open cards."""


_ZONES: Final = ("deck", "infirmary", "trench")
_CARDS: Final = ("dead", "moved")
_SIDES: Final = ("near", "starter", "to_move", "view")


def encode(pack: Pack, table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object (15)."""
    colours, codes = pack.colours, pack.codes
    state = table._asdict()
    state["carried_home"] = _pair(colours, table.carried_home)
    state["counters"] = {"deck": _pair(colours, state.pop("draws")), "shells": state.pop("shells")}
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
    """Return the table of a complete ``state`` object; sorted lists may come in any order.

    With ``arrival`` soldiers of one cell keep their order. Decks do too: published vectors print a deck that nothing
    has touched as it was given, and a deck that is a queue is told by its order.
    """
    colours, read, numbers = pack.colours, pack.read, pack.numbers
    soldiers = [
        Soldier(numbers[s["card"]], None if s["carries"] is None else numbers[s["carries"]], s["cell"])
        for s in state["soldiers"]
    ]
    counters = state["counters"]
    told = {name: value for name, value in state.items() if name != "counters"}
    told |= {name: tuple(read(state[name][colour]) for colour in colours) for name in _ZONES}
    told |= {name: tuple(tuple(sorted(zone)) for zone in told[name]) for name in ("infirmary", "trench")}
    told |= {name: tuple(sorted(read(state[name]))) for name in _CARDS}
    told |= {name: None if state[name] is None else colours.index(state[name]) for name in _SIDES}
    told["carried_home"] = tuple(state["carried_home"][colour] for colour in colours)
    told["draws"] = tuple(counters["deck"][colour] for colour in colours)
    told["fresh"] = tuple(sorted((cell, place) for cell, place in state["fresh"]))
    told["piles"] = tuple(read(pile) for pile in state["piles"])
    told["shells"] = counters["shells"]
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
