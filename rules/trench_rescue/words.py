"""What the game says: sentences for what the rules did, the battlefield as a grid, and why a move is not open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from rules.core.errors import counted, joined
from rules.core.race import Grid, Picture
from rules.core.scripts import UNKNOWN, known
from rules.core.turns import Notation, OpenQuestion, Reason, Reasons
from rules.trench_rescue.actions import END, HOME, ActiveHalf
from rules.trench_rescue.content import OVER, PLAY, WITHDRAW, Rulings, Table
from rules.trench_rescue.turn import cell_text, find_cell, gain, score

Data = Mapping[str, Any]
NEAR: Final = "▲"
"""Sign of a soldier whose trench is before row 1,"""
FAR: Final = "▼"
"""and of one from behind the last row."""


def card_list(cards: Sequence[str]) -> str:
    """Return ``7S, 9C and QD``; hidden cards are counted."""
    hidden = cards.count(UNKNOWN)
    return joined([*known(cards), *([counted(hidden, "unknown card")] if hidden else [])])


def wounded(card: str) -> str:
    """Return what a wounded card is called."""
    return "an unknown wounded card" if card == UNKNOWN else f"the wounded {card}"


def _verb(data: Data, verb: str) -> str:
    """Return who does something, with the verb in its number."""
    first, *rest = verb.split(" ", 1)
    third = {"go": "goes", "are": "is"}.get(first, f"{first}s")
    return " ".join([card_list(data["cards"]), first if len(data["cards"]) > 1 else third, *rest])


def _barrage(data: Data) -> str:
    n, k = data["soldiers"], data["shells"]
    return f"the barrage: {counted(n, 'soldier')} on the field, {counted(k, 'shell') if k else 'no shells'}"


def _above(data: Data) -> str:
    return f"the rescued {data['card']} outranks a rescuer of value {data['value']} and"


SENTENCES: Final[Mapping[str, Callable[[Data], str]]] = {
    "cycles": lambda data: f"{data['card']} goes back to the deck",
    "draws": lambda data: f"{data['colour']} draws {data['card']} into the trench",
    "reinforced": lambda data: f"{data['colour']} has no soldier left and draws {data['card']}, who may act at once",
    "enters": lambda data: f"{_verb(data, 'enter')} the field at {data['cell']}",
    "peeks": lambda data: (
        f"{data['card']} looks at a wounded card" + (f": it is {data['seen']}" if data["seen"] else "")
    ),
    "goes": lambda data: f"{_verb(data, 'go from')} {data['start']} to {data['cell']}",
    "holds": lambda data: f"{_verb(data, 'wait at')} {data['cell']} with the card",
    "picks_up": lambda data: f"{_verb(data, 'pick up')} {wounded(data['wounded'])}",
    "drops": lambda data: f"{data['card']} puts {wounded(data['wounded'])} down at {data['cell']}",
    "comes_home": lambda data: f"{_verb(data, 'come')} home",
    "to_trench": lambda data: f"the rescued {data['card']} joins the trench",
    "to_infirmary": lambda data: f"the rescued {data['card']} lies in the infirmary",
    "to_own_deck": lambda data: f"{_above(data)} goes back to its own deck",
    "to_enemy_deck": lambda data: f"{_above(data)} goes to {data['colour']}'s deck",
    "ends": lambda data: f"{data['colour']} ends the half-turn",
    "barrage": _barrage,
    "quiet": _barrage,
    "shell": lambda data: (
        f"a shell falls on {data['cell']}" + (" (rolls {} and {})".format(*data["rolls"]) if data["rolls"] else "")
    ),
    "misses": lambda _: "nobody stands where it falls",
    "hit": lambda data: f"{_verb(data, 'are hit and now wounded at')} {data['cell']}",
    "killed": lambda data: f"{_verb(data, 'are killed')} at {data['cell']} on the way home",
    "turn": lambda data: f"turn {data['turn']} begins",
    "wounded_die": lambda data: f"the wounded on the field die: {card_list(data['cards'])}",
    "withdrawal": lambda _: "the withdrawal begins: everybody on the field goes home",
    "over": lambda _: "the game is over",
}


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table as pairs of label and text; what is empty is left out."""
    pack = rulings.pack
    scoring = [colour for colour in range(len(pack.colours)) if table.players > 1 or colour == table.starter]
    scores = [(pack.colours[each], score(rulings, table, each), gain(rulings, table, each)) for each in scoring]
    rows = [
        ("turn", _clock(rulings, table)),
        ("field", _field(rulings, table)),
        ("piles", "; ".join(_piles(rulings, table))),
        ("moved", _cards(pack.texts(table.moved))),
        ("fresh", ", ".join(cell_text(cell, table.size) for cell, _ in table.fresh)),
        ("trench", _both(rulings, table, table.trench)),
        ("infirmary", _both(rulings, table, table.infirmary)),
        *(
            (f"{name} deck", _deck(pack.texts(table.deck[colour]), rulings.queue))
            for colour, name in enumerate(pack.colours)
        ),
        ("score", ", ".join(f"{name} {cards} ({gained:+d})" for name, cards, gained in scores)),
        ("dead", _cards(pack.texts(table.dead))),
        ("seen by", "" if table.view is None else pack.colours[table.view]),
    ]
    return [(label, text) for label, text in rows if text]


