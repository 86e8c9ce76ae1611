"""What a player sees on the table: the battlefield as a board of text, and everything else in labelled lines.

The board needs neither colour nor signs beyond ASCII: suits tell the sides apart, and who is to move stands in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.race import Picture
from rules.trench_rescue.cards import HIDDEN
from rules.trench_rescue.half_turn import cell_text
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.scoring import gain, score
from rules.trench_rescue.state import OVER, WITHDRAW, Table


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
        ("field", Picture(board(rulings, table), _said(rulings, table))),
        ("soldiers", ", ".join(_soldiers(rulings, table))),
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
    """Return the field as a small picture and who is home; what is empty is left out.

    A cell shows its soldiers, ``+`` and what one carries, and the top card of its pile in brackets with the number of
    cards below it. For a player alone, rows without anything beyond the last one that holds something are left out.
    """
    rows = [
        ("field", _picture(rulings, table)),
        ("trench", _both(rulings, table, table.trench)),
        ("rescued", _both(rulings, table, table.infirmary)),
    ]
    return [(label, text) for label, text in rows if text]


def _picture(rulings: Rulings, table: Table) -> str:
    size = table.size
    cells = [_drawn(rulings, table, cell) for cell in range(size**2)]
    width = max(map(len, cells))
    shown = [row for row in range(size) if any(cells[row * size : (row + 1) * size])]
    if not shown:
        return ""
    first, last = 0, size - 1
    if table.players == 1:
        first, last = (0, shown[-1]) if table.near == table.starter else (shown[0], last)
    lines = [
        f"{row + 1}  " + "  ".join((cells[row * size + column] or ".").ljust(width) for column in range(size)).rstrip()
        for row in range(last, first - 1, -1)
    ]
    said = [f"{drawn} at {cell_text(cell, size)}" for cell, drawn in enumerate(cells) if drawn]
    return Picture(lines, "; ".join(said))


def _drawn(rulings: Rulings, table: Table, cell: int) -> str:
    codes = rulings.pack.codes
    standing = [
        codes[soldier.card] + ("" if soldier.carries is None else f"+{codes[soldier.carries]}")
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


def board(rulings: Rulings, table: Table) -> list[str]:
    """Return the battlefield row by row, the far trench on top, columns from the left.

    A cell shows its able-bodied soldiers, ``*`` behind one that carries, and the height of its pile in brackets.
    """
    size = table.size
    cells = [_cell(rulings, table, cell) for cell in range(size**2)]
    width = max(6, *(len(cell) for cell in cells))
    bar = "   +" + ("-" * (width + 2) + "+") * size
    near, far = rulings.pack.colours[table.near], rulings.pack.colours[1 - table.near]
    lines = [f"   {far} trench", bar]
    for row in range(size, 0, -1):
        shown = [cells[(row - 1) * size + column].ljust(width) for column in range(size)]
        lines += [f"{row:>2} | " + " | ".join(shown) + " |", bar]
    lines.append("    " + " ".join(str(column).center(width + 2) for column in range(1, size + 1)).rstrip())
    return [*lines, f"   {near} trench"]


def _cell(rulings: Rulings, table: Table, cell: int) -> str:
    codes = rulings.pack.codes
    standing = [
        f"{codes[soldier.card]}{'*' if soldier.carries is not None else ''}"
        for soldier in table.soldiers
        if soldier.cell == cell
    ]
    pile = table.piles[cell]
    return " ".join([*standing, *([f"({len(pile)})"] if pile else [])])


def _said(rulings: Rulings, table: Table) -> str:
    """Return in words what a board shows beside the soldiers, who have a line of their own."""
    near, far = rulings.pack.colours[table.near], rulings.pack.colours[1 - table.near]
    heights = [f"{len(pile)} at {cell_text(cell, table.size)}" for cell, pile in enumerate(table.piles) if pile]
    wounded = f"wounded: {', '.join(heights)}" if heights else "nobody lies wounded"
    sides = f"{near} trench before row 1, {far} trench behind row {table.size}"
    return f"columns and rows 1 to {table.size}, {sides}; {wounded}"


def _clock(rulings: Rulings, table: Table) -> str:
    mover = rulings.pack.colours[table.to_move]
    if table.phase == OVER:
        return f"{table.turn}, the game is over"
    if table.phase == WITHDRAW:
        return f"{table.turn}, withdrawal, {mover} to move"
    return f"{table.turn} of {rulings.turn_limit}, {mover} to move"


def _soldiers(rulings: Rulings, table: Table) -> list[str]:
    codes = rulings.pack.codes
    return [
        f"{codes[soldier.card]} at {cell_text(soldier.cell, table.size)}"
        + ("" if soldier.carries is None else f" with {codes[soldier.carries]}")
        for soldier in table.soldiers
    ]


def _piles(rulings: Rulings, table: Table) -> list[str]:
    """Return the piles of which something is known, bottom to top."""
    unknown = rulings.pack.unknown
    return [
        f"{cell_text(cell, table.size)}: {' '.join(rulings.pack.texts(pile))}"
        for cell, pile in enumerate(table.piles)
        if any(card != unknown for card in pile)
    ]


def _cards(codes: Sequence[str]) -> str:
    known = [code for code in codes if code != HIDDEN]
    hidden = len(codes) - len(known)
    return ", ".join([*known, *([f"{hidden} unknown"] if hidden else [])])


def _deck(codes: Sequence[str], queue: bool) -> str:
    if not codes:
        return ""
    count = f"{len(codes)} card{'' if len(codes) == 1 else 's'}"
    return f"{count}, {'top first' if queue else 'in unknown order'}: {_cards(codes)}"
