"""The set-up of a game (2, 15)."""

from __future__ import annotations

from rules.trench_rescue.rulings import (
    DECK_EVENTS,
    FIELD_EVENTS,
    SIDE_EVENTS,
    STARTER_EVENTS,
    Rulings,
)
from rules.trench_rescue.state import PLAY, Table


def initial_table(rulings: Rulings) -> Table:
    """Return the table after the set-up; hidden sources are dealt from the seed and then forgotten.

    A player alone draws a soldier and the other colour none (11.1).
    """
    alone = rulings.players == 1
    size = rulings.field_size
    laid = rulings.laid[size]
    field: list[int] = []
    trench: list[tuple[int, ...]] = []
    decks: list[tuple[int, ...]] = []
    for colour, cards in enumerate(rulings.pack.of_colour):
        order = rulings.stream(DECK_EVENTS, colour, 0).shuffle(cards)
        soldiers = 0 if alone and colour != rulings.solitaire_colour else rulings.trench_cards
        field.extend(order[:laid])
        trench.append(tuple(sorted(order[laid : laid + soldiers])))
        decks.append(tuple(order[laid + soldiers :]))
    layout = rulings.stream(FIELD_EVENTS, 0, 0).shuffle(field)
    starter = rulings.solitaire_colour if alone else _starter(rulings, trench)
    table = Table(
        carried_home=(0, 0),
        dead=(),
        deck=(decks[0], decks[1]) if rulings.queue else (tuple(sorted(decks[0])), tuple(sorted(decks[1]))),
        draws=(0, 0),
        fresh=(),
        infirmary=((), ()),
        moved=(),
        near=near_side(rulings),
        phase=PLAY,
        piles=tuple((card,) for card in layout),
        players=rulings.players,
        shells=0,
        size=size,
        soldiers=(),
        starter=starter,
        to_move=starter,
        trench=(trench[0], trench[1]),
        turn=1,
        view=None,
    )
    return table if rulings.chance.is_open("cards") else unseen(rulings, table)


def unseen(rulings: Rulings, table: Table) -> Table:
    """Return the table of a set-up as the player to move sees it: the field and both decks face down (8)."""
    unknown = rulings.pack.unknown
    return table._replace(
        deck=((unknown,) * len(table.deck[0]), (unknown,) * len(table.deck[1])),
        piles=tuple((unknown,) * len(pile) for pile in table.piles),
        view=table.to_move,
    )


def near_side(rulings: Rulings) -> int:
    """Return whose trench lies along row 1 (1.5, TR-Q1)."""
    side = str(rulings.options["near_side"])
    if side == "coin":
        return rulings.stream(SIDE_EVENTS, 0, 0).below(2)
    return rulings.pack.colours.index(side)


def _starter(rulings: Rulings, trench: list[tuple[int, ...]]) -> int:
    """Return who begins: the higher soldier, or a coin (2.5)."""
    best = [max(rulings.pack.value[card] for card in cards) for cards in trench]
    if best[0] == best[1]:
        return rulings.stream(STARTER_EVENTS, 0, 0).below(2)
    return best.index(max(best))