def _field(rulings: Rulings, table: Table) -> Picture:
    """Return the battlefield, the far trench on top.

    A cell shows its soldiers, ``+`` and what one carries, and in brackets the top card of its pile with the number of
    those below. A sign before a soldier tells the way from home.
    """
    size, names = table.size, rulings.pack.colours
    near, far = f"{NEAR} {names[table.near]} trench", f"{FAR} {names[1 - table.near]} trench"
    cells = [_cell(rulings, table, cell) for cell in range(size**2)]
    rows = tuple(tuple(cells[row * size : (row + 1) * size]) for row in range(size))
    said = "; ".join(f"{drawn} at {cell_text(cell, size)}" for cell, drawn in enumerate(cells) if drawn)
    return Picture(said or "nobody", Grid(rows, far, near))


def _cell(rulings: Rulings, table: Table, cell: int) -> str:
    codes, colours = rulings.pack.codes, rulings.pack.colour
    drawn = []
    for soldier in (one for one in table.soldiers if one.cell == cell):
        load = "" if soldier.carries is None else f"+{codes[soldier.carries]}"
        drawn.append(f"{NEAR if colours[soldier.card] == table.near else FAR}{codes[soldier.card]}{load}")
    if pile := table.piles[cell]:
        drawn.append(f"[{codes[pile[-1]]}{f'+{len(pile) - 1}' if len(pile) > 1 else ''}]")
    return " ".join(drawn)


def _both(rulings: Rulings, table: Table, zone: tuple[tuple[int, ...], tuple[int, ...]]) -> str:
    """Return a zone of both colours, an empty one left out; of a player alone the own cards need no name."""
    pack = rulings.pack
    if table.players == 1 and not zone[1 - table.starter]:
        return _cards(pack.texts(zone[table.starter]))
    return "; ".join(
        f"{pack.colours[colour]} {_cards(pack.texts(cards))}" for colour, cards in enumerate(zone) if cards
    )


def _clock(rulings: Rulings, table: Table) -> str:
    limit = ", withdrawal" if table.phase == WITHDRAW else f" of {rulings.turn_limit}"
    rest = ", the game is over" if table.phase == OVER else f"{limit}, {rulings.pack.colours[table.to_move]} to move"
    return f"{table.turn}{rest}"


def _piles(rulings: Rulings, table: Table) -> list[str]:
    """Return the piles of which something is known, bottom to top."""
    return [
        f"{cell_text(cell, table.size)}: {' '.join(rulings.pack.texts(pile))}"
        for cell, pile in enumerate(table.piles)
        if any(card != rulings.pack.unknown for card in pile)
    ]


