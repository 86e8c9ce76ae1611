"""One way in which the hidden cards of a table may lie (8.3)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.chance import SplitMix64
from rules.core.turns import Asking
from rules.trench_rescue.half_turn import HalfTurn
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table


def layout(rulings: Rulings, table: Table, generator: SplitMix64) -> Table:
    """Return the table with every hidden card named, each assignment with decks of one colour equally likely."""
    half = HalfTurn(rulings, table, Asking(()))
    unknown = half.unknown
    unseen = half.unseen()
    outside: list[int] = []
    decks: list[tuple[int, ...]] = []
    for colour, deck in enumerate(table.deck):
        own = generator.shuffle([card for card in unseen if half.pack.colour[card] == colour])
        places = deck.count(unknown)
        decks.append(tuple(sorted([*(card for card in deck if card != unknown), *own[:places]])))
        outside += own[places:]
    hidden = iter(generator.shuffle(outside))
    soldiers = tuple(
        soldier._replace(carries=next(hidden)) if soldier.carries == unknown else soldier for soldier in table.soldiers
    )
    return table._replace(
        deck=(decks[0], decks[1]),
        soldiers=soldiers,
        piles=tuple(tuple(_named(pile, unknown, hidden)) for pile in table.piles),
        dead=tuple(sorted(_named(table.dead, unknown, hidden))),
        view=None,
    )


def _named(cards: tuple[int, ...], unknown: int, hidden: Iterator[int]) -> Iterator[int]:
    for card in cards:
        yield next(hidden) if card == unknown else card
