"""The field of an open duel as the compact form sees it: distances, chances of cells, half-turns left (1, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table

Man: TypeAlias = tuple[int, int, int]
"""An able-bodied soldier: card, what it carries, cell."""
Pair: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
Choice: TypeAlias = tuple[tuple[int, ...], int]
"""Cells where soldiers of a group are in the end, and by how much the score grows."""
Changes: TypeAlias = tuple[tuple[int, tuple[int, ...], bool], ...]
"""Cells whose pile a group has changed: the whole pile where true, of the cell it stood in, else what it put down."""
Key: TypeAlias = tuple[Any, ...]
"""Stage, turn, player to move, black's score less red's, soldiers, piles, trenches, decks, moved, fresh, shells.

The score is in cards, and in parts of a card once play is over.
"""
Middle: TypeAlias = tuple[Any, ...]
"""Soldiers, piles, trenches, decks, score, moved, fresh."""

NOTHING: Final = -1
"""What a soldier carries who carries nothing."""
ACTS, SHELLED, DRAWS, DONE, LAST = range(5)
"""Stages: soldiers act, are shelled; a card is drawn; play is over, or all that is left of it is the walk home.

``LAST`` is the last half-turn with rescues: the soldiers have no names, and in the place of the piles is what each
group of the player to move can make of it.
"""
NOBODY: Final[Pair] = ((), ())


def carried_by_form(rulings: Rulings, table: Table) -> bool:
    """Return whether the compact form plays these rules from this table."""
    plain = (
        rulings.idle_allowed
        and rulings.stack_split
        and rulings.withdrawal_kills
        and rulings.shells_fall
        and rulings.withdrawal == "direct_home"
        and rulings.score == "total"
        and (rulings.queue or not rulings.deck_open)
    )
    other = (
        rulings.alternate
        or rulings.arrival
        or rulings.rescued_acts_now
        or rulings.drop_unmoved
        or rulings.stack_from_trench
        or rulings.pickup_fresh
        or rulings.hold_in_place
        or rulings.carrier_chosen
        or rulings.shells_open
        or rulings.shell_recount
        or rulings.withdrawal_trench
        or rulings.draw_when_empty
        or rulings.own_counted
    )
    return plain and not other and rulings.players > 1 and table.view is None


class DuelField:
    """What stays the same in one duel."""

    def __init__(self, rulings: Rulings, table: Table) -> None:
        self._rulings = rulings
        self.size = size = table.size
        self.starter = table.starter
        self.limit = rulings.turn_limit
        # The last two stand for soldiers of either colour whose card does not matter any more.
        self.colour = (*rulings.pack.colour, 0, 1)
        self.value = rulings.pack.value
        self.ways = rulings.cell_ways(size)
        self.cases = sum(self.ways)
        rows = [cell // size for cell in range(size**2)]
        self.near = near = table.near
        self.after_each = rulings.after_each
        self.min_one = rulings.min_one_shell
        # The number of soldiers who can ever stand on the field: who is hit has stood there, who is rescued has lain.
        lying = sum(len(pile) for pile in table.piles) + sum(soldier.carries is not None for soldier in table.soldiers)
        crowd = len(table.soldiers) + sum(len(trench) for trench in table.trench) + lying
        falls = self.shells(crowd) * (2 * size + 1 if self.after_each else size)
        self.grain: int = self.cases ** max(1, falls)  # bounds are counted in cases, also where no shell can fall
        self.home = tuple(tuple((row if colour == near else size - 1 - row) + 1 for row in rows) for colour in range(2))
        self._front = tuple(
            tuple(cell for cell in range(size**2) if self.home[colour][cell] == 1) for colour in range(2)
        )
        self.steps = tuple(
            tuple(abs(cell // size - other // size) + abs(cell % size - other % size) for other in range(size**2))
            for cell in range(size**2)
        )
        self._reach: dict[tuple[int, int], tuple[int, ...]] = {}

    def shells(self, soldiers: int) -> int:
        """Return the number of shells that fall for so many soldiers on the field (6.2, TR-Q16)."""
        return max(soldiers // 2, int(self.min_one and soldiers > 0))

    def places(self, cell: int, count: int) -> tuple[int, ...]:
        """Return the cells to which a group of ``count`` can go from a cell (4.2)."""
        places = self._reach.get((cell, count))
        if places is None:
            steps = self.steps[cell]
            places = tuple(other for other in range(self.size**2) if 1 <= steps[other] <= count)
            self._reach[cell, count] = places
        return places

    def _left(self, turn: int, mover: int, stage: int, colour: int) -> int:
        """Return the half-turns with rescues that a player has left, one under way included."""
        gone = stage == SHELLED if colour == mover else mover != self.starter
        return max(0, self.limit - turn + 1 - gone)

    def left(self, key: Key, colour: int) -> int:
        """Return the half-turns with rescues that a player has left, one under way included."""
        return self._left(key[1], key[2], key[0], colour)

    def waits(self, stage: int, mover: int, colour: int) -> int:
        """Return the whole barrages before a player's next half-turn, one under way left out."""
        shelled = stage == SHELLED
        if self.after_each:
            return int((mover == colour) == shelled)
        return int(not shelled and mover != colour and mover != self.starter)


def replaced(pair: Pair, place: int, cards: Sequence[int]) -> Pair:
    """Return a pair with other cards in one place."""
    return (tuple(cards), pair[1]) if place == 0 else (pair[0], tuple(cards))


def laid(piles: tuple[tuple[int, ...], ...], cell: int, pile: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return piles with another one in a cell."""
    return (*piles[:cell], pile, *piles[cell + 1 :])


def added(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return sorted cards with one more."""
    return tuple(sorted((*cards, card)))