def _cards(codes: Sequence[str]) -> str:
    hidden = codes.count(UNKNOWN)
    return ", ".join([*known(codes), *([f"{hidden} unknown"] if hidden else [])])


def _deck(codes: Sequence[str], queue: bool) -> str:
    order = "top first" if queue else "in unknown order"
    told = "all unknown" if set(codes) == {UNKNOWN} else f"{order}: {_cards(codes)}"
    return f"{counted(len(codes), 'card')}, {told}" if codes else ""


# Why a move is not open: the rule that forbids it, the reason, and what is open instead


class Order(OpenQuestion[ActiveHalf]):
    """What is asked in a half-turn, and the table as it is then."""

    notation: ClassVar = {
        "cycle": Notation("4.4", 1, 1),
        "enter": Notation("4.4", 2, 2),
        "peek": Notation("4.4", 1, 1),
        "go": Notation("4.4", 2, 5),
        "drop": Notation("4.4", 1, 1),
        END.text: Notation("4.4"),
        **dict.fromkeys(("cards", "deck", "shells"), Notation("9", 1, 1, chance=True)),
    }
    by_chance, unnamed = "9", "15"
    cards: Sequence[int] = ()
    """The soldiers that a move names."""

    def first(self, head: str, words: Sequence[str]) -> Reasons:
        """Yield what is wrong with the soldiers that a move names."""
        half, numbers = self.turn, self.turn.pack.numbers
        if self.notation[head].chance or not words:
            return
        self.cards = [numbers.get(code, half.unknown) for code in words[0].split("+")]
        for code, card in zip(words[0].split("+"), self.cards, strict=True):
            if card == half.unknown:
                yield Reason("1.1", f"there is no card '{code}'; cards are written like 7C or TH")
            if half.pack.colour[card] != half.to_move:
                yield Reason("4.0.1", f"{code} is no soldier of {half.pack.colours[half.to_move]}, who is to move")
        ordered = sorted(set(self.cards))
        if ordered != self.cards:
            yield Reason("1.2", f"a group is named once each in canonical order: {'+'.join(half.codes(ordered))}")

    def _no_end(self, _: Sequence[str]) -> Reasons:
        rule = self.turn.end_forbidden(busy=True)
        yield Reason(rule or "4.0.4", f"there are soldiers who still have to move: {self.open_now()}")

    def _withdrawal(self) -> Reasons:
        if self.turn.phase != PLAY:
            yield Reason("7.3", "in the withdrawal soldiers only go home")

    def _at_home(self, cards: Sequence[int]) -> Reasons:
        for card in cards:
            if card not in self.turn.trench[self.turn.to_move]:
                yield Reason("4.1", f"{self.turn.pack.codes[card]} is not in the trench")

    def _on_field(self, card: int) -> Reasons:
        if card not in {soldier.card for soldier in self.turn.soldiers}:
            yield Reason("4.1", f"{self.turn.pack.codes[card]} is not on the field")

    def _moved(self, card: int) -> Reasons:
        if card in self.turn.moved:
            yield Reason("4.0.2", f"{self.turn.pack.codes[card]} has moved in this half-turn, or has only just arrived")

    def _no_cycle(self, words: Sequence[str]) -> Reasons:
        yield from self._withdrawal()
        yield from self._at_home(self.cards)
        yield from self._moved(self.cards[0])

    def _no_enter(self, words: Sequence[str]) -> Reasons:
        if self.turn.phase != PLAY and not self.turn.rulings.options["withdrawal_trench"]:
            yield Reason("TR-Q24", "soldiers at home stay there during the withdrawal")
        yield from self._at_home(self.cards)
        for card in self.cards:
            yield from self._moved(card)
        if len(self.cards) > 1 and not self.turn.rulings.options["stack_from_trench"]:
            yield Reason("TR-Q10", "soldiers leave the trench one by one")
        column = words[1].removeprefix("x")
        if find_cell(f"{column},1" if words[1].startswith("x") else words[1], self.turn.size) is None:
            yield Reason("4.1", f"'{words[1]}' is no cell to enter; front cells are x1 to x{self.turn.size}")
        far = f"{len(self.cards)} soldiers come no further than {len(self.cards)} rows in"
        yield Reason("4.2", f"{far}, and front cells are x1, x2, …")

    def _no_peek(self, words: Sequence[str]) -> Reasons:
        yield from self._withdrawal()
        yield from self._on_field(self.cards[0])
        yield from self._moved(self.cards[0])
        if self.turn.sees(self.turn.soldier_of(self.cards[0])) is None:
            yield Reason("4.1", f"{words[0]} carries nothing to look at, and no wounded lie in its cell")

    def _no_drop(self, words: Sequence[str]) -> Reasons:
        if not self.turn.cards_move():
            yield from self._withdrawal()
        yield from self._on_field(self.cards[0])
        if self.turn.soldier_of(self.cards[0]).carries is None:
            yield Reason("4.1", f"{words[0]} carries nothing")
        yield Reason("TR-Q9", f"{words[0]} has moved, and only who has not may put a card down")

    def _no_go(self, words: Sequence[str]) -> Reasons:
        half = self.turn
        for card in self.cards:
            yield from self._on_field(card)
            yield from self._moved(card)
        group = [half.soldier_of(card) for card in self.cards]
        cell = group[0].cell
        if len({soldier.cell for soldier in group}) > 1:
            yield Reason("4.2", "a stack goes from one cell; these soldiers stand apart")
        waiting = [s.card for s in half.own_soldiers(half.to_move) if s.cell == cell and s.card not in half.moved]
        if not half.rulings.options["stack_split"] and len(waiting) > len(group):
            yield Reason("TR-Q11", f"all of a cell go together: {'+'.join(half.codes(sorted(waiting)))}")
        carriers = [soldier.card for soldier in group if soldier.carries is not None]
        if len(carriers) > 1:
            yield Reason("4.2", "only one of a stack may carry a card")
        if "take" in words[2:]:
            yield from self._take(cell, carriers)
        yield from self._where(cell, words[1], len(group))
        if "by" in words or (half.rulings.carrier_chosen and len(group) > 1):
            yield Reason("TR-Q13", f"who carries is not for this move to name so: {self.open_now()}")

    def _take(self, cell: int, carriers: Sequence[int]) -> Reasons:
        if carriers:
            yield Reason("4.2", f"{self.turn.pack.codes[carriers[0]]} carries a card already")
        if not self.turn.cards_move():
            yield Reason("7.3", "in the withdrawal nothing is carried")
        if not self.turn.piles[cell]:
            yield Reason("4.2", f"no wounded lie in {self.turn.cell_text(cell)}")
        if (cell, len(self.turn.piles[cell]) - 1) in self.turn.fresh:
            waits = "was carried there in this half-turn and has to wait"
            yield Reason("4.3", f"the top card of {self.turn.cell_text(cell)} {waits}")

    def _where(self, cell: int, where: str, k: int) -> Reasons:
        rows = self.turn.home_distance(self.turn.to_move, cell)
        reach = f"{k} soldiers together go {k} space{'' if k == 1 else 's'} at most"
        if where == HOME:
            if rows > k:
                yield Reason("4.2", f"home is {rows} spaces away, and {reach}")
            return
        if (other := find_cell(where, self.turn.size)) is None:
            cells = f"cells are 1,1 to {self.turn.size},{self.turn.size}, or home"
            yield Reason("4.2", f"'{where}' is no cell of the field; {cells}")
            return
        if other == cell:
            yield Reason("TR-Q12", "a card is not picked up without moving, and nobody moves without going anywhere")
        away = self.turn.distance(cell, other)
        if away > k:
            yield Reason("4.2", f"{where} is {away} spaces away, and {reach}")
        if self.turn.phase != PLAY and self.turn.home_distance(self.turn.to_move, other) >= rows:
            yield Reason("7.3", "in the withdrawal every step must lead nearer to the own trench")
