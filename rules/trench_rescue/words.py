"""What a player reads: a sentence for what the rules did, the battlefield as a grid, labelled lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rules.core.chance import UNKNOWN
from rules.core.errors import counted, joined
from rules.core.race import Grid, Picture
from rules.core.steps import Event
from rules.trench_rescue.barrage import gain, score
from rules.trench_rescue.half_turn import cell_text
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER, WITHDRAW, Table

Data = Mapping[str, Any]
NEAR: Final = "▲"
"""Sign of a soldier whose trench is before row 1,"""
FAR: Final = "▼"
"""and of one from behind the last row."""


def card_list(cards: Sequence[str]) -> str:
    """Return ``7S, 9C and QD``; hidden cards are counted."""
    names = [card for card in cards if card != UNKNOWN]
    hidden = len(cards) - len(names)
    if hidden:
        names.append(counted(hidden, "unknown card"))
    return joined(names)


def wounded(card: str) -> str:
    """Return what a wounded card is called."""
    return "an unknown wounded card" if card == UNKNOWN else f"the wounded {card}"


def _verb(data: Data, verb: str) -> str:
    """Return who does something, with the verb in its number."""
    several = len(data["cards"]) > 1
    return f"{card_list(data['cards'])} {verb if several else _singular(verb)}"


def _singular(verb: str) -> str:
    first, *rest = verb.split(" ", 1)
    third = {"go": "goes", "are": "is", "have": "has"}.get(first, f"{first}s")
    return " ".join([third, *rest])


def _barrage(data: Data) -> str:
    n, k = data["soldiers"], data["shells"]
    return f"the barrage: {counted(n, 'soldier')} on the field, {counted(k, 'shell') if k else 'no shells'}"


def _shell(data: Data) -> str:
    rolls = f" (rolls {data['rolls'][0]} and {data['rolls'][1]})" if data["rolls"] else ""
    return f"a shell falls on {data['cell']}{rolls}"


def _peeks(data: Data) -> str:
    seen = data["seen"]
    return f"{data['card']} looks at a wounded card" + ("" if seen is None else f": it is {seen}")


def _rescued(end: str) -> Callable[[Data], str]:
    return lambda data: f"the rescued {data['card']} {end}"


def _above(end: str) -> Callable[[Data], str]:
    return lambda data: f"the rescued {data['card']} outranks a rescuer of value {data['value']} and {end}"


SENTENCES: Final[Mapping[str, Callable[[Data], str]]] = {
    "cycles": lambda data: f"{data['card']} goes back to the deck",
    "draws": lambda data: f"{data['colour']} draws {data['card']} into the trench",
    "reinforced": lambda data: f"{data['colour']} has no soldier left and draws {data['card']}, who may act at once",
    "enters": lambda data: f"{_verb(data, 'enter')} the field at {data['cell']}",
    "peeks": _peeks,
    "goes": lambda data: f"{_verb(data, 'go from')} {data['start']} to {data['cell']}",
    "holds": lambda data: f"{_verb(data, 'wait at')} {data['cell']} with the card",
    "picks_up": lambda data: f"{_verb(data, 'pick up')} {wounded(data['wounded'])}",
    "drops": lambda data: f"{data['card']} puts {wounded(data['wounded'])} down at {data['cell']}",
    "comes_home": lambda data: f"{_verb(data, 'come')} home",
    "to_trench": _rescued("joins the trench"),
    "to_infirmary": _rescued("lies in the infirmary"),
    "to_own_deck": _above("goes back to its own deck"),
    "to_enemy_deck": lambda data: _above(f"goes to {data['colour']}'s deck")(data),
    "ends": lambda data: f"{data['colour']} ends the half-turn",
    "barrage": _barrage,
    "quiet": _barrage,
    "shell": _shell,
    "misses": lambda _: "nobody stands where it falls",
    "hit": lambda data: f"{_verb(data, 'are hit and now wounded at')} {data['cell']}",
    "killed": lambda data: f"{_verb(data, 'are killed')} at {data['cell']} on the way home",
    "turn": lambda data: f"turn {data['turn']} begins",
    "wounded_die": lambda data: f"the wounded on the field die: {card_list(data['cards'])}",
    "withdrawal": lambda _: "the withdrawal begins: everybody on the field goes home",
    "over": lambda _: "the game is over",
}
"""The catalogue: a sentence for each kind of event."""


def sentence(event: Event) -> str:
    """Return an event in words."""
    return SENTENCES[event.kind](event.data)


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table as pairs of label and text; what is empty is left out."""
    pack = rulings.pack
    fresh = [cell_text(cell, table.size) for cell, _ in table.fresh]
    scores = [
        f"{name} {score(rulings, table, colour)} ({gain(rulings, table, colour):+d})"
        for colour, name in enumerate(pack.colours)
        if table.players > 1 or colour == table.starter
    ]
    rows = [
        ("turn", _clock(rulings, table)),
        ("field", _field(rulings, table)),
        ("piles", "; ".join(_piles(rulings, table))),
        ("moved", _cards(pack.texts(table.moved))),
        ("fresh", ", ".join(fresh)),
        ("trench", _both(rulings, table, table.trench)),
        ("infirmary", _both(rulings, table, table.infirmary)),
        *(
            (f"{name} deck", _deck(pack.texts(table.deck[colour]), rulings.queue))
            for colour, name in enumerate(pack.colours)
        ),
        ("score", ", ".join(scores)),
        ("dead", _cards(pack.texts(table.dead))),
        ("seen by", "" if table.view is None else pack.colours[table.view]),
    ]
    return [(label, text) for label, text in rows if text]


