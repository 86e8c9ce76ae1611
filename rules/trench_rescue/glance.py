"""What a player sees on the table: the battlefield as a board of text, and everything else in labelled lines.

The board needs neither colour nor signs beyond ASCII: suits tell the sides apart, and who is to move stands in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.trench_rescue.cards import HIDDEN
from rules.trench_rescue.half_turn import cell_text
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.scoring import gain, score
from rules.trench_rescue.state import OVER, Table


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table as pairs of label and text; what is empty is left out."""
    pack = rulings.pack
    rows = [("turn", _clock(rulings, table)), *_board_rows(rulings, table)]
    rows.append(("soldiers", ", ".join(_soldiers(rulings, table))))
    rows.append(("piles", "; ".join(_piles(rulings, table))))
    rows.append(("moved", _cards(pack.texts(table.moved))))
    fresh = [cell_text(cell, table.size) for cell, _ in table.fresh]
    rows.append(("fresh", ", ".join(fresh)))
    for colour, name in enumerate(pack.colours):
        points = gain(rulings, table, colour)
        deck = pack.texts(table.deck[colour])
        rows += [
            ("player", f"{name}, {side(table, colour)} side" + _role(table, colour)),
            ("trench", _cards(pack.texts(table.trench[colour])) or "empty"),
            ("infirmary", _cards(pack.texts(table.infirmary[colour]))),
            ("deck", _deck(deck, rulings.queue)),
            ("score", f"{score(rulings, table, colour)} (gain {points:+d})"),
        ]
    rows.append(("dead", _cards(pack.texts(table.dead))))
    if table.view is not None:
        rows.append(("seen by", pack.colours[table.view]))
    return [(label, text) for label, text in rows if text]


def side(table: Table, colour: int) -> str:
    """Return which edge is a player's (1.5)."""
    return "near" if colour == table.near else "far"


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


def _board_rows(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    first, *rest = board(rulings, table)
    return [("field", first), *(("", line) for line in rest)]


def _clock(rulings: Rulings, table: Table) -> str:
    if table.phase == OVER:
        return f"{table.turn}, the game is over"
    if table.turn > rulings.turn_limit:
        return f"{table.turn}, withdrawal"
    return f"{table.turn} of {rulings.turn_limit}"


def _role(table: Table, colour: int) -> str:
    if table.phase == OVER:
        return ""
    return ", to move" if colour == table.to_move else ""


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
        return "empty"
    count = f"{len(codes)} card{'' if len(codes) == 1 else 's'}"
    return f"{count}, {'top first' if queue else 'in unknown order'}: {_cards(codes)}"