def brief(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the field and who is home; what is empty is left out."""
    rows = [
        ("field", _field(rulings, table)),
        ("trench", _both(rulings, table, table.trench)),
        ("rescued", _both(rulings, table, table.infirmary)),
    ]
    return [(label, text) for label, text in rows if text]


def _field(rulings: Rulings, table: Table) -> Picture:
    """Return the battlefield, the far trench on top.

    A cell shows its soldiers, ``+`` and what one carries, and the top card of its pile in brackets with the number of
    cards below it. A sign before a soldier tells the way from home.
    """
    size, names = table.size, rulings.pack.colours
    near, far = f"{NEAR} {names[table.near]} trench", f"{FAR} {names[1 - table.near]} trench"
    cells = [_cell(rulings, table, cell) for cell in range(size**2)]
    rows = tuple(tuple(cells[row * size : (row + 1) * size]) for row in range(size))
    said = "; ".join(f"{drawn} at {cell_text(cell, size)}" for cell, drawn in enumerate(cells) if drawn)
    return Picture(said or "nobody", Grid(rows, far, near))


def _cell(rulings: Rulings, table: Table, cell: int) -> str:
    codes, colours = rulings.pack.codes, rulings.pack.colour
    standing = [
        (NEAR if colours[soldier.card] == table.near else FAR)
        + codes[soldier.card]
        + ("" if soldier.carries is None else f"+{codes[soldier.carries]}")
        for soldier in table.soldiers
        if soldier.cell == cell
    ]
    pile = table.piles[cell]
    below = f"+{len(pile) - 1}" if len(pile) > 1 else ""
    return " ".join([*standing, *([f"[{codes[pile[-1]]}{below}]"] if pile else [])])


def _both(rulings: Rulings, table: Table, zone: tuple[tuple[int, ...], tuple[int, ...]]) -> str:
    """Return a zone of both colours, an empty one left out; of a player alone the own cards need no name."""
    pack = rulings.pack
    if table.players == 1 and not zone[1 - table.starter]:
        return _cards(pack.texts(zone[table.starter]))
    return "; ".join(
        f"{pack.colours[colour]} {_cards(pack.texts(cards))}" for colour, cards in enumerate(zone) if cards
    )


def _clock(rulings: Rulings, table: Table) -> str:
    mover = rulings.pack.colours[table.to_move]
    if table.phase == OVER:
        return f"{table.turn}, the game is over"
    if table.phase == WITHDRAW:
        return f"{table.turn}, withdrawal, {mover} to move"
    return f"{table.turn} of {rulings.turn_limit}, {mover} to move"


def _piles(rulings: Rulings, table: Table) -> list[str]:
    """Return the piles of which something is known, bottom to top."""
    unknown = rulings.pack.unknown
    return [
        f"{cell_text(cell, table.size)}: {' '.join(rulings.pack.texts(pile))}"
        for cell, pile in enumerate(table.piles)
        if any(card != unknown for card in pile)
    ]


def _cards(codes: Sequence[str]) -> str:
    known = [code for code in codes if code != UNKNOWN]
    hidden = len(codes) - len(known)
    return ", ".join([*known, *([f"{hidden} unknown"] if hidden else [])])


def _deck(codes: Sequence[str], queue: bool) -> str:
    if not codes:
        return ""
    count = f"{len(codes)} card{'' if len(codes) == 1 else 's'}"
    return f"{count}, {'top first' if queue else 'in unknown order'}: {_cards(codes)}"
